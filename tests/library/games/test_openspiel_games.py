"""OpenSpiel's games as ours: the same games as our own, turns that do not alternate, and what does not fit."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

import ludus
from ludus.library.games import openspiel
from tests.support.commands import assert_refused, run

pyspiel = pytest.importorskip("pyspiel")

SEVERAL_TURNS = ["mancala", "dots_and_boxes", "amazons(board_size=6)", "ultimate_tic_tac_toe"]
OTHERS = [
    "breakthrough(rows=5,columns=4)",
    "hex(board_size=3)",
    "clobber(rows=3,columns=3)",
    "misere(game=tic_tac_toe())",
]


def make(name: str) -> ludus.Game:
    return ludus.game("openspiel", name=name)


@pytest.mark.parametrize("name", SEVERAL_TURNS + OTHERS)
def test_games_conform(name):
    report = ludus.check(make(name), games=10, seconds=1, compiled=False)
    assert report.faults == []


@pytest.mark.parametrize("name", SEVERAL_TURNS + OTHERS)
def test_every_move_and_result_is_openspiels(name):
    """A player whose turn is skipped there passes here; all else is alike, and the score is to the player to move."""
    game, chance, seen = make(name), random.Random(1), Counter()
    for _ in range(20):
        state, other, turn = game.start, pyspiel.load_game(name).new_initial_state(), 0
        while not other.is_terminal():
            legal = game.legal(state)
            assert game.mover(state) == turn
            if other.current_player() == turn:
                assert legal == other.legal_actions()
                move = chance.choice(legal)
                assert game.move_name(state, move) == other.action_to_string(turn, move)
                other.apply_action(move)
            else:
                [move] = legal
                assert game.move_name(state, move) == "pass"
                seen["passes"] += 1
            state, turn = game.after(state, move), 1 - turn
            assert str(state.state) == str(other)
        assert game.legal(state) == []
        assert game.result(state) == other.returns()[turn]
        seen[other.returns()[0]] += 1
    assert (seen["passes"] > 0) == (name in SEVERAL_TURNS)
    assert len(seen) > 1


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("tic_tac_toe", "tictactoe"),
        ("connect_four(rows=4,columns=4,x_in_row=3)", "connect4(rows=4, columns=4, line=3)"),
        ("mancala", "kalah(empty_capture=false)"),
    ],
)
@pytest.mark.parametrize(
    "search", ["minimax(eval=zero, depth=5)", "bfmm(eval=zero, nodes=300)", "alphabeta(eval=zero, depth=6)"]
)
def test_searches_do_the_same_as_on_our_own_games(theirs, ours, search):
    results = [ludus.player(search, compiled=False).choose(game, seed=1) for game in (make(theirs), ludus.game(ours))]
    one, two = ([np.sign(child.value) for child in result.children] for result in results)
    assert one == two
    assert results[0].meter.generated == results[1].meter.generated
    assert results[0].stopped == results[1].stopped


# Positions as text.


def test_text():
    game = make("mancala")
    assert game.position().text == "start"
    assert game.position("start") == game.position()
    position = game.position().play("3")
    assert list(position.moves) == ["pass"]
    assert position.text == "3"
    assert position.play("pass").text == "3 pass"
    assert len({position.state, position.play("pass").state, game.start, game.position("1").state}) == 4
    assert position.state != game.position("1").state
    assert game.position("3 pass 1 8").play("2").text == "3 pass 1 8 2"
    assert "Current player" in str(position)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3 1", "'1' is not a legal move after '3': there one may play pass"),
        ("pass", "'pass' is not a legal move after 'start': there one may play 1 2 3 4 5 6"),
        ("0", "there one may play 1 2 3 4 5 6"),
        ("x", "'x' is not a legal move"),
    ],
)
def test_text_that_is_no_position(text, words):
    with pytest.raises(ludus.StateError, match=words):
        make("mancala").position(text)


def test_text_beyond_the_end():
    with pytest.raises(ludus.StateError, match="after '0 3 1 4 2': the game is over"):
        make("tic_tac_toe").position("0 3 1 4 2 5")


def test_states_survive_a_process_border():
    game = make("mancala")
    state = game.position("3 pass 1 8").state
    copy = pickle.loads(pickle.dumps(state))
    assert copy == state
    assert hash(copy) == hash(state)
    assert str(copy.state) == str(state.state)
    assert copy.turn == state.turn
    assert game.legal(copy) == game.legal(state)
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == "openspiel(name=mancala)"
    assert again.start == game.start


def test_any_state_of_openspiel_is_adopted_with_its_passes():
    game, chance = make("dots_and_boxes"), random.Random(4)
    for _ in range(10):
        position = game.position()
        while not position.is_over:
            if game.move_name(position.state, position.moves.numbers[0]) != "pass":
                adopted = game.adopt(position.state.state)
                assert adopted == position.state
                assert adopted.turn == position.state.turn
            position = position.play(chance.choice(position.moves.numbers))
        assert game.adopt(position.state.state).turn == position.state.turn


# Specs and commands.


@pytest.mark.parametrize(
    "spec",
    [
        "openspiel(name=connect_four(rows=5, columns=6))",
        'openspiel(name="connect_four(rows=5,columns=6)")',
    ],
)
def test_parameters_of_a_game(spec):
    game = ludus.game(spec)
    assert (game.spiel.num_distinct_actions(), len(game.position().moves)) == (6, 6)
    assert ludus.game(str(game)).spiel.get_parameters() == game.spiel.get_parameters()
    assert game.max_moves == 6


def test_commands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where the match is kept
    found = run(
        "search", "openspiel(name=tic_tac_toe)", "alphabeta(eval=zero, depth=9, table=true)", "--no-compile", "--json"
    ).json
    assert found["value"] == 0
    assert found["move"] == "x(0,0)"
    match = ("match", "openspiel", "minimax(eval=zero, depth=3)", "random", "--games", "6", "--no-compile", "--json")
    alone, two = (run(*match, "--workers", workers).json for workers in (1, 2))
    assert alone["games"] == 6
    for key in ("wins", "draws", "pentanomial", "decisions"):
        assert alone[key] == two[key]
    assert run("perft", "openspiel(name=mancala)", 3, "--no-compile", "--json").json["leaves"] == 136


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("connect_for", ["did you mean connect_four"]),
        ("kuhn_poker", ["kuhn_poker does not fit", "it hides information"]),
        ("hearts", ["it has 4 players", "it is not zero-sum", "it hides information"]),
        ("matrix_rps", ["players move at the same time"]),
        ("2048", ["it has 1 player;"]),
        ("connect_four(rows=x)", ["OpenSpiel cannot make 'connect_four(rows=x)'", "Wrong type for parameter rows"]),
        ("connect_four(wide=3)", ["Unknown parameter 'wide'", "columns"]),
    ],
)
def test_games_that_do_not_fit(name, words, capfd):
    assert_refused(run("perft", f'openspiel(name="{name}")', 1), *words)
    assert capfd.readouterr().err == ""  # OpenSpiel itself stays silent


def test_without_openspiel():
    """The game is listed all the same; to make it is refused in one sentence, and nothing else suffers."""
    code = (
        "import sys; sys.modules['pyspiel'] = None; import ludus; from ludus.model import registry; "
        "assert 'openspiel' in registry.games().classes; ludus.game('connect4'); ludus.game('openspiel')"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.stderr.splitlines()[-1] == (
        "ludus.common.errors.LudusError: games of OpenSpiel need the extra openspiel: pip install 'ludus[openspiel]'."
    )


# Chance.

OF_CHANCE = ["backgammon", "einstein_wurfelt_nicht", "pig(winscore=20)", "banqi"]


@pytest.mark.parametrize("name", OF_CHANCE)
def test_games_of_chance_conform(name):
    game = make(name)
    assert game.has_chance
    assert ludus.check(game, games=2, seconds=1, compiled=False).faults == []


def test_a_game_without_chance_says_so():
    assert not make("tic_tac_toe").has_chance
    assert make("tic_tac_toe").odds(make("tic_tac_toe").start) == []


def test_odds_that_are_not_told_are_refused(monkeypatch):
    """No such game of two players is registered: so one is pretended."""
    mode = pyspiel.GameType.ChanceMode
    monkeypatch.setattr(mode, "SAMPLED_STOCHASTIC", mode.EXPLICIT_STOCHASTIC)
    with pytest.raises(ludus.SpecError, match=r"pig does not fit.*it does not say the odds of its chance"):
        openspiel.load_game("pig")


@pytest.mark.parametrize("name", ["einstein_wurfelt_nicht", "pig(winscore=10)"])
def test_matches_of_games_of_chance(name):
    found = ludus.match(make(name), *(ludus.player(spec, compiled=False) for spec in ("greedy", "random")), games=6)
    assert found.games == 6


def test_chance():
    """A chance state is a ply after which the same player is to move; its moves go with the probabilities."""
    game = make("pig(players=2,winscore=20)")
    state, room = game.start, np.zeros(game.max_moves)
    assert game.chance(state, room) == 0
    roll = game.parse_move(state, "roll")
    rolled = game.after(state, roll)
    assert game.mover(rolled) == 1
    n = game.chance(rolled, room)
    assert n == len(game.legal(rolled)) == 6
    assert room[:n].sum() == pytest.approx(1)
    for outcome in game.legal(rolled):
        after = game.after(rolled, outcome)
        assert game.mover(after) == 1  # not changed by chance
        again = after.state.current_player() == 0
        assert (game.legal(after) == [game.skip]) == again
        assert game.adopt(after.state).turn == after.state.current_player()


class Bounded(ludus.Evaluator):
    """Opinions between -1 and 1 that vary from position to position, so that Star1 and Star2 can cut."""

    lowest, highest = -1.0, 1.0

    def evaluate(self, game, state):
        return (7 * sum(state.path) % 11 - 5) / 5

    def final(self, game, state):
        return state.state.returns()[state.turn]


def expectimax(game, state, turn, path, depth):
    """The value to `turn` by OpenSpiel's own rules: a pass, where the other one is to move, is a ply like any other."""
    if state.is_terminal():
        return state.returns()[turn]
    if depth == 0:
        return Bounded().evaluate(game, openspiel.SpielState(state, turn, path))
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        return sum(p * expectimax(game, state.child(a), turn, (*path, a), depth - 1) for a, p in outcomes)
    if state.current_player() != turn:
        return -expectimax(game, state, 1 - turn, (*path, game.skip), depth - 1)
    return max(-expectimax(game, state.child(a), 1 - turn, (*path, a), depth - 1) for a in state.legal_actions())


FULL_WIDTH = ["minimax", "backup(rule=expectimax)", "backup(rule=expectimax, star=2)", "alphabeta", "alphabeta(star=2)"]


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("pig(players=2,winscore=5,diceoutcomes=3)", 7),
        ("einstein_wurfelt_nicht", 4),
        ("backgammon", 2),
        ("banqi", 2),
    ],
)
def test_full_width_searches_are_expectimax_in_games_with_dice(name, depth):
    game, source = make(name), random.Random(1)
    players = [ludus.Player(spec, Bounded(), ludus.Budget(depth=depth), compiled=False) for spec in FULL_WIDTH]
    generated = np.zeros(len(players))
    for _ in range(3):
        state = game.start
        for _ in range(source.randrange(4)):
            state = game.after(state, source.choice(game.legal(state)))
        while game.odds(state):
            state = game.after(state, source.choice(game.legal(state)))
        truth = expectimax(game, state.state, state.turn, state.path, depth)
        results = [player.choose(game, state) for player in players]
        assert [result.value for result in results] == pytest.approx([truth] * len(players))
        generated += [result.meter.generated for result in results]
    assert generated[3] < generated[0]  # by Star1
