"""A battle between forces that are only described: for a quick look-up at the table, and for odds [16.0]."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.requests import Choice
from companion.games.fallujah2004.referee import Fallujah
from companion.games.fallujah2004.rules import r16_combat as combat
from companion.games.fallujah2004.rules.r16_battle import fight
from companion.games.fallujah2004.rules.r16_combat import Aloud
from companion.games.fallujah2004.rules.r16_stage import Battle, Fighter, Scene, Strike, Support
from companion.games.fallujah2004.words.counters import MOB, read_insurgent
from companion.games.fallujah2004.words.described import CIRCUMSTANCES, ENEMY, EXTRAS, FIRES, read_fires
from companion.games.fallujah2004.words.spaces import TERRAINS


class Described(NamedTuple):
    """A described battle, with the support that comes in its first round."""

    scene: Scene
    battle: Battle


async def describe(game: Fallujah) -> Described:
    """Ask for both forces and the circumstances, in the words of the table."""
    contact = await game.number("contact", "Contact of the Coalition lead unit", "16.1(2a)", 0, 9)
    fires = read_fires(await game.text("firepower", "Coalition firepowers (4,3/2,3: the second is two-step)", "16.2", FIRES))
    enemy = (await game.text("opfor", "OPFOR units, firepower(contact)", "16.2", ENEMY)).split(",")
    terrain = await game.choose("terrain", "Terrain", "16.5", [Choice(word, word) for word in TERRAINS], "urban")
    text = await game.text(
        "with", f"Besides: {', '.join(CIRCUMSTANCES[:8])}, air 3, artillery 2, soa 4", "16.1", EXTRAS, suggest="nothing"
    )
    extras = [] if text == "nothing" else text.split(", ")
    scene = combat.scene(
        game,
        terrain,
        strongpoint="strongpoint" in extras,
        fob="fob" in extras,
        node_edge=int("node" in extras),
        ambush="ambush" in extras,
        civilians="civilians" in extras,
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
    return Described(scene, Battle(tuple(coalition), opfor, Support(strikes, "netwar" in extras)))


def _enemy(text: str, number: int) -> Fighter:
    if text == MOB:
        return Fighter(0, 0, kind=MOB, name="Mob Attack")
    values = read_insurgent(text)
    return Fighter(values.fire, values.contact, kind="opfor", name=f"OPFOR {number}")


class Words(Aloud):
    """A battle that is only described: what the Morale Chart says is asked each time, and who withdraws withdraws whole."""

    async def stands(self, battle: Battle) -> bool:
        return await ask_response(self.game, "OPFOR Morale Chart: stand or break-off", "16.1(4b)") == "stand"


async def ask_response(game: Fallujah, prompt: str, rule: str, suggest: str | None = None) -> str:
    """[9.3(2)] What the owner reads off the Morale Chart."""
    held = [Choice("stand", "OPFOR stands"), Choice("break-off", "OPFOR breaks off")]
    return await game.choose("morale", prompt, rule, held, suggest)


async def described_battle(game: Fallujah) -> None:
    """[16.0] Resolve a described battle round by round; the OPs and KIA that it costs go on the tracks."""
    scene, battle = await describe(game)
    await fight(Words(game, scene), battle)
