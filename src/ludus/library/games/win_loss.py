"""Random trees whose leaves are won or lost: the number of moves is random, and may be none.

As in `dbf_tree` the tree is grown from the top, with the same joint distribution as if shapes and leaves were drawn
independently of each other, so that every node knows whether it is won. Let x be the chance that a node at the next
depth is won by the player to move there. A node with n moves is lost if all its n children are won, that is with
probability x^n. So it is known how likely a node is to be won and, by Bayes' rule, how many moves it then has; all
children of a lost node are won; and of a won node's children one is the first that is lost, and those after it are won
with probability x again.
"""

from __future__ import annotations

import numpy as np

from ludus.library.games.synthetic import check_state, child_key, drawn, numbered, root_key
from ludus.model.game import Game

WON, MOVES, FIRST_LOST = 0, 1, 2  # a node's own draws


class WinLossTree(Game):
    """What trees with traps and recursive random games have in common."""

    evaluator = "odds"
    seeded = True

    def plant(self, options: list[int], shape: np.ndarray, win: np.ndarray, seed: int) -> None:
        """`shape[d, i]`: the chance of `options[i]` moves at depth d; `win[d]`: the chance that a leaf there is won."""
        depth = len(shape) - 1
        self.options = np.array(options)
        self.max_moves = max(options)
        self.depth = self.length = depth
        self.key = root_key(seed)
        self.wins = np.zeros(depth + 1)  # the chance that a node is won by the player to move, at each depth
        self.sums = np.zeros((2, *shape.shape))  # of the chances of the options, for lost nodes and for won ones
        for d in range(depth, -1, -1):
            all_won = self.wins[min(d + 1, depth)] ** self.options
            all_won[self.options == 0] = 1 - win[d]
            joint = shape[d] * all_won, shape[d] * (1 - all_won)
            self.wins[d] = joint[1].sum() / shape[d].sum()
            for won in (0, 1):
                sums = joint[won].cumsum()
                self.sums[won, d] = sums / sums[-1] if sums[-1] > 0 else 1.0

    # A state is (the node's key, its depth, how many moves it has, 1 if it is won by the player to move).

    def initial(self):
        with np.errstate(over="ignore"):
            won = 1 if drawn(self.key, WON) < self.wins[0] else 0
            return (self.key, 0, self.options[drawn_option(self.sums, self.key, 0, won)], won)

    def moves(self, state, out):
        return numbered(out, state[2])

    def play(self, state, move):
        key, depth, n, won = state
        child, chance = child_key(key, move), self.wins[depth + 1]
        wins = 1
        if won == 1:
            lost = first_lost(drawn(key, FIRST_LOST), n, chance)
            if move == lost or (move > lost and drawn(child, WON) >= chance):
                wins = 0
        option = drawn_option(self.sums, child, depth + 1, wins)
        return (child, depth + 1, self.options[option], wins)

    def score(self, state):
        return 1.0 if state[3] == 1 else -1.0

    def phase(self, state):
        return state[1] / self.depth

    def lowest(self, state):
        return -1

    def highest(self, state):
        return 1

    def parse_state(self, text):
        state = super().parse_state(text)
        _, depth, moves, won = state
        fits = 0 <= depth <= self.depth and won in (0, 1) and moves in self.options
        check_state(self, text, fits and (moves == 0 or depth < self.depth))
        return state

    def mover(self, state):
        return int(state[1]) % 2

    def winner(self, state):
        return self.mover(state) if state[3] else 1 - self.mover(state)


def drawn_option(sums, key, depth, won):
    """Which of the numbers of moves a node has, given whether it is won."""
    u, option = drawn(key, MOVES), 0
    while u >= sums[won, depth, option]:
        option += 1
    return option


def first_lost(u, n, chance):
    """Of n children of which each is won with probability `chance`, but not all: the first that is lost."""
    left, share, child = u * (1.0 - chance ** float(n)), 1.0 - chance, 0
    while child < n - 1 and left >= share:
        left -= share
        share *= chance
        child += 1
    return child
