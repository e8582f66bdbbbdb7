"""HTML that is safe by construction: whatever is not marked as markup is text, and text is escaped."""

from __future__ import annotations

from html import escape

from ghostproof.report.printable import printable

TEXT_MAX = 2000
"""Characters of one piece of text that a page shows."""


class Markup(str):
    """A string that is HTML already. Only `element` and `join` make one."""

    __slots__ = ()


def element(name: str, /, *content: object, **attributes: object) -> Markup:
    """`<name ...>content</name>`; `class_` and `aria_label` become `class` and `aria-label`.

    An attribute that is None or False is left out, one that is True stands alone. Element and attribute names are the
    caller's own words, never foreign text.
    """
    written = "".join(_attribute(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    return Markup(f"<{name}{written}>{join(*content)}</{name}>")


def join(*content: object) -> Markup:
    """The pieces after each other, those that are no markup as text."""
    return Markup("".join(piece if isinstance(piece, Markup) else _text(piece) for piece in content))


def _text(piece: object) -> str:
    return escape(printable(str(piece), TEXT_MAX), quote=True)


def _attribute(name: str, value: object) -> str:
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{_text(value)}"'
