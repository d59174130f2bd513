"""A ranking in words: tables that fit, players without games, advice, and what `print` shows."""

from __future__ import annotations

import inspect
import re

import pytest

import ludus
from ludus.arena.ranking import Ranking
from ludus.arena.reports import standings, words
from tests.support.invented_rankings import LONG, SHORT, invented

WIDTHS = (60, 80, 100, 120)


@pytest.mark.parametrize("width", [40, *WIDTHS])
@pytest.mark.parametrize("specs", [SHORT[:2], SHORT, LONG], ids=["two", "short", "long"])
def test_tables_fit(specs, width):
    ranking = invented(specs)
    lines = ranking.text(width).splitlines()
    longest_word = max(len(word) for line in lines for word in line.split())
    assert max(map(len, lines)) <= max(width, longest_word)
    table = words.standings(ranking, width)
    assert all(len(line) <= width for line in table[: len(specs) + 1])
    for place, (row, line) in enumerate(zip(ranking.standings, table[1:], strict=False)):
        assert line.split()[0] == str(place + 1)
        assert f" {row.rating.value:+.0f} " in line + " "
        assert f" {row.rating.low:+.0f} … {row.rating.high:+.0f}" in line
        assert str(row.player).split("(")[0][:8] in line
    if width >= 60:
        assert "score" in table[0]


@pytest.mark.parametrize("specs", [SHORT, LONG, ["mgss(unit=subtree, horizon=2)", "minmax-approximation(p=5.5)"]])
def test_tables_fit_100_columns_where_there_is_no_terminal(specs):
    lines = invented(specs).text(1000).splitlines()
    place = next(i for i, line in enumerate(lines) if line.split()[:2] == ["player", "Elo"])
    assert max(map(len, lines[place : lines.index("", place + len(specs) + 2)])) <= 100
    assert max(map(len, lines)) > 100  # sentences are in one piece


def test_minor_columns_go_first():
    ranking = invented(SHORT)
    heads = {width: words.standings(ranking, width)[0].split() for width in (*WIDTHS, 40)}
    everything = ["player", "Elo", "95", "%", "games", "score", "+", "=", "-", "LOS", "nodes", "budget", "µs"]
    assert heads[120] == heads[100] == everything
    assert heads[80] == [*everything[:-2], "µs"]
    assert heads[60] == [*everything[:6], "LOS"]
    assert heads[40] == [*everything[:4], "score"]


@pytest.mark.parametrize("width", [40, *WIDTHS])
def test_who_has_a_short_name_is_in_the_legend(width):
    ranking = invented(LONG)
    lines = words.standings(ranking, width)
    assert not any("…" in line.replace(" … ", "") for line in lines[1:13])
    legend = " ".join(" ".join(lines[13:]).split())
    for row in ranking.standings:
        assert row.name in ("alphabeta*", f"bfmm(nodes={row.player.budget.nodes})*")
        assert f"{row.name} {row.player}" in legend
    assert words.standings(ranking, width, legend=False) == lines[:13]
    assert len(words.standings(invented(SHORT), width)) == 9


def test_names_that_even_then_are_too_long_are_cut_and_in_the_legend():
    specs = ("minmax-approximation(p=5.5)", "bfmm")
    ranking = invented(specs)
    lines = words.standings(ranking, 40)
    assert any("minmax" in line and "…" in line.split("  ")[1] for line in lines[1:3])
    assert all(len(line) <= 40 for line in lines)
    assert "minmax-approximation(p=5.5, eval=open-lines, nodes=2000)" in " ".join(" ".join(lines[3:]).split())


@pytest.mark.parametrize("width", [30, *WIDTHS])
def test_the_matrix_fits_and_is_complete(width):
    ranking = invented(LONG)
    lines = words.matrix(ranking, width)
    assert all(len(line) <= width for line in lines)
    assert lines[-1] == "? rests on fewer than 10 games"
    scores: dict[int, list[str]] = {place: [] for place in range(1, 13)}
    for line in lines:
        found = re.match(r"(\d+)( .*?)?((  +(\d+\?|·))+)$", line)
        if found and "%" not in line:
            scores[int(found[1])] += found[3].split()
    for place, i in enumerate(ranking.order):
        expected = []
        for j in ranking.order:
            won, drawn, lost = ranking.record_against(i, j)
            expected.append("·" if i == j else f"{100 * won / (won + drawn + lost):.0f}?")  # of eight games
        assert scores[place + 1] == expected


