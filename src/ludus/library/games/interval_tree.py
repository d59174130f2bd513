"""Interval trees: every node has a pessimistic and an optimistic bound that contain its value (for B*, Berliner 1979).

The tree is uniform and grown from the top, in whole numbers; nothing is stored. Seen by the player to move at a node
with value v in [low, high], one child, any with the same probability, is worth v and the others are drawn uniformly
from [low, v]; so v is the node's minimax value. Each child's interval lies inside its parent's: a bound is drawn from
the whole numbers between the parent's bound and the child's value. At full depth the value is known.
"""

from __future__ import annotations

import numpy as np

from ludus.library.games.synthetic import check_state, child_key, drawn, drawn_below, numbered, root_key, within
from ludus.model.game import Game

VALUE, LOW, HIGH, HEIR = 0, 1, 2, 3  # a node's own draws


class IntervalTree(Game):
    """A uniform tree whose nodes have bounds on their true values, each child's inside its parent's (Berliner 1979).

    The root's interval is [-width, width]. Bounds are drawn uniformly if `tight` is 1; the larger it is, the nearer
    they come to the value, and the smaller, the nearer they stay to the parent's bounds.
    """

    name = "interval-tree"
    evaluator = "interval"
    seeded = True

    def __init__(
        self, branching: int = 4, depth: int = 16, width: int = 1_000_000, tight: float = 1.0, seed: int = 0
    ) -> None:
        within("branching", branching, 1, 1000)
        within("depth", depth, 1, 10_000)
        within("width", width, 1, 10**15)
        within("tight", tight, 0.01, 100)
        self.branching = self.max_moves = branching
        self.depth = self.length = depth
        self.width, self.tight, self.seed = width, float(tight), seed
        self.key = root_key(seed)

    # A state is (the node's key, its depth, its value and the two bounds on it, to the player to move).

    def initial(self):
        with np.errstate(over="ignore"):
            value = drawn_between(self.key, VALUE, -self.width, self.width)
        return (self.key, 0, value, -self.width, self.width)

    def moves(self, state, out):
        return numbered(out, self.branching if state[1] < self.depth else 0)

    def play(self, state, move):
        key, depth, value, low, high = state
        child = child_key(key, move)
        if move != drawn_below(key, HEIR, self.branching):
            value = drawn_between(child, VALUE, low, value)
        if depth + 1 == self.depth:
            return (child, depth + 1, -value, -value, -value)
        low = value - drawn_up_to(child, LOW, value - low, self.tight)
        high = value + drawn_up_to(child, HIGH, high - value, self.tight)
        return (child, depth + 1, -value, -high, -low)

    def score(self, state):
        return state[2]

    def phase(self, state):
        return state[1] / self.depth

    def lowest(self, state):
        """Each child's bounds lie inside its parent's, so they hold for every end of the game."""
        return state[3]

    def highest(self, state):
        return state[4]

    def parse_state(self, text):
        state = super().parse_state(text)
        _, depth, value, low, high = state
        check_state(self, text, 0 <= depth <= self.depth and -self.width <= low <= value <= high <= self.width)
        return state

    def mover(self, state):
        return int(state[1]) % 2


def drawn_between(key, index, low, high):
    """A whole number from `low` to `high`, uniform."""
    return low + int(drawn(key, index) * (high - low + 1))


def drawn_up_to(key, index, most, tight):
    """A whole number from 0 to `most`, the smaller the more `tight` is above 1."""
    return min(int(drawn(key, index) ** tight * (most + 1)), most)
