"""Why a pruner is safe or not: what its proof used, what would mend it, at which budgets a ghost appears."""
