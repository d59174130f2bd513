"""Abramson 1989, Control strategies for two-player games: the survey's facts as experiments.

The survey reports what others have found, mostly in words. A part takes one statement and asks whether it is seen here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

import ludus

study = ludus.Study(
    "abramson-1989",
    "Abramson 1989, Control strategies for two-player games",
    "The survey's figures and the facts of its sections 2 and 3. It gives few numbers, so most rows test a statement: "
    "that a share is above one half, or that a difference has a sign. The games, evaluators and depths are ours.",
)

GOLDEN = (math.sqrt(5) - 1) / 2
"""The solution of x^2 + x - 1 = 0: 0.618."""

SURVEY_TREE = """R[ P[ A[ F[K[5 2] L[7]] B=6[C=8.5[D=4] M=9[9] N=9[6]] E=3[G[6 1] H[7] I[9 8]] J=2[S[3] T[8]] ] ]
Q[ U[ V[W[9 4] X[8]] Y=9[Z[7] O[12]] ] ] ]"""
"""The tree of Figures 2 to 4, rebuilt from their captions (docs/notes/figures.md)."""


# The figures.


@study.part(
    "figure-1",
    "Minimax: the tree of Nim with five stones",
    """Take one, two or three of five stones; who takes the last one loses. "Since the root has a minimax value of -1,
    Nim is a forced win for the player moving second".""",
)
def figure_1(lab: ludus.Lab) -> None:
    found = ludus.player("minimax(eval=zero, depth=5)", compiled=lab.compiled).choose("nim(stones=5)")
    lab.exact("the root's value", math.copysign(1, found.value), -1)
    lab.number("nodes below the root", found.meter.generated)
    lab.say("The value is the survey's. docs/notes/figures.md draws this tree and those of Figures 2 to 4.")


def on_survey_tree(lab: ludus.Lab, player: str) -> Any:
    return ludus.player(player, compiled=lab.compiled).choose(ludus.game("tree", of=SURVEY_TREE))


@study.part(
    "figure-2",
    "Alpha-beta on a small tree",
    """Minimax with alpha-beta pruning, moves from left to right; branches with an X have been pruned. Only the caption
    is left to us; the tree is rebuilt from it.""",
)
def figure_2(lab: ludus.Lab) -> None:
    whole = on_survey_tree(lab, "minimax(depth=5)")
    pruned = on_survey_tree(lab, "alphabeta(order=false, depth=5)")
    lab.exact("the root's value with pruning, against that without", pruned.value, whole.value)
    lab.exact("nodes with pruning, against those without", pruned.meter.generated, whole.meter.generated, relation="<")
    lab.say("Alpha-beta gives minimax's value with fewer nodes, as it must.")


@study.part(
    "figure-3",
    "Razoring on the same tree",
    """E's static value, 3, is worse than F's backed-up value of 5, so E is pruned; "the same is true for node J".""",
)
def figure_3(lab: ludus.Lab) -> None:
    razored = on_survey_tree(lab, "alphabeta(order=false, razor=true, depth=5)")
    plain = on_survey_tree(lab, "alphabeta(order=false, depth=5)")
    lab.exact("moves left out", razored.statistics.get("moves razored", 0), 2)
    lab.exact("nodes, against alpha-beta's", razored.meter.generated, plain.meter.generated, relation="<")


@study.part(
    "figure-4",
    "Aspiration on the same tree",
    """The range of the root is known to be [7, 10]. When G is expanded "it becomes clear that the value of node E will
    not exceed 6", so H and I can be pruned.""",
)
def figure_4(lab: ludus.Lab) -> None:
    found = on_survey_tree(lab, "alphabeta(order=false, aspiration=3, depth=5, nodes=1000)")
    bound = next(child.known.high for child in found.children if child.name == "P")
    lab.exact("what P, above E, is worth at most", bound, 6)


# 3.1: what looking ahead brings.


def root_values(game: str, first: int, count: int, compiled: bool | None) -> list[float]:
    """The minimax values of `count` trees, to the first player; a tree knows its own, being grown from the top."""
    return [ludus.game(game, seed=seed).position().value("dbf-truth") for seed in range(first, first + count)]


