"""Who takes part in a ranking: the named players, or every search that can play the game at this budget."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ludus.arena.playing import Seat, board_for, is_of_game
from ludus.arena.workers import beat, rest
from ludus.core import identity, registry
from ludus.core.budget import DEFAULT_BUDGET, Budget
from ludus.core.chance import Dice
from ludus.core.errors import LudusError, SpecError
from ludus.core.game import Game
from ludus.core.player import Player
from ludus.core.program import InterpretedWarning


def candidates(
    game: Game, specs: Sequence[str | Player], budget: Budget = DEFAULT_BUDGET, compiled: bool | None = None
) -> list[Player]:
    """The players that `specs` name, with the game's default evaluator where they name none.

    Without specs, every registered search as it is by default, those left out that cannot even be set up.
    """
    found: dict[str, Player] = {}
    for spec in specs:
        player = (Player.of(spec, budget, compiled=compiled) if isinstance(spec, str) else spec).on(game)
        if str(player) in found:
            raise SpecError(f"{player} is named twice.")
        found[str(player)] = player
    if not specs:
        for name in registry.searches().classes:
            try:
                player = Player.of(name, budget, compiled=compiled).on(game)
            except LudusError:
                continue  # it cannot have such a budget
            found[str(player)] = player
    if len(found) < 2:
        raise SpecError(f"a ranking needs at least two players, not {len(found)}.")
    return list(found.values())


def kind_of_run(game: Game, players: Sequence[Player]) -> str:
    """A fingerprint of the rules and of all who play: whoever edits one of them gets another run."""
    parts = [identity.of_game(game)]
    for player in players:
        assert player.evaluator is not None
        parts += [identity.of_search(player.search), identity.of_evaluator(player.evaluator)]
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Readiness:
    """What came of preparing a player: why it cannot play, keep its budget or be compiled, if so."""

    problem: str = ""
    costly: str = ""
    interpreted: str = ""


@dataclass(frozen=True)
class Preparation:
    """A task for a worker: compile a player's search for a game, and see whether it can make a move at its budget."""

    game: Game
    player: Player
    move_limit: float | None = None
    problem: str = ""
    """Why it is not worth trying."""

    def forfeited(self, what: tuple[int, ...], why: str) -> Preparation:
        """In the place of one that hung or killed its workers."""
        return replace(self, problem=why)

    def perform(self) -> Readiness:
        if self.problem:
            return Readiness(self.problem)
        problem = costly = ""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                self.player.session(self.game)
                board_for(self.game, self.player, self.player)
                costly = self._too_costly()
            except LudusError as error:
                if is_of_game(error, self.player):
                    raise
                problem = str(error)
        reasons = (w.message.reason for w in caught if isinstance(w.message, InterpretedWarning))
        return Readiness(problem, costly, next(reasons, ""))

    def _too_costly(self) -> str:
        seat, budget = Seat(self.player), self.player.budget
        beat(0, 0)
        try:
            seat.decide(self.game, Dice(0).settle(self.game, self.game.start), 0, 0, self.move_limit)
        finally:
            rest()
        nodes = seat.effort.generated
        if budget.nodes is not None and budget.depth != "auto" and nodes > 2 * budget.nodes:
            return f"its first move costs {nodes:,} nodes, the budget is {budget.nodes:,}"
        return seat.overrun(self.game)
