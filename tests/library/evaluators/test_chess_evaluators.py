"""Evaluators of chess, against python-chess's board and the thesis's table."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

import ludus
from ludus.library.evaluators.chess import WEIGHTS, placement
from ludus.model import registry
from ludus.runtime.session import Session

# Abramson 1987, Table 6, in the order of its columns.
TABLE_6 = {
    "Chess0": (1, 5, 3, 3, 9),
    "Chess1": (4.0, 4.8, 2.5, 3.3, 9.6),
    "Chess2": (4.0, 4.9, 3.0, 3.7, 10.4),
    "Chess3": (1.0, 4.4, 1.5, 2.4, 6.8),
    "Chess4": (1.0, 5.6, 2.0, 3.0, 7.5),
    "Chess5": (98, 79, 47, 375, 45),
    "Chess6": (0, 0, 0, 0, 0),
    "Chess7": (1, 1, 1, 1, 1),
}


def boards(count: int, seed: int = 1) -> list[chess.Board]:
    """Positions of random games, none of them over by our rules."""
    dice, found = random.Random(seed), []
    while len(found) < count:
        board = chess.Board()
        for _ in range(dice.randint(0, 150)):
            if board.is_game_over():
                break
            board.push(dice.choice(list(board.legal_moves)))
        if not board.is_game_over() and board.halfmove_clock < 100:
            found.append(board)
    return found


def values(evaluator: str, found: list[chess.Board]) -> list[float]:
    game = ludus.game("chess")
    return [game.position(board.fen()).value(evaluator) for board in found]


def other_material(board: chess.Board, weights: dict[str, float]) -> float:
    men = [board.piece_at(square) for square in board.piece_map()]
    own = [man.symbol().upper() for man in men if man.color == board.turn]
    others = [man.symbol().upper() for man in men if man.color != board.turn]
    return sum(weights.get(man, 0) for man in own) - sum(weights.get(man, 0) for man in others)


@pytest.mark.parametrize("name", TABLE_6)
def test_material_with_the_weights_of_the_thesis(name):
    weights = dict(zip("PRNBQ", TABLE_6[name], strict=True))
    assert weights == WEIGHTS[name]
    found = boards(25)
    expected = [other_material(board, weights) for board in found]
    assert values(f"material(weights={name})", found) == pytest.approx(expected)
    assert name == "Chess6" or len(set(expected)) > 5


def test_any_weights():
    found = boards(25, seed=2)
    expected = [other_material(board, {"P": -1.5, "N": 2, "B": 30, "R": 0.25, "Q": 1e-3}) for board in found]
    for spec in ("material(weights=P-1.5:N2:B30:R0.25:Q1e-3)", "material(weights=Q1e-3:R0.25:B30:N2:P-1.5)"):
        assert str(ludus.evaluator(spec)) == spec
        assert values(spec, found) == pytest.approx(expected)
    assert values("material", found) == values("material(weights=Chess0)", found)


@pytest.mark.parametrize(
    "weights",
    [
        *("Chess8", "chess0", "", "9", "P1,N3", "P1:N3:B3:R5", "P1:N3:B3:R5:Q9:K1", "P1:N3:B3:R5:Q", "xP1:N3:B3:R5:Q9"),
        *("P1:P1:N3:B3:R5:Q9", "P1:N3:B3:R5:Q9:", "P1:N3:B3:R5:Qnan", "P1:N3:B3:R5:Qinf"),
    ],
)
def test_what_are_no_weights(weights):
    with pytest.raises(ludus.SpecError, match=r"weights must be one of Chess0, .* or a number for each man") as failure:
        ludus.evaluator("material", weights=weights)
    assert "\n" not in str(failure.value)


def other_positional(board: chess.Board) -> float:
    return _worth(board, board.turn) - _worth(board, not board.turn)


def _worth(board: chess.Board, colour: chess.Color) -> float:
    """The worth of one player's men by python-chess's own attacks."""
    codes, table = {"P": 1, "B": 2, "N": 3, "R": 4, "Q": 6}, placement()
    value = 0.0
    for square, man in board.piece_map().items():
        seen = square if colour == chess.WHITE else square ^ 56
        if man.color != colour:
            continue
        if man.piece_type == chess.KING:
            pieces = board.occupied_co[not colour] & ~(board.pawns | board.kings)
            hiding = min(pieces.bit_count() / 7, 1)
            value += hiding * table[5, seen] + (1 - hiding) * table[0, seen]
        else:
            value += table[codes[man.symbol().upper()], seen]
            if man.piece_type != chess.PAWN:
                value += 0.03 * (int(board.attacks(square)) & ~board.occupied_co[colour]).bit_count()
    return value


def test_positional_against_its_definition():
    found = boards(60, seed=3)
    expected = [other_positional(board) for board in found]
    assert values("positional", found) == pytest.approx(expected, abs=1e-9)
    assert max(map(abs, expected)) > 3


def test_the_same_for_both_colours():
    found = boards(20, seed=4)
    mirrored = [board.mirror() for board in found]
    for name in ("material", "positional"):
        assert values(name, found) == values(name, mirrored)
        assert values(name, [chess.Board(), chess.Board().mirror()]) == [0, 0]


def test_preferences():
    """What the numbers mean: more men, the centre, a safe king first and an active one at the end, mobile pieces."""

    def better(*two):
        first, second = (ludus.game("chess").position(f"{men} w - - 0 1").value("positional") for men in two)
        return first > second

    assert better("4k3/p7/8/8/3N4/8/8/4K3", "4k3/p7/8/8/8/8/8/N3K3")
    assert better("4k3/p7/8/8/3K4/8/8/8", "4k3/p7/8/8/8/8/8/K7")
    assert better("rnbqkbnr/p7/8/8/8/8/8/RN4K1", "rnbqkbnr/p7/8/8/4K3/8/8/RN6")
    assert better("4k3/p7/8/8/8/8/P7/4K3", "4k3/p7/8/8/8/8/8/4K3")
    assert better("4k3/8/P7/8/8/8/8/4K3", "4k3/8/8/8/8/8/P7/4K3")


@pytest.mark.slow
def test_compiled_and_interpreted_alike():
    game = ludus.game("chess")
    search, evaluator = registry.searches().of("greedy"), ludus.evaluator("positional").on(game)
    fast, slow = (Session(search, game, evaluator, compiled=how) for how in (True, False))
    for board in boards(12, seed=5):
        state = game.read_state(board.fen())
        results = []
        for session in (fast, slow):
            stopped = session.run(state, ludus.Budget(nodes=10))
            results.append([(child.move, child.value) for child in session.result(state, stopped).children])
        assert results[0] == results[1]
        assert not np.isnan(results[0][0][1])
