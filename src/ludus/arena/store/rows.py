"""The rows of the database: their columns, and reading them; a damaged row raises one of `UNREADABLE`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from ludus.arena.play.reasons import Reason, Told
from ludus.arena.play.records import GameRecord
from ludus.common.errors import LudusError
from ludus.common.files import parse_json
from ludus.model.budget import Meter

SEAT = ("decisions", "generated", "evaluated", "expanded", "traversed", "seconds")
SEATS = [f"{seat}_{what}" for seat in ("first", "second") for what in SEAT]
PLACE = ["run", "one", "other", "opening", "game"]
PLAYED = ["spec", "opening_moves", "seed", "moves", "score", "fault"]
"""The columns of a game: what each seat spent, the first and the second; which game it is; what was played.

A pair is two `players`, `one` and `other`, and an opening; `one` moves first in game 0, `other` in game 1. `spec` is
the game's own, whose seed may change from pair to pair. The score is to the first seat.
"""


def measurement(found: list[Any]) -> Any:
    """The measurement that a query has found; None if there is none, or it cannot be read."""
    try:
        return parse_json(found[0][0]) if found else None
    except UNREADABLE:
        return None


UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError, LudusError)
"""What reading a damaged row raises."""


def record_of(row: Mapping[str, Any]) -> GameRecord:
    """The record of a game; raises if the row is damaged."""
    meters = []
    for seat in ("first", "second"):
        generated, evaluated, expanded, traversed = (integer(row[f"{seat}_{what}"]) for what in SEAT[1:5])
        meters.append(Meter(generated, evaluated, expanded, traversed, seconds_of(row[f"{seat}_seconds"])))
    decisions = integer(row["first_decisions"]), integer(row["second_decisions"])
    return GameRecord(
        moves_of(row["moves"]), float(row["score"]), (meters[0], meters[1]), decisions, stored_reason(row["fault"])
    )


def readable(row: Mapping[str, Any]) -> GameRecord | None:
    """The record of a game; None if the row, without its place and its result, cannot be read."""
    try:
        moves_of(row["opening_moves"])
        text(row["spec"]), text(row["seed"])
        return record_of(row)
    except UNREADABLE:
        return None


def moves_of(written: str) -> tuple[int, ...]:
    moves = tuple(int(move) for move in written.split())
    if not all(-(2**63) <= move < 2**63 for move in moves):
        raise ValueError
    return moves


def seconds_of(value: Any) -> float:
    """A time; raises if nothing can have taken so long, so that sums of times are numbers, too."""
    if not 0 <= float(value) <= LONGEST:
        raise ValueError
    return float(value)


LONGEST = 1e10
"""Seconds: three centuries."""


def integer(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def stored_reason(written: Any) -> Reason | None:
    """The reason that `reason_text` wrote; of what else there is, as in databases of format 3, the words."""
    try:
        found = Reason.from_json(text(written))
    except UNREADABLE:
        found = Told(str(written))
    return None if found is None else found.harmless()


def reason_text(reason: Reason | None) -> str:
    """A reason, or that there is none, as it is kept."""
    return "" if reason is None else reason.to_json()


def moves_text(moves: Iterable[int]) -> str:
    return " ".join(str(int(move)) for move in moves)


def stable_json(value: Any) -> str:
    """The same text for the same value, in every process."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
