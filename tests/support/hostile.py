"""Requests that a host must survive, and what must hold after each."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, NamedTuple, TypeVar

from companion.session.seats import asked_seat
from companion.web.app import HEADERS
from tests.support.hosted import HOST, Hosted

T = TypeVar("T")

METHODS = ("GET", "GET", "GET", "POST", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "\u00e9")
PATHS = (
    *(
        "/",
        "/state",
        "/view/log",
        "/view/map",
        "/view/rules",
        "/view/odds",
        "/view/notes",
        "/review",
        "/view/review",
        "/static/app.js",
        "/t/",
        "/t/x",
    ),
    *("/do", "/answer", "/undo", "/redo", "/note", "/do", "/answer", "/answer", "/undo", "/nonce", "/consent", "/docs"),
    *("/../../etc/passwd", "/static/../app.py", "/static/%2e%2e/x", "//evil.example/", "/t/" + "a" * 5_000),
    *("/view/\u202e", "/\x00"),
)
HOSTS = (*(HOST,) * 8, "localhost:8807", "evil.example", "", "127.0.0.1:8807.evil.example", "[::1]:8807", "\u00e9")
TEXTS = (
    *("", "x", "rest", "banter", "2.1", "3.1", "offer", "<script>alert(1)</script>", "'; DROP TABLE log; --", "../.."),
    *("\u202e", "\ud800", "\x00\x1b[2J", "9" * 3_000, "--db=/etc/passwd", "=1+1", "%s%n", "{{7*7}}"),
)
KEYS = (
    *("action", "at", "at_id", "value", "values", "dice", "draw", "accept", "anyway", "count", "to", "reply", "text"),
    *("db", "argv"),
)
CALLS = ("/do", "/answer", "/answer", "/answer", "/undo", "/redo", "/note")
QUERIES = (b"", b"", b"q=3.1", b"q=" + b"%ff" * 20, b"from=-1", b"from=1", b"situation=bag", b"situation=zzz", b"a&b=&=c")
BODIES = (b"", b"[]", b"null", b"[" * 5_000, b'{"a":' * 5_000, b"{" + b"x" * 70_000, b'"' + b"x" * 64_100 + b'"')


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own: a browser of another test may hold the loop of this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


class Sent(NamedTuple):
    """A request, and whose cookie it has."""

    method: str
    path: str
    query: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes
    role: str
    is_from_page: bool


class Got(NamedTuple):
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes


def random_value(random: Random, depth: int = 0) -> Any:
    kind = random.randrange(9 if depth < 3 else 7)
    if kind < 3:
        return random.choice(TEXTS)
    if kind < 5:
        return random.choice((0, 1, 2, 3, 6, -1, 7, 1 << 62, 10**40, 1.5, float("inf"), float("nan")))
    if kind < 7:
        return random.choice((True, False, None))
    if kind == 7:
        return [random_value(random, depth + 1) for _ in range(random.randrange(4))]
    return {random.choice(KEYS + TEXTS): random_value(random, depth + 1) for _ in range(random.randrange(4))}


def random_body(random: Random, state: Any) -> bytes:
    """A body: nonsense, random fields, or nearly what the page sends."""
    kind = random.randrange(20)
    if kind == 0:
        return random.randbytes(random.randrange(200))
    if kind == 1:
        return random.choice(BODIES)
    if kind < 6:
        fields = {random.choice(KEYS): random_value(random) for _ in range(random.randrange(5))}
    else:
        now = {"at_id": state["id"], "at": state["at"]}
        fields = {**now, "action": "banter", "value": random.randint(0, 7), "text": "x", random.choice(("count", "reply")): 1}
        fields |= {"reply": True} if "reply" in fields else {}
        for _ in range(random.randrange(3) if random.random() < 0.5 else 0):
            fields[random.choice(KEYS)] = random_value(random)
    return json.dumps(fields).encode("utf-8", "surrogatepass")


def random_request(random: Random, made: Hosted, state: Any) -> Sent:
    """Any request; half of them are nearly right."""
    is_nearly_right = random.random() < 0.5
    host = HOST if is_nearly_right else random.choice(HOSTS)
    role = random.choice(("red", "blue", "watch", "", "old"))
    cookie = made.links.cookie(role) if role in made.links.roles else random.choice(("", "0" * 64, "red", "x" * 9_000, "\u00e9"))
    origin = random.choice((*(f"http://{HOST}",) * 12, "", "null", "http://evil.example", f"https://{HOST}", f"http://{HOST}/"))
    kind = random.choice((*("application/json",) * 12, "text/plain", "", "application/json; charset=utf-7"))
    fields = [("host", host), ("cookie", f"{made.host.cookie}={cookie}"), ("origin", origin), ("content-type", kind)]
    fields += [("content-length", random.choice(("0", "-1", "x", "99999999999")))] * (random.random() < 0.05)
    fields += [("last-event-id", random.choice(TEXTS))] * (random.random() < 0.1)
    fields += [("x-forwarded-host", "evil.example"), ("x-forwarded-proto", "https")] * (random.random() < 0.1)
    headers = [(name.encode(), value.encode("utf-8", "replace")) for name, value in fields if random.random() < 0.98]
    kept = {name.decode() for name, _ in headers}
    is_from_page = {"host", "cookie", "origin"} <= kept and host == HOST and origin == f"http://{HOST}"
    method, path = ("POST", random.choice(CALLS)) if is_nearly_right else (random.choice(METHODS), random.choice(PATHS))
    body = random_body(random, state)
    return Sent(method, path, random.choice(QUERIES), headers, body, role if role in made.links.roles else "", is_from_page)


async def send(made: Hosted, sent: Sent) -> Got:
    """Send a request to the application as its server does."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": sent.method,
        "scheme": "http",
        "path": sent.path,
        "raw_path": sent.path.encode("utf-8", "replace"),
        "root_path": "",
        "query_string": sent.query,
        "headers": sent.headers,
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8807),
    }
    parts = [sent.body[:100], sent.body[100:]]
    status, headers, body = 0, {}, b""

    async def receive() -> Any:
        return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)} if parts else {"type": "http.disconnect"}

    async def answer(message: Any) -> None:
        nonlocal status, headers, body
        if message["type"] == "http.response.start":
            status = message["status"]
            headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            body += message.get("body", b"")

    await made.app(scope, receive, answer)
    return Got(status, headers, body)


