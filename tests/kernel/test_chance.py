"""Chance: outcomes by their odds in playouts and games, the same dice for both games of a pair, and who refuses."""

from __future__ import annotations

import io
import random
import sys

import numpy as np
import pytest
from scipy import stats

import ludus
from ludus import Budget, Game
from ludus.arena.play.openings import Opening, openings
from ludus.arena.play.pairs import Pair
from ludus.arena.play.playing import play_game
from ludus.arena.roster import Roster
from ludus.kernel.chance import Dice, drawn_outcome
from ludus.kernel.playout import playout
from ludus.kernel.random import seed_for
from ludus.library.searches.sampling.uct import Uct
from ludus.model import registry
from ludus.runtime.player import typical_length
from tests.support import oracles
from tests.support.commands import assert_refused, run
from tests.support.oracles import ROOT
from tests.support.reference_sampling import by_chance, slow_playout
from tests.support.tiny_games import DiceTree, OnTrees

ODDS = [0.5, 0.0, 0.2, 0.3]

# Draws.


def test_outcomes_come_by_their_odds():
    dice = Dice(seed_for(1))
    counts = np.bincount([dice.roll(ODDS) for _ in range(20_000)], minlength=4)
    assert counts[1] == 0
    assert stats.chisquare(counts[[0, 2, 3]], [10_000, 4_000, 6_000]).pvalue > 1e-3


def test_draws_are_those_of_the_sums_of_the_odds():
    one, other, source = np.array([5], np.uint64), np.array([5], np.uint64), random.Random(3)
    for _ in range(2000):
        weights = np.array([source.choice((0, 1, 2, 3)) for _ in range(source.randint(1, 6))]) + 1e-9
        odds = (weights / weights.sum()).tolist()
        with np.errstate(over="ignore"):
            assert drawn_outcome(one, odds, len(odds)) == by_chance(other, odds)


def test_odds_that_add_up_to_a_little_less_than_one_have_an_outcome():
    with np.errstate(over="ignore"):
        assert drawn_outcome(np.array([7], np.uint64), [1e-300] * 3, 3) == 2


# Random play.


def play_out(game, state, source):
    out, legal = game.buffer(), game.legal(state)
    out[: len(legal)] = legal
    with np.errstate(over="ignore"):
        return playout(game.metered(np.zeros(4, np.int64)), state, len(legal), out, source, 1000)


def test_a_playout_is_the_slow_one():
    for seed in range(100):
        tree = DiceTree(seed, depth=1 + seed % 5)
        for run_seed in range(5):
            fast, slow = (np.array([run_seed], np.uint64) for _ in range(2))
            assert play_out(tree, (ROOT,), fast) == slow_playout(tree, (ROOT,), slow)[0]
            assert fast == slow


@pytest.mark.parametrize("seed", range(4))
def test_playouts_come_to_each_result_as_often_as_they_should(seed):
    tree = DiceTree(seed + 20, depth=5, values=3)
    exact = oracles.chances(tree, (ROOT,))
    source = np.array([seed_for(seed)], np.uint64)
    found = [np.sign(play_out(tree, (ROOT,), source)) for _ in range(3000)]
    counts, expected = zip(
        *((found.count(sign), 3000 * float(p)) for sign, p in zip((1, 0, -1), exact, strict=True) if p > 0), strict=True
    )
    assert sum(counts) == 3000
    assert len(counts) == 1 or stats.chisquare(counts, np.array(expected) * 3000 / sum(expected)).pvalue > 1e-3


def test_the_typical_length_leaves_the_dice_out():
    """One die a move; so of the plies half are dice."""
    assert typical_length(ludus.game("chance-tree(depth=40)")) == 20


# UCT, given time.


def expected_value(tree: DiceTree, node: int) -> float:
    """The result of best play on average, to the player to move: chance averages, players take the best."""
    below = [expected_value(tree, child) for child in oracles.children(tree, node)]
    if not below:
        return float(np.sign(tree.worth[node]))
    odds = tree.odds((node,))
    return float(np.dot(odds, below)) if odds else -min(below)


