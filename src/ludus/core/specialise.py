"""Plain Python, specialised, then compiled: the one idea of the library.

A search's `step` and everything it calls are plain functions written against the names of `rules.py`.
`specialise` copies them with those names bound to one game's and one evaluator's functions (an ML functor) and
passes each copy through Numba: one native program for each (search, game, evaluator). Interpreted, the very
same source runs as it stands. This is the only module that knows Numba.

In compiled code `self` is a record of those fields of the object that the code names, so parameters are run-time
values: another instance of the same class needs no new compilation.
"""

from __future__ import annotations

import re
import sys
import types
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus.core import cache, rules
from ludus.core.component import Component
from ludus.core.errors import NotCompilable
from ludus.core.evaluator import Evaluator
from ludus.core.fingerprint import Binding, attributes, fingerprint, is_plain_function, reachable, references
from ludus.core.game import Game
from ludus.core.records import Layout, record

HOME = "ludus.core.records"
"""The module that all copies claim to live in: every process can import it, which Numba's cache needs."""

GAME_RULES = (rules.moves, rules.play, rules.score)
EVALUATOR_RULES = (rules.evaluate, rules.final)


@dataclass
class Kernel:
    """A search's `step`, compiled for one game and one evaluator, ready to be called."""

    entry: Callable
    """The native function, without Numba's dispatch by type."""
    dispatchers: dict[str, Any] = field(repr=False)
    """Every function that went into it, by name; the first is `step` itself."""
    fingerprint: str = ""

    @property
    def cache_hits(self) -> int:
        return sum(next(iter(self.dispatchers.values())).stats.cache_hits.values())

    @property
    def signatures(self) -> dict[str, int]:
        """How many signatures each function was compiled for: one, or none if it came from the cache."""
        return {name: len(d.signatures) for name, d in self.dispatchers.items()}


@dataclass
class Plan:
    """What `specialise` makes of a search, a game and an evaluator before anything is compiled."""

    step: types.FunctionType
    binding: Binding
    methods: dict[Callable, types.FunctionType]
    functions: list[types.FunctionType]
    layout: Layout
    reasons: list[str] = field(default_factory=list)
    """Why it may not compile: fields that no record can hold."""

    def record(self, component: Component, **extra: Any) -> Any:
        """The record that stands for `component` in compiled code."""
        values = {}
        for name, function in sorted(attributes(self.functions).items()):
            if name in extra or not _is_field(component, name):
                continue
            value = getattr(component, name)
            try:
                if callable(value):
                    raise NotCompilable(f"{name}() is called on {component.title}: use a module-level function.")
                record({name: value})
            except NotCompilable as reason:
                code = function.__code__
                self.reasons.append(
                    f"{function.__qualname__} ({code.co_filename}, line {code.co_firstlineno}): {reason}"
                )
            else:
                values[name] = value
        return record(values | extra)


def plan(search: Component, game: Game, evaluator: Evaluator) -> Plan:
    """Bind the rules' names for this search, game and evaluator."""
    layout = game.layout
    if not layout.flat:
        kind = type(game.start).__name__
        raise NotCompilable(f"the states of {game.title} are not tuples of numbers but {kind} objects.")
    methods: dict[Callable, types.FunctionType] = {r: getattr(type(game), r.__name__) for r in GAME_RULES}
    methods |= {r: getattr(type(evaluator), r.__name__) for r in EVALUATOR_RULES}
    for rule, method in methods.items():
        if not is_plain_function(method) or method.__closure__:
            raise NotCompilable(f"rule {rule.__name__} is not a plain method (it may not use super() or closures).")
    binding: Binding = {}
    for name, wrapper in _wrappers(layout, methods).items():
        binding[getattr(rules, name)] = wrapper
    step = type(search).step  # type: ignore[attr-defined]
    return Plan(step, binding, methods, reachable([step], binding), layout)


