"""A player in one game: its moves, what they cost, and whether it keeps its budget."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.arena.play.reasons import Overran, PlayerError, TooSlow
from ludus.kernel.limits import GENERATED
from ludus.model.budget import Meter
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player
from ludus.runtime.session import Session

SECONDS_SLACK = 0.5
"""Seconds by which a budget of seconds may be overrun, beside half of itself, because the machine may be busy."""


class Seat:
    """A player in one game, and what it has spent so far."""

    def __init__(self, player: Player) -> None:
        self.player, self.decisions = player, 0
        self.counts, self.seconds = np.zeros(4, np.int64), 0.0
        player.new_game()

    def decide(self, game: PlayableGame, state: Any, seed: int, ply: int, limit: float | None) -> int:
        """Choose a move; an error if that takes more than `limit` seconds."""
        clock = None if limit is None else MoveClock(limit)
        move = self.player.decide(game, state, seed=seed, ply=ply, progress=clock)
        session = self.player.session(game)
        self.counts += session.meter
        self.seconds += session.seconds
        self.decisions += 1
        return move

    @property
    def effort(self) -> Meter:
        """What all its moves have cost."""
        return Meter.read(self.counts, self.seconds)

    def overrun(self, game: PlayableGame) -> Overran | None:
        """What it was if the last move cost more than the budget and one expansion or playout."""
        session, budget = self.player.session(game), self.player.budget
        whole = budget.per == "game"
        nodes = (self.counts if whole else session.meter).item(GENERATED)
        seconds = self.seconds if whole else session.seconds
        # An automatic depth is chosen for the budget, and then searched to the end.
        if budget.nodes is not None and nodes > budget.nodes and budget.depth != "auto":
            allowed = session.search.largest_step(game, session.evaluator) * (self.decisions if whole else 1)
            if nodes > budget.nodes + allowed:
                return Overran("nodes", nodes, budget.nodes, budget.per)
        if budget.seconds is not None and seconds > 1.5 * budget.seconds + SECONDS_SLACK:
            return Overran("seconds", seconds, budget.seconds, budget.per)
        return None


class MoveClock:
    """Called a few hundred times a second while a player thinks: an error when that takes more than `limit` seconds."""

    def __init__(self, limit: float) -> None:
        self.limit = limit

    def __call__(self, session: Session) -> None:
        if session.elapsed > self.limit:
            raise PlayerError(TooSlow(self.limit))
