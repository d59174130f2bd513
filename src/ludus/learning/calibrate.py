"""Calibration: how far an evaluator can be trusted on a game, fitted to positions of sampled games.

Searches that need more than a number get it from here, on any game with any evaluator: MGSS* and its kin the error of
the static value, B* an interval, the product rule a probability, ProbCut a line from shallow to deep values.

Three quarters of the games are fitted to; the positions of the others only test what was fitted. A finished game, which
outranks every static value, counts as the largest static value seen, or else a few won games would make up all of the
spread. All limits are counted, so the same seed gives the same calibration on any machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ludus.common.errors import LudusError, SpecError
from ludus.common.files import checksummed, parse_json, read_text, verified, whole_file
from ludus.common.numbers import whole_number
from ludus.learning.model import Model
from ludus.learning.report import Calibrated
from ludus.learning.sampling import Games, Sample, sample
from ludus.model import identity, registry
from ludus.model.budget import Budget
from ludus.model.calibration import Calibration, directory, make_directory
from ludus.model.component import construct
from ludus.model.evaluator import Evaluator, EvaluatorLike
from ludus.model.game import GameLike
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player

POSITIONS, INTERPRETED = 20_000, 500
"""How many positions are sampled where nobody says: compiled, and interpreted."""

NODES = 500
"""The games may generate this many nodes for each position, and the deeper searches as many."""

DRAWN, MOST_DRAWN = 4, 2_000
"""How many positions of a game are searched deeper, at most, and how many in all."""

DEEPEST = 4
"""Plies of the deepest search; fewer where that would leave fewer than `FEWEST` positions within the nodes."""

FEWEST = 200

METHOD = 3
"""Another number where the same seed gives another calibration than before."""

Progress = Callable[[float, str], None]
Announce = Callable[[str], None] | None


@dataclass(frozen=True)
class CalibrateSettings:
    """What decides how an evaluator is calibrated. Wrong values are refused at once."""

    positions: int | None = None
    """How many to sample at most; None: by whether the game compiles."""
    seed: int = 0
    again: bool = False
    """Fit it though it was saved."""
    compiled: bool | None = None
    """True to compile or fail, False to interpret."""

    def __post_init__(self) -> None:
        checked = {
            "seed": whole_number("`seed`", self.seed),
            "positions": None if self.positions is None else whole_number("`positions`", self.positions, 1),
        }
        self.__dict__.update(checked)


def calibrate(
    game: GameLike,
    eval: EvaluatorLike | None = None,
    *,
    positions: int | None = None,
    seed: int = 0,
    again: bool = False,
    compiled: bool | None = None,
    progress: Progress = lambda done, words: None,
    announce: Announce = None,
) -> Calibrated:
    """What an evaluator's values mean on a game, by default the game's own evaluator: fitted once, and then saved.

    `.evaluator` of what it gives is the calibrated evaluator, for searches that need more than a value: the error of
    the value, the probability of winning, an interval. `print` shows how well it is calibrated, `.save("file.svg")`
    draws it.

    positions: how many to sample at most, by default 20,000, or 500 if the game cannot be compiled; seed: the
    random seed; again: do it again though it was saved; compiled: True to compile or fail, False to interpret;
    progress: called with the part that is done, from 0 to 1, and words; announce: called with what is compiled.

    >>> ludus.calibrate("nim", "zero", positions=10, compiled=False).facts["positions"]
    10
    """
    settings = CalibrateSettings(positions=positions, seed=seed, again=again, compiled=compiled)
    return fit_calibration(game, eval, settings, progress, announce)


def fit_calibration(
    game: GameLike,
    eval: EvaluatorLike | None,
    settings: CalibrateSettings,
    progress: Progress = lambda done, words: None,
    announce: Announce = None,
) -> Calibrated:
    """The calibration that the settings ask for, of this evaluator or of the game's own: saved, or fitted now."""
    game, seed, again, compiled = registry.games().of(game), settings.seed, settings.again, settings.compiled
    plain = registry.default_evaluator(game) if eval is None else registry.evaluators().of(eval)
    plain = plain.calibrated(Calibration()).on(game)
    fast, slow = (POSITIONS, INTERPRETED) if settings.positions is None else (settings.positions, settings.positions)
    keys = {many: _key(game, plain, seed, many) for many in (fast, slow)}
    found = None if again else _saved(keys[slow if compiled is False else fast], plain)
    if found is not None:
        return found
    # What was just fitted must be the same evaluator as what is loaded later, or a run would never be resumed. So the
    # work is done by copies, whose rules may write into their fields, and what was saved is loaded in either case.
    games = Games(game.apart(), plain.apart(), seed, compiled, announce)
    wanted = fast if games.is_compiled else slow
    found = None if again or games.is_compiled else _saved(keys[wanted], plain)
    if found is not None:
        return found
    make_directory()  # before the work, which would be lost
    _save(keys[wanted], _fitted(games, wanted, compiled, progress, announce))
    found = _saved(keys[wanted], plain)
    if found is None:
        raise LudusError(f"the calibration that was just written to {directory()} cannot be read back.")
    return replace(found, was_saved=False)


