"""A finished game looked at move by move: who was ahead, by which search, and what each move gave away."""

from __future__ import annotations

import math
import threading
from dataclasses import asdict, dataclass, replace
from typing import Any

from ludus.common.errors import LudusError, RuleError
from ludus.kernel import limits as b
from ludus.kernel.rules import FAILURES
from ludus.learning.automatic_calibration import with_calibration
from ludus.model.position import Position
from ludus.model.result import Result
from ludus.model.search import EVALUATOR, SCORE
from ludus.web.events import EventLog
from ludus.web.limits import LEASE, REVIEWS
from ludus.web.lines import Line
from ludus.web.plain import Refusal
from ludus.web.pool import PlayerPool, Seated
from ludus.web.thinking import DONE, FAILED, PREPARING, RUNNING, Lease, compiling

WORST = 5
"""How many of the worst moves are named."""


@dataclass(frozen=True)
class Row:
    """A position of the game, and the move that was made in it. Values are to who decides there."""

    ply: int
    move: str | None
    """None at the end."""
    by: int | None = None
    value: float | None = None
    first: float | None = None
    """The value to the first player."""
    said: str | None = None
    proven: bool = False
    best: str | None = None
    line: tuple[str, ...] = ()
    played: float | None = None
    """The value of the move that was made."""
    loss: float | None = None
    """What it gave away; None: that is not known."""


class Review:
    """A search of every position of a game, one after the other, in a thread."""

    def __init__(self, name: str, line: Line, seated: Seated, pool: PlayerPool) -> None:
        self.name, self.line, self.seated, self.pool = name, line, seated, pool
        self.log, self.lease = EventLog(), Lease()
        self.status, self.error = PREPARING, ""
        self.rows: list[Row] = []
        self._stop = False
        self.thread = threading.Thread(target=self._work, name=f"review {name}", daemon=True)

    @property
    def is_done(self) -> bool:
        return self.status in (DONE, FAILED)

    @property
    def has_gone(self) -> bool:
        return not self.is_done and self.lease.is_over(LEASE)

    def stop(self) -> None:
        self._stop = True

    @property
    def worst(self) -> list[int]:
        """The plies of the moves that gave away most, the worst first."""
        lossy = [row for row in self.rows if row.loss is not None and row.loss > 0]
        return [row.ply for row in sorted(lossy, key=lambda row: -(row.loss or 0.0))[:WORST]]

    def to_dict(self) -> dict[str, Any]:
        """`GET /api/reviews/ID`."""
        return {
            "id": self.name,
            "status": self.status,
            "done": self.is_done,
            "error": self.error or None,
            "last_event": self.log.last,
            "game": self.line.spec,
            "player": str(self.seated.player.on(self.seated.game)),
            "plies": len(self.line.moves),
            "scale": self.seated.player.search.value_scale,
            "rows": [asdict(row) for row in self.rows],
            "worst": self.worst,
        }

    # The thread.

    def _work(self) -> None:
        try:
            with compiling:
                self.seated.player = with_calibration(self.seated.player, self.seated.game)
                session = self.seated.player.session(self.seated.game)
            self.status = RUNNING
            for ply in range(len(self.line.positions)):
                if self._stop:
                    raise LudusError("the review was stopped.")
                self._add(ply)
            self.status = DONE
            self.pool.give_back(self.seated, int(session.tree.record.size[0]))
            self.log.add("done", self.to_dict())
        except LudusError as error:
            self._fail(str(error))
        except FAILURES as error:
            self._fail(str(RuleError.during(self.seated.game, "a rule", None, error)))

    def _fail(self, message: str) -> None:
        self.status, self.error = FAILED, " ".join(message.split())
        self.log.add("failed", {"error": self.error})

    def _add(self, ply: int) -> None:
        """Search one more position; then it may be known what the move before it gave away."""
        row = self._row(ply)
        if self.rows:
            before = self.rows[-1]
            mended = with_next(before, row)
            if mended is not before:
                self.rows[-1] = mended
                self.log.add("row", asdict(mended))
        self.rows.append(row)
        self.log.add("row", asdict(row))

    def _row(self, ply: int) -> Row:
        here = self.line.positions[ply]
        last = ply == len(self.line.moves)
        name = None if last else self.line.names[ply]
        if here.is_over:
            return self._end(ply, here)
        if here.turn is None:
            return Row(ply, name)
        found = self._search(here, ply)
        value = found.value
        row = Row(ply, name, here.seat, value, _to_first(value, here), found.chosen.say(found.words))
        row = replace(row, proven=found.chosen.known.proven, best=found.move_name, line=tuple(found.line_names))
        return row if last else with_played(row, found, self.line.moves[ply])

    def _search(self, here: Position, ply: int) -> Result:
        def heed(session: Any) -> None:
            if self._stop:
                session.limits[b.INTERRUPT] = 1

        game = self.seated.game
        return self.seated.player.choose(game, game.read_state(here.state), ply=ply, progress=heed)

    def _end(self, ply: int, here: Position) -> Row:
        """The position at the end: its score, in the scale of the search."""
        search, score = self.seated.player.search, float(here.score)
        value = score if search.value_scale == SCORE else float((score > 0) - (score < 0))
        if search.value_scale == EVALUATOR:
            value = float(here.value(self.seated.player.on(self.seated.game).evaluator))
        said = "a draw" if score == 0 else f"{'win' if score > 0 else 'loss'} by {abs(score):g}"
        return Row(ply, None, here.seat, value, _to_first(value, here), said, True)


