"""The questions that `solve` asks, one after another: first for the value, then for the line.

Where the depth is limited a question may have to be asked twice: once with all that is unknown bad for the player at
the root, when a yes is proven, and once with it good for him, when a no is.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.limits import GENERATED, RUNNING, STOP_DEPTH, STOP_SOLVED
from ludus.kernel.rules import foreseen, highest, load, lowest
from ludus.kernel.table import probe
from ludus.kernel.tree import UNOPENED, children
from ludus.library.searches.full_width.order import FIRST
from ludus.library.searches.shared_answers import ancestor, answered, drop, say_answered

PROOF, LINE = 0, 1
"""What a question is for."""

LOWEST, HIGHEST, FORESEEN, URGENCY, FINITE = 0, 1, 2, 3, 4
"""Cells of `tree.facts`: whether the game has these rules, and whether it says how long it can last."""

FIRST_HORIZON = 2
"""The depth to begin with: enough to see who can win at once."""

LONG = 10000
"""Nodes after which nobody expects to see the end of a finite game at a small depth."""


# What the game itself says of a position.


def lowest_of(search, game, tree, state):
    """What the player to move is sure of."""
    value = lowest(game, state) if tree.facts[LOWEST] else -np.inf
    return np.float64(np.sign(value)) if search.only_result else value


def highest_of(search, game, tree, state):
    """What the player to move cannot exceed."""
    value = highest(game, state) if tree.facts[HIGHEST] else np.inf
    return np.float64(np.sign(value)) if search.only_result else value


def foreseen_of(search, game, tree, state):
    """What the position is worth, if the game tells at a glance; else NaN."""
    value = foreseen(game, state) if tree.facts[FORESEEN] else np.nan
    return np.float64(np.sign(value)) if search.only_result else value


# Questions for the value.


def first_question(search, game, tree, deepest):
    """Nothing is known but what the game says of the first position: is it lost?

    Only the first thread begins with a small depth. What is unknown there is in no table, so others who did the same
    would be of no help; what they find out at full depth is.
    """
    at, state, is_first = tree.register[0], load(tree.state, 0), tree.thread[0] == 0
    at.low, at.high = lowest_of(search, game, tree, state), highest_of(search, game, tree, state)
    at.horizon = min(FIRST_HORIZON, deepest) if is_first or not tree.facts[FINITE] else deepest
    at.asked = min(max(np.nextafter(0.0, -np.inf), at.low), np.nextafter(at.high, -np.inf))
    if at.low >= at.high:
        begin_line(tree)
    ask_at_root(tree)


def next_question(game, tree, deepest):
    """The question is answered, or cannot be at this depth: ask another one, or say why not."""
    at = tree.register[0]
    if at.phase == LINE:
        return follow(game, tree, deepest)
    yes = tree.backed[0] > at.asked
    if tree.unsure[0] == 0 or yes == (at.optimistic == 0):
        take_answer(tree, yes)
        at.optimistic = 0
    elif at.optimistic == 0:
        at.optimistic = 1
    elif at.horizon >= deepest:
        at.searched = at.horizon
        return STOP_DEPTH
    else:
        at.optimistic = 0
        at.searched = at.horizon
        at.horizon = deeper(game, tree, deepest)
    ask_at_root(tree)
    return RUNNING


def take_answer(tree, yes):
    """The value is above what was asked, or it is not: choose the next score to ask about."""
    at = tree.register[0]
    say_answered(tree, at.horizon)
    if yes:
        at.low = max(at.low, tree.backed[0])
        at.chosen = tree.best[0]
    else:
        at.high = min(at.high, tree.backed[0])
    at.stride = 2.0 * at.stride + 1.0 if yes == (at.rising == 1) else 0.0
    at.rising = 1 if yes else 0
    at.searched = 0
    if at.low >= at.high:
        begin_line(tree)
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


def catch_up(tree, node):
    """Has another thread an answer, and looks deeper? Then leave `node` and look as deep: the table has the answer."""
    at, horizon = tree.register[0], answered(tree)
    if horizon <= at.horizon:
        return False
    at.horizon, at.optimistic = horizon, 0
    drop(tree, ancestor(tree, node, 1), 1)
    ask_at_root(tree)
    return True


def deeper(game, tree, deepest):
    """The next depth: half as deep again; all there is, once the search is long, if the game cannot last for ever."""
    horizon = tree.register[0].horizon
    if tree.facts[FINITE] and game.meter[GENERATED] > LONG:
        return deepest
    return min(horizon + (horizon + 1) // 2, deepest)


def ask_at_root(tree):
    """Search the root's children again, the best one first, the others as the first time."""
    at = tree.register[0]
    if tree.count[0] > 0:
        for child in children(tree, 0):
            tree.order[child] = FIRST if child == at.chosen else tree.rank[child]
    at.ply = 0
    at.hint = -1
    tree.goal[0], tree.goal[1] = np.nextafter(at.asked, np.inf), -at.asked
    begin_at(tree, np.int64(0))


def begin_at(tree, node):
    """Nothing is known of the answer at `node`."""
    tree.backed[node] = -np.inf
    tree.best[node] = -1
    tree.unsure[node] = 0
    tree.register[0].node = node


def note_at_root(tree, child):
    """What the question has shown of the move to `child`, which is done."""
    at, value, sure = tree.register[0], -tree.backed[child], tree.unsure[child] == 0
    if (value > at.asked and (sure or at.optimistic == 0)) or tree.count[child] == 0:
        tree.least[child] = max(tree.least[child], value)
    if (value <= at.asked and (sure or at.optimistic == 1)) or tree.count[child] == 0:
        tree.most[child] = min(tree.most[child], value)


# Questions for the line: which move keeps the value?


def begin_line(tree):
    """The value is known: which move of the root keeps it?"""
    at = tree.register[0]
    at.phase = LINE
    at.asked = np.nextafter(at.low, -np.inf)


def follow(game, tree, deepest):
    """The move that keeps the value at the end of the line so far is found: go on to the next position."""
    at, node = tree.register[0], tree.register[0].about
    if tree.backed[node] < tree.goal[at.ply % 2]:
        return look_deeper(game, tree, deepest)
    child = tree.best[node]
    if node == 0:
        at.chosen = child
    at.about = child
    if tree.count[child] == 0:
        return STOP_SOLVED
    at.ply += 1
    at.optimistic = at.ply % 2  # what is unknown is bad for the player to move
    return ask_about_line(game, tree, deepest)


def look_deeper(game, tree, deepest):
    """No move that keeps the value is known at this depth."""
    at, node = tree.register[0], tree.register[0].about
    if tree.unsure[node] == 0 or at.horizon >= deepest:
        return STOP_SOLVED
    at.horizon = deeper(game, tree, deepest)
    if node == 0:
        ask_at_root(tree)
        return RUNNING
    tree.size[0] = tree.first[node]
    tree.count[node] = UNOPENED
    return ask_about_line(game, tree, deepest)


def ask_about_line(game, tree, deepest):
    """Which move at the end of the line so far keeps the value?"""
    at, node = tree.register[0], tree.register[0].about
    if at.horizon <= at.ply:
        if at.horizon >= deepest:
            return STOP_SOLVED
        at.horizon = deeper(game, tree, deepest)
    value = at.low if at.ply % 2 == 0 else -at.low
    tree.goal[at.ply % 2], tree.goal[1 - at.ply % 2] = value, np.nextafter(-value, np.inf)
    at.hint = tree.table.found[0].move if probe(tree.table, load(tree.state, node)) else np.int64(-1)
    begin_at(tree, node)
    return RUNNING
