"""Calibrations: records on evaluators that reach compiled code, specs and the identity of a run; and what is needed."""

import numpy as np
import pytest

import ludus
from ludus import Budget, Evaluator, Player, Search, SpecError
from ludus.kernel.limits import STOP_EXHAUSTED
from ludus.kernel.rules import evaluate, load
from ludus.kernel.tree import open_node
from ludus.model import identity
from ludus.model.calibration import (
    Calibration,
    bucket,
    error_mean,
    error_sd,
    interval_high,
    interval_low,
    probcut_row,
    win_probability,
)

WIN_CURVE = Calibration(win=np.array([0.25, 2.0]))


@pytest.fixture(autouse=True)
def own_data(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path))


class Three(Evaluator):
    """Three, always."""

    def evaluate(self, game, state):
        return 3.0


class OnCurve(Search):
    """Reads the win curve of its evaluator: every move is worth the logit of the root's value."""

    needs = ("win",)

    def step(self, game, evaluator, tree, limits):
        open_node(game, tree, 0)
        curve = evaluator.calibration.win
        value = curve[0] + curve[1] * evaluate(evaluator, game, load(tree.state, 0))
        for child in range(tree.first[0], tree.first[0] + tree.count[0]):
            tree.value[child] = -value
        return STOP_EXHAUSTED


@pytest.mark.parametrize("compiled", [False, True])
def test_it_reaches_the_search(compiled):
    for curve, value in ((WIN_CURVE, 6.25), (Calibration(win=np.array([1.0, -1.0])), -2.0)):
        player = Player(OnCurve(), Three().calibrated(curve), Budget(nodes=1), compiled=compiled)
        assert player.choose(ludus.game("nim")).value == value


CUTS = np.array([[0.5, np.inf, np.inf, 0.2], [2, 4, 8, 3], [2, 4, np.inf, 5], [-1, 0, 1, 0]], float)
"""Two classes of phase, four of the last mover's moves, three of the other's, four of the value."""

BUCKETS = np.column_stack([np.arange(256), np.arange(256) + 0.5, np.ones(256)])

CURVES = np.array([[0.0, 2.0], [1.0, 3.0], [0.0, 0.0], [0.0, 0.0]])

FULL = Calibration(CUTS, BUCKETS, np.array([0.0, 1.0]), CURVES, np.array([[-1, 2], [-2.0, 4], [-5, 6], [-7, 8]]))


class OnBuckets(Search):
    """Values the root's moves by what it reads in all the ways there are."""

    needs = ("error", "interval", "win")

    def step(self, game, evaluator, tree, limits):
        open_node(game, tree, 0)
        value, first = evaluate(evaluator, game, load(tree.state, 0)), tree.first[0]
        known = evaluator.calibration
        row = bucket(known, 0.7, tree.count[0], -1, value)
        tree.value[first] = -error_mean(known, row)
        tree.value[first + 1] = -error_sd(known, bucket(known, 0.0, 9, 0, -2.0))
        tree.value[first + 2] = -interval_low(known, 0.7, value) * interval_high(known, 0.7, value)
        return STOP_EXHAUSTED


@pytest.mark.parametrize("compiled", [False, True])
def test_a_search_reads_the_bucket_the_interval_and_the_probability(compiled):
    assert ludus.game("nim").legal(ludus.game("nim").start) == [1, 2, 3]
    player = Player(OnBuckets(), Three().calibrated(FULL), Budget(nodes=1), compiled=compiled)
    # phase 1, three moves: class 1, unknown: the median's class 2, value 3: class 3; and classes 0, 3, 0, 0
    values = [child.value for child in player.choose(ludus.game("nim")).children]
    assert values == [1 * 64 + 1 * 16 + 2 * 4 + 3, 3 * 16 + 0.5, (3 - 2) * (3 + 4)]
    assert win_probability(FULL, 0.0) == 0.5
    assert win_probability(FULL, -(2.0**20)) < 1e-200


class OnChances(Search):
    """Values the root's moves by the probability of winning: early, late, and at a phase that is not known."""

    needs = ("win",)

    def step(self, game, evaluator, tree, limits):
        open_node(game, tree, 0)
        tree.value[tree.first[0]] = -win_probability(evaluator.calibration, 3.0, 0.2)
        tree.value[tree.first[0] + 1] = -win_probability(evaluator.calibration, 3.0, 0.7)
        tree.value[tree.first[0] + 2] = -win_probability(evaluator.calibration, 3.0)
        return STOP_EXHAUSTED


