"""Ratings: against closed forms, and in simulated tournaments of known strengths."""

from __future__ import annotations

import time
from itertools import combinations

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.arena.stats.likelihood import Likelihood
from ludus.arena.stats.ratings import (
    ELO,
    LUCK,
    PRIOR_GAMES,
    SCALE,
    SHRINK_ALL,
    SHRINK_PAIRING,
    SHRINK_PLAYER,
    fit,
)
from tests.support.simulated_tournaments import Tables, World

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
    assert (found.high[0] - found.low[0]) == pytest.approx(
        found.quantile * error, rel=0.05
    )  # half the difference, both ways


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


def test_intervals_are_wide_enough_for_the_luckiest_of_equals():
    """Of so many normal deviates the largest is beyond the quantile in one of eighty cases."""
    for count in (2, 5, 12, 40):
        many = {(0, 1): table((W, W, 10**9), (L, L, 10**9))}
        beyond = scipy.stats.norm.sf(fit(count, many).quantile)
        assert 1 - (1 - beyond) ** count == pytest.approx(LUCK, rel=1e-3)


def test_at_its_top_the_prior_is_as_curved_as_a_normal_density():
    found = fit(4, {(0, 1): table((D, D, 1)), (1, 2): table((D, D, 1))})
    weight = found.posterior.at(np.zeros(5))[2]
    assert weight[-1, :-1] == pytest.approx([ELO**2 / SCALE**2] * 3 + [0])  # who has not played has no such prior


@pytest.mark.parametrize("seed", range(3))
def test_ratings_are_the_mode_that_a_general_optimiser_finds(seed):
    random, tables = np.random.default_rng(seed), {}
    World().play(random, random.normal(0, 300, 5), round_robin(5, 2), tables)
    points = np.full((5, 5), PRIOR_GAMES / 8) * (1 - np.eye(5))
    for (i, j), cells in tables.items():
        points[i, j] += (cells.sum(0) + cells.sum(1)) @ [1, 0.5, 0]
        points[j, i] += (cells.sum(0) + cells.sum(1)) @ [0, 0.5, 1]

    def unlikely(x: np.ndarray) -> float:
        apart = (x[:-1] - x[-1]) / (SCALE / ELO / 2**0.5)
        games = (points * np.logaddexp(0, -np.subtract.outer(x[:-1], x[:-1]))).sum()
        return games - scipy.stats.logistic.logpdf(apart).sum()

    best = scipy.optimize.minimize(unlikely, np.zeros(6), options={"gtol": 1e-9}).x[:-1] * ELO
    assert fit(5, tables).elo == pytest.approx(best - best.mean(), abs=0.05)


def test_the_first_move_among_unequals():
    """As much as it is, whoever meets whom; openings alike."""
    for elo in (np.zeros(6), np.linspace(-400, 400, 6)):
        tables: Tables = {}
        World(1.0, 0.3).play(np.random.default_rng(3), elo, round_robin(6, 150), tables)
        found = fit(6, tables).first_move
        assert found.value == pytest.approx(ELO, abs=20)
        assert found.low < ELO < found.high < found.low + 60


# The scatter of results, by definition.

UNEVEN: Tables = {
    (0, 1): table((W, W, 9), (D, D, 4), (L, W, 1)),
    (0, 2): table((W, L, 3), (D, L, 1)),
    (1, 2): table((L, L, 2), (W, W, 1)),
    (2, 3): table((D, D, 1)),
}
"""Pairings of many pairs and of one, with results that scatter much or little."""


