"""Whole trees of small games, node by node: what the statistics of synthetic games are taken from."""

from __future__ import annotations

from typing import Any

import numpy as np

import ludus
from ludus import Budget, Evaluator, Game
from ludus.kernel.limits import NEEDS_NODES, STOP_EXHAUSTED
from ludus.kernel.rules import evaluate, load, score
from ludus.kernel.tree import UNOPENED, generate, open_node
from ludus.model.program import Program
from ludus.model.registry import games
from ludus.runtime.runner import Runner


class Census(Program):
    """Every node of the tree in breadth order, with the evaluator's opinion or, of a finished game, the score."""

    registers = {"next": "i8"}  # the next node to look at

    def step(self, game, evaluator, tree, limits):
        while tree.register[0].next < tree.size[0]:
            node = tree.register[0].next
            state = load(tree.state, node)
            if tree.count[node] == UNOPENED and not open_node(game, tree, node):
                return NEEDS_NODES
            for child in range(tree.first[node], tree.first[node] + tree.count[node]):
                generate(game, tree, state, child)
            tree.value[node] = score(game, state) if tree.count[node] == 0 else evaluate(evaluator, game, state)
            tree.register[0].next += 1
        return STOP_EXHAUSTED


class Counted:
    """One whole tree: columns over its nodes in breadth order."""

    def __init__(self, session: Runner) -> None:
        tree, size = session.tree.record, int(session.tree.record.size[0])
        self.parent, self.first, self.count = tree.parent[:size], tree.first[:size], tree.count[:size]
        self.opinion = tree.value[:size].copy()
        """The evaluator's, or the score of a finished game."""
        self.states = tree.state
        self.is_compiled = session.kernel is not None
        self.levels = [(0, 1)]
        while self.levels[-1][1] < size:
            low, high = self.levels[-1]
            self.levels.append((high, high + int(self.count[low:high].sum())))

    def column(self, element: int) -> np.ndarray:
        """One element of the states of all nodes."""
        size = len(self.count)
        if self.is_compiled:
            return self.states[element][:size].copy()
        return np.array([state[element] for state in self.states[:size]])

    @property
    def leaves(self) -> np.ndarray:
        """The scores of the finished games, each to the player to move there, in breadth order."""
        return self.opinion[self.count == 0]

    @property
    def minimax(self) -> np.ndarray:
        """The value of each node, backed up from the scores of the finished games alone."""
        value = np.where(self.count == 0, self.opinion, np.nan)
        for (low, high), (_, end) in reversed(list(zip(self.levels, self.levels[1:], strict=False))):
            inner = np.arange(low, high)[self.count[low:high] > 0]
            value[inner] = np.maximum.reduceat(-value[high:end], self.first[inner] - high)
        return value


class Censuses:
    """`Censuses("dbf-tree", "zero", depth=4)(seed)`: the tree of that game, whole; compiled once for all seeds."""

    def __init__(self, name: str, evaluator: str = "zero", *, compiled: bool = True, **parameters: Any) -> None:
        self.name, self.parameters = name, parameters
        self.evaluator: Evaluator = ludus.evaluator(evaluator)
        game = self.game(0)
        self.session = Runner(Census(), game, self.evaluator.on(game), compiled)

    def game(self, seed: int) -> Game:
        return games().classes[self.name](**self.parameters, seed=seed)

    def __call__(self, seed: int) -> Counted:
        game = self.game(seed)
        assert self.session.rebind(game, self.evaluator.on(game)), "another seed must not need another compilation"
        self.session.run(game.start, Budget(), seed=0)
        return Counted(self.session)


def z_score(count: float, n: int, chance: float) -> float:
    """How many standard errors a count of n independent events lies from what was to be expected."""
    return (count - n * chance) / (n * chance * (1 - chance)) ** 0.5


def chi_square_p(counts: dict[Any, int], chances: dict[Any, float]) -> float:
    """Pearson's test; outcomes of which fewer than five are expected are taken together."""
    from scipy.stats import chisquare

    assert abs(sum(chances.values()) - 1) < 1e-9
    assert set(counts) <= {outcome for outcome, chance in chances.items() if chance > 0}, "an impossible outcome"
    n = sum(counts.values())
    large = [outcome for outcome, chance in chances.items() if n * chance >= 5]
    assert len(large) > 1, "too few trees"
    seen = [counts.get(outcome, 0) for outcome in large]
    expected = [n * chances[outcome] for outcome in large]
    if n - sum(expected) > 1e-6 * n:
        seen, expected = [*seen, n - sum(seen)], [*expected, n - sum(expected)]
    return float(chisquare(seen, expected).pvalue)
