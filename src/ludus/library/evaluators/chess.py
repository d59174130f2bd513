"""Evaluators for chess."""

import numpy as np

from ludus.kernel.bits import lowest_bit, popcount
from ludus.library.games.chess.board import (
    BISHOP,
    KING,
    KNIGHT,
    KNIGHT_STEPS,
    PAWN,
    QUEEN,
    ROOK,
    ZERO,
    diagonal_reach,
    straight_reach,
    turned,
)
from ludus.library.games.chess.game import lead
from ludus.model.evaluator import Evaluator

# Abramson 1987, Table 6 and section 5.2.3: Botvinnik's values; four sets learned from random games (draws half a win or
# ignored, with promotion and without); three controls: random values, nothing, every man alike.
WEIGHTS: dict[str, dict[str, float]] = {
    "Chess0": {"P": 1, "R": 5, "N": 3, "B": 3, "Q": 9},
    "Chess1": {"P": 4.0, "R": 4.8, "N": 2.5, "B": 3.3, "Q": 9.6},
    "Chess2": {"P": 4.0, "R": 4.9, "N": 3.0, "B": 3.7, "Q": 10.4},
    "Chess3": {"P": 1.0, "R": 4.4, "N": 1.5, "B": 2.4, "Q": 6.8},
    "Chess4": {"P": 1.0, "R": 5.6, "N": 2.0, "B": 3.0, "Q": 7.5},
    "Chess5": {"P": 98, "R": 79, "N": 47, "B": 375, "Q": 45},
    "Chess6": {"P": 0, "R": 0, "N": 0, "B": 0, "Q": 0},
    "Chess7": {"P": 1, "R": 1, "N": 1, "B": 1, "Q": 1},
}
MEN = "PNBRQ"


def read_weights(text: str) -> list[float]:
    """The weights of `MEN`: a set by its name, or a letter and a number for each man, as in P1:N3.5:B3:R5:Q9."""
    if text in WEIGHTS:
        return [WEIGHTS[text][man] for man in MEN]
    parts = text.split(":")
    try:
        found = {part[0]: float(part[1:]) for part in parts}
    except (IndexError, ValueError):
        found = {}
    if sorted(found) != sorted(MEN) or len(parts) > len(MEN) or not np.isfinite([*found.values()]).all():
        raise ValueError(f"weights must be one of {', '.join(WEIGHTS)}, or a number for each man like P1:N3:B3:R5:Q9")
    return [found[man] for man in MEN]


class Material(Evaluator):
    """The sum of the mover's men minus the opponent's, by weights: a set of Abramson 1987 or P1:N3:B3:R5:Q9."""

    name = "material"
    games = ("chess",)

    def __init__(self, weights: str = "Chess0") -> None:
        self.weights = np.array(read_weights(weights), float)

    def evaluate(self, game, state):
        return material(self.weights, state)


def material(weights, state):
    mine, step, diagonal, straight = state[0], state[1], state[2], state[3]
    value = weights[0] * lead(mine, step & ~(diagonal | straight))
    value += weights[1] * lead(mine, step & diagonal)
    value += weights[2] * lead(mine, diagonal & ~(step | straight))
    value += weights[3] * lead(mine, straight & ~(step | diagonal))
    return value + weights[4] * lead(mine, diagonal & straight)


def placement() -> np.ndarray:
    """What a man is worth on each square, in pawns, by its code (row 0: a king in the endgame), seen by its owner."""
    found = np.zeros((7, 64))
    for square in range(64):
        rank, file = divmod(square, 8)
        inside = min(file, 7 - file)  # 0 on the outer files, 3 on d and e
        ring = min(inside, rank, 7 - rank)  # 0 on the rim, 3 in the centre
        found[0, square] = 0.15 * ring
        found[PAWN, square] = 1.0 + 0.03 * (rank - 1) ** 2 + (0.05 * inside if rank > 1 else 0.0)
        found[KNIGHT, square] = 3.1 + 0.12 * ring
        found[BISHOP, square] = 3.3 + 0.06 * ring + (0.05 if rank > 0 else 0.0)
        found[ROOK, square] = 5.0 + (0.2 if rank == 6 else 0.0) + (0.05 if inside == 3 else 0.0)
        found[QUEEN, square] = 9.5 + 0.03 * ring
        found[KING, square] = -0.2 * rank - (0.15 if inside >= 2 else 0.0) + (0.15 if inside == 1 else 0.0)
    return found


class Positional(Evaluator):
    """Men by the squares they stand on, and how many squares they reach; kings hide until few pieces are left."""

    name = "positional"
    games = ("chess",)

    def __init__(self, mobility: float = 0.03) -> None:
        """mobility: what a square that a knight, bishop, rook or queen reaches is worth, in pawns"""
        self.mobility = mobility
        self.placement = placement()

    def evaluate(self, game, state):
        mine, step, diagonal, straight = state[0], state[1], state[2], state[3]
        theirs = (step | diagonal | straight) & ~mine
        ours = worth(self, mine, step, diagonal, straight)
        return ours - worth(self, turned(theirs), turned(step), turned(diagonal), turned(straight))


def worth(evaluator, mine, step, diagonal, straight):
    """The worth of one player's men, seen by that player."""
    occupied = step | diagonal | straight
    value, reached = 0.0, 0
    men = mine & ~(step & straight)
    while men != ZERO:
        square = lowest_bit(men)
        one = men & (ZERO - men)
        code, reach = 0, ZERO
        if step & one != ZERO:
            code = PAWN
            if diagonal & one != ZERO:
                code, reach = KNIGHT, KNIGHT_STEPS[square]
        else:
            if diagonal & one != ZERO:
                code, reach = BISHOP, diagonal_reach(square, occupied)
            if straight & one != ZERO:
                code, reach = code + ROOK, reach | straight_reach(square, occupied)
        value += evaluator.placement[code, square]
        reached += popcount(reach & ~mine)
        men ^= one
    king = lowest_bit(mine & step & straight)
    pieces = popcount(occupied & ~mine & (diagonal | straight)) - 1  # the opponent's, the king aside: usually at most 7
    hiding = min(pieces / 7.0, 1.0)
    value += hiding * evaluator.placement[KING, king] + (1.0 - hiding) * evaluator.placement[0, king]
    return value + evaluator.mobility * reached
