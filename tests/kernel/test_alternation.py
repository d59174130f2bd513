"""Games in which a player may move again: the library puts in the passes, and nobody else has to know."""

import pickle
from itertools import pairwise

import numpy as np
import pytest

import ludus
from ludus import Game, LudusError, StateError
from ludus.arena.play.referee import Board
from ludus.arena.reports import replays
from ludus.kernel.alternation import OWN_RULES
from ludus.kernel.boards import same_state
from ludus.kernel.rules import rules_of
from ludus.model import identity
from ludus.model.taking_turns import playable
from tests.support import moving_again
from tests.support.commands import run
from tests.support.moving_again import (
    AgainPig,
    BitStrip,
    Lead,
    LeadWithPasses,
    ListStrip,
    Mobile,
    Strip,
    StripWithPasses,
)

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
STRIPS = pytest.mark.parametrize("kind", [Strip, BitStrip, ListStrip], ids=lambda kind: kind.__name__)


def best_lead(game, state):
    """The first player's lead under perfect play: each move by whoever is to move, as the author's rules say."""
    out = np.zeros(99, np.int64)
    n = kind_of(game).moves(game, state, out)
    if n == 0:
        return state[2]
    values = [best_lead(game, kind_of(game).play(game, state, int(move))) for move in out[:n]]
    return max(values) if state[1] == 0 else min(values)


def kind_of(game):
    return type(game).written


def test_every_rule_of_the_table_has_its_twin():
    names = {rule.name for rule in rules_of("game")}
    assert names | {"mover"} == OWN_RULES.keys()
    everything = type("Everything", (Strip,), {name: lambda self, *_: 0 for name in names})
    assert names <= vars(playable(everything)).keys()


# The same game as with passes put in by hand.


@STRIPS
def test_perft_is_that_of_the_game_with_passes(kind):
    game = kind(1)
    for depth in range(6):
        assert (
            ludus.perft(game, depth, compiled=False).leaves
            == ludus.perft(StripWithPasses(1), depth, compiled=False).leaves
        )
    assert ludus.perft(kind(), 7, compiled=False).leaves == ludus.perft(StripWithPasses(), 7, compiled=False).leaves


@pytest.mark.slow
def test_perft_compiled():
    assert [ludus.perft(kind(), 9, compiled=True).leaves for kind in (Strip, BitStrip)] == [
        ludus.perft(StripWithPasses(), 9, compiled=False).leaves
    ] * 2


def told(spec, game, evaluator, compiled):
    player = ludus.player(spec, compiled=compiled)
    player.evaluator = evaluator
    found = player.choose(game).to_dict()
    for name in ("seconds",):
        del found["meter"][name]
    return {key: found[key] for key in ("move", "value", "line", "meter", "children")}


@pytest.mark.slow
@MODES
@pytest.mark.parametrize("spec", ["minimax(depth=5)", "alphabeta(table=true, depth=6)", "bfmm(nodes=400)"])
def test_a_search_is_that_of_the_game_with_passes(spec, compiled):
    ours, theirs = (
        told(spec, game, evaluator, way)
        for game, evaluator, way in ((Strip(), Lead(), compiled), (StripWithPasses(), LeadWithPasses(), False))
    )
    for found in (ours, theirs):
        found["line"] = len(found["line"])  # one says pass, the other 0
    assert ours == theirs


@pytest.mark.slow
@STRIPS
def test_the_value_is_that_of_perfect_play(kind):
    game = kind()
    lead = best_lead(game, kind_of(game).initial(game))
    result = ludus.player("minimax(eval=zero, depth=14)", compiled=False).choose(game)
    assert result.value / 2**20 == lead


