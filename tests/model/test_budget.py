"""Budgets: what is accepted, how they combine and print, and that a budget for a game lasts for the game."""

import math
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus import Budget, Meter, Player, Search, SpecError
from ludus.kernel import limits as b
from ludus.kernel.rules import load, play
from ludus.kernel.tree import UNOPENED, open_node
from ludus.model import registry
from ludus.model.spec import parse_arguments
from ludus.runtime import runner
from ludus.runtime.session import Session

whole = st.none() | st.integers(1, b.UNLIMITED)
positive = st.none() | st.floats(min_value=1e-9, max_value=1e300)
budgets = st.builds(
    Budget,
    nodes=whole,
    seconds=positive,
    units=whole,
    depth=whole | st.just("auto"),
    memory=positive,
    per=st.sampled_from(("move", "game")),
    traverse=st.integers(0, 1000),
    generate=st.integers(0, 1000),
)
thorough = settings(max_examples=200, deadline=None, derandomize=True, database=None)


# Making one.


@pytest.mark.parametrize("key", ["nodes", "units", "depth"])
@pytest.mark.parametrize("value", [0, -1, 1.5, math.nan, math.inf, True, "many", b.UNLIMITED + 1])
def test_a_count_is_a_whole_number_of_at_least_1(key, value):
    allowed = f"from 1 to {b.UNLIMITED}" if value == b.UNLIMITED + 1 else "of at least 1"
    with pytest.raises(SpecError, match=f"{key} must be a whole number {allowed}"):
        Budget(**{key: value})


@pytest.mark.parametrize("key", ["seconds", "memory"])
@pytest.mark.parametrize("value", [0, -0.5, math.nan, math.inf, True, "long"])
def test_an_amount_is_a_number_above_0(key, value):
    with pytest.raises(SpecError, match=f"{key} must be a number above 0"):
        Budget(**{key: value})


def test_what_units_charge_may_be_nothing_but_not_less():
    assert Budget(traverse=0, generate=0).arguments == {"traverse": 0, "generate": 0}
    with pytest.raises(SpecError, match="generate must be a whole number of at least 0"):
        Budget(generate=-1)


def test_per_is_move_or_game():
    with pytest.raises(SpecError, match="per must be move or game, not week"):
        Budget(per="week")


def test_a_whole_float_is_a_count_and_an_int_an_amount():
    budget = Budget(nodes=1e3, seconds=2)
    assert (budget.nodes, type(budget.nodes)) == (1000, int)
    assert (budget.seconds, type(budget.seconds)) == (2.0, float)


def test_an_unknown_key_is_refused_with_the_nearest_ones():
    with pytest.raises(SpecError, match="unknown budget 'node'; did you mean nodes"):
        Budget.of({"node": 5})


# Printing and combining.


@pytest.mark.slow
@thorough
@given(budgets)
def test_a_printed_budget_reads_back(budget):
    assert Budget.of(budget.arguments) == budget
    if budget != Budget():
        assert Budget.of(parse_arguments(str(budget))) == budget


def test_only_what_says_something_is_printed():
    assert str(Budget(nodes=2000)) == "nodes=2000"
    assert str(Budget(seconds=1, per="game", depth=4)) == "seconds=1.0, depth=4, per=game"
    assert str(Budget()) == ""


@thorough
@given(budgets, budgets)
def test_a_budget_of_ones_own_beats_the_default(own, default):
    effort = ("nodes", "seconds", "units", "depth")
    combined = Budget.over(default, own.arguments)
    if any(getattr(own, key) is not None for key in effort):
        assert combined == own
    else:
        assert [getattr(combined, key) for key in effort] == [getattr(default, key) for key in effort]
        for key, value in own.arguments.items():
            assert getattr(combined, key) == value
    assert combined.bounds_effort == (own.bounds_effort or default.bounds_effort)


def test_what_is_given_beats_the_default_also_where_it_is_what_everybody_has():
    assert Budget.over(Budget(nodes=9, per="game"), {"per": "move"}) == Budget(nodes=9)
    player = Player.of("greedy(per=move)", Budget(nodes=9, per="game"))
    assert player.budget == Budget(nodes=9)


def test_numbers_of_numpy_are_numbers():
    budget = Budget(nodes=np.int64(7), seconds=np.float32(0.5), depth=np.int8(2))
    assert budget == Budget(nodes=7, seconds=0.5, depth=2)
    assert [type(budget.nodes), type(budget.seconds), type(budget.depth)] == [int, float, int]


def test_the_limits_that_kernels_read():
    limits = Budget(nodes=5, units=7, depth=3, traverse=2, generate=9).limits()
    cells = (b.NODES, b.UNITS, b.DEPTH, b.TRAVERSE, b.GENERATE, b.DEEPEN, b.PAUSE, b.INTERRUPT)
    assert [int(limits[cell]) for cell in cells] == [5, 7, 3, 2, 9, 1, b.UNLIMITED, 0]
    assert limits.dtype == np.int64


