"""The page of a ranking: it needs nothing else, is green only if the best is known, and its games can be looked at."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import ludus
from ludus.arena.reports import replays, report
from ludus.pictures.boards import board_svg
from ludus.pictures.marks import changes, text_changes
from ludus.pictures.page import html
from ludus.pictures.replay import Frame, Replay, replays_html
from tests.support.invented_rankings import SHORT, invented

VOID = {"meta", "input", "br"}


class Balanced(HTMLParser):
    """Fails if an element is not closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def even(dice, one, other, index):
    return dice.choice((1, -1))


@pytest.fixture(scope="module")
def played():
    players = ("random", "greedy", "bfmm(nodes=12)")
    return ludus.rank("tictactoe", *players, games=30, seed=3, openings=2, workers=1, compiled=False)


def test_green_only_if_the_best_is_known():
    sure, open_ = invented(SHORT[:2], pairs=200), invented(SHORT[:2], pairs=2, score=even)
    assert sure.evidence.decision == "best"
    assert '<p class="verdict sure">' in html(report.page(sure))
    assert open_.evidence.decision == ""
    assert '<p class="verdict">' in html(report.page(open_))


def test_one_file_with_all_that_it_needs(played):
    page = html(report.page(played))
    Balanced().feed(page)
    assert not re.search(r"""(src|href)=["'](?!#)""", page)
    assert "@import" not in page
    assert "prefers-color-scheme: dark" in page
    assert 'class="sortable"' in page
    for fact in ("command", "date", "version", "machine", "fingerprint"):
        assert f"<dt>{fact}</dt>" in page
    assert f"ludus {ludus.__version__}, Python" in page


def test_games_that_the_best_won_lost_and_drew(played):
    best = played.order[0]
    for title, (number, index) in replays.chosen(played).items():
        assert best in number[:2]
        score = played.pairs[number][index].score
        mine = score if (number[0] == best) == (index == 0) else -score
        assert title.split()[0] == ("won" if mine > 0 else "lost" if mine < 0 else "drawn")


def test_the_values_are_those_that_the_players_saw(played):
    """Searched once more from the same position with the same seed; every move of every game comes out again."""
    for number, index in replays.chosen(played).values():
        record, opening = played.pairs[number][index], played.opening(number)
        seen = replays.values(played, number, index, opening)
        assert sorted(seen) == list(range(len(record.moves)))
    wrong = {number: (records[1], records[0]) for number, records in played.pairs.items()}
    number, index = next(iter(replays.chosen(played).values()))
    played.pairs, right = wrong, played.pairs
    try:  # another game was played than the seeds give: nothing is told
        assert replays.values(played, number, index, played.opening(number)) == {}
    finally:
        played.pairs = right


def test_moves_are_told_from_the_first_position_on(played):
    for replay in replays.replays(played):
        assert replay.frames[0].words == "the beginning"
        assert [frame.words.startswith("opening: ") for frame in replay.frames[1:3]] == [True, True]
        for frame in replay.frames[3:]:
            told = re.search(r"^(\w+).* plays \w\d(, value [^?]+)?$", frame.words)
            assert (told[2] is None) == (told[1] == "random")
        assert [frame.seat for frame in replay.frames[3:]] == [k % 2 for k in range(len(replay.frames) - 3)]
    page = "".join(replays_html(replays.replays(played)))
    assert page.count('class="replay"') == len(replays.chosen(played))
    assert "ArrowRight" in page
    assert page.count('class="icon"') == 2 * page.count('class="replay"')  # crosses and noughts: whose are whose


# Marks.


def test_the_square_of_the_last_move_is_marked():
    before, after = (board_svg(3, pieces) for pieces in ({(0, 0): "black"}, {(0, 0): "white", (1, 2): "black"}))
    marked, put = changes(before, after)
    assert len(re.findall(r'fill="#ffd54a" fill-opacity="0.6"', marked)) == 1  # the new piece
    assert len(re.findall(r'fill="#ffd54a" fill-opacity="0.25"', marked)) == 1  # the one that was turned
    assert put == ['<circle r="18" fill="#111" stroke="#000"/>']
    assert changes(after, after) == (after, [])


def test_a_piece_that_moves_is_marked_where_it_was_and_where_it_is():
    before, after = board_svg(3, {(0, 0): "K"}), board_svg(3, {(1, 1): "K"})
    marked, put = changes(before, after)
    assert marked.count("#ffd54a") == 2
    assert len(put) == 1


def test_pictures_of_another_kind_mark_what_is_new_unless_most_is():
    assert changes('<svg ><circle r="1"/></svg>', '<svg ><rect x="1"/></svg>') == ('<svg ><rect x="1"/></svg>', [])
    old, six, stone = '<text x="1">4</text>', '<text x="2">6</text>', '<circle r="3" stroke="red"/>'
    assert changes(f'{old}<text x="2">5</text>', old + six)[0] == (
        f'{old}<text stroke="#e8590c" stroke-linejoin="round" stroke-width="0.3em" x="2">6</text>{six}'
    )
    marked, put = changes(old, old + stone)
    assert marked.startswith(old + "<circle stroke=")
    assert marked.endswith(f' r="3"/>{stone}')
    assert marked.count("<circle") == 2
    assert put == []


def test_letters_are_marked():
    assert text_changes("X.\n.O", "X<\n.O") == ("X<mark>&lt;</mark>\n.O", ["<"])
    assert text_changes("..", "...") == ("...", [])


def test_words_are_escaped():
    replay = Replay("<b>", ("<i>", "o"), "<u>", [Frame("<s>"), Frame("<p>", 0, "", "a<b")])
    page = "".join(replays_html([replay]))
    assert not re.search(r"<[isu]>|<b><|a<b", page)
