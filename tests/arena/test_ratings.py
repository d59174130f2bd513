"""Ratings: against closed forms, and in simulated tournaments of known strengths."""

from __future__ import annotations

import time
from itertools import combinations

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize
from tournaments import Tables, World

from ludus.arena.likelihood import Likelihood
from ludus.arena.ratings import ELO, QUANTILE, fit

W, D, L = 0, 1, 2


def table(*cells: tuple[int, int, int]) -> np.ndarray:
    made = np.zeros((3, 3), int)
    for row, column, count in cells:
        made[row, column] = count
    return made


def round_robin(count: int, each: int) -> list[tuple[int, int]]:
    return [pair for pair in combinations(range(count), 2) for _ in range(each)]


# Closed forms.


def test_two_players_many_games():
    """75 % without draws or first-move advantage is 191 Elo."""
    found = fit(2, {(0, 1): table((W, W, 562), (W, L, 188), (L, W, 188), (L, L, 62))})
    assert found.elo[0] - found.elo[1] == pytest.approx(ELO * np.log(3), abs=1)
    assert found.elo.sum() == pytest.approx(0, abs=1e-9)
    assert abs(found.first_move.value) < 1
    assert found.expected(0, 1) == pytest.approx(0.75, abs=0.002)
    # The same with the standard error of a share: 1000 pairs of independent games.
    error = ELO / (2000 * 0.75 * 0.25) ** 0.5
    assert (found.high[0] - found.low[0]) == pytest.approx(QUANTILE * error, rel=0.05)  # half the difference, both ways


def test_the_first_move():
    """Whoever moves first always wins: all of it is the first move's, and the pair is even."""
    found = fit(2, {(0, 1): table((W, L, 100))})
    assert found.elo == pytest.approx([0, 0], abs=1e-6)
    assert found.first_move.value > 400
    assert found.first_move.low > 300
    assert found.superiority(0, 1) == pytest.approx(0.5)


def test_draws_only_are_equals_known_well():
    drawn = fit(2, {(0, 1): table((D, D, 100))})
    mixed = fit(2, {(0, 1): table((W, W, 25), (W, L, 25), (L, W, 25), (L, L, 25))})
    assert drawn.elo == pytest.approx([0, 0], abs=1e-6)
    assert drawn.high[0] - drawn.low[0] < 0.5 * (mixed.high[0] - mixed.low[0])


def test_dependent_pairs_count_less():
    """Both games of a pair go the same way: a thousand pairs tell no more than a thousand games."""
    alike = fit(2, {(0, 1): table((W, W, 500), (L, L, 500))})
    free = fit(2, {(0, 1): table((W, W, 250), (W, L, 250), (L, W, 250), (L, L, 250))})
    assert (alike.high[0] - alike.low[0]) / (free.high[0] - free.low[0]) == pytest.approx(2**0.5, rel=0.1)


def test_names_do_not_matter():
    random = np.random.default_rng(1)
    tables = {pair: random.integers(0, 4, (3, 3)) for pair in combinations(range(5), 2)}
    order = random.permutation(5)
    swapped: Tables = {}
    for (i, j), cells in tables.items():
        a, b = int(order[i]), int(order[j])
        # Seen by the other: rows are the games in which it moved first, and won is lost.
        swapped[min(a, b), max(a, b)] = cells if a < b else cells[::-1, ::-1].T
    one, other = fit(5, tables), fit(5, swapped)
    assert other.elo[order] == pytest.approx(one.elo, abs=1e-6)
    assert other.low[order] == pytest.approx(one.low, abs=0.1)
    assert other.first_move.value == pytest.approx(one.first_move.value, abs=1e-6)
    assert other.superiority(int(order[0]), int(order[1])) == pytest.approx(one.superiority(0, 1), abs=1e-6)


# Where the data say little or nothing.


@pytest.mark.parametrize("pairs", [1, 10, 1000])
def test_all_won_is_finite_and_open_to_one_side(pairs):
    found = fit(3, {(0, 1): table((W, W, pairs)), (1, 2): table((W, W, pairs))})
    assert np.isfinite([found.elo, found.low, found.high]).all()
    assert found.elo[0] > found.elo[1] > found.elo[2]
    assert found.high[0] - found.elo[0] > found.elo[0] - found.low[0]
    assert found.elo[2] - found.low[2] > found.high[2] - found.elo[2]
    assert found.superiority(0, 2) > 0.85


def test_no_games_and_disconnected_pairings():
    nothing = fit(4, {})
    assert nothing.elo == pytest.approx(np.zeros(4), abs=1e-9)
    assert (nothing.high - nothing.low > 1000).all()
    apart = fit(4, {(0, 1): table((W, W, 30), (L, L, 10)), (2, 3): table((W, L, 20), (D, D, 20))})
    assert np.isfinite([apart.elo, apart.low, apart.high]).all()
    assert apart.superiority(0, 1) > 0.99
    assert 0.2 < apart.superiority(0, 2) < 0.95  # never compared
    assert (apart.high - apart.low > 300).all()
    idle = fit(3, {(0, 1): table((W, L, 50))})
    # All are rated against the mean, of which the idle player is a third; the other two are equal all the same.
    assert idle.high[2] - idle.low[2] > 1.3 * (idle.high[0] - idle.low[0]) > 1000
    assert idle.superiority(0, 1) == pytest.approx(0.5)


