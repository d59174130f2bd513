"""Chess on bit boards: which squares a man reaches, who attacks what. `chess_moves.py` lists the legal moves.

The board is always seen by the player to move: his pawns go up, his king starts on e1 and the opponent's on e8,
whatever his colour. Square a1 is bit 0, b1 bit 1, a2 bit 8. Four boards say what stands where: `mine`, the mover's
men, and the three bits of each man's code: `step`, `diagonal` and `straight`. Without `step` the other two are the
lines along which bishop, rook and queen slide; with `step` they tell knight and king from a pawn.

Where a slider goes depends on what stands on the inner squares of its line. A product gathers them in six adjacent
bits, and a table knows the rest (kindergarten bit boards: small tables, no search for magic numbers).
"""

import numpy as np

from ludus.kernel.bits import lowest_bit

PAWN, BISHOP, KNIGHT, ROOK, KING, QUEEN = 1, 2, 3, 4, 5, 6  # the sum of step 1, diagonal 2, straight 4

ZERO, ONE = np.uint64(0), np.uint64(1)
S2, S7, S8, S9, S16, S32, S58 = (np.uint64(n) for n in (2, 7, 8, 9, 16, 32, 58))
FILE_A = np.uint64(0x0101010101010101)
FILE_B = np.uint64(0x0202020202020202)
C7_TO_H2 = np.uint64(0x0004081020408000)
NOT_A, NOT_H = ~FILE_A, ~(FILE_A << S7)
RANK_1, RANK_3, RANK_6, RANK_8 = (np.uint64(0xFF << 8 * rank) for rank in (0, 2, 5, 7))
ODD_RANKS, LOWER_HALVES = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)


# Tables.


def _reach(square: int, steps: list[tuple[int, int]], most: int) -> int:
    """The squares that up to this many equal steps lead to on an empty board."""
    found = 0
    for up, right in steps:
        rank, file = square // 8 + up, square % 8 + right
        for _ in range(most):
            if not (0 <= rank < 8 and 0 <= file < 8):
                break
            found |= 1 << (8 * rank + file)
            rank, file = rank + up, file + right
    return found


def _table(*steps: tuple[int, int], most: int = 1) -> np.ndarray:
    return np.array([_reach(square, list(steps), most) for square in range(64)], np.uint64)


KING_STEPS = _table((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
KNIGHT_STEPS = _table((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))
PAWN_CAPTURES = _table((1, -1), (1, 1))
RANK, FILE = _table((0, 1), (0, -1), most=7), _table((1, 0), (-1, 0), most=7)
RISING, FALLING = _table((1, 1), (-1, -1), most=7), _table((1, -1), (-1, 1), most=7)


def _slides(place: int, inner: int) -> list[int]:
    """Where a slider goes on a line of eight places, if the six inner ones are occupied like this."""
    found = []
    for step in (1, -1):
        at = place + step
        while 0 <= at < 8:
            found.append(at)
            if inner << 1 >> at & 1:
                break
            at += step
    return found


# By the slider's place on its line and what stands on the inner squares: its reach on all ranks at once, and on file a.
SIDEWAYS = np.array(
    [[sum(int(FILE_A) << at for at in _slides(place, inner)) for inner in range(64)] for place in range(8)], np.uint64
)
UPRIGHT = np.array(
    [[sum(1 << 8 * at for at in _slides(place, inner)) for inner in range(64)] for place in range(8)], np.uint64
)


def _lines() -> tuple[np.ndarray, np.ndarray]:
    """For two squares on one line: the squares between them, and the whole line; for others nothing."""
    between, whole = np.zeros((64, 64), np.uint64), np.zeros((64, 64), np.uint64)
    for line in (RANK, FILE, RISING, FALLING):
        for a in range(64):
            for b in range(64):
                if int(line[a]) >> b & 1:
                    inside = (1 << max(a, b)) - (2 << min(a, b))
                    between[a, b] = int(line[a]) & int(line[b]) & inside
                    whole[a, b] = line[a] | line[b]
    return between, whole


BETWEEN, LINE = _lines()


# Attacks.


def along(square, occupied, line):
    """Where a slider goes on `line`, its rank or a diagonal: these cross every file once."""
    return line & SIDEWAYS[square & 7, (occupied & line) * FILE_B >> S58]


def diagonal_reach(square, occupied):
    """Where a bishop goes, up to and including the first man in each direction."""
    return along(square, occupied, RISING[square]) | along(square, occupied, FALLING[square])


def straight_reach(square, occupied):
    """Where a rook goes."""
    file = np.uint64(square & 7)
    upright = UPRIGHT[square >> 3, (occupied >> file & FILE_A) * C7_TO_H2 >> S58]
    return along(square, occupied, RANK[square]) | upright << file


def attackers(square, occupied, theirs, step, diagonal, straight):
    """The opponent's men that attack a square."""
    found = KNIGHT_STEPS[square] & step & diagonal
    found |= PAWN_CAPTURES[square] & step & ~(diagonal | straight)
    found |= KING_STEPS[square] & step & straight
    found |= diagonal_reach(square, occupied) & diagonal & ~step
    found |= straight_reach(square, occupied) & straight & ~step
    return found & theirs


def in_check(mine, step, diagonal, straight):
    """Is the mover's king attacked?"""
    occupied = step | diagonal | straight
    king = lowest_bit(mine & step & straight)
    return attackers(king, occupied, occupied & ~mine, step, diagonal, straight) != ZERO


def danger(mine, step, diagonal, straight):
    """The squares that the opponent attacks, through the mover's king, which cannot hide behind itself."""
    theirs = (step | diagonal | straight) & ~mine
    occupied = (step | diagonal | straight) & ~(mine & step & straight)
    pawns = theirs & step & ~(diagonal | straight)
    found = (pawns & NOT_A) >> S9 | (pawns & NOT_H) >> S7 | KING_STEPS[lowest_bit(theirs & step & straight)]
    men = theirs & step & diagonal
    while men != ZERO:
        found |= KNIGHT_STEPS[lowest_bit(men)]
        men &= men - ONE
    men = theirs & diagonal & ~step
    while men != ZERO:
        found |= diagonal_reach(lowest_bit(men), occupied)
        men &= men - ONE
    men = theirs & straight & ~step
    while men != ZERO:
        found |= straight_reach(lowest_bit(men), occupied)
        men &= men - ONE
    return found


def turned(board):
    """The board seen from the other side: the ranks in reverse order."""
    board = board >> S8 & ODD_RANKS | (board & ODD_RANKS) << S8
    board = board >> S16 & LOWER_HALVES | (board & LOWER_HALVES) << S16
    return board >> S32 | board << S32
