"""Tables in plain text: what is dropped, what is shortened, and what never is."""

from __future__ import annotations

import random

import pytest

from ludus.common.texttable import (
    ALWAYS,
    GAP,
    LEAST,
    NAME,
    WIDE,
    Column,
    fit,
    lay_out,
    screen_width,
    shorten,
    wrap,
    wrap_lines,
)


def test_a_table_with_room():
    columns = [
        Column("", ["1", "10"]),
        Column("player", ["a", "bcd"], left=True, elastic=True),
        Column("Elo", ["+1", "-1234"]),
        Column("last", ["x", ""], left=True),
    ]
    assert lay_out(columns) == [
        "    player    Elo  last",
        " 1  a          +1  x",
        "10  bcd     -1234",
    ]


def test_the_least_important_goes_first_and_equals_go_together():
    columns = [
        Column("name", ["abcdef"], left=True, elastic=True),
        Column("a", ["11"], 2),
        Column("b", ["22"], 1),
        Column("c", ["33"], 1),
        Column("d", ["44"]),
    ]
    heads = {width: lay_out(columns, width)[0].split() for width in range(5, 30)}
    assert heads[22] == ["name", "a", "b", "c", "d"]
    assert heads[21] == heads[14] == ["name", "a", "d"]
    assert heads[13] == heads[10] == heads[5] == ["name", "d"]
    assert lay_out(columns, 9)[1] == "abc…f  44"


def test_random_tables_never_wrap_and_never_cut_a_number():
    dice = random.Random(3)
    for _ in range(300):
        rows = dice.randrange(1, 5)
        words = ["x" * dice.randrange(1, 60) for _ in range(rows)]
        numbers = [
            Column(f"h{i}", [str(dice.randrange(10 ** dice.randrange(1, 8))) for _ in range(rows)], dice.randrange(5))
            for i in range(6)
        ]
        columns = [Column("1", list("1" * rows)), Column("name", words, left=True, elastic=True), *numbers]
        width = dice.randrange(10, 150)
        kept, room = fit(columns, width)
        lines = lay_out(columns, width)
        assert all(len(line) <= width for line in lines)
        assert len(lines) == rows + 1
        for row, line in enumerate(lines[1:]):
            cells = [shorten(c.cells[row], room) if c.elastic else c.cells[row] for c in kept]
            assert line.split() == cells
        dropped = [c.importance for c in columns if c not in kept]
        assert max(dropped, default=-1) < min(c.importance for c in kept)
        assert room >= LEAST
        if dropped:  # one more would not have had room
            level = max(dropped)
            more = [c for c in columns if c.importance >= level]
            wanted = sum(c.width for c in more if not c.elastic) + len(GAP) * (len(more) - 1)
            assert wanted + min(max(map(len, (*words, "name"))), NAME) > width
        assert ALWAYS in [c.importance for c in kept]


def test_shorten():
    assert [shorten("abcdef", width) for width in (1, 3, 5, 6, 9)] == ["…", "ab…", "abc…f", "abcdef", "abcdef"]
    assert shorten("bfmm(eval=mobility, nodes=1100)", 24) == "bfmm(eval=mobili…s=1100)"


def test_sentences_are_broken_at_spaces():
    words = "known with a probability of 61.7 %; next is best-first"
    assert wrap(words, 100) == [words]
    assert wrap(words, 32) == ["known with a probability of", "61.7 %; next is best-first"]
    assert wrap("1  abc(de=1, fg=2, hi=3, jk=4)", 20, "   ") == ["1  abc(de=1, fg=2,", "   hi=3, jk=4)"]
    assert wrap("x" * 50, 30) == ["x" * 50]


@pytest.mark.parametrize(("columns", "width"), [("72", 72), ("junk", WIDE), (None, WIDE)])
def test_how_wide_it_is(monkeypatch, columns, width):
    """In a test standard output is no terminal."""
    monkeypatch.setattr("sys.__stdout__", None)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    assert screen_width() == width


def test_what_follows_a_label_stays_beside_it():
    line = "stopped  nodes: 2,003 nodes generated, 167 expanded"
    assert wrap_lines(f"a b\n{line}", 32) == "a b\nstopped  nodes: 2,003 nodes\n         generated, 167 expanded"
    assert wrap_lines(line, 60) == line
    assert wrap_lines("of a sentence nothing is indented", 20) == "of a sentence\nnothing is indented"
    assert (
        wrap_lines("         seven plies, the fewest of all", 30) == "         seven plies, the\n         fewest of all"
    )
