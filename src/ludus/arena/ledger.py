"""Which runs this user has played on this machine: only for these may a game's file be run without being named.

A database may come from anybody, and can name any file. So the ledger is not in it, but among the user's own files:
one line a run, a hash of all that makes the run and of the path of the game's file.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from ludus.core.errors import LudusError
from ludus.core.files import path_of
from ludus.core.spec import Spec


def ledger() -> Path:
    """The file: in `LUDUS_DATA`, or among the user's data."""
    chosen = os.environ.get("LUDUS_DATA")
    if chosen:
        return Path(chosen) / "runs"
    import platformdirs

    return Path(platformdirs.user_data_dir("ludus", appauthor=False)) / "runs"


def file_of(game: str) -> Path | None:
    """The file that the spec of a game names; None if it names a game of the registry."""
    name = Spec.parse(game).name
    if ".py" not in name:
        return None
    return path_of(f"{name.partition('.py')[0]}.py")


def note(game: str, key: str, created: str) -> None:
    """Remember a run that is about to be played; where that cannot be written, its file must be named later."""
    with suppress(OSError, LudusError):
        file, path = file_of(game), ledger()
        if file is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a") as lines:
            lines.write(f"{_line(file, key, created)}\n")


def is_noted(game: str, key: str, created: str) -> bool:
    """Whether this user has played that run here, with the game's file where its spec says."""
    try:
        file, lines = file_of(game), ledger().read_text().splitlines()
    except (OSError, LudusError):
        return False
    return file is not None and _line(file, key, created) in lines


def _line(file: Path, key: str, created: str) -> str:
    return hashlib.sha256("\0".join((str(file), key, created)).encode(errors="replace")).hexdigest()
