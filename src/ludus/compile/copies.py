"""The functions of a plan, copied, with the names in them bound to each other."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from ludus.compile.fingerprint import fingerprint, is_plain_function, references
from ludus.compile.generated import HOME
from ludus.compile.methods import positional
from ludus.compile.plan import Plan
from ludus.kernel.records import constant


def copies_of(
    made: Plan,
    salt: str,
    key: str,
    parts: dict[str, Any],
    jit: Callable[[types.FunctionType, bool, bool], Any],
    prepare: Callable[[types.FunctionType], types.FunctionType] = lambda function: function,
) -> dict[types.FunctionType, Any]:
    """Copies of all the functions, their names bound to each other, each ready for Numba to compile.

    Those among `parts` are taken from there, the others are put there; `step` is this kernel's own and has its key.
    `jit` is told whether a copy is that of `step`, and whether it is to be copied into its callers;
    `prepare` is what is done to a function before.
    """
    copies, fresh = {}, []
    inlined = _to_inline(made)
    for function in made.functions:
        mark = key if function is made.step else fingerprint(function, made.binding, salt)
        if mark in parts:
            copies[function] = parts[mark]
            continue
        code, defaults = positional(prepare(function))
        copy = types.FunctionType(code, {}, function.__name__, defaults)
        copy.__qualname__ = f"{function.__qualname__}__{mark}"
        copy.__module__ = HOME
        copies[function] = jit(copy, function is made.step, function in inlined)
        fresh.append(function)
        if function is not made.step:
            parts[mark] = copies[function]
    for function in fresh:
        scope = copies[function].py_func.__globals__
        scope["__builtins__"] = __builtins__
        scope["__name__"] = HOME
        for name, value in references(function, made.binding).items():
            _put(scope, name, copies[value] if is_plain_function(value) else constant(value))
    return copies


def _put(scope: dict[str, Any], name: str, value: Any) -> None:
    """Let `name` stand for a value in a scope; that of a module's or class's function, in a copy that has it."""
    module, _, rest = name.partition(".")
    if not rest or module not in scope:  # a name without dots, or a method: `self.count`
        scope[name] = value
        return
    copied = types.ModuleType(module)
    vars(copied).update(vars(scope[module]))
    _put(vars(copied), rest, value)
    scope[module] = copied


LARGE = 50_000
"""Bytes of bytecode beyond which a function that several others call is not copied into each of them."""


def _to_inline(made: Plan) -> set[types.FunctionType]:
    """The functions to be copied into their callers: a call passes every array of the tree, which is what costs most.
    Measured: alpha-beta on Othello 5 against 10 million nodes/s.
    """
    calls = {f: [g for g in references(f, made.binding).values() if is_plain_function(g)] for f in made.functions}
    callers = {f: sum(f in called for called in calls.values()) for f in made.functions}
    sizes: dict[types.FunctionType, int] = {}
    inlined: set[types.FunctionType] = set()

    def size(f: types.FunctionType) -> int:
        if f not in sizes:
            sizes[f] = 10 * LARGE  # where functions call each other in a circle, none is copied
            sizes[f] = len(f.__code__.co_code) + sum(size(g) for g in calls[f] if g in inlined or decide(g))
        return sizes[f]

    def decide(f: types.FunctionType) -> bool:
        if f not in inlined and (size(f) <= LARGE or (callers[f] == 1 and size(f) < 10 * LARGE)):
            inlined.add(f)
        return f in inlined

    for f in made.functions:
        decide(f)
    return inlined
