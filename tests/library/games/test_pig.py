"""Pig: the same game as OpenSpiel's, and the values that Neller & Presser 2004 give."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.arena.play.referee import Board
from ludus.library.games.pig import DIE, HOLD, PASS, ROLL, TURN
from tests.support.against_openspiel import Interpreted

# Against OpenSpiel.


@pytest.mark.parametrize(("compiled", "games"), [(True, 200), (False, 20)])
@pytest.mark.parametrize(("target", "sides"), [(100, 6), (30, 4), (12, 2)])
def test_the_same_games_as_openspiels(compiled, games, target, sides):
    """Every legal move, every total, every result. Who has nothing in hand may hold there, who has enough must."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"pig(winscore={target},diceoutcomes={sides},horizon=100000)")
    game, chance, winners = ludus.game("pig", target=target, sides=sides), random.Random(sides), set()
    board = Board(game, compiled=True) if compiled else Interpreted(game)
    for _ in range(games):
        board.reset(game)
        other, turn = theirs.new_initial_state(), 0
        while not other.is_terminal():
            mine, points, total, phase = (int(number) for number in board.state)
            first, second = (mine, points) if turn == 0 else (points, mine)
            assert str(other).splitlines()[0] == f"Scores: {first} {second}, Turn total: {total}"
            if other.is_chance_node():
                assert phase == DIE
                odds = [odds for _, odds in other.chance_outcomes()]
                assert game.odds(board.state) == pytest.approx(odds, abs=1e-12)
                face = chance.choice(board.legal)
                other.apply_action(face - 1)
                board.play(face)
                continue
            if other.current_player() != turn:
                assert (phase, board.legal) == (PASS, [2])
                board.play(2)
            else:
                assert phase == TURN
                assert board.legal == ([HOLD, ROLL] if total else [ROLL])
                must_hold = mine + total >= target
                assert other.legal_actions() == ([HOLD] if must_hold else [ROLL, HOLD])
                move = HOLD if must_hold else ROLL if chance.random() < 0.6 else board.legal[0]
                other.apply_action(move)
                board.play(move)
            turn = 1 - turn
        assert board.legal == []
        assert board.score == other.returns()[turn] == -1
        winners.add(1 - turn)
    assert winners == {0, 1}


# Values.


def win_probabilities(game: Any, states: list) -> dict:
    """The probability that the player to move wins, both playing best: value iteration over the game's own rules."""
    known, change = dict.fromkeys(states, 0.0), 1.0
    following = {s: [game.after(s, move) for move in game.legal(s)] for s in states}
    odds = {s: game.odds(s) for s in states}
    while change > 1e-13:
        change = 0.0
        for s in states:
            if not following[s]:
                value = float(game.score(s) > 0)
            elif odds[s]:
                value = sum(p * known[after] for p, after in zip(odds[s], following[s], strict=True))
            else:
                value = max(1 - known[after] for after in following[s])
            change, known[s] = max(change, abs(value - known[s])), value
    return known


class Sensible:
    """The same rules, but who wins by holding does nothing else: so there is an end to the totals."""

    def __init__(self, game: ludus.Game) -> None:
        self.game, self.after, self.odds, self.score = game, game.after, game.odds, game.score

    def legal(self, state: tuple) -> list[int]:
        wins = state[3] == TURN and state[0] + state[2] >= self.game.target and state[2] > 0
        return [HOLD] if wins else self.game.legal(state)


def best_play(game: ludus.Game) -> dict:
    """Of all states that sensible players can come to."""
    rules, found, waiting = Sensible(game), {game.start}, [game.start]
    while waiting:
        state = waiting.pop()
        fresh = {game.after(state, move) for move in rules.legal(state)} - found
        waiting += fresh
        found |= fresh
    return win_probabilities(rules, sorted(found))


def test_piglet():
    """Pig with a coin, to two points; the exact solution is in the paper. Here heads are worth two: to four points."""
    found = best_play(ludus.game("pig", target=4, sides=2))
    for state, value in {
        (0, 0, 0): 4 / 7, (0, 0, 2): 5 / 7, (0, 2, 0): 2 / 5, (0, 2, 2): 3 / 5, (2, 0, 0): 4 / 5, (2, 2, 0): 2 / 3,
    }.items():  # fmt: skip
        assert found[(*state, TURN)] == pytest.approx(value, abs=1e-9)


def optimal(target: int, sides: int, tolerance: float = 1e-12) -> np.ndarray:
    """The same from the equations of the paper, with arrays: P[i, j, k] for i points, j of the other, k in hand."""
    points, totals = np.arange(target), np.arange(target + sides)
    enough = (points[:, None] + totals)[:, None, :].repeat(target, axis=1) >= target
    p, change = enough.astype(float), 1.0
    while change > tolerance:
        old = p.copy()
        for k in reversed(range(target)):
            value = (1.0 - p[:, :, 0].T + p[:, :, k + 2 : k + sides + 1].sum(axis=2)) / sides  # if he rolls
            if k > 0:
                value = np.maximum(value, 1.0 - p[:, np.minimum(points + k, target - 1), 0].T)  # or holds
            p[:, :, k] = np.where(enough[:, :, k], 1.0, value)
        change = np.abs(p - old).max()
    return p


@pytest.mark.parametrize(("target", "sides"), [(12, 6), (10, 3)])
def test_best_play_by_the_rules_is_that_of_the_equations(target, sides):
    found, expected, compared = best_play(ludus.game("pig", target=target, sides=sides)), optimal(target, sides), 0
    for (mine, theirs, total, phase), value in found.items():
        if phase == TURN and theirs < target and total < target:
            assert value == pytest.approx(expected[mine, theirs, total], abs=1e-9)
            compared += 1
    assert compared > target**2


