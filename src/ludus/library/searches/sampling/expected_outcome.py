"""The exact expected outcome (Abramson 1987, section 4): every game that can be played is played once, and weighed.

The expected outcome of a position is the mean payoff of random play from there on. A way to play the game is as likely
as one over the product of the numbers of moves on the way to its end: not all ends are alike (Figure 4 of the thesis).
So the tree below each move is walked to all its ends, depth first, and each end counts with its probability. That is
exact, but only a small game, or the end of a larger one, can be walked whole. What the sampler estimates is this.

The tree is used as a stack: below each node on the path from the root lie its children, the deepest on top. A move is
known when all below it has been walked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ludus.kernel.columns import integer, number
from ludus.kernel.limits import DEPTH, NEEDS_NODES, RUNNING, STOP_DEPTH, STOP_EXHAUSTED, TRAVERSED, spent
from ludus.kernel.playout import Payoff, count_game, counting, estimate
from ludus.kernel.rules import Contradiction, chance, load, over, score
from ludus.kernel.tree import UNOPENED, generate, open_node
from ludus.library.searches.sampling.flat import Flat, open_root


class ExpectedOutcome(Flat):
    """The move with the best expected outcome under random play, exact: all games are played (Abramson 1987)."""

    name = "expected-outcome"
    variants = ("draws=ignored", "payoff=score")
    registers = {
        "node": "i8",  # the node whose children are being walked
        "ply": "i8",  # its distance from the root
        "move": "i8",  # the root's child above it
        "unfinished": "i8",  # how many unfinished games were counted as drawn, because of a limit on depth
    }
    columns = {
        "next": integer(),  # the next child to walk
        "weight": number(1.0),  # the probability of coming here by random play after the root's move
        "sense": number(1.0),  # 1 if the player to move is the one who moves next after the root's move, else -1
    }

    def __init__(self, draws: Literal["half", "ignored"] = "half", payoff: Payoff = "result") -> None:
        """
        draws: count as `half` a win or are `ignored`: then the value is that of wins / (wins + losses)
        payoff: the `result` of a game, won, drawn or lost; or its `score`
        """
        self._set(counting(draws, payoff))

    def step(self, game, evaluator, tree, limits):
        at = tree.register[0]
        while True:
            node = at.node
            unopened = tree.count[node] == UNOPENED
            if unopened or tree.next[node] < tree.first[node] + tree.count[node]:
                status = spent(game.meter, limits, tree.count[0] == UNOPENED)
                if status != RUNNING:
                    return status
            if unopened:
                if not begin_node(game, tree, node):
                    return NEEDS_NODES
            elif tree.next[node] < tree.first[node] + tree.count[node]:
                visit(self, game, tree, node, limits[DEPTH])
            elif node > 0:
                leave(game, tree, node)
            else:
                return STOP_DEPTH if at.unfinished > 0 else STOP_EXHAUSTED

    def knowledge(self, tree, node):
        known = super().knowledge(tree, node)
        return replace(known, more={"games": known.more["playouts"]})


def begin_node(game, tree, node):
    """List the moves of `node`, or what chance may bring, with their probabilities; False if there is no room."""
    if node == 0:
        if not open_root(game, tree):
            return False
    elif not open_node(game, tree, node):
        return False
    elif tree.count[node] == 0:
        raise Contradiction  # `over` said that there are moves
    tree.next[node] = tree.first[node]
    outcomes = chance(game, load(tree.state, node), game.probabilities)
    for i in range(tree.count[node]):
        child = tree.first[node] + i
        share = game.probabilities[i] if outcomes > 0 else 1.0 / tree.count[node]
        tree.weight[child] = tree.weight[node] * share if node > 0 else 1.0
        tree.sense[child] = tree.sense[node] if outcomes > 0 or node == 0 else -tree.sense[node]
    return True


def visit(search, game, tree, node, depth):
    """Generate the next child of `node`. If the game is over there, count it; else its children come next."""
    at, child = tree.register[0], tree.next[node]
    tree.next[node] += 1
    if tree.weight[child] == 0.0:
        return  # chance never brings it
    game.meter[TRAVERSED] += 1
    if node == 0:
        at.move = child
    state = generate(game, tree, load(tree.state, node), child)
    if over(game, state):
        tree.count[child] = 0
        count_game(search, tree.tally, at.move, tree.sense[child] * score(game, state), tree.weight[child])
    elif at.ply + 1 == depth:
        at.unfinished += 1
        count_game(search, tree.tally, at.move, 0.0, tree.weight[child])
    else:
        at.node = child
        at.ply += 1
        return
    if node == 0:
        tree.value[child] = estimate(tree.tally, child)


def leave(game, tree, node):
    """All below `node` has been walked: forget its children, and go back to its parent."""
    at = tree.register[0]
    game.meter[TRAVERSED] += 1
    tree.size[0] = tree.first[node]
    tree.count[node] = UNOPENED
    at.node = tree.parent[node]
    at.ply -= 1
    if at.node == 0:
        tree.value[node] = estimate(tree.tally, node)
