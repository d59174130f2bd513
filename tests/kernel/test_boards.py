"""Boards as people write them: arrays and tuples inside a state work wherever a tuple of numbers does."""

import pickle
import random

import numpy as np
import pytest

import ludus
from benchmarks import boards
from ludus import Game, RuleError, StateError
from ludus.arena.play.openings import openings
from ludus.arena.play.referee import Board
from ludus.kernel.boards import replace, same_state, state_key
from ludus.model import registry
from ludus.model.playable import Repetitions
from ludus.runtime.session import Session
from tests.support.plain_boards import (
    BOARDS,
    ArrayBoard,
    NestedBoard,
    NumPyBoard,
    SlicedBoard,
    SquareBoard,
    TupleBoard,
    TwoBoards,
)

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])


def boards_of(*kinds):
    """A compilation takes seconds: each board is compiled for some of the searches, all of them in all."""
    return pytest.mark.parametrize("kind", kinds, ids=lambda kind: kind.__name__)


each_board = boards_of(*BOARDS)

# What one does with a board.


def test_replace_changes_one_element_of_a_copy():
    for board in ((1, 2, 3), np.array([1, 2, 3])):
        for index, changed in ((0, [7, 2, 3]), (2, [1, 2, 7]), (-1, [1, 2, 7]), (-3, [7, 2, 3])):
            found = ludus.replace(board, index, 7)
            assert type(found) is type(board)
            assert list(found) == changed
        assert list(board) == [1, 2, 3]
    assert ludus.replace(np.zeros((2, 2)), (1, 0), 5).tolist() == [[0, 0], [5, 0]]


@pytest.mark.parametrize("index", [3, -4, 99])
def test_replace_knows_the_ends_of_a_board(index):
    with pytest.raises(IndexError, match=f"there is no element {index} in a board of 3"):
        replace((1, 2, 3), index, 7)


def test_states_are_the_same_or_not():
    states = [
        (np.arange(3), 1),
        (np.arange(4), 1),
        (np.arange(3), 2),
        (np.array([[0, 1, 2]]), 1),
        ((0, 1, 2), 1),
        ([0, 1, 2], 1),
        [0, 1, 2],
        {"a": np.arange(3)},
        "text",
    ]
    for i, a in enumerate(states):
        for j, b in enumerate(states):
            assert same_state(a, pickle.loads(pickle.dumps(b))) == (i == j), (a, b)


def test_keys_are_equal_where_states_of_one_game_are():
    values = [0, 1, 2]
    boards = [np.array([a, b], np.int8) for a in values for b in values]
    assert len({state_key((board.copy(), 1)) for board in boards for _ in range(2)}) == 9
    assert state_key((np.array([0.0]),)) == state_key((np.array([-0.0]),))
    assert state_key((np.zeros((2, 3)),)) != state_key((np.zeros((3, 2)),))
    assert state_key(([1, [2]], 3)) == state_key(([1, [2]], 3)) != state_key(([1, [3]], 3))
    assert hash(state_key({"a": 1})) == hash(state_key({"a": 1}))


# The same game, whatever its board is made of.


@each_board
def test_perft_is_that_of_the_game(kind):
    assert ludus.perft(kind(), 4, compiled=False).leaves == 3024


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        (ArrayBoard, "uct(leaf=playout, nodes=3000)"),
        (TupleBoard, "uct(leaf=playout, nodes=3000)"),
        (NestedBoard, "minimax(eval=zero, depth=9)"),
        (TwoBoards, "minimax(eval=zero, depth=9)"),
    ],
)
def test_a_search_is_that_of_the_bit_board(kind, spec):
    """Compiled, and node for node: neither of them looks at what a state is made of."""
    bits, plain = (
        ludus.player(spec, compiled=True).choose(game).to_dict() for game in (ludus.game("tictactoe"), kind())
    )
    for result in (bits, plain):
        del result["meter"]["seconds"]
        result["move"], result["line"] = None, None  # they have other names
        for child in result["children"]:
            del child["move"]
    assert plain == bits


TABLE = "alphabeta(eval=random, table=true, killers=true, nodes=3000)"
KEPT = "bfmm(eval=random, reuse=true, nodes=300)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "spec"), [(ArrayBoard, TABLE), (NestedBoard, TABLE), *((kind, KEPT) for kind in BOARDS)]
)
def test_a_search_finds_the_same_compiled_and_interpreted(kind, spec):
    """With values that depend on the digest of the state, a table that compares states, and a tree that is kept."""
    found = []
    for compiled in (True, False):
        game, player = kind(), ludus.player(spec, compiled=compiled)
        state, results = game.start, []
        for _ in range(2):
            result = player.choose(game, state).to_dict()
            del result["meter"]["seconds"]
            results.append(result)
            state = game.after(state, game.parse_move(state, result["move"]))
            state = game.after(state, game.legal(state)[0])
        found.append(results)
    assert found[0] == found[1]


