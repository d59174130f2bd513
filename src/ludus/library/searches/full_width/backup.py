"""Other backup rules over a full-width tree: what a node is worth, given the values of all its children.

Minimax takes the best value, as if both players saw everything and the evaluator never erred. The rules here say
something else of a node with several good moves than of one with a single good one, or of an opponent who may err. All
but minimax and expectimax need every child's value, so nothing is cut.

These rules average, and an average of static values and of wins worth 2^20 means nothing. So they work with
probabilities: an evaluator's value becomes a probability of winning P by a logistic curve, a finished game is 1, 1/2 or
0, and values are 2 P - 1, from -1 to 1. The curve is the evaluator's calibration, if it has one. The root plays the
move whose child is worth least to the opponent, whatever the rule: it is we who choose there.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ludus.kernel.columns import integer, number
from ludus.kernel.limits import STOP_EXHAUSTED, STOP_SOLVED
from ludus.kernel.playout import sign
from ludus.kernel.rules import evaluate, load
from ludus.kernel.tree import children
from ludus.library.searches.full_width.backup_rules import (
    AVERAGE,
    CERTAIN,
    ERROR,
    EXPECTIMAX,
    LONGEST_ODDS,
    M_AND_N,
    PMEAN,
    PRODUCT,
    RULES,
    average,
    chance_of,
    mean_of_odds,
    mean_of_powers,
    product,
    product_of_odds,
    reasonable,
    with_bonus,
    with_error,
)
from ludus.library.searches.full_width.driver import FullWidth, Ties
from ludus.library.searches.full_width.order import as_listed
from ludus.library.searches.full_width.walk import look_at
from ludus.library.searches.win_curve import MEASURED, SLOPE, curve_of, log_odds, result_of
from ludus.model.evaluator import WIN
from ludus.model.result import Known
from ludus.model.search import EVALUATOR, RESULT

Rule = Literal["minimax", "expectimax", "product", "average", "m-and-n", "pmean", "error", "reasonable"]


class Backup(FullWidth):
    """Another backup rule over a full-width tree: product (Pearl 1981), p-mean (Rivest 1987), errors and more."""

    name = "backup"
    variants = (
        "rule=minimax, free_forced=true",
        "rule=expectimax, star=2, ties=random",
        "rule=average, mix=root, scale=2.0",
        "rule=m-and-n, m=3, n=2, bonus=0.1, reach=0.3",
        "rule=pmean, p=5.0, offset=1.2",
        "rule=error, s=0.7",
        "rule=reasonable, temperature=0.1, threshold=0.0",
    )
    columns = {
        "ours": integer(1),  # whether the player who moves at the root moves here, or will when chance has decided
        "certain": integer(),  # whether the value is the game's result, both playing their best
        "gap": number(),  # for `mix=root`: how far minimax's value is above `backed`
    }

    def __init__(
        self,
        rule: Rule = "product",
        scale: float = 0.0,
        mix: Literal["node", "root"] = "node",
        m: int = 2,
        n: int = 2,
        bonus: float = 0.1,
        reach: float = 0.4,
        p: float = 10.0,
        offset: float = 1.1,
        s: float = 0.9,
        temperature: float = 0.0,
        threshold: float = 0.1,
        star: int = 0,
        ties: Ties = "first",
        free_forced: bool = False,
    ) -> None:
        """
        rule: how a node's value comes from its children's
        scale: the evaluator's value that means a probability of winning of 0.73; 0: the evaluator's calibration or, if
            it has none, the root mean square of its values of the root's moves. Not for minimax and expectimax
        mix: `average` is taken at every node, or of the values of the root's moves by product and by minimax
        m, n: of `m-and-n`: how many of the best moves count, where we move and where the opponent does
        bonus, reach: of `m-and-n`: what a move as good as the best adds, and how far behind one must be to add nothing
        p, offset: of `pmean`: the power; and what is added to values from -1 to 1, so that they are above 0
        s: of `error`: the probability that the opponent plays his best move; if he does not, his next, and so on
        temperature: of `reasonable`: moves are played with odds exp(value / temperature); 0: see `threshold`
        threshold: of `reasonable`: all moves that are behind by no more are played equally often
        star: of `minimax` and `expectimax`: 0 to search everything; 1 for alpha-beta, with Star1 where chance decides,
            2 for Star2
        ties, free_forced: as for `minimax`
        """
        super().__init__(ties, free_forced)
        if star not in (0, 1, 2) or (star and rule not in ("minimax", "expectimax")):
            raise ValueError("star must be 0, or 1 or 2 with rule=minimax or rule=expectimax")
        if not 0 <= scale < math.inf:
            raise ValueError("scale must be above 0, or 0 to have it measured")
        if m < 1 or n < 1 or reach <= 0 or not 0 <= bonus * (max(m, n) - 1) <= 0.5:
            raise ValueError("m and n must be at least 1, reach above 0, bonus at least 0 and at most 0.5 / (m - 1)")
        if not 0 < p < math.inf or not 1 < offset < math.inf:
            raise ValueError("p must be above 0, and offset above 1")
        if not 0 <= s <= 1 or temperature < 0 or threshold < 0:
            raise ValueError("s must be from 0 to 1, temperature and threshold at least 0")
        self.rule, self.scale, self.mix = rule, scale, mix
        self.m, self.n, self.bonus, self.reach = m, n, bonus, reach
        self.p, self.offset, self.s = p, offset, s
        self.temperature, self.threshold = temperature, threshold
        self.star = star
        self.code = RULES.index(rule)
        self.margin = math.inf
        self.at_root = rule == "average" and mix == "root"
        takes_best = rule in ("minimax", "expectimax")
        self.exact = takes_best and not free_forced
        self.proves = takes_best
        self.looks_ahead = rule not in ("pmean", "error", "reasonable")
        self.value_scale = EVALUATOR if takes_best else RESULT

    # The parts of the driver.

    def arrange(self, game, evaluator, tree, node):
        as_listed(tree, node)
        if node == 0 and tree.curve[MEASURED] > 0.0:
            tree.curve[SLOPE] = 1.0 / typical_value(self, game, evaluator, tree)

    def leaf_value(self, evaluator, tree, value, finished):
        if self.code <= EXPECTIMAX:
            return value
        if self.code == PRODUCT:
            odds = log_odds(tree.curve, value)
            return CERTAIN * sign(value) if finished else min(max(odds, -LONGEST_ODDS), LONGEST_ODDS)
        return result_of(tree.curve, value, finished)

    def window(self, tree, node, child):
        if self.star > 0:
            return -tree.beta[node], -tree.alpha[node]
        return -np.inf, np.inf

    def probes(self, tree, node):
        return self.star == 2

    def skipped(self, game, evaluator, tree, node, child):
        """Nothing is; but here `child` begins."""
        tree.ours[child] = tree.ours[node] if tree.outcomes[node] > 0 else 1 - tree.ours[node]
        tree.certain[child] = tree.count[child] == 0
        tree.gap[child] = 0.0
        return False

    def combine(self, game, tree, node):
        if self.code <= EXPECTIMAX:
            return
        if tree.outcomes[node] > 0:
            average_outcomes(self, tree, node)
        else:
            back_up(self, tree, node)
        if self.at_root and tree.parent[node] == 0:
            tree.backed[node] += 0.5 * tree.gap[node]

    def all_finished(self, tree):
        """The rules that average come to know no more, but they prove only what is the game's result as well."""
        return STOP_SOLVED if self.code <= EXPECTIMAX or all_certain(tree, 0) != 0 else STOP_EXHAUSTED

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        curve = curve_of(evaluator, self.scale)
        curve[MEASURED] *= self.value_scale == RESULT
        return {"curve": curve, "ranked": np.zeros(game.max_moves)}

    def in_scale(self, value):
        return math.tanh(0.5 * value) if self.rule == "product" else value

    def knowledge(self, tree, node):
        known = super().knowledge(tree, node)
        if self.value_scale == EVALUATOR or math.isnan(known.value):
            return known
        value = self.in_scale(known.value)
        if known.proven and tree.certain[node]:
            return Known(value, value, value, True, known.more)
        return Known(value, -1.0, 1.0, False, known.more)


