"""Which searches the suite is about, and on which games: every registered search in every setting that it names.

So a new search, or a new variant of one, joins by itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import ludus
from ludus import Budget, Evaluator, Game, Player, Search
from ludus.model import registry
from ludus.model.calibration import KINDS, Calibration
from ludus.model.component import parameters
from ludus.model.spec import parse_arguments
from ludus.runtime.session import Session
from tests.support.moving_again import Lead, Strip
from tests.support.oracles import Exhaustive
from tests.support.plain_boards import MixedBoard, NestedBoard, SquareBoard
from tests.support.tiny_games import DiceTree, ListedGame, TinyTree, TreeValues, listed

CALIBRATION = Calibration(
    error=np.array([[0.0, 1.0, 100.0]]),
    interval=np.array([[-1.0, 1.0]]),
    probcut=np.array([[2, 1, 0, 1.0, 0.0, 0.5], [3, 1, 0, 1.0, 0.0, 1.0], [4, 2, 0, 1.0, 0.0, 1.0]]),
)
"""What was never fitted, but will do for searches that need such numbers."""

GAMES: dict[str, Callable[[], tuple[Game, Evaluator]]] = {
    "tictactoe": lambda: (ludus.game("tictactoe"), calibrated("open-lines")),
    "nim": lambda: (ludus.game("nim", stones=14), calibrated("random")),
    "tree": lambda: (TinyTree(seed=372), TreeValues().calibrated(CALIBRATION)),
    "dice": lambda: (DiceTree(seed=405), TreeValues().calibrated(CALIBRATION)),
    # Listed, so that they need no compilation of their own: to the compiler they are one game with "tree".
    "small-tictactoe": lambda: (all_of("tictactoe", "open-lines"), TreeValues().calibrated(CALIBRATION)),
    "small-connect4": lambda: (
        all_of("connect4(columns=4, rows=3, line=3)", "weighted-lines"),
        TreeValues().calibrated(CALIBRATION),
    ),
    # States made of every kind of thing.
    "array": lambda: (SquareBoard(), calibrated("random")),
    "nested": lambda: (NestedBoard(), calibrated("random")),
    "mixed": lambda: (MixedBoard(), calibrated("random")),
    "passes": lambda: (Strip(), Lead().calibrated(CALIBRATION)),
    "small-nim": lambda: (all_of("nim(stones=14)", "random"), TreeValues().calibrated(CALIBRATION)),
}
INTERPRETED = ("tictactoe", "nim", "tree", "dice")
COMPILED = ("tree", "dice")
"""Each of these costs a compilation for every search. Real games are compiled for each in `test_specialise.py`."""


KINDS_OF_STATE = ("array", "nested", "mixed", "passes")
"""A two-dimensional array; a tuple of tuples; an array, a whole number, a fraction and a flag; and a state to which the
library adds whether a pass is due."""


def calibrated(eval: str) -> Evaluator:
    return ludus.evaluator(eval).calibrated(CALIBRATION)


@cache
def all_of(spec: str, eval: str) -> ListedGame:
    """A small game with all its positions listed."""
    game = ludus.game(spec)
    return listed(Exhaustive(game).states, game, ludus.evaluator(eval).on(game))


def settings_of(kind: type[Search]) -> list[str]:
    """The specs of a search: with its defaults, in every variant, and as it takes part in rankings."""
    settings = [*kind.variants, *([kind.contender] if isinstance(kind.contender, str) else [])]
    return list(dict.fromkeys([kind.name, *(f"{kind.name}({setting})" for setting in settings)]))


def bases_of(kind: type[Search]) -> list[type[Search]]:
    """The registered searches that a search is derived from."""
    registered = registry.searches().classes.values()
    return [base for base in kind.__mro__[1:] if base in registered]


def settings_with_inherited(kind: type[Search]) -> list[str]:
    """The specs of a search, and those in which it has a variant of a search that it is derived from."""
    found = settings_of(kind)
    for base in bases_of(kind):
        for variant in base.variants:
            if parse_arguments(variant, kind.name).keys() <= parameters(kind).keys():
                found.append(f"{kind.name}({variant})")
    return list(dict.fromkeys(found))


SPECS = [spec for kind in registry.searches().classes.values() for spec in settings_of(kind)]


@cache
def made(spec: str) -> Search:
    """The search that a spec describes."""
    return registry.searches().make(spec)


def player(spec: str, budget: Budget = Budget(nodes=100)) -> Player:  # noqa: B008
    """For listed games, which have all that a search may need."""
    return Player(made(spec), TreeValues().calibrated(CALIBRATION), budget, compiled=False)


def can_play(search: Search, on: str) -> bool:
    """Whether a game has all that a search needs (the evaluators have), and no more than it can handle."""
    game, _ = GAMES[on]()
    able = all(need in KINDS or game.has_rule(need) for need in search.needs)
    return able and (search.handles_chance or not game.has_chance)


def settings(specs: list[str]) -> list[Any]:
    """Cases of a test for these: variants, whatever is not a search's default setting, are slow."""
    return [pytest.param(spec, id=spec, marks=() if spec == made(spec).name else pytest.mark.slow) for spec in specs]


