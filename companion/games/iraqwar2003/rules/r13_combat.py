"""[13.0] Ground combat: the attacks of a segment are declared, supported, and resolved one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.core.dice import summed
from companion.core.game import Tables
from companion.core.position import Piece
from companion.core.requests import Choice, Odds, Roll
from companion.games.iraqwar2003.odds.chances import Clash, combat_odds
from companion.games.iraqwar2003.odds.chances import Support as PaperSupport
from companion.games.iraqwar2003.referee import IraqWar, on_map, other
from companion.games.iraqwar2003.rules.r13_ratio import Value, attack_value, defence_value, total_text
from companion.games.iraqwar2003.rules.r13_results import advance, here, lose_steps, retreat
from companion.games.iraqwar2003.rules.r16_artillery import artillery_support
from companion.games.iraqwar2003.words.counters import nation, printed_side, side_of, steps_left
from companion.games.iraqwar2003.words.facts import TERRAINS
from companion.games.iraqwar2003.words.results import CELL, LADDER, UNKNOWN, column, ratio_text, read_result

CITIES = ("minor_city", "major_city", "mega_city")
"""Terrain in which a retreat may be ignored [13.5(8)]."""


class Attack(NamedTuple):
    """One declared attack [13.1(1)].

    Attributes:
        attackers, defenders: ids. river: ids of the attackers across a river.
        terrain: of the defender's hex. left: columns to the left for it [13.3(5)].
        cells: what is known of the Combat Results Chart.
    """

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    river: tuple[str, ...]
    terrain: str
    left: int
    cells: Mapping[str, Sequence[str]]


async def combat_segment(game: IraqWar, tables: Tables, units: Sequence[Piece]) -> None:
    """[4.1(4-2), 13.1] Everything that the units that have just moved attack, in the order of 13.1; nobody need attack
    [13.2(4)], and nobody attacks twice [13.2(5)].
    """
    from companion.games.iraqwar2003.rules.r05_missions import visibility
    from companion.games.iraqwar2003.rules.r13_support import air_support

    foes = other(game.side)
    await visibility(game, "combat segment")
    attacks: list[Attack] = []
    free = list(units)
    while free:
        attack = await _declare(game, free, attacks, foes)
        if attack is None:
            break
        attacks.append(attack)
        free = [piece for piece in free if piece.id not in attack.attackers]
    if not attacks:
        return
    left = list(zip(attacks, await air_support(game, tables, attacks), strict=True))
    while left:
        attack, shift = left.pop(await _next(game, [attack for attack, _ in left]))
        await resolve(game, attack, shift)
    game.set_flag("grounded", None, "16.6(3)")


async def _next(game: IraqWar, attacks: Sequence[Attack]) -> int:
    """[13.1(5)] Which combat comes next: the current player's choice, where there are several."""
    if len(attacks) == 1:
        return 0
    names = [game.names(game.piece(name) for name in attack.defenders) for attack in attacks]
    choices = [Choice(str(number), f"the attack on {name}") for number, name in enumerate(names, 1)]
    return int(await game.choose("next", "Which combat is resolved next", "13.1(5)", choices, "1")) - 1


