"""What a full-width search is said to have visited, against brute force on small random trees."""

from __future__ import annotations

import math

import pytest

import ludus
from ludus import Budget, Player, SpecError, StateError
from ludus.model import registry
from ludus.runtime.walk import Visit, walk
from tests.support.oracles import ROOT, children, full_width_counts, minimax_value, slow_sss
from tests.support.tiny_games import TreeValues, some_trees

SSS = ["sss", "sss(order=false)", "sss(dual=true)", "sss(order=false, dual=true)"]


def walked(spec: str, game: ludus.Game, depth: int):
    return walk(game, Player(registry.searches().make(spec), TreeValues(), Budget(depth=depth), compiled=False))


def each(visit: Visit, node: int, depth: int):
    """Every visit with its node and the plies left there."""
    yield visit, node, depth
    for child in visit.children:
        yield from each(child, int(child.move), depth - 1)


@pytest.mark.parametrize("spec", ["minimax", "alphabeta", "alphabeta(order=false)", "pvs(order=false)", *SSS])
def test_values_are_within_what_a_window_promises(spec):
    for tree in some_trees(25):
        found = walked(spec, tree, 3)
        for visit, node, left in each(found.root, ROOT, 3):
            truth = minimax_value(tree, node, left)
            if math.isnan(visit.value):
                assert spec in SSS  # left out, or given up
            elif visit.is_exact or not visit.entered:
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


@pytest.mark.parametrize("spec", SSS)
def test_sss_and_its_dual_are_drawn_with_what_they_generate_and_evaluate(spec):
    left_out = bounds = 0
    for tree in some_trees(25):
        found = walked(spec, tree, 3)
        result = Player(registry.searches().make(spec), TreeValues(), Budget(depth=3), compiled=False).choose(tree)
        assert len(found.root) == 1 + result.meter.generated
        assert found.root.value == minimax_value(tree, ROOT, 3) == result.value
        assert found.stopped == result.stopped
        assert [int(move) for move in found.line] == result.line
        visits = list(each(found.root, ROOT, 3))
        leaves = [node for visit, node, _ in visits if not visit.entered and not math.isnan(visit.value)]
        if "order=false" in spec:
            assert sorted(leaves) == sorted(slow_sss(tree, 3, "dual" in spec)[1])
            assert all(visit.entered == (node not in leaves) for visit, node, _ in visits)
        left_out += sum(not visit.entered and math.isnan(visit.value) for visit, *_ in visits)
        bounds += sum(visit.value <= visit.alpha or visit.value >= visit.beta for visit, *_ in visits)
    assert bounds > 20
    assert (left_out > 20) == ("order=false" not in spec)


@pytest.mark.parametrize("spec", SSS)
def test_of_a_move_sss_says_what_is_drawn(spec):
    tighter = 0
    for tree in some_trees(60):
        found = walked(spec, tree, 4)
        result = Player(registry.searches().make(spec), TreeValues(), Budget(depth=4), compiled=False).choose(tree)
        said = {child.name: child.known for child in result.children}
        for visit, node, left in each(found.root, ROOT, 4):
            if left != 3 or math.isnan(visit.value):
                continue
            known = said[visit.move]
            assert known.value == -visit.value
            assert known.is_bound != visit.is_exact
            assert known.high >= -minimax_value(tree, node, left) >= known.low
            tighter += known.is_bound and known.value < result.value
    assert tighter > 5


@pytest.mark.parametrize("spec", SSS)
@pytest.mark.parametrize("nodes", [5, 20, 60])
def test_what_sss_has_when_it_is_stopped_is_true_too(spec, nodes):
    for tree in some_trees(15):
        player = Player(registry.searches().make(spec), TreeValues(), Budget(nodes=nodes), compiled=False)
        found = walk(tree, player)
        for visit, node, left in each(found.root, ROOT, found.depth):
            truth = minimax_value(tree, node, left)
            if not math.isnan(visit.value):
                assert visit.value == truth or (
                    visit.value < truth if visit.value >= visit.beta else visit.value > truth
                )
                assert visit.value == truth or not visit.is_exact


@pytest.mark.parametrize("spec", SSS)
def test_what_sss_says_when_it_is_stopped_is_true_too(spec):
    checked = 0
    for tree in some_trees(6):
        for units in range(1, 200):
            budget = Budget(units=units, traverse=1, generate=0)
            result = Player(registry.searches().make(spec), TreeValues(), budget, compiled=False).choose(tree)
            depth = result.statistics["depth"]
            for child in result.children if depth > 0 else ():
                truth = -minimax_value(tree, child.move, depth - 1)
                assert known_to_be(child.known, truth)
                checked += 1
    assert checked > 1000


def known_to_be(known, truth):
    """Whether what is known of a move's value to that depth is true."""
    return known.value >= truth if known.is_bound else known.value == truth


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


def test_the_time_is_kept():
    for spec in ("alphabeta(seconds=0.000001)", "sss(seconds=0.000001)"):
        found = walk(ludus.game("tictactoe"), ludus.player(spec, compiled=False))
        assert found.stopped == "seconds"
        assert found.depth == 1
        assert (len(found.root), len(found.root.cut)) == (1, 9)


def test_json_has_no_infinity():
    found = walk(ludus.game("nim"), ludus.player("alphabeta(depth=2)", compiled=False)).root.to_dict()
    assert found["alpha"] is None
    assert not math.isinf(found["children"][0]["value"])


def test_what_does_not_walk_is_refused():
    with pytest.raises(SpecError, match="does not walk"):
        walk(ludus.game("nim"), ludus.player("bfmm", compiled=False))
    with pytest.raises(StateError, match="the game is over"):
        walk(ludus.game("nim"), ludus.player("minimax(depth=1)", compiled=False), (0,))
