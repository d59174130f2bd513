"""Where the games of a match are kept: in a database as a run of their own, or nowhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.arena.play.pairs import Pair
from ludus.arena.play.records import Records
from ludus.common.errors import LudusError
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player

if TYPE_CHECKING:
    from ludus.arena.store.store import Run, Store


class RunRecorder:
    """Keeps games in a database. If that fails, `told` is called with the error and the match goes on without; if
    there is no `told`, the error is raised. Must be closed."""

    def __init__(self, db: str | Path | None, told: Callable[[LudusError], None] | None = None) -> None:
        self.db, self.told = db, told
        self.store: Store | None = None
        self.run: Run | None = None

    def begin(self, game: PlayableGame, players: tuple[Player, ...], seed: int, settings: Mapping[str, Any]) -> None:
        """Begin another run, even if there is one like it."""
        if self.db is None:
            return
        from ludus.arena.roster import run_fingerprint
        from ludus.arena.store.store import RunKey, Store
        from ludus.common.version import VERSION

        names = tuple(str(player) for player in players)
        key = RunKey("match", str(game), names, seed, settings, run_fingerprint(game, players), VERSION)
        db = self.db

        def open_run() -> None:
            self.store = Store(db)
            self.run = self.store.run(key, fresh=True)

        self._try(open_run)

    def add(self, pair: Pair, records: Records) -> None:
        run = self.run
        if run is not None:
            self._try(lambda: run.add(pair, records))

    def finish(self, interrupted: bool, result: dict[str, Any]) -> None:
        run = self.run
        if run is not None:
            self._try(lambda: run.finish("interrupted" if interrupted else "finished", result))

    @property
    def number(self) -> int | None:
        """The number of the run; None if the games are not kept, or not all of them."""
        return None if self.run is None else self.run.number

    def _try(self, action: Callable[[], None]) -> None:
        from ludus.arena.store.database import StoreError

        try:
            action()
        except StoreError as error:
            if self.told is None:
                raise
            self.close()
            self.told(error)

    def close(self) -> None:
        if self.run is not None:
            self.run.close()
        if self.store is not None:
            self.store.close()
        self.store = self.run = None

    def __enter__(self) -> RunRecorder:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
