"""[14.3] Regrouping of squads: Security Elements, Fired and Pinned units, spent CAATs."""

from __future__ import annotations

from companion.core.position import Piece
from companion.core.text import die_range
from companion.games.phantomfury.names import ELEMENT, FIRED, OFF, PINNED
from companion.games.phantomfury.pieces import controlled
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r03_die import added_up, d10, modifiers, total
from companion.games.phantomfury.rules.r05_losses import remove_caat
from companion.games.phantomfury.words.counters import spent
from companion.games.phantomfury.words.town import location_of, section_of, zone_of


async def regroup(referee: Fury) -> None:
    """[14.3] Regroup Security Elements, Fired and Pinned units, spent CAATs."""
    for element in [piece for piece in referee.position.of_kind(ELEMENT) if zone_of(piece.place)]:
        _element_back(referee, element)
    for unit in [*referee.squads(), *referee.tanks()]:
        if unit.mark(FIRED):
            referee.mark(unit.id, FIRED, None, "14.3.3", "Regrouping")
    for squad in referee.squads():
        if squad.mark(PINNED):
            await unpin(referee, squad)
    for squad in referee.squads():
        if spent(squad):
            referee.say(f"The CAAT of {squad.name} has spent everything and leaves, without loss of VP.", "14.3.5")
            remove_caat(referee, squad, "14.3.5")


def _element_back(referee: Fury, element: Piece) -> None:
    """[14.3.1, 14.3.2] Return an Element to its squad in a Zone under USMC Control; remove it if its squad is gone."""
    zone = zone_of(element.place)
    owner = referee.position.pieces.get(str(element.values.get("squad")))
    gone = owner is None or not (zone_of(owner.place) or section_of(owner.place))
    if gone:
        referee.move(element.id, OFF, "14.3.2", "its squad is eliminated")
    elif controlled(referee.position, zone):
        referee.move(element.id, OFF, "14.3.1", "regrouped")
    else:
        return
    referee.say(f"{element.name} leaves {element.place}.", "14.3.2" if gone else "14.3.1")
    referee.after_element(zone)


def cover(referee: Fury, where: str, tank: bool) -> str:
    """[14.3.4] The row of the chart for a Pinned squad: Courtyard, open, or inside. With an M1A1 a street is not open; neither
    is Open Ground, by a switch (ruling C-66).
    """
    if location_of(where) == "C":
        return "courtyard"
    ground = location_of(where) == "OG" and not (tank and referee.option("regroup_tank") == "both")
    return "open" if ground or (section_of(where) and not tank) else "inside"


async def steady(referee: Fury, name: str, cf: int, row: str) -> tuple[int, bool]:
    """[14.3.4] Roll for a Pinned squad: (face, success). It regroups up to its CF."""
    plus = total(modifiers(referee, "regrouping", "modifier", row))
    face = await d10(
        "regroup", f"Regroup {name}: no longer Pinned on {die_range(0, cf - plus, 9)}", "14.3.4", lambda die: die + plus <= cf
    )
    return face, face + plus <= cf


async def unpin(referee: Fury, squad: Piece) -> None:
    """[14.3.4] Regroup a Pinned squad: automatic with no enemy around, otherwise by a die."""
    section, zone = section_of(squad.place), zone_of(squad.place)
    around = (await referee.section(section, "14.3.4")).zones if section else await referee.around(zone, "14.3.4")
    if not any(referee.count(around)):
        referee.mark(squad.id, PINNED, None, "14.3.4", "no enemy around")
        referee.say(f"{squad.name} is no longer Pinned: no enemy around it.", "14.3.4")
        return
    cf, row = referee.cf(squad), cover(referee, squad.place, referee.tank_in(squad.place) is not None)
    face, good = await steady(referee, f"{squad.name} at {squad.place}", cf, row)
    if good:
        referee.mark(squad.id, PINNED, None, "14.3.4", "Regrouping")
    word = "No longer Pinned" if good else "Still PINNED"
    text = added_up(face, modifiers(referee, "regrouping", "modifier", row))
    referee.say(f"{squad.name}: {text}, needs {die_range(0, cf)}. {word}.", "14.3.4", referee.counted(around))
