"""Two stock middlewares of LangChain 1.5.2, in both orders: the schema-first rule in the wild.

`LLMToolSelectorMiddleware` drops schemas; `ContextEditingMiddleware` with `ClearToolUsesEdit(clear_tool_inputs=True)`
and `token_count_method="model"` clears arguments once the request that it sees, schemas included, exceeds a trigger.
Reproduced with three tools, 200 tokens a schema and a trigger of 300 above the base: `[selector, editing]` leaves a
ghost, because dropping schemas brings the count below the trigger; `[editing, selector]` leaves none. A cleared call
is empty and carries no values, which in the model is an eviction. The trigger is the total budget, the selector's
limit the schema budget.

The reproduction has a property that the middlewares do not promise: whatever makes the selector drop a schema also
puts the full request over the trigger. The pair with this property differs by order alone; without it both orders
leave ghosts, since below the trigger nothing is cleared.
"""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Value
from ghostproof.variants.query_selector import as_the_query_scores, drop_beyond_limit, offer_all, select

EDITING: dict[str, Value] = {"triggered": False}
FULL: dict[str, Value] = {"full_is_over": False}


def count_request(tool: Any, turn: Turn) -> None:
    """The edit counts the request once, as it arrives, and then clears what there is to clear."""
    tool.triggered = turn.prompt_tokens > turn.total_budget


def clear_inputs(tool: Any, turn: Turn) -> None:
    """Clear the inputs of all calls (`keep=0`)."""
    if tool.triggered:
        tool.evict_all_calls()


def count_full_request(tool: Any, turn: Turn) -> None:
    """What the request weighs before any middleware."""
    tool.full_is_over = turn.prompt_tokens > turn.total_budget


def drop_if_full_is_over(tool: Any, turn: Turn) -> None:
    """The selector of the reproduction: its limit bites only where the full request is over the trigger."""
    if tool.full_is_over:
        drop_beyond_limit(tool, turn)


def drop_if_triggered(tool: Any, turn: Turn) -> None:
    """The same selector behind the edit, which has counted that same full request."""
    if tool.triggered:
        drop_beyond_limit(tool, turn)


editing = (Pass(count_request), Pass(clear_inputs))

selector_then_editing = Pruner(Pass(offer_all), select, *editing, memory=EDITING, name="[selector, editing]")
editing_then_selector = Pruner(Pass(offer_all), *editing, select, memory=EDITING, name="[editing, selector]")
reproduced_selector_first = Pruner(
    Pass(offer_all),
    Pass(count_full_request),
    Pass(drop_if_full_is_over, order=as_the_query_scores),
    *editing,
    memory=EDITING | FULL,
    name="[selector, editing], as reproduced",
)
reproduced_editing_first = Pruner(
    Pass(offer_all),
    *editing,
    Pass(drop_if_triggered, order=as_the_query_scores),
    memory=EDITING,
    name="[editing, selector], as reproduced",
)
