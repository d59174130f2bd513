"""All legal moves of chess: checks and pins are found first, so that no move has to be tried.

Boards are as in `chess_board.py`. A move is origin + 64 * target + 4096 * the code of what a pawn becomes.
"""

import numpy as np

from ludus.kernel.bits import lowest_bit
from ludus.library.games.chess.board import (
    BETWEEN,
    BISHOP,
    FALLING,
    FILE,
    KING_STEPS,
    KNIGHT,
    KNIGHT_STEPS,
    LINE,
    NOT_A,
    NOT_H,
    ONE,
    PAWN_CAPTURES,
    QUEEN,
    RANK,
    RANK_1,
    RANK_3,
    RANK_6,
    RISING,
    ROOK,
    S7,
    S8,
    S9,
    ZERO,
    along,
    attackers,
    danger,
    diagonal_reach,
    straight_reach,
)

A1, H1 = np.uint64(0x01), np.uint64(0x80)
B1_TO_D1, C1_TO_D1, F1_TO_G1 = np.uint64(0x0E), np.uint64(0x0C), np.uint64(0x60)
CASTLES_SHORT, CASTLES_LONG = 4 | 6 << 6, 4 | 2 << 6  # the king from e1 to g1 or c1
REMOVED, QUEENS, ANY_PIECE = 0, 1, 2  # what a pawn becomes on the last rank


def legal_moves(mine, step, diagonal, straight, special, promotion, out):
    """Write every move that does not leave the king in check into `out`, and return how many; draws do not matter.

    `special`: the corners whose rook may still castle, and the square on the sixth rank where a pawn can be captured
    in passing. `promotion`: REMOVED, QUEENS or ANY_PIECE.
    """
    king = lowest_bit(mine & step & straight)
    checkers, pinned = checkers_and_pinned(king, mine, step, diagonal, straight)
    n = 0
    if checkers & (checkers - ONE) == ZERO:  # two checks can only be answered by the king
        allowed = answers_to(checkers, king, mine)
        left, right, pushed, twice = pawn_targets(king, pinned, allowed, mine, step, diagonal, straight, promotion)
        n = write_pawns(out, n, left, 7, promotion)
        n = write_pawns(out, n, right, 9, promotion)
        n = write_pawns(out, n, pushed, 8, promotion)
        n = write_pawns(out, n, twice, 16, promotion)
        if special & RANK_6 != ZERO:
            n = captures_in_passing(out, n, mine, step, diagonal, straight, special & RANK_6)
        n = piece_moves(out, n, king, pinned, allowed, mine, step, diagonal, straight)
    return king_moves(out, n, king, checkers, mine, step, diagonal, straight, special)


def can_move(mine, step, diagonal, straight, special, promotion):
    """Is there a legal move? As `legal_moves`, but done with the first one; who can castle can also step aside."""
    king = lowest_bit(mine & step & straight)
    checkers, pinned = checkers_and_pinned(king, mine, step, diagonal, straight)
    if checkers & (checkers - ONE) == ZERO:
        allowed = answers_to(checkers, king, mine)
        left, right, pushed, twice = pawn_targets(king, pinned, allowed, mine, step, diagonal, straight, promotion)
        if (left | right | pushed | twice | special & RANK_6) != ZERO:
            return True
        if a_piece_can_move(king, pinned, allowed, mine, step, diagonal, straight):
            return True
    steps = KING_STEPS[king] & ~mine
    return steps != ZERO and steps & ~danger(mine, step, diagonal, straight) != ZERO


def answers_to(checkers, king, mine):
    """Where men other than the king may go: anywhere, or where they end the one check."""
    return ~mine if checkers == ZERO else checkers | BETWEEN[king, lowest_bit(checkers)]


def piece_moves(out, n, king, pinned, allowed, mine, step, diagonal, straight):
    """Knights, then whatever slides along diagonals, then along ranks and files."""
    occupied = step | diagonal | straight
    men = mine & step & diagonal & ~pinned
    while men != ZERO:
        origin = lowest_bit(men)
        n = write(out, n, origin, KNIGHT_STEPS[origin] & allowed)
        men &= men - ONE
    men = mine & diagonal & ~step
    while men != ZERO:
        origin = lowest_bit(men)
        n = write(out, n, origin, diagonal_reach(origin, occupied) & allowed & line_of_pin(king, origin, pinned))
        men &= men - ONE
    men = mine & straight & ~step
    while men != ZERO:
        origin = lowest_bit(men)
        n = write(out, n, origin, straight_reach(origin, occupied) & allowed & line_of_pin(king, origin, pinned))
        men &= men - ONE
    return n


def a_piece_can_move(king, pinned, allowed, mine, step, diagonal, straight):
    """Whether `piece_moves` would find any."""
    occupied = step | diagonal | straight
    men = mine & step & diagonal & ~pinned
    while men != ZERO:
        if KNIGHT_STEPS[lowest_bit(men)] & allowed != ZERO:
            return True
        men &= men - ONE
    men = mine & diagonal & ~step
    while men != ZERO:
        origin = lowest_bit(men)
        if diagonal_reach(origin, occupied) & allowed & line_of_pin(king, origin, pinned) != ZERO:
            return True
        men &= men - ONE
    men = mine & straight & ~step
    while men != ZERO:
        origin = lowest_bit(men)
        if straight_reach(origin, occupied) & allowed & line_of_pin(king, origin, pinned) != ZERO:
            return True
        men &= men - ONE
    return False


