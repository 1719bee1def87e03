"""Answers of somebody who plays at random: real units, real groups, short ways over the map where it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.core.policies import RandBelow, random_reply
from companion.core.position import Piece, Position
from companion.core.request import AnyRequest
from companion.core.requests import Choose, Text
from companion.games.iraqwar2003.notation import STAY, side_of
from companion.games.iraqwar2003.referee import natural_order
from companion.games.iraqwar2003.rules.r04_sequence import undisrupted_units
from companion.games.iraqwar2003.rules.r08_stacking import stacking_faults
from companion.games.iraqwar2003.rules.r09_zones import occupied_hexes
from companion.games.iraqwar2003.rules.r12_movement import movement_map
from companion.games.iraqwar2003.state import NONE, is_hex, other, unit_named, units_in

WAYS = (STAY, "plain", "road, road", "from zoc, plain", "river", "city", "plain, zoc", "swamp")
"""Ways in words, for a map of which nothing is told."""
MOVES = "12.1(1)"
"""The rule by which a unit or stack is named that moves."""
FURTHEST = 3
"""Hexes of a way at most."""


def wild(position: Position, request: AnyRequest, number: RandBelow) -> Any:
    """Some answer that a question accepts. ``number`` gives the chance."""
    if isinstance(request, Text):
        if request.rule == MOVES:
            return _order(request, number, position)
        kind = _TEXTS.get(request.key)
        if kind is None:
            return random_reply(request, number)
        return request.check(kind([choice.value for choice in request.legal_choices()], number, position))
    if isinstance(request, Choose) and number(4) and request.suggest is not None:
        return request.check(request.suggest)
    return random_reply(request, number)


def _of(names: Sequence[str], number: RandBelow) -> str:
    return names[number(len(names))]


def _units(names: Sequence[str], number: RandBelow, position: Position) -> str:
    """One unit, or two of them; who stands together may move together."""
    units = [name for name in names if name != NONE]
    if not units or (len(units) < len(names) and number(2)):
        return NONE
    first = _of(units, number)
    lead = unit_named(position, first)
    place = lead.place if lead else ""
    there = ({piece.name for piece in units_in(position, place)} if is_hex(place) else {*units}) - {first}
    beside = [name for name in units if name in there] if there else []
    return f"{first}, {_of(beside, number)}" if beside and not number(3) else first


def _movers(number: RandBelow, position: Position) -> list[Piece]:
    """One unit that may act, or two that stand together; nobody, where none may."""
    units = natural_order(undisrupted_units(position))
    if not units:
        return []
    first = units[number(len(units))]
    place = first.place
    there = [one.name for one in units_in(position, place)] if is_hex(place) else [one.name for one in units]
    beside = [one for one in units if one is not first and one.name in there] if len(there) > 1 else []
    return [first, beside[number(len(beside))]] if beside and not number(3) else [first]


def _one(names: Sequence[str], number: RandBelow, position: Position) -> str:
    return _of([name for name in names if name != NONE] or [NONE], number)


def _nobody(names: Sequence[str], number: RandBelow, position: Position) -> str:
    return NONE


def _attack(names: Sequence[str], number: RandBelow, position: Position) -> str:
    """An enemy beside, more often than not."""
    return _of(names, number) if number(3) else NONE


def _target(names: Sequence[str], number: RandBelow, position: Position) -> str:
    """A box or a unit; roads go by their hexes."""
    return _of([name for name in names if not name.startswith("road ")], number) if number(3) else "done"


def _group(names: Sequence[str], number: RandBelow, position: Position) -> str:
    """One unit, or with an escort."""
    planes = [name for name in names if name != NONE and " " not in name]
    if len(planes) < 2 or not number(3):
        return _of(names, number)
    first = _of(planes, number)
    others = [name for name in planes if name != first]
    return f"{first}+{_of(others, number)}" if not number(3) else first


def _way(names: Sequence[str], number: RandBelow, position: Position) -> str:
    return _of(WAYS, number)


def _order(request: Text, number: RandBelow, position: Position) -> str:
    """Who moves, and a few hexes on, over ground where no enemy stands: worded as it is read, so that nobody need read it."""
    pieces = _movers(number, position)
    if not pieces or not is_hex(pieces[0].place):
        return request.check(", ".join([piece.name for piece in pieces]) or NONE)
    pieces = pieces[:1] if stacking_faults(pieces) else pieces
    path = _path(pieces[0], number, position)
    while path and not _fit(pieces, path[-1], position):
        path.pop()
    return f"{', '.join([piece.name for piece in pieces])} > {', '.join(path) or STAY}"


def _path(piece: Piece, number: RandBelow, position: Position) -> list[str]:
    """A few hexes from one to the next; in a swamp off the road it ends [12.2(1)]."""
    front, here = movement_map(position), piece.place
    shut = {here, *occupied_hexes(position, other(side_of(piece)))}
    path: list[str] = []
    for _ in range(number(FURTHEST + 1)):
        legs = [leg for leg in front.legs(here) if leg.there not in shut]
        if not legs:
            break
        leg = legs[number(len(legs))]
        here = leg.there
        path.append(here)
        shut.add(here)
        if "swamp" in leg.words:
            break
    return path


def _fit(pieces: Sequence[Piece], there: str, position: Position) -> bool:
    """[8.1] Whether units may end in a hex with those who stand there."""
    inside = units_in(position, there)
    return not inside or not stacking_faults([*pieces, *(one for one in inside if one not in pieces)])


_TEXTS: Mapping[str, Callable[[Sequence[str], RandBelow, Position], str]] = {
    "units": _units,
    "unit": _one,
    "with": _units,
    "attack": _attack,
    "target": _target,
    "group": _group,
    "support": _group,
    "counter": _group,
    "escort": _one,
    "way": _way,
    "oos": _nobody,
    "stacked": _nobody,
    "control": _nobody,
}
