"""Sampling by its definitions, slow and obvious: what the searches that play games out are compared with.

    slow_playout, settled_after, slow_sampler    the sampler of Abramson's thesis
    slow_halving                                 sequential halving
    slow_quantile                                the playouts of the Q-outcome
    slow_selective_sampling                      play that learns from the games before
    PlainUct                                     Monte Carlo tree search: it remembers results, and works out the rest

Chance comes from the library's generator, asked in the same order, so that every number must be the same. Nothing here
is imported from a search.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ludus import Game
from ludus.kernel.random import below, unit


def choose(source: np.ndarray, n: int) -> int:
    """A number below n."""
    with np.errstate(over="ignore"):
        return int(below(source, n))


def draw(source: np.ndarray) -> float:
    """A number from 0 to 1."""
    with np.errstate(over="ignore"):
        return float(unit(source))


def by_chance(source: np.ndarray, odds: list[float]) -> int:
    """Which outcome comes."""
    return int(np.searchsorted(np.cumsum(odds), draw(source), side="right"))


def slow_playout(game: Game, state: Any, source: np.ndarray, decisions: list[int] | None = None) -> tuple[float, int]:
    """A game completed at random: the score to the player to move in `state`, and how many plies it took.

    The moves that players make are added to `decisions`.
    """
    plies = turns = 0
    while legal := game.legal(state):
        odds = game.odds(state)
        move = legal[by_chance(source, odds) if odds else choose(source, len(legal))]
        state = game.after(state, move)
        if decisions is not None and not odds:
            decisions.append(move)
        plies += 1
        turns += not odds
    return float(game.score(state)) * (-1) ** turns, plies


def settled_after(
    results: Sequence[int], first: int, most: int, tolerances: Sequence[Fraction], draws: str
) -> tuple[int, Fraction] | None:
    """Appendix B of Abramson 1987, from the results 1, 0 and -1: how many are used, and the estimate.

    None if there are too few. Tolerances are of the share of games won.
    """

    def share_won(size: int) -> Fraction:
        won, lost = results[:size].count(1), results[:size].count(-1)
        drawn = size - won - lost if draws == "half" else 0
        return Fraction(2 * won + drawn, 2 * (won + lost + drawn)) if won + lost + drawn else Fraction(1, 2)

    sizes = [first]
    while sizes[-1] < most:
        sizes.append(min(2 * sizes[-1], most))
    for index, size in enumerate(sizes):
        if size > len(results):
            return None
        tolerance = tolerances[min(index, len(tolerances)) - 1]
        converged = index > 0 and abs(share_won(size) - share_won(sizes[index - 1])) <= tolerance
        if converged or size == most:
            return size, 2 * share_won(size) - 1
    raise AssertionError


@dataclass
class SampledMove:
    """What a sampler knows of a move: the results to the player who then has to move."""

    state: Any
    is_over: bool
    results: list[int] = field(default_factory=list)
    tried: bool = False
    settled: bool = False

    def value(self, draws: str) -> float:
        """To the player who makes the move: the mean of all results, or of those that are no draws."""
        if not self.results:
            return math.nan
        counted = len(self.results) if draws == "half" else len(self.results) - self.results.count(0)
        return -sum(self.results) / counted if counted else 0.0


def slow_sampler(
    game: Game, state: Any, seed: int, rule: tuple[int, int, Sequence[Fraction], str], nodes: float = math.inf
) -> tuple[list[SampledMove], int]:
    """The moves take turns, a playout each, until each is settled or the nodes are used up; and the nodes used."""
    source = np.array([seed], np.uint64)
    moves = [SampledMove(after, not game.legal(after)) for after in (game.after(state, m) for m in game.legal(state))]
    generated = 0
    while not all(move.settled for move in moves):
        for move in moves:
            if move.settled:
                continue
            if generated >= nodes:
                return moves, generated
            generated += not move.tried
            move.tried = True
            if move.is_over:
                move.settled = True
                continue
            score, plies = slow_playout(game, move.state, source)
            generated += plies
            move.results.append((score > 0) - (score < 0))
            move.settled = settled_after(move.results, *rule) is not None
    return moves, generated


def slow_halving(
    game: Game, state: Any, seed: int, draws: str = "half", playouts: int = 0, nodes: float = math.inf
) -> tuple[list[SampledMove], list[SampledMove], int]:
    """All moves, those that are left, and the nodes used (Karnin, Koren & Somekh 2013; estimates accumulate)."""
    source = np.array([seed], np.uint64)
    moves = [SampledMove(after, not game.legal(after)) for after in (game.after(state, m) for m in game.legal(state))]

    def value(move: SampledMove) -> float:
        return -float(np.sign(game.score(move.state))) if move.is_over else move.value(draws)

    left, rounds, generated = moves, max(1, math.ceil(math.log2(len(moves)))), 0
    for number in range(1, rounds + 1):
        turns = 0
        while True:
            for move in left:
                if move.is_over and move.tried:
                    continue
                if generated >= nodes:
                    return moves, left, generated
                generated += not move.tried
                move.tried = True
                if not move.is_over:
                    score, plies = slow_playout(game, move.state, source)
                    generated += plies
                    move.results.append((score > 0) - (score < 0))
            turns += 1
            if all(move.is_over for move in left):
                return moves, left, generated
            if playouts and turns >= playouts // (len(left) * rounds):
                break
            if not playouts and number < rounds and generated * rounds >= nodes * number:
                break
        if number < rounds:
            best = sorted(left, key=value, reverse=True)[: (len(left) + 1) // 2]
            left = [move for move in left if any(move is one for one in best)]
    return moves, left, generated


@dataclass
class ToldGames:
    """Playouts with what the Q-outcome wants to know of them: scores to the player at the root, moves, last movers."""

    scores: list[list[float]]
    branching: list[int] = field(default_factory=list)
    ours_last: list[bool] = field(default_factory=list)
    generated: int = 0

    def play(self, game: Game, state: Any, index: int, source: np.ndarray) -> None:
        ours = False
        while legal := game.legal(state):
            odds = game.odds(state)
            chosen = by_chance(source, odds) if odds else choose(source, len(legal))
            state = game.after(state, legal[chosen])
            self.generated += 1
            if not odds:
                self.branching.append(len(legal))
                ours = not ours
        self.ours_last.append(not ours)
        self.scores[index].append(-float(game.score(state)) if not ours else float(game.score(state)))


def slow_quantile(game: Game, state: Any, seed: int, playouts: int, nodes: float = math.inf) -> ToldGames:
    """So many playouts after each move that does not end the game, in turns, until the nodes are used up."""
    source, after = np.array([seed], np.uint64), [game.after(state, move) for move in game.legal(state)]
    found = ToldGames([[] for _ in after])
    for turn in range(playouts):
        for i, each in enumerate(after):
            if turn > 0 and not game.legal(each):
                continue
            if found.generated >= nodes:
                return found
            found.generated += turn == 0
            if game.legal(each):
                found.play(game, each, i, source)
            else:
                found.scores[i].append(-float(game.score(each)))
    return found


def slow_selective_sampling(
    game: Game, state: Any, seed: int, order: int, temperature: float, playouts: int = 0, nodes: float = math.inf
) -> tuple[list[float], int]:
    """The value of each move to the player who makes it, and the nodes used.

    Games are remembered whole; what an evaluator says of a move is worked out from those of the run before.
    """
    source, legal = np.array([seed], np.uint64), game.legal(state)
    after = [game.after(state, move) for move in legal]
    values, generated, run = [math.nan] * len(legal), 0, 0
    games: list[list[tuple[int, list[tuple[int, int]], int]]] = [[]]  # of each run: root's move, (who, move), result

    def weight(mover: int, move: int) -> float:
        times = ((result, made.count((mover, move))) for _, made, result in games[run - 1])
        results = [(-1) ** mover * result for result, many in times for _ in range(many)]
        return math.exp(sum(results) / (len(results) + 1) / temperature)

    while any(game.legal(each) for each in after):
        for i, each in enumerate(after):
            if not game.legal(each) and not math.isnan(values[i]):
                continue
            if generated >= nodes:
                return values, generated
            generated += math.isnan(values[i])
            if not game.legal(each):
                values[i] = -float(np.sign(game.score(each)))
                continue
            position, mover, made = each, 0, [(1, legal[i])]
            while choices := game.legal(position):
                if run == 0:
                    chosen = choose(source, len(choices))
                else:
                    weights = [weight(mover, move) for move in choices]
                    left, chosen = sum(weights) * draw(source), 0
                    while chosen < len(choices) - 1 and (left := left - weights[chosen]) >= 0:
                        chosen += 1
                made.append((mover, choices[chosen]))
                position, mover, generated = game.after(position, choices[chosen]), 1 - mover, generated + 1
            games[run].append((i, made, int(np.sign(game.score(position))) * (-1) ** mover))
            results = [result for j, _, result in games[run] if j == i]
            values[i] = -sum(results) / len(results)
        played = sum(map(len, games))
        share = played / playouts if playouts else generated / nodes
        if share * (order + 1) >= run + 1:
            if run < order:
                run += 1
                games.append([])
            elif playouts:
                break
    else:
        for i, each in enumerate(after):
            generated += generated < nodes
            values[i] = -float(np.sign(game.score(each)))
    return values, generated


# Monte Carlo tree search.


@dataclass
class PlainGame:
    """The moves that the players made in a game, from a node on, and its result to the one who began there."""

    decisions: list[int]
    result: float

    def has(self, move: int, player: int) -> bool:
        """Whether the player to move at the node, 0, or his opponent, 1, made a move, at once or later."""
        return move in self.decisions[player::2]


class PlainNode:
    """A node of `PlainUct`; `results` are those of all visits, to the player to move here."""

    def __init__(self, game: Game, state: Any, move: int = -1) -> None:
        self.game, self.state, self.move = game, state, move
        self.results: list[float] = []
        self.games: list[PlainGame] = []
        self.children: list[PlainNode] = []
        self.generated = move == -1

    @property
    def is_over(self) -> bool:
        return not self.game.legal(self.state)

    @property
    def odds(self) -> list[float]:
        return self.game.odds(self.state)

    @property
    def is_proven(self) -> bool:
        low, high = self.bounds()
        return low == high

    def bounds(self) -> tuple[int, int]:
        """The least and the greatest result that is possible as far as can be seen in the tree."""
        if self.children:
            below = [child.bounds() for child in self.children]
            if self.odds:
                return min(low for low, _ in below), max(high for _, high in below)
            return max(-high for _, high in below), max(-low for low, _ in below)
        if self.generated and self.is_over:
            result = int(np.sign(self.game.score(self.state)))
            return result, result
        return -1, 1

    def everything(self) -> Iterator[PlainNode]:
        yield self
        for child in self.children:
            yield from child.everything()


class PlainUct:
    """Monte Carlo tree search by its definition: one visit at a time; no more is remembered than the results.

    `opinion(state)` is what an evaluator says, already between -1 and 1; `weight` its share of what a leaf is worth,
    and `prior` how many visits it counts for in the children of a node that is opened.

    With `rave` and `grave` a node remembers the games that went on to a child; who asks about a move goes through all.
    """

    def __init__(
        self, game: Game, root: PlainNode, seed: int, c: float, *, fpu: float = 1000.0, solver: bool = True,
        weight: float = 0.0, prior: float = 0.0, opinion: Any = None, depth: float = float("inf"),
        rave: float = 0.0, grave: int = 0,
    ) -> None:  # fmt: skip
        self.game, self.root, self.c, self.fpu, self.solver = game, root, c, fpu, solver
        self.weight, self.prior, self.opinion, self.depth = weight, prior, opinion, depth
        self.rave, self.grave = rave, grave
        self.source = np.array([seed], np.uint64)
        self.generated = self.evaluated = self.expanded = self.traversed = 0
        self.priors: dict[PlainNode, float] = {}
        self.path = [root]

    def bounds(self, node: PlainNode) -> tuple[int, int]:
        return node.bounds() if self.solver else (-1, 1)

    def visits(self, node: PlainNode) -> float:
        return len(node.results) + (self.prior if node in self.priors else 0.0)

    def value(self, node: PlainNode) -> float:
        """The mean result within the bounds."""
        low, high = self.bounds(node)
        total = self.prior * self.priors.get(node, 0.0)
        for result in node.results:
            total += result
        return min(max(total / self.visits(node), low), high)

    def amaf(self, child: PlainNode) -> list[float]:
        """The results, to the opponent, of the reference's games in which the player at the path's end moved so."""
        often = [i for i, node in enumerate(self.path) if self.visits(node) >= self.grave and not node.odds]
        at = max(often, default=0) if self.grave else len(self.path) - 1
        player = sum(not node.odds for node in self.path[at:-1]) % 2
        return [(2 * player - 1) * game.result for game in self.path[at].games if game.has(child.move, player)]

    def urgency(self, parent: PlainNode, child: PlainNode) -> float:
        n, later = self.visits(child), self.amaf(child) if self.rave else []
        bonus = self.c * math.sqrt(math.log(max(self.visits(parent), 1.0)) / max(n, 1.0))
        if n == 0:
            return bonus - sum(later) / len(later) if later else self.fpu
        value, m, (low, high) = self.value(child), len(later), self.bounds(child)
        if later and low < high:
            share = m / (n + m + n * m / self.rave)
            value = (1 - share) * value + share * (sum(later) / m)
        return bonus - value

    def most_urgent(self, node: PlainNode) -> PlainNode:
        low = self.bounds(node)[0]
        best, chosen, ties = -math.inf, node.children[0], 0
        for child in node.children:
            if -self.bounds(child)[0] > low:
                urgency = self.urgency(node, child)
                ties = ties + 1 if urgency == best else 1 if urgency > best else ties
                if urgency > best or (urgency == best and choose(self.source, ties) == 0):
                    best, chosen = max(urgency, best), child
        return chosen

    def iterate(self) -> None:
        """Go on down to a leaf; and open it, or visit it and go back up."""
        while self.path[-1].children and not (self.solver and self.path[-1].is_proven):
            node, odds = self.path[-1], self.path[-1].odds
            self.traversed += 1 if odds else len(node.children)
            self.path.append(node.children[by_chance(self.source, odds)] if odds else self.most_urgent(node))
        leaf = self.path[-1]
        if (
            (leaf is self.root or leaf.results)
            and not leaf.children
            and not leaf.is_over
            and len(self.path) - 1 < self.depth
        ):
            self.open(leaf)
        else:
            decisions: list[int] = []
            result = self.visit(leaf, self.path[-2], decisions)
            self.remember(self.path, decisions, result)
            self.back_up(self.path, result)
            self.path = [self.root]

    def remember(self, path: list[PlainNode], decisions: list[int], result: float) -> None:
        """The game, at every node above the leaf where a player decided."""
        for node, child in zip(path[-2::-1], path[:0:-1], strict=True):
            if not node.odds:
                decisions, result = [child.move, *decisions], -result
                node.games.append(PlainGame(decisions, result))
                if self.rave:
                    self.traversed += len(decisions) if self.grave else len(node.children)

    def open(self, leaf: PlainNode) -> None:
        """List the moves. If a prior proves anything, the descent must begin again."""
        self.expanded += 1
        before = [self.bounds(node) for node in self.path]
        leaf.children = [PlainNode(self.game, None, move) for move in self.game.legal(leaf.state)]
        if self.prior > 0:
            for child in leaf.children:
                self.generate(child, leaf)
                self.evaluated += 1
                self.priors[child] = self.result(child) if child.is_over else self.opinion(child.state)
            if self.solver and any(child.is_over for child in leaf.children):
                self.tighten(self.path, before)
                self.path = [self.root]

    def result(self, node: PlainNode) -> float:
        return float(np.sign(self.game.score(node.state)))

    def generate(self, child: PlainNode, parent: PlainNode) -> None:
        child.state = self.game.after(parent.state, child.move)
        child.generated = True
        self.generated += 1

    def visit(self, node: PlainNode, parent: PlainNode, decisions: list[int]) -> float:
        fresh = not node.generated
        if fresh:
            self.generate(node, parent)
        if node.children:
            return float(node.bounds()[0])
        if node.is_over:
            self.evaluated += fresh
            return self.result(node)
        found = 0.0
        if self.weight > 0:
            self.evaluated += 1
            found += self.weight * self.opinion(node.state)
        if self.weight < 1:
            self.expanded += 1
            score, plies = slow_playout(self.game, node.state, self.source, decisions)
            self.generated += plies
            found += (1 - self.weight) * float(np.sign(score))
        return found

    def back_up(self, path: list[PlainNode], result: float) -> None:
        """The result, or what is proven instead, at every node; signs change where a player decides."""
        if self.solver and path[-1].is_over and not self.visits(path[-1]):
            self.tighten(path[:-1], self.before(path))
        for node, above in zip(reversed(path), [*path[-2::-1], None], strict=True):
            low, high = self.bounds(node)
            result = float(low) if low == high else result
            node.results.append(result)
            self.traversed += 1
            result = result if above is None or above.odds else -result

    def before(self, path: list[PlainNode]) -> list[tuple[int, int]]:
        """The bounds of all above a finished game as they were when nothing was known of it."""
        leaf = path[-1]
        leaf.generated = False
        found = [self.bounds(node) for node in path[:-1]]
        leaf.generated = True
        return found

    def tighten(self, path: list[PlainNode], before: list[tuple[int, int]]) -> None:
        """What it costs to work out the bounds anew, from the end of the path up as far as they change."""
        for node, old in zip(reversed(path), reversed(before), strict=True):
            self.traversed += len(node.children)
            if self.bounds(node) == old:
                break
