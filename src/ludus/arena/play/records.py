"""What a played game is recorded as."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludus.arena.play.reasons import Reason
from ludus.model.budget import Meter
from ludus.model.playable import LONGEST_GAME


@dataclass(frozen=True)
class GameRecord:
    """One game: the moves after the opening, the result to the player who moved first in it, and the effort of each.

    `fault` says why a game was forfeited, and is None for all others; the score of a forfeited game is 1 or -1.
    """

    moves: tuple[int, ...]
    score: float
    effort: tuple[Meter, Meter]
    decisions: tuple[int, int]
    fault: Reason | None = None

    @classmethod
    def forfeited(cls, seat: int, why: Reason) -> GameRecord:
        """A game that the player in this seat, 0 or 1, forfeits before the first move."""
        return cls((), 1.0 if seat else -1.0, (Meter(), Meter()), (0, 0), why)

    @property
    def endless(self) -> bool:
        """Whether the game was ended as a draw because it lasted `LONGEST_GAME` plies."""
        return len(self.moves) >= LONGEST_GAME and self.score == 0 and self.fault is None


Records = tuple[GameRecord, GameRecord]
"""The two games of a pair; in the second the players have changed sides."""


def faults_of(players: Sequence[str], records: Records) -> Iterator[tuple[str, Reason]]:
    """For each forfeited game of a pair: who forfeited it, and why."""
    for index, record in enumerate(records):
        if record.fault is not None:
            yield players[index if record.score < 0 else 1 - index], record.fault
