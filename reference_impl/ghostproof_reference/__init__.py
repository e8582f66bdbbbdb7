"""The evict-or-tombstone gate and its arbiter as ordinary code, for reading, running and comparing with."""
