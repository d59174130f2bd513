"""Abramson 1985, An explanation of and cure for minimax pathology: board splitting under N(g), Y(g) and R(g).

V splits the board into columns and wants a 0, H splits it into rows and wants a 1; level L of the tree is reached after
L moves, V moves at even levels. Values are to H: V takes the least, H the largest. All boards of a level are held in
one array, so a game costs a few look-ups, and every lookahead is played on the same boards.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ludus

study = ludus.Study(
    "abramson-1985",
    "Abramson 1985, An explanation of and cure for minimax pathology",
    "Games of board splitting in which one player looks 0 plies ahead and the other k, under the number of 1's N(g), "
    "under Y(g), which sees some forced wins, and under random values R(g); the quality of the first decision; and the "
    "formulas of section 3.1. The player on the move at level L looks at boards of level min(L + 1 + k, 2(D - 1)), and "
    "from that level on both play perfectly. The paper's figures have lost their axes; it names only one of three "
    "board sizes, 3^6, so the others are looked for.",
)

Values = dict[int, np.ndarray]
"""Of each level, the values of all its boards: [row of boards, column of boards]."""

BASE = ("first", "mover")
CONVENTIONS = {
    BASE: "ties to the first, k counted from the player's move",
    ("random", "mover"): "ties at random",
    ("first", "start"): "k counted from the initial position",
}


# One board, all at once.


def merged(both: Any, values: np.ndarray, b: int, axis: int) -> np.ndarray:
    """Every b neighbours along an axis made into one."""
    parts = (values[i::b] if axis == 0 else values[:, i::b] for i in range(b))
    return np.asarray(functools.reduce(both, parts))


def up(values: np.ndarray, level: int, b: int) -> np.ndarray:
    """The minimax values of a level, from those of the next one: V takes a column of boards, H a row."""
    return merged(np.maximum, values, b, 0) if level % 2 else merged(np.minimum, values, b, 1)


def ones(board: np.ndarray, b: int, d: int) -> Values:
    """N(g), the number of 1's, of all boards of levels 0 to 2(D-1)."""
    found = {2 * d: board.astype(np.int32)}
    for level in range(2 * d - 1, -1, -1):
        found[level] = merged(np.add, found[level + 1], b, level % 2 == 0)
    return {level: found[level] for level in range(2 * d - 1)}


