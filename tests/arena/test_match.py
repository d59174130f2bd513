"""Matches: the referee, pairs with sides swapped, the same result whatever the workers, and what it says."""

from __future__ import annotations

import dataclasses
import pickle
import random
import re

import numpy as np
import pytest

import ludus
from ludus.arena.match_result import MatchResult
from ludus.arena.play.openings import openings
from ludus.arena.play.pairs import Pair
from ludus.arena.play.playing import play_game
from ludus.arena.play.records import GameRecord
from ludus.arena.play.referee import Board
from ludus.arena.pool.workers import InProcessPool
from ludus.arena.stats.statistics import elo, elo_estimate
from ludus.model import registry
from ludus.model.budget import Meter
from tests.support import SUPPORT

USER_GAMES = SUPPORT / "user_games.py"


def slow(spec: str) -> ludus.Player:
    return ludus.player(spec, compiled=False)


# The referee.


@pytest.fixture(scope="module")
def boards():
    """A compiled and an interpreted board that serve many games."""
    game = ludus.game("othello", size=4)
    return Board(game, compiled=True), Board(game, compiled=False)


@pytest.mark.parametrize("spec", ["othello(size=4)", "othello(size=6, empties=none)", "othello"])
def test_the_board_agrees_with_the_rules(boards, spec):
    game, chance = ludus.game(spec), random.Random(1)
    for board in boards:
        for _ in range(4):
            position = game.position()
            board.reset(game)
            while not position.is_over:
                assert not board.is_over
                assert board.legal == position.moves.numbers
                assert board.state == position.state
                assert [type(part) for part in board.state] == [type(part) for part in position.state]
                move = chance.choice(board.legal)
                assert board.play(move)
                position = position.play(move)
            assert board.is_over
            assert board.legal == []
            assert board.score == position.score


def test_a_board_is_for_any_game_of_its_class(boards):
    for board in boards:
        for size, first in ((4, "b1"), (8, "d3"), (6, "c2"), (4, "b1")):
            game = ludus.game("othello", size=size)
            board.reset(game)
            assert game.move_name(board.state, board.legal[0]) == first
            assert board.play(board.legal[0])
            assert board.state == game.position().play(first).state


def test_illegal_moves_are_refused_and_change_nothing(boards):
    game = ludus.game("othello", size=4)
    for board in boards:
        board.reset(game)
        before, legal = board.state, board.legal
        for move in (*set(range(-1, 66)) - set(legal), 2**40, -(2**40)):
            assert not board.play(move)
            assert board.state == before
            assert board.legal == legal
        assert board.play(legal[0])
        assert board.state == game.after(before, legal[0])


def test_a_board_begins_anywhere(boards):
    game = ludus.game("othello", size=4)
    over = game.position("XXXXXXXXXXXX---O O")
    for board in boards:
        board.reset(game, game.position("XO-------------- O").state)
        assert board.legal == [64]
        board.reset(game, over.state)
        assert board.is_over
        assert board.score == over.score == -14  # the empty squares are the winner's
        board.reset(game)
        assert not board.is_over


@pytest.mark.parametrize("compiled", [True, False])
def test_the_score_is_to_the_player_to_move(compiled):
    nim = Board(ludus.game("nim", stones=3), compiled)
    assert nim.play(2)
    assert nim.play(1)  # and so loses
    assert nim.is_over
    assert nim.score == 1
    tictactoe = Board(ludus.game("tictactoe", size=2), compiled)
    for move in (0, 1, 2):
        assert tictactoe.play(move)
    assert tictactoe.score == -1  # X has a line


def test_a_board_for_a_game_that_cannot_be_compiled():
    with pytest.warns(ludus.InterpretedWarning):
        board = Board(ludus.game(f"{USER_GAMES}:Fractions"))
    assert [board.play(move) for move in (3, 2, 2, 2, 1)] == [False, True, True, False, True]
    assert board.score == -0.5


# One game.


def test_a_game_is_what_the_players_choose():
    """Move by move against `choose`, with searches that leave nothing to chance."""
    game = ludus.game("othello", size=4)
    players = slow("greedy(eval=mobility)"), slow("minimax(eval=discs, depth=2)")
    for opening in openings(game, 3, seed=5):
        record = play_game(opening, *players, seed=9)
        position, effort, decisions = game.position(), [Meter(), Meter()], [0, 0]
        for move in opening.moves:
            position = position.play(move)
        for turn, move in enumerate(record.moves):
            result = players[turn % 2].choose(game, position)
            assert move == result.move
            effort[turn % 2] += dataclasses.replace(result.meter, seconds=0)
            decisions[turn % 2] += 1
            position = position.play(move)
        assert position.is_over
        # To the player who moved first after the opening, which is the player to move if an even number was played.
        assert record.score == (position.score if len(record.moves) % 2 == 0 else -position.score)
        # Three plies on, that is white.
        black = position.text.count("X") - position.text.split()[0].count("O") - (position.text[-1] == "X")
        assert np.sign(record.score) == -np.sign(black)
        assert [dataclasses.replace(meter, seconds=0) for meter in record.effort] == effort
        assert min(meter.seconds for meter in record.effort) > 0
        assert list(record.decisions) == decisions


