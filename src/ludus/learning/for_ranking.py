"""The evaluator that a ranking learns for a game which has none: TD(lambda), as `ludus.learn` does it by default.

Its name follows from all that it is learnt from: the rules, the seed and the settings. So a run can name players that
use it before it is learnt, the same seed gives the same evaluator whatever the number of workers, and nothing that
anybody has learnt by `ludus.learn` is touched.
"""

from __future__ import annotations

import numpy as np

from ludus.learning.learn import learn_as
from ludus.learning.lesson import LearnSettings, Lesson, Progress
from ludus.library.evaluators.learned import learned
from ludus.library.evaluators.learned.learned import Learned
from ludus.model.playable import PlayableGame


class RankingLesson:
    """What is to be learnt for a ranking of a game; an error if the game has nothing to learn from."""

    def __init__(self, game: PlayableGame, seed: int, compiled: bool | None) -> None:
        self.game = game
        self.lesson = Lesson(game.apart(), LearnSettings(seed=seed, compiled=compiled, points=1))
        self.name = f"{learned.RANKED}-{self.lesson.key[:8]}"

    @property
    def unlearnt(self) -> Learned:
        """The evaluator before it is learnt: its name, and weights of 0."""
        evaluator = self.lesson.features.evaluator
        found = evaluator.weighing(np.zeros_like(evaluator.weights), name=self.name)
        return found.on(self.game)

    def learnt(self, progress: Progress = lambda done, words: None) -> Learned:
        """The evaluator, learnt now or loaded. What was interrupted goes on where it was."""
        self.lesson.progress = progress
        return learn_as(self.name, self.lesson).evaluator.on(self.game)
