"""Which functions stand for the names in a program: the rules of a game and an evaluator, the parts of a search.

`compile/` is handed these bindings and knows nothing of games.
"""

from __future__ import annotations

import types
from typing import Any

from ludus.common.errors import NotCompilable
from ludus.compile.explain import failures_explained, place
from ludus.compile.fingerprint import Binding, is_plain_function, reachable
from ludus.compile.generated import turns, wrappers
from ludus.compile.methods import as_function, can_be_positional
from ludus.compile.natives import natives
from ludus.compile.plan import Plan
from ludus.features.plain_board import rule_of
from ludus.kernel import alternation, rules
from ludus.kernel.parts import parts_of
from ludus.model.evaluator import Evaluator
from ludus.model.playable import PlayableGame


@failures_explained()
def plan(program: Any, game: PlayableGame, evaluator: Evaluator) -> Plan:
    """Bind the rules' names for this game and evaluator, and the parts' for this program."""
    layout = game.layout
    if not layout.fixed:
        raise NotCompilable(f"the states of {game.title} {layout.reason}.")
    owners: dict[str, tuple[type, ...]] = {"game": (type(game),), "evaluator": (type(evaluator), type(game))}
    methods: dict[str, types.FunctionType] = {
        rule.name: as_function(getattr(owners[rule.owner][0], rule.name), *owners[rule.owner]) for rule in rules.RULES
    }
    for name, method in methods.items():
        if not is_plain_function(method) or method.__closure__:
            what = f"rule {name} is not a plain method, or uses super() or a closure"
            raise NotCompilable(f"{what} {place(method)}.")
    binding: Binding = natives() | parts_of(type(program), program.unused_parts(game))
    if not type(game).alternates:
        own_rules = {own: as_function(rule, type(game)) for own, rule in alternation.own_rules(game).items()} | {
            alternation.own_evaluate: methods["evaluate"],
            alternation.own_final: methods["final"],
        }
        binding |= turns(game.own_layout, own_rules, evaluator.sees_passes)
        methods |= {"evaluate": alternation.evaluate, "final": alternation.final}  # type: ignore[dict-item]
    step = type(program).step
    functions = reachable([step], binding | (bound := wrappers(layout, methods)))
    if bound[rules.cells] in functions and not game.has_rule("cells"):
        if game.plain_board is None:
            raise NotCompilable(f"{game.title} has neither the rule cells nor a plain board.")
        bound = wrappers(layout, methods | {"cells": rule_of(game.plain_board)})
        functions = reachable([step], binding | bound)
    binding |= bound
    for function in functions:
        if function.__closure__:
            is_method = "__class__" in function.__code__.co_freevars
            what = "uses super()" if is_method else "is a closure, not a module-level function"
            raise NotCompilable(f"{function.__qualname__} {what} {place(function)}.")
        if not can_be_positional(function):
            what = "has parameters that do not compile: **kwargs, or keyword-only ones without a default or after *args"
            raise NotCompilable(f"{function.__qualname__} {what} {place(function)}.")
    return Plan(step, binding, methods, functions, layout)