@pytest.mark.parametrize(
    ("budget", "deepen"),
    [
        (Budget(depth=3), 0),
        (Budget(depth=3, memory=10), 0),
        (Budget(depth=3, nodes=10), 1),
        (Budget(depth=3, seconds=1), 1),
        (Budget(nodes=10), 1),
        (Budget(), 1),
    ],
)
def test_only_depth_alone_needs_no_deepening(budget, deepen):
    assert budget.limits()[b.DEEPEN] == deepen


@pytest.mark.parametrize(
    ("meter", "obliged", "status"),
    [
        # generated, evaluated, expanded, traversed, under nodes=10, units=1500 (100 a node, 1 a pointer)
        ((9, 99, 99, 0), False, b.RUNNING),
        ((10, 0, 0, 0), False, b.STOP_NODES),
        ((10, 0, 0, 0), True, b.RUNNING),
        ((9, 0, 0, 599), False, b.RUNNING),
        ((9, 0, 0, 600), False, b.STOP_UNITS),
        ((9, 0, 0, 600), True, b.RUNNING),
    ],
)
def test_when_a_search_must_stop(meter, obliged, status):
    limits = Budget(nodes=10, units=1500).limits()
    assert b.spent(np.array(meter), limits, obliged) == status


def test_a_search_pauses_after_so_many_looks_whatever_they_cost():
    """Whether it is time to pause depends on the clock, so it must not hide the end of the budget."""
    limits = Budget(nodes=10).limits()
    for obliged in (False, True):
        limits[b.PAUSE] = limits[b.LOOKS] + 3
        told = [b.spent(np.array((9, 0, 0, 10**9)), limits, obliged) for _ in range(4)]
        assert told == [b.RUNNING] * 3 + [b.PAUSED]
        assert b.spent(np.array((10, 0, 0, 0)), limits, False) == b.STOP_NODES


def test_units_charge_pointers_and_nodes():
    limits = Budget(units=1500).limits()
    assert b.spent(np.array((14, 0, 0, 99)), limits, False) == b.RUNNING
    assert b.spent(np.array((14, 0, 0, 100)), limits, False) == b.STOP_UNITS
    limits = Budget(units=1500, traverse=0, generate=1).limits()
    assert b.spent(np.array((1499, 0, 0, 10**9)), limits, False) == b.RUNNING
    assert b.spent(np.array((1500, 0, 0, 0)), limits, False) == b.STOP_UNITS


def test_an_interrupt_stops_all_but_the_obliged():
    limits = Budget().limits()
    limits[b.INTERRUPT] = 1
    assert b.spent(np.zeros(4, np.int64), limits, False) == b.STOP_INTERRUPTED
    assert b.spent(np.zeros(4, np.int64), limits, True) == b.RUNNING


def test_meters_add_up():
    assert Meter(1, 2, 3, 4, 0.5) + Meter(10, 20, 30, 40, 1.0) == Meter(11, 22, 33, 44, 1.5)


# A budget for a game.


def test_a_share_of_a_game_is_the_rest_divided_by_the_moves_left():
    budget = Budget(nodes=1000, units=50_000, seconds=10, depth=6, memory=5, per="game")
    share = budget.share(Meter(generated=400, traversed=1000, seconds=4.0), moves_left=3)
    assert share == Budget(nodes=200, units=3000, seconds=2.0, depth=6, memory=5)  # 50,000 - 1,000 - 40,000


def test_whoever_has_spent_it_all_still_moves():
    share = Budget(nodes=100, seconds=1, units=10, per="game").share(Meter(generated=150, seconds=3.0), moves_left=5)
    assert (share.nodes, share.units) == (1, 1)
    assert 0 < share.seconds <= 1e-3


def test_a_budget_for_a_move_is_not_divided():
    budget = Budget(nodes=100)
    assert budget.share(Meter(generated=99), moves_left=10) == budget


@pytest.mark.parametrize("search", ["bfmm", "minimax"])
@pytest.mark.parametrize("nodes", [1, 20, 150, 1000])
@pytest.mark.parametrize("game", ["tictactoe", "nim"])
def test_one_player_spends_the_budget_over_a_whole_game_and_no_more(game, nodes, search):
    game = ludus.game(game)
    spec, budget = f"{search}(eval=zero)", Budget(nodes=nodes, per="game")
    first, second = (ludus.player(spec, budget, compiled=False) for _ in range(2))
    state, meters = game.start, []
    while game.legal(state):
        result = first.choose(game, state)
        meters.append(result.meter)
        state = game.layout.settle(game.play(state, result.move))
        if game.legal(state):
            state = game.layout.settle(game.play(state, second.choose(game, state).move))
    spent = [meter.generated for meter in meters]
    assert sum(spent) <= nodes + len(spent) * game.max_moves  # one expansion a move
    if nodes >= len(spent) * game.max_moves:
        assert sum(spent) < nodes + game.max_moves  # what a move overruns the later ones make good
        assert min(spent) >= 1
    first.new_game()
    assert first.choose(game).meter.generated == spent[0], "a new game, a new budget"