class Checked:
    """Sends requests and checks what must hold after each."""

    def __init__(self, made: Hosted) -> None:
        self.made = made
        self.statuses: dict[int, int] = {}
        self.changes = 0

    def state(self) -> Any:
        """Number of the last row, number of the open question, and its seat."""
        session = self.made.play._session
        seat = asked_seat(session, session.pending) if session.pending else ""
        return {"id": session.history.seq, "at": session.question_number, "seat": seat}

    async def send(self, sent: Sent, before: Any) -> None:
        """Send a request. `before`: the state before it."""
        got = await send(self.made, sent)
        self.statuses[got.status] = self.statuses.get(got.status, 0) + 1
        after = self.state()
        assert not self.made.faults, (sent, self.made.faults)
        assert got.status in (200, 303, 400, 401, 403, 404, 405, 408, 409, 413, 415, 421, 429, 503), (sent, got)
        is_review = sent.path == "/review" and got.status == 200  # it has a policy of its own
        headers = {name: value for name, value in HEADERS.items() if not (is_review and name == "Content-Security-Policy")}
        assert {name: got.headers.get(name.casefold()) for name in headers} == headers, sent
        assert b"Traceback" not in got.body
        assert b"companion/" not in got.body
        if after["id"] == before["id"]:
            return
        self.changes += 1
        assert got.status == 200, (sent, got)
        assert sent.is_from_page, sent
        assert sent.method == "POST", sent
        assert sent.role in ("red", "blue"), sent
        if sent.path == "/answer":
            assert before["seat"] == sent.role, (sent, before)
        elif sent.path == "/do":
            assert not before["at"], (sent, before)
        else:
            assert sent.path in ("/undo", "/redo", "/note"), sent
