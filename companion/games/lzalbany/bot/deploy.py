"""Where our opponent's companies begin: three at a time, infantry with its officer, where they stand best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.core.position import Piece
from companion.games.lzalbany.bot.blows import man_of
from companion.games.lzalbany.bot.board import Board, board_of
from companion.games.lzalbany.names import NVA, UNIT, US
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r03_setup import FLOWN, free_areas
from companion.games.lzalbany.words.areas import ALBANY, COLUMBUS, JUNGLE, title
from companion.games.lzalbany.words.counters import enemy, is_infantry, strength
from companion.games.lzalbany.words.orders import Order, orders_text


class Ranked(NamedTuple):
    """An area for a lot, and what it is worth to have it there, in VP."""

    value: float
    area: str


class Places(NamedTuple):
    """Orders for a company; "" where the map does not tell where it may be. And why."""

    orders: str = ""
    because: tuple[str, ...] = ()


def places_for(game: LzAlbany, side: str, company: str, waiting: Sequence[Piece]) -> Places:
    """Where a company begins."""
    if company in FLOWN:
        return Places(COLUMBUS, ("it arrives there",))
    room = free_areas(game, side, company, waiting)
    if not room:
        return Places()
    foot = sorted((p for p in waiting if p.kind == UNIT and is_infantry(p)), key=lambda p: -strength(p, "fire"))
    tubes = [p for p in waiting if p.kind == UNIT and not is_infantry(p)]
    chiefs = [p for p in waiting if p.kind != UNIT]
    board, most = board_of(game), game.book.stacking.limit
    old = dict(board.stacks)
    orders: list[Order] = []
    ranked: list[Sequence[Ranked]] = []
    for lot in _threes(foot, tubes, most):
        for part in _parts(board, side, room, lot, ranked):
            group = [*part[1], *chiefs]
            chiefs = []
            orders += [Order(piece, part[0]) for piece in group]
            board.put({(side, part[0]): board.stack(side, part[0]).joined([man_of(p) for p in group])})
    if chiefs and (found := _ranked(board, side, room, chiefs)):
        ranked.append(found)
        orders += [Order(piece, found[0].area) for piece in chiefs]
    board.stacks.clear()
    board.stacks.update(old)
    placed = {order.piece.id for order in orders}
    return Places(orders_text(orders), _reasons(ranked)) if all(p.id in placed for p in waiting) else Places()


def _reasons(ranked: Sequence[Sequence[Ranked]]) -> tuple[str, ...]:
    """What each lot's area is worth, and by how much the next best one is behind."""
    best = "; ".join(f"{title(one.area)}: {one.value:+.1f} VP" for one, *_ in ranked)
    worse = [f"{title(second.area)} {second.value - one.value:+.1f}" for one, second, *_ in (r for r in ranked if r[1:])]
    return (best, f"worse, in VP: {', '.join(worse)}") if worse else (best,)


def _threes(foot: Sequence[Piece], tubes: Sequence[Piece], most: int) -> list[Sequence[Piece]]:
    """Infantry as many together as an area takes without effect, and mortars apart [6.1]."""
    return [lot for lot in (*(foot[at : at + most] for at in range(0, len(foot), most)), tubes) if lot]


def _parts(
    board: Board, side: str, room: dict[str, int], lot: Sequence[Piece], told: list[Sequence[Ranked]]
) -> Iterator[tuple[str, Sequence[Piece]]]:
    """Where those of a lot go, as many at a time as find room; ``told`` is where that is written down."""
    left = lot
    while left and (found := _ranked(board, side, room, left)):
        told.append(found)
        area = found[0].area
        fits, left = left[: room[area]], left[room[area] :]
        room[area] -= len(fits)
        yield area, fits


def _ranked(board: Board, side: str, room: dict[str, int], lot: Sequence[Piece]) -> Sequence[Ranked]:
    """The areas for a lot, that where it stands best first; for officers alone one with platoons."""
    units = [p for p in lot if p.kind == UNIT]
    free = [area for area, left in room.items() if left or not units]
    return sorted((Ranked(_value(board, side, area, room, lot), area) for area in free), key=lambda one: -one.value)


def _value(board: Board, side: str, area: str, room: dict[str, int], lot: Sequence[Piece]) -> float:
    men = [man_of(p) for p in lot]
    units = [m for m in men if m.piece.kind == UNIT]
    if not units:
        return float(len([m for m in board.units(side, area) if m.fire])) - _danger(board, side, area)
    before = board.part(side, (area,))
    old = board.put({(side, area): board.stack(side, area).joined(men)})
    value = board.part(side, (area,)) - before
    board.put(old)
    value -= 0.4 * max(0, len(units) - room[area])
    if side == US:
        value -= _danger(board, side, area)
    value += 0.5 * (board.map.terrain(area) == JUNGLE)
    if not any(m.fire for m in units):
        value -= 1.0 * _danger(board, side, area)
    return value + 0.1 * len(board.units(side, area)) - 0.05 * board.map.distance(area, ALBANY)


def _danger(board: Board, side: str, area: str) -> float:
    """Areas next door where the enemy is, or may begin."""
    flags = board.game.position.flags
    theirs = enemy(side)
    begin = "nva1" if theirs == NVA and board.game.phase == "deploy" else "-"
    near = board.map.beside(area)
    return 0.5 * sum(bool(board.units(theirs, there)) or flags.get(f"start:{there}") == begin for there in near)
