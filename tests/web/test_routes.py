"""Every route of the host, and every refusal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.web.app import HEADERS, Limits
from companion.web.files import STATIC
from tests.support import tiny
from tests.support.hosted import HOST, NO_LIMIT, Hosted, hosted


@pytest.fixture
def haggle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_haggle")
    monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)


@pytest.fixture
def host(haggle: None) -> Iterator[Hosted]:
    with hosted(limits=NO_LIMIT) as made:
        yield made


def each(cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[Hosted], None]]:
    """Run a test for each case with one host: most of the time of such a test is to start it."""

    def decorate(test: Callable[..., None]) -> Callable[[Hosted], None]:
        def run(host: Hosted) -> None:
            for case in cases:
                test(host, *(case if isinstance(case, tuple) else (case,)))

        run.__doc__, run.__name__ = test.__doc__, test.__name__
        return run

    return decorate


def error_of(answer: Any, status: int) -> Any:
    """The error of a response, which has a message and a cure."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["message"]
    assert error["cure"] or status in (400, 503)
    return error


# -- links and cookies ---------------------------------------------------------------------------------------------------


def test_link_gives_a_cookie_and_leads_to_the_page(host: Hosted) -> None:
    client = host.client()
    answer = client.get(f"/t/{host.links.token('red')}")

    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    assert host.links.token("red") not in cookie
    page = client.get("/", cookie=cookie.partition(";")[0])
    assert page.status_code == 200
    assert "text/html" in page.headers["content-type"]


def test_cookie_is_secure_behind_tls(host: Hosted) -> None:
    answer = host.client(host="play.example.org").get(f"/t/{host.links.token('red')}")

    assert "Secure" in answer.headers["set-cookie"].split("; ")


@each(["x", "%00", "a" * 22, "..%2f..%2fetc%2fpasswd", "red", "watch"])
def test_wrong_token_is_refused(host: Hosted, token: str) -> None:
    answer = host.client().get(f"/t/{token}")

    assert answer.status_code in (403, 404)
    assert "set-cookie" not in answer.headers


def test_page_without_a_cookie_leads_on_once(host: Hosted) -> None:
    """[6265bis] A cookie of this site is withheld on the first page that another site leads to."""
    first, second = host.client().get("/"), host.client().get("/?again=1")

    assert first.status_code == second.status_code == 401
    assert 'content="0;url=/?again=1"' in first.text
    assert "refresh" not in second.text
    assert "Open the link again" in second.text


@each(["/state", "/events", "/view/log", "/nowhere"])
def test_nothing_is_told_without_a_link(host: Hosted, path: str) -> None:
    error_of(host.client().get(path), 401)


@each(["/do", "/answer", "/undo", "/redo", "/note"])
def test_nothing_is_done_without_a_link(host: Hosted, path: str) -> None:
    error_of(host.client().post(path, {"text": "x", "at_id": 1}), 401)


def test_new_links_end_the_old_ones(host: Hosted) -> None:
    red, blue, token = host.client("red"), host.client("blue"), host.links.token("red")
    host.links.renew(["red"])

    error_of(red.get("/state"), 401)
    error_of(red.get(f"/t/{token}"), 403)
    assert blue.state()["role"] == "blue"
    assert host.client("red").state()["role"] == "red"
    assert len(host.links.token("red")) == 22  # 16 bytes


# -- what is shown --------------------------------------------------------------------------------------------------------


def test_state_is_that_of_the_role(host: Hosted) -> None:
    red, blue, watch = host.client("red"), host.client("blue"), host.client("watch")
    red.do("banter")

    states = {client.state()["role"]: client.state() for client in (red, blue, watch)}
    assert {role: state["mine"] for role, state in states.items()} == {"red": True, "blue": False, "watch": False}
    state = states["red"]
    assert {"id", "session", "at", "html", "question", "legal", "over"} <= state.keys()
    assert (state["session"], state["at"], state["question"]["key"]) == ("game", "2.1", "offer")


@each(["log", "map", "rules", "odds", "notes"])
def test_views(host: Hosted, name: str) -> None:
    answer = host.client("watch").get(f"/view/{name}")

    assert answer.status_code == 200, answer.text
    assert isinstance(answer.json()["html"], str)


@each(["/view/passwd", "/static/../app.py", "/static/%2e%2e/app.py", "/static/app.py", "/t/", "/T/x"])
def test_other_pages_do_not_exist(host: Hosted, path: str) -> None:
    error_of(host.client("red").get(path), 404)


