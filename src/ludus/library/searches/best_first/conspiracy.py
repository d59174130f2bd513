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
game, those between lie `grain` apart around the root's value, and what is beyond the ends counts as the last of them.
Whenever the tree has grown by a quarter, the root's value is looked at: if it has left the middle half of the classes,
they are centred on it anew. Numbers are exact if the values are multiples of `grain`, and not too many. The move with
the best value is played; of equals the one that most leaves must change for to lose its class.

An expansion changes numbers far up the tree, but seldom what is attacked, and the next leaf is mostly near. So numbers
are renewed from the expanded leaf upward only as far as they may change a choice; what is above is renewed when the
search leaves that place, or pauses. (The numbers themselves are in `conspiracy_numbers.py`.)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ludus.kernel.columns import number
from ludus.kernel.limits import RUNNING, STOP_SOLVED, STOP_SURE, TRAVERSED
from ludus.kernel.tree import children
from ludus.library.searches.best_first.conspiracy_numbers import (
    KEPT,
    MOST_CLASSES,
    NEVER,
    check_center,
    forget_brothers,
    in_line,
    number_of,
    ours,
    renew_above,
    renew_numbers,
    set_class,
    set_classes,
)
from ludus.library.searches.best_first.driver import BestFirst
from ludus.model.evaluator import WIN

NO_CLASS, ENOUGH = -1, -2
"""Instead of a class to attack: there is none that any leaves could bring about; the value is stable."""

WATCHED = 6
"""The numbers of the root on which the choice of the class to attack depends."""
GOAL, OTHER, TIE, MIDDLE, BEYOND_GOAL, BEYOND_OTHER = range(WATCHED)


class Conspiracy(BestFirst):
    """Conspiracy numbers: expand where the fewest leaves could change the root's value (McAllester 1988)."""

    name = "conspiracy"
    contender = True
    variants = ("threshold=3, width=2, classes=9", "grain=0.5")
    registers = {
        "node": "i8",  # where the next descent starts: all above it is as it was
        "goal": "i8",  # the class that is attacked
        "threshold": "i8",  # this many conspirators are too many
        "center": "f8",  # the value in the middle of the classes
        "check_at": "i8",  # the size of the tree at which the root's value is looked at, whether it is still there
        "grain": "f8",  # how far they are apart
    }
    columns = {
        "level": number(0, "i1"),  # the class of the node's value, to the player at the root
        "needed": number(0, f"({MOST_CLASSES},)i4"),  # of an opened node: the conspiracy number of each class
    }

    def __init__(self, threshold: int = 0, width: float = 0.0, classes: int = 16, grain: float = 0.0) -> None:
        """
        threshold: this many leaves are believed not to change together; 0: always one more
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
            forget_brothers(tree)
        for child in children(tree, leaf):
            set_class(self, tree, child)
        renew_numbers(tree, leaf, tree.first[leaf])
        node, changed = leaf, True
        while changed and node > 0 and not choices_stay(tree, node):
            child, node = node, tree.parent[node]
            changed = renew_numbers(tree, node, child)
        tree.register[0].node = node
        if tree.size[0] >= tree.register[0].check_at:
            game.meter[TRAVERSED] += check_center(self, tree)
        return RUNNING

    def settle(self, tree):
        renew_above(tree)

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        return {
            "watched": np.zeros(WATCHED, np.int64),
            "upward": np.zeros(WATCHED, np.bool_),
            "bound_of": np.zeros(KEPT, np.int64),
            "bound": np.zeros((KEPT, WATCHED), np.int64),
            "brothers_of": np.zeros(KEPT, np.int64),
            "brothers_value": np.zeros(KEPT),
            "brothers_level": np.zeros(KEPT, np.int64),
            "together": in_line(KEPT, MOST_CLASSES),
            "least": in_line(KEPT, MOST_CLASSES),
        }

    def choice(self, tree):
        """The best value; of equals the one that is hardest to bring down."""

        def merit(child: int) -> tuple[float, int]:
            level = int(tree.level[child])
            return -float(tree.value[child]), int(number_of(tree, child, level - 1) if level else NEVER)

        return max(range(int(tree.first[0]), int(tree.first[0] + tree.count[0])), key=merit)

    def statistics(self, tree):
        """The values that the root can reach, and how many conspirators that takes."""
        at, level, needed = tree.register[0], int(tree.level[0]), tree.needed[0]
        own = {"threshold": int(at.threshold), "grain": float(at.grain)}
        for words, other in (("to fall", level - 1), ("to rise", level + 1)):
            if 0 <= other < self.classes:
                own[words] = np.inf if needed[other] >= NEVER else int(needed[other])
        return own

    def knowledge(self, tree, node):
        """Of the root's moves: how many leaves must change for it to be worth less or more than the position."""
        known = super().knowledge(tree, node)
        if int(tree.parent[node]) != 0:
            return known
        level, own = int(tree.level[0]), int(tree.level[node])
        fall = 0 if own < level else NEVER if level == 0 else int(number_of(tree, node, level - 1))
        rise = NEVER if level == self.classes - 1 else int(number_of(tree, node, level + 1))
        more = {"to_fall": np.inf if fall >= NEVER else fall, "to_rise": np.inf if rise >= NEVER else rise}
        return replace(known, more=more)


