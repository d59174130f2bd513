"""Rules that call other methods of their class are compiled."""

from __future__ import annotations

import pytest

import ludus
from ludus import Game, InterpretedWarning
from tests.compile import own_methods, processes
from tests.compile.own_methods import Again, ByName, Doubled, Lines, Middle
from tests.compile.piles import Base


def outcome(game: Game, search: str, compiled: bool) -> tuple[object, ...]:
    result = ludus.player(search, eval=Middle(), compiled=compiled).choose(game)
    children = [(child.move, child.value) for child in result.children]
    return result.move, result.value, children, result.meter.generated, result.meter.evaluated


@pytest.mark.slow
@pytest.mark.parametrize("game", [Lines(), Again(), ByName()], ids=lambda game: type(game).__name__)
def test_compiled_and_interpreted_do_the_same(game):
    assert not ludus.check(game, games=50).faults
    assert outcome(game, "greedy", compiled=True) == outcome(game, "greedy", compiled=False)


@pytest.mark.slow
def test_a_rule_calls_the_method_of_the_class_and_not_that_of_its_base():
    won = (Lines().start[0].copy(), 2)
    won[0][0] = 1
    for game, score in ((Lines(), -1), (Doubled(), -2)):
        ahead = (won[0].copy(), 1)
        ahead[0][0, 2] = 0
        result = ludus.player("greedy", eval=Middle(), compiled=True).choose(game, game.layout.settle(ahead))
        assert (game.score(won), result.move) == (score, 2)


def test_another_weight_needs_no_new_compilation(private):
    players = [ludus.player("greedy", eval=Middle(weight), compiled=True) for weight in (0.25, 0.75)]
    values = [player.choose(Lines()).value for player in players]
    assert values == pytest.approx([0.26, 0.76])
    first, second = (player.session(Lines()).kernel for player in players)
    assert first is second


@pytest.mark.slow
def test_cold_and_warm(tmp_path):
    file = own_methods.__file__
    jobs = [[f"greedy(eval={file}:Middle)", f"{file}:{kind}"] for kind in ("Lines", "Again")]
    for is_warm in (False, True):
        for found in processes.run(*jobs, cache=tmp_path / "cache", cwd=tmp_path):
            assert found.result == found.interpreted
            assert (found.hits, found.misses) == ((1, 0) if is_warm else (0, 1))
            assert found.warnings == []


EDITED = """
from tests.compile.piles import Base


class Game(Base):
    def score(self, state):
        return self.prize()

    def prize(self):
        return PRIZE
"""


@pytest.mark.slow
def test_an_edited_method_is_noticed(tmp_path):
    for prize in (1, -1):
        (tmp_path / "edited.py").write_text(EDITED.replace("PRIZE", str(prize)))
        [found] = processes.run(["greedy", "edited.py:Game(stones=1)"], cache=tmp_path / "cache", cwd=tmp_path)
        assert found.kernel
        assert found.result == found.interpreted
        assert found.result["value"] * prize < 0


class CallsSuper(Base):
    def score(self, state):
        return self.prize()

    def prize(self):
        return super().score((0,))


class Hands(Base):
    """It calls a method of an object that is no argument of the rule."""

    def score(self, state):
        me = self
        return me.prize()

    def prize(self):
        return 1


class AnyName(Base):
    def score(self, state):
        return self.prize(worth=1)

    def prize(self, **named):
        return named["worth"]


class OnlyByName(Base):
    """Made ordinary, a parameter without a default would follow one that has one."""

    def score(self, state):
        return self.prize(worth=1)

    def prize(self, times=1, *, worth):
        return times * worth


class AfterOthers(Base):
    def score(self, state):
        return self.prize(1, 2)

    def prize(self, *numbers, worth=1):
        return numbers[0] * worth


PARAMETERS = r"has parameters that do not compile: \*\*kwargs, or keyword-only ones without a default or after \*args"

REFUSED = {
    AnyName: rf"AnyName.prize {PARAMETERS}",
    OnlyByName: rf"OnlyByName.prize {PARAMETERS}",
    AfterOthers: rf"AfterOthers.prize {PARAMETERS}",
    CallsSuper: r"CallsSuper.prize uses super\(\)",
    Hands: r"rule score does not compile: prize\(\) cannot be compiled: a rule calls rules, methods of its own class",
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_compiled_is_told_with_the_line(kind, private):
    with pytest.warns(InterpretedWarning, match=REFUSED[kind] + r".* \(.*test_methods.py, line \d+\)\.$"):
        assert ludus.player("greedy").choose(kind()).move