def drawn_values(depth: int, first: int, count: int, compiled: bool | None) -> list[float]:
    """The same of binary trees whose leaves are drawn independently between 0 and 1, level by level from below."""
    found = []
    for seed in range(first, first + count):
        values = np.random.default_rng(seed).random(2**depth)
        for height in range(depth):
            last_is_min = (depth - height) % 2 == 0  # MAX moves at the root
            values = (np.min if last_is_min else np.max)(values.reshape(-1, 2), axis=1)
        found.append(float(values[0]))
    return found


@study.part(
    "convergence",
    "Minimax convergence and the last player",
    """In a deep (d, b, F)-tree the root's value is predetermined (Pearl): for b = 2 and leaves between 0 and 1 it
    converges to 0.382 if MIN moves last, and to 0.618 if MAX does (Nau's last player theorem). For integers between 0
    and 100 the survey says 39.""",
)
def convergence(lab: ludus.Lab) -> None:
    count = lab.by(tiny=250, quick=300, full=2000)
    lines: dict[str, list[Any]] = {}
    for last, odd, limit in lab.each((("MIN", 0, 1 - GOLDEN), ("MAX", 1, GOLDEN))):
        for depth in lab.each(lab.by(tiny=(4,), quick=(4, 8, 16, 32, 64), full=(4, 8, 16, 32, 64))):
            game = f"dbf-tree(depth={depth + odd}, low=0, high=1)"
            values = lab.sample(root_values, count, game)
            what = f"depth {depth + odd}, {last} moves last: the root's value"
            row = lab.one_of(what, values, limit, convention="dbf-tree")
            lines.setdefault(f"{last} moves last", []).append((depth + odd, row.measured, row.low, row.high))
        depth = lab.by(tiny=4, quick=12, full=16) + odd
        values = lab.sample(drawn_values, lab.by(tiny=40, quick=500, full=5000), depth)
        below = sum(value <= limit for value in values)
        what = f"depth {depth}, {last} moves last: share of trees with a value below {limit:.3f}"
        lab.count(what, below, len(values), 1 - GOLDEN, convention="independent leaves drawn")
    for low, paper in ((0, 39), (1, None)):
        game = f"dbf-tree(depth=60, leaves=integers, low={low}, high=100)"
        values = lab.sample(root_values, lab.by(tiny=5, quick=50, full=200), game)
        usual = max(set(values), key=values.count)
        lab.exact(f"the value for integers from {low} to 100, most often", usual, paper)
    lab.draw_lines(
        "The root's value by depth: median and 95 % of trees", {"": lines}, x="depth", y="root's value", limits=(0, 1)
    )
    lab.say(
        """The game `dbf-tree` is grown from the top, from the distribution that theory gives; so the share of trees
        below the limit, which is 0.382 at every depth, is tested on leaves that are drawn.""",
        """For integers from 0 to 100 the limit is 38: the smallest value v with F(v) > 0.382, and F(38) = 39/101 =
        0.386. The survey's 39 is that of the integers from 1 to 100.""",
    )


def values_by_depth(
    game: str, evaluator: str, depths: Sequence[int], first: int, count: int, compiled: bool | None
) -> list[list[float]]:
    """For positions of random games: how many moves there are, and the values of searches to these depths."""
    made, found = ludus.game(game), []
    players = [ludus.player(f"minimax(eval={evaluator}, depth={depth})", compiled=compiled) for depth in depths]
    for seed in range(first, first + count):
        position = made.position().wander(2 + 3 * (seed % 8), seed)
        values = [player.choose(position).value for player in players]
        if all(abs(value) < FINISHED for value in values):
            found.append([float(len(position.moves)), *values])
    return found


FINISHED = 2**19
"""Values of won and lost games are beyond."""
REAL_GAMES = {"othello(size=6)": "mobility", "kalah": "seeds", "connect4": "weighted-lines"}


def real_games(lab: ludus.Lab) -> dict[str, str]:
    return lab.by(tiny={"connect4": "open-lines"}, quick=REAL_GAMES, full=REAL_GAMES)


