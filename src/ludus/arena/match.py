"""A match: two players, games in pairs from the same opening with sides swapped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

from ludus.arena.openings import openings
from ludus.arena.playing import GameRecord, Pair, board_for, faults_of, hire
from ludus.arena.statistics import Estimate, elo_estimate, likelihood_of_superiority
from ludus.core.budget import Meter
from ludus.core.errors import SpecError
from ludus.core.game import Game
from ludus.core.player import Player
from ludus.core.random import seed_for


@dataclass
class MatchResult:
    """The score of a match, from the first player's side."""

    game: str
    players: tuple[str, str]
    seed: int
    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    effort: list[Meter] = field(default_factory=lambda: [Meter(), Meter()])
    decisions: list[int] = field(default_factory=lambda: [0, 0])
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often which player forfeited a game, and why."""
    note: str = ""
    interrupted: bool = False

    def add(self, records: tuple[GameRecord, GameRecord]) -> None:
        """Count a pair, wholly or, if Ctrl-C comes in between, not at all."""
        wins, pairs, effort, decisions = self.wins[:], self.pairs[:], self.effort[:], self.decisions[:]
        draws, points = self.draws, 0.0
        for index, record in enumerate(records):
            # In the second game of a pair the players have changed sides.
            mine = record.score if index == 0 else -record.score
            points += 1 if mine > 0 else 0.5 if mine == 0 else 0
            if mine == 0:
                draws += 1
            else:
                wins[0 if mine > 0 else 1] += 1
            for seat in (0, 1):
                effort[seat ^ index] += record.effort[seat]
                decisions[seat ^ index] += record.decisions[seat]
        pairs[int(2 * points)] += 1
        faults = self.faults + Counter(faults_of(self.players, records))
        self.__dict__.update(wins=wins, draws=draws, pairs=pairs, effort=effort, decisions=decisions, faults=faults)

    @property
    def games(self) -> int:
        return sum(self.wins) + self.draws

    @property
    def points(self) -> tuple[float, float]:
        return self.wins[0] + self.draws / 2, self.wins[1] + self.draws / 2

    @property
    def elo(self) -> Estimate:
        return elo_estimate(self.pairs)

    @property
    def los(self) -> float:
        return likelihood_of_superiority(self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """The public contract's JSON keys, and fastchess's numbers."""
        return {
            "game": self.game,
            "players": list(self.players),
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "points": list(self.points),
            "seed": self.seed,
            "elo": asdict(self.elo),
            "los": self.los,
            "draw_ratio": self.draws / self.games if self.games else 0.0,
            "pentanomial": self.pairs,
            "effort": [asdict(meter) for meter in self.effort],
            "decisions": self.decisions,
            "faults": [{"player": who, "reason": why, "games": n} for (who, why), n in self.faults.items()],
            "note": self.note,
        }


def match(
    game: Game,
    first: Player,
    second: Player,
    *,
    games: int = 100,
    plies: int = 4,
    seed: int = 0,
    workers: int | None = 1,
    dask: str | None = None,
    move_limit: float | None = None,
    progress: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Play `games` games, rounded up to even; the result does not depend on the number of workers.

    `plies` is the length of the random openings. Where distinct openings run out, the match ends early and says so. A
    player that thinks longer than `move_limit` seconds forfeits the game. `dask` is the address of a cluster to use.
    """
    if games < 1:
        raise SpecError(f"the number of games must be at least 1, not {games}.")
    one, other = first.on(game), second.on(game)
    result = MatchResult(str(game), (str(one), str(other)), seed)
    for player in (one, other):
        player.session(game)  # compile here, before any worker starts
    board = board_for(game, one, other)
    wanted = (games + 1) // 2

    def tasks() -> Iterator[Pair]:
        for index, opening in enumerate(islice(openings(game, plies, seed, board), wanted)):
            yield Pair((0, 1, index), opening, (one, other), seed_for(seed, index, 1), move_limit)

    try:
        with closing(hire(workers, dask, move_limit)) as crew:
            for records in crew.run(tasks()):
                result.add(records)
                if progress is not None:
                    progress(result)
    except KeyboardInterrupt:
        result.interrupted = True
        result.note = f"interrupted after {result.games} games."
        return result
    if result.games < 2 * wanted:
        longer = "" if type(game).seeded else f": there are no more distinct openings of {plies} plies"
        result.note = f"stopped after {result.games} games{longer}."
    return result
