"""Crews: whoever does the tasks of a run, in this process or in processes of this machine (`cluster`: with Dask).

A pool is hired once a run, so that what its workers compiled and allocated serves every round. A worker process may
die or hang: its task is given to another, and one that does so again and again is changed by the pool's `rescue`.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import signal
import sys
import time
import types
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import resource_tracker, spawn
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, Protocol, TypeVar

from ludus.arena.play.faults import Decision, death
from ludus.arena.pool.serving import PULSE, TimeOver, serve, time_ends
from ludus.common.errors import LudusError

Task = TypeVar("Task")
Done = TypeVar("Done")

AHEAD = 2
"""How many short tasks a worker has at hand, the one that it does included, so that it need not wait for the next."""

DEATHS = 3
"""How many workers may die over one task before the task is blamed."""

GRACE = 2.0
"""Seconds after which a worker is killed that should have ended a move by itself."""


class NoWorkersLeft(LudusError):
    """There is nobody any more who could do the tasks."""


class WorkerPool(Protocol):
    """Does tasks; must be closed."""

    def run(self, tasks: Iterable[Any], until: float = math.inf) -> Generator[Any, None, None]:
        """The results of these tasks in their order, for short tasks.

        It ends early when `time.monotonic()` reaches `until`; what is still being done then is dropped.
        """
        ...

    def stream(self, next_task: Callable[[], Any]) -> Generator[tuple[Any, Any], None, None]:
        """Tasks with their results, or with the errors that they raised, each as soon as it is done; for long tasks.

        Whenever a worker is free, `next_task` is asked for another task; None: there is none for the moment. The stream
        ends when there is none and nothing is being done.
        """
        ...

    def close(self) -> None: ...


@dataclass
class InProcessPool(Generic[Task, Done]):
    """This process does the work itself. It can notice that its time is over only where the work calls `beat`."""

    work: Callable[[Task], Done]

    def run(self, tasks: Iterable[Task], until: float = math.inf) -> Generator[Done, None, None]:
        for task in tasks:
            try:
                with time_ends(until):
                    done = self.work(task)
            except TimeOver:
                return
            yield done

    def stream(self, next_task: Callable[[], Task | None]) -> Generator[tuple[Task, Done | Exception], None, None]:
        while (task := next_task()) is not None:
            try:
                outcome: Done | Exception = self.work(task)
            except Exception as error:
                outcome = error
            yield task, outcome

    def close(self) -> None:
        pass


@dataclass
class _Worker(Generic[Task]):
    """A process, and the tasks that it has been given; it is doing the first of them."""

    process: Any
    connection: Connection
    pulse: Any
    tasks: deque[tuple[int, Task]] = field(default_factory=deque)
    at: Decision | None = None
    """The move that it said it would choose next, if its task has killed a worker before."""


class Processes(Generic[Task, Done]):
    """Processes of this machine.

    `rescue(task, what, why)` makes another task of one that killed its worker `DEATHS` times, or that took more than
    `limit` seconds from one `beat` to the next; `what` are the numbers that it gave there.
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

    def run(self, tasks: Iterable[Task], until: float = math.inf) -> Generator[Done, None, None]:
        source = enumerate(tasks)
        pending = next(source, None)
        done: dict[int, tuple[Exception | None, Done]] = {}
        following = 0
        self.deaths.clear()
        try:
            while True:
                # A slow task must not let the others run far ahead: what they do cannot be counted before it.
                while pending and pending[0] - following < 4 * AHEAD * self.count and self._has_room(AHEAD):
                    self._give(self._least_busy(), pending)
                    pending = next(source, None)
                if following in done:
                    error, result = done.pop(following)
                    if error is not None:  # in its turn: what comes before it counts, whoever was faster
                        raise error
                    yield result
                    following += 1
                elif any(worker.tasks for worker in self.workers) and time.monotonic() < until:
                    done.update(self._collect(until))
                else:
                    return
        finally:
            self._drop()

    def stream(self, next_task: Callable[[], Task | None]) -> Generator[tuple[Task, Done | Exception], None, None]:
        given: list[Task] = []
        self.deaths.clear()
        try:
            while True:
                while self._has_room(1) and (task := next_task()) is not None:
                    self._give(self._least_busy(), (len(given), task))
                    given.append(task)
                if not any(worker.tasks for worker in self.workers):
                    return
                for number, (error, result) in list(self._collect(math.inf)):
                    yield given[number], result if error is None else error
        finally:
            self._drop()

    def _drop(self) -> None:
        """End what is still being done, if anything is: nobody wants its result any more."""
        if any(worker.tasks for worker in self.workers):
            self.close()

    def _has_room(self, most: int) -> bool:
        """Whether a worker has fewer than `most` tasks, or another one can be hired."""
        return len(self.workers) < self.count or any(len(worker.tasks) < most for worker in self.workers)

    def _least_busy(self) -> _Worker[Task]:
        """The worker with the fewest tasks: a new one if all are busy and another one can be hired."""
        if len(self.workers) < self.count and all(worker.tasks for worker in self.workers):
            self.workers.append(self._hire())
        return min(self.workers, key=lambda worker: len(worker.tasks))

    def _give(self, worker: _Worker[Task], task: tuple[int, Task]) -> None:
        worker.tasks.append(task)
        number, what = task
        with suppress(OSError):  # if it has died it will be found dead
            worker.connection.send((number, number in self.deaths, pickle.dumps(what)))

    def _hire(self) -> _Worker[Task]:
        ours, theirs = self.context.Pipe()
        pulse = self.context.RawArray("d", PULSE)
        process = self.context.Process(target=serve, args=(self.work, theirs, pulse), daemon=True)
        if os.name == "posix":
            resource_tracker.ensure_running()  # or else the start of it would let interrupts through again
        # A worker that is being started must not inherit Ctrl-C.
        with _interrupts_held(), _main_hidden(), _silent_start():
            process.start()
        theirs.close()
        return _Worker(process, ours, pulse)

    def _collect(self, until: float) -> Iterator[tuple[int, tuple[Exception | None, Done]]]:
        """Wait, and give the number and the result or error of each task that is done; replace workers that died or
        hang."""
        busy = {worker.connection: worker for worker in self.workers if worker.tasks}
        patience = min(0.2 if self.limit is not None else math.inf, max(until - time.monotonic(), 0.0))
        for connection in wait(list(busy), timeout=patience if patience < math.inf else None):
            worker = busy[connection]  # type: ignore[index]
            try:
                number, error, result = worker.connection.recv()
            except (EOFError, OSError):
                self._replace(worker)
                continue
            if number is None:
                worker.at = result
                continue
            worker.tasks.popleft()
            yield number, (error, result)
        if self.limit is not None:
            for worker in [worker for worker in busy.values() if worker.tasks]:
                since = worker.pulse[0]
                if since and time.monotonic() - since > self.limit + GRACE:
                    worker.process.kill()
                    self._replace(worker, f"took longer than {self.limit:g} s for a move")

    def _replace(self, worker: _Worker[Task], why: str = "") -> None:
        """Hire another worker for the tasks of a dead one, which died of what `why` says, if that is known."""
        worker.process.join()
        worker.connection.close()
        self.workers.remove(worker)
        number, task = worker.tasks.popleft()
        self.deaths[number] = self.deaths.get(number, 0) + 1
        if not why and self.deaths[number] >= DEATHS:
            why = death(worker.process.exitcode, DEATHS, worker.at)
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
        for worker in self.workers:  # whatever they are doing is not wanted any more
            worker.process.terminate()
        for worker in self.workers:
            worker.process.join()
            worker.connection.close()
        self.workers.clear()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block; processes that are started in it ignore Ctrl-C."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _main_hidden() -> Iterator[None]:
    """Keep processes that are started in the block from importing `__main__` again.

    They need nothing of it, since a user's classes are loaded from their file. To import it would start the run again
    in each worker of a script without a guard, and fail where there is no file: at a prompt, in `python < script`.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _silent_start() -> Iterator[None]:
    """Let processes that are started in the block end without a word if this one dies before it says what to do.

    They would print a traceback, of an `EOFError`, before any code of ours runs.
    """
    usual = spawn.get_command_line

    def command_line(**given: Any) -> list[str]:
        words = usual(**given)
        if "-c" in words:
            place = words.index("-c") + 1
            words[place] = f"try:\n    {words[place]}\nexcept EOFError:\n    raise SystemExit(1)"
        return words

    spawn.get_command_line = command_line
    try:
        yield
    finally:
        spawn.get_command_line = usual
