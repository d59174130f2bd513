"""Our searches as OpenSpiel's bots, in OpenSpiel's own matches."""

from __future__ import annotations

import doctest
import random

import pytest

import ludus
import ludus.openspiel
from ludus.openspiel import bot

pyspiel = pytest.importorskip("pyspiel")


def test_docstring():
    done = doctest.testmod(ludus.openspiel)
    assert (done.attempted, done.failed) == (4, 0)


def test_it_is_a_bot_of_openspiel():
    made = bot("greedy")
    assert isinstance(made, pyspiel.Bot)
    assert repr(made) == "<bot greedy(nodes=2000)>"


def test_perfect_play_never_loses():
    perfect = bot("alphabeta(eval=zero, depth=9, table=true)")
    game = pyspiel.load_game("tic_tac_toe")
    points = [0.0, 0.0]
    for seed in range(4):
        chance = pyspiel.make_uniform_random_bot(1 - seed % 2, seed)
        order = [perfect, chance] if seed % 2 == 0 else [chance, perfect]
        returns = pyspiel.evaluate_bots(game.new_initial_state(), order, seed)
        points[0] += returns[seed % 2]
        assert returns[seed % 2] >= 0
    assert points[0] > 0


@pytest.mark.parametrize(
    "name", ["mancala", "dots_and_boxes", "connect_four(rows=4,columns=4)", "nim", "clobber(rows=3,columns=4)"]
)
@pytest.mark.parametrize("spec", ["bfmm(eval=random, nodes=40)", "minimax(nodes=100)", "lcf(eval=random, nodes=40)"])
def test_any_search_on_any_game(name, spec):
    game = pyspiel.load_game(name)
    returns = pyspiel.evaluate_bots(game.new_initial_state(), [bot(spec), bot(spec, seed=1)], 0)
    assert sum(returns) == 0


def test_the_move_is_that_of_the_search():
    """Also in the middle of a game in which a player has just had two turns."""
    game, chance = pyspiel.load_game("mancala"), random.Random(2)
    ours, player = ludus.game("openspiel", name="mancala"), ludus.player("minimax(eval=zero, depth=3)", compiled=False)
    made = bot("minimax(eval=zero, depth=3)")
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            action = made.step(state)
            assert action in state.legal_actions()
            assert action == player.choose(ours, ours.adopt(state)).move
            state.apply_action(chance.choice(state.legal_actions()))


def test_same_seed_same_game():
    game = pyspiel.load_game("connect_four")

    def play(seed: int) -> list[int]:
        state, bots = game.new_initial_state(), [bot("random", seed=seed), bot("random", seed=seed + 1)]
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
        return state.history()

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_a_budget_for_a_game_starts_anew():
    made = bot("bfmm(eval=random, nodes=60, per=game)")
    game = pyspiel.load_game("connect_four")
    for _ in range(2):
        made.restart_at(game.new_initial_state())
        state = game.new_initial_state()
        made.step(state)
        assert made.player._moves_made == 1
    made.restart()
    assert made.player._moves_made == 0


def test_a_player_of_ones_own_and_games_that_do_not_fit():
    player = ludus.player("minimax(depth=2)", compiled=False)
    assert bot(player).player is player
    assert bot("minimax", ludus.Budget(depth=1)).player.budget == ludus.Budget(depth=1)
    with pytest.raises(ludus.LudusError, match=r"kuhn_poker.* does not fit"):
        bot(player).step(pyspiel.load_game("kuhn_poker").new_initial_state())
    with pytest.raises(ludus.SpecError, match="unknown search"):
        bot("minimaxx")


@pytest.mark.parametrize("name", ["pig(winscore=15)", "einstein_wurfelt_nicht", "backgammon"])
def test_games_of_chance(name):
    """The dice are OpenSpiel's; every decision is legal, and each player's turns are found among dice and passes."""
    game, bots = pyspiel.load_game(name), [bot("greedy(eval=zero)"), bot("random", seed=2)]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)
    assert sum(returns) == 0
    assert returns[0] != 0


def test_a_bot_plays_pig_better_than_chance():
    game, won = pyspiel.load_game("pig(winscore=20)"), 0
    for seed in range(12):
        better, other = bot("uct(nodes=300)", seed=seed), pyspiel.make_uniform_random_bot(1 - seed % 2, seed)
        order = [better, other] if seed % 2 == 0 else [other, better]
        won += pyspiel.evaluate_bots(game.new_initial_state(), order, seed)[seed % 2] > 0
    assert won >= 9
