"""(d,b,F)-trees: every node knows its minimax value, leaves are independent draws from F, and Pearl's theorems hold.

Every statistical test has fixed seeds; its level is at most one in a thousand.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import kstest, norm

import ludus
from ludus.library.games.synthetic import fair
from tests.support.reference_synthetic import (
    best_of,
    child_key,
    dbf_quantiles,
    flat,
    root_distribution,
    root_key,
    root_quantile,
    unit,
)
from tests.support.tree_statistics import Censuses, chi_square_p, z_score

KINDS = {
    "binary": {"p": 0.4},
    "uniform": {"low": -2.0, "high": 3.0},
    "integers": {"low": -3, "high": 2},
    "normal": {"mean": 0.5, "deviation": 2.0},
}


def truth(game: ludus.Game) -> float:
    """What the first position knows of its own value."""
    return game.position().value("dbf-truth")


def to_first(scores: np.ndarray, depth: int) -> np.ndarray:
    """Scores at the end, which are to the player to move there, to the first player."""
    return scores if depth % 2 == 0 else -scores


# Against the definition.


@pytest.mark.slow
@pytest.mark.parametrize(("branching", "depth"), [(1, 3), (2, 1), (2, 5), (2, 6), (3, 4), (5, 3)])
def test_the_slow_tree_has_the_same_leaves_and_value(branching, depth):
    for compiled in (False, True):
        trees = Censuses("dbf-tree", "dbf-truth", compiled=compiled, branching=branching, depth=depth, low=0.0)
        for seed in (0, 1, 2**31 - 1):
            slow, tree = dbf_quantiles(branching, depth, seed), trees(seed)
            leaves = to_first(tree.leaves, depth)
            assert np.allclose(leaves, flat(slow), rtol=0, atol=1e-12)
            assert abs(tree.minimax[0] - best_of(slow)) < 1e-12
            if branching == 3:
                keys = [root_key(seed)]
                for _ in range(depth):
                    keys = [child_key(key, move) for key in keys for move in range(branching)]
                assert tree.column(0)[tree.count == 0].tolist() == keys


@pytest.mark.parametrize("leaves", KINDS)
@pytest.mark.parametrize(("branching", "depth"), [(1, 4), (2, 7), (2, 10), (3, 6), (7, 3)])
def test_every_node_knows_its_minimax_value(leaves, branching, depth):
    trees = Censuses("dbf-tree", "dbf-truth", branching=branching, depth=depth, leaves=leaves, **KINDS[leaves])
    for seed in range(12):
        tree = trees(seed)
        assert len(tree.leaves) == branching**depth
        assert (tree.opinion == tree.minimax).all()


def test_a_search_finds_the_value_that_is_known():
    player = ludus.player("minimax(depth=9)", compiled=False)
    for seed in range(10):
        game = ludus.game("dbf-tree", branching=2, depth=9, leaves="normal", seed=seed)
        result = player.choose(game)
        assert result.value == truth(game)
        assert result.stopped == "solved"


# The leaves.


@pytest.mark.slow
@pytest.mark.parametrize(("branching", "depth", "p"), [(2, 2, 0.3), (2, 3, 0.5), (3, 2, 0.5)])
def test_leaves_are_jointly_independent(branching, depth, p):
    """All patterns of wins and losses at the leaves occur as often as if each leaf were drawn by itself."""
    n, leaves = 2600, branching**depth
    trees = Censuses("dbf-tree", "dbf-truth", branching=branching, depth=depth, leaves="binary", p=p)
    seen = Counter(tuple(to_first(trees(seed).leaves, depth).astype(int).tolist()) for seed in range(n))
    chances = {
        pattern: float(np.prod([p if leaf == 1 else 1 - p for leaf in pattern]))
        for pattern in product((1, -1), repeat=leaves)
    }
    assert chi_square_p(seen, chances) > 0.001


@pytest.mark.slow
def test_leaves_are_uncorrelated():
    """The quantiles of eight leaves over many trees: no correlation between any two, nor between their squares."""
    n, depth = 2000, 3
    trees = Censuses("dbf-tree", "dbf-truth", branching=2, depth=depth)
    sample = np.array([to_first(trees(seed).leaves, depth) for seed in range(n)])
    for values in (sample, sample**2, np.abs(sample - 0.3)):
        correlation = np.corrcoef(values.T)
        worst = max(abs(correlation[i, j]) for i, j in combinations(range(8), 2))
        assert worst * n**0.5 < norm.ppf(1 - 0.0005 / 28)  # 28 pairs, two sides


@pytest.mark.parametrize("leaves", KINDS)
def test_leaves_have_the_distribution_asked_for(leaves):
    """One large tree, and many trees' first leaves."""
    for depth, seeds in ((15, [5]), (16, [6]), (3, range(600))):
        trees = Censuses("dbf-tree", "dbf-truth", branching=2, depth=depth, leaves=leaves, **KINDS[leaves])
        scores = [trees(seed).leaves for seed in seeds]
        sample = to_first(scores[0] if len(scores) == 1 else np.array([s[0] for s in scores]), depth)
        if leaves == "binary":
            assert set(sample) == {1.0, -1.0}
            assert abs(z_score((sample == 1).sum(), len(sample), 0.4)) < 3.3
        elif leaves == "integers":
            assert chi_square_p(Counter(sample.astype(int).tolist()), dict.fromkeys(range(-3, 3), 1 / 6)) > 0.001
            assert (sample % 1 == 0).all()
        elif leaves == "uniform":
            assert kstest(sample, "uniform", (-2, 5)).pvalue > 0.001
        else:
            assert kstest(sample, "norm", (0.5, 2)).pvalue > 0.001


