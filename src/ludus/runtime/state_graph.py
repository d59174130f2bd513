"""The whole of a small game: every position that can be reached, what it is worth, and how long a win takes.

`solve` finds the value of a large game without looking at most of it. Of a small one all positions can be listed, and
then more can be told. A move is *right* if it keeps the value. Whoever wins hastens and whoever loses delays, by right
moves alone: the plies to the end of the game are one more than the fewest after a right move of the winner, or the most
after a right move of the loser.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.kernel.boards import state_key
from ludus.model.playable import PlayableGame


@dataclass
class StateGraph:
    """All positions that can be reached from the first one, which is number 0."""

    moves: list[list[int]]
    """The legal moves of each position,"""
    after: list[list[int]]
    """and the positions that they lead to."""
    values: list[float]
    """What each is worth to the player to move."""
    plies: list[int]
    """The number of plies to the end of the game, where somebody wins."""

    def __len__(self) -> int:
        return len(self.values)

    def right(self, position: int) -> list[int]:
        """The places in the list of moves of those that keep the value."""
        value = self.values[position]
        return [i for i, child in enumerate(self.after[position]) if -self.values[child] == value]

    def shortest_line(self) -> list[int]:
        """The moves of a game in which the winner hastens and the loser delays; none if nobody wins."""
        position, line = 0, []
        while self.values[0] != 0 and self.moves[position]:
            left = self.plies[position] - 1
            chosen = next(i for i in self.right(position) if self.plies[self.after[position][i]] == left)
            line.append(self.moves[position][chosen])
            position = self.after[position][chosen]
        return line

    def choices(self, line: list[int]) -> tuple[int, int]:
        """Along a line: how often there is more than one move, and how often then only one is right."""
        position, several, single = 0, 0, 0
        for move in line:
            if len(self.moves[position]) > 1:
                several += 1
                single += len(self.right(position)) == 1
            position = self.after[position][self.moves[position].index(move)]
        return several, single


def state_graph(
    game: PlayableGame,
    state: Any,
    *,
    only_result: bool = False,
    positions: int,
    nodes: float = np.inf,
    seconds: float = np.inf,
) -> StateGraph | None:
    """All that can happen from `state` on; None if that is more than so much, or goes in circles."""
    states, moves, after = listed(game, state, positions, nodes, seconds)
    if len(moves) < len(states) or len(order := from_the_end(after)) < len(states):
        return None
    values, plies = [0.0] * len(states), [0] * len(states)
    for position in order:
        children = after[position]
        if not children:
            score = float(game.result(states[position])) + 0.0
            values[position] = float(np.sign(score)) if only_result else score
            continue
        value = max(-values[child] for child in children)
        lengths = [plies[child] for child in children if -values[child] == value]
        values[position], plies[position] = value + 0.0, 1 + (min(lengths) if value > 0 else max(lengths))
    return StateGraph(moves, after, values, plies)


def listed(
    game: PlayableGame, state: Any, positions: int, nodes: float = np.inf, seconds: float = np.inf
) -> tuple[list[Any], list[list[int]], list[list[int]]]:
    """The states, the nearest first, their moves, and the numbers of the states after them.

    If there are more than that, or they take too long, moves are listed of the first ones only.
    """
    states, number = [state], {state_key(state): 0}
    moves: list[list[int]] = []
    after: list[list[int]] = []
    generated, until = 0, time.perf_counter() + seconds
    for each in states:
        legal = game.legal(each)
        generated += len(legal)
        if generated > nodes or len(states) > positions or time.perf_counter() >= until:
            break
        below = []
        for move in legal:
            child = game.after(each, move)
            key = state_key(child)
            if key not in number:
                number[key] = len(states)
                states.append(child)
            below.append(number[key])
        moves.append(legal)
        after.append(below)
    return states, moves, after


def from_the_end(after: list[list[int]]) -> list[int]:
    """The positions, each when all those after it have come; those on circles, and on the way there, are missing."""
    before: list[list[int]] = [[] for _ in after]
    for position, children in enumerate(after):
        for child in children:
            before[child].append(position)
    open_children = [len(children) for children in after]
    order = [position for position, count in enumerate(open_children) if count == 0]
    for position in order:
        for parent in before[position]:
            open_children[parent] -= 1
            if open_children[parent] == 0:
                order.append(parent)
    return order
