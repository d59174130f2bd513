"""`check`: is this game right? Thousands of random games, and each of the commonest faults named when it shows.

The commonest bugs in this field are the wrong player's point of view, keys, undo and draws. What a program can find
out by itself is found here; the short game told at the end is for what only its author can: a consistently wrong
sign is a different, valid game.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludus.checking.comparison import compare
from ludus.checking.stuck import Stuck, Watch
from ludus.core.budget import GENERATED
from ludus.core.chance import Dice
from ludus.core.errors import LudusError, NotCompilable, RuleError, describe
from ludus.core.game import LONGEST_GAME, Game
from ludus.core.random import seed_for
from ludus.core.rules import SLACK

MEMORY = 20
"""How many positions of a finished game are asked for their moves once more."""

FEW, PATIENCE = 10, 30.0
"""A check is at least so many games, unless they take that many seconds."""

STORIES, EFFORT = 50, 100_000
"""The story is the shortest of so many random games, or of those for which that many moves were listed."""


@dataclass(frozen=True)
class Fault:
    """Something wrong: with which rule, in which position, and what."""

    rule: str
    position: str
    message: str


@dataclass
class Report:
    """What `check` found."""

    game: str
    faults: list[Fault] = field(default_factory=list)
    games: int = 0
    positions: int = 0
    compiled: bool = False
    interrupted: bool = False
    note: str = ""
    story: str = ""

    @property
    def passed(self) -> bool:
        return not self.faults

    def add(self, rule: str, position: str, message: str) -> None:
        """One fault of a kind for a rule is enough."""
        if not any(f.rule == rule and f.message.split(":")[0] == message.split(":")[0] for f in self.faults):
            self.faults.append(Fault(rule, position, message))


def check(
    game: Game,
    *,
    seconds: float = 3.0,
    games: int = 2000,
    seed: int = 0,
    compiled: bool | None = None,
    announce: Callable[[str], None] | None = None,
    progress: Callable[[Report], None] | None = None,
) -> Report:
    """Play random games for `seconds`, or `games` of them, and report every fault with its position and rule."""
    report = Report(str(game))
    with Watch(game) as watch:
        try:
            _play(game, seconds, games, seed, report, progress)
            if report.passed and compiled is not False:
                _compare(game, seconds, seed, report, compiled, announce)
            if report.passed:
                with np.errstate(over="ignore"):
                    report.story = _tell(game, seed)
        except (KeyboardInterrupt, Stuck) as stop:  # what was found so far counts
            report.interrupted = isinstance(stop, KeyboardInterrupt)
            if watch.rule:
                report.add(watch.rule, watch.position, watch.message)
    return report


def _play(
    game: Game,
    seconds: float,
    games: int,
    seed: int,
    report: Report,
    progress: Callable[[Report], None] | None,
) -> None:
    """Random games, until there is a fault or the time is over."""
    started = time.monotonic()
    try:
        with np.errstate(over="ignore"):
            game.layout, game.buffer()
            if not _same(game.initial(), game.start):
                message = "the rule depends on something besides its arguments: a second call gave another state"
                report.add("initial", describe(game, game.start), message)
            for index in range(games):
                allowed = seconds if index >= FEW else max(seconds, PATIENCE)
                if index > 0 and time.monotonic() - started > allowed:
                    break
                _one_game(game, seed_for(seed, index), report)
                report.games += 1
                if progress is not None:
                    progress(report)
                if report.faults:
                    break
    except RuleError as error:
        report.add(error.rule or "initial", error.position, error.cause)
    except LudusError as error:
        report.add("max_moves" if "max_moves" in str(error) else "initial", "", str(error))


def _compare(
    game: Game,
    seconds: float,
    seed: int,
    report: Report,
    compiled: bool | None,
    announce: Callable[[str], None] | None,
) -> None:
    """Compiled rules must do the same as interpreted ones."""
    try:
        for fault in compare(game, seed, seconds, announce):
            report.add(*fault)
        report.compiled = True
    except NotCompilable as reason:
        if compiled:
            report.add("compile", "", f"it does not compile: {reason}")
        report.note = f"It runs interpreted: {reason}"


def _one_game(game: Game, seed: int, report: Report) -> None:
    dice = Dice(seed)
    state, previous = game.start, None
    seen: list[tuple[Any, list[int]]] = []
    for _ in range(LONGEST_GAME):
        report.positions += 1
        legal = _check_position(game, state, previous, report)
        if report.faults:
            return
        seen.append((state, legal))
        if not legal:
            if previous is None:
                report.add(
                    "moves", describe(game, state), "the game is over before it begins: no moves in its first state"
                )
            _check_end(game, state, report)
            choices = sum(len(legal) > 1 and not game.odds(state) for state, legal in seen)
            if game.length and choices > game.length:
                told = f"the game is longer than its length: {choices} plies with a choice, not {game.length} at most"
                report.add("length", describe(game, state), told)
            if not report.faults:
                _check_memory(game, seen[-MEMORY:], report)
            return
        move = dice.pick(legal, game.odds(state))
        previous, state = state, _check_play(game, state, move, report)
        if report.faults:
            return
    report.add(
        "moves", describe(game, state), f"the game does not end: {LONGEST_GAME} plies of random play did not finish it"
    )


def _check_memory(game: Game, seen: list[tuple[Any, list[int]]], report: Report) -> None:
    """Rules that keep the board elsewhere than in the state look right going forward, and wrong going back."""
    for state, legal in reversed(seen):
        if _legal(game, state) != legal:
            message = "the rule depends on something besides its arguments: asked later, it gave other moves"
            report.add("moves", describe(game, state), message)
            return


def _legal(game: Game, state: Any) -> list[int]:
    out = game.buffer()
    return out[: int(_call(game, "moves", state, out))].tolist()


def _check_position(game: Game, state: Any, previous: Any, report: Report) -> list[int]:
    """The legal moves, after all that can be checked of a position by itself."""
    where = describe(game, state)
    before, fields = copy.deepcopy(state), dict(vars(game))
    out = game.buffer()
    n = _call(game, "moves", state, out)
    _check_fields(game, fields, "moves", where, report)
    if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or n < 0:
        report.add("moves", where, f"moves must return how many it wrote, not {n!r}")
        return []
    if n > len(out) - SLACK:
        report.add("max_moves", where, f"{n} moves, more than max_moves: {len(out) - SLACK}")
        return []
    legal = out[:n].tolist()
    if len(set(legal)) != n:
        twice = next(move for move in legal if legal.count(move) > 1)
        report.add("moves", where, f"the move list has duplicates: {twice} stands there twice")
    if not _same(before, state):
        report.add("moves", where, "the rule changes the state that it is given")
    again = game.buffer()
    again[:] = -7
    if int(_call(game, "moves", state, again)) != n or again[:n].tolist() != legal:
        report.add(
            "moves", where, "the rule depends on something besides its arguments: a second call gave other moves"
        )
    if type(game).over is not Game.over and bool(_call(game, "over", state)) != (n == 0):
        report.add("over", where, f"the rule says that the game is {'not ' * (n == 0)}over, but there are {n} moves")
    if game.has_chance:
        _check_chance(game, state, where, int(n), report)
    if not report.faults:
        _check_text(game, state, where, legal, report)
    if not report.faults and previous is not None and hasattr(game, "mover"):
        same = _call(game, "mover", previous) == _call(game, "mover", state)
        if game.odds(previous):
            if not same:
                report.add("mover", where, "chance gave the turn away: its state belongs to the player who moves next")
        elif same:
            report.add("mover", where, "the same player moves twice: a player who may not move must be given a pass")
    return legal


def _check_chance(game: Game, state: Any, where: str, n: int, report: Report) -> None:
    """Probabilities, one for each outcome that `moves` lists, or none at all."""
    before, found = copy.deepcopy(state), []
    for nonsense in (-1.0, 2.0):
        room = np.full(len(game.buffer()), nonsense)
        count = int(_call(game, "chance", state, room))
        found.append(room[: max(count, 0)].tolist())
        if count not in (0, n):
            report.add("chance", where, f"{count} probabilities, but moves lists {n} outcomes")
            return
    odds = found[0]
    if odds and not (min(odds) >= 0 and abs(sum(odds) - 1) < 1e-9):  # NaN also
        report.add("chance", where, f"probabilities must be at least 0 and add up to 1: {odds}")
    if not _same(before, state):
        report.add("chance", where, "the rule changes the state that it is given")
    if found[1] != odds:
        message = "the rule depends on something besides its arguments: a second call gave other probabilities"
        report.add("chance", where, message)


def _check_fields(game: Game, before: dict[str, Any], rule: str, where: str, report: Report) -> None:
    """A rule that remembers something in the game itself: it would not compile, and a state must say everything."""
    for name, value in vars(game).items():
        if game.has_own(name) and (name not in before or before[name] is not value):
            report.add(rule, where, f"the rule sets self.{name}: all that changes in a game must be in its state")


def _check_text(game: Game, state: Any, where: str, legal: list[int], report: Report) -> None:
    """The state and its moves survive their own text."""
    if game.layout.flat or type(game).parse_state is not Game.parse_state:
        try:
            back = game.layout.settle(game.parse_state(game.state_text(state)))
        except Exception as error:
            report.add("parse_state", where, f"the state's own text does not parse: {error}")
            return
        if not _same(back, state):
            message = f"a state does not survive its own text form: {state!r} came back as {back!r}"
            report.add("parse_state", where, message)
    _call(game, "render", state)
    names = [_call(game, "move_name", state, move) for move in legal]
    if len(set(names)) != len(names):
        report.add("move_name", where, f"two moves have the same name: {', '.join(sorted(names))}")
        return
    some = len(legal) // 4 + 1
    for move, name in zip(legal[::some], names[::some], strict=True):
        try:
            parsed = game.parse_move(state, name)
        except Exception as error:
            report.add("parse_move", where, f"a legal move's own name does not parse: {name!r}: {error}")
            return
        if parsed != move:
            report.add("parse_move", where, f"a move does not survive its own name: {move} came back as {parsed}")


def _check_play(game: Game, state: Any, move: int, report: Report) -> Any:
    where = describe(game, state)
    before, fields = copy.deepcopy(state), dict(vars(game))
    try:
        raw = game.play(state, move)
    except Exception as error:
        failure = RuleError.during(game, "play", state, error)
        report.add("play", where, f"play refuses a legal move: {move}: {failure.cause}")
        return state
    _check_fields(game, fields, "play", where, report)
    try:
        after = game.layout.settle(raw)
    except Exception as error:
        report.add("play", where, f"a state does not survive its columns: {error}")
        return state
    if not _same(before, state):
        report.add("play", where, "the rule changes the state that it is given")
    if not _same(game.layout.settle(game.play(state, move)), after):
        report.add("play", where, f"the rule depends on something besides its arguments: move {move} gave two results")
    return after


def _check_end(game: Game, state: Any, report: Report) -> None:
    where = describe(game, state)
    before = copy.deepcopy(state)
    value = _call(game, "score", state)
    if not _same(before, state):
        report.add("score", where, "the rule changes the state that it is given")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = np.nan
    if not np.isfinite(number):
        report.add("score", where, f"score must be a finite number, not {value!r}")
        return
    if float(_call(game, "score", state)) != number:
        report.add(
            "score", where, "the rule depends on something besides its arguments: a second call gave another score"
        )
    if hasattr(game, "winner") and hasattr(game, "mover"):
        winner = _call(game, "winner", state)
        expected = 0 if winner is None else 1 if winner == _call(game, "mover", state) else -1
        if np.sign(number) != expected:
            report.add(
                "score",
                where,
                f"the score has the wrong sign: {number:g} to the player to move, but the winner is {winner!r}",
            )


def _call(game: Game, rule: str, state: Any, *more: Any) -> Any:
    try:
        return getattr(game, rule)(state, *more)
    except Exception as error:
        raise RuleError.during(game, rule, state, error) from error


def _same(a: Any, b: Any) -> bool:
    """Equal, element by element; objects that do not say what equal means, field by field."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return bool(np.array_equal(a, b))
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if type(a) is type(b) and type(a).__eq__ is object.__eq__:
        return _same(vars(a), vars(b)) if hasattr(a, "__dict__") else str(a) == str(b)
    return bool(a == b)


