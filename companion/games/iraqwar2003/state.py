"""The places, kinds, marks and flags of Iraq War 2003 by their names in the log; game.toml says what each is."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache

from companion.core.errors import Unreadable
from companion.core.hexes import read_hex
from companion.core.position import GroupKey, Piece, Position
from companion.core.words import clean

COALITION, IRAQ = "coalition", "iraq"
"""The sides; a piece's nation is one of those in words/counters.py."""
WHO = {COALITION: "The Coalition", IRAQ: "Iraq"}
"""The sides as who does something."""
SIDE_TITLES = {COALITION: "Coalition", IRAQ: "Iraqi"}

# -- places ------------------------------------------------------------------------------------------------------------

MAP = "map"
OFF_MAP = "off map"
REMOVED = "removed"
ASIDE = "off"
ROADS = "roads"
PALACE = "palace"
"""The pile of palace markers; also the site that they lie on, and the kind of piece."""

# -- kinds of pieces (the roads of a hex are a kind and a place, so are palace markers) ----------------------------------

UNIT = "unit"
AIR = "air"
BOX = "box"
MARKER = "marker"

# -- marks -------------------------------------------------------------------------------------------------------------

DISRUPTED = "disrupted"
OUT_OF_SUPPLY = "oos"
MOVED = "moved"
DAMAGED = "damaged"

# -- flags -------------------------------------------------------------------------------------------------------------

SIDE = "side"
PHASE = "phase"
STORM = "storm"
GROUNDED = "grounded"
DROPPED = "dropped"
RAIL = "rail"
SADDAM = "saddam"
FOUND = "found"
OVER = "over"
TURNS = "turns"
"""How many turns the game has, once that has been said."""

# -- phases of a player turn -------------------------------------------------------------------------------------------

FACILITY, BOMBING, SUPPLY, OPERATIONS = PHASES = ("facility", "bombing", "supply", "operations")


# -- options -----------------------------------------------------------------------------------------------------------

ON, OFF = "on", "off"
PROPOSES, ACTS = "proposes", "acts"
"""Whether our opponent says what it would do, for an Enter, or does it."""
PARATROOPS = "paratroops"
ARTILLERY = "artillery"
ANTI_AIR_UNIT = "anti_air_unit"
NATIONALITY = "nationality"
SAND_STORMS = "sand_storms"
RAILWAY = "railway"
REINFORCEMENTS = "reinforcements"
MOUNTAINS = "mountains"
TURKEY = "turkey"
SAME_DIVISION = "same_division"
RECOMMENDED = (PARATROOPS, ARTILLERY, ANTI_AIR_UNIT, NATIONALITY)
"""The optional rules that 16.0 recommends: 16.2 to 16.5."""
OPTIONAL = (PALACE, *RECOMMENDED, SAND_STORMS, RAILWAY, REINFORCEMENTS, MOUNTAINS, TURKEY, SAME_DIVISION)
"""Every optional rule of section 16."""

# -- answers that name nothing -----------------------------------------------------------------------------------------

NONE = "none"


def is_none(text: str) -> bool:
    """Whether a hurried hand means nothing or nobody."""
    return text.casefold() in (NONE, "-", "")


# -- families of names -------------------------------------------------------------------------------------------------

available_box = lru_cache(maxsize=64)("{} available".format)
"""The Air Unit Available box of a side [2.1.3]."""
used_box = lru_cache(maxsize=64)("{} used".format)
"""The Air Unit Used box of a side [2.1.4]."""
site_place = lru_cache(maxsize=64)("{} site".format)
"""Where the boxes of a site of the Air Operation Display lie [6.1.2]."""
option_flag = lru_cache(maxsize=64)("option {}".format)
"""Whether an optional rule is in force [16.0]: ON or OFF."""
air_flag = "air:{}".format
"""The values of an air unit, in its notation [2.3]."""
city_flag = "city:{}".format
"""The city in which a target was bombed [5.7(3)]."""
CONTROL = "control:"
control_flag = (CONTROL + "{}").format
"""Who holds a place that counts [15.2]."""
HELD = "held:"
held_flag = (HELD + "{}").format
"""Who has entered a hex last, where a way of hexes has told so [10.0(3)]."""
BONUS = "kurdish bonus:"
bonus_flag = (BONUS + "{}").format
"""That the Kurds held a place at the end of turn 2 [15.2]."""


