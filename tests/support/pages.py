"""The README and the pages of `docs/`, in whichever part of the site they are."""

from pathlib import Path

from tests.support import REPOSITORY

DOCS = REPOSITORY / "docs"
REPORTS = DOCS / "reproductions"
PAGES = [
    REPOSITORY / "README.md",
    *sorted(page for page in DOCS.rglob("*.md") if page.name != "index.md" and page.parent != REPORTS),
]


def page(name: str) -> Path:
    """The page of that name."""
    [found] = [page for page in PAGES if page.name == name]
    return found
