"""The whole of a small game against brute force: values, lengths, right moves."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus import Game
from ludus.runtime.state_graph import state_graph
from tests.support.tiny_games import some_graphs, some_trees


def brute_force(game: Game, state: Any) -> tuple[float, int, list[int]]:
    """The value, the plies to the end if the winner hastens and the loser delays, and the right moves."""
    moves = game.legal(state)
    if not moves:
        return float(game.result(state)), 0, []
    below = [brute_force(game, game.after(state, move)) for move in moves]
    value = max(-each[0] for each in below)
    right = [i for i, each in enumerate(below) if -each[0] == value]
    lengths = [below[i][1] for i in right]
    return value, 1 + (min(lengths) if value > 0 else max(lengths)), [moves[i] for i in right]


def wins_within(game: Game, state: Any, plies: int, winner: bool) -> bool:
    """Can the winner, who moves here if `winner`, force a win in so many plies, whatever the other does?"""
    moves = game.legal(state)
    if not moves:
        return (game.result(state) > 0) == winner and game.result(state) != 0
    answers = (plies > 0 and wins_within(game, game.after(state, move), plies - 1, not winner) for move in moves)
    return any(answers) if winner else all(answers)


def test_small_random_games():
    won = several = single = 0
    for game in [*some_trees(30), *some_graphs(30)]:
        found = state_graph(game, game.start, positions=10**6)
        assert found is not None
        value, plies, _ = brute_force(game, game.start)
        assert found.values[0] == value
        line = found.shortest_line()
        assert len(line) == (plies if value else 0)
        won += bool(line)
        state, truth, counted = game.start, value, [0, 0]
        for move in line:
            _, _, right = brute_force(game, state)
            assert move in right
            counted[0] += len(game.legal(state)) > 1
            counted[1] += len(game.legal(state)) > 1 and len(right) == 1
            state, truth = game.after(state, move), -truth
        assert not line or (game.is_over(state) and game.result(state) == truth)
        assert found.choices(line) == tuple(counted)
        several, single = several + counted[0], single + counted[1]
    assert won > 30
    assert 0 < single < several


@pytest.mark.parametrize(
    ("spec", "state"),
    [
        ("tictactoe", "XO--X---O X"),
        ("tictactoe", "XO--X---- O"),
        ("tictactoe", "X--O----- X"),
        ("connect4(columns=4, rows=4, line=3)", "1122"),
        ("connect4(columns=4, rows=4, line=3)", "11224"),
        ("nim(stones=8)", None),
        ("nim(stones=9)", None),
    ],
)
def test_no_win_is_shorter_and_none_can_be_put_off_longer(spec, state):
    game = ludus.game(spec)
    start = game.read_state(state)
    found = state_graph(game, start, positions=10**5, only_result=True)
    assert found is not None
    assert found.values[0] != 0
    line, ours = found.shortest_line(), found.values[0] > 0
    assert wins_within(game, start, len(line), ours)
    assert not wins_within(game, start, len(line) - 1, ours)


def test_the_score_is_kept_and_the_result_alone_may_come_sooner():
    """The first move wins by 1 at once, the second by 5 after three plies."""
    game = ludus.game("tree", of="[1 [[5]]]")
    by_score = state_graph(game, game.start, positions=9)
    by_result = state_graph(game, game.start, positions=9, only_result=True)
    assert by_score is not None
    assert by_result is not None
    assert (by_score.values[0], len(by_score.shortest_line())) == (5, 3)
    assert (by_result.values[0], len(by_result.shortest_line())) == (1, 1)
    assert by_score.choices(by_score.shortest_line()) == (1, 1)
    assert by_result.choices(by_result.shortest_line()) == (1, 0)


class Round(Game):
    """0, 1, 2, and round again; from 2 one may also stop."""

    max_moves = 2

    def initial(self):
        return (0,)

    def moves(self, state, out):
        out[0], out[1] = 0, 1
        return (1, 1, 2, 0)[state[0]]

    def play(self, state, move):
        return (3,) if move else ((state[0] + 1) % 3,)

    def score(self, state):
        return -1


def test_what_is_too_large_or_goes_in_circles_is_left_alone():
    game = ludus.game("nim(stones=9)")
    assert len(state_graph(game, game.start, positions=10) or ()) == 10
    assert state_graph(game, game.start, positions=9) is None
    assert state_graph(game, game.start, positions=10, nodes=23) is None
    assert state_graph(game, game.start, positions=10, nodes=24) is not None
    assert state_graph(game, game.start, positions=10, seconds=0.0) is None
    assert state_graph(Round(), (0,), positions=10) is None