def king_moves(out, n, king, checkers, mine, step, diagonal, straight, special):
    """Steps to safe squares, and castling, which also needs safe squares."""
    steps = KING_STEPS[king] & ~mine
    if steps == ZERO:
        return n
    occupied, unsafe = step | diagonal | straight, danger(mine, step, diagonal, straight)
    n = write(out, n, king, steps & ~unsafe)
    if special & RANK_1 != ZERO and checkers == ZERO:
        if special & H1 != ZERO and (occupied | unsafe) & F1_TO_G1 == ZERO:
            out[n] = CASTLES_SHORT
            n += 1
        if special & A1 != ZERO and occupied & B1_TO_D1 | unsafe & C1_TO_D1 == ZERO:
            out[n] = CASTLES_LONG
            n += 1
    return n


def write(out, n, origin, targets):
    """A move from `origin` to each of the targets; returns how many moves there are now."""
    while targets != ZERO:
        out[n] = origin | lowest_bit(targets) << 6
        n += 1
        targets &= targets - ONE
    return n


def checkers_and_pinned(king, mine, step, diagonal, straight):
    """The men that give check, and the mover's men that may not leave their line to the king."""
    theirs = (step | diagonal | straight) & ~mine
    checkers = KNIGHT_STEPS[king] & theirs & step & diagonal
    checkers |= PAWN_CAPTURES[king] & theirs & step & ~(diagonal | straight)
    snipers = diagonal_reach(king, theirs) & theirs & diagonal & ~step
    snipers |= straight_reach(king, theirs) & theirs & straight & ~step
    pinned = ZERO
    while snipers != ZERO:
        sniper = lowest_bit(snipers)
        between = BETWEEN[king, sniper] & mine
        if between == ZERO:
            checkers |= ONE << np.uint64(sniper)
        elif between & (between - ONE) == ZERO:
            pinned |= between
        snipers &= snipers - ONE
    return checkers, pinned


def line_of_pin(king, origin, pinned):
    """Where a man may go for all its king cares: everywhere, or, if it is pinned, along their common line."""
    return LINE[king, origin] if pinned >> np.uint64(origin) & ONE != ZERO else ~ZERO


def pawn_targets(king, pinned, allowed, mine, step, diagonal, straight, promotion):
    """Where the mover's pawns capture to the left and to the right, and where they go by one square and by two.

    All at once, captures in passing aside. A pinned pawn stays on its line.
    """
    pawns, occupied = mine & step & ~(diagonal | straight), step | diagonal | straight
    if promotion == REMOVED and king >= 56:
        allowed &= ~shields(king, occupied, straight & ~(step | mine))
    victims = occupied & ~mine & allowed
    left = (pawns & NOT_A & (~pinned | FALLING[king])) << S7 & victims
    right = (pawns & NOT_H & (~pinned | RISING[king])) << S9 & victims
    pushed = (pawns & (~pinned | FILE[king])) << S8 & ~occupied
    twice = (pushed & RANK_3) << S8 & ~occupied
    return left, right, pushed & allowed, twice & allowed


def write_pawns(out, n, targets, advance, promotion):
    """A pawn's move to each of the targets; on the last rank one move for each piece that it may become."""
    while targets != ZERO:
        target = lowest_bit(targets)
        move = target - advance | target << 6
        targets &= targets - ONE
        if target < 56 or promotion == REMOVED:
            out[n] = move
            n += 1
            continue
        out[n] = move | QUEEN << 12
        n += 1
        if promotion == ANY_PIECE:
            out[n] = move | ROOK << 12
            out[n + 1] = move | BISHOP << 12
            out[n + 2] = move | KNIGHT << 12
            n += 3
    return n


def shields(king, occupied, straight):
    """The squares of the last rank where a pawn that is removed there would leave the king in check along the rank."""
    found = ZERO
    for square in range(56, 64):
        one = ONE << np.uint64(square)
        if along(king, occupied & ~one, RANK[king]) & straight & ~one != ZERO:
            found |= one
    return found


def captures_in_passing(out, n, mine, step, diagonal, straight, passed):
    captors = captors_in_passing(mine, step, diagonal, straight, passed)
    while captors != ZERO:
        out[n] = lowest_bit(captors) | lowest_bit(passed) << 6
        n += 1
        captors &= captors - ONE
    return n


def captors_in_passing(mine, step, diagonal, straight, passed):
    """The mover's pawns that may capture on the `passed` square. Two men leave their rank at once, so each is tried."""
    pawns = mine & step & ~(diagonal | straight)
    candidates = ((passed & NOT_A) >> S9 | (passed & NOT_H) >> S7) & pawns
    king = lowest_bit(mine & step & straight)
    found = ZERO
    while candidates != ZERO:
        captor = candidates & (ZERO - candidates)
        occupied = (step | diagonal | straight) ^ captor ^ passed ^ passed >> S8
        if attackers(king, occupied, occupied & ~(mine | passed), step, diagonal, straight) == ZERO:
            found |= captor
        candidates ^= captor
    return found
