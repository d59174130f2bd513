"""Standings as CSV, Markdown and LaTeX: the numbers are those of the ranking, and nothing is misread."""

from __future__ import annotations

import csv
import io
import re

import pytest

import ludus
from ludus.common.tables import csv_text, latex, markdown, table_text
from ludus.common.texttable import Column
from tests.support.invented_rankings import SHORT, invented

COLUMNS = [
    Column("player", ["a|b_1", "100 % & more"], left=True),
    Column("Elo", ["-12", "+7"]),
    Column("95 %", ["-30 … -1", "+0 … +9"], title="interval"),
]


def test_csv_has_all_digits():
    ranking = invented(SHORT)
    rows = list(csv.DictReader(io.StringIO(csv_text([{"x": 0.1 + 0.2, "y": None}, {"x": 1, "y": 'a "b", c'}]))))
    assert rows == [{"x": "0.30000000000000004", "y": ""}, {"x": "1", "y": 'a "b", c'}]
    assert csv_text([]) == "\n"
    assert ranking.standings[0].rating.value != round(ranking.standings[0].rating.value, 6)


def test_markdown():
    lines = markdown(COLUMNS, "About it.").splitlines()
    assert lines[:2] == ["About it.", ""]
    assert lines[2] == "| player | Elo | interval |"
    assert lines[3] == "| --- | ---: | ---: |"
    assert lines[4] == r"| a\|b_1 | -12 | -30 … -1 |"


def test_latex():
    text = latex(COLUMNS, "50 % of #1")
    assert r"\begin{tabular}{lrr}" in text
    assert r"\caption{50 \% of \#1}" in text
    assert r"a|b\_1 & $-$12 & $-$30 \dots{} $-$1 \\" in text
    assert r"100 \% \& more & +7 & +0 \dots{} +9 \\" in text
    assert text.count(r"\\") == 3
    assert text.count("{") == text.count("}")


@pytest.mark.parametrize("ending", ["csv", "md", "tex"])
def test_a_ranking_as_a_table(ending, tmp_path):
    ranking = invented(SHORT, pairs=6)
    ranking.save(tmp_path / f"r.{ending}")
    text = (tmp_path / f"r.{ending}").read_text()
    if ending == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        data = ranking.to_dict()["players"]
        assert [row["player"] for row in rows] == [row["player"] for row in data]
        for row, known in zip(rows, data, strict=True):
            assert float(row["rating"]) == known["rating"]
            assert int(row["wins"]) == known["wins"]
    else:
        names = [row.name for row in ranking.standings]
        lines = [re.sub(r"^[| ]*", "", line) for line in text.splitlines()]
        table = [re.split(r" [|&] ", line) for line in lines if re.match(r"\d+ [|&]", line)]
        assert [row[1] for row in table] == names


def test_a_match_as_a_table(tmp_path):
    result = ludus.match(
        "nim(stones=9)",
        ludus.player("greedy", compiled=False),
        ludus.player("random", compiled=False),
        games=20,
        openings=2,
    )
    first, second = result.standings
    assert first.score >= second.score
    assert first.rating.value == -second.rating.value
    assert first.rating.low == -second.rating.high
    assert (first.wins, first.draws, first.losses) == (second.losses, second.draws, second.wins)
    assert first.superiority + second.superiority == pytest.approx(1)
    by_name = {row.name: row for row in result.standings}
    assert [by_name[name].wins for name in result.players] == result.wins
    for name in ("m.csv", "m.md", "m.tex", "m.html", "m.svg"):
        result.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 200
    rows = list(csv.DictReader((tmp_path / "m.csv").open()))
    assert {row["player"] for row in rows} == set(result.players)
    assert "by the same" not in table_text("md", COLUMNS, [], "")
    page = (tmp_path / "m.html").read_text()
    assert ("verdict sure" in page) == (first.rating.low > 0)
