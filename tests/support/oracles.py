"""The brute-force definitions that searches are tested against, slow and obvious.

On any game that is small enough to be walked whole:

    Exhaustive                                              minimax to a depth, and the result under best play
    chances, expected_outcome, all_games                    of random play, exact

On explicit trees (`tiny_games.py`):

    minimax_value, move_values, best_moves, is_principal    full width to a depth
    full_width_counts                                       what that costs
    slow_alphabeta, slow_scout, slow_negascout, slow_sss    the leaves that these look at, in their order
    Grown                                                   part of a tree, with all values recomputed from its leaves
    slow_bfmm                                               best-first minimax, every step from scratch
    slow_gain                                               what the decision gains if one leaf gets another value

All values are negamax: to the player to move at the node. Nothing here is imported from a search.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from operator import mul
from statistics import NormalDist
from typing import Any, NamedTuple

from ludus import Evaluator, Game
from ludus.model.evaluator import WIN
from tests.support.tiny_games import DiceTree, TinyTree

ROOT = 0


# Any small game, walked whole.


class Exhaustive:
    """A small game, and what its positions are worth to the player to move, by plain negamax."""

    def __init__(self, game: Game, evaluator: Evaluator | None = None) -> None:
        self.game, self.evaluator = game, evaluator
        self._after: dict[Any, list[Any]] = {}
        self._values: dict[Any, float] = {}
        self._scores: dict[Any, float] = {}
        self._heights: dict[Any, int] = {}

    def after(self, state: Any) -> list[Any]:
        """The states that the legal moves lead to, in their order."""
        if state not in self._after:
            self._after[state] = [self.game.after(state, move) for move in self.game.legal(state)]
        return self._after[state]

    def value(self, state: Any, depth: int) -> float:
        """When every line is looked at `depth` plies deep, or to its end if that comes first."""
        if (state, depth) not in self._values:
            assert self.evaluator is not None
            if not self.after(state):
                found = float(self.evaluator.final(self.game, state))
            elif depth == 0:
                found = float(self.evaluator.evaluate(self.game, state))
            else:
                found = max(self.move_values(state, depth))
            self._values[state, depth] = found
        return self._values[state, depth]

    def move_values(self, state: Any, depth: int) -> list[float]:
        """What each move is worth to the player who makes it, `depth` plies counted from `state`."""
        return [-self.value(after, depth - 1) for after in self.after(state)]

    def height(self, state: Any) -> int:
        """The length of the longest line from `state` on."""
        if state not in self._heights:
            self._heights[state] = max((1 + self.height(after) for after in self.after(state)), default=0)
        return self._heights[state]

    def score(self, state: Any) -> float:
        """The score under best play, to the player to move."""
        if state not in self._scores:
            after = self.after(state)
            self._scores[state] = max(-self.score(each) for each in after) if after else float(self.game.result(state))
        return self._scores[state]

    def move_scores(self, state: Any) -> list[float]:
        """The score under best play after each move, to the player who makes it."""
        return [0.0 - self.score(after) for after in self.after(state)]

    @cached_property
    def states(self) -> list[Any]:
        """All that can come up, the first one first."""
        seen, level = {self.game.start: 0}, [self.game.start]
        while level:
            level = [after for state in level for after in self.after(state) if after not in seen]
            seen |= dict.fromkeys(level, 0)
        return list(seen)

    @cached_property
    def positions(self) -> list[Any]:
        """All that can come up and in which there is something to choose."""
        return [state for state in self.states if self.after(state)]


# Trees.


def children(tree: TinyTree, node: int) -> range:
    return range(int(tree.first[node]), int(tree.first[node] + tree.count[node]))


def worth(tree: TinyTree, node: int) -> float:
    """The static value of a node, or its payoff if the game is over there."""
    return float(tree.worth[node])


def odds(tree: TinyTree, node: int) -> list[float]:
    """Where chance decides, the probabilities of the children; elsewhere nothing."""
    found = tree.share[list(children(tree, node))] if isinstance(tree, DiceTree) else []
    return [float(share) for share in found] if sum(found) > 0 else []


# Full width.


def minimax_value(tree: TinyTree, node: int, depth: int) -> float:
    """The value of `node` when every line is looked at `depth` plies deep, or to its end if that comes first."""
    if depth == 0 or not children(tree, node):
        return worth(tree, node)
    return max(move_values(tree, node, depth))


def move_values(tree: TinyTree, node: int, depth: int) -> list[float]:
    """What each move is worth to the player who makes it, `depth` plies counted from `node`."""
    return [-minimax_value(tree, child, depth - 1) for child in children(tree, node)]


def best_moves(tree: TinyTree, node: int, depth: int) -> set[int]:
    """All moves with the best value."""
    values = move_values(tree, node, depth)
    return {move for move, value in zip(children(tree, node), values, strict=True) if value == max(values)}


def is_principal(tree: TinyTree, node: int, line: Sequence[int], depth: int) -> bool:
    """Whether both sides play a best move all along `line`, which ends at the horizon or with the game."""
    if not line:
        return depth == 0 or not children(tree, node)
    if depth == 0 or line[0] not in best_moves(tree, node, depth):
        return False
    return is_principal(tree, line[0], line[1:], depth - 1)


class Counts(NamedTuple):
    """What a search costs, as the meter counts it."""

    generated: int
    """Calls of `play`: one for each node but the root."""
    evaluated: int
    """Calls of `evaluate` or `final`: one for each leaf."""
    expanded: int
    """Nodes whose children were generated."""


def full_width_counts(tree: TinyTree, node: int, depth: int) -> Counts:
    """One walk over all that lies within `depth` plies below `node`, without cuts. Leaves alone are evaluated."""
    if depth == 0 or not children(tree, node):
        return Counts(0, 1, 0)
    below = [full_width_counts(tree, child, depth - 1) for child in children(tree, node)]
    generated, evaluated, expanded = (sum(counts) for counts in zip(*below, strict=True))
    return Counts(len(below) + generated, evaluated, 1 + expanded)


def height(tree: TinyTree, node: int = ROOT) -> int:
    """The length of the longest line below `node`."""
    return max((1 + height(tree, child) for child in children(tree, node)), default=0)


def is_leaf(tree: TinyTree, node: int, depth: int) -> bool:
    return depth == 0 or not children(tree, node)


def slow_alphabeta(tree: TinyTree, depth: int) -> list[int]:
    """Fail-soft alpha-beta with an open window (Knuth & Moore 1975)."""
    leaves: list[int] = []

    def value(node: int, left: int, alpha: float, beta: float) -> float:
        if is_leaf(tree, node, left):
            leaves.append(node)
            return worth(tree, node)
        best = -float("inf")
        for child in children(tree, node):
            best = max(best, -value(child, left - 1, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best

    value(ROOT, depth, -float("inf"), float("inf"))
    return leaves


def slow_negascout(tree: TinyTree, depth: int) -> tuple[float, list[int]]:
    """The value, and the leaves: NegaScout as Reinefeld 1983 has it, with d <= 2 for two plies above the horizon."""
    leaves: list[int] = []

    def negascout(node: int, d: int, alpha: float, beta: float) -> float:
        if is_leaf(tree, node, d):
            leaves.append(node)
            return worth(tree, node)
        m, n = -math.inf, beta
        for child in children(tree, node):
            t = -negascout(child, d - 1, -n, -max(alpha, m))
            if t > max(alpha, m):
                searched_again = n != beta and d > 2 and t < beta and not is_leaf(tree, child, d - 1)
                m = max(t, -negascout(child, d - 1, -beta, -t)) if searched_again else t
            m = max(m, t)
            if m >= beta:
                return m
            n = math.nextafter(max(alpha, m), math.inf)
        return m

    return negascout(ROOT, depth, -math.inf, math.inf), leaves


def slow_scout(tree: TinyTree, depth: int) -> list[int]:
    """EVAL and TEST as Pearl 1980 has them; a leaf that was tested is not looked at again to be evaluated."""
    leaves: list[int] = []

    def at_leaf(node: int) -> float:
        leaves.append(node)
        return worth(tree, node)

    def evaluate(node: int, left: int) -> float:
        if is_leaf(tree, node, left):
            return at_leaf(node)
        first, *others = children(tree, node)
        best = -evaluate(first, left - 1)
        for child in others:
            if is_leaf(tree, child, left - 1):
                best = max(best, -at_leaf(child))
            elif not is_at_least(child, left - 1, -best):
                best = -evaluate(child, left - 1)
        return best

    def is_at_least(node: int, left: int, value: float) -> bool:
        """TEST of a node of the opponent, whose move must leave him with less for ours to be better."""
        if is_leaf(tree, node, left):
            return at_leaf(node) >= value
        return any(not is_more(child, left - 1, -value) for child in children(tree, node))

    def is_more(node: int, left: int, value: float) -> bool:
        """The same at the other player's nodes."""
        if is_leaf(tree, node, left):
            return at_leaf(node) > value
        return any(not is_at_least(child, left - 1, -value) for child in children(tree, node))

    evaluate(ROOT, depth)
    return leaves


