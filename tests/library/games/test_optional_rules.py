"""The optional rules of games, each by its meaning: all that can follow from a position is tried where it is little."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludus
from ludus.kernel import rules

# Games small enough for every way to their end, and a position whose bounds are closer together than those at first.
SMALL = [
    "tictactoe",
    "connect4(columns=3, rows=3, line=3)",
    "connect4(columns=4, rows=3, line=4)",
    "kalah(houses=2, seeds=3)",
    "kalah(houses=3, seeds=2, empty_capture=false)",
    "nim(stones=9)",
    "random-tree(branching=3, depth=5)",
    "chance-tree(branching=2, outcomes=3, depth=5, seed=3)",
    "chance-tree(branching=2, outcomes=2, depth=6, share=0.4)",
    'dbf-tree(branching=3, depth=4, leaves="uniform integers binary", low="-3 2 0", high="-1 9 0")',
    'dbf-tree(depth=6, leaves="normal binary", p=0.25, mean="0.5 -0.5", seed=3)',
    "interval-tree(branching=3, depth=5, width=50)",
    "trap-tree(depth=5)",
    "recursive-game(depth=4)",
    "board-splitting(rounds=3)",
    "board-splitting(branching=3, rounds=2, values=branches)",
]
CONSTANT = ("nim", "trap-tree", "recursive-game")
"""Games whose bounds say no more than that somebody wins."""


class Outcomes:
    """Of each position that can be reached, the lowest and the highest score in which play can end from it."""

    def __init__(self, game: ludus.Game) -> None:
        self.game, self.found = game, {}
        self.range(game.start)

    def range(self, state) -> tuple[float, float]:
        if state not in self.found:
            legal, sign = self.game.legal(state), 1 if self.game.odds(state) else -1
            ends = [sign * end for move in legal for end in self.range(self.game.after(state, move))]
            ends = ends or [self.game.result(state)]
            self.found[state] = min(ends), max(ends)
        return self.found[state]


@pytest.mark.parametrize("spec", SMALL)
@np.errstate(over="ignore")
def test_no_game_ends_outside_its_bounds(spec):
    game, closer, sharp = ludus.game(spec), 0, 0
    widest = rules.highest(game, game.start) - rules.lowest(game, game.start)
    for state, (worst, best) in Outcomes(game).found.items():
        low, high = rules.lowest(game, state), rules.highest(game, state)
        assert low <= worst <= best <= high, game.state_text(state)
        closer += high - low < widest
        sharp += (low, high) == (worst, best)
    assert sharp > 0
    assert closer > 0 or game.name in CONSTANT


@pytest.mark.parametrize("spec", SMALL)
@np.errstate(over="ignore")
def test_the_phase_never_goes_back(spec):
    game = ludus.game(spec)
    assert rules.phase(game, game.start) == 0
    seen = {0.0}
    for seed in range(5):
        dice, state = random.Random(seed), game.start
        while legal := game.legal(state):
            before, state = rules.phase(game, state), game.after(state, dice.choice(legal))
            assert before <= rules.phase(game, state) <= 1
            seen.add(rules.phase(game, state))
    assert len(seen) > 2


LINES = ["tictactoe(size=4, line=3)", "connect4(columns=5, rows=4, line=3)", "connect4", "qubic"]
SWAPS = [*LINES, "othello(size=6)", "amazons(size=5)", "nim"]


def some_states(game: ludus.Game, games: int) -> list:
    """The unfinished states of some random games."""
    found = []
    for seed in range(games):
        dice, state = random.Random(seed), game.start
        while legal := game.legal(state):
            found.append(state)
            state = game.after(state, dice.choice(legal))
    return found


@pytest.mark.parametrize("spec", LINES)
def test_a_move_is_noisy_that_wins_or_would_win_for_the_other(spec):
    game, seen = ludus.game(spec), set()
    for state in some_states(game, 2 if spec == "qubic" else 12):
        passed = game.null(state)
        for move in game.legal(state):
            after = [game.after(before, move) for before in (state, passed)]
            wins = [not game.legal(end) and game.result(end) < 0 for end in after]
            assert game.noisy(state, move) == any(wins)
            seen.add(tuple(wins))
    assert seen >= {(False, False), (False, True), (True, False)}


def test_a_forced_pass_in_kalah_is_null():
    game = ludus.game("kalah")
    forced = [state for state in some_states(game, 2) if state[3]]
    assert len(forced) > 5
    for state in forced:
        assert rules.null(game, state) == game.after(state, game.legal(state)[0])


@pytest.mark.parametrize("spec", SWAPS)
def test_whoever_passes_twice_is_where_he_was(spec):
    game = ludus.game(spec)
    for state in some_states(game, 2):
        passed = rules.null(game, state)
        assert rules.null(game, passed) == state
        assert passed != state or game.name == "nim" or state == game.start
