"""Decision quality: how often an evaluator's choice is not a best one, over a complete tree (Abramson 1987, 5.2.1).

Every unfinished position of the tree is a decision. Minimax over the whole tree knows which moves are right; the
evaluator chooses by the values of the positions after the moves or, with lookahead, by minimax a number of plies beyond
them. It errs if the chosen move is worth less than the best. An error was possible where the worst move is worth less
than the best.

What counts is a convention, and it matters: which of equal choices is made (`ties`), whether a decision counts whose
best move ends the game (`leaves`), what a draw is worth (`draws`), and whether a forced pass is a decision (`passes`).

One walk, depth first, counts the choices at every lookahead and for every way to settle ties: of the path to the
present node it keeps what has been learnt from the children so far, and of all other nodes nothing.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ludus.common.errors import unknown
from ludus.kernel.columns import integer
from ludus.kernel.limits import NEEDS_NODES, RUNNING, STOP_DEPTH, STOP_EXHAUSTED, STOP_NODES, spent
from ludus.kernel.rules import Contradiction, evaluate, final, holds, load, null, over, score
from ludus.kernel.tree import UNOPENED, generate, open_node
from ludus.model.evaluator import Evaluator
from ludus.model.playable import PlayableGame
from ludus.model.program import Program

PLIES = 500
"""The most plies of a game in the tree."""

SAME = 1e-9
"""Values that differ by no more than this part of them are equal: means of the same leaves may differ in rounding."""

CONVENTIONS: dict[str, tuple[str, ...]] = {
    "ties": ("first", "last", "random", "best", "worst"),
    "leaves": ("first", "last", "some", "every", "none", "counted"),
    "draws": ("half", "first", "second", "score"),
    "passes": ("skipped", "counted", "forced"),
}
"""The choices, the default first. Their numbers are what the compiled walk knows them by."""

FIRST, LAST, SOME, EVERY, NONE = range(5)  # of `leaves`
HALF, TO_FIRST, TO_SECOND = range(3)  # of `draws`
SKIPPED, COUNTED = range(2)  # of `passes`


@dataclass(frozen=True)
class Convention:
    """What counts as a decision and as an error."""

    ties: str = "first"
    """Which of the moves that look equal is made: the `first` or `last` as listed, one at `random` (errors are then
    expected numbers), the `best` or the `worst` of them."""
    leaves: str = "first"
    """A position counts if the `first`, or the `last`, of its best moves does not end the game; if `some`, or `every`,
    best move does not; if no move at all does (`none`); or always (`counted`)."""
    draws: str = "half"
    """A draw lies between a win and a loss, or is won by the player who moves `first` in the tree, or `second`; or the
    `score` counts, not only who wins."""
    passes: str = "skipped"
    """A forced pass is no decision, or it is `counted`; or no position with a single move is (`forced`). A pass is
    known by the rule `null`: in a game without it counts as any single move does."""

    def __post_init__(self) -> None:
        for name, allowed in CONVENTIONS.items():
            if getattr(self, name) not in allowed:
                raise unknown(f"convention for {name}", str(getattr(self, name)), allowed, "it is one of")

    def to_dict(self) -> dict[str, str]:
        return asdict(self)

    def number(self, name: str) -> int:
        return CONVENTIONS[name].index(getattr(self, name))

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.to_dict().items())


# What is known of a node on the path, from its children so far. Exact values are to the player to move there.

BEST, WORST = 0, 1  # the greatest and the least exact value of a child
FIRST_ENDS, LAST_ENDS = 2, 3  # whether the first, or last, of the best children is a finished game
BEST_OPEN, BEST_OVER, OVER = 4, 5, 6  # how many best children are not, and are, finished games; how many children are
PASS = 7  # whether the only move is a pass
KNOWN = 8

# The same for a choice at some lookahead: the value by which it is made, and the exact values of the equal choices.

VALUE, CHOSEN = 0, 1  # CHOSEN + i: of the choice under tie rule i; for `random` how many equals there are
AMONG_BEST = CHOSEN + 5  # how many of the equals are as good as the best of them
LOOK = CHOSEN + 6
ON_FIRST, ON_LAST, ON_RANDOM, ON_BEST, ON_WORST = (CHOSEN + i for i in range(5))

# What is counted at each ply.

INNER, ENDED, DECISIONS, POSSIBLE = 0, 1, 2, 3
COUNTS = 4


class DecisionWalk(Program):
    """Walks over the whole tree, and counts decisions, possible errors and errors at each ply."""

    registers = {"node": "i8", "ply": "i8", "seen": "i8"}  # where it is, and how many nodes it has generated
    columns = {"next": integer()}  # how many of the node's children have been entered

    def __init__(self, lookahead: int = 0, leaves: int = 0, draws: int = 0, passes: int = 0, most: int = 0) -> None:
        """lookahead: the greatest; leaves, draws, passes: the numbers of the conventions; most: nodes of the tree."""
        self.lookahead, self.leaves, self.draws, self.passes = lookahead, leaves, draws, passes
        self.most = most

    def extras(self, game: PlayableGame, evaluator: Evaluator, compiled: bool) -> dict[str, Any]:
        looks = self.lookahead + 1
        return {
            "known": np.zeros((PLIES, KNOWN)),
            "look": np.zeros((PLIES, looks, LOOK)),
            "static": np.zeros(PLIES),
            "counted": np.zeros((PLIES, COUNTS)),
            "errors": np.zeros((PLIES, looks, 5)),
            "successors": np.zeros(game.room),
        }

    def prepare(self, tree: Any, game: PlayableGame, state: Any, limits: np.ndarray) -> None:
        for name in ("counted", "errors", "known", "look", "static", "successors"):
            getattr(tree, name)[:] = 0.0

    def step(self, game, evaluator, tree, limits):
        register = tree.register[0]
        while True:
            status = spent(game.meter, limits, False)
            if status != RUNNING:
                return status
            node = register.node
            ply = register.ply
            if tree.count[node] == UNOPENED:
                if ply + 1 >= tree.static.size:
                    return STOP_DEPTH
                if not open_node(game, tree, node):
                    return NEEDS_NODES
                if tree.count[node] == 0:
                    raise Contradiction  # `over` said that there are moves
                tree.next[node] = 0
                begin(tree, ply)
                register.seen += tree.count[node]
                if register.seen > self.most:
                    return STOP_NODES
            if tree.next[node] < tree.count[node]:
                child = tree.first[node] + tree.next[node]
                tree.next[node] += 1
                state = load(tree.state, node)
                after = generate(game, tree, state, child)
                if tree.count[node] == 1 and passed(game, tree, state, child):
                    tree.known[ply, PASS] = 1.0
                if over(game, after):
                    tree.counted[ply + 1, ENDED] += 1.0
                    exact = -outcome(self.draws, score(game, after), ply + 1)
                    learn(tree, ply, exact, True, final(evaluator, game, after))
                    if node == 0:
                        tree.successors[tree.next[node] - 1] = exact
                else:
                    tree.static[ply + 1] = evaluate(evaluator, game, after)
                    tree.count[child] = UNOPENED
                    register.node = child
                    register.ply = ply + 1
            else:
                count(self, tree, ply, tree.count[node])
                if node == 0:
                    return STOP_EXHAUSTED
                exact = -tree.known[ply, BEST]
                tree.size[0] = tree.first[node]
                node = tree.parent[node]
                ply -= 1
                register.node = node
                register.ply = ply
                learn(tree, ply, exact, False, 0.0)
                if node == 0:
                    tree.successors[tree.next[node] - 1] = exact


def passed(game, tree, state, child):
    """Whether the move from `state` to `child`, the only one, is a pass."""
    return holds(tree.state, child, null(game, state))


def outcome(draws, result, ply):
    """What a finished game is worth, by the convention for draws, to the player to move at this ply."""
    if draws > TO_SECOND:
        return result
    if result != 0.0:
        return 1.0 if result > 0.0 else -1.0
    if draws == HALF:
        return 0.0
    return 1.0 if (ply % 2 == 0) == (draws == TO_FIRST) else -1.0


def begin(tree, ply):
    """Nothing is known yet of the node at this ply."""
    for cell in range(KNOWN):
        tree.known[ply, cell] = 0.0
    tree.known[ply, BEST] = -np.inf
    tree.known[ply, WORST] = np.inf
    for k in range(tree.look.shape[1]):
        tree.look[ply, k, VALUE] = -np.inf
        tree.look[ply, k, ON_RANDOM] = 0.0


def learn(tree, ply, exact, ended, last):
    """Note what a child of the node at `ply` is worth: `exact` to the player at the node; `last` is the evaluator's
    value of a child that has ended, to the player to move there."""
    known = tree.known[ply]
    if exact >= known[BEST]:
        if exact > known[BEST]:
            known[FIRST_ENDS] = 1.0 if ended else 0.0
            known[BEST_OPEN] = 0.0
            known[BEST_OVER] = 0.0
            known[BEST] = exact
        known[LAST_ENDS] = 1.0 if ended else 0.0
        known[BEST_OVER if ended else BEST_OPEN] += 1.0
    if exact < known[WORST]:
        known[WORST] = exact
    if ended:
        known[OVER] += 1.0
    for k in range(tree.look.shape[1]):
        if ended:
            value = -last
        elif k == 0:
            value = -tree.static[ply + 1]
        else:
            value = -tree.look[ply + 1, k - 1, VALUE]
        choose(tree.look[ply, k], value, exact)


def choose(look, value, exact):
    """A further choice, by its value: better than those so far, or equal to the best of them."""
    margin = SAME * max(1.0, abs(value))
    if look[ON_RANDOM] == 0.0 or value > look[VALUE] + margin:
        look[VALUE] = value
        for cell in range(CHOSEN, LOOK):
            look[cell] = exact
        look[ON_RANDOM] = 1.0
        look[AMONG_BEST] = 1.0
    elif value >= look[VALUE] - margin:
        look[ON_LAST] = exact
        look[ON_RANDOM] += 1.0
        look[ON_WORST] = min(look[ON_WORST], exact)
        if exact > look[ON_BEST]:
            look[ON_BEST] = exact
            look[AMONG_BEST] = 1.0
        elif exact == look[ON_BEST]:
            look[AMONG_BEST] += 1.0


def counts_as_decision(walk, known, moves):
    """Whether the node counts, by the conventions for leaves and passes."""
    if walk.passes == SKIPPED and known[PASS] == 1.0:
        return False
    if walk.passes > COUNTED and moves == 1:
        return False
    if walk.leaves == FIRST:
        return known[FIRST_ENDS] == 0.0
    if walk.leaves == LAST:
        return known[LAST_ENDS] == 0.0
    if walk.leaves == SOME:
        return known[BEST_OPEN] > 0.0
    if walk.leaves == EVERY:
        return known[BEST_OVER] == 0.0
    return walk.leaves != NONE or known[OVER] == 0.0


def count(walk, tree, ply, moves):
    """Count the node at `ply`, of whose children all is known, and the choices at every lookahead."""
    known = tree.known[ply]
    tree.counted[ply, INNER] += 1.0
    if not counts_as_decision(walk, known, moves):
        return
    tree.counted[ply, DECISIONS] += 1.0
    best = known[BEST]
    if known[WORST] == best:
        return
    tree.counted[ply, POSSIBLE] += 1.0
    for k in range(tree.look.shape[1]):
        look = tree.look[ply, k]
        for rule in range(5):
            if CHOSEN + rule != ON_RANDOM and look[CHOSEN + rule] < best:
                tree.errors[ply, k, rule] += 1.0
        right = look[AMONG_BEST] / look[ON_RANDOM] if look[ON_BEST] == best else 0.0
        tree.errors[ply, k, ON_RANDOM - CHOSEN] += 1.0 - right
