"""Options of `uct`: what the descent may believe besides the mean result, and when it may stop.

*Implicit minimax backups* (Lanctot, Winands, Pepels & Sturtevant 2014): beside its mean result each node keeps the
minimax value of the evaluator's opinions below it: its own opinion when it is new, then the best of its children that
have been visited; where chance decides, their mean, weighed by visits. The descent believes (1 - a) mean + a implicit.

*Proof numbers* (PN-MCTS: Doe, Winands, Soemers & Browne 2022; with draws and a number for each player, Kowalski et al.
2025): how many leaves must at least turn out won for the player to move to prove that he wins (`to_win`), and lost to
prove that he loses (`to_lose`). He wins if one child is lost for the opponent: the least of their `to_lose`. He loses
if all are won: the sum of their `to_win`; where chance decides, it must turn out so whatever it brings. A child that
needs x leaves gets the bonus w (1 - x / X), X the greatest finite number among its siblings, and none if x is infinite.
(The paper of 2022 takes ranks for the numbers.)

*Stopping when the best move is identified* (after Kaufmann & Koolen 2017): a move that was visited n times has its mean
result within r = sqrt(2 ln(2 K n (n + 1) / d) / n), by Hoeffding's inequality for results from -1 to 1, with a share
d / (2 K n (n + 1)) of the error d = 1 - confidence for each of the K moves, each side, each n. If all intervals hold,
whose lower end is no less than the upper ends of all others is best. The move to visit is one of two, the best so far
and the one of the others whose interval reaches highest: the one that was visited less (LUCB, Kalyanakrishnan et al.
2012). What is proven bounds the intervals too. Hoeffding's inequality is about independent results of one distribution:
playouts after the root's moves (`depth=1`). In a tree that grows, the results of a move drift as its replies get
better, and there the level is a setting, not a promise.
"""

import math

import numpy as np

from ludus.kernel.limits import TRAVERSED
from ludus.kernel.tree import children

# Implicit values and proof numbers.


def begin_guides(tree, child):
    tree.implicit[child] = 0.0
    tree.to_win[child] = tree.to_lose[child] = 1.0


def note_guides(tree, node, value, finished):
    """A new node has its opinion; a finished game can only be what it is."""
    tree.implicit[node] = value
    if finished:
        tree.to_win[node] = 0.0 if value > 0.0 else np.inf
        tree.to_lose[node] = 0.0 if value < 0.0 else np.inf


def greatest_number(search, tree, node):
    """The greatest finite number of leaves that prove a win by a move of `node`."""
    greatest = 0.0
    if search.proof_numbers > 0.0:
        for child in children(tree, node):
            if tree.to_lose[child] < np.inf:
                greatest = max(greatest, tree.to_lose[child])
    return greatest


def guided_value(search, tree, child, greatest):
    """The mean result and the implicit value; less, since it is to the opponent, the bonus for what is easily won."""
    value = (1.0 - search.implicit) * tree.value[child] + search.implicit * tree.implicit[child]
    leaves = tree.to_lose[child]
    if search.proof_numbers > 0.0 and leaves < np.inf:
        value -= search.proof_numbers * (1.0 - leaves / greatest if leaves > 0.0 else 1.0)
    return value


def renew_guides(game, tree, node):
    """From `node` up to the root: even where nothing else changes, visits weigh what chance brings."""
    while node >= 0:
        game.meter[TRAVERSED] += tree.count[node]
        tree.implicit[node] = implicit_value(tree, node)
        set_numbers(tree, node)
        node = tree.parent[node]


def known_guides(search, tree, node, sense):
    """For people: what the options in use know of a node, to the player who moved into it (sense -1), or who moves next
    (1): its implicit value; how many leaves it takes to prove that he wins by it, and that he loses."""
    found = {"implicit": 0.0 + sense * float(tree.implicit[node])} if search.implicit > 0.0 else {}
    if search.proof_numbers > 0.0:
        numbers = (tree.to_lose, tree.to_win) if sense < 0 else (tree.to_win, tree.to_lose)
        found |= {name: float(of[node]) for name, of in zip(("proof", "disproof"), numbers, strict=True)}
    return found


def implicit_value(tree, node):
    """The best of the children that were visited; of chance, their mean. Before there is one, its own opinion."""
    best, total, visits = -np.inf, 0.0, 0.0
    for child in children(tree, node):
        if tree.visits[child] > 0.0:
            best = max(best, -tree.implicit[child])
            total += tree.visits[child] * tree.implicit[child]
            visits += tree.visits[child]
    if visits == 0.0:
        return tree.implicit[node]
    return total / visits if tree.outcomes[node] > 0 else best


def set_numbers(tree, node):
    """One lost child is enough to win; all must be won to lose. Chance must turn out so whatever it brings."""
    least, all_won, all_lost = np.inf, 0.0, 0.0
    for child in children(tree, node):
        least = min(least, tree.to_lose[child])
        all_won += tree.to_win[child]
        all_lost += tree.to_lose[child]
    if tree.outcomes[node] > 0:
        tree.to_win[node], tree.to_lose[node] = all_won, all_lost
    else:
        tree.to_win[node], tree.to_lose[node] = least, all_won


# Which move is best.


def mean_result(tree, child):
    """The mean result of a move of the root that was tried, to the player who moves there."""
    if tree.low[child] == tree.high[child]:
        return -np.float64(tree.low[child])
    return -tree.total[child] / tree.visits[child]


def interval(search, tree, child):
    """Where the expected result of a move of the root lies, at the level of confidence: its two ends."""
    low, high, n = -np.float64(tree.high[child]), -np.float64(tree.low[child]), tree.visits[child]
    if low < high:
        error = (1.0 - search.confidence) / (2.0 * tree.count[0] * n * (n + 1.0))
        radius, mean = math.sqrt(-2.0 * math.log(error) / n), mean_result(tree, child)
        low, high = max(low, mean - radius), min(high, mean + radius)
    return low, high


def untried(tree):
    """A move of the root that was not visited yet; -1: there is none."""
    for child in children(tree, 0):
        if tree.visits[child] == 0.0:
            return np.int64(child)
    return np.int64(-1)


def leader_and_rival(search, tree):
    """The best move of the root so far and, of the others, the one that may be best; -1: there is no other."""
    first, end = tree.first[0], tree.first[0] + tree.count[0]
    leader, rival, reach = first, np.int64(-1), -np.inf
    for child in range(first + 1, end):
        if mean_result(tree, child) > mean_result(tree, leader):
            leader = child
    for child in range(first, end):
        high = interval(search, tree, child)[1]
        if child != leader and high > reach:
            rival, reach = np.int64(child), high
    return leader, rival


def root_contender(search, tree):
    """The move of the root to visit: one that was not tried yet, else of the leader and its rival the less visited."""
    child = untried(tree)
    if child >= 0:
        return child
    leader, rival = leader_and_rival(search, tree)
    if rival < 0 or tree.low[rival] == tree.high[rival]:
        return leader
    if tree.low[leader] == tree.high[leader] or tree.visits[rival] < tree.visits[leader]:
        return rival
    return leader


def best_identified(search, tree):
    """Whether no other move of the root can be better than the best so far, at the level of confidence."""
    if tree.count[0] <= 1 or untried(tree) >= 0:
        return False
    leader, rival = leader_and_rival(search, tree)
    return interval(search, tree, leader)[0] >= interval(search, tree, rival)[1]
