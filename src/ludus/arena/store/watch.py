"""Whether a database is still the file that was opened, and what to do if it is not.

Somebody may delete, replace or overwrite the file while a run is played. SQLite would go on writing: into a file
without a name, or into a write-ahead log that the next reader then takes for the log of another database.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

LOGS = ("-wal", "-shm")
"""The files that SQLite keeps beside a database."""

APPLICATION = 0x4C554455
"""The `application_id` by which SQLite marks our files: the letters `LUDU`."""

DELETED, REPLACED, OVERWRITTEN = "deleted", "replaced by another file", "overwritten"
"""What may have happened to a file; after the last, the open connection reads what somebody else has written."""


class Watch:
    """Watches the file of an open connection, whose table `file` holds the identity of the database."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path, self.db = path, db
        self.seen = _stamp(path)
        self.logs: dict[Path, tuple[int, ...]] = {}
        self.wal: int | None = None
        """The write-ahead log, open: so it can be emptied even if it has no name any more. SQLite has no locks on it,
        which would be given up when it is closed."""
        self.id: str | None = (db.execute("SELECT id FROM file").fetchone() or (None,))[0]
        if _id_in_file(path) != self.id:  # it is in the write-ahead log only
            db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            self.id = self.id if _id_in_file(path) == self.id else None

    def change(self) -> str:
        """What has happened to the file; empty if it is the one that was opened."""
        now = _stamp(self.path)
        if now is None or self.seen is None:
            return DELETED
        if now[:2] != self.seen[:2]:
            return REPLACED
        if now != self.seen and self.id is not None and _is_another(self.path, self.id):
            return OVERWRITTEN
        self.seen = now
        if len(self.logs) < len(LOGS):  # they are made by the first transaction
            logs = {Path(f"{self.path}{suffix}"): _stamp(Path(f"{self.path}{suffix}")) for suffix in LOGS}
            self.logs = {log: stamp[:2] for log, stamp in logs.items() if stamp is not None}
            self._open_log()
        return ""

    def _open_log(self) -> None:
        if self.wal is None:
            with suppress(OSError):
                self.wal = os.open(f"{self.path}-wal", os.O_WRONLY)

    def rescue(self) -> Path | None:
        """Copy the database that is still open to a file of its own, beside the old one if that is possible."""
        for path in rescue_files(self.path):
            try:
                with closing(sqlite3.connect(path)) as copy:
                    self.db.backup(copy)
                return path
            except (sqlite3.Error, OSError):
                with suppress(OSError):
                    path.unlink()
        return None

    def remove_logs(self) -> None:
        """Remove the logs of the old database before its connection is closed: nobody must apply them to the new one.

        Emptied, a log cannot be applied by the connection that is being closed, either.
        """
        if self.wal is not None:
            with suppress(OSError):
                os.ftruncate(self.wal, 0)
        for log, file in self.logs.items():
            now = _stamp(log)
            if now is not None and now[:2] == file:
                with suppress(OSError):
                    log.unlink()

    def close(self) -> None:
        if self.wal is not None:
            os.close(self.wal)
            self.wal = None


def rescue_files(path: Path) -> Iterator[Path]:
    """A free name in each folder where a rescued database may be kept: the nearest first."""
    folders = [*path.parents, Path(tempfile.gettempdir())]
    for folder in [folder for folder in folders if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)]:
        names = (folder / f"{path.stem}-rescued{number or ''}{path.suffix}" for number in count())
        yield next(name for name in names if not os.path.lexists(name))


def _stamp(path: Path) -> tuple[int, int, int, int] | None:
    """Which file it is, when it was changed, and its size; None if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size


def _is_another(path: Path, known: str) -> bool:
    """Whether the file holds something else than the database with this identity.

    While another process copies its write-ahead log into the file, it may look damaged for a moment, or until the next
    such copy if that process was killed. It is another file only if its header or a readable identity says so.
    """
    found = _id_in_file(path)
    if found is not None:
        return found != known
    try:
        with closing(_as_it_is(path)) as db:
            return db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_NOTADB


def _id_in_file(path: Path) -> str | None:
    """The identity in the file itself, whatever the write-ahead log says; None if it cannot be read."""
    try:
        with closing(_as_it_is(path)) as db:
            return db.execute("SELECT id FROM file").fetchone()[0]
    except (sqlite3.Error, TypeError):
        return None


def _as_it_is(path: Path) -> sqlite3.Connection:
    """Read the file without its log and without locks.

    Through SQLite: to open and close the file ourselves would give up the locks that SQLite has on it.
    """
    return sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
