"""Manual corrections: counters by their printed name, Zone Control, legal places."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.core.corrections import Corrections, CupContents, NewPiece, piece_put
from companion.core.errors import Unreadable
from companion.core.events import Event, FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved
from companion.core.game import Obstacle
from companion.core.hints import ClassVar
from companion.core.position import Piece, Position, Value
from companion.core.text import matching_names, pick_name
from companion.core.vocabulary import FRONT
from companion.games.phantomfury import state
from companion.games.phantomfury.notation import CLOSED, MOSQUE, read_section, read_zone, read_zone_number
from companion.games.phantomfury.referee import RUINED, FuryReferee
from companion.games.phantomfury.town import read_place, town_of

HOLDERS = ("usmc", "insurgents", "none")
"""Who can Control a Zone; ``none``: the Zone has no marker, as before its Activation."""
_CF = {state.SQUAD: (4, 6), state.IIF: (1, 6), state.TANK: (1, 9)}


def _insurgent(text: str, position: Position) -> NewPiece:
    """Read ``G2/M3``, or the side that is up: ``Guerillas 2``, ``m3``; the other side is copied from a matching counter."""
    if "/" in text:
        return NewPiece(state.insurgent_name(*state.read_sides(text)))
    word, number = text.rstrip("0123456789 ").casefold(), text[len(text.rstrip("0123456789 ")) :].strip()
    faces = [face for face, kind in state.FACES.items() if word.removesuffix(" cf") and kind.startswith(word.removesuffix(" cf"))]
    if len(faces) != 1 or not number.isdecimal() or not 1 <= int(number) <= 4:
        cure = "Like this: new:insurgent:G2/M3 14-2, or new:insurgent:Guerillas 2 14-2"
        raise Unreadable(f"'{text}' is not an Insurgents counter", rule="5.2.1", cure=cure)
    side = state.FACES[faces[0]]
    like = [piece for piece in position.of_kind(state.INSURGENT) if state.sides(piece.name)[side] == int(number)]
    like.sort(key=lambda piece: piece.place != state.INSURGENTS_CUP)
    other_name = state.insurgent_name(int(number), int(number))
    return NewPiece(like[0].name if like else other_name, face=faces[0])


def _suspect(text: str, position: Position) -> NewPiece:
    """Read what is printed on the marker; without text, use a marker of the game, since its bottom is hidden (5.3.2.2)."""
    names = [piece.name for piece in position.of_kind(state.SUSPECT)]
    return NewPiece(state.read_marker(text) if text else next(iter(names), "2/1/R"))


def _numbered(kind: str, title: str, usual: int) -> Callable[[str, Position], NewPiece]:
    """Return a reader of numbered units: ``16 CF 5``; without a number the next free one."""

    def read(text: str, position: Position) -> NewPiece:
        words = text.casefold().replace("cf", " ").replace(title.casefold(), " ").split()
        low, high = _CF[kind]
        taken = {str(piece.values.get("number")) for piece in position.of_kind(kind)}
        number = words[0] if words else str(max((int(used) for used in taken if used.isdecimal()), default=0) + 1)
        cf = words[1] if len(words) > 1 else str(usual)
        if not (number.isdecimal() and cf.isdecimal() and len(words) < 3 and low <= int(cf) <= high and 0 < int(number) < 100):
            raise Unreadable(f"'{text}' is not a {title}", rule="5.1.1", cure=f"Number and CF, like this: new:{kind}:16 {usual}")
        if number in taken:
            raise Unreadable(f"there is a {title} {number} already", cure=f'Move it: companion adjust "{title} {number}" PLACE')
        values: dict[str, Value] = {"number": int(number), "cf": int(cf)}
        return NewPiece(f"{title} {number}", values)

    return read


def _one_of(kinds: tuple[str, ...], what: str) -> Callable[[str, Position], NewPiece]:
    return lambda text, position: NewPiece(pick_name(text, kinds, what) if text else kinds[0])


def _element(text: str, position: Position) -> NewPiece:
    """Read the squad that a Security Element belongs to (12.3.2)."""
    squads = {piece.name: piece for piece in position.pieces.values() if state.is_squad(piece)}
    squads |= {state.short(piece): piece for piece in squads.values()}
    matches = matching_names(text.removeprefix("Security Element of "), squads)
    if not matches:
        raise Unreadable(f"'{text}' is not a squad", rule="12.3.2", cure="Name its squad, like this: new:element:4 14-C")
    return NewPiece(f"Security Element of {squads[matches[0]].name}", {"squad": squads[matches[0]].id})


_MAKERS: dict[str, Callable[[str, Position], NewPiece]] = {
    state.SQUAD: _numbered(state.SQUAD, "Squad", 5),
    state.IIF: _numbered(state.IIF, "IIF", 4),
    state.TANK: _numbered(state.TANK, "M1A1", 8),
    state.INSURGENT: _insurgent,
    state.SUSPECT: _suspect,
    state.CONTROL: _one_of((state.PLAIN, state.STRONG, state.START_ZONE), "marker of a Zone"),
    state.MARKER: _one_of(state.ZONE_MARKERS, "marker"),
    state.ELEMENT: _element,
}


def place_fault(place: str, position: Position) -> str:
    """Why a Location or a Control box does not exist on the map as entered (4.1, 4.2); "" if it does."""
    zone = state.zone_of(place) or (place[len(state.BOX) :] if place.startswith(state.BOX) else "")
    zones = position.members(state.ZONES)
    if not zone or not zones:
        return ""
    if zone not in (*zones, CLOSED):
        return f"this map has no Zone {zone}"
    printed = position.cached_from_flags(town_of).zones.get(zone)
    location = state.location_of(place)
    if printed is None or not location or location in printed.locations:
        return ""
    return f"Zone {zone} has no {location}, but {', '.join(printed.locations)}"


_ZONE_KINDS = (state.MARKER, state.CONTROL)
"""Kinds of markers that are about a whole Zone; those are recorded in its Control box."""
_UNITS = (state.SQUAD, state.IIF, state.TANK, state.INSURGENT, state.SUSPECT, state.ELEMENT)
_IN_STREETS = (state.SQUAD, state.IIF, state.TANK)


def objection(piece: Piece, to: str, position: Position) -> Obstacle | None:
    """Why a piece cannot be put in a place: it is no place for its kind, or an enemy is there (12.2.1.2)."""
    if piece.kind in _ZONE_KINDS:
        return _marker_objection(piece, to)
    if piece.kind in _UNITS and to.startswith(state.BOX):
        zone = to[len(state.BOX) :]
        text = f"{piece.name} lies in a Location, not in the Control box of Zone {zone}"
        return Obstacle(text, "4.1.4", f"Name its Location: {zone}-C")
    if piece.kind in _UNITS and piece.kind not in _IN_STREETS and state.section_of(to):
        return Obstacle(f"{piece.name} lies in a Location of a Zone, not in a street", "4.2", "Name its Location, such as 14-C")
    sides = (state.SQUAD, state.IIF, state.INSURGENT, state.SUSPECT)
    if not state.zone_of(to) or piece.kind not in sides:
        return None
    for other in position.at(to):
        if other.id != piece.id and other.kind in sides and state.is_squad(other) != state.is_squad(piece):
            text = f"{other.name} is in {to}: no squad and enemy are in one Location"
            return Obstacle(text, "12.2.1.2", f'Move that one first: companion adjust "{other.name}@{to}" "beside the map"')
    return None


def _marker_objection(marker: Piece, to: str) -> Obstacle | None:
    """Why a marker of a Zone cannot lie in a place: it is in no Zone, or would Control Zone 27 (4.1.4)."""
    if state.section_of(to):
        return Obstacle(f"{marker.name} lies in a Zone, not in a street", "4.1.4", "Name the Zone: box 14")
    if marker.kind == state.CONTROL and to == state.box(CLOSED):
        return Obstacle(f"neither side can Control Zone {CLOSED}", "4.1.4", "Name another Zone: box 14")
    return None


def _zones_left(zones: tuple[str, ...], position: Position) -> Obstacle | None:
    """Why the set of Zones cannot be changed: it must contain every occupied Zone (4.1)."""
    cure = "Name every Zone of the map: flag:zones 1,2,3"
    for piece in position.pieces.values():
        if (zone := state.zone_of(piece.place)) and zone not in zones:
            return Obstacle(f"{piece.name} is in Zone {zone}, which the map would not have", "4.1", cure)
    return None if zones else Obstacle("a map has Zones", "4.1", cure)


def correct_control(referee: FuryReferee, what: str, value: str, why: str) -> bool:
    """Handle ``control 5 usmc``, ``zone 5 insurgents``, ``zone 5 control none``; False if the text is something else (4.1.4)."""
    words = [word for word in what.casefold().split() if word not in ("control", "zone", "box")]
    if len(words) != 1 or len(words) == len(what.split()) or not words[0].isdecimal():
        return False
    set_control(referee, referee.need_zone(read_zone_number(words[0])), pick_name(value, HOLDERS, "holder of a Zone"), why)
    return True


def set_control(referee: FuryReferee, zone: str, who: str, why: str) -> None:
    """Put a Zone under the Control of one of HOLDERS, or remove its marker (4.1.4)."""
    marker = referee.marker_of(zone)
    if who == "usmc":
        referee.take_control(zone, "14.1.1", why)
    elif who == "none" and marker is not None:
        referee.move(marker.id, "beside the map", "4.1.4", why)
    elif marker is not None:
        referee.flip(marker.id, FRONT, "4.1.4", why)
    elif who == "insurgents":
        referee.make(state.CONTROL, state.PLAIN, state.box(zone), "4.1.3", why)


def place_marker(referee: FuryReferee, what: str, value: str, why: str) -> bool:
    """Handle ``suspect 14-2`` (from its cup) and ``activate 23``, ``activate 23 strong``; False for other text (5.3.2, 4.1.3)."""
    words = f"{what} {value}".casefold().split()
    if words[0] == "suspect" and len(words) == 2:
        where = read_place(words[1])
        held = next(iter(referee.position.at(state.SUSPECTS_CUP)), None)
        made = held.id if held else referee.make(state.SUSPECT, "2/1/R", state.SUSPECTS_CUP, "5.3.2", why)
        referee.move(made, where, "5.3.2", why)
        return True
    if words[0] != "activate" or len(words) not in (2, 3):
        return False
    zone = referee.need_zone(read_zone_number(words[1]))
    name = state.STRONG if words[2:] and "strong".startswith(words[2]) else state.PLAIN
    if referee.marker_of(zone) is None:
        referee.take_from(state.ZONES_CUP, name, state.box(zone), "4.1.3", why)
        referee.say(f"Its two Suspects, as they lie: companion adjust suspect {zone}-1", "5.3.2.1", tone="reminder")
    return True


def doubts(referee: FuryReferee, piece: Piece) -> Iterator[tuple[str, str]]:
    """Why a corrected piece cannot lie so by the rules, each with its rule."""
    if state.is_squad(piece):
        yield from _squad_doubts(referee, piece)
    elif piece.kind == state.TANK:
        if state.zone_of(piece.place) and state.location_of(piece.place) != "OG":
            yield f"an M1A1 is in no Location but Open Ground, and {piece.name} is in {piece.place}", "12.6.2"
    elif piece.kind in (state.INSURGENT, state.SUSPECT):
        if sum(other.kind in (state.INSURGENT, state.SUSPECT) for other in referee.position.at(piece.place)) > 1:
            yield f"two enemies are in {piece.place}", "12.2.1.2"
    elif piece.kind == state.ELEMENT:
        yield from _element_doubts(referee, piece)
    zone, section = state.marked_zone(piece), state.section_of(piece.place)
    if section and sum(other.kind == piece.kind for other in referee.position.at(piece.place)) > 1:
        yield f"two units of one kind are in Street Section {section}", "12.2.3.2"
    if piece.kind in (state.INSURGENT, state.SUSPECT, state.CONTROL) and referee.is_controlled(zone) and referee.enemies_in(zone):
        yield f"Zone {zone} is under USMC Control with enemies in it", "13.6.3"
    if piece.kind == state.MARKER and referee.is_controlled(zone) and piece.name == state.FANATICISM:
        yield f"Zone {zone} is under USMC Control, which ends Fanaticism", "13.4.3.3"
    if piece.kind == state.MARKER and piece.name == state.NO_EVENT and zone and not referee.elements_in(zone):
        yield f"no Security Element is in Zone {zone}", "13.6.4"
    if zone in referee.ruins() and (lost := [other.name for other in referee.position.pieces.values() if _in_ruins(other, zone)]):
        yield f"{', '.join(lost)}: Zone {zone} lies in Ruins, and has no {' or '.join(RUINED)}", "4.1.6"


def _in_ruins(piece: Piece, zone: str) -> bool:
    """True if a piece is in a Location that the Zone does not have in Ruins."""
    return state.zone_of(piece.place) == zone and piece.kind in _UNITS and state.location_of(piece.place) in RUINED


def _squad_doubts(referee: FuryReferee, squad: Piece) -> Iterator[tuple[str, str]]:
    zone = state.zone_of(squad.place)
    if squad.kind == state.SQUAD and zone == MOSQUE:
        yield f"no USMC squad enters Zone {MOSQUE}, and {squad.name} is in it", "12.4.2"
    elif zone and not referee.is_controlled(zone) and zone != MOSQUE:
        if len(referee.squads_in(zone)) > 1:
            yield f"two squads are in Zone {zone}, which the insurgents Control", "12.2.1.1"
        if squad.kind == state.IIF:
            yield f"{squad.name} is in Zone {zone}, which the insurgents Control", "5.1.6.1"
    if not state.on_map(squad) and any(squad.marks.values()):
        yield f"{squad.name} is off the map and has markers", "5.1.4.3"
    element = referee.element_of(squad)
    if element is not None and state.zone_of(element.place) != zone:
        yield f"{element.name} is left at {element.place}, and {squad.name} is not in that Zone", "12.3.2.2"
    if squad.mark(state.PINNED) and squad.mark(state.FIRED):
        yield f"{squad.name} is Pinned, which replaces Fired", "11.5"
    if squad.kind == state.IIF and (squad.mark(state.HERO) or squad.mark(state.CAAT)):
        yield f"{squad.name} cannot have a Hero or a CAAT", "5.1.6.2"
    elif not squad.mark(state.CAAT) and (squad.mark(state.AMMO) or squad.mark(state.EXPLOSIVES)):
        yield f"{squad.name} has munitions and no CAAT", "5.1.4.1"


def _element_doubts(referee: FuryReferee, element: Piece) -> Iterator[tuple[str, str]]:
    zone, squad = state.zone_of(element.place), referee.position.pieces.get(str(element.values.get("squad")))
    if zone and state.location_of(element.place) not in ("C", "R"):
        yield f"a Security Element is left in C or R, not in {element.place}", "12.3.2.1"
    if zone and squad is not None and state.zone_of(squad.place) != zone:
        yield f"{squad.name} is not in Zone {zone} with its Security Element", "12.3.2.2"


def _warn_stranded(referee: FuryReferee, zone: str) -> None:
    """Warn about pieces in Locations that the Zone no longer has (4.2)."""
    for piece in list(referee.position.pieces.values()):
        if state.zone_of(piece.place) == zone and place_fault(piece.place, referee.position):
            cure = f'companion adjust "{piece.name}@{piece.place}" PLACE'
            referee.say(f"{piece.name} is in {piece.place}, which Zone {zone} has not: {cure}", "4.2", tone="warning")


class PhantomFuryCorrections(Corrections):
    """Corrections in the terms of this game."""

    cups: ClassVar[CupContents] = {cup: ((kind,), "6.1") for cup, kind in state.CUPS.items()}

    def face_names(self, piece: Piece) -> tuple[str, ...]:
        """The sides of a counter (5.0)."""
        if state.is_squad(piece):
            return FRONT, state.REDUCED
        if piece.kind == state.MARKER:
            return (FRONT, state.LATER) if piece.name == state.FURY else (FRONT,)
        return {state.INSURGENT: tuple(state.FACES), state.CONTROL: (FRONT, state.USMC)}.get(piece.kind, (FRONT,))

    def is_in_play(self, piece: Piece) -> bool:
        return state.on_map(piece) or piece.place.startswith(state.BOX)

    def find_place(self, text: str, position: Position) -> str:
        """Read ``14-2'``, ``box 5``, ``zone 5`` (its Control box); "" for anything else."""
        word, _, rest = text.casefold().partition(" ")
        if word in ("box", "zone") and rest.isdecimal():
            return state.box(rest)
        try:
            return read_place(text) if "-" in text else ""
        except Unreadable:
            return ""

    def place_for(self, kind: str, text: str, position: Position) -> str:
        """The Control box of a Zone for its markers, wherever they lie in it: ``2``, ``2-R``, ``zone 2`` (4.1.4, 4.1.6)."""
        if kind not in _ZONE_KINDS:
            return ""
        where = text.strip("\"'") if text[-1:] == text[:1] else text
        zone = where if where.isdecimal() else state.zone_of(self.find_place(where, position))
        return state.box(read_zone_number(zone)) if zone else ""

    def read_member(self, flag: str, text: str, position: Position) -> str:
        """Read a member of a set flag: a Zone, or one of the player's units. Raises Unreadable."""
        if flag in (state.ZONES, state.START_ZONES, state.LATE):
            return read_zone_number(text)
        units = [state.short(piece) for kind in (state.SQUAD, state.IIF, state.TANK) for piece in position.of_kind(kind)]
        return pick_name(text, units, "unit")

    def read_new_piece(self, kind: str, text: str, position: Position) -> NewPiece:
        """Read a counter of a kind. Raises Unreadable (5.0)."""
        return _MAKERS[kind](text, position)

    def objection(self, event: Event, position: Position) -> Obstacle | None:
        """Refuse to put squads and enemies together (12.2.1.2) and to remove an occupied Zone (4.1)."""
        if isinstance(event, FlagSet) and event.flag == state.ZONES:
            return _zones_left(event.now if isinstance(event.now, tuple) else (), position)
        put = piece_put(event, position)
        return objection(*put, position) if put else None

    def apply_consequences(self, referee: FuryReferee, why: str) -> None:
        """Say what the rules do not allow where a correction put it (12.2)."""
        changed = (PieceMoved, PieceMade, PieceMarked, PieceFlipped)
        touched = dict.fromkeys(event.id for event in referee.events if isinstance(event, changed))
        said = dict(doubt for piece_id in touched for doubt in doubts(referee, referee.piece(piece_id)))
        for text, rule in said.items():
            referee.say(f"{text[0].upper()}{text[1:]}. If it does not lie so: companion undo", rule, tone="warning")

    def apply_in_words(self, referee: FuryReferee, what: str, value: str, why: str) -> bool:
        """Handle corrections of Zone Control, Suspects and Zone markers (4.1.4, 5.3.2, 4.1.3)."""
        return correct_control(referee, what, value, why) or place_marker(referee, what, value, why)

    def apply_fact(self, referee: FuryReferee, kind: str, name: str, value: str) -> bool:
        """Apply a corrected Zone or Street Section (4.1, 4.3); False in set-up and on the practice map. Raises Illegal."""
        if referee.option("scenario").startswith("practice"):
            return False
        if kind == "zone":
            referee.need_zone(name)
            referee.refuse_contradictions({name: read_zone(value)}, {})
            referee.record_map_fact(state.TOLD_ZONE + name, value, "4.1")
            _warn_stranded(referee, name)
        elif kind == "section":
            referee.refuse_contradictions({}, {name: read_section(value)})
            referee.record_map_fact(state.TOLD_SECTION + name, value, "4.3")
        return kind in ("zone", "section")
