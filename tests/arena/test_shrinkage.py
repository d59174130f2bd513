"""Ratings that allow for luck."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from ludus.arena.shrinkage import FREEDOM, NARROWEST, shrink


def measured(count: int, error: float) -> np.ndarray:
    """The covariance of ratings with a mean of 0 that were measured equally well."""
    return error**2 * (np.eye(count) - 1 / count)


def everybody(count: int) -> np.ndarray:
    return np.ones(count, bool)


def test_the_mode_is_that_of_a_general_optimiser():
    elo, error = np.array([60.0, 40.0, -10.0, -20.0, -30.0, -40.0]), 15.0
    found, _ = shrink(elo, measured(6, error), everybody(6))
    scale = (np.median(np.abs(elo - np.median(elo))) / 0.6745 * (1 + 4 / 5)) ** 2
    assert scale > NARROWEST**2

    def unlikely(x: np.ndarray) -> float:
        rating, centre = x[:-1], x[-1]
        games = ((rating - rating.mean() - elo) ** 2).sum() / (2 * error**2)
        return games + (FREEDOM + 1) / 2 * np.log1p((rating - centre) ** 2 / (FREEDOM * scale)).sum()

    best = minimize(unlikely, np.append(elo, 0.0), method="BFGS", options={"gtol": 1e-9}).x
    assert found == pytest.approx(best[:-1] - best[:-1].mean(), abs=0.05)


def test_equals_are_drawn_together_and_one_who_stands_apart_is_not():
    elo = np.array([200.0, 8.0, -12.0, 10.0, -9.0, 3.0, -7.0, -3.0])
    elo -= elo.mean()
    found, covariance = shrink(elo, measured(8, 20.0), everybody(8))
    assert found.mean() == pytest.approx(0, abs=1e-9)
    assert np.ptp(found[1:]) < 0.8 * np.ptp(elo[1:])
    assert found[0] - found[1:].mean() == pytest.approx(200, abs=12)
    assert np.trace(covariance) < np.trace(measured(8, 20.0))
    assert covariance.sum(0) == pytest.approx(np.zeros(8), abs=1e-6)
    assert (np.argsort(found) == np.argsort(elo)).all()


def test_what_is_known_well_stays():
    elo = np.array([100.0, 20.0, -120.0])
    found, covariance = shrink(elo, measured(3, 0.5), everybody(3))
    assert found == pytest.approx(elo, abs=0.1)
    assert covariance == pytest.approx(measured(3, 0.5), abs=0.01)


def test_where_nothing_is_known_nothing_is_claimed():
    found, covariance = shrink(np.zeros(4), measured(4, 500.0), everybody(4))
    assert found == pytest.approx(np.zeros(4), abs=1e-9)
    assert np.sqrt(np.diag(covariance)).min() > 350


def test_who_has_not_played_has_no_prior():
    covariance = measured(3, 400.0)
    elo = np.array([50.0, -50.0, 0.0])
    one = np.array([True, False, False])
    assert shrink(elo, covariance, one)[0] is elo
    two = np.array([True, True, False])
    assert shrink(elo, covariance, two)[1][2, 2] > 0.8 * covariance[2, 2]


def test_names_do_not_matter():
    random = np.random.default_rng(4)
    elo, half = random.normal(0, 50, 6), random.normal(0, 10, (6, 12))
    elo -= elo.mean()
    covariance = (half - half.mean(0)) @ (half - half.mean(0)).T
    order = random.permutation(6)
    found, spread = shrink(elo, covariance, everybody(6))
    other, other_spread = shrink(elo[order], covariance[np.ix_(order, order)], everybody(6))
    assert other == pytest.approx(found[order], abs=1e-4)
    assert other_spread == pytest.approx(spread[np.ix_(order, order)], rel=1e-3, abs=1e-3)