def with_played(row: Row, found: Result, move: int) -> Row:
    """The row with the value of the move that was made, if the search's own table of moves has it."""
    known = next(child.known for child in found.children if child.move == move)
    if known.is_bound or math.isnan(known.value):
        return row
    return _with_value(row, known.value)


def with_next(row: Row, following: Row) -> Row:
    """The row with the value of the move that was made, if it is not known yet and the next position tells it."""
    if row.played is not None or row.first is None or following.first is None or row.by is None:
        return row
    return _with_value(row, following.first if row.by == 0 else 0.0 - following.first)


def _with_value(row: Row, played: float) -> Row:
    if row.value is None or math.isnan(row.value) or math.isnan(played):
        return row
    loss = 0.0 if row.move == row.best else max(row.value - played, 0.0)
    return replace(row, played=played, loss=loss)


def _to_first(value: float, here: Position) -> float:
    return value if here.seat == 0 else 0.0 - value


class Reviews:
    """The reviews of this server."""

    def __init__(self, pool: PlayerPool) -> None:
        self.pool = pool
        self._all: dict[str, Review] = {}
        self._number = 0
        self._lock = threading.Lock()

    def begin(self, line: Line, player: str, budget: str | None) -> Review:
        if not line.moves:
            raise LudusError("there is nothing to review: no move has been made.")
        seated = self.pool.take(line.spec, player, budget)
        with self._lock:
            if sum(not review.is_done for review in self._all.values()) >= REVIEWS:
                raise Refusal(429, f"{REVIEWS} reviews are under way, which is the most: stop one of them first.")
            self._number += 1
            review = Review(f"v{self._number}", line, seated, self.pool)
            self._all[review.name] = review
            for name in [name for name, old in self._all.items() if old.is_done][:-REVIEWS]:
                del self._all[name]
            review.thread.start()
        return review

    def get(self, name: str) -> Review:
        with self._lock:
            review = self._all.get(name)
        if review is None:
            raise Refusal(404, f"there is no review {name}; it may have been forgotten.")
        review.lease.touch()
        return review

    def forget(self, name: str) -> None:
        self.get(name).stop()
        with self._lock:
            self._all.pop(name, None)

    def end_abandoned(self) -> None:
        with self._lock:
            left = list(self._all.values())
        for review in left:
            if review.has_gone:
                review.stop()

    def end_all(self) -> None:
        with self._lock:
            left = list(self._all.values())
        for review in left:
            review.stop()
