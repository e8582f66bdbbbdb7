"""The table of styles. The first that recognises a target takes it; a new style is one file and one line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ghostproof.drive.styles import function, session
from ghostproof.drive.styles.style import Style

STYLES: tuple[Callable[[Any], Style | None], ...] = (session.recognise, function.recognise)
