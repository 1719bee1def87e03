"""[7.1(2), 11.1] What the planner buys: first of all an army that fills stacks, then what supports it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.match import PlannedAction
from companion.core.position import Piece
from companion.core.text import plural
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.notation import BASES
from companion.games.fallujah2004.playing.offers import Offer
from companion.games.fallujah2004.playing.scout import Scout
from companion.games.fallujah2004.playing.worth import OP
from companion.games.fallujah2004.referee import deployed
from companion.games.fallujah2004.rules.r11_recruiting import WHOLE, count_names, order_text, recruitable, unit_cost, whole_ops
from companion.games.fallujah2004.state import is_battalion, is_engineer, is_helicopter, side_of, type_of

ARMY = 0.55
"""The part of the first OPs that goes into units."""
SUPPORT = {"artillery": 8, "air": 4, "netwar": 99, "soa": 0}
"""How many strikes are bought with the first order of battle."""
ENOUGH = 16
"""Firepower in play below which more is bought."""
_PART = 0.35
"""The part of the OPs that are left which goes into reinforcements."""
_FAR = 12
"""Spaces that a Node is taken to be away where no way is known."""


def _cost(scout: Scout, unit: Piece) -> float:
    """OPs, with the part of one."""
    return unit_cost(scout.referee, unit)[0] / WHOLE


def _quality(unit: Piece, cost: float) -> float:
    side = side_of(unit)
    fights = side.fire + 0.7 * unit.number("back fire") + 0.3 * side.contact + 0.2 * min(side.move, 5)
    return fights / float(cost**0.8) + (0.5 if is_engineer(unit) else 0.0)


def army(scout: Scout, budget: float) -> list[Piece]:
    """Units for so many OPs, the best for their price first; as many battalions as companies, so that they stack [8.2]."""
    game = scout.referee
    for_sale = [piece for piece in recruitable(game) if piece.kind == state.UNIT and not is_helicopter(piece)]
    ranked = sorted(for_sale, key=lambda unit: -_quality(unit, _cost(scout, unit)))
    found: list[Piece] = []
    spent = 0.0
    for unit in ranked:
        cost = _cost(scout, unit)
        ahead = sum(is_battalion(piece) == is_battalion(unit) for piece in found) - len(found) / 2
        if spent + cost <= budget and ahead <= 2 and side_of(unit).move > 1:
            found.append(unit)
            spent += cost
    return found


def support(scout: Scout) -> list[Piece]:
    """Strikes and NetWar markers of the first order of battle."""
    wanted = dict(SUPPORT)
    found = []
    for piece in recruitable(scout.referee):
        kind = type_of(piece)
        if piece.kind == state.STRIKE and wanted.get(kind, 0) > 0:
            wanted[kind] -= 1
            found.append(piece)
    return found


def bases(scout: Scout) -> dict[str, float]:
    """[11.1] Each Base, with how many spaces the Nodes are away from it on average."""

    def far(one: str) -> float:
        away = scout.ways.distances([one])
        return sum(away.get(space, _FAR) for space in scout.nodes) / max(1, len(scout.nodes))

    return {one: far(one) for one in BASES}


def _base(scout: Scout) -> str:
    """The Base that is the nearest to the Nodes."""
    found = bases(scout)
    return min(found, key=lambda one: found[one])


def order_of(pieces: Sequence[Piece]) -> str:
    """An order, as it is typed."""
    return order_text(count_names(pieces))


def charged(scout: Scout, pieces: Sequence[Piece]) -> int:
    """The OPs that an order takes, rounded up over all of it (ruling C-43)."""
    return whole_ops(sum(unit_cost(scout.referee, piece)[0] for piece in pieces))


def first_order(scout: Scout) -> Offer | None:
    """[7.1(2)] The first order of battle; None where it is bought."""
    position = scout.referee.position
    if position.at(state.AVAILABLE) or deployed(position):
        return None
    units, strikes = army(scout, ARMY * scout.referee.ops), support(scout)
    bought = [*units, *strikes]
    if not bought:
        return None
    words = f"{plural(len(units), 'unit')} and {plural(len(strikes), 'strike')} for {charged(scout, bought)}"
    why = f"at most {ARMY:.0%} of the OPs for units that stack [8.2, 11.1]; NetWar for J-5, which brings 1.5 OPs a marker [19.0]"
    plan = PlannedAction("buy", {"buy": order_of(bought), "at": _base(scout)})
    return Offer(0.0, plan, f"{words} of {plural(scout.referee.ops, 'OP')}", why, "7.1(2)")


def reinforcements(scout: Scout) -> list[Piece]:
    """[11.0] What a J-1 buys."""
    return army(scout, _PART * scout.referee.ops)


def restock(scout: Scout) -> Iterator[Offer]:
    """[11.0] J-1, where too little is left in play for the OPs."""
    game = scout.referee
    fire = sum(side_of(piece).fire for piece in deployed(game.position))
    if fire >= ENOUGH or game.ops < 8:
        return
    bought = reinforcements(scout)
    if bought:
        lacking = 1 - fire / ENOUGH
        cost = sum(_cost(scout, piece) for piece in bought)
        why = f"firepower {fire} in play is too little for {plural(game.ops, 'OP')}; this costs {cost + 1:g} [11.1]"
        yield Offer(
            lacking * 1.5 * OP,
            PlannedAction("j1", {"buy": order_of(bought), "at": _base(scout)}),
            f"J-1: {plural(len(bought), 'unit')}",
            why,
            "11.0",
        )
