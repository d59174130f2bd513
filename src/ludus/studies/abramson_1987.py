"""Abramson 1987, The expected-outcome model of two-player games: decision quality, samplers, learning, theory. No
lookahead is a search of depth 1: the player chooses among the positions after its moves. The thesis's lookahead k is
depth k + 1."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

import ludus

study = ludus.Study(
    "abramson-1987",
    "Abramson 1987, The expected-outcome model of two-player games",
    "How often the exact expected outcome errs over complete trees (Table 1); samplers against weighted squares on "
    "Othello (section 5.2.2); coefficients for Othello and chess learnt by regression, and tournaments of the "
    "published sets and ours (Tables 2 to 6); and the theorems of section 5.1. Draws count half unless a row says "
    "otherwise; disc differences leave empty squares out.",
)


def spread(values: Sequence[float]) -> float:
    """The standard deviation of a sample."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


# Decision quality (5.2.1).

EXACT = "expected-outcome(most=100000000)"
STANDARD = {"tictactoe": "open-lines", "othello": "weighted-squares"}
COMPLETE = {
    "tictactoe": {"decisions": 69945, "standard": 4384, "expected outcome": 676, "possible": 35859},
    "othello(size=4)": {"decisions": 69308, "standard": 3396, "expected outcome": 1632, "possible": 6632},
}
"""Table 1, the two complete trees."""
SUBTREES = {
    "tictactoe(size=4)": (
        (201179, 1924, 368, 52492),
        (188316, 2138, 328, 63983),
        (135123, 2510, 414, 28204),
        (130929, 2427, 394, 40942),
        (125303, 1672, 994, 40219),
        (124439, 3214, 1188, 38735),
        (108301, 4115, 382, 35539),
        (85887, 1613, 224, 30479),
        (72227, 2619, 328, 23336),
        (56395, 2118, 334, 24627),
    ),
    "othello(size=6)": (
        (1151130, 46221, 19513, 106136),
        (1119937, 11945, 3528, 29257),
        (856265, 59076, 14982, 114240),
        (840106, 66310, 20837, 150864),
        (834440, 38052, 14053, 84448),
        (826710, 83046, 22676, 175716),
        (458663, 26000, 10319, 59547),
        (377671, 14712, 5074, 35221),
        (210004, 11104, 5393, 24117),
        (196446, 11551, 3768, 22428),
    ),
}
"""The ten subtrees of each: decisions, errors of the standard evaluator and of the expected outcome, possible
errors."""
ACCURACY = {"tictactoe(size=4)": (0.923, 0.986), "othello(size=6)": (0.582, 0.834)}
"""Printed below Figures 5 and 6: of the standard evaluator, and of the expected outcome."""
RULES = {
    "leaves": ("first", "last", "some", "every", "none", "counted"),
    "draws": ("half", "first", "second", "score"),
    "passes": ("skipped", "counted", "forced"),
}
"""What the thesis leaves open, the obvious reading first; see docs/explanation/pathology.md."""
TIES = ("first", "last", "random", "best", "worst")


def standard(game: str) -> str:
    """The evaluator with which the expected outcome is compared."""
    return STANDARD[game.split("(")[0]]


def judged(game: str, names: Sequence[str], options: dict[str, Any], compiled: bool | None) -> dict[str, Any]:
    """Decisions and errors over a tree or several, ready for JSON."""
    found = ludus.quality(game, *names, compiled=compiled, nodes=20_000_000, **options)
    facts = found.to_dict()
    for row, each in zip(facts["evaluators"], found.judged, strict=True):
        row["ties"] = {ties: found.errors(each, ties) for ties in TIES}
    return facts


def open_choices(lab: ludus.Lab, game: str) -> list[dict[str, str]]:
    """The conventions that are tried: the obvious one; then each rule changed by itself, in full all together."""
    rules = {name: choices for name, choices in RULES.items() if name != "passes" or "othello" in game}
    obvious = {name: choices[0] for name, choices in rules.items()}
    single = [obvious | {name: other} for name, choices in rules.items() for other in choices[1:]]
    every = [dict(zip(rules, each, strict=True)) for each in itertools.product(*rules.values())]
    return lab.by(tiny=[obvious, single[0]], quick=[obvious, *single], full=[obvious, *every[1:]])


@study.part(
    "table-1",
    "Decision quality over complete trees",
    """Every node of the trees of 3x3 tic-tac-toe and 4x4 Othello, of which the best successor by minimax is no leaf,
    is a decision. Decisions, errors of the standard evaluator (open lines, weighted squares), errors of the expected
    outcome, possible errors: 69945, 4384, 676, 35859 and 69308, 3396, 1632, 6632.""",
)
def table_1(lab: ludus.Lab) -> None:
    small: dict[str, Any] = lab.by(tiny={"trees": 2, "after": 5}, quick={}, full={})
    games = lab.by(tiny=("tictactoe",), quick=tuple(COMPLETE), full=tuple(COMPLETE))
    told = []
    panels: dict[str, dict[str, list[Any]]] = {}
    for game in lab.each(games):
        paper, names = COMPLETE[game], (standard(game), EXACT)
        choices = open_choices(lab, game)
        found = lab.measure_all(judged, [(game, names, small | choice, lab.compiled) for choice in choices])
        for number, (choice, facts) in enumerate(zip(choices, found, strict=True)):
            tell_tree(
                lab, game, paper, facts, ", ".join(f"{name}={rule}" for name, rule in choice.items()), number == 0
            )
        told.append(fitting(game, paper, found, choices))
        for row in found[0]["evaluators"]:
            name = row["eval"].split("(")[0]
            panels.setdefault(game, {})[name] = by_ply(row)
            tell_end(lab, game, name, row, "the whole tree")
    lab.draw_lines(
        "Share of the possible errors that are made, by the ply of the tree",
        panels,
        **{"x": "plies from the start", "y": "errors made, of those possible"},
    )
    lab.say(
        *told,
        """The interval of a row of errors is what they are if ties always fall well, or always badly: a published
        number outside it cannot come from another rule for ties.""",
    )


