"""Games that cannot be played, numbers that cannot be right, memory that is not there: one sentence, exit status 2."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludus
from ludus.common.errors import LudusError, RuleError
from ludus.common.numbers import LARGEST
from ludus.runtime.runner import Runner
from tests.support.commands import assert_refused, run

ODD = Path(__file__).with_name("odd_rules.py")
PLAYED = {
    "rank": ("greedy", "random", "--games", 2),
    "match": ("greedy", "random", "--games", 2),
    "pathology": ("--eval", "zero", "--games", 4),
    "sweep": ("--budget", "nodes=9", "--games", 2),
    "analyse": ("--games", 4, "--good", 2),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path / "data"))


@pytest.mark.parametrize("command", [*PLAYED, "quality"])
def test_a_game_that_is_over_at_its_start(command):
    ran = run(command, f"{ODD}:Over", *PLAYED.get(command, ("--eval", "zero")), "--no-compile")
    assert_refused(ran, "Over is over in its first position", "try ludus check")


@pytest.mark.parametrize("command", [command for command in PLAYED if command != "match"])
def test_openings_that_no_game_lasts_for(command):
    ran = run(command, "nim", *PLAYED[command], "--openings", 99_999_999, "--no-compile")
    assert_refused(ran, "no game lasts 99999999 random plies: give a smaller --openings (0 is allowed).")


def test_other_numbers_of_random_plies():
    assert_refused(run("quality", "nim", "--after", 9999, "--no-compile"), "give a smaller --after")
    by = ("--by", "decisions", "--games", 4, "--no-compile")
    assert_refused(run("pathology", "nim", "--openings", 9999, *by), "give a smaller --openings")
    assert_refused(run("pathology", f"{ODD}:Single", "--openings", 0, *by), "has right and wrong moves", "to judge")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Text", "must return a number, not 'lost'"),
        ("Digits", "must return a number, not '1'"),
        ("Nothing", "must return a number, not None"),
        ("Huge", "a score must lie between -1e+100 and 1e+100, not -1e+308"),
    ],
)
def test_a_score_that_is_none(name, words):
    game = f"{ODD}:{name}"
    for command in (("solve", game), ("search", game, "minimax(depth=9)"), ("match", game, "greedy", "random")):
        assert_refused(run(*command, "--no-compile"), f"rule score of {game} failed in position '0': ", words)
    ran = run("check", game, "--games", 5, "--no-compile")
    assert ran.status == 1
    assert ran.out.startswith("FAULT in score in position '0': a score must ")


def test_a_huge_score_is_found_before_anything_is_compiled():
    with pytest.raises(RuleError, match="a score must lie between"):
        ludus.player("minimax(depth=9)").choose(ludus.game(f"{ODD}:Huge"))


def test_the_largest_score():
    """Its value, the square of that and the sum of many squares are finite."""
    game = ludus.game(f"{ODD}:Largest")
    found = ludus.player("minimax(depth=9)", compiled=False).choose(game)
    assert found.value == -LARGEST * 2.0**20
    assert 1e12 * found.value**2 < float("inf")


@pytest.mark.parametrize("rule", ["phase", "lowest", "highest"])
def test_other_rules_that_give_no_number(rule):
    game = ludus.game(f"{ODD}:{rule.title()}")
    with pytest.raises(
        RuleError, match=rf"rule {rule} of .* failed in position '9': TypeError: it must return a number"
    ):
        getattr(ludus.kernel.rules, rule)(game, game.start)


# Names of files that no file can have: refused before there is any work.

LONG = {"long": "x" * 300, "deep": "y/" * 2500 + "y"}
NAMED = [
    "show {}.py:G",
    "check {}.py:G",
    "show nim --state {}",
    "solve nim --state {}",
    "perft nim 2 --state {}",
    "play nim --first random --second random --state {}",
    "search nim greedy(eval={}.json)",
    "search nim greedy(eval=learned/{})",
    "search tictactoe greedy(eval=open-lines(calibration={}))",
    "show tree(file={})",
    "trace nim bfmm -o {}.png",
    "rank nim -o {}.html",
    "rank nim --db {}.db",
    "match nim greedy random -o {}.html",
    "match nim greedy random --db {}.db",
    "sweep nim --budget nodes=9 -o {}.html",
    "sweep nim --budget nodes=9 --player random --player greedy --db {}.db",
    "play nim --first random --second best --db {}.db",
    "runs --db {}.db",
    "export 1 --db {}.db",
    "learn nim --name {}",
    "learn nim --name {}.json",
    "learn nim -o {}.svg",
    "learn --show {}",
    "learn --show {}.json",
    "calibrate nim --eval zero -o {}.svg",
    "quality nim -o {}.svg",
    "pathology nim -o {}.svg",
    "pathology nim --db {}.db",
    "analyse nim -o {}.html",
    "theory traps -o {}.svg",
    "theory -o {}",
    "reproduce abramson-1989 -o {}",
    "reproduce abramson-1989 --db {}.db",
    "reproduce --summary {}",
    "uci {}",
]


@pytest.mark.parametrize("command", NAMED)
@pytest.mark.parametrize("kind", LONG)
def test_names_that_are_too_long(command, kind, monkeypatch):
    def work(*_, **__):
        raise AssertionError("it worked before it looked")

    monkeypatch.setattr(Runner, "__init__", work)
    assert_refused(run(*command.format(LONG[kind]).split()))


def test_an_export_to_a_long_name():
    assert run("match", "nim", "greedy(eval=zero)", "random(eval=zero)", "--games", 2, "--no-compile").status == 0
    for name in LONG.values():
        assert_refused(run("export", 1, "-o", name), "File name too long")


# Memory.


@pytest.mark.parametrize(
    "command",
    ["rank {}", "search {} greedy", "match {} greedy random", "perft {} 2", "solve {}"],
)
def test_too_many_moves(command):
    ran = run(*command.format(f"{ODD}:Many").split(), "--no-compile")
    assert_refused(ran, "max_moves of", "is 1,000,000,000,000, but may be at most 1,000,000")


def test_check_names_max_moves():
    assert_refused(run("show", f"{ODD}:Many"), "max_moves of", "may be at most")
    ran = run("check", f"{ODD}:Many", "--no-compile")
    assert ran.status == 1
    assert ran.out.startswith("FAULT in max_moves: max_moves of ")


@pytest.mark.parametrize(
    "error", [MemoryError(), MemoryError("Unable to allocate 7 TiB"), OSError(12, "Cannot allocate")]
)
def test_no_memory_is_one_sentence(error, monkeypatch):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(ludus, "perft", fail)
    assert_refused(run("perft", "nim", 2), "there is not enough memory", "give smaller numbers")


def test_too_many_trials():
    assert_refused(run("theory", "--trials", 10**12), "--trials must be a whole number from 100 to 1,000,000")
    with pytest.raises(LudusError, match="`trials` must be"):
        ludus.theory(trials=10**7)