def test_what_is_in_common_is_true_of_all():
    assert invented(SHORT).terms == ["nodes=2000 each", "eval=open-lines where a search evaluates"]
    assert invented(("bfmm(nodes=5)", "uct(nodes=6)")).terms == ["eval=open-lines where a search evaluates"]
    assert invented(("bfmm(eval=zero)", "bfmm")).terms == ["nodes=2000 each"]
    assert invented(("bfmm(eval=zero, nodes=5)", "bfmm")).terms == []
    fitted = ludus.calibrate("tictactoe", "open-lines", positions=50, compiled=False).evaluator
    other = ludus.calibrate("tictactoe", "open-lines", positions=60, compiled=False).evaluator
    calibrated = invented((f"mgss(eval={fitted})", "bfmm"))  # the same evaluator, about which one knows more
    assert calibrated.terms == invented(SHORT).terms
    assert calibrated.short_names == ["mgss", "bfmm"]
    assert calibrated.names[0] == f"mgss(eval={fitted}, nodes=2000)"
    two = invented((f"mgss(eval={fitted})", f"mgss(eval={other})"))
    assert two.short_names == [f"mgss(eval={fitted})", f"mgss(eval={other})"]
    header = words.header(invented(SHORT[:2]))
    assert header == "tictactoe: 8 games in pairs, nodes=2000 each, eval=open-lines where a search evaluates, seed 0"


# Few games.


def some_only() -> Ranking:
    """Four players of whom the second and the last have met."""
    ranking = invented(SHORT[:4], pairs=0)
    for number, records in invented(SHORT[:2], pairs=1, score=lambda dice, one, other, index: -1).pairs.items():
        ranking.add((1, 3, number[2]), records)
    return ranking


def test_who_has_not_played_stands_last_without_a_rating():
    ranking = some_only()
    assert [row.number for row in ranking.standings] == [3, 1, 0, 2]
    assert [row.games for row in ranking.standings] == [2, 2, 0, 0]
    assert [row.superiority is None for row in ranking.standings] == [False, True, True, True]
    _, first, second, third, fourth = words.standings(ranking, 200)
    assert re.match(r"1  uct +\+\d+  ", first)
    assert re.match(r"2  alphabeta +-\d+  ", second)
    assert re.fullmatch(r"3  bfmm +- +- +0", third)
    assert re.fullmatch(r"4  lcf +- +- +0", fourth)
    data = ranking.to_dict()
    assert [row["games"] for row in data["players"]] == [2, 2, 0, 0]
    assert all(isinstance(row["rating"], float) for row in data["players"])
    assert "it has yet to beat alphabeta" in ranking.verdict()


def test_the_first_move_is_told_when_it_is_known():
    few, many = invented(SHORT[:2], pairs=1), invented(SHORT[:2], pairs=60)
    assert few.ratings.first_move.high - few.ratings.first_move.low > 600
    assert words.first_move(few) == ""
    assert "Moving first" not in str(few)
    assert re.fullmatch(r"Moving first is worth [+-]\d+ Elo \([+-]\d+ … [+-]\d+\)\.", words.first_move(many))


def test_nothing_is_minus_zero():
    assert [standings.signed(value) for value in (-0.4, 0.4, -0.0, -0.6, 12.5, -3)] == [
        "+0",
        "+0",
        "+0",
        "-1",
        "+12",
        "-3",
    ]


def test_without_games_there_is_no_table():
    ranking = invented(SHORT, pairs=0)
    ranking.stopped = "minutes"
    assert ranking.text().splitlines()[1:] == ["", "no game was played.", "Stopped: the time is over."]
    assert ranking.to_dict()["best"] is None
    assert "best" not in repr(ranking)


# Advice.


def first_wins(dice, one, other, index):
    return 1 if index == 0 else -1


def drawn(dice, one, other, index):
    return 0


def at_random(dice, one, other, index):
    return dice.choice((1, -1))


def test_pairs_decided_by_their_opening():
    told = "Most pairs are decided by their opening: try `openings=1`."
    assert invented(SHORT[:3], pairs=20, score=first_wins).advice == told
    assert told in str(invented(SHORT[:3], pairs=20, score=first_wins))
    assert "`openings" not in invented(SHORT[:3], pairs=20, score=first_wins, plies=1).advice
    assert invented(SHORT[:2], pairs=19, score=first_wins).advice == ""  # too few to tell
    assert invented(SHORT[:2], pairs=20, score=first_wins).advice == told
    assert invented(SHORT[:3], pairs=20, score=drawn).advice.startswith("Most pairs are drawn twice")
    assert invented(("bfmm", "random"), pairs=60, score=first_wins).advice == ""  # nobody else has played


def test_advice_does_not_contradict_itself():
    split, clear = invented(SHORT[:3], pairs=20, score=first_wins), invented(SHORT[:3], pairs=20)
    split.stopped = clear.stopped = "openings"
    assert clear.why_stopped.endswith("; a longer `openings` may give more")
    assert (
        split.advice
        == "Most pairs are decided by their opening: a smaller `budget` or a larger board tells players apart."
    )
    assert "`openings" not in str(split)