def test_each_first_move_has_its_own_distribution():
    game = {"leaves": "normal uniform binary", "mean": "0.3 0 0", "deviation": "2 9 9", "low": 1.0, "high": "9 1.5 9"}
    trees = Censuses("dbf-tree", "dbf-truth", branching=3, depth=8, p="0.5 0.5 0.2", **game)
    tree = trees(4)
    below = to_first(tree.leaves, 8).reshape(3, -1)
    assert kstest(below[0], "norm", (0.3, 2)).pvalue > 0.001
    assert kstest(below[1], "uniform", (1, 0.5)).pvalue > 0.001
    assert abs(z_score((below[2] == 1).sum(), below[2].size, 0.2)) < 3.3
    first = tree.column(2)
    assert first[0] == -1
    assert (first[tree.count == 0].reshape(3, -1) == [[0], [1], [2]]).all()
    assert (tree.opinion == tree.minimax).all()


# Theory.


def test_the_fair_threshold():
    for b in (1, 2, 3, 7, 1000):
        xi = brentq(lambda x, b=b: x**b + x - 1, 0, 1, xtol=1e-15)
        assert abs(fair(b) - xi) < 1e-14
    assert abs(fair(2) - (5**0.5 - 1) / 2) < 1e-15
    for depth, p in ((10, fair(3)), (11, 1 - fair(3))):  # the last move is the second's, or the first's
        assert (ludus.game("dbf-tree", branching=3, depth=depth, leaves="binary").place == p).all()


@pytest.mark.parametrize(
    ("branching", "depth", "p"),
    [(2, 1, "fair"), (2, 4, "fair"), (2, 9, "fair"), (3, 6, "fair"), (5, 4, "fair"), (2, 8, 0.5), (3, 5, 0.4)],
)
def test_the_share_of_wins_is_that_of_the_exact_recursion(branching, depth, p):
    """500 trees, each solved from its leaves."""
    trees = Censuses("dbf-tree", "dbf-truth", branching=branching, depth=depth, leaves="binary", p=p)
    wins = sum(trees(seed).minimax[0] == 1 for seed in range(500))
    chance = trees.game(0).place[0]
    exact = 1 - root_distribution(branching, depth, 1 - chance)  # the root is a loss if its value is at most that
    assert 0.02 < exact < 0.98
    if p == "fair":
        assert abs(exact - (chance if depth % 2 == 0 else 1 - chance)) < 1e-9  # it goes on and on alike
    assert abs(z_score(wins, 500, exact)) < 3.3


@pytest.mark.parametrize(("branching", "depth"), [(2, 3), (2, 8), (2, 9), (3, 5), (3, 6), (6, 4)])
def test_the_value_of_the_root_has_its_exact_distribution(branching, depth):
    """Uniform leaves, 300 trees solved from their leaves: the exact distribution function makes the values uniform."""
    trees = Censuses("dbf-tree", "dbf-truth", branching=branching, depth=depth, low=0.0)
    values = [trees(seed).minimax[0] for seed in range(300)]
    shares = [root_distribution(branching, depth, value) for value in values]
    assert kstest(shares, "uniform").pvalue > 0.001


@pytest.mark.parametrize("branching", [2, 3, 10])
def test_minimax_convergence_and_the_last_player(branching):
    """Pearl 1980, Nau 1982: with growing depth the value approaches xi_b if the first player moves last, else 1 - xi_b.

    The mean and the spread are those of the exact distribution; the spread shrinks, and the two limits stay apart.
    """
    xi = fair(branching)
    spreads: dict[int, list[float]] = {0: [], 1: []}
    for depth in (2, 3, 6, 7, 20, 21):
        exact = root_quantile(branching, depth, (np.arange(100_000) + 0.5) / 100_000)
        mean, deviation = exact.mean(), exact.std()
        assert abs(mean - (xi if depth % 2 else 1 - xi)) < 3 * deviation
        values = np.array(
            [truth(ludus.game("dbf-tree", branching=branching, depth=depth, low=0.0, seed=s)) for s in range(100)]
        )
        assert abs(values.mean() - mean) < 3.3 * deviation / 10
        assert 0.6 < values.std() / deviation < 1.5
        spreads[depth % 2].append(deviation)
    for parity in (0, 1):
        assert all(later < earlier / 1.5 for earlier, later in zip(spreads[parity], spreads[parity][1:], strict=False))


