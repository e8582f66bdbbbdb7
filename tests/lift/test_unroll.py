"""The unrolling of commands: when two of its states are the same one."""

from __future__ import annotations

from itertools import product

from ghostproof.lift.system import Command, System
from ghostproof.lift.term import TRUE, evaluate, negate, variable
from ghostproof.lift.unroll import CommandUnrolling

FLAG, NUMBER = variable("flag", "Bool"), variable("number", "Int")
FLIPS = System(
    "a flag that flips",
    {"number": "Int", "flag": "Bool"},
    "here",
    TRUE,
    (Command("flip", "here", "there", TRUE, {"flag": negate(FLAG)}), Command("back", "there", "here", TRUE, {})),
    "there",
    FLAG,
)


def test_states_are_apart_exactly_when_no_two_agree_in_location_and_every_field() -> None:
    unrolling = CommandUnrolling(FLIPS, started=False)
    unrolling.extend()
    unrolling.extend()
    apart = unrolling.apart()
    for states in product(product((0, 1), (0, 1), (False, True)), repeat=3):
        values: dict[str, bool | int] = {}
        for index, (location, number, flag) in enumerate(states):
            values |= {f"the location at {index}": location, f"number at {index}": number, f"flag at {index}": flag}
        assert evaluate(apart, values) == (len(set(states)) == len(states)), states
