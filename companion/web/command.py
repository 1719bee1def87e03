"""`companion host`: opens a session to browsers until Ctrl-C."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from companion.cli.shell import catalog, output
from companion.cli.shell.archives import session_archive
from companion.cli.shell.arguments import Words
from companion.core.errors import BadData, CompanionError, Unreadable
from companion.core.text import clean, pick_name, split_list
from companion.core.values import JsonDict
from companion.session.controller import SessionController
from companion.views.lines import BLANK, Line
from companion.web.address import Address

if TYPE_CHECKING:
    from companion.web.tokens import Links, Role

LOOPBACK = "127.0.0.1"
USUAL_PORT = 8807
"""Tried first, so that a firewall can be told."""


@catalog.HOST
def host(lan: bool, port: int, address: str, seat: Words, revoke: bool, session: str, db: str, json: bool) -> int:
    """Open a session to the browsers of phones and tablets, until Ctrl-C.

    Each player's link answers for one seat, and one more only watches; whoever has a link can use it, until the host ends.
    It runs beside `companion play` on the same session: the first answer to a question counts.

    Example: companion host --lan
    """
    archive = session_archive(db, session)
    controller = SessionController.open(archive, session)
    from companion.web.app import Host, make_app
    from companion.web.play import Play
    from companion.web.server import Server
    from companion.web.stream import Changes
    from companion.web.tokens import Links

    place = read_place(lan, address)
    links, changes = Links(seat_roles(controller, seat)), Changes()
    listening = bind(place.bound, port)
    try:
        play = Play(archive.path, controller.info.name, changes.notify)
        play.start()
        try:
            number = listening.getsockname()[1]
            addresses = place.addresses(number)
            hosted = Host(play, links, changes, addresses, f"companion_{number}", report=_report)
            server = Server(make_app(hosted), changes)
            shown = {role: f"{addresses[-1].origin}/t/{links.token(role)}" for role in links.roles}
            output.show(
                json,
                lambda: {"session": controller.info.name, "game": controller.game.id, "links": _links_data(links, shown)},
                lambda: [*_head(controller, addresses[-1].origin), *_link_lines(links, shown)],
                whole=True,
            )
            server.run([listening])
        finally:
            play.stop()
    finally:
        listening.close()
    if server.is_interrupted:
        raise KeyboardInterrupt
    return 0


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


def bind(address: str, port: int) -> socket.socket:
    """Return a socket; without a port it has the usual one, or another if that is in use. Raises Unreadable, BadData."""
    from companion.web.server import open_socket

    if port >= 0:
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
    from companion.web.tokens import make_roles

    players = session.game.players
    named = split_list(session.options.get("players", ""))
    names = dict(zip(players.seats, named, strict=False)) if len(named) == len(players.seats) else {}
    people = [seat for seat in players.seats if not players.is_computer(seat, session.options)]
    wanted: dict[str, str] = {}
    for word in given:
        text, _, name = word.partition("=")
        seat = pick_name(text, list(players.seats), "seat")
        if seat not in people:
            raise Unreadable(f"Companion plays the seat '{seat}'", cure=f"Seats of players: {', '.join(people) or 'none'}")
        wanted[seat] = clean(name)[:60] or names.get(seat, "")
    seats = [(seat, seat.title()) for seat in players.seats]
    roles = make_roles(seats, [wanted.get(seat, names.get(seat, "")) for seat in players.seats], people)
    return [role for role in roles if not wanted or role.id in wanted or not role.plays]


def _head(session: SessionController, origin: str) -> list[Line]:
    return [
        Line(f"{session.game.title}: session {session.info.name} at {origin}", "title"),
        Line("Whoever has a link can use it. Ctrl-C ends the host and all links.", "dim"),
    ]


def _link_lines(links: Links, shown: dict[str, str]) -> list[Line]:
    """Return each link, on a terminal with its code."""
    lines: list[Line] = []
    for role, link in shown.items():
        it = links.roles[role]
        lines += [BLANK, Line(f"{it.title}{f' ({it.player})' if it.player else ''}: {link}")]
        if output.on_terminal():
            lines += [Line(row) for row in code_rows(link)]
    return lines


def code_rows(link: str) -> list[str]:
    """Return the QR code of a link in half blocks."""
    import segno

    out = StringIO()
    segno.make(link, error="l", boost_error=False, micro=False).terminal(out=out, border=2, compact=True)
    return out.getvalue().splitlines()


def _links_data(links: Links, shown: dict[str, str]) -> list[JsonDict]:
    return [
        {"role": role, "title": links.roles[role].title, "player": links.roles[role].player, "link": link}
        for role, link in shown.items()
    ]


def _report(error: BaseException) -> None:
    fault = error if isinstance(error, CompanionError) else output.internal_error(error) if isinstance(error, Exception) else None
    if fault:
        output.write_error(fault, False)
