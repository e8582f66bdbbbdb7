"""Runs a program against vectors: handshake, one case at a time, a fresh start after a fault, and two controls."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ghostproof.conformance.compare import difference
from ghostproof.conformance.program import Fault, Program
from ghostproof.conformance.suite import CAPABILITIES, VERSION, Vector
from ghostproof.report.printable import printable

PROTOCOL = 1
STARTS_MAX = 20
"""How often a program may be started in one run."""

STARTING = 4
"""How many deadlines the handshake may take: an interpreter has to start, on a machine that may be busy."""

PROTOCOL_PAGE = "docs/conformance-protocol.md"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one vector. `status` is passed, failed or skipped; `said` why, in one line."""

    vector: Vector
    status: str
    said: str
    seconds: float

    @property
    def counts_against(self) -> bool:
        """A required vector that did not pass, or an optional one whose capability was claimed and that failed."""
        return self.status == "failed" or (self.status == "skipped" and self.vector.required)


@dataclass(frozen=True, slots=True)
class Run:
    """A whole run. `program` is what it calls itself, `capabilities` what it claims."""

    program: str
    capabilities: tuple[str, ...]
    results: tuple[Result, ...]

    @property
    def passed(self) -> bool:
        """Every required vector passed, and no optional one that was asked failed."""
        return bool(self.results) and not any(result.counts_against for result in self.results)


class Control(Exception):
    """The vectors cannot tell right from wrong: a program that never looks would pass."""


Start = Callable[[], Program]


def run(start: Start, vectors: Sequence[Vector], progress: Callable[[str], None] = lambda text: None) -> Run:
    """Ask every vector. Raises Control, MissingProgramError, and Fault when not even the first handshake works."""
    check_controls(vectors)
    session = _Session(start)
    try:
        session.begin()
        results = []
        for number, vector in enumerate(vectors, start=1):
            progress(f"{number} of {len(vectors)}: {vector.title}")
            results.append(session.ask(vector))
        session.finish(results)
        return Run(session.name, session.capabilities, tuple(results))
    finally:
        session.close()


