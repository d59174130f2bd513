"""Every search can be paused, made to grow and interrupted at any moment, and nothing comes of it."""

import os
import signal
import threading
import time
import traceback

import pytest

import ludus
from ludus import Budget, Player
from ludus.model import registry
from ludus.runtime.session import Session
from tests.support.conformance import effort, repeating
from tests.support.conformance.running import assert_legal, pausing_after
from tests.support.conformance.subjects import CALIBRATION, both_modes, each_cell, each_interpreted_cell, made
from tests.support.tiny_games import TinyTree, TreeValues


@each_cell
def test_it_does_not_matter_how_often_a_search_pauses(spec, on, compiled):
    repeating.check_pauses(made(spec), on, compiled)


@each_cell
def test_it_does_not_matter_how_often_the_tree_grows(spec, on, compiled):
    repeating.check_growth(made(spec), on, compiled)


@each_interpreted_cell
def test_interrupted_after_any_number_of_steps_it_has_a_legal_move_and_line(spec, on, compiled):
    effort.check_interrupted(made(spec), on)


@each_interpreted_cell
def test_interrupted_before_it_began_it_has_a_legal_move(spec, on, compiled):
    effort.check_interrupted_at_once(made(spec), on)


@pytest.fixture
def default_ctrl_c():
    """Python's own handler of SIGINT, whatever the test runner has set."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class CtrlC:
    """Sends SIGINT after a while, unless it is called off; `sent` is when, in seconds of this process's CPU time."""

    def __init__(self, delay):
        self.sent, self.wanted, self.lock = None, True, threading.Lock()
        self.timer = threading.Timer(delay, self.send)

    def send(self):
        with self.lock:
            if self.wanted:
                self.sent = time.process_time()
                os.kill(os.getpid(), signal.SIGINT)

    def __enter__(self):
        self.timer.start()
        return self

    def __exit__(self, *_):
        with self.lock:
            self.wanted = False
        self.timer.join()


@pytest.mark.usefixtures("default_ctrl_c")
def test_ctrl_c_before_the_first_step_is_not_lost(monkeypatch):
    """The budget's limits, where it is noted, are set up when it comes."""
    begin = Session.begin

    def interrupted(session, *arguments):
        os.kill(os.getpid(), signal.SIGINT)
        begin(session, *arguments)

    player = Player("bfmm", TreeValues(), Budget(seconds=10.0), compiled=False)
    player.session(TinyTree.long())
    monkeypatch.setattr(Session, "begin", interrupted)
    assert player.choose(TinyTree.long()).stopped == "interrupted"
    monkeypatch.undo()
    player.budget = Budget(nodes=50)
    assert player.choose(TinyTree.long()).stopped == "nodes"  # it is forgotten afterwards


@pytest.mark.parametrize("name", registry.searches().classes)
@both_modes
@pytest.mark.usefixtures("default_ctrl_c")
def test_ctrl_c_ends_a_search_with_the_best_move_so_far(name, compiled):
    game = TinyTree.long()
    player = Player(
        registry.searches().make(name), TreeValues().calibrated(CALIBRATION), Budget(seconds=10.0), compiled=compiled
    )
    player.session(game)  # compiles before the clock runs
    delays = []
    for _ in range(3):
        with CtrlC(0.05) as key:
            try:
                result = player.choose(game)
            except KeyboardInterrupt as late:
                if "_run" in [frame.name for frame in traceback.extract_tb(late.__traceback__)]:
                    raise
                continue  # the search had ended by itself just before
            returned = time.process_time()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert_legal(game, game.start, result)
        if key.sent is None or result.stopped == "sure":
            assert result.stopped in effort.BY_ITSELF
            assert result.stopped == "sure" or not player.search.looks_ahead
            return
        assert result.stopped == "interrupted"
        delays.append(returned - key.sent)
    assert min(delays, default=0.0) < 0.2


@pytest.mark.usefixtures("default_ctrl_c")
def test_after_a_search_ctrl_c_raises_again():
    ludus.player("minimax(nodes=10)", compiled=False).choose(ludus.game("nim"))
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.usefixtures("default_ctrl_c")
def test_a_handler_of_ones_own_is_left_alone():
    pressed = []
    signal.signal(signal.SIGINT, lambda *_: pressed.append(True))
    player, game = ludus.player("minimax(nodes=50)", compiled=False), ludus.game("nim")
    with pausing_after(1):
        result = player.choose(game, progress=lambda session: pressed or signal.raise_signal(signal.SIGINT))
    assert pressed == [True]
    assert result.stopped == "nodes"


def test_a_search_runs_in_a_thread_too():
    found = []
    player = ludus.player("minimax(nodes=50)", compiled=False)
    thread = threading.Thread(target=lambda: found.append(player.choose(ludus.game("nim"))))
    thread.start()
    thread.join()
    assert found[0].stopped == "nodes"
