"""The board of Amazons: sets of squares, and how queens move over them.

The square in row r and column c, both from 0, is number 11 r + c. A set of squares is a pair of 64-bit words: bit n of
the first is square n, for n below 55 (rows 0 to 4), and bit n of the second is square 55 + n. Column 10 belongs to no
board, so nothing that goes sideways comes in on the other side. A smaller board is a corner of the largest.
"""

import functools

import numpy as np

from ludus.kernel.bits import highest_bit, lowest_bit, popcount

LARGEST = 10
STRIDE = 11
WORD = 55  # squares in a word
LINES = (1, 10, 11, 12)  # by how much the number of a square grows with a step on each of the four lines through it
ONE, ZERO, ALL = np.uint64(1), np.uint64(0), ~np.uint64(0)
S1, S11, WHOLE = np.uint64(1), np.uint64(STRIDE), np.uint64(WORD)
NOWHERE = (ZERO, ZERO)


def single(square):
    """The set of one square."""
    if square < WORD:
        return ONE << np.uint64(square), ZERO
    return ZERO, ONE << np.uint64(square - WORD)


def first(a):
    """The lowest square of a set that has one."""
    return lowest_bit(a[0]) if a[0] != ZERO else WORD + lowest_bit(a[1])


def count(a):
    return popcount(a[0]) + popcount(a[1])


def union(a, b):
    return a[0] | b[0], a[1] | b[1]


def common(a, b):
    return a[0] & b[0], a[1] & b[1]


def without(a, b):
    return a[0] & ~b[0], a[1] & ~b[1]


def is_empty(a):
    return a[0] | a[1] == ZERO


# One queen, by a table of rays.


def queen_from(rays, square, taken):
    """The squares that a queen on `square` can go to: of each ray what comes before the first that is taken."""
    low = high = ZERO
    for i in range(0, 8, 2):  # upward: the bits of the ray up to the lowest that is taken
        met_low, met_high = rays[square, i] & taken[0], rays[square, i + 1] & taken[1]
        borrow = ONE if met_low == ZERO else ZERO
        low |= rays[square, i] & (met_low ^ (met_low - ONE))
        high |= rays[square, i + 1] & (met_high ^ (met_high - borrow))
    for i in range(8, 16, 2):  # downward: the bits from the highest that is taken
        met_low, met_high = rays[square, i] & taken[0], rays[square, i + 1] & taken[1]
        clear = ALL if met_high == ZERO else ZERO
        low |= rays[square, i] & clear & (ALL << np.uint64(highest_bit(met_low | ONE)))
        high |= rays[square, i + 1] & (ALL << np.uint64(highest_bit(met_high | ONE)))
    return low & ~taken[0], high & ~taken[1]


# Many queens at once, by shifting.


def step_up(a, empty, shift):
    """One step to where it is empty, towards larger numbers."""
    return a[0] << shift & empty[0], (a[1] << shift | a[0] >> (WHOLE - shift)) & empty[1]


def step_down(a, empty, shift):
    """One step to where it is empty, towards smaller numbers."""
    return (a[0] >> shift | a[1] << (WHOLE - shift)) & empty[0], a[1] >> shift & empty[1]


def advance(mine, theirs, empty):
    """Where the queens of two sides can go, and how many moves each side has.

    In one direction no square is reached twice: the nearer queen is in the way of the other. Both sides and both ways
    share a loop because that takes half the time of a loop for each.
    """
    my_reach = their_reach = NOWHERE
    my_moves = their_moves = 0
    for line in LINES:
        shift = np.uint64(line)
        up = down = mine
        their_up = their_down = theirs
        while not is_empty(union(union(up, down), union(their_up, their_down))):
            up, down = step_up(up, empty, shift), step_down(down, empty, shift)
            their_up, their_down = step_up(their_up, empty, shift), step_down(their_down, empty, shift)
            my_reach = union(my_reach, union(up, down))
            their_reach = union(their_reach, union(their_up, their_down))
            my_moves += count(up) + count(down)
            their_moves += count(their_up) + count(their_down)
    return my_reach, their_reach, my_moves, their_moves


def survey(mine, theirs, empty):
    """My moves and theirs, stones not counted, and my territory less theirs.

    A square is the territory of the side that gets there in fewer moves. Both sides advance, a move at a time, to
    squares that neither has reached before. Who comes later need not go on: from there the other is ahead everywhere.
    """
    my_moves = their_moves = territory = 0
    free, at_the_start = empty, True
    while not is_empty(free) and not is_empty(union(mine, theirs)):
        mine, theirs, moves, replies = advance(mine, theirs, empty)
        if at_the_start:
            my_moves, their_moves, at_the_start = moves, replies, False
        mine, theirs = common(mine, free), common(theirs, free)
        free = without(free, union(mine, theirs))
        territory += count(mine) - count(theirs)
    return my_moves, their_moves, territory


def neighbours(a):
    """The squares of a set and those beside them, on the board or off it."""
    low, high = a[0] | a[0] << S1 | a[0] >> S1, a[1] | a[1] << S1 | a[1] >> S1
    across = WHOLE - S11
    return low | low << S11 | low >> S11 | high << across, high | high << S11 | high >> S11 | low >> across


# For Python only: sets as lists, and the tables of a board of this size.


def words(squares):
    """The set of these squares."""
    bits = sum(1 << square for square in squares)
    return np.uint64(bits & (1 << WORD) - 1), np.uint64(bits >> WORD)


def squares(a):
    """The squares of a set, in order."""
    bits = int(a[0]) | int(a[1]) << WORD
    return [square for square in range(STRIDE * LARGEST) if bits >> square & 1]


@functools.cache
def queen_lines(size):
    """For each square of a board without pieces, the squares in each of the eight directions, the upward ones first."""
    board = [STRIDE * row + column for row in range(size) for column in range(size)]
    found: dict[int, list[list[int]]] = {}
    for square in board:
        lines = found.setdefault(square, [])
        for step in (*LINES, *(-line for line in LINES)):
            line = [square + i * step for i in range(1, size)]
            end = next((i for i, place in enumerate(line) if place not in board), len(line))
            lines.append(line[:end])
    return found


@functools.cache
def ray_table(size):
    """For `queen_from`: a row for each square, the words of its eight rays."""
    table = np.zeros((STRIDE * LARGEST, 16), np.uint64)
    for square, lines in queen_lines(size).items():
        table[square] = [word for line in lines for word in words(line)]
    return table


@functools.cache
def most_moves(size, amazons):
    """An upper bound on the moves of this number of amazons: as many as if each were alone, on the best squares.

    An amazon that is alone has all the moves that it has among others, and more.
    """
    reach = {square: [to for line in lines for to in line] for square, lines in queen_lines(size).items()}
    counts = sorted(sum(len(reach[to]) for to in found) for found in reach.values())
    return sum(counts[-amazons:])
