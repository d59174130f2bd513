"""Numba's cache of one function in files that carry a checksum: what does not match is compiled again.

A cache file is executable code. So it is read only if it belongs to this user, and if nobody else may write to it.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ludus.common.errors import UncachedWarning
from ludus.compile.cache import is_private
from ludus.compile.numba_internals import caching

DIGEST = hashlib.sha256().digest_size


def read_sealed(path: str | Path) -> bytes:
    """What a file holds after its checksum; an `OSError` if it is damaged or somebody else's."""
    with open(path, "rb") as file:
        found = file.read()
        if not is_private(os.fstat(file.fileno())):
            raise OSError(f"{path} is not only this user's")
    content = memoryview(found)[DIGEST:]
    if len(found) < DIGEST or hashlib.sha256(content).digest() != found[:DIGEST]:
        raise OSError(f"{path} is damaged")
    return bytes(content)


def is_sound(path: Path) -> bool:
    """Whether a file of the cache can be read."""
    try:
        read_sealed(path)
        return True
    except OSError:
        return False


class SealedFile(caching.IndexDataCacheFile):
    """The index of a function and the files of its code."""

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, overloads = pickle.loads(read_sealed(self._index_path))
        except OSError:
            return {}
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._seal(self._index_path, self._dump((self._version, self._source_stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(read_sealed(self._data_path(name)))

    def _save_data(self, name: str, data: Any) -> None:
        self._seal(self._data_path(name), self._dump(data))

    def _seal(self, path: str, content: bytes) -> None:
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(content).digest() + content)
            if hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), 0o600)


def cache_of(function: Any, directory: str) -> caching.Cache:
    """A cache for this function in a directory, under its fingerprint alone: file times do not matter."""

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

        def __init__(self, py_func: Any) -> None:
            super().__init__(py_func)
            self._cache_file = SealedFile(directory, self._impl.filename_base, "fingerprint")

        def _load_overload(self, signature: Any, context: Any) -> Any:
            try:
                return super()._load_overload(signature, context)
            except Exception:  # whatever it is, it can be compiled again
                return None

        @contextmanager
        def _guard_against_spurious_io_errors(self) -> Iterator[None]:
            try:
                yield
            except OSError as error:
                what = f"compiled code cannot be kept in {directory} ({error.strerror or error})"
                warnings.warn(UncachedWarning(f"{what}: it is compiled anew each time."), stacklevel=2)

    return FingerprintCache(function)
