"""UCT: Monte Carlo tree search with UCB1 (Kocsis & Szepesvári 2006; Coulom 2006).

Descend from the root to a leaf, at each node to the child of greatest urgency: its mean result so far plus a bonus
c sqrt(ln N / n) that is the larger the less often it was visited, n times of its parent's N (UCB1, Auer, Cesa-Bianchi &
Fischer 2002). At the leaf complete the game at random, and count the result, won 1, drawn 0 or lost -1, at every node
of the path. A leaf is opened when it is visited a second time: its moves are listed, and one of them is played. In the
end the move visited most is chosen.

Options: an evaluator's opinion of the leaf instead of a playout, or mixed with it; its opinion of new nodes as a prior,
worth a number of visits (Gelly & Silver 2007); first-play urgency (Gelly & Wang 2006). An opinion v is squashed to
tanh(v / scale).

The solver is MCTS-Solver (Winands, Björnsson & Saito 2008) with the bounds of Cazenave & Saffidine 2010, so that draws
are proven too: each node has the least and the greatest result that is still possible. A finished game has both alike,
and they are backed up as in minimax; where they meet, the node is proven. A child that cannot change the bounds of its
parent is not visited again, and once the root is proven the search ends.

Where chance decides, the descent follows an outcome drawn by its probability; the value is the mean over the visits.

With `threads` several of them share the tree (Chaslot, Winands & van den Herik 2008: tree parallelisation with a global
mutex and virtual loss). All that a visit does in the tree it does in one turn, between `begin_turn` and `end_turn`: it
counts what the last visit found, descends, and counts the next visit as lost all the way. Only the playout, or the
question to the evaluator, is made outside: it needs the state of the leaf, which nobody writes again, and writes to
what is the thread's own. So the tree is never seen half written, no result gets lost, and what is proven is proven. A
lost visit becomes what it found when it is counted; when the search ends, none is left.

Further options: in `uct_guides.py` implicit minimax backups, proof numbers, and stopping when the best move is known;
in `uct_amaf.py` RAVE and GRAVE.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ludus.kernel.columns import integer, number
from ludus.kernel.limits import (
    DEEPEN,
    DEPTH,
    NEEDS_NODES,
    NODES,
    RUNNING,
    STOP_DEPTH,
    STOP_EXHAUSTED,
    STOP_SOLVED,
    STOP_SURE,
    WAITING,
    spent,
)
from ludus.kernel.lock import OPEN, closed_by_me, open_again
from ludus.kernel.playout import longest_playout, playout
from ludus.kernel.tree import UNOPENED
from ludus.library.searches.sampling.uct_amaf import (
    amaf_memory,
    amaf_urgency,
    count_in_amaf,
    find_reference,
    recorded_playout,
    with_amaf,
)
from ludus.library.searches.sampling.uct_backup import count_as_lost
from ludus.library.searches.sampling.uct_guides import (
    begin_guides,
    best_identified,
    greatest_number,
    guided_value,
    known_guides,
    note_guides,
    renew_guides,
    root_contender,
)
from ludus.library.searches.sampling.uct_steps import (
    WEIGHT,
    begin_turn,
    begin_visit,
    count_found,
    descend,
    end_turn,
    judge,
    meet,
    most_urgent,
    open_leaf,
    sure,
)
from ludus.library.searches.shared_answers import check_threads
from ludus.model.result import Known
from ludus.model.search import RESULT, Search

PATIENCE = 10_000
"""Nothing is left to learn after this many visits that generate nothing. In all there are no more of them than
the budget has nodes: where chance decides, ever fewer visits find what is left of a small tree."""

MOST_GRAVE = 10**9


class Uct(Search):
    """Monte Carlo tree search with UCB1, and a solver for proven results (Kocsis & Szepesvári 2006; Winands 2008)."""

    name = "uct"
    family = "sampling"
    contender = True
    grows_tree = True
    plays_out = True
    handles_chance = True
    proves = True
    value_scale = RESULT
    variants = (
        "solver=false",
        "leaf=playout",
        "leaf=eval",
        "leaf=mix, weight=0.3",
        "prior=2.0",
        "fpu=0.5, c=0.7",
        "leaf=eval, scale=3.0",
        "reuse=true",
        "implicit=0.3, proof_numbers=0.5",
        "confidence=0.6, leaf=playout",
        "rave=20.0, leaf=playout",
        "rave=20.0, grave=5",
        "threads=2",
    )
    shares_tree = True
    registers = {
        "node": "i8",  # how far the descent has come, and its distance from the root
        "ply": "i8",
        "leaf": "i8",  # the leaf that is being visited, 0: none; what it is worth, and what the evaluator says
        "found": "f8",
        "opinion": "f8",
        "turn": "i8",  # decisions of players from the root to where the descent is, and to the end of the game
        "made": "i8",
        "reference": "i8",  # the node whose statistics GRAVE takes
        "lost": "f8",  # 1 if the visit has been counted as lost already
        "moves": "i8",  # how many moves there are at the leaf
        "before": "i8",  # nodes that were generated before the visit
        "idle": "i8",  # how many visits in a row have generated nothing, and how many in all
        "barren": "i8",
        "longest": "i8",  # plies of a playout
    }
    columns = {
        "visits": number(),  # those of the prior included
        "total": number(),  # the sum of the results, to the player to move here; `value` is their mean
        "rarity": number(),  # 1 / sqrt(visits)
        "low": number(-1, "i1"),  # the least result that is possible
        "high": number(1, "i1"),  # the greatest
        "outcomes": integer(),  # of an open node: how many outcomes chance has there, 0 where a player decides
        "implicit": number(),  # where `implicit` or `proof_numbers` is set: the implicit minimax value
        "to_win": number(1.0),  # ... and leaves to be won for a proof
        "to_lose": number(1.0),  # ... and leaves to be lost for a proof
        "amaf_games": number(),  # where `rave` is set: the games in which the move was made here or later
        "amaf_total": number(),  # ... and the sum of their results
    }

    def __init__(
        self,
        c: float = 1.0,
        leaf: Literal["auto", "playout", "eval", "mix"] = "auto",
        weight: float = 0.5,
        scale: float = 0.0,
        fpu: float = 1000.0,
        prior: float = 0.0,
        solver: bool = True,
        reuse: bool = False,
        implicit: float = 0.0,
        proof_numbers: float = 0.0,
        confidence: float = 0.0,
        rave: float = 0.0,
        grave: int = 0,
        threads: int = 1,
    ) -> None:
        """
        c: how much UCB1 explores; results are from -1 to 1
        leaf: what a leaf is worth: the result of a `playout`, the evaluator's opinion (`eval`), or a `mix` of both;
            `auto` asks an evaluator that knows something of the game, and plays out if there is none
        weight: of the opinion in a mix, from 0 to 1
        scale: the opinion that counts as tanh(1) = 0.76 of a win; 0: the root mean square of the opinions so far
        fpu: the urgency of a move that was never tried; the default has each tried once before any is tried again
        prior: how many visits the evaluator's opinion of a new node counts for; 0: nodes are not evaluated when made
        solver: prove wins, draws and losses
        reuse: keep the tree below the position that comes up two plies later
        implicit: the share of the minimax value of the evaluator's opinions in what the descent believes; 0: none
        proof_numbers: the bonus for the move that is easiest to prove a win; 0: none
        confidence: stop when the best move is identified at this level, and choose the root's moves to that end; 0: not
        rave: after this many visits a move's own results count as much as those of games in which it was made later; 0:
            the latter do not count
        grave: a node that was visited less often takes the latter from an ancestor that was not; 0: each has its own
        threads: the number of threads, which share one tree; not the same nodes each time
        """
        if not 0 <= c < math.inf:
            raise ValueError("c must be 0 or above")
        if not 0 <= weight <= 1:
            raise ValueError("weight must be from 0 to 1")
        if not 0 <= scale < math.inf:
            raise ValueError("scale must be above 0, or 0 to have it measured")
        if not 0 <= prior < math.inf:
            raise ValueError("prior must be 0 (none) or above")
        if not 0 <= implicit <= 1 or not 0 <= proof_numbers < math.inf:
            raise ValueError("implicit must be from 0 (none) to 1, and proof_numbers 0 (none) or above")
        if not 0 <= confidence < 1 or (confidence > 0 and prior > 0):
            raise ValueError("confidence must be below 1, or 0 for none, and prior 0 with it: an opinion is no sample")
        if not 0 <= rave < math.inf or not 0 <= grave <= MOST_GRAVE or (grave > 0 and rave == 0):
            raise ValueError("rave must be 0 (none) or above, and grave, which needs rave, a number of visits")
        check_threads(threads)
        if threads > 1 and confidence > 0:
            raise ValueError("threads count a visit before it has a result: confidence needs threads=1")
        self.c, self.scale, self.fpu, self.prior = c, scale, fpu, prior
        self.leaf, self.weight = leaf, weight
        self.solver, self.reuse = solver, reuse
        self.implicit, self.proof_numbers, self.confidence = implicit, proof_numbers, confidence
        self.rave, self.grave = rave, grave
        self.threads, self.repeats = threads, threads == 1
        self.proves = solver and confidence == 0
        self.looks_ahead = confidence == 0  # or it may be content with less

    def step(self, game, evaluator, tree, limits):
        while True:
            if not begin_turn(self, tree):
                return WAITING
            status = next_leaf(self, game, evaluator, tree, limits)
            end_turn(self, tree)
            if status != RUNNING:
                return status
            judge(self, game, evaluator, tree)

    # The parts, for the options; with these off they do what is written there, and are not compiled.

    def guide(self, tree, node):
        if self.grave > 0:
            find_reference(self, tree, node)
        return greatest_number(self, tree, node)

    def believed(self, tree, child, guide):
        value = tree.value[child]
        if self.implicit > 0.0 or self.proof_numbers > 0.0:
            value = guided_value(self, tree, child, guide)
        return with_amaf(self, tree, child, value) if self.rave > 0.0 else value

    def untried(self, tree, child, explore):
        return amaf_urgency(self, tree, child, explore) if self.rave > 0.0 else self.fpu

    def begin(self, tree, child):
        if self.implicit > 0.0 or self.proof_numbers > 0.0:
            begin_guides(tree, child)
        if self.rave > 0.0 and self.grave == 0:
            tree.amaf_games[child] = tree.amaf_total[child] = 0.0

    def note(self, tree, node, value, finished):
        if self.implicit > 0.0 or self.proof_numbers > 0.0:
            note_guides(tree, node, value, finished)

    def renew(self, game, tree, node):
        if self.implicit > 0.0 or self.proof_numbers > 0.0:
            renew_guides(game, tree, node)

    def play_out(self, game, state, tree):
        at = tree.register[0]
        if self.rave > 0.0:
            return recorded_playout(game, state, tree)
        return playout(game, state, at.moves, tree.reply, tree.random, at.longest)

    def count_game(self, game, tree):
        if self.rave > 0.0:
            count_in_amaf(self, game, tree)

    def pick(self, tree, node):
        return root_contender(self, tree) if node == 0 and self.confidence > 0.0 else most_urgent(self, tree, node)

    def sure(self, tree):
        return self.confidence > 0.0 and best_identified(self, tree)

    def begin_turn(self, tree):
        return self.threads == 1 or closed_by_me(tree.lock)

    def end_turn(self, tree):
        if self.threads > 1:
            open_again(tree.lock)

    def begin_visit(self, tree, leaf):
        if self.threads > 1:
            count_as_lost(tree, leaf)
            tree.register[0].lost = 1.0

    # What follows runs in Python only.

    def unused_parts(self, game):
        guided, amaf = self.implicit > 0 or self.proof_numbers > 0, self.rave > 0
        used = {
            "guide believed begin": guided or amaf,
            "note renew": guided,
            "untried play_out count_game": amaf,
            "pick sure": self.confidence > 0,
            "begin_turn end_turn begin_visit": self.threads > 1,
        }
        return tuple(getattr(Uct, part) for parts, use in used.items() if not use for part in parts.split())

    def unused_columns(self, game):
        guides = () if self.implicit > 0 or self.proof_numbers > 0 else ("implicit", "to_win", "to_lose")
        return guides if self.rave > 0 and self.grave == 0 else (*guides, "amaf_games", "amaf_total")

    def extras(self, game, evaluator, compiled):
        weights = {"playout": 0.0, "eval": 1.0, "mix": self.weight, "auto": float(evaluator.judges)}
        own = {"opinions": np.array([0.0, 0.0, weights[self.leaf]]), "lock": np.array([OPEN])}
        return own | amaf_memory(self, game, compiled)

    def extras_of_member(self, extras, number):
        own = {name: extras[name].copy() for name in ("opinions", "trail", "seat")}
        return extras | own | {"thread": np.array([number])}

    def prepare(self, tree, game, state, limits):
        if tree.thread[0] == 0:
            tree.lock[0] = OPEN  # a run that failed may have left it closed
            tree.searches[0] += 1
        tree.register[0].longest = longest_playout(game)
        if tree.size[0] == 1:  # nothing was kept
            tree.opinions[:WEIGHT] = 0.0

    def choice(self, tree):
        return preferred(tree, 0, by_value=self.confidence > 0)

    def line(self, tree):
        node = self.choice(tree)
        found = [int(tree.move[node])]
        while tree.count[node] > 0 and tree.outcomes[node] == 0:
            node = preferred(tree, node)
            if np.isnan(tree.value[node]):
                break
            found.append(int(tree.move[node]))
        return found

    def knowledge(self, tree, node):
        """Values and bounds of a chance node's outcomes are to the player who moves next, like the node's own."""
        sense = 1 if int(tree.outcomes[int(tree.parent[node])]) > 0 else -1
        low, high = sorted((float(sense * tree.low[node]), float(sense * tree.high[node])))
        visits = round(tree.visits[node] - self.prior) if tree.visits[node] > 0 else 0
        more = {"visits": visits} | known_guides(self, tree, node, sense)
        return Known(0.0 + sense * float(tree.value[node]), low, high, low == high, more)


def next_leaf(search, game, evaluator, tree, limits):
    """Count what the last visit found, and descend to the next leaf to `judge`: RUNNING; or why there is none."""
    at = tree.register[0]
    while True:
        if at.leaf > 0:
            count_found(search, game, tree)
        if tree.low[0] == tree.high[0]:
            return STOP_SOLVED
        if at.idle >= PATIENCE or at.barren >= limits[NODES]:
            return STOP_EXHAUSTED
        if sure(search, tree):
            return STOP_SURE
        status = spent(game.meter, limits, tree.count[0] == UNOPENED)
        if status != RUNNING:
            return status
        leaf = descend(search, game, tree)
        if tree.count[leaf] == UNOPENED and (leaf == 0 or tree.visits[leaf] > search.prior):
            if leaf == 0 or at.ply < limits[DEPTH]:
                if not open_leaf(search, game, evaluator, tree, leaf):
                    return NEEDS_NODES
                continue
            if limits[DEEPEN] == 0:
                return STOP_DEPTH
        if meet(search, game, evaluator, tree, leaf):
            begin_visit(search, tree, leaf)
            return RUNNING


def preferred(tree, node, by_value=False):
    """The child to play at `node`: the one visited most, unless another is proven to be as good as it looks.

    So a proven win comes first, and a proven loss only where all are. Of those visited equally often the better one.
    With `by_value` the better ones come first, whatever their visits.
    """
    children = range(int(tree.first[node]), int(tree.first[node] + tree.count[node]))

    def most_visited(candidates):
        tried = [child for child in candidates if tree.visits[child] > 0] if by_value else []
        if tried:
            return max(tried, key=lambda child: (-tree.value[child], tree.visits[child]))
        return max(candidates, key=lambda child: (tree.visits[child], -tree.value[child]))

    safe = max(-tree.high[child] for child in children)
    safest = most_visited([child for child in children if -tree.high[child] == safe])
    hopeful = [child for child in children if -tree.low[child] > safe]
    if not hopeful:
        return safest
    favourite = most_visited(hopeful)
    return favourite if -tree.high[favourite] == safe or -tree.value[favourite] > safe else safest
