"""A sweep: its cells are rankings, it goes on where it stopped, and says who overtakes whom only if that is known."""

from __future__ import annotations

import csv

import pytest

import ludus
from ludus.arena.sweep_result import Cell, Sweep
from ludus.common.errors import LudusError, SpecError
from ludus.model import registry
from tests.support.invented_rankings import SHORT, invented, stronger_first

PLAYERS = ("random", "greedy", "bfmm")
BUDGETS = ("nodes=5", "nodes=15")
FAST = {"compiled": False, "workers": 1, "games": 12}


def sweep(game=("nim(stones=9)", "nim(stones=12)"), budgets=BUDGETS, **options) -> Sweep:
    return ludus.sweep(game, budgets, *PLAYERS, **(FAST | {"openings": 2} | options))


def scores(sweep: Sweep) -> list:
    """All games of all cells, without the clock."""
    return [
        [
            (number, *((record.moves, record.score) for record in records))
            for number, records in cell.ranking.pairs.items()
        ]
        for cell in sweep.cells
    ]


def test_a_cell_is_what_rank_makes_of_it():
    found = sweep()
    assert [(str(cell.game), str(cell.budget)) for cell in found.cells] == [
        (game, budget) for game in ("nim(stones=9)", "nim(stones=12)") for budget in BUDGETS
    ]
    for cell in found.cells:
        alone = ludus.rank(cell.game, *PLAYERS, budget=cell.budget, openings=2, **FAST)
        assert scores(Sweep([cell])) == scores(Sweep([Cell(cell.game, cell.budget, alone)]))
        assert set(cell.rows) == set(PLAYERS)
    data = found.to_dict()
    assert {"game", "budget", "players"} <= set(data["cells"][0])
    assert {"player", "rating", "low", "high", "games", "wins", "draws", "losses"} <= set(
        data["cells"][0]["players"][0]
    )
    assert data["games"] == sum(cell["games"] for cell in data["cells"])


def test_a_player_with_a_budget_of_its_own_is_called_the_same_everywhere():
    found = ludus.sweep("nim(stones=9)", ["nodes=5", "nodes=9"], "bfmm(nodes=9)", "random", **FAST | {"openings": 2})
    assert found.players == ["bfmm(nodes=9)", "random"]
    assert [list(cell.rows) for cell in found.cells] == [["bfmm(nodes=9)", "random"]] * 2


def test_players_may_be_objects_and_classes():
    player = ludus.player("random", compiled=False)
    found = ludus.sweep(
        ludus.game("nim(stones=9)"),
        ludus.Budget(nodes=9),
        type(registry.searches().of("bfmm")),
        player,
        openings=2,
        **FAST,
    )
    assert set(found.players) == {"bfmm", "random(nodes=2000)"}


@pytest.mark.slow
def test_workers_change_nothing():
    assert scores(sweep(workers=2)) == scores(sweep())


@pytest.mark.slow
def test_it_goes_on_where_it_stopped(tmp_path):
    db, seen = tmp_path / "s.db", []

    def interrupt(done, cell):
        seen.append(done)
        if len(seen) == 8:
            raise KeyboardInterrupt

    part = sweep(db=db, progress=interrupt)
    assert part.interrupted
    assert 0 < part.games < 48
    assert "the same command goes on" in str(part)
    whole, again = sweep(db=db), sweep(db=db)
    assert not whole.interrupted
    assert scores(whole) == scores(again) == scores(sweep())
    assert sum(cell.ranking.played for cell in whole.cells) < whole.games
    assert sum(cell.ranking.played for cell in again.cells) == 0
    alone = ludus.rank("nim(stones=12)", *PLAYERS, budget="nodes=15", openings=2, db=db, **FAST)
    assert (alone.played, alone.run) == (0, whole.cells[3].ranking.run)


def test_an_error_in_a_cell_ends_the_sweep():
    with pytest.raises(LudusError, match="no game lasts 9 random plies"):
        sweep(("tictactoe", "nim(stones=5)"), openings=9)


