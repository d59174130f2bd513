"""Players are prepared before they play: compiled, and tried with one move. The first who are ready begin to play."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludus.arena.play.faults import REPLAY, Decision, blame, is_of_game
from ludus.arena.play.pairs import Pair
from ludus.arena.play.playing import board_for
from ludus.arena.play.seats import MoveClock, Seat
from ludus.arena.pool.serving import announce, end_heartbeat, heartbeat, is_dangerous
from ludus.common.errors import LudusError
from ludus.kernel.chance import Dice
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player
from ludus.runtime.runner import InterpretedWarning

TRIALS = 4
"""How many budgets are tried for one at which a player that is left out would take part."""


@dataclass(frozen=True)
class Readiness:
    """What came of preparing a player: why it is left out and why it runs interpreted, if so."""

    left_out: str = ""
    interpreted: str = ""


@dataclass(frozen=True)
class Preparation:
    """A task for a worker: compile a player's search for a game, and see whether it can make a move at its budget.

    A player that somebody `named` is not left out: it is an error if it cannot play, and it may be costly.
    """

    game: PlayableGame
    player: Player
    number: int = 0
    """The player's, in the roster."""
    named: bool = False
    move_limit: float | None = None
    problem: str = ""
    """Why the player cannot play, if that is known without a trial: it hung or killed its worker."""
    asked: bool = False
    """Whether it is known that no rule of the game is to blame for that."""

    def forfeited(self, what: tuple[int, ...], why: str) -> Preparation:
        """The task to do instead of this one, if it hung or killed its workers."""
        return replace(self, problem=self.problem or why, asked=bool(self.problem))

    def perform(self) -> Readiness:
        if self.problem and not self.asked:
            blame(
                self.game,
                [self.player],
                lambda slow: slow[0].decide(self.game, self._first, progress=MoveClock(REPLAY)),
            )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            problem, costly = (self.problem, "") if self.problem else self._try()
        if self.named and problem:
            raise LudusError(f"{self.player} cannot play {self.game}: {problem}")
        reasons = (w.message.reason for w in caught if isinstance(w.message, InterpretedWarning))
        return Readiness(problem or ("" if self.named else costly), next(reasons, ""))

    def _try(self) -> tuple[str, str]:
        """Why the player cannot play and why its first move is too costly; each is empty if that is not so."""
        try:
            if is_dangerous():
                announce(Decision.of(self.game, self.player, self._first, 0))
            self.player.session(self.game)
            board_for(self.game, self.player, self.player)
            return "", self._too_costly()
        except LudusError as error:
            if is_of_game(error, self.player):
                raise
            return str(error), ""

    @property
    def _first(self) -> Any:
        """The first position in which a player is to move."""
        return Dice(0).settle(self.game, self.game.start)

    def _too_costly(self) -> str:
        why, least = self._first_move()
        if why and least:
            enough = self._enough(least)
            why += f"; it takes part from nodes={enough}" if enough else ""
        return why

    def _first_move(self) -> tuple[str, int]:
        """Why the first move is too costly, if it is, and the smallest budget of nodes that would do for it."""
        seat, budget = Seat(self.player), self.player.budget
        heartbeat(0, 0)
        try:
            seat.decide(self.game, self._first, 0, 0, self.move_limit)
        finally:
            end_heartbeat()
        nodes, overrun = seat.effort.generated, seat.overrun(self.game)
        if budget.nodes is None or budget.depth == "auto":
            return overrun, 0
        session = self.player.session(self.game)
        least = max((nodes + 1) // 2, nodes - session.search.largest_step(self.game, session.evaluator))
        if nodes > 2 * budget.nodes:
            return f"its first move costs {nodes:,} nodes, the budget is {budget.nodes:,}", least
        return overrun, least

    def _enough(self, nodes: int) -> int:
        """The smallest budget of nodes, from this one on, at which the first move is not too costly; 0: not found."""
        player, budget = self.player, self.player.budget
        try:
            for _ in range(TRIALS):
                player.budget = replace(budget, nodes=nodes)
                why, least = self._first_move()
                if not why:
                    return nodes
                nodes = max(least, nodes + 1)
        except LudusError:  # that takes too long
            pass
        finally:
            player.budget = budget
        return 0


class PreparationSchedule:
    """The preparation of all players on all workers, and the pairs that are played meanwhile.

    One worker would prepare the players in the order of the roster, and whenever two more can play and somebody is left
    to prepare, it would play a pair of these two. With such pairs every first round begins (`matchups.first_pairs`).
    Several workers do the same tasks as early as they can; `settle` gives the outcomes in the order of the one worker,
    so that what counts, and which error ends a run, does not depend on how many there are.
    """

    def __init__(
        self,
        preparations: Sequence[Preparation],
        pair: Callable[[int, int], Pair] | None = None,
        most: int = 0,
        known: Mapping[Any, Any] | None = None,
        later: Sequence[int] = (),
    ) -> None:
        """`pair(one, other)` makes the pair of two players, `most` pairs at most; `known` are results of pairs.

        `later` are the numbers of players who are prepared another time: whoever would play with one of them waits.
        """
        self.preparations, self.pair, self.most, self.later = preparations, pair, most, sorted(later)
        self.outcomes = dict(known or {})
        """The result of each task that is done, or the error that it raised, by the task's number."""
        self.given: set[Any] = set(self.outcomes)
        self.settled = 0

    def next_task(self) -> Preparation | Pair | None:
        """A task that no worker has been given yet: a pair if there is one, else the next player to prepare."""
        pairs: list[Preparation | Pair] = [task for task in self._order() if isinstance(task, Pair)]
        for task in pairs + list(self.preparations):
            if task.number not in self.given:
                self.given.add(task.number)
                return task
        return None

    @property
    def ready(self) -> int:
        """How many players are prepared."""
        return sum(task.number in self.outcomes for task in self.preparations)

    def settle(self) -> Iterator[tuple[Preparation | Pair, Any]]:
        """The tasks that count from now on, each with its result; an error is raised in its turn."""
        while self.settled < len(order := self._order()) and order[self.settled].number in self.outcomes:
            task = order[self.settled]
            outcome = self.outcomes[task.number]
            if isinstance(outcome, Exception):
                raise outcome
            self.settled += 1
            yield task, outcome

    def _order(self) -> list[Preparation | Pair]:
        """The tasks in the order in which one worker would do them, as far as it is known which they are."""
        order: list[Preparation | Pair] = []
        able: list[int] = []
        absent = list(self.later)
        for task in self.preparations:
            order.append(task)
            while absent and absent[0] < task.number:
                able.append(absent.pop(0))
            readiness = self.outcomes.get(task.number)
            if not isinstance(readiness, Readiness):
                break
            able += [] if readiness.left_out else [task.number]
            complete = len(able) % 2 == 0 and not readiness.left_out and able[-2] not in self.later
            others_wait = bool(self.later) or task is not self.preparations[-1]
            if complete and len(able) <= 2 * self.most and others_wait and self.pair is not None:
                order.append(self.pair(able[-2], able[-1]))
        return order
