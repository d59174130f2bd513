"""`ludus.learn`: an evaluator from the rules alone, or from the features that a game declares."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ludus.common.errors import SpecError, unknown
from ludus.common.files import make_folder
from ludus.common.numbers import whole_number
from ludus.common.version import VERSION
from ludus.learning.by_differences import by_differences
from ludus.learning.by_games import by_games
from ludus.learning.by_regression import by_regression
from ludus.learning.examples import TARGETS
from ludus.learning.learnt import Learnt
from ludus.learning.lesson import DEPTHS, GAMES, METHODS, Announce, Lesson, Progress
from ludus.library.evaluators.learned import learned
from ludus.library.evaluators.learned.learned import Learned
from ludus.model import identity, registry
from ludus.model.game import GameLike

WAYS: dict[str, Callable[[Lesson, bool], Learned]] = {
    "regression": by_regression,
    "logistic": by_games,
    "td": by_differences,
}

SETTINGS = ("features", "sides", "rate", "games", "average")
"""What a game may say in its `lesson`."""


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
) -> Learnt:
    """An evaluator for a game, learnt from its rules alone or from the features that it declares; saved by its name.

    `.evaluator` of what it gives is the evaluator, which every player takes as `eval="learned/NAME"` too. `print` shows
    the weights and how well they fit, `.save("file.svg")` draws it.

    method: `"td"`, the default, TD(lambda) self-play; `"regression"` on what random games say of random positions
    (Abramson 1987); `"logistic"` on the results of self-play; name: by default the game's, and a file if it ends in
    `.json`; features: the kind of features; target: `"outcome"`, `"margin"` or `"win"`; positions: for regression, by
    default 20,000; games: for the others, by default 10,000 (fewer where a game is interpreted); depths: of random
    positions, `"middle"` or `"uniform"`; deepest: the most random moves before them; playouts: random games from each,
    a number, `"weak"` or `"strong"`; stages: so many sets of weights, by the game's rule `phase`, by default 3 for
    `"td"` and else 1; sides: 2 for two sets of weights of patterns, by whether the number of cells that are not empty
    is even; select: a sparse fit; only: the names of features that count, for regression, beside the constant; order:
    so often regression plays its games anew, by the weights found so far; rate and trace: of TD(lambda), the rate by
    default 0.1, or 0.5 where there are patterns; average: of `"td"`, the weights are their mean over this last part of
    the games, by default 0, the last weights; seed: of all chance; again: do it again though it was saved; workers:
    threads; compiled: True to compile or fail, False to interpret; progress and announce: as for `calibrate`.
    Where none of features, sides and rate is given, `"td"` takes them, games and average from the `lesson` of the game.
    """
    found_game, way = registry.games().of(game), _one_of("method", "td" if method is None else method, METHODS)
    suited = found_game.lesson if way == "td" and features is None and sides is None and rate is None else {}
    for setting in suited:
        _one_of(f"setting in the lesson of {found_game.title}", setting, SETTINGS)
    if suited:
        features, sides, rate = (suited.get(setting) for setting in ("features", "sides", "rate"))
    lesson = Lesson(
        found_game,
        way,
        features,
        _one_of("target", target, TARGETS),
        _one_of("depths", depths, DEPTHS),
        None if stages is None else whole_number("`stages`", stages, 1),
        select,
        whole_number("`seed`", seed),
        1 if sides is None else whole_number("`sides`", sides, 1),
    )
    lesson.positions = None if positions is None else whole_number("`positions`", positions, 1)
    lesson.games = None if games is None else whole_number("`games`", games, 1)
    lesson.usual_games = suited.get("games", GAMES)
    lesson.deepest = 0 if deepest is None else whole_number("`deepest`", deepest, 1)
    lesson.playouts = playouts if isinstance(playouts, str) else whole_number("`playouts`", playouts, 1)
    lesson.order = whole_number("`order`", order, 0)
    lesson.rate = lesson.rate if rate is None else rate
    lesson.trace, lesson.only = trace, tuple(only)
    lesson.average = suited.get("average", 0.0) if average is None else average
    lesson.workers = whole_number("`workers`", workers, 1) if workers is not None else os.cpu_count() or 1
    lesson.compiled, lesson.progress, lesson.announce = compiled, progress, announce
    name = learned.game_name(lesson.game).lower() if name is None else name
    learned.check_name(name.removesuffix(".json").replace("/", "") if name.endswith(".json") else name)
    if learned.is_reserved(name):
        raise SpecError(f"the name {name} is reserved for evaluators that ludus rank learns: choose another.")
    return learn_as(name, lesson, again)


def learn_as(name: str, lesson: Lesson, again: bool = False) -> Learnt:
    """Learn what is asked for and save it by this name, or find it saved."""
    lesson.check()
    found = None if again else _saved(name, lesson.key)
    if found is None:
        make_folder(learned.file_of(name).parent)  # before the work, which would be lost
    return found or _save(name, WAYS[lesson.method](lesson, again), lesson)


def show(name: str) -> Learnt:
    """What was learnt and saved under this name, or in this file."""
    return Learnt(learned.load_complete(name), was_saved=True)


def _one_of(what: str, given: str, known: tuple[str, ...]) -> Any:
    if given not in known:
        raise unknown(what, given, known)
    return given


def _saved(name: str, key: str) -> Learnt | None:
    try:
        found = show(name)
    except SpecError:
        return None
    return found if found.about.get("key") == key else None


def _save(name: str, found: Learned, lesson: Lesson) -> Learnt:
    """Write it to its file, with the record of how it came about."""
    about = {"name": Path(name).stem if name.endswith(".json") else name, "key": lesson.key, "seed": lesson.seed}
    about |= {"method": lesson.method, "target": lesson.target, "settings": lesson.settings}
    about |= {"fingerprint": identity.of_game(lesson.game), "version": VERSION}
    about["date"] = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    path = name if name.endswith(".json") else ""
    done = type(found)(found.about | about, path)
    learned.save(done, learned.file_of(name))
    return Learnt(done, was_saved=False)
