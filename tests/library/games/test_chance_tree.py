"""Trees with chance nodes: where chance has its plies, what its odds are, and what the edges add up to."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

import ludus

SPECS = ["chance-tree", "chance-tree(share=0.3, odds=random, outcomes=4)", "chance-tree(share=0.0)"]


def walk(game: ludus.Game, source: random.Random) -> list[tuple]:
    states = [game.start]
    while legal := game.legal(states[-1]):
        states.append(game.after(states[-1], source.choice(legal)))
    return states


@pytest.mark.parametrize("spec", SPECS)
def test_edges_add_up_and_turns_change_where_a_player_decides(spec):
    game, source = ludus.game(spec), random.Random(1)
    for _ in range(50):
        states = walk(game, source)
        assert len(states) == game.depth + 1
        mover = 0
        for before, after in pairwise(states):
            assert int(before[3]) == mover
            assert -(2**14) <= after[2] - before[2] < 2**14
            assert after[1] == before[1] + 1
            mover = mover if game.odds(before) else 1 - mover
        assert game.odds(states[-1]) == []
        assert game.result(states[-1]) == (states[-1][2] if mover == 0 else -states[-1][2])


def test_edges_are_uniform_and_unlike_each_other():
    game, source, edges = ludus.game("chance-tree(branching=50, depth=40)"), random.Random(2), []
    for _ in range(100):
        states = walk(game, source)
        edges += [int(after[2] - before[2]) for before, after in pairwise(states)]
    assert len(set(edges)) > 3500
    assert stats.kstest(np.array(edges) / 2**15 + 0.5, "uniform").pvalue > 1e-3


def test_chance_has_every_second_ply_or_its_share():
    regular = ludus.game("chance-tree")
    states = walk(regular, random.Random(3))
    assert [bool(regular.odds(state)) for state in states[:-1]] == [False, True] * 8
    mixed, source, found = ludus.game("chance-tree(share=0.3, depth=50)"), random.Random(4), []
    for _ in range(100):
        states = walk(mixed, source)
        assert not mixed.odds(states[0])
        found += [bool(mixed.odds(state)) for state in states[1:-1]]
    # Many states near the root are the same ones, which makes the share a little more uncertain than the binomial's.
    assert np.mean(found) == pytest.approx(0.3, abs=4 * np.sqrt(0.3 * 0.7 / 4000))


def test_odds():
    even = ludus.game("chance-tree(outcomes=5)")
    assert even.odds(even.after(even.start, 1)) == [0.2] * 5
    drawn = ludus.game("chance-tree(outcomes=3, odds=random, depth=40, branching=20)")
    source, found = random.Random(5), []
    for _ in range(100):
        found += [odds for state in walk(drawn, source)[20:] if (odds := drawn.odds(state))]
    assert np.sum(found, axis=1) == pytest.approx(1)
    for outcome in range(3):  # uniform over all that add up to one: each share is Beta(1, 2)
        assert stats.kstest(np.array(found)[:, outcome], stats.beta(1, 2).cdf).pvalue > 1e-3


def test_seeds_make_other_trees():
    results = {
        ludus.game("chance-tree", seed=seed).after(ludus.game("chance-tree", seed=seed).start, 0) for seed in range(9)
    }
    assert len(results) == 9


def test_the_evaluator_is_the_sum_to_the_player_to_move():
    game = ludus.game("chance-tree(share=0.5)")
    for state in walk(game, random.Random(6))[:-1]:
        position = ludus.Position(game, state)
        assert position.value("sum") == (state[2] if state[3] == 0 else -state[2])


@pytest.mark.parametrize("text", ["5 17 0 0", "5 -1 0 0", "5 3 0 2", "5 3 0"])
def test_text_that_is_no_position(text):
    with pytest.raises(ludus.StateError):
        ludus.game("chance-tree").position(text)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"share": 1.5}, "share must be from 0 to 1"),
        ({"share": "often"}, "share must be regular, or a probability"),
        ({"odds": "loaded"}, "odds must be even or random"),
        ({"outcomes": 0}, "outcomes must be from 1 to 1000"),
    ],
)
def test_parameters_out_of_range(parameters, words):
    with pytest.raises(ludus.SpecError, match=words):
        ludus.game("chance-tree", **parameters)


def test_no_sum_is_beyond_the_bounds_that_the_evaluator_states():
    game = ludus.game("chance-tree(depth=3)")
    evaluator = ludus.evaluator("sum").on(game)
    assert (evaluator.lowest, evaluator.highest) == (-3 * 2**14, 3 * 2**14)
