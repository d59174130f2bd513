"""ludus: every control strategy from minimax to MCTS, on any game you can write down in Python.

>>> import ludus
>>> player = ludus.player("minimax(depth=9)")
>>> player.choose("tictactoe").value
0.0

Wherever a game, a player, an evaluator or a budget is asked for, an object will do, or its spec, or its class.
"""

from __future__ import annotations

from ludus import _loading  # noqa: F401  (before all that takes time to load)

# isort: split
import importlib
from typing import TYPE_CHECKING, Any

from ludus.api import evaluator, evaluators, game, games, player, search, searches, trace
from ludus.common.errors import LudusError, NotCompilable, RuleError, SpecError, StateError
from ludus.common.version import VERSION
from ludus.diagnostics.check.games import check
from ludus.kernel.boards import replace
from ludus.model.budget import Budget, Meter
from ludus.model.evaluator import Evaluator
from ludus.model.game import Game
from ludus.model.position import Position
from ludus.model.result import Result
from ludus.model.search import Search
from ludus.runtime.perft import perft
from ludus.runtime.player import Player
from ludus.runtime.runner import InterpretedWarning

if TYPE_CHECKING:
    from ludus.arena.match import match
    from ludus.arena.match_result import MatchResult
    from ludus.arena.rank import rank
    from ludus.arena.ranking import Ranking
    from ludus.arena.reports.standings import Standing
    from ludus.arena.stats.monotone import monotonicity
    from ludus.arena.sweep import sweep
    from ludus.arena.sweep_result import Cell, Sweep
    from ludus.diagnostics.analyse.analyse import analyse
    from ludus.diagnostics.analyse.report import Analysis
    from ludus.diagnostics.check.report import Report
    from ludus.diagnostics.pathology.pathology import pathology
    from ludus.diagnostics.pathology.pathology_report import Pathology
    from ludus.diagnostics.quality.quality import quality
    from ludus.diagnostics.quality.quality_report import Quality
    from ludus.diagnostics.solve.solution import Solution
    from ludus.diagnostics.solve.solve import solve
    from ludus.learning.calibrate import calibrate
    from ludus.learning.learn import learn
    from ludus.learning.learning_result import LearningResult
    from ludus.learning.report import Calibrated
    from ludus.pictures.bands import Curve, draw_curves
    from ludus.runtime.trace import Trace
    from ludus.runtime.walk import Walk
    from ludus.studies.engine.reproduction import Reproduction, reproduce
    from ludus.studies.engine.study import Lab, Study
    from ludus.terminal.playing import play
    from ludus.theorems.theory import Theory, theory

__version__ = VERSION

# fmt: off
__all__ = [
    "Analysis", "Budget", "Calibrated", "Cell", "Curve", "Evaluator", "Game", "InterpretedWarning", "Lab",
    "LearningResult",
    "LudusError", "MatchResult", "Meter", "NotCompilable", "Pathology", "Player", "Position", "Quality", "Ranking",
    "Report", "Reproduction", "Result", "RuleError", "Search", "Solution", "SpecError", "Standing", "StateError",
    "Study", "Sweep", "Theory", "Trace", "Walk", "analyse", "calibrate", "check", "draw_curves", "evaluator",
    "evaluators", "game", "games", "learn", "match", "monotonicity", "pathology", "perft", "play", "player",
    "quality", "rank", "replace", "reproduce", "search", "searches", "solve", "sweep", "theory", "trace",
]
# fmt: on

LATER = {
    "ludus.arena.match": ("match",),
    "ludus.arena.match_result": ("MatchResult",),
    "ludus.arena.rank": ("rank",),
    "ludus.arena.ranking": ("Ranking",),
    "ludus.arena.stats.monotone": ("monotonicity",),
    "ludus.arena.reports.standings": ("Standing",),
    "ludus.arena.sweep": ("sweep",),
    "ludus.arena.sweep_result": ("Cell", "Sweep"),
    "ludus.diagnostics.analyse.analyse": ("analyse",),
    "ludus.diagnostics.analyse.report": ("Analysis",),
    "ludus.diagnostics.check.report": ("Report",),
    "ludus.diagnostics.pathology.pathology": ("pathology",),
    "ludus.diagnostics.pathology.pathology_report": ("Pathology",),
    "ludus.diagnostics.quality.quality": ("quality",),
    "ludus.diagnostics.quality.quality_report": ("Quality",),
    "ludus.diagnostics.solve.solution": ("Solution",),
    "ludus.diagnostics.solve.solve": ("solve",),
    "ludus.learning.calibrate": ("calibrate",),
    "ludus.learning.learn": ("learn",),
    "ludus.learning.learning_result": ("LearningResult",),
    "ludus.learning.report": ("Calibrated",),
    "ludus.pictures.bands": ("Curve", "draw_curves"),
    "ludus.runtime.trace": ("Trace",),
    "ludus.runtime.walk": ("Walk",),
    "ludus.studies.engine.reproduction": ("Reproduction", "reproduce"),
    "ludus.studies.engine.study": ("Lab", "Study"),
    "ludus.terminal.playing": ("play",),
    "ludus.theorems.theory": ("Theory", "theory"),
}
"""Public names by the modules that are loaded when one of them is asked for."""


def __getattr__(name: str) -> Any:
    for module, names in LATER.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module 'ludus' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
