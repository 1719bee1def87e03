"""Scenes of Assaults: read from the position, or described by the player."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.core.position import Piece
from companion.games.phantomfury.names import FANATICISM, INSURGENTS_CUP, NO_EVENT, RUBBLE, SUSPECT
from companion.games.phantomfury.pieces import fortified, is_squad, marked
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r11_sniper import Street
from companion.games.phantomfury.rules.r12_defence import Entry
from companion.games.phantomfury.rules.r13_melee import flood_order
from companion.games.phantomfury.rules.r13_scene import Enemy, Scene
from companion.games.phantomfury.words.counters import cf_of, kind_of
from companion.games.phantomfury.words.town import location_of, place, street, zone_of
from companion.games.phantomfury.words.zones import MOSQUE


def scene(referee: Fury, squad: Piece, targets: Sequence[Piece], plain: bool = False) -> Scene:
    """The scene of an Assault against these counters of one Zone, from the position."""
    zone = zone_of(targets[0].place)
    now = scene_in(referee, squad, zone, enemies_of(targets), plain)
    return now._replace(apart=len(targets) < len(left(referee, zone)))


def enemies_of(counters: Sequence[Piece]) -> tuple[Enemy, ...]:
    """Enemy counters as values."""
    return tuple(Enemy(kind_of(piece), cf_of(piece), "" if piece.kind == SUSPECT else piece.name) for piece in counters)


def left(referee: Fury, zone: str) -> list[Piece]:
    """[13.4.8] The enemies still in a Zone, in the order of Flooding."""
    enemies = referee.enemies_in(zone)
    order = flood_order(location_of(piece.place) for piece in enemies)
    return sorted(enemies, key=lambda piece: order.index(location_of(piece.place)))


def reached(referee: Fury, zone: str, start: str, fallen: str = "") -> list[Piece]:
    """[13.4.8.1] The enemies of a Zone in the order in which a squad floods them: each time the first in the printed order that
    it can get Adjacent to. Enemies that it can never reach are left out (ruling C-70).

    Args:
        fallen: A Location that is emptied by then.
    """
    rest, current, targets = [piece for piece in left(referee, zone) if piece.place != fallen], start, []
    while rest:
        held = {piece.place for piece in rest}
        spots = ((piece, foothold(referee, current, piece.place, held)) for piece in rest)
        target, spot = next((pair for pair in spots if pair[1]), (None, ""))
        if target is None:
            break
        current = spot
        rest.remove(target)
        targets.append(target)
    return targets


def foothold(referee: Fury, start: str, goal: str, held: Collection[str]) -> str:
    """[13.4.8.1] The nearest place from which a squad is Adjacent to a Location, moving through free Locations of its Zone; ""
    if there is none.
    """
    seen, edge = {start}, [start]
    while edge:
        current = edge.pop(0)
        if goal in referee.town.next_to(current):
            return current
        steps = [
            neighbour
            for neighbour in referee.town.next_to(current)
            if zone_of(neighbour) == zone_of(goal) and neighbour not in (*seen, *held)
        ]
        steps = [neighbour for neighbour in steps if not any(is_squad(piece) for piece in referee.position.at(neighbour))]
        seen |= set(steps)
        edge += steps
    return ""


def scene_in(referee: Fury, squad: Piece, zone: str, enemies: tuple[Enemy, ...], plain: bool = False) -> Scene:
    """The scene of a squad against enemies in a Zone, with everything in effect there."""
    return Scene(
        referee.fighter(squad),
        enemies,
        fortified(referee.position, zone),
        zone == MOSQUE,
        referee.near_fury(zone_of(squad.place)),
        marked(referee.position, zone, FANATICISM) is not None,
        bool(referee.elements_in(zone)),
        marked(referee.position, zone, NO_EVENT) is not None,
        plain=plain,
        both=referee.option("explosives_drm") == "both",
        cup=tuple(referee.cup(INSURGENTS_CUP).items()),
    )


def defenders(referee: Fury, zone: str) -> list[Piece]:
    """[12.7.1] The enemies that defend a Zone, in order: units, then Suspects (ruling C-11)."""
    return sorted(referee.enemies_in(zone), key=lambda piece: piece.kind == SUSPECT)


def entry_at(referee: Fury, squad: Piece, where: str) -> Entry:
    """[12.7.2] What covers a squad that enters a Courtyard or Open Ground."""
    zone = zone_of(where)
    at_home = any(element.place == where and element.values.get("squad") == squad.id for element in referee.elements_in(zone))
    tank = referee.tank_in(place(zone, "OG")) is not None
    return Entry(location_of(where), tank, at_home, marked(referee.position, zone, RUBBLE) is not None)


def street_at(referee: Fury, section: str) -> Street:
    """[11.4.2, 4.3.1.2] The enemies beside a Street Section and in its lines of fire, and whether an M1A1 is in it."""
    return Street(*referee.count(referee.town.sections[section].beside), referee.tank_in(street(section)) is not None)
