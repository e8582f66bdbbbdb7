"""Whether a foreign object is a pruner that can be lifted: its shape, its source, its relation at every boundary.

Runs in the child. Each refusal is a PrunerError that says where, what was found, and what to write instead.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from ghostproof.host.readable import OF_A_TOOL, unreadable
from ghostproof.lift.compare import Values, compare
from ghostproof.lift.plain import TURN, LiftedPass, LiftedPruner, lift_condition, lift_order, lift_pass, tool_sorts
from ghostproof.lift.relation import Relation
from ghostproof.lift.source import check_source
from ghostproof.lift.symbol import Unsupported
from ghostproof.turn import budget, environment, response, session
from ghostproof.turn import pruner as pruner_module
from ghostproof.turn import tool as tool_module
from ghostproof.turn.budget import Turn
from ghostproof.turn.errors import PrunerError, a_kind
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.session import check_names, check_returned, check_visit
from ghostproof.turn.tool import AT_LEAST, FIXED, INITIAL, PRUNER_WRITES, Tool


def _own() -> frozenset[object]:
    """The model's functions and classes, taken before any pruner is loaded: a name can be forged."""
    own: set[object] = set()
    for module in (budget, pruner_module, tool_module):
        named = [thing for thing in vars(module).values() if getattr(thing, "__module__", None) == module.__name__]
        classes = [thing for thing in named if isinstance(thing, type)]
        members = [member for kind in classes for member in vars(kind).values()]
        found = [*named, *(member.fget if isinstance(member, property) else member for member in members)]
        own |= {thing for thing in found if isinstance(thing, (type, FunctionType))}
    return frozenset(own)


OURS = _own()


def _functions_of(kind: type) -> dict[str, tuple[object, object]]:
    """What a class does, by name: each function, property or descriptor of one, with its code."""
    found: dict[str, tuple[object, object]] = {}
    for name, member in vars(kind).items():
        inner = (member.fget, member.fset) if isinstance(member, property) else (getattr(member, "__func__", member),)
        if any(isinstance(part, FunctionType) for part in inner):
            codes = [(part.__code__, part.__defaults__) for part in inner if isinstance(part, FunctionType)]
            found[name] = (member, codes)
    return found


def _meaning() -> dict[str, object]:
    """The functions of the model as they are now, by name."""
    found: dict[str, object] = {}
    for module in (budget, pruner_module, tool_module, session, environment, response):
        for name, thing in vars(module).items():
            if isinstance(thing, type) and thing.__module__.startswith("ghostproof."):
                found[name] = (thing, _functions_of(thing))
            elif isinstance(thing, FunctionType) and thing.__module__.startswith("ghostproof."):
                found[f"{module.__name__}.{name}"] = (thing, thing.__code__, thing.__defaults__)
    return found


MEANING = _meaning()


def check_meaning(target: str) -> None:
    """Refuse a module that changed the model when it was loaded or run: it would be judged by its own rules.

    Raises PrunerError.
    """
    now = _meaning()
    for name, was in MEANING.items():
        if now.get(name) != was:
            raise PrunerError(target, f"changes the model's own {name}", "leave ghostproof's classes as they are")


DEFAULTS: Mapping[str, bool | int] = {
    **{name: False if kind is bool else AT_LEAST[name] for name, kind in FIXED.items()},
    **INITIAL,
}
# What the relation does not read must not matter: each point is tried on both.
CONTRARY: Mapping[str, bool | int] = {
    **{name: not value if isinstance(value, bool) else value + 3 for name, value in DEFAULTS.items()},
    "calls_before_tombstone": 1,
}
BACKGROUNDS = (DEFAULTS, CONTRARY)
RESERVED = frozenset(FIXED) | frozenset(INITIAL) | {name for name in dir(Tool) if not name.startswith("_")}


