"""The web application: its routes, and what is checked before each."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.cli.shell.output import error_data
from companion.core.errors import BadData, CompanionError, SessionMoved, Unreadable
from companion.core.values import JsonDict
from companion.session.seat_answers import Forbidden
from companion.session.trusted import ConsentPending
from companion.web.address import Address
from companion.web.files import INDEX, STATIC
from companion.web.play import Busy, Document, Play
from companion.web.review import NotReviewed
from companion.web.stream import Changes, events
from companion.web.tokens import Links, Role

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""Sent with every response."""


class Limits(NamedTuple):
    """Limits of what clients may do.

    Attributes:
        body: Bytes of a request.
        body_seconds: Seconds in which its body must arrive.
        rate, burst: Requests a second of one client, and how many at once.
        strangers_rate, strangers_burst: The same for requests without a valid link.
        streams: Open streams of one role.
        stream_seconds: Seconds after which a stream ends; the page opens another.
        depth, texts: Lists within each other and characters of a text in a request.
    """

    body: int = 64_000
    body_seconds: float = 10.0
    rate: float = 30.0
    burst: int = 90
    strangers_rate: float = 5.0
    strangers_burst: int = 50
    streams: int = 64
    stream_seconds: float = 3_600.0
    depth: int = 4
    text: int = 4_000


class Host:
    """What the application serves.

    Args:
        addresses: Those under which it may be reached.
        cookie: The name of its cookie; cookies of one machine are not told apart by port.
        report: Called with a fault of ours.
    """

    def __init__(
        self,
        play: Play,
        links: Links,
        changes: Changes,
        addresses: Sequence[Address],
        cookie: str = "companion",
        limits: Limits | None = None,
        report: Callable[[BaseException], None] = lambda error: None,
    ) -> None:
        self.play = play
        self.links = links
        self.changes = changes
        self.addresses = {address.host: address for address in addresses}
        self.cookie = cookie
        self.limits = limits or Limits()
        self.report = report
        self._first_facts = play.version[1]
        self._documents: dict[str, asyncio.Future[Document]] = {}
        self._made: dict[str, Document] = {}

    @property
    def is_told_by_id(self) -> bool:
        """True if the number of the last row says all of the state: no printed value was changed while the host ran."""
        return self.play.version[1] == self._first_facts

    async def document(self, role: Role, *, is_fresh: bool = False) -> Document:
        """Return the state as a role sees it; made once for all its pages.

        Args:
            is_fresh: Look into the archive first; otherwise the state may be that of the last look, a tenth of a second ago.
        """
        made = None if is_fresh else self._made.get(role.id)
        if made is not None and made.version == self.play.version:
            return made
        task = self._documents.get(role.id)
        if task is None:
            task = asyncio.ensure_future(asyncio.wrap_future(self.play.call(lambda: self.play.document(role))))
            self._documents[role.id] = task
            task.add_done_callback(lambda done: self._documents.pop(role.id, None))
        document = await asyncio.shield(task)
        self._made[role.id] = document
        return document


# -- limits of requests ------------------------------------------------------------------------------------------------------


class _Bucket(NamedTuple):
    left: float
    at: float


class Rates:
    """Counts the requests of each client.

    Args:
        rate: Requests a second.
        burst: Requests at once.
    """

    _MAX_CLIENTS = 1_000

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def allows(self, client: str) -> bool:
        """Count a request; False if it is one too many."""
        now = time.monotonic()
        left, at = self._buckets.pop(client, _Bucket(self._burst, now))
        left = min(left + (now - at) * self._rate, self._burst) - 1
        self._buckets[client] = _Bucket(max(left, 0.0), now)
        if len(self._buckets) > self._MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return left >= 0


# -- the application -----------------------------------------------------------------------------------------------------------


def error_response(
    error: CompanionError, status: int, state: Document | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """Return an error as in the protocol, with the state where it is stale."""
    body: JsonDict = {**(state.data if state else {}), "error": error_data(error)["error"]}
    return JSONResponse(body, status, headers)


def status_of(error: CompanionError) -> int:
    """Return the HTTP status of an error."""
    kinds: tuple[tuple[type[CompanionError], int], ...] = ((SessionMoved, 409), (Forbidden, 403), (Busy, 503), (BadData, 503))
    return next((status for kind, status in kinds if isinstance(error, kind)), 400)


_PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
_ONCE_MORE = f'{_PAGE}<title>Companion</title><meta http-equiv="refresh" content="0;url=/?again=1">'
_NO_COOKIE = (
    f"{_PAGE}<title>Companion</title><h1>A link is needed</h1><p>Open the link again, or scan its code: "
    "the host shows both. If that leads here again: allow this address to set cookies."
)
_NO_LINK = "Open the link again, or scan its code: the host shows both"


_CALLS = ("do", "answer", "undo", "redo", "note", "nonce", "consent")


def make_app(host: Host) -> ASGIApp:
    """Return the application of a host."""
    routes = [
        Route("/t/{token}", _Opened(host).open, methods=["GET"]),
        Route("/", _Opened(host).page, methods=["GET"]),
        Route("/favicon.ico", _Opened(host).icon, methods=["GET"]),
        Route("/static/{name}", _Opened(host).static, methods=["GET"]),
        Route("/state", _Opened(host).state, methods=["GET"]),
        Route("/events", _Opened(host).events, methods=["GET"]),
        Route("/view/{name}", _Opened(host).view, methods=["GET"]),
        *(Route(f"/{name}", _Call(host, name).run, methods=["POST"]) for name in _CALLS),
        Route("/trust", _Opened(host).trust, methods=["GET"]),
        Route("/review", _Opened(host).review, methods=["GET"]),
    ]
    handlers: Mapping[Any, Any] = {HTTPException: _http_error, CompanionError: _companion_error, Exception: _fault}
    return Guard(host, Starlette(routes=routes, exception_handlers=handlers))


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "there is no such page", 405: "this cannot be done here"}
    refusal = Unreadable(words.get(error.status_code, "the request cannot be read"), cure="Open the page: /")
    return error_response(refusal, error.status_code, headers=error.headers)