@pytest.mark.slow
@MODES
def test_a_search_from_a_position_where_a_pass_is_due(compiled):
    game = BitStrip(1)
    position = game.position().play("0").play("1").play("2")
    assert position.text == "7 1 0"
    boxed = position.play("3")
    assert boxed.is_over
    assert boxed.score == -1  # the second player closed the box, the first would be to move
    game = BitStrip(2)
    position = game.position()
    for name in ("0", "1", "2", "5"):
        position = position.play(name)
    assert position.text == "39 1 -1 pass"
    assert list(position.moves) == ["pass"]
    result = ludus.player("minimax(eval=zero, depth=14)", compiled=compiled).choose(game, position)
    assert result.move_name == "pass"
    assert result.value / 2**20 == best_lead(game, position.state[:3])


@pytest.mark.slow
@MODES
def test_a_mixed_evaluator_is_asked_about_the_authors_states(compiled):
    """Compiled and interpreted alike, where a pass is due too."""
    found = [told("minimax(depth=4)", BitStrip(), Mobile(), mode) for mode in (compiled, False)]
    assert found[0] == found[1]


def test_an_opinion_changes_sign_where_a_pass_is_due():
    game = BitStrip(2)
    due, made = game.position("39 1 -1 pass"), game.position("39 1 -1")
    for evaluator in ("sampler", "random", Lead(), Mobile()):
        assert due.value(evaluator) == -made.value(evaluator) != 0


@pytest.mark.slow
@MODES
def test_random_games_are_those_with_passes(compiled):
    assert [
        told("uct(leaf=playout, nodes=300)", game, None, compiled)["children"][0]["value"] for game in (Strip(),)
    ] == [
        told("uct(leaf=playout, nodes=300)", game, None, False)["children"][0]["value"] for game in (StripWithPasses(),)
    ]


@pytest.mark.slow
@MODES
def test_the_referee(compiled):
    board, slow = Board(Strip(), compiled), Board(StripWithPasses(), False)
    while not slow.is_over:
        assert board.legal == slow.legal
        move = slow.legal[-1]
        board.play(move)
        slow.play(move)
    assert board.is_over
    assert board.score == slow.score
    assert same_state(board.state, slow.state)


# Chance.


@pytest.mark.slow
@MODES
def test_a_game_of_chance(compiled):
    pig = ludus.game("pig", target=6, sides=3)
    for depth in (3, 7):
        assert (
            ludus.perft(AgainPig(), depth, compiled=compiled).leaves == ludus.perft(pig, depth, compiled=False).leaves
        )
    report = ludus.check(AgainPig(), games=30, compiled=compiled)
    assert report.passed, report.faults


# What there is around a game.


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Strip, BitStrip], ids=lambda kind: kind.__name__)
def test_check_compiled(kind):
    report = ludus.check(kind(), games=40, compiled=True)
    assert report.passed, report.faults
    assert report.compiled
    assert report.statistics.to_dict()["length"] == 7  # the passes are not counted
    first, second = report.stories
    assert "First wins" in first.words
    assert "Second wins" in second.words
    assert " moves again)" in first.words + second.words
    assert "pass" not in first.words + second.words


def test_check_of_a_list():
    report = ludus.check(ListStrip(), games=20)
    assert report.passed, report.faults
    assert "list" in report.note


def test_states_have_text():
    for kind in (Strip, BitStrip):
        position = kind().position()
        for name in ("0", "1", "2", "5", "pass", "6"):
            assert kind().position(position.text) == position
            position = position.play(name)
    with pytest.raises(StateError, match="a state of BitStrip is 3 numbers, like '0 0 0'"):
        BitStrip().position("1 2 3 4 pass")
    with pytest.raises(StateError, match="the only move is pass"):
        BitStrip().position("39 1 -1 pass").play("6")


def test_show_says_who_moves_again():
    file = f"{moving_again.__file__}:BitStrip"
    assert "\n1 move   pass (the other player moves again)\n" in run("show", file, "--state", "39 1 -1 pass").out
    assert "moves again" not in run("show", file, "--state", "127 1 -2 pass").out  # the game is over


