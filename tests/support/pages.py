"""The README and the pages of `docs/`, in whichever part of the site they are."""

from pathlib import Path

from tests.support import REPOSITORY

DOCS = REPOSITORY / "docs"
REPORTS = DOCS / "reproductions"
PAGES = [
    REPOSITORY / "README.md",
    *sorted(page for page in DOCS.rglob("*.md") if page.name != "index.md" and page.parent != REPORTS),
]

GENERATED = "has written this page"
"""In the first lines of a page that a script makes; such a page may have no examples."""
WITH_EXAMPLES = [each for each in PAGES if GENERATED not in each.read_text(encoding="utf-8")[:300]]


def page(name: str) -> Path:
    """The page of that name."""
    [found] = [page for page in PAGES if page.name == name]
    return found
