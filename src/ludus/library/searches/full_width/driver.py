"""The loop that all full-width searches share: a depth-first walk with a stack, a window and iterative deepening.

The tree is used as a stack: below each node on the path from the root to the node at work lie its children, the deepest
on top. A node is *entered* with a window (alpha, beta) and a number of plies *left*; its moves are listed and arranged;
its children are visited one after another, each valued (at the horizon, at the end of the game, or because its value
is known) or entered in turn; then it is *left*, and its value taken by its parent.

**The window's promise** (fail-soft). When a node that was entered with (alpha, beta) is left, `backed` is
- the value of the tree searched below it, if alpha < backed < beta;
- an upper bound of that value, if backed <= alpha;
- a lower bound, if backed >= beta.
At the root, where the window is open unless the search narrows it, the value is exact.

Under a budget of `depth` alone the whole depth is searched at once. Under any other the depth is increased by one as
often as the budget allows. Each iteration tries the best move of the last one first, and counts as soon as that move
is done; the root's children are generated once. Where chance decides, values are averaged (`outcomes.py`).

The steps are in `walk.py`, the order of moves is in `order.py`, and what a search may replace in `parts.py`: with the
parts as they stand there the search is plain minimax.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ludus.kernel.columns import integer, number
from ludus.kernel.columns import node as node_index
from ludus.kernel.limits import DEEPEN, DEPTH, NEEDS_NODES, RUNNING, STOP_DEPTH, spent
from ludus.kernel.rules import chance, load
from ludus.kernel.tree import UNOPENED
from ludus.library.searches.full_width.order import as_listed, next_child
from ludus.library.searches.full_width.outcomes import begin_outcomes
from ludus.library.searches.full_width.parts import all_finished, another_pass, trial
from ludus.library.searches.full_width.walk import LOWER, UPPER, begin_node, begin_pass, leave, visit
from ludus.model.evaluator import WIN
from ludus.model.result import Known, Share
from ludus.model.search import Search

Ties = Literal["first", "random"]
"""Which of the root's moves is played if several have the best value: the first that the rules list, or any."""


