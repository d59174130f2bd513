"""Where a study keeps what it has measured, and under which names: an edit of what matters makes another name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, Protocol


class MeasurementCache(Protocol):
    """Where what was measured is kept, by name."""

    def measured(self, name: str) -> Any: ...

    def measure(self, name: str, value: Any) -> None: ...


class Memory(dict[str, Any]):
    """Keeps it as long as the process lives."""

    measured = dict.get
    measure = dict.__setitem__


def name_of(*parts: object) -> str:
    """A short name for something that depends on these things and nothing else."""
    text = json.dumps([str(each) for each in parts], ensure_ascii=False)
    return f"{parts[0]} {hashlib.sha256(text.encode()).hexdigest()[:24]}"


def described(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, ...]:
    """What a call depends on besides the package: the function, the file in which it stands, and its arguments."""
    file = Path(function.__code__.co_filename)
    return f"{function.__module__}.{function.__qualname__}", _digest([file]), *map(repr, arguments)


@cache
def sources() -> str:
    """A fingerprint of all that can change a measurement: the files of the engine and of the library."""
    folder = Path(__file__).parents[2]
    return _digest(sorted(file for name in MEASURING for file in (folder / name).rglob("*.py")))


MEASURING = ("kernel", "features", "compile", "model", "runtime", "library", "learning")


def _digest(files: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for file in files:
        found.update(file.read_bytes() if file.exists() else b"")
    return found.hexdigest()[:16]