def test_no_advice_where_games_tell_something():
    assert invented(SHORT[:3], pairs=20).advice == ""
    clear = invented(SHORT[:3], pairs=20, score=lambda dice, one, other, index: 1)
    assert clear.sureness > 0.95
    assert clear.advice == ""

    side = [0]

    def mostly_split(dice, one, other, index):  # a side wins both games, but for some pairs that the first player wins
        if index == 0:
            side[0] = dice.choice((1, -1, 1, -1, 0))
        return (side[0] if index == 0 else -side[0]) or 1

    separated = invented(SHORT[:2], pairs=200, score=mostly_split)
    assert separated.sureness >= 0.95
    assert separated.advice == ""


# In Python.


@pytest.mark.slow
def test_print_and_repr():
    ranking = invented(SHORT)
    assert str(ranking) == ranking.text()
    first, blank, second = str(ranking).splitlines()[:3]
    assert first == words.regret(ranking)
    assert (blank, second) == ("", words.header(ranking))
    assert ranking.verdict() in str(ranking)
    assert repr(ranking) == "<ranking of tictactoe: 8 players, 224 games, best bfmm(eval=open-lines, nodes=2000)>"
    assert "\x1b" not in str(ranking)
    assert "Stopped" not in str(ranking)  # it may go on


def test_options_in_python():
    fast = {"games": 4, "workers": 1, "compiled": False}
    one = ludus.rank("nim", "random", "greedy", budget="nodes=100", openings=1, **fast)
    other = ludus.rank("nim", "random", "greedy", budget=ludus.Budget(nodes=100), openings=1, **fast)
    assert one.names == other.names == ["random(eval=sampler, nodes=100)", "greedy(eval=sampler, nodes=100)"]
    assert list(one.pairs) == list(other.pairs)
    assert one.opening((0, 1, 0)).moves == other.opening((0, 1, 0)).moves
    assert len(one.opening((0, 1, 0)).moves) == 1
    with pytest.raises(ludus.LudusError, match="nods"):
        ludus.rank("nim", budget="nods=3")
    assert inspect.signature(ludus.rank).parameters["openings"].default == 4


# Who was left out, who took too long, who forfeited.


def test_players_left_out_are_told_by_reason_with_the_budget_they_need():
    ranking = invented(SHORT[:2])
    costly = "its first move costs {} nodes, the budget is 50"
    ranking.excluded = {
        "minimax(eval=zero, nodes=50)": costly.format("9,330") + "; it takes part from nodes=4665",
        "solve(nodes=50)": costly.format("200"),
        "pvs(nodes=50)": costly.format("9,330") + "; it takes part from nodes=4665",
        "lcf(nodes=50)": "it cannot play dice",
        "bfmm(nodes=50)": "it cannot play dice",
    }
    assert words.left_out(ranking.excluded) == [
        "Left out, because the first move costs too much at this budget: minimax and pvs (9,330 nodes each, "
        "take part from nodes=4665); solve (200 nodes).",
        "Left out: lcf and bfmm: it cannot play dice",
    ]
    dice = "cannot play dice; those that can are uct."
    assert words.left_out({f"{name}(nodes=50)": f"{name} {dice}" for name in ("lcf", "bstar")}) == [
        f"Left out: lcf and bstar: {dice}"
    ]
    assert "; 5 searches were left out." in ranking.verdict()
    assert [each["needs"] for each in ranking.to_dict()["excluded"]] == ["nodes=4665", None, "nodes=4665", None, None]
    ranking.excluded = {"solve": costly.format("200")}
    assert "; 1 search was left out." in ranking.verdict()
    assert "left out" not in invented(SHORT[:2]).verdict()


def timed(microseconds: list[float]) -> Ranking:
    """Three players with 100 microseconds a move, who took so many."""
    specs = [f"{name}(seconds=0.0001)" for name in SHORT[:3]]
    return invented(specs, microseconds=microseconds)


def test_the_verdict_says_to_whom_it_was_unfair():
    assert "unfair" not in timed([100, 109, 40]).verdict()
    late = timed([100, 150, 40])
    assert late.verdict().endswith(
        "The comparison is unfair to bfmm and lcf: of their time a move others have used more, alphabeta 150 %."
    )
    everybody = timed([200, 150, 115]).verdict()
    assert "All have used more than their time, and not equally: bfmm 200 %, alphabeta 150 % and lcf 115 %" in everybody
    assert "unfair" not in invented(SHORT[:3], microseconds=[1e9, 1, 1]).verdict()  # nobody has a clock


def test_like_faults_are_one():
    counted = {
        ("a", "overran: 10 nodes, of 5"): 2,
        ("a", "overran: 1,100 nodes, of 5"): 3,
        ("b", "died"): 1,
        ("a", "died"): 4,
    }
    assert words.faults(counted) == [
        "5 games forfeited by a: overran: 10 nodes, of 5 (and the like)",
        "1 game forfeited by b: died",
        "4 games forfeited by a: died",
    ]


def test_nobody_leads_alone_with_equal_ratings():
    ranking = ludus.rank("nim(stones=7)", "alphabeta(depth=9)", "minimax(depth=9)", games=2, compiled=False, workers=1)
    assert "lead with equal ratings: the best of these is not known" in ranking.verdict()
