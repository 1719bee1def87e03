"""Situations and fights: of the session's own areas, or of forces that are only described.

``2-3, 2-3/2, 3-2`` describes three units with fire and melee strength, the second with 2 hits.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Unreadable
from companion.core.events import Tone
from companion.core.notation import Notation
from companion.core.position import Piece, Position
from companion.core.requests import Choice, LazyText, Odds
from companion.core.text import clean
from companion.games.lzalbany import notation, odds, state
from companion.games.lzalbany.areas import COLUMBUS, JUNGLE, SAWGRASS, TRANSITION, is_area, title
from companion.games.lzalbany.referee import AlbanyReferee
from companion.games.lzalbany.rules import r02_map, r03_turn, r07_fire, r07_melee, r07_mortars, r07_support, r08_hits
from companion.games.lzalbany.state import Side

EXAMPLE = "2-3, 2-3/2, 3-2"
_UNITS = "fire-melee of each; with hits /1 or /2 after it, /3 if reduced"
DESCRIBED = "described"
HERE, THERE, DISPUTED = "the firing area", "the target area", "the disputed area"
_DAY_TURN = 2
"""A turn by day without the exceptions of turn 1 [7.3(4)]."""


class DescribedReferee(AlbanyReferee):
    """A table for described forces: questions and lines go to the player, and the session keeps nothing."""

    def __init__(self, table: AlbanyReferee) -> None:
        super().__init__(Position({state.TURN: _DAY_TURN}), table.options, table.data)
        self.table = table
        self.recording = False

    def say(self, text: LazyText, rule: str, *because: LazyText, tone: Tone = "") -> None:
        self.table.say(text, rule, *because, tone=tone)

    def skip_question(self, key: str, text: LazyText, rule: str, cure: str = "", equivalent: tuple[str, ...] = ()) -> None:
        self.table.skip_question(key, text, rule, cure, equivalent)

    def forbid(self, text: str, rule: str, cure: str = "") -> None:
        self.table.forbid(text, rule, cure)

    def apply_hits(self, before: Sequence[r08_hits.Target], after: Sequence[r08_hits.Target | None], rule: str, why: str) -> None:
        """[8.2] Apply hits and announce them, since no counter shows them."""
        super().apply_hits(before, after, rule, why)
        for old, new in zip(before, after, strict=True):
            if new != old:
                self.say(f"{old.name} is {_fate_text(new)}.", "8.2" if old.kind != state.OFFICER else "10.4")


def _fate_text(after: r08_hits.Target | None) -> str:
    if after is None:
        return "ELIMINATED"
    words = {"reduced": "REDUCED", "officer, wounded": "a CASUALTY", "wounded marker": "ELIMINATED, a wounded marker is left"}
    text = r08_hits.state_text(after)
    return words.get(text, f"at {text}")


def _read_unit(text: str) -> tuple[int, int, int]:
    values, _, hits = text.partition("/")
    fire, dash, melee = values.partition("-")
    numbers = [fire.strip(), melee.strip() if dash else "0", hits.strip() or "0"]
    if not all(number.isdecimal() and int(number) <= 12 for number in numbers) or int(numbers[2]) > state.REDUCED:
        cure = f"Type units like this: {EXAMPLE}; 3 hits: reduced"
        raise Unreadable(f"'{clean(text)}' is not fire-melee/hits", rule="2.4", cure=cure)
    return int(numbers[0]), int(numbers[1]), int(numbers[2])


def read_force(text: str) -> list[tuple[int, int, int]]:
    """Read fire, melee and hits of 1 to 12 units. Raises Unreadable."""
    units = [_read_unit(part) for part in text.replace(";", ",").split(",") if part.strip()]
    if not 1 <= len(units) <= 12:
        raise Unreadable("1 to 12 units can be described", rule="2.4", cure=f"Type them like this: {EXAMPLE}")
    return units


def _normal(text: str) -> str:
    return ", ".join(f"{fire}-{melee}" + (f"/{hits}" if hits else "") for fire, melee, hits in read_force(text))


FORCE = Notation("force", EXAMPLE, _normal)


def place_unit(
    fight: DescribedReferee, side: Side, area: str, name: str, kind: str, fire: int, melee: int = 0, hits: int = 0
) -> Piece:
    """Place a described unit; one that is not reduced loses one of each strength when it is."""
    back = (fire, melee) if hits == state.REDUCED else (max(0, fire - 1), max(0, melee - 1))
    values = notation.values_of(notation.Counter("", kind, fire, melee, *back), "", side, "")
    face = state.REDUCED_SIDE if hits == state.REDUCED else state.FRONT
    unit = fight.make(state.UNIT, name, area, "2.4", values=values, face=face)
    if 0 < hits < state.REDUCED:
        fight.mark(unit, state.HITS, hits, "8.2")
    return fight.piece(unit)


def place_force(fight: DescribedReferee, side: Side, area: str, text: str, officers: int = 0, infantry: int = 99) -> None:
    """Place a described force; units beyond the number of infantry are mortars."""
    for number, (fire, melee, hits) in enumerate(read_force(text), 1):
        place_unit(fight, side, area, f"{side} unit {number}", "inf" if number <= infantry else state.MORTAR, fire, melee, hits)
    for number in range(1, officers + 1):
        values = notation.values_of(notation.Counter("", state.OFFICER), "", side, "")
        fight.make(state.OFFICER, f"{side} officer {number}", area, "2.4", values=values)


async def _ask_side(referee: AlbanyReferee, prompt: str, rule: str, suggest: Side) -> Side:
    answer = await referee.choose("side", prompt, rule, [Choice(side, side) for side in state.SIDES], suggest)
    return state.US if answer == state.US else state.NVA


async def describe(referee: AlbanyReferee, fight: DescribedReferee, rule: str, areas: Sequence[str]) -> Side:
    """Ask for both forces, place the attacker in the first area and the defender in the last; returns the attacking side."""
    side = await _ask_side(referee, "Which side attacks?", rule, state.US)
    attacker = await referee.text("attacker", f"Which units attack? ({_UNITS})", rule, FORCE)
    officers = await referee.number("officers", "How many officers attack with them?", rule, 0, 9, 0)
    defender = await referee.text("defender", f"Which units defend? ({_UNITS})", rule, FORCE)
    enemy_officers = await referee.number("enemy_officers", "How many officers defend with them?", rule, 0, 9, 0)
    place_force(fight, side, areas[0], attacker, officers)
    place_force(fight, state.enemy(side), areas[-1], defender, enemy_officers)
    return side


async def described_fire(referee: AlbanyReferee, fight: DescribedReferee, side: Side) -> r07_fire.Fire:
    """[7.3] Ask for the ground of a described exchange of fire, in which all units fire."""
    for area, key, what in ((THERE, "jungle", "target"), (HERE, "home_jungle", "firing")):
        jungle = await referee.confirm(key, f"Is the {what} area jungle?", "7.3(3)", False)
        fight.set_flag(state.terrain_flag(area), JUNGLE if jungle else SAWGRASS, "2.2")
    return r07_fire.Fire(side, HERE, (THERE,), fight.units(HERE, side), fight.officers(HERE, side))


async def _ask_night(referee: AlbanyReferee, fight: DescribedReferee) -> None:
    """[11.1B] Ask whether a described fight takes place at night."""
    if await referee.confirm("night", "Is it night without a flare?", "11.1B", False):
        turns = referee.chart("turns")
        fight.set_track(state.TURN, next(int(turn) for turn in turns.rows if state.is_night(turns, int(turn))), "11.0", "night")


async def _ask_area(referee: AlbanyReferee, prompt: str, rule: str, areas: list[str]) -> str:
    if not areas:
        return DESCRIBED
    choices = [Choice(area, title(area)) for area in areas]
    return await referee.choose("area", prompt, rule, [*choices, Choice(DESCRIBED, "described")], DESCRIBED)


async def brawl(referee: AlbanyReferee) -> None:
    """[7.2] One round of a described melee."""
    fight = DescribedReferee(referee)
    side = await describe(referee, fight, "7.2", (DISPUTED,))
    attackers = fight.pieces(DISPUTED, side)
    _say_average(referee, r07_melee.melee_odds(fight, side, DISPUTED, attackers, "Melee"))
    await r07_melee.clash(fight, side, DISPUTED, attackers)


async def firefight(referee: AlbanyReferee) -> None:
    """[7.3] Described ranged fire and its return fire."""
    fight = DescribedReferee(referee)
    side = await describe(referee, fight, "7.3", (HERE, THERE))
    fire = await described_fire(referee, fight, side)
    _say_average(referee, r07_fire.fire_odds(fight, fire))
    volleys = await r07_fire.prepare(fight, fire)
    await odds.play(fight, volleys.parts)


def _say_average(referee: AlbanyReferee, expected: Odds) -> None:
    referee.say(f"On average: {', '.join(f'{value:.2f} {label}' for label, value in expected.means)}.", expected.rule)


def _held_areas(referee: AlbanyReferee) -> list[str]:
    return sorted({area for side in state.SIDES for area in referee.held_areas(side)}) if referee.phase else []


async def _attacker(referee: AlbanyReferee, area: str, rule: str) -> Side:
    present = [side for side in state.SIDES if referee.units(area, side)]
    return present[0] if len(present) == 1 else await _ask_side(referee, "Which side attacks?", rule, state.US)


async def fire_situation(referee: AlbanyReferee) -> Odds:
    """[7.3] Ranged infantry fire at one or more areas, with the return fire."""
    able = [area for area in _held_areas(referee) if not referee.is_disputed(area) and area != TRANSITION]
    area = await _ask_area(referee, "From which area is the fire?", "7.3", able)
    if area == DESCRIBED:
        fight = DescribedReferee(referee)
        side = await describe(referee, fight, "7.3", (HERE, THERE))
        fire = await described_fire(referee, fight, side)
        await _ask_night(referee, fight)
        return r07_fire.fire_odds(fight, fire, "Ranged fire")
    side = await _attacker(referee, area, "7.3")
    known = [Choice(place, title(place)) for place in r07_fire.ranged_targets(referee, side, area)]
    suggest, reader = known[0].value if known else None, r02_map.areas_notation(referee)
    text = await referee.text("target", "At which areas?", "7.3(1)", reader, known, suggest)
    units = [piece for piece in referee.units(area, side) if state.is_infantry(piece) and state.may_fire(piece)]
    helpers = [officer for officer in referee.officers(area, side) if not state.is_senior(officer)]
    targets = tuple(text.split(", "))
    head = f"{side} fire from {title(area)} at {', '.join(map(title, targets))}"
    return r07_fire.fire_odds(referee, r07_fire.Fire(side, area, targets, units, helpers), head)


async def melee_situation(referee: AlbanyReferee) -> Odds:
    """[7.2] One round of melee."""
    disputed = [area for area in _held_areas(referee) if referee.is_disputed(area)]
    area = await _ask_area(referee, "In which area is the melee?", "7.2", disputed)
    if area == DESCRIBED:
        fight = DescribedReferee(referee)
        side = await describe(referee, fight, "7.2", (DISPUTED,))
        await _ask_night(referee, fight)
        return r07_melee.melee_odds(fight, side, DISPUTED, fight.pieces(DISPUTED, side), "Melee")
    side = await _attacker(referee, area, "7.2")
    return r07_melee.melee_odds(referee, side, area, referee.pieces(area, side), f"Melee in {title(area)}, begun by the {side}")


async def _describe_target(referee: AlbanyReferee, fight: DescribedReferee, rule: str, side: Side | None = None) -> Side:
    side = side or await _ask_side(referee, "Whose units are hit?", rule, state.NVA)
    units = await referee.text("units", f"Which units are in the area? ({_UNITS})", rule, FORCE)
    place_force(fight, side, THERE, units)
    return side


async def mortar_situation(referee: AlbanyReferee) -> Odds:
    """[7.4] Mortars at described units."""
    dice = await referee.number("dice", "What is the fire strength of the mortars?", "7.4(2)", 1, 12)
    fight = DescribedReferee(referee)
    side = state.enemy(await _describe_target(referee, fight, "7.4"))
    mortar = place_unit(fight, side, HERE, f"{side} {state.MORTAR}", state.MORTAR, dice)
    return r07_mortars.mortar_odds(fight, side, HERE, [mortar], THERE)._replace(title="Mortar fire")


async def artillery_situation(referee: AlbanyReferee) -> Odds:
    """[7.5] One platoon at an area with described units."""
    dice = await referee.number("dice", "What is the fire strength of the platoon?", "7.5(3)", 1, 12)
    fight = DescribedReferee(referee)
    fight.set_flag(state.next_flag(THERE), "elsewhere", "7.5(2)")
    await _describe_target(referee, fight, "7.5(4)")
    gun = place_unit(fight, state.US, COLUMBUS, "the platoon", state.ARTILLERY, dice)
    return r07_support.artillery_odds(fight, gun, THERE)._replace(title="Artillery")


async def gunship_situation(referee: AlbanyReferee) -> Odds:
    """[7.6] A gunship at the first unit described, all infantry firing at it."""
    strength = await r07_support.gunship_strength(referee)
    text = await referee.text("units", f"Which units are in the area, the target first? ({_UNITS})", "7.6(1)", FORCE)
    count = len(read_force(text))
    prompt = "How many of these are infantry that fires at it?"
    infantry = await referee.number("infantry", prompt, "7.6(2)", 0, count, count)
    fight = DescribedReferee(referee)
    place_force(fight, state.NVA, THERE, text, infantry=infantry)
    return r07_support.gunship_odds(fight, fight.units(THERE, state.NVA)[0], strength)


async def bombs_situation(referee: AlbanyReferee) -> Odds:
    """[7.7A] The six dice of the Skyraider at described units."""
    fight = DescribedReferee(referee)
    await _describe_target(referee, fight, "7.7A(1)", state.NVA)
    return r07_support.bomb_odds(fight, THERE)._replace(title="Bombs")


async def rally_situation(referee: AlbanyReferee) -> Odds:
    """[9.0] The hits that a Rally Phase removes: from the session's units, or from a number of units."""
    side = await _ask_side(referee, "Which side rallies?", "9.0", state.US)
    if referee.phase and r03_turn.hit_units(referee, side):
        whose = [Choice("session", "the session's"), Choice(DESCRIBED, DESCRIBED)]
        if await referee.choose("whose", "Whose units rally?", "9.0", whose, whose[0].value) != DESCRIBED:
            return r03_turn.rally_odds(referee.limited_to(filter(is_area, referee.position.places())), side)
    helped = await referee.number("helped", "How many units does an officer help?", "9.2", 0, 40, 0)
    dice = await referee.number("dice", "How many other units have one or two hits?", "9.1", 0, 40, 0)
    fight = DescribedReferee(referee)
    for number in range(helped):
        place_force(fight, side, f"area {number}", "1-1/1", 1)
    for _ in range(dice):
        place_force(fight, side, THERE, "1-1/1")
    return r03_turn.rally_odds(fight, side)
