"""Conspiracy-number search (McAllester 1985, 1988; Schaeffer 1990): make the root's value hard to change.

The *conspiracy number* of a value v at a node is the least number of leaves that must change for the node to have the
value v: its *conspirators*. Where one child suffices to bring a change about, it is the least of the children's
numbers; where all must change, the sum over those that have not changed yet. To rise, a node of the player who moves
at the root needs one child, to fall all of them; a node of the opponent the other way round. A leaf is its own
conspirator; a finished game never changes.

The values that the root can reach with fewer than `threshold` conspirators lie between V_min and V_max. The one
farther from the root's value is attacked: a leaf of its smallest conspiracy is expanded. Either the value comes true,
or it needs more conspirators afterwards. When V_min and V_max are no more than `width` apart, the value is stable: the
search is sure. With `threshold=0` it is never content: it begins with 2, and each time asks for one conspirator more,
until no leaves can bring about another class. Then it is sure too or, if that is a won or a lost game, it is solved.

A value is one of `classes` (a vector of numbers a node must be short): the first is a lost game, the last one a won
game, those between lie `grain` apart around the root's first value, and what is beyond the ends counts as the last of
them. Numbers are exact if the values are multiples of `grain`, and not too many. Played is the move of the highest
class, of equals the one that most leaves must change for to lose its class.

The numbers are renewed from the expanded leaf upward as far as they change.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludus.core.budget import RUNNING, STOP_SOLVED, STOP_SURE, TRAVERSED
from ludus.core.columns import number, whole
from ludus.core.evaluator import WIN
from ludus.core.tree import UNOPENED, best_child
from ludus.searches.best_first.driver import BestFirst

MOST_CLASSES = 32
NEVER = 1 << 29
"""The conspiracy number of what no leaves can bring about."""
FIRST_THRESHOLD = 2


class Conspiracy(BestFirst):
    """Conspiracy numbers: expand where the fewest leaves could change the root's value (McAllester 1988)."""

    name = "conspiracy"
    contender = True
    variants = ("threshold=3, width=2, classes=9", "grain=0.5")
    registers = {
        "node": "i8",  # where the next descent starts: all above it is as it was
        "goal": "i8",  # the class that is attacked
        "was_level": "i8",  # the class that the node had whose parent is renewed next
        "threshold": "i8",  # so many conspirators are too many
        "center": "f8",  # the value in the middle of the classes
        "grain": "f8",  # how far they are apart
    }
    columns = {
        "level": whole(),  # the class of the node's value, to the player at the root
        "needed": number(0, f"({MOST_CLASSES},)i4"),  # the conspiracy number of each class
    }

    def __init__(self, threshold: int = 0, width: float = 0.0, classes: int = 16, grain: float = 0.0) -> None:
        """
        threshold: so many leaves are believed not to change together; 0: always one more
        width: stop when the values that fewer can bring about are no farther apart, in the evaluator's units
        classes: how many values are told apart
        grain: how far apart; 0: half the standard deviation of the static values of the root's moves
        """
        if threshold < 0 or threshold == 1:
            raise ValueError("threshold must be 2 or more, or 0 (always one more)")
        if width < 0 or grain < 0:
            raise ValueError("width and grain must be 0 or above")
        if not 5 <= classes <= MOST_CLASSES:
            raise ValueError(f"classes must be from 5 to {MOST_CLASSES}")
        self.threshold, self.width, self.classes, self.grain = threshold, float(width), classes, float(grain)
        self.looks_ahead = threshold == 0  # or it may be content with what it sees at once

    def select(self, game, tree):
        at = tree.register[0]
        if at.node == 0:
            at.goal = class_to_attack(self, tree)
            if at.goal < 0:
                return np.int64(-STOP_SOLVED if at.goal == NO_CLASS and abs(tree.value[0]) >= WIN else -STOP_SURE)
        node = at.node
        while tree.count[node] > 0:
            node = conspirator(tree, node, at.goal)
        return node

    def back_up(self, game, tree, limits, leaf):
        game.meter[TRAVERSED] += 2 * tree.path[leaf] + tree.count[leaf]  # a descent to the leaf, and the way back
        if leaf == 0:
            set_classes(self, tree)
        for child in range(tree.first[leaf], tree.first[leaf] + tree.count[leaf]):
            begin_numbers(self, tree, child)
        for k in range(self.classes):
            tree.was[k] = tree.needed[leaf, k]
        tree.register[0].was_level = tree.level[leaf]
        renew_numbers(self, tree, leaf)
        node = leaf
        while node > 0:
            child, node = node, tree.parent[node]
            if not renew_after(self, tree, node, child):
                break
        tree.register[0].node = node
        return RUNNING

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        return {"was": np.zeros(MOST_CLASSES, np.int32)}

    def choice(self, tree):
        """The highest class; of equals the one that is hardest to bring down, then the best value."""

        def merit(child: int) -> tuple[int, int, float]:
            level = int(tree.level[child])
            return level, int(tree.needed[child][level - 1]) if level else NEVER, -float(tree.value[child])

        return max(range(int(tree.first[0]), int(tree.first[0] + tree.count[0])), key=merit)

    def statistics(self, tree):
        """The values that the root can reach, and how many conspirators that takes."""
        at, level, needed = tree.register[0], int(tree.level[0]), tree.needed[0]
        own = {"threshold": int(at.threshold), "grain": float(f"{at.grain:.4g}")}
        for words, other in (("to fall", level - 1), ("to rise", level + 1)):
            if 0 <= other < self.classes:
                own[words] = "never" if needed[other] >= NEVER else int(needed[other])
        return own

    def knowledge(self, tree, node):
        """Of the root's moves: how many leaves must change for it to be worth less or more than the position."""
        known = super().knowledge(tree, node)
        if int(tree.parent[node]) != 0:
            return known
        level, needed, own = int(tree.level[0]), tree.needed[node], int(tree.level[node])
        fall = 0 if own < level else NEVER if level == 0 else int(needed[level - 1])
        rise = NEVER if level == self.classes - 1 else int(needed[level + 1])
        more = {"to_fall": np.inf if fall >= NEVER else fall, "to_rise": np.inf if rise >= NEVER else rise}
        return replace(known, more=more)


