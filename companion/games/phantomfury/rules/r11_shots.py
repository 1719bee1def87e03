"""[11.2, 11.4, 12.7] Shots, Sniper Attacks and Defensive Fire: modifiers, dice, effects."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from companion.core.named_tuple import NamedTuple
from companion.core.odds import distribution
from companion.core.position import Piece
from companion.core.requests import LazyText
from companion.core.text import die_range, plural
from companion.games.phantomfury import state
from companion.games.phantomfury.referee import FuryReferee
from companion.games.phantomfury.rules import r03_basics, r13_combat
from companion.games.phantomfury.rules.r13_combat import Scene, Stage

AMMO_BONUS = 2
"""[11.1.2.1] The CF bonus of CAAT Ammo."""


class Shot(NamedTuple):
    """A shot as a value: the firer's CF, the target's kind, whether it is on a Rooftop or in a Fortified Zone, Phantom Fury."""

    cf: int
    target: state.EnemyKind
    roof: bool
    strong: bool
    fury: bool = False


def fire_modifiers(referee: FuryReferee, shot: Shot) -> r03_basics.Lines:
    """[11.2.1] The modifiers of a shot."""
    unit = shot.target in (state.GUERILLAS, state.MARTYRS)
    applies = (
        "not_roof" if unit and not shot.roof else "",
        "fortified" if unit and shot.strong else "",
        "martyrs" if shot.target == state.MARTYRS and not shot.strong else "",
        "suspect" if shot.target == state.SUSPECT else "",
        "fury" if shot.fury else "",
    )
    return r03_basics.modifiers(referee, "fire_modifiers", "modifier", *applies)


async def shoot(referee: FuryReferee, shot: Shot, prompt: LazyText) -> tuple[int, bool]:
    """[11.2.2 - 11.2.4] Roll the shot: (face, effect). An unmodified 9 never has an effect."""
    plus = r03_basics.total(fire_modifiers(referee, shot))
    face = await r03_basics.d10("fire", prompt, "11.2.1", lambda die: r03_basics.hits(die, plus, shot.cf))
    return face, r03_basics.hits(face, plus, shot.cf)


def after_fire(face: int, count: int) -> tuple[bool, bool]:
    """[11.4.1.1, 11.4.1.2] (Pinned, Step Loss) for a die against a number of enemies."""
    return face <= count, face == 0


async def roll_sniper(name: str, count: int) -> tuple[int, bool, bool]:
    """[11.4.1.1, 11.4.1.2] Roll for a Sniper: (face, Pinned, Step Loss)."""
    prompt = f"Sniper Attack on {name}: Pinned on {die_range(0, count, 9)}, and on 0 a Step Loss too"
    face = await r03_basics.d10("sniper", prompt, "11.4.1.1", lambda die: after_fire(die, count))
    return face, *after_fire(face, count)


async def attack(referee: FuryReferee, squad: Piece, extra: Iterable[str], rule: str) -> None:
    """[11.4.1] Roll against the number of enemies in the Zones around the squad and in ``extra`` ones."""
    zone = state.zone_of(squad.place)
    around = list(dict.fromkeys([*await referee.around(zone, rule), *extra]))
    units, suspects = referee.enemy_counts(other for other in around if other != zone)
    count = units + suspects
    if not count:
        referee.say(f"No enemy around {squad.name}: no Sniper Attack.", "11.4.1.1")
        return
    face, pinned, loss = await roll_sniper(squad.name, count)
    enemies = f"{plural(units, 'Insurgents unit')} and {plural(suspects, 'Suspect')} in Zones {', '.join(around)}"
    text = f"Sniper Attack on {squad.name}: {face}, hits on {die_range(0, count, 9)}: {'HIT' if pinned else 'miss'}."
    referee.say(text, "11.4.1.1", enemies, referee.enemies_text(around))
    if not pinned:
        return
    r03_basics.pin(referee, squad, "11.4.1.1", "Sniper")
    if loss:
        await r03_basics.step_loss(referee, squad, "11.4.1.2", "Sniper, a 0")


class Street(NamedTuple):
    """What a squad meets in a Street Section: units and Suspects beside it, and whether an M1A1 is there."""

    units: int
    suspects: int
    tank: bool = False


async def in_street(street: Street) -> tuple[bool, bool, tuple[int, ...]]:
    """[11.4.2.1, 11.4.2.2, 11.4.2.3] Roll for a crossing: (Step Loss, Pinned, dice rolled)."""
    loss = pinned = False
    faces: tuple[int, ...] = ()
    for key, enemies in (("units", street.units), ("suspects", 0 if street.tank else street.suspects)):
        if not enemies:
            continue
        word = "a Step Loss" if key == "units" and not street.tank else "Pinned"
        who = plural(enemies, "Insurgents unit" if key == "units" else "Suspect")
        prompt = f"Crossing under {who}: {word} on {die_range(0, enemies, 9)}"
        face = await r03_basics.d10(key, prompt, "11.4.2.1", lambda die, most=enemies: die <= most)  # type: ignore[misc]
        faces = (*faces, face)
        loss, pinned = loss or (face <= enemies and word != "Pinned"), pinned or (face <= enemies and word == "Pinned")
    return loss, pinned, faces


@lru_cache(maxsize=1024)
def crossing_results(street: Street) -> dict[tuple[bool, bool], float]:
    """[11.4.2] The distribution of (Step Loss, Pinned) in a street."""

    async def play() -> tuple[bool, bool]:
        loss, pinned, _ = await in_street(street)
        return loss, pinned

    return distribution(play)


def crossing_text(loss: bool, pinned: bool) -> str:
    """The result of a crossing in words: ``a Step Loss and Pinned``."""
    return " and ".join(word for word, hit in (("a Step Loss", loss), ("Pinned", pinned)) if hit) or "unharmed"


def street_at(referee: FuryReferee, section: str) -> Street:
    """[11.4.2, 4.3.1.2] The enemies beside a Street Section and in its lines of fire, and whether an M1A1 is in it."""
    units, suspects = referee.enemy_counts(referee.town.sections[section].beside)
    return Street(units, suspects, referee.tank_in(state.street(section)) is not None)


class EntryPlace(NamedTuple):
    """The Location that a squad enters, Open Ground or Courtyard, and what covers it there [12.7.2]."""

    location: str
    tank: bool = False
    element: bool = False
    ruins: bool = False


def draws_fire(referee: FuryReferee, where: str) -> bool:
    """[12.7.1] True if a squad that enters a place draws Defensive Fire: C or OG of a Zone of the insurgents."""
    return state.location_of(where) in ("C", "OG") and not referee.is_controlled(state.zone_of(where))


def defence_modifiers(referee: FuryReferee, scene: Scene, entry: EntryPlace) -> r03_basics.Lines:
    """[12.7.2] The modifiers of an Insurgents unit's die; cumulative (ruling C-43)."""
    open_ground = entry.location == "OG"
    applies = (
        "fanaticism" if scene.fanatic else "",
        "tank" if open_ground and entry.tank else "",
        "alone" if open_ground and not entry.tank else "",
        "element" if entry.element and not open_ground else "",
        "ruins" if entry.ruins and not open_ground else "",
    )
    return r03_basics.modifiers(referee, "defence_modifiers", "modifier", *applies)


