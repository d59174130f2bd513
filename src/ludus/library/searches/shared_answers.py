"""Several threads at one depth-first search (ABDADA: Weill 1996, as simplified by Kerrigan 2018).

Every thread does the whole search, on a tree of its own; what one has found out the others find in the table. So that
they do not do the same work at the same time, each says at which positions it is, one for each ply (`tree.busy`). Who
comes to a move that leads where another thread is tries the other moves first, and that one at the end, when the
table may know it. The first move of a position is never put off: until it has a value there is nothing to compare with.

Only the order of moves is changed, so a search whose value does not depend on the order finds the same value. At the
root nothing is put off: with a fixed depth alpha-beta's move is the same, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.kernel.parts import part
from ludus.kernel.rules import digest, load
from ludus.kernel.table import for_thread
from ludus.kernel.tree import UNOPENED, children
from ludus.library.searches.full_width.order import FIRST
from ludus.runtime.thread_team import check_threads as check_threads

PLIES = 512
"""Plies of which the threads tell each other: all later ones share the last cell. Nothing is told of the root, ply 0;
its cell says whether another thread has an answer there (`say_answered`)."""

POSTPONED = -1e305
"""The order of a move that leads where another thread is."""

NOWHERE, SETTLED = np.uint64(0), np.uint64(1)
"""Of a cell of `busy`: the thread is at no position of this ply; or at one that another thread has finished."""


@part
def begin_together(search, tree, node):
    """`node` is entered: tell the other threads."""


@part
def end_together(search, tree, node, is_kept):
    """`node` is left: tell the other threads. `is_kept`: whether its value is in the table."""


@part
def is_for_later(search, tree, node, child):
    """`child` is to be searched: is there something better to do, because of what the other threads do?"""
    return False


def say_where(tree, ply, node, what):
    """Tell the other threads that this one is at `node`, `ply` plies from the root, to find out `what`."""
    tree.busy[tree.thread[0], min(ply, PLIES - 1)] = digest(load(tree.state, node)) ^ what


def say_left(tree, ply, is_kept):
    """Tell them that it has left the position at this ply; if it is in the table, that they can give it up there."""
    cell = min(ply, PLIES - 1)
    where = tree.busy[tree.thread[0], cell]
    tree.busy[tree.thread[0], cell] = NOWHERE
    for thread in range(tree.busy.shape[0]):
        if is_kept and where != NOWHERE and tree.busy[thread, cell] == where:
            tree.busy[thread, cell] = SETTLED


def give_up(tree, node):
    """Has another thread finished a position on the way to `node`? Then go back there: the table knows it."""
    settled = first_settled(tree, tree.register[0].ply)
    if settled == 0:
        return False
    tree.busy[tree.thread[0], settled] = NOWHERE
    node = ancestor(tree, node, settled)
    if tree.next[tree.parent[node]] >= 0:
        return False
    tree.order[node] = FIRST
    drop(tree, node, settled)
    return True


def ancestor(tree, node, ply):
    """The node at this ply on the way to `node`, the one at work."""
    for _ in range(ply, tree.register[0].ply):
        node = tree.parent[node]
    return node


def drop(tree, node, ply):
    """Forget all below `node`, which is at this ply, and go on at its parent."""
    tree.size[0] = tree.first[node]
    tree.count[node] = UNOPENED
    tree.register[0].node = tree.parent[node]
    tree.register[0].ply = ply - 1


def say_answered(tree, horizon):
    """Tell the other threads that this one has an answer for the root, and how deep it looks."""
    for thread in range(tree.busy.shape[0]):
        if thread != tree.thread[0]:
            tree.busy[thread, 0] = np.uint64(horizon)


def answered(tree):
    """How deep the other thread looks that was the last to have an answer for the root; 0: none has one."""
    return np.int64(tree.busy[tree.thread[0], 0])


def first_settled(tree, ply):
    """The first ply above or at this one whose position another thread has finished; 0: none."""
    for cell in range(1, min(ply, PLIES - 2) + 1):
        if tree.busy[tree.thread[0], cell] == SETTLED:
            return cell
    return 0


def put_off(tree, ply, node, child, what):
    """Is another thread at `child`, for the same purpose? Then it is tried after all the other moves of `node`."""
    where = digest(load(tree.state, child)) ^ what
    for thread in range(tree.busy.shape[0]):
        if thread != tree.thread[0] and tree.busy[thread, min(ply, PLIES - 1)] == where:
            for other in children(tree, node):
                if tree.order[other] > POSTPONED:
                    tree.order[child] = POSTPONED
                    return True
    return False


# What follows runs in Python only.


def begin_search(tree: Any) -> None:
    """A new search begins, in this thread; the first one sees to what they share."""
    if tree.thread[0] == 0:
        tree.table.now[0] += 1
        if len(tree.busy) > 1:  # else nobody looks at it
            tree.busy.fill(0)


def extras_together(threads: int) -> dict[str, Any]:
    """What the threads need besides the table: where each of them is, and which one has this tree."""
    return {"busy": np.zeros((threads, PLIES), np.uint64), "thread": np.zeros(1, np.int64)}


def extras_of_member(extras: dict[str, Any], number: int) -> dict[str, Any]:
    """The extras of thread `number`: the same table, the same `busy`, and a copy of all the rest."""
    other = {"table": for_thread(extras["table"]), "busy": extras["busy"], "thread": np.array([number])}
    return {name: other[name] if name in other else array.copy() for name, array in extras.items()}
