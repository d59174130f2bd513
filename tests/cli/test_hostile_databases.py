"""Every command that reads a database, with one that names a file with code: the file is never run."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import ludus
from ludus.arena.pool.resources import Resources
from ludus.cli import cli
from ludus.studies.engine.measurements import Memory
from ludus.studies.engine.settings import ReproduceSettings
from ludus.studies.engine.study_rank import Contest, Contests
from tests.support.commands import assert_refused, run

HOSTILE = """
from ludus import Evaluator, Search
from ludus.library.evaluators.any_game import Zero
from ludus.library.searches.greedy import Greedy
from ludus.library.games.nim import Nim

with open("mark", "a") as mark:
    mark.write("x")

class Judge(Zero):
    name = ""

class Looker(Greedy):
    name = ""

class Other(Nim):
    name = ""
"""
SPECS = ("hostile.py:Looker", "greedy(eval=hostile.py:Judge, nodes=9)", 'greedy(eval="hostile.py:Judge(x=1)", nodes=9)')

FAST = ("--no-compile", "--workers", 1, "--openings", 1)
RANK = ("rank", "nim(stones=7)", "random", "greedy", "--games", 4, *FAST)
PLAYERS = ("--player", "random", "--player", "greedy")
COMMANDS: dict[str, tuple[object, ...]] = {
    "rank": (*RANK, "-o", "page.html"),
    "match": ("match", "nim(stones=7)", "random", "greedy", "--games", 2, *FAST, "-o", "page.html"),
    "sweep": ("sweep", "nim(stones=7)", "--budget", "nodes=50", *PLAYERS, "--games", 4, *FAST, "-o", "sweep.html"),
    "pathology": ("pathology", "nim(stones=7)", "--eval", "zero", "--deepest", 3, "--games", 4, *FAST),
    "reproduce": ("reproduce", "abramson-1989", "--only", "figure-3", "--quick", "--no-compile", "--workers", 1),
    "play": ("play", "nim(stones=7)", "--first", "random", "--second", "best", "--no-compile"),
    "runs": ("runs",),
    "export": ("export", 1, "--force"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path / "data"))
    Path("hostile.py").write_text(HOSTILE)


def poison(spec: str, games: bool) -> None:
    """Put a spec in the place of every player that the database names, and of every game if that is asked for."""
    with closing(sqlite3.connect("ludus.db")) as db:
        players = {name for (name,) in db.execute("SELECT spec FROM players")}

        def poisoned(value):
            if isinstance(value, dict):
                return {poisoned(key): poisoned(each) for key, each in value.items()}
            if isinstance(value, list):
                return [poisoned(each) for each in value]
            return spec if value in players else value

        for table, place, column in (("runs", "number", "result"), ("measurements", "name", "value")):
            for row, text in db.execute(f"SELECT {place}, {column} FROM {table}").fetchall():
                changed = json.dumps(poisoned(json.loads(text or "null")))
                db.execute(f"UPDATE {table} SET {column} = ? WHERE {place} = ?", (changed, row))
        db.execute("UPDATE players SET spec = ?, left_out = ''", (spec,))
        if games:
            for table, column in (("games", "spec"), ("runs", "game")):
                db.execute(f"UPDATE {table} SET {column} = 'hostile.py:Other'")
        db.commit()


def test_every_command_that_reads_a_database_is_here():
    reading = {name for name, command in cli.commands.items() if any("--db" in p.opts for p in command.params)}
    assert set(COMMANDS) == reading


@pytest.mark.slow
@pytest.mark.parametrize("games", [False, True], ids=["players", "players and games"])
@pytest.mark.parametrize(
    ("command", "spec"), [(name, SPECS[1]) for name in COMMANDS] + [("play", SPECS[0]), ("play", SPECS[2])]
)
def test_no_code_that_a_database_names_is_run(command, spec, games, monkeypatch, tmp_path):
    assert run(*RANK).status == 0
    assert run(*COMMANDS[command]).status == 0
    poison(spec, games)
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path / "another user"))
    ran = run(*COMMANDS[command])
    assert not Path("mark").exists()
    assert ran.status in (0, 2)
    assert "Traceback" not in ran.err


def test_the_best_of_a_strangers_run_is_refused_in_a_sentence(monkeypatch, tmp_path):
    assert run(*RANK).status == 0
    poison(SPECS[1], games=False)
    assert_refused(run(*COMMANDS["play"]), "the best in run 1 of", "needs code of a file", "name the player")
    assert not Path("mark").exists()


def test_the_best_of_ones_own_run_may_need_code():
    assert run("rank", "nim(stones=7)", "random", SPECS[1], "--games", 4, *FAST).status == 0
    Path("mark").unlink()
    with closing(sqlite3.connect("ludus.db")) as db:
        result = json.loads(db.execute("SELECT result FROM runs").fetchone()[0]) | {"best": SPECS[1]}
        db.execute("UPDATE runs SET result = ?", (json.dumps(result),))
        db.commit()
    ran = run(*COMMANDS["play"])
    assert ran.status == 0, ran.err
    Path("other.py").write_text(HOSTILE)
    with closing(sqlite3.connect("ludus.db")) as db:
        text = json.dumps(result | {"best": "greedy(eval=other.py:Judge)"})
        db.execute("UPDATE runs SET result = ?", (text,))
        db.commit()
    assert_refused(run(*COMMANDS["play"]), "needs code of a file")


def test_a_study_plays_on_with_its_own_players_only():
    """Measured by a stranger, a ranking that names other players is played again."""
    game, keep, pool = ludus.game("nim(stones=7)"), Memory(), Resources(workers=1).hire()
    players = [ludus.player(name, compiled=False).on(game) for name in ("random", "greedy")]
    contest = Contest(game, players, 4, 1, 0)
    contests = Contests(pool, keep, ReproduceSettings(), lambda ranking: None)
    try:
        [honest] = contests.play([contest])
        assert contests.play([contest]) == [honest]
        for changed in (
            {"best": SPECS[1]},
            {"unbeaten": [SPECS[1]]},
            {"players": [{"player": SPECS[1]}]},
            {"best": []},
        ):
            keep[contest.name] = honest | changed
            [found] = contests.play([contest])
            assert {row["player"] for row in found["players"]} == set(map(str, players))
            assert found["best"] in set(map(str, players))
    finally:
        pool.close()


def test_the_ledger_is_among_the_users_data(monkeypatch, tmp_path):
    """With `LUDUS_DATA=~/x` in the folder x at home, like everything else of the user."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LUDUS_DATA", "~/x")
    assert run("rank", "hostile.py:Other", "random", "greedy", "--games", 2, *FAST).status == 0
    assert (tmp_path / "home" / "x" / "runs").read_text().count("\n") == 1
    assert not Path("~").exists()