def tell_tree(
    lab: ludus.Lab, game: str, paper: dict[str, int], facts: dict[str, Any], convention: str, by_ties: bool
) -> None:
    """The rows of one tree under one convention."""
    more = {"convention": convention}
    lab.exact(f"{game}: decisions", facts["decisions"], paper["decisions"], **more)
    lab.exact(f"{game}: possible errors", facts["possible"], paper["possible"], **more)
    for row, name in zip(facts["evaluators"], ("standard", "expected outcome"), strict=True):
        what = f"{game}: errors of {row['eval'].split('(')[0]}"
        lab.between(what, row["errors"], row["least"], row["most"], paper[name], **more)
        for ties in TIES[1:3] if by_ties else ():
            lab.between(
                what, row["ties"][ties], row["least"], row["most"], paper[name], convention=f"{convention}, ties={ties}"
            )
    if by_ties:
        lab.number(f"{game}: nodes of the tree", facts["nodes"])
        lab.number(f"{game}: leaves", facts["leaves"])


def fitting(game: str, paper: dict[str, int], found: Sequence[dict[str, Any]], choices: Sequence[Any]) -> str:
    """In words: the conventions under which each published number comes out."""
    names = {"decisions": 0, "possible": 0, "standard": 0, "expected outcome": 0}
    for facts in found:
        rows = dict(zip(("standard", "expected outcome"), facts["evaluators"], strict=True))
        for name in names:
            values = [facts[name]] if name in facts else list(rows[name]["ties"].values())
            names[name] += paper[name] in values
    told = ", ".join(f"{name} {paper[name]} under {count}" for name, count in names.items())
    slip = exchanged(paper["decisions"], found[0]["decisions"])
    return f"{game}, of {len(choices)} conventions for leaves, draws and passes, with any rule for ties: {told}.{slip}"


def exchanged(paper: int, ours: int) -> str:
    """A remark, if the paper's number has our digits in another order."""
    alike = paper != ours and sorted(str(paper)) == sorted(str(ours))
    return (
        f" The printed {paper} has the digits of our {ours} in another order: a slip of the pen, it seems."
        if alike
        else ""
    )


@study.part(
    "root-values",
    "The expected outcome of the two games, and open lines with one ply of lookahead",
    """A node's value is the mean over all random completions. "On 3-by-3 tic-tac-toe, a one ply lookahead is
    sufficient to force a DRAW" (appendix A).""",
)
def root_values(lab: ludus.Lab) -> None:
    for game in lab.each(lab.by(tiny=("nim(stones=5)",), quick=tuple(COMPLETE), full=tuple(COMPLETE))):
        value = Fraction(*lab.measure(root_value, game))
        lab.number(f"{game}: the expected outcome of the first position, from -1 to 1", float(value))
        lab.say(f"{game}: as a fraction it is {value.numerator}/{value.denominator}.")
    deepest = lab.by(tiny="minimax(eval=zero, depth=2)", quick=PERFECT, full=PERFECT)
    played = lab.match(
        "tictactoe", "minimax(eval=open-lines, depth=2)", deepest, pairs=lab.by(tiny=1, quick=4, full=36), openings=1
    )
    drawn = played.draws + played.wins[0]
    lab.count("tictactoe: games that open lines with one ply do not lose to perfect play", drawn, played.games, 1.0)
    options: dict[str, Any] = lab.by(tiny={"trees": 2, "after": 5}, quick={}, full={}) | {"lookahead": 1}
    facts = lab.measure(judged, "tictactoe", ("open-lines",), options, lab.compiled)
    before, after = facts["evaluators"][0]["lookaheads"]
    lab.exact(
        "tictactoe: errors of open lines with one ply of lookahead, against those without", after, before, relation="<"
    )


PERFECT = "minimax(eval=zero, depth=9)"


def root_value(game: str) -> list[int]:
    """The expected outcome of the first position, exactly: a numerator and a denominator."""
    value = expectation(ludus.game(game).position(), {})
    return [value.numerator, value.denominator]


def expectation(position: ludus.Position, known: dict[str, Fraction]) -> Fraction:
    """To the player to move: -1 if all random games are lost, 1 if all are won."""
    name = str(position.state)
    if name not in known:
        if position.is_over:
            known[name] = Fraction((position.score > 0) - (position.score < 0))
        else:
            after = [expectation(position.play(move), known) for move in position.moves.numbers]
            known[name] = -sum(after, Fraction(0)) / len(after)
    return known[name]


