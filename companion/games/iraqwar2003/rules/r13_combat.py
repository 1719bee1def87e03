"""[13.0 - 13.2] The ground combat segment: the attacks are declared, supported, and resolved one by one."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.notation import whole_number
from companion.core.position import Piece
from companion.core.requests import Choice
from companion.games.iraqwar2003.names import COALITION, DISRUPTED, MOUNTAINS, NONE, SAME_DIVISION, STORM, other
from companion.games.iraqwar2003.odds.combat import at_the_die
from companion.games.iraqwar2003.referee import IraqWar, on_map
from companion.games.iraqwar2003.rules.r08_stacking import faults
from companion.games.iraqwar2003.rules.r13_results import Attack, here, resolve
from companion.games.iraqwar2003.rules.r13_support import air_support
from companion.games.iraqwar2003.rules.r16_options import lifted, visibility
from companion.games.iraqwar2003.words.counters import KURDISH, TURKISH, divisions_of, nation, side_of
from companion.games.iraqwar2003.words.facts import TERRAINS


async def combat_segment(
    game: IraqWar, units: Sequence[Piece], in_city: bool | None = None, clear: str = "", walked: bool = False
) -> None:
    """[4.1(4-2), 13.1] Everything that the units that have just moved attack, in the order of 13.1; nobody need attack
    [13.2(4)], and nobody attacks twice [13.2(5)].

    Args:
        in_city: whether they stand in a city; None where only the player sees it.
        clear: by which rule they stand in no enemy zone of control; "" where only the player sees that.
        walked: whether they have come in this segment, not flying.
    """
    if not await _in_the_storm(game):
        return
    attacks: list[Attack] = []
    free = list(units)
    while free and (attack := await _declare(game, free, attacks, clear, walked)):
        attacks.append(attack._replace(home=in_city))
        free = [piece for piece in free if piece.id not in attack.attackers]
    if attacks:
        shifts = await air_support(game, attacks, await game.known("crt", "13.4"))
        left = list(zip(attacks, shifts, strict=True))
        fled: list[str] = []
        while left:
            attack, shift = left.pop(await _next(game, [attack for attack, _ in left]))
            attack = await _joined(game, attack, fled)
            after = await resolve(game, attack, shift, at_the_die(game, attack, await game.known("crt", "13.4")))
            fled += after.gone if after else ()
    lifted(game)


async def _joined(game: IraqWar, attack: Attack, fled: Sequence[str]) -> Attack:
    """[13.2(1)] An attack with those who have retreated, before the turn of this combat, into the hex that it strikes (ruling
    C-52).
    """
    pool = here(game, fled) if game.option("retreated") != "apart" else []
    prompt = "Which of those who have retreated now stand in the hex that is attacked next (Enter: none)"
    joined = await game.pick_units("joined", prompt, "13.2(1)", pool) if pool else []
    return attack._replace(defenders=(*attack.defenders, *(piece.id for piece in joined)))


async def _in_the_storm(game: IraqWar) -> bool:
    """[16.6(3)] The visibility of the segment, rolled before anybody decides to attack; False where it is rolled for attackers
    only and nobody wants to (ruling C-48).
    """
    asks = game.position.flag(STORM) and game.option("storm_die") == "attackers"
    prompt = "Will one of them attack, if the weather is right"
    if asks and not await game.confirm("fight", prompt, "16.6(3)", suggest=False):
        game.skip("attack", "they were said not to attack", "16.6(3)", as_good=(NONE,))
        return False
    await visibility(game, "combat segment")
    return True


async def _next(game: IraqWar, attacks: Sequence[Attack]) -> int:
    """[13.1(5)] Which combat comes next: the current player's choice, where there are several."""
    if len(attacks) == 1:
        return 0
    names = [game.names(game.piece(name) for name in attack.defenders) for attack in attacks]
    choices = [Choice(str(number), f"the attack on {name}") for number, name in enumerate(names, 1)]
    return int(await game.choose("next", "Which combat is resolved next", "13.1(5)", choices, "1")) - 1