# Saved, and found again.


def is_saved(game: PlayableGame, evaluator: Evaluator | None) -> bool:
    """Whether `calibrate`, asked for nothing in particular, would find what it has saved before."""
    plain = registry.default_evaluator(game) if evaluator is None else evaluator
    plain = plain.calibrated(Calibration()).on(game)
    return any(_saved(_key(game, plain, 0, many), plain) is not None for many in (POSITIONS, INTERPRETED))


def _key(game: PlayableGame, evaluator: Evaluator, seed: int, positions: int) -> str:
    """What a calibration follows from; the seed of a synthetic game does not matter, for it is changed."""
    if type(game).seeded:
        game = construct(type(game), game._arguments | {"seed": 0})
        evaluator = evaluator.on(game)
    kinds = identity.of_game(game), identity.of_evaluator(evaluator)
    parts = (str(game), str(evaluator), *kinds, seed, positions, METHOD)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _saved(key: str, evaluator: Evaluator) -> Calibrated | None:
    try:
        facts = parse_json(verified(read_text(_report(key))))
        calibration = Calibration.load(facts["calibration"])
    except (OSError, ValueError, SpecError):
        return None
    return Calibrated(evaluator.calibrated(calibration), facts, was_saved=True)


def _save(key: str, found: Calibrated) -> None:
    """The calibration first: a report always names one that is there."""
    found.evaluator.calibration.save()
    with whole_file(_report(key), encoding="utf-8") as file:
        file.write(checksummed(json.dumps(found.facts, allow_nan=False)))


def _report(key: str) -> Path:
    """The file with the facts: with a checksum, since it is read by nobody but us."""
    return directory() / f"report-{key}.json"


# Fitted.


def _fitted(games: Games, positions: int, compiled: bool | None, progress: Progress, announce: Announce) -> Calibrated:
    def sampled(many: int) -> None:
        progress(0.3 * many / positions, f"calibrating {games.evaluator}: {many:,} positions")

    sampled(0)
    found = sample(games, positions, NODES * positions, DRAWN, sampled)
    if len(found) == 0:
        raise LudusError(f"{games.evaluator} cannot be calibrated on {games.game}: it has no finite value to judge by.")
    deep = _search_deeper(games, found, NODES * positions, compiled, progress, announce)
    plain = games.evaluator
    model = Model(found, deep, plain)
    calibration = model.calibration
    about: dict[str, Any] = {"game": str(games.game), "eval": str(plain), "calibration": calibration.hash}
    about |= {"calibrated": str(plain.calibrated(calibration)), "seed": games.seed}
    return Calibrated(plain.calibrated(calibration), about | model.facts, was_saved=False)


def deepest(found: Sample, games: Games) -> int:
    """The depth to which positions are searched, from what alpha-beta needs at least with this number of moves."""
    known = found.before[found.before >= 0]
    moves = float(known.mean()) if len(known) else 1.0
    allowed = NODES * max(len(found), 1) / FEWEST / (1 + games.evaluator.plays(games.game))
    for depth in range(DEEPEST, 2, -1):
        if 3 * (moves ** ((depth + 1) // 2) + moves ** (depth // 2)) <= allowed:
            return depth
    return 2


def _search_deeper(
    games: Games, found: Sample, nodes: int, compiled: bool | None, progress: Progress, announce: Announce
) -> dict[int, np.ndarray]:
    """The values of the drawn positions at every depth, by depth; NaN for positions beyond the nodes."""
    depth = deepest(found, games)
    values = {d: np.full(len(found), np.nan) for d in range(1, depth + 1)}
    compiled = compiled if games.is_compiled else False
    player = Player("alphabeta", games.evaluator, compiled=compiled, announce=announce)
    drawn = sorted(found.drawn, key=lambda each: each[0])
    step = max(len(drawn) / MOST_DRAWN, 1.0)
    drawn = [drawn[int(i * step)] for i in range(int(len(drawn) / step))]
    cost = 0
    for done, (place, game, state) in enumerate(drawn):
        for d in values:
            player.budget = Budget(depth=d)
            result = player.choose(game, state)
            if result.stopped == "interrupted":
                raise KeyboardInterrupt
            values[d][place] = result.value
            cost += result.meter.generated
        words = f"calibrating {games.evaluator}: {done + 1:,} positions searched {depth} plies deep"
        progress(0.3 + 0.7 * max((done + 1) / len(drawn), cost / nodes), words)
        if cost >= nodes:
            break
    return values