# Classes of values.

NO_CLASS, ENOUGH = -1, -2
"""Instead of a class to attack: there is none that any leaves could bring about; the value is stable."""


def set_classes(search, tree):
    """The root has been expanded: its value is in the middle, and its moves tell how far values are apart."""
    at = tree.register[0]
    at.threshold = max(search.threshold, FIRST_THRESHOLD)
    at.center = -tree.value[best_child(tree, 0)]
    n, total, squares = 0, 0.0, 0.0
    for child in range(tree.first[0], tree.first[0] + tree.count[0]):
        if tree.count[child] == UNOPENED:
            n += 1
            total += tree.value[child]
            squares += tree.value[child] ** 2
    if abs(at.center) >= WIN:
        at.center = 0.0
    variance = squares / n - (total / n) ** 2 if n > 0 else 0.0
    at.grain = search.grain if search.grain > 0.0 else np.sqrt(variance) / 2 if variance > 0.0 else 1.0


def class_of(search, tree, value):
    """The class of a value to the player at the root."""
    at, last = tree.register[0], search.classes - 1
    if abs(value) >= WIN:
        return np.int64(last) if value > 0 else np.int64(0)
    steps = min(max((value - at.center) / at.grain, -64.0), 64.0)
    return min(max(np.int64(np.floor(steps + 0.5)) + search.classes // 2, 1), last - 1)


# Conspiracy numbers.


def ours(tree, node):
    """Whether the player who moves at the root moves at `node`."""
    return tree.depth[node] % 2 == 0


def begin_numbers(search, tree, leaf):
    """A leaf needs itself for any other value, a finished game can have none."""
    value = tree.value[leaf] if ours(tree, leaf) else -tree.value[leaf]
    tree.level[leaf] = class_of(search, tree, value)
    for k in range(search.classes):
        tree.needed[leaf, k] = 1 if tree.count[leaf] == UNOPENED else NEVER
    tree.needed[leaf, tree.level[leaf]] = 0


def best_of(tree, node):
    """The value of an opened node to the player who moves there, and the class of that value."""
    first, rises = tree.first[node], ours(tree, node)
    value, level = tree.value[first], tree.level[first]
    for child in range(first + 1, first + tree.count[node]):
        value = min(value, tree.value[child])
        level = max(level, tree.level[child]) if rises else min(level, tree.level[child])
    return -value, level


def is_worse(k, level, turn):
    """Whether class k is worse than `level` for the player at a node; `turn` is 1 at our nodes, -1 at the opponent's.

    A child of a better class must change for the node to be as bad.
    """
    return turn * (level - k) > 0


def renew_numbers(search, tree, node):
    """The value of an opened node and the conspiracy numbers of all classes, from those of all its children.

    One child suffices for a class that is better for the player who moves here; for a worse one all children must
    change that are better than it.
    """
    value, level = best_of(tree, node)
    tree.value[node], tree.level[node] = value, level
    turn, numbers = 1 if ours(tree, node) else -1, tree.needed[node]
    for k in range(search.classes):
        numbers[k] = 0 if is_worse(k, level, turn) else NEVER
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        own, its = tree.level[child], tree.needed[child]
        for k in range(search.classes):
            added = min(numbers[k] + (its[k] if is_worse(k, own, turn) else 0), NEVER)
            numbers[k] = added if is_worse(k, level, turn) else min(numbers[k], its[k])
    numbers[level] = 0


def renew_after(search, tree, node, child):
    """The same for the parent of a child that has changed, whose numbers were `tree.was`; whether anything is new.

    Its brothers are looked at only where its number was the least and has grown, and when the parent's class is
    another one. What was impossible stays so. Afterwards `was` is what the numbers of `node` were. (The loop has no
    branches, so that the processor can take several classes at a time.)
    """
    at, was, numbers, its = tree.register[0], tree.was, tree.needed[node], tree.needed[child]
    value, level = best_of(tree, node)
    changed = value != tree.value[node] or level != tree.level[node]
    own_before, at.was_level = at.was_level, tree.level[node]
    if level != tree.level[node]:
        for k in range(search.classes):
            was[k] = numbers[k]
        renew_numbers(search, tree, node)
        return True
    tree.value[node] = value
    turn, own, grown = 1 if ours(tree, node) else -1, tree.level[child], False
    for k in range(search.classes):
        before, one = numbers[k], its[k]
        added = one if is_worse(k, own, turn) else 0
        gone = was[k] if is_worse(k, own_before, turn) else 0
        together = before if before >= NEVER else min(before + added - gone, NEVER)
        least = before if k == level else min(one, before)
        now = together if is_worse(k, level, turn) else least
        grown |= is_worse(level, k, turn) and was[k] == before and one > before
        changed |= now != before
        numbers[k], was[k] = now, before
    if grown:
        for k in range(search.classes):
            if is_worse(level, k, turn) and its[k] > numbers[k]:
                numbers[k] = least_of(tree, node, k)
                changed |= numbers[k] != was[k]
    return changed


def least_of(tree, node, k):
    """The least number of a node's children for class k."""
    least = NEVER
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        least = min(least, tree.needed[child, k])
    return least


# What to expand.


def class_to_attack(search, tree):
    """V_max or V_min of the root, whichever is farther from its value; where as far, the one that fewer bring about."""
    at, level = tree.register[0], tree.level[0]
    while True:
        highest, lowest, least = level, level, NEVER
        for k in range(search.classes):
            needed = tree.needed[0, k]
            if needed < at.threshold:
                highest, lowest = max(highest, k), min(lowest, k)
            if k != level:
                least = min(least, needed)
        if least >= NEVER:
            return NO_CLASS
        if highest > lowest and (highest - lowest) * at.grain > search.width:
            break
        if search.threshold > 0:
            return ENOUGH
        at.threshold = max(at.threshold, least) + 1
    up, down = highest - level, level - lowest
    if up > down or (up == down and tree.needed[0, highest] <= tree.needed[0, lowest]):
        return highest
    return lowest


def conspirator(tree, node, goal):
    """A child on the way to a leaf of the smallest conspiracy for class `goal`: the one that needs fewest leaves."""
    rising = goal > tree.level[0]
    best, least = tree.first[node], NEVER
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        there = tree.level[child] >= goal if rising else tree.level[child] <= goal
        if not there and tree.needed[child, goal] < least:
            best, least = child, tree.needed[child, goal]
    return best
