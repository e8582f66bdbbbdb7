"""Programs that hang, flood, crash, print junk or answer out of order: one line each, and the rest is still asked."""

from __future__ import annotations

import pytest

from conformance.programs.trial import VECTORS, python, trial
from ghostproof.conformance.harness import Control, check_controls, run
from ghostproof.conformance.program import Fault, MissingProgramError, Program
from ghostproof.conformance.suite import Vector

REQUIRED = [vector for vector in VECTORS if vector.required]
FEW = [*[vector for vector in REQUIRED if vector.kind == "judge"][:6], *REQUIRED[:6]]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("hang", "gave no answer within 0.3 s: --deadline allows it more"),
        ("flood", "floods: more than 1000000 bytes without the end of a line"),
        ("junk", r"printed junk: '\x1b[2Jnot json' is not JSON"),
        ("number", "printed 17, which is no JSON object"),
        ("crash", "ended before it answered (exit status 3); its standard error ends with: Traceback: out of luck"),
        ("abort", "ended before it answered (killed by SIGABRT)"),
        ("silent skip", "skips without a reason"),
        ("skip", "skipped by the program: not today; a required case cannot be skipped"),
    ],
)
def test_each_fault_is_told(how: str, said: str) -> None:
    done = trial(python("odd.py", how), FEW, seconds=0.3 if how == "hang" else 10.0)
    assert [result.status for result in done.results] == ["failed"] * len(FEW)
    assert done.results[0].said.replace("\\\\", "\\") == said


def test_an_answer_out_of_order_is_told() -> None:
    done = trial(python("odd.py", "late order"), FEW)
    assert done.results[0].status == "passed"
    assert done.results[1].said.startswith("answers out of order: expected the id")


def test_two_answers_to_one_case_count_against_the_next_or_the_last() -> None:
    done = trial(python("odd.py", "twice"), FEW)
    assert done.results[1].said.startswith("printed more than one line for a message")
    alone = [vector for vector in FEW if vector.kind == "judge"]
    last = trial(python("odd.py", "twice"), alone).results[-1]
    assert last.status == "failed"


def test_after_a_hang_the_program_is_started_anew() -> None:
    done = trial(python("odd.py", "hang at the third"), FEW, seconds=1.0)
    failed = [number for number, result in enumerate(done.results) if result.status == "failed"]
    assert failed == [2, 5, 8, 11]
    assert r"its standard error ends with: stuck \x1b[2J here" in done.results[2].said


def test_starts_are_limited() -> None:
    many = REQUIRED[:30]
    done = trial(python("odd.py", "crash"), many)
    assert "was started 20 times and is not started again" in done.results[-1].said
    assert all(result.status == "failed" for result in done.results)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("protocol", 'handshake: speaks protocol 9: answer hello with "protocol": 1, see docs'),
        ("capability", "claims the unknown capability 'magic'"),
    ],
)
def test_a_wrong_handshake_ends_the_run(how: str, said: str) -> None:
    with pytest.raises(Fault, match=said):
        trial(python("odd.py", how), FEW)


def test_what_is_not_claimed_is_skipped_with_the_reason() -> None:
    optional = [vector for vector in VECTORS if not vector.required][:20]
    done = trial(python("odd.py", "none"), [*FEW, *optional])
    skipped = [result for result in done.results if result.status == "skipped"]
    assert len(skipped) == len(optional)
    assert all(result.said.startswith("the program does not claim ") for result in skipped)
    assert done.passed
    assert "odd \\x1b[31m" in done.program


def test_a_missing_program_is_told() -> None:
    with pytest.raises(MissingProgramError, match="cannot be run: No such file"):
        run(lambda: Program(["/nowhere/at/all"], seconds=1.0, megabytes=64), FEW)


def one_sided(wanted: bool) -> list[Vector]:
    """Requests that have only ghosts, or none."""
    judged = [vector for vector in VECTORS if vector.kind == "judge"]
    if not wanted:
        return [vector for vector in judged if not vector.expected["ghosts"]]
    names = {vector.id: [tool["name"] for tool in vector.case["tools"]] for vector in judged}
    return [vector for vector in judged if vector.expected["mutation_ghosts"] == names[vector.id]]


@pytest.mark.parametrize(("wanted", "never_looks"), [(False, "always safe"), (True, "always ghost")])
def test_vectors_of_one_side_are_refused(wanted: bool, never_looks: str) -> None:
    vectors = one_sided(wanted)
    assert vectors
    with pytest.raises(Control, match=never_looks):
        check_controls(vectors)


def test_the_whole_suite_tells_both_sides_apart() -> None:
    check_controls(VECTORS)
    check_controls(REQUIRED)


def test_memory_is_limited() -> None:
    grow = "import sys\nsys.stdin.readline()\nheld = bytearray(1 << 30)\n"
    command = [python("right.py")[0], "-c", grow]
    with pytest.raises(Fault, match="MemoryError"):
        run(lambda: Program(command, seconds=10.0, megabytes=128), FEW)
