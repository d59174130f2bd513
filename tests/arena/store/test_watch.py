"""Whether a database is still the file that was opened."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from ludus.arena.store.store import Store
from ludus.arena.store.watch import OVERWRITTEN

PAGE = 4096


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "ludus.db") as opened:
        opened.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        assert opened._watch.change() == ""
        yield opened


def overwrite(path, content, start=0):
    with path.open("r+b") as file:
        file.seek(start)
        file.write(content)


def test_a_file_that_another_process_is_writing_is_not_another(store):
    """A checkpoint under way leaves pages that do not fit each other: the file looks damaged, and is ours."""
    (root,) = store.db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'file'").fetchone()
    overwrite(store.path, bytes([255]) * PAGE, (root - 1) * PAGE)
    assert store._watch.change() == ""


def test_garbage_is_another_file(store):
    overwrite(store.path, b"no database" * PAGE)
    assert store._watch.change() == OVERWRITTEN


def test_an_empty_file_is_another(store):
    store.path.write_bytes(b"")
    assert store._watch.change() == OVERWRITTEN


def test_the_database_of_another_program_is_another(store, tmp_path):
    with closing(sqlite3.connect(tmp_path / "theirs.db")) as theirs:
        theirs.execute("CREATE TABLE theirs (number)")
        theirs.commit()
    overwrite(store.path, (tmp_path / "theirs.db").read_bytes())
    assert store._watch.change() == OVERWRITTEN


def test_another_database_of_ludus_is_another(store, tmp_path):
    with Store(tmp_path / "other.db") as other:
        other.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    overwrite(store.path, (tmp_path / "other.db").read_bytes())
    assert store._watch.change() == OVERWRITTEN
