"""A database that was written in format 3 (November 2026) stays readable: its runs, its games and why they were lost.

It holds a ranking with players left out, three matches with forfeited games, and a ranking that was interrupted.
"""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from ludus.arena.play.reasons import Told
from ludus.arena.store.rows import stored_reason
from ludus.arena.store.store import Store

OLD = Path(__file__).parent / "data" / "format3.db"


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "old.db"
    shutil.copyfile(OLD, path)
    with Store(path, write=False) as store:
        yield store


def test_all_runs_are_read(store):
    found = [(run["command"], run["game"], run["games"], run["status"]) for run in store.runs()]
    assert found == [
        ("rank", "chance-tree", 20, "games"),
        ("match", "tictactoe", 6, "finished"),
        ("match", "tictactoe", 4, "finished"),
        ("match", "tictactoe", 2, "finished"),
        ("rank", "tictactoe", 6, "interrupted"),
    ]
    assert store.unreadable == 0


def test_why_games_were_forfeited_is_read(store):
    said = {run: Counter(str(row["fault"] or "") for row in store.games(run)) for run in (2, 3, 5)}
    assert said[2] == {"ValueError: too many stones": 6}
    assert set(said[3]) == {f"overran its budget: {n} nodes for a move, of 2,000" for n in ("100,005", "100,006")}
    assert said[5] == {"": 6}
    kinds = {row["fault"].kind for run in (2, 3, 4) for row in store.games(run)}
    assert kinds == {"text"}


def test_an_old_database_is_brought_up_to_date_and_goes_on(tmp_path):
    path = tmp_path / "old.db"
    shutil.copyfile(OLD, path)
    with Store(path) as store:
        assert store.query("PRAGMA user_version") == [(4,)]
        row = store.query("SELECT left_out FROM players WHERE run = 1 AND number = 9")[0][0]
        assert stored_reason(row) == Told("its first move costs 16 nodes, the budget is 3; it takes part from nodes=8")


def test_why_players_were_left_out_is_read(store):
    reasons = [row["reason"] for row in store.runs()[0]["result"]["excluded"]]
    assert any("where chance has a part" in reason for reason in reasons)