def test_each_move_has_its_own_seed():
    opening = next(openings(ludus.game("nim", stones=60, most=5), 0, seed=0))
    games = [play_game(opening, slow("random"), slow("random"), seed).moves for seed in (1, 2, 2, 3)]
    assert games[1] == games[2]
    assert len(set(games)) == 3
    assert all(len(set(moves)) > 1 for moves in games)


def test_a_budget_for_the_game_begins_anew_in_each():
    players = slow("bfmm(nodes=400, per=game)"), slow("greedy")
    opening = next(openings(ludus.game("tictactoe", size=4), 2, seed=0))
    one, other = (play_game(opening, *players, seed=1) for _ in range(2))
    assert plain([(one, other)])[0] == plain([(one, other)])[1]
    assert 200 < one.effort[0].generated < 400 + 16  # at most one expansion too many


class Cheat(ludus.Player):
    """Plays to the right square, whether it is free or not."""

    def decide(self, game, state, **options):
        super().decide(game, state, **options)
        return 99


def test_an_illegal_move_forfeits_the_game():
    cheat = Cheat(registry.searches().of("greedy"), compiled=False)
    opening = next(openings(ludus.game("tictactoe"), 0, seed=0))
    record = play_game(opening, slow("greedy"), cheat, 0)
    assert record.score == 1
    assert len(record.moves) == 1
    assert re.fullmatch(r"chose 99, which is not legal in position '[-X]+ O'", record.fault)
    assert play_game(opening, cheat, slow("greedy"), 0).score == -1


# Matches.


@pytest.fixture
def recorded(monkeypatch):
    """The records of all pairs of a match, as they come in."""
    records: list[tuple[GameRecord, GameRecord]] = []
    original = MatchResult.add

    def add(self: MatchResult, pair: tuple[GameRecord, GameRecord]) -> None:
        records.append(pair)
        original(self, pair)

    monkeypatch.setattr(MatchResult, "add", add)
    return records


def plain(records):
    """Without the seconds, which are nobody's doing."""
    return [
        (record.moves, record.score, record.decisions, [dataclasses.replace(m, seconds=0) for m in record.effort])
        for pair in records
        for record in pair
    ]


def without_seconds(result: MatchResult) -> dict:
    found = result.to_dict()
    for effort in found["effort"]:
        del effort["seconds"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "compiled", "counts"),
    [("othello(size=4)", True, (1, 2)), ("random-tree(depth=12)", False, (1, 3)), ("tictactoe", False, (1, 2))],
)
def test_the_same_whatever_the_number_of_workers(recorded, spec, compiled, counts):
    results, records = [], []
    for workers in counts:
        players = [ludus.player(name, compiled=compiled) for name in ("random", "bfmm(nodes=40)")]
        results.append(ludus.match(spec, *players, games=24, seed=7, workers=workers))
        records.append(plain(recorded))
        recorded.clear()
    assert len(records[0]) == 24
    assert records[0] == records[1]
    assert without_seconds(results[0]) == without_seconds(results[1])
    assert len({moves for moves, *_ in records[0]}) > 12  # they are not all the same game
    assert ludus.match(spec, *players, games=24, seed=8).to_dict() != results[0].to_dict()


def test_pairs_begin_alike_with_sides_swapped(recorded, monkeypatch):
    """The tasks of a match: each opening once, the players in the same order, a seed of its own for each."""
    tasks = []

    def run(pool, pairs):
        for pair in pairs:
            tasks.append(pair)
            yield pair.perform()

    monkeypatch.setattr(InProcessPool, "run", run)
    game = ludus.game("tictactoe")
    strong, weak = slow("minimax(depth=2)"), slow("greedy(eval=zero)")
    ludus.match(game, strong, weak, games=40, openings=2, seed=1)
    assert len(tasks) == 20
    assert len({pair.opening.state for pair in tasks}) == 20
    assert len({pair.seed for pair in tasks}) == 20
    for pair, (first, second) in zip(tasks, recorded, strict=True):
        assert [str(player) for player in pair.players] == [
            "minimax(eval=open-lines, depth=2)",
            "greedy(eval=zero, nodes=2000)",
        ]
        assert len(pair.opening.moves) == 2
        # `greedy(eval=zero)` takes the first free square: one can tell who moved.
        free = game.legal(pair.opening.state)
        assert second.moves[0] == free[0]
        assert first.moves[0] == strong.choose(game, pair.opening.state).move
    assert any(first.moves[0] != second.moves[0] for first, second in recorded)


