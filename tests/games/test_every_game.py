"""What every registered game must do, compiled and interpreted; a new file in `games/` is tested by being there."""

from __future__ import annotations

import pickle
import random

import pytest
from commands import run

import ludus
from ludus.core import registry

NAMES = list(registry.games().classes)
OTHERS = ["nim(stones=9, most=2)", "tictactoe(size=4, line=3)", "tictactoe(size=8)", "tictactoe(size=1)"]


def random_game(game: ludus.Game, seed: int = 0) -> list[ludus.Position]:
    """The positions of one random game, to its end."""
    chance, position = random.Random(seed), game.position()
    played = [position]
    while not position.is_over:
        position = position.play(chance.choice(position.moves.numbers))
        played.append(position)
    return played


@pytest.mark.parametrize("name", NAMES)
def test_conforms_compiled_and_interpreted_alike(name):
    report = ludus.check(ludus.game(name), games=40, seconds=2, compiled=True)
    assert report.faults == []
    assert report.compiled
    assert report.story != ""


@pytest.mark.parametrize("spec", [*NAMES, *OTHERS])
def test_conforms_interpreted(spec):
    report = ludus.check(ludus.game(spec), games=20, seconds=1, seed=1, compiled=False)
    assert report.faults == []


@pytest.mark.parametrize("spec", [*NAMES, *OTHERS])
def test_spec_reads_and_prints(spec):
    game = ludus.game(spec)
    assert str(game) == spec
    assert ludus.game(str(game)).start == game.start


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_has_a_default_and_the_class_says_what_it_is(name):
    cls = registry.games().classes[name]
    assert cls().name == name
    assert cls.summary().endswith((".", ")"))


@pytest.mark.parametrize("name", NAMES)
def test_survives_a_process_border(name):
    game = ludus.game(name)
    copy = pickle.loads(pickle.dumps(game))
    assert str(copy) == str(game)
    assert copy.start == game.start


@pytest.mark.parametrize("spec", [*NAMES, *OTHERS])
def test_bounds_hold(spec):
    game = ludus.game(spec)
    for seed in range(5):
        played = random_game(game, seed)
        assert max(len(position.moves) for position in played) <= game.max_moves
        if game.length:  # which leaves forced passes aside
            assert sum(len(position.moves) > 1 for position in played) <= game.length


@pytest.mark.parametrize("name", NAMES)
def test_evaluators_have_an_opinion_everywhere(name):
    game = ludus.game(name)
    suited = [e for e in registry.evaluators().classes.values() if not e.games or name in e.games]
    assert (game.evaluator or "sampler").split("(")[0] in {e.name for e in suited}
    for position in random_game(game)[::5]:
        for evaluator in suited:
            assert abs(position.value(evaluator())) < float("inf")


@pytest.mark.parametrize("name", NAMES)
def test_show(name):
    position = random_game(ludus.game(name), 1)[3]
    ran = run("show", name, f"--state={position.text}")
    assert ran.status == 0
    assert str(position) in ran.out
    assert f"{len(position.moves)} moves" in ran.out
    shown = run("show", name, f"--state={position.text}", "--json").json
    assert shown["state"] == position.text
    assert shown["moves"] == list(position.moves)
