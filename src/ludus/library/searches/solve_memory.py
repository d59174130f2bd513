"""What `solve` remembers: of a position what is proven, of a move how often it was good, of a ply how much lies below.

And what it makes of that: the order in which moves are tried.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.rules import load, moves, score, urgency
from ludus.kernel.table import DEEPEST, fetch, keep, probe
from ludus.kernel.tree import UNOPENED, generate
from ludus.library.searches.full_width.memory import HISTORY, SECOND
from ludus.library.searches.full_width.order import FIRST, LAST
from ludus.library.searches.questions import URGENCY, foreseen_of

PLIES = 512
"""Cells of the account of work: all plies from here on share the last one."""

NOT_YET, MADE, PLAIN = 0, 1, 2
"""Of a child: its state has not been generated; it has; and the game foresees nothing there."""

SOME, MUCH = 12.0, 16.0
"""Nodes below a position from which on it is worth remembering, and all its replies worth looking at."""

FREE = 1e200
"""The order of finished games: they cost nothing."""

REPLY = 1e9
"""What one reply more counts in the order, against a move's history."""


# The order of moves.


def arrange(search, game, tree, node):
    """Decide in which order the children of `node` are tried."""
    at, state = tree.register[0], load(tree.state, node)
    first, last, work = tree.first[node], tree.first[node] + tree.count[node], expected_work(tree, at.ply)
    for child in range(first, last):
        tree.ready[child] = NOT_YET
    if work < SOME and node != at.about and not tree.facts[URGENCY]:
        tree.next[node] = first
        return
    tree.next[node] = -1
    for child in range(first, last):
        move = tree.move[child]
        tree.order[child] = tree.history[at.ply % 2, move % HISTORY]
        if tree.facts[URGENCY]:
            tree.order[child] += REPLY * urgency(game, state, move)
        if move == at.hint:
            tree.order[child] = SECOND
    if work >= MUCH or node == at.about:
        look_ahead(search, game, tree, node, state)
    if node == 0:
        for child in range(first, last):
            tree.rank[child], tree.least[child], tree.most[child] = tree.order[child], -np.inf, np.inf


def look_ahead(search, game, tree, node, state):
    """Play the moves of `node`, which is in `state`, until one is known to decide the question; few replies come first.

    The table is asked in a second round: what it has of a child comes from memory while the others are played.
    """
    goal, first, last = tree.goal[tree.register[0].ply % 2], tree.first[node], tree.first[node] + tree.count[node]
    for child in range(first, last):
        if decides(search, game, tree, state, child) and node != 0:
            return
    for child in range(first, last):
        if tree.ready[child] != PLAIN or not probe(tree.table, load(tree.state, child)):
            continue
        if -tree.table.found[0].high >= goal:
            tree.order[child] = FIRST
            if node != 0:
                return


def decides(search, game, tree, state, child):
    """Play the move to `child`, from `state`, and count the replies. Does the game say that it decides the question?"""
    goal = tree.goal[tree.register[0].ply % 2]
    after = generate(game, tree, state, child)
    tree.ready[child] = MADE
    tree.count[child] = UNOPENED
    replies = moves(game, after, tree.reply)
    if replies == 0:
        finish(search, game, tree, after, child)
        tree.order[child] = FIRST if -tree.backed[child] >= goal else FREE
        return tree.order[child] == FIRST
    value = foreseen_of(search, game, tree, after)
    if value == value:  # not NaN
        tree.order[child] = FIRST if -value >= goal else LAST
        return tree.order[child] == FIRST
    tree.ready[child] = PLAIN
    fetch(tree.table, after)
    if tree.order[child] < SECOND:
        tree.order[child] -= REPLY * replies
    return False


def finish(search, game, tree, state, child):
    """The game is over at `child`."""
    tree.count[child] = 0
    tree.unsure[child] = 0
    tree.backed[child] = np.sign(score(game, state)) if search.only_result else score(game, state)


# What lies below a position: the mean number of nodes at each ply, the later the more important.


def expected_work(tree, ply):
    """Nodes that a position at this ply may cost; very many where nothing is known."""
    work = tree.work[min(ply, PLIES - 1)]
    return work if work >= 0.0 else np.inf


def note_work(tree, ply, work):
    """A position at this ply has cost this number of nodes."""
    cell = min(ply, PLIES - 1)
    tree.work[cell] += (work - tree.work[cell]) * 0.125 if tree.work[cell] >= 0.0 else work + 1.0


# The table: what is proven of a position, from below and from above.


def known_from_table(tree, node, state, goal, against):
    """Does the table decide the question at `node`? If not, it may have a move to try first."""
    if not probe(tree.table, state):
        return False
    found = tree.table.found[0]
    tree.register[0].hint = found.move
    if found.low >= goal:
        tree.backed[node] = found.low
        return True
    if found.high <= against:
        tree.backed[node] = found.high
        return True
    return False


def remember(tree, node, work, yes):
    """Keep what was proven about `node`; a slot is worth the work that went into it."""
    state, low, high, move = load(tree.state, node), -np.inf, np.inf, np.int64(-1)
    if probe(tree.table, state):
        found = tree.table.found[0]
        low, high, move = found.low, found.high, found.move
    if yes:
        low = max(low, tree.backed[node])
        move = tree.move[tree.best[node]]
    else:
        high = min(high, tree.backed[node])
        if move < 0 and tree.best[node] >= 0:
            move = tree.move[tree.best[node]]
    keep(tree.table, state, min(work, DEEPEST), low, high, move)
