"""Classes of values, and the conspiracy numbers of a node from those of its children.

The numbers of a leaf are not in memory, since they are all alike: one leaf, itself, for every class but its own or, if
the game is over there, `NEVER`. Those of an opened node are a row, whose length is fixed: then the processor takes
many classes at a time, which is why the loops over them have no branches, and all numbers in them are of 32 bits.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.tree import UNOPENED, best_child, children
from ludus.model.evaluator import WIN

MOST_CLASSES = 32
NEVER = np.int32(1 << 29)
"""The conspiracy number of what no leaves can bring about."""
LINE = 64
"""Bytes of a line of the processor's cache."""
NONE, ONE = np.int32(0), np.int32(1)
FIRST_THRESHOLD = 2
KEPT = 64
"""Nodes on the way to the leaf, one for each depth in turns, of which is kept what is of no use for others."""


# Classes of values.


def set_classes(search, tree):
    """The root has been expanded: its value is in the middle, and its moves tell how far values are apart."""
    at = tree.register[0]
    at.check_at = tree.size[0]
    at.threshold = max(search.threshold, FIRST_THRESHOLD)
    at.center = -tree.value[best_child(tree, 0)]
    n, total, squares = 0, 0.0, 0.0
    for child in children(tree, 0):
        if tree.count[child] == UNOPENED:
            n += 1
            total += tree.value[child]
            squares += tree.value[child] ** 2
    if abs(at.center) >= WIN:
        at.center = 0.0
    variance = squares / n - (total / n) ** 2 if n > 0 else 0.0
    at.grain = search.grain if search.grain > 0.0 else np.sqrt(variance) / 2 if variance > 0.0 else 1.0


def check_center(search, tree):
    """Is the root's value still in the middle half of the classes? If not, centre them on it; how many nodes that took.

    When the tree has grown by a quarter it is time to look again: so a node is not classed anew often.
    """
    at, middle, nodes = tree.register[0], search.classes // 2, 0
    renew_above(tree)
    if abs(tree.value[0]) < WIN and abs(np.int64(tree.level[0]) - middle) >= search.classes // 4:
        at.center = tree.value[0]
        count_anew(search, tree)
        nodes = tree.size[0]
    at.check_at = tree.size[0] + tree.size[0] // 4 + 1
    return nodes


def class_of(search, tree, value):
    """The class of a value to the player at the root."""
    at, last = tree.register[0], search.classes - 1
    if abs(value) >= WIN:
        return np.int64(last) if value > 0 else np.int64(0)
    steps = min(max((value - at.center) / at.grain, -64.0), 64.0)
    return min(max(np.int64(np.floor(steps + 0.5)) + search.classes // 2, 1), last - 1)


def ours(tree, node):
    """Whether the player who moves at the root moves at `node`."""
    return tree.depth[node] % 2 == 0


def set_class(search, tree, leaf):
    """The class of a leaf."""
    tree.level[leaf] = class_of(search, tree, tree.value[leaf] if ours(tree, leaf) else -tree.value[leaf])


def is_worse(k, level, our_turn):
    """Whether class k is worse than `level` for the player who moves at a node."""
    return k < level if our_turn else k > level


# Conspiracy numbers.


def leaf_number(tree, leaf):
    """The number of a leaf for any class but its own."""
    return ONE if tree.count[leaf] == UNOPENED else NEVER


def number_of(tree, node, k):
    """The number of a node for class k."""
    if tree.count[node] > 0:
        return tree.needed[node, k]
    return NONE if tree.level[node] == k else leaf_number(tree, node)


def forget_brothers(tree):
    """At the beginning: nothing is kept of any node."""
    for place in range(KEPT):
        tree.brothers_of[place] = -1


def renew_numbers(tree, node, child):
    """The value of an opened node, its class and the numbers of all classes; whether any is new.

    One child suffices for a class that is better for the player who moves here; for a worse one all children must
    change that are better than it. `child` is the one that has changed since the last time. What its brothers come to
    is kept for the nodes above the place where the search is at work.
    """
    place, our_turn = tree.depth[node] % KEPT, ours(tree, node)
    if tree.brothers_of[place] != child:
        tree.brothers_of[place] = child
        add_up_brothers(tree, node, child, place)
    numbers, its, together, least = tree.needed[node], tree.needed[child], tree.together[place], tree.least[place]
    opened, one, own = tree.count[child] > 0, leaf_number(tree, child), tree.level[child]
    value, level = -min(tree.brothers_value[place], tree.value[child]), tree.brothers_level[place]
    level = own if is_worse(np.int32(level), np.int32(own), our_turn) else level
    changed = value != tree.value[node] or level != tree.level[node]
    tree.value[node], tree.level[node] = value, level
    for k in range(MOST_CLASSES):
        number = its[k] if opened else one
        more = number if is_worse(np.int32(k), np.int32(own), our_turn) else NONE
        everyone, someone = min(np.int32(together[k] + more), NEVER), min(least[k], number)
        better = NONE if np.int32(k) == np.int32(level) else someone
        now = everyone if is_worse(np.int32(k), np.int32(level), our_turn) else better
        changed |= now != numbers[k]
        numbers[k] = now
    return changed


def add_up_brothers(tree, node, child, place):
    """The value, class and numbers that a node would have without one of its children."""
    our_turn, together, least = ours(tree, node), tree.together[place], tree.least[place]
    value, level, leaf_least = np.inf, -1 if our_turn else MOST_CLASSES, NEVER
    for k in range(MOST_CLASSES):
        together[k] = NONE
    for k in range(MOST_CLASSES):
        least[k] = NEVER
    for brother in children(tree, node):
        if brother == child:
            continue
        own = tree.level[brother]
        value = min(value, tree.value[brother])
        level = own if is_worse(np.int32(level), np.int32(own), our_turn) else level
        if tree.count[brother] > 0:
            its = tree.needed[brother]
            for k in range(MOST_CLASSES):
                more = its[k] if is_worse(np.int32(k), np.int32(own), our_turn) else NONE
                together[k] = min(np.int32(together[k] + more), NEVER)
                least[k] = min(least[k], its[k])
        else:
            one = leaf_number(tree, brother)
            leaf_least = min(leaf_least, one)
            for k in range(MOST_CLASSES):
                more = one if is_worse(np.int32(k), np.int32(own), our_turn) else NONE
                together[k] = min(np.int32(together[k] + more), NEVER)
    for k in range(MOST_CLASSES):
        least[k] = min(least[k], leaf_least)
    tree.brothers_value[place], tree.brothers_level[place] = value, level


def renew_above(tree):
    """Renew the numbers above the place where the search is at work."""
    at = tree.register[0]
    while at.node > 0:
        child, at.node = at.node, tree.parent[at.node]
        renew_numbers(tree, at.node, child)


def count_anew(search, tree):
    """The classes have changed: work out the class of every node, and all numbers, from the leaves up."""
    forget_brothers(tree)
    for node in range(tree.size[0] - 1, -1, -1):
        if tree.count[node] > 0:
            renew_numbers(tree, node, tree.first[node])
        else:
            set_class(search, tree, node)


def in_line(rows: int, cells: int) -> np.ndarray:
    """Numbers in memory that begins where a line of the processor's cache does: several are read and written at once,
    which takes twice as long across two lines."""
    memory = np.zeros(rows * cells + LINE, np.int32)
    start = -memory.ctypes.data % LINE // memory.itemsize
    return memory[start : start + rows * cells].reshape(rows, cells)
