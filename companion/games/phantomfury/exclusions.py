"""Why a counter or place of the game cannot be chosen at a question, with the rule; worked out only after a refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.exclusions import find
from companion.core.game import Game
from companion.core.position import Piece
from companion.core.request import AnyRequest
from companion.games.phantomfury import state
from companion.games.phantomfury.referee import FuryReferee

Reason = tuple[str, str] | None


def why_not(game: Game, referee: FuryReferee, request: AnyRequest, name: str) -> Reason:
    """Why a thing of the game cannot be chosen at a question: (reason, rule), or None."""
    thing = find(name, game, referee.position)
    if asked := _NAMED_BY_NUMBER.get(request.key):
        title = thing.pieces[0].name if thing.pieces else game.place_title(thing.place) if thing.place else ""
        return (f"{title} is not a {asked[0]}", asked[1]) if title else None
    if thing.pieces and request.key == "to":
        return f"{thing.pieces[0].name} is a counter, and units move to Locations and Street Sections", "4.2"
    if thing.pieces and (of_piece := _PIECES.get(request.key)):
        return of_piece(referee, thing.pieces[0], request.rule)
    where = game.corrections.find_place(name, referee.position) or thing.place
    if thing.pieces or not where or request.key not in ("target", "to", *_LOCATIONS):
        return None
    if not state.zone_of(where):  # which streets a squad crosses is said by the notation of moves
        street = request.key == "to" and state.section_of(where)
        return None if street else (f"{game.place_title(where)} is not a Location", "4.2")
    of_place = _LOCATIONS.get(request.key)
    return of_place(referee, where, request.rule) if of_place else None


_NAMED_BY_NUMBER = {"zone": ("Zone", "4.1"), "zones": ("Zone", "4.1"), "section": ("Street Section", "4.3")}
"""By question: what is asked for, and the rule about it."""


def _reinforcement(referee: FuryReferee, piece: Piece, rule: str) -> Reason:
    """[10.1] Only units in the boxes come in."""
    if not state.is_ours(piece):
        return None
    where = f"is on the map already, at {piece.place}" if state.on_map(piece) else f"is not in a box, but {piece.place}"
    return f"{piece.name} {where}", rule


def _start_squad(referee: FuryReferee, piece: Piece, rule: str) -> Reason:
    """[6.3, 6.3.1] Squads drawn for the start Zones start the game, and get the CAATs."""
    return (f"{piece.name} was not drawn for a start Zone", rule) if state.is_ours(piece) else None


def _swapped(referee: FuryReferee, piece: Piece, rule: str) -> Reason:
    """[13.4.3] A unit is replaced by a counter in the cup with the right CF."""
    if piece.kind != state.INSURGENT:
        return None
    has_counter = piece.name in referee.cup(state.INSURGENTS_CUP)
    return f"{piece.name} {'does not have that CF' if has_counter else 'is not in the cup'}", rule


def _removed(referee: FuryReferee, where: str, rule: str) -> Reason:
    """[9.3] The AH-1W removes enemies of one Zone."""
    enemy = referee.enemy_at(where)
    return (f"{where} is not in the Zone of the Mission" if enemy else f"no enemy is at {where}"), rule


def _entry(referee: FuryReferee, where: str, rule: str) -> Reason:
    """[4.2.2] A unit enters a Zone at its entry symbol."""
    return f"{where} has no entry symbol of that Zone, or is occupied", "4.2.2"


def _beside(referee: FuryReferee, where: str, rule: str) -> Reason:
    """[9.4.1] A counter-attack goes into a free Location Adjacent to the squad."""
    taken = any(map(state.is_ours, referee.position.at(where))) or referee.enemy_at(where)
    return f"{where} is {'occupied' if taken else 'not Adjacent to the squad in its Zone'}", rule


_PIECES: Mapping[str, Callable[[FuryReferee, Piece, str], Reason]] = {
    "units": _reinforcement,
    "squads": _start_squad,
    "caats": _start_squad,
    "counter": _swapped,
}
"""By question: why a counter is not among its choices."""

_LOCATIONS: Mapping[str, Callable[[FuryReferee, str, str], Reason]] = {"remove": _removed, "entry": _entry, "beside": _beside}
"""By question: why a Location is not among its choices."""
