"""Names for the conditions of ``forbidden.toml``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from companion.core.position import Piece, Position
from tests.games.iraqwar2003.field import FACTS

SIDES = ("coalition", "iraq")
BOXES = ("coalition available", "coalition used", "iraq available", "iraq used")
WEST = ("us", "british", "kdp", "puk")
TURNS, FIELDS, RADIOS, MARKERS = int(FACTS["turns"]), 3, 4, 8
BONUS = ("Mosul", "Kirkuk", "Tikrit")


def in_hex(place: str) -> bool:
    return len(place) == 4 and place.isdecimal()


def on_map(place: str) -> bool:
    return place == "map" or in_hex(place)


def nation(piece: Piece) -> str:
    return str(piece.values.get("nation"))


def side_of(piece: Piece) -> str:
    return SIDES[nation(piece) not in WEST]


def side(position: Position) -> str:
    return str(position.flag("side"))


def phase(position: Position) -> str:
    return str(position.flag("phase"))


def is_iraqi_operation(position: Position) -> bool:
    return side(position) == "iraq" and phase(position) == "operations"


def on(position: Position, option: str) -> bool:
    return position.flag(f"option {option}") == "on"


def is_set(position: Position, flag: str) -> bool:
    return position.flag(flag) not in (None, "no")


def is_saddam(piece: Piece) -> bool:
    return piece.values.get("palace") == "saddam"


def is_found(position: Position) -> bool:
    return position.flag("saddam") == "found"


def damaged_on(box: Piece) -> int:
    """The turn on which a box was damaged; 0 if it was not."""
    turn = box.mark("damaged")
    return turn if isinstance(turn, int) else 0


def flown(position: Position) -> int:
    return sum(piece.kind == "air" for piece in position.at("iraq used"))


def fields_before(position: Position) -> int:
    """Air Fields that were undamaged when the turn began."""
    now = position.track("turn")
    return sum(box.values.get("box") == "airfield" and box.mark("damaged") in (None, now) for box in position.of_kind("box"))


def uncovered(position: Position) -> int:
    return sum(piece.place != "palace" for piece in position.of_kind("palace"))


def bonuses(position: Position) -> list[str]:
    return [name.partition(":")[2] for name in position.flags if name.startswith("kurdish bonus:")]


def overfull(position: Position) -> list[str]:
    """[8.1] A big Iraqi unit counts twice."""
    sizes = Counter[str]()
    for place, pieces in position.places().items():
        sizes[place] = sum(1 + bool(nation(piece) == "iraq" and piece.values.get("big")) for piece in pieces)
    return [f"{size} in {place}" for place, size in sizes.items() if in_hex(place) and size > 3]


def mixed(position: Position, key: Callable[[Piece], str]) -> list[str]:
    """The hexes whose units differ in nation, side or division; one without a division goes with any."""
    return [place for place, pieces in position.places().items() if in_hex(place) and len(set(map(key, pieces)) - {""}) > 1]


def division(piece: Piece) -> str:
    return str(piece.values.get("division", ""))
