"""Where games begin: distinct random openings, or other seeds of a synthetic game."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from itertools import islice

import pytest
from scipy.stats import chisquare

import ludus
from ludus.arena.play.openings import Opening, Openings, openings
from ludus.arena.play.referee import Board


def positions(opening: Opening) -> list[ludus.Position]:
    """The positions along an opening, played move by move as people would."""
    found = [opening.game.position()]
    for move in opening.moves:
        found.append(found[-1].play(move))
    return found


@pytest.mark.parametrize("spec", ["othello", "othello(size=4)", "tictactoe", "nim"])
@pytest.mark.parametrize("plies", [1, 4, 5])
def test_they_are_legal_distinct_and_of_the_right_length(spec, plies):
    game = ludus.game(spec)
    found = list(islice(openings(game, plies, seed=3), 30))
    ends = set()
    for opening in found:
        assert opening.game is game
        assert len(opening.moves) == plies
        last = positions(opening)[-1]  # which refuses illegal moves
        assert opening.state == last.state
        assert not last.is_over
        ends.add(last.text)
    assert len(ends) == len(found) > 0


@pytest.mark.parametrize(
    ("spec", "plies", "count"),
    [
        ("nim", 0, 1),
        ("nim", 1, 3),
        ("nim", 2, 5),  # 2 to 6 stones are gone
        ("nim(stones=3)", 1, 2),  # to take all three ends the game
        ("nim(stones=3)", 2, 1),
        ("nim(stones=3)", 3, 0),
        ("nim(stones=3)", 50, 0),
        ("tictactoe", 2, 72),
        ("tictactoe", 3, 252),  # two of X, one of O
        ("tictactoe(size=2)", 3, 0),  # X has a line by then
        ("othello", 4, 236),  # of 244 lines: eight meet another
        ("othello(size=4)", 3, 42),
    ],
)
def test_all_there_are_and_then_an_end(spec, plies, count):
    assert len(list(openings(ludus.game(spec), plies, seed=0))) == count


def test_the_seed_decides():
    game = ludus.game("othello")

    def some(seed: int) -> list[tuple[int, ...]]:
        return [opening.moves for opening in islice(openings(game, 6, seed), 20)]

    assert some(1) == some(1)
    assert len({tuple(some(seed)) for seed in range(5)}) == 5
    assert set(some(1)).isdisjoint(some(2))  # twenty of ten thousand


@pytest.mark.slow
def test_every_move_is_equally_likely():
    game = ludus.game("tictactoe")
    firsts = Counter(next(openings(game, 1, seed)).moves[0] for seed in range(1800))
    assert chisquare([firsts[move] for move in range(9)]).pvalue > 0.001


def test_a_synthetic_game_changes_its_seed_instead():
    game = ludus.game("random-tree", branching=3, depth=7, seed=5)
    found = list(islice(openings(game, 4, seed=1), 500))
    assert len({opening.game.seed for opening in found}) == 500
    for opening in found:
        assert opening.moves == ()
        assert str(opening.game) == f"random-tree(branching=3, depth=7, seed={opening.game.seed})"
        assert opening.state == opening.game.start
    again = [opening.game.seed for opening in islice(openings(game, 4, seed=1), 500)]
    other = {opening.game.seed for opening in islice(openings(game, 4, seed=2), 500)}
    assert again == [opening.game.seed for opening in found]
    assert other.isdisjoint(again)


def test_no_seed_comes_twice(monkeypatch):
    """Seeds are cut to 31 bits, so that among many some would coincide."""
    monkeypatch.setattr("ludus.arena.play.openings.seed_for", lambda seed, index, *more: index // 3)
    found = [opening.game.seed for opening in islice(openings(ludus.game("random-tree"), 0, seed=0), 10)]
    assert found == list(range(10))


@pytest.mark.slow
def test_a_compiled_board_makes_the_same_openings():
    for spec in ("nim", "tictactoe(size=4)"):
        game = ludus.game(spec)
        board = Board(game, compiled=True)
        fast, slow = (list(islice(openings(game, 4, seed=5, board=on), 20)) for on in (board, None))
        assert [opening.moves for opening in fast] == [opening.moves for opening in slow]
        assert len(fast) > 3


@pytest.mark.parametrize("spec", ["random-tree(depth=4)", "tictactoe"])
def test_a_run_keeps_no_game_for_each_opening(spec):
    """What is asked for again is the same, made anew: a long run must not grow."""
    game = ludus.game(spec)
    found = Openings(game, 2, seed=3)
    first = [found.get("a", "b", number) for number in range(20)]
    again = [found.get("a", "b", number) for number in range(20)]
    assert [str(each.game) for each in again] == [str(each.game) for each in first]
    assert [(each.moves, each.dice) for each in again] == [(each.moves, each.dice) for each in first]
    assert len({(str(each.game), each.moves) for each in first}) == 20
    games = [weakref.ref(each.game) for each in first if each.game is not game]
    assert bool(games) == type(game).seeded
    del first, again
    gc.collect()
    assert not any(each() for each in games)
