"""OpenAI chat completions: `messages`, `tools[].function`, legacy `functions`, arguments as a JSON string.

Also what Groq, Mistral, DeepSeek, OpenRouter and others take under the same name. A request without a `tools` field
declares none: the format keeps nothing on the server.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ghostproof.wire.embedded import schemas
from ghostproof.wire.request import (
    BEFORE,
    ArgumentState,
    Call,
    Declared,
    Item,
    MalformedRequestError,
    Request,
    Result,
    Schema,
    SchemaState,
    Text,
)
from ghostproof.wire.schema import lossy

NAME = "openai-chat"


def read(payload: Mapping[str, Any], known: Mapping[str, Schema] | None = None) -> Request:
    """The view of a request body. `known` are whole schemas by tool, against which shown ones are compared.

    Raises MalformedRequestError, which names the item, if the payload is not of this format.
    """
    if not isinstance(payload, Mapping):
        raise MalformedRequestError("request", f"a {_kind(payload)} where an object was expected")
    items: list[Item] = []
    for position, message in enumerate(_list(payload, "messages", "request", required=True)):
        items += _message(position, f"messages[{position}]", message)
    used: dict[str, set[str]] = {}
    for item in items:
        if isinstance(item, Call):
            used.setdefault(item.tool, set()).update(item.names)
    shown: list[Declared] = []
    for tool, schema, state, where, description in _declarations(payload):
        loss = lossy(schema, (known or {}).get(tool), frozenset(used.get(tool, ())))
        shown.append(Declared(tool, state, schema, loss and state is SchemaState.RESIDENT, where))
        if description:
            items.append(Text(BEFORE, f"{where}.description", "tools", description, about=tool))
    for item in items:
        if isinstance(item, Text | Result) and item.position != BEFORE:
            for tool, schema in schemas(item.text):
                loss = lossy(schema, (known or {}).get(tool), frozenset(used.get(tool, ())))
                shown.append(Declared(tool, SchemaState.RESIDENT, schema, loss, item.where, item.position))
    return Request(NAME, tuple(shown), tuple(items))


def _declarations(
    payload: Mapping[str, Any],
) -> Iterator[tuple[str, Schema | None, SchemaState, str, str]]:
    """Tool, schema, state, place and description of each entry of `tools` and of the legacy `functions`."""
    for index, entry in enumerate(_list(payload, "tools", "request")):
        where = f"tools[{index}]"
        if not isinstance(entry, Mapping):
            raise MalformedRequestError(where, f"a {_kind(entry)} where a tool was expected")
        kind = entry.get("type", "function")
        body = entry.get(kind)
        if kind in ("function", "custom") and not isinstance(body, Mapping):
            raise MalformedRequestError(where, f"no `{kind}` object in it")
        if not isinstance(body, Mapping):
            # A tool that the provider runs and describes to the model by itself; its schema is not ours to see.
            yield _text(entry, "type", where), None, SchemaState.UNKNOWN, where, ""
            continue
        deferred = bool(entry.get("defer_loading") or body.get("defer_loading"))
        state = SchemaState.WITHHELD if deferred else SchemaState.RESIDENT
        schema = None if kind == "custom" else _schema(body, where)
        yield _text(body, "name", where), schema, state, where, _text(body, "description", where, required=False)
    for index, entry in enumerate(_list(payload, "functions", "request")):
        where = f"functions[{index}]"
        if not isinstance(entry, Mapping):
            raise MalformedRequestError(where, f"a {_kind(entry)} where a function was expected")
        described = _text(entry, "description", where, required=False)
        yield _text(entry, "name", where), _schema(entry, where), SchemaState.RESIDENT, where, described


def _message(position: int, where: str, message: object) -> Iterator[Item]:
    if not isinstance(message, Mapping):
        raise MalformedRequestError(where, f"a {_kind(message)} where a message was expected")
    role = _text(message, "role", where)
    text = _content(message.get("content"), where)
    if role in ("tool", "function"):
        identity = message.get("tool_call_id") if role == "tool" else None
        tool = message.get("name")
        yield Result(position, where, _optional(identity), _optional(tool), text)
        return
    if text:
        yield Text(position, where, role, text)
    for index, call in enumerate(_list(message, "tool_calls", where)):
        yield _call(position, f"{where}.tool_calls[{index}]", call)
    if message.get("function_call") is not None:
        yield _call(position, f"{where}.function_call", {"function": message["function_call"]})


def _call(position: int, where: str, call: object) -> Call:
    if not isinstance(call, Mapping):
        raise MalformedRequestError(where, f"a {_kind(call)} where a call was expected")
    custom = call.get("custom")
    body = custom if isinstance(custom, Mapping) else call.get("function")
    if not isinstance(body, Mapping):
        raise MalformedRequestError(where, "neither a `function` nor a `custom` object in it")
    given = body.get("input" if body is custom else "arguments")
    # A few servers and libraries write the object itself; what the model sees is the same.
    text = given if isinstance(given, str) else "" if given is None else json.dumps(given, ensure_ascii=False)
    state, names = _arguments(text, free=body is custom)
    return Call(position, where, _text(body, "name", where), _optional(call.get("id")), state, text, names)


def _arguments(text: str, free: bool) -> tuple[ArgumentState, frozenset[str]]:
    if not text.strip():
        return ArgumentState.EMPTIED, frozenset()
    if free:
        return ArgumentState.FULL, frozenset()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ArgumentState.TRUNCATED, frozenset()
    if not value:
        return ArgumentState.EMPTIED, frozenset()
    return ArgumentState.FULL, frozenset(map(str, value)) if isinstance(value, dict) else frozenset()


def _content(content: object, where: str) -> str:
    """The readable text of a message; images, audio and files carry none."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, Sequence):
        raise MalformedRequestError(
            f"{where}.content", f"a {_kind(content)} where text or a list of parts was expected"
        )
    texts: list[str] = []
    for index, part in enumerate(content):
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, Mapping):
            raise MalformedRequestError(f"{where}.content[{index}]", f"a {_kind(part)} where a part was expected")
        elif isinstance(text := part.get("text", part.get("refusal")), str):
            texts.append(text)
    return "\n".join(texts)


def _schema(body: Mapping[str, Any], where: str) -> Schema | None:
    schema = body.get("parameters")
    if schema is not None and not isinstance(schema, Mapping):
        raise MalformedRequestError(f"{where}.parameters", f"a {_kind(schema)} where a JSON schema was expected")
    return schema


def _list(holder: Mapping[str, Any], key: str, where: str, required: bool = False) -> list[Any]:
    value = holder.get(key)
    if value is None and not required:
        return []
    if not isinstance(value, list):
        found = "missing" if key not in holder else f"a {_kind(value)} where a list was expected"
        raise MalformedRequestError(key if where == "request" else f"{where}.{key}", found)
    return value


def _text(holder: Mapping[str, Any], key: str, where: str, required: bool = True) -> str:
    value = holder.get(key)
    if value is None and not required:
        return ""
    if not isinstance(value, str) or (required and not value):
        found = "missing" if key not in holder else f"{value!r:.40} where text was expected"
        raise MalformedRequestError(f"{where}.{key}", found)
    return value


def _optional(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _kind(value: object) -> str:
    names = {dict: "object", list: "list", str: "text", bool: "boolean", int: "number", float: "number"}
    return "null" if value is None else names.get(type(value), type(value).__name__)