def test_the_limits_themselves():
    """A tree deep enough has one value, whatever its seed: the survey's examples, its misprint put right."""
    for seed in range(20):
        assert abs(truth(ludus.game("dbf-tree", depth=400, low=0.0, seed=seed)) - 0.381966) < 1e-6
        assert abs(truth(ludus.game("dbf-tree", depth=401, low=0.0, seed=seed)) - 0.618034) < 1e-6
        whole = {"leaves": "integers", "high": 100, "seed": seed}
        assert truth(ludus.game("dbf-tree", depth=400, low=0, **whole)) == 38
        assert truth(ludus.game("dbf-tree", depth=400, low=1, **whole)) == 39
        assert truth(ludus.game("dbf-tree", depth=401, low=0, **whole)) == 62
        for p, value in ((0.60, -1), (0.64, 1)):
            assert truth(ludus.game("dbf-tree", depth=400, leaves="binary", p=p, seed=seed)) == value


def test_the_static_evaluators():
    """Means and quantiles of F below each first move, against scipy's; and what the leaves themselves say."""
    xi = fair(4)
    parameters = {"leaves": "binary uniform integers normal", "p": 0.7, "low": -1, "high": 4, "mean": 0.5}
    means = np.array([0.4, 1.5, 1.5, 0.5])
    for depth, at in ((7, xi), (8, 1 - xi)):
        game = ludus.game("dbf-tree", branching=4, depth=depth, deviation=3.0, **parameters)
        quantiles = [1 if at > 0.3 else -1, -1 + 5 * at, -1 + np.floor(6 * at), 0.5 + 3 * norm.ppf(at)]
        position = game.position()
        assert abs(position.value("dbf-mean") - means.mean()) < 1e-12
        assert abs(position.value("dbf-quantile") - max(quantiles)) < 1e-12
        for move in range(4):
            after = position.play(move)
            assert abs(after.value("dbf-mean") + means[move]) < 1e-12
            assert abs(after.value("dbf-quantile") + quantiles[move]) < 1e-12
            assert abs(after.play(1).value("dbf-mean") - means[move]) < 1e-12
    trees = Censuses("dbf-tree", "dbf-truth", branching=4, depth=7, deviation=3.0, **parameters)
    observed = to_first(trees(3).leaves, 7).reshape(4, -1)
    errors = (observed.mean(axis=1) - means) / (observed.std(axis=1) / observed.shape[1] ** 0.5)
    assert abs(errors).max() < 3.5


# Golden values, parameters, states.


def test_golden_values():
    """A change of the generator changes every experiment: these must not move."""
    game = ludus.game("dbf-tree", branching=3, depth=4, seed=7)
    key, *rest = game.position().play(2).play(0).play(1).state
    assert key == 1002226256661494815
    assert np.allclose(rest, [3, 2, 0.022683024810247], rtol=0, atol=1e-12)
    values = [truth(ludus.game("dbf-tree", seed=seed)) for seed in range(4)]
    assert np.allclose(values, [-0.213247656318, -0.219510731991, -0.208266589832, -0.255844437405], rtol=0, atol=1e-11)


def test_ranks_of_first_moves_are_the_definition_s():
    game = ludus.game("dbf-tree", branching=3, seed=11)
    for move in range(3):
        assert game.after(game.start, move)[3] == unit(child_key(root_key(11), move), 0)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"branching": 0}, "branching must be from 1 to 1000"),
        ({"depth": 10_001}, "depth must be from 1 to 10000"),
        ({"seed": -1}, "seed must be 0 or above"),
        ({"leaves": "poisson"}, "leaves must be binary, uniform, integers, normal, or one of them for each first move"),
        ({"leaves": "binary uniform normal"}, "leaves must be given once, or 2 times with spaces between, not 3 times"),
        ({"p": 1.5}, "p must be from 0 to 1, or fair"),
        ({"p": "0.1 much"}, "p must be a number, or 2 numbers with spaces between, not '0.1 much'"),
        ({"p": "inf"}, "p must be finite"),
        ({"low": 2.0}, "low must not exceed high"),
        ({"deviation": -1}, "deviation must be 0 or above"),
        ({"leaves": "integers", "low": 0.5}, "low and high of integers must be whole numbers"),
    ],
)
def test_parameters_out_of_range(parameters, message):
    with pytest.raises(ludus.SpecError, match=message):
        ludus.game("dbf-tree", **parameters)


@pytest.mark.parametrize("text", ["1 17 0 0.5", "1 -1 0 0.5", "1 3 2 0.5", "1 3 -1 0.5", "1 0 0 0.5", "1 3 0 1.5"])
def test_states_that_no_game_comes_to(text):
    with pytest.raises(ludus.StateError, match="its numbers are out of range"):
        ludus.game("dbf-tree").read_state(text)
