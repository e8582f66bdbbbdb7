"""The model in the languages of other checkers."""
