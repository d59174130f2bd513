"""The names in which searches are written, what each of them means, and the table of all of them.

A search imports these and calls them: `moves(game, state, out)`, `play(game, state, move)`. Interpreted,
they do what stands here: ask the objects, count, and check. Compiled, `specialise` puts one game's and one
evaluator's own functions in their place (`generated.py` writes the same meaning for Numba).

`game.meter` is the running search's meter. Because `play`, `evaluate` and `final` count themselves, the
meter is the same for every search and none can forget to count. `game.scratch` is a free buffer for
evaluators that need to list moves, `game.probabilities` one for probabilities. A game's own rules may call these
names too: what they play counts.

`RULES` is the one table of rules: whoever has to do something for each rule (the compiler, the checker, the identity
of a run) goes through it.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.common.advice import WRITE
from ludus.common.errors import LudusError, MoveError, RuleError
from ludus.common.numbers import LARGEST
from ludus.kernel.alternation import opinion
from ludus.kernel.boards import same_state
from ludus.kernel.limits import EVALUATED, GENERATED
from ludus.kernel.random import GAMMA, mix

SLACK = 64
"""How much longer than `max_moves` a buffer of moves is, so that a wrong `max_moves` is noticed."""

MASK = (1 << 64) - 1

GUARD = 1 << 16
"""How many cells before and after a buffer of a program at work are nobody's: compiled code does not notice that it
writes beyond the end, and only what lies there is lost. Memory that nobody writes to costs nothing."""


def guarded(size: int, dtype: Any = np.int64) -> np.ndarray:
    """A buffer of this many cells that a compiled rule may write to."""
    cell = np.dtype(dtype).itemsize
    whole = np.frombuffer(mmap.mmap(-1, (size + 2 * GUARD) * cell), dtype)
    return whole[GUARD : GUARD + size]


@dataclass(frozen=True)
class Rule:
    """A rule: whose it is, what it takes besides its owner and the game, and what it gives."""

    name: str
    owner: str
    """`game` or `evaluator`."""
    takes: tuple[str, ...]
    """`state`, `move`, or the buffers that it writes to: `out` (moves), `probabilities`, `numbers` (features), `places`
    (which of them), `contents` (cells)."""
    gives: str
    """`count` (of what it has written), `state`, `number` or `truth`."""
    optional: bool = False
    """Whether a game may do without. What the base class does then is never asked for: see `has_rule`."""
    counts: int = -1
    """The cell of the meter in which a call counts; -1: in none."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """What the function of this module takes."""
        return (*(("evaluator", "game") if self.owner == "evaluator" else ("game",)), *self.takes)


RULES = (
    Rule("moves", "game", ("state", "out"), "count"),
    Rule("play", "game", ("state", "move"), "state", counts=GENERATED),
    Rule("score", "game", ("state",), "number"),
    Rule("evaluate", "evaluator", ("state",), "number", counts=EVALUATED),
    Rule("final", "evaluator", ("state",), "number", counts=EVALUATED),
    Rule("terms", "evaluator", ("state", "places", "numbers"), "count"),
    Rule("over", "game", ("state",), "truth", optional=True),
    Rule("chance", "game", ("state", "probabilities"), "count", optional=True),
    Rule("null", "game", ("state",), "state", optional=True, counts=GENERATED),
    Rule("noisy", "game", ("state", "move"), "truth", optional=True),
    Rule("urgency", "game", ("state", "move"), "number", optional=True),
    Rule("phase", "game", ("state",), "number", optional=True),
    Rule("lowest", "game", ("state",), "number", optional=True),
    Rule("highest", "game", ("state",), "number", optional=True),
    Rule("foreseen", "game", ("state",), "number", optional=True),
    Rule("features", "game", ("state", "numbers"), "count", optional=True),
    Rule("cells", "game", ("state", "contents"), "count", optional=True),
)


FAILURES = (Exception, SystemExit)
"""What a rule may raise: its author's own errors, or the end of all."""


class Contradiction(Exception):
    """`over` says that the game goes on where `moves` lists none."""


def rules_of(owner: str) -> list[Rule]:
    """The rules of games, or of evaluators."""
    return [rule for rule in RULES if rule.owner == owner]


