"""cheapskate 0.1.0: schemas first, and arguments never.

`ToolPruner.prune` scores every tool by similarity with the whole history, names and arguments of calls included, and
keeps the best; `PromptCompressor.compress` then shortens results in the same request. A call helps its tool while it
makes up much of the history. Reproduced: a called tool was dropped all the same. Results do not exist in the model,
so what is left of the compression is its place.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool
from ghostproof.variants.query_selector import drop_beyond_limit, offer_all

DILUTED = 1_000


def as_the_history_scores(tool: Tool) -> int:
    """The worst first: a call of the last response scores best, and older ones are diluted until the query decides."""
    return DILUTED if tool.calls > 0 and tool.idle_turns == 0 else tool.idle_turns


def compress_results(tool: Tool, turn: Turn) -> None:
    """Words of results go; neither schemas nor arguments do."""


cheapskate = Pruner(
    Pass(offer_all),
    Pass(drop_beyond_limit, order=as_the_history_scores),
    Pass(compress_results),
    name="cheapskate",
)
