"""[5.1, 5.3.1, 13.1(2) - 13.1(4), 13.3(2)] Air support of ground combat, from both sides, with air combat first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from companion.core.game import Obstacle
from companion.core.position import Piece
from companion.core.requests import Choice, Text
from companion.games.iraqwar2003.bot.supports import Sally, propose_sally
from companion.games.iraqwar2003.names import ARTILLERY, COALITION, GROUNDED, IRAQ, NATIONALITY, NONE, SIDE_TITLES, other
from companion.games.iraqwar2003.odds.combat import WITHOUT, Outlook, combat_odds
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules import r05_air_groups as groups
from companion.games.iraqwar2003.rules.r05_air_combat import ESCORT, INTERCEPT, SUPPORT, Flier, Mission, fly
from companion.games.iraqwar2003.rules.r05_display import TableDisplay
from companion.games.iraqwar2003.rules.r07_ground_bombing import fire_of_the_west, sectors_of
from companion.games.iraqwar2003.rules.r13_losses import here
from companion.games.iraqwar2003.rules.r13_results import Attack
from companion.games.iraqwar2003.rules.r16_artillery import able, fire_of_the_unit, worth
from companion.games.iraqwar2003.words.counters import BRITISH, KURDISH, NATION_TITLES, TURKISH, nation, side_of
from companion.games.iraqwar2003.words.places import is_hex


class Backed(NamedTuple):
    """One combat with the groups of the attacker's and of the defender's side.

    Attributes:
        fire: the anti-air unit's shots at Coalition support [16.4(2)].
        sectors: air sectors of the hex, where they matter for an interception.
    """

    attack: Attack
    active: groups.Group | None = None
    passive: groups.Group | None = None
    fire: tuple[int, ...] = ()
    sectors: tuple[str, ...] = ()

    @property
    def pieces(self) -> list[Piece]:
        return [piece for group in (self.active, self.passive) if group for piece in group.pieces]


async def air_support(game: IraqWar, attacks: Sequence[Attack], told: Mapping[str, str]) -> list[int]:
    """[5.1(4), 13.1(2), 13.1(3), 13.1(4)] The shift of each combat by air support: first the current player
    allocates, then the other, then air combats and anti-air fire.

    Args:
        told: what is known of the Combat Results Chart, for odds.
    """
    side = game.side
    if game.air_units(IRAQ):
        await game.open_display()
    backed = [Backed(attack) for attack in attacks]
    for who in (side, other(side)):
        for number, one in enumerate(backed):
            backed[number] = await _ask(game, one, who, [piece for other_one in backed for piece in other_one.pieces], told)
    missions = [mission for one in backed if (mission := mission_over(game, one))]
    shifts = {flown[0].what: flown[1].shift for flown in zip(missions, await fly(missions, TableDisplay(game)), strict=True)}
    for one in backed:
        groups.spend(game, one.pieces)
    return [shifts.get(title(game, one.attack), 0) for one in backed]


async def _ask(game: IraqWar, one: Backed, side: str, named: Sequence[Piece], told: Mapping[str, str]) -> Backed:
    """[5.3.1, 5.1.1(5)] The combat with the one group of a side, or none."""
    passive = side != game.side
    key = "counter" if passive else "support"
    taken = {piece.id for piece in named}
    already = sum(side_of(piece) == side for piece in named)
    pool = [piece for piece in game.air_units(side, "any") if piece.id not in taken]
    role = INTERCEPT if passive else ESCORT
    if side == IRAQ and passive and may_be_met(game, one):
        one = one._replace(sectors=await sectors_of(game, COALITION, _hex_of(game, one.attack)))
    bombs, guards = _able(game, one, side, role, named)
    if not bombs and not guards:
        game.skip_question(key, *_nobody(game, one, side, already), as_good=(NONE,))
        return one
    declared = mission_over(game, one)
    proposed = partial(_proposed, one, side, (bombs, guards), already, told)
    suggest = await proposed(game) if game.computer_plays(side) else NONE
    against = f" against {one.active.title}" if passive and one.active else ""
    offers = [*game.air_choices(bombs), *(Choice(f"{role} {piece.name}", f"{role} {piece.name}") for piece in guards)]
    request = Text(
        key,
        f"Which {SIDE_TITLES[side]} air units fly at {title(game, one.attack)}{against}? (support, support+{role}, {role} UNIT)",
        "5.3.1(2)" if passive else "5.3.1(1)",
        groups.group_notation([piece.name for piece in pool], pool[0].name, (role,)),
        [Choice(NONE, "no air support"), *offers],
        suggest,
    )
    game.decide(request, side, suggest)
    if not game.computer_plays(side):
        game.counsel(request, proposed)
    request.odds = lambda: combat_odds(
        Outlook(game, one.attack, told),
        {WITHOUT: declared, **dict(_worthwhile(game, one, side, bombs))},
        _artillery_note(game, one.attack),
    )
    request.has_quick_odds = True
    text = await request
    if text == NONE:
        return one
    group = _group(text, pool, role)
    backed = one._replace(passive=group) if passive else one._replace(active=group)
    await _check(game, one, group, side, already)
    lead = group.lead and groups.flier_of(game, group.lead, SUPPORT)
    if side == COALITION and lead and not lead.stealth:
        there = [*one.attack.attackers, *one.attack.defenders]
        backed = backed._replace(fire=await fire_of_the_unit(game, there, _hex_of(game, one.attack)))
    return backed


async def _proposed(
    one: Backed, side: str, able: tuple[Sequence[Piece], Sequence[Piece]], already: int, told: Mapping[str, str], game: IraqWar
) -> str:
    """[5.1] What our opponent would send to a combat. ``able``: who may support, and who may intercept or escort."""
    ways = await _sallies(game, one, side, *able, already)
    ahead, passive = Outlook(game, one.attack, told), side != game.side
    return await propose_sally(game, one.attack, ahead, ways, one.active if passive else None, title(game, one.attack), side)


async def _sallies(
    game: IraqWar, one: Backed, side: str, bombs: Sequence[Piece], guards: Sequence[Piece], already: int
) -> list[Sally]:
    """[5.3.1] What our opponent may send to a combat: nobody, a unit in support, one that intercepts or escorts, or both.

    Args:
        bombs: who may support. guards: who may intercept or escort. already: units of the side named in this segment.
    """
    for piece in (*bombs, *guards):
        await game.air_values(piece)
    passive = game.side != side
    role = INTERCEPT if passive else ESCORT
    pairs: list[tuple[Piece | None, Piece | None]] = [(lead, None) for lead in bombs]
    if passive:
        pairs += [(None, guard) for guard in guards]
    if side == IRAQ and not groups.without_airfields(game, already + 2):
        pairs += [(lead, guard) for lead in bombs for guard in guards if lead != guard]
    found = [Sally(NONE, mission_over(game, one))]
    for lead, guard in pairs:
        if (lead and groups.barred(game, lead, SUPPORT)) or (guard and groups.barred(game, guard, role)):
            continue
        group = groups.Group(lead, guard, SUPPORT, role)
        mission = mission_over(game, one._replace(passive=group) if passive else one._replace(active=group))
        found.append(Sally(group.title if lead else f"{role} {group.title}", mission))
    return found


def _able(game: IraqWar, one: Backed, side: str, role: str, named: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    """[5.3, 5.8.2, 16.5] Who may support this combat, and who may escort or intercept here alone, by what is known.

    An escort alone has something to do only where the enemy may support too (ruling C-15).
    """
    if side == IRAQ and groups.without_airfields(game, sum(side_of(piece) == IRAQ for piece in named) + 1):
        return [], []
    bombs = [piece for piece in groups.ready_for(game, side, SUPPORT, but=named) if not foreign(game, one.attack, piece)]
    meets = may_be_met(game, one) if role == INTERCEPT else bool(_able_to_answer(game, one, other(side)))
    return bombs, groups.ready_for(game, side, role, but=named) if meets else []


def _able_to_answer(game: IraqWar, one: Backed, side: str) -> list[Piece]:
    """Who of the other side may support the same combat."""
    if side == IRAQ and groups.without_airfields(game, 1):
        return []
    return [piece for piece in groups.ready_for(game, side, SUPPORT) if not foreign(game, one.attack, piece)]


def may_be_met(game: IraqWar, one: Backed) -> bool:
    """[5.3(2), 5.4.1] Whether the current player's support may be intercepted, by what is known."""
    lead = one.active.lead if one.active else None
    return bool(lead and not groups.unseen(game, lead) and not groups.without_radar(game, one.sectors))


