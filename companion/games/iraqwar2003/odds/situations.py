"""What can be asked of chance in Iraq War 2003: each answered by the procedures that roll it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.errors import Impossible, Unreadable
from companion.core.notation import Notation
from companion.core.position import Position
from companion.core.requests import Choice, Odds
from companion.core.words import clean, matching_names, pick_name, split_list
from companion.games.iraqwar2003.names import AIR, BOX, COALITION, NONE, is_none, other, site_place
from companion.games.iraqwar2003.odds.air import done, fate, flown_odds, mission_odds
from companion.games.iraqwar2003.odds.combat import Outlook, combat_odds
from companion.games.iraqwar2003.odds.command import cp_odds
from companion.games.iraqwar2003.odds.described import described_clash, outlook
from companion.games.iraqwar2003.odds.paper import Paper
from companion.games.iraqwar2003.referee import IraqWar, boxes, intact
from companion.games.iraqwar2003.rules import r05_air_combat as flight
from companion.games.iraqwar2003.rules.r11_command_points import radios_that_count
from companion.games.iraqwar2003.words.counters import AIR as AIR_VALUES
from companion.games.iraqwar2003.words.counters import AirValues, counts_for_victory, read_air, side_of
from companion.games.iraqwar2003.words.results import COLUMN, UNKNOWN
from companion.games.iraqwar2003.words.sites import COMM, RADIO

_CURE = "Type values like 5-2-4 or 0-0-5 stealth, or the name of a unit"


def _read_flier(text: str, names: Sequence[str]) -> str:
    plain = clean(text)
    if is_none(plain):
        return NONE
    try:
        return str(read_air(plain))
    except Unreadable:
        found = matching_names(plain, names)
        return pick_name(plain, names, "air unit", cure=_CURE) if found else plain[:40]


async def ask_flier(game: IraqWar, key: str, prompt: str, rule: str, optional: bool = True) -> tuple[str, AirValues] | None:
    """A unit by its values or by its name, whose values are looked up; None for none."""
    names = [piece.name for piece in game.position.of_kind(AIR)]
    notation = Notation("air unit", "5-2-4", lambda text: _read_flier(text, names))
    text = await game.text(key, prompt, rule, notation, [Choice(name, name) for name in names], NONE if optional else None)
    if text == NONE:
        if not optional:
            raise Impossible("there is no mission without a unit", rule=rule, cure=_CURE)
        return None
    try:
        return key, read_air(text)
    except Unreadable:
        piece = next((one for one in game.position.of_kind(AIR) if one.name == text), None)
        if piece is not None:
            return text, await game.air_values(piece)
        told = await game.printed(f"air:{text}", f"{text}: air combat-ground support-bombing", "2.3", AIR_VALUES)
        return text, read_air(told)


def read_shots(text: str) -> str:
    """``3 2``: the firepower of each anti-air shot; ``none``. Raises Unreadable: not numbers from 1 to 6."""
    plain = clean(text).replace(",", " ")
    if is_none(plain) or plain == "0":
        return NONE
    if not all(part.isdecimal() and 1 <= int(part) <= 6 for part in plain.split()):
        raise Unreadable(f"'{plain}' are not anti-air firepowers", rule="6.3(4)", cure="Type one number a shot: 3 2, or none")
    return " ".join(plain.split())


SHOTS = Notation("anti-air firepowers", "3 2", read_shots)


def shots_of(text: str) -> tuple[int, ...]:
    """What ``read_shots`` has read, as numbers."""
    return () if text == NONE else tuple(map(int, text.split()))


async def mission_odds_of(game: IraqWar) -> Odds:
    """[5.2] A mission from take-off to bombs: interception, anti-air fire, bombing."""
    there = await _ask_fliers(game, "Interceptor (Enter: none)")
    shots = shots_of(await game.text("aa", "Anti-air firepower of each shot (Enter: none)", "5.6", SHOTS, (), NONE))
    city = await game.confirm("city", "A hex of Baghdad, Basra or Mosul (bombing halved)", "5.7(3)", suggest=False)
    return mission_odds(there.mission("the target", shots, city), there.free)


class _There(NamedTuple):
    """A group and who intercepts it, as they were described.

    Attributes:
        values: of the bomber. fliers: all of them as they fight. free: names of ships, whose loss costs no victory point.
    """

    values: AirValues
    fliers: tuple[flight.Flier, ...]
    free: tuple[str, ...]

    def mission(self, what: str, shots: tuple[int, ...], city: bool) -> flight.Mission:
        lead = self.fliers[0]._replace(worth=flight.bombing_value(self.values.bombing, city), shots=shots)
        return flight.Mission((lead, *self.fliers[1:]), what)


async def _ask_fliers(game: IraqWar, foe_prompt: str) -> _There:
    """The bomber, its escort, and who may intercept it; nobody meets a white silhouette [5.4.1(1)]."""
    lead = await ask_flier(game, "bomber", "Bombing unit: values, or its name", "5.3(4)", optional=False)
    escort = await ask_flier(game, "escort", "Escort (Enter: none)", "5.3(1)")
    foe = await ask_flier(game, "interceptor", foe_prompt, "5.3(2)")
    assert lead
    pieces = {piece.name: piece for piece in game.position.of_kind(AIR)}
    side = side_of(pieces[lead[0]]) if lead[0] in pieces else COALITION
    roles = (
        (lead, side, flight.BOMBING),
        (escort, side, flight.ESCORT),
        (None if lead[1].stealth else foe, other(side), flight.INTERCEPT),
    )
    fliers = [flight.Flier(one[0], side, role, one[1].air, one[1].stealth) for one, side, role in roles if one]
    return _There(lead[1], tuple(fliers), tuple(name for name, piece in pieces.items() if not counts_for_victory(piece)))


def _read_targets(text: str) -> str:
    found = []
    for part in split_list(clean(text)):
        name, _, rest = part.partition(":")
        words = rest.split()
        city = "halved" in words
        shots = read_shots(" ".join(word for word in words if word != "halved"))
        if not name.strip():
            raise Unreadable(f"'{part}' has no name", rule="5.7", cure="Type: radio: 3 2, SRG 1: halved")
        found.append(f"{name.strip()}: {shots}{' halved' if city else ''}")
    if not 1 <= len(found) <= 12:
        raise Unreadable(f"{len(found)} targets named, 1 to 12 needed", rule="5.7")
    return ", ".join(found)


TARGETS = Notation("targets", "radio: 3 2, SRG 1: halved, 6A: none", _read_targets)


async def best_target(game: IraqWar) -> Odds:
    """[5.7] P(hit) and P(loss) of one air group against each target named, the best first."""
    there = await _ask_fliers(game, "Interceptor that may come (Enter: none)")
    rows = []
    for title, shots, city in await _named_targets(game):
        results = flown_odds(there.mission(title, shots, city))
        rows.append((title, done(results), fate(results, flight.REMOVED)))
    rows.sort(key=lambda row: (-row[1], row[2]))
    sections = (
        ("Hits the target, the best first", tuple((title, hit) for title, hit, _ in rows)),
        ("Is removed on the way", tuple((title, lost) for title, _, lost in rows)),
    )
    note = f"Best: {rows[0][0]}. What a hit there is worth is yours to judge."
    met = [flier.name for flier in there.fliers if flier.role == flight.INTERCEPT]
    group = "+".join(flier.name for flier in there.fliers if flier.role != flight.INTERCEPT)
    flown = f"Intercepted by {met[0]}." if met else "Not intercepted."
    return Odds(f"Targets for {group} ({there.values})", "5.7", sections, (), (note, flown))


async def _named_targets(game: IraqWar) -> list[tuple[str, tuple[int, ...], bool]]:
    """Targets with anti-air fire and halving; in a session whose display is told, its whole boxes are suggested."""
    whole = intact(boxes(game.position))
    sites = dict.fromkeys(str(box.values.get("site")) for box in whole)
    parts = [f"{site}: {' '.join(map(str, game.aa_shots(site))) or NONE}" for site in sites]
    prompt = "Targets as NAME: AA firepowers, halved in the three cities"
    text = await game.text("targets", prompt, "5.7", TARGETS, (), ", ".join(parts) or None)
    found = []
    for part in split_list(text):
        title, _, rest = part.partition(": ")
        words = rest.split()
        found.append((title, shots_of(" ".join(word for word in words if word != "halved")), "halved" in words))
    return found


async def combat_odds_of(game: IraqWar) -> Odds:
    """[13.4] A described combat, without air support and with some; columns of the chart that are not told are asked."""
    clash = await described_clash(game)
    steps = await game.number("steps", "Strength steps of the defender", "13.4.1", 1, 18, len(clash.theirs))
    city = await game.confirm("city", "Defender in a city (a retreat may be ignored)", "13.5(8)", False)
    support = await game.number("support", "Ground support value of your air unit (0: none)", "13.3(2)", 0, 9, 0)
    shots = shots_of(await game.text("aa", "Anti-air fire at it", "13.3(2-2)", SHOTS, (), NONE)) if support else ()
    ways: dict[str, flight.Mission | None] = {"without support": None}
    if support:
        ways["with support"] = flight.Mission(
            (flight.Flier("support", COALITION, flight.SUPPORT, 0, worth=support, shots=shots),)
        )
    ahead = await outlook(game, clash, steps, city)
    told = dict(ahead.paper.told)
    for name in dict.fromkeys(name for mission in ways.values() for name in ahead.columns(mission)):
        if UNKNOWN in told.get(name, UNKNOWN):
            prompt = f"Combat Results Chart, column {name}: six results"
            told[name] = await game.printed(f"crt:{name}", prompt, "13.4", COLUMN)
    return combat_odds(Outlook(ahead.paper, ahead.attack, told, clash), ways)


async def cp_odds_of(game: IraqWar) -> Odds:
    """[11.1] Expected command points: Radio against the die."""
    there = boxes(game.position, RADIO)
    radios = await game.number("radio", "Undestroyed Radio boxes", "11.1(1)", 0, 30, radios_that_count(game) if there else None)
    pieces = {piece.id: piece for piece in game.position.pieces.values() if piece not in there}
    paper = Paper(game, position=Position(game.position.tracks, pieces, game.position.flags))
    for number in range(1, radios + 1):
        paper.make(BOX, f"radio {number}", site_place(COMM), "11.1(1)", values={"box": RADIO})
    return cp_odds(paper)
