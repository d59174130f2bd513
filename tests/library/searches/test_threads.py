"""Threads that search together: the value, and at a fixed depth the move, is that of one; the table is never wrong.

What they find depends on who is faster. So there are two kinds of tests: with real threads, many times; and with the
same kernels in turns, a few steps each, which gives the same thing every time and meets what a race seldom does.
"""

from __future__ import annotations

import threading

import numpy as np
import pytest

import ludus
from ludus import Budget, RuleError
from ludus.cli.common import of_threads
from ludus.kernel import limits as b
from ludus.kernel.lock import CLOSED
from ludus.kernel.table import Table, keep, probe
from ludus.library.searches.full_width.alphabeta import AlphaBeta
from ludus.library.searches.full_width.mtdf import Mtdf
from ludus.library.searches.full_width.pvs import PrincipalVariation
from ludus.library.searches.full_width.scout import Scout
from ludus.library.searches.solve import Solve
from ludus.runtime.session import Session
from tests.support.oracles import Exhaustive
from tests.support.tiny_games import OnTrees, TinyGraph, TreeValues, some_trees


def in_turns(session: Session, state, budget: Budget, looks: int) -> int:
    """Let the leader and the members work so many looks at the budget each, in turns, until the leader stops."""
    everybody = [session, *session.team.members]
    for work in everybody:
        work.begin(state, budget)
    while True:
        for work in list(everybody):
            work.limits[b.PAUSE] = work.limits[b.LOOKS] + looks
            status = work.step()
            if status == b.NEEDS_NODES:
                assert work.tree.grow(100.0)
            elif status != b.PAUSED and work is session:
                return status
            elif status != b.PAUSED:
                everybody.remove(work)


class InTurns(OnTrees):
    """A search at work on one tree after another, by threads that take turns."""

    def __init__(self, search, looks):
        super().__init__(search, compiled=True)
        self.session._advance_all = lambda state, budget, *_: in_turns(self.session, state, budget, looks)


def graphs(how_many):
    return [TinyGraph(seed, layers=8, width=24, moves=4, values=(3, 7, 1000)[seed % 3]) for seed in range(how_many)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [AlphaBeta, PrincipalVariation, Scout, Mtdf])
def test_threads_in_turns_find_the_value_and_the_move_of_one(kind):
    alone = OnTrees(kind(table=True, killers=True), compiled=True)
    crews = [
        InTurns(kind(table=True, killers=True, threads=threads), looks)
        for threads, looks in ((2, 1), (2, 5), (3, 1), (3, 40))
    ]
    for games, depth, helped in ((graphs(20), 8, True), (some_trees(20), 5, False)):
        nodes, theirs = 0, 0
        for game in games:
            value, one = Exhaustive(game, TreeValues()).value(game.start, depth), alone(game, Budget(depth=depth))
            for together in crews:
                some = together(game, Budget(depth=depth))
                assert some.value == value
                assert some.move == one.move or kind is Mtdf  # whose passes may come to another of equals first
                assert together(game, Budget(depth=depth, nodes=10**6)).value == value
                nodes, theirs = nodes + one.meter.generated, theirs + some.meter.generated
        assert not helped or theirs < 0.9 * nodes  # the leader has less to do than if it were alone


@pytest.mark.slow
def test_threads_in_turns_solve_what_one_solves():
    for looks in (1, 7):
        together = InTurns(Solve(threads=3), looks)
        for game in [*graphs(10), *some_trees(20)]:
            result = together(game, Budget())
            assert result.stopped == "solved"
            assert result.value == Exhaustive(game).score(game.start)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "text", "most"),
    [
        ("connect4(columns=5, rows=5)", "3311", 1.2),  # 1.5 if all begin with a small depth
        ("connect4", "16176345", 0.9),  # 1.05 if the first one stays there when another has an answer, else 1.6
    ],
)
def test_further_threads_of_solve_do_not_repeat_what_the_first_one_does_at_a_small_depth(spec, text, most):
    game = ludus.game(spec)
    one, some = (Session(Solve(threads=threads), game, compiled=True) for threads in (1, 2))
    state = game.read_state(text)
    one.run(state, Budget())
    for looks in (5, 20, 50):
        in_turns(some, state, Budget(), looks)
        assert some.tree.record.register[0].low == one.tree.record.register[0].low
        assert some.generated < most * one.generated


def counted_starts(session: Session) -> list[object]:
    """A list that has an item more whenever the members are called, which is not worth it in a small search."""
    calls, start = [], session.team.start

    def counted(*arguments):
        calls.append(arguments)
        start(*arguments)

    session.team.start = counted  # type: ignore[method-assign]
    return calls


