"""[5.1, 5.3.1, 13.3(2)] Air support of ground combat, from both sides, with air combat first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.game import Tables
from companion.core.position import Piece
from companion.core.requests import Choice, Odds, Text
from companion.games.iraqwar2003.odds.chances import Clash, combat_odds
from companion.games.iraqwar2003.odds.chances import Support as PaperSupport
from companion.games.iraqwar2003.referee import SIDE_TITLES, IraqWar, other
from companion.games.iraqwar2003.rules.r05_air_combat import FLYING, Flier, air_combat, anti_air, targets_of
from companion.games.iraqwar2003.rules.r05_air_groups import (
    Group,
    as_flier,
    check_airfields,
    check_sector,
    check_unit,
    group_notation,
)
from companion.games.iraqwar2003.rules.r05_display import TableDisplay
from companion.games.iraqwar2003.rules.r05_missions import anti_air_unit, sectors_of, spend
from companion.games.iraqwar2003.rules.r13_combat import Attack, clash_of, nations_in
from companion.games.iraqwar2003.words.counters import NATION_TITLES, AirValues, is_western, nation, side_of


class Backed(NamedTuple):
    """One combat with the groups of the attacker's and of the defender's side."""

    attack: Attack
    active: Group | None
    passive: Group | None


async def air_support(game: IraqWar, tables: Tables, attacks: Sequence[Attack]) -> list[int]:
    """[5.1(4), 13.1(2), 13.1(3), 13.1(4)] The shift of each combat by air support: first the current player
    allocates, then the other, then air combats and anti-air fire.
    """
    side = game.side
    if game.air_units("iraq"):
        await game.open_display()
    backed = [Backed(attack, None, None) for attack in attacks]
    for number, one in enumerate(backed):
        group = await _ask(game, tables, one, side, False, _named(backed))
        backed[number] = one._replace(active=group)
    for number, one in enumerate(backed):
        group = await _ask(game, tables, one, other(side), True, _named(backed))
        backed[number] = one._replace(passive=group)
    fates = [await _fight(game, one, side) for one in backed]
    shifts = [await _arrive(game, one, side, alive) for one, alive in zip(backed, fates, strict=True)]
    for one in backed:
        spend(game, [piece for group in (one.active, one.passive) if group for piece in group.pieces])
    return shifts


def _named(backed: Sequence[Backed]) -> list[Piece]:
    return [piece for one in backed for group in (one.active, one.passive) if group for piece in group.pieces]


async def _ask(game: IraqWar, tables: Tables, one: Backed, side: str, passive: bool, named: Sequence[Piece]) -> Group | None:
    """[5.3.1, 5.1.1(5)] The one group of a side for one combat, or None."""
    key = "counter" if passive else "support"
    taken = {piece.id for piece in named}
    ready = [p for p in game.air_units(side) if p.id not in taken and p.values.get("type") != "naval"]
    if not ready or game.position.flag("grounded"):
        rule = "16.6(3)" if game.position.flag("grounded") else "2.1.3"
        game.skip(key, f"no {SIDE_TITLES[side]} air unit can fly now", rule)
        return None
    pool = [piece for piece in game.air_units(side, "any") if piece.id not in taken]
    word, role = ("intercept", "intercept") if passive else ("escort", "escort")
    suggest = "none"
    if side == "iraq" and game.computer_plays_iraq:
        from companion.games.iraqwar2003.bot import propose_support

        suggest = await propose_support(game, tables, clash_of(game, one.attack), ready, one.active)
    against = f" against {one.active.title}" if passive and one.active else ""
    prompt = f"{SIDE_TITLES[side]} air for {_title(game, one.attack)}{against}: support, support+{role}, or {word} UNIT"
    request = Text(
        key,
        prompt,
        "5.3.1(2)" if passive else "5.3.1(1)",
        group_notation([piece.name for piece in pool], f"{ready[0].name}", (word,)),
        [Choice("none", "no air support"), *game.air_choices(_useful(game, ready))],
        suggest,
    )
    clash = clash_of(game, one.attack)
    known = [(piece, values) for piece in ready if (values := game.known_values(piece)) and values.support]
    request.odds = lambda: support_odds(clash, known, passive)
    text = await request
    if text == "none":
        return None
    group = _group(text, pool, word, role)
    await _check(game, one, group, side, passive, len([piece for piece in named if side_of(piece) == side]))
    return group


def _useful(game: IraqWar, ready: Sequence[Piece]) -> list[Piece]:
    """Those that can do anything here, by what is known of them."""
    return [piece for piece in ready if (values := game.known_values(piece)) is None or values.support or values.air]


def _title(game: IraqWar, attack: Attack) -> str:
    return f"the attack on {game.names(game.piece(name) for name in attack.defenders)}"


def _group(text: str, pool: Sequence[Piece], word: str, role: str) -> Group:
    by_name = {piece.name: piece for piece in pool}
    if text.startswith(f"{word} ") and text not in by_name:
        return Group(None, by_name[text.removeprefix(f"{word} ")], "support", role)
    lead, plus, second = text.partition("+")
    return Group(by_name[lead], by_name[second] if plus else None, "support", role)


async def _check(game: IraqWar, one: Backed, group: Group, side: str, passive: bool, already: int) -> None:
    """[5.3, 5.4.1, 16.5] Whether the group may do that here."""
    if group.lead:
        await check_unit(game, group.lead, "support")
        _check_nations(game, one.attack, group.lead)
    if group.other:
        await check_unit(game, group.other, group.other_role)
    if side == "iraq":
        check_airfields(game, group.pieces, already)
    if passive and group.other:
        await _check_interception(game, one, group, side)


async def _check_interception(game: IraqWar, one: Backed, group: Group, side: str) -> None:
    enemy = one.active.lead if one.active else None
    if group.lead is None:
        if enemy is None:
            game.forbid("there is no enemy on ground support to intercept", "5.3(2)", "Give ground support, or none")
        elif (await game.air_values(enemy)).stealth:
            game.forbid(f"{enemy.name} has a white silhouette: it cannot be intercepted", "5.4.1(1)", "Name none")
    if side == "iraq" and one.active:
        check_sector(game, await sectors_of(game, "coalition"))


def _check_nations(game: IraqWar, attack: Attack, lead: Piece) -> None:
    """[16.5, 16.10(5)] Which nation's air units may support which ground units."""
    nations = nations_in(game, attack)
    if side_of(lead) == "iraq":
        return
    if "turkey" in nations:
        game.forbid("the Coalition's air units do not support a combat with the Turkish unit", "16.10(5)", "Name none")
    if not game.on("nationality"):
        return
    if "british" in nations and nation(lead) != "british":
        game.forbid(
            f"{lead.name} is {NATION_TITLES[nation(lead)]}: British units fight here", "16.5(1)", "Name a British air unit"
        )
    if nations & {"kdp", "puk"}:
        game.forbid("Coalition air units do not support a combat with Kurdish units", "16.5(2)", "Name none")


