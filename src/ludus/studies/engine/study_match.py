"""A match of a study: with a record of each of its games, from which it is judged in more than one way, and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ludus.arena.match_result import MatchResult
from ludus.arena.play.records import GameRecord, Records
from ludus.model.budget import Meter


class Match(MatchResult):
    """A match, with a record of each of its games."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.records: list[Records] = []

    def add(self, records: Records) -> None:
        super().add(records)
        self.records.append(records)

    @property
    def share(self) -> float:
        """The first player's share of the points."""
        return self.points[0] / self.games

    def a_move(self, number: int, what: str) -> float:
        """What a move of the first (0) or second (1) player costs on average: `generated`, `seconds` and so on."""
        return getattr(self.effort[number], what) / max(self.decisions[number], 1)

    def pairs_if(self, loses: Callable[[int, Meter], bool]) -> list[int]:
        """The pentanomial counts if a player loses a game for what it has spent there, whatever the result was.

        `loses(number, spent)` is asked of the second player (1), and then of the first (0).
        """
        judged = Match(self.game, self.players, self.seed)
        for pair in self.records:
            judged.add(tuple(_judged(record, index, loses) for index, record in enumerate(pair)))  # type: ignore[arg-type]
        return judged.pairs

    def games_of(self, number: int) -> Iterator[tuple[float, Meter]]:
        """Of each game, the score to the first (0) or second (1) player and what that player spent."""
        for pair in self.records:
            for index, record in enumerate(pair):
                seat = (number + index) % 2
                yield record.score if seat == 0 else -record.score, record.effort[seat]


def _judged(record: GameRecord, index: int, loses: Callable[[int, Meter], bool]) -> GameRecord:
    for number in (1, 0):
        seat = (number + index) % 2
        if loses(number, record.effort[seat]):
            return replace(record, score=-1.0 if seat == 0 else 1.0)
    return record


def pack(records: Records) -> list[Any]:
    """A pair of games, ready for JSON."""
    return [
        [record.score, record.fault, record.decisions, [list(vars(each).values()) for each in record.effort]]
        for record in records
    ]


def unpack(pair: Sequence[Any]) -> Records:
    """The pair that `pack` has packed."""
    one, other = (
        GameRecord((), float(score), (Meter(*efforts[0]), Meter(*efforts[1])), (decisions[0], decisions[1]), fault)
        for score, fault, decisions, efforts in pair
    )
    return one, other
