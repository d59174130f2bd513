"""Beyond the papers: every search of the package, each tuned, on five games at 100 to 100,000 nodes a move.

First each search is tuned: its own parameters and its evaluator's, by matches against alpha-beta, on openings of five
plies. Then all are ranked on openings of four plies, so that no reported game begins where a game of the tuning did;
random trees have other seeds. A search is called by its name alone: in a cell it takes part once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ludus

study = ludus.Study(
    "beyond",
    "Beyond the papers: every search, tuned, on five games",
    "What the papers' authors could not do: every search of the package, with its own parameters and its evaluator's "
    "tuned on other openings than those reported, on Othello, Connect Four, Kalah, Amazons (6x6, for the first "
    "position of 10x10 has 2,176 moves) and random trees of branching factor 10, at 100 to 100,000 nodes a move. Nodes "
    "are all calls of the rules that make a successor, the same for all; time is another matter.",
    of_paper=False,
)

BOARDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Othello": ("othello", ("mobility(corner=5)", "mobility(corner=20)")),
    "Connect Four": ("connect4", ("weighted-lines(three=20)", "weighted-lines(mover=0)")),
    "Kalah": ("kalah", ("seeds(home=0.2)", "seeds(capture=1)")),
    "Amazons 6x6": ("amazons(size=6)", ("territory-mobility(mobility=0.3)", "territory-mobility(mobility=3)")),
    "random trees": ("random-tree(branching=10)", ()),
}
"""Of each board, the game and other settings of its evaluator that are tried."""
TINY: dict[str, tuple[str, tuple[str, ...]]] = {"tic-tac-toe": ("tictactoe", ("weighted-lines",))}
ORDERED = "table=true, killers=true, history=true"
SETTINGS: dict[str, tuple[str, ...]] = {
    "alphabeta": (ORDERED, f"{ORDERED}, reductions=3", "razor=true"),
    "backup": ("rule=average", "rule=m-and-n", "rule=pmean", "rule=error"),
    "bandwidth": ("e=1.0, d=1.0", "e=4.0, d=4.0"),
    "bfmm": ("reuse=true",),
    "bstar": ("choice=palay",),
    "bstar-probability": ("doubt=0.1",),
    "conspiracy": ("threshold=3", "classes=32"),
    "expected-outcome": ("payoff=score",),
    "greedy": (),
    "halving": ("payoff=score",),
    "hybrid": ("margin=0.05", "bonus=0.3"),
    "lcf": ("reuse=true", "ties=literal"),
    "mgss": ("unit=successor", "unit=sets"),
    "minimax": ("free_forced=true",),
    "minimum-variance": ("first=greatest", "reuse=true"),
    "minmax-approximation": ("p=4.0", "p=25.0", "reuse=true"),
    "mtdf": ("killers=true, history=true", "killers=true, history=true, reductions=3"),
    "proof-number": ("depth_first=true",),
    "pvs": (ORDERED, f"{ORDERED}, reductions=3"),
    "quantile": ("playouts=16",),
    "random": (),
    "sampler": ("setting=weak", "payoff=score"),
    "scout": (ORDERED, f"{ORDERED}, reductions=3"),
    "selective-sampling": ("order=3", "temperature=0.5"),
    "solve": (),
    "sss": ("dual=true",),
    "uct": ("leaf=playout", "leaf=playout, rave=30.0", "c=0.4", "implicit=0.3"),
}
"""Of each search, the settings that are tried beside its default."""
QUICK = ("alphabeta", "bfmm", "conspiracy", "greedy", "lcf", "minimax", "minmax-approximation", "sampler", "sss", "uct")
BLIND = frozenset(
    ("expected-outcome", "halving", "proof-number", "quantile", "random", "sampler", "selective-sampling", "solve")
)
"""Those that ask no evaluator."""
FAMILY = ("alphabeta", "mtdf", "pvs", "scout")
"""Alpha-beta and what finds the same value by other windows."""

REFERENCE = "alphabeta"
"""Whom all are tuned against."""
MIDDLE = {"tiny": 30, "quick": 2_000, "full": 2_000}
"""At how many nodes a move they are tuned."""
WEAK = 0.1
"""A search whose default scores less than that is not tuned."""
FEW, MANY = {"tiny": 1, "quick": 1, "full": 12}, {"tiny": 1, "quick": 1, "full": 24}
"""Pairs of games for each setting, and further ones for the best two."""


def boards(lab: ludus.Lab) -> dict[str, tuple[str, tuple[str, ...]]]:
    quick = {name: BOARDS[name] for name in ("Connect Four", "random trees")}
    return lab.by(tiny=TINY, quick=quick, full=BOARDS)


def searches(lab: ludus.Lab) -> Sequence[str]:
    return lab.by(tiny=("alphabeta", "lcf", "random"), quick=QUICK, full=tuple(SETTINGS))


def spec(search: str, *settings: str) -> str:
    inside = ", ".join(each for each in settings if each)
    return f"{search}({inside})" if inside else search


def with_nodes(player: str, nodes: int) -> str:
    """A player with a budget for each move."""
    return f"{player[:-1]}, nodes={nodes})" if player.endswith(")") else f"{player}(nodes={nodes})"


# Tuning.


def scored(lab: ludus.Lab, game: str, players: Sequence[str], pairs: int) -> dict[str, Any]:
    """The matches of these players with the reference, of those that can play; who cannot, with the reason."""
    found: dict[str, Any] = {}
    nodes = MIDDLE[lab.scale]
    reasons = lab.why_not(game, players, f"nodes={nodes}")
    for player, why in zip(players, reasons, strict=True):
        both = with_nodes(player, nodes), with_nodes(REFERENCE, nodes)
        found[player] = why or lab.match(game, *both, pairs=pairs, openings=5, seed=1)
    return found


def tune(lab: ludus.Lab, board: str, search: str) -> tuple[str, Any, str]:
    """The best setting of a search, its match with the reference, and how it was found.

    The default first; if it is not too weak, the other settings; the better evaluator with the best of these; and then
    the best two once more. Where the default cannot play, the match is None and the words say why.
    """
    game, evaluators = boards(lab)[board]
    few, many = FEW[lab.scale], FEW[lab.scale] + MANY[lab.scale]
    played = scored(lab, game, [search], few)
    if isinstance(played[search], str):
        return search, None, played[search]
    if played[search].share < WEAK:
        return search, played[search], "not tuned: its default is too weak"
    own = [spec(search, setting) for setting in SETTINGS[search]]
    played |= scored(lab, game, own, few)
    inside = settings_in(ranked(played)[0])
    judges = () if search in BLIND else evaluators
    played |= scored(lab, game, [spec(search, inside, f"eval={each}") for each in judges], few)
    tried = sum(not isinstance(match, str) for match in played.values())
    last = scored(lab, game, ranked(played)[:2], many)
    chosen = ranked(last)[0]
    return chosen, last[chosen], f"the best of {tried} settings"


def settings_in(player: str) -> str:
    """What stands between the brackets of a player."""
    return player.partition("(")[2][:-1]


def ranked(played: dict[str, Any]) -> list[str]:
    """Those who have played, the best first; of equals, the one with more games, and then the earlier."""
    able = [name for name, match in played.items() if not isinstance(match, str)]
    return sorted(able, key=lambda name: (-played[name].share, -played[name].games))


def tuned(lab: ludus.Lab, board: str) -> dict[str, tuple[str, Any, str]]:
    """Of each search what `tune` gives."""
    lab.why_not(boards(lab)[board][0], searches(lab), f"nodes={MIDDLE[lab.scale]}")  # all at once, for both workers
    return {search: tune(lab, board, search) for search in lab.each(searches(lab))}


@study.part(
    "tuning",
    "Each search's own setting for each game",
    """Against alpha-beta as it is by default, 2,000 nodes each, openings of five random plies. Twelve pairs of games
    for the default, each setting of the search's table and two further settings of the evaluator; 24 more for the best
    two. A search whose default scores less than 10 % is not tuned.""",
)
def tuning(lab: ludus.Lab) -> None:
    for board in lab.each(boards(lab)):
        for search, (chosen, match, words) in tuned(lab, board).items():
            if match is not None:
                setting = settings_in(chosen) or "default"
                lab.share(f"{board}: {search} against {REFERENCE}", match, convention=f"{setting}; {words}")
    lab.say(
        "The share of a chosen setting is that of the best of several, so it is optimistic: the rankings are not.",
        "What is not in the table of settings was not tried; a setting that a game's rules do not allow is left out.",
    )


# Rankings.

BUDGETS: dict[str, dict[int, int]] = {
    "tiny": {20: 6},
    "quick": {100: 240, 1_000: 240},
    "full": {100: 1_600, 1_000: 1_600, 10_000: 800, 100_000: 200},
}
"""The most games of a cell, by nodes a move."""
PLACES = {10_000: 12, 100_000: 6}
"""How many take part at these budgets: the best of the next smaller one."""


def standings(lab: ludus.Lab) -> dict[str, dict[int, dict[str, Any]]]:
    """Of each board, at each budget, what a ranking gives; all boards are ranked at once."""
    taking = {
        board: {name: setting for name, (setting, match, _) in tuned(lab, board).items() if match is not None}
        for board in lab.each(boards(lab))
    }
    found: dict[str, dict[int, dict[str, Any]]] = {board: {} for board in taking}
    for nodes, games in lab.each(BUDGETS[lab.scale].items()):
        contests = [
            (boards(lab)[board][0], list(those.values()), f"nodes={nodes}", games) for board, those in taking.items()
        ]
        for board, cell in zip(taking, lab.rank(contests), strict=True):
            found[board][nodes] = cell
        following = PLACES.get(10 * nodes)
        if following:
            for board, those in taking.items():
                staying = survivors(found[board][nodes], following)
                taking[board] = {name: setting for name, setting in those.items() if name in staying}
    return found


def name_of(player: str) -> str:
    """The search of a player."""
    return player.split("(")[0]


def survivors(cell: dict[str, Any], places: int) -> set[str]:
    """Who goes on to the next budget: the best, alpha-beta, and those for whom this budget was too small."""
    best = [name_of(row["player"]) for row in cell["players"][:places]]
    return {*best, REFERENCE, *(name_of(each["player"]) for each in cell["excluded"])}


def hold(cell: dict[str, Any]) -> str:
    """How sure it is who is best in a cell."""
    if cell["separated"]:
        return "known to be the best"
    others = [name_of(each) for each in cell["unbeaten"] if each != cell["best"]]
    told = ", ".join(others) if len(others) <= FEW_NAMES else f"{len(others)} others"
    return f"leads; not beaten: {told}" if others else "leads"


FEW_NAMES = 4
"""At most this many of those who are not beaten are named."""


def setting_of(player: str) -> str:
    """A player as it is named, without its budget."""
    return player.split(", nodes=")[0].split("(nodes=")[0] + (")" if ", nodes=" in player else "")


@study.part(
    "who-is-best",
    "Who is best where",
    """Each cell is a ranking as `ludus rank` makes it, of the tuned searches. All take part at 100 and 1,000 nodes, the
    best twelve of these at 10,000 and the best six of those at 100,000; alpha-beta always does.""",
)
def who_is_best(lab: ludus.Lab) -> None:
    found = standings(lab)
    for board, cells in found.items():
        for nodes, cell in cells.items():
            for place, row in enumerate(cell["players"][:3]):
                words = hold(cell) if place == 0 else f"place {place + 1}"
                what = f"{board}, {nodes:,} nodes: Elo of {name_of(row['player'])}"
                lab.between(what, row["rating"], row["low"], row["high"], None, convention=words, size=row["games"])
    budgets = list(BUDGETS[lab.scale])
    lab.table(
        "Who is best where: the leader of each cell, its Elo above the mean of the cell with the 95 % interval; a star "
        "where it is known to be the best of all who took part",
        ["", *(f"{nodes:,} nodes" for nodes in budgets)],
        [[board, *(told(cells[nodes]) for nodes in budgets)] for board, cells in found.items()],
    )
    lab.draw_lines(
        "Elo above alpha-beta, tuned, by nodes a move: all who are among the best three somewhere",
        {board: curves(cells) for board, cells in found.items()},
        **{"x": "nodes a move", "y": "Elo above alpha-beta", "log": "x", "guide": 0.0},
    )
    lab.say(*overview(found))


def told(cell: dict[str, Any]) -> str:
    """A cell of the table of leaders."""
    if not cell["players"]:
        return "nobody can play"
    row = cell["players"][0]
    star = "*" if cell["separated"] else ""
    return f"{setting_of(row['player'])}{star} {row['rating']:+.0f} ({row['low']:+.0f} … {row['high']:+.0f})"


def curves(cells: dict[int, dict[str, Any]]) -> dict[str, list[Any]]:
    """Of each search that is among the best three somewhere: its Elo above alpha-beta's, by nodes a move."""
    shown = {name_of(row["player"]) for cell in cells.values() for row in cell["players"][:3]} - {REFERENCE}
    lines: dict[str, list[Any]] = {}
    for nodes, cell in cells.items():
        ratings = {name_of(row["player"]): row for row in cell["players"]}
        if REFERENCE in ratings:
            zero = ratings[REFERENCE]["rating"]
            for name in sorted(shown & ratings.keys()):
                row = ratings[name]
                lines.setdefault(name, []).append((nodes, *(row[key] - zero for key in ("rating", "low", "high"))))
    return lines


