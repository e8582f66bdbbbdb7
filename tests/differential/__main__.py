"""`make exhaustive`: every transition of two tools in the first turns, by the model and by the reference.

    python -m differential [--turns 2]

All 64 combinations of sizes 1 and 2, budgets 0 to 6. Exit code 1 where they disagree or fewer transitions than known
were compared.
"""

from __future__ import annotations

import argparse
import sys
from typing import TextIO

from differential.compared import disagreement
from differential.transitions import EVERY_SIZE, Walk

EXPECTED = {1: 7_168, 2: 291_928}
"""How many transitions there are, by turns, where that was counted."""


def say(line: str, where: TextIO = sys.stdout) -> None:
    """One line, at once: the whole takes minutes."""
    where.write(f"{line}\n")
    where.flush()


def main() -> int:
    """Compare, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m differential", description="Compare every transition.")
    parser.add_argument("--turns", type=int, choices=(1, 2, 3, 4), default=2)
    turns = parser.parse_args().turns
    compared = 0
    for number, sizes in enumerate(EVERY_SIZE, start=1):
        for case in Walk(sizes, turns).cases():
            compared += 1
            if said := disagreement(case):
                say(f"DISAGREEMENT after {compared} transitions: {said}\n{case}")
                return 1
        say(f"{number} of {len(EVERY_SIZE)} sizes: {compared} transitions agree", sys.stderr)
    known = EXPECTED.get(turns)
    say(f"{compared} transitions in {turns} turns agree; expected {'unknown' if known is None else known}")
    return int(known is not None and compared < known)


if __name__ == "__main__":
    raise SystemExit(main())
