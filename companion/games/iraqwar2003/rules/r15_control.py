"""[15.2, 10.0(3)] Who controls hexes and VP places."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache

from companion.core.charts import Chart
from companion.core.position import Piece, Position
from companion.core.referee import Referee
from companion.core.text import split_list
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import KDP_AREA, KUWAIT, NAMED, PUK_AREA, Land, land_of

CONTROLLERS = (state.COALITION, *notation.KURDISH, state.IRAQ)
CONTROLLER_TITLES = dict(zip(CONTROLLERS, ("The Coalition", "The KDP", "The PUK", "Iraq"), strict=True))
"""``coalition``: American or British; Kurds are separate for their bonus on turn 2."""
_START = {KUWAIT: state.COALITION, KDP_AREA: notation.KDP, PUK_AREA: notation.PUK}
CONTROLLER = {
    notation.US: state.COALITION,
    notation.BRITISH: state.COALITION,
    notation.KDP: notation.KDP,
    notation.PUK: notation.PUK,
    notation.IRAQI: state.IRAQ,
}
"""[15.2, 16.10(8)] Who controls the hexes of a nation's units; the Turkish unit controls none."""


def controller_of(position: Position, number: str) -> str:
    """[10.0(3), 15.2] Who controls a hex: the units in it, else the last to enter, else as at the start (C-23); "" if unknown."""
    for piece in state.units_in(position, number):
        if holder := CONTROLLER.get(notation.nation(piece)):
            return holder
    return recorded_controller(position, number)


def recorded_controller(position: Position, number: str) -> str:
    """[10.0(3), 15.2] Who controls a hex once the units in it have left."""
    flag, first = initial_controller(land_of(position), number)
    return str(position.flag(flag) or first)


@lru_cache(maxsize=4096)
def initial_controller(land: Land, number: str) -> tuple[str, str]:
    """The flag for control of a hex, and its controller at the start ("" if unknown)."""
    place = land.place(number)
    if place in NAMED and place != "Kuwait City":
        return state.control_flag(place), state.IRAQ
    areas = {area: land.in_area(number, area) for area in _START}
    first = next((_START[area] for area, inside in areas.items() if inside), "" if None in areas.values() else state.IRAQ)
    return state.held_flag(number), first


def controller(referee: Referee, place: str) -> str:
    """Who controls a place: one of CONTROLLERS."""
    return str(referee.position.flag(state.control_flag(place), state.IRAQ))


def place_points(charts: Mapping[str, Chart], place: str) -> int:
    """[15.2] The victory points of a place, 0 for any other place."""
    places = charts["places"]
    return places.number(place, "vp") if place in places.rows else 0


def apply_changes(referee: Referee, text: str) -> None:
    """Apply changes in the form that `changes_notation` reads."""
    for part in split_list(text) if text != state.NONE else ():
        place, _, new_controller = part.rpartition(" ")
        if controller(referee, place) == new_controller:
            referee.say(f"{CONTROLLER_TITLES[new_controller]} holds {place} already.", "15.2")
            continue
        referee.set_flag(state.control_flag(place), new_controller, "15.2")
        points = place_points(referee.charts, place)
        effect = f"the Coalition loses {points} VP" if new_controller == state.IRAQ else f"{points} VP"
        referee.say(f"{CONTROLLER_TITLES[new_controller]} takes {place} ({effect}).", "15.2")


def first_controlled(referee: Referee, count: int, flying: bool) -> int:
    """[10.0(3), 15.2] The index of the first hex of a path of which its unit takes control (ruling C-55)."""
    how = referee.option("hex_control")
    return count - 1 if how == "stopping" or (flying and how != "passing") else 0


def enter_hexes(referee: Referee, piece: Piece, numbers: Sequence[str]) -> None:
    """[10.0(3), 15.2] Record control of entered hexes and their VP places. The Turkish unit controls nothing [16.10(8)]."""
    land, new_controller = land_of(referee.position), CONTROLLER.get(notation.nation(piece), "")
    for number in filter(state.is_hex, numbers if new_controller else ()):
        if (place := land.place(number)) in referee.chart("places").rows:
            take_place(referee, piece, place)
        elif recorded_controller(referee.position, number) != new_controller:
            referee.set_flag(state.held_flag(number), new_controller, "10.0(3)")


def hold_places(referee: Referee, numbers: Iterable[str], why: str = "", but: Container[str] = ()) -> None:
    """[15.2] Give the VP places of hexes to the units in them, else to those who entered last, as if they came by play.

    Args:
        but: Flags of control that stay.
    """
    position, land = referee.position, land_of(referee.position)
    for number in numbers:
        place, flag = land.place(number), state.control_flag(land.place(number))
        if place not in referee.chart("places").rows or flag in but:
            continue
        controllers = [CONTROLLER.get(notation.nation(piece), "") for piece in state.units_in(position, number)]
        holder = next(filter(None, reversed(controllers)), str(position.flag(state.held_flag(number)) or ""))
        if _changes_side(referee, place, holder):
            referee.set_flag(flag, holder, "15.2", why)


def leave_hex(referee: Referee, piece: Piece, number: str, why: str = "", but: Container[str] = ()) -> None:
    """[15.2] Give the VP place that a unit held in a hex, where it does not stand after all, to units there, or say who holds it.

    Args:
        but: Flags of control that stay.
    """
    place = land_of(referee.position).place(number)
    held = notation.nation(piece) in CONTROLLER and not takes(referee, piece, place)
    if state.control_flag(place) in but or not held:  # another side holds it, as the player may have typed
        return
    if state.units_in(referee.position, number):
        hold_places(referee, [number], why, but)
    else:
        say_kept(referee, place)


def say_kept(referee: Referee, place: str) -> None:
    """[15.2] Say that a VP place without a unit, lost to its first holder, stays so, and how to give it back."""
    places = referee.chart("places")
    if place not in places.rows:
        return
    first, holder = places.text(place, "start"), controller(referee, place)
    if (first == state.IRAQ) != (holder == state.IRAQ):
        text = f"{CONTROLLER_TITLES[holder]} holds {place}, though no unit is there"
        referee.say(f'{text} (if no unit ever was: adjust "control {place}" {first}).', "15.2", tone="reminder")


def takes(referee: Referee, piece: Piece, place: str) -> bool:
    """Return True if a unit takes the place by moving there; the Turkish unit does not [16.10(8)]."""
    return _changes_side(referee, place, CONTROLLER.get(notation.nation(piece), ""))


def _changes_side(referee: Referee, place: str, new_controller: str) -> bool:
    return bool(new_controller) and (controller(referee, place) == state.IRAQ) == (new_controller != state.IRAQ)


def take_place(referee: Referee, piece: Piece, place: str) -> None:
    """[15.2] Transfer a VP place to the side of a unit that entered it."""
    if takes(referee, piece, place):
        apply_changes(referee, f"{place} {CONTROLLER[notation.nation(piece)]}")
