"""`Result`: what a search has to say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from ludus.core.budget import Meter
from ludus.core.compile.records import plain

if TYPE_CHECKING:
    from ludus.core.game import Game


@dataclass(frozen=True)
class Child:
    """One of the root's moves, and what the search knows of it, to the player to move at the root."""

    move: int
    name: str
    value: float
    opinion: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        known = {key: plain(v) if isinstance(v, float) else v for key, v in self.opinion.items()}
        return {"move": self.name, "value": plain(self.value)} | known


@dataclass(frozen=True)
class Result:
    """The move, its value, the principal line, the root's children, what it cost, and why the search stopped."""

    game: Game = field(repr=False)
    state: Any = field(repr=False)
    move: int
    value: float
    line: list[int]
    children: list[Child] = field(repr=False)
    meter: Meter
    stopped: str
    words: Callable[[float], str] = field(default=str, repr=False)
    """How the evaluator says a value to people."""

    @property
    def move_name(self) -> str:
        return self.game.move_name(self.state, self.move)

    @property
    def line_names(self) -> list[str]:
        """The principal line as people write it."""
        return self.game.move_names(self.line, self.state)

    def to_dict(self) -> dict[str, Any]:
        """The public contract's JSON keys."""
        return {
            "move": self.move_name,
            "value": plain(self.value),
            "line": self.line_names,
            "stopped": self.stopped,
            "meter": asdict(self.meter),
            "children": [child.to_dict() for child in self.children],
        }
