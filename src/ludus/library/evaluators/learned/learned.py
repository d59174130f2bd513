"""Evaluators that were learnt: a weighted sum of features of a position, kept in a file as `learned/NAME`.

What a game gives as features is the business of a *kind*: a subclass of `Learned` that says in `terms` which features a
position has, and in `evaluate` what they are worth. `LearnedFeatures` is for the game's own rule
`features`; those of `tuples.py` see the cells of a board.

The weights are a field, so others need no new compilation. There may be several rows of them, for the stages of a game
(rule `phase`); between two stages they change evenly.
"""

from __future__ import annotations

import copy
import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ludus.common.errors import SpecError, unknown
from ludus.common.files import LONG, data_folder, make_folder, parse_json, path_of, read_text, whole_file
from ludus.kernel.rules import features, phase
from ludus.library.evaluators.learned.record import check_complete, check_record, checksum
from ludus.model.evaluator import Evaluator
from ludus.model.spec import Spec

FAMILY = "learned/"
"""What the names of learnt evaluators begin with, in a spec."""

RANKED = "ranked"
"""What the names begin with of evaluators that `ludus.rank` learns: nobody else may use them."""

FORMAT = 1
"""Another number where an older version could not read the file."""

MOST_LETTERS = 100
"""Of a name, so that it can be that of a file."""

CONSTANT = "constant"
"""The feature that is always 1: what it is worth to be on the move."""


class Learned(Evaluator):
    """A weighted sum of features. Each kind of features is a subclass with `terms` and `evaluate`."""

    kind: ClassVar[str] = ""
    internal_fields: ClassVar[tuple[str, ...]] = ("about", "path")

    weights: np.ndarray
    """A row for each stage of the game, a column for each feature."""

    def __init__(self, record: dict[str, Any], path: str = "") -> None:
        """record: what the file holds, as `docs/how-to/learning.md` tells; path: the file, if somebody named it."""
        self.about, self.path = record, path
        self.weights = np.array(record["weights"], float)
        self.settle()

    @classmethod
    def load_by_name(cls, name: str) -> Any:
        """The one that is kept as `learned/NAME` or in a file; None if that is no such name."""
        return load(name) if name.startswith(FAMILY) or name.endswith(".json") else None

    def settle(self) -> None:
        """Set further fields from `self.about["features"]`, what this kind needs to know."""

    @property
    def size(self) -> int:
        """How many features there are."""
        return self.weights.shape[1]

    @property
    def most_terms(self) -> int:
        """The most features of one position that are not 0."""
        return self.size

    @property
    def label(self) -> str:
        return self.about["name"]

    @property
    def title(self) -> str:
        return self.path or FAMILY + self.label

    @property
    def spec(self) -> Spec:
        return Spec(self.title, {"calibration": self.calibration.hash} if self.calibration.hash else {})

    def with_arguments(self, arguments: dict[str, Any]) -> Any:
        for key in arguments.keys() - {"calibration"}:
            raise unknown(f"parameter of {self.title}", key, ["calibration"], say="it takes")
        return super().with_arguments(arguments)

    @property
    def hash(self) -> str:
        """A word that stands for the weights."""
        return hashlib.sha256(self.weights.tobytes()).hexdigest()[:8]

    def weighing(self, weights: np.ndarray, **about: Any) -> Learned:
        """The same with other weights, and more to tell about them."""
        return type(self)(self.about | about | {"weights": np.atleast_2d(weights).tolist()})

    def prepare(self, game: Any) -> None:
        if game_name(game) != self.about["game_name"]:
            raise SpecError(f"{self.title} was learnt for {self.about['game']}, not for {game.title}.")
        self.check_fits(game)

    def for_dry_run(self) -> Learned:
        """With weights of its own: self-play that learns changes them."""
        tried = copy.copy(self)
        tried.weights = self.weights.copy()
        return tried

    def refresh(self) -> None:
        """Make anew what was made of the weights, in its place: they have changed in theirs."""

    def check_fits(self, game: Any) -> None:
        """Refuse a game, of the right kind, that has other features than those that were weighed."""


class LearnedFeatures(Learned):
    """The game's own rule `features`, and a constant."""

    kind = "features"

    def check_fits(self, game: Any) -> None:
        many = own_features(game)
        if many + 1 != self.size:
            what = f"{self.size - 1} features of {self.about['game']}, but {game} has {many}"
            raise SpecError(f"{self.title} weighs the {what}: learn it again.")

    def terms(self, game, state, places, numbers):
        n = features(game, state, numbers)
        for i in range(n):
            places[i] = i
        places[n], numbers[n] = n, 1.0
        return n + 1

    def evaluate(self, game, state):
        n = features(game, state, game.feature_values)
        game.feature_values[n] = 1.0
        row, share = stage(self.weights, phase(game, state))
        value = 0.0
        for i in range(n + 1):
            value += weight(self.weights, row, share, i) * game.feature_values[i]
        return value


