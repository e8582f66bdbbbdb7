"""`make exhaustive`: every transition of two tools in the first turns, by the model and by the reference.

    python -m differential [--turns N] [--jobs 2] [WORD ...]

With words, only the parts whose name contains one of them; `--turns` ends every part after so many turns. Exit code 1
where model and reference disagree or fewer transitions than known were compared, 130 where it was interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

from differential.parts import PARTS, Part, Progress, Walked, walked
from ghostproof import output
from ghostproof.interrupt import INTERRUPTED
from ghostproof.report.words import count

Show = Callable[[int], None]


@contextmanager
def bar(name: str, expected: int) -> Iterator[Show]:
    """A bar on a terminal that shows how many transitions were compared; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda compared: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from ghostproof.report.terminal import console

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=console("stderr"), transient=True) as shown:
        task = shown.add_task(name, total=expected)
        yield lambda compared: shown.update(task, completed=compared)


def compare(part: Part, turns: int, jobs: int) -> tuple[list[Walked], bool]:
    """The settings that were finished, up to the first that disagrees; and whether we were interrupted."""
    progress, found = Progress(), list[Walked]()
    try:
        with (
            bar(part.name, sum(part.expected[:turns])) as show,
            closing(walked(part.settings, turns, jobs, progress)) as settings,
        ):
            for one in settings:
                show(progress.compared.value)
                if one is not None:
                    found.append(one)
                    if one.said:
                        break
    except KeyboardInterrupt:
        return found, True
    return found, False


def summary(part: Part, turns: int, found: Sequence[Walked]) -> tuple[str, bool]:
    """One line about a part, and whether all of it was compared and agrees."""
    compared = sum((one.compared for one in found), Counter[int]())
    by_turn = [compared[turn] for turn in range(1, turns + 1)]
    expected = part.expected[:turns]
    agrees = not any(one.said for one in found)
    line = (
        f"{part.name}: {len(found)} of {len(part.settings)} settings, {sum(by_turn):,} transitions"
        f" in {count(turns, 'turn')}"
        f" ({' + '.join(f'{number:,}' for number in by_turn)}){' agree' if agrees else ''}; expected {sum(expected):,}"
    )
    return line, agrees and all(number >= known for number, known in zip(by_turn, expected, strict=True))


def main(arguments: Sequence[str], parts: Sequence[Part] = PARTS) -> int:
    """Compare, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m differential", description="Compare every transition.")
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--turns", type=int, choices=(1, 2, 3, 4), default=4)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error("--jobs must be at least 1")
    chosen = [part for part in parts if not options.words or any(word in part.name for word in options.words)]
    if not chosen:
        parser.error(f"no part of that name; there are: {', '.join(part.name for part in parts)}")
    whole = True
    for part in chosen:
        turns = min(options.turns, len(part.expected))
        found, interrupted = compare(part, turns, options.jobs)
        line, agrees = summary(part, turns, found)
        output.write([f"DISAGREEMENT in {one.setting}, {one.said}" for one in found if one.said])
        output.write([line if agrees else f"{'INTERRUPTED' if interrupted else 'FAILED'}: {line}"])
        if interrupted:
            return INTERRUPTED
        whole &= agrees
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
