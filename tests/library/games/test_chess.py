"""Chess: python-chess and OpenSpiel, two other programs; draws; the tables behind the moves."""

from __future__ import annotations

import random
from collections import Counter

import chess
import numpy as np
import pytest

import ludus
from ludus.arena.play.referee import Board
from ludus.library.games.chess import board as chess_board
from ludus.library.games.chess.game import mate_is_possible
from ludus.model.playable import Repetitions
from tests.support.python_chess import OtherChess

START = chess.STARTING_FEN
PROMOTIONS = ("all", "queen", "none")


@pytest.fixture
def game():
    return ludus.game("chess")


def is_over(game, state):
    with np.errstate(over="ignore"):
        return game.over(state)


# Whole games.


def play_random_game(board: Board, promotion: str, dice: random.Random, seen: Counter) -> None:
    """The same random game by our compiled rules and by python-chess; all moves of all positions, and the result."""
    game, other = board.work.game, OtherChess(promotion=promotion)
    board.reset(game)
    while True:
        theirs = other.numbers
        assert sorted(board.legal) == sorted(theirs), other.fen
        seen["positions"] += 1
        if seen["positions"] % 4 == 0:
            assert game.state_text(board.state) == other.fen
            assert game.read_state(other.fen) == board.state
            assert is_over(game, board.state) == (not theirs)
            seen["FENs"] += 1
        if not theirs:
            break
        move = dice.choice(sorted(theirs))
        if seen["positions"] % 9 == 0 and promotion != "none":
            name = other.board.san(theirs[move])
            assert game.san(board.state, move) == name
            assert game.parse_move(board.state, name) == move
            assert game.parse_move(board.state, theirs[move].uci()) == move
            seen["SANs"] += 1
        seen["castling"] += other.board.is_castling(theirs[move])
        seen["promotion"] += theirs[move].promotion is not None
        assert board.play(move)
        other.push(theirs[move])
    seen[other.ending] += 1
    assert board.score == (-1 if other.ending == "checkmate" else 0)
    expected = (0 if other.board.turn == chess.BLACK else 1) if other.ending == "checkmate" else None
    assert game.winner(board.state) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("promotion", "games"), [("all", 80), ("queen", 30), ("none", 40)])
def test_random_games_against_python_chess(promotion, games):
    seen, dice = Counter(), random.Random(1)
    board = Board(ludus.game("chess", promotion=promotion), compiled=True)
    for _ in range(games):
        play_random_game(board, promotion, dice, seen)
    assert seen["positions"] > 250 * games
    assert seen["castling"] > 0
    assert seen["promotion"] > games
    assert min(seen[ending] for ending in ("checkmate", "stalemate", "material", "fifty moves")) > 0, seen


@pytest.mark.slow
def test_random_games_against_openspiel():
    """There a third repetition ends the game, by which we compare `position_key`; all else is the same."""
    pyspiel = pytest.importorskip("pyspiel")
    game, dice, seen = ludus.game("chess"), random.Random(2), Counter()
    board = Board(game, compiled=True)
    for index in range(40):
        board.reset(game)
        other, counts = pyspiel.load_game("chess").new_initial_state(), Repetitions(game)
        repeated = counts.add(board.state)
        while not other.is_terminal():
            assert not repeated
            actions = {action: other.action_to_string(action) for action in other.legal_actions()}
            if index % 3 == 0:
                place = other.board()
                theirs = {pyspiel.chess.action_to_move(action, place).to_lan(): action for action in actions}
                ours = {game.move_name(board.state, move): move for move in board.legal}
                assert sorted(ours) == sorted(theirs)
                name = dice.choice(sorted(ours))
                move, action = ours[name], theirs[name]
            else:
                assert len(board.legal) == len(actions)
                action = dice.choice(sorted(actions))
                move = game.parse_move(board.state, actions[action])  # their SAN
            other.apply_action(action)
            assert board.play(move)
            repeated = counts.add(board.state)
            seen["positions"] += 1
        assert repeated == other.is_repetition_draw()
        if repeated:
            seen["repetition"] += 1
        else:
            assert board.is_over
            assert board.score == other.returns()[1 - board.state[6]]  # white is their player 1
            seen[board.score] += 1
    assert seen["positions"] > 7000
    assert min(seen["repetition"], seen[0], seen[-1]) > 0, seen


# Single positions.


