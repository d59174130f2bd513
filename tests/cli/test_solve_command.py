"""`ludus solve`."""

from __future__ import annotations

import pytest

from tests.support.commands import run

KEYS = {"game", "value", "move", "line", "nodes", "seconds", "solved"}


def test_the_value_the_move_and_the_line():
    found = run("solve", "nim(stones=9)", "--state", "6", "--no-compile", "--json").json
    assert set(found) >= KEYS
    assert (found["game"], found["value"], found["move"], found["solved"]) == ("nim(stones=9)", 1, "1", True)
    assert found["line"][0] == "1"
    said = run("solve", "nim(stones=9)", "--state", "6", "--no-compile").out
    assert said.startswith("nim(stones=9): win for the player to move\nmove     1\nline     1 ")


def test_a_small_game_is_told_whole():
    """With 5 stones the first player is lost: he takes 1, the other 3, and 1 is left, which he must take."""
    found = run("solve", "nim(stones=5)", "--no-compile", "--json").json
    assert (found["value"], found["line"], found["shortest"]) == (-1, ["1", "3", "1"], True)
    assert (found["reachable"], found["choices"], found["single"]) == (6, 2, 1)
    assert found["nodes"] < 10 * 24  # of the search itself
    said = run("solve", "nim(stones=5)", "--no-compile").out
    assert "3 plies, the fewest against the longest resistance; of 2 choices 1 had only one right move\n" in said
    assert "6 positions can be reached\n" in said


@pytest.mark.parametrize("limit", [("--whole", "5"), ("--whole", "0"), ("--budget", "nodes=30")])
def test_what_is_too_large_is_solved_and_no_more(limit):
    found = run("solve", "nim(stones=5)", *limit, "--no-compile", "--json").json
    assert (found["value"], found["shortest"], found["reachable"], found["single"]) == (-1, False, None, None)


def test_threads_are_for_compiled_rules():
    said = run("solve", "nim(stones=9)", "--threads", "2", "--no-compile")
    assert "interpreted rules run in one thread, so threads=2 changed nothing" in said.out
    assert run("solve", "nim(stones=9)", "--threads", "0", "--no-compile").status == 2


def test_out_of_budget_it_says_what_is_proven():
    found = run("solve", "tictactoe", "--budget", "nodes=4000", "--no-compile", "--json").json
    assert (found["value"], found["solved"], found["stopped"]) == (None, False, "nodes")
    assert (found["low"], found["high"]) == (0, 1)
    assert (
        "not solved, value between 0 and 1 for the player to move"
        in run("solve", "tictactoe", "--budget", "nodes=4000", "--no-compile").out
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("pig",), "solve cannot play pig, where chance has a part"),
        (("nim", "--budget", "nodes=9", "--minutes", "1"), "either --budget or --minutes"),
        (("nim", "--table", "99999999"), "--table must be a number above 0 and at most 1,000,000"),
        (("nim", "--state", "0"), "the game is over in position"),
    ],
)
def test_what_is_refused(arguments, sentence):
    ran = run("solve", *arguments, "--no-compile")
    assert ran.status == 2
    assert sentence in ran.err


def test_one_is_not_many():
    assert "1 node generated, 1 position visited" in run("solve", "nim(stones=1)", "--no-compile").out
