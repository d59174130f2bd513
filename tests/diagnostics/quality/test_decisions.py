"""Which choices look equal: those whose values differ by rounding alone."""

import numpy as np
import pytest

from ludus.diagnostics.quality.decisions import (
    AMONG_BEST,
    LOOK,
    ON_BEST,
    ON_FIRST,
    ON_LAST,
    ON_RANDOM,
    ON_WORST,
    SAME,
    choose,
)


def chosen(*choices):
    """What is known after these choices, (value, exact value) each."""
    look = np.zeros(LOOK)
    for value, exact in choices:
        choose(look, value, exact)
    return look


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e6])
@pytest.mark.parametrize("step", [-0.9, 0.0, 0.9])
def test_values_that_differ_by_rounding_are_equal(size, step):
    """By the smallest part of the larger one, or of 1 if they are less."""
    margin = SAME * max(1.0, size)
    look = chosen((size, 3.0), (size + step * margin, 5.0))
    assert look[ON_RANDOM] == 2
    assert look[[ON_FIRST, ON_LAST, ON_BEST, ON_WORST, AMONG_BEST]].tolist() == [3.0, 5.0, 5.0, 3.0, 1.0]


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e6])
def test_values_that_differ_by_more_are_not(size):
    margin = SAME * max(1.0, size)
    better, worse = chosen((size, 3.0), (size + 1.1 * margin, 5.0)), chosen((size, 3.0), (size - 1.1 * margin, 5.0))
    assert better[[ON_RANDOM, ON_FIRST, ON_WORST]].tolist() == [1.0, 5.0, 5.0]
    assert worse[[ON_RANDOM, ON_LAST, ON_BEST]].tolist() == [1.0, 3.0, 3.0]


def test_equals_among_equals():
    look = chosen((1.0, 2.0), (1.0, 4.0), (1.0, 4.0), (0.0, 9.0))
    assert look[[ON_RANDOM, AMONG_BEST, ON_BEST, ON_LAST]].tolist() == [3.0, 2.0, 4.0, 4.0]
