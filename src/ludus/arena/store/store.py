"""The database of runs: every game is kept, so that a killed run goes on where it stopped.

A run is a function of its `RunKey`. Its games are stored in pairs, each pair in one transaction, by the process that
plays the run; a lock that dies with that process keeps others away from it. What was committed survives the death of
the process. A power cut may take the last seconds with it (WAL, `synchronous=NORMAL`), but neither half a pair nor the
file; what is missing is played again.
"""

from __future__ import annotations

import json
import platform
import shlex
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ludus.arena.play.pairs import Pair, PairNumber
from ludus.arena.play.records import GameRecord, Records
from ludus.arena.store import ledger
from ludus.arena.store.database import Database, Lost, StoreError
from ludus.arena.store.rows import (
    PLACE,
    PLAYED,
    SEAT,
    SEATS,
    UNREADABLE,
    is_readable,
    measurement,
    moves_text,
    now,
    record_of,
    seconds_of,
    stable_json,
    text,
)
from ludus.arena.store.watch import rescue_files
from ludus.common.files import escape_control_characters, parse_json

PLAYING, INTERRUPTED, FINISHED, UNFINISHED = "playing", "interrupted", "finished", "unfinished"
"""The status of a run; `finish` may use other words. Unfinished: its process ended without calling `finish`."""


@dataclass(frozen=True)
class RunKey:
    """All that the games of a run depend on: the same key is the same run. `game` and `players` are canonical specs."""

    command: str
    game: str
    players: tuple[str, ...]
    seed: int
    settings: Mapping[str, Any]
    fingerprint: str
    version: str

    def __str__(self) -> str:
        return stable_json(asdict(self))


