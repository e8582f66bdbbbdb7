"""The text of functions: which syntax node a function object was compiled from, and whether the file still says so.

A node is found by the first line and the name of the code object, and then the file is compiled again and must
contain an equal code object. So what is checked is what runs: a decorator that replaced the function, a file
edited since the import and an import hook that rewrote it are all told apart from the real thing.
"""

from __future__ import annotations

import ast
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType
from typing import NoReturn

from ghostproof.turn.place import shown_path

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

AS_CALLABLE = "`ghostproof check --callable` runs a pruner as it is"


class Site:
    """A place in a source file, as messages name it."""

    __slots__ = ("line", "name", "path")

    def __init__(self, path: str, line: int, name: str) -> None:
        self.path = path
        self.line = line
        self.name = name

    def at(self, node: ast.AST) -> Site:
        """The same function at the line of `node`; nodes without a line (operators, patterns' parts) keep this one."""
        return Site(self.path, getattr(node, "lineno", self.line), self.name)

    def __str__(self) -> str:
        return f"{self.path}:{self.line} (in {self.name})" if self.line else self.name

    def reject(self, found: str, instead: str) -> NoReturn:
        """Say that what stands here cannot be lifted."""
        # Imported here because verdicts and traces cost more start-up than the whole check, and most checks pass.
        from ghostproof.turn.errors import PrunerError

        raise PrunerError(str(self), found, instead)


class SourceFile:
    """One parsed file. It is compiled, and its statements are searched, only when a function in them is asked for."""

    def __init__(self, path: str, text: bytes) -> None:
        self.path = path
        self.shown = shown_path(path)
        self._text = text
        with warnings.catch_warnings():  # whoever imported the file has seen its SyntaxWarnings
            warnings.simplefilter("ignore")
            tree = compile(text, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        assert isinstance(tree, ast.Module)
        self._tree = tree
        self._nodes: dict[int, list[FunctionNode]] = {}
        self._codes: list[CodeType] | None = None
        self._rebound: frozenset[str] | None = None

    @property
    def rebound(self) -> frozenset[str]:
        """Names that a function of this file declares `global` or `nonlocal`: their values may change at any call."""
        if self._rebound is None:
            names: set[str] = set()
            if b"global" in self._text or b"nonlocal" in self._text:
                for node in ast.walk(self._tree):
                    if isinstance(node, ast.Global | ast.Nonlocal):
                        names.update(node.names)
            self._rebound = frozenset(names)
        return self._rebound

    def node_of(self, code: CodeType) -> FunctionNode | None:
        """The node that `code` was compiled from; None when the file holds no such code (any more).

        Raises LookupError when several lambdas on one line cannot be told apart.
        """
        found: list[FunctionNode] = []
        for statement in self._statements_at(code.co_firstlineno):
            found += [node for node in self._functions_in(statement) if _is_head_of(node, code)]
        if not found or code not in self._compiled():
            return None
        return found[0] if len(found) == 1 else _nearest(found, code)

    def _statements_at(self, line: int) -> Iterator[ast.stmt]:
        for statement in self._tree.body:
            if _first_line(statement) <= line <= (statement.end_lineno or line):
                yield statement

    def _functions_in(self, statement: ast.stmt) -> list[FunctionNode]:
        if id(statement) not in self._nodes:
            self._nodes[id(statement)] = [node for node in ast.walk(statement) if isinstance(node, FunctionNode)]
        return self._nodes[id(statement)]

    def _compiled(self) -> list[CodeType]:
        """Every code object of the file. The whole is compiled: a module's imports change the code of its functions."""
        if self._codes is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                codes: list[CodeType] = [compile(self._text, self.path, "exec", dont_inherit=True)]
            for code in codes:  # grows while it is walked
                codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
            self._codes = codes
        return self._codes


def _first_line(node: ast.stmt | FunctionNode) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _is_head_of(node: FunctionNode, code: CodeType) -> bool:
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    return name == code.co_name and _first_line(node) == code.co_firstlineno


def _nearest(nodes: list[FunctionNode], code: CodeType) -> FunctionNode:
    """The lambda among `nodes` whose body is the smallest that holds every instruction of `code`."""
    spots = [
        ((line, column), (end_line, end_column))
        for line, end_line, column, end_column in code.co_positions()
        if line is not None and end_line is not None and column is not None and end_column  # 0: the function's prologue
    ]
    holding = []
    for node in nodes:
        if isinstance(node, ast.Lambda):
            body = node.body
            start, end = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
            if spots and all(start <= first and last <= end for first, last in spots):
                holding.append((start, end, node))
    if not holding:
        raise LookupError(code.co_name)
    return max(holding, key=lambda item: (item[0], (-item[1][0], -item[1][1])))[2]


_FILES: dict[str, tuple[tuple[int, int], SourceFile]] = {}


def source_file(path: str, namespace: Mapping[str, object]) -> SourceFile | None:
    """The file as it is now, parsed once for each state of it; None when there is none or it is no Python."""
    try:
        status = os.stat(path)
        stamp = (status.st_mtime_ns, status.st_size)
        if path in _FILES and _FILES[path][0] == stamp:
            return _FILES[path][1]
        with open(path, "rb") as stream:
            text = stream.read()
    except (OSError, ValueError):
        stamp, text = (0, 0), _text_from_loader(namespace)
        if path in _FILES and _FILES[path][0] == stamp:
            return _FILES[path][1]
    if not text:
        return None
    try:
        file = SourceFile(path, text)
    except (SyntaxError, ValueError):
        return None
    _FILES[path] = (stamp, file)
    return file


def _text_from_loader(namespace: Mapping[str, object]) -> bytes:
    """Modules inside an archive have a source that only their loader can read."""
    get_source = getattr(namespace.get("__loader__"), "get_source", None)
    if get_source is None:
        return b""
    try:
        text = get_source(namespace.get("__name__"))
    except ImportError:
        return b""
    return text.encode() if isinstance(text, str) else b""


def locate(function: FunctionType, caller: Site | None) -> tuple[FunctionNode, SourceFile, Site]:
    """The node of `function`, its file, and the site of its first line. Rejects what has no source or another one."""
    code = function.__code__
    name = function.__qualname__
    file = source_file(code.co_filename, function.__globals__)
    if file is None:
        site = caller or Site(shown_path(code.co_filename), code.co_firstlineno, name)
        site.reject(
            f"the source of `{name}` cannot be found",
            f"write it in a file, without exec or an interactive session; {AS_CALLABLE}",
        )
    site = Site(file.shown, code.co_firstlineno, name)
    try:
        node = file.node_of(code)
    except LookupError:
        site.reject("several lambdas on one line that cannot be told apart", "write one on a line, or use def")
    if node is None:
        site.reject(
            f"the source of `{name}` is not what runs: the file was edited after the import, or the code was rewritten",
            "start again with the file as it is now, without import hooks that rewrite code",
        )
    return node, file, Site(file.shown, node.lineno, name)


_STANDARD = os.path.dirname(os.__file__) + os.sep


def standard_library(function: FunctionType) -> str:
    """The standard library's module that `function` was written in, or an empty string when it is somebody else's.

    Not its `__module__`: functools.wraps gives a wrapper of the standard library the name of what it wraps.
    """
    path = function.__code__.co_filename
    inside = path.startswith("<frozen ") or (
        path.startswith(_STANDARD) and "site-packages" not in path and "dist-packages" not in path
    )
    module = str(function.__globals__.get("__name__"))
    return module if inside and module.partition(".")[0] in sys.stdlib_module_names else ""
