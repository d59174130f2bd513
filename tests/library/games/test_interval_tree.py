"""Interval trees: bounds that hold, lie inside each other, and have the distributions that are promised.

Every statistical test has fixed seeds; its level is at most one in a thousand.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import kstest

import ludus
from tests.support.reference_synthetic import interval_tree
from tests.support.tree_statistics import Censuses, chi_square_p

SHAPES = [
    {"branching": 2, "depth": 7, "width": 1000},
    {"branching": 3, "depth": 5, "width": 3},
    {"branching": 4, "depth": 4, "width": 10**15, "tight": 3.0},
    {"branching": 4, "depth": 4, "width": 1_000_000, "tight": 0.1},
    {"branching": 1, "depth": 6, "width": 50},
    {"branching": 5, "depth": 1, "width": 7},
]
VALUE, LOW, HIGH = 2, 3, 4


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("compiled", [False, True])
def test_the_slow_tree_is_the_same(shape, compiled):
    trees = Censuses("interval-tree", "interval", compiled=compiled, **shape)
    tight = shape.get("tight", 1.0)
    for seed in (0, 1, 2**31 - 1):
        slow = interval_tree(shape["branching"], shape["depth"], shape["width"], tight, seed)
        tree = trees(seed)
        second = tree.column(1) % 2 == 1
        value, low, high = (tree.column(i) for i in (VALUE, LOW, HIGH))
        seen = np.where(second, [-value, -high, -low], [value, low, high])
        assert seen.T.tolist() == [list(node) for node in slow]


@pytest.mark.parametrize("shape", SHAPES)
def test_bounds_hold_and_lie_inside_each_other(shape):
    trees = Censuses("interval-tree", "interval", **shape)
    for seed in range(30):
        tree = trees(seed)
        value, low, high = (tree.column(i) for i in (VALUE, LOW, HIGH))
        assert (value == tree.minimax).all()
        assert ((low <= value) & (value <= high)).all()
        assert (low[0], high[0]) == (-shape["width"], shape["width"])
        leaf = tree.count == 0
        assert (low[leaf] == high[leaf]).all()
        assert (tree.opinion[~leaf] == (low[~leaf] + high[~leaf]) / 2).all()
        child, parent = np.arange(1, len(value)), tree.parent[1:]
        assert (-high[child] >= low[parent]).all()
        assert (-low[child] <= high[parent]).all()
        assert (-value[child] <= value[parent]).all()
        # What B* backs up: the best of the children's bounds, for which these then hold too.
        for node in np.flatnonzero(~leaf):
            children = slice(tree.first[node], tree.first[node] + tree.count[node])
            pessimistic, optimistic = max(-high[children]), max(-low[children])
            assert low[node] <= pessimistic <= value[node] <= optimistic <= high[node]


def test_draws_are_uniform():
    """The root's value, which child is the best, the values of the others, and the bounds, each on its own range."""
    trees = Censuses("interval-tree", "interval", branching=4, depth=3, width=10**12, tight=1.0)
    sharp = Censuses("interval-tree", "interval", branching=4, depth=3, width=10**12, tight=2.5)
    heirs: Counter[int] = Counter()
    roots, others, lows, highs, near = [], [], [], [], []
    for seed in range(800):
        tree = trees(seed)
        value, low, high = (tree.column(i).astype(float) for i in (VALUE, LOW, HIGH))
        roots.append(value[0])
        best = np.flatnonzero(-value[1:5] == value[0])
        heirs.update(best.tolist())
        child = 1 + int(best[0] + 1) % 4
        others.append((-value[child] - low[0]) / (value[0] - low[0]))
        lows.append((-value[child] + high[child]) / (-value[child] - low[0]))
        highs.append((-low[child] + value[child]) / (high[0] + value[child]))
        tree = sharp(seed)
        value, low = tree.column(VALUE).astype(float), tree.column(LOW).astype(float)
        near.append((-low[1] + value[1]) / (high[0] + value[1]))
    assert kstest(roots, "uniform", (-1e12, 2e12)).pvalue > 0.001
    assert chi_square_p(heirs, dict.fromkeys(range(4), 0.25)) > 0.001
    for sample in (others, lows, highs):
        assert kstest(sample, "uniform").pvalue > 0.001
    assert kstest(near, lambda x: x ** (1 / 2.5)).pvalue > 0.001
    worst = np.abs(np.corrcoef([roots, others, lows, highs])[np.triu_indices(4, 1)]).max()
    assert worst * 800**0.5 < 3.7


def test_ties_and_points():
    """In a narrow tree many moves are equally good, and many intervals are points; all is as it should be."""
    trees = Censuses("interval-tree", "interval", branching=3, depth=5, width=3)
    ties = points = 0
    for seed in range(50):
        tree = trees(seed)
        ties += int((-tree.column(VALUE)[1:4] == tree.column(VALUE)[0]).sum() > 1)
        points += int((tree.column(LOW) == tree.column(HIGH))[tree.count > 0].sum())
    assert ties > 10
    assert points > 500


def test_the_evaluators():
    game = ludus.game("interval-tree", branching=3, depth=4, width=100, seed=3)
    position = game.position().play(1).play(2)
    _, _, value, low, high = position.state
    assert low < value < high
    assert position.value("interval(at=0)") == low
    assert position.value("interval(at=1)") == high
    assert position.value("interval(at=0.25)") == 0.75 * low + 0.25 * high
    assert position.value("interval-truth") == value
    end = position.play(0).play(0)
    assert end.is_over
    assert end.value("interval") == end.score == end.state[VALUE]


def test_golden_values():
    """A change of the generator changes every experiment: these must not move."""
    after = ludus.game("interval-tree", seed=7).position().play(2).play(1)
    assert after.text == "11337600362576013712 2 -414460 -466564 279318"
    values = [ludus.game("interval-tree", seed=seed).start[VALUE] for seed in range(5)]
    assert values == [-436478, -466306, 797233, 725713, 782281]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"branching": 0}, "branching must be from 1 to 1000"),
        ({"depth": 0}, "depth must be from 1 to 10000"),
        ({"width": 0}, r"width must be from 1 to 1e\+15"),
        ({"tight": 0}, "tight must be from 0.01 to 100"),
        ({"seed": -1}, "seed must be 0 or above"),
    ],
)
def test_parameters_out_of_range(parameters, message):
    with pytest.raises(ludus.SpecError, match=message):
        ludus.game("interval-tree", **parameters)


@pytest.mark.parametrize("text", ["1 17 0 0 0", "1 -1 0 0 0", "1 1 5 6 7", "1 1 5 3 4", "1 1 5 -9000000 7"])
def test_states_that_no_game_comes_to(text):
    with pytest.raises(ludus.StateError, match="its numbers are out of range"):
        ludus.game("interval-tree").read_state(text)
