"""The evaluators that count lines, against slow counting and by hand. (Tic-tac-toe's are tested with the game.)"""

from __future__ import annotations

import random
from itertools import product

import pytest

import ludus
from ludus.features.cells import lines_in
from ludus.model.evaluator import WIN

WEIGHTS = {0: 0, 1: 1, 2: 10, 3: 50}


def slow_lines(shape: tuple[int, ...], length: int) -> set[frozenset]:
    """Every set of `length` squares that follow each other in one direction."""
    found = set()
    for start in product(*map(range, shape)):
        for step in product((-1, 0, 1), repeat=len(shape)):
            line = [tuple(s + i * d for s, d in zip(start, step, strict=True)) for i in range(length)]
            if all(0 <= p < side for square in line for p, side in zip(square, shape, strict=True)):
                found.add(frozenset(line))
    return {line for line in found if len(line) == length}


@pytest.mark.parametrize(
    ("shape", "length", "count"),
    [
        ((3, 3), 3, 8),
        ((4, 4), 4, 10),
        ((7, 6), 4, 69),
        ((4, 4, 4), 4, 76),
        ((5, 2), 1, 10),
        ((5, 5), 3, 48),
        ((6,), 2, 5),
    ],
)
def test_lines_of_a_box(shape, length, count):
    found = lines_in(shape, length)
    assert len(found) == len(set(map(frozenset, found))) == count
    assert set(map(frozenset, found)) == slow_lines(shape, length)


def marks_of(spec: str, text: str) -> dict[tuple[int, ...], str]:
    """What lies where, read off the text of a position."""
    rows = text.split()[0].split("/")
    if spec == "qubic":
        return {(z, i // 4, i % 4): mark for z, level in enumerate(rows) for i, mark in enumerate(level)}
    return {(c, r): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}


@pytest.mark.parametrize(("spec", "shape"), [("connect4", (7, 6)), ("qubic", (4, 4, 4))])
def test_against_slow_counting(spec, shape):
    game, chance, lines = ludus.game(spec), random.Random(1), slow_lines(shape, 4)
    for _ in range(6):
        position = game.position()
        while not position.is_over:
            marks, (_, mover) = marks_of(spec, position.text), position.text.split()
            other = "OX"["XO".index(mover)]
            contents = [[marks[square] for square in line] for line in lines]
            open_to = {side: sum(enemy not in line for line in contents) for side, enemy in ("XO", "OX")}
            assert position.value("open-lines") == open_to[mover] - open_to[other]
            worth = {
                side: sum(WEIGHTS[line.count(side)] for line in contents if enemy not in line)
                for side, enemy in ("XO", "OX")
            }
            assert position.value("weighted-lines") == 16 + worth[mover] - worth[other]
            assert position.value("weighted-lines(one=0, two=0, three=1, mover=0)") == sum(
                (line.count(mover) == 3 and other not in line) - (line.count(other) == 3 and mover not in line)
                for line in contents
            )
            position = position.play(chance.choice(position.moves.numbers))
        assert position.value("weighted-lines") == WIN * position.score


def test_more_than_three_count_as_three():
    game = ludus.game("tictactoe(size=5)")
    position = game.position("XXXX-OOO-------------O---")
    assert position.value("weighted-lines(mover=0)") == slow_weighted(position.text)
    assert position.value("weighted-lines(one=0, two=0, three=1, mover=0)") == 1 - 1  # a row for each


def slow_weighted(text: str) -> float:
    board, mover = text.split()
    other = "OX"["XO".index(mover)]
    value = 0
    for line in slow_lines((5, 5), 5):
        marks = [board[5 * r + c] for r, c in line]
        value += WEIGHTS[min(marks.count(mover), 3)] * (other not in marks)
        value -= WEIGHTS[min(marks.count(other), 3)] * (mover not in marks)
    return value


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["connect4", "qubic"])
def test_compiled_and_interpreted_agree(spec):
    game = ludus.game(spec)
    position = game.position()
    for move in position.moves.numbers[2:7:2]:
        position = position.play(move)
    fast, slow = (ludus.player("greedy", compiled=compiled).choose(game, position) for compiled in (True, False))
    assert [child.value for child in fast.children] == [child.value for child in slow.children]
    assert len({child.value for child in fast.children}) > 1
    assert str(ludus.player("greedy").on(game)).startswith("greedy(eval=weighted-lines")
