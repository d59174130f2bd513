"""From an evaluator's value to a result between -1, lost, and 1, won, by a logistic curve.

The curve is the evaluator's calibration. If it has none, or a search is given a scale, the log-odds of winning are the
value divided by the scale; a scale that nobody knows is measured at the root.
"""

from __future__ import annotations

import math

import numpy as np

from ludus.kernel.playout import sign

INTERCEPT, SLOPE, MEASURED = 0, 1, 2
"""Cells of a curve: the two numbers that make log-odds of a value, and whether the slope is measured at the root."""

RARE = -30.0
"""The log-odds below which ln(1 + e^x) is e^x to the last digit. A value that tells -1 from an opinion is not below."""


def curve_of(evaluator, scale):
    """The curve for this evaluator; `scale` is 0 if it is not given. (In Python only.)"""
    curve = np.zeros(3)
    if scale > 0:
        curve[SLOPE] = 1 / scale
    elif "win" in evaluator.calibration.kinds:
        curve[: SLOPE + 1] = evaluator.calibration.win
    else:
        curve[MEASURED] = 1.0
    return curve


def log_odds(curve, value):
    """The log-odds of winning that a value stands for."""
    return curve[INTERCEPT] + curve[SLOPE] * value


def result_of(curve, value, finished):
    """The result that a value stands for, from -1 to 1; that of a finished game is exact."""
    return sign(value) if finished else math.tanh(0.5 * min(max(log_odds(curve, value), RARE), -RARE))
