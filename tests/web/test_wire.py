"""The server over raw connections: streams, resync, clients that are slow, silent, too many or send nonsense."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from threading import Event

import pytest

from companion.core.procedures import Progress
from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.web import server, stream
from companion.web.app import Limits
from tests.support import tiny
from tests.support.hosted import Hosted, Wire, served

Served = tuple[Hosted, int]


@pytest.fixture
def haggle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_haggle")
    monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)


@pytest.fixture
def host(haggle: None) -> Iterator[Served]:
    with served() as made:
        yield made


def opened(host: Served, role: str, last: str = "") -> Wire:
    """A stream of a role."""
    made, port = host
    wire = Wire(port, made, role)
    wire.send("GET", "/events", headers={"Last-Event-ID": last} if last else {})
    assert wire.status() == 200
    return wire


def post(host: Served, role: str, path: str, body: bytes) -> int:
    made, port = host
    with Wire(port, made, role) as wire:
        wire.send("POST", path, body)
        return wire.status()


def test_change_reaches_every_stream_with_its_number(host: Served) -> None:
    with opened(host, "red") as red, opened(host, "watch") as watch:
        kinds = [wire.event()[1:] for wire in (red, watch)]
        assert {number for number, _ in kinds} == {str(kinds[0][1]["id"])}
        assert post(host, "blue", "/note", b'{"text": "x"}') == 200

        for wire in (red, watch):
            _, number, state = wire.event()
            assert int(number) == state["id"] == kinds[0][1]["id"] + 1


def test_what_another_process_does_reaches_every_stream(host: Served) -> None:
    with opened(host, "red") as red, Archive.open() as archive:
        red.event()
        SessionController.open(archive, "game").do("banter")

        assert red.event()[2]["at"] == "2.1"


def test_phone_that_slept_catches_up(host: Served) -> None:
    """By the number of the last event: nothing is sent again, and nothing is left out."""
    with opened(host, "red") as red:
        first = red.event()
    with opened(host, "red", first[1]) as red:
        post(host, "blue", "/note", b'{"text": "x"}')
        second = red.event()
    for text in (b"a", b"b"):
        post(host, "blue", "/note", b'{"text": "%s"}' % text)
    with opened(host, "red", second[1]) as red:
        third = red.event()

    assert [int(event[1]) - int(first[1]) for event in (second, third)] == [1, 3]
    with opened(host, "red", "99999") as red:  # of another host
        assert red.event()[1] == third[1]


def test_silent_stream_shows_that_the_host_is_there(host: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "SILENCE_SECONDS", 0.05)
    with opened(host, "red") as red:
        red.event()
        text = red.read_until(b"data: {}\n\n")

    assert b"\n: \n" in text.replace(b"\r", b"")
    assert b"event: alive\n" in text


def test_stream_has_a_lifetime(haggle: None) -> None:
    with served(limits=Limits(stream_seconds=0.2)) as host, opened(host, "red") as red:
        red.event()

        assert red.read_until(b"0\r\n\r\n").endswith(b"0\r\n\r\n")


def test_new_link_ends_the_stream_at_once(host: Served) -> None:
    made, _ = host
    with opened(host, "red") as red, opened(host, "blue") as blue:
        red.event()
        blue.event()
        made.renew(["red"])

        assert red.event()[0] == "revoked"
        post(host, "blue", "/note", b'{"text": "x"}')
        assert blue.event()[0] == ""


def test_end_of_the_host_is_told(haggle: None) -> None:
    with served() as host:
        red = opened(host, "red")
        red.event()
    assert red.event()[0] == "ended"
    red.socket.close()


def test_streams_of_a_link_are_limited(haggle: None) -> None:
    with served(limits=Limits(streams=3)) as host, ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(opened(host, "red")).event()
        made, port = host
        more = stack.enter_context(Wire(port, made, "red"))
        more.send("GET", "/events")
        assert more.status() == 503
        stack.enter_context(opened(host, "blue")).event()


def test_closed_stream_is_not_counted_any_more(haggle: None) -> None:
    with served(limits=Limits(streams=1)) as host:
        for _ in range(5):
            with opened(host, "red") as red:
                red.event()
            end = time.monotonic() + 5
            while host[0].changes.open["red"] and time.monotonic() < end:
                time.sleep(0.01)


def test_client_that_reads_nothing_is_dropped(host: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """And costs only what the system and one event take, since each event is the whole state."""
    monkeypatch.setattr(server, "WRITE_SECONDS", 0.3)
    made, port = host
    with Wire(port, made, "red") as slow, opened(host, "blue") as blue:
        slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
        slow.send("GET", "/events")
        blue.event()
        end = time.monotonic() + 15
        while made.changes.open["red"] and time.monotonic() < end:
            status = post(host, "blue", "/note", b'{"text": "%s"}' % (b"x" * 1_500))
            if status == 429:  # too many a second
                time.sleep(0.05)
            else:
                blue.event()

        assert made.changes.open["red"] == 0


@pytest.mark.parametrize(
    "sent", [b"", b"GET /sta", b"GET /state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Y", b"POST /note HTTP/1.1\r\nHost: x\r\n"]
)
def test_headers_that_do_not_come_are_not_waited_for(host: Served, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.2)
    made, port = host
    with Wire(port, made) as wire:
        wire.socket.sendall(sent)

        assert wire.is_closed(5)


def test_headers_that_come_drop_by_drop_are_not_waited_for(host: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a connection that has been answered before."""
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.4)
    made, port = host
    with Wire(port, made, "red") as wire:
        wire.send("GET", "/static/app.js")
        wire.status()
        begun = time.monotonic()
        try:
            while time.monotonic() < begun + 5:
                wire.socket.sendall(b"G")
                time.sleep(0.05)
        except ConnectionError:
            pass

        assert time.monotonic() < begun + 3


