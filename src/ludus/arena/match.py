"""A match: two players, games in pairs from the same opening with sides swapped."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from ludus.arena.openings import Opening, openings
from ludus.arena.referee import Board
from ludus.arena.statistics import Estimate, elo_estimate, likelihood_of_superiority
from ludus.arena.workers import run_tasks
from ludus.core.budget import Meter
from ludus.core.errors import LudusError, SpecError
from ludus.core.game import Game
from ludus.core.player import Player
from ludus.core.random import seed_for
from ludus.core.search import InterpretedWarning


@dataclass(frozen=True)
class GameRecord:
    """One game: the moves after the opening, the result to the player who moved first in it, and the effort of each."""

    moves: tuple[int, ...]
    score: float
    effort: tuple[Meter, Meter]
    decisions: tuple[int, int]


@dataclass(frozen=True)
class Pair:
    """Two games from one opening; in the second the players have changed sides."""

    opening: Opening
    players: tuple[Player, Player]
    seed: int

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpack_pair, (self.opening, pickle.dumps(self.players), self.seed)


def _unpack_pair(opening: Opening, players: bytes, seed: int) -> Pair:
    return Pair(opening, _unpack_players(players), seed)


@lru_cache(maxsize=16)
def _unpack_players(pickled: bytes) -> tuple[Player, Player]:
    """The same objects for the same players: a worker prepares their searches once and not for each task."""
    return pickle.loads(pickled)


def play_game(opening: Opening, first: Player, second: Player, seed: int) -> GameRecord:
    """Play from an opening to the end; `first` moves first after it."""
    game, board = opening.game, board_for(opening.game, first, second)
    board.reset(game, opening.state)
    seats = (first, second)
    counts, seconds, decisions = np.zeros((2, 4), np.int64), [0.0, 0.0], [0, 0]
    moves: list[int] = []
    for player in seats:
        player.new_game()
    while not board.is_over:
        turn = len(moves) % 2
        ply = len(opening.moves) + len(moves)
        move = seats[turn].decide(game, board.state, seed=mixed(seed, ply), ply=ply)
        if not board.play(move):
            raise LudusError(f"{seats[turn]} chose {move}, which is not legal in {game.state_text(board.state)!r}.")
        session = seats[turn].session(game)
        counts[turn] += session.meter
        seconds[turn] += session.seconds
        decisions[turn] += 1
        moves.append(move)
    score = board.score if len(moves) % 2 == 0 else -board.score
    effort = Meter.read(counts[0], seconds[0]), Meter.read(counts[1], seconds[1])
    return GameRecord(tuple(moves), score, effort, (decisions[0], decisions[1]))


_boards: dict[tuple[type, bool], Board] = {}


def board_for(game: Game, first: Player, second: Player) -> Board:
    """A board for games of this class, made once a process; interpreted if both players are."""
    interpreted = first.compiled is False and second.compiled is False
    key = type(game), interpreted
    if key not in _boards:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InterpretedWarning)  # the players have said so
            _boards[key] = Board(game, False if interpreted else None)
    return _boards[key]


def mixed(seed: int, ply: int) -> int:
    """A seed for each move, cheaply."""
    return (seed + ply * 0x9E3779B97F4A7C15) % 2**64


def play_pair(pair: Pair) -> tuple[GameRecord, GameRecord]:
    """The work of one task: it depends on nothing but the pair, so any worker gives the same result."""
    one, other = pair.players
    return (
        play_game(pair.opening, one, other, seed_for(pair.seed, 0)),
        play_game(pair.opening, other, one, seed_for(pair.seed, 1)),
    )


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
        self.__dict__.update(wins=wins, draws=draws, pairs=pairs, effort=effort, decisions=decisions)

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
    progress: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Play `games` games, rounded up to even; the result does not depend on the number of workers.

    `plies` is the length of the random openings. Where distinct openings run out, the match ends early and says so.
    """
    if games < 1:
        raise SpecError(f"the number of games must be at least 1, not {games}.")
    one, other = first.on(game), second.on(game)
    result = MatchResult(str(game), (str(one), str(other)), seed)
    for player in (one, other):
        player.session(game)  # compile here, before any worker starts
    board_for(game, one, other)
    wanted = (games + 1) // 2

    def tasks() -> Iterator[Pair]:
        for index, opening in enumerate(islice(openings(game, plies, seed), wanted)):
            yield Pair(opening, (one, other), seed_for(seed, index, 1))

    try:
        with closing(run_tasks(play_pair, tasks(), workers)) as played:
            for records in played:
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
