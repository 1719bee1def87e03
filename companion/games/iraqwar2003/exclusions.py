"""Why a piece or place that a player names cannot be chosen, with the rule. Loaded when such a name is typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from companion.core.exclusions import find
from companion.core.game import Game
from companion.core.position import Piece
from companion.core.request import AnyRequest
from companion.core.text import matching_names
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import land_of
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules import r05_air, r06_bombing, r08_map, r15_control, r15_victory

Reason: TypeAlias = tuple[str, str]
GROUND: Final = "a ground combat unit"
AIR: Final = "an air unit"
NAVAL: Final = "a naval unit"
FACILITY: Final = "a facility box"
PALACE: Final = "a palace marker"
MARKER: Final = "a marker"

_GROUND_QUESTIONS: Mapping[str, Reason] = {
    "7.3.3": ("ground combat units are disrupted and recover", "7.3"),
    "8.1": ("only ground combat units count for stacking", "8.2(4)"),
    "8.2(1)": ("only ground combat units count for stacking", "8.2(4)"),
    "8.2 Penalty": ("only ground combat units count for stacking", "8.2(4)"),
    "10.0(2)": ("supply is checked for ground combat units", "10.0(1)"),
    "12.1(1)": ("ground combat units move and fight in this phase", "4.1(4)"),
    "13.2(1)": ("ground combat units are attacked", "13.0"),
    "13.2(3)": ("ground combat units attack", "13.0"),
    "13.3(4)": ("a river halves the attack of ground combat units", "13.3(4)"),
    "13.6(1)": ("ground combat units that attacked advance", "13.6"),
    "14.1": ("ground combat units destroy and repair roads", "14.1"),
    "16.2(2)": ("ground combat units with a paratroop symbol jump", "16.2(2)"),
    "16.3(4)": ("ground combat units with a range are artillery", "16.3(1)"),
    "16.7(1)": ("ground combat units go by rail", "16.7(1)"),
}
"""Questions for ground combat units, by their rule: what these do there, and the rule that says so."""


class _AirQuestion(NamedTuple):
    """A question for air units: the role that they get, what fits it in words with its rule, and whether the other side sends."""

    role: r05_air.Role
    text: str
    rule: str
    passive: bool = False


_AIR_QUESTIONS: Mapping[tuple[str, str], _AirQuestion] = {
    ("group", "5.3.1(1)"): _AirQuestion(r05_air.BOMBING, "air groups are made of air units", "5.1.1(1)"),
    ("support", "5.3.1(1)"): _AirQuestion(r05_air.SUPPORT, "air groups are made of air units", "5.1.1(1)"),
    ("counter", "5.3.1(2)"): _AirQuestion(r05_air.SUPPORT, "air groups are made of air units", "5.1.1(1)", True),
    ("intercept", "5.2(2)"): _AirQuestion(r05_air.INTERCEPT, "air units intercept", "5.3(2)", True),
    ("escort", "16.2(5)"): _AirQuestion(r05_air.ESCORT, "air units escort", "5.3(1)"),
}
_HEX_QUESTIONS: Mapping[str, str] = {
    **dict.fromkeys(("retreat", "one", "further"), "units retreat into a hex"),
    "where": "reinforcements arrive in a hex",
    "way": "units enter hexes",
    "to": "the railroad leads to a hex",
}
"""Questions for hexes by their key."""


def why_not(game: Game, referee: IraqWarReferee, request: AnyRequest, name: str) -> Reason | None:
    """Why a piece or place cannot be chosen at a question, as (reason, rule); None if no rule of its own excludes it."""
    if request.key in ("target", "taken", "kurds", "where") and (reason := _place_excluded(referee, request, name)):
        return reason
    if find(name, game, referee.position, exactly=True).place:
        return _box_excluded(request, name)
    piece = _piece_named(referee, name)
    return _piece_excluded(referee, request, piece) if piece else None


def _box_excluded(request: AnyRequest, name: str) -> Reason | None:
    """[2.1, 5.1.1(1), 15.2] Why a box of the board or display is not what a question asks for."""
    if request.key == "control":
        return f"'{name}' names no VP city or port", "15.2"
    if request.key in _HEX_QUESTIONS and request.rule != "5.7(3)" and not state.is_hex(name):
        return f"'{name}' names no hex: {_HEX_QUESTIONS[request.key]}", "2.1.1(1)"
    question = _AIR_QUESTIONS.get((request.key, request.rule))
    return (f"'{name}' names no air unit: {question.text}", question.rule) if question else None


def _piece_named(referee: IraqWarReferee, name: str) -> Piece | None:
    """The one piece in play that a text names; of equal ones the first."""
    pieces: dict[str, Piece] = {}
    for piece in referee.position.pieces.values():
        pieces.setdefault(piece.name, piece)
    names = matching_names(name, pieces)
    exact = [other for other in names if other.casefold() == name.casefold()]
    return pieces[names[0]] if len(names) == 1 and (exact or len(name) > 2) else None


def kind_of(piece: Piece) -> str:
    """What a piece is, in words."""
    if piece.kind == state.AIR:
        return NAVAL if notation.is_naval(piece) else AIR
    return {state.UNIT: GROUND, state.BOX: FACILITY, state.PALACE: PALACE}.get(piece.kind, MARKER)


def _piece_excluded(referee: IraqWarReferee, request: AnyRequest, piece: Piece) -> Reason | None:
    """[4.1, 5.1.1(1), 13.0] Why a piece of this kind, or this one, is not meant by a question."""
    kind = kind_of(piece)
    if question := _AIR_QUESTIONS.get((request.key, request.rule)):
        return _air_excluded(referee, question, piece)
    if request.key == "target":
        return _target_excluded(referee, request.rule, piece)
    if request.key in _HEX_QUESTIONS and request.rule != "5.7(3)":
        return f"{piece.name} is {kind}, and {_HEX_QUESTIONS[request.key]}", request.rule
    if request.key == "unit" and request.rule == "13.4.1" and kind in (FACILITY, PALACE):
        return f"{piece.name} is {kind}, lost by bombing", "6.4"
    if request.key == "unit" and request.rule == "13.4.1" and kind == MARKER:
        return f"{piece.name} is {kind}: units lose strength steps", "13.4.1"
    if kind == GROUND or request.rule not in _GROUND_QUESTIONS:
        return _unit_excluded(referee, request, piece) if kind == GROUND else None
    text, rule = _GROUND_QUESTIONS[request.rule]
    return f"{piece.name} is {kind}: {text}", rule


def _air_excluded(referee: IraqWarReferee, question: _AirQuestion, piece: Piece) -> Reason | None:
    """[5.1.1(1), 5.2, 5.3] Why a piece is no unit for an air group of the side that is asked."""
    if kind_of(piece) not in (AIR, NAVAL):
        return f"{piece.name} is {kind_of(piece)}: {question.text}", question.rule
    side = state.other(referee.side) if question.passive else referee.side
    if notation.side_of(piece) != side:
        return f"{piece.name} belongs to the other player, who places its groups", "5.2(1)" if question.passive else "5.2(2)"
    if obstacle := r05_air.role_obstacle(referee, piece, question.role):
        return obstacle.text, obstacle.rule
    return f"{piece.name} flies in another group already", "5.2(1)"


def _target_excluded(referee: IraqWarReferee, rule: str, piece: Piece) -> Reason | None:
    """[4.1, 6.2, 7.1] Why a piece is no target of Facility Bombing [6.2] or Ground Bombing [7.1]."""
    kind, is_display = kind_of(piece), rule == "6.2"
    if kind in (AIR, NAVAL):
        targets = "a box of the Air Operation Display" if is_display else "ground combat units and roads"
        return f"{piece.name} is {kind}: {targets} can be bombed, and the group follows behind the target", rule
    if kind == FACILITY and not is_display:
        return f"{piece.name} is {kind}, bombed in the Facility Bombing Phase", "4.1(1)"
    if kind == PALACE and is_display:
        return f"{piece.name} is {kind}; they lie face down: type palace marker", "16.1(2)"
    if kind == PALACE:
        return f"{piece.name} is {kind}, bombed in the Facility Bombing Phase", "4.1(1)"
    if kind == GROUND and is_display:
        return f"{piece.name} is {kind}, bombed in the Ground Bombing Phase", "4.1(2)"
    obstacle = r06_bombing.target_obstacle(piece, referee.side) if kind == GROUND and state.is_on_map(piece) else None
    return (obstacle.text, obstacle.rule) if obstacle else None


def _unit_excluded(referee: IraqWarReferee, request: AnyRequest, piece: Piece) -> Reason | None:
    """Why a ground combat unit is none of those that a question is about."""
    if piece.place == state.OFF_MAP and piece.number("turn") > referee.turn:
        return f"{piece.name} arrives on turn {piece.number('turn')}", "16.8(1)"
    if not state.is_on_map(piece):
        return None
    if request.rule == "8.2 Penalty":
        return f"{piece.name} is not in the stack that is too large", "8.2 Penalty"
    if request.key == "units" and request.rule == "16.8(2)":
        return f"{piece.name} is on the map already, and no reinforcement of turn {referee.turn}", "16.8(1)"
    if request.key == "what" and request.rule == "13.4.1":
        return "the unit is named already: it loses a strength step, or is removed", "13.4.1"
    if request.key == "units" and request.rule == "2.2":
        return f"{piece.name} is in play already, and new units are entered here", "2.2"
    return None


def _place_excluded(referee: IraqWarReferee, request: AnyRequest, name: str) -> Reason | None:
    """[5.7(3), 15.2, 16.8(2)] Why a city or hex is not among those that a question is about."""
    rows = referee.chart("places").rows
    place = next((row for row in rows if row.casefold() == name.casefold()), "")
    if request.rule == "5.7(3)" and place:
        return f"bombs are not halved in {place}: it is open like any other hex", "5.7(3)"
    if request.key == "kurds" and place:
        return f"the Kurdish bonus is for {', '.join(r15_victory.BONUS_PLACES)}, not for {place}", "15.2"
    if request.key == "taken" and place:
        holder = r15_control.CONTROLLER_TITLES[r15_control.controller(referee, place)]
        number = land_of(referee.position).hex_of(place)
        where = f"it lies in {number}" if number else f"{holder} holds it, or it is another kind of place"
        return f"{place} cannot have been taken now: {where}", "15.2"
    if request.key == "where" and request.rule == "16.8(2)" and state.is_hex(name):
        return f"{name} is neither Kuwait City ({r08_map.SOURCES[notation.US]}) nor beside it", "16.8(2)"
    return None
