"""The site: `python -m sphinx -W docs build/site`. The pages are Markdown and can be read without it too."""

import tomllib
from pathlib import Path

project = "ludus"
author = "The ludus developers"
copyright = author
release = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "version"
]

extensions = ["myst_parser"]
myst_heading_anchors = 4  # links such as games.md#boards, as on a page of the repository
html_theme = "furo"
html_title = f"ludus {release}"
