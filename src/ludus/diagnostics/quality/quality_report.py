"""What is told of decision quality: errors of evaluators over one tree or several, by ply, in words and drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ludus.common.notebook import pre
from ludus.common.texttable import WIDE, Column, lay_out, screen_width
from ludus.diagnostics.quality.decisions import CONVENTIONS, DECISIONS, ENDED, INNER, POSSIBLE, Convention, DecisionWalk
from ludus.model.budget import Budget
from ludus.model.evaluator import Evaluator
from ludus.model.playable import PlayableGame
from ludus.runtime.runner import Runner, interruptible

Announce = Callable[[str], None] | None


@dataclass(frozen=True)
class Walked:
    """One tree as one evaluator saw it; the arrays have a row for each ply of the tree."""

    counted: np.ndarray
    """Nodes that are not finished, finished games, decisions, possible errors."""
    errors: np.ndarray
    """By lookahead, and by tie rule in the order of `CONVENTIONS`."""
    stopped: str
    """`exhausted`: the whole tree; `nodes` or `depth`: it is larger than allowed; or `interrupted`."""

    @property
    def nodes(self) -> int:
        return int(self.counted[:, [INNER, ENDED]].sum())


class Judge:
    """Walks over trees with one evaluator."""

    def __init__(
        self,
        game: PlayableGame,
        evaluator: Evaluator,
        convention: Convention,
        lookahead: int,
        compiled: bool | None,
        announce: Announce,
    ) -> None:
        self.evaluator = evaluator
        rules = {name: convention.number(name) for name in ("leaves", "draws", "passes")}
        self.walk = DecisionWalk(lookahead, most=1, **rules)
        self.work = Runner(self.walk, game, evaluator.on(game), compiled, announce)

    @property
    def is_compiled(self) -> bool:
        return self.work.kernel is not None

    def see(
        self, game: PlayableGame, state: Any, nodes: int, progress: Callable[[int], None] = lambda seen: None
    ) -> Walked:
        """Walk over the tree below `state`, of at most this many nodes; `progress` is told how many were seen."""
        if self.walk.most != nodes or not self.work.rebind(game, self.evaluator.on(game)):
            compiled = None if self.is_compiled else False
            self.walk = DecisionWalk(**self.walk._arguments | {"most": nodes})
            self.work = Runner(self.walk, game, self.evaluator.on(game), compiled)
        with interruptible(self.work):
            stopped = self.work.run(
                state, Budget(), progress=lambda work: progress(int(work.tree.record.register[0].seen))
            )
        record = self.work.tree.record
        used = record.counted[:, [INNER, ENDED]].sum(axis=1) > 0
        plies = int(np.flatnonzero(used)[-1]) + 1 if used.any() else 1
        return Walked(record.counted[:plies].copy(), record.errors[:plies].copy(), stopped)


@dataclass
class Judged:
    """The errors of one evaluator over all trees."""

    evaluator: str
    trees: list[Walked] = field(default_factory=list)

    def sum(self, which: str, rule: int = 0, lookahead: int = 0) -> np.ndarray:
        """By ply, over all trees: `counted` in cell `rule`, or `errors` under tie rule `rule`."""
        total = np.zeros(max((len(tree.counted) for tree in self.trees), default=1))
        for tree in self.trees:
            found = tree.counted[:, rule] if which == "counted" else tree.errors[:, lookahead, rule]
            total[: len(found)] += found
        return total


@dataclass(repr=False)
class Quality:
    """How many of the possible errors each evaluator makes. `print` shows the tables, `save` draws errors by ply."""

    game: str
    seed: int
    convention: Convention
    lookahead: int
    after: int | None
    """Random plies before each tree; None: it is the tree of the whole game."""
    states: list[str] = field(default_factory=list)
    """Where the trees begin."""
    judged: list[Judged] = field(default_factory=list)
    left_out: int = 0
    """Trees that were larger than allowed."""
    interrupted: bool = False
    passes_unknown: bool = False
    """Whether the library puts in passes that count as decisions."""

    @cached_property
    def _rule(self) -> int:
        return CONVENTIONS["ties"].index(self.convention.ties)

    @property
    def decisions(self) -> int:
        return int(self.judged[0].sum("counted", DECISIONS).sum()) if self.judged else 0

    @property
    def possible(self) -> int:
        return int(self.judged[0].sum("counted", POSSIBLE).sum()) if self.judged else 0

    @property
    def nodes(self) -> int:
        return sum(tree.nodes for tree in self.judged[0].trees) if self.judged else 0

    def errors(self, judged: Judged, ties: str | None = None, lookahead: int | None = None) -> float:
        """The errors of one evaluator, by default under the convention and with the lookahead that was asked for."""
        rule = self._rule if ties is None else CONVENTIONS["ties"].index(ties)
        return _plain(judged.sum("errors", rule, self.lookahead if lookahead is None else lookahead).sum())

    def to_dict(self) -> dict[str, Any]:
        """The public contract's JSON keys, and more."""
        return {
            "game": self.game,
            "seed": self.seed,
            "decisions": self.decisions,
            "possible": self.possible,
            "evaluators": [self._row(judged) for judged in self.judged],
            "convention": self.convention.to_dict(),
            "lookahead": self.lookahead,
            "nodes": self.nodes,
            "leaves": int(self.judged[0].sum("counted", ENDED).sum()) if self.judged else 0,
            "after": self.after,
            "trees": [
                {"state": state, "nodes": tree.nodes, **_counts(tree)}
                for state, tree in zip(self.states, self.judged[0].trees if self.judged else [], strict=False)
            ],
            "left_out": self.left_out,
            "interrupted": self.interrupted,
        }

    def _row(self, judged: Judged) -> dict[str, Any]:
        errors, possible = self.errors(judged), judged.sum("counted", POSSIBLE)
        decisions, by_ply = judged.sum("counted", DECISIONS), judged.sum("errors", self._rule, self.lookahead)
        per_tree = [_plain(tree.errors[:, self.lookahead, self._rule].sum()) for tree in judged.trees]
        shares = _shares(judged.trees, per_tree)
        return {
            "eval": judged.evaluator,
            "errors": errors,
            "share": errors / float(possible.sum()) if possible.sum() else None,
            "least": self.errors(judged, "best"),
            "most": self.errors(judged, "worst"),
            "accuracy": 1 - float(np.mean(shares)) if shares else None,
            "trees": per_tree,
            "lookaheads": [self.errors(judged, lookahead=k) for k in range(self.lookahead + 1)],
            "plies": [
                {"ply": ply + (self.after or 0), "decisions": int(n), "possible": int(p), "errors": _plain(e)}
                for ply, (n, p, e) in enumerate(zip(decisions, possible, by_ply, strict=True))
                if n
            ],
        }

    def __repr__(self) -> str:
        names = ", ".join(judged.evaluator for judged in self.judged)
        return f"<decision quality of {names} on {self.game}: {self.decisions:,} decisions>"

    def __str__(self) -> str:
        return self.text(screen_width())

    def _repr_html_(self) -> str:
        """In a notebook."""
        return pre(str(self))

    def text(self, width: int = WIDE) -> str:
        """What `ludus quality` prints, in lines of at most this width."""
        facts = self.to_dict()
        lines = [*self._head(), "", *lay_out(_errors_table(facts), width), "", *lay_out(_ply_table(facts), width)]
        return "\n".join(lines)

    def _head(self) -> list[str]:
        trees = len(self.judged[0].trees) if self.judged else 0
        what = "the whole tree" if self.after is None and trees == 1 else f"{trees} trees"
        if self.after:
            what += f" after {self.after} random plies (seed {self.seed})"
        lines = [
            f"{self.game}: {what}, {self.nodes:,} nodes, {self.decisions:,} decisions, "
            f"{self.possible:,} possible errors",
            f"convention: {self.convention}" + (f"; lookahead {self.lookahead}" if self.lookahead else ""),
        ]
        if self.passes_unknown:
            lines.append("Without the rule null a pass counts as any single move; `passes=forced` leaves both out.")
        if self.left_out:
            lines.append(f"{self.left_out} larger trees were left out: more `nodes` would let them in.")
        if self.interrupted:
            lines.append("interrupted: the counts are those of what was seen.")
        return lines

    def save(self, path: str | Path) -> None:
        """Draw the share of possible errors at each ply, `.svg`, `.png` or `.pdf`."""
        from ludus.pictures.bands import Curve, draw_curves

        facts = self.to_dict()
        curves = []
        for row in facts["evaluators"]:
            points = [(p["ply"], p["errors"] / p["possible"]) for p in row["plies"] if p["possible"]]
            curves.append(Curve(row["eval"], tuple((float(x), y, y, y) for x, y in points)))
        title = f"{self.game}: {self.decisions:,} decisions ({self.convention})"
        draw_curves(curves, path, title=title, x="ply", y="errors made, of those possible")


