"""B* (Berliner 1979): search until one move is proven to be the best, and no longer.

Each node has two values instead of one, to the player who moves there: an *optimistic* and a *pessimistic* one,
between which its true value lies. Backed up, the optimistic value of a node is the best that its moves promise, minus
the least of the children's pessimistic values; the pessimistic one is the best that is certain, minus the least of the
children's optimistic values. The search ends when the pessimistic value of one of the root's moves is no less than the
optimistic value of every other.

The most promising move is the one with the highest optimistic value. There are two ways to separate it from the
others. PROVEBEST expands below it, to raise its pessimistic value; DISPROVEREST expands below the best of the others,
to lower its optimistic value. Below the root's move the descent always takes the child with the highest optimistic
value to the player who moves. `choice` is how one of the two is chosen, each time anew:

- `berliner`: by the effort spent already. If the squares of the depths from which the optimistic values of the rivals
  were backed up sum to less than the square of the depth for the best move, DISPROVEREST, else PROVEBEST (our reading
  of Berliner 1979).
- `palay`: by the odds. If true values were uniformly distributed between their two values, how likely is it that the
  best move ends above the optimistic values of all others, and how likely that all others end below its pessimistic
  value? The likelier one; where neither is, by the effort (Palay 1982; computed, not drawn).

Where the two values come from is `bounds`: `calibrated`, the evaluator's interval. It holds a deeper value in nine of
ten cases, so nothing is proven by it: "sure" means that the intervals lie apart. `game`: the rules `lowest` and
`highest` of the game, which hold for certain (and no evaluator is asked). Then the move is a best one. Out of budget
nothing is shown either way: then, as always, the move with the highest middle of its interval is played.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ludus.kernel.columns import integer, number
from ludus.kernel.columns import node as node_index
from ludus.kernel.limits import RUNNING, STOP_SURE, TRAVERSED
from ludus.kernel.rules import highest, load, lowest, phase, score
from ludus.kernel.tree import children, expand, expand_unjudged
from ludus.library.searches.best_first.driver import BestFirst, follow_best
from ludus.model.calibration import interval_high, interval_low
from ludus.model.result import Known
from ludus.model.search import EVALUATOR, SCORE

PROVEBEST, DISPROVEREST, NEITHER = 0, 1, 2

ROUNDING = 1e-9
"""Odds that differ by no more than this part of them are equal: ends of narrow intervals far from 0 lose digits."""


class BStar(BestFirst):
    """B*: PROVEBEST and DISPROVEREST until the best move is separated from all others (Berliner 1979)."""

    name = "bstar"
    interleaved = True
    looks_ahead = False  # it is content when the intervals of the moves lie apart
    variants = ("choice=palay", "bounds=game")
    registers = {"node": "i8"}  # where the next descent starts: all above it is as it was
    columns = {
        "pessimistic": number(-np.inf),  # to the player to move
        "optimistic": number(np.inf),
        "best": node_index(),  # the child with the highest optimistic value to the player to move
        "pessimistic_from": integer(),  # the depth of the leaf that the value was backed up from
        "optimistic_from": integer(),
    }

    def __init__(
        self, choice: Literal["berliner", "palay"] = "berliner", bounds: Literal["calibrated", "game"] = "calibrated"
    ) -> None:
        """
        choice: which of PROVEBEST and DISPROVEREST is next: by the effort spent (`berliner`) or the odds (`palay`)
        bounds: the evaluator's interval, or what the rules of the game say for certain
        """
        self.by_odds = choice == "palay"
        self.certain = bounds == "game"
        self.value_scale = SCORE if self.certain else EVALUATOR

    @property
    def needs(self) -> tuple[str, ...]:
        return () if self.certain else ("interval",)

    def select(self, game, tree):
        node = tree.register[0].node
        if node == 0:
            node = move_to_pursue(self, tree)
            if node < 0:
                return np.int64(-STOP_SURE)
        return follow_best(tree, node)

    def open_leaf(self, game, evaluator, tree, leaf):
        if not (expand_unjudged(game, tree, leaf) if self.certain else expand(game, evaluator, tree, leaf)):
            return False
        for child in children(tree, leaf):
            state = load(tree.state, child)
            if self.certain:
                low, high = bounds_of(game, tree, child, state)
            elif tree.count[child] == 0:
                low, high = tree.value[child], tree.value[child]
            else:
                how_far = phase(game, state)
                low = interval_low(evaluator.calibration, how_far, tree.value[child])
                high = interval_high(evaluator.calibration, how_far, tree.value[child])
            tree.pessimistic[child], tree.optimistic[child] = low, high
            tree.value[child] = middle(low, high)
            tree.pessimistic_from[child] = tree.optimistic_from[child] = tree.depth[leaf] + 1
        return True

    def back_up(self, game, tree, limits, leaf):
        """Both values from the new children of `leaf` upward, as far as they change."""
        game.meter[TRAVERSED] += 2 * tree.path[leaf] + tree.count[leaf]  # a descent to the leaf, and the way back
        node = leaf
        while renew(tree, node) and node > 0:
            node = tree.parent[node]
        tree.register[0].node = node
        return RUNNING

    # What follows runs in Python only.

    def choice(self, tree):
        """The highest middle of an interval, of equals the highest pessimistic value."""

        def merit(child: int) -> tuple[float, float]:
            low, high = np.clip((-tree.optimistic[child], -tree.pessimistic[child]), -1e300, 1e300)
            return float(low / 2 + high / 2), float(low)

        return max(range(int(tree.first[0]), int(tree.first[0] + tree.count[0])), key=merit)

    def line(self, tree):
        """The chosen move, then each player's most promising one."""
        node = self.choice(tree)
        found = [int(tree.move[node])]
        while tree.count[node] > 0:
            node = int(tree.best[node])
            found.append(int(tree.move[node]))
        return found

    def knowledge(self, tree, node):
        low, high = 0.0 - float(tree.optimistic[node]), 0.0 - float(tree.pessimistic[node])
        interval = {"pessimistic": low, "optimistic": high}
        if low == high and (self.certain or int(tree.count[node]) == 0):
            return Known(low, low, high, True, interval)
        if not self.certain:
            return Known(0.0 - float(tree.value[node]), more=interval)
        if np.isfinite(low) and np.isfinite(high):
            return Known(low=low, high=high, more=interval)
        return Known(low if np.isfinite(low) else high if np.isfinite(high) else np.nan, low, high, more=interval)


