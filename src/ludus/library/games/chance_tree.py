"""Random trees with chance nodes: the *-minimax trees of Ballard 1983.

Between one player's move and the other's chance has a ply: it chooses among `outcomes` with fixed probabilities. As in
`random-tree` each edge has a random number, and their sum from the root is the value, to the player who moves first.
Nothing is stored.
"""

import numpy as np

from ludus.kernel.random import number
from ludus.library.games.random_tree import HALF, S49, largest_sum, least_sum
from ludus.library.games.synthetic import check_state, child_key, drawn, numbered, root_key, within
from ludus.model.game import Game

EDGE, KIND, WEIGHT = 0, 1, 2  # a node's own draws
REGULAR = -1.0


class ChanceTree(Game):
    """A random tree in which chance has every second ply, or each ply with probability `share` (Ballard 1983).

    `odds` are the same for all outcomes (`even`), or drawn for each node, all of them equally likely (`random`).
    """

    name = "chance-tree"
    evaluator = "sum"
    seeded = True

    def __init__(
        self,
        branching: int = 3,
        outcomes: int = 3,
        depth: int = 16,
        share: float | str = "regular",
        odds: str = "even",
        seed: int = 0,
    ) -> None:
        within("branching", branching, 1, 1000)
        within("outcomes", outcomes, 1, 1000)
        within("depth", depth, 1, 10_000)
        if isinstance(share, str) and share != "regular":
            raise ValueError("share must be regular, or a probability")
        if odds not in ("even", "random"):
            raise ValueError("odds must be even or random")
        self.branching, self.outcomes = branching, outcomes
        self.max_moves = max(branching, outcomes)
        self.depth = depth
        self.share = REGULAR if isinstance(share, str) else within("share", share, 0, 1)
        self.length = (depth + 1) // 2 if self.share == REGULAR else depth
        self.even = odds == "even"
        self.seed, self.key = seed, root_key(seed)

    # A state is (the node's key, its depth, the sum of the edges from the root, whose move it is: 0 or 1).

    def initial(self):
        return (self.key, 0, 0, 0)

    def moves(self, state, out):
        if state[1] == self.depth:
            return 0
        return numbered(out, self.outcomes if is_chance(self, state) else self.branching)

    def play(self, state, move):
        key, depth, total, mover = state
        child = child_key(key, move)
        edge = np.int64(number(child, EDGE) >> S49) - HALF
        return (child, depth + 1, total + edge, mover if is_chance(self, state) else 1 - mover)

    def chance(self, state, probabilities):
        if state[1] == self.depth or not is_chance(self, state):
            return 0
        total = 0.0
        for i in range(self.outcomes):
            probabilities[i] = 1.0 if self.even else -np.log(1.0 - drawn(child_key(state[0], i), WEIGHT))
            total += probabilities[i]
        for i in range(self.outcomes):
            probabilities[i] /= total
        return self.outcomes

    def score(self, state):
        return state[2] if state[3] == 0 else -state[2]

    def phase(self, state):
        return state[1] / self.depth

    def lowest(self, state):
        _, depth, total, mover = state
        left = self.depth - depth
        return least_sum(total, left) if mover == 0 else -largest_sum(total, left)

    def highest(self, state):
        _, depth, total, mover = state
        left = self.depth - depth
        return largest_sum(total, left) if mover == 0 else -least_sum(total, left)

    # For people.

    def parse_state(self, text):
        state = super().parse_state(text)
        check_state(self, text, 0 <= state[1] <= self.depth and state[3] in (0, 1))
        return state

    def mover(self, state):
        return int(state[3])


def is_chance(game, state):
    """Whether chance decides in `state`; never at the root."""
    if game.share == REGULAR:
        return state[1] % 2 == 1
    return state[1] > 0 and drawn(state[0], KIND) < game.share
