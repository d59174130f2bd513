"""The classes of which games are made: the author's with what the library adds.

A class with `alternates = False` gets a forced pass wherever a player moves again, so that players take turns. The
rules are then those of `kernel/alternation.py`; what stands here is for people, and for Python.
"""

from __future__ import annotations

import functools
from typing import Any

from ludus.common.errors import LudusError, StateError
from ludus.kernel.alternation import (
    PASS,
    PASS_NAME,
    cells,
    chance,
    due,
    features,
    foreseen,
    highest,
    joined,
    lowest,
    moves,
    noisy,
    null,
    over,
    own,
    phase,
    play,
    play_with_chance,
    score,
    urgency,
)
from ludus.model.game import Game
from ludus.model.playable import PlayableGame


def initial(self: Any) -> Any:
    return joined(self, super(type(self), self).initial(), False)


def state_text(self: Any, state: Any) -> str:
    text = super(type(self), self).state_text(own(self, state))
    return f"{text} {PASS_NAME}" if due(self, state) else text


def parse_state(self: Any, text: str) -> Any:
    passing = text.split()[-1:] == [PASS_NAME]
    written = text.strip().removesuffix(PASS_NAME).rstrip() if passing else text
    return joined(self, super(type(self), self).parse_state(written), passing)


def render(self: Any, state: Any) -> str:
    return super(type(self), self).render(own(self, state))


def svg(self: Any, state: Any) -> str:
    return super(type(self), self).svg(own(self, state))


def diagram(self: Any, state: Any) -> Any:
    return super(type(self), self).diagram(own(self, state))


def gesture(self: Any, state: Any, move: int) -> Any:
    return [] if due(self, state) else super(type(self), self).gesture(own(self, state), move)


def move_name(self: Any, state: Any, move: int) -> str:
    return PASS_NAME if due(self, state) else super(type(self), self).move_name(own(self, state), move)


def parse_move(self: Any, state: Any, text: str) -> int:
    if not due(self, state):
        return super(type(self), self).parse_move(own(self, state), text)
    if text != PASS_NAME:
        raise StateError(f"{text!r} is not a move here: the other player moves again, so the only move is {PASS_NAME}.")
    return PASS


def mover(self: Any, state: Any) -> Any:
    return super(type(self), self).mover(own(self, state))


def winner(self: Any, state: Any) -> Any:
    return super(type(self), self).winner(own(self, state))


def position_key(self: Any, state: Any) -> Any:
    return super(type(self), self).position_key(own(self, state)), due(self, state)


def read_state(self: Any, given: Any = None) -> Any:
    """The same as `PlayableGame.read_state`, which here takes the game's own states too."""
    from ludus.model.position import Position

    if given is not None and not isinstance(given, (Position, str)):
        given = joined(self, own(self, given), due(self, given))
    return super(type(self), self).read_state(given)


# The derived class.

ALWAYS = (initial, moves, play, score, mover, read_state)
SHOWN = (state_text, parse_state, render, move_name, parse_move)
IF_THERE = (
    over,
    chance,
    null,
    noisy,
    urgency,
    foreseen,
    phase,
    features,
    cells,
    winner,
    svg,
    diagram,
    gesture,
    position_key,
)


@functools.cache
def playable(cls: type[Game]) -> type[PlayableGame]:
    """The class of which the objects of `cls` are made: with what the library adds, and players who take turns."""
    if "written" in vars(cls):
        return cls  # type: ignore[return-value]
    about = {name: getattr(cls, name) for name in ("__module__", "__qualname__", "__doc__")}
    members = {} if cls.alternates else _turns(cls)
    bases: Any = (cls, PlayableGame)
    return type(cls.__name__, bases, about | members | {"written": cls})


def _turns(cls: Any) -> dict[str, Any]:
    """What the class of a game has in which the library puts the passes."""
    if not hasattr(cls, "mover"):
        raise LudusError(f"{cls.__name__} has alternates = False, so it must define mover(state), who is to move.")
    base: Any = Game
    there = [f for f in IF_THERE if getattr(cls, f.__name__, None) is not getattr(base, f.__name__, None)]
    if cls.lowest is not Game.lowest or cls.highest is not Game.highest:
        there += [lowest, highest]
    members: dict[str, Any] = {f.__name__: f for f in (*ALWAYS, *SHOWN, *there)}
    if chance in there:
        members["play"] = play_with_chance
    if cells in there:
        members["cell_kinds"] = cls.cell_kinds  # compiled code finds only what a class of games has of its own
    return members
