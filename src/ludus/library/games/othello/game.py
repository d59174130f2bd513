"""Othello (Reversi) on bit boards, 4x4, 6x6 or 8x8.

A state is (the mover's discs, the opponent's discs, side), side 0 for black, who moves first. Square a1 is bit 0, b1
bit 1, a2 bit 8: a smaller board lies in the corner of the 8x8 one, so that the eight directions are the same shifts for
every size. A player without a move passes (move 64) unless the other has none either: then the game is over.
"""

from datetime import datetime
from typing import Any, Literal

import numpy as np

from ludus.common.errors import StateError
from ludus.kernel.bits import lowest_bit, popcount, squares
from ludus.library.games.othello import features as othello_features
from ludus.library.games.othello.features import write_features
from ludus.library.games.othello.stability import stable_discs
from ludus.model.game import Game

ONE, ZERO = np.uint64(1), np.uint64(0)
S1, S7, S8, S9 = np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(9)
D1, D7, D8, D9 = np.uint64(2), np.uint64(14), np.uint64(16), np.uint64(18)
PASS = 64
COLUMNS = "abcdefgh"

FEW = 8
"""Up to this many discs of the opponent a move is looked for that turns them all over."""


def reach_up(own, between, shift, double):
    """The squares of `between` that form unbroken rows beginning next to `own`, in the direction of larger numbers."""
    found = between & (own << shift)
    found |= between & (found << shift)
    pairs = between & (between << shift)
    found |= pairs & (found << double)
    return found | (pairs & (found << double))


def reach_down(own, between, shift, double):
    """The same in the direction of smaller numbers."""
    found = between & (own >> shift)
    found |= between & (found >> shift)
    pairs = between & (between >> shift)
    found |= pairs & (found >> double)
    return found | (pairs & (found >> double))


def legal_squares(mine, theirs, board, inner):
    """Where the owner of `mine` may put a disc. `inner`: all but the outer columns, so that no row wraps around."""
    middle = theirs & inner
    found = (reach_up(mine, middle, S1, D1) << S1) | (reach_down(mine, middle, S1, D1) >> S1)
    found |= (reach_up(mine, middle, S7, D7) << S7) | (reach_down(mine, middle, S7, D7) >> S7)
    found |= (reach_up(mine, middle, S9, D9) << S9) | (reach_down(mine, middle, S9, D9) >> S9)
    found |= (reach_up(mine, theirs, S8, D8) << S8) | (reach_down(mine, theirs, S8, D8) >> S8)
    return found & board & ~(mine | theirs)


def flips_up(disc, mine, between, shift, double):
    row = reach_up(disc, between, shift, double)
    return row if (row << shift) & mine != ZERO else ZERO


def flips_down(disc, mine, between, shift, double):
    row = reach_down(disc, between, shift, double)
    return row if (row >> shift) & mine != ZERO else ZERO


def flipped(disc, mine, theirs, inner):
    """The discs of `theirs` that a new `disc` of the mover turns over."""
    middle = theirs & inner
    found = flips_up(disc, mine, middle, S1, D1) | flips_down(disc, mine, middle, S1, D1)
    found |= flips_up(disc, mine, middle, S7, D7) | flips_down(disc, mine, middle, S7, D7)
    found |= flips_up(disc, mine, middle, S9, D9) | flips_down(disc, mine, middle, S9, D9)
    return found | flips_up(disc, mine, theirs, S8, D8) | flips_down(disc, mine, theirs, S8, D8)


def takes_all(mine, theirs, moves, inner):
    """Whether one of the moves of the owner of `mine` turns over every disc of `theirs`, which are few."""
    if popcount(theirs) > FEW:
        return False
    while moves != ZERO:
        disc = ONE << np.uint64(lowest_bit(moves))
        if flipped(disc, mine, theirs, inner) == theirs:
            return True
        moves &= moves - ONE
    return False


