"""What is fitted by phase comes near a truth that changes with the phase; what is fitted to all phases does not."""

from functools import cache
from statistics import NormalDist

import numpy as np
import pytest

from ludus import Evaluator, Game
from ludus.learning import fitting
from ludus.learning.calibrate import calibrate
from ludus.model.calibration import CLASS, CLASSES, INTERCEPT, PHASE, SLOPE, class_of, win_probability

PLIES, TURN, FADING = 24, 12, 0.8


class Chain(Game):
    """One move in each position. The first player's log-odds of winning are drawn with the seed, and then the result.

    So the truth is known: who has these log-odds wins with that probability, whatever the ply.
    """

    seeded = True
    max_moves, length = 1, PLIES

    def __init__(self, seed: int = 0) -> None:
        random = np.random.default_rng(seed)
        self.seed, self.logit = seed, float(random.normal(0.0, 2.0))
        self.result = 1.0 if random.random() < 1 / (1 + np.exp(-self.logit)) else -1.0

    def initial(self):
        return (self.seed, 0)

    def moves(self, state, out):
        out[0] = 0
        return int(state[1] < PLIES)

    def play(self, state, move):
        return (state[0], state[1] + 1)

    def score(self, state):
        return self.result * (-1) ** (state[1] % 2)

    def phase(self, state):
        return state[1] / PLIES


class Fading(Evaluator):
    """The log-odds to the player to move, in the first half of the game; from then on less with every ply.

    So deep values are the shallow ones early, and 0.8^2 of them late, where they are two plies apart.
    """

    def evaluate(self, game, state):
        return game.logit * FADING ** max(state[1] - TURN, 0) * (-1) ** (state[1] % 2)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDUS_DATA", str(tmp_path_factory.mktemp("data")))
        return calibrate(Chain(), Fading(), positions=9_600, compiled=False)


@pytest.mark.slow
def test_lines(found):
    truth = {0: 1.0, 2: FADING**2, 3: FADING**2}  # in the second quarter the fading begins between the two depths
    rows = found.calibration.probcut
    assert len(rows) == 2 * CLASSES
    for row in rows:
        expected = truth.get(int(row[CLASS]))
        assert FADING**2 < row[SLOPE] < 1.0 if expected is None else row[SLOPE] == pytest.approx(expected, abs=1e-6)
        assert row[INTERCEPT] == pytest.approx(0.0, abs=0.1)
    for line in found.facts["probcut"]:
        assert min(abs(line["slope"] - expected) for expected in truth.values()) > 0.02
        assert line["rms_by_phase"] < line["rms"]
        for k in truth:
            assert line["phases"][k]["rms"] < 0.001
            assert line["phases"][k]["rms_overall"] > 0.05
        own = [row for row in rows if tuple(row[:2]) == (line["depth"], line["shallow"])]
        assert [phase["slope"] for phase in line["phases"]] == [row[SLOPE] for row in own]


@pytest.mark.slow
def test_win_curves(found):
    """Near the curve of infinitely many games; a curve for all phases is much farther from the truth."""
    known, off = found.calibration, {0: [], 3: []}
    for odds in np.linspace(-4, 4, 17):
        for ply in (*range(6), *range(18, 24)):
            value = odds * FADING ** max(ply - TURN, 0)
            truth = 1 / (1 + np.exp(-odds))
            phase_class = class_of(known, PHASE, ply / PLIES)
            best = float(curve_of_all_games(range(6) if phase_class == 0 else range(18, 24))(np.array(value)))
            by_phase, overall = (win_probability(known, value, phase) for phase in (ply / PLIES, -1.0))
            off[phase_class].append((abs(by_phase - best), abs(by_phase - truth), abs(overall - truth)))
    for errors in off.values():
        from_best, by_phase, overall = np.mean(errors, axis=0)
        assert from_best < 0.04  # two standard errors: a slope from 800 games is known to 10 %, the curve to 0.02
        assert overall > 1.5 * by_phase
    assert found.facts["win"]["brier_by_phase"] < found.facts["win"]["brier"] - 0.002
    assert [row["slope"] for row in found.facts["phases"]] == known.win_phases[:, 1].tolist()
    assert found.facts["win"]["slope"] == known.win[1]


@cache
def curve_of_all_games(plies):
    """The win curve of these plies if there were infinitely many games; their log-odds have a deviation of 2."""
    odds = np.array([NormalDist(0, 2).inv_cdf((i + 0.5) / 400) for i in range(400)])
    values = np.concatenate([odds * FADING ** max(ply - TURN, 0) for ply in plies])
    return fitting.win_curve(values, np.tile(1 / (1 + np.exp(-odds)), len(plies)))


def test_a_class_with_few_positions_goes_by_all():
    classes, numbers = np.array([0] * fitting.FEWEST + [1] * (fitting.FEWEST - 1)), np.arange(2.0 * fitting.FEWEST - 1)
    rows = fitting.by_phase(lambda some: (len(some), some.sum()), classes, numbers)
    own, everybody = (fitting.FEWEST, numbers[: fitting.FEWEST].sum()), (len(numbers), numbers.sum())
    assert rows == [own, everybody, everybody, everybody]
