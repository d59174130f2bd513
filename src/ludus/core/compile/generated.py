"""The rules of `rules.py` as compiled code has them: written out for one game's states and rules."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any

from ludus.core import rules
from ludus.core.compile.records import Layout

HOME = "ludus.core.compile.records"
"""The module that all copies claim to live in: every process can import it, which Numba's cache needs."""

GIVES = {
    "count": """    n = np.int64({call})
    if n < 0 or n > {room}.size - SLACK:
        raise ValueError("{name}")
    return n
""",
    "state": """    after = {call}
    return ({casts},)
""",
    "number": "    return np.float64({call})\n",
    "truth": "    return bool({call})\n",
}
"""How a rule's result is checked and given a fixed type, by what the rule gives."""


def wrappers(layout: Layout, methods: Mapping[str, Callable]) -> dict[Callable, types.FunctionType]:
    """For each function of `rules.py` what stands in its place: the same counting, and results in fixed types.

    Without the casts types drift (a literal 0 here, a uint64 there) and a kernel gets several signatures.
    """
    assert layout.dtypes is not None
    casts = ", ".join(f"{'bool' if d.kind == 'b' else f'np.{d.name}'}(after[{i}])" for i, d in enumerate(layout.dtypes))
    source = "".join(_rule(rule, casts) for rule in rules.RULES) + _storage(layout)
    scope: dict[str, Any] = {"__name__": HOME, "np": rules.np, "SLACK": rules.SLACK}
    scope |= {"GAMMA": rules.GAMMA, "mix": rules.mix}
    scope |= {f"rule_{name}": method for name, method in methods.items()}
    exec(compile(source, "<ludus rules>", "exec"), scope)
    names = [rule.name for rule in rules.RULES] + ["load", "store", "digest"]
    return {getattr(rules, name): scope[name] for name in names}


def _rule(rule: rules.Rule, casts: str) -> str:
    """The source of one rule's wrapper."""
    arguments = ", ".join(rule.arguments)
    count = f"    game.meter[{rule.counts}] += 1\n" if rule.counts >= 0 else ""
    body = GIVES[rule.gives].format(
        call=f"rule_{rule.name}({arguments})", casts=casts, room=rule.arguments[-1], name=rule.name
    )
    return f"def {rule.name}({arguments}):\n{count}{body}\n"


def _storage(layout: Layout) -> str:
    """The source of `load`, `store` and `digest`."""
    dtypes = layout.dtypes or ()
    loads = ", ".join(f"columns[{i}][index]" for i in range(len(dtypes)))
    stores = "\n".join(f"    columns[{i}][index] = state[{i}]" for i in range(len(dtypes)))
    mixes = "\n".join(
        f"    h = mix(h ^ {f'np.float64(state[{i}]).view(np.uint64)' if d.kind == 'f' else f'np.uint64(state[{i}])'})"
        for i, d in enumerate(dtypes)
    )
    return f"""
def load(columns, index):
    return ({loads},)

def store(columns, index, state):
{stores}

def digest(state):
    h = GAMMA
{mixes}
    return h
"""
