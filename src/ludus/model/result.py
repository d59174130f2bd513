"""`Result`: what a search has to say, and what it knows of each of the root's moves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from ludus.common.errors import listed
from ludus.common.notebook import frame, paragraphs, pre, table
from ludus.common.numbers import counted
from ludus.common.texttable import Column, lay_out, screen_width
from ludus.kernel.records import plain
from ludus.model.budget import Meter

if TYPE_CHECKING:
    from ludus.model.playable import PlayableGame
    from ludus.model.view import TreeView


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
    score: float | None = None
    """The game's score that is proven, if one is and it is known; in results of -1, 0 and 1 its sign."""

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
        """The value for people: `<= 34` if it is only a bound, `2 to 34` if only an interval is known."""
        if math.isnan(self.value) and math.isfinite(self.low) and math.isfinite(self.high):
            return f"{words(self.low)} to {words(self.high)}"
        mark = "<= " if self.is_upper_bound else ">= " if self.is_lower_bound else ""
        return score_words(self.score) if self.score is not None else mark + words(self.value)

    def to_dict(self) -> dict[str, Any]:
        """For JSON; what is unknown or infinite is None."""
        found = {"value": plain(self.value), "low": plain(self.low), "high": plain(self.high)}
        return found | {"proven": self.proven, "score": self.score} | plain_numbers(self.more)


@dataclass(frozen=True)
class Child:
    """One of the root's moves, and what the search knows of it."""

    move: int
    name: str
    known: Known

    @property
    def value(self) -> float:
        return self.known.value

    @property
    def score(self) -> float | None:
        return self.known.score

    def say(self, words: Callable[[float], str]) -> str:
        return self.known.say(words)

    def to_dict(self) -> dict[str, Any]:
        return {"move": self.name} | self.known.to_dict()


class Share(float):
    """A part of the whole, from 0 to 1, that people read as percent."""

    def __str__(self) -> str:
        return f"{float(self):.0%}"


def number_words(value: float | None) -> str:
    """A value as people read it."""
    if isinstance(value, int):
        return str(value)
    return "?" if value is None or value != value else f"{value:.6g}"


def count_words(count: float | None) -> str:
    """How many there are or must be, as people read it: what no number brings about is infinite."""
    return "never" if count == math.inf else number_words(count)


def score_words(score: float) -> str:
    """A result under best play, for people."""
    if score == 0:
        return "draw"
    return f"{'win' if score > 0 else 'loss'}{'' if abs(score) == 1 else f' by {abs(score):g}'}"


def plain_numbers(named: dict[str, Any]) -> dict[str, Any]:
    """For JSON; what is unknown or infinite is None."""
    return {name: plain(value) if isinstance(value, float) else value for name, value in named.items()}


SHOWN, FEW = 10, 15
"""How many moves of the root a table has if there are more than the second number."""


@dataclass(frozen=True, repr=False)
class Result:
    """The chosen move, the principal line, the root's children, what it cost, and why the search stopped."""

    game: PlayableGame
    state: Any
    chosen: Child
    line: list[int]
    children: list[Child]
    meter: Meter
    stopped: str
    scale: str
    """In which scale the values are: `evaluator`, or `result` from -1 to 1."""
    words: Callable[[float], str] = str
    """How a value of that scale is said to people."""
    tree: TreeView | None = None
    """The search's tree, if it was to be kept."""
    statistics: dict[str, float] = field(default_factory=dict)
    """What there is to say of the search as a whole, by name: cut-offs, the depth reached."""

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
    def nodes(self) -> int:
        """How many nodes were generated."""
        return self.meter.generated

    @property
    def seconds(self) -> float:
        """How long the search took; compiling does not count."""
        return self.meter.seconds

    @property
    def pv(self) -> list[str]:
        """The principal line, as people write it."""
        return self.line_names

    def to_frame(self) -> Any:
        """The root's moves as a pandas table; needs pandas."""
        return frame([child.to_dict() for child in self.children])

    @property
    def line_names(self) -> list[str]:
        """The principal line as people write it."""
        return self.game.move_names(self.line, self.state)

    @property
    def shown(self) -> list[Child]:
        """The root's moves for people to see, best first: all if they are few, and always the chosen one.

        Of moves with the same number the chosen one comes first, and those of which it is but an upper bound last.
        """

        def order(child: Child) -> tuple[bool, float, bool, bool]:
            return math.isnan(child.value), -child.value, child.move != self.move, child.known.is_upper_bound

        best = sorted(self.children, key=order)
        if len(best) <= FEW:
            return best
        place = next(place for place, child in enumerate(best) if child.move == self.move)
        return best[:SHOWN] if place < SHOWN else [*best[: SHOWN - 1], best[place]]

    @property
    def table(self) -> list[Column]:
        """What is known of the moves that are `shown`."""
        shown = self.shown
        found = [
            Column("move", [child.name for child in shown], left=True),
            Column("value", [child.say(self.words) for child in shown]),
        ]
        for key in shown[0].known.more:
            cells = [child.known.more[key] for child in shown]
            found.append(Column(key, [cell if isinstance(cell, str) else count_words(cell) for cell in cells]))
        return found

    @property
    def unseen(self) -> str:
        """How many moves are not `shown`, in words; empty if all are."""
        more = len(self.children) - len(self.shown)
        return f"... and {more} moves more" if more else ""

    @property
    def _head(self) -> list[str]:
        said = f"{self.move_name}, value {self.chosen.say(self.words)}"
        cost = f"cost  {counted(self.meter.generated, 'node')}; stopped: {self.stopped}"
        return [said, f"line  {listed(self.line_names, ' ')}", cost]

    def __repr__(self) -> str:
        return (
            f"<result: {self.move_name}, value {self.chosen.say(self.words)}, {counted(self.meter.generated, 'node')}>"
        )

    def __str__(self) -> str:
        return "\n".join(filter(None, [*self._head, *lay_out(self.table, screen_width()), self.unseen]))

    def _repr_html_(self) -> str:
        """In a notebook: the position, and the same."""
        from ludus.model.position import Position

        marked = [child.move for child in self.shown].index(self.move)
        board = Position(self.game, self.state)._repr_html_()
        return board + pre("\n".join(self._head)) + table(self.table, marked) + paragraphs([self.unseen])

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
            "statistics": plain_numbers(self.statistics),
            "children": [child.to_dict() for child in self.children],
        }
