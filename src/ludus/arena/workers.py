"""Where games are played: here, in processes, or on a Dask cluster. Results come in the order of the tasks.

A crew is hired once a run, so that what its workers compiled and allocated serves every round. A worker process may
die or hang: its task is given to another, and one that does so again and again is changed by the crew's `rescue`.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, Protocol, TypeVar

from ludus.core.errors import LudusError

Task = TypeVar("Task")
Done = TypeVar("Done")

AHEAD = 2
"""Tasks that a worker has at hand, so that it need not wait for the next one."""

DEATHS = 3
"""So many workers may die over one task before it is to blame."""

GRACE = 2.0
"""A worker that should have ended a move by itself is killed so many seconds later."""

_pulse: Any = None


def beat(*what: float) -> None:
    """Tell the process that started the run what this worker is at, and since when."""
    if _pulse is not None:
        _pulse[1 : 1 + len(what)] = what
        _pulse[0] = time.monotonic()


def rest() -> None:
    """Nothing is at work that could take too long."""
    if _pulse is not None:
        _pulse[0] = 0.0


class Crew(Protocol):
    """Does tasks; must be closed."""

    def run(self, tasks: Iterable[Any]) -> Generator[Any, None, None]: ...

    def close(self) -> None: ...


@dataclass
class Here(Generic[Task, Done]):
    """A crew of nobody: this process does the work."""

    work: Callable[[Task], Done]

    def run(self, tasks: Iterable[Task]) -> Generator[Done, None, None]:
        yield from map(self.work, tasks)

    def close(self) -> None:
        pass


@dataclass
class _Worker(Generic[Task]):
    """A process, and the tasks it has been given, the one it is at first."""

    process: Any
    connection: Connection
    pulse: Any
    tasks: deque[tuple[int, Task]] = field(default_factory=deque)


class Processes(Generic[Task, Done]):
    """Processes of this machine.

    `rescue(task, what, why)` makes another task of one that killed its worker `DEATHS` times, or that hung for more
    than `limit` seconds in one `beat`; `what` is what it said there.
    """

    def __init__(
        self,
        work: Callable[[Task], Done],
        count: int,
        rescue: Callable[[Task, tuple[int, ...], str], Task] | None = None,
        limit: float | None = None,
    ) -> None:
        self.work, self.count, self.rescue, self.limit = work, count, rescue, limit
        self.context = multiprocessing.get_context("spawn")
        self.workers: list[_Worker[Task]] = []
        self.deaths: dict[int, int] = {}

    def run(self, tasks: Iterable[Task]) -> Generator[Done, None, None]:
        source = enumerate(tasks)
        pending = next(source, None)
        done: dict[int, Done] = {}
        following = 0
        self.deaths.clear()
        try:
            while True:
                # A slow task must not let the others run far ahead: what they do cannot be counted before it.
                while pending and pending[0] - following < 4 * AHEAD * self.count and self._hand_out(pending):
                    pending = next(source, None)
                if following in done:
                    yield done.pop(following)
                    following += 1
                elif any(worker.tasks for worker in self.workers):
                    done.update(self._collect())
                else:
                    return
        finally:
            if any(worker.tasks for worker in self.workers):  # nobody wants to know any more
                self.close()

    def _hand_out(self, task: tuple[int, Task]) -> bool:
        """Give a task to the least busy worker; False if all have enough."""
        while len(self.workers) < self.count:
            self.workers.append(self._hire())
        worker = min(self.workers, key=lambda w: len(w.tasks))
        if len(worker.tasks) >= AHEAD:
            return False
        self._give(worker, task)
        return True

    def _give(self, worker: _Worker[Task], task: tuple[int, Task]) -> None:
        worker.tasks.append(task)
        with suppress(OSError):  # if it has died it will be found dead
            worker.connection.send(task)

    def _hire(self) -> _Worker[Task]:
        ours, theirs = self.context.Pipe()
        pulse = self.context.RawArray("d", 3)
        process = self.context.Process(target=_serve, args=(self.work, theirs, pulse), daemon=True)
        if os.name == "posix":
            resource_tracker.ensure_running()  # or else the start of it would let interrupts through again
        with _interrupts_held():  # a worker that is being started must not inherit Ctrl-C
            process.start()
        theirs.close()
        return _Worker(process, ours, pulse)

    def _collect(self) -> Iterator[tuple[int, Done]]:
        """What has been done meanwhile; looks after workers that died or hang."""
        busy = {worker.connection: worker for worker in self.workers if worker.tasks}
        for connection in wait(list(busy), timeout=0.2 if self.limit is not None else None):
            worker = busy[connection]  # type: ignore[index]
            try:
                number, error, result = worker.connection.recv()
            except (EOFError, OSError):
                self._replace(worker)
                continue
            if error is not None:
                raise error
            worker.tasks.popleft()
            yield number, result
        if self.limit is not None:
            for worker in busy.values():
                since = worker.pulse[0]
                if since and time.monotonic() - since > self.limit + GRACE:
                    worker.process.kill()
                    self._replace(worker, f"took longer than {self.limit:g} s for a move")

    def _replace(self, worker: _Worker[Task], why: str = "") -> None:
        """Another worker takes over the tasks of a dead one."""
        worker.process.join()
        worker.connection.close()
        self.workers.remove(worker)
        number, task = worker.tasks.popleft()
        self.deaths[number] = self.deaths.get(number, 0) + 1
        if not why and self.deaths[number] >= DEATHS:
            why = f"its process died {DEATHS} times (exit status {worker.process.exitcode})"
        if why:
            if self.rescue is None:
                raise LudusError(f"a task failed: {why}.")
            task = self.rescue(task, tuple(int(x) for x in worker.pulse[1:]), why)
            self.deaths[number] = 0
        successor = self._hire()
        self.workers.append(successor)
        for item in ((number, task), *worker.tasks):
            self._give(successor, item)

    def close(self) -> None:
        for worker in self.workers:  # whatever they are at is not wanted any more
            worker.process.terminate()
        for worker in self.workers:
            worker.process.join()
            worker.connection.close()
        self.workers.clear()


class Dask(Generic[Task, Done]):
    """The workers of a Dask cluster, which looks after its dead by itself."""

    def __init__(self, work: Callable[[Task], Done], address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise LudusError("--dask needs the package distributed: pip install 'ludus[dask]'.") from None
        self.work = work
        try:
            self.client = Client(address, timeout=10, set_as_default=False)
        except (OSError, ValueError) as error:
            raise LudusError(f"there is no Dask scheduler at {address!r} ({error}).") from None

    def run(self, tasks: Iterable[Task]) -> Generator[Done, None, None]:
        source, waiting = iter(tasks), deque[Any]()
        try:
            while True:
                threads = sum(self.client.nthreads().values()) or 1
                while len(waiting) < (1 + AHEAD) * threads and (task := next(source, None)) is not None:
                    waiting.append(self.client.submit(self.work, task, pure=False, retries=DEATHS))
                if not waiting:
                    return
                yield waiting.popleft().result()
        finally:
            self.client.cancel(list(waiting))

    def close(self) -> None:
        self.client.close()


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits until this is over; processes that are started meanwhile never hear of it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(work: Callable[[Any], Any], connection: Connection, pulse: Any) -> None:
    """A worker's life. Ctrl-C and warnings are for the process that started the run; when that dies, so do we."""
    global _pulse
    _pulse = pulse
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    threading.Thread(target=_die_with_parent, daemon=True).start()
    while True:
        try:
            number, task = connection.recv()
        except EOFError:
            return
        error = result = None
        try:
            result = work(task)
        except Exception as failure:
            error = _portable(failure)
        connection.send((number, error, result))


def _portable(error: Exception) -> Exception:
    """The error, or its words if it cannot be sent to another process."""
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
