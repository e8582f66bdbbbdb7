"""Speed as ratios: whole processes, side by side in one run, medians of several.

    python benchmarks/run.py [--runs 5] [--baseline ../shared/baseline/bfs.py]

Each row runs our command and its yardstick in turn, child processes and re-checks included. The baseline is a frozen
plain-Python breadth-first search that comes with the project's shared material; without it those rows are reported as
not measured, and the exit code is 3.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GHOSTPROOF = (sys.executable, "-m", "ghostproof")
MODEL = "ghostproof.variants.arbitration"


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison: our command, the yardstick, the exit code we must see, and the ratio aimed for."""

    name: str
    ours: tuple[str, ...]
    exit_code: int
    yardstick: tuple[str, ...]
    aim: float


def environment() -> dict[str, str]:
    """This environment with the checkout importable, and compiled modules kept as an installed program has them."""
    path = os.pathsep.join(str(ROOT / root) for root in ("model", "proofs", "reference_impl"))
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": path}


def seconds(command: Sequence[str], exit_code: int) -> float:
    """Wall-clock seconds of one run. Raises SystemExit when it ends otherwise than expected."""
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    spent = time.perf_counter() - started
    if done.returncode != exit_code:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}, not {exit_code}: {done.stderr[:300]}")
    return spent


def rows(baseline: Path) -> list[Row]:
    """What is compared."""
    check = (*GHOSTPROOF, "check")
    return [
        Row(
            "check of argument-first, proved for any N, against bfs A 4",
            (*check, f"{MODEL}:argument_first"),
            0,
            (sys.executable, str(baseline), "A", "4"),
            1.0,
        ),
        Row(
            "refutation of schema-first, exact budgets, against bfs B 4",
            (*check, f"{MODEL}:schema_first", "--scenario", "ordinary"),
            1,
            (sys.executable, str(baseline), "B", "4"),
            1.0,
        ),
        Row("--help against python -c pass", (*GHOSTPROOF, "--help"), 0, (sys.executable, "-c", "pass"), 6.0),
    ]


def solver_seconds(row: Row) -> float | None:
    """Solver time of one more run, as the command itself reports it; None for a command that solves nothing."""
    if "check" not in row.ours:
        return None
    done = subprocess.run(
        [*row.ours, "--format", "json"], capture_output=True, text=True, env=environment(), check=False
    )
    reported = json.loads(done.stdout).get("solver_seconds")
    return None if reported is None else float(reported)


def measure(row: Row, runs: int) -> tuple[float, float, float]:
    """Median seconds of ours and of the yardstick, and the median of the ratios run by run, after one warm-up."""
    pairs = []
    for count in range(runs + 1):
        pair = (seconds(row.ours, row.exit_code), seconds(row.yardstick, 0))
        if count:
            pairs.append(pair)
    ours, theirs = zip(*pairs, strict=True)
    return statistics.median(ours), statistics.median(theirs), statistics.median(a / b for a, b in pairs)


def main() -> int:
    """Print one line a row; 3 when some row could not be measured."""
    parser = argparse.ArgumentParser(description="Speed as ratios against frozen yardsticks.")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--baseline", type=Path, default=ROOT.parent / "shared" / "baseline" / "bfs.py")
    options = parser.parse_args()
    skipped = 0
    for row in rows(options.baseline):
        if str(options.baseline) in row.yardstick and not options.baseline.exists():
            print(f"{row.name}: NOT MEASURED, there is no {options.baseline}; name it with --baseline")
            skipped += 1
            continue
        ours, theirs, ratio = measure(row, options.runs)
        inside = solver_seconds(row)
        solver = "" if inside is None else f", of ours {inside:.3f} s in solvers"
        reached = "reached" if ratio <= row.aim else "not reached"
        print(f"{row.name}: ratio {ratio:.2f} (aim {row.aim:g}: {reached}); {ours:.3f} s and {theirs:.3f} s{solver}")
    return 3 if skipped else 0


if __name__ == "__main__":
    raise SystemExit(main())
