"""`ghostproof export`: a pruner model as other checkers read it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ghostproof import output
from ghostproof.checking import Asked
from ghostproof.interrupt import interruptible
from ghostproof.report import verdict_words
from ghostproof.report.printable import printable
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.property import PROPERTIES
from ghostproof.turn.scenario import SCENARIOS
from ghostproof.turn.verdict import exit_code


@dataclass(frozen=True, slots=True)
class Small:
    """Token sizes and budgets of a finite system; none stands for those that explicit search has by itself."""

    sizes: tuple[int, ...] = ()
    budgets: tuple[int, ...] = ()


def export(asked: Asked, form: str, small: Small, path: str | None) -> int:
    """Write the pruner as `form`, to `path` or standard output, and return the exit code."""
    try:
        with output.progress() as say, interruptible():
            say("lifting")
            text, advice = _written(asked, form, small)
    except PrunerError as refused:
        output.complain([f"ghostproof: invalid pruner: {verdict_words.invalid(refused.verdict)}"])
        return exit_code(refused.verdict)
    if path is None:
        output.write(text.splitlines())
        output.complain(advice)
    else:
        output.save(text, path)
        output.write([f"written to {printable(path)}", *advice])
    return 0


def _written(asked: Asked, form: str, small: Small) -> tuple[str, list[str]]:
    """The text, and how it is used."""
    from ghostproof.export.chc import chc
    from ghostproof.export.promela import promela
    from ghostproof.host.foreign import ForeignHost
    from ghostproof.turn.explore import Grid

    scenario = SCENARIOS[asked.scenario]
    judged = PROPERTIES[asked.property_name]
    with ForeignHost(asked.target, seconds=asked.deadline, megabytes=asked.memory) as host:
        lifted = host.lifted
    if form == "chc":
        return chc(lifted, scenario, judged), ["to solve: z3 FILE; sat is proved, unsat refutes the abstraction"]
    grid = replace(Grid(), tools=asked.tools)
    grid = replace(grid, sizes=small.sizes or grid.sizes, budgets=small.budgets or grid.budgets)
    made = promela(lifted, scenario, judged, grid)
    depth = made.depth(asked.turns)
    return made.text, [
        "to run: spin -a -o2 FILE && gcc -O2 -DSAFETY -DREACH -DNOREDUCE -o pan pan.c",
        f"up to {asked.turns} requests: ./pan -m{depth}",
    ]