def random_position(dice: random.Random) -> chess.Board:
    """Any men anywhere, if that can be a position; often a man is pinned, a pawn has just gone two squares, or kings
    may castle.
    """
    while True:
        board, castling = chess.Board(None), dice.random() < 0.3
        board.turn = dice.random() < 0.5
        kings = {colour: (4 if colour else 60) if castling else dice.randrange(64) for colour in chess.COLORS}
        kinds = dice.choice(([1, 2, 3, 4, 5], [1, 5], [1, 1, 2, 4], [2, 3, 4, 5]))
        for square in dice.sample(range(64), dice.randint(1, 12)):
            board.set_piece_at(square, chess.Piece(dice.choice(kinds), dice.random() < 0.5))
        if dice.random() < 0.5:
            line = dice.choice([line for line in LINES if len(line(kings[board.turn])) > 1])(kings[board.turn])
            near, far = sorted(dice.sample(range(len(line)), 2))
            board.set_piece_at(line[near], chess.Piece(dice.choice([1, 2, 2, 3, 4, 5]), board.turn))
            board.set_piece_at(line[far], chess.Piece(dice.choice([3, 4, 5, 5]), not board.turn))
        if dice.random() < 0.6:
            board.ep_square = dice.randrange(8) + (40 if board.turn else 16)
            pawn = board.ep_square + (-8 if board.turn else 8)
            board.set_piece_at(pawn, chess.Piece(chess.PAWN, not board.turn))
            for side in (-1, 1):
                if dice.random() < 0.5 and 0 <= pawn % 8 + side < 8:
                    board.set_piece_at(pawn + side, chess.Piece(chess.PAWN, board.turn))
        for colour, king in kings.items():
            board.set_piece_at(king, chess.Piece(chess.KING, colour))
            for corner in (king - 4, king + 3) if castling else ():
                board.set_piece_at(corner, chess.Piece(chess.ROOK, colour))
                board.castling_rights |= chess.BB_SQUARES[corner]
        if not board.status() & ~(chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK):
            return board