def sandwich(tables: Tables, mode: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The dispersion of each pairing and the covariance of all ratings, pairing by pairing; the last is the centre."""
    count = len(mode) - 1
    p = 1 / (1 + np.exp(np.subtract.outer(mode, mode).T))
    games, prior = np.zeros((count, count)), np.full((count, count), PRIOR_GAMES / (count - 1))
    for (i, j), cells in tables.items():
        games[i, j] = games[j, i] = 2 * cells.sum()
    stretch = 2**0.5 * ELO / SCALE
    top = 1 / (1 + np.exp(-stretch * (mode[:-1] - mode[-1])))

    def network(per_game: np.ndarray) -> np.ndarray:
        """What is known of the differences, if a game of a pairing tells so many times what it would by itself."""
        found = np.zeros((count + 1, count + 1))
        edges = [(i, j, (games * per_game + prior)[i, j] * p[i, j] * p[j, i]) for i, j in combinations(range(count), 2)]
        edges += [(i, count, 2 * top[i] * (1 - top[i]) * stretch**2) for i in range(count)]
        for i, j, weight in edges:
            found[np.ix_([i, j], [i, j])] += weight * np.array([[1, -1], [-1, 1]])
        return found

    inverse = np.linalg.pinv(network(np.ones((count, count))))
    squares, due = {}, {}
    for (i, j), cells in tables.items():
        variance = 2 * p[i, j] * p[j, i]  # of the points in a pair of independent games without draws
        apart = np.eye(count + 1)[i] - np.eye(count + 1)[j]
        leverage = variance * apart @ inverse @ apart
        points = {(a, b): 2 - (a + b) / 2 for a in range(3) for b in range(3)}
        error = sum(int(cells[cell]) * (points[cell] - 2 * p[i, j]) ** 2 for cell in points)
        squares[i, j], due[i, j] = error / max(1 - leverage, 0.1), int(cells.sum()) * variance

    def shrunk(k: int | None, towards: float, weight: float) -> float:
        own = [pair for pair in tables if k is None or k in pair]
        share = {pair: SHRINK_PAIRING / (SHRINK_PAIRING + due[pair]) for pair in own}
        seen, expected = (sum(share[pair] * each[pair] for pair in own) for each in (squares, due))
        return (weight * towards + seen) / (weight + expected)

    of_all = shrunk(None, 1.0, SHRINK_ALL)
    of_player = [shrunk(k, of_all, SHRINK_PLAYER) for k in range(count)]
    scatter = np.maximum.outer(of_player, of_player)
    for i, j in tables:
        larger = scatter[i, j]
        scatter[i, j] = (SHRINK_PAIRING * larger + squares[i, j]) / (SHRINK_PAIRING + due[i, j])
        scatter[j, i] = scatter[i, j]
    return scatter, inverse @ network(scatter) @ inverse


def test_dispersion_is_the_scatter_of_the_points_of_a_pair_corrected_for_the_fit():
    found = fit(4, UNEVEN)
    scatter, covariance = sandwich(UNEVEN, found.mode)
    chance = np.array([[found.expected(i, j) for j in range(4)] for i in range(4)])
    apart = ~np.eye(4, dtype=bool)
    assert (2 * chance * chance.T / found.information / ELO**2)[apart] == pytest.approx(scatter[apart])
    assert scatter[0, 1] < 1.0 < scatter[1, 2]
    for i, j in combinations(range(4), 2):
        at = np.eye(5)[i] - np.eye(5)[j]
        assert at @ found.spread @ at == pytest.approx(at @ covariance @ at)


def test_the_centre_of_the_prior_is_where_the_players_are():
    """Midway between two; where five are equal and a sixth is ahead, nearer to the five."""
    won = fit(2, {(0, 1): table((W, W, 3))})
    assert won.mode == pytest.approx([*won.mode[:2], 0.0])
    assert won.mode[0] == pytest.approx(-won.mode[1])
    level = {(i, j): table((D, D, 50)) for i, j in combinations(range(1, 6), 2)}
    ahead = fit(6, level | {(0, j): table((W, W, 3)) for j in range(1, 6)})
    centre = ahead.mode[-1] - ahead.mode[1:-1].mean()
    assert 0 < centre < 0.4 * (ahead.mode[0] - ahead.mode[1:-1].mean())  # among the five, not midway


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


def stretched(random: np.random.Generator) -> np.ndarray:
    half = random.uniform(0.3, 3, (4, 4))
    return half + half.T


@pytest.mark.parametrize("seed", range(5))
def test_the_likelihood_of_a_tie_is_that_of_a_general_optimiser(seed):
    random = np.random.default_rng(seed)
    points = random.integers(0, 30, (4, 4)) * (1.0 - np.eye(4)) + 0.1
    likelihood = Likelihood(points + points.T, points, stretched(random))
    estimate, _ = likelihood.maximum()
    contrasts = np.array([[1.0, -1, 0, 0], [0, 1, 0, -1]])
    for contrast, deviance in zip(contrasts, likelihood.tied(estimate, contrasts), strict=True):
        free = scipy.linalg.null_space(contrast[None])
        best = scipy.optimize.minimize(lambda x, free=free: -likelihood.at(free @ x)[0], np.zeros(3), tol=1e-12)
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


# One posterior: ratings, intervals and the likelihood of superiority do not contradict each other.


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[int, Tables]:
    """Few players and few pairs, or very many of one kind: one-sided results, players who never met."""
    count = draw(st.integers(2, 6))
    cell = st.one_of(st.just(0), st.integers(0, 3), st.sampled_from([20, 300]))
    tables: Tables = {}
    for pairing in combinations(range(count), 2):
        cells = draw(st.lists(cell, min_size=9, max_size=9))
        if any(cells):
            tables[pairing] = np.array(cells).reshape(3, 3)
    return count, tables


@pytest.mark.slow
@given(tournaments())
@settings(max_examples=150, deadline=None)
def test_everything_is_read_off_one_posterior(played):
    count, tables = played
    found = fit(count, tables)
    assert np.isfinite([found.elo, found.low, found.high]).all()
    assert ((found.low < found.elo) & (found.elo < found.high)).all()
    for i, j in combinations(range(count), 2):
        likely = found.superiority(i, j)
        assert likely == pytest.approx(1 - found.superiority(j, i))
        if abs(found.elo[i] - found.elo[j]) > 1e-3:
            assert (likely > 0.5) == (found.elo[i] > found.elo[j])


@pytest.mark.slow
@given(tournaments(), st.data())
@settings(max_examples=300, deadline=None)
def test_more_points_against_the_same_opponents_never_mean_a_lower_rating(played, data):
    count, tables = played
    worse = [(pairing, cell) for pairing, table in tables.items() for cell in np.argwhere(table) if cell.min() < 2]
    if not worse:
        return
    pairing, cell = data.draw(st.sampled_from(worse))
    games = [k for k in (0, 1) if cell[k] < 2]
    after = cell.copy()
    after[data.draw(st.sampled_from(games))] += data.draw(st.integers(1, 2)) if cell[games].max() == 0 else 1
    changed = {key: table.copy() for key, table in tables.items()}
    how_often = data.draw(st.integers(1, int(tables[pairing][tuple(cell)])))
    changed[pairing][tuple(cell)] -= how_often
    changed[pairing][tuple(np.minimum(after, 2))] += how_often
    before, now = fit(count, tables).elo, fit(count, changed).elo
    one, other = pairing  # the points went from `one` to `other`
    assert now[other] >= before[other] - 1e-6
    assert now[one] <= before[one] + 1e-6


@pytest.mark.parametrize("pairs", [1, 2, 7, 40])
@pytest.mark.parametrize("count", [3, 6, 12])
def test_who_loses_everything_is_last_and_who_wins_everything_first(count, pairs):
    """The others are anywhere between equal and 600 Elo apart; one has met all of them, and lost or won each game."""
    for seed, spread in enumerate([0, 50, 200]):
        random = np.random.default_rng(seed)
        tables: Tables = {}
        World().play(random, random.normal(0, spread, count), round_robin(count, 4), tables)
        for result, sign in ((L, -1), (W, 1)):
            lopsided = tables | {(0, j): table((result, result, pairs)) for j in range(1, count)}
            found = fit(count, lopsided)
            order = np.argsort(-sign * found.elo)
            assert order[0] == 0
            assert found.superiority(*[0, order[1]][::sign]) > 0.5
            plain = bradley_terry(count, lopsided)
            if pairs >= 7:  # a draw of one of its games would say about the same
                assert sign * (found.elo[0] - np.median(found.elo)) > 0.5 * sign * (plain[0] - np.median(plain))


def bradley_terry(count: int, tables: Tables) -> np.ndarray:
    """A plain fit by a general optimiser, with one drawn game of everyone with a player of rating 0."""
    points = np.zeros((count, count))
    for (i, j), cells in tables.items():
        points[i, j] = (cells.sum(0) + cells.sum(1)) @ [1, 0.5, 0]
        points[j, i] = 2 * cells.sum() - points[i, j]

    def unlikely(rating: np.ndarray) -> float:
        games = (points * np.logaddexp(0, -np.subtract.outer(rating, rating))).sum()
        return games + (np.logaddexp(0, rating) - rating / 2).sum()

    found = scipy.optimize.minimize(unlikely, np.zeros(count)).x * ELO
    return found - found.mean()


def test_the_end_of_a_table():
    """As in a ranking of Connect Four: `random` lost all of its 28 games; others lost most of theirs to the same."""
    tables = {(i, j): table((W, L, 3), (W, W, 1), (L, L, 1), (D, D, 2)) for i, j in combinations(range(6), 2)}
    for j in range(6):
        tables[j, 6] = table((W, W, 2), (W, L, 2))
        tables[j, 7] = table((W, W, 2), (W, L, 1))
        tables[j, 8] = table((W, W, 2))
    tables[6, 8], tables[7, 8] = table((W, W, 1)), table((W, W, 1))
    found, plain = fit(9, tables), bradley_terry(9, tables)
    assert found.elo[8] < min(found.elo[6], found.elo[7]) - 150
    assert found.elo[8] == pytest.approx(plain[8], abs=100)
    assert found.superiority(6, 8) > 0.9


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
    "far apart, few games": (World(0.2, 0.3), 400, 1),
}


@pytest.mark.parametrize("name", REGIMES)
def test_intervals_hold_the_truth(name):
    """In 93 % and more, give or take three standard errors of the simulation; and they are not much wider than that.

    Here nobody chose the games by what they showed, so more of them hold than would have to.
    """
    world, spread, each = REGIMES[name]
    tournaments, count, held, widths, errors = 100, 6, [], [], []
    for seed in range(tournaments):
        random = np.random.default_rng(seed)
        elo = random.normal(0, spread, count)
        tables: Tables = {}
        world.play(random, elo, round_robin(count, each), tables)
        found = fit(count, tables)
        truth = world.ratings(elo)
        held.append(((found.low <= truth) & (truth <= found.high)).mean())
        widths.append((found.high - found.low) / 2)
        errors.append(found.elo - truth)
    error = np.std(held) / tournaments**0.5
    assert np.mean(held) >= 0.93 - 3 * error
    assert np.median(widths) <= 1.3 * found.quantile * np.std(errors)


@pytest.mark.slow
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
