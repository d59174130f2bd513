"""Several runs share one pool, so that all workers are busy although each run must now and then wait for its results.

A run is ordinary code that waits for the results of its tasks. So each has a thread of its own, but only one thread
goes on at a time, and hands over where it waits: what the runs do is in order, and nothing of them need be safe for
threads. The thread that started them all serves the pool: whenever a worker is free it is given a task of the first run
that has one, and another run is begun if none has.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from ludus.arena.pool.workers import WorkerPool


class PoolClient:
    """The pool as one of the runs sees it; and the thread of that run, as the others see it."""

    def __init__(self, work: Callable[[WorkerPool], Any], group: Hashable = None) -> None:
        """`work` is the run. Runs of one `group` prepare the same things, so they do it one after the other."""
        self.work, self.group = work, group
        self.result: Any = None
        self.is_over = False
        self.preparing = False
        self._source: Callable[[], Any] | None = None
        self._given: dict[int, Any] = {}
        """The tasks that the pool has, by their identity."""
        self._arrived: deque[tuple[Any, Any]] = deque()
        self._error: BaseException | None = None
        self._may_go_on, self._rests = threading.Semaphore(0), threading.Semaphore(0)
        self._running = False
        self._thread = threading.Thread(target=self._live, daemon=True)

    # What the run sees.

    def run(self, tasks: Iterable[Any], until: float = math.inf) -> Generator[Any, None, None]:
        """The results of these tasks in their order. The time does not end it."""
        order, done = list(tasks), dict[int, Any]()
        waiting = deque(order)
        try:
            self._source = lambda: waiting.popleft() if waiting else None
            for task in order:
                while id(task) not in done:
                    arrived = self._wait()
                    assert arrived is not None
                    done[id(arrived[0])] = arrived[1]
                outcome = done.pop(id(task))
                if isinstance(outcome, Exception):
                    raise outcome
                yield outcome
        finally:
            self._forget()

    def stream(self, next_task: Callable[[], Any]) -> Generator[tuple[Any, Any], None, None]:
        """Tasks with their results or errors, each as soon as it is done, until there are none."""
        self.preparing = True
        try:
            self._source = next_task
            while (arrived := self._wait()) is not None:
                yield arrived
        finally:
            self.preparing = False
            self._forget()

    def close(self) -> None:
        """The pool is others' too."""

    def _wait(self) -> tuple[Any, Any] | None:
        """Let the others go on until something has arrived; None if nothing will."""
        self._rests.release()
        self._may_go_on.acquire()
        if self._error is not None:
            raise self._error
        return self._arrived.popleft() if self._arrived else None

    def _forget(self) -> None:
        self._source = None
        self._given.clear()
        self._arrived.clear()

    # What the others see.

    def begin(self) -> None:
        """Begin the run; returns when it waits or is over, as do `deliver` and `stop`."""
        self._running = True
        self._thread.start()
        self._rest()

    def take(self) -> Any:
        """A task of this run for the pool; None if it has none for the moment."""
        while not self.is_over:
            task = self._source() if self._source is not None else None
            if task is not None:
                self._given[id(task)] = task
                return task
            if self._given:
                return None
            self._go_on()  # nothing will arrive
        return None

    def deliver(self, task: Any, outcome: Any) -> None:
        """Give the run the result of one of its tasks, or the error that it raised."""
        if self._given.pop(id(task), None) is not None:
            self._arrived.append((task, outcome))
            self._go_on()

    def stop(self, error: BaseException) -> None:
        """Raise this error in the run, where it waits for a result."""
        if self._running:
            self._rest()
        if not self.is_over:
            self._error = error
            self._go_on()

    def _go_on(self) -> None:
        self._running = True
        self._may_go_on.release()
        self._rest()

    def _rest(self) -> None:
        """Wait until the run waits; raise what it raised, if it ended so."""
        self._rests.acquire()
        self._running = False
        if self.is_over and self._error is not None:
            raise self._error

    def _live(self) -> None:
        try:
            self.result = self.work(self)
            self._error = None
        except BaseException as error:
            self._error = error
        self.is_over = True
        self._rests.release()


def run_clients(pool: WorkerPool, clients: Sequence[PoolClient]) -> None:
    """Play all these runs to their end, begun in this order as long as workers are free.

    Ctrl-C is raised in every run, which ends with what there is. An error of one ends all: the others as by Ctrl-C.
    """
    begun: list[PoolClient] = []
    owners: dict[int, PoolClient] = {}

    def next_task() -> Any:
        while True:
            for client in begun:
                task = client.take()
                if task is not None:
                    owners[id(task)] = client
                    return task
            busy = {client.group for client in begun if client.preparing and not client.is_over}
            waiting = (client for client in clients if client not in begun and client.group not in busy)
            another = next(waiting, None)
            if another is None:
                return None
            begun.append(another)
            another.begin()

    try:
        for task, outcome in pool.stream(next_task):
            owners.pop(id(task)).deliver(task, outcome)
    except BaseException as error:
        for client in begun:
            if not client.is_over:
                _interrupt(client)
        if not isinstance(error, KeyboardInterrupt):
            raise


def _interrupt(client: PoolClient) -> None:
    """End a run with what there is; whatever goes wrong then is less than why it is ended."""
    with suppress(Exception):
        client.stop(KeyboardInterrupt())
