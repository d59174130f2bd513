"""Playouts and tallies: every end as often as random play comes to it, and estimates settled when they should be."""

import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import ludus
from ludus import Game
from ludus.kernel import playout
from ludus.kernel.playout import PLAYED, SETTINGS, TALLY, sampling
from ludus.kernel.random import seed_for
from tests.support import oracles, reference_sampling, tiny_games
from tests.support.tiny_games import TinyTree

WEAK = (8, 256, (Fraction(1, 20),))
STRONG = (16, 1024, tuple(Fraction(games, 1024) for games in (0, 16, 24, 20, 18, 9)))


def play_out(game, state, source, longest=1000):
    out = game.buffer()
    with np.errstate(over="ignore"):
        n = len(game.legal(state))
        out[:n] = game.legal(state)
        return playout.playout(game.metered(np.zeros(4, np.int64)), state, n, out, source, longest)


# Exact expected outcomes.


def test_figure_4_of_the_thesis_is_worth_one_half_and_not_two_thirds():
    """N has two moves: A, whose only completion is lost, and B, both of whose completions are won."""
    figure = TinyTree.of([0, [0, -1], [0, 1, 1]])
    assert oracles.chances(figure, (0,)) == (Fraction(1, 2), 0, Fraction(1, 2))
    assert oracles.expected_outcome(oracles.chances(figure, (0,))) == 0


def test_exact_outcome_of_tictactoe():
    """Well-known frequencies of random tic-tac-toe: 737/1260, 121/420 and 8/63."""
    game = ludus.game("tictactoe")
    found = oracles.chances(game, game.start)
    assert found == (Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))


# Playouts.


def test_a_playout_is_the_slow_one():
    for tree in tiny_games.some_trees(100):
        for seed in range(5):
            fast, slow = np.array([seed], np.uint64), np.array([seed], np.uint64)
            assert play_out(tree, (0,), fast) == reference_sampling.slow_playout(tree, (0,), slow)[0]
            assert fast == slow


def test_every_end_comes_as_often_as_it_should():
    tree = TinyTree.of([0, 1, [0, 2, [0, 3, 4, 5]], [0, [0, 6]]])
    ends = {-1: 6, 2: 3, -3: 1, -4: 1, -5: 1, -6: 6}  # the score to the first player, and its share of 18
    source = np.array([seed_for(5)], np.uint64)
    found = [play_out(tree, (0,), source) for _ in range(3600)]
    counts = [found.count(score) for score in ends]
    assert sum(counts) == len(found)
    assert stats.chisquare(counts, [200 * share for share in ends.values()]).pvalue > 1e-3


class Endless(Game):
    """One counts up for ever; the parity says whose move it is, and no one ever wins."""

    max_moves = 2

    def initial(self):
        return (0,)

    def moves(self, state, out):
        out[0], out[1] = 1, 2
        return 2 if state[0] < 10**9 else 0

    def play(self, state, move):
        return (state[0] + move,)

    def score(self, state):
        return 1


def test_a_game_that_does_not_end_is_a_draw():
    game, meter = Endless(), np.zeros(4, np.int64)
    out = game.buffer()
    out[:2] = 1, 2
    with np.errstate(over="ignore"):
        result = playout.playout(game.metered(meter), (0,), 2, out, np.zeros(1, np.uint64), 77)
    assert (result, meter[0]) == (0.0, 77)
    assert playout.longest_playout(game) == playout.LONGEST_PLAYOUT == 1000
    assert playout.longest_playout(ludus.game("othello")) == 2 * 60 + 2, "a pass after each move, and one before"
    for spec in ("sampler(nodes=1000)", "uct(nodes=1000)", "uct(nodes=1000, leaf=eval)", "bfmm(nodes=1000)"):
        result = ludus.player(spec, compiled=False).choose(game)
        assert result.value == 0.0
        assert result.stopped in {"nodes", "exhausted"}


# Settings, and when an estimate is settled.


def rule_of(setting, draws="auto"):
    rule = {"weak": WEAK, "strong": STRONG}[setting]
    return (*rule, "ignored" if draws == "auto" else draws)


class Fields:
    """The fields of a sampler."""

    def __init__(self, **arguments):
        defaults = {"setting": "weak", "first": 0, "most": 0, "tolerance": -1.0, "draws": "auto", "payoff": "result"}
        vars(self).update(sampling(**(defaults | arguments)))


def settle(fields, results):
    """How many of the results it takes, and the estimate."""
    tallies = np.full((3, TALLY), np.nan)
    playout.begin_tally(tallies, 1)
    for used, result in enumerate(results, 1):
        settled = playout.note(fields, tallies, 1, result)
        assert tallies[1, PLAYED] == used
        if settled:
            assert np.isnan(tallies[[0, 2]]).all()
            return used, playout.estimate(tallies, 1)
    return None


