"""A crash of the process itself, by a rule in compiled code for example, ends with a sentence: what to do about it.

The process cannot say so any more. A second one, which is made at the start and does nothing else, waits for what
`faulthandler` writes in the end.
"""

from __future__ import annotations

import faulthandler
import os
import re
import shlex
import signal
from pathlib import Path

import ludus

FATAL = "Fatal Python error: "
PLACE = re.compile(r'^  File "(.*)", line (\d+) in (.*)$', re.MULTILINE)
OURS = Path(ludus.__file__).parent


def tell_of_crashes(arguments: list[str]) -> None:
    """From now on a crash of this process is told in a sentence with the command that shows it.

    It must be called before the first thread is started. Where processes cannot be forked, or if somebody asked Python
    for its own report, that is all there is.
    """
    if not hasattr(os, "fork") or faulthandler.is_enabled():
        faulthandler.enable(all_threads=False)
        return
    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            os.close(writer)
            _wait(reader, arguments)
        finally:
            os._exit(0)
    os.close(reader)
    faulthandler.enable(writer, all_threads=False)


def _wait(reader: int, arguments: list[str]) -> None:
    """Until the other process has ended; it has written something only if it crashed."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)  # whoever reads our output need not wait for this process
    os.chdir("/")
    found = b""
    while part := os.read(reader, 4096):
        found += part
    if found:
        os.write(2, message(found.decode(errors="replace"), arguments).encode())


def message(report: str, arguments: list[str]) -> str:
    """What a user reads, from the report of `faulthandler`."""
    why = next((line.removeprefix(FATAL) for line in report.splitlines() if line.startswith(FATAL)), "unknown reason")
    places = PLACE.findall(report)
    if places and not Path(places[0][0]).is_relative_to(OURS):
        why += f" in {places[0][2]}, {places[0][0]}, line {places[0][1]}"
    command = shlex.join(["ludus", *arguments])
    return (
        f"ludus: crashed ({why}). If the game or the evaluator is your own, try ludus check: a rule that writes beyond "
        f"the end of an array does this. Else please report it, with the command that shows it: {command}\n"
    )
