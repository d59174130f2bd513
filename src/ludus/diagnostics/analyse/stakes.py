"""How much a move matters where the game is too large to be solved: its expected outcome after each move.

The *expected outcome* of a move (Abramson 1987) is the mean result of random play after it: 1 won, 1/2 drawn, 0 lost.
In positions of sampled games every move is followed by random games, twice, independently. The first half says
which move looks best and which worst; the second how far apart those two are. So nothing is gained by choosing the
luckiest of many estimates: the difference is unbiased for the two moves chosen.

A position is *decisive* here if that difference is at least half a point, that between a win and a draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.common.interval import Estimate, mean, share
from ludus.diagnostics.analyse.walking import Walked
from ludus.kernel.random import seed_for
from ludus.learning.random_games import Outcomes, random_games
from ludus.model.playable import PlayableGame
from ludus.runtime.player import typical_length

PLAYOUTS = 64
"""Random games after each move, in each half, unless they would cost too much."""

FEWEST = 4
"""The fewest random games after each move, whatever they cost."""

HALF_POINT = 0.5

NODES, SLOW_NODES = 100_000, 2_000
"""About what those after all moves of a position may cost in each half, where the game is compiled and where not."""

POSITIONS, SLOW_POSITIONS = 100, 10
"""How many positions are looked at."""


@dataclass
class Stakes:
    """The difference between the best and the worst move, and between the best and an average one, in points."""

    spread: list[float]
    gain: list[float]
    interrupted: bool = False

    @property
    def decisive(self) -> Estimate:
        """The share of decisive positions among those that leave a choice."""
        return share(sum(each >= HALF_POINT for each in self.spread), len(self.spread))

    def to_dict(self) -> dict[str, Any]:
        """For JSON; `gain` is what the best move is worth more than a random one."""
        found = {"positions": len(self.spread), "decisive": vars(self.decisive)}
        means = {name: vars(mean(values)) for name, values in (("spread", self.spread), ("gain", self.gain))}
        return found | means if len(self.spread) > 1 else found | {"spread": None, "gain": None}


def chosen_positions(game: PlayableGame, games: Sequence[Walked], most: int, seed: int) -> list[Any]:
    """One position of each of these games in which a player has a choice, drawn at random; at most this many."""
    found = []
    for number, walked in enumerate(games[:most]):
        choices = walked.decisions[walked.counts[walked.decisions] > 1]
        if len(choices):
            ply, state = int(choices[seed_for(seed, number) % len(choices)]), game.start
            for move in walked.moves[:ply].tolist():
                state = game.after(state, move)
            found.append(state)
    return found


def look(game: PlayableGame, states: Sequence[Any], seed: int, compiled: bool | None, fast: bool) -> Iterator[Stakes]:
    """What is known after each of these positions."""
    nodes, length, found = NODES if fast else SLOW_NODES, typical_length(game), Stakes([], [])
    for number, state in enumerate(states):
        after = [game.after(state, move) for move in game.legal(state)]
        if len(after) > 1:
            games = max(min(PLAYOUTS, nodes // (len(after) * length)), FEWEST)
            seeds = seed_for(seed, number, 0), seed_for(seed, number, 1)
            looked, measured = (_points(random_games(game, after, games, each, compiled=compiled)) for each in seeds)
            best, worst = int(looked.argmax()), int(looked.argmin())
            found.spread.append(float(measured[best] - measured[worst]))
            found.gain.append(float(measured[best] - measured.mean()))
        yield found


def _points(after: Outcomes) -> np.ndarray:
    """The expected points of each move, from 0 to 1; outcomes are to the opponent."""
    return (1.0 - after.expected) / 2.0
