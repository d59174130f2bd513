"""Games that do not end by themselves end as draws, and a run ends when its time is over, whatever is being played."""

from __future__ import annotations

import html
import time

import pytest

import ludus
from ludus.arena import tournament
from ludus.arena.play import preparation
from ludus.arena.play.openings import openings
from ludus.arena.play.playing import play_game
from ludus.arena.play.reasons import Reason, Told
from ludus.arena.play.records import GameRecord
from ludus.arena.ranking import Ranking
from ludus.arena.reports import report
from ludus.arena.reports.replays import chosen
from ludus.arena.reports.words import endless
from ludus.arena.store.export import Export
from ludus.arena.store.store import Store
from ludus.model.budget import Meter
from ludus.model.playable import LONGEST_GAME
from ludus.pictures import page
from tests.support import SUPPORT

FRAGILE = SUPPORT / "fragile.py"
SHUFFLE, WHIRL = f"{FRAGILE}:Shuffle", f"{FRAGILE}:Whirl"
FAST = {"compiled": False, "workers": 1}


def player(spec: str) -> ludus.Player:
    return ludus.player(spec, compiled=False)


def record(plies: int, score: float = 0.0, fault: Reason | None = None) -> GameRecord:
    return GameRecord((0,) * plies, score, (Meter(), Meter()), (plies, plies), fault)


def test_what_is_endless():
    assert record(LONGEST_GAME).endless
    assert not record(LONGEST_GAME - 1).endless
    assert not record(LONGEST_GAME, score=1.0).endless  # won with its last move
    assert not record(LONGEST_GAME, score=-1.0, fault=Told("raised")).endless


def test_a_game_without_end_is_a_draw():
    game = ludus.game(SHUFFLE)
    opening = next(openings(game, 3, seed=0))
    played = play_game(opening, player("minimax(depth=1)"), player("greedy"), seed=1)
    assert played.endless
    assert played.moves == (0,) * LONGEST_GAME
    assert played.score == 0
    assert played.decisions == (LONGEST_GAME // 2,) * 2
    lost = play_game(opening, player("minimax(depth=1)"), player("random"), seed=1)
    assert lost.score == 1
    assert not lost.endless


def test_chance_without_end_is_a_draw():
    opening = next(openings(ludus.game(WHIRL), 0, seed=0))
    played = play_game(opening, player("random"), player("random"), seed=1)
    assert played.endless
    assert len(played.moves) == LONGEST_GAME
    assert sum(played.decisions) < 50


@pytest.mark.slow
def test_results_say_how_many(tmp_path):
    result = ludus.match(SHUFFLE, player("minimax(depth=1)"), player("greedy"), games=2, db=tmp_path / "x.db")
    assert (result.endless, result.to_dict()["endless"], result.draws) == (2, 2, 2)
    players = ("random", "minimax(depth=1)", "greedy")
    ranking = ludus.rank(SHUFFLE, *players, games=6, db=tmp_path / "x.db", **FAST)
    assert (ranking.endless, ranking.to_dict()["endless"]) == (2, 2)
    assert ranking.again().endless == 2
    assert endless(2) == report.page(ranking).remarks
    assert html.escape(endless(2)[0].partition(" `")[0]) in page.html(report.page(ranking))
    for number, index in chosen(ranking).values():
        assert not ranking.pairs[number][index].endless
    again = ludus.rank(SHUFFLE, *players, games=6, db=tmp_path / "x.db", **FAST)
    assert again.endless == 2  # as stored
    assert endless(2) == ["2 games were ended as draws after 5,000 plies: the game may need `repetition` or an end."]
    assert endless(1)[0].startswith("1 game was ended as a draw after ")
    assert endless(0) == []
    with Store(tmp_path / "x.db") as store:
        for run in store.runs():
            export = Export(store, run, {"text": tmp_path / f"{run['number']}.txt"})
            export.write()
            assert export.games
            assert export.warning == ""


# The clock.

SLOW = ("bfmm(nodes=3000)", "bfmm(nodes=3001)", "bfmm(nodes=3002)")
"""Interpreted, an endless game of theirs takes minutes."""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_the_time_is_over_while_a_pair_is_being_played(workers, tmp_path, monkeypatch):
    options = {"compiled": False, "workers": workers, "db": tmp_path / "x.db"}
    ranking = ludus.rank(SHUFFLE, *SLOW, minutes=1 / 60, **options)
    assert ranking.stopped == "minutes"
    assert ranking.games == 0
    assert ranking.seconds >= 1
    monkeypatch.setattr(tournament.RankOptions, "hire", lambda *_: pytest.fail("that time is over, and counts"))
    again = ludus.rank(SHUFFLE, *SLOW, minutes=1 / 60, **options)
    assert again.stopped == "minutes"


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_counted_before_the_time_was_over_stays(workers, tmp_path):
    players = ("minimax(depth=2)", "alphabeta(depth=2)", "bfmm(nodes=90)")
    options = {"games": 12, "openings": 6, "compiled": False, "workers": workers}
    whole = ludus.rank("othello(size=6)", *players, **options)
    minutes, before, sittings = 0.0, 0, 0
    while True:
        minutes += (1 + sittings) * 0.05 / 60  # ever longer: a busy machine may get nothing done in the first
        part = ludus.rank("othello(size=6)", *players, minutes=minutes, db=tmp_path / "x.db", **options)
        assert before <= part.games
        assert moves(part) == moves(whole)[: part.games // 2]
        assert part.stopped == "minutes" or part.games == whole.games
        before, sittings = part.games, sittings + 1
        if part.stopped != "minutes":
            break
    assert sittings > 1
    assert moves(part) == moves(whole)


def moves(ranking: Ranking) -> list:
    return [(number, *(record.moves for record in records)) for number, records in ranking.pairs.items()]


def test_preparing_does_not_count(monkeypatch, tmp_path):
    """Neither when the run begins nor when it is taken up again, nor what an interrupt there leaves behind."""
    original, slow = preparation.Preparation.perform, []
    monkeypatch.setattr(time, "monotonic", lambda: 100.0 * len(slow))  # only preparing takes time

    def perform(task):
        slow.append(task)
        if interrupted and len(slow) == 2:
            raise KeyboardInterrupt
        return original(task)

    monkeypatch.setattr(preparation.Preparation, "perform", perform)
    interrupted = True
    options = {"minutes": 1 / 60, "db": tmp_path / "x.db", **FAST}
    first = ludus.rank("tictactoe", "random", "greedy", games=4, **options)
    assert (first.stopped, first.games, len(slow)) == ("interrupted", 0, 2)
    assert first.seconds == 0
    interrupted = False
    second = ludus.rank("tictactoe", "random", "greedy", games=4, **options)
    assert (second.games, len(slow)) == (4, 4)
    third = ludus.rank("tictactoe", "random", "greedy", games=10, **options)
    assert (third.games, len(slow)) == (10, 6)
    assert third.seconds == 0
    fourth = ludus.rank("tictactoe", "random", "greedy", games=10, **options)
    assert (fourth.games, len(slow)) == (10, 6)  # nothing to play, nobody to prepare
