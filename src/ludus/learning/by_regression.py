"""The thesis's way (Abramson 1987, section 5.2.3): least squares on what random games say of random positions."""

from __future__ import annotations

import numpy as np

from ludus.core.learned import Learned
from ludus.learning import chunks
from ludus.learning.examples import CHUNK, Examples, RandomChunks, staged
from ludus.learning.lesson import INTERPRETED, POSITIONS, Announce, Lesson
from ludus.learning.weighing import least_squares


def by_regression(lesson: Lesson, again: bool) -> Learned:
    """Weights with standard errors; the positions are kept, so that another target takes no time."""
    first = _maker(lesson, lesson.announce)
    many = lesson.positions or (POSITIONS if first.is_compiled else POSITIONS // INTERPRETED)
    folder = chunks.folder_of(*lesson.parts, "random", lesson.depths, lesson.deepest, lesson.playouts)
    makers = [first, *(_maker(lesson) for _ in range(lesson.workers - 1) if first.is_compiled)]
    words = f"learning {lesson.game.title}: {{:,}} of {many:,} positions"
    found = lesson.gather(folder, range(-(-many // CHUNK)), [maker.make for maker in makers], again, words, CHUNK)
    examples = Examples.joined(found, len(lesson.features)).chosen(np.arange(many))
    lesson.progress(0.95, f"fitting {lesson.stages * len(lesson.features):,} weights")
    matrix = examples.matrix
    if lesson.only:  # a column of zeros gets no weight
        counts = [name in (*lesson.only, lesson.names[-1]) for name in lesson.names]
        matrix = matrix.multiply(np.array(counts, float)).tocsr()
    design = staged(matrix, examples.far, lesson.stages)
    target = examples.target(lesson.target)
    weights = least_squares(design, target, lesson.select)
    fit, test = dict(weights.fit), np.arange(many) % 4 == 3
    if test.any() and (~test).sum() > design.shape[1]:
        others = least_squares(design[np.flatnonzero(~test)], target[~test], lesson.select).weights
        fit["held_out_r2"] = _r2(target[test], design[np.flatnonzero(test)] @ others)
    shown = {"predicted": design @ weights.weights, "observed": target}
    return lesson.told(weights, fit, many, None, shown)


def _maker(lesson: Lesson, announce: Announce = None) -> RandomChunks:
    drawn = lesson.depths, lesson.deepest, lesson.playouts
    return RandomChunks(lesson.features, lesson.seed, *drawn, lesson.compiled, announce)


def _r2(target: np.ndarray, predicted: np.ndarray) -> float | None:
    spread = float(((target - target.mean()) ** 2).sum())
    return 1.0 - float(((target - predicted) ** 2).sum()) / spread if spread > 0 else None
