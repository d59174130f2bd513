"""What a function can reach, and a fingerprint of all of it.

Numba's disk cache knows a function by its own bytecode, not by what it calls. A copy made by `specialise`
carries the fingerprint of *everything reachable* in its name: bytecode, constants, and, recursively, the
functions and constants it names, in other files too. Then each specialisation has its own cache entry, and
edited rules never meet stale code. Line numbers and file names do not count.
"""

from __future__ import annotations

import dis
import enum
import functools
import hashlib
import numbers
import os
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Binding = dict[Callable, Callable]
"""What to put in the place of each rule's name."""

LIBRARIES = ("numpy", "numba", "math", "builtins")
"""Packages whose functions are Numba's business: named in a fingerprint, never copied."""


CALLED = "called_methods"
"""The attribute of a function that says which methods it calls, by name: see `methods.py`."""

STANDARD = os.path.dirname(os.__file__) + os.sep
"""The folder of Python's own modules. Their functions are only named too, since what they use may change while a
program runs."""


def is_plain_function(value: Any) -> bool:
    """A Python function that has to be specialised along with its caller."""
    if not isinstance(value, types.FunctionType) or value.__module__.split(".")[0] in LIBRARIES:
        return False
    file = value.__code__.co_filename
    return not file.startswith(STANDARD) or "-packages" in file


def code_objects(code: types.CodeType) -> Iterator[types.CodeType]:
    """`code` and the code of what is defined inside it (comprehensions, lambdas)."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from code_objects(constant)


@functools.cache
def global_names(code: types.CodeType) -> list[str]:
    """The names that `code` takes from its module; a field or an attribute of the same name is not meant."""
    instructions = [i for inner in code_objects(code) for i in dis.get_instructions(inner)]
    return sorted({str(i.argval) for i in instructions if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")})


@functools.cache
def dotted_names(code: types.CodeType) -> list[tuple[str, ...]]:
    """What `code` writes as `name.attribute`, or with more dots, where the name is a global one."""
    found = set()
    for inner in code_objects(code):
        chain: tuple[str, ...] = ()
        for instruction in dis.get_instructions(inner):
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                chain = (str(instruction.argval),)
            elif chain and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                chain = (*chain, str(instruction.argval))
                found.add(chain)
            else:
                chain = ()
    return sorted(found)


def references(function: types.FunctionType, binding: Binding) -> dict[str, Any]:
    """The global names that `function` uses, with what each stands for under `binding`.

    A function of another module that it calls as `module.function` has that for its name, a method `self.method`, and
    one that it calls by its class `Class.method`.
    """
    scope = function.__globals__
    found = {name: scope[name] for name in global_names(function.__code__) if name in scope}
    found |= getattr(function, CALLED, {})
    for chain in dotted_names(function.__code__):
        value = scope.get(chain[0])
        for name in chain[1:]:
            value = getattr(value, name, None) if isinstance(value, (types.ModuleType, type)) else None
        if is_plain_function(value):
            found[".".join(chain)] = value
    return {name: binding.get(value, value) if is_plain_function(value) else value for name, value in found.items()}


def reachable(functions: list[types.FunctionType], binding: Binding) -> list[types.FunctionType]:
    """All functions that a call of `functions` can get to, in a fixed order."""
    found: list[types.FunctionType] = []
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.append(function)
            waiting.extend(v for v in references(function, binding).values() if is_plain_function(v))
    return found


def fingerprint(function: types.FunctionType, binding: Binding, salt: str = "") -> str:
    """Sixteen hexadecimal digits that change when anything reachable does."""
    h = hashlib.sha256(salt.encode())
    order: dict[Any, int] = {}
    waiting = [function]
    while waiting:  # with the functions that the user has compiled already, which are not specialised
        for f in reachable([waiting.pop()], binding):
            if f not in order:
                order[f] = len(order)
                waiting.extend(v.py_func for v in references(f, binding).values() if _is_jitted(v))
    for f in order:
        _add(h, f.__qualname__, f.__code__, f.__defaults__, sorted((f.__kwdefaults__ or {}).items()))
        for name, value in references(f, binding).items():
            if isinstance(value, types.ModuleType):
                _add(h, name, _describe_module(value, f.__code__))
            elif _is_jitted(value):
                _add(h, name, order[value.py_func], sorted(value.targetoptions.items()))
            else:
                _add(h, name, order[value] if is_plain_function(value) else value)
    return h.hexdigest()[:16]


def identity(component: Any, names: tuple[str, ...], binding: Binding | None = None) -> str:
    """A fingerprint of those methods and fields of a component, of how it is made, and of all else that they use of it.

    Whoever edits any of it makes another thing. `binding` says what stands in the place of a search's parts.
    """
    binding = binding or {}
    h = hashlib.sha256()
    waiting, seen = ["__init__", *names], set[str]()
    while waiting:
        name = waiting.pop(0)
        if name in seen or not (name in names or component.has_own(name)):
            continue
        seen.add(name)
        value: Any = getattr(type(component), name, None)
        # What a cached property gives may be among the fields of the object, or not yet: its function counts.
        value = value.func if isinstance(value, functools.cached_property) else vars(component).get(name, value)
        if is_plain_function(value):
            _add(h, name, fingerprint(value, binding))
            waiting += sorted(attributes(reachable([value], binding)))
        else:
            _add(h, name, value)
    return h.hexdigest()[:16]


def of_class(kind: type, base: type, binding: Binding) -> str:
    """A fingerprint of all that a class, and those between it and `base`, define, fields of its objects aside."""
    h = hashlib.sha256()
    for owner in kind.__mro__[: kind.__mro__.index(base)]:
        for name, value in sorted(vars(owner).items()):
            value = _unwrapped(value)
            if is_plain_function(value):
                _add(h, name, fingerprint(value, binding))
            elif not (name.startswith("__") and name.endswith("__")):
                _add(h, name, value)
    return h.hexdigest()[:16]


def of_value(value: Any) -> str:
    """A fingerprint of a value: numbers, texts, and what is made of them."""
    return hashlib.sha256(_describe(value).encode()).hexdigest()[:16]


def of_source(source: bytes) -> str:
    """A fingerprint of what a file does; comments and empty lines do not count. Raises if it is not Python."""
    return of_value(compile(source, "", "exec", dont_inherit=True))


def _unwrapped(value: Any) -> Any:
    """The function in a property, a class method or a static method."""
    for name in ("fget", "func", "__func__"):
        value = getattr(value, name, value)
    return value


def _is_jitted(value: Any) -> bool:
    """A function that the user has decorated with Numba's own njit."""
    return isinstance(getattr(value, "py_func", None), types.FunctionType)


