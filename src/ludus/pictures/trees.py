"""A small game tree: moves on the edges, values at the nodes, the principal variation in colour."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludus.core.search import number_words
from ludus.core.view import Node, TreeView

LARGEST = 60
"""The most nodes of a tree that is drawn."""
BEST = "#2f8f5b"


@dataclass
class Placed:
    """A node at its place: leaves side by side, a parent above the middle of its children."""

    node: Node
    x: float
    depth: int
    principal: bool
    children: list[Placed] = field(default_factory=list)


def place(tree: TreeView, line: list[int]) -> Placed:
    """The whole tree; `line` is its principal variation, as moves."""
    leaves = 0

    def visit(node: Node, depth: int, rest: list[int] | None) -> Placed:
        nonlocal leaves
        found = Placed(node, 0.0, depth, rest is not None)
        for child in node.children:
            move = int(tree.move[child.index])
            on = rest[1:] if rest and rest[0] == move else None
            found.children.append(visit(child, depth + 1, on))
        if found.children:
            found.x = (found.children[0].x + found.children[-1].x) / 2
        else:
            found.x, leaves = float(leaves), leaves + 1
        return found

    return visit(tree.root, 0, line)


def depth_of(placed: Placed) -> int:
    """How many plies the tree has."""
    return max((depth_of(child) for child in placed.children), default=placed.depth)


def draw_tree(axes: Any, tree: TreeView, line: list[int]) -> None:
    """Draw it, the root on top. A value is to the player who made the move into the node."""
    root = place(tree, line)
    nodes = [root]
    for parent in nodes:
        for child in parent.children:
            color, width = (BEST, 2.4) if child.principal else ("#888", 0.8)
            bend = parent.depth + 0.5
            x, y = [parent.x, parent.x, child.x, child.x], [parent.depth, bend, bend, child.depth]
            axes.plot(x, y, color=color, linewidth=width, zorder=1 + 0.5 * child.principal)
            nodes.append(child)
    crowd = sum(not node.children for node in nodes)
    size = max(min(9.0, 260 / max(crowd, 1)), 5.0)
    for each in nodes[1:]:
        label = f"{each.node.move}\n{number_words(each.node.known.value)}"
        edge, face = (BEST, "#e4f3ea") if each.principal else ("#999", "white")
        box = {"boxstyle": "round,pad=0.25", "facecolor": face, "edgecolor": edge, "linewidth": 0.8}
        axes.text(each.x, each.depth, label, ha="center", va="center", fontsize=size, bbox=box, zorder=2)
    axes.plot([root.x], [0], "o", color=BEST, markersize=9, zorder=2)
    axes.set_ylim(depth_of(root) + 0.5, -0.4)
    axes.set_xlim(-0.7, crowd - 0.3)
    axes.set_axis_off()
    axes.set_title(
        "the tree: each move with its value to whoever makes it; in green the principal variation", fontsize=9
    )
