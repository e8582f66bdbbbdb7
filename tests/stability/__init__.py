"""Stability: the same questions under other seeds and orders of assertions may cost more, and must say the same."""
