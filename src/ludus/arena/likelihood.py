"""The log-likelihood of ratings, its maximum, and how far each rating can be moved from there.

`ludus.arena.ratings` says what it means. All numbers are in log-odds: a vector holds the ratings of all players and,
last, the advantage of the first move. Only differences of ratings matter, so their mean is 0.
"""

from __future__ import annotations

import numpy as np


def assemble(between: np.ndarray, cross: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The matrix over all ratings and the first move that belongs to these weights between players; or many at once."""
    count = between.shape[-1]
    matrix = np.empty((*between.shape[:-2], count + 1, count + 1))
    matrix[..., :-1, :-1] = -between
    matrix[..., range(count), range(count)] += between.sum(-1)
    matrix[..., :-1, -1] = matrix[..., -1, :-1] = cross
    matrix[..., -1, -1] = first
    return matrix


class Likelihood:
    """The log-likelihood of ratings and first-move advantage, a vector in log-odds; it is concave."""

    def __init__(self, games: np.ndarray, points: np.ndarray) -> None:
        self.games, self.points = games, points
        count = len(games)
        self.centre = np.zeros((count + 1, count + 1))
        self.centre[:-1, :-1] = 1 / count

    def margin(self, theta: np.ndarray) -> np.ndarray:
        """The log-odds of each player, who moves first, against each."""
        rating = theta[..., :-1]
        return rating[..., :, None] - rating[..., None, :] + theta[..., -1, None, None]

    def chance(self, theta: np.ndarray) -> np.ndarray:
        """The score expected in each of these games."""
        return 1 / (1 + np.exp(-self.margin(theta)))

    def at(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The value, the gradient and the information (the negative Hessian) at one vector or at many."""
        margin = self.margin(theta)
        above = np.logaddexp(0, margin)
        chance = np.exp(margin - above)
        error = self.points - self.games * chance
        weight = self.games * np.maximum(chance * (1 - chance), 1e-7)
        value = (self.points * margin - self.games * above).sum((-2, -1))
        gradient = np.concatenate([error.sum(-1) - error.sum(-2), error.sum((-2, -1))[..., None]], axis=-1)
        cross = weight.sum(-1) - weight.sum(-2)
        return value, gradient, assemble(weight + weight.swapaxes(-2, -1), cross, weight.sum((-2, -1)))

    def maximum(self) -> tuple[np.ndarray, np.ndarray]:
        """Where it is largest among vectors of mean 0, and the inverse of the information there; Newton's method."""
        theta = np.zeros(len(self.games) + 1)
        value, gradient, information = self.at(theta)
        for _ in range(100):
            step = np.linalg.solve(information + self.centre, gradient)
            if gradient @ step < 1e-12:
                break
            while (after := self.at(theta + step))[0] < value:
                step = step / 2
            theta = theta + step
            value, gradient, information = after
        return theta, np.linalg.inv(information + self.centre) - self.centre

    def tied(self, theta: np.ndarray, contrasts: np.ndarray) -> np.ndarray:
        """For each row of `contrasts`, the deviance of the best fit in which that contrast is 0.

        A contrast of 1 for one player and -1 for another makes them equals. Newton's method, all rows at once.
        """
        top = self.at(theta)[0]
        fits = np.tile(theta, (len(contrasts), 1))
        for _ in range(60):
            _, gradient, information = self.at(fits)
            solved = np.linalg.solve(information + self.centre, np.stack([gradient, contrasts], axis=-1))
            still = (contrasts * (fits + solved[:, :, 0])).sum(1) / (contrasts * solved[:, :, 1]).sum(1)
            step = solved[:, :, 0] - still[:, None] * solved[:, :, 1]
            longest = np.abs(step).max(1)
            fits = fits + step * np.minimum(1, 2 / np.maximum(longest, 1e-9))[:, None]
            if longest.max() < 1e-6:
                break
        return np.maximum(2 * (top - self.at(fits)[0]), 0.0)

    def profile(self, theta: np.ndarray, variance: np.ndarray, quantile: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far each number can be moved down and up until the best fit around it is too unlikely.

        Follows the best fits for all numbers in both directions at once: a step of Newton's method towards the best
        fit for the present distance, and along the curve of best fits to where the deviance should reach its bound.
        """
        top, _, information = self.at(theta)
        inverse = np.linalg.inv(information + self.centre) - self.centre
        size = len(theta)
        side = np.repeat([-1.0, 1.0], size)
        bound = np.tile(quantile**2 * variance / np.diag(inverse), 2)
        which = np.tile(np.eye(size) - self.centre, (2, 1))
        distance = np.tile(quantile * np.sqrt(variance), 2)
        fits = theta + np.tile(inverse / np.diag(inverse)[:, None], (2, 1)) * (side * distance)[:, None]
        for _ in range(60):
            value, gradient, information = self.at(fits)
            solved = np.linalg.solve(information + self.centre, np.stack([gradient, which], axis=-1))
            along = (which[:, :, None] * solved).sum(1)
            pull = -along[:, 0] / along[:, 1]
            step = solved[:, :, 0] + pull[:, None] * solved[:, :, 1]
            deviance = 2 * (top - value) - (step * gradient).sum(1)
            # The deviance is convex in the distance: once beyond its bound, Newton's method comes back to it.
            further = (bound - deviance) / np.maximum(2 * side * pull, 1e-9)
            further = np.clip(further, -distance / 2, np.minimum(distance, 3.0))
            longest = np.abs(step).max(1)
            step *= np.minimum(1, 2 / np.maximum(longest, 1e-9))[:, None]
            fits = fits + step + solved[:, :, 1] / along[:, 1, None] * (side * further)[:, None]
            distance = distance + further
            if (np.abs(further) < 1e-4 * distance).all() and longest.max() < 1e-2:
                break
        return distance[:size], distance[size:]