class _Session:
    """The program as it is now, and how often it was started."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self._starts = 0
        self._program: Program | None = None
        self.name = ""
        self.capabilities: tuple[str, ...] = ()

    def begin(self) -> Program:
        """Start the program and shake hands. Raises Fault."""
        if self._starts >= STARTS_MAX:
            raise Fault(f"was started {STARTS_MAX} times and is not started again")
        self._starts += 1
        program = self._program = self._start()
        try:
            hello = program.exchange(
                {"type": "hello", "protocols": [PROTOCOL], "suite": VERSION}, STARTING * program.seconds
            )
            name, capabilities = _greeting(hello)
            if self._starts > 1 and capabilities != self.capabilities:
                raise Fault("claims other capabilities than when it was first started")
        except Fault as fault:
            raise Fault(f"handshake: {self._explained(fault)}") from None
        self.name, self.capabilities = name, capabilities
        return program

    def _explained(self, fault: Fault) -> str:
        said = self._program.said if self._program is not None else ""
        self.close()
        return f"{fault}; its standard error ends with: {said}" if said else str(fault)

    def ask(self, vector: Vector) -> Result:
        """One vector."""
        if missing := [need for need in vector.needs if need not in self.capabilities]:
            return Result(vector, "skipped", f"the program does not claim {', '.join(missing)}", 0.0)
        began = time.monotonic()
        try:
            program = self._program or self.begin()
            status, said = self._answered(program, vector)
        except Fault as fault:
            status, said = "failed", self._explained(fault)
        return Result(vector, status, said, time.monotonic() - began)

    def _answered(self, program: Program, vector: Vector) -> tuple[str, str]:
        message = {"type": "case", "id": vector.id, "kind": vector.kind, "case": vector.case}
        answer = program.exchange(message)
        if answer.get("id") != vector.id:
            raise Fault(f"answers out of order: expected the id {vector.id!r}, found {_short(answer.get('id'))}")
        if answer.get("type") == "skip":
            reason = answer.get("reason")
            if not isinstance(reason, str) or not reason.strip():
                raise Fault("skips without a reason")
            why = f"skipped by the program: {printable(reason)}"
            return ("failed", f"{why}; a required case cannot be skipped") if vector.required else ("skipped", why)
        if answer.get("type") != "answer":
            raise Fault(f"answers with the type {_short(answer.get('type'))}: expected answer or skip")
        said = difference(vector.expected, answer)
        return ("failed", said) if said else ("passed", "")

    def finish(self, results: list[Result]) -> None:
        """What is printed after the last answer counts against the last case."""
        if self._program is None or not results:
            return
        try:
            self._program.refuse_unasked()
        except Fault as fault:
            last = results[-1]
            results[-1] = Result(last.vector, "failed", self._explained(fault), last.seconds)

    def close(self) -> None:
        """End the program that runs, if one does."""
        if self._program is not None:
            self._program.close()
            self._program = None


def _greeting(hello: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    if hello.get("type") != "hello":
        raise Fault(f"answers with the type {_short(hello.get('type'))}: expected hello, see {PROTOCOL_PAGE}")
    if type(hello.get("protocol")) is not int or hello["protocol"] != PROTOCOL:
        said = f"speaks protocol {_short(hello['protocol'])}" if "protocol" in hello else "names no protocol"
        raise Fault(f'{said}: answer hello with "protocol": {PROTOCOL}, see {PROTOCOL_PAGE}')
    claimed = hello.get("capabilities", [])
    if not isinstance(claimed, list) or not all(isinstance(one, str) for one in claimed):
        raise Fault(f"capabilities are {_short(claimed)}: expected a list of names")
    if unknown := [one for one in claimed if one not in CAPABILITIES]:
        raise Fault(f"claims the unknown capability {_short(unknown[0])}: known are {', '.join(CAPABILITIES)}")
    name, version = (printable(str(hello.get(key, "")), 60) for key in ("name", "version"))
    return " ".join(part for part in (name or "a program without a name", version) if part), tuple(claimed)


def unanswered(program: str, vectors: Sequence[Vector], fault: Fault) -> Run:
    """The run of a program with which no handshake was possible: nothing was asked, and `fault` says why."""
    return Run(program, (), tuple(Result(vector, "skipped", f"not asked: {fault}", 0.0) for vector in vectors))


def _short(value: object) -> str:
    return printable(repr(value), 80)


def _always_safe(vector: Vector) -> Mapping[str, Any]:
    if vector.kind == "judge":
        return {"ghosts": [], "mutation_ghosts": []}
    case = vector.case
    tokens = sum(call["tokens"] for item in case["history"] for call in item.get("calls", []))
    tokens += case["rest_tokens"] + sum(t["schema_tokens"] for t in case["tools"] if t["schema"] != "withheld")
    return {
        "outcome": "send",
        "decisions": [{"decision": "kept", "tool": tool["name"]} for tool in case["tools"]],
        "tools": [_as_it_stands(case, tool) for tool in case["tools"]],
        "history": [{key: item[key] for key in ("kind", "id", "tool") if key in item} for item in case["history"]],
        "tokens": {"before": tokens, "after": tokens},
    }


def _as_it_stands(case: Mapping[str, Any], tool: Mapping[str, Any]) -> Mapping[str, Any]:
    name = tool["name"]
    arguments = any(call["tool"] == name for item in case["history"] for call in item.get("calls", []))
    tombstone = any(item.get("tool") == name for item in case["history"])
    return {"name": name, "schema": tool["schema"], "arguments": arguments, "tombstone": tombstone}


def _always_ghost(vector: Vector) -> Mapping[str, Any]:
    names = [tool["name"] for tool in vector.case["tools"]]
    if vector.kind == "judge":
        return {"ghosts": names, "mutation_ghosts": names}
    return {"outcome": "ghost-tool-invariant", "tools": names}


CONTROLS = {"always safe": _always_safe, "always ghost": _always_ghost}
"""Programs that never look. Each must fail some vector of every kind that is asked, whichever side it errs on."""


def check_controls(vectors: Sequence[Vector]) -> None:
    """Raises Control if a program that never looks would pass what is required of each kind."""
    for kind in dict.fromkeys(vector.kind for vector in vectors):
        asked = [vector for vector in vectors if vector.kind == kind]
        for name, answer in CONTROLS.items():
            if not any(difference(vector.expected, answer(vector)) for vector in asked):
                raise Control(
                    f"the {len(asked)} vectors of kind {kind} do not tell a right program from one that is {name}:"
                    " ask more of them"
                )


def select(vectors: Sequence[Vector], wanted: Sequence[str]) -> Iterator[Vector]:
    """The vectors whose id, rule or kind is named; all of them if none is."""
    for vector in vectors:
        if not wanted or any(word in (vector.id, vector.kind, *vector.rules) for word in wanted):
            yield vector