@pytest.mark.slow
def test_points_add_up(recorded):
    result = ludus.match("tictactoe", slow("minimax(depth=4)"), slow("random"), games=30, openings=2, seed=3)
    assert result.games == 30 == sum(result.wins) + result.draws
    assert sum(result.points) == 30
    assert sum(result.pairs) == 15
    # Who won, from the records: in the second game of a pair the second player moved first.
    mine = [s for one, other in recorded for s in (one.score, -other.score)]
    assert result.wins == [sum(s > 0 for s in mine), sum(s < 0 for s in mine)]
    assert result.draws == sum(s == 0 for s in mine)
    halves = [sum((s > 0) + (s >= 0) for s in mine[i : i + 2]) for i in range(0, 30, 2)]
    assert result.pairs == [halves.count(k) for k in range(5)]
    assert result.points[0] == sum(halves) / 2
    assert result.decisions == [
        sum(one.decisions[0] + other.decisions[1] for one, other in recorded),
        sum(one.decisions[1] + other.decisions[0] for one, other in recorded),
    ]
    assert result.effort[1].generated == 0  # who plays at random generates nothing
    assert result.effort[0].generated > 0
    assert min(result.wins[0], result.draws) > 0


@pytest.mark.slow
def test_elo_is_the_first_player_minus_the_second():
    result = ludus.match("tictactoe", slow("minimax(depth=4)"), slow("random"), games=30, openings=2, seed=3)
    assert result.wins[0] > result.wins[1]
    assert result.elo == elo_estimate(result.pairs)
    assert result.elo.value == pytest.approx(elo(result.points[0] / 30))
    assert result.elo.low > 0
    assert result.los > 0.97


def test_the_players_in_the_other_order_mirror_the_result():
    game = ludus.game("othello", size=4)
    strong, weak = slow("minimax(eval=discs, depth=3)"), slow("greedy(eval=discs)")
    one = ludus.match(game, strong, weak, games=20, seed=2)
    other = ludus.match(game, weak, strong, games=20, seed=2)
    assert other.players == one.players[::-1]
    assert other.wins == one.wins[::-1]
    assert other.draws == one.draws
    assert other.pairs == one.pairs[::-1]
    assert other.points == one.points[::-1]
    assert other.decisions == one.decisions[::-1]
    assert [m.generated for m in other.effort] == [m.generated for m in one.effort][::-1]
    assert other.elo.value == pytest.approx(-one.elo.value)
    assert other.elo.low == pytest.approx(-one.elo.high)
    assert other.los == pytest.approx(1 - one.los)
    assert one.wins[0] != one.wins[1]


def test_a_player_against_itself_is_even():
    """Nothing is left to chance, so both games of a pair are the same game."""
    player = slow("greedy(eval=mobility)")
    result = ludus.match("othello(size=4)", player, player, games=20)
    assert result.wins[0] == result.wins[1] > 0
    assert result.pairs == [0, 0, 10, 0, 0]
    assert result.elo.value == 0


@pytest.mark.parametrize(("games", "played"), [(1, 2), (2, 2), (5, 6), (6, 6)])
def test_an_even_number_of_games(games, played):
    assert ludus.match("nim", slow("random"), slow("random"), games=games).games == played


@pytest.mark.parametrize("games", [0, -2])
def test_no_games_at_all(games):
    with pytest.raises(ludus.SpecError, match=f"the number of games must be a whole number of at least 1, not {games}"):
        ludus.match("nim", slow("random"), slow("random"), games=games)


@pytest.mark.parametrize(("plies", "played"), [(0, 2), (1, 6), (2, 10)])
def test_openings_run_out(plies, played):
    result = ludus.match("nim", slow("greedy"), slow("random"), games=50, openings=plies)
    assert result.games == played
    assert result.note == f"stopped after {played} games: there are no more distinct openings of {plies} plies."


def test_no_opening_at_all():
    result = ludus.match("nim(stones=2)", slow("greedy"), slow("random"), games=10, openings=4)
    assert result.games == 0
    assert result.note == "stopped after 0 games: there are no more distinct openings of 4 plies."
    assert result.to_dict()["draw_ratio"] == 0.0


