"""Standard streams that are closed or full, or that cannot show every character."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import Any

ASCII = {"…": "...", "±": "+-", "µ": "u", "—": "-", "─": "-", "━": "-", "│": "|"}
ASCII |= {bar: str(height) for height, bar in enumerate("▁▂▃▄▅▆▇█", 1)}
"""What stands for the characters that not every terminal has."""


class Forgiving(io.FileIO):
    """What cannot be written is lost: nobody reads it, or its disk is full."""

    def write(self, content: Any) -> int:
        try:
            return super().write(content) or 0
        except OSError:
            return len(content)


def prepare() -> None:
    """Open missing streams, and let all take any character; what standard error cannot take is dropped."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):  # in the order of their numbers
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    given = sys.__stderr__
    if given is not None and sys.stderr is given:
        buffered = io.BufferedWriter(Forgiving(given.fileno(), "w", closefd=False))
        sys.stderr = io.TextIOWrapper(buffered, given.encoding, given.errors, line_buffering=True)
    codecs.register_error("ludus", _replaced)
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="ludus")


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(ASCII.get(c) or c.encode("ascii", "backslashreplace").decode() for c in text), error.end


def flush() -> None:
    """Write what is still in the buffer of standard output: an error now, and none when Python ends."""
    sys.stdout.flush()


def give_up() -> None:
    """Whatever is written to standard output from now on is lost."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