@study.part(
    "figures-5-6",
    "Ten subtrees each of 4x4 tic-tac-toe and 6x6 Othello",
    """After 7 random moves of 4x4 tic-tac-toe and 20 of 6x6 Othello. Of the possible errors the standard evaluators
    avoid 92.3 % and 58.2 % on average, the expected outcome 98.6 % and 83.4 %. "The decision quality of all tested
    functions deteriorated greatly as the tree was descended".""",
)
def figures_5_6(lab: ludus.Lab) -> None:
    panels: dict[str, dict[str, list[Any]]] = {}
    for game, after in lab.each(lab.by(tiny=(("tictactoe", 5),), quick=LATER, full=THESIS)):
        options = {"trees": lab.by(tiny=2, quick=4, full=10), "after": after}
        facts = lab.measure(judged, game, (standard(game), EXACT), options, lab.compiled)
        possible = [tree["possible"] for tree in facts["trees"]]
        for place, row in enumerate(facts["evaluators"]):
            name = row["eval"].split("(")[0]
            own = [1 - errors / most for errors, most in zip(row["trees"], possible, strict=True) if most]
            says: dict[str, Any] = {}
            if (game, after) in THESIS:
                theirs = [1 - tree[1 + place] / tree[3] for tree in SUBTREES[game]]
                says = {"paper": float(np.mean(theirs)), "paper_sd": spread(theirs), "paper_size": len(theirs)}
            convention = f"after {after} random moves"
            what = f"{game}: possible errors that {name} avoids, mean of the trees"
            lab.mean(what, own, **says, convention=convention)
            panels.setdefault(game, {})[name] = by_ply(row)
            tell_end(lab, game, name, row, convention)
    for game, printed in ACCURACY.items():
        whole = COMPLETE["tictactoe" if "tictactoe" in game else "othello(size=4)"]
        first = (whole["decisions"], whole["standard"], whole["expected outcome"], whole["possible"])
        for place, name in enumerate((standard(game), "expected-outcome")):
            shares = [1 - tree[1 + place] / tree[3] for tree in (first, *SUBTREES[game])]
            what = f"{game}: accuracy of {name} by Table 1 itself, eleven trees, against the caption's (rounded)"
            lab.exact(what, round(float(np.mean(shares)), 3), printed[place])
    lab.draw_lines(
        "Share of the possible errors that are made, by the ply of the tree",
        panels,
        **{"x": "plies from the start", "y": "errors made, of those possible"},
    )
    lab.say(
        "Trees after the same number of random moves, but not the thesis's: accuracies are compared, not counts.",
        """By Table 1 itself the expected outcome's accuracies are the captions'. Open lines avoid 92.4 %, not 92.3 %,
        and weighted squares 54.0 %, not 58.2 %: the captions are wrong by the thesis's own numbers.""",
    )


THESIS = (("tictactoe(size=4)", 7), ("othello(size=6)", 20))
LATER = (("tictactoe(size=4)", 7), ("othello(size=6)", 22))
"""Games and random moves before a tree."""


def by_ply(row: dict[str, Any]) -> list[Any]:
    """Points of the ply and the share of the possible errors that is made there."""
    return [(each["ply"], each["errors"] / each["possible"], None, None) for each in row["plies"] if each["possible"]]