@pytest.mark.slow
def test_real_threads_find_the_value_and_the_move_of_one_at_a_fixed_depth_every_time():
    game, budget = ludus.game("othello"), Budget(depth=8)
    state = game.position().play("d3").play("c3").play("c4").state
    one = ludus.Player("alphabeta(table=true)", None, budget, compiled=True).choose(game, state)
    for threads, megabytes in ((2, 16), (2, 0.01), (4, 0.001)):  # a small table: they write to the same slots
        search = AlphaBeta(table=True, threads=threads, memory_of_table=megabytes)
        player = ludus.Player(search, None, budget, compiled=True)
        calls = counted_starts(player.session(game))
        for _ in range(6):
            some = player.choose(game, state)
            assert (some.value, some.move) == (one.value, one.move)
        assert calls


@pytest.mark.slow
def test_real_threads_solve_what_one_solves():
    game, one = ludus.game("connect4(columns=5, rows=5)"), ludus.Player("solve", "zero", Budget(), compiled=True)
    for text in ("12345", "3311", "2441"):
        state = game.read_state(text)
        value = one.choose(game, state).value
        for megabytes in (16, 0.01):
            player = ludus.Player(Solve(threads=3, memory_of_table=megabytes), "zero", Budget(), compiled=True)
            calls = counted_starts(player.session(game))
            for _ in range(4):
                some = player.choose(game, state)
                assert (some.value, some.stopped) == (value, "solved")
            assert calls


@pytest.mark.parametrize("field", ["key", "low", "high", "move", "depth"])
def test_a_mixture_of_two_entries_is_none(field):
    game = ludus.game("tictactoe")
    for other in (game.start, game.after(game.start, 4)):  # of the same position, or of another one
        with np.errstate(over="ignore"):
            ours, theirs = (Table(game.layout, 0.0, compiled=False, shared=True).record for _ in range(2))
            for table, state, known in ((ours, game.start, (3, -1.0, 2.0, 7)), (theirs, other, (5, 0.0, 1.0, 2))):
                table.now[0] = 1
                keep(table, state, *known)
                found = table.found[0]
                assert probe(table, state)
                assert (found.depth, found.low, found.high, found.move) == known
            [mine], [its] = ([e for e in table.entry.values() if e.age == 1] for table in (ours, theirs))
            setattr(mine, field, getattr(its, field))
            assert not probe(ours, game.start)


@pytest.fixture(scope="module", params=["alphabeta(table=true, threads=2)", "uct(threads=2)"])
def pair(request):
    """Two threads on Othello; each with a tree of its own, or both in one."""
    return ludus.Player(request.param, None, Budget(nodes=1), compiled=True)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [Budget(nodes=50), Budget(nodes=200_000), Budget(units=10_000_000)], ids=str)
def test_a_counted_budget_is_for_all_threads_together(pair, limit):
    game = ludus.game("othello")
    session = pair.session(game)
    stopped = session.run(game.start, limit)
    meter = session.result(game.start, stopped).meter
    spent = limit.spent(meter, 1)
    assert stopped in spent
    step = 2 * 100 * session.search.largest_step(game, session.evaluator)
    assert 1 <= spent[stopped] <= 1 + step / getattr(limit, stopped)
    assert not session.search.repeats
    assert of_threads(session.search.threads, session.team.threads).startswith(
        "not reproducible node for node with threads=2"
    )


def test_they_stop_when_the_leader_is_interrupted_or_out_of_time(pair):
    game, before = ludus.game("othello"), threading.active_count()
    session = pair.session(game)

    def interrupt(work):
        assert threading.active_count() == before + 1
        work.limits[b.INTERRUPT] = 1

    assert session.run(game.start, Budget(depth=40), progress=interrupt) == "interrupted"
    assert threading.active_count() == before
    assert session.run(game.start, Budget(seconds=0.05)) == "seconds"
    assert threading.active_count() == before


def test_what_goes_wrong_in_a_hand_is_told(pair, monkeypatch):
    game, before = ludus.game("othello"), threading.active_count()
    session = pair.session(game)

    def fail(budget):
        if session.search.shares_tree:
            session.tree.record.lock[0] = CLOSED  # it fails in its turn
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(session.team.members[0], "advance", fail)
    with pytest.raises(RuleError, match="on purpose"):
        session.run(game.start, Budget(nodes=10**6))
    assert threading.active_count() == before


def test_interpreted_one_thread_does_it_all():
    game = ludus.game("tictactoe")
    one, some = (
        ludus.Player(f"alphabeta(table=true, threads={n})", None, "nodes=500", compiled=False).choose(game, seed=1)
        for n in (1, 2)
    )
    assert (one.value, one.move, one.meter.generated) == (some.value, some.move, some.meter.generated)


def test_what_is_no_number_of_threads_is_refused():
    for spec in ("alphabeta(table=true, threads=0)", "solve(threads=0)", "solve(threads=1000)"):
        with pytest.raises(ludus.LudusError, match="threads must be from 1 to 256"):
            ludus.player(spec)
    with pytest.raises(ludus.LudusError, match="they need table=true"):
        ludus.player("alphabeta(threads=2)")
