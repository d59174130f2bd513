"""What a game, an evaluator and a search are, as fingerprints: whoever edits one of them makes another run."""

from __future__ import annotations

import functools
from dataclasses import astuple

from ludus.compile import fingerprint
from ludus.compile.fingerprint import identity
from ludus.kernel import rules
from ludus.kernel.alternation import own_rules
from ludus.kernel.columns import gathered
from ludus.kernel.parts import parts_of
from ludus.model.component import Component
from ludus.model.evaluator import Evaluator
from ludus.model.playable import PlayableGame
from ludus.model.search import Search

GAME_FIELDS = (
    "initial",
    "max_moves",
    "max_features",
    "length",
    "cell_shape",
    "cell_kinds",
    "symmetries",
    "repetition",
    "position_key",
    "seeded",
)
EVALUATOR_FIELDS = ("prepare", "judges", "sees_passes")
"""What makes a game, or an evaluator, besides its rules."""

SEARCH_FIELDS = ("step", "prepare", "extras", "choice", "largest_step", "spread")
"""What makes a search besides its parts and columns."""


def of_game(game: PlayableGame) -> str:
    """All its rules, the optional ones only if it has them."""
    own = [rule.name for rule in rules.rules_of("game") if not rule.optional or game.has_rule(rule.name)]
    return identity(game, (*GAME_FIELDS, *own), own_rules(game) if not type(game).alternates else None)


def of_evaluator(evaluator: Evaluator) -> str:
    """All its rules, and its calibration."""
    names = tuple(rule.name for rule in rules.rules_of("evaluator"))
    return identity(evaluator, (*EVALUATOR_FIELDS, *names)) + evaluator.calibration.hash


def of_search(search: Search) -> str:
    """Its loop, with the parts that it replaces, and what its columns begin with."""
    columns = [(name, *astuple(column)) for name, column in gathered(type(search), "columns").items()]
    return identity(search, SEARCH_FIELDS, parts_of(type(search))) + fingerprint.of_value(columns)


@functools.cache
def of_class(kind: type[Component]) -> str:
    """All that a class of components does: a task for another process carries it, so that none plays by other rules."""
    base = next(cls for cls in kind.__mro__ if "shared" in vars(cls))
    return fingerprint.of_class(kind, base, parts_of(kind) if issubclass(kind, Search) else {})