def test_who_never_loses_a_pair_is_better_also_where_the_first_move_wins():
    """Always won with the first move, and often without: at the edge of the model, where a variance says nothing."""
    found = fit(2, {(0, 1): table((W, W, 60), (W, L, 140))})
    assert found.superiority(0, 1) > 0.9999
    other = fit(2, {(0, 1): table((L, L, 60), (W, L, 140))})
    assert other.superiority(1, 0) == pytest.approx(found.superiority(0, 1))
    even = fit(2, {(0, 1): table((W, W, 30), (L, L, 30), (W, L, 140))})
    assert even.superiority(0, 1) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_the_likelihood_of_a_tie_is_that_of_a_general_optimiser(seed):
    random = np.random.default_rng(seed)
    games = random.integers(0, 30, (4, 4)) * (1.0 - np.eye(4)) + 0.1
    likelihood = Likelihood(games, games * random.random((4, 4)))
    estimate, _ = likelihood.maximum()
    contrasts = np.array([[1.0, -1, 0, 0, 0], [0, 1, 0, -1, 0]])
    for contrast, deviance in zip(contrasts, likelihood.tied(estimate, contrasts), strict=True):
        free = scipy.linalg.null_space(contrast[None])
        best = scipy.optimize.minimize(lambda x, free=free: -likelihood.at(free @ x)[0], np.zeros(4), tol=1e-12)
        assert deviance == pytest.approx(2 * (likelihood.at(estimate)[0] + best.fun), abs=1e-5)
        assert deviance > 0


def test_wrong_input():
    for tables in ({(1, 0): table()}, {(0, 3): table()}, {(1, 1): table()}):
        with pytest.raises(ValueError, match="two players or more"):
            fit(3, tables)


def test_quick_enough_for_every_round():
    random = np.random.default_rng(0)
    tables: Tables = {}
    World().play(random, random.normal(0, 200, 60), round_robin(60, 3), tables)
    started = time.process_time()
    fit(60, tables)
    assert time.process_time() - started < 1


# Coverage: of 95 % intervals, in hundreds of tournaments.

REGIMES = {
    "plain": (World(0.0, 0.0), 150, 4),
    "draws": (World(0.2, 0.6), 150, 4),
    "first move": (World(1.5, 0.2), 150, 4),
    "openings favour a side": (World(0.3, 0.3, shift=1.5), 150, 4),
    "openings favour a player": (World(0.3, 0.3, favour=0.5), 100, 6),
    "equals": (World(0.2, 0.3), 0, 4),
    "few games": (World(0.2, 0.3), 150, 1),
    "far apart": (World(0.2, 0.3), 500, 6),
}


@pytest.mark.parametrize("name", REGIMES)
def test_intervals_hold_the_truth(name):
    """In 93 % and more, give or take three standard errors of the simulation; and they are not wider than they say.

    Here nobody chose the games by what they showed, so more of them hold than would have to.
    """
    world, spread, each = REGIMES[name]
    tournaments, count, held, widths = 100, 6, [], []
    for seed in range(tournaments):
        random = np.random.default_rng(seed)
        elo = random.normal(0, spread, count)
        tables: Tables = {}
        world.play(random, elo, round_robin(count, each), tables)
        found = fit(count, tables)
        truth = flattened(elo, world) - flattened(elo, world).mean()
        held.append(((found.low <= truth) & (truth <= found.high)).mean())
        widths.append((found.high - found.low) / (2 * ELO * np.diag(found.spread)[:-1] ** 0.5))
    error = np.std(held) / tournaments**0.5
    assert np.mean(held) >= 0.93 - 3 * error
    assert np.median(widths) <= 1.1 * QUANTILE


def flattened(elo: np.ndarray, world: World) -> np.ndarray:
    """What games can show: openings that favour somebody make differences look smaller (a logistic curve, blurred)."""
    return elo / (1 + (world.favour**2 + world.shift**2) / 1.7**2) ** 0.5


def test_superiority_means_what_it_says():
    """Of all statements that one of two is stronger, those of about 80 % hold in about 80 % of cases."""
    said, true = [], []
    for seed in range(300):
        random = np.random.default_rng(seed)
        elo = random.normal(0, 60, 4)
        tables: Tables = {}
        World().play(random, elo, round_robin(4, 8), tables)
        found = fit(4, tables)
        for i, j in combinations(range(4), 2):
            said.append(found.superiority(i, j))
            true.append(elo[i] > elo[j])
    said, true = np.array(said), np.array(true)
    for low, high in ((0.6, 0.75), (0.75, 0.9), (0.9, 0.99)):
        chosen = (said > low) & (said < high)
        assert chosen.sum() > 100
        error = (0.25 / chosen.sum()) ** 0.5
        assert abs(true[chosen].mean() - said[chosen].mean()) < 0.04 + 2 * error
