"""What is told of decision quality, from counts that are made up."""

import numpy as np
import pytest

from ludus.diagnostics.quality.decisions import COUNTS, DECISIONS, POSSIBLE, Convention
from ludus.diagnostics.quality.quality_report import Judged, Quality, Walked


def walked(possible, errors):
    """A tree of one ply, with as many errors under each tie rule."""
    counted = np.zeros((1, COUNTS))
    counted[0, DECISIONS], counted[0, POSSIBLE] = 20, possible
    return Walked(counted, np.full((1, 1, 5), float(errors)), "exhausted")


def told(*trees):
    judged = Judged("mine", [walked(*tree) for tree in trees])
    return Quality("a game", 0, Convention(), 0, 3, ["?"] * len(trees), [judged]).to_dict()["evaluators"][0]


def test_mean_accuracy_is_the_mean_over_trees_in_which_errors_are_possible():
    """Half of 10 and none of 2; the share counts all errors alike, the accuracy all trees."""
    row = told((10, 5), (2, 0), (0, 0))
    assert row["accuracy"] == pytest.approx(0.75)
    assert row["share"] == pytest.approx(5 / 12)


def test_where_no_error_is_possible_there_is_no_accuracy():
    row = told((0, 0))
    assert row["accuracy"] is row["share"] is None
