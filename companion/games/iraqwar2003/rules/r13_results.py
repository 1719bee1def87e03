"""[13.3 - 13.6] One combat is resolved: ratio and die, then the result in the rulebook's order: losses, retreats, advance.

It is resolved the same way on the table and, for odds, by a referee on paper (odds/paper.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.core.dice import grouped
from companion.core.position import Piece
from companion.core.requests import Choice, Odds, Roll, Text
from companion.core.words import plural
from companion.games.iraqwar2003.names import DISRUPTED, IRAQ, NONE, OUT_OF_SUPPLY, REMOVED, SIDE_TITLES
from companion.games.iraqwar2003.referee import IraqWar, on_map
from companion.games.iraqwar2003.rules.r05_display import shot_down
from companion.games.iraqwar2003.rules.r08_stacking import check_stack
from companion.games.iraqwar2003.rules.r13_ratio import Clash, attack_value, defence_value, ratio_text, total_text
from companion.games.iraqwar2003.rules.r15_control import MEGA_CITY, OTHER_PLACES, ask_taken
from companion.games.iraqwar2003.rules.r16_artillery import artillery_support
from companion.games.iraqwar2003.words.counters import is_western, printed_side, side_of, steps_left
from companion.games.iraqwar2003.words.places import is_on_map
from companion.games.iraqwar2003.words.results import FACES, NOTHING, UNKNOWN, Result, cell_notation, read_result

CITIES = ("minor_city", "major_city", "mega_city")
"""Terrain in which a retreat may be ignored [13.5(8)]."""


class Attack(NamedTuple):
    """One declared attack [13.1(1)].

    Attributes:
        attackers, defenders: ids. river: ids of the attackers across a river.
        terrain: of the defender's hex. left: columns to the left for it [13.3(5)].
        home: whether the attackers stand in a city; None where only the player sees it.
    """

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    river: tuple[str, ...] = ()
    terrain: str = "plain"
    left: int = 0
    home: bool | None = None


class Aftermath(NamedTuple):
    """What a combat came to.

    Attributes:
        result: the cell of the chart, UNKNOWN where nobody knows it.
        destroyed: no defender is left. emptied: their hex is empty, so that the attackers may advance [13.6].
        withdrew: attackers have retreated.
        lost, paid: strength steps that the defender and the attacker have lost.
        gone: ids of the defenders that have retreated.
    """

    result: str
    destroyed: bool = False
    emptied: bool = False
    withdrew: bool = False
    lost: int = 0
    paid: int = 0
    gone: tuple[str, ...] = ()


Foretell = Callable[[Clash, int], Odds]
"""What works out the odds of a combat at its die, from its values and its shift by air support."""


# -- [13.3] values and ratio -------------------------------------------------------------------------------------------


def clash_of(game: IraqWar, attack: Attack, added: tuple[int, int] = (0, 0)) -> Clash:
    """[13.2(1), 13.2(2), 13.3] The values of both sides with their halvings. ``added``: artillery."""
    ours = tuple(
        attack_value(piece.name, printed_side(piece).attack, piece.id in attack.river, bool(piece.mark(OUT_OF_SUPPLY)))
        for piece in here(game, attack.attackers)
    )
    theirs = tuple(
        defence_value(piece.name, printed_side(piece).defence, bool(piece.mark(DISRUPTED)))
        for piece in here(game, attack.defenders)
    )
    return Clash(ours, theirs, added, attack.left)


def here(game: IraqWar, ids: Sequence[str]) -> list[Piece]:
    """Those still on the map, as they are now."""
    return [now for piece in ids if is_on_map(now := game.piece(piece))]


# -- [13.4] the die and the chart --------------------------------------------------------------------------------------


async def resolve(game: IraqWar, attack: Attack, shift: int, foretell: Foretell | None = None) -> Aftermath | None:
    """[13.1(5)] Values, ratio, shifts, die, effects. ``shift``: by air support, positive for the attacker."""
    attackers, defenders = here(game, attack.attackers), here(game, attack.defenders)
    if not attackers or not defenders:
        game.say("One side of this combat is gone: no combat.", "13.1(5)")
        return None
    added = await artillery_support(game, attackers, defenders, attack.river)
    return await fight(game, attack, clash_of(game, attack, added), shift, foretell)


async def fight(game: IraqWar, attack: Attack, clash: Clash, shift: int, foretell: Foretell | None = None) -> Aftermath:
    """[13.1(5-3), 13.1(5-4)] The die of a combat whose values are settled, and what it does."""
    cell = await strike(game, clash, shift, foretell)
    return Aftermath(UNKNOWN) if cell == UNKNOWN else await apply_result(game, attack, cell)


async def strike(game: IraqWar, clash: Clash, shift: int, foretell: Foretell | None = None) -> str:
    """[13.3, 13.4] The column and the die; the cell of the chart."""
    name = clash.column(shift)
    game.say(
        f"Attack {total_text(clash.ours, clash.added[0])} against {total_text(clash.theirs, clash.added[1])}: "
        f"{ratio_text(clash.attack, clash.defence)}, shift {shift - clash.left:+d} -> column {name}.",
        "13.3",
        *(value.line for value in [*clash.ours, *clash.theirs]),
        f"air support {shift:+d}, terrain {-clash.left:+d}; ratios outside 1-2 to 10-1 count as those [13.3(9)]",
    )
    cells = await known_column(game, name)
    request = Roll(
        "combat", f"Combat die, column {name}", "13.4", outcomes=lambda: grouped(1, FACES, 1, lambda faces: cells[faces[0] - 1])
    )
    request.odds = (lambda: foretell(clash, shift)) if foretell else None
    face = (await request)[0]
    cell = await chart_cell(game, name, face)
    game.say(f"Combat die {face} in column {name}: {cell if cell != NOTHING else 'no effect'}.", "13.4")
    return cell


async def known_column(game: IraqWar, name: str) -> list[str]:
    """[13.4] A column of the Combat Results Chart, UNKNOWN for the cells that nobody has told."""
    told: Mapping[str, str] = await game.known("crt", "13.4")
    return told[name].split(", ") if name in told else [UNKNOWN] * FACES


async def chart_cell(game: IraqWar, name: str, face: int) -> str:
    """[13.4] A cell of the Combat Results Chart; asked once, alone or with its whole column, then remembered."""
    known = await known_column(game, name)
    if known[face - 1] == UNKNOWN:
        prompt = f"Combat Results Chart, column {name}, die {face} (or all six of the column, with commas)"
        told = await Text("crt", prompt, "13.4", cell_notation(face))
        if told == UNKNOWN:
            return UNKNOWN
        known[face - 1 : face] = [told]
        known = told.split(", ") if "," in told else known
        await game.tell(f"crt:{name}", ", ".join(known), "13.4")
    return str(read_result(known[face - 1]))


async def apply_result(game: IraqWar, attack: Attack, cell: str) -> Aftermath:
    """[13.1(5-4), 13.4] The defender's part of the result, then the attacker's, then an advance (ruling C-41).

    Each part is one of nine: a retreat [13.4(1)], losses and a retreat [13.4(2), 13.4(3), 13.4(4), 13.4(5), 13.4(6)], losses
    [13.4(7), 13.4(8)], nothing [13.4(9)].
    """
    result: Result = read_result(cell)
    before = _steps(game, attack.defenders), _steps(game, attack.attackers)
    gone = await suffer(game, attack.defenders, result.defender, attack.terrain in CITIES)
    back = await suffer(game, attack.attackers, result.attacker, attack.home)
    left = here(game, attack.defenders)
    emptied = all(piece.id in gone for piece in left)
    lost, paid = before[0] - _steps(game, attack.defenders), before[1] - _steps(game, attack.attackers)
    if emptied:
        await advance(game, [piece for piece in attack.attackers if piece not in back], attack.terrain)
    return Aftermath(cell, not left, emptied, bool(back), lost, paid, tuple(gone))


def _steps(game: IraqWar, ids: Sequence[str]) -> int:
    """[13.4.1] The strength steps that are left."""
    return sum(map(steps_left, here(game, ids)))


async def suffer(game: IraqWar, ids: Sequence[str], effect: str, in_city: bool | None) -> list[str]:
    """[13.4] One side's part of a result: its losses, then its retreat; the ids of the units that have left their hex.

    Args:
        in_city: whether the units are in a city; None where only the player sees it.
    """
    chart, side = game.chart("results"), side_of(game.piece(ids[0]))
    await lose_steps(game, ids, chart.number(effect, "steps"), side)
    if not chart.cell(effect, "retreat") or not here(game, ids):
        return []
    if in_city is None:
        in_city = await game.confirm("attacker_city", "Do the attackers stand in a city", "13.5(8)", suggest=False)
    return await retreat(game, ids, side, in_city)


# -- [13.4.1] losses ---------------------------------------------------------------------------------------------------


async def lose_steps(game: IraqWar, ids: Sequence[str], steps: int, side: str) -> None:
    """[13.4.1] The owner spreads the losses over the units as he likes."""
    for number in range(1, steps + 1):
        left = here(game, ids)
        if not left:
            game.say(f"Nobody is left to take {plural(steps - number + 1, 'more strength step')}.", "13.4.1")
            return
        everything = sum(map(steps_left, left)) <= steps - number + 1
        piece = left[0]
        if len(left) > 1 and not everything and side == IRAQ and game.computer_plays_iraq:
            piece = _cheapest(left)
        elif len(left) > 1 and not everything:
            prompt = f"{SIDE_TITLES[side]} strength step {number} of {steps}: which unit"
            name = await game.choose("loss", prompt, "13.4.1", game.unit_choices(left), _cheapest(left).name)
            piece = next(one for one in left if one.name == name)
        lose_step(game, piece, "13.4.1", "combat result")


def _cheapest(pieces: Sequence[Piece]) -> Piece:
    """What is suggested: a unit that is only reduced before one that would be removed; of these one that has been reduced before
    one that costs its victory points whole [15.2]; then the weakest.
    """

    def worth(piece: Piece) -> tuple[bool, bool, int]:
        side, last = printed_side(piece), steps_left(piece) == 1
        return last, last and is_western(piece) and piece.face != "reduced", side.attack + side.defence

    return min(pieces, key=worth)


def lose_step(game: IraqWar, piece: Piece, rule: str, why: str) -> None:
    """[13.4.1] Onto the reduced side; off the map from there, or where there is none."""
    now = game.piece(piece.id)
    if steps_left(now) > 1:
        game.flip(piece.id, "reduced", rule, why)
        if is_western(now):
            game.say(f"{piece.name} is reduced: {game.points('reduced')}.", "15.2")
        return
    remove(game, now, rule, why)


def remove(game: IraqWar, piece: Piece, rule: str, why: str) -> None:
    """A ground unit leaves the game."""
    game.move(piece.id, REMOVED, rule, why)
    if is_western(piece):
        game.say(f"{piece.name} is removed: {game.points('removed')} in all.", "15.2")


async def record_loss(game: IraqWar) -> None:
    """[13.4.1, 15.2] A loss that Companion has not seen: a strength step, a unit, an air unit."""
    units = on_map(game.position)
    planes = [piece for side in SIDE_TITLES for piece in game.air_units(side, "any") if piece.place != REMOVED]
    choices = [*game.unit_choices(units), *game.air_choices(planes)]
    if not choices:
        game.forbid("no unit is known that could be lost", "13.4.1", "Enter units first: units")
        return
    name = await game.choose("unit", "Which unit", "13.4.1", choices)
    piece = next(one for one in [*units, *planes] if one.name == name)
    if piece in planes:
        shot_down(game, piece, "15.2", "recorded by hand")
        return
    what = await game.choose(
        "what", "What is lost", "13.4.1", [Choice("step", "a strength step"), Choice("unit", "the unit")], "step"
    )
    (lose_step if what == "step" else remove)(game, piece, "13.4.1", "recorded by hand")


# -- [13.5] retreats ---------------------------------------------------------------------------------------------------

_RETREATS = (
    Choice("all", "all of them retreat"),
    Choice("none", "there is no hex to go to: a strength step each, where they stand"),
    Choice("off", "they cannot help leaving the board: removed"),
)
_STAYS = Choice("stays", "in the city it ignores the retreat")
_EACH = Choice("each", "not all alike")


async def retreat(game: IraqWar, ids: Sequence[str], side: str, in_city: bool) -> list[str]:
    """[13.5] The ids of the units that have left the hex. The hexes are the player's: he is told in which order they count."""
    left = here(game, ids)
    if in_city and await _stays(game, left, side):
        game.say("In a city the retreat is ignored.", "13.5(8)")
        return []
    game.say(
        f"{game.names(left)} {'retreats' if len(left) == 1 else 'retreat'} by 1 hex.",
        "13.5(2)",
        "first: a hex without water, enemy or enemy zone of control [13.5(3)]; friends in it cancel the zone [13.5(4)]",
        "then: nearer to the own supply source",
        "then: below the stacking limit; else a hex further, until it fits [13.5(5)]",
        "flying units retreat like all others [12.5(4)]; no movement points are spent [13.5(1)]",
        tone="board",
    )
    choices = [*_RETREATS, *([_EACH] if len(left) > 1 else [])]
    how = await game.choose("retreat", f"{SIDE_TITLES[side]} retreat", "13.5(2)", choices, "all")
    moved: list[str] = []
    for piece in left:
        one = how
        if how == _EACH.value:
            ways = (*_RETREATS, *([_STAYS] if in_city else []))
            one = await game.choose("one", f"{piece.name} retreats", "13.5(8)" if in_city else "13.5(6)", ways, "all")
        moved += [piece.id] if _retreat_one(game, piece, one) else []
    return moved


