"""Take the pictures of the page: `python docs/pictures/make_web_pictures.py [ROOM ...]`.

It needs Playwright and Chromium. Each room becomes `docs/pictures/web-ROOM.png`; the README shows `web-think.png`.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

HERE = Path(__file__).parent
WIDTH, HEIGHT = 1280, 860
PATIENCE = 90_000
"""Milliseconds until a picture must be ready; searches may have to be compiled first."""

OTHELLO = "d3 e3 f4 c3 c2 c5 c6 c1 d6 d2"
MIDDLE = "d3 e3 f4 c3 c2 c5 c6 c1 d6 d2 b1 a1"
GAME = "4 3 4 4 3 3 4 3 3 4 6 6 5 7 5 6 5 5 3 7"


def play(page: Any) -> None:
    page.wait_for_selector(".status.mine")
    page.click("text=Hint")
    page.wait_for_selector(".ring.hint")


def think(page: Any) -> None:
    page.click("text=Run")
    for letter in "ab":
        page.wait_for_selector(f'[data-search="{letter}"] >> text=finished:')


def why(page: Any) -> None:
    page.wait_for_selector(".say-choice")
    page.wait_for_function("() => !document.querySelector('.side .spinner')")


def review(page: Any) -> None:
    page.wait_for_selector("text=Every value is")
    page.locator("tr[data-row] button").first.click()


def rank(page: Any) -> None:
    page.fill('textarea[aria-label="players"]', "alphabeta\nlcf\nuct\ngreedy\nrandom")
    page.get_by_label("Games in all").fill("300")
    page.click("text=Start")
    page.wait_for_selector("text=300 games of 300")


ROOMS: dict[str, tuple[dict[str, str], Callable[[Any], None]]] = {
    "play": ({"game": "othello", "moves": OTHELLO}, play),
    "think": ({"game": "othello", "moves": MIDDLE, "player": "lcf", "player2": "uct", "budget": "nodes=2000"}, think),
    "why": ({"game": "connect4", "moves": "4 4 3", "player": "lcf(nodes=20000)"}, why),
    "review": ({"game": "connect4", "moves": GAME, "player": "pvs(nodes=20000)"}, review),
    "rank": ({"game": "tictactoe"}, rank),
}


@contextmanager
def served(folder: str) -> Iterator[tuple[str, str]]:
    """A server with an empty database: its address, and its token."""
    command = [
        sys.executable,
        "-m",
        "ludus",
        "web",
        "--no-browser",
        "--json",
        "--port",
        "0",
        "--db",
        f"{folder}/web.db",
    ]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        said = json.loads(server.stdout.readline())
        yield f"http://127.0.0.1:{said['port']}", said["token"]
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=60)


def main(rooms: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, served(folder) as (url, token), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for room in rooms:
            query, prepare = ROOMS[room]
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
            page.set_default_timeout(PATIENCE)
            page.goto(f"{url}/{room}?{urlencode(query)}#token={token}")
            prepare(page)
            page.wait_for_timeout(1500)
            page.evaluate("scrollTo(0, 0)")
            page.screenshot(path=HERE / f"web-{room}.png", full_page=room == "think")
            page.close()
            print(HERE / f"web-{room}.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or list(ROOMS))
