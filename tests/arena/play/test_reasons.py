"""Why a player is left out or forfeits: facts that survive a database, and are told in words."""

from __future__ import annotations

import json
import signal

import pytest

import ludus
from ludus.arena.play.reasons import (
    KINDS,
    Costly,
    Died,
    Failed,
    Illegal,
    Overran,
    PlayerError,
    Reason,
    Told,
    TooSlow,
    Unable,
    reason_of,
)
from ludus.arena.store.rows import reason_text, stored_reason
from ludus.common.errors import LudusError, RuleError

WORDS = {
    Told("it died"): "it died",
    Failed("KeyError: 3", "KeyError", "play", "a.py, line 3"): "KeyError: 3",
    Unable("lcf", "cannot play dice."): "lcf cannot play dice.",
    Costly(9330, 50, 4665): "its first move costs 9,330 nodes, the budget is 50; it takes part from nodes=4665",
    Costly(200, 50): "its first move costs 200 nodes, the budget is 50",
    Overran("nodes", 5001, 100, "move"): "overran its budget: 5,001 nodes for a move, of 100",
    Overran("seconds", 2.345, 1, "game"): "overran its budget: 2.35 s for a game, of 1",
    TooSlow(0.3): "took longer than 0.3 s for a move",
    Illegal(99, "'X-O'"): "chose 99, which is not legal in position 'X-O'",
    Died(-9, 3): "its process died 3 times (exit status -9)",
    Died(-signal.SIGSEGV, 3, "ludus search nim"): (
        "crashed (SIGSEGV); please report it, with the command that shows it: ludus search nim"
    ),
}


def test_every_kind_is_told_and_survives_a_database():
    for reason, words in WORDS.items():
        assert str(reason) == words
        assert stored_reason(reason_text(reason)) == reason
    assert {reason.kind for reason in WORDS} == KINDS.keys()
    assert stored_reason(reason_text(None)) is None


@pytest.mark.parametrize(
    "damaged",
    [
        "took too long",
        "3",
        "[]",
        "{}",
        '{"kind": "slow"}',
        '{"kind": "slow", "limit": "3"}',
        '{"kind": "slow", "limit": NaN}',
        '{"kind": "slow", "limit": 1, "more": 2}',
        json.dumps({"kind": "slow", "limit": 10**400}),
        '{"kind": "unknown"}',
        '{"kind": ["slow"]}',
    ],
)
def test_what_is_not_a_reason_is_text(damaged):
    assert stored_reason(damaged) == Told(damaged)


def test_nothing_in_it_is_obeyed_by_a_terminal():
    assert stored_reason(reason_text(Illegal(1, "\x1b[31m"))) == Illegal(1, "\\x1b[31m")
    assert stored_reason("\x07") == Told("\\x07")
    assert Reason.from_json(Told("\x1b\udcff").to_json()) == Told("\x1b\udcff")


def test_reasons_that_are_alike():
    assert Overran("nodes", 5, 4, "move").like == Overran("nodes", 6, 4, "move").like
    assert Overran("nodes", 5, 4, "move").like != Overran("seconds", 5, 4, "move").like
    assert Died(-11, 3, "one").like == Died(-11, 3, "another").like != Died(-7, 3, "one").like
    one, other = (
        Failed("KeyError: 1", "KeyError", "", "a.py, line 3"),
        Failed("KeyError: 2", "KeyError", "", "a.py, line 3"),
    )
    assert one.like == other.like != Failed("KeyError: 1", "KeyError", "", "a.py, line 4").like
    assert Told("one").like != Told("another").like


def test_the_reason_of_an_error():
    assert reason_of(PlayerError(TooSlow(1))) == TooSlow(1)
    assert reason_of(LudusError("no.")) == Failed("no.", "LudusError")
    assert reason_of(ValueError("no")) == Failed("ValueError: no", "ValueError")
    failed = RuleError("no opinion", "evaluate", "'x'", game="nim", evaluator="zero", line="a.py, line 3")
    words = "rule evaluate of evaluator zero of nim failed in position 'x': no opinion (a.py, line 3)"
    assert reason_of(failed) == Failed(words, "RuleError", "evaluate", "a.py, line 3")
    game = ludus.game("chance-tree")
    with pytest.raises(ludus.SpecError) as caught:
        ludus.player("lcf").check_able(game)
    reason = reason_of(caught.value)
    assert isinstance(reason, Unable)
    assert (reason.player, reason.why.split(",")[0]) == ("lcf", "cannot play chance-tree")
    assert str(reason) == str(caught.value)
