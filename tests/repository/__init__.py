"""Tests about the repository itself: its documents, its layout, its commands."""
