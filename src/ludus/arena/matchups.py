"""Who plays whom next in a tournament that looks for the best player.

After a first round in which everyone meets some others, pairs of games go where they teach most about the order at the
top. Naming the leader best when somebody is stronger by d costs a regret of d. How much of it must be expected follows
from the covariance of the ratings, and so does how much of it each match-up would take away. Every fourth pair goes to
the match-up that lessens the uncertainty of all contenders most, so that who was unlucky in the first round is not
forgotten. Whoever is far behind the leader gets no more games.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from ludus.arena.ratings import Ratings
from ludus.arena.verdict import Verdict, beats

MEETINGS = 8
"""How many others each player meets in the first round, if there are more than that."""
EXPLORE = 4
"""Every so many pairs, one goes to the match-up that lessens the uncertainty of all contenders' ratings most."""
BEHIND = 5.0
"""By how many standard errors a player may be behind the leader and still get games."""


def first_pairs(count: int) -> list[tuple[int, int]]:
    """The pairings i < j of the first round: all, or a circle in which everyone meets some near and some far.

    They come in such an order that at any moment nobody has met many more than another. However many players there are,
    0 and 1 come first, then 2 and 3, and so on: `preparation` relies on that.
    """
    half = count // 2
    if count <= MEETINGS + 1:
        steps = list(range(1, half + 1))
    else:  # the step of half a circle, if there is one, leads to one other only, every other step to two
        steps = sorted({round(step) for step in np.linspace(1, half, MEETINGS // 2 + (count % 2 == 0))})
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


def next_pairs(ratings: Ratings, how_many: int, closed: Iterable[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """Choose the pairings i < j of the next `how_many` pairs, with repetitions; none that is `closed`.

    Only players that may still be the best are chosen. Each pairing is the one whose result, after those chosen before
    it, is expected to teach most. The list is empty if all of their pairings are closed.
    """
    elo, covariance = ratings.elo, ratings.covariance
    count = len(elo)
    contenders = _contenders(elo, covariance)
    allowed = np.triu(np.outer(contenders, contenders), 1)
    for i, j in closed:
        allowed[min(i, j), max(i, j)] = False
    if not allowed.any():
        return []
    chosen = []
    for number in range(1, how_many + 1):
        matters = _regret(elo, covariance) if number % EXPLORE else covariance[contenders]
        # A pair lessens the covariance by the outer product of `moved` with itself, over `total`.
        total = 1 / np.where(allowed, ratings.information, 1.0) + _differences(covariance)
        gain = _differences(matters.T @ matters) / total
        i, j = divmod(int(np.where(allowed, gain, -1.0).argmax()), count)
        chosen.append((i, j))
        moved = covariance[:, i] - covariance[:, j]
        covariance = covariance - np.outer(moved, moved) / total[i, j]
    return chosen


def _contenders(elo: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """For each player whether it may still be the best; for at least two of them it may."""
    leader = int(elo.argmax())
    behind = elo[leader] - elo
    found = behind <= BEHIND * np.sqrt(_differences(covariance)[leader])
    found[np.argsort(behind, kind="stable")[:2]] = True
    return found


def _regret(elo: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """The covariances of the distances to the leader with all ratings, weighted by the regret that depends on each.

    With a distance of d and a standard error of s a regret of s f(d / s) - d F(-d / s) is expected (f and F: the normal
    density and distribution), and its derivative by s is f(d / s).
    """
    leader = int(elo.argmax())
    others = np.arange(len(elo)) != leader
    distance = (elo[leader] - elo)[others]
    variance = _differences(covariance)[leader][others]
    unlikely = distance**2 / variance
    weight = np.exp((unlikely.min() - unlikely) / 2) / np.sqrt(variance)
    return np.sqrt(weight)[:, None] * (covariance[leader] - covariance[others])


def _differences(matrix: np.ndarray) -> np.ndarray:
    """The variance of the difference of any two numbers, from the covariance matrix of all."""
    own = np.diag(matrix)
    return own[:, None] + own - 2 * matrix


FEWEST = 8
"""A round has so many pairs, if it can: workers should not wait for each other."""
NEAR = 10.0
"""Players closer than this, in Elo, are met as if they were so far apart."""


def challenges(
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
        missing = max(verdict.threshold - verdict.against[weak], 0.0)
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
