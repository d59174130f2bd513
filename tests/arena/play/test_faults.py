"""A player that raises, hangs, cheats or overruns loses that game with the reason recorded, and the run goes on."""

from __future__ import annotations

import re
import signal
from contextlib import closing

import pytest

import ludus
from ludus.arena.play.openings import openings
from ludus.arena.play.pairs import Pair
from ludus.arena.play.playing import play_game
from ludus.arena.pool import workers
from ludus.arena.pool.resources import Resources
from tests.support import SUPPORT

FAULTY = SUPPORT / "faulty.py"
REASONS = {
    "Raises": "too many stones",
    "Cheats": r"chose 99, which is not legal in position '[-XO]{9} [XO]'",
    "Overruns": r"overran its budget: 5,00\d nodes for a move, of 100",
    "Dawdles": "took longer than 0.3 s for a move",
    "Hangs": "took longer than 0.3 s for a move",
    "Dies": r"its process died 3 times \(exit status -9\)",
}
UNSTOPPABLE = ("Hangs", "Dies")
"""These can only be ended by ending the process."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(workers, "GRACE", 0.3)


def faulty(name: str, compiled: bool | None = False) -> ludus.Player:
    return ludus.player(f"{FAULTY}:{name}(nodes=100)", compiled=compiled)


def pairs(bad: ludus.Player, many: int, move_limit: float | None) -> list[Pair]:
    game = ludus.game("tictactoe")
    players = bad.on(game), ludus.player("greedy(nodes=100)", compiled=False).on(game)
    found = zip(openings(game, 0 if many == 1 else 1, seed=1), range(many), strict=False)
    return [Pair((0, 1, n), opening, players, n, move_limit) for opening, n in found]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in REASONS if name not in UNSTOPPABLE])
@pytest.mark.parametrize("compiled", [False, True])
def test_the_faulty_player_loses_from_either_side(name, compiled):
    (pair,) = pairs(faulty(name, compiled), 1, 0.3)
    first, second = pair.perform()
    for record, seat in ((first, 0), (second, 1)):
        assert re.search(REASONS[name], record.fault)
        assert record.score == (-1 if seat == 0 else 1)
        # It moved well as long as two stones were there; the other has made all its moves.
        assert len(record.moves) == 3 + (seat == 0)
        assert record.decisions[1 - seat] == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", UNSTOPPABLE)
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX only")
def test_what_cannot_be_stopped_is_killed_and_the_run_goes_on(name, count):
    """In the second game of a pair as well as in the first; and the good games around it are played."""
    tasks = pairs(faulty(name), 1, 0.3)
    good = ludus.player("random", compiled=False).on(tasks[0].opening.game)
    fine = [Pair((0, 1, n), tasks[0].opening, (good, tasks[0].players[1]), n, 0.3) for n in range(4)]
    with closing(Resources(count, move_limit=0.3).hire()) as pool:
        done = list(pool.run([fine[0], tasks[0], *fine[1:]]))
    assert [bool(record.fault) for records in done for record in records] == [n in (2, 3) for n in range(10)]
    for record, seat in zip(done[1], (0, 1), strict=True):
        assert re.fullmatch(REASONS[name], record.fault)
        assert record.score == (-1 if seat == 0 else 1)
    for records, pair in zip([done[0], *done[2:]], fine, strict=True):
        assert [r.moves for r in records] == [r.moves for r in pair.perform()]


@pytest.mark.slow
def test_a_compiled_loop_without_end_is_killed_too():
    with closing(Resources(1, move_limit=1.0).hire()) as pool:
        ((first, second),) = pool.run(pairs(faulty("Hangs", compiled=True), 1, 1.0))
    assert first.fault == second.fault == "took longer than 1 s for a move"
    assert (first.score, second.score) == (-1, 1)


@pytest.mark.slow
def test_a_match_reports_faults():
    result = ludus.match("tictactoe", faulty("Raises"), "greedy", games=6, openings=1)
    assert result.wins[1] >= 3
    ((who, why),) = result.faults
    assert who.endswith("faulty.py:Raises(eval=open-lines, nodes=100)")
    assert why == "ValueError: too many stones"
    assert result.to_dict()["faults"] == [{"player": who, "reason": why, "games": result.faults[who, why]}]


@pytest.mark.parametrize("nodes", [1, 5, 40])
def test_what_a_budget_allows_is_no_fault(nodes):
    """One expansion beyond the budget is every search's right, for a move or for the whole game."""
    opening = next(openings(ludus.game("othello", size=4), 2, seed=0))
    for per in ("move", "game"):
        players = [ludus.player(f"{name}(nodes={nodes}, per={per})", compiled=False) for name in ("bfmm", "alphabeta")]
        assert play_game(opening, *players, seed=0).fault == ""
