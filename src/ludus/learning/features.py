"""What a game has to say of a position in numbers: the features that `ludus learn` finds weights for.

A feature set is a game and an evaluator without weights, of one of the kinds in `features/learned.py`. The kind's rule
`terms` says which features a position has; all that learning needs follows from it, so a new kind is

- a subclass of `core.learned.Learned` with `kind`, `terms`, `evaluate`, and `settle`, which makes its fields of
  `about["features"]`, a dict for JSON that is in the file;
- a function that makes a `Features` of it for a game (or None if the game does not have what it takes), in `SOURCES`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.common.errors import LudusError, SpecError, unknown
from ludus.features.cells import has_cells, kinds_of, shape_of
from ludus.features.tuples import tuples_of
from ludus.kernel.limits import NEEDS_NODES, RUNNING, STOP_EXHAUSTED, spent
from ludus.kernel.rules import SLACK, guarded, load, phase, terms
from ludus.library.evaluators.learned.learned import CONSTANT, FORMAT, Learned, LearnedFeatures, game_name, own_features
from ludus.library.evaluators.learned.tuples import (
    LearnedBoth,
    LearnedFours,
    LearnedPairs,
    LearnedTuples,
    board_of,
    details_of,
)
from ludus.model.budget import Budget
from ludus.model.playable import PlayableGame
from ludus.model.program import Program
from ludus.runtime.runner import Runner

DECLARE = (
    "declare features(self, state, out), which writes what counts in a position as numbers and returns how many, with "
    "max_features, the most of them; or cells(self, state, out), which writes what stands on each square"
)

SIDES = ("even", "odd")
"""The sets of weights, by the number of cells that are not empty."""

MOST_KINDS = 6
"""Straight lines of four cells are not looked at where more different things may stand on a cell."""


@dataclass(frozen=True)
class Features:
    """The features of a game: their names, and the evaluator that weighs them, all weights 0."""

    game: PlayableGame
    names: tuple[str, ...]
    evaluator: Learned

    @classmethod
    def of_kind(
        cls, kind: type[Learned], game: PlayableGame, names: Sequence[str], details: dict[str, Any]
    ) -> Features:
        """The set of features that a kind makes of a game; `details` is what it must know to compute them, for JSON."""
        record = {"what": "ludus learned evaluator", "format": FORMAT, "name": "new", "kind": kind.kind}
        record |= {"game": str(game), "game_name": game_name(game), "names": list(names), "features": details}
        return cls(game, tuple(names), kind(record | {"weights": [[0.0] * len(names)]}))

    def __len__(self) -> int:
        return len(self.names)

    def matrix(self, states: Sequence[Any], compiled: bool | None = None) -> Any:
        """The design matrix: a row for each of the states, in its columns' types, a column for each feature (CSR)."""
        return Descriptions(self, compiled).matrix(states)


# The kinds that there are.


def declared(game: PlayableGame, sides: int = 1) -> Features | None:
    """The game's own rule `features`, and a constant."""
    if not game.has_rule("features"):
        return None
    many = own_features(game)
    names = tuple(map(str, game.feature_names)) or tuple(f"feature {i + 1}" for i in range(many))
    if len(names) != many:
        raise SpecError(f"{game.title} has {many} features, but feature_names has {len(names)}.")
    return Features.of_kind(LearnedFeatures, game, (*names, CONSTANT), {"number": many})


def _tuples(game: PlayableGame, kind: type[LearnedTuples], lengths: tuple[int, ...], sides: int) -> Features | None:
    """All straight tuples of these lengths on the game's board, and a constant.

    With two sides a pattern has a weight for each of them, and what it is worth when the players change places is left
    open: in Connect Four the same three discs may win for the one and be worth nothing to the other.
    """
    if not has_cells(game):
        return None
    board = board_of(game, lengths, antisymmetric=sides == 1)
    names = tuples_of(board).names
    if sides == 2:
        names = tuple(f"{name} {side}" for side in SIDES for name in names)
    return Features.of_kind(kind, game, (*names, CONSTANT), details_of(board) | {"sides": sides})


def tuples(game: PlayableGame, sides: int = 1) -> Features | None:
    """Straight pairs and triples of cells."""
    return _tuples(game, LearnedTuples, (2, 3), sides)


def pairs(game: PlayableGame, sides: int = 1) -> Features | None:
    """Straight pairs of cells only."""
    return _tuples(game, LearnedPairs, (2,), sides)


def fours(game: PlayableGame, sides: int = 1) -> Features | None:
    """Straight lines of four cells only, where few things may stand on a cell."""
    if not has_cells(game) or kinds_of(game) > MOST_KINDS or max(shape_of(game)) < 4:
        return None
    return _tuples(game, LearnedFours, (4,), sides)


def both(game: PlayableGame, sides: int = 1) -> Features | None:
    """The game's own features, and straight pairs and triples."""
    own, found = declared(game), tuples(game, sides)
    if own is None or found is None:
        return None
    details = found.evaluator.about["features"] | {"own": len(own) - 1}
    return Features.of_kind(LearnedBoth, game, (*own.names[:-1], *found.names), details)


