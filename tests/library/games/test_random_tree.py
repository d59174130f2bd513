"""Random trees: section 5.1 of Utgoff & Cochran 2001, with exact arithmetic beside it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import chi2

import ludus
from ludus.arena.play.referee import Board
from ludus.library.games.random_tree import edge_value

LOWEST, HIGHEST = -(2**14), 2**14 - 1


def edges(seed: int, indices: range) -> np.ndarray:
    """The values of many edges at once."""
    with np.errstate(over="ignore"):
        return edge_value(seed, np.arange(indices.start, indices.stop, dtype=np.uint64))


def exact_edge(seed: int, index: int) -> int:
    """The value of an edge in Python's own integers: two rounds of SplitMix64's finaliser, the upper fifteen bits."""

    def mix(x: int) -> int:
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB % 2**64
        return x ^ (x >> 31)

    return (mix(mix((seed + 0x9E3779B97F4A7C15) % 2**64) ^ index) >> 49) - 2**14


def walk(game: ludus.Game, moves: list[int]) -> list[tuple]:
    """The states along a line, the first one included."""
    states = [game.start]
    for move in moves:
        states.append(game.after(states[-1], move))
    return states


# Edges.


def test_edges_are_the_ones_defined():
    for seed in (0, 1, 2**31 - 1, 2**62):
        found = edges(seed, range(2**32 - 50, 2**32))
        assert found.tolist() == [exact_edge(seed, index) for index in range(2**32 - 50, 2**32)]


def test_edges_reach_both_ends_of_their_range():
    found = edges(7, range(1_000_000))
    assert found.min() == LOWEST
    assert found.max() == HIGHEST
    assert len(np.unique(found)) == 2**15


@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_edges_are_uniform(seed):
    """Chi-square over all 2^15 values, at a level of one in a thousand on each side; the seeds are fixed."""
    for start in (1, 10**9):
        counts = np.bincount(edges(seed, range(start, start + 2_000_000)) - LOWEST, minlength=2**15)
        expected = 2_000_000 / 2**15
        statistic = float(((counts - expected) ** 2 / expected).sum())
        low, high = chi2.ppf([0.001, 0.999], 2**15 - 1)
        assert low < statistic < high


def test_edges_of_neighbours_are_independent():
    """The children of a node: no correlation between one edge and the next, nor between a node's and its child's."""
    n = 1_000_000
    found = edges(3, range(0, 3 * n)) / 2**14
    bound = 4 * (1 / 3) / n**0.5  # four standard errors of the mean of a product
    for lag in (1, 2, 5):
        assert abs((found[:n] * found[lag : n + lag]).mean()) < bound
    assert abs((found[:n] * found[2 * np.arange(n) + 1]).mean()) < bound  # b = 2: the first child of i is 2 i + 1


def test_seeds_give_other_sequences():
    sequences = [edges(seed, range(100_000)) for seed in (0, 1, 2, 3, 2**20, 2**31 - 1)]
    for one, other in pairwise(sequences):
        assert (one == other).mean() < 1e-3  # 1 in 32768 by chance
    assert walk(ludus.game("random-tree"), [0])[-1] != walk(ludus.game("random-tree", seed=1), [0])[-1]


# Nodes.


@pytest.mark.parametrize("branching", [2, 10, 20])
def test_index_in_breadth_order_modulo_the_period(branching):
    """Against exact integers, which at depth 64 have up to 84 digits."""
    game, chance = ludus.game("random-tree", branching=branching), random.Random(branching)
    for line in range(30):
        moves = [chance.randrange(branching) for _ in range(64)]
        moves = [branching - 1] * 64 if line == 0 else [0] * 64 if line == 1 else moves
        exact, total = 0, 0
        for depth, (move, state) in enumerate(zip(moves, walk(game, moves)[1:], strict=True), start=1):
            # In breadth order the children of node i are b i + 1, ..., b i + b.
            exact = branching * exact + move + 1
            assert level(branching, depth) <= exact < level(branching, depth + 1)
            total += exact_edge(0, exact % 2**32)
            assert state == (exact % 2**32, depth, total)
        assert exact > 2**64 - 2  # far beyond the period


def level(branching: int, depth: int) -> int:
    """How many nodes a tree has above this depth: the index of its first node there."""
    return sum(branching**i for i in range(depth))


def test_every_node_of_a_small_tree_has_its_own_index():
    game = ludus.game("random-tree", branching=3, depth=5)
    level_states = [game.start]
    indices = [0]
    for _ in range(5):
        level_states = [game.after(state, move) for state in level_states for move in game.legal(state)]
        indices += [int(state[0]) for state in level_states]
    assert indices == list(range(1 + 3 + 9 + 27 + 81 + 243))
    assert all(game.legal(state) == [] for state in level_states)


def test_a_node_is_the_same_by_whatever_way_one_comes_to_it():
    game, chance = ludus.game("random-tree", branching=7, seed=3), random.Random(4)
    board = Board(game, compiled=True)
    for _ in range(20):
        moves = [chance.randrange(7) for _ in range(64)]
        played = walk(game, moves)
        board.reset(game)
        for i, move in enumerate(moves):
            assert board.state == played[i]
            assert board.play(move)
        assert board.is_over
        middle = game.position(game.state_text(played[40]))  # from its text
        for move in moves[40:]:
            middle = middle.play(move)
        assert board.state == middle.state == played[64]


def test_nodes_far_apart_share_an_edge_where_the_period_repeats():
    """At depth 33 of a binary tree there are more nodes than numbers in the sequence."""
    game = ludus.game("random-tree", branching=2)
    first, second = walk(game, [0] * 33), walk(game, [1] + [0] * 32)
    assert first[-1][0] == second[-1][0]  # 2^33 - 1 and 2^33 + 2^32 - 1
    assert first[-1][2] - first[-2][2] == second[-1][2] - second[-2][2]
    assert first[-1] != second[-1]  # but not their past


# Values.


def test_sum_is_to_the_player_to_move():
    game, chance = ludus.game("random-tree", branching=4, depth=9, seed=5), random.Random(6)
    signs = Counter()
    for _ in range(30):
        position, total = game.position(), 0
        for depth in range(10):
            assert position.value("sum") == (total if depth % 2 == 0 else -total)
            assert game.mover(position.state) == depth % 2
            assert position.is_over == (depth == 9)
            signs[np.sign(total)] += 1
            if depth < 9:
                move = chance.randrange(4)
                total += exact_edge(5, 4 * int(position.state[0]) + move + 1)
                position = position.play(move)
        assert position.score == -total  # nine plies on, the second player is to move
    assert min(signs[-1], signs[1]) > 50


@pytest.mark.parametrize("depth", [1, 4])
def test_score_at_the_end_is_the_final_value(depth):
    game = ludus.game("random-tree", branching=2, depth=depth, seed=1)
    for number in range(2**depth):
        position = game.position()
        for ply in range(depth):
            position = position.play(number >> ply & 1)
        total = int(position.state[2])
        assert position.is_over
        assert position.score == position.value("sum") == (total if depth % 2 == 0 else -total)


@pytest.mark.parametrize(("branching", "depth"), [(2, 6), (3, 4), (5, 3)])
def test_minimax_by_hand(branching, depth):
    def value(index: int, ply: int, total: int) -> int:
        """To the first player, in exact integers."""
        if ply == depth:
            return total
        children = [branching * index + i + 1 for i in range(branching)]
        best = max if ply % 2 == 0 else min
        return best(value(child, ply + 1, total + exact_edge(11, child)) for child in children)

    game = ludus.game("random-tree", branching=branching, depth=depth, seed=11)
    result = ludus.player(f"minimax(depth={depth})").choose(game)
    assert result.value == value(0, 0, 0)
    assert result.stopped == "solved"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"branching": 0}, "branching must be from 1 to 1000"),
        ({"branching": 1001}, "branching must be from 1 to 1000"),
        ({"depth": 0}, "depth must be from 1 to 10000"),
        ({"seed": -1}, "seed must be 0 or above"),
        ({"seed": 1.5}, "seed of random-tree must be a whole number"),
    ],
)
def test_parameters_out_of_range(parameters, message):
    with pytest.raises(ludus.SpecError, match=message):
        ludus.game("random-tree", **parameters)


@pytest.mark.parametrize("text", ["0 65 0", "0 -1 0", "-1 3 0", "4294967296 3 0"])
def test_states_that_no_game_comes_to(text):
    with pytest.raises(ludus.StateError, match="its numbers are out of range"):
        ludus.game("random-tree").read_state(text)
