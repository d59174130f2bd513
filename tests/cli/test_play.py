"""`ludus play`, scripted through standard input."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

import ludus
from ludus.arena.play.opponents import OPPONENTS, opponent
from ludus.terminal.playing import HELP
from tests.support import SUPPORT, moving_again
from tests.support.commands import PATIENCE, Ran, assert_refused, run
from tests.support.reference_othello import SlowOthello

GAMES = SUPPORT / "user_games.py"
PEOPLE = ["--first", "person", "--second", "person"]
EMPTY = "1 . . .\n2 . . .\n3 . . .\n  a b c"


@pytest.fixture
def play(monkeypatch):
    """`play(what is typed, arguments)`, interpreted; the lines must suffice for the game or end with `quit`."""

    def begin(typed: str, *arguments: object) -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{word}\n" for word in typed.split())))
        return run("play", *arguments, "--no-compile")

    return begin


def last_line(ran: Ran) -> str:
    assert ran.status == 0
    assert ran.err == ""
    return ran.out.splitlines()[-1]


# Moves without a choice.


def test_a_person_does_not_have_to_pass(play):
    """Second closes a box with 5 and moves again; in the end there is only one edge left."""
    ran = play("0 1 2 5 3 4", f"{moving_again.__file__}:BitStrip", *PEOPLE)
    assert last_line(ran) == "The game is over: Second wins by 2."
    assert ran.out.count("you have only one move: ") == 1
    assert ran.out.index("\nSecond moves again\nyour move> ") < ran.out.index("\nyou have only one move: 6\n")
    assert "pass" not in ran.out


def test_a_search_does_not_play_a_pass_either(play):
    """With this seed Second closes a box."""
    ran = play("", f"{moving_again.__file__}:BitStrip", "--first", "random", "--second", "random", "--seed", 3)
    assert last_line(ran).startswith("The game is over: ")
    assert "\nSecond moves again\n" in ran.out
    assert "plays pass" not in ran.out


def test_undo_goes_back_to_a_choice(play):
    ran = play("0 1 2 5 undo state quit", f"{moving_again.__file__}:BitStrip", *PEOPLE)
    assert ran.out.splitlines()[-1].removeprefix("your move> ").strip() in ("", "7 1 0")
    assert "  7 1 0\n" in ran.out


# The result.


@pytest.mark.parametrize(
    ("game", "moves", "result"),
    [
        ("tictactoe", "a1 b1 a2 b2 a3", "First wins."),
        ("tictactoe", "a1 b1 a2 b2 c1 b3", "Second wins."),
        ("tictactoe", "b2 a1 a2 c2 b1 b3 a3 c1 c3", "a draw."),
        ("nim(stones=3)", "3", "Second wins."),  # who takes the last one loses
        ("nim(stones=3)", "2 1", "First wins."),
        ("chess", "f3 e5 g4 Qh4", "Second wins."),
        ("chess", 2 * "Nf3 Nf6 Ng1 Ng8 ", "a draw by repetition."),
    ],
)
def test_two_people(play, game, moves, result):
    assert last_line(play(moves, game, *PEOPLE)) == f"The game is over: {result}"


@pytest.mark.parametrize("seed", range(6))
def test_by_how_much(play, seed):
    chance, slow, moves = random.Random(seed), SlowOthello(4), []
    while slow.moves():
        moves.append(chance.choice(slow.moves()))
        slow = slow.play(moves[-1])
    lead = slow.score() if slow.mover == "X" else -slow.score()  # of black, who is first
    result = f"{'First' if lead > 0 else 'Second'} wins by {abs(lead)}." if lead else "a draw."
    assert last_line(play(" ".join(moves), "othello(size=4)", *PEOPLE)) == f"The game is over: {result}"


def test_the_side_to_move_in_a_given_position_is_first(play):
    ran = play("b1", "tictactoe", "--state", "X-XOO---- X", *PEOPLE)
    assert last_line(ran) == "The game is over: First wins."
    ran = play("c2", "tictactoe", "--state", "X-XOO---X O", *PEOPLE)  # O wins, and begins here
    assert last_line(ran) == "The game is over: First wins."


def test_a_repetition_that_was_taken_back(play):
    ran = play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 undo Nf6 quit", "chess", *PEOPLE, "--json")  # the second time, not the third
    assert ran.json["over"] is False
    found = play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 undo Nf6 Ng1 Ng8", "chess", *PEOPLE, "--json").json
    assert (found["over"], found["score"], found["winner"], len(found["moves"])) == (True, 0.0, None, 8)


def test_a_finished_position(play):
    ran = play("", "tictactoe", "--state", "XXXOO---- O", *PEOPLE)
    assert last_line(ran) == "The game is over: Second wins."


# A person and a player.


@pytest.mark.slow
def test_a_person_moves_first_unless_told_otherwise(play):
    ran = play("a1 quit", "tictactoe", "--second", "minimax(depth=9)")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[0] == "First: person. Second: minimax(eval=open-lines, depth=9). Seed 0. Type help."
    assert "minimax plays b2, value 0" in lines
    assert ran.out.count("your move> ") == 2
    assert ran.out.startswith(f"{lines[0]}\n\n{EMPTY}\n\nyour move> \n1 X . .\n")
    assert "1 X . .\n2 . O .\n3 . . .\n  a b c\n\nyour move> " in ran.out


def test_a_person_moves_second(play):
    ran = play("a1 quit", "tictactoe", "--first", "greedy(eval=open-lines)", "--second", "person")
    assert ran.out.startswith("First: greedy(eval=open-lines, nodes=2000). Second: person. Seed 0. Type help.\n")
    assert ran.out.index("greedy plays b2, value 4") < ran.out.index("your move> ")
    assert ran.out.count("your move> ") == 2
    assert ran.out.count("greedy plays") == 2


def test_to_the_end_against_a_player(play):
    """In nim with 6 stones the first player takes 1, then always leaves 4 less."""
    ran = play("1 1 1 1 1 1", "nim(stones=6)", "--first", "minimax", "--second", "person")
    assert last_line(ran) == "The game is over: First wins."
    assert "minimax plays 1, value win" in ran.out
    ran = play("1 1 2 3 1 1", "nim(stones=5)", "--first", "person", "--second", "minimax")
    assert last_line(ran) == "The game is over: Second wins."


def test_two_players(play):
    ran = play("", "nim(stones=5)", "--first", "minimax", "--second", "minimax")
    assert last_line(ran) == "The game is over: Second wins."
    assert "your move" not in ran.out
    assert "Type help" not in ran.out
    assert "minimax plays 1, value loss" in ran.out


def test_seed(play):
    def moves(seed: int) -> list[str]:
        ran = play("", "nim(stones=40)", "--first", "random", "--second", "random", "--seed", seed, "--json")
        assert ran.json["seed"] == seed
        return ran.json["moves"]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)
    assert len(set(moves(1))) > 1


# What can be typed.


def test_moves_state_and_help(play):
    ran = play("moves state help ? quit", "tictactoe", "--state", "X---O---- X", *PEOPLE)
    assert "your move>   b1 c1 a2 c2 a3 b3 c3\n" in ran.out
    assert "your move>   X---O---- X\n" in ran.out
    assert ran.out.count(HELP) == 2
    assert ran.out.count("1 X . .\n2 . O .") == 1  # the board is drawn when it has changed
    words = [line.split()[0] for line in HELP.splitlines()]
    assert words == ["a", "moves", "hint", "opinion", "undo", "state", "quit"]


def test_an_empty_line_is_a_cry_for_help(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n   \nquit\n"))
    assert run("play", "nim", *PEOPLE, "--no-compile").out.count(HELP) == 2


@pytest.mark.parametrize("word", ["quit", "exit", "q"])
def test_quit(play, word):
    ran = play(f"1 {word} 1 1", "nim(stones=9)", *PEOPLE)
    assert ran.status == 0
    assert ran.out.count("your move> ") == 2
    assert "over" not in ran.out


def test_the_end_of_the_input(play):
    ran = play("1", "nim(stones=9)", *PEOPLE)
    assert ran.status == 0
    assert ran.err == ""
    assert ran.out.endswith("your move> \n")


@pytest.mark.parametrize(
    ("game", "word", "answer"),
    [
        ("tictactoe", "d4", "unknown move 'd4'; legal moves are: a1, a2, a3, b1, b2, b3, c1, c2, c3."),
        ("nim(stones=2)", "3", "unknown move '3'; legal moves are: 1, 2."),
        ("nim(stones=2)", "quti", "unknown move 'quti'; legal moves are: 1, 2."),
        ("othello(size=4)", "pa", "unknown move 'pa'; did you mean a2?"),
    ],
)
def test_an_illegal_move_is_answered_with_one_sentence(play, game, word, answer):
    ran = play(f"{word} moves quit", game, *PEOPLE)
    assert ran.status == 0
    assert ran.err == ""
    assert f"your move>   {answer}\nyour move>   " in ran.out
    assert ran.out.count("your move> ") == 3


def test_a_users_game_that_raises_when_it_cannot_read_a_move(play, tmp_path):
    (tmp_path / "mine.py").write_text(
        GAMES.read_text().split("class Fractions")[0]
        + "    def parse_move(self, state, text):\n        return int(text)\n"
    )
    ran = play("two 3 2 quit", f"{tmp_path}/mine.py:Stones", *PEOPLE)
    assert ran.status == 0
    assert "  'two' is not a move (invalid literal for int() with base 10: 'two'); legal moves are 1, 2.\n" in ran.out
    assert "  3 is not legal; legal moves are 1, 2.\n" in ran.out
    assert ran.out.count("your move> ") == 4
    assert "\n3\n" in ran.out  # two of five are gone


def test_hint(play):
    ran = play("hint quit", "nim(stones=8)", "--second", "minimax")
    assert "your move>   minimax would play 3\n" in ran.out  # which leaves five
    assert ran.out.count("your move> ") == 2


def test_opinion(play):
    ran = play("opinion quit", "tictactoe", "--state", "XX-OO---- X", "--second", "minimax(depth=2)")
    rows = [line.removeprefix("your move> ").split() for line in ran.out.splitlines() if line.count("  ") > 1][-5:]
    assert rows[0] == ["c1", "win", "depth", "2"]
    assert sorted(row[0] for row in rows) == ["a3", "b3", "c1", "c2", "c3"]
    assert [row[1] for row in rows if row[0] in ("a3", "b3", "c3")] == ["loss"] * 3  # O takes c2
    game = ludus.game("tictactoe")
    result = ludus.player("minimax(depth=2)", compiled=False).choose(game, game.position("XX-OO---- X"))
    assert {row[0]: row[1] for row in rows} == {child.name: result.words(child.value) for child in result.children}


def test_opinion_of_a_search_that_has_more_to_say(play):
    ran = play("opinion quit", "tictactoe", "--second", "lcf(nodes=50)")
    assert ran.out.count(" swing ") == 9


def test_no_opinion(play):
    ran = play("opinion quit", "nim", "--second", "random")
    assert "your move>   random has no opinion\n" in ran.out


def test_advice_among_people(play):
    ran = play("hint quit", "nim(stones=8)", *PEOPLE)
    assert "  alphabeta would play 3\n" in ran.out


def test_advice_changes_nothing(play):
    """The one who is asked does not spend its own budget for the game, nor lose what it knows."""
    arguments = ["tictactoe(size=4)", "--second", "bfmm(reuse=true, nodes=500, per=game)", "--json"]
    quiet = play("a1 b1 b2 quit", *arguments)
    asked = play("hint a1 opinion hint b1 hint b2 opinion quit", *arguments)
    assert quiet.json == asked.json
    assert len(quiet.json["moves"]) >= 4


def test_advice_is_always_the_same(play):
    """However often one asks: no budget for the game is used up."""
    ran = play("opinion " * 6 + "quit", "tictactoe(size=4)", "--second", "bfmm(nodes=500, per=game)")
    first, *others = ran.out.split("your move> ")[1:-1]
    assert others == [first] * 5
    assert len(first.splitlines()) == 16


def test_undo_against_a_player(play):
    ran = play("undo 2 undo undo state 1 quit", "nim(stones=9)", "--second", "minimax")
    assert ran.out.count("  there is nothing to take back.\n") == 2  # at the start, and there again
    assert "your move>   9\n" in ran.out
    assert ran.out.count("\n9\n") == 2  # drawn at first, and after it was taken back


def test_undo_for_the_second_player(play):
    ran = play("undo 1 undo state quit", "nim(stones=9)", "--first", "minimax", "--second", "person", "--json")
    assert "  there is nothing to take back.\n" in ran.err
    assert len(ran.json["moves"]) == 1  # the first player's own move stays


def test_undo_among_people(play):
    ran = play("1 2 undo 3 quit", "nim(stones=9)", *PEOPLE, "--json")
    assert ran.json["moves"] == ["1", "3"]
    assert ran.json["state"] == "5"
    ran = play("1 undo undo 3 quit", "nim(stones=9)", *PEOPLE, "--json")
    assert ran.json["moves"] == ["3"]
    assert "nothing to take back" in ran.err


def test_passing(play):
    ran = play("pa c1", "othello(size=4)", "--state", f"XO{14 * '-'} O", *PEOPLE)
    assert last_line(ran) == "The game is over: Second wins by 16."


# JSON.


def test_json(play):
    ran = play("a1 b1 a2 zz b2 a3", "tictactoe", *PEOPLE, "--json")
    assert ran.status == 0
    assert ran.json == {
        "game": "tictactoe",
        "players": ["person", "person"],
        "start": "--------- X",
        "moves": ["a1", "b1", "a2", "b2", "a3"],
        "state": "XO-XO-X-- O",
        "over": True,
        "score": -1.0,
        "winner": "first",
        "seed": 0,
    }
    assert "The game is over: First wins." in ran.err
    assert ran.err.count("your move> ") == 6


@pytest.mark.parametrize(
    ("typed", "over", "winner"),
    [("", False, None), ("1 1", False, None), ("3 2", True, "first"), ("3 1 1", True, "second")],
)
def test_json_of_a_game_that_was_left_or_finished(play, typed, over, winner):
    found = play(typed, "nim(stones=5)", *PEOPLE, "--json").json
    assert found["moves"] == typed.split()
    assert (found["over"], found["winner"]) == (over, winner)
    assert found["score"] == (1.0 if over else None)  # the other took the last stone


@pytest.mark.slow
def test_two_searches_do_not_go_on_for_ever(play):
    """A person may, as long as there is patience."""
    game = f"{SUPPORT / 'fragile.py'}:Shuffle"
    searches = ("--first", "greedy", "--second", "minimax(depth=1)", "--no-compile")
    ran = play("", game, *searches)
    assert ran.status == 0
    assert ran.out.endswith("The game is over: a draw after 5,000 plies.\n")
    found = play("", game, *searches, "--json").json
    assert (len(found["moves"]), found["over"], found["winner"], found["score"]) == (5000, True, None, 0)
    zeros = " ".join(["0"] * 2501)
    found = play(zeros, game, "--second", "greedy", "--no-compile", "--json").json
    assert (len(found["moves"]), found["over"]) == (5002, False)


# Bad input.


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("nimm", ["unknown game 'nimm'", "did you mean nim?"]),
        ("nim --second minmax", ["unknown search 'minmax'", "did you mean minimax?"]),
        ("nim --first people", ["unknown search 'people'"]),
        ("nim --second greedy(eval=discs)", ["discs is for othello, not for nim"]),
        ("nim --state five", ["'five' is not a state of nim"]),
        ("nim --budget nodes=0", ["nodes must be a whole number of at least 1"]),
    ],
)
def test_bad_input(arguments, words):
    assert_refused(run("play", *arguments.split()), *words)


# Ctrl-C, in a real process.


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("as_json", [False, True])
def test_ctrl_c_at_the_prompt(as_json):
    command = [sys.executable, "-u", "-m", "ludus", "play", "nim", *PEOPLE, *(["--json"] if as_json else [])]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, text=True, start_new_session=True, **pipes)
    try:
        process.stdin.write("1\n")
        process.stdin.flush()
        words = process.stderr if as_json else process.stdout
        said = ""
        while said.count("your move> ") < 2:
            said += words.read(1)
        time.sleep(0.3)  # it has said so, and waits
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in err
    if as_json:
        assert json.loads(out)["moves"] == ["1"]
        assert json.loads(out)["over"] is False


# Whom to play against.


class TestOpponents:
    def test_the_best_of_the_last_ranking(self, play, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        for game, loser, winner in (("tictactoe", "greedy", "minimax"), ("nim", "random", "greedy")):
            ranked = {"games": 2, "workers": 1, "compiled": False, "budget": "nodes=50", "db": "ludus.db"}
            ludus.rank(game, loser, f"{winner}(depth=3)", **ranked)
        best = ludus.rank("tictactoe", "random", "minimax(depth=4)", seed=3, **ranked).to_dict()["best"]
        assert best.startswith("minimax")
        ran = play("quit", "tictactoe", "--second", "best")
        assert ran.out.splitlines()[0] == f"First: person. Second: {best}. Seed 0. Type help."
        assert_refused(play("", "othello", "--second", "best"), "there is no ranking of othello in ", "rank it first")
        assert_refused(play("", "nim", "--second", "best", "--db", "none.db"), "there is no database ", "a ranking")

    @pytest.mark.slow
    def test_nobody_is_offered_whom_a_ranking_leaves_out(self, play):
        """Where positions are judged by random games, one expansion may cost more than twice the budget."""
        game, offered = ludus.game("nim(stones=60)"), set()
        for nodes in (15, 60, 2000):
            budget = ludus.Budget(nodes=nodes)
            player = opponent(game, budget, compiled=False)
            excluded = ludus.rank(game, budget=budget, games=2, workers=1, compiled=False).excluded
            names = [str(ludus.player(name, budget).on(game)) for name in OPPONENTS]
            assert str(player) not in excluded
            assert set(names[: names.index(str(player))]) <= excluded.keys()
            offered.add(player.search.title)
        assert "alphabeta" in offered
        assert len(offered) > 1
        assert "Second: alphabeta(" in play("quit", "pig").out, "which knows dice"

    @pytest.mark.parametrize("word", ["human", "me"])
    def test_a_person_by_another_name(self, play, word):
        assert_refused(
            play("", "nim", "--second", word), f"{word!r} is no player: a person who plays is called person."
        )

    def test_in_python(self, capsys, monkeypatch):
        monkeypatch.setattr("builtins.input", lambda prompt: "2")
        last = ludus.play("nim(stones=5)", second=ludus.player("minimax(depth=9)", compiled=False))
        assert last.is_over
        assert capsys.readouterr().out.splitlines()[-1].startswith("The game is over: ")
        people = ludus.play("nim(stones=5)", "person", "person", state="1", compiled=False)
        assert people.text == "0"