# The two values.


def bounds_of(game, tree, child, state):
    """What the game says of a position for certain."""
    if tree.count[child] == 0:
        value = score(game, state)
        return value, value
    return lowest(game, state), highest(game, state)


def middle(low, high):
    """The middle of an interval; unknown if it has no end."""
    return low if low == high else (low + high) / 2 if high - low < np.inf else np.nan


def renew(tree, node):
    """The two values of an opened node, where they come from, and the most promising child; whether anything is new."""
    first = tree.first[node]
    best, sure = first, first
    for child in range(first + 1, first + tree.count[node]):
        if is_better(tree.pessimistic, tree.optimistic, child, best):
            best = child
        if tree.optimistic[child] < tree.optimistic[sure]:
            sure = child
    low, high = -tree.optimistic[sure], -tree.pessimistic[best]
    low_from, high_from = tree.optimistic_from[sure], tree.pessimistic_from[best]
    changed = low != tree.pessimistic[node] or high != tree.optimistic[node] or best != tree.best[node]
    changed = changed or low_from != tree.pessimistic_from[node] or high_from != tree.optimistic_from[node]
    tree.pessimistic[node], tree.optimistic[node], tree.best[node] = low, high, best
    tree.pessimistic_from[node], tree.optimistic_from[node] = low_from, high_from
    tree.value[node] = middle(low, high)
    return changed


def is_better(first_value, then_value, child, other):
    """Whether the move to `child` promises more: by the one value or, where they are equal, by the other."""
    return first_value[child] < first_value[other] or (
        first_value[child] == first_value[other] and then_value[child] < then_value[other]
    )


# The root. Its moves are seen by the player who moves there.


def promise(tree, child):
    """The optimistic value of a root's move."""
    return -tree.pessimistic[child]


def guarantee(tree, child):
    """The pessimistic value of a root's move."""
    return -tree.optimistic[child]


def is_rival(tree, child, best):
    """Whether a move may still be better than the most promising one."""
    return child != best and promise(tree, child) > guarantee(tree, best)


def move_to_pursue(search, tree):
    """The root's child below which the next leaf is expanded; -1 if the best move has no rival."""
    best, second = tree.best[0], np.int64(-1)
    rivals = False
    for child in children(tree, 0):
        if is_rival(tree, child, best):
            rivals = True
            open_ended = guarantee(tree, child) < promise(tree, child)
            if open_ended and (second < 0 or is_better(tree.pessimistic, tree.optimistic, child, second)):
                second = child
    if not rivals:
        return np.int64(-1)
    if second < 0:  # what the rivals are worth is known exactly
        return best
    strategy = likelier(tree, best) if search.by_odds else NEITHER
    if strategy == NEITHER:
        strategy = less_explored(tree, best)
    return best if strategy == PROVEBEST else second


def less_explored(tree, best):
    """Berliner's choice, by the depths from which optimistic values were backed up."""
    squares = 0
    for child in children(tree, 0):
        if is_rival(tree, child, best):
            squares += tree.pessimistic_from[child] ** 2
    return DISPROVEREST if squares < tree.pessimistic_from[best] ** 2 else PROVEBEST


def likelier(tree, best):
    """Palay's choice: which of the two would succeed if true values were uniformly distributed in their intervals?"""
    above, below = -np.inf, 1.0
    for child in children(tree, 0):
        if is_rival(tree, child, best):
            above = max(above, promise(tree, child))
            below *= share_below(guarantee(tree, child), promise(tree, child), guarantee(tree, best))
    proves = share_above(guarantee(tree, best), promise(tree, best), above)
    if abs(proves - below) <= ROUNDING * max(proves, below):
        return NEITHER
    return PROVEBEST if proves > below else DISPROVEREST


def share_above(low, high, x):
    """The part of the interval from `low` to `high` that lies above x; a half where it has no end."""
    if x <= low:
        return 1.0
    if x >= high:
        return 0.0
    return (high - x) / (high - low) if high - low < np.inf else 0.5


def share_below(low, high, x):
    """The part that lies below x."""
    return share_above(-high, -low, -x) if x > low else 0.0