# What the rules mean. Those that write give how many they have written, at most the size of the buffer less `SLACK`.


def moves(game: Any, state: Any, out: Any) -> int:
    """Write the legal moves of `state` into `out` and return how many; 0 means that the game is over."""
    return _written(game, "moves", state, out, "moves")


def play(game: Any, state: Any, move: int) -> Any:
    """The state after `move`; one node generated."""
    game.meter[GENERATED] += 1
    try:
        return game.layout.settle(game.play(state, int(move)))
    except FAILURES as error:
        kind = RuleError if int(move) in game.legal(state) else MoveError
        raise kind.during(game, f"play (move {int(move)})", state, error) from error


def over(game: Any, state: Any) -> bool:
    """Whether the game is over in `state`, which has no moves then; a game may know without listing them."""
    return bool(_ask(game, "over", state))


def chance(game: Any, state: Any, probabilities: Any) -> int:
    """Where chance decides, write the probabilities of the outcomes that `moves` lists and return how many; else 0."""
    return _written(game, "chance", state, probabilities, "outcomes")


def score(game: Any, state: Any) -> float:
    """The payoff of a finished game to the player to move, in the game's own units."""
    found = _number(game, "score", state)
    if not abs(found) <= LARGEST:
        raise RuleError.during(game, "score", state, ValueError(wrong_score(found, found)))
    return found


def null(game: Any, state: Any) -> Any:
    """The state in which the player to move has passed, though that is not legal; one node generated.

    Ask where a player has a choice. Where nobody may pass the state is one in which he has lost: see `Game.null`.
    """
    game.meter[GENERATED] += 1
    return game.layout.settle(_ask(game, "null", state))


def noisy(game: Any, state: Any, move: int) -> bool:
    """Whether a move changes so much (a capture, say) that `state` should not be judged before it is tried."""
    return bool(_ask(game, "noisy", state, int(move)))


def urgency(game: Any, state: Any, move: int) -> float:
    """How early a search should try a move; one more counts as much as one reply less that it leaves."""
    return _number(game, "urgency", state, int(move))


def phase(game: Any, state: Any) -> float:
    """How far the game is: from 0, the beginning, to 1, the end."""
    return _number(game, "phase", state)


def lowest(game: Any, state: Any) -> float:
    """A score that the player to move in `state` is sure of: the game cannot end with less."""
    return _number(game, "lowest", state)


def highest(game: Any, state: Any) -> float:
    """A score that the player to move in `state` cannot exceed."""
    return _number(game, "highest", state)


def foreseen(game: Any, state: Any) -> float:
    """The score under best play of an unfinished game, where that can be told at a glance; NaN elsewhere."""
    return _number(game, "foreseen", state)


def features(game: Any, state: Any, numbers: Any) -> int:
    """Write what there is to say of `state` in numbers, to the player to move, and return how many numbers."""
    return _written(game, "features", state, numbers, "features")


def cells(game: Any, state: Any, contents: Any) -> int:
    """Write what stands on each cell of the board, seen by the player to move, and return how many cells there are.

    0 is nothing, 1 the mover's, 2 the opponent's; see `cells.py`. A game without the rule may have a plain board.
    """
    return _written(game, "cells", state, contents, "cells")


def _ask(game: Any, rule: str, state: Any, *more: Any) -> Any:
    """What a rule of the game gives; its failure as an error that names the rule, the position and the line."""
    try:
        return getattr(game, rule)(state, *more)
    except LudusError:  # of another rule that it calls
        raise
    except FAILURES as error:
        raise RuleError.during(game, rule, state, error) from error


def _number(game: Any, rule: str, state: Any, *more: Any) -> float:
    """The number that a rule of the game gives; what else it gives is an error."""
    found = _ask(game, rule, state, *more)
    try:
        if isinstance(found, (str, bytes)):
            raise TypeError
        return float(found)
    except (TypeError, ValueError, OverflowError):
        raise RuleError.during(game, rule, state, TypeError(f"it must return a number, not {found!r:.80}")) from None


