"""[13.3 - 13.6] One combat is resolved: ratio and die, then the result in the rulebook's order: losses, retreats, advance.

It is resolved the same way on the table and, for odds, by a referee on paper (odds/paper.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.core.dice import grouped_rolls
from companion.core.requests import Odds, Roll, Text
from companion.core.words import plural
from companion.games.iraqwar2003.names import DISRUPTED, OUT_OF_SUPPLY
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r13_advance import CITIES, advance
from companion.games.iraqwar2003.rules.r13_losses import here, lose_steps
from companion.games.iraqwar2003.rules.r13_ratio import Clash, attack_value, defence_value, ratio_text, total_text
from companion.games.iraqwar2003.rules.r13_retreat import retreat
from companion.games.iraqwar2003.rules.r16_artillery import artillery_support
from companion.games.iraqwar2003.words.counters import printed_side, side_of, steps_left
from companion.games.iraqwar2003.words.results import FACES, UNKNOWN, Result, cell_notation, cell_text, read_result


class Attack(NamedTuple):
    """One declared attack [13.1(1)].

    Attributes:
        attackers, defenders: ids. river: ids of the attackers across a river.
        terrain: of the defender's hex. left: columns to the left for it [13.3(5)].
        home: whether the attackers stand in a city; None where only the player sees it.
        base, hex: where the attackers stand, and the defenders; "" where nobody has told it.
    """

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    river: tuple[str, ...] = ()
    terrain: str = "plain"
    left: int = 0
    home: bool | None = None
    base: str = ""
    hex: str = ""


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


# -- [13.4] the die and the chart --------------------------------------------------------------------------------------


async def resolve(game: IraqWar, attack: Attack, shift: int, foretell: Foretell | None = None) -> Aftermath | None:
    """[13.1(5)] Values, ratio, shifts, die, effects. ``shift``: by air support, positive for the attacker."""
    attackers, defenders = here(game, attack.attackers), here(game, attack.defenders)
    if not attackers or not defenders:
        game.say("No combat: one side of it is gone.", "13.1(5)")
        return None
    added = await artillery_support(game, attackers, defenders, attack.river, attack.hex)
    return await fight(game, attack, clash_of(game, attack, added), shift, foretell)


async def fight(game: IraqWar, attack: Attack, clash: Clash, shift: int, foretell: Foretell | None = None) -> Aftermath:
    """[13.1(5-3), 13.1(5-4)] The die of a combat whose values are settled, and what it does."""
    cell = await strike(game, clash, shift, foretell)
    return Aftermath(UNKNOWN) if cell == UNKNOWN else await apply_result(game, attack, cell)


async def strike(game: IraqWar, clash: Clash, shift: int, foretell: Foretell | None = None) -> str:
    """[13.3, 13.4] The column and the die; the cell of the chart."""
    name = clash.column(shift)
    game.say(
        f"Attack {total_text(clash.ours, clash.added[0])} against {total_text(clash.theirs, clash.added[1])} is "
        f"{ratio_text(clash.attack, clash.defence)}; {_shift_text(shift - clash.left)}: column {name}.",
        "13.3",
        *(value.line for value in [*clash.ours, *clash.theirs]),
        f"air support {shift:+d}, terrain {-clash.left:+d}; ratios outside 1-2 to 10-1 count as those [13.3(9)]",
    )
    cells = await known_column(game, name)
    request = Roll(
        "combat",
        f"Combat: roll on column {name}",
        "13.4",
        outcomes=lambda: grouped_rolls(1, FACES, 1, lambda faces: cells[faces[0] - 1]),
    )
    request.odds = (lambda: foretell(clash, shift)) if foretell else None
    face = (await request)[0]
    cell = await chart_cell(game, name, face)
    game.say(f"Combat: {face} in column {name} is {cell_text(cell)}.", "13.4")
    return cell


def _shift_text(shift: int) -> str:
    """By how many columns the ratio is shifted, and which way on the chart."""
    return f"{plural(abs(shift), 'column')} {'right' if shift > 0 else 'left'}" if shift else "no shift"


async def known_column(game: IraqWar, name: str) -> list[str]:
    """[13.4] A column of the Combat Results Chart, UNKNOWN for the cells that nobody has told."""
    told: Mapping[str, str] = await game.known_facts("crt", "13.4")
    return told[name].split(", ") if name in told else [UNKNOWN] * FACES


async def chart_cell(game: IraqWar, name: str, face: int) -> str:
    """[13.4] A cell of the Combat Results Chart; asked once, alone or with its whole column, then remembered."""
    known = await known_column(game, name)
    if known[face - 1] == UNKNOWN:
        prompt = f"What does the Combat Results Chart say in column {name} for {face}? (or all six of the column, with commas)"
        told = await Text("crt", prompt, "13.4", cell_notation(face))
        if told == UNKNOWN:
            return UNKNOWN
        known[face - 1 : face] = [told]
        known = told.split(", ") if "," in told else known
        await game.record_fact(f"crt:{name}", ", ".join(known), "13.4")
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
        await advance(game, [piece for piece in attack.attackers if piece not in back], attack.terrain, attack.hex)
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
        in_city = await game.confirm("attacker_city", "Do the attackers stand in a city?", "13.5(8)", suggest=False)
    return await retreat(game, ids, side, in_city)
