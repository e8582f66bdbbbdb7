"""The claims of the theory, their broken variants and their witnesses."""
