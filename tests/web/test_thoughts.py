"""Searches under way: each registered one in a thought with its own numbers, stepped, paused, ended, refused."""

import threading
import time

import pytest

import ludus
from ludus.learning.automatic_calibration import with_calibration
from ludus.model import registry
from ludus.web import limits
from tests.support.web_client import serving

OWN = "tests/support/web_games.py"
FIELDS = {"move", "value", "low", "high", "proven", "score", "said", "share"}


@pytest.fixture(scope="module")
def client():
    names = ("Fails", "Endless", "Objects", "Dicey")
    with serving([f"{OWN}:{name}" for name in names]) as found:
        yield found


def watched(client, player, game="tictactoe", **more):
    begun = client.ask("thoughts", 201, game=game, player=player, watch=True, **more)
    return begun["id"], f"thoughts/{begun['id']}"


def same_number(one, other):
    return one == other or one == pytest.approx(other, nan_ok=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(ludus.searches()))
def test_every_search_can_be_watched_and_says_what_it_says_alone(client, name):
    """The same result, to the last number, as without anybody looking; and its own numbers in every look."""
    spec, game = f"{name}(nodes=200)", ludus.game("tictactoe")
    player = with_calibration(ludus.player(spec, compiled=False), game)
    alone = player.choose(game)
    _, path = watched(client, spec)
    events = client.events(path)
    found = client.ask(path)
    expected = alone.to_dict()
    for key in ("move", "line", "stopped", "proven", "scale"):
        assert found[key] == expected[key]
    assert found["value"] == expected["value"]
    assert found["meter"]["generated"] == alone.nodes
    assert found["player"] == str(player)
    for child, same in zip(found["children"], expected["children"], strict=True):
        assert child.keys() >= FIELDS
        assert {key: child[key] for key in same} == same
    assert [number for number, _, _ in events] == sorted({number for number, _, _ in events})
    assert events[-1][1] == "done"
    looks = [data for _, kind, data in events if kind in ("look", "pass")]
    kind = registry.searches().find(name)
    assert {kind for _, kind, _ in events} - {"status", "done"} == {"pass" if kind.walks else "look"}
    assert looks[-1]["move"] == alone.move_name
    assert looks[-1]["generated"] == alone.nodes
    own = set(alone.children[0].known.more)
    assert own <= set(looks[-1]["children"][0])
    assert [look["generated"] for look in looks] == sorted(look["generated"] for look in looks)
    shares = [child["share"] for child in found["children"]]
    assert shares == [None] * 9 or sum(shares) == pytest.approx(1)
    check_tree(client, path, found)


def check_tree(client, path, found):
    """The root in the tree has the same moves with the same numbers."""
    answer = client.get(f"/api/{path}/tree?top=200")
    tree = answer.json()
    assert answer.status_code == 200, tree
    if tree["kind"] == "tree":
        rows = {child["move"]: child for child in tree["children"]}
        assert rows.keys() == {child["move"] for child in found["children"]}
        for child in found["children"]:
            assert rows[child["move"]]["value"] == child["value"]
        opened = next((child for child in tree["children"] if child["children"]), None)
        if opened is not None:
            below = client.ask(f"{path}/tree?node={opened['node']}")
            assert below["moves"] == [opened["move"]]
            assert below["turn"] == 1
            assert len(below["children"]) == opened["children"]
            assert sum(child["nodes"] for child in below["children"]) + 1 == opened["nodes"]
    else:
        assert tree["size"] >= len(tree["children"])
        for child in tree["children"][:3]:
            assert client.ask(f"{path}/tree?node={child['node']}")["moves"] == [child["move"]]


def test_a_search_is_stepped_and_goes_on(client):
    _, path = watched(client, "bfmm(nodes=300)", paused=True)
    reader = threading.Thread(target=client.events, args=(path,))
    reader.start()
    first = wait_until(client, path, lambda found: found["status"] == "paused")
    assert not first["done"]
    assert client.ask(f"{path}/tree")["size"] == 10
    client.ask(path, do="step", steps=3)
    wait_until(client, path, lambda found: client.ask(f"{path}/tree")["size"] == 10 + 8 + 7 + 6 or sized(client, path))
    size = client.ask(f"{path}/tree")["size"]
    assert size > 10
    assert client.ask(f"{path}/tree?at=10")["children"][0]["children"] == 0
    client.ask(path, do="run")
    found = client.wait_for(path)
    reader.join()
    assert found["stopped"] == "nodes"
    assert found["meter"]["generated"] == ludus.search("tictactoe", "bfmm(nodes=300)", compiled=False).nodes
    assert client.ask(path, 409, do="step")["error"]


def sized(client, path):
    """Whether three more steps have been made."""
    return client.ask(path)["status"] == "paused" and client.ask(f"{path}/tree")["size"] > 24