def test_only_files_of_the_page_are_sent(host: Hosted) -> None:
    client = host.client()

    assert STATIC
    for name, file in STATIC.items():
        answer = client.get(f"/static/{name}")
        assert (answer.status_code, answer.content) == (200, file.content)
        assert answer.headers["content-type"].startswith(file.media_type)


def test_browser_that_asks_for_an_icon_gets_it(host: Hosted) -> None:
    """Browsers ask by themselves, with a link or without; a 404 would stand in their console."""
    for client in (host.client("red"), host.client()):
        answer = client.get("/favicon.ico")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
        assert answer.content == STATIC["icon.svg"].content


def test_headers_of_every_response(host: Hosted) -> None:
    red = host.client("red")
    answers = [
        *(red.get(path) for path in ("/", "/state", "/nowhere", "/static/app.js", "/view/log", "/review")),
        *(host.client().get(path) for path in ("/", "/state", f"/t/{host.links.token('red')}", "/t/x")),
        *(red.post(path, {}) for path in ("/do", "/nowhere")),
        red.post("/note", {"text": "x"}, origin="http://evil.example"),
        host.client("red", "evil.example").get("/state"),
    ]

    for answer in answers:
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


# -- whose turn it is -------------------------------------------------------------------------------------------------------


def test_seat_answers_its_own_questions_only(host: Hosted) -> None:
    red, blue = host.client("red"), host.client("blue")
    red.do("banter")

    error_of(blue.answer(3), 403)
    assert red.answer(3).json()["at"] == "2.2"
    error_of(red.answer(3), 403)
    assert blue.answer(4).json()["at"] == "2.3"


@pytest.mark.parametrize(
    "fields",
    [{"values": {"mine": 5}}, {"values": {"offer": 2, "mine": 5}}, {"accept": True}, {"accept": True, "values": {"mine": 5}}],
)
def test_one_request_does_not_answer_for_another_seat(host: Hosted, fields: Any) -> None:
    """Answers that a request brings for the questions after its own are refused, or stay unused."""
    red = host.client("red")
    at = red.do("banter").json()["at"]
    body = {"at": at, "value": 3, **fields} if "offer" not in fields.get("values", {}) else {"at": at, **fields}
    answer = red.post("/answer", body)

    assert answer.status_code in (200, 400), answer.text
    assert red.state()["at"] in ("2.1", "2.2")


def test_action_does_not_answer_for_another_seat(host: Hosted) -> None:
    red = host.client("red")
    answer = red.do("banter", values={"offer": 1, "mine": 2})

    error_of(answer, 400)
    assert red.state()["at"] == ""
    assert red.do("banter", values={"offer": 1}).json()["at"] == "2.2"


def test_accepting_takes_one_suggestion(host: Hosted) -> None:
    red, blue = host.client("red"), host.client("blue")
    red.do("banter")

    assert red.post("/answer", {"at": "2.1", "accept": True}).json()["at"] == "2.2"
    assert blue.post("/answer", {"at": "2.2", "accept": True}).json()["at"] == "2.3"


@each(["/do", "/answer", "/undo", "/redo", "/note"])
def test_watcher_does_nothing(host: Hosted, path: str) -> None:
    watch = host.client("watch")
    body = {"action": "rest", "at": "2.1", "value": 1, "count": 1, "text": "x", "at_id": watch.state()["id"]}

    error_of(watch.post(path, body), 403)


def test_one_player_answers_for_the_seats_of_companion(haggle: None) -> None:
    """What Companion's seat is asked, such as dice at the table, is answered by the player."""
    with hosted(is_alone=True) as host:
        assert set(host.links.roles) == {"red", "watch"}
        red = host.client("red")
        red.do("banter")
        red.answer(1)

        assert red.answer(2).json()["at"] == "2.3"


# -- answers ------------------------------------------------------------------------------------------------------------------


def test_answer_is_recorded_once(host: Hosted) -> None:
    red = host.client("red")
    red.do("banter")
    first = red.post("/answer", {"at": "2.1", "value": 3})
    again = red.post("/answer", {"at": "2.1", "value": 3})

    assert first.status_code == again.status_code == 200
    assert first.json()["id"] == again.json()["id"]


