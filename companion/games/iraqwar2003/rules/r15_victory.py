"""[15.0] Questions for the control of VP places, and victory points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from companion.games.iraqwar2003.rules.r15_control import (
    CONTROLLER,
    CONTROLLER_TITLES,
    CONTROLLERS,
    apply_changes,
    controller,
    place_points,
    take_place,
    takes,
)

_HOLDERS: dict[str, Value] = {controller: title.removeprefix("The ") for controller, title in CONTROLLER_TITLES.items()}
PORT, MEGA_CITY = "port", "mega city"
OTHER_PLACES = ("city", "major city", PORT)
"""Kinds of places outside Baghdad."""
BONUS_PLACES = ("Mosul", "Kirkuk", "Tikrit")


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
    places = [place for place in chart.rows if takes(referee, units[0], place) and place not in but]
    places = [place for place in places if not kinds or chart.text(place, "kind") in kinds]
    holder = CONTROLLER.get(notation.nation(units[0]), "")
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
