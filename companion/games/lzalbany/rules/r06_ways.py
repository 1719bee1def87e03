"""[6.1, 6.3, 6.5] What holds for every way of moving, retreats among them: the wounded, the way out of LZ Columbus, room."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.lzalbany.names import NVA, UNIT, US
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.words.areas import COLUMBUS, title
from companion.games.lzalbany.words.counters import needs_carrying
from companion.games.lzalbany.words.orders import Order


def room_in(game: LzAlbany, area: str, side: str) -> int:
    """[6.1] How many more units of a side an area takes without effect."""
    return max(0, game.book.stacking.limit - len(game.units(area, side)))


async def check_exit(game: LzAlbany, side: str, to: str) -> None:
    """[6.5] From LZ Columbus one comes to the east edge; the US does not leave while NVA are there."""
    if side == US and game.present(COLUMBUS, NVA):
        game.forbid("US units do not leave LZ Columbus while NVA are there", "6.5", "Fight them there")
    if await ground.edge_of(game, to, "6.5") != "east":
        game.forbid(f"{title(to)} is no east edge area", "6.5", "From LZ Columbus one comes to the east edge")


def check_carried(game: LzAlbany, orders: Sequence[Order]) -> None:
    """[6.3, 8.4A, 10.4] Wounded go only where a platoon of their area goes."""
    carrying = {(order.piece.place, order.to) for order in orders if order.piece.kind == UNIT}
    for piece, to in orders:
        if needs_carrying(piece) and (piece.place, to) not in carrying:
            nobody = f"nobody carries {piece.name} from {title(piece.place)} to {title(to)}"
            game.forbid(nobody, "8.4A", "A platoon of the area must make the same move")
