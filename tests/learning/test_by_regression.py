"""The R² of held-out positions is that of a fit which has not seen them."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_array

from ludus.learning.by_regression import _fitted
from ludus.learning.examples import Examples

MANY, COLUMNS = 60, 12


def asked(**changes):
    """As much of a lesson as the fit asks; what is told of it is the fit itself."""
    names = [*(f"feature {i}" for i in range(COLUMNS - 1)), "constant"]
    common = {"order": 0, "stages": 1, "features": names, "names": names, "only": (), "select": False}
    found = SimpleNamespace(**common | changes)
    found.progress = lambda done, words: None
    found.told = lambda weights, fit, positions, games, shown: (weights, fit)
    return found


def examples():
    """Many features of which one counts, and few positions: the others fit the noise."""
    random = np.random.default_rng(2)
    x = np.column_stack([random.normal(size=(MANY, COLUMNS - 1)), np.ones(MANY)])
    target = x[:, 0] + random.normal(size=MANY)
    return x, target, Examples(csr_array(x), np.zeros(MANY), np.zeros((MANY, 4)), np.arange(MANY))


def test_held_out_positions_have_no_part_in_the_fit_that_they_judge():
    x, target, given = examples()
    fit = _fitted(asked(), 0, given, target)[1]
    held = np.arange(MANY) % 4 == 3
    weights = np.linalg.lstsq(x[~held], target[~held], rcond=None)[0]
    rest, spread = target[held] - x[held] @ weights, target[held] - target[held].mean()
    assert fit["held_out_r2"] == pytest.approx(1 - (rest @ rest) / (spread @ spread))
    assert fit["held_out_r2"] < fit["r2"]


def test_all_positions_have_a_part_in_the_fit_that_is_kept():
    x, target, given = examples()
    weights = _fitted(asked(), 0, given, target)[0]
    assert weights.weights == pytest.approx(np.linalg.lstsq(x, target, rcond=None)[0])


def test_features_that_do_not_count_get_no_weight():
    _, target, given = examples()
    weights = _fitted(asked(only=("feature 0",)), 0, given, target)[0]
    assert np.flatnonzero(weights.weights).tolist() == [0, COLUMNS - 1]
