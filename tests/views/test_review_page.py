"""The page of a review: what it contains, that its figures are those of the review, and that no text becomes markup."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import pytest

from companion.core.events import fold
from companion.core.review import GameReview
from companion.session.controller import Answers, SessionController
from companion.session.store import Archive
from companion.views import theme
from companion.views.map_svg import map_svg
from companion.views.map_text import session_map
from companion.views.review_page import review_page
from tests.support.long_review import long_session, made_up_review
from tests.support.reviewed import reviewed_game
from tests.views.test_theme import contrast

HOSTILE = "<script>alert(1)</script> </blockquote> {{ 7*7 }} {% endif %} &amp; \"x\" 'y' \x1b[31m"
PLAIN = " ".join(HOSTILE.replace("\x1b", " ").split())
SECTIONS = ("tracks", "places", "map", "counters")


class Page(HTMLParser):
    """A page: its tags, the texts between them, and what is embedded in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)
        assert data is not None
        self.data: Any = json.loads(data[1])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(" ".join(data.split()))

    def text(self, number: int) -> str:
        return " ".join(str(self.data["texts"][number]).split())

    def tables(self) -> list[dict[str, list[list[str]]]]:
        """What lies on the table at each point, put together as the script does."""
        found, shown = [], {name: list[int]() for name in SECTIONS}
        for point in self.data["points"]:
            for name in SECTIONS:
                for start, count, *added in point.get(name, ()):
                    shown[name][start : start + count] = added
            rows = {name: [self.data["rows"][number] for number in shown[name]] for name in SECTIONS}
            found.append(
                {name: [[self.text(cell) for cell in row] for row in rows[name]] for name in ("tracks", "places", "map")}
            )
            found[-1]["counters"] = [[*map(str, row[:2]), *map(self.text, row[2:])] for row in rows["counters"]]
        return found

    def alternatives(self, at: str) -> list[tuple[str, str, str, str]]:
        """The alternatives of a decision: its text, what it is worth, how far it is behind, and what it is."""
        decision = next(one for one in self.data["decisions"] if one["at"] == at)
        return [tuple(map(self.text, row[:4])) for row in decision["of"]]  # type: ignore[misc]


@pytest.fixture
def session(archive: Archive, tiny_game: str) -> SessionController:
    session = SessionController.create(archive, "tiny", seed="7")
    for _ in range(2):
        session.do("march", Answers(plain=["red", "ford"], dice=[2]))
        session.do("search", Answers(draws=["gold"], dice=[6]))
    session.adjust([("supply", "3")], HOSTILE)
    return session


def hostile_review(unit: str = "win") -> GameReview:
    """The review with a text that looks like markup in place of all that players and games write."""
    review = reviewed_game("win" if unit == "win" else "VP")
    decisions = [
        one._replace(
            prompt=HOSTILE,
            taken=HOSTILE,
            best=HOSTILE + "2",
            reason=HOSTILE,
            rule=HOSTILE,
            alternatives=tuple(row._replace(text=HOSTILE, plan=HOSTILE) for row in one.alternatives),
        )
        for one in review.decisions
    ]
    return review._replace(
        points=tuple(point._replace(text=HOSTILE) for point in review.points),
        steps=tuple(step._replace(text=HOSTILE) for step in review.steps),
        decisions=tuple(decisions),
        skipped={HOSTILE: 2},
    )


def test_page_is_one_file_that_loads_nothing(session: SessionController) -> None:
    page = Page(review_page(session, reviewed_game()))
    kinds = {tag for tag, _ in page.tags}

    assert kinds.isdisjoint({"img", "iframe", "object", "embed", "form", "base"})
    assert [attrs for tag, attrs in page.tags if tag == "link"] == [{"rel": "icon", "href": "data:,"}]
    assert [attrs for tag, attrs in page.tags if tag == "script"] == [{"type": "application/json", "id": "data"}, {}]
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page.html) == []
    assert [attrs for _, attrs in page.tags if any(name.startswith("on") or name in ("src", "style") for name in attrs)] == []


def test_policy_names_the_script_and_the_style(session: SessionController) -> None:
    """A script of a text that became markup would not run."""
    page = review_page(session, reviewed_game())
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    for name, element in (("script-src", r"<script>(.*?)</script>"), ("style-src", r"<style>(.*?)</style>")):
        (content,) = re.findall(element, page, re.S)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{name} &#39;sha256-{digest}&#39;" in policy[1]
    assert "default-src &#39;none&#39;" in policy[1] and "unsafe" not in policy[1]


