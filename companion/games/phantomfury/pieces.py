"""What stands where: the pieces of Phantom Fury as a position has them."""

from __future__ import annotations

from companion.core.position import Piece, Position
from companion.games.phantomfury import names
from companion.games.phantomfury.words.town import box, section_of, zone_of
from companion.games.phantomfury.words.zones import MOSQUE


def is_squad(piece: Piece) -> bool:
    """True for a USMC or IIF squad [5.1.6]."""
    return piece.kind in (names.SQUAD, names.IIF)


def is_ours(piece: Piece) -> bool:
    """True for a squad or an M1A1, which has a squad with it: no enemy shares its Location [5.1.3, 12.2.1.2] (ruling C-77)."""
    return is_squad(piece) or piece.kind == names.TANK


def on_map(piece: Piece) -> bool:
    """True if a piece is in a Location or a Street Section."""
    return bool(zone_of(piece.place) or section_of(piece.place))


_SIDES = {names.SQUAD: names.USMC, names.IIF: names.USMC, names.INSURGENT: names.SUSPECT, names.SUSPECT: names.SUSPECT}
"""The stacks of a Zone: all squads, all enemies; other kinds of pieces separately."""


def standing(piece: Piece) -> tuple[str, str] | None:
    """The stack that a piece belongs to: (side or kind, Zone)."""
    zone = zone_of(piece.place)
    return (_SIDES.get(piece.kind, piece.kind), zone) if zone else None


def out_there(piece: Piece) -> str | None:
    """The kind of a piece that is on the map."""
    return piece.kind if on_map(piece) else None


def in_box(piece: Piece) -> str | None:
    """The name of a marker in a Control box."""
    return piece.name if piece.place.startswith(names.BOX) else None


def _control(piece: Piece) -> str | None:
    """The Control box of an Activation/Control marker."""
    return piece.place if piece.kind == names.CONTROL and piece.place.startswith(names.BOX) else None


def _usmc(piece: Piece) -> str | None:
    """The Zone that a marker puts under USMC Control."""
    return piece.place[len(names.BOX) :] if piece.face == names.USMC and _control(piece) else None


def enemy_place(piece: Piece) -> str | None:
    """The place of an enemy counter."""
    return piece.place if piece.kind in (names.INSURGENT, names.SUSPECT) else None


def squads_in(position: Position, zone: str) -> list[Piece]:
    """The squads in a Zone, USMC before IIF."""
    return _before(names.IIF, position.pieces_in_group(standing, (names.USMC, zone)))


def enemies_in(position: Position, zone: str) -> list[Piece]:
    """The Insurgents units, then the Suspects, in a Zone."""
    return _before(names.SUSPECT, position.pieces_in_group(standing, (names.SUSPECT, zone)))


def _before(last: str, pieces: list[Piece]) -> list[Piece]:
    """The pieces, those of one kind last."""
    return sorted(pieces, key=lambda piece: piece.kind == last) if len(pieces) > 1 else pieces


def marker_of(position: Position, zone: str) -> Piece | None:
    """The Activation/Control marker of a Zone; None before its Activation [4.1.4]."""
    return position.first_in_group(_control, box(zone))


def controlled(position: Position, zone: str) -> bool:
    """True if the Zone is under USMC Control; otherwise the insurgents Control it [4.1.4]."""
    return position.has_group(_usmc, zone)


def fortified(position: Position, zone: str) -> bool:
    """[4.1.5] True if a Zone is Fortified: the mosque, and Zones with a Strong Point."""
    marker = marker_of(position, zone)
    return zone == MOSQUE or (marker is not None and marker.name == names.STRONG)


def marked(position: Position, zone: str, name: str) -> Piece | None:
    """The marker of that name in a Zone, if any."""
    return next((piece for piece in position.pieces_in_group(in_box, name) if piece.place == box(zone)), None)


def element_of(position: Position, squad: Piece) -> Piece | None:
    """The detached Security Element of a squad, if any [12.3.2]."""
    for piece in position.pieces_in_group(out_there, names.ELEMENT):
        if piece.values.get("squad") == squad.id and zone_of(piece.place):
            return piece
    return None
