"""Games as users write them, for the page: boards as arrays, a player who moves twice, no board at all, many moves."""

from __future__ import annotations

import numpy as np

from ludus import Game


class Capture(Game):
    """Men go straight ahead and take diagonally on a 4 x 4 board; who has none left, or cannot move, has lost."""

    max_moves = 48
    evaluator = "zero"

    def initial(self):
        board = np.zeros((4, 4), np.int8)
        board[0], board[3] = -1, 1
        return (board, 1)

    def moves(self, state, out):
        board, mover = state
        n = 0
        for row in range(4):
            for column in range(4):
                to = row - mover
                if board[row, column] == mover and 0 <= to < 4:
                    for side in range(-1, 2):
                        goal = column + side
                        if 0 <= goal < 4 and board[to, goal] == (0 if side == 0 else -mover):
                            out[n] = 64 * (4 * row + column) + 4 * to + goal
                            n += 1
        return n

    def play(self, state, move):
        board = state[0].copy()
        start, goal = move // 64, move % 64
        board[goal // 4, goal % 4] = board[start // 4, start % 4]
        board[start // 4, start % 4] = 0
        return (board, -state[1])

    def score(self, state):
        return -1

    def render(self, state):
        return "\n".join("".join("b.w"[cell + 1] for cell in row) for row in state[0].tolist())


class Nineteen(Game):
    """Five in a row on a board of 19 x 19; a game ends after 40 stones."""

    max_moves = 361
    evaluator = "zero"

    def initial(self):
        return (np.zeros((19, 19), np.int8), 0)

    def moves(self, state, out):
        board, _ = state
        n = 0
        if (board != 0).sum() >= 40:
            return 0
        for cell in range(361):
            if board[cell // 19, cell % 19] == 0:
                out[n] = cell
                n += 1
        return n

    def play(self, state, move):
        board, mover = state
        board = board.copy()
        board[move // 19, move % 19] = 1 + mover
        return (board, 1 - mover)

    def score(self, state):
        return 0


class Pile:
    """A state that only Python understands."""

    def __init__(self, stones: int, mover: int) -> None:
        self.stones, self.mover = stones, mover


class Objects(Game):
    """Take one or two of seven stones; the state is an object."""

    max_moves = 2
    evaluator = "zero"

    def initial(self):
        return Pile(7, 0)

    def moves(self, state, out):
        for i in range(min(state.stones, 2)):
            out[i] = i + 1
        return min(state.stones, 2)

    def play(self, state, move):
        return Pile(state.stones - int(move), 1 - state.mover)

    def score(self, state):
        return -1

    def state_text(self, state):
        return f"{state.stones} {state.mover}"

    def parse_state(self, text):
        stones, mover = text.split()
        return Pile(int(stones), int(mover))


class Twice(Game):
    """Each player puts two stones in turn on a row of eight; the last one wins."""

    max_moves = 8
    alternates = False
    evaluator = "zero"
    cell_shape = (8,)

    def initial(self):
        return (np.zeros(8, np.int8), 0, 0)

    def mover(self, state):
        return state[1]

    def moves(self, state, out):
        n = 0
        for cell in range(8):
            if state[0][cell] == 0:
                out[n] = cell
                n += 1
        return n

    def play(self, state, move):
        board, mover, made = state
        board = board.copy()
        board[move] = 1 + mover
        return (board, mover, 1) if made == 0 else (board, 1 - mover, 0)

    def cells(self, state, contents):
        for i in range(8):
            piece = state[0][i]
            contents[i] = 0 if piece == 0 else 1 if piece == 1 + state[1] else 2
        return 8

    def score(self, state):
        return -1


class Dicey(Game):
    """Roll a die of three sides and move a man that far along nine cells; who comes to the end has won."""

    max_moves = 3
    evaluator = "zero"

    def initial(self):
        return (0, 0, 0)

    def moves(self, state, out):
        _, theirs, rolled = state
        if theirs >= 8:
            return 0
        if rolled < 0:
            for i in range(3):
                out[i] = i + 1
            return 3
        out[0] = 0
        return 1

    def play(self, state, move):
        mine, theirs, rolled = state
        if rolled < 0:
            return (mine, min(theirs + move, 8), 0)
        return (theirs, mine, -1)

    def chance(self, state, probabilities):
        if state[2] >= 0:
            return 0
        for i in range(3):
            probabilities[i] = 1 / 3
        return 3

    def score(self, state):
        return -1


class Evil(Game):
    """Texts that would be dangerous in a page, and values that are no numbers."""

    max_moves = 2
    name = ""
    evaluator = "zero"

    def initial(self):
        return (4,)

    def moves(self, state, out):
        for i in range(min(state[0], 2)):
            out[i] = i
        return min(state[0], 2)

    def play(self, state, move):
        return (state[0] - 1 - move,)

    def score(self, state):
        return float("nan")

    def move_name(self, state, move):
        return f"<script>alert({move})</script>"

    def render(self, state):
        return "<img src=x onerror=alert(1)>"

    def svg(self, state):
        return '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


class Fails(Game):
    """A rule that raises after the first move."""

    max_moves = 2
    evaluator = "zero"

    def initial(self):
        return (3,)

    def moves(self, state, out):
        if state[0] < 3:
            raise ValueError("the stones have gone")
        out[0], out[1] = 1, 2
        return 2

    def play(self, state, move):
        return (state[0] - move,)

    def score(self, state):
        return -1


class Endless(Game):
    """A game of many moves in which every search takes long, since nothing is ever decided."""

    max_moves = 4
    evaluator = "zero"

    def initial(self):
        return (0, 0)

    def moves(self, state, out):
        for i in range(4):
            out[i] = i
        return 4 if state[1] < 200 else 0

    def play(self, state, move):
        return ((5 * state[0] + move) % 1_000_003, state[1] + 1)

    def score(self, state):
        return 0