def line_from(up: int, right: int):
    """The squares in one direction, nearest first."""

    def squares(square: int) -> list[int]:
        steps = [(square // 8 + i * up, square % 8 + i * right) for i in range(1, 8)]
        return [8 * rank + file for rank, file in steps if 0 <= rank < 8 and 0 <= file < 8]

    return squares


LINES = [line_from(up, right) for up in (-1, 0, 1) for right in (-1, 0, 1) if up or right]


@pytest.mark.slow
def test_any_position_against_python_chess():
    """Pins, double checks, captures in passing that uncover a check, castling through attacks, promotion and none."""
    dice, seen = random.Random(3), Counter()
    games = {promotion: ludus.game("chess", promotion=promotion) for promotion in PROMOTIONS}
    for _ in range(1500):
        fen = random_position(dice).fen(en_passant="fen")
        for promotion, game in games.items():
            other, state = OtherChess(fen, promotion), game.read_state(fen)
            assert game.state_text(state) == other.fen
            numbers = other.numbers
            assert sorted(game.legal(state)) == sorted(numbers), (fen, promotion)
            assert is_over(game, state) == (not numbers)
            move = dice.choice(sorted(numbers) or [None])
            if move is not None:
                seen["in passing"] += other.board.is_en_passant(numbers[move])
                seen["castling"] += other.board.is_castling(numbers[move])
                if promotion != "none":
                    assert game.san(state, move) == other.board.san(numbers[move])
                other.push(numbers[move])
                assert game.state_text(game.after(state, move)) == other.fen
        board = chess.Board(fen)
        seen["double check"] += len(board.checkers()) > 1
        for kind in (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN):
            pinned = any(board.is_pinned(board.turn, square) for square in board.pieces(kind, board.turn))
            seen[f"pinned {chess.piece_name(kind)}"] += pinned
        seen["not in passing"] += any(
            board.is_en_passant(move) and not board.is_legal(move) for move in board.pseudo_legal_moves
        )
    assert min(seen.values()) > 20, seen
    assert len(seen) == 9


def test_a_pawn_that_is_removed_cannot_hide_its_king():
    """The king of h8 is in check along its rank: to promote on g8 blocks it, to disappear there does not."""
    fen = "r6K/6P1/8/8/8/8/8/7k w - - 0 1"
    assert "g7g8q" in ludus.game("chess").position(fen).moves
    assert list(ludus.game("chess", promotion="none").position(fen).moves) == ["h8h7"]
    fen = "1k2r1bK/5P2/8/8/8/8/8/8 w - - 0 1"  # the bishop protects the king from the rook behind it
    position = ludus.game("chess", promotion="none").position(fen)
    assert "f7g8" not in position.moves
    assert position.play("f7e8").text == "1k4bK/8/8/8/8/8/8/8 b - - 0 1"
    fen = "3rr2K/5P2/8/8/8/8/8/k7 w - - 0 1"  # to take the rook uncovers the other one
    assert "f7e8" not in ludus.game("chess", promotion="none").position(fen).moves
    assert "f7e8" in ludus.game("chess", promotion="none").position(fen.replace("3rr", "4r")).moves


@pytest.mark.parametrize("promotion", PROMOTIONS)
def test_promotion(promotion):
    position = ludus.game("chess", promotion=promotion).position("3r3k/4P3/8/8/8/8/8/K7 w - - 5 9")
    moves = {name for name in position.moves if name[:2] == "e7"}
    assert (
        moves
        == {
            "all": {"e7e8q", "e7e8r", "e7e8b", "e7e8n", "e7d8q", "e7d8r", "e7d8b", "e7d8n"},
            "queen": {"e7e8q", "e7d8q"},
            "none": {"e7e8", "e7d8"},
        }[promotion]
    )
    after = position.play("e7d8" if promotion == "none" else "e7d8q")
    assert after.text == ("7k" if promotion == "none" else "3Q3k") + "/8/8/8/8/8/8/K7 b - - 0 1"


# Optional rules.


def test_passing_and_noisy_moves_against_python_chess(game):
    dice, seen = random.Random(8), Counter()
    for _ in range(300):
        board = random_position(dice)
        state = game.read_state(board.fen(en_passant="fen"))
        if game.legal(state):
            other = OtherChess(board.fen(en_passant="fen"))
            for number, move in other.numbers.items():
                noisy = board.is_capture(move) or move.promotion is not None
                assert game.noisy(state, number) == noisy
                seen["in passing"] += board.is_en_passant(move)
                seen["noisy"] += noisy
            with np.errstate(over="ignore"):
                passed = game.null(state)
                assert game.mover(passed) != game.mover(state)
                if board.is_check():
                    assert game.over(passed)
                    assert game.score(passed) == 1
                else:
                    board.push(chess.Move.null())
                    assert passed == game.read_state(board.fen(en_passant="fen"))
                seen["check" if board.is_check() else "quiet"] += 1
    assert min(seen.values()) > 20, seen
    assert len(seen) == 4


def test_the_phase_goes_with_the_pieces(game):
    fens = [
        START,
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w - - 0 1",
        "r3k3/8/8/8/8/8/P7/4K2N w - - 0 1",
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
    ]
    assert [game.phase(game.read_state(fen)) for fen in fens] == pytest.approx([0, 8 / 24, 21 / 24, 1])
    assert game.phase(game.read_state("QQQQk3/QQQQQ3/8/8/8/8/8/4K3 b - - 0 1")) == 0


def test_a_bare_king_never_wins(game):
    bounds = {
        START: (-1, 1),
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 1": (0, 1),
        "4k3/8/8/8/8/8/P7/4K3 b - - 0 1": (-1, 0),
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1": (0, 0),
    }
    for fen, expected in bounds.items():
        state = game.read_state(fen)
        assert (game.lowest(state), game.highest(state)) == expected


# The end.


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),  # stalemate
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", -1),  # checkmate
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", -1),  # checkmate with the fiftieth move
        ("7k/8/6K1/8/8/8/8/Q7 b - - 100 90", 0),  # a check that could be answered, after fifty moves
        ("7k/8/6K1/8/8/8/8/1Q6 b - - 100 90", 0),
        ("7k/8/6K1/8/8/8/8/8 w - - 0 1", 0),
        ("7k/8/6K1/8/8/8/8/5N2 w - - 0 1", 0),
        ("6k1/8/6K1/8/8/8/8/B1B5 w - - 0 1", 0),  # two bishops on dark squares
        ("7k/8/6K1/8/8/b7/8/B7 b - - 0 1", 0),
    ],
)
def test_endings(game, fen, score):
    position = game.position(fen)
    assert position.is_over
    assert is_over(game, position.state)
    assert position.score == score


@pytest.mark.parametrize(
    "fen",
    [
        "7k/8/6K1/8/8/8/8/1Q6 b - - 99 90",
        "7k/8/6K1/8/8/8/8/4NN2 w - - 0 1",
        "7k/8/6K1/8/8/8/n7/5N2 w - - 0 1",
        "6k1/8/6K1/8/8/8/8/BB6 w - - 0 1",
        "6k1/8/6K1/8/8/8/8/B1n5 w - - 0 1",
        "7k/8/6K1/8/8/8/P7/8 w - - 0 1",
        "K7/6r1/4p3/1q1pP3/8/8/k7/8 w - d6 0 1",  # to capture in passing is the only move
        "8/8/r3p3/3pP3/4K3/8/3qk3/8 w - d6 0 1",  # ... and the only answer to a check
    ],
)
def test_games_that_go_on(game, fen):
    assert not game.position(fen).is_over
    assert not is_over(game, game.position(fen).state)


