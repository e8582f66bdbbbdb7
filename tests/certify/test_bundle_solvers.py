"""The verifier believes no solver alone, and takes silence for no answer."""

from __future__ import annotations

import sys
from unittest.mock import MagicMock, patch

import pytest

from ghostproof.verifier import verify

TRUE = verify.script({"a": "Bool"}, True)
FALSE = verify.script({"a": "Bool"}, ("and", "a", ("not", "a")))


def cvc5_that_says(*, unsatisfiable: bool, unknown: bool = False) -> MagicMock:
    fake = MagicMock()
    fake.InputParser.return_value.nextCommand.return_value.isNull.return_value = True
    answer = fake.Solver.return_value.checkSat.return_value
    answer.isUnsat.return_value = unsatisfiable
    answer.isUnknown.return_value = unknown
    return fake


def ended(text: str) -> tuple[int, str]:
    with pytest.raises(verify.Ended) as caught:
        verify.refute(text, "it holds")
    code, reason = caught.value.args
    return code, reason


def test_both_solvers_refute_what_is_false() -> None:
    verify.refute(FALSE, "it holds")
    assert ended(TRUE) == (1, "it holds")


def test_z3_alone_is_not_believed() -> None:
    with patch.object(verify, "model_of", return_value=None):
        assert ended(TRUE) == (1, "it holds")


def test_cvc5_alone_is_not_believed() -> None:
    with patch.dict(sys.modules, {"cvc5": cvc5_that_says(unsatisfiable=True)}):
        assert ended(TRUE) == (1, "it holds")


def test_a_silent_cvc5_is_no_answer() -> None:
    with patch.dict(sys.modules, {"cvc5": cvc5_that_says(unsatisfiable=False, unknown=True)}):
        assert ended(FALSE)[0] == 3


def test_a_silent_z3_is_no_answer() -> None:
    fake = MagicMock()
    fake.SimpleSolver.return_value.check.return_value = fake.unknown
    with patch.dict(sys.modules, {"z3": fake}):
        assert ended(FALSE)[0] == 3


def test_a_script_that_cvc5_cannot_read_is_no_proof() -> None:
    """z3 is lenient with sorts; what cvc5 raises ends as a rejection like everything else."""
    with patch.object(verify, "model_of", return_value=None), pytest.raises(RuntimeError, match="arithmetic"):
        verify.refute(verify.script({"a": "Bool"}, ("+", "a", 1)), "it holds")
