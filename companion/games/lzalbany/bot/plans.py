"""What a unit group can do with a chit, and what that is worth: fire, or moves found stack by stack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.position import Piece
from companion.core.text import plural
from companion.games.lzalbany.bot.blows import HIT, Man, man_of
from companion.games.lzalbany.bot.board import Board, board_of
from companion.games.lzalbany.names import NVA, OFFICER, UNIT
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r05_retreat import flees, must_go, way_out
from companion.games.lzalbany.rules.r06_movement import Movers
from companion.games.lzalbany.rules.r06_ways import leaders_of, shut_in
from companion.games.lzalbany.rules.r07_mortars import mortar_choices
from companion.games.lzalbany.words.areas import COLUMBUS, TRANSITION, title
from companion.games.lzalbany.words.counters import (
    MORTAR,
    enemy,
    healthy,
    hits_on,
    is_infantry,
    is_senior,
    may_fire,
    may_move,
    needs_carrying,
    strength,
    type_of,
)
from companion.games.lzalbany.words.orders import NONE, Order, orders_text

MORTAR_CAP = 2
_ROUNDS = 2


class Fires(NamedTuple):
    """Fire of a group: what it is worth, and its best shots in words."""

    value: float
    shots: tuple[str, ...]


class Moves(NamedTuple):
    """Moves of a group: what they are worth, the orders, each in words, and in few: from where to where."""

    value: float
    text: str
    because: tuple[str, ...]
    ways: str = ""


class Shot(NamedTuple):
    """Fire of an area at another: what it is worth, the dice, and those of the answer."""

    value: float
    target: str
    dice: int
    answer: int


# -- fire ----------------------------------------------------------------------------------------------------------------


def shots(board: Board, side: str, group: str, area: str) -> list[Shot]:
    """What infantry of a group in an area can fire at, the best first."""
    found = []
    for there in board.targets(side, area):
        dice = board.dice.fire(board.stack(side, area).fire(group), board.aim(side, area, there))
        answer = board.dice.fire(board.stack(enemy(side), there).fire(), board.aim(enemy(side), there, area))
        if dice:
            found.append(Shot(board.fire(side, group, area, there), there, dice, answer))
    return sorted(found, key=lambda shot: -shot.value)


def mortar_worth(board: Board, side: str, target: str, dice: float) -> float:
    """What mortar dice at an area bring: no third hit, and the owner places them; those of the NVA may fall on its own."""
    takers = [m for m in board.units(enemy(side), target) if m.target.hits < MORTAR_CAP]
    chiefs = board.stack(enemy(side), target).hurts[2]
    value = dice * HIT * (min((board.worth.hit(m.target) for m in takers), default=0.0) + HIT * chiefs)
    if side == NVA and board.disputed(target):
        friends = [m for m in board.units(side, target) if m.target.hits < MORTAR_CAP]
        value -= dice * HIT * max((board.worth.hit(m.target) for m in friends), default=0.0)
    return value


def mortar_shot(game: LzAlbany, side: str, area: str, units: Sequence[Piece]) -> tuple[float, str]:
    """The best target of the mortars of an area, and what it is worth."""
    board = board_of(game)
    dice = sum(strength(piece, "fire") for piece in units)
    found = [(mortar_worth(board, side, one, dice), one) for one in mortar_choices(game, side, area, units, 0)]
    return max(found, default=(0.0, ""))


def mortars_of(game: LzAlbany, group: str) -> dict[str, list[Piece]]:
    """Mortars of a group that can fire, by area."""
    found: dict[str, list[Piece]] = {}
    for piece in game.group(group):
        if piece.kind == UNIT and type_of(piece) == MORTAR and may_fire(piece) and not game.disputed(piece.place):
            found.setdefault(piece.place, []).append(piece)
    return found


def _areas(game: LzAlbany, group: str) -> list[str]:
    return list(dict.fromkeys(p.place for p in game.group(group) if p.kind == UNIT))


def _shot(area: str, shot: Shot) -> str:
    return f"{title(area)} > {title(shot.target)} ({plural(shot.dice, 'die', 'dice')}, {shot.answer} in return)"


def fires_of(game: LzAlbany, side: str, group: str) -> Fires:
    """Everything that a group would fire."""
    board, value, told = board_of(game), 0.0, []
    for area in _areas(game, group):
        if board.disputed(area):
            worth = board.melee(side, group, area)
            value += worth
            told.append(f"melee in {title(area)} {worth:+.1f}")
            continue
        best = shots(board, side, group, area)
        if best and best[0].value > 0:
            value += best[0].value
            told.append(f"{_shot(area, best[0])} {best[0].value:+.1f}")
    for area, units in mortars_of(game, group).items():
        worth, at = mortar_shot(game, side, area, units)
        if worth > 0:
            value += worth
            told.append(f"mortars > {title(at)} {worth:+.1f}")
    return Fires(value, tuple(told))


# -- moves ---------------------------------------------------------------------------------------------------------------


class Lot:
    """Those of an area who go together, where to, and what they gain by it."""

    def __init__(self, area: str, pieces: Sequence[Piece]) -> None:
        self.area = self.goal = area
        self.gain = 0.0
        self.pieces = list(pieces)
        self.men: list[Man] = [man_of(piece) for piece in pieces]

    @property
    def names(self) -> str:
        return ", ".join(piece.name for piece in self.pieces)


def lots_of(game: LzAlbany, movers: Sequence[Piece]) -> list[Lot]:
    """Infantry by threes with the officers and wounded of the area, mortars apart, officers who are alone."""
    found: list[Lot] = []
    for area in dict.fromkeys(p.place for p in movers):
        found += _of_area(game, area, [p for p in movers if p.place == area])
    return found


def _of_area(game: LzAlbany, area: str, here: Sequence[Piece]) -> list[Lot]:
    chiefs = [p for p in here if p.kind == OFFICER and healthy(p)]
    ids = {p.id for p in chiefs}
    able = [p for p in here if p.kind == UNIT and may_move(p)]
    able = [p for p in able if not hits_on(p) or any(one.id in ids for one in leaders_of(game, p))]
    foot = sorted((p for p in able if is_infantry(p)), key=lambda p: -hits_on(p))
    tubes = [p for p in able if not is_infantry(p)]
    most = game.book.stacking.limit
    if not foot and not tubes:
        return [Lot(area, [p]) for p in chiefs if not game.units(area, str(p.values.get("side")))]
    lead, rest = (foot or tubes)[:most], foot[most:]
    staying = len(game.units(area, str(here[0].values.get("side")))) - len(lead)
    needed = {one.id for p in lead if hits_on(p) for one in leaders_of(game, p)}
    going = [p for p in chiefs if not is_senior(p) or p.id in needed or staying <= len(lead)]
    carried = [p for p in here if needs_carrying(p)]
    lots = [Lot(area, [*lead, *going, *carried])]
    lots += [Lot(area, [p for p in rest[at : at + most] if not hits_on(p)]) for at in range(0, len(rest), most)]
    if foot and tubes:
        lots += [Lot(area, [p for p in tubes if not hits_on(p)])]
    return [lot for lot in lots if lot.pieces]


def goals_of(game: LzAlbany, side: str, area: str) -> list[str]:
    """Areas that a side may enter from one."""
    where = game.map
    if area == COLUMBUS:
        return [] if shut_in(game, side, area) else [one for one in where.known() if where.edge(one) == "east"]
    if area == TRANSITION:
        return [] if game.rapid else [COLUMBUS, *(one for one in where.known() if where.edge(one) == "east")]
    return list(where.beside(area))


def moves_of(game: LzAlbany, side: str, movers: Sequence[Piece]) -> Moves:
    """The best moves found for those who may go."""
    if flees(game, side):
        text = way_out(game, movers) or NONE
        return Moves(float(len(must_go(game, movers))), text, ("the NVA retreats by the shortest way [5.2E]",))
    board, lots = board_of(game), lots_of(game, movers)
    before = dict(board.stacks)
    for _ in range(_ROUNDS):
        if not sum([_improve(game, board, side, lot) for lot in lots]):
            break
    board.stacks.clear()
    board.stacks.update(before)
    moved = [lot for lot in lots if lot.goal != lot.area]
    orders = [Order(piece, lot.goal) for lot in moved for piece in lot.pieces]
    value = sum(lot.gain for lot in moved)
    told = tuple(f"{lot.names}: {title(lot.area)} > {title(lot.goal)} {lot.gain:+.1f} VP" for lot in moved)
    ways = ", ".join(dict.fromkeys(f"{title(lot.area)} > {title(lot.goal)}" for lot in moved))
    return Moves(value, orders_text(orders), told, ways)


def _improve(game: LzAlbany, board: Board, side: str, lot: Lot) -> bool:
    """Send a lot where it gains most over staying, the others being where they are; whether that is another place."""
    was = lot.goal
    board.put(board.shifted(side, lot.men, lot.goal, lot.area))
    best = (board.worth.told["edge"] * 0.5, lot.area)
    for goal in goals_of(game, side, lot.area):
        gain = _gain(board, side, lot, goal)
        if gain > best[0]:
            best = gain, goal
    lot.gain, lot.goal = best
    board.put(board.shifted(side, lot.men, lot.area, lot.goal))
    return lot.goal != was


def _gain(board: Board, side: str, lot: Lot, goal: str) -> float:
    """What it gains to send a lot to an area, from where it began."""
    areas = (lot.area, goal)
    before = board.part(side, areas)
    fight = 0.0
    others = board.units(enemy(side), goal)
    changed = board.shifted(side, lot.men, lot.area, goal)
    if others and goal != TRANSITION:
        if not any(m.piece.kind == UNIT for m in lot.men):
            return -1.0
        joined = changed[side, goal]
        fight = board.clash(joined, board.stack(enemy(side), goal), lot.men[0].group, goal, side)
        if side == NVA and goal == COLUMBUS:
            fight += 2.0 if not board.game.position.flag("vp:columbus") else 0.0
    old = board.put(changed)
    after = board.part(side, areas)
    board.put(old)
    return fight + after - before


def movers_of(game: LzAlbany, side: str, group: str) -> list[Piece]:
    """Everybody whom a group's Move may order."""
    return Movers(game, side, group).all
