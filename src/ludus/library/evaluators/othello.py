"""Evaluators for Othello."""

import numpy as np

from ludus.kernel.bits import popcount
from ludus.library.games.othello.features import class_masks, corner_masks, difference
from ludus.library.games.othello.game import ZERO, legal_squares
from ludus.model.evaluator import Evaluator


class Discs(Evaluator):
    """The difference in discs: what counts in the end, and a poor guide before."""

    name = "discs"
    games = ("othello",)

    def evaluate(self, game, state):
        return popcount(state[0]) - popcount(state[1])


class Mobility(Evaluator):
    """The difference in legal moves, and ten for each corner."""

    name = "mobility"
    games = ("othello",)

    def __init__(self, corner: float = 10.0) -> None:
        self.corner = corner

    def prepare(self, game):
        self.corners = np.uint64(class_masks(game.size)[0])

    def evaluate(self, game, state):
        mine, theirs, _ = state
        moves = popcount(legal_squares(mine, theirs, game.board, game.inner))
        replies = popcount(legal_squares(theirs, mine, game.board, game.inner))
        corners = popcount(mine & self.corners) - popcount(theirs & self.corners)
        return moves - replies + self.corner * corners


# Weights of the ten classes of squares: Abramson 1987, Table 2.
WEIGHTS = {
    "M": (64, -30, -40, 10, 5, 2, 5, 1, 5, 5),
    "A": (64, -30, -40, 10, 5, -3, 2, 1, 5, -2),
    "L1": (33.57, -4.83, -3.23, 3.84, 3.00, 1.79, 2.10, 1.00, 10.77, 1.62),
    "L2": (56.16, -7.38, -6.20, 6.63, 4.19, 3.13, 3.38, 1.00, 13.40, 3.87),
    "L3": (56.77, -5.59, -36.46, 5.88, 4.73, 2.75, 2.43, 1.00, 17.54, 1.67),
}


def read_weights(text: str) -> list[float]:
    """The weights of the ten classes: a set by its name, or ten numbers as in 64:-30:-40:10:5:-3:2:1:5:-2."""
    if text in WEIGHTS:
        return [*WEIGHTS[text]]
    try:
        found = [float(part) for part in text.split(":")]
    except ValueError:
        found = []
    if len(found) != 10 or not np.isfinite(found).all():
        raise ValueError(
            f"weights must be one of {', '.join(WEIGHTS)}, or ten numbers like 64:-30:-40:10:5:-3:2:1:5:-2"
        )
    return found


class WeightedSquares(Evaluator):
    """A weight for each of ten classes of squares: a set of Abramson 1987 (Table 2), or ten numbers.

    As in weights="64:-30:-40:10:5:-3:2:1:5:-2", in quotation marks.
    """

    name = "weighted-squares"
    games = ("othello",)

    def __init__(self, weights: str = "A") -> None:
        self.weights = np.array(read_weights(weights), float)

    def prepare(self, game):
        self.classes = np.array(class_masks(game.size), np.uint64)
        self.corner_squares = np.array(corner_masks(game.size), np.uint64)

    def evaluate(self, game, state):
        mine, theirs, _ = state
        value = 0.0
        for i in range(8):
            if i != 1 and i != 2:
                value += self.weights[i] * difference(mine, theirs, self.classes[i])
        for k in range(4):  # the squares next to a corner count by whether it is occupied
            late = 7 if (mine | theirs) & self.corner_squares[k, 0] != ZERO else 0
            value += self.weights[1 + late] * difference(mine, theirs, self.corner_squares[k, 1])
            value += self.weights[2 + late] * difference(mine, theirs, self.corner_squares[k, 2])
        return value
