"""Answers as text, story, JSON and JUnit. Prints nothing itself."""
