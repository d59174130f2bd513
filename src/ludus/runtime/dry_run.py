"""Before compiled code runs with new parameters: some positions interpreted, where a wrong index is an error.

In compiled code a write beyond the end of an array may be a crash. A kernel in the cache was tried with the parameters
of whoever compiled it; others may make larger boards than the rules have room for.
"""

from __future__ import annotations

import time
from itertools import islice
from typing import Any

import numpy as np

from ludus.kernel import rules
from ludus.kernel.chance import Dice, random_games
from ludus.model.evaluator import Evaluator
from ludus.model.playable import PlayableGame
from ludus.model.watchdog import watching

POSITIONS, SECONDS = 100, 0.05
"""A dry run ends after this number of positions, or after this many seconds of CPU time."""

_done: set[tuple[type, str, type, str]] = set()


def dry_run(game: PlayableGame, evaluator: Evaluator) -> None:
    """Ask every rule about the positions of random games, once for each set of parameters in this process.

    Games and evaluators of our own are tested elsewhere, and refuse parameters for which they have no room.
    """
    if all(type(part).__module__.startswith("ludus.") for part in (game, evaluator)):
        return
    parameters = {name: value for name, value in game._arguments.items() if name != "seed" or not game.seeded}
    key = type(game), repr(parameters), type(evaluator), repr(evaluator)
    if key not in _done:
        with watching(), np.errstate(over="ignore", invalid="ignore"):
            _walk(game.metered(np.zeros(4, np.int64)), evaluator.for_dry_run())
        _done.add(key)


def _walk(game: PlayableGame, evaluator: Evaluator) -> None:
    started = time.process_time()
    for ply in islice(random_games(game, Dice(1)), POSITIONS):
        _ask_optional(game, ply.state, ply.legal if ply.is_decision else [])
        if not ply.legal:
            rules.score(game, ply.state)
            rules.final(evaluator, game, ply.state)
        elif evaluator.judges:
            rules.evaluate(evaluator, game, ply.state)
        if time.process_time() - started > SECONDS:
            return


def _ask_optional(game: PlayableGame, state: Any, legal: list[int]) -> None:
    """The optional rules that the game has; those that pass or take a move only where a player has one."""
    given = {"state": state, "numbers": game.feature_values, "probabilities": game.probabilities}
    if game.has_rule("cells"):
        given["contents"] = game.cell_values
    if legal:
        given["move"] = legal[0]
    for rule in rules.rules_of("game"):
        moving = "move" in rule.takes or rule.gives == "state"
        if rule.optional and game.has_rule(rule.name) and (legal or not moving):
            getattr(rules, rule.name)(game, *(given[argument] for argument in rule.takes))
