"""Tests of hosts and of what they refuse."""
