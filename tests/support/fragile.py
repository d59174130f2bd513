"""A game whose rules fail where few games lead; evaluators and searches that make rules fail; games without end."""

from ludus import Evaluator, Game, Search
from ludus.kernel.limits import STOP_NODES
from ludus.kernel.rules import load, play
from ludus.kernel.tree import expand


def is_rare(state):
    """In one position of a hundred and fifty, towards the end."""
    return state[0] < 12 and state[1] % 151 == 5


class Sound(Game):
    """Forty stones; take one to three; what was taken is kept, scrambled."""

    max_moves = 3
    evaluator = "zero"

    def initial(self):
        return (40, 0)

    def moves(self, state, out):
        n = min(3, state[0])
        for i in range(n):
            out[i] = i + 1
        return n

    def play(self, state, move):
        if move < 1 or move > 3:
            raise KeyError("no such move")
        return (state[0] - move, (3 * state[1] + move) % 1009)

    def score(self, state):
        return -1


class Fragile(Sound):
    """The same, but the rules fail in some rare positions."""

    def play(self, state, move):
        if is_rare(state):
            raise ValueError("how rare")
        return (state[0] - move, (3 * state[1] + move) % 1009)


class Small(Sound):
    """It has more moves than it says, but not at once."""

    def moves(self, state, out):
        n = 4 if is_rare(state) else min(3, state[0])
        for i in range(n):
            out[i] = i + 1
        return n


class AtOnce(Sound):
    """No move can be played at all."""

    def play(self, state, move):
        raise ValueError("not even one")


class Fails(Evaluator):
    """An evaluator that fails in the same positions."""

    def evaluate(self, game, state):
        if is_rare(state):
            raise ValueError("no opinion")
        return 0.0


class Asks(Evaluator):
    """An evaluator that asks there for a move that is not legal."""

    def evaluate(self, game, state):
        if is_rare(state):
            play(game, state, 9)
        return 0.0


class Looks(Evaluator):
    """An evaluator that looks one legal move ahead."""

    def evaluate(self, game, state):
        play(game, state, 1)
        return 0.0


class Tries(Search):
    """A search that asks there for a move that is not legal."""

    def step(self, game, evaluator, tree, limits):
        expand(game, evaluator, tree, 0)
        if is_rare(load(tree.state, 0)):
            play(game, load(tree.state, 0), 9)
        return STOP_NODES


class Shuffle(Game):
    """Zero or one; whoever says one loses, and nobody has to."""

    max_moves = 2
    evaluator = "zero"

    def initial(self):
        return (0, 0)

    def moves(self, state, out):
        out[0], out[1] = 0, 1
        return 2 - 2 * state[0]

    def play(self, state, move):
        return (int(move), 1 - state[1])

    def score(self, state):
        return 1


class Whirl(Game):
    """Once one was said, chance goes on for ever."""

    max_moves = 2
    evaluator = "zero"

    def initial(self):
        return (0,)

    def moves(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def play(self, state, move):
        return (state[0] | int(move),)

    def chance(self, state, probabilities):
        probabilities[0] = probabilities[1] = 0.5
        return 2 * state[0]

    def score(self, state):
        return 0


class Wordy(Sound):
    """The score cannot be compiled."""

    def __init__(self):
        self.words = {"lost": -1, "most": 3}

    def score(self, state):
        return self.words["lost"]


class Wordier(Wordy):
    """Nor can the moves."""

    def moves(self, state, out):
        n = min(self.words["most"], state[0])
        for i in range(n):
            out[i] = i + 1
        return n
