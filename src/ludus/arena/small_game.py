"""Is a game so small that it can be solved in a few seconds? A task for a worker, bounded by nodes: so the answer is
the same on every machine."""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass, replace
from typing import Any

from ludus.common.errors import LudusError
from ludus.model.budget import Budget
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player
from ludus.runtime.runner import InterpretedWarning

NODES, INTERPRETED = 4_000_000, 5_000
"""The most nodes that solving may take where rules are compiled, one or two seconds, and where they are interpreted."""
MEGABYTES = 64.0
"""The size of the solver's table."""


@dataclass(frozen=True)
class Solved:
    """The result of a game under best play, and what it took to find it."""

    value: int
    """To the player who moves first: 1 a win, 0 a draw, -1 a loss."""
    nodes: int
    seconds: float

    def __str__(self) -> str:
        result = {1: "the first player wins", 0: "it is a draw", -1: "the second player wins"}[self.value]
        took = "less than 1 s" if self.seconds < 1 else f"{self.seconds:.0f} s"
        return f"Small enough to solve: {result} under best play ({self.nodes:,} nodes, {took})."

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, stored: Any) -> Solved | None:
        """What `to_dict` gave; None for anything else."""
        try:
            found = cls(int(stored["value"]), int(stored["nodes"]), float(stored["seconds"]))
        except (TypeError, KeyError, ValueError, OverflowError):
            return None
        return found if found.value in (-1, 0, 1) and found.nodes >= 0 and 0 <= found.seconds < 1e10 else None


@dataclass(frozen=True)
class SolveTask:
    """A task for a worker: solve the game within the nodes allowed; None if that does not do."""

    game: PlayableGame
    compiled: bool | None = None
    given_up: bool = False

    def forfeited(self, what: tuple[int, ...], why: Any) -> SolveTask:
        """The task to do instead of this one, if it killed its workers."""
        return replace(self, given_up=True)

    def perform(self) -> Solved | None:
        if self.given_up:
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InterpretedWarning)  # the players' preparation says so
                return self._solve()
        except LudusError:  # a game of chance, or rules that fail: whoever plays will say so
            return None

    def _solve(self) -> Solved | None:
        player = Player(f"solve(goal=result, memory_of_table={MEGABYTES:g})", "zero", compiled=self.compiled)
        is_compiled = player.session(self.game).kernel is not None
        player.budget = Budget(nodes=NODES if is_compiled else INTERPRETED)
        result = player.choose(self.game)
        if result.stopped != "solved":
            return None
        value = (result.value > 0) - (result.value < 0)
        return Solved(value, result.meter.generated, result.meter.seconds)
