"""Why a player is left out, or forfeits a game: facts, which a database keeps; `str` puts them into words."""

from __future__ import annotations

import json
import shlex
import signal
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, get_type_hints

from ludus.common.errors import CannotPlay, LudusError, RuleError, line_of
from ludus.common.files import escape_control_characters, parse_json
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player

KILLED = (signal.SIGTERM, getattr(signal, "SIGKILL", 9))
"""Signals by which somebody else ends a process."""


@dataclass(frozen=True)
class Reason:
    """Why a player cannot play, or cannot go on."""

    kind: ClassVar[str]
    alike: ClassVar[tuple[str, ...]] = ()
    """The fields that agree in reasons of this kind that are told as one."""

    @property
    def like(self) -> tuple[Any, ...]:
        """What it has in common with others that are told as one with it."""
        return self.kind, *(getattr(self, name) for name in self.alike)

    def to_json(self) -> str:
        return json.dumps({"kind": self.kind} | asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Reason | None:
        """What `to_json` wrote; None for an empty text.

        A `ValueError`, `TypeError`, `KeyError` or `OverflowError` if it is damaged.
        """
        if not text:
            return None
        facts = dict(parse_json(text))
        kind = KINDS[facts.pop("kind")]
        made = kind(**facts)
        if not all(isinstance(getattr(made, each.name), get_type_hints(kind)[each.name]) for each in fields(made)):
            raise TypeError(f"a fact of the kind {kind.kind} has another type")
        str(made)  # for which a number may be too large
        return made

    def harmless(self) -> Reason:
        """The same with nothing in it that a terminal would obey."""
        facts = {each.name: getattr(self, each.name) for each in fields(self)}
        return type(self)(**{k: escape_control_characters(v) if isinstance(v, str) else v for k, v in facts.items()})


@dataclass(frozen=True)
class Told(Reason):
    """Of databases up to format 3, which have only the words."""

    kind, alike = "text", ("words",)
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Failed(Reason):
    """Its search or its evaluator raised an error, of this class and with these words."""

    kind = "error"
    words: str
    error: str
    rule: str = ""
    line: str = ""
    """The rule that failed, and the line, if they are known."""

    @property
    def like(self) -> tuple[Any, ...]:
        return self.kind, self.error, self.rule, self.line or self.words

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Unable(Reason):
    """Its search cannot play the game at all, or not so."""

    kind, alike = "unable", ("why",)
    player: str
    why: str

    def __str__(self) -> str:
        return f"{self.player} {self.why}"


@dataclass(frozen=True)
class Costly(Reason):
    """Its first move costs so many nodes that it is left out; at a budget of `enough`, if that is known, it is not."""

    kind = "costly"
    nodes: int
    budget: int
    enough: int = 0

    @property
    def needs(self) -> str | None:
        """The budget from which on the player takes part; None if that is unknown."""
        return f"nodes={self.enough}" if self.enough else None

    def __str__(self) -> str:
        more = f"; it takes part from {self.needs}" if self.enough else ""
        return f"its first move costs {self.nodes:,} nodes, the budget is {self.budget:,}{more}"


@dataclass(frozen=True)
class Overran(Reason):
    """It spent more on a move, or on a game, than its budget and one expansion or playout."""

    kind, alike = "overran", ("unit",)
    unit: str
    """`nodes` or `seconds`."""
    spent: float | int
    budget: float | int
    per: str

    def __str__(self) -> str:
        spent, budget = f"{self.spent:,} nodes", f"{self.budget:,}"
        if self.unit == "seconds":
            spent, budget = f"{self.spent:.3g} s", f"{self.budget:g}"
        return f"overran its budget: {spent} for a {self.per}, of {budget}"


@dataclass(frozen=True)
class TooSlow(Reason):
    """It thought longer about a move than any player may."""

    kind = "slow"
    limit: float | int

    def __str__(self) -> str:
        return f"took longer than {self.limit:g} s for a move"


@dataclass(frozen=True)
class Illegal(Reason):
    """It chose a move that is not legal in this position."""

    kind = "illegal"
    move: int
    position: str

    def __str__(self) -> str:
        return f"chose {self.move}, which is not legal in position {self.position}"


@dataclass(frozen=True)
class Decision:
    """A move that is to be chosen: what must be known to do it again."""

    game: str
    player: str
    state: str
    seed: int
    compiled: bool | None = None

    @classmethod
    def of(cls, game: PlayableGame, player: Player, state: Any, seed: int) -> Decision:
        return cls(str(game), str(player), game.state_text(state), seed, player.compiled)

    @property
    def command(self) -> str:
        """How to do it again, in words of the library (`cli.common.with_flags`)."""
        words = shlex.join(["ludus", "search", self.game, self.player])
        interpreted = " `no_compile`" if self.compiled is False else ""
        return f"{words} `state={shlex.quote(self.state)}` `seed={self.seed}`{interpreted}"


@dataclass(frozen=True)
class Died(Reason):
    """The process in which it played died, so many times, with this exit status; `command` shows it again."""

    kind, alike = "died", ("status",)
    status: int
    times: int
    command: str = ""

    def __str__(self) -> str:
        if self.status >= 0 or -self.status in KILLED:
            return f"its process died {self.times} times (exit status {self.status})"
        known = -self.status in list(signal.Signals)
        by = signal.Signals(-self.status).name if known else f"signal {-self.status}"
        shown = f", with the command that shows it: {self.command}" if self.command else ""
        return f"crashed ({by}); please report it{shown}"


KINDS: dict[str, type[Reason]] = {each.kind: each for each in Reason.__subclasses__()}


class PlayerError(LudusError):
    """A player cannot go on, for this reason."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def reason_of(error: Exception) -> Reason:
    """Why a player cannot go on whose search or evaluator raised this error."""
    if isinstance(error, PlayerError):
        return error.reason
    if isinstance(error, CannotPlay):
        return Unable(error.player, error.why)
    words = str(error) if isinstance(error, LudusError) else f"{type(error).__name__}: {error}"
    rule, line = (error.rule, error.line) if isinstance(error, RuleError) else ("", line_of(error))
    return Failed(words, type(error).__name__, rule, line)
