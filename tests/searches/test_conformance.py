"""What every search promises, whatever it is: asked of each registered one, so a new search joins by itself.

Each runs interpreted on all games here that it can play; compiled not on all, since each compilation costs seconds.
"""

import functools
import itertools
import json
import time

import oracles
import pytest
from every_search import (
    BUDGETS,
    GAMES,
    ONE_LOOK,
    both_modes,
    check_legal,
    each_cell,
    each_compiled_pairing,
    each_pairing,
    each_search,
    everything,
    looks_one_ply_ahead,
    make_session,
    one_unit_at_a_time,
    plays_out,
    positions,
    run,
    searched,
    summary,
)
from oracles import TinyTree, TreeValues

import ludus
from ludus import Budget, Meter, Player, StateError
from ludus.core import registry
from ludus.core.budget import STOPPED
from ludus.core.chance import Dice
from ludus.core.search import Session
from ludus.core.tree import Tree

# The meter.


def counting(component, calls, *rules):
    """The same game or evaluator, with calls of its rules counted by what the test itself writes down."""

    def count(rule):
        original = getattr(type(component), rule)

        def counted(self, *arguments):
            calls[rule] += 1
            return original(self, *arguments)

        return counted

    twin = object.__new__(type(type(component).__name__, (type(component),), {rule: count(rule) for rule in rules}))
    twin.__dict__.update(component.__dict__)
    return twin


@each_pairing
def test_the_meter_counts_every_call_of_the_rules(name, on):
    game, evaluator = GAMES[on]()
    calls = dict.fromkeys(("play", "evaluate", "final"), 0)
    game = counting(game, calls, "play")
    evaluator = counting(evaluator.on(game), calls, "evaluate", "final")
    session = Session(registry.searches().make(name), game, evaluator, compiled=False)
    for state in positions(game):
        for budget in BUDGETS:
            calls.update(dict.fromkeys(calls, 0))
            stopped = run(session, state, budget)
            made = dict(calls)
            meter = session.result(state, stopped).meter
            assert meter.generated == made["play"]
            assert meter.evaluated == made["evaluate"] + made["final"]
            assert meter.expanded >= 1


# Compiled and interpreted.


@each_compiled_pairing
def test_compiled_and_interpreted_give_the_same_results_and_meters(name, on):
    slow, fast = (make_session(name, on, compiled) for compiled in (False, True))
    assert slow.kernel is None
    assert fast.kernel is not None
    assert everything(fast) == everything(slow)


# Budgets.


@each_cell
@pytest.mark.parametrize("key", ["nodes", "units"])
def test_a_counted_budget_is_looked_at_before_each_unit_of_work_and_kept(monkeypatch, name, on, compiled, key):
    one_unit_at_a_time(monkeypatch)
    session = make_session(name, on, compiled)
    game = session.game
    # An expansion, whose evaluations generate nothing here; or a playout, in games in which nobody has to pass.
    largest = max(game.max_moves, game.length) if plays_out(name) else game.max_moves
    assert largest <= session.search.largest_step(game, session.evaluator)
    for state in positions(game):
        for limit in (1, 30, 150) if key == "nodes" else (1, 3000, 15000):
            meters = [Meter()]
            budget = Budget(**{key: limit})
            result = searched(
                session, state, budget, progress=lambda s, found=meters: found.append(Meter.read(s.meter, 0.0))
            )
            meters.append(result.meter)
            spent = [m.generated if key == "nodes" else m.traversed + 100 * m.generated for m in meters]
            steps = [after.generated - before.generated for before, after in itertools.pairwise(meters)]
            assert max(steps) <= largest
            last = max((i for i, value in enumerate(spent) if value < spent[-1]), default=0)  # the last unit of work
            obliged = result.meter.generated <= len(game.legal(state))  # the first look at the moves is free
            assert spent[last] < limit or obliged
            if key == "nodes":
                assert result.meter.generated < limit + largest
            assert result.stopped in {key, "depth", "sure", "solved", "exhausted"}
            assert result.stopped != key or spent[-1] >= limit


@each_search
@pytest.mark.parametrize("on", ["tictactoe", "tree"])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("nodes", [None, 500])
def test_nothing_beyond_the_depth_limit_is_generated(name, on, depth, nodes):
    game, evaluator = GAMES[on]()
    ply_of = plies(game)
    deepest = 0

    class Watched(type(game)):
        def play(self, state, move):
            nonlocal deepest
            after = super().play(state, move)
            deepest = max(deepest, ply_of(after))
            return after

    watched = object.__new__(Watched)
    watched.__dict__.update(game.__dict__)
    session = Session(registry.searches().make(name), watched, evaluator.on(watched), compiled=False)
    stopped = run(session, game.start, Budget(depth=depth, nodes=nodes))
    if plays_out(name):  # to the end of the game; but not in its tree
        tree, ply = session.tree, {0: 0}
        for node in range(1, int(tree.record.size[0])):
            ply[node] = ply[int(tree.record.parent[node])] + 1
        deepest = max(ply.values())
    assert deepest <= depth
    assert stopped in {"depth", "sure", "solved", "exhausted"} | ({"nodes"} if nodes else set())