def specialise(made: Plan, arguments: tuple[Any, ...], announce: Callable[[], None]) -> Kernel:
    """Compile the plan for these arguments, or take it from the cache; `announce` is called before compiling.

    Kernels are compiled without Numba's reference counts, which cost ten times the work itself (measured: minimax on
    tic-tac-toe 1 against 13 million nodes/s). A rule that allocates an array needs them, and gets them.
    """
    import numba
    from numba.core import errors

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.NumbaWarning)
        signature = tuple(numba.typeof(argument) for argument in arguments)
        salt = f"{sys.version_info[:3]} {numba.__version__} {bool(numba.config.BOUNDSCHECK)} {signature}"
        bare, counted = (_Build(made, signature, f"{salt} {counts}", counts) for counts in (False, True))
        for build in (bare, counted):
            if build.key in _kernels:
                return _kernels[build.key]
        directory = cache.usable_directory()
        hopeless = cache.read_note(directory, bare.key)
        if hopeless:
            raise NotCompilable(hopeless)
        if counted.is_cached(directory):
            kernel = counted.compile(directory)
        else:
            if not bare.is_cached(directory):
                announce()
            try:
                kernel = bare.compile(directory)
            except (errors.NumbaError, RuntimeError):
                try:
                    kernel = counted.compile(directory)
                except (errors.NumbaError, RuntimeError) as error:
                    reason = _explain(made, signature, error)
                    cache.write_note(directory, bare.key, reason)
                    raise NotCompilable(reason) from error
    _kernels[kernel.fingerprint] = kernel
    return kernel


@dataclass
class _Build:
    """One way of compiling a plan, with or without reference counts, and its entry in the cache."""

    made: Plan
    signature: tuple[Any, ...]
    salt: str
    counts: bool

    def __post_init__(self) -> None:
        self.key = fingerprint(self.made.step, self.made.binding, self.salt)

    def is_cached(self, directory: Path) -> bool:
        return any(directory.glob(f"*{self.key}*.nbc"))

    def compile(self, directory: Path) -> Kernel:
        copies = _jit(self.made, self.salt, self.counts)
        step = copies[self.made.step]
        _enable_cache(step, str(directory))
        if self.is_cached(directory):
            entry = step.compile(self.signature)
            cache.touch(directory, self.key)
        else:
            with cache.locked(directory, self.key):
                entry = step.compile(self.signature)
            cache.prune(directory, keep=self.key)
        return Kernel(entry, {d.py_func.__qualname__: d for d in copies.values()}, self.key)


_kernels: dict[str, Kernel] = {}


def _jit(made: Plan, salt: str, counts: bool) -> dict[types.FunctionType, Any]:
    """Copies of all the functions, their names bound to each other, each ready for Numba to compile."""
    import numba

    copies = {}
    for function in made.functions:
        copy = types.FunctionType(function.__code__, {}, function.__name__, function.__defaults__)
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__qualname__ = f"{function.__qualname__}__{fingerprint(function, made.binding, salt)}"
        copy.__module__ = HOME
        copies[function] = numba.njit(nogil=True, _nrt=counts)(copy)
    for function, dispatcher in copies.items():
        scope = dispatcher.py_func.__globals__
        scope["__builtins__"] = __builtins__
        scope["__name__"] = HOME
        for name, value in references(function, made.binding).items():
            scope[name] = copies[value] if is_plain_function(value) else value
    return copies


def _enable_cache(dispatcher: Any, directory: str) -> None:
    """Let Numba keep this function in our directory, under its fingerprint alone: file times do not matter."""
    from numba.core import caching

    class Locator(caching._CacheLocator):
        _py_file = "ludus"

        def get_cache_path(self) -> str:
            return directory

        def get_source_stamp(self) -> str:
            return "fingerprint"

        def get_disambiguator(self) -> str:
            return "ludus"

        @classmethod
        def from_function(cls, py_func: Any, py_file: Any) -> Locator:
            return cls()

    class Implementation(caching.CompileResultCacheImpl):
        _locator_classes = [Locator]

    class FingerprintCache(caching.Cache):
        _impl_class = Implementation

    dispatcher._cache = FingerprintCache(dispatcher.py_func)


