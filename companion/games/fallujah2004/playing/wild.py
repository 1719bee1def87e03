"""Any answer that the rules may take: forces of one space, ways over spaces that there are, orders of what is for sale."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from companion.core.policies import RandBelow, random_reply
from companion.core.position import Position
from companion.core.request import AnyRequest
from companion.core.requests import Pick, Printed, Text
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.notation import BASES
from companion.games.fallujah2004.playing.ways import Ways

_MOST = 4
"""Units of a force at the most."""
_LENGTHS = (1, 1, 1, 2, 2, 3)
_GROUNDS = ("none", "urban", "open", "mosque", "objective msr")


def _one(things: Sequence[Any], number: RandBelow) -> Any:
    return things[number(len(things))]


def _several(things: Sequence[str], most: int, number: RandBelow) -> list[str]:
    left = list(things)
    return [left.pop(number(len(left))) for _ in range(1 + number(min(most, len(left))))]


def force(request: Pick, position: Position, number: RandBelow) -> Any:
    """[8.3] Some units of one place."""
    offered = {choice.value for choice in request.choices}
    places: dict[str, list[str]] = {}
    for piece in position.of_kind(state.UNIT):
        if piece.name in offered:
            places.setdefault(piece.place, []).append(piece.name)
    return request.check(_several(places[_one(list(places), number)], _MOST, number))


def path(start: str, ways: Ways, number: RandBelow) -> str:
    """[13.0] A way from a place: mostly over neighbours, now and then to a base, by water or over no route at all."""
    if not number(10):
        return str(_one(BASES, number))
    way: list[str] = []
    for _ in range(_one(_LENGTHS, number)):
        near = [space for space in ways.near(way[-1] if way else start) if space not in BASES]
        way.append(_one(near if near and number(10) else ways.spaces, number))
    return ("" if number(10) else "water ") + " ".join(way)


def nodes(ways: Ways, known: Collection[str], number: RandBelow) -> str:
    """[12.1] Spaces for NetWar markers; mostly such as are known to hold a Node."""
    return ", ".join(_several([*(known if known and number(4) else ways.spaces)], 3, number))


def refuge(ways: Ways, known: Sequence[str], number: RandBelow) -> str:
    """[16.7] Somewhere to withdraw to."""
    return str(_one(known if known and number(4) else [*BASES, *ways.spaces, "none"], number))


def order(known: Sequence[str], number: RandBelow) -> str:
    """[11.1] Some of what is for sale, one of each."""
    return ", ".join(_several(known, 5, number))


def answer(request: AnyRequest, position: Position, start: str, ways: Callable[[], Ways], number: RandBelow) -> Any:
    """Some answer that the rules may take.

    Args:
        start: where a force stands whose way is asked for.
        ways: the map as it is known, worked out when a way is asked for.
    """
    if request.key == "force" and isinstance(request, Pick):
        return force(request, position, number)
    if not isinstance(request, Text) or request.key not in _TEXTS:
        return random_reply(request, number)
    known = [choice.value for choice in request.known]
    return request.check(_TEXTS[request.key](start, known, ways, number))


_TEXTS: Mapping[str, Callable[[str, Sequence[str], Callable[[], Ways], RandBelow], str]] = {
    "to": lambda start, known, ways, number: path(start, ways(), number),
    "nodes": lambda start, known, ways, number: nodes(ways(), known, number),
    "refuge": lambda start, known, ways, number: refuge(ways(), known, number),
    "buy": lambda start, known, ways, number: order(known, number),
}


def printed(request: Printed, number: RandBelow) -> str:
    """[3.1] What might be printed where nobody has told it."""
    return str(_one(_GROUNDS, number)) if request.fact.startswith(state.SPACE) else str(random_reply(request, number))