def _companion_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, CompanionError)
    return error_response(error, status_of(error))


def _fault(request: Request, error: Exception) -> Response:
    """Tell of a fault of ours without its particulars, which the guard reports."""
    fault = CompanionError("a fault in Companion", cure="The terminal of the host says more")
    fault.kind = "fault"
    return error_response(fault, 500)


class _Opened:
    """What can be opened."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def open(self, request: Request) -> Response:
        """Take the token of a link for a cookie, so that it leaves the address bar."""
        role = self._host.links.role_of_token(request.path_params["token"])
        if role is None:
            return error_response(Forbidden("this link is not valid any more", cure=_NO_LINK), 403)
        response = RedirectResponse("/", 303)
        response.set_cookie(
            self._host.cookie,
            self._host.links.cookie(role.id),
            path="/",
            secure=_address(self._host, request).is_secure,
            httponly=True,
            samesite="strict",
        )
        return response

    async def page(self, request: Request) -> Response:
        if request.scope["companion.role"] is None:
            # A browser withholds the cookie where a page of another site led here; it sends it where this page leads on.
            page = _NO_COOKIE if "again" in request.query_params else _ONCE_MORE
            return Response(page, 401, media_type="text/html")
        return Response(INDEX, media_type="text/html")

    async def static(self, request: Request) -> Response:
        found = STATIC.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        return Response(found.content, media_type=found.media_type)

    async def icon(self, request: Request) -> Response:
        """What a browser asks for by itself where no page names an icon."""
        return Response(STATIC["icon.svg"].content, media_type="image/svg+xml")

    async def state(self, request: Request) -> Response:
        document = await self._host.document(_role(request), is_fresh=True)
        return Response(document.text, media_type="application/json")

    async def view(self, request: Request) -> Response:
        role, name, query = _role(request), request.path_params["name"], dict(request.query_params)
        if name not in ("log", "map", "rules", "odds", "notes", "review"):
            raise HTTPException(404)
        call = self._host.play.call(lambda: self._host.play.view(role, name, query))
        return JSONResponse(await asyncio.wrap_future(call))

    async def trust(self, request: Request) -> Response:
        """All rolls of a session with trusted dice, for the page to check its own copy."""
        role = _role(request)
        return JSONResponse(await asyncio.wrap_future(self._host.play.call(lambda: self._host.play.trust(role))))

    async def review(self, request: Request) -> Response:
        """The page of the review, whose script can reach nothing of this page nor of the host."""
        from companion.views.review_page import page_policy

        _role(request)
        try:
            page = await asyncio.wrap_future(self._host.play.call(self._host.play.review))
        except NotReviewed as error:
            return Response(f"{error.message}. {error.cure}.", 404, media_type="text/plain")
        policy = f"{page_policy()}; frame-ancestors 'none'; sandbox allow-scripts"
        return Response(page, media_type="text/html", headers={"Content-Security-Policy": policy})

    async def events(self, request: Request) -> Response:
        host, role = self._host, _role(request)
        if host.changes.open[role.id] >= host.limits.streams:
            raise Busy("too many pages are open with this link", cure="Close one of them")
        cookie = request.cookies.get(host.cookie, "")
        last = request.headers.get("last-event-id", "")
        version = host.play.version
        seen = version if last == str(version[0]) and host.is_told_by_id else None
        stream = events(
            host.changes,
            lambda: host.document(role),
            lambda: host.links.role_of_cookie(cookie) == role,
            seen,
            host.limits.stream_seconds,
        )
        return _EventStream(host.changes, role, stream)


class _EventStream(StreamingResponse):
    """A stream that is counted while it is open."""

    def __init__(self, changes: Changes, role: Role, stream: Any) -> None:
        super().__init__(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        self._changes = changes
        self._role = role

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._changes.open[self._role.id] += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._changes.open[self._role.id] -= 1


class _Call:
    """A POST: one call on the session."""

    def __init__(self, host: Host, name: str) -> None:
        self._host = host
        self._name = name

    async def run(self, request: Request) -> Response:
        host, role = self._host, _role(request)
        body = await _json_body(request, host.limits)
        work = getattr(host.play, self._name)
        try:
            document = await asyncio.wrap_future(host.play.call(lambda: work(role, body)))
        except SessionMoved as error:
            return error_response(error, 409, await host.document(role))
        except ConsentPending as error:  # taken, and not carried out yet
            document = await host.document(role)
            return JSONResponse({**document.data, "message": str(error)}, 202)
        return Response(document.text, media_type="application/json")


def _role(request: Request) -> Role:
    role = request.scope["companion.role"]
    if role is None:
        raise HTTPException(401)
    assert isinstance(role, Role)
    return role


def _address(host: Host, request: Request) -> Address:
    return host.addresses[request.headers["host"]]


async def _json_body(request: Request, limits: Limits) -> JsonDict:
    """Return the JSON object of a request. Raises Unreadable, HTTPException: it is too long, too slow or none."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415)
    parts: list[bytes] = []
    length = 0
    try:
        async with asyncio.timeout(limits.body_seconds):
            async for part in request.stream():
                length += len(part)
                if length > limits.body:
                    raise HTTPException(413)
                parts.append(part)
    except TimeoutError:
        raise HTTPException(408) from None
    return read_object(b"".join(parts), limits)


