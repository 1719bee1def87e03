"""[16.7, 16.9] Withdrawal from a battle, and evacuation by helicopter."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Impossible
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Pick, Text
from companion.games.fallujah2004.pieces import SOF_HELICOPTER, TRANSPORT, is_helicopter, is_iraqi, is_sof, type_of
from companion.games.fallujah2004.referee import Fallujah, deployed
from companion.games.fallujah2004.rules.r13_movement import amtrac_faults
from companion.games.fallujah2004.rules.r13_routes import Map, known_routes, may_go, route_fault
from companion.games.fallujah2004.rules.r16_stage import OddsOf
from companion.games.fallujah2004.words import spaces
from companion.games.fallujah2004.words.spaces import on_map


async def withdraw(game: Fallujah, space: str, present: Sequence[Piece], odds: OddsOf = None) -> set[str]:
    """[16.7] Some, none or all units one space back, to Coalition units or a base; helicopters may evacuate [16.9].

    Returns the ids of those who leave the battle; ``odds`` shows what staying leads to.
    """
    everybody = [piece.name for piece in present]
    request = Pick("withdraw", "Which units withdraw?", "16.7", game.unit_choices(present), suggest=everybody)
    request.odds = odds
    request.implied_reply = everybody if len(everybody) == 1 else None
    names = await request
    leaving = game.by_name(names, present)
    if not leaving:
        game.say("Nobody withdraws; the battle goes on.", "16.7")
        return set()
    refuge = await _refuge(game, space, leaving)
    if not refuge:
        game.say("There is nowhere to go: the battle goes on.", "16.7")
        return set()
    evacuated = await evacuate(game, space, leaving, present)
    for piece in leaving:
        if piece not in evacuated:
            game.move(piece.id, refuge, "16.7", "withdraws")
    return {piece.id for piece in leaving}


async def _refuge(game: Fallujah, space: str, leaving: Sequence[Piece]) -> str:
    """[16.7] The adjacent space with a Coalition combat unit, or the base, to which the force goes back, on the ground over no
    river [13.3]; "" for none.
    """
    held = havens(game, space)
    afoot = [piece for piece in leaving if not is_helicopter(piece)]
    dry = bool(afoot and amtrac_faults(game, afoot))
    while True:
        known = await known_routes(game)
        refuge = await _named(game, space, known, dry)
        if refuge == "none":
            return ""
        if refuge not in held:
            text = f"there is no Coalition unit in {game.title(refuge)}"
            game.forbid(text, "16.7", "Withdraw to Coalition units or a base")
        game.check(route_fault(game, known, [(space, refuge)], dry))
        if await may_go(game, known, [(space, refuge)], dry):
            return refuge


def havens(game: Fallujah, space: str) -> list[str]:
    """[16.7] The other spaces with a Coalition combat unit, and the bases."""
    held = sorted({piece.place for piece in deployed(game.position) if on_map(piece.place) and piece.place != space})
    return [*held, *spaces.BASES]


def in_reach(game: Fallujah, space: str, known: Map, dry: bool) -> list[str]:
    """[16.7] Those of them that are known to be adjacent, or may be by what is known; ``dry``: to who cannot cross a river."""
    able = [place for place in havens(game, space) if not route_fault(game, known, [(space, place)], dry)]
    return [place for place in able if known.open(space, place)]


async def cornered(game: Fallujah, space: str, present: Sequence[Piece]) -> bool:
    """[16.7] Whether none of these units can go anywhere, by what is known: they stay and fight."""
    wet = any(is_helicopter(piece) or not amtrac_faults(game, [piece]) for piece in present)
    return not in_reach(game, space, await known_routes(game), not wet)


async def _named(game: Fallujah, space: str, known: Map, dry: bool) -> str:
    """[16.7] Where they withdraw to. Offered is what can be; a single place that is known to be adjacent is where they go."""
    names = await game.place_names()
    near = in_reach(game, space, known, dry)
    choices = [Choice(place, game.title(place)) for place in near] + [Choice("none", "none is adjacent")]

    def read(text: str) -> str:
        if text.strip().casefold() == "none":
            return "none"
        place = spaces.read_space(text, names)
        if place == space:
            raise Impossible("that is where they are", rule="16.7", cure="Name an adjacent space or a base")
        return place

    prompt = "Where do they withdraw? (an adjacent space with a Coalition unit, or a base; none: they stay and fight)"
    request = Text("refuge", prompt, "16.7", Notation("space", "3-8", read), choices)
    if len(near) < 2 and all(known.joined(space, place) for place in near):
        request.implied_reply = near[0] if near else "none"
    return await request


async def evacuate(game: Fallujah, space: str, leaving: Sequence[Piece], force: Sequence[Piece]) -> list[Piece]:
    """[16.9] Each transport helicopter stacked with those who withdraw may fly one light unit (never Iraqi) to a base:
    one that withdraws with them, or one on station that is no part of the battle [24.2]; by a switch those of SOF too (ruling
    C-72).
    """
    gone: list[Piece] = []
    fighting_on = {piece.id for piece in force} - {piece.id for piece in leaving}
    stacked = [piece for piece in game.units_at(space) if piece.id not in fighting_on]
    lifters = (TRANSPORT, SOF_HELICOPTER) if game.option("evacuation") == "any_lift" else (TRANSPORT,)
    for helicopter in [piece for piece in stacked if type_of(piece) in lifters]:
        sof_only = type_of(helicopter) == SOF_HELICOPTER
        riders = [
            piece
            for piece in leaving
            if piece not in gone
            and not is_helicopter(piece)
            and game.unit_class(piece) == "light"
            and not is_iraqi(piece)
            and (not sof_only or is_sof(piece))
        ]
        if not riders:
            continue
        choices = [Choice(piece.name, piece.name) for piece in riders]
        names = await game.pick(
            "evacuate", f"{helicopter.name} may fly one light unit to a base. Which?", "16.9", choices, high=1, suggest=()
        )
        for piece in game.by_name(names, riders):
            base = await game.choose("base", "To which base?", "16.9", [Choice(base, base.title()) for base in spaces.BASES])
            game.move(piece.id, base, "16.9", "evacuated")
            game.move(helicopter.id, base, "16.9", "evacuates")
            gone += [piece, helicopter]
    return gone
