"""Random trees (Korf & Chickering 1996; Utgoff & Cochran 2001, section 5.1).

A complete tree of depth `depth`. Each node has an index in breadth order; the index, modulo 2^32, picks a number from a
reproducible sequence: the value of the edge that leads to the node, in [-2^14, 2^14 - 1]. The sum of the edges from the
root is the heuristic value of a node and, at depth `depth`, the result, to the player who moves first. Nothing is
stored, so the tree may be as large as one likes; `seed` chooses the sequence.
"""

import numpy as np

from ludus.kernel.random import GAMMA, mix
from ludus.library.games.synthetic import check_state, numbered, within
from ludus.model.game import Game

PERIOD = 1 << 32
HALF = 1 << 14
S49 = np.uint64(49)


def edge_value(seed, index):
    """The number of the sequence `seed` at `index`: fifteen bits, made signed."""
    return np.int64(mix(mix(np.uint64(seed) + GAMMA) ^ np.uint64(index)) >> S49) - HALF


def least_sum(total, edges):
    """The least that a sum of edges can become when this many more are added."""
    return total - HALF * edges


def largest_sum(total, edges):
    return total + (HALF - 1) * edges


class RandomTree(Game):
    """A random tree of uniform branching and depth; the sum of the edge values is to the first player."""

    name = "random-tree"
    evaluator = "sum"
    seeded = True

    def __init__(self, branching: int = 5, depth: int = 64, seed: int = 0) -> None:
        within("branching", branching, 1, 1000)
        within("depth", depth, 1, 10_000)
        if seed < 0:
            raise ValueError("seed must be 0 or above")
        self.branching = self.max_moves = branching
        self.depth = self.length = depth
        self.seed = seed

    # A state is (the node's index modulo the period, its depth, the sum of the edges from the root).

    def initial(self):
        return (0, 0, 0)

    def moves(self, state, out):
        return numbered(out, self.branching if state[1] < self.depth else 0)

    def play(self, state, move):
        index = (state[0] * self.branching + move + 1) % PERIOD
        return (index, state[1] + 1, state[2] + edge_value(self.seed, index))

    def score(self, state):
        return state[2] if state[1] % 2 == 0 else -state[2]

    def phase(self, state):
        return state[1] / self.depth

    def lowest(self, state):
        _, depth, total = state
        left = self.depth - depth
        return least_sum(total, left) if depth % 2 == 0 else -largest_sum(total, left)

    def highest(self, state):
        _, depth, total = state
        left = self.depth - depth
        return largest_sum(total, left) if depth % 2 == 0 else -least_sum(total, left)

    def parse_state(self, text):
        state = super().parse_state(text)
        check_state(self, text, 0 <= state[0] < PERIOD and 0 <= state[1] <= self.depth)
        return state

    def mover(self, state):
        return int(state[1]) % 2
