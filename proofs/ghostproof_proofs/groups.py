"""The questions that the claims answer, in the order in which the theory is read."""

from __future__ import annotations

RULE = "Does the rule hold?"
FAILURES = "Which orders and gates fail, and when?"
FREEDOM = "When may a schema go without a gate, and which goes first?"
PRICE = "What does the rule buy, and what does it cost?"
LISTING = "Does the theory's own listing follow the rule?"

GROUPS = (RULE, FAILURES, FREEDOM, PRICE, LISTING)