# The story.


def _tell(game: Game, seed: int) -> str:
    """The shortest of some random games, in words."""
    best: list[int] = []
    result, listed, before = 0.0, 0, int(game.meter[GENERATED])
    for index in range(STORIES):
        # Some games play to list their moves.
        if best and listed + 100 * (int(game.meter[GENERATED]) - before) > EFFORT:
            break
        dice, state = Dice(seed_for(seed, index, 1)), game.start
        played: list[int] = []
        while (legal := game.legal(state)) and len(played) <= 200:
            listed += len(legal)
            played.append(dice.pick(legal, game.odds(state)))
            state = game.after(state, played[-1])
        if not legal and (not best or len(played) < len(best)):
            best, result = played, float(game.score(state))
    if not best:
        return ""
    names = ("First", "Second")
    told, turns = game.move_names(best), game.turns(best)
    to_move = game.decisions(best) % 2
    who = "chance brought" if turns[-1] is None else f"{names[1 - to_move]} moved"
    last = f"{who} {told[-1]} and the game is over"
    winner = None if result == 0 else names[to_move] if result > 0 else names[1 - to_move]
    end = "it is a draw" if winner is None else f"{winner} wins"
    start = " ".join(told[:-1])
    points = "" if abs(result) in (0.0, 1.0) else f" by {abs(result):g}"
    story = f"{f'After {start}: ' if start else ''}{last}: {end}{points}."
    return story[0].upper() + story[1:]