@pytest.mark.parametrize("unit", ["win", "VP"])
def test_no_text_becomes_markup(session: SessionController, unit: str) -> None:
    plain, hostile = Page(review_page(session, reviewed_game())), Page(review_page(session, hostile_review(unit)))

    assert {tag for tag, _ in hostile.tags} == {tag for tag, _ in plain.tags}
    assert "alert(1)</script>" not in hostile.html and "\x1b" not in hostile.html
    assert [text for text in hostile.texts if PLAIN in text and "not reviewed" in text]
    assert {text for text, *_ in hostile.alternatives("4.2")} == {f"{PLAIN} ({PLAIN})"}
    adjusted = [point for point in plain.data["points"] if point["is"][0] == session.history.in_force[-1].number]
    log = [", ".join(map(plain.text, plain.data["rows"][number][2:])) for number in adjusted[0]["log"]]
    assert [text for text in log if PLAIN in text]  # the reason of a correction


def test_sum_table_has_the_parts_and_the_result(session: SessionController) -> None:
    """The figures are those of the review, and the parts add up to the result."""
    review = reviewed_game()
    page = Page(review_page(session, review))
    for share in review.shares():
        assert share.win is not None
        sign = "" if share.part == "start" else "+" if share.win.mean > 0 else ""
        assert f"{sign}{100 * share.win.mean:.1f} %" in page.texts
    assert sum(share.vp.mean for share in review.shares()) == pytest.approx(review.result.vp_estimate.mean)
    assert "100.0 %" in page.texts and "Result" in page.texts


def test_points_have_the_figures_of_the_review(session: SessionController) -> None:
    review = reviewed_game()
    page = Page(review_page(session, review))

    for point, body in zip(review.points, page.data["points"], strict=True):
        entry, _, text, worth, vp, *figures = body["is"]
        assert point.win is not None
        assert (entry, page.text(text)) == (point.entry, point.text)
        assert figures == pytest.approx([*point.vp, *point.win], abs=1e-3)
        assert page.text(worth) == f"{100 * point.win.mean:.1f} % to win (+-{100 * point.win.error:.1f})"
        assert page.text(vp) == f"{point.vp.mean:.1f} VP (+-{point.vp.error:.1f})"


def test_decision_with_its_alternatives(session: SessionController) -> None:
    page = Page(review_page(session, reviewed_game()))

    assert page.alternatives("4.2") == [
        ("8-66-C", "60.0 % to win (+-3.0)", "", "best"),
        ("8-66-A", "52.0 % to win (+-3.0)", "8.0 % to win (+-2.0) behind", ""),
        ("8-66-D", "47.0 % to win (+-3.0)", "13.0 % to win (+-3.0) behind", ""),
        ("8-66-B", "38.0 % to win (+-3.0)", "22.0 % to win (+-3.0) behind", "taken"),
    ]
    assert page.alternatives("8.3")[1][2] == "6.0 % to win (+-5.0) behind, within the error"
    (blunder,) = [one for one in page.data["decisions"] if one["at"] == "4.2"]
    assert page.text(blunder["grade"]) == "blunder"
    assert page.text(blunder["said"]).startswith("A blunder: cost 22.0 % to win (+-3.0); better: 8-66-C. 8-66-C is disrupted")
    (uncertain,) = [one for one in page.data["decisions"] if one["at"] == "8.3"]
    assert page.text(uncertain["said"]) == "Cost 6.0 % to win (+-5.0), which is within the error; better perhaps: 1-7-C."
    assert page.text(uncertain["grade"]) == "within error"


def test_without_chances_to_win_there_are_only_vp(session: SessionController) -> None:
    page = Page(review_page(session, reviewed_game("VP")))

    assert [attrs["data-chart"] for _, attrs in page.tags if "data-chart" in attrs] == ["vp"]
    assert "to win" not in re.sub(r"<script>.*?</script>", "", page.html, flags=re.S)
    assert page.alternatives("4.2")[3] == ("8-66-B", "-0.2 VP (+-0.3)", "2.2 VP (+-0.3) behind", "taken")


def test_graph_has_bands_turns_corrections_mistakes_and_moments(session: SessionController) -> None:
    review = reviewed_game()
    page = review_page(session, review)
    win = page[page.index('data-chart="win"') : page.index('data-chart="vp"')]

    assert win.count('class="curve"') == win.count('class="band"') == 2  # the segments
    assert re.findall(r'class="mark (\w+ \w+)"[^>]*data-at="([\d.]+)"', win) == [
        ("inaccuracy first", "2"),
        ("mistake second", "3"),
        ("blunder first", "4.2"),
        ("mistake first", "7.1"),
    ]
    assert win.count('class="turn"') == 3 and win.count("Corrected by hand: action 5") == 1
    assert win.count('class="moment"') == len(review.moments())
    first = re.search(r'class="curve" d="M0 (\d+)', win)
    assert first is not None and int(first[1]) == 480  # 52 % to win at the start


