"""Changes of a question that must not change its answer."""
