"""`ludus analyse`: its figures against what is known, and what it says of games that are odd."""

from __future__ import annotations

import re

import pytest

import ludus
from ludus.arena.play.records import GameRecord
from ludus.diagnostics.analyse.exact import exact
from ludus.diagnostics.analyse.first_moves import FirstMove, points, solved_moves
from ludus.diagnostics.analyse.good_play import FACTOR, Ladder, Rung, levels
from ludus.diagnostics.analyse.report import Good
from ludus.diagnostics.analyse.stakes import look
from ludus.diagnostics.analyse.tally import Tally
from ludus.diagnostics.analyse.words import bars, verdict
from ludus.model.budget import Meter
from tests.support.commands import assert_refused, run
from tests.support.moving_again import AgainPig, Strip


class Coins(ludus.Game):
    """A player has two moves, either of which throws a coin; the coin alone says who wins."""

    max_moves = 2

    def initial(self):
        return (0, 0)

    def moves(self, state, out):
        out[0], out[1] = 0, 1
        return 0 if state[0] == 2 else 2

    def play(self, state, move):
        return (state[0] + 1, move)

    def chance(self, state, probabilities):
        probabilities[0] = probabilities[1] = 0.5
        return 2 if state[0] == 1 else 0

    def score(self, state):
        return 1 if state[1] else -1


class Staircase(ludus.Game):
    """Take a step of 1 or 2 on a stair of 3; who cannot step has lost, and a step of 2 from the start wins nothing."""

    max_moves = 2

    def initial(self):
        return (3,)

    def moves(self, state, out):
        out[0], out[1] = 1, 2
        return min(state[0], 2)

    def play(self, state, move):
        return (state[0] - move,)

    def score(self, state):
        return -1


@pytest.fixture(scope="module")
def nim():
    return ludus.analyse("nim", games=200, good=6, workers=1, compiled=False)


@pytest.mark.slow
def test_all_of_nim(nim):
    """21 stones, who takes the last one loses: Second wins, every first move loses, and good play finds it."""
    found = nim.to_dict()
    assert (found["value"], found["games"], found["stopped"]) == (-1.0, 200, "games")
    assert found["solved"]["positions"] == found["complexity"]["positions"]["exact"] == 22
    assert [move["value"] for move in found["first_moves"]] == [-1.0] * 3
    assert sum(move["random"]["games"] for move in found["first_moves"]) == 200
    assert found["good"]["games"] == 6
    assert [rung["games"] for rung in found["ladder"]] == [6, 6, 6]
    assert found["ladder"][0]["against"] == "random(nodes=2000)"
    assert found["first"]["low"] < found["solved"]["first"] < found["first"]["high"]
    said = " ".join(found["verdict"])
    assert "under best play Second wins" in said
    assert "interpreted" in said


@pytest.mark.slow
def test_what_is_printed_fits_and_is_saved(nim, tmp_path):
    text = nim.text(80)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "tree       223,317 different games, counted" in text
    nim.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "First moves" in page
    assert "<svg" in page
    assert "src=" not in page
    nim.save(tmp_path / "figure.svg")
    with pytest.raises(ludus.LudusError, match="report's name"):
        nim.save(tmp_path / "page.doc")


@pytest.mark.slow
def test_the_same_with_any_number_of_workers(nim):
    again = ludus.analyse("nim", games=200, good=6, workers=2, compiled=False)
    assert again.to_dict() == nim.to_dict()
    other = ludus.analyse("nim", games=200, good=0, compiled=False, seed=1)
    assert other.to_dict()["first"] != nim.to_dict()["first"]


def test_chance_is_told():
    """Nothing depends on the players; the figures are those of the coin."""
    found = ludus.analyse(Coins, games=400, good=0, compiled=False)
    assert found.random.results["first"].low < 0.5 < found.random.results["first"].high
    assert any(sentence.startswith("Chance has a part") for sentence in verdict(found))
    assert found.random.length == 1
    assert found.to_dict()["stakes"]["decisive"]["value"] == 0.0
    assert found.value is None


def test_a_small_game_of_chance_costs_little():
    """A complete tree in which nothing can be proven is not gone through again and again."""
    game = ludus.game("chance-tree(depth=4)")
    ladder = Ladder(game, "uct", False, False)
    assert ladder.levels[-1] > 98  # nodes of the tree
    found = ladder.best.choose(game)
    assert found.stopped == "exhausted"
    assert found.meter.traversed <= 30 * ladder.levels[-1]


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([[12, 0, 26, 0, 12]] * 3, "More search does not help: .* luck"),
        ([[0, 0, 0, 0, 50], [0, 0, 1, 0, 49], [0, 0, 5, 0, 45]], "More search wins, as far as was looked"),
        ([[0, 0, 0, 0, 50], [0, 0, 1, 0, 49], [0, 0, 100, 0, 0]], "helps up to 400 nodes and no further"),
        ([[0, 0, 0, 0, 50], [0, 0, 1, 0, 49], [4, 0, 2, 0, 6]], "beyond, 24 games cannot tell"),
        ([[1, 0, 1, 0, 1]] * 3, "cannot be told from 18 games"),
    ],
)
def test_what_more_search_is_worth(pairs, said):
    """A ladder whose scores are given: what it is called."""
    rungs = [Rung("one", "other", 100 * FACTOR**place, counts) for place, counts in enumerate(pairs)]
    random = ludus.analyse(Coins, games=5, good=0, compiled=False)
    random.good = Good("one", rungs, Tally())
    assert re.search(said, " ".join(verdict(random)))


