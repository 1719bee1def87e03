"""The referee of Phantom Fury: map facts, position, markers, points, questions about units."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from companion.core.charts import Chart
from companion.core.dice import count_by_name
from companion.core.errors import Impossible, NoEligiblePiece, Refused
from companion.core.position import Piece, Position
from companion.core.requests import Choice, Choose, LazyText
from companion.core.text import natural_key
from companion.games.phantomfury import names
from companion.games.phantomfury.pieces import (
    element_of,
    enemies_in,
    enemy_place,
    in_box,
    marked,
    marker_of,
    on_map,
    out_there,
    squads_in,
    standing,
)
from companion.games.phantomfury.surveyor import Surveyor
from companion.games.phantomfury.words.counters import Fighter, enemy_text, fighter, kind_of, short
from companion.games.phantomfury.words.town import box, street, zone_of

PHASES = ("Support", "Reinforcements", "Fire Combat", "Movement", "Assault", "Reorganisation")
RUINED = ("2", "2'", "R")
"""[4.1.6] The Locations that Ruins do not have."""
T = TypeVar("T")
SUPPORT, REINFORCEMENTS, FIRE, MOVEMENT, ASSAULT, REORGANISATION = range(6)


def phase_title(position: Position) -> str:
    """The name of the current Phase [8.0]."""
    now = position.track("phase")
    return PHASES[now] if 0 <= now < len(PHASES) else str(now)


def last_turn(position: Position) -> int:
    """The last turn of the game [7.0, 15.0]."""
    turns = position.flag(names.TURNS)
    return turns if isinstance(turns, int) else 16


class Fury(Surveyor):
    """The referee of Phantom Fury."""

    def __init__(self, position: Position, options: Mapping[str, str], charts: Mapping[str, Chart]) -> None:
        super().__init__(position, options, charts)
        self._read: dict[Hashable, Any] = {}

    def once(self, what: Hashable, read: Callable[[], T]) -> T:
        """Cache a value read from the charts."""
        value: T | None = self._read.get(what)
        if value is None:
            value = self._read[what] = read()
        return value

    def count(self, zones: Iterable[str]) -> tuple[int, int]:
        """The numbers of (Insurgents units, Suspects) in some Zones."""
        enemies = [piece for zone in zones for piece in self.enemies_in(zone)]
        suspects = sum(piece.kind == names.SUSPECT for piece in enemies)
        return len(enemies) - suspects, suspects

    def explain(self, text: LazyText, rule: str, because: Iterable[LazyText]) -> None:
        """Say texts that may be callables; they are worded only when needed."""
        texts, *layer = (line if isinstance(line, str) else line() for line in (text, *because))
        self.say(texts, rule, *layer)

    def counted(self, zones: Iterable[str]) -> str:
        """The enemies of some Zones in words."""
        parts = []
        for zone in zones:
            enemies = self.enemies_in(zone)
            parts += [f"Zone {zone}: {', '.join(enemy_text(piece) for piece in enemies)}"] if enemies else []
        return "; ".join(parts) or "nobody there"

    def units(self) -> list[Piece]:
        """All units of the player, on the map or not."""
        return [piece for kind in (names.SQUAD, names.IIF, names.TANK) for piece in self.position.of_kind(kind)]

    # -- what is where -----------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        return self.position.track("turn")

    @property
    def last_turn(self) -> int:
        return last_turn(self.position)

    def squads(self) -> list[Piece]:
        """The squads on the map."""
        alike = self.position.pieces_in_group
        return [*alike(out_there, names.SQUAD), *alike(out_there, names.IIF)]

    def tanks(self) -> list[Piece]:
        return self.position.pieces_in_group(out_there, names.TANK)

    def enemies_in(self, zone: str) -> list[Piece]:
        """The Insurgents units, then the Suspects, in a Zone."""
        return enemies_in(self.position, zone)

    def squads_in(self, zone: str) -> list[Piece]:
        """The squads in a Zone, USMC before IIF."""
        return squads_in(self.position, zone)

    def usmc_units_in(self, zone: str) -> list[Piece]:
        """The squads and M1A1s in a Zone."""
        return [*self.squads_in(zone), *self.position.pieces_in_group(standing, (names.TANK, zone))]

    def usmc_zones(self) -> set[str]:
        """The Zones with squads or M1A1s in them."""
        return {zone_of(piece.place) for piece in (*self.squads(), *self.tanks())}

    def enemies(self, kind: str = "") -> list[Piece]:
        """The enemy counters on the map: all, or ``guerillas``, ``martyrs``, ``suspect``."""
        kinds = (names.INSURGENT, names.SUSPECT)
        enemies = [
            piece
            for piece_kind in kinds
            for piece in self.position.pieces_in_group(out_there, piece_kind)
            if zone_of(piece.place)
        ]
        return [piece for piece in enemies if not kind or kind_of(piece) == kind]

    def enemy_at(self, where: str) -> Piece | None:
        """The enemy counter in a Location; there is at most one [12.2.1.2]."""
        return self.position.first_in_group(enemy_place, where)

    def fighter(self, squad: Piece) -> Fighter:
        """A squad with its markers as a value; without steps if it is off the map."""
        squad = self.piece(squad.id)
        state = fighter(squad, element_of(self.position, squad) is not None)
        return state if on_map(squad) else state._replace(steps=0)

    def cf(self, squad: Piece) -> int:
        """[5.1.1.1, 5.1.5.3, 12.3.2.2] The CF of a squad now: reduced, with its Hero, without its Security Element."""
        return fighter(self.piece(squad.id), element_of(self.position, squad) is not None).now

    def again(self) -> Fury:
        """Another referee on this position: what happens there, happens nowhere else."""
        copy = Fury(self.position, self.options, self.charts)
        copy.quiet = self.quiet
        return copy

    def elements_in(self, zone: str) -> list[Piece]:
        """The Security Elements in a Zone."""
        return self.position.pieces_in_group(standing, (names.ELEMENT, zone))

    def locations(self, zone: str) -> tuple[str, ...]:
        """[4.1.6] The Locations of an entered Zone that still exist: Ruins have neither 2 nor R."""
        printed = self.town.zones[zone].locations
        return tuple(location for location in printed if location not in RUINED) if zone in self.ruins() else printed

    def ruins(self) -> set[str]:
        """[4.1.6] The Ruins Zones."""
        return {piece.place[len(names.BOX) :] for piece in self.position.pieces_in_group(in_box, names.RUBBLE)}

    def tank_in(self, where: str) -> Piece | None:
        return next((piece for piece in self.position.at(where) if piece.kind == names.TANK), None)

    def at_section(self, section: str) -> list[Piece]:
        return self.position.at(street(section))

    def who(self, piece: Piece) -> str:
        """One of the player's units in words: ``Squad 4 (CF 5, 14-C)``."""
        if piece.kind == names.TANK:
            return f"{piece.name} ({piece.place})"
        return f"{piece.name} (CF {self.cf(piece)}, {piece.place})"

    def unit_choices(self, pieces: Sequence[Piece]) -> list[Choice]:
        in_order = sorted(pieces, key=lambda piece: natural_key(short(piece)))
        return [Choice(short(piece), piece.name, partial(self.state, piece)) for piece in in_order]

    def state(self, piece: Piece) -> str:
        """The state of a unit for a list of choices."""
        words = [piece.place] if piece.kind == names.TANK else [piece.place, f"CF {self.cf(piece)}"]
        words += [f"CAAT ammo {piece.mark('ammo', 0)}"] if piece.mark(names.CAAT) else []
        words += [name for name in ("fired", "pinned") if piece.mark(name)]
        return ", ".join(words)

    # -- markers and control -----------------------------------------------------------------------------------

    def put_marker(self, name: str, zone: str, rule: str, why: str) -> str:
        """Put a marker into a Zone, a spare one if there is any. Returns its id."""
        spare = next((piece for piece in self.position.at(names.OFF) if piece.name == name and piece.kind == names.MARKER), None)
        if spare:
            self.flip(spare.id, "front", rule)
            self.move(spare.id, box(zone), rule, why)
            return spare.id
        return self.make(names.MARKER, name, box(zone), rule, why)

    def take_marker(self, name: str, zone: str, rule: str, why: str) -> None:
        """Remove a marker from a Zone, if it is there."""
        marker = marked(self.position, zone, name)
        if marker:
            self.move(marker.id, names.OFF, rule, why)

    def take_control(self, zone: str, rule: str, why: str) -> None:
        """[14.1.1] Put a Zone under USMC Control; its Fanaticism ends [13.4.3.3]."""
        marker = marker_of(self.position, zone)
        if marker is None:
            made = self.make(names.CONTROL, names.PLAIN, box(zone), rule)
            marker = self.piece(made)
        self.flip(marker.id, names.USMC, rule, why)
        self.take_marker(names.FANATICISM, zone, "13.4.3.3", "the Zone is under USMC Control")

    def lose_control(self, zone: str, rule: str, why: str) -> None:
        """Return a Zone to the insurgents [13.6.3, 14.4.1]."""
        marker = marker_of(self.position, zone)
        if marker is not None:
            self.flip(marker.id, "front", rule, why)

    def after_element(self, zone: str) -> None:
        """[13.6.4] Remove the No Insurgents Event marker of a Zone without a Security Element."""
        if not self.elements_in(zone):
            self.take_marker(names.NO_EVENT, zone, "13.6.4", "no Security Element is left in the Zone")

    def near_fury(self, zone: str) -> bool:
        """[13.4.3.2] True if a Phantom Fury marker is in the Zone, an Adjacent or a Neighbouring one."""
        return any(marked(self.position, zone, names.FURY) for zone in (zone, *self.town.around(zone)))

    # -- points ------------------------------------------------------------------------------------------------

    def points(self, item: str, rule: str, why: str, count: int = 1) -> None:
        """[7.2.1] Score an item of the chart of points."""
        each = self.chart("points").number(item, "vp")
        was = self.position.flag(names.TALLY + item)
        self.set_flag(names.TALLY + item, (was if isinstance(was, int) else 0) + count, rule)
        self.shift_track("vp", each * count, rule, why)

    def cup(self, name: str) -> Mapping[str, int]:
        """The counters in a cup by name; pieces that do not belong there are not drawn."""
        kind = names.CUPS[name]
        return self.seen(("cup", name), lambda: count_by_name([piece for piece in self.position.at(name) if piece.kind == kind]))

    def take_from(self, cup: str, name: str, where: str, rule: str, why: str = "") -> Piece:
        """Move a counter of that name from its cup. If the cup should not hold one, it is made: the player has it in hand."""
        held = next((piece for piece in self.position.at(cup) if piece.name == name), None)
        if held is None:
            kind = names.CUPS[cup]
            held = self.piece(self.make(kind, name, cup, rule, "not expected in the cup"))
        self.move(held.id, where, rule, why)
        return self.piece(held.id)

    async def ask_unit(
        self, key: str, prompt: str, rule: str, units: Sequence[Piece], barred: Callable[[Piece], tuple[str, str] | None]
    ) -> Piece:
        """Ask for one of the player's units; a barred unit is refused by its rule unless the player insists.

        Raises:
            Illegal: There is no unit, or all are barred.
        """
        refused = {piece.id: why for piece in units if (why := barred(piece)) is not None}
        able = [piece for piece in units if piece.id not in refused] or self._refuse_all(key, units, refused, rule)
        fit = {piece.id for piece in able}

        def others() -> list[Choice]:  # those off the map too: named, they must not be taken for units that can
            everyone = {piece.id: piece for piece in (*units, *self.units())}
            return self.unit_choices([piece for piece in everyone.values() if piece.id not in fit])

        answer = await Choose(key, prompt, rule, lambda: self.unit_choices(able), None, others, "unit")
        chosen = next((piece for piece in units if short(piece) == answer), None)
        if chosen is None:
            away = next(piece for piece in self.units() if short(piece) == answer)
            raise Impossible(f"{away.name} is not on the map", rule=rule, cure=f"If it is: companion adjust {away.name} 14-C")
        if chosen.id in refused:
            self.forbid(*refused[chosen.id], "Another unit can")
        return self.piece(chosen.id)

    def _refuse_all(self, key: str, units: Sequence[Piece], refused: Mapping[str, tuple[str, str]], rule: str) -> Sequence[Piece]:
        """Refuse because no unit is able; a player who insists may name any unit on the map."""
        if not units:
            raise Impossible("no unit of yours is on the map", rule=rule)
        units = sorted(units, key=lambda piece: natural_key(short(piece)))
        why, by = refused[units[0].id]
        if self.anyway:
            self.forbid(why, by)
            return units
        reasons = list(dict.fromkeys(refused[piece.id][0] for piece in units))
        more = f"; and {len(reasons) - 2} more reasons" if len(reasons) > 3 else ""
        shown = "; ".join(reasons[: 2 if more else 3])

        def each() -> list[Refused]:
            away = [
                ((unit.value, unit.label), (f"{unit.label} is not on the map", rule)) for unit in self.unit_choices(self.units())
            ]
            return [*(((short(piece), piece.name), refused[piece.id]) for piece in units), *away]

        raise NoEligiblePiece(f"no unit can do that: {shown}{more}" if len(units) > 1 else why, key, each, rule=by)

    # -- the sequence of play ----------------------------------------------------------------------------------

    def begin(self, phase: int) -> None:
        """[8.0] Advance to a Phase; earlier Phases end. Never goes back."""
        if self.position.track("phase") < phase:
            self.set_track("phase", phase, "8.0", "")

    def held(self, unit: Piece) -> tuple[str, str] | None:
        """[12.1.1] Why a unit cannot move any more this turn: (why, rule)."""
        if short(unit) in self.members(names.MOVED):
            return f"{unit.name} has moved this turn", "12.1.1"
        if unit.mark(names.PINNED):
            return f"{unit.name} is Pinned", "11.5"
        return (f"{unit.name} has Fired", "11.3") if unit.mark(names.FIRED) else None

    def brief(self, pieces: Iterable[Piece]) -> str:
        """Enemy counters with their places: ``Guerillas CF 2 at 15-R``."""
        return ", ".join(f"{enemy_text(piece)} at {piece.place}" for piece in pieces) or "none"
