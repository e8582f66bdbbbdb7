"""The table of formats: one reader a file, each turning a payload into the one view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ghostproof.wire import openai_chat
from ghostproof.wire.request import Request, Schema

Reader = Callable[[Mapping[str, Any], Mapping[str, Schema] | None], Request]

FORMATS: dict[str, Reader] = {
    openai_chat.NAME: openai_chat.read,
}
