"""Positions through HTTP: what there is, boards and moves, texts that were pasted, and how games end."""

import pytest

import ludus
from tests.support.web_client import serving

OWN = "tests/support/web_games.py"


@pytest.fixture(scope="module")
def client():
    names = ("Capture", "Objects", "Twice", "Dicey", "Fails")
    with serving([f"{OWN}:{name}" for name in names]) as found:
        yield found


def test_what_there_is(client):
    found = client.ask("games")
    games = [row["game"] for row in found["games"]]
    assert found["default"] == games[0] == f"{OWN}:Capture"
    assert set(ludus.games()) - {"openspiel"} <= set(games)
    players = {row["player"]: row for row in found["players"]}
    assert set(ludus.searches()) == set(players)
    assert {players[name]["watch"] for name in ("bfmm", "minimax", "sampler")} == {"tree", "passes", "numbers"}
    assert client.ask("ping")["started"]


@pytest.mark.parametrize("name", [name for name in ludus.games() if name != "openspiel"])
def test_every_game_can_be_played_to_its_end(client, name):
    """The first move each time; what the server says is what the library says."""
    position, moves = ludus.game(name).position(), []
    found = client.ask("position", game=name)
    for _ in range({"amazons": 6}.get(name, 40)):
        assert [move["name"] for move in found["moves"]] == list(position.moves)
        assert found["state"] == position.text
        assert found["text"] == str(position)
        assert found["ply"] == len(moves)
        if found["over"]:
            break
        move = found["moves"][len(moves) % len(found["moves"])]["name"]
        position, moves = position.play(move), [*moves, move]
        found = client.ask("position", game=name, moves=moves)
    if position.is_over:
        assert found["over"]
        assert found["ended"] == "rules"
        assert found["winner"] == position.winner
        assert found["score"] == position.score


def test_the_last_move_is_marked(client):
    found = client.ask("position", game="othello", moves=["d3"])
    assert found["last"] == {"name": "d3", "by": 0, "cells": ["d3"], "changed": ["d3", "d4"]}
    assert found["turn"] == 1


def test_from_a_state_and_moves_from_there(client):
    fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1"
    found = client.ask("position", game="chess", state=fen, moves=["a7a8n"])
    assert found["state"].startswith("N7/7k")
    assert found["turn"] == 1


def test_dice_are_outcomes_with_probabilities(client):
    found = client.ask("position", game="pig", moves=["roll"])
    assert found["chance"]
    assert found["turn"] is None
    assert [move["probability"] for move in found["moves"]] == pytest.approx([1 / 6] * 6)
    assert not client.ask("position", game="pig", moves=["roll", "4"])["chance"]
    own = client.ask("position", game=f"{OWN}:Dicey", moves=["0"])
    assert own["chance"]


def test_a_pass_need_not_be_asked_for(client):
    twice = client.ask("position", game=f"{OWN}:Twice", moves=["0"])
    assert twice["must_pass"]
    assert twice["turn"] == 1
    again = client.ask("position", game=f"{OWN}:Twice", moves=["0", "pass"])
    assert again["turn"] == 0
    assert not again["must_pass"]
    assert client.ask("position", game="kalah", moves=["c"])["must_pass"]
    assert not client.ask("position", game="pig")["must_pass"]


def test_repetition_is_a_draw(client):
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    found = client.ask("position", game="chess", moves=moves)
    assert found["ended"] == "repetition"
    assert found["winner"] is None
    assert found["moves"] == []
    assert not client.ask("position", game="chess", moves=moves[:-1])["over"]


@pytest.mark.parametrize(
    ("game", "text", "moves"),
    [
        ("othello", "f5 d6", ["f5", "d6"]),
        ("othello", "F5D6c3", ["f5", "d6", "c3"]),
        ("connect4", "4453", ["4", "4", "5", "3"]),
        ("chess", "1. e2e4 e7e5 2. Ng1f3", ["e2e4", "e7e5", "g1f3"]),
        ("amazons", "d1-d7/g7", ["d1-d7/g7"]),
    ],
)
def test_moves_can_be_pasted(client, game, text, moves):
    assert client.ask("text", game=game, text=text) == {"state": None, "moves": moves}


def test_a_position_can_be_pasted(client):
    for game, moves in (("othello", ["d3", "c5"]), ("chess", ["e2e4"]), ("tictactoe", ["b2"]), ("nim", ["2"])):
        state = client.ask("position", game=game, moves=moves)["state"]
        assert client.ask("text", game=game, text=f" {state}\n") == {"state": state, "moves": []}
    assert "neither" in client.ask("text", 400, game="othello", text="hello world")["error"]


def test_a_game_can_be_copied(client):
    text = client.ask("record", game="chess", moves=["e2e4", "e7e5"], players=["I", "uct"])["text"]
    assert "1. e4 e5" in text
    assert '[White "I"]' in text


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"game": "chess", "moves": ["e2e5"]}, "e2e5"),
        ({"game": "nosuchgame"}, "unknown game"),
        ({"game": "othello(size=7)"}, "size"),
        ({"game": "othello", "state": "nonsense"}, "nonsense"),
        ({}, "game"),
        ({"game": "nim", "moves": "1 2"}, "moves"),
        ({"game": f"{OWN}:Fails", "moves": ["1"]}, "the stones have gone"),
    ],
)
def test_a_fault_is_one_sentence(client, body, words):
    answer = client.post("/api/position", json=body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert words in error
    assert "Traceback" not in error
    assert client.ask("position", game="nim")["moves"]


def test_a_game_without_a_board_has_its_text(client):
    found = client.ask("position", game=f"{OWN}:Objects")
    assert found["board"] is None
    assert found["text"]
    assert [move["gesture"] for move in found["moves"]] == [[], []]


def test_what_is_not_there_is_said(client):
    assert client.get("/api/nothing").status_code == 404
    assert client.post("/api/games", json={}).status_code == 405
    for path in ("thoughts/t999", "reviews/v999", "rankings/r999"):
        assert "there is no" in client.ask(path, 404)["error"]
