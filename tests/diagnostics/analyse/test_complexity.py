"""How large a game is: estimates against exact counts, and exact counts against brute force."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import ludus
from ludus.diagnostics.analyse.complexity import Complexity, chao
from ludus.diagnostics.analyse.exact import exact
from ludus.diagnostics.analyse.walking import Walked, Walker


def of_random_games(name: str, games: int) -> Complexity:
    walker, found = Walker(ludus.game(name), compiled=False), Complexity()
    for number in range(games):
        found.add(walker.random(0, number))
    return found


@pytest.mark.parametrize(
    ("name", "tree", "nodes", "positions"), [("tictactoe", 255_168, 549_946, 5_478), ("nim(stones=9)", 149, 326, 10)]
)
def test_known_counts(name, tree, nodes, positions):
    """Published counts of tic-tac-toe; the estimates hold them in their intervals."""
    found = exact(ludus.game(name))
    assert (found.tree, found.nodes, found.positions) == (tree, nodes, positions)
    size = of_random_games(name, 1500)
    for estimate, truth in ((size.tree(), tree), (size.tree_nodes(), nodes)):
        assert estimate.low <= math.log10(truth) <= estimate.high
        assert estimate.high - estimate.low < 0.1
    seen, at_least, _ = size.positions()
    assert seen <= positions
    assert seen <= at_least <= 1.05 * positions


def walked(counts: list[int], keys: list[int]) -> Walked:
    none = np.zeros(len(counts), bool)
    return Walked(np.zeros(len(counts), int), np.array(counts), none, none, np.array(keys, np.uint64), 0.0, True)


def test_knuth_is_unbiased():
    """A tree of 3 leaves, two of them below the first of 2 moves: its games with their probabilities, as a sample."""
    size = Complexity()
    for counts, keys in (([2, 2], [0, 1, 2]), ([2, 2], [0, 1, 3]), ([2], [0, 4]), ([2], [0, 4])):
        size.add(walked(counts, keys))
    assert 10 ** size.tree().log10 == pytest.approx(3)
    assert 10 ** size.tree_nodes().log10 == pytest.approx(5)
    assert size.effective() == pytest.approx(12**2 / (16 + 16 + 4 + 4))


def test_numbers_beyond_floats():
    size = Complexity()
    for most in (9, 10):
        size.add(walked([most] * 400, list(range(401))))
    assert size.tree().log10 == pytest.approx(400 + math.log10(0.5), abs=1e-6)
    assert size.tree().to_dict()["value"] is None


def test_chao():
    assert chao(np.array([1, 1, 1, 2, 5])) == 5 + 3 * 2 / (2 * 2)
    assert chao(np.array([2, 2])) == 2


def test_positions_that_come_back_are_counted_once():
    size = Complexity()
    size.add(walked([1, 1, 1], [7, 8, 7, 9]))
    size.add(walked([1, 1, 1], [7, 8, 7, 9]))
    assert size.positions() == (3, 3.0, True)


def brute_force(game):
    """Value, and shares of First's wins, decisive and wrong random moves, by recursion in fractions."""

    @cache
    def value(state):
        legal = game.legal(state)
        return max(-value(game.after(state, move)) for move in legal) if legal else np.sign(game.result(state))

    @cache
    def sums(state, turn):
        """First's wins; choices, decisive ones and mistakes to be expected from here on."""
        legal = game.legal(state)
        if not legal:
            return Fraction(int(np.sign(game.result(state)) * (1 if turn == 0 else -1) > 0)), 0, 0, 0
        after = [game.after(state, move) for move in legal]
        below = [sums(each, 1 - turn) for each in after]
        found = [sum(each[i] for each in below) / Fraction(len(below)) for i in range(4)]
        if len(legal) > 1:
            wrong = sum(-value(each) != value(state) for each in after)
            found[1] += 1
            found[2] += wrong > 0
            found[3] += Fraction(wrong, len(legal))
        return tuple(found)

    first, choices, decisive, mistakes = sums(game.start, 0)
    return value(game.start), first, decisive / choices, mistakes / choices


@pytest.mark.parametrize("name", ["nim(stones=7)", 'tree(of="[[3 -12 [8 -1]] [[2 4] 6] [1 -5 -2]]")'])
def test_exact_against_brute_force(name):
    game = ludus.game(name)
    value, first, decisive, mistakes = brute_force(game)
    found = exact(game)
    assert found.value == value
    assert found.first == pytest.approx(float(first))
    assert found.decisive == pytest.approx(float(decisive))
    assert found.mistakes == pytest.approx(float(mistakes))
    assert found.moves == {move: -exact_value(game, move) for move in game.legal(game.start)}


def exact_value(game, move):
    from ludus.runtime.state_graph import state_graph

    return state_graph(game, game.after(game.start, move), only_result=True, positions=999).values[0]


def test_random_tic_tac_toe_in_fractions():
    """First wins 737 of 1260, Second 121 of 420, known from the literature on random play."""
    found = exact(ludus.game("tictactoe"))
    assert found.first == pytest.approx(737 / 1260)
    assert found.second == pytest.approx(121 / 420)
    assert found.value == 0
    assert set(found.moves.values()) == {0.0}


def test_too_large_or_with_chance_is_not_exact():
    assert exact(ludus.game("tictactoe"), most=5477) is None
    assert exact(ludus.game("pig")) is None
