"""What a person does on the page, and what went wrong there."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

PATIENCE = 120_000
"""Milliseconds until something must be there; a search may have to be compiled first."""

MINE, OVER = ".status.mine", ".status.over"


class Visit:
    """One page of the browser. `faults` are errors in its console and exceptions of its scripts."""

    def __init__(self, browser: Any, url: str, token: str, width: int = 1200, scheme: str = "light") -> None:
        self.url, self.token = url, token
        self.faults: list[str] = []
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *error: object) -> None:
        self.context.close()

    def _said(self, message: Any) -> None:
        if message.type == "error":
            self.faults.append(message.text)

    def refused(self) -> None:
        """Take out the faults that the browser itself notes when the server says no."""
        self.faults = [fault for fault in self.faults if "the server responded with a status of 4" not in fault]

    def open(self, room: str, **query: str) -> None:
        """Go to a room by its address."""
        self.page.goto(f"{self.url}/{room}?{urlencode(query)}#token={self.token}")

    @property
    def ply(self) -> int:
        return int(self.page.get_attribute(".board-box .board", "data-ply"))

    def wait_for_ply(self, least: int) -> None:
        self.page.wait_for_function(
            "least => +document.querySelector('.board-box .board')?.dataset.ply >= least", arg=least
        )

    def wait_for_turn(self) -> bool:
        """Wait until the person is to move or the game is over; says whether it goes on."""
        self.page.wait_for_selector(f"{MINE}, {OVER}")
        return self.page.locator(MINE).count() > 0

    def cells(self) -> list[str]:
        """Those that can be clicked."""
        return self.page.eval_on_selector_all("[data-cell]", "nodes => nodes.map(node => node.dataset.cell)")

    def click(self, cell: str) -> None:
        self.page.click(f'[data-cell="{cell}"]')

    def moves(self) -> list[str]:
        return self.page.eval_on_selector_all("[data-move]", "nodes => nodes.map(node => node.dataset.move)")

    def play_to_the_end(self, choose: Any) -> int:
        """Click on cells until the game is over; `choose` picks one of their names. Says how many plies it had."""
        while self.wait_for_turn():
            before = self.ply
            cells = self.cells()
            if cells:
                self.click(choose(cells))
            else:
                self.page.locator("[data-move]").first.click()
            self.wait_for_ply(before + 1)
        return self.ply
