"""The rankings of this server, each in a process of its own; and the runs in the database."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from pathlib import Path
from typing import Any

from ludus.arena.roster import default_budget
from ludus.common.errors import LudusError
from ludus.web.catalog import Catalog
from ludus.web.contest import hold
from ludus.web.events import EventLog
from ludus.web.plain import Form, Refusal

RUNNING, STOPPED, DONE, FAILED = "running", "stopped", "done", "failed"

MOST_RUNNING = 1
"""Rankings at once: each uses all cores."""

MOST_GAMES = 100_000


class Contest:
    """One ranking, which can be stopped and go on."""

    def __init__(self, name: str, game: str, players: list[str], settings: dict[str, Any]) -> None:
        self.name, self.game, self.players, self.settings = name, game, players, settings
        self.log = EventLog()
        self.status, self.words, self.error = RUNNING, "", ""
        self.table: dict[str, Any] | None = None
        self.process: Any = None
        self._stopping = False

    @property
    def is_done(self) -> bool:
        return self.status in (DONE, FAILED)

    def start(self) -> None:
        """Begin, or go on."""
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe(duplex=False)
        self.status, self._stopping = RUNNING, False
        self.log.reopen()
        self.log.add("status", {"status": RUNNING, "words": ""})
        self.process = context.Process(target=hold, args=(there, self.game, self.players, dict(self.settings)))
        self.process.start()
        there.close()
        threading.Thread(target=self._listen, args=(here,), name=f"ranking {self.name}", daemon=True).start()

    def stop(self) -> None:
        """Ctrl-C for the process: every game that has been played is kept."""
        self._stopping = True
        if self.process is not None and self.process.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGINT)

    def end(self, seconds: float) -> None:
        """Stop, and if it does not listen, kill."""
        self.stop()
        if self.process is not None:
            self.process.join(seconds)
            if self.process.is_alive():
                self.process.kill()
                self.process.join(1)

    def _listen(self, pipe: Any) -> None:
        ended = False
        try:
            while True:
                kind, what = pipe.recv()
                ended = ended or kind in ("done", "failed")
                self._take(kind, what)
        except (EOFError, OSError):
            pass
        self.process.join()
        if not ended:
            self._take(
                "done" if self._stopping else "failed", "interrupted" if self._stopping else "its process ended."
            )

    def _take(self, kind: str, what: Any) -> None:
        if kind == "words":
            self.words = what
            self.log.add("status", {"status": self.status, "words": what})
        elif kind == "table":
            self.table = what
            self.log.add("table", self.to_dict())
        elif kind == "failed":
            self.status, self.error = FAILED, f"the ranking has failed: {what}" if self._is_bare(what) else what
            self.log.add("failed", {"error": self.error})
        elif what == "interrupted":
            self.status = STOPPED
            self.log.add("status", {"status": STOPPED, "words": ""})
        else:
            self.status, self.words = DONE, ""
            self.log.add("done", self.to_dict())

    @staticmethod
    def _is_bare(what: str) -> bool:
        return what.startswith("its process")

    def to_dict(self, short: bool = False) -> dict[str, Any]:
        """`GET /api/rankings/ID`."""
        found = {
            "id": self.name,
            "status": self.status,
            "done": self.is_done,
            "error": self.error or None,
            "last_event": self.log.last,
            "words": self.words,
            "run": (self.table or {}).get("run"),
            "game": self.game,
            "players": self.players,
            "settings": {key: value for key, value in self.settings.items() if key != "db"},
        }
        return found if short else found | {"table": self.table}


class Rankings:
    """All rankings of the server, and what is in its database."""

    def __init__(self, catalog: Catalog, db: str) -> None:
        self.catalog, self.db = catalog, db
        self._all: dict[str, Contest] = {}
        self._lock = threading.Lock()

    def begin(self, form: Form) -> Contest:
        """Start the run that `ludus rank` would make of this form."""
        spec, players, budget = form.text("game"), form.texts("players"), form.text("budget", "")
        game = self.catalog.game(spec)
        for player in players:
            self.catalog.player(player, budget or None)
        if not isinstance(form.fields.get("round_robin", False), bool):
            raise LudusError("round_robin must be true or false.")
        settings = {
            "budget": budget or str(default_budget(game)),
            "openings": form.whole("openings", 4, 0, 1000),
            "games": form.whole("games", 2000, 1, MOST_GAMES),
            "minutes": form.number("minutes"),
            "seed": form.whole("seed", 0),
            "round_robin": form.flag("round_robin"),
            "db": self.db,
        }
        with self._lock:
            self._check_room()
            contest = Contest(f"r{len(self._all) + 1}", spec, players, settings)
            self._all[contest.name] = contest
            contest.start()
        return contest

    def _check_room(self) -> None:
        if sum(contest.status == RUNNING for contest in self._all.values()) >= MOST_RUNNING:
            raise Refusal(429, "a ranking is under way: stop it first.")

    def get(self, name: str) -> Contest:
        with self._lock:
            if name not in self._all:
                raise Refusal(404, f"there is no ranking {name}.")
            return self._all[name]

    def go_on(self, contest: Contest) -> None:
        with self._lock:
            if contest.status != STOPPED:
                raise Refusal(409, "only a ranking that has been stopped can go on.")
            self._check_room()
            contest.start()

    def all(self) -> list[dict[str, Any]]:
        with self._lock:
            return [contest.to_dict(short=True) for contest in self._all.values()]

    def end_all(self, seconds: float) -> None:
        with self._lock:
            left = [contest for contest in self._all.values() if contest.status == RUNNING]
        for contest in left:
            contest.stop()
        for contest in left:
            contest.end(seconds)

    # The database.

    def runs(self) -> dict[str, Any]:
        """`GET /api/runs`: the newest first."""
        if not Path(self.db).is_file():
            return {"db": self.db, "runs": []}
        from ludus.arena.store.store import Store

        with Store(self.db, write=False) as store:
            found = store.runs()
        rows = [
            {
                "run": run["number"],
                "command": run["command"],
                "game": run["game"],
                "games": run["games"],
                "status": run["status"],
                "started": run["created"],
                "updated": run["updated"],
                "seconds": run["seconds"],
                "seed": run["seed"],
                "players": run["players"],
            }
            for run in reversed(found)
        ]
        return {"db": self.db, "runs": rows}

    def games(self, number: int, start: int, count: int) -> dict[str, Any]:
        """`GET /api/runs/N/games`: some of the games of a run."""
        if not Path(self.db).is_file():
            raise Refusal(404, f"there is no run {number} in {self.db}.")
        from itertools import islice

        from ludus.arena.store.store import Store

        with Store(self.db, write=False) as store:
            run = next((run for run in store.runs() if run["number"] == number), None)
            if run is None:
                raise Refusal(404, f"there is no run {number} in {self.db}.")
            rows = list(islice(store.games(number), start, start + count))
        games = [self._game(run, row, start + place) for place, row in enumerate(rows)]
        return {"run": number, "game": run["game"], "total": run["games"], "games": games}

    def _game(self, run: dict[str, Any], row: dict[str, Any], number: int) -> dict[str, Any]:
        players = dict(enumerate(run["players"]))
        pair = [players.get(row["one"], "?"), players.get(row["other"], "?")]
        opening, moves = ([int(move) for move in row[name].split()] for name in ("opening_moves", "moves"))
        score = float(row["score"])
        return {
            "number": number,
            "game": row["spec"],
            "players": pair[::-1] if row["game"] else pair,
            "moves": self._names(row["spec"], [*opening, *moves]),
            "opening": len(opening),
            "result": (score > 0) - (score < 0),
            "score": score,
            "fault": row["fault"] or None,
        }

    def _names(self, spec: str, moves: list[int]) -> list[str]:
        """The moves as people write them; as numbers where the rules are not at hand."""
        try:
            return self.catalog.fresh_game(spec).move_names(moves)
        except Exception:
            return [str(move) for move in moves]
