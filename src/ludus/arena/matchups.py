"""Who plays whom next in a tournament that looks for the best player.

After a first round in which everyone meets some others, the strongest player that is not beaten meets all others that
are not, the strongest first: such pairs bring the verdict nearer (`ludus.arena.verdict`). Whoever is beaten gets no
more games, unless the best still has to show that it beats that player itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from ludus.arena.ratings import Ratings
from ludus.arena.verdict import BEATEN, Verdict, beats

MEETINGS = 8
"""How many others each player meets in the first round, if there are more than that."""
FEWEST = 8
"""The least number of pairs in a round, so that workers need not wait for each other."""
NEAR = 10.0
"""Players that are closer than this, in Elo, meet as often as if they were so far apart."""


def first_pairs(count: int) -> list[tuple[int, int]]:
    """The pairings i < j of the first round: all, or a circle in which everyone meets some near and some far.

    They come in such an order that at any moment nobody has met many more than another. However many players there are,
    0 and 1 come first, then 2 and 3, and so on: `preparation` relies on that.
    """
    half = count // 2
    if count <= MEETINGS + 1:
        return everybody(count)
    # The step of half a circle, if there is one, leads to one other only, every other step to two.
    return _circle(count, sorted({round(step) for step in np.linspace(1, half, MEETINGS // 2 + (count % 2 == 0))}))


def everybody(count: int) -> list[tuple[int, int]]:
    """All pairings i < j, in an order like that of the first round."""
    return _circle(count, range(1, count // 2 + 1))


def _circle(count: int, steps: Iterable[int]) -> list[tuple[int, int]]:
    """The pairings of all players of a circle with those so many steps away."""
    circle = ((i, (i + step) % count) for step in steps for i in range(count))
    waiting = {(min(pair), max(pair)) for pair in circle}
    met, found = [0] * count, []
    while waiting:
        one, other = min(waiting, key=lambda pair: (max(met[pair[0]], met[pair[1]]), met[pair[0]] + met[pair[1]], pair))
        waiting.remove((one, other))
        found.append((one, other))
        met[one] += 1
        met[other] += 1
    return found


def next_pairs(
    verdict: Verdict, ratings: Ratings, how_many: int, closed: Iterable[tuple[int, int]] = ()
) -> list[tuple[int, int]]:
    """The pairings i < j, with repetitions, of the pairs to play next: those that bring the verdict nearer.

    The strongest player that is not beaten meets all others that are not, the strongest first, each for about half as
    many pairs as it should take to beat it. None is `closed`; there are none at all if all are.
    """
    allowed = np.ones((verdict.count, verdict.count), bool)
    for i, j in closed:
        allowed[i, j] = allowed[j, i] = False
    rooms: dict[tuple[int, int], int] = {}
    for strong, weak in _duels(verdict, ratings, allowed):
        distance = max(abs(ratings.elo[strong] - ratings.elo[weak]), NEAR)
        growth = distance**2 * ratings.information[strong, weak] / 2
        missing = max(BEATEN - verdict.against[weak], 0.0)
        rooms[min(strong, weak), max(strong, weak)] = math.ceil(missing / growth / 2)
    least = math.ceil(FEWEST / max(len(rooms), 1))
    chosen: list[tuple[int, int]] = []
    for turn in range(how_many):
        chosen += [pairing for pairing, room in rooms.items() if turn < max(room, least)]
        if len(chosen) >= how_many:
            break
    return chosen[:how_many]


def _duels(verdict: Verdict, ratings: Ratings, allowed: np.ndarray) -> list[tuple[int, int]]:
    """Who should meet whom, the stronger and the weaker one."""
    order = np.argsort(-ratings.elo, kind="stable").tolist()
    if not verdict.unbeaten:
        return [edge for edge in beats(verdict.circle) if allowed[edge]]
    left = [i for i in order if i in verdict.unbeaten]
    if len(left) == 1:
        return [(left[0], i) for i in verdict.unconfirmed(left[0]) if allowed[left[0], i]]
    for place, strong in enumerate(left):  # one that has openings left to meet the others in
        found = [(strong, weak) for weak in left[:place] + left[place + 1 :] if allowed[strong, weak]]
        if found:
            return [duel for duel in found if not verdict.is_equal(*duel)] or found
    return []
