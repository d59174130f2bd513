"""The tournament: a function of its seed, whatever the workers and however often it is interrupted."""

from __future__ import annotations

import dataclasses
import sqlite3
import sys
from itertools import combinations
from pathlib import Path

import pytest

import ludus
from ludus.arena import tournament
from ludus.arena.ranking import Ranking
from ludus.arena.tournament import ROUND
from ludus.common.errors import SpecError
from ludus.model import registry
from tests.support.game_sources import count

PLAYERS = ("random", "greedy(eval=zero)", "minimax(depth=2)", "bfmm(nodes=20)")
FAST = {"compiled": False, "workers": 1}


def played(ranking: Ranking) -> list:
    """All that happened, in order, without the clock."""

    def timeless(record):
        return dataclasses.replace(record, effort=tuple(dataclasses.replace(m, seconds=0) for m in record.effort))

    return [(number, *map(timeless, records)) for number, records in ranking.pairs.items()]


def rank(game="tictactoe", players=PLAYERS, **options) -> Ranking:
    return ludus.rank(game, *players, **({"games": 80} | FAST | options))


def test_a_run_is_a_function_of_its_seed():
    first, again, other = rank(seed=1), rank(seed=1), rank(seed=2)
    assert played(first) == played(again)
    assert played(first) != played(other)
    assert first.games == 80
    assert first.to_dict() | {"players": 0, "seconds": 0} == again.to_dict() | {"players": 0, "seconds": 0}


@pytest.mark.slow
def test_workers_change_nothing():
    assert played(rank(workers=2, games=60)) == played(rank(games=60))
    assert played(rank(move_limit=60.0, games=40)) == played(rank(games=40))


def test_every_two_players_have_openings_of_their_own():
    """None comes twice between them, and each two have them in another order."""
    ranking = rank(games=160)
    orders = {}
    for pairing in combinations(range(len(PLAYERS)), 2):
        numbers = [opening for *players, opening in ranking.pairs if tuple(players) == pairing]
        assert numbers == list(range(len(numbers)))
        orders[pairing] = [ranking.opening((*pairing, opening)).state for opening in range(8)]
        assert len(set(orders[pairing])) == 8
    assert len({tuple(order) for order in orders.values()}) == len(orders)
    for number, records in ranking.pairs.items():
        for record in records:  # each is a game from that opening to its end
            position = ranking.game.position()
            for move in (*ranking.opening(number).moves, *record.moves):
                position = position.play(move)
            assert position.is_over


def test_the_seats_are_counted_right():
    """Everything in the table once more, from the records."""
    ranking = rank(players=("greedy(eval=zero)", "minimax(depth=3)", "random"), games=60)
    for row in ranking.standings:
        wins = draws = losses = nodes = decisions = 0
        for (one, other, _), records in ranking.pairs.items():
            for index, record in enumerate(records):
                seats = (one, other) if index == 0 else (other, one)
                if row.number in seats:
                    seat = seats.index(row.number)
                    mine = record.score if seat == 0 else -record.score
                    wins, draws, losses = wins + (mine > 0), draws + (mine == 0), losses + (mine < 0)
                    nodes += record.effort[seat].generated
                    decisions += record.decisions[seat]
        assert (row.wins, row.draws, row.losses) == (wins, draws, losses)
        assert row.games == wins + draws + losses
        assert row.score == pytest.approx((wins + draws / 2) / row.games)
        assert row.effort.nodes == pytest.approx(nodes / max(decisions, 1))
    assert sum(row.games for row in ranking.standings) == 2 * ranking.games
    assert sum(row.wins for row in ranking.standings) == sum(row.losses for row in ranking.standings)
    data = ranking.to_dict()
    for i, row in enumerate(data["matrix"]):
        assert row[i] is None
        for j, cell in enumerate(row):
            assert cell is None or cell == data["matrix"][j][i][::-1]


@pytest.mark.slow
def test_it_stops_when_the_best_is_known():
    ranking = rank("othello(size=4)", ("random", "alphabeta(nodes=200)"), games=2000)
    assert ranking.stopped == "separated"
    assert ranking.names[ranking.order[0]].startswith("alphabeta")
    assert ranking.games < 200
    assert ranking.sureness >= 0.95
    assert "is the best of these" in ranking.verdict()
    assert ranking.to_dict()["separated"] is True


@pytest.mark.slow
def test_the_top_gets_the_games():
    players = ("random", "greedy(eval=zero)", "minimax(depth=2)", "minimax(depth=3)", "alphabeta(depth=4)")
    ranking = rank("othello(size=4)", players, games=300)
    rows = {str(row.player.search): row for row in ranking.standings}
    assert rows["random"].games < 0.6 * rows["alphabeta"].games
    assert rows["random"].games >= 2 * (len(players) - 1)  # the first round