def overview(found: dict[str, dict[int, dict[str, Any]]]) -> list[str]:
    """How often each leads, and who could not take part."""
    leaders: dict[str, int] = {}
    costly: dict[str, list[str]] = {}
    for board, cells in found.items():
        for nodes, cell in cells.items():
            if cell["players"]:
                leader = name_of(cell["players"][0]["player"])
                leaders[leader] = leaders.get(leader, 0) + 1
            if cell["excluded"]:
                names = ", ".join(name_of(each["player"]) for each in cell["excluded"])
                costly.setdefault(board, []).append(f"{names} at {nodes:,} nodes")
    counts = ", ".join(f"{name} {count}" for name, count in sorted(leaders.items(), key=lambda item: -item[1]))
    known = sum(cell["separated"] for cells in found.values() for cell in cells.values())
    total = sum(len(cells) for cells in found.values())
    out = "; ".join(f"on {board} {' and '.join(lists)}" for board, lists in costly.items())
    return [
        f"Cells led: {counts}; the best is known in {known} of {total}.",
        f"Left out, because the first move costs more than twice the budget: {out}." if out else "",
    ]


# Findings.

REAL = ("Othello", "Connect Four", "Kalah", "Amazons 6x6", "tic-tac-toe")
EVERYWHERE = (*REAL, "random trees")
SAMPLERS = ("halving", "quantile", "sampler", "selective-sampling")
ONE_BY_ONE = ("bfmm", "bstar", "bstar-probability", "conspiracy", "lcf", "mgss", "minmax-approximation")
EXPECTED: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "No search that grows its tree a leaf at a time plays a real game better than alpha-beta (Utgoff & Cochran 2001, "
    "section 6)": ((REFERENCE,), ONE_BY_ONE, REAL),
    "On random trees best-first search is far ahead of alpha-beta (Figures 3 and 4 of the same paper)": (
        ("bfmm", "lcf"),
        (REFERENCE,),
        ("random trees",),
    ),
    "Monte Carlo tree search is ahead of what came before it": (
        ("uct",),
        ("backup", "conspiracy", "greedy", "hybrid", "minimax", "sss", *ONE_BY_ONE, *SAMPLERS),
        EVERYWHERE,
    ),
    "The refinements of alpha-beta are ahead of alpha-beta": (("mtdf", "pvs", "scout"), (REFERENCE,), EVERYWHERE),
    "Who only plays at random to the end is behind whoever asks an evaluator and looks ahead": (
        ("alphabeta", "bfmm", "lcf", "minimax"),
        SAMPLERS,
        EVERYWHERE,
    ),
    "LCF, the later of the two, is ahead of best-first minimax in real games": (("lcf",), ("bfmm",), REAL),
    "Full width without alpha-beta's cut-offs, by minimax or another rule to back values up, is behind alpha-beta": (
        (REFERENCE,),
        ("backup", "hybrid", "minimax"),
        EVERYWHERE,
    ),
}
"""What one might expect: who is better than whom, and on which boards."""
CONFIRMING = {100: 200, 1_000: 200, 10_000: 100, 100_000: 20}
"""Pairs of fresh games, by nodes a move."""