def typical_value(search, game, evaluator, tree):
    """The root mean square of the evaluator's values of the root's moves; 1 if there are none, or all are 0.

    An opinion that claims a win does not count.
    """
    squares, n = 0.0, 0
    root = load(tree.state, 0)
    for child in children(tree, 0):
        look_at(search, game, evaluator, tree, root, child)
        if tree.count[child] != 0:
            value = evaluate(evaluator, game, load(tree.state, child))
            if abs(value) < WIN:
                squares += value * value
                n += 1
    return math.sqrt(squares / n) if squares > 0.0 else 1.0


def back_up(search, tree, node):
    """Where a player decides: the value by the rule, and what goes with it."""
    best = tree.backed[node]
    value = backed_up(search, tree.ranked, rank_moves(tree, node), tree.ours[node])
    tree.certain[node] = all_certain(tree, node) if value == best else 0
    tree.gap[node] = best_by_minimax(tree, node) - value
    tree.backed[node] = value


def rank_moves(tree, node):
    """Write what each move of `node` is worth to its mover to `tree.ranked`, best first; how many there are."""
    first, n = tree.first[node], tree.count[node]
    for i in range(n):
        value = -tree.backed[first + i]
        place = i
        while place > 0 and tree.ranked[place - 1] < value:
            tree.ranked[place] = tree.ranked[place - 1]
            place -= 1
        tree.ranked[place] = value
    return n


def backed_up(search, values, n, ours):
    """What a node is worth to its mover by the rule of this search; `values`: those of its moves, best first."""
    rule = search.code
    if rule == PRODUCT:
        return product_of_odds(values, n)
    if rule == AVERAGE:
        return product(values, n) if search.at_root else average(values, n)
    if rule == M_AND_N:
        return with_bonus(values, n, search.m if ours else search.n, search.bonus, search.reach, search.margin)
    if rule == PMEAN:
        return mean_of_powers(values, n, search.p, search.offset, ours)
    if rule == ERROR:
        return values[0] if ours else with_error(values, n, search.s)
    return reasonable(values, n, search.temperature, search.threshold)


def all_certain(tree, node):
    """1 if the value of each child of `node` is the game's result, else 0."""
    certain = np.int64(1)
    for child in children(tree, node):
        certain &= tree.certain[child]
    return certain


def best_by_minimax(tree, node):
    """What `node` is worth by minimax."""
    best = -np.inf
    for child in children(tree, node):
        best = max(best, -(tree.backed[child] + tree.gap[child]))
    return best


def average_outcomes(search, tree, node):
    """Where chance decides `backed` is averaged already, but not for log-odds, which are averaged as probabilities."""
    tree.certain[node] = 1
    win, loss, low, high = 0.0, 0.0, np.inf, -np.inf
    for child in children(tree, node):
        share, odds = tree.share[child], tree.backed[child]
        if share > 0.0:
            tree.gap[node] += share * tree.gap[child]
            tree.certain[node] &= tree.certain[child]
            win += share * chance_of(odds)
            loss += share * chance_of(-odds)
            low, high = min(low, odds), max(high, odds)
    if search.code == PRODUCT:
        tree.backed[node] = mean_of_odds(win, loss, low, high)
