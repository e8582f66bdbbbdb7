"""The incident desk: validates each call against the live schema, and executes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ghostproof_reference.incident.tools import SCHEMAS, migrated
from ghostproof_reference.request import Schema

Validate = Callable[[Schema, object], Sequence[str]]
"""What is wrong with arguments under a schema, each field named; nothing if they validate. JSON Schema 2020-12."""

REJECTED = "error: "
"""How the result of a call begins that was not executed."""

ANSWERS: Mapping[str, str] = {
    "list_alerts": "1 alert fires: p99 of checkout above 2 s for 12 minutes",
    "query_metrics": "p99 was 0.4 s an hour ago and is 2.6 s now, still climbing",
    "search_logs": "214 lines, the last: checkout: timeout after 2000 ms, waiting for a connection of pool 'orders'",
    "list_deployments": "dep-88 31 minutes ago: pool size of 'orders' from 40 to 4; dep-87 two days ago",
    "get_on_call": "u-117 until 18:00, then u-204",
    "get_runbook": "1. compare the pool sizes with the last deployment 2. roll it back 3. watch p99 for ten minutes",
}
"""What the other tools return; without one it is `done`."""


@dataclass(frozen=True, slots=True)
class Incident:
    """An open incident. `duplicates` is the id of an earlier one that is about the same."""

    id: str
    title: str
    service: str
    severity: str
    duplicates: str | None = None


@dataclass(frozen=True, slots=True)
class Execution:
    """What became of a call: accepted and executed, or rejected by validation. `text` is what the model is told."""

    accepted: bool
    text: str
    opened: Incident | None = None


class Desk:
    """One desk in one session."""

    def __init__(self, validate: Validate) -> None:
        self._validate = validate
        self.schemas: Mapping[str, Schema] = SCHEMAS
        self.incidents: dict[str, Incident] = {}

    def migrate(self) -> None:
        """From now on `assignee_id` of `update_incident` must be an object."""
        self.schemas = migrated(self.schemas)

    def execute(self, tool: str, arguments: str) -> Execution:
        """Validate and execute a call as the model wrote it. Rejects what does not validate, and changes nothing."""
        if tool not in self.schemas:
            return Execution(False, f"{REJECTED}there is no tool {tool}")
        try:
            given = json.loads(arguments)
        except (ValueError, RecursionError):
            return Execution(False, f"{REJECTED}the arguments of {tool} are not JSON")
        if wrong := self._validate(self.schemas[tool], given):
            return Execution(False, f"{REJECTED}invalid arguments of {tool}: {'; '.join(wrong)}")
        if tool == "create_incident":
            return self._create(given)
        if tool == "update_incident":
            return self._update(given)
        return Execution(True, ANSWERS.get(tool, "done"))

    def _create(self, given: Mapping[str, str]) -> Execution:
        about = (given["title"], given["service"])
        same = next((one.id for one in self.incidents.values() if (one.title, one.service) == about), None)
        opened = Incident(f"INC-{len(self.incidents) + 1}", *about, given["severity"], same)
        self.incidents[opened.id] = opened
        return Execution(True, f"opened {opened.id}: {opened.title}, {opened.severity}", opened)

    def _update(self, given: Mapping[str, str]) -> Execution:
        found = self.incidents.get(given["incident_id"])
        if found is None:
            return Execution(False, f"{REJECTED}there is no incident {given['incident_id']}")
        self.incidents[found.id] = replace(found, severity=given["severity"])
        told = ", channel notified" if given.get("notify") else ""
        return Execution(True, f"{found.id} is {given['severity']} now{told}")
