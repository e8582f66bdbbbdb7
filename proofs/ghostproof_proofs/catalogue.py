"""The claims of the theory, in the order in which they build on each other."""

from __future__ import annotations

from ghostproof.turn.claim import Claim
from ghostproof_proofs.t1_argument_first import T1
from ghostproof_proofs.t2_schema_first import T2
from ghostproof_proofs.t3_matrix import T3
from ghostproof_proofs.t4_shield import T4
from ghostproof_proofs.t5_gate_parts import T5
from ghostproof_proofs.t6_cascade import T6
from ghostproof_proofs.t7_free_pruning import T7
from ghostproof_proofs.t8_conditions import T8
from ghostproof_proofs.t9_incident import T9
from ghostproof_proofs.t10_cost import T10
from ghostproof_proofs.t11_expansion import T11
from ghostproof_proofs.t12_signal import T12
from ghostproof_proofs.t13_order import T13
from ghostproof_proofs.t14_late import T14
from ghostproof_proofs.t15_projection import T15
from ghostproof_proofs.t16_listing import T16
from ghostproof_proofs.t17_history import T17

CLAIMS: tuple[Claim, ...] = (T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17)
