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
from ludus.searches.best_first.conspiracy_numbers import (
    MOST_CLASSES, NEVER, number_of, ours, renew_numbers, set_class, set_classes
)
from ludus.searches.best_first.driver import BestFirst


class Conspiracy(BestFirst):
    """Conspiracy numbers: expand where the fewest leaves could change the root's value (McAllester 1988)."""

    name = "conspiracy"
    contender = True
    variants = ("threshold=3, width=2, classes=9", "grain=0.5")
    registers = {
        "node": "i8",  # where the next descent starts: all above it is as it was
        "goal": "i8",  # the class that is attacked
        "was_level": "i8",  # the class that the node had that was renewed last
        "renewed": "i8", "r1": "i8", "r2": "i8", "r3": "i8", "r4":"i8", "s1": "i8", "s2": "i8", "s3": "i8", "was_value": "f8",
        "threshold": "i8",  # so many conspirators are too many
        "center": "f8",  # the value in the middle of the classes
        "grain": "f8",  # how far they are apart
    }
    columns = {
        "level": number(0, "i1"),  # the class of the node's value, to the player at the root
        "needed": number(0, f"({MOST_CLASSES},)i4"),  # the conspiracy number of each class
        "bound": number(0, "(8,)i4"),  # as long as its number for the goal is no greater, the choices above are the same
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
        at = tree.register[0]
        game.meter[TRAVERSED] += 2 * tree.path[leaf] + tree.count[leaf]  # a descent to the leaf, and the way back
        if leaf == 0:
            set_classes(self, tree)
        for child in range(tree.first[leaf], tree.first[leaf] + tree.count[leaf]):
            set_class(self, tree, child)
        node, changed = leaf, True
        renew_numbers(tree, leaf)
        at.renewed += 1
        while changed and node > 0 and not can_wait(tree, node):
            node = tree.parent[node]
            changed = renew_numbers(tree, node)
            at.renewed += 1
        at.node = node
        return RUNNING

    def settle(self, tree):
        """Renew what is above the last place of work."""
        at = tree.register[0]
        while at.node > 0:
            at.node = tree.parent[at.node]
            renew_numbers(tree, at.node)

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        return {name: aligned(MOST_CLASSES) for name in ("together", "least", "watch")}

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


def aligned(n):
    whole = np.zeros(n + 32, np.int32)
    start = -whole.ctypes.data % 64 // 4
    return whole[start : start + n]


NO_CLASS, ENOUGH = -1, -2
"""Instead of a class to attack: there is none that any leaves could bring about; the value is stable."""


def is_there(k, level, root_level):
    """Whether a node of that class is already where the root would have to come to for class k."""
    return level >= k if k > root_level else level <= k


GOAL, OTHER, CEILINGS, WATCHED = 0, 1, 2, 7


def watched(tree, node, i):
    k = tree.watch[i]
    number = 0 if is_there(k, tree.level[node], tree.level[0]) else np.int64(number_of(tree, node, k))
    return -number if i < CEILINGS else number


def set_watch(tree, i, k, bound):
    tree.watch[i] = k
    tree.bound[0, i] = bound


def watch(search, tree, highest, lowest, goal):
    at, level, needed = tree.register[0], tree.level[0], tree.needed[0]
    other = lowest if goal == highest else highest
    is_tie, most = highest - level == level - lowest, at.threshold - 1
    set_watch(tree, GOAL, goal, -needed[goal] if is_tie else -most)
    set_watch(tree, OTHER, other, -most if other != level else -NEVER)
    set_watch(tree, 2, other, needed[goal] + (1 if goal == lowest else 0) if is_tie else -NEVER)
    set_watch(tree, 3, level - 1, 1)
    set_watch(tree, 4, level + 1, 1)
    set_watch(tree, 5, lowest - 1, at.threshold)
    set_watch(tree, 6, highest + 1, at.threshold)
    for i in range(WATCHED):
        if not 0 <= tree.watch[i] < search.classes:
            set_watch(tree, i, level, -NEVER)


def pass_bounds(tree, node, child):
    our_turn = ours(tree, node)
    for i in range(WATCHED):
        bound = np.int64(tree.bound[node, i])
        if i < CEILINGS or (tree.watch[i] > tree.level[0]) != our_turn:
            bound = max(bound + watched(tree, child, i) - watched(tree, node, i), -NEVER)
        tree.bound[child, i] = bound


def can_wait(tree, node):
    """"""
    at = tree.register[0]
    if watched(tree, node, GOAL) == 0:
        at.r1 += 1
        return False
    if watched(tree, node, GOAL) < tree.bound[node, GOAL]:
        at.r2 += 1
        return False
    for i in range(WATCHED):
        if watched(tree, node, i) < tree.bound[node, i]:
            at.r3 += 1
            return False
    at.r4 += 1
    return True


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
    is_tie, fewer = up == down, tree.needed[0, highest] <= tree.needed[0, lowest]
    goal, other = (highest, lowest) if up > down or (is_tie and fewer) else (lowest, highest)
    watch(search, tree, highest, lowest, goal)
    return goal


def conspirator(tree, node, goal):
    """A child on the way to a leaf of the smallest conspiracy for class `goal`: the one that needs fewest leaves."""
    rising = goal > tree.level[0]
    best, least, second = tree.first[node], NEVER, 2 * NEVER
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        there = tree.level[child] >= goal if rising else tree.level[child] <= goal
        number = number_of(tree, child, goal)
        if not there:
            if number < least:
                best, least, second = child, number, min(second, least - 1)
            else:
                second = min(second, number)
    pass_bounds(tree, node, best)
    tree.bound[best, GOAL] = max(tree.bound[best, GOAL], -second)
    return best
