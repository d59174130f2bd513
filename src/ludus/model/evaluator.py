"""`Evaluator`: a static opinion of a position."""

from __future__ import annotations

import copy
import math
from typing import Any, ClassVar

from ludus.common.errors import SpecError
from ludus.kernel.rules import rules_of, score
from ludus.model.calibration import Calibration
from ludus.model.component import Component
from ludus.model.result import number_words, score_words
from ludus.model.spec import Spec

WIN = 2.0**20
"""What one unit of a game's score is worth: any win outranks any static value below this."""


class Evaluator(Component):
    """A static opinion, to the player to move. Like a game's rules, its methods are compiled if they can be."""

    shared = True

    watched = (*(rule.name for rule in rules_of("evaluator")), "prepare", "plays")

    games: ClassVar[tuple[str, ...]] = ()
    """The names of the games it is for; empty for any game."""

    judges: ClassVar[bool] = True
    """Whether it knows something of the game, neither guesses nor plays it out."""

    sees_passes: ClassVar[bool] = False
    """In a game with `alternates = False`: whether it is given states with the library's last element, as one must that
    plays the game. Any other is given the game's own states, and where a pass is due its opinion changes sign."""

    lowest: float = -math.inf
    """No value is below this, of finished games neither."""

    highest: float = math.inf

    calibration: Calibration = Calibration()
    """What has been fitted about it; nothing, unless it is `calibrated`."""

    @classmethod
    def from_arguments(cls, arguments: dict[str, Any]) -> Any:
        """What a spec describes; every evaluator understands `calibration`, the hash of one that was saved."""
        own = {key: value for key, value in arguments.items() if key != "calibration"}
        return super().from_arguments(own).with_arguments(arguments)

    def with_arguments(self, arguments: dict[str, Any]) -> Any:
        """This evaluator with what these arguments say that every evaluator understands."""
        if "calibration" in arguments:
            return self.calibrated(Calibration.load(str(arguments["calibration"])))
        return self

    def calibrated(self, calibration: Calibration) -> Any:
        """This evaluator with what has been fitted about it."""
        fitted = copy.copy(self)
        fitted.calibration = calibration
        return fitted

    @property
    def spec(self) -> Spec:
        """The canonical spec; a calibration shows by its hash."""
        own = super().spec
        more = {"calibration": self.calibration.hash} if self.calibration.hash else {}
        return Spec(own.name, own.arguments | more)

    def has_own(self, name: str) -> bool:
        return name in ("lowest", "highest", "calibration") or super().has_own(name)

    def prepare(self, game: Any) -> None:
        """Set the fields that depend on the game's parameters (masks of a board's squares, say)."""

    def on(self, game: Any) -> Any:
        """A copy of this evaluator, prepared for `game`."""
        if type(self).games and game.name not in type(self).games:
            raise SpecError(f"evaluator {self.title} is for {', '.join(type(self).games)}, not for {game.title}.")
        prepared = copy.copy(self)
        prepared.calibration = self.calibration  # a field of its own, as compiled code needs it
        prepared.prepare(game)
        return prepared

    def plays(self, game: Any) -> int:
        """How many nodes one evaluation generates at most: none, unless it plays the game to form an opinion."""
        return 0

    def for_dry_run(self) -> Any:
        """An evaluator like this one that costs little, for the interpreted run before the first compilation."""
        return self

    def is_decided(self, value: float) -> bool:
        """Whether only finished games have such a value: somebody can force a win."""
        return type(self).final is Evaluator.final and abs(value) >= WIN

    def score_of(self, value: float) -> float | None:
        """The game's score that a proven value stands for; None if this evaluator's `final` does not tell."""
        return value / WIN if type(self).final is Evaluator.final else None

    def words(self, value: float) -> str:
        """A value as people read it: a finished game by its score, anything else as a number."""
        if self.is_decided(value):
            return score_words(value / WIN)
        return number_words(value)

    def evaluate(self, game: Any, state: Any) -> float:
        """The value of an unfinished game."""
        raise NotImplementedError

    def final(self, game: Any, state: Any) -> float:
        """The value of a finished game: the score, scaled so that any win outranks any static value."""
        return WIN * score(game, state)

    def terms(self, game: Any, state: Any, places: Any, numbers: Any) -> int:
        """The features that it weighs, for learning: see `rules.terms`. Most evaluators are no such sum."""
        return 0


EvaluatorLike = Evaluator | type[Evaluator] | str
"""What stands for an evaluator: itself, its class, or its spec."""
