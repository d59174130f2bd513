"""Proof-number search (Allis, van der Meulen & van den Herik 1994): expand the leaf that matters most to a proof.

One question is asked at a time: is the value above a given score? A tree with two answers is an AND/OR tree. The
*proof number* of a node is the least number of leaves that must be proven for the node to be proven, its *disproof
number* the least number that must be disproven for it to be disproven. Where the player at the root moves (OR) one
proven child suffices, so the proof number is the least of the children's and the disproof number their sum; where the
opponent moves (AND) it is the other way round. A finished game is proven (0, infinite) or disproven (infinite, 0), any
other leaf is 1, 1. The *most-proving node*, found by descending to the least proof number at OR nodes and the least
disproof number at AND nodes, is a leaf that both the cheapest proof and the cheapest disproof need: it is expanded
next.

After an expansion the numbers are renewed from the leaf upward as far as they change, and the next descent begins
there.

Around this lies a search over the values of the game (a binary one, as in Utgoff & Cochran 2001, section 2). The first
question is "can the player win?"; each answer narrows the interval in which the value lies to what the finished games
of the proof show. With `goal=result` there are two questions at most, "a win?" and "a draw?"; with `goal=score` the
question moves away from the last answer by steps that double, and when the value is caught between two scores, to the
middle. The tree stays: for a new question the numbers are worked out anew, in one sweep.

No evaluator is asked; finished games count, by their score. As long as nothing is proven, the move is played whose
proof number is the smallest part of its disproof number.

`depth_first=true` is df-pn (Nagai 2002), in `proof_number_df.py`: the same leaves' numbers, in a table instead of a
tree.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ludus.kernel.columns import integer, number
from ludus.kernel.columns import node as node_index
from ludus.kernel.limits import PAUSED, RUNNING, STOP_SOLVED, TRAVERSED, spent
from ludus.kernel.rules import load, score
from ludus.kernel.table import MOST_MEMORY, Table
from ludus.kernel.tree import children, expand_unjudged
from ludus.library.searches.best_first.driver import BestFirst, follow_best
from ludus.library.searches.best_first.proof_number_df import leave_finished, next_in_depth
from ludus.library.searches.best_first.proof_numbers import begin_numbers, renew_numbers
from ludus.library.searches.questions import further
from ludus.library.searches.solve import MOST_INTERPRETED
from ludus.model.result import Known
from ludus.model.search import RESULT, SCORE

PATIENCE = 100_000
"""Nodes whose numbers are worked out anew in one go before Python may look at the clock."""


class ProofNumber(BestFirst):
    """Proof-number search: expand the leaf that the cheapest proof and disproof both need (Allis et al. 1994)."""

    name = "proof-number"
    interleaved = True
    variants = ("goal=score", "depth_first=true, memory_of_table=0.01")
    registers = {
        "node": "i8",  # where the next descent starts: all above it is as it was; depth first, the node at work
        "question": "i8",  # the number of the question; 0 before the first
        "asked": "f8",  # is the root's value above this?
        "stride": "f8",  # how far the next question goes beyond what is known
        "rising": "i8",  # whether the last answer was yes
        "sweep": "i8",  # the last node whose numbers are still those of the question before; 0: none
    }
    columns = {
        "proof": number(1.0),  # that the root's value is above what is asked
        "disproof": number(1.0),
        "low": number(-np.inf),  # what is proven of the node's score, to the player who moves there
        "high": number(np.inf),
        "best": node_index(),  # the child on the way to the most-proving node
        # Depth first:
        "proof_limit": number(np.inf),  # the node is left when its numbers have grown so far
        "disproof_limit": number(np.inf),
        "entered": integer(),  # nodes generated before it was entered
    }

    def __init__(
        self,
        goal: Literal["result", "score"] = "result",
        depth_first: bool = False,
        memory_of_table: float = 64.0,
    ) -> None:
        """
        goal: only the result, a win 1, a draw 0, a loss -1; or the exact score
        depth_first: df-pn, which keeps its numbers in a table, not in a tree
        memory_of_table: megabytes of that table
        """
        if not 0 < memory_of_table <= MOST_MEMORY:
            raise ValueError(f"memory_of_table must be above 0 and at most {MOST_MEMORY:,.0f} MB")
        self.only_result = goal == "result"
        self.depth_first = depth_first
        self.memory_of_table = memory_of_table
        self.grows_tree = self.proves = not depth_first  # where its table is too small, df-pn may go in circles
        self.value_scale = RESULT if self.only_result else SCORE

    def begin(self, game, tree):
        at = tree.register[0]
        if at.question == 0:
            at.question = 1
            tree.low[0], tree.high[0] = unknown(self)
        return sweep(tree)

    def select(self, game, tree):
        """The most-proving node."""
        if tree.low[0] >= tree.high[0]:
            return np.int64(-STOP_SOLVED)
        node = next_in_depth(game, tree) if self.depth_first else tree.register[0].node
        return follow_best(tree, node)

    def open_leaf(self, game, evaluator, tree, leaf):
        """Finished games alone are judged, by their score."""
        if not expand_unjudged(game, tree, leaf):
            return False
        for child in children(tree, leaf):
            tree.low[child], tree.high[child] = unknown(self)
            if tree.count[child] == 0:
                value = score(game, load(tree.state, child))
                value = np.sign(value) if self.only_result else value
                tree.value[child] = tree.low[child] = tree.high[child] = value
        return True

    def back_up(self, game, tree, limits, leaf):
        if self.depth_first:
            leave_finished(game, tree, leaf)
        else:
            set_ancestors(game, tree, leaf)
        return ask_further(self, game, tree, limits)

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        megabytes = self.memory_of_table if compiled else min(self.memory_of_table, MOST_INTERPRETED)
        table = Table(game.layout, megabytes if self.depth_first else 0.0, compiled, numbers=("proof", "disproof"))
        return {"table": table.record}

    def prepare(self, tree, game, state, limits):
        tree.table.now[0] += 1

    def choice(self, tree):
        """What is proven to be worth most; of equals the one whose proof is nearest compared with its disproof."""

        def merit(child: int) -> tuple[float, float, float]:
            proof, disproof = float(tree.proof[child]), float(tree.disproof[child])
            return float(-tree.high[child]), disproof / (proof + disproof) if proof < np.inf else 0.0, disproof

        return max(range(int(tree.first[0]), int(tree.first[0] + tree.count[0])), key=merit)

    def line(self, tree):
        """To the end of the game if the value is known, else to the most-proving node."""
        node = self.choice(tree)
        found = [int(tree.move[node])]
        while tree.count[node] > 0 and self.grows_tree:
            first, last = int(tree.first[node]), int(tree.first[node] + tree.count[node])
            exact = tree.low[node] >= tree.high[node] or tree.low[0] >= tree.high[0]
            node = min(range(first, last), key=lambda child: tree.high[child]) if exact else int(tree.best[node])
            found.append(int(tree.move[node]))
        return found

    def statistics(self, tree):
        return {
            "questions": int(tree.register[0].question),
            "proof": float(tree.proof[0]),
            "disproof": float(tree.disproof[0]),
        }

    def knowledge(self, tree, node):
        """Bounds, and the numbers of the question at hand. No move is worth more than the position."""
        low, high = 0.0 - float(tree.high[node]), 0.0 - float(tree.low[node])
        if int(tree.parent[node]) == 0:
            high = min(high, float(tree.high[0]) + 0.0)
        numbers = {"proof": float(tree.proof[node]), "disproof": float(tree.disproof[node])}
        if low == high:
            return Known(low, low, high, True, numbers)
        if (low, high) == (-1.0, 1.0) and self.only_result:
            return Known(more=numbers)
        if np.isfinite(low) and np.isfinite(high):
            return Known(low=low, high=high, more=numbers)
        return Known(low if np.isfinite(low) else high if np.isfinite(high) else np.nan, low, high, more=numbers)


def unknown(search):
    """The bounds of a score of which nothing is known."""
    return (-1.0, 1.0) if search.only_result else (-np.inf, np.inf)


def set_ancestors(game, tree, leaf):
    """Allis's UpdateAncestors: numbers and bounds from the new children of `leaf` upward, as far as they change."""
    game.meter[TRAVERSED] += 2 * tree.path[leaf] + tree.count[leaf]  # a descent to the leaf, and the way back
    for child in children(tree, leaf):
        begin_numbers(tree, child)
    node = leaf
    while renew_numbers(tree, node) and node > 0:
        node = tree.parent[node]
    tree.register[0].node = node