@pytest.mark.parametrize("game", [Strip(2), AgainPig()], ids=["moves again", "moves again, with chance"])
def test_passes_are_no_moves(game):
    found = ludus.analyse(game, games=60, good=2, workers=1, compiled=False).to_dict()
    assert found["good"]["games"] == 2
    if isinstance(game, Strip):
        assert found["length"] == found["good"]["length"] == 7
        assert found["branching"] == 4


@pytest.mark.slow
def test_a_search_that_always_plays_the_same_game():
    found = ludus.analyse("tictactoe", games=20, good=4, player="alphabeta", workers=1, compiled=False)
    assert found.good.distinct == 1
    assert any("the same game" in sentence for sentence in verdict(found))
    varied = ludus.analyse("tictactoe", games=20, good=4, player="alphabeta", openings=2, workers=1, compiled=False)
    assert varied.good.distinct == 2  # each pair has one opening


def test_interrupted_with_what_there_is():
    """Ctrl-C in the middle of random games, and in the middle of good play."""

    def press(at):
        def progress(done, words):
            if at in words:
                raise KeyboardInterrupt

        return ludus.analyse("nim", games=50, good=4, workers=1, compiled=False, progress=progress)

    early, late = press("7 random games"), press("8 of 16 games")
    assert (early.stopped, early.random.games, early.good) == ("interrupted", 7, None)
    assert (late.stopped, late.random.games, late.good.tally.games) == ("interrupted", 50, 2)
    for found in (early, late):
        assert found.to_dict()["complexity"]["tree"]["log10"] > 0
        assert "Not all was done" in found.text(100)


def test_minutes_end_it():
    found = ludus.analyse("nim", minutes=1e-5, workers=1, compiled=False)
    assert found.stopped == "minutes"
    assert 1 <= found.random.games < 300


def test_first_moves_are_solved_without_all_positions():
    """Proofs by the search `solve` are those of the listed game; a game too large is not tried."""
    for game in (ludus.game("nim", stones=6), ludus.game(Staircase)):
        known = exact(game).moves
        assert solved_moves(game, None, 3.0, False, False, None) == known
        assert solved_moves(game, None, 15.0, False, False, None) == {}
    assert known == {1: -1.0, 2: -1.0}


def test_stakes_of_a_win_at_hand():
    """In tic-tac-toe two in a row are one move from a win: the best move wins for sure, the worst seldom."""
    game = ludus.game("tictactoe")
    state = game.read_state("XX-OO---- X")
    [found] = [stakes.spread[-1] for stakes in look(game, [state], 0, False, False)]
    best, worst = 1.0, min(_chance(game, game.after(state, move)) for move in game.legal(state))
    assert found == pytest.approx(best - worst, abs=0.2)


def _chance(game, state):
    """First's share of the points in random play from here, Second to move or not; exactly."""

    def points_of(state, turn):
        legal = game.legal(state)
        if not legal:
            score = game.result(state)
            return 0.5 if score == 0 else float((score > 0) == (turn == 0))
        return sum(points_of(game.after(state, move), 1 - turn) for move in legal) / len(legal)

    return points_of(state, 1)


def test_scores_of_rungs_and_moves():
    rung = Rung("one", "other", 100)
    games = [GameRecord((), score, (Meter(), Meter()), (1, 1)) for score in (1.0, -1.0)]
    rung.add((games[0], games[1]))  # won as First, and as Second
    rung.add((games[0], games[0]))  # First won both
    assert rung.pairs == [0, 0, 1, 0, 1]
    assert rung.score.value == 0.75
    assert points((3, 2, 1)).value == pytest.approx(4 / 6)
    assert points((9, 0, 0)).low < points((90, 0, 0)).low
    assert FirstMove("a", None, (0, 0, 0), (20, 0, 0)).overwhelming
    assert not FirstMove("a", None, (0, 0, 0), (5, 0, 0)).overwhelming


@pytest.mark.parametrize("fast", [True, False])
def test_levels_fit_the_length_of_the_game(fast):
    for length in (1, 7, 60, 400, 5000):
        nodes = levels(length, fast)
        assert nodes[1] == FACTOR * nodes[0] >= 40
        assert nodes[-1] * length <= 2.5 * max(600_000 if fast else 15_000, 160 * length)


def test_bars():
    assert bars([0, 1, 4, 8]) == " ▂▅█"


class TestCommand:
    def test_json(self):
        found = run("analyse", "nim", "--games", 30, "--good", 0, "--no-compile", "--json").json
        assert {"game", "games", "first", "second", "draw", "length", "branching", "last_mover_wins"} <= set(found)
        assert set(found["first"]) == {"value", "low", "high"}
        assert found["first"]["value"] + found["second"]["value"] + found["draw"]["value"] == pytest.approx(1)
        assert found["last_mover_wins"] == 0.0  # who takes the last one loses
        assert (found["games"], found["good"], found["ladder"]) == (30, None, [])

    def test_bad_input(self, tmp_path):
        assert_refused(run("analyse", "nim", "--player", "uct(nodes=5)", "--no-compile"), "leave the budget out")
        assert_refused(run("analyse", "pig", "--player", "lcf", "--no-compile", "--games", 3), "chance")
        assert_refused(run("analyse", "nim", "-o", "x.doc"), "must end in")
        assert_refused(run("analyse", "nim", "--games", 0), "at least 1")
