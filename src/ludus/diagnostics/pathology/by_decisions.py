"""Depths judged by decisions: how often each makes a right move where there is a wrong one as well."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.arena.play.openings import Opening
from ludus.arena.play.openings import openings as random_openings
from ludus.common.errors import LudusError, SpecError
from ludus.diagnostics.pathology.pathology_report import Pathology
from ludus.diagnostics.pathology.settings import PathologyOptions, PathologySettings
from ludus.diagnostics.quality.decisions import Convention
from ludus.diagnostics.quality.quality_report import Judge
from ludus.kernel.random import seed_for
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player

NODES = 2_000_000
"""The most nodes of a tree that is solved to judge a decision."""


def judge_by_decisions(
    found: Pathology,
    game: PlayableGame,
    players: Sequence[Player],
    settings: PathologySettings,
    options: PathologyOptions,
) -> None:
    """Ask every depth for a move in positions that have right and wrong ones."""
    _decide(found, game, players, settings, options)
    if not found.subjects and not found.interrupted:
        raise LudusError(
            f"no position of {game.title} after {settings.openings} random plies has right and wrong moves: there is "
            "nothing to judge; give other `openings`."
        )


def _decide(
    found: Pathology,
    game: PlayableGame,
    players: Sequence[Player],
    settings: PathologySettings,
    options: PathologyOptions,
) -> None:
    wanted, openings = settings.games, settings.openings
    if game.has_chance:
        raise SpecError(f"chance has a part in {game.title}: judge depths by `by=games`.")
    evaluator = players[0].evaluator
    assert evaluator is not None
    judge = Judge(game, evaluator, Convention(), 0, players[0].compiled, options.announce)
    try:
        for number, opening in enumerate(random_openings(game, openings, found.seed)):
            right = _right_moves(judge, opening)
            if right is not None:
                seed = seed_for(found.seed, number, 1)
                moves = [player.decide(opening.game, opening.state, seed=seed) for player in players]
                found.add([(float(move in right),) for move in moves])
            options.progress(found)
            if found.subjects == wanted:
                return
            if number >= 100 * wanted:
                break
    except KeyboardInterrupt:
        found.interrupted = True
        return
    found.note = f"only {found.subjects} of the positions after {openings} random plies have right and wrong moves."


def _right_moves(judge: Judge, opening: Opening) -> set[int] | None:
    """The moves that keep the exact value of a position; None if all do."""
    game, state = opening.game, opening.state
    seen = judge.see(game, state, NODES)
    if seen.stopped == "interrupted":
        raise KeyboardInterrupt
    if seen.stopped != "exhausted":
        raise LudusError(
            f"{game.title} cannot be solved from {game.state_text(state)!r} with {NODES:,} nodes: judge depths by "
            "`by=games`, or begin later in the game with more `openings`."
        )
    legal = game.legal(state)
    values = judge.work.tree.record.successors[: len(legal)]
    right = {move for move, value in zip(legal, values, strict=True) if value == values.max()}
    return right if len(right) < len(legal) else None
