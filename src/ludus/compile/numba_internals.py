"""All that ludus uses of Numba beyond its public names: another version may have it otherwise.

Public are `numba`, `numba.types`, `numba.extending`, `numba.core.errors` and `numba.core.cgutils`; every other name is
imported here, and nowhere else. `unfamiliar` says what a version has otherwise than we know it; `fit.py` asks, and then
`plain.py` compiles with public names alone.

A kernel asks thousands of times what `a[i]` or `a + b` means for a few types, and each time Numba tries every meaning
that it knows. `patch_numba` lets it remember the answers while a kernel is compiled; they stay the same.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.binding import Linkage, address_of_symbol
from numba import _dynfunc, types
from numba.core import caching, codegen, compiler, errors, ir
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.datamodel import models, register_default
from numba.core.environment import lookup_environment
from numba.core.ir_utils import build_definitions, get_definition, guard
from numba.core.lowering import Lower
from numba.core.pythonapi import NativeValue, unbox
from numba.core.targetconfig import TargetConfig
from numba.core.typeconv import Conversion
from numba.core.typed_passes import NativeLowering, NopythonRewrites
from numba.core.typing.templates import AttributeTemplate
from numba.core.untyped_passes import InlineClosureLikes
from numba.np import arrayobj
from numba.np.numpy_support import as_dtype

__all__ = [
    "AttributeTemplate",
    "Conversion",
    "FunctionPass",
    "InlineClosureLikes",
    "Linkage",
    "Lower",
    "NativeLowering",
    "NativeValue",
    "NopythonRewrites",
    "PassManager",
    "address_of_symbol",
    "as_dtype",
    "build_definitions",
    "caching",
    "codegen",
    "compiler",
    "get_definition",
    "guard",
    "ignore_literals",
    "ir",
    "lookup_environment",
    "make_function",
    "models",
    "patch_numba",
    "register_default",
    "register_pass",
    "unbox",
    "unfamiliar",
]

make_function = _dynfunc.make_function

# What we call, replace or derive from.


def _expected() -> Iterator[tuple[Callable, int]]:
    """Functions and methods, each with the number of arguments that we or Numba give it."""
    library, cache_file, cache = codegen.JITCodeLibrary, caching.IndexDataCacheFile, caching.Cache
    yield library.__init__, 3
    yield library.add_linking_library, 2
    yield library.finalize, 1
    yield library._optimize_functions, 2
    yield library._optimize_final_module, 1
    yield library._verify_declare_only_symbols, 1
    yield library._finalize_specific, 1
    yield library._get_module_for_linking, 1
    yield library.enable_object_caching, 1
    yield codegen.JITCPUCodegen._module_pass_manager, 1
    yield codegen.JITCPUCodegen.set_env, 3
    yield Lower._find_singly_assigned_variable, 1
    yield NativeLowering.run_pass, 2
    yield compiler.Compiler.define_pipelines, 1
    yield PassManager.add_pass, 3
    yield PassManager.finalize, 1
    yield build_definitions, 1
    yield get_definition, 2
    yield guard, 3
    yield lookup_environment, 1
    yield cache_file.__init__, 4
    yield cache_file._load_index, 1
    yield cache_file._save_index, 2
    yield cache_file._load_data, 2
    yield cache_file._save_data, 3
    yield cache_file._open_for_write, 2
    yield cache.__init__, 2
    yield cache._load_overload, 3
    yield cache._guard_against_spurious_io_errors, 1
    yield types.functions.BaseFunction.get_call_type, 4
    yield TargetConfig.__eq__, 2
    yield TargetConfig.__hash__, 1
    yield arrayobj.make_array, 1
    yield models.StructModel.__init__, 4
    yield models.PrimitiveModel.__init__, 4
    yield types.Array.__init__, 7
    yield types.Array.unify, 3
    yield types.Array.can_convert_to, 3
    yield as_dtype, 1


def unfamiliar() -> str:
    """The first of these functions that takes other arguments, in words; empty if there is none."""
    for function, number in _expected():
        try:
            inspect.signature(function).bind(*range(number))
        except TypeError as error:
            return f"{function.__module__}.{function.__qualname__}: {error}"
    return ""


# What Numba remembers while a kernel is compiled.

_lock = threading.RLock()
_compiling = 0
"""How many threads are in `patch_numba`."""

_originals: list[tuple[Any, str, Any]] = []
"""What the patches have replaced: the owner, the name, and what was there."""


@contextmanager
def patch_numba() -> Iterator[None]:
    """Within it Numba remembers what it has found out; afterwards it is as it was. Threads may be in it together."""
    global _compiling
    with _lock:
        if _compiling == 0:
            for owner, name, replacement in _patches():
                _originals.append((owner, name, vars(owner)[name]))
                setattr(owner, name, replacement)
        _compiling += 1
    try:
        yield
    finally:
        with _lock:
            _compiling -= 1
            while _compiling == 0 and _originals:
                setattr(*_originals.pop())


@functools.cache
def _patches() -> tuple[tuple[Any, str, Any], ...]:
    """The owner, the name and the replacement of each: made once, so that what is remembered stays."""
    function: Any = types.functions.BaseFunction
    return (
        (TargetConfig, "__eq__", _same_options),
        (TargetConfig, "__hash__", lambda self: _hash_of(tuple(self.options))),
        (function, "get_call_type", _remembering_operators(function.get_call_type)),
        (arrayobj, "make_array", _remembering_arrays(arrayobj.make_array)),
    )


def _same_options(self: Any, other: Any) -> Any:
    """Compare those options of two sets that are not at their defaults; Numba compares all, and so does its hash."""
    if type(self) is not type(other):
        return NotImplemented
    ours, others, options = self._values, other._values, self.options
    return ours == others or all(
        ours.get(name, options[name].default) == others.get(name, options[name].default)
        for name in ours.keys() | others.keys()
    )


@functools.cache
def _hash_of(options: tuple[str, ...]) -> int:
    return hash(tuple(sorted(options)))


def _remembering_operators(slowly: Any) -> Any:
    """Remember what an operator means for some types, unless a function had to be compiled to say it.

    Such a function may depend on the options; and a type of function that learns new meanings is a new type.
    """
    known = dict[Any, Any]()

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

    return get_call_type


def _remembering_arrays(slowly: Any) -> Any:
    """Remember how an array of some type is laid out; Numba asks for each use of one whether it is an array at all."""

    @functools.cache
    def make_array(kind: Any) -> Any:
        made = slowly(kind)
        if kind.as_array is kind:
            made._make_refs = made.__base__._make_refs
        return made

    return make_array


def ignore_literals(dispatcher: Any) -> None:
    """Let `f(x, 0)` and `f(x, n)` be the same signature; Numba would compile `f` for the literal 0 again.

    Also `f(tree.low, n)` and `f(tree.high, n)`, where the columns are fields of structures.
    """

    def plain(kind: Any) -> Any:
        if isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral)):
            return types.unliteral(kind)
        return getattr(kind, "anywhere", kind)

    def get_call_template(args: Any, kws: Any) -> Any:
        same = tuple(map(plain, args)), {name: plain(kind) for name, kind in dict(kws).items()}
        try:
            return ask(*same)
        except errors.TypingError:
            if same == (tuple(args), dict(kws)):
                raise
            return ask(args, kws)  # an index into a tuple of different types must be literal

    ask, dispatcher.get_call_template = dispatcher.get_call_template, get_call_template