def _explain(made: Plan, signature: tuple[Any, ...], error: Exception) -> str:
    """Why it does not compile, in one sentence with the rule and the line: each rule is tried by itself."""
    from numba import from_dtype, int64, types
    from numba.core.errors import NumbaError

    if made.reasons:
        return made.reasons[0]
    _, game, evaluator, _, _ = signature
    state = types.Tuple([from_dtype(dtype) for dtype in made.layout.dtypes or ()])
    takes = {"moves": (game, state, int64[::1]), "play": (game, state, int64), "score": (game, state)}
    takes |= dict.fromkeys(("evaluate", "final"), (evaluator, game, state))
    copies = _jit(made, "", counts=True)
    for rule, method in made.methods.items():
        if method in copies:
            try:
                copies[method].compile(takes[rule.__name__])
            except (NumbaError, RuntimeError) as found:
                return f"rule {rule.__name__} does not compile: {_first_line(found, method.__code__)}"
    return f"it does not compile: {_first_line(error, made.step.__code__)}"


def _first_line(error: Exception, code: types.CodeType) -> str:
    """Numba's message without its decoration, and the line of the source."""
    lines = [line.strip() for line in re.sub(r"\x1b\[[0-9;]*m", "", str(error)).splitlines() if line.strip()]
    what = next((line for line in lines if not line.startswith(("Failed in", "During:"))), type(error).__name__)
    place = re.findall(r'File "([^"]*)", line (\d+)', str(error))
    line = place[-1][1] if place else code.co_firstlineno
    return f"{what.rstrip(':.')} ({code.co_filename}, line {line})."


def _is_field(component: Component, name: str) -> bool:
    """Whether `self.name` is the component's own data or method, not machinery that all components share."""
    if name in vars(component):
        return name not in ("layout", "start", "meter", "scratch")
    shared = (Game, Evaluator, Component)
    return any(name in vars(cls) for cls in type(component).__mro__ if cls not in shared and cls is not object)


def _wrappers(layout: Layout, methods: Mapping[Callable, Callable]) -> dict[str, types.FunctionType]:
    """The rules of `rules.py` for compiled code: the same counting, and states cast to their columns' types.

    Without the cast types drift (a literal 0 here, a uint64 there) and a kernel gets several signatures.
    """
    assert layout.dtypes is not None
    casts = ", ".join(f"{'bool' if d.kind == 'b' else f'np.{d.name}'}(after[{i}])" for i, d in enumerate(layout.dtypes))
    loads = ", ".join(f"columns[{i}][index]" for i in range(len(layout.dtypes)))
    stores = "\n".join(f"    columns[{i}][index] = state[{i}]" for i in range(len(layout.dtypes)))
    mixes = "\n".join(
        f"    h = mix(h ^ {f'np.float64(state[{i}]).view(np.uint64)' if d.kind == 'f' else f'np.uint64(state[{i}])'})"
        for i, d in enumerate(layout.dtypes)
    )
    source = f"""
def moves(game, state, out):
    n = np.int64(rule_moves(game, state, out))
    if n < 0 or n > out.size - SLACK:
        raise ValueError("max_moves")
    return n

def play(game, state, move):
    game.meter[GENERATED] += 1
    after = rule_play(game, state, move)
    return ({casts},)

def score(game, state):
    return np.float64(rule_score(game, state))

def evaluate(evaluator, game, state):
    game.meter[EVALUATED] += 1
    return np.float64(rule_evaluate(evaluator, game, state))

def final(evaluator, game, state):
    game.meter[EVALUATED] += 1
    return np.float64(rule_final(evaluator, game, state))

def load(columns, index):
    return ({loads},)

def store(columns, index, state):
{stores}

def digest(state):
    h = GAMMA
{mixes}
    return h
"""
    scope: dict[str, Any] = {"__name__": HOME, "np": rules.np, "SLACK": rules.SLACK, "GAMMA": rules.GAMMA}
    scope |= {"GENERATED": rules.GENERATED, "EVALUATED": rules.EVALUATED, "mix": rules.mix}
    scope |= {f"rule_{rule.__name__}": method for rule, method in methods.items()}
    exec(compile(source, "<ludus rules>", "exec"), scope)
    return {rule.__name__: scope[rule.__name__] for rule in rules.RULES}
