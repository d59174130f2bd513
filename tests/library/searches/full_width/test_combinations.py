"""Every combination of the options that leave the value what it is, against a plain recursion.

Games: graphs, in which positions come up again at the same and at other distances, and trees with dice. Where forced
moves are free a position's depth depends on the way to it, which a table must not confuse.
"""

import itertools

import pytest

from ludus import Budget, Player
from ludus.library.searches.full_width.alphabeta import AlphaBeta
from ludus.library.searches.full_width.backup import Backup
from ludus.library.searches.full_width.mtdf import Mtdf
from ludus.library.searches.full_width.pvs import PrincipalVariation
from ludus.library.searches.full_width.scout import Scout
from ludus.model.component import parameters
from tests.support.tiny_games import DiceTree, OnTrees, TinyGraph, TreeValues

DEPTHS = (2, 4)


@pytest.fixture(autouse=True)
def bounded(monkeypatch):
    """All values lie between these numbers: without them nothing is pruned where chance decides."""
    monkeypatch.setattr(TreeValues, "lowest", -500.0)
    monkeypatch.setattr(TreeValues, "highest", 499.0)


MEMORY = [{}, {"table": True}, {"table": True, "etc": True}]
SWITCHES = [
    dict(zip(("order", "killers", "history", "aspiration", "ties", "star", "free_forced"), values, strict=True))
    for values in itertools.product(
        (True, False), (False, True), (False, True), (0.0, 1.5), ("first", "random"), (1, 2), (False, True)
    )
]
EVERY = [memory | switches for memory in MEMORY for switches in SWITCHES]


def value_of(game, state, left, free_forced):
    """What a state is worth to the player to move, or who moves next after chance, by minimax to so many plies."""
    legal = game.legal(state)
    if left == 0 or not legal:
        return game.worth[state[0]]
    odds = game.odds(state)
    if odds:
        below = [value_of(game, game.after(state, move), left - 1, free_forced) for move in legal]
        return sum(share * value for share, value in zip(odds, below, strict=True))
    left += free_forced and len(legal) == 1
    return max(-value_of(game, game.after(state, move), left - 1, free_forced) for move in legal)


def graph(seed):
    return TinyGraph(seed, layers=5, width=3, values=(3, 1000)[seed % 2])


def dice(seed):
    return DiceTree(seed, depth=4, branching=3, values=(3, 1000)[seed % 2])


GAMES = {kind: [make(seed) for seed in range(12)] for kind, make in ((TinyGraph, graph), (DiceTree, dice))}
TRUTHS = {
    (kind, i, depth, free): value_of(game, game.start, depth, free)
    for kind, games in GAMES.items()
    for i, game in enumerate(games)
    for depth in DEPTHS
    for free in (False, True)
}


def settings_of(kind):
    """All settings of alpha-beta; of its relatives, which have its driver, every fifth."""
    names = parameters(kind).keys()
    found = [options for options in EVERY if options.keys() <= names or not options["aspiration"]]
    found = [{name: value for name, value in options.items() if name in names} for options in found]
    return found if kind is AlphaBeta else found[::5]


@pytest.mark.parametrize("kind", [AlphaBeta, PrincipalVariation, Scout, Mtdf])
def test_every_combination_of_sound_options_finds_the_value(kind):
    for number, options in enumerate(settings_of(kind)):
        for on in (TinyGraph,) if number % 3 else GAMES:
            game, search = number % len(GAMES[on]), OnTrees(kind(**options), kind=on)
            for depth, more in zip(DEPTHS, ({}, {"nodes": 10**6}), strict=True):
                found = search(GAMES[on][game], Budget(depth=depth, **more)).value
                truth = TRUTHS[on, game, depth, options["free_forced"]]
                assert found == pytest.approx(truth, abs=1e-9), (options, game, depth)


@pytest.mark.parametrize(
    "search", [AlphaBeta(star=2, free_forced=True, order=False), Scout(star=2, free_forced=True, order=False)]
)
def test_star2_finds_the_value_where_forced_moves_are_free(search):
    """A probe tries one move of several: that is no forced move, and looks no deeper than the search itself."""
    on = OnTrees(search, kind=DiceTree)
    for seed in range(50, 90):
        tree = DiceTree(seed, depth=6, branching=3, values=(3, 1000)[seed % 2])
        for depth in (3, 5):
            found = on(tree, Budget(depth=depth)).value
            assert found == pytest.approx(value_of(tree, tree.start, depth, True), abs=1e-9), (seed, depth)


def test_star2_does_not_search_twice_what_a_probe_has_settled():
    """In pig every outcome leaves a single move; once it took Star2 thirty times as many nodes as Star1."""
    for make in (AlphaBeta, lambda star: Backup("expectimax", star=star)):
        one, two = (
            Player(make(star=star), "lead", "depth=13", compiled=False).choose("pig(target=5, sides=3)")
            for star in (1, 2)
        )
        assert two.value == pytest.approx(one.value, abs=1e-9)
        assert two.meter.generated < 1.2 * one.meter.generated
