"""The rules of `rules.py` as compiled code has them: written out for one game's states and rules."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ludus.kernel import alternation, rules
from ludus.kernel.form import ARRAY, NUMBER, TUPLE, Form, Part
from ludus.kernel.layout import Layout
from ludus.kernel.random import GAMMA, mix

HOME = "ludus.kernel.records"
"""The module that all copies claim to live in: every process can import it, which Numba's cache needs."""

GIVES = {
    "count": """    n = np.int64({call})
    if n < 0 or n > {room}.size - SLACK:
        raise ValueError("{name}")
    return n
""",
    "state": """    after = {call}
{boards}    return {settled}
""",
    "number": "    return np.float64({call})\n",
    "truth": "    return bool({call})\n",
}
"""How a rule's result is checked and given a fixed type, by what the rule gives."""


OWN_STATES = (
    rules.Rule("own_play", "game", ("state", "move"), "state"),
    rules.Rule("own_null", "game", ("state",), "state"),
)
"""The rules of `alternation.py` that give states."""


def wrappers(layout: Layout, methods: Mapping[str, Callable]) -> dict[Callable, types.FunctionType]:
    """For each function of `rules.py` what stands in its place: the same counting, and results in fixed types.

    Without the casts types drift (a literal 0 here, a uint64 there) and a kernel gets several signatures.
    """
    source = "".join(_rule(rule, layout) for rule in rules.RULES) + _storage(layout)
    scope = _functions(source, layout, methods)
    names = [rule.name for rule in rules.RULES] + ["load", "store", "holds", "digest"]
    return {getattr(rules, name): scope[name] for name in names}


def turns(layout: Layout, own_rules: Mapping[Callable, Callable], sees_passes: bool) -> dict[Callable, Any]:
    """The same for the functions of `alternation.py`; `layout` is that of the states as the author knows them."""
    from ludus.compile import intrinsics

    assert layout.form is not None
    source = f"""
def own(game, state):
    return ({", ".join(f"state[{k}]" for k in range(len(layout.form)))},)

def joined(game, state, passing):
    return (*state, passing)
"""
    source += "".join(_rule(rule, layout) for rule in OWN_STATES)
    methods = {rule.name: own_rules[getattr(alternation, rule.name)] for rule in OWN_STATES}
    scope = _functions(source, layout, methods)
    found = {getattr(alternation, name): scope[name] for name in ("own", "joined", *methods)}
    seen = alternation.cleared if sees_passes else scope["own"]
    return {**own_rules, **found, alternation.due: intrinsics.due_after(len(layout.form)), alternation.seen: seen}


def _functions(source: str, layout: Layout, methods: Mapping[str, Callable]) -> dict[str, Any]:
    """The functions of this source, by name."""
    scope: dict[str, Any] = {"__name__": HOME, "np": np, "SLACK": rules.SLACK}
    scope |= {"GAMMA": GAMMA, "mix": mix, "mix_words": mix_words, "same_cells": same_cells}
    scope |= {f"LIKE_{k}": part.example for k, part in enumerate(layout.parts) if part.kind == TUPLE}
    scope |= {f"rule_{name}": method for name, method in methods.items()}
    if any(part.kind != NUMBER for part in layout.parts):
        from ludus.compile import intrinsics
        from ludus.compile.fit import fits

        scope |= {name: getattr(intrinsics, name) for name in intrinsics.NAMES}
        if not fits():
            scope["owned"] = intrinsics.copied
    exec(compile(source, "<ludus rules>", "exec"), scope)
    return scope


def _rule(rule: rules.Rule, layout: Layout) -> str:
    """The source of one rule's wrapper."""
    arguments = ", ".join(rule.arguments)
    count = f"    game.meter[{rule.counts}] += 1\n" if rule.counts >= 0 else ""
    body = GIVES[rule.gives].format(
        call=f"rule_{rule.name}({arguments})",
        settled=_nested(layout, _settled),
        boards="".join(_checked(rule, k, part) for k, part in enumerate(layout.parts) if part.kind == ARRAY),
        room=rule.arguments[-1],
        name=rule.name,
    )
    return f"def {rule.name}({arguments}):\n{count}{body}\n"


