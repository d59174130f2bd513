"""Games as users write them: one that cannot be compiled, some that fail."""

from fractions import Fraction

from ludus import Game


class Stones(Game):
    """Take one or two of five stones; whoever takes the last one wins."""

    max_moves = 2

    def initial(self):
        return (5,)

    def moves(self, state, out):
        n = min(state[0], 2)
        for i in range(n):
            out[i] = i + 1
        return n

    def play(self, state, move):
        return (state[0] - move,)

    def score(self, state):
        return -1


class Fractions(Stones):
    """A score that Numba cannot compile."""

    def score(self, state):
        return Fraction(-1, 2)


class Ends(Stones):
    """The same with a rule that every walk needs."""

    def moves(self, state, out):
        n = int(min(Fraction(state[0]), 2))  # line of the fault
        for i in range(n):
            out[i] = i + 1
        return n


class Methods(Stones):
    """A rule that calls a method."""

    def most(self):
        return 2

    def moves(self, state, out):
        n = min(state[0], self.most())
        for i in range(n):
            out[i] = i + 1
        return n


class Table(Stones):
    """A rule that uses a dictionary of the object."""

    def __init__(self) -> None:
        self.table = {1: 1, 2: 2}

    def play(self, state, move):
        return (state[0] - self.table[move],)


class Raises(Stones):
    def play(self, state, move):
        if state[0] == 2:
            raise RuntimeError("no stones, please")
        return (state[0] - move,)


class RaisesInMoves(Stones):
    def moves(self, state, out):
        raise RuntimeError("no moves, please")


class RaisesInScore(Stones):
    def score(self, state):
        raise RuntimeError("no score, please")


class RaisesInRender(Stones):
    def render(self, state):
        return {}["picture"]


class RaisesInName(Stones):
    def move_name(self, state, move):
        return {}[move]


class RaisesInParse(Stones):
    def parse_state(self, text):
        return {}[text]


class RaisesInInitial(Stones):
    def initial(self):
        raise RuntimeError("no board, please")


class NoBound(Stones):
    max_moves = None


class Needs(Stones):
    def __init__(self, stones) -> None:
        self.stones = stones


class Positive(Stones):
    def __init__(self, stones: int = 5) -> None:
        if stones < 1:
            raise ValueError("stones must be at least 1")
