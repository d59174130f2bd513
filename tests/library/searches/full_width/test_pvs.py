"""Principal variation search; that it is exact is shown by the conformance suite."""

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest

from ludus import Budget
from ludus.library.searches.full_width.pvs import PrincipalVariation
from tests.library.searches.full_width.test_sss import leaves_of
from tests.support import oracles
from tests.support.oracles import ROOT, Exhaustive
from tests.support.tiny_games import OnTrees, TinyTree, TreeValues, braid, perfectly_ordered, some_trees


@pytest.mark.parametrize(("branching", "depth"), [(2, 5), (3, 4), (4, 3)])
def test_with_perfect_order_it_visits_the_minimal_tree(branching, depth):
    """No scout fails, so nothing is searched twice: exactly b^ceil(d/2) + b^floor(d/2) - 1 leaves."""
    search = OnTrees(PrincipalVariation(order=False))
    for seed in range(5):
        meter = search(perfectly_ordered(seed, depth, branching), Budget(depth=depth)).meter
        assert meter.evaluated == branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1


def test_it_looks_at_the_leaves_of_negascout_in_their_order():
    for tree in (*some_trees(200), *uniform_trees(40)):
        for depth in range(1, oracles.height(tree) + 1):
            value, leaves = oracles.slow_negascout(tree, depth)
            assert value == oracles.minimax_value(tree, ROOT, depth)
            assert leaves_of(PrincipalVariation(order=False), tree, depth) == leaves


def uniform_trees(how_many: int, depth: int = 4, branching: int = 4) -> Iterator[TinyTree]:
    """Four moves everywhere, and leaves with random values."""
    for seed in range(how_many):
        source = random.Random(seed)
        yield TinyTree.of(uniform(source, depth, branching))


def uniform(source: random.Random, depth: int, branching: int) -> Any:
    if depth == 0:
        return source.random()
    return [source.random(), *(uniform(source, depth - 1, branching) for _ in range(branching))]


def test_a_bound_that_the_table_knows_is_not_taken_for_the_value():
    """A scout may find its answer in the table; if that is inside the window it must be searched again all the same."""
    search = OnTrees(PrincipalVariation(table=True, aspiration=10.0))
    for seed in range(20, 50):
        game = braid(seed)
        truth = Exhaustive(game, TreeValues())
        for depth in (6, 7, 8):
            result = search(game, Budget(depth=depth, nodes=10**6))
            assert result.value == truth.value(game.start, depth)


def test_moves_that_were_only_scouted_have_a_bound():
    search = OnTrees(PrincipalVariation())
    bounds = exact = 0
    for tree in some_trees(60):
        result = search(tree, Budget(depth=3))
        for child, value in zip(result.children, oracles.move_values(tree, ROOT, 3), strict=True):
            assert child.known.low <= value <= child.known.high
            bounds += child.known.is_upper_bound
            exact += child.known.low == child.known.high
    assert min(bounds, exact) > 30
