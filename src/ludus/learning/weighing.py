"""Weights for features: least squares with standard errors, logistic regression with shrinkage, and sparse fits.

Nothing here knows of games: `design` has a row for each example and a column for each weight (sparse or dense).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

DENSE = 1000
"""With more columns than this least squares gets a little shrinkage, and no standard errors: they would take long."""

SHRINKAGES = tuple(10.0**k for k in range(-4, 1))
"""The inverse strengths of the shrinkage among which cross-validation chooses; features count in units of their root
mean square."""

NEWTON = 300
"""Up to this number of columns Newton's method, with dense matrices, is the fastest."""

TOLERANCE = 1e-6
"""Of a logistic fit: the largest slope of the mean loss at which it ends. With scikit-learn's own tolerance weights are
right to about two digits."""

FOLDS = 4

MOST_TRIED = 20_000
"""Examples with which the strength of the shrinkage is chosen: the last fit is to all."""


@dataclass(frozen=True)
class Weights:
    """What was fitted: a weight for each column, with standard error and p-value where there are any (else NaN)."""

    weights: np.ndarray
    errors: np.ndarray
    p_values: np.ndarray
    fit: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def spread(cls, kept: np.ndarray, some: Weights) -> Weights:
        """Weights for all columns from those of the columns that were kept; the others are 0, without error."""

        def widened(numbers: np.ndarray, rest: float) -> np.ndarray:
            whole = np.full(len(kept), rest)
            whole[kept] = numbers
            return whole

        return cls(widened(some.weights, 0.0), widened(some.errors, np.nan), widened(some.p_values, np.nan), some.fit)


def scales(design: Any) -> np.ndarray:
    """The root mean square of each column; 0 of one that is always 0."""
    return np.sqrt(np.asarray(design.multiply(design).mean(axis=0)).ravel())


def least_squares(design: Any, target: np.ndarray, select: bool = False) -> Weights:
    """Ordinary least squares (statsmodels); the errors allow for a noise that is not the same everywhere (HC1).

    With `select` only columns that a lasso keeps, at the strength that cross-validation likes best within one standard
    error; errors and p-values are then too small, since the same examples chose the columns.
    """
    kept = scales(design) > 0.0
    chosen: dict[str, Any] = {}
    if select:
        kept, chosen = _lasso(design, target, kept, np.arange(len(target)) % FOLDS)
    some = design[:, np.flatnonzero(kept)]
    found = _ordinary(some, target) if kept.sum() <= DENSE else _ridge(some, target)
    return Weights.spread(kept, Weights(found.weights, found.errors, found.p_values, found.fit | chosen))


def _ordinary(design: Any, target: np.ndarray) -> Weights:
    import statsmodels.api as sm
    from statsmodels.tools.sm_exceptions import ModelWarning

    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ModelWarning
        )  # features may depend on each other: the smallest weights are taken
        model = sm.OLS(target, design.toarray()).fit(cov_type="HC1" if len(target) > design.shape[1] else "nonrobust")
    with np.errstate(all="ignore"):
        errors, p_values = np.asarray(model.bse), np.asarray(model.pvalues)
    predicted = design @ np.asarray(model.params)
    return Weights(np.asarray(model.params), errors, p_values, _fit(target, predicted, design.shape[1]))


def _ridge(design: Any, target: np.ndarray) -> Weights:
    """Least squares for many columns: with a little shrinkage, as much as one example in a hundred thousand."""
    from sklearn.linear_model import Ridge

    scale = scales(design)
    model = Ridge(alpha=1e-5 * len(target), fit_intercept=False, solver="sparse_cg", tol=1e-8)
    model.fit(design.multiply(1.0 / scale).tocsr(), target)
    unknown = np.full(design.shape[1], np.nan)
    weights = np.asarray(model.coef_) / scale
    return Weights(weights, unknown, unknown, _fit(target, design @ weights, design.shape[1]))


def _fit(target: np.ndarray, predicted: np.ndarray, columns: int) -> dict[str, Any]:
    """How much of the target's variance is foretold, and by how much it is missed on average."""
    rest, spread = float(((target - predicted) ** 2).sum()), float(((target - target.mean()) ** 2).sum())
    r2 = 1.0 - rest / spread if spread > 0 else None
    freedom = max(len(target) - columns, 1)
    adjusted = None if r2 is None else 1.0 - (1.0 - r2) * (len(target) - 1) / freedom
    return {"r2": r2, "adjusted_r2": adjusted, "rmse": float(np.sqrt(rest / len(target)))}


