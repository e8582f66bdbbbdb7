"""Explains a verdict about a pruner model: why it is safe, or what would mend it and at which budgets it fails."""

from __future__ import annotations

from ghostproof.engines.problem import Bounds
from ghostproof.examine import Note, quiet
from ghostproof.explain.core import Unsettled
from ghostproof.explain.mend import mended
from ghostproof.explain.safe import why_safe
from ghostproof.explain.thresholds import thresholds
from ghostproof.host.host import Host
from ghostproof.turn.explanation import Explanation, WhyUnsafe
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Proved, Refuted, Verdict


def explain(
    verdict: Verdict, host: Host, scenario: Scenario, judged: Property, bounds: Bounds, note: Note = quiet
) -> Explanation | None:
    """The explanation of a proof or of a refutation by a session; None for any other verdict, which has none.

    Raises PrunerError when a foreign pruner misbehaves, InternalError when an answer of ours does not hold up.
    """
    if isinstance(verdict, Proved):
        return why_safe(host.lifted, scenario, judged, bounds, note)
    if not isinstance(verdict, Refuted) or not isinstance(verdict.trace, Trace):
        return None
    mend = mended(host.lifted, scenario, judged, bounds, note)
    try:
        return WhyUnsafe(mend, thresholds(host, scenario, judged, verdict.trace, bounds, note))
    except Unsettled as reason:
        return WhyUnsafe(mend, (), str(reason))
