"""Systematic n-tuples: how many there are, what they share, and what a position is worth by them."""

from __future__ import annotations

import itertools
import json
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest

import ludus
from ludus.common.errors import SpecError
from ludus.features.cells import contents_of, group_of, lines_in, moved, shape_of
from ludus.features.tuples import Board, segments_of, tables_of, tuples_of
from ludus.learning.features import SOURCES, features_of
from ludus.library.evaluators.learned import learned
from ludus.library.evaluators.learned.learned import stage
from ludus.library.evaluators.learned.tuples import board_of
from tests.features.test_cells import EitherMark


def states_of(game: ludus.Game, games: int = 1) -> list:
    """The positions of random games that are not over."""
    found, chance = [], random.Random(3)
    for _ in range(games):
        state = game.start
        while legal := game.legal(state):
            found.append(state)
            state = game.after(state, chance.choice(legal))
    return found


def test_the_published_numbers():
    """Jaskowski 2014: 32 straight pairs with 288 weights and 24 straight triples with 648 on Othello's board."""
    othello = ludus.game("othello")
    pairs, triples = (tuples_of(board_of(othello, (length,))) for length in (2, 3))
    assert (pairs.classes, pairs.column.size, len(pairs.start)) == (32, 288, 210)
    assert (triples.classes, triples.column.size) == (24, 648)


@pytest.mark.parametrize("spec", ["othello(size=4)", "connect4", "tictactoe", "amazons(size=5)"])
@pytest.mark.parametrize("antisymmetric", [False, True])
def test_free_weights_are_the_orbits_of_placed_patterns(spec, antisymmetric):
    """Counted without classes: placed patterns that symmetries, or the players' change of places, map to each other."""
    game = ludus.game(spec)
    board = board_of(game, (2,), antisymmetric)
    number = {place: n for n, place in enumerate(itertools.product(*map(range, shape_of(game))))}
    placed = [
        frozenset(zip((number[place] for place in line), kinds, strict=True))
        for line in lines_in(shape_of(game), 2)
        for kinds in itertools.product(range(board.kinds), repeat=2)
    ]
    other = {1: 2, 2: 1}
    orbits = set()
    for one in placed:
        images = {frozenset((move[cell], kind) for cell, kind in one) for move in group_of(game)}
        minus = {frozenset((cell, other.get(kind, kind)) for cell, kind in image) for image in images}
        if not antisymmetric:
            orbits.add(frozenset(images))
        elif not images & minus:
            orbits.add(frozenset(images | minus))
    assert len(tuples_of(board).names) == len(orbits)


CASES = [
    ("othello", "tuples", 1),
    ("othello(size=6)", "both", 1),
    ("othello(size=6)", "both", 2),
    ("connect4", "tuples", 1),
    ("connect4", "fours", 2),
    ("amazons(size=10)", "tuples", 1),
    (EitherMark(), "pairs", 1),
]


@pytest.mark.parametrize(("spec", "kind", "sides"), CASES)
def test_value_is_the_weighted_sum_of_the_terms(spec, kind, sides):
    """By the design matrix, and by the tables of segments; three sets of weights, for the stages of the game."""
    game = ludus.game(spec) if isinstance(spec, str) else spec
    features, states = features_of(game, kind, sides), states_of(game)[::3]
    weights = np.random.default_rng(1).normal(size=(3, len(features)))
    evaluator = features.evaluator.weighing(weights).on(game)
    matrix = features.matrix(states, compiled=False)
    for k, state in enumerate(states):
        row, share = stage(weights, game.phase(state))
        mixed = (1 - share) * weights[row] + share * weights[min(row + 1, 2)]
        assert evaluator.evaluate(game, state) == pytest.approx(float(mixed @ matrix[[k]].toarray()[0]))


def test_matrix_counts_the_patterns_of_a_position():
    """Each of the straight pairs once, in the column that its name says; here without symmetries or signs."""
    game = ludus.game("connect4(columns=4, rows=4)")
    board = Board((4, 4), 3, (2,))
    tuples = tuples_of(board)
    assert len(tuples.names) == tuples.column.size == 9 * len(tuples.start)
    contents = contents_of(game, game.parse_state("1123"))
    entries = [start + 3 * contents[a] + contents[b] for (a, b), start in zip(tuples.cells, tuples.start, strict=True)]
    names = [tuples.names[tuples.column[entry]] for entry in entries]
    assert sorted(names) == sorted(f"{a}-{b}:{contents[a]}{contents[b]}" for a, b in tuples.cells)


def test_two_sides_share_no_weight():
    """A position with an even number of discs has terms of the first half only, but for the constant."""
    game = ludus.game("connect4")
    features, states = features_of(game, "fours", 2), states_of(game)
    half = len(features) // 2
    assert [name.split()[-1] for name in features.names[:-1]] == ["even"] * half + ["odd"] * half
    for state, row in zip(states, features.matrix(states, compiled=False).toarray(), strict=True):
        odd = (int(state[0]) | int(state[1])).bit_count() % 2
        assert not row[(1 - odd) * half : (2 - odd) * half].any()
        assert abs(row[odd * half : (1 + odd) * half]).sum() == len(game.lines)