def tell_end(lab: ludus.Lab, game: str, name: str, row: dict[str, Any], convention: str) -> None:
    """Whether more of the possible errors are made in the later half of the plies."""
    plies = [each for each in row["plies"] if each["possible"]]
    halves = plies[: len(plies) // 2], plies[len(plies) // 2 :]
    shares = [sum(e["errors"] for e in half) / max(sum(e["possible"] for e in half), 1) for half in halves]
    what = f"{game}: share of possible errors that {name} makes in the later half of the plies, against the earlier"
    lab.exact(what, shares[1], shares[0], relation=">", convention=convention)


# Samplers (5.2.2).


def board(lab: ludus.Lab) -> str:
    return lab.by(tiny="othello(size=4, empties=none)", quick="othello(empties=none)", full="othello(empties=none)")


def squares(weights: str, depth: int = 1) -> str:
    """A player by weighted squares: a set's name, or ten weights."""
    return f'alphabeta(eval=weighted-squares(weights="{weights}"), depth={depth})'


def sampler(settings: str) -> str:
    return f"minimax(eval=sampler({settings}), depth=1)"


def discs(played: Any, number: int = 0) -> list[float]:
    """The mean disc difference of each pair of games, to the first (0) or second (1) player."""
    scores = [score for score, _ in played.games_of(number)]
    return [(one + other) / 2 for one, other in zip(scores[::2], scores[1::2], strict=True)]


@study.part(
    "samplers",
    "Samplers against weighted squares on Othello, without lookahead",
    """The weak sampler (8 to 256 samples, tolerance .05) scores 189-191-20 in 400 games, and weighted squares has
    3.87 discs more (sd 14.69); the strong one (16 to 1024 samples) scores 48-2 in 50 games, with 21.58 discs more
    than weighted squares (sd 11.21). "Those that were able to derive estimates fairly quickly were soundly
    trounced".""",
)
def samplers(lab: ludus.Lab) -> None:
    sizes = lab.by(tiny={"weak": 2, "strong": 2}, quick={"weak": 20, "strong": 5}, full={"weak": 500, "strong": 100})
    for setting, share, games, mean, sd in lab.each(
        (("weak", 199, 400, 3.87, 14.69), ("strong", 48, 50, -21.58, 11.21))
    ):
        tiny = ", most=4, first=2" if lab.scale == "tiny" else ""
        for settings in (f"setting={setting}{tiny}", f"setting={setting}{tiny}, payoff=score, tolerance=1"):
            if lab.scale == "full" or "score" not in settings:
                pairs = sizes[setting] if "score" not in settings else 50
                played = lab.match(board(lab), sampler(settings), squares("A"), pairs=pairs, openings=6)
                paper = {"paper": share / games, "games": games} if "score" not in settings else {}
                lab.share(f"the {setting} sampler's share of the points", played, **paper, convention=settings)
                about = {"paper": mean, "paper_sd": sd, "paper_size": games} if paper else {}
                what = f"discs of weighted squares minus those of the {setting} sampler, in a game"
                lab.mean(what, discs(played, 1), **about, convention=settings)
    lines: dict[str, list[Any]] = {}
    counts = lab.by(tiny=(1,), quick=(1, 4, 16, 64), full=tuple(2**k for k in range(11)))
    for payoff, count in lab.each(itertools.product(("result", "score"), counts)):
        settings = f"first={count}, most={count}, draws=ignored, payoff={payoff}"
        pairs = lab.by(tiny=1, quick=10, full=50)
        played = lab.match(board(lab), sampler(settings), squares("A"), pairs=pairs, openings=6)
        fast: dict[str, Any] = {"paper": 0.5, "relation": "<"} if count <= 4 and payoff == "result" else {}
        row = lab.share(f"playouts for each move: {count}, by {payoff}", played, **fast)
        lines.setdefault(f"by {payoff}", []).append((count, row.measured, row.low, row.high))
    lab.draw_lines(
        "Share of the points of a sampler with a fixed number of playouts against weighted squares",
        {"": lines},
        **{"x": "playouts for each move", "y": "share of the points", "log": "x", "limits": (0, 1), "guide": 0.5},
    )
    lab.say(
        """The first comparison of the appendix, with -1, and `pass *= 2` are taken for slips: here the first estimate
        is compared with nothing, and the sample doubles.""",
        """That fast samplers lose is told of unnamed ones: the rows with up to four playouts stand for them.""",
        """The thesis does not say how its games began; ours begin with six random moves.""",
    )


def estimates(game: str, names: Sequence[str], first: int, count: int, compiled: bool | None) -> list[list[float]]:
    """Of positions near the end: for each move that does not end the game, what samplers say of it, and the truth."""
    made, found = ludus.game(game), []
    plies = made.length - 8 if made.length else 4
    players = [ludus.player(f"minimax(eval={name}, depth=1)", compiled=compiled) for name in (*names, EXACT)]
    for seed in range(first, first + count):
        position = made.position().wander(max(plies, 2), seed)
        told = [player.choose(position).children for player in players]
        found += [values for each in zip(*told, strict=True) if max(map(abs, values := [c.value for c in each])) <= 1]
    return found


@study.part(
    "stopping",
    "What stopping early does to an estimate; draws in random games",
    """Sampling stops when two estimates in a row agree. "The miniscule percentage (less than .5%) of DRAW leaves" in
    Othello.""",
)
def stopping(lab: ludus.Lab) -> None:
    known = "setting=weak, draws=half", "setting=strong, draws=half", "first=1024, most=1024"
    settings: tuple[str, ...] = lab.by(tiny=("first=2, most=4",), quick=known, full=known)
    names = [f"sampler({each})" for each in settings]
    game = lab.by(tiny="othello(size=4)", quick="othello(size=6)", full="othello(size=6)")
    found = lab.sample(estimates, lab.by(tiny=3, quick=100, full=1000), game, names)
    for place, name in enumerate(names):
        errors = [row[place] - row[-1] for row in found]
        outwards = [error if row[-1] >= 0 else -error for error, row in zip(errors, found, strict=True)]
        lab.mean("distance of an estimate from the exact expected outcome", list(map(abs, errors)), convention=name)
        lab.mean("how much farther from 0 the estimate is than the truth", outwards, convention=name)
        certain = [row[-1] for row in found if abs(row[place]) == 1]
        rash = sum(abs(truth) < 1 for truth in certain)
        lab.count("estimates of -1 or 1 where the truth is not", rash, len(certain), convention=name)
    played = lab.match(
        board(lab), "random", "random", pairs=lab.by(tiny=4, quick=1000, full=10_000), openings=8, seed=1
    )
    lab.count("share of random games of Othello that are drawn", played.draws, played.games, 0.005, relation="<")
    lab.say(
        "Values are from -1 to 1, twice the scale of the share of games won.",
        """A sample that has seen one kind of result only agrees with itself and stops: so the strong setting, whose
        first tolerance is 0, stops at 32 samples of 1 or -1.""",
    )


# Learning: Othello (5.2.3).

SETS: dict[str, tuple[float, ...]] = {
    "M": (64, -30, -40, 10, 5, 2, 5, 1, 5, 5),
    "A": (64, -30, -40, 10, 5, -3, 2, 1, 5, -2),
    "L1": (33.57, -4.83, -3.23, 3.84, 3.00, 1.79, 2.10, 1.00, 10.77, 1.62),
    "L2": (56.16, -7.38, -6.20, 6.63, 4.19, 3.13, 3.38, 1.00, 13.40, 3.87),
    "L3": (56.77, -5.59, -36.46, 5.88, 4.73, 2.75, 2.43, 1.00, 17.54, 1.67),
}
"""Table 2."""
CLASSES = [f"class-{number}" for number in range(1, 11)]


def regressions(
    game: str,
    targets: Sequence[str],
    features: Sequence[str],
    options: dict[str, Any],
    seed: int,
    compiled: bool | None,
) -> dict[str, Any]:
    """Coefficients of these features for each target, from the same positions, and how well they fit."""
    found = {}
    place = "".join(letter if letter.isalnum() else "-" for letter in game)
    for target in targets:
        how: dict[str, Any] = {"method": "regression", "workers": 1, "compiled": compiled, "only": features} | options
        learnt = ludus.learn(
            game, target=target, seed=seed, name=f"abramson-1987-{place}-{target}-{seed}", **how
        ).to_dict()
        rows = {row["feature"]: row for row in learnt["weights"]}
        found[target] = {
            "weights": [rows[name]["weight"] for name in features],
            "p": [rows[name]["p"] for name in features],
            "fit": learnt["fit"]["r2"],
        }
    return found


def othello_sets(lab: ludus.Lab) -> list[dict[str, Any]]:
    """Several regressions on positions of their own."""
    positions = lab.by(tiny=60, quick=1000, full=5000)
    options = {"positions": positions, "playouts": lab.by(tiny=2, quick=32, full="strong"), "depths": "middle"}
    seeds = range(lab.by(tiny=2, quick=3, full=5))
    calls = [(board(lab), ("win", "outcome", "margin"), CLASSES, options, seed, lab.compiled) for seed in seeds]
    return lab.measure_all(regressions, calls)


def scaled(weights: Sequence[float]) -> list[float]:
    """So that a corner, the surest coefficient, is worth 64, as in the designed sets."""
    return [64 * weight / weights[0] if weights[0] else weight for weight in weights]


@study.part(
    "table-2",
    "Othello: coefficients by regression",
    """5000 random positions, valued by the strong sampler; ten classes of squares. L1 and L2 estimate the share of
    games won without draws, L3 the disc difference. The fits are "somewhere in the (0.6,0.7) range"; every class
    contributes with a probability above .9999.""",
)
def table_2(lab: ludus.Lab) -> None:
    found = othello_sets(lab)
    for target, sets in lab.each((("win", ("L1", "L2")), ("outcome", ()), ("margin", ("L3",)))):
        fits = [each[target]["fit"] for each in found]
        convention = f"target {target}"
        lab.mean("R² of the regression, above 0.6", fits, 0.6, relation=">", convention=convention)
        lab.mean("R² of the regression, below 0.7", fits, 0.7, relation="<", convention=convention)
        certain = [sum(p is not None and p < 1e-4 for p in each[target]["p"]) for each in found]
        lab.mean("classes of ten that contribute with p < .0001", certain, convention=convention)
        weights = [scaled(each[target]["weights"]) for each in found]
        for place in range(10):
            own = [each[place] for each in weights]
            for name in sets if place else ():
                # One more regression like ours: its standard error is the standard deviation of ours.
                one = {"paper_sd": spread(own) * math.sqrt(len(own)), "paper_size": len(own)}
                what = f"class {place + 1}, where a corner is worth 64"
                lab.mean(what, own, scaled(SETS[name])[place], **one, convention=f"{convention}, {name}")
    unsure = sum(each[target]["weights"][7] <= 0 for each in found for target in ("win", "margin"))
    lab.say(
        """A row of a coefficient asks whether the published one may be one more of our regressions, by their spread.
        The values are to the player on the move, and there is a constant; the thesis's are to black.""",
        f"""The thesis takes class 8, the middle of the board, as its unit. In {unsure} of our {2 * len(found)}
        regressions for `win` and `margin` that coefficient is not above 0: so the corner is the unit here. L1 and L2,
        of two samples, differ by half.""",
    )


TABLE_3: dict[tuple[str, str], tuple[int, int, int, int, int, float]] = {
    ("A", "M"): (212, 181, 7, 12467, 11906, 19.77),
    ("M", "L1"): (196, 193, 11, 12088, 11750, 21.78),
    ("M", "L2"): (191, 198, 11, 12112, 11863, 22.88),
    ("A", "L1"): (213, 178, 9, 12267, 11613, 19.70),
    ("A", "L2"): (200, 184, 16, 12154, 11411, 19.77),
    ("L2", "L1"): (203, 186, 11, 12538, 11869, 22.25),
    ("L3", "M"): (252, 141, 7, 13564, 10856, 21.99),
    ("L3", "A"): (215, 176, 9, 12554, 11481, 20.39),
    ("L3", "L1"): (260, 132, 8, 13743, 10537, 19.99),
    ("L3", "L2"): (269, 124, 7, 13917, 10187, 21.01),
}
"""Of each match: wins, losses, draws, discs for and against the first, and the deviation of the difference."""
TABLE_4 = {
    "L3": (996, 573, 31, 53778, 43061, 10717),
    "A": (801, 658, 41, 48369, 47484, 875),
    "M": (709, 855, 36, 46962, 49644, -2682),
    "L2": (709, 846, 45, 45999, 50152, -4153),
    "L1": (689, 872, 39, 45769, 50636, -4867),
}
"""Wins, losses, draws, discs for and against, and their difference."""
TABLE_5 = {
    ("A", "M"): (0.85, -0.06, 2.86),
    ("M", "L1"): (0.6, -0.81, 2.50),
    ("M", "L2"): (0.4, -1.07, 2.32),
    ("A", "L1"): (0.9, 0.13, 3.14),
    ("A", "L2"): (0.94, 0.33, 3.38),
    ("L2", "L1"): (0.86, 0.03, 3.31),
    ("L3", "M"): (0.99, 5.18, 8.36),
    ("L3", "A"): (0.99, 1.17, 4.19),
    ("L3", "L1"): (0.99, 6.52, 9.51),
    ("L3", "L2"): (0.99, 7.74, 10.91),
}
"""The "(approximate)" significance, .99 also where it is above, and the ".95 ranges" of the disc difference."""


def sum_of_matches(name: str) -> tuple[int, ...]:
    """What Table 4 should have for a set, by Table 3."""
    total = np.zeros(5, int)
    for players, (wins, losses, draws, own, others, _) in TABLE_3.items():
        if name in players:
            first = name == players[0]
            total += (wins, losses, draws, own, others) if first else (losses, wins, draws, others, own)
    return (*map(int, total), int(total[3] - total[4]))


@study.part(
    "tables-4-5",
    "The thesis's own arithmetic",
    """Table 4 adds up the matches of Table 3; Table 5 has the range in which the true disc difference lies with
    probability .95.""",
)
def tables_4_5(lab: ludus.Lab) -> None:
    columns = ("wins", "losses", "draws", "discs for", "discs against", "difference")
    for name, printed in TABLE_4.items():
        for what, ours, theirs in zip(columns, sum_of_matches(name), printed, strict=True):
            lab.exact(f"Table 4, {name}: {what}, by Table 3", ours, theirs)
    widths = []
    for players, (significance, low, high) in TABLE_5.items():
        error = TABLE_3[players][5] / 20  # 400 games
        mean = (TABLE_3[players][3] - TABLE_3[players][4]) / 400
        widths.append((high - low) / 2 / error)
        what = f"Table 5, {players[0]} against {players[1]}: disc difference by Table 3, with its 95 % interval"
        lab.between(what, mean, mean - 1.96 * error, mean + 1.96 * error, None)
        real = math.erf(mean / error / math.sqrt(2))  # one less the two-sided p
        digits = 1 if significance in (0.4, 0.6, 0.9) else 2
        what = f"Table 5, {players[0]} against {players[1]}: significance by Table 3, rounded as printed"
        lab.exact(what, min(round(real, digits), 0.99), significance)
    lab.mean("half the width of the printed .95 ranges, in standard errors", widths, 1.96)
    lab.say("The printed ranges are too narrow for 95 %: of about 1.5 standard errors to each side.")


def pooled(matches: Sequence[tuple[Any, bool]]) -> list[int]:
    """The pentanomial counts of several matches, from the first player's side, or the second's if True."""
    return [sum((m.pairs[::-1] if turned else m.pairs)[i] for m, turned in matches) for i in range(5)]


def tell_match(lab: ludus.Lab, names: tuple[str, str], weights: tuple[str, str], convention: str) -> list[float]:
    """Two sets at four depths; gives the disc differences of pairs of games."""
    pairs = lab.by(tiny=2, quick=10, full=250)
    depths = lab.by(tiny=(1,), quick=(1, 2), full=(1, 2, 3, 4))
    matches = [
        lab.match(board(lab), squares(weights[0], d), squares(weights[1], d), pairs=pairs, openings=6) for d in depths
    ]
    more: dict[str, Any] = {"convention": convention}
    points: dict[str, Any] = {}
    margin: dict[str, Any] = {}
    if names in TABLE_3:
        wins, _, draws, own, others, sd = TABLE_3[names]
        points = {"paper": (wins + draws / 2) / 400, "games": 400}
        margin = {"paper": (own - others) / 400, "paper_sd": sd, "paper_size": 400}
    what = f"{names[0]} against {names[1]}"
    lab.share(f"{what}: share of the points", pooled([(match, False) for match in matches]), **points, **more)
    differences = [each for match in matches for each in discs(match)]
    lab.mean(f"{what}: disc difference", differences, **margin, **more)
    return [score for match in matches for score, _ in match.games_of(0)]


@study.part(
    "table-3",
    "Othello: the tournament",
    """400 games a pair, 100 each at lookahead 0, 1, 2 and 3, from fifty positions after six random moves. L3 is ahead
    of all others, which are about equal; sets with random coefficients "were trounced". The disc differences "are
    distributed normally".""",
)
def table_3(lab: ludus.Lab) -> None:
    depths = lab.by(tiny="depth 1", quick="depths 1 and 2", full="depths 1 to 4")
    matches = lab.by(tiny=list(TABLE_3)[6:7], quick=list(TABLE_3), full=list(TABLE_3))
    margins: list[float] = []
    for names in lab.each(matches):
        margins += tell_match(lab, names, names, f"published sets, {depths}")
    skew, flat, p = normality(margins)
    lab.number("skewness of the disc differences (normal: 0)", skew)
    lab.number("excess kurtosis of the disc differences (normal: 0)", flat)
    lab.exact("p that they are normal, by Jarque and Bera's test", p, 0.05, relation=">")
    random = np.random.default_rng(lab.seed)
    for name in lab.each(lab.by(tiny=("A",), quick=("A", "L2"), full=("A", "M", "L1", "L2"))):
        weights = ":".join(f"{weight:.2f}" for weight in random.uniform(-64, 64, 10))
        pairs = lab.by(tiny=2, quick=10, full=200)
        played = lab.match(board(lab), squares(weights), squares(name), pairs=pairs, openings=6)
        lab.share(f"random coefficients against {name}", played, 0.5, relation="<", convention=f"weights {weights}")
    lab.say(
        "Lookahead k is a search to depth k + 1. The published numbers are of all four lookaheads together.",
        """Jarque and Bera's test finds any skewness or kurtosis in thousands of games; that a sum of discs is bounded
        is enough.""",
    )


def normality(values: Sequence[float]) -> tuple[float, float, float]:
    """Skewness, excess kurtosis, and the p of Jarque and Bera's test (chi-square with two degrees of freedom)."""
    data = np.asarray(values, float)
    sd = data.std()
    unit = (data - data.mean()) / sd if sd > 0 else np.zeros(len(data))
    skew, flat = float((unit**3).mean()), float((unit**4).mean()) - 3
    return skew, flat, math.exp(-len(data) / 6 * (skew**2 + flat**2 / 4) / 2)


@study.part(
    "own-sets",
    "Othello: our own coefficients in the tournament",
    """The thesis's learnt sets played as well as the designed ones, and the one for the disc difference better.""",
)
def own_sets(lab: ludus.Lab) -> None:
    found = othello_sets(lab)[0]
    for target in lab.each(lab.by(tiny=("margin",), quick=("win", "margin"), full=("win", "outcome", "margin"))):
        weights = ":".join(f"{weight:.4g}" for weight in scaled(found[target]["weights"]))
        for name in lab.each(lab.by(tiny=("A",), quick=("A",), full=tuple(SETS))):
            tell_match(lab, (f"ours ({target})", name), (weights, name), f"weights {weights}")
    lab.say("The first of our regressions for each target; no other was tried in games.")


# Learning: chess (5.2.3).

MEN = ("pawn", "rook", "knight", "bishop", "queen")
RANKS = ("pawn", *(f"pawn-{rank}" for rank in range(3, 8)), *MEN[1:])
CHESS: dict[str, tuple[str, str, tuple[float, ...]]] = {
    "Chess1": ("outcome", "queen", (4.0, 4.8, 2.5, 3.3, 9.6)),
    "Chess2": ("win", "queen", (4.0, 4.9, 3.0, 3.7, 10.4)),
    "Chess3": ("outcome", "none", (1.0, 4.4, 1.5, 2.4, 6.8)),
    "Chess4": ("win", "none", (1.0, 5.6, 2.0, 3.0, 7.5)),
}
"""The target, what becomes of pawns, and the values of pawn, rook, knight, bishop and queen."""


@study.part(
    "chess-sets",
    "Chess: material by regression",
    """350 positions after 0 to 125 random moves. Draws count half or not at all; pawns become queens or are removed.
    Fits "in the neighborhood of 0.35". With promotion a pawn is worth 4 where a rook is worth 4.8; without, 1 where
    it is worth 4.4. 1000 positions "showed only slight perturbations". Pawns by rank might learn the accepted
    values.""",
)
def chess_sets(lab: ludus.Lab) -> None:
    if lab.scale == "tiny":
        tell_chess(lab, "queen", 12, 1, 1, "othello(size=4)")
        return
    sizes = lab.by(tiny=(), quick=((350, 4, 3),), full=((350, "strong", 3), (1000, 32, 3), (5000, 8, 3)))
    for (positions, playouts, repeats), promotion in lab.each(itertools.product(sizes, ("queen", "none"))):
        tell_chess(lab, promotion, positions, playouts, repeats, f"chess(promotion={promotion})")
    positions, playouts = lab.by(tiny=(12, 1), quick=(1000, 4), full=(5000, 8))
    options = {"positions": positions, "playouts": playouts, "depths": "uniform", "deepest": 125}
    found = lab.measure(regressions, "chess(promotion=queen)", ("outcome",), RANKS, options, 0, lab.compiled)
    values = dict(zip(RANKS, found["outcome"]["weights"], strict=True))
    unit = values["rook"] / 5
    for rank in range(2, 8):
        value = values["pawn"] + (values[f"pawn-{rank}"] if rank > 2 else 0.0)
        lab.number(f"pawns by rank: a pawn on rank {rank}, where a rook is worth 5", value / unit)
    lab.say(
        """Coefficients are compared in units of the rook, for the scales of the published sets differ. Values are to
        the player on the move, with a constant.""",
        """Few playouts make a noisy target, and a low R²: only with the strong sampler is it compared with the
        thesis's.""",
        """A pawn that is about to become a queen is worth most: by rank its value should rise, and that of one on its
        first square be nearer to 1.""",
    )


def tell_chess(lab: ludus.Lab, promotion: str, positions: int, playouts: int | str, repeats: int, game: str) -> None:
    """The rows of the two targets, with promotion or without."""
    options = {"positions": positions, "playouts": playouts, "depths": "uniform", "deepest": 125}
    features = MEN if game.startswith("chess") else CLASSES[:5]
    calls = [(game, ("outcome", "win"), features, options, seed, lab.compiled) for seed in range(repeats)]
    found = lab.measure_all(regressions, calls)
    for name, (target, promoted, printed) in CHESS.items():
        if promoted == promotion:
            convention = f"{positions:,} positions, {playouts} playouts"
            fits = [each[target]["fit"] for each in found]
            # With fewer playouts than the thesis's the target has more noise; else 0.35 is one more fit like ours.
            one: dict[str, Any] = {"paper_sd": spread(fits) * math.sqrt(len(fits)), "paper_size": len(fits)}
            says = {"paper": 0.35} | one if playouts == "strong" else {}
            lab.mean(f"{name}: R² of the regression", fits, **says, convention=convention)
            sets = [each[target]["weights"] for each in found]
            for place, man in enumerate(MEN):
                if man != "rook":
                    own = [weights[place] / weights[1] for weights in sets if weights[1]]
                    one = {"paper_sd": spread(own) * math.sqrt(max(len(own), 1)), "paper_size": max(len(own), 2)}
                    what = f"{name}: {man}, in units of the rook"
                    lab.mean(what, own, printed[place] / printed[1], **one, convention=convention)


TABLE_6 = {
    "Chess4": (1150, 686, 1664),
    "Chess0": (1152, 710, 1638),
    "Chess3": (1116, 696, 1688),
    "Chess2": (1111, 705, 1684),
    "Chess1": (1049, 710, 1741),
    "Chess7": (1047, 749, 1704),
    "Chess5": (947, 877, 1676),
    "Chess6": (79, 2518, 903),
}
"""Wins, losses and draws in 3500 games."""


@study.part(
    "table-6",
    "Chess: the tournament of eight material functions",
    """500 games a pair, no lookahead, no quiescence. Chess0 (Botvinnik) and Chess1 to Chess4 are within 62.5 points
    of 3500; equal values (Chess7) and random ones (Chess5) do nearly as well; random moves (Chess6) are trounced.""",
)
def table_6(lab: ludus.Lab) -> None:
    if lab.scale == "tiny":
        lab.number("sets", len(TABLE_6))  # a game of chess is too long to be interpreted
        return
    for depth in lab.each(lab.by(tiny=(), quick=(1,), full=(1, 2))):
        matches: dict[str, list[tuple[Any, bool]]] = {name: [] for name in TABLE_6}
        for one, other in lab.each(itertools.combinations(TABLE_6, 2)):
            players = (f"alphabeta(ties=random, eval=material(weights={name}), depth={depth})" for name in (one, other))
            pairs = lab.by(tiny=1, quick=4, full=250 if depth == 1 else 25)
            played = lab.match("chess(promotion=queen)", *players, pairs=pairs, openings=4)
            matches[one].append((played, False))
            matches[other].append((played, True))
        for name, (wins, _, draws) in TABLE_6.items():
            paper = {"paper": (wins + draws / 2) / 3500, "games": 3500} if depth == 1 else {}
            lab.share(f"{name}: share of the points", pooled(matches[name]), **paper, convention=f"depth {depth}")
    lab.say(
        "Moves that look equal are drawn by lot: else who cares for material alone shuffles one man to and fro.",
        "The thesis's games had no random opening that it tells of; ours have four random plies.",
    )


# Theory (5.1).


def formulas(part: str, trials: int, seed: int) -> list[dict[str, Any]]:
    """The rows of a part of the theory."""
    return [row.to_dict() for row in ludus.theory(part, trials=trials, seed=seed).rows]


def panels_of(part: str, trials: int) -> Any:
    """What is drawn of a part of the theory."""
    return ludus.theory(part, trials=trials).parts[0].panels


@study.part(
    "theory",
    "Section 5.1: minimax convergence, the last player, corollaries 1 and 2, theorem 2",
    """In a uniform tree with independent leaves the root's value converges to a quantile of the leaves, which depends
    on who moves last; so the tree whose quantile, or with equal spread whose mean, is larger is the better one.""",
)
def theory(lab: ludus.Lab) -> None:
    trials = lab.by(tiny=200, quick=5000, full=100_000)
    for part in lab.each(("convergence", "last-player", "quantiles")):
        for row in lab.measure(formulas, part, trials, lab.seed):
            lab.formula(row)
        lab.draw_panels(f"{part}: formulas and simulated trees", functools.partial(panels_of, part, min(trials, 5000)))
    lab.say(
        """Each formula as printed, and as derived, beside simulated trees (intervals of 99.9 %). `ludus theory -o
        theory.html` draws them over depth, branching and distribution of the leaves; docs/explanation/theory.md says
        what is wrong.""",
    )
