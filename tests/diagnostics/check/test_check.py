"""`check` names every fault of the broken games: the rule, the position, and what is wrong."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from functools import partial
from types import SimpleNamespace

import pytest

import ludus
from benchmarks.boards import ArrayBoard, has_line
from ludus.common.errors import RuleError
from ludus.diagnostics.check.comparison import EXTRA, compare
from ludus.diagnostics.check.report import Statistics
from ludus.kernel.rules import RULES
from ludus.runtime.dry_run import dry_run
from tests.diagnostics.check import broken_dice, broken_games, broken_opinions
from tests.diagnostics.check.broken_dice import SoundDice
from tests.diagnostics.check.broken_games import Sound, SoundList, SoundObject
from tests.diagnostics.check.broken_opinions import SoundCells, SoundOpinion, SoundOptional
from tests.support import REPOSITORY
from tests.support.commands import run, run_process

FILE = broken_games.__file__
GAMES = {
    name: kind
    for module in (broken_games, broken_dice, broken_opinions)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, ludus.Game)
}
DEPENDS = "the rule depends on something besides its arguments"
MUTATES = "the rule changes the state that it is given"

# Which fault of which rule, in which position (None: any), with which words.
FAULTS = {
    "OverflowInMoves": ("moves", None, "compiled and interpreted differ: compiled gives other legal moves"),
    "OverflowInPlay": ("play", None, "compiled and interpreted differ: compiled gives the state"),
    "OverflowInScore": ("score", None, "compiled and interpreted differ: compiled gives"),
    "OverflowInOver": ("over", None, "compiled and interpreted differ: compiled says otherwise"),
    "OverflowRaises": ("compile", "", "failed in compiled code only (ValueError('less than nothing'))"),
    "FloatForAnInt": ("play", "'7 0'", "a state does not survive its columns: 3.5 does not fit"),
    "TooBigForItsColumn": ("play", "'100 0'", "a state does not survive its columns: "),
    "AnotherShape": ("play", "'7 0'", "a state does not survive its columns: a state is a tuple of 2 numbers"),
    "ForgetfulText": ("parse_state", None, "a state does not survive its own text form: "),
    "UnreadableText": ("parse_state", "'stones: many'", "the state's own text does not parse"),
    "Duplicates": ("moves", "'7 0'", "the move list has duplicates: 1 stands there twice"),
    "TooMany": ("max_moves", "'7 0'", "3 moves, more than max_moves: 2"),
    "FarTooMany": ("moves", "'7 0'", "IndexError"),
    "NoCount": ("moves", "'7 0'", "moves must return how many it wrote, not None"),
    "NegativeCount": ("moves", "'7 0'", "moves must return how many it wrote, not -3"),
    "OverAtOnce": ("moves", "'7 0'", "the game is over before it begins"),
    "OverTooEarly": ("over", None, "the rule says that the game is over, but there are 1 moves"),
    "OverTooLate": ("over", None, "the rule says that the game is not over, but there are 0 moves"),
    "RaisingOver": ("over", "'7 0'", "KeyError: (7, 0)"),
    "Endless": (
        "moves",
        None,
        "the game does not end: 5000 plies of random play did not finish it; a rule must end it",
    ),
    "TooLong": ("length", None, "the game is longer than its length: "),
    "Refusing": ("play", None, "play refuses a legal move: "),
    "Raising": ("moves", None, "ZeroDivisionError"),
    "MutatingPlay": ("play", "'[7, 0]'", MUTATES),
    "MutatingMoves": ("moves", "'[7, 0]'", MUTATES),
    "MutatingScore": ("score", None, MUTATES),
    "CountingInitial": ("initial", None, f"{DEPENDS}: a second call gave another state"),
    "CountingMoves": ("moves", "'7 0'", f"{DEPENDS}: a second call gave other moves"),
    "CountingPlay": ("play", "'7 0'", f"{DEPENDS}: move 1 gave two results"),
    "CountingScore": ("score", None, f"{DEPENDS}: a second call gave another score"),
    "BoardInTheGame": ("moves", None, f"{DEPENDS}: asked later, it gave other moves"),
    "TooLikely": ("chance", None, "probabilities must be at least 0 and add up to 1: [0.5, 0.5, 0.5]"),
    "LessThanNever": ("chance", None, "probabilities must be at least 0 and add up to 1: [-0.25, "),
    "UnlistedOutcome": ("chance", None, "2 probabilities, but moves lists 3 outcomes"),
    "LoadedDice": ("chance", None, f"{DEPENDS}: a second call gave other probabilities"),
    "RaisingChance": ("chance", None, "KeyError: (7, 1, 1)"),
    "ChanceTakesTheTurn": ("mover", None, "chance gave the turn away: its state belongs to the player who moves next"),
    "OverflowInChance": ("chance", None, "compiled and interpreted differ: compiled gives other probabilities"),
    "MovesTwice": ("mover", None, "the same player moves twice"),
    "FalseForesight": ("foreseen", None, "under best play the game ends with -1, not with 1"),
    "WrongSign": ("score", None, "the score has the wrong sign: -1 to the player to move, but the winner is"),
    "ScoreOfADraw": ("score", None, "the score has the wrong sign: 1 to the player to move, but the winner is None"),
    "InfiniteScore": ("score", None, "score must be a finite number, not inf"),
    "NoScore": ("score", None, "score must be a finite number, not None"),
    "HugeScore": ("score", None, "score must be a finite number, not 1000"),
    "RaisingMover": ("mover", "'7 0'", "KeyError: 'who?'"),
    "RaisingWinner": ("winner", None, "KeyError: 'nobody'"),
    "SameNames": ("move_name", "'7 0'", "two moves have the same name: take, take"),
    "SameNamesOfObjects": ("move_name", None, "two moves have the same name: take, take"),
    "RaisingName": ("move_name", "'7 0'", "KeyError: 2"),
    "AnotherMove": ("parse_move", "'7 0'", "a move does not survive its own name: 2 came back as 1"),
    "UnreadableMove": ("parse_move", "'7 0'", "a legal move's own name does not parse: '1': what?"),
    "RaisingPicture": ("render", "'7 0'", "IndexError"),
    "NoStart": ("initial", "", "where is the board?"),
    "NoBound": ("max_moves", "", "must set max_moves"),
    "NotWholeBound": ("max_moves", "", "must set max_moves"),
    "NoRules": ("initial", "", "initial is not defined"),
    "SetsAField": ("play", "'7 0'", "the rule sets self.last: all that changes in a game must be in its state"),
    "RaisingOpinion": ("evaluate of evaluator _Raises", None, "ZeroDivisionError"),
    "NoOpinion": ("evaluate of evaluator _Nothing", "'7 0'", "evaluate must give a number, not nan"),
    "CountingOpinion": ("evaluate of evaluator _Counts", "'7 0'", f"{DEPENDS}: a second call gave another value"),
    "MutatingOpinion": ("evaluate of evaluator _Changes", "'[7, 0]'", MUTATES),
    "OverflowInOpinion": ("evaluate of evaluator _Overflows", None, "compiled and interpreted differ: compiled gives"),
    "UnknownOpinion": ("evaluator", "", "unknown evaluator 'wisdom'"),
    "NumberForAnOpinion": ("evaluator", "", "7 is no evaluator: give a name, a subclass of ludus.Evaluator, or"),
    "LatePhase": ("phase", "'7 0'", "phase must be a number from 0 to 1, not 1.5"),
    "LowAboveHigh": ("lowest", "'7 0'", "lowest is above highest: 1 and -1"),
    "TooHopeful": ("lowest", None, "a game from here ended otherwise: with -1, not 1 or more"),
    "TooModest": ("highest", None, "a game from here ended otherwise: with 1, not 0 or less"),
    "TooManyFeatures": ("features", "'7 0'", "2 features, more than max_features: 1"),
    "FeaturesComeAndGo": ("features", None, "1 features, but 2 in the first position"),
    "UnwrittenFeatures": ("features", "'7 0'", "features must be finite numbers: [0.0, nan]"),
    "UncountedFeatures": ("features", "'7 0'", "features must return how many it wrote, not None"),
    "NamelessFeatures": ("features", "'7 0'", "2 features, but feature_names has 1"),
    "NoShape": ("cells", "'7 0'", "has the rule cells, so it must set cell_shape, like (8, 8)"),
    "FewCells": ("cells", "'7 0'", "cells must return 7, the number of cells, not 1"),
    "UnknownPiece": ("cells", "'7 0'", "a cell must hold a number from 0 to 2, not 3"),
    "UnwrittenCells": ("cells", "'7 0'", "a cell must hold a number from 0 to 3, not -1"),
    "CountingCells": ("cells", "'7 0'", f"{DEPENDS}: a second call gave other cells"),
    "FalseMirror": ("symmetries", "'7 0'", "mirror is none: its image has other moves"),
    "FalseMoves": ("symmetries", None, "all is none: its image has other moves"),
    "FalseResult": ("symmetries", None, "rotations is none: its image does not end with "),
    "NoPermutation": ("symmetries", "", "symmetry 0 of "),
    "UnknownSymmetry": ("symmetries", "", "symmetries are 'mirror', 'flip', 'rotations', 'all' or permutations"),
    "SymmetriesOfNothing": ("symmetries", "", "a game with symmetries needs the rule cells"),
    "UnknownBound": ("highest", "'7 0'", "highest must be a number, not None"),
    "RaisingPhase": ("phase", None, "ZeroDivisionError"),
    "NullKeepsTheTurn": ("null", "'7 0'", "the same player is to move after passing, as mover tells it"),
    "NullLeadsNowhere": ("null", "'7 0'", "in the state after passing moves fails: IndexError"),
    "MutatingNull": ("null", "'[7, 0]'", MUTATES),
    "CountingNoise": ("noisy", None, f"{DEPENDS}: a second call gave another answer"),
    "OverflowInBound": ("lowest", None, "compiled and interpreted differ: compiled says otherwise"),
    "OverflowInNull": ("null", None, "compiled and interpreted differ: compiled says otherwise"),
    "OverflowInNoise": ("noisy", None, "compiled and interpreted differ: compiled says otherwise"),
    "NullOfAnotherShape": ("null", "'7 0'", "a state does not survive its columns: a state is a tuple of 2 numbers"),
    "VeryNoisy": ("noisy", "'7 0'", "noisy must be true or false, not 2"),
    "NeverReturns": ("moves", None, "the rule does not return: after 5 s it was still at work ("),
}
COMPILED = [name for name in FAULTS if name.startswith("Overflow")]


def test_each_broken_game_has_its_fault():
    sound = {"Game", "Sound", "SoundDice", "SoundList", "SoundObject", "SoundOpinion", "SoundOptional"}
    sound |= {"SoundCells", "ArrayBoard"}
    assert set(GAMES) - sound == set(FAULTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FAULTS if name not in COMPILED])
def test_fault(name):
    # A fault that shows in interpreted play must not depend on a compiler.
    assert_found(name, ludus.check(GAMES[name](), compiled=False))


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
def test_fault_of_compiled_rules(name):
    game = GAMES[name]()
    assert ludus.check(game, compiled=False, games=50).passed  # each by itself is a game
    report = ludus.check(game, games=50)
    assert report.compiled
    assert_found(name, report)


@pytest.mark.parametrize("rule", [rule.name for rule in RULES if rule.optional])
def test_every_optional_rule_is_asked(rule):
    def fails(self, *arguments):
        raise KeyError("no idea")

    game = type("Fails", (Sound,), {rule: fails, "cell_shape": (1,)})()
    (fault,) = ludus.check(game, compiled=False, games=1).faults
    assert (fault.rule, fault.message[:8]) == (rule, "KeyError")
    with pytest.raises(RuleError, match=rf"rule {rule} of .*Fails failed in position '7 0': KeyError"):
        dry_run(game, ludus.evaluator("zero"))


@pytest.mark.slow
def test_further_rules_are_compared_too():
    """Each in the table of rules; all are compiled once."""
    assert ludus.check(SoundOptional(), games=5, compiled=False).passed
    assert list(compare(SoundOptional(), None, 0, 0.1, None)) == []
    for place, rule in enumerate(EXTRA):
        (fault,) = compare(SoundOptional(place), None, 0, 0.1, None)
        assert fault[::2] == (rule, "compiled and interpreted differ: compiled says otherwise")


def assert_found(name, report):
    rule, position, words = FAULTS[name]
    assert not report.passed
    assert report.story == ""
    assert report.stories == report.questions == []
    assert len(report.faults) == 1, report.faults
    fault = report.faults[0]
    assert fault.rule == rule
    assert words in fault.message
    assert fault.position == position if position is not None else fault.position != ""


@pytest.mark.parametrize(
    "game",
    [Sound(), SoundDice(), SoundList(), SoundObject(), SoundOpinion(), SoundCells()],
    ids=lambda game: type(game).__name__,
)
def test_sound_games_pass_interpreted(game):
    report = ludus.check(game, games=200, seconds=600, compiled=False)
    assert report.faults == []
    assert report.games == 200
    assert report.positions > 5 * report.games
    assert not report.compiled


@pytest.mark.slow
@pytest.mark.parametrize("game", [Sound(), SoundDice(), SoundOpinion()], ids=lambda game: type(game).__name__)
def test_sound_games_pass_compiled(game):
    report = ludus.check(game, games=200, compiled=True)
    assert report.faults == []
    assert report.compiled


def test_states_that_are_no_tuples_are_noted_or_with_compile_a_fault():
    report = ludus.check(SoundList(), games=20)
    assert report.passed
    assert "the states of SoundList are not tuples of numbers and boards but list objects: for a list" in report.note
    report = ludus.check(SoundList(), games=20, compiled=True)
    assert [fault.rule for fault in report.faults] == ["compile"]


def test_where_the_raising_line_is():
    fault = ludus.check(broken_games.Refusing(), compiled=False).faults[0]
    assert "ValueError: three stones are sacred" in fault.message
    assert "broken_games.py, line " in fault.message
    assert fault.position.startswith("'3 ")


def test_same_seed_same_report():
    first, second, other = (ludus.check(Sound(), games=30, seed=seed, compiled=False) for seed in (1, 1, 2))
    assert (first.positions, first.story) == (second.positions, second.story)
    assert first.positions != other.positions or first.story != other.story


def test_seconds_bound_the_time():
    quick = ludus.check(Sound(), seconds=0.001, compiled=False)
    assert quick.games == 10  # at least so many, whatever the time


def test_interrupt_keeps_what_was_found():
    class Interrupted(Sound):
        calls = 0

        def moves(self, state, out):
            type(self).calls += 1
            if self.calls > 500:
                raise KeyboardInterrupt
            return Sound.moves(self, state, out)

    report = ludus.check(Interrupted())
    assert report.interrupted
    assert report.passed
    assert 5 < report.games < 100


# The story.


class OneByOne(Sound):
    """One stone at a time: nothing to choose, so the story is known; the score is in points."""

    def __init__(self, stones: int = 2, points: float = 1.0) -> None:
        self.stones, self.points = stones, points

    def moves(self, state, out):
        out[0] = 1
        return min(state[0], 1)

    def score(self, state):
        return self.points

    def winner(self, state):
        if self.points == 0:
            return None
        return self.mover(state) if self.points > 0 else ("Second", "First")[state[1]]


@pytest.mark.parametrize(
    ("stones", "points", "story"),
    [
        (1, 1, "First moved 1 and the game is over: Second wins."),
        (1, -1, "First moved 1 and the game is over: First wins."),
        (2, 1, "After 1: Second moved 1 and the game is over: First wins."),
        (2, -1, "After 1: Second moved 1 and the game is over: Second wins."),
        (3, 1, "After 1 1: First moved 1 and the game is over: Second wins."),
        (2, 0, "After 1: Second moved 1 and the game is over: it is a draw."),
        (2, 5, "After 1: Second moved 1 and the game is over: First wins by 5."),
        (3, -2.5, "After 1 1: First moved 1 and the game is over: First wins by 2.5."),
    ],
)
def test_story(stones, points, story):
    assert ludus.check(OneByOne(stones, points), games=3, compiled=False).story == story


def test_one_short_game_won_by_each_with_its_last_board_drawn():
    first, second = ludus.check(Sound(), games=3, compiled=False).stories
    assert first.words.endswith("Second moved 2 and the game is over: First wins.")
    assert second.words.endswith("and the game is over: Second wins.")
    assert (first.picture, second.picture) == ("0 0", "0 1")


def test_of_a_long_game_the_last_moves_are_told():
    [story] = ludus.check(OneByOne(101), games=3, compiled=False).stories
    moves = " ".join(["1"] * 20)
    assert story.words == f"After 100 moves, the last of them {moves}: First moved 1 and the game is over: Second wins."


# How random games went.


def test_statistics_are_what_they_are_called():
    found = Statistics()
    found.add(0, [(0, 2), (1, 1), (0, 3)], points=False)  # First made the last move and won
    found.add(None, [(0, 2), (1, 2)], points=False)
    found.add(1, [(0, 1)], points=True)
    found.add(1, [(0, 5), (1, 1), (0, 1), (1, 1)], points=True)
    assert found.to_dict() == pytest.approx(
        {
            "first": 1 / 4,
            "second": 2 / 4,
            "draw": 1 / 4,
            "last_mover_wins": 2 / 3,
            "length": 10 / 4,
            "branching": 19 / 10,
            "forced": 5 / 10,
        }
    )
    assert Statistics().to_dict() == {}
    assert str(Statistics()) == ""


def test_statistics_of_a_known_game():
    found = ludus.check(OneByOne(3, -1), games=10, compiled=False).statistics
    assert found.to_dict() == {
        "first": 1,
        "second": 0,
        "draw": 0,
        "last_mover_wins": 1,
        "length": 3,
        "branching": 1,
        "forced": 1,
    }
    assert str(found) == (
        "In random play First wins 100%, Second 0%, nobody 0%; the last mover wins 100% of the games that are won."
        " A game lasts 3 moves, chosen from 1 on average; 100% are forced."
    )


def test_statistics_do_not_count_chance():
    """Three outcomes of a die, but only one move for a player: to roll it."""
    report = ludus.check(SoundDice(), games=50, compiled=False)
    assert report.statistics.decisions == report.statistics.legal == report.statistics.forced
    assert report.statistics.decisions == (report.positions - report.games) / 2


class Nobody(Sound):
    def score(self, state):
        return 0

    def winner(self, state):
        return None


class RedWins(ArrayBoard):
    """Its author thinks of Red, who moves first: +1 if Red wins."""

    def score(self, state):
        board, player = state
        if not has_line(board, 3 - player):
            return 0
        return 1 if player == 2 else -1


class WonIsPlus(ArrayBoard):
    """+1 for a win, though the player to move has lost."""

    def score(self, state):
        return 1 if has_line(state[0], 3 - state[1]) else 0


class Misplaced(ArrayBoard):
    """+1 if the first square is Red's."""

    def score(self, state):
        return 1 if state[0][0] == 1 else -1


