"""The HTML report: one file, escaped texts, valid links."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from companion.core.map import AREAS, Map, Space
from companion.session.controller import Answers, SessionController
from companion.session.store import Archive
from companion.views.report.document import document, plain_texts, report_plots
from companion.views.report.render import report_html
from companion.views.report.report import Extent, build_report
from tests.support.rolled import rolled

HOSTILE = "<script>alert(1)</script> </blockquote> {{ 7*7 }} {% endif %} &amp; \"x\" 'y' \x1b[31m"


class Reader(HTMLParser):
    """Parses a page into tags, attributes and the text of each block."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = [""]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.words += [] if tag in ("strong", "a") else [""]

    def handle_endtag(self, tag: str) -> None:
        self.words += [] if tag in ("strong", "a") else [""]

    def handle_data(self, data: str) -> None:
        self.words[-1] += data


@pytest.fixture
def session(archive: Archive, tiny_game: str) -> SessionController:
    session = SessionController.create(archive, "tiny", seed="7")
    session.note(HOSTILE)
    for _ in range(2):
        session.do("march", Answers(plain=["red", "ford"], dice=[2]))
        session.do("search", Answers(draws=["gold"], dice=[6]))
    session.adjust([("supply", "3")], HOSTILE)
    return session


def read(session: SessionController, extent: Extent = Extent(), **kwargs: object) -> tuple[str, Reader]:  # noqa: B008
    blocks = document(build_report("x", session.game, session.history, session.options, extent), True, **kwargs)  # type: ignore[arg-type]
    page, reader = report_html(blocks), Reader()
    reader.feed(page)
    return page, reader


def test_page_is_one_file_without_scripts_or_network(session: SessionController) -> None:
    page, reader = read(session)
    kinds = {tag for tag, _ in reader.tags}

    assert kinds.isdisjoint({"script", "img", "iframe", "object", "embed", "form", "base"})
    assert [result for _, result in reader.tags if any(name.startswith("on") for name in result)] == []
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page) == []
    assert [attrs["href"] for tag, attrs in reader.tags if tag == "link"] == ["data:,"]


def test_user_text_is_escaped(session: SessionController) -> None:
    _, reader = read(session)
    words = {" ".join(text.split()) for text in reader.words}
    plain = " ".join(HOSTILE.replace("\x1b", " ").split())

    assert plain in words
    assert [text for text in words if text.startswith("Corrected: Supply = 3") and plain in text]
    report = document(build_report("x", session.game, session.history, session.options))
    assert [text for text in plain_texts(report) if " ".join(text.split()) not in words] == []


def test_contents_link_to_headings(session: SessionController) -> None:
    _, reader = read(session)
    links = [attrs["href"] for tag, attrs in reader.tags if tag == "a"]
    ids = [f"#{attrs['id']}" for tag, attrs in reader.tags if "id" in attrs]

    assert len(links) > 5 and links == ids and len(set(ids)) == len(ids)


def test_log_is_folded_and_optional(session: SessionController) -> None:
    assert [tag for tag, _ in read(session)[1].tags].count("details") == 1 + len(
        build_report("x", session.game, session.history, {}).chapters
    )
    assert "details" not in [tag for tag, _ in read(session, Extent(brief=True))[1].tags]


def test_plots_of_tracks_score_cups_and_rolls(session: SessionController) -> None:
    rolls = {3: [rolled("search", 3.0, {-1.0: 0.5, 3.0: 0.5})]}
    report = build_report("x", session.game, session.history, session.options, rolls=rolls)
    titles = [item.plot.title for item in report_plots(report)]

    assert titles == ["Supply", "Score", "In the cups", "The rolls against the odds, VP"]
    supply = report_plots(report)[0].plot
    assert (supply.low, supply.high) == (-3, 20)
    assert [value for _, value in supply.series[0].points][:2] == [8, 7] and supply.series[0].points[-1][1] == 3


def test_map_is_drawn_at_the_end_of_each_chapter(session: SessionController) -> None:
    def map_at(position: object) -> Map | None:
        return (
            Map("The valley", AREAS, [Space("ford", "Ford", source="told")])
            if position is not session.committed_position
            else None
        )

    page, _ = read(session, map_at=map_at)
    assert page.count("<title>The valley</title>") == len(build_report("x", session.game, session.history, {}).chapters)
    assert "<figcaption>The map after Turn 0</figcaption>" in page


def test_page_has_styles_for_phone_paper_and_dark(session: SessionController) -> None:
    page, reader = read(session)

    assert "@media print" in page and "prefers-color-scheme: dark" in page and "max-width: 30rem" in page
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in [attrs for _, attrs in reader.tags]
