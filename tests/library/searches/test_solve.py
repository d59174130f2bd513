"""`solve` against brute force on small random games, and against what is known of real ones."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

import ludus
from benchmarks.solving import MIDDLE, OPENING, endgames, openings
from ludus import Budget, Game, Result
from ludus.kernel.table import MOST_MEMORY
from ludus.library.searches import solve as solve_module
from ludus.model import registry
from tests.support.conformance import playing
from tests.support.oracles import Exhaustive
from tests.support.tiny_games import OnTrees, some_graphs, some_trees

PLENTY = Budget(nodes=10**7)


def solved(game: Game, compiled: bool = True, **parameters: object) -> Result:
    return ludus.Player(registry.searches().of("solve", **parameters), "zero", PLENTY, compiled=compiled).choose(game)


def worth_of_line(game: Game, result: Result) -> float:
    """What the line comes to, to the player who makes its first move; it must end with the game."""
    state = result.state
    for move in result.line:
        assert move in game.legal(state)
        state = game.after(state, move)
    assert game.is_over(state)
    return game.result(state) * (-1) ** len(result.line)


def small_games(how_many: int):
    return [*some_trees(how_many), *some_graphs(how_many)]


@pytest.mark.parametrize(("how_many", "compiled"), [(20, False), (150, True)], ids=["interpreted", "compiled"])
@pytest.mark.parametrize("memory", [64.0, 0.001])
def test_the_value_is_that_of_brute_force_and_the_line_comes_to_it(how_many, compiled, memory):
    solve = OnTrees(registry.searches().of("solve", memory_of_table=memory), compiled)
    for game in small_games(how_many):
        truth, result = Exhaustive(game), solve(game, PLENTY)
        assert result.stopped == "solved"
        assert result.value == truth.score(game.start)
        assert result.chosen.known.proven
        assert worth_of_line(game, result) == result.value


@pytest.mark.parametrize("budget", [Budget(nodes=10), Budget(nodes=40), Budget(depth=1), Budget(depth=3)])
def test_whatever_the_budget_all_that_it_says_is_true(budget):
    solve, said = OnTrees(registry.searches().of("solve"), compiled=False), 0
    for game in small_games(30):
        result = solve(game, budget)
        for child, score in zip(result.children, Exhaustive(game).move_scores(game.start), strict=True):
            assert child.known.low <= score <= child.known.high
            said += np.isfinite(child.known.low) + np.isfinite(child.known.high)
    assert said > 10  # of a depth of 1 only games that end at once


def test_the_result_alone_is_the_sign_of_the_score():
    solve = OnTrees(registry.searches().of("solve", goal="result"), compiled=False)
    for game in small_games(30):
        assert solve(game, PLENTY).value == np.sign(Exhaustive(game).score(game.start))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("nim(stones=5)", -1),
        ("tictactoe", 0),
        ("othello(size=4, empties=none)", -8),
        ("othello(size=4)", -10),
        ("kalah(houses=3, seeds=2)", 4),
        ("kalah(houses=3, seeds=3)", 2),
        ("kalah(houses=4, seeds=2)", 6),
        ("connect4(columns=4, rows=4)", 0),
        ("connect4(columns=5, rows=4)", 0),
    ],
)
def test_known_values(spec, value):
    """Section 7 of what is known: small Kalah with empty capture, Othello 4x4, Tromp's small boards of Connect Four."""
    game = ludus.game(spec)
    result = solved(game, compiled=spec == "connect4(columns=5, rows=4)")
    assert (result.value, result.stopped) == (value, "solved")
    assert worth_of_line(game, result) == value


@pytest.mark.parametrize("on", ["tictactoe", "small-connect4", "small-nim"])
def test_it_takes_a_win_in_one_and_does_not_lose_in_one(on):
    playing.check_lookahead(registry.searches().of("solve"), on, how_many=10)


class Circles(Game):
    """A game without end, unless somebody steps off: from 0 one goes round, or wins at once by move 1 from 2."""

    max_moves = 2

    def initial(self):
        return (0,)

    def moves(self, state, out):
        out[0], out[1] = 0, 1
        return 0 if state[0] == 3 else 2 if state[0] == 2 else 1

    def play(self, state, move):
        return (3,) if move == 1 else ((state[0] + 1) % 3,)

    def score(self, state):
        return -1