class Points(Misplaced):
    """Points have nothing to do with who moved last."""

    def score(self, state):
        return 3 * super().score(state)


class SaysWho(RedWins):
    """Second has been given all the games on purpose."""

    def mover(self, state):
        return state[1]

    def winner(self, state):
        return 2 if has_line(state[0], 3 - state[1]) else None


ONLY = "Only Second ever wins: is the score to the player to move, and not always to the same player?"


@pytest.mark.parametrize(
    ("game", "questions"),
    [
        (Nobody(), ["Nobody ever wins: does score give 0 only, and does play give the turn to the other player?"]),
        (WonIsPlus(), ["The last mover loses in 100%: is that meant, or should score be -1 where it is 1?"]),
        (RedWins(), [ONLY]),
        (Misplaced(), ["The last mover wins in 5.%: is the score to the player to move?"]),
        (OneByOne(4), ["There is only one move in 100% of the positions: are some missing?"]),
        (Points(), []),
        (SaysWho(), []),
        (ArrayBoard(), []),
        (Sound(), []),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, ludus.Game) else "",
)
def test_suspicious_figures_are_asked_about(game, questions):
    report = ludus.check(game, games=150, seconds=60, compiled=False)
    assert report.passed, report.faults
    assert len(report.questions) == len(questions)
    for found, wanted in zip(report.questions, questions, strict=True):
        assert re.fullmatch(wanted.replace("?", r"\?"), found)