def wrong_score(score: float, given: Any) -> str:
    """What is wrong with a score that is not finite, or is too large; `given` is what the rule gave."""
    if abs(score) < np.inf:
        return f"a score must lie between {-LARGEST:g} and {LARGEST:g}, not {score:g}"
    return f"a score must be a finite number, not {given!r:.80}"


def _written(game: Any, rule: str, state: Any, room: Any, what: str) -> int:
    """How many a rule has written into a buffer, which may not be more than fit."""
    try:
        n = getattr(game, rule)(state, room)
        if not isinstance(n, (int, np.integer)):
            remedy = f": {WRITE}" if rule == "moves" else ""
            raise TypeError(f"it must return how many {what} it wrote, not {n!r}{remedy}")
    except FAILURES as error:
        raise RuleError.during(game, rule, state, error) from error
    n = int(n)
    if not 0 <= n <= len(room) - SLACK:
        limit = {"features": "max_features is", "cells": "cell_shape has room for"}.get(rule, "max_moves is")
        wrong = ValueError(f"it returned {n} {what}, but {limit} {len(room) - SLACK}")
        raise RuleError.during(game, rule, state, wrong)
    return n


def evaluate(evaluator: Any, game: Any, state: Any) -> float:
    """The evaluator's static opinion of `state`, to the player to move; one evaluation."""
    return _opinion(evaluator, "evaluate", game, state)


def final(evaluator: Any, game: Any, state: Any) -> float:
    """The value of a finished game to the player to move, on the evaluator's scale; one evaluation."""
    return _opinion(evaluator, "final", game, state)


def terms(evaluator: Any, game: Any, state: Any, places: Any, numbers: Any) -> int:
    """Of an evaluator that weighs features: write the features of `state` that are not 0, their places among all and
    their numbers, and return how many. What it thinks of the state is the sum of these numbers, each times its weight.
    """
    try:
        return int(evaluator.terms(game, state, places, numbers))
    except RuleError:  # of the game, called by the evaluator
        raise
    except FAILURES as error:
        raise RuleError.during(game, f"terms of evaluator {evaluator.title}", state, error) from error


def _opinion(evaluator: Any, rule: str, game: Any, state: Any) -> float:
    game.meter[EVALUATED] += 1
    try:
        if game.alternates:
            found = float(getattr(evaluator, rule)(game, state))
        else:
            found = float(opinion(evaluator, rule, game, state))
        if found != found:
            raise ValueError(f"{rule} must give a number, not nan")
        return found
    except RuleError:  # of the game, called by the evaluator
        raise
    except FAILURES as error:
        raise RuleError.during(game, f"{rule} of evaluator {evaluator.title}", state, error) from error


# Storage of states.


def load(columns: Any, index: int) -> Any:
    """The state stored at `index`. In compiled code its arrays are that row itself, until another is stored there."""
    return columns[index]


def store(columns: Any, index: int, state: Any) -> None:
    """Store `state` at `index`."""
    columns[index] = state


def holds(columns: Any, index: int, state: Any) -> bool:
    """Whether the state stored at `index` is `state`."""
    return same_state(columns[index], state)


def digest(state: Any) -> np.uint64:
    """64 well-mixed bits of a state, the same in every process, compiled or not."""
    return _mixed(GAMMA, state)


def _mixed(h: np.uint64, value: Any) -> np.uint64:
    """A hash with one more value in it; an array by its memory, 64 bits at a time."""
    if isinstance(value, tuple):
        for item in value:
            h = _mixed(h, item)
        return h
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        memory = value.tobytes()
        for word in np.frombuffer(memory + bytes(-len(memory) % 8), np.uint64):
            h = mix(h ^ word)
        return h
    return mix(h ^ np.uint64(_bits(value)))


def _text(state: Any) -> str:
    """What an object is, in words; one that has none of its own (they would name its address) by its fields."""
    return repr(vars(state) if type(state).__repr__ is object.__repr__ and hasattr(state, "__dict__") else state)


def _bits(value: Any) -> int:
    if isinstance(value, (float, np.floating)):
        return int(struct.unpack("<Q", struct.pack("<d", value))[0])
    if isinstance(value, (int, np.integer, np.bool_)):
        return int(value) & MASK
    h = GAMMA
    for byte in _text(value).encode():
        h = mix(h ^ np.uint64(byte))
    return int(h)
