"""`Result`: what a search has to say, and what it knows of each of the root's moves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from ludus.core.budget import Meter
from ludus.core.compile.records import plain

if TYPE_CHECKING:
    from ludus.core.game import Game
    from ludus.core.view import TreeView


@dataclass(frozen=True)
class Known:
    """What a search knows of a move, to the player who makes it, in the search's scale."""

    value: float = math.nan
    """NaN: nothing."""
    low: float = -math.inf
    """The value is not below this."""
    high: float = math.inf
    proven: bool = False
    """Whether the value comes from finished games alone: the winner can force at least that."""
    more: dict[str, Any] = field(default_factory=dict)
    """Further numbers by name: swing, visits, depth."""

    @property
    def is_bound(self) -> bool:
        return self.is_upper_bound or self.is_lower_bound

    @property
    def is_upper_bound(self) -> bool:
        return self.low == -math.inf and self.high == self.value

    @property
    def is_lower_bound(self) -> bool:
        return self.high == math.inf and self.low == self.value

    def say(self, words: Callable[[float], str]) -> str:
        """The value for people: `<= 34` if it is only a bound."""
        mark = "<= " if self.is_upper_bound else ">= " if self.is_lower_bound else ""
        return mark + words(self.value)


@dataclass(frozen=True)
class Child:
    """One of the root's moves, and what the search knows of it."""

    move: int
    name: str
    known: Known
    score: float | None = None
    """The game's score that is proven, if one is and the search knows it; in results of -1, 0 and 1 its sign."""

    @property
    def value(self) -> float:
        return self.known.value

    def say(self, words: Callable[[float], str]) -> str:
        """The value for people; a proven one by its score."""
        return score_words(self.score) if self.score is not None else self.known.say(words)

    def to_dict(self) -> dict[str, Any]:
        known = self.known
        found = {"move": self.name, "value": plain(known.value), "low": plain(known.low), "high": plain(known.high)}
        more = {key: plain(v) if isinstance(v, float) else v for key, v in known.more.items()}
        return found | {"proven": known.proven, "score": self.score} | more


def score_words(score: float) -> str:
    """A result under best play, for people."""
    if score == 0:
        return "draw"
    return f"{'win' if score > 0 else 'loss'}{'' if abs(score) == 1 else f' by {abs(score):g}'}"


@dataclass(frozen=True)
class Result:
    """The chosen move, the principal line, the root's children, what it cost, and why the search stopped."""

    game: Game = field(repr=False)
    state: Any = field(repr=False)
    chosen: Child
    line: list[int]
    children: list[Child] = field(repr=False)
    meter: Meter
    stopped: str
    scale: str = field(repr=False)
    """In which scale the values are: `evaluator`, or `result` from -1 to 1."""
    words: Callable[[float], str] = field(default=str, repr=False)
    """How a value of that scale is said to people."""
    tree: TreeView | None = field(default=None, repr=False)
    """The search's tree, if it was to be kept."""

    @property
    def move(self) -> int:
        return self.chosen.move

    @property
    def value(self) -> float:
        return self.chosen.value

    @property
    def move_name(self) -> str:
        return self.chosen.name

    @property
    def line_names(self) -> list[str]:
        """The principal line as people write it."""
        return self.game.move_names(self.line, self.state)

    def to_dict(self) -> dict[str, Any]:
        """The public contract's JSON keys."""
        return {
            "move": self.move_name,
            "value": plain(self.value),
            "proven": self.chosen.known.proven,
            "scale": self.scale,
            "line": self.line_names,
            "stopped": self.stopped,
            "meter": asdict(self.meter),
            "children": [child.to_dict() for child in self.children],
        }
