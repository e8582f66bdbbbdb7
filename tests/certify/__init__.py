"""Tests of the independent checks."""
