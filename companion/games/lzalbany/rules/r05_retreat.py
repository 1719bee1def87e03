"""[5.2E] The NVA retreat: who must go, which way, and the orders that are proposed for it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.games.lzalbany.names import NVA, OFFICER, UNIT, US
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r06_ways import leaders_of, led_along
from companion.games.lzalbany.words.areas import COLUMBUS, FAR, TRANSITION, title
from companion.games.lzalbany.words.counters import healthy, hits_on, is_artillery, may_move
from companion.games.lzalbany.words.orders import Order, orders_text


def flees(game: LzAlbany, side: str) -> bool:
    """[5.2E] Whether a side is in retreat."""
    return game.retreat and side == NVA


def must_go(game: LzAlbany, movers: Sequence[Piece]) -> list[Piece]:
    """[5.2E, 6.2A] The platoons that cannot stay; a hit one only with an officer who can lead it (ruling C-54)."""
    ids = {piece.id for piece in movers}
    return [p for p in movers if p.kind == UNIT and may_move(p) and not is_artillery(p) and _can_go(game, p, ids)]


def _can_go(game: LzAlbany, unit: Piece, movers: set[str]) -> bool:
    return not hits_on(unit) or any(officer.id in movers or not led_along(game) for officer in leaders_of(game, unit))


def check_all_go(game: LzAlbany, movers: Sequence[Piece], orders: Sequence[Order]) -> None:
    """[5.2E] No platoon that can leave is left out."""
    going = {order.piece.id for order in orders}
    left = [piece for piece in must_go(game, movers) if piece.id not in going]
    if left:
        nobody = f"the NVA retreats, and no order is given to {game.piece_names(left)}"
        game.forbid(nobody, "5.2E", f"Towards a map edge, or at one: > {ground.OFF}")


async def check_way(game: LzAlbany, here: str, there: str) -> None:
    """[5.2E] Off the map from an area at its edge, or from the Transition Area (ruling C-57); else nearer to an edge."""
    if here == TRANSITION or await ground.edge_of(game, here, "5.2E"):
        if there != ground.OFF:
            game.forbid(f"the NVA leaves the map from {title(here)}", "5.2E", f"> {ground.OFF}")
    elif there == ground.OFF:
        game.forbid(f"{title(here)} is not at the map edge", "5.2E", "Move towards the edge first")
    elif here != COLUMBUS and not await ground.edge_of(game, there, "5.2E"):
        left, now = to_edge(game, there), to_edge(game, here)
        if FAR not in (left, now) and left >= now:
            game.forbid(f"{title(there)} is not nearer to a map edge than {title(here)}", "5.2E", "Or leave the map: > off")


def to_edge(game: LzAlbany, area: str) -> int:
    """Moves to the nearest map edge over what is known; FAR where nobody knows."""
    where = game.map
    return min((many for place, many in where.told.distances(area).items() if where.edge(place)), default=FAR)


def way_out(game: LzAlbany, movers: Sequence[Piece]) -> str | None:
    """Orders by which everybody leaves who must, each stack by the shortest way and past the enemy; None where the map that was
    told shows none.
    """
    must = {piece.id for piece in must_go(game, movers)}
    orders: list[Order] = []
    for here in dict.fromkeys(piece.place for piece in movers):
        there = _goal(game, here)
        going = [p for p in movers if p.place == here and (p.id in must or (p.kind == OFFICER and healthy(p)))]
        if any(p.id in must for p in going):
            going += [p for p in movers if p.place == here and p.kind == OFFICER and not healthy(p)]
        orders += [Order(piece, there) for piece in going if there]
    return orders_text(orders) if must <= {order.piece.id for order in orders} else None


def _goal(game: LzAlbany, here: str) -> str:
    """Where a stack goes that leaves."""
    where = game.map
    if here == TRANSITION or where.edge(here):
        return ground.OFF
    if here == COLUMBUS:
        near = [area for area in where.known() if where.edge(area) == "east"]
    else:
        now = to_edge(game, here)
        near = [area for area in where.beside(here) if now == FAR or where.edge(area) or to_edge(game, area) < now]
    return min(near, key=lambda area: (bool(game.units(area, US)), to_edge(game, area)), default="")
