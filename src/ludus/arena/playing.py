"""One game between two players, and the pair of games from one opening that is the unit of all comparisons.

A player that raises, chooses an illegal move, overruns its budget or takes too long forfeits the game; the record says
why. A rule that fails when the referee asks it is nobody's fault: the error names the position, and the run ends.
"""

from __future__ import annotations

import pickle
import time
import warnings
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ludus.arena.openings import Opening
from ludus.arena.referee import Board
from ludus.core.budget import Meter
from ludus.core.errors import LudusError, describe
from ludus.core.game import Game
from ludus.core.player import Player, typical_length
from ludus.core.random import seed_for
from ludus.core.search import InterpretedWarning, Session

SECONDS_SLACK = 0.5
"""Overrunning a budget of seconds is a fault only beyond this much and half the budget: the machine may be busy."""

PLAYOUT_SLACK = 20
"""In a game of unknown length, a playout is given this many times its typical length before it counts as an overrun."""

heartbeat: Any = None
"""In a worker, shared memory that says what it is at: when the move began, which game of the pair, which seat."""


@dataclass(frozen=True)
class GameRecord:
    """One game: the moves after the opening, the result to the player who moved first in it, and the effort of each.

    `fault` says why a game was forfeited, and is empty for all others; the score of a forfeited game is 1 or -1.
    """

    moves: tuple[int, ...]
    score: float
    effort: tuple[Meter, Meter]
    decisions: tuple[int, int]
    fault: str = ""


def forfeit(seat: int, fault: str) -> GameRecord:
    """A game of which nothing is known but who lost it, and why."""
    return GameRecord((), 1.0 if seat else -1.0, (Meter(), Meter()), (0, 0), fault)


@dataclass(frozen=True)
class Pair:
    """Two games from one opening; in the second the players have changed sides.

    `number` identifies it in a run: the two players' numbers and the opening's. `known` are games that need not be
    played, because they killed their worker.
    """

    number: tuple[int, int, int]
    opening: Opening
    players: tuple[Player, Player]
    seed: int
    move_limit: float | None = None
    known: tuple[GameRecord | None, GameRecord | None] = (None, None)

    def __reduce__(self) -> tuple[Any, ...]:
        rest = self.seed, self.move_limit, self.known
        return _unpack_pair, (self.number, self.opening, pickle.dumps(self.players), *rest)

    def knowing(self, index: int, record: GameRecord) -> Pair:
        """The same pair, one of its games already decided."""
        return replace(self, known=(record, self.known[1]) if index == 0 else (self.known[0], record))


def _unpack_pair(number: tuple[int, int, int], opening: Opening, players: bytes, *rest: Any) -> Pair:
    return Pair(number, opening, _unpack_players(players), *rest)


@lru_cache(maxsize=1024)
def _unpack_players(pickled: bytes) -> tuple[Player, Player]:
    """The same objects for the same players: a worker prepares their searches once and not for each task."""
    return pickle.loads(pickled)


def play_pair(pair: Pair) -> tuple[GameRecord, GameRecord]:
    """The work of one task: it depends on nothing but the pair, so any worker gives the same result."""
    return _play(pair, 0), _play(pair, 1)


def _play(pair: Pair, index: int) -> GameRecord:
    known = pair.known[index]
    if known is not None:
        return known
    first, second = pair.players if index == 0 else pair.players[::-1]
    return play_game(pair.opening, first, second, seed_for(pair.seed, index), pair.move_limit, index)


def play_game(
    opening: Opening, first: Player, second: Player, seed: int, move_limit: float | None = None, index: int = 0
) -> GameRecord:
    """Play from an opening to the end; `first` moves first after it."""
    game, board = opening.game, board_for(opening.game, first, second)
    board.reset(game, opening.state)
    seats = Seat(first), Seat(second)
    moves: list[int] = []
    fault = ""
    while not board.is_over and not fault:
        turn, ply = len(moves) % 2, len(opening.moves) + len(moves)
        if heartbeat is not None:
            heartbeat[:] = time.monotonic(), index, turn
        try:
            move = seats[turn].decide(game, board.state, mixed(seed, ply), ply, move_limit)
        except Exception as error:
            fault = str(error) if isinstance(error, LudusError) else f"{type(error).__name__}: {error}"
            continue
        fault = seats[turn].overrun(game)
        if not fault and not board.play(move):
            fault = f"chose {move}, which is not legal in position {describe(game, board.state)}"
        if not fault:
            moves.append(move)
    if heartbeat is not None:
        heartbeat[0] = 0.0
    score = -1.0 if fault else board.score
    effort = seats[0].effort, seats[1].effort
    decisions = seats[0].decisions, seats[1].decisions
    return GameRecord(tuple(moves), score if len(moves) % 2 == 0 else -score, effort, decisions, fault)


class Seat:
    """A player in one game, and what it has spent so far."""

    def __init__(self, player: Player) -> None:
        self.player, self.decisions = player, 0
        self.counts, self.seconds = np.zeros(4, np.int64), 0.0
        player.new_game()

    def decide(self, game: Game, state: Any, seed: int, ply: int, limit: float | None) -> int:
        """Its move."""
        watch = None if limit is None else Watch(limit)
        move = self.player.decide(game, state, seed=seed, ply=ply, progress=watch)
        session = self.player.session(game)
        self.counts += session.meter
        self.seconds += session.seconds
        self.decisions += 1
        return move

    @property
    def effort(self) -> Meter:
        return Meter.read(self.counts, self.seconds)

    def overrun(self, game: Game) -> str:
        """In words, if the last move cost more than the budget and one expansion or playout beyond it allow."""
        session, budget = self.player.session(game), self.player.budget
        if budget.depth == "auto":
            return ""  # which chooses a depth for the budget, and then searches that deep
        whole = budget.per == "game"
        used = self.effort if whole else Meter.read(session.meter, session.seconds)
        allowed = one_step(game, session) * (self.decisions if whole else 1)
        if budget.nodes is not None and used.generated > budget.nodes + allowed:
            return f"overran its budget: {used.generated:,} nodes for a {budget.per}, of {budget.nodes:,}"
        if budget.seconds is not None and used.seconds > 1.5 * budget.seconds + SECONDS_SLACK:
            return f"overran its budget: {used.seconds:.3g} s for a {budget.per}, of {budget.seconds:g}"
        return ""


class Watch:
    """Called a few hundred times a second while a player thinks: ends what takes longer than `limit` seconds."""

    def __init__(self, limit: float) -> None:
        self.limit = limit

    def __call__(self, session: Session) -> None:
        if session.elapsed > self.limit:
            raise TooSlow(f"took longer than {self.limit:g} s for a move")


class TooSlow(LudusError):
    """A player thought longer than a move may take."""


def one_step(game: Game, session: Session) -> int:
    """How many nodes lie at most between two looks at a budget: an expansion with its evaluations, or a playout."""
    playout = game.length or PLAYOUT_SLACK * typical_length(game)
    return game.preview + game.max_moves * (1 + session.evaluator.plays(game)) + playout * (1 + game.preview)


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
