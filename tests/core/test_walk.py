"""What a full-width search is said to have visited, against brute force on small random trees."""

from __future__ import annotations

import math

import pytest
from oracles import ROOT, children, full_width_counts, minimax_value
from tiny_games import TreeValues, some_trees

import ludus
from ludus import Budget, Player, SpecError, StateError
from ludus.core import registry
from ludus.core.walk import Visit, walk


def walked(spec: str, game: ludus.Game, depth: int):
    return walk(game, Player(registry.searches().make(spec), TreeValues(), Budget(depth=depth), compiled=False))


def each(visit: Visit, node: int, depth: int):
    """Every visit with its node and the plies left there."""
    yield visit, node, depth
    for child in visit.children:
        yield from each(child, int(child.move), depth - 1)


@pytest.mark.parametrize("spec", ["minimax", "alphabeta", "alphabeta(order=false)", "pvs(order=false)"])
def test_values_are_within_what_a_window_promises(spec):
    for tree in some_trees(25):
        found = walked(spec, tree, 3)
        for visit, node, left in each(found.root, ROOT, 3):
            truth = minimax_value(tree, node, left)
            if visit.is_exact or not visit.entered:
                assert visit.value == truth
            elif visit.value <= visit.alpha:
                assert truth <= visit.value
            else:
                assert visit.value >= visit.beta
                assert truth >= visit.value
            tried = [int(child.move) for child in visit.children] + [int(move) for move in visit.cut]
            assert not visit.entered or sorted(tried) == list(children(tree, node))


def test_minimax_visits_all_and_cuts_nothing():
    for tree in some_trees(10):
        found = walked("minimax", tree, 3)
        assert len(found.root) == 1 + full_width_counts(tree, ROOT, 3).generated
        assert not any(visit.cut for visit, *_ in each(found.root, ROOT, 3))


def test_alpha_beta_visits_what_it_generates():
    for tree in some_trees(10):
        result = Player("alphabeta(order=false)", TreeValues(), Budget(depth=3), compiled=False).choose(tree)
        assert len(walked("alphabeta(order=false)", tree, 3).root) == 1 + result.meter.generated


def test_the_last_pass_of_a_search_that_deepens():
    game = ludus.game("nim(stones=9)")
    found = walk(game, ludus.player("alphabeta(eval=zero, nodes=60)", compiled=False))
    assert found.depth > 2
    assert found.root.value == -found.root.children[0].value or len(found.root.children) > 1
    assert found.stopped == "nodes"


def test_only_so_many_nodes_are_noted_down():
    found = walk(ludus.game("tictactoe"), ludus.player("minimax(depth=9)", compiled=False), most=50)
    assert found.stopped == "most"
    assert 50 < len(found.root) < 60


def test_json_has_no_infinity():
    found = walk(ludus.game("nim"), ludus.player("alphabeta(depth=2)", compiled=False)).root.to_dict()
    assert found["alpha"] is None
    assert not math.isinf(found["children"][0]["value"])


def test_what_does_not_walk_is_refused():
    with pytest.raises(SpecError, match="does not walk"):
        walk(ludus.game("nim"), ludus.player("bfmm", compiled=False))
    with pytest.raises(StateError, match="the game is over"):
        walk(ludus.game("nim"), ludus.player("minimax(depth=1)", compiled=False), (0,))
