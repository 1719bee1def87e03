"""[5.2(2), 5.4] Who intercepts which bombing group."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Unreadable
from companion.core.game import Obstacle
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Text
from companion.core.words import clean, pick_name, split_list
from companion.games.iraqwar2003.bot.interceptors import propose_interception
from companion.games.iraqwar2003.names import GROUNDED, IRAQ, NONE, SIDE_TITLES, is_none, other
from companion.games.iraqwar2003.odds.air import interception_odds
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r05_air_combat import INTERCEPT
from companion.games.iraqwar2003.rules.r05_air_groups import Plan, check_unit, not_to_be_intercepted, ready_for, without_airfields
from companion.games.iraqwar2003.words.counters import is_naval


def _notation(count: int, names: Sequence[str]) -> Notation:
    def read(text: str) -> str:
        plain = clean(text)
        if is_none(plain):
            return NONE
        found: dict[int, str] = {}
        for part in split_list(plain):
            number, _, name = part.partition(" ")
            at, name = (int(number), name) if number.isdecimal() and name else (1, part)
            if not 1 <= at <= count or (count > 1 and not (number.isdecimal() and part != number)):
                raise Unreadable(f"'{part}' names no group from 1 to {count}", rule="5.2(2)", cure="Type: 1 MiG-23, 2 Su-20")
            if at in found:
                raise Unreadable(f"two groups intercept group {at}", rule="5.1.1(3)", cure="One group intercepts one group")
            found[at] = pick_name(name.strip(), names, "air unit")
        if len(set(found.values())) != len(found):
            raise Unreadable("a unit is named twice", rule="5.1.1(3)", cure="One group intercepts one group")
        return ", ".join(f"{at} {name}" for at, name in sorted(found.items()))

    return Notation("interceptors", f"1 {names[0]}" if names else NONE, read)


async def interceptions(game: IraqWar, plans: Sequence[Plan], side: str) -> list[Plan]:
    """[5.2(2)] The plans with their interceptors; nobody is asked where none can be."""
    foe = other(side)
    able = ready_for(game, foe, INTERCEPT)
    pool = [piece for piece in game.air_units(foe, "any") if not is_naval(piece)]
    if obstacle := _nobody(game, plans, able, foe):
        game.skip_question("intercept", *obstacle, as_good=(NONE,))
        return list(plans)
    suggest = NONE
    if foe == IRAQ and game.computer_plays_iraq:
        suggest = await propose_interception(game, plans)
    numbered = "; ".join(f"{at} {plan.group.title} on {plan.target}" for at, plan in enumerate(plans, 1))
    request = Text(
        "intercept",
        f"Which {SIDE_TITLES[foe]} units intercept which groups? ({numbered})",
        "5.2(2)",
        _notation(len(plans), [piece.name for piece in pool]),
        [Choice(NONE, "nobody intercepts"), *_offers(game, plans, able, foe)],
        suggest,
    )
    game.decide(request, foe, suggest)
    if foe == IRAQ and not game.computer_plays_iraq:
        game.counsel(request, lambda table: propose_interception(table, plans))
    request.odds = lambda: interception_odds(game, plans, able)
    return await _named(game, plans, await request, pool, foe)


def _nobody(game: IraqWar, plans: Sequence[Plan], able: Sequence[Piece], foe: str) -> Obstacle | None:
    """[5.2(2), 5.4.1] Why nothing can be intercepted, by what is known; None where something may be."""
    fields = without_airfields(game, 1) if foe == IRAQ else None
    if plans and fields:
        return fields
    if not plans or not able:
        text = f"no {SIDE_TITLES[foe]} unit can intercept, or no group can be intercepted"
        return Obstacle(text, "16.6(3)" if game.position.flag(GROUNDED) else "5.2(2)")
    against = [not_to_be_intercepted(game, plan, foe) for plan in plans]
    return against[0] if all(against) else None


def _offers(game: IraqWar, plans: Sequence[Plan], ready: Sequence[Piece], foe: str) -> list[Choice]:
    """Every pairing that is not against the rules by what is known."""
    return [
        Choice(f"{at} {piece.name}", f"{piece.name} meets {plan.group.title}", str(game.known_values(piece) or ""))
        for at, plan in enumerate(plans, 1)
        if not not_to_be_intercepted(game, plan, foe)
        for piece in ready
    ]


async def _named(game: IraqWar, plans: Sequence[Plan], text: str, pool: Sequence[Piece], foe: str) -> list[Plan]:
    """[5.4.1] The plans with the interceptors that were named: white silhouettes, Radar, Air Fields, own values [5.3(2)]."""
    done = list(plans)
    for count, part in enumerate(split_list(text) if text != NONE else (), 1):
        number, _, name = part.partition(" ")
        piece = next(one for one in pool if one.name == name)
        plan = done[int(number) - 1]
        await game.air_values(plan.lead)
        game.heed(not_to_be_intercepted(game, plan, foe))
        if foe == IRAQ:
            game.heed(without_airfields(game, count))
        await check_unit(game, piece, INTERCEPT)
        done[int(number) - 1] = plan._replace(interceptor=piece)
    return done
