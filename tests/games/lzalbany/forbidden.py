"""Names for the conditions of ``forbidden.toml``."""

from __future__ import annotations

from collections import Counter

from companion.core.position import Piece, Position
from companion.games.lzalbany.areas import is_area
from companion.games.lzalbany.state import GROUPS, track_box

US_GROUPS = ("ab15", "ab27", "cd27")
FORCES = ("unit", "officer", "wounded")
BEFORE_ACTION = ("deploy", "reinforcement", "event")  # phases in which everything of the turn before has been cleared away
AFTER_ACTION = ("rally", "administrative")
NIGHT = 9


def side(piece: Piece) -> str:
    return str(piece.values.get("side", ""))


def company(piece: Piece) -> str:
    return str(piece.values.get("company", ""))


def phase(position: Position) -> str:
    return str(position.flag("phase"))


def turn(position: Position) -> int:
    return position.track("turn")


def is_first_event(position: Position) -> bool:
    """True after everything is deployed and before turn 1 is played."""
    return turn(position) == 1 and phase(position) == "event"


def among(position: Position, place: str, kind: str, of_side: str, *names: str) -> int:
    """The pieces of a kind and side in a place; of these names, if any are given."""
    pieces = [piece for piece in position.at(place) if piece.kind == kind and side(piece) == of_side]
    return sum(not names or piece.name in names for piece in pieces)


def areas(position: Position) -> list[str]:
    return sorted({piece.place for piece in position.pieces.values() if is_area(piece.place)})


def start_areas(position: Position) -> dict[str, object]:
    """The circles of turn 1 that the map shows: ``us1`` or ``nva1`` by area."""
    return {flag.partition(":")[2]: circle for flag, circle in position.flags.items() if flag.startswith("start:") and circle}


def is_off_circle(position: Position, piece: Piece) -> bool:
    """True outside the circles of the piece's side, if the map shows any."""
    circles, own = start_areas(position), {"US": "us1", "NVA": "nva1"}[side(piece)]
    return own in circles.values() and circles.get(piece.place) != own


def is_alive(position: Position, wounded: Piece) -> bool:
    """True if the platoon of a wounded marker is on the map."""
    return any(f"W:{unit.name}" == wounded.name and is_area(unit.place) for unit in position.of_kind("unit"))


def is_guarded(position: Position, area: str) -> bool:
    return bool(among(position, area, "unit", "US") or among(position, area, "officer", "US"))


def is_lit(position: Position, area: str) -> bool:
    return any(flare.place == area for flare in position.of_kind("flare"))


def groups_by_box() -> dict[str, str]:
    """The boxes of the groups' tracks, with the group of each."""
    return {track_box(group, way): group for group in GROUPS for way in ("fire", "move")}


def full_tracks(position: Position) -> list[str]:
    chits = Counter(group for box, group in groups_by_box().items() for _ in position.at(box))
    return [f"{count} on the track of {group}" for group, count in chits.items() if count > 2]


def is_on_other_track(chit: Piece) -> bool:
    group = groups_by_box().get(chit.place)
    own = "US Fire/Move" if group in US_GROUPS else "NVA Fire/Move"
    return group is not None and chit.name != own


def is_too_early(position: Position, piece: Piece) -> bool:
    return piece.place not in ("to come", "out") and piece.number("turn") > turn(position)


def is_too_late(position: Position, piece: Piece) -> bool:
    due = piece.place in ("to come", "to place") and piece.number("turn") <= turn(position)
    spared = piece.name == "NVA Adrenaline" and bool(position.flag("retreat"))
    return due and not spared and phase(position) not in ("deploy", "reinforcement")


def is_in_wrong_box(piece: Piece) -> bool:
    """A drawn chit that is no Fire/Move chit belongs in the box of its name, or among the spent ones."""
    kind = str(piece.values.get("chit"))
    named = " ".join(kind.split()) if "adrenaline" in kind else kind.replace(" ", "")
    spent = ("box spent",) if "adrenaline" in kind else ()
    return kind not in ("us", "nva") and piece.place.startswith("box ") and piece.place not in (f"box {named}", *spent)


def flares_on_map(position: Position) -> int:
    return sum(is_area(flare.place) for flare in position.of_kind("flare"))


def flare_chits(position: Position) -> int:
    """US Fire/Move chits that have been drawn; each lights two flares at most."""
    return sum(chit.name == "US Fire/Move" and chit.place.startswith("box ") for chit in position.of_kind("chit"))


def points(position: Position, *items: str) -> int:
    values = [position.flag(f"vp:{item}") for item in items]
    return sum(value for value in values if isinstance(value, int))


def reduced(position: Position, of_side: str) -> int:
    return sum(unit.face == "reduced" and side(unit) == of_side for unit in position.of_kind("unit"))
