"""The database is deleted or replaced while a run is played: nothing is lost, and no other file is written to."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

import ludus
from ludus.arena.store.database import Lost
from ludus.arena.store.store import Store
from tests.support.commands import PATIENCE, run, start, without_progress
from tests.support.databases import content, invented, key_of, play_run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="an open file can be neither deleted nor replaced")

RANK = ("rank", "nim(stones=60)", "random", "greedy(eval=zero)", "--round-robin", "--openings", 6, "--games", 300)
FAST = ("--budget", "nodes=2000", "--no-compile", "--workers", 1)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path / "data"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("runs").mkdir()
    play_run("other.db", "tictactoe", 1)


def delete(db: Path) -> None:
    db.unlink()


def replace_by_database(db: Path) -> None:
    os.replace("other.db", db)


def replace_by_text(db: Path) -> None:
    Path("other").write_text("a letter\n" * 1000)
    os.replace("other", db)


def overwrite_by_database(db: Path) -> None:
    shutil.copyfile("other.db", db)


def overwrite_and_remove_logs(db: Path) -> None:
    shutil.copyfile("other.db", db)
    for suffix in ("-wal", "-shm"):
        Path(f"{db}{suffix}").unlink()


def overwrite_by_text(db: Path) -> None:
    db.write_text("a letter\n" * 1000)


def remove_folder(db: Path) -> None:
    shutil.rmtree(db.parent)


HARMS = {
    delete: "was deleted",
    replace_by_database: "was replaced by another file",
    replace_by_text: "was replaced by another file",
    overwrite_by_database: "was overwritten",
    overwrite_and_remove_logs: "was overwritten",
    overwrite_by_text: "was overwritten",
    remove_folder: "was deleted",
}
DB = Path("runs/e.db")


def wait_for_games(process, games: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        if DB.exists():
            with closing(sqlite3.connect(f"{DB.resolve().as_uri()}?mode=ro", uri=True)) as db:
                try:
                    if db.execute("SELECT COUNT(*) FROM games").fetchone()[0] >= games:
                        return
                except sqlite3.OperationalError:
                    pass
        time.sleep(0.01)


def games_of(db: Path) -> list[tuple]:
    with closing(sqlite3.connect(db)) as opened:
        rows = "SELECT run, one, other, opening, game, seed, moves, score FROM games ORDER BY 1, 2, 3, 4, 5"
        return opened.execute(rows).fetchall()


@pytest.mark.slow
@pytest.mark.parametrize("harm", HARMS)
def test_what_was_played_is_saved_and_goes_on(harm):
    """In a run of a real process; the bytes of whatever took the place of the file stay as they are."""
    process = start(*RANK, "--db", DB, *FAST)
    try:
        wait_for_games(process, 10)
        harm(DB)
        strange = DB.read_bytes() if DB.exists() else None
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
    told = without_progress(err)
    assert (process.returncode, out) == (2, "")
    assert told.count("\n") == 1
    assert f"runs/e.db {HARMS[harm]} while a run was played; all that it held is in " in told
    rescued = Path(told.partition("all that it held is in ")[2].partition(":")[0])
    assert rescued.name == "e-rescued.db"
    assert rescued.parent == (DB.parent.resolve() if harm is not remove_folder else Path.cwd())
    saved = games_of(rescued)
    assert len(saved) >= 10
    assert (DB.read_bytes() if DB.exists() else None) == strange
    left = {file.name for file in DB.parent.iterdir()} if DB.parent.exists() else set()
    assert left <= {"e.db", "e-rescued.db"}
    resumed = run(*RANK, "--db", rescued, *FAST)
    assert resumed.status == 0, resumed.err
    assert f"continuing run 1: {len(saved)} games played so far" in resumed.err
    assert run(*RANK, "--db", "whole.db", *FAST).status == 0
    assert games_of(rescued) == games_of(Path("whole.db"))


@pytest.mark.parametrize("harm", HARMS)
def test_no_write_meets_another_file(harm):
    with Store(DB) as store, store.run(key_of()) as stored:
        stored.add(*invented(0))
        harm(DB)
        strange = DB.read_bytes() if DB.exists() else None
        for _ in range(2):
            with pytest.raises(Lost, match=HARMS[harm]) as lost:
                stored.add(*invented(1))
        with pytest.raises(Lost):
            stored.finish()
    assert (DB.read_bytes() if DB.exists() else None) == strange
    if harm in (overwrite_by_database, overwrite_and_remove_logs, overwrite_by_text):
        assert lost.value.rescued is None
        assert "could not be saved" in str(lost.value)
    else:
        assert len(content(lost.value.rescued)["games"]) == 2
        with Store(lost.value.rescued) as store, store.run(key_of()) as again:
            assert list(again.pairs().values()) == [invented(0)[1]]


def test_a_second_rescue_does_not_replace_the_first():
    for number in range(3):
        with Store(DB) as store, store.run(key_of(seed=number)) as stored:
            stored.add(*invented(number))
            DB.unlink()
            with pytest.raises(Lost):
                stored.add(*invented(number + 1))
    assert sorted(file.name for file in DB.parent.iterdir()) == ["e-rescued.db", "e-rescued1.db", "e-rescued2.db"]


def test_a_file_that_only_moves_its_log_stays_the_same():
    """A checkpoint by another process, or a change of the times of the file, is no replacement."""
    with Store(DB) as store, store.run(key_of()) as stored:
        for number in range(3):
            stored.add(*invented(number))
            with closing(sqlite3.connect(DB)) as other:
                assert other.execute("PRAGMA wal_checkpoint(FULL)").fetchone()[0] == 0
            os.utime(DB)
    assert len(content(DB)["games"]) == 6


def test_an_upgraded_database_is_watched_too():
    class Older(Store):
        migrations = Store.migrations[:2]

        def check_file(self):
            pass

    with closing(sqlite3.connect(DB)) as db:
        for step in Older.migrations:
            for statement in step:
                db.execute(statement)
        db.execute(f"PRAGMA application_id = {int.from_bytes(b'LUDU')}")
        db.execute("PRAGMA user_version = 2")
        db.execute("PRAGMA journal_mode = WAL")
        db.commit()
    with Store(DB) as store, store.run(key_of()) as stored:
        overwrite_by_database(DB)
        with pytest.raises(Lost, match="was overwritten"):
            stored.add(*invented(0))


def test_a_match_in_a_database_that_was_named_stops():
    told = []

    def harm(result) -> None:
        told.append(result.games)
        if len(told) == 1:
            DB.unlink()

    with pytest.raises(Lost, match="was deleted"):
        ludus.match("nim", "random", "greedy(eval=zero)", games=8, db=DB, compiled=False, progress=harm)
