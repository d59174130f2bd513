"""What is to be compiled, `Plan`, and what comes of it, `Kernel`."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludus.common.errors import NotCompilable
from ludus.compile.fingerprint import Binding, attributes
from ludus.kernel.layout import Layout
from ludus.kernel.records import record

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
