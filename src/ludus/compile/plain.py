"""Kernels by Numba's public functions alone: right with any version of Numba, but slower to compile and to run.

A record is a namedtuple to Numba then, its arrays are counted, every function is optimised by itself, and the cache is
Numba's own, in the same directory.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import textwrap
import threading
import types
from pathlib import Path
from typing import Any

from ludus.compile.fingerprint import CALLED
from ludus.compile.methods import BOUND, STATIC

_configuring = threading.Lock()


def jit(function: types.FunctionType, directory: Path | None = None) -> Any:
    """A function for Numba to compile; `directory`: where its code is kept."""
    import numba

    if directory is None:
        return numba.njit(nogil=True)(function)
    with _configuring:
        usual, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(directory)
        try:
            return numba.njit(cache=True, nogil=True)(function)
        finally:
            numba.config.CACHE_DIR = usual


def is_cached(directory: Path | None, key: str) -> bool:
    """Whether there is code of that key."""
    return directory is not None and any(directory.glob(f"*/*{key}*.nbc"))


def with_methods_as_functions(function: types.FunctionType) -> types.FunctionType:
    """A function that calls `self.count(board)` as one that calls `count(self, board)`, the name being `self.count`.

    It is compiled anew from its source, in which every line keeps its number.
    """
    called = getattr(function, CALLED, {})
    if not called:
        return function
    lines, first = inspect.getsourcelines(function.__code__)
    source = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(_Calls(called).visit(source), first - 1)
    flags = function.__code__.co_flags & __future__.annotations.compiler_flag
    module = compile(source, function.__code__.co_filename, "exec", flags=flags, dont_inherit=True)
    code = next(constant for constant in module.co_consts if isinstance(constant, types.CodeType))
    copy = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


class _Calls(ast.NodeTransformer):
    """Puts calls of functions in the place of calls of methods."""

    def __init__(self, called: dict[str, Any]) -> None:
        self.called = called

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list = []
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        method = node.func
        if not isinstance(method, ast.Attribute) or not isinstance(method.value, ast.Name):
            return node
        for mark in (BOUND, STATIC):
            name = f"{method.value.id}{mark}{method.attr}"
            if name in self.called:
                node.func = ast.copy_location(ast.Name(name, ast.Load()), method)
                node.args = [method.value, *node.args] if mark == BOUND else node.args
                break
        return node