class Othello(Game):
    """Othello; the score is the difference in discs, the empty squares going to the winner or to nobody."""

    name = "othello"
    evaluator = "mobility"
    notation = "ggf"
    feature_names = othello_features.NAMES
    symmetries = ("all",)
    lesson = {"features": "both", "games": 60_000, "average": 0.3}
    max_moves = 60  # any board may be given as text: 35 moves are possible (in a real game about 30)

    def __init__(self, size: Literal[8, 6, 4] = 8, empties: Literal["winner", "none"] = "winner") -> None:
        self.size, self.cell_shape = size, (size, size)
        self.winner_takes_empties = empties == "winner"
        self.length = size * size - 4
        self.board = np.uint64(sum(1 << (8 * r + c) for r in range(size) for c in range(size)))
        self.inner = np.uint64(sum(1 << (8 * r + c) for r in range(size) for c in range(1, size - 1)))
        self.square_classes = np.array(othello_features.class_masks(size), np.uint64)
        self.corner_squares = np.array(othello_features.corner_masks(size), np.uint64)

    def initial(self):
        low, high = self.size // 2 - 1, self.size // 2
        black = 1 << (8 * low + high) | 1 << (8 * high + low)
        white = 1 << (8 * low + low) | 1 << (8 * high + high)
        return (np.uint64(black), np.uint64(white), 0)

    def moves(self, state, out):
        mine, theirs, _ = state
        where = legal_squares(mine, theirs, self.board, self.inner)
        if where == ZERO:
            if legal_squares(theirs, mine, self.board, self.inner) == ZERO:
                return 0
            out[0] = PASS
            return 1
        n = 0
        while where != ZERO:
            out[n] = lowest_bit(where)
            where &= where - ONE
            n += 1
        return n

    def play(self, state, move):
        mine, theirs, side = state
        if move == PASS:
            return (theirs, mine, 1 - side)
        disc = ONE << np.uint64(move)
        turned = flipped(disc, mine, theirs, self.inner)
        return (theirs & ~turned, mine | disc | turned, 1 - side)

    def over(self, state):
        mine, theirs, _ = state
        if legal_squares(mine, theirs, self.board, self.inner) != ZERO:
            return False
        return legal_squares(theirs, mine, self.board, self.inner) == ZERO

    def score(self, state):
        mine, theirs, _ = state
        difference = popcount(mine) - popcount(theirs)
        if self.winner_takes_empties and difference != 0:
            empty = popcount(self.board & ~(mine | theirs))
            difference += empty if difference > 0 else -empty
        return difference

    def null(self, state):
        return (state[1], state[0], 1 - state[2])

    def phase(self, state):
        return max(popcount(state[0] | state[1]) - 4, 0) / self.length

    def lowest(self, state):
        """The opponent has every square in the end but the stable discs of the mover."""
        mine, theirs, _ = state
        return 2 * popcount(stable_discs(mine, mine | theirs, self.board, self.inner)) - popcount(self.board)

    def highest(self, state):
        mine, theirs, _ = state
        return popcount(self.board) - 2 * popcount(stable_discs(theirs, mine | theirs, self.board, self.inner))

    def features(self, state, numbers):
        mine, theirs, _ = state
        moves = legal_squares(mine, theirs, self.board, self.inner)
        replies = legal_squares(theirs, mine, self.board, self.inner)
        n = write_features(self, mine, theirs, moves, replies, numbers)
        numbers[n] = takes_all(mine, theirs, moves, self.inner)
        numbers[n + 1] = takes_all(theirs, mine, replies, self.inner)
        return n + 2

    def cells(self, state, contents):
        mine, theirs, _ = state
        n = 0
        for row in range(self.size):
            for column in range(self.size):
                square = np.uint64(8 * row + column)
                contents[n] = np.int64(mine >> square & ONE) + 2 * np.int64(theirs >> square & ONE)
                n += 1
        return n

    # For people.

    def mover(self, state):
        return int(state[2])

    def winner(self, state):
        lead = popcount(state[0]) - popcount(state[1])
        return None if lead == 0 else int(state[2]) if lead > 0 else 1 - int(state[2])

    def _board(self, state):
        mine, theirs, side = (int(value) for value in state)
        black, white = (mine, theirs) if side == 0 else (theirs, mine)
        return ["X" if black >> i & 1 else "O" if white >> i & 1 else "-" for i in squares(self.board)]

    def state_text(self, state):
        """OBF: the squares from a1 row by row, `X` black, `O` white, `-` empty, then the player to move."""
        return f"{''.join(self._board(state))} {'XO'[int(state[2])]}"

    def parse_state(self, text):
        board, _, side = text.strip().rstrip(";").upper().partition(" ")
        count, side = self.size * self.size, side.strip()
        if len(board) != count or set(board) - set("XO-") or side not in ("X", "O"):
            raise StateError(f"a position is {count} of X, O and -, a space, and X or O to move, not {text!r}.")
        where = squares(self.board)
        black = np.uint64(sum(1 << i for i, mark in zip(where, board, strict=True) if mark == "X"))
        white = np.uint64(sum(1 << i for i, mark in zip(where, board, strict=True) if mark == "O"))
        return (black, white, 0) if side == "X" else (white, black, 1)

    def move_name(self, state, move):
        return "pa" if move == PASS else f"{COLUMNS[move % 8]}{move // 8 + 1}"

    def parse_move(self, state, text):
        return super().parse_move(state, {"pass": "pa", "ps": "pa"}.get(text.lower(), text.lower()))

    def game_text(self: Any, players, opening, moves, score, about):
        """GGF, one line: black moves first, and has the result; the moves of the opening come before the players'."""
        black, white = players if len(opening) % 2 == 0 else players[::-1]
        result = score if len(opening) % 2 == 0 else -score
        board, side = self.state_text(self.start).replace("X", "*").split()
        rows = [board[i : i + self.size] for i in range(0, len(board), self.size)]
        date = datetime.fromisoformat(about["date"]).strftime("%Y.%m.%d_%H:%M:%S.%Z") if "date" in about else ""
        tags = {"GM": "Othello", "PC": "ludus", "DT": date, "PB": black, "PW": white}
        tags |= {"RE": f"{result:+.2f}{':r' if about.get('fault') else ''}", "TY": str(self.size)}
        tags |= {"BO": " ".join([str(self.size), *rows, side])}
        head = "".join(f"{tag}[{text.replace(']', ')')}]" for tag, text in tags.items() if text)
        names = self.move_names([*opening, *moves])
        made = "".join(f"{'BW'[ply % 2]}[{name.upper()}]" for ply, name in enumerate(names))
        return f"(;{head}{made};)"

    def render(self: Any, state):
        board, legal = self._board(state), self.legal(state)
        marks = dict(zip(squares(self.board), board, strict=True))
        head = "  " + " ".join(COLUMNS[: self.size])
        rows = []
        for r in range(self.size):
            cells = ["+" if 8 * r + c in legal else marks[8 * r + c].replace("-", ".") for c in range(self.size)]
            rows.append(f"{r + 1} {' '.join(cells)} {r + 1}")
        black, white = board.count("X"), board.count("O")
        turn = "X (black)" if int(state[2]) == 0 else "O (white)"
        return "\n".join([head, *rows, head, f"X {black}, O {white}; {turn} to move"])

    def diagram(self, state):
        from ludus.pictures.diagram import squares as cells

        board = zip(squares(self.board), self._board(state), strict=True)
        discs = {divmod(i, 8): "black" if mark == "X" else "white" for i, mark in board if mark != "-"}
        return cells(self.size, discs, owners={"black": 0, "white": 1}, color="#2f8f5b")

    def svg(self: Any, state):
        """The board for notebooks and pages, with a dot on each legal square."""
        from ludus.pictures.boards import board_svg

        board = zip(squares(self.board), self._board(state), strict=True)
        discs = {divmod(i, 8): "black" if mark == "X" else "white" for i, mark in board if mark != "-"}
        legal = [divmod(move, 8) for move in self.legal(state) if move != PASS]
        return board_svg(self.size, discs, dots=legal, title=f"Othello: {self.state_text(state)}")
