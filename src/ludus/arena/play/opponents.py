"""Whom a person plays against: the winner of the last ranking, or a search that a ranking would not leave out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ludus.arena.play.preparation import Preparation
from ludus.arena.play.reasons import Reason
from ludus.arena.store.store import Store
from ludus.common.errors import LudusError
from ludus.model.budget import Budget
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player

OPPONENTS = ("alphabeta", "uct", "greedy", "random")
"""The first of these that can play is offered."""


def last_winner(game: PlayableGame, db: str | Path) -> str:
    """The spec of the player that led when the last ranking of this game in a database ended."""
    with Store(db, write=False) as store:
        runs = [run for run in store.runs() if run["game"] == str(game) and run["result"]]
        winners = [(run["number"], best) for run in runs if isinstance(best := run["result"].get("best"), str)]
        if not winners:
            raise LudusError(f"there is no ranking of {game} in {store.path}: rank it first, or name a player.")
        number, best = winners[-1]
        if not store.may_build(number, best):
            why = "and it is not known who made this run"
            raise LudusError(f"the best in run {number} of {store.path} needs code of a file, {why}: name the player.")
    return best


def opponent(
    game: PlayableGame,
    budget: Budget,
    compiled: bool | None = None,
    announce: Callable[[str], None] | None = None,
) -> Player:
    """A player for somebody who named none: one that a ranking at this budget would not leave out."""
    reasons = []
    for name in OPPONENTS:
        try:
            player = Player.of(name, budget, compiled=compiled, announce=announce).on(game)
            player.check_able(game)
        except LudusError as error:
            reasons.append(str(error))
            continue
        reason = _left_out(game, player)
        if reason is None:
            return player
        reasons.append(f"{name}: {reason}")
    raise LudusError(f"no player can be offered for {game}: {' '.join(reasons)}")


def _left_out(game: PlayableGame, player: Player) -> Reason | None:
    """Why a ranking would leave the player out; it is tried only if one expansion may cost more than the budget."""
    nodes, evaluator = player.budget.nodes, player.evaluator
    assert evaluator is not None
    if nodes is None or player.search.largest_step(game, evaluator) <= nodes:
        return None
    return Preparation(game, player.on(game)).perform().left_out
