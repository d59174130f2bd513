"""Logistic regression on the results of self-play, as chess programmers tune their evaluators.

It is done in rounds: the first games are played without an opinion, those of the next round by the evaluator that was
fitted to the last. The last round, which has half of the games, decides.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.random import seed_for
from ludus.learning import chunks
from ludus.learning.examples import Examples, staged
from ludus.learning.features import nothing_to_learn
from ludus.learning.lesson import INTERPRETED, Lesson
from ludus.learning.selfplay import GAMES as EACH
from ludus.learning.selfplay import SelfPlayChunks
from ludus.learning.weighing import logistic
from ludus.library.evaluators.learned.learned import Learned

ROUNDS = (0.125, 0.125, 0.25, 0.5)
"""Which part of the games each round has."""

MOST = 150_000
"""Positions that are fitted to, of a round: those of one game are much alike."""


def by_games(lesson: Lesson, again: bool) -> Learned:
    """Weights without standard errors; a weight is what a feature adds to the logit of the probability of winning."""
    evaluator = lesson.features.evaluator.weighing(np.zeros((lesson.stages, len(lesson.features))))
    is_compiled = SelfPlayChunks(lesson.features, evaluator, 0, 0.0, lesson.compiled, lesson.announce).is_compiled
    many = lesson.games or lesson.usual_games // (1 if is_compiled else INTERPRETED)
    told, played = evaluator, 0
    for number, part in enumerate(ROUNDS):
        wanted = max(round(many * part / EACH), 1)
        examples = _played(lesson, evaluator, number, wanted, again, is_compiled, (played, many))
        if not len(examples):
            raise nothing_to_learn(lesson.game)
        played += wanted * EACH
        lesson.progress(0.95 * min(played / many, 1.0), f"fitting {lesson.stages * len(lesson.features):,} weights")
        design = staged(examples.matrix, examples.far, lesson.stages)
        results = 0.5 + 0.5 * examples.target("outcome")
        weights = logistic(design, results, examples.game, lesson.select)
        predicted = 2.0 / (1.0 + np.exp(-(design @ weights.weights))) - 1.0
        shown = {"predicted": predicted, "observed": examples.target("outcome")}
        told = lesson.told(weights, weights.fit | {"round": number + 1}, len(examples), played, shown)
        evaluator = lesson.features.evaluator.weighing(told.weights)
    return told


def _played(
    lesson: Lesson, evaluator: Learned, number: int, many: int, again: bool, is_compiled: bool, of: tuple[int, int]
) -> Examples:
    """The positions of a round, at most `MOST`."""
    seed = seed_for(lesson.seed, number, 3)
    workers = range(lesson.workers if is_compiled else 1)
    compiled = lesson.compiled if is_compiled else False
    makers = [SelfPlayChunks(lesson.features, evaluator, seed, compiled=compiled) for _ in workers]
    folder = chunks.folder_of(*lesson.parts, "games", lesson.stages, number, evaluator.hash)
    words = f"learning {lesson.game.title}: round {number + 1} of {len(ROUNDS)}, {{:,}} of {many * EACH:,} games"
    share = many * EACH / of[1]
    found = lesson.gather(
        folder, range(many), [maker.make for maker in makers], again, words, EACH, of[0] / of[1], share
    )
    examples = Examples.joined(found, len(lesson.features))
    step = -(-len(examples) // MOST)
    return examples.chosen(np.arange(0, len(examples), step)) if step > 1 else examples
