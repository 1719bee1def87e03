"""Names for the conditions of ``forbidden.toml``.

The limits of 8.2 for battalions, companies and helicopters are not listed: a withdrawal may break them, and a position does not
show whether a unit withdrew or moved.
"""

from __future__ import annotations

from companion.core.position import Piece, Position
from companion.games.fallujah2004.state import BASES, on_map
from tests.games.fallujah2004.field import SPACES

__all__ = ["BASES", "SPACES", "on_map"]
BRIDGES = ("1-6", "1-7")
REMOVED = ("blow_bridges", "iraqis_balk", "negotiations")  # events that leave the game once they are carried out [14.5]


def event(piece: Piece) -> str:
    return str(piece.values.get("event", ""))


def is_event(piece: Piece) -> bool:
    """True for the events that are drawn: the Downed Helicopter is put on the map like a Node."""
    return event(piece) not in ("", "downed_helicopter")


def type_of(piece: Piece) -> str:
    return str(piece.values.get("type", ""))


def is_node(piece: Piece) -> bool:
    return piece.kind in ("node", "concealed")


def on_map_places(position: Position, kind: str) -> set[str]:
    return {piece.place for piece in position.of_kind(kind) if on_map(piece.place)}


def revealed_nodes_differ(position: Position) -> str:
    """[20.2] Each Node outside the cup was concealed before."""
    outside = sum(piece.place != "node cup" for piece in position.of_kind("node"))
    revealed = sum(piece.place == "off" for piece in position.of_kind("concealed"))
    return f"{outside} outside the cup, {revealed} revealed" if outside != revealed else ""


def leads_unit_in_play(position: Position, leader: Piece) -> bool:
    unit = position.pieces.get(str(leader.marks.get("with", "")))
    return unit is not None and (on_map(unit.place) or unit.place in BASES)


def is_second_battle(position: Position) -> bool:
    return bool(position.flag("campaign") and position.flag("battle") == 2)