# The questions.


def ask_further(search, game, tree, limits):
    """If the question is answered, ask the next one. RUNNING, or why not."""
    at = tree.register[0]
    if (tree.proof[0] > 0.0 and tree.disproof[0] > 0.0) or tree.low[0] >= tree.high[0]:
        return RUNNING
    status = spent(game.meter, limits, False)
    if status != RUNNING and status != PAUSED:
        return status
    yes = tree.proof[0] == 0.0
    at.stride = 2.0 * at.stride + 1.0 if yes == (at.rising == 1) else 0.0
    at.rising = 1 if yes else 0
    at.asked = further(tree.low[0], tree.high[0], at.stride, yes)
    at.question += 1
    at.node = 0
    at.sweep = tree.size[0] - 1
    game.meter[TRAVERSED] += at.sweep
    return sweep(tree)


def sweep(tree):
    """Work out the numbers of all nodes anew, children before their parents. PAUSED if that is not done yet."""
    at = tree.register[0]
    if at.sweep == 0:
        return RUNNING
    last = max(at.sweep - PATIENCE, 0)
    for node in range(at.sweep, last, -1):
        if tree.count[node] > 0:
            renew_numbers(tree, node)
        else:
            begin_numbers(tree, node)
    at.sweep = last
    if last > 0:
        return PAUSED
    renew_numbers(tree, np.int64(0))
    return RUNNING
