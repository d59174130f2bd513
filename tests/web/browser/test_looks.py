"""Nothing is cut off at any width; names for screen readers; light and dark."""

import pytest

from tests.web.browser.visit import Visit

ROOMS = [
    ("play", {}),
    ("play", {"game": "othello"}),
    ("play", {"game": "kalah"}),
    ("play", {"game": "odd.py:Odd"}),
    ("think", {"game": "connect4", "player2": "uct"}),
    ("review", {"game": "tictactoe", "moves": "a1 b2 a2 a3"}),
    ("why", {"game": "tictactoe"}),
    ("rank", {"game": "tictactoe"}),
]


@pytest.mark.slow
@pytest.mark.parametrize("width", [400, 800, 1400])
def test_no_room_is_wider_than_the_window(chromium, served, width):
    with Visit(chromium, served.url, served.token, width) as visit:
        for room, query in ROOMS:
            visit.open(room, **query)
            visit.page.wait_for_selector("main *")
            visit.page.wait_for_load_state("networkidle") if room == "play" else visit.page.wait_for_timeout(500)
            over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert visit.page.evaluate(over) <= 0, (room, query)
        assert visit.faults == []


@pytest.mark.slow
def test_every_control_has_a_name(visit):
    for room, query in ROOMS:
        visit.open(room, **query)
        visit.page.wait_for_selector("main *")
        visit.page.wait_for_timeout(500)
        nameless = visit.page.evaluate("""() => [...document.querySelectorAll('button, a, select, input, textarea')]
            .filter(node => !node.textContent.trim() && !node.getAttribute('aria-label') && !node.labels?.length)
            .map(node => node.outerHTML)""")
        assert nameless == [], room


@pytest.mark.slow
def test_the_switch_of_colours_is_kept(visit):
    visit.open("play")
    background = "getComputedStyle(document.body).backgroundColor"
    light = visit.page.evaluate(background)
    visit.page.click(".theme")
    visit.page.click(".theme")
    dark = visit.page.evaluate(background)
    assert dark != light
    visit.page.reload()
    assert visit.page.evaluate(background) == dark
