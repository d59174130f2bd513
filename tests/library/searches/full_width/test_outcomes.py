"""Star1 and Star2 where an average is exactly as good as an end of the window."""

from types import SimpleNamespace

import numpy as np
import pytest

from ludus.library.searches.full_width.outcomes import missing, outcome_window, take_outcome

EVALUATOR = SimpleNamespace(lowest=-4.0, highest=4.0)


def dice(alpha, beta, backed, probing=0):
    """A tree in which chance decides at node 0 between 1 and 2, equally likely; 1 has just been valued."""
    return SimpleNamespace(
        first=[1],
        count=[2],
        share=[0.0, 0.5, 0.5],
        least=[0.0, -4.0, -4.0],
        settled=[0, 0, 0],
        probing=[probing],
        total=[0.0],
        alpha=[alpha, -9.0],
        beta=[beta, 9.0],
        floor=[alpha, -9.0],
        backed=[np.nan, backed],
    )


@pytest.mark.parametrize(
    ("alpha", "beta", "value"),
    [
        (-9.0, -1.0, -1.0),  # 2 / 2 + -4 / 2 is no less than beta
        (-9.0, -0.9, None),
        (3.0, 9.0, 3.0),  # 2 / 2 + 4 / 2 is no more than alpha
        (2.9, 9.0, None),
    ],
)
def test_an_average_that_cannot_come_back_into_the_window_ends_the_search(alpha, beta, value):
    tree = dice(alpha, beta, 2.0)
    take_outcome(EVALUATOR, tree, 0, 1)
    assert tree.total[0] == 1.0
    if value is None:
        assert (tree.alpha[0], tree.backed[0]) == (alpha, 1.0)
    else:
        assert (tree.alpha[0], tree.backed[0]) == (beta, value)


@pytest.mark.parametrize(("beta", "cut"), [(-1.0, True), (-0.9, False)])
def test_so_does_a_probe(beta, cut):
    tree = dice(-9.0, beta, 2.0, probing=1)
    take_outcome(EVALUATOR, tree, 0, 1)
    assert tree.least == [0.0, 2.0, -4.0]
    assert (tree.alpha[0] == beta) is cut


@pytest.mark.parametrize(("floor", "beta", "settled"), [(2.0, 9.0, 0), (-9.0, 2.0, 0), (1.9, 2.1, 1)])
def test_a_probe_settles_what_is_inside_its_window_alone(floor, beta, settled):
    tree = dice(-9.0, 9.0, 2.0, probing=1)
    tree.floor[1], tree.beta[1] = floor, beta
    take_outcome(EVALUATOR, tree, 0, 1)
    assert tree.settled[1] == settled


def test_the_window_of_an_outcome_is_where_its_value_matters():
    """At -3 or below the average is at most 1/2, whatever the other one brings; at 5 or above it is at least 1/2."""
    tree = dice(0.5, 0.5, np.nan)
    assert missing(EVALUATOR, tree, 0, 1) == (-2.0, 2.0)
    assert outcome_window(EVALUATOR, tree, 0, 1) == pytest.approx((-3.0, 5.0))
