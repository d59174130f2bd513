"""Small game trees: moves on the edges, values at the nodes, the principal variation in colour."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus.model.result import number_words
from ludus.model.view import Node, TreeView
from ludus.pictures.files import write_figure
from ludus.runtime.walk import Visit, Walk

LARGEST = 60
"""The most nodes of a tree that is drawn below a trace."""
BEST = "#2f8f5b"
CUT = "#b3423a"
WIDEST = 40.0
"""Inches."""
WINDOWS = " and, in brackets, the values between which it matters"
BOUNDS = ", or a bound of it (≤, ≥) where no more was needed"
"""What the title of a picture says of the numbers at the nodes of a search with windows, and of one without."""
SHORT = 6
"""The most letters of a list of moves that is written out."""


@dataclass
class Placed:
    """A node at its place: leaves side by side, a parent above the middle of its children."""

    label: str
    x: float
    depth: int
    principal: bool
    children: list[Placed] = field(default_factory=list)
    cut: bool = False
    """Whether it stands for moves that were not tried, or is one that was left out."""


class Placing:
    """Puts leaves side by side, from left to right."""

    def __init__(self) -> None:
        self.leaves = 0

    def leaf(self, label: str, depth: int, principal: bool = False, cut: bool = False) -> Placed:
        self.leaves += 1
        return Placed(label, float(self.leaves - 1), depth, principal, cut=cut)

    def above(self, label: str, depth: int, principal: bool, children: list[Placed]) -> Placed:
        """A node above its children, or a leaf if it has none."""
        if not children:
            return self.leaf(label, depth, principal)
        return Placed(label, (children[0].x + children[-1].x) / 2, depth, principal, children)


def place(tree: TreeView, line: list[int]) -> Placed:
    """The whole tree of a best-first search; `line` is its principal variation, as moves."""
    placing = Placing()

    def visit(node: Node, depth: int, rest: list[int] | None) -> Placed:
        below = []
        for child in node.children:
            on = rest[1:] if rest and rest[0] == int(tree.move[child.index]) else None
            below.append(visit(child, depth + 1, on))
        label = f"{node.move}\n{number_words(node.known.value)}" if depth else ""
        return placing.above(label, depth, rest is not None, below)

    return visit(tree.root, 0, line)


def place_walk(walk: Walk) -> Placed:
    """What a full-width search visited, and for each node how many moves it did not try."""
    placing = Placing()

    def visit(node: Visit, depth: int, rest: list[str] | None) -> Placed:
        below = []
        for child in node.children:
            below.append(visit(child, depth + 1, rest[1:] if rest and rest[0] == child.move else None))
        if node.cut and depth:
            below.append(placing.leaf(_cut_label(node.cut), depth + 1, cut=True))
        if left_out(node):
            return placing.leaf(f"{node.move}\nleft out", depth, cut=True)
        return placing.above(_visit_label(node, walk) if depth else "", depth, rest is not None, below)

    return visit(walk.root, 0, walk.line)


def left_out(node: Visit) -> bool:
    """Whether the search generated it, and did without its value."""
    return math.isnan(node.value) and not node.entered


def _cut_label(moves: list[str]) -> str:
    """Which moves were cut off, or how many if their names are long."""
    names = ", ".join(moves)
    return f"{names} cut" if len(names) <= SHORT else f"{len(moves)} cut"


def _visit_label(node: Visit, walk: Walk) -> str:
    """The move, its value to whoever makes it, and between which values it could matter."""

    def said(value: float) -> str:
        return f"{'-' if value < 0 else ''}∞" if math.isinf(value) else walk.words(round(value, 6) + 0.0)

    mark = "" if node.is_exact or not node.entered else "≤ " if node.value >= node.beta else "≥ "
    label = f"{node.move}\n" + ("given up" if math.isnan(node.value) else f"{mark}{said(-node.value)}")
    if walk.windows and node.entered and (node.alpha > -math.inf or node.beta < math.inf):
        label += f"\n({said(-node.beta)}, {said(-node.alpha)})"
    return label + ("\nsearched twice" if node.searches > 1 else "")


def depth_of(placed: Placed) -> int:
    """How many plies the tree has."""
    return max((depth_of(child) for child in placed.children), default=placed.depth)


def draw_tree(axes: Any, root: Placed, title: str) -> None:
    """Draw it, the root on top."""
    nodes = [root]
    for parent in nodes:
        for child in parent.children:
            color, width = (BEST, 2.4) if child.principal else (CUT, 0.8) if child.cut else ("#888", 0.8)
            bend = parent.depth + 0.5
            x, y = [parent.x, parent.x, child.x, child.x], [parent.depth, bend, bend, child.depth]
            style = ":" if child.cut else "-"
            axes.plot(x, y, style, color=color, linewidth=width, zorder=1 + 0.5 * child.principal)
            nodes.append(child)
    crowd = sum(not node.children for node in nodes)
    size = max(min(9.0, 260 / max(crowd, 1)), 5.0)
    for each in nodes[1:]:
        edge, face = (BEST, "#e4f3ea") if each.principal else (CUT, "#fbeceb") if each.cut else ("#999", "white")
        box = {"boxstyle": "round,pad=0.25", "facecolor": face, "edgecolor": edge, "linewidth": 0.8}
        axes.text(each.x, each.depth, each.label, ha="center", va="center", fontsize=size, bbox=box, zorder=2)
    axes.plot([root.x], [0], "o", color=BEST, markersize=9, zorder=2)
    axes.set_ylim(depth_of(root) + 0.5, -0.4)
    axes.set_xlim(-0.7, crowd - 0.3)
    axes.set_axis_off()
    axes.set_title(title, fontsize=9)


def draw_walk(walk: Walk, path: str | Path) -> None:
    """A picture of what a full-width search visited in its last pass over the root."""
    from matplotlib.figure import Figure

    root = place_walk(walk)
    nodes = list(_all(root))
    leaves = sum(not node.children for node in nodes)
    widest = max(max(map(len, node.label.split("\n"))) / _breadth(node) for node in nodes)
    width = min(max(8.0, leaves * (0.075 * widest + 0.2)), WIDEST)
    figure = Figure(figsize=(width, 1.8 + 0.95 * depth_of(root)), layout="constrained")
    axes = figure.subplots()
    draw_tree(axes, root, "")
    figure.suptitle(
        f"{walk.player} on {walk.game}, {walk.depth} plies deep.\nEach move with its value to whoever makes it"
        f"{WINDOWS if walk.windows else BOUNDS};\n"
        "in green the principal variation, in red what was cut off or left out.",
        fontsize=9,
    )
    write_figure(figure, path, dpi=130)


def _breadth(placed: Placed) -> int:
    """How many leaves are below a node."""
    return sum(map(_breadth, placed.children)) or 1


def _all(placed: Placed) -> Iterator[Placed]:
    yield placed
    for child in placed.children:
        yield from _all(child)
