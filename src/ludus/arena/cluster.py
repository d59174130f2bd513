"""A crew on a Dask cluster."""

from __future__ import annotations

import math
import pickle
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import Any, Generic

from ludus.arena.serving import do
from ludus.arena.workers import AHEAD, DEATHS, Done, Task
from ludus.core.errors import LudusError


class Dask(Generic[Task, Done]):
    """The workers of a Dask cluster, which replaces those that die by itself."""

    def __init__(self, work: Callable[[Task], Done], address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise LudusError("a Dask cluster needs the package distributed: pip install 'ludus[dask]'.") from None
        self.work = work
        try:
            self.client = Client(address, timeout=10, set_as_default=False)
        except (OSError, ValueError) as error:
            raise LudusError(f"there is no Dask scheduler at {address!r} ({error}).") from None

    def run(self, tasks: Iterable[Task], until: float = math.inf) -> Generator[Done, None, None]:
        source, waiting = iter(tasks), deque[Any]()
        try:
            while True:
                while len(waiting) < (1 + AHEAD) * self._threads() and (task := next(source, None)) is not None:
                    waiting.append(self._submit(task))
                if not waiting:
                    return
                yield waiting[0].result(None if until == math.inf else max(until - time.monotonic(), 0.0))
                waiting.popleft()
        except TimeoutError:
            if time.monotonic() < until:
                raise
        finally:
            self.client.cancel(list(waiting))

    def stream(self, next_task: Callable[[], Task | None]) -> Generator[tuple[Task, Done | Exception], None, None]:
        from distributed import wait

        given: dict[Any, Task] = {}
        try:
            while True:
                while len(given) < self._threads() and (task := next_task()) is not None:
                    given[self._submit(task)] = task
                if not given:
                    return
                with self.client.as_current():
                    finished = wait(list(given), return_when="FIRST_COMPLETED").done
                for future in finished:
                    error = future.exception()
                    yield given.pop(future), future.result() if error is None else error
        finally:
            self.client.cancel(list(given))

    def _threads(self) -> int:
        return sum(self.client.nthreads().values()) or 1

    def _submit(self, task: Task) -> Any:
        return self.client.submit(do, self.work, pickle.dumps(task), pure=False, retries=DEATHS)

    def close(self) -> None:
        self.client.close()
