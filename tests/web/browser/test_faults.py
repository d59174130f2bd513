"""What goes wrong is one sentence on the page, and the page goes on."""

import signal

import pytest

from tests.web.browser.serving import Served, write_games
from tests.web.browser.visit import MINE, Visit


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        {"game": "tictacto"},
        {"game": "tictactoe", "moves": "a1 a1"},
        {"game": "tictactoe", "state": "nonsense"},
        {"game": "tictactoe", "first": "uct(nodes=0)"},
        {"game": "tictactoe", "first": "noone"},
        {"game": "tictactoe", "first": "solve(goal=nothing)"},
    ],
)
def test_bad_addresses(visit, query):
    visit.open("play", **query)
    said = visit.page.inner_text(".notice.bad span")
    assert said.endswith((".", "?"))
    assert "\n" not in said
    visit.refused()
    visit.open("play", game="tictactoe")
    visit.page.wait_for_selector(MINE)


@pytest.mark.slow
def test_a_page_without_a_token_asks_for_it(visit):
    visit.page.goto(f"{visit.url}/play?game=tictactoe")
    visit.page.fill("main input", f"{visit.url}/#token={visit.token}")
    visit.page.click("text=Open >> nth=-1")
    visit.page.wait_for_selector(MINE)


@pytest.mark.slow
def test_a_lost_connection_is_said_and_mended(chromium, tmp_path):
    folder = write_games(tmp_path)
    with Served(folder) as server, Visit(chromium, server.url, server.token) as visit:
        visit.open("play", game="tictactoe", second="person")
        visit.page.wait_for_selector(MINE)
        server.end(signal.SIGKILL)
        visit.click("a1")
        visit.page.wait_for_selector("text=The connection to ludus is lost")
        with Served(folder, server.port):
            visit.wait_for_ply(1)
            visit.page.wait_for_selector("text=The connection to ludus is lost", state="detached")
            visit.page.wait_for_selector(MINE)
            visit.click("b2")
            visit.wait_for_ply(2)
