"""How a process ends against our will: compiled code that does not hear Ctrl-C."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from typing import Any

from ludus.runtime.runner import Runner

PATIENCE, TICK = 3.0, 0.25
"""Seconds for which one call of compiled code may go on after Ctrl-C; seconds between two looks."""


def end_stuck_code() -> None:
    """From now on, Ctrl-C ends the process if a call of compiled code in the main thread goes on after it.

    Python cannot hear it then, so a second thread listens.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_listen, args=(ours, theirs), daemon=True).start()


def _listen(ours: socket.socket, theirs: socket.socket) -> None:
    """Wait for signals, whose numbers Python's own handler writes to the socket, and end the process if it is stuck."""
    main = threading.main_thread().ident
    assert main is not None
    while heard := ours.recv(64):
        if signal.SIGINT in heard and (work := _stuck(main)) is not None:
            title = work.game.title
            what = f"a rule of {title}, or of what judges it, does not return in compiled code"
            sys.stderr.write(f"ludus: {what}, so the process was ended; try ludus check {work.game}.\n")
            sys.stderr.flush()
            os._exit(130)


def _stuck(thread: int) -> Runner | None:
    """The work whose compiled code runs in a thread, if that call does not end."""
    before: Any = None
    for _ in range(round(PATIENCE / TICK)):
        frame = sys._current_frames().get(thread)
        if frame is None or frame.f_code is not Runner.step.__code__ or before not in (None, (frame, frame.f_lasti)):
            return None
        before = frame, frame.f_lasti
        time.sleep(TICK)
    return before[0].f_locals["self"]
