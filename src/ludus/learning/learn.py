"""`ludus.learn`: an evaluator from the rules alone, or from the features that a game declares."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ludus.common.errors import SpecError
from ludus.common.files import make_folder
from ludus.common.version import VERSION
from ludus.learning.by_differences import by_differences
from ludus.learning.by_games import by_games
from ludus.learning.by_regression import by_regression
from ludus.learning.learning_result import LearningResult
from ludus.learning.lesson import Announce, LearnSettings, Lesson, Progress
from ludus.learning.unchanging import unchanging_features
from ludus.library.evaluators.learned import learned
from ludus.library.evaluators.learned.learned import Learned
from ludus.model import identity, registry
from ludus.model.game import GameLike

WAYS: dict[str, Callable[[Lesson, bool], Learned]] = {
    "regression": by_regression,
    "logistic": by_games,
    "td": by_differences,
}


def learn(
    game: GameLike,
    *,
    method: str | None = None,
    name: str | None = None,
    features: str | None = None,
    target: str = "outcome",
    positions: int | None = None,
    games: int | None = None,
    depths: str = "middle",
    deepest: int | None = None,
    playouts: int | str = 32,
    stages: int | None = None,
    sides: int | None = None,
    select: bool = False,
    only: Sequence[str] = (),
    order: int = 0,
    rate: float | None = None,
    trace: float = 0.7,
    average: float | None = None,
    seed: int = 0,
    again: bool = False,
    workers: int | None = None,
    compiled: bool | None = None,
    progress: Progress = lambda done, words: None,
    announce: Announce = None,
) -> LearningResult:
    """An evaluator for a game, learnt from its rules alone or from the features that it declares; saved by its name.

    `.evaluator` of what it gives is the evaluator, which every player takes as `eval="learned/NAME"` too. `print` shows
    the weights and how well they fit, `.save("file.svg")` draws it.

    method: `"td"`, the default, TD(lambda) self-play; `"regression"` on what random games say of random positions
    (Abramson 1987); `"logistic"` on the results of self-play; name: by default the game's, and a file if it ends in
    `.json`; features: the kind of features; target: `"outcome"`, `"margin"` or `"win"`; positions: for regression, by
    default 20,000; games: for the others, by default 10,000 (fewer where a game is interpreted); depths: of random
    positions, `"middle"` or `"uniform"`; deepest: the most random moves before them; playouts: random games from each,
    a number, `"weak"` or `"strong"`; stages: how many sets of weights, by the game's rule `phase`, by default 3 for
    `"td"` and else 1; sides: 2 for two sets of weights of patterns, by whether the number of cells that are not empty
    is even; select: a sparse fit; only: the names of features that count, for regression, beside the constant; order:
    so often regression plays its games anew, by the weights found so far; rate and trace: of TD(lambda), the rate by
    default 0.1, or 0.5 where there are patterns; average: of `"td"`, the weights are their mean over this last part of
    the games, by default 0, the last weights; seed: the random seed; again: do it again though it was saved; workers:
    threads; compiled: True to compile or fail, False to interpret; progress and announce: as for `calibrate`.
    Where none of features, sides and rate is given, `"td"` takes them, games and average from the `lesson` of the game.
    """
    settings = LearnSettings(
        method="td" if method is None else method,
        features=features,
        target=target,
        positions=positions,
        games=games,
        depths=depths,
        deepest=deepest,
        playouts=playouts,
        stages=stages,
        sides=sides,
        select=select,
        only=only,
        order=order,
        rate=rate,
        trace=trace,
        average=average,
        seed=seed,
        workers=workers,
        compiled=compiled,
    )
    return learn_evaluator(game, name, settings, again, progress, announce)


def learn_evaluator(
    game: GameLike,
    name: str | None,
    settings: LearnSettings,
    again: bool = False,
    progress: Progress = lambda done, words: None,
    announce: Announce = None,
) -> LearningResult:
    """Learn what the settings ask for, and save it by this name or that of the game; or find it saved."""
    lesson = Lesson(registry.games().of(game), settings, progress, announce)
    name = learned.game_name(lesson.game).lower() if name is None else name
    learned.check_name(name.removesuffix(".json").replace("/", "") if name.endswith(".json") else name)
    if learned.is_reserved(name):
        raise SpecError(f"the name {name} is reserved for evaluators that ludus rank learns: choose another.")
    return learn_as(name, lesson, again)


def learn_as(name: str, lesson: Lesson, again: bool = False) -> LearningResult:
    """Learn what is asked for and save it by this name, or find it saved."""
    lesson.check()
    found = None if again else _saved(name, lesson.key)
    if found is None:
        make_folder(learned.file_of(name).parent)  # before the work, which would be lost
    return found or _save(name, WAYS[lesson.method](lesson, again), lesson)


def show_saved(name: str) -> LearningResult:
    """What was learnt and saved under this name, or in this file."""
    return LearningResult(learned.load_complete(name), was_saved=True)


def _saved(name: str, key: str) -> LearningResult | None:
    try:
        found = show_saved(name)
    except SpecError:
        return None
    return found if found.about.get("key") == key else None


def _unchanging(lesson: Lesson) -> list[str]:
    """Features that tell nothing; not which of thousands of patterns do not come up."""
    if lesson.features.evaluator.kind not in ("features", "both"):
        return []
    with np.errstate(over="ignore"):
        return unchanging_features(lesson.game, lesson.seed)


def _save(name: str, found: Learned, lesson: Lesson) -> LearningResult:
    """Write it to its file, with the record of how it came about."""
    about = {"name": Path(name).stem if name.endswith(".json") else name, "key": lesson.key, "seed": lesson.seed}
    about |= {"method": lesson.method, "target": lesson.target, "settings": lesson.settings}
    about |= {"fingerprint": identity.of_game(lesson.game), "version": VERSION}
    if unchanging := _unchanging(lesson):
        about["unchanging"] = unchanging
    about["date"] = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    path = name if name.endswith(".json") else ""
    done = type(found)(found.about | about, path)
    learned.save(done, learned.file_of(name))
    return LearningResult(done, was_saved=False)
