"""What can be wrong with a file or its folder: nothing is lost, and it is said in a sentence."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

import pytest

from ludus.arena.store.database import APPLICATION
from ludus.arena.store.store import PLAYING, Store, StoreError
from ludus.common.errors import LudusError
from tests.support.databases import content, invented, key_of, play_run

NOW = len(Store.migrations)
"""The format of a database, as this version makes it."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ludus.db"


class Newer(Store):
    """The store of a later version."""

    migrations = (
        *Store.migrations,
        ("ALTER TABLE games ADD COLUMN note TEXT NOT NULL DEFAULT 'old'", "CREATE TABLE notes (note TEXT)"),
    )


class TestVersions:
    def test_upgraded_in_place(self, path):
        with Store(path) as store, store.run(key_of()) as run:
            run.add(*invented(0))
        before = content(path)
        with Newer(path) as store, store.run(key_of()) as run:
            assert run.number == 1
            assert list(run.pairs().values()) == [invented(0)[1]]
            run.add(*invented(1))
            assert store.query("SELECT DISTINCT note FROM games") == [("old",)]
            assert store.query("PRAGMA user_version") == [(NOW + 1,)]
        after = content(path)
        assert [row[:-1] for row in after["games"] if row[3] == 0] == before["games"]
        assert len(after["games"]) == 4
        with Newer(path) as store:  # and not again
            assert store.query("PRAGMA user_version") == [(NOW + 1,)]

    def test_upgraded_to_be_read(self, path):
        with Store(path) as store, store.run(key_of()) as run:
            run.add(*invented(0))
        with Newer(path, write=False) as store:
            assert store.query("SELECT note FROM games") == [("old",)] * 2
            assert store.runs()[0]["games"] == 2

    def test_made_at_once_in_the_newest(self, path):
        with Newer(path) as store:
            assert store.query("PRAGMA user_version") == [(NOW + 1,)]

    def test_all_or_nothing(self, path):
        class Broken(Store):
            migrations = (*Store.migrations, ("CREATE TABLE notes (note TEXT)", "ALTER TABLE nothing ADD COLUMN x"))

        with Store(path) as store, store.run(key_of()) as run:
            run.add(*invented(0))
        before = content(path)
        with pytest.raises(StoreError, match="nothing"):
            Broken(path)
        assert content(path) == before
        with Store(path) as store:
            assert store.query("PRAGMA user_version") == [(NOW,)]
            assert store.query("SELECT name FROM sqlite_master WHERE name = 'notes'") == []

    @pytest.mark.parametrize("write", [True, False])
    def test_of_a_newer_ludus(self, path, write):
        with Newer(path) as store, store.run(key_of()) as run:
            run.add(*invented(0))
        before = path.read_bytes()
        with pytest.raises(
            StoreError, match=rf"written by a newer version of ludus .*format is {NOW + 1}, .* knows {NOW}.*`db`"
        ):
            Store(path, write=write)
        assert path.read_bytes() == before

    def test_the_first_format_stays_as_it_is(self, path):
        """What was released can be read for ever: this text may not change, only the list of migrations may grow."""
        with Store(path) as store:
            assert store.query("PRAGMA application_id") == [(APPLICATION,)] == [(int.from_bytes(b"LUDU"),)]
            assert store.query("PRAGMA journal_mode") == [("wal",)]
            assert store.query("PRAGMA synchronous") == [(1,)]
            assert store.query("PRAGMA foreign_keys") == [(1,)]
            columns = {
                table: [row[1] for row in store.query(f"PRAGMA table_xinfo({table})")]
                for table in ("runs", "players", "games")
            }
        seats = ["decisions", "generated", "evaluated", "expanded", "traversed", "seconds"]
        run = "number key command game seed settings fingerprint version python numba numpy line created updated status"
        game = "run one other opening game spec opening_moves seed moves score fault"
        assert columns["runs"] == [*run.split(), "seconds", "result"]
        assert columns["players"] == ["run", "number", "spec", "left_out"]
        efforts = [f"{seat}_{what}" for seat in ("first", "second") for what in seats]
        assert columns["games"] == [*game.split(), *efforts, "result"]


def another_program(path: Path, application: int = 0) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE customers (name TEXT)")
        db.execute(f"PRAGMA application_id = {application}")
    db.close()


