"""With what games are played: processes or a cluster, and the time that a move may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludus.arena.workers import Crew, Here, Processes, cores


@dataclass(frozen=True)
class Resources:
    """With what games are played: none of it changes their results."""

    workers: int | None = None
    """How many processes play; None: one for each core."""
    dask: str | None = None
    """The address of a Dask cluster that plays instead."""
    move_limit: float | None = None
    """Seconds after which a player that still thinks forfeits the game; None: it may take its time."""

    crew: Crew | None = None
    """Who plays instead of all these, if somebody is there already."""

    def hire(self) -> Crew:
        """The crew. One worker without a limit is this process, but with a limit a process that can be killed."""
        if self.crew is not None:
            return self.crew
        if self.dask is not None:
            from ludus.arena.cluster import Dask

            return Dask(perform, self.dask)
        count = cores() if self.workers is None else self.workers
        if count == 1 and self.move_limit is None:
            return Here(perform)
        return Processes(perform, count, rescue, self.move_limit)


def perform(task: Any) -> Any:
    """Do a task: play a pair or prepare a player."""
    return task.perform()


def rescue(task: Any, what: tuple[int, ...], why: str) -> Any:
    """The task to do instead of one that hung or killed its workers."""
    return task.forfeited(what, why)