def test_body_that_does_not_come_is_not_waited_for(haggle: None) -> None:
    with served(limits=Limits(body_seconds=0.2)) as (made, port), Wire(port, made, "red") as wire:
        wire.send("POST", "/note", headers={"Content-Length": "10"})

        assert wire.status() == 408
        assert wire.is_closed(10)


NONSENSE = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
    b"GET / HTTP/9.9\r\n\r\n",
    b"\r\n\r\n\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 5_000 + b"\r\n",
    b"GET /" + b"a" * 20_000,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
]


def test_nonsense_is_refused_and_the_connection_closed(host: Served) -> None:
    made, port = host
    for sent in NONSENSE:
        with Wire(port, made) as wire:
            wire.socket.sendall(sent)
            wire.socket.shutdown(socket.SHUT_WR)
            answer = wire.read_until(b"\r\n\r\n")

            assert not answer or answer.split()[1] in (b"400", b"421"), (sent, answer)
            assert b"Traceback" not in answer
    assert made.faults == []
    assert post(host, "blue", "/note", b'{"text": "x"}') == 200


def test_upgrade_is_not_made(host: Served) -> None:
    made, port = host
    with Wire(port, made, "red") as wire:
        wire.send("GET", "/events", headers={"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"})

        assert wire.status() == 200


def test_connections_are_limited(host: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_CONNECTIONS_OF_ONE", 5)
    made, port = host
    with ExitStack() as stack:
        wires = [stack.enter_context(Wire(port, made, "red")) for _ in range(5)]
        for wire in wires:
            wire.send("GET", "/static/app.js")
            assert wire.status() == 200
        more = stack.enter_context(Wire(port, made, "red"))
        assert more.is_closed(5)
    end = time.monotonic() + 5
    while post(host, "red", "/note", b'{"text": "x"}') != 200:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_server_ends_with_open_connections_of_every_kind(haggle: None) -> None:
    begun = 0.0
    with ExitStack() as stack:
        with served() as host:
            made, port = host
            for role in ("red", "blue", "watch"):
                stack.enter_context(opened(host, role)).event()
            stack.enter_context(Wire(port, made))
            stack.enter_context(Wire(port, made)).socket.sendall(b"GET /sta")
            stack.enter_context(Wire(port, made, "red")).send("POST", "/note", headers={"Content-Length": "10"})
            begun = time.monotonic()
        assert time.monotonic() - begun < 5


def test_end_breaks_off_what_computes(haggle: None) -> None:
    """As an opponent that thinks; nothing of the call is kept."""
    begun, end = Event(), Event()

    def think() -> None:
        begun.set()
        try:
            while True:
                made.play._session.watch(Progress(1, 2, "1.1"))
                time.sleep(0.001)
        finally:
            end.set()

    with served() as (made, _):
        made.play.call(think)
        assert begun.wait(10)
        started = time.monotonic()
    assert end.is_set()
    assert time.monotonic() - started < 5
