"""[16.3, 16.4] Guns (options): artillery, whose ranged fire adds to a combat value, and the Iraqi anti-air unit, which fires at
bombers and ground support in its hex or beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.requests import Pick
from companion.games.iraqwar2003.names import ANTI_AIR_UNIT, ARTILLERY, COALITION, DISRUPTED, IRAQ, OUT_OF_SUPPLY
from companion.games.iraqwar2003.referee import IraqWar, on_map
from companion.games.iraqwar2003.rules.r02_map import ask_orientation
from companion.games.iraqwar2003.rules.r09_zones import in_range, within
from companion.games.iraqwar2003.words.counters import artillery_value, division_of, side_of
from companion.games.iraqwar2003.words.places import is_hex


def able(game: IraqWar, supported: Sequence[Piece], fighting: Sequence[Piece], target: str = "") -> list[Piece]:
    """[16.3(1), 16.3(3), 16.3(5)] Artillery that may support: not disrupted, not in the combat itself, of a division only for it,
    and not out of range.

    Args:
        target: the hex that is attacked; "" where nobody has told it.
    """
    ids = {piece.id for piece in fighting}
    found = []
    for piece in on_map(game.position, COALITION):
        division = division_of(piece)
        fits = not division or all(division_of(one) == division for one in supported)
        if piece.number("range") and not piece.mark(DISRUPTED) and piece.id not in ids and fits:
            found += [] if in_range(game.position, piece, target) is False else [piece]
    return found


def worth(game: IraqWar, piece: Piece, all_halved: bool = False, defending: bool = False) -> int:
    """[16.3(2)] What a piece adds by the side that is up: halved itself when out of supply (ruling C-32), and with those it
    supports if the switch says so (ruling C-38), then up for the defender [13.3(8)].
    """
    value = artillery_value(piece)
    if piece.mark(OUT_OF_SUPPLY) and game.option("artillery_supply") != "full":
        value //= 2
    if all_halved and game.option("artillery_halving") == "before":
        value = (value + defending) // 2
    return value


async def artillery_support(
    game: IraqWar, attackers: Sequence[Piece], defenders: Sequence[Piece], river: Sequence[str], target: str = ""
) -> tuple[int, int]:
    """[16.3(2), 16.3(6)] What artillery adds to the attack and to the defence; only the Coalition has any. The range, counted
    from the adjacent hex on [16.3(3)], is the player's to see where nobody has told both hexes.

    Args:
        river: ids of the attackers across one. target: the hex that is attacked; "" where nobody has told it.
    """
    if not game.on(ARTILLERY):
        return 0, 0
    attack = bool(attackers) and side_of(attackers[0]) == COALITION
    supported = attackers if attack else defenders
    guns = able(game, supported, [*attackers, *defenders], target)
    if not guns:
        game.skip_question("artillery", "no artillery that may support them is in range", "16.3(3)", as_good=("none",))
        return 0, 0
    prompt = f"Which artillery in range of the hex attacked supports {game.piece_names(supported)}?"
    ranges = {gun.name: in_range(game.position, gun, target) for gun in guns}
    near = [name for name, within_it in ranges.items() if within_it]
    request = Pick("artillery", prompt, "16.3(4)", game.unit_choices(guns), suggest=near)
    known = None not in ranges.values()
    chosen = await (game.own(COALITION, request, near) if known else request)
    used = [gun for gun in guns if gun.name in chosen]
    if not used:
        return 0, 0
    halved = (
        all(piece.id in river or piece.mark(OUT_OF_SUPPLY) for piece in attackers)
        if attack
        else all(piece.mark(DISRUPTED) for piece in defenders)
    )
    values = [worth(game, piece, halved, not attack) for piece in used]
    total = sum(values)
    rows = [f"{piece.name}: {value}, range {piece.number('range')}" for piece, value in zip(used, values, strict=True)]
    game.say(f"Artillery adds {total} to {game.piece_names(supported)}.", "16.3(2)", *rows)
    return (total, 0) if attack else (0, total)


async def fire_of_the_unit(game: IraqWar, near: Sequence[str] = (), target: str = "") -> tuple[int, ...]:
    """[16.4(1), 16.4(2)] Its one shot at a Coalition unit over a hex: where it is not told, only the player sees whether it is
    near. Disrupted it does not fire [16.4(4)].

    Args:
        near: ids of units that are in that hex or beside it: nobody is asked about those.
        target: the digits of the hex, where they are told.
    """
    shot = (game.chart("anti_air").number("unit", "firepower"),)
    units = [piece for piece in on_map(game.position, IRAQ) if piece.number("anti_air")] if game.on(ANTI_AIR_UNIT) else []
    if not units:
        return ()
    fit = [piece for piece in units if not piece.mark(DISRUPTED)]
    if not fit:
        game.say(f"No anti-air fire from {game.piece_names(units)}: disrupted.", "16.4(4)")
        return ()
    if any(piece.id in near for piece in fit):
        return shot
    if target and any(is_hex(piece.place) for piece in fit):
        await ask_orientation(game)
    known = {within(game.position, piece, target, 1) for piece in fit}
    if True in known or known == {False}:
        where = "within a hex of" if True in known else "further than a hex from"
        game.skip_question(
            "aa_unit", f"{game.piece_names(fit)} stands {where} {target}", "16.4(2)", as_good=("yes" if True in known else "no",)
        )
        return shot if True in known else ()
    prompt = f"Is {game.piece_names(fit)} in the target hex or adjacent to it?"
    return shot if await game.confirm("aa_unit", prompt, "16.4(2)", suggest=False) else ()