def test_links_lead_to_points(session: SessionController) -> None:
    review = reviewed_game()
    page = Page(review_page(session, review))
    links = [attrs["href"] for tag, attrs in page.tags if tag == "a"]

    assert links[:2] == ["#course", "#at-4.2"] and links[2:] == [  # the worst decision in the head
        *(f"#at-{one.entry}{f'.{one.reply}' if one.reply else ''}" for one in review.moments()),
        *("#at-4.2", "#at-7.1", "#at-2", "#at-3"),
    ]
    assert {point["is"][0] for point in page.data["points"]} >= {int(re.findall(r"\d+", str(link))[0]) for link in links[2:]}


def test_table_at_each_point_is_that_of_the_log(session: SessionController) -> None:
    """Put together from the differences."""
    page = Page(review_page(session, reviewed_game()))
    position = fold(session.history.in_force[0].events or ())

    for point, table in zip(page.data["points"], page.tables(), strict=True):
        entry = next((one for one in session.history.in_force if one.number == point["is"][0]), None)
        if entry is not None and entry.number > session.history.in_force[0].number:
            position = fold(entry.events or (), position)
        tracks = {row[0]: row[1] for row in table["tracks"]}
        assert tracks["Supply"] == str(position.track("supply"))
        placed = {row[0]: ", ".join(row[1:]) for row in table["places"]}
        assert set(placed) == {session.game.place_title(place) for place in position.places()}


def test_log_of_each_point(session: SessionController) -> None:
    page = Page(review_page(session, reviewed_game()))
    logs = {point["is"][0]: point.get("log", []) for point in page.data["points"]}
    first = session.history.in_force[1]
    rows = [page.data["rows"][number] for number in logs[first.number]]
    start = [page.data["rows"][number] for number in logs[0][1:]]

    assert logs[0][0] == -session.history.force[0]  # the set-up has no point of its own
    assert page.text(start[0][0]) == "title"
    assert [page.text(row[1]) for row in rows if page.text(row[1]).startswith(".")][: len(first.replies)]
    assert any("ford" in ", ".join(map(page.text, row[2:])) for row in rows)


def test_actions_without_a_point_are_shown_with_the_next_one(session: SessionController) -> None:
    """Such as those that are not reviewed: their log, and what they changed."""
    review = reviewed_game()
    page = Page(review_page(session, review._replace(points=tuple(one for one in review.points if one.entry not in (2, 3)))))
    (point,) = [point for point in page.data["points"] if point["is"][0] == 4]

    assert [-number for number in point["log"] if number < 0] == [2, 3]
    assert len(point["steps"]) == sum(step.entry in (2, 3, 4) for step in review.steps)
    assert {page.data["decisions"][number]["at"] for number in point["decisions"]} == {"2", "3", "4.2"}


def test_page_of_some_turns_begins_where_they_begin(session: SessionController) -> None:
    review = reviewed_game()
    points = (review.points[0], *review.points[4:])
    steps = tuple(step for step in review.steps if step.entry >= 4)
    page = Page(review_page(session, review._replace(points=points, steps=steps, decisions=()), 2))
    before = session.history.position(before=4)

    assert page.data["start"] == "Before turn 2"
    assert "log" not in page.data["points"][0]
    assert {row[0]: row[1] for row in page.tables()[0]["tracks"]}["Supply"] == str(before.track("supply"))


def test_colours_are_readable() -> None:
    """All pairs of text and ground of the page have a contrast of 4.5, and marks one of 3."""

    def pair(one: str, other: str, ground: str) -> float:
        colours = {**theme.PALETTE["light"], **theme.PALETTE[ground]}
        values = [tuple(int(colours[name][at : at + 2], 16) for at in (1, 3, 5)) for name in (one, other)]
        return contrast(*values)  # type: ignore[arg-type]

    for ground, link, second in (("light", "first", "second"), ("dark", "line1", "line2")):
        for text in ("ink", "faint", link):
            assert min(pair(text, "paper", ground), pair(text, "space", ground)) >= 4.5, (ground, text)
        for mark in ("edge", "way", second):
            assert min(pair(mark, "paper", ground), pair(mark, "space", ground)) >= 3, (ground, mark)


@pytest.mark.slow
def test_page_of_a_campaign_is_under_three_megabytes(archive: Archive) -> None:
    session = long_session(archive, "lzalbany", 3_000)
    page = review_page(session, made_up_review(session, 1_500))
    data = Page(page)

    assert len(data.data["points"]) == 3_001 and len(data.data["decisions"]) == 1_500
    assert len(page.encode()) < 3_000_000
    last = session_map(session, session.position)
    assert last is not None
    drawn = [row[3] for row in data.tables()[-1]["counters"]]
    assert drawn and all(f">{text}</text>" in map_svg(last) for text in drawn)