class TestRoundRobin:
    def test_everyone_meets_everyone_equally_often(self):
        ranking = rank(games=110, round_robin=True)
        assert ranking.games == 108  # nine whole cycles of six pairs
        assert ranking.stopped == "games"
        assert {pairing: int(table.sum()) for pairing, table in ranking.tables.items()} == dict.fromkeys(
            combinations(range(4), 2), 9
        )
        for one, other, opening in ranking.pairs:
            assert ranking.opening((one, other, opening)) is not None
        assert "everyone against everyone" in str(ranking)
        assert ranking.to_dict()["round_robin"] is True

    @pytest.mark.slow
    def test_it_does_not_stop_when_the_best_is_known(self):
        ranking = rank("othello(size=4)", ("random", "alphabeta(nodes=40)"), games=80, round_robin=True)
        assert (ranking.games, ranking.stopped, ranking.evidence.decision) == (80, "games", "best")

    def test_more_players_than_meet_in_a_first_round(self):
        players = [f"random(eval=random(seed={seed}))" for seed in range(11)]
        ranking = rank("nim(stones=12)", players, games=110, round_robin=True)
        assert {int(table.sum()) for table in ranking.tables.values()} == {1}
        assert len(ranking.tables) == 55

    def test_too_few_games_for_a_cycle(self):
        with pytest.raises(SpecError, match="a round robin of 4 players has 12 games, so `games` must be at least 12"):
            rank(games=10, round_robin=True)

    def test_a_cycle_that_lacks_openings_is_not_begun(self):
        ranking = rank("nim(stones=5)", ("random", "greedy", "minimax"), openings=1, games=500, round_robin=True)
        assert ranking.stopped == "openings"
        assert len({int(table.sum()) for table in ranking.tables.values()}) == 1

    @pytest.mark.slow
    def test_it_is_a_run_of_its_own_that_goes_on(self, tmp_path):
        options = {"db": tmp_path / "r.db", "round_robin": True}
        few = rank(games=24, **options)
        assert rank(games=24, db=tmp_path / "r.db").run != few.run
        more = rank(games=48, **options)
        assert (few.run, few.games, more.games, more.played) == (more.run, 24, 48, 24)
        assert played(more) == played(rank(games=48, round_robin=True))
        assert played(rank(games=48, round_robin=True, workers=2)) == played(more)

    def test_an_incomplete_cycle_is_said(self):
        ranking = rank(games=24, round_robin=True)
        number = (0, 1, 2)
        ranking.add(number, ranking.pairs[0, 1, 0])
        ranking.stopped = "minutes"
        assert "the last cycle is not complete" in ranking.why_stopped


EQUALS = ("random(nodes=1)", "random(nodes=2)")
"""They play alike, whatever their budgets."""


def test_equals_are_not_separated():
    ranking = rank("tictactoe(size=1)", ("random", "greedy"), openings=0)
    assert ranking.stopped == "openings"
    assert ranking.games == 2
    same = rank(players=EQUALS, games=60)
    assert same.stopped == "games"
    assert "leads, but" in same.verdict()


def test_openings_run_out():
    ranking = rank("nim(stones=5)", ("random", "greedy"), openings=1, games=500)
    assert ranking.stopped == "openings"
    assert 0 < ranking.games < 20


def test_no_opening_at_all():
    with pytest.raises(ludus.LudusError, match="no game lasts 9 random plies: give a smaller `openings`"):
        rank("nim(stones=5)", ("random", "greedy"), openings=9)
    assert rank("nim(stones=5)", ("random", "greedy"), openings=0).games == 2


def test_games_are_rounded_up_and_at_least_one():
    assert rank(games=7).games == 8
    with pytest.raises(SpecError, match="at least 1"):
        rank(games=0)


def test_the_clock_ends_it():
    ranking = rank(minutes=1e-9)
    assert ranking.stopped == "minutes"
    assert ranking.games == 0
    assert ranking.verdict() == "no game was played."


def test_rounds_grow(monkeypatch):
    sizes = []
    original = tournament.next_pairs
    monkeypatch.setattr(tournament, "next_pairs", lambda *a: sizes.append(a[2]) or original(*a))
    rank(players=EQUALS, games=400)
    assert sizes[0] == ROUND
    assert sizes == sorted(sizes)
    assert sizes[-1] > ROUND


def test_a_seeded_game_changes_its_seed():
    ranking = rank("random-tree(depth=4)", ("greedy", "random"), games=20)
    assert len({ranking.opening(number).game.seed for number in ranking.pairs}) == ranking.games // 2


# Who takes part.


