"""[11.0] The Fire Combat Phase: one unit fires at one target."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.dice import Outcome, grouped
from companion.core.errors import Impossible
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm, Odds, Roll
from companion.games.phantomfury.counters import GUERILLAS, MARTYRS, SUSPECT, enemy_text, kind_of
from companion.games.phantomfury.losses import eliminate_enemy
from companion.games.phantomfury.referee import FIRE, Fury, controlled, fortified, usmc_units_in
from companion.games.phantomfury.sniper import attack
from companion.games.phantomfury.suspects import AMBUSH, activate_suspect, remove_suspect
from companion.games.phantomfury.town import location_of, section_of, zone_of

AMMO_BONUS = 2


class Shot(NamedTuple):
    """Everything that a Fire Combat depends on: the firer's CF, the target, where it is, and Phantom Fury."""

    cf: int
    target: str
    roof: bool
    strong: bool
    fury: bool = False


Lines = tuple[tuple[str, int], ...]


def fire_modifiers(shot: Shot) -> Lines:
    """[11.2.1] What is added to the die, one by one."""
    unit = shot.target in (GUERILLAS, MARTYRS)
    found = [("Insurgents not on a Rooftop", 1)] if unit and not shot.roof else []
    found += [("Insurgents in a Fortified Zone", 2)] if unit and shot.strong else []
    found += [("Martyrs in a Normal Zone", 1)] if shot.target == MARTYRS and not shot.strong else []
    found += [("Suspect", 1)] if shot.target == SUSPECT else []
    found += [("Phantom Fury", -1)] if shot.fury else []
    return tuple(found)


def fire_hits(face: int, shot: Shot) -> bool:
    """[11.2.2 - 11.2.4] Whether the shot has its effect: never on an unmodified 9."""
    return face != 9 and face + sum(value for _, value in fire_modifiers(shot)) <= shot.cf


def fire_outcomes(shot: Shot) -> tuple[Outcome, ...]:
    """A hit or none."""
    return grouped(1, 10, 0, lambda faces: fire_hits(faces[0], shot))


def shot_at(game: Fury, firer: Piece, target: Piece, ammo: bool) -> Shot:
    """The shot as it stands on the table."""
    zone = zone_of(target.place)
    cf = firer.number("cf") if firer.kind == "tank" else game.cf(firer) + (AMMO_BONUS if ammo else 0)
    fury = firer.kind == "squad" and game.near_fury(zone_of(firer.place))
    return Shot(cf, kind_of(target), location_of(target.place) == "R", fortified(game.position, zone), fury)


async def zones_in_range(game: Fury, firer: Piece) -> tuple[str, ...]:
    """[11.1, 4.1.2.1, 4.3.1.2] The Zones that a unit can fire into: around it, and along its lines of fire."""
    section = section_of(firer.place)
    if section:
        told = await game.section(section, "11.1")
        return tuple(dict.fromkeys([*told.zones, *told.fire]))
    zone = zone_of(firer.place)
    around = await game.around(zone, "11.1")
    if not game.tracked(zone):  # the player sees what is in range
        return tuple(one for one in game.zones() if one != zone)
    return tuple(dict.fromkeys([*around, *game.town.zones[zone].fire]))


def cannot_fire(game: Fury, firer: Piece) -> tuple[str, str] | None:
    """Why a unit cannot fire at all: (why, rule)."""
    if firer.mark("pinned"):
        return f"{firer.name} is Pinned", "11.5"
    if firer.mark("fired"):
        return f"{firer.name} has Fired", "11.3"
    if firer.kind == "tank":
        return (f"{firer.name} is in Open Ground, not in a street", "11.1.3") if zone_of(firer.place) else None
    if section_of(firer.place):
        return f"{firer.name} is in the street", "11.1"
    zone = zone_of(firer.place)
    return None if controlled(game.position, zone) else (f"Zone {zone} is not under USMC Control", "11.1")


async def fire(game: Fury) -> None:
    """[11.1, 11.2] One unit fires at one target."""
    game.begin(FIRE)
    units = [*game.squads(), *game.tanks()]
    firer = await game.ask_unit("unit", "Who fires", "11.1", units, lambda one: cannot_fire(game, one))
    target = await ask_target(game, firer)
    ammo = await ask_ammo(game, firer, target)
    shot = shot_at(game, firer, target, ammo)
    game.mark(firer.id, "fired", True, "11.3", "has Fired")
    if ammo:
        left = int(firer.mark("ammo", 0) or 0) - 1
        game.mark(firer.id, "ammo", left or None, "11.1.2.1", "one shot of the CAAT")
    lines = fire_modifiers(shot)
    extra = sum(value for _, value in lines)
    prompt = f"{firer.name} at {enemy_text(target)}, {target.place}: {shot.cf - extra} or less hits"
    roll = await Roll("fire", prompt, "11.2.1", sides=10, lowest=0, outcomes=lambda: fire_outcomes(shot))
    text = "".join(f"{value:+d}" for _, value in lines)
    said = (
        f"{firer.name} fires at {enemy_text(target)} at {target.place}: {roll[0]}{text} = {roll[0] + extra} against CF {shot.cf}"
    )
    because = [f"{value:+d} {label}" for label, value in lines] + ([f"+{AMMO_BONUS} CF: CAAT Ammo"] if ammo else [])
    if not fire_hits(roll[0], shot):
        nine = ", an unmodified 9" if roll[0] == 9 else ""
        game.say(f"{said}: no effect{nine}.", "11.2.4" if roll[0] == 9 else "11.2.3", *because)
        return
    game.say(f"{said}: hit.", "11.2.2", *because)
    if target.kind != SUSPECT:
        eliminate_enemy(game, target, "11.2.2", "Fire Combat")
        return
    await expose(game, firer, target)


