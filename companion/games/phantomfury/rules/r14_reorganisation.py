"""[7.0, 14.0] The Reorganisation Phase, carried out automatically; the end of the turn and victory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from companion.core.charts import Chart
from companion.core.game import Score
from companion.core.odds import distribution
from companion.core.position import Piece, Position
from companion.core.requests import Choice, Choose, Number, Odds
from companion.core.text import die_range, plural
from companion.games.phantomfury import state
from companion.games.phantomfury.notation import MOSQUE
from companion.games.phantomfury.referee import REORGANISATION, FuryReferee, last_turn
from companion.games.phantomfury.rules import r03_basics, r06_entry, r12_paths


async def regroup(referee: FuryReferee) -> None:
    """[14.3] Regroup Security Elements, Fired and Pinned units, spent CAATs."""
    for element in [piece for piece in referee.position.of_kind(state.ELEMENT) if state.zone_of(piece.place)]:
        _element_back(referee, element)
    for unit in [*referee.squads(), *referee.tanks()]:
        if unit.mark(state.FIRED):
            referee.mark(unit.id, state.FIRED, None, "14.3.3", "Regrouping")
    for squad in referee.squads():
        if squad.mark(state.PINNED):
            await unpin(referee, squad)
    for squad in referee.squads():
        if state.spent(squad):
            referee.say(f"The CAAT of {squad.name} has spent everything and leaves, without loss of VP.", "14.3.5")
            r03_basics.remove_caat(referee, squad, "14.3.5")


def _element_back(referee: FuryReferee, element: Piece) -> None:
    """[14.3.1, 14.3.2] Return an Element to its squad in a Zone under USMC Control; remove it if its squad is gone."""
    zone = state.zone_of(element.place)
    owner = referee.position.pieces.get(str(element.values.get("squad")))
    gone = owner is None or not state.on_map(owner)
    if gone:
        referee.move(element.id, state.OFF, "14.3.2", "its squad is eliminated")
    elif referee.is_controlled(zone):
        referee.move(element.id, state.OFF, "14.3.1", "regrouped")
    else:
        return
    referee.say(f"{element.name} leaves {element.place}.", "14.3.2" if gone else "14.3.1")
    referee.after_element_removed(zone)


def regroup_row(referee: FuryReferee, where: str, tank: bool) -> str:
    """[14.3.4] The chart row of a Pinned squad. With an M1A1 a street is not open; nor Open Ground, by a switch (ruling C-66)."""
    if state.location_of(where) == "C":
        return "courtyard"
    ground = state.location_of(where) == "OG" and not (tank and referee.option("regroup_tank") == "both")
    return "open" if ground or (state.section_of(where) and not tank) else "inside"


async def roll_regroup(referee: FuryReferee, name: str, cf: int, row: str) -> tuple[int, bool]:
    """[14.3.4] Roll for a Pinned squad: (face, success). It regroups up to its CF."""
    plus = r03_basics.total(r03_basics.modifiers(referee, "regrouping", "modifier", row))
    prompt = f"Regroup {name}: it regroups on {die_range(0, cf - plus, 9)}"
    face = await r03_basics.d10("regroup", prompt, "14.3.4", lambda die: die + plus <= cf)
    return face, face + plus <= cf


async def unpin(referee: FuryReferee, squad: Piece) -> None:
    """[14.3.4] Regroup a Pinned squad: automatic with no enemy around, otherwise by a die."""
    section, zone = state.section_of(squad.place), state.zone_of(squad.place)
    around = (await referee.section(section, "14.3.4")).zones if section else await referee.around(zone, "14.3.4")
    if not any(referee.enemy_counts(around)):
        referee.mark(squad.id, state.PINNED, None, "14.3.4", "no enemy around")
        referee.say(f"{squad.name} is no longer Pinned: no enemy around it.", "14.3.4")
        return
    cf, row = referee.cf(squad), regroup_row(referee, squad.place, referee.tank_in(squad.place) is not None)
    face, good = await roll_regroup(referee, f"{squad.name} at {squad.place}", cf, row)
    if good:
        referee.mark(squad.id, state.PINNED, None, "14.3.4", "Regrouping")
    word = "No longer Pinned" if good else "Still PINNED"
    lines = r03_basics.modifiers(referee, "regrouping", "modifier", row)
    text = r03_basics.result_text(face, lines, cf, "regroups", 9)
    referee.say(f"{squad.name}: {text}. {word}.", "14.3.4", referee.enemies_text(around))


async def end_turn(referee: FuryReferee) -> None:
    """[14.1 - 14.5, 7.2] The Phase in its printed order, then the check of victory, then the next turn."""
    r12_paths.end_movement(referee)
    referee.begin(REORGANISATION)
    before = referee.position
    taken = take_control(referee)
    await contact(referee, taken)
    r06_entry.note_mosque(referee)
    await regroup(referee)
    await infiltrate(referee)
    turn_markers(referee)
    for flag in (state.ASSAULTED, state.MOVED, state.BROUGHT_BACK, state.SUPPORT_OVER):
        referee.set_flag(flag, None, "8.0")
    summarise(referee, before)
    end_of_turn(referee)


def summarise(referee: FuryReferee, before: Position) -> None:
    """List the changes of the Phase on the map."""
    if referee.quiet:
        return
    now, zones = referee.position, referee.zones()
    new = [zone for zone in zones if state.marker_of(now, zone) and not state.marker_of(before, zone)]
    held = {zone for zone in zones if state.is_controlled(before, zone)}
    ours = {zone for zone in zones if state.is_controlled(now, zone)}
    pinned = [squad for squad in referee.squads() if before.pieces[squad.id].mark(state.PINNED)]
    for word, rule, what in (
        ("Taken:", "14.1.1", [zone for zone in zones if zone in ours and zone not in held]),
        ("Activated:", "14.2", [_contents(referee, zone) for zone in new if zone not in ours]),
        ("Lost:", "14.4.1", [_contents(referee, zone) for zone in zones if zone in held and zone not in ours]),
        ("No longer Pinned:", "14.3.4", [squad.name for squad in pinned if not squad.mark(state.PINNED)]),
        ("Still Pinned:", "14.3.4", [squad.name for squad in pinned if squad.mark(state.PINNED)]),
    ):
        if what:
            referee.instruct(f"{word} {', '.join(what)}.", rule)


def _contents(referee: FuryReferee, zone: str) -> str:
    """A Zone with its contents: ``24 Fortified (Suspect at 24-1)``."""
    nature = " Fortified" if referee.is_fortified(zone) else ""
    return f"{zone}{nature} ({referee.enemy_places_text(referee.enemies_in(zone))})"


def take_control(referee: FuryReferee) -> list[str]:
    """[14.1] Take the Zones that hold a squad and no enemy (ruling C-25). Returns those taken."""
    taken = []
    for zone in dict.fromkeys(state.zone_of(squad.place) for squad in referee.squads() if state.zone_of(squad.place)):
        if referee.is_controlled(zone):
            continue
        enemies = referee.enemies_in(zone)
        names = " and ".join(squad.name for squad in referee.squads_in(zone))
        if enemies:
            referee.say(f"Zone {zone}: {names}, not under Control: {referee.enemy_places_text(enemies)}.", "14.1.1")
            continue
        referee.take_control(zone, "14.1.1", f"Zone {zone}, {names}")
        taken.append(zone)
    for zone in {state.zone_of(piece.place) for piece in referee.position.of_kind(state.ELEMENT) if state.zone_of(piece.place)}:
        if not referee.squads_in(zone) and not referee.is_controlled(zone):
            referee.say(f"Zone {zone}: a Security Element alone takes no Control.", "14.1.2")
    return taken


async def contact(referee: FuryReferee, taken: list[str]) -> None:
    """[14.2] Activate the Zones around those taken (all are taken first, ruling C-26), and neighbours entered later."""
    for index, zone in enumerate(taken, 1):
        around = [other for other in await referee.around(zone, "14.2") if other in referee.zones()]
        later = [other for next_zone in taken[index:] for other in referee.town.around(next_zone) if other in referee.zones()]
        await r03_basics.activate_zones(referee, around, "14.2", [*later, *referee.members(state.LATE)])
    await r03_basics.activate_zones(referee, referee.members(state.LATE), "14.2")
    referee.set_flag(state.LATE, None, "14.2")


async def infiltrate(referee: FuryReferee) -> None:
    """[14.4] Place a Suspect in each empty USMC Zone beside an enemy base. A Zone infiltrated now is no base [14.4.3]."""
    ours = referee.usmc_zones()
    held = bases(referee, referee.zones(), ours)
    for zone in [zone for zone in referee.zones() if zone not in ours and referee.is_controlled(zone)]:
        await referee.around(zone, "14.4.1")
        base, because = way_in(referee, zone, held)
        if not base:
            if because:
                referee.say(f"Zone {zone} is not infiltrated.", "14.4.2", *because)
        elif await r03_basics.place_suspect(referee, zone, "14.4.1"):
            referee.lose_control(zone, "14.4.1", f"infiltrated from Zone {base}")
            referee.say(f"Zone {zone} is infiltrated from Zone {base}.", "14.4.1", *because)


def bases(referee: FuryReferee, zones: Iterable[str], ours: Collection[str]) -> set[str]:
    """[14.4.1] The Zones to infiltrate from: under insurgent Control, held by enemies, not in ``ours`` (with USMC units)."""
    return {zone for zone in zones if zone not in ours and not referee.is_controlled(zone) and referee.enemies_in(zone)}


def way_in(referee: FuryReferee, zone: str, held: Collection[str]) -> tuple[str, list[str]]:
    """[14.4.1, 14.4.2] The first base from which a Zone can be infiltrated ("" if none), and what was checked."""
    because: list[str] = []
    for base in (zone for zone in referee.town.around(zone) if zone in held):
        why = _barred(referee, zone, base)
        because.append(f"from Zone {base}: {why or 'open'}")
        if not why:
            return base, because
    return "", because


def _barred(referee: FuryReferee, zone: str, base: str) -> str:
    """[14.4.2] Why no unit can infiltrate between two Zones, or ""; by a switch all Sections must be watched (ruling C-68)."""
    if base in referee.town.adjacent(zone):
        return ""
    between = referee.town.between(zone, base)
    watched = [name for name in between if _watched(referee, name)]
    if not watched or (referee.option("watched") == "all" and len(watched) < len(between)):
        return ""
    return f"street {', '.join(watched)} is watched"


def _watched(referee: FuryReferee, section: str) -> bool:
    held = referee.position.at(state.street(section))
    if any(piece.kind == state.TANK or (state.is_squad(piece) and piece.mark(state.PINNED)) for piece in held):
        return True
    return any(referee.is_controlled(name) and referee.squads_in(name) for name in referee.town.sections[section].zones)


def turn_markers(referee: FuryReferee) -> None:
    """[14.5] Remove Phantom Fury markers on 0030 and turn those on 0015."""
    markers = referee.position.of_kind(state.MARKER)
    for marker in [marker for marker in markers if marker.name == state.FURY and marker.place != state.OFF]:
        if marker.face == "front":
            referee.flip(marker.id, state.LATER, "14.5", "one turn left")
        else:
            referee.move(marker.id, state.OFF, "14.5", "it ends")


def _zones(left: list[str]) -> str:
    return plural(len(left), "Zone is", "Zones are")


def lost_zones(position: Position) -> list[str]:
    """The Zones that are not under USMC Control [7.1]."""
    return [zone for zone in position.members(state.ZONES) if not state.is_controlled(position, zone)]


def only_empty_mosque(position: Position) -> bool:
    """[7.1] True if only Zone 26 is left and it is empty."""
    return lost_zones(position) == [MOSQUE] and not state.enemies_in(position, MOSQUE)


def final_item(position: Position) -> tuple[str, int]:
    """[7.1, 7.2.1] The item of the chart of points that is scored as the game ends, and how often; ("", 0) for none."""
    rest = last_turn(position) - position.track("turn")
    if not lost_zones(position):
        return ("turn_left", rest) if rest > 0 else ("", 0)
    return ("mosque_left", 1) if only_empty_mosque(position) else ("", 0)


def end_of_turn(referee: FuryReferee) -> None:
    """[7.1, 7.2] End the game if all Zones are taken or the last turn is over; otherwise begin the next turn."""
    left = lost_zones(referee.position)
    rest = referee.last_turn - referee.turn
    if not left or rest <= 0:
        end_game(referee)
        return
    referee.say(f"Turn {referee.turn} ends: {_zones(left)} left to the insurgents.", "7.2", f"Zones {', '.join(left)}")
    referee.set_track("phase", 0, "8.0", "")
    referee.shift_track("turn", 1, "8.0", "")


def end_game(referee: FuryReferee) -> None:
    """[7.1, 7.2, 7.2.1] Score what the end brings, and end the game."""
    left = lost_zones(referee.position)
    item, times = final_item(referee.position)
    if not left:
        if item:
            referee.points(item, "7.2.1", f"{plural(times, 'turn')} not played", times)
        finish(referee, "every Zone is under USMC Control", "usmc")
    elif item:
        referee.points(item, "7.1", "Zone 26 is empty and not under Control")
        finish(referee, "the last turn is over; only Zone 26 is left, and it is empty", "usmc")
    else:
        referee.say(f"{_zones(left)} not under USMC Control: {', '.join(left)}.", "7.1")
        finish(referee, "the last turn is over", "insurgents")


def finish(referee: FuryReferee, why: str, winner: state.Winner) -> None:
    """End the game."""
    referee.set_flag(state.OVER, why, "7.0")
    referee.set_flag(state.WINNER, winner, "7.0")
    verdict = level(referee.charts, referee.position.track("vp"), winner)
    rows = [f"{label}: {value:+d} [{rule}]" for label, value, rule in itemised_score(referee.position, referee.charts).items]
    text = f"THE GAME ENDS: {why}. {verdict} at {referee.position.track('vp')} VP."
    referee.say(text, "7.2.2" if winner == "usmc" else "7.1", *rows)


def level(charts: Mapping[str, Chart], vp: int, winner: state.Winner) -> str:
    """[7.2.2] The level of victory: major, minor, bitter, or the insurgents' victory."""
    return "Insurgent victory" if winner == "insurgents" else charts["victory"].text(vp, "level")


