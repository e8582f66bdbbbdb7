"""Tests of the session driver."""