class Store(Database):
    """The runs in one file."""

    migrations = (
        (
            """CREATE TABLE runs (number INTEGER PRIMARY KEY, key TEXT NOT NULL, command TEXT NOT NULL,
            game TEXT NOT NULL, seed TEXT NOT NULL, settings TEXT NOT NULL, fingerprint TEXT NOT NULL,
            version TEXT NOT NULL, python TEXT NOT NULL, numba TEXT NOT NULL, numpy TEXT NOT NULL, line TEXT NOT NULL,
            created TEXT NOT NULL, updated TEXT NOT NULL, status TEXT NOT NULL, seconds REAL NOT NULL, result TEXT)""",
            "CREATE INDEX runs_by_key ON runs (key)",
            """CREATE TABLE players (run INTEGER NOT NULL REFERENCES runs, number INTEGER NOT NULL, spec TEXT NOT NULL,
            left_out TEXT, PRIMARY KEY (run, number)) WITHOUT ROWID""",
            """CREATE TABLE games (run INTEGER NOT NULL REFERENCES runs, one INTEGER NOT NULL, other INTEGER NOT NULL,
            opening INTEGER NOT NULL, game INTEGER NOT NULL CHECK (game IN (0, 1)), spec TEXT NOT NULL,
            opening_moves TEXT NOT NULL, seed TEXT NOT NULL, moves TEXT NOT NULL, score REAL NOT NULL,
            fault TEXT NOT NULL, first_decisions INTEGER NOT NULL, first_generated INTEGER NOT NULL,
            first_evaluated INTEGER NOT NULL, first_expanded INTEGER NOT NULL, first_traversed INTEGER NOT NULL,
            first_seconds REAL NOT NULL, second_decisions INTEGER NOT NULL, second_generated INTEGER NOT NULL,
            second_evaluated INTEGER NOT NULL, second_expanded INTEGER NOT NULL, second_traversed INTEGER NOT NULL,
            second_seconds REAL NOT NULL, result TEXT GENERATED ALWAYS AS
            (CASE WHEN score > 0 THEN '1-0' WHEN score < 0 THEN '0-1' ELSE '1/2-1/2' END) VIRTUAL,
            CHECK (one < other), PRIMARY KEY (run, one, other, opening, game))""",
        ),
        (
            """CREATE TABLE measurements (run INTEGER NOT NULL REFERENCES runs, name TEXT NOT NULL, value TEXT NOT NULL,
            PRIMARY KEY (run, name)) WITHOUT ROWID""",
        ),
        ("CREATE TABLE file (id TEXT NOT NULL)", "INSERT INTO file VALUES (hex(randomblob(16)))"),
    )
    """Never edit a step that was released: append one."""

    def __init__(self, path: str | Path = "ludus.db", **options: Any) -> None:
        super().__init__(path, **options)
        self.unreadable = 0
        """How many rows of runs or games could not be read: each of them is left out, and nothing else."""

    def run(self, key: RunKey, *, fresh: bool = False, line: str | None = None) -> Run:
        """The latest run with this key, or a new one; `fresh` always gives a new one. `line` is the command line.

        An error while another process plays the run; a finished run may be opened by anybody.
        """
        latest = "SELECT number, status, seconds, result FROM runs WHERE key = ? ORDER BY number DESC LIMIT 1"
        with self.transaction() as db:
            if fresh or db.execute(latest, (str(key),)).fetchone() is None:
                self._insert(key, shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]) if line is None else line)
            found = Run(self, key, *db.execute(latest, (str(key),)).fetchone())
            if not found.finished:
                found.hold()
        return found

    def measured(self, name: str, like: RunKey, group: str, oldest: int = 0) -> Any:
        """What a run of this group, whose games are called `group` and more, has measured under this name, the latest
        first; its command, seed and version are those of `like`. None if nothing that can be read."""
        latest = """SELECT value FROM runs JOIN measurements ON run = number WHERE command = ? AND seed = ?
            AND version = ? AND number >= ? AND substr(game, 1, ?) = ? AND name = ? ORDER BY number DESC LIMIT 1"""
        start = f"{group} "
        which = like.command, str(like.seed), like.version, oldest, len(start), start
        return measurement(self.query(latest, *which, name))

    def _insert(self, key: RunKey, line: str) -> None:
        created = now()
        row = {
            **{"key": str(key), "command": key.command, "game": key.game, "seed": str(key.seed)},
            **{"settings": stable_json(key.settings), "fingerprint": key.fingerprint, "version": key.version},
            **{"python": platform.python_version(), "numba": version("numba"), "numpy": version("numpy")},
            **{"line": line, "created": created, "updated": created, "status": PLAYING, "seconds": 0.0},
        }
        insert = f"INSERT INTO runs ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
        number = self.db.execute(insert, list(row.values())).lastrowid
        ledger.note(str(key), created)
        self.db.executemany(
            "INSERT INTO players VALUES (?, ?, ?, NULL)", ((number, *p) for p in enumerate(key.players))
        )

    def runs(self) -> list[dict[str, Any]]:
        """All runs that can be read, oldest first, ready for JSON; `unreadable` says how many cannot."""
        counts = dict(self.query("SELECT run, COUNT(*) FROM games GROUP BY run"))
        found = []
        for row in list(self._rows("SELECT * FROM runs ORDER BY number")):
            try:
                found.append(self._told(row) | {"games": counts.get(row["number"], 0)})
            except UNREADABLE:
                self.unreadable += 1
        return found

    def _told(self, row: dict[str, Any]) -> dict[str, Any]:
        """A run as it is told to others; raises if the row is damaged."""
        specs = self.query("SELECT spec FROM players WHERE run = ? ORDER BY number", row["number"])
        run = row | {"players": [escape_control_characters(text(spec)) for (spec,) in specs]}
        run |= {"seed": int(row["seed"]), "settings": dict(parse_json(row["settings"]))}
        run |= {"result": dict(parse_json(row["result"])) if row["result"] else None}
        run |= {"seconds": seconds_of(row["seconds"])}
        for name in ("created", "updated"):
            datetime.fromisoformat(row[name]).astimezone()
        for name in ("command", "game", "status", "line", "fingerprint", "version", "python", "numba", "numpy"):
            run[name] = escape_control_characters(text(row[name]))
        played = self.is_played(row["number"])
        if played or (played is False and run["status"] == PLAYING):
            run["status"] = PLAYING if played else UNFINISHED
        del run["key"]
        return run

    def may_build(self, number: int, spec: str) -> bool:
        """Whether what this spec out of a run describes may be built: see `ledger`, which decides it."""
        rows = self.query("SELECT key, created FROM runs WHERE number = ?", number)
        return any(ledger.may_build(spec, key, created) for key, created in rows)

    def games(self, number: int) -> Iterator[dict[str, Any]]:
        """The games of a run that can be read, pair by pair, with all columns; `unreadable` counts the others."""
        columns = ", ".join([*PLACE, *PLAYED, "result", *SEATS])
        for row in self._rows(f"SELECT {columns} FROM games WHERE run = ? ORDER BY one, other, opening, game", number):
            if is_readable(row):
                yield row | {name: escape_control_characters(row[name]) for name in ("spec", "seed", "fault")}
            else:
                self.unreadable += 1

    def _rows(self, sql: str, *values: Any) -> Iterator[dict[str, Any]]:
        with self.in_words():
            cursor = self.db.execute(sql, values)
            names = [column[0] for column in cursor.description]
            for row in cursor:
                yield dict(zip(names, row, strict=True))

    def lock(self, number: int) -> Any:
        """The lock of a run, held by the process that plays it; it is released when that process ends, for any reason.

        It is taken, tried and removed in transactions only: so nobody finds it taken by one who only tries it, and
        nobody holds a file that was removed.
        """
        import filelock

        return filelock.FileLock(f"{self.path}-run{number}.lock", timeout=0, thread_local=False)

    def is_played(self, number: int) -> bool | None:
        """Whether a process plays this run now; None if the lock may not be read."""
        lock = self.lock(number)
        if not Path(lock.lock_file).exists():
            return False
        try:
            with self.transaction():
                lock.acquire()
                Path(lock.lock_file).unlink()  # which a killed process has left
                lock.release()
        except TimeoutError:
            return True
        except (OSError, StoreError):
            return None
        return False


