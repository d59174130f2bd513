"""SSS* and DUAL* against Stockman's table, and beside alpha-beta and MTD; that they are exact, the conformance suite
shows.
"""

import pytest

from ludus import Budget, Search
from ludus.library.searches.full_width.alphabeta import AlphaBeta
from ludus.library.searches.full_width.mtdf import Mtdf
from ludus.library.searches.full_width.order import as_listed
from ludus.library.searches.full_width.sss import StateSpaceSearch
from ludus.runtime.session import Session
from tests.support import oracles
from tests.support.oracles import ROOT
from tests.support.tiny_games import OnTrees, TinyTree, TreeValues, some_trees

DUAL = pytest.mark.parametrize("dual", [False, True], ids=["sss", "dual"])


class Watched(TreeValues):
    """The values of a tree, and who has asked for which."""

    def __init__(self) -> None:
        self.leaves: list[int] = []

    def evaluate(self, game, state):
        self.leaves.append(int(state[0]))
        return game.worth[state[0]]

    final = evaluate


def leaves_of(search: Search, tree: TinyTree, depth: int) -> list[int]:
    """What a search evaluates, in its order; without static ordering that is leaves and nothing else."""
    watched = Watched()
    Session(search, tree, watched, compiled=False).run(tree.start, Budget(depth=depth))
    return watched.leaves


@DUAL
def test_it_looks_at_the_leaves_of_stockmans_table_in_its_order(dual):
    for tree in some_trees(150):
        depth = oracles.height(tree)
        value, leaves = oracles.slow_sss(tree, depth, dual)
        assert value == oracles.minimax_value(tree, ROOT, depth)
        assert leaves_of(StateSpaceSearch(dual, order=False), tree, depth) == leaves


@DUAL
def test_its_leaves_are_some_of_those_of_alpha_beta(dual):
    saved = 0
    for tree in some_trees(300):
        for depth in range(1, oracles.height(tree) + 1):
            theirs = oracles.slow_alphabeta(tree, depth)
            ours = leaves_of(StateSpaceSearch(dual, order=False), tree, depth)
            assert len(ours) == len(set(ours)), "none is looked at twice"
            assert set(ours) <= set(theirs)
            saved += len(theirs) - len(ours)
    assert saved > 300


def test_alpha_beta_looks_at_the_leaves_of_its_definition():
    """Or the tests here would compare with something else."""
    for tree in some_trees(100):
        depth = oracles.height(tree)
        assert leaves_of(AlphaBeta(order=False), tree, depth) == oracles.slow_alphabeta(tree, depth)


class MtdAsListed(Mtdf):
    """Which of two equal bounds comes first is then the same as in SSS*: the leftmost, not the table's best move."""

    def arrange(self, game, evaluator, tree, node):
        as_listed(tree, node)


@DUAL
def test_mtd_from_the_end_of_the_scale_comes_to_its_leaves_in_its_order(dual):
    """Plaat et al. 1996: SSS* is alpha-beta with memory and windows of no width that come down from above."""
    mtd = MtdAsListed(start="below" if dual else "above", passes=1000)
    for tree in some_trees(80):
        depth = oracles.height(tree)
        met = list(dict.fromkeys(leaves_of(mtd, tree, depth)))
        ours = leaves_of(StateSpaceSearch(dual, order=False), tree, depth)
        assert met[: len(ours)] == ours
        assert set(met) == set(ours)


@DUAL
def test_only_a_finished_iteration_counts(dual):
    """Whatever the budget: all that is said is of one depth, and the move is one of the best to that depth."""
    search, depths = OnTrees(StateSpaceSearch(dual)), set()
    for tree in some_trees(60):
        for nodes in (1, 5, 20, 50, 100, 200):
            result = search(tree, Budget(nodes=nodes))
            (depth,) = {child.known.more["depth"] for child in result.children}
            assert result.value == oracles.minimax_value(tree, ROOT, depth)
            assert result.move in oracles.best_moves(tree, ROOT, depth)
            assert oracles.is_principal(tree, ROOT, result.line, depth)
            depths.add(depth)
    assert depths >= {1, 2, 3, 4}
