"""Pruners that cannot be checked, each wrong in one way; and beside them one that can."""

from __future__ import annotations

import os
import random
import sys
import time
from typing import Any

from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool


def hide(tool: Tool, turn: Turn) -> None:
    if tool.schema_shown:
        tool.hide_schema()


def gate(tool: Tool, turn: Turn) -> None:
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True


good = Pruner(Pass(hide, until=prompt_fits), Pass(gate))


class Good(Pruner):
    def __init__(self) -> None:
        super().__init__(Pass(hide, until=prompt_fits), Pass(gate))


# ---- no pruner -----------------------------------------------------------------------------------------------------

number = 7
text = "good"
nothing = None
listed = [good]


class NoPruner:
    passes = good.passes


class NeedsArguments(Pruner):
    def __init__(self, budget: int) -> None:
        super().__init__(Pass(hide))


class Forgets(Pruner):
    def __init__(self) -> None:
        self.budget = 3


class RaisesWhenMade(Pruner):
    def __init__(self) -> None:
        raise LookupError("no configuration")


no_passes = Pruner()
bare_functions: Any = Pruner(hide, gate)  # type: ignore[arg-type]
same_name = Pruner(Pass(hide), Pass(gate), Pass(hide))
nameless: Any = Pruner(Pass(hide, name=3))  # type: ignore[arg-type]
not_callable: Any = Pruner(Pass("hide", name="hide"))  # type: ignore[arg-type]

# ---- memory and sizes ----------------------------------------------------------------------------------------------

memory_negative = Pruner(Pass(hide), memory={"budget": -1})
memory_float: Any = Pruner(Pass(hide), memory={"budget": 0.5})  # type: ignore[dict-item]
memory_text: Any = Pruner(Pass(hide), memory={"budget": "3"})  # type: ignore[dict-item]
memory_taken = Pruner(Pass(hide), memory={"schema_tokens": 5})
memory_taken_by_a_method = Pruner(Pass(hide), memory={"ghost": 5})
memory_no_name = Pruner(Pass(hide), memory={"two words": 5})


def size_negative_visit(tool: Tool, turn: Turn) -> None:
    tool.schema_tokens = -5


def size_float_visit(tool: Tool, turn: Turn) -> None:
    tool.calls_resident = tool.calls_resident - 0.5  # type: ignore[assignment]


def calls_negative_visit(tool: Tool, turn: Turn) -> None:
    tool.calls_resident = tool.calls_resident - 1


def calls_grow_visit(tool: Tool, turn: Turn) -> None:
    if tool.schema_shown:
        tool.calls_resident = tool.calls_resident + 1


def memory_becomes_text_visit(tool: Tool, turn: Turn) -> None:
    tool.seen = "yes"  # type: ignore[attr-defined]


size_negative = Pruner(Pass(size_negative_visit))
size_float = Pruner(Pass(size_float_visit))
calls_negative = Pruner(Pass(calls_negative_visit))
calls_grow = Pruner(Pass(calls_grow_visit))
memory_becomes_text = Pruner(Pass(memory_becomes_text_visit), memory={"seen": False})

# ---- signatures ----------------------------------------------------------------------------------------------------


def takes_one(tool: Tool) -> None:
    tool.hide_schema()


def takes_three(tool: Tool, turn: Turn, others: list[Tool]) -> None:
    tool.hide_schema()


def needs_a_keyword(tool: Tool, turn: Turn, *, budget: int) -> None:
    tool.hide_schema()


def key_of_two(tool: Tool, turn: Turn) -> int:
    return 0


def condition_of_two(tool: Tool, turn: Turn) -> bool:
    return True


takes_one_argument: Any = Pruner(Pass(takes_one))  # type: ignore[arg-type]
takes_three_arguments: Any = Pruner(Pass(takes_three))  # type: ignore[arg-type]
takes_a_keyword: Any = Pruner(Pass(needs_a_keyword))  # type: ignore[arg-type]
order_of_two: Any = Pruner(Pass(hide, order=key_of_two))  # type: ignore[arg-type]
until_of_two: Any = Pruner(Pass(hide, until=condition_of_two))  # type: ignore[arg-type]

