"""`Solution`: the exact result of a position, or what was proven of it, and how it is told."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ludus.common.errors import listed
from ludus.common.notebook import pre
from ludus.common.numbers import counted
from ludus.diagnostics.solve.circles import NO_CIRCLES, Circles
from ludus.kernel.records import plain
from ludus.model.position import Position
from ludus.model.result import Result, number_words, score_words
from ludus.runtime.session import Session


@dataclass(frozen=True)
class Proven:
    """What a search has proven of the value of its position, at the end or on the way."""

    low: float
    high: float
    depth: int
    """Within this many plies the question at hand cannot be decided; 0: no such number is known."""

    @classmethod
    def by(cls, session: Session) -> Proven:
        at = session.tree.record.register[0]
        return cls(float(at.low) + 0.0, float(at.high) + 0.0, int(at.searched))

    @property
    def solved(self) -> bool:
        return self.low >= self.high

    def __str__(self) -> str:
        if self.solved:
            return f"value {number_words(self.low)}"
        if math.isinf(self.low) and math.isinf(self.high):
            return "value unknown"
        if math.isinf(self.high):
            return f"value at least {number_words(self.low)}"
        if math.isinf(self.low):
            return f"value at most {number_words(self.high)}"
        return f"value between {number_words(self.low)} and {number_words(self.high)}"

    @property
    def reach(self) -> str:
        """How far the search has looked, in words; empty if there is nothing to say."""
        if self.solved or self.depth == 0:
            return ""
        within = f"within {_plies(self.depth)}"
        if self.low < 0 <= self.high:  # the first question, whether it is lost, is open
            return f"neither player can force a win {within}"
        return f"the question at hand cannot be decided {within}"


@dataclass(frozen=True, repr=False)
class Solution:
    """The exact result, or what was proven of it. `print` shows it, `to_dict` gives the JSON of `ludus solve`."""

    result: Result
    """Of the search `solve`: each of the moves with its bounds, the cost."""
    proven: Proven
    goal: str
    seed: int
    line: list[int]
    stopped: str
    threads: int
    """How many there were: one where the rules are interpreted."""
    is_compiled: bool
    shortest: bool = False
    """Whether the winner hastens in the line and the loser delays."""
    reachable: int | None = None
    """How many positions there are,"""
    choices: int | None = None
    """how often there is a choice along the line, and how often then only one move is right; None: not known."""
    single: int | None = None
    circles: Circles = NO_CIRCLES
    """Of what is not solved: whether positions come up again, as far as is known."""

    @property
    def solved(self) -> bool:
        return self.proven.solved

    @property
    def value(self) -> float | None:
        """To the player to move; None: it is not known."""
        return self.proven.low if self.solved else None

    @property
    def line_names(self) -> list[str]:
        return self.result.game.move_names(self.line, self.result.state)

    @property
    def pv(self) -> list[str]:
        """The principal line, as people write it."""
        return self.line_names

    @property
    def move(self) -> str:
        """The move to make, as people write it."""
        return self.line_names[0]

    @property
    def nodes(self) -> int:
        """How many positions were generated."""
        return self.result.nodes

    def to_dict(self) -> dict[str, Any]:
        """The public contract's JSON keys, and more."""
        names, meter = self.line_names, self.result.meter
        return {
            "game": str(self.result.game),
            "value": self.value,
            "low": plain(self.proven.low),
            "high": plain(self.proven.high),
            "depth": None if self.solved else self.proven.depth,
            "move": names[0],
            "line": names,
            "nodes": meter.generated,
            "positions": meter.expanded,
            "seconds": meter.seconds,
            "solved": self.solved,
            "stopped": self.stopped,
            "endless": self.circles.is_endless,
            "shortest": self.shortest,
            "reachable": self.reachable,
            "choices": self.choices,
            "single": self.single,
            "threads": self.threads,
            "children": [child.to_dict() for child in self.result.children],
            "seed": self.seed,
        }

    def __str__(self) -> str:
        names, meter = self.line_names, self.result.meter
        words = score_words(self.proven.low) if self.solved else f"not solved, {self.proven}"
        told = [f"{self.result.game}: {words} for the player to move", f"move     {names[0]}"]
        told.append(f"line     {listed(names, ' ')}")
        if self.reachable is not None:
            told += [f"         {self._of_line}", f"game     {self.reachable:,} positions can be reached"]
        cost = f"{counted(meter.generated, 'node')} generated, {counted(meter.expanded, 'position')} visited"
        told.append(f"stopped  {self.stopped}: {cost}, {meter.seconds:.3f} s")
        if not self.solved:
            told += [f"moves    {self._of_moves}", *([f"depth    {reach}"] if (reach := self.proven.reach) else [])]
            told += [f"circles  {words}"] if (words := str(self.circles)) else []
            told.append(f"try      {'; '.join(self._remedies)}")
        return "\n".join(told)

    def __repr__(self) -> str:
        return f"<solution: {self.result.game}, {self.proven}>"

    def _repr_html_(self) -> str:
        """In a notebook: the position, and the same."""
        return Position(self.result.game, self.result.state)._repr_html_() + pre(str(self))

    @property
    def _of_line(self) -> str:
        """The length of the line, and how many of its moves were the only right one."""
        length = f"{_plies(len(self.line))}, "
        if self.shortest:
            length += "the fewest against the longest resistance; "
        if self.choices == 0:
            return f"{length}no move is a choice"
        return f"{length}of {counted(self.choices or 0, 'choice')} {self.single} had only one right move"

    @property
    def _of_moves(self) -> str:
        """What is proven of the moves."""
        known = [child.known for child in self.result.children]
        groups = {
            "proven to win": sum(each.low > 0 for each in known),
            "proven to draw at least": sum(each.low == 0 for each in known),
            "proven to lose": sum(each.high < 0 for each in known),
        }
        said = [f"{count} {words}" for words, count in groups.items() if count]
        if not said:
            return f"of {len(known)} none is proven to win, to draw or to lose: the one above is a guess"
        return f"of {len(known)}: {', '.join(said)}"

    @property
    def _remedies(self) -> list[str]:
        """What may solve it."""
        game = self.result.game
        if self.circles.is_endless:
            return ["a game that ends: with a number of plies in its state, say, and a draw after N of them"]
        found = ["a larger budget"]
        if self.goal == "score" and (self.proven.low, self.proven.high) != (-1, 1):
            found.append("`goal=result`, which asks only who wins")
        if not self.is_compiled:
            found.append("rules that compile, which are many times as fast")
        if missing := [name for name in ("lowest", "highest", "foreseen") if not game.has_rule(name)]:
            found.append(f"in the game the optional rule{'s' * (len(missing) > 1)} {listed(missing)}")
        return found


def _plies(count: int) -> str:
    return f"{count} pl{'y' if count == 1 else 'ies'}"