class Run:
    """A run: its games so far, and the right to add to them, until `close`."""

    def __init__(self, store: Store, key: RunKey, number: int, status: str, seconds: float, result: str | None) -> None:
        self.store, self.key, self.number, self.status, self._result = store, key, number, status, result
        self._stored = 0.0  # if the row is damaged
        with suppress(*UNREADABLE):
            self._stored = seconds_of(seconds)
        self._since = time.monotonic()
        self._lock: Any = None

    @property
    def finished(self) -> bool:
        """Whether the run has ended, so that nothing is left to play."""
        return self.status not in (PLAYING, INTERRUPTED)

    @property
    def result(self) -> dict[str, Any] | None:
        """What `finish` was given, if the run is finished."""
        return parse_json(self._result) if self.finished and self._result else None

    @property
    def seconds(self) -> float:
        """How long the run has been played, in seconds, earlier sittings included."""
        return self._stored if self.finished else self._stored + time.monotonic() - self._since

    def begin(self) -> None:
        """Start the clock: the time since the run was opened, or last changed, does not count."""
        self._since = time.monotonic()

    def hold(self) -> None:
        """Take the run's lock, so that no other process plays it; called in a transaction."""
        if self._lock is not None:
            return
        lock = self.store.lock(self.number)
        try:
            lock.acquire()
        except TimeoutError:
            raise StoreError(
                f"run {self.number} of {self.store.path} is being played by another process: wait for that, or start "
                "another with `new`."
            ) from None
        except OSError as error:
            raise StoreError(f"{lock.lock_file} cannot be made ({error.strerror or error}).") from error
        self._lock = lock

    def pairs(self) -> dict[PairNumber, Records]:
        """The games of every pair that is stored, by the pair's number."""
        found: dict[PairNumber, list[GameRecord]] = {}
        for row in self.store.games(self.number):
            found.setdefault((row["one"], row["other"], row["opening"]), []).append(record_of(row))
        return {number: (games[0], games[1]) for number, games in found.items() if len(games) == 2}

    @property
    def left_out(self) -> list[str] | None:
        """Why each player is left out, empty for those who take part; None if that was not decided yet."""
        found = self.store.query("SELECT left_out FROM players WHERE run = ? ORDER BY number", self.number)
        return (
            None if any(why is None for (why,) in found) else [escape_control_characters(str(why)) for (why,) in found]
        )

    def leave_out(self, reasons: Iterable[str]) -> None:
        """Store why each player is left out, empty for those who take part."""
        with self._change(PLAYING) as db:
            rows = ((why, self.number, player) for player, why in enumerate(reasons))
            db.executemany("UPDATE players SET left_out = ? WHERE run = ? AND number = ?", rows)

    def add(self, pair: Pair, records: Records) -> None:
        """Store the two games of a pair: when this returns, killing the process does not lose them."""
        self.add_many([(pair, records)])

    def add_many(self, played: Iterable[tuple[Pair, Records]]) -> None:
        """The same for several pairs, all or none. A pair that is stored already is left as it is."""
        with self._change(PLAYING) as db:
            for pair, records in played:
                what = str(pair.opening.game), moves_text(pair.opening.moves), str(pair.seed)
                for index, record in enumerate(records):
                    self._add(db, (*pair.number, index), what, record)

    def _add(self, db: sqlite3.Connection, which: tuple[int, ...], what: tuple[str, ...], record: GameRecord) -> None:
        place = self.number, *which
        played = *what, moves_text(record.moves), float(record.score), record.fault
        known = f"SELECT {', '.join([*PLAYED, *SEATS])} FROM games WHERE ({', '.join(PLACE)}) = (?, ?, ?, ?, ?)"
        stored = db.execute(known, place).fetchone()
        if stored is None or not is_readable(dict(zip([*PLAYED, *SEATS], stored, strict=True))):
            efforts = [[getattr(effort, name) for name in SEAT[1:]] for effort in record.effort]
            values = *place, *played, record.decisions[0], *efforts[0], record.decisions[1], *efforts[1]
            columns = ", ".join([*PLACE, *PLAYED, *SEATS])
            db.execute(f"INSERT OR REPLACE INTO games ({columns}) VALUES ({', '.join('?' * len(values))})", values)
        elif stored[: len(PLAYED)] != played:
            raise StoreError(
                f"game {which} of run {self.number} in {self.store.path} is stored already, but as another game: "
                "start over with `new`."
            )

    def measured(self, name: str) -> Any:
        """What `measure` stored under this name; None if nothing that can be read."""
        return measurement(
            self.store.query("SELECT value FROM measurements WHERE run = ? AND name = ?", self.number, name)
        )

    def measure(self, name: str, value: Any) -> None:
        """Store something other than games, ready for JSON, in the place of what had this name before."""
        encoded = json.dumps(value, allow_nan=False)
        with self._change(PLAYING) as db:
            db.execute("INSERT OR REPLACE INTO measurements VALUES (?, ?, ?)", (self.number, name, encoded))

    def finish(self, status: str = FINISHED, result: dict[str, Any] | None = None) -> None:
        """Store how the run ended: `interrupted`, and the same key goes on; or another word, and this is the result."""
        with self._change(status, None if result is None else json.dumps(result, allow_nan=False)):
            pass

    @contextmanager
    def _change(self, status: str, result: str | None = None) -> Iterator[sqlite3.Connection]:
        """A transaction that also stores the status of the run and how long it has been played."""
        with self.store.transaction() as db:
            self.hold()
            yield db
            moment = time.monotonic()
            seconds = self._stored + moment - self._since
            db.execute(
                "UPDATE runs SET status = ?, result = ?, seconds = MAX(seconds, ?), updated = ? WHERE number = ?",
                (status, result, seconds, now(), self.number),
            )
        self.status, self._result, self._stored, self._since = status, result, seconds, moment

    def rescue(self, played: Iterable[tuple[Pair, Records]]) -> Path | None:
        """Store these pairs as the same run in a database of its own, because this one was overwritten."""
        pairs = list(played)
        for path in rescue_files(self.store.path):
            with suppress(StoreError), Store(path) as store, store.run(self.key) as run:
                run.add_many(pairs)
                return path
        return None

    def close(self) -> None:
        """Release the lock, so that other processes can go on with the run."""
        if self._lock is not None:
            with suppress(OSError, sqlite3.Error):
                try:
                    with self.store.transaction():
                        Path(self._lock.lock_file).unlink()
                except Lost:  # the file in which others would wait is gone
                    Path(self._lock.lock_file).unlink()
                except StoreError:
                    pass
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
