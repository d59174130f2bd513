"""Rankings: the same run as the command's, in the same database; stopped and gone on with; its games step by step."""

import time

import pytest

from tests.support.commands import run
from tests.support.web_client import serving

PLAYERS = ["random", "greedy"]
FIELDS = {"game": "tictactoe", "players": PLAYERS, "games": 12, "budget": "nodes=20"}


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    return str(tmp_path_factory.mktemp("web") / "ludus.db")


@pytest.fixture(scope="module")
def client(db):
    with serving(db=db) as found:
        yield found


@pytest.mark.slow
def test_a_ranking_is_the_run_of_the_command(client, db):
    begun = client.ask("rankings", 201, **FIELDS)
    assert client.ask("rankings", 429, **FIELDS)["error"]
    events = client.events(f"rankings/{begun['id']}")
    assert events[-1][1] == "done"
    found = client.ask(f"rankings/{begun['id']}")
    assert found["status"] == "done"
    assert found["table"]["games"] == 12
    assert {row["player"].partition("(")[0] for row in found["table"]["players"]} == set(PLAYERS)
    again = run("rank", "tictactoe", *PLAYERS, "--games", "12", "--budget", "nodes=20", "--db", db, "--json")
    assert again.json["run"] == found["run"]
    assert "finished before" in again.err
    runs = client.ask("runs")["runs"]
    assert [row["run"] for row in runs] == [found["run"]]
    games = client.ask(f"runs/{found['run']}/games?from=2&count=3")
    assert games["total"] == 12
    assert [game["number"] for game in games["games"]] == [2, 3, 4]
    for game in games["games"]:
        shown = client.ask("position", game=game["game"], moves=game["moves"])
        assert shown["over"]
        first = (
            shown["winner"] if game["opening"] % 2 == 0 else None if shown["winner"] is None else 1 - shown["winner"]
        )
        assert game["result"] == (0 if first is None else 1 - 2 * first)


@pytest.mark.slow
def test_a_ranking_is_stopped_and_goes_on(client):
    begun = client.ask("rankings", 201, game="othello", players=PLAYERS, games=5000, budget="nodes=30", seed=7)
    path = f"rankings/{begun['id']}"
    wait_for(client, path, lambda found: found["table"] is not None)
    client.ask(path, do="stop")
    stopped = wait_for(client, path, lambda found: found["status"] == "stopped")
    assert 0 < stopped["table"]["games"] < 5000
    client.ask(path, do="go on")
    assert client.ask(path, 409, do="go on")["error"]
    more = wait_for(client, path, lambda found: found["table"]["games"] > stopped["table"]["games"])
    assert more["run"] == stopped["run"]
    client.ask(path, do="stop")
    wait_for(client, path, lambda found: found["status"] == "stopped")


def wait_for(client, path, is_so):
    deadline = time.monotonic() + 240
    while not is_so(found := client.ask(path)):
        assert found["status"] != "failed", found["error"]
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
    return found


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"players": ["nosuch", "random"]}, "unknown search"),
        ({"games": 0}, "games"),
        ({"games": "many"}, "games"),
        ({"openings": -1}, "openings"),
        ({"minutes": -3}, "minutes"),
        ({"budget": "nodes"}, "key=value"),
        ({"players": "random"}, "players"),
    ],
)
def test_a_form_that_is_wrong_is_refused(client, changed, words):
    assert words in client.ask("rankings", 400, **(FIELDS | changed))["error"]


def test_an_empty_database_has_no_runs(tmp_path):
    with serving(db=str(tmp_path / "none.db")) as client:
        assert client.ask("runs")["runs"] == []
        assert client.get("/api/runs/1/games").status_code == 404
    assert not (tmp_path / "none.db").exists()
