"""Where games are played: here, or in processes of their own. The results come in the order of the tasks."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")


def run_tasks(work: Callable[[Task], Done], tasks: Iterable[Task], workers: int | None) -> Generator[Done, None, None]:
    """`work(task)` for each task, in their order, on so many processes (None: one for each core)."""
    count = workers if workers is not None else os.cpu_count() or 1
    if count == 1:
        yield from map(work, tasks)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_prepare_worker)
    waiting: deque[Future[Done]] = deque()
    source = iter(tasks)
    try:
        while True:
            while len(waiting) < 3 * count:  # enough for every worker to have something next
                try:
                    task = next(source)
                except StopIteration:
                    break
                with _interrupts_held():  # a worker that is being started must not inherit Ctrl-C
                    waiting.append(pool.submit(work, task))
            if not waiting:
                return
            yield waiting.popleft().result()
    finally:
        running = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in running:  # whatever they are at is not wanted any more
            process.terminate()


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


def _prepare_worker() -> None:
    """Ctrl-C is for the process that started the run, and so are warnings; when that dies, so does the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
