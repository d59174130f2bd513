"""Features that never change in random games, and what `check` and `learn` say of them."""

import pytest

import ludus
from ludus.learning.unchanging import FEWEST, unchanging_features
from tests.support.moving_again import BitStrip


class Counted(ludus.Game):
    """Take one or two stones of 20, then of these as many as there are; whoever takes the last one wins."""

    max_moves = 2
    feature_names = ("left", "stones of a game", "nothing", "turn")

    def __init__(self, stones: int = 20) -> None:
        self.stones = stones

    def initial(self):
        return (self.stones, 0)

    def moves(self, state, out):
        out[0], out[1] = 1, 2
        return min(state[0], 2)

    def play(self, state, move):
        return (state[0] - move, 1 - state[1])

    def score(self, state):
        return -1

    def features(self, state, numbers):
        numbers[0], numbers[1], numbers[2], numbers[3] = state[0], self.stones, 0, 1 - 2 * state[1]
        return 4


class Nameless(Counted):
    feature_names = ()
    max_features = 4


class Again(BitStrip):
    """A player who closes a box moves again; where a pass is put in between, the features have the other sign."""

    feature_names = ("lead", "one")

    def features(self, state, numbers):
        numbers[0], numbers[1] = state[2] if state[1] == 0 else -state[2], 1.0
        return 2


class Fine(Counted):
    """Only features that change."""

    feature_names = ("left", "turn")

    def features(self, state, numbers):
        numbers[0], numbers[1] = state[0], 1 - 2 * state[1]
        return 2


@pytest.fixture(autouse=True)
def own_data(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path))


def test_features_that_never_change_are_named():
    assert unchanging_features(Counted()) == ["stones of a game", "nothing"]
    assert unchanging_features(Nameless()) == ["feature 2", "feature 3"]
    assert unchanging_features(Fine()) == []
    assert unchanging_features(ludus.game("nim")) == []  # it has no features


def test_a_pass_that_the_library_puts_in_changes_nothing():
    assert unchanging_features(Again(3)) == ["one"]


def test_of_few_positions_nothing_is_said(monkeypatch):
    monkeypatch.setattr("ludus.learning.unchanging.POSITIONS", FEWEST)
    assert unchanging_features(Counted()) == ["stones of a game", "nothing"]
    monkeypatch.setattr("ludus.learning.unchanging.POSITIONS", FEWEST - 1)
    assert unchanging_features(Counted()) == []


@pytest.mark.parametrize("name", ["amazons(size=6)", "chess", "connect4", "kalah", "othello"])
def test_all_features_of_the_games_that_are_built_in_change(name):
    """But for one of Othello's that is 0 in all but one of 20,000 positions."""
    assert set(unchanging_features(ludus.game(name))) <= {"wipe-out"}


def test_check_remarks_on_them():
    report = ludus.check(Counted(), games=20, compiled=False)
    assert report.passed
    assert report.to_dict()["unchanging"] == ["stones of a game", "nothing"]
    words = "the features stones of a game, nothing never changed in random games: is that meant?"
    assert report.remarks == [words]
    assert f"REMARK: {words}\n" in str(report)
    assert "REMARK" not in str(ludus.check(Fine(), games=20, compiled=False))


@pytest.mark.parametrize("method", ["regression", "logistic", "td"])
def test_learn_remarks_on_them(method):
    how = {"regression": {"positions": 40, "playouts": 2}}.get(method, {"games": 20})
    learnt = ludus.learn(Counted(), method=method, name="mine", compiled=False, **how)
    assert learnt.to_dict()["unchanging"] == ["stones of a game", "nothing"]
    words = "remark   the features stones of a game, nothing never changed in random games"
    assert words in str(learnt)
    assert words in str(ludus.learn(Counted(), method=method, name="mine", compiled=False, **how))  # it was saved
    fine = ludus.learn(Fine(), method=method, name="fine", compiled=False, **how)
    assert ludus.learn(Fine(), method=method, name="fine", compiled=False, **how).was_saved
    assert "unchanging" not in fine.to_dict()
    assert "remark" not in str(fine)
