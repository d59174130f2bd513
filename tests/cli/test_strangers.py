"""A database that somebody else made: reading it runs nobody's code, and what is in it does no harm."""

from __future__ import annotations

import csv
import os
import sqlite3
from pathlib import Path

import pytest

import ludus
from tests.support.commands import Ran, assert_refused, run
from tests.support.databases import play_run
from tests.support.game_sources import count

WORM = """
with open("worm", "a") as worm:
    worm.write("x")
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with a game's file that leaves a trace when it is run, and a user who has played nothing yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path / "data"))
    Path("mine.py").write_text(count(12) + WORM)
    return tmp_path


def was_run() -> bool:
    """Whether the file was run since the last question."""
    found = Path("worm").exists()
    Path("worm").unlink(missing_ok=True)
    return found


@pytest.fixture
def theirs(monkeypatch) -> None:
    """A run of that file, which another user has played."""
    play_run("ludus.db", "mine.py:Count", 1)
    monkeypatch.setenv("LUDUS_DATA", "elsewhere")
    strange()


def strange() -> None:
    """What follows is another process."""
    import sys

    for name in [name for name in sys.modules if name.startswith("ludus_file_mine_")]:
        del sys.modules[name]
    was_run()


def change(sql: str, *values: object) -> None:
    with sqlite3.connect("ludus.db") as db:
        db.execute("PRAGMA ignore_check_constraints = 1")
        assert db.execute(sql, values).rowcount > 0
    db.close()


def exported(*arguments: object) -> Ran:
    ran = run("export", 1, "--force", *arguments)
    assert ran.status == 0, ran
    return ran


def moves() -> list[str]:
    lines = Path("run-1.txt").read_text().splitlines()
    return [line.removeprefix("moves").strip() for line in lines if line.startswith("moves")]


@pytest.mark.parametrize("arguments", [(), ("--format", "csv"), ("--format", "text"), ("--json",)])
def test_no_file_is_run(theirs, arguments):
    ran = exported(*arguments)
    assert run("runs").status == 0
    assert not was_run()
    if arguments != ("--format", "csv"):
        assert "mine.py:Count was not run" in ran.err
        assert ran.err.count("\n") == 1
        assert all(word.isdecimal() for line in moves() for word in line.split())


def test_a_file_is_run_that_is_named(theirs):
    edit = Path("mine.py").read_text()
    named = edit.replace(
        "    def score", "    def move_name(self, state, move):\n        return f'take{move}'\n    def score"
    )
    Path("named.py").write_text(named)
    ran = exported("--game", "named.py:Count")
    assert was_run()
    assert ran.err == ""
    assert all(word.startswith("take") for line in moves() for word in line.split())
    assert_refused(run("export", 1, "--game", "nothing.py:Count"), "there is no file nothing.py")


def test_the_file_of_ones_own_run_is_run():
    play_run("ludus.db", "mine.py:Count", 1)
    strange()
    assert exported().err == ""
    assert was_run()
    change("UPDATE games SET spec = 'other.py:Count' WHERE game = 1")
    Path("other.py").write_text(Path("mine.py").read_text())
    strange()
    assert "the moves of 1 of the 2 games are given as numbers" in exported().err
    os.rename("mine.py", "moved.py")
    Path("there").mkdir()
    os.chdir("there")
    Path("mine.py").write_text(count(12) + WORM)  # another file of that name
    strange()
    exported("--db", "../ludus.db")
    assert not was_run()


def test_not_even_if_only_a_game_names_it():
    play_run("ludus.db", "nim", 1)
    change("UPDATE games SET spec = 'mine.py:Count'")
    assert "mine.py:Count was not run" in exported().err
    assert not was_run()


def test_formulas_are_text():
    play_run("ludus.db", "nim", 1)
    change("UPDATE players SET spec = '=HYPERLINK(\"evil\")' WHERE number = 0")
    change("UPDATE games SET fault = '@SUM(1)', spec = '+1+cmd', moves = '-3 2' WHERE game = 0")
    exported("--format", "csv")
    with open("run-1.csv", newline="") as file:
        first, second = csv.DictReader(file)
    assert first["first"] == second["second"] == '\'=HYPERLINK("evil")'
    assert (first["fault"], first["spec"], first["moves"]) == ("'@SUM(1)", "'+1+cmd", "-3 2")
    assert second["spec"] == "nim"


@pytest.mark.parametrize("before", ["\n", " ", "\t", " \n ", "\u00a0"])
@pytest.mark.parametrize("formula", ["=1+cmd", "@SUM(1)", "+cmd", "-cmd"])
def test_formulas_after_blanks_are_text(before, formula):
    play_run("ludus.db", "nim", 1)
    change("UPDATE games SET fault = ?, spec = ?", before + formula, f" {before}{formula}")
    exported("--format", "csv")
    with open("run-1.csv", newline="") as file:
        for row in csv.DictReader(file):
            assert row["fault"][0] == row["spec"][0] == "'"


def test_no_terminal_obeys():
    play_run("ludus.db", "nim", 1)
    escape = "\x1b]0;owned\x07\x9b31m\u202e"
    for sql in ("games SET fault = ?", "players SET spec = ?", "runs SET status = ?", "runs SET game = ?"):
        change(f"UPDATE {sql}", escape)
    change("UPDATE games SET spec = ? WHERE game = 0", escape)
    change("UPDATE runs SET settings = ?", '{"openings": "\\u001b[31m"}')
    told = [run("runs"), exported(), run("runs", "--json")]
    written = [Path("run-1.csv").read_text(), Path("run-1.txt").read_text()]
    for text in [*written, *(ran.out + ran.err for ran in told)]:
        assert not set("\x1b\x07\x9b\u202e") & set(text)
    assert "\\x1b]0;owned\\x07" in told[0].out


def test_no_link_is_followed(folder):
    play_run("ludus.db", "nim", 1)
    Path("run-1.csv").symlink_to(folder / "precious")
    assert_refused(run("export", 1), "'run-1.csv' is there already")
    exported()
    assert not Path("precious").exists()
    assert not Path("run-1.csv").is_symlink()


@pytest.mark.parametrize(
    "sql",
    [
        "runs SET settings = '{' WHERE number = 1",
        "runs SET seed = 'many' WHERE number = 1",
        "runs SET updated = 'yesterday' WHERE number = 1",
        "runs SET seconds = 'long' WHERE number = 1",
        "runs SET seconds = 9e999 WHERE number = 1",
        "runs SET result = '{\"best\": NaN}' WHERE number = 1",
        "runs SET result = '{\"best\": 1e999}' WHERE number = 1",
        "runs SET result = '[' WHERE number = 1",
        "runs SET game = x'ff00' WHERE number = 1",
        "players SET spec = x'ff' WHERE run = 1",
    ],
)
def test_a_damaged_run_hides_only_itself(sql):
    play_run("ludus.db", "nim", 1)
    play_run("ludus.db", "tictactoe", 1)
    change(f"UPDATE {sql}")
    ran = run("runs", "--json")
    assert [row["number"] for row in ran.json["runs"]] == [2]
    assert "1 run in" in ran.err
    assert run("runs").out.count("\n") == 2
    assert_refused(run("export", 1), "there is no run '1'")
    assert run("export", 2).status == 0


@pytest.mark.parametrize(
    "sql",
    [
        "moves = '1 x'",
        "moves = '1 99999999999999999999'",
        "opening_moves = '-99999999999999999999'",
        "first_seconds = 9e999",
        "second_seconds = -1",
        "opening_moves = '?'",
        "score = 'much'",
        "first_generated = 'all'",
        "second_seconds = x'00'",
        "spec = x'ff'",
    ],
)
def test_a_damaged_game_hides_only_itself(sql):
    def play() -> int:
        return ludus.rank(
            "nim", "random", "greedy", db="ludus.db", games=4, openings=1, compiled=False, workers=1
        ).games

    assert play() == 4
    change(f"UPDATE games SET {sql} WHERE opening = 1 AND game = 0")
    ran = run("export", 1, "--json")
    assert ran.json["games"] == 3
    assert "1 row of the database cannot be read" in ran.err
    assert play() == 4
    found = run("export", 1, "--force", "--json").json
    assert (found["games"], found["warning"]) == (4, "")


def test_a_database_without_its_tables_is_one_sentence():
    play_run("ludus.db", "nim", 1)
    for table in ("games", "players"):
        with sqlite3.connect("ludus.db") as db:
            db.execute(f"ALTER TABLE {table} RENAME TO {table}_2")
        db.close()
        for command in (("runs",), ("export", 1), ("rank", "nim", "random", "greedy", "--no-compile")):
            assert_refused(run(*command), "ludus.db is damaged (no such table")


ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)"


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (
            ["ALTER TABLE games RENAME TO g", f"CREATE VIEW games AS {ENDLESS} SELECT g.* FROM g, c"],
            "games is not the table that ludus makes",
        ),
        (
            ["ALTER TABLE runs RENAME TO r", f"CREATE VIEW runs AS {ENDLESS} SELECT r.* FROM r, c"],
            "runs is not the table that ludus makes",
        ),
        (
            [
                "CREATE TRIGGER t AFTER UPDATE ON runs BEGIN INSERT INTO measurements "
                f"{ENDLESS} SELECT 1, n, 'x' FROM c; END"
            ],
            "it has the trigger t",
        ),
    ],
    ids=["endless games", "endless runs", "endless trigger"],
)
def test_a_database_that_never_ends_is_one_sentence(statements, words):
    play_run("ludus.db", "nim", 1)
    with sqlite3.connect("ludus.db") as db:
        for statement in statements:
            db.execute(statement)
    db.close()
    play = ("play", "nim", "--first", "random", "--second", "best", "--no-compile")
    for command in (("runs",), ("export", 1), ("rank", "nim", "random", "greedy", "--no-compile"), play):
        assert_refused(run(*command), f"ludus.db is damaged ({words}); choose another")
