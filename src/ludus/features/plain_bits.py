"""Games whose states are numbers only: each number as the row of its bits, so that they have cells all the same.

A number with enough different bits in random games is taken for a set of squares, or as good as one: cell i holds bit i
of each of up to three such numbers. Where a number goes to and fro between two values, it says who is to move, and the
same bits count as something else when the other player is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.features.plain_board import PlainBoard, alternates, some_games
from ludus.kernel.form import NUMBER, Part, at

FEWEST_BITS, MOST_NUMBERS = 4, 3
"""A number with fewer bits is not looked at; of more numbers than this nothing is made."""


@dataclass(frozen=True)
class PlainBits(PlainBoard):
    """Which numbers of a state are rows of bits, and who is to move. (`board` is the first of them.)"""

    layers: tuple[Part, ...] = ()
    bits: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        side = math.isqrt(self.bits)
        return (side, side) if side**2 == self.bits else (self.bits,)

    @property
    def kinds(self) -> int:
        return 2 ** (len(self.layers) + (self.turn is not None))

    @property
    def source(self) -> str:
        """The rule `cells`, in Python."""
        terms = [f"{2**k} * bit_of(state{part.place}, i)" for k, part in enumerate(self.layers)]
        turn = "0" if self.turn is None else f"0 if state{self.turn.place} == {self.first} else {2 ** len(self.layers)}"
        return "\n".join(
            [
                "def cells(game, state, contents):",
                f"    turn = {turn}",
                f"    for i in range({self.bits}):",
                f"        contents[i] = turn + {' + '.join(terms)}",
                f"    return {self.bits}\n",
            ]
        )


def find_bits(game: Any) -> PlainBits | None:
    """What random games show of a game's states; None if they are not numbers, or none has enough bits."""
    parts = game.layout.parts
    if not parts or any(part.kind != NUMBER for part in parts) or not type(game).alternates or game.has_chance:
        return None
    played = some_games(game)
    whole = [part for part in parts if part.dtype.kind in "iu"]
    used = {part: _bits(played, part) for part in whole}
    layers = tuple(part for part in whole if used[part].bit_count() >= FEWEST_BITS)
    if not 1 <= len(layers) <= MOST_NUMBERS or min(used.values()) < 0:
        return None
    turns = [part for part in whole if part not in layers and alternates(played, part)]
    turn = turns[0] if turns else None
    first = int(at(game.start, turn.path)) if turn is not None else 0
    bits = max(used[part] for part in layers).bit_length()
    return PlainBits(layers[0], turn, first, 0, np.zeros((2, 1), np.int64), False, layers, bits)


def _bits(played: list[list[Any]], part: Part) -> int:
    """The bits that a number ever has; -1 if it is ever below 0."""
    found = 0
    for states in played:
        for state in states:
            number = int(at(state, part.path))
            if number < 0:
                return -1
            found |= number
    return found
