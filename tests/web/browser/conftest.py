"""One server and one browser for all tests of the page; each test has a page of its own."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.web.browser.serving import Served, write_games
from tests.web.browser.visit import Visit

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def chromium():
    """A browser, without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    found = os.environ.get("LUDUS_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        pytest.skip("no Chromium is installed")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def served(chromium, tmp_path_factory):
    """The server, with two games as users write them."""
    with Served(write_games(tmp_path_factory.mktemp("web"))) as server:
        yield server


@pytest.fixture
def visit(chromium, served):
    """A page; at the end of the test nothing stands in its console that should not."""
    with Visit(chromium, served.url, served.token) as page:
        yield page
        assert page.faults == []
