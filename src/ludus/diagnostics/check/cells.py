"""What a game says of the cells of its board: the contents of each, and under which symmetries the game is the same."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import numpy as np

from ludus.common.errors import LudusError, RuleError, describe
from ludus.diagnostics.check.asking import ask_twice, call
from ludus.diagnostics.check.report import Report
from ludus.features.cells import Permutation, contents_of, generators, has_cells, moved, shape_of
from ludus.kernel.boards import state_key
from ludus.kernel.chance import Dice, random_game
from ludus.kernel.random import seed_for
from ludus.kernel.rules import SLACK
from ludus.model.playable import PlayableGame

GAMES = 20
"""As many random games are played beside their images, for each symmetry."""

SECONDS = 1.0
"""CPU time for all symmetries together; the last game may be cut short."""

IMAGES = 16
"""The most positions that are followed as images of one: several may have the same cells."""


def check_cells(game: PlayableGame, state: Any, where: str, report: Report) -> None:
    """As many cells as the board has, with numbers that are allowed."""
    try:
        size = int(np.prod(shape_of(game)))
    except LudusError as error:
        raise RuleError("", "cells", where, str(error)) from error

    def ask() -> Any:
        room = np.full(size + SLACK, -1, np.int64)
        count = call(game, "cells", state, room)
        if not isinstance(count, (int, np.integer)) or count != size:
            raise RuleError("", "cells", where, f"cells must return {size}, the number of cells, not {count!r}")
        return room[:size]

    contents = ask_twice(ask, "cells", where, state, "other cells", report)
    wrong = contents[(contents < 0) | (contents >= game.cell_kinds)]
    if wrong.size:
        report.add("cells", where, f"a cell must hold a number from 0 to {game.cell_kinds - 1}, not {wrong[0]}")


def check_symmetries(game: PlayableGame, seed: int, report: Report) -> None:
    """Each declared symmetry maps games to games with the same results; one that cannot be tried is a fault, too."""
    if not len(game.symmetries):
        return
    try:
        if not has_cells(game):
            raise LudusError("a game with symmetries needs the rule cells, which says what stands on each cell.")
        declared = generators(game)
    except LudusError as error:
        report.add("symmetries", "", str(error))
        return
    for name, permutation in declared:
        deadline = time.process_time() + SECONDS / len(declared)
        for number in range(GAMES):
            if not report.faults and time.process_time() < deadline:
                _compare(game, name, permutation, Dice(seed_for(seed, number)), deadline, report)


def _compare(
    game: PlayableGame, name: str, permutation: Permutation, dice: Dice, deadline: float, report: Report
) -> None:
    """One random game, and all the positions that look like its image."""
    images = [image for image in _first_images(game) if _is_image(game, game.start, image, permutation)]
    if not images:
        told = "maps the first position to another, and neither that nor the one after a pass is known"
        report.add("symmetries", describe(game, game.start), f"{name} {told}")
        return
    for state, legal, _, move in random_game(game, dice):
        if move is None:
            break
        after = {move: moved(contents_of(game, game.after(state, move)), permutation) for move in legal}
        wanted = Counter(after.values())
        following = [(image, _successors(game, image)) for image in images]
        following = [(image, next_ones) for image, next_ones in following if Counter(next_ones.values()) == wanted]
        if not following:
            report.add("symmetries", describe(game, state), f"{name} is none: its image has other moves")
            return
        found: dict[Any, Any] = {}
        for image, next_ones in following:
            same = [reply for reply, contents in next_ones.items() if contents == after[move]]
            found |= {state_key(then): then for then in (game.after(image, reply) for reply in same)}
        images = list(found.values())[:IMAGES]
        if time.process_time() > deadline:
            return
    score = game.result(state)
    if not any(game.is_over(image) and game.result(image) == score for image in images):
        report.add("symmetries", describe(game, state), f"{name} is none: its image does not end with {score:g}")


def _first_images(game: PlayableGame) -> list[Any]:
    """The first position, and that with the other player to move: a symmetry may exchange the players' places."""
    passed = [game.layout.settle(call(game, "null", game.start))] if game.has_rule("null") else []
    return [game.start, *passed]


def _is_image(game: PlayableGame, state: Any, image: Any, permutation: Permutation) -> bool:
    return contents_of(game, image) == moved(contents_of(game, state), permutation)


def _successors(game: PlayableGame, state: Any) -> dict[int, tuple[int, ...]]:
    """What stands on the cells after each move."""
    return {move: contents_of(game, game.after(state, move)) for move in game.legal(state)}
