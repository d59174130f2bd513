"""The features of the built-in games, beside what somebody would count who has the board before him."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludus
from ludus.features.cells import contents_of
from tests.support.reference_amazons import OTHER as ENEMY
from tests.support.reference_amazons import SlowAmazons
from tests.support.reference_othello import DIRECTIONS, OTHER, SlowOthello

# Abramson 1987, Figure 7: the classes of a quarter of the board.
QUARTER = ["1245", "2366", "4678", "5688"]


def positions(game: ludus.Game, games: int, seed: int = 0) -> list[ludus.Position]:
    """Those of some random games, the last ones included."""
    found, chance = [], random.Random(seed)
    for _ in range(games):
        position = game.position()
        found.append(position)
        while not position.is_over:
            position = position.play(chance.choice(position.moves.numbers))
            found.append(position)
    return found


def named(game: ludus.Game, state) -> dict[str, float]:
    """The features by name."""
    room = np.full(game.room_for_features, np.nan)
    with np.errstate(over="ignore"):
        n = game.features(state, room)
    return dict(zip(game.feature_names, room[:n].tolist(), strict=True))


def assert_counted(game: ludus.Game, count, games: int = 4) -> None:
    for position in positions(game, games):
        assert named(game, position.state) == count(game, position), position.text


# Othello.


def othello(game, position):
    slow = SlowOthello.read(position.text)
    mine, theirs, size = slow.mover, OTHER[slow.mover], slow.size
    worth = {mine: 1, theirs: -1}
    found = dict.fromkeys(game.feature_names, 0.0)
    for (r, c), mark in slow.discs.items():
        near_r, near_c = min(r, size - 1 - r), min(c, size - 1 - c)
        kind = int(QUARTER[near_r][near_c])
        corner = (0 if r < size / 2 else size - 1, 0 if c < size / 2 else size - 1)
        if kind in (2, 3) and corner in slow.discs:
            kind += 7
        found[f"class-{kind}"] += worth[mark]
        empty_beside = [(r + dr, c + dc) for dr, dc in DIRECTIONS if is_empty(slow, (r + dr, c + dc))]
        found["frontier"] += worth[mark] if empty_beside else 0
    corners = [(0, 0), (0, size - 1), (size - 1, 0), (size - 1, size - 1)]
    for mover, sign in worth.items():
        found["mobility"] += sign * len(slow.squares(mover))
        found["corner-moves"] += sign * sum(square in corners for square in slow.squares(mover))
    for square in [(r, c) for r in range(size) for c in range(size) if is_empty(slow, (r, c))]:
        beside = {slow.discs.get((square[0] + dr, square[1] + dc)) for dr, dc in DIRECTIONS}
        found["potential-mobility"] += (theirs in beside) - (mine in beside)
    lowest, highest = game.lowest(position.state), game.highest(position.state)
    found["stable"] = (lowest + size**2) / 2 - (size**2 - highest) / 2
    found["parity"] = 1 if (size**2 - len(slow.discs)) % 2 else -1
    found["wipe-out"], found["wipe-out-threat"] = wipes_out(slow, mine), wipes_out(slow, theirs)
    return found


def wipes_out(slow: SlowOthello, mover: str) -> bool:
    """Whether a move of his takes all discs of the other, who has at most eight."""
    left = slow.count(OTHER[mover])
    return left <= 8 and any(len(slow.turned(square, mover)) == left for square in slow.squares(mover))


def is_empty(slow: SlowOthello, square: tuple[int, int]) -> bool:
    return 0 <= square[0] < slow.size and 0 <= square[1] < slow.size and square not in slow.discs


@pytest.mark.parametrize("size", [4, 6, 8])
def test_othello(size):
    assert_counted(ludus.game("othello", size=size), othello)


def test_a_wipe_out_is_seen():
    """The shortest game of all: black takes the last white disc with the ninth move."""
    game, seen = ludus.game("othello"), []
    position = game.position()
    for move in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]:
        found = named(game, position.state)
        assert found == othello(game, position)
        seen.append((found["wipe-out"], found["wipe-out-threat"]))
        position = position.play(move)
    assert position.is_over
    assert seen[-1] == (1, 0)
    assert (0, 1) in seen


def test_the_classes_weigh_as_the_thesis_says():
    """The ten classes, weighed by set A, are the evaluator of that name."""
    game, weights = ludus.game("othello"), (64, -30, -40, 10, 5, -3, 2, 1, 5, -2)
    for position in positions(game, 3, seed=1):
        found = list(named(game, position.state).values())[:10]
        assert position.is_over or position.value("weighted-squares") == np.dot(found, weights)


# Chess.


def chess(game, position):
    board, side = position.text.split()[:2]
    rows = [list("".join("." * int(c) if c.isdigit() else c for c in row)) for row in board.split("/")]
    found = dict.fromkeys(game.feature_names, 0.0)
    for k, row in enumerate(rows):
        for man in row:
            if man in ".kK":
                continue
            sign = 1 if man.isupper() == (side == "w") else -1
            found[{"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen"}[man.upper()]] += sign
            rank = 8 - k if man.isupper() else k + 1  # as its owner sees it
            if man in "pP" and rank > 2:
                found[f"pawn-{rank}"] += sign
    return found


def test_chess():
    assert_counted(ludus.game("chess"), chess, games=1)


# Connect Four.


def connect4(game, position):
    rows = game.rows_of(position.state)[::-1]  # the lowest first
    height, width, length = game.rows, game.columns, game.line
    marks = {(c, r): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    taken = sum(mark != "-" for mark in marks.values())
    mover = "XO"[taken % 2]
    found = dict.fromkeys(game.feature_names, 0.0)
    lines = []
    for c, r in marks:
        for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [(c + i * dc, r + i * dr) for i in range(length)]
            if line[-1] in marks:
                lines.append(line)
    for mark in "XO":
        sign = 1 if mark == mover else -1
        for line in lines:
            stones = [marks[square] for square in line]
            count = stones.count(mark)
            if 0 < count < length and count + stones.count("-") == length:
                found[f"lines-of-{count}"] += sign
        middle = {(width - 1) // 2, width // 2}
        found["centre"] += sign * sum(marks[square] == mark for square in marks if square[0] in middle)
        threats = [
            at
            for at in marks
            if marks[at] == "-" and any(at in line and all(marks[s] == mark for s in line if s != at) for line in lines)
        ]
        own_row = 0 if mark == "X" else 1  # the first, third, ... row counts as odd
        found["threats"] += sign * len(threats)
        found["threats-in-own-rows"] += sign * sum(r % 2 == own_row for _, r in threats)
        found["wins-at-once"] += sign * sum(r == 0 or marks[c, r - 1] != "-" for c, r in threats)
    found["first"] = 1 if mover == "X" else -1
    assert height == len(rows)
    return found


@pytest.mark.parametrize("spec", ["connect4", "connect4(columns=5, rows=5, line=3)", "connect4(columns=4, rows=7)"])
def test_connect4(spec):
    assert_counted(ludus.game(spec), connect4)


# Kalah.


def kalah(game, position):
    south, north = game.rows_of(position.state)
    mine, theirs = (south, north) if game.mover(position.state) == 0 else (north, south)
    must_pass = position.text.endswith("pass")
    houses = game.houses
    found = {"store": mine[-1] - theirs[-1], "seeds": sum(mine[:-1]) - sum(theirs[:-1])}
    found |= {f"house-{k + 1}": mine[k] - theirs[k] for k in range(1, houses)}
    found["home"] = sum(min(mine[k], houses - k) - min(theirs[k], houses - k) for k in range(houses))
    earned = {1: sowings(mine, theirs), -1: sowings(theirs, mine)}
    first = -1 if must_pass else 1
    for name, sign in (("", first), ("-later", -first)):
        again, capture = earned[sign]
        found |= {f"again{name}": sign * again, f"capture{name}": sign * capture}
    return found | {"sows": first}


def sowings(row, other):
    """Seed by seed: how many sowings end in the store, and the most seeds that one captures."""
    houses = len(row) - 1
    again, prizes = 0, [0]
    for house in range(houses):
        board = row + other[:-1]  # own houses, own store, the other's houses
        seeds, board[house], at = board[house], 0, house
        if seeds == 0:
            continue
        for _ in range(seeds):
            at = (at + 1) % len(board)
            board[at] += 1
        again += at == houses
        around = seeds >= len(board)  # such a sowing drops a seed everywhere: not counted as a capture
        if at < houses and board[at] == 1 and row[at] == 0 and not around and other[houses - 1 - at] > 0:
            prizes.append(other[houses - 1 - at] + 1)
    return again, max(prizes)


@pytest.mark.parametrize("spec", ["kalah", "kalah(houses=3, seeds=6)", "kalah(houses=1)"])
def test_kalah(spec):
    assert_counted(ludus.game(spec), kalah, games=10)


# Amazons.


def amazons(game, position):
    slow = SlowAmazons.read(position.text)
    mine, theirs = slow.mover, ENEMY[slow.mover]
    empty = [(c, r) for c in range(slow.size) for r in range(slow.size) if (c, r) not in slow.pieces]
    by_queen = [slow.distances(side) for side in (mine, theirs)]
    by_king = [king_distances(slow, side) for side in (mine, theirs)]
    beside = {
        side: [sum(square in empty for square in around(slow, at)) for at in slow.amazons(side)]
        for side in (mine, theirs)
    }
    ahead = [[(d.get(s, 999), e.get(s, 999)) for s in empty] for d, e in (by_queen, by_king)]
    return {
        "mobility": slow.mobility(mine) - slow.mobility(theirs),
        "king-mobility": sum(beside[mine]) - sum(beside[theirs]),
        "queen-nearer": sum((a < b) - (b < a) for a, b in ahead[0]),
        "king-nearer": sum((a < b) - (b < a) for a, b in ahead[1]),
        "alone": sum((b == 999) - (a == 999) for a, b in ahead[0]),
        "tied": sum(a == b < 999 for a, b in ahead[0]),
        "shut-in": beside[mine].count(0) - beside[theirs].count(0),
    }


def around(slow, at):
    found = [(at[0] + c, at[1] + r) for c in (-1, 0, 1) for r in (-1, 0, 1) if (c, r) != (0, 0)]
    return [(c, r) for c, r in found if 0 <= c < slow.size and 0 <= r < slow.size]


def king_distances(slow, side):
    found = dict.fromkeys(slow.amazons(side), 0)
    last = list(found)
    while last:
        steps = {to for at in last for to in around(slow, at) if to not in slow.pieces and to not in found}
        found |= {to: 1 + max(found.values()) for to in steps}
        last = list(steps)
    return found


@pytest.mark.parametrize("size", [5, 6, 10])
def test_amazons(size):
    assert_counted(ludus.game("amazons", size=size), amazons, games=1)


# What stands on the cells.


@pytest.mark.parametrize("spec", ["othello", "othello(size=6)", "connect4", "tictactoe", "qubic", "amazons(size=6)"])
def test_cells_are_what_the_picture_shows(spec):
    """`state_text` shows the board row by row; of Amazons from the highest row."""
    game = ludus.game(spec)
    for position in positions(game, 1)[::3]:
        board, mover = position.text.split()
        if game.name == "amazons":
            slow = SlowAmazons.read(position.text)
            marks = [slow.pieces.get((c, r), "-") for r in range(slow.size) for c in range(slow.size)]
        else:
            marks = list(board.replace("/", ""))
        kinds = {"-": 0, mover: 1, "x": 3}
        assert contents_of(game, position.state) == tuple(kinds.get(mark, 2) for mark in marks)
