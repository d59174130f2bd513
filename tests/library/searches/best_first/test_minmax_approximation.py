"""Min/max approximation against its definition: every mean and slope from scratch, on hundreds of random trees."""

import math
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.library.searches.best_first.minmax_approximation import MinMaxApproximation
from ludus.model.evaluator import WIN
from ludus.runtime.session import Session
from tests.support import oracles, tiny_games
from tests.support.oracles import ROOT, Grown
from tests.support.tiny_games import OnTrees, TinyTree, expansions

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
PLENTY = Budget(nodes=10**6)
SCALE, OFFSET, P = 3.0, 1.1, 4.0


class Means:
    """The power means of a grown tree to the root's player, by definition; `moved` is added to a leaf's number."""

    def __init__(self, grown, p=P, reverse=False, moved=None):
        self.grown, self.p, self.reverse, self.moved = grown, p, reverse, moved or {}
        self.known = {}
        self.paths = list(grown.paths())

    def number(self, leaf, ply):
        worth = oracles.worth(self.grown.tree, leaf)
        result = np.sign(worth) if self.grown.is_closed(leaf) else 2 / (1 + math.exp(-worth / SCALE)) - 1
        return OFFSET + (-1) ** ply * result + self.moved.get(leaf, 0.0)

    def mean(self, node, ply):
        if node not in self.known:
            self.known[node] = self.worked_out(node, ply)
        return self.known[node]

    def worked_out(self, node, ply):
        if node not in self.grown.opened:
            return self.number(node, ply)
        if self.reverse:
            return self.mean(self.grown.best(node), ply + 1)
        power = self.p if ply % 2 == 0 else -self.p
        below = [self.mean(child, ply + 1) for child in oracles.children(self.grown.tree, node)]
        return np.mean(np.power(below, power)) ** (1 / power)

    def slope(self, path):
        """The derivative of the root's mean by the leaf at the end of the path: the product along it."""
        product = 1.0
        for ply, (node, child) in enumerate(pairwise(path)):
            power = self.p if ply % 2 == 0 else -self.p
            share = self.mean(child, ply + 1) / self.mean(node, ply)
            product *= share ** (power - 1) / len(oracles.children(self.grown.tree, node))
        return product


def open_leaves(grown, complete):
    """The paths to the leaves that may be expanded."""
    resolved = cache(grown.is_resolved)
    for path in grown.paths():
        if not grown.is_closed(path[-1]) and not (complete and any(map(resolved, path))):
            yield path


