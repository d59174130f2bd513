"""Nobody else gets in: each line of the promise is tried."""

import json
import socket

import httpx
import pytest

from ludus.web import security
from ludus.web.security import own_names, token_for
from tests.support.web_client import TOKEN, serving

OWN = "tests/support/web_games.py"


@pytest.fixture(scope="module")
def client():
    with serving([f"{OWN}:Evil", f"{OWN}:Capture"], players=["greedy"]) as found:
        yield found


def refused(answer, status):
    """Whether an answer refuses with one sentence."""
    error = json.loads(answer.text)["error"]
    assert error.endswith(".")
    assert "\n" not in error
    return answer.status_code == status


def test_the_token_is_needed_for_everything_under_api(client):
    paths = ("/api/games", "/api/ping", "/api/thoughts/t1", "/api/thoughts/t1/events", "/api/runs", "/api/nothing")
    for path in paths:
        for header in ("", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", f"bearer {TOKEN[:-1]}"):
            assert refused(client.get(path, headers={"Authorization": header}), 401)
    assert refused(httpx.post(f"{client.base_url}/api/position", json={"game": "nim"}), 401)
    assert client.get("/api/games").status_code == 200


def test_a_token_in_the_query_does_not_count(client):
    assert refused(httpx.get(f"{client.base_url}/api/games?token={TOKEN}"), 401)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80", ""])
def test_a_foreign_host_is_refused_for_pages_and_api(client, host):
    for path in ("/api/games", "/play", "/static/index.html"):
        assert refused(client.get(path, headers={"Host": host}), 403)


def test_localhost_is_ours(client):
    assert client.get("/api/games", headers={"Host": f"localhost:{client.base_url.port}"}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_a_foreign_origin_is_refused(client, origin):
    assert refused(client.post("/api/position", json={"game": "nim"}, headers={"Origin": origin}), 403)


def test_our_own_origin_may_ask_and_another_site_may_not(client):
    own = f"http://127.0.0.1:{client.base_url.port}"
    assert client.get("/api/games", headers={"Origin": own, "Sec-Fetch-Site": "same-origin"}).status_code == 200
    assert refused(client.get("/api/games", headers={"Sec-Fetch-Site": "cross-site"}), 403)


def test_every_answer_has_the_policy(client):
    for answer in (client.get("/api/games"), client.get("/play"), client.get("/nothing"), httpx.get(client.base_url)):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert client.get("/api/games").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "//etc/passwd", "/static//etc/passwd"],
)
def test_no_file_outside_the_page_is_sent(client, path):
    with socket.create_connection(("127.0.0.1", client.base_url.port), timeout=10) as connection:
        host = f"127.0.0.1:{client.base_url.port}"
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        received = b""
        while part := connection.recv(65536):
            received += part
    assert b" 404 " in received.split(b"\r\n")[0]
    assert b"root:" not in received
    assert b"starlette" not in received


@pytest.mark.parametrize(
    "game",
    [
        "/etc/passwd",
        "../secret.py:Game",
        "tests/support/user_games.py:Stones",
        f"{OWN}:Fails",
        'tree(file="/etc/passwd")',
        "tree(file=secret.tree)",
        'openspiel(name="tic_tac_toe")',
        'tree(of="/etc/passwd")',
    ],
)
def test_a_game_of_a_file_that_was_not_named_is_refused(client, game):
    """Of a class that was named, the file may be used; another class of the same file may not."""
    if game == f"{OWN}:Fails":
        assert "not named" in client.ask("position", 400, game=game)["error"]
    assert refused(client.post("/api/position", json={"game": game}), 400)


@pytest.mark.parametrize(
    "player",
    [
        "tests/support/user_games.py:Search",
        "uct(eval=/tmp/evil.py:E)",
        "uct(eval=/tmp/weights.json)",
        "uct(eval=learned/../../x)",
        'engine(command="rm -rf /")',
        "uct(eval=zero(file=x))",
        "uct(nodes=100000000)",
        "uct(seconds=1e9)",
        "uct(nodes=10, memory=100000)",
        "alphabeta(table=true, memory_of_table=100000)",
        "uct(",
        "nosuchsearch",
    ],
)
def test_a_player_that_reaches_outside_or_beyond_the_limits_is_refused(client, player):
    for path in ("thoughts", "reviews", "rankings"):
        body = {"game": "tictactoe", "player": player, "players": [player, "random"], "moves": ["b2"]}
        assert refused(client.post(f"/api/{path}", json=body), 400)


def test_what_is_too_large_is_refused(client):
    large = json.dumps({"game": "nim", "moves": ["x" * 400_000]})
    kind = {"Content-Type": "application/json"}
    assert refused(client.post("/api/position", content=large, headers=kind), 413)

    def parts():
        yield b'{"game": "'
        for _ in range(80):
            yield b"x" * 5_000
        yield b'"}'

    assert refused(client.post("/api/position", content=parts(), headers=kind), 413)
    assert refused(client.post("/api/position", json={"game": "nim", "moves": ["1"] * 20_000}), 400)


@pytest.mark.parametrize("body", ["[]", "1", "{", '"x"', "[" * 50_000, '{"game": 3}', '{"game": null}', "\x00"])
def test_what_is_not_an_object_is_refused(client, body):
    assert refused(client.post("/api/position", content=body, headers={"Content-Type": "application/json"}), 400)


def test_a_form_of_another_site_is_refused(client):
    answer = client.post("/api/position", content='{"game": "nim"}', headers={"Content-Type": "text/plain"})
    assert refused(answer, 415)


def test_what_a_game_says_is_text_in_json_and_its_values_are_numbers(client):
    found = client.ask("position", game=f"{OWN}:Evil")
    assert found["moves"][1]["name"] == "<script>alert(1)</script>"
    assert found["text"] == "<img src=x onerror=alert(1)>"
    assert found["picture"].startswith("<svg")
    moves = [move["name"] for move in found["moves"][:1]]
    for _ in range(3):
        found = client.ask("position", game=f"{OWN}:Evil", moves=moves)
        moves += [move["name"] for move in found["moves"][:1]]
    assert "finite number" in client.ask("position", 400, game=f"{OWN}:Evil", moves=moves)["error"]
    answer = client.post("/api/position", json={"game": f"{OWN}:Evil"})
    assert answer.headers["content-type"].startswith("application/json")


def test_values_that_are_no_numbers_are_null(client):
    found = client.think("minimax(nodes=100)", f"{OWN}:Evil")
    assert found["status"] in ("done", "failed")


def test_the_token_is_kept_for_a_day_where_only_its_owner_reads(tmp_path, monkeypatch):
    token = token_for(8425, tmp_path)
    assert len(token) >= 32
    assert token_for(8425, tmp_path) == token
    assert token_for(8426, tmp_path) != token
    assert (tmp_path / "web-8425.json").stat().st_mode & 0o077 == 0
    monkeypatch.setattr(security, "TOKEN_AGE", -1)
    assert token_for(8425, tmp_path) != token
    (tmp_path / "web-8425.json").write_text("[]")
    assert len(token_for(8425, tmp_path)) >= 32


def test_the_names_of_a_server():
    assert "127.0.0.1:80" in own_names("127.0.0.1", 80)
    assert "127.0.0.1" in own_names("127.0.0.1", 80)
    assert "lab.example:8000" in own_names("lab.example", 8000)
    assert "evil.example:8000" not in own_names("0.0.0.0", 8000)
