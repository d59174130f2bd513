"""df-pn (Nagai 2002): proof-number search depth first, with a table instead of a tree.

The search stays below a node as long as its numbers are below two limits, which are chosen so that the most-proving
node cannot be elsewhere: the node's number that its parent takes the least of may grow to one more than its best
sibling's, and the other, which its parent adds up, until the parent's own limit is reached. So the most-proving node
is found without going back to the root. A node that is left is remembered in the table, and its children are
forgotten; whoever enters it again plays its moves again (and the meter counts them) and reads in the table what is
known of them.

The table knows a position by its state, which in some games either player may have to move in. So the numbers in a
slot are for one question and one player (its topic); what is proven of the position's score holds for all.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.limits import GENERATED, TRAVERSED
from ludus.kernel.rules import digest, load
from ludus.kernel.table import DEEPEST, is_at, keep, slot_for
from ludus.kernel.tree import UNOPENED, children
from ludus.library.searches.best_first.proof_numbers import begin_numbers, renew_numbers


def next_in_depth(game, tree):
    """The node to be expanded next: the best child of the one at work, with its limits."""
    node = tree.register[0].node
    child = tree.best[node]
    set_limits(tree, node, child)
    tree.entered[child] = game.meter[GENERATED]
    return child


def set_limits(tree, node, child):
    """How far the numbers of the best child may grow until the most-proving node may be elsewhere."""
    ours = tree.depth[node] % 2 == 0
    one, all_of = (tree.proof, tree.disproof) if ours else (tree.disproof, tree.proof)
    one_limit, all_limit = (tree.proof_limit, tree.disproof_limit) if ours else (tree.disproof_limit, tree.proof_limit)
    second = np.inf
    for other in children(tree, node):
        if other != child:
            second = min(second, one[other])
    one_limit[child] = min(one_limit[node], second + 1.0)
    all_limit[child] = all_limit[node] - (all_of[node] - all_of[child])


def leave_finished(game, tree, leaf):
    """`leaf` has been opened: the node to go on with is the first, from it upward, whose limits are not reached."""
    for child in children(tree, leaf):
        recall(tree, child)
    node = leaf
    while True:
        game.meter[TRAVERSED] += tree.count[node]
        renew_numbers(tree, node)
        within = tree.proof[node] < tree.proof_limit[node] and tree.disproof[node] < tree.disproof_limit[node]
        if within or node == 0:
            break
        leave(game, tree, node)
        node = tree.parent[node]
    tree.register[0].node = node


def leave(game, tree, node):
    """Remember what was found out about `node`, and forget its children."""
    remember(tree, node, game.meter[GENERATED] - tree.entered[node])
    tree.size[0] = tree.first[node]
    tree.count[node] = UNOPENED


# The table.


def topic(tree, node):
    """What the numbers of a position are about: the question, and which player is to have more than it says."""
    return 2 * tree.register[0].question + tree.depth[node] % 2


def recall(tree, node):
    """The numbers of `node` as far as the table has them."""
    table, state = tree.table, load(tree.state, node)
    key = digest(state)
    slot = slot_for(table, key, state)
    known = tree.count[node] == UNOPENED and is_at(table, slot, key, state)
    if known:
        tree.low[node], tree.high[node] = table.entry[slot].low, table.entry[slot].high
    begin_numbers(tree, node)
    if known and table.entry[slot].move == topic(tree, node) and tree.proof[node] == 1.0:
        tree.proof[node], tree.disproof[node] = table.proof[slot], table.disproof[slot]


def remember(tree, node, work):
    """Keep the numbers and the bounds of `node`, its topic in place of a move; a slot is worth the nodes that went into
    it."""
    table, state = tree.table, load(tree.state, node)
    key = digest(state)
    slot = slot_for(table, key, state)
    low, high = tree.low[node], tree.high[node]
    if is_at(table, slot, key, state):
        low, high = max(low, table.entry[slot].low), min(high, table.entry[slot].high)
    keep(table, state, min(work, DEEPEST), low, high, topic(tree, node))
    table.proof[slot], table.disproof[slot] = tree.proof[node], tree.disproof[node]