@pytest.mark.slow
@boards_of(ArrayBoard, NestedBoard)
def test_the_table_saves_work(kind):
    """It would not if a state were never found again."""
    nodes = [
        ludus.player(f"alphabeta(eval=random, order=false, table={table}, depth=7)", compiled=True).choose(kind()).meter
        for table in ("true", "false")
    ]
    assert nodes[0].generated < nodes[1].generated / 2


@pytest.mark.slow
@boards_of(ArrayBoard, TupleBoard)
def test_a_tree_knows_its_states_again(kind):
    player, game = ludus.player(KEPT, compiled=True), kind()
    player.choose(game)
    tree = player.session(game).tree
    known = {
        tree._find(game.after(game.after(game.start, move), reply))
        for move in range(9)
        for reply in range(9)
        if move != reply
    }
    first, count = tree.record.first, tree.record.count
    children = range(1, 10)
    there = {
        node for child in children if count[child] > 0 for node in range(first[child], first[child] + count[child])
    }
    assert len(there) > 8
    assert known - {-1} == there
    assert tree._find(game.start) == 0


@pytest.mark.slow
@boards_of(ArrayBoard, TupleBoard, TwoBoards)
@MODES
def test_a_referee_plays_the_game(kind, compiled):
    """It stores each state over the one before it."""
    dice, board, slow = random.Random(1), Board(kind(), compiled), Board(ludus.game("tictactoe"), False)
    for _ in range(20):
        board.reset(kind())
        slow.reset(slow.work.game)
        while not slow.is_over:
            move = dice.choice(slow.legal)
            assert board.legal == slow.legal
            assert board.play(move)
            slow.play(move)
        assert board.is_over
        assert board.score == slow.score


class Passing(TwoBoards):
    """Whoever has nothing to say passes, and the boards only change places; the fourth pass ends the game."""

    max_moves = 1

    def initial(self):
        return (np.array([1, 2], np.int8), np.array([3, 4], np.int8), 0)

    def moves(self, state, out):
        out[0] = 0
        return 1 if state[2] < 4 else 0

    def play(self, state, move):
        mine, theirs, passes = state
        return (theirs, mine, passes + 1)

    def score(self, state):
        return 0


@MODES
def test_boards_that_change_places_are_not_lost(compiled):
    board = Board(Passing(), compiled)
    for ply in range(1, 5):
        board.play(0)
        mine = [1, 2] if ply % 2 == 0 else [3, 4]
        assert board.state[0].tolist() == mine
        assert sorted([*board.state[0], *board.state[1]]) == [1, 2, 3, 4]


@pytest.mark.slow
@boards_of(TupleBoard, SquareBoard, NumPyBoard)
def test_a_game_conforms(kind):
    report = ludus.check(kind(), games=30, compiled=True)
    assert report.passed, report.faults
    assert report.compiled


@each_board
def test_states_have_text(kind):
    game = kind()
    position = game.position().play("4").play("0")
    assert game.position(position.text) == position
    with pytest.raises(StateError, match=f"a state of {kind.__name__} is {game.layout.cells} numbers, like '"):
        game.position("1 2 3")
    with pytest.raises(StateError, match="is not a state of"):
        game.position("x" + position.text[1:])


def test_positions_can_be_compared_and_counted():
    game = ArrayBoard()
    start = game.position()
    assert start == ArrayBoard().position()
    assert start != start.play("0")
    assert len({start, ArrayBoard().position(), start.play("0"), start.play("1"), start.play("0")}) == 3
    assert pickle.loads(pickle.dumps(start)) == start


class Twice(ArrayBoard):
    repetition = 2


def test_repetitions_are_counted():
    game = Twice()
    seen = Repetitions(game)
    states = [game.start, game.after(game.start, 3), ArrayBoard().start]
    assert [seen.add(state) for state in states] == [False, False, True]


def test_openings_are_distinct_positions():
    found = list(openings(TupleBoard(), 2, 0)), list(openings(ArrayBoard(), 2, 0))
    assert [len(each) for each in found] == [72, 72]


@pytest.mark.slow
def test_another_size_of_array_needs_no_new_compilation_but_other_memory():
    small, large = Line(5), Line(9)
    session = Session(registry.searches().of("minimax"), small, ludus.evaluator("zero"), compiled=True)
    again = Session(registry.searches().of("minimax"), large, ludus.evaluator("zero"), compiled=True)
    assert session.kernel is again.kernel
    assert not session.rebind(large, again.evaluator)
    assert session.rebind(Line(5), session.evaluator)


class Line(Game):
    """Fill the squares of a line."""

    def __init__(self, squares: int = 5) -> None:
        self.squares = self.max_moves = squares

    def initial(self):
        return (np.zeros(self.squares, np.int8),)

    def moves(self, state, out):
        n = 0
        for square in range(self.squares):
            if state[0][square] == 0:
                out[n] = square
                n += 1
        return n

    def play(self, state, move):
        return (replace(state[0], move, 1),)

    def score(self, state):
        return -1


