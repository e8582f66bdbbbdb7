"""What the user says in each turn, and when the schema migrates."""

from __future__ import annotations

from ghostproof_reference.incident.model import Wish

_REPORT = (
    "For the record, from support, nothing to do yet: at 14:02 two customers could not pay by card, at "
    "14:05 a third one saw the spinner for a minute and was charged twice, at 14:11 the mobile app showed"
    " an empty basket, and at 14:15 the first shops asked whether they should switch to the fallback. At "
    "14:20 the queue of support had 61 calls, most from two regions; at 14:26 a partner saw orders "
    "without payments and stopped its own import. All of them were told that we know, that no order is "
    "lost, and that whoever was charged twice gets the money back within a day."
)
"""What the user pastes in turn 7. It takes the room that schemas had."""

SCRIPT: tuple[tuple[str, tuple[Wish, ...]], ...] = (
    (
        "Checkout is getting slow. Open an incident for it, SEV-3.",
        (Wish("create_incident", {"title": "Checkout latency", "severity": "SEV-3", "service": "checkout"}),),
    ),
    (
        "Raise INC-1 to SEV-2, assign it to u-117 and notify the channel.",
        (
            Wish(
                "update_incident",
                {"incident_id": "INC-1", "severity": "SEV-2", "assignee_id": "u-117", "notify": True},
            ),
        ),
    ),
    (
        "What do alerts, metrics and logs of checkout say?",
        (
            Wish("list_alerts", {"service": "checkout", "since_minutes": 60}),
            Wish("query_metrics", {"query": "p99(checkout)", "minutes": 60}),
            Wish("search_logs", {"service": "checkout", "text": "timeout", "limit": 200}),
        ),
    ),
    (
        "Was anything deployed, who is on call, and what does the runbook say?",
        (
            Wish("list_deployments", {"service": "checkout", "limit": 5}),
            Wish("get_on_call", {"service": "checkout"}),
            Wish("get_runbook", {"service": "checkout"}),
        ),
    ),
    (
        "Search is slow as well: open an incident for that too, SEV-3.",
        (Wish("create_incident", {"title": "Search latency", "severity": "SEV-3", "service": "search"}),),
    ),
    (
        "Roll back dep-88, and say on the status page that checkout is slow.",
        (
            Wish("roll_back_deployment", {"deployment_id": "dep-88", "reason": "pool of 'orders' too small"}),
            Wish(
                "post_status_update",
                {"component": "checkout", "state": "degraded", "message": "Checkout is slow; we are rolling back."},
            ),
        ),
    ),
    (_REPORT, ()),
    ("They are calling again.", ()),
    (
        "Bump the incident to SEV-1 and re-notify.",
        (Wish("update_incident", {"severity": "SEV-1"}),),
    ),
)
"""Each turn's sentence, and what a model understands by it."""

MIGRATION_TURN = 8
"""Before this turn the executor's schema of `update_incident` changes."""
