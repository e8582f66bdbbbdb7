"""ghostproof: a formal model and model checker for the context pruners of agent runtimes."""
