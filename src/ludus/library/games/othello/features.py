"""What there is to say of a position of Othello in numbers: squares by class, mobility, stability, parity.

The ten classes of squares are those of Abramson 1987, section 5.2.3: Figure 7, cut for smaller boards as in Figure 10.
Squares of classes 2 and 3, which lie next to a corner, are of classes 9 and 10 once their corner is occupied.
"""

import numpy as np

from ludus.kernel.bits import popcount
from ludus.library.games.othello.stability import stable_discs

ONE, ZERO, S1, S8 = (np.uint64(n) for n in (1, 0, 1, 8))
NOT_A, NOT_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)

# The class of each square of a quarter of the board, from the corner.
QUARTER = ((1, 2, 4, 5), (2, 3, 6, 6), (4, 6, 7, 8), (5, 6, 8, 8))
CLASSES = 10

NAMES = tuple(f"class-{k}" for k in range(1, CLASSES + 1))
NAMES += ("mobility", "corner-moves", "potential-mobility", "frontier", "stable", "parity")
NAMES += ("wipe-out", "wipe-out-threat")  # whether the mover has a move that takes all discs; whether the opponent has


# Tables, for Python only.


def square(row: int, column: int) -> int:
    """The bit of a square."""
    return 1 << (8 * row + column)


def class_masks(size: int) -> list[int]:
    """The squares of classes 1 to 8 on a board of this size."""
    masks = [0] * 9
    for row in range(size):
        for column in range(size):
            r, c = min(row, size - 1 - row), min(column, size - 1 - column)
            masks[QUARTER[r][c]] |= square(row, column)
    return masks[1:]


def corner_masks(size: int) -> list[tuple[int, int, int]]:
    """For each corner: the corner itself, its two neighbours on the edges, its neighbour on the diagonal."""
    last = size - 1
    corners = [(0, 0, 1, 1), (0, last, 1, -1), (last, 0, -1, 1), (last, last, -1, -1)]
    return [
        (square(r, c), square(r + down, c) | square(r, c + right), square(r + down, c + right))
        for r, c, down, right in corners
    ]


# The features.


def difference(mine, theirs, where):
    """How many more discs the mover has on some squares than the opponent."""
    return popcount(mine & where) - popcount(theirs & where)


def write_classes(mine, theirs, classes, corners, numbers):
    """The differences of the ten classes. Of class 1 to 8 the squares are given, of the corners those around them."""
    for k in range(8):
        numbers[k] = difference(mine, theirs, classes[k])
    numbers[1] = numbers[2] = numbers[8] = numbers[9] = 0.0
    for k in range(4):
        late = 7 if (mine | theirs) & corners[k, 0] != ZERO else 0
        numbers[1 + late] += difference(mine, theirs, corners[k, 1])
        numbers[2 + late] += difference(mine, theirs, corners[k, 2])


def beside(squares):
    """These squares and all next to them, some of them beyond the board."""
    row = squares | (squares << S1 & NOT_A) | (squares >> S1 & NOT_H)
    return row | row << S8 | row >> S8


def write_features(game, mine, theirs, moves, replies, numbers):
    """All that `NAMES` lists but the last two; `moves` and `replies` are where the mover and the opponent may go."""
    write_classes(mine, theirs, game.square_classes, game.corner_squares, numbers)
    taken = mine | theirs
    empty = game.board & ~taken
    corners = game.square_classes[0]
    numbers[CLASSES] = popcount(moves) - popcount(replies)
    numbers[CLASSES + 1] = popcount(moves & corners) - popcount(replies & corners)
    numbers[CLASSES + 2] = popcount(beside(theirs) & empty) - popcount(beside(mine) & empty)
    numbers[CLASSES + 3] = difference(mine, theirs, beside(empty))
    stable = popcount(stable_discs(mine, taken, game.board, game.inner))
    numbers[CLASSES + 4] = stable - popcount(stable_discs(theirs, taken, game.board, game.inner))
    numbers[CLASSES + 5] = 1.0 if popcount(empty) % 2 == 1 else -1.0  # who moves last, if nobody passes
    return CLASSES + 6