def test_a_replay_says_who_moves_again():
    players = ("random", "greedy(eval=zero)")
    played = ludus.rank(BitStrip(3), *players, games=40, openings=6, workers=1, compiled=False)
    told = set()
    for before, frame in (pair for replay in replays.replays(played) for pair in pairwise(replay.frames)):
        assert "pass" not in frame.words
        if frame.words.endswith(" moves again"):
            told.add(frame.words.removesuffix(" moves again"))
            assert before.words.split()[0] == frame.words.split()[0]  # who has just moved, or `opening:`
    assert told & set(played.short_names)
    assert told <= {*played.short_names, "opening: the same player"}


def test_a_picture_shows_the_authors_state():
    assert str(Strip().position()) == "0 0 0 0 0 0 0\n0 0"


def test_an_authors_state_will_do():
    game = BitStrip()
    assert ludus.player("greedy(eval=zero)", compiled=False).choose(game, (39, 1, -1)).move_name in "346"
    assert game.legal((39, 1, -1)) == [3, 4, 6]
    assert game.result((127, 1, -1)) == 1


def test_objects_survive_pickling_and_are_what_they_say():
    game = BitStrip(3)
    copy = pickle.loads(pickle.dumps(game))
    assert (repr(copy), copy.boxes, type(copy)) == (repr(game), 3, type(game))
    assert isinstance(game, BitStrip)
    assert repr(game) == "BitStrip(boxes=3)"
    assert type(type(game)(2)) is type(game)


class Edited(BitStrip):
    def mover(self, state):
        return state[1] + 0


def test_another_rule_is_another_game():
    assert identity.of_game(BitStrip()) == identity.of_game(BitStrip())
    assert len({identity.of_game(kind()) for kind in (BitStrip, Edited, Strip, ListStrip)}) == 4


class Nameless(Game):
    alternates = False
    max_moves = 1


def test_who_is_to_move_must_be_said():
    with pytest.raises(LudusError, match=r"Nameless has alternates = False, so it must define mover\(state\)"):
        Nameless()


# The commands.

FILE = moving_again.__file__


@pytest.mark.slow
def test_the_commands_know_such_games(tmp_path):
    game = f"{FILE}:BitStrip"
    found = run("search", game, "minimax(eval=zero, depth=14)", "--json", "--no-compile").json
    assert "pass" in found["line"]
    database = ["--db", tmp_path / "runs.db"]
    match = run("match", game, "uct(nodes=30)", "random", "--games", 8, "--json", "--workers", 2, *database).json
    assert match["games"] == 8
    assert match["faults"] == []
    rank = run("rank", game, "uct(nodes=30)", "random", "--games", 8, "--json", "--no-compile", *database).json
    assert rank["games"] == 8
    shown = run("show", game, "--state", "39 1 -1 pass").out
    assert "\n1 move   pass (the other player moves again)\n" in shown


# Rules that few games have.


class Bounded(BitStrip):
    """With bounds that are not each other's negatives, and features that no two share."""

    def lowest(self, state):
        return -3.0 - state[0]

    def highest(self, state):
        return 5.0 + 2 * state[0]

    def features(self, state, numbers):
        numbers[0], numbers[1] = state[0] + 0.5, -2.0
        return 2


def test_bounds_change_places_where_a_pass_is_due():
    game = Bounded(2)
    made, due = (39, 1, -1, False), (39, 1, -1, True)
    assert (game.lowest(made), game.highest(made)) == (-42.0, 83.0)
    assert (game.lowest(due), game.highest(due)) == (-83.0, 42.0)


def test_features_change_their_signs_where_a_pass_is_due():
    game, numbers = Bounded(2), np.full(3, 7.0)
    assert game.features((39, 1, -1, False), numbers) == 2
    assert numbers.tolist() == [39.5, -2.0, 7.0]
    assert game.features((39, 1, -1, True), numbers) == 2
    assert numbers.tolist() == [-39.5, 2.0, 7.0]
