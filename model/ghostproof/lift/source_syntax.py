"""What a liftable function may be written with: a list of allowed syntax nodes. Whatever is not on it is refused.

Refusals that have a better message than that are in a table of their own, so that a new kind of node can never slip
through by being forgotten.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ghostproof.lift.source_text import AS_CALLABLE, FunctionNode, Site
from ghostproof.turn.errors import a_kind

# Type annotations run when a nested function is defined; these cannot do anything but name types.
_ANNOTATION = (
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.Subscript,
    ast.BinOp,
    ast.BitOr,
    ast.Tuple,
    ast.List,
    ast.Load,
)

_ALLOWED = frozenset(
    {
        *(ast.FunctionDef, ast.Lambda, ast.arguments, ast.arg, ast.Return, ast.Expr, ast.Pass),
        *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.Name, ast.Attribute, ast.Load, ast.Store),
        *(ast.If, ast.IfExp, ast.For, ast.Break, ast.Continue, ast.Match, ast.match_case),
        *(ast.MatchValue, ast.MatchAs, ast.MatchOr, ast.MatchSequence),
        *(ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.UAdd, ast.Invert),
        *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn),
        *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Pow),
        *(ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor),
        *(ast.Constant, ast.Tuple, ast.List, ast.Starred, ast.Subscript, ast.Call, ast.keyword),
        *(ast.ListComp, ast.GeneratorExp, ast.comprehension),
    }
)

_IDENTITY = "write `==`, or `not x` for a flag: identity of a value that is not known yet cannot be seen"
_NO_EXCEPTIONS = "test with `if` before the step that may fail: a pass must not raise or catch"
_NO_ASYNC = f"write a plain function: a pass decides at once; {AS_CALLABLE}"
_NO_STATE = "keep state in the pruner's `memory`, whose entries are attributes of the tool"
_NO_TEXT = "leave text out: a pass decides on booleans and integers"
_NO_TABLE = "write a tuple and compare: a hash cannot be taken of a value that is not known yet"

_REFUSED: dict[str, tuple[str, str]] = {
    "Is": ("an identity test (`is`)", _IDENTITY),
    "IsNot": (
        "an identity test (`is not`)",
        "write `!=`, or the flag itself: identity of a value that is not known yet cannot be seen",
    ),
    "MatchSingleton": (
        "a match on None, True or False, which is an identity test",
        "write `if x:` and `if not x:`, or a guard: `case _ if x:`",
    ),
    "MatchClass": ("a class pattern", "match values, or compare with `if`: the class of a value is not known yet"),
    "MatchMapping": ("a mapping pattern", "match values, or compare with `if`: a pass has no mappings"),
    "MatchStar": ("a starred pattern", "name each part of the tuple"),
    "Try": ("a try statement", _NO_EXCEPTIONS),
    "TryStar": ("a try statement", _NO_EXCEPTIONS),
    "Raise": ("a raise statement", "leave the tool as it is and return: a pass must not raise"),
    "Assert": ("an assert statement", "write `if not condition: return`, or leave it out: a pass must not raise"),
    "With": ("a with statement", "leave it out: a pass has nothing to open or to hold"),
    "AsyncWith": ("an async with statement", _NO_ASYNC),
    "AsyncFor": ("an async for loop", _NO_ASYNC),
    "AsyncFunctionDef": ("an async function", _NO_ASYNC),
    "Await": ("an await", _NO_ASYNC),
    "Yield": ("a yield", "return instead: a pass runs to its end in one visit"),
    "YieldFrom": ("a yield from", "return instead: a pass runs to its end in one visit"),
    "While": (
        "a while loop",
        "let the pass do one step, it visits each tool again; or loop over a literal tuple or range(constant)",
    ),
    "Import": ("an import inside a function", "import at the top of the file"),
    "ImportFrom": ("an import inside a function", "import at the top of the file"),
    "Global": ("a global statement", _NO_STATE),
    "Nonlocal": ("a nonlocal statement", _NO_STATE),
    "Delete": ("a del statement", "assign another value: nothing may vanish from the tool"),
    "ClassDef": ("a class inside a function", "write it at the top of the file"),
    "TypeAlias": ("a type alias inside a function", "write it at the top of the file"),
    "Dict": ("a dict", _NO_TABLE),
    "DictComp": ("a dict comprehension", _NO_TABLE),
    "Set": ("a set", _NO_TABLE),
    "SetComp": ("a set comprehension", _NO_TABLE),
    "JoinedStr": ("an f-string", _NO_TEXT),
    "TemplateStr": ("a template string", _NO_TEXT),
    "Slice": ("a slice", "write the tuple that you need"),
    "Div": ("division (`/`), which gives a float", "use + and - of integers: tokens are exact"),
    "MatMult": ("matrix multiplication", "use + and - of integers"),
}


def check_syntax(node: FunctionNode, site: Site) -> None:
    """Refuse the first node in the body of `node`, nested functions included, that is not on the list."""
    if isinstance(node, ast.AsyncFunctionDef):
        _refuse(node, site)
    for part in node.body if isinstance(node.body, list) else [node.body]:
        _check(part, site.at(part))


def _refuse(node: ast.AST, site: Site) -> None:
    kind = type(node).__name__
    found, instead = _REFUSED.get(
        kind,
        (f"{kind}, which is not on the list of what can be lifted", "write it with if, and, or, not, ==, <, + and -"),
    )
    site.reject(found, instead)


def _check(node: ast.AST, site: Site) -> None:
    kind = type(node)
    if kind not in _ALLOWED:
        _refuse(node, site)
    match node:
        case ast.Constant(value=value):
            if not (value is None or value is Ellipsis or type(value) in (bool, int, str)):
                site.reject(f"{a_kind(value)}: {value!r}", "use integers: tokens are exact")
        case ast.Attribute(attr=name) if name.startswith("__"):
            site.reject(f"an attribute with two leading underscores: `{name}`", "use a name without them")
        case ast.FunctionDef(decorator_list=[_, *_]):
            site.reject("a decorated function inside a function", "write the decorated function at the top of the file")
        case ast.AnnAssign(target=target):
            if not isinstance(target, ast.Name):
                site.reject("an annotation on something else than a local variable", "leave the annotation out")
    for child in ast.iter_child_nodes(node):
        if not _is_annotation(node, child):
            _check(child, site.at(child))
        elif not isinstance(node, ast.AnnAssign):  # Python does not evaluate those of local variables
            for part in ast.walk(child):
                if not isinstance(part, _ANNOTATION):
                    site.reject("an annotation that computes something", "write a plain type")


def _is_annotation(node: ast.AST, child: ast.AST) -> bool:
    return child is getattr(node, "annotation", None) or child is getattr(node, "returns", None)


def local_names(node: FunctionNode) -> frozenset[str]:
    """The names that are local to `node` by Python's rule: parameters and whatever is assigned in it."""
    arguments = node.args
    found = {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    found.update(argument.arg for argument in (arguments.vararg, arguments.kwarg) if argument is not None)
    for part in node.body if isinstance(node.body, list) else [node.body]:
        found.update(_assigned(part))
    return frozenset(found)


def _assigned(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.MatchAs(name=str(name)):
            yield name
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        if isinstance(node, ast.FunctionDef):
            yield node.name
        for default in (*node.args.defaults, *node.args.kw_defaults):
            yield from _assigned(default) if default is not None else ()
        return
    for child in ast.iter_child_nodes(node):
        # The loop variables of a comprehension live in the comprehension only; a walrus in it does not.
        if isinstance(node, ast.comprehension) and child is node.target:
            continue
        yield from _assigned(child)
