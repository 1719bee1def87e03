"""Manual corrections: counters as they are typed, and the consequences of a corrected fact."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import ClassVar

from companion.core.corrections import Corrections, CupContents, NewPiece, one_name, piece_put
from companion.core.errors import Impossible, Unreadable
from companion.core.events import Event, FlagSet, PieceMade, PieceMoved
from companion.core.game import Obstacle
from companion.core.position import Piece, Position
from companion.core.text import matching_names, pick_name
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import MAP_FACTS, NAMED, PALACE_KINDS, SEA, land_of, read_ground, roster_parts
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, side_units_in
from companion.games.iraqwar2003.rules import r03_turn, r08_map, r12_movement, r15_control

_AIR = "new:air:us F-15 5-2-4"
_SITES = "radar", "site"


def _unit(text: str, position: Position) -> NewPiece:
    if not notation.looks_like_unit(text):
        cure = f"Like this: new:unit:{notation.UNIT_NOTATION.example} map"
        raise Unreadable(f"'{text}' is not the counter of a unit", rule="2.2", cure=cure)
    unit = notation.read_unit(text)
    if any(piece.name == unit.name for piece in position.of_kind(state.UNIT)):
        raise Unreadable(f"{unit.name} is in the game already", rule="2.2.5", cure=f"Move it: companion adjust {unit.name} HEX")
    return NewPiece(unit.name, notation.unit_values(unit))


def _air(text: str, position: Position) -> NewPiece:
    """``us F-15 5-2-4``, ``carriers CV-63 4-2-4``, ``iraqi MiG-29``: roster, name, and the values where they are known."""
    word, _, rest = text.partition(" ")
    rosters = matching_names(word, r03_turn.NATION)
    if len(rosters) != 1 or not rest.strip():
        cure = f"Like this: {_AIR}; {', '.join(r03_turn.NATION)}"
        raise Unreadable(f"'{text}' names no roster and unit", rule="2.3", cure=cure)
    others = {piece.name for piece in position.of_kind(state.AIR)}
    ((name, values),) = roster_parts(rest.replace(",", " "), rosters[0], others)
    return NewPiece(name, r03_turn.air_unit_values(rosters[0], values))


def _box(text: str, position: Position) -> NewPiece:
    cure = 'Enter the site again: companion adjust fact:radar:north "aa 3"'
    raise Unreadable("a box belongs to its site", rule="6.1.1", cure=cure)


def _palace(text: str, position: Position) -> NewPiece:
    kind = pick_name(text, PALACE_KINDS, "palace marker") if text else PALACE_KINDS[-1]
    return NewPiece(r03_turn.PALACE_TITLES[kind], {"palace": kind}, "back")


def _roads(text: str, position: Position) -> NewPiece:
    """``1321``, or the name of a place (14.2)."""
    place = text.removeprefix(r08_map.roads_name("")).strip()
    number = land_of(position).number_of(r12_movement.read_hex(place)) if place else ""
    if not state.is_hex(number) and len(matching_names(number, NAMED)) != 1:
        cure = "By its number, or as a place of the rulebook: new:roads:1321 roads"
        raise Unreadable(f"'{text}' names no hex" if text else "the roads of which hex?", rule="14.2", cure=cure)
    name = number if state.is_hex(number) else matching_names(number, NAMED)[0]
    if name in r08_map.broken_roads(position):
        cure = f'Take the marker off: adjust "{r08_map.roads_name(name)}" off'
        raise Impossible(f"the roads of {name} are destroyed already", rule="14.3", cure=cure)
    return NewPiece(r08_map.roads_name(name))


_MAKERS: dict[str, Callable[[str, Position], NewPiece]] = {
    state.UNIT: _unit,
    state.AIR: _air,
    state.BOX: _box,
    state.PALACE: _palace,
    state.MARKER: one_name("Damaged marker"),
    state.ROADS: _roads,
}


# -- corrected facts ---------------------------------------------------------------------------------------------------


def _rebuild_roster(referee: IraqWarReferee, roster: str, value: str) -> None:
    """Match the air units of a roster to its new names, which replace missing ones (3.0)."""
    own = [piece for piece in referee.position.of_kind(state.AIR) if _is_in_roster(piece, roster) and piece.place != state.ASIDE]
    others = {piece.name for piece in referee.position.of_kind(state.AIR) if not _is_in_roster(piece, roster)}
    roster_names = dict(roster_parts(value, roster, others))
    missing = [piece for piece in own if piece.name not in roster_names]
    known_names = {piece.name for piece in own}
    place = state.available_box(state.IRAQ if roster == "iraqi" else state.COALITION)
    for name, values in roster_names.items():
        if name in known_names:
            continue
        old = missing.pop(0) if missing else None
        if old:
            referee.move(old.id, state.ASIDE, "3.0", f"is {name}")
        referee.make(state.AIR, name, old.place if old else place, "3.0", "", r03_turn.air_unit_values(roster, values))
    for old in missing:
        referee.move(old.id, state.ASIDE, "3.0", "is in no roster")


def _is_in_roster(piece: Piece, roster: str) -> bool:
    """Return True if an air unit belongs to a roster."""
    return (piece.values.get("nation"), piece.values.get("type")) == (r03_turn.NATION[roster], r03_turn.TYPE.get(roster, "air"))


def _rebuild_site(referee: IraqWarReferee, site: str, value: str) -> None:
    """Lay out the boxes of a corrected site; boxes that remain keep their damage (6.1.1)."""
    old = {box.name: box for box in boxes(referee.position, site=site)}
    for box in old.values():
        referee.move(box.id, state.ASIDE, "6.1.1", "entered again")
    referee.place_site(site, notation.read_site(value, site in notation.SECTORS))
    for box in boxes(referee.position, site=site):
        before = old.get(box.name)
        if before is not None and (turn := before.mark(state.DAMAGED)) is not None:
            referee.mark(box.id, state.DAMAGED, turn, "6.1.1", "as before")


def _follow_saddam(referee: IraqWarReferee, why: str) -> None:
    """[16.1(4)] Saddam Hussein is found when his marker leaves the palace, and not found when it comes back."""
    for event in referee.events:
        if isinstance(event, PieceMoved) and referee.piece(event.id).values.get("palace") == PALACE_KINDS[0]:
            found = None if referee.piece(event.id).place == state.PALACE else state.FOUND
            if referee.position.flag(state.SADDAM) != found:
                referee.set_flag(state.SADDAM, found, "16.1(4)", why)


def _leave_places(referee: IraqWarReferee, why: str, typed: Container[str]) -> None:
    """[15.2] Say who holds the VP places that do not lie, after all, in the hexes that were told."""
    told = [event for event in referee.events if isinstance(event, FlagSet) and event.flag.startswith("hex:") and event.was]
    for name in dict.fromkeys(read_ground(str(event.was)).name for event in told):
        number = land_of(referee.position).hex_of(name)
        if number and state.units_in(referee.position, number):
            r15_control.hold_places(referee, [number], why, typed)
        elif state.control_flag(name) not in typed:
            r15_control.say_kept(referee, name)


_OFF_BOARD = (state.OFF_MAP, state.REMOVED, state.ASIDE)


def _own_places(piece: Piece) -> tuple[tuple[str, ...], str]:
    """The places of a piece on the board besides hexes, and their rule."""
    if piece.kind == state.AIR:
        side = notation.side_of(piece)
        return (state.available_box(side), state.used_box(side)), "2.1.3"
    places = {
        state.UNIT: ((state.MAP,), "2.1.1(1)"),
        state.BOX: ((state.site_place(notation.site_of(piece)),), "6.1.1"),
        state.ROADS: ((state.ROADS,), "14.2"),
        state.MARKER: ((state.used_box(state.IRAQ),), "5.8.2(1)"),
        state.PALACE: ((state.PALACE,), "16.1(1)"),
    }
    return places[piece.kind]


class IraqWarCorrections(Corrections):
    """Manual corrections of this game."""

    cups: ClassVar[CupContents] = {state.PALACE: ((state.PALACE,), "16.1(1)")}

    def face_names(self, piece: Piece) -> tuple[str, ...]:
        if piece.kind == state.UNIT:
            return ("front", "reduced") if piece.number("steps") > 1 else ("front",)
        return ("front", "back") if piece.kind == state.PALACE else ("front",)

    def is_in_play(self, piece: Piece) -> bool:
        return piece.place not in (state.OFF_MAP, state.REMOVED, state.ASIDE)

    def find_place(self, text: str, position: Position) -> str:
        """A hex by its four digits or the name of its place; ``?`` is the map, in an unknown hex."""
        number = land_of(position).number_of(text)
        return state.MAP if text == state.UNKNOWN_HEX else number if state.is_hex(number) else ""

    def further_places(self, position: Position) -> Iterable[str]:
        return land_of(position).place_names

    def objection(self, event: Event, position: Position) -> Obstacle | None:
        """[2.1.1(1), 2.1.3, 2.1.4] Each kind of piece lies in places of its own; only ground combat units are in hexes."""
        put = piece_put(event, position)
        if put is None:
            return None
        piece, place = put
        if state.is_hex(place) and piece.kind != state.UNIT:
            text = f"only ground combat units are in hexes, not {piece.kind}"
            return Obstacle(text, "2.1.1(1)", "See: companion show places")
        own, rule = _own_places(piece)
        if state.is_hex(place) or place in (*own, *_OFF_BOARD):
            return None
        example = "2231" if piece.kind == state.UNIT else own[0]
        return Obstacle(
            f"{piece.name} does not lie there", rule, f'It lies in: {", ".join(own)}; like: adjust "{piece.name}" "{example}"'
        )

    def read_new_piece(self, kind: str, text: str, position: Position) -> NewPiece:
        """Read a counter as it is typed; destroyed roads are named by their hex [2.2 - 2.5]. Raises Unreadable."""
        return _MAKERS[kind](text, position)

    def apply_in_words(self, referee: IraqWarReferee, what: str, value: str, why: str) -> bool:
        """[15.2] Set the holder of a VP place: ``control Mosul kdp``. Returns False if the text is something else."""
        word, _, place = what.partition(" ")
        if word.casefold() != "control" or not place:
            return False
        place_name = pick_name(place, list(referee.chart("places").rows), "VP city or port")
        holder = pick_name(value, r15_control.CONTROLLERS, "holder")
        referee.set_flag(state.control_flag(place_name), holder, "15.2", why)
        return True

    def apply_consequences(self, referee: IraqWarReferee, why: str) -> None:
        """[3.0, 8.1, 12.1(4), 15.2] A unit holds the VP place where it is put, or that its hex is told to be; warn of stacks."""
        typed = dict.fromkeys(event.flag for event in referee.events if isinstance(event, FlagSet))
        if state.SADDAM not in typed:
            _follow_saddam(referee, why)
        placed = dict.fromkeys(event.id for event in referee.events if isinstance(event, PieceMoved | PieceMade))
        units = [piece for piece in map(referee.piece, placed) if state.is_on_map(piece) and state.is_hex(piece.place)]
        told = [flag.removeprefix("hex:") for flag in typed if flag.startswith("hex:")]
        r15_control.hold_places(referee, dict.fromkeys([*told, *(piece.place for piece in units)]), why, typed)
        left = dict.fromkeys((event.id, event.was) for event in referee.events if isinstance(event, PieceMoved))
        for piece_id, number in left:
            r15_control.leave_hex(referee, referee.piece(piece_id), number, why, typed)
        _leave_places(referee, why, typed)
        is_set_up = referee.turn == 1 and referee.side == state.COALITION and referee.phase == state.FACILITY
        for place in dict.fromkeys(piece.place for piece in units):
            if land_of(referee.position).ground(place).ground == SEA:
                referee.say(f"{place} is all water: no ground unit ends there.", "12.2(5)", tone="warning")
            if all(side_units_in(referee.position, side, place) for side in state.SIDE_TITLES):
                names = referee.piece_names(state.units_in(referee.position, place))
                referee.say(f"{place}: units of both sides are there: {names}.", "12.1(4)", tone="warning")
            for side in state.SIDE_TITLES:
                stack = side_units_in(referee.position, side, place)
                faults = [*r08_map.stacking_faults(stack), *(r08_map.set_up_faults(stack) if is_set_up else [])]
                for text, rule in faults:
                    referee.say(f"{place}: {text}.", rule, tone="warning")

    def apply_fact(self, referee: IraqWarReferee, kind: str, name: str, value: str) -> bool:
        """[2.1, 2.3, 3.0, 6.1.2] Follow a corrected value, roster, site or map fact; others (False) are looked up afresh."""
        if kind in MAP_FACTS:
            referee.set_flag(f"{kind}:{name}", value or None, "2.1")
        elif kind == "air":
            referee.set_flag(state.air_flag(name), value, "2.3")
        elif kind == "roster":
            _rebuild_roster(referee, name, value)
        elif kind in _SITES:
            _rebuild_site(referee, name, value)
        return kind in ("air", "roster", *_SITES, *MAP_FACTS)
