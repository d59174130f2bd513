"""The charts of a ranking: no label is cut off or lies on another; the same bytes each time."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import ludus
from ludus.arena.reports.report import chart_title, rated
from ludus.pictures.charts import Rated, effort_figure, floor, offsets, ratings_figure
from tests.support.game_sources import count
from tests.support.invented_rankings import LONG, SHORT, invented

SAME = [500.0] * 12
NEAR = [500.0 + k for k in range(12)]


def even(dice, one, other, index):
    """Everybody is as good as the others, nearly."""
    return dice.choice((1, -1))


CASES = {
    "two": invented(SHORT[:2]),
    "eight": invented(SHORT),
    "two long": invented(LONG[:2]),
    "eight long": invented(LONG[:8]),
    "twelve": invented(LONG),
    "one point": invented(LONG, pairs=1, score=lambda dice, one, other, index: 1 - 2 * index, microseconds=SAME),
    "near": invented(SHORT, pairs=20, score=even, microseconds=NEAR),
    "wide": invented(SHORT, microseconds=[0.0, 1, 10, 100, 1e3, 1e4, 1e5, 1e6]),
}


def drawn(figure):
    """The box of a figure in its pixels; everything is where it will be."""
    figure.draw_without_rendering()
    return figure.bbox


def boxes(texts):
    """Where they are, without lines that lead to them."""
    found = [Text.get_window_extent(text) for text in texts if text.get_text() and text.get_visible()]
    assert found
    return found


def assert_apart(found):
    for one, other in combinations(found, 2):
        assert one.x1 <= other.x0 or other.x1 <= one.x0 or one.y1 <= other.y0 or other.y1 <= one.y0, (one, other)


def assert_inside(found, box):
    for one in found:
        assert box.x0 <= one.x0 < one.x1 <= box.x1, (one, box)
        assert box.y0 <= one.y0 < one.y1 <= box.y1, (one, box)


def shown_ticks(axis, low, high):
    return [
        label for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True) if low <= place <= high
    ]


@pytest.mark.parametrize("case", CASES)
def test_ratings(case):
    ranking = CASES[case]
    figure = ratings_figure(rated(ranking), chart_title(ranking))
    box, [axes] = drawn(figure), figure.axes
    names = axes.get_yticklabels()
    assert [name.get_text().split()[0] for name in names] == [str(i + 1) for i in range(len(ranking.players))]
    assert_inside(boxes(names), box)
    assert_apart(boxes(names))
    assert_inside(boxes([figure._suptitle]), box)
    title = " ".join(figure._suptitle.get_text().split())
    assert title == ", ".join([f"tictactoe: {ranking.games:,} games", *ranking.terms])
    assert axes.get_window_extent().width > 0.55 * box.width


@pytest.mark.parametrize("case", CASES)
def test_effort(case):
    ranking = CASES[case]
    figure = effort_figure(rated(ranking))
    box, [axes] = drawn(figure), figure.axes
    numbers = axes.texts
    assert [text.get_text() for text in numbers] == [str(i + 1) for i in range(len(ranking.players))]
    assert_inside(boxes(numbers), axes.get_window_extent())
    assert_apart(boxes(numbers))
    points = axes.transData.transform([text.xy for text in numbers])
    for x, y in points:
        assert not any(box.x0 < x < box.x1 and box.y0 < y < box.y1 for box in boxes(numbers))
    [legend] = figure.legends
    names = legend.get_texts()
    assert [name.get_text().split()[0] for name in names] == [str(i + 1) for i in range(len(ranking.players))]
    assert_inside(boxes(names), box)
    assert_apart(boxes(names))
    frame = axes.get_window_extent()
    assert frame.width > 0.55 * box.width
    assert all(name.x0 >= frame.x1 for name in boxes(names))
    low, high = axes.get_xlim()
    ticks = boxes(shown_ticks(axes.xaxis, low, high))
    assert len(ticks) >= 2
    assert_apart(ticks)
    for number, row in zip(numbers, ranking.standings, strict=True):  # each by its point
        assert number.xy == (pytest.approx(max(row.effort.microseconds, 0.1)), pytest.approx(row.rating.value))
        assert sum(part**2 for part in number.xyann) ** 0.5 < 70


@pytest.mark.parametrize("corner", [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 1)])
def test_numbers_stay_inside_where_points_are_at_the_frame(corner):
    figure = Figure(figsize=(4, 3))
    axes = figure.subplots()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    for place, offset in enumerate(offsets(axes, [corner] * 12)):
        axes.annotate(str(place + 1), corner, offset, textcoords="offset points", fontsize=9, ha="center", va="center")
    drawn(figure)
    assert_inside(boxes(axes.texts), axes.get_window_extent())
    assert_apart(boxes(axes.texts))


def test_who_has_not_played_is_not_drawn():
    ranking = invented(SHORT[:4], pairs=0)
    for number, records in invented(SHORT[:2]).pairs.items():
        ranking.add((1, 3, number[2]), records)
    for figure in (ratings_figure(rated(ranking), "some"), effort_figure(rated(ranking))):
        assert len(figure.axes[0].containers) == 2


@pytest.mark.parametrize("name", ["ratings.svg", "ratings.pdf", "ratings.png", "report.html", "REPORT.HTML"])
def test_the_same_bytes_each_time(name, tmp_path):
    ranking = CASES["eight"]
    ranking.save(tmp_path / name)
    first = (tmp_path / name).read_bytes()
    ranking.save(str(tmp_path / name))
    assert first == (tmp_path / name).read_bytes()
    assert b"<dc:date>" not in first
    if name.lower().endswith("html"):
        assert first.startswith(b"<!doctype html>")


def test_what_cannot_be_saved(tmp_path):
    ranking = CASES["two"]
    with pytest.raises(ludus.LudusError, match=r"must end in \.html, \.png"):
        ranking.save("report.doc")
    with pytest.raises(ludus.LudusError, match="no folder"):
        ranking.save(tmp_path / "nowhere" / "report.html")
    for name in ("dir.html", "dir.svg"):
        (tmp_path / name).mkdir()
        with pytest.raises(ludus.LudusError, match="cannot be written"):
            ranking.save(tmp_path / name)
    nothing = invented(SHORT, pairs=0)
    nothing.save(tmp_path / "report.html")
    assert "no game was played" in (tmp_path / "report.html").read_text()
    with pytest.raises(ludus.LudusError, match="no games to draw"):
        nothing.save(tmp_path / "ratings.svg")
    assert not Path(tmp_path / "ratings.svg").exists()


@pytest.mark.parametrize("looks", ["", "    def render(self, state):\n        return '*' * state[0]\n"])
def test_a_game_without_looks_is_told_in_words(tmp_path, looks):
    (tmp_path / "count.py").write_text(count(9, looks))
    players = ("random", "minimax(eval=zero, depth=2)")
    ranking = ludus.rank(f"{tmp_path}/count.py:Count", *players, openings=2, games=4, workers=1, compiled=False)
    ranking.save(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "<h2>Games</h2>" in page
    assert ('<input type="range"' in page) == bool(looks)
    assert ("<li>opening: 1</li>" in page or "<li>opening: 2</li>" in page) == (not looks)


# Axes that are not squeezed, lines between budgets.


def rated_as(*values: float) -> list[Rated]:
    return [Rated(f"p{k}", value, value - 20, value + 20, 100.0 * (k + 1)) for k, value in enumerate(values)]


@pytest.mark.parametrize(
    ("values", "cut"),
    [
        ((300, 200, 100, -900), True),
        ((300, 200, 100, -800, -900), True),
        ((300, 200, 100, 0, -100), False),  # a ladder
        ((300, 200, 100, -150), False),  # not far
        ((500, 100, -300, -690), False),  # no farther than the others are apart
        ((300, -900), False),  # with so few nobody is squeezed
    ],
)
def test_who_is_far_below_does_not_squeeze_the_axis(values, cut):
    players = rated_as(*values)
    assert (floor(players) is not None) == cut
    for figure, name in ((ratings_figure(players, "x"), "xlim"), (effort_figure(players), "ylim")):
        drawn(figure)
        low = getattr(figure.axes[0], f"get_{name}")()[0]
        assert (low > -600) == (cut or min(values) > -600)
        words = [text.get_text() for text in figure.findobj(Text)]
        assert any(f"{min(values):+.0f}" in word for word in words) == cut or not cut


@pytest.mark.parametrize(("low", "cut"), [(-900, True), (-100, False)])
def test_an_interval_that_reaches_far_below_is_cut(low, cut):
    players = [*rated_as(100, 50, 0), Rated("random", -30, low, 10, 50.0)]
    assert (floor(players) is not None) == cut
    for figure, name in ((ratings_figure(players, "x"), "xlim"), (effort_figure(players), "ylim")):
        drawn(figure)
        axes = figure.axes[0]
        shown = getattr(axes, f"get_{name}")()[0]
        assert -200 < shown < -30 if cut else shown < low
        assert len([line for line in axes.lines if line.get_marker() in "<v"]) == cut
        assert any("not to scale" in text.get_text() for text in figure.findobj(Text)) == cut


def test_where_the_axis_is_cut_there_is_room_for_the_lowest_rating():
    """Or its point would hide the mark that says that its interval goes on."""
    players = [Rated(str(k), v, low, high, 50.0) for k, (v, low, high) in enumerate(FOUR)]
    cut = floor(players)
    assert cut is not None
    assert cut < -173 - 30


FOUR = ((101, 23, 188), (80, -20, 186), (-8, -127, 110), (-173, -600, -15))


def test_equal_searches_are_joined():
    players = [Rated("a", 0, -9, 9, 10.0, "a"), Rated("b", 5, 0, 9, 20.0), Rated("c", 9, 0, 9, 40.0, "a")]
    [line] = [each for each in effort_figure(players).axes[0].lines if len(each.get_xdata()) == 2]
    assert list(line.get_xdata()) == [10.0, 40.0]
    kinds = [each.kind for each in rated(invented(("bfmm(nodes=5)", "uct(nodes=5)", "bfmm(nodes=9)")))]
    assert sorted(kinds) == ["", "bfmm(eval=open-lines)", "bfmm(eval=open-lines)"]