def itemised_score(position: Position, charts: Mapping[str, Chart]) -> Score:
    """[7.2.1] The score itemised, with the verdict: final, or as if the game ended now."""
    chart = charts["points"]
    items = []
    winner = state.winner(position)
    final, times = ("", 0) if winner else final_item(position)
    for item in chart.rows:
        tally = position.flag(state.TALLY + item)
        if count := (tally if isinstance(tally, int) else 0) + (times if item == final else 0):
            label, points = f"{chart.text(item, 'title')} x{count}", count * chart.number(item, "vp")
            items.append((label, points, chart.cites.get(item, chart.rule)))
    vp = position.track("vp") + (times * chart.number(final, "vp") if final else 0)
    apart = vp - sum(points for _, points, _ in items)
    if apart:
        items.append(("manual corrections", apart, "7.2.1"))
    left = lost_zones(position)
    expected: state.Winner = "usmc" if not left or only_empty_mosque(position) else "insurgents"
    notes = []
    if left:
        notes.append(f"{_zones(left)} not under USMC Control{': ' + ', '.join(left) if len(left) <= 12 else ''}.")
    if not winner and left:
        rest = (last_turn(position) - position.track("turn")) * chart.number("turn_left", "vp")
        notes.append(f"The level is what it would be if the last turn ended now; all Zones taken this turn bring {rest:+d}.")
    return Score(tuple(items), vp, level(charts, vp, winner or expected), "7.2.2", tuple(notes))


_COVERS = {
    "elsewhere": ("1, 2 or R", "", False),
    "courtyard": ("a Courtyard", "1-C", False),
    "open": ("Open Ground", "1-OG", False),
    "beside": ("Open Ground with an M1A1", "1-OG", True),
    "street": ("a street", "street a", False),
    "covered": ("a street with an M1A1", "street a", True),
}


async def odds_of_regrouping(referee: FuryReferee) -> Odds:
    """[14.3.4] Regrouping of a Pinned squad, this turn and by later turns."""
    cf = await Number("cf", "CF of the Pinned squad", "14.3.4", 1, 9)
    choices = [Choice(name, text) for name, (text, *_) in _COVERS.items()]
    where = await Choose("at", "Where is it?", "14.3.4", choices, "elsewhere")
    row = regroup_row(referee, *_COVERS[where][1:])
    results = distribution(lambda: roll_regroup(referee, "the squad", cf, row))
    good = sum(chance for (_, success), chance in results.items() if success)
    turns = tuple((f"by the end of turn {turn}", 1 - (1 - good) ** turn) for turn in (1, 2, 3))
    return Odds("Regrouping", "14.3.4", (("No longer Pinned", turns),), (), ("Automatic with no enemy around.",))
