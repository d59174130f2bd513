"""Plain Python, specialised, then compiled: the one idea of the library.

A search's `step` and everything it calls are plain functions written against the names of `rules.py`.
`specialise` copies them with those names bound to one game's and one evaluator's functions (an ML functor) and
passes each copy through Numba: one native program for each (search, game, evaluator). Interpreted, the very
same source runs as it stands. This is the only module that knows Numba.

In compiled code `self` is a record of those fields of the object that the code names, so parameters are run-time
values: another instance of the same class needs no new compilation.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludus.core import alternation, bits, boards, lock, rules
from ludus.core.compile import cache
from ludus.core.compile.fingerprint import Binding, attributes, fingerprint, is_plain_function, reachable, references
from ludus.core.compile.generated import HOME, turns, wrappers
from ludus.core.compile.layout import Layout
from ludus.core.compile.records import constant, record
from ludus.core.component import Component
from ludus.core.errors import NotCompilable
from ludus.core.evaluator import Evaluator
from ludus.core.game import Game
from ludus.core.parts import parts_of
from ludus.core.plain_board import rule_of
from ludus.core.prefetch import prefetch
from ludus.core.remedies import after_compiling


@dataclass
class Kernel:
    """A program's `step`, compiled for one game and one evaluator, ready to be called."""

    entry: Callable
    """The native function, without Numba's dispatch by type."""
    dispatchers: dict[str, Any] = field(repr=False)
    """Every function that went into it, by name; the first is `step` itself."""
    fingerprint: str = ""
    counts: bool = False
    """Whether it was compiled with reference counts, many times slower: some function allocates or returns an array."""
    signatures: dict[str, int] = field(default_factory=dict, repr=False)
    """How many signatures each function was compiled for: one, or none if it came from the cache or another kernel."""

    @property
    def cache_hits(self) -> int:
        return sum(next(iter(self.dispatchers.values())).stats.cache_hits.values())


@dataclass
class Plan:
    """What `specialise` makes of a program, a game and an evaluator before anything is compiled."""

    step: types.FunctionType
    binding: Binding
    methods: dict[str, types.FunctionType]
    functions: list[types.FunctionType]
    layout: Layout
    reasons: dict[str, str] = field(default_factory=dict)
    """Why it may not compile: fields that no record can hold, by name."""

    @functools.cached_property
    def names(self) -> list[str]:
        """The names of the fields that the code uses."""
        return sorted(attributes(self.functions))

    def record(self, component: Component, **extra: Any) -> Any:
        """The record that stands for `component` in compiled code."""
        values = {}
        for name in self.names:
            if name in extra or not component.has_own(name):
                continue
            value = getattr(component, name)
            try:
                if callable(value):
                    raise NotCompilable(f"{name}() is called on {component.title}: use a module-level function.")
                record({name: value})
            except NotCompilable as reason:
                self.reasons.setdefault(name, str(reason))
            else:
                values[name] = value
        return record(values | extra)


