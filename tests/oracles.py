"""The brute-force definitions that searches are tested against, on explicit trees small enough to walk whole.

`TinyTree` is a game whose positions are the nodes of a tree given node by node, `TreeValues` the evaluator that reads
its values, and `OnTrees` runs a real search on many of them. What it must find is defined slowly and obviously:

    minimax_value, move_values, best_moves, is_principal    full width to a depth
    full_width_counts                                       what that costs
    Grown                                                   part of a tree, with all values recomputed from its leaves
    slow_bfmm                                               best-first minimax, every step from scratch
    chances, expected_outcome                               of random play, exact, on any small game

`DiceTree` is a tree in which chance has a part.

All values are negamax: to the player to move at the node. Nothing here is imported from a search.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from ludus import Budget, Evaluator, Game, Result, Search
from ludus.core.search import Session

ROOT = 0
DEEPEST = 5
WIDEST = 4
MOST_NODES = sum(WIDEST**ply for ply in range(DEEPEST + 1))


class TinyTree(Game):
    """A random explicit tree. A state is (node,); a move is the number of the child that it leads to.

    Nodes are numbered breadth first, so the children of a node lie together, and since moves are node numbers no
    move is legal in two positions. `first[n]` and `count[n]` give the children of node n (count 0: the game is
    over), `worth[n]` its static value or, at the end of the game, its payoff; both to the player to move.
    """

    max_moves = WIDEST
    length = DEEPEST
    arrays: tuple[str, ...] = ("first", "count", "worth")

    def __init__(self, seed: int = 0, depth: int = DEEPEST, branching: int = WIDEST, values: int = 7) -> None:
        """Up to `depth` plies, 1 to `branching` moves, games that end early, and `values` distinct values (ties)."""
        self._plant(random_tree(random.Random(seed), depth, branching, values))

    @classmethod
    def of(cls, nested: Any) -> TinyTree:
        """The tree that is written down: a leaf is its value, an inner node a list of its static value and children.

        `TinyTree.of([0, 3, [1, -2, 4]])`: the root has a finished game worth 3 and a node with two as children.
        """
        tree = cls()
        tree._plant(nested)
        return tree

    @classmethod
    def long(cls) -> TinyTree:
        """A game of some hundred plies, four moves in each, that no search gets to the end of: not a tree at all.

        Its lines come together again, but nobody notices: for a search it is a tree of about 4^250 leaves.
        """
        tree, source, nodes = cls(), random.Random(0), 5000
        tree.length = nodes
        tree.first = np.array([node + source.randint(1, 40) for node in range(nodes)], np.int64)
        tree.count = np.where(tree.first + WIDEST < nodes, WIDEST, 0).astype(np.int64)
        tree.worth = np.array([source.uniform(-1.0, 1.0) for _ in range(nodes)])
        return tree

    def _plant(self, nested: Any) -> None:
        level, first, count, worth = [nested], [], [], []
        total = 1
        while level:
            below: list[Any] = []
            for node in level:
                value, children = (node[0], node[1:]) if isinstance(node, list) else (node, [])
                first.append(total)
                count.append(len(children))
                worth.append(value)
                total += len(children)
                below.extend(children)
            level = below
        assert 1 <= max(count) <= WIDEST
        self.first = np.array(first, np.int64)
        self.count = np.array(count, np.int64)
        self.worth = np.array(worth, np.float64)

    def initial(self):
        return (0,)

    def moves(self, state, out):
        node = state[0]
        for i in range(self.count[node]):
            out[i] = self.first[node] + i
        return self.count[node]

    def play(self, state, move):
        return (move,)

    def score(self, state):
        return self.worth[state[0]]


class DiceTree(TinyTree):
    """The same with nodes in which chance decides, never the root: `share[n]` is the probability of n there, else 0."""

    arrays = (*TinyTree.arrays, "share")

    def _plant(self, nested):
        super()._plant(nested)
        source = random.Random(len(self.count))
        self.share = np.zeros(len(self.count))
        for node in range(1, len(self.count)):
            if self.count[node] > 0 and source.random() < 0.4:
                weights = np.array([source.choice((0, 1, 1, 3)) for _ in range(self.count[node])], np.float64)
                self.share[children(self, node)] = weights / weights.sum() if weights.any() else 1 / len(weights)

    def chance(self, state, probabilities):
        first, total = self.first[state[0]], 0.0
        for i in range(self.count[state[0]]):
            probabilities[i] = self.share[first + i]
            total += probabilities[i]
        return self.count[state[0]] if total > 0.0 else 0


class TreeValues(Evaluator):
    """The values written in a `TinyTree`: static ones before the end of the game, payoffs as they are at the end."""

    def evaluate(self, game, state):
        return game.worth[state[0]]

    def final(self, game, state):
        return game.worth[state[0]]


def random_tree(source: random.Random, depth: int, branching: int, values: int) -> Any:
    """A nested list as `TinyTree.of` takes it; the root is never a leaf."""
    stop, forced = source.choice(((0.0, 0.05), (0.05, 0.1), (0.2, 0.2), (0.1, 0.6)))  # of early ends, of one move

    def node(left: int) -> Any:
        value = float(source.randrange(values) - values // 2)
        if left == 0 or (left < depth and source.random() < stop):
            return value
        moves = 1 if source.random() < forced else source.randint(min(2, branching), branching)
        return [value, *(node(left - 1) for _ in range(moves))]

    return node(depth)


@st.composite
def tiny_trees(draw: st.DrawFn) -> TinyTree:
    """Random trees for hypothesis; a failure shrinks to a shallow and narrow one with few values."""
    depth, branching = draw(st.integers(1, DEEPEST)), draw(st.integers(1, WIDEST))
    return TinyTree(draw(st.integers(0, 2**32)), depth, branching, draw(st.sampled_from((1, 2, 3, 7, 1000))))


def some_trees(how_many: int, depth: int = DEEPEST) -> Iterator[TinyTree]:
    """The same random trees every time, from those with few distinct values to those with hardly a tie."""
    for seed in range(how_many):
        yield TinyTree(seed, depth=1 + seed % depth, values=(2, 3, 7, 1000)[seed // depth % 4])


class OnTrees:
    """A search at work on one tree after another, `OnTrees(search)(tree, budget) -> Result`, in a single session.

    Each tree is copied into the arrays of the session's own, so that nothing has to be compiled, or bound, again.
    """

    def __init__(self, search: Search, compiled: bool = False, kind: type[TinyTree] = TinyTree) -> None:
        self.tree = kind()
        for name in kind.arrays:
            array = getattr(self.tree, name)
            setattr(self.tree, name, np.concatenate((array, np.zeros(MOST_NODES - len(array), array.dtype))))
        self.session = Session(search, self.tree, TreeValues(), compiled)

    def __call__(self, tree: TinyTree, budget: Budget, seed: int = 0, progress: Any = None) -> Result:
        for name in self.tree.arrays:
            source, target = getattr(tree, name), getattr(self.tree, name)
            target[:] = 0
            target[: len(source)] = source
        self.session.kept = False
        stopped = self.session.run(tree.start, budget, seed, progress)
        return self.session.result(tree.start, stopped)


def children(tree: TinyTree, node: int) -> range:
    return range(int(tree.first[node]), int(tree.first[node] + tree.count[node]))


def worth(tree: TinyTree, node: int) -> float:
    """The static value of a node, or its payoff if the game is over there."""
    return float(tree.worth[node])


# Full width.


def minimax_value(tree: TinyTree, node: int, depth: int) -> float:
    """The value of `node` when every line is looked at `depth` plies deep, or to its end if that comes first."""
    if depth == 0 or not children(tree, node):
        return worth(tree, node)
    return max(move_values(tree, node, depth))


def move_values(tree: TinyTree, node: int, depth: int) -> list[float]:
    """What each move is worth to the player who makes it, `depth` plies counted from `node`."""
    return [-minimax_value(tree, child, depth - 1) for child in children(tree, node)]


def best_moves(tree: TinyTree, node: int, depth: int) -> set[int]:
    """All moves with the best value."""
    values = move_values(tree, node, depth)
    return {move for move, value in zip(children(tree, node), values, strict=True) if value == max(values)}


def is_principal(tree: TinyTree, node: int, line: Sequence[int], depth: int) -> bool:
    """Whether both sides play a best move all along `line`, which ends at the horizon or with the game."""
    if not line:
        return depth == 0 or not children(tree, node)
    if depth == 0 or line[0] not in best_moves(tree, node, depth):
        return False
    return is_principal(tree, line[0], line[1:], depth - 1)


class Counts(NamedTuple):
    """What a search costs, as the meter counts it."""

    generated: int
    """Calls of `play`: one for each node but the root."""
    evaluated: int
    """Calls of `evaluate` or `final`: one for each leaf."""
    expanded: int
    """Nodes whose children were generated."""


def full_width_counts(tree: TinyTree, node: int, depth: int) -> Counts:
    """One walk over all that lies within `depth` plies below `node`, without cuts. Leaves alone are evaluated."""
    if depth == 0 or not children(tree, node):
        return Counts(0, 1, 0)
    below = [full_width_counts(tree, child, depth - 1) for child in children(tree, node)]
    generated, evaluated, expanded = (sum(counts) for counts in zip(*below, strict=True))
    return Counts(len(below) + generated, evaluated, 1 + expanded)


def height(tree: TinyTree, node: int = ROOT) -> int:
    """The length of the longest line below `node`."""
    return max((1 + height(tree, child) for child in children(tree, node)), default=0)


# Best first.


@dataclass
class Grown:
    """The part of a tree that a best-first search has in memory: `root`, and the children of the `opened` nodes below.

    A leaf is a node in memory that is not opened. Its value is its worth; all others are computed from the leaves,
    from scratch whenever they are asked for.
    """

    tree: TinyTree
    opened: set[int] = field(default_factory=set)
    root: int = ROOT

    def value(self, node: int) -> float:
        if node not in self.opened:
            return worth(self.tree, node)
        return max(-self.value(child) for child in children(self.tree, node))

    def best(self, node: int) -> int:
        """The child of an opened node that is best for the player who moves there, the first of equals."""
        return min(children(self.tree, node), key=self.value)

    def paths(self, node: int | None = None) -> Iterator[list[int]]:
        """The path from the root (or `node`) to each leaf below, from left to right, both included."""
        node = self.root if node is None else node
        if node not in self.opened:
            yield [node]
            return
        for child in children(self.tree, node):
            for path in self.paths(child):
                yield [node, *path]

    def principal_path(self) -> list[int]:
        """The nodes of the principal variation, from the root to a leaf."""
        path = [self.root]
        while path[-1] in self.opened:
            path.append(self.best(path[-1]))
        return path

    def is_closed(self, leaf: int) -> bool:
        """Whether a leaf is a finished game, which can be neither expanded nor changed."""
        return not children(self.tree, leaf)


class Expansion(NamedTuple):
    """One step of a best-first search: what it expanded, and how the root stood before and after."""

    leaf: int
    ply: int
    before: float
    after: float
    traversed: int
    """Child pointers looked at: of all nodes on the path going down, and of those and the leaf going back."""


def slow_bfmm(tree: TinyTree, deepest: float = float("inf"), kept: Grown | None = None) -> Iterator[Expansion]:
    """Best-first minimax by its definition (Korf & Chickering 1996), until the principal leaf cannot be expanded.

    That is a finished game, or a leaf `deepest` plies from the root. It begins with what is in memory already, `kept`.
    """
    grown = Grown(tree) if kept is None else Grown(tree, set(kept.opened), kept.root)
    while True:
        *above, leaf = grown.principal_path()
        if grown.is_closed(leaf) or len(above) >= deepest:
            return
        before = grown.value(grown.root)
        down = sum(len(children(tree, node)) for node in above)
        grown.opened.add(leaf)
        back = down + len(children(tree, leaf))
        yield Expansion(leaf, len(above), before, grown.value(grown.root), down + back)


# Random play.


class Chances(NamedTuple):
    """How likely random play ends in each way, for the player to move."""

    win: Fraction
    draw: Fraction
    loss: Fraction


def chances(game: Game, state: Any, known: dict[Any, Chances] | None = None) -> Chances:
    """Exact: an end of the game is as likely as the product of all shares on the way to it, of moves or of chance."""
    known = {} if known is None else known
    if state not in known:
        legal = game.legal(state)
        if not legal:
            result = game.score(state)
            known[state] = Chances(Fraction(int(result > 0)), Fraction(int(result == 0)), Fraction(int(result < 0)))
        else:
            after = [chances(game, game.after(state, move), known) for move in legal]
            odds = [Fraction(share) for share in game.odds(state)]
            shares = odds or [Fraction(1, len(legal))] * len(legal)
            mean = [sum(map(mul, shares, part), Fraction(0)) for part in zip(*after, strict=True)]
            known[state] = Chances(*mean) if odds else Chances(*mean[::-1])
    return known[state]


def expected_outcome(chance: Chances, draws: str = "half") -> Fraction:
    """On the scale from -1 to 1; draws count, or are left out (0 if there is nothing else)."""
    decided = chance.win + chance.loss
    if draws == "half":
        return chance.win - chance.loss
    return (chance.win - chance.loss) / decided if decided else Fraction(0)
