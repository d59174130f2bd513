"""One game between two players, and the pair of games from one opening that is the unit of all comparisons.

A player that raises, chooses an illegal move, overruns its budget or takes too long forfeits the game; the record says
why. A rule of the game that fails is no player's fault: the error names the position, and the run ends.
"""

from __future__ import annotations

import pickle
import shlex
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ludus.arena.openings import Opening
from ludus.arena.referee import Board
from ludus.arena.workers import Crew, Dask, Here, Processes, beat, cores, rest, unpack
from ludus.checking.games import LONGEST
from ludus.core.budget import GENERATED, Meter
from ludus.core.chance import Dice
from ludus.core.errors import LudusError, MoveError, RuleError, describe
from ludus.core.game import Game, Repetitions
from ludus.core.player import Player
from ludus.core.playout import longest_playout
from ludus.core.program import InterpretedWarning
from ludus.core.random import seed_for
from ludus.core.search import Session

SECONDS_SLACK = 0.5
"""Overrunning a budget of seconds is a fault only beyond this much and half the budget: the machine may be busy."""

LONGEST_GAME = LONGEST
"""So many plies after the opening, chance included, and a game is a draw: under good play it may not end by itself."""

KEPT = 200
"""So many players and games are kept ready in a worker."""


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

    @property
    def endless(self) -> bool:
        """Whether the game was ended as a draw because it went on and on."""
        return len(self.moves) >= LONGEST_GAME and self.score == 0 and not self.fault


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
        players, rest = tuple(_pack(player) for player in self.players), (self.seed, self.move_limit, self.known)
        opening = self.opening.moves, self.opening.dice
        return PackedPair, (self.number, _pack(self.opening.game), opening, players, rest)

    def perform(self) -> tuple[GameRecord, GameRecord]:
        """Play both games. This depends on nothing but the pair, so any worker gives the same result."""
        return self._play(0), self._play(1)

    def _play(self, index: int) -> GameRecord:
        known = self.known[index]
        if known is not None:
            return known
        first, second = self.players if index == 0 else self.players[::-1]
        return play_game(self.opening, first, second, seed_for(self.seed, index), self.move_limit, index)

    def forfeited(self, what: tuple[int, ...], why: str) -> Pair:
        """The same pair, to be played without the game that hung or killed its worker, which has been forfeited."""
        index, seat = what
        record = GameRecord((), 1.0 if seat else -1.0, (Meter(), Meter()), (0, 0), why)
        return replace(self, known=(record, self.known[1]) if index == 0 else (self.known[0], record))


@lru_cache(maxsize=1024)
def _pack(thing: Game | Player) -> bytes:
    return pickle.dumps(thing)


@dataclass(frozen=True)
class PackedPair:
    """A pair on its way to a worker. It is unpacked by the thread that plays it, which has players of its own."""

    number: tuple[int, int, int]
    game: bytes
    opening: tuple[tuple[int, ...], int]
    players: tuple[bytes, bytes]
    rest: tuple[Any, ...]

    @property
    def pair(self) -> Pair:
        players = _unpack(self.players[0], 0), _unpack(self.players[1], 1)
        return Pair(self.number, Opening(_unpack(self.game), *self.opening), players, *self.rest)

    def perform(self) -> tuple[GameRecord, GameRecord]:
        return self.pair.perform()


def _unpack(pickled: bytes, seat: int = 0) -> Any:
    """The same object each time: a worker prepares a player's search once and not for each task.

    A player that plays against itself is two objects.
    """
    key = pickled, seat
    found = _mine.unpacked.pop(key, None) or unpack(pickled)
    _mine.unpacked[key] = found  # the latest is last
    if len(_mine.unpacked) > KEPT:
        del _mine.unpacked[next(iter(_mine.unpacked))]
    return found


@dataclass(frozen=True)
class Means:
    """With what games are played: none of it changes the result."""

    workers: int | None = None
    """Processes; None: one for each core."""
    dask: str | None = None
    """The address of a Dask cluster to use instead."""
    move_limit: float | None = None
    """A player that thinks longer, in seconds, forfeits the game."""

    def hire(self) -> Crew:
        """Who plays. With one worker and no limit this process does; with a limit never: it could not end a rule."""
        if self.dask is not None:
            return Dask(perform, self.dask)
        count = cores() if self.workers is None else self.workers
        if count == 1 and self.move_limit is None:
            return Here(perform)
        return Processes(perform, count, rescue, self.move_limit)


def rescue(task: Any, what: tuple[int, ...], why: str) -> Any:
    """Another task for one that hung or killed its workers."""
    return task.forfeited(what, why)


def perform(task: Any) -> Any:
    """The work of one task, a pair to play or a player to prepare."""
    return task.perform()


