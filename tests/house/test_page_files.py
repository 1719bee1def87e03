"""The page's own files: their sizes, nothing from elsewhere, and a linter where one is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "companion"
FOLDER = PACKAGE / "web" / "static"
SCRIPTS = sorted(FOLDER.glob("*.js"))
REVIEW = {kind: PACKAGE / "views" / f"review.{kind}" for kind in ("js", "css", "html")}
"""The files of the page of a review, which is one file."""
LINTER = next(filter(None, (shutil.which("oxlint"), shutil.which("oxlint", path=f"{sys.prefix}/node_modules/.bin"))), None)


def lines(*paths: Path) -> list[str]:
    return [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def test_page_stays_small() -> None:
    assert 0 < len(lines(*SCRIPTS)) <= 1_200
    assert 0 < len(lines(FOLDER / "style.css")) <= 500
    assert len(lines(FOLDER / "trusted.js") if (FOLDER / "trusted.js").exists() else []) <= 220


def test_page_of_a_review_stays_small() -> None:
    assert 0 < len(lines(REVIEW["js"])) <= 500
    assert 0 < len(lines(REVIEW["css"])) <= 300


def test_lines_of_the_page_fit() -> None:
    paths = [*SCRIPTS, FOLDER / "style.css", FOLDER / "index.html", REVIEW["js"], REVIEW["css"]]
    assert [line for line in lines(*paths) if len(line) > 130 or line != line.rstrip() or "\t" in line] == []


def test_page_loads_nothing_from_elsewhere() -> None:
    text = "\n".join(lines(*SCRIPTS, FOLDER / "style.css", FOLDER / "index.html"))
    assert re.findall(r"https?:|//[a-z]+\.|@import|url\(|\beval\b|new Function|document\.write", text) == []
    page = (FOLDER / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"\son\w+=|\sstyle=|<style|<script(?! type=\"module\" src=\"/static/app\.js\"></script>)", page) == []
    assert set(re.findall(r'(?:src|href)="([^"]*)"', page)) == {"/static/app.js", "/static/style.css", "/static/icon.svg"}
    for path in SCRIPTS:
        imported = re.findall(r'(?:from |import\()"([^"]+)"', path.read_text(encoding="utf-8"))
        assert [name for name in imported if name != "./trusted.js" and not (FOLDER / name).is_file()] == [], path.name


def test_page_of_a_review_loads_nothing() -> None:
    """And no text of it becomes markup but the drawing of the map, whose texts are escaped where it is made."""
    text = "\n".join(lines(*REVIEW.values()))
    network = r"https?:(?!//www\.w3\.org/2000/svg\b)|@import|url\(|\bfetch\b|XMLHttp|WebSocket|sendBeacon|\bimport\b"
    assert re.findall(rf"{network}|\beval\b|new Function|document\.write|outerHTML|insertAdjacent", text) == []
    assert text.count("innerHTML") == 1
    assert re.findall(r"\son\w+=|\sstyle=", REVIEW["html"].read_text(encoding="utf-8")) == []


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("path", [*SCRIPTS, REVIEW["js"]], ids=lambda path: path.name)
def test_scripts_are_well_formed(path: Path, tmp_path: Path) -> None:
    module = tmp_path / f"{path.stem}.mjs"
    module.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert subprocess.run(["node", "--check", module], capture_output=True, text=True, check=False).stderr == ""


@pytest.mark.skipif(LINTER is None, reason="needs npm install --prefix .venv oxlint")
def test_linter_finds_nothing() -> None:
    # toSorted is missing in browsers of 2022
    command = [LINTER or "", "-D", "correctness", "-D", "suspicious", "-A", "no-array-sort", FOLDER, REVIEW["js"]]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout
