"""Elastic's fix in Kibana (elastic/kibana #224410, PR #224620): the gate, found independently.

Calls in the history of tools that the request does not declare are replaced by a text that says that the tool is no
longer available. That is eviction and tombstone together, for every undeclared tool, in every request, in last place.
It goes by what is declared: a tool that is declared with a lossy schema passes.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool
from ghostproof.variants.query_selector import offer_all, select


def replace_undeclared_calls(tool: Tool, turn: Turn) -> None:
    """Where a call stood, a text says that the tool is not available."""
    if tool.arguments_resident and not tool.schema_shown:
        tool.evict_all_calls()
        tool.tombstoned = True


replacement = Pruner(Pass(offer_all), select, Pass(replace_undeclared_calls), name="Kibana's replacement")
