"""Names and readings of the position: places, kinds of pieces, faces, marks, flags (declared in game.toml)."""

from __future__ import annotations

from functools import lru_cache

from companion.core.position import Piece, Position
from companion.games.phantomfury.notation.zones import LOCATIONS, MOSQUE

# -- kinds of pieces, and the faces that they turn ---------------------------------------------------------------------

SQUAD = "squad"
IIF = "iif"
TANK = "tank"
INSURGENT = "insurgent"
SUSPECT = "suspect"
CONTROL = "control"
MARKER = "marker"
ELEMENT = "element"
REDUCED = "reduced"
USMC = "usmc"
LATER = "0030"
"""The second side of a Phantom Fury marker [14.5]."""

# -- places ------------------------------------------------------------------------------------------------------------

INSURGENTS_CUP = "insurgents cup"
SUSPECTS_CUP = "suspects cup"
ZONES_CUP = "zones cup"
SQUADS_CUP = "squads cup"
CUPS = {INSURGENTS_CUP: INSURGENT, SUSPECTS_CUP: SUSPECT, ZONES_CUP: CONTROL, SQUADS_CUP: SQUAD}
"""The cups, each with the kind of piece that belongs in it."""
DRAWN = "drawn"
COMPANY = "company box"
BATTALION = "battalion box"
ARMOUR = "armour box"
IRAQI = "iraqi box"
OUT = "out of the game"
OFF = "beside the map"
STREET = "street "
"""Prefix of the place of a Street Section."""
BOX = "box "
"""Prefix of the place of a Zone's Control box."""

# -- markers by name ---------------------------------------------------------------------------------------------------

PLAIN = "Activated Zone"
STRONG = "Activated Strong Point"
START_ZONE = "Activated Start Zone"
FURY = "Phantom Fury"
FANATICISM = "Fanaticism"
NO_EVENT = "No Insurgents Event"
RUBBLE = "Rubble"

# -- marks on units ----------------------------------------------------------------------------------------------------

FIRED = "fired"
PINNED = "pinned"
CAAT = "caat"
AMMO = "ammo"
EXPLOSIVES = "explosives"
HERO = "hero"

# -- flags -------------------------------------------------------------------------------------------------------------

ZONES = "zones"
START_ZONES = "start"
MOVED = "moved"
ASSAULTED = "assaulted"
BROUGHT_BACK = "brought back"
SUPPORT_OVER = "support over"
TURNS = "turns"
BATTALION_TURN = "battalion turn"
MOSQUE_REACHED = "mosque reached"
OVER = "over"
WINNER = "winner"
LATE = "late"
TOLD_ZONE = "zone:"
"""Prefix of the flag with what is printed on a Zone."""
TOLD_SECTION = "section:"
"""Prefix of the flag with the surroundings of a Street Section."""
TALLY = "tally "
"""Prefix of the flag that counts how often a row of the chart of points was scored [7.2.1]."""

# -- tracks ------------------------------------------------------------------------------------------------------------

MISSIONS = {"uav": "UAV", "ah1w": "AH-1W", "fa18": "F/A-18"}
"""The track of each Mission (also its row in the chart) with a short name [9.2.1]."""


# -- pieces of a position ----------------------------------------------------------------------------------------------


def is_squad(piece: Piece) -> bool:
    """True for a USMC or IIF squad [5.1.6]."""
    return piece.kind in (SQUAD, IIF)


def is_ours(piece: Piece) -> bool:
    """True for a squad or an M1A1, which has a squad with it: no enemy shares its Location [5.1.3, 12.2.1.2] (ruling C-77)."""
    return is_squad(piece) or piece.kind == TANK


def on_map(piece: Piece) -> bool:
    """True if a piece is in a Location or a Street Section."""
    return bool(zone_of(piece.place) or section_of(piece.place))


_SIDES = {SQUAD: USMC, IIF: USMC, INSURGENT: SUSPECT, SUSPECT: SUSPECT}
"""The stacks of a Zone: all squads, all enemies; other kinds of pieces separately."""


