"""Why this move: the numbers in the sentences are the result's, for every registered search."""

import math

import pytest

import ludus
from ludus.common.texttable import number as written
from ludus.learning.automatic_calibration import with_calibration
from ludus.model.result import number_words
from ludus.web.sureness import SAYINGS, ways_to_be_sure
from tests.support.web_client import serving

KINDS = ["choice", "line", "second", "sure", "effort", "stopped"]


@pytest.fixture(scope="module")
def client():
    with serving() as found:
        yield found


def forms(value):
    """The ways in which a number may be written."""
    if value is None:
        return {"No leaves", "No error", "cannot be had"}
    whole = {f"{int(value):,}"} if float(value).is_integer() else set()
    words = {"win", "draw", "loss"} if abs(value) <= 1 or abs(value) > 1e6 else set()
    return {number_words(float(value)), f"{value:.2g}", f"{value:,g}", written(value), *whole, *words}


def candidates(found, name):
    """Every number of this name in the result: of the moves, of the whole, of the budget."""
    of_moves = [child.get(name) for child in found["children"]]
    whole = [found.get(name), found["meter"].get(name), found["statistics"].get(name)]
    if name.endswith(" in all"):
        whole.append(sum(child[name.removesuffix(" in all")] or 0 for child in found["children"]))
    if name == "bounds":
        others = [child for child in found["children"] if child["move"] != found["move"]]
        whole.append(sum(child["low"] is None and child["high"] == child["value"] for child in others))
    if name == "line":
        whole.append(len(found["line"]))
    if name == "proven":
        whole.append(sum(child["proven"] for child in found["children"]))
    if name == "nodes":
        whole.append(int(found["player"].rpartition("nodes=")[2].rstrip(")")))
    return [*of_moves, *whole]


@pytest.mark.slow
@pytest.mark.parametrize("name", list(ludus.searches()))
@pytest.mark.parametrize("moves", [[], ["b2", "a1", "a2"]], ids=["open", "forced"])
def test_every_number_is_the_results(client, name, moves):
    found = client.think(f"{name}(nodes=300)", watch=True, moves=moves)
    why = client.ask(f"thoughts/{found['id']}/why")
    assert why["move"] == found["move"]
    kinds = [sentence["kind"] for sentence in why["sentences"]]
    assert kinds == sorted(kinds, key=KINDS.index)
    assert {"choice", "effort", "stopped"} <= set(kinds)
    legal = {child["move"] for child in found["children"]}
    for sentence in why["sentences"]:
        assert sentence["text"].endswith((".", "..."))
        for key, value in sentence["numbers"].items():
            assert any(value == other for other in candidates(found, key)), (sentence, key)
            assert any(form in sentence["text"] for form in forms(value)), (sentence, key)
        if sentence["kind"] != "line":
            assert set(sentence["moves"][:1]) <= legal
            assert all(move in sentence["text"] for move in sentence["moves"][:1])


@pytest.mark.slow
@pytest.mark.parametrize("name", list(ludus.searches()))
def test_every_search_says_how_sure_it_is(name):
    game = ludus.game("tictactoe")
    player = with_calibration(ludus.player(f"{name}(nodes=100)", compiled=False), game)
    result = player.choose(game)
    said = list(ways_to_be_sure(result, player.search))
    assert said or result.chosen.score is not None
    own = set(result.chosen.known.more)
    told = {number for needed, _ in SAYINGS if set(needed) <= own for number in needed}
    assert own - {"implicit"} <= told, "a number of which no sentence is made"


def test_the_least_swing_is_told():
    game = ludus.game("tictactoe")
    result = ludus.player("lcf(nodes=200)", compiled=False).choose(game)
    least = min(child.known.more["swing"] for child in result.children)
    [(text, numbers, _)] = ways_to_be_sure(result, ludus.player("lcf").search)
    assert numbers == {"swing": least}
    assert math.isfinite(least)
    assert f"wrong by {number_words(least)} in all" in text


def test_a_proven_win_is_told_with_its_length(client):
    found = client.think("solve(nodes=5000)", moves=["a1", "b1", "a2", "b2"], watch=True)
    why = client.ask(f"thoughts/{found['id']}/why")["sentences"]
    assert why[0]["text"].startswith("It plays a3, which is proven: win")


def test_why_must_wait_for_the_end(client):
    begun = client.ask("thoughts", 201, game="tictactoe", player="bfmm(nodes=500)", watch=True, paused=True)
    assert "not ended" in client.ask(f"thoughts/{begun['id']}/why", 409)["error"]
    client.delete(f"/api/thoughts/{begun['id']}")


def test_contenders_are_those_of_a_ranking(client):
    found = client.ask("contenders", game="tictactoe", budget="nodes=100")
    names = {player.partition("(")[0] for player in found["players"]}
    assert names == {name for name, kind in ludus.searches().items() if kind.contender}
    assert all("nodes=100" in player for player in found["players"])
    left_out = client.ask("contenders", game="pig")["left_out"]
    assert any("chance" in row["why"] for row in left_out)
