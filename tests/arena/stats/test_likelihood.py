"""The posterior of ratings on networks small enough to be worked out by hand."""

import numpy as np
import pytest

from ludus.arena.stats.likelihood import Likelihood, laplacian

GAMES = np.array([[0.0, 8.0, 0.0], [8.0, 0.0, 4.0], [0.0, 4.0, 0.0]])
POINTS = np.array([[0.0, 6.0, 0.0], [2.0, 0.0, 2.0], [0.0, 2.0, 0.0]])
STRETCH = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 0.5], [1.0, 0.5, 1.0]])
"""Node 0 has 6 of 8 points against node 1, which is level with node 2."""


def test_a_laplacian_has_the_weights_that_meet_in_a_node():
    weight = np.array([[0.0, 2.0, 0.0], [2.0, 0.0, 5.0], [0.0, 5.0, 0.0]])
    assert laplacian(weight).tolist() == [[2, -2, 0], [-2, 7, -5], [0, -5, 5]]


def test_at_the_mode_all_points_are_as_expected_and_the_mean_is_0():
    mode, inverse = Likelihood(GAMES, POINTS, STRETCH).maximum()
    ahead = np.log(3)  # the odds of 6 to 2
    assert mode == pytest.approx([ahead * 2 / 3, -ahead / 3, -ahead / 3], abs=1e-6)
    # Of two edges in a row: 8 games with odds of 3 to 1, and 4 even ones that say half as much of the difference.
    weights = 8 * 3 / 16, 4 / 4 * 0.25
    assert inverse == pytest.approx(np.linalg.pinv(laplacian(np.diag(weights, 1) + np.diag(weights, -1))), abs=1e-6)
    assert inverse.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)


def test_a_stretched_edge_needs_a_larger_difference():
    points = np.array([[0.0, 6.0], [2.0, 0.0]])
    apart = [
        np.ptp(Likelihood(8.0 * (1 - np.eye(2)), points, np.full((2, 2), stretch)).maximum()[0])
        for stretch in (1.0, 0.5)
    ]
    assert apart == pytest.approx([np.log(3), 2 * np.log(3)])


def test_the_deviance_of_a_tie_is_that_of_its_likelihood():
    found = Likelihood(GAMES, POINTS, STRETCH)
    mode = found.maximum()[0]
    tied = found.tied(mode, np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]]))
    even = 2 * (6 * np.log(0.75) + 2 * np.log(0.25) - 8 * np.log(0.5))
    assert tied == pytest.approx([even, 0.0], abs=1e-6)