def test_other_answer_to_the_same_question_is_stale(host: Hosted) -> None:
    red = host.client("red")
    red.do("banter")
    red.answer(3)
    answer = red.post("/answer", {"at": "2.1", "value": 4})

    assert error_of(answer, 409)["kind"] == "stale"
    assert (answer.json()["at"], answer.json()["role"]) == ("2.2", "red")


def test_another_seat_cannot_find_out_an_answer_by_repeating_it(host: Hosted) -> None:
    red, blue = host.client("red"), host.client("blue")
    red.do("banter")
    red.answer(3)

    assert {blue.post("/answer", {"at": "2.1", "value": value}).status_code for value in range(1, 7)} == {409}


def test_answer_given_in_another_process_is_told_and_counts(host: Hosted) -> None:
    red = host.client("red")
    red.do("banter")
    with Archive.open() as archive:
        SessionController.open(archive, "game").reply("5")

    assert red.state()["at"] == "2.2"
    error_of(red.post("/answer", {"at": "2.1", "value": 3}), 409)


@each(["/do", "/undo", "/redo"])
def test_what_is_done_on_an_old_state_is_stale(host: Hosted, path: str) -> None:
    red = host.client("red")
    old = red.state()["id"]
    red.do("rest")
    answer = red.post(path, {"action": "rest", "count": 1, "at_id": old})

    error_of(answer, 409)
    assert answer.json()["id"] > old


def test_undo_redo_and_note(host: Hosted) -> None:
    red, blue = host.client("red"), host.client("blue")
    red.do("rest")
    red.do("banter")
    red.answer(3)

    def undo(**fields: Any) -> Any:
        return blue.post("/undo", {"at_id": blue.state()["id"], **fields})

    assert undo(reply=True).json()["question"]["key"] == "offer"
    assert undo(count=1).json()["at"] == ""
    assert undo(to=1).status_code == 200
    error_of(undo(count=1), 400)
    redone = blue.post("/redo", {"at_id": blue.state()["id"]})
    assert redone.status_code == 200
    assert blue.post("/note", {"text": "a <b>note</b>"}).json()["id"] == redone.json()["id"] + 1


@each(
    [
        ("/do", {}),
        ("/do", {"action": "rest"}),
        ("/do", {"action": ["rest"], "at_id": 1}),
        ("/do", {"action": "host", "at_id": "CURRENT"}),
        ("/do", {"action": "", "at_id": "CURRENT"}),
        ("/do", {"action": "rest", "at_id": True}),
        ("/do", {"action": "rest", "at_id": "CURRENT", "values": [1]}),
        ("/do", {"action": "fire", "at_id": "CURRENT"}),
        ("/do", {"action": "march", "at_id": "CURRENT", "values": {"unit": None}}),
        ("/answer", {}),
        ("/answer", {"at": "1"}),
        ("/answer", {"at": "x.y", "value": 1}),
        ("/answer", {"at": 2, "value": 1}),
        ("/undo", {"at_id": "CURRENT"}),
        ("/undo", {"at_id": "CURRENT", "count": 1, "to": 1}),
        ("/undo", {"at_id": "CURRENT", "count": 0}),
        ("/undo", {"at_id": "CURRENT", "count": 1 << 60}),
        ("/undo", {"at_id": "CURRENT", "to": -1}),
        ("/undo", {"at_id": "CURRENT", "reply": "yes"}),
        ("/redo", {"at_id": "CURRENT"}),
        ("/note", {}),
        ("/note", {"text": ""}),
        ("/note", {"text": "x" * 2_001}),
        ("/note", {"text": {"a": 1}}),
        ("/note", {"text": "\x00"}),
    ]
)
def test_unusable_requests_change_nothing(host: Hosted, path: str, body: Any) -> None:
    red = host.client("red")
    before = red.state()
    if body.get("at_id") == "CURRENT":
        body = {**body, "at_id": before["id"]}

    error_of(red.post(path, body), 400)
    assert red.state() == before


@each(
    [
        *[{}, {"value": None}, {"value": 9}, {"value": 1.5}, {"value": {"a": 1}}, {"value": [[1]]}, {"value": "9" * 3_000}],
        *[{"value": "\ud800"}, {"dice": [1]}, {"dice": "1"}, {"dice": [True]}, {"draw": 3}, {"draw": ["Gold"]}, {"values": 3}],
        *[{"value": 1, "anyway": 1}, {"accept": "yes"}, {"values": {"other": 1}}],
    ]
)
def test_unusable_answers_change_nothing(host: Hosted, fields: Any) -> None:
    red = host.client("red")
    before = red.state() if red.state()["at"] else red.do("banter").json()

    error_of(red.post("/answer", {"at": "2.1", **fields}), 400)
    assert red.state() == before