SOURCES: dict[str, Callable[[PlayableGame, int], Features | None]] = {
    "features": declared,
    "tuples": tuples,
    "pairs": pairs,
    "fours": fours,
    "both": both,
}
"""The kinds of features by name, the one that is best to take first."""


def features_of(game: PlayableGame, kind: str | None = None, sides: int = 1) -> Features:
    """The features of a game, of this kind, or of the first that it has; `sides` is the number of sets of weights that
    patterns have, 1 or 2."""
    if kind is not None and kind not in SOURCES:
        raise unknown("kind of features", kind, SOURCES)
    if sides not in (1, 2):
        raise SpecError(f"`sides` must be 1 or 2, not {sides}.")
    kinds = [name for name in SOURCES if sides == 1 or name != "features"] if kind is None else [kind]
    if sides == 2 and kinds == ["features"]:
        raise SpecError("`sides=2` is for patterns of cells: features=tuples, pairs, fours or both.")
    for name in kinds:
        found = SOURCES[name](game, sides)
        if found is not None:
            return found
    raise SpecError(f"there is nothing to learn from in {game.title}: {DECLARE}.")


def nothing_to_learn(game: PlayableGame) -> LudusError:
    """Games have been played, and nobody ever had a choice."""
    return LudusError(f"games of {game} have no position in which there is a choice: there is nothing to learn from.")


# The design matrix.


class Describe(Program):
    """Writes the terms of the states that lie in the tree, one after the other, from the one at `register.next` on."""

    registers = {"next": "i8", "written": "i8"}

    def __init__(self, most: int = 1) -> None:
        """most: the terms that one state may have."""
        self.most = most

    def step(self, game, evaluator, tree, limits):
        register = tree.register[0]
        while register.next < tree.size[0]:
            status = spent(game.meter, limits, False)
            if status != RUNNING:
                return status
            if register.written + self.most > tree.columns_of_terms.size:
                return NEEDS_NODES  # never: there is room for all
            state = load(tree.state, register.next)
            n = terms(evaluator, game, state, tree.places, tree.numbers)
            for i in range(n):
                tree.columns_of_terms[register.written + i] = tree.places[i]
                tree.values_of_terms[register.written + i] = tree.numbers[i]
            register.written += n
            tree.far[register.next] = phase(game, state)
            tree.ends[register.next] = register.written
            register.next += 1
        return STOP_EXHAUSTED

    def extras(self, game, evaluator, compiled):
        room = BATCH * self.most
        return {
            "places": guarded(self.most + SLACK),
            "numbers": guarded(self.most + SLACK, np.float64),
            "columns_of_terms": np.zeros(room, np.int64),
            "values_of_terms": np.zeros(room),
            "ends": np.zeros(BATCH, np.int64),
            "far": np.zeros(BATCH),
        }


BATCH = 1000
"""How many states are described at a time; fewer than a tree has nodes from the start."""


class Descriptions:
    """Describes states by their features."""

    def __init__(self, features: Features, compiled: bool | None = None, announce: Any = None) -> None:
        self.features = features
        evaluator = features.evaluator.on(features.game)
        self.work = Runner(Describe(evaluator.most_terms), features.game, evaluator, compiled, announce)

    def matrix(self, states: Sequence[Any]) -> Any:
        """The terms of these states, a row each."""
        return self.described(states)[0]

    def described(self, states: Sequence[Any]) -> tuple[Any, np.ndarray]:
        """The terms of these states, and how far the game is in each of them."""
        from scipy.sparse import csr_array

        columns, values, counts, far = [], [], [], []
        for start in range(0, len(states), BATCH):
            some = states[start : start + BATCH]
            ends = self._write(some)
            arrays, last = self.work.tree.arrays, int(ends[-1])
            columns.append(arrays["columns_of_terms"][:last].copy())
            values.append(arrays["values_of_terms"][:last].copy())
            counts.append(np.diff(ends, prepend=0))
            far.append(arrays["far"][: len(some)].copy())
        ends = np.append(0, np.cumsum(np.concatenate([*counts, np.zeros(0, np.int64)])))
        flat = (np.concatenate([*values, np.zeros(0)]), np.concatenate([*columns, np.zeros(0, np.int64)]), ends)
        found = csr_array(flat, shape=(len(states), len(self.features)))
        found.sum_duplicates()
        return found, np.concatenate([*far, np.zeros(0)])

    def _write(self, states: Sequence[Any]) -> np.ndarray:
        """Describe a few states; where the terms of each end."""
        work, tree = self.work, self.work.tree
        work.begin(states[0], Budget())
        for place, state in enumerate(states):
            if tree.compiled:
                tree.layout.write(tree.arrays["state"], place, state)
            else:
                tree.arrays["state"][place] = state
        tree.arrays["size"][0] = len(states)
        work.advance(Budget())
        return tree.arrays["ends"][: len(states)].copy()
