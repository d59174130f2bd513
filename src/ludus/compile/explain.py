"""Why something does not compile: one sentence that names the rule and the line."""

from __future__ import annotations

import os
import re
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ludus.common.advice import after_compiling
from ludus.common.errors import LudusError, NotCompilable
from ludus.compile.fingerprint import is_plain_function, reachable, references
from ludus.kernel import rules

if TYPE_CHECKING:
    from ludus.compile.plan import Plan


OLDEST, TOO_NEW = (0, 63), (0, 69)
"""The versions of Numba that fit `numba_internals.py`, as in pyproject.toml: from the first one up to the second."""


class NotLinked(Exception):
    """Compiled code lacks a function that it calls: one that is called in a circle, before its types are known."""


def is_understood(error: Exception) -> bool:
    """Whether the code cannot be compiled; other errors are of the compiler, and may not come again."""
    from numba.core.errors import NumbaError, UnsupportedBytecodeError

    return isinstance(error, (NumbaError, UnsupportedBytecodeError, NotLinked))


@contextmanager
def failures_explained() -> Iterator[None]:
    """Any error of the compiler within it, and of ours about the compiler, becomes `NotCompilable`."""
    try:
        yield
    except LudusError:
        raise
    except Exception as error:
        raise NotCompilable(f"{_failure(error, _message(error))}.") from error


def _failure(error: Exception, what: str) -> str:
    """The compiler failed, and not because of the code: who can do something about that."""
    try:
        from numba import __version__ as version
    except Exception as broken:
        return f"Numba cannot be imported: {_message(broken)}"
    failed = f"the compiler failed with {type(error).__name__}{what and f': {what}'}"
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if OLDEST <= numbers < TOO_NEW:
        return f"{failed}; please report it"
    first, last = (".".join(map(str, some)) for some in (OLDEST, TOO_NEW))
    return f"{failed}; Numba {version} does not fit this version of ludus, which needs numba>={first},<{last}"


def explain(made: Plan, signature: tuple[Any, ...], copies: dict[types.FunctionType, Any], error: Exception) -> str:
    """Why a plan does not compile: each rule among the `copies` of its functions is tried by itself."""
    from numba import float64, int64

    from ludus.compile.intrinsics import state_type

    _, game, evaluator, _, _ = signature
    state = state_type(made.layout.form)
    kinds = {"game": game, "evaluator": evaluator, "state": state, "move": int64, "out": int64[::1]}
    kinds |= {"probabilities": float64[::1], "numbers": float64[::1]}
    kinds |= {"places": int64[::1], "contents": int64[::1]}
    for rule in rules.RULES:
        method = made.methods[rule.name]
        if method in copies:
            try:
                copies[method].compile(tuple(kinds[argument] for argument in rule.arguments))
            except Exception as found:
                return f"rule {rule.name} does not compile: {_first_line(made, found, method)}"
    return f"it does not compile: {_first_line(made, error, made.step)}"


def _first_line(made: Plan, error: Exception, function: types.FunctionType) -> str:
    """Numba's message without its decoration, or the reason we know better, and the line of the source."""
    if isinstance(error, NotLinked) and (circle := _circle(made)):
        return f"{_recursion(circle)} {place(circle[0])}."
    text = _plain(error)
    what = after_compiling(text) or _message(error)
    missing = re.search(r"Unknown attribute '(\w+)' of type Record__", what)
    if missing:
        what = made.reasons.get(missing[1], what)
    if not is_understood(error):
        what = _failure(error, what)
    ours = {os.path.abspath(f.__code__.co_filename) for f in made.functions}
    found = re.findall(r'File "([^"]*)", line (\d+)', text) or re.findall(r"Raised from (.*) \((\d+)\)", text)
    found = [(os.path.abspath(file), line) for file, line in found if os.path.abspath(file) in ours]
    return f"{what.rstrip(':.')} {place(function, *found[:1])}."


def _plain(error: Exception) -> str:
    """What an error says, without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", str(error))


def _message(error: Exception) -> str:
    """What an error says in one line, without Numba's decoration; some say nothing."""
    lines = [line.strip() for line in _plain(error).splitlines() if line.strip()]
    what = next((line for line in lines if not line.startswith(("Failed in", "During:"))), "")
    return what.partition(" Raised from ")[0].rstrip(":.")


def _circle(made: Plan) -> list[types.FunctionType]:
    """Functions that call each other in a circle, or one that calls itself, if there are any; a larger one first."""
    circles = []
    for function in made.functions:
        called = [f for f in references(function, made.binding).values() if is_plain_function(f)]
        if function in reachable(called, made.binding):
            circles.append([f for f in reachable([function], made.binding) if function in reachable([f], made.binding)])
    return max(circles, key=len, default=[])


def _recursion(circle: list[types.FunctionType]) -> str:
    names = [function.__name__ for function in circle]
    if len(names) == 1:
        return f"{names[0]} calls itself with arguments of other types: give it the same types, or write a loop"
    return f"{' and '.join(names)} call each other: write one function that calls itself, or a loop"


def place(function: Any, found: tuple[str, str] | None = None) -> str:
    """Where to look: what was found, or else the beginning of the function."""
    code = getattr(function, "__code__", None)
    file, line = found or ((code.co_filename, code.co_firstlineno) if code else ("?", "?"))
    return f"({file}, line {line})"
