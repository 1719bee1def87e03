"""Names for the conditions of ``forbidden.toml``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain

from companion.core.game import Game
from companion.core.position import Piece, Position
from companion.games.phantomfury.referee import ASSAULT, RUINED, SUPPORT, FuryReferee, last_turn
from companion.games.phantomfury.state import (
    enemies_in,
    is_controlled,
    is_squad,
    location_of,
    marker_of,
    on_map,
    section_of,
    short,
    squads_in,
    zone_of,
)
from companion.games.phantomfury.town import town_of

__all__ = ["RUINED", "last_turn", "location_of", "section_of"]
ENEMIES, SQUADS = ("insurgent", "suspect"), ("squad", "iif")
BOXES = ("company box", "battalion box", "iraqi box")


def is_new_turn(game: Game, position: Position, first: int = 1) -> bool:
    """True before any action of a turn from the first one on: the last Reorganisation Phase is complete."""
    fresh = position.track("phase") == SUPPORT and not position.flag("support over") and position.track("turn") >= first
    return fresh and not game.over(position)


def zones(position: Position) -> tuple[str, ...]:
    return tuple(position.members("zones"))


def pieces_on_map(position: Position, *kinds: str) -> list[Piece]:
    return [piece for kind in kinds for piece in position.of_kind(kind) if on_map(piece)]


def names(position: Position, *kinds: str, when: Callable[[Piece], object]) -> list[str]:
    """The pieces of these kinds on the map for which the condition is true."""
    return [piece.name for piece in pieces_on_map(position, *kinds) if when(piece)]


def markers(position: Position, zone: str, name: str) -> int:
    """The markers of that name in the Control box of a Zone."""
    return sum(piece.kind == "marker" and piece.name == name for piece in position.at(f"box {zone}"))


def is_enemy_zone(position: Position, zone: str) -> bool:
    """A Zone that is neither under USMC Control nor Zone 26."""
    return bool(zone) and zone != "26" and not is_controlled(position, zone)


def stacked(game: Game, position: Position) -> list[str]:
    """[12.2.2, 12.5.3] Locations with several squads after the Movement Phase, of which one could have moved on in its Zone
    (ruling C-67). Squads brought back out of a street do not count; after a squad has moved by an Assault it cannot be told.
    """
    if position.track("phase") != ASSAULT or position.members("assaulted"):
        return []
    referee = game.referee(position, {})
    assert isinstance(referee, FuryReferee)
    squads = pieces_on_map(position, *SQUADS)
    occupied = {squad.place for squad in squads}
    with_room = {
        zone
        for zone in map(zone_of, occupied)
        if zone and any(f"{zone}-{location}" not in occupied for location in referee.locations(zone))
    }
    free = {squad.place for squad in squads if zone_of(squad.place) in with_room and not referee.no_movement(squad)}
    counts = Counter(squad.place for squad in squads if short(squad) not in position.members("brought back"))
    return [f"{count} in {place}" for place, count in counts.items() if count > 1 and place in free]


def has_wrong_nature(position: Position, zone: str) -> bool:
    """[4.1.5] True if the Activation marker of Zone 26 or of a start Zone is another one than its own."""
    marker = marker_of(position, zone)
    due = "Activated Strong Point" if zone == "26" else "Activated Start Zone" if zone in position.members("start") else ""
    return marker is not None and bool(due) and marker.name != due


def elements_of(position: Position, squad_id: object) -> int:
    return sum(element.values.get("squad") == squad_id for element in pieces_on_map(position, "element"))


def has_squad(position: Position, element: Piece) -> bool:
    squad = position.pieces.get(str(element.values.get("squad")))
    return squad is not None and is_squad(squad) and on_map(squad)


def is_apart(position: Position, element: Piece) -> bool:
    owner = position.pieces.get(str(element.values.get("squad")))
    return owner is not None and on_map(owner) and zone_of(owner.place) != zone_of(element.place)


def not_activated(position: Position) -> list[str]:
    """[14.2] Zones beside one under USMC Control that have no marker."""
    town, all_zones = position.cached_from_flags(town_of), zones(position)
    around = set(chain.from_iterable(town.around(zone) for zone in all_zones if is_controlled(position, zone)))
    return [zone for zone in all_zones if zone in around and marker_of(position, zone) is None]


def pinned_without_enemies(position: Position) -> list[str]:
    """[14.3.4] Pinned squads with no enemy in their Zone or next to it."""
    town = position.cached_from_flags(town_of)

    def around(place: str) -> Iterable[str]:
        return town.around(zone_of(place)) if zone_of(place) else town.sections[section_of(place)].zones

    pinned = [squad for squad in pieces_on_map(position, *SQUADS) if squad.mark("pinned")]
    return [squad.name for squad in pinned if not any(enemies_in(position, zone) for zone in around(squad.place))]


def spent_caats(position: Position) -> list[str]:
    caats = [squad for squad in position.pieces.values() if is_squad(squad) and squad.mark("caat")]
    return [squad.name for squad in caats if not squad.mark("ammo") and not squad.mark("explosives")]


def zones_without_element(position: Position, marker: str) -> list[str]:
    """Zones with a marker of that name but no Security Element."""
    guarded = {zone_of(element.place) for element in pieces_on_map(position, "element")}
    return [zone for zone in zones(position) if markers(position, zone, marker) and zone not in guarded]


def not_taken(position: Position) -> list[str]:
    """[14.1.1] Zones with a squad and no enemy that are not under USMC Control."""
    open_zones = [zone for zone in zones(position) if not is_controlled(position, zone)]
    return [zone for zone in open_zones if squads_in(position, zone) and not enemies_in(position, zone)]


def is_before(position: Position, flag: str) -> bool:
    """True before the turn in a flag; false without the flag."""
    turn = position.flag(flag)
    return isinstance(turn, int) and position.track("turn") < turn


def iraqis_may_come(position: Position) -> bool:
    turn = position.flag("mosque reached")
    return isinstance(turn, int) and position.track("turn") > turn


def corrected_points(game: Game, position: Position) -> list[str]:
    return [title for title, _, _ in game.score(position, {}).items if title.startswith("manual corrections")]
