"""[11.0] J-1 Recruiting, and the buying of the first order of battle [7.1(2)]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from companion.core.errors import Ambiguous, Impossible, Miscounted, Unreadable
from companion.core.game import Obstacle
from companion.core.notation import Notation
from companion.core.position import Piece, Position
from companion.core.requests import Choice, Choose, Text
from companion.core.text import matching_names, no_match, plural, split_count, split_list
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.referee import FallujahReferee, deployed

APART = "apart"
"""The answer by which recruited units arrive at different places."""

WHOLE = 4
"""Prices are in quarters of an OP, the smallest part in the chart."""


def _printed(price: str) -> int:
    """A price as it is printed, in quarters of an OP."""
    over, _, under = price.partition("/")
    return WHOLE * int(over) // int(under or 1)


def whole_ops(quarters: int) -> int:
    """The OPs of a price in quarters; fractions round up."""
    return -(-quarters // WHOLE)


def unit_cost(referee: FallujahReferee, piece: Piece) -> tuple[int, str]:
    """[11.1] The price of a counter at any strength, in quarters of an OP, and a note if its size has no entry."""
    if piece.kind == state.STRIKE:
        return _printed(referee.chart("strike_cost").text(state.type_of(piece), "cost")), ""
    kind = state.type_of(piece)
    if state.is_iraqi(piece) and kind in (state.INFANTRY, state.SOF):
        kind = f"iraqi_{kind}"
    column, other = ("battalion", "company") if state.is_battalion(piece) else ("company", "battalion")
    cost, note = referee.chart("unit_cost").text(kind, column), ""
    if cost == "-":
        cost = referee.chart("unit_cost").text(kind, other)
        note = f"the chart prints no {column} of this type, so {piece.name} costs what the {other} does"
    price = _printed(cost)
    return (price * 2 if state.is_uprising(referee.position) else price), note


def recruitable(referee: FallujahReferee) -> list[Piece]:
    """The counters of the Recruit box that can be bought, without FOBs (ruling C-29)."""
    return list(referee.position.cached_from_pieces(_recruitable))


def _recruitable(position: Position) -> list[Piece]:
    box = position.at(state.RECRUIT)
    return [piece for piece in box if piece.kind == state.STRIKE or (piece.kind == state.UNIT and not state.is_fob(piece))]


def _for_sale_by_name(position: Position) -> Mapping[str, int]:
    return count_names(position.cached_from_pieces(_recruitable))


def count_names(pieces: Iterable[Piece]) -> Mapping[str, int]:
    """The number of pieces of each name."""
    return Counter([piece.name for piece in pieces])


def _not_recruited() -> Unreadable:
    return Unreadable("an FOB is built, not recruited", rule="18.5", cure="Build one: j4")


def _counters_by_name(position: Position) -> Mapping[str, Sequence[Piece]]:
    counters: dict[str, list[Piece]] = {}
    for piece in (*position.of_kind(state.STRIKE), *position.of_kind(state.UNIT)):
        counters.setdefault(piece.name, []).append(piece)
    return counters


def _not_for_sale(referee: FallujahReferee, name: str) -> Unreadable | None:
    """Why a counter of the game cannot be bought; None if the game has none of that name."""
    counters = referee.position.cached_from_pieces(_counters_by_name)
    if not matching_names(name, counters):  # mostly so, where the numbers of a list are tried
        return None
    named = [piece for other, pieces in counters.items() if matching_names(name, [other]) for piece in pieces]
    if any(state.is_fob(piece) for piece in named):
        return _not_recruited()
    if named:
        return Unreadable(f"{named[0].name} is {referee.location(named[0])}, not in the Recruit box", rule="11.2")
    return None


def _read_counted(referee: FallujahReferee, text: str) -> dict[str, int]:
    """Read ``3/1, 2 air, netwar``: counts by name. Raises `Unreadable` for unknown or ambiguous names and too large counts."""
    names = referee.position.cached_from_pieces(_for_sale_by_name)
    counts: dict[str, int] = {}
    for part in split_list(text):
        number, name = 1, part
        matches = matching_names(name, names)
        if not matches:
            number, name = split_count(part)
            matches = matching_names(name, names) if name != part else []
        if not matches:
            raise _not_for_sale(referee, name) or no_match(name, "counter in the Recruit box", list(names))
        if len(matches) > 1:
            raise Ambiguous(name, matches)
        counter = matches[0]
        counts[counter] = counts.get(counter, 0) + number
        if counts[counter] > names[counter]:
            raise Unreadable(f"{counts[counter]} x {counter} asked for, {names[counter]} there", rule="11.1")
    return counts


def order_text(counts: Mapping[str, int]) -> str:
    """The normal form of an order."""
    return ", ".join(name if count == 1 else f"{count} x {name}" for name, count in counts.items()) or "none"


def _order_notation(referee: FallujahReferee) -> Notation:
    def read(text: str) -> str:
        if text.strip().casefold() in ("none", "nothing"):
            raise Unreadable("nothing to recruit", rule="11.1", cure="Name units and strikes: 3/1, 2 air, 4 artillery")
        names: list[str] = []
        new: list[str] = []
        box = referee.position.cached_from_pieces(_for_sale_by_name)
        for part in split_list(text):
            unit = notation.read_unit(part) if notation.looks_like_unit(part) else None
            if unit and unit.kind == "fob":
                raise _not_recruited()
            if not unit or unit.title in box:
                names.append(unit.title if unit else part)
                continue
            if any(notation.read_unit(other).title == unit.title for other in new):
                raise Miscounted(f"{unit.title} is named twice, and there is one", rule="11.2", cure="Name each counter once")
            new.append(str(unit))
        counts = _read_counted(referee, ", ".join(names))
        return ", ".join([*([order_text(counts)] if counts else []), *new])

    return Notation("order", "3/1, 1/8, 2 air, 4 artillery", read)


async def _new_unit(referee: FallujahReferee, text: str) -> str:
    """Record a new unit and what is printed on its counter [4.2]; its id."""
    unit = notation.read_unit(text)
    existing = next((piece for piece in referee.position.of_kind(state.UNIT) if piece.name == unit.title), None)
    if existing and existing.place == state.RECRUIT:
        return existing.id
    if existing:
        referee.forbid(f"{unit.title} is {referee.location(existing)}, not in the Recruit box", "11.2", "Name another unit")
    if not unit.back_known:
        prompt = f"What is on the back of {unit.title}? Its reduced values, or flag"
        back = await referee.text("back", prompt, "4.2", notation.BACK)
        unit = notation.read_unit(f"{unit}/{back}")
    await referee.record_fact(f"unit:{unit.title}", str(unit), "4.2")
    return referee.make(state.UNIT, unit.title, state.RECRUIT, "4.2", "entered from its counter", notation.unit_values(unit))


_SIZES = {"bn": "battalion", "coy": "company", "plt": "platoon"}
_KINDS = {"armored_engineer": "armored eng", "sof": "SOF", "helicopter_sof": "SOF helicopter", "military_police": "MP"}
"""Types whose short names are not plain words."""


class OrderQuestion(Text):
    """What is recruited; the counters for sale are listed by their price."""

    is_name_visible = False
    __slots__ = ("for_sale",)

    for_sale: Mapping[str, tuple[Piece, int, int]]
    """By name: a counter, its price in quarters of an OP, and how many there are."""

    def hint(self) -> str:
        return "3(2)4 on a unit is fire 3, contact 2, move 4"

    def grouped_choices(self) -> list[tuple[str, list[str]]]:
        groups: dict[int, dict[str, list[str]]] = {}
        nations: dict[str, str] = {}  # of the last name of each kind: a nation is not repeated
        for label, choice in zip(self.labels(), self.legal_choices(), strict=True):
            piece, cost, count = self.for_sale[choice.value]
            kind = _KINDS.get(state.type_of(piece)) or notation.SHORT.get(state.type_of(piece), "")
            printed = f"{kind} {notation.side_of(piece)}: " if piece.kind == state.UNIT else ""
            nation, _, name = piece.name.rpartition(" ") if printed else ("", "", piece.name)
            names = groups.setdefault(cost, {}).setdefault(printed, [])
            title = name if nation and nation == nations.get(printed) else piece.name
            nations[printed] = nation
            names.append(f"{label} {title}{f' x{count}' if count > 1 else ''}")
        return [
            (f"{price_text(cost)} OP".rjust(6), [kind + ", ".join(names) for kind, names in groups[cost].items()])
            for cost in sorted(groups)
        ]


async def read_order(
    referee: FallujahReferee, charge: Callable[[int], int], opening: Callable[[], str | None] = lambda: None
) -> list[Piece]:
    """Ask what is recruited, by name and number; counters that cost too much are not offered.

    Args:
        charge: The OPs for an order of a price in quarters.
        opening: The order that a bare Enter gives at a terminal; None for none.

    Raises:
        Impossible: Nothing can be bought.
    """
    box = recruitable(referee)
    costs = {piece.name: unit_cost(referee, piece)[0] for piece in {piece.name: piece for piece in box}.values()}
    if not costs:
        raise Impossible("nothing is in the Recruit box", rule="11.2")
    too_dear = {name for name, cost in costs.items() if charge(cost) > referee.ops}
    if len(too_dear) == len(costs):
        cheapest = f"the cheapest costs {price_text(min(costs.values()))}"
        raise Impossible(f"{plural(referee.ops, 'OP is', 'OPs are')} left to recruit with, {cheapest}", rule="11.1")
    offered = count_names(piece for piece in box if piece.name not in too_dear)
    first = {piece.name: piece for piece in reversed(box)}
    choices = [Choice(name, name, partial(_for_sale, first[name], costs[name], count)) for name, count in offered.items()]
    prompt = "Which units and strikes do you recruit?"
    request = OrderQuestion("buy", prompt, "11.1", _order_notation(referee), choices)
    request.for_sale = {name: (first[name], costs[name], count) for name, count in offered.items()}
    request.table_default = opening
    text = await request
    bought: list[Piece] = []
    parts = split_list(text)
    for part in [part for part in parts if notation.looks_like_unit(part)]:
        bought.append(referee.piece(await _new_unit(referee, part)))
    counts = _read_counted(referee, ", ".join(part for part in parts if not notation.looks_like_unit(part)))
    for name, count in counts.items():
        bought += [piece for piece in recruitable(referee) if piece.name == name and piece not in bought][:count]
    return bought


def _for_sale(piece: Piece, cost: int, count: int) -> str:
    """The hint of a counter for sale: its type, size and values, price, and number."""
    kind = state.type_of(piece).replace("_", " ").replace("sof", "SOF")
    size = _SIZES.get(str(piece.values.get("size")), "")
    printed = f"{kind} {size}: {notation.side_of(piece).described()}; " if piece.kind == state.UNIT else ""
    return f"{printed}{price_text(cost)} OP" + (f", {count} there" if count > 1 else "")


def price_text(cost: int) -> str:
    """``5 1/2`` for 22 quarters."""
    ops, rest = divmod(cost, WHOLE)
    return " ".join(filter(None, [str(ops) if ops or not rest else "", ("", "1/4", "1/2", "3/4")[rest]]))


def announce_price(referee: FallujahReferee, bought: Sequence[Piece]) -> int:
    """Say the price of each counter; return the total in quarters of an OP."""
    total = 0
    lines: list[str] = []
    for piece in bought:
        cost, note = unit_cost(referee, piece)
        total += cost
        lines.append(f"{piece.name}: {price_text(cost)}" + (f" ({note})" if note else ""))
    is_doubled = state.is_uprising(referee.position) and any(piece.kind == state.UNIT for piece in bought)
    doubled = " (combat units doubled by Uprising Elsewhere)" if is_doubled else ""
    rounded = f", rounded up to {plural(whole_ops(total), 'OP')}" if total % WHOLE else ""
    referee.say(f"Cost {price_text(total)}{doubled}{rounded}.", "11.1", *lines)
    return total


def no_arrival(referee: FallujahReferee, where: str) -> Obstacle | None:
    """[11.1] Why units do not arrive in a place: it is neither a Base nor a space with an FOB."""
    if where in state.BASES or any(map(state.is_fob, referee.units_at(where))):
        return None
    return Obstacle(f"no FOB is at {referee.title(where)}, and units arrive at a Base or an FOB", "11.1")


async def place(referee: FallujahReferee, bought: Sequence[Piece]) -> None:
    """[11.1] Move combat units to a base or a space with an FOB, and strikes to the Available box."""
    troops = [piece for piece in bought if piece.kind == state.UNIT]
    for piece in bought:
        if piece.kind == state.STRIKE:
            referee.move(piece.id, state.AVAILABLE, "11.1", "recruited")
    if not troops:
        return
    fobs = {piece.place for piece in referee.position.of_kind(state.UNIT) if state.is_fob(piece)}
    choices = [Choice(base, base.title()) for base in state.BASES]
    choices += [Choice(space, f"FOB at {referee.title(space)}") for space in sorted(filter(state.on_map, fobs))]
    apart = [Choice(APART, "each unit by itself")] if len(troops) > 1 else []
    prompt = f"Where {'does' if len(troops) == 1 else 'do'} {referee.piece_names(troops)} arrive?"
    where = await _arrival(referee, prompt, [*choices, *apart], troops)
    for piece in troops:
        base = where if where != APART else await _arrival(referee, f"Where does {piece.name} arrive?", choices, [piece])
        referee.move(piece.id, base, "11.1", "recruited")
    await assign_kept_leaders(referee, troops)


async def _arrival(referee: FallujahReferee, prompt: str, choices: Sequence[Choice], troops: Sequence[Piece]) -> str:
    """[11.1, 8.2] Ask where units arrive, within the stacking limits."""
    from companion.games.fallujah2004.rules.r08_forces import stack_fault

    full = [choice for choice in choices if stack_fault(referee, choice.value, troops)]
    free = [choice for choice in choices if choice not in full]
    request = Choose("at", prompt, "11.1", free, others=full)
    request.table_default = free[0].value if free else None
    where = await request
    if fault := stack_fault(referee, where, troops):
        referee.check(fault._replace(cure=f"Name another place: {free[0].value}"))
    return where


async def assign_kept_leaders(referee: FallujahReferee, troops: Sequence[Piece]) -> None:
    """[30.2(1)] Ask which recruited ground units the leaders of the first battle of a campaign join; several may join one."""
    ground = [piece for piece in troops if state.is_ground(piece)]
    for leader in referee.position.at(state.KEPT) if ground else ():
        choices = [*referee.name_choices(ground), Choice("later", "later")]
        prompt = f"{leader.name} was kept from the first battle. Which unit does it join?"
        chosen = await referee.choose("leader", prompt, "30.2(1)", choices, "later")
        if chosen != "later":
            unit = next(piece for piece in ground if piece.name == chosen)
            referee.mark(leader.id, state.WITH, unit.id, "30.2(1)")
            referee.move(leader.id, state.LEADING, "30.2(1)", f"with {unit.name}")


async def recruit(referee: FallujahReferee) -> None:
    """[11.0] J-1: one OP to initiate, and the cost of what is recruited."""
    referee.begin_operation("J-1 recruiting", "11.0")
    bought = await read_order(referee, whole_ops)
    referee.pay(whole_ops(announce_price(referee, bought)), "11.1", f"recruiting {order_text(count_names(bought))}")
    await place(referee, bought)
    referee.end_operation()


def _opening_order(referee: FallujahReferee, is_affordable: Callable[[int], bool]) -> str | None:
    """[7.1(2), 8.2] The strongest stack on the ground without Iraqi units, for a first battle; None if none can be bought.

    Args:
        is_affordable: True for a price in quarters of an OP that can be paid.
    """
    from companion.games.fallujah2004.rules.r08_forces import largest_stack

    def cost(piece: Piece) -> int:
        return unit_cost(referee, piece)[0]

    units = [piece for piece in recruitable(referee) if piece.kind == state.UNIT]
    ground = [piece for piece in units if state.is_ground(piece) and not state.is_iraqi(piece)]
    stack = largest_stack(sorted(ground, key=lambda piece: (-notation.side_of(piece).fire, cost(piece))))
    while stack and not is_affordable(sum(map(cost, stack))):
        stack.pop()
    return ", ".join(piece.name for piece in stack) or None


async def buy(referee: FallujahReferee) -> None:
    """[7.1(2)] The first order of battle. It costs no operation (ruling C-7); fractions round up over all of it."""
    quarters = referee.position.flag(state.QUARTERS, 0)
    before = quarters if isinstance(quarters, int) else 0

    def charge(cost: int) -> int:
        return whole_ops(before + cost) - whole_ops(before)

    def opening() -> str | None:
        return None if deployed(referee.position) else _opening_order(referee, lambda cost: charge(cost) <= referee.ops)

    bought = await read_order(referee, charge, opening)
    cost = announce_price(referee, bought)
    referee.set_flag(state.QUARTERS, before + cost, "11.1")
    referee.pay(charge(cost), "7.1(2)", f"first order of battle: {order_text(count_names(bought))}")
    await place(referee, bought)