def test_a_game_that_goes_in_circles_is_searched_all_the_same():
    result = solved(Circles(), compiled=False, goal="result")
    assert (result.value, result.line) == (1, [0, 0, 1])


@pytest.mark.slow
def test_a_very_long_game_is_no_trouble():
    result = solved(ludus.game("nim(stones=3000)"), compiled=False)
    assert result.value == 1
    assert worth_of_line(ludus.game("nim(stones=3000)"), result) == 1


class Unbounded(ludus.game("nim").__class__):  # type: ignore[misc]
    """Nim that says no more of its scores than that they are numbers."""

    def lowest(self, state):
        return -math.inf

    def highest(self, state):
        return math.inf


def test_rules_that_bound_the_score_save_work():
    plain, bounded = (solved(kind(21), compiled=False) for kind in (Unbounded, ludus.game("nim").__class__))
    assert plain.value == bounded.value == -1
    assert bounded.meter.generated < plain.meter.generated


def test_a_game_of_chance_is_refused():
    with pytest.raises(ludus.SpecError, match="solve cannot play pig, where chance has a part"):
        solved(ludus.game("pig"))


@pytest.mark.slow
def test_published_scores_of_endgames_of_othello():
    """FForum 1 to 19, 22 and 23, 14 to 18 empty squares: the value, and nothing wrong about any move."""
    game = ludus.game("othello")
    player = ludus.Player("solve", "zero", PLENTY, compiled=True)
    for text, worth in endgames():
        result = player.choose(game, game.parse_state(text))
        assert (result.value, result.stopped) == (max(worth.values()), "solved")
        for child in result.children:
            name = game.move_name(result.state, child.move).upper()
            if name in worth:  # some positions are published without their worst moves
                assert child.known.low <= worth[name] <= child.known.high


@pytest.mark.parametrize("name", ["middle", "opening"])
def test_published_results_of_connect_four_at_no_more_than_the_published_cost(name):
    game = ludus.game("connect4")
    player = ludus.Player("solve", "zero", PLENTY, compiled=True)
    results = [(player.choose(game, game.parse_state(columns)), winner) for columns, winner in openings(name)]
    assert all(result.value == winner for result, winner in results)
    searched = sum(result.meter.expanded for result, _ in results) / len(results)
    assert searched < {"middle": MIDDLE, "opening": OPENING}[name]


@pytest.mark.parametrize(
    ("low", "high", "decided", "value"),
    [
        (2.0, 9.0, True, 2.0),  # sure of the goal
        (1.9, 9.0, False, None),
        (-9.0, 1.0, True, 1.0),  # sure not to exceed what is against it
        (-9.0, 1.1, False, None),
    ],
)
def test_what_the_game_says_of_a_position_decides_the_question_at_its_very_end(monkeypatch, low, high, decided, value):
    monkeypatch.setattr(solve_module, "load", lambda columns, node: None)
    monkeypatch.setattr(solve_module, "expected_work", lambda tree, ply: np.inf)
    monkeypatch.setattr(solve_module, "lowest_of", lambda search, game, tree, state: low)
    monkeypatch.setattr(solve_module, "highest_of", lambda search, game, tree, state: high)
    monkeypatch.setattr(solve_module, "known_from_table", lambda tree, node, state, goal, against: False)
    tree = SimpleNamespace(
        register=[SimpleNamespace(ply=0, horizon=9, optimistic=0, hint=-1)],
        goal=[-1.0, 2.0],  # the player to move at ply 1 wants 2, the other one -1
        ready=[solve_module.PLAIN],
        state=None,
        backed=[np.nan],
    )
    assert solve_module.is_known(None, None, tree, 0) is decided
    assert not decided or tree.backed[0] == value


@pytest.mark.parametrize(("megabytes", "allowed"), [(0.0, False), (1e-9, True), (MOST_MEMORY, True), (2e6, False)])
def test_how_much_memory_the_table_may_have(megabytes, allowed):
    if allowed:
        assert registry.searches().of("solve", memory_of_table=megabytes).memory_of_table == megabytes
    else:
        with pytest.raises(ludus.SpecError, match="memory_of_table must be above 0 and at most 1,000,000 MB"):
            registry.searches().of("solve", memory_of_table=megabytes)
