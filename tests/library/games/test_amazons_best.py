"""`amazons(best=K)`: which moves are kept, and that the meter counts the others too, whatever the search."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.library.games.amazons.game import Amazons
from ludus.model import registry
from ludus.runtime.session import Session

BY = ["territory-mobility", "territory", "queen-mobility"]


def some_position(size: int, plies: int, seed: int = 0) -> ludus.Position:
    """A position of the game with all its moves."""
    chance, position = random.Random(seed), ludus.game("amazons", size=size).position()
    while plies > 0:
        after = position.play(chance.choice(position.moves.numbers))
        if after.is_over:
            continue
        position, plies = after, plies - 1
    return position


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize(("size", "lengths"), [(5, (0, 1, 4, 7)), (6, (5, 11))])
def test_the_best_by_static_value_are_kept_best_first(size, lengths, by):
    for plies in lengths:
        position = some_position(size, plies, seed=plies)
        ranked = []
        for move in position.moves.numbers:
            after = position.play(move)
            value = float("-inf") if after.is_over else after.value(by)  # to the opponent: the less, the better
            ranked.append((value, move))
        ranked.sort()
        for best in (1, 10, 100, 10_000):
            kept = ludus.game("amazons", size=size, best=best, by=by).position(position.text)
            assert kept.moves.numbers == [move for _, move in ranked[:best]]
    assert len(ranked) < 100  # in the last position all were kept, too


def test_a_move_that_ends_the_game_is_kept_before_all():
    """Whoever shuts the opponent in wins, however little territory that leaves."""
    text = "b1x2/xxw2/5/5/wwwxx w"
    everything = ludus.game("amazons", size=5).position(text)
    ends = [move for move in everything.moves if everything.play(move).is_over]
    assert 0 < len(ends) < 10
    for by in BY:
        position = ludus.game("amazons", size=5, best=10, by=by).position(text)
        assert list(position.moves)[: len(ends)] == ends


def test_a_person_may_only_play_what_is_kept():
    position = ludus.game("amazons", size=5, best=2).position()
    first, second = position.moves
    assert position.play(first).text != position.play(second).text
    with pytest.raises(ludus.LudusError, match="unknown move"):
        position.play("b1-b2/b3")
    assert len(position.play(first).moves) == 2


def test_the_default_keeps_all():
    game = ludus.game("amazons", size=5)
    assert str(game) == "amazons(size=5)"
    assert len(game.position().moves) == 260
    assert game.max_moves == ludus.game("amazons", size=5, best=3).max_moves


# The meter.


class Counted(Amazons):
    """Counts what it plays by itself."""

    played = 0

    def play(self, state, move):
        Counted.played += 1
        return super().play(state, move)


@pytest.mark.parametrize("name", registry.searches().classes)
def test_every_search_counts_the_discarded(name):
    """A list of moves costs as many nodes as there are moves to choose from."""
    game = Counted(size=5, best=3)
    state = some_position(5, 5).state
    evaluator = ludus.evaluator("territory-mobility").on(ludus.game("amazons"))
    session = Session(registry.searches().make(name), game, evaluator, compiled=False)
    Counted.played = 0
    stopped = session.run(state, Budget(nodes=400), seed=2)
    played = Counted.played
    result = session.result(state, stopped)
    assert result.meter.generated == played > 60
    assert [child.move for child in result.children] == game.legal(state)
    assert len(result.children) == 3


def test_what_one_look_costs():
    position = some_position(6, 8)
    everything, kept = len(position.moves), 10
    for best, cost in ((0, everything), (kept, everything + kept)):
        game = ludus.game("amazons", size=6, best=best)
        meter = ludus.player("greedy", compiled=False).choose(game, position.state).meter
        assert (meter.generated, meter.evaluated, meter.expanded) == (cost, cost, 1)
    assert everything > 2 * kept


@pytest.mark.slow
def test_compiled_and_interpreted_agree_and_so_do_their_meters():
    for by in BY:
        game = ludus.game("amazons", size=6, best=4, by=by)
        for plies in (6, 12):
            position = some_position(6, plies, seed=1)
            fast, slow = (
                ludus.player("bfmm(nodes=1500)", compiled=compiled).choose(game, position.state)
                for compiled in (True, False)
            )
            assert (fast.move, fast.value, fast.line) == (slow.move, slow.value, slow.line)
            assert [(c.move, c.value) for c in fast.children] == [(c.move, c.value) for c in slow.children]
            counts = [(m.generated, m.evaluated, m.expanded, m.traversed) for m in (fast.meter, slow.meter)]
            assert counts[0] == counts[1]
            assert fast.meter.expanded > 3


def test_more_than_one_game_in_a_session():
    """The number kept is a run-time value: no new compilation, and no moves of the other game."""
    player = ludus.player("bfmm(nodes=1)", compiled=True)
    games = [ludus.game("amazons", size=6, best=best) for best in (3, 0, 5)]
    assert [len(player.choose(game).children) for game in games] == [3, 544, 5]


def test_outside_a_search_nothing_needs_a_meter():
    game = ludus.game("amazons", size=5, best=2)
    before = int(game.meter[0])
    assert len(game.legal(game.start)) == 2
    assert int(game.meter[0]) - before == 260
    assert np.array_equal(game.metered(np.zeros(4, np.int64)).meter, np.zeros(4))


@pytest.mark.parametrize("best", [0, 4])
def test_what_lies_between_two_looks_at_a_budget(best):
    """No search that keeps its budget is taken for one that does not, because of what the game itself generates."""
    game = ludus.game("amazons", size=5, best=best)
    player = ludus.player("bfmm(nodes=1)", compiled=False)
    session = player.session(game)
    session.run(game.start, player.budget)
    assert session.meter[0] == 260 + best
    evaluator = session.evaluator
    assert session.meter[0] <= player.search.largest_step(game, evaluator) == game.max_moves + game.preview
    playout = game.length * (1 + 260 * (best > 0))  # each ply lists all moves, and plays one
    assert registry.searches().of("uct").largest_step(game, evaluator) > playout
    assert ludus.evaluator("sampler").on(game).plays(game) >= 4 * playout
