"""Random clicks, seeded: for a minute, or as many seconds as LUDUS_MONKEY says."""

import os
import random
import time

import pytest

from tests.web.browser.visit import Visit

GAMES = ["tictactoe", "connect4", "kalah", "pig(target=20)", "odd.py:Odd", "capture.py:Capture"]
CLICKABLE = "main button:not(:disabled), nav a, main select, [data-cell], main input[type=range], summary, .bar"
UNKIND = ("Copy",)
"""Buttons that ask the browser for a permission that it does not give without a window."""


def act(visit: Visit, chance: random.Random) -> None:
    """Click on something, choose something, or go back."""
    page = visit.page
    if chance.random() < 0.03:
        page.go_back()
        return
    found = page.locator(CLICKABLE)
    if not (count := found.count()):
        visit.open("play", game=chance.choice(GAMES))
        return
    node = found.nth(chance.randrange(count))
    tag, options, text = node.evaluate(
        "node => [node.tagName, node.options ? [...node.options].map(o => o.value) : [], node.textContent]", timeout=500
    )
    if tag == "SELECT":
        node.select_option(chance.choice(options), timeout=500)
    elif not text.startswith(UNKIND):
        node.click(timeout=500)


@pytest.mark.slow
def test_random_clicks_break_nothing(chromium, served):
    from playwright.sync_api import Error

    chance = random.Random(26)
    deadline = time.monotonic() + float(os.environ.get("LUDUS_MONKEY", "60"))
    with Visit(chromium, served.url, served.token) as visit:
        visit.open("play", game="tictactoe")
        while time.monotonic() < deadline:
            try:
                act(visit, chance)
            except Error:
                continue  # it went away before the click
            if "127.0.0.1" not in visit.page.url:
                visit.open("think", game=chance.choice(GAMES))
        visit.refused()
        assert visit.faults == []
