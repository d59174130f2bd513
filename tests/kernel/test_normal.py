"""The normal distribution against scipy's."""

from __future__ import annotations

import numpy as np
from scipy.special import erfcx, log_ndtr
from scipy.stats import norm

from ludus.kernel.normal import normal_quantile
from ludus.kernel.normal_tail import FAR, LEAST, LOG_STEPS, MOST, STEPS, log_tail, normal_tail


def test_quantiles_are_scipy_s():
    shares = np.concatenate(
        [np.linspace(1e-4, 1 - 1e-4, 20_001), 10.0 ** -np.arange(1, 16), 1 - 0.1 ** np.arange(1, 15)]
    )
    found, expected = np.array([normal_quantile(u) for u in shares]), norm.ppf(shares)
    assert (np.abs(found - expected) <= 1e-14 * np.abs(expected) + 1e-16).all()


def test_they_rise_and_stay_finite():
    edges = [0.0, 2.0**-60, 2.0**-53, 0.07499, 0.075, 0.0751, 0.5, 0.92499, 0.925, 0.9251, 1 - 2.0**-53, 1.0]
    found = [normal_quantile(u) for u in edges]
    assert found == sorted(found)
    assert found[0] == -found[-1]
    assert abs(found[0] / norm.ppf(2.0**-54) - 1) < 1e-14
    assert normal_quantile(0.5) == 0


def test_tails_are_scipy_s_far_out_too():
    """How likely a normal variable is to be above x, and its mean above it, are the density times Mills' ratio m and
    times 1 - x m."""
    points = np.concatenate([np.linspace(0, FAR, 40_001), (np.arange(FAR * STEPS) + 0.5) / STEPS])
    found = np.array([normal_tail(x) for x in points])
    mills = np.sqrt(np.pi / 2) * erfcx(points / np.sqrt(2))
    expected = norm.pdf(points)[:, None] * np.stack([mills, 1 - points * mills], axis=1)
    assert (np.abs(found / expected - 1) < 1e-13).all()


def test_logarithms_of_tails_are_scipy_s():
    middles = LEAST + (np.arange((MOST - LEAST) * LOG_STEPS) + 0.5) / LOG_STEPS
    points = np.concatenate([np.linspace(LEAST - 3, MOST, 40_001), middles])
    found = np.array([log_tail(x) for x in points])
    mills = np.sqrt(np.pi / 2) * erfcx(points / np.sqrt(2))
    assert (np.abs(found[:, 0] - log_ndtr(-points)) < 1e-12).all()
    assert (np.abs(found[:, 1] - np.log(1 / mills - points)) < 1e-12).all()


def test_far_out_logarithms_of_tails_are_nearly_scipy_s():
    points = np.linspace(MOST, 1000, 1001)[1:]
    found = np.array([log_tail(x) for x in points])
    assert (np.abs(found[:, 0] - log_ndtr(-points)) < 2 / points**2).all()
    assert (np.abs(found[:, 1] + np.log(points)) == 0).all()
    assert log_tail(np.inf) == (-np.inf, -np.inf)
    assert log_tail(-np.inf) == (0, np.inf)
