"""`Lesson`: what is asked of `ludus learn`, what is learnt from, and how it is told."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludus.common.errors import SpecError, unknown
from ludus.common.files import make_folder
from ludus.common.numbers import whole_number
from ludus.learning import chunks
from ludus.learning.examples import TARGETS
from ludus.learning.features import Features, features_of
from ludus.learning.weighing import Weights
from ludus.library.evaluators.learned.learned import Learned
from ludus.model import identity
from ludus.model.playable import PlayableGame

METHODS = ("regression", "logistic", "td")
DEPTHS = ("middle", "uniform")

POSITIONS, GAMES = 20_000, 10_000
"""How many there are where nobody says, of compiled games: random positions for `regression`, games for the others."""

INTERPRETED = 50
"""The factor by which there are fewer where the game is interpreted."""

POINTS = 10
"""`td`: points of the learning curve after the first."""

STAGES = 3
"""`td`: the number of sets of weights where nobody says, in a game that has the rule `phase`."""

MOST_STAGES = 100
"""More sets of weights than a game has phases to tell apart."""

PLAYOUTS = ("weak", "strong")
"""The settings that stand for a number of playouts."""

RATE, PATTERN_RATE = 0.1, 0.5
"""`td`: how far a position's value moves towards its target, where nobody says. Positions have few patterns in common,
so that with patterns a larger step does little harm to the others. With a few features that all positions have it does:
at 0.5 those of chess come to nothing."""

SHOWN = 2_000
"""How many examples are kept for the picture."""

VERSION = 3
"""Another number where the same seed gives other examples than before."""

Progress = Callable[[float, str], None]
Announce = Callable[[str], None] | None


FROM_GAME = ("features", "sides", "rate", "games", "average")
"""What a game may say in its `lesson`."""


@dataclass(frozen=True)
class LearnSettings:
    """What is asked of `ludus.learn`, which explains it; None: as the method and the game suggest."""

    method: str = "td"
    features: str | None = None
    target: str = "outcome"
    positions: int | None = None
    games: int | None = None
    depths: str = "middle"
    deepest: int | None = None
    playouts: int | str = 32
    stages: int | None = None
    sides: int | None = None
    select: bool = False
    only: Sequence[str] = ()
    order: int = 0
    rate: float | None = None
    trace: float = 0.7
    average: float | None = None
    seed: int = 0
    workers: int | None = None
    compiled: bool | None = None
    points: int = POINTS
    """`td`: of the learning curve, after the first."""

    def __post_init__(self) -> None:
        for name, known in (("method", METHODS), ("target", TARGETS), ("depths", DEPTHS)):
            if getattr(self, name) not in known:
                raise unknown(name, getattr(self, name), known)
        least = {"positions": 1, "games": 1, "deepest": 1, "stages": 1, "sides": 1, "order": 0, "workers": 1}
        given = {name: getattr(self, name) for name in least} | {"seed": self.seed}
        if not isinstance(self.playouts, str):
            given["playouts"], least["playouts"] = self.playouts, 1
        numbers = {
            name: whole_number(f"`{name}`", value, least.get(name))
            for name, value in given.items()
            if value is not None
        }
        self.__dict__.update(numbers, only=tuple(self.only))

    def from_game(self, game: PlayableGame) -> Mapping[str, Any]:
        """What the game suggests: for `td`, where none of features, sides and rate is given."""
        if self.method != "td" or (self.features, self.sides, self.rate) != (None, None, None):
            return {}
        for setting in game.lesson:
            if setting not in FROM_GAME:
                raise unknown(f"setting in the lesson of {game.title}", setting, FROM_GAME)
        return game.lesson


class Lesson:
    """What is learnt from, and how: the settings, with those of the game where nobody said otherwise."""

    def __init__(
        self,
        game: PlayableGame,
        settings: LearnSettings,
        progress: Progress = lambda done, words: None,
        announce: Announce = None,
    ) -> None:
        suggested = settings.from_game(game)
        self.game, self.seed, self.select, self.only = game, settings.seed, settings.select, tuple(settings.only)
        self.method: Any = settings.method
        self.target: Any = settings.target
        self.depths: Any = settings.depths
        usual_stages = STAGES if self.method == "td" and game.has_rule("phase") else 1
        self.stages = usual_stages if settings.stages is None else settings.stages
        kind, sides = suggested.get("features", settings.features), suggested.get("sides") or settings.sides or 1
        self.features: Features = features_of(game, kind, sides)
        self.positions, self.games = settings.positions, settings.games
        self.usual_games = suggested.get("games", GAMES)
        """How many games there are where nobody says, if the game is compiled."""
        self.deepest, self.playouts, self.order = settings.deepest or 0, settings.playouts, settings.order
        rate = suggested.get("rate", settings.rate)
        self.rate: float = self.usual_rate if rate is None else rate
        self.trace, self.points = settings.trace, settings.points
        self.average = suggested.get("average", 0.0) if settings.average is None else settings.average
        """`td`: the last part of the games over which the mean of the weights is taken; 0: the last weights count."""
        self.workers = settings.workers or os.cpu_count() or 1
        self.compiled, self.progress, self.announce = settings.compiled, progress, announce

    def check(self) -> None:
        """Refuse what makes no sense, or does not go together."""
        if isinstance(self.playouts, str) and self.playouts not in PLAYOUTS:
            raise SpecError(f"`playouts` must be a whole number, {' or '.join(PLAYOUTS)}, not {self.playouts!r}.")
        if self.stages > MOST_STAGES:
            raise SpecError(f"`stages` must be a whole number from 1 to {MOST_STAGES}, not {self.stages}.")
        if self.stages > 1 and not self.game.has_rule("phase"):
            raise SpecError(f"`stages` must be 1: {self.game.title} has no rule phase, which says how far a game is.")
        if self.method != "regression" and self.target == "margin":
            raise SpecError(f"{self.method} learns who wins; `target=margin` is for regression.")
        if self.order and self.method != "regression":
            raise SpecError("`order` is for regression: the other methods play by what they have learnt anyway.")
        if not 0 <= self.average < 1:
            raise SpecError(f"`average` must be a part of the games, at least 0 and below 1, not {self.average}.")
        if self.average and self.method != "td":
            raise SpecError("`average` is for td.")
        if self.only and self.method != "regression":
            raise SpecError("`only` is for regression.")
        for name in self.only:
            if name not in self.names:
                raise unknown(f"feature of {self.game.title}", name, self.names, "it has")

    @property
    def usual_rate(self) -> float:
        return RATE if self.features.evaluator.kind == "features" else PATTERN_RATE

    @property
    def names(self) -> list[str]:
        """What the features are called, the constant included."""
        return list(self.features.evaluator.about["names"])

    @property
    def settings(self) -> dict[str, Any]:
        """What besides the game, the method, the target and the seed decides what is learnt."""
        common = {"features": self.features.evaluator.kind, "stages": self.stages, "select": self.select}
        if self.method == "regression":
            own: dict[str, Any] = {"positions": self.positions, "depths": self.depths, "deepest": self.deepest}
            own |= {"playouts": self.playouts} | ({"order": self.order} if self.order else {})
            return common | own | ({"only": self.only} if self.only else {})
        own = {"games": self.games or self.usual_games}
        if self.method == "td":
            own |= {"rate": self.rate, "trace": self.trace} | ({"average": self.average} if self.average else {})
        return common | own

    @property
    def key(self) -> str:
        """What is learnt follows from it."""
        return chunks.folder_of(*self.parts, self.method, self.target, self.settings, self.compiled is False).name

    @property
    def parts(self) -> tuple[Any, ...]:
        """What examples follow from, in every method."""
        about = self.features.evaluator.about
        names = tuple(about["names"]), repr(about["features"])
        return VERSION, str(self.game), identity.of_game(self.game), self.features.evaluator.kind, *names, self.seed

    def gather(
        self,
        folder: Path,
        numbers: range,
        makers: Sequence[Callable[[int], chunks.Chunk]],
        again: bool,
        words: str,
        each: int,
        start: float = 0.0,
        share: float = 1.0,
    ) -> list[chunks.Chunk]:
        """Chunks of examples, `each` in a chunk; in all that there is to do they are this `share`, from `start` on."""
        if again:
            chunks.forget(folder)
        make_folder(folder)  # before the work, which would be lost

        def tell(done: int) -> None:
            self.progress(0.95 * (start + share * done / len(numbers)), words.format(done * each))

        return chunks.gather(folder, numbers, makers, tell)

    def told(
        self, found: Weights, fit: dict[str, Any], positions: int, games: int | None, shown: dict[str, np.ndarray]
    ) -> Learned:
        """The evaluator with these weights, and what is told about them."""
        shape = self.stages, len(self.features)
        step = max(len(shown["predicted"]) // SHOWN, 1)
        return self.features.evaluator.weighing(
            found.weights.reshape(shape),
            errors=_plain(found.errors.reshape(shape)),
            p_values=_plain(found.p_values.reshape(shape)),
            fit=fit,
            positions=positions,
            games=games,
            shown={name: [float(f"{x:.4g}") for x in numbers[::step]] for name, numbers in shown.items()},
        )


def _plain(numbers: np.ndarray) -> list[list[float | None]]:
    """Numbers for JSON."""
    return [[float(x) if np.isfinite(x) else None for x in row] for row in numbers]
