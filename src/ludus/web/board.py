"""The board of any game as a `Diagram`: the game's own, or one read from its cells.

Cells are seen by the player to move; here a piece belongs to the first player or to the second, whoever is to move.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

import numpy as np

from ludus.common.errors import LudusError
from ludus.features.cells import contents_of, kinds_of, shape_of
from ludus.features.plain_bits import PlainBits
from ludus.features.plain_board import some_games
from ludus.kernel.form import at
from ludus.model.playable import PlayableGame
from ludus.model.position import Position
from ludus.pictures.diagram import Cell, Diagram, Label, beside, column_names
from ludus.web.letters import Letters, letters_of

MOST_CELLS = 2_000
"""A larger board is not shown."""


def diagram(position: Position) -> Diagram | None:
    """The board with what stands on it; None if nobody knows it."""
    game = position.game
    if game.has_rule("diagram") and (own := game.diagram(position.state)) is not None:
        return own
    plan = plan_of(game)
    return None if plan is None else plan.draw(position)


@dataclass(frozen=True)
class Kind:
    """What may stand on a cell: whose it is, and which of his pieces."""

    owner: int | None
    sort: int = 0


@dataclass(frozen=True)
class Plan:
    """How the cells of a game become a diagram."""

    game: PlayableGame
    empty: Diagram
    letters: Letters | None

    def standing(self, position: Position) -> list[Kind | None]:
        """What stands on each cell; None: nothing."""
        plain = None if self.game.has_rule("cells") else self.game.plain_board
        if plain is not None and not plain.owned:
            nothing, owners = _nothing(self.game), owners_of(self.game)
            numbers = _numbers(self.game, position.state)
            return [None if number == nothing else Kind(owners.get(number), number) for number in numbers]
        seat, kinds = position.seat, kinds_of(self.game)
        contents = contents_of(self.game, position.state) if plain is None else _coded(self.game, position.state)
        seen = {kind: _kind(kind, seat, kinds) for kind in set(contents)}
        return [seen[kind] for kind in contents]

    def draw(self, position: Position) -> Diagram:
        cells = []
        for cell, kind in zip(self.empty.cells, self.standing(position), strict=True):
            cells.append(cell if kind is None else replace(cell, **self._piece(kind)))
        return replace(self.empty, cells=tuple(cells))

    def _piece(self, kind: Kind) -> dict[str, Any]:
        letter = "" if self.letters is None else self.letters.by_kind.get(kind, "")
        if self.letters is not None and kind in self.letters.pieces:
            return {"piece": self.letters.pieces[kind], "owner": kind.owner, "text": ""}
        name = "neutral" if kind.owner is None else ("first", "second")[kind.owner]
        text = letter or (str(kind.sort) if kind.sort else "")
        return {"piece": name, "owner": kind.owner, "text": text}


def _numbers(game: PlayableGame, state: Any) -> list[int]:
    """What a plain board holds."""
    assert game.plain_board is not None
    return np.asarray(at(state, game.plain_board.board.path)).ravel().tolist()


def _coded(game: PlayableGame, state: Any) -> list[int]:
    """What the rule `cells` writes for a plain board, all at once."""
    plain = game.plain_board
    assert plain is not None
    second = plain.turn is not None and int(at(state, plain.turn.path)) != plain.first
    codes, places = plain.codes[int(second)], np.asarray(_numbers(game, state)) - plain.lowest
    known = (places >= 0) & (places < len(codes))
    return np.where(known, codes[np.where(known, places, 0)], 0).tolist()


def _nothing(game: PlayableGame) -> int:
    """What an empty cell of a plain board holds: 0, or else what most cells of the first one hold."""
    cells = _numbers(game, game.start)
    return 0 if 0 in cells else max(set(cells), key=cells.count)


@lru_cache(maxsize=64)
def owners_of(game: PlayableGame) -> dict[int, int]:
    """Whose the pieces of a plain board are: of who alone puts them on other cells, in some random games.

    A piece that nobody moved belongs to the owner of all pieces with its sign, if there is one.
    """
    putters: dict[int, set[int]] = {}
    pieces = {number for states in some_games(game) for number in _numbers(game, states[0])}
    for states in some_games(game):
        for ply, (before, after) in enumerate(pairwise(states)):
            for old, new in zip(_numbers(game, before), _numbers(game, after), strict=True):
                pieces.add(new)
                if old != new:
                    putters.setdefault(new, set()).add(ply % 2)
    found = {number: min(players) for number, players in putters.items() if len(players) == 1}
    for number in pieces - putters.keys():
        same = {owner for other, owner in found.items() if (other > 0) == (number > 0)}
        if len(same) == 1:
            found[number] = min(same)
    return found


def _kind(kind: int, seat: int, kinds: int) -> Kind | None:
    """A kind of `cells`, 1 the mover's and 2 the opponent's and so on, whoever is to move."""
    if kind == 0:
        return None
    if kind % 2 == 1 and kind == kinds - 1:
        return Kind(None)
    return Kind(seat if kind % 2 else 1 - seat, (kind - 1) // 2)


@lru_cache(maxsize=64)
def plan_of(game: PlayableGame) -> Plan | None:
    """How the game's cells become a diagram; None if it has none that a person could make sense of."""
    if not game.has_rule("cells") and (game.plain_board is None or isinstance(game.plain_board, PlainBits)):
        return None
    try:
        shape = shape_of(game)
    except LudusError:
        return None
    if not 0 < np.prod(shape) <= MOST_CELLS:
        return None
    plan = Plan(game, _empty(shape), None)
    rows, columns = shape[-2:] if len(shape) > 1 else (1, shape[0])
    letters = letters_of(plan, rows, columns) if len(shape) <= 2 and game.overrides("render") else None
    if letters is not None and letters.upside_down:
        top = {cell.name: replace(cell, y=rows - cell.y) for cell in plan.empty.cells}
        words = [replace(w, y=rows - w.y) if w.x < 0 else w for w in plan.empty.labels]
        plan = replace(plan, empty=replace(plan.empty, cells=tuple(top.values()), labels=tuple(words)))
    return replace(plan, letters=letters)


def _empty(shape: tuple[int, ...]) -> Diagram:
    """A board without pieces; of one with more than two dimensions the layers beside each other."""
    if len(shape) > 2:
        layers = list(product(*map(range, shape[:-2])))
        prefixes = ["-".join(str(i + 1) for i in layer) for layer in layers]
        return beside(dict.fromkeys(prefixes, _empty(shape[-2:])))
    rows, columns = shape if len(shape) == 2 else (1, shape[0])
    across, down = column_names(columns), [str(row + 1) for row in range(rows)]
    cells = [
        Cell(f"{across[column]}{down[row]}", column + 0.5, row + 0.5)
        for row in range(rows)
        for column in range(columns)
    ]
    labels = [Label(column + 0.5, -0.3, name) for column, name in enumerate(across)]
    labels += [Label(-0.3, row + 0.5, name) for row, name in enumerate(down)]
    return Diagram(tuple(cells), columns, rows, tuple(labels))
