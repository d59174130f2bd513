"""Ways of compiling a plan, each with its entry in the cache."""

from __future__ import annotations

import hashlib
import types
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.common.errors import UncachedWarning
from ludus.compile import cache, plain
from ludus.compile.copies import copies_of
from ludus.compile.fingerprint import fingerprint, is_plain_function, reachable, references
from ludus.compile.plan import Kernel, Plan


@dataclass
class Build:
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

    def compile(self, directory: Path | None, parts: dict[str, Any]) -> Kernel:
        """`parts`: what other kernels have compiled, by fingerprint; it is added to."""
        _, game, evaluator, _, _ = self.signature
        salt = f"{self.salt} {game} {evaluator} {self.made.layout.form}"
        copies = self.copies(salt, self.key, parts, directory)
        step = copies[self.made.step]
        before = {f: len(copy.signatures) for f, copy in copies.items()}
        if directory is None:
            what = f"compiled code cannot be kept in {cache.directory()}, nor in a temporary folder"
            warnings.warn(UncachedWarning(f"{what}: it is compiled anew each time."), stacklevel=2)
            entry = step.compile(self.signature)
        elif self.is_cached(directory):
            entry = step.compile(self.signature)
            cache.touch(directory, self.key)
        else:
            with cache.locked(directory, self.key):
                entry = step.compile(self.signature)
            cache.prune(directory, keep=self.key)
        new = {copy.py_func.__qualname__: len(copy.signatures) - before[f] for f, copy in copies.items()}
        return Kernel(entry, {copy.py_func.__qualname__: copy for copy in copies.values()}, self.key, self.counts, new)

    def copies(
        self, salt: str, key: str, parts: dict[str, Any], directory: Path | None = None
    ) -> dict[types.FunctionType, Any]:
        """The functions, ready for Numba; the code of `step` is kept in the directory."""
        import numba

        from ludus.compile.numba_internals import ignore_literals
        from ludus.compile.pipeline import Compiler
        from ludus.compile.sealed import cache_of

        def jit(copy: types.FunctionType, is_step: bool, is_inlined: bool) -> Any:
            options = {"nogil": True, "_nrt": self.counts, "no_cfunc_wrapper": True}
            if not is_step:  # never called from Python: half the time to compile (measured)
                options |= {"no_cpython_wrapper": True, "forceinline": is_inlined}
            dispatcher = numba.njit(**options, pipeline_class=Compiler)(copy)
            ignore_literals(dispatcher)
            if is_step and directory is not None:
                dispatcher._cache = cache_of(copy, str(directory))
            return dispatcher

        return copies_of(self.made, salt, key, parts, jit)


class PlainBuild(Build):
    """The way by public functions of Numba alone (`plain.py`)."""

    def is_cached(self, directory: Path | None) -> bool:
        return plain.is_cached(directory, self.key)

    def copies(
        self, salt: str, key: str, parts: dict[str, Any], directory: Path | None = None
    ) -> dict[types.FunctionType, Any]:
        kept = None if self._is_recursive() else directory  # code that calls itself may crash the next process

        def jit(copy: types.FunctionType, is_step: bool, is_inlined: bool) -> Any:
            return plain.jit(copy, kept if is_step else None)

        return copies_of(self.made, salt, key, parts, jit, plain.with_methods_as_functions)

    def _is_recursive(self) -> bool:
        """Whether some function gets back to itself."""
        for function in self.made.functions:
            called = [f for f in references(function, self.made.binding).values() if is_plain_function(f)]
            if function in reachable(called, self.made.binding):
                return True
        return False