def other(side: str) -> str:
    """The other side of the two."""
    return IRAQ if side == COALITION else COALITION


# -- [2.1.1] Where a ground combat unit stands: in a hex, by its printed digits, or on the map in a hex that nobody --------

UNKNOWN_HEX = "?"
"""How the unknown place on the map is typed and shown."""


@lru_cache(maxsize=4096)
def is_hex(place: str) -> bool:
    """Whether a place is a hex of the map, by its four digits."""
    return len(place) == 4 and place.isascii() and place.isdecimal()


def is_on_map(piece: Piece) -> bool:
    """[2.1.1(1)] Whether a ground combat unit stands on the map, told where or not."""
    return piece.kind == UNIT and (piece.place == MAP or is_hex(piece.place))


def _on_map(piece: Piece) -> Hashable:
    return is_on_map(piece) or None


ON_MAP: GroupKey = _on_map
"""Groups the ground combat units on the map."""


def units_on_map(position: Position) -> list[Piece]:
    """The ground combat units on the map, first come first."""
    return position.pieces_in_group(ON_MAP, True)


def _named(piece: Piece) -> Hashable:
    return piece.name if piece.kind == UNIT else None


_NAMED: GroupKey = _named


def unit_named(position: Position, name: str) -> Piece | None:
    """The ground combat unit of that name, if there is one; no two have the same."""
    piece = position.pieces.get(_IDS.get(name, ""))
    if piece is None or piece.name != name or piece.kind != UNIT:
        piece = position.first_in_group(_NAMED, name)
        if piece is not None:
            if len(_IDS) >= _MOST_IDS:
                _IDS.clear()
            _IDS[name] = piece.id
    return piece


_IDS: dict[str, str] = {}
"""The ids that units had when they were last looked for by their names."""
_MOST_IDS = 1_000


def units_in(position: Position, place: str) -> list[Piece]:
    """The ground combat units of both sides in a hex; nobody where it is not told which hex that is."""
    return [piece for piece in position.at(place) if piece.kind == UNIT] if is_hex(place) else []


def hex_of(pieces: Sequence[Piece]) -> str:
    """The hex of units that stand together; "" where nobody has told it."""
    for piece in pieces:
        if is_hex(piece.place):
            return piece.place
    return ""


@lru_cache(maxsize=4096)
def place_of(text: str) -> str:
    """The place on the map that a text means: four digits, or ``?``. Raises Unreadable: it is neither."""
    return MAP if clean(text).strip() == UNKNOWN_HEX else read_hex(text, "2.1.1(1)")


@lru_cache(maxsize=1024)
def split_place(text: str) -> tuple[str, str]:
    """``us 1/3ID 6-5-8 @2231``: what stands before the sign, and the place behind it; "" where none is told. The range of
    artillery stands behind the same sign: ``art:4@2``.

    Raises:
        Unreadable: what stands behind the sign is no place on the map.
    """
    unit, sign, place = clean(text).rpartition("@")
    words = unit.split()
    if not sign or (words and words[-1].startswith("art:") and "@" not in words[-1] and not unit.endswith(" ")):
        return text, ""
    if not words:
        raise Unreadable(f"'{clean(text)}' names no unit", rule="2.2.5", cure="Type it like this: 1/3ID @2231")
    return unit.strip(), place_of(place)


def with_place(text: str, place: str) -> str:
    """A unit as it is written, with its place behind it where one is told."""
    return f"{text} @{UNKNOWN_HEX if place == MAP else place}" if place else text
