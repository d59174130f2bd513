"""Checks of play: what a search must see that looks ahead, and how it must play if it claims to prove results.

A check takes a search and raises AssertionError if it finds fault.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import binom

from ludus import Budget, Result, Search
from tests.support.conformance.running import searched
from tests.support.conformance.subjects import GAMES, session_of
from tests.support.oracles import Exhaustive

AHEAD = Budget(nodes=3000)
"""Enough to look two plies ahead in any of the games here, whatever the strategy."""
PLENTY = Budget(nodes=10**7)
AS_PUBLISHED = "bfmm(complete=false)"
"""It ends when the principal leaf is a finished game, though others may be better."""


@cache
def truth_of(on: str) -> Exhaustive:
    """All positions of a small game, and their results."""
    return Exhaustive(GAMES[on]()[0])


def sample(states: list[Any], how_many: int | None) -> list[Any]:
    """So many of them, always the same; all if None."""
    if how_many is None or how_many >= len(states):
        return states
    return random.Random(1).sample(states, how_many)


# Lookahead.


def wins_at_once(truth: Exhaustive, state: Any) -> list[bool]:
    """Of each move, whether it wins and ends the game."""
    return [not truth.after(after) and truth.score(after) < 0 for after in truth.after(state)]


def loses_at_once(truth: Exhaustive, state: Any) -> list[bool]:
    """Of each move, whether the opponent can win with the next one."""
    return [any(wins_at_once(truth, after)) for after in truth.after(state)]


@cache
def tests_of_lookahead(on: str) -> dict[Any, set[int]]:
    """Positions, and the moves that may be played there.

    Either some moves win at once, and no other wins at all; or none does and some lose at once, though the position
    is not lost. (Whoever sees that all is lost may do as he likes.)
    """
    truth, found = truth_of(on), {}
    for state in truth.positions:
        legal, wins, losses = truth.game.legal(state), wins_at_once(truth, state), loses_at_once(truth, state)
        if any(wins):
            if wins == [score > 0 for score in truth.move_scores(state)] and not all(wins):
                found[state] = {move for move, win in zip(legal, wins, strict=True) if win}
        elif any(losses) and truth.score(state) >= 0:
            found[state] = {move for move, loss in zip(legal, losses, strict=True) if not loss}
    return found


def check_lookahead(search: Search, on: str, compiled: bool = False, how_many: int = 60) -> None:
    """It takes a win in one and, if there is none, does not lose in one."""
    session, right = session_of(search, on, compiled), tests_of_lookahead(on)
    for state in sample(list(right), how_many):
        session.kept = False
        result = searched(session, state, AHEAD)
        assert result.move in right[state], f"{result.move_name} in {state}"


def check_beats_random(search: Search, on: str, compiled: bool = False, games: int = 20, level: float = 1e-3) -> None:
    """It wins so many of its games against random moves as an equal player would with a probability below `level`."""
    session, needed = session_of(search, on, compiled), int(binom.isf(level, games, 0.5)) + 1
    points = sum(points_against_random(session, seed) for seed in range(games))
    assert points >= needed, f"{points} points of {games}; {needed} would be enough"


def points_against_random(session: Any, seed: int) -> float:
    """Of one game: 1, 1/2 or 0. In every second one the search moves first."""
    game, source = session.game, random.Random(seed)
    state, ours = game.start, seed % 2 == 0
    session.kept = False
    while legal := game.legal(state):
        if ours:
            session.run(state, Budget(nodes=300), seed)
        state = game.after(state, session.choose() if ours else source.choice(legal))
        ours = not ours
    return float(np.sign(game.result(state)) * (1 if ours else -1) + 1) / 2


# Proofs.


def check_best_play(search: Search, on: str, compiled: bool = False, how_many: int | None = None) -> None:
    """With enough budget: in any position a move with the best result there is, and the claim that it is proven."""
    session, truth = session_of(search, on, compiled), truth_of(on)
    for state in sample(truth.positions, how_many):
        session.kept = False
        result = session.result(state, session.run(state, PLENTY, seed=1))
        scores, place = truth.move_scores(state), session.game.legal(state).index(result.move)
        said = f"{result.move_name} in {state} scores {scores[place]}, the best move {max(scores)}"
        assert np.sign(scores[place]) == np.sign(max(scores)), said
        assert result.stopped == "solved", f"stopped: {result.stopped}"
        assert result.chosen.known.proven, f"{result.move_name} in {state} is solved, but not called proven"
        assert_proofs(truth, state, result)


def check_end(search: Search, on: str, compiled: bool = False, how_many: int = 30) -> None:
    """With budget enough it ends by itself, in any position of a small game. What it calls solved is played best; and
    so is what it ends with because nothing is left to expand, unless it looks at the principal leaf only."""
    session, truth = session_of(search, on, compiled), truth_of(on)
    for state in sample(truth.positions, how_many):
        session.kept = False
        result = session.result(state, session.run(state, PLENTY, seed=1))
        assert result.stopped in ("solved", "sure", "exhausted")
        scores, place = truth.move_scores(state), session.game.legal(state).index(result.move)
        says_so = result.stopped == "solved" or (result.stopped == "exhausted" and str(search) != AS_PUBLISHED)
        said = f"{result.move_name} in {state} scores {scores[place]}, the best move {max(scores)}"
        assert not says_so or np.sign(scores[place]) == np.sign(max(scores)), said
        assert_proofs(truth, state, result)


def check_proofs(search: Search, on: str, compiled: bool = False, how_many: int = 30) -> None:
    """Under any budget: what it calls proven is so."""
    session, truth = session_of(search, on, compiled), truth_of(on)
    for state in sample(truth.positions, how_many):
        for nodes in (1, 20, 100, 400):
            session.kept = False
            assert_proofs(truth, state, searched(session, state, Budget(nodes=nodes)))


def assert_proofs(truth: Exhaustive, state: Any, result: Result) -> None:
    """Of the root's moves those that are called proven have that result, and all are within their bounds."""
    for child, score in zip(result.children, truth.move_scores(state), strict=True):
        if child.known.proven:
            said = f"{child.name} in {state} is proven to give {child.value}; its score is {score}"
            assert np.sign(child.value) == np.sign(score), said
            assert child.score is None or np.sign(child.score) == np.sign(score)
            assert child.value in (child.known.low, child.known.high), "a proof is a bound"
        if result.scale == "result":
            assert child.known.low <= np.sign(score) <= child.known.high