def test_nothing_is_asked_about_a_few_games():
    assert ludus.check(Nobody(), games=20, compiled=False).questions == []


# The command.


@pytest.mark.parametrize("name", ["Duplicates", "WrongSign", "NoStart", "NoBound", "Endless"])
def test_command_names_the_fault(name):
    rule, position, words = FAULTS[name]
    ran = run("check", f"{FILE}:{name}", "--no-compile")
    assert ran.status == 1
    assert ran.err == ""
    assert ran.out.startswith(f"FAULT in {rule}")
    assert words in ran.out
    assert position is None or position in ran.out
    assert "Is this how your game ends?" not in ran.out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Duplicates", "NoStart", "OverflowInScore"])
def test_command_as_json(name):
    rule, position, words = FAULTS[name]
    ran = run("check", f"{FILE}:{name}", "--json")
    assert ran.status == 1
    assert ran.json["game"].endswith(f"broken_games.py:{name}")
    assert ran.json["passed"] is False
    assert ran.json["seed"] == 0
    [fault] = ran.json["faults"]
    assert set(fault) == {"rule", "position", "message"}
    assert fault["rule"] == rule
    assert position is None or fault["position"] == position
    assert words in fault["message"]


@pytest.mark.slow
def test_command_in_a_process_of_its_own():
    ran = run_process("check", f"{FILE}:WrongSign", "--json")
    assert ran.status == 1
    assert ran.json["faults"][0]["rule"] == "score"
    assert ran.err == ""


