"""Why a verdict came out as it did, as plain data: what a proof used, what mends a pruner, at which budgets it fails.

Conditions and values stand as text over the fields of a tool; reports put them in words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Checked, Proved, Verdict

Kind = Literal["invariant", "change", "kept", "visits", "ends", "budget", "guard", "effect", "start"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a proof may use. `where` is a place of the turn, a pass or an action, `kind` what is said of it.

    `invariant`: `text` holds there. `change` and `kept`: the pass gives `field` the value `text`, or leaves it, where
    `when` holds. `visits` and `ends`: when the pass does so. `budget`: what a visit cannot make fail. `guard` and
    `effect`: when the action is possible, and what it does. `start`: how a session begins.
    """

    kind: Kind
    where: str
    text: str
    when: str = ""
    field: str = ""


@dataclass(frozen=True, slots=True)
class Without:
    """What becomes of the property when the pass `name` is taken out: a verdict about the pruner without it."""

    name: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class WhySafe:
    """What a proof rests on.

    `needed` is minimal: with it the proof goes through, and without any one of it, the rest does not prove it.
    `offered` counts all facts from which it was chosen, `checked` says who confirmed that these suffice.
    `threats` are the actions and passes that can turn a tool that is no ghost into one, which what follows has to undo.
    `open` says why nothing of this was determined; it is empty otherwise.
    """

    needed: tuple[Fact, ...]
    offered: int
    threats: tuple[str, ...]
    without: tuple[Without, ...]
    checked: tuple[Checked, ...] = ()
    open: str = ""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Changes that together make the pruner provable, in words, and the verdict about the changed model."""

    changes: tuple[str, ...]
    verdict: Proved


@dataclass(frozen=True, slots=True)
class Mended:
    """The smallest changes that help; all of those of one size. `tried` counts the combinations that were settled.

    `open` says what was left undetermined: smaller combinations that might help, or a search that was not finished.
    """

    suggestions: tuple[Suggestion, ...]
    tried: int
    open: tuple[str, ...] = ()


Outcome = Literal["ghost", "none", "no session", "not determined"]


@dataclass(frozen=True, slots=True)
class BudgetRange:
    """What holds for every budget from `first` to `last` tokens, both included; None is without end."""

    outcome: Outcome
    first: int
    last: int | None


@dataclass(frozen=True, slots=True)
class Thresholds:
    """For which values of `budget`, in the turn of the ghost, there is one; other budgets may be any.

    In sessions of at most `requests` requests, with exactly the tools, sizes and rest of the minimal session; `sizes`
    says which. `ranges` cover all budgets from 0. For each budget with a ghost that was asked about by itself, one was
    replayed; `witness` is that of the largest.
    """

    budget: str
    requests: int
    tools: int
    sizes: str
    ranges: tuple[BudgetRange, ...]
    replayed: int
    witness: Trace | None = None


@dataclass(frozen=True, slots=True)
class WhyUnsafe:
    """What would mend a refuted pruner, and at which budgets its ghost appears; `open` says why that is not known."""

    mended: Mended
    thresholds: tuple[Thresholds, ...]
    open: str = ""


Explanation = WhySafe | WhyUnsafe