def _nobody(game: IraqWar, one: Backed, side: str, already: int) -> Obstacle:
    """Why no air unit of a side can take part."""
    against = (foreign(game, one.attack, piece) for piece in groups.ready_for(game, side, SUPPORT))
    fields = groups.without_airfields(game, already + 1) if side == IRAQ else None
    grounded = game.position.flag(GROUNDED)
    none = Obstacle(f"no {SIDE_TITLES[side]} air unit can fly now", "16.6(3)" if grounded else "2.1.3")
    return fields or next(filter(None, against), none)


def _artillery_note(game: IraqWar, attack: Attack) -> tuple[str, ...]:
    """[16.3] What artillery may still add, which is named after the air support."""
    if not game.on(ARTILLERY):
        return ()
    attackers, defenders = here(game, attack.attackers), here(game, attack.defenders)
    ours = side_of(attackers[0]) == COALITION
    guns = able(game, attackers if ours else defenders, [*attackers, *defenders], attack.hex)
    named = ", ".join(f"{piece.name} {worth(game, piece)}" for piece in guns)
    return (f"Artillery in range adds to the {'attack' if ours else 'defence'} and is not counted yet: {named}.",) if guns else ()


def _hex_of(game: IraqWar, attack: Attack) -> str:
    """The hex that is attacked; "" where nobody has told it."""
    place = game.piece(attack.defenders[0]).place
    return place if is_hex(place) else ""


def title(game: IraqWar, attack: Attack) -> str:
    """A combat in words."""
    return f"the attack on {game.piece_names(game.piece(name) for name in attack.defenders)}"