@study.part(
    "odd-even",
    "The odd/even bias in real games",
    """Biasing: "the tendency for the player searching to perceive himself as winning if the search depth is odd, and
    losing if it is even", in real games, too.""",
)
def odd_even(lab: ludus.Lab) -> None:
    for game, evaluator in lab.each(real_games(lab).items()):
        found = lab.sample(values_by_depth, lab.by(tiny=4, quick=100, full=1000), game, evaluator, (2, 3, 4))
        gaps = [odd - (before + after) / 2 for _, before, odd, after in found]
        lab.mean(f"{game}: value at depth 3 above those at 2 and 4", gaps, 0.0, relation=">", convention=evaluator)
    lab.say("Whether there is a bias, and which, is a matter of the evaluator: ours differ from those of the time.")


def decisions(
    game: str, evaluator: str, whole: int, depths: Sequence[int], first: int, count: int, compiled: bool | None
) -> list[list[int]]:
    """For trees in which some first moves win and others lose: whether searches to these depths find one that wins."""
    truth = ludus.player(f"minimax(eval=zero, depth={whole})", compiled=compiled)
    players = [ludus.player(f"minimax(eval={evaluator}, depth={depth})", compiled=compiled) for depth in depths]
    found = []
    for seed in range(first, first + count):
        tree = ludus.game(game, seed=seed)
        wins = {child.move: child.value > 0 for child in truth.choose(tree).children}
        if len(set(wins.values())) == 2:
            found.append([int(wins[player.choose(tree).move]) for player in players])
    return found


def critical(branching: int) -> float:
    """The density of traps above which looking deeper should help: 1 - (1+B)^(1-1/B) / B."""
    return 1 - (1 + branching) ** (1 - 1 / branching) / branching


PATHOLOGY = {
    "P-game": ("board-splitting(branching=2, rounds={half})", "ones-share", "<"),
    "N-game": ("board-splitting(branching=2, rounds={half}, values=branches)", "ones-share", ">"),
    "uniform tree": ("trap-tree(branching=2, depth={whole}, q=0)", "win-truth(flip=0.1)", "<"),
    "traps at half q_c": ("trap-tree(branching=2, depth={whole}, q={low:.4f})", "win-truth(flip=0.1)", None),
    "traps at q_c": ("trap-tree(branching=2, depth={whole}, q={middle:.4f})", "win-truth(flip=0.1)", None),
    "traps at twice q_c": ("trap-tree(branching=2, depth={whole}, q={high:.4f})", "win-truth(flip=0.1)", ">"),
    "geometric branching": ('recursive-game(f="geometric 0.3", depth={whole})', "win-truth(flip=0.1)", ">"),
}
"""Of each kind of tree: the game, the evaluator, and whether quality falls or rises with depth, as the survey says."""


