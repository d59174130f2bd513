"""Chunks of examples: made by several threads, kept in files, so that whoever is interrupted goes on where he was."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from queue import SimpleQueue

import numpy as np

from ludus.common.files import data_folder, make_folder, whole_file

Chunk = dict[str, np.ndarray]


def folder_of(*parts: object) -> Path:
    """Where the chunks are kept that follow from all this."""
    return data_folder() / "learned" / "examples" / hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def forget(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def load_chunk(folder: Path, number: int) -> Chunk | None:
    """A chunk that was kept; None if it was not, or is damaged."""
    try:
        with np.load(folder / f"{number}.npz", allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except Exception:  # whatever it is, it can be made again
        return None


def keep_chunk(folder: Path, number: int, chunk: Chunk) -> None:
    make_folder(folder)
    with whole_file(folder / f"{number}.npz", "wb") as file:
        np.savez_compressed(file, **chunk)  # type: ignore[arg-type]


def gather(
    folder: Path,
    numbers: Sequence[int],
    makers: Sequence[Callable[[int], Chunk]],
    progress: Callable[[int], None] = lambda done: None,
) -> list[Chunk]:
    """The chunks with these numbers: kept ones, and those that are missing, each made by one of the makers.

    Each maker works in a thread of its own; which of them makes a chunk does not matter. `progress` is called with how
    many there are. When it is interrupted, what was made is kept.
    """
    found = {number: chunk for number in numbers if (chunk := load_chunk(folder, number)) is not None}
    missing = [number for number in numbers if number not in found]
    progress(len(found))
    free: SimpleQueue[Callable[[int], Chunk]] = SimpleQueue()
    for maker in makers:
        free.put(maker)

    def work(number: int) -> tuple[int, Chunk]:
        maker = free.get()
        try:
            return number, maker(number)
        finally:
            free.put(maker)

    pool = ThreadPoolExecutor(len(makers))
    waiting = {pool.submit(work, number) for number in missing}
    try:
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            failed = _keep_all(folder, done, found)
            if failed is not None:
                raise failed
            progress(len(found))
    finally:
        pool.shutdown(cancel_futures=True)
        _keep_all(folder, {future for future in waiting if not future.cancelled()}, found)
    return [found[number] for number in numbers]


def _keep_all(folder: Path, done: set[Future[tuple[int, Chunk]]], found: dict[int, Chunk]) -> BaseException | None:
    """Keep the chunks that are done; the error of one that failed."""
    failed = None
    for future in done:
        if future.exception() is not None:
            failed = future.exception()
            continue
        number, chunk = future.result()
        keep_chunk(folder, number, chunk)
        found[number] = chunk
    return failed