def stack_of(piece: Piece) -> tuple[str, str] | None:
    """The stack that a piece belongs to: (side or kind, Zone)."""
    zone = zone_of(piece.place)
    return (_SIDES.get(piece.kind, piece.kind), zone) if zone else None


def kind_on_map(piece: Piece) -> str | None:
    """The kind of a piece that is on the map."""
    return piece.kind if on_map(piece) else None


def in_box(piece: Piece) -> str | None:
    """The name of a marker in a Control box."""
    return piece.name if piece.place.startswith(BOX) else None


def _control(piece: Piece) -> str | None:
    """The Control box of an Activation/Control marker."""
    return piece.place if piece.kind == CONTROL and piece.place.startswith(BOX) else None


def _usmc(piece: Piece) -> str | None:
    """The Zone that a marker puts under USMC Control."""
    return piece.place[len(BOX) :] if piece.face == USMC and _control(piece) else None


def enemy_place(piece: Piece) -> str | None:
    """The place of an enemy counter."""
    return piece.place if piece.kind in (INSURGENT, SUSPECT) else None


def squads_in(position: Position, zone: str) -> list[Piece]:
    """The squads in a Zone, USMC before IIF."""
    return _with_last(IIF, position.pieces_in_group(stack_of, (USMC, zone)))


def enemies_in(position: Position, zone: str) -> list[Piece]:
    """The Insurgents units, then the Suspects, in a Zone."""
    return _with_last(SUSPECT, position.pieces_in_group(stack_of, (SUSPECT, zone)))


def _with_last(last: str, pieces: list[Piece]) -> list[Piece]:
    """The pieces, those of one kind last."""
    return sorted(pieces, key=lambda piece: piece.kind == last) if len(pieces) > 1 else pieces


def marker_of(position: Position, zone: str) -> Piece | None:
    """The Activation/Control marker of a Zone; None before its Activation [4.1.4]."""
    return position.first_in_group(_control, box(zone))


def is_controlled(position: Position, zone: str) -> bool:
    """True if the Zone is under USMC Control; otherwise the insurgents Control it [4.1.4]."""
    return position.has_group(_usmc, zone)


def is_fortified(position: Position, zone: str) -> bool:
    """[4.1.5] True if a Zone is Fortified: the mosque, and Zones with a Strong Point."""
    marker = marker_of(position, zone)
    return zone == MOSQUE or (marker is not None and marker.name == STRONG)


def zone_marker(position: Position, zone: str, name: str) -> Piece | None:
    """The marker of that name in a Zone, if any."""
    return next((piece for piece in position.pieces_in_group(in_box, name) if piece.place == box(zone)), None)


def element_of(position: Position, squad: Piece) -> Piece | None:
    """The detached Security Element of a squad, if any [12.3.2]."""
    for piece in position.pieces_in_group(kind_on_map, ELEMENT):
        if piece.values.get("squad") == squad.id and zone_of(piece.place):
            return piece
    return None


@lru_cache(maxsize=4096)
def box(zone: str) -> str:
    """The place of a Zone's Control box, with its markers [4.1.4]."""
    return BOX + zone


@lru_cache(maxsize=4096)
def street(section: str) -> str:
    """The place of a Street Section."""
    return STREET + section


def place(zone: str, location: str) -> str:
    """The place of a Location: ``14-2'``."""
    return f"{zone}-{location}"


@lru_cache(maxsize=4096)
def zone_of(where: str) -> str:
    """The Zone of a Location; "" for a Street Section, a cup or a box beside the map."""
    zone, dash, location = where.partition("-")
    return zone if dash and location in LOCATIONS else ""


@lru_cache(maxsize=4096)
def location_of(where: str) -> str:
    """The Location of a place in a Zone: ``2'`` of ``14-2'``; "" elsewhere."""
    zone, dash, location = where.partition("-")
    return location if dash and location in LOCATIONS and zone else ""


@lru_cache(maxsize=4096)
def section_of(where: str) -> str:
    """The name of a Street Section that is a place; "" elsewhere."""
    return where[len(STREET) :] if where.startswith(STREET) else ""
