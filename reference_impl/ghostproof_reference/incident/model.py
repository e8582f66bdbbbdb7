"""A scripted model that fails open: a tool that changes state is called from whatever the prompt still holds of it.

It is given the request as the runtime sends it, and nothing else; what it does is decided by what stands there:

- the schema: a call that follows it, with values from the sentence, or else from the last call, made to fit;
- no schema, but a text that names the tool and says what to call first: that (it obeys tombstones: assumption R2);
- no schema, no such text, but an earlier call: a call rebuilt from its arguments. Flags are left out, since nothing
  says that they are required, and values keep the form they had;
- that call rejected, and still no schema: a shown tool for the same kind of thing that takes what is wanted;
- nothing of all this: it asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ghostproof_reference.incident.prompt import Arguments, Prompt, Seen, read
from ghostproof_reference.request import Schema


@dataclass(frozen=True, slots=True)
class Wish:
    """What a sentence of the user asks for: a tool, and the values that the sentence gives."""

    tool: str
    values: Arguments


@dataclass(frozen=True, slots=True)
class Answer:
    """Calls to make in parallel, or a text that ends the turn."""

    calls: tuple[tuple[str, Arguments], ...]
    text: str = ""


class FailsOpen:
    """The model. `understood` stands for its understanding of language: what each sentence asks for."""

    def __init__(self, understood: Mapping[str, Sequence[Wish]]) -> None:
        self._understood = understood

    def answer(self, request: Mapping[str, object]) -> Answer:
        """The answer to an OpenAI chat request."""
        prompt = read(request)
        open_wishes = [wish for wish in self._understood.get(prompt.sentence, ()) if not _granted(wish, prompt)]
        calls = [call for wish in open_wishes if (call := _attempt(wish, prompt)) is not None]
        if calls:
            return Answer(tuple(calls))
        if open_wishes:
            missing = ", ".join(wish.tool for wish in open_wishes)
            return Answer((), f"I could not do that: I see no way to use {missing}.")
        return Answer((), "Done." if prompt.since else "Understood.")


Call = tuple[str, Arguments]


def _granted(wish: Wish, prompt: Prompt) -> bool:
    """Whether a call since the sentence did it, be it by another tool."""
    return any(
        not call.rejected and (call.tool == wish.tool or _same_thing(call.tool, wish.tool)) for call in prompt.since
    )


def _attempt(wish: Wish, prompt: Prompt) -> Call | None:
    """The next call for a wish, or None if there is none that was not tried."""
    call = _from_schema(wish, prompt) or _invited(wish, prompt) or _rebuilt(wish, prompt) or _workaround(wish, prompt)
    tried = [(seen.tool, dict(seen.arguments)) for seen in prompt.since]
    return None if call is None or (call[0], dict(call[1])) in tried else call


def _from_schema(wish: Wish, prompt: Prompt) -> Call | None:
    if wish.tool not in prompt.schemas:
        return None
    arguments = _filled(prompt.schemas[wish.tool], wish.values, prompt.earlier(wish.tool) or {})
    return None if arguments is None else (wish.tool, arguments)


def _invited(wish: Wish, prompt: Prompt) -> Call | None:
    invitation = prompt.invitation(wish.tool)
    return None if invitation is None else (invitation.tool, invitation.arguments)


def _rebuilt(wish: Wish, prompt: Prompt) -> Call | None:
    earlier = prompt.earlier(wish.tool)
    rejected = any(call.tool == wish.tool and call.rejected for call in prompt.since)
    if not earlier or rejected or wish.tool in prompt.schemas:
        return None
    kept = {name: value for name, value in earlier.items() if not isinstance(value, bool)}
    return wish.tool, {**kept, **wish.values}


def _workaround(wish: Wish, prompt: Prompt) -> Call | None:
    earlier = prompt.earlier(wish.tool)
    if not earlier or wish.tool in prompt.schemas:
        return None
    for tool, schema in prompt.schemas.items():
        if _same_thing(tool, wish.tool) and wish.values.keys() <= _properties(schema).keys():
            about = _about(tool, earlier, (*prompt.before, *prompt.since))
            if (arguments := _filled(schema, wish.values, about)) is not None:
                return tool, arguments
    return None


def _same_thing(one: str, other: str) -> bool:
    """Whether two tools are named for the same kind of thing, as create_incident and update_incident are."""
    return one != other and one.rpartition("_")[2] == other.rpartition("_")[2]


def _about(tool: str, values: Arguments, calls: Sequence[Seen]) -> Arguments:
    """The arguments of the last call of `tool` whose result names one of `values`: the call that is about the same."""
    names = [value for value in values.values() if isinstance(value, str)]
    found = [call for call in calls if call.tool == tool and any(name in call.result for name in names)]
    return found[-1].arguments if found else {}


def _filled(schema: Schema, values: Arguments, earlier: Arguments) -> Arguments | None:
    """Arguments that follow a schema; None if a required one cannot be had."""
    arguments: dict[str, object] = {}
    for name, wanted in _properties(schema).items():
        if name in values:
            arguments[name] = values[name]
        elif name in earlier:
            arguments[name] = _fitted(wanted, earlier[name])
    required = schema.get("required", ())
    assert isinstance(required, Sequence)
    return arguments if all(name in arguments for name in required) else None


def _fitted(schema: Schema, value: object) -> object:
    """An earlier value in the form that the schema asks for now: text that became an object goes into its fields."""
    if schema.get("type") != "object" or isinstance(value, dict):
        return value
    fields: dict[str, object] = {}
    for name, field in _properties(schema).items():
        choices = field.get("enum")
        fields[name] = choices[0] if isinstance(choices, list) else value
    return fields


def _properties(schema: Schema) -> Mapping[str, Schema]:
    properties = schema.get("properties", {})
    assert isinstance(properties, Mapping)
    return properties