def play_game(
    opening: Opening, first: Player, second: Player, seed: int, move_limit: float | None = None, index: int = 0
) -> GameRecord:
    """Play from an opening to the end; `first` moves first after it."""
    game, board, history = opening.game, board_for(opening.game, first, second), Repetitions(opening.game)
    states = opening.states
    board.reset(game, states[-1])
    seats = Seat(first), Seat(second)
    moves: list[int] = []
    fault = ""
    repeated = any(history.add(state) for state in states)
    turns, dice, before = 0, Dice(opening.dice), game.decisions(opening.moves)
    while not (board.is_over or repeated or fault or len(moves) >= LONGEST_GAME):
        if odds := board.odds:
            moves.append(dice.pick(board.legal, odds))
            board.play(moves[-1])
            repeated = history.add(board.state)
            continue
        turn, ply = turns % 2, before + turns
        beat(index, turn)
        try:
            move = seats[turn].decide(game, board.state, mixed(seed, ply), ply, move_limit)
        except Exception as error:
            if is_of_game(error, seats[turn].player):
                raise
            fault = str(error) if isinstance(error, LudusError) else f"{type(error).__name__}: {error}"
            continue
        fault = seats[turn].overrun(game)
        if not fault and not board.play(move):
            fault = f"chose {move}, which is not legal in position {describe(game, board.state)}"
        if not fault:
            moves.append(move)
            turns += 1
            repeated = history.add(board.state)
    rest()
    score = -1.0 if fault else board.score if board.is_over else 0.0
    effort = seats[0].effort, seats[1].effort
    decisions = seats[0].decisions, seats[1].decisions
    return GameRecord(tuple(moves), score if turns % 2 == 0 else -score, effort, decisions, fault)


def is_of_game(error: Exception, player: Player) -> bool:
    """Whether a rule of the game is at fault, and not the player that asked it.

    A user's own search may ask for anything, a user's evaluator at least for illegal moves; ours do not.
    """
    if not isinstance(error, RuleError) or not _is_ours(player.search) or error.of_evaluator:
        return False
    return _is_ours(player.evaluator) or (error.rule != "" and not isinstance(error, MoveError))


def _is_ours(part: Any) -> bool:
    return type(part).__module__.startswith("ludus.")


@contextmanager
def advising(game: Game) -> Iterator[None]:
    """If a rule fails, its author is told how to find out more."""
    try:
        yield
    except RuleError as error:
        if error.of_evaluator or "try ludus check" in str(error):
            raise
        message = f"{str(error).rstrip('.')}; try ludus check {shlex.quote(str(game))}"
        raise type(error)(message, error.rule, error.position, error.cause) from error


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
        whole = budget.per == "game"
        nodes = int(self.counts[GENERATED] if whole else session.meter[GENERATED])
        seconds = self.seconds if whole else session.seconds
        # An automatic depth is chosen for the budget, and then searched to the end.
        if budget.nodes is not None and nodes > budget.nodes and budget.depth != "auto":
            allowed = one_step(game, session) * (self.decisions if whole else 1)
            if nodes > budget.nodes + allowed:
                return f"overran its budget: {nodes:,} nodes for a {budget.per}, of {budget.nodes:,}"
        if budget.seconds is not None and seconds > 1.5 * budget.seconds + SECONDS_SLACK:
            return f"overran its budget: {seconds:.3g} s for a {budget.per}, of {budget.seconds:g}"
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
    playout = longest_playout(game)
    return game.preview + game.max_moves * (1 + session.evaluator.plays(game)) + playout * (1 + game.preview)


class _Mine(threading.local):
    """What a thread keeps from game to game; a Dask worker may have several."""

    def __init__(self) -> None:
        self.boards: dict[tuple[type, bool], Board] = {}
        self.unpacked: dict[tuple[bytes, int], Any] = {}


_mine = _Mine()


def board_for(game: Game, first: Player, second: Player) -> Board:
    """A board for games of this class, made once a process; interpreted if both players are."""
    interpreted = first.compiled is False and second.compiled is False
    key = type(game), interpreted
    if key not in _mine.boards:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InterpretedWarning)  # the players have said so
            _mine.boards[key] = Board(game, False if interpreted else None)
    return _mine.boards[key]


def faults_of(players: Sequence[str], records: tuple[GameRecord, GameRecord]) -> Iterator[tuple[str, str]]:
    """Which player forfeited a game of a pair, and why."""
    for index, record in enumerate(records):
        if record.fault:
            yield players[index if record.score < 0 else 1 - index], record.fault


def endless_words(count: int) -> str:
    """So many games were endless."""
    games = "1 game was ended as a draw" if count == 1 else f"{count:,} games were ended as draws"
    return f"{games} after {LONGEST_GAME:,} plies: the game may need `repetition` or an end."


def mixed(seed: int, ply: int) -> int:
    """A seed for each move, cheaply."""
    return (seed + ply * 0x9E3779B97F4A7C15) % 2**64
