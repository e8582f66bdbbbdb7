"""Runs a pruner model where it is asked to: in this process, or in a child that may hang, crash or lie."""
