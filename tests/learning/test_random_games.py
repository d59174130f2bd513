"""Random games on several threads: fair, counted, and the same to the last bit for any number of threads."""

import math

import numpy as np
import pytest

import ludus
from ludus import LudusError, RuleError
from ludus.kernel.random import number, seed_for
from ludus.learning.random_games import LOT, random_games
from tests.support import oracles
from tests.support.reference_sampling import slow_playout
from tests.support.tiny_games import TinyTree


def everything(found):
    arrays = found.won, found.drawn, found.lost, found.score, found.deviation
    return found.games, found.nodes, *(array.tobytes() for array in arrays)


def some_states(game, how_many):
    state, found = game.start, []
    while len(found) < how_many:
        found.append(state)
        state = game.after(state, game.legal(state)[len(found) % len(game.legal(state))])
    return found


@pytest.mark.slow
def test_the_same_games_for_any_number_of_threads():
    """Real scores, whose sum depends on the order of adding; more lots than threads, and a lot that is not full."""
    game = ludus.game("random-tree", branching=3, depth=8)
    states, many = some_states(game, 5), 2 * LOT + 44
    alone = everything(random_games(game, states, many, seed=3, threads=1))
    for threads in (2, 3, 8):
        for _ in range(3):
            assert everything(random_games(game, states, many, seed=3, threads=threads)) == alone
    assert everything(random_games(game, states, many, seed=4, threads=2)) != alone
    few = random_games(game, states[1:2], many, seed=3, threads=2)
    assert few.score[0] != random_games(game, states[:2], many, seed=3).score[1], "a position has its own games"


def test_every_game_is_that_of_its_number_whatever_is_played_beside_it():
    game, seed, many = ludus.game("tictactoe"), 7, 40
    states = some_states(game, 3)
    found = random_games(game, states, many, seed, compiled=False)
    generated = 0
    for place, state in enumerate(states):
        scores = []
        for index in range(many):
            with np.errstate(over="ignore"):
                source = np.array([number(np.uint64(seed_for(seed, place)), index)], np.uint64)
            score, plies = slow_playout(game, state, source)
            scores.append(score)
            generated += plies
        assert [found.won[place], found.drawn[place], found.lost[place]] == [scores.count(r) for r in (1, 0, -1)]
        assert found.score[place] == pytest.approx(np.mean(scores))
        assert found.deviation[place] == pytest.approx(np.std(scores))
        assert found.expected[place] == pytest.approx(np.mean(np.sign(scores)))
    assert found.nodes == generated
    assert everything(random_games(game, states, many, seed, threads=2, compiled=True)) == everything(found)


def test_they_are_fair():
    game, many = ludus.game("tictactoe"), 20_000
    chances = oracles.chances(game, game.start)
    found = random_games(game, games=many, threads=2)
    for share, count in zip(chances, (found.won[0], found.drawn[0], found.lost[0]), strict=True):
        assert abs(count - many * share) < 3.9 * math.sqrt(many * share * (1 - share))


class Broken(TinyTree):
    """A rule that fails in some games."""

    def play(self, state, move):
        if move == 3:
            raise ValueError("three")
        return (move,)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_rule_that_fails_is_named(threads):
    game = Broken.of([0, [0, 1, -1], [0, 1, -1]])
    for compiled in (False, True):
        with pytest.raises(RuleError, match=r"rule play \(move 3\).*three"):
            random_games(game, games=5000, threads=threads, compiled=compiled)


def test_wrong_numbers_are_refused():
    with pytest.raises(LudusError, match="at least 1"):
        random_games(ludus.game("nim"), games=0)
    with pytest.raises(ValueError, match="threads must be from 1"):
        random_games(ludus.game("nim"), threads=1000)
