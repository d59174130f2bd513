"""Games in which a player may move again, as their authors write them; and with passes put in by hand, to compare."""

import numpy as np

from ludus import Evaluator, Game
from ludus.kernel.rules import moves

# Dots and Boxes in a row. Box i has the edges 3i (top), 3i + 1 (bottom), 3i + 2 (left) and the next one's left.


def is_closed(boxes, board, box):
    right = 3 * box + 5 if box < boxes - 1 else 3 * boxes
    return board[3 * box] + board[3 * box + 1] + board[3 * box + 2] + board[right] == 4


def closed(boxes, board):
    n = 0
    for box in range(boxes):
        n += is_closed(boxes, board, box)
    return n


class Strip(Game):
    """Draw an edge; who closes a box owns it and moves again. A state: the edges, the mover, the first one's lead."""

    alternates = False

    def __init__(self, boxes: int = 2) -> None:
        self.boxes = boxes
        self.edges = self.max_moves = self.length = 3 * boxes + 1

    def initial(self):
        return (np.zeros(self.edges, np.int8), 0, 0)

    def mover(self, state):
        return state[1]

    def moves(self, state, out):
        n = 0
        for edge in range(self.edges):
            if state[0][edge] == 0:
                out[n] = edge
                n += 1
        return n

    def play(self, state, move):
        board, player, lead = state
        board = board.copy()
        board[move] = 1
        gained = closed(self.boxes, board) - closed(self.boxes, state[0])
        if gained == 0:
            return (board, 1 - player, lead)
        return (board, player, lead + gained if player == 0 else lead - gained)

    def score(self, state):
        return state[2] if state[1] == 0 else -state[2]


class StripWithPasses(Strip):
    """The same, its author inventing the pass."""

    alternates = True

    def initial(self):
        return (np.zeros(self.edges, np.int8), 0, 0, False)

    def moves(self, state, out):
        n = 0
        for edge in range(self.edges):
            if state[0][edge] == 0:
                out[n] = edge
                n += 1
        if state[3] and n > 0:
            out[0] = 0
            return 1
        return n

    def play(self, state, move):
        board, player, lead, passing = state
        if passing:
            return (board, player, lead, False)
        board = board.copy()
        board[move] = 1
        gained = closed(self.boxes, board) - closed(self.boxes, state[0])
        if gained == 0:
            return (board, 1 - player, lead, False)
        return (board, player, lead + gained if player == 0 else lead - gained, True)

    def score(self, state):
        return state[2] if (state[1] == 0) != state[3] else -state[2]


class BitStrip(Strip):
    """The same with nothing but numbers in a state."""

    def initial(self):
        return (0, 0, 0)

    def moves(self, state, out):
        n = 0
        for edge in range(self.edges):
            if not state[0] >> edge & 1:
                out[n] = edge
                n += 1
        return n

    def play(self, state, move):
        edges, player, lead = state
        after = edges | 1 << move
        gained = 0
        for box in range(self.boxes):
            right = 3 * box + 5 if box < self.boxes - 1 else 3 * self.boxes
            mask = 7 << 3 * box | 1 << right
            gained += (after & mask == mask) and (edges & mask != mask)
        if gained == 0:
            return (after, 1 - player, lead)
        return (after, player, lead + gained if player == 0 else lead - gained)


class ListStrip(Strip):
    """The same with a list for a state: interpreted only."""

    def initial(self):
        return [[0] * self.edges, 0, 0]

    def play(self, state, move):
        after = super().play((np.array(state[0]), *state[1:]), move)
        return [after[0].tolist(), int(after[1]), int(after[2])]


class Lead(Evaluator):
    """What a game's author thinks of his own states."""

    def evaluate(self, game, state):
        _, player, lead = state
        return lead if player == 0 else -lead


class LeadWithPasses(Evaluator):
    def evaluate(self, game, state):
        _, player, lead, passing = state
        return lead if (player == 0) != passing else -lead


class Mobile(Lead):
    """It lists the moves, too: of its own state, where no pass is due."""

    def evaluate(self, game, state):
        _, player, lead = state
        return (lead if player == 0 else -lead) + moves(game, state, game.scratch) / 100


# Pig: a state is (the points of both, the total of the turn, whose turn it is, whether the die falls).


class AgainPig(Game):
    """Pig as in `games/pig.py`, but nobody passes."""

    alternates = False

    def __init__(self, target: int = 6, sides: int = 3) -> None:
        self.target, self.sides = target, sides
        self.max_moves = sides

    def initial(self):
        return (0, 0, 0, 0, False)

    def mover(self, state):
        return 1 - state[3] if state[4] else state[3]

    def moves(self, state, out):
        if state[0] >= self.target or state[1] >= self.target:
            return 0
        if state[4]:
            for i in range(self.sides):
                out[i] = i + 1
            return self.sides
        out[0], out[1] = 0, 1
        return 2 if state[2] > 0 else 1

    def play(self, state, move):
        first, second, total, player, falls = state
        if falls:
            return (first, second, 0, 1 - player, False) if move == 1 else (first, second, total + move, player, False)
        if move == 0:
            return (first, second, total, player, True)
        if player == 0:
            return (first + total, second, 0, 1, False)
        return (first, second + total, 0, 0, False)

    def chance(self, state, probabilities):
        if not state[4]:
            return 0
        for i in range(self.sides):
            probabilities[i] = 1.0 / self.sides
        return self.sides

    def score(self, state):
        return -1
