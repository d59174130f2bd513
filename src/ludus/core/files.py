"""Files that are written whole or not at all, and text that no terminal obeys."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from ludus.core.errors import LudusError

_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal obeys instead of showing them, and those that no encoding can write."""


def harmless(text: str) -> str:
    """The text with what a terminal would obey spelled out: an escape is shown as \\x1b. Lines and tabs stay."""
    return _OBEYED.sub(lambda found: ascii(found[0])[1:-1], text)


def path_of(text: str | Path) -> Path:
    """The path that somebody wrote, in full; one sentence if it cannot be one."""
    if not isinstance(text, (str, os.PathLike)):
        raise LudusError(f"{text!r} is no path: give the name of a file, a string or a pathlib.Path.")
    try:
        return Path(text).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:  # no such user, links in a circle, a null byte
        raise LudusError(
            f"{harmless(repr(str(text)))} is no path: {str(getattr(error, 'strerror', None) or error).rstrip('.')}."
        ) from error


def data_folder() -> Path:
    """Where calibrations and learnt evaluators are kept: in `LUDUS_DATA`, or the user's own directory of data."""
    chosen = os.environ.get("LUDUS_DATA")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("ludus", appauthor=False))


def make_folder(path: Path) -> None:
    """See to it that there is this folder, and that files can be written there; one sentence if not."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:  # a null byte in the name
        why = f"{path} cannot be written to ({getattr(error, 'strerror', None) or error})"
        advice = ": LUDUS_DATA may name another folder" if path.is_relative_to(data_folder()) else ""
        raise LudusError(f"{why}{advice}.") from error


@contextmanager
def whole_file(path: str | Path, mode: str = "w", **options: Any) -> Iterator[IO[Any]]:
    """A file to write that appears under its name, or takes the place of an older one, only when it is complete.

    It is written beside that, under a name that nobody else has: no symbolic link is followed.
    """
    path = Path(path)
    part = path.with_name(f".{path.name[:100]}.{uuid4().hex[:12]}.part")
    try:
        with open(part, mode.replace("w", "x"), **options) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except (OSError, ValueError) as error:  # a null byte in the name
        raise LudusError(f"{str(path)!r} cannot be written: {getattr(error, 'strerror', None) or error}.") from error
    finally:
        with suppress(OSError, ValueError):
            part.unlink()
