"""Games that go in circles: what can be forced, against brute force; and what `solve` says of them."""

from __future__ import annotations

import random
from functools import cache

import pytest

import ludus
from ludus.diagnostics.solve.circles import Circles, circles, forced
from ludus.diagnostics.solve.solution import Solution


class Walk(ludus.Game):
    """A token on a line: each moves it one step. First wins at the right end, Second at the left."""

    max_moves = 2

    def __init__(self, squares: int = 7, left: int = -1) -> None:
        self.squares, self.left = squares, left

    def initial(self):
        return (self.squares // 2, 0)

    def moves(self, state, out):
        place, _ = state
        out[0], out[1] = 0, 1
        return 0 if place == 0 or place == self.squares - 1 else 2

    def play(self, state, move):
        place, mover = state
        return (place + 2 * move - 1, 1 - mover)

    def score(self, state):
        place, mover = state
        result = self.left if place == 0 else 1
        return result if mover == 0 else -result


def brute_force(after, ends, plies):
    """What can be forced at least and at most in position 0, if a game that is longer is worth anything."""

    @cache
    def value(position, plies, unknown):
        if position in ends:
            return ends[position]
        if plies == 0:
            return unknown
        return max(-value(child, plies - 1, -unknown) for child in after[position])

    most = max(map(abs, ends.values()))
    return value(0, plies, -most) + 0.0, value(0, plies, most) + 0.0


def test_what_can_be_forced_is_what_brute_force_finds():
    random_ = random.Random(5)
    decided = half = 0
    for _ in range(400):
        many = random_.randint(4, 10)
        ends = {number: float(random_.randint(-2, 2)) for number in range(many - random_.randint(1, 3), many)}
        after = [
            [] if number in ends else random_.choices(range(many), k=random_.randint(1, 3)) for number in range(many)
        ]
        low, high = forced(after, ends)
        assert (low, high) == brute_force(after, ends, 60)
        decided += low == high
        half += low != high and max(-low, high) > min(-low, high)
    assert decided > 50
    assert half > 10


@pytest.mark.parametrize("only_result", [False, True])
def test_walks(only_result):
    game = Walk(7)
    assert circles(game, game.start, 100, only_result) == Circles(True, True, -1, 1)
    assert circles(game, game.start, 4, only_result) == Circles(are_there=True)
    assert circles(game, (5, 0), 100, only_result) == Circles(True, False, 1, 1)
    two = Walk(7, left=3)  # First wins at both ends, but Second need not go there
    assert circles(two, (5, 0), 100, only_result) == Circles(True, not only_result, 1, 1 if only_result else 3)
    short = Walk(3)
    assert circles(short, short.start, 100, only_result) == Circles()


def said(found: Solution) -> list[str]:
    return [line for line in str(found).splitlines() if line.startswith(("circles", "try"))]


def test_an_unsolved_game_that_goes_in_circles_says_so():
    found = ludus.solve(Walk(7), budget="nodes=300", compiled=False)
    assert (found.solved, found.stopped) == (False, "nodes")
    assert found.to_dict()["endless"] is True
    circle, remedy = said(found)
    assert "neither player can force a better end" in circle
    assert "no budget is enough" in circle
    assert "larger budget" not in remedy
    larger = ludus.solve(Walk(7), budget="nodes=300", whole=4, compiled=False)
    assert larger.to_dict()["endless"] is False
    circle, remedy = said(larger)
    assert "positions can come up again" in circle
    assert "a larger budget" in remedy
    assert len(said(ludus.solve(Walk(7), budget="nodes=300", whole=0, compiled=False))) == 1
    assert len(said(ludus.solve("connect4", budget="nodes=300", compiled=False))) == 1


def test_it_does_not_search_for_ever(monkeypatch):
    monkeypatch.setattr("ludus.diagnostics.solve.solve.LONG", 0.0)
    found = ludus.solve(Walk(9), compiled=False)
    assert (found.solved, found.stopped, found.circles.is_endless) == (False, "exhausted", True)


def test_circles_that_the_winner_can_leave_do_no_harm(monkeypatch):
    monkeypatch.setattr("ludus.diagnostics.solve.solve.LONG", 0.0)
    found = ludus.solve(Walk(7), (5, 0), goal="result", compiled=False)
    assert (found.solved, found.value, found.to_dict()["endless"]) == (True, 1, False)
    assert said(found) == []
