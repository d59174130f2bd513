"""Games in which a player may move twice, as beginners write them: they forget `alternates = False`."""

import enum

import numpy as np

from ludus import Game


class Mancala(Game):
    """Kalah without captures, on one tuple of 14 pits; who ends in his store moves again. A state: the pits, 0 or 1."""

    max_moves = 6

    def initial(self):
        return ((3,) * 6 + (0,) + (3,) * 6 + (0,), 0)

    def moves(self, state, out):
        pits, player = state
        if sum(pits[:6]) == 0 or sum(pits[7:13]) == 0:
            return 0
        n = 0
        for i in range(6):
            if pits[7 * player + i] > 0:
                out[n] = i
                n += 1
        return n

    def play(self, state, move):
        pits, player = list(state[0]), state[1]
        pit = 7 * player + move
        seeds, pits[pit] = pits[pit], 0
        while seeds > 0:
            pit = (pit + 1) % 14
            if pit != 7 * (1 - player) + 6:
                pits[pit] += 1
                seeds -= 1
        return (tuple(pits), player if pit == 7 * player + 6 else 1 - player)

    def score(self, state):
        pits, player = state
        return sum(pits[7 * player : 7 * player + 7]) - sum(pits[7 - 7 * player : 14 - 7 * player])


class Rewritten(Mancala):
    """The same rules, on states that look otherwise."""

    def write(self, pits, player):
        raise NotImplementedError

    def read(self, state):
        raise NotImplementedError

    def initial(self):
        return self.write(*super().initial())

    def moves(self, state, out):
        return super().moves(self.read(state), out)

    def play(self, state, move):
        return self.write(*super().play(self.read(state), move))

    def score(self, state):
        return super().score(self.read(state))


class PlusMinus(Rewritten):
    def write(self, pits, player):
        return (1 - 2 * player, pits)

    def read(self, state):
        return state[1], (1 - state[0]) // 2


class Nested(Rewritten):
    """One and two, in a tuple of its own, beside half a point."""

    def write(self, pits, player):
        return (pits, (player + 1, 0.5))

    def read(self, state):
        return state[0], state[1][0] - 1


class InArray(Rewritten):
    """The player in the corner of a board."""

    def write(self, pits, player):
        return (np.array([pits, (0,) * 13 + (player,)]),)

    def read(self, state):
        return tuple(state[0][0].tolist()), int(state[0][1, 13])


class Dictionary(Rewritten):
    def write(self, pits, player):
        return {"pits": list(pits), "to move": "NS"[player]}

    def read(self, state):
        return tuple(state["pits"]), "NS".index(state["to move"])


class Side(enum.Enum):
    NORTH, SOUTH = 0, 1


class Board:
    def __init__(self, pits, side):
        self.pits, self.side = pits, side


class Fields(Rewritten):
    def write(self, pits, player):
        return Board(pits, Side(player))

    def read(self, state):
        return state.pits, state.side.value


class Dots(Game):
    """Dots and Boxes: two rows and two columns of boxes. A state: the edges, the boxes of both, whose turn, 1 or 2."""

    max_moves = 12
    boxes = ((0, 2, 6, 7), (1, 3, 7, 8), (2, 4, 9, 10), (3, 5, 10, 11))

    def initial(self):
        return (np.zeros(12, np.int8), np.zeros(2, np.int8), 1)

    def moves(self, state, out):
        free = [edge for edge in range(12) if state[0][edge] == 0]
        out[: len(free)] = free
        return len(free)

    def play(self, state, move):
        edges, won, player = state[0].copy(), state[1].copy(), state[2]
        edges[move] = 1
        closed = sum(move in box and all(edges[edge] for edge in box) for box in self.boxes)
        won[player - 1] += closed
        return (edges, won, player if closed else 3 - player)

    def score(self, state):
        return state[1][state[2] - 1] - state[1][2 - state[2]]


class Bonus(Game):
    """Count to thirty by ones to sixes; who makes a multiple of five moves again."""

    max_moves = 6

    def initial(self):
        return (0, True)

    def moves(self, state, out):
        for i in range(6):
            out[i] = i + 1
        return 6 if state[0] < 30 else 0

    def play(self, state, move):
        total = state[0] + move
        return (total, state[1] if total % 5 == 0 else not state[1])

    def score(self, state):
        return -1


