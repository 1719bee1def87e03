"""Odds that can be asked for, each described by a few answers."""

from __future__ import annotations

from companion.core.requests import Choice, Choose, Confirm, Number, Odds, Text
from companion.games.phantomfury.names import SUSPECT
from companion.games.phantomfury.odds.chances import (
    assault_odds,
    crossing_odds,
    entry_odds,
    fire_odds,
    flood_odds,
    in_order,
    missions_odds,
    regroup_odds,
)
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r11_shot import Shot
from companion.games.phantomfury.rules.r11_sniper import Street
from companion.games.phantomfury.rules.r12_defence import Entry
from companion.games.phantomfury.rules.r13_described import ask_enemy, ask_extras, ask_type, describe
from companion.games.phantomfury.rules.r14_regroup import cover
from companion.games.phantomfury.words.enemies import ENEMIES, listed


async def odds_of_assault(referee: Fury) -> Odds:
    """One Assault of any type, with or without explosives."""
    enemy = await ask_enemy("13.4")
    kind = await ask_type()
    scene = await describe(referee, (enemy,), "13.4")
    explosives = await Confirm("explosives", "With explosives", "13.7.1", False)
    return assault_odds(referee, scene, kind, explosives)


async def odds_of_flood(referee: Fury) -> Odds:
    """[13.4.8] Flooding to its end."""
    text = await Text("enemies", "Enemies left in the Zone, with their Locations: 2':s,1:g2", "13.4.8", ENEMIES)
    return flood_odds(referee, await describe(referee, in_order(listed(text)), "13.4.8"))


async def odds_of_entry(referee: Fury) -> Odds:
    """[12.7] Defensive Fire on entering a Courtyard or Open Ground."""
    text = await Text("enemies", "Enemies in the Zone: g2,s,s", "12.7", ENEMIES)
    location = await Choose("location", "Entering", "12.7.1", [Choice("C", "Courtyard"), Choice("OG", "Open Ground")], "C")
    tank = location == "OG" and await Confirm("tank", "With an M1A1 in Open Ground", "12.7.2", False)
    element = location == "C" and await Confirm("detach", "Security Element detached in the Courtyard", "12.7.2", False)
    ruins = location == "C" and await Confirm("ruins", "A Ruins Zone", "12.7.2", False)
    enemies = sorted((enemy for _, enemy in listed(text)), key=lambda piece: piece.kind == SUSPECT)
    scene = await describe(referee, tuple(enemies), "12.7")
    scene = scene._replace(squad=scene.squad._replace(element=element))
    return entry_odds(referee, scene, Entry(location, tank, element, ruins))


async def odds_of_fire(referee: Fury) -> Odds:
    """[11.2] One shot."""
    cf = await Number("cf", "CF of the firer, with CAAT Ammo if used", "11.2.2", 1, 12)
    enemy = await ask_enemy("11.2.1")
    roof = await Confirm("roof", "On a Rooftop", "11.2.1", False)
    words = await ask_extras("11.2.1")
    around = 0
    if enemy.kind == SUSPECT:
        around = await Number("around", "Enemies around the squad that fires, this one too (a Sniper)", "11.4.1.1", 0, 20, 1)
    return fire_odds(referee, Shot(cf, enemy.kind, roof, "fortified" in words or "mosque" in words, "fury" in words), around)


async def odds_of_crossing(referee: Fury) -> Odds:
    """[12.5.2] Crossing a street."""
    units = await Number("units", "Insurgents units beside the street", "11.4.2.1", 0, 12, 0)
    suspects = await Number("suspects", "Suspects beside the street", "11.4.2.1", 0, 12, 0)
    tank = await Confirm("tank", "An M1A1 in the street", "11.4.2.2", False)
    return crossing_odds(Street(units, suspects, tank))


async def odds_of_mission(referee: Fury) -> Odds:
    """[9.1] A number of Missions in a row, up to the first failure."""
    chart = referee.chart("missions")
    choices = [Choice(name, chart.text(name, "title")) for name in chart.rows]
    which = await Choose("mission", "Which Mission is called each time?", "9.3", choices, "uav")
    most = chart.number(which, "max") - (referee.position.track(which) if referee.position.track("turn") else 0)
    times = await Number("times", "How many times at most?", "9.2", 1, max(most, 1), min(2, max(most, 1)))
    return missions_odds(referee, which, times)


_COVERS = {
    "elsewhere": ("1, 2 or R", ("", False)),
    "courtyard": ("a Courtyard", ("1-C", False)),
    "open": ("Open Ground", ("1-OG", False)),
    "beside": ("Open Ground with an M1A1", ("1-OG", True)),
    "street": ("a street", ("street a", False)),
    "covered": ("a street with an M1A1", ("street a", True)),
}


async def odds_of_regrouping(referee: Fury) -> Odds:
    """[14.3.4] Regrouping of a Pinned squad, this turn and by later turns."""
    cf = await Number("cf", "CF of the Pinned squad", "14.3.4", 1, 9)
    choices = [Choice(name, text) for name, (text, _) in _COVERS.items()]
    where = await Choose("at", "Where is it?", "14.3.4", choices, "elsewhere")
    return regroup_odds(referee, cf, cover(referee, *_COVERS[where][1]))
