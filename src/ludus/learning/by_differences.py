"""TD(lambda): weights that learn from each game of self-play, and a learning curve."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludus.common.files import checksummed, make_folder, read_text, verified, whole_file
from ludus.kernel.random import seed_for
from ludus.learning import chunks
from ludus.learning.duel import duel
from ludus.learning.examples import Examples, staged
from ludus.learning.features import nothing_to_learn
from ludus.learning.lesson import INTERPRETED, POINTS, Lesson
from ludus.learning.selfplay import GAMES as EACH
from ludus.learning.selfplay import SelfPlayChunks
from ludus.learning.weighing import Weights, scales
from ludus.library.evaluators.learned.learned import Learned
from ludus.library.evaluators.learned.tuples import LearnedTuples
from ludus.model import registry
from ludus.runtime.player import Player

PAIRS = 40
"""Pairs of games for each point of the learning curve."""

SLOWEST = 0.1
"""The rate falls evenly to this part of what it was at first."""

EXPLORE = 0.1
"""How often a move is random."""

KEEP = 5.0
"""Seconds after which it is written down how far learning has come: so much is lost when the process is killed."""


def by_differences(lesson: Lesson, again: bool) -> Learned:
    """Weights after all games, or their mean over the last part of them; the value of a position is the hyperbolic
    tangent of their sum.

    Weights go on moving with the luck of the last games as long as they learn. In the mean much of that is gone
    (Polyak & Juditsky 1992).
    """
    size = len(lesson.features)
    start = lesson.features.evaluator.weighing(np.zeros((lesson.stages, size)))
    still = SelfPlayChunks(lesson.features, start, seed_for(lesson.seed, 5), 0.0, lesson.compiled, lesson.announce)
    compiled = lesson.compiled if still.is_compiled else False
    many = lesson.games or lesson.usual_games // (1 if still.is_compiled else INTERPRETED)
    number = max(round(many / EACH), 1)
    kept = lesson.stages, lesson.rate, lesson.trace, number, compiled, *([lesson.average] if lesson.average else [])
    short = [f"{lesson.points} points"] if lesson.points != POINTS else []
    folder = chunks.folder_of(*lesson.parts, "td", *kept, *short)
    if again:
        chunks.forget(folder)
    make_folder(folder)  # before the work, which would be lost
    steps = step_lengths(still, size)
    seed = seed_for(lesson.seed, 4)
    learner = SelfPlayChunks(lesson.features, start, seed, EXPLORE, compiled, None, lesson.rate, lesson.trace)
    course = Course.kept_in(folder) or Course(learner.evaluator.weights.copy(), np.zeros_like(start.weights))
    last = number - round(lesson.average * number)
    marks = {round(k * number / lesson.points) for k in range(lesson.points + 1)}
    kept_at = time.monotonic()
    try:
        while True:
            mean = course.done == number and last < number
            learner.evaluator.weights[:] = course.total / (number - last) if mean else course.weights
            if course.done in marks and not any(point["games"] == course.done * EACH for point in course.curve):
                course.curve.append({"games": course.done * EACH} | _strength(lesson, learner, compiled))
            if course.done == number:
                break
            words = f"learning {lesson.game.title}: {course.done * EACH:,} of {number * EACH:,} games"
            lesson.progress(0.95 * course.done / number, words)
            fresh = 1.0 - (1.0 - SLOWEST) * course.done / number
            learner.work.tree.arrays["steps"][:] = fresh * steps
            learnt = learner.play(course.done)
            course = course.after(learner.evaluator.weights, learnt, course.done >= last)
            if time.monotonic() - kept_at > KEEP:
                course.keep(folder)
                kept_at = time.monotonic()
    finally:
        course.keep(folder)
    return _told(lesson, learner, course.curve, number, course.positions, compiled)


@dataclass(frozen=True)
class Course:
    """How far learning has come after whole chunks: whoever is interrupted goes on from there, with the same result."""

    weights: np.ndarray
    total: np.ndarray
    """The sum of the weights after the last chunks, those of which the mean is taken."""
    done: int = 0
    """Chunks that were played."""
    positions: int = 0
    curve: list[dict[str, Any]] = field(default_factory=list)

    def after(self, weights: np.ndarray, positions: int, counts: bool) -> Course:
        """One chunk later; whether its weights count for the mean."""
        total = self.total + weights if counts else self.total
        return Course(weights.copy(), total, self.done + 1, self.positions + positions, self.curve)

    def keep(self, folder: Path) -> None:
        kept = {"weights": self.weights.tolist(), "total": self.total.tolist(), "done": self.done}
        with whole_file(folder / "td.json", encoding="utf-8") as file:
            file.write(checksummed(json.dumps(kept | {"positions": self.positions, "curve": self.curve})))

    @classmethod
    def kept_in(cls, folder: Path) -> Course | None:
        """What was interrupted; None if nothing was, or if it cannot be read."""
        try:
            kept = json.loads(verified(read_text(folder / "td.json")))
            weights, total = (np.array(kept[name], float) for name in ("weights", "total"))
            return cls(weights, total, kept["done"], kept["positions"], kept["curve"])
        except (OSError, ValueError):
            return None


def step_lengths(still: SelfPlayChunks, size: int) -> np.ndarray:
    """How far a weight may move: features count in units of their root mean square, and share the step.

    The mean is over the positions that have the feature. Over all positions a rare pattern would count for little, so
    its weight would move far, and take the noise of each game that shows it for knowledge.

    What a game declares is no noise. Beside some hundred patterns a rare feature would hardly move, so there its steps
    are longer the rarer it is: up to the whole step, where it was not seen.
    """
    examples = Examples.joined([still.make(0)], size)
    if not len(examples):
        raise nothing_to_learn(still.features.game)
    present = np.sqrt(np.asarray((examples.matrix != 0).mean(axis=0)).ravel())
    scale = np.where(present > 0.0, scales(examples.matrix) / np.maximum(present, 1e-9), 1.0)
    at_once = max(np.diff(examples.matrix.indptr).mean(), 1.0)
    shares = np.full(size, 1.0 / at_once)
    own = still.evaluator.own if isinstance(still.evaluator, LearnedTuples) else 0
    shares[:own] /= np.maximum(present[:own] ** 2, 1.0 / at_once)
    return shares / scale**2


def _strength(lesson: Lesson, learner: SelfPlayChunks, compiled: bool | None) -> dict[str, Any]:
    """A point of the learning curve: one ply of lookahead, against the game's own evaluator, or random moves."""
    own = registry.default_evaluator(lesson.game)
    other = Player("greedy", own, compiled=compiled) if own.judges else Player("random", compiled=compiled)
    ours = Player("greedy", lesson.features.evaluator.weighing(learner.evaluator.weights), compiled=compiled)
    found = duel(lesson.game, (ours, other), PAIRS, lesson.seed)
    return found | {"opponent": str(own) if own.judges else "random"}


def _told(
    lesson: Lesson,
    learner: SelfPlayChunks,
    curve: list[dict[str, Any]],
    number: int,
    positions: int,
    compiled: bool | None,
) -> Learned:
    """The evaluator, with how well it foretells the results of some more games that it plays."""
    done = lesson.features.evaluator.weighing(learner.evaluator.weights)
    games = SelfPlayChunks(lesson.features, done, seed_for(lesson.seed, 6), 0.0, compiled)
    examples = Examples.joined([games.make(k) for k in range(4)], len(lesson.features))
    predicted = np.tanh(staged(examples.matrix, examples.far, lesson.stages) @ done.weights.ravel())
    observed = examples.target("outcome")
    unknown = np.full(done.weights.size, np.nan)
    fit = {"mse": float(((predicted - observed) ** 2).mean()) if len(examples) else None, "score": curve[-1]["score"]}
    shown = {"predicted": predicted, "observed": observed}
    told = lesson.told(Weights(done.weights.ravel(), unknown, unknown), fit, positions, number * EACH, shown)
    told.about["curve"] = curve
    return told
