"""Each model of a real runtime: the verdict in an ordinary session, under every action, and what the runtime does."""

from __future__ import annotations

from dataclasses import dataclass

from ghostproof.turn.claim import PROVED, Expected
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.verdict import ProvedUpTo, Refuted, Vacuous
from ghostproof.variants.agent_framework_remove_tools import remove_tools
from ghostproof.variants.anthropic_context_editing import context_editing, editing_behind_selector
from ghostproof.variants.anthropic_tool_changes import (
    removal_blocks,
    removal_blocks_carried,
    removal_blocks_folded,
    removal_blocks_trimmed,
)
from ghostproof.variants.cheapskate import cheapskate
from ghostproof.variants.deepagents_exclusion import static_exclusion
from ghostproof.variants.deepagents_skills import skill_tools
from ghostproof.variants.goose_router import goose_router
from ghostproof.variants.haystack_searchable_toolset import searchable_toolset
from ghostproof.variants.headroom_threshold import deferral
from ghostproof.variants.kibana_replacement import replacement
from ghostproof.variants.langchain_selector_editing import (
    editing_then_selector,
    reproduced_editing_first,
    reproduced_selector_first,
    selector_then_editing,
)
from ghostproof.variants.langgraph_bigtool import bigtool
from ghostproof.variants.llama_index_memory import retriever_and_memory
from ghostproof.variants.mode_switch import mode_switch
from ghostproof.variants.openai_agents_handoff import full_history, remove_all_tools
from ghostproof.variants.pairwise_eviction import pairwise, pairwise_behind_selector, pinned_messages
from ghostproof.variants.pydantic_ai_deferred import deferred_tools
from ghostproof.variants.query_selector import query_selector
from ghostproof.variants.refract_mcp import refract
from ghostproof.variants.vercel_prepare_step import active_tools, active_tools_with_messages


@dataclass(frozen=True, slots=True)
class Row:
    """`solid` says that under every action but a lossy showing the model is proved."""

    pruner: Pruner
    ordinary: Expected
    everything: Expected
    really: str
    solid: bool = False

    def __str__(self) -> str:
        return self.pruner.name.replace(" ", "-")


def ghost(requests: int, tools: int = 1) -> Expected:
    """A shortest session of this size."""
    return Expected(Refuted, requests, tools)


NEVER_HIDES = Expected(Vacuous, missing=frozenset({"a pass hides a schema"}))

RUNTIMES = (
    Row(query_selector, ghost(2, 2), ghost(1), "A follow-up like 'do it again' drops the tool that was just used."),
    Row(cheapskate, ghost(3, 2), ghost(1), "It scores called tools higher, and has dropped one all the same."),
    Row(selector_then_editing, ghost(2, 2), ghost(1), "Dropping schemas brings the count below the trigger."),
    Row(editing_then_selector, ghost(2, 2), ghost(1), "Below the trigger nothing is cleared, and the selector acts."),
    Row(reproduced_selector_first, ghost(2), ghost(1), "The reproduction in this order left a ghost of send_email."),
    Row(reproduced_editing_first, PROVED, ghost(2), "The reproduction in this order left none."),
    Row(context_editing, NEVER_HIDES, ghost(2), "It clears inputs and never touches a schema."),
    Row(editing_behind_selector, ghost(2, 2), ghost(1), "The last use is kept, and its schema may be dropped."),
    Row(removal_blocks, PROVED, ghost(2), "The block withdraws the tool and says so; earlier calls stay."),
    Row(removal_blocks_trimmed, ghost(3, 2), ghost(2), "A client that cuts its history cuts the block as well."),
    Row(removal_blocks_folded, PROVED, ghost(2), "Without the block the SDK's fold offers the tool again."),
    Row(removal_blocks_carried, PROVED, ghost(2), "A compaction block carries the removal along."),
    Row(full_history, ghost(3), ghost(2), "The second agent sees the calls of tools that it does not have."),
    Row(remove_all_tools, PROVED, ghost(2), "The filter removes calls when the handoff happens, and only then."),
    Row(mode_switch, ghost(3), ghost(2), "In a planning mode the acting tools are gone and their calls are not."),
    Row(goose_router, ghost(5), ghost(1), "Called tools stay offered for a while; calls stay for longer."),
    Row(searchable_toolset, ghost(4), ghost(1), "The second run starts with the first run's messages, and no tools."),
    Row(bigtool, PROVED, ghost(1), "The list only grows; a thread with copied messages starts without it."),
    Row(deferred_tools, ghost(3), ghost(1), "The cut takes the result of the search, and leaves the call."),
    Row(skill_tools, ghost(3), ghost(1), "The read of the skill is emptied, and its tool's last call is kept."),
    Row(static_exclusion, PROVED, ghost(1), "What is excluded from the start is never called in that session."),
    Row(remove_tools, ghost(2), ghost(2), "A call removes a tool, and the call itself stays."),
    Row(retriever_and_memory, ghost(2, 2), ghost(1), "The retriever changes schemas; arguments never count."),
    Row(pairwise, NEVER_HIDES, ghost(2), "The list of tools never changes, unless a server does."),
    Row(pairwise_behind_selector, ghost(2, 2), ghost(1), "Dropped schemas make the room that ends the eviction."),
    Row(pinned_messages, ghost(2), ghost(1), "A pinned call outlives everything else."),
    Row(active_tools, ghost(3), ghost(2), "Calls of inactive tools stay, which users have reported."),
    Row(
        active_tools_with_messages,
        PROVED,
        ghost(2),
        "A user who prunes the messages of all inactive tools in every step has written a gate.",
        solid=True,
    ),
    Row(refract, ghost(3), ghost(1), "A full schema is shown once, and its call stays beside the short one."),
    # For one tool or two: that depends on what the machine manages in the time an exact proof is given.
    Row(deferral, Expected(ProvedUpTo), ghost(1), "One more server puts the list over the threshold."),
    Row(
        replacement,
        PROVED,
        ghost(2),
        "Calls of undeclared tools become a text that says that the tool is gone.",
        solid=True,
    ),
)
