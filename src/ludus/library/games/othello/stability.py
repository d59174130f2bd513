"""Discs of Othello that can never be turned over again.

A disc is turned along one of the four lines through it, between a new disc and an old one. Along a line it is *safe* if
the line is full, since then no new disc comes; or if its neighbour on one side is beyond the edge, or a disc of the
same colour that is stable itself, since whatever would turn the one would have to turn the other as well. A disc
that is safe along all four lines is stable. What follows from this, beginning with no stable disc at all, is true, if
not all that is true: a disc may be stable for other reasons.
"""

import numpy as np

ALL, NOT_A, NOT_H = (np.uint64(squares) for squares in (2**64 - 1, 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F))
S1, S2, S7, S8, S9 = (np.uint64(n) for n in (1, 2, 7, 8, 9))


def stable_discs(mine, taken, board, inner):
    """Those of the discs `mine` that are stable by the rule above; `inner` is the board without its outer columns."""
    empty = board & ~taken
    columns, rows = board & ~inner, board & ~(board << S8 & board >> S8)  # the outer ones
    sideways = columns | ~lines_through(empty, S1, NOT_A, NOT_H)
    upright = rows | ~lines_through(empty, S8, ALL, ALL)
    rising = columns | rows | ~lines_through(empty, S9, NOT_A, NOT_H)
    falling = columns | rows | ~lines_through(empty, S7, NOT_H, NOT_A)
    stable, before = mine & sideways & upright & rising & falling, ~mine
    while stable != before:  # a shift over the edge of the board only meets squares that are safe on that line anyway
        before = stable
        stable = mine & (sideways | before << S1 | before >> S1) & (upright | before << S8 | before >> S8)
        stable &= (rising | before << S9 | before >> S9) & (falling | before << S7 | before >> S7)
    return stable


def lines_through(squares, shift, up, down):
    """All squares of the lines, in one direction and back, on which one of `squares` lies.

    `up` and `down` are where a step forwards and a step back can end.
    """
    double = shift * S2
    above, below = squares | up & squares << shift, squares | down & squares >> shift
    up, down = up & up << shift, down & down >> shift
    above, below = above | up & above << double, below | down & below >> double
    up, down = up & up << double, down & down >> double
    return above | up & above << double * S2 | below | down & below >> double * S2
