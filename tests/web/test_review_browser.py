"""The page of a review in a real browser: keys, taps, drawing, paper, accessibility, and no requests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.review import GameReview
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.views.map_svg import map_svg
from companion.views.map_text import known_map
from companion.views.review_page import review_page
from tests.support.long_review import long_session, made_up_review

AXE = Path(os.environ.get("COMPANION_AXE", Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js"))
RULES = """axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => violations.map(
  ({id, nodes}) => [id, nodes.length, nodes[0].html.slice(0, 200), nodes[0].failureSummary.slice(0, 300)]))"""
GRADES = ("inaccuracy", "mistake", "blunder")

pytestmark = pytest.mark.slow


class Reviewed:
    """A session with a review and its page as a file."""

    def __init__(self, session: SessionController, review: GameReview, file: Path) -> None:
        self.session = session
        self.review = review
        self.file = file
        self.file.write_text(review_page(session, review), encoding="utf-8")

    @property
    def mistakes(self) -> list[int]:
        """The actions with a mistake, in order."""
        decisions = [one for one in self.review.decisions if self.review.grade(one) in GRADES]
        return sorted({decision.entry for decision in decisions})


class Shown:
    """The page in a browser; a test fails if it asks for anything else or has an error."""

    def __init__(self, browser: Any, reviewed: Reviewed, at: str = "", **options: Any) -> None:
        self.messages: list[str] = []
        self.requests: list[str] = []
        self.page = browser.new_page(**{"viewport": {"width": 1200, "height": 900}, "reduced_motion": "reduce", **options})
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.context.set_offline(True)
        self.page.goto(reviewed.file.as_uri() + at)
        self.page.wait_for_selector("#viewer:not([hidden])")

    @property
    def entry(self) -> int:
        """The action that is shown."""
        return int(self.page.evaluate("location.hash.slice(4)"))

    def press(self, *keys: str) -> int:
        for key in keys:
            self.page.keyboard.press(key)
        return self.entry

    def texts(self, selector: str) -> list[str]:
        return [" ".join(text.split()) for text in self.page.locator(selector).all_inner_texts()]

    def letters(self) -> list[str]:
        """What is written on the counters of the map."""
        return list(self.page.locator("#map .letter").all_text_contents())


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reviewed]:
    folder = tmp_path_factory.mktemp("review")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COMPANION_DB", os.fspath(folder / "archive.sqlite3"))
        with Archive.open() as archive:
            session = long_session(archive, "lzalbany", 1)
            yield Reviewed(session, made_up_review(session, 60), folder / "review.html")


def test_keys_step_through_points_and_mistakes(browser: Any, reviewed: Reviewed) -> None:
    shown, last = Shown(browser, reviewed, "#at-10"), reviewed.session.history.force[-1]
    first, second = [entry for entry in reviewed.mistakes if entry > 10][:2]

    assert shown.entry == 10
    assert shown.press("ArrowRight") == 11 and shown.press("ArrowLeft", "ArrowLeft") == 9
    assert shown.press("End") == last and shown.press("ArrowRight") == last
    assert shown.press("Home") == 0 and shown.press("ArrowLeft") == 0
    assert shown.press(*["ArrowDown"] * (1 + reviewed.mistakes.index(first))) == first
    assert shown.press("ArrowDown") == second and shown.press("ArrowUp") == first
    assert [grade for grade in GRADES if any(grade in text for text in shown.texts("#decisions .badge"))]
    assert (shown.messages, [url for url in shown.requests if not url.startswith(("file:", "data:"))]) == ([], [])


def test_up_and_down_scroll_where_the_graph_has_no_focus(browser: Any, reviewed: Reviewed) -> None:
    shown = Shown(browser, reviewed)
    before = shown.entry
    assert shown.press("ArrowUp", "Home") == before
    assert shown.press("ArrowLeft") == before - 1  # nothing else needs the key there
    assert shown.press("Home") == 0


def test_pointer_buttons_slider_and_links(browser: Any, reviewed: Reviewed) -> None:
    shown = Shown(browser, reviewed)
    box = shown.page.locator("[data-chart=win] .ground").bounding_box()
    shown.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 40)
    middle = reviewed.review.points[round((len(reviewed.review.points) - 1) / 2)].entry
    assert abs(shown.entry - middle) <= 1
    middle = shown.entry
    shown.page.click("[data-go=next]")
    assert shown.entry == middle + 1
    shown.page.locator("#slider").fill("7")
    assert shown.entry == 7
    worst = reviewed.review.mistakes(seat=reviewed.review.seats[0])[0]
    shown.page.click("section[aria-labelledby=head-mistakes] a >> nth=0")
    assert shown.entry == worst.entry
    assert worst.taken in shown.texts("#decisions .is-taken th")[0]
    shown.page.mouse.wheel(0, 5_000)
    shown.page.click("section[aria-labelledby=head-mistakes] a >> nth=0")  # the same again leads back to it
    assert shown.page.evaluate("document.getElementById('decisions').getBoundingClientRect().top < innerHeight")


def test_point_shows_the_table_the_log_and_the_alternatives(browser: Any, reviewed: Reviewed) -> None:
    decision = reviewed.review.mistakes()[0]
    shown, session = Shown(browser, reviewed, f"#at-{decision.entry}"), reviewed.session
    after = session.history.position(before=decision.entry + 1)
    learnt = session.archive.inferred_facts(session.game.id)
    maps = [
        known_map(session.game, position, session.options, session.log.facts(), learnt)
        for position in (after, session.history.position(before=decision.entry))
    ]

    def drawn(svg: str) -> list[str]:
        script = "text => [...new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('.letter')]"
        letters = shown.page.evaluate(f"{script}.map(one => one.textContent)", svg) if svg else []
        return sorted(filter(None, letters))

    assert drawn(map_svg(maps[0])) == sorted(filter(None, shown.letters()))
    assert shown.texts("#tracks tr")[0] == f"Turn {after.track('turn')}"
    assert len(shown.texts("#places dt")) == len(after.places())
    rows = shown.texts("#decisions .alternatives tbody tr")
    assert len(rows) == len(decision.alternatives)
    for row, one in zip(rows, decision.alternatives, strict=True):
        assert one.win is not None
        assert one.text in row and f"{100 * one.win.mean:.1f} % to win (+-{100 * one.win.error:.1f})" in row
    widths = shown.page.eval_on_selector_all(".fill", "all => all.map(one => one.getBoundingClientRect().width)")
    assert widths == sorted(widths, reverse=True)
    assert shown.texts("#log .lead")[0] == str(decision.entry)
    shown.page.click("[data-when=before]")
    assert drawn(map_svg(maps[1])) == sorted(filter(None, shown.letters()))


def test_graph_as_a_table(browser: Any, reviewed: Reviewed) -> None:
    shown = Shown(browser, reviewed)
    shown.page.click("#as-table summary")
    rows = shown.texts("#all-points tr")

    assert len(rows) == len(reviewed.review.points)
    for row, point in zip(rows, reviewed.review.points, strict=True):
        assert point.win is not None
        assert f"{100 * point.win.mean:.1f} % to win" in row and f"{point.vp.mean + 0.0:.1f} VP" in row
    shown.page.click("#all-points a >> nth=4")
    assert shown.entry == reviewed.review.points[4].entry


def test_graphs_are_switched_and_both_are_printed(browser: Any, reviewed: Reviewed) -> None:
    shown = Shown(browser, reviewed)
    charts = ["[data-chart=win]", "[data-chart=vp]"]
    assert [shown.page.is_visible(chart) for chart in charts] == [True, False]
    shown.page.click("[data-graph=vp]")
    assert [shown.page.is_visible(chart) for chart in charts] == [False, True]

    shown.page.emulate_media(media="print")
    assert [shown.page.is_visible(chart) for chart in charts] == [True, True]
    assert not shown.page.is_visible("#viewer") and not shown.page.is_visible("#controls")
    listed = shown.page.locator("section[aria-labelledby=head-mistakes] li")
    assert listed.count() == len(reviewed.review.mistakes()) and listed.last.is_visible()
    assert shown.page.locator("section[aria-labelledby=head-moments] li").count() == len(reviewed.review.moments())
    assert shown.page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 390)])
def test_page_is_accessible_and_fits(browser: Any, reviewed: Reviewed, scheme: str, width: int) -> None:
    if not AXE.exists():
        pytest.skip("needs npm install --prefix .venv axe-core")
    at = f"#at-{reviewed.review.mistakes()[0].entry}"
    shown = Shown(browser, reviewed, at, color_scheme=scheme, viewport={"width": width, "height": 844}, bypass_csp=True)
    shown.page.click("#as-table summary")
    shown.page.evaluate(AXE.read_text(encoding="utf-8"))

    assert shown.page.evaluate(RULES) == []
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
    named = shown.page.get_by_role("slider", name="Point of the game")
    assert named.get_attribute("aria-valuetext").startswith(f"Action {shown.entry}, ")
    small = "all => all.filter(one => one.offsetParent && one.getBoundingClientRect().height < 44).length"
    assert shown.page.eval_on_selector_all("button, #slider", small) == 0
