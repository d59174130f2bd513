"""Games and an evaluator as beginners write them: rules that call other methods of their class."""

import numpy as np

from ludus import Evaluator, Game


class Lines(Game):
    """Three in a row; what it is good for stands in the classes below, which inherit the methods."""

    max_moves = 9
    max_features = 2

    def __init__(self, size: int = 3) -> None:
        self.size = size

    def initial(self):
        return (np.zeros((3, 3), np.int8), 1)

    def moves(self, state, out):
        board, player = state
        if self.has_line(board, self.other(player)):
            return 0
        n = 0
        for square in range(self.size * self.size):
            if self.is_free(board, square):
                out[n] = square
                n += 1
        return n

    def play(self, state, move):
        board = self.with_mark(state[0], move, player=state[1])
        return (board, self.other(state[1]))

    def score(self, state):
        return self.prize() if self.has_line(state[0], self.other(state[1])) else 0

    def features(self, state, numbers):
        numbers[0] = self.count(state[0], state[1])
        numbers[1] = self.count(state[0], self.other(state[1]))
        return 2

    def prize(self):
        return -1

    @staticmethod
    def other(player):
        return 3 - player

    def is_free(self, board, square):
        return self.at(board, square) == 0

    def at(self, board, square):
        """A method that a method calls."""
        return board[square // self.size, square % self.size]

    def with_mark(self, board, square, player=0):
        found = board.copy()
        found[square // self.size, square % self.size] = player
        return found

    def has_line(self, board, player):
        for i in range(self.size):
            if self.is_full(board[i], player) or self.is_full(board[:, i], player):
                return True
        return board[1, 1] == player and (board[0, 0] == board[2, 2] == player or board[0, 2] == board[2, 0] == player)

    @staticmethod
    def is_full(line, player):
        for each in line:  # noqa: SIM110 (a generator cannot be compiled)
            if each != player:
                return False
        return True

    def count(self, board, player=0):
        return self.count_from(0, board, player)

    def count_from(self, square, board, player):
        """It calls itself."""
        if square == 9:
            return 0
        return self.count_from(square + 1, board, player) + (1 if self.at(board, square) == player else 0)


class Doubled(Lines):
    """The rules of the base class call this class's own method."""

    def prize(self):
        return -2


class ByName(Lines):
    """Keyword-only parameters, left out and given."""

    def score(self, state):
        return self.prize(state[0], times=3) if self.has_line(state[0], self.other(state[1])) else self.prize(state[0])

    def prize(self, board, *, times=0, worth=-1):
        return times * worth


class Again(Lines):
    """Whoever takes the middle moves again."""

    alternates = False

    def mover(self, state):
        return state[1]

    def play(self, state, move):
        board = self.with_mark(state[0], move, state[1])
        return (board, state[1] if move == 4 else self.other(state[1]))

    def score(self, state):
        return self.prize() if self.has_line(state[0], self.other(state[1])) else self.won(state)

    def won(self, state):
        return 1 if self.has_line(state[0], state[1]) else 0


class Middle(Evaluator):
    """Its rule calls its own methods, and the game's; so do they."""

    def __init__(self, weight: float = 0.25) -> None:
        self.weight = weight

    def evaluate(self, game, state):
        return self.worth(game, state, state[1]) - self.worth(game, state, game.other(state[1]))

    def worth(self, game, state, player):
        return self.weight * self.middle(game, state[0], player) + 0.01 * game.count(state[0], player)

    @staticmethod
    def middle(game, board, player):
        return 1.0 if game.at(board, 4) == player else 0.0