def _group(text: str, pool: Sequence[Piece], role: str) -> groups.Group:
    by_name = {piece.name: piece for piece in pool}
    if text.startswith(f"{role} ") and text not in by_name:
        return groups.Group(None, by_name[text.removeprefix(f"{role} ")], SUPPORT, role)
    lead, plus, second = text.partition("+")
    return groups.Group(by_name[lead], by_name[second] if plus else None, SUPPORT, role)


# -- what is allowed ---------------------------------------------------------------------------------------------------


async def _check(game: IraqWar, one: Backed, group: groups.Group, side: str, already: int) -> None:
    """[5.3, 5.4.1, 16.5] Whether the group may do that here."""
    if group.lead:
        await groups.check_unit(game, group.lead, SUPPORT)
        game.heed(foreign(game, one.attack, group.lead))
    if group.other:
        await groups.check_unit(game, group.other, group.other_role)
    if side == IRAQ:
        game.heed(groups.without_airfields(game, already + len(group.pieces)))
    if side != game.side and group.other:
        await _check_interception(game, one, side)


async def _check_interception(game: IraqWar, one: Backed, side: str) -> None:
    """[5.3(2), 5.4.1] Only a unit on ground support is intercepted, whether the interceptor comes alone or with support."""
    enemy = one.active.lead if one.active else None
    if enemy is None:
        game.forbid("there is no enemy on ground support to intercept", "5.3(2)", "Give ground support, or none")
    else:
        await game.air_values(enemy)
        game.heed(groups.unseen(game, enemy))
    if side == IRAQ and one.active:
        game.heed(groups.without_radar(game, one.sectors))


def foreign(game: IraqWar, attack: Attack, lead: Piece) -> Obstacle | None:
    """[16.5, 16.10(5)] What stands against the air units of a nation in support of some ground units; against Iraqi ones only
    that British units fight there (ruling C-49).
    """
    nations = {nation(game.piece(name)) for name in (*attack.attackers, *attack.defenders)}
    iraqi = side_of(lead) == IRAQ
    if TURKISH in nations and not iraqi:
        text = "the Coalition's air units do not support a combat with the Turkish unit"
        return Obstacle(text, "16.10(5)", "Name none")
    if not game.on(NATIONALITY):
        return None
    if BRITISH in nations and nation(lead) != BRITISH and not (iraqi and game.option("british_combats") == "coalition"):
        text = f"{lead.name} is {NATION_TITLES[nation(lead)]}: British units fight here"
        return Obstacle(text, "16.5(1)", "Name none" if iraqi else "Name a British air unit")
    if nations & {*KURDISH} and not iraqi:
        return Obstacle("Coalition air units do not support a combat with Kurdish units", "16.5(2)", "Name none")
    return None


# -- as they fight -----------------------------------------------------------------------------------------------------


def mission_over(game: IraqWar, one: Backed) -> Mission | None:
    """[13.3(2)] All the air units over a combat, as far as their values are known; None where there are none."""
    fliers: list[Flier] = []
    for group, sign in ((one.active, 1), (one.passive, -1)):
        for piece, role in ((group.lead, SUPPORT), (group.other, group.other_role)) if group else ():
            flier = groups.flier_of(game, piece, role) if piece else None
            if piece and flier and role == SUPPORT:
                flier = _supporting(game, one, piece, flier, sign)
            fliers += [flier] if flier else []
    return Mission(tuple(fliers), title(game, one.attack)) if fliers else None


def _supporting(game: IraqWar, one: Backed, piece: Piece, flier: Flier, sign: int) -> Flier:
    """[13.3(2), 13.3(2-2)] What a unit on ground support is worth to the attacker, and the fire that it meets."""
    values = game.known_values(piece)
    worth = sign * values.support if values else 0
    if flier.side == IRAQ:
        west = fire_of_the_west(game, [game.piece(name) for name in (*one.attack.attackers, *one.attack.defenders)])
        return flier._replace(worth=worth, shots=west, fire_rule="13.3(2-2)")
    return flier._replace(worth=worth, shots=one.fire, fire_rule="16.4(3)")


def _ways(game: IraqWar, one: Backed, side: str, ready: Sequence[Piece]) -> Iterator[tuple[Piece, Mission]]:
    """The combat with each unit that is ready and known in support, the strongest first."""
    values = {piece.id: known.support for piece in ready if (known := game.known_values(piece)) and known.support}
    for piece in sorted((piece for piece in ready if piece.id in values), key=lambda piece: -values[piece.id]):
        group = groups.Group(piece, None, SUPPORT)
        mission = mission_over(game, one._replace(active=group) if side == game.side else one._replace(passive=group))
        if mission:
            yield piece, mission


def _worthwhile(game: IraqWar, one: Backed, side: str, ready: Sequence[Piece]) -> Iterator[tuple[str, Mission]]:
    """Of these ways one of each worth, three at most, each in words."""
    seen: set[int] = set()
    for piece, mission in _ways(game, one, side, ready):
        worth = next(flier.worth for flier in mission.fliers if flier.id == piece.id)
        if worth not in seen and len(seen) < 3:
            seen.add(worth)
            yield f"with {piece.name}", mission