def _nested(layout: Layout, say: Callable[[int, Part], str]) -> str:
    """The source of a state, each part as `say` has it."""
    numbers = {part: k for k, part in enumerate(layout.parts)}

    def write(form: Form) -> str:
        if isinstance(form, Part):
            return say(numbers[form], form)
        return f"({', '.join(map(write, form))},)"

    assert layout.form is not None
    return write(layout.form)


def _settled(k: int, part: Part) -> str:
    """A part of the state `after` in its column's type."""
    if part.kind == NUMBER:
        return f"{'bool' if part.dtype.kind == 'b' else f'np.{part.dtype.name}'}(after{part.place})"
    return f"board_{k}" if part.kind == ARRAY else f"as_tuple(after{part.place}, LIKE_{k})"


def _checked(rule: rules.Rule, k: int, part: Part) -> str:
    """All states have boards of one shape."""
    board = f"    board_{k} = owned(after{part.place}, state{part.place})\n"
    return f'{board}    if board_{k}.shape != state{part.place}.shape:\n        raise ValueError("{rule.name}")\n'


def _storage(layout: Layout) -> str:
    """The source of `load`, `store`, `holds` and `digest`."""
    parts = list(enumerate(layout.parts))
    lines = "\n".join
    return f"""
def load(columns, index):
    return {_nested(layout, _loaded)}

def store(columns, index, state):
{lines(f"    {_stored(k, part)}" for k, part in parts)}

def holds(columns, index, state):
    return {" and ".join(_held(k, part) for k, part in parts)}

def digest(state):
    h = GAMMA
{lines(_mixed(part) for _, part in parts)}
    return h
"""


def _loaded(k: int, part: Part) -> str:
    cell = f"columns[{k}][index]"
    return {NUMBER: cell, ARRAY: f"frozen({cell})", TUPLE: f"tuple_at(columns[{k}], index, LIKE_{k})"}[part.kind]


def _stored(k: int, part: Part) -> str:
    if part.kind == NUMBER:
        return f"columns[{k}][index] = state{part.place}"
    return f"put_{part.kind}(columns[{k}], index, state{part.place})"


def _held(k: int, part: Part) -> str:
    if part.kind == ARRAY:
        return f"same_cells(columns[{k}][index].ravel(), state{part.place}.ravel())"
    return f"{_loaded(k, part)} == state{part.place}"


def _mixed(part: Part) -> str:
    value = f"state{part.place}"
    if part.kind == ARRAY:
        return f"    h = mix_words(h, {value}.ravel().view(np.uint{8 * part.dtype.itemsize}))"
    indent = "    "
    for depth in range(len(part.shape)):
        indent, value = f"{indent}for cell_{depth} in {value}:\n{'    ' * (depth + 2)}", f"cell_{depth}"
    bits = f"np.float64({value}).view(np.uint64)" if part.dtype.kind == "f" else f"np.uint64({value})"
    return f"{indent}h = mix(h ^ {bits})"


FULL = np.uint64(64)


def mix_words(h, cells):
    """Mix the cells of a board into a hash, as many at a time as fit 64 bits; `rules.digest` does the same."""
    word = shift = np.uint64(0)
    width = np.uint64(8 * cells.itemsize)
    for i in range(cells.size):
        word |= np.uint64(cells[i]) << shift
        shift += width
        if shift == FULL:
            h = mix(h ^ word)
            word = shift = np.uint64(0)
    return mix(h ^ word) if shift > np.uint64(0) else h


def same_cells(some, others):
    """Whether two boards are equal."""
    i = 0
    while i < some.size and some[i] == others[i]:
        i += 1
    return i == some.size
