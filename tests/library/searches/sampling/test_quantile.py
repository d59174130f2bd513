"""The Q-outcome against a slow one, number for number; against exact quantiles; and the theorem that it rests on."""

import math

import numpy as np
import pytest

from ludus import Budget
from ludus.library.searches.sampling.quantile import Quantile, xi
from tests.support import oracles
from tests.support.oracles import ROOT
from tests.support.reference_sampling import slow_quantile
from tests.support.tiny_games import DiceTree, OnTrees, TinyTree

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
PLENTY = Budget(nodes=10**7)


def small_trees(how_many, kind=TinyTree):
    return (kind(seed, depth=1 + seed % 4, values=(2, 3, 7)[seed % 3]) for seed in range(how_many))


def quantile_of(scores, q):
    """By its definition: the least of them such that a part q of all is no greater."""
    shares = ((score, sum(other <= score for other in scores) / len(scores)) for score in sorted(scores))
    return next(score for score, share in shares if share >= q - 1e-9)


def called_for(told):
    """The quantile for this branching and these last movers."""
    if not told.ours_last:
        return 0.5
    b, share = np.mean(told.branching or [1]), np.mean(told.ours_last)
    (x,) = [r.real for r in np.roots([1, 1, -1]) if 0 < r.real < 1] if b == 2 else [xi(b)]
    return share * x + (1 - share) * (1 - x)


def check_against_slow(result, told, q):
    q = q or called_for(told)
    assert result.meter.generated == told.generated
    means = []
    for child, scores in zip(result.children, told.scores, strict=True):
        assert repr(child.value) == repr(quantile_of(scores, q) + 0.0 if scores else math.nan)
        means.append(np.mean(scores) if scores else 0.0)
        assert not scores or child.known.more["mean"] == pytest.approx(means[-1], abs=1e-12)
    values = [0.0 if math.isnan(child.value) else child.value for child in result.children]
    chosen = result.children.index(result.chosen)
    assert values[chosen] == max(values)
    assert means[chosen] >= max(m for m, v in zip(means, values, strict=True) if v == max(values)) - 1e-12


@MODES
@pytest.mark.parametrize("kind", [TinyTree, DiceTree])
def test_every_number_is_that_of_the_slow_one(compiled, kind):
    searches = {(q, many): OnTrees(Quantile(q, many), compiled, kind) for q, many in ((0.0, 20), (0.25, 7))}
    for seed, tree in enumerate(small_trees(120, kind)):
        for (q, many), search in searches.items():
            for nodes in (3, 40, 10**7):
                result = search(tree, Budget(nodes=nodes), seed)
                told = slow_quantile(tree, (ROOT,), seed, many, nodes)
                check_against_slow(result, told, q)
                assert result.stopped == "sure" or nodes < 10**7


def uniform_tree(depth, source):
    return (
        float(source.integers(1000))
        if depth == 0
        else [0, uniform_tree(depth - 1, source), uniform_tree(depth - 1, source)]
    )


@pytest.mark.parametrize(("depth", "expected"), [(4, 0.382), (5, 0.618)])
def test_in_a_uniform_tree_it_is_the_quantile_of_the_theorem(depth, expected):
    """He who moves at the root makes the last move if the depth is odd."""
    tree = TinyTree.of(uniform_tree(depth, np.random.default_rng(1)))
    result = OnTrees(Quantile())(tree, PLENTY)
    assert result.statistics == {"quantile": expected, "branching": 2.0}


def test_with_many_playouts_it_is_the_exact_quantile_but_for_chance():
    many, q = 2000, 0.4
    search, slack = OnTrees(Quantile(q, many), compiled=True), 3.9 * math.sqrt(0.25 / many)
    for seed, tree in enumerate(small_trees(60)):
        for child, node in zip(search(tree, PLENTY, seed).children, oracles.children(tree, ROOT), strict=True):
            games = [(share, -score) for share, score in oracles.all_games(tree, (node,))]
            assert sum(share for share, score in games if score <= child.value) >= q - slack
            assert sum(share for share, score in games if score < child.value) <= q + slack


@pytest.mark.parametrize(("b", "depth"), [(2, 13), (2, 14), (3, 8), (3, 9)])
def test_minimax_values_of_uniform_trees_lie_at_that_quantile_of_the_leaves(b, depth):
    """The thesis has it the other way round in its examples: simulation decides."""
    source, found = np.random.default_rng(b + depth), []
    for _ in range(100):
        values = leaves = source.random(b**depth)
        for ply in range(depth, 0, -1):
            values = values.reshape(-1, b)
            values = values.max(axis=1) if ply % 2 == 1 else values.min(axis=1)
        found.append((leaves <= values[0]).mean())
    expected = xi(b) if depth % 2 == 1 else 1 - xi(b)
    assert abs(np.mean(found) - expected) < 0.025 < abs(np.mean(found) - (1 - expected))


def test_xi_is_the_root():
    assert xi(1) == pytest.approx(0.5)
    assert xi(2) == pytest.approx((math.sqrt(5) - 1) / 2)
    assert all(xi(b) ** b + xi(b) == pytest.approx(1) for b in (1.5, 3, 20, 200))


@pytest.mark.parametrize("wrong", [{"q": 1.0}, {"q": -0.1}, {"playouts": 0}])
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match="must be"):
        Quantile(**wrong)
