"""Minimum variance: Clark's moments against simulation and integration, and the rule against a slow definition."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.common.errors import LudusError
from ludus.kernel.tree import UNOPENED
from ludus.library.searches.best_first import minimum_variance
from ludus.library.searches.best_first.minimum_variance import MinimumVariance, greatest_of_two
from ludus.model.calibration import Calibration
from tests.support import oracles, tiny_games
from tests.support.oracles import ROOT, Grown
from tests.support.tiny_games import OnTrees, TreeValues, expansions

MEAN, SD = 0.4, 1.5
MODEL = Calibration(error=np.array([[MEAN, SD, 100.0]]))
PLENTY = Budget(nodes=10**6)


def test_the_moments_of_the_greater_of_two_are_those_of_a_simulation():
    source = np.random.default_rng(1)
    for _ in range(100):
        one, other = source.normal(0, 3, 2), source.uniform(0.01, 4, 2)
        samples = np.maximum(source.normal(one[0], other[0], 100_000), source.normal(one[1], other[1], 100_000))
        mean, variance = greatest_of_two(one[0], other[0] ** 2, one[1], other[1] ** 2)
        assert mean == pytest.approx(samples.mean(), abs=5 * samples.std() / math.sqrt(len(samples)))
        assert variance == pytest.approx(samples.var(), rel=0.04)


def clark(mean, variance, other_mean, other_variance):
    """Equations 2 to 4 of Clark 1961, word for word."""
    spread = math.sqrt(variance + other_variance)
    ahead = (mean - other_mean) / spread
    share, density = 0.5 * math.erfc(-ahead / math.sqrt(2)), math.exp(-(ahead**2) / 2) / math.sqrt(2 * math.pi)
    first = mean * share + other_mean * (1 - share) + spread * density
    second = (mean**2 + variance) * share + (other_mean**2 + other_variance) * (1 - share)
    return first, second + (mean + other_mean) * spread * density - first**2


def test_the_moments_of_the_greater_of_two_are_clark_s():
    source = np.random.default_rng(2)
    for _ in range(2_000):
        one, other = source.normal(0, 3, 2), source.uniform(0.01, 4, 2)
        found = greatest_of_two(one[0], other[0], one[1], other[1])
        assert found == pytest.approx(clark(one[0], other[0], one[1], other[1]), rel=1e-9, abs=1e-12)
        assert greatest_of_two(one[1], other[1], one[0], other[0]) == found


def test_certain_values_and_payoffs_of_millions_take_part():
    assert greatest_of_two(3.0, 0.0, 5.0, 0.0) == (5.0, 0.0)
    assert greatest_of_two(-64 * 2.0**20, 0.0, 1.25, 2.0) == (1.25, 2.0)
    assert greatest_of_two(64 * 2.0**20, 0.0, 1.25, 2.0) == (64 * 2.0**20, 0.0)
    mean, variance = greatest_of_two(0.0, 0.0, 0.0, 1.0)  # half of a normal curve
    assert (mean, variance) == pytest.approx((1 / math.sqrt(2 * math.pi), 0.5 - 1 / (2 * math.pi)))


def test_what_is_no_number_is_not_looked_up():
    assert math.isnan(greatest_of_two(math.nan, 1.0, 0.0, 1.0)[0])
    assert math.isnan(greatest_of_two(0.0, math.nan, 0.0, 1.0)[1])
    assert math.isinf(greatest_of_two(0.0, math.inf, 1.0, math.inf)[1])


class Slow:
    """The distributions of a grown tree, from scratch."""

    def __init__(self, grown):
        self.grown, self.known = grown, {}

    def of(self, node):
        if node not in self.known:
            self.known[node] = self.worked_out(node)
        return self.known[node]

    def worked_out(self, node):
        if node not in self.grown.opened:
            closed = self.grown.is_closed(node)
            return oracles.worth(self.grown.tree, node) + (0 if closed else MEAN), 0 if closed else SD**2
        first, *others = [self.of(child) for child in oracles.children(self.grown.tree, node)]
        mean, variance = -first[0], first[1]
        for other in others:
            mean, variance = greatest_of_two(mean, variance, -other[0], other[1])
        return mean, variance

    def has_something(self, node, complete):
        if node not in self.grown.opened:
            return not self.grown.is_closed(node)
        if complete and self.grown.is_resolved(node):
            return False
        return any(self.has_something(child, complete) for child in oracles.children(self.grown.tree, node))

    def leaf(self, sense, complete):
        node = ROOT
        while node in self.grown.opened:
            below = [c for c in oracles.children(self.grown.tree, node) if self.has_something(c, complete)]
            node = min(below, key=lambda child: sense * self.of(child)[1])
        return node


@pytest.mark.parametrize(
    ("first", "complete", "compiled"), [("least", True, True), ("least", False, False), ("greatest", True, False)]
)
def test_it_goes_where_the_variance_is_least_and_ends_with_the_value_of_minimax(first, complete, compiled):
    search = OnTrees(MinimumVariance(first, complete), compiled, evaluator=TreeValues().calibrated(MODEL))
    for tree in tiny_games.some_trees(100 if compiled else 30, depth=4):
        result = search(tree, PLENTY)
        grown = Grown(tree)
        for leaf in expansions(search.session):
            assert leaf == Slow(grown).leaf(1 if first == "least" else -1, complete)
            grown.opened.add(leaf)
        assert result.stopped == ("solved" if complete else "exhausted")
        assert result.value == oracles.minimax_value(tree, ROOT, 99)
        for child, shown in zip(oracles.children(tree, ROOT), result.children, strict=True):
            mean, variance = Slow(grown).of(child)
            assert shown.known.more["mean"] == pytest.approx(-mean)
            assert shown.known.more["sd"] == pytest.approx(math.sqrt(variance))


EDGES = np.array(
    [
        [0.5, np.inf, np.inf, 0.1],  # phase
        [3.0, 5.0, 7.0, 5.0],  # the moves that the player who moved last had
        [1.0, 2.0, 6.0, 6.0],  # those that the other one had before
        [-2.0, 0.0, 2.0, 0.0],  # static value
    ]
)
BUCKETS = Calibration(EDGES, np.column_stack([np.arange(256.0), 1000.0 - np.arange(256), np.ones(256)]))


@pytest.mark.parametrize(
    ("child", "value", "row"),
    [
        (5, -1.0, (1, 1, 2, 1)),  # phase 0.6; three moves, and two before them
        (5, 3.0, (1, 1, 2, 3)),
        (4, 1.0, (0, 2, 0, 2)),  # phase 0.4; five moves, and none before them
        (2, -3.0, (0, 0, 3, 0)),  # phase 0.2; two moves, before which nothing is known: the median
    ],
)
def test_a_leaf_has_the_error_of_its_bucket(monkeypatch, child, value, row):
    """By its own phase, its parent's moves, its grandparent's, and its static value."""
    monkeypatch.setattr(minimum_variance, "load", lambda columns, node: columns[node])
    monkeypatch.setattr(minimum_variance, "phase", lambda game, state: state / 10)
    tree = SimpleNamespace(
        parent=[-1, 0, 0, 0, 6, 1, 7, -1],
        count=[2, 3, UNOPENED, UNOPENED, UNOPENED, UNOPENED, 5, 0],
        state=[0, 0, 2, 3, 4, 6, 0, 0],
        value=np.full(8, np.nan),
        mean=np.zeros(8),
        variance=np.zeros(8),
        open=np.zeros(8),
        calibration=BUCKETS,
    )
    tree.value[child] = value
    minimum_variance.begin_distribution(None, tree, child)
    bucket = ((row[0] * 4 + row[1]) * 4 + row[2]) * 4 + row[3]
    assert tree.mean[child] == value + bucket
    assert tree.variance[child] == (1000.0 - bucket) ** 2
    assert tree.open[child] == 1.0


def test_it_needs_an_error_model():
    with pytest.raises(LudusError, match="error model"):
        ludus.player("minimum-variance(eval=open-lines)", compiled=False).choose(ludus.game("tictactoe"))
