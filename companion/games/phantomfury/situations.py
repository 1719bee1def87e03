"""What can be asked of chance in Phantom Fury, each described in a few answers; and a described Assault to resolve."""

from __future__ import annotations

from companion.core.cups import contents
from companion.core.dice import grouped
from companion.core.errors import Unreadable
from companion.core.notation import Notation, read_lots
from companion.core.odds import Ended, Onward, distribution, settle
from companion.core.requests import Choice, Choose, Confirm, Number, Odds, Roll, Text
from companion.core.words import clean
from companion.games.phantomfury.chances import (
    assault_odds,
    crossing_rows,
    entry_odds,
    flood_odds,
    in_order,
)
from companion.games.phantomfury.counters import SUSPECT, insurgent_name, read_sides
from companion.games.phantomfury.defence import Entry
from companion.games.phantomfury.fire import Shot, chance, fire_hits, fire_modifiers, fire_outcomes
from companion.games.phantomfury.melee import assault_one, may_flood
from companion.games.phantomfury.referee import INSURGENTS_CUP, Fury
from companion.games.phantomfury.reorganise import regroup_modifier
from companion.games.phantomfury.scene import TYPES, Enemy, Field, Fighter, Scene
from companion.games.phantomfury.sniper import Street
from companion.games.phantomfury.untracked import read_enemy, short_enemy
from companion.games.phantomfury.zones import read_location

_WORDS = ("fortified", "mosque", "fury", "fanaticism", "element", "quiet", "caat", "reduced", "iif", "trapped")
NOTHING = "nothing"


def _read_enemies(text: str) -> str:
    found = []
    for part in clean(text).replace(" ", ",").split(","):
        if part:
            location, _, enemy = part.rpartition(":")
            found.append((f"{read_location(location)}:" if location else "") + short_enemy(read_enemy(enemy)))
    if not 1 <= len(found) <= 8:
        raise Unreadable(f"{len(found)} enemies described, 1 to 8 wanted", rule="13.4.8")
    return ",".join(found)


def _read_words(text: str) -> str:
    from companion.core.words import one_of

    plain = clean(text).casefold()
    if plain in ("", NOTHING, "none", "-"):
        return NOTHING
    return ", ".join(dict.fromkeys(one_of(word, _WORDS, "circumstance") for word in plain.replace(",", " ").split()))


ENEMY = Notation("enemy", "g2", lambda text: short_enemy(read_enemy(text)))
ENEMIES = Notation("enemies with their Locations", "2':s,1:g2", _read_enemies)
EXTRAS = Notation("circumstances", "fortified, fury", _read_words)


async def _extras(rule: str) -> list[str]:
    text = await Text("with", f"Besides: {', '.join(_WORDS)}", rule, EXTRAS, suggest=NOTHING)
    return [] if text == NOTHING else text.split(", ")


def sample_cup(game: Fury) -> tuple[tuple[str, int], ...]:
    """The Insurgents cup of the session, or our sample where there is none."""
    held = contents(game.position, INSURGENTS_CUP)
    if held:
        return tuple(held.items())
    lots: dict[str, int] = {}
    for values, count in read_lots(game.chart("sample").text("insurgents", "values")):
        lots[insurgent_name(*read_sides(values))] = count
    return tuple(sorted(lots.items()))


async def describe(game: Fury, enemies: tuple[Enemy, ...], rule: str) -> Scene:
    """The rest of a described scene: the squad's CF as it is now, and the circumstances."""
    cf = await Number("cf", "CF of the squad as it is now", rule, 1, 9, 5)
    words = await _extras(rule)
    steps = 1 if "reduced" in words else 2
    squad = Fighter(cf + int(steps == 1), steps, caat="caat" in words, iif="iif" in words)
    return Scene(
        squad,
        enemies,
        "fortified" in words or "mosque" in words,
        "mosque" in words,
        "fury" in words,
        "fanaticism" in words,
        "element" in words,
        "quiet" in words,
        "trapped" not in words,
        cup=sample_cup(game),
    )


async def _type() -> str:
    return await Choose("type", "Type of the Assault", "13.0", [Choice(one, one) for one in TYPES], TYPES[0])


