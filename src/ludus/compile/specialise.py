"""Plain Python, specialised, then compiled: the one idea of the library.

A search's `step` and everything it calls are plain functions written against the names of `rules.py`.
`specialise` copies them with those names bound to one game's and one evaluator's functions (an ML functor) and
passes each copy through Numba: one native program for each (search, game, evaluator). Interpreted, the very
same source runs as it stands.

In compiled code `self` is a record of those fields of the object that the code names, so parameters are run-time
values: another instance of the same class needs no new compilation.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludus.common.errors import LudusError, NotCompilable
from ludus.compile import cache
from ludus.compile.build import Build, PlainBuild
from ludus.compile.explain import explain, failures_explained, is_understood
from ludus.compile.fit import fits
from ludus.compile.plan import Kernel, Plan
from ludus.compile.version import own_version


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
    with failures_explained(), _without_warnings(), _while_compiling():
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


@contextmanager
def _while_compiling() -> Iterator[None]:
    """Numba is patched, if it is as we know it."""
    if not fits():
        yield
        return
    from ludus.compile.numba_internals import patch_numba

    with patch_numba():
        yield


def _builds(made: Plan, arguments: tuple[Any, ...]) -> list[Build]:
    """The ways in which to compile a plan for these arguments, the best first."""
    import numba

    if numba.config.DISABLE_JIT:
        raise NotCompilable("NUMBA_DISABLE_JIT is set.")
    native_type = numba.typeof
    if fits():
        from ludus.compile.record_type import native_type
    try:
        signature = tuple(map(native_type, arguments))
    except Exception as error:
        raise NotCompilable(f"a field or an element of the state has no compiled type: {error}.") from error
    salt = f"{sys.version_info[:3]} {numba.__version__} {own_version()} {bool(numba.config.BOUNDSCHECK)}"
    if not fits():
        return [PlainBuild(made, signature, f"{salt} plain", counts=True)]
    ways = (True,) if made.layout.has_arrays else (False, True)
    return [Build(made, signature, f"{salt} {counts}", counts) for counts in ways]


def _first_to_compile(builds: list[Build], directory: Path | None) -> Kernel:
    for build in builds:
        try:
            return build.compile(directory, _parts)
        except LudusError:
            raise
        except Exception as error:  # whatever the compiler may raise: the same source runs interpreted
            if build is not builds[-1]:
                continue
            copies = replace(build, counts=True).copies("", "", {})
            reason = explain(build.made, build.signature, copies, error)
            if directory is not None and is_understood(error):
                cache.write_note(directory, builds[0].place(), reason)
            raise NotCompilable(reason) from error
    raise AssertionError("there is always a build")


_kernels: dict[str, Kernel] = {}

_parts: dict[str, Any] = {}
"""What this process has compiled for other kernels, by fingerprint: two searches share the rules of a game."""
