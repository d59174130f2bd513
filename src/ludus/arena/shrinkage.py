"""Ratings that allow for luck: whoever leads has been lucky, and a few games say less than their own scatter does.

Among many players the one that is rated highest was lucky on average, and a tournament that stops when somebody is far
enough ahead stops on a lucky day. Bayes' theorem is right all the same, however games are chosen and whenever they end,
if the prior is. Here it is Student's t distribution around a common centre, whose scale is taken from the ratings
themselves. Equals are drawn together; one who stands apart is not, for the t distribution has heavy tails.
"""

from __future__ import annotations

import numpy as np

FREEDOM = 3.0
"""The degrees of freedom of the prior."""
NARROWEST = 30.0
"""The least scale of the prior, in Elo."""
FEW = 4.0
"""With so many players beside one the prior is twice as wide as with very many."""
NORMAL = 0.6745
"""Half of all normal deviates are smaller, in standard deviations."""


def shrink(elo: np.ndarray, covariance: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mode of these ratings after the prior and their covariance around it, with a mean of 0 as before.

    Only the ratings that are `known` have a prior. It is at least as wide as they are apart, or as their standard
    errors are as a rule: if nobody has played much, nothing is known of how far apart the players are. And it is the
    wider the fewer they are, for a few players say little about where others may be.

    The mode is found as for every robust regression: a t distribution is a normal one whose variance depends on the
    distance from the centre, and that is worked out again until nothing changes.
    """
    if known.sum() < 2:
        return elo, covariance
    count = len(elo)
    information = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
    centre = np.median(elo[known])
    variance = float(np.median(np.diag(covariance)[known]))
    spread = (float(np.median(np.abs(elo - centre)[known])) / NORMAL) ** 2
    scale = max(NARROWEST**2, max(variance, spread) * (1 + FEW / (known.sum() - 1)) ** 2)
    found = elo
    for _ in range(100):
        weight = known * (FREEDOM + 1) / (FREEDOM * scale + (found - centre) ** 2)
        centre = (weight * found).sum() / weight.sum()
        moved = np.linalg.solve(information + np.diag(weight), information @ elo + weight * centre)
        change, found = np.abs(moved - found).max(), moved
        if change < 1e-6:
            break
    # The centre is not known either: it takes one direction out of the prior's information.
    information = information + np.diag(weight) - np.outer(weight, weight) / weight.sum()
    mean = np.full((count, count), 1 / count)
    return found - found.mean(), np.linalg.inv(information + mean) - mean
