"""What is exactly known of a game that is small enough to list all its positions.

A position is *decisive* if some of its moves keep the value of the game and others give some of it away. How often such
positions come in random play, and how often a random move then gives something away, follows from the probability with
which random play reaches each position; nothing is sampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.model.playable import PlayableGame
from ludus.runtime.state_graph import StateGraph, from_the_end, state_graph

MOST = 10_000
"""Positions of the largest game that is listed."""


@dataclass(frozen=True)
class Exact:
    """A game all of whose positions are known. Values are results: 1 won, 0 drawn, -1 lost."""

    value: float
    """To First under best play."""
    positions: int
    tree: int
    """How many different games there are."""
    nodes: int
    """How many nodes the tree of all games has."""
    first: float
    """The share of random games that First wins,"""
    second: float
    """and that Second wins."""
    decisive: float
    """Of the moves of random play that are a choice: the share that is made in a decisive position,"""
    mistakes: float
    """and the share that gives something away."""
    moves: dict[int, float]
    """For each first move, what it is worth to First."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON, without the first moves."""
        return {name: value for name, value in vars(self).items() if name != "moves"}


def exact(game: PlayableGame, most: int = MOST) -> Exact | None:
    """All about a game of at most this many positions; None if there are more, or chance has a part, or it goes in
    circles."""
    if game.has_chance:
        return None
    found = state_graph(game, game.start, only_result=True, positions=most)
    return None if found is None else _counted(found)


def _counted(found: StateGraph) -> Exact:
    order = from_the_end(found.after)
    tree, nodes = [1] * len(found), [1] * len(found)
    for position in order:
        if after := found.after[position]:
            tree[position] = sum(tree[child] for child in after)
            nodes[position] = 1 + sum(nodes[child] for child in after)
    reached = _reached(found, order[::-1])
    wins = [0.0, 0.0]
    choices = decisive = mistakes = 0.0
    for position, (chance, turns) in enumerate(reached):
        after = found.after[position]
        if not after:
            value = found.values[position]
            wins[0] += turns[0] if value > 0 else turns[1] if value < 0 else 0.0
            wins[1] += turns[1] if value > 0 else turns[0] if value < 0 else 0.0
            continue
        if len(after) > 1:
            wrong = len(after) - len(found.right(position))
            choices += chance
            decisive += chance if wrong else 0.0
            mistakes += chance * wrong / len(after)
    values = {move: 0.0 - found.values[child] for move, child in zip(found.moves[0], found.after[0], strict=True)}
    share = (decisive / choices, mistakes / choices) if choices else (0.0, 0.0)
    first, second = map(float, wins)
    return Exact(found.values[0], len(found), tree[0], nodes[0], first, second, *share, values)


def _reached(found: StateGraph, order: list[int]) -> list[tuple[float, np.ndarray]]:
    """With which probability random play comes to each position: in all, and by who is to move there."""
    turns = np.zeros((len(found), 2))
    turns[0, 0] = 1.0
    for position in order:
        after = found.after[position]
        for child in after:
            turns[child] += turns[position, ::-1] / len(after)
    return list(zip(turns.sum(axis=1).tolist(), turns, strict=True))
