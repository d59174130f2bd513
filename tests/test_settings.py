"""What is asked of a capability is a dataclass; its function and its command take what the dataclass has."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields

import pytest

import ludus
from ludus.arena.pool.resources import Resources
from ludus.arena.settings import MatchOptions, MatchSettings, RankOptions, RankSettings, SweepOptions
from ludus.arena.stats.sprt import Sprt
from ludus.cli import cli
from ludus.diagnostics.analyse.settings import AnalyseSettings
from ludus.diagnostics.pathology.settings import PathologyOptions, PathologySettings
from ludus.diagnostics.quality.settings import QualitySettings
from ludus.diagnostics.solve.settings import SolveSettings
from ludus.learning.calibrate import CalibrateSettings
from ludus.learning.lesson import LearnSettings
from ludus.model.budget import Budget
from ludus.studies.engine.settings import ReproduceSettings

TOLD = {"progress", "announce"}
"""Callbacks that a function takes and that are in no dataclass."""
CAPABILITIES = {
    "rank": ((RankSettings, RankOptions), set()),
    "sweep": ((RankSettings, SweepOptions), set()),
    "match": ((MatchSettings, MatchOptions), set()),
    "pathology": ((PathologySettings, PathologyOptions), set()),
    "quality": ((QualitySettings,), TOLD),
    "analyse": ((AnalyseSettings,), TOLD),
    "solve": ((SolveSettings,), TOLD),
    "calibrate": ((CalibrateSettings,), TOLD),
    "learn": ((LearnSettings,), {*TOLD, "name", "again"}),
    "reproduce": ((ReproduceSettings, Resources), {"progress", "quick"}),
}
"""By name: the dataclasses, and what else the function takes."""
NOT_ASKED = {
    "rank": {"solve", "lenient", "pool"},  # what sweeps and studies decide
    "sweep": {"solve", "lenient", "learn", "minutes", "budget", "pool"},
    "match": {"pool"},
    "pathology": {"pool"},
    "learn": {"points"},
    "reproduce": {"pool", "move_limit"},
}
"""Fields that the function does not take."""


def fields_of(name):
    return {field.name: field for kind in CAPABILITIES[name][0] for field in fields(kind)}


def parameters_of(name):
    found = inspect.signature(getattr(ludus, name)).parameters.values()
    return {each.name: each for each in found if each.kind is each.KEYWORD_ONLY}


@pytest.mark.parametrize("name", CAPABILITIES)
def test_a_function_takes_what_its_settings_have(name):
    wanted = fields_of(name).keys() - NOT_ASKED.get(name, set()) | CAPABILITIES[name][1]
    assert parameters_of(name).keys() == wanted


@pytest.mark.parametrize("name", CAPABILITIES)
def test_with_the_same_defaults(name):
    known = fields_of(name)
    for parameter, each in parameters_of(name).items():
        default = known[parameter].default if parameter in known else MISSING
        if (
            default is not MISSING
            and not callable(default)
            and (name, parameter)
            not in {
                ("learn", "method"),  # None: td
                ("reproduce", "scale"),  # None: by `quick`
            }
        ):
            assert each.default == default, parameter


@pytest.mark.parametrize("name", CAPABILITIES)
def test_nothing_is_taken_unnamed(name):
    found = inspect.signature(getattr(ludus, name)).parameters.values()
    assert not [each for each in found if each.kind is each.VAR_KEYWORD]


@pytest.mark.parametrize("name", CAPABILITIES)
def test_every_option_of_the_command_is_a_setting(name):
    """An option that the command does not name itself must be a field, or it would be passed over."""
    command = cli.commands[name]
    own = inspect.signature(inspect.unwrap(command.callback)).parameters
    options = {option.name for option in command.params if option.expose_value}
    assert options - own.keys() <= fields_of(name).keys()


WRONG = [
    (kind, {"seed": "x"}, "`seed` must be a whole number")
    for kind in (
        RankSettings,
        MatchSettings,
        PathologySettings,
        QualitySettings,
        AnalyseSettings,
        CalibrateSettings,
        LearnSettings,
        ReproduceSettings,
    )
]
WRONG += [
    (RankSettings, {"equal": -1}, "equal must be from 0"),
    (MatchSettings, {"openings": -1}, "`openings` must be a whole number of at least 0"),
    (MatchSettings, {"games": 0}, "the number of games must be a whole number of at least 1"),
    (MatchSettings, {"budget": "hours=3"}, "hours"),
    (MatchOptions, {"workers": 0}, "`workers` must be a whole number of at least 1"),
    (PathologySettings, {"games": 3}, "the number of games must be a whole number of at least 4"),
    (PathologySettings, {"by": "luck"}, "luck"),
    (PathologySettings, {"search": "greedy"}, "does not look ahead"),
    (PathologySettings, {"deepest": 2}, "`deepest` must be a whole number of at least 3"),
    (QualitySettings, {"ties": "none"}, "convention for ties"),
    (QualitySettings, {"trees": 0}, "`trees` must be a whole number of at least 1"),
    (QualitySettings, {"lookahead": 21}, "`lookahead` must be from 0 to 20 plies"),
    (AnalyseSettings, {"minutes": 0}, "`minutes` must be a number above 0"),
    (AnalyseSettings, {"good": -1}, "`good` must be a whole number of at least 0"),
    (AnalyseSettings, {"workers": 0}, "`workers` must be a whole number of at least 1"),
    (SolveSettings, {"budget": "nodes=1", "minutes": 1}, "not both"),
    (SolveSettings, {"table": 0}, "`table` must be a number above 0"),
    (SolveSettings, {"whole": -1}, "`whole` must be a whole number of at least 0"),
    (SolveSettings, {"goal": "glory"}, "glory"),
    (CalibrateSettings, {"positions": 0}, "`positions` must be a whole number of at least 1"),
    (LearnSettings, {"method": "magic"}, "magic"),
    (ReproduceSettings, {"scale": "huge"}, "huge"),
]


@pytest.mark.parametrize(("kind", "values", "words"), WRONG)
def test_wrong_values_are_refused_when_settings_are_made(kind, values, words):
    with pytest.raises(ludus.SpecError, match=words):
        kind(**values)


def test_how_many_pairs():
    test = Sprt.of("elo0=0,elo1=20")
    asked = [MatchSettings(), MatchSettings(games=7), MatchSettings(sprt=test), MatchSettings(games=9, sprt=test)]
    assert [each.pairs for each in asked] == [50, 4, 10_000, 5]


def test_limits_of_solving():
    asked = [SolveSettings(), SolveSettings(minutes=2), SolveSettings(budget="nodes=9")]
    assert [each.limit for each in asked] == [Budget(), Budget(seconds=120.0), Budget(nodes=9)]