def contradictions(found: dict[str, dict[int, dict[str, Any]]]) -> list[tuple[float, str, str, int, str, str]]:
    """Of each expectation the cell that contradicts it most, the clearest first: how far the interval of the supposedly
    weaker player is above that of the other, in Elo; what was expected; the cell; and the two."""
    clearest = []
    for words, (better, worse, where) in EXPECTED.items():
        cases = []
        for board in where:
            for nodes, cell in found.get(board, {}).items():
                rows = {name_of(row["player"]): row for row in cell["players"]}
                for one in rows.keys() & set(worse):
                    for other in rows.keys() & set(better):
                        players = (setting_of(rows[one]["player"]), setting_of(rows[other]["player"]))
                        cases.append((rows[one]["low"] - rows[other]["high"], words, board, nodes, *players))
        clearest += [max(cases)] if cases else []
    return sorted(clearest, reverse=True)


def command_line(game: str, first: str, second: str, **flags: int) -> str:
    """The command that plays a match again."""
    given = " ".join(f"{2 * '-'}{flag} {value}" for flag, value in flags.items())
    return f'ludus match "{game}" "{first}" "{second}" {given}'


@study.part(
    "findings",
    "The three most surprising findings",
    """What one might expect is written down in the study as who should be better than whom. Of each expectation the
    cell is taken that contradicts it most in the rankings, and the two meet again in fresh games. Here "paper" is the
    expectation: that who should be worse scores less than one half.""",
)
def findings(lab: ludus.Lab) -> None:
    surprises = []
    for _, words, board, nodes, one, other in lab.each(
        contradictions(standings(lab))[: lab.by(tiny=1, quick=3, full=5)]
    ):
        game = boards(lab)[board][0]
        pairs = lab.by(tiny=1, quick=10, full=CONFIRMING.get(nodes, 1))
        first, second = with_nodes(one, nodes), with_nodes(other, nodes)
        played = lab.match(game, first, second, pairs=pairs, seed=2)
        what = f"{board}, {nodes:,} nodes: {one} against {other}"
        row = lab.share(what, played, 0.5, relation="<", convention=words)
        command = command_line(game, first, second, games=2 * pairs, seed=lab.seed + 2)
        told = (
            f"{words}? On {board} at {nodes:,} nodes a move `{one}` scores {100 * (row.measured or 0):.0f} % "
            f"({100 * (row.low or 0):.0f} … {100 * (row.high or 0):.0f}) of {played.games} fresh games against "
            f"`{other}`: `{command}`."
        )
        surprises.append((row.low or 0.0, row.agrees is False, told))
    surprises.sort(reverse=True)
    confirmed = [told for _, surprising, told in surprises if surprising][:3]
    lab.say(*(f"({number}) {told}" for number, told in enumerate(confirmed, 1)))
    if len(confirmed) < 3:
        lab.say(f"Only {len(confirmed)} of the contradictions that were looked at held in fresh games.")
