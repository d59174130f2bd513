"""The thesis's way (Abramson 1987, section 5.2.3): least squares on what random games say of random positions."""

from __future__ import annotations

import numpy as np

from ludus.learning import chunks
from ludus.learning.examples import Examples, staged
from ludus.learning.lesson import INTERPRETED, POSITIONS, Announce, Lesson
from ludus.learning.random_positions import CHUNK, RandomChunks
from ludus.learning.weighing import least_squares
from ludus.library.evaluators.learned.learned import Learned

COOL = 0.25
"""Selective sampling: the temperature of a run, in standard deviations of what the run before was fitted to."""


def by_regression(lesson: Lesson, again: bool) -> Learned:
    """Weights with standard errors; the positions are kept, so that another target takes no time.

    With an `order` the games of every later run are played by the weights that the run before has found.
    """
    found, cooler = None, 0.0
    for order in range(lesson.order + 1):
        examples = _examples(lesson, order, found, cooler, again)
        target = examples.target(lesson.target)
        found, cooler = _fitted(lesson, order, examples, target), COOL * float(target.std())
    assert found is not None
    return found


def _examples(lesson: Lesson, order: int, guide: Learned | None, temperature: float, again: bool) -> Examples:
    """The positions of a run; moves are chosen by the guide, or at random if there is none."""
    drawn = lesson.depths, lesson.deepest, lesson.playouts

    def maker(announce: Announce = None) -> RandomChunks:
        return RandomChunks(lesson.features, lesson.seed, *drawn, lesson.compiled, announce, guide, temperature)

    first = maker(lesson.announce)
    lesson.positions = lesson.positions or (POSITIONS if first.is_compiled else POSITIONS // INTERPRETED)
    many = lesson.positions
    by = () if guide is None else (guide.hash, temperature)
    folder = chunks.folder_of(*lesson.parts, "random", *drawn, *by)
    makers = [first, *(maker() for _ in range(lesson.workers - 1) if first.is_compiled)]
    words = f"learning {lesson.game.title}: {{:,}} of {many:,} positions" + (f" of order {order}" if order else "")
    makes, share = [each.make for each in makers], 1 / (lesson.order + 1)
    found = lesson.gather(folder, range(-(-many // CHUNK)), makes, again, words, CHUNK, order * share, share)
    return Examples.joined(found, len(lesson.features)).chosen(np.arange(many))


def _fitted(lesson: Lesson, order: int, examples: Examples, target: np.ndarray) -> Learned:
    many = len(examples)
    lesson.progress(
        0.95 * (order + 1) / (lesson.order + 1), f"fitting {lesson.stages * len(lesson.features):,} weights"
    )
    matrix = examples.matrix
    if lesson.only:  # a column of zeros gets no weight
        counts = [name in (*lesson.only, lesson.names[-1]) for name in lesson.names]
        matrix = matrix.multiply(np.array(counts, float)).tocsr()
    design = staged(matrix, examples.far, lesson.stages)
    weights = least_squares(design, target, lesson.select)
    fit, test = dict(weights.fit), np.arange(many) % 4 == 3
    if test.any() and (~test).sum() > design.shape[1]:
        others = least_squares(design[np.flatnonzero(~test)], target[~test], lesson.select).weights
        fit["held_out_r2"] = _r2(target[test], design[np.flatnonzero(test)] @ others)
    if order:
        fit["order"] = order
    shown = {"predicted": design @ weights.weights, "observed": target}
    return lesson.told(weights, fit, many, None, shown)


def _r2(target: np.ndarray, predicted: np.ndarray) -> float | None:
    spread = float(((target - target.mean()) ** 2).sum())
    return 1.0 - float(((target - predicted) ** 2).sum()) / spread if spread > 0 else None
