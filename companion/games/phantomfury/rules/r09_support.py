"""[9.0] The Support Phase: Missions until one fails, then the Reaction of the insurgents [9.4]."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Miscounted, NoEligiblePiece
from companion.core.notation import Notation
from companion.core.odds import Continued, Finished, distribution, round_outcomes
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Draw, Number, Odds, Pick, Text
from companion.core.text import die_range, plural
from companion.games.phantomfury import odds, state
from companion.games.phantomfury.notation import CLOSED, MOSQUE, family, read_zone_number
from companion.games.phantomfury.referee import SUPPORT, FuryReferee
from companion.games.phantomfury.rules import r03_basics, r11_shots, r13_assault, r13_combat

AH1W_TARGETS = 2
"""[9.3] The number of counters that an AH-1W removes at most."""


async def call_up(referee: FuryReferee, which: str) -> tuple[int, bool]:
    """[9.1] Roll for a Mission: (face, success)."""
    chart = referee.chart("missions")
    most = chart.number(which, "success_to")
    title = chart.text(which, "title")
    face = await r03_basics.d10("mission", f"{title}: it comes on {die_range(0, most)}", "9.1", lambda die: die <= most)
    return face, face <= most


async def roll_reaction(referee: FuryReferee) -> tuple[int, str]:
    """[9.4.1] Roll for the Reaction: (face, title)."""
    return await r03_basics.on_chart(referee, "reactions", "title", "reaction", "Insurgent Reaction", "9.4.1")


def missions_left(referee: FuryReferee, which: str) -> int:
    """[9.2.1] The number of Missions of a kind that can still succeed."""
    return referee.chart("missions").number(which, "max") - referee.position.track(which)


def unavailable(referee: FuryReferee, which: str) -> tuple[str, str] | None:
    """[9.2, 9.3] Why a Mission cannot be called up: (why, rule)."""
    title, maximum = referee.chart("missions").text(which, "title"), referee.chart("missions").number(which, "max")
    if missions_left(referee, which) <= 0:
        return f"{title} has been used up ({maximum} of {maximum})", "9.2"
    somewhere = any(unfit(referee, which, zone) is None for zone in referee.zones())
    return None if somewhere else (f"{_NOWHERE[which]}: no {title}", "9.3")


_NOWHERE = {
    "uav": "USMC units are in every Zone of the insurgents",
    "ah1w": "no Zone of the insurgents without USMC units holds an enemy",
    "fa18": "no Zone of the insurgents is far enough from the USMC units",
}


def unfit(referee: FuryReferee, which: str, zone: str) -> tuple[str, str] | None:
    """[9.3] Why a Mission cannot go to a Zone, as far as the map is entered: (why, rule)."""
    if zone == CLOSED:
        return f"neither side Controls Zone {zone}", "4.1.4"
    if referee.is_controlled(zone):
        return f"Zone {zone} is under USMC Control", "9.3"
    if referee.usmc_units_in(zone):
        return f"{referee.usmc_units_in(zone)[0].name} is in Zone {zone}", "9.3"
    if which != "uav" and zone == MOSQUE:
        return "no air strike on Zone 26, the mosque", "9.3"
    if which == "ah1w" and not referee.enemies_in(zone):
        return f"Zone {zone} holds no Insurgents unit and no Suspect", "9.3"
    if which == "fa18":
        for occupied in zones_with_units(referee):
            if zone in referee.town.around(occupied) or occupied in referee.town.around(zone):
                return f"{referee.usmc_units_in(occupied)[0].name} is in Zone {occupied}, too close to Zone {zone}", "9.3"
    return None


def zones_with_units(referee: FuryReferee) -> list[str]:
    """The Zones with USMC units, in numerical order."""
    return sorted(referee.usmc_zones() - {""}, key=int)


async def mission(referee: FuryReferee) -> None:
    """[9.1] Call up one Mission."""
    referee.begin(SUPPORT)
    if referee.position.flag(state.SUPPORT_OVER):
        referee.forbid("the Support Phase of this turn ended with the insurgents' Reaction", "9.1", "Wait for the next turn")
    which = await ask_mission(referee)
    referee.pin(which)
    targets = await _targets(referee, which)
    title, most = referee.chart("missions").text(which, "title"), referee.chart("missions").number(which, "success_to")
    face, comes = await call_up(referee, which)
    if not comes:
        referee.say(f"{title}: {face}, needs {die_range(0, most)}. Postponed: the insurgents react.", "9.1")
        referee.set_flag(state.SUPPORT_OVER, True, "9.1")
        await react(referee)
        return
    referee.say(f"{title}: {face}, needs {die_range(0, most)}. It comes.", "9.1")
    referee.shift_track(which, 1, "9.2.1", "a successful Mission")
    await {"uav": _uav, "ah1w": _ah1w, "fa18": _fa18}[which](referee, targets)


async def ask_mission(referee: FuryReferee) -> str:
    """[9.2] Ask for a Mission; one that is used up or has no legal Zone is refused."""
    chart = referee.chart("missions")
    barred = {name: why for name in state.MISSIONS if (why := unavailable(referee, name)) is not None}
    limits = {name: chart.number(name, "success_to") for name in state.MISSIONS}
    hints = {name: f"comes on 0-{limit}, {missions_left(referee, name)} left" for name, limit in limits.items()}
    choices = [Choice(name, chart.text(name, "title"), hint) for name, hint in hints.items() if name not in barred]
    if not choices and not referee.anyway:
        each = [((name, chart.text(name, "title")), barred[name]) for name in state.MISSIONS]
        used = not any(missions_left(referee, name) for name in state.MISSIONS)
        text = "every Mission has been used up" if used else "; ".join(dict.fromkeys(why for why, _ in barred.values()))
        raise NoEligiblePiece(text, "mission", each, rule="9.2", cure="Go on with: reinforce, fire, move, assault or end")
    others = [Choice(name, chart.text(name, "title")) for name in barred]
    request = Choose("mission", "Which Mission?", "9.3", choices or others, None, others if choices else (), "Mission")
    request.odds = lambda: next_mission_odds(referee, tuple(choice.value for choice in choices or others))
    request.has_quick_odds = True
    which = await request
    if which in barred:
        referee.forbid(*barred[which], "Call up another one")
    return which


def _read_zones(maximum: int) -> Notation:
    def read(text: str) -> str:
        zones = list(dict.fromkeys(read_zone_number(word) for word in text.replace(",", " ").split()))
        if not 1 <= len(zones) <= maximum:
            wanted = "1" if maximum == 1 else f"1 to {maximum}"
            raise Miscounted(f"{plural(len(zones), 'Zone')} named, {wanted} wanted", rule="9.3")
        return ",".join(zones)

    return Notation("Zones", "15,16" if maximum > 1 else "15", read)


async def _targets(referee: FuryReferee, which: str) -> list[str]:
    """Ask for the Zones of a Mission and check each [9.3]."""
    for zone in zones_with_units(referee) if which == "fa18" else ():
        await referee.around(zone, "9.3")
    maximum = 2 if which == "uav" else 1
    prompt = "Which Zone, or which two Adjacent or Neighbouring to each other?" if maximum == 2 else "Which Zone?"
    fit = [zone for zone in referee.zones() if unfit(referee, which, zone) is None]
    choices = [Choice(zone, _contents(referee, zone)) for zone in fit]
    request = Text("zones", prompt, "9.3", _read_zones(maximum), choices)
    request.odds = lambda: next_mission_odds(referee, (which,))
    zones = (await request).split(",")
    for zone in zones:
        referee.need_zone(zone)
        if which == "fa18" and zone != CLOSED:
            await referee.around(zone, "9.3")
        if refusal := unfit(referee, which, zone):
            referee.forbid(*refusal, "Choose another Zone")
    if len(zones) == 2 and zones[1] not in await referee.around(zones[0], "9.3"):
        text = f"Zones {zones[0]} and {zones[1]} are neither Adjacent nor Neighbouring to each other"
        referee.forbid(text, "9.3", "Choose two that are")
    return zones


def _contents(referee: FuryReferee, zone: str) -> str:
    held = ", ".join(state.enemy_text(piece) for piece in referee.enemies_in(zone))
    return held or ("clear" if referee.marker_of(zone) else "not Activated")


async def _uav(referee: FuryReferee, zones: list[str]) -> None:
    """[9.3] Activate the Zones, then the Suspects of the Normal ones; on IED/Sniper the marker stays."""
    await r03_basics.activate_zones(referee, zones, "9.3")
    normal = [zone for zone in zones if not referee.is_fortified(zone)]
    series = [suspect.place for zone in normal for suspect in r03_basics.suspects_in(referee, zone)]
    for zone in zones:
        if referee.is_fortified(zone):
            referee.say(f"Zone {zone} is Fortified: its Suspects stay as they are.", "9.3")
            continue
        for suspect in r03_basics.suspects_in(referee, zone):
            await r03_basics.activate_suspect(referee, suspect, zone, "keep", series[series.index(suspect.place) :])


async def _ah1w(referee: FuryReferee, zones: list[str]) -> None:
    """[9.3] Remove up to two counters of one Zone; the hardest ones are suggested."""
    enemies = referee.enemies_in(zones[0])
    choices = [Choice(counter.place, f"{counter.place} {state.enemy_text(counter)}") for counter in enemies]
    others = (state.GUERILLAS, state.SUSPECT)
    worst = (state.MARTYRS, *(reversed(others) if referee.is_fortified(zones[0]) else others))
    hardest = sorted(enemies, key=lambda enemy: (worst.index(state.kind_of(enemy)), -state.cf_of(enemy)))[:AH1W_TARGETS]
    both = [enemy.place for enemy in hardest]
    prompt = "Which are removed? Two at most"
    chosen = await Pick("remove", prompt, "9.3", choices, 1, AH1W_TARGETS, both) if enemies else ()
    for piece in enemies:
        if piece.place in chosen:
            _remove(referee, piece, "AH-1W", referee.option("air_vp") == "both")


def _remove(referee: FuryReferee, piece: Piece, by: str, counts: bool) -> None:
    """Remove one enemy counter by an air strike (ruling C-2 on Victory Points)."""
    if piece.kind != state.SUSPECT and counts:
        r03_basics.eliminate_enemy(referee, piece, "9.3", by)
        return
    referee.say(f"The {by} removes {state.enemy_text(piece)} at {piece.place}.", "9.3")
    referee.move(piece.id, state.SUSPECTS_CUP if piece.kind == state.SUSPECT else state.INSURGENTS_CUP, "9.3", by)
    referee.flip(piece.id, "front", "9.3")


async def _fa18(referee: FuryReferee, zones: list[str]) -> None:
    """[9.3, 4.1.6] Activate the Zone, eliminate everything in it, and make it Ruins."""
    zone = zones[0]
    await r03_basics.activate_zones(referee, [zone], "9.3")
    for piece in referee.enemies_in(zone):
        _remove(referee, piece, "F/A-18", referee.option("air_vp") != "none")
    ruin(referee, zone, "9.3")


async def react(referee: FuryReferee) -> None:
    """[9.4.1] Roll for the Reaction and carry it out."""
    chart = referee.chart("reactions")
    face, title = await roll_reaction(referee)
    kind = chart.text(face, "reaction")
    referee.say(f"Insurgent Reaction: {face}, {title}.", "9.4.1", chart.text(face, "effect"))
    run = {
        "reinforcements": _reinforcements,
        "retreat": _forced_retreat,
        "eagle": _eagle,
        "counter_attack": _counter_attack,
        "hbied": _hbied,
    }
    if kind in run:
        await run[kind](referee)
    referee.say("The Support Phase is over.", "9.1")


def _affected(referee: FuryReferee, units: Sequence[Piece]) -> tuple[list[Piece], list[str]]:
    """[9.4.2] The units in Zones without a Security Element, and why the others are not affected."""
    free = [unit for unit in units if not referee.elements_in(state.zone_of(unit.place))]
    why = "a Security Element is in its Zone [9.4.2]"
    return free, [f"{state.enemy_text(unit)} at {unit.place}: {why}" for unit in units if unit not in free]


async def _reinforcements(referee: FuryReferee) -> None:
    """[9.4 Reinforcements] Draw a counter for each Guerillas unit; it replaces the unit if its CF is higher (ruling C-37)."""
    units, left = _affected(referee, referee.enemies(state.GUERILLAS))
    done = 0
    for unit in units:
        if not referee.cup(state.INSURGENTS_CUP):
            left.append("the Insurgents cup is empty")
            break
        prompt, cup = f"Reinforcement for {state.enemy_text(unit)} at {unit.place}", referee.cup(state.INSURGENTS_CUP)
        name = await Draw("insurgent", prompt, "9.4.1", state.INSURGENTS_CUP, cup)
        better = state.sides(name)[state.GUERILLAS]
        if better <= state.cf_of(unit):
            left.append(f"{state.enemy_text(unit)} at {unit.place}: {name} drawn, {better} is no more than {state.cf_of(unit)}")
            continue
        where = unit.place
        new = referee.take_from(state.INSURGENTS_CUP, name, where, "9.4.1", "Reinforcement")
        referee.flip(new.id, "front", "9.4.1")
        referee.move(unit.id, state.INSURGENTS_CUP, "9.4.1", "replaced")
        referee.say(f"{state.enemy_text(unit)} at {where} is replaced by {name}: CF {better}.", "9.4.1")
        done += 1
    count = len(referee.enemies(state.GUERILLAS))
    referee.say(f"Reinforcements: {done} of {count} Guerillas units grow stronger.", "9.4.1", *left)


async def _forced_retreat(referee: FuryReferee) -> None:
    """[9.4 Retreat] All Guerillas in Zones with squads make a Retreat Movement."""
    together = [enemy for enemy in referee.enemies(state.GUERILLAS) if referee.squads_in(state.zone_of(enemy.place))]
    alone = [enemy for enemy in referee.enemies(state.GUERILLAS) if enemy not in together]
    units, left = _affected(referee, together)
    left += [f"{state.enemy_text(piece)} at {piece.place}: no squad in its Zone" for piece in alone]
    gone = 0
    for unit in units:
        why = r13_combat.no_retreat(referee, unit)
        if why:
            left.append(f"{state.enemy_text(unit)} at {unit.place}: {why} [13.6.1]")
            continue
        gone += await r13_combat.retreat(referee, referee.piece(unit.id), "9.4.1")
    referee.say(f"Retreat: {plural(gone, 'Guerillas unit')} withdrew.", "9.4.1", *left)


async def _eagle(referee: FuryReferee) -> None:
    """[9.4 The Eagle of Fallujah] A Sniper Attack on each squad in a Zone under insurgent Control."""
    squads = {squad.id: state.zone_of(squad.place) for squad in referee.squads()}
    targets = [squad for squad in referee.squads() if squads[squad.id] and not referee.is_controlled(squads[squad.id])]
    safe = [squad for squad in referee.squads() if squad not in targets]
    others = [f"{squad.name} at {squad.place}: its Zone is under USMC Control" for squad in safe]
    referee.say(f"The Eagle of Fallujah fires at {plural(len(targets), 'squad')}.", "9.4.1", *others)
    for squad in targets:
        await r11_shots.attack(referee, squad, (), "9.4.1")


async def _counter_attack(referee: FuryReferee) -> None:
    """[9.4 Counter-attack] In each Zone with both, the strongest Guerillas Assault the squad, without modifiers."""
    held = {state.zone_of(enemy.place) for enemy in referee.enemies(state.GUERILLAS)}
    zones = sorted((zone for zone in held if referee.squads_in(zone)), key=int)
    left = [f"Zone {zone}: a Security Element [9.4.2]" for zone in zones if referee.elements_in(zone)]
    chosen = [zone for zone in zones if not referee.elements_in(zone)]
    referee.say(f"Counter-attack in {plural(len(chosen), 'Zone')}.", "9.4.1", *left)
    for zone in chosen:
        await _attack_in(referee, zone)


async def _attack_in(referee: FuryReferee, zone: str) -> None:
    """The strongest Guerillas of one Zone attack; of several IIF squads in Zone 26, one that they can reach (ruling C-71)."""
    units = [enemy for enemy in referee.enemies_in(zone) if state.kind_of(enemy) == state.GUERILLAS]
    highest = max(state.cf_of(unit) for unit in units)
    best = [unit for unit in units if state.cf_of(unit) == highest]
    unit = best[0]
    if len(best) > 1:
        counts, prompt = {piece.place: 1 for piece in best}, f"Which of the strongest Guerillas in Zone {zone}?"
        place = await Draw("strongest", prompt, "9.4.1", "", counts, thing="unit", holder="Zone")
        unit = next((piece for piece in best if piece.place == place), unit)
    squads = referee.squads_in(zone)
    others = [f"{state.enemy_text(other)} at {other.place} stays out of it" for other in units if other.id != unit.id]
    await referee.zone(zone, "9.4.1")
    able = [squad for squad in squads if places_beside(referee, unit, squad)]
    if not able:
        text = f"{state.enemy_text(unit)} at {unit.place} cannot get Adjacent to {referee.piece_names(squads)}: no Assault."
        referee.say(text, "9.4.1", *others)
        return
    squad = await _random_squad(able, "defender", f"Which squad do {state.enemy_text(unit)} at {unit.place} Assault?")
    await _close_in(referee, unit, squad)
    unit = referee.piece(unit.id)
    referee.say(f"{state.enemy_text(unit)} at {unit.place} Assault {squad.name} at {squad.place}.", "9.4.1", *others)
    await r13_assault.resolve_on_table(referee, r13_assault.assault_target(referee, squad, [unit], True, True), r13_combat.NORMAL)
    if r13_assault.is_alive(referee, squad):
        referee.say(f"{squad.name} stays at {squad.place}.", "9.4.1")


def places_beside(referee: FuryReferee, unit: Piece, squad: Piece) -> list[str]:
    """Where a unit can be Adjacent to a squad in its Zone: its own place, or else free Locations."""
    zone = state.zone_of(unit.place)
    near = [where for where in referee.town.next_to(squad.place) if state.zone_of(where) == zone]
    near = [where for where in near if state.location_of(where) in referee.locations(zone)]
    return [unit.place] if unit.place in near else [where for where in near if not referee.position.at(where)]


async def _close_in(referee: FuryReferee, unit: Piece, squad: Piece) -> None:
    """Move the unit into a free Location Adjacent to the squad; the player may choose among several."""
    free = places_beside(referee, unit, squad)
    where = free[0]
    if len(free) > 1:
        choices = [Choice(place, place) for place in free]
        prompt = f"Where do {state.enemy_text(unit)} move, Adjacent to {squad.name}?"
        where = await Choose("beside", prompt, "9.4.1", choices, where)
    if where != unit.place:
        referee.move(unit.id, where, "9.4.1", "Counter-attack")


async def _random_squad(squads: Sequence[Piece], key: str, what: str) -> Piece:
    """Choose one of several squads at random."""
    by_name = {f"{squad.name} at {squad.place}": squad for squad in squads}
    if len(squads) == 1:
        return squads[0]
    counts = dict.fromkeys(by_name, 1)
    return by_name.get(await Draw(key, what, "9.4.1", "", counts, thing="squad", holder="running"), squads[0])


async def _hbied(referee: FuryReferee) -> None:
    """[9.4 HBIED] A booby-trapped building under one squad, chosen at random (ruling C-1)."""
    able: list[Piece] = []
    left: list[str] = []
    for squad in referee.squads():
        why = await _no_hbied(referee, squad)
        if why:
            left.append(f"{squad.name} at {squad.place}: {why}")
        else:
            able.append(squad)
    if not able:
        referee.say("HBIED: no squad is in a Zone that it could happen in.", "9.4.1", *left)
        return
    victims = able
    if referee.option("hbied") == "one":
        victims = [await _random_squad(able, "victim", "HBIED: which squad does it hit?")]
    for zone in dict.fromkeys(state.zone_of(piece.place) for piece in victims):
        referee.say(f"An HBIED goes off in Zone {zone}.", "9.4.1", *left)
        ruin(referee, zone, "9.4.1")
        for squad in referee.squads_in(zone):
            if family(state.location_of(squad.place)) in ("2", "R"):
                r03_basics.eliminate(referee, squad, "9.4.1", "HBIED")
            else:
                referee.say(f"{squad.name} ({state.short(squad)}) at {squad.place} is unharmed.", "9.4.1")


async def _no_hbied(referee: FuryReferee, squad: Piece) -> str:
    """Why an HBIED cannot hit a squad; "" if it can."""
    zone = state.zone_of(squad.place)
    if not zone or not referee.is_controlled(zone):
        return "not in a Zone under USMC Control"
    if zone == MOSQUE or referee.zone_marker(zone, state.RUBBLE):
        return "Zone 26" if zone == MOSQUE else "a Ruins Zone"
    around = [zone for zone in await referee.around(zone, "9.4.1") if not referee.is_controlled(zone)]
    return "" if around else "no Zone under insurgent Control around it"


def ruin(referee: FuryReferee, zone: str, rule: str) -> None:
    """[4.1.6] Make a Zone Ruins: Locations 2, 2' and R no longer exist. Ruins stay as they are."""
    if zone in referee.ruins():
        return
    referee.put_marker(state.RUBBLE, zone, rule, "Ruins")
    referee.say(f"Zone {zone} is a Ruins Zone.", "4.1.6")
    referee.instruct(f"Zone {zone}: Rubble on 2, 2' and R.", "4.1.6")


