"""Runs code that is not trusted to end, to stay small, or to keep quiet, in a child process."""
