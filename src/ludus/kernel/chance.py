"""What chance decides: dice drawn in kernels, in random games, and by whoever conducts a game; random games in Python.

Compiled, random games are those of `playout.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

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


def drawn_choice(random, probabilities, outcomes, n):
    """Which of n moves is made at random; `outcomes` is above 0 where chance decides, by these probabilities."""
    return np.int64(drawn_outcome(random, probabilities, n) if outcomes > 0 else below(random, n))


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


class Ply(NamedTuple):
    """A position of a random game, and what was done there."""

    state: Any
    legal: list[int]
    """None where the game is over."""
    odds: list[float]
    """The probabilities of the legal moves where chance decides; none where a player does."""
    move: int | None
    """None where the game is over."""

    @property
    def is_decision(self) -> bool:
        """Whether a player had to move."""
        return bool(self.legal) and not self.odds


def random_game(game: Any, dice: Dice, state: Any = None) -> Iterator[Ply]:
    """A random game from `state`, or from the first position: its positions in their order, the final one included.

    `game` is asked for `start`, `legal`, `odds` and `after`. One number is drawn for each move.
    """
    state = game.start if state is None else state
    while legal := game.legal(state):
        odds = game.odds(state)
        move = dice.pick(legal, odds)
        yield Ply(state, legal, odds, move)
        state = game.after(state, move)
    yield Ply(state, [], [], None)


def random_games(game: Any, dice: Dice, games: int | None = None) -> Iterator[Ply]:
    """The positions of random games one after the other, of this many or endlessly."""
    for _ in count() if games is None else range(games):
        yield from random_game(game, dice)
