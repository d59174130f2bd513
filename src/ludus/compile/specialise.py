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
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludus.common.errors import LudusError, NotCompilable, UncachedWarning
from ludus.compile import cache
from ludus.compile.explain import explain, failures_explained, is_understood
from ludus.compile.fingerprint import Binding, attributes, fingerprint, is_plain_function, references
from ludus.compile.generated import HOME
from ludus.compile.methods import positional
from ludus.kernel import bits, boards, casts, form, layout, lock, records
from ludus.kernel.layout import Layout
from ludus.kernel.prefetch import prefetch
from ludus.kernel.records import constant, record

CALLABLE = "a rule calls rules, methods of its own class with self or @staticmethod, and functions"


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
    """A program bound to a game and an evaluator, before anything is compiled (`runtime/plan.py` makes it)."""

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

    def record(self, component: Any, **extra: Any) -> Any:
        """The record that stands for `component` in compiled code."""
        values = {}
        for name in self.names:
            is_method = name not in vars(component) and callable(getattr(type(component), name, None))
            if name in extra or not (is_method or component.has_own(name)):
                continue
            value = getattr(component, name)
            try:
                if callable(value):
                    raise NotCompilable(f"{name}() cannot be compiled: {CALLABLE}.")
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


def specialise(made: Plan, arguments: tuple[Any, ...], announce: Callable[[], None]) -> Kernel:
    """Compile the plan for these arguments, or take it from the cache; `announce` is called before compiling.

    Kernels are compiled without Numba's reference counts if they can be, which takes less time. A rule that allocates
    an array needs them, and gets them; the arguments' own arrays are not counted even then (`unowned_array.py`).
    """
    with failures_explained(), _without_warnings():
        builds, directory = _builds(made, arguments), cache.usable_directory()
        for build in builds:
            if build.key in _kernels:
                return _kernels[build.key]
        hopeless = cache.read_note(directory, builds[0].place()) if directory is not None else ""
        if hopeless:
            raise NotCompilable(hopeless)
        cached = [build for build in builds if build.is_cached(directory)]
    if not cached:
        announce()
    with failures_explained(), _without_warnings():
        kernel = _first_to_compile(cached or builds, directory)
    _kernels[kernel.fingerprint] = kernel
    return kernel


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Numba's own warnings are of no use to those who read ours."""
    from numba.core.errors import NumbaWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)
        yield


def _builds(made: Plan, arguments: tuple[Any, ...]) -> list[_Build]:
    """The ways in which to compile a plan for these arguments, the best first."""
    import numba

    from ludus.compile.record_type import native_type

    if numba.config.DISABLE_JIT:
        raise NotCompilable("NUMBA_DISABLE_JIT is set.")
    try:
        signature = tuple(map(native_type, arguments))
    except Exception as error:
        raise NotCompilable(f"a field or an element of the state has no compiled type: {error}.") from error
    salt = f"{sys.version_info[:3]} {numba.__version__} {_own_version()} {bool(numba.config.BOUNDSCHECK)}"
    ways = (True,) if made.layout.has_arrays else (False, True)
    return [_Build(made, signature, f"{salt} {counts}", counts) for counts in ways]


@functools.cache
def _own_version() -> str:
    """A digest of what decides how code is compiled: what another version of it has compiled is not to be loaded."""
    digest = hashlib.sha256()
    how_states_are_stored = [Path(module.__file__ or "") for module in (records, layout, form, casts)]
    for file in [*sorted(Path(__file__).parent.glob("*.py")), *how_states_are_stored]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _first_to_compile(builds: list[_Build], directory: Path | None) -> Kernel:
    for build in builds:
        try:
            return build.compile(directory)
        except LudusError:
            raise
        except Exception as error:  # whatever the compiler may raise: the same source runs interpreted
            if build is not builds[-1]:
                continue
            copies = _jit(build.made, "", counts=True, key="", parts={})
            reason = explain(build.made, build.signature, copies, error)
            if directory is not None and is_understood(error):
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
        from ludus.compile.sealed import is_sound

        if directory is None:
            return False
        return all(any(is_sound(file) for file in directory.glob(f"*{self.key}*.{kind}")) for kind in ("nbi", "nbc"))

    def compile(self, directory: Path | None) -> Kernel:
        from ludus.compile.sealed import cache_of

        _, game, evaluator, _, _ = self.signature
        copies = _jit(
            self.made, f"{self.salt} {game} {evaluator} {self.made.layout.form}", self.counts, self.key, _parts
        )
        step = copies[self.made.step]
        before = {f: len(copy.signatures) for f, copy in copies.items()}
        if directory is None:
            what = f"compiled code cannot be kept in {cache.directory()}, nor in a temporary folder"
            warnings.warn(UncachedWarning(f"{what}: it is compiled anew each time."), stacklevel=2)
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

    from ludus.compile.pipeline import Compiler

    copies, fresh = {}, []
    inlined = _to_inline(made)
    for function in made.functions:
        mark = key if function is made.step else fingerprint(function, made.binding, salt)
        if mark in parts:
            copies[function] = parts[mark]
            continue
        code, defaults = positional(function)
        copy = types.FunctionType(code, {}, function.__name__, defaults)
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


@functools.cache
def natives() -> Binding:
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

    from ludus.compile import intrinsics

    found: Binding = {bits.popcount: popcount, bits.lowest_bit: lowest_bit, bits.highest_bit: highest_bit}
    found |= {lock.peek: intrinsics.peek, lock.swap: intrinsics.swap, lock.put: intrinsics.put}
    return found | {boards.replace: intrinsics.replace, prefetch: intrinsics.prefetch}