def same_types(some: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    """Whether two lots of records have fields of the same types, so that the same kernel serves both."""
    return [_types(record) for record in some] == [_types(record) for record in others]


def _types(value: Any) -> Any:
    if isinstance(value, tuple):
        return type(value), [_types(item) for item in value]
    return (value.dtype, value.ndim) if isinstance(value, np.ndarray) else type(value)


def plan(program: Any, game: Game, evaluator: Evaluator) -> Plan:
    """Bind the rules' names for this game and evaluator, and the parts' for this program."""
    layout = game.layout
    if not layout.fixed:
        raise NotCompilable(f"the states of {game.title} {layout.reason}.")
    owners = {"game": type(game), "evaluator": type(evaluator)}
    methods: dict[str, types.FunctionType] = {rule.name: getattr(owners[rule.owner], rule.name) for rule in rules.RULES}
    for name, method in methods.items():
        if not is_plain_function(method) or method.__closure__:
            what = f"rule {name} is not a plain method, or uses super() or a closure"
            raise NotCompilable(f"{what} {_place(method)}.")
    binding: Binding = _natives() | parts_of(type(program), program.unused_parts(game))
    if not type(game).alternates:
        own_rules = alternation.own_rules(game) | {
            alternation.own_evaluate: methods["evaluate"],
            alternation.own_final: methods["final"],
        }
        binding |= turns(game.own_layout, own_rules, evaluator.sees_passes)
        methods |= {"evaluate": alternation.evaluate, "final": alternation.final}  # type: ignore[dict-item]
    step = type(program).step
    functions = reachable([step], binding | (bound := wrappers(layout, methods)))
    if bound[rules.cells] in functions and not game.has_rule("cells"):
        if game.plain_board is None:
            raise NotCompilable(f"{game.title} has neither the rule cells nor a plain board.")
        bound = wrappers(layout, methods | {"cells": rule_of(game.plain_board)})
        functions = reachable([step], binding | bound)
    binding |= bound
    for function in functions:
        if function.__closure__:
            raise NotCompilable(
                f"{function.__qualname__} is a closure, not a module-level function {_place(function)}."
            )
    return Plan(step, binding, methods, functions, layout)


def specialise(made: Plan, arguments: tuple[Any, ...], announce: Callable[[], None]) -> Kernel:
    """Compile the plan for these arguments, or take it from the cache; `announce` is called before compiling.

    Kernels are compiled without Numba's reference counts if they can be, which takes less time. A rule that allocates
    an array needs them, and gets them; the arguments' own arrays are not counted even then (`borrowed.py`).
    """
    import numba
    from numba.core import errors

    from ludus.core.compile.record_type import native_type

    if numba.config.DISABLE_JIT:
        raise NotCompilable("NUMBA_DISABLE_JIT is set.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.NumbaWarning)
        try:
            signature = tuple(map(native_type, arguments))
        except (errors.NumbaError, ValueError) as error:
            raise NotCompilable(f"a field or an element of the state has no compiled type: {error}.") from error
        versions = f"{sys.version_info[:3]} {numba.__version__} {_own_version()}"
        salt = f"{versions} {bool(numba.config.BOUNDSCHECK)}"
        ways = (True,) if made.layout.has_arrays else (False, True)
        builds = [_Build(made, signature, f"{salt} {counts}", counts) for counts in ways]
        for build in builds:
            if build.key in _kernels:
                return _kernels[build.key]
        directory = cache.usable_directory()
        hopeless = cache.read_note(directory, builds[0].place()) if directory is not None else ""
        if hopeless:
            raise NotCompilable(hopeless)
        cached = [build for build in builds if build.is_cached(directory)]
        if not cached:
            announce()
        kernel = _first_to_compile(cached or builds, directory)
    _kernels[kernel.fingerprint] = kernel
    return kernel


@functools.cache
def _own_version() -> str:
    """A digest of this folder: what another version of it has compiled is not to be loaded."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _first_to_compile(builds: list[_Build], directory: Path | None) -> Kernel:
    from numba.core.errors import NumbaError, UnsupportedBytecodeError

    for build in builds:
        try:
            return build.compile(directory)
        except (NumbaError, UnsupportedBytecodeError, RuntimeError) as error:
            if build is builds[-1]:
                reason = _explain(build.made, build.signature, error)
                if directory is not None:
                    cache.write_note(directory, builds[0].place(), reason)
                raise NotCompilable(reason) from error
    raise AssertionError("there is always a build")


@dataclass
class _Build:
    """One way of compiling a plan, with or without reference counts, and its entry in the cache."""

    made: Plan
    signature: tuple[Any, ...]
    salt: str
    counts: bool

    def __post_init__(self) -> None:
        self.key = fingerprint(self.made.step, self.made.binding, f"{self.salt} {self.signature}")

    def place(self) -> str:
        """The key with the files and lines of the functions, since the reason why one does not compile names them."""
        places = sorted((f.__code__.co_filename, f.__code__.co_firstlineno) for f in self.made.functions)
        return f"{self.key}-{hashlib.sha256(repr(places).encode()).hexdigest()[:16]}"

    def is_cached(self, directory: Path | None) -> bool:
        """Whether there is an entry, and it is sound."""
        from ludus.core.compile.sealed import is_sound

        if directory is None:
            return False
        return all(any(is_sound(file) for file in directory.glob(f"*{self.key}*.{kind}")) for kind in ("nbi", "nbc"))

    def compile(self, directory: Path | None) -> Kernel:
        from ludus.core.compile.sealed import cache_of

        _, game, evaluator, _, _ = self.signature
        copies = _jit(
            self.made, f"{self.salt} {game} {evaluator} {self.made.layout.form}", self.counts, self.key, _parts
        )
        step = copies[self.made.step]
        before = {f: len(copy.signatures) for f, copy in copies.items()}
        if directory is None:
            what = f"compiled code cannot be kept in {cache.directory()}, nor in a temporary folder"
            warnings.warn(cache.UncachedWarning(f"{what}: it is compiled anew each time."), stacklevel=2)
            entry = step.compile(self.signature)
        elif self.is_cached(directory):
            step._cache = cache_of(step.py_func, str(directory))
            entry = step.compile(self.signature)
            cache.touch(directory, self.key)
        else:
            step._cache = cache_of(step.py_func, str(directory))
            with cache.locked(directory, self.key):
                entry = step.compile(self.signature)
            cache.prune(directory, keep=self.key)
        new = {copy.py_func.__qualname__: len(copy.signatures) - before[f] for f, copy in copies.items()}
        return Kernel(entry, {copy.py_func.__qualname__: copy for copy in copies.values()}, self.key, self.counts, new)


_kernels: dict[str, Kernel] = {}

_parts: dict[str, Any] = {}
"""What this process has compiled for other kernels, by fingerprint: two searches share the rules of a game."""


def _jit(made: Plan, salt: str, counts: bool, key: str, parts: dict[str, Any]) -> dict[types.FunctionType, Any]:
    """Copies of all the functions, their names bound to each other, each ready for Numba to compile.

    Those among `parts` are taken from there, the others are put there; `step` is this kernel's own and has its key.
    """
    import numba

    from ludus.core.compile.pipeline import Compiler

    copies, fresh = {}, []
    inlined = _to_inline(made)
    for function in made.functions:
        mark = key if function is made.step else fingerprint(function, made.binding, salt)
        if mark in parts:
            copies[function] = parts[mark]
            continue
        copy = types.FunctionType(function.__code__, {}, function.__name__, function.__defaults__)
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__qualname__ = f"{function.__qualname__}__{mark}"
        copy.__module__ = HOME
        options = {"nogil": True, "_nrt": counts, "no_cfunc_wrapper": True}
        if function is not made.step:  # never called from Python: half the time to compile (measured)
            options |= {"no_cpython_wrapper": True, "forceinline": function in inlined}
        copies[function] = numba.njit(**options, pipeline_class=Compiler)(copy)
        _ignore_literals(copies[function])
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
    """Let `name` stand for a value in a scope; one with dots, in a copy of the module that has it."""
    module, _, rest = name.partition(".")
    if not rest:
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


def _ignore_literals(dispatcher: Any) -> None:
    """Let `f(x, 0)` and `f(x, n)` be the same signature; Numba would compile `f` for the literal 0 again.

    Also `f(tree.low, n)` and `f(tree.high, n)`, where the columns are fields of structures.
    """
    from numba import types
    from numba.core.errors import TypingError

    def plain(kind: Any) -> Any:
        if isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral)):
            return types.unliteral(kind)
        return getattr(kind, "anywhere", kind)

    def get_call_template(args: Any, kws: Any) -> Any:
        same = tuple(map(plain, args)), {name: plain(kind) for name, kind in dict(kws).items()}
        try:
            return ask(*same)
        except TypingError:
            if same == (tuple(args), dict(kws)):
                raise
            return ask(args, kws)  # an index into a tuple of different types must be literal

    ask, dispatcher.get_call_template = dispatcher.get_call_template, get_call_template


def _explain(made: Plan, signature: tuple[Any, ...], error: Exception) -> str:
    """Why it does not compile, in one sentence with the rule and the line: each rule is tried by itself."""
    from numba import float64, int64
    from numba.core.errors import NumbaError, UnsupportedBytecodeError

    from ludus.core.compile.intrinsics import state_type

    _, game, evaluator, _, _ = signature
    state = state_type(made.layout.form)
    kinds = {"game": game, "evaluator": evaluator, "state": state, "move": int64, "out": int64[::1]}
    kinds |= {"probabilities": float64[::1], "numbers": float64[::1]}
    kinds |= {"places": int64[::1], "contents": int64[::1]}
    copies = _jit(made, "", counts=True, key="", parts={})
    for rule in rules.RULES:
        method = made.methods[rule.name]
        if method in copies:
            try:
                copies[method].compile(tuple(kinds[argument] for argument in rule.arguments))
            except (NumbaError, UnsupportedBytecodeError, RuntimeError) as found:
                return f"rule {rule.name} does not compile: {_first_line(made, found, method)}"
    return f"it does not compile: {_first_line(made, error, made.step)}"


def _first_line(made: Plan, error: Exception, function: types.FunctionType) -> str:
    """Numba's message without its decoration, or the reason we know better, and the line of the source."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    what = next((line for line in lines if not line.startswith(("Failed in", "During:"))), type(error).__name__)
    what = after_compiling(text) or what.partition(" Raised from ")[0]
    missing = re.search(r"Unknown attribute '(\w+)' of type Record__", what)
    if missing:
        what = made.reasons.get(missing[1], what)
    ours = {os.path.abspath(f.__code__.co_filename) for f in made.functions}
    found = re.findall(r'File "([^"]*)", line (\d+)', text) or re.findall(r"Raised from (.*) \((\d+)\)", text)
    found = [(os.path.abspath(file), line) for file, line in found if os.path.abspath(file) in ours]
    return f"{what.rstrip(':.')} {_place(function, *found[:1])}."


def _place(function: Any, found: tuple[str, str] | None = None) -> str:
    """Where to look: what was found, or else the beginning of the function."""
    code = getattr(function, "__code__", None)
    file, line = found or ((code.co_filename, code.co_firstlineno) if code else ("?", "?"))
    return f"({file}, line {line})"


@functools.cache
def _natives() -> Binding:
    """The processor's own instructions for `bits.py`, `lock.py` and `prefetch.py`; and `boards.py` for Numba."""
    from llvmlite import ir
    from numba import types as nb
    from numba.extending import intrinsic

    @intrinsic
    def popcount(typing, bits):
        def generate(context, builder, signature, arguments):
            return builder.ctpop(arguments[0])

        return nb.int64(nb.uint64), generate

    @intrinsic
    def lowest_bit(typing, bits):
        def generate(context, builder, signature, arguments):
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return nb.int64(nb.uint64), generate

    @intrinsic
    def highest_bit(typing, bits):
        def generate(context, builder, signature, arguments):
            zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return nb.int64(nb.uint64), generate

    from ludus.core.compile import intrinsics

    found: Binding = {bits.popcount: popcount, bits.lowest_bit: lowest_bit, bits.highest_bit: highest_bit}
    found |= {lock.peek: intrinsics.peek, lock.swap: intrinsics.swap, lock.put: intrinsics.put}
    return found | {boards.replace: intrinsics.replace, prefetch: intrinsics.prefetch}
