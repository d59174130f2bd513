"""`Lesson`: what is asked of `ludus learn`, what is learnt from, and how it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ludus.common.errors import SpecError, unknown
from ludus.common.files import make_folder
from ludus.learning import chunks
from ludus.learning.examples import Target
from ludus.learning.features import Features, features_of
from ludus.learning.random_positions import Depths
from ludus.learning.weighing import Weights
from ludus.library.evaluators.learned.learned import Learned
from ludus.model import identity
from ludus.model.playable import PlayableGame

Method = Literal["regression", "logistic", "td"]
METHODS = ("regression", "logistic", "td")
DEPTHS = ("middle", "uniform")

POSITIONS, GAMES = 20_000, 10_000
"""How many there are where nobody says, of compiled games: random positions for `regression`, games for the others."""

INTERPRETED = 50
"""So many times fewer where the game is interpreted."""

POINTS = 10
"""`td`: points of the learning curve after the first."""

STAGES = 3
"""`td`: so many sets of weights where nobody says, in a game that has the rule `phase`."""

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


class Lesson:
    """All that is asked for; and how it is learnt."""

    positions: int | None = None
    games: int | None = None
    usual_games: int = GAMES
    """How many games there are where nobody says, if the game is compiled."""
    deepest: int = 0
    playouts: int | str = 32
    only: tuple[str, ...] = ()
    """Features that count, if not all do."""
    order: int = 0
    """How often games are played anew by the weights found so far."""
    rate: float
    trace: float = 0.7
    average: float = 0.0
    """`td`: the last part of the games over which the mean of the weights is taken; 0: the last weights count."""
    points: int = POINTS
    """`td`: of the learning curve, after the first."""
    workers: int = 1
    compiled: bool | None = None
    progress: Progress = staticmethod(lambda done, words: None)
    announce: Announce = None

    def __init__(
        self,
        game: PlayableGame,
        method: Method,
        kind: str | None,
        target: Target,
        depths: Depths,
        stages: int | None,
        select: bool,
        seed: int,
        sides: int = 1,
    ) -> None:
        self.game, self.method, self.target, self.depths = game, method, target, depths
        self.select, self.seed = select, seed
        self.stages = (STAGES if method == "td" and game.has_rule("phase") else 1) if stages is None else stages
        self.features: Features = features_of(game, kind, sides)
        self.rate = self.usual_rate

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
        """Chunks of examples, `each` so many; in all that there is to do they are this `share`, from `start` on."""
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