def test_command_passes_a_sound_game():
    ran = run("check", "nim(stones=4)", "--seconds", "0.1", "--no-compile")
    assert ran.status == 0
    assert "no fault" in ran.out
    assert "In random play First wins " in ran.out
    assert "\nIs this how your game ends? (seed 0)\n\nAfter " in ran.out
    assert ran.out.endswith("Second wins.\n0\n")


@pytest.mark.slow
def test_command_tells_all_in_json():
    ran = run("check", "tictactoe", "--games", "120", "--no-compile", "--json")
    told = ran.json
    assert set(told["statistics"]) == {"first", "second", "draw", "last_mover_wins", "length", "branching", "forced"}
    assert told["statistics"]["last_mover_wins"] == 1
    assert [set(story) for story in told["stories"]] == [{"words", "picture"}] * 2
    assert told["story"] == told["stories"][0]["words"]
    assert told["questions"] == []


CTRL_C = """
import os, signal, ludus
from tests.diagnostics.check import broken_games
from ludus.model.watchdog import Watch
look = Watch._look
def look_and_press(self, *arguments):
    look(self, *arguments)
    if self.rule:
        os.kill(os.getpid(), signal.SIGINT)
Watch._look = look_and_press
report = ludus.check(broken_games.NeverReturns(), compiled=False)
print(report, report.interrupted, report.faults)
"""


