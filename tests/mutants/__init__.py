"""Mutants of the model, the pruners and the checker: each must be killed, and for the reason that was declared."""