def test_the_first_player_wins_53_percent():
    """Neller & Presser: "the optimal player that goes first wins 53.06% of the time"."""
    assert optimal(100, 6, 1e-6)[0, 0, 0] == pytest.approx(0.5306, abs=5e-5)


# Counts.


@cache
def positions(depth: int, mine: int, theirs: int, total: int, phase: str, target: int, sides: int) -> int:
    """Lines of exactly so many plies, written down turn by turn instead of from the mover's side."""
    if depth == 0:
        return 1

    def go(mine: int, theirs: int, total: int, phase: str) -> int:
        return positions(depth - 1, mine, theirs, total, phase, target, sides)

    if phase == "rolling":  # `mine` are always those of the player whose turn it is
        return go(theirs, mine, 0, "turn") + sum(
            go(mine, theirs, total + face, "waiting") for face in range(2, sides + 1)
        )
    if phase == "waiting":
        return go(mine, theirs, total, "turn")
    if theirs >= target:
        return 0
    return go(mine, theirs, total, "rolling") + (go(theirs, mine + total, 0, "turn") if total else 0)


@pytest.mark.parametrize(("target", "sides", "depth"), [(100, 6, 12), (7, 6, 14), (5, 2, 20)])
def test_perft(target, sides, depth):
    game = ludus.game("pig", target=target, sides=sides)
    expected = [positions(d, 0, 0, 0, "turn", target, sides) for d in range(depth)]
    assert [ludus.perft(game, d).leaves for d in range(depth)] == expected


# Players, text and pictures.


def test_one_ply_ahead_the_lead_says_hold_at_20():
    game, player = ludus.game("pig"), ludus.player("greedy", compiled=False)
    for total in range(2, 60):
        choice = player.choose(game, (10, 20, total, TURN)).move_name
        assert choice == ("roll" if total < 20 else "hold")
    assert player.choose(game, (90, 20, 10, TURN)).move_name == "hold"


def test_uct_knows_when_to_hold():
    """Near the end it must roll although there is much in hand, for the other will win on his next turn."""
    game, player = ludus.game("pig(target=20)"), ludus.player("uct(nodes=200000)")
    expected = optimal(20, 6)
    for mine, theirs, total in ((0, 18, 8), (0, 0, 14), (10, 2, 9), (15, 17, 3), (4, 18, 5)):
        held, position = 1 - expected[theirs, mine + total, 0], game.position(f"{mine} {theirs} {total} turn")
        best = "hold" if expected[mine, theirs, total] == held else "roll"
        result = player.choose(game, position)
        assert result.move_name == best
        assert (result.value + 1) / 2 == pytest.approx(expected[mine, theirs, total], abs=0.05)


def test_text():
    game = ludus.game("pig")
    position = game.position().play("roll").play("4").play("pass")
    assert position.text == "0 0 4 turn"
    assert str(position) == "to move    0\nother      0\n4 in the hand of the player to move"
    assert list(position.moves) == ["hold", "roll"]
    assert position.play("hold").text == "0 4 0 turn"
    rolling = position.play("roll")
    assert str(rolling).endswith("4 in the hand of the other; the die falls")
    assert rolling.odds == {str(face): pytest.approx(1 / 6) for face in range(1, 7)}
    assert rolling.play("1").text == "0 0 0 turn"
    assert str(rolling.play("6")).endswith("10 in the hand of the other, who goes on")
    assert str(game.position("20 99 7 pass").play("pass").play("hold")).endswith("the game is over")
    assert game.position("3 100 0 turn").score == -1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 2 3", "three numbers and turn, die or pass"),
        ("1 2 x turn", "three numbers and turn, die or pass"),
        ("1 2 3 roll", "three numbers and turn, die or pass"),
        ("", "three numbers and turn, die or pass"),
        ("100 0 0 turn", "no game of pig comes to"),
        ("0 100 5 die", "no game of pig comes to"),
        ("0 100 5 turn", "no game of pig comes to"),
        ("0 10 1 pass", "no game of pig comes to"),
    ],
)
def test_text_that_is_no_position(text, words):
    with pytest.raises(ludus.StateError, match=words):
        ludus.game("pig").position(text)


def test_picture():
    drawn = ludus.game("pig").position("20 35 6 die")._repr_svg_()
    assert drawn.count("<rect") == 6
    assert ">20<" in drawn
    assert ">35<" in drawn
    assert "6 in the hand of the other; the die falls" in drawn
    assert 'x="125" y="60" width="18"' in drawn  # what the other has in hand: six hundredths of the bar, after his 35


@pytest.mark.parametrize("parameters", [{"target": 0}, {"sides": 1}, {"sides": 101}])
def test_parameters_out_of_range(parameters):
    with pytest.raises(ludus.SpecError, match="must be from"):
        ludus.game("pig", **parameters)


def test_the_lead_and_the_result_are_on_one_scale():
    """Points beyond the target do not count, a win is worth twice the target, and no value is beyond that."""
    game = ludus.game("pig(target=30)")
    lead = ludus.evaluator("lead").on(game)
    assert (lead.lowest, lead.highest) == (-60, 60)
    assert lead.final(game, (3, 30, 0, TURN)) == -60
    for text, value in {"10 4 6 turn": 12, "10 4 500 turn": 26, "10 4 6 pass": 0, "10 4 500 pass": -20}.items():
        assert game.position(text).value(lead) == value
    assert game.position("10 4 0 die").value(lead) == pytest.approx(10 - 4 - 20 / 6)
    held = ludus.player("greedy", compiled=False).choose(game, (10, 4, 20, TURN))
    assert (held.move_name, held.value, held.chosen.score) == ("hold", 60, None)
