"""Good play: a search against itself, and against itself with a quarter of the nodes.

The player is `uct`, which needs nothing but the rules and plays another game with every seed; or whoever is named. Its
nodes go up a ladder: first enough for a few playouts, then 4 and 16 times as many. On every rung it meets the rung
below, the lowest one a player who moves at random; games come in pairs with sides swapped. On the top rung it meets
itself: these games are *good play*.

Games begin at the first position, or after `openings` random moves where a player would always play the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count, tee
from typing import Any

from ludus.arena.play.openings import Opening, openings
from ludus.arena.play.pairs import Pair
from ludus.arena.play.playing import board_for
from ludus.arena.play.records import Records
from ludus.arena.pool.resources import Resources
from ludus.arena.stats.statistics import score_estimate
from ludus.common.errors import LudusError
from ludus.common.interval import Estimate
from ludus.common.numbers import round_up
from ludus.kernel.random import seed_for
from ludus.learning.automatic_calibration import with_calibration
from ludus.model.budget import DEFAULT_BUDGET, Budget
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player, PlayerLike, typical_length

FACTOR, RUNGS = 4, 3
"""How many times as many nodes each rung has, and how many rungs there are above random play."""

PLAYOUTS, SLOW_PLAYOUTS = 8, 2
"""How many playouts of typical length the lowest rung can afford, where the game is compiled and where it is not."""

COST, SLOW_COST = 600_000, 15_000
"""About how many nodes a game of the best player may cost: in long games the whole ladder is lower."""


@dataclass
class Rung:
    """A player against a weaker one: how many pairs gave it 0, 1/2, 1, 3/2 and 2 points."""

    player: str
    against: str
    nodes: int
    pairs: list[int] = field(default_factory=lambda: [0] * 5)

    def add(self, records: Records) -> None:
        """Another pair; in its second game the players have changed sides."""
        scores = records[0].score, -records[1].score
        self.pairs[sum(2 if score > 0 else 1 if score == 0 else 0 for score in scores)] += 1

    @property
    def games(self) -> int:
        return 2 * sum(self.pairs)

    @property
    def score(self) -> Estimate:
        """The stronger player's share of the points, with its 95 % interval."""
        found = score_estimate(self.pairs)
        return Estimate(found.value, min(found.low, found.value), max(found.high, found.value))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        about = {"player": self.player, "against": self.against, "nodes": self.nodes, "games": self.games}
        return about | {"score": vars(self.score)}


class Ladder:
    """The players, and the games that they play."""

    def __init__(self, game: PlayableGame, given: PlayerLike, compiled: bool | None, fast: bool) -> None:
        """`fast`: whether the game is compiled; if not, all rungs are lower."""
        named = with_calibration(Player.of(given, compiled=compiled), game)
        if named.budget != DEFAULT_BUDGET:
            raise LudusError(f"{given} names a budget, but its nodes go up a ladder: leave the budget out.")
        self.game = game
        self.random = Player.of("random", compiled=compiled)
        self.levels = levels(typical_length(game), fast)
        budgets = map(Budget, self.levels)
        self.players = [Player(named.search, named.evaluator, budget, compiled=compiled) for budget in budgets]

    @property
    def best(self) -> Player:
        """The player on the top rung."""
        return self.players[-1]

    def rungs(self) -> list[Rung]:
        """Each player and the one below, the lowest first; no game has been played."""
        below = [self.random, *self.players]
        pairs = zip(self.players, below[: len(self.players)], self.levels, strict=True)
        return [Rung(str(player), str(other), nodes) for player, other, nodes in pairs]

    def pairs(self, games: int, plies: int, seed: int) -> Iterator[Pair]:
        """Play this number of games, rounded up to even, of each rung and of the best against itself, in turns.

        The first part of a pair's number is the rung, or `RUNGS` for the best against itself.
        """
        below = [self.random, *self.players]
        meetings = [*zip(self.players, below, strict=False), (self.best, self.best)]
        places = [self._openings(plies, seed_for(seed, rung)) for rung in range(len(meetings))]
        for index in range((games + 1) // 2):
            for rung in reversed(range(len(meetings))):
                opening = next(places[rung], None)
                if opening is not None:
                    yield Pair((rung, rung + 1, index), opening, meetings[rung], seed_for(seed, rung, index))

    def _openings(self, plies: int, seed: int) -> Iterator[Opening]:
        """Where the games begin: always in this very game, though another seed may make another one."""
        if plies and not type(self.game).seeded:
            yield from openings(self.game, plies, seed)
            return
        for index in count():
            yield Opening(self.game, (), seed_for(seed, index, 1))

    def prepare(self, announce: Callable[[str], None] | None) -> None:
        """Compile here, before any worker starts."""
        for player in (self.best, self.random):
            player.announce = announce
            player.session(self.game)
        board_for(self.game, self.best, self.random)


def levels(length: int, fast: bool) -> list[int]:
    """The nodes of each rung, the fewest first, for a game that lasts this number of plies."""
    playouts, cost = (PLAYOUTS, COST) if fast else (SLOW_PLAYOUTS, SLOW_COST)
    least = round_up(max(min(playouts * length, cost / length / FACTOR ** (RUNGS - 1)), 10))
    return [least * FACTOR**rung for rung in range(RUNGS)]


def play(ladder: Ladder, pairs: Iterator[Pair], resources: Resources, until: float) -> Iterator[tuple[Pair, Records]]:
    """Play the pairs, and give them in their order, until `time.monotonic()` reaches `until`."""
    how = resources.for_players(ladder.game, [*ladder.players, ladder.random])
    tasks, played = tee(pairs)
    with closing(how.hire()) as pool:
        for pair, records in zip(played, pool.run(tasks, until), strict=False):
            for record in records:
                if record.fault:
                    raise LudusError(f"a game of good play was forfeited: {record.fault}")
            yield pair, records
