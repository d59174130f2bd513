"""Qubic: an independent program whose lines are found by geometry, and the notation."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product
from xml.etree import ElementTree

import numpy as np
import pytest

import ludus
from ludus.library.games.qubic import has_line
from ludus.model.evaluator import WIN

POINTS = list(product(range(4), repeat=3))
"""Level, row and column."""

EMPTY = "/".join(["-" * 16] * 4)


def lines_by_geometry() -> set[frozenset]:
    """Take any two points, and all points of the cube on the straight line through them; four make a line."""

    def on_one_line(p, q, r) -> bool:
        a, b = np.subtract(q, p), np.subtract(r, p)
        return not np.cross(a, b).any()

    found = set()
    for p, q in combinations(POINTS, 2):
        step = np.subtract(q, p)
        if abs(step).max() == 1:  # neighbours: enough to find every line
            found.add(frozenset(r for r in POINTS if on_one_line(p, q, r)))
    return {line for line in found if len(line) == 4}


LINES = lines_by_geometry()


class Slow:
    """A dictionary of marks."""

    def __init__(self) -> None:
        self.marks: dict[tuple, str] = {}

    def winner(self) -> str | None:
        for line in LINES:
            marks = {self.marks.get(point) for point in line}
            if len(marks) == 1 and None not in marks:
                return marks.pop()
        return None

    def moves(self) -> list[str]:
        if self.winner():
            return []
        return [f"{z + 1}{'abcd'[x]}{y + 1}" for z, y, x in POINTS if (z, y, x) not in self.marks]

    def play(self, move: str) -> None:
        point = int(move[0]) - 1, int(move[2]) - 1, "abcd".index(move[1])
        self.marks[point] = "XO"[len(self.marks) % 2]

    @property
    def text(self) -> str:
        marks = "".join(self.marks.get(point, "-") for point in POINTS)
        levels = [marks[i : i + 16] for i in range(0, 64, 16)]
        return f"{'/'.join(levels)} {'XO'[len(self.marks) % 2]}"


def test_there_are_76_lines():
    assert len(LINES) == 76
    masks = {sum(1 << 16 * z + 4 * y + x for z, y, x in line) for line in LINES}
    game = ludus.game("qubic")
    assert {int(mask) for mask in game.lines} == masks
    assert len(game.lines) == 76
    through = Counter(point for line in LINES for point in line)
    assert Counter(through.values()) == {7: 16, 4: 48}  # the corners and the eight in the middle are the best squares


def test_against_the_independent_program():
    game, chance, results = ludus.game("qubic"), random.Random(1), Counter()
    for _ in range(60):
        position, slow = game.position(), Slow()
        while slow.moves():
            assert list(position.moves) == slow.moves()
            assert position.text == slow.text
            assert game.side(position.state) == len(slow.marks) % 2
            move = chance.choice(slow.moves())
            position = position.play(move)
            slow.play(move)
        assert position.is_over
        assert position.score == (-1 if slow.winner() else 0)
        assert game.position(slow.text) == position
        results[slow.winner()] += 1
    assert results["X"] > 0
    assert results["O"] > 0


def test_a_full_board_without_a_line_is_a_draw():
    """There is one: found by filling the board at random and moving marks until no line is left."""
    chance, best = random.Random(3), None
    marks = ["X"] * 32 + ["O"] * 32
    squares = [[16 * z + 4 * y + x for z, y, x in line] for line in LINES]
    while best != 0:
        chance.shuffle(marks)
        best = sum(len({marks[i] for i in line}) == 1 for line in squares)
        for _ in range(3000):
            i, j = chance.sample(range(64), 2)
            marks[i], marks[j] = marks[j], marks[i]
            lines = sum(len({marks[i] for i in line}) == 1 for line in squares)
            if lines > best:
                marks[i], marks[j] = marks[j], marks[i]
            else:
                best = lines
            if best == 0:
                break
    position = ludus.game("qubic").position("".join(marks))
    assert position.is_over
    assert position.score == 0


def test_lines_on_any_board():
    game, chance, found = ludus.game("qubic"), random.Random(2), Counter()
    masks = [sum(1 << 16 * z + 4 * y + x for z, y, x in line) for line in LINES]
    for trial in range(2000):
        board = sum(1 << i for i in range(64) if chance.random() < (0.2, 0.35, 0.5, 0.9)[trial % 4])
        expected = any(board & mask == mask for mask in masks)
        assert has_line(np.uint64(board), game.steps, game.starts) == expected
        found[expected] += 1
    assert min(found.values()) > 300
    for mask in masks:  # each line by itself, and nothing else
        assert has_line(np.uint64(mask), game.steps, game.starts)
        assert not has_line(np.uint64(mask & mask - 1), game.steps, game.starts)


def test_compiled_playouts_end_as_interpreted_ones():
    report = ludus.check(ludus.game("qubic"), games=30, seconds=2, seed=5, compiled=True)
    assert report.passed
    assert report.compiled


def test_a_fork():
    """X has two of a row and two of a column that meet in an empty corner: only there two threats arise at once."""
    game, player = ludus.game("qubic"), ludus.player("minimax(depth=3)")
    position = game.position()
    for move in ("1b1", "4d1", "1c1", "4c3", "1a2", "2d3", "1a3", "3c1"):
        position = position.play(move)
    wins = [child.name for child in player.choose(game, position).children if child.value == WIN]
    assert wins == ["1a1"]
    forked = position.play("1a1").play("1d1")
    assert [move for move in forked.moves if forked.play(move).is_over] == ["1a4"]


# Positions and moves as people write them.


def test_notation():
    game = ludus.game("qubic")
    assert game.position().text == f"{EMPTY} X"
    position = game.position().play("2c3").play("4D4")
    assert position.text == f"{'-' * 16}/{'-' * 10}X{'-' * 5}/{'-' * 16}/{'-' * 15}O X"
    assert str(position) == (
        "  1         2         3         4\n"
        "1 . . . .   . . . .   . . . .   . . . .\n"
        "2 . . . .   . . . .   . . . .   . . . .\n"
        "3 . . . .   . . X .   . . . .   . . . .\n"
        "4 . . . .   . . . .   . . . .   . . . O\n"
        "  a b c d   a b c d   a b c d   a b c d"
    )
    names = [game.move_name(game.start, move) for move in range(64)]
    assert names[:5] == ["1a1", "1b1", "1c1", "1d1", "1a2"]
    assert len(set(names)) == 64
    for move in ("2c3", "5a1", "1e1", "a11", ""):
        with pytest.raises(ludus.LudusError, match="unknown move"):
            position.play(move)


@pytest.mark.parametrize("text", ["", EMPTY[1:], f"{EMPTY} O", EMPTY.replace("-", "X", 2), EMPTY.replace("-", "Q", 1)])
def test_text_that_is_no_position(text):
    with pytest.raises(ludus.StateError, match=r"is 64 of X, O and -|X moves first"):
        ludus.game("qubic").position(text)


def test_picture():
    position = ludus.game("qubic").position().play("2c3").play("4d4")
    root = ElementTree.fromstring(position._repr_svg_())
    assert root.find("{*}title").text == f"Qubic: {position.text}"
    assert root.get("viewBox") == "0 0 880 220"
    boards = root.findall("{*}g")
    assert [board.get("transform") for board in boards] == [f"translate({220 * i} 0)" for i in range(4)]
    assert {label.text for label in boards[1].findall("{*}svg/{*}text")} == {"2a", "2b", "2c", "2d", "1", "2", "3", "4"}
    marks = [[group.get("transform") for group in board.findall("{*}svg/{*}g")] for board in boards]
    assert marks == [[], ["translate(132.5 132.5)"], [], ["translate(177.5 177.5)"]]
