"""What people are told whose game was written for a library in which states and moves may be anything."""

import pytest

from ludus.runtime.runner import SLOWER
from tests.cli import easy_games
from tests.support.commands import assert_refused, run

COMPILES = "for a dict give a tuple of its values, or a NumPy array with a place for each key."


def game(kind):
    return f"{easy_games.__file__}:{kind}"


@pytest.mark.slow
def test_a_dict_runs_interpreted_and_one_line_says_what_would_compile_and_how_much_faster_it_would_be(tmp_path):
    ran = run("check", game("Numbered"), "--games", 20)
    assert ran.status == 0
    [line] = [line for line in ran.out.splitlines() if line.startswith("It runs interpreted")]
    assert line.startswith(f"It runs interpreted, {SLOWER}: the states of ")
    assert line.endswith(f" are not tuples of numbers and boards but dict objects: {COMPILES}")
    match = ("match", game("Numbered"), "uct(nodes=50)", "random", "--games", 4, "--db", tmp_path / "games.db")
    for command in (("search", game("Numbered"), "uct(nodes=50)"), match):
        ran = run(*command)
        assert ran.status == 0
        [line] = ran.err.splitlines()
        assert f"easy_games.py:Numbered, {SLOWER}: the states of " in line
        assert line.endswith(COMPILES)


@pytest.mark.parametrize("command", [("check",), ("search", "uct(nodes=50)"), ("rank",)])
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("Worded", "a move is a whole number, such as that of a square; move_name gives it a name"),
        ("Returned", "write the moves as out[n] = move, n from 0 on, and return how many they are"),
    ],
)
def test_moves_that_are_words_are_refused_with_what_to_do(kind, words, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, *rest = command
    ran = run(name, game(kind), *rest)
    if name == "check":
        assert ran.status == 1
        assert words in ran.out
    else:
        assert_refused(ran, "moves", words)


@pytest.mark.slow
def test_it_is_said_once_whoever_runs_interpreted(tmp_path, monkeypatch):
    """Whoever calibrates the evaluator does, and so do the players."""
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    ran = run("rank", game("Numbered"), "mgss(nodes=20)", "random", "--games", 2)
    assert ran.status == 0
    assert "needs the error model of zero" in ran.err
    assert ran.err.count(SLOWER) == 1