class TestOtherFiles:
    @pytest.mark.parametrize("write", [True, False])
    @pytest.mark.parametrize(
        "data",
        [
            b"x",
            b"SQLite",
            b"x" * 511,
            b"import ludus\n" * 40,
            bytes(range(256)) * 40,
            b"SQLite format 3\0" + b"?" * 5000,
        ],
    )
    def test_no_database(self, path, data, write):
        path.write_bytes(data)
        with pytest.raises(StoreError, match=r"is not a database of ludus|is damaged"):
            Store(path, write=write)
        assert path.read_bytes() == data
        assert [file.name for file in path.parent.iterdir()] == ["ludus.db"]

    @pytest.mark.parametrize("write", [True, False])
    @pytest.mark.parametrize("application", [0, 1, 0x47504B47])
    def test_of_another_program(self, path, application, write):
        another_program(path, application)
        before = path.read_bytes()
        with pytest.raises(StoreError, match=r"is a database of another program; choose another with `db`\.$"):
            Store(path, write=write)
        assert path.read_bytes() == before

    def test_an_empty_file(self, path):
        path.touch()
        with pytest.raises(StoreError, match="there is no database"):
            Store(path, write=False)
        with Store(path) as store:
            assert store.runs() == []

    def test_no_file_is_not_made_by_reading(self, path):
        with pytest.raises(StoreError, match=rf"there is no database {path}; choose another with `db`"):
            Store(path, write=False)
        assert not path.exists()

    @pytest.mark.parametrize("write", [True, False])
    def test_no_folder(self, tmp_path, write):
        with pytest.raises(StoreError, match=r"there is no folder '.*missing' for the database 'x\.db'"):
            Store(tmp_path / "missing" / "x.db", write=write)
        (tmp_path / "file").touch()
        with pytest.raises(StoreError, match="there is no folder"):
            Store(tmp_path / "file" / "x.db", write=write)

    @pytest.mark.parametrize("write", [True, False])
    def test_a_folder(self, tmp_path, write):
        with pytest.raises(StoreError, match="is a folder, not a database"):
            Store(tmp_path, write=write)

    @pytest.mark.parametrize("name", ["with space.db", "50%.db", "what?.db", "#1.db", "é'\".db", ":memory:"])
    def test_names(self, tmp_path, name):
        with Store(tmp_path / name) as store, store.run(key_of()) as run:
            run.add(*invented(0))
        assert [file.name for file in tmp_path.iterdir()] == [name]
        with Store(tmp_path / name, write=False) as store:
            assert store.runs()[0]["games"] == 2

    def test_damage_is_said(self, path):
        play_run(path, "tictactoe", 10)
        size = path.stat().st_size
        with open(path, "r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (size - 4096))
        with pytest.raises(StoreError, match=r"is damaged \(.*\); choose another with `db`"), Store(path) as store:
            store.runs()

    def test_every_error_is_one_that_the_command_line_prints(self):
        assert issubclass(StoreError, LudusError)


class TestBusy:
    def test_waits_and_then_says_so(self, path):
        with Store(path) as store, Store(path, patience=0.05) as other, store.run(key_of()) as run:
            with store.transaction():
                with pytest.raises(StoreError, match=r"is kept busy by another process; try again"):
                    other.run(key_of(1))
                with pytest.raises(StoreError, match=r"is kept busy"):
                    Store(path, patience=0.05)
                assert Store(path, write=False, patience=0.05).query("SELECT COUNT(*) FROM runs") == [(1,)]
            other.run(key_of(1)).close()
            run.add(*invented(0))

    @pytest.mark.parametrize(("times", "patience"), [(3, 30.0), (10**9, 0.1)])
    def test_while_the_file_is_made(self, path, times, patience):
        """SQLite does not always wait when several processes turn to WAL at once."""

        class Busy:
            def __init__(self, db):
                self.db, self.refused = db, 0

            def __getattr__(self, name):
                return getattr(self.db, name)

            def execute(self, sql, *values):
                if "journal_mode" in sql and self.refused < times:
                    self.refused += 1
                    error = sqlite3.OperationalError("database is locked")
                    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
                    raise error
                return self.db.execute(sql, *values)

        class Crowded(Store):
            def _connect(self, *arguments):
                return Busy(super()._connect(*arguments))

        if patience < 1:
            with pytest.raises(StoreError, match="is kept busy by another process"):
                Crowded(path, patience=patience)
        else:
            with Crowded(path, patience=patience) as store:
                assert store.query("PRAGMA user_version") == [(NOW,)]
                assert store.db.refused == 3


class TestFullDisk:
    def test_all_games_up_to_then_are_safe_and_it_goes_on(self, path, tmp_path):
        """`max_page_count` makes SQLite report what a full disk makes it report."""
        with Store(path) as store, store.run(key_of()) as run:
            pages = store.query("PRAGMA page_count")[0][0] + 40
            store.query(f"PRAGMA max_page_count = {pages}")
            number = 0
            with contextlib.suppress(StoreError):
                while number < 10_000:
                    run.add(*invented(number))
                    number += 1
            with pytest.raises(
                StoreError, match=r"the disk is full\. All games up to now are safe; make room, and the"
            ):
                run.add(*invented(number))
            assert number > 20
            expected = {pair.number: records for pair, records in map(invented, range(number))}
            assert run.pairs() == expected
            for _ in range(3):  # and again, without harm
                with pytest.raises(StoreError, match="the disk is full"):
                    run.add_many([invented(number), *map(invented, range(number + 1, number + 60))])
            assert run.pairs() == expected
            before = content(path)
            assert len(before["games"]) == 2 * number
            store.query(f"PRAGMA max_page_count = {10 * pages}")
            run.add_many(map(invented, range(number, number + 60)))
        with Store(path) as store, store.run(key_of()) as run:
            assert run.number == 1
            run.finish("finished", {})
        with Store(tmp_path / "roomy.db") as store, store.run(key_of()) as run:
            for index in range(number + 60):
                run.add(*invented(index))
            run.finish("finished", {})
        assert content(path) == content(tmp_path / "roomy.db")

    def test_when_the_run_begins(self, path):
        with Store(path) as store:
            store.query(f"PRAGMA max_page_count = {store.query('PRAGMA page_count')[0][0]}")
            with pytest.raises(StoreError, match="the disk is full"):
                store.run(key_of(players=("x" * 10_000,)))
            assert store.runs() == []
            store.query("PRAGMA max_page_count = 1000")
            store.run(key_of(players=("x" * 10_000,))).close()


@contextlib.contextmanager
def nobody():
    """As root we may write anywhere: be somebody else for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of POSIX")
class TestReadOnly:
    @pytest.fixture
    def folder(self):
        """A folder that everybody may look into, unlike `tmp_path`."""
        folder = Path(tempfile.mkdtemp())
        folder.chmod(0o777)
        yield folder.resolve()
        folder.chmod(0o700)
        shutil.rmtree(folder)

    def fill(self, folder: Path, killed: bool = False) -> Path:
        """A database with a run in it; `killed`: as a killed process leaves it, the games in the write-ahead log."""
        with Store(folder / "made.db") as store:
            with store.run(key_of()) as run:
                run.add(*invented(0))
                run.finish("finished", {"games": 2})
            if killed:
                shutil.copyfile(folder / "made.db", folder / "ludus.db")
                shutil.copyfile(folder / "made.db-wal", folder / "ludus.db-wal")
        if not killed:
            shutil.copyfile(folder / "made.db", folder / "ludus.db")
        (folder / "made.db").unlink()
        return folder / "ludus.db"

    def lock_up(self, folder: Path, files: int, inside: int) -> None:
        for file in folder.iterdir():
            file.chmod(files)
        folder.chmod(inside)

    @pytest.mark.parametrize("killed", [False, True])
    @pytest.mark.parametrize(("files", "inside"), [(0o444, 0o555), (0o444, 0o777), (0o666, 0o555)])
    def test_reading_works_and_writing_says_why_not(self, folder, killed, files, inside):
        path = self.fill(folder, killed)
        self.lock_up(folder, files, inside)
        with nobody():
            with Store(path, write=False) as store:
                [found] = store.runs()
                assert (found["games"], found["status"], found["result"]) == (2, "finished", {"games": 2})
                assert [row["moves"] for row in store.games(1)] == [
                    " ".join(map(str, record.moves)) for record in invented(0)[1]
                ]
            with pytest.raises(StoreError, match=r"cannot be written: .* is read-only; choose another with `db`\.$"):
                Store(path)

    def test_no_copy_is_left_behind(self, folder, tmp_path, monkeypatch):
        path = self.fill(folder, killed=True)
        self.lock_up(folder, 0o444, 0o555)
        monkeypatch.setattr(tempfile, "tempdir", str(folder.parent / f"{folder.name}-copies"))
        os.mkdir(tempfile.tempdir)
        os.chmod(tempfile.tempdir, 0o777)
        with nobody():
            with Store(path, write=False) as store:
                assert store.runs()[0]["games"] == 2
                assert len(os.listdir(tempfile.tempdir)) == 1
            assert os.listdir(tempfile.tempdir) == []
        os.rmdir(tempfile.tempdir)

    def test_reading_while_somebody_else_plays(self, folder):
        path = folder / "ludus.db"
        with Store(path) as store, store.run(key_of()) as run:
            run.add(*invented(0))
            self.lock_up(folder, 0o644, 0o755)
            with nobody(), Store(path, write=False) as reader:
                [found] = reader.runs()
                assert (found["games"], found["status"]) == (2, PLAYING)
            run.add(*invented(1))

    def test_a_new_file_in_a_read_only_folder(self, folder):
        folder.chmod(0o555)
        with nobody(), pytest.raises(StoreError, match=r"cannot be written: .* is read-only; choose another with `db`"):
            Store(folder / "ludus.db")

    def test_a_file_that_may_not_be_read(self, folder):
        path = self.fill(folder)
        self.lock_up(folder, 0o000, 0o555)
        with nobody(), pytest.raises(StoreError, match=r"cannot be read \(.*\); choose another with `db`"):
            Store(path, write=False)

    @pytest.mark.parametrize("write", [True, False])
    def test_a_folder_that_may_not_be_entered(self, folder, write):
        path = self.fill(folder)
        self.lock_up(folder, 0o666, 0o000)
        with nobody(), pytest.raises(StoreError, match=r"cannot be reached \(Permission denied\)"):
            Store(path, write=write)

    def test_the_file_becomes_read_only_in_the_middle(self, path):
        with Store(path) as store, store.run(key_of()) as run:
            run.add(*invented(0))
            store.query("PRAGMA query_only = ON")
            with pytest.raises(StoreError, match="cannot be written"):
                run.add(*invented(1))
            store.query("PRAGMA query_only = OFF")
            run.add(*invented(1))
            assert len(run.pairs()) == 2
