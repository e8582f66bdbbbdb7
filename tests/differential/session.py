"""A long session of the model's tools beside a real `Arbiter`: every event happens to both, and each turn is compared.

The refinement map is that of `differential.transitions`, for a history that also holds texts, results and notices:
texts, and the notices that are owed, are part of the model's fixed rest. What the model leaves open is read off the
runtime: a history that is rewritten may lose any tombstone, and one that the gate then writes again was lost. A
request that stands is the model asking again. A rewind or a compaction takes calls away as an eviction does; calls that
come back, or come from another agent, are `arguments appear`.

The model expands tools, and its gate visits them, in declared order. Another agent's tools are declared late or never:
they stand where the arbiter came to know them, by a call in the history or by a declaration, and so the model is given
them. No order is left free; ties in the pruning order are by declaration on both sides.

Not mapped, since no arbiter can see it: a migration behind a cache, and whether the executor rejects a call. Left out:
schemas that an item of the history reveals, which `tests/reference_impl` covers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ghostproof.turn.action import Action, Others
from ghostproof.turn.environment import ENVIRONMENT_BY_NAME, settle
from ghostproof.turn.response import EXECUTION_BY_NAME, RESPONSE_BY_NAME, open_response
from ghostproof.turn.session import new_tool
from ghostproof.turn.tool import Tool
from ghostproof_reference import request as sent
from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.gate import NOTICE_MARK, TOMBSTONE_MARK, GateMode, marked_tool
from ghostproof_reference.order import ORDERS
from ghostproof_reference.request import Call, CallGroup, Effect, Item, Result, Text, Tombstone
from ghostproof_reference.settings import Lossy, Migration, Settings

ALONE = Others(False, False)
ELSEWHERE = "elsewhere"
"""The version by which another agent made its calls."""


class Disagreement(AssertionError):
    """The reference did what the model does not allow, or sent what it may not."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """One tool of a session, in tokens. `stranger`: known to another agent only, until it is declared."""

    schema: int = 6
    call: int = 3
    tombstone: int = 2
    notice: int = 1
    pinned: bool = False
    reading: bool = False
    stranger: bool = False


@dataclass(frozen=True, slots=True)
class Runtime:
    """How the runtime works. `keeps` is what it takes for its history: `all` that happened,
    what was `sent` last, or nothing, where it says by what the history has `grown`.
    """

    keeps: str = "all"
    gate: GateMode = GateMode.TOMBSTONE
    lossy: Lossy = Lossy.REFUSE
    migration: Migration = Migration.REFRESH
    order: str = "least-recently-called"
    rest: int = 3


@dataclass
class Session:
    """Both sides, and what a runtime knows itself. `groups` are the call groups that stand in the prompt.

    `known`: the tools in the order in which the arbiter was told of them, by a call in a history or by a declaration.
    """

    sizes: dict[str, Sizes]
    runtime: Runtime = Runtime()
    tools: dict[str, Tool] = field(init=False)
    arbiter: Arbiter = field(init=False)
    given: list[Item] = field(default_factory=list)
    prompt: tuple[Item, ...] = ()
    fresh: list[Item] = field(default_factory=list)
    groups: dict[str, CallGroup] = field(default_factory=dict)
    removed: list[CallGroup] = field(default_factory=list)
    made_by: dict[tuple[str, str], str] = field(default_factory=dict)
    live: Counter[str] = field(default_factory=Counter)
    known: dict[str, None] = field(default_factory=dict)
    declared: dict[str, str] = field(default_factory=dict)
    acknowledged: dict[str, str] = field(default_factory=dict)
    lossy: set[str] = field(default_factory=set)
    unabridged: set[str] = field(default_factory=set)
    touched: set[str] = field(default_factory=set)
    migrated: set[str] = field(default_factory=set)
    rewritten: bool = False
    settled: bool = True
    turns: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    last_called: dict[str, int] = field(default_factory=dict)
    signals: int = 0
    numbered: int = 0
    met: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.tools = {name: _tool(size) for name, size in self.sizes.items()}
        for name, size in self.sizes.items():
            if size.stranger:
                self._happen("tool vanishes", name)
        self.touched.clear()
        order = self.runtime.order.replace("largest-schema-first", "largest-first")
        self.arbiter = Arbiter(
            Settings(
                gate=self.runtime.gate, order=ORDERS[order], lossy=self.runtime.lossy,
                migration=self.runtime.migration, count=self._count, request_tool=None,
            )
        )  # fmt: skip

    def _count(self, text: str) -> int:
        if (name := marked_tool(text, TOMBSTONE_MARK)) is not None:
            return self.sizes[name].tombstone
        name = marked_tool(text, NOTICE_MARK)
        return len(text) if name is None else self.sizes[name].notice

    # ---- what the model answers -------------------------------------------------------------------------------------

    def response(self, name: str, *actions: str) -> Action | None:
        """The first of these responses that the model may give to what it was sent."""
        tool = self.tools[name]
        found = (RESPONSE_BY_NAME[action] for action in actions)
        return next((action for action in found if action.guard(tool, ALONE)), None)

    def call(self, names: Sequence[str]) -> None:
        """Parallel calls in one response: by schema, despite a tombstone, or blind."""
        for name in names:
            action = self.response(name, "call", "call despite the tombstone", "call blind")
            if action is None:
                raise Disagreement(f"{name}: no call of it is enabled after what was sent")
            action.effect(self.tools[name], ALONE)
        versions = {name: self.declared[name] for name in names if name in self.declared}
        self.fresh.append(self._group(names, versions))

    def request(self, name: str) -> None:
        """The model asks for a schema. The signal counts tombstoned tools, by the model; one that is named is known."""
        tool = self.tools[name]
        resident, known = tool.schema_resident, name in self.declared or tool.tombstoned
        self.signals += tool.tombstoned and known
        said = self.arbiter.request_schema(name)
        if ("no tool" in said, "already" in said) != (not known, known and resident):
            raise Disagreement(f"{name}: asked for, and told: {said}")
        if self.arbiter.requests.total != self.signals:
            raise Disagreement(f"signals: {self.arbiter.requests.total} counted, and {self.signals} were given")
        action = self.response(name, "request schema", "ask for a ghost", "ask")
        if known and action is not None:
            action.effect(tool, ALONE)

    # ---- what the environment does ----------------------------------------------------------------------------------

    def end_response(self) -> None:
        """The executor accepts what was called, and calls become resident. Once a turn."""
        if self.settled:
            return
        self.settled = True
        for tool in self.tools.values():
            if tool.called:
                # Run unvalidated is accepted too: rejections are the executor's, and no arbiter sees them.
                EXECUTION_BY_NAME["accept"].effect(tool, ALONE)
            settle(tool)

    def _happen(self, action: str, name: str) -> None:
        tool, found = self.tools[name], ENVIRONMENT_BY_NAME[action]
        if not found.guard(tool, ALONE):
            raise ValueError(f"{action} is not enabled for {name}")
        found.effect(tool, ALONE)
        self.touched.add(name)

    def say(self) -> None:
        """A user turn."""
        self.numbered += 1
        self.fresh.append(Text(f"user {self.numbered}", tokens=1))

    def migrate(self, name: str) -> None:
        """The live schema of a tool changes."""
        self.end_response()
        self._happen("schema migrates", name)
        self.live[name] += 1
        self.migrated.add(name)

    def vanish(self, name: str) -> None:
        """A tool goes away."""
        self.end_response()
        self._happen("tool vanishes", name)
        self.lossy.discard(name)
        self.unabridged.discard(name)

    def come_back(self, name: str) -> None:
        """A tool comes back, or the tool of another agent is declared."""
        self.end_response()
        self._happen("tool returns", name)

    def compress(self, name: str) -> None:
        """A shown schema is declared without its constraints."""
        self.end_response()
        self._happen("schema is shown lossily", name)
        self.lossy.add(name)

    def hand_over(self, names: Sequence[str]) -> None:
        """Parallel calls of another agent enter the history."""
        self.end_response()
        for name in names:
            self._happen("arguments appear", name)
            self.acknowledged.pop(name, None)
        self.fresh.append(self._group(names, dict.fromkeys(names, ELSEWHERE), stamped=True))

    def restore(self) -> None:
        """Calls that a rewind or a compaction took come back, under the ids they had."""
        self.end_response()
        group = self.removed.pop()
        for name in called(group):
            self._happen("arguments appear", name)
        self.fresh.append(group)
        self.groups[identity(group)] = group

    def lose_tombstone(self, name: str) -> None:
        """Compaction drops a tombstone from the history that the runtime keeps."""
        self.end_response()
        self._happen("tombstone is lost", name)
        self.given = [item for item in self.given if not (isinstance(item, Tombstone) and item.tool == name)]
        self.rewritten = True

    def rewind(self, length: int) -> None:
        """The history ends after `length` items."""
        self._rewrite(self.given[:length])

    def compact(self, length: int) -> None:
        """A summary stands for the first `length` items."""
        self.numbered += 1
        self._rewrite([Text(f"summary {self.numbered}", tokens=1), *self.given[length:]])

    def _rewrite(self, given: list[Item]) -> None:
        self.end_response()
        left = {identity(item) for item in given if isinstance(item, CallGroup)}
        for item in self.given:
            if not isinstance(item, CallGroup) or identity(item) in left:
                continue
            self.removed.append(item)
            if self.groups.pop(identity(item), None) is not None:
                for name in called(item):
                    self.tools[name].evict_call()
        self.given, self.rewritten = given, True

    def _group(self, names: Sequence[str], versions: dict[str, str], *, stamped: bool = False) -> CallGroup:
        self.numbered += 1
        number = f"g{self.numbered}"
        calls = tuple(
            Call(name, f"{number}.{place}", '{"value": 1}', version=versions[name] if stamped else None)
            for place, name in enumerate(names)
        )
        results = tuple(Result(call.id, "done") for call in calls)
        pinned = any(self.sizes[name].pinned for name in names)
        group = CallGroup(calls, results, pinned, tokens=sum(self.sizes[name].call for name in names))
        for name in names:
            self.calls[name] += 1
            self.last_called[name] = self.numbered
            if name in versions:
                self.made_by[number, name] = versions[name]
        self.groups[number] = group
        return group

    # ---- how things stand -------------------------------------------------------------------------------------------

    def outdated(self, name: str) -> bool:
        """Whether resident arguments were made by another version than the live one, and nothing has said so yet."""
        version = self.declared.get(name)
        if version is None or self.acknowledged.get(name) == version:
            return False
        return any(
            self.made_by.get((number, name), version) != version
            for number, group in self.groups.items()
            if name in called(group)
        )

    def notice_owed(self, name: str) -> bool:
        """Whether a notice must stand beside its schema."""
        tool = self.tools[name]
        return tool.arguments_resident and tool.schema_resident and self.outdated(name)

    def weigh_loss(self, names: Iterable[str]) -> None:
        """A lossy schema gives way to the full one beside arguments, where that is the setting, or on request."""
        for name in self.lossy & set(names):
            tool = self.tools[name]
            if not tool.schema_shown:
                continue
            if self.compression_refused(name) or name in self.unabridged:
                tool.show_schema()
            else:
                tool.schema_lossy = True

    def compression_refused(self, name: str) -> bool:
        """Whether a compression may not stand beside arguments."""
        return name in self.lossy and self.runtime.lossy is Lossy.REFUSE and self.tools[name].arguments_resident

    def declarations(self) -> tuple[sent.Tool, ...]:
        """The tools as the runtime declares them now."""
        return tuple(
            sent.Tool(
                name,
                {"lossy": True} if name in self.lossy else {},
                effect=Effect.READING if size.reading else Effect.MUTATION,
                pinned=size.pinned,
                lossy=name in self.lossy,
                full={} if name in self.lossy else None,
                version=f"v{self.live[name]}",
                tokens=size.schema,
                full_tokens=size.schema if name in self.lossy else None,
            )
            for name, size in self.sizes.items()
            if self.tools[name].registered
        )

    def begin_prompt(self) -> tuple[Item, ...]:
        """What stands in the history before anything is decided, tombstones that a rewrite may have lost included."""
        self.end_response()
        self.known |= {name: None for item in self.fresh if isinstance(item, CallGroup) for name in called(item)}
        for name, tool in self.tools.items():
            if tool.registered:
                self.known[name] = None
                self.declared[name] = f"v{self.live[name]}"
            if not tool.arguments_resident:
                tool.tombstoned = False
        self.weigh_loss(self.tools)
        left = {identity(item) for item in self.given if isinstance(item, CallGroup)}
        texts = [item for item in self.given if isinstance(item, Text)]
        # A summary stands first, and in the prompt that was sent it does not stand yet.
        new = [item for item in texts if item not in self.prompt]
        stood = [
            item for item in self.prompt
            if (identity(item) in left if isinstance(item, CallGroup) else item in texts or isinstance(item, Tombstone))
        ]  # fmt: skip
        return (*new, *stood, *self.fresh)

    def end_turn(self, prompt: tuple[Item, ...]) -> None:
        """The request was sent: what stands in it is the model's to answer."""
        self.given = [*self.given, *self.fresh] if self.runtime.keeps != "sent" else list(prompt)
        self.prompt, self.fresh, self.rewritten, self.settled = prompt, [], False, False
        self.touched.clear()
        self.migrated.clear()
        self.turns += 1
        for name, tool in self.tools.items():
            standing = tool.requested and not tool.registered
            open_response(tool)
            if standing:
                action = self.response(name, "request schema", "ask for a ghost", "ask")
                if action is None:
                    raise Disagreement(f"{name}: its request stands, and the model could not ask")
                action.effect(tool, ALONE)


def _tool(size: Sizes) -> Tool:
    return new_tool(
        {
            "mutation": not size.reading, "pinned": size.pinned, "schema_tokens": size.schema,
            "argument_tokens": size.call, "tombstone_tokens": size.tombstone,
        },
        {},
    )  # fmt: skip


def identity(group: CallGroup) -> str:
    """The number of a call group: its calls are numbered after it."""
    return group.calls[0].id.partition(".")[0]


def called(group: CallGroup) -> list[str]:
    """The tools that a group calls."""
    return [call.tool for call in group.calls]
