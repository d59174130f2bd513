"""Numba's own work, done once instead of again and again: all answers stay the same.

A kernel asks thousands of times what `a[i]` or `a + b` means for a few types, and each time Numba tries every meaning
that it knows.
"""

from __future__ import annotations

import functools
from typing import Any

from numba.core import types
from numba.core.targetconfig import TargetConfig
from numba.np import arrayobj


def patch_numba() -> None:
    """Let Numba remember what it has found out, in this process, from now on."""
    _compare_options_quickly()
    _remember_operators()
    _remember_arrays()


def _compare_options_quickly() -> None:
    """Compare those options of two sets that are not at their defaults; Numba compares all, and so does its hash."""

    def equal(self: Any, other: Any) -> Any:
        if type(self) is not type(other):
            return NotImplemented
        ours, others, options = self._values, other._values, self.options
        return ours == others or all(
            ours.get(name, options[name].default) == others.get(name, options[name].default)
            for name in ours.keys() | others.keys()
        )

    @functools.cache
    def hash_of(options: tuple[str, ...]) -> int:
        return hash(tuple(sorted(options)))

    TargetConfig.__eq__ = equal
    TargetConfig.__hash__ = lambda self: hash_of(tuple(self.options))


def _remember_operators() -> None:
    """Remember what an operator means for some types, unless a function had to be compiled to say it.

    Such a function may depend on the options; and a type of function that learns new meanings is a new type.
    """
    function: Any = types.functions.BaseFunction
    slowly, known = function.get_call_type, dict[Any, Any]()

    def get_call_type(self: Any, context: Any, arguments: Any, keywords: Any) -> Any:
        if keywords:
            return slowly(self, context, arguments, keywords)
        question = self, tuple(arguments)
        if question not in known:
            found = slowly(self, context, arguments, keywords)
            if found is None or self._impl_keys.get(found.args) is not self.typing_key:
                return found
            known[question] = found
        return known[question]

    function.get_call_type = get_call_type


def _remember_arrays() -> None:
    """Remember how an array of some type is laid out; Numba asks for each use of one whether it is an array at all."""
    slowly = arrayobj.make_array

    @functools.cache
    def make_array(kind: Any) -> Any:
        made = slowly(kind)
        if kind.as_array is kind:
            made._make_refs = made.__base__._make_refs
        return made

    arrayobj.make_array = make_array
