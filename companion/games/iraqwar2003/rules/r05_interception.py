"""[5.2(2), 5.4] Who intercepts which bombing group."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Unreadable
from companion.core.game import Tables
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Text
from companion.core.words import clean, one_of, split_list
from companion.games.iraqwar2003.odds.chances import interception_odds
from companion.games.iraqwar2003.referee import SIDE_TITLES, IraqWar, other
from companion.games.iraqwar2003.rules.r05_air_groups import check_airfields, check_sector, check_unit
from companion.games.iraqwar2003.rules.r05_plans import Plan


def _notation(count: int, names: Sequence[str]) -> Notation:
    def read(text: str) -> str:
        plain = clean(text)
        if plain.casefold() in ("none", "-", ""):
            return "none"
        found: dict[int, str] = {}
        for part in split_list(plain):
            number, _, name = part.partition(" ")
            at, name = (int(number), name) if number.isdecimal() and name else (1, part)
            if not 1 <= at <= count or (count > 1 and not (number.isdecimal() and part != number)):
                raise Unreadable(f"'{part}' names no group from 1 to {count}", rule="5.2(2)", cure="Type: 1 MiG-23, 2 Su-20")
            if at in found:
                raise Unreadable(f"two groups intercept group {at}", rule="5.1.1(3)", cure="One group intercepts one group")
            found[at] = one_of(name.strip(), names, "air unit")
        if len(set(found.values())) != len(found):
            raise Unreadable("a unit is named twice", rule="5.1.1(3)", cure="One group intercepts one group")
        return ", ".join(f"{at} {name}" for at, name in sorted(found.items()))

    return Notation("interceptors", f"1 {names[0]}" if names else "none", read)


async def interceptions(game: IraqWar, tables: Tables, plans: Sequence[Plan], side: str) -> list[Plan]:
    """[5.2(2)] The plans with their interceptors; nobody is asked where no group or no interceptor is there."""
    foe = other(side)
    ready = game.air_units(foe)
    if not plans or not ready or game.position.flag("grounded"):
        rule = "16.6(3)" if game.position.flag("grounded") else "5.2(2)"
        game.skip("intercept", f"no {SIDE_TITLES[foe]} unit is there to intercept, or nothing to be intercepted", rule)
        return list(plans)
    if all((values := game.known_values(plan.group.lead)) and values.stealth for plan in plans if plan.group.lead):
        game.skip("intercept", "every group is led by a white silhouette and cannot be intercepted", "5.4.1(1)")
        return list(plans)
    pool = [piece for piece in game.air_units(foe, "any") if piece.values.get("type") != "naval"]
    able = [piece for piece in ready if (values := game.known_values(piece)) is None or values.air]
    suggest = "none"
    if foe == "iraq" and game.computer_plays_iraq:
        from companion.games.iraqwar2003.bot import propose_interception

        suggest = await propose_interception(game, tables, plans)
    numbered = "; ".join(f"{at} {plan.group.title} on {plan.target}" for at, plan in enumerate(plans, 1))
    request = Text(
        "intercept",
        f"{SIDE_TITLES[foe]} interceptors ({numbered}): number and unit (Enter: {suggest})",
        "5.2(2)",
        _notation(len(plans), [piece.name for piece in pool]),
        [Choice("none", "nobody intercepts"), *_offers(game, plans, able)],
        suggest,
    )
    known = {piece.name: values for piece in [*ready, *_leads(plans)] if (values := game.known_values(piece))}
    request.odds = lambda: interception_odds(plans, known, [piece.name for piece in able])
    text = await request
    done = list(plans)
    taken: list[Piece] = []
    for part in split_list(text) if text != "none" else ():
        number, _, name = part.partition(" ")
        piece = next(one for one in pool if one.name == name)
        plan = done[int(number) - 1]
        await check_interception(game, plan, piece, foe, len(taken))
        done[int(number) - 1] = plan._replace(interceptor=piece)
        taken.append(piece)
    return done


def _leads(plans: Sequence[Plan]) -> list[Piece]:
    return [piece for plan in plans for piece in plan.group.pieces]


def _offers(game: IraqWar, plans: Sequence[Plan], ready: Sequence[Piece]) -> list[Choice]:
    """Every pairing that is not against the rules by what is known."""
    seen = {at: game.known_values(plan.group.lead) for at, plan in enumerate(plans, 1) if plan.group.lead}
    return [
        Choice(f"{at} {piece.name}", f"{piece.name} on {plan.group.title}", str(game.known_values(piece) or ""))
        for at, plan in enumerate(plans, 1)
        for piece in ready
        if not ((values := seen[at]) and values.stealth)
    ]


async def check_interception(game: IraqWar, plan: Plan, piece: Piece, foe: str, already: int) -> None:
    """[5.4.1] Stealth, Radar, Air Fields; and the unit's own values [5.3(2)]."""
    lead = plan.group.lead
    assert lead
    if (await game.air_values(lead)).stealth:
        game.forbid(f"{lead.name} has a white silhouette: its group cannot be intercepted", "5.4.1(1)", "Name another group")
    if foe == "iraq":
        check_sector(game, plan.sectors)
        check_airfields(game, [piece], already)
    await check_unit(game, piece, "intercept")
