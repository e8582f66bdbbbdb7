"""What cannot occur, by design, in sessions of a pruner that is proved safe: witnesses not to be asked for."""

from __future__ import annotations

# Calls are made with the schema in view and nothing makes the schema stale, so that each validates.
NO_REJECTIONS = frozenset({"response: recover by sibling", "execution: reject", "execution: execute unvalidated"})

# Every call is made with the schema in view, though perhaps by a stale copy.
ALWAYS_IN_VIEW = frozenset({"execution: execute unvalidated"})

# There is no tombstone to obey or to ignore.
NO_TOMBSTONES = frozenset({"response: request schema", "response: call despite the tombstone"})

# What the model answers to a ghost, where none is sent.
ANSWERS_TO_A_GHOST = frozenset({"rebuild a call from a ghost", "ask for a ghost"})
NO_GHOST_TO_ANSWER = frozenset(f"response: {name}" for name in ANSWERS_TO_A_GHOST)

# Nothing takes a schema out of the prompt, so that the model has none to ask for.
NOTHING_HIDDEN = frozenset({"a pass hides a schema", "response: ask", "response: call blind"})

# No environment can lose a tombstone that nothing writes.
NOTHING_TO_LOSE = NO_TOMBSTONES | {"environment: tombstone is lost"}

# In an ordinary session on a joint budget order alone suffices (T2d): whatever the gate, it finds nothing to do.
ORDER_SUFFICES = NO_REJECTIONS | NO_TOMBSTONES


def idle(name: str) -> frozenset[str]:
    """The pass called `name` has nothing to do."""
    return frozenset({f"pass {name} changes something"})