async def _declare(game: IraqWar, free: Sequence[Piece], attacks: Sequence[Attack], clear: str, walked: bool) -> Attack | None:
    """[13.1(1), 13.2] One attack: all enemy units of one hex, and who attacks them; None when there are no more."""
    foes = other(game.side)
    taken = {name for attack in attacks for name in attack.defenders}
    pool = [piece for piece in on_map(game.position, foes) if piece.id not in taken and not _apart(free, piece, walked)]
    prompt = f"{'Attack' if not attacks else 'Another attack'} on which enemy units, all of one hex (Enter: none)"
    defenders = await game.ask_units("attack", prompt, "13.2(1)", pool, foes, suggest=NONE)
    if not defenders:
        return None
    for piece in defenders:
        if side_of(piece) == game.side:
            game.forbid(f"{piece.name} is one of your own units", "13.0", "Name enemy units")
        if rule := _apart(free, piece, walked):
            text = f"{game.names(free)} cannot have come into the zone of control of {piece.name}"
            game.forbid(text, rule, "Only Kurdish units and the Turkish one meet so")
        if piece.id in taken:
            game.forbid(f"{piece.name} is attacked already", "13.2(2)", "Whoever attacks the same hex does so together: with")
    _check_zones(game, [piece for piece in defenders if not piece.mark(DISRUPTED)], clear)
    for text, rule in faults(defenders):
        game.say(f"Not all of one hex, it seems: {text}.", rule, tone="warning")
    attackers = await _attackers(game, free, [name for attack in attacks for name in attack.attackers])
    slow = [piece for piece in attackers if not piece.values.get("white")]
    prompt = "Who attacks across a river (their attack is halved)"
    across = await game.pick_units("river", prompt, "13.3(4)", slow)
    terrain, left = await _terrain(game)
    return Attack(
        tuple(piece.id for piece in attackers),
        tuple(piece.id for piece in defenders),
        tuple(piece.id for piece in across),
        terrain,
        left,
    )


def _check_zones(game: IraqWar, awake: Sequence[Piece], clear: str) -> None:
    """[9.0(1), 7.3.1(2)] Who is attacked and not disrupted has a zone of control, in which the attackers then stand: a unit that
    went by rail cannot [16.7(4)], and a way on which the zone was not named costs more [12.3(1)].
    """
    text = f"{game.names(awake)} {'has' if len(awake) == 1 else 'have'} a zone of control, in which the attackers stand then"
    if awake and clear == "16.7(4)":
        game.forbid(text, clear, "By rail nobody comes there: attack who is disrupted")
    elif awake and clear:
        game.say(f"{text}: the last hex of the way needed zoc.", clear, tone="warning")


def _apart(ours: Sequence[Piece], enemy: Piece, walked: bool) -> str:
    """[16.10(3), 16.10(4)] By which rule units that have just walked do not stand beside an enemy: the Turkish unit comes into
    zones of control of Kurds only, and only they into its; who is disrupted has none [7.3.1(2)]. "" where nothing is against it.
    """
    if not walked or enemy.mark(DISRUPTED):
        return ""
    if nation(enemy) == TURKISH:
        return "" if all(nation(piece) in KURDISH for piece in ours) else "16.10(4)"
    return "16.10(3)" if nation(enemy) not in KURDISH and any(nation(piece) == TURKISH for piece in ours) else ""


async def _attackers(game: IraqWar, free: Sequence[Piece], busy: Sequence[str]) -> list[Piece]:
    """[13.2(3), 13.2(5), 13.2(6), 16.11] Who of those that have just moved attacks; Coalition units of different divisions do not
    fight in the same combat (option).

    Args:
        busy: ids of those that attack already.
    """
    attackers = list(free)
    if len(free) > 1:
        attackers = await game.ask_units("with", "With which units", "13.2(3)", free, game.side, 1, suggest=game.names(free))
    for piece in attackers:
        if piece.id in busy:
            game.forbid(f"{piece.name} attacks already", "13.2(5)", "Attack with the others")
        elif piece.id not in {one.id for one in free}:
            game.forbid(f"{piece.name} has not moved in this segment", "13.2(6)", "Attack with who has just moved")
    divisions = divisions_of(attackers)
    if game.side == COALITION and game.on(SAME_DIVISION) and len(divisions) > 1:
        game.forbid(f"units of {' and '.join(divisions)} do not attack together", "16.11", "Attack with one division")
    return attackers


async def _terrain(game: IraqWar) -> tuple[str, int]:
    """[13.3(5)] The terrain of the defender's hex, and its columns to the left by the Terrain Effect Chart; a mountain has those
    of swamp and its own [16.9].
    """
    names = ["plain", *TERRAINS, *(["mountain"] if game.on(MOUNTAINS) else [])]
    choices = [Choice(name, name.replace("_", " ")) for name in names]
    terrain = await game.choose("terrain", "Terrain of the defender's hex", "13.3(5)", choices, "plain")
    rule = "16.9" if terrain == "mountain" else "13.3(5)"
    left = await _columns_left(game, terrain, rule)
    if terrain == "mountain" and game.option("mountain_columns") != "one":  # (ruling C-51)
        left += await _columns_left(game, "swamp", rule)
    if left:
        game.say(f"{terrain.replace('_', ' ').capitalize()}: {left} to the left.", rule)
    return terrain, left


async def _columns_left(game: IraqWar, terrain: str, rule: str) -> int:
    """What the Terrain Effect Chart says of a terrain."""
    prompt = f"Terrain Effect Chart, {terrain.replace('_', ' ')}: number before L (0: none)"
    return int(await game.printed(f"terrain:{terrain}", prompt, rule, whole_number("number of columns", 0, 5)))
