"""Random games from many positions, compiled, on all processors: what random play comes to, for learning and figures.

Each game has a seed of its own, made of the run's seed, the number of the position and the number of the game. Games
are played in lots whose size does not depend on the threads, and lots are added up in their order. So the result is the
same to the last bit for any number of threads, whoever is faster.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ludus.common.errors import LudusError, RuleError
from ludus.kernel.limits import EXPANDED, GENERATED, INTERRUPT, RUNNING, STOP_EXHAUSTED, spent
from ludus.kernel.playout import longest_playout, playout
from ludus.kernel.random import number, seed_for
from ludus.kernel.rules import load, moves
from ludus.model.budget import Budget
from ludus.model.playable import PlayableGame
from ludus.model.program import Program
from ludus.runtime.runner import Runner
from ludus.runtime.thread_team import check_threads, cores

LOT = 256
"""Games that one thread plays at a time."""

SUMS = ("won", "drawn", "lost", "total", "squares")


class RandomGames(Program):
    """Plays games from the root to the end at random, and adds up their results to the player to move at the root."""

    handles_chance = True
    registers = {
        "key": "u8",  # from which the games have their seeds
        "next": "i8",  # the number of the next game
        "end": "i8",  # the number after the last
        "won": "i8",
        "drawn": "i8",
        "lost": "i8",
        "total": "f8",  # the scores added up
        "squares": "f8",  # their squares added up
    }

    def __init__(self, threads: int = 1, longest: int = 1000) -> None:
        """longest: plies after which a game counts as a draw."""
        check_threads(threads)
        self.threads, self.longest = threads, longest

    def step(self, game, evaluator, tree, limits):
        at = tree.register[0]
        while at.next < at.end:
            status = spent(game.meter, limits, False)
            if status != RUNNING:
                return status
            game.meter[EXPANDED] += 1
            tree.random[0] = number(at.key, at.next)
            state = load(tree.state, 0)
            result = playout(game, state, moves(game, state, tree.out), tree.out, tree.random, self.longest)
            at.won += result > 0.0
            at.drawn += result == 0.0
            at.lost += result < 0.0
            at.total += result
            at.squares += result * result
            at.next += 1
        return STOP_EXHAUSTED

    def extras_of_member(self, extras, number):
        return extras


@dataclass(frozen=True)
class Outcomes:
    """What random games from some positions came to, to the player to move there: arrays with an entry for each."""

    games: int
    """How many were played from each."""
    won: np.ndarray
    drawn: np.ndarray
    lost: np.ndarray
    score: np.ndarray
    """The mean score."""
    deviation: np.ndarray
    """The standard deviation of the scores."""
    nodes: int
    """How many nodes they took in all."""

    @property
    def expected(self) -> np.ndarray:
        """The expected outcome, from -1, all lost, to 1, all won; a draw counts as half a win."""
        return (self.won - self.lost) / self.games


class Lot(NamedTuple):
    """Some games from one position."""

    place: int
    state: Any
    first: int
    end: int


def random_games(
    game: PlayableGame,
    states: Iterable[Any] | None = None,
    games: int = 1000,
    seed: int = 0,
    threads: int | None = None,
    compiled: bool | None = None,
) -> Outcomes:
    """Play `games` random games from each of the states, or from the first position of the game.

    With `threads=None` as many work on it as there are processors; the result is the same for any number. Rules that do
    not compile are interpreted, by one.
    """
    if games < 1:
        raise LudusError(f"the number of random games must be at least 1, not {games}.")
    places = [game.start] if states is None else list(states)
    program = RandomGames(cores() if threads is None else threads, longest_playout(game))
    leader = Runner(program, game, compiled=compiled)
    lots = [
        Lot(place, state, first, min(first + LOT, games))
        for place, state in enumerate(places)
        for first in range(0, games, LOT)
    ]
    sums = _play_all([leader, *leader.team.members], lots, seed)
    found = np.zeros((len(places), len(SUMS)))
    for lot, row in zip(lots, sums, strict=True):
        found[lot.place] += row[:-1]
    won, drawn, lost = found[:, :3].astype(np.int64).T
    mean, square = found[:, 3:].T / games
    deviation = np.sqrt(np.maximum(square - mean**2, 0.0))
    return Outcomes(games, won, drawn, lost, mean, deviation, int(sums[:, -1].sum()))


def _play_all(pool: list[Runner], lots: list[Lot], seed: int) -> np.ndarray:
    """What each lot came to, and the nodes that it took; every thread takes the next lot when it is done with one."""
    sums = np.zeros((len(lots), len(SUMS) + 1))
    left, errors = deque(range(len(lots))), deque[tuple[Lot, Exception]]()

    def work(at_work: Runner) -> None:
        while left and not errors:
            try:
                index = left.popleft()
            except IndexError:  # another thread has taken the last one
                return
            try:
                sums[index] = _play(at_work, lots[index], seed)
            except Exception as error:
                errors.append((lots[index], error))

    threads = [threading.Thread(target=work, args=(member,), daemon=True) for member in pool[1:]]
    for thread in threads:
        thread.start()
    try:
        work(pool[0])
    finally:
        left.clear()  # after Ctrl-C there may be some
        for member in pool[1:]:
            member.limits[INTERRUPT] = len(errors) > 0
        for thread in threads:
            thread.join()
    if errors:
        raise _precise(pool[0], *errors[0], seed)
    return sums


def _play(at_work: Runner, lot: Lot, seed: int) -> list[float]:
    """Play a lot of games; what they came to, and the nodes that they took."""
    at_work.begin(lot.state, Budget())
    at = at_work.tree.record.register[0]
    at.key, at.next, at.end = np.uint64(seed_for(seed, lot.place)), lot.first, lot.end
    at_work.advance(Budget())
    at = at_work.tree.record.register[0]
    return [*(float(getattr(at, name)) for name in SUMS), float(at_work.meter[GENERATED])]


def _precise(leader: Runner, lot: Lot, error: Exception, seed: int) -> Exception:
    """The error that names the rule, the position and the line, found by playing the lot again interpreted."""
    if leader.kernel is None or isinstance(error, LudusError):
        return error
    slow = Runner(leader.program, leader.game, compiled=False)
    return RuleError.replayed(leader.game, error, lambda: _play(slow, lot, seed))
