"""The rules that few games have, checked where a game has them; and the opinion of its evaluator."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ludus.common.errors import LudusError, RuleError, describe
from ludus.diagnostics.check.asking import CHANGES, DEPENDS, ask_twice, call, number
from ludus.diagnostics.check.cells import check_cells
from ludus.diagnostics.check.report import Report
from ludus.kernel import rules
from ludus.kernel.boards import same_state
from ludus.kernel.rules import FAILURES, SLACK
from ludus.model import registry
from ludus.model.evaluator import Evaluator
from ludus.model.playable import PlayableGame
from ludus.runtime.state_graph import state_graph

SOME = 4
"""Of how many moves of a position `noisy` is asked."""

FEW_POSITIONS = 100
"""From where at most this many positions can be reached `foreseen` is compared with the value."""


def check_optional(game: PlayableGame, state: Any, where: str, legal: list[int], report: Report) -> None:
    """Those rules that say something about a position by itself."""
    if game.has_rule("over") and bool(call(game, "over", state)) != (not legal):
        said = f"the rule says that the game is {'not ' * (not legal)}over, but there are {len(legal)} moves"
        report.add("over", where, said)
    if game.has_chance:
        _check_chance(game, state, where, len(legal), report)
    if game.has_rule("phase"):
        phase = ask_twice(lambda: call(game, "phase", state), "phase", where, state, "another number", report)
        if not 0 <= number(phase) <= 1:
            report.add("phase", where, f"phase must be a number from 0 to 1, not {phase!r}")
    if game.has_rule("lowest") or game.has_rule("highest"):
        _check_bounds(game, state, where, report)
    if game.has_rule("features"):
        _check_features(game, state, where, report)
    if game.has_rule("cells"):
        check_cells(game, state, where, report)
    if game.has_rule("noisy") and not game.odds(state):
        for move in legal[:: len(legal) // SOME + 1]:
            _check_noisy(game, state, where, move, report)
    if legal and not game.odds(state):
        if game.has_rule("foreseen"):
            _check_foreseen(game, state, where, report)
        if game.has_rule("urgency"):
            for move in legal[:: len(legal) // SOME + 1]:
                _check_urgency(game, state, where, move, report)


def _check_chance(game: PlayableGame, state: Any, where: str, n: int, report: Report) -> None:
    """Probabilities, one for each outcome that `moves` lists, or none at all."""
    before, found = copy.deepcopy(state), []
    for nonsense in (-1.0, 2.0):
        room = np.full(len(game.buffer()), nonsense)
        count = int(call(game, "chance", state, room))
        found.append(room[: max(count, 0)].tolist())
        if count not in (0, n):
            report.add("chance", where, f"{count} probabilities, but moves lists {n} outcomes")
            return
    odds = found[0]
    if odds and not (min(odds) >= 0 and abs(sum(odds) - 1) < 1e-9):  # NaN also
        report.add("chance", where, f"probabilities must be at least 0 and add up to 1: {odds}")
    if not same_state(before, state):
        report.add("chance", where, CHANGES)
    if found[1] != odds:
        report.add("chance", where, f"{DEPENDS}: a second call gave other probabilities")


def _check_bounds(game: PlayableGame, state: Any, where: str, report: Report) -> None:
    found = {}
    for rule in ("lowest", "highest"):
        given = ask_twice(lambda rule=rule: call(game, rule, state), rule, where, state, "another number", report)  # type: ignore[misc]
        found[rule] = number(given)
        if np.isnan(found[rule]):
            report.add(rule, where, f"{rule} must be a number, not {given!r}")
    if found["lowest"] > found["highest"]:
        report.add("lowest", where, f"lowest is above highest: {found['lowest']:g} and {found['highest']:g}")


def check_outcome(game: PlayableGame, states: list[Any], score: float, report: Report) -> None:
    """A game went through these states, the players taking turns, and ended with `score` to whose turn it was then:
    the bounds must have allowed it."""
    for back, state in enumerate(reversed(states), 1):
        value = -score if back % 2 else score
        for rule, wrong, allowed in (("lowest", np.less, "more"), ("highest", np.greater, "less")):
            if game.has_rule(rule):
                bound = number(call(game, rule, state))
                if wrong(value, bound) and not np.isclose(value, bound):
                    told = f"a game from here ended otherwise: with {value:g}, not {bound:g} or {allowed}"
                    report.add(rule, describe(game, state), told)


def _check_features(game: PlayableGame, state: Any, where: str, report: Report) -> None:
    numbers = ask_twice(lambda: _features(game, state, where), "features", where, state, "other features", report)
    most = game.room_for_features - SLACK
    if len(numbers) > most:
        report.add("features", where, f"{len(numbers)} features, more than max_features: {most}")
    elif game.feature_names and len(numbers) != len(game.feature_names):
        report.add("features", where, f"{len(numbers)} features, but feature_names has {len(game.feature_names)}")
    elif not np.isfinite(numbers).all():
        report.add("features", where, f"features must be finite numbers: {numbers.tolist()}")
    elif len(numbers) != (first := len(_features(game, game.start, where))):
        report.add("features", where, f"{len(numbers)} features, but {first} in the first position")


def _features(game: PlayableGame, state: Any, where: str) -> Any:
    room = np.full(game.room_for_features, np.nan)
    count = call(game, "features", state, room)
    if not isinstance(count, (int, np.integer)) or not 0 <= count <= len(room):
        raise RuleError("", "features", where, f"features must return how many it wrote, not {count!r}")
    return room[: int(count)]


def check_null(judge: Evaluator, game: PlayableGame, state: Any, report: Report) -> None:
    """After a pass the other player is to move, in a state that the rules and the evaluator can do with."""
    where = describe(game, state)
    after = ask_twice(lambda: call(game, "null", state), "null", where, state, "another state", report)
    try:
        after = game.layout.settle(after)
    except FAILURES as error:
        report.add("null", where, f"a state does not survive its columns: {error}")
        return
    if type(game).alternates and hasattr(game, "mover") and call(game, "mover", after) == call(game, "mover", state):
        report.add("null", where, "the same player is to move after passing, as mover tells it")
        return
    try:
        if rules.moves(game, after, game.buffer()) == 0:
            rules.score(game, after)
            rules.final(judge, game, after)
        else:
            rules.evaluate(judge, game, after)
    except RuleError as error:
        report.add("null", where, f"in the state after passing {error.rule} fails: {error.cause}")


def _check_noisy(game: PlayableGame, state: Any, where: str, move: int, report: Report) -> None:
    said = ask_twice(lambda: call(game, "noisy", state, move), "noisy", where, state, "another answer", report)
    if not isinstance(said, (bool, np.bool_)) and number(said) not in (0, 1):
        report.add("noisy", where, f"noisy must be true or false, not {said!r}")


def _check_foreseen(game: PlayableGame, state: Any, where: str, report: Report) -> None:
    """What the game foresees is what it is worth, where so few positions can still come that all can be listed."""
    said = number(ask_twice(lambda: call(game, "foreseen", state), "foreseen", where, state, "another number", report))
    if np.isnan(said) or game.has_chance:
        return
    found = state_graph(game, state, positions=FEW_POSITIONS)
    if found is not None and not np.isclose(found.values[0], said):
        report.add("foreseen", where, f"under best play the game ends with {found.values[0]:g}, not with {said:g}")


def _check_urgency(game: PlayableGame, state: Any, where: str, move: int, report: Report) -> None:
    said = ask_twice(lambda: call(game, "urgency", state, move), "urgency", where, state, "another number", report)
    if not np.isfinite(number(said)):
        report.add("urgency", where, f"urgency must be a number, not {said!r}")


# The evaluator.


def judge_of(game: PlayableGame) -> Evaluator:
    """The game's own evaluator; `random`, which looks at the whole state, for a game that has none."""
    try:
        own = registry.default_evaluator(game) if type(game).evaluator else registry.evaluators().make("random")
        return own.on(game).for_dry_run()
    except LudusError as error:
        raise RuleError(str(error), "evaluator", "", str(error)) from error


def check_opinion(judge: Evaluator, game: PlayableGame, state: Any, rule: str, report: Report) -> None:
    """The evaluator has an opinion of every position, always the same, and leaves the state as it is."""
    name, where = f"{rule} of evaluator {judge.title}", describe(game, state)
    ask = {"evaluate": rules.evaluate, "final": rules.final}[rule]
    ask_twice(lambda: ask(judge, game, state), name, where, state, "another value", report)
