"""Checks that a search is a function of what it is given, and that its results say all that they must.

A check takes a search and raises AssertionError if it finds fault.
"""

from __future__ import annotations

import json
from typing import Any
from weakref import WeakKeyDictionary

from ludus import Budget, Player, Search
from ludus.kernel.chance import Dice
from ludus.kernel.limits import STOPPED
from ludus.runtime.session import Session
from tests.support.conformance.running import (
    assert_legal,
    budgets_of,
    everything,
    growing_from,
    pausing_after,
    positions,
    searched,
    summary,
)
from tests.support.conformance.subjects import GAMES, new_session, session_of

_found: WeakKeyDictionary[Session, list[Any]] = WeakKeyDictionary()


def found_first(session: Session) -> list[Any]:
    """What a session found when it was first asked for everything: several checks compare with it."""
    if session not in _found:
        _found[session] = everything(session)
    return _found[session]


def check_compiled(search: Search, on: str) -> None:
    """Compiled and interpreted give the same results and meters."""
    slow, fast = (session_of(search, on, compiled) for compiled in (False, True))
    assert slow.kernel is None
    assert fast.kernel is not None
    assert found_first(fast) == found_first(slow)


def check_repeatable(search: Search, on: str, compiled: bool) -> None:
    """The same seed gives the same result in a fresh session and in one that was used, whatever was searched before."""
    used = session_of(search, on, compiled)
    first = found_first(used)
    assert everything(used) == first, "what an earlier search found leaks into a later one"
    assert everything(new_session(search, on, compiled), backwards=True) == first


def check_pauses(search: Search, on: str, compiled: bool) -> None:
    """It does not matter how often a search pauses."""
    session = session_of(search, on, compiled)
    expected = found_first(session)
    for looks in (1, 7):
        with pausing_after(looks):
            assert everything(session) == expected


def check_growth(search: Search, on: str, compiled: bool) -> None:
    """It does not matter how often the tree grows."""
    with growing_from(1):
        grown = new_session(search, on, compiled)
    assert grown.tree.capacity == 1
    assert everything(grown) == found_first(session_of(search, on, compiled))
    assert grown.tree.capacity > 1


def litter(session: Session) -> None:
    """Leave nonsense in all of the tree's memory that is not in use."""
    arrays, size = session.tree.arrays, int(session.tree.arrays["size"][0]) if session.kept else 0
    for name in session.tree.node_columns:
        arrays[name][size:] = 5 if arrays[name].dtype.kind == "i" else -1e100
    arrays["line"][:] = arrays["out"][:] = arrays["reply"][:] = 5


def check_litter(search: Search, on: str, compiled: bool) -> None:
    """What lies in memory before a search does not matter."""
    session = session_of(search, on, compiled)
    expected = found_first(session)

    def littered() -> Session:
        session.kept = False
        litter(session)
        return session

    assert everything(session, fresh=littered) == expected


def check_whole_game(search: Search, on: str) -> None:
    """A player is a function of the position and the seed; one that keeps its tree, of the game so far and the seed."""
    game, evaluator = GAMES[on]()

    def new_player() -> Player:
        return Player(search, evaluator, Budget(nodes=40), compiled=False)

    one, other, state = new_player(), new_player(), game.start
    while game.legal(state):
        if not getattr(search, "reuse", False):
            other = new_player()
        result = one.choose(game, state, seed=3)
        assert summary(result) == summary(other.choose(game, state, seed=3))
        assert_legal(game, state, result)
        state = Dice(len(str(state))).settle(game, game.after(state, result.move))
        if game.legal(state):
            state = Dice(7).settle(game, game.after(state, game.legal(state)[-1]))


def check_result(search: Search, on: str, compiled: bool) -> None:
    """The result is legal and complete, and its JSON form has the keys of the public contract."""
    session = session_of(search, on, compiled)
    for state in positions(session.game, how_many=6):
        for budget in budgets_of(search):
            session.kept = False
            result = searched(session, state, budget)
            assert_legal(session.game, state, result)
            assert result.stopped in STOPPED.values()
            told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
            assert set(told) >= {"move", "value", "line", "stopped", "meter", "children"}
            assert set(told["meter"]) == {"generated", "evaluated", "expanded", "traversed", "seconds"}
            assert told["move"] == told["line"][0]
            assert [child["move"] for child in told["children"]] == [child.name for child in result.children]
            assert all(set(child) >= {"move", "value", "low", "high", "proven"} for child in told["children"])
            numbers = [told["statistics"], *({**child, "move": None} for child in told["children"])]
            assert not [found for found in numbers if any(isinstance(each, str) for each in found.values())]
