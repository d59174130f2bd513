"""Trees with traps: a uniform tree in which a node may be a leaf before its time (Pearl 1983, 1984; Abramson 1985).

Whose win a trap is, is not said where the critical density q_c = 1 - (1+b)^(1-1/b) / b is printed (Abramson 1985 and
1989). The formula holds if a trap is lost by the player who is to move there, as checkmate is: then the chance of a win
obeys x = (1-q)(1 - x^b), and at q_c its slope is -1. So that is the default, and `win` allows for others.
"""

from __future__ import annotations

import numpy as np

from ludus.library.games.synthetic import fair, numbers, within
from ludus.library.games.win_loss import WinLossTree


class TrapTree(WinLossTree):
    """A uniform tree of wins and losses in which nodes end the game early with probability q (Pearl 1984).

    `q` may be given once for each depth from 1 to depth - 1, with spaces between. A trap is won by the player to move
    with probability `win`, a leaf at full depth with probability `p`; `fair` keeps the chance of a win the same on all
    levels above, under the `q` of the deepest.
    """

    name = "trap-tree"

    def __init__(
        self,
        branching: int = 3,
        depth: int = 16,
        q: float | str = 0.1,
        win: float = 0.0,
        p: float | str = "fair",
        seed: int = 0,
    ) -> None:
        within("branching", branching, 1, 1000)
        within("depth", depth, 1, 1000)
        within("win", win, 0, 1)
        self.branching, self.seed = branching, seed
        traps = numbers("q", q, max(depth - 1, 1))[: depth - 1]
        if not ((traps >= 0) & (traps < 1)).all():
            raise ValueError("q must be from 0 to below 1")
        if p == "fair":
            p = fair(branching, traps[-1] if depth > 1 else 0.0, win)
        shape, wins = np.zeros((depth + 1, 2)), np.full(depth + 1, win)
        shape[1:depth, 0], shape[depth, 0] = traps, 1
        shape[:, 1] = 1 - shape[:, 0]
        wins[depth] = within("p", float(numbers("p", p, 1)[0]), 0, 1)
        self.plant([0, branching], shape, wins, seed)