@pytest.mark.parametrize(
    ("games", "budgets", "words"),
    [
        ([], BUDGETS, "at least one game"),
        ("nim", [], "at least one budget"),
        ("nim", ["nodes=5", "nodes=5"], "named twice"),
        (["nim", "nim"], BUDGETS, "named twice"),
        ("nim", "nods=5", "did you mean nodes"),
        ("nimm", BUDGETS, "did you mean nim"),
    ],
)
def test_wrong_input(games, budgets, words):
    with pytest.raises(SpecError, match=words):
        ludus.sweep(games, budgets)


# Who overtakes whom.


def weaker_first(dice, one, other, index):
    return -stronger_first(dice, one, other, index)


def even(dice, one, other, index):
    return dice.choice((1, -1))


def cells(*rankings) -> Sweep:
    game = ludus.game("tictactoe")
    budgets = [ludus.Budget(nodes=nodes) for nodes in (500, 2000, 5000)]
    return Sweep([Cell(game, budget, ranking) for budget, ranking in zip(budgets, rankings, strict=False)])


def far(dice, one, other, index):
    return 1 if dice.random() < 0.85 else -1


def near(dice, one, other, index):
    return -far(dice, one, other, index)


def test_overtaking_is_told_between_the_nearest_budgets_that_show_it():
    one, other, none = (invented(SHORT[:2], 60, score) for score in (far, near, even))
    [found] = cells(one, other, other).overtakings
    assert str(found) == "alphabeta overtakes bfmm between 500 and 2,000 nodes on tictactoe"
    assert [(each.low, each.high) for each in cells(one, one, other).overtakings] == [(2000, 5000)]
    assert [(each.low, each.high) for each in cells(one, none, other).overtakings] == [(500, 5000)]
    back = cells(one, other, one).overtakings
    assert sorted((each.low, each.high) for each in back) == [(500, 2000), (2000, 5000)]
    assert back[0].better == back[1].worse


def test_no_overtaking_without_evidence():
    one, none = invented(SHORT[:2], 60, far), invented(SHORT[:2], 60, even)
    few = invented(SHORT[:2], 2, near)
    for rankings in ((one, one), (one, none), (none, one), (one, few), (none, none)):
        assert cells(*rankings).overtakings == []
    game = ludus.game("tictactoe")
    other = invented(SHORT[:2], 60, near)
    kinds = [Cell(game, ludus.Budget(nodes=500), one), Cell(game, ludus.Budget(seconds=1), other)]
    assert Sweep(kinds).overtakings == []  # nodes and seconds cannot be compared
    apart = [Cell(game, ludus.Budget(nodes=500), one), Cell(ludus.game("nim"), ludus.Budget(nodes=900), other)]
    assert Sweep(apart).overtakings == []


# Table and files.


def test_the_table_marks_the_best_and_fits():
    found = cells(invented(SHORT[:3], 60, far), invented(SHORT[:3], 1, even))
    lines = found.text(200).splitlines()
    assert "1 game at 2 budgets" in lines[0]
    table = lines[2:7]
    assert table[1].split() == ["player", "nodes=500", "nodes=2000"]
    assert sum("*" in line for line in table) == 1
    assert sum("?" in line for line in table) == 1
    assert next(line for line in table if "*" in line).startswith("bfmm")
    assert "The best is known in 1 of 2 cells." in found.text(200)
    for width in (60, 80):
        assert max(map(len, found.text(width).splitlines())) <= width


def test_files(tmp_path):
    found = cells(invented(SHORT[:3], 60, far), invented(SHORT[:3], 60, near))
    for ending in ("csv", "md", "tex", "html", "svg"):
        found.save(tmp_path / f"s.{ending}")
    rows = list(csv.DictReader((tmp_path / "s.csv").open()))
    assert len(rows) == 6
    assert rows[0]["budget"] == "nodes=500"
    assert float(rows[0]["rating"]) == found.cells[0].ranking.standings[0].rating.value
    markdown = (tmp_path / "s.md").read_text()
    assert "| player | tictactoe nodes=500 | tictactoe nodes=2000 |" in markdown
    assert r"\toprule" in (tmp_path / "s.tex").read_text()
    page = (tmp_path / "s.html").read_text()
    assert "overtakes" in page
    assert 'class="verdict sure"' in page
    assert "src=" not in page
    with pytest.raises(LudusError, match=r"must end in \.html"):
        found.save(tmp_path / "s.doc")
