"""Review: the values are the search's, whoever moves; losses are what a move gave away; the worst are named."""

import pytest

import ludus
from tests.support.web_client import serving

BLUNDER = ["b2", "b1", "a1", "c3", "a3", "c1", "a2"]
"""Tic-tac-toe: after b2 the answer b1 loses."""


@pytest.fixture(scope="module")
def client():
    with serving() as found:
        yield found


def reviewed(client, moves, game="tictactoe", player="minimax(depth=6)"):
    begun = client.ask("reviews", 201, game=game, moves=moves, player=player)
    return client.wait_for(f"reviews/{begun['id']}")


@pytest.mark.slow
def test_the_worst_move_is_found(client):
    found = reviewed(client, BLUNDER)
    assert len(found["rows"]) == len(BLUNDER) + 1
    assert found["worst"][0] == 1
    assert found["rows"][1]["move"] == "b1"
    assert found["rows"][1]["loss"] > 0
    assert found["rows"][1]["best"] != "b1"
    assert found["rows"][0]["loss"] == 0


@pytest.mark.slow
def test_values_are_to_the_mover_and_to_the_first_player(client):
    found = reviewed(client, BLUNDER)
    position = ludus.game("tictactoe").position()
    for row in found["rows"][:-1]:
        alone = ludus.search(position, "minimax(depth=6)", compiled=False)
        assert row["value"] == alone.value
        assert row["first"] == (alone.value if position.seat == 0 else -alone.value)
        assert row["best"] == alone.move_name
        assert row["by"] == position.seat
        played = next(child for child in alone.children if child.name == row["move"])
        if not played.known.is_bound:
            assert row["played"] == played.value
        position = position.play(row["move"])
    assert found["rows"][-1]["move"] is None
    assert found["rows"][-1]["first"] > 0


def test_rows_come_as_events_and_chance_has_none(client):
    begun = client.ask("reviews", 201, game="pig", moves=["roll", "4", "pass"], player="uct(nodes=60)")
    events = client.events(f"reviews/{begun['id']}")
    assert events[-1][1] == "done"
    rows = events[-1][2]["rows"]
    assert [row["by"] for row in rows] == [0, None, 1, 0]
    assert rows[1]["value"] is None
    assert {kind for _, kind, _ in events} == {"row", "done"}


def test_nothing_to_review_is_said(client):
    assert "no move" in client.ask("reviews", 400, game="nim")["error"]


def test_a_review_can_be_stopped(client):
    begun = client.ask("reviews", 201, game="othello", moves=["d3", "c5", "d6"], player="uct(nodes=100000)")
    assert client.delete(f"/api/reviews/{begun['id']}").json() == {}
    assert client.get(f"/api/reviews/{begun['id']}").status_code == 404
