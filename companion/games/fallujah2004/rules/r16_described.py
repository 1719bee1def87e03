"""A battle between forces that are only described: for a quick look-up at the table, and for odds [16.0]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.requests import Choice
from companion.core.text import clean, pick_name, plural, split_list
from companion.games.fallujah2004.names import BATTLE
from companion.games.fallujah2004.referee import Fallujah
from companion.games.fallujah2004.rules import r16_combat as combat
from companion.games.fallujah2004.rules.r16_battle import fight
from companion.games.fallujah2004.rules.r16_combat import Aloud
from companion.games.fallujah2004.rules.r16_stage import Battle, Fighter, Scene, Strike, Support
from companion.games.fallujah2004.words.counters import MOB, read_insurgent
from companion.games.fallujah2004.words.spaces import TERRAINS

CIRCUMSTANCES = ("leader", "fob", "engineer", "netwar", "node", "ambush", "civilians", "strongpoint", "air", "artillery", "soa")


def read_fires(text: str) -> list[tuple[int, int, int]]:
    """``4,3/2,3``: firepower of each unit; ``3/2`` is a unit of two strength steps with 2 on its reduced side.

    Returns (firepower, strength steps, reduced firepower) a unit.

    Raises:
        Unreadable: a part is no firepower, or there are none or more than twelve.
    """
    found = []
    for part in split_list(clean(text).replace(" ", ",")):
        front, slash, back = part.partition("/")
        if not front.isdecimal() or (slash and not back.isdecimal()) or int(front) > 9 or int(back or 0) > 9:
            raise Unreadable(f"'{part}' is not a firepower", rule="4.2", cure="Type them like this: 4,3/2,3")
        found.append((int(front), 2 if slash else 1, int(back or 0)))
    if not 1 <= len(found) <= 12:
        raise Unreadable(f"{plural(len(found), 'unit')} described, 1 to 12 needed", rule="4.2")
    return found


def _read_enemy(text: str) -> str:
    parts = split_list(clean(text).replace(" ", ","))
    if not 1 <= len(parts) <= 12:
        raise Unreadable(f"{plural(len(parts), 'OPFOR unit')} described, 1 to 12 needed", rule="4.6")
    return ",".join(MOB if part.casefold() == MOB else str(read_insurgent(part)) for part in parts)


def _read_extras(text: str) -> str:
    if clean(text).casefold() in ("", "nothing", "none", "-"):
        return "nothing"
    out = []
    for part in split_list(clean(text)):
        words = part.split()
        word = pick_name(words[0], CIRCUMSTANCES, "circumstance")
        if word in ("air", "artillery", "soa"):
            if len(words) != 2 or not words[1].isdecimal() or not 0 <= int(words[1]) <= 9:
                raise Unreadable(f"a strike needs its firepower: {word} 3", rule="4.3")
            word += f" {words[1]}"
        out.append(word)
    return ", ".join(out)


FIRES = Notation("firepowers", "4,3/2,3", lambda text: ",".join(f"{f}/{b}" if s == 2 else str(f) for f, s, b in read_fires(text)))
ENEMY = Notation("OPFOR units", "2(1),1(1),mob", _read_enemy)
EXTRAS = Notation("circumstances", "leader, netwar, air 3", _read_extras)


class Described(NamedTuple):
    """A described battle, with the support that comes in its first round; ``by``: whose rules of Collateral Damage were taken
    where that matters and no session says it, or "".
    """

    scene: Scene
    battle: Battle
    by: str = ""


async def describe(game: Fallujah) -> Described:
    """Ask for both forces and the circumstances, in the words of the table."""
    contact = await game.number("contact", "What is the contact of the Coalition's lead unit?", "16.1(2a)", 0, 9)
    fires = read_fires(await game.text("firepower", "Coalition firepowers? (4,3/2,3: the second has two steps)", "16.2", FIRES))
    enemy = (await game.text("opfor", "Which units has OPFOR, as firepower(contact)?", "16.2", ENEMY)).split(",")
    terrain = await game.choose("terrain", "Terrain", "16.5", [Choice(word, word) for word in TERRAINS], "urban")
    text = await game.text(
        "with",
        f"What else is there? {', '.join(CIRCUMSTANCES[:8])}, air 3, artillery 2, soa 4",
        "16.1",
        EXTRAS,
        suggest="nothing",
    )
    extras = [] if text == "nothing" else text.split(", ")
    by = await _which_battle(game, terrain, extras)
    scene = combat.scene(
        game,
        terrain,
        strongpoint="strongpoint" in extras,
        fob="fob" in extras,
        node_edge=int("node" in extras),
        ambush="ambush" in extras,
        civilians="civilians" in extras,
        first=by != _SECOND if by else None,
    )
    coalition = [
        Fighter(fire, contact, steps, back, contact, name=f"unit {number}") for number, (fire, steps, back) in enumerate(fires, 1)
    ]
    coalition[0] = coalition[0]._replace(engineer="engineer" in extras, leader="leader" in extras)
    opfor = tuple(_enemy(text, number) for number, text in enumerate(enemy, 1))
    strikes = tuple(
        Strike(int(word.split()[1]), word.startswith("soa"), name=f"{word.split()[0]} strike ({word.split()[1]})")
        for word in extras
        if word.split()[0] in ("air", "artillery", "soa")
    )
    return Described(scene, Battle(tuple(coalition), opfor, Support(strikes, "netwar" in extras)), by)


_FIRST, _SECOND = "Vigilant Resolve", "Phantom Fury"


async def _which_battle(game: Fallujah, terrain: str, extras: Sequence[str]) -> str:
    """[23.5] Whose rules hold, where they differ in this terrain, something does Collateral Damage and no session is played."""
    wild = any(word.split()[0] in ("air", "artillery", "civilians") for word in extras)
    if game.position.flag(BATTLE) or not wild or len({combat.collateral_here(game, terrain, one) for one in (True, False)}) == 1:
        return ""
    choices = [Choice(name, name) for name in (_FIRST, _SECOND)]
    return await game.choose("scenario", "Collateral Damage as in which scenario?", "23.5", choices, _FIRST)


def _enemy(text: str, number: int) -> Fighter:
    if text == MOB:
        return Fighter(0, 0, kind=MOB, name="Mob Attack")
    values = read_insurgent(text)
    return Fighter(values.fire, values.contact, kind="opfor", name=f"OPFOR {number}")


class Words(Aloud):
    """A battle that is only described: what the Morale Chart says is asked each time, and who withdraws withdraws whole."""

    async def stands(self, battle: Battle) -> bool:
        return await ask_response(self.game, "Does OPFOR stand or break off, by its Morale Chart?", "16.1(4b)") == "stand"


async def ask_response(game: Fallujah, prompt: str, rule: str, suggest: str | None = None) -> str:
    """[9.3(2)] What the owner reads off the Morale Chart."""
    held = [Choice("stand", "OPFOR stands"), Choice("break-off", "OPFOR breaks off")]
    return await game.choose("morale", prompt, rule, held, suggest)


async def described_battle(game: Fallujah) -> None:
    """[16.0] Resolve a described battle round by round; the OPs and KIA that it costs go on the tracks."""
    scene, battle, _ = await describe(game)
    await fight(Words(game, scene), battle)