def read_object(content: bytes, limits: Limits) -> JsonDict:
    """Return a JSON object. Raises Unreadable: it is none, or has what no request has."""

    def refuse(word: str) -> Any:
        raise ValueError(word)

    try:
        body = json.loads(content.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError):
        raise Unreadable("the request is not JSON") from None
    if not isinstance(body, dict):
        raise Unreadable("the request is not a JSON object")
    _check_parts(body, limits, limits.depth)
    return body


def _check_parts(part: Any, limits: Limits, depth: int) -> None:
    """Raise Unreadable for a part that is too deep or too long, or a text that is none."""
    if isinstance(part, str):
        if len(part) > limits.text or "\0" in part or any("\ud800" <= char <= "\udfff" for char in part):
            raise Unreadable("the request has a text that is too long, or characters that are not text")
        return
    if isinstance(part, int) and abs(part) >= 1 << 53:
        raise Unreadable("a number is too large")
    if isinstance(part, dict | list):
        if not depth:
            raise Unreadable("the request has too many lists within each other")
        for item in [*part, *part.values()] if isinstance(part, dict) else part:
            _check_parts(item, limits, depth - 1)


_CLOSING = (401, 403, 408, 413, 415, 421, 429)
"""Statuses after which a connection is closed: the body may not have been read."""


class Guard:
    """Checks each request before the application sees it, and answers faults. Adds the headers."""

    def __init__(self, host: Host, app: ASGIApp) -> None:
        self._host = host
        self._app = app
        limits = host.limits
        self._rates = Rates(limits.rate, limits.burst)
        self._strangers = Rates(limits.strangers_rate, limits.strangers_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                own = {name for name, _ in message["headers"]}
                extra = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                if message["status"] in _CLOSING:
                    extra.append((b"connection", b"close"))
                message = {**message, "headers": [*message["headers"], *(item for item in extra if item[0] not in own)]}
            await send(message)

        try:
            refusal = self._refusal(scope)
            if refusal is None:
                await self._app(scope, receive, send_with_headers)
            else:
                await refusal(scope, receive, send_with_headers)
        except ClientDisconnect:
            return
        except Exception as error:
            self._host.report(error)
            if not started:
                await _fault(Request(scope), error)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the refusal of a request, or None; set its role."""
        host = self._host
        request = Request(scope)
        names = request.headers.getlist("host")
        address = host.addresses.get(names[0]) if len(names) == 1 else None
        if address is None:
            return error_response(
                Forbidden("this host is not known by that name", cure="Open the link as the host shows it"), 421
            )
        role = host.links.role_of_cookie(request.cookies.get(host.cookie, ""))
        scope["companion.role"] = role
        client = scope["client"][0] if scope.get("client") else ""
        is_allowed = self._rates.allows(f"{client} {role.id}") if role else self._allows_stranger(request, client)
        if not is_allowed:
            return error_response(Busy("too many requests", cure="Wait a moment"), 429, headers={"Retry-After": "2"})
        if scope["method"] not in ("GET", "HEAD") and request.headers.getlist("origin") != [address.origin]:
            return error_response(Forbidden("the request comes from another page", cure="Open the page of this host"), 403)
        path = scope["path"]
        if role is None and path not in ("/", "/favicon.ico") and not path.startswith(("/t/", "/static/")):
            return error_response(Forbidden("a link is needed", cure=_NO_LINK), 401)
        return None

    def _allows_stranger(self, request: Request, client: str) -> bool:
        path = request.scope["path"]
        is_link = path.startswith("/t/") and self._host.links.role_of_token(path.removeprefix("/t/"))
        return bool(is_link) or self._strangers.allows(client)