@pytest.mark.parametrize("compiled", [False, True])
def test_the_probability_is_that_of_the_phase(compiled):
    for known, logits in ((FULL, (6.0, 10.0, 3.0)), (WIN_CURVE, (6.25, 6.25, 6.25))):
        player = Player(OnChances(), Three().calibrated(known), Budget(nodes=1), compiled=compiled)
        values = [child.value for child in player.choose(ludus.game("nim")).children]
        assert values == pytest.approx([1 / (1 + np.exp(-logit)) for logit in logits], rel=1e-12)


def test_probcut_has_a_row_for_each_depth_and_phase():
    rows = [[3, 1, 0, 1, 0, 1], [3, 1, 1, 1, 0, 2], [4, 2, 0, 1, 0, 3], [4, 2, 1, -1, 0, 4], [5, 5, 0, 1, 0, 5]]
    known = Calibration(probcut=np.array(rows, float))
    assert [probcut_row(known, 3, k) for k in (-1, 0, 1, 2)] == [0, 0, 1, -1]
    assert [probcut_row(known, 4, k) for k in (-1, 0, 1)] == [2, 2, -1]  # a falling line says nothing
    assert [probcut_row(known, plies, -1) for plies in (1, 2, 5)] == [-1, -1, -1]
    assert probcut_row(Calibration(), 3, 0) == -1


def test_a_single_row_serves_all_positions():
    one = FULL._replace(error=np.array([[1.0, 2.0, 3.0]]), interval=np.array([[-1.0, 1.0]]))
    assert bucket(one, 0.9, 9, 9, 9.0) == 0
    assert interval_low(one, 0.9, 5.0) == 4.0


def test_a_file_that_was_tampered_with_is_no_calibration():
    path = FULL.save()
    assert np.array_equal(Calibration.load(FULL.hash).error, FULL.error)
    path.write_text(path.read_text().replace("254.5", "254.25"))
    with pytest.raises(SpecError, match="there is no calibration"):
        Calibration.load(FULL.hash)


def test_what_has_not_been_fitted_is_refused():
    player = Player(OnCurve(), Three(), Budget(nodes=1), compiled=False)
    with pytest.raises(SpecError, match="OnCurve needs the win curve of Three, which has not been fitted"):
        player.choose(ludus.game("nim"))


class Noise(Search):
    """Needs an optional rule."""

    needs = ("noisy",)


def test_a_rule_that_the_game_lacks_is_refused():
    with pytest.raises(SpecError, match="Noise needs the rule noisy, which nim does not have"):
        Player(Noise(), Three(), compiled=False).choose(ludus.game("nim"))


def test_the_spec_shows_it_and_finds_it_again():
    plain = ludus.evaluator("open-lines")
    fitted = plain.calibrated(WIN_CURVE)
    assert str(plain) == "open-lines"
    assert str(fitted) == f"open-lines(calibration={WIN_CURVE.hash})"
    with pytest.raises(SpecError, match="there is no calibration"):
        ludus.evaluator(str(fitted))
    WIN_CURVE.save()
    found = ludus.evaluator(str(fitted))
    assert found.calibration.win.tolist() == [0.25, 2.0]
    assert found.calibration.kinds == ("win",)
    assert str(ludus.player(f"bfmm(eval={fitted}, nodes=10)")) == f"bfmm(eval={fitted}, nodes=10)"


def test_a_hash_is_no_path():
    with pytest.raises(SpecError, match="named by letters and digits"):
        ludus.evaluator('open-lines(calibration="../secret")')


def test_other_numbers_have_another_hash():
    assert Calibration().hash == ""
    other = Calibration(win=np.array([0.25, 2.0000001]))
    assert len({WIN_CURVE.hash, other.hash, Calibration(error=np.array([[0.25, 2.0, 9]])).hash}) == 3


def test_it_is_part_of_the_identity_of_a_run():
    game = ludus.game("tictactoe")
    kinds = [identity.of_evaluator(e.on(game)) for e in (Three(), Three().calibrated(WIN_CURVE))]
    assert kinds[0] != kinds[1]