def defence_result(final: int, cf: int) -> str:
    """[12.7.2] Below the CF a Step Loss, equal to it Pinned, above it nothing."""
    return "loss" if final < cf else "pinned" if final == cf else ""


_EFFECTS = {"loss": "Step Loss", "pinned": "Pinned", "": "no effect"}


async def resolve_defender(referee: FuryReferee, scene: Scene, entry: EntryPlace, stage: Stage) -> tuple[Scene, bool]:
    """[12.7.2, 12.7.3] The first enemy fires, a Suspect if it is Activated. Returns the scene, and whether that enemy remains."""
    if scene.enemies[0].kind == state.SUSPECT:
        cf, who = scene.squad.now, f"Suspect{stage.at}"
        prompt = f"{who}: quiet on {die_range(0, cf)}, Activated on {die_range(cf + 1, 9)}"
        face = await r03_basics.d10("wakes", prompt, "12.7.3", lambda die: die > cf)
        if face <= cf:
            stage.say(f"{who}: {face}, quiet on {die_range(0, cf)}. It keeps quiet.", "12.7.3")
            return scene, True
        stage.say(f"{who}: {face}, quiet on {die_range(0, cf)}. It is ACTIVATED.", "12.7.3")
        scene = await r13_combat.reveal(referee, scene, stage)
        after = await r13_combat.without_unit(scene, stage)
        if after is not None:
            return after, False
    return await unit_fires(referee, scene, entry, stage), True


async def unit_fires(referee: FuryReferee, scene: Scene, entry: EntryPlace, stage: Stage) -> Scene:
    """[12.7.2] One Insurgents unit fires."""
    enemy = scene.enemies[0]
    lines = defence_modifiers(referee, scene, entry)
    extra = r03_basics.total(lines)

    def prompt() -> str:
        effects = [_EFFECTS[defence_result(die + extra, enemy.cf)] for die in r03_basics.FACES]
        return f"{enemy.kind.title()} CF {enemy.cf} fire as you enter: {r03_basics.faces_text(effects)}"

    face = await r03_basics.d10("defence", prompt, "12.7.2", lambda die: defence_result(die + extra, enemy.cf))
    result = defence_result(face + extra, enemy.cf)
    word = {"loss": "STEP LOSS", "pinned": "PINNED", "": "No effect"}[result]
    stage.say(
        lambda: f"Defensive Fire of {enemy.kind.title()} CF {enemy.cf}: {r03_basics.die_text(face, lines)}. {word}.",
        "12.7.2",
        lambda: r03_basics.modifiers_text(lines),
    )
    if result == "loss":
        return await r13_combat.lose_step(scene, stage, "12.7.2", "Defensive Fire")
    return await r13_combat.pinned(scene, stage, "12.7.2", "Defensive Fire") if result else scene


def entry_at(referee: FuryReferee, squad: Piece, where: str) -> EntryPlace:
    """[12.7.2] What covers a squad that enters a Courtyard or Open Ground."""
    zone = state.zone_of(where)
    at_home = any(element.place == where and element.values.get("squad") == squad.id for element in referee.elements_in(zone))
    tank = referee.tank_in(state.place(zone, "OG")) is not None
    return EntryPlace(state.location_of(where), tank, at_home, referee.zone_marker(zone, state.RUBBLE) is not None)


def defenders(referee: FuryReferee, zone: str) -> list[Piece]:
    """[12.7.1] The enemies that defend a Zone, in order: units, then Suspects (ruling C-11)."""
    return sorted(referee.enemies_in(zone), key=lambda piece: piece.kind == state.SUSPECT)
