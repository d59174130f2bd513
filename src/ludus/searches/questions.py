"""The questions that `solve` asks, one after another: first for the value, then for the line.

Where the depth is limited a question may have to be asked twice: once with all that is unknown bad for the player at
the root, when a yes is proven, and once with it good for him, when a no is.
"""

from __future__ import annotations

import numpy as np

from ludus.core.budget import DEPTH, RUNNING, STOP_DEPTH, STOP_SOLVED
from ludus.core.rules import highest, load, lowest
from ludus.core.table import probe
from ludus.core.tree import UNOPENED
from ludus.searches.full_width.driver import DONE, LOWER, UPPER, begin_pass, enter

PROOF, LINE = 0, 1
"""What a question is for."""

LOWEST, HIGHEST, FINITE = 0, 1, 2
"""Cells of `tree.facts`: whether the game has these rules, and whether it says how long it can last."""

FIRST_HORIZON = 4
"""The depth to begin with, in a game that does not say how long it can last."""


# What the game itself says of a position.


def lowest_of(search, game, tree, state):
    """What the player to move is sure of."""
    value = lowest(game, state) if tree.facts[LOWEST] else -np.inf
    return np.float64(np.sign(value)) if search.only_result else value


def highest_of(search, game, tree, state):
    """What the player to move cannot exceed."""
    value = highest(game, state) if tree.facts[HIGHEST] else np.inf
    return np.float64(np.sign(value)) if search.only_result else value


# Questions for the value.


def first_question(search, game, tree, limits):
    """Nothing is known but what the game says of the first position: is it lost?"""
    at, state = tree.register[0], load(tree.state, 0)
    at.low, at.high = lowest_of(search, game, tree, state), highest_of(search, game, tree, state)
    at.horizon = limits[DEPTH] if tree.facts[FINITE] else min(FIRST_HORIZON, limits[DEPTH])
    at.hint = -1
    at.asked = min(max(np.nextafter(0.0, -np.inf), at.low), np.nextafter(at.high, -np.inf))
    begin_pass(search, tree)


def next_question(search, tree, deepest):
    """The question is answered, or cannot be at this depth: ask another one, or say why not."""
    at = tree.register[0]
    if at.phase == LINE:
        return follow(search, tree, deepest)
    note_bounds(tree)
    yes, sure = tree.backed[0] > at.asked, tree.cut[0] == 0
    if sure or yes == (at.optimistic == 0):
        take_answer(tree, yes)
        at.optimistic = 0
    elif at.optimistic == 0:
        at.optimistic = 1
    elif at.horizon >= deepest:
        return STOP_DEPTH
    else:
        at.optimistic = 0
        at.horizon = deeper(at.horizon, deepest)
    begin_pass(search, tree)
    return RUNNING


def take_answer(tree, yes):
    """The value is above what was asked, or it is not: choose the next score to ask about."""
    at = tree.register[0]
    if yes:
        at.low = max(at.low, tree.backed[0])
        at.chosen = tree.best[0]
    else:
        at.high = min(at.high, tree.backed[0])
    at.stride = 2.0 * at.stride + 1.0 if yes == (at.rising == 1) else 0.0
    at.rising = 1 if yes else 0
    if at.low >= at.high:
        at.phase = LINE
        at.asked = np.nextafter(at.low, -np.inf)
    else:
        at.asked = further(at.low, at.high, at.stride, yes)


def further(low, high, stride, rising):
    """The next score to ask about: so far beyond the last answer, but not beyond the middle of what is open."""
    if rising:
        asked = low + stride if high == np.inf else min(low + stride, (low + high) / 2)
    else:
        asked = np.nextafter(high - stride, -np.inf)
        asked = asked if low == -np.inf else max(asked, (low + high) / 2)
    return min(asked, np.nextafter(high, -np.inf))


def deeper(horizon, deepest):
    """Half as deep again."""
    return min(horizon + horizon // 2, deepest)


def note_bounds(tree):
    """What the pass over the root has shown of each of its children so far."""
    at = tree.register[0]
    if at.about != 0:
        return
    for child in range(tree.first[0], tree.first[0] + tree.count[0]):
        if tree.order[child] == DONE:
            value, bound, sure = -tree.value[child], tree.bound[child], tree.cut[child] == 0
            if bound != LOWER and (sure or at.optimistic == 0):
                tree.least[child] = max(tree.least[child], value)
            if bound != UPPER and (sure or at.optimistic == 1):
                tree.most[child] = min(tree.most[child], value)


# Questions for the line: which move keeps the value?


def follow(search, tree, deepest):
    """The move that keeps the value at the end of the line so far is found: go on to the next position."""
    at, node = tree.register[0], tree.register[0].about
    if node == 0:
        note_bounds(tree)
    if tree.backed[node] < tree.beta[node]:
        return look_deeper(search, tree, deepest)
    child = tree.best[node]
    if node == 0:
        at.chosen = child
    at.about = child
    if tree.count[child] == 0:
        return STOP_SOLVED
    at.ply += 1
    at.optimistic = at.ply % 2  # what is unknown is bad for the player to move
    return ask_about(tree, deepest)


def look_deeper(search, tree, deepest):
    """No move that keeps the value is known at this depth."""
    at, node = tree.register[0], tree.register[0].about
    if tree.cut[node] == 0 or at.horizon >= deepest:
        return STOP_SOLVED
    at.horizon = deeper(at.horizon, deepest)
    if node == 0:
        begin_pass(search, tree)
        return RUNNING
    tree.size[0] = tree.first[node]
    tree.count[node] = UNOPENED
    return ask_about(tree, deepest)


def ask_about(tree, deepest):
    """Which move at the end of the line so far keeps the value?"""
    at, node = tree.register[0], tree.register[0].about
    if at.horizon <= at.ply:
        if at.horizon >= deepest:
            return STOP_SOLVED
        at.horizon = deeper(at.horizon, deepest)
    value = at.low if at.ply % 2 == 0 else -at.low
    enter(tree, node, at.horizon - at.ply, np.nextafter(value, -np.inf), value)
    slot = probe(tree.table, load(tree.state, node))
    at.hint = tree.table.move[slot] if slot >= 0 else np.int64(-1)
    return RUNNING
