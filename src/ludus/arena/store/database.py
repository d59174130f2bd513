"""An SQLite file: made, upgraded, written in transactions, read where it may not be written; errors in words."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from ludus.arena.store.watch import APPLICATION, OVERWRITTEN, Watch
from ludus.common.errors import LudusError
from ludus.common.files import escape_control_characters, path_of

PATIENCE = 30.0
"""Seconds to wait for another process that keeps the file busy."""

SMALLEST = 512
"""The least size of a database in bytes. A smaller file is refused: SQLite would overwrite a file of one byte."""


NAMED = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
TRIGGERS = "SELECT name FROM sqlite_master WHERE type = 'trigger'"


class StoreError(LudusError):
    """The database cannot be used as asked; says what to do."""


class Lost(StoreError):
    """The file is not the one any more that was opened; `rescued` holds what was in it, if that could be saved."""

    def __init__(self, path: Path, change: str, rescued: Path | None) -> None:
        self.path, self.change, self.rescued = path, change, rescued
        super().__init__(path, change, rescued)

    def __str__(self) -> str:
        kept = f"all that it held is in {self.rescued}: the same command with `db={self.rescued}` goes on"
        lost = "what it held could not be saved"
        what = f"the database {self.path} was {self.change} while a run was played"
        return f"{what}; {lost if self.rescued is None else kept}."


class Database:
    """A file with the tables that `migrations` makes. With `write=False` it must be there, and is only read."""

    migrations: ClassVar[tuple[tuple[str, ...], ...]]
    """The statements that lead from each version of the format (`user_version`) to the next."""

    def __init__(self, path: str | Path, *, write: bool = True, patience: float = PATIENCE) -> None:
        self.path, self.write, self.patience = path_of(path), write, patience
        self._copy: tempfile.TemporaryDirectory | None = None
        self._watch: Watch | None = None
        self._lost: Lost | None = None
        self.check(path, write)
        self.db = self._connect("mode=rwc" if write else "mode=rw")
        try:
            if write:
                self._prepare()
            else:
                self._open_for_reading()
        except BaseException:
            self.close()
            raise

    @staticmethod
    def check(path: str | Path, write: bool = True) -> None:
        """Refuse a path that cannot be a database, before the file is opened or anything is done that takes time."""
        path = path_of(path)
        try:
            if not path.parent.is_dir():
                raise StoreError(f"there is no folder {str(path.parent)!r} for the database {path.name!r}.")
            if path.is_dir():
                raise StoreError(f"{path} is a folder, not a database; choose a file with `db`.")
            size = path.stat().st_size if path.exists() else 0
        except OSError as error:
            raise StoreError(f"the database {path} cannot be reached ({error.strerror or error}).") from error
        if not write and not size:
            first = "or play a ranking or a match first, which makes one"
            raise StoreError(f"there is no database {path}; choose another with `db`, {first}.")
        if 0 < size < SMALLEST:
            raise StoreError(_SENTENCES[sqlite3.SQLITE_NOTADB].format(path=path))

    def _connect(self, how: str, path: Path | None = None) -> sqlite3.Connection:
        with self.in_words():
            uri = f"{(path or self.path).as_uri()}?{how}"
            made = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=self.patience)
            made.text_factory = lambda text: text.decode(errors="replace")  # a damaged row must not hide the others
            return made

    def _prepare(self) -> None:
        """Make or upgrade the tables. Nothing is written into the file of another program or of a newer version."""
        with self.transaction() as db:
            for statement in [statement for step in self.migrations[self._version() :] for statement in step]:
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION}")  # always, to see that we may write
            db.execute(f"PRAGMA user_version = {len(self.migrations)}")
        with self.in_words():
            if self._write_ahead() == "wal":
                self.db.execute("PRAGMA synchronous = NORMAL")  # which is not enough without a log
            self.db.execute("PRAGMA foreign_keys = ON")
            self._watch = Watch(self.path, self.db)

    def _write_ahead(self) -> str:
        """Ask for a write-ahead log, so that readers and the writer do not wait for each other; returns what it has.

        When several processes make the file at once, SQLite does not wait here but reports it busy, now and then.
        """
        deadline = time.monotonic() + self.patience
        while True:
            try:
                return self.db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            except sqlite3.OperationalError as error:
                if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def _open_for_reading(self) -> None:
        try:
            found = self._version()
        except StoreError as error:
            if not isinstance(error.__cause__, sqlite3.Error) or _code(error.__cause__) not in _NOT_READ:
                raise
            self._reconnect()
            found = self._version()
        if found < len(self.migrations):
            type(self)(self.path, patience=self.patience).close()  # which upgrades it

    def _reconnect(self) -> None:
        """Read the database as it is, or a copy of it, where SQLite may not make its own files beside it.

        If the last writer was killed, part of the database is in the write-ahead log still. Only a copy has it all.
        """
        self.db.close()
        log = Path(f"{self.path}-wal")
        if not log.exists() or log.stat().st_size == 0:
            self.db = self._connect("mode=ro&immutable=1")
            return
        self._copy = tempfile.TemporaryDirectory(prefix="ludus-")
        copy = Path(self._copy.name) / self.path.name
        try:
            shutil.copyfile(self.path, copy)
            shutil.copyfile(log, f"{copy}-wal")
        except OSError as error:
            raise StoreError(f"the database {self.path} cannot be read ({error.strerror or error}).") from error
        self.db = self._connect("mode=rw", copy)

    def _version(self) -> int:
        """The version of the format; 0 for a file that is still empty."""
        (application,), (found,), (tables,) = (
            self.query(question)[0]
            for question in ("PRAGMA application_id", "PRAGMA user_version", "SELECT COUNT(*) FROM sqlite_master")
        )
        if application != APPLICATION and (application or found or tables):
            raise StoreError(f"{self.path} is a database of another program; choose another with `db`.")
        if found > len(self.migrations):
            raise StoreError(
                f"{self.path} was written by a newer version of ludus (its format is {found}, this version knows "
                f"{len(self.migrations)}): upgrade ludus, or choose another with `db`."
            )
        self._check_schema(found)
        return found

    def _check_schema(self, version: int) -> None:
        """Refuse tables that are not ours, and triggers: a view in the place of a table may never end."""
        with closing(sqlite3.connect(":memory:")) as model:
            for statement in [statement for step in self.migrations[:version] for statement in step]:
                model.execute(statement)
            ours = dict(model.execute(NAMED).fetchall())
        theirs = dict(self.query(NAMED))
        foreign = [f"{name} is not the table that ludus makes" for name in ours if theirs.get(name) != ours[name]]
        missing = [f"no such table: {name}" for name in ours if name not in theirs]
        triggers = [f"it has the trigger {name}" for (name,) in self.query(TRIGGERS)]
        for error in (*missing, *foreign, *triggers):
            raise StoreError(
                _SENTENCES[sqlite3.SQLITE_CORRUPT].format(path=self.path, error=escape_control_characters(str(error)))
            )

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """SQLite's errors as sentences."""
        try:
            yield
        except (sqlite3.ProgrammingError, sqlite3.InterfaceError):  # of ours, not of the file
            raise
        except sqlite3.Error as error:
            code = _code(error)
            known = _SENTENCES if self.write or code not in _NOT_READ else _NOT_READ
            sentence = known.get(code, _SENTENCES[sqlite3.SQLITE_CORRUPT])
            raise StoreError(sentence.format(path=self.path, error=error)) from error
        except UnicodeDecodeError as error:  # of the words in which SQLite says what is damaged
            words = _SENTENCES[sqlite3.SQLITE_CORRUPT].format(path=self.path, error="its names are not readable")
            raise StoreError(words) from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it is written or nothing, and other writers wait.

        An error if the file is not the one that was opened, whether that is seen before or after.
        """
        self.check_file()
        with self.in_words():
            try:
                self.db.execute("BEGIN IMMEDIATE")
                yield self.db
                self.db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    if self.db.in_transaction:  # an error such as a full disk has ended it already
                        self.db.execute("ROLLBACK")
                raise
        self.check_file()

    def check_file(self) -> None:
        """An error if somebody has deleted, replaced or overwritten the file; what it held is saved, if it can be."""
        change = self._watch.change() if self._watch is not None and self._lost is None else ""
        if self._watch is not None and change:
            rescued = None if change == OVERWRITTEN else self._watch.rescue()
            self._lost = Lost(self.path, change, rescued)
        if self._lost is not None:
            raise self._lost

    def query(self, sql: str, *values: Any) -> list[tuple]:
        """All rows that a query gives."""
        with self.in_words():
            return self.db.execute(sql, values).fetchall()

    def close(self) -> None:
        if self._watch is not None:
            if self._lost is not None:
                self._watch.remove_logs()
            self._watch.close()
        self.db.close()
        if self._copy is not None:
            self._copy.cleanup()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary code of an error; 0 for an error of Python's own."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


_NOT_READ = dict.fromkeys(
    (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM),
    "the database {path} cannot be read ({error}); choose another with `db`.",
)
_SENTENCES = {
    **dict.fromkeys(
        _NOT_READ,
        "the database {path} cannot be written: the file or its folder is read-only; choose another with `db`.",
    ),
    **dict.fromkeys(
        (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL),
        "the database {path} is kept busy by another process; try again later, or choose another with `db`.",
    ),
    sqlite3.SQLITE_NOTADB: "{path} is not a database of ludus; choose another with `db`.",
    sqlite3.SQLITE_CORRUPT: "the database {path} is damaged ({error}); choose another with `db`.",
    sqlite3.SQLITE_FULL: "there is no room left for the database {path}: the disk is full. All games up to now are "
    "safe; make room, and the same command goes on.",
    sqlite3.SQLITE_IOERR: "the database {path} cannot be read or written ({error}). All games up to now are safe; "
    "the same command goes on.",
}