def slow_sss(tree: TinyTree, depth: int, dual: bool = False) -> tuple[float, list[int]]:
    """The value, and the leaves: OPEN is a list of (path, solved, merit), and Gamma is Stockman's table (1979).

    A path has the places of the moves from the root on, so the order of paths is that from left to right.
    """

    def node_at(path: tuple[int, ...]) -> int:
        node = ROOT
        for place in path:
            node = children(tree, node)[place]
        return node

    leaves: list[int] = []
    states: list[tuple[tuple[int, ...], bool, float]] = [((), False, float("inf"))]
    while True:
        path, solved, merit = state = min(states, key=lambda state: (-state[2], state[0]))
        states.remove(state)
        node, is_max = node_at(path), len(path) % 2 == dual
        if not path and solved:
            return (-merit if dual else merit), leaves
        if solved and not is_max:
            states = [other for other in states if other[0][: len(path) - 1] != path[:-1]]
            states.append((path[:-1], True, merit))
        elif solved:
            place = path[-1] + 1
            more = place < len(children(tree, node_at(path[:-1])))
            states.append(((*path[:-1], place), False, merit) if more else (path[:-1], True, merit))
        elif is_leaf(tree, node, depth - len(path)):
            leaves.append(node)
            value = worth(tree, node) if is_max else -worth(tree, node)
            states.append((path, True, min(merit, value)))
        else:
            places = range(len(children(tree, node)) if is_max else 1)
            states += [((*path, place), False, merit) for place in places]


