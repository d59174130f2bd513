"""A few games between two players, to see whether the one has become stronger; `ludus match` is for those who ask."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from ludus.kernel.chance import Dice, random_game
from ludus.kernel.random import seed_for
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player, typical_length

OPENING = 4
"""Random plies before the players take over, in games that last longer than twice as many."""


def duel(game: PlayableGame, players: tuple[Player, Player], pairs: int, seed: int) -> dict[str, Any]:
    """The score of the first player over this number of pairs of games from random openings, with its 95 % interval."""
    typical = typical_length(game)
    opening, longest = min(OPENING, typical // 2), 4 * typical + 20
    points = np.array([_pair(game, players, opening, longest, seed_for(seed, k, 8)) for k in range(pairs)])
    mean, error = float(points.mean()), float(points.std(ddof=1) / np.sqrt(pairs)) if pairs > 1 else 0.5
    low, high = max(mean - 1.96 * error, 0.0), min(mean + 1.96 * error, 1.0)
    return {"score": mean, "low": low, "high": high, "pairs": pairs}


def _pair(game: PlayableGame, players: tuple[Player, Player], opening: int, longest: int, seed: int) -> float:
    """The mean score of the first player with either side."""
    start = game.start
    decisions = (ply for ply in random_game(game, Dice(seed)) if ply.is_decision)
    for ply in islice(decisions, opening + 1):
        start = ply.state
    total = 0.0
    for side in (0, 1):
        result = _play(game, (players[side], players[1 - side]), start, longest, seed_for(seed, side))
        total += 0.5 + 0.5 * (result if side == 0 else -result)
    return total / 2


def _play(game: PlayableGame, players: tuple[Player, Player], state: Any, longest: int, seed: int) -> float:
    """Won, drawn or lost for the player who moves first: 1, 0 or -1."""
    dice, ply = Dice(seed), 0
    while game.legal(state):
        if ply == longest:
            return 0.0
        move = players[ply % 2].decide(game, state, seed=seed_for(seed, ply), ply=ply)
        state = dice.settle(game, game.after(state, move))
        ply += 1
    return float(np.sign(game.result(state))) * (1.0 if ply % 2 == 0 else -1.0)