@pytest.mark.slow
def test_without_names_every_contender_does():
    ranking = ludus.rank("nim", games=40, **FAST)
    took_part = {player.search.name for player in ranking.players} | {who.split("(")[0] for who in ranking.excluded}
    assert took_part == {name for name, kind in registry.searches().classes.items() if kind.contender}
    assert {player.budget.nodes for player in ranking.players} == {2000}


def test_a_name_twice_or_alone():
    with pytest.raises(SpecError, match=r"greedy\(eval=open-lines, nodes=2000\) is named twice"):
        rank(players=("greedy", "random", "greedy(eval=open-lines)"))
    with pytest.raises(SpecError, match="at least two players, not 1"):
        rank(players=("greedy",))


def test_a_named_player_that_cannot_play_is_an_error():
    with pytest.raises(SpecError, match=r"mobility is for othello, not for tictactoe"):
        rank(players=("greedy(eval=mobility)", "random"))


def test_evaluators_and_budgets_compete():
    ranking = rank(players=("bfmm(eval=zero)", "bfmm", "bfmm(nodes=10)"), games=20)
    assert ranking.short_names == [
        "bfmm(eval=zero, nodes=2000)",
        "bfmm(eval=open-lines, nodes=2000)",
        "bfmm(eval=open-lines, nodes=10)",
    ]
    assert ranking.terms == []


# In the database.


def rows(path: Path, run: int = 1) -> list[tuple]:
    """The games of a run without the clock."""
    with sqlite3.connect(path) as db:
        db.row_factory = sqlite3.Row
        found = db.execute("SELECT * FROM games WHERE run = ? ORDER BY one, other, opening, game", (run,)).fetchall()
    return [tuple(row[key] for key in row.keys() if "seconds" not in key) for row in found]  # noqa: SIM118


@pytest.mark.parametrize("after", [1, 5, 6, 7, 20, 39])
def test_interrupted_and_taken_up_again(tmp_path, after):
    whole = rank(db=tmp_path / "whole.db")

    def interrupt(ranking: Ranking) -> None:
        if len(ranking.pairs) == after:
            raise KeyboardInterrupt

    part = rank(db=tmp_path / "part.db", progress=interrupt)
    assert part.stopped == "interrupted"
    assert part.games == 2 * after
    assert played(part) == played(whole)[:after]
    assert rows(tmp_path / "part.db") == sorted(rows(tmp_path / "part.db"))
    seen, told = [], []
    options = {"progress": lambda ranking: seen.append(ranking.games), "continuing": lambda *what: told.append(what)}
    resumed = rank(db=tmp_path / "part.db", **options)
    assert told == [(1, 2 * after)]
    assert seen[0] > 2 * after  # it does not look like starting over
    assert resumed.played == resumed.games - 2 * after
    assert played(resumed) == played(whole)
    assert rows(tmp_path / "part.db") == rows(tmp_path / "whole.db")
    assert resumed.run == 1


def test_a_finished_run_is_not_played_again(tmp_path, monkeypatch):
    first = rank(db=tmp_path / "x.db")
    monkeypatch.setattr(tournament.RankOptions, "hire", lambda *_: pytest.fail("there is nothing to play"))
    again = rank(db=tmp_path / "x.db", continuing=lambda *what: pytest.fail("nothing goes on"))
    assert again.to_dict() == first.to_dict()
    assert (first.played, again.played) == (80, 0)
    fewer = rank(db=tmp_path / "x.db", games=30)
    assert played(fewer) == played(first)[:15]
    assert fewer.stopped == "games"


def test_more_games_go_on_and_new_starts_over(tmp_path):
    rank(db=tmp_path / "x.db", games=40)
    more = rank(db=tmp_path / "x.db", games=80)
    assert more.run == 1
    assert played(more) == played(rank(games=80))
    fresh = rank(db=tmp_path / "x.db", games=40, new=True)
    assert fresh.run == 2
    assert len(rows(tmp_path / "x.db", 1)) == 80
    assert len(rows(tmp_path / "x.db", 2)) == 40


@pytest.mark.slow
def test_edited_rules_and_other_settings_are_other_runs(tmp_path):
    file, db = tmp_path / "count.py", tmp_path / "x.db"
    players = ("random", "greedy(eval=zero)")

    def run(stones=12, **options):
        file.write_text(count(stones))
        for name in [n for n, m in sys.modules.items() if getattr(m, "__ludus_file__", None) == str(file)]:
            del sys.modules[name]  # as in another process
        return rank(f"{file}:Count", players, db=db, games=4, **options).run

    assert run() == run() == 1
    assert run(stones=13) == 2
    assert run(seed=5) == 3
    assert run(openings=3) == 4
    assert run() == 1
