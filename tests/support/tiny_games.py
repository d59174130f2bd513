"""Games small enough to be written down position by position: what searches are tested on, and how they run on many.

    TinyTree        an explicit tree, random or given: no position is reached twice, no move is legal in two positions
    DiceTree        the same with nodes in which chance decides
    TinyGraph       a random graph: lines come together again, and the same move is legal in many positions, so that
                    transposition tables, killers and histories have something to be wrong about
    listed          any small game, its positions listed

They are one class to the compiler, `ListedGame`, so that a search compiled for one runs on all (chance excepted).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st

from ludus import Budget, Evaluator, Game, Result, Search
from ludus.runtime.session import Session

DEEPEST = 5
WIDEST = 4
LAYERS = 8
MOST_NODES = sum(WIDEST**ply for ply in range(DEEPEST + 1))


class ListedGame(Game):
    """A state is (position,). The moves of position n are the edges from `first[n]` on, `count[n]` of them.

    `label[e]` is the move of edge e, and `to[e]` the position that it leads to. `worth[n]` is the static value of a
    position or, at the end of the game, its payoff; both to the player to move.
    """

    max_moves = WIDEST
    arrays: tuple[str, ...] = ("first", "count", "worth", "label", "to")

    def initial(self):
        return (0,)

    def moves(self, state, out):
        for i in range(self.count[state[0]]):
            out[i] = self.label[self.first[state[0]] + i]
        return self.count[state[0]]

    def play(self, state, move):
        edge = self.first[state[0]]
        while self.label[edge] != move:
            edge += 1
        return (self.to[edge],)

    def score(self, state):
        return self.worth[state[0]]

    def null(self, state):
        """Who passes leaves the same position to the opponent."""
        return state

    def noisy(self, state, move):
        return move % 2 == 1


class TinyTree(ListedGame):
    """A random explicit tree. Nodes are numbered breadth first; a move is the number of the child that it leads to.

    So the children of node n are `first[n]` and those after it.
    """

    length = DEEPEST

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

        Its lines come together again, but seldom: a search that knows positions again has a million of them to see.
        """
        tree, source, nodes = cls(), np.random.default_rng(0), 1_000_000
        tree.length = nodes
        tree.first = np.arange(nodes) + source.integers(1, nodes // 125, nodes)
        tree.count = np.where(tree.first + WIDEST < nodes, WIDEST, 0).astype(np.int64)
        tree.worth = source.uniform(-1.0, 1.0, nodes)
        tree.label = tree.to = np.arange(nodes)
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
        self.label = self.to = np.arange(total)


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
                self.share[self.first[node] :][: len(weights)] = (
                    weights / weights.sum() if weights.any() else 1 / len(weights)
                )

    def chance(self, state, probabilities):
        first, total = self.first[state[0]], 0.0
        for i in range(self.count[state[0]]):
            probabilities[i] = self.share[first + i]
            total += probabilities[i]
        return self.count[state[0]] if total > 0.0 else 0


class TreeValues(Evaluator):
    """The values written in a `ListedGame`: static ones before the end of the game, payoffs as they are at the end."""

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


def perfectly_ordered(seed: int, depth: int, branching: int) -> TinyTree:
    """A uniform tree in which the first move is always best."""
    source = random.Random(seed)

    def node(left: int) -> tuple[Any, float]:
        """What stands there, and its value."""
        if left == 0:
            value = source.random()
            return value, value
        children = sorted((node(left - 1) for _ in range(branching)), key=lambda child: child[1])
        return [0.0, *(child[0] for child in children)], -children[0][1]  # the worst for the opponent first

    return TinyTree.of(node(depth)[0])


@st.composite
def tiny_trees(draw: st.DrawFn) -> TinyTree:
    """Random trees for hypothesis; a failure shrinks to a shallow and narrow one with few values."""
    depth, branching = draw(st.integers(1, DEEPEST)), draw(st.integers(1, WIDEST))
    return TinyTree(draw(st.integers(0, 2**32)), depth, branching, draw(st.sampled_from((1, 2, 3, 7, 1000))))


def some_trees(how_many: int, depth: int = DEEPEST) -> Iterator[TinyTree]:
    """The same random trees every time, from those with few distinct values to those with hardly a tie."""
    for seed in range(how_many):
        yield TinyTree(seed, depth=1 + seed % depth, values=(2, 3, 7, 1000)[seed // depth % 4])


class TinyGraph(ListedGame):
    """A random graph, in layers of positions. Moves are numbered from 0 in every position."""

    length = LAYERS

    def __init__(self, seed: int = 0, layers: int = 6, width: int = 4, moves: int = 0, values: int = 7) -> None:
        """`width` positions a layer; a move leads to the next one. With `moves=0` their number varies, there are
        positions in which the game is over, and some moves lead two layers on.
        """
        source = random.Random(seed)
        skips, ends = (0.0, 0.0) if moves else source.choice(((0.0, 0.0), (0.3, 0.0), (0.0, 0.2), (0.3, 0.1)))
        layer = [0] + [ply for ply in range(1, layers + 1) for _ in range(width)]
        edges = []
        for position, ply in enumerate(layer):
            over = ply == layers or (position > 0 and source.random() < ends)
            count = 0 if over else moves or source.choice((1, 2, 3, 3, WIDEST))
            plies = [min(ply + 1 + (source.random() < skips), layers) for _ in range(count)]
            edges.append([source.choice([n for n, its in enumerate(layer) if its == onto]) for onto in plies])
        worth = [float(source.randrange(values) - values // 2) for _ in layer]
        _list(self, [list(enumerate(targets)) for targets in edges], worth)


def _list(game: ListedGame, edges: list[list[tuple[int, int]]], worth: list[float]) -> None:
    """Fill the arrays of a game from the moves of each position, with the positions that they lead to."""
    game.count = np.array([len(some) for some in edges], np.int64)
    game.first = np.cumsum(game.count) - game.count
    pairs = np.array([pair for some in edges for pair in some] or [(0, 0)], np.int64)
    game.label, game.to = pairs[:, 0].copy(), pairs[:, 1].copy()
    game.worth = np.array(worth, np.float64)


def some_graphs(how_many: int) -> Iterator[TinyGraph]:
    """The same random graphs every time, from those with few distinct values to those with hardly a tie.

    Every second one is deep and narrow, with two moves everywhere: small enough to be searched to the end, and full of
    positions that are reached in several ways.
    """
    for seed in range(how_many):
        values = (2, 3, 7, 1000)[seed // 2 % 4]
        yield braid(seed, values) if seed % 2 else TinyGraph(seed, layers=2 + seed // 2 % 5, values=values)


def braid(seed: int, values: int = 1000) -> TinyGraph:
    """Two moves in every position, each of which is reached in several ways."""
    return TinyGraph(seed, layers=LAYERS, width=8, moves=2, values=values)


def listed(states: list[Any], game: Game, evaluator: Evaluator) -> ListedGame:
    """A small game with its positions numbered as in `states`: the same moves, in the same order, and values."""
    number, found = {state: i for i, state in enumerate(states)}, ListedGame()
    edges, opinions = [], []
    with np.errstate(over="ignore"):
        for state in states:
            legal = game.legal(state)
            edges.append([(move, number[game.after(state, move)]) for move in legal])
            opinions.append((evaluator.evaluate if legal else evaluator.final)(game, state))
    found.max_moves, found.length = game.max_moves, game.length
    _list(found, edges, opinions)
    return found


class OnTrees:
    """A search at work on one tree after another, `OnTrees(search)(tree, budget) -> Result`, in a single session.

    Each tree is copied into the arrays of the session's own, so that nothing has to be compiled, or bound, again.
    """

    def __init__(
        self,
        search: Search,
        compiled: bool = False,
        kind: type[ListedGame] = TinyTree,
        evaluator: Evaluator | None = None,
    ) -> None:
        self.tree = kind()
        for name in kind.arrays:
            array = getattr(self.tree, name)
            setattr(self.tree, name, np.concatenate((array, np.zeros(MOST_NODES - len(array), array.dtype))))
        self.session = Session(search, self.tree, evaluator or TreeValues(), compiled)

    def __call__(self, tree: ListedGame, budget: Budget, seed: int = 0, progress: Any = None) -> Result:
        for name in self.tree.arrays:
            source, target = getattr(tree, name), getattr(self.tree, name)
            target[:] = 0
            target[: len(source)] = source
        self.session.kept = False
        stopped = self.session.run(tree.start, budget, seed, progress)
        return self.session.result(tree.start, stopped)


def expansions(session: Session) -> list[int]:
    """The nodes of a `TinyTree` that were expanded, in that order: children are added at the end of the tree."""
    record = session.tree.record
    opened = [node for node in range(int(record.size[0])) if record.count[node] > 0]
    return [session.tree.state(node)[0] for node in sorted(opened, key=lambda node: record.first[node])]