class Chain(Game):
    """A man jumps on as often as he can, which mostly leaves no choice: after an even number there is one move."""

    max_moves = 3

    def initial(self):
        return (40, 0, False)

    def moves(self, state, out):
        n = min(1 if state[2] else 3, state[0])
        for i in range(n):
            out[i] = i + 1
        return n

    def play(self, state, move):
        left, jumps = state[0] - move, move == 2 and not state[2]
        return (left, state[1] if jumps else 1 - state[1], jumps)

    def score(self, state):
        return -1


class Phases(Game):
    """Place a stone, then turn the board or not: two moves a turn."""

    max_moves = 16

    def initial(self):
        return ((0,) * 16, 1, 0)

    def moves(self, state, out):
        free = [0, 1] if state[2] else [i for i in range(16) if state[0][i] == 0]
        out[: len(free)] = free
        return len(free)

    def play(self, state, move):
        board, player, phase = state
        if phase:
            return (board[::-1] if move else board, 3 - player, 0)
        return ((*board[:move], player, *board[move + 1 :]), player, 1)

    def score(self, state):
        return 1 if (state[0][0] == state[1]) else -1


class TwoStones(Phases):
    """One stone, then two a turn, as in Connect6."""

    def initial(self):
        return ((0,) * 16, 1, 1)

    def moves(self, state, out):
        return super().moves((state[0], state[1], 0), out)

    def play(self, state, move):
        board, player, left = state
        board = (*board[:move], player, *board[move + 1 :])
        return (board, player, 1) if left == 2 else (board, 3 - player, 2)


class Pig(Game):
    """Roll as often as you like, but a one costs the turn's points. A state: points, the turn's, whose, die falls."""

    max_moves = 6

    def initial(self):
        return (0, 0, 0, 0, False)

    def moves(self, state, out):
        if max(state[:2]) >= 20:
            return 0
        n = 6 if state[4] else 2
        for i in range(n):
            out[i] = i + 1
        return n

    def chance(self, state, probabilities):
        if not state[4]:
            return 0
        probabilities[:6] = 1 / 6
        return 6

    def play(self, state, move):
        first, second, total, player, falls = state
        if falls:
            return (first, second, 0, 1 - player, False) if move == 1 else (first, second, total + move, player, False)
        if move == 1:
            return (first, second, total, player, True)
        return (first + total, second, 0, 1, False) if player == 0 else (first, second + total, 0, 0, False)

    def score(self, state):
        return 1 if state[state[3]] >= 20 else -1


# Right: players alternate, or the game says that they do not.


class FixedMancala(Mancala):
    alternates = False

    def mover(self, state):
        return state[1]


class PassesByHand(Rewritten):
    """The author puts in the passes; the player in the state is then who moves really."""

    def write(self, pits, player):
        return (pits, player, False)

    def read(self, state):
        return state[:2]

    def moves(self, state, out):
        n = super().moves(state, out)
        return min(n, 1) if state[2] else n

    def play(self, state, move):
        if state[2]:
            return (state[0], state[1], False)
        after = super().play(state, move)
        return (after[0], after[1], after[1] == state[1])

    def score(self, state):
        return -super().score(state) if state[2] else super().score(state)


class FixedPig(Pig):
    alternates = False

    def mover(self, state):
        return state[3]


class Flags(Game):
    """Take one to three of 40 stones. Flags: whether two were taken, an even number is left, any was taken; the turn.

    The second changes at two thirds of the moves.
    """

    max_moves = 3

    def initial(self):
        return (False, True, 0, 40, 0)

    def moves(self, state, out):
        for i in range(3):
            out[i] = i + 1
        return min(3, state[3])

    def play(self, state, move):
        left = state[3] - move
        return (move == 2, left % 2 == 0, 1, left, 1 - state[4])

    def score(self, state):
        return -1


class RandomFlags(Flags):
    """No turn in the state; the flags change at less than half of the moves, or at just half of them."""

    max_moves = 4

    def initial(self):
        return (False, False, 40)

    def moves(self, state, out):
        for i in range(4):
            out[i] = i + 1
        return min(4, state[2])

    def play(self, state, move):
        return (move == 2, move > 2, state[2] - move)


class NoTurnAtTheEnd(Flags):
    """Who takes the last stone stays the player, and has won."""

    def play(self, state, move):
        after = super().play(state, move)
        return after if after[3] else (*after[:4], state[4])

    def score(self, state):
        return 1
