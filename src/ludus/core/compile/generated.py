"""The rules of `rules.py` as compiled code has them: written out for one game's states and rules."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any

from ludus.core import rules
from ludus.core.compile.records import Layout

HOME = "ludus.core.compile.records"
"""The module that all copies claim to live in: every process can import it, which Numba's cache needs."""


def wrappers(layout: Layout, methods: Mapping[Callable, Callable]) -> dict[str, types.FunctionType]:
    """The rules of `rules.py` for compiled code: the same counting, and states cast to their columns' types.

    Without the cast types drift (a literal 0 here, a uint64 there) and a kernel gets several signatures.
    """
    assert layout.dtypes is not None
    casts = ", ".join(f"{'bool' if d.kind == 'b' else f'np.{d.name}'}(after[{i}])" for i, d in enumerate(layout.dtypes))
    loads = ", ".join(f"columns[{i}][index]" for i in range(len(layout.dtypes)))
    stores = "\n".join(f"    columns[{i}][index] = state[{i}]" for i in range(len(layout.dtypes)))
    mixes = "\n".join(
        f"    h = mix(h ^ {f'np.float64(state[{i}]).view(np.uint64)' if d.kind == 'f' else f'np.uint64(state[{i}])'})"
        for i, d in enumerate(layout.dtypes)
    )
    source = f"""
def moves(game, state, out):
    n = np.int64(rule_moves(game, state, out))
    if n < 0 or n > out.size - SLACK:
        raise ValueError("max_moves")
    return n

def play(game, state, move):
    game.meter[GENERATED] += 1
    after = rule_play(game, state, move)
    return ({casts},)

def over(game, state):
    return bool(rule_over(game, state))

def chance(game, state, probabilities):
    n = np.int64(rule_chance(game, state, probabilities))
    if n < 0 or n > probabilities.size - SLACK:
        raise ValueError("max_moves")
    return n

def score(game, state):
    return np.float64(rule_score(game, state))

def evaluate(evaluator, game, state):
    game.meter[EVALUATED] += 1
    return np.float64(rule_evaluate(evaluator, game, state))

def final(evaluator, game, state):
    game.meter[EVALUATED] += 1
    return np.float64(rule_final(evaluator, game, state))

def load(columns, index):
    return ({loads},)

def store(columns, index, state):
{stores}

def digest(state):
    h = GAMMA
{mixes}
    return h
"""
    scope: dict[str, Any] = {"__name__": HOME, "np": rules.np, "SLACK": rules.SLACK, "GAMMA": rules.GAMMA}
    scope |= {"GENERATED": rules.GENERATED, "EVALUATED": rules.EVALUATED, "mix": rules.mix}
    scope |= {f"rule_{rule.__name__}": method for rule, method in methods.items()}
    exec(compile(source, "<ludus rules>", "exec"), scope)
    return {rule.__name__: scope[rule.__name__] for rule in rules.RULES}
