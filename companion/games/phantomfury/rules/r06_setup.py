"""[6.0] Set-up: cups, start Zones, order of battle."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.notation import read_counter_lots
from companion.core.requests import Choice, Draw, Number, Pick, Printed
from companion.core.text import plural
from companion.core.values import JsonObject
from companion.games.phantomfury import state
from companion.games.phantomfury.facts import CF, COUNT, contradictions
from companion.games.phantomfury.notation.counters import INSURGENT_LOTS, SUSPECT_LOTS, insurgent_name, read_sides, short
from companion.games.phantomfury.notation.town import entered_map
from companion.games.phantomfury.notation.zones import CLOSED, START
from companion.games.phantomfury.referee import FuryReferee, obsolete_zone_text
from companion.games.phantomfury.rules.r05_counters import DUMMY, activate_suspect, place_suspect, suspects_in
from companion.games.phantomfury.rules.r10_reinforcements import entry
from companion.games.phantomfury.state import box


async def set_up(referee: FuryReferee, head: JsonObject) -> None:
    """[6.1 - 6.3] Set up a scenario.

    Args:
        head: The data of the scenario.
    """
    variant = referee.option("variant") == "on"
    for track in ("vp", "uav", "ah1w", "fa18", "phase"):
        referee.set_track(track, 0, "6.0", "start of the game")
    referee.set_track("turn", 1, "6.0", "start of the game")
    referee.set_flag(state.TURNS, head["variant_turns"] if variant else head["turns"], "15.0" if variant else "7.0")
    battalion = head["variant_battalion"] if variant else head["battalion"]
    referee.set_flag(state.BATTALION_TURN, battalion, "15.0" if variant else "10.3")
    await _map(referee, head)
    await _cups(referee, head)
    start = await _start_zones(referee, head)
    await _squads(referee, head, start)
    _boxes(referee, head, variant)
    await _caats(referee, head["caats"])
    referee.instruct("Mission markers on 0, the turn marker on 1, Reinforcements into their boxes.", "9.2.1")
    referee.say("The insurgents Control every Zone; play begins with the Support Phase of turn 1.", "4.1.4", tone="reminder")


async def _map(referee: FuryReferee, head: JsonObject) -> None:
    """[4.1] Record the Zones of the map, including those entered before, and warn about contradictions."""
    made_up: Mapping[str, str] = head.get("zones", {})
    if made_up:
        referee.set_flags({state.TOLD_ZONE + name: text for name, text in made_up.items()}, "4.1")
        referee.set_flags({state.TOLD_SECTION + name: text for name, text in head["sections"].items()}, "4.3")
        referee.say("The practice map is made up; it is not the published one.", "4.1", tone="warning")
        zones = [name for name in made_up if name != CLOSED]
    else:
        for kind, rule in (("zone", "4.1"), ("section", "4.3")):
            facts = await referee.known_facts(kind, rule)
            referee.set_flags({f"{kind}:{name}": text for name, text in facts.items()}, rule)
        for name in [
            zone_name
            for zone_name in await referee.known_facts("zone", "4.1")
            if zone_name not in entered_map(referee.position)[0]
        ]:
            referee.set_flag(state.TOLD_ZONE + name, None, "4.1")
            referee.say(f"{obsolete_zone_text(name)}.", "4.1", tone="warning")
        zones = [str(number) for number in range(1, 62) if str(number) != CLOSED]
    referee.set_flag(state.ZONES, tuple(zones), "4.1")
    for text, rule in () if referee.quiet else contradictions(*entered_map(referee.position)):
        referee.say(f"What you entered of the map cannot be: {text}.", rule, tone="warning")


async def _cups(referee: FuryReferee, head: JsonObject) -> None:
    """[6.1.1 - 6.1.3] Fill the three containers; values that are not entered come from our sample."""
    sample = referee.chart("sample")
    lots = await Printed(
        "insurgents",
        "Which Insurgents counters are there, and how many? (CF as Guerillas/as Martyrs)",
        "6.1.1",
        INSURGENT_LOTS,
        sample.text("insurgents", "values"),
    )
    for values, count in read_counter_lots(lots):
        for _ in range(count):
            referee.make(state.INSURGENT, insurgent_name(*read_sides(values)), state.INSURGENTS_CUP, "6.1.1")
    lots = await Printed(
        "suspects", "Which Suspect markers are there, and how many?", "6.1.3", SUSPECT_LOTS, sample.text("suspects", "values")
    )
    for values, count in read_counter_lots(lots):
        for _ in range(count):
            referee.make(state.SUSPECT, values, state.SUSPECTS_CUP, "6.1.3")
    total = head.get("markers") or int(
        await Printed(
            "activated", "How many 'Activated Zone' markers are there?", "6.1.2", COUNT, sample.text("activated", "values")
        )
    )
    strong = await Number("strong_points", "How many Strong Points go into the cup? (the more, the harder)", "6.1.2", 1, 4, 2)
    for number in range(int(total)):
        referee.make(state.CONTROL, state.STRONG if number < strong else state.PLAIN, state.ZONES_CUP, "6.1.2")


async def _start_zones(referee: FuryReferee, head: JsonObject) -> list[str]:
    """[6.2] Activate the Zones with a black circle and their Suspects; a 0 is a Dummy."""
    black = [name for name, zone in referee.town.zones.items() if zone.black]
    if len(black) != head["start_zones"]:
        black = (await Printed("start", "Which nine Zones have a black circle?", "6.2", START)).split()
    start = [zone for zone in sorted(black, key=int) if zone in referee.zones()]
    referee.set_flag(state.START_ZONES, tuple(start), "6.2")
    for zone in start:
        await referee.zone(zone, "6.2")
        await referee.complete(zone, "its entry symbol, at which a squad starts", "4.2.2", "door")
        referee.make(state.CONTROL, state.START_ZONE, box(zone), "6.2")
        for _ in range(2):
            await place_suspect(referee, zone, "5.3.2.1")
    for zone in start:
        for suspect in suspects_in(referee, zone):
            await activate_suspect(referee, suspect, zone, DUMMY)
    return start


async def _squads(referee: FuryReferee, head: JsonObject, start: list[str]) -> None:
    """[6.3] Draw squads at random: one for each start Zone, then the Company's; the last are the Battalion's."""
    sample = referee.chart("sample").text("squads", "values").split()
    for number in range(1, head["squads"] + 1):
        cf = await Printed(f"squad:{number}", f"What is the CF of Squad {number}?", "5.1.1", CF, sample[number - 1])
        referee.make(state.SQUAD, f"Squad {number}", state.SQUADS_CUP, "6.3", values={"number": number, "cf": int(cf)})
    drawn = [await _draw_squad(referee, state.DRAWN, "for the start Zones") for _ in start]
    for _ in range(head["company"]):
        await _draw_squad(referee, state.COMPANY, "for the Company Reinforcements")
    for squad in referee.position.at(state.SQUADS_CUP)[: head["battalion_squads"]]:
        referee.move(squad.id, state.BATTALION, "6.3", "Battalion Reinforcements")
    names = {short(referee.piece(squad)): squad for squad in drawn}
    choices = [
        Choice(name, referee.piece(squad).name, f"CF {referee.piece(squad).number('cf')}") for name, squad in names.items()
    ]
    prompt = f"Squads for Zones {', '.join(start)}, in this order"
    order = await Pick("squads", prompt, "6.3", choices, len(start), len(start), list(names), ordered=True)
    for zone, name in zip(start, order, strict=True):
        where = await entry(referee, zone, "6.3")
        referee.move(names[name], where, "6.3", "start")


async def _draw_squad(referee: FuryReferee, where: str, what: str) -> str:
    """Draw one squad from its container."""
    held = referee.cup(state.SQUADS_CUP)
    name = await Draw("squad", f"Squad drawn {what}", "6.3", state.SQUADS_CUP, held, thing="squad", holder="container")
    piece = next(squad for squad in referee.position.at(state.SQUADS_CUP) if squad.name == name)
    referee.move(piece.id, where, "6.3", what)
    return piece.id


def _boxes(referee: FuryReferee, head: JsonObject, variant: bool) -> None:
    """[6.3, 5.1.6, 15.0] Put the M1A1 (two in the variant) and the IIF squads into their boxes."""
    for number in range(1, (2 if variant else 1) + 1):
        referee.make(state.TANK, f"M1A1 {number}", state.ARMOUR, "15.0" if variant else "6.3", values={"number": number, "cf": 8})
    for number in range(1, head["iif"] + 1):
        referee.make(state.IIF, f"IIF {number}", state.IRAQI, "5.1.6", values={"number": number, "cf": 4})


async def _caats(referee: FuryReferee, many: int) -> None:
    """[6.3.1] Give CAATs with Ammo 4 and Explosives to squads in the start Zones, at most one each."""
    squads = referee.squads()
    count = min(many, len(squads))
    best = sorted(squads, key=lambda candidate: -candidate.number("cf"))[:count]
    choices = [
        Choice(short(candidate), candidate.name, f"CF {candidate.number('cf')}, {candidate.place}") for candidate in squads
    ]
    chosen = await Pick(
        "caats",
        f"Which {plural(count, 'squad')} {'gets' if count == 1 else 'get'} a CAAT?",
        "6.3.1",
        choices,
        count,
        count,
        [short(candidate) for candidate in best],
    )
    for squad in squads:
        if short(squad) in chosen:
            for mark, value in ((state.CAAT, True), (state.AMMO, 4), (state.EXPLOSIVES, True)):
                referee.mark(squad.id, mark, value, "5.1.4.1")
            referee.instruct(f"{squad.name} at {squad.place} gets a CAAT with Ammo 4 and Explosives.", "6.3.1")
