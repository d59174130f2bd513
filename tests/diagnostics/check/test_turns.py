"""A player who moves twice in a game that does not say so is asked about, and nobody else."""

from __future__ import annotations

import pytest

import ludus
from ludus.kernel.chance import Dice
from ludus.model import registry
from ludus.runtime.turns import Turns, glance
from tests.diagnostics.check import moving_twice
from tests.support import moving_again
from tests.support.commands import run

TWICE = {
    "Mancala": "state[1]",
    "PlusMinus": "state[0]",
    "Nested": "state[1][0]",
    "InArray": "state[0][1, 13]",
    "Dictionary": "state['to move']",
    "Fields": "state.side",
    "Dots": "state[2]",
    "Bonus": "state[1]",
    "Chain": "state[1]",
    "Phases": "state[1]",
    "TwoStones": "state[1]",
    "Pig": "state[3]",
}
"""Which element of the state is the turn."""

RIGHT = (
    moving_twice.FixedMancala,
    moving_twice.FixedPig,
    moving_twice.PassesByHand,
    moving_twice.Flags,
    moving_twice.RandomFlags,
    moving_twice.NoTurnAtTheEnd,
    moving_again.Strip,
    moving_again.BitStrip,
    moving_again.ListStrip,
    moving_again.AgainPig,
)


def asked(game: ludus.Game, **options: object) -> list[str]:
    """What `check` asks about the turn."""
    report = ludus.check(game, seconds=60, compiled=False, **options)
    assert report.passed, report.faults
    assert report.to_dict()["questions"] == report.questions
    return [question for question in report.questions if "whose turn" in question]


@pytest.mark.slow
@pytest.mark.parametrize("name", TWICE)
def test_a_player_who_moves_twice_is_asked_about(name):
    [question] = asked(getattr(moving_twice, name)(), games=60 if name == "Pig" else 20)
    wanted = f"{TWICE[name]} looks like whose turn it is, but does not always change: see alternates = False"
    assert question.startswith(wanted)


@pytest.mark.slow
@pytest.mark.parametrize("kind", RIGHT)
def test_nothing_is_asked_about_a_game_that_is_right(kind):
    assert asked(kind(), games=20) == []
    assert glance(kind()) == ""


@pytest.mark.parametrize("name", sorted(registry.games().classes))
def test_nothing_is_asked_about_a_game_of_our_own(name):
    """Not even if it had no rule `mover`; but for the trees whose nodes say who wins, which mostly alternates."""
    game = ludus.game(name)
    turns = Turns(game)
    turns.needed = turns.needed or name != "trap-tree"
    for seed in range(10):
        dice, state, decided = Dice(seed), game.start, []
        while (legal := game.legal(state)) and len(decided) < 200:
            odds = game.odds(state)
            decided += [] if odds else [(state, len(legal))]
            state = game.after(state, dice.pick(legal, odds))
        turns.add(decided)
    assert turns.question == ""


# The first use of a game.


COMMANDS = {
    "search": ("random",),
    "play": ("--first", "random", "--second", "random"),
    "match": ("random", "random", "--games", 2, "--workers", 1),
    "rank": ("random", "greedy(eval=zero)", "--games", 2, "--workers", 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_one_line_at_the_first_use(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rest = (*COMMANDS[command], "--no-compile")
    ran = run(command, f"{moving_twice.__file__}:Mancala", *rest)
    assert ran.status == 0
    warned = [
        line for line in ran.err.splitlines() if line.startswith("ludus: warning: state[1] looks like whose turn")
    ]
    assert len(warned) == 1
    assert "whose turn" not in run(command, f"{moving_twice.__file__}:FixedMancala", *rest).err


def test_a_rule_that_fails_is_left_to_the_command():
    class Failing(moving_twice.Mancala):
        def play(self, state, move):
            raise ValueError("no")

    assert glance(Failing()) == ""
