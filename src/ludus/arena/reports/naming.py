"""What players are called where there is little room: short names, and a legend that has their specs in full.

A name leaves out what all players have in common. One that is still long keeps only what tells the player from others
with the same search, and is marked: `pvs*`. `+learned` stands for the evaluator that was learnt for the ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ludus.library.evaluators.learned.learned import FAMILY, is_reserved
from ludus.model.spec import Spec, format_arguments

LONGEST = 24
"""The longest name that is not abbreviated."""
MARK, LEARNT = "*", "+learned"


def uncalibrated(spec: Spec) -> Spec:
    """A player's spec without the calibration of its evaluator."""
    evaluator = spec.arguments.get("eval")
    if not isinstance(evaluator, Spec):
        return spec
    own = {key: value for key, value in evaluator.arguments.items() if key != "calibration"}
    return Spec(spec.name, spec.arguments | {"eval": Spec(evaluator.name, own)})


def has_learnt(spec: Spec) -> bool:
    """Whether a player has an evaluator that was learnt for a ranking."""
    name = str(spec.arguments.get("eval", ""))
    return name.startswith(FAMILY) and is_reserved(name.removeprefix(FAMILY))


def shared_arguments(specs: Sequence[Spec]) -> dict[str, Any]:
    """The arguments that all players have in common; the evaluator, if all have it but those who have a learnt one."""
    usual = [spec for spec in specs if not has_learnt(spec)] or specs
    found = {}
    for key, value in usual[0].arguments.items():
        owners = usual if key == "eval" else specs
        if all(key in spec.arguments and spec.arguments[key] == value for spec in owners):
            found[key] = value
    return found


def without(spec: Spec, shared: Mapping[str, Any]) -> Spec:
    """A spec without these arguments."""
    own = {k: v for k, v in spec.arguments.items() if k not in shared or shared[k] != v}
    return Spec(spec.name, own)


def labels(specs: Sequence[Spec]) -> list[str]:
    """A short name for each of these specs, from which common arguments were taken out; no two are the same."""
    groups: dict[str, list[Spec]] = {}
    for spec in specs:
        groups.setdefault(spec.name, []).append(spec)
    found = [_label(spec, groups[spec.name]) for spec in specs]
    count, seen = Counter(found), Counter[str]()
    for i, label in enumerate(found):
        if count[label] > 1:
            seen[label] += 1
            found[i] = f"{label}{seen[label]}"
    return found


def _label(spec: Spec, group: Sequence[Spec]) -> str:
    """A short name, given all players that have the same search."""
    learnt = has_learnt(spec)
    own = {key: value for key, value in spec.arguments.items() if not (learnt and key == "eval")}
    name = spec.name + LEARNT * learnt
    whole = _call(name, own)
    if len(whole) <= LONGEST:
        return whole
    telling = {k: v for k, v in own.items() if any(k not in o.arguments or o.arguments[k] != v for o in group)}
    if len(telling) < len(own) and len(found := _call(name, telling)) < LONGEST:
        return found + MARK
    return name + MARK


def _call(name: str, arguments: Mapping[str, Any]) -> str:
    return f"{name}({format_arguments(dict(arguments))})" if arguments else name
