"""Sampled games, against the rules themselves."""

from itertools import islice

import numpy as np
import pytest

import ludus
from ludus.learning.sampling import EXPLORE, FIELDS, Games, sample
from ludus.model.evaluator import WIN
from tests.support.tiny_games import DiceTree, TreeValues


def games_of(spec, eval=None, seed=0, compiled=False):
    game = ludus.game(spec) if isinstance(spec, str) else spec
    evaluator = ludus.evaluator(eval) if isinstance(eval, str) else eval
    return Games(game, evaluator.on(game), seed, compiled)


def value(game, evaluator, state):
    """What a search thinks of a position that it does not look beyond."""
    return evaluator.final(game, state) if game.is_over(state) else evaluator.evaluate(game, state)


@pytest.mark.parametrize("spec", ["tictactoe", "connect4(columns=4, rows=4)"])
def test_every_number_is_what_the_rules_say(spec):
    games = games_of(spec, "open-lines" if spec == "tictactoe" else "weighted-lines")
    game, evaluator, best, decided = games.game, games.evaluator, 0, 0
    for played in islice(games, 12):
        assert played.states[0] == game.start
        last = len(played.states) - 1
        for i, state in enumerate(played.states):
            after = [game.after(state, move) for move in game.legal(state)]
            values = [-value(game, evaluator, each) for each in after]
            assert played.static[i] == evaluator.evaluate(game, state)
            assert played.backed[i] == max(values)
            assert played.phase[i] == game.phase(state)
            assert played.before[i] == (len(game.legal(played.states[i - 1])) if i > 0 else -1)
            assert played.earlier[i] == (len(game.legal(played.states[i - 2])) if i > 1 else -1)
            if i < last:
                assert played.states[i + 1] in after
                if played.by_opinion[i]:
                    decided += 1
                    best += values[after.index(played.states[i + 1])] == max(values)
        ends = {np.sign(game.result(each)) for each in after if game.is_over(each)}
        assert 1 - 2 * played.result[last] in ends  # to the other player
        assert [x + y for x, y in zip(played.result, played.result[1:], strict=False)] == [1.0] * last
        assert played.by_opinion.tolist() == sorted(played.by_opinion)
    assert decided > 20
    assert best / decided > 1 - 5 * EXPLORE


def test_where_chance_decides_nothing_is_sampled():
    """A value beyond it is the mean of what may come, to the same player."""
    games, odds = games_of(DiceTree(seed=405), TreeValues()), 0
    game, evaluator = games.game, games.evaluator
    for played in islice(games, 20):
        for i, state in enumerate(played.states):
            assert not game.odds(state)
            after = [game.after(state, move) for move in game.legal(state)]
            odds += any(game.odds(each) for each in after)
            assert played.backed[i] == max(-value(game, evaluator, each) for each in after)
    assert odds


def test_no_position_comes_twice():
    games = games_of("tictactoe", "open-lines")
    found = sample(games, 400, 10**9, 3)
    states = [str(state) for _, _, state in found.drawn]
    assert len(found) == 400
    assert len(set(states)) == len(states)
    assert max(np.bincount([found.game[place] for place, _, _ in found.drawn])) <= 3
    for place, game, state in found.drawn:
        assert found.static[place] == games.evaluator.evaluate(game, state)
    assert 0 < found.held_out.mean() < 0.5


def test_it_ends_where_there_is_no_more():
    games = games_of("nim(stones=6)", "zero")
    found = sample(games, 400, 10**9, 3)
    assert len(found) == 6
    assert sample(games, 400, 30, 3).games < 20
    assert sample(games, 2, 10**9, 3).static.tolist() == [0.0, 0.0]


def test_the_same_compiled_and_interpreted_and_in_any_order():
    slow, fast = (games_of("tictactoe", "open-lines", 5, compiled) for compiled in (False, True))
    there = [slow.play(number) for number in range(8)]
    back = [fast.play(number) for number in reversed(range(8))][::-1]
    for one, other in zip(there, back, strict=True):
        assert one.states == other.states
        assert one.keys.tolist() == other.keys.tolist()
        assert all(getattr(one, name).tolist() == getattr(other, name).tolist() for name in FIELDS)
        assert one.cost == other.cost
    assert abs(np.concatenate([played.backed for played in there])).max() >= WIN  # won games among them


def test_a_synthetic_game_is_another_one_each_time():
    games = games_of("interval-tree(depth=3)", "interval-truth")
    assert len({played.game.spec.arguments["seed"] for played in islice(games, 5)}) == 5
    assert len(sample(games, 30, 10**9, 1)) == 30
