"""The review of a finished game on the host: its tab and its page, for every link, and only after the game."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from companion.core.errors import Impossible
from companion.core.procedures import Progress
from companion.core.review import GameReview
from companion.core.review_playouts import Reviewer
from companion.games import GAMES
from companion.session import review as engine
from companion.session.controller import Answers, SessionController
from companion.session.state import SessionState
from companion.session.store import Archive
from companion.views.review_page import review_page
from companion.web.app import HEADERS
from companion.web.review import find_review
from tests.support import tiny
from tests.support.hosted import NO_LIMIT, Hosted, hosted, served
from tests.support.phones import Phone
from tests.support.reviewed import reviewed_game


class Engine:
    """Reviews that take no time where they are kept, and for ever otherwise."""

    def __init__(self, kept: str = "") -> None:
        self.kept = kept
        self.asked: list[str] = []

    def review(self, session: SessionState, level: str, **_: Any) -> GameReview:
        self.asked.append(level)
        if level == self.kept:
            return reviewed_game()._replace(level=level)
        while True:
            session.watch(Progress(0, 1, ""))
            time.sleep(0.01)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Engine:
    made = Engine("normal")
    monkeypatch.setattr(engine, "session_review", made.review)
    monkeypatch.setattr("companion.web.review._LEVELS", {"deep": 0.05, "normal": 0.05, "quick": 0.05})
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_haggle")
    monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)
    return made


@pytest.fixture
def host(kept: Engine) -> Iterator[Hosted]:
    with hosted(limits=NO_LIMIT) as made:
        yield made


def end_game(host: Hosted) -> None:
    """Correct the board to the end of the last turn, at the prompt."""
    with Archive.open() as archive:
        SessionController.open(archive, "game").adjust([("turn", "30")], "the end")


def test_review_is_shown_after_the_game_to_every_link(host: Hosted, kept: Engine) -> None:
    end_game(host)

    for role in ("red", "blue", "watch"):
        client = host.client(role)
        assert client.state()["over"]
        assert "/review" in client.get("/view/review").json()["html"]
        answer = client.get("/review")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
        with Archive.open() as archive:
            assert answer.text == review_page(SessionController.open(archive, "game"), reviewed_game())
    assert kept.asked == ["deep", "normal"]  # made once for all


def test_nothing_is_reviewed_while_the_game_goes_on(host: Hosted, kept: Engine) -> None:
    """Its alternatives and what is hidden would help a seat that still decides."""
    red = host.client("red")

    def refused() -> bool:
        page, view = red.get("/review"), red.get("/view/review").json()
        return page.status_code == 404 and view["error"]["message"] == "the game is not over"

    assert refused()
    red.do("banter")
    end_game(host)
    assert refused()  # a question is still open
    assert kept.asked == []


def test_review_ends_where_the_end_is_taken_back(host: Hosted) -> None:
    red = host.client("red")
    end_game(host)
    assert red.get("/review").status_code == 200
    assert red.post("/undo", {"at_id": red.state()["id"], "count": 1}).status_code == 200

    assert red.get("/review").status_code == 404


def test_review_that_takes_long_is_not_made_by_the_host(host: Hosted, kept: Engine) -> None:
    """It says what to type instead, and does not look again at once."""
    kept.kept = ""
    end_game(host)
    red = host.client("red")
    started = time.monotonic()
    for _ in range(5):
        answer = red.get("/review")
        assert answer.status_code == 404 and "companion review game" in answer.text
        assert "companion review game" in red.get("/view/review").json()["error"]["cure"]

    assert kept.asked == ["deep", "normal", "quick"]
    assert time.monotonic() - started < 5


def test_page_of_the_review_can_reach_nothing(host: Hosted) -> None:
    """Its own policy names its script by its hash; in a sandbox it has no cookie and no other page."""
    end_game(host)
    answer = host.client("watch").get("/review")
    policy = answer.headers["Content-Security-Policy"]

    assert {name: answer.headers.get(name) for name in HEADERS} == {**HEADERS, "Content-Security-Policy": policy}
    assert policy.endswith("; frame-ancestors 'none'; sandbox allow-scripts")
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "http" not in policy and "self" not in policy
    assert host.client().get("/review").status_code == 401


def test_closest_review_of_the_archive_is_taken(kept: Engine) -> None:
    with Archive.open() as archive:
        session = SessionController.create(archive, "tiny", "", {}, seed="1")
        watch = session.watch
        for level, asked in (("quick", ["deep", "normal", "quick"]), ("deep", ["deep"])):
            kept.kept, kept.asked = level, []
            found = find_review(session)
            assert found is not None and found.level == level
            assert kept.asked == asked and session.watch == watch


def test_review_that_was_made_is_read_from_the_archive(archive: Archive, tiny_game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the engine itself: without one playout."""
    session = SessionController.create(archive, "tiny", seed="7")
    session.do("march", Answers(plain=["red", "ford"], dice=[2]))
    session.adjust([("turn", "29")], "near the end")
    session.do("rest")
    made = engine.session_review(session, "normal")
    monkeypatch.setattr(Reviewer, "review", None)

    assert find_review(SessionController.open(archive, session.info)) == made


def test_session_without_a_review_has_none(kept: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(session: SessionState, level: str) -> GameReview:
        raise Impossible("nothing was played yet")

    monkeypatch.setattr(engine, "session_review", nothing)
    with Archive.open() as archive:
        assert find_review(SessionController.create(archive, "tiny", "", {}, seed="1")) is None


@pytest.mark.slow
def test_tab_of_the_page_leads_to_the_review(kept: Engine, browser: Any) -> None:
    with served(limits=NO_LIMIT) as (made, port):
        phone = Phone(browser, f"http://127.0.0.1:{port}/t/{made.links.token('blue')}")
        tab = phone.page.locator("#tabs [data-tab=review]")
        assert not tab.is_visible()
        end_game(made)
        tab.wait_for(state="visible")
        phone.tab("review")
        link = phone.page.locator("#pane-review a")
        link.wait_for()
        assert "Decisions of" in phone.page.inner_text("#pane-review")
        with phone.context.expect_page() as opened:
            link.click()
        page = opened.value
        page.wait_for_selector("#viewer:not([hidden])")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("location.hash") == f"#at-{reviewed_game().points[-2].entry}"
        assert page.evaluate("window.origin") == "null"  # a sandbox: no cookie, and nothing of the host
        assert phone.messages == [] and phone.elsewhere == []
        with Archive.open() as archive:
            SessionController.open(archive, "game").undo()
        tab.wait_for(state="hidden")
        phone.close()


@pytest.mark.slow
def test_tab_says_what_to_type_where_a_review_takes_long(kept: Engine, browser: Any) -> None:
    kept.kept = ""
    with served(limits=NO_LIMIT) as (made, port):
        phone = Phone(browser, f"http://127.0.0.1:{port}/t/{made.links.token('blue')}")
        end_game(made)
        tab = phone.page.locator("#tabs [data-tab=review]")
        tab.wait_for(state="visible")
        phone.tab("review")

        phone.page.get_by_text("On the machine of the host: companion review game. Then look here again.").wait_for()
        rows = tab.evaluate(
            "(it) => { const range = new Range(); range.selectNodeContents(it); return range.getClientRects().length }"
        )
        assert rows == 1  # the bold word fits beside the other tabs
        phone.close()
