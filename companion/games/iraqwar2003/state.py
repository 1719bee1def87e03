"""Names in the position (places, kinds, marks, flags; see game.toml), and look-ups of ground units [2.1.1]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache

from companion.core.errors import Unreadable
from companion.core.hexes import read_hex
from companion.core.hints import Final, Literal
from companion.core.position import Piece, Position
from companion.core.text import clean

Side = Literal["coalition", "iraq"]
COALITION: Final = "coalition"
IRAQ: Final = "iraq"
"""The sides; nations are in notation.py."""
WHO: Mapping[Side, str] = {COALITION: "The Coalition", IRAQ: "Iraq"}
"""The sides as subjects of a sentence."""
SIDE_TITLES: Mapping[Side, str] = {COALITION: "Coalition", IRAQ: "Iraqi"}

# -- places ------------------------------------------------------------------------------------------------------------

MAP = "map"
OFF_MAP = "off map"
REMOVED = "removed"
ASIDE = "off"
ROADS = "roads"
PALACE = "palace"
"""The pile of palace markers; also their site and the kind of piece."""

# -- kinds of pieces (the roads of a hex are a kind and a place, so are palace markers) --------------------------------

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
PLAN = "plan"
"""The plan that Companion's side follows this turn: side, turn, plan."""
TURNS = "turns"
"""The number of turns, once it is known."""

# -- phases of a player turn -------------------------------------------------------------------------------------------

Phase = Literal["facility", "bombing", "supply", "operations"]
FACILITY: Final = "facility"
BOMBING: Final = "bombing"
SUPPLY: Final = "supply"
OPERATIONS: Final = "operations"
PHASES: tuple[Phase, ...] = (FACILITY, BOMBING, SUPPLY, OPERATIONS)


# -- options -----------------------------------------------------------------------------------------------------------

ON, OFF = "on", "off"
PROPOSES, ACTS = "proposes", "acts"
"""Whether Companion's side proposes answers or acts at once."""
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
"""Optional rules recommended by 16.0: 16.2 to 16.5."""
OPTIONAL = (PALACE, *RECOMMENDED, SAND_STORMS, RAILWAY, REINFORCEMENTS, MOUNTAINS, TURKEY, SAME_DIVISION)
"""All optional rules of section 16."""

# -- answers that mean none --------------------------------------------------------------------------------------------

NONE = "none"


def is_none(text: str) -> bool:
    """Return True if the text means "none"."""
    return text.casefold() in (NONE, "-", "")


# -- names with a parameter --------------------------------------------------------------------------------------------

available_box = lru_cache(maxsize=64)("{} available".format)
"""The Air Unit Available box of a side [2.1.3]."""
used_box = lru_cache(maxsize=64)("{} used".format)
"""The Air Unit Used box of a side [2.1.4]."""
site_place = lru_cache(maxsize=64)("{} site".format)
"""The place of a site's boxes on the Air Operation Display [6.1.2]."""
option_flag = lru_cache(maxsize=64)("option {}".format)
"""Whether an optional rule is in force [16.0]: ON or OFF."""
air_flag = "air:{}".format
"""The values of an air unit, in their notation [2.3]."""
city_flag = "city:{}".format
"""The city of a bombed target [5.7(3)]."""
CONTROL = "control:"
control_flag = (CONTROL + "{}").format
"""Who controls a VP place [15.2]."""
HELD = "held:"
held_flag = (HELD + "{}").format
"""Who entered a hex last, as far as hexes are known [10.0(3)]."""
BONUS = "kurdish bonus:"
bonus_flag = (BONUS + "{}").format
"""The Kurds held a place at the end of turn 2 [15.2]."""


def other(side: Side) -> Side:
    """The opposing side."""
    return IRAQ if side == COALITION else COALITION


def current_side(position: Position) -> Side:
    """[4.0] The current player."""
    return IRAQ if position.flag(SIDE) == IRAQ else COALITION


def current_phase(position: Position) -> Phase:
    """[4.1] The phase of the player turn."""
    return next((phase for phase in PHASES if phase == position.flag(PHASE)), FACILITY)


# -- [2.1.1] positions of ground units ---------------------------------------------------------------------------------

UNKNOWN_HEX = "?"
"""How an unknown hex is typed and shown."""


@lru_cache(maxsize=4096)
def is_hex(place: str) -> bool:
    """Return True if a place is a hex: four digits."""
    return len(place) == 4 and place.isascii() and place.isdecimal()


def is_on_map(piece: Piece) -> bool:
    """[2.1.1(1)] Return True for a ground combat unit on the map, in a known hex or not."""
    return piece.kind == UNIT and (piece.place == MAP or is_hex(piece.place))


def _on_map(piece: Piece) -> Hashable:
    return is_on_map(piece) or None


def units_on_map(position: Position) -> list[Piece]:
    """Ground combat units on the map, in order of entry."""
    return position.pieces_in_group(_on_map, True)


def _named(piece: Piece) -> Hashable:
    return piece.name if piece.kind == UNIT else None


def unit_named(position: Position, name: str) -> Piece | None:
    """The ground combat unit of a name; names are unique."""
    piece = position.pieces.get(_IDS.get(name, ""))
    if piece is None or piece.name != name or piece.kind != UNIT:
        piece = position.first_in_group(_named, name)
        if piece is not None:
            if len(_IDS) >= _MOST_IDS:
                _IDS.clear()
            _IDS[name] = piece.id
    return piece


_IDS: dict[str, str] = {}
"""Cache: unit names to ids."""
_MOST_IDS = 1_000


def units_in(position: Position, place: str) -> list[Piece]:
    """Ground combat units of both sides in a hex; empty for an unknown hex."""
    pieces = position.at(place) if is_hex(place) else []
    return [piece for piece in pieces if piece.kind == UNIT] if pieces else pieces


def others_in(position: Position, place: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Ground combat units in a hex besides some pieces."""
    units = units_in(position, place)
    if not units:  # as most hexes are
        return units
    ids = {piece.id for piece in pieces}
    return [piece for piece in units if piece.id not in ids]


def hex_of(pieces: Sequence[Piece]) -> str:
    """The hex of units that are together, "" if unknown."""
    for piece in pieces:
        if is_hex(piece.place):
            return piece.place
    return ""


@lru_cache(maxsize=4096)
def place_of(text: str) -> str:
    """Read a place on the map: four digits or ``?``. Raises Unreadable."""
    return MAP if clean(text).strip() == UNKNOWN_HEX else read_hex(text, "2.1.1(1)")


@lru_cache(maxsize=1024)
def split_place(text: str) -> tuple[str, str]:
    """Split ``us 1/3ID 6-5-8 @2231`` into unit and place or "" (``art:4@2`` is the unit's). Raises Unreadable."""
    unit, sign, place = clean(text).rpartition("@")
    words = unit.split()
    if not sign or (words and words[-1].startswith("art:") and "@" not in words[-1] and not unit.endswith(" ")):
        return text, ""
    if not words:
        raise Unreadable(f"'{clean(text)}' names no unit", rule="2.2.5", cure="Type it like this: 1/3ID @2231")
    return unit.strip(), place_of(place)


def with_place(text: str, place: str) -> str:
    """Append a place, if there is one, to the text of a unit."""
    return f"{text} @{UNKNOWN_HEX if place == MAP else place}" if place else text