# Best first.


@dataclass
class Grown:
    """The part of a tree that a best-first search has in memory: `root`, and the children of the `opened` nodes below.

    A leaf is a node in memory that is not opened. Its value is its worth; all others are computed from the leaves,
    from scratch whenever they are asked for.
    """

    tree: TinyTree
    opened: set[int] = field(default_factory=set)
    root: int = ROOT

    def value(self, node: int, changed: dict[int, float] | None = None) -> float:
        """As it is, or if some leaves had other values."""
        if node not in self.opened:
            return (changed or {}).get(node, worth(self.tree, node))
        below = [self.value(child, changed) for child in children(self.tree, node)]
        by_chance = odds(self.tree, node)
        return sum(map(mul, by_chance, below)) if by_chance else -min(below)

    def best(self, node: int) -> int:
        """The child of an opened node that is best for the player who moves there, the first of equals."""
        return min(children(self.tree, node), key=self.value)

    def paths(self, node: int | None = None) -> Iterator[list[int]]:
        """The path from the root (or `node`) to each leaf below, from left to right, both included."""
        node = self.root if node is None else node
        if node not in self.opened:
            yield [node]
            return
        for child in children(self.tree, node):
            for path in self.paths(child):
                yield [node, *path]

    def principal_path(self) -> list[int]:
        """The nodes of the principal variation, from the root to a leaf."""
        path = [self.root]
        while path[-1] in self.opened:
            path.append(self.best(path[-1]))
        return path

    def is_closed(self, leaf: int) -> bool:
        """Whether a leaf is a finished game, which can be neither expanded nor changed."""
        return not children(self.tree, leaf)

    def is_resolved(self, node: int) -> bool:
        """Whether nothing that could be expanded below `node` could change its result."""
        if node not in self.opened:
            return self.is_closed(node)
        below, by_chance = children(self.tree, node), odds(self.tree, node)
        if isinstance(self.tree, DiceTree):  # a win may be the mean of a greater and a smaller one
            return all(map(self.is_resolved, (c for i, c in enumerate(below) if not by_chance or by_chance[i] > 0)))
        return all(map(self.is_resolved, below)) or any(self.is_resolved(c) and -self.value(c) >= WIN for c in below)

    def open_path(self) -> list[int]:
        """From the root to a leaf, always to the best child that is not resolved; nothing if the root is resolved.

        Where chance decides, to the outcome whose probability is greatest for the expansions that it has had.
        """
        path = [] if self.is_resolved(self.root) else [self.root]
        while path and path[-1] in self.opened:
            below, by_chance = children(self.tree, path[-1]), odds(self.tree, path[-1])
            due = {c: p / (1 + self.expansions(c)) for c, p in zip(below, by_chance, strict=False) if p > 0}
            unresolved = [c for c in due or below if not self.is_resolved(c)]
            path.append(max(unresolved, key=due.__getitem__) if due else min(unresolved, key=self.value))
        return path

    def expansions(self, node: int) -> int:
        """How many nodes have been opened from `node` on."""
        if node not in self.opened:
            return 0
        return 1 + sum(map(self.expansions, children(self.tree, node)))