# What goes wrong, in one sentence.


class Growing(Line):
    """A board that grows when it is full: too late for the interpreted rehearsal before a compilation to notice."""

    def play(self, state, move):
        board = np.zeros(state[0].size + (1 if state[0].sum() == 6 else 0), np.int8)
        board[: state[0].size] = state[0]
        board[move] = 1
        return (board,)


@pytest.mark.slow
@MODES
def test_a_board_of_another_shape_is_an_error_of_the_rule(compiled, monkeypatch):
    monkeypatch.setattr("ludus.runtime.dry_run.POSITIONS", 3)
    player = ludus.player("minimax(eval=zero, depth=7)", compiled=compiled)
    with pytest.raises(RuleError, match=r"rule play .* an array of 8 does not fit an element of the state"):
        player.choose(Growing(7))
    assert (player._session is not None and player._session.kernel is not None) == compiled


class BadIndex(TupleBoard):
    """Replaces an element that is not there, in the seventh move."""

    def play(self, state, move):
        board, player = state
        full = 0
        for square in range(9):
            full += board[square] > 0
        return (ludus.replace(board, move + (90 if full == 7 else 0), player), 3 - player)


def test_an_element_that_is_not_there_is_an_error_of_the_rule_compiled_too():
    player = ludus.player("minimax(eval=zero, depth=8)", compiled=True)
    with pytest.raises(RuleError, match=r"there is no element 9\d in a board of 9"):
        player.choose(BadIndex())


class InPlace(ArrayBoard):
    def play(self, state, move):
        state[0][move] = state[1]
        return (state[0], 3 - state[1])


class SeldomInPlace(ArrayBoard):
    """Writes to the state that it is given when the board is nearly full, too late for a rehearsal to notice."""

    def play(self, state, move):
        board, player = state
        if np.sum(board) > 12:
            board[move] = player
        else:
            board = board.copy()
            board[move] = player
        return (board, 3 - player)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [InPlace, SeldomInPlace])
def test_a_rule_that_writes_to_the_state_it_is_given_does_not_compile_and_says_so(kind):
    with pytest.raises(ludus.LudusError, match=r"must not write to the board that it is given: .*\.copy\(\)"):
        ludus.player("minimax(eval=zero, depth=9)", compiled=True).choose(kind())


class ListBoard(ArrayBoard):
    """A list inside the tuple: interpreted only."""

    def initial(self):
        return ([0] * 9, 1)


class DictBoard(ArrayBoard):
    """A state that is no tuple at all."""

    def initial(self):
        return {"board": [0] * 9, "player": 1}

    def moves(self, state, out):
        return super().moves((state["board"], state["player"]), out)

    def play(self, state, move):
        board, player = super().play((state["board"], state["player"]), move)
        return {"board": board, "player": player}

    def score(self, state):
        return super().score((state["board"], state["player"]))


@pytest.mark.parametrize("kind", [ListBoard, DictBoard])
@pytest.mark.parametrize("spec", [TABLE, KEPT, "uct(leaf=playout, nodes=300)"])
def test_lists_and_dicts_run_interpreted(kind, spec):
    """The same moves as with an array; only the random evaluator has another opinion of another state."""
    if "eval=random" in spec:
        spec = spec.replace("eval=random", "eval=zero")
    found = [ludus.player(spec, compiled=False).choose(game).to_dict() for game in (kind(), ArrayBoard())]
    assert found[0]["children"] == found[1]["children"]
    assert ludus.player("greedy(eval=random)", compiled=False).choose(kind()).value != 0
    report = ludus.check(kind(), games=20)
    assert report.passed, report.faults
    assert f"the states of {kind.__name__} " in report.note
    assert "NumPy array" in report.note


# Other processes.


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ArrayBoard", "TupleBoard"])
def test_workers_play_games_with_boards(name):
    game = f"{boards.__file__}:{name}"
    specs = ["uct(nodes=60)", "greedy(eval=random)"]
    alone, together = (ludus.match(game, *specs, games=8, openings=2, workers=workers).to_dict() for workers in (1, 2))
    for result in (alone, together):
        result.pop("seconds", None)
    assert alone["wins"] == together["wins"]
    assert alone["games"] == 8


def test_slices_that_cannot_be_compiled_run_interpreted():
    with pytest.warns(ludus.InterpretedWarning, match="ludus.replace"):
        assert ludus.player("greedy(eval=zero)").choose(SlicedBoard()).move == 0


def test_a_board_is_drawn_in_rows():
    assert str(SquareBoard().position().play("4")) == "0 0 0\n0 1 0\n0 0 0\n2"
    assert str(ArrayBoard().position().play("4")) == "0 0 0 0 1 0 0 0 0\n2"
    assert str(ludus.game("nim").position()) == "21"
