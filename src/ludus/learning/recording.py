"""What programs that write examples share: where they write them, what a position is worth, how a game went."""

from __future__ import annotations

import numpy as np

from ludus.kernel.playout import sign
from ludus.kernel.rules import SLACK, evaluate, final, guarded, over
from ludus.learning.examples import DRAWN, LOST, TOTAL, WON


def worth(game, evaluator, state):
    """The evaluator's opinion of a position, or, where the game is over, of its result."""
    return final(evaluator, game, state) if over(game, state) else evaluate(evaluator, game, state)


def begin_results(results, row):
    """No game has been played yet."""
    for column in range(4):
        results[row, column] = 0.0


def add_result(results, row, result):
    """Count the score of a game that was played to its end."""
    won = sign(result)
    results[row, WON if won > 0.0 else LOST if won < 0.0 else DRAWN] += 1.0
    results[row, TOTAL] += result


def example_arrays(rows: int, most: int) -> dict[str, np.ndarray]:
    """Where the examples are written: how many at most, and how many terms each may have."""
    return {
        "term": guarded(most + SLACK),
        "amount": guarded(most + SLACK, np.float64),
        "places": np.zeros(rows * most, np.int32),
        "values": np.zeros(rows * most),
        "counts": np.zeros(rows, np.int64),
        "far": np.zeros(rows),
        "results": np.zeros((rows, 4)),
    }
