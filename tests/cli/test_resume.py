"""The first ranking of a new game, which has no evaluator of its own: killed, it is resumed, like any other."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.commands import PATIENCE, run_process, start
from tests.support.game_sources import count

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

NOTES = """
    def __init__(self):
        self.notes = [0, 0]
    def over(self, state):
        self.notes[0] += 1
        return state[0] == 0
"""
"""Rules that write into a field of their game."""

RANK = ("rank", "fresh.py:Count", "--no-compile", "--workers", 1, "--db", "fresh.db", "--budget", "nodes=100")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path / "data"))
    Path("fresh.py").write_text(count(15, NOTES))


def kill_after(games: int, *arguments: object, file: str = "") -> int:
    """Kill a ranking when it has stored so many games, and such a file is there; returns how many games it has."""
    process = start(*arguments)
    try:
        deadline = time.monotonic() + PATIENCE
        while stored() < games or (file and not list(Path().glob(file))):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()
    return stored()


def stored() -> int:
    """The games in the database; 0 if it is not ready."""
    if not Path("fresh.db").exists():
        return 0
    with closing(sqlite3.connect("fresh.db")) as db:
        try:
            return db.execute("SELECT COUNT(*) FROM games").fetchone()[0]
        except sqlite3.OperationalError:
            return 0


def runs() -> int:
    with closing(sqlite3.connect("fresh.db")) as db:
        return db.execute("SELECT COUNT(*) FROM runs").fetchone()[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [("--games", 100), ("mgss", "greedy", "--round-robin", "--openings", 6, "--games", 60)],
    ids=["default roster", "one needs a calibration"],
)
def test_a_ranking_of_a_new_game_is_resumed(how):
    command = (*RANK, *how)
    games = kill_after(6, *command)
    assert list(Path("data/calibrations").glob("report-*.json")), "nothing was calibrated: this tests nothing"
    resumed = run_process(*command)
    assert resumed.status == 0, resumed.err
    assert f"continuing run 1: {games} games played so far" in resumed.err
    again = run_process(*command)
    assert again.status == 0, again.err
    assert "run 1 was finished before; nothing was played" in again.err
    assert again.out == resumed.out
    assert runs() == 1


@pytest.mark.slow
def test_a_finished_ranking_of_a_new_game_prints_its_result():
    command = (*RANK, "mgss", "greedy", "--games", 4)
    first, again = run_process(*command), run_process(*command)
    assert first.status == again.status == 0, first.err + again.err
    assert "is fitted now, and kept" in first.err
    assert "run 1 was finished before; nothing was played" in again.err
    assert again.out == first.out
    assert (runs(), stored()) == (1, 4)


@pytest.mark.slow
def test_a_ranking_that_learns_an_evaluator_is_resumed():
    """Killed when the evaluator has been learnt, before anybody plays with it."""
    command = ("rank", "nim(stones=12)", "--no-compile", "--workers", 1, "--db", "fresh.db")
    command = (*command, "--budget", "nodes=500", "--games", 50)
    games = kill_after(2, *command, file="data/learned/examples/*/td.json")
    resumed = run_process(*command)
    assert resumed.status == 0, resumed.err
    assert f"continuing run 1: {games} games played so far" in resumed.err
    assert "+learned" in resumed.out
    again = run_process(*command)
    assert "run 1 was finished before; nothing was played" in again.err
    assert again.out == resumed.out
    assert (runs(), stored()) == (1, 50)
    assert len(list(Path("data/learned").glob("*.json"))) == 1