async def _stays(game: IraqWar, left: Sequence[Piece], side: str) -> bool:
    """[13.5(8)] Whether who is in a city ignores the retreat; our opponent gives no city up."""
    if side == IRAQ and game.computer_plays_iraq:
        return True
    return await game.confirm("ignore", f"{game.names(left)} in a city: ignore the retreat", "13.5(8)", suggest=True)


def _retreat_one(game: IraqWar, piece: Piece, how: str) -> bool:
    if how == "none":
        lose_step(game, piece, "13.5(6)", "no hex to retreat to")
        return False
    if how == "off":
        remove(game, piece, "13.5(7)", "retreats off the board")
    return how != _STAYS.value


# -- [13.6] advance ----------------------------------------------------------------------------------------------------


async def advance(game: IraqWar, ids: Sequence[str], terrain: str) -> None:
    """[13.6] Into the empty hex, as many of the attackers as wish."""
    prompt = "The hex is empty: who advances"
    gone = await game.pick_units("advance", prompt, "13.6(1)", here(game, ids))
    if not gone:
        return
    game.say(
        f"{game.names(gone)} {'advances' if len(gone) == 1 else 'advance'} into the hex.",
        "13.6",
        "zones of control do not matter [13.6(2)], no movement points are spent [13.6(3)], and the map is not left [13.6(4)]",
        tone="board",
    )
    await check_stack(game, gone)
    await _take(game, gone, terrain)


async def _take(game: IraqWar, gone: Sequence[Piece], terrain: str) -> None:
    """[15.2] Whether the hex is a city that counts: by its terrain, as it was declared, it may be one. Of a port nobody knows."""
    if terrain in CITIES:
        await ask_taken(game, gone, kinds=(MEGA_CITY,) if terrain == "mega_city" else OTHER_PLACES)
    else:
        game.skip("taken", f"the hex is no city: its terrain is {terrain}", "15.2", as_good=(NONE,))
        game.say("Should the hex be a port that counts, say so: control.", "15.2", tone="reminder")
