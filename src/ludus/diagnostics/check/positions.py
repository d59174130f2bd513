"""What can be checked of one position, of one move, and of the end of a game."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ludus.common.advice import WRITE
from ludus.common.errors import RuleError, describe
from ludus.common.numbers import LARGEST
from ludus.diagnostics.check.asking import CHANGES, DEPENDS, ask_twice, call, check_fields, number
from ludus.diagnostics.check.optional import check_optional
from ludus.diagnostics.check.report import Report
from ludus.kernel.boards import same_state
from ludus.kernel.rules import FAILURES, SLACK, wrong_score
from ludus.model.playable import PlayableGame


def check_position(game: PlayableGame, state: Any, previous: Any, report: Report) -> list[int]:
    """The legal moves, after all that can be checked of a position by itself."""
    where = describe(game, state)
    legal = _check_moves(game, state, where, report)
    if report.faults:
        return legal
    check_optional(game, state, where, legal, report)
    if not report.faults:
        _check_text(game, state, where, legal, report)
    if not report.faults and previous is not None and hasattr(game, "mover"):
        _check_turn(game, previous, state, where, report)
    return legal


def _check_moves(game: PlayableGame, state: Any, where: str, report: Report) -> list[int]:
    before, fields = copy.deepcopy(state), dict(vars(game))
    out = game.buffer()
    n = call(game, "moves", state, out)
    check_fields(game, fields, "moves", where, report)
    if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or n < 0:
        report.add("moves", where, f"moves must return how many it wrote, not {n!r}: {WRITE}")
        return []
    if n > len(out) - SLACK:
        report.add("max_moves", where, f"{n} moves, more than max_moves: {len(out) - SLACK}")
        return []
    legal = out[:n].tolist()
    if len(set(legal)) != n:
        twice = next(move for move in legal if legal.count(move) > 1)
        report.add("moves", where, f"the move list has duplicates: {twice} stands there twice")
    if not same_state(before, state):
        report.add("moves", where, CHANGES)
    again = game.buffer()
    again[:] = -7
    if int(call(game, "moves", state, again)) != n or again[:n].tolist() != legal:
        report.add("moves", where, f"{DEPENDS}: a second call gave other moves")
    return legal


def _check_turn(game: PlayableGame, previous: Any, state: Any, where: str, report: Report) -> None:
    """Players alternate, and chance leaves the turn as it is; where they do not, the library sees to it."""
    if not type(game).alternates:
        return
    same = call(game, "mover", previous) == call(game, "mover", state)
    if game.odds(previous):
        if not same:
            report.add("mover", where, "chance gave the turn away: its state belongs to the player who moves next")
    elif same:
        report.add(
            "mover",
            where,
            "the same player moves twice: write alternates = False, or give the other player a pass in between",
        )


def _check_text(game: PlayableGame, state: Any, where: str, legal: list[int], report: Report) -> None:
    """The state and its moves survive their own text."""
    if game.layout.fixed or game.overrides("parse_state"):
        try:
            back = game.layout.settle(game.parse_state(game.state_text(state)))
        except FAILURES as error:
            report.add("parse_state", where, f"the state's own text does not parse: {error}")
            return
        if not same_state(back, state):
            message = f"a state does not survive its own text form: {state!r} came back as {back!r}"
            report.add("parse_state", where, message)
    call(game, "render", state)
    names = [call(game, "move_name", state, move) for move in legal]
    if len(set(names)) != len(names):
        report.add("move_name", where, f"two moves have the same name: {', '.join(sorted(names))}")
        return
    some = len(legal) // 4 + 1
    for move, name in zip(legal[::some], names[::some], strict=True):
        try:
            parsed = game.parse_move(state, name)
        except FAILURES as error:
            report.add("parse_move", where, f"a legal move's own name does not parse: {name!r}: {error}")
            return
        if parsed != move:
            report.add("parse_move", where, f"a move does not survive its own name: {move} came back as {parsed}")


def check_play(game: PlayableGame, state: Any, move: int, report: Report) -> Any:
    """The state after a legal move."""
    where = describe(game, state)
    before, fields = copy.deepcopy(state), dict(vars(game))
    try:
        raw = game.play(state, move)
    except FAILURES as error:
        failure = RuleError.during(game, "play", state, error)
        report.add("play", where, f"play refuses a legal move: {move}: {failure.cause}")
        return state
    check_fields(game, fields, "play", where, report)
    try:
        after = game.layout.settle(raw)
    except FAILURES as error:
        report.add("play", where, f"a state does not survive its columns: {error}")
        return state
    if not same_state(before, state):
        report.add("play", where, CHANGES)
    if not same_state(game.layout.settle(game.play(state, move)), after):
        report.add("play", where, f"{DEPENDS}: move {move} gave two results")
    return after


def check_memory(game: PlayableGame, seen: list[tuple[Any, list[int]]], report: Report) -> None:
    """Rules that keep the board elsewhere than in the state look right going forward, and wrong going back."""
    for state, legal in reversed(seen):
        out = game.buffer()
        if out[: int(call(game, "moves", state, out))].tolist() != legal:
            report.add("moves", describe(game, state), f"{DEPENDS}: asked later, it gave other moves")
            return


def check_end(game: PlayableGame, state: Any, report: Report) -> float:
    """The score of a finished game to the player to move."""
    where = describe(game, state)
    value = ask_twice(lambda: call(game, "score", state), "score", where, state, "another score", report)
    score = number(value)
    if not abs(score) <= LARGEST:
        report.add("score", where, wrong_score(score, value))
    elif hasattr(game, "winner") and hasattr(game, "mover"):
        winner = call(game, "winner", state)
        last = call(game, "mover", state)
        expected = 0 if winner is None else 1 if (winner == last) != game.must_pass(state) else -1
        if np.sign(score) != expected:
            wrong = f"{score:g} to the player to move, but the winner is {winner!r}"
            report.add("score", where, f"the score has the wrong sign: {wrong}")
    return score