def streams(how_many, length=1024):
    """Results of games between players of all strengths, with few or many draws."""
    source = random.Random(11)
    for _ in range(how_many):
        draw = source.choice((0.0, 0.0, 0.01, 0.3, 0.9, 1.0))
        win = source.choice((0.0, 0.02, 0.3, 0.5, 0.5, 0.8, 1.0)) * (1 - draw)
        yield source.choices((1, 0, -1), (win, draw, 1 - win - draw), k=length)


def test_published_settings():
    assert SETTINGS["weak"][:2] == WEAK[:2]
    assert SETTINGS["strong"][:2] == STRONG[:2]
    assert [games * 1024 for games in SETTINGS["strong"].tolerances] == [0, 16, 24, 20, 18, 9]
    assert SETTINGS["weak"].tolerances == (0.05,)
    assert SETTINGS["weak"].draws == SETTINGS["strong"].draws == "ignored"


@pytest.mark.parametrize("setting", ["weak", "strong"])
@pytest.mark.parametrize("draws", ["auto", "half"])
def test_samples_double_until_two_estimates_agree(setting, draws):
    sizes = set()
    for results in streams(400):
        expected = reference_sampling.settled_after(results, *rule_of(setting, draws))
        used, value = settle(Fields(setting=setting, draws=draws), results)
        assert (used, value) == (expected[0], pytest.approx(float(expected[1]), abs=1e-15))
        sizes.add(used)
    first, most, _ = {"weak": WEAK, "strong": STRONG}[setting]
    assert sizes == {first * 2**k for k in range(1, 20) if first * 2**k <= most}, "every size was needed by some"


def test_tolerances_hold_at_equality_and_not_beyond():
    """Strong: of 16 and 32 games the same share; of 32 and 64 no more than 16 in 1024 apart, one game in 64."""
    even = [1, -1] * 8
    assert settle(Fields(setting="strong"), [*even, *even])[0] == 32
    seventeen_of_32 = [*even, *even[2:], 1, 1]
    for wins in range(17, 50):
        rest = [1] * (wins - 17) + [-1] * (49 - wins)
        found = settle(Fields(setting="strong"), [*seventeen_of_32, *rest, *[1] * 1024])
        assert (found[0] == 64) == (wins in (33, 34, 35))


def test_an_estimate_without_a_decided_game_is_even():
    assert settle(Fields(setting="weak"), [0] * 16) == (16, 0.0)
    # None decided of 8, one of 16: from one half to one, so it goes on; 2 of 2 of 32 agree.
    assert settle(Fields(setting="weak"), [0] * 15 + [1] + [0] * 15 + [1]) == (32, 1.0)


def test_other_numbers_of_samples():
    assert settle(Fields(first=10, most=10), [1] * 10) == (10, 1.0)
    assert settle(Fields(first=10, most=25, tolerance=0.0), [1, -1] * 8 + [1] * 9)[0] == 25, "the last size is most"
    assert settle(Fields(setting="quick"), [1, 0, 0, -1, 1]) == (4, 0.0)
    assert settle(Fields(setting="quick"), [1, 0, 0, 0]) == (4, 0.25), "a draw is half a win"
    assert settle(Fields(setting="quick", draws="ignored"), [1, 0, 0, 0]) == (4, 1.0)
    assert settle(Fields(setting="weak", first=1), [1, -1, 1, -1]) == (4, 0.0)


def test_the_payoff_may_be_the_score():
    scores = [10.0, -4.0, 0.0, 6.0]
    assert settle(Fields(first=4, most=4, payoff="score"), scores) == (4, 3.0), "a score of 0 counts"
    # In the game's own points: 2 after two games, 3 after four.
    assert settle(Fields(first=2, most=8, tolerance=1.0, payoff="score"), [10, -6, 8, 0, *[99] * 4]) == (4, 3.0)
    assert settle(Fields(first=2, most=8, tolerance=0.9, payoff="score"), [10, -6, 8, 0, *[99] * 4])[0] == 8


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("first=-1", "first and most must be at least 1"),
        ("most=-3", "first and most must be at least 1"),
        ("first=9, most=8", "first must not be above most"),
        ("tolerance=inf", "tolerance of sampler must be a number, not inf"),
        ("setting=strongest", "must be one of quick, weak, strong"),
        ("draws=no", "must be one of auto, half, ignored"),
    ],
)
def test_bad_settings_get_a_sentence(spec, words):
    for make in (ludus.player, ludus.evaluator):
        with pytest.raises(ludus.LudusError, match=words):
            make(f"sampler({spec})")