# -- what is not taken ---------------------------------------------------------------------------------------------------------


@each(["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:8807", "localhost.evil.example:8807", ""])
def test_other_names_of_this_host_are_refused(host: Hosted, name: str) -> None:
    """A page whose name was led to this address, by DNS, is not served."""
    client = host.client("red")

    error_of(client.get("/state", host=name), 421)
    error_of(client.get(f"/t/{host.links.token('red')}", host=name), 421)
    error_of(client.post("/note", {"text": "x"}, host=name, origin=f"http://{name}"), 421)


@each(["", "null", "http://evil.example", f"https://{HOST}", "http://localhost:8807", f"http://{HOST}/"])
def test_requests_of_other_pages_are_refused(host: Hosted, origin: str) -> None:
    client = host.client("red")
    before = client.state()["id"]

    error_of(client.post("/note", {"text": "x"}, origin=origin), 403)
    assert client.state()["id"] == before


def test_request_without_an_origin_is_refused(host: Hosted) -> None:
    client = host.client("red")
    answer = client.http.post("/note", json={"text": "x"})

    error_of(answer, 403)


@each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_forms_of_other_pages_are_refused(host: Hosted, kind: str) -> None:
    answer = host.client("red").post("/note", {"text": "x"}, **{"content-type": kind})

    error_of(answer, 415)


@each(
    [
        b"",
        b"x",
        b"[]",
        b'"x"',
        b"\xff",
        b'{"text": NaN}',
        b'{"text": "\\ud800"}',
        b"[" * 60_000,
        b'{"text": ' + b"9" * 5_000 + b"}",
        *[b'{"a":' * 10_000, b'{"text":' + b"[" * 9 + b"]" * 9 + b"}", b'{"at_id": 1e999}', b'{"text": "\\u0000"}'],
    ]
)
def test_what_is_no_json_object_is_refused(host: Hosted, body: bytes) -> None:
    for path in ("/note", "/undo"):
        error_of(host.client("red").post(path, body), 400)


def test_long_requests_are_refused(host: Hosted) -> None:
    body = json.dumps({"text": "x", "pad": "x" * 64_000}).encode()

    error_of(host.client("red").post("/note", body), 413)


@each(["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "POST"])
def test_other_methods_are_refused(host: Hosted, method: str) -> None:
    client = host.client("red")
    answer = client.http.request(method, "/state", headers={"origin": client.origin})

    error_of(answer, 405)


def test_each_link_has_a_rate(haggle: None) -> None:
    with hosted(limits=Limits(rate=1.0, burst=10)) as host:
        red = host.client("red")
        codes = [red.get("/state").status_code for _ in range(20)]

        assert codes.count(200) in (10, 11)
        assert error_of(red.get("/state"), 429)
        assert red.get("/state").headers["retry-after"]
        assert host.client("blue").get("/state").status_code == 200


def test_strangers_do_not_shut_out_links(haggle: None) -> None:
    with hosted(limits=Limits(strangers_rate=1.0, strangers_burst=5)) as host:
        stranger = host.client()
        codes = {stranger.get("/t/wrong").status_code for _ in range(20)}

        assert codes == {403, 429}
        assert stranger.get(f"/t/{host.links.token('red')}").status_code == 303
        assert host.client("red").get("/state").status_code == 200


def test_fault_is_reported_to_the_host_only(host: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(role: object, body: object) -> None:
        raise RuntimeError("secret of the code")

    monkeypatch.setattr(host.play, "note", broken)
    answer = host.client("red").post("/note", {"text": "x"})

    assert error_of(answer, 500)["kind"] == "fault"
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert [type(fault) for fault in host.faults] == [RuntimeError]
    host.faults.clear()


def test_archive_that_is_gone_is_told(host: Hosted, tmp_path: Any) -> None:
    red = host.client("red")
    (tmp_path / "archive.sqlite3").rename(tmp_path / "elsewhere")

    error_of(red.post("/note", {"text": "x"}), 503)
    (tmp_path / "elsewhere").rename(tmp_path / "archive.sqlite3")
    assert red.post("/note", {"text": "x"}).status_code == 200
