"""Orders at random, as a player could give them: most of them can be carried out."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.policies import RandBelow
from companion.core.position import Piece
from companion.games.lzalbany.names import AIRLIFT, OFFICER, UNIT
from companion.games.lzalbany.words.areas import COLUMBUS, TRANSITION, Map, is_area
from companion.games.lzalbany.words.counters import healthy, hits_on, is_artillery, may_move, needs_carrying, side_of
from companion.games.lzalbany.words.orders import NONE, Order, Orders

OFF = "off"
_TOLD = 4
"""Of so many answers one is what is suggested, where something is."""


def any_orders(suggest: str | None, orders: Orders, where: Map, number: RandBelow) -> str:
    """Who goes where, or is placed where; ``suggest`` is what Enter would give."""
    placed = not any(is_area(piece.place) or piece.place == AIRLIFT for piece in orders.pieces)
    if suggest not in (None, NONE) and (OFF in str(suggest) or not number(_TOLD) or (placed and number(_TOLD))):
        return str(suggest)
    found = _placed(orders.pieces, where, number) if placed else _marched(orders.pieces, where, number)
    return orders.text(found)


def _placed(pieces: Sequence[Piece], where: Map, number: RandBelow) -> list[Order]:
    """A few counters to each of some areas."""
    known = where.known()
    goals = [known[number(len(known))] for _ in range(0, len(pieces), 3)]
    return [Order(piece, goals[at // 3]) for at, piece in enumerate(pieces)]


def _marched(pieces: Sequence[Piece], where: Map, number: RandBelow) -> list[Order]:
    """Some of each stack next door."""
    found: list[Order] = []
    for place in dict.fromkeys(piece.place for piece in pieces):
        here = [piece for piece in pieces if piece.place == place]
        goals = _goals(where, place, side_of(here[0]))
        if goals and number(3):
            goal = goals[number(len(goals))]
            found += [Order(piece, goal) for piece in _able([one for one in here if number(3)])]
    return found


def _goals(where: Map, place: str, side: str) -> Sequence[str]:
    """Where one can go from a place."""
    if place == TRANSITION:
        return (COLUMBUS,)
    if place in (COLUMBUS, AIRLIFT):
        return [area for area in where.known() if where.edge(area) == "east"]
    return where.beside(place)


def _able(going: Sequence[Piece]) -> list[Piece]:
    """Those of a stack who can go together: the hit with an officer of theirs, the wounded with a platoon."""
    led = any(piece.kind == OFFICER and healthy(piece) for piece in going)
    units = [p for p in going if p.kind == UNIT and may_move(p) and not is_artillery(p) and (led or not hits_on(p))]
    return [p for p in going if p in units or (p.kind != UNIT and (units or not needs_carrying(p)))]