def wait_until(client, path, is_so):
    deadline = time.monotonic() + 60
    while not is_so(found := client.ask(path)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


def test_a_running_search_can_be_paused(client):
    _, path = watched(client, "bfmm(nodes=1000000)", f"{OWN}:Endless")
    wait_until(client, path, lambda found: found["status"] == "running")
    client.ask(path, do="pause")
    wait_until(client, path, lambda found: found["status"] == "paused")
    size = client.ask(f"{path}/tree")["size"]
    assert client.ask(f"{path}/tree")["size"] == size
    client.ask(path, do="run")
    wait_until(client, path, lambda found: client.ask(f"{path}/tree")["size"] > size)
    assert client.delete(f"/api/{path}").json() == {}
    assert client.get(f"/api/{path}").status_code == 404


def test_a_pause_does_not_count_as_thinking_time(client):
    _, path = watched(client, "bfmm(seconds=0.4)", f"{OWN}:Endless", paused=True)
    wait_until(client, path, lambda found: found["status"] == "paused")
    time.sleep(0.6)
    client.ask(path, do="step", steps=2)
    assert not wait_until(client, path, lambda found: found["status"] == "paused")["done"]
    client.ask(path, do="run")
    assert client.wait_for(path)["stopped"] == "seconds"


def test_events_go_on_after_a_break(client):
    _, path = watched(client, "bfmm(nodes=200)")
    every = client.events(path)
    middle = every[len(every) // 2][0]
    assert client.events(path, after=middle) == [event for event in every if event[0] > middle]
    with client.stream("GET", f"/api/{path}/events", headers={"Last-Event-ID": str(middle)}) as answer:
        assert f"id: {every[-1][0]}" in answer.read().decode()
    assert client.get(f"/api/{path}/events?after=99999").status_code == 409
    assert client.get(f"/api/{path}/events?after=x").status_code == 400


def test_a_reply_is_the_move_that_the_command_would_find(client):
    for game, moves in (("connect4", ["4", "4"]), ("kalah", ["a"]), (f"{OWN}:Objects", ["1"])):
        found = client.think("uct(nodes=100)", game, moves=moves, seed=3)
        position = ludus.game(game).position()
        for move in moves:
            position = position.play(move)
        alone = ludus.search(position, "uct(nodes=100)", seed=3, compiled=False)
        assert (found["move"], found["value"]) == (alone.move_name, alone.value)
        assert found["turn"] == position.seat
        shown = client.ask("position", game=game, moves=[*moves, found["move"]])
        assert shown["last"]["name"] == found["move"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"game": "pig", "player": "sss", "watch": True}, "chance has a part"),
        ({"game": "nim", "player": "minimax(depth=auto)"}, "depth"),
        ({"game": "nim", "player": "uct(nodes=0)"}, "at least 1"),
        ({"game": "nim", "player": "uct(nodse=10)"}, "nodes"),
        ({"game": "nim", "player": "lfc"}, "lcf"),
        ({"game": "nim", "player": "uct(eval=othello-weights)"}, ""),
        ({"game": f"{OWN}:Fails", "player": "minimax(nodes=50)"}, "the stones have gone"),
        ({"game": "nim", "player": "uct", "budget": "nodes"}, "key=value"),
    ],
)
def test_a_refusal_is_one_sentence(client, body, words):
    answer = client.post("/api/thoughts", json=body)
    if answer.status_code == 201:
        found = client.wait_for(f"thoughts/{answer.json()['id']}")
        assert found["status"] == "failed"
        error = found["error"]
        assert client.events(f"thoughts/{found['id']}")[-1][1:] == ("failed", {"error": error})
    else:
        assert answer.status_code == 400
        error = answer.json()["error"]
    assert words in error
    assert error.endswith((".", ")", "?"))
    assert "\n" not in error
    assert client.think("minimax(depth=2)", "nim")["status"] == "done"


def test_no_search_where_nobody_is_to_move(client):
    over = ["a1", "a2", "b1", "b2", "c1"]
    assert "over" in client.ask("thoughts", 400, game="tictactoe", moves=over, player="uct")["error"]
    assert "chance" in client.ask("thoughts", 400, game="pig", moves=["roll"], player="uct")["error"]


def test_a_search_whose_page_has_gone_ends(client, monkeypatch):
    begun = client.ask("thoughts", 201, game=f"{OWN}:Endless", player="bfmm(nodes=5000000)")
    path = f"thoughts/{begun['id']}"
    for number, _, _ in client.stream_events(path):
        if number:
            break  # the stream is closed in the middle
    wait_until_thread_ends(begun["id"], 20)
    found = client.ask(path)
    assert found["status"] == "done"
    assert found["stopped"] == "interrupted"


def wait_until_thread_ends(name, seconds):
    deadline = time.monotonic() + seconds
    while any(thread.name == f"thought {name}" for thread in threading.enumerate()):
        assert time.monotonic() < deadline, "the search goes on although nobody wants to know"
        time.sleep(0.1)


def test_the_lease_is_short():
    assert limits.LEASE <= 5


def test_two_browsers_at_once_and_a_server_that_answers_meanwhile(client):
    """Two long searches are under way, interpreted, and others get their answers."""
    paths = [watched(client, "bfmm(nodes=5000000)", f"{OWN}:Endless")[1] for _ in range(2)]
    for path in paths:
        wait_until(client, path, lambda found: found["status"] == "running")
    assert client.ask("games")["games"]
    assert client.think("minimax(depth=3)")["move"]
    for path in paths:
        assert client.ask(path)["status"] == "running"
        client.delete(f"/api/{path}")


def test_only_a_few_at_once(client):
    paths = [watched(client, "bfmm(nodes=5000000)", f"{OWN}:Endless", paused=True)[1] for _ in range(limits.THOUGHTS)]
    refused = client.ask("thoughts", 429, game="nim", player="uct")
    assert "most" in refused["error"]
    for path in paths:
        client.delete(f"/api/{path}")
    for path in paths:
        wait_until_thread_ends(path.removeprefix("thoughts/"), 20)
    assert client.think("uct(nodes=50)", "nim")["move"]


def test_nothing_stays_when_the_server_ends():
    with serving([f"{OWN}:Endless"]) as found:
        watched(found, "bfmm(nodes=5000000)", f"{OWN}:Endless", paused=True)
        watched(found, "uct(nodes=5000000)", f"{OWN}:Endless")
    deadline = time.monotonic() + 20
    while any(thread.name.startswith("thought t") for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
