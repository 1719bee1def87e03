"""The HTML report in a real browser: no errors, all pictures drawn, all links valid.

Needs the extra ``browser`` and a Chromium: one of Playwright's own, or an installed one.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import companion

sync_api = pytest.importorskip("playwright.sync_api", reason="needs pip install 'tabletop-companion[browser]'")

HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script> </svg> {{ 7*7 }} & "quoted"'
AREA = "all => all.map(one => one.getBoundingClientRect()).map(box => box.width * box.height)"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SCRIPT = Path(__file__).parents[1] / "archives" / "266895b" / "fallujah2004-over.sqlite3.gz"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as engine:
        path = next(filter(None, map(shutil.which, BROWSERS)), None)
        try:
            result = engine.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except sync_api.Error as error:
            pytest.skip(f"there is no Chromium: {str(error).splitlines()[0]}")
        yield result
        result.close()


@pytest.fixture
def page_file(own_files: None, tmp_path: Path) -> Path:
    """The page of a whole game of 17 operations, with a note that contains markup."""
    import gzip
    import os

    Path(os.environ["COMPANION_DB"]).write_bytes(gzip.decompress(SCRIPT.read_bytes()))
    companion("note", HOSTILE)
    path = tmp_path / "game.html"
    assert companion("report", "--out", os.fspath(path)).code == 0
    return path


def test_browser_shows_the_whole_file(page_file: Path, browser: Any) -> None:
    text = page_file.read_text()
    requests, messages = [], []
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("dialog", lambda dialog: messages.append(dialog.message))
    page.goto(page_file.as_uri())
    links = page.eval_on_selector_all("nav a", "links => links.map(link => link.getAttribute('href'))")
    boxes = page.eval_on_selector_all(
        "svg", "pictures => pictures.map(picture => { const b = picture.getBoundingClientRect(); return b.width * b.height })"
    )

    assert 60_000 < len(text) < 1_000_000
    assert (messages, [url for url in requests if not url.startswith(("file:", "data:"))]) == ([], [])
    assert len(boxes) == text.count("<svg") > 10 and min(boxes) > 10_000
    assert len(links) > 15 and all(page.locator(f"[id='{link[1:]}']").count() == 1 for link in links)
    page.click(f"nav a[href='{links[-1]}']")
    assert page.url.endswith(links[-1])
    assert HOSTILE in [" ".join(quote.split()) for quote in page.locator("blockquote").all_inner_texts()]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("script").count() == 0


@pytest.mark.parametrize(("scheme", "ground"), [("light", (255, 255, 255)), ("dark", (22, 24, 28))])
def test_text_is_readable_on_light_and_dark(page_file: Path, browser: Any, scheme: str, ground: tuple[int, ...]) -> None:
    page = browser.new_page(color_scheme=scheme)
    page.goto(page_file.as_uri())
    paper, ink = (page.evaluate(f"getComputedStyle(document.body).{what}") for what in ("backgroundColor", "color"))

    assert tuple(map(int, re.findall(r"\d+", paper))) == ground
    assert abs(sum(ground) - sum(map(int, re.findall(r"\d+", ink)))) > 400
