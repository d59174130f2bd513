"""First decisions in board splitting, counted with NumPy alone: a check of `ludus pathology --by decisions`.

`python -m benchmarks.first_decisions 2,5,10000,1,N`: branching, rounds, boards with a right and a wrong first move,
seed, and N(g) or Y(g) (Abramson 1985). Prints how often minimax of depth 1, 2, ... up to two plies before the end
chooses a right move, the first of equals, and how likely so clear a fall is by chance. Boards are other ones than those
of ludus.
"""

from __future__ import annotations

import sys

import numpy as np

import ludus
from ludus.library.games.synthetic import fair


def backed_up(values: np.ndarray, ply: int, branching: int) -> np.ndarray:
    """What the first moves are worth to H, given what the boards at `ply` are worth; V takes the least, by columns."""
    while ply > 1:
        ply -= 1
        if ply % 2 == 0:
            values = values.reshape(values.shape[0], -1, branching).min(axis=-1)
        else:
            values = values.reshape(-1, branching, values.shape[1]).max(axis=1)
    return values.ravel()


def opinions(board: np.ndarray, ply: int, branching: int, traps: bool) -> np.ndarray:
    """N(g), or with traps Y(g), of all boards at `ply`, to H."""
    rows, columns = branching ** (ply // 2), branching ** ((ply + 1) // 2)
    height, width = len(board) // rows, len(board) // columns
    parts = board.reshape(rows, height, columns, width)
    count = parts.sum(axis=(1, 3))
    if not traps:
        return count
    won = parts.all(axis=3).any(axis=1)
    if height == width:
        won |= np.all([parts[:, i, :, i] for i in range(height)], axis=0)
    lost = (~parts.any(axis=1)).any(axis=-1)
    return np.where(won, board.size, np.where(lost, -board.size, count))


def right_choices(branching: int, rounds: int, boards: int, seed: int, traps: bool) -> np.ndarray:
    """A row for each board, a column for each depth: whether the choice is right."""
    random, side, found = np.random.default_rng(seed), branching**rounds, []
    while len(found) < boards:
        board = random.random((side, side)) < 1 - fair(branching)
        exact = backed_up(board, 2 * rounds, branching)
        if exact.min() < exact.max():
            chosen = [
                backed_up(opinions(board, depth, branching, traps), depth, branching).argmin()
                for depth in range(1, 2 * rounds - 1)
            ]
            found.append(~exact[chosen])
    return np.array(found, float)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        *numbers, kind = argument.split(",")
        table = right_choices(*map(int, numbers), kind == "Y")
        depths = range(table.shape[1])
        test = ludus.monotonicity(table, [depths[::2], depths[1::2]])
        print(argument, np.round(100 * table.mean(axis=0), 1), f"p of a fall {test.p:.2g}", flush=True)