async def odds_of_assault(game: Fury) -> Odds:
    """One Assault of any type, with or without explosives."""
    enemy = read_enemy(await Text("enemy", "Against: s (Suspect), g2 (Guerillas CF 2), m3 (Martyrs CF 3)", "13.4", ENEMY))
    kind = await _type()
    scene = await describe(game, (enemy,), "13.4")
    explosives = await Confirm("explosives", "With explosives", "13.7.1", False)
    return assault_odds(game, scene, kind, explosives)


def _listed(text: str) -> list[tuple[str, Enemy]]:
    found = []
    for part in text.split(","):
        location, _, enemy = part.rpartition(":")
        found.append((location or "1", read_enemy(enemy)))
    return found


async def odds_of_flood(game: Fury) -> Odds:
    """[13.4.8] Flooding to its end."""
    text = await Text("enemies", "Enemies left in the Zone, with their Locations: 2':s,1:g2", "13.4.8", ENEMIES)
    return flood_odds(game, await describe(game, in_order(_listed(text)), "13.4.8"))


async def odds_of_entry(game: Fury) -> Odds:
    """[12.7] Defensive Fire on entering a Courtyard or Open Ground."""
    text = await Text("enemies", "Enemies in the Zone: g2,s,s", "12.7", ENEMIES)
    location = await Choose("location", "Entering", "12.7.1", [Choice("C", "Courtyard"), Choice("OG", "Open Ground")], "C")
    tank = location == "OG" and await Confirm("tank", "With an M1A1 in Open Ground", "12.7.2", False)
    element = location == "C" and await Confirm("detach", "Security Element detached in the Courtyard", "12.7.2", False)
    ruins = location == "C" and await Confirm("ruins", "A Ruins Zone", "12.7.2", False)
    found = sorted((enemy for _, enemy in _listed(text)), key=lambda one: one.kind == SUSPECT)
    scene = await describe(game, tuple(found), "12.7")
    scene = scene._replace(squad=scene.squad._replace(element=element))
    return entry_odds(game, scene, Entry(location, tank, element, ruins))


async def odds_of_fire(game: Fury) -> Odds:
    """[11.2] A hit by fire."""
    cf = await Number("cf", "CF of the firer, with CAAT Ammo if used", "11.2.2", 1, 12)
    enemy = read_enemy(await Text("enemy", "At: s, g2, m3", "11.2.1", ENEMY))
    roof = await Confirm("roof", "On a Rooftop", "11.2.1", False)
    words = await _extras("11.2.1")
    shot = Shot(cf, enemy.kind, roof, "fortified" in words or "mosque" in words, "fury" in words)

    async def play() -> bool:
        roll = await Roll("fire", "", "11.2.1", sides=10, lowest=0, outcomes=lambda: fire_outcomes(shot))
        return fire_hits(roll[0], shot)

    results = distribution(play)
    lines = ", ".join(f"{value:+d} {label}" for label, value in fire_modifiers(shot)) or "none"
    rows = (("hit", results.get(True, 0.0)), ("no effect", results.get(False, 0.0)))
    assert abs(chance(shot) - results.get(True, 0.0)) < 1e-9
    return Odds("Fire Combat", "11.2", (("The shot is a", rows),), (), (f"Modifiers: {lines}.",))


async def odds_of_crossing(game: Fury) -> Odds:
    """[12.5.2] Crossing a street."""
    units = await Number("units", "Insurgents units beside the street", "11.4.2.1", 0, 12, 0)
    suspects = await Number("suspects", "Suspects beside the street", "11.4.2.1", 0, 12, 0)
    tank = await Confirm("tank", "An M1A1 in the street", "11.4.2.2", False)
    return Odds("Crossing a street", "12.5.2", (("The squad is", crossing_rows(Street(units, suspects, tank))),))


