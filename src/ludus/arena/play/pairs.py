"""The pair: two games from one opening with sides swapped, the unit of all comparisons and the task of a worker."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ludus.arena.play.faults import REPLAY, blame
from ludus.arena.play.openings import Opening
from ludus.arena.play.playing import play_game
from ludus.arena.play.reasons import Reason
from ludus.arena.play.records import GameRecord, Records
from ludus.arena.pool.serving import unpack
from ludus.kernel.random import seed_for
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player

KEPT = 200
"""How many players and games a thread of a worker keeps ready for the next pairs."""

PairNumber = tuple[int, int, int]
"""What identifies a pair in a run: the two players' numbers, and that of the opening among theirs."""


@dataclass(frozen=True)
class Pair:
    """Two games from one opening; in the second the players have changed sides.

    `known` are records of games that need not be played, because they killed their worker.
    """

    number: PairNumber
    opening: Opening
    players: tuple[Player, Player]
    seed: int
    move_limit: float | None = None
    known: tuple[GameRecord | None, GameRecord | None] = (None, None)
    suspects: tuple[int, ...] = ()
    """Which of the known games have hung or killed their worker, and nobody has asked yet whether a rule did it."""

    def __reduce__(self) -> tuple[Any, ...]:
        players = tuple(_pack(player) for player in self.players)
        rest = self.seed, self.move_limit, self.known, self.suspects
        opening = self.opening.moves, self.opening.dice
        return PackedPair, (self.number, _pack(self.opening.game), opening, players, rest)

    def perform(self) -> Records:
        """Play both games. This depends on nothing but the pair, so any worker gives the same result."""
        return self._play(0), self._play(1)

    def _play(self, index: int) -> GameRecord:
        def play(players: Sequence[Player], limit: float | None) -> GameRecord:
            first, second = players if index == 0 else players[::-1]
            return play_game(self.opening, first, second, seed_for(self.seed, index), limit, index)

        known = self.known[index]
        if index in self.suspects:
            blame(self.opening.game, self.players, lambda slow: play(slow, REPLAY))
        return known if known is not None else play(self.players, self.move_limit)

    def forfeited(self, what: tuple[int, ...], why: Reason) -> Pair:
        """The same pair without the game that hung or killed its worker: whoever was at move forfeits that.

        Unless a rule of the game is to blame, which is found out first.
        """
        index, seat = what
        record = self.known[index] or GameRecord.forfeited(seat, why)
        suspects = tuple(n for n in (0, 1) if (n == index) != (n in self.suspects))
        return replace(
            self, known=(record, self.known[1]) if index == 0 else (self.known[0], record), suspects=suspects
        )


@dataclass(frozen=True)
class PackedPair:
    """A pair on its way to a worker. It is unpacked by the thread that plays it, which has players of its own."""

    number: PairNumber
    game: bytes
    opening: tuple[tuple[int, ...], int]
    players: tuple[bytes, bytes]
    rest: tuple[Any, ...]

    @property
    def pair(self) -> Pair:
        players = _unpack(self.players[0], 0), _unpack(self.players[1], 1)
        return Pair(self.number, Opening(_unpack(self.game), *self.opening), players, *self.rest)

    def perform(self) -> Records:
        return self.pair.perform()


@lru_cache(maxsize=1024)
def _pack(thing: PlayableGame | Player) -> bytes:
    return pickle.dumps(thing)


class _Unpacked(threading.local):
    """The players and games that a thread has unpacked, the latest last; a Dask worker may have several threads."""

    def __init__(self) -> None:
        self.found: dict[tuple[bytes, int], Any] = {}


_unpacked = _Unpacked()


def _unpack(pickled: bytes, seat: int = 0) -> Any:
    """The same object each time, so that a thread prepares a player's search once and not for each pair.

    A player that plays against itself is two objects, one for each seat.
    """
    key, found = (pickled, seat), _unpacked.found
    thing = found.pop(key, None) or unpack(pickled)
    found[key] = thing  # the latest is last
    if len(found) > KEPT:
        del found[next(iter(found))]
    return thing