# What to expand.


def class_to_attack(search, tree):
    """V_max or V_min of the root, whichever is farther from its value; where as far, the one that fewer bring about."""
    at = tree.register[0]
    level: Any = np.int64(tree.level[0])
    while True:
        highest, lowest, least, greatest = level, level, NEVER, 0
        for k in range(search.classes):
            needed = tree.needed[0, k]
            if needed < at.threshold:
                highest, lowest = max(highest, k), min(lowest, k)
            if k != level:
                least = min(least, needed)
            if needed < NEVER:
                greatest = max(greatest, needed)
        if least >= NEVER:
            return NO_CLASS
        if highest > lowest and (highest - lowest) * at.grain > search.width:
            break
        if search.threshold > 0 or at.threshold > greatest:  # or no threshold takes in more classes
            return ENOUGH
        at.threshold = max(at.threshold, least) + 1
    up, down = highest - level, level - lowest
    fewer = tree.needed[0, highest] <= tree.needed[0, lowest]
    goal, other = (highest, lowest) if up > down or (up == down and fewer) else (lowest, highest)
    watch(search, tree, goal, other)
    return goal


def conspirator(tree, node, goal):
    """A child on the way to a leaf of the smallest conspiracy for class `goal`: the one that needs fewest leaves."""
    best, least, next_least, rising = tree.first[node], NEVER, NEVER, goal > tree.level[0]
    for child in children(tree, node):
        if not is_there(tree, child, goal, rising):
            needed = number_of(tree, child, goal)
            if needed < least:
                best, least, next_least = child, needed, least - 1  # the first of equals
            else:
                next_least = min(next_least, needed)
    set_bounds(tree, node, best)
    own = tree.bound[tree.depth[best] % KEPT]
    own[GOAL] = max(own[GOAL], -next_least)
    return best


def is_there(tree, node, k, upward):
    """Whether a node has come to class k, or farther, in that direction."""
    return tree.level[node] >= k if upward else tree.level[node] <= k


# How far a change matters.


def watch(search, tree, goal, other):
    """The class to attack stays the same as long as some numbers of the root keep within bounds.

    The goal is one of V_max and V_min: it needs fewer conspirators than the threshold, the next class beyond it does
    not. If the class beyond the other one does not either, the goal is the farther one until the root's value comes to
    the middle between them; if they are as far now, until the other needs fewer. How far the other one is also matters
    to `width`.
    """
    at, level, needed = tree.register[0], np.int64(tree.level[0]), tree.needed[0]
    most, step = at.threshold - 1, 1 if goal > level else -1
    as_far = abs(goal - level) == abs(other - level)
    middle = level + step * max((abs(goal - level) - abs(other - level) + 1) // 2, 1)
    tree.bound_of[0] = 0
    set_watch(search, tree, GOAL, goal, step, -(needed[goal] if as_far else most))
    set_watch(search, tree, OTHER, other, -step, -most if search.width > 0.0 else -NEVER)
    set_watch(search, tree, TIE, other, -step, needed[goal] + (goal < other) if as_far else -NEVER)
    set_watch(search, tree, MIDDLE, middle, step, 1)
    set_watch(search, tree, BEYOND_GOAL, goal + step, step, at.threshold)
    set_watch(search, tree, BEYOND_OTHER, other - step, -step, at.threshold)


def set_watch(search, tree, i, k, step, bound):
    """The number of class k, in that direction, must not be below `bound` at the root, if there is such a class."""
    is_class = 0 <= k < search.classes
    tree.watched[i], tree.upward[i] = k if is_class else 0, step > 0
    tree.bound[0, i] = bound if is_class else -NEVER


def watched_number(tree, node, i):
    """A number on which a choice may depend; 0 at a node that is there. Two must not grow: these are below 0."""
    k = tree.watched[i]
    needed = 0 if is_there(tree, node, k, tree.upward[i]) else np.int64(number_of(tree, node, k))
    return -needed if i <= OTHER else needed


def set_bounds(tree, node, child):
    """The same for a child, from the bounds of its parent; they are kept for as many nodes of the way as there is room.

    The parent's number is the least of the children's where one suffices, else their sum: it changes in the same
    direction, and by no more. So a child may change by what the parent may; where one suffices it only must not fall
    below the parent's bound itself.
    """
    our_turn, place = ours(tree, node), tree.depth[node] % KEPT
    bounds, own = tree.bound[place], tree.bound[(place + 1) % KEPT]
    tree.bound_of[(place + 1) % KEPT] = child if tree.bound_of[place] == node else -1
    for i in range(WATCHED):
        bound, suffices = bounds[i], tree.upward[i] == our_turn
        if i <= OTHER or not suffices:
            bound = max(bound + watched_number(tree, child, i) - watched_number(tree, node, i), -NEVER)
        own[i] = bound


def choices_stay(tree, node):
    """Whether, as far as the numbers of `node` are concerned, all choices above it are as they were."""
    place = tree.depth[node] % KEPT
    if tree.bound_of[place] != node:
        return False
    for i in range(WATCHED):
        if watched_number(tree, node, i) < tree.bound[place, i]:
            return False
    return not is_there(tree, node, tree.watched[GOAL], tree.upward[GOAL])