def cells(games: tuple[str, ...], compiled: bool) -> list[Any]:
    """Each search in each setting with each of the games that it can play.

    The default setting meets all of them; each variant meets one, in turn. What does not repeat itself, because threads
    race, is not compared with itself compiled: it is asked for its facts, and `test_threads.py` for the rest.

    Quick are the default settings interpreted, and compiled one search of each driver on one game; the rest is slow.
    """
    mode = "compiled" if compiled else "interpreted"
    found, drivers = [], set[Any]()
    for kind in registry.searches().classes.values():
        for i, spec in enumerate(settings_of(kind)):
            if compiled and not made(spec).repeats:
                continue
            able = [on for on in games if can_play(made(spec), on)]
            chosen = able if i == 0 else [able[i % len(able)]]
            for on in chosen:
                marks = pytest.mark.slow if i > 0 or (compiled and kind.step in drivers) else ()
                drivers.add(kind.step)
                found.append(pytest.param(spec, on, compiled, id=f"{spec}-{on}-{mode}", marks=marks))
    return found


def cells_of_states() -> list[Any]:
    """Each search, as it stands and as it takes part in rankings, on an array; one of each driver on other states.

    All are slow. With `LUDUS_GRID=1` there are all searches on all kinds of states.
    """
    found, drivers = [], set[Any]()
    for name, kind in registry.searches().classes.items():
        specs = [name, *([f"{name}({kind.contender})"] if isinstance(kind.contender, str) else [])]
        is_first = kind.step not in drivers
        drivers.add(kind.step)
        for on in KINDS_OF_STATE:
            for spec in specs:
                if (on == "array" or is_first or os.environ.get("LUDUS_GRID")) and can_play(made(spec), on):
                    found.append(pytest.param(spec, on, id=f"{spec}-{on}", marks=pytest.mark.slow))
    return found


each_search = pytest.mark.parametrize("spec", settings(SPECS))
each_cell = pytest.mark.parametrize(
    ("spec", "on", "compiled"), cells(INTERPRETED, compiled=False) + cells(COMPILED, compiled=True)
)
each_interpreted_cell = pytest.mark.parametrize(("spec", "on", "compiled"), cells(INTERPRETED, compiled=False))
each_compiled_cell = pytest.mark.parametrize(("spec", "on", "compiled"), cells(COMPILED, compiled=True))
each_kind_of_state = pytest.mark.parametrize(("spec", "on"), cells_of_states())
both_modes = pytest.mark.parametrize(
    "compiled", [pytest.param(False, id="interpreted"), pytest.param(True, id="compiled", marks=pytest.mark.slow)]
)


def each_that(fact: str, inherited: bool = False) -> Any:
    """Every search, in the settings in which it claims this of itself; in those of its base classes too, if asked."""
    specs = SPECS
    if inherited:
        specs = [spec for kind in registry.searches().classes.values() for spec in settings_with_inherited(kind)]
    return pytest.mark.parametrize("spec", settings([spec for spec in specs if getattr(made(spec), fact, False)]))


def new_session(search: Search, on: str, compiled: bool = False) -> Session:
    """A search at work on one of the games; nothing was searched in it before."""
    game, evaluator = GAMES[on]()
    return Session(search, game, evaluator.on(game), compiled)


_sessions: dict[Any, Session] = {}


def session_of(search: Search, on: str, compiled: bool = False) -> Session:
    """The same for all tests of a process: what an earlier search has left does not matter, which is tested too."""
    key = type(search), str(search), on, compiled
    if key not in _sessions:
        _sessions[key] = new_session(search, on, compiled)
    _sessions[key].kept = False
    return _sessions[key]
