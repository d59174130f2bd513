"""Where games are played: here, or in processes of their own. The results come in the order of the tasks."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")


def run_tasks(work: Callable[[Task], Done], tasks: Iterable[Task], workers: int | None) -> Iterator[Done]:
    """`work(task)` for each task, in their order, on so many processes (None: one for each core)."""
    count = workers if workers is not None else os.cpu_count() or 1
    if count == 1:
        yield from map(work, tasks)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_ignore_interrupts)
    waiting: deque[Future[Done]] = deque()
    source = iter(tasks)
    try:
        while True:
            while len(waiting) < 3 * count:  # enough for every worker to have something next
                try:
                    waiting.append(pool.submit(work, next(source)))
                except StopIteration:
                    break
            if not waiting:
                return
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ctrl-C is for the process that started the run."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