def _plain(number: float) -> float:
    """A count as an int; an expected number as it is."""
    return int(number) if number == int(number) else float(number)


def _counts(tree: Walked) -> dict[str, Any]:
    decisions, possible = (int(tree.counted[:, cell].sum()) for cell in (DECISIONS, POSSIBLE))
    return {"decisions": decisions, "possible": possible, "complete": tree.stopped == "exhausted"}


def _shares(trees: Sequence[Walked], errors: Sequence[float]) -> list[float]:
    """The share of possible errors in each tree that has any."""
    possible = [float(tree.counted[:, POSSIBLE].sum()) for tree in trees]
    return [e / p for e, p in zip(errors, possible, strict=True) if p]


def _errors_table(facts: dict[str, Any]) -> list[Column]:
    rows = facts["evaluators"]
    columns = [
        Column("evaluator", [row["eval"] for row in rows], left=True, elastic=True),
        Column("errors", [f"{row['errors']:,.10g}" for row in rows]),
        Column("of possible", [_percent(row["share"]) for row in rows]),
        Column("least", [f"{row['least']:,}" for row in rows], 3, title="if ties fall well"),
        Column("most", [f"{row['most']:,}" for row in rows], 3, title="if ties fall badly"),
    ]
    if len(facts["trees"]) > 1:
        columns.append(Column("mean accuracy", [_percent(row["accuracy"]) for row in rows], 4))
    for k in range(facts["lookahead"]):
        columns.append(Column(f"lookahead {k}", [f"{row['lookaheads'][k]:,.10g}" for row in rows], 2))
    return columns


def _ply_table(facts: dict[str, Any]) -> list[Column]:
    """The share of possible errors that each evaluator makes, by ply."""
    rows = facts["evaluators"]
    plies = rows[0]["plies"] if rows else []
    columns = [
        Column("ply", [str(each["ply"]) for each in plies]),
        Column("decisions", [f"{each['decisions']:,}" for each in plies]),
        Column("possible", [f"{each['possible']:,}" for each in plies]),
    ]
    for row in rows:
        made = {each["ply"]: each for each in row["plies"]}
        cells = [made.get(each["ply"], each | {"possible": 0}) for each in plies]
        shares = [_percent(cell["errors"] / cell["possible"] if cell["possible"] else None) for cell in cells]
        columns.append(Column(row["eval"], shares))
    return columns


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
