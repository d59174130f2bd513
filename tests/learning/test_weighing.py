"""How well a fit is said to do, against definitions: adjusted R², and losses on games that were held out."""

import numpy as np
import pytest
import scipy.optimize
from scipy.sparse import csr_array

from ludus.learning.weighing import FOLDS, least_squares, logistic

GAMES, PER_GAME = 24, 10


def log_loss(logit, results):
    return float((np.logaddexp(0.0, logit) - results * logit).sum())


def test_adjusted_r2_counts_all_columns_and_the_mean():
    """The share of the variance that is left, each sum of squares divided by its degrees of freedom."""
    random = np.random.default_rng(3)
    x = np.column_stack([np.ones(20), random.normal(size=(20, 4))])
    target = x @ [1.0, 2.0, 0.0, 0.0, 0.0] + random.normal(size=20)
    rest = np.linalg.lstsq(x, target, rcond=None)[1].item()
    found = least_squares(csr_array(x), target).fit
    assert found["r2"] == pytest.approx(1 - rest / np.sum((target - target.mean()) ** 2))
    assert found["adjusted_r2"] == pytest.approx(1 - (rest / (20 - 5)) / np.var(target, ddof=1))


def noise(seed):
    """Games with a result each, and four numbers each that have nothing to do with it; and a fifth that has."""
    random = np.random.default_rng(seed)
    games = np.repeat(np.arange(GAMES), PER_GAME)
    results = random.integers(0, 2, GAMES)[games] * 1.0
    told = results + random.normal(scale=0.8, size=len(games))
    return np.column_stack([random.normal(size=(GAMES, 4))[games], told - 0.5]), results, games


def weights_by_definition(x, results, strength):
    """The least sum of half the squared weights and the losses, these times the strength; features of unit size."""

    def cost(weights):
        return weights @ weights / 2 + strength * log_loss(x @ weights, results)

    return scipy.optimize.minimize(cost, np.zeros(x.shape[1]), options={"gtol": 1e-7}).x


def test_the_held_out_loss_is_that_of_games_the_fit_has_not_seen():
    x, results, games = noise(1)
    found = logistic(csr_array(x), results, games)
    unit, expected = x / np.sqrt((x**2).mean(axis=0)), 0.0
    for k in range(FOLDS):
        held = games % FOLDS == k
        weights = weights_by_definition(unit[~held], results[~held], found.fit["shrinkage"])
        expected += log_loss(unit[held] @ weights, results[held])
    assert found.fit["held_out_log_loss"] == pytest.approx(expected / len(results), rel=1e-4)
    assert found.fit["held_out_log_loss"] > 1.05 * found.fit["log_loss"]


def test_columns_are_chosen_by_games_that_were_held_out():
    """What is the same in a whole game tells its result to whoever has seen a part of it, and nobody else."""
    chosen = [logistic(csr_array(x), results, games, select=True) for x, results, games in map(noise, range(6))]
    assert all(found.weights[4] > 0 for found in chosen)
    assert sum(found.fit["chosen"] - 1 for found in chosen) <= 4  # of 24