@pytest.mark.slow
def test_ctrl_c_in_a_rule_that_does_not_return_names_it():
    """It is pressed as soon as the rule seems stuck, however long that takes on a busy machine."""
    command = [sys.executable, "-c", CTRL_C]
    told = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=120).stdout
    assert " True [Fault(" in told
    assert "Fault(rule='moves', position=\"'1 " in told
    assert "the rule does not return: after " in told


def test_a_missing_rule_is_named_in_a_search_too():
    class Scoreless(Sound):
        score = ludus.Game.score

    with pytest.raises(ludus.LudusError, match=r"Scoreless does not define the rule score\.$"):
        ludus.player("minimax(eval=zero, depth=9)", compiled=False).choose(Scoreless())


def test_a_rule_that_returns_nothing_is_named_in_a_search_too():
    with pytest.raises(ludus.LudusError, match="it must return how many moves it wrote, not None"):
        ludus.player("greedy(eval=zero)", compiled=False).choose(broken_games.NoCount())


def test_a_missing_bound_is_named_in_a_search_too():
    with pytest.raises(ludus.LudusError, match=r"NoBound must set max_moves, an upper bound"):
        ludus.player("greedy(eval=zero)", compiled=False).choose(broken_games.NoBound())


@pytest.fixture
def a_second_a_game(monkeypatch):
    """A clock for `check` that is looked at once before each game."""
    clock = SimpleNamespace(monotonic=partial(next, map(float, itertools.count())))
    monkeypatch.setattr("ludus.diagnostics.check.games.time", clock)


@pytest.mark.usefixtures("a_second_a_game")
def test_it_says_when_there_was_time_for_a_few_games_only():
    few = ludus.check("nim", seconds=12.0, games=500, compiled=False)
    assert few.games == 13
    words = "only 13 random games could be played in the time, too few to ask about the figures"
    assert few.remarks == [f"{words}: a larger `seconds` allows more."]
    assert few.to_dict()["remarks"] == few.remarks
    assert "REMARK: only 13 random games" in str(few)


@pytest.mark.usefixtures("a_second_a_game")
@pytest.mark.parametrize(("games", "seconds"), [(30, 1000.0), (500, 99.5)])
def test_it_does_not_if_no_more_were_asked_for_or_they_are_enough(games, seconds):
    report = ludus.check("nim", seconds=seconds, games=games, compiled=False)
    assert report.games == min(games, 100)
    assert report.remarks == []
    assert "REMARK" not in str(report)


@pytest.mark.usefixtures("a_second_a_game")
def test_the_command_names_the_option_that_allows_more():
    assert "a larger --seconds allows more." in run("check", "nim", "--seconds", 12, "--no-compile").out
