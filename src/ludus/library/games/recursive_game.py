"""Recursive random games: every position has n moves with probability f_n, and none ends the game (Michon 1983)."""

from __future__ import annotations

import math

import numpy as np

from ludus.library.games.synthetic import numbers, within
from ludus.library.games.win_loss import WinLossTree

LEAST = 2.0**-53
"""A chance that no draw of 53 bits meets."""


class RecursiveGame(WinLossTree):
    """A random tree of wins and losses: n moves with probability f_n, of which f_0 ends the game (Michon 1983).

    `f` is `f_0 f_1 f_2 ...` with spaces between, or `geometric f_0`, which is f_n = f_0 (1 - f_0)^n. An end is won by
    the player to move with probability `win`. The first position is never an end, and all at `depth` are.
    """

    name = "recursive-game"

    def __init__(self, f: str = "geometric 0.1", depth: int = 50, win: float = 0.5, seed: int = 0) -> None:
        within("depth", depth, 1, 1000)
        within("win", win, 0, 1)
        self.seed = seed
        chances = moves_chances(f)
        shape = np.tile(chances, (depth + 1, 1))
        shape[0, 0] = 0
        shape[0] /= shape[0].sum()
        shape[depth] = np.eye(len(chances))[0]
        self.plant(list(range(len(chances))), shape, np.full(depth + 1, win), seed)


def moves_chances(f: str) -> np.ndarray:
    """The probabilities f_0, f_1, f_2 ... that the parameter `f` stands for."""
    words = f.split()
    if len(words) < 2:
        raise ValueError("f must be the probabilities of 0, 1, 2 ... moves with spaces between, or geometric and f_0")
    if words[0] == "geometric":
        end = within("f_0", float(numbers("f_0", " ".join(words[1:]), 1)[0]), 0.05, 0.95)
        most = math.ceil(math.log(LEAST) / math.log(1 - end))
        chances = end * (1 - end) ** np.arange(most + 1)
    else:
        within("the most moves of f", len(words) - 1, 1, 1000)
        chances = numbers("f", f, len(words))
    if not (chances >= 0).all() or abs(chances.sum() - 1) > 1e-9 or not chances[1:].any():
        raise ValueError("f must be probabilities that sum to 1 and allow for some moves")
    return chances / chances.sum()
