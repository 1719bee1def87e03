"""A host of a session in this process: its application, its server, and clients of both."""

from __future__ import annotations

import json
import socket
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.web.address import Address
from companion.web.app import Host, Limits, make_app
from companion.web.play import Play
from companion.web.server import Server, open_socket
from companion.web.stream import Changes
from companion.web.tokens import WATCHER, Links, Role

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # newer releases prefer the successor of httpx, which older ones do not know
    from starlette.testclient import TestClient

SEATS = (("red", "Red"), ("blue", "Blue"))
HOST = "127.0.0.1:8807"
NO_LIMIT = Limits(rate=1e9, burst=1e9, strangers_rate=1e9, strangers_burst=1e9, streams=200)


class Hosted:
    """A host.

    Attributes:
        faults: What it reported.
    """

    def __init__(
        self, controller: SessionController, *, port: int = 8807, limits: Limits | None = None, is_alone: bool = False
    ) -> None:
        self.faults: list[BaseException] = []
        self.links = Links([*(Role(*seat) for seat in SEATS[: 1 if is_alone else 2]), WATCHER])
        self.changes = Changes()
        self.play = Play(controller.archive.path, controller.info, self.changes.notify, self.renew)
        self.host = Host(
            self.play,
            self.links,
            self.changes,
            [Address("http", f"localhost:{port}"), Address("http", f"127.0.0.1:{port}"), Address("https", "play.example.org")],
            report=self.faults.append,
            limits=limits,
        )
        self.app = make_app(self.host)

    def renew(self, roles: Any) -> None:
        self.links.renew(roles)
        self.changes.notify()

    def client(self, role: str = "", host: str = HOST) -> Browser:
        """A client with the cookie of a role."""
        return Browser(self, role, host)


class Browser:
    """A client that sends what a browser with the page sends."""

    def __init__(self, hosted: Hosted, role: str, host: str) -> None:
        self.http = TestClient(hosted.app, base_url=f"http://{host}", raise_server_exceptions=True, follow_redirects=False)
        if role:
            self.http.headers["cookie"] = f"{hosted.host.cookie}={hosted.links.cookie(role)}"
        self.origin = f"http://{host}"

    def get(self, path: str, **headers: str) -> Any:
        return self.http.get(path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        sent = {"origin": self.origin, "content-type": "application/json", **headers}
        content = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        return self.http.post(path, content=content, headers=sent)

    def state(self) -> Any:
        answer = self.get("/state")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def do(self, action: str, **fields: Any) -> Any:
        return self.post("/do", {"action": action, "at_id": self.state()["id"], **fields})

    def answer(self, value: Any, **fields: Any) -> Any:
        return self.post("/answer", {"at": self.state()["at"], "value": value, **fields})


@contextmanager
def hosted(is_alone: bool = False, game: str = "tiny", **options: Any) -> Iterator[Hosted]:
    """A host of a new session of a made-up game for two, without a server."""
    with Archive.open() as archive:
        chosen = {"blue": "bot"} if is_alone else {}
        controller = SessionController.create(archive, game, "", chosen, seed="1", name="game")
        made = Hosted(controller, is_alone=is_alone, **options)
        made.play.start()
        try:
            yield made
        finally:
            made.play.stop()
    for fault in made.faults:
        raise fault


@contextmanager
def served(**options: Any) -> Iterator[tuple[Hosted, int]]:
    """The same with its server in a thread; and its port."""
    with open_socket("127.0.0.1", 0) as listening, Archive.open() as archive:
        controller = SessionController.create(archive, "tiny", seed="1", name="game")
        port = listening.getsockname()[1]
        made = Hosted(controller, port=port, **options)
        made.play.start()
        server = Server(made.app, made.changes, made.faults.append)
        thread = Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            yield made, port
        finally:
            server.should_exit = True
            thread.join(10)
            assert not thread.is_alive()
            made.play.stop()
    for fault in made.faults:
        raise fault


class Wire:
    """A raw connection."""

    def __init__(self, port: int, made: Hosted, role: str = "") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self._made = made
        self._port = port
        self._role = role
        self._rest = b""

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        """Send a request as the page does."""
        fields = {"Host": f"127.0.0.1:{self._port}"}
        if self._role:
            fields["Cookie"] = f"{self._made.host.cookie}={self._made.links.cookie(self._role)}"
        if method == "POST":
            fields |= {
                "Origin": f"http://127.0.0.1:{self._port}",
                "Content-Type": "application/json",
                "Content-Length": str(len(body)),
            }
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in {**fields, **(headers or {})}.items())]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode() + body)

    def read_until(self, mark: bytes) -> bytes:
        """Return what is received up to a mark; up to the end if it does not come."""
        while mark not in self._rest:
            part = b""
            with suppress(ConnectionError):
                part = self.socket.recv(65_536)
            if not part:
                found, self._rest = self._rest, b""
                return found
            self._rest += part
        found, _, self._rest = self._rest.partition(mark)
        return found + mark

    def status(self) -> int:
        """Return the status of the next response, and read its head."""
        head = self.read_until(b"\r\n\r\n")
        return int(head.split()[1]) if head else 0

    def event(self) -> Any:
        """Return the next event with data: number and document. Chunk heads of the transfer stand on lines of their own."""
        while True:
            text = self.read_until(b"\n\n")
            if not text.endswith(b"\n\n"):
                return None
            fields = dict(line.split(": ", 1) for line in text.decode().splitlines() if ": " in line)
            if "data" in fields and fields.get("event", "") != "alive":
                return fields.get("event", ""), fields.get("id", ""), json.loads(fields["data"])

    def is_closed(self, seconds: float) -> bool:
        """True if the other end closes within some seconds."""
        self.socket.settimeout(seconds)
        try:
            while self.socket.recv(65_536):
                pass
        except TimeoutError:
            return False
        except ConnectionError:
            pass
        return True
