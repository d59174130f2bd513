"""Checks of parts: a part that a class replaces is called, compiled as interpreted, whatever the class it derives from
says of it; and who leaves a child out says that the value of its parent is not final.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from ludus import Search
from ludus.compile.fingerprint import is_plain_function, reachable, references
from ludus.kernel.parts import PARTS, parts_of
from ludus.library.searches.full_width import walk
from ludus.library.searches.full_width.order import DONE
from ludus.model import registry
from tests.support.conformance.running import COUNTED, positions, searched, summary
from tests.support.conformance.subjects import new_session

CALLED = "called_"


def asked_parts(kind: type[Search]) -> list[Callable]:
    """The parts that the code of a search asks for, unused ones too, in the order of their names."""
    functions = reachable([kind.step], parts_of(kind))
    asked = {value for f in functions for value in references(f, {}).values() if is_plain_function(value)}
    return sorted((part for part in PARTS if part in asked), key=lambda part: part.__name__)


def probe_of(kind: type[Search], folder: Path) -> type[Search]:
    """A class derived from `kind` that replaces each of its parts by one that counts its calls, and calls the old one.

    It is written to a file, as a search of a user would be.
    """
    parts = asked_parts(kind)
    lines = [f"from {kind.__module__} import {kind.__name__} as Base"]
    lines += [f"from {part.__module__} import {part.__name__} as part_{part.__name__}" for part in parts]
    lines += [f"default_{part.__name__} = part_{part.__name__}.__wrapped__" for part in parts]
    lines += ["class Probe(Base):"]
    lines += [f"    registers = { ({CALLED + part.__name__: 'i8' for part in parts}) }"]
    for part in parts:
        name, parameters = part.__name__, list(inspect.signature(part).parameters)
        old = f"Base.{name}" if hasattr(kind, name) else f"default_{name}"
        lines += [f"    def {name}(self, {', '.join(parameters[1:])}):"]
        lines += [f"        tree.register[0].{CALLED}{name} += 1"] if "tree" in parameters else []
        lines += [f"        return {old}(self, {', '.join(parameters[1:])})"]
    file = folder / f"probe_{kind.__name__.lower()}.py"
    file.write_text("\n".join(lines) + "\n")
    return type(registry.searches().of(f"{file}:Probe"))


def check_replaced_parts(kind: type[Search], on: str, folder: Path, settings: tuple[dict[str, Any], ...]) -> set[str]:
    """Every part that a class replaces is called, compiled as well as interpreted; those that never were."""
    probe, never = probe_of(kind, folder), {part.__name__ for part in asked_parts(kind)}
    for setting in settings:
        (result, called), (compiled_result, compiled) = (calls(probe(**setting), on, way) for way in (False, True))
        assert compiled == called, f"only interpreted {called - compiled}, only compiled {compiled - called}"
        assert compiled_result == result, f"compiled {compiled_result}, interpreted {result}"
        never -= called
    return never


def calls(search: Search, on: str, compiled: bool) -> tuple[list[Any], set[str]]:
    """What some searches find, and which parts were called."""
    session, results, called = new_session(search, on, compiled), [], set[str]()
    assert (session.kernel is not None) == compiled
    for state in positions(session.game):
        for budget in COUNTED[1:3]:
            session.kept = False
            results.append(summary(searched(session, state, budget)))
            register = session.tree.record.register[0]
            counted = [name for name in search.registers if name.startswith(CALLED) and getattr(register, name) > 0]
            called |= {name.removeprefix(CALLED) for name in counted}
    return results, called


def check_left_out(search: Search, on: str) -> int:
    """When a full-width search leaves a child out, its parent is marked, or the child will be tried later; how often
    one was left out."""
    ask, left_out = walk.skipped, 0

    def watched(search: Any, game: Any, evaluator: Any, tree: Any, node: Any, child: Any) -> Any:
        nonlocal left_out
        says = ask(search, game, evaluator, tree, node, child)
        if says:
            left_out += 1
            is_later = tree.next[node] < 0 and tree.order[child] > DONE
            assert tree.cut[node] or is_later, (
                f"{child} is left out, but its parent {node} is not marked: return leave_child_out(tree, node)"
            )
        return says

    with mock.patch.object(walk, "skipped", watched):
        session = new_session(search, on)
        for state in positions(session.game):
            for budget in COUNTED[1:3]:
                session.kept = False
                searched(session, state, budget)
    return left_out
