"""The ways in which people write a pruner, one a file, each recognised and called through one interface."""