@pytest.mark.slow
@pytest.mark.parametrize("solver", [False, True])
def test_uct_comes_to_the_value_of_best_play(solver):
    search, clear = OnTrees(Uct(solver=solver, leaf="playout", c=0.7), compiled=True, kind=DiceTree), 0
    for seed in range(120):
        tree = DiceTree(seed, depth=2 + seed % 3, values=3)
        worth = {child: -expected_value(tree, child) for child in oracles.children(tree, ROOT)}
        result = search(tree, Budget(nodes=100_000), seed)
        best = max(worth.values())
        assert worth[result.move] >= best - 0.1
        if result.stopped != "solved":
            assert result.value == pytest.approx(worth[result.move], abs=0.1)
            clear += len(worth) > 1 and sorted(worth.values())[-2] < best - 0.1
    assert clear > 20


# Games.


def dice_of(game: Game, opening: Opening, moves: tuple[int, ...]) -> list[int]:
    """What the dice brought, and nothing that a player decided."""
    return [move for move, turn in zip(moves, game.turns(moves, opening.state), strict=True) if turn is None]


def slow(*specs: str) -> tuple[ludus.Player, ...]:
    return tuple(ludus.player(spec, compiled=False).on(ludus.game("pig(target=25)")) for spec in specs)


def test_both_games_of_a_pair_and_all_pairings_have_the_same_dice():
    game, brought = ludus.game("pig(target=25)"), []
    for number, opening in zip(range(6), openings(game, 2, seed=5), strict=False):
        for names in (("greedy", "random"), ("random", "sampler(nodes=50)")):
            pair = Pair((0, 1, number), opening, slow(*names), seed_for(7, number))
            dice = [dice_of(game, opening, record.moves) for record in pair.perform()]
            shorter = min(map(len, dice))
            assert shorter > 3
            assert dice[0][:shorter] == dice[1][:shorter]
            brought.append(tuple(dice[0][:4]))
    assert brought[::2] == brought[1::2]
    assert len(set(brought)) == 6


def follow(names: list[str], target: int) -> tuple[int, list[int]]:
    """Who wins a game of pig, and how many decisions each makes, passes too: from what is said at the table alone."""
    points, decisions, turn, hand, who = [0, 0], [0, 0], 0, 0, 0
    for name in names:
        if name.isdigit():
            turn, hand = (1 - turn, 0) if name == "1" else (turn, hand + int(name))
            continue
        decisions[who] += 1
        assert (name == "pass") == (who != turn)
        if name == "hold":
            points[turn] += hand
            turn, hand = 1 - turn, 0
        who = 1 - who
    winner = int(points[1] >= target)
    assert points[winner] >= target > points[1 - winner]
    return winner, decisions


def test_a_game_is_conducted_by_its_rules():
    game, won = ludus.game("pig(target=25)"), []
    for seed in range(30):
        record = play_game(Opening(game, (), dice=seed), *slow("greedy", "random"), seed)
        winner, decisions = follow(game.move_names(record.moves), 25)
        assert record.score == (1 if winner == 0 else -1)
        assert record.decisions == tuple(decisions)
        won.append(winner)
    assert 20 < won.count(0) < 30  # the better player


def test_openings_of_games_of_chance_never_run_out():
    game = ludus.game("pig")
    found = [opening for _, opening in zip(range(200), openings(game, 3, seed=1), strict=False)]
    assert len({opening.state for opening in found}) < 100
    assert len({opening.dice for opening in found}) == 200
    for opening in found:
        turns = game.turns(opening.moves)
        assert sum(turn is not None for turn in turns) == 3


def test_a_synthetic_game_of_chance_has_dice_of_its_own_for_each_seed():
    found = [opening for _, opening in zip(range(50), openings(ludus.game("chance-tree"), 3, seed=1), strict=False)]
    assert len({opening.dice for opening in found}) == len({opening.game.seed for opening in found}) == 50