def test_units_for_a_game_are_kept_too():
    game, units = ludus.game("nim"), 20_000
    player, state, meters = (
        ludus.player("bfmm(eval=zero)", Budget(units=units, per="game"), compiled=False),
        game.start,
        [],
    )
    while game.legal(state):
        result = player.choose(game, state, ply=game.stones - state[0])  # it moves for both sides: twice the shares
        meters.append(result.meter)
        state = game.layout.settle(game.play(state, result.move))
    spent = [meter.traversed + 100 * meter.generated for meter in meters]
    dearest = game.max_moves * (100 + 2 * game.length)  # an expansion at the end of the longest line
    assert sum(spent) <= units + dearest * len(spent)
    assert spent[0] > units // 20


def test_early_moves_do_not_take_what_later_ones_need():
    game = ludus.game("tictactoe")
    spent, state = [], game.start
    player = ludus.player("minimax(nodes=1000, per=game)", compiled=False)
    for moves in ((4, 0), (1, 7), (3, 5)):  # ours and theirs
        spent.append(player.choose(game, state).meter.generated)
        for move in moves:
            state = game.layout.settle(game.play(state, move))
    assert spent[0] == 1000 // 5  # X makes 5 moves
    assert spent[1] == (1000 - spent[0]) // 4
    assert spent[2] == (1000 - spent[0] - spent[1]) // 3


def test_the_ply_says_how_far_the_game_is():
    game = ludus.game("tictactoe")
    nodes = {
        ply: ludus.player("minimax(nodes=900, per=game)", compiled=False).choose(game, ply=ply) for ply in (0, 4, 6)
    }
    assert {ply: result.meter.generated for ply, result in nodes.items()} == {0: 180, 4: 300, 6: 450}


def test_in_a_game_of_unknown_length_no_move_takes_more_than_a_quarter_of_the_rest():
    class Unknown(type(ludus.game("nim"))):
        def __init__(self):
            super().__init__(stones=30)
            self.length = 0

    game, state = Unknown(), (30,)
    player = ludus.player("minimax(eval=zero, nodes=1000, per=game)", compiled=False)
    left = 1000
    while state[0] > 12:
        spent = player.choose(game, state).meter.generated
        assert spent <= left // 4
        left -= spent
        state = (state[0] - 2,)
    assert left > 0


class Pacing(Search):
    """Plays the first move again and again, until an even share is spent or, if `greedy`, all that it may take."""

    spread = 4.0

    def __init__(self, greedy: bool = False) -> None:
        self.greedy = greedy

    def step(self, game, evaluator, tree, limits):
        if tree.count[0] == UNOPENED:
            open_node(game, tree, 0)
        while True:
            status = b.spent(game.meter, limits, False)
            if status != b.RUNNING:
                return status
            if b.share_spent(game.meter, limits) and not self.greedy:
                return b.STOP_SURE
            play(game, load(tree.state, 0), tree.move[tree.first[0]])


def test_who_paces_itself_has_an_even_share_and_may_take_more():
    game = ludus.game("tictactoe")  # of nine plies, five of them its own
    for greedy, nodes in ((False, [200, 200, 200, 200, 200]), (True, [800, 200, 1, 1, 1])):
        player = Player(Pacing(greedy), budget=Budget(nodes=1000, per="game"), compiled=False)
        assert [player.choose(game, ply=ply).meter.generated for ply in (0, 2, 4, 6, 8)] == nodes


def test_an_even_share_of_units_or_of_seconds_can_be_spent_too():
    limits, meter = Budget(units=1000, traverse=2, generate=3).limits(), np.zeros(4, np.int64)
    limits[b.SHARE] = 250
    for (meter[b.GENERATED], meter[b.TRAVERSED]), spent in (((83, 0), False), ((84, 0), True), ((50, 50), True)):
        assert b.share_spent(meter, limits) == spent
    player = Player(Pacing(), budget=Budget(seconds=2, per="game"), compiled=False)
    result = player.choose("tictactoe")
    assert result.stopped == "sure", "long before the end, which is four shares away"
    limits = player.session(result.game).limits
    assert limits[b.ELAPSED] >= limits[b.SHARE] == 250


def test_garbage_that_is_collected_after_a_move_is_not_charged_to_it(monkeypatch):
    session = Session(registry.searches().of("random"), ludus.game("nim"), None, compiled=True)
    session.seconds = -1.0
    known = []

    @contextmanager
    def uncollected():
        yield
        known.append(session.seconds)

    monkeypatch.setattr(runner, "uncollected", uncollected)
    session.run(session.game.start, Budget(seconds=1.0))
    assert known == [session.seconds]
