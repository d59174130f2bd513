"""Tic-tac-toe as one writes it for libraries in which a state may be anything: a dict, and moves that are words."""

from ludus import Game

SQUARES = [column + row for row in "123" for column in "abc"]
LINES = ("a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1")


class Numbered(Game):
    """The state is a dict, the moves are numbers."""

    max_moves = 9
    evaluator = "zero"

    def initial(self):
        return {"board": {}, "player": 1}

    def has_line(self, state, player):
        return any(all(state["board"].get(square) == player for square in line.split()) for line in LINES)

    def possible_moves(self, state):
        if self.has_line(state, 3 - state["player"]):
            return []
        return [square for square in SQUARES if square not in state["board"]]

    def moves(self, state, out):
        found = self.possible_moves(state)
        for i, square in enumerate(found):
            out[i] = SQUARES.index(square)
        return len(found)

    def play(self, state, move):
        return {"board": {**state["board"], SQUARES[move]: state["player"]}, "player": 3 - state["player"]}

    def score(self, state):
        return -1 if self.has_line(state, 3 - state["player"]) else 0

    def move_name(self, state, move):
        return SQUARES[move]


class Worded(Numbered):
    """The moves are words."""

    def moves(self, state, out):
        found = self.possible_moves(state)
        for i, square in enumerate(found):
            out[i] = square
        return len(found)


class Returned(Numbered):
    """The moves are a list of words, and returned."""

    def moves(self, state, out):
        return self.possible_moves(state)
