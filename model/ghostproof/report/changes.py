"""What one visit changed of one tool, in words of the model."""

from __future__ import annotations

from ghostproof.report.printable import printable
from ghostproof.report.words import count
from ghostproof.turn.trace import Snapshot

# Told by the sentences below; a change of one of these alone says nothing to a reader.
IMPLIED = frozenset({"calls_before_tombstone", "schema_current"})
TOLD = frozenset(
    {
        "schema_shown",
        "schema_lossy",
        "calls_resident",
        "tombstone_resident",
        "evidence_resident",
        "emptied",
        "truncated",
    }
)


def described(before: Snapshot, after: Snapshot, tool: str) -> list[str]:
    """Short sentences about `tool` from the fields that changed; a field without words is told by name."""
    lines = [*_schema(before, after, tool), *_history(before, after, tool)]
    for name in after:
        if name not in TOLD and (name not in IMPLIED or not lines):
            lines.append(f"sets {printable(name, 60)} of {tool} from {before[name]} to {after[name]}")
    return lines


def _schema(before: Snapshot, after: Snapshot, tool: str) -> list[str]:
    if after.get("evidence_resident") is True:
        return [f"reveals the schema of {tool} by an item of the history"]
    if after.get("evidence_resident") is False:
        return [_without_evidence(after, tool)]
    if after.get("schema_shown") is False:
        return [f"hides the schema of {tool}"]
    if after.get("schema_shown") is True:
        how = " without its constraints" if after.get("schema_lossy") else ""
        return [f"shows the schema of {tool}{how}"]
    if "schema_lossy" in after:
        return [
            f"strips the schema of {tool} of its constraints"
            if after["schema_lossy"]
            else f"shows the whole schema of {tool}"
        ]
    return []


def _without_evidence(after: Snapshot, tool: str) -> str:
    if after.get("schema_shown") is False:
        return f"evicts the item that revealed {tool}, and the schema with it"
    if after.get("schema_shown") is True:
        return f"shows the schema of {tool}, whatever reveals it"
    return f"lets nothing in the history show the schema of {tool}"


def _history(before: Snapshot, after: Snapshot, tool: str) -> list[str]:
    lines = []
    if "calls_resident" in after:
        gone, left = before["calls_resident"] - after["calls_resident"], after["calls_resident"]
        # The fields say that a call was emptied, not how many of those that left.
        one, more = ("empties", "empties or evicts") if after.get("emptied") else ("evicts", "evicts")
        does = f"{one if gone == 1 else more} {count(gone, 'call')}" if gone > 0 else f"adds {count(-gone, 'call')}"
        lines.append(f"{does} of {tool} ({left or 'none'} left)")
    elif "emptied" in after:
        lines.append(f"{'leaves an' if after['emptied'] else 'removes the'} emptied call of {tool}")
    if "truncated" in after:
        cut = f"truncates the arguments of {tool}" if after["truncated"] else f"not all arguments of {tool} are cut now"
        lines.append(cut)
    if "tombstone_resident" in after:
        lines.append(f"{'writes a' if after['tombstone_resident'] else 'removes the'} tombstone of {tool}")
    return lines
