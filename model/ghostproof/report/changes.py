"""What one visit changed of one tool, in words of the model."""

from __future__ import annotations

from ghostproof.report.printable import printable
from ghostproof.report.words import count
from ghostproof.turn.trace import Snapshot

# Told by the sentences below; a change of one of these alone says nothing to a reader.
IMPLIED = frozenset({"calls_before_tombstone", "schema_current"})


def described(before: Snapshot, after: Snapshot, tool: str) -> list[str]:
    """Short sentences about `tool` from the fields that changed; a field without words is told by name."""
    lines = [*_schema(before, after, tool), *_history(before, after, tool)]
    told = {"schema_shown", "schema_lossy", "calls_resident", "tombstone_resident"}
    for name in after:
        if name not in told and (name not in IMPLIED or not lines):
            lines.append(f"sets {printable(name, 60)} of {tool} from {before[name]} to {after[name]}")
    return lines


def _schema(before: Snapshot, after: Snapshot, tool: str) -> list[str]:
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


def _history(before: Snapshot, after: Snapshot, tool: str) -> list[str]:
    lines = []
    if "calls_resident" in after:
        gone, left = before["calls_resident"] - after["calls_resident"], after["calls_resident"]
        lines.append(f"evicts {count(gone, 'call')} of {tool} ({left or 'none'} left)")
    if "tombstone_resident" in after:
        lines.append(f"{'writes a' if after['tombstone_resident'] else 'removes the'} tombstone of {tool}")
    return lines
