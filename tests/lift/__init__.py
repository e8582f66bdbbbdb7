"""Tests of the lifting."""
