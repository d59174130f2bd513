"""Every search can be paused, made to grow and interrupted at any moment, and nothing comes of it."""

import functools
import os
import signal
import threading
import time

import pytest
from every_search import (
    ONE_LOOK,
    both_modes,
    check_legal,
    each_cell,
    each_pairing,
    each_search,
    everything,
    make_session,
    one_unit_at_a_time,
    searched,
)
from oracles import TinyTree, TreeValues

import ludus
from ludus import Budget, Player
from ludus.core import registry
from ludus.core.budget import INTERRUPT
from ludus.core.search import Session
from ludus.core.tree import Tree


@each_cell
def test_it_does_not_matter_how_often_a_search_pauses(monkeypatch, name, on, compiled):
    expected = everything(make_session(name, on, compiled))
    for work in (1, 2, 7, 64):
        monkeypatch.setattr(Session, "_slice_looks", lambda self, seconds, most, work=work: work)
        assert everything(make_session(name, on, compiled)) == expected


@each_cell
def test_it_does_not_matter_how_often_the_tree_grows(monkeypatch, name, on, compiled):
    expected = everything(make_session(name, on, compiled))
    monkeypatch.setattr("ludus.core.program.Tree", functools.partial(Tree, capacity=1))
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
