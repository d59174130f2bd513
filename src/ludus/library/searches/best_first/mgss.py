"""MGSS* (Russell & Wefald 1989): a search step is a decision, so take the one that is expected to gain most.

An expansion is worth something only if it changes the move: if it makes a rival look better than the best move, or the
best move worse than the second best. From how much a static value typically changes when one looks a ply deeper (the
evaluator's error model) follows how much better the new choice is expected to be: the *gain* of a leaf (equations 13
and 14 of the paper). The leaf of greatest gain is expanded, until that is less than the cost of the time it takes.

The gain is that of a *single step*, as if it were the last. Most leaves have none: one alone can change nothing as
soon as the player below has a second move that is about as good. So the tree soon stops growing, however cheap time is.
`unit` chooses other steps, which the paper names and does not define. `mgss_gains.py` says how the leaf is found.

Chance may have a part in the game: a leaf below an outcome changes the value of the move by the outcome's probability
times its own change. What was fitted is the error of positions in which a player moves; a leaf in which chance decides
is taken to have the spread of its bucket, and no mean error, since nobody moves there. Sets of leaves know no chance.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from ludus.kernel.columns import integer, number, row
from ludus.kernel.columns import node as node_index
from ludus.kernel.limits import EXPANDED, PAUSED, RUNNING, SHARE, STOP_EXHAUSTED, STOP_SURE, TRAVERSED, part_spent
from ludus.kernel.rules import chance, load, phase
from ludus.kernel.tree import children, expand
from ludus.library.searches.best_first.driver import report
from ludus.library.searches.best_first.mgss_chance import GainsWithChance
from ludus.library.searches.best_first.mgss_gains import (
    CELLS,
    begin_walk,
    promise_of_leaf,
    renew_promise,
    renew_value,
    unsee,
    walk,
)
from ludus.library.searches.best_first.mgss_sets import CELLS_OF_SETS, forget_sets, merit
from ludus.library.searches.best_first.mgss_stand import back_up_sets, begin_sets, best_set, leaf_of_set, leave_stand
from ludus.library.searches.best_first.mgss_steps import expand_until_settled, next_above_horizon, next_of_subtree
from ludus.library.searches.best_first.outcomes import begin_outcomes, has_chance
from ludus.model.calibration import bucket, error_mean, error_sd

LEAF, SUCCESSOR, SUBTREE, SETS = 0, 1, 2, 3
UNITS = ("leaf", "successor", "subtree", "sets")


class MetaGreedySingleStep(GainsWithChance):
    """MGSS*: expand the leaf from which the decision is expected to gain most (Russell & Wefald 1989)."""

    name = "mgss"
    contender = "unit=sets"
    variants = ("unit=successor, cost=0.5", "unit=subtree, horizon=2", "unit=sets")
    spread = 4.0
    registers = {
        "walking": "i8",  # whether the leaf of greatest gain is being looked for,
        "walk": "i8",  # at which node,
        "top": "i8",  # and below which child of the root
        "looks": "i8",  # how many children were looked at since the meter was told
        "found": "i8",  # the leaf of greatest gain so far,
        "gain": "f8",  # that gain,
        "below": "i8",  # the child of the root that it lies below,
        "delta": "f8",  # its delta,
        "goal": "f8",  # and above which value it must rise
        "parity": "i8",  # on which side that is,
        "place": "i8",  # and where sets for that goal are kept: see `mgss_sets.py`
        "lead": "i8",  # the root's best child,
        "fall": "f8",  # its goal,
        "rise": "f8",  # and the goal of all others when the last set was chosen
        "held": "i8",  # whether it is known how far the sets on the way to `found` may change,
        "stand": "i8",  # the node that the last change went up to; 0: nothing was put off
        "dear": "f8",  # up to which cost that holds
        "error": "f8",  # the standard deviation of the static values of the root's moves, on average
        "cost": "f8",  # of the time that an expansion takes
        "shallow": "i8",  # all nodes before this one that are above the horizon have been expanded
        "inside": "i8",  # the next leaf of the subtree that is being expanded, and where it ends
        "end": "i8",
        "report": "i8",  # whether the gains are to be worked out for people
    }
    columns = {
        "best": node_index(),  # the child that is best for the player to move,
        "second": number(np.inf),  # and the value of the next best one, to the opponent
        "promise": row(2 * CELLS),  # see `mgss_gains.py`: of each side
        "sets": row(CELLS_OF_SETS),  # see `mgss_sets.py`
        "bucket": integer(),  # of a leaf, in the error model
        "fall": number(),  # by how much the merit of a node's set may fall, see `mgss_stand.py`,
        "rise": number(),  # and its probability rise
        "least": number(),  # the merit that a node's set must have to be of interest, while it is looked for
        "known": integer(),  # which of its sets still hold, a bit for each
        "gain": number(),  # of a leaf at the last look, or a bound for those below
        "greatest": number(),  # of a move of the root, for people: the greatest gain below it
        "cap": number(np.inf),  # the lowest delta on the way down to a free node
        "seen": number(),  # the most that a leaf below a narrow node could gain,
        "seen_goal": number(),  # when this was the goal
        "seen_cap": number(-np.inf),  # and this the lowest delta above
    }

    def __init__(
        self, unit: Literal["leaf", "successor", "subtree", "sets"] = "leaf", cost: float = 0.1, horizon: int = 0
    ) -> None:
        """
        unit: what one step of computation is
        cost: of a budget for a game, what it costs to use up all that one move may take, in standard errors
        horizon: expand all nodes above this depth first
        """
        if cost < 0:
            raise ValueError("cost must be 0 (time is free) or above")
        if horizon < 0:
            raise ValueError("horizon must be 0 (none) or above")
        self.unit, self.cost, self.horizon = UNITS.index(unit), cost, horizon
        self.handles_chance, self.interleaved = unit != "sets", unit == "sets"

    @property
    def needs(self) -> tuple[str, ...]:
        return ("error",)

    def begin(self, game, tree):
        if tree.register[0].report:
            report_gains(self, tree)
            return STOP_EXHAUSTED
        return RUNNING

    def select(self, game, tree):
        at = tree.register[0]
        leaf = next_above_horizon(self, tree)
        if leaf == 0:
            leaf = next_of_subtree(tree)
        if leaf > 0:
            return leaf
        if at.stand > 0 and at.cost <= at.dear:
            at.found = leaf_of_set(tree, at.stand)
            game.meter[TRAVERSED] += at.looks
            at.looks = 0
            return at.found
        if not at.walking:
            at.walking = 1
            if self.unit == SETS:
                begin_sets(tree)
            else:
                begin_walk(self, tree, tree.first[0], tree.first[0] + tree.count[0])
        done = best_set(tree) if self.unit == SETS else walk(self, tree)
        game.meter[TRAVERSED] += at.looks
        at.looks = 0
        if not done:
            return np.int64(-PAUSED)
        at.walking = 0
        if at.found == 0 or at.gain < at.cost:
            return np.int64(-STOP_SURE)
        return at.found

    def open_leaf(self, game, evaluator, tree, leaf):
        if self.unit == SUCCESSOR and leaf > 0 and tree.depth[leaf] >= self.horizon:
            return expand_until_settled(self, game, evaluator, tree, leaf)
        return expand(game, evaluator, tree, leaf)

    def back_up(self, game, tree, limits, leaf):
        at = tree.register[0]
        begin_outcomes(self, game, tree, leaf)
        for child in children(tree, leaf):
            line = bucket_of(game, tree, child)
            mean, spread = replacement(self, game, tree, child, line)
            if self.unit == SETS:
                tree.bucket[child] = line
                forget_sets(tree, child)
            else:
                promise_of_leaf(self, tree, child, mean, spread)
                unsee(tree, child)
            if leaf == 0:
                at.error += spread / tree.count[0]
        if self.unit == SUBTREE and tree.depth[leaf] >= self.horizon and leaf > 0 and at.inside == at.end:
            at.inside, at.end = tree.first[leaf], tree.first[leaf] + tree.count[leaf]
        if self.unit == SETS:
            back_up_sets(self, game, tree, leaf)
        else:
            back_up_promises(self, game, tree, leaf)
        at.cost = cost_of_expansion(self, game, tree, limits)
        return RUNNING

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        known = evaluator.calibration
        spreads = [error_sd(known, line) for line in range(len(known.error))]
        return {"calibration": known, "log_sd": np.array([math.log(sd) if sd > 0.0 else -np.inf for sd in spreads])}

    def unused_columns(self, game):
        own = ("promise", "gain", "cap", "seen", "seen_goal", "seen_cap")
        if self.unit != SETS:
            own = ("sets", "bucket", "known", "fall", "rise", "least")
        return (*super().unused_columns(game), *own)

    def conclude(self, session):
        report(session)

    def knowledge(self, tree, node):
        known = super().knowledge(tree, node)
        if int(tree.parent[node]) != 0:
            return known
        return replace(known, more={"gain": float(tree.greatest[node])})


def bucket_of(game, tree, leaf):
    """The bucket of the error model that a leaf falls in."""
    if tree.count[leaf] == 0:
        return 0
    parent = tree.parent[leaf]
    earlier = tree.count[tree.parent[parent]] if parent > 0 else -1
    return bucket(tree.calibration, phase(game, load(tree.state, leaf)), tree.count[parent], earlier, tree.value[leaf])


def replacement(search, game, tree, leaf, line):
    """Mean and standard deviation of what the value of a leaf in this bucket will be after the next step."""
    mean, spread = error_mean(tree.calibration, line), error_sd(tree.calibration, line)
    if tree.count[leaf] == 0:
        return tree.value[leaf], 0.0
    if search.unit == SUBTREE:  # two plies: the mean errors cancel, the variances add up
        return tree.value[leaf], math.sqrt(2.0) * spread
    if has_chance(search, tree) and chance(game, load(tree.state, leaf), game.probabilities) > 0:
        return tree.value[leaf], spread
    return tree.value[leaf] + mean, spread


def back_up_promises(search, game, tree, leaf):
    """Values and promises from a leaf upward."""
    node, changed = leaf if tree.count[leaf] > 0 else tree.parent[leaf], True
    while node >= 0 and changed:
        game.meter[TRAVERSED] += tree.count[node]
        changed = renew_value(search, tree, node)
        changed = renew_promise(search, tree, node) or changed
        node = tree.parent[node]
    node = leaf
    while node >= 0:
        unsee(tree, node)
        node = tree.parent[node]


def cost_of_expansion(search, game, tree, limits):
    """In inverse proportion to the number of expansions that this move may still take. Time that nobody else could use,
    of a budget for one move or in the last move of a game, is free."""
    if limits[SHARE] >= 1000:
        return 0.0
    part = min(part_spent(game.meter, limits), 1.0)
    left = game.meter[EXPANDED] * (1.0 - part) / part if part > 0.0 else np.inf
    return search.cost * tree.register[0].error / left if left > 0.0 else np.inf


# What is shown.


def report_gains(search, tree):
    """The greatest gain below each child of the root. The search goes on as if nobody had asked."""
    at = tree.register[0]
    leave_stand(tree)
    gain, found, below, delta, goal = at.gain, at.found, at.below, at.delta, at.goal
    for top in range(tree.first[0], tree.first[0] + max(tree.count[0], 0)):
        if search.unit == SETS:
            at.walk = 0
            tree.greatest[top] = math.exp(merit(tree, top))
        else:
            begin_walk(search, tree, top, top + 1)
            while not walk(search, tree):
                pass
            tree.greatest[top] = at.gain
    at.gain, at.found, at.below, at.delta, at.goal = gain, found, below, delta, goal
    at.looks = at.walking = 0  # what was interrupted begins again
