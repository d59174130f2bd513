"""Whose code may run: the one place that decides whether a file may be run that a database names.

A database may come from anybody, and can name any file. What is in it is data: a spec out of it is built only if it
names no file with code, or if this user has played that run on this machine, with these files. Those runs are noted in
the ledger, which is not in the database but among the user's own files: one line a run, a hash of all that makes the
run and of the paths of the files that it names.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ludus.common.errors import LudusError
from ludus.common.files import data_folder, path_of
from ludus.model.spec import Spec


def ledger() -> Path:
    """The file."""
    return data_folder() / "runs"


def code_files(*specs: str) -> set[Path]:
    """The files with code that these specs name, at any depth; raises if one is no spec."""
    words = [word for spec in specs for word in _words(Spec.parse(spec))]
    return {path_of(f"{word.partition('.py')[0]}.py") for word in words if ".py" in word}


def _words(value: object) -> Iterator[str]:
    """Every name and text in a spec."""
    if isinstance(value, Spec):
        yield value.name
        for argument in value.arguments.values():
            yield from _words(argument)
    elif isinstance(value, str):
        yield value


def note(key: str, created: str) -> None:
    """Remember a run that is about to be played; where that cannot be written, its files must be named later."""
    with suppress(OSError, *UNREADABLE):
        files, path = _files_of(key), ledger()
        if not files:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a") as lines:
            lines.write(f"{_line(files, key, created)}\n")


def may_build(spec: str, key: str, created: str) -> bool:
    """Whether what a spec out of this run describes may be built, although that may run a file's code."""
    try:
        wanted, files = code_files(spec), _files_of(key)
        return not wanted or (wanted <= files and _line(files, key, created) in ledger().read_text().splitlines())
    except (OSError, *UNREADABLE):
        return False


UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError, LudusError)
"""What reading a damaged key, or a spec that is none, raises."""


def _files_of(key: str) -> set[Path]:
    """The files with code that a run names: those of its game and of its players."""
    run = json.loads(key)
    return code_files(run["game"], *run["players"])


def _line(files: set[Path], key: str, created: str) -> str:
    parts = (*sorted(map(str, files)), key, created)
    return hashlib.sha256("\0".join(parts).encode(errors="replace")).hexdigest()
