"""[15.2] Who controls the cities and ports that count."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.requests import Choice
from companion.core.words import clean, one_of, split_list
from companion.games.iraqwar2003.names import COALITION, IRAQ, NONE, bonus_flag, control_flag, is_none
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.words.counters import KDP, KURDISH

HOLDERS = (COALITION, *KURDISH, IRAQ)
"""``coalition``: American or British; the Kurds are told apart for their bonus on turn 2."""
BONUS_PLACES = ("Mosul", "Kirkuk", "Tikrit")


def holder(game: IraqWar, place: str) -> str:
    """Who holds a place: one of HOLDERS."""
    return str(game.position.flag(control_flag(place), IRAQ))


def changes_notation(places: Sequence[str]) -> Notation:
    """``Mosul kdp, Najaf coalition``; ``none``."""

    def read(text: str) -> str:
        plain = clean(text)
        if is_none(plain):
            return NONE
        found = []
        for part in split_list(plain):
            name, _, who = part.rpartition(" ")
            if not name:
                raise Unreadable(f"'{part}' says no place or nobody", rule="15.2", cure="Type it like this: Mosul kdp")
            found.append(f"{one_of(name, places, 'VP city or port')} {one_of(who, HOLDERS, 'holder')}")
        return ", ".join(found)

    return Notation("change of control", "Mosul kdp", read)


def apply_changes(game: IraqWar, text: str) -> None:
    """Sets what ``changes_notation`` has read."""
    for part in split_list(text) if text != NONE else ():
        place, _, who = part.rpartition(" ")
        if holder(game, place) == who:
            game.say(f"{place} is held by {who} already: no change.", "15.2")
            continue
        game.set_flag(control_flag(place), who, "15.2")
        game.say(f"{place} ({game.chart('places').number(place, 'vp')} VP) is held by {who}.", "15.2")


async def change_control(game: IraqWar) -> None:
    """[15.2] A city or port that counts has changed hands."""
    places = list(game.chart("places").rows)
    known = [Choice(f"{place} {who}", f"{place} to {who}") for place in places for who in HOLDERS if holder(game, place) != who]
    text = await game.text("control", "Which place, and who holds it now", "15.2", changes_notation(places), known)
    apply_changes(game, text)


async def ask_taken(game: IraqWar, side: str) -> None:
    """[15.2] After units have entered a hex: whether it is one that counts. Only then is anything asked about control."""
    places = list(game.chart("places").rows)
    choices = [
        *(Choice(place, place, f"{game.chart('places').number(place, 'vp')} VP") for place in places),
        Choice(NONE, "no VP city or port"),
    ]
    place = await game.choose("taken", "VP city or port entered", "15.2", choices, NONE)
    if place == NONE:
        return
    who = IRAQ
    if side == COALITION:
        who = await game.choose("holder", f"Who holds {place}", "15.2", [Choice(one, one) for one in HOLDERS[:3]], COALITION)
    apply_changes(game, f"{place} {who}")


async def kurdish_bonus(game: IraqWar) -> None:
    """[15.2] At the end of turn 2: +1 VP each for Mosul, Kirkuk and Tikrit in Kurdish hands (ruling C-14)."""
    held = [place for place in BONUS_PLACES if holder(game, place) in KURDISH]
    choices = [Choice(place, place, f"held by {holder(game, place)}") for place in BONUS_PLACES]
    told = await game.pick("kurds", "End of turn 2: which of these do the Kurds hold", "15.2", choices, suggest=held)
    for place in told:
        game.set_flag(bonus_flag(place), True, "15.2")
        if holder(game, place) not in KURDISH:
            game.set_flag(control_flag(place), KDP, "15.2")
    game.say(f"Kurdish bonus at the end of turn 2: {', '.join(told) or 'none'}, {len(told):+d} VP.", "15.2")
