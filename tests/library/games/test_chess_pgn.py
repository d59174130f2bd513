"""Whole games of chess as PGN, read by python-chess."""

from __future__ import annotations

import io
import random

import chess.pgn
import pytest

import ludus


@pytest.fixture
def game():
    return ludus.game("chess")


def read_pgn(text):
    with io.StringIO(text) as file:
        found = chess.pgn.read_game(file)
        assert chess.pgn.read_game(file) is None
    assert found.errors == []
    return found


@pytest.mark.slow
def test_games_are_read_by_python_chess(game):
    source, endings = random.Random(8), set()
    names, about = ["one(a=1)", "the other"], {"run": "3", "round": "0-1.2", "date": "2026-11-16T10:00:00"}
    for number in range(40):
        moves, state = [], game.start
        while legal := game.legal(state):
            moves.append(source.choice(legal))
            state = game.after(state, moves[-1])
        plies = number % 4
        score = game.result(state) * (-1) ** (len(moves) - plies)  # to who moves first after the opening
        told = game.game_text(names, moves[:plies], moves[plies:], score, about)
        found = read_pgn(told)
        assert [move.uci() for move in found.mainline_moves()] == game.move_names(moves)
        assert [found.headers["White"], found.headers["Black"]] == (names if plies % 2 == 0 else names[::-1])
        assert found.headers["Result"] == found.end().board().result(claim_draw=True)
        assert (found.headers["Date"], found.headers["Round"]) == ("2026.11.16", "0-1.2")
        assert all(len(line) < 80 for line in told.splitlines() if not line.startswith("["))
        endings.add(found.headers["Result"])
    assert len(endings) == 3


def test_a_forfeit_is_told(game):
    e4 = game.parse_move(game.start, "e4")
    found = read_pgn(game.game_text(("one", "two"), [], [e4], 1.0, {"fault": "took too long"}))
    assert found.headers["Result"] == "1-0"
    assert found.end().comment == "Black forfeits: took too long"


def test_names_are_quoted_as_the_standard_has_it(game):
    told = game.game_text(('the "one" \\', "two\nlines"), [], [], 0.0, {})
    assert '[White "the \\"one\\" \\\\"]\n[Black "two lines"]' in told


def test_other_rules_are_named():
    told = ludus.game("chess(promotion=queen)").game_text(("one", "two"), [], [], 0.0, {})
    assert '[Variant "chess(promotion=queen)"]' in told
