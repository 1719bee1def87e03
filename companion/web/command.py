"""`companion host`: opens a session to browsers until Ctrl-C."""

from __future__ import annotations

import ipaddress
import socket
import sys
import time
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from companion.cli.shell import catalog, output
from companion.cli.shell.archives import session_archive
from companion.cli.shell.arguments import Words
from companion.cli.shell.bar import BAR
from companion.cli.shell.process import is_plain
from companion.core.errors import BadData, CompanionError, Unreadable
from companion.core.text import clean, pick_name
from companion.core.values import JsonDict
from companion.session.controller import SessionController
from companion.views.lines import BLANK, Line
from companion.views.theme import CODE_COLOURS
from companion.web.address import Address

if TYPE_CHECKING:
    from companion.session.store import Archive
    from companion.web.tokens import Links, Role

LOOPBACK = "127.0.0.1"
USUAL_PORT = 8807
"""Tried first, so that a firewall can be told."""
_HEED_SECONDS = 2.0
"""In which a running host does what it is asked."""


@catalog.HOST
def host(lan: bool, port: int | None, address: str, seat: Words, revoke: bool, session: str, db: str, json: bool) -> int:
    """Open a session to the browsers of phones and tablets, until Ctrl-C.

    Each player's link answers for one seat, and one more only watches. Whoever has a link can use it, until the host ends or
    --revoke replaces it. It runs beside companion play on the same session: the first answer to a question counts.

    Example: companion host --lan
    """
    archive = session_archive(db, session)
    controller = SessionController.open(archive, session)
    if revoke:
        if lan or address or port is not None:
            raise Unreadable("--revoke goes with --seat and --session only", cure="Give it alone: companion host --revoke")
        return _revoke(archive, controller, seat, json)
    from companion.web.app import Host, make_app
    from companion.web.play import Play
    from companion.web.server import Server
    from companion.web.stream import Changes
    from companion.web.tokens import Links

    place, links, changes = read_place(lan, address), Links(seat_roles(controller, seat)), Changes()
    with bind(place.bound, port) as listening:
        number = listening.getsockname()[1]
        addresses = place.addresses(number)
        announcement = _Announcement(controller, links, addresses[-1].origin)

        def replace_links(roles: Sequence[str]) -> None:
            renewed = links.renew(roles)
            changes.notify()
            if not json:
                announcement.show_links(renewed, "Replaced by --revoke; the old one has ended.")

        play = Play(archive.path, controller.info, changes.notify, replace_links)
        play.start()
        try:
            hosted = Host(play, links, changes, addresses, f"companion_{number}", report=_report)
            server = Server(make_app(hosted), changes, _report)
            if json:
                output.write_json(announcement.data())
            else:
                announcement.show()
            output.flush()
            BAR.end()  # nothing is being computed from here on
            server.run([listening])
        finally:
            play.stop()
    if server.is_interrupted:
        raise KeyboardInterrupt
    return 0


def _revoke(archive: Archive, controller: SessionController, seat: Words, json: bool) -> int:
    """Have every running host of a session replace links. Raises Unreadable: none is running."""
    from secrets import token_hex

    from companion.web.tokens import WATCH

    seats = [*controller.game.seats, WATCH]
    roles = [pick_name(word.partition("=")[0], seats, "seat") for word in seat]
    number, info = token_hex(8), controller.info
    archive.ask_hosts(info.id, {"number": number, "roles": roles, "hosts": 0})
    try:
        hosts, end = 0, time.monotonic() + _HEED_SECONDS
        while time.monotonic() < end:
            time.sleep(0.05)
            heard = int(archive.host_request(info.id).get("hosts", 0))
            if heard > hosts:  # perhaps there is another one
                hosts, end = heard, time.monotonic() + _HEED_SECONDS / 4
    finally:
        archive.ask_hosts(info.id, {})
    if not hosts:
        raise Unreadable(
            f"no host of the session {info.name} is running", cure="Its links have ended with it. For new ones: companion host"
        )
    replaced = roles or seats
    text = f"New links for {', '.join(replaced)}: the host shows them. The old ones have ended."
    data = {"session": info.name, "game": info.game, "revoked": replaced, "hosts": hosts}
    output.show(json, lambda: data, lambda: [Line(text)])
    return 0


