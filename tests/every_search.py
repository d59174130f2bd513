"""What tests of every registered search share: small games, sessions, positions, and what is legal."""

import dataclasses
import math

import numpy as np
import pytest
from oracles import DiceTree, TinyTree, TreeValues

import ludus
from ludus import Budget
from ludus.core import registry
from ludus.core.budget import GENERATED
from ludus.core.chance import Dice
from ludus.core.random import seed_for
from ludus.core.search import Session

GAMES = {
    "tictactoe": lambda: (ludus.game("tictactoe"), ludus.evaluator("open-lines")),
    "nim": lambda: (ludus.game("nim", stones=14), ludus.evaluator("random")),
    "tree": lambda: (TinyTree(seed=372), TreeValues()),
    "dice": lambda: (DiceTree(seed=405), TreeValues()),
}
COMPILED = ("tictactoe", "tree", "dice")
ONE_LOOK = {"greedy", "random"}
"""Searches that do the same whatever the budget."""


def plays_out(name):
    """Whether a search plays games to the end at random: then one step of it is as long as a game."""
    return registry.searches().classes[name].plays_out


def looks_one_ply_ahead(name):
    """Whether the root and its children, which fit into any memory, are all that it keeps."""
    return name in ONE_LOOK or (plays_out(name) and not registry.searches().classes[name].grows_tree)


def pairings(games):
    """Each search with each of the games that it can play."""
    classes = registry.searches().classes
    return [(name, on) for name in classes for on in games if on != "dice" or classes[name].handles_chance]


each_search = pytest.mark.parametrize("name", registry.searches().classes)
each_pairing = pytest.mark.parametrize(("name", "on"), pairings(GAMES))
each_compiled_pairing = pytest.mark.parametrize(("name", "on"), pairings(COMPILED))
each_cell = pytest.mark.parametrize(
    ("name", "on", "compiled"),
    [
        pytest.param(name, on, compiled, id=f"{name}-{on}-{'compiled' if compiled else 'interpreted'}")
        for compiled, games in ((False, GAMES), (True, COMPILED))
        for name, on in pairings(games)
    ],
)
both_modes = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])

BUDGETS = [
    Budget(nodes=1),
    Budget(nodes=50),
    Budget(nodes=400),
    Budget(units=7000),
    Budget(depth=2),
    Budget(depth=3, nodes=60),
]


def make_session(name, on, compiled):
    game, evaluator = GAMES[on]()
    return Session(registry.searches().make(name), game, evaluator.on(game), compiled)


def positions(game, how_many=3):
    """The first position, and others that random play comes to, none of them finished."""
    found, dice = [game.start], Dice(seed_for(1))
    for plies in range(1, how_many):
        state = game.start
        for _ in range(plies):
            after = dice.settle(game, game.after(state, dice.pick(game.legal(state), [])))
            state = after if game.legal(after) else state
        found.append(state)
    return found


def summary(result):
    """All that a result says but the seconds; a NaN equals itself."""
    children = [(child.move, child.name, repr(child.value), repr(child.known)) for child in result.children]
    meter = dataclasses.replace(result.meter, seconds=0.0)
    return result.move, repr(result.value), result.line, children, result.stopped, meter


def run(session, state, budget, seed=7, progress=None):
    """Search, and fail instead of going on for ever if the budget is not kept."""

    def guard(session):
        kept = session.elapsed < 5.0 and (budget.seconds is not None or session.meter[GENERATED] < 30_000)
        if not kept:
            pytest.fail(f"it does not keep {budget}")
        if progress is not None:
            progress(session)

    return session.run(state, budget, seed, guard)


def searched(session, state, budget, seed=7, progress=None):
    return session.result(state, run(session, state, budget, seed, progress))


def everything(session, budgets=BUDGETS, fresh=None):
    """Summaries of searches from several positions under several budgets, in one session or each in a fresh one."""
    return [
        summary(searched(fresh() if fresh else session, state, budget))
        for state in positions(session.game)
        for budget in budgets
    ]


def check_legal(game, state, result):
    """The move, the line and the children are legal and fit together."""
    legal = game.legal(state)
    assert result.move in legal
    assert [child.move for child in result.children] == legal
    assert [child.name for child in result.children] == [game.move_name(state, move) for move in legal]
    chosen = result.children[legal.index(result.move)]
    assert result.value == chosen.value or (math.isnan(result.value) and math.isnan(chosen.value))
    assert result.line[0] == result.move
    with np.errstate(over="ignore"):
        for move in result.line:
            assert move in game.legal(state), "the line is legal"
            state = game.layout.settle(game.play(state, move))


def one_unit_at_a_time(monkeypatch):
    """Let every search pause after each unit of work, the least that it does between two looks at the budget."""
    monkeypatch.setattr(Session, "_slice_looks", lambda self, seconds, most: 1)