async def odds_of_mission(game: Fury) -> Odds:
    """[9.1] Call a number of Missions in a row or stop at the first failure."""
    chart = game.chart("missions")
    names = list(chart.rows)
    choices = [Choice(name, chart.text(name, "title")) for name in names]
    which = await Choose("mission", "Which Mission is called each time", "9.3", choices, "uav")
    most = chart.number(which, "max") - (game.position.track(which) if game.position.track("turn") else 0)
    times = await Number("times", "How many times at most", "9.2", 1, max(most, 1), min(2, max(most, 1)))
    need = chart.number(which, "success_to")

    async def play(state: int) -> Onward | Ended:
        roll = await Roll("mission", "", "9.1", sides=10, lowest=0, outcomes=lambda: grouped(1, 10, 0, lambda f: f[0] <= need))
        if roll[0] > need:
            reaction = await Roll("reaction", "", "9.4.1", sides=10, lowest=0)
            return Ended((times - state, game.chart("reactions").text(reaction[0], "title")))
        return Onward(state - 1) if state > 1 else Ended((times, ""))

    results = settle(times, play)
    done: dict[str, float] = {}
    reacts: dict[str, float] = {"none": 0.0}
    for ((many, title), _), share in results.items():
        done[f"{many} succeed"] = done.get(f"{many} succeed", 0.0) + share
        reacts[title or "none"] = reacts.get(title or "none", 0.0) + share
    return Odds("Missions in a row", "9.1", (("Missions", tuple(sorted(done.items()))), ("Reaction", tuple(reacts.items()))))


async def odds_of_regrouping(game: Fury) -> Odds:
    """[14.3.4] Whether a Pinned squad regroups, this turn and in the turns after."""
    cf = await Number("cf", "CF of the Pinned squad", "14.3.4", 1, 9)
    places = {"elsewhere": "", "courtyard": "1-C", "open": "1-OG", "street": "street a"}
    where = await Choose("at", "Where it is", "14.3.4", [Choice(one, one) for one in places], "elsewhere")
    need = cf - regroup_modifier(places[where], False)

    async def play() -> bool:
        roll = await Roll("regroup", "", "14.3.4", sides=10, lowest=0, outcomes=lambda: grouped(1, 10, 0, lambda f: f[0] <= need))
        return roll[0] <= need

    good = distribution(play).get(True, 0.0)
    rows = tuple((f"by the end of turn {turn}", 1 - (1 - good) ** turn) for turn in (1, 2, 3))
    return Odds("Regrouping", "14.3.4", (("No longer Pinned", rows),), (), ("Automatic with no enemy around.",))


class Told(Field):
    """A described Assault: says what happens, and there is nothing to move."""

    def __init__(self, game: Fury) -> None:
        self.game = game

    def say(self, text: str, rule: str, *because: str) -> None:
        self.game.say(text, rule, *because)

    async def explosives(self, scene: Scene, kind: str, fresh: bool) -> bool:
        if not scene.squad.caat:
            return False
        return await Confirm("explosives", "Use explosives", "13.7.1", False)

    async def drawn(self, name: str, kind: str, rule: str, face: int) -> None:
        self.game.say(f"The Suspect: {face}, {kind.title()} ({name}).", rule)

    async def pinned(self, rule: str, why: str) -> None:
        self.game.say("The squad is Pinned.", "11.5", why)

    async def hurt(self, who: str, rule: str, why: str) -> None:
        self.game.say(f"A Step Loss on the {'CAAT' if who == 'caat' else 'squad'}.", "5.1.1.1", why)

    async def eliminated(self, rule: str, why: str) -> None:
        self.game.say("The unit is eliminated.", "5.2.1", why)

    async def destroyed(self, rule: str, why: str) -> None:
        self.game.say("The squad is eliminated.", rule, why)

    async def retreat(self, scene: Scene) -> bool:
        return await Confirm("retreats", "Does an Egress Route let the Guerillas out", "13.6.2", True)


async def described_assault(game: Fury) -> None:
    """[13.4] Resolve an Assault that is only described; nothing is moved in the session."""
    enemy = read_enemy(await Text("enemy", "Against: s, g2, m3", "13.4", ENEMY))
    kind = await _type()
    scene = await describe(game, (enemy,), "13.4")
    out = await assault_one(game, scene, kind, Told(game))
    if out.scene.squad.steps:
        free = out.empty and not out.scene.squad.pinned
        game.say("The squad enters the Location." if free else "The squad stays where it is.", "13.4.7.2")
    if out.scene.enemies and may_flood(out.scene):
        game.say("It can go on with Flooding.", "13.4.8", tone="reminder")