async def expose(game: Fury, firer: Piece, target: Piece) -> None:
    """[11.2.2, 11.4.1] A Suspect that was hit is Activated; a Sniper may answer a squad, never an M1A1 (ruling C-44)."""
    zone = zone_of(target.place)
    result = await activate_suspect(game, target, zone, "shot")
    if result != AMBUSH:
        return
    if firer.kind == "tank":
        game.say("No Sniper Attack after an M1A1 has fired.", "11.4.1")
    else:
        await attack(game, game.piece(firer.id), [zone], "11.4.1")  # the target itself counts: it is taken off after it
    remove_suspect(game, target)


def no_target(game: Fury, firer: Piece, target: Piece, zones: tuple[str, ...]) -> tuple[str, str] | None:
    """Why a unit cannot fire at a counter: (why, rule)."""
    zone = zone_of(target.place)
    if zone == zone_of(firer.place):
        return "nobody fires within a Zone", "11.1.1"
    if zone not in zones:
        return f"Zone {zone} is neither Adjacent nor Neighbouring to {firer.name}", "11.1"
    if usmc_units_in(game.position, zone):
        return f"{usmc_units_in(game.position, zone)[0].name} is in Zone {zone}", "11.1"
    if firer.kind == "tank" and location_of(target.place) == "R":
        return "an M1A1 cannot fire at a Rooftop", "11.1.3"
    return None


async def ask_target(game: Fury, firer: Piece) -> Piece:
    """The target: any counter on the map can be named; one that cannot be fired at is refused by its rule."""
    zones = await zones_in_range(game, firer)
    everyone = game.enemies()
    able = [one for one in everyone if no_target(game, firer, one, zones) is None]
    if not everyone:
        raise Impossible(
            "no Suspect and no Insurgents unit is on the map", rule="11.1", cure="If one is there: adjust new:suspect"
        )
    if not able:
        game.forbid(f"{firer.name} has no target", "11.1", "Zones around it without USMC units; see: show")
        able = everyone
    others = [one for one in everyone if one not in able]
    choices = [Choice(one.place, enemy_text(one), chance_text(shot_at(game, firer, one, False))) for one in able]
    suggest = able[0].place if len(able) == 1 else None
    request = Choose("target", f"{firer.name} fires at", "11.1", choices, suggest, game.enemy_choices(others), "target")
    request.odds = lambda: targets_odds(game, firer, able)
    answer = await request
    target = next(one for one in everyone if one.place == answer)
    refusal = no_target(game, firer, target, zones)
    if refusal:
        game.forbid(*refusal)
    return target


def chance(shot: Shot) -> float:
    """The chance of a hit."""
    return sum(fire_hits(face, shot) for face in range(10)) / 10


def chance_text(shot: Shot) -> str:
    """The chance in words for a list."""
    return f"{round(chance(shot) * 100)} %"


async def ask_ammo(game: Fury, firer: Piece, target: Piece) -> bool:
    """[11.1.2] Whether the CAAT adds its bonus: from OG, C or R, while there is Ammo."""
    if not firer.mark("caat") or not firer.mark("ammo"):
        game.skip("caat", f"{firer.name} has no CAAT with Ammo", "11.1.2")
        return False
    if location_of(firer.place) not in ("OG", "C", "R"):
        game.skip("caat", f"{firer.name} is at {firer.place}; a CAAT fires from OG, C or R", "11.1.2")
        return False
    bare, with_ammo = shot_at(game, firer, target, False), shot_at(game, firer, target, True)
    prompt = f"Use CAAT Ammo ({firer.mark('ammo')} left): {chance_text(bare)} without, {chance_text(with_ammo)} with"
    request = Confirm("caat", prompt, "11.1.2", chance(with_ammo) > chance(bare))
    request.odds = lambda: Odds(
        "CAAT Ammo", "11.1.2.1", (("The shot has its effect", (("without", chance(bare)), ("with Ammo", chance(with_ammo)))),)
    )
    return await request


def targets_odds(game: Fury, firer: Piece, able: list[Piece]) -> Odds:
    """The chance of a hit on each target, without and with Ammo."""
    rows = []
    for one in able:
        rows.append((f"{one.place} {enemy_text(one)}", chance(shot_at(game, firer, one, False))))
        if firer.mark("ammo"):
            rows.append((f"{one.place} {enemy_text(one)}, with CAAT Ammo", chance(shot_at(game, firer, one, True))))
    return Odds(f"Fire of {firer.name}", "11.2.1", (("The shot has its effect", tuple(rows)),))
