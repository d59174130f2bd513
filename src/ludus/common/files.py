"""Files that are written whole or not at all, JSON that is checked when it is read, text that no terminal obeys."""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from ludus.common.errors import LudusError

_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal obeys instead of showing them, and those that no encoding can write."""


LONG = 200
"""Characters of a name that are shown."""


def escape_control_characters(text: str) -> str:
    """The text with what a terminal would obey spelled out: an escape is shown as \\x1b. Lines and tabs stay."""
    return _OBEYED.sub(lambda found: ascii(found[0])[1:-1], text)


def path_of(text: str | Path) -> Path:
    """The path that somebody wrote, in full; one sentence if it cannot be one."""
    if not isinstance(text, (str, os.PathLike)):
        raise LudusError(f"{text!r} is no path: give the name of a file, a string or a pathlib.Path.")
    try:
        path = Path(text).expanduser().resolve()
        _check_length(path)
        return path
    except (OSError, RuntimeError, ValueError) as error:  # no such user, links in a circle, a null byte
        why = str(getattr(error, "strerror", None) or error).rstrip(".")
        shown = escape_control_characters(repr(str(text) if len(str(text)) <= LONG else f"{str(text)[:LONG]}..."))
        raise LudusError(f"{shown} is no path: {why}.") from error


def _check_length(path: Path) -> None:
    """Raise an `OSError` if no file can have such a name."""
    try:
        os.lstat(path)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise


def data_folder() -> Path:
    """Where calibrations and learnt evaluators are kept: in `LUDUS_DATA`, or the user's own directory of data."""
    chosen = os.environ.get("LUDUS_DATA")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("ludus", appauthor=False))


def read_text(path: Path) -> str:
    """The text in a file; an `OSError` or a `ValueError` if it cannot be read. Nobody waits for a pipe."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file")
    return path.read_text(encoding="utf-8")


def parse_json(text: str) -> Any:
    """What JSON says; a `ValueError` if it says nothing, is nested too deeply, or has a number that is not finite."""
    try:
        return json.loads(text, parse_float=_finite, parse_constant=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _finite(text: str) -> float:
    if not math.isfinite(float(text)):
        raise ValueError(f"{text} is not a finite number")
    return float(text)


def checksummed(text: str) -> str:
    """A text with its checksum before it."""
    return f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}"


def verified(found: str) -> str:
    """The text that `checksummed` was given; a `ValueError` if anything was changed since."""
    text = found.partition("\n")[2]
    if checksummed(text) != found:
        raise ValueError("its checksum is wrong")
    return text


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