def _lasso(design: Any, target: np.ndarray, kept: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, dict[str, Any]]:
    """The columns that a lasso keeps; `rows` has the fold of each example.

    Of the strengths that are as good as the best, within a standard error, it is the strongest one: most columns are
    left out.
    """
    from sklearn.linear_model import lasso_path

    places = np.flatnonzero(kept)
    some = design[:, places].multiply(1.0 / scales(design)[places]).tocsc()
    strongest = float(np.abs(some.T @ target).max()) / len(target)
    strengths = strongest * np.logspace(0, -3, 30)
    losses = np.zeros((FOLDS, len(strengths)))
    for k in range(FOLDS):
        _, paths, _ = lasso_path(some[rows != k].tocsc(), target[rows != k], alphas=strengths)
        losses[k] = ((target[rows == k, None] - some[rows == k] @ paths) ** 2).mean(axis=0)
    mean, error = losses.mean(axis=0), losses.std(axis=0, ddof=1) / np.sqrt(FOLDS)
    best = int(mean.argmin())
    taken = int(np.flatnonzero(mean <= mean[best] + error[best])[0])
    _, paths, _ = lasso_path(some, target, alphas=strengths[: taken + 1])
    chosen = np.zeros(len(kept), bool)
    chosen[places[paths[:, -1] != 0.0]] = True
    if not chosen.any():
        chosen[places[:1]] = True
    return chosen, {"chosen": int(chosen.sum()), "of": len(kept), "shrinkage": float(strengths[taken])}


def logistic(design: Any, results: np.ndarray, groups: np.ndarray, select: bool = False) -> Weights:
    """Logistic regression of results, 1 won, 0.5 drawn, 0 lost, without a constant but for what the columns have.

    The shrinkage is chosen by cross-validation over whole games, `groups`: how well the results of other games are
    foretold. With `select` only columns that a lasso keeps.
    """
    scale = scales(design)
    chosen: dict[str, Any] = {}
    mask = scale > 0.0
    if select:
        mask, chosen = _lasso(design, 2.0 * results - 1.0, mask, groups % FOLDS)
    kept = np.flatnonzero(mask)
    scaled = design[:, kept].multiply(1.0 / scale[kept]).tocsr()
    if len(kept) <= NEWTON:
        scaled = scaled.toarray()
    tried = np.arange(0, len(results), max(-(-len(results) // MOST_TRIED), 1))
    best, loss = _shrinkage(scaled[tried], results[tried], groups[tried] % FOLDS)
    weights = np.zeros(design.shape[1])
    weights[kept] = _Fit(scaled, results).weights(best) / scale[kept]
    logit = design @ weights
    base = _log_loss(np.zeros(len(results)), results) / max(len(results), 1)
    unknown = np.full(design.shape[1], np.nan)
    fit: dict[str, Any] = {
        "log_loss": _log_loss(logit, results) / max(len(results), 1),
        "held_out_log_loss": loss / max(len(tried), 1),
        "base_log_loss": base,
        "shrinkage": best,
    }
    return Weights(weights, unknown, unknown, chosen | fit)


def _shrinkage(design: Any, results: np.ndarray, fold: np.ndarray) -> tuple[float, float]:
    """The strength in `SHRINKAGES` at which the other folds foretell the results of each best, and the sum of the
    logarithmic losses.

    The search ends where the losses begin to grow: weights that are shrunk less and less fit the noise better and
    better, and take longest to find.
    """
    splits = [(fold != k, fold == k) for k in range(FOLDS) if 0 < (fold == k).sum() < len(fold)]
    fits = [_Fit(design[train], results[train]) for train, _ in splits]
    best, least = SHRINKAGES[0], np.inf
    for strength in SHRINKAGES:
        tested = zip(fits, splits, strict=True)
        loss = sum(_log_loss(design[test] @ fit.weights(strength), results[test]) for fit, (_, test) in tested)
        if loss >= least:
            break
        best, least = strength, loss
    return best, least


class _Fit:
    """Logistic regression on some examples, at one strength after the other: each begins with the weights of the last.

    A drawn game is half a won and half a lost one.
    """

    def __init__(self, design: Any, results: np.ndarray) -> None:
        from sklearn.linear_model import LogisticRegression

        drawn = np.flatnonzero(results == 0.5)
        self.design = design[np.append(np.arange(len(results)), drawn)]
        self.won = np.append(results >= 0.5, np.zeros(len(drawn), bool))
        self.shares = np.append(np.where(results == 0.5, 0.5, 1.0), np.full(len(drawn), 0.5))
        solver = "newton-cholesky" if isinstance(design, np.ndarray) else "newton-cg"
        self.model = LogisticRegression(
            fit_intercept=False, max_iter=1000, solver=solver, tol=TOLERANCE, warm_start=True
        )

    def weights(self, strength: float) -> np.ndarray:
        """The weights at this inverse strength of the shrinkage."""
        if self.won.all() or not self.won.any():
            return np.zeros(self.design.shape[1])
        self.model.C = strength
        self.model.fit(self.design, self.won, sample_weight=self.shares)
        return np.asarray(self.model.coef_[0], float)


def _log_loss(logit: np.ndarray, results: np.ndarray) -> float:
    """The sum of the logarithmic losses."""
    return float((np.logaddexp(0.0, logit) - results * logit).sum())
