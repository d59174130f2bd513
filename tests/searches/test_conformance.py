"""What every search promises, whatever it is: asked of each registered one, so a new search joins by itself.

Each runs interpreted on all games here that it can play; compiled not on all, since each compilation costs seconds.
"""

import dataclasses
import functools
import itertools
import json
import math
import os
import signal
import threading
import time

import numpy as np
import oracles
import pytest
from oracles import DiceTree, TinyTree, TreeValues

import ludus
from ludus import Budget, Meter, Player, StateError
from ludus.core import registry
from ludus.core.budget import GENERATED, INTERRUPT, STOPPED
from ludus.core.chance import Dice
from ludus.core.random import seed_for
from ludus.core.search import Session
from ludus.core.tree import Tree

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
    return name in ONE_LOOK or (plays_out(name) and not registry.searches().classes[name].best_first)


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
    children = [(child.move, child.name, repr(child.value), repr(child.opinion)) for child in result.children]
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


def one_unit_at_a_time(monkeypatch):
    """Let every search pause after each unit of work, the least that it does between two looks at the budget."""
    monkeypatch.setattr(Session, "_slice_work", lambda self, seconds: 1)


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
    monkeypatch.setattr("ludus.core.search.Tree", functools.partial(Tree, capacity=1))
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
            if type(session.search).best_first:
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


@each_cell
def test_the_result_is_legal_and_complete(name, on, compiled):
    session = make_session(name, on, compiled)
    for state in positions(session.game, how_many=6):
        for budget in BUDGETS:
            result = searched(session, state, budget)
            check_legal(session.game, state, result)
            assert result.stopped in STOPPED.values()
            told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
            assert set(told) == {"move", "value", "line", "stopped", "meter", "children"}
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


# Pauses, growth and interruption.


@each_cell
def test_it_does_not_matter_how_often_a_search_pauses(monkeypatch, name, on, compiled):
    expected = everything(make_session(name, on, compiled))
    for work in (1, 2, 7, 64):
        monkeypatch.setattr(Session, "_slice_work", lambda self, seconds, work=work: work)
        assert everything(make_session(name, on, compiled)) == expected


@each_cell
def test_it_does_not_matter_how_often_the_tree_grows(monkeypatch, name, on, compiled):
    expected = everything(make_session(name, on, compiled))
    monkeypatch.setattr("ludus.core.search.Tree", functools.partial(Tree, capacity=1))
    grown = make_session(name, on, compiled)
    assert grown.tree.capacity == 1
    assert everything(grown) == expected
    assert grown.tree.capacity > 1


@each_pairing
def test_interrupted_after_any_number_of_steps_it_has_a_legal_move_and_line(monkeypatch, name, on):
    one_unit_at_a_time(monkeypatch)
    session = make_session(name, on, compiled=False)
    state = session.game.start
    for budget in (Budget(depth=4), Budget(nodes=10_000)):
        for steps in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89):
            left = steps

            def interrupt(session):
                nonlocal left
                left -= 1
                if left == 0:
                    session.limits[INTERRUPT] = 1

            result = searched(session, state, budget, progress=interrupt)
            check_legal(session.game, state, result)
            if result.stopped != "interrupted":
                break


@each_pairing
def test_interrupted_before_it_began_it_has_a_legal_move(monkeypatch, name, on):
    limits = Budget.limits

    def interrupted(budget):
        found = limits(budget)
        found[INTERRUPT] = 1
        return found

    session = make_session(name, on, compiled=False)
    monkeypatch.setattr(Budget, "limits", interrupted)
    result = searched(session, session.game.start, Budget(nodes=10_000))
    check_legal(session.game, session.game.start, result)
    assert result.stopped == "interrupted" or name in ONE_LOOK


@pytest.fixture
def default_ctrl_c():
    """Python's own handler of SIGINT, whatever the test runner has set."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class CtrlC:
    """Sends SIGINT after a while, unless it is called off; `sent` is when."""

    def __init__(self, delay):
        self.sent, self.wanted, self.lock = None, True, threading.Lock()
        self.timer = threading.Timer(delay, self.send)

    def send(self):
        with self.lock:
            if self.wanted:
                self.sent = time.perf_counter()
                os.kill(os.getpid(), signal.SIGINT)

    def __enter__(self):
        self.timer.start()
        return self

    def __exit__(self, *_):
        with self.lock:
            self.wanted = False
        self.timer.join()


@each_search
@both_modes
@pytest.mark.usefixtures("default_ctrl_c")
def test_ctrl_c_ends_a_search_with_the_best_move_so_far(name, compiled):
    game = TinyTree.long()
    player = Player(registry.searches().make(name), TreeValues(), Budget(seconds=10.0), compiled=compiled)
    player.session(game)  # compiles before the clock runs
    delays = []
    for _ in range(3):
        with CtrlC(0.05) as key:
            result = player.choose(game)
            returned = time.perf_counter()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        check_legal(game, game.start, result)
        if key.sent is None:
            assert name in ONE_LOOK or result.stopped == "sure"
            return
        assert result.stopped == "interrupted"
        delays.append(returned - key.sent)
    assert min(delays) < 0.2


@pytest.mark.usefixtures("default_ctrl_c")
def test_after_a_search_ctrl_c_raises_again():
    ludus.player("minimax(nodes=10)", compiled=False).choose(ludus.game("nim"))
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.usefixtures("default_ctrl_c")
def test_a_handler_of_ones_own_is_left_alone(monkeypatch):
    one_unit_at_a_time(monkeypatch)
    pressed = []
    signal.signal(signal.SIGINT, lambda *_: pressed.append(True))
    player = ludus.player("minimax(nodes=50)", compiled=False)
    result = player.choose(ludus.game("nim"), progress=lambda session: pressed or signal.raise_signal(signal.SIGINT))
    assert pressed == [True]
    assert result.stopped == "nodes"


def test_a_search_runs_in_a_thread_too():
    found = []
    player = ludus.player("minimax(nodes=50)", compiled=False)
    thread = threading.Thread(target=lambda: found.append(player.choose(ludus.game("nim"))))
    thread.start()
    thread.join()
    assert found[0].stopped == "nodes"


# The two searches without lookahead, which have no tests of their own.


def test_greedy_takes_the_move_whose_successor_looks_best():
    tree = TinyTree.of([0, [3, 1], [-4, 9], 5, [-4, 1]])
    result = Player(ludus.search("greedy"), TreeValues(), compiled=False).choose(tree)
    assert [child.value for child in result.children] == [-3, 4, -5, 4]
    assert (result.move, result.value, result.line) == (2, 4, [2])
    assert (result.meter.generated, result.meter.evaluated, result.meter.expanded) == (4, 4, 1)


def test_random_takes_every_move_equally_often():
    player, game = ludus.player("random", compiled=False), ludus.game("tictactoe")
    counts = np.bincount([player.choose(game, seed=seed).move for seed in range(1800)], minlength=9)
    assert ((counts - 200) ** 2 / 200).sum() < 26.12  # chi-square, 8 degrees of freedom, 0.1 %
    assert player.choose(game, seed=3).meter.generated == 0
