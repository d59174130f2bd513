"""A calibration is fitted to most games, and judged by the others: neither part has a say in the other's business."""

from dataclasses import replace

import numpy as np
import pytest

import ludus
from ludus.learning.model import Model
from ludus.learning.sampling import Sample
from ludus.model.calibration import Calibration, win_probability

POSITIONS = 800
EVALUATOR = ludus.evaluator("random")


def invented():
    """Positions with numbers at random, four of a game, and their values 1 to 4 plies deep."""
    random = np.random.default_rng(5)
    static = random.uniform(-5, 5, POSITIONS)
    static[0] = 10.0  # the largest, of a game that is fitted to
    sample = Sample(
        game=np.arange(POSITIONS) // 4,
        static=static,
        backed=static + random.normal(0.3, 1.0, POSITIONS),
        phase=random.random(POSITIONS),
        before=random.integers(1, 9, POSITIONS).astype(float),
        earlier=random.integers(1, 9, POSITIONS).astype(float),
        result=(random.random(POSITIONS) < 1 / (1 + np.exp(-static))) * 1.0,
        by_opinion=random.random(POSITIONS) < 0.8,
        games=POSITIONS // 4,
        drawn=[],
    )
    return sample, {depth: static + random.normal(0.1 * depth, 1.0, POSITIONS) for depth in (1, 2, 3, 4)}


def altered(sample, deep, where):
    """The same with other numbers for these positions."""

    def changed(column, other):
        return np.where(where, other, column)

    columns = {
        name: changed(getattr(sample, name), -0.4 * getattr(sample, name) + 1.0) for name in ("static", "backed")
    }
    columns |= {name: changed(getattr(sample, name), getattr(sample, name) + 3) for name in ("before", "earlier")}
    columns |= {name: changed(getattr(sample, name), 1 - getattr(sample, name)) for name in ("phase", "result")}
    return replace(sample, **columns), {depth: changed(values, 2.0 - values) for depth, values in deep.items()}


@pytest.mark.parametrize("field", Calibration._fields)
def test_what_is_held_out_has_no_part_in_the_fit(field):
    sample, deep = invented()
    held = sample.held_out
    assert 0.2 < held.mean() < 0.3
    fitted, unseen, seen = (
        getattr(Model(*numbers, EVALUATOR).calibration, field)
        for numbers in ((sample, deep), altered(sample, deep, held), altered(sample, deep, ~held))
    )
    assert np.array_equal(fitted, unseen)
    assert not np.array_equal(fitted, seen)


def test_the_fit_is_judged_by_what_is_held_out():
    sample, deep = invented()
    model = Model(sample, deep, EVALUATOR)
    curve, judged = model.calibration, sample.held_out & sample.by_opinion
    missed = [
        win_probability(curve, value) - result
        for value, result in zip(sample.static[judged], sample.result[judged], strict=True)
    ]
    facts = model.facts
    assert facts["win"]["brier"] == pytest.approx(np.mean(np.square(missed)))
    assert facts["win"]["held_out"] == judged.sum()
    assert facts["coverage"]["held"] == pytest.approx(model.inside[sample.held_out].mean())
    assert facts["coverage"]["held"] != pytest.approx(model.inside.mean())
