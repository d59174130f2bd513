"""Methods that call other methods of their class: `self.count(board)`.

In compiled code `self` is a record of fields and has no methods. So a method becomes a function that knows which
methods its first arguments have (`as_function`), and where it calls one of them, the compiler puts a call of that
method's own function in its place (`MethodCalls` in `pipeline.py`): `count(self, board)`.
"""

from __future__ import annotations

import dis
import inspect
import types
from typing import Any

from ludus.compile.fingerprint import CALLED, code_objects, is_plain_function
from ludus.kernel import rules

BOUND, STATIC = ".", ":"
"""What stands between the name of an argument and that of its method, which takes the object as an argument or not."""

_known: dict[tuple[types.FunctionType, tuple[type | None, ...]], types.FunctionType] = {}


def as_function(method: Any, *kinds: type | None) -> Any:
    """A method as a function whose first arguments are objects of these classes; itself if it calls no method.

    None stands for the class of an argument that has no methods of interest.

    Its attribute `CALLED` has the methods that it calls, by names such as `self.count`.
    """
    if not is_plain_function(method):
        return method
    if (method, kinds) not in _known:
        calls = _calls(method, kinds)
        function = _copy(method) if calls else method
        _known[method, kinds] = function  # before those that it calls: they may call it
        if calls:
            setattr(function, CALLED, {name: as_function(*called) for name, called in calls.items()})
    return _known[method, kinds]


def positional(function: types.FunctionType) -> tuple[types.CodeType, tuple[Any, ...] | None]:
    """A function's code and defaults with its keyword-only parameters as ordinary ones.

    Numba does not know keyword-only parameters: one that is left out has any value at all.
    """
    code, given = function.__code__, function.__kwdefaults__ or {}
    names = _keyword_only(code)
    defaults = (*(function.__defaults__ or ()), *(given[name] for name in names if name in given))
    return code.replace(co_argcount=code.co_argcount + len(names), co_kwonlyargcount=0), defaults or None


def can_be_positional(function: types.FunctionType) -> bool:
    """Whether a call of `positional` means the same: a parameter without a default does not follow one that has one."""
    code, given = function.__code__, function.__kwdefaults__ or {}
    names = _keyword_only(code)
    if code.co_flags & inspect.CO_VARKEYWORDS or (names and code.co_flags & inspect.CO_VARARGS):
        return False
    have_default = [bool(function.__defaults__), *(name in given for name in names)]
    return have_default == sorted(have_default)


def _keyword_only(code: types.CodeType) -> tuple[str, ...]:
    return code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]


def _copy(method: types.FunctionType) -> types.FunctionType:
    code, scope, closure = method.__code__, method.__globals__, method.__closure__
    copy = types.FunctionType(code, scope, method.__name__, method.__defaults__, closure)
    copy.__kwdefaults__ = method.__kwdefaults__
    copy.__qualname__, copy.__module__ = method.__qualname__, method.__module__
    return copy


def _calls(method: types.FunctionType, kinds: tuple[type | None, ...]) -> dict[str, tuple[Any, ...]]:
    """The methods that a method names of its first arguments, each with the classes of the arguments that it takes.

    An argument has the class that one of the same name has here: an evaluator hands `game` on to its own methods.
    """
    found: dict[str, tuple[Any, ...]] = {}
    known = dict(zip(_arguments(method), kinds, strict=False))
    for argument, name in _attributes(method.__code__):
        kind = known.get(argument)
        value = None if kind is None else _method(kind, name)
        if isinstance(value, staticmethod):
            called = value.__func__
            found[f"{argument}{STATIC}{name}"] = called, *map(known.get, _arguments(called))
        elif value is not None:
            found[f"{argument}{BOUND}{name}"] = value, kind, *map(known.get, _arguments(value)[1:])
    return found


def _arguments(function: Any) -> tuple[str, ...]:
    """The names of a function's arguments; none if it is not a plain one."""
    code = function.__code__ if is_plain_function(function) else None
    return code.co_varnames[: code.co_argcount] if code else ()


def _method(kind: Any, name: str) -> Any:
    """A method that a class has of its own, or that is a rule; None if there is none, or it is a class method."""
    if kind.defines(name) or any(rule.name == name for rule in rules.RULES):
        value = inspect.getattr_static(kind, name, None)
        if is_plain_function(value) or isinstance(value, staticmethod):
            return value
    return None


def _attributes(code: types.CodeType) -> list[tuple[str, str]]:
    """What `code` writes as `variable.name`, where the variable is a local one; in a fixed order."""
    found = set()
    for inner in code_objects(code):
        variable = ""
        for instruction in dis.get_instructions(inner):
            if variable and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                found.add((variable, str(instruction.argval)))
            names = instruction.argval  # of two variables that are loaded at once the last one counts
            is_local = instruction.opname.startswith(("LOAD_FAST", "LOAD_DEREF"))
            variable = "" if not is_local else names[-1] if isinstance(names, tuple) else names
    return sorted(found)
