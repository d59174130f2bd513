"""(d,b,F)-trees: uniform depth d and branching b, leaves drawn independently from F (Pearl 1980).

With a distribution for each first move it is the model of Abramson 1987, section 5.1.2: b trees under one parent.

The leaves are not drawn where they stand: the tree is grown from the top, with the same joint distribution, so that
every node knows its minimax value. On each level the values of the nodes below one first move are independent and
identically distributed; call a node's *rank* the share of that distribution below its value, to the player to move.
Ranks are uniform in [0, 1]. A node's value is the best of its children's, so the best child has, to the parent's
player, the rank r^(1/b); any child is the best one with probability 1/b, and the others' ranks are uniform below it.
A leaf's rank is its quantile of F. Nothing is stored.
"""

from __future__ import annotations

import math

import numpy as np

from ludus.kernel.normal import normal_quantile
from ludus.library.games.synthetic import (
    check_state,
    child_key,
    drawn,
    drawn_below,
    fair,
    listed,
    numbered,
    numbers,
    root_key,
    within,
)
from ludus.model.game import Game

RANK, HEIR = 0, 1  # a node's own draws: its rank if nothing is known of it, and which child is the best
BINARY, UNIFORM, INTEGERS, NORMAL = 0, 1, 2, 3
KINDS = {"binary": BINARY, "uniform": UNIFORM, "integers": INTEGERS, "normal": NORMAL}


class DbfTree(Game):
    """A uniform tree with independent leaves from a distribution F, or one for each first move (Pearl 1980).

    `leaves` is `binary` (won by the first player with probability `p`), `uniform` or `integers` (from `low` to `high`)
    or `normal` (`mean`, `deviation`), to the first player. It and its parameters may be given once for each first move,
    with spaces between. `p=fair` is the probability that makes either result possible however deep the tree.
    """

    name = "dbf-tree"
    evaluator = "dbf-truth(noise=0.3)"
    seeded = True

    def __init__(
        self,
        branching: int = 2,
        depth: int = 16,
        leaves: str = "uniform",
        p: float | str = "fair",
        low: float | str = -1.0,
        high: float | str = 1.0,
        mean: float | str = 0.0,
        deviation: float | str = 1.0,
        seed: int = 0,
    ) -> None:
        within("branching", branching, 1, 1000)
        within("depth", depth, 1, 10_000)
        self.branching = self.max_moves = branching
        self.depth = self.length = depth
        self.root = 1.0 / branching
        self.seed = seed
        self.key = root_key(seed)
        words = listed("leaves", leaves, branching)
        if not set(words) <= set(KINDS):
            raise ValueError(f"leaves must be {', '.join(KINDS)}, or one of them for each first move")
        self.kind = np.array([KINDS[word] for word in words])
        self._distribute(p, low, high, mean, deviation)

    def _distribute(
        self, p: float | str, low: float | str, high: float | str, mean: float | str, deviation: float | str
    ) -> None:
        """The parameters of F below each first move: `place` and `spread`, whatever they mean for its kind."""
        b = self.branching
        xi = fair(b)
        chance = numbers("p", (1 - xi if self.depth % 2 else xi) if p == "fair" else p, b)
        bottom, top = numbers("low", low, b), numbers("high", high, b)
        centre, sigma = numbers("mean", mean, b), numbers("deviation", deviation, b)
        if not ((chance >= 0) & (chance <= 1)).all():
            raise ValueError("p must be from 0 to 1, or fair")
        if not (bottom <= top).all():
            raise ValueError("low must not exceed high")
        if not (sigma >= 0).all():
            raise ValueError("deviation must be 0 or above")
        whole = self.kind == INTEGERS
        if (bottom % 1)[whole].any() or (top % 1)[whole].any():
            raise ValueError("low and high of integers must be whole numbers")
        self.place = np.choose(self.kind, [chance, bottom, bottom, centre])
        self.spread = np.choose(self.kind, [chance, top - bottom, top - bottom + 1, sigma])

    # A state is (the node's key, its depth, the first move or -1 before it, the rank to the player to move).

    def initial(self):
        return (self.key, 0, -1, 0.5)

    def moves(self, state, out):
        return numbered(out, self.branching if state[1] < self.depth else 0)

    def play(self, state, move):
        key, depth, first, rank = state
        child = child_key(key, move)
        if depth == 0:
            return (child, 1, move, drawn(child, RANK))
        best = rank**self.root
        if move != drawn_below(key, HEIR, self.branching):
            best *= drawn(child, RANK)
        return (child, depth + 1, first, 1.0 - best)

    def score(self, state):
        return leaf_score(self, state[2], state[3])

    def phase(self, state):
        return state[1] / self.depth

    def lowest(self, state):
        """By the distribution alone; the rank, which only the tree itself knows, tells nothing here."""
        return least(self, state[2]) if state[1] % 2 == 0 else -largest(self, state[2])

    def highest(self, state):
        return largest(self, state[2]) if state[1] % 2 == 0 else -least(self, state[2])

    def parse_state(self, text):
        state = super().parse_state(text)
        _, depth, first, rank = state
        chosen = first == -1 if depth == 0 else 0 <= first < self.branching
        check_state(self, text, 0 <= depth <= self.depth and chosen and 0 <= rank <= 1)
        return state

    def mover(self, state):
        return int(state[1]) % 2

    def winner(self, state):
        value = self.score(state)
        return None if value == 0 else self.mover(state) if value > 0 else 1 - self.mover(state)


def quantile(game, first, u):
    """The value to the first player that has the share `u` of the leaves below the first move `first` under it."""
    kind, place, spread = game.kind[first], game.place[first], game.spread[first]
    if kind == BINARY:
        return 1.0 if u >= 1.0 - place else -1.0
    if kind == UNIFORM:
        return place + spread * u
    if kind == INTEGERS:
        return place + min(math.floor(spread * u), spread - 1.0)
    return place + spread * normal_quantile(u)


def least(game, first):
    """The least value to the first player of any leaf below the first move `first`, or below all if it is -1."""
    if first >= 0:
        return quantile(game, first, 0.0)
    found = np.inf
    for move in range(game.branching):
        found = min(found, quantile(game, move, 0.0))
    return found


def largest(game, first):
    """The largest."""
    if first >= 0:
        return quantile(game, first, 1.0)
    found = -np.inf
    for move in range(game.branching):
        found = max(found, quantile(game, move, 1.0))
    return found


def leaf_score(game, first, rank):
    """What a leaf of this rank, to the player to move there, is worth to that player."""
    if game.depth % 2 == 0:
        return quantile(game, first, rank)
    return -quantile(game, first, 1.0 - rank)


def true_value(game, state):
    """The minimax value of a node to the player to move: that of the leaf to which best play leads from it."""
    key, depth, first, rank = state
    if depth > 0:
        return value_below(game, depth, first, rank)
    best = -np.inf
    for move in range(game.branching):
        best = max(best, -value_below(game, 1, move, drawn(child_key(key, move), RANK)))
    return best


def value_below(game, depth, first, rank):
    """The same below the first move."""
    for _ in range(depth, game.depth):
        rank = 1.0 - rank**game.root
    worth = leaf_score(game, first, rank)
    return worth if (game.depth - depth) % 2 == 0 else -worth