def as_pruner(thing: Any, target: str) -> Pruner:
    """What `thing` says once, as a plain pruner. It is an instance, or a class of one that needs no arguments.

    Its attributes may be properties: they are read here and never again, so what is checked is what runs. Raises
    PrunerError.
    """
    if isinstance(thing, type):
        if not issubclass(thing, Pruner):
            raise PrunerError(target, f"{thing.__name__} is a class but not a Pruner", _SHAPE)
        try:
            thing = thing()
        except TypeError as error:
            raise PrunerError(
                target, f"the class cannot be made without arguments: {error}", "name an instance"
            ) from error
    if not isinstance(thing, Pruner):
        hint = "; a function is checked with --callable" if callable(thing) else ""
        raise PrunerError(target, f"is {a_kind(thing)}, not a Pruner", _SHAPE + hint)
    passes, memory, name = (getattr(thing, each, None) for each in ("passes", "memory", "name"))
    if not isinstance(passes, (tuple, list)) or not isinstance(memory, Mapping):
        raise PrunerError(target, "has no passes or no memory", "call super().__init__(*passes, memory={...})")
    if type(name) is not str:
        raise PrunerError(target, f"has a name that is {a_kind(name)}", "name it with a str")
    plain = Pruner(*(_plain(item, target) for item in passes), memory=memory, name=name)
    _check_shape(plain, target)
    return plain


def _plain(item: object, target: str) -> Pass:
    if not isinstance(item, Pass):
        raise PrunerError(target, f"holds {a_kind(item)} among its passes", "wrap the function in Pass(...)")
    return Pass(item.visit, item.order, item.until, item.name, item.at_render)


_SHAPE = "name a ghostproof.turn.pruner.Pruner or a class of one"


def _check_shape(pruner: Pruner, target: str) -> None:
    if not pruner.passes:
        raise PrunerError(target, "has no passes", "give Pruner at least one Pass")
    check_names(target, pruner.passes)
    for name, value in pruner.memory.items():
        if not isinstance(name, str) or not name.isidentifier() or name in RESERVED or name.startswith("_"):
            raise PrunerError(target, f"memory field {name!r} is no free attribute name", "choose another name")
        if type(value) not in (bool, int):  # a subclass could compare as it likes
            raise PrunerError(target, f"memory field {name} starts as {a_kind(value)}", "use a bool or an int")
        if value < 0:
            raise PrunerError(target, f"memory field {name} starts at {value}", "use integers of at least 0")
    for item in pruner.passes:
        _check_signature(item.visit, ("tool", "turn"), f"pass {item.name}")
        _check_signature(item.order, ("tool",), f"the order of pass {item.name}")
        if item.until is not None:
            _check_signature(item.until, ("turn",), f"the condition of pass {item.name}")


def _check_signature(function: Any, arguments: tuple[str, ...], where: str) -> None:
    expected = f"({', '.join(arguments)})"
    if not callable(function):
        raise PrunerError(where, f"is {a_kind(function)}, not a function", f"give a function of {expected}")
    try:
        inspect.signature(function).bind(*arguments)
    except (TypeError, ValueError) as error:
        raise PrunerError(where, f"does not take {expected}: {error}", f"give a function of {expected}") from error


def _trusted(thing: object) -> bool:
    return isinstance(thing, (type, FunctionType)) and thing in OURS


def admit(pruner: Pruner) -> tuple[LiftedPruner, int]:
    """The pruner as terms, and at how many points relation and plain functions were compared."""
    sorts = tool_sorts(pruner.memory)
    lifted, compared = [], 0
    for item in pruner.passes:
        where = f"pass {item.name}"
        check_source(item.visit, "pass", _trusted)
        check_source(item.order, "order", _trusted)
        if item.until is not None:
            check_source(item.until, "until", _trusted)
        one = _lift(item, where)(sorts)
        for name in one.visit.updates:
            if name not in PRUNER_WRITES and name not in pruner.memory:
                raise PrunerError(
                    where,
                    f"changes tool.{name}, which is not the pruner's to change",
                    "show, hide, evict or tombstone, or keep own values in the pruner's memory",
                )
        compared += _compare_visit(item, one.visit, pruner.memory)
        for path in one.visit.paths:
            if path.returned is not None:  # on a path that no compared point takes
                check_returned(where, False if path.returned.sort == "Bool" else 0)
        compared += _compare_order(item, pruner.memory)
        if item.until is not None:
            compared += _compare_condition(item)
        lifted.append(one)
    return LiftedPruner(pruner.name, dict(pruner.memory), tuple(lifted)), compared


