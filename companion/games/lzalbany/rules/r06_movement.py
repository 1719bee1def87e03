"""[6.0] Movement: Move activations, stacking, the NVA retreat [5.2E], and Dust Off [5.5C]."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.core.dice import faces_text
from companion.core.hints import TYPE_CHECKING
from companion.core.odds import distribution, probability_of
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds, Pick, Text
from companion.core.text import plural
from companion.games.lzalbany import notation, odds, state
from companion.games.lzalbany.areas import COLUMBUS, FAR, JUNGLE, TRANSITION, is_area, title
from companion.games.lzalbany.rules import r02_map, r07_melee, r07_support, r08_hits

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee


def room_in(referee: AlbanyReferee, area: str, side: state.Side) -> int:
    """[6.1] How many more units of a side fit into an area without effect."""
    return max(0, referee.data.stacking.limit - referee.unit_count(area, side))


def check_stacks(referee: AlbanyReferee, side: state.Side, orders: Sequence[notation.Order], rule: str) -> None:
    """[6.1] Check the stacking limit on placement; LZ Columbus takes all arrivals (ruling C-51)."""
    for area in dict.fromkeys(order.to for order in orders):
        if area in (COLUMBUS, state.AIRLIFT):
            continue
        coming = sum(order.to == area and order.piece.kind == state.UNIT for order in orders)
        stack = coming + referee.unit_count(area, side)
        if coming and referee.dice_rules.massed_dice(stack):
            units = plural(stack, f"{side} unit")
            referee.forbid(f"{units} would be in {title(area)}, and three is the most when placing", rule, "Spread them")


def is_retreating(referee: AlbanyReferee, side: state.Side) -> bool:
    """[5.2E] True for the NVA once it retreats."""
    return referee.nva_retreats and side == state.NVA


def must_retreat(referee: AlbanyReferee, movers: Sequence[Piece]) -> list[Piece]:
    """[5.2E, 6.2A] The platoons that cannot stay; hit ones only with an officer who can lead them (ruling C-54)."""
    ids = {piece.id for piece in movers}
    units = [p for p in movers if p.kind == state.UNIT and state.may_move(p) and not state.is_artillery(p)]
    return [unit for unit in units if _can_go(referee, unit, ids)]


def _can_go(referee: AlbanyReferee, unit: Piece, movers: set[str]) -> bool:
    leaders = r08_hits.leaders_of(referee, unit)
    return not state.hits_on(unit) or any(officer.id in movers or not r08_hits.must_lead_along(referee) for officer in leaders)


def check_all_retreat(referee: AlbanyReferee, movers: Sequence[Piece], orders: Sequence[notation.Order]) -> None:
    """[5.2E] Every platoon that must retreat has an order."""
    going = {order.piece.id for order in orders}
    left = [piece for piece in must_retreat(referee, movers) if piece.id not in going]
    if left:
        text = f"the NVA retreats, and no order is given to {referee.piece_names(left)}"
        way = retreat_orders(referee, left)
        referee.forbid(text, "5.2E", f"Add: {way}" if way else f"Towards a map edge, or at one: > {r02_map.OFF_MAP}")


async def check_retreat_path(referee: AlbanyReferee, origin: str, goal: str) -> None:
    """[5.2E] Off the map from an edge area or the Transition Area (ruling C-57); otherwise nearer to an edge."""
    if origin == TRANSITION or await r02_map.edge_of(referee, origin, "5.2E"):
        if goal != r02_map.OFF_MAP:
            referee.forbid(f"the NVA leaves the map from {title(origin)}", "5.2E", f"> {r02_map.OFF_MAP}")
    elif goal == r02_map.OFF_MAP:
        referee.forbid(f"{title(origin)} is not at the map edge", "5.2E", "Move towards the edge first")
    elif origin != COLUMBUS and not await r02_map.edge_of(referee, goal, "5.2E"):
        after, before = distance_to_edge(referee, goal), distance_to_edge(referee, origin)
        if FAR not in (after, before) and after >= before:
            text = f"{title(goal)} is not nearer to a map edge than {title(origin)}"
            referee.forbid(text, "5.2E", f"Nearer are: {', '.join(_retreat_goals(referee, origin)) or 'none that is known'}")


def distance_to_edge(referee: AlbanyReferee, area: str) -> int:
    """Moves to the nearest map edge over known connections; FAR if none is known."""
    area_map = referee.map
    distances = area_map.graph.distances(area)
    return min((distance for place, distance in distances.items() if area_map.edge(place)), default=FAR)


def retreat_orders(referee: AlbanyReferee, movers: Sequence[Piece]) -> str | None:
    """Orders by which every platoon that must retreat leaves, each stack by the shortest way; None if no way is known."""
    must = {piece.id for piece in must_retreat(referee, movers)}
    orders: list[notation.Order] = []
    for origin in dict.fromkeys(piece.place for piece in movers):
        goal = _retreat_goal(referee, origin)
        stack = [p for p in movers if p.place == origin]
        going = [p for p in stack if p.id in must or (p.kind == state.OFFICER and state.is_unwounded(p))]
        if any(p.id in must for p in going):
            going += [p for p in stack if p.kind == state.OFFICER and not state.is_unwounded(p)]
        orders += [notation.Order(piece, goal) for piece in going if goal]
    return notation.orders_text(orders) if must <= {order.piece.id for order in orders} else None


def _retreat_goal(referee: AlbanyReferee, origin: str) -> str:
    area_map = referee.map
    if origin == TRANSITION or area_map.edge(origin):
        return r02_map.OFF_MAP
    return min(
        _retreat_goals(referee, origin),
        key=lambda area: (bool(referee.units(area, state.US)), distance_to_edge(referee, area)),
        default="",
    )


def _retreat_goals(referee: AlbanyReferee, origin: str) -> Sequence[str]:
    """[5.2E] The areas to which the NVA can retreat from an area off the edge, as far as is known."""
    if origin == COLUMBUS:
        return referee.map.east_edge()
    now = distance_to_edge(referee, origin)
    around = referee.map.neighbours(origin)
    return [area for area in around if now == FAR or referee.map.edge(area) or distance_to_edge(referee, area) < now]


class Movers:
    """[6.2] The counters that may move in an activation.

    Only their own names select the senior and lone officers `apart`; `counted` are the officers whose moves count [10.1].
    """

    def __init__(self, referee: AlbanyReferee, side: state.Side, group: str) -> None:
        active = [p for p in referee.group(group) if p.kind == state.UNIT or state.is_unwounded(p)]
        free = [p for p in active if not referee.is_disputed(p.place)]
        alone = [p for p in free if _is_alone(referee, p)] if referee.option("own_chits") != "each" else []
        free = [p for p in free if p not in alone or not state.activations(p) or p.id in referee.acting_officers]
        ready = [p for p in free if not state.is_artillery(p)]
        unit_areas = {p.place for p in free if p.kind == state.UNIT}
        ids = {p.id for p in ready}
        officers = [p for p in referee.on_map(side, state.OFFICER) if state.is_unwounded(p)]
        seniors = [p for p in officers if state.is_senior(p) and _senior_may_act(referee, p, unit_areas)]
        lone = [p for p in officers if p.id not in ids and not state.is_senior(p) and _is_lone(referee, p)]
        carriers = {p.place for p in ready if p.kind == state.UNIT}
        hurt = referee.on_map(side, state.WOUNDED, state.OFFICER) if carriers else ()
        carried = [p for p in hurt if p.place in carriers and state.needs_carrying(p)]
        self.all = [*ready, *seniors, *lone, *carried]
        self.apart = [p.id for p in (*seniors, *lone)]
        self.counted = [*self.apart, *(p.id for p in alone)]
        self._orders: notation.Orders | None = None

    def can_go(self, referee: AlbanyReferee) -> bool:
        """[6.2A, 8.4A] True if a counter may go: hit units are led, and the wounded carried, from their own area."""
        areas = dict.fromkeys(piece.place for piece in self.all)
        return any(r08_hits.able_together(referee, [p for p in self.all if p.place == area]) for area in areas)

    def orders(self, referee: AlbanyReferee, side: state.Side) -> notation.Orders:
        """The reader of their orders."""
        if self._orders is None:
            extra = (r02_map.OFF_MAP,) if is_retreating(referee, side) else ()
            self._orders = r02_map.orders_for(referee, self.all, *extra, apart=self.apart)
        return self._orders


def _senior_may_act(referee: AlbanyReferee, officer: Piece, unit_areas: set[str]) -> bool:
    """[5.2D, 10.1] A senior officer acts with activated units twice a turn, alone once."""
    if referee.is_disputed(officer.place):
        return False
    return (officer.place in unit_areas and r08_hits.can_join(referee, officer)) or _is_lone(referee, officer)


def _is_alone(referee: AlbanyReferee, officer: Piece) -> bool:
    """[10.1] True for a unit officer with no friendly unit in his area (ruling C-71)."""
    return officer.kind == state.OFFICER and not referee.unit_count(officer.place, state.side_of(officer))


def why_no_order(referee: AlbanyReferee, side: state.Side, group: str, movers: Movers, name: str) -> tuple[str, str] | None:
    """[5.2, 6.2, 10.1] Why a counter, or those of an area, cannot be ordered with a chit for a group, with the rule."""
    area = referee.area_called(name)
    piece = referee.counter_called(name, side, group)
    if piece and piece in movers.all:
        return f"'{name}' does not say where {piece.name} goes", "6.2"
    if area and not piece:
        own = referee.pieces(area, side)
        if own and referee.is_disputed(area):
            return f"{title(area)} is disputed: those there fight first, and may retreat afterwards", "7.2"
        whose = referee.group_title(group) if group else f"the {side}"
        return f"nobody of {whose} in {title(area)} can be ordered by this chit", "5.2"
    if not piece and name.casefold() in (company := {c.casefold(): c for c in notation.COMPANIES}):
        return f"nobody of {company[name.casefold()]} can be ordered by this chit", "5.2"
    if piece and not is_area(piece.place):
        return f"{piece.name} is not on the map, and chits activate units there", "5.2"
    return _why_not_moved(referee, side, group, piece) if piece else None


def _why_not_moved(referee: AlbanyReferee, side: state.Side, group: str, piece: Piece) -> tuple[str, str]:
    name, where = piece.name, title(piece.place)
    if state.side_of(piece) != side:
        return f"{name} is one of the {state.side_of(piece)}'s counters", "5.2"
    if state.is_artillery(piece):
        return f"{name} is artillery, which does not leave LZ Columbus", "6.2C"
    if state.needs_carrying(piece):
        return f"{name} cannot move by itself, and no platoon that moves is in {where} to carry it", "6.3"
    if referee.is_disputed(piece.place):
        return f"{name} is in the melee in {where}: it fights first, and may retreat afterwards", "7.2"
    if piece.kind == state.OFFICER and referee.unit_count(piece.place, side):
        if not state.is_senior(piece):
            return f"{name} is with units, and belongs to {referee.group_title(state.group_of(piece))}", "5.2"
        if not r08_hits.can_join(referee, piece):
            return f"{name} has acted twice this turn", "5.2D"
        return f"{name} acts with activated units, and none is with him in {where}", "5.2D"
    if piece.kind == state.OFFICER and state.activations(piece):
        return f"{name} is alone and has acted this turn", "10.1"
    if r02_map.cannot_leave(referee, side, piece.place):
        return "US units do not leave LZ Columbus while NVA are there", "6.5"
    if state.group_of(piece) != group and not state.is_senior(piece):
        active = f"this chit activates {referee.group_title(group)}" if group else "this chit moves lone officers only"
        return f"{name} belongs to {referee.group_title(state.group_of(piece))}, and {active}", "5.2"
    return f"{name} cannot be ordered now", "6.2"


def _is_lone(referee: AlbanyReferee, officer: Piece) -> bool:
    """[10.1] True for an unwounded officer without friendly units who has not acted this turn and can leave [6.5]."""
    return (
        state.is_unwounded(officer)
        and not referee.unit_count(officer.place, state.side_of(officer))
        and not r02_map.cannot_leave(referee, state.side_of(officer), officer.place)
        and not state.activations(officer)
    )


async def move_action(referee: AlbanyReferee, side: state.Side, group: str) -> None:
    """[6.2] A Move of a unit group, then a melee in each disputed area with activated units (rulings C-31, D-4)."""
    movers = Movers(referee, side, group)
    activated = [p.id for p in referee.group(group)]
    if movers.all:
        has_melee = any(r07_melee.group_dice(referee, side, group, piece.place) for piece in referee.group(group))
        request = _request(referee, side, "moves", f"{referee.group_title(group)} moves", "6.2", movers, has_melee)
        request.why_not = partial(why_no_order, referee, side, group, movers)
        request.odds = lambda: _assault_odds(referee, side, movers.all)
        if referee.is_computer(side):
            await _ask_surroundings(referee, side, movers.all)
        activated += [piece for piece in await _moved(referee, side, request, movers) if piece not in activated]
    else:
        referee.say(f"Nobody of {referee.group_title(group)} can move.", "6.2")
        is_fighting = any(referee.is_disputed(piece.place) for piece in referee.group(group))
        text = f"nobody of {referee.group_title(group)} can move{': they are in melees and fight first' if is_fighting else ''}"
        referee.skip_question("moves", text, "7.2" if is_fighting else "6.2", "They stay", equivalent=(notation.NONE,))
    await r07_melee.melees(referee, side, [referee.piece(piece) for piece in activated])


async def lone_officers(referee: AlbanyReferee, side: state.Side) -> None:
    """[10.1] Officers without friendly units may move with a chit of their side, once a turn (ruling C-30).

    The opponent moves its own with Move activations only.
    """
    movers = Movers(referee, side, "")
    if movers.all and not referee.is_computer(side):
        request = _request(referee, side, "officers", "officers without a unit move", "10.1", movers)
        request.why_not = partial(why_no_order, referee, side, "", movers)
        await _moved(referee, side, request, movers)


def _request(
    referee: AlbanyReferee, side: state.Side, key: str, what: str, rule: str, movers: Movers, may_stay: bool = True
) -> Text:
    """Ask who goes where; in the retreat the way out is suggested [5.2E]. ``may_stay``: else no move wastes an activation."""
    suggest: str | None = retreat_orders(referee, movers.all) if is_retreating(referee, side) else notation.NONE
    if suggest == notation.NONE and not may_stay:
        suggest = None  # without a move and without a melee the chit would be wasted

    def prompt() -> str:
        return f"{side}: {what}. Who goes where? {stacks_text(movers.all)}"

    def choices() -> list[Choice]:
        return move_choices(referee, side, movers.orders(referee, side))

    reader = movers.orders(referee, side).notation
    if not movers.can_go(referee):  # only who insists moves somebody
        reader = reader._replace(example=notation.NONE)
    return notation.OrderRequest(key, prompt, rule, reader, choices, suggest)


def move_choices(referee: AlbanyReferee, side: state.Side, reader: notation.Orders) -> list[Choice]:
    """[6.2] The moves of single stacks to known areas; none in the retreat, in which all go [5.2E]."""
    if is_retreating(referee, side):
        return []

    def hint(area: str) -> str:
        enemies = referee.unit_count(area, state.enemy(side))
        return f"melee with {plural(enemies, 'unit')}" if enemies else ""

    goals, able = partial(_move_goals, referee, side), partial(r08_hits.able_together, referee)
    return r02_map.order_choices(reader, goals, able, hint)


def _move_goals(referee: AlbanyReferee, side: state.Side, origin: str) -> list[str]:
    """[6.2, 6.5] The areas to which a side may move from an area, as far as is known."""
    area_map = referee.map
    if origin == TRANSITION:
        return [*area_map.east_edge(), *([] if referee.has_adrenaline else [COLUMBUS])]
    if origin == COLUMBUS:
        return [] if r02_map.cannot_leave(referee, side, origin) else list(area_map.east_edge())
    goals = [area for area in area_map.neighbours(origin) if area not in (COLUMBUS, TRANSITION)]
    return [*goals, TRANSITION] if side == state.NVA and area_map.edge(origin) == "east" else goals


async def _moved(referee: AlbanyReferee, side: state.Side, request: Text, movers: Movers) -> list[str]:
    """[6.2] Ask for orders, check them and carry them out; returns the ids of the counters that moved."""
    thorough = referee.is_thorough(side)
    text = await referee.decide(request, side, "moves", lambda planner: planner.moves(movers.all, thorough), auto=False, rivals=1)
    orders = movers.orders(referee, side).read(text)
    await check_orders(referee, side, orders)
    if is_retreating(referee, side):
        check_all_retreat(referee, movers.all, orders)
    await carry_out(referee, orders, movers.counted)
    return [order.piece.id for order in orders]


def stacks_text(pieces: Sequence[Piece]) -> str:
    """The counters by area, with hits: ``d2: 1/A/2-7, 2/A/2-7 (hit); e2: co/B/2-7``."""
    areas = dict.fromkeys(piece.place for piece in pieces)
    stacks = {area: [f"{p.name}{_hit_note(p)}" for p in pieces if p.place == area] for area in areas}
    return "; ".join(f"{title(area)}: {', '.join(names)}" for area, names in stacks.items())


def _hit_note(piece: Piece) -> str:
    if piece.kind == state.UNIT:
        return {0: "", state.REDUCED: " (reduced)"}.get(state.hits_on(piece), " (hit)")
    return " (wounded)" if piece.kind == state.OFFICER and not state.is_unwounded(piece) else ""


async def _ask_surroundings(referee: AlbanyReferee, side: state.Side, movers: Sequence[Piece]) -> None:
    """Ask what the planner needs to know without a map: neighbours, and in the retreat the map edges [5.2E]."""
    for area in dict.fromkeys(piece.place for piece in movers):
        if area not in (COLUMBUS, TRANSITION):
            await r02_map.neighbours(referee, area, "6.2")
            if is_retreating(referee, side):
                await r02_map.edge_of(referee, area, "5.2E")


async def carry_out(referee: AlbanyReferee, orders: Sequence[notation.Order], counted: Sequence[str]) -> None:
    """[6.2, 10.2] Move the counters; officers who go by themselves are marked as activated."""
    await r02_map.infer_adjacency(referee, [(order.piece.place, order.to) for order in orders], "6.2")
    for area in dict.fromkeys(order.to for order in orders):
        r02_map.announce_new_area(referee, area)
    for order in orders:
        if order.to == r02_map.OFF_MAP:
            referee.move(order.piece.id, state.LEFT, "5.2E", "left the map")
        else:
            referee.move(order.piece.id, order.to, "6.2", "move")
        if order.piece.id in counted:
            r08_hits.activate(referee, order.piece, "10.1")
    for to in dict.fromkeys(order.to for order in orders):
        arrived = [order.piece for order in orders if order.to == to]
        carried = [p for p in arrived if state.needs_carrying(p)]
        if carried:
            referee.say(f"A platoon carries {referee.piece_names(carried)} along.", "8.4A")
        side = state.side_of(arrived[0])
        stack = referee.unit_count(to, side) if to != r02_map.OFF_MAP else 0
        if referee.dice_rules.massed_dice(stack):
            referee.say(f"{plural(stack, f'{side} unit')} over-stack {title(to)}.", "6.1", tone="reminder")


async def check_orders(referee: AlbanyReferee, side: state.Side, orders: Sequence[notation.Order]) -> None:
    """[6.2] Check orders against the rules of movement."""
    for order in orders:
        _check_mobility(referee, order.piece)
        await _check_path(referee, side, order)
    r08_hits.check_led(referee, orders)
    r08_hits.check_carried(referee, orders)


def _check_mobility(referee: AlbanyReferee, piece: Piece) -> None:
    """[6.2A, 6.2C, 8.3] The counter may move at all."""
    if not state.may_move(piece):
        referee.forbid(f"{piece.name} bears a '{piece.marks[state.INCIDENT]}' marker", "3.5", "It stays this turn")
    if state.is_artillery(piece):
        referee.forbid("US artillery does not leave LZ Columbus", "6.2C")
    if piece.kind == state.UNIT and state.hits_on(piece) and not r08_hits.leaders_of(referee, piece):
        condition = "reduced" if state.hits_on(piece) == state.REDUCED else "hit"
        text, rule = f"{piece.name} is {condition}, with no officer of its own in {title(piece.place)}", "6.2A"
        if wounded := [p for p in r08_hits.leaders_of(referee, piece, fit=False) if not state.is_unwounded(p)]:
            text, rule = (
                f"{piece.name} is {condition}, and {referee.piece_names(wounded)} in {title(piece.place)} is wounded",
                "10.4",
            )
        referee.forbid(text, rule, "Leave it there, or move a senior officer to it")


async def _check_path(referee: AlbanyReferee, side: state.Side, order: notation.Order) -> None:
    """[6.2, 6.5, 5.2E, 5.3] The counter may go there from where it is."""
    origin, goal = order.piece.place, order.to
    if origin == goal:
        referee.forbid(f"{order.piece.name} is in {title(origin)} already", "6.2", "Name another area, or leave it out")
    elif goal == r02_map.OFF_MAP:
        pass  # checked by the rule on the retreat [5.2E]
    elif goal in (COLUMBUS, TRANSITION) or origin in (COLUMBUS, TRANSITION):
        await _check_columbus_path(referee, side, origin, goal)
    elif referee.map.adjacent(origin, goal) is False:
        referee.forbid(f"{title(goal)} is not next to {title(origin)}", "6.2", "Move to an adjacent area")
    if is_retreating(referee, side):
        await check_retreat_path(referee, origin, goal)


async def _check_columbus_path(referee: AlbanyReferee, side: state.Side, origin: str, goal: str) -> None:
    """[6.5] The ways to and from LZ Columbus."""
    if origin == COLUMBUS:
        await r02_map.check_exit(referee, side, goal)
    elif side == state.US:
        referee.forbid(f"no US unit moves to {title(goal)}", "6.5", "The US only leaves LZ Columbus")
    elif goal == TRANSITION:
        if await r02_map.edge_of(referee, origin, "6.5") != "east":
            text = f"{title(origin)} is not on the east edge"
            referee.forbid(text, "6.5", "The Transition Area is reached from the east edge")
    elif goal == COLUMBUS:
        if origin != TRANSITION:
            text = "LZ Columbus is reached from the Transition Area only"
            referee.forbid(text, "6.5", "Move to the Transition Area first")
        if referee.has_adrenaline:
            referee.forbid("the NVA does not enter LZ Columbus with Adrenaline", "5.3", "Wait for another chit")
    elif origin == TRANSITION and await r02_map.edge_of(referee, goal, "6.5") != "east":
        text = f"{title(goal)} is not on the east edge"
        referee.forbid(text, "6.5", "The Transition Area joins the east edge and LZ Columbus")


def _assault_odds(referee: AlbanyReferee, side: state.Side, movers: Sequence[Piece]) -> Odds:
    parts: list[Odds] = []
    for area in referee.held_areas(state.enemy(side)):
        near = [p for p in movers if referee.map.adjacent(p.place, area)]
        units = sorted((p for p in near if p.kind == state.UNIT), key=lambda p: -r08_hits.target_of(p).strength)
        units = units[: referee.data.stacking.limit]
        if not units:
            continue
        officers = [p for p in near if p.kind == state.OFFICER and state.is_unwounded(p) and not state.is_senior(p)]
        head = f"{referee.piece_names(units)} into {title(area)}"
        parts.append(r07_melee.melee_odds(referee, side, area, [*units, *officers], head))
    return odds.join_odds("Melees that a move could start", "7.2", parts)


EVACUATE, LIFT = "evacuate", "airlift"
_HOT = "Dust Off cannot land: NVA platoons without a hit are in every area with wounded"


def casualties(referee: AlbanyReferee, area: str) -> tuple[list[Piece], list[Piece]]:
    """Wounded markers and wounded officers of the US in an area."""
    officers = [p for p in referee.pieces(area, state.US, state.OFFICER) if state.needs_carrying(p)]
    return referee.pieces(area, state.US, state.WOUNDED), officers


def casualty_areas(referee: AlbanyReferee) -> list[str]:
    """Areas with US wounded."""
    pieces = referee.on_map(state.US, state.WOUNDED, state.OFFICER)
    return sorted({piece.place for piece in pieces if state.needs_carrying(piece)})


def is_hot(referee: AlbanyReferee, area: str) -> bool:
    """[6.3] True if an un-hit NVA platoon keeps Dust Off from landing (ruling C-52)."""
    return any(not state.hits_on(p) for p in referee.units(area, state.NVA))


def dust_off_room(referee: AlbanyReferee, terrain: str, damaged: bool) -> int:
    """[6.3] The wounded markers that Dust Off can take from terrain."""
    return referee.chart("terrain").number(terrain, "damaged" if damaged else "dustoff")


def airlift_room(referee: AlbanyReferee, terrain: str) -> int:
    """[6.4] The units that an airlift can land on terrain."""
    return referee.chart("terrain").number(terrain, "airlift")


def landing_fire(referee: AlbanyReferee, around: Sequence[str]) -> list[Piece]:
    """[6.3] The NVA units that fire at a landing: those in the areas around it, a die each."""
    return [unit for place in around for unit in referee.units(place, state.NVA)]


async def dust_off_chit(referee: AlbanyReferee) -> None:
    """[5.5C] Dust Off evacuates or airlifts, one of the two a turn (ruling C-46)."""
    waiting, casualties_in = referee.position.at(state.AIRLIFT), casualty_areas(referee)
    areas = [area for area in casualties_in if not is_hot(referee, area)]
    choices = [Choice(EVACUATE, "evacuate wounded", ", ".join(map(title, areas)))] if areas else []
    choices += [Choice(LIFT, "airlift reinforcements", referee.piece_names(waiting))] if waiting else []
    if casualties_in and not areas:
        referee.say(f"{_HOT}.", "6.3")
        referee.skip_question("dustoff", _HOT, "6.3", equivalent=(notation.NONE,))
    if not choices:
        if not casualties_in:
            text = "Dust Off has no wounded and no reinforcements to fly"
            referee.say(f"{text}.", "5.5C")
            referee.skip_question("dustoff", text, "5.5C", equivalent=(notation.NONE,))
        return
    refused = {EVACUATE: ("no wounded are on the map", "5.5C") if not casualties_in else (_HOT, "6.3")}
    refused[LIFT] = "no reinforcements wait to be flown in", "6.4"
    question = "Does Dust Off evacuate or airlift?"
    request = Choose("dustoff", question, "5.5C", [*choices, r02_map.NO_CHOICE], choices[0].value)
    request.why_not = lambda name: next((why for word, why in refused.items() if name and word.startswith(name.casefold())), None)
    options = [choice.value for choice in choices]
    chosen = await referee.decide(request, state.US, "dustoff", lambda planner: planner.dust_off(options), auto=False)
    if chosen == EVACUATE:
        await evacuate(referee)
    elif chosen == LIFT:
        await airlift(referee)


async def evacuate(referee: AlbanyReferee) -> None:
    """[6.3, 8.4B] Land, take ground fire, and fly out as many wounded as there is room for."""
    areas = [area for area in casualty_areas(referee) if not is_hot(referee, area)]
    barred = [Choice(area, title(area)) for area in casualty_areas(referee) if is_hot(referee, area)]
    choices = referee.area_choices(areas, state.US)
    request = Choose("area", "Where does Dust Off land?", "6.3", choices, areas[0], others=barred, what="area")
    request.odds = lambda: odds.join_odds("Dust Off", "6.3", [landing_odds(referee, area) for area in areas])
    area = await referee.decide(request, state.US, "landing", lambda planner: planner.landing(areas), auto=False)
    if is_hot(referee, area):
        referee.forbid(f"NVA platoons without a hit are in {title(area)}", "6.3", "Land elsewhere")
    referee.say(f"Dust Off lands in {title(area)}.", "6.3")
    terrain = await r02_map.terrain_of(referee, area, "6.3")
    damaged = await _ground_fire(referee, area)
    room = dust_off_room(referee, terrain, damaged)
    markers, officers = casualties(referee, area)
    room_text = f"{plural(room, 'wounded marker')} and any wounded officers"
    referee.say(f"Dust Off can take {room_text} from {title(area)} ({terrain}).", "6.3")
    chosen = await _choose_wounded(referee, markers, room)
    for piece in [*chosen, *officers]:
        referee.move(piece.id, state.EVACUATED, "8.4B", "Dust Off")
    if chosen:
        referee.award("evacuated", f"Dust Off flies {referee.piece_names(chosen)} out", len(chosen))


async def _choose_wounded(referee: AlbanyReferee, markers: list[Piece], room: int) -> list[Piece]:
    """[6.3] The wounded who fly out."""
    if len(markers) <= room:
        return markers
    if referee.is_computer(state.US):
        return markers[:room]
    choices = [Choice(piece.id, piece.name) for piece in markers]
    suggest = [piece.id for piece in markers[:room]]
    request = Pick("evacuate", f"Which wounded fly out? ({room} at most)", "6.3", choices, high=room, suggest=suggest)
    chosen = await referee.for_side(state.US, request)
    return [piece for piece in markers if piece.id in chosen]


async def _ground_fire(referee: AlbanyReferee, area: str) -> bool:
    """[6.3] One die for each NVA unit next to the landing; a 5 or 6 damages Dust Off, once (ruling C-18)."""
    units = landing_fire(referee, await r02_map.adjacent_enemies(referee, area, state.NVA, "6.3"))
    if not units:
        return False
    prompt = f"Fire at Dust Off, a die each: damaged on 5-6 ({referee.piece_names(units)})"
    faces = await referee.volley("hot_zone", prompt, "6.3", len(units), 1, "dustoff")
    damaged = referee.count(faces, "dustoff") > 0
    result = "DAMAGED" if damaged else "No damage"
    referee.say(f"Fire at Dust Off: {faces_text(faces)}, damaged on 5-6. {result}.", "6.3")
    if damaged:
        r07_support.air_casualty(referee, "Dust Off is damaged")
    return damaged


async def airlift(referee: AlbanyReferee) -> None:
    """[6.4] Fly reinforcements to one area without NVA, as many as the terrain allows; officers do not count."""
    waiting = referee.position.at(state.AIRLIFT)
    reader = r02_map.orders_for(referee, waiting, home="b3")
    prompt = f"Whom does Dust Off fly in, and where? ({referee.piece_names(waiting)})"

    def choices() -> list[Choice]:
        return r02_map.order_choices(reader, lambda place: _landing_areas(referee, waiting), list)

    def suggest() -> str:
        """All who wait, to the area with fewest NVA platoons beside it."""
        areas = _landing_areas(referee, waiting)
        return min(areas, key=lambda area: len(landing_fire(referee, referee.map.neighbours(area)))) if areas else notation.NONE

    request = notation.OrderRequest("airlift", prompt, "6.4", reader.notation, choices, suggest)
    orders = reader.read(await referee.decide(request, state.US, "lift", lambda planner: planner.lift(waiting), auto=False))
    goals = list(dict.fromkeys(order.to for order in orders))
    if len(goals) > 1:
        referee.forbid("one Dust Off lands in one area", "6.4", "Name one area")
    for area in goals:
        await _land(referee, area, [order.piece for order in orders if order.to == area])


def _landing_areas(referee: AlbanyReferee, waiting: Sequence[Piece]) -> list[str]:
    """[6.4] The areas in which all who wait can land together, as far as is known."""
    units = sum(piece.kind == state.UNIT for piece in waiting)
    areas = [a for a in referee.map.areas() if a != TRANSITION and not referee.unit_count(a, state.NVA)]
    known = [area for area in areas if referee.map.terrain(area)]
    return [a for a in known if units <= min(airlift_room(referee, referee.map.terrain(a)), room_in(referee, a, state.US))]


async def _land(referee: AlbanyReferee, area: str, landing: list[Piece]) -> None:
    if referee.unit_count(area, state.NVA):
        referee.forbid(f"NVA units are in {title(area)}", "6.4", "Land elsewhere")
    if area == TRANSITION:
        referee.forbid(f"no US unit goes to the {title(area)}", "6.5", "Land elsewhere")
    terrain = await r02_map.terrain_of(referee, area, "6.4")
    room = airlift_room(referee, terrain)
    units = [p for p in landing if p.kind == state.UNIT]
    if len(units) > room:
        text = f"{plural(len(units), 'unit')} named, and {room} can land in {title(area)} ({terrain})"
        referee.forbid(text, "6.4", f"Name {room}")
    check_stacks(referee, state.US, [notation.Order(piece, area) for piece in landing], "3.2D")
    for piece in landing:
        referee.move(piece.id, area, "6.4", "airlift")
    if not await r02_map.adjacent_enemies(referee, area, state.NVA, "6.4") or not units:
        return
    prompt = f"Hot landing, a die each: hit on 6 ({referee.piece_names(units)})"
    faces = await referee.volley("hot_landing", prompt, "6.4", len(units), len(units), "landing")
    rolled = ", ".join(f"{piece.name} {face}" for piece, face in zip(units, faces, strict=True))
    referee.say(f"Hot landing, hit on 6: {rolled}.", "6.4")
    for piece, face in zip(units, faces, strict=True):
        if referee.count((face,), "landing"):
            await r08_hits.take_hits(referee, state.NVA, [piece], 1, "6.4", "hot landing")


def landing_odds(referee: AlbanyReferee, area: str) -> Odds:
    """[6.3] The chance that Dust Off is damaged on landing, and the wounded that it takes."""
    table = referee.limited_to((area, *referee.map.neighbours(area)))
    damaged = probability_of(distribution(lambda: _ground_fire(table, area)), bool)
    terrain = referee.map.terrain(area) or JUNGLE
    markers = len(casualties(referee, area)[0])
    full, reduced = (min(dust_off_room(referee, terrain, is_damaged), markers) for is_damaged in (False, True))
    rows = (("is damaged by ground fire", damaged),)
    means = (("wounded markers flown out", full * (1 - damaged) + reduced * damaged),)
    note = "" if referee.map.terrain(area) else f"Assumes that {title(area)} is jungle: its terrain has not been entered."
    return Odds(title(area), "6.3", (("Dust Off", rows),), means, (note,) if note else ())
