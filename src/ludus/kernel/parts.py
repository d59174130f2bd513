"""Parts: the functions of a driver that a search may replace.

A driver is the loop that a family of searches shares. What differs between them are its *parts*: module-level
functions marked with `@part`, whose docstring says what they promise and whose body is what a search does that does
not replace them. A search replaces a part by a method of the same name:

    @part
    def window(search, tree, node, child):
        \"""The window in which `child` is searched.\"""
        return -np.inf, np.inf

    class AlphaBeta(FullWidth):
        def window(self, tree, node, child):
            return -tree.beta[node], -tree.alpha[node]

So a part is to a search what a rule is to a game. Interpreted, the call looks for the method; compiled, `specialise`
puts it in the part's place. A method that wants what it replaces calls it by the class that has it, since `super()`
does not compile: `AlphaBeta.skipped(self, game, evaluator, tree, node, child)`.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import traceback
from collections.abc import Callable
from typing import Any

PARTS: list[Callable] = []


class MisspeltWarning(UserWarning):
    """A search has a method that looks like a part of its driver, but is none."""


def part(default: Callable) -> Callable:
    """Make `default`, whose first parameter is the search, a part that searches may replace."""

    @functools.wraps(default)
    def ask(search: Any, *arguments: Any) -> Any:
        return replaced(type(search), ask)(search, *arguments)

    PARTS.append(ask)
    return ask


def replaced(kind: type, asked: Callable) -> Callable:
    """What stands in a part's place for searches of this kind: their own method, or else the part as it is written."""
    found: Callable = getattr(kind, asked.__name__, None) or asked.__wrapped__  # type: ignore[attr-defined]
    return found


def parts_of(kind: type, unused: tuple[Callable, ...] = ()) -> dict[Callable, Callable]:
    """For every part there is, what stands in its place: the part as it is written if the method is an `unused` one.

    The methods are told, not their names: what a derived class has put in the place of an unused one is used.
    """
    methods = {asked: replaced(kind, asked) for asked in PARTS}
    return {
        asked: asked.__wrapped__ if method in unused else method  # type: ignore[attr-defined]
        for asked, method in methods.items()
    }


def miswritten(error: BaseException) -> str:
    """What is wrong if a search has replaced a part by a method with other parameters; nothing if it is not that."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    asked, search = frame.f_locals.get("ask"), frame.f_locals.get("search")
    if asked not in PARTS or not isinstance(error, TypeError):
        return ""
    name = asked.__name__
    owner = next(kind for kind in type(search).__mro__ if name in vars(kind))
    return f"{name} of {owner.__name__} must be written {_written(asked)}"


def misspelt(kind: type) -> str:
    """What is wrong if a class has a method that is called nearly like a part, with the part's parameters, and so
    replaces nothing; nothing if there is none."""
    names = {asked.__name__ for asked in PARTS}
    for name, method in vars(kind).items():
        if name in names or not inspect.isfunction(method):
            continue
        alike = {asked.__name__ for asked in PARTS if _parameters(asked.__wrapped__)[1:] == _parameters(method)[1:]}  # type: ignore[attr-defined]
        if near := difflib.get_close_matches(name, alike, n=1, cutoff=0.8):
            return f"{name} of {kind.__name__} replaces no part of a search: did you mean {near[0]}?"
    return ""


def _parameters(function: Callable) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]


def _written(asked: Callable) -> str:
    """How a search writes the method that replaces a part."""
    return f"{asked.__name__}({', '.join(['self', *list(inspect.signature(asked).parameters)[1:]])})"
