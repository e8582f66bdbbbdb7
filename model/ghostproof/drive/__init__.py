"""Drives real pruner code through every small session on provider payloads."""
