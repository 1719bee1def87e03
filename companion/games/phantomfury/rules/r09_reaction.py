"""[9.4] Insurgent Reactions, each carried out for every unit concerned, with the reason for every unit that is not."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Draw
from companion.core.text import plural
from companion.games.phantomfury.names import INSURGENTS_CUP, RUBBLE
from companion.games.phantomfury.pieces import controlled, marked
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r05_losses import eliminate
from companion.games.phantomfury.rules.r09_missions import roll_reaction
from companion.games.phantomfury.rules.r11_sniper import attack
from companion.games.phantomfury.rules.r13_advance import alive, fight
from companion.games.phantomfury.rules.r13_assault import foe_of
from companion.games.phantomfury.rules.r13_retreat import held_back, retreat
from companion.games.phantomfury.rules.r13_scene import NORMAL
from companion.games.phantomfury.words.counters import GUERILLAS, cf_of, enemy_text, kind_of, short, sides
from companion.games.phantomfury.words.locations import family
from companion.games.phantomfury.words.town import location_of, zone_of
from companion.games.phantomfury.words.zones import MOSQUE


async def react(referee: Fury) -> None:
    """[9.4.1] Roll for the Reaction and carry it out."""
    chart = referee.chart("reactions")
    face, title = await roll_reaction(referee)
    kind = chart.text(face, "reaction")
    referee.say(f"Insurgent Reaction: {face}, {title}.", "9.4.1", chart.text(face, "effect"))
    run = {"reinforcements": _reinforce, "retreat": _retreat, "eagle": _eagle, "counter_attack": _counter_attack, "hbied": _hbied}
    if kind in run:
        await run[kind](referee)
    referee.say("The Support Phase is over.", "9.1")


def _concerned(referee: Fury, units: Sequence[Piece]) -> tuple[list[Piece], list[str]]:
    """[9.4.2] The units in Zones without a Security Element, and why the others are not affected."""
    free = [unit for unit in units if not referee.elements_in(zone_of(unit.place))]
    left = [
        f"{enemy_text(unit)} at {unit.place}: a Security Element is in its Zone [9.4.2]" for unit in units if unit not in free
    ]
    return free, left


async def _reinforce(referee: Fury) -> None:
    """[9.4 Reinforcements] Draw a counter for each Guerillas unit; it replaces the unit if its CF is higher (ruling C-37)."""
    units, left = _concerned(referee, referee.enemies(GUERILLAS))
    done = 0
    for unit in units:
        if not referee.cup(INSURGENTS_CUP):
            left.append("the Insurgents cup is empty")
            break
        name = await Draw(
            "insurgent",
            f"Reinforcement for {enemy_text(unit)} at {unit.place}",
            "9.4.1",
            INSURGENTS_CUP,
            referee.cup(INSURGENTS_CUP),
        )
        better = sides(name)[GUERILLAS]
        if better <= cf_of(unit):
            left.append(f"{enemy_text(unit)} at {unit.place}: {name} drawn, {better} is no more than {cf_of(unit)}")
            continue
        where = unit.place
        new = referee.take_from(INSURGENTS_CUP, name, where, "9.4.1", "Reinforcement")
        referee.flip(new.id, "front", "9.4.1")
        referee.move(unit.id, INSURGENTS_CUP, "9.4.1", "replaced")
        referee.say(f"{enemy_text(unit)} at {where} is replaced by {name}: CF {better}.", "9.4.1")
        done += 1
    referee.say(f"Reinforcements: {done} of {len(referee.enemies(GUERILLAS))} Guerillas units grow stronger.", "9.4.1", *left)


async def _retreat(referee: Fury) -> None:
    """[9.4 Retreat] All Guerillas in Zones with squads make a Retreat Movement."""
    together = [enemy for enemy in referee.enemies(GUERILLAS) if referee.squads_in(zone_of(enemy.place))]
    alone = [enemy for enemy in referee.enemies(GUERILLAS) if enemy not in together]
    units, left = _concerned(referee, together)
    left += [f"{enemy_text(piece)} at {piece.place}: no squad in its Zone" for piece in alone]
    gone = 0
    for unit in units:
        why = held_back(referee, unit)
        if why:
            left.append(f"{enemy_text(unit)} at {unit.place}: {why} [13.6.1]")
            continue
        gone += await retreat(referee, referee.piece(unit.id), "9.4.1")
    referee.say(f"Retreat: {plural(gone, 'Guerillas unit')} withdrew.", "9.4.1", *left)


async def _eagle(referee: Fury) -> None:
    """[9.4 The Eagle of Fallujah] A Sniper Attack on each squad in a Zone under insurgent Control."""
    targets = [
        squad for squad in referee.squads() if zone_of(squad.place) and not controlled(referee.position, zone_of(squad.place))
    ]
    others = [
        f"{squad.name} at {squad.place}: its Zone is under USMC Control" for squad in referee.squads() if squad not in targets
    ]
    referee.say(f"The Eagle of Fallujah fires at {plural(len(targets), 'squad')}.", "9.4.1", *others)
    for squad in targets:
        await attack(referee, squad, (), "9.4.1")


async def _counter_attack(referee: Fury) -> None:
    """[9.4 Counter-attack] In each Zone with both, the strongest Guerillas Assault the squad, without modifiers."""
    zones = sorted(
        {zone_of(enemy.place) for enemy in referee.enemies(GUERILLAS) if referee.squads_in(zone_of(enemy.place))}, key=int
    )
    left = [f"Zone {zone}: a Security Element [9.4.2]" for zone in zones if referee.elements_in(zone)]
    chosen = [zone for zone in zones if not referee.elements_in(zone)]
    referee.say(f"Counter-attack in {plural(len(chosen), 'Zone')}.", "9.4.1", *left)
    for zone in chosen:
        await _attack_in(referee, zone)


async def _attack_in(referee: Fury, zone: str) -> None:
    """The strongest Guerillas of one Zone attack; of several IIF squads in Zone 26, one that they can reach (ruling C-71)."""
    units = [enemy for enemy in referee.enemies_in(zone) if kind_of(enemy) == GUERILLAS]
    highest = max(cf_of(unit) for unit in units)
    best = [unit for unit in units if cf_of(unit) == highest]
    unit = best[0]
    if len(best) > 1:
        counts = {piece.place: 1 for piece in best}
        place = await Draw(
            "strongest", f"Which of the strongest Guerillas in Zone {zone}?", "9.4.1", "", counts, thing="unit", holder="Zone"
        )
        unit = next((piece for piece in best if piece.place == place), unit)
    squads = referee.squads_in(zone)
    others = [f"{enemy_text(other)} at {other.place} stays out of it" for other in units if other.id != unit.id]
    await referee.zone(zone, "9.4.1")
    able = [squad for squad in squads if beside(referee, unit, squad)]
    if not able:
        referee.say(
            f"{enemy_text(unit)} at {unit.place} cannot get Adjacent to {referee.piece_names(squads)}: no Assault.",
            "9.4.1",
            *others,
        )
        return
    squad = await _drawn(able, "defender", f"Which squad do {enemy_text(unit)} at {unit.place} Assault?")
    await _close_in(referee, unit, squad)
    unit = referee.piece(unit.id)
    referee.say(f"{enemy_text(unit)} at {unit.place} Assault {squad.name} at {squad.place}.", "9.4.1", *others)
    await fight(referee, foe_of(referee, squad, [unit], True, True), NORMAL)
    if alive(referee, squad):
        referee.say(f"{squad.name} stays at {squad.place}.", "9.4.1")


def beside(referee: Fury, unit: Piece, squad: Piece) -> list[str]:
    """Where a unit can be Adjacent to a squad in its Zone: its own place, or else free Locations."""
    zone = zone_of(unit.place)
    near = [
        where
        for where in referee.town.next_to(squad.place)
        if zone_of(where) == zone and location_of(where) in referee.locations(zone)
    ]
    return [unit.place] if unit.place in near else [where for where in near if not referee.position.at(where)]


async def _close_in(referee: Fury, unit: Piece, squad: Piece) -> None:
    """Move the unit into a free Location Adjacent to the squad; the player may choose among several."""
    free = beside(referee, unit, squad)
    where = free[0]
    if len(free) > 1:
        choices = [Choice(place, place) for place in free]
        where = await Choose("beside", f"Where do {enemy_text(unit)} move, Adjacent to {squad.name}?", "9.4.1", choices, free[0])
    if where != unit.place:
        referee.move(unit.id, where, "9.4.1", "Counter-attack")


async def _drawn(squads: Sequence[Piece], key: str, what: str) -> Piece:
    """Choose one of several squads at random."""
    by_name = {f"{squad.name} at {squad.place}": squad for squad in squads}
    if len(squads) == 1:
        return squads[0]
    counts = dict.fromkeys(by_name, 1)
    return by_name.get(await Draw(key, what, "9.4.1", "", counts, thing="squad", holder="running"), squads[0])


async def _hbied(referee: Fury) -> None:
    """[9.4 HBIED] A booby-trapped building under one squad, chosen at random (ruling C-1)."""
    able: list[Piece] = []
    left: list[str] = []
    for squad in referee.squads():
        why = await _safe(referee, squad)
        if why:
            left.append(f"{squad.name} at {squad.place}: {why}")
        else:
            able.append(squad)
    if not able:
        referee.say("HBIED: no squad is in a Zone that it could happen in.", "9.4.1", *left)
        return
    victims = able
    if referee.option("hbied") == "one":
        victims = [await _drawn(able, "victim", "HBIED: which squad does it hit?")]
    for zone in dict.fromkeys(zone_of(piece.place) for piece in victims):
        _explode(referee, zone, left)


async def _safe(referee: Fury, squad: Piece) -> str:
    """Why an HBIED cannot hit a squad; "" if it can."""
    zone = zone_of(squad.place)
    if not zone or not controlled(referee.position, zone):
        return "not in a Zone under USMC Control"
    if zone == MOSQUE or marked(referee.position, zone, RUBBLE):
        return "Zone 26" if zone == MOSQUE else "a Ruins Zone"
    around = [zone for zone in await referee.around(zone, "9.4.1") if not controlled(referee.position, zone)]
    return "" if around else "no Zone under insurgent Control around it"


def _explode(referee: Fury, zone: str, left: Sequence[str]) -> None:
    referee.say(f"An HBIED goes off in Zone {zone}.", "9.4.1", *left)
    ruin(referee, zone, "9.4.1")
    for squad in referee.squads_in(zone):
        if family(location_of(squad.place)) in ("2", "R"):
            eliminate(referee, squad, "9.4.1", "HBIED")
        else:
            referee.say(f"{squad.name} ({short(squad)}) at {squad.place} is unharmed.", "9.4.1")


def ruin(referee: Fury, zone: str, rule: str) -> None:
    """[4.1.6] Make a Zone Ruins: Locations 2, 2' and R no longer exist. Ruins stay as they are."""
    if zone in referee.ruins():
        return
    referee.put_marker(RUBBLE, zone, rule, "Ruins")
    referee.say(f"Zone {zone} is a Ruins Zone.", "4.1.6")
    referee.instruct(f"Zone {zone}: Rubble on 2, 2' and R.", "4.1.6")
