"""The page's own files: small, ours, and nothing loaded from elsewhere. No browser is needed here."""

import re
from pathlib import Path

import pytest

import ludus

STATIC = Path(ludus.__file__).parent / "web" / "static"
FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
TEXTS = [path for path in FILES if path.suffix in {".js", ".css", ".html"}]
NAMES = {path: path.relative_to(STATIC).as_posix() for path in FILES}


def test_the_files_are_small():
    assert sum(path.stat().st_size for path in FILES) <= 300_000


def test_nothing_but_markup_styles_modules_and_pictures():
    assert {path.suffix for path in FILES} <= {".html", ".css", ".js", ".svg"}


@pytest.mark.parametrize("path", TEXTS, ids=NAMES.get)
def test_nothing_is_loaded_from_elsewhere(path):
    addresses = re.findall(r"https?://[^\s\"'`)]+", path.read_text(encoding="utf-8"))
    assert set(addresses) <= {"http://www.w3.org/2000/svg", "http://127.0.0.1:8425/#token=…"}


@pytest.mark.parametrize("path", TEXTS, ids=NAMES.get)
def test_text_is_never_taken_for_markup(path):
    text = path.read_text(encoding="utf-8")
    assert not re.findall(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser", text
    )


def test_the_policy_allows_all_of_the_markup():
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))
    assert not re.findall(r"\sstyle=|<style|\son\w+=", text)


@pytest.mark.parametrize("path", [path for path in TEXTS if path.suffix == ".js"], ids=NAMES.get)
def test_what_a_module_imports_is_there(path):
    for name in re.findall(r"from \"(\.[^\"]+)\"", path.read_text(encoding="utf-8")):
        assert (path.parent / name).is_file()