def plies(game):
    """How far a state is from the first one."""
    if not isinstance(game, TinyTree):
        return lambda state: int(state[0] | state[1]).bit_count()
    ply = {oracles.ROOT: 0}
    for node in range(len(game.count)):
        ply |= dict.fromkeys(oracles.children(game, node), ply[node] + 1)
    return lambda state: ply[int(state[0])]


@each_search
@both_modes
def test_too_little_memory_ends_the_search_with_a_legal_move(monkeypatch, name, compiled):
    monkeypatch.setattr("ludus.core.program.Tree", functools.partial(Tree, capacity=1))
    game = ludus.game("tictactoe")
    evaluator = ludus.evaluator("open-lines").on(game)
    for memory in (1e-9, 0.002):
        session = Session(registry.searches().make(name), game, evaluator, compiled)
        for budget in (Budget(nodes=20_000, memory=memory), Budget(depth=4, memory=memory)):
            result = searched(session, game.start, budget)
            check_legal(game, game.start, result)
            room = max(int(memory * 1e6 / session.tree.node_bytes), 1 + game.max_moves)
            assert session.tree.capacity <= room
            assert result.stopped in STOPPED.values()
            if type(session.search).grows_tree:
                assert result.stopped == "memory"
            if memory == 1e-9:
                assert result.stopped == "memory" or looks_one_ply_ahead(name)


@each_search
@both_modes
def test_a_budget_of_seconds_is_kept_within_20_milliseconds(name, compiled):
    game = TinyTree.long()
    session = Session(registry.searches().make(name), game, TreeValues(), compiled)
    overruns = []
    for seconds in (0.05, 0.03, 0.05, 0.03, 0.05):
        before = time.perf_counter()
        stopped = run(session, game.start, Budget(seconds=seconds))
        taken = time.perf_counter() - before
        assert session.seconds <= taken
        assert stopped in {"seconds", "sure"} or name in ONE_LOOK
        assert stopped != "seconds" or taken >= seconds
        overruns.append(taken - seconds)
    assert min(overruns) <= 0.02
    taken = []
    for _ in range(3):
        result = searched(session, game.start, Budget(seconds=1e-6))
        check_legal(game, game.start, result)
        taken.append(result.meter.seconds)
    assert min(taken) <= 0.02, "no time at all is enough for a legal move"


# Reproducibility.


@each_cell
def test_the_same_seed_gives_the_same_result_in_a_fresh_session_and_in_one_that_was_used(name, on, compiled):
    used = make_session(name, on, compiled)
    first = everything(used)
    assert everything(used) == first, "what an earlier search found leaks into a later one"
    assert everything(used, fresh=lambda: make_session(name, on, compiled)) == first


@each_cell
def test_what_lies_in_memory_before_a_search_does_not_matter(name, on, compiled):
    session = make_session(name, on, compiled)
    budgets = (Budget(nodes=60), Budget(depth=3))
    expected = everything(session, budgets)

    def littered():
        for column in session.tree.node_columns:
            session.tree.arrays[column][:] = 5 if session.tree.arrays[column].dtype.kind == "i" else -1e100
        session.tree.arrays["line"][:] = 5
        session.tree.arrays["out"][:] = session.tree.arrays["reply"][:] = 5
        return session

    assert everything(session, budgets, fresh=littered) == expected


@each_pairing
def test_a_player_plays_a_whole_game_alike_with_one_session_and_with_one_for_each_move(name, on):
    game, evaluator = GAMES[on]()

    def make_player():
        return Player(registry.searches().make(name), evaluator, Budget(nodes=40), compiled=False)

    one, state = make_player(), game.start
    while game.legal(state):
        result = one.choose(game, state, seed=3)
        assert summary(result) == summary(make_player().choose(game, state, seed=3))
        state = Dice(len(str(state))).settle(game, game.after(state, result.move))


# Results.


@each_cell
def test_the_result_is_legal_and_complete(name, on, compiled):
    session = make_session(name, on, compiled)
    for state in positions(session.game, how_many=6):
        for budget in BUDGETS:
            result = searched(session, state, budget)
            check_legal(session.game, state, result)
            assert result.stopped in STOPPED.values()
            told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
            assert set(told) == {"move", "value", "proven", "scale", "line", "stopped", "meter", "children"}
            assert set(told["meter"]) == {"generated", "evaluated", "expanded", "traversed", "seconds"}
            assert told["move"] == told["line"][0]
            assert [child["move"] for child in told["children"]] == [child.name for child in result.children]


@each_search
def test_a_forced_move_is_found(name):
    game = ludus.game("nim", stones=5, most=1)
    result = ludus.player(f"{name}(nodes=10)", compiled=False).choose(game)
    assert (result.move, len(result.children)) == (1, 1)


@each_search
def test_there_is_no_move_to_choose_when_the_game_is_over(name):
    player = ludus.player(name, compiled=False)
    for text, game in (("0", ludus.game("nim")), ("XXXOO---- O", ludus.game("tictactoe"))):
        with pytest.raises(StateError, match="the game is over in position"):
            player.choose(game, game.read_state(text))
    assert player.choose(ludus.game("nim"), (3,)).move in (1, 2, 3), "and the player can go on"
