"""The sessions that the engine explicit enumerates, request by request, as Promela for the model checker SPIN.

Between two requests lie free choices, each a step of its own, and one deterministic step for arbitration (two around
late events); only what was sent is a state that is stored. The turn's actions, visits, orders and conditions are those
that were lifted from the plain functions. What a pass may read of the whole prompt is summed here as in `turn.budget`,
and passes go round here as in `turn.session`: the comparison of states with explicit is what says that it is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from ghostproof.export.promela_text import TYPES, Names, choice, d_step, option
from ghostproof.lift.plain import (
    LiftedPass,
    LiftedPruner,
    judgement,
    lift_action,
    lift_costs,
    lift_open_response,
    lift_settle,
)
from ghostproof.lift.term import Term, value_of
from ghostproof.turn.action import Action
from ghostproof.turn.budget import TOTALS
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import rendering
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.session import ROUNDS_MAX
from ghostproof.turn.tool import FIXED, INITIAL

# States that SPIN stores beside those of explicit: the one before the tools and their sizes are chosen.
STATES_MORE = 1


@dataclass(frozen=True, slots=True)
class Promela:
    """The text, and the steps that SPIN counts up to the first request and from each request to the next."""

    text: str
    first: int
    further: int

    def depth(self, turns: int) -> int:
        """What `pan -m` must be given to cover exactly `turns` requests."""
        return self.first + self.further * (turns - 1)


class _Writer:
    def __init__(self, pruner: LiftedPruner, scenario: Scenario, judged: Property, grid: Grid) -> None:
        self.pruner, self.scenario, self.judged, self.grid = pruner, scenario, judged, grid
        self.names = Names(pruner.sorts)
        self.tools = range(1, grid.tools + 1)
        self.budgets = pruner.budget_names

    def active(self, tool: int) -> str:
        """That there is a tool of this number."""
        return f"(tools >= {tool})"

    def header(self) -> list[str]:
        """What this is, in comments."""
        about = f"{self.pruner.name}: {self.judged.name}: {self.scenario.name}: {self.grid.tools} tools of {self.grid}"
        plain = "".join(
            character if (character.isascii() and character.isalnum()) or character in " :,{}_-" else "?"
            for character in about
        )
        return [
            f"/* {plain}",
            "   A state is what was sent. A failing assertion is a violation in a session of the grid.",
            "   Without -o2 SPIN leaves out what it takes for unread, and counts fewer states. */",
        ]

    # ---- declarations ---------------------------------------------------------------------------------------------

    def declarations(self) -> list[str]:
        """Every global. What is hidden is computed and used within one step, and is no part of a state."""
        lines = ["bool started;", "byte tools;"]
        for tool in self.tools:
            lines += [f"{TYPES[sort]} {self.names.field(tool, name)};" for name, sort in self.names.sorts.items()]
            lines += [f"bool others{tool}_rejected, others{tool}_rebuilt;"]
            lines += [f"hidden int key{tool}, place{tool};"]
        lines += [f"int turn_{name};" for name in self.budgets]
        # SPIN hides no single bits: flags are bytes here.
        lines += [f"hidden int {self.names.scratch(name)};" for name in self.names.sorts]
        return [*lines, "hidden byte going, changed;", "hidden int rounds;", *self.totals()]

    def totals(self) -> list[str]:
        """The turn's numbers as macros; a tool that is not there costs nothing."""
        costs = lift_costs()
        lines = []
        for name in TOTALS:
            parts = [
                f"{self.names.field(tool, 'calls_resident')} * {self.names.field(tool, 'argument_tokens')}"
                if name == "argument_tokens"
                else self.names.text(costs[name], tool)
                for tool in self.tools
            ]
            lines.append(f"#define turn_{name} ({' + '.join(parts)})")
        return [*lines, "#define turn_rest_tokens 0"]

    # ---- choices --------------------------------------------------------------------------------------------------

    def start(self) -> list[list[str]]:
        """How many tools, the fixed fields of each, and budgets that stay; each item is one step."""
        steps = [choice(option("true", f"tools = {count};") for count in self.tools)]
        flags: Mapping[str, Sequence[bool]] = {"pinned": self.grid.pinned, "mutation": self.grid.mutation}
        for tool in self.tools:
            for name in FIXED:
                fixed = self.scenario.fixed
                values = (fixed[name],) if name in fixed else flags.get(name, self.grid.sizes)
                field = self.names.field(tool, name)
                chosen = [option(self.active(tool), f"{field} = {int(value)};") for value in values]
                steps.append(choice([*chosen, option(f"!{self.active(tool)}")]))
        if self.scenario.constant_budgets:
            steps += self.chosen_budgets()
        initial = {**INITIAL, **self.pruner.memory}
        begun = [
            f":: {self.active(tool)} -> "
            + " ".join(f"{self.names.field(tool, name)} = {int(value)};" for name, value in initial.items() if value)
            for tool in self.tools
        ]
        return [*steps, [d_step(*(f"if {one} :: else fi;" for one in begun))]]

    def chosen_budgets(self) -> list[list[str]]:
        """A value for each budget."""
        return [
            choice(option("true", f"turn_{name} = {value};") for value in self.grid.budgets) for name in self.budgets
        ]

    def stage(self, actions: Sequence[Action]) -> list[list[str]]:
        """Every tool acts; what they know of the others is taken before any of them acts."""
        known = []
        for tool in self.tools:
            rest = [other for other in self.tools if other != tool]
            rejected = [self.names.field(other, "rejected") for other in rest]
            rebuilt = [
                f"({one} && {self.names.field(other, 'rebuilt')})" for one, other in zip(rejected, rest, strict=True)
            ]
            known.append(f"others{tool}_rejected = {' || '.join(rejected) or 'false'};")
            known.append(f"others{tool}_rebuilt = {' || '.join(rebuilt) or 'false'};")
        steps = [[d_step(*known) + ";"]]
        for tool in self.tools:
            options = [
                option(
                    f"{self.active(tool)} && {self.names.text(lifted.guard, tool)}",
                    *self.names.assigned(lifted.updates, tool),
                )
                for lifted in map(lift_action, actions)
            ]
            steps.append(choice([*options, option(f"!{self.active(tool)}"), ":: else -> goto end_stuck"]))
        return steps

    def on_all(self, updates: Mapping[str, Term]) -> str:
        """The same to every tool, in one step."""
        return d_step(
            *(
                f"if :: {self.active(tool)} -> {' '.join(self.names.assigned(updates, tool))} :: else fi;"
                for tool in self.tools
            )
        )

    # ---- arbitration ----------------------------------------------------------------------------------------------

    def arbitration(self) -> list[list[str]]:
        """The passes, with late events before those that run at render; then the judgement. Each item is one step."""
        passes = self.pruner.passes
        if not self.scenario.late:
            return [self.arbitrated(passes, self.judgement())]
        split = rendering(passes)
        late = self.stage(self.scenario.late_actions)
        return [self.arbitrated(passes[:split], []), *late, self.arbitrated(passes[split:], self.judgement())]

    def arbitrated(self, passes: Sequence[LiftedPass], last: Sequence[str]) -> list[str]:
        """These passes, and what comes last, in one step."""
        return ["d_step {", "skip;", *chain.from_iterable(map(self.run_pass, passes)), *last, "};"]

    def judgement(self) -> list[str]:
        """What is not kept until the next turn, and the property."""
        bad = judgement(self.judged)
        violated = " || ".join(f"{self.active(tool)} && {self.names.text(bad, tool)}" for tool in self.tools)
        forgotten = [f"others{tool}_{name} = false;" for tool in self.tools for name in ("rejected", "rebuilt")]
        if not self.scenario.constant_budgets:
            forgotten += [f"turn_{name} = 0;" for name in self.budgets]
        return [*forgotten, f"assert(!({violated}));"]

    def run_pass(self, item: LiftedPass) -> list[str]:
        """Rounds of visits, with the condition tested before each."""
        calls = " + ".join(self.names.field(tool, "calls_resident") for tool in self.tools)
        lines = ["going = true;", f"rounds = {ROUNDS_MAX} + {calls};", "do", ":: !going -> break", ":: else ->"]
        lines += ["assert(rounds > 0); /* else the pass never settles */", "rounds--;", "changed = false;"]
        ranked = value_of(item.order) is None and len(self.tools) > 1
        if ranked:
            lines += self.places(item)
        for slot in self.tools:
            if item.condition is not None:
                tested = f"going && {self.active(slot)} && {self.names.text(item.condition, 1)}"
                lines.append(f"if :: {tested} -> going = false; :: else fi;")
            visits = [
                f":: going && {f'place{tool} == {slot}' if ranked else self.active(tool)} -> "
                + " ".join(self.visit(item, tool))
                for tool in (self.tools if ranked else (slot,))
            ]
            lines += ["if", *visits, ":: else", "fi;"]
        lines.append("going = false;" if item.condition is None else "if :: !changed -> going = false; :: else fi;")
        return [*lines, "od;"]

    def places(self, item: LiftedPass) -> list[str]:
        """The place of each tool in this round: ascending keys, ties in declared order; 0 for one that is not there."""
        lines = [f"key{tool} = {self.names.text(item.order, tool)};" for tool in self.tools]
        for tool in self.tools:
            before = [
                f"({self.active(other)} && key{other} {'<=' if other < tool else '<'} key{tool})"
                for other in self.tools
                if other != tool
            ]
            lines.append(f"place{tool} = ({self.active(tool)} -> 1 + {' + '.join(before)} : 0);")
        return lines

    def visit(self, item: LiftedPass, tool: int) -> list[str]:
        """One visit, and whether it changed anything."""
        if not item.visit.updates:
            return ["skip;"]
        changed = f"changed = changed || {self.names.text(item.visit.changed, tool)};"
        return [changed, *self.names.assigned(item.visit.updates, tool)]

    # ---- the whole ------------------------------------------------------------------------------------------------

    def fits(self) -> list[str]:
        """A first prompt that must fit and does not is no session: back to where the choice was made."""
        if not self.scenario.starts_within_budget:
            return []
        fits = self.names.text(self.pruner.start(self.scenario), 1)
        back = "" if self.scenario.constant_budgets else " ".join(f"turn_{name} = 0;" for name in self.budgets)
        return choice([option(f"started || {fits}"), f":: else -> {back} goto again"])

    def write(self) -> Promela:
        """The program."""
        start = self.start()
        response = [
            [self.on_all(lift_open_response()) + ";"],
            *self.stage(self.scenario.response_actions),
            *self.stage(self.scenario.execution_actions),
            [self.on_all(lift_settle()) + ";"],
        ]
        budgets = [] if self.scenario.constant_budgets else self.chosen_budgets()
        fits = [self.fits()] if self.scenario.starts_within_budget else []
        environment = self.stage(self.scenario.environment_actions)
        arbitration = self.arbitration()
        flat = chain.from_iterable
        lines = [
            *self.header(),
            *self.declarations(),
            "init {",
            *("atomic {", *flat(start), "}"),
            "again:",
            "end: do",
            ":: atomic {",
            "if",
            ":: started ->",
            *flat(response),
            ":: !started -> skip",
            "fi;",
            *flat(budgets),
            *flat(fits),
            "started = true;",
            *flat(environment),
            *flat(arbitration),
            "}",
            "od;",
            "end_stuck: false /* some tool has no action that it could take */",
            "}",
        ]
        common = len(budgets) + len(fits) + len(environment) + len(arbitration) + 2
        # SPIN also counts the test of `started`, what it skips, the way round, and the state that all begins with.
        return Promela("\n".join([*lines, ""]), len(start) + common + 4, len(response) + common + 1)


def promela(pruner: LiftedPruner, scenario: Scenario, judged: Property, grid: Grid) -> Promela:
    """The sessions of `pruner` in `scenario` over `grid`, with the violation of `judged` as a failing assertion."""
    return _Writer(pruner, scenario, judged, grid).write()
