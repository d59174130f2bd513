"""Whether the Numba that is installed is inside as `numba_internals.py` knows it; else `plain.py` compiles.

Names and arguments are compared, and a small kernel is compiled and called: once for each version of Numba and of
ludus, since a note in the cache says that it went well.
"""

from __future__ import annotations

import functools
import re
import sys
import threading
import types
import warnings
from typing import Any

import numpy as np

from ludus.common.errors import PlainNumbaWarning
from ludus.compile import cache
from ludus.compile.explain import OLDEST, TOO_NEW
from ludus.compile.generated import HOME
from ludus.compile.methods import BOUND
from ludus.compile.version import own_version
from ludus.kernel.records import record

_asking = threading.Lock()


def fits() -> bool:
    """Whether Numba is as we know it; if not, one warning says so."""
    import numba

    if numba.config.DISABLE_JIT:
        return True  # nothing will be compiled
    with _asking:
        return not _misfit()


@functools.cache
def _misfit() -> str:
    """What is not as we know it; empty if all is."""
    import numba

    directory, name = cache.usable_directory(), f"numba-{numba.__version__}-{sys.version_info[1]}-{own_version()}"
    if (what := _unfamiliar()) or (directory is not None and cache.read_note(directory, name) == FITS):
        return _warned(what)
    try:
        _compile_and_call()
    except Exception as error:
        return _warned(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}")
    if directory is not None:
        cache.write_note(directory, name, FITS)
    return ""


FITS = "fits"


def _unfamiliar() -> str:
    """What is found to be missing or different without compiling anything."""
    try:
        from ludus.compile import numba_internals, pipeline, record_type, sealed  # noqa: F401

        return numba_internals.unfamiliar()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _warned(what: str) -> str:
    """The same, after a warning if it is not empty."""
    if what:
        import numba

        first, last = (".".join(map(str, some)) for some in (OLDEST, TOO_NEW))
        known = re.sub(r" \(/\S*\)", "", what).rstrip(".")
        warnings.warn(
            PlainNumbaWarning(
                f"Numba {numba.__version__} is not inside as this version of ludus knows it, which needs "
                f"numba>={first},<{last} ({known}): compiling takes minutes, and compiled code is slower."
            ),
            stacklevel=2,
        )
    return what


# The kernel that is tried: a record, an array of Python's, a call of a method, and a part that is linked.


def _twice(numbers: Any, i: Any) -> Any:
    return 2 * numbers.cells[i]


def _total(numbers: Any) -> Any:
    total = numbers.start
    for i in range(numbers.cells.size):
        total += numbers.twice(i)
    return total


def _compile_and_call() -> None:
    """Compile a small kernel as all are compiled; an error if it fails, or gives a wrong number."""
    import numba

    from ludus.compile.numba_internals import ignore_literals, patch_numba
    from ludus.compile.pipeline import Compiler
    from ludus.compile.record_type import native_type

    options = {"nogil": True, "_nrt": False, "no_cfunc_wrapper": True, "pipeline_class": Compiler}
    part = numba.njit(**options, no_cpython_wrapper=True, forceinline=False)(_twice)
    ignore_literals(part)
    scope = {"__builtins__": __builtins__, "__name__": HOME, f"numbers{BOUND}twice": part}
    step = numba.njit(**options)(types.FunctionType(_total.__code__, scope, "total"))
    numbers = record({"start": 5, "cells": np.arange(4)})
    with patch_numba():
        total = step.compile((native_type(numbers),))(numbers)
    if total != 17:
        raise ValueError(f"a kernel gives {total} and not 17")
