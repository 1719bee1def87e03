"""[6.0] A Move activation: who goes where, and the melees that come of it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.requests import Odds, Text
from companion.core.text import plural
from companion.games.lzalbany.names import INCIDENT, LEFT, OFFICER, UNIT, US, WOUNDED
from companion.games.lzalbany.odds.ends import join_odds
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r05_retreat import check_all_go, check_way, flees, way_out
from companion.games.lzalbany.rules.r06_ways import check_carried, check_exit, check_led, leaders_of, shut_in
from companion.games.lzalbany.rules.r07_melee import activate, can_join, melee, melee_odds
from companion.games.lzalbany.rules.r08_hits import REDUCED
from companion.games.lzalbany.words.areas import COLUMBUS, TRANSITION, title
from companion.games.lzalbany.words.counters import (
    acts,
    enemy,
    healthy,
    hits_on,
    is_artillery,
    is_senior,
    may_move,
    needs_carrying,
    side_of,
    target_of,
)
from companion.games.lzalbany.words.orders import NONE, Order, Orders


class Movers:
    """[6.2] Who may go in an activation.

    Attributes:
        all: everybody who may be ordered.
        apart: ids of those whom only their own names mean: senior and lone officers.
    """

    def __init__(self, game: LzAlbany, side: str, group: str) -> None:
        active = [p for p in game.group(group) if p.kind == UNIT or healthy(p)]
        free = [p for p in active if not game.disputed(p.place)]
        ready = [p for p in free if not is_artillery(p)]
        where = {p.place for p in free if p.kind == UNIT}
        ids = {p.id for p in ready}
        officers = game.on_map(side, OFFICER)
        seniors = [p for p in officers if is_senior(p) and healthy(p) and _may_act(game, p, where)]
        lone = [p for p in officers if p.id not in ids and not is_senior(p) and _alone(game, p)]
        carriers = {p.place for p in ready if p.kind == UNIT}
        hurt = game.on_map(side, WOUNDED, OFFICER) if carriers else ()
        carried = [p for p in hurt if p.place in carriers and needs_carrying(p)]
        self.all = [*ready, *seniors, *lone, *carried]
        self.apart = [p.id for p in (*seniors, *lone)]
        self._orders: Orders | None = None

    def orders(self, game: LzAlbany, side: str) -> Orders:
        """The orders that can be given to them; what was read once is known."""
        if self._orders is None:
            off = (ground.OFF,) if flees(game, side) else ()
            self._orders = ground.orders_to(game, self.all, *off, apart=self.apart)
        return self._orders


def _may_act(game: LzAlbany, officer: Piece, where: set[str]) -> bool:
    """[5.2D, 10.1] A senior with an activated unit, twice a turn; alone he acts once, as any officer."""
    if game.disputed(officer.place):
        return False
    return (officer.place in where and can_join(game, officer)) or _alone(game, officer)


def _alone(game: LzAlbany, officer: Piece) -> bool:
    """[10.1] An unwounded officer with no friendly unit, who has not acted yet this turn and can leave his area [6.5]."""
    return (
        healthy(officer)
        and not game.stack(officer.place, side_of(officer))
        and not shut_in(game, side_of(officer), officer.place)
        and not acts(officer)
    )


async def move_action(game: LzAlbany, side: str, group: str) -> None:
    """[6.2] One Move of a unit group; then a melee in each disputed area with activated units (rulings C-31, D-4)."""
    movers = Movers(game, side, group)
    activated = [p.id for p in game.group(group)]
    if movers.all:
        request = _request(game, side, "moves", f"{game.group_title(group)} moves", "6.2", movers)
        request.odds = lambda: _assaults(game, side, movers.all)
        if game.played(side):
            await _look_around(game, side, movers.all)
        activated += [piece for piece in await _moved(game, side, request, movers) if piece not in activated]
    else:
        game.say(f"Nobody of {game.group_title(group)} can move.", "6.2")
    await melees(game, side, [game.piece(piece) for piece in activated])


async def lone_officers(game: LzAlbany, side: str) -> None:
    """[10.1] Officers with no friendly unit may go with a chit of their side, once a turn (ruling C-30). Our opponent sends its
    own with Moves only.
    """
    movers = Movers(game, side, "")
    if movers.all and not game.played(side):
        await _moved(game, side, _request(game, side, "officers", "officers without a unit move", "10.1", movers), movers)


def _request(game: LzAlbany, side: str, key: str, what: str, rule: str, movers: Movers) -> Text:
    """Who goes where; in the NVA retreat with the way out proposed [5.2E]."""
    suggest = way_out(game, movers.all) if flees(game, side) else NONE
    return Text(
        key,
        lambda: f"{side}: {what}. Who goes where? {whereabouts(movers.all)}",
        rule,
        movers.orders(game, side).notation,
        suggest=suggest,
    )


async def _moved(game: LzAlbany, side: str, request: Text, movers: Movers) -> list[str]:
    """[6.2] The orders are given, checked and carried out; returns the ids of those who went."""
    text = await game.decide(request, side, "moves", movers.all, auto=False)
    orders = movers.orders(game, side).read(text)
    await check_orders(game, side, orders)
    if flees(game, side):
        check_all_go(game, movers.all, orders)
    await carry_out(game, orders, movers.apart)
    return [order.piece.id for order in orders]


def whereabouts(pieces: Sequence[Piece]) -> str:
    """Who stands where, with the hits that matter for moving: ``d2: 1/A/2-7, 2/A/2-7 (hit); e2: co/B/2-7``."""
    areas = dict.fromkeys(piece.place for piece in pieces)
    told = {area: [f"{p.name}{_hurt(p)}" for p in pieces if p.place == area] for area in areas}
    return "; ".join(f"{title(area)}: {', '.join(names)}" for area, names in told.items())


def _hurt(piece: Piece) -> str:
    """What keeps a counter from going by itself."""
    if piece.kind == UNIT:
        return " (hit)" if hits_on(piece) else ""
    return " (wounded)" if piece.kind == OFFICER and not healthy(piece) else ""


async def _look_around(game: LzAlbany, side: str, movers: Sequence[Piece]) -> None:
    """The few questions of an opponent without a map: what is next to its units, and whether it leaves there [5.2E]."""
    for area in dict.fromkeys(piece.place for piece in movers):
        if area not in (COLUMBUS, TRANSITION):
            await ground.neighbours(game, area, "6.2")
            if flees(game, side):
                await ground.edge_of(game, area, "5.2E")


async def melees(game: LzAlbany, side: str, activated: Sequence[Piece], done: Sequence[str] = ()) -> None:
    """[7.2] Every disputed area with activated platoons, once."""
    for area in sorted({p.place for p in activated if p.kind == UNIT}):
        if area not in done and game.disputed(area):
            await melee(game, side, area, activated)


async def carry_out(game: LzAlbany, orders: Sequence[Order], apart: Sequence[str]) -> None:
    """[6.2, 10.2] Let the moves happen; officers that go by themselves are marked as having acted."""
    await ground.learn_beside(game, [(order.piece.place, order.to) for order in orders], "6.2")
    for area in dict.fromkeys(order.to for order in orders):
        ground.say_new(game, area)
    for order in orders:
        if order.to == ground.OFF:
            game.move(order.piece.id, LEFT, "5.2E", "left the map")
        else:
            game.move(order.piece.id, order.to, "6.2", "move")
        if order.piece.id in apart:
            activate(game, order.piece, "10.1")
    for to in dict.fromkeys(order.to for order in orders):
        there = [order.piece for order in orders if order.to == to]
        carried = [p for p in there if needs_carrying(p)]
        if carried:
            game.say(f"A platoon carries {game.piece_names(carried)} along.", "8.4A")
        side = side_of(there[0])
        stack = game.stack(to, side) if to != ground.OFF else 0
        if game.rules.massed(stack):
            game.say(f"{plural(stack, f'{side} unit')} over-stack {title(to)}.", "6.1", tone="reminder")


async def check_orders(game: LzAlbany, side: str, orders: Sequence[Order]) -> None:
    """Every move against the rules of movement."""
    for order in orders:
        _able(game, side, order)
        await _path(game, side, order)
    check_led(game, orders)
    check_carried(game, orders)


def _able(game: LzAlbany, side: str, order: Order) -> None:
    """[6.2A, 6.2C, 8.3] Whether a counter may move at all."""
    piece = order.piece
    if not may_move(piece):
        game.forbid(f"{piece.name} bears a '{piece.marks[INCIDENT]}' marker", "3.5", "It stays this turn")
    if is_artillery(piece):
        game.forbid("US artillery does not leave LZ Columbus", "6.2C")
    if piece.kind == UNIT and hits_on(piece) and not leaders_of(game, piece):
        how = "reduced" if hits_on(piece) == REDUCED else "hit"
        alone = f"{piece.name} is {how}, with no officer of its own in {title(piece.place)}"
        game.forbid(alone, "6.2A", "It stays, or a senior officer comes to it")


async def _path(game: LzAlbany, side: str, order: Order) -> None:
    """[6.2, 6.5, 5.2E, 5.3] Whether a counter may go there from here."""
    here, there = order.piece.place, order.to
    if here == there:
        game.forbid(f"{order.piece.name} is in {title(here)} already", "6.2", "Name another area, or leave it out")
    elif there == ground.OFF:
        pass  # the retreat says who may [5.2E]
    elif there in (COLUMBUS, TRANSITION) or here in (COLUMBUS, TRANSITION):
        await _columbus(game, side, here, there)
    elif game.map.adjacent(here, there) is False:
        game.forbid(f"{title(there)} is not next to {title(here)}", "6.2", "Move to an adjacent area")
    if flees(game, side):
        await check_way(game, here, there)


async def _columbus(game: LzAlbany, side: str, here: str, there: str) -> None:
    """[6.5] The ways to and from LZ Columbus."""
    if here == COLUMBUS:
        await check_exit(game, side, there)
    elif side == US:
        game.forbid(f"no US unit moves to {title(there)}", "6.5", "The US only leaves LZ Columbus")
    elif there == TRANSITION:
        if await ground.edge_of(game, here, "6.5") != "east":
            game.forbid(f"{title(here)} is not on the east edge", "6.5", "The Transition Area is reached from the east edge")
    elif there == COLUMBUS:
        if here != TRANSITION:
            game.forbid("LZ Columbus is reached from the Transition Area only", "6.5", "Move to the Transition Area first")
        if game.rapid:
            game.forbid("the NVA does not enter LZ Columbus with Adrenaline", "5.3", "Wait for another chit")
    elif here == TRANSITION and await ground.edge_of(game, there, "6.5") != "east":
        game.forbid(f"{title(there)} is not on the east edge", "6.5", "The Transition Area joins the east edge and LZ Columbus")


def _assaults(game: LzAlbany, side: str, movers: Sequence[Piece]) -> Odds:
    """The odds of each melee that a move could bring about, with all who could reach it (three at most)."""
    parts: list[Odds] = []
    for area in game.held(enemy(side)):
        near = [p for p in movers if game.map.adjacent(p.place, area)]
        units = sorted((p for p in near if p.kind == UNIT), key=lambda p: -target_of(p).strength)[:3]
        if not units:
            continue
        officers = [p for p in near if p.kind == OFFICER and healthy(p) and not is_senior(p)]
        parts.append(melee_odds(game, side, area, [*units, *officers], f"{game.piece_names(units)} into {title(area)}"))
    return join_odds("Melees that a move could start", "7.2", parts)