@pytest.mark.slow
def test_a_match_is_the_same_with_two_workers():
    one, two = (ludus.match("pig(target=30)", *slow("greedy", "random"), games=20, workers=n).to_dict() for n in (1, 2))
    assert one["wins"][0] > one["wins"][1]
    for key in ("wins", "draws", "pentanomial", "decisions"):
        assert one[key] == two[key]


def test_a_budget_for_a_game_is_spent_in_a_game_of_chance():
    """The dice are no moves of ours: what is left is divided by our own moves to come."""
    game = ludus.game("chance-tree(depth=40)")
    players = [ludus.player("sampler(nodes=20000, per=game)", compiled=False).on(game) for _ in range(2)]
    record = play_game(Opening(game, (), 1), *players, seed=1)
    assert record.decisions == (10, 10)
    for effort in record.effort:
        assert 15_000 < effort.generated < 21_000


# Refusals.


@pytest.mark.parametrize("name", [n for n, kind in registry.searches().classes.items() if not kind.handles_chance])
def test_a_search_that_knows_no_chance_refuses(name):
    able = ", ".join(n for n, kind in registry.searches().classes.items() if kind.handles_chance)
    ran = run("search", "pig", name, "--no-compile")
    assert_refused(ran, f"{name} cannot play pig, where chance has a part; those that can are {able}.")


def test_there_is_no_move_to_choose_where_chance_decides():
    ran = run("search", "pig", "uct", "--state", "3 4 5 die", "--no-compile")
    assert_refused(ran, "in position '3 4 5 die' chance decides, not a player: 1, 2, 3, 4, 5, 6.")


@pytest.mark.slow
def test_a_ranking_leaves_out_those_who_cannot_play_and_says_why(tmp_path):
    told = run("rank", "pig(target=20)", "--games", 24, "--no-compile", "--budget", "nodes=50", "--json", "--db",
               tmp_path / "x.db", "--seed", 3).json  # fmt: skip
    contenders = [player.search for player in Roster.of(ludus.game("pig"), ()).players]
    able = {search.name for search in contenders if search.handles_chance}
    assert {player["player"].split("(")[0] for player in told["players"]} == able
    assert {one["player"].split("(")[0] for one in told["excluded"]} == {one.name for one in contenders} - able
    assert all("where chance has a part" in one["reason"] for one in told["excluded"])


# For people.


def play(monkeypatch, typed: str, *arguments: str):
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{word}\n" for word in typed.split())))
    return run("play", "pig(target=10)", *arguments, "--no-compile")


def test_play_rolls_the_dice(monkeypatch):
    people = ("--first", "person", "--second", "person", "--seed", "4")
    ran = play(monkeypatch, "roll roll quit", *people)  # the first roll, from nothing in hand, is forced
    assert "chance brings 4" in ran.out
    assert "chance brings 6" in ran.out
    assert play(monkeypatch, "roll roll quit", *people).out == ran.out
    undone = play(monkeypatch, "roll undo state quit", *people)
    assert "0 0 4 turn" in undone.out.split("chance brings 6")[1]


def test_undo_takes_back_ones_own_roll_and_the_reply(monkeypatch):
    ran = play(monkeypatch, "roll undo state quit", "--seed", "4", "--second", "random")
    assert "random plays pass" in ran.out.split("chance brings 6")[1]
    assert "  0 0 4 turn" in ran.out.splitlines()[-2]


def test_play_to_the_end(monkeypatch):
    winners = set()
    for seed in range(4):
        told = play(monkeypatch, "", "--first", "greedy", "--second", "random", "--json", "--seed", str(seed)).json
        assert told["over"]
        assert told["score"] == -1  # to the player to move: the other has just held
        assert told["winner"] == ("first", "second")[follow(told["moves"], 10)[0]]
        winners.add(told["winner"])
    assert len(winners) == 2


def test_show():
    assert run("show", "pig", "--state", "1 2 3 die", "--json").json["odds"] == {
        str(face): pytest.approx(1 / 6) for face in range(1, 7)
    }
    assert "odds" not in run("show", "pig", "--json").json
    assert "1 (0.167) 2 (0.167)" in run("show", "pig", "--state", "1 2 3 die").out
