"""`check`: is this game right? Thousands of random games, and each of the commonest faults named when it shows.

The commonest bugs in this field are the wrong player's point of view, keys, undo and draws. What a program can find
out by itself is found here; the figures and the short games at the end are for what only the game's author can: a
consistently wrong sign is a different, valid game.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.common.errors import LudusError, NotCompilable, RuleError, describe
from ludus.common.numbers import positive_number, whole_number
from ludus.diagnostics.check.asking import DEPENDS
from ludus.diagnostics.check.cells import check_symmetries
from ludus.diagnostics.check.comparison import compare
from ludus.diagnostics.check.optional import check_null, check_opinion, check_outcome, judge_of
from ludus.diagnostics.check.positions import check_end, check_memory, check_play, check_position
from ludus.diagnostics.check.report import Report
from ludus.diagnostics.check.stories import tell
from ludus.kernel.boards import same_state
from ludus.kernel.chance import Dice
from ludus.kernel.random import seed_for
from ludus.learning.unchanging import unchanging_features
from ludus.model import registry
from ludus.model.evaluator import Evaluator
from ludus.model.game import GameLike
from ludus.model.playable import LONGEST_GAME, PlayableGame
from ludus.model.watchdog import Stuck, Watch
from ludus.runtime.runner import SLOWER
from ludus.runtime.turns import Turns

MEMORY = 20
"""How many positions of a finished game are asked for their moves once more."""

SOME = 8
"""The rule `null` is checked in one of this many positions; that takes as long as a move."""

FEW, PATIENCE = 10, 30.0
"""A check plays at least `FEW` games, unless they take more than `PATIENCE` seconds."""


def check(
    game: GameLike,
    *,
    seconds: float = 3.0,
    games: int = 2000,
    seed: int = 0,
    compiled: bool | None = None,
    announce: Callable[[str], None] | None = None,
    progress: Callable[[Report], None] | None = None,
) -> Report:
    """Play random games for `seconds`, or `games` of them, and report every fault with its position and rule.

    `print(report)` shows what was found, how the games went, and how two of them ended.

    >>> ludus.check("tictactoe", games=20, compiled=False).passed
    True
    """
    games, seed = whole_number("the number of games", games, 1), whole_number("`seed`", seed)
    seconds = positive_number("`seconds`", seconds)
    game = registry.games().of(game)
    report, turns = Report(str(game), seed), Turns(game)
    with Watch() as watch:
        try:
            judge = _play(game, seconds, games, seed, turns, report, progress)
            if report.passed:
                with np.errstate(over="ignore"):
                    check_symmetries(game, seed, report)
            if report.passed:
                _note_features(game, seed, report)
            if report.passed and compiled is not False:
                _compare(game, judge, seconds, seed, report, compiled, announce)
            if report.passed:
                misplaced = registry.misplaced_opinion(game)
                report.questions = [f"{misplaced[:1].upper()}{misplaced[1:]}"] if misplaced else []
                report.questions += [asked] if (asked := turns.question) else []
                report.questions += report.statistics.questions(verified=_says_who_won(game))
                with np.errstate(over="ignore"):
                    report.stories = tell(game, seed)
        except (KeyboardInterrupt, Stuck) as stop:  # what was found so far counts
            report.interrupted = isinstance(stop, KeyboardInterrupt)
            if watch.rule:
                report.add(watch.rule, watch.position, watch.message)
    return report


def _says_who_won(game: PlayableGame) -> bool:
    """Whether every score has been compared with what the game itself says."""
    return hasattr(game, "winner") and hasattr(game, "mover")


def _play(
    game: PlayableGame,
    seconds: float,
    games: int,
    seed: int,
    turns: Turns,
    report: Report,
    progress: Callable[[Report], None] | None,
) -> Evaluator | None:
    """Random games, until there is a fault or the time is over; gives the evaluator that was asked in them."""
    started = time.monotonic()
    try:
        with np.errstate(over="ignore"):
            game.layout, game.buffer()
            if not same_state(game.initial(), game.start):
                report.add("initial", describe(game, game.start), f"{DEPENDS}: a second call gave another state")
            judge = judge_of(game)
            for index in range(games):
                allowed = seconds if index >= FEW else max(seconds, PATIENCE)
                if index > 0 and time.monotonic() - started > allowed:
                    report.out_of_time = True
                    break
                _one_game(game, judge, seed_for(seed, index), turns, report)
                report.games += 1
                if progress is not None:
                    progress(report)
                if report.faults:
                    break
            return judge
    except RuleError as error:
        report.add(error.rule or "initial", error.position, error.cause)
    except LudusError as error:
        report.add("max_moves" if "max_moves" in str(error) else "initial", "", str(error))
    return None


def _note_features(game: PlayableGame, seed: int, report: Report) -> None:
    """Which features tell nothing."""
    try:
        with np.errstate(over="ignore"):
            report.unchanging = unchanging_features(game, seed)
    except RuleError as error:
        report.add(error.rule or "features", error.position, error.cause)


def _compare(
    game: PlayableGame,
    judge: Evaluator | None,
    seconds: float,
    seed: int,
    report: Report,
    compiled: bool | None,
    announce: Callable[[str], None] | None,
) -> None:
    """Compiled rules must do the same as interpreted ones."""
    try:
        for fault in compare(game, judge, seed, seconds, announce):
            report.add(*fault)
        report.compiled = True
    except NotCompilable as reason:
        if compiled:
            report.add("compile", "", f"it does not compile: {reason}")
        report.note = f"It runs interpreted, {SLOWER}: {reason}"


def _one_game(game: PlayableGame, judge: Evaluator, seed: int, turns: Turns, report: Report) -> None:
    dice = Dice(seed)
    state, previous = game.start, None
    seen: list[tuple[Any, list[int]]] = []
    for _ in range(LONGEST_GAME):
        report.positions += 1
        legal = check_position(game, state, previous, report)
        if report.faults:
            return
        seen.append((state, legal))
        if not legal:
            _finish(game, judge, seen, turns, report)
            return
        check_opinion(judge, game, state, "evaluate", report)
        odds = game.odds(state)
        if game.has_rule("null") and not odds and report.positions % SOME == 1:
            check_null(judge, game, state, report)
        move = dice.pick(legal, odds)
        previous, state = state, check_play(game, state, move, report)
        if report.faults:
            return
    told = f"the game does not end: {LONGEST_GAME} plies of random play did not finish it"
    report.add("moves", describe(game, state), f"{told}; a rule must end it, say after N moves without progress")


def _finish(
    game: PlayableGame, judge: Evaluator, seen: list[tuple[Any, list[int]]], turns: Turns, report: Report
) -> None:
    """All that can be checked of a game when it is over."""
    end = seen[-1][0]
    if len(seen) == 1:
        report.add("moves", describe(game, end), "the game is over before it begins: no moves in its first state")
    score = check_end(game, end, report)
    players = [(state, len(legal)) for state, legal in seen[:-1] if not game.odds(state)]
    choices = sum(count > 1 for _, count in players)
    if game.length and choices > game.length:
        told = f"the game is longer than its length: {choices} plies with a choice, not {game.length} at most"
        report.add("length", describe(game, end), told)
    if report.faults:
        return
    turns.add(players)
    winner = None if score == 0 else (len(players) + (score < 0)) % 2
    chosen = [(turn % 2, count) for turn, (state, count) in enumerate(players) if not game.must_pass(state)]
    report.statistics.add(winner, chosen, points=abs(score) not in (0, 1))
    check_opinion(judge, game, end, "final", report)
    check_memory(game, seen[-MEMORY:], report)
    check_outcome(game, [state for state, _ in players], score, report)
