"""The claims that are installed: ours and those of others, found by the entry point group `ghostproof.claims`."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Sequence
from importlib.metadata import EntryPoint, entry_points

from ghostproof.report.printable import printable
from ghostproof.report.words import listed
from ghostproof.turn.claim import Claim
from ghostproof.turn.errors import a_kind

GROUP = "ghostproof.claims"
OURS = EntryPoint("ghostproof", "ghostproof_proofs.catalogue:CLAIMS", GROUP)


class ClaimsError(Exception):
    """The claims that were asked for cannot be had: one line that says what to do."""


def installed() -> list[Claim]:
    """Every claim in the order of its plug-in, ours first. Raises ClaimsError for a plug-in that cannot be used."""
    claims: dict[str, Claim] = {}
    origin: dict[str, str] = {}
    for point in _points():
        for claim in _loaded(point):
            if claim.name in claims:
                raise ClaimsError(
                    f"{_place(point)}: claim {printable(claim.name)} is already defined by {origin[claim.name]};"
                    " rename one, or uninstall its package"
                )
            claims[claim.name] = claim
            origin[claim.name] = _place(point)
    return list(claims.values())


def chosen(claims: Sequence[Claim], names: Sequence[str]) -> list[Claim]:
    """The claims of these names, upper or lower case, each once in the order asked for; all without names.

    Raises ClaimsError for a name that no claim has, with the nearest ones.
    """
    if not names:
        return list(claims)
    known = {claim.name.casefold(): claim for claim in claims}
    for name in names:
        if name.casefold() not in known:
            near = difflib.get_close_matches(name.casefold(), known, 3, 0.4)
            meant = [printable(known[key].name) for key in near] or [printable(claim.name) for claim in claims[:5]]
            raise ClaimsError(
                f"there is no claim {printable(name, 60)}: did you mean {listed(meant, 'or')}?"
                " `ghostproof prove --list` shows them all"
            )
    return [known[name] for name in dict.fromkeys(name.casefold() for name in names)]


def _points() -> list[EntryPoint]:
    # Two installations on the path list a plug-in twice; without any, a checkout still has its own claims.
    found = dict.fromkeys((point.name, point.value) for point in entry_points(group=GROUP))
    others = [EntryPoint(name, value, GROUP) for name, value in found if value != OURS.value]
    return [OURS, *others]


def _loaded(point: EntryPoint) -> tuple[Claim, ...]:
    module, _, attribute = point.value.partition(":")
    try:
        found: object = importlib.import_module(module.strip())
        for part in filter(None, attribute.strip().split(".")):
            found = getattr(found, part)
    # Foreign code is imported here, which may fail in any way, exits included.
    except (Exception, SystemExit) as failed:
        said = printable(f"{type(failed).__name__}: {failed}", 200)
        raise ClaimsError(f"{_place(point)} cannot be loaded ({said}); repair or uninstall its package") from failed
    if not isinstance(found, Iterable) or isinstance(found, str):
        raise ClaimsError(f"{_place(point)} is {a_kind(found)}; make it a tuple of Claim objects")
    claims = tuple(found)
    wrong = next((item for item in claims if not isinstance(item, Claim)), None)
    if wrong is not None:
        raise ClaimsError(f"{_place(point)} holds {a_kind(wrong)}; make it a tuple of Claim objects")
    return claims


def _place(point: EntryPoint) -> str:
    return f"claims plug-in {printable(point.name, 60)} ({printable(point.value, 100)})"