def traps(board: np.ndarray, b: int, d: int) -> Values:
    """Y(g): the same, but all squares of the first board where H has a row or, on a square, the main diagonal of 1's,
    and minus as much where V has a column of 0's."""
    found, most = ones(board, b, d), board.size
    full, empty = board, np.ascontiguousarray(~board.T)  # rows of 1's and columns of 0's, of boards ever larger
    for level in range(2 * d - 1, -1, -1):
        full = full if level % 2 else merged(np.logical_and, full, b, 1)
        empty = merged(np.logical_and, empty, b, 1) if level % 2 else empty
        if level <= 2 * (d - 1):
            down, across = found[level].shape
            won = full.reshape(down, -1, across).any(axis=1)
            lost = empty.reshape(across, -1, down).any(axis=1).T
            if level % 2 == 0:
                place = np.arange(len(board) // down)
                squares = board.reshape(down, len(place), across, len(place))
                won |= squares[:, place, :, place].all(axis=0)
            found[level] = np.where(won, most, np.where(lost, -most, found[level]))
    return found


def truth(board: np.ndarray, b: int, d: int) -> Values:
    """Whether H wins, of all boards of levels 0 to 2(D-1)."""
    found = {2 * d: board}
    for level in range(2 * d - 1, -1, -1):
        found[level] = up(found[level + 1], level, b)
    return {level: found[level] for level in range(2 * d - 1)}


def noise(random: np.random.Generator, b: int, d: int) -> Values:
    """R(g): random values."""
    return {level: random.random((b ** (level // 2), b ** ((level + 1) // 2))) for level in range(2 * d - 1)}


EVALUATORS: dict[str, Callable[[np.ndarray, int, int], Values]] = {"N": ones, "Y": traps}


def backed_up(tips: Values, b: int) -> dict[int, Values]:
    """Of each level of tips, the minimax values of the levels above it and their own."""
    found: dict[int, Values] = {}
    for tip, values in tips.items():
        found[tip] = {tip: values}
        for level in range(tip - 1, 0, -1):
            values = up(values, level, b)
            found[tip][level] = values
    return found


class Game:
    """A game on one board, as one evaluator sees it."""

    def __init__(
        self, b: int, d: int, tips: Values, won: Values, how: tuple[str, str], random: np.random.Generator
    ) -> None:
        self.b, self.end, self.won, self.random = b, 2 * (d - 1), won, random
        self.ties, self.origin = how
        self.values = backed_up(tips, b)

    def tip(self, level: int, k: int) -> int:
        """The level of the boards that are evaluated with a lookahead of k."""
        seen = level + 1 + k if self.origin == "mover" else max(level + 1, level - level % 2 + k)
        return min(seen, self.end)

    def choice(self, level: int, row: int, column: int, k: int) -> int:
        """Which section is kept."""
        seen = self.children(self.values[self.tip(level, k)][level + 1], level, row, column)
        seen = seen if level % 2 else -seen
        if self.ties == "random":
            return int(self.random.choice(np.flatnonzero(seen == seen.max())))
        return int(seen.argmax())

    def children(self, values: np.ndarray, level: int, row: int, column: int) -> np.ndarray:
        b = self.b
        return values[row * b : row * b + b, column] if level % 2 else values[row, column * b : column * b + b]

    def play(self, looker: int, k: int) -> tuple[bool, bool | None]:
        """Whether the player who looks k ahead, V (0) or H (1), wins; and whether her first choice was right, which is
        None where all are equally good."""
        row = column = 0
        right = None
        for level in range(self.end):
            mine = level % 2 == looker
            place = self.choice(level, row, column, k if mine else 0)
            if level == looker:
                wins = self.children(self.won[level + 1], level, row, column) == bool(looker)
                right = bool(wins[place]) if wins.any() and not wins.all() else None
            row, column = (row * self.b + place, column) if level % 2 else (row, column * self.b + place)
        return bool(self.won[self.end][row, column]) == bool(looker), right


def random_board(b: int, d: int, random: np.random.Generator) -> np.ndarray:
    """A board with the share of 1's that makes the game fair."""
    game: Any = ludus.game("board-splitting", branching=b, rounds=1)
    return random.random((b**d, b**d), dtype=np.float32) < game.p


def games(
    b: int, d: int, names: str, how: tuple[str, str], first: int, count: int, compiled: bool | None
) -> list[list[str]]:
    """Of each board, for each evaluator and player, V and H: a digit for each k, 1 if the player wins; and then for
    the first decisions, 1 if right, 0 if wrong, - if there is no difference."""
    found = []
    for seed in range(first, first + count):
        random = np.random.default_rng((seed, b, d))
        board = random_board(b, d, random)
        won = truth(board, b, d)
        row = []
        for name in names:
            tips = noise(random, b, d) if name == "R" else EVALUATORS[name](board, b, d)
            game = Game(b, d, tips, won, how, random)
            for looker in (0, 1):
                played = [game.play(looker, k) for k in range(2 * d - 1)]
                row.append("".join(str(int(win)) for win, _ in played))
                row.append("".join("-" if right is None else str(int(right)) for _, right in played))
        found.append(row)
    return found


# Tables of results.

PLAYERS = ("V", "H")
Table = dict[tuple[str, str], np.ndarray]
"""By evaluator and player: a row for each board, a column for each k."""


def results(
    lab: ludus.Lab, b: int, d: int, how: tuple[str, str] = BASE, names: str = "NYR", count: int | None = None
) -> tuple[Table, Table]:
    """Games won, and first decisions that were right, of boards on which there is a right and a wrong one."""
    count = count or lab.by(tiny=40, quick=250, full=10_000)
    found = lab.sample(games, count, b, d, names, how, size=lab.by(tiny=40, quick=25, full=100))
    wins: Table = {}
    rights: Table = {}
    for place, key in enumerate((name, player) for name in names for player in PLAYERS):
        wins[key] = np.array([[digit == "1" for digit in row[2 * place]] for row in found])
        rights[key] = np.array(
            [[digit == "1" for digit in row[2 * place + 1]] for row in found if row[2 * place + 1][0] != "-"]
        ).reshape(-1, 2 * d - 1)
    return wins, rights


def sizes(lab: ludus.Lab) -> tuple[tuple[int, int], ...]:
    """The B and D of the boards: a ten move game is D = 5, and the paper names 3^6."""
    return lab.by(tiny=((2, 3),), quick=NAMED, full=NAMED)


NAMED = ((2, 5), (3, 5), (4, 5), (3, 6))
OTHERS = ((4, 4), (2, 6), (2, 7), (2, 8), (2, 9))
"""Further sizes that figures 2, 3, 4 and 6 might have."""


def board_name(b: int, d: int) -> str:
    return f"{b}^{d}"


def chains(d: int) -> list[range]:
    """Even and odd k's: odd ones are not compared with even ones, in the paper neither."""
    return [range(0, 2 * d - 1, 2), range(1, 2 * d - 1, 2)]


def deepest(d: int, odd: bool) -> int:
    """The largest even or odd k of the figures."""
    return 2 * d - 3 if odd else 2 * d - 2


FIGURES: dict[int, tuple[str, bool, int, int | None, int | None]] = {
    1: ("H", False, 66, 90, 5),
    2: ("H", True, 66, None, None),
    3: ("H", False, 65, None, None),
    4: ("H", True, 65, None, None),
    5: ("V", True, 70, 99, 5),
    6: ("V", False, 66, None, None),
}
"""Of each figure: whose lookahead varies, over odd k's or even ones, wins of 100 at the deepest under N and under Y,
and D, where the text says it. The captions name the player; that figures 2, 4 and 5 are the odd ones is our reading:
the text gives 8 plies for figure 1 and 7 for figure 5."""


@study.part(
    "figures-1-6",
    "Games won by the player who looks k plies ahead, of 100",
    """Six graphs for three pairs of B and D, each for N(g) and Y(g). At the deepest lookahead N(g) wins 66, 66, 65, 65,
    70 and 66; Y(g) wins 90 (H, 8 plies ahead in a ten move game, figure 1), and more and more as B and D grow, up to 99
    (V, 7 plies ahead in a ten move game, figure 5).""",
)
def figures(lab: ludus.Lab) -> None:
    panels: dict[str, dict[str, list[Any]]] = {}
    fits: dict[int, list[str]] = {}
    others = lab.by(tiny=(), quick=(), full=OTHERS)
    for b, d in lab.each((*sizes(lab), *others)):
        wins, _ = results(lab, b, d)
        for figure, (player, odd, under_n, under_y, known) in FIGURES.items():
            if known in (None, d) or lab.scale == "tiny":
                rows = [tell_wins(lab, figure, (b, d), wins, "N", under_n, BASE)]
                if under_y is not None:
                    rows.append(tell_wins(lab, figure, (b, d), wins, "Y", under_y, BASE))
                fits.setdefault(figure, [])
                if all(row.agrees for row in rows):
                    fits[figure].append(board_name(b, d))
            panel = panels.setdefault(f"{player}, {'odd' if odd else 'even'} k", {})
            for name in "NY":
                panel[f"{name}(g), {board_name(b, d)}"] = curve(wins[name, player], chains(d)[odd])
        if lab.scale != "tiny":
            tell_conventions(lab, b, d)
    lab.draw_lines(
        "Games won by the player who looks k plies ahead, against one who looks 0 ahead",
        panels,
        **{"x": "plies of lookahead, k", "y": "share of games won", "limits": (0.4, 1)},
    )
    told = "; ".join(f"figure {figure}: {', '.join(names) or 'none'}" for figure, names in fits.items())
    lab.say(
        f"Boards whose wins at the deepest lookahead the test does not tell from the paper's: {told}.",
        """The paper's 66 of 100 has a standard error of five games, so N(g) alone fits many boards; Y(g) tells them
        apart.""",
        """H's last two even points are the same games if k is counted from the player's own move: both look at level
        2(D - 1).""",
    )


def tell_wins(
    lab: ludus.Lab, figure: int, size: tuple[int, int], wins: Table, name: str, paper: int, how: tuple[str, str]
) -> Any:
    """A row: the games that the looking player of a figure wins at the deepest lookahead."""
    player, odd = FIGURES[figure][:2]
    k = deepest(size[1], odd)
    won = wins[name, player][:, k]
    what = f"figure {figure}: {player}, the deepest {'odd' if odd else 'even'} lookahead, under {name}(g)"
    convention = f"{board_name(*size)}, k = {k}, {CONVENTIONS[how]}"
    return lab.count(what, int(won.sum()), len(won), paper / 100, paper_size=100, convention=convention)


def tell_conventions(lab: ludus.Lab, b: int, d: int) -> None:
    """Figures 1 and 5 again, under the other readings."""
    for how in list(CONVENTIONS)[1:]:
        for figure in (1, 5):
            if d == FIGURES[figure][4]:
                count = lab.by(tiny=10, quick=100, full=1000)
                wins, _ = results(lab, b, d, how, "NY", count)
                tell_wins(lab, figure, (b, d), wins, "N", FIGURES[figure][2], how)
                tell_wins(lab, figure, (b, d), wins, "Y", FIGURES[figure][3] or 0, how)


def curve(table: np.ndarray, places: Sequence[int]) -> list[Any]:
    """Points of k and the mean, with the interval of a share of this number."""
    means, error = table.mean(axis=0), 1.96 / (2 * max(len(table), 1) ** 0.5)
    return [(k, float(means[k]), float(means[k]) - error, float(means[k]) + error) for k in places]


LEVEL = 0.05
"""Of the test of monotonicity."""


def is_claimed(b: int, d: int, name: str) -> str | None:
    """What the paper says of the p of a fall: "<" for pathology, ">" for none, None where it says nothing."""
    if name == "Y":
        return ">"
    return None if name == "R" else "<" if b**d >= 3**6 else ">"


def tell_falls(lab: ludus.Lab, what: str, tables: Table, b: int, d: int, claimed: bool) -> list[str]:
    """Rows with the test of monotonicity for every evaluator and player; gives the clear falls in words."""
    clear = []
    for (name, player), table in tables.items():
        if len(table) < 2:
            continue
        test = ludus.monotonicity(table, chains(d), seed=lab.seed)
        relation = is_claimed(b, d, name) if claimed else None
        says: dict[str, Any] = {"paper": LEVEL, "relation": relation} if relation else {}
        where = f"{board_name(b, d)}, {player}, {name}(g)"
        lab.exact(f"{where}: p of the clearest fall of {what} as k grows", test.p, **says)
        fall = table[:, test.fall.earlier].astype(float) - table[:, test.fall.later]
        lab.mean(f"{where}: the clearest fall, from k = {test.fall.earlier} to {test.fall.later}", fall.tolist())
        lab.number(f"{where}: a fall that would show in 4 cases of 5", test.detectable)
        if test.falls:
            clear.append(f"{where} (k = {test.fall.earlier} to {test.fall.later}: {100 * test.fall.drop:.1f} points)")
    return clear


@study.part(
    "pathology",
    "Do the curves fall by more than noise?",
    """Nonpathological curves do not fall. N(g) falls nowhere in figures 1 and 2; "it was not until the board size
    reached 3^6 by 3^6 that pathology appeared"; "Y(g) did not behave pathologically for any of the cases tested".""",
)
def pathology(lab: ludus.Lab) -> None:
    clear = []
    for b, d in lab.each(sizes(lab)):
        wins, _ = results(lab, b, d)
        clear += tell_falls(lab, "the games won", wins, b, d, True)
        for name in "NY":
            for player in PLAYERS:
                shares = bumpy(wins[name, player], d, lab.seed)
                what = f"{board_name(b, d)}, {player}, {name}(g): curves of 100 games that fall somewhere"
                lab.count(what, int(shares.sum()), len(shares))
    lab.say(
        f"Falls of the share of games won that the test calls more than noise: {'; '.join(clear) or 'none'}.",
        f"""The level is {LEVEL:g} for each curve, corrected for the pairs of k's but not for the number of curves:
        one in twenty curves that do not fall is called so.""",
        """The last rows of each board draw 100 of our boards again and again: so often do curves of 100 games fall
        somewhere, whatever the true ones do. Where that is often, a fall in one of the paper's graphs says little.""",
    )


def bumpy(table: np.ndarray, d: int, seed: int, draws: int = 400) -> np.ndarray:
    """Of samples of 100 boards, whether the even or the odd curve falls somewhere."""
    random = np.random.default_rng(seed)
    found = np.zeros(draws, bool)
    for draw in range(draws):
        means = table[random.integers(len(table), size=100)].mean(axis=0)
        found[draw] = any((np.diff(means[list(chain)]) < 0).any() for chain in chains(d))
    return found


@study.part(
    "decisions",
    "The first decision: does looking deeper make it better?",
    """Pathology is defined by decisions: "searching deeper decreases the probability of making a correct move". The
    paper counts games only.""",
)
def decisions(lab: ludus.Lab) -> None:
    clear = []
    panels: dict[str, dict[str, list[Any]]] = {player: {} for player in PLAYERS}
    for b, d in lab.each(sizes(lab)):
        _, rights = results(lab, b, d)
        clear += tell_falls(lab, "right first decisions", rights, b, d, False)
        for (name, player), table in rights.items():
            if len(table):
                last = 2 * d - 2
                for k in (0, last - 1, last):
                    what = f"{board_name(b, d)}, {player}, {name}(g): right first decisions, k = {k}"
                    lab.count(what, int(table[:, k].sum()), len(table))
                panels[player][f"{name}(g), {board_name(b, d)}"] = curve(table, range(last + 1))
    lab.draw_lines(
        "Share of right first decisions, where a right and a wrong one exist",
        panels,
        **{"x": "plies of lookahead, k", "y": "right decisions"},
    )
    lab.say(
        f"Falls of right first decisions that the test calls more than noise: {'; '.join(clear) or 'none'}.",
        """Games are won by later moves, too, and these see the end however short the lookahead is; the first decision
        is where noise that minimax amplifies should show.""",
    )


# Section 3.1.


def formulas(part: str, trials: int, seed: int) -> list[dict[str, Any]]:
    """The rows of a part of the theory."""
    return [row.to_dict() for row in ludus.theory(part, trials=trials, seed=seed).rows]


def tell_formulas(lab: ludus.Lab, part: str) -> None:
    trials = lab.by(tiny=400, quick=20_000, full=200_000)
    for row in lab.measure(formulas, part, trials, lab.seed):
        lab.formula(row)
    shown = min(trials, 20_000)
    words = "Formulas, as printed and as derived, and simulated boards"
    lab.draw_panels(words, lambda: ludus.theory(part, trials=shown, seed=lab.seed).parts[0].panels)


@study.part(
    "errors",
    "Section 3.1: E(R,k), E(N,k) and its bounds",
    """An error is to choose a board that is no trap although there is one with a row of 1's. Printed are S, P, E(R,k),
    E(N,k), the bounds E(UB,k) and E(LB,k), the end of E(LB,k), a chain of inequalities between them, and that E(F,0)
    increases if and only if E(F,k) does. So N(g) should be pathological.""",
)
def errors(lab: ludus.Lab) -> None:
    tell_formulas(lab, "errors")
    lab.say(
        """Each formula as printed, and as derived from the paper's own definitions, beside simulated boards
        (intervals of 99.9 %); docs/explanation/theory.md says what is wrong with the printed ones.""",
        """S is printed for level k + 2; Pr[NNTI] counts boards with two full rows twice and takes the probability of
        a trap once too often; so E(UB,k) is no upper bound. The printed end of E(LB,k) is not what its formula
        gives.""",
    )


@study.part(
    "traps",
    "Are the traps that Y(g) sees below the critical density?",
    """P = 1 - (1 - p^S)^S is the share of boards with a row of 1's, and "thanks to symmetry" also of those with a
    column of 0's. So Y(g) sees traps with a density below 3P, which is below q_c = 1 - (1+B)^(1-1/B)/B even where S =
    B; that Y(g) is not pathological all the same is the paper's surprise.""",
)
def density(lab: ludus.Lab) -> None:
    tell_formulas(lab, "traps")
    lab.say(
        """There is no symmetry: p is below one half, so that columns of 0's are much more likely than rows of 1's.
        The traps that Y(g) sees at the last round are far above the critical density, and Pearl's theory foretells no
        pathology.""",
    )