async def _declare(game: IraqWar, free: Sequence[Piece], attacks: Sequence[Attack], foes: str) -> Attack | None:
    """[13.1(1), 13.2] One attack: all enemy units of one hex, and who attacks them; None when there are no more."""
    taken = {name for attack in attacks for name in attack.defenders}
    pool = [piece for piece in on_map(game.position, foes) if piece.id not in taken]
    prompt = f"{'Attack' if not attacks else 'Another attack'} on which enemy units, all of one hex (Enter: none)"
    defenders = await game.ask_units("attack", prompt, "13.2(1)", pool, foes, suggest="none")
    if not defenders:
        return None
    for piece in defenders:
        if side_of(piece) == game.side:
            game.forbid(f"{piece.name} is one of your own units", "13.0", "Name enemy units")
    attackers = list(free)
    if len(free) > 1:
        attackers = await game.ask_units(
            "with", "With which units", "13.2(3)", free, game.side, 1, suggest=", ".join(piece.name for piece in free)
        )
        for piece in attackers:
            if piece.id not in {one.id for one in free}:
                game.forbid(f"{piece.name} has not moved in this segment", "13.2(6)", "Attack with who has just moved")
    _check_divisions(game, attackers)
    slow = [piece for piece in attackers if not piece.values.get("white")]
    names = await game.pick(
        "river",
        "Who attacks across a river (their attack is halved)",
        "13.3(4)",
        game.unit_choices(slow),
        suggest=[],
    )
    terrain, left = await _terrain(game)
    cells = {name: text.split(", ") for name, text in (await game.known("crt", "13.4")).items()}
    return Attack(
        tuple(piece.id for piece in attackers),
        tuple(piece.id for piece in defenders),
        tuple(piece.id for piece in slow if piece.name in names),
        terrain,
        left,
        cells,
    )


def _check_divisions(game: IraqWar, attackers: Sequence[Piece]) -> None:
    """[16.11] Coalition units of different divisions do not fight in the same combat (option)."""
    if game.side != "coalition" or not game.on("same_division"):
        return
    divisions = list(dict.fromkeys(str(piece.values["division"]) for piece in attackers if piece.values.get("division")))
    if len(divisions) > 1:
        game.forbid(f"units of {' and '.join(divisions)} do not attack together", "16.11", "Attack with one division")


async def _terrain(game: IraqWar) -> tuple[str, int]:
    """[13.3(5)] The terrain of the defender's hex, and its columns to the left by the Terrain Effect Chart."""
    from companion.core.notation import whole_number

    names = ["plain", *TERRAINS, *(["mountain"] if game.on("mountains") else [])]
    choices = [Choice(name, name.replace("_", " ")) for name in names]
    terrain = await game.choose("terrain", "Terrain of the defender's hex", "13.3(5)", choices, "plain")
    rule = "16.9" if terrain == "mountain" else "13.3(5)"
    prompt = f"Terrain Effect Chart, {terrain.replace('_', ' ')}: number before L (0: none)"
    left = int(await game.printed(f"terrain:{terrain}", prompt, rule, whole_number("number of columns", 0, 5)))
    if left:
        game.say(f"{terrain.replace('_', ' ').capitalize()}: {left} to the left.", rule)
    return terrain, left


# -- values ------------------------------------------------------------------------------------------------------------


def attack_values(game: IraqWar, attack: Attack) -> list[Value]:
    """[13.2(2), 13.3(4), 13.3(6), 13.3(8)] Each attacker's value with its halvings; they are added."""
    pieces = here(game, [game.piece(name) for name in attack.attackers])
    return [
        attack_value(piece.name, printed_side(piece).attack, piece.id in attack.river, bool(piece.mark("oos")))
        for piece in pieces
    ]


def defence_values(game: IraqWar, attack: Attack) -> list[Value]:
    """[13.3(7), 13.3(8)] Each defender's value with its halvings."""
    pieces = here(game, [game.piece(name) for name in attack.defenders])
    return [defence_value(piece.name, printed_side(piece).defence, bool(piece.mark("disrupted"))) for piece in pieces]


def clash_of(game: IraqWar, attack: Attack, added: tuple[int, int] = (0, 0)) -> Clash:
    """The attack on paper, before air support. ``added``: artillery of the attacker and of the defender."""
    attackers = here(game, [game.piece(name) for name in attack.attackers])
    defenders = here(game, [game.piece(name) for name in attack.defenders])
    return Clash(
        sum(value.counts for value in attack_values(game, attack)) + added[0],
        sum(value.counts for value in defence_values(game, attack)) + added[1],
        -attack.left,
        sum(map(steps_left, attackers)),
        sum(map(steps_left, defenders)),
        False,
        attack.terrain in CITIES,
        full_cells(attack.cells),
    )


