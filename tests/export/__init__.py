"""Tests of the exports: other checkers must find what ours find."""