def test_sides_are_for_patterns():
    game = ludus.game("connect4")
    assert features_of(game, sides=2).evaluator.kind == "tuples"
    with pytest.raises(SpecError, match="is for patterns of cells"):
        features_of(game, "features", 2)
    with pytest.raises(SpecError, match="must be 1 or 2, not 3"):
        features_of(game, "tuples", 3)


def test_symmetric_positions_and_changed_places():
    game = ludus.game("othello(size=6)")
    features = features_of(game, "tuples")
    weights = np.random.default_rng(2).normal(size=(1, len(features)))
    weights[0, -1] = 0.0  # the constant: what it is worth to be on the move
    evaluator = features.evaluator.weighing(weights).on(game)
    for state in states_of(game)[2::9]:
        value = evaluator.evaluate(game, state)
        assert evaluator.evaluate(game, game.null(state)) == pytest.approx(-value)
        for permutation in group_of(game):
            marks = moved(contents_of(game, state), permutation)
            image = game.parse_state("".join("-XO"[kind] for kind in marks) + " X")
            assert evaluator.evaluate(game, image) == pytest.approx(value)


def test_every_tuple_is_in_one_segment():
    """With all weights 1 a table adds up the tuples of its segment."""
    for board in (Board((10, 10), 4, (2, 3)), Board((8, 8), 3, (2,)), Board((1, 5), 9, (2, 3)), Board((12,), 3, (3,))):
        tuples, segments = tuples_of(board), segments_of(board)
        tables = tables_of(board, np.ones((1, len(tuples.names))))
        assert sum(tables[base, 0] for base in segments.base) == len(tuples.start)
        lengths = np.diff(segments.ends, prepend=0)
        assert all(board.kinds ** int(n) <= max(3**8, board.kinds ** max(board.lengths)) for n in lengths)


# Learnt evaluators.


def test_another_process_knows_the_kind():
    """One that has not read the module with the other kinds of features yet."""
    made = features_of(ludus.game("kalah"), "features").evaluator
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).label)"
    ran = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(made), capture_output=True, check=False)
    assert ran.stdout.strip() == b"new", ran.stderr


@pytest.mark.slow
def test_compiled_and_kept_in_a_file(tmp_path):
    game = ludus.game("othello(size=6)")
    features, states = features_of(game, "both"), states_of(game)
    weights = np.random.default_rng(4).normal(size=(2, len(features)))
    made = features.evaluator.weighing(weights)
    path = learned.save(made, tmp_path / "mine.json")
    (fast, slow) = (features.matrix(states, compiled=how) for how in (True, False))
    assert abs(fast - slow).max() == 0
    choices = []
    for compiled, judge in ((True, ludus.evaluator(str(path))), (False, made)):
        player = ludus.player("alphabeta(depth=2)", eval=judge, compiled=compiled)
        choices.append([(r.move, pytest.approx(r.value)) for r in (player.choose(game, s) for s in states[5::8])])
    assert choices[0] == choices[1]


def test_a_file_with_other_tuples_is_refused(tmp_path):
    game = ludus.game("tictactoe")
    about = json.loads(json.dumps(features_of(game, "pairs").evaluator.about))
    about["features"]["lengths"] = [3]
    (tmp_path / "other.json").write_text(json.dumps(about))
    with pytest.raises(SpecError, match="is damaged"):
        ludus.evaluator(str(tmp_path / "other.json"))


@pytest.mark.parametrize("kind", SOURCES)
def test_what_was_learnt_says_of_which_kind_it_is(kind):
    evaluator = features_of(ludus.game("othello"), kind).evaluator
    assert evaluator.kind == kind
    assert type(learned.from_record(evaluator.about)) is type(evaluator)


def test_another_board_is_refused():
    small = features_of(ludus.game("othello(size=4)"), "pairs").evaluator
    with pytest.raises(SpecError, match="was learnt on a board of 4 x 4 cells with 3 kinds of contents"):
        small.on(ludus.game("othello"))


def test_tables_follow_weights_that_change_in_place():
    game = ludus.game("tictactoe")
    evaluator = features_of(game, "pairs").evaluator.on(game)
    evaluator.weights = evaluator.weights.copy()
    state, tables = game.after(game.start, 4), evaluator.tables
    evaluator.weights += np.random.default_rng(5).normal(size=evaluator.weights.shape)
    evaluator.refresh()
    assert evaluator.tables is tables
    assert evaluator.evaluate(game, state) == evaluator.weighing(evaluator.weights).on(game).evaluate(game, state) != 0