# ---- what a pass does ----------------------------------------------------------------------------------------------


def raising(tool: Tool, turn: Turn) -> None:
    if tool.schema_shown:
        raise KeyError("budget")


def dividing(tool: Tool, turn: Turn) -> None:
    if 7 // (tool.calls_resident - tool.calls_resident):
        tool.hide_schema()


def reading_what_is_not_there(tool: Tool, turn: Turn) -> None:
    if tool.colour:  # type: ignore[attr-defined]
        tool.hide_schema()


def reading_other_tools(tool: Tool, turn: Turn) -> None:
    if any(other.pinned for other in turn.tools):  # type: ignore[attr-defined]
        tool.hide_schema()


def looping(tool: Tool, turn: Turn) -> None:
    while tool.schema_shown:
        pass


def looping_over_calls(tool: Tool, turn: Turn) -> None:
    for _ in range(tool.calls_resident):
        tool.evict_call()


def recursing(tool: Tool, turn: Turn) -> None:
    recursing(tool, turn)


def settling_never(tool: Tool, turn: Turn) -> None:
    if tool.schema_shown:
        tool.hide_schema()
    else:
        tool.show_schema()


def returning(tool: Tool, turn: Turn) -> Any:
    tool.hide_schema()
    return tool.schema_shown


def returning_sometimes(tool: Tool, turn: Turn) -> Any:
    if tool.calls > 3:
        return 7
    tool.hide_schema()
    return None


def writing_fixed(tool: Tool, turn: Turn) -> None:
    tool.pinned = False


def writing_what_is_not_its_own(tool: Tool, turn: Turn) -> None:
    tool.registered = True


def writing_the_unknown(tool: Tool, turn: Turn) -> None:
    tool.seen = True  # type: ignore[attr-defined]


def writing_text(tool: Tool, turn: Turn) -> None:
    tool.schema_shown = "no"  # type: ignore[assignment]


def writing_the_turn(tool: Tool, turn: Turn) -> None:
    turn.total_budget = 100  # type: ignore[misc]


def printing(tool: Tool, turn: Turn) -> None:
    print("visiting")
    tool.hide_schema()


def exiting(tool: Tool, turn: Turn) -> None:
    sys.exit(3)


def dying(tool: Tool, turn: Turn) -> None:
    os._exit(3)


def waiting(tool: Tool, turn: Turn) -> None:
    time.sleep(60)


def gambling(tool: Tool, turn: Turn) -> None:
    if random.randrange(2):
        tool.hide_schema()


def multiplying(tool: Tool, turn: Turn) -> None:
    if tool.calls_resident * tool.argument_tokens > turn.total_budget:
        tool.evict_call()


def counting_flags(tool: Tool, turn: Turn) -> None:
    if sum([tool.pinned, tool.mutation, tool.schema_shown]) == 2:
        tool.hide_schema()


def hoarding(tool: Tool, turn: Turn) -> None:
    if [0] * 10_000_000_000:
        tool.hide_schema()


def key_that_changes(tool: Tool) -> int:
    tool.hide_schema()
    return 0


def key_that_is_text(tool: Tool) -> Any:
    return "first"


def condition_that_is_text(turn: Turn) -> Any:
    return "yes"


for _visit in (
    raising,
    dividing,
    reading_what_is_not_there,
    reading_other_tools,
    looping,
    looping_over_calls,
    recursing,
    returning,
    returning_sometimes,
    writing_fixed,
    writing_what_is_not_its_own,
    writing_the_unknown,
    writing_text,
    writing_the_turn,
    printing,
    exiting,
    dying,
    waiting,
    gambling,
    multiplying,
    counting_flags,
    hoarding,
):
    globals()[f"pass_{_visit.__name__}"] = Pruner(Pass(_visit), Pass(gate))

pass_settling_never = Pruner(Pass(settling_never, until=prompt_fits), Pass(gate))
order_that_changes = Pruner(Pass(hide, order=key_that_changes))
order_that_is_text = Pruner(Pass(hide, order=key_that_is_text))
until_that_is_text = Pruner(Pass(hide, until=condition_that_is_text))
