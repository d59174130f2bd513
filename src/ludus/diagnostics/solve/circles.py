"""Games that go in circles: can somebody force an end? If not, no search finds a value, however long it is.

All positions are listed, and each gets the interval of what its player can force: the lower end if a game without an
end is as bad for him as the worst finished one, the upper end if it is as good as the best. Both are worked out from
the finished games backwards. Where they differ at the root, the rules leave its value open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.model.playable import PlayableGame
from ludus.runtime.state_graph import from_the_end, listed

SECONDS = 1.0
"""How long positions are listed at most."""


@dataclass(frozen=True)
class Circles:
    """Whether positions of a game come up again, and what follows for the value of the root."""

    are_there: bool = False
    """False: as far as is known."""
    is_endless: bool = False
    """Whether it is known that nobody can force the game to an end that decides its value,"""
    low: float = -math.inf
    """which then is at least this"""
    high: float = math.inf
    """and at most this."""

    def __str__(self) -> str:
        if self.is_endless:
            return "play can go round for ever, and neither player can force a better end: no budget is enough"
        return "positions can come up again: if play can go round for ever, no budget is enough" * self.are_there


NO_CIRCLES = Circles()


class Lookout:
    """Looks once for circles: among `positions` positions, and in a game that does not say itself how long it lasts."""

    def __init__(self, positions: int, only_result: bool = False) -> None:
        self.positions, self.only_result = positions, only_result
        self.found, self.has_looked = NO_CIRCLES, False

    def __call__(self, game: PlayableGame, state: Any, seconds: float = math.inf) -> Circles:
        """`seconds`: the time that is left."""
        if not self.has_looked and self.positions > 0 and game.length == 0:
            self.found = circles(game, state, self.positions, self.only_result, min(SECONDS, seconds))
        self.has_looked = True
        return self.found


def circles(
    game: PlayableGame, state: Any, positions: int, only_result: bool = False, seconds: float = SECONDS
) -> Circles:
    """Whether play from `state` can go in circles, as far as the first positions, up to this number, tell."""
    states, _, after = listed(game, state, positions, seconds=seconds)
    beyond = len(states) - len(after)
    after += [[] for _ in range(beyond)]
    if len(from_the_end(after)) == len(states):
        return NO_CIRCLES
    if beyond:
        return Circles(are_there=True)
    ends = {number: float(game.result(states[number])) for number, below in enumerate(after) if not below}
    if only_result:
        ends = {number: float(np.sign(score)) for number, score in ends.items()}
    low, high = forced(after, ends)
    return Circles(True, low < high, low, high)


def forced(after: list[list[int]], ends: dict[int, float]) -> tuple[float, float]:
    """What the player to move in position 0 can force at least, and at most; `ends` has the finished games."""
    most = max(map(abs, ends.values()), default=math.inf)
    low, high = [-most] * len(after), [most] * len(after)
    before: list[list[int]] = [[] for _ in after]
    for position, below in enumerate(after):
        for child in below:
            before[child].append(position)
    for position, score in ends.items():
        low[position] = high[position] = score
    changed = list(ends)
    while changed:
        for parent in before[changed.pop()]:
            interval = max(-high[child] for child in after[parent]), max(-low[child] for child in after[parent])
            if interval != (low[parent], high[parent]):
                low[parent], high[parent] = interval
                changed.append(parent)
    return low[0] + 0.0, high[0] + 0.0
