"""The evaluators of Amazons against slow counting, and their symmetries."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludus
from tests.support.reference_amazons import OTHER, SlowAmazons

EVALUATORS = ["queen-mobility", "territory", "territory-mobility", "territory-mobility(mobility=0.25)"]
SYMMETRIES = [
    lambda c, r, n: (n - c, r),
    lambda c, r, n: (c, n - r),
    lambda c, r, n: (n - c, n - r),
    lambda c, r, n: (r, c),
    lambda c, r, n: (n - r, c),
    lambda c, r, n: (r, n - c),
    lambda c, r, n: (n - r, n - c),
]


def value(evaluator: str, slow: SlowAmazons) -> float:
    """The static value of any board, finished or not, interpreted."""
    game = ludus.game("amazons", size=slow.size)
    with np.errstate(over="ignore"):
        return float(ludus.evaluator(evaluator).on(game).evaluate(game, game.read_state(slow.text)))


def boards(size: int, count: int) -> list[SlowAmazons]:
    """Positions of random games, and pieces scattered over the board."""
    chance, found = random.Random(size), []
    places = [(c, r) for c in range(size) for r in range(size)]
    while len(found) < count:
        slow = SlowAmazons(size)
        for _ in range(chance.randrange(size * size // 2)):
            slow = slow.play(chance.choice(slow.moves())) if slow.moves() else slow
        found.append(slow)
        marks = "wwwbbbb" + "x" * chance.randrange(size * size // 2)
        scattered = dict(zip(chance.sample(places, len(marks)), marks, strict=True))
        found.append(SlowAmazons(size, scattered, chance.choice("wb")))
    return found


@pytest.mark.parametrize("size", [5, 6, 7, 8, 9, 10])
def test_against_slow_counting(size):
    values = set()
    for slow in boards(size, 24):
        mine, theirs = slow.mover, OTHER[slow.mover]
        mobility = slow.mobility(mine) - slow.mobility(theirs)
        territory = slow.territory(mine) - slow.territory(theirs)
        assert value("queen-mobility", slow) == mobility
        assert value("territory", slow) == territory
        assert value("territory-mobility", slow) == territory + mobility
        assert value("territory-mobility(mobility=0.25)", slow) == territory + 0.25 * mobility
        values.add((territory, mobility))
    assert len(values) > 12


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("size", [5, 8, 10])
def test_both_players_and_all_symmetries_are_alike(size, evaluator):
    for slow in boards(size, 6):
        here = value(evaluator, slow)
        assert value(evaluator, SlowAmazons(size, slow.pieces, OTHER[slow.mover])) == -here
        swapped = {at: OTHER.get(mark, mark) for at, mark in slow.pieces.items()}
        assert value(evaluator, SlowAmazons(size, swapped, OTHER[slow.mover])) == here
        for symmetry in SYMMETRIES:
            turned = {symmetry(*at, size - 1): mark for at, mark in slow.pieces.items()}
            assert value(evaluator, SlowAmazons(size, turned, slow.mover)) == here


def test_by_hand():
    """A wall: white has five squares to itself and can go to four of them at once; black has three."""
    position = ludus.game("amazons", size=5).position("w1x1b/2x2/2xxx/xxxxx/xxxxx w")
    assert position.value("territory") == 5 - 3
    assert position.value("queen-mobility") == 4 - 3
    # No wall: what white reaches in one move it has, but for what black reaches in one move, too.
    position = ludus.game("amazons", size=5).position("w3b/xx1xx/xxxxx/xxxxx/xxxxx b")
    assert position.value("territory") == position.value("queen-mobility") == 0  # b5 c5 d5 for both; c4 in two moves
    position = ludus.game("amazons", size=5).position("w3b/xxx1x/xxxxx/xxxxx/xxxxx b")
    assert position.value("territory") == position.value("queen-mobility") == 1  # d4 is black's


@pytest.mark.slow
@pytest.mark.parametrize(
    ("search", "evaluator"),
    [("greedy", "territory"), ("minimax(depth=1)", "queen-mobility"), ("bfmm(nodes=50)", "territory-mobility")],
)
def test_compiled_and_interpreted_agree(search, evaluator):
    chance = random.Random(4)
    spec = search.replace(")", f", eval={evaluator})") if "(" in search else f"{search}(eval={evaluator})"
    fast, slow = (ludus.player(spec, compiled=compiled) for compiled in (True, False))
    for size in (5, 10):
        game = ludus.game("amazons", size=size)
        position = game.position()
        for _ in range(size * size // 2):
            position = position.play(chance.choice(position.moves.numbers))
        ours, theirs = fast.choose(game, position), slow.choose(game, position)
        assert [child.value for child in ours.children] == [child.value for child in theirs.children]
        assert ours.move == theirs.move
        assert len({child.value for child in ours.children}) > 1


def test_only_for_amazons():
    with pytest.raises(ludus.LudusError, match="territory is for amazons, not for othello"):
        ludus.game("othello").position().value("territory")