def _add(h: Any, *values: Any) -> None:
    for value in values:
        h.update(_describe(value).encode() + b"\0")


def _describe(value: Any) -> str:
    """A text that is the same in every process, and different for different meanings."""
    if isinstance(value, types.CodeType):
        return _describe_code(value)
    if isinstance(value, (set, frozenset)):
        return "set(" + ",".join(sorted(map(_describe, value))) + ")"
    if isinstance(value, dict):
        return "dict(" + ",".join(f"{_describe(key)}:{_describe(item)}" for key, item in value.items()) + ")"
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}(" + ",".join(map(_describe, value)) + ")"
    if isinstance(value, np.ndarray):
        return f"array({value.dtype},{value.shape},{hashlib.sha256(value.tobytes()).hexdigest()})"
    if isinstance(value, enum.Enum):
        return f"{_describe(type(value))}.{value.name}"
    if isinstance(value, enum.EnumMeta):
        members: list[Any] = [(name, value[name].value) for name in value.__members__]
        return f"{value.__module__}.{value.__qualname__}{_describe(members)}"
    if isinstance(value, (numbers.Number, str, bytes, np.generic, np.dtype, type(None), type(...))):
        return f"{type(value).__name__}:{value!r}"
    if _is_jitted(value):
        return "jitted:" + fingerprint(value.py_func, {})
    if isinstance(getattr(value, "_defn", None), types.FunctionType):  # Numba's intrinsics
        return "intrinsic:" + fingerprint(value._defn, {})
    module = _home(getattr(value, "__module__", "") or "")
    name = getattr(value, "__qualname__", getattr(value, "__name__", type(value).__qualname__))
    return f"{module}.{name}{getattr(value, '_fields', '')}"


@functools.cache
def _describe_code(code: types.CodeType) -> str:
    parts = [code.co_code, code.co_names, code.co_varnames, code.co_freevars, *code.co_consts]
    parts += [code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_exceptiontable]
    return "code(" + ",".join(map(_describe, parts)) + ")"


def _home(module: str) -> str:
    """Where a class is defined: by its path if that is a user's file, which is `__main__` in one process only."""
    found = sys.modules.get(module)
    if module in ("__main__", "__mp_main__") or hasattr(found, "__ludus_file__"):
        return os.path.realpath(getattr(found, "__file__", None) or "")
    return module


def _describe_module(module: types.ModuleType, code: types.CodeType, seen: tuple[types.ModuleType, ...] = ()) -> str:
    """What `code` may mean by `module.name`: Numba compiles the values of such constants in."""
    if module.__name__.split(".")[0] in LIBRARIES or module in seen:
        return module.__name__
    parts = []
    for name in sorted({name for inner in code_objects(code) for name in inner.co_names} & vars(module).keys()):
        value = vars(module)[name]
        is_module = isinstance(value, types.ModuleType)
        parts.append(f"{name}={_describe_module(value, code, (*seen, module)) if is_module else _describe(value)}")
    return f"{module.__name__}({','.join(parts)})"


def attributes(functions: list[types.FunctionType]) -> dict[str, types.FunctionType]:
    """The names `x` in `something.x`, where `something` is a local variable, and a function that says so."""
    found: dict[str, types.FunctionType] = {}
    for function in functions:
        for name in local_attributes(function.__code__):
            found.setdefault(name, function)
    return found


@functools.cache
def local_attributes(code: types.CodeType) -> list[str]:
    """What `code` writes as `something.x`, where `something` is a local variable: the names `x`, in order."""
    found = []
    for inner in code_objects(code):
        before = ""
        for instruction in dis.get_instructions(inner):
            local = before.startswith(("LOAD_FAST", "LOAD_DEREF"))
            if local and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                found.append(str(instruction.argval))
            before = instruction.opname
    return list(dict.fromkeys(found))