def test_bare_material_against_python_chess():
    dice, seen = random.Random(4), Counter()
    for _ in range(3000):
        board = chess.Board(None)
        squares = dice.sample(range(64), dice.randint(2, 5))
        men = [chess.Piece(chess.KING, True), chess.Piece(chess.KING, False)]
        kinds = dice.choice(([2], [3], [2, 3], [3, 3, 3, 1], [3, 4, 5]))
        men += [chess.Piece(dice.choice(kinds), dice.random() < 0.5) for _ in squares[2:]]
        for square, man in zip(squares, men, strict=True):
            board.set_piece_at(square, man)
        step = board.pawns | board.knights | board.kings
        diagonal = board.knights | board.bishops | board.queens
        straight = board.rooks | board.queens | board.kings
        possible = mate_is_possible(*(np.uint64(b) for b in (step, diagonal, straight)))
        assert possible != board.is_insufficient_material(), board.fen()
        seen[bool(possible)] += 1
    assert min(seen.values()) > 500


def test_a_third_repetition(game):
    counts, position = Repetitions(game), game.position()
    found = [counts.add(position.state)]
    for name in 2 * ["g1f3", "g8f6", "f3g1", "f6g8"]:
        position = position.play(name)
        found.append(counts.add(position.state))
    assert found == 8 * [False] + [True]
    assert not position.is_over, "a state has no history"


def test_what_may_happen_counts_for_repetition(game):
    """The same men, but a right to castle is lost, or a pawn could be captured in passing: other positions."""
    key = game.position_key
    first = game.read_state("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert key(first) == key(game.read_state("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 9"))
    assert key(first) != key(game.read_state("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"))
    assert key(first) != key(game.read_state("r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1"))
    pawns = "4k3/8/8/3pP3/8/8/8/4K3 w - {} 0 1"
    assert key(game.read_state(pawns.format("d6"))) != key(game.read_state(pawns.format("-")))
    far = "4k3/8/8/3p1P2/8/8/8/4K3 w - {} 0 1"
    assert key(game.read_state(far.format("d6"))) == key(game.read_state(far.format("-")))
    pinned = "4r1k1/8/8/3pP3/8/8/8/4K3 w - {} 0 1"
    assert key(game.read_state(pinned.format("d6"))) == key(game.read_state(pinned.format("-")))


def test_a_game_without_the_rule_never_ends_by_repetition():
    counts = Repetitions(ludus.game("nim"))
    assert not any(counts.add((5,)) for _ in range(9))


# The tables.


def test_sliders_against_walking():
    """Every square, and what stands around it at random, by the obvious walk."""
    dice = random.Random(5)

    def walk(square, occupied, steps):
        found = 0
        for up, right in steps:
            rank, file = square // 8 + up, square % 8 + right
            while 0 <= rank < 8 and 0 <= file < 8:
                found |= 1 << 8 * rank + file
                if occupied >> 8 * rank + file & 1:
                    break
                rank, file = rank + up, file + right
        return found

    with np.errstate(over="ignore"):
        for trial in range(3000):
            square = trial % 64
            occupied = dice.getrandbits(64) & (dice.getrandbits(64) if trial % 2 else -1)
            diagonal = chess_board.diagonal_reach(square, np.uint64(occupied))
            straight = chess_board.straight_reach(square, np.uint64(occupied))
            assert int(diagonal) == walk(square, occupied, [(1, 1), (1, -1), (-1, 1), (-1, -1)])
            assert int(straight) == walk(square, occupied, [(1, 0), (-1, 0), (0, 1), (0, -1)])


def test_lines_between_squares():
    for a in range(64):
        for b in range(64):
            assert int(chess_board.BETWEEN[a, b]) == chess.between(a, b)
            assert int(chess_board.LINE[a, b]) == chess.ray(a, b)


def test_the_most_moves(game):
    """The position with the most moves that a game can lead to, and one that no game leads to."""
    assert len(game.position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1").moves) == 218
    crowded = "Q6Q/3Q4/1Q4Q1/4Q3/2Q4Q/5Q2/pp1QQ3/kBQQ1K1Q w - - 0 1"
    assert len(game.position(crowded).moves) == chess.Board(crowded).legal_moves.count() < game.max_moves
