"""The evaluators of Kalah against slow counting and by hand."""

from __future__ import annotations

import random

import pytest

import ludus
from ludus.model.evaluator import WIN
from tests.support.reference_kalah import SlowKalah

# Weights that sums show exactly.
WEIGHTS = "seeds(home=0.25, again=2, capture=0.5)"


def slow_seeds(slow: SlowKalah) -> float:
    """To the player to move: what each move does is found by making it."""
    me, you = slow.mover, 1 - slow.mover
    at_home = [sum(min(n, slow.houses - i) for i, n in enumerate(row)) for row in slow.pits]
    value = slow.stores[me] - slow.stores[you] + 0.25 * (at_home[me] - at_home[you])
    if slow.must_pass:
        return -earnings(slow.play("pass")) + value
    return value + earnings(slow)


def earnings(slow: SlowKalah) -> float:
    """Two for each move that ends in the store, half the seeds of the largest capture as the pits are before sowing."""
    value, prizes = 0, [0]
    for move in slow.moves():
        after, house = slow.play(move), "abcdefg".index(move.lower())
        value += 2 * after.must_pass
        last, seeds = house + slow.pits[slow.mover][house], slow.pits[slow.mover][house]
        if seeds < 2 * slow.houses + 1:
            last %= 2 * slow.houses + 1
            if last < slow.houses and slow.pits[slow.mover][last] == 0:
                across = slow.pits[1 - slow.mover][slow.houses - 1 - last]
                prizes.append(across + 1 if across else 0)
    return value + 0.5 * max(prizes)


@pytest.mark.parametrize(("houses", "seeds"), [(6, 4), (3, 5), (7, 18), (2, 3)])
def test_against_slow_counting(houses, seeds):
    game, chance = ludus.game("kalah", houses=houses, seeds=seeds), random.Random(houses)
    values = set()
    for _ in range(6):
        slow = SlowKalah(houses, seeds)
        while slow.moves():
            position = game.position(slow.text)
            assert position.value("stores") == slow.stores[slow.mover] - slow.stores[1 - slow.mover]
            assert position.value(WEIGHTS) == slow_seeds(slow)
            values.add(slow_seeds(slow))
            slow = slow.play(chance.choice(slow.moves()))
        assert game.position(slow.text).value("seeds") == WIN * slow.score()
    assert len(values) > 2


def test_by_hand():
    position = ludus.game("kalah").position()
    # Both have 4 + 4 + 4 + 3 + 2 + 1 seeds at home; c ends in the store.
    assert position.value(WEIGHTS) == 2
    assert position.play("c").value(WEIGHTS) == -1 - 0.25 * (4 + 4 + 0 + 3 + 2 + 1 - 18)  # no move ends there now
    captures = ludus.game("kalah").position("1 0 4 4 4 4 4 4 4 0 8 3 8 0 S")
    assert captures.value("seeds(home=0, again=0, capture=1)") == 4 + 4  # a: the seed and the three of E
    assert captures.value("seeds(home=0, again=1, capture=0)") == 4 + 1  # c


@pytest.mark.slow
def test_compiled_and_interpreted_agree():
    game = ludus.game("kalah")
    position = game.position("0 2 0 6 1 0 17 1 0 3 13 0 2 3 N")
    fast, slow = (ludus.player("greedy", compiled=compiled).choose(game, position) for compiled in (True, False))
    assert [child.value for child in fast.children] == [child.value for child in slow.children]
    assert len({child.value for child in fast.children}) > 1


@pytest.mark.slow
def test_the_default_is_better_than_the_stores_alone():
    """A match whose result depends on nothing but its seed."""
    result = ludus.match("kalah", "alphabeta(nodes=300)", "alphabeta(eval=stores, nodes=300)", games=300)
    assert result.elo.low > 0
