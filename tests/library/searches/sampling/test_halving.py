"""Sequential halving against a slow one, number for number, and against the laws of chance."""

import math
from itertools import product

import pytest

from ludus import Budget
from ludus.library.searches.sampling.halving import Halving
from tests.support.oracles import ROOT
from tests.support.reference_sampling import slow_halving
from tests.support.tiny_games import OnTrees, TinyTree

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
PLENTY = Budget(nodes=10**6)


def small_trees(how_many):
    return (TinyTree(seed, depth=1 + seed % 4, values=3 if seed % 3 else 2) for seed in range(how_many))


def check_against_slow(tree, result, moves, left, generated, draws):
    assert result.meter.generated == generated
    assert [child.known.more["playouts"] for child in result.children] == [len(move.results) for move in moves]
    assert result.meter.expanded == 1 + sum(len(move.results) for move in moves)
    for child, move in zip(result.children, moves, strict=True):
        if not move.is_over:
            assert repr(child.value) == repr(move.value(draws) + 0.0)
    known = [0.0 if math.isnan(child.value) else child.value for child in result.children]
    best = max(value for value, move in zip(known, moves, strict=True) if any(move is one for one in left))
    chosen = result.children.index(result.chosen)
    assert known[chosen] == best
    assert any(moves[chosen] is move for move in left), "what was dropped is not played, however good it looked"


@MODES
@pytest.mark.parametrize(("playouts", "draws"), [(1, "half"), (24, "half"), (100, "ignored")])
def test_every_number_is_that_of_the_slow_one(compiled, playouts, draws):
    search = OnTrees(Halving(playouts, draws), compiled)
    uneven = 0
    for seed, tree in enumerate(small_trees(100)):
        result = search(tree, PLENTY, seed)
        moves, left, generated = slow_halving(tree, (ROOT,), seed, draws, playouts)
        check_against_slow(tree, result, moves, left, generated, draws)
        assert result.stopped == "sure"
        uneven += len({len(move.results) for move in moves if not move.is_over}) > 1
    assert uneven > 30


@MODES
def test_a_budget_of_nodes_is_divided_into_equal_parts(compiled):
    search = OnTrees(Halving(), compiled)
    for seed, tree in enumerate(small_trees(100)):
        for nodes in (1, 7, 40, 150):
            result = search(tree, Budget(nodes=nodes), seed)
            moves, left, generated = slow_halving(tree, (ROOT,), seed, nodes=nodes)
            check_against_slow(tree, result, moves, left, generated, "half")
            assert result.stopped in ("nodes", "sure")


def test_a_limit_on_depth_alone_ends_it_too():
    tree = TinyTree(seed=3, depth=3, values=3)
    assert OnTrees(Halving(), compiled=True)(tree, Budget(depth=2)).stopped == "sure"


def arm(wins):
    """A move after which random play wins so many games of four; the opponent is to move when they end."""
    return [0, *([0, -1 if i < wins else 1] for i in range(4))]


def chance_of_the_best(wins, playouts):
    """By all that can happen: how likely the first of four moves is the one that is played."""
    p = [share / 4 for share in wins]
    first, second = playouts // 8, playouts // 4

    def law(n, share):
        return [math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]

    total = 0.0
    for won in product(range(first + 1), repeat=4):
        weight = math.prod(law(first, share)[k] for share, k in zip(p, won, strict=True))
        left = sorted(sorted(range(4), key=lambda i, won=won: -won[i])[:2])
        if 0 in left:
            other = left[1]
            for a, b in product(range(second + 1), repeat=2):
                if won[0] + a >= won[other] + b:
                    total += weight * law(second, p[0])[a] * law(second, p[other])[b]
    return total


@pytest.mark.parametrize("playouts", [8, 32])
def test_the_best_move_is_found_as_often_as_the_binomial_law_says(playouts):
    wins, runs = (3, 2, 2, 1), 1000
    tree = TinyTree.of([0, *map(arm, wins)])
    search = OnTrees(Halving(playouts), compiled=True)
    right = sum(search(tree, PLENTY, seed).move == 1 for seed in range(runs))
    expected = chance_of_the_best(wins, playouts)
    assert abs(right - runs * expected) < 3.9 * math.sqrt(runs * expected * (1 - expected))


def test_wrong_parameters_are_refused():
    with pytest.raises(ValueError, match="playouts must be at least 1"):
        Halving(playouts=-1)
