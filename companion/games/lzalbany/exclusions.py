"""Why a counter or place of the game cannot be chosen at a question, with the rule; worked out only after a refusal."""

from __future__ import annotations

from companion.core.exclusions import Thing, find
from companion.core.game import Game
from companion.core.position import Piece
from companion.core.request import AnyRequest
from companion.games.lzalbany import notation, state
from companion.games.lzalbany.areas import is_area, title
from companion.games.lzalbany.referee import AlbanyReferee

Reason = tuple[str, str] | None

_FOR_GROUPS = ("group", "plan")
_FOR_AREAS = ("event_area", "combat", "target", "spotter", "next_melee", "area", "flares")
"""The questions that an area answers; of several with the key ``target`` the gunship's asks for a unit."""
_FOR_ORDERS = ("moves", "officers", "event_moves", "retreat", "airlift", "where")
_AIR_UNIT = "7.6(1)"


def why_not(game: Game, referee: AlbanyReferee, request: AnyRequest, name: str) -> Reason:
    """Why a thing of the game cannot be chosen at a question: (reason, rule), or None."""
    thing = find(name, game, referee.position)
    if request.key in _FOR_GROUPS:
        return _group_of(referee, thing)
    if request.key == "counter" and (thing.pieces or thing.place):
        what = thing.pieces[0].name if thing.pieces else game.place_title(thing.place)
        return f"{what} is not what is printed on a platoon or an officer", "2.4"
    if thing.place and not is_area(thing.place) and _asks_for_area(request):
        return f"{game.place_title(thing.place)} is no area of the map", "2.2"
    if request.key == "combat" and thing.pieces and _is_on_map(thing.pieces[0]):
        piece = thing.pieces[0]
        return f"{piece.name} fires with the platoons of its group in {title(piece.place)}: name the area", "7.3(1)"
    if request.key in _FOR_ORDERS:
        return _order(referee, request, thing)
    return _company(request, thing)


def _is_on_map(piece: Piece) -> bool:
    return piece.kind == state.UNIT and is_area(piece.place)


def _asks_for_area(request: AnyRequest) -> bool:
    is_area_asked = request.key in _FOR_AREAS and request.rule != _AIR_UNIT
    return is_area_asked or request.key in _FOR_ORDERS or _placed_company(request) != ""


def _group_of(referee: AlbanyReferee, thing: Thing) -> Reason:
    """[5.2, 5.2D] A chit activates a unit group, not one of its counters."""
    piece = thing.pieces[0] if thing.pieces else None
    if piece is None or piece.kind not in (state.UNIT, state.OFFICER):
        return None
    if state.is_senior(piece):
        return f"{piece.name} belongs to no unit group: he acts with units in his area", "5.2D"
    if state.is_artillery(piece):
        return f"{piece.name} belongs to no unit group: it fires with the Artillery chit", "5.4"
    if state.group_of(piece) not in state.GROUPS:
        return f"{piece.name} belongs to no unit group", "5.2"
    return f"{piece.name} is one counter of {referee.group_title(state.group_of(piece))}: a chit activates the group", "5.2"


def _order(referee: AlbanyReferee, request: AnyRequest, thing: Thing) -> Reason:
    """[6.2, 3.4] Platoons, officers and the wounded move; an area needs a goal."""
    if thing.pieces and thing.pieces[0].kind in (state.CHIT, state.FLARE):
        return f"{thing.pieces[0].name} is no platoon or officer, and only these move", request.rule
    if thing.pieces and request.key == "airlift" and thing.pieces[0].place != state.AIRLIFT:
        return f"{thing.pieces[0].name} does not wait for the airlift", "6.4"
    if thing.place and request.key in ("retreat", "airlift"):
        return f"{title(thing.place)} does not say who goes there", request.rule
    return None


def _placed_company(request: AnyRequest) -> str:
    """[3.2] The company that is placed by a question; "" for other questions."""
    keys = {company.casefold().replace(" ", "-"): company for company in notation.COMPANIES}
    return keys.get(request.key, "")


def _company(request: AnyRequest, thing: Thing) -> Reason:
    """[3.2] The counters of one company are placed at a time."""
    company = _placed_company(request)
    if not company or not thing.pieces:
        return None
    piece = thing.pieces[0]
    if piece.kind not in (state.UNIT, state.OFFICER):
        return f"{piece.name} is no counter of {company}, which is placed now", request.rule
    if state.company_of(piece) != company:
        return f"{piece.name} belongs to {state.company_of(piece)}, and {company} is placed now", request.rule
    return f"'{piece.name}' does not say where {piece.name} goes", request.rule