@study.part(
    "pathology",
    "Where looking deeper makes decisions worse",
    """P-games, with independent squares, are pathological under the share of 1's; N-games, whose neighbouring squares
    are alike, are not (Nau). Traps above the density q_c = 1 - (1+B)^(1-1/B)/B prevent pathology (Pearl), and so do
    geometric branching factors (Michon).""",
)
def pathology(lab: ludus.Lab) -> None:
    whole = lab.by(tiny=4, quick=10, full=12)
    depths = tuple(range(1, whole - 2 + 1))
    q = critical(2)
    lab.number("q_c for B = 2", q)
    count = lab.by(tiny=8, quick=300, full=3000)
    lines: dict[str, list[Any]] = {}
    for name, (text, evaluator, relation) in lab.each(PATHOLOGY.items()):
        game = text.format(half=whole // 2, whole=whole, low=q / 2, middle=q, high=2 * q)
        found = lab.sample(decisions, count, game, evaluator, whole, depths)
        for place, depth in enumerate(depths):
            hits = sum(each[place] for each in found)
            if place in (0, len(depths) - 1):
                row = lab.count(f"{name}: right decisions at depth {depth}", hits, len(found))
                lines.setdefault(name, []).append((depth, row.measured, row.low, row.high))
            elif found:
                lines.setdefault(name, []).append((depth, hits / len(found), None, None))
        gains = [each[-1] - each[0] for each in found]
        says: dict[str, Any] = {"paper": 0.0, "relation": relation} if relation else {}
        lab.mean(f"{name}: gain of depth {depths[-1]} over depth 1", gains, **says)
    lab.draw_lines(
        "Share of right first decisions by search depth, where a right and a wrong one exist",
        {"": {name: [(*point[:2], None, None) for point in line] for name, line in lines.items()}},
        **{"x": "search depth", "y": "right decisions"},
    )
    lab.say(
        f"All trees are {whole} plies deep; the deepest search stops two plies before the end.",
        """Values with independent errors (one in ten wrong) are the model of Nau, Pearl and Beal; the share of 1's is
        Nau's evaluator.""",
    )


def half_differences(few: Sequence[float], many: Sequence[float]) -> list[float]:
    return [one - other for one, other in zip(few, many, strict=False)]


@study.part(
    "quiescence",
    "Positions with few options are not quiet",
    """Michon: nonquiescent positions "correspond to positions with relatively few options, or small branching
    factors".""",
)
def quiescence(lab: ludus.Lab) -> None:
    for game, evaluator in lab.each(real_games(lab).items()):
        found = lab.sample(values_by_depth, lab.by(tiny=6, quick=150, full=1500), game, evaluator, (1, 3))
        ordered = sorted(found, key=lambda each: each[0])
        third = max(len(ordered) // 3, 1)
        few, many = ([abs(each[2] - each[1]) for each in part] for part in (ordered[:third], ordered[-third:]))
        what = f"{game}: change from depth 1 to 3, the third with fewest moves minus the third with most"
        lab.mean(what, half_differences(few, many), 0.0, relation=">", convention=evaluator)
    lab.say("Michon's result is about recursive random games; here it is asked of real games and their evaluators.")


# 3.2: alternatives to minimax.


@study.part(
    "product",
    "Product propagation and the average against minimax",
    """Product propagation "played well against partial minimax" even on N-games; averaging it with minimax
    "outperformed either strategy alone" (Nau, Purdom and Tzeng). In variants of kalah product and average beat minimax
    (Chi and Nau), though often not significantly. With independent tips and true probabilities product is the best
    possible (Tzeng).""",
)
def product(lab: ludus.Lab) -> None:
    depth = lab.by(tiny=2, quick=3, full=4)
    rounds = lab.by(tiny=2, quick=5, full=5)
    games = {
        "P-game": (f"board-splitting(branching=2, rounds={rounds})", "ones-share", 0),
        "N-game": (f"board-splitting(branching=2, rounds={rounds}, values=branches)", "ones-share", 0),
        "kalah": ("kalah(houses=6, seeds=3)", "seeds", 4),
        "independent tips": (f"trap-tree(branching=3, depth={2 * rounds}, q=0)", "win-truth(flip=0.2)", 0),
    }
    games = dict(list(games.items())[: lab.by(tiny=1, quick=4, full=4)])
    for name, (game, evaluator, openings) in lab.each(games.items()):
        pairs = lab.by(tiny=2, quick=60 if openings == 0 else 20, full=1500 if openings == 0 else 500)
        for one, other in lab.each((("product", "minimax"), ("average", "minimax"), ("average", "product"))):
            if name == "independent tips" and one == "average":
                continue
            players = [f"backup(rule={rule}, eval={evaluator}, depth={depth})" for rule in (one, other)]
            played = lab.match(game, *players, pairs=pairs, openings=openings)
            lab.share(f"{name}, depth {depth}: {one} against {other}", played, 0.5, relation=">")
    lab.say("Nothing is said of the depths and evaluators that they used, but for P- and N-games the share of 1's.")


def against_fallible(
    game: str, player: str, strength: float, first: int, count: int, compiled: bool | None
) -> list[float]:
    """The points a game of a player against one who makes the i-th best of its moves, by minimax to depth 2, with a
    probability in proportion to (1 - strength)^(i - 1): the mean of two games, sides swapped, for each tree."""
    ours, theirs = (
        ludus.player(player, compiled=compiled),
        ludus.player("minimax(eval=sum, depth=2)", compiled=compiled),
    )
    found = []
    for seed in range(first, first + count):
        dice, points = random.Random(seed), 0.0
        for begins in (True, False):
            position, we_move = ludus.game(game, seed=seed).position(), begins
            while not position.is_over:
                chosen = (ours if we_move else theirs).choose(position, seed=seed)
                move = chosen.move
                if not we_move:
                    ranked = sorted(chosen.children, key=lambda child: -child.value)
                    odds = [(1 - strength) ** place for place in range(len(ranked))]
                    move = dice.choices(ranked, odds)[0].move
                position, we_move = position.play(move), not we_move
            score = position.score if we_move else -position.score
            points += 0.25 * (1 + (score > 0) - (score < 0))
        found.append(points)
    return found


@study.part(
    "errors",
    "Minimax in the presence of error against an extra ply",
    """Reibman and Ballard assign the opponent a strength. On trees with correlated siblings this strategy
    "outperformed the addition of a ply to minimax".""",
)
def errors(lab: ludus.Lab) -> None:
    game = f"random-tree(branching=3, depth={lab.by(tiny=6, quick=24, full=24)})"
    count = lab.by(tiny=2, quick=80, full=1000)
    strengths = lab.by(tiny=(0.7,), quick=(0.5, 0.9), full=(0.5, 0.7, 0.9))
    for strength in lab.each(strengths):
        players = (f"backup(rule=error, s={strength}, eval=sum, depth=2)", "minimax(eval=sum, depth=3)")
        ours, deeper = (lab.sample(against_fallible, count, game, player, strength) for player in players)
        gaps = [one - other for one, other in zip(ours, deeper, strict=True)]
        what = f"points a game against an opponent of strength {strength}: errors at depth 2 minus minimax at depth 3"
        lab.mean(what, gaps, 0.0, relation=">", convention="the strength is known")
    for weak in lab.each(("random", "minimax(eval=sum, depth=1)")):
        deeper_match = lab.match(game, "minimax(eval=sum, depth=3)", weak, pairs=count)
        for strength in lab.each(strengths):
            played = lab.match(game, f"backup(rule=error, s={strength}, eval=sum, depth=2)", weak, pairs=count)
            gaps = [
                points(one) - points(other) for one, other in zip(played.records, deeper_match.records, strict=True)
            ]
            what = f"points a game against {weak}: errors at depth 2 minus minimax at depth 3"
            lab.mean(what, gaps, 0.0, relation=">", convention=f"strength {strength} is assumed")
    lab.say(
        """An opponent of strength s makes the i-th best of its moves, by minimax to depth 2, with a probability in
        proportion to (1 - s)^(i - 1), as the strategy assumes. The trees are those of edge sums, whose siblings are
        correlated. Both strategies meet the same opponent on the same trees."""
    )


def points(pair: Sequence[Any]) -> float:
    """The first player's points a game in two games, the second of which the other began."""
    scores = [record.score * (1 - 2 * index) for index, record in enumerate(pair)]
    return sum(0.25 * (1 + (score > 0) - (score < 0)) for score in scores)


# 2: pruning and selective search.


@study.part(
    "m-and-n",
    "M & N is worth about a ply on kalah",
    """Slagle and Dixon: a bonus for several good moves "improves play to about the level that would be achieved by
    extending partial minimax an additional ply".""",
)
def m_and_n(lab: ludus.Lab) -> None:
    depth, pairs = lab.by(tiny=1, quick=3, full=4), lab.by(tiny=1, quick=30, full=400)
    game = lab.by(tiny="kalah(houses=2, seeds=2)", quick="kalah", full="kalah")
    openings = lab.by(tiny=1, quick=4, full=4)
    plain = f"minimax(eval=seeds, depth={depth})"
    deeper = lab.match(game, f"minimax(eval=seeds, depth={depth + 1})", plain, pairs=pairs, openings=openings)
    lab.share(f"minimax at depth {depth + 1} against depth {depth}", deeper)
    for bonus in lab.each(lab.by(tiny=(0.1,), quick=(0.1,), full=(0.05, 0.1, 0.2))):
        rule = f"backup(rule=m-and-n, bonus={bonus}, eval=seeds, depth={depth})"
        played = lab.match(game, rule, plain, pairs=pairs, openings=openings)
        what = f"M & N at depth {depth} against minimax at depth {depth}"
        lab.share(what, played, deeper.share, games=deeper.games, convention=f"bonus {bonus}")
    lab.say("The paper's number in these rows is what a further ply is worth here. Their bonus function was their own.")


def efforts(
    game: str, players: Sequence[str], what: str, wander: int, first: int, count: int, compiled: bool | None
) -> list[list[int]]:
    """What these players spend, `evaluated` or `expanded`, on this number of positions, or trees if `wander` is 0."""
    made = [ludus.player(player, compiled=compiled) for player in players]
    found = []
    for seed in range(first, first + count):
        board = ludus.game(game) if wander else ludus.game(game, seed=seed)
        position = board.position().wander(wander + seed % 10 if wander else 0, seed)
        found.append([getattr(player.choose(position).meter, what) for player in made])
    return found


@study.part(
    "alpha-beta",
    "Alpha-beta's branching factor",
    """"On the average, alpha-beta cuts the effective branching factor from b to approximately b^(3/4), and allows the
    search depth to be extended by 25 percent".""",
)
def alpha_beta(lab: ludus.Lab) -> None:
    count = lab.by(tiny=3, quick=40, full=400)
    for branching, depth in lab.each(lab.by(tiny=((3, 3),), quick=((4, 6), (16, 4)), full=((4, 8), (8, 6), (16, 5)))):
        game = f"dbf-tree(branching={branching}, depth={depth})"
        players = (f"alphabeta(order=false, eval=dbf-truth, depth={depth})",)
        leaves = [each[0] for each in lab.sample(efforts, count, game, players, "evaluated", 0)]
        exponents = [math.log(each) / (depth * math.log(branching)) for each in leaves]
        lab.mean(f"b={branching}, depth {depth}: log of leaves, of b^d", exponents, 0.75)
    lab.exact("how much deeper one searches with b^(3/4) in the place of b", 1 / 0.75 - 1, 0.25)
    lab.say(
        "b^(3/4) is meant for large trees in random order; the smaller the tree, the larger the exponent.",
        "From b^(3/4) it follows that the same effort reaches a third deeper (as the thesis says), not a quarter.",
    )


@study.part(
    "sss",
    "SSS* against alpha-beta",
    """"SSS*, on the average, expands between one-third and one-half of the nodes that alpha-beta does".""",
)
def sss(lab: ludus.Lab) -> None:
    count = lab.by(tiny=3, quick=30, full=300)
    for branching, depth in lab.each(lab.by(tiny=((3, 3),), quick=((4, 6), (8, 4)), full=((4, 8), (8, 6), (16, 4)))):
        game = f"dbf-tree(branching={branching}, depth={depth})"
        names = ("sss(order=false, ", "alphabeta(order=false, ")
        players = tuple(f"{name}eval=dbf-truth, depth={depth})" for name in names)
        found = lab.sample(efforts, count, game, players, "evaluated", 0)
        what = f"b={branching}, depth {depth}: leaves of SSS* for one of alpha-beta"
        lab.ratio(what, found, 1 / 3, relation=">")
        lab.ratio(what, found, 1 / 2, relation="<")
    lab.say(
        "The trees have independent leaves in random order; theirs are not described, and the ratio depends on them."
    )


@study.part(
    "razoring",
    "Razoring gains an order of magnitude at four plies",
    """Birmingham and Kent: razoring "gained, on the average, an order of magnitude over alpha-beta in a four-ply tree,
    in terms of the number of nodes expanded".""",
)
def razoring(lab: ludus.Lab) -> None:
    games = lab.by(
        tiny={"connect4": "open-lines"},
        quick={"othello": "mobility", "connect4": "weighted-lines"},
        full={"othello": "mobility", "connect4": "weighted-lines", "kalah": "seeds", "chess": "positional"},
    )
    depth = lab.by(tiny=2, quick=4, full=4)
    for game, evaluator in lab.each(games.items()):
        for order in lab.each(("true", "false")):
            players = tuple(
                f"alphabeta(order={order}, razor={razor}, eval={evaluator}, depth={depth})"
                for razor in ("false", "true")
            )
            found = lab.sample(efforts, lab.by(tiny=3, quick=40, full=300), game, players, "expanded", 4)
            convention = f"{'with' if order == 'true' else 'without'} ordering"
            what = f"{game}: nodes that alpha-beta expands for one with razoring, depth {depth}"
            lab.ratio(what, found, 10.0, convention=convention)
    lab.say(
        """The comparison was of a chess program's. Its evaluator and its order of moves, on both of which razoring
        depends, are not given.""",
    )


@study.part(
    "connect-four",
    "Min/max approximation against alpha-beta on Connect Four",
    """Rivest: alpha-beta is superior if the programs have equal time; with equal numbers of moves examined the
    approximation is. In the original, approximation-alpha-beta-ties of 490 games: 186-239-65 on time, 249-190-51 on
    moves.""",
)
def connect_four(lab: ludus.Lab) -> None:
    points = {"moves": 249 + 51 / 2, "time": 186 + 65 / 2}
    budgets: dict[str, list[str]] = lab.by(
        tiny={"moves": ["nodes=40"]},
        quick={"moves": ["nodes=1000", "nodes=5000"], "time": ["seconds=0.002"]},
        full={
            "moves": [f"nodes={1000 * thousands}" for thousands in range(1, 6)],
            "time": [f"seconds={milliseconds / 1000}" for milliseconds in range(1, 6)],
        },
    )
    pairs = lab.by(tiny=1, quick=8, full=49)  # of 49 positions after one move of each side
    for what, limits in lab.each(budgets.items()):
        pooled = [0] * 5
        for limit in lab.each(limits):
            played = against_approximation(lab, limit, pairs, openings=2)
            lab.share(f"{limit} a move: approximation against alpha-beta", played)
            pooled = [one + other for one, other in zip(pooled, played.pairs, strict=True)]
        lab.share(f"at equal {what}, all five together", pooled, points[what] / 490, games=490)
    for limit, many in lab.each(lab.by(tiny={}, quick={}, full={"nodes=5000": 500, "nodes=50000": 50}).items()):
        played = against_approximation(lab, limit, many, openings=4)
        convention = "openings of four random plies"
        lab.share(f"{limit} a move: approximation against alpha-beta", played, convention=convention)
    lab.say(
        """The evaluator and the openings, the 49 positions after one move of each side, are Rivest's, and so are five
        limits of 1,000 to 5,000 moves. His were 1 to 5 seconds of a machine of 1987, ours are as many thousandths: at
        equal time who wins is a matter of the programs and the machine.""",
        """Alpha-beta here orders moves by their static values and deepens step by step; the details of his are not
        known to us.""",
    )


def against_approximation(lab: ludus.Lab, limit: str, pairs: int, openings: int) -> Any:
    """The match of the min/max approximation with alpha-beta, both with Rivest's evaluator and this limit."""
    players = (f"{name}(eval=weighted-lines, {limit})" for name in ("minmax-approximation", "alphabeta"))
    return lab.match("connect4", *players, pairs=pairs, openings=openings)


@study.part(
    "width-depth",
    "More samples or a ply more, at equal cost",
    """The thesis asks whether sampling more paths or looking deeper is better at equal cost; the survey's discussion of
    width against depth gives no numbers.""",
)
def width_depth(lab: ludus.Lab) -> None:
    game = lab.by(tiny="tictactoe", quick="othello(size=6)", full="othello(size=6)")
    for many, few in lab.each(lab.by(tiny=((4, 1),), quick=((32, 4),), full=((16, 2), (64, 8), (256, 32)))):
        wide = f"minimax(eval=sampler(first={many}, most={many}), depth=1)"
        deep = f"minimax(eval=sampler(first={few}, most={few}), depth=2)"
        played = lab.match(game, wide, deep, pairs=lab.by(tiny=1, quick=20, full=200), openings=4)
        convention = f"{many} playouts at depth 1, {few} at depth 2"
        lab.share(f"{game}: wide against deep", played, convention=convention)
        cost = [played.a_move(number, "generated") for number in (0, 1)]
        lab.number("nodes of the wide one for one of the deep one", cost[0] / max(cost[1], 1), convention=convention)
    lab.say(
        """Above one half, more samples are better than a ply more; the numbers of samples are such that both cost about
        the same, and the second row of each says how nearly.""",
    )
