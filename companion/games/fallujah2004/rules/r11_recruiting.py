"""[11.0] J-1 Recruiting, and the buying of the first order of battle [7.1(2)]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from companion.core.errors import Ambiguous, Impossible, Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece, Position
from companion.core.requests import Choice, Choose
from companion.core.text import matching_names, no_match, plural, split_count, split_list
from companion.games.fallujah2004.names import AVAILABLE, KEPT, LEADING, QUARTERS, RECRUIT, STRIKE, UNIT, UPRISING, WITH
from companion.games.fallujah2004.pieces import INFANTRY, SOF, is_battalion, is_fob, is_ground, is_iraqi, side_of, type_of
from companion.games.fallujah2004.referee import Fallujah
from companion.games.fallujah2004.words.counters import BACK, looks_like_unit, read_unit, unit_values
from companion.games.fallujah2004.words.spaces import BASES, on_map

APART = "apart"
"""The answer with which each recruited unit is asked for its own Base or FOB."""


WHOLE = 4
"""Quarters in an OP: the chart prints halves and quarters, and no smaller part."""


def _printed(price: str) -> int:
    """A price as it is printed, in quarters of an OP."""
    over, _, under = price.partition("/")
    return WHOLE * int(over) // int(under or 1)


def whole(quarters: int) -> int:
    """The OPs that a price takes: fractions round up."""
    return -(-quarters // WHOLE)


def unit_cost(game: Fallujah, piece: Piece) -> tuple[int, str]:
    """The price of one counter in quarters of an OP, and a word where the chart itself has no entry for its size.

    All units of a type cost the same, whatever their strength [11.1].
    """
    if piece.kind == STRIKE:
        return _printed(game.chart("strike_cost").text(type_of(piece), "cost")), ""
    kind = type_of(piece)
    if is_iraqi(piece) and kind in (INFANTRY, SOF):
        kind = f"iraqi_{kind}"
    column, other = ("battalion", "company") if is_battalion(piece) else ("company", "battalion")
    cost, note = game.chart("unit_cost").text(kind, column), ""
    if cost == "-":
        cost = game.chart("unit_cost").text(kind, other)
        note = f"the chart prints no {column} of this type, so {piece.name} costs what the {other} does"
    price = _printed(cost)
    return (price * 2 if game.position.flag(UPRISING) else price), note


def recruitable(game: Fallujah) -> list[Piece]:
    """What stands in the Recruit box and can be bought; a Forward Operations Base cannot (ruling C-29)."""
    return list(game.position.cached_from_pieces(_recruitable))


def _recruitable(position: Position) -> list[Piece]:
    box = position.at(RECRUIT)
    return [piece for piece in box if piece.kind == STRIKE or (piece.kind == UNIT and not is_fob(piece))]


def _for_sale_by_name(position: Position) -> Mapping[str, int]:
    return tally(position.cached_from_pieces(_recruitable))


def tally(pieces: Iterable[Piece]) -> Mapping[str, int]:
    """How many pieces there are of each name."""
    return Counter([piece.name for piece in pieces])


def _built() -> Unreadable:
    return Unreadable("an FOB is built, not recruited", rule="18.5", cure="Build one: j4")


def _not_for_sale(game: Fallujah, name: str) -> Unreadable | None:
    """Why a counter that the game has cannot be bought; None where it has none of that name."""
    called = [piece for kind in (STRIKE, UNIT) for piece in game.position.of_kind(kind) if matching_names(name, [piece.name])]
    if any(is_fob(piece) for piece in called):
        return _built()
    if called:
        return Unreadable(f"{called[0].name} is {game.whereabouts(called[0])}, not in the Recruit box", rule="11.2")
    return None


def _read_counted(game: Fallujah, text: str) -> dict[str, int]:
    """``3/1, 2 air, netwar``: how many of each name, never more than there are.

    Raises:
        Unreadable: a name that fits nothing or several things, or more than there are.
    """
    names = game.position.cached_from_pieces(_for_sale_by_name)
    counts: dict[str, int] = {}
    for part in split_list(text):
        number, name = split_count(part, names)
        found = matching_names(name, names)
        if not found:
            raise _not_for_sale(game, name) or no_match(name, "counter in the Recruit box", list(names))
        if len(found) > 1:
            raise Ambiguous(name, found)
        counts[found[0]] = counts.get(found[0], 0) + number
        if counts[found[0]] > names[found[0]]:
            raise Unreadable(f"{counts[found[0]]} x {found[0]} asked for, {names[found[0]]} there", rule="11.1")
    return counts


def counted_text(counts: Mapping[str, int]) -> str:
    """The normal form of an order."""
    return ", ".join(name if count == 1 else f"{count} x {name}" for name, count in counts.items()) or "none"


def _order_notation(game: Fallujah) -> Notation:
    def read(text: str) -> str:
        if text.strip().casefold() in ("none", "nothing"):
            raise Unreadable("nothing to recruit", rule="11.1", cure="Name units and strikes: 3/1, 2 air, 4 artillery")
        known: list[str] = []
        new: list[str] = []
        box = game.position.cached_from_pieces(_for_sale_by_name)
        for part in split_list(text):
            unit = read_unit(part) if looks_like_unit(part) else None
            if unit and unit.kind == "fob":
                raise _built()
            if not unit or unit.title in box:
                known.append(unit.title if unit else part)
                continue
            if any(read_unit(other).title == unit.title for other in new):
                raise Unreadable(f"{unit.title} is named twice, and there is one", rule="11.2", cure="Name each counter once")
            new.append(str(unit))
        counts = _read_counted(game, ", ".join(known))
        return ", ".join([*([counted_text(counts)] if counts else []), *new])

    return Notation("order", "3/1, 1/8, 2 air, 4 artillery", read)


async def _new_unit(game: Fallujah, text: str) -> str:
    """A unit that Companion had not met: its counter is remembered for ever [4.2]."""
    unit = read_unit(text)
    known = next((piece for piece in game.position.of_kind(UNIT) if piece.name == unit.title), None)
    if known and known.place == RECRUIT:
        return known.id
    if known:
        game.forbid(f"{unit.title} is {game.whereabouts(known)}, not in the Recruit box", "11.2", "Name another unit")
    if not unit.back_known:
        back = await game.text("back", f"What is on the back of {unit.title}? Its reduced values, or flag", "4.2", BACK)
        unit = read_unit(f"{unit}/{back}")
    await game.record_fact(f"unit:{unit.title}", str(unit), "4.2")
    return game.make(UNIT, unit.title, RECRUIT, "4.2", "entered from its counter", unit_values(unit))


async def read_order(game: Fallujah, charge: Callable[[int], int]) -> list[Piece]:
    """Ask what is recruited, by name and number; what alone would cost too much is not offered.

    Raises:
        Impossible: nothing can be had. ``charge``: the OPs that an order of such a price takes.
    """
    box = recruitable(game)
    costs = {piece.name: unit_cost(game, piece)[0] for piece in {piece.name: piece for piece in box}.values()}
    if not costs:
        raise Impossible("nothing is in the Recruit box", rule="11.2")
    dear = {name for name, cost in costs.items() if charge(cost) > game.ops}
    if len(dear) == len(costs):
        cheapest = f"the cheapest costs {mixed(min(costs.values()))}"
        raise Impossible(f"{plural(game.ops, 'OP is', 'OPs are')} left to recruit with, {cheapest}", rule="11.1")
    offered = tally(piece for piece in box if piece.name not in dear)
    first = {piece.name: piece for piece in reversed(box)}
    choices = [Choice(name, name, partial(_for_sale, first[name], costs[name], count)) for name, count in offered.items()]
    text = await game.text("buy", "Which units and strikes do you recruit?", "11.1", _order_notation(game), choices)
    bought: list[Piece] = []
    parts = split_list(text)
    for part in [part for part in parts if looks_like_unit(part)]:
        bought.append(game.piece(await _new_unit(game, part)))
    known = ", ".join(part for part in parts if not looks_like_unit(part))
    counts = _read_counted(game, known)
    for name, count in counts.items():
        bought += [piece for piece in recruitable(game) if piece.name == name and piece not in bought][:count]
    return bought


def _for_sale(piece: Piece, cost: int, count: int) -> str:
    """Type, size and values as the counter prints them, price, number."""
    kind = type_of(piece).replace("_", " ")
    printed = f"{kind} {piece.values['size']} {side_of(piece)}, " if piece.kind == UNIT else ""
    return f"{printed}{mixed(cost)} OP" + (f", {count} there" if count > 1 else "")


def mixed(cost: int) -> str:
    """``5 1/2`` for 22 quarters."""
    ops, rest = divmod(cost, WHOLE)
    return " ".join(filter(None, [str(ops) if ops or not rest else "", ("", "1/4", "1/2", "3/4")[rest]]))


def price(game: Fallujah, bought: Sequence[Piece]) -> int:
    """The sum of the costs in quarters of an OP, each with its note."""
    total = 0
    lines: list[str] = []
    for piece in bought:
        cost, note = unit_cost(game, piece)
        total += cost
        lines.append(f"{piece.name}: {mixed(cost)}" + (f" ({note})" if note else ""))
    doubled = " (combat units doubled by Uprising Elsewhere)" if game.position.flag(UPRISING) else ""
    rounded = f", rounded up to {plural(whole(total), 'OP')}" if total % WHOLE else ""
    game.say(f"Cost {mixed(total)}{doubled}{rounded}.", "11.1", *lines)
    return total


async def place(game: Fallujah, bought: Sequence[Piece]) -> None:
    """[11.1] Combat units to a base or a space with a Forward Operations Base, strikes to the Available box."""
    troops = [piece for piece in bought if piece.kind == UNIT]
    for piece in bought:
        if piece.kind == STRIKE:
            game.move(piece.id, AVAILABLE, "11.1", "recruited")
    if not troops:
        return
    fobs = sorted({piece.place for piece in game.position.of_kind(UNIT) if is_fob(piece) and on_map(piece.place)})
    choices = [Choice(base, base.title()) for base in BASES] + [Choice(space, f"FOB at {game.title(space)}") for space in fobs]
    several = [Choice(APART, "each unit by itself")] if len(troops) > 1 else []
    where = await _arrival(
        game, f"Where {'does' if len(troops) == 1 else 'do'} {game.piece_names(troops)} arrive?", [*choices, *several], troops
    )
    for piece in troops:
        own = where if where != APART else await _arrival(game, f"Where does {piece.name} arrive?", choices, [piece])
        game.move(piece.id, own, "11.1", "recruited")
    await assign_kept_leaders(game, troops)


async def _arrival(game: Fallujah, prompt: str, choices: Sequence[Choice], troops: Sequence[Piece]) -> str:
    """[11.1, 8.2] Where units arrive: within the stacking limits."""
    from companion.games.fallujah2004.rules.r08_forces import stack_fault

    full = [choice for choice in choices if stack_fault(game, choice.value, troops)]
    free = [choice for choice in choices if choice not in full]
    where = await Choose("at", prompt, "11.1", free, others=full)
    game.check(stack_fault(game, where, troops))
    return where


async def assign_kept_leaders(game: Fallujah, troops: Sequence[Piece]) -> None:
    """[30.2(1)] Leaders kept from the first battle of a campaign go to any ground units as these are recruited; nothing bars two
    of them from one unit.
    """
    free = [piece for piece in troops if is_ground(piece)]
    for leader in game.position.at(KEPT) if free else ():
        choices = [Choice(piece.name, piece.name) for piece in free] + [Choice("later", "later")]
        chosen = await game.choose(
            "leader", f"{leader.name} was kept from the first battle. Which unit does it join?", "30.2(1)", choices, "later"
        )
        if chosen != "later":
            unit = next(piece for piece in free if piece.name == chosen)
            game.mark(leader.id, WITH, unit.id, "30.2(1)")
            game.move(leader.id, LEADING, "30.2(1)", f"with {unit.name}")


async def recruit(game: Fallujah) -> None:
    """[11.0] J-1: one OP to initiate, and the cost of what is recruited."""
    game.begin_operation("J-1 recruiting", "11.0")
    bought = await read_order(game, whole)
    game.pay(whole(price(game, bought)), "11.1", f"recruiting {counted_text(tally(bought))}")
    await place(game, bought)
    game.end_operation()


async def buy(game: Fallujah) -> None:
    """[7.1(2)] The first order of battle. It costs no operation (ruling C-7); fractions round up over all of it."""
    was = game.position.flag(QUARTERS, 0)
    before = was if isinstance(was, int) else 0

    paid = whole(before)

    def charge(cost: int) -> int:
        return whole(before + cost) - paid

    bought = await read_order(game, charge)
    cost = price(game, bought)
    game.set_flag(QUARTERS, before + cost, "11.1")
    game.pay(charge(cost), "7.1(2)", f"first order of battle: {counted_text(tally(bought))}")
    await place(game, bought)
