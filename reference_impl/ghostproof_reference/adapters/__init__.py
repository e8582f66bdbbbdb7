"""The arbiter inside agent frameworks, one a file, each an extra. The only part that needs more than Python."""