def missions_results(referee: FuryReferee, which: str, times: int) -> dict[tuple[int, str], float]:
    """[9.1] The distribution of (successes, Reaction to the failure) of Missions in a row."""

    async def play(left: int) -> Continued | Finished:
        if (await call_up(referee, which))[1]:
            return Continued(left - 1) if left > 1 else Finished((times, ""))
        return Finished((times - left, (await roll_reaction(referee))[1]))

    return {result: chance for (result, _), chance in round_outcomes(times, play).items()}


def next_mission_odds(referee: FuryReferee, missions: Sequence[str]) -> Odds:
    """[9.1] The chance of each Mission, and of each Reaction if it fails."""
    titles = referee.chart("missions")
    chances, beside = [], []
    for which in missions:
        good = sum(chance for (done, _), chance in missions_results(referee, which, 1).items() if done)
        chances.append((titles.text(which, "title"), good))
        beside.append((which, f"{good:.0%} chance"))
    reactions = odds.labelled_rows(distribution(lambda: roll_reaction(referee)), lambda result: str(result[1]))
    sections = (("Succeeds", tuple(chances)), ("If it is postponed, the Reaction is", reactions))
    return Odds("Missions", "9.1", sections, (), ("A Reaction ends the Support Phase.",), tuple(beside))


async def odds_of_mission(referee: FuryReferee) -> Odds:
    """[9.1] A number of Missions in a row, up to the first failure."""
    chart = referee.chart("missions")
    choices = [Choice(name, chart.text(name, "title")) for name in chart.rows]
    which = await Choose("mission", "Which Mission is called each time?", "9.3", choices, "uav")
    most = chart.number(which, "max") - (referee.position.track(which) if referee.position.track("turn") else 0)
    times = await Number("times", "How many times at most?", "9.2", 1, max(most, 1), min(2, max(most, 1)))
    results = missions_results(referee, which, times)
    done = tuple(sorted(odds.labelled_rows(results, lambda result: f"{result[0]} succeed")))
    reactions = odds.labelled_rows(results, lambda result: result[1] or "none")
    return Odds("Missions in a row", "9.1", (("Missions", done), ("Reaction", reactions)))
