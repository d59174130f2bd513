"""What there is to say of a position of Connect Four in numbers: lines that are still open, threats and their parity.

A *threat* of a side is an empty square on which it would complete a line. When all else is full the first player gets
the squares of odd rows, counted from the bottom, on a board with an even number of rows, and the second those of even
rows; so a threat in such a row is worth most (Allis 1988).
"""

import numpy as np

from ludus.kernel.bits import popcount

ZERO = np.uint64(0)
ALWAYS = ("centre", "threats", "threats-in-own-rows", "wins-at-once", "first")


def names(line: int) -> tuple[str, ...]:
    """The features of a game in which this many in a row win."""
    return (*(f"lines-of-{count}" for count in range(1, line)), *ALWAYS)


def write_lines(mine, theirs, lines, length, numbers):
    """Lines on which one side alone has this number of discs: the mover's less the opponent's."""
    for k in range(length - 1):
        numbers[k] = 0.0
    for line in lines:
        own, other = popcount(mine & line), popcount(theirs & line)
        if own == 0 and 0 < other < length:
            numbers[other - 1] -= 1.0
        elif other == 0 and 0 < own < length:
            numbers[own - 1] += 1.0


def write_threats(game, mine, theirs, my_threats, their_threats, numbers, n):
    """The other features, from place `n` on; a side's threats are given as squares."""
    taken = mine | theirs
    free, at_once = game.all & ~taken, taken + game.floor & game.all
    is_first = popcount(taken) % 2 == 0
    my_rows, their_rows = (game.odd_rows, ~game.odd_rows) if is_first else (~game.odd_rows, game.odd_rows)
    numbers[n] = popcount(mine & game.centre) - popcount(theirs & game.centre)
    numbers[n + 1] = popcount(my_threats & free) - popcount(their_threats & free)
    numbers[n + 2] = popcount(my_threats & free & my_rows) - popcount(their_threats & free & their_rows)
    numbers[n + 3] = popcount(my_threats & at_once) - popcount(their_threats & at_once)
    numbers[n + 4] = 1.0 if is_first else -1.0
    return n + 5