def test_the_product_of_slopes_is_the_derivative_of_the_mean_and_may_be_above_one():
    greatest, seen = 0.0, 0
    for tree in tiny_games.some_trees(100, depth=4):
        steps = [step.leaf for step in oracles.slow_bfmm(tree, complete=True)]
        grown = Grown(tree, set(steps[: 1 + len(steps) // 2]))
        means = Means(grown)
        for path in means.paths:
            up, down = (Means(grown, moved={path[-1]: step}).mean(ROOT, 0) for step in (1e-5, -1e-5))
            assert means.slope(path) == pytest.approx((up - down) / 2e-5, rel=1e-4, abs=1e-7)
            greatest = max(greatest, means.slope(path[:2]) if len(path) == 2 else 0.0, means.slope(path))
            seen += 1
    assert seen > 500
    assert greatest > 1.0, "so penalties may be below 0"


@MODES
@pytest.mark.parametrize(("complete", "reverse"), [(True, False), (False, False), (True, True)])
def test_the_leaf_of_greatest_slope_is_expanded_found_by_a_scan_of_all(compiled, complete, reverse):
    search = OnTrees(MinMaxApproximation(P, OFFSET, SCALE, reverse, complete), compiled)
    choices = 0
    for tree in tiny_games.some_trees(200 if compiled else 40, depth=3):
        result = search(tree, PLENTY)
        grown = Grown(tree)
        for leaf in expansions(search.session):
            means = Means(grown, reverse=reverse)
            slopes = {path[-1]: means.slope(path) for path in open_leaves(grown, complete)}
            assert slopes[leaf] >= max(slopes.values()) * (1 - 1e-9)
            choices += len(slopes) > 1
            grown.opened.add(leaf)
        assert not list(open_leaves(grown, complete)), "nothing is left"
        assert result.stopped == ("solved" if complete else "exhausted")
        assert result.value == oracles.minimax_value(tree, ROOT, 99)
        check_what_is_shown(grown, result, complete, reverse)
    assert choices > (400 if compiled else 60)


def check_what_is_shown(grown, result, complete, reverse):
    means = Means(grown, reverse=reverse)
    for child, shown in zip(oracles.children(grown.tree, ROOT), result.children, strict=True):
        assert shown.value == -grown.value(child)
        assert shown.known.more["mean"] == pytest.approx(means.mean(child, 1) - OFFSET, abs=1e-9)
        assert shown.known.more["cost"] == math.inf
        assert not complete or shown.known.proven or result.chosen.known.proven


def test_the_cost_that_is_shown_is_that_of_the_best_leaf_below_the_move():
    search, shown = OnTrees(MinMaxApproximation(P, OFFSET, SCALE)), 0
    for tree in tiny_games.some_trees(100, depth=4):
        result = search(tree, Budget(nodes=12))
        grown = Grown(tree, set(expansions(search.session)))
        means, costs = Means(grown), {}
        for path in open_leaves(grown, True):
            costs.setdefault(path[1], []).append(-math.log(means.slope(path)))
        for child, known in zip(oracles.children(tree, ROOT), result.children, strict=True):
            if child in costs and result.stopped == "nodes":
                assert known.known.more["cost"] == pytest.approx(min(costs[child]), abs=1e-9)
                shown += 1
    assert shown > 60


def test_of_equal_moves_the_more_stable_is_played():
    """Both moves are worth 1 by minimax; after the first one more replies of the opponent are as good for him."""
    tree = TinyTree.of([0.0, [0.0, [1.0, 0.0], [1.0, 0.0], [9.0, 0.0]], [0.0, [1.0, 0.0], [9.0, 0.0], [9.0, 0.0]]])
    result = OnTrees(MinMaxApproximation(P, OFFSET, SCALE, complete=False))(tree, Budget(nodes=8))
    assert [child.value for child in result.children] == [1, 1]
    assert result.move == 2


class Settled(MinMaxApproximation):
    """Puts nothing off: everything above an expanded leaf is renewed at once."""

    name = ""

    def back_up(self, game, tree, limits, leaf):
        status = super().back_up(game, tree, limits, leaf)
        self.settle(tree)
        return status


@pytest.mark.parametrize("branching", [2, 3])
def test_what_is_put_off_changes_no_choice(branching):
    """In deeper trees, where the way back often ends early."""
    for seed in range(12):
        game = ludus.game("random-tree", branching=branching, depth=20, seed=seed)
        evaluator = ludus.evaluator("sum").on(game)
        grown = []
        for search in (MinMaxApproximation(), Settled()):
            session = Session(search, game, evaluator, compiled=False)
            session.run(game.start, Budget(nodes=600))
            tree, size = session.tree.record, int(session.tree.record.size[0])
            grown.append({name: getattr(tree, name)[:size].tolist() for name in ("parent", "value", "log", "merit")})
        assert grown[0] == grown[1]


@pytest.mark.parametrize("reverse", [False, True])
def test_nor_where_games_are_won_by_more_or_less_and_values_claim_wins(reverse):
    """There a fall of a value may leave a proven win as the best move, however far above."""
    searches = [OnTrees(kind(P, OFFSET, WIN, reverse)) for kind in (MinMaxApproximation, Settled)]
    solved = 0
    for seed in range(200):
        tree = TinyTree(seed, depth=7, branching=2 + seed % 2)
        tree.worth *= WIN / 2
        if len(tree.worth) > tiny_games.MOST_NODES:
            continue
        results = [search(tree, Budget(nodes=300)) for search in searches]
        assert expansions(searches[0].session) == expansions(searches[1].session)
        assert results[0].stopped == results[1].stopped
        solved += results[0].stopped == "solved"
    assert solved > 50
