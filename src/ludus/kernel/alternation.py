"""Games in which a player may move again (`alternates = False`): the library puts the forced pass in between.

Searches need players who take turns. So the objects of such a class are made of a class derived from it
(`model/taking_turns.py`), whose states have one more element: whether a *pass is due*, because the same player moves
again after it. Where it is due the pass is the only move, and a value to the player to move is minus the value to the
one whose turn it really is.

All rules stand here once more, for the derived class; `own_moves` and so on are those of the game as it was written,
which see its own states only. Compiled, `own_rules` says what stands in their places.
"""

from __future__ import annotations

from typing import Any

PASS = 0
PASS_NAME = "pass"


# States.


def own(game, state):
    """The state as the game's author knows it."""
    if game.own_length:
        return state[: game.own_length]
    return state[0] if type(state) is tuple else state


def due(game, state):
    """Whether a pass is due; not in one of the game's own states."""
    if game.own_length:
        return len(state) > game.own_length and bool(state[-1])
    return type(state) is tuple and bool(state[1])


def joined(game, state, passing):
    """One of the game's own states, and whether a pass is due."""
    return (*state, passing) if type(state) is tuple else (state, passing)


def seen(game, state):
    """What an evaluator is given: see `Evaluator.sees_passes`."""
    raise NotImplementedError


def cleared(game, state):
    """The state when the pass has been made."""
    return joined(game, own(game, state), False)


# The rules of the game as it was written.


def _own(rule: str) -> Any:
    def ask(game, *arguments):
        return getattr(super(type(game), game), rule)(*arguments)

    ask.__name__ = ask.__qualname__ = f"own_{rule}"
    return ask


own_moves, own_play, own_score, own_mover = map(_own, ("moves", "play", "score", "mover"))
own_over, own_chance, own_null, own_noisy = map(_own, ("over", "chance", "null", "noisy"))
own_phase, own_lowest, own_highest, own_features = map(_own, ("phase", "lowest", "highest", "features"))
own_urgency, own_foreseen, own_cells = map(_own, ("urgency", "foreseen", "cells"))
own_evaluate, own_final = map(_own, ("evaluate", "final"))


# The rules of a game in which players take turns.


def moves(self, state, out):
    n = own_moves(self, own(self, state), out)
    if due(self, state) and n > 0:
        out[0] = PASS
        return 1
    return n


def play(self, state, move):
    before = own(self, state)
    if due(self, state):
        return joined(self, before, False)
    after = own_play(self, before, move)
    return joined(self, after, own_mover(self, before) == own_mover(self, after))


def play_with_chance(self, state, move):
    """Chance leaves the turn as it is."""
    before = own(self, state)
    if due(self, state):
        return joined(self, before, False)
    by_chance = own_chance(self, before, self.turn_odds) > 0
    after = own_play(self, before, move)
    return joined(self, after, (own_mover(self, before) == own_mover(self, after)) != by_chance)


def score(self, state):
    value = own_score(self, own(self, state))
    return -value if due(self, state) else value


def over(self, state):
    return own_over(self, own(self, state))


def chance(self, state, probabilities):
    return 0 if due(self, state) else own_chance(self, own(self, state), probabilities)


def null(self, state):
    before = own(self, state)
    return joined(self, before if due(self, state) else own_null(self, before), False)


def noisy(self, state, move):
    return False if due(self, state) else own_noisy(self, own(self, state), move)


def foreseen(self, state):
    value = own_foreseen(self, own(self, state))
    return -value if due(self, state) else value


def urgency(self, state, move):
    return 0.0 if due(self, state) else own_urgency(self, own(self, state), move)


def phase(self, state):
    return own_phase(self, own(self, state))


def lowest(self, state):
    before = own(self, state)
    return -own_highest(self, before) if due(self, state) else own_lowest(self, before)


def highest(self, state):
    before = own(self, state)
    return -own_lowest(self, before) if due(self, state) else own_highest(self, before)


def features(self, state, numbers):
    n = own_features(self, own(self, state), numbers)
    if due(self, state):
        for i in range(n):
            numbers[i] = -numbers[i]
    return n


def cells(self, state, contents):
    """What stands on the cells; where a pass is due, as the player who passes sees it."""
    n = own_cells(self, own(self, state), contents)
    if due(self, state):
        for i in range(n):
            kind = contents[i]
            other = kind + 1 if kind % 2 == 1 else kind - 1
            contents[i] = other if kind > 0 and other < self.cell_kinds else kind
    return n


# The rules of an evaluator.


def evaluate(self, game, state):
    value = own_evaluate(self, game, seen(game, state))
    return -value if due(game, state) else value


def final(self, game, state):
    value = own_final(self, game, seen(game, state))
    return -value if due(game, state) else value


def opinion(evaluator: Any, rule: str, game: Any, state: Any) -> Any:
    """`evaluate` or `final`, interpreted."""
    view = cleared if evaluator.sees_passes else own
    value = getattr(evaluator, rule)(game, view(game, state))
    return -value if due(game, state) else value


OWN_RULES = {
    "moves": own_moves,
    "play": own_play,
    "score": own_score,
    "mover": own_mover,
    "over": own_over,
    "chance": own_chance,
    "null": own_null,
    "noisy": own_noisy,
    "urgency": own_urgency,
    "foreseen": own_foreseen,
    "phase": own_phase,
    "lowest": own_lowest,
    "highest": own_highest,
    "features": own_features,
    "cells": own_cells,
}


def own_rules(game: Any) -> dict[Any, Any]:
    """What stands in the places of `own_moves` and so on."""
    return {own_rule: getattr(type(game).written, name) for name, own_rule in OWN_RULES.items()}
