"""The server: its socket, its limits of connections, and its end."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, ClassVar

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.core.errors import BadData, Unreadable
from companion.web.stream import Changes

MAX_CONNECTIONS = 256
MAX_CONNECTIONS_OF_ONE = 128
"""Of one address: a proxy brings those of all players."""
HEADER_BYTES = 16_384
HEADER_SECONDS = 10.0
"""In which a request must begin and its headers arrive."""
WRITE_SECONDS = 20.0
"""After which a client that reads nothing is dropped."""


def open_socket(address: str, port: int) -> socket.socket:
    """Return a socket that is bound to an address; port 0: any. Raises Unreadable, BadData: it cannot be bound."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if hasattr(socket, "SO_REUSEADDR") and socket.SO_REUSEADDR and not hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port whose last host has just ended
        listening.bind((address, port))
        listening.listen(MAX_CONNECTIONS)  # links are shown before the server runs
    except OverflowError:
        listening.close()
        raise Unreadable(f"there is no port {port}", cure="A number up to 65535; 0 for any that is free") from None
    except OSError as fault:
        listening.close()
        what = f"{address} port {port} cannot be used: {fault.strerror or fault}"
        raise BadData(what, cure="Any free port: --port 0; addresses of this machine: --lan, or --address 127.0.0.1") from None
    return listening


def lan_address() -> str:
    """Return the address of this machine in the local network. Raises BadData: it is in none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the way
        address = str(probe.getsockname()[0])
        if not address.startswith(("127.", "0.")):
            return address
    raise BadData("this machine is in no network", cure="Connect it; or name its address: --address 192.168.1.7")


class GuardedProtocol(H11Protocol):
    """HTTP with limits for clients that are slow, silent or many."""

    _counts: ClassVar[Counter[str]] = Counter()
    _timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None
    _counted = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._counted = self.client[0] if self.client else "?"
        self._counts[self._counted] += 1
        _detect_dead_peers(transport.get_extra_info("socket"))
        if len(self.connections) > MAX_CONNECTIONS or self._counts[self._counted] > MAX_CONNECTIONS_OF_ONE:
            transport.abort()
            return
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._counts[self._counted] -= 1
        if not self._counts[self._counted]:
            del self._counts[self._counted]
        self._stop_timer()
        if self._write_timer:
            self._write_timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_timer()
        else:  # part of a head, or of a body that nobody reads: the keep-alive timer has been stopped
            self._expect_headers()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self._expect_headers()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, also where a request has begun: its response is not sent any more."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # the response has begun
            self.transport.abort()

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _expect_headers(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_timer = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        if self._write_timer:
            self._write_timer.cancel()
        super().resume_writing()


def _detect_dead_peers(connection: Any) -> None:
    """Have the system close a connection whose other end has vanished."""
    with suppress(OSError, AttributeError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(WRITE_SECONDS * 2000))


class Server(uvicorn.Server):
    """Serves an application until a signal ends it.

    Args:
        report: Called with a fault of ours outside of any request.

    Attributes:
        is_interrupted: A signal has ended it.
    """

    def __init__(self, app: ASGIApp, changes: Changes, report: Callable[[BaseException], None]) -> None:
        for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        super().__init__(
            uvicorn.Config(
                app,
                http=GuardedProtocol,
                loop="asyncio",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                h11_max_incomplete_event_size=HEADER_BYTES,
                timeout_keep_alive=20,
                timeout_graceful_shutdown=1,
            )
        )
        self._changes = changes
        self._report = report
        self.is_interrupted = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._handle_fault)
        self._changes.attach(loop)
        await super().startup(sockets)

    def _handle_fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if error is not None and not isinstance(error, OSError):  # a client that has gone
            self._report(error)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._changes.end()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.is_interrupted = True
        self.should_exit, self.force_exit = True, self.should_exit

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Meanwhile signals end the server; they are not repeated afterwards, so that the command can tidy up."""
        names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
        numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
        try:
            before = {number: signal.signal(number, self.handle_exit) for number in numbers}
        except ValueError:  # not the main thread: the caller ends it
            yield
            return
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
