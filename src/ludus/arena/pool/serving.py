"""The worker's side of a pool: it receives tasks, does them, and tells what it is doing.

A task says with `heartbeat` what it is at, so that whoever started the run can end a move that takes too long.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from ludus.common.errors import LudusError
from ludus.model.watchdog import exits_refused

PULSE = 3
"""Numbers that a worker shares with the main process: the time and numbers of its last `heartbeat`."""

_pulse: Any = None
_connection: Connection | None = None


class _Task(threading.local):
    """The task that a thread is doing: whether another process sent it, by when it must be done, and whether it has
    killed a worker before."""

    sent = False
    until = math.inf
    killed_a_worker = False


_task = _Task()


class TimeOver(Exception):
    """The task that is being done in this process has no more time."""


def heartbeat(*what: float) -> None:
    """Note what this worker is at from now on, in two numbers; or end the task, if its time is over.

    A task that has a time of its own may take that, before anybody counts how long it has been at this.
    """
    now = time.monotonic()
    if now >= _task.until:
        raise TimeOver
    if _pulse is not None:
        _pulse[1 : 1 + len(what)] = what
        _pulse[0] = now if _task.until == math.inf else _task.until


def end_heartbeat() -> None:
    """Note that this worker is at nothing that could take too long."""
    if _pulse is not None:
        _pulse[0] = 0.0


def is_dangerous() -> bool:
    """Whether the task that is being done has killed a worker before: it then says with `announce` what it is at."""
    return _task.killed_a_worker and _connection is not None


def announce(what: Any) -> None:
    """Let the process that started the run know what this one is about to do, in case that kills it."""
    if _connection is not None:
        _connection.send((None, None, what))


@contextmanager
def time_ends(until: float) -> Iterator[None]:
    """Within it a `heartbeat` raises `TimeOver` once `time.monotonic()` has reached `until`."""
    _task.until = until
    try:
        yield
    finally:
        _task.until = math.inf


def refuse_in_worker() -> None:
    """Refuse to start a run in a worker, as a script would that workers execute again to load its classes."""
    if _task.sent:
        guard = '`if __name__ == "__main__":`'
        raise LudusError(f"put what the script does under {guard}, because workers load its classes from the file")


def serve(work: Callable[[Any], Any], connection: Connection, pulse: Any) -> None:
    """Do the tasks that come through the connection until it is closed or the process that started the run dies.

    Ctrl-C and warnings are the business of that process.
    """
    global _pulse, _connection
    _pulse, _connection = pulse, connection
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    threading.Thread(target=_die_with_parent, daemon=True).start()
    while True:
        try:
            number, _task.killed_a_worker, packed = connection.recv()
        except EOFError:
            return
        error = result = None
        try:
            with exits_refused():
                result = do(work, packed)
        except Exception as failure:
            error = _portable(failure)
        end_heartbeat()
        connection.send((number, error, result))


def do(work: Callable[[Any], Any], packed: bytes) -> Any:
    """Do a task that another process has sent."""
    _task.sent = True
    try:
        return work(unpack(packed))
    finally:
        _task.sent = False


def unpack(packed: bytes) -> Any:
    """What another process has pickled; one sentence if its class is not to be found here."""
    try:
        return pickle.loads(packed)
    except (AttributeError, ImportError) as error:
        raise LudusError(
            f"a worker cannot load what it should play ({error}): what is defined at a prompt or in a notebook must be "
            "moved to a file, or be played with workers=1."
        ) from error


def _portable(error: Exception) -> Exception:
    """The error, or one with its words if it cannot be sent to another process."""
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return LudusError(f"{type(error).__name__}: {error}")


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
