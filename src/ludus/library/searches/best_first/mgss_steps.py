"""The other steps of `mgss`: all leaves above a horizon, those of a subtree, or the successors of a leaf one by one."""

import numpy as np

from ludus.kernel.rules import chance, load
from ludus.kernel.tree import UNOPENED, judge, open_node
from ludus.library.searches.best_first.mgss_gains import promise_of_rest, side_and_goal, turn_at
from ludus.library.searches.best_first.outcomes import has_chance


def next_above_horizon(search, tree):
    """The next leaf above the horizon, in breadth order; 0: none is left."""
    at = tree.register[0]
    while at.shallow < tree.size[0] and tree.depth[at.shallow] < search.horizon:
        if tree.count[at.shallow] == UNOPENED:
            return at.shallow
        at.shallow += 1
    return np.int64(0)


def next_of_subtree(tree):
    """The next leaf of the subtree that is being expanded; 0: it is done."""
    at = tree.register[0]
    while at.inside < at.end:
        if tree.count[at.inside] == UNOPENED:
            return at.inside
        at.inside += 1
    return np.int64(0)


def expand_until_settled(search, game, evaluator, tree, leaf):
    """Generate and evaluate successors one at a time. When the rest cannot help any more, they are all given up, and
    `leaf` stays one, with the value so far; False, and nothing done, if there is no room for them.

    The rest can only raise the value to the player to move. So if he does not want the rise, it is settled once he has
    reached the goal; if he does, once he has reached delta, beyond which it does not matter. Where chance decides, all
    are generated.
    """
    if not open_node(game, tree, leaf):
        return False
    at, state, value = tree.register[0], load(tree.state, leaf), -np.inf
    narrow = turn_at(search, tree, leaf) == side_and_goal(tree, at.below)[0]
    enough = -at.goal if narrow else at.delta
    if has_chance(search, tree) and chance(game, state, game.probabilities) > 0:
        enough = np.inf
    first, end = tree.first[leaf], tree.first[leaf] + tree.count[leaf]
    for child in range(first, end):
        judge(game, evaluator, tree, state, child)
        value = max(value, -tree.value[child])
        if value >= enough and child + 1 < end:
            tree.size[0], tree.count[leaf], tree.value[leaf] = first, UNOPENED, value
            promise_of_rest(search, tree, leaf, value)
            break
    return True
