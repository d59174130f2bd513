"""Who plays whom next in a tournament that looks for the best player, and bounds what it can cost to take the leader.

After a first round in which everyone meets some others, the strongest player that is not beaten meets all others that
are not, the strongest first: such pairs bring the verdict nearer (`verdict.py`). They also lower the bound on
the leader's regret (`regret.py`), which is the largest of its bounds: so most go to those who may be farthest
ahead of it. Whoever is beaten gets no more games than it takes to lower that player's bound to those of the others, or,
at the end, to show that the best beats it too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from ludus.arena.stats.ratings import Ratings
from ludus.arena.stats.verdict import BEATEN, Verdict, beats

MEETINGS = 8
"""How many others each player meets in the first round, if there are more than that."""
FEWEST = 8
"""The least number of pairs in a round, so that workers need not wait for each other."""
NEAR = 10.0
"""Players that are closer than this, in Elo, meet as often as if they were so far apart."""

KNOWN = 0.6
"""A rival has every other turn if the bound on its lead is smaller than this part of the largest one."""


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
    """The pairings of all players of a circle with those that many steps away."""
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
    """The pairings i < j, with repetitions, of the pairs to play next. None is `closed`; there are none if all are.

    The strongest player that is not beaten meets all others that are not, the strongest first, each for about half as
    many pairs as it should take to beat it; those over whom its lead is known best, every other turn. It also meets
    those who are beaten, but for all that is known may be farther ahead of it than the others.
    """
    allowed = np.ones((verdict.count, verdict.count), bool)
    for i, j in closed:
        allowed[i, j] = allowed[j, i] = False
    duels = _duels(verdict, ratings, allowed)
    rooms = {}
    for strong, weak in duels:
        missing = max(BEATEN - verdict.against[weak], 0.0)
        rooms[_pairing(strong, weak)] = _room(
            ratings, strong, weak, missing, abs(ratings.elo[strong] - ratings.elo[weak])
        )
    seldom = set[tuple[int, int]]()
    if duels and verdict.unbeaten:
        leader, bounds = duels[0][0], verdict.leads.bounds(duels[0][0])
        largest = min(float(max(bounds[weak] for _, weak in duels)), verdict.leads.levels[-1])
        seldom = {_pairing(leader, weak) for _, weak in duels if bounds[weak] < KNOWN * largest}
        shown = verdict.leads.evidence(largest)[leader]
        for other in np.flatnonzero((bounds > largest) & allowed[leader]).tolist():
            missing = max(verdict.leads.certain() - shown[other], 0.0)
            room = _room(ratings, leader, other, missing, largest + ratings.elo[leader] - ratings.elo[other])
            rooms.setdefault(_pairing(leader, other), room)
    least = math.ceil(FEWEST / max(len(rooms), 1))
    chosen: list[tuple[int, int]] = []
    for turn in range(2 * how_many):
        now = [pairing for pairing in rooms if not turn % 2 or pairing not in seldom]
        chosen += [pairing for pairing in now if turn < max(rooms[pairing], least)]
        if len(chosen) >= how_many:
            break
    return chosen[:how_many]


def _room(ratings: Ratings, one: int, other: int, missing: float, distance: float) -> int:
    """About half as many pairs as it should take to add so much evidence of a difference, in Elo."""
    growth = max(distance, NEAR) ** 2 * ratings.information[one, other] / 2
    return math.ceil(missing / growth / 2)


def _pairing(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


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
