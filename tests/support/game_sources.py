"""The text of a game that tests write to files."""

COUNT = '''
from ludus import Game

class Count(Game):
    """Take one or two; whoever takes the last wins."""
    max_moves = 2
    def initial(self):
        return (STONES,)
    def moves(self, state, out):
        out[0], out[1] = 1, 2
        return min(2, state[0])
    def play(self, state, move):
        return (state[0] - move,)
    def score(self, state):
        return -1
'''


def count(stones: int, more: str = "") -> str:
    """That game with so many stones, and with `more` members."""
    return COUNT.replace("STONES", str(stones)) + more
