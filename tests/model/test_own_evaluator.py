"""A game's own evaluator: a class, a name, or a file beside the game's."""

import pytest

import ludus
from ludus import Evaluator, SpecError
from ludus.model import registry
from tests.support.commands import run

SOURCE = '''
import numpy as np
from ludus import Evaluator, Game

class Few(Evaluator):
    """Few stones are good."""
    def __init__(self, weight: float = 1.0) -> None:
        self.weight = weight
    def evaluate(self, game, state):
        return -self.weight * state[0].sum()

class Stones(Game):
    """Take one or two of five stones; whoever takes the last one wins."""
    max_moves = 2
    evaluator = EVALUATOR
    def initial(self):
        return (np.ones(5, np.int8),)
    def moves(self, state, out):
        out[0], out[1] = 1, 2
        return min(state[0].sum(), 2)
    def play(self, state, move):
        board = state[0].copy()
        left = board.sum() - move
        for i in range(5):
            board[i] = i < left
        return (board,)
    def score(self, state):
        return -1
'''
WAYS = {
    "class": ("Few", "stones.py:Few", -5),
    "file": ('"stones.py:Few(weight=2)"', "stones.py:Few(weight=2.0)", -10),
    "name": ('"random(seed=3)"', "random(seed=3)", None),
    "none": ('""', "sampler", None),
}


@pytest.fixture(params=WAYS)
def way(request, tmp_path):
    """A game in a folder of its own, seen from another one."""
    written, spec, value = WAYS[request.param]
    (tmp_path / request.param).mkdir()
    file = tmp_path / request.param / "stones.py"
    file.write_text(SOURCE.replace("EVALUATOR", written))
    return file, spec, value


def test_the_players_of_a_game_use_its_own_evaluator(way):
    file, spec, value = way
    game = ludus.game(f"{file}:Stones")
    player = ludus.player("greedy", compiled=False).on(game)
    assert str(player.evaluator).endswith(spec)
    assert value is None or game.position().value() == value
    assert ludus.player("greedy(eval=zero)").on(game).evaluator.title == "zero"
    assert player.choose(game).move in (1, 2)


def test_show_begins_with_it(way):
    file, spec, _ = way
    opinions = run("show", f"{file}:Stones", "--json").json["evaluators"]
    listed = [name for name, opinion in opinions.items() if opinion is not None]
    if spec != "sampler":
        assert listed[0].endswith(spec)
    assert sorted(listed[-3:]) == ["random", "sampler", "zero"]
    shown = run("show", f"{file}:Stones").out.splitlines()
    assert spec == "sampler" or shown[-len(listed)].split(" ")[0].endswith(spec.split(" ")[0])


@pytest.mark.slow
def test_workers_find_it(tmp_path):
    file = tmp_path / "stones.py"
    file.write_text(SOURCE.replace("EVALUATOR", "Few"))
    players = "minimax(nodes=50)", "greedy(eval=zero)"
    alone, together = (
        ludus.match(f"{file}:Stones", *players, games=4, openings=1, workers=workers).to_dict() for workers in (1, 2)
    )
    assert alone["wins"] == together["wins"]
    assert alone["players"][0].endswith("stones.py:Few, nodes=50)")


class Mine(Evaluator):
    def evaluate(self, game, state):
        return 7.0


def test_a_component_is_given_as_it_is_as_a_class_or_as_a_spec():
    of = registry.evaluators().of
    one = Mine()
    assert of(one) is one
    assert type(of(Mine)) is Mine
    assert of("random(seed=3)").seed == 3
    assert ludus.game("nim").position().value(Mine) == 7
    for wrong, words in ((7, "7 is no evaluator"), (int, "int is no evaluator"), ("wisdom", "unknown evaluator")):
        with pytest.raises(SpecError, match=words):
            of(wrong)


class Holder:
    """A class with an evaluator in it."""

    class Inner(Evaluator):
        def evaluate(self, game, state):
            return 1.0


def test_a_class_in_another_one_or_in_a_function_has_a_readable_title():
    class Local(Evaluator):
        def evaluate(self, game, state):
            return 1.0

    assert str(Holder.Inner()) == "Holder.Inner"
    assert str(Local()) == "Local"
    assert str(ludus.player("greedy", eval=Local).on(ludus.game("nim"))) == "greedy(eval=Local, nodes=2000)"


def test_evaluate_in_the_game_itself_is_not_passed_over(tmp_path, monkeypatch):
    """A common mistake: nobody asks it."""
    monkeypatch.chdir(tmp_path)
    own = "    def evaluate(self, state):\n        return 1.0\n"
    (tmp_path / "mistaken.py").write_text(SOURCE.replace("EVALUATOR", '""') + own)
    (tmp_path / "fine.py").write_text(SOURCE.replace("EVALUATOR", "Few") + own)  # which the evaluator may ask
    sentence = "obody asks evaluate of Stones: an evaluator is a class of its own"
    assert f"\nn{sentence}" in run("show", "mistaken.py:Stones").out
    assert run("show", "mistaken.py:Stones", "--json").json["note"].startswith(f"n{sentence}")
    checked = run("check", "mistaken.py:Stones", "--games", 10, "--no-compile")
    assert checked.status == 0
    assert f"QUESTION: N{sentence}" in checked.out
    assert sentence not in run("show", "fine.py:Stones").out
    assert run("check", "fine.py:Stones", "--games", 10, "--no-compile", "--json").json["questions"] == []
