"""Quiescence: which positions at the horizon may be judged as they stand. The others are searched further.

A static value is unreliable in the middle of an exchange (the *horizon effect*). Three rules say where it is not:

- `noisy` (Slate & Atkin 1977): the player may let the static value stand, or try one of the moves that the game calls
  noisy, a capture, say.
- `consistency` (Beal 1980): the static value stands if it is that of a search of one ply, within a tolerance.
- `locked` (Beal 1982): the value of a search of one ply stands if two moves have it, within a tolerance: to be wrong it
  must be wrong twice. A position with a single move is not judged, but its successor.

Where none stands all moves are searched, noisy ones alone under `noisy`, up to a number of plies beyond the horizon. A
result of the game never stands: there somebody's moves are searched.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ludus.kernel.rules import chance, load, noisy
from ludus.kernel.tree import children
from ludus.library.searches.full_width.order import DONE, in_order
from ludus.library.searches.full_width.walk import look_at, static_value
from ludus.model.evaluator import WIN

Quiescence = Literal["none", "consistency", "locked", "noisy"]
"""Which positions at the horizon are judged as they stand: all, or those that the rule calls quiet."""

RULES = ("none", "consistency", "locked", "noisy")
NONE, CONSISTENCY, LOCKED, NOISY = range(4)


def stands_at_once(search, game, evaluator, tree, node):
    """`node` at the horizon has been entered: is its static value too good for the opponent to allow?"""
    if search.quiet_rule != NOISY or chance(game, load(tree.state, node), game.probabilities) > 0:
        return False
    value = static_value(search, game, evaluator, tree, node)
    if value < tree.beta[node]:
        return False
    tree.backed[node] = value
    tree.cut[node] = 1
    return True


def arrange_quiet(search, game, evaluator, tree, node):
    """The moves of `node`, at the horizon or beyond, are listed: let its value stand, or say which are tried."""
    in_order(tree, node)
    if search.quiet_rule == NOISY:
        only_noisy(search, game, evaluator, tree, node)
        return
    best, second = two_best(search, game, evaluator, tree, node)
    value = best
    if search.quiet_rule == CONSISTENCY:
        value = static_value(search, game, evaluator, tree, node)
        quiet = abs(value - best) <= search.tolerance
    else:
        quiet = best - second <= search.tolerance
    if quiet and abs(best) < WIN:
        tree.backed[node] = value
        tree.cut[node] = 1
        tree.alpha[node] = tree.beta[node]  # nothing else is tried


def only_noisy(search, game, evaluator, tree, node):
    """The player has the static value at least; only noisy moves may change it."""
    value = static_value(search, game, evaluator, tree, node)
    tree.backed[node] = value
    tree.cut[node] = 1
    tree.alpha[node] = max(tree.alpha[node], value)
    state = load(tree.state, node)
    for child in children(tree, node):
        if not noisy(game, state, tree.move[child]):
            tree.order[child] = DONE


def two_best(search, game, evaluator, tree, node):
    """The static values of the best and second best successor, to the player at `node`; they are tried best first."""
    best = second = -np.inf
    state = load(tree.state, node)
    for child in children(tree, node):
        look_at(search, game, evaluator, tree, state, child)
        value = -static_value(search, game, evaluator, tree, child)
        tree.order[child] = value
        if value > best:
            best, second = value, best
        else:
            second = max(second, value)
    return best, second
