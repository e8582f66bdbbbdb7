"""From the facts that a proof may use to a few that suffice and are all needed.

A solver's core of each obligation gives the first choice; then each fact is left out in turn, and stays out where the
proof goes through. What is left is checked once more, by who has not seen the search: it suffices, and nothing in it
can be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ghostproof.certify.recheck import with_cvc5, with_z3
from ghostproof.explain.facts import Question
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Core, Satisfiable, Unknown, ask_afresh, core_of
from ghostproof.lift.term import Term, conjunction, disjunction, evaluate, show, variables_of
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explanation import Fact
from ghostproof.turn.verdict import Checked

# What is tried first goes first where one of two would do: rather the invariant than what happens to rest on it, and
# what a pass does last, since that is what its author can change.
TRIED = ("invariant", "start", "effect", "guard", "budget", "ends", "visits", "kept", "change")


class Unsettled(Exception):
    """A solver gave no answer, so that nothing is known of what the proof needs."""


class _Search:
    """The facts that are still kept, and for each question that has to be answered, which of them its answer uses."""

    def __init__(self, questions: Sequence[Question], limits: Limits, note: Callable[[str], None]) -> None:
        self._questions, self._limits, self._note = questions, limits, note
        self.cores: dict[Question, frozenset[Fact]] = {}

    def first(self) -> frozenset[Fact] | None:
        """What the cores use, from safety backwards; None where some question has a model."""
        every = frozenset(fact for question in self._questions for fact in question.named)
        return every if self._answer(every, {}) else None

    def used(self) -> frozenset[Fact]:
        """The facts that the answers use."""
        return frozenset(fact for core in self.cores.values() for fact in core)

    def drop(self, fact: Fact) -> bool:
        """Leave `fact` out, if everything can be answered without it."""
        known = {question: core for question, core in self.cores.items() if fact not in core}
        return self._answer(self.used() - {fact}, known)

    def _answer(self, offered: frozenset[Fact], known: dict[Question, frozenset[Fact]]) -> bool:
        """Answer with what is `offered`, from safety backwards through all that answers use."""
        found: dict[Question, frozenset[Fact]] = {}
        used: set[Fact] = set()
        while True:
            waiting = [
                question
                for question in self._questions
                if question not in found and (question.target is None or question.target in used)
            ]
            if not waiting:
                self.cores = found
                return True
            for question in waiting:
                core = known.get(question)
                if core is None:
                    asked = question.only(offered)
                    self._note(f"what the proof uses: {question.name}")
                    answer = ask_core(asked, self._limits)
                    if answer is None:
                        return False
                    core = answer
                found[question] = core
                used |= core


def ask_core(question: Question, limits: Limits) -> frozenset[Fact] | None:
    """Which facts answer `question`; None where they do not. Raises Unsettled."""
    facts = {str(place): fact for place, fact in enumerate(question.named)}
    named = {place: question.named[fact] for place, fact in facts.items()}
    answer = core_of(question.background, named, limits)
    if isinstance(answer, Unknown):
        raise Unsettled(f"{question.name}: {answer.reason}")
    return frozenset(facts[name] for name in answer.names) if isinstance(answer, Core) else None


def minimal(
    questions: Sequence[Question], limits: Limits, note: Callable[[str], None] = lambda text: None
) -> tuple[Fact, ...]:
    """Facts that suffice for the proof, none of which can be left out.

    Raises Unsettled, and InternalError where all facts together prove nothing.
    """
    search = _Search(questions, limits, note)
    if search.first() is None:
        raise InternalError("a confirmed invariant does not answer its own obligations when they are taken apart")
    smaller = True
    while smaller:
        smaller = False
        for fact in sorted(search.used(), key=_rank):
            if fact in search.used() and search.drop(fact):
                smaller = True
    return tuple(sorted(search.used(), key=_rank))


def _rank(fact: Fact) -> tuple[int, str, str, str, str]:
    return TRIED.index(fact.kind), fact.where, fact.field, fact.when, fact.text


def confirmed(questions: Sequence[Question], kept: Iterable[Fact], limits: Limits) -> tuple[Checked, ...]:
    """Check that `kept` proves it, by z3 and cvc5, and that it does not without any one of it, by states evaluated.

    Raises Unsettled where a solver gives no answer, InternalError where the choice is wrong.
    """
    chosen = frozenset(kept)
    needed = _needed(questions, chosen)
    # Variables are shared between questions, but only one of them has to have a model.
    texts = {"the facts that the proof uses": script([disjunction(*map(_formula, needed))])}
    replies = [with_z3(texts, limits), with_cvc5(texts, limits)]
    for reply in replies:
        if reply.outcome == "refuted":
            raise InternalError(f"{reply.by} does not find the facts sufficient that the proof is said to use")
        if reply.outcome == "no answer":
            raise Unsettled(f"{reply.by}: {reply.what}")
    for fact in chosen:
        if not _fails(_needed(questions, chosen - {fact}), limits):
            raise InternalError(f"the proof is said to need what it does not: {fact.kind} of {fact.where}: {fact.text}")
    suffices = (Checked(reply.by, "obligations proved from the facts named", len(needed)) for reply in replies)
    return (
        *suffices,
        Checked("deletion", "facts left out, each time with a state in which the rest fails", len(chosen)),
    )


def _needed(questions: Sequence[Question], kept: frozenset[Fact]) -> list[Question]:
    return [question.only(kept) for question in questions if question.target is None or question.target in kept]


def _formula(question: Question) -> Term:
    return conjunction(question.background, *question.named.values())


def _fails(questions: Sequence[Question], limits: Limits) -> bool:
    """Whether some question has a model: one that is evaluated, and not only claimed by a solver."""
    formula = disjunction(*map(_formula, questions))
    answer = ask_afresh(script([formula]), limits)
    if isinstance(answer, Unknown):
        raise Unsettled(answer.reason)
    if not isinstance(answer, Satisfiable):
        return False
    least = {name: False if term.sort == "Bool" else 0 for name, term in variables_of(formula).items()}
    if not evaluate(formula, {**least, **answer.values}):
        raise InternalError(f"a solver's model is none: {show(formula)[:200]}")
    return True
