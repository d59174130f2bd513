"""Selective sampling against a slow one that remembers all games, and what it must be at its limits."""

import math

import pytest

from ludus import Budget
from ludus.library.searches.sampling.selective_sampling import SelectiveSampling
from tests.support.oracles import ROOT
from tests.support.reference_sampling import slow_sampler, slow_selective_sampling
from tests.support.tiny_games import OnTrees, TinyGraph, TinyTree

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
PLENTY = Budget(nodes=10**7)


def small_games(how_many):
    """Trees, where each move leads to a position of its own; and graphs, where a move is legal in many positions."""
    for seed in range(how_many):
        values = 3 if seed % 3 else 2
        yield TinyTree(seed, 1 + seed % 4, values=values) if seed % 2 else TinyGraph(seed, 2 + seed % 5, values=values)


@MODES
def test_every_number_is_that_of_the_slow_one(compiled):
    searches = {
        (order, temperature, playouts): OnTrees(SelectiveSampling(order, temperature, playouts), compiled)
        for order, temperature, playouts in ((1, 0.3, 0), (2, 0.5, 60))
    }
    for seed, game in enumerate(small_games(100)):
        for (order, temperature, playouts), search in searches.items():
            for nodes in (5, 150) if playouts == 0 else (10**7,):
                result = search(game, Budget(nodes=nodes), seed)
                values, generated = slow_selective_sampling(game, (ROOT,), seed, order, temperature, playouts, nodes)
                assert [child.value for child in result.children] == pytest.approx(values, abs=1e-12, nan_ok=True)
                assert result.meter.generated == generated
                assert result.stopped == ("nodes" if generated >= nodes else "sure")
                known = [0.0 if math.isnan(value) else value for value in values]
                assert known[result.children.index(result.chosen)] == pytest.approx(max(known), abs=1e-12)


def test_of_order_0_it_is_the_sampler():
    search = OnTrees(SelectiveSampling(order=0))
    for seed, game in enumerate(small_games(40)):
        result = search(game, Budget(nodes=100), seed)
        moves, generated = slow_sampler(game, (ROOT,), seed, (10**6, 10**6, (0,), "half"), nodes=100)
        assert result.meter.generated == generated
        for child, move in zip(result.children, moves, strict=True):
            assert move.is_over or repr(child.value) == repr(move.value("half") + 0.0)


def test_it_learns_what_random_play_does_not_see():
    """A move after which one reply of four wins and three lose: random play likes it, who has learnt does not."""
    tempting = [0, [0, 1], [0, -1], [0, -1], [0, -1]]  # to the player at the root, after two plies
    even = [0, [0, 0], [0, 0]]
    game = TinyTree.of([0, tempting, even])
    values = [
        [child.value for child in OnTrees(SelectiveSampling(order, 0.1, 4000))(game, PLENTY).children]
        for order in (0, 1)
    ]
    assert values[0][0] == pytest.approx(0.5, abs=0.1)
    assert values[1][0] < -0.9
    assert values[0][1] == values[1][1] == 0


@pytest.mark.parametrize("wrong", [{"order": -1}, {"temperature": 0.0}, {"playouts": -1}])
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match="must be"):
        SelectiveSampling(**wrong)
