"""[15.0] Control of VP places, and victory points."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache

from companion.core.charts import Chart
from companion.core.errors import Unreadable
from companion.core.game import Score
from companion.core.notation import Notation
from companion.core.position import FlagReader, Piece, Position, Value
from companion.core.requests import Choice
from companion.core.text import clean, pick_name, split_list
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import Land, land_of
from companion.games.iraqwar2003.referee import IraqWarReferee, is_rule_on
from companion.games.iraqwar2003.rules import r08_map

CONTROLLERS = (state.COALITION, *notation.KURDISH, state.IRAQ)
CONTROLLER_TITLES = dict(zip(CONTROLLERS, ("The Coalition", "The KDP", "The PUK", "Iraq"), strict=True))
"""``coalition``: American or British; Kurds are separate for their bonus on turn 2."""
_HOLDERS: dict[str, Value] = {controller: title.removeprefix("The ") for controller, title in CONTROLLER_TITLES.items()}
PORT, MEGA_CITY = "port", "mega city"
OTHER_PLACES = ("city", "major city", PORT)
"""Kinds of places outside Baghdad."""
BONUS_PLACES = ("Mosul", "Kirkuk", "Tikrit")


def controller(referee: IraqWarReferee, place: str) -> str:
    """Who controls a place: one of CONTROLLERS."""
    return str(referee.position.flag(state.control_flag(place), state.IRAQ))


def changes_notation(places: Sequence[str]) -> Notation:
    """Notation of changes of control: ``Mosul kdp, Najaf coalition``; ``none``."""

    def read(text: str) -> str:
        plain = clean(text)
        if state.is_none(plain):
            return state.NONE
        changes: dict[str, str] = {}
        for part in split_list(plain):
            name, _, controller_name = part.rpartition(" ")
            if not name:
                text = f"'{part}' does not name a place and its holder"
                raise Unreadable(text, rule="15.2", cure="Type it like this: Mosul kdp")
            place = pick_name(name, places, "VP city or port")
            if place in changes:
                raise Unreadable(f"{place} is named twice", rule="15.2", cure="Name each place once")
            changes[place] = pick_name(controller_name, CONTROLLERS, "holder")
        return ", ".join(f"{place} {controller_name}" for place, controller_name in changes.items())

    return Notation("change of control", "Mosul kdp", read)


def apply_changes(referee: IraqWarReferee, text: str) -> None:
    """Apply changes in the form that `changes_notation` reads."""
    for part in split_list(text) if text != state.NONE else ():
        place, _, new_controller = part.rpartition(" ")
        if controller(referee, place) == new_controller:
            referee.say(f"{CONTROLLER_TITLES[new_controller]} holds {place} already.", "15.2")
            continue
        referee.set_flag(state.control_flag(place), new_controller, "15.2")
        points = place_points(referee.charts, place)
        effect = f"the Coalition loses {points} VP" if new_controller == state.IRAQ else f"{points} VP"
        referee.say(f"{CONTROLLER_TITLES[new_controller]} takes {place} ({effect}).", "15.2")


async def change_control(referee: IraqWarReferee) -> None:
    """[15.2] Record that a VP place changed hands."""
    places = list(referee.chart("places").rows)
    changes = [(place, candidate) for place in places for candidate in CONTROLLERS if controller(referee, place) != candidate]
    words = {name: name.upper() if name in (notation.KDP, notation.PUK) else name.capitalize() for name in CONTROLLERS}
    choices = [Choice(f"{place} {words[name]}", f"{CONTROLLER_TITLES[name]} takes {place}") for place, name in changes]
    prompt = "Which place changed hands, and who holds it now?"
    apply_changes(referee, await referee.text("control", prompt, "15.2", changes_notation(places), choices))


async def ask_taken(
    referee: IraqWarReferee, units: Sequence[Piece], count: int = 1, kinds: Sequence[str] = (), but: Sequence[str] = ()
) -> list[str]:
    """[15.2] Ask which enemy VP places units of one nation entered; they go to their side. ``kinds``: possible ones, or all."""
    chart = referee.chart("places")
    places = [place for place in chart.rows if _takes(referee, units[0], place) and place not in but]
    places = [place for place in places if not kinds or chart.text(place, "kind") in kinds]
    holder = r08_map.CONTROLLER.get(notation.nation(units[0]), "")
    referee.skip_question("holder", "the side that moves there holds it", "15.2", equivalent=(holder,))
    if not places:
        text = f"{referee.piece_names(units)} can take nothing there that counts"
        referee.skip_question("taken", text, "15.2", equivalent=(state.NONE,))
    choices = [Choice(place, place, f"{chart.number(place, 'vp')} VP") for place in places]
    prompt = "Which VP city or port was entered?"
    taken = await referee.pick("taken", prompt, "15.2", choices, 0, min(count, len(places)), [])
    for place in taken:
        take_place(referee, units[0], place)
    return list(taken)


def first_controlled(referee: IraqWarReferee, count: int, flying: bool) -> int:
    """[10.0(3), 15.2] The index of the first hex of a path of which its unit takes control (ruling C-55)."""
    how = referee.option("hex_control")
    return count - 1 if how == "stopping" or (flying and how != "passing") else 0


def enter_hexes(referee: IraqWarReferee, piece: Piece, numbers: Sequence[str]) -> None:
    """[10.0(3), 15.2] Record control of entered hexes and their VP places. The Turkish unit controls nothing [16.10(8)]."""
    land, new_controller = land_of(referee.position), r08_map.CONTROLLER.get(notation.nation(piece), "")
    for number in filter(None, numbers if new_controller else ()):
        if (place := land.place(number)) in referee.chart("places").rows:
            take_place(referee, piece, place)
        elif r08_map.recorded_controller(referee.position, number) != new_controller:
            referee.set_flag(state.held_flag(number), new_controller, "10.0(3)")


def hold_places(referee: IraqWarReferee, numbers: Iterable[str], why: str = "", but: Container[str] = ()) -> None:
    """[15.2] Give the VP places of hexes to the units in them, else to those who entered last, as if they came by play.

    Args:
        but: Flags of control that stay.
    """
    position, land = referee.position, land_of(referee.position)
    for number in numbers:
        place, flag = land.place(number), state.control_flag(land.place(number))
        if place not in referee.chart("places").rows or flag in but:
            continue
        controllers = [r08_map.CONTROLLER.get(notation.nation(piece), "") for piece in state.units_in(position, number)]
        holder = next(filter(None, reversed(controllers)), str(position.flag(state.held_flag(number)) or ""))
        if _changes_side(referee, place, holder):
            referee.set_flag(flag, holder, "15.2", why)


def is_identified(referee: IraqWarReferee, number: str) -> bool:
    """[15.2] Return True if it is known what VP place a hex has, if any."""
    land = land_of(referee.position)
    ground = land.ground(number)
    return bool(ground.name) or (not ground.port and (land.is_city(number) is False or ground.ground == "minor city"))


def skip_identified(referee: IraqWarReferee, number: str) -> bool:
    """[15.2] Skip the question for the place in a hex if it is known what the hex has; returns whether it is."""
    if not is_identified(referee, number):
        return False
    equivalent = (state.NONE, *located_places(referee))
    referee.skip_question("taken", f"what lies in {number} is known", "15.2", equivalent=equivalent)
    return True


def located_places(referee: IraqWarReferee) -> list[str]:
    """[15.2] VP places whose hex is known."""
    land = land_of(referee.position)
    return [place for place in referee.chart("places").rows if land.hex_of(place)]


def _takes(referee: IraqWarReferee, piece: Piece, place: str) -> bool:
    """Return True if a unit takes the place by moving there; the Turkish unit does not [16.10(8)]."""
    return _changes_side(referee, place, r08_map.CONTROLLER.get(notation.nation(piece), ""))


def _changes_side(referee: IraqWarReferee, place: str, new_controller: str) -> bool:
    return bool(new_controller) and (controller(referee, place) == state.IRAQ) == (new_controller != state.IRAQ)


def take_place(referee: IraqWarReferee, piece: Piece, place: str) -> None:
    """[15.2] Transfer a VP place to the side of a unit that entered it."""
    if _takes(referee, piece, place):
        apply_changes(referee, f"{place} {r08_map.CONTROLLER[notation.nation(piece)]}")


async def kurdish_bonus(referee: IraqWarReferee) -> None:
    """[15.2] At the end of turn 2, +1 VP each for Mosul, Kirkuk and Tikrit in Kurdish hands (ruling C-14)."""
    held = [place for place in BONUS_PLACES if controller(referee, place) in notation.KURDISH]
    choices = [Choice(place, place, f"{CONTROLLER_TITLES[controller(referee, place)]} holds it") for place in BONUS_PLACES]
    confirmed = await referee.pick("kurds", "End of turn 2: which of these do the Kurds hold?", "15.2", choices, suggest=held)
    for place in (place for place in held if place not in confirmed):
        others = [Choice(candidate, candidate) for candidate in CONTROLLERS if candidate not in notation.KURDISH]
        apply_changes(referee, f"{place} {await referee.choose('holder', f'Who holds {place} then?', '15.2', others)}")
    for place in confirmed:
        referee.set_flag(state.bonus_flag(place), True, "15.2")
        if controller(referee, place) not in notation.KURDISH:
            referee.set_flag(state.control_flag(place), notation.KDP, "15.2")
    referee.say(f"The Kurds hold {', '.join(confirmed) or 'none of them'} at the end of turn 2: {len(confirmed):+d} VP.", "15.2")


# -- [15.0] Victory points ---------------------------------------------------------------------------------------------

Item = tuple[str, int, str]


def row_points(charts: Mapping[str, Chart], row: str) -> int:
    """[15.2] The victory points of a row of the chart."""
    return charts["victory"].number(row, "vp")


def unit_points(charts: Mapping[str, Chart], face: str, place: str) -> int:
    """[15.2] What an American or British ground unit counts: removed -4 in all, reduced -2 (ruling C-11)."""
    return row_points(charts, "removed") if place == state.REMOVED else row_points(charts, "reduced") if face == "reduced" else 0


def air_unit_points(charts: Mapping[str, Chart], piece: Piece) -> int:
    """[15.2] What an air unit counts once it is removed."""
    return row_points(charts, "air") if piece.kind == state.AIR and notation.counts_for_victory(piece) else 0


def place_points(charts: Mapping[str, Chart], place: str) -> int:
    """[15.2] The victory points of a place, 0 for any other place."""
    places = charts["places"]
    return places.number(place, "vp") if place in places.rows else 0


def hex_points(position: Position, charts: Mapping[str, Chart], number: str) -> int:
    """[15.2] The victory points of the place in a hex, 0 if none is known."""
    return place_points(charts, land_of(position).place(number))


def located_points(position: Position, charts: Mapping[str, Chart]) -> list[tuple[str, str, int]]:
    """[15.2] The VP places whose hex is known: name, hex, victory points."""
    chart = charts["places"]
    located = _located(land_of(position), tuple(chart.rows))
    return [(place, number, chart.number(place, "vp")) for place, number in located]


@lru_cache(maxsize=64)
def _located(land: Land, places: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(place, number) for place in places if (number := land.hex_of(place))]


def is_iraqi(position: Position, place: str) -> bool:
    """[15.2] Return True if Iraq controls a place."""
    return position.flag(state.control_flag(place), state.IRAQ) == state.IRAQ


def _losses(position: Position, charts: Mapping[str, Chart]) -> list[Item]:
    """[15.2] American and British losses."""
    units = [piece for piece in position.of_kind(state.UNIT) if notation.is_western(piece)]
    points = charts["victory"]
    lost = {
        "reduced": [piece for piece in units if piece.place != state.REMOVED and piece.face == "reduced"],
        "removed": [piece for piece in units if piece.place == state.REMOVED],
        "air": [piece for piece in position.at(state.REMOVED) if air_unit_points(charts, piece)],
    }
    items = []
    for row, pieces in lost.items():
        names = ", ".join(piece.name for piece in pieces)
        kind = "Air units removed" if row == "air" else f"American and British units {row}"
        title = f"{kind}: {names}" if names else kind
        items.append((title, row_points(charts, row) * len(pieces), points.cite(row)))
    return items


def _bonuses(position: Position) -> int:
    return sum(flag.startswith(state.BONUS) for flag in position.flags)


_BONUSES = FlagReader(_bonuses, (state.BONUS,))
"""[15.2] The number of Kurdish bonuses."""


def count_points(position: Position, charts: Mapping[str, Chart]) -> Score:
    """[15.2] Victory points, itemised, with the verdict and the maximum that is still possible."""
    places, points = charts["places"], charts["victory"]

    def scored(label: str, row: str, times: int) -> Item:
        return label, points.number(row, "vp") * times, points.cite(row)

    holders = {place: position.flag(state.control_flag(place), state.IRAQ) for place in places.rows}
    lost = {place: holder for place, holder in holders.items() if holder != state.IRAQ}
    held = [
        (f"{place} ({_HOLDERS.get(str(holder), holder)})", places.number(place, "vp"), "15.2") for place, holder in lost.items()
    ]
    bonus = scored("Held by the Kurds at the end of turn 2", "kurds", position.cached_from_flags(_BONUSES))
    against = [*_losses(position, charts), scored("Turns with Iraqi units in Kuwait", "kuwait", position.track("kuwait"))]
    saddam = scored("Saddam Hussein found", "saddam", int(position.flag(state.SADDAM) == state.FOUND))
    if is_rule_on(position, state.PALACE):
        against.append(scored("Press conferences of the minister", "sahaf", position.track("sahaf")))
    items = [*held, bonus, *([saddam] if is_rule_on(position, state.PALACE) else []), *against]
    total = sum(gained for _, gained, _ in items)
    most = sum(places.number(place, "vp") for place in places.rows) + sum(gained for _, gained, _ in against)
    most += bonus[1] if position.track("turn") > 2 else points.number("kurds", "vp") * len(BONUS_PLACES)
    at_large = any(piece.values.get("palace") == "saddam" for piece in position.at(state.PALACE))
    most += points.number("saddam", "vp") if at_large else saddam[1]
    needed = points.number("needed", "vp")
    verdict = "the Coalition wins" if total >= needed else "Iraq wins"
    verdict += "" if position.flag(state.OVER) else " if the game ended now"
    missing = needed - total
    short = f"{missing} more {'is' if missing == 1 else 'are'} needed" if missing > 0 else f"{-missing} to spare"
    notes = (f"The most that the Coalition can still reach: {most}", *(["Iraq cannot lose any more"] if most < needed else []))
    notes = () if position.flag(state.OVER) else notes
    return Score(tuple(items), total, f"{total} of {needed} VP: {verdict} ({short})", points.cite("needed"), notes)


async def final_count(referee: IraqWarReferee, last: int) -> None:
    """[15.1, 15.2] After the last turn, confirm control and announce the result."""
    places = list(referee.chart("places").rows)
    held = ", ".join(place for place in places if controller(referee, place) != state.IRAQ) or state.NONE
    prompt = f"Final check. Lost to Iraq: {held}. What is wrong with that?"
    apply_changes(referee, await referee.text("control", prompt, "15.2", changes_notation(places), (), state.NONE))
    referee.set_flag(state.OVER, f"turn {last} was the last", "15.1")
    score = count_points(referee.position, referee.charts)
    rows = [f"{label}: {points:+d} [{rule}]" for label, points, rule in score.items]
    referee.say(f"GAME OVER. {score.verdict}.", "15.1", *rows)
