"""A posterior of ratings: its mode, how far each rating can be moved from there, and what it costs to tie two.

`ratings.py` says what it means. All numbers are in log-odds. Everyone is a node of a network: the players and,
last, their common centre. An edge has a number of games, the points of either end in them, and a *stretch*: the
log-odds of a game are the difference of the two nodes times the stretch, which is 1 between players. The sum of all
log-likelihoods is concave, and its information is that of a network of resistors. Hence a theorem: if i gains points
from j, no difference between i and another node falls (the current enters at i, where the potential is highest).
"""

from __future__ import annotations

import numpy as np


def laplacian(weight: np.ndarray) -> np.ndarray:
    """The matrix of a network with these symmetric weights; or many at once."""
    matrix = -weight
    nodes = range(weight.shape[-1])
    matrix[..., nodes, nodes] += weight.sum(-1)
    return matrix


class Likelihood:
    """The logarithm of a posterior density of the nodes; only their differences matter, so their mean is 0."""

    def __init__(self, games: np.ndarray, points: np.ndarray, stretch: np.ndarray | float = 1.0) -> None:
        """Symmetric matrices of games and stretches; `points[i, j]` are those of i against j."""
        self.games, self.points, self.stretch = games, points, stretch
        self.centre = np.full(games.shape, 1 / len(games))

    def at(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The value, the gradient and the weights of the edges (their information) at one vector or at many."""
        margin = (theta[..., :, None] - theta[..., None, :]) * self.stretch
        above = np.logaddexp(0, margin)
        chance = np.exp(margin - above)
        value = (self.points * (margin - above)).sum((-2, -1))
        gradient = ((self.points - self.games * chance) * self.stretch).sum(-1)
        weight = self.games * np.maximum(chance * (1 - chance), 1e-7) * self.stretch**2
        return value, gradient, weight

    def information(self, weight: np.ndarray) -> np.ndarray:
        """The information of these weights, made regular: the mean of all nodes counts as known."""
        return laplacian(weight) + self.centre

    def maximum(self, start: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Where it is largest, and the inverse of the information there; Newton's method."""
        theta = np.zeros(len(self.games)) if start is None else start
        value, gradient, weight = self.at(theta)
        for _ in range(100):
            step = np.linalg.solve(self.information(weight), gradient)
            if gradient @ step < 1e-12:
                break
            while (after := self.at(theta + step))[0] < value:
                step = step / 2
            theta = theta + step
            value, gradient, weight = after
        return theta, np.linalg.inv(self.information(weight)) - self.centre

    def tied(self, theta: np.ndarray, contrasts: np.ndarray) -> np.ndarray:
        """For each row of `contrasts`, the deviance of the best fit in which that contrast is 0.

        A contrast of 1 for one player and -1 for another makes them equals. Newton's method, all rows at once.
        """
        top = self.at(theta)[0]
        fits = np.tile(theta, (len(contrasts), 1))
        for _ in range(60):
            _, gradient, weight = self.at(fits)
            solved = np.linalg.solve(self.information(weight), np.stack([gradient, contrasts], axis=-1))
            still = (contrasts * (fits + solved[:, :, 0])).sum(1) / (contrasts * solved[:, :, 1]).sum(1)
            step = solved[:, :, 0] - still[:, None] * solved[:, :, 1]
            longest = np.abs(step).max(1)
            fits = fits + step * np.minimum(1, 2 / np.maximum(longest, 1e-9))[:, None]
            if longest.max() < 1e-6:
                break
        return np.maximum(2 * (top - self.at(fits)[0]), 0.0)

    def profile(self, theta: np.ndarray, contrasts: np.ndarray, bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far each contrast can be moved down and up until the deviance of the best fit around it is its bound.

        Follows the best fits for all contrasts in both directions at once: a step of Newton's method towards the best
        fit for the present distance, and along the curve of best fits to where the deviance should reach its bound.
        """
        top, _, weight = self.at(theta)
        inverse = np.linalg.inv(self.information(weight)) - self.centre
        along = contrasts @ inverse
        variance = (contrasts * along).sum(1)
        size = len(contrasts)
        side, bound, which = np.repeat([-1.0, 1.0], size), np.tile(bounds, 2), np.tile(contrasts, (2, 1))
        distance = np.sqrt(bound * np.tile(variance, 2))
        fits = theta + np.tile(along / variance[:, None], (2, 1)) * (side * distance)[:, None]
        for _ in range(60):
            value, gradient, weight = self.at(fits)
            solved = np.linalg.solve(self.information(weight), np.stack([gradient, which], axis=-1))
            moved = (which[:, :, None] * solved).sum(1)
            pull = -moved[:, 0] / moved[:, 1]
            step = solved[:, :, 0] + pull[:, None] * solved[:, :, 1]
            deviance = 2 * (top - value) - (step * gradient).sum(1)
            # The deviance is convex in the distance: once beyond its bound, Newton's method comes back to it.
            further = (bound - deviance) / np.maximum(2 * side * pull, 1e-9)
            further = np.clip(further, -distance / 2, np.minimum(distance, 3.0))
            longest = np.abs(step).max(1)
            step *= np.minimum(1, 2 / np.maximum(longest, 1e-9))[:, None]
            fits = fits + step + solved[:, :, 1] / moved[:, 1, None] * (side * further)[:, None]
            distance = distance + further
            if (np.abs(further) < 1e-4 * distance).all() and longest.max() < 1e-2:
                break
        return distance[:size], distance[size:]