def test_a_synthetic_game_has_another_seed_in_each_pair(monkeypatch):
    seeds = []

    def run(pool, pairs):
        for pair in pairs:
            seeds.append(pair.opening.game.seed)
            yield pair.perform()

    monkeypatch.setattr(InProcessPool, "run", run)
    played = []
    for seed in (1, 1, 2):
        seeds.clear()
        result = ludus.match("random-tree(depth=4)", slow("greedy"), slow("random"), games=24, openings=0, seed=seed)
        assert result.games == 24
        assert result.note == ""
        assert len(set(seeds)) == 12
        played.append(tuple(seeds))
    assert played[0] == played[1]
    assert set(played[0]).isdisjoint(played[2])


def test_progress():
    seen = []
    ludus.match("nim", slow("greedy"), slow("random"), games=8, progress=lambda result: seen.append(result.games))
    assert seen == [2, 4, 6, 8]


def test_ctrl_c_gives_what_there_is():
    def press(result: MatchResult) -> None:
        if result.games == 6:
            raise KeyboardInterrupt

    result = ludus.match("nim", slow("greedy"), slow("random"), games=20, progress=press)
    assert result.interrupted
    assert result.games == 6
    assert result.note == "interrupted after 6 games."


@pytest.mark.slow
def test_as_json():
    found = ludus.match("nim", "greedy", slow("random"), games=4, seed=11).to_dict()
    assert set(found) >= {"game", "players", "games", "wins", "draws", "points", "seed", "elo"}
    assert set(found) >= {"los", "draw_ratio", "pentanomial"}  # fastchess's numbers
    assert set(found["elo"]) == {"value", "low", "high"}
    assert found["game"] == "nim"
    assert found["players"] == ["greedy(eval=sampler, nodes=2000)", "random(eval=sampler, nodes=2000)"]
    assert found["games"] == 4
    assert found["seed"] == 11
    assert sum(found["wins"]) + found["draws"] == 4 == sum(found["points"]) == 2 * sum(found["pentanomial"])


# Users' games.


@pytest.mark.slow
def test_a_game_that_cannot_be_compiled():
    with pytest.warns(ludus.InterpretedWarning) as caught:
        result = ludus.match(f"{USER_GAMES}:Fractions", "greedy", "random", games=4, openings=1)
    assert result.games == 4
    # Who moves at random never asks for the score; the referee does, but one warning is enough.
    assert [str(warning.message).split()[0] for warning in caught] == ["greedy"]


@pytest.mark.slow
def test_a_game_in_a_file_with_workers(tmp_path, recwarn):
    """Sent to processes of their own, which must find the file; they keep quiet."""
    (tmp_path / "mine.py").write_text(USER_GAMES.read_text())
    for name in ("Stones", "Ends"):
        game = ludus.game(f"{tmp_path}/mine.py:{name}")
        one, two = (
            ludus.match(game, slow("minimax"), slow("random"), games=4, openings=1, workers=workers)
            for workers in (1, 2)
        )
        assert without_seconds(one) == without_seconds(two)
        assert two.games == 4


def test_a_rule_that_fails_in_a_worker_is_named(tmp_path):
    (tmp_path / "mine.py").write_text(USER_GAMES.read_text())
    game = ludus.game(f"{tmp_path}/mine.py:Raises")
    for workers, compiled in ((1, False), (2, False), (1, True)):  # who plays at random leaves it to the referee
        player = ludus.player("random", compiled=compiled)
        with pytest.raises(ludus.RuleError, match=r"rule play .* failed in position '2': RuntimeError: no stones"):
            ludus.match(game, player, player, games=4, openings=0, workers=workers)


def test_workers_keep_their_players_from_task_to_task():
    game = ludus.game("nim")
    players = slow("greedy").on(game), slow("random").on(game)
    one, two, *_ = (Pair((0, 1, 0), opening, players, seed=3) for opening in openings(game, 2, seed=0))
    copies = [pickle.loads(pickle.dumps(pair)).pair for pair in (one, two)]
    assert all(a is b for a, b in zip(copies[0].players, copies[1].players, strict=True))
    assert copies[0].opening.game is copies[1].opening.game
    assert [str(player) for player in copies[0].players] == [str(player) for player in players]
    for pair, copy in zip((one, two), copies, strict=True):
        assert copy.opening.state == pair.opening.state
        assert copy.seed == pair.seed
        assert plain([copy.perform()]) == plain([pair.perform()])
