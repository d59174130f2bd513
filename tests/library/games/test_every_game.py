"""What every registered game must do, compiled and interpreted; a new file in `games/` is tested by being there."""

from __future__ import annotations

import pickle
import random
import re

import pytest

import ludus
from ludus.library.evaluators.expected_outcome import ExpectedOutcome
from ludus.model import registry
from tests.support.commands import run
from tests.support.optional_games import INTERPRETED, needing_extras

NAMES = needing_extras(registry.games().classes)
COMPILED = [name for name in registry.games().classes if name not in INTERPRETED]
OTHERS = [
    *("nim(stones=9, most=2)", "tictactoe(size=4, line=3)", "tictactoe(size=8)", "tictactoe(size=1)"),
    *("amazons(size=5)", "amazons(size=5, best=3)"),
    *("connect4(columns=8, rows=7)", "connect4(columns=4, rows=5, line=3)", "connect4(columns=1, rows=63)"),
    *("kalah(empty_capture=false)", "kalah(houses=7, seeds=18)", "kalah(houses=1)"),
    *needing_extras(["openspiel(name=dots_and_boxes)", 'openspiel(name="connect_four(rows=4,columns=5)")']),
    'dbf-tree(leaves="normal binary", p=0.25, mean="0.5 -0.5", seed=3)',
    'trap-tree(depth=4, q="0.1 0.2 0.3", win=0.5)',
    'recursive-game(f="0.2 0.1 0.7", depth=9)',
    "interval-tree(width=5, tight=0.5)",
    "board-splitting(branching=3, rounds=2, values=branches)",
    'tree(of="A=1[B=3[C=7 D=-4] E=2.5 [0 1]]")',
]


def random_game(game: ludus.Game, seed: int = 0) -> list[ludus.Position]:
    """The positions of one random game, to its end."""
    chance, position = random.Random(seed), game.position()
    played = [position]
    while not position.is_over:
        position = position.play(chance.choice(position.moves.numbers))
        played.append(position)
    return played


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
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
        if game.length:  # which leaves forced passes and chance aside
            assert sum(len(position.moves) > 1 and not position.odds for position in played) <= game.length


@pytest.mark.parametrize("name", NAMES)
def test_evaluators_have_an_opinion_everywhere(name):
    game = ludus.game(name)
    suited = [e for e in registry.evaluators().classes.values() if not e.games or name in e.games]
    assert (game.evaluator or "sampler").split("(")[0] in {e.name for e in suited}
    for position in random_game(game)[::5]:
        for evaluator in suited:
            if evaluator is ExpectedOutcome:  # it refuses all but the ends of games
                continue
            assert abs(position.value(evaluator())) < float("inf")


@pytest.mark.parametrize("name", NAMES)
def test_show(name):
    position = random_game(ludus.game(name), 1)[:4][-2]  # not the last, however short the game
    ran = run("show", name, f"--state={position.text}")
    assert ran.status == 0
    assert str(position) in ran.out
    assert re.search(rf"^{len(position.moves)} moves? ", ran.out, re.M)
    shown = run("show", name, f"--state={position.text}", "--json").json
    assert shown["state"] == position.text
    assert shown["moves"] == list(position.moves)
