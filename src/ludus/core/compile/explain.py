"""Why something does not compile: one sentence that names the rule and the line."""

from __future__ import annotations

import os
import re
import types
from typing import TYPE_CHECKING, Any

from ludus.core import rules
from ludus.core.compile.fingerprint import is_plain_function, reachable, references
from ludus.core.remedies import after_compiling

if TYPE_CHECKING:
    from ludus.core.compile.specialise import Plan


class NotLinked(Exception):
    """Compiled code lacks a function that it calls: one that is called in a circle, before its types are known."""


def is_understood(error: Exception) -> bool:
    """Whether the code cannot be compiled; other errors are of the compiler, and may not come again."""
    from numba.core.errors import NumbaError, UnsupportedBytecodeError

    return isinstance(error, (NumbaError, UnsupportedBytecodeError, NotLinked, RuntimeError))


def explain(made: Plan, signature: tuple[Any, ...], copies: dict[types.FunctionType, Any], error: Exception) -> str:
    """Why a plan does not compile: each rule among the `copies` of its functions is tried by itself."""
    from numba import float64, int64

    from ludus.core.compile.intrinsics import state_type

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
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    what = next((line for line in lines if not line.startswith(("Failed in", "During:"))), type(error).__name__)
    what = after_compiling(text) or what.partition(" Raised from ")[0]
    missing = re.search(r"Unknown attribute '(\w+)' of type Record__", what)
    if missing:
        what = made.reasons.get(missing[1], what)
    if not is_understood(error):
        what = f"the compiler failed with {type(error).__name__}: {what}; please report it"
    ours = {os.path.abspath(f.__code__.co_filename) for f in made.functions}
    found = re.findall(r'File "([^"]*)", line (\d+)', text) or re.findall(r"Raised from (.*) \((\d+)\)", text)
    found = [(os.path.abspath(file), line) for file, line in found if os.path.abspath(file) in ours]
    return f"{what.rstrip(':.')} {place(function, *found[:1])}."


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
