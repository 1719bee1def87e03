"""Why a counter or place of the game cannot be chosen at a question, with the rule; worked out only after a refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.exclusions import find
from companion.core.game import Game, Obstacle
from companion.core.position import Piece
from companion.core.request import AnyRequest
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.referee import FallujahReferee
from companion.games.fallujah2004.rules import r08_forces, r10_operations, r11_recruiting, r16_combat

Reason = tuple[str, str] | None


def why_not(game: Game, referee: FallujahReferee, request: AnyRequest, name: str) -> Reason:
    """Why a thing of the game cannot be chosen at a question: (reason, rule), or None."""
    thing = find(name, game, referee.position)
    if thing.pieces and (of_piece := _PIECES.get(request.key)):
        return of_piece(referee, thing.pieces[0], request.rule)
    place = game.corrections.find_place(name, referee.position) or thing.place
    if request.key not in _FOR_SPACES or not place or thing.pieces:
        return None
    fault_at = NO_PLACE.get(request.rule) if request.key in ("at", "base") else None
    if place not in state.UNIT_PLACES and (fault_at or request.key in ("to", "refuge")):
        return f"{game.place_title(place)} is no space of the map", "3.1"
    fault = fault_at(referee, place) if fault_at else None
    return (fault.text, fault.rule) if fault else None


_FOR_SPACES = ("at", "base", "to", "refuge")
"""The questions that a space answers."""


def _in_battle(referee: FallujahReferee, piece: Piece, rule: str, what: str = "takes no part in this battle") -> Reason:
    """[16.3, 16.7] A unit that does not fight takes no hit and does not withdraw."""
    return (f"{piece.name} {what}: it is {referee.location(piece)}", rule) if piece.kind == state.UNIT else None


def _strike(referee: FallujahReferee, piece: Piece, rule: str) -> Reason:
    """[22.0, 23.1, 33.0] Why a strike cannot be committed."""
    if piece.kind == state.STRIKE or state.is_netwar(piece):
        return r16_combat.strike_fault(referee, piece)
    return None


def _opfor_loss(referee: FallujahReferee, piece: Piece, rule: str) -> Reason:
    """[16.3] OPFOR loses its weakest unit first."""
    if not state.fights(piece):
        return None
    if state.on_map(piece.place):
        return f"{piece.name} is not the weakest unit in this battle, which is lost first", rule
    return f"{piece.name} takes no part in this battle: it is {referee.location(piece)}", rule


def _evacuated(referee: FallujahReferee, piece: Piece, rule: str) -> Reason:
    """[16.9, 24.5] Why a unit is not flown out."""
    if piece.kind != state.UNIT:
        return None
    if fault := r08_forces.rider_fault(referee, piece):
        return f"{piece.name} {fault}, and is not flown out", "24.5"
    return _in_battle(referee, piece, rule, "does not withdraw here")


def _leader(referee: FallujahReferee, piece: Piece, rule: str) -> Reason:
    """[29.1, 30.2(1)] A leader joins a unit of the force, or one that was just recruited."""
    what = "was not recruited just now" if rule == "30.2(1)" else "is no unit of the force that has won"
    return _in_battle(referee, piece, rule, what)


def _free_leader(referee: FallujahReferee, piece: Piece, rule: str) -> Reason:
    """[29.1] A leader is recruited from the Recruit box."""
    return (f"{piece.name} is {referee.location(piece)}, not in the Recruit box", rule) if piece.kind == state.LEADER else None


def _interdicted(referee: FallujahReferee, piece: Piece, rule: str) -> Reason:
    """[33.0] The Nodes of one space are attacked."""
    if piece.kind in (state.NODE, state.CONCEALED) and rule == "33.0":
        return f"{piece.name} is {referee.location(piece)}, not in the space that is attacked", rule
    return None


_PIECES: Mapping[str, Callable[[FallujahReferee, Piece, str], Reason]] = {
    "hit": _in_battle,
    "withdraw": _in_battle,
    "strikes": _strike,
    "opfor_loss": _opfor_loss,
    "evacuate": _evacuated,
    "leader": _leader,
    "which_leader": _free_leader,
    "node": _interdicted,
}
"""By question: why a counter is not among its choices."""


def _no_base(referee: FallujahReferee, place: str) -> Obstacle | None:
    """[16.9] A helicopter flies to a Base."""
    return None if place in state.BASES else Obstacle(f"{referee.title(place)} is no Base", "16.9")


NO_PLACE: Mapping[str, Callable[[FallujahReferee, str], Obstacle | None]] = {
    "11.1": r11_recruiting.no_arrival,
    "16.9": _no_base,
    "18.3": r10_operations.no_refit_at,
    "18.4": r10_operations.no_repair_at,
    "18.5": r10_operations.no_site_at,
    "33.0": r10_operations.no_interdiction,
}
"""By the rule of a question for a place: why a place is not among its choices."""
