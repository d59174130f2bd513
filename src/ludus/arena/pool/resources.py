"""With what games are played: processes or a cluster, and the time that a move may take."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

from ludus.arena.pool.workers import InProcessPool, Processes, WorkerPool
from ludus.common.errors import LudusError
from ludus.common.numbers import positive_number, whole_number
from ludus.model.component import Component, is_found_elsewhere
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player
from ludus.runtime.thread_team import cores


@dataclass(frozen=True)
class Resources:
    """With what games are played: none of it changes their results."""

    workers: int | None = None
    """How many processes play; None: one for each core."""
    dask: str | None = None
    """The address of a Dask cluster that plays instead."""
    move_limit: float | None = None
    """Seconds after which a player that still thinks forfeits the game; None: it may take its time."""

    pool: WorkerPool | None = None
    """Workers that exist already, and play instead of all these."""

    def __post_init__(self) -> None:
        if self.workers is not None:
            object.__setattr__(self, "workers", whole_number("`workers`", self.workers, 1))
        if self.move_limit is not None:
            positive_number("`move_limit`", self.move_limit)

    def for_players(self, game: PlayableGame, players: Iterable[Player]) -> Self:
        """These resources, if other processes find the classes of all who play; else this process, or an error."""
        things: list[Component] = [game]
        for player in players:
            things += [player.search, *filter(None, [player.evaluator])]
        hidden = next((kind for kind in map(type, things) if not is_found_elsewhere(kind)), None)
        alone = self.dask is None and self.move_limit is None
        if hidden is None or (alone and self.workers == 1):
            return self
        why = f"other processes do not find {hidden.__qualname__}: what is defined at a prompt, in a notebook or in a"
        if alone and self.workers is None:
            warnings.warn(f"one process plays, for {why} function should be moved to a file.", stacklevel=4)
            return replace(self, workers=1)
        raise LudusError(f"{why} function must be moved to a file, or be played with workers=1.")

    def hire(self) -> WorkerPool:
        """The pool. One worker without a limit is this process, but with a limit a process that can be killed."""
        if self.pool is not None:
            return self.pool
        if self.dask is not None:
            from ludus.arena.pool.cluster import Dask

            return Dask(perform, self.dask)
        count = cores() if self.workers is None else self.workers
        if count == 1 and self.move_limit is None:
            return InProcessPool(perform)
        return Processes(perform, count, rescue, self.move_limit)


def perform(task: Any) -> Any:
    """Do a task: play a pair or prepare a player."""
    return task.perform()


def rescue(task: Any, what: tuple[int, ...], why: str) -> Any:
    """The task to do instead of one that hung or killed its workers."""
    return task.forfeited(what, why)
