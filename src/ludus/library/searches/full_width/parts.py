"""The parts of the full-width driver: what a search may do in its own way, as a method of the same name.

What stands here is what a search does that replaces nothing: plain minimax. How parts are replaced is told in
`ludus.kernel.parts`; one more, about chance, is in `outcomes.py`.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.limits import STOP_SOLVED
from ludus.kernel.parts import part
from ludus.library.searches.full_width.order import as_listed


@part
def arrange(search, game, evaluator, tree, node):
    """Decide in which order the children of `node` are tried, and say so with `as_listed` or `in_order`."""
    as_listed(tree, node)


@part
def begin_chance(search, game, evaluator, tree, node):
    """`node` has been opened: how many outcomes has chance there? They are tried as listed. 0: a player decides."""
    return np.int64(0)


@part
def outcomes_at(search, tree, node):
    """How many outcomes chance has at `node`, as `begin_chance` has said."""
    return np.int64(0)


@part
def leaf_value(search, evaluator, tree, value, finished):
    """What a leaf is worth of which the evaluator has said `value`; `finished`: whether the game is over there."""
    return value


@part
def trial(search, game, evaluator, tree, node):
    """Something to be found out about `node`, not the root, before its moves are tried: its number; 0: nothing."""
    return 0


@part
def begin_trial(search, game, evaluator, tree, node, child, tried):
    """Trial number `tried` begins: store the state that it searches at `child`; set `left`, `alpha`, `beta` there."""


@part
def trying(search, tree, node):
    """The number of the trial at `node` that is under way; 0: none."""
    return 0


@part
def end_trial(search, tree, node, child):
    """The trial at `node` has given `child` a value: make use of it. From now on it is not under way."""


@part
def skipped(search, game, evaluator, tree, node, child):
    """Need `child` not be searched at all? If so say `leave_child_out(tree, node)`, unless it is tried later: a node
    that has not seen all its children must be marked, or its value passes for proven."""
    return False


@part
def plies_left(search, game, tree, node, child):
    """How many plies deep `child` is to be searched; 0 or less: it lies at the horizon."""
    return tree.left[node] - 1


@part
def beyond(search, tree, child):
    """Is `child`, which lies at the horizon or `-left` plies beyond it, to be entered nevertheless?"""
    return False


@part
def window(search, tree, node, child):
    """The window in which `child` is searched, to the player to move there."""
    return -np.inf, np.inf


@part
def known(search, game, evaluator, tree, node):
    """Is the value of `node`, just entered, known for its window? Then set `backed` and `cut`, and say True."""
    return False


@part
def again(search, tree, node, child):
    """Must `child`, searched or known, be searched once more? Then set its `alpha`, `beta` and `left`, and say True."""
    return False


@part
def doubted(search, tree, node, child):
    """The same, asked before `again`: is the value of `child` one that has to be verified?"""
    return False


@part
def combine(search, game, tree, node):
    """`node` is about to be left: work out or remember its value. Here it is the best of its children's already."""


@part
def refuted(search, tree, node, child):
    """The value of `child` is beyond the window of `node`: its move may be worth remembering."""


@part
def root_window(search, tree):
    """The window of the next pass over the root; `tree.value[0]` is the last iteration's value, NaN in the first."""
    return -np.inf, np.inf


@part
def another_pass(search, tree):
    """The root is done: must it be searched once more before the iteration is finished?"""
    return False


@part
def all_finished(search, tree):
    """No unfinished game was evaluated in this iteration: why the search stops. Here its value is proven."""
    return STOP_SOLVED
