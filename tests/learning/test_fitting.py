"""What is fitted, against distributions that are known."""

import numpy as np
import pytest

from ludus.learning import fitting
from ludus.model.calibration import CLASSES, COUNT, EDGES, LEVEL, MEAN, MEDIAN, NO_CUTS, SD, Calibration, class_of


@pytest.fixture
def random():
    return np.random.default_rng(7)


class TestFeatures:
    @pytest.mark.parametrize("kind", ["continuous", "few", "two", "one", "none"])
    def test_classes_are_those_of_the_reader(self, random, kind):
        kinds = {"continuous": random.normal(size=999), "few": random.integers(0, 6, 999) * 1.0, "one": np.full(9, 2.5)}
        kinds |= {"two": np.array([1.0] * 90 + [2.0] * 10), "none": np.zeros(0)}
        numbers = kinds[kind]
        row = fitting.feature_row(numbers)
        features = NO_CUTS.copy()
        features[1] = row
        classes = fitting.class_numbers(row, numbers)
        assert classes.tolist() == [class_of(Calibration(features), 1, number) for number in numbers]
        assert (np.diff(row[:EDGES][np.isfinite(row[:EDGES])]) > 0).all()
        assert set(classes) == set(range(int(np.isfinite(row[:EDGES]).sum()) + 1)) or not len(numbers)
        assert not len(numbers) or row[MEDIAN] in numbers

    def test_continuous_numbers_make_classes_of_like_size(self, random):
        numbers = random.normal(size=1000)
        counts = np.bincount(fitting.class_numbers(fitting.feature_row(numbers), numbers))
        assert len(counts) == CLASSES
        assert (abs(counts - 250) <= 1).all()


class TestErrors:
    def test_full_buckets_have_their_own_numbers_and_empty_ones_those_of_all(self, random):
        rows = np.repeat([3, 200], 20_000)
        errors = np.where(rows == 3, random.normal(1.0, 2.0, 40_000), random.normal(-5.0, 0.5, 40_000))
        table = fitting.bucket_rows(rows, errors, 1e-6)
        assert table[3] == pytest.approx([1.0, 2.0, 20_000], abs=0.06)
        assert table[200] == pytest.approx([-5.0, 0.5, 20_000], abs=0.06)
        assert table[0] == pytest.approx([errors.mean(), errors.std(), 0])

    def test_a_thin_bucket_lies_between(self):
        rows = np.array([0] * 1000 + [1] * int(fitting.THIN))
        table = fitting.bucket_rows(rows, np.where(rows == 0, 0.0, 10.0), 1e-6)
        everybody = 10.0 * fitting.THIN / len(rows)
        assert table[1, MEAN] == pytest.approx((10.0 + everybody) / 2)
        assert table[1, COUNT] == fitting.THIN

    def test_a_spread_is_zero_only_if_nothing_was_ever_in_error(self):
        rows, errors = np.arange(50) % 2, np.zeros(50)
        assert (fitting.bucket_rows(rows, errors, 1e-6)[:, SD] == 0.0).all()
        errors[0] = 1e-9
        assert (fitting.bucket_rows(rows, errors, 1e-6)[:, SD] == 1e-6).all()

    def test_normal_errors_pass_and_others_do_not(self, random):
        table = np.tile([0.0, 1.0, 9.0], (256, 1))
        rows = np.arange(40_000) % 200
        tested, passed = fitting.share_normal(table, rows, random.normal(size=40_000))
        assert tested == 200
        assert passed >= 175  # at 5 %, 190 are expected; fewer than 175 have a probability below 1e-5
        assert fitting.share_normal(table, rows, random.uniform(-3, 3, 40_000)) == (200, 0)

    def test_intervals_hold_fresh_errors_as_often_as_they_say(self, random):
        """By simulation: 400 intervals from 60 skewed errors each, 50 fresh ones each."""
        inside = 0
        for _ in range(400):
            low, high = fitting.interval_ends(random.exponential(size=60))
            fresh = random.exponential(size=50)
            inside += int(((fresh >= low) & (fresh <= high)).sum())
        assert LEVEL <= 55 / 61  # what an interval from the 3rd to the 58th of 60 holds in the mean, by exchangeability
        assert inside / 20_000 == pytest.approx(55 / 61, abs=0.012)  # four standard errors

    def test_a_phase_with_few_errors_has_the_interval_of_all(self, random):
        classes, errors = np.array([0] * 500 + [1] * 5), random.normal(size=505)
        rows = fitting.interval_rows(classes, errors)
        assert rows[1].tolist() == list(fitting.interval_ends(errors))
        assert rows[0].tolist() == list(fitting.interval_ends(errors[:500]))


class TestTheWinCurve:
    def test_it_is_found(self, random):
        values = random.normal(3.0, 40.0, 20_000)
        won = random.random(20_000) < fitting.Curve(-0.3, 0.05)(values)
        curve = fitting.win_curve(values, won * 1.0)
        assert curve == pytest.approx((-0.3, 0.05), abs=0.08)
        assert curve.slope == pytest.approx(0.05, rel=0.05)

    def test_it_is_where_the_likelihood_is_largest(self, random):
        from scipy.optimize import minimize

        values, results = random.normal(size=60), random.choice([0.0, 0.5, 1.0], 60)
        scale = values.std()

        def loss(found):
            logit = found[0] + found[1] * values
            ridge = fitting.STEEP * (found[0] ** 2 + (found[1] * scale) ** 2) / 2
            return float(np.sum(np.log1p(np.exp(logit)) - results * logit)) + ridge

        assert fitting.win_curve(values, results) == pytest.approx(minimize(loss, [0.0, 0.0]).x, abs=1e-4)

    @pytest.mark.parametrize("values", [np.zeros(50), np.linspace(-1, 1, 50), np.linspace(-1e9, 1e9, 50)])
    def test_no_values_make_it_infinite(self, values):
        curve = fitting.win_curve(values, (values > 0) * 1.0)
        assert np.isfinite(curve).all()
        assert curve.slope >= 0.0
        assert not values.any() or ((curve(values) > 0.5) == (values > 0)).all()

    def test_reliability_counts_everybody(self, random):
        predicted = random.random(103)
        rows = fitting.reliability(predicted, predicted, np.arange(103) // 4)
        assert sum(row["positions"] for row in rows) == 103
        assert all(row["predicted"] == pytest.approx(row["won"]) for row in rows)


class TestLines:
    def test_a_line_is_found(self, random):
        shallow = random.normal(0, 30, 5000)
        found = fitting.line(shallow, 1.2 * shallow - 4 + random.normal(0, 7, 5000), 1e-6)
        assert found.slope == pytest.approx(1.2, rel=0.02)
        assert found.intercept == pytest.approx(-4, abs=0.5)
        assert found.sd == pytest.approx(7, rel=0.05)

    def test_few_or_equal_values_have_one(self):
        assert fitting.line(np.zeros(0), np.zeros(0), 1e-6) == (1.0, 0.0, 1e-6)
        assert fitting.line(np.zeros(9), np.ones(9), 1e-6) == (1.0, 1.0, 1e-6)
        assert fitting.line(np.array([3.0]), np.array([5.0]), 1e-6) == (1.0, 2.0, 1e-6)


def test_the_last_bits_do_not_count():
    numbers = np.array([[np.pi, -1e-12 / 3], [np.inf, 0.0]])
    assert fitting.rounded(numbers * (1 + 2e-16)).tolist() == fitting.rounded(numbers).tolist()
    assert fitting.rounded(numbers) == pytest.approx(numbers, rel=1e-8)