class FullWidth(Search):
    """The driver of the full-width searches."""

    family = "full-width"
    handles_chance = True
    walks = True
    registers = {
        "node": "i8",  # the node whose children are being searched
        "ply": "i8",  # its distance from the root
        "horizon": "i8",  # the depth of this iteration; 0 before the first
        "chosen": "i8",  # the root's child to play; 0 before there is one
        "length": "i8",  # the length of the line that goes with it
        "passes": "i8",  # how often the root was searched in this iteration
        "cutoffs": "i8",  # nodes left early, because one move was too good for the opponent to allow
        "first_cutoffs": "i8",  # ... the first that was tried
        "hits": "i8",  # nodes that were known when they were entered
        "researches": "i8",  # nodes, or passes over the root, that were searched once more
    }
    columns = {
        "left": integer(),  # plies to the horizon
        "alpha": number(),  # the window's lower end, raised by what is found
        "beta": number(),  # the window's upper end
        "floor": number(),  # alpha as it was when the node was entered
        "backed": number(),  # the best value found so far
        "best": node_index(),  # the child that gave it
        "cut": integer(),  # whether an unfinished game was evaluated below: if not, the value is final
        "length": integer(),  # the length of its principal line
        "next": integer(),  # the next child to try, where they are tried as the rules list them; else -1
        "order": number(),  # how early its parent tries it, where they are not; DONE once it was tried
        "ready": integer(),  # 0: its state has not been generated; 1: it has; 2: and `static` is known
        "static": number(),  # the evaluator's opinion of the node, where somebody has asked, or a finished game's value
        "outcomes": integer(),  # how many outcomes chance has there; 0 where a player decides
        "share": number(),  # of an outcome: its probability
        "least": number(),  # of an outcome: what it is worth at least
        "settled": integer(),  # ... and whether a probe has found what it is worth
        "total": number(),  # where chance decides: what the outcomes so far add to the average
        "probing": integer(),  # ... and whether of each outcome only one move is searched
        "rank": integer(),  # at the root's children: which of two equals comes first
        "searched": integer(),  # at the root's children: the depth of the iteration that gave `value`
        "bound": integer(),  # ... and whether that is EXACT, LOWER or UPPER
        "proven": integer(),  # ... and whether it is exact and comes from finished games alone
    }

    def __init__(self, ties: Ties = "first", free_forced: bool = False) -> None:
        """
        ties: of the moves with the best value the one that is tried first is played: those that nothing else puts in
            order are tried as the rules list them (`first`), or shuffled by the seed (`random`)
        free_forced: where there is only one move, it costs no depth
        """
        self.ties, self.free_forced = ties, free_forced
        self.shuffles = ties == "random"
        self.exact = type(self).exact and not free_forced
        self.keeps_depth = not free_forced

    def step(self, game, evaluator, tree, limits):
        at = tree.register[0]
        if at.horizon == 0:
            at.horizon = 1 if limits[DEEPEN] else limits[DEPTH]
            begin_pass(self, tree)
        while True:
            node = at.node
            unopened = tree.count[node] == UNOPENED
            tried = 0 if unopened else trial(self, game, evaluator, tree, node)
            child = np.int64(-1) if unopened or tried > 0 else next_child(tree, node)
            if unopened or tried > 0 or child >= 0:
                status = spent(game.meter, limits, at.horizon == 1 and at.passes == 1)
                if status != RUNNING:
                    return status
            if unopened:
                if not begin_node(self, game, evaluator, tree, node):
                    return NEEDS_NODES
            elif tried > 0 and tree.size[0] == tree.parent.size:
                return NEEDS_NODES
            elif tried > 0 or child >= 0:
                visit(self, game, evaluator, tree, node, child, tried)
            elif node != 0:
                leave(self, game, evaluator, tree, node)
            elif another_pass(self, tree):
                at.researches += 1
                begin_pass(self, tree)
            elif tree.cut[0] == 0:
                return all_finished(self, tree)
            elif at.horizon >= limits[DEPTH]:
                return STOP_DEPTH
            else:
                at.horizon += 1
                at.passes = 0
                begin_pass(self, tree)

    def begin_chance(self, game, evaluator, tree, node):
        outcomes = chance(game, load(tree.state, node), game.probabilities)
        if outcomes > 0:
            as_listed(tree, node)
            begin_outcomes(self, game, evaluator, tree, node)
        return outcomes

    def outcomes_at(self, tree, node):
        return tree.outcomes[node]

    # What follows runs in Python only.

    def unused_parts(self, game):
        return () if game.has_chance else (FullWidth.begin_chance, FullWidth.outcomes_at)

    def choice(self, tree):
        """The best move of the last iteration of which anything is known.

        Where an iteration that is not finished has shown that move to be lost, the best of those that it has not come
        to is chosen, unless they were lost before.
        """
        at = tree.register[0]
        chosen = int(at.chosen)
        if chosen == 0:
            return super().choice(tree)
        if tree.value[chosen] >= WIN:
            horizon = int(at.horizon)
            first, count = int(tree.first[0]), int(tree.count[0])
            open_ones = [child for child in range(first, first + count) if tree.searched[child] < horizon]
            best = min(open_ones, key=lambda child: tree.value[child], default=chosen)
            return best if tree.value[best] < WIN else chosen
        return chosen

    def line(self, tree):
        at = tree.register[0]
        line = [int(move) for move in tree.line[0, : int(at.length)]]
        chosen = self.choice(tree)
        return line if line and chosen == int(at.chosen) else [int(tree.move[chosen])]

    def knowledge(self, tree, node):
        value = 0.0 - float(tree.value[node])
        if np.isnan(value):
            return Known(more={"depth": None})
        bound = int(tree.bound[node])
        # A lower bound on the value of the child is an upper bound on that of the move.
        low, high = (-np.inf if bound == LOWER else value), (np.inf if bound == UPPER else value)
        return Known(value, low, high, bool(tree.proven[node]), {"depth": int(tree.searched[node])})

    def next_visit(self, session, node):
        tree = session.tree.record
        if trial(self, session.game, session.evaluator, tree, node) > 0:
            return int(tree.size[0])
        return int(next_child(tree, node))

    def statistics(self, tree):
        """How deep the last iteration went of which anything counts, and what is above 0 of the rest."""
        at = tree.register[0]
        found = {"depth": depth_reached(tree), "cut-offs": int(at.cutoffs)}
        if at.cutoffs > 0:
            found["by the first move"] = Share(at.first_cutoffs / at.cutoffs)
        found |= {"table hits": int(at.hits), "researches": int(at.researches)}
        return {name: number for name, number in found.items() if number}


def depth_reached(tree):
    """The deepest iteration that has given one of the root's moves its value; one that is begun may give none."""
    children = range(int(tree.first[0]), int(tree.first[0] + tree.count[0]))
    return max((int(tree.searched[child]) for child in children if not np.isnan(tree.value[child])), default=0)
