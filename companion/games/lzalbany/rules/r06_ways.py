"""[6.1, 6.2A, 6.3, 6.5] What holds for every way of moving and placing: officers who lead, the wounded, the way out of LZ
Columbus, room.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.text import plural
from companion.games.lzalbany.names import AIRLIFT, NVA, UNIT, US
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.words.areas import COLUMBUS, title
from companion.games.lzalbany.words.counters import company_of, hits_on, is_senior, needs_carrying, side_of
from companion.games.lzalbany.words.orders import Order


def room_in(game: LzAlbany, area: str, side: str) -> int:
    """[6.1] How many more units of a side an area takes without effect."""
    return max(0, game.book.stacking.limit - game.stack(area, side))


def shut_in(game: LzAlbany, side: str, area: str) -> bool:
    """[6.5] Whether a side cannot leave an area: the US does not leave LZ Columbus while NVA are there."""
    return area == COLUMBUS and side == US and bool(game.units(COLUMBUS, NVA))


async def check_exit(game: LzAlbany, side: str, to: str) -> None:
    """[6.5] From LZ Columbus one comes to the east edge; the US does not leave while NVA are there."""
    if shut_in(game, side, COLUMBUS):
        game.forbid("US units do not leave LZ Columbus while NVA are there", "6.5", "Fight them there")
    if await ground.edge_of(game, to, "6.5") != "east":
        game.forbid(f"{title(to)} is not on the east edge", "6.5", "Leave LZ Columbus for an area on the east edge")


def check_carried(game: LzAlbany, orders: Sequence[Order]) -> None:
    """[6.3, 8.4A, 10.4] Wounded go only where a platoon of their area goes."""
    carrying = {(order.piece.place, order.to) for order in orders if order.piece.kind == UNIT}
    for piece, to in orders:
        if needs_carrying(piece) and (piece.place, to) not in carrying:
            nobody = f"nobody carries {piece.name} from {title(piece.place)} to {title(to)}"
            game.forbid(nobody, "8.4A", "A platoon of the area must make the same move")


def leaders_of(game: LzAlbany, unit: Piece) -> list[Piece]:
    """[6.2A, 10.3] The officers who let a hit unit move: of its company, or senior ones, in its area."""
    there = game.officers(unit.place, side_of(unit))
    return [officer for officer in there if is_senior(officer) or company_of(officer) == company_of(unit)]


def led_along(game: LzAlbany) -> bool:
    """[10.3] Whether the officer who lets a hit unit move goes with it (ruling C-55)."""
    return game.option("leading") != "area"


def check_led(game: LzAlbany, orders: Sequence[Order]) -> None:
    """[10.3] An officer makes the same move as each hit unit that he lets move."""
    going = {(order.piece.id, order.to) for order in orders}
    for unit, to in orders:
        leaders = leaders_of(game, unit) if unit.kind == UNIT and hits_on(unit) and led_along(game) else []
        if leaders and not any((officer.id, to) in going for officer in leaders):
            game.forbid(
                f"{unit.name} is hit, and no officer of its own goes along to {title(to)}",
                "10.3",
                f"Send him too: {unit.name} {leaders[0].name} > {to}",
            )


def check_stacks(game: LzAlbany, side: str, orders: Sequence[Order], rule: str) -> None:
    """[6.1] Stacking limits apply at the moment of placement; LZ Columbus takes everybody (ruling C-51)."""
    for area in dict.fromkeys(order.to for order in orders):
        if area in (COLUMBUS, AIRLIFT):
            continue
        coming = sum(order.to == area and order.piece.kind == UNIT for order in orders)
        stack = coming + game.stack(area, side)
        if coming and game.rules.massed(stack):
            game.forbid(
                f"{plural(stack, f'{side} unit')} would be in {title(area)}, and three is the most when placing",
                rule,
                "Spread them",
            )