class _Announcement:
    """What the host shows.

    Args:
        origin: The beginning of every link.
    """

    def __init__(self, session: SessionController, links: Links, origin: str) -> None:
        self._session = session
        self._links = links
        self._origin = origin

    def data(self) -> JsonDict:
        """Return the links as plain data."""
        roles = self._links.roles.values()
        links = [{"role": role.id, "title": role.title, "player": role.player, "link": self._link(role.id)} for role in roles]
        return {"session": self._session.info.name, "game": self._session.info.game, "address": self._origin, "links": links}

    def _link(self, role: str) -> str:
        return f"{self._origin}/t/{self._links.token(role)}"

    def show(self) -> None:
        """Show every link, on a terminal with its code."""
        title = f"{self._session.game.title}: session {self._session.info.name} at {self._origin}"
        output.write([Line(title, "title")])
        self.show_links(list(self._links.roles), "")
        output.write([BLANK, Line("Whoever has a link can use it. Ctrl-C ends the host and all links.", "dim")])

    def show_links(self, roles: Sequence[str], note: str) -> None:
        """Show some links. `note`: stands above them."""
        output.write([BLANK, Line(note, "reminder")] if note else [])
        for role in map(self._links.roles.__getitem__, roles):
            link, player = self._link(role.id), f" ({role.player})" if role.player else ""
            output.write([BLANK, Line(f"{role.title}{player}: {link}")])
            rows = code_rows(link) if sys.stdout.isatty() and not is_plain() else []
            if rows and len(rows[0]) <= output.width():
                start, end = CODE_COLOURS if output.colours() else ("", "")
                output.put("".join(f"{start}{row}{end}\n" for row in rows))
        output.flush()


class Place(NamedTuple):
    """Where the host listens, and how it is reached.

    Attributes:
        bound: The address of this machine.
        public: Scheme and host of a proxy in front of it; "" without one.
    """

    bound: str
    public: tuple[str, str] | None = None

    def addresses(self, port: int) -> list[Address]:
        """Return every address under which the page may be reached; the one that is shown is the last."""
        names = ["localhost", LOOPBACK] if ipaddress.ip_address(self.bound).is_loopback else []
        bound = f"[{self.bound}]" if ":" in self.bound else self.bound
        names = [name for name in names if name != bound] + [bound]
        suffix = "" if port == 80 else f":{port}"
        own = [Address("http", f"{name}{suffix}") for name in names]
        return [*own, Address(*self.public)] if self.public else own


def read_place(lan: bool, address: str) -> Place:
    """Return where the host listens. Raises Unreadable, BadData."""
    from companion.web.server import lan_address

    cure = "An address of this machine, such as 192.168.1.7, or the one of a proxy: https://play.example.org"
    if "://" in address:
        parts = urlsplit(address)
        if (
            parts.scheme not in ("http", "https")
            or not parts.netloc
            or parts.path.strip("/")
            or parts.query
            or "@" in parts.netloc
        ):
            raise Unreadable(f"'{clean(address)}' is no address of a page", cure=cure)
        return Place(lan_address() if lan else LOOPBACK, (parts.scheme, parts.netloc.casefold()))
    if not address:
        return Place(lan_address() if lan else LOOPBACK)
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        raise Unreadable(f"'{clean(address)}' is no address", cure=cure) from None
    if number.is_unspecified or number.is_multicast:
        raise Unreadable(
            f"'{address}' is no single address of this machine", cure="Name one; or that of the local network: --lan"
        )
    return Place(str(number))


def bind(address: str, port: int | None) -> socket.socket:
    """Return a socket; without a port it has the usual one, or another if that is in use. Raises Unreadable, BadData."""
    from companion.web.server import open_socket

    if port is not None:
        return open_socket(address, port)
    try:
        return open_socket(address, USUAL_PORT)
    except BadData:
        return open_socket(address, 0)


def seat_roles(session: SessionController, given: Sequence[str]) -> list[Role]:
    """Return the roles of the links.

    Args:
        given: `SEAT` or `SEAT=NAME`: the seats that get a link, and the names of their players; by default all that people play.

    Raises:
        Unreadable: There is no such seat, or Companion plays it.
    """
    from companion.session.seats import seats_of
    from companion.web.tokens import WATCHER, Role

    seats = seats_of(session.game, session.options)
    people = [seat for seat in seats if seat.is_person] or list(seats)
    wanted: dict[str, str] = {}
    for word in given:
        text, _, name = word.partition("=")
        seat = pick_name(text, [seat.id for seat in seats], "seat")
        if seat not in [seat.id for seat in people]:
            raise Unreadable(
                f"Companion plays the seat '{seat}'", cure=f"Seats of players: {', '.join(seat.id for seat in people)}"
            )
        wanted[seat] = clean(name)[:60]
    chosen = [seat for seat in people if not wanted or seat.id in wanted]
    return [*(Role(seat.id, seat.title, wanted.get(seat.id) or seat.player) for seat in chosen), WATCHER]


def code_rows(link: str) -> list[str]:
    """Return the QR code of a link in half blocks."""
    import segno

    out = StringIO()
    segno.make(link, error="l", boost_error=False, micro=False).terminal(out=out, border=2, compact=True)
    return out.getvalue().splitlines()


def _report(error: BaseException) -> None:
    fault = error if isinstance(error, CompanionError) else output.internal_error(error) if isinstance(error, Exception) else None
    if fault:
        output.write_error(fault, False)
