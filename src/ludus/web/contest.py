"""A ranking in a process of its own: the same call as `ludus rank`, told about through a pipe, ended by Ctrl-C."""

from __future__ import annotations

import signal
import time
from multiprocessing.connection import Connection
from typing import Any

from ludus.common.errors import LudusError

PACE = 0.5
"""Seconds between two tables, at least."""


class Teller:
    """Tells what a ranking does: `("words", text)`, `("table", object)`, and at the end `done` or `failed`."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self._due = 0.0

    def tell(self, kind: str, what: Any) -> None:
        self.pipe.send((kind, what))

    def preparing(self, done: int, total: int) -> None:
        self.tell("words", f"{done} of {total} searches ready" if done < total else "")

    def words(self, done: float, words: str) -> None:
        now = time.monotonic()
        if done == 0.0 or now >= self._due:
            self._due = now + PACE
            self.tell("words", words)

    def continuing(self, run: int, games: int) -> None:
        self.tell("words", f"continuing run {run}: {games:,} games played so far")

    def table(self, ranking: Any) -> None:
        now = time.monotonic()
        if now >= self._due:
            self.tell("table", ranking.to_dict())
            self._due = time.monotonic() + max(PACE, 4 * (time.monotonic() - now))


def hold(pipe: Connection, game: str, players: list[str], settings: dict[str, Any]) -> None:
    """What the process does. Ctrl-C ends it with what there is."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    teller = Teller(pipe)
    try:
        import ludus
        from ludus.arena.roster import default_budget

        made = ludus.game(game)
        budget = settings.pop("budget") or default_budget(made)
        found = ludus.rank(
            made,
            *players,
            budget=budget,
            progress=teller.table,
            preparing=teller.preparing,
            continuing=teller.continuing,
            calibrating=teller.words,
            learning=teller.words,
            solved=lambda result: teller.tell("words", str(result)),
            **settings,
        )
        teller.tell("table", found.to_dict())
        teller.tell("done", found.stopped)
    except KeyboardInterrupt:
        teller.tell("done", "interrupted")
    except LudusError as error:
        teller.tell("failed", " ".join(str(error).split()))
    except Exception as error:
        teller.tell("failed", f"the ranking has failed: {type(error).__name__}: {error}")
        raise
    finally:
        pipe.close()
