"""Rules that write beyond their buffers or never return: found before they do harm, and the game is blamed."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.arena.play.openings import Opening, openings
from ludus.arena.play.pairs import Pair
from ludus.arena.play.preparation import Preparation, Readiness
from ludus.arena.pool import serving
from ludus.arena.roster import default_budget
from ludus.common.errors import RuleError
from ludus.kernel.rules import GUARD, guarded
from ludus.model import watchdog
from ludus.runtime import runner
from ludus.runtime.dry_run import _done, dry_run
from ludus.runtime.player import typical_length
from ludus.runtime.runner import Runner
from tests.support.commands import PATIENCE, start

BEYOND = Path(__file__).with_name("beyond.py")
MANY = r"rule moves of .*beyond.py:Wide.* failed in position '30': .*"
HANGS = (
    r"rule play of .*beyond.py:Hangs failed in position '2\d': the rule does not return: after .* at work .*beyond.py"
)


def made(spec: str):
    return ludus.game(f"{BEYOND}:{spec}")


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(watchdog, "TICK", 0.02)
    _done.clear()


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_what_lies_around_a_buffer_is_nobodys(dtype):
    room = guarded(10, dtype)
    assert (room.size, room.dtype, room.flags.writeable, room.flags.c_contiguous) == (10, dtype, True, True)
    assert room.base.size == 10 + 2 * GUARD
    room.base[:] = 7
    assert (room == 7).all()


def test_every_buffer_that_a_rule_can_write_to_is_guarded():
    work = Runner(ludus.player("bfmm").search, made("Dice"), None, False)
    game = work._arguments[0]
    for room in (game.scratch, game.replies, game.probabilities, game.feature_values):
        assert room.base.size == room.size + 2 * GUARD
    for name in ("out", "reply"):
        assert getattr(work.tree.record, name).base.size > 2 * GUARD


def test_new_parameters_are_rehearsed_though_the_kernel_is_cached(monkeypatch):
    def cached(plan, arguments, announce):
        return runner.Kernel(lambda *_: pytest.fail("it must not run"), {})

    monkeypatch.setattr(runner, "specialise", cached)
    search = ludus.player("greedy").search
    work = Runner(search, made("Wide"), None, True)
    for most in (8, 71, 1000):
        with pytest.raises(RuleError, match=MANY):
            Runner(search, made(f"Wide(most={most})"), None, True)
        with pytest.raises(RuleError, match=MANY):
            work.rebind(made(f"Wide(most={most})"), work.evaluator)
    assert Runner(search, made("Wide(most=7)"), None, True).kernel is not None


@pytest.mark.parametrize("most", [2, 3])
def test_chance_that_writes_far_beyond_its_buffer_is_named(most):
    with pytest.raises(RuleError, match=r"rule chance of .*beyond.py:Dice.* failed in position '28': IndexError"):
        dry_run(made(f"Dice(most={most})"), ludus.player("greedy(eval=zero)").evaluator)


def test_a_rule_that_does_not_return_is_named():
    with pytest.raises(RuleError, match=HANGS):
        dry_run(made("Hangs"), ludus.player("greedy(eval=zero)").evaluator)
    judge = ludus.player(f"greedy(eval={BEYOND}:Ponders)").evaluator
    with pytest.raises(
        RuleError, match=r"evaluate of evaluator .*Ponders of .* in position '20': the rule does not"
    ) as e:
        dry_run(made("Wide"), judge)
    assert e.value.of_evaluator


def test_a_rule_that_does_not_return_within_the_opening_is_named():
    with pytest.raises(RuleError, match=HANGS):
        list(openings(made("Hangs"), 9, 0))


# Who is to blame when a process died, or had to be killed.


def pair(spec: str, player: str = "greedy(eval=zero)") -> Pair:
    game = made(spec)
    players = tuple(ludus.player(p, compiled=False).on(game) for p in (player, "random"))
    return Pair((0, 1, 0), Opening(game, ()), players, 1)


@pytest.mark.parametrize(
    ("spec", "words"), [("Wide(most=9)", MANY), ("Dice", "rule chance of .*IndexError"), ("Hangs", HANGS)]
)
def test_the_game_is_blamed(spec, words):
    with pytest.raises(RuleError, match=words):
        pair(spec).forfeited((0, 1), "its process died 3 times (exit status -11)").perform()
    game, player = made(spec), ludus.player("uct(nodes=300, eval=zero)")
    with pytest.raises(RuleError, match=words):
        Preparation(game, player.on(game)).forfeited((0, 0), "its process died 3 times").perform()


def test_the_player_is_blamed_if_the_game_is_sound():
    once = pair("Wide").forfeited((1, 0), "its process died 3 times")
    assert once.suspects == (1,)
    assert once.forfeited((1, 0), "again").suspects == ()
    first, second = once.perform()
    assert (first.fault, second.fault, second.score) == ("", "its process died 3 times", -1.0)
    game = made("Wide")
    task = Preparation(game, ludus.player("greedy").on(game)).forfeited((0, 0), "took too long")
    assert task.perform() == Readiness("took too long")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="POSIX only")
def test_compiled_code_that_does_not_return_is_ended_by_one_interrupt():
    process = start("search", f"{BEYOND}:Late", "greedy", "--state", "40")
    deadline = time.monotonic() + PATIENCE
    used = 0.0
    while used < 20 and time.monotonic() < deadline and process.poll() is None:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        used = int(fields[11]) / 100
        if used > 4:
            break
        time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Late, or of what judges it, does not return in compiled code, so the process was ended" in err
    assert err.count("ludus: ") == 1


@pytest.mark.parametrize(
    ("spec", "ask", "words"),
    [
        ("Hangs", typical_length, HANGS),
        ("Hangs", default_budget, HANGS),
        ("Unborn", lambda game: game.start, "rule initial of .*Unborn failed: the rule does not return"),
    ],
)
def test_whoever_asks_a_rule_in_this_process_is_told_that_it_does_not_return(spec, ask, words, monkeypatch):
    game = made(spec)
    monkeypatch.setattr(game, "evaluator", None)
    with pytest.raises(RuleError, match=words):
        ask(game)


def test_a_watch_within_another_lets_it_go_on():
    def ask() -> None:
        with watchdog.watching(), watchdog.at_most(10):
            pass
        made("Hangs").play((22,), 2)

    with watchdog.watching(), pytest.raises(RuleError, match=HANGS), watchdog.watching():
        ask()


def test_a_task_with_a_time_of_its_own_may_take_it(monkeypatch):
    """To find out that a rule does not return may take longer than a move may take."""
    pulse = [0.0, 0.0, 0.0]
    monkeypatch.setattr(serving, "_pulse", pulse)
    until = time.monotonic() + 100
    with serving.time_ends(until):
        serving.heartbeat(1, 0)
    assert pulse == [until, 1, 0]
    serving.heartbeat(0, 1)
    assert pulse[0] < until
    serving.end_heartbeat()
    assert pulse[0] == 0


def test_a_rule_that_gets_no_time_of_the_processor_is_given_more(monkeypatch):
    """On a busy machine a call may last long and have done little."""

    class Shown(type(made("Wide"))):
        def moves(self, state, out):
            return sys._getframe()

    game, watch, now = Shown(), watchdog.Watch(), [0.0]
    monkeypatch.setattr(watchdog.time, "thread_time", lambda: now[0])

    def looks(frame, count):
        for _ in range(count):
            watch._look(0, frame)

    frame = game.moves(game.start, None)
    looks(frame, watchdog.IDLE * watchdog.PATIENCE)
    with pytest.raises(watchdog.Stuck):
        looks(frame, 1)
    looks(None, 1)
    looks(frame, 2)
    now[0] = watchdog.TICK * watchdog.PATIENCE
    with pytest.raises(watchdog.Stuck):
        looks(frame, 1)