# For all kinds, compiled or not.


def stage(weights, far):
    """Between which rows the weights lie, where a game is so far, from 0 to 1: the first, and how near the next."""
    last = weights.shape[0] - 1
    at = min(max(far, 0.0), 1.0) * last
    row = min(np.int64(at), max(last - 1, 0))
    return row, at - row


def weight(weights, row, share, place):
    """The weight of a feature between two rows."""
    if share == 0.0:
        return weights[row, place]
    return (1.0 - share) * weights[row, place] + share * weights[row + 1, place]


def own_features(game: Any) -> int:
    """How many features the game's own rule gives in the first position, and so in all."""
    return features(game, game.start, game.feature_values)


def game_name(game: Any) -> str:
    """What must be the same: the registered name, or that of the class in a user's file, wherever that lies."""
    kind = type(game).written
    return kind.name or kind.__name__


# Files.


def directory() -> Path:
    return data_folder() / "learned"


def file_of(name: str) -> Path:
    """The file of `learned/NAME`, or the path that was given instead."""
    if name.endswith(".json"):
        return path_of(name)
    check_name(name)
    return directory() / f"{name}.json"


def check_name(name: str) -> None:
    if not name or not all(c.isalnum() or c in "_-+." for c in name) or not name[0].isalnum():
        raise SpecError(f"a learnt evaluator is named by letters, digits, '-', '_', '+' and '.', not {name[:LONG]!r}.")
    if len(name) > MOST_LETTERS:
        raise SpecError(f"the name of a learnt evaluator has at most {MOST_LETTERS} letters, not {len(name)}.")


def is_reserved(name: str) -> bool:
    """Whether an evaluator of this name belongs to `ludus.rank`."""
    return name == RANKED or name.startswith(f"{RANKED}-")


def saved_names() -> list[str]:
    """The names of all that are kept, except those that `ludus.rank` learnt for itself."""
    folder = directory()
    names = (path.stem for path in folder.glob("*.json")) if folder.is_dir() else ()
    return sorted(name for name in names if not is_reserved(name))


def saved_for(game: Any) -> list[Any]:
    """All that are kept and can judge positions of this game."""
    found = []
    for name in saved_names():
        with suppress(SpecError):
            found.append(load(name).on(game))
    return found


def save(learned: Learned, path: Path | None = None) -> Path:
    """Write it to its file."""
    path = path or file_of(learned.label)
    make_folder(path.parent)
    with whole_file(path, encoding="utf-8") as file:
        json.dump(learned.about | {"checksum": checksum(learned.about)}, file, allow_nan=False, indent=1)
    return path


def load(name: str) -> Learned:
    """The one that is kept under this name, `NAME` or `learned/NAME`, or in this file."""
    name = name.removeprefix(FAMILY) if not name.endswith(".json") else name
    path = file_of(name)
    try:
        record = parse_json(read_text(path))
    except FileNotFoundError:
        if name.endswith(".json"):
            raise SpecError(f"there is no file {name}; ludus learn writes one.") from None
        raise unknown("learnt evaluator", name, saved_names(), "there are") from None
    except (OSError, ValueError) as error:
        why = str(getattr(error, "strerror", None) or error).rstrip(".")
        raise SpecError(f"{path} cannot be read ({why}).") from None
    return from_record(record, path=name) if name.endswith(".json") else from_record(record, name=name)


def load_complete(name: str) -> Learned:
    """The same, if its file says how it was learnt, too."""
    found = load(name)
    try:
        check_complete(found.about)
    except SpecError as error:
        raise SpecError(f"{file_of(found.path or found.label)} does not say how it was learnt ({error}).") from None
    return found


def kinds() -> dict[str, type[Learned]]:
    """The kinds of features by name. (Not a variable: each process would have read other modules when it is asked.)"""
    from ludus.library.evaluators.learned import tuples as learned_tuples  # noqa: F401 (more kinds)

    found: list[type[Learned]] = [Learned]
    for kind in found:  # which grows
        found += kind.__subclasses__()
    return {kind.kind: kind for kind in found[1:]}


def from_record(record: Any, path: str = "", name: str = "") -> Learned:
    """The evaluator that a file describes; of this name if one is given, for the file may be a copy of another."""
    where = path or (str(file_of(name)) if name else "the record")
    if not isinstance(record, dict) or record.get("what") != "ludus learned evaluator":
        raise SpecError(f"{where} holds no learnt evaluator: ludus learn writes one.")
    if record.get("format") != FORMAT or record.get("kind") not in list(kinds()):
        raise SpecError(f"{where} was written by another version of ludus ({str(record.get('version'))[:40]}).")
    try:
        check_record(record)
        about = {key: value for key, value in record.items() if key != "checksum"}
        return kinds()[record["kind"]](about | ({"name": name} if name else {}), path)
    except SpecError as error:
        raise SpecError(f"{where} is damaged: it does not hold what ludus learn wrote ({error}).") from None
