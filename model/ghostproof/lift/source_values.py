"""What a name or an expression can stand for, as far as the source check follows it.

A set of possible values is a frozenset of these. The one distinction that matters everywhere is between values that may
be symbolic when the function is lifted (`SYMBOLIC`: fields of the tool, numbers of the turn, whatever is computed from
them) and those that never are (`PLAIN` and `Constant`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

Values = frozenset["Value"]


class Value:
    """One possibility. `words` name it in messages."""

    __slots__ = ()

    @property
    def words(self) -> str:
        """What it is, with its article."""
        raise NotImplementedError


class Mark(Value):
    """A possibility of which nothing but its kind is known; each exists once and is compared by identity."""

    __slots__ = ("_words",)

    def __init__(self, words: str) -> None:
        self._words = words

    @property
    def words(self) -> str:
        return self._words


SYMBOLIC = Mark("a value of the tool or the turn")
PLAIN = Mark("a constant")  # an int, bool, str, None or member of an enum; which one is not followed
TOOL = Mark("the tool")
SEEN_TOOL = Mark("the tool")  # one that may be read only
TURN = Mark("the turn")
FROZENSET = Mark("a frozenset")


class _Structure(Value):
    """Equal when of one class and with equal keys."""

    __slots__ = ("_key",)

    def __init__(self, key: object) -> None:
        self._key = key

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, _Structure) and self._key == other._key

    def __hash__(self) -> int:
        return hash((type(self), self._key))


class Constant(_Structure):
    """A known int, bool, str, None or enum member."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        super().__init__((type(value), value))
        self.value = value

    @property
    def words(self) -> str:
        return f"the constant {self.value!r}"


class Items(_Structure):
    """A tuple or list of known length."""

    __slots__ = ("items",)

    def __init__(self, items: Iterable[Values]) -> None:
        self.items = tuple(items)
        super().__init__(self.items)

    @property
    def words(self) -> str:
        return "a tuple or list"


class Many(_Structure):
    """A tuple, list, range or iterator of which only the possible elements are followed."""

    __slots__ = ("item",)

    def __init__(self, item: Values) -> None:
        self.item = item
        super().__init__(item)

    @property
    def words(self) -> str:
        return "a tuple or list"


class Keywords(_Structure):
    """What `**keywords` collected: it can only be passed on."""

    __slots__ = ("entries",)

    def __init__(self, entries: dict[str, Values]) -> None:
        self.entries = entries
        super().__init__(tuple(sorted(entries.items())))

    @property
    def words(self) -> str:
        return "collected keyword arguments"


class Function(_Structure):
    """A Python function, with arguments already given to it (a bound method, a functools.partial)."""

    __slots__ = ("arguments", "function", "keywords")

    def __init__(
        self, function: FunctionType, arguments: tuple[Values, ...] = (), keywords: Keywords | None = None
    ) -> None:
        self.function = function
        self.arguments = arguments
        self.keywords = keywords or Keywords({})
        super().__init__((id(function), arguments, self.keywords))

    @property
    def words(self) -> str:
        return f"the function `{self.function.__qualname__}`"


class Closure(_Structure):
    """A function defined inside a function that is being checked.

    Its free names are looked up in `frame`, where it was defined, and in the `depth` outermost comprehensions there.
    """

    __slots__ = ("defaults", "depth", "frame", "node")

    def __init__(
        self, node: ast.FunctionDef | ast.Lambda, frame: object, depth: int, defaults: Mapping[str, Values]
    ) -> None:
        self.node = node
        self.frame = frame
        self.depth = depth
        self.defaults = defaults  # by the name of the parameter
        super().__init__((id(node), id(frame), depth, tuple(defaults.items())))

    @property
    def words(self) -> str:
        return "a lambda" if isinstance(self.node, ast.Lambda) else f"the function `{self.node.name}`"


class Foreign(_Structure):
    """Any other object that exists already: a module, a class, a built-in, `self`, a configuration."""

    __slots__ = ("thing",)

    def __init__(self, thing: object) -> None:
        self.thing = thing
        super().__init__(id(thing))

    @property
    def words(self) -> str:
        name = name_of(self.thing)
        return f"`{name}`" if name else f"an object of class `{type(self.thing).__qualname__}`"


_NAMED = (type, ModuleType, FunctionType, MethodType, BuiltinFunctionType)


def name_of(thing: object) -> str:
    """The name that a module, a class or a function was given; empty for others, whose lookup might run their code."""
    if not issubclass(type(thing), _NAMED) and type(thing).__module__ != "functools":
        return ""
    name = getattr(thing, "__qualname__", None) or getattr(thing, "__name__", None)
    return name if isinstance(name, str) else ""


def only(value: Value) -> Values:
    """The set of this one possibility."""
    return frozenset((value,))


UNKNOWN = only(SYMBOLIC)
FIXED = only(PLAIN)
NONE = only(Constant(None))

_MOST_SHAPES = 4


def join(groups: Iterable[Values]) -> Values:
    """What may come of either. Constants that differ become PLAIN, None excepted; many tuple shapes become one Many."""
    union: Values = frozenset().union(*groups)
    if len(union) < 2:
        return union
    constants = [
        value for value in union if value is PLAIN or (isinstance(value, Constant) and value.value is not None)
    ]
    if len(constants) > 1:
        union = union.difference(constants) | FIXED
    shapes = [value for value in union if isinstance(value, Items | Many)]
    if len(shapes) > _MOST_SHAPES:
        union = union.difference(shapes) | only(Many(join(_elements(shape) for shape in shapes)))
    return union


def _elements(shape: Items | Many) -> Values:
    return join(shape.items) if isinstance(shape, Items) else shape.item


def is_plain(values: Values) -> bool:
    """Never symbolic, and an int, bool, str, None or member of an enum."""
    return all(value is PLAIN or isinstance(value, Constant) for value in values)


def is_scalar(value: Value) -> bool:
    """An int or bool (or another constant), possibly symbolic."""
    return value is SYMBOLIC or value is PLAIN or isinstance(value, Constant)


def is_data(value: Value) -> bool:
    """A scalar, or a tuple or list of such."""
    if isinstance(value, Items):
        return all(is_data(part) for item in value.items for part in item)
    if isinstance(value, Many):
        return all(is_data(part) for part in value.item)
    return is_scalar(value)


def holds_closure(values: Values) -> bool:
    """A function inside a function is among them: what it does depends on when it is called."""
    for value in values:
        if isinstance(value, Closure):
            return True
        if isinstance(value, Items) and any(holds_closure(item) for item in value.items):
            return True
        if isinstance(value, Many) and holds_closure(value.item):
            return True
        if isinstance(value, Keywords) and any(holds_closure(item) for item in value.entries.values()):
            return True
    return False
