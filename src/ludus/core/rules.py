"""The names in which searches are written, and what each of them means.

A search imports these and calls them: `moves(game, state, out)`, `play(game, state, move)`. Interpreted,
they do what stands here: ask the objects, count, and check. Compiled, `specialise` puts one game's and one
evaluator's own functions in their place (`generated.py` writes the same meaning for Numba).

`game.meter` is the running search's meter. Because `play`, `evaluate` and `final` count themselves, the
meter is the same for every search and none can forget to count. `game.scratch` is a free buffer for
evaluators that need to list moves, `game.fortune` one for probabilities. A game's own rules may call these names
too: what they play counts.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from ludus.core.budget import EVALUATED, GENERATED
from ludus.core.errors import LudusError, RuleError
from ludus.core.random import GAMMA, mix

SLACK = 64
"""How much longer than `max_moves` a buffer of moves is, so that a wrong `max_moves` is noticed."""

MASK = (1 << 64) - 1


def moves(game: Any, state: Any, out: Any) -> int:
    """Write the legal moves of `state` into `out` and return how many; 0 means that the game is over."""
    return _written(game, "moves", state, out, "moves")


def play(game: Any, state: Any, move: int) -> Any:
    """The state after `move`; one node generated."""
    game.meter[GENERATED] += 1
    try:
        return game.layout.settle(game.play(state, int(move)))
    except Exception as error:
        raise RuleError.during(game, f"play (move {int(move)})", state, error) from error


def over(game: Any, state: Any) -> bool:
    """Whether the game is over in `state`, which has no moves then; a game may know without listing them."""
    try:
        return bool(game.over(state))
    except LudusError:  # of `moves`, called by the default, or its buffer
        raise
    except Exception as error:
        raise RuleError.during(game, "over", state, error) from error


def chance(game: Any, state: Any, probabilities: Any) -> int:
    """Where chance decides, write the probabilities of the outcomes that `moves` lists and return how many; else 0."""
    return _written(game, "chance", state, probabilities, "outcomes")


def _written(game: Any, rule: str, state: Any, room: Any, what: str) -> int:
    """How many a rule has written into a buffer, which may not be more than `max_moves`."""
    try:
        n = getattr(game, rule)(state, room)
        if not isinstance(n, (int, np.integer)):
            raise TypeError(f"it must return how many {what} it wrote, not {n!r}")
    except Exception as error:
        raise RuleError.during(game, rule, state, error) from error
    n = int(n)
    if not 0 <= n <= len(room) - SLACK:
        wrong = ValueError(f"it returned {n} {what}, but max_moves is {len(room) - SLACK}")
        raise RuleError.during(game, rule, state, wrong)
    return n


def score(game: Any, state: Any) -> float:
    """The payoff of a finished game to the player to move, in the game's own units."""
    try:
        return float(game.score(state))
    except Exception as error:
        raise RuleError.during(game, "score", state, error) from error


def evaluate(evaluator: Any, game: Any, state: Any) -> float:
    """The evaluator's static opinion of `state`, to the player to move; one evaluation."""
    game.meter[EVALUATED] += 1
    try:
        return float(evaluator.evaluate(game, state))
    except Exception as error:
        raise _blame(evaluator, "evaluate", game, state, error) from error


def final(evaluator: Any, game: Any, state: Any) -> float:
    """The value of a finished game to the player to move, on the evaluator's scale; one evaluation."""
    game.meter[EVALUATED] += 1
    try:
        return float(evaluator.final(game, state))
    except Exception as error:
        raise _blame(evaluator, "final", game, state, error) from error


def _blame(evaluator: Any, rule: str, game: Any, state: Any, error: Exception) -> RuleError:
    if isinstance(error, RuleError):  # a rule of the game, called by the evaluator
        return error
    return RuleError.during(game, f"{rule} of evaluator {evaluator.title}", state, error)


def load(columns: Any, index: int) -> Any:
    """The state stored at `index`."""
    return columns[index]


def store(columns: Any, index: int, state: Any) -> None:
    """Store `state` at `index`."""
    columns[index] = state


def digest(state: Any) -> np.uint64:
    """64 well-mixed bits of a state, the same in every process, compiled or not."""
    h = GAMMA
    for value in state if isinstance(state, tuple) else (_text(state),):
        h = mix(h ^ np.uint64(_bits(value)))
    return h


def _text(state: Any) -> str:
    """What an object is, in words; one that has none of its own (they would name its address) by its fields."""
    return repr(vars(state) if type(state).__repr__ is object.__repr__ and hasattr(state, "__dict__") else state)


def _bits(value: Any) -> int:
    if isinstance(value, (float, np.floating)):
        return int(struct.unpack("<Q", struct.pack("<d", value))[0])
    if isinstance(value, str):
        h = GAMMA
        for byte in value.encode():
            h = mix(h ^ np.uint64(byte))
        return int(h)
    return int(value) & MASK


RULES = (moves, play, over, chance, score, evaluate, final, load, store, digest)
