"""`docs/reference/parts.md` is what its generator writes, and leaves nothing out."""

import runpy
from pathlib import Path

from ludus.kernel.parts import PARTS
from ludus.library.searches.full_width.driver import FullWidth

DOCS = next(Path(__file__).parents[3].glob("docs/**/make_parts.py"))


def test_the_page_of_parts_is_up_to_date_and_complete():
    made = runpy.run_path(str(DOCS))
    written = DOCS.with_name("parts.md").read_text(encoding="utf-8")
    assert written == made["page"](), f"run python {DOCS}"
    for part in PARTS:
        assert f"`{part.__name__}(" in written or ".searches." not in part.__module__
    for name in vars(FullWidth)["columns"]:
        assert f"`tree.{name}`" in written


def test_the_page_says_where_a_column_means_something():
    (row,) = [line for line in DOCS.with_name("parts.md").read_text().splitlines() if line.startswith("| `tree.rank`")]
    assert row.endswith("| at the root's children |")
