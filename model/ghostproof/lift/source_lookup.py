"""What objects that exist already stand for: kind, attributes, names of a module. Runs no code of theirs.

A property is handed back as the function to be checked. Anything else that would run code (`__getattr__`, a descriptor)
is refused, because what it computes cannot be seen.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from enum import Enum
from functools import partial
from types import FunctionType, MemberDescriptorType, MethodType, ModuleType, SimpleNamespace
from typing import Any, NoReturn

from ghostproof.lift.source_builtins import refuse_module
from ghostproof.lift.source_text import Site, source_file
from ghostproof.lift.source_values import (
    FIXED,
    FROZENSET,
    Constant,
    Foreign,
    Function,
    Items,
    Keywords,
    Many,
    Value,
    only,
)

_OVERLOADS = frozenset(
    {
        *(
            "__eq__",
            "__ne__",
            "__lt__",
            "__le__",
            "__gt__",
            "__ge__",
            "__bool__",
            "__len__",
            "__contains__",
            "__iter__",
        ),
        *("__add__", "__radd__", "__sub__", "__rsub__", "__neg__", "__pos__", "__abs__", "__index__"),
        *("__getattribute__", "__getattr__"),
    }
)
_MUTABLE = (list, dict, set, bytearray)
_METACLASSES = ("builtins", "abc", "enum", "typing")
_PLAIN_LOOKUP = (
    object,
    int,
    str,
    tuple,
    SimpleNamespace,
)  # whose `__getattribute__` looks in classes and `__dict__` and nowhere else
_ABSENT = object()


class Getter:
    """A property: `function` computes the attribute."""

    __slots__ = ("function",)

    def __init__(self, function: Function) -> None:
        self.function = function


def overloads(kind: type) -> str:
    """The special method that a class written in Python gives its instances, or an empty string."""
    for base in kind.__mro__:
        if base.__module__ not in ("builtins", "enum"):
            for name in vars(base):
                if name in _OVERLOADS:
                    return name
    return ""


def value_of(thing: object, read: str, site: Site) -> Value:
    """What an existing object stands for. `read` is how the source reaches it."""
    kind: Any = type(thing)
    if kind in (int, bool, str) or thing is None:
        return Constant(thing)
    if kind is tuple:
        assert isinstance(thing, tuple)
        return Items(only(value_of(item, f"an item of {read}", site)) for item in thing)
    if kind is frozenset:
        assert isinstance(thing, frozenset)
        for item in thing:
            value_of(item, f"an item of {read}", site)
        return FROZENSET
    if kind is range:
        return Many(FIXED)
    if kind is FunctionType:
        assert isinstance(thing, FunctionType)
        return Function(thing)
    if kind is MethodType:
        assert isinstance(thing, MethodType)
        bound = value_of(thing.__func__, read, site)
        return bound_to(bound, thing.__self__, read, site) if isinstance(bound, Function) else Foreign(thing)
    if kind is partial:
        return _partial(thing, read, site)
    if issubclass(kind, Enum):
        special = overloads(kind)
        if special:
            site.reject(
                f"{read} is a `{kind.__qualname__}`, an enum with its own `{special}`",
                "use an enum without special methods, or integers",
            )
        return Constant(thing)
    if issubclass(kind, float | complex) or kind.__module__ in ("decimal", "fractions", "_decimal"):
        site.reject(f"{read} is a {kind.__name__}", "use integers: tokens are exact")
    if issubclass(kind, _MUTABLE):
        site.reject(f"{read} is a {kind.__name__}, which can change", "use a tuple or a frozenset of constants")
    return Foreign(thing)


def bound_to(function: Function, instance: object, read: str, site: Site) -> Function:
    """The method `function` with its first argument."""
    first = only(value_of(instance, f"the object of {read}", site))
    return Function(function.function, (first, *function.arguments), function.keywords)


def _partial(thing: Any, read: str, site: Site) -> Value:
    inner = value_of(thing.func, read, site)
    if not isinstance(inner, Function):
        site.reject(f"{read} is a partial of {inner.words}", "give functools.partial a function written in Python")
    given = tuple(only(value_of(item, f"an argument of {read}", site)) for item in thing.args)
    named = {name: only(value_of(item, f"`{name}` of {read}", site)) for name, item in thing.keywords.items()}
    return Function(inner.function, (*inner.arguments, *given), Keywords({**inner.keywords.entries, **named}))


def global_value(name: str, function: FunctionType, site: Site) -> Value:
    """What `name` stands for in the module of `function`, built-ins included."""
    namespace = function.__globals__
    if name in namespace:
        _refuse_rebound(name, namespace, function.__code__.co_filename, site)
        return value_of(namespace[name], f"`{name}`", site)
    found = _builtins_of(namespace).get(name, _ABSENT)
    if found is _ABSENT:
        site.reject(f"the name `{name}` is not defined (NameError when it runs)", "define it at the top of the file")
    return value_of(found, f"`{name}`", site)


def _builtins_of(namespace: Mapping[str, object]) -> Mapping[str, object]:
    own = namespace.get("__builtins__", builtins)
    return vars(own) if isinstance(own, ModuleType) else own  # type: ignore[return-value]  # CPython: module or dict


def free_value(name: str, function: FunctionType, site: Site) -> Value | None:
    """What `name` stands for in the cells of `function`; None when it is no free name of it."""
    names = function.__code__.co_freevars
    if name not in names:
        return None
    try:
        thing = (function.__closure__ or ())[names.index(name)].cell_contents
    except ValueError:
        site.reject(f"`{name}` is not assigned yet in the function around", "assign it before the function is made")
    _refuse_rebound(name, function.__globals__, function.__code__.co_filename, site)
    return value_of(thing, f"`{name}`", site)


def _refuse_rebound(name: str, namespace: Mapping[str, object], path: str, site: Site) -> None:
    file = source_file(path, namespace)
    if file is not None and name in file.rebound:
        site.reject(
            f"`{name}` is rebound by a function ({file.shown} declares it global or nonlocal), so it may change",
            "use a constant, or keep it in the pruner's `memory`, whose entries are attributes of the tool",
        )


def attribute(thing: object, name: str, site: Site) -> Value | Getter:
    """What `thing.name` stands for."""
    # `isinstance` would ask the object for its class.
    if issubclass(type(thing), ModuleType):
        return _of_module(thing, name, site)  # type: ignore[arg-type]
    if issubclass(type(thing), type):
        return _of_class(thing, name, site)
    return _of_instance(thing, name, site)


def _of_module(module: ModuleType, name: str, site: Site) -> Value:
    namespace = vars(module)
    if name not in namespace:
        site.reject(f"the module `{module.__name__}` has no `{name}`", "name something that it defines")
    path = namespace.get("__file__")
    if (
        isinstance(path, str)
        and path.endswith(".py")
        and not isinstance(namespace[name], FunctionType | type | ModuleType)
    ):
        _refuse_rebound(name, namespace, path, site)
    return value_of(namespace[name], f"`{module.__name__}.{name}`", site)


def _of_class(kind: Any, name: str, site: Site) -> Value:
    read = f"`{kind.__qualname__}.{name}`"
    if type(kind).__module__ not in _METACLASSES:
        site.reject(f"{read}, of a class with the metaclass `{type(kind).__qualname__}`", "use an ordinary class")
    members: Mapping[str, object] = getattr(kind, "__members__", {})
    if name in members:
        return value_of(members[name], read, site)
    found = _static(kind, name)
    if isinstance(found, staticmethod):
        return value_of(found.__func__, read, site)
    if isinstance(found, classmethod):
        return _method(found.__func__, kind, read, site)
    if found is _ABSENT:
        _missing(kind.__qualname__, name, site)
    if not isinstance(found, FunctionType) and hasattr(type(found), "__get__"):
        _opaque(read, found, kind, name, site)
    return value_of(found, read, site)


def _of_instance(thing: object, name: str, site: Site) -> Value | Getter:
    kind = type(thing)
    read = f"`{name}` of a `{kind.__qualname__}`"
    if getattr(_static(kind, "__getattribute__"), "__objclass__", None) not in _PLAIN_LOOKUP:
        site.reject(f"{read}, whose class has its own `__getattribute__`", "use an ordinary class")
    found = _static(kind, name)
    if isinstance(found, property):
        getter = value_of(found.fget, read, site)
        if not isinstance(getter, Function):
            _opaque(read, found, kind, name, site)
        return Getter(bound_to(getter, thing, read, site))
    if isinstance(found, MemberDescriptorType) or type(found).__name__ == "_tuplegetter" or _is_enum_field(found, name):
        try:
            return value_of(getattr(thing, name), read, site)  # runs no Python code of the class
        except AttributeError:
            _missing(kind.__qualname__, name, site)
    if hasattr(type(found), "__set__") or hasattr(type(found), "__delete__"):
        _opaque(read, found, kind, name, site)
    own = _own_attributes(thing)
    if name in own:
        return value_of(own[name], read, site)
    if isinstance(found, FunctionType):
        return _method(found, thing, read, site)
    if isinstance(found, staticmethod):
        return value_of(found.__func__, read, site)
    if isinstance(found, classmethod):
        return _method(found.__func__, kind, read, site)
    if found is _ABSENT:
        if _static(kind, "__getattr__") is not _ABSENT:
            site.reject(f"{read}, which its `__getattr__` computes", "use an ordinary attribute")
        _missing(kind.__qualname__, name, site)
    if hasattr(type(found), "__get__"):
        _opaque(read, found, kind, name, site)
    return value_of(found, read, site)


def call_method(thing: object, site: Site) -> Function | None:
    """The function behind calling an instance of a class with `__call__`; None when there is none in Python."""
    found = _static(type(thing), "__call__")
    if not isinstance(found, FunctionType):
        return None
    return bound_to(Function(found), thing, f"`{type(thing).__qualname__}`", site)


def _method(function: object, first: object, read: str, site: Site) -> Value:
    return value_of(MethodType(function, first), read, site)  # type: ignore[arg-type]  # refused below if no function


def _static(kind: type, name: str) -> object:
    for base in kind.__mro__:
        if name in vars(base):
            return vars(base)[name]
    return _ABSENT


def _own_attributes(thing: object) -> Mapping[str, object]:
    try:
        own = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        return {}
    return own if isinstance(own, dict) else {}


def _is_enum_field(found: object, name: str) -> bool:
    return name in ("name", "value") and type(found).__module__ in ("enum", "types")


def _missing(owner: str, name: str, site: Site) -> NoReturn:
    site.reject(f"`{owner}` has no attribute `{name}` (AttributeError when it runs)", "name something that it defines")


def _opaque(read: str, found: object, kind: type, name: str, site: Site) -> NoReturn:
    refuse_module(kind.__module__, f"{kind.__qualname__}.{name}", site)
    site.reject(
        f"{read} is computed by a `{type(found).__qualname__}`, which cannot be looked into",
        "use an ordinary attribute, method or property",
    )