def full_cells(known: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Every column; ``?`` for the cells that nobody has told."""
    return {name: known.get(name, (UNKNOWN,) * 6) for name in LADDER}


# -- resolving -----------------------------------------------------------------------------------------------------------


async def resolve(game: IraqWar, attack: Attack, shift: int) -> None:
    """[13.1(5)] Values, ratio, shifts, die, effects. ``shift``: by air support, positive for the attacker."""
    attackers = here(game, [game.piece(name) for name in attack.attackers])
    defenders = here(game, [game.piece(name) for name in attack.defenders])
    if not attackers or not defenders:
        game.say("One side of this combat is gone: no combat.", "13.1(5)")
        return
    added = await artillery_support(game, attackers, defenders, attack.river)
    clash = clash_of(game, attack, added)
    ours, theirs = attack_values(game, attack), defence_values(game, attack)
    total = shift + clash.shift
    name = column(clash.attack, clash.defence, total)
    game.say(
        f"Attack {total_text(ours, added[0])} against {total_text(theirs, added[1])}: "
        f"{ratio_text(clash.attack, clash.defence)}, shift {total:+d} -> column {name}.",
        "13.3",
        *(value.line for value in [*ours, *theirs]),
        f"air support {shift:+d}, terrain {clash.shift:+d}; ratios outside 1-2 to 10-1 count as those [13.3(9)]",
    )
    request = Roll("combat", f"Combat die, column {name}", "13.4", outcomes=lambda: summed(1, int))
    request.odds = lambda: clash_odds(clash._replace(shift=total))
    face = (await request)[0]
    result = read_result(await chart_cell(game, name, face))
    game.say(f"Combat die {face} in column {name}: {result if str(result) != '-' else 'no effect'}.", "13.4")
    await apply_result(game, attackers, defenders, str(result), attack.terrain in CITIES)


def clash_odds(clash: Clash) -> Odds:
    """[13.4] The combat as it stands, its column settled."""
    return combat_odds(clash, {"as it stands": PaperSupport()})


async def chart_cell(game: IraqWar, name: str, face: int) -> str:
    """[13.4] A cell of the Combat Results Chart; asked once, alone or with its whole column, then remembered."""
    known = (await game.known("crt", "13.4")).get(name, ", ".join([UNKNOWN] * 6)).split(", ")
    if known[face - 1] != UNKNOWN:
        return known[face - 1]
    prompt = f"Combat Results Chart, column {name}, die {face} (or all six of the column, with commas)"
    told = await game.text("crt", prompt, "13.4", CELL)
    if "," in told:
        known = told.split(", ")
    else:
        known[face - 1] = told
    await game.tell(f"crt:{name}", ", ".join(known), "13.4")
    return known[face - 1] if known[face - 1] != UNKNOWN else "-"


async def apply_result(
    game: IraqWar, attackers: Sequence[Piece], defenders: Sequence[Piece], text: str, defender_city: bool
) -> None:
    """[13.1(5), 13.4 - 13.6] The defender's part of the result, then the attacker's, then an advance."""
    result = read_result(text)
    attacking, defending = side_of(attackers[0]), side_of(defenders[0])
    await lose_steps(game, defenders, result.defender.steps, defending)
    gone: list[str] = []
    if result.defender.retreat:
        gone = await retreat(game, defenders, defending, defender_city)
    await lose_steps(game, attackers, result.attacker.steps, attacking)
    if result.attacker.retreat and here(game, attackers):
        city = await game.confirm("attacker_city", "Do the attackers stand in a city", "13.5(8)", suggest=False)
        left = await retreat(game, attackers, attacking, city)
        attackers = [piece for piece in attackers if piece.id not in left]
    if all(piece.id in gone for piece in here(game, defenders)):
        await advance(game, attackers)


def nations_in(game: IraqWar, attack: Attack) -> set[str]:
    """The nations of all ground units in a combat [16.5]."""
    return {nation(game.piece(name)) for name in (*attack.attackers, *attack.defenders)}