class Expansion(NamedTuple):
    """One step of a best-first search: what it expanded, and how the root stood before and after."""

    leaf: int
    ply: int
    before: float
    after: float
    traversed: int
    """Child pointers looked at: of all nodes on the path going down, and of those and the leaf going back."""


def slow_bfmm(
    tree: TinyTree, complete: bool, deepest: float = float("inf"), kept: Grown | None = None
) -> Iterator[Expansion]:
    """Best-first minimax by its definition (Korf & Chickering 1996), until the principal leaf cannot be expanded.

    That is a finished game, or a leaf `deepest` plies from the root. With completion finished games are passed by, and
    it goes on until the root is resolved. It begins with what is in memory already, `kept`.
    """
    grown = Grown(tree) if kept is None else Grown(tree, set(kept.opened), kept.root)
    while True:
        path = grown.open_path() if complete else grown.principal_path()
        if not path or grown.is_closed(path[-1]) or len(path) > deepest:
            return
        *above, leaf = path
        before = grown.value(grown.root)
        down = sum(len(children(tree, node)) for node in above)
        grown.opened.add(leaf)
        back = down + len(children(tree, leaf))
        yield Expansion(leaf, len(above), before, grown.value(grown.root), down + back)


def slow_gain(grown: Grown, leaf: int, mean: float, sd: float) -> float:
    """The expected advantage of the move that would be chosen over the one that is best now, if the value of `leaf`
    were replaced by a normal variable with this mean and deviation (Russell & Wefald 1989, equation 8).

    As a function of the new value the advantage is a broken line, whose kinks are at the values of other leaves.
    """
    moves = children(grown.tree, grown.root)
    now, curve = grown.best(grown.root), NormalDist()

    def advantage(value: float) -> float:
        changed = {leaf: value}
        return max(-grown.value(move, changed) for move in moves) + grown.value(now, changed)

    others = [worth(grown.tree, path[-1]) for path in grown.paths(grown.root)]
    kinks = sorted({sign * value for value in others for sign in (1, -1)})
    ends = [kinks[0] - 1e9, *kinks, kinks[-1] + 1e9]
    heights = [advantage(end) for end in ends]
    total = 0.0
    for (low, at_low), (high, at_high) in pairwise(zip(ends, heights, strict=True)):
        slope = (at_high - at_low) / (high - low)
        base = at_low - slope * low
        a, b = (low - mean) / sd, (high - mean) / sd
        share = curve.cdf(b) - curve.cdf(a)
        total += (base + slope * mean) * share + slope * sd * (curve.pdf(a) - curve.pdf(b))
    return total


# Random play.


class Chances(NamedTuple):
    """How likely random play ends in each way, for the player to move."""

    win: Fraction
    draw: Fraction
    loss: Fraction


def chances(game: Game, state: Any, known: dict[Any, Chances] | None = None) -> Chances:
    """Exact: an end of the game is as likely as the product of all shares on the way to it, of moves or of chance."""
    known = {} if known is None else known
    if state not in known:
        legal = game.legal(state)
        if not legal:
            result = game.score(state)
            known[state] = Chances(Fraction(int(result > 0)), Fraction(int(result == 0)), Fraction(int(result < 0)))
        else:
            after = [chances(game, game.after(state, move), known) for move in legal]
            odds = [Fraction(share) for share in game.odds(state)]
            shares = odds or [Fraction(1, len(legal))] * len(legal)
            mean = [sum(map(mul, shares, part), Fraction(0)) for part in zip(*after, strict=True)]
            known[state] = Chances(*mean) if odds else Chances(*mean[::-1])
    return known[state]


def expected_outcome(chance: Chances, draws: str = "half") -> Fraction:
    """On the scale from -1 to 1; draws count, or are left out (0 if there is nothing else)."""
    decided = chance.win + chance.loss
    if draws == "half":
        return chance.win - chance.loss
    return (chance.win - chance.loss) / decided if decided else Fraction(0)


def all_games(
    game: Game, state: Any, share: Fraction = Fraction(1), sense: int = 1
) -> Iterator[tuple[Fraction, float]]:
    """Every way to play on from `state`: how likely it is at random, and its score to the player to move there."""
    legal, odds = game.legal(state), [Fraction(odd) for odd in game.odds(state)]
    if not legal:
        yield share, sense * float(game.score(state))
    for i, move in enumerate(legal):
        part = share * odds[i] if odds else share / len(legal)
        if part > 0:
            yield from all_games(game, game.after(state, move), part, sense if odds else -sense)
