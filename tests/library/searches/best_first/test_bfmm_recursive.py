"""Best-first minimax in linear space against the form that keeps its tree, on hundreds of random trees."""

import pytest

import ludus
from ludus import Budget
from ludus.common.errors import SpecError
from ludus.library.searches.best_first.bfmm import BestFirstMinimax
from ludus.model import registry
from ludus.runtime.trace import trace
from tests.support import oracles, tiny_games
from tests.support.oracles import ROOT
from tests.support.tiny_games import OnTrees, TinyTree

SETTINGS = pytest.mark.parametrize("complete", [False, True], ids=["as published", "complete"])
PLENTY = Budget(nodes=10**7)


class Watched(TinyTree):
    """Notes the positions whose moves are listed: those that are expanded (the evaluator lists none)."""

    def __init__(self):
        super().__init__()
        self.listed = []

    def moves(self, state, out):
        self.listed.append(int(state[0]))
        return super().moves(state, out)

    def over(self, state):
        return self.count[state[0]] == 0


def firsts(found):
    """Each once, where it came first."""
    return list(dict.fromkeys(found))


@SETTINGS
def test_nodes_are_expanded_for_the_first_time_in_the_same_order(complete):
    search, again, most = OnTrees(BestFirstMinimax(complete, recursive=True), kind=Watched), 0, 0
    for tree in tiny_games.some_trees(120 if complete else 400):
        search.tree.listed.clear()
        result = search(tree, PLENTY)
        order = search.tree.listed
        steps = [step.leaf for step in oracles.slow_bfmm(tree, complete)]
        assert firsts(order) == steps
        again += result.meter.expanded - len(steps)
        most = max(most, int(search.session.tree.record.size[0]))
        grown = oracles.Grown(tree, set(steps))
        assert [child.value for child in result.children] == [-grown.value(c) for c in oracles.children(tree, ROOT)]
        assert result.stopped == ("solved" if complete else "exhausted")
    assert again > 200, "something was forgotten and grown again, and counted"
    assert most <= 1 + tiny_games.DEEPEST * tiny_games.WIDEST


@SETTINGS
def test_compiled_with_any_budget_what_is_known_is_what_the_tree_would_say(complete):
    """Also in the middle of growing something again; every expansion is counted."""
    kept = OnTrees(BestFirstMinimax(complete), compiled=True)
    forgetful = OnTrees(BestFirstMinimax(complete, recursive=True), compiled=True)
    for tree in tiny_games.some_trees(100):
        steps = list(oracles.slow_bfmm(tree, complete))
        known = set()
        for made in range(1, len(steps) + 1):
            grown = oracles.Grown(tree, {step.leaf for step in steps[:made]})
            known.add(tuple(-grown.value(child) for child in oracles.children(tree, ROOT)))
        whole = forgetful(tree, PLENTY)
        assert [c.value for c in whole.children] == [c.value for c in kept(tree, PLENTY).children]
        for share in (0.2, 0.5, 0.8):
            result = forgetful(tree, Budget(nodes=max(1, int(share * whole.meter.generated))))
            assert tuple(child.value for child in result.children) in known
            assert result.meter.generated <= share * whole.meter.generated + tiny_games.WIDEST


def test_memory_is_linear_in_depth():
    """Of 20,000 nodes those beside the principal line are in memory."""
    game, budget = ludus.game("random-tree", branching=10), Budget(nodes=20_000)
    session = ludus.player("bfmm(recursive=true)", compiled=False).session(game)
    session.run(game.start, budget)
    record = session.tree.record
    assert session.tree.capacity < 2_000
    assert int(record.size[0]) <= 1 + 10 * int(record.depth[: int(record.size[0])].max())


def test_what_is_not_kept_can_neither_be_reused_nor_drawn():
    with pytest.raises(SpecError, match="recursive=true keeps no tree"):
        registry.searches().of("bfmm(recursive=true, reuse=true)")
    with pytest.raises(SpecError, match="nothing to trace"):
        trace(ludus.game("tictactoe"), ludus.player("bfmm(recursive=true)"))
