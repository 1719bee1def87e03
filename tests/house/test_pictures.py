"""The pictures of the pages' screens show what the pages show, and fetch nothing from elsewhere."""

from __future__ import annotations

import html
import re

import pytest

from tests.support import gallery
from tests.support.architecture import PICTURE, drawn
from tests.support.pages import DOCS
from tests.support.pictures import FOLDER, WATCH, picture, screens

_TEXT = re.compile(r'<text class="[^"]*-r\d+" x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', re.S)


def told(drawn: str) -> list[str]:
    """The rows of a picture without their blanks, which it leaves out where they are many."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for left, top, text in _TEXT.findall(drawn):
        rows.setdefault(float(top), []).append((float(left), html.unescape(text)))
    return ["".join("".join(text.split()) for _, text in sorted(parts)) for _, parts in sorted(rows.items())]


def _bare(text: str) -> str:
    return re.sub(r"[][]", "", text)


@pytest.mark.parametrize(("name", "rows"), screens(), ids=lambda value: value if isinstance(value, str) else "")
def test_pictures_show_the_text_of_their_page(name: str, rows: list[str]) -> None:
    """In colours a rule stands at the edge, without its brackets. If this fails: python -m tests.support.pictures"""
    wanted = "".join("".join(row.split()) for row in rows if not row.startswith("# "))

    assert _bare("".join(told((FOLDER / name).read_text(encoding="utf-8")))) == _bare(wanted)


def test_pictures_are_those_of_the_screens() -> None:
    assert {path.name for path in FOLDER.glob("*.svg")} == {WATCH, PICTURE.name, *(name for name, _ in screens())}
    assert f"(screens/{WATCH})" in (DOCS / "scripts.md").read_text(encoding="utf-8")


def test_pictures_have_colours_and_load_nothing() -> None:
    drawn = picture(["\x1b[1;94mblue\x1b[0m and <plain>"], "one.svg", 40)

    assert told(drawn) == ["blueand<plain>"]
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "").replace("https://www.textualize.io", "")
    assert drawn == picture(["\x1b[1;94mblue\x1b[0m and <plain>"], "one.svg", 40)


def test_every_screen_has_a_picture_at_80_by_24() -> None:
    """If this fails: python -m tests.support.gallery"""
    found = {shot.name for shot in gallery.shots()}

    assert {path.stem for path in gallery.FOLDER.iterdir()} == found
    assert gallery.INDEX.read_text(encoding="utf-8") == gallery.index()
    for path in gallery.FOLDER.iterdir():
        rows = told(path.read_text(encoding="utf-8"))
        assert len(rows) <= gallery.ROWS
        assert all(len(row) <= gallery.COLUMNS for row in rows)


@pytest.mark.long
@pytest.mark.parametrize("shot", tuple(gallery.shots()), ids=lambda shot: shot.name)
def test_screens_match_their_pictures(shot: gallery.Shot) -> None:
    """If this fails: python -m tests.support.gallery NAME"""
    pytest.importorskip("pexpect")
    pytest.importorskip("pyte")

    assert told(picture(gallery.taken(shot), shot.name, gallery.COLUMNS)) == told(
        (gallery.FOLDER / f"{shot.name}.svg").read_text()
    )


def test_the_picture_of_the_parts_is_up_to_date() -> None:
    """If this fails: python -m tests.support.architecture --write"""
    assert PICTURE.read_text(encoding="utf-8") == drawn()
