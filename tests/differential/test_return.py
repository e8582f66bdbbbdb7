"""A tool that returns while a request for it stands is shown and requested at once: nobody's room is made of it.

The model's passes find nothing left to show and say nothing; the reference says that the request is honoured. All else
must be alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from differential.transitions import JOINT, Case, Group, Setting, Standing, State, case_of
from ghostproof.conformance.compare import difference
from ghostproof.conformance.expect import expected
from ghostproof_reference import passes
from ghostproof_reference.__main__ import Case as Session

BACK = Standing("shown", registered=True, requested=True)
OTHERS = (
    Standing(),
    Standing("lossy"),
    Standing("withheld"),
    Standing("withheld", requested=True),
    Standing("withheld", registered=False),
    BACK,
)
GROUPS: tuple[Group, ...] = ((0,), (1,), (0, 1))
SIZES = (((1, 1, 1), (1, 1, 1)), ((2, 2, 1), (2, 1, 1)))


def cases() -> Iterator[Case]:
    histories: list[tuple[Group, ...]] = [(), *((one,) for one in GROUPS), *product(GROUPS, repeat=2)]
    for other, history, sizes, budget in product(OTHERS, histories, SIZES, JOINT):
        for tools in ((BACK, other), (other, BACK)):
            yield case_of(State(tools, history, 0), Setting(sizes), budget)


def without_expansions(answer: Case) -> Case:
    """What became of the tools and the groups, whatever is said of those that were shown or left alone."""
    if answer["outcome"] != "send":
        return answer
    decisions = [one for one in answer["decisions"] if one["decision"] not in ("expanded", "kept")]
    return {**answer, "decisions": decisions}


def disagreements() -> Iterator[str]:
    pairs = (
        (without_expansions(expected("arbitrate", one)), without_expansions(Session(one).answer())) for one in CASES
    )
    return (said for model, reference in pairs if (said := difference(model, reference)))


CASES = list(cases())


def test_model_and_reference_agree_and_the_schema_is_shown_whenever_anything_is_sent() -> None:
    assert list(disagreements()) == []
    sent = [answer for one in CASES if (answer := Session(one).answer())["outcome"] == "send"]
    assert len(sent) > 1_000
    for answer in sent:
        back = {one["tool"] for one in answer["decisions"] if one["decision"] == "expanded"}
        assert back
        assert all(tool["schema"] == "shown" for tool in answer["tools"] if tool["name"] in back)
    assert any(one["decision"] == "evicted" for answer in sent for one in answer["decisions"])
    assert any(one["decision"] == "pruned" for answer in sent for one in answer["decisions"])


def test_a_request_dropped_on_return_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    expand = passes.Turn.expand

    def dropping(turn: passes.Turn) -> None:
        for record in turn.inventory.records.values():
            record.requested = record.requested and not turn.inventory.schema_resident(record)
        expand(turn)

    monkeypatch.setattr(passes.Turn, "expand", dropping)
    assert next(disagreements(), None)
