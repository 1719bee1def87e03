"""[16.0] A battle that is only described: its forces and circumstances, asked one by one.

The rules of battles are imported after the first questions: a status asks for first questions only.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Unreadable
from companion.core.hints import TYPE_CHECKING
from companion.core.named_tuple import NamedTuple
from companion.core.notation import Notation
from companion.core.requests import Choice
from companion.core.text import clean, pick_name, plural, split_list
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.referee import FallujahReferee

if TYPE_CHECKING:
    from companion.games.fallujah2004.rules.r16_battle import Battle, Conditions, Fighter

STRIKES = ("air", "artillery", "soa")
CIRCUMSTANCES = ("leader", "fob", "engineer", "netwar", "node", "ambush", "civilians", "strongpoint", *STRIKES)


def read_fires(text: str) -> list[tuple[int, int, int]]:
    """Read ``4,3/2,3`` as (firepower, steps, reduced firepower) of up to 12 units; ``3/2``: two steps. Raises `Unreadable`."""
    fires = []
    for part in split_list(clean(text).replace(" ", ",")):
        front, slash, back = part.partition("/")
        if not front.isdecimal() or (slash and not back.isdecimal()) or int(front) > 9 or int(back or 0) > 9:
            raise Unreadable(f"'{part}' is not a firepower", rule="4.2", cure="Type them like this: 4,3/2,3")
        fires.append((int(front), 2 if slash else 1, int(back or 0)))
    if not 1 <= len(fires) <= 12:
        raise Unreadable(f"{plural(len(fires), 'unit')} described, 1 to 12 needed", rule="4.2")
    return fires


def _read_enemy(text: str) -> str:
    parts = split_list(clean(text).replace(" ", ","))
    if not 1 <= len(parts) <= 12:
        raise Unreadable(f"{plural(len(parts), 'OPFOR unit')} described, 1 to 12 needed", rule="4.6")
    return ",".join(notation.MOB if part.casefold() == notation.MOB else str(notation.read_insurgent(part)) for part in parts)


def _read_extras(text: str) -> str:
    if clean(text).casefold() in ("", "nothing", "none", "-"):
        return "nothing"
    extras = []
    for part in split_list(clean(text)):
        words = part.split()
        word = pick_name(words[0], CIRCUMSTANCES, "circumstance")
        if word in STRIKES:
            if len(words) != 2 or not words[1].isdecimal() or not 0 <= int(words[1]) <= 9:
                raise Unreadable(f"a strike needs its firepower: {word} 3", rule="4.3")
            word += f" {words[1]}"
        extras.append(word)
    return ", ".join(extras)


FIRES = Notation("firepowers", "4,3/2,3", lambda text: ",".join(f"{f}/{b}" if s == 2 else str(f) for f, s, b in read_fires(text)))
ENEMY = Notation("OPFOR units", "2(1),1(1),mob", _read_enemy)
EXTRAS = Notation("circumstances", "leader, netwar, air 3", _read_extras)


class Description(NamedTuple):
    """A described battle with its first-round support; `by`: the scenario whose Collateral Damage rules were chosen, or ""."""

    scene: Conditions
    battle: Battle
    by: str = ""


async def describe(referee: FallujahReferee) -> Description:
    """Ask for both forces and the circumstances of a battle that is only described."""
    contact = await referee.number("contact", "What is the contact of the Coalition's lead unit?", "16.1(2a)", 0, 9)
    fires = await referee.text("firepower", "Coalition firepowers? (4,3/2,3: the second has two steps)", "16.2", FIRES)
    enemies = (await referee.text("opfor", "Which units has OPFOR, as firepower(contact)?", "16.2", ENEMY)).split(",")
    terrain = await referee.choose("terrain", "Terrain", "16.5", [Choice(word, word) for word in notation.TERRAINS], "urban")
    prompt = f"What else is there? {', '.join(CIRCUMSTANCES[:8])}, air 3, artillery 2, soa 4"
    text = await referee.text("with", prompt, "16.1", EXTRAS, suggest="nothing")
    extras = [] if text == "nothing" else text.split(", ")
    from companion.games.fallujah2004.rules import r16_combat
    from companion.games.fallujah2004.rules.r16_battle import Battle, Fighter, Strike, Support

    by = await _which_battle(referee, terrain, extras)
    scene = r16_combat.conditions(
        referee,
        terrain,
        strongpoint="strongpoint" in extras,
        fob="fob" in extras,
        node_edge=int("node" in extras),
        ambush="ambush" in extras,
        civilians="civilians" in extras,
        first=by != _SECOND if by else None,
    )
    coalition = [
        Fighter(fire, contact, steps, back, contact, name=f"unit {number}")
        for number, (fire, steps, back) in enumerate(read_fires(fires), 1)
    ]
    coalition[0] = coalition[0]._replace(engineer="engineer" in extras, leader="leader" in extras)
    opfor = tuple(_enemy(text, number) for number, text in enumerate(enemies, 1))
    fire_support = (word.split() for word in extras if word.split()[0] in STRIKES)
    strikes = tuple(Strike(int(fire), kind == "soa", name=f"{kind} strike ({fire})") for kind, fire in fire_support)
    return Description(scene, Battle(tuple(coalition), opfor, Support(strikes, "netwar" in extras)), by)


_FIRST, _SECOND = "Vigilant Resolve", "Phantom Fury"


async def _which_battle(referee: FallujahReferee, terrain: str, extras: Sequence[str]) -> str:
    """[23.5] Ask which scenario's rules apply where they differ and matter, if no session says so."""
    from companion.games.fallujah2004.rules.r16_combat import collateral_here

    risky = any(word.split()[0] in ("air", "artillery", "civilians") for word in extras)
    costs = {collateral_here(referee, terrain, first) for first in (True, False)}
    if referee.position.flag(state.BATTLE) or not risky or len(costs) == 1:
        return ""
    choices = [Choice(name, name) for name in (_FIRST, _SECOND)]
    return await referee.choose("scenario", "Collateral Damage as in which scenario?", "23.5", choices, _FIRST)


def _enemy(text: str, number: int) -> Fighter:
    from companion.games.fallujah2004.rules.r16_battle import Fighter

    if text == notation.MOB:
        return Fighter(0, 0, kind=notation.MOB, name="Mob Attack")
    values = notation.read_insurgent(text)
    return Fighter(values.fire, values.contact, kind="opfor", name=f"OPFOR {number}")


async def described_battle(referee: FallujahReferee) -> None:
    """[16.0] Resolve a described battle round by round; its OPs and KIA go on the tracks."""
    scene, battle, _ = await describe(referee)
    from companion.games.fallujah2004.rules import r16_battle, r16_combat

    await r16_battle.play_rounds(r16_combat.DescribedBattle(referee, scene), battle)
