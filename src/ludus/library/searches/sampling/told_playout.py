"""A playout that a search takes part in: it may choose the moves, and is told of each."""

from __future__ import annotations

from ludus.kernel.chance import drawn_outcome
from ludus.kernel.parts import part
from ludus.kernel.random import below
from ludus.kernel.rules import chance, moves, play, score


@part
def choose_move(search, tree, n, mover):
    """Which of the `n` moves in `tree.reply` is made; `mover` is 0 for the player who begins the playout, else 1."""
    return below(tree.random, n)


def told_playout(search, game, tree, state, n):
    """Play from `state`, whose `n` moves are in `tree.reply`, to the end; the score to the player to move in `state`.

    `register[0].mover` is who would have to move next. After `register[0].longest` plies a game is drawn.
    """
    plies, mover = 0, 0
    while n > 0 and plies < tree.register[0].longest:
        outcomes = chance(game, state, game.probabilities)
        if outcomes > 0:
            chosen = drawn_outcome(tree.random, game.probabilities, outcomes)
        else:
            chosen = choose_move(search, tree, n, mover)
            mover = 1 - mover
        state = play(game, state, tree.reply[chosen])
        n = moves(game, state, tree.reply)
        plies += 1
    tree.register[0].mover = mover
    if n > 0:
        return 0.0
    return score(game, state) if mover == 0 else -score(game, state)
