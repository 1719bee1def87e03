"""The map of Jolan as it is entered and drawn: Zones, Street Sections, units [4.0]."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from companion.core.errors import Unreadable
from companion.core.map import AREAS, PRINTED, TOLD, Column, Facts, GameMap, Link, Map, Space, Stack
from companion.core.position import Piece, Position
from companion.core.text import clean, natural_key
from companion.games.phantomfury import state
from companion.games.phantomfury.facts import EXAMPLE, ZONES, read_line
from companion.games.phantomfury.notation.counters import MARTYRS, enemy_text, kind_of
from companion.games.phantomfury.notation.town import Town, town_of
from companion.games.phantomfury.notation.zones import CLOSED, MOSQUE, Zone, read_street, read_zone_number
from companion.games.phantomfury.referee import RUINED
from companion.games.phantomfury.state import (
    box,
    enemies_in,
    is_controlled,
    is_fortified,
    is_ours,
    location_of,
    marker_of,
    place,
    squads_in,
    street,
    zone_of,
)

USMC, GUERILLAS, MARTYR, SUSPECTS = "usmc", "guerillas", "martyrs", "suspects"
SIDES = {USMC: "USMC and IIF", GUERILLAS: "Guerillas", MARTYR: "Martyrs", SUSPECTS: "Suspects"}
_LETTERS = {USMC: "U", GUERILLAS: "G", MARTYR: "M", SUSPECTS: "?"}
_GROUNDS = {"USMC Control": "us", "Activated": "ac", "Fortified": "fo"}
_SHOWN = (state.FURY, state.FANATICISM, state.NO_EVENT, state.RUBBLE)


class PhantomFuryMap(GameMap):
    """Zones by number and Street Sections by name, each in the notation of its printed fact."""

    space = "zone"
    columns = (Column("printed", "zone"),)
    example = EXAMPLE

    def read_name(self, text: str) -> str:
        plain = clean(text)
        if " " in plain:
            raise Unreadable(
                f"'{plain}' is not a Zone, a Street Section or anybody on the map", rule="4.1", cure="Like this: 14, 2/14"
            )
        return read_zone_number(plain) if plain.isdecimal() else read_street(plain)

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        return [*ZONES, *sorted((key.partition(":")[2] for key in facts if key.startswith(state.TOLD_SECTION)), key=natural_key)]

    def spaces_of(self, key: str) -> tuple[str, ...]:
        head, _, tail = key.partition(":")
        return (tail,) if tail and head in ("zone", "section") else ()

    def key(self, column: Column, name: str, other: str = "") -> str:
        return (state.TOLD_ZONE if name.isdecimal() else state.TOLD_SECTION) + name

    def read_line(self, line: str, facts: Mapping[str, str]) -> Facts:
        """Read one Zone or one Street Section, using what is already entered. Raises Unreadable."""
        return dict((read_line(line, facts),))

    def read_cell(self, column: Column, name: str, value: str) -> Facts:
        key = self.key(column, name)
        fact = self.game.fact(key)
        assert fact is not None
        return {key: fact.notation(value)}

    # -- drawn ---------------------------------------------------------------------------------------------------

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        town = _town(position, facts)
        zones = position.members(state.ZONES)
        whole = len(zones) in (0, len(ZONES) - 1)
        listed = ZONES if whole else zones
        spaces = [_zone(position, town, zone) for zone in listed]
        held = [name for name in town.sections if position.at(street(name))]
        made_up = str(options.get("scenario", "")).startswith("practice")
        return Map(
            self.game.title,
            AREAS,
            [*spaces, *(_section(position, name) for name in held)],
            _links(town, {space.name for space in spaces}, held),
            SIDES,
            {sign: word for word, sign in _GROUNDS.items()} | {letter: SIDES[side] for side, letter in _LETTERS.items()},
            ["The practice map is made up; it is not the published one."] if made_up and zones else [],
        )


def _town(position: Position, facts: Mapping[str, str]) -> Town:
    """The map of the session; without a session, the entered map."""
    if not position.members(state.ZONES):
        position = Position({}, {}, {key: value for key, value in facts.items() if key.startswith(_TOLD)})
    return position.cached_from_flags(town_of)


_TOLD = (state.TOLD_ZONE, state.TOLD_SECTION)


def _zone(position: Position, town: Town, zone: str) -> Space:
    """A Zone as a space of the map: Control, Locations, markers, units."""
    printed, marker = town.zones.get(zone), marker_of(position, zone)
    ground = "USMC Control" if is_controlled(position, zone) else "Fortified" if is_fortified(position, zone) else ""
    ground = ground or ("Activated" if marker else "")
    lying = {piece.name for piece in position.at(box(zone))}
    features = [" ".join(str(printed).partition(";")[0].split())] if printed else []
    features += ["black circle"] if (printed and printed.black) or zone in position.members(state.START_ZONES) else []
    features += [name for name in _SHOWN if name in lying]
    title = {MOSQUE: "mosque", CLOSED: "closed"}.get(zone, "")
    source = TOLD if printed else PRINTED if title else ""
    sign, stacks = _GROUNDS.get(ground, ""), tuple(_stacks(position, zone))
    return Space(
        zone,
        title,
        ground,
        tuple(features),
        source,
        None,
        sign,
        stacks,
        tuple(_inside(position, printed, zone)) if printed else (),
    )


def _inside(position: Position, told: Zone, zone: str) -> Iterator[str]:
    """[4.2] The Locations of a Zone from the roof down, each with its symbols (``.`` a door, ``^`` a roof) and units, then the
    streets.
    """
    ruined = any(piece.name == state.RUBBLE for piece in position.at(box(zone)))
    for location in reversed(told.locations):
        signs = ("." if location in told.doors else "") + ("^" if location in told.roofs else "")
        contents = [
            _who(piece).rpartition(" at ")[0] for piece in position.at(place(zone, location)) if piece.kind != state.ELEMENT
        ]
        contents += ["Element" for piece in position.at(place(zone, location)) if piece.kind == state.ELEMENT]
        rubble = ["rubble"] if ruined and location in RUINED else []
        yield f"{location + signs:4} {', '.join([*rubble, *contents])}".rstrip()
    if told.streets:
        yield f"to   {' '.join(told.streets)}"


def _stacks(position: Position, zone: str) -> Iterator[Stack]:
    """The units of a Zone by side, each with its Location."""
    tanks = [piece for piece in position.of_kind(state.TANK) if zone_of(piece.place) == zone]
    by_side: dict[str, list[Piece]] = {USMC: [*squads_in(position, zone), *tanks]}
    for enemy in enemies_in(position, zone):
        side = SUSPECTS if enemy.kind == state.SUSPECT else MARTYR if kind_of(enemy) == MARTYRS else GUERILLAS
        by_side.setdefault(side, []).append(enemy)
    for side in SIDES:
        if by_side.get(side):
            yield Stack(side, _LETTERS[side], tuple(map(_who, by_side[side])))


def _who(piece: Piece) -> str:
    """``Squad 4 at C``, ``Guerillas CF 2 at 1``."""
    return f"{piece.name if is_ours(piece) else enemy_text(piece)} at {location_of(piece.place)}"


def _section(position: Position, name: str) -> Space:
    """A Street Section with units in it [4.3]."""
    who = tuple(piece.name for piece in position.at(street(name)) if is_ours(piece))
    return Space(street(name), source=TOLD, stacks=(Stack(USMC, _LETTERS[USMC], who),) if who else ())


def _links(town: Town, listed: Collection[str], held: Collection[str]) -> Iterator[Link]:
    """[4.1.1, 4.1.2] Links between Adjacent Zones, between Neighbouring Zones, and to occupied Street Sections."""
    for number in town.zones:
        for other in town.adjacent(number):
            if other in listed and number in listed and (other not in town.zones or int(number) < int(other)):
                yield Link(number, other)
        for other in town.near(number):
            if other in listed and number in listed and (other not in town.zones or int(number) < int(other)):
                yield Link(number, other, "street")
    for name in held:
        for zone in town.sections[name].zones:
            if zone in listed:
                yield Link(street(name), zone)