async def _fliers(game: IraqWar, one: Backed, side: str) -> list[Flier]:
    found = []
    for group, whose in ((one.active, side), (one.passive, other(side))):
        if group and group.lead:
            found.append(as_flier(group.lead, await game.air_values(group.lead), "support", whose))
        if group and group.other:
            found.append(as_flier(group.other, await game.air_values(group.other), group.other_role, whose))
    return found


async def _fight(game: IraqWar, one: Backed, side: str) -> dict[str, str]:
    """[5.5] The air combat over one ground combat, where both sides have air units there; the fate of each by name."""
    fliers = await _fliers(game, one, side)
    if one.active and one.passive and any(flier.air and targets_of(flier, fliers) for flier in fliers):
        listed = ", ".join(f"{flier.name} {flier.air} ({flier.role})" for flier in fliers)
        game.say(f"Air combat over {_title(game, one.attack)}: {listed}.", "5.5")
        return await air_combat(fliers, TableDisplay(game))
    return {flier.name: FLYING for flier in fliers}


async def _arrive(game: IraqWar, one: Backed, side: str, fates: dict[str, str]) -> int:
    """[5.6, 13.3(2)] Anti-air fire at who is left on ground support, and the shift that remains."""
    shift = 0
    told = []
    for group, whose, sign in ((one.active, side, 1), (one.passive, other(side), -1)):
        if group is None or group.lead is None:
            continue
        if fates[group.lead.name] != FLYING:
            told.append(f"{group.lead.name} was hit: no support [13.3(2-3)]")
            continue
        values = await game.air_values(group.lead)
        shots = await _shots(game, one.attack, whose)
        flier = as_flier(group.lead, values, "support", whose)
        rule = "13.3(2-2)" if whose == "iraq" else "16.4(3)"
        if await anti_air(flier, shots, TableDisplay(game), rule) == FLYING:
            shift += sign * values.support
            told.append(f"{group.lead.name}: {values.support} for the {SIDE_TITLES[whose]} side")
        else:
            told.append(f"{group.lead.name} was hit: no support [13.3(2-3)]")
    if told:
        text = f"{abs(shift)} columns for the {'attacker' if shift > 0 else 'defender'}" if shift else "no shift"
        game.say(f"Air support: {text}.", "13.3(2-1)" if len(told) > 1 else "13.3(2)", *told)
    return shift


async def _shots(game: IraqWar, attack: Attack, side: str) -> tuple[int, ...]:
    """[13.3(2-2), 16.4(2)] Anti-air fire at ground support: 2 by American or British units in the combat; 2 by the
    anti-air unit.
    """
    if side == "iraq":
        pieces = [game.piece(name) for name in (*attack.attackers, *attack.defenders)]
        return (2,) if any(is_western(piece) for piece in pieces) else ()
    return (2,) if await anti_air_unit(game, side) else ()


def support_odds(clash: Clash, known: Sequence[tuple[Piece, AirValues]], passive: bool) -> Odds:
    """[13.3(2)] The combat without support, and with one unit of each worth that is ready, if it arrives."""
    ways: dict[str, PaperSupport] = {"without support": PaperSupport()}
    side = "iraq" if passive else "coalition"
    seen: set[int] = set()
    for piece, values in sorted(known, key=lambda one: -one[1].support):
        if values.support not in seen and len(seen) < 3:
            seen.add(values.support)
            worth = -values.support if passive else values.support
            flier = Flier(piece.name, side, "support", values.air, values.stealth)
            ways[f"with {piece.name}"] = PaperSupport((flier,), {}, {piece.name: worth})
    return combat_odds(clash, ways)
