"""A position as the page shows it: the board, the moves with their gestures, who is to move, who has won."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from ludus.common.errors import LudusError
from ludus.kernel.rules import FAILURES
from ludus.model.position import Position
from ludus.pictures.diagram import Diagram
from ludus.web.board import diagram
from ludus.web.gestures import Gesture, gestures
from ludus.web.lines import Line, Lines, blaming

REMEMBERED = 500
"""Positions whose gestures are kept."""

LONGEST_PICTURE = 500_000
"""Characters of a game's own picture; a larger one is not sent."""


class Shown:
    """Positions as the page shows them; gestures are worked out once."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self._kept: OrderedDict[Any, list[Gesture]] = OrderedDict()

    def show(self, line: Line, picture: bool = False) -> dict[str, Any]:
        """`POST /api/position`."""
        with self.lines.lock(line.game), blaming(line.game):
            return self._show(line, picture)

    def _show(self, line: Line, picture: bool) -> dict[str, Any]:
        here, ended = line.last, line.ended
        board = diagram(here)
        clicks = [] if ended else self._gestures(here)
        return {
            "game": line.spec,
            "state": here.text,
            "ply": len(line.moves),
            "turn": here.turn if here.turn is None else here.seat,
            "over": ended is not None,
            "ended": ended,
            **result(line, ended),
            "chance": not ended and here.turn is None,
            "must_pass": not ended and must_pass(here, board, clicks),
            "moves": [] if ended else _moves(here, clicks),
            "played": line.names,
            "last": self._last(line, board),
            "board": None if board is None else board.to_dict(),
            "text": here.game.render(here.state),
            "picture": _picture(here) if picture or board is None else None,
        }

    def _gestures(self, position: Position) -> list[Gesture]:
        if position not in self._kept:
            self._kept[position] = gestures(position)
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)
        return self._kept[position]

    def _last(self, line: Line, board: Diagram | None) -> dict[str, Any] | None:
        if not line.moves:
            return None
        before = line.positions[-2]
        earlier = diagram(before)
        known = board is not None and earlier is not None
        clicks = self._gestures(before) if known else []
        place = before.moves.numbers.index(line.moves[-1])
        return {
            "name": line.names[-1],
            "by": line.by(len(line.moves) - 1),
            "cells": clicks[place] if clicks else [],
            "changed": board.changed(earlier) if board is not None and earlier is not None else [],
        }


def result(line: Line, ended: str | None) -> Mapping[str, Any]:
    """The score and who has won; nothing while the game goes on."""
    here = line.last
    if ended is None:
        return {"score": None, "winner": None, "scores": None}
    if ended != "rules":
        return {"score": 0.0, "winner": None, "scores": [0.0, 0.0]}
    score = float(here.score)
    own = score if here.seat == 0 else 0.0 - score
    return {"score": score, "winner": here.winner, "scores": [own, 0.0 - own]}


def must_pass(position: Position, board: Diagram | None, clicks: list[Gesture]) -> bool:
    """Whether the only move is one that changes nothing on the board, so that a person need not be asked."""
    if position.turn is None or len(position.moves) != 1:
        return False
    if position.game.must_pass(position.state):
        return True
    if board is None or clicks[0]:
        return False
    after = diagram(position.play(position.moves.numbers[0]))
    return after is not None and not after.changed(board)


def _moves(position: Position, clicks: list[Gesture]) -> list[dict[str, Any]]:
    odds = position.odds if position.turn is None else {}
    return [
        {"name": name, "gesture": gesture, "probability": odds.get(name)}
        for name, gesture in zip(position.moves.names, clicks, strict=True)
    ]


def _picture(position: Position) -> str | None:
    """The game's own picture; None if it draws none, or not here."""
    try:
        drawn = position._repr_svg_()
    except (LudusError, *FAILURES):
        return None
    return drawn if isinstance(drawn, str) and len(drawn) <= LONGEST_PICTURE else None
