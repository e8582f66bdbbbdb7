"""Checks answers and trusts no engine: replay, fresh re-proofs, enumeration, vacuity."""
