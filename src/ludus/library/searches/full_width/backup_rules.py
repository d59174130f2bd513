"""What a node is worth, given what each of its moves is worth to the player who makes it: one function a rule.

`values` are those of the moves, from -1, lost, to 1, won; the first `n` count, the best comes first. A value v stands
for a probability P = (1 + v) / 2 of winning. Where all moves are won, or all are lost, so is the node.

The product rule multiplies probabilities at every ply, and after three or four of them P is so near to 0 or 1 that no
floating-point number v tells one node from another. There values are log-odds, ln(P / (1 - P)), and what is certain is
CERTAIN or -CERTAIN.
"""

from __future__ import annotations

import math

from ludus.library.searches.power_mean import power_mean
from ludus.library.searches.win_curve import RARE

RULES = ("minimax", "expectimax", "product", "average", "m-and-n", "pmean", "error", "reasonable")
MINIMAX, EXPECTIMAX, PRODUCT, AVERAGE, M_AND_N, PMEAN, ERROR, REASONABLE = range(len(RULES))


CERTAIN = 1e12
"""The log-odds of a won game. What is not certain never comes near."""

LONGEST_ODDS = 1e6
"""The log-odds of an opinion are within this, whatever the evaluator says."""


def product(values, n):
    """The mover wins unless all his moves fail, and they fail independently of each other (Pearl 1981)."""
    all_fail = 1.0
    for i in range(n):
        all_fail *= 0.5 * (1.0 - values[i])
    return 1.0 - 2.0 * all_fail


def product_of_odds(values, n):
    """The same in log-odds: ln(1 - P) of the moves add up to that of the node."""
    best = values[0]
    if best <= -CERTAIN:
        return -CERTAIN
    total = 0.0
    if best < RARE:  # 1 - P is 1 for all of them, but their P add up
        for i in range(n):
            total += math.exp(values[i] - best)
        return best + math.log(total)
    for i in range(n):
        total += max(values[i], 0.0) + math.log1p(math.exp(-abs(values[i])))
    return min(total + math.log(-math.expm1(-total)), CERTAIN)


def mean_of_odds(win, loss, lowest, highest):
    """The log-odds of what happens with probability `win`, and does not with probability `loss`.

    If one of them is too small to be told from 0: those of the outcome with the highest, or the lowest, odds.
    """
    if win == 0.0:
        return highest
    if loss == 0.0:
        return lowest
    return math.log(win) - math.log(loss)


def chance_of(odds):
    """The probability, given its log-odds."""
    small = math.exp(-abs(odds))
    return 1.0 / (1.0 + small) if odds >= 0.0 else small / (1.0 + small)


def average(values, n):
    """Half way between product and minimax (Nau, Purdom & Tzeng 1983)."""
    return 0.5 * (product(values, n) + values[0])


def with_bonus(values, n, most, bonus, reach, margin):
    """The best value, and a bonus for each rival among the `most` best ones (Slagle & Dixon 1970).

    A rival as good as the best brings the whole bonus, one that trails by `reach` or more none. It is a share of
    1 - best^2, so that what is won or lost stays so. If the best leads the second by `margin`, there is no bonus.
    """
    best = values[0]
    if n == 1 or best - values[1] >= margin:
        return best
    rivals = 0.0
    for i in range(1, min(n, most)):
        rivals += max(0.0, 1.0 - (best - values[i]) / reach)
    return best + bonus * (1.0 - best * best) * rivals


def mean_of_powers(values, n, p, offset, ours):
    """M_p where we move, M_-p where the opponent does, of `offset` plus the values to us (Rivest 1987).

    Changes `values`.
    """
    sense, best, worst = 1.0 if ours else -1.0, values[0], values[n - 1]
    for i in range(n):
        values[i] = offset + sense * values[i]
    mean = sense * (power_mean(values, n, sense * p) - offset)
    return min(max(mean, worst), best)  # where it lies, but for rounding


def with_error(values, n, s):
    """He who errs plays his best move with probability s, else the next one with s, and so on (Reibman & Ballard 1983).

    The i-th best of n has probability s (1 - s)^(i - 1) / (1 - (1 - s)^n); for s = 0 that is 1 / n.
    """
    total = weights = 0.0
    weight = 1.0
    for i in range(n):
        total += weight * values[i]
        weights += weight
        weight *= 1.0 - s
    return total / weights


def reasonable(values, n, temperature, threshold):
    """The average over reasonable moves (Abramson 1987, section 7), each weighed by how far it is behind the best."""
    total = weights = 0.0
    for i in range(n):
        weight = reason(values[0] - values[i], temperature, threshold)
        total += weight * values[i]
        weights += weight
    return total / weights


def reason(behind, temperature, threshold):
    """With a temperature a move weighs exp(-behind / temperature); without, all within `threshold` weigh the same."""
    if temperature > 0.0:
        return math.exp(-behind / temperature)
    return 1.0 if behind <= threshold else 0.0
