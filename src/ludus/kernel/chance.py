"""What chance decides: dice drawn in kernels, in random games, and by whoever conducts a game."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.kernel.random import below, unit


def drawn_outcome(random, probabilities, n):
    """Which of n outcomes comes, by their probabilities."""
    left = unit(random)
    for i in range(n - 1):
        left -= probabilities[i]
        if left < 0.0:
            return np.int64(i)
    return np.int64(n - 1)


class Dice:
    """The chance of one game, in Python: the k-th outcome comes from the seed's k-th number, whoever plays."""

    def __init__(self, seed: int) -> None:
        self.random = np.array([seed % 2**64], np.uint64)

    def roll(self, odds: list[float]) -> int:
        """Which outcome comes."""
        with np.errstate(over="ignore"):
            return int(drawn_outcome(self.random, odds, len(odds)))

    def below(self, n: int) -> int:
        """A whole number in [0, n)."""
        with np.errstate(over="ignore"):
            return int(below(self.random, n))

    def pick(self, legal: list[int], odds: list[float]) -> int:
        """A move at random or, where chance decides, what it brings."""
        return legal[self.roll(odds) if odds else self.below(len(legal))]

    def settle(self, game: Any, state: Any) -> Any:
        """The state in which somebody has to decide, or the game is over."""
        while odds := game.odds(state):
            state = game.after(state, self.pick(game.legal(state), odds))
        return state
