"""What an Assault, a crossing and an entry depend on, read off the table."""

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
    """The Assault as it stands on the table, against these counters of one Zone."""
    zone = zone_of(targets[0].place)
    now = scene_in(referee, squad, zone, enemies_of(targets), plain)
    return now._replace(apart=len(targets) < len(left(referee, zone)))


def enemies_of(counters: Sequence[Piece]) -> tuple[Enemy, ...]:
    """Enemy counters as an Assault sees them."""
    return tuple(Enemy(kind_of(one), cf_of(one), "" if one.kind == SUSPECT else one.name) for one in counters)


def left(referee: Fury, zone: str) -> list[Piece]:
    """[13.4.8] The enemies still in a Zone, in the order in which they are flooded."""
    found = referee.enemies_in(zone)
    order = flood_order(location_of(one.place) for one in found)
    return sorted(found, key=lambda one: order.index(location_of(one.place)))


def reached(referee: Fury, zone: str, start: str, fallen: str = "") -> list[Piece]:
    """[13.4.8.1] The enemies of a Zone in the order in which a squad floods them: each time the first in the printed order that
    it can get next to past those that are left; without those that it never can (ruling C-70). ``fallen``: a Location that
    is emptied by then.
    """
    rest, at, found = [one for one in left(referee, zone) if one.place != fallen], start, []
    while rest:
        held = {one.place for one in rest}
        spots = ((one, foothold(referee, at, one.place, held)) for one in rest)
        target, spot = next((pair for pair in spots if pair[1]), (None, ""))
        if target is None:
            break
        at = spot
        rest.remove(target)
        found.append(target)
    return found


def foothold(referee: Fury, start: str, goal: str, held: Collection[str]) -> str:
    """[13.4.8.1] Where a squad stands Adjacent to a Location, having moved there through Locations of its Zone that nobody holds:
    the nearest such place; "" for none.
    """
    seen, edge = {start}, [start]
    while edge:
        here = edge.pop(0)
        if goal in referee.town.next_to(here):
            return here
        steps = [one for one in referee.town.next_to(here) if zone_of(one) == zone_of(goal) and one not in (*seen, *held)]
        steps = [one for one in steps if not any(is_squad(piece) for piece in referee.position.at(one))]
        seen |= set(steps)
        edge += steps
    return ""


def scene_in(referee: Fury, squad: Piece, zone: str, enemies: tuple[Enemy, ...], plain: bool = False) -> Scene:
    """The Assault of a squad against enemies in a Zone, with all that is known to be in effect there."""
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
    """[12.7.1] Those who defend a Zone in their order: units, then Suspects (ruling C-11)."""
    return sorted(referee.enemies_in(zone), key=lambda one: one.kind == SUSPECT)


def entry_at(referee: Fury, squad: Piece, where: str) -> Entry:
    """[12.7.2] What covers a squad that enters a Courtyard or Open Ground."""
    zone = zone_of(where)
    at_home = any(one.place == where and one.values.get("squad") == squad.id for one in referee.elements_in(zone))
    tank = referee.tank_in(place(zone, "OG")) is not None
    return Entry(location_of(where), tank, at_home, marked(referee.position, zone, RUBBLE) is not None)


def street_at(referee: Fury, section: str) -> Street:
    """[11.4.2, 4.3.1.2] What Companion knows to be beside a Street Section, and in its lines of fire."""
    return Street(*referee.count(referee.town.sections[section].beside), referee.tank_in(street(section)) is not None)