def _lift(item: Pass, where: str) -> Callable[[Any], LiftedPass]:
    def run(sorts: Any) -> LiftedPass:
        try:
            return lift_pass(item, sorts)
        except Unsupported as refusal:
            raise PrunerError(where, refusal.found, refusal.instead) from refusal
        except AttributeError as error:
            raise unreadable(where, error, [name for name in sorts if name not in OF_A_TOOL]) from error

    return run


def _turn(point: Values, background: Mapping[str, bool | int]) -> Turn:
    unread = 0 if background is DEFAULTS else 7
    return Turn(**{name: int(point.get(TURN + name, unread)) for name in Turn.__slots__})


def _tool_fields(
    point: Values, background: Mapping[str, bool | int], memory: Mapping[str, bool | int]
) -> dict[str, bool | int]:
    kept = memory
    if background is not DEFAULTS:
        kept = {name: not value if isinstance(value, bool) else value + 3 for name, value in memory.items()}
    return {**background, **kept, **{name: value for name, value in point.items() if "." not in name}}


def _on_all_backgrounds(
    relation: Relation,
    run: Callable[[Values, Mapping[str, bool | int]], tuple[Mapping[str, object], Mapping[str, object], object]],
    where: str,
) -> int:
    return sum(
        compare(relation, lambda point, b=background: run(point, b), AT_LEAST, _complain(where))  # type: ignore[misc]
        for background in BACKGROUNDS
    )


def _complain(where: str) -> Callable[[Values, str, object, object], None]:
    def complain(point: Values, name: str, expected: object, left: object) -> None:
        state = ", ".join(f"{field}={value}" for field, value in point.items())
        raise PrunerError(
            where,
            f"means {expected!r} for {name} when lifted but does {left!r} when run at {state}",
            "make it depend on the tool and the turn only",
        )

    return complain


def _compare_visit(item: Pass, relation: Relation, memory: Mapping[str, bool | int]) -> int:
    where = f"pass {item.name}"

    def plain(
        point: Values, background: Mapping[str, bool | int]
    ) -> tuple[Mapping[str, object], Mapping[str, object], object]:
        before = _tool_fields(point, background, memory)
        tool = Tool(before)
        returned: object = item.visit(tool, _turn(point, background))  # type: ignore[func-returns-value]
        check_returned(where, returned)
        after = dict(tool.__dict__)
        # Places of a tombstone beyond the resident calls are no states of the model.
        if before["calls_before_tombstone"] <= before["calls_resident"]:
            check_visit(where, before, after, memory)
        return before, after, None

    return _on_all_backgrounds(relation, plain, where)


def _compare_order(item: Pass, memory: Mapping[str, bool | int]) -> int:
    where = f"the order of pass {item.name}"
    relation = lift_order(item, tool_sorts(memory))
    if relation.updates:
        raise PrunerError(where, "changes the tool", "only read it")

    def plain(
        point: Values, background: Mapping[str, bool | int]
    ) -> tuple[Mapping[str, object], Mapping[str, object], object]:
        before = _tool_fields(point, background, memory)
        tool = Tool(before)
        key = item.order(tool)
        return before, dict(tool.__dict__), key

    return _on_all_backgrounds(relation, plain, where)


def _compare_condition(item: Pass) -> int:
    condition = item.until
    assert condition is not None
    relation = lift_condition(condition)

    def plain(
        point: Values, background: Mapping[str, bool | int]
    ) -> tuple[Mapping[str, object], Mapping[str, object], object]:
        return {}, {}, bool(condition(_turn(point, background)))

    return _on_all_backgrounds(relation, plain, f"the condition of pass {item.name}")
