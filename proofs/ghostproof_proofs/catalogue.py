"""The claims of the theory, in the order in which they build on each other."""

from __future__ import annotations

from ghostproof.turn.claim import Claim
from ghostproof_proofs.t1_argument_first import T1
from ghostproof_proofs.t2_schema_first import T2
from ghostproof_proofs.t4_shield import T4

CLAIMS: tuple[Claim, ...] = (T1, T2, T4)
