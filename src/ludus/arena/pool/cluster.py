"""A pool on a Dask cluster."""

from __future__ import annotations

import logging
import math
import pickle
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from typing import Any, Generic

from ludus.arena.pool.serving import do
from ludus.arena.pool.workers import AHEAD, DEATHS, Done, NoWorkersLeft, Task
from ludus.common.errors import LudusError

PATIENCE = 10.0
"""Seconds for which a cluster may have no workers, or a scheduler give no answer."""

LOOK = 1.0
"""Seconds after which somebody who waits for results looks whether there are workers at all."""

LOGS = ("distributed.client", "distributed.batched")
"""The loggers of Dask that report a lost connection, with a traceback."""


class Dask(Generic[Task, Done]):
    """The workers of a Dask cluster, which replaces those that die by itself."""

    def __init__(self, work: Callable[[Task], Done], address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise LudusError("a Dask cluster needs the package distributed: pip install 'ludus[dask]'.") from None
        self.work, self.address = work, address
        self.connected = False

        class Caller(Client):
            """A client that is closed only if it was connected; otherwise closing it would wait for a long time."""

            def __del__(caller) -> None:
                if self.connected:
                    super().__del__()

        try:
            self.client = Caller(address, timeout=PATIENCE, set_as_default=False)
            self.connected = True
        except Exception as error:  # whatever a malformed address makes of it
            raise LudusError(f"there is no Dask scheduler at {address!r} ({error}).") from None
        self.worked = time.monotonic()
        """When there were workers, last."""
        # A client whose scheduler is gone writes tracebacks to the terminal. `NoWorkersLeft` says it in a sentence.
        self.levels = {log: log.level for log in map(logging.getLogger, LOGS)}
        for log in self.levels:
            log.setLevel(logging.CRITICAL)

    def run(self, tasks: Iterable[Task], until: float = math.inf) -> Generator[Done, None, None]:
        source, waiting = iter(tasks), deque[Any]()
        self.worked = time.monotonic()
        try:
            while True:
                while len(waiting) < (1 + AHEAD) * self._threads() and (task := next(source, None)) is not None:
                    waiting.append(self._submit(task))
                if not waiting:
                    return
                if not self._wait(list(waiting)[:1], until):
                    return
                error, result = self._outcome(waiting.popleft())
                if error is not None:
                    raise error
                yield result
        finally:
            self._cancel(list(waiting))

    def stream(self, next_task: Callable[[], Task | None]) -> Generator[tuple[Task, Done | Exception], None, None]:
        given: dict[Any, Task] = {}
        self.worked = time.monotonic()
        try:
            while True:
                while len(given) < self._threads() and (task := next_task()) is not None:
                    given[self._submit(task)] = task
                if not given:
                    return
                self._wait(list(given))
                for future in [future for future in given if future.done()]:
                    error, result = self._outcome(future)
                    yield given.pop(future), result if error is None else error
        finally:
            self._cancel(list(given))

    def _wait(self, futures: list[Any], until: float = math.inf) -> bool:
        """Wait for one of the futures; False if the time is over before. An error if there is nobody to do them."""
        from distributed import wait

        while True:
            patience = min(LOOK, max(until - time.monotonic(), 0.0))
            try:
                with self.client.as_current():
                    wait(futures, timeout=patience, return_when="FIRST_COMPLETED")
                return True
            except TimeoutError:
                if time.monotonic() >= until:
                    return False
            except Exception as error:
                raise self._gone(error) from error
            self._threads()

    def _outcome(self, future: Any) -> tuple[Exception | None, Any]:
        """The error of a task that is done, in words, and its result."""
        try:
            return None, future.result(PATIENCE)
        except LudusError as error:
            return error, None
        except ImportError as error:
            return LudusError(f"a worker of the cluster at {self.address} cannot load ludus ({error})."), None
        except Exception as error:
            if future.status == "cancelled" or isinstance(error, OSError):
                raise self._gone(error) from error
            words = f"a task failed on the cluster at {self.address}: {type(error).__name__}: {error}"
            return LudusError(words), None

    def _threads(self) -> int:
        """How many threads the workers have, at least one; an error if there have been no workers for a while."""
        try:
            scheduler: Any = self.client.scheduler
            found = self.client.sync(scheduler.ncores, workers=None, callback_timeout=PATIENCE)
        except Exception as error:
            raise self._gone(error) from error
        if found:
            self.worked = time.monotonic()
        elif time.monotonic() - self.worked > PATIENCE:
            why = "one that cannot load ludus does not stay"
            raise NoWorkersLeft(f"the Dask cluster at {self.address} has had no workers for {PATIENCE:g} s ({why}).")
        return sum(found.values()) or 1

    def _gone(self, error: Exception) -> NoWorkersLeft:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return NoWorkersLeft(f"the Dask scheduler at {self.address} does not answer any more ({what}).")

    def _submit(self, task: Task) -> Any:
        try:
            return self.client.submit(do, self.work, pickle.dumps(task), pure=False, retries=DEATHS)
        except Exception as error:
            raise self._gone(error) from error

    def _cancel(self, futures: list[Any]) -> None:
        with suppress(Exception):  # nobody may be there any more
            self.client.cancel(futures)

    def close(self) -> None:
        with suppress(Exception):
            self.client.close(timeout=PATIENCE / 2)
        for log, level in self.levels.items():
            log.setLevel(level)
