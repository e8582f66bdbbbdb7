"""The whole catalogue of claims against raw z3 on the scripts that settling it asks.

    python benchmarks/claims.py [--keep DIR] [CLAIM...]

First every claim is settled once while each solver writes what it is told into a script of its own. Then
`ghostproof prove` runs as always, in processes side by side, with witnesses, replays, cvc5 and enumeration; and one
Python process that knows z3 alone runs all scripts one after another, with the same limits and seeds. Printed are the
ratio of wall-clock times, and that of processor times, on which other work of the machine has less influence.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import z3

ROOT = Path(__file__).resolve().parent.parent
AIM = 4.0
CHECK, ASSUMING, PUSH, POP, QUERY = "(check-sat)", "(check-sat-assuming (", "(push 1)", "(pop 1)", "(query violated)"


# ---- recording ----------------------------------------------------------------------------------------------------


class Script:
    """The text of one solver, written as it grows. Its first line has the options, as data in a comment."""

    folder: Path
    count = 0

    def __init__(self, kind: str, fresh: bool) -> None:
        Script.count += 1
        self.path = Script.folder / f"{Script.count:06}.{kind}"
        self.options: dict[str, Any] = {}
        self.fresh = fresh
        self.lines: list[str] = []

    def write(self, answer: object) -> None:
        """Note an answer, and put all that led to it on file."""
        self.lines.append(f"; {answer}")
        first = "; " + json.dumps({"fresh": self.fresh, "options": self.options})
        self.path.write_text("\n".join([first, *self.lines, ""]))


class Recorded:
    """A solver that writes down what it is told."""

    def __init__(self, solver: Any, fresh: bool) -> None:
        self._solver, self._script = solver, Script("smt2", fresh)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solver, name)

    def set(self, name: str, value: Any) -> None:
        self._script.options[name] = value
        self._solver.set(name, value)

    def from_string(self, text: str) -> None:
        self._script.lines.append(text)
        self._solver.from_string(text)

    def push(self) -> None:
        self._script.lines.append(PUSH)
        self._solver.push()

    def pop(self) -> None:
        self._script.lines.append(POP)
        self._solver.pop()

    def check(self, *assumed: Any) -> Any:
        names = " ".join(term.sexpr() for term in assumed)
        self._script.lines.append(f"{ASSUMING}{names}))" if assumed else CHECK)
        answer = self._solver.check(*assumed)
        self._script.write(answer)
        return answer


class RecordedRules:
    """A fixedpoint engine that writes down what it is told."""

    def __init__(self, engine: Any) -> None:
        self._engine, self._script = engine, Script("rules", True)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def set(self, **options: Any) -> None:
        self._script.options.update(options)
        self._engine.set(**options)

    def parse_string(self, text: str) -> Any:
        self._script.lines.append(text)
        return self._engine.parse_string(text)

    def query(self, asked: Any) -> Any:
        answer: object = "unknown"
        try:
            answer = self._engine.query(asked)
            return answer
        finally:  # it raises when it runs into a limit
            self._script.write(answer)


def record(folder: Path, names: Sequence[str]) -> None:
    """Settle the claims here, and leave every solver's script in `folder`."""
    Script.folder = folder
    solver, rules = z3.SimpleSolver, z3.Fixedpoint
    z3.SimpleSolver = lambda ctx=None: Recorded(solver(ctx=ctx), ctx is not None)
    z3.Fixedpoint = lambda ctx=None: RecordedRules(rules(ctx=ctx))
    from ghostproof.claims import chosen, installed
    from ghostproof.engines.problem import Bounds
    from ghostproof.settle import settle

    for claim in chosen(installed(), names):
        if not settle(claim, Bounds()).met:
            raise SystemExit(f"{claim.name} is not settled as expected")


# ---- raw z3 -------------------------------------------------------------------------------------------------------


def run_raw(folder: Path) -> int:
    """Run every script by z3 alone; the number of answers that are the opposite of those recorded."""
    wrong = 0
    for path in sorted(folder.iterdir()):
        first, *lines = path.read_text().splitlines()
        given = json.loads(first.removeprefix("; "))
        said = run_rules(lines, given) if path.suffix == ".rules" else run_script(lines, given)
        recorded = [line.removeprefix("; ") for line in lines if line in ("; sat", "; unsat", "; unknown")]
        wrong += sum({one, other} == {"sat", "unsat"} for one, other in zip(said, recorded, strict=True))
    return wrong


def run_rules(lines: Sequence[str], given: dict[str, Any]) -> list[str]:
    """The answer of Spacer."""
    engine = z3.Fixedpoint(ctx=z3.Context())
    engine.set(**given["options"])
    try:
        (query,) = engine.parse_string("\n".join(lines))
        return [str(engine.query(query))]
    except z3.Z3Exception:
        return ["unknown"]


def run_script(lines: Sequence[str], given: dict[str, Any]) -> list[str]:
    """The answers of a solver."""
    solver = z3.SimpleSolver(ctx=z3.Context() if given["fresh"] else None)
    for name, value in given["options"].items():
        solver.set(name, value)
    said, waiting = [], []
    for line in lines:
        if line not in (CHECK, PUSH, POP) and not line.startswith(ASSUMING):
            waiting.append(line)
            continue
        solver.from_string("\n".join(waiting))
        waiting = []
        if line == PUSH:
            solver.push()
        elif line == POP:
            solver.pop()
        else:
            names = line.removeprefix(ASSUMING).removesuffix("))").split() if line != CHECK else []
            said.append(str(solver.check(*(z3.Bool(name.strip("|")) for name in names))))
    return said


# ---- comparison ---------------------------------------------------------------------------------------------------


def spent(*command: str) -> tuple[float, float]:
    """Wall-clock and processor seconds of a command and its children. Raises SystemExit when it fails."""
    path = os.pathsep.join(str(ROOT / root) for root in ("model", "proofs", "reference_impl"))
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {(done.stderr or done.stdout)[-500:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description="All claims, re-checks included, against raw z3 on their scripts.")
    parser.add_argument("claims", metavar="CLAIM", nargs="*")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the scripts in this new folder")
    parser.add_argument("--record", type=Path, metavar="DIR", help=argparse.SUPPRESS)
    parser.add_argument("--raw", type=Path, metavar="DIR", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.record:
        record(options.record, options.claims)
        return 0
    if options.raw:
        return min(run_raw(options.raw), 1)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary) / "scripts"
        folder.mkdir()
        here = (sys.executable, str(Path(__file__)))
        spent(*here, "--record", str(folder), *options.claims)
        ours = spent(sys.executable, "-m", "ghostproof", "prove", *options.claims)
        raw = spent(*here, "--raw", str(folder))
        count = sum(1 for _ in folder.iterdir())
    wall, processor = (a / b for a, b in zip(ours, raw, strict=True))
    reached = "reached" if wall <= AIM else "not reached"
    print(f"{count} scripts: ratio {wall:.2f} (aim {AIM:g}: {reached}), {processor:.2f} by processor time")
    print(f"ours {ours[0]:.1f} s ({ours[1]:.1f} s of processors), raw z3 {raw[0]:.1f} s ({raw[1]:.1f} s)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
