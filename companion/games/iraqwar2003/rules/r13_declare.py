"""[13.1(1), 13.2] An attack is declared: all enemy units of one hex, who attacks them, what lies between, and on what they stand.

Where it is told in which hexes both sides stand, a hex or any unit in it names the attack, and the map says the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.notation import Notation, whole_number
from companion.core.position import Piece
from companion.core.requests import Choice, Text
from companion.core.words import clean, plural
from companion.games.iraqwar2003.names import COALITION, DISRUPTED, MAP, MOUNTAINS, NONE, SAME_DIVISION, other
from companion.games.iraqwar2003.referee import IraqWar, on_map
from companion.games.iraqwar2003.rules.r02_map import ask_orientation, ask_terrain, ask_water
from companion.games.iraqwar2003.rules.r08_stacking import faults
from companion.games.iraqwar2003.rules.r09_zones import hexes_of
from companion.games.iraqwar2003.rules.r13_results import Attack
from companion.games.iraqwar2003.words.counters import KURDISH, TURKISH, divisions_of, nation, side_of
from companion.games.iraqwar2003.words.facts import TERRAINS
from companion.games.iraqwar2003.words.land import LARGE, MINOR, SEA, land_of
from companion.games.iraqwar2003.words.places import hex_of, is_hex, units_in

_WITH = " with "


class Moved(NamedTuple):
    """How the units of a combat segment came where they stand.

    Attributes:
        clear: by which rule they stand in no enemy zone of control; "" where only the player sees that.
        walked: whether they have come in this segment, not flying.
        target: whom they attack, where that was said as they moved.
    """

    clear: str = ""
    walked: bool = False
    target: str = ""


async def declare_attack(game: IraqWar, free: Sequence[Piece], attacks: Sequence[Attack], moved: Moved) -> Attack | None:
    """[13.1(1), 13.2] One attack: all enemy units of one hex, and who attacks them; None when there are no more."""
    taken = {name for attack in attacks for name in attack.defenders}
    await _oriented(game, free)
    pool = [piece for piece in _beside(game, free) if piece.id not in taken and not _apart(free, piece, moved.walked)]
    if not pool and (base := hex_of(free)) and on_map(game.position, other(game.side)):
        cure = "Enter who stands there: units, each with its hex behind it: @2332"
        text = f"Companion knows of no enemy unit beside {base}"
        game.skip_question("attack", text, "13.0", cure, as_good=(NONE,))
        if moved.target not in ("", NONE) and not attacks:
            game.forbid(text, "13.0", cure)
        return None
    defenders, chosen = await _ask_target(game, free, pool, "" if attacks else moved.target, bool(attacks))
    if not defenders:
        return None
    defenders, target = _whole_hex(game, defenders)
    _check_target(game, free, defenders, taken, moved)
    await _check_side(game, hex_of(free), target)
    if not target:
        _check_zones(game, [piece for piece in defenders if not piece.mark(DISRUPTED)], moved.clear)
    for text, rule in faults(defenders):
        game.say(f"These may not all be in one hex: {text}.", rule, tone="warning")
    alone = bool(target and hex_of(free)) and all(piece.place == target for piece in pool)
    attackers = await _attackers(game, free, chosen, [name for attack in attacks for name in attack.attackers], alone)
    across = await _across(game, attackers, hex_of(free), target)
    terrain, left = await _terrain(game, target)
    ids = [tuple(piece.id for piece in pieces) for pieces in (attackers, defenders, across)]
    return Attack(ids[0], ids[1], ids[2], terrain, left, base=hex_of(free), hex=target)


async def _oriented(game: IraqWar, free: Sequence[Piece]) -> None:
    """[2.1] Where units of both sides stand in hexes, the way the numbers lie must be known to tell who is adjacent."""
    known = land_of(game.position).asked
    if not known and hex_of(free) and any(is_hex(piece.place) for piece in on_map(game.position, other(game.side))):
        await ask_orientation(game)


def _beside(game: IraqWar, free: Sequence[Piece]) -> list[Piece]:
    """[13.0, 13.3(3)] The enemy units that may be attacked: those beside, not across a side of nothing but water, and those of
    which nobody has told where they stand.
    """
    position, base = game.position, hex_of(free)
    land = land_of(position)
    if not base or not land.how:
        return on_map(position, other(game.side))
    near = land.ashore(base)
    if not position.count(MAP) and hexes_of(position, other(game.side)).isdisjoint(near):
        return []
    return [piece for piece in on_map(position, other(game.side)) if piece.place in near or not is_hex(piece.place)]


async def _ask_target(
    game: IraqWar, free: Sequence[Piece], pool: Sequence[Piece], said: str, again: bool
) -> tuple[list[Piece], list[Piece]]:
    """[13.2(1), 13.2(3)] The enemy units that are attacked, and who attacks them where that is said in the same breath.

    Args:
        said: what was said of it already.
    """
    hexes = dict.fromkeys(piece.place for piece in pool if is_hex(piece.place))
    known = [Choice(NONE, "none of them"), *(Choice(number, number, _there(game, number)) for number in hexes)]
    known += game.unit_choices(piece for piece in pool if not is_hex(piece.place))
    which = "a hex or a unit in it" if hexes else "enemy units, all of one hex"
    prompt = f"Whom do you attack{' besides' if again else ''}? ({which})"
    request = Text("attack", prompt, "13.2(1)", targets(game, free, pool), known, NONE)
    game.decide(request, game.side, NONE)  # our opponent says whom it attacks as it moves
    text = said or await request
    head, _, tail = text.partition(_WITH)
    return await game.units_named(head), await game.units_named(tail or NONE)


def targets(game: IraqWar, free: Sequence[Piece], pool: Sequence[Piece]) -> Notation:
    """``2332``, ``11D``, ``2332 with 1/3ID``: enemy units by name or by their hex, and who of those that moved attacks them."""
    foes, own = game.unit_list(pool, other(game.side)), game.unit_list(free, game.side, 1)

    def read(text: str) -> str:
        head, word, tail = clean(text).partition(_WITH)
        return foes.read(head) + (word + own.read(tail) if word else "")

    return Notation("units", foes.example, read)


def _there(game: IraqWar, number: str) -> str:
    """The enemy units in a hex, for the list of what can be attacked."""
    return "; ".join(f"{one.label} {one.hint_text}" for one in game.unit_choices(units_in(game.position, number)))


def _whole_hex(game: IraqWar, named: Sequence[Piece]) -> tuple[list[Piece], str]:
    """[13.2(1)] All enemy units of the hex of those that were named, and the hex, "" where it is not told; who is named with them
    stands there.
    """
    hexes = dict.fromkeys(piece.place for piece in named if is_hex(piece.place))
    if len(hexes) > 1:
        game.forbid(f"{' and '.join(hexes)} are two hexes", "13.2(3)", "Attack one of them, and the other with other units")
    target = next(iter(hexes), "")
    stood = [game.stand(piece, target) for piece in named]
    rest = [piece for piece in units_in(game.position, target) if piece.id not in {one.id for one in stood}]
    return [*stood, *(piece for piece in rest if side_of(piece) != game.side)], target


def _check_target(game: IraqWar, free: Sequence[Piece], defenders: Sequence[Piece], taken: set[str], moved: Moved) -> None:
    """[13.0, 13.2(2), 16.10] Who is attacked is an enemy, not attacked yet, and may be met."""
    for piece in defenders:
        if side_of(piece) == game.side:
            game.forbid(f"{piece.name} is one of your own units", "13.0", "Name enemy units")
        if rule := _apart(free, piece, moved.walked):
            text = f"{game.piece_names(free)} cannot have come into the zone of control of {piece.name}"
            game.forbid(text, rule, "Only Kurdish units and the Turkish one meet so")
        if piece.id in taken:
            game.forbid(f"{piece.name} is attacked already", "13.2(2)", "Whoever attacks the same hex does so together: with")


async def _check_side(game: IraqWar, base: str, target: str) -> None:
    """[13.0, 13.3(3)] Both hexes are adjacent, and not parted by nothing but water."""
    if not base or not target:
        return
    await ask_orientation(game)
    if land_of(game.position).adjacent(base, target) is False:
        game.forbid(f"{target} is not adjacent to {base}", "13.0", "Attack an adjacent hex, or say where they stand: adjust")
    elif await ask_water(game, base, target, "13.3(3)") == SEA:
        game.forbid(f"nothing but water lies between {base} and {target}", "13.3(3)", "Attack another hex")


def _check_zones(game: IraqWar, awake: Sequence[Piece], clear: str) -> None:
    """[9.0(1), 7.3.1(2)] Who is attacked and not disrupted has a zone of control, in which the attackers then stand: a unit that
    went by rail cannot [16.7(4)], and a way on which the zone was not named costs more [12.3(1)].
    """
    text = (
        f"{game.piece_names(awake)} {'has' if len(awake) == 1 else 'have'} a zone of control, in which the attackers stand then"
    )
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


async def _attackers(
    game: IraqWar, free: Sequence[Piece], chosen: Sequence[Piece], busy: Sequence[str], alone: bool
) -> list[Piece]:
    """[13.2(3), 13.2(5), 13.2(6), 16.11] Who of those that have just moved attacks; Coalition units of different divisions do not
    fight in the same combat (option).

    Args:
        chosen: those that were named with the target.
        busy: ids of those that attack already.
        alone: whether there is no other hex that they could attack: then all do who were not left out.
    """
    attackers = list(chosen or free)
    if chosen or alone:
        cure = "Name them with the hex: 2332 with 1/3ID"
        game.skip_question("with", "all of them attack, there is no other hex", "13.2(3)", cure, as_good=("all",))
    elif len(free) > 1:
        names, notation = game.piece_names(free), game.unit_list(free, game.side, 1)
        request = Text("with", "With which units?", "13.2(3)", notation, game.known_units(free), names)
        attackers = await game.units_named(await game.own(game.side, request, names))
    for piece in attackers:
        if piece.id in busy:
            game.forbid(f"{piece.name} attacks already", "13.2(5)", "Attack with the others")
        elif piece.id not in {one.id for one in free}:
            game.forbid(f"{piece.name} has not moved in this segment", "13.2(6)", "Attack with who has just moved")
    divisions = divisions_of(attackers)
    if game.side == COALITION and game.on(SAME_DIVISION) and len(divisions) > 1:
        game.forbid(f"units of {' and '.join(divisions)} do not attack together", "16.11", "Attack with one division")
    return attackers


async def _across(game: IraqWar, attackers: Sequence[Piece], base: str, target: str) -> list[Piece]:
    """[13.3(4)] Who attacks across a river, minor or large: all or nobody where both hexes are told."""
    slow = [piece for piece in attackers if not piece.values.get("white")]
    if not base or not target:
        return await game.pick_units("river", "Which attackers cross a river? (halved)", "13.3(4)", slow)
    wet = await ask_water(game, base, target, "13.3(4)") in (MINOR, LARGE)
    text = f"{'a' if wet else 'no'} river lies between {base} and {target}"
    game.skip_question("river", text, "13.3(4)", as_good=("all",) if wet else (NONE,))
    if wet and slow:
        game.say(f"{text.capitalize()}: the attack of {game.piece_names(slow)} is halved.", "13.3(4)")
    return slow if wet else []


async def _terrain(game: IraqWar, target: str) -> tuple[str, int]:
    """[13.3(5)] The terrain of the defender's hex, and its columns to the left by the Terrain Effect Chart; a mountain has those
    of swamp and its own [16.9].
    """
    if target:
        terrain = await ask_terrain(game, target)
        game.skip_question("terrain", f"{target} is known to be {terrain.replace('_', ' ')}", "13.3(5)", as_good=(terrain,))
    else:
        names = ["plain", *TERRAINS, *(["mountain"] if game.on(MOUNTAINS) else [])]
        choices = [Choice(name, name.replace("_", " ")) for name in names]
        terrain = await game.choose("terrain", "What is the terrain of the defender's hex?", "13.3(5)", choices, "plain")
    rule = "16.9" if terrain == "mountain" else "13.3(5)"
    left = await _columns_left(game, terrain, rule)
    if terrain == "mountain" and game.option("mountain_columns") != "one":  # (ruling C-51)
        left += await _columns_left(game, "swamp", rule)
    if left:
        game.say(f"{terrain.replace('_', ' ').capitalize()} takes {plural(left, 'column')} off the attack.", rule)
    return terrain, left


async def _columns_left(game: IraqWar, terrain: str, rule: str) -> int:
    """What the Terrain Effect Chart says of a terrain."""
    prompt = f"What does the Terrain Effect Chart say for {terrain.replace('_', ' ')}? (number before L; 0: none)"
    return int(await game.printed(f"terrain:{terrain}", prompt, rule, whole_number("number of columns", 0, 5)))
