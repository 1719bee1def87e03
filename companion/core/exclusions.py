"""Refusals of what exists in the game but cannot be chosen: the rule that excludes it instead of a typing error."""

from __future__ import annotations

from companion.core.errors import Ambiguous, CompanionError, Excluded, Unreadable
from companion.core.game import Game
from companion.core.position import Position
from companion.core.request import AnyRequest
from companion.core.text import clean, matching_names, normalised, plural

_KINDS = ("choose", "pick", "text", "draw")
"""The kinds of questions that names answer."""
_TYPO = 3
"""Names of fewer letters are matched as a whole only."""


def explain(error: Unreadable, text: str, request: AnyRequest, game: Game) -> CompanionError:
    """The refusal by its rule if what cannot be read names something of the game, else the error itself."""
    if request.kind not in _KINDS or request.referee is None:
        return error
    exactly = isinstance(error, Ambiguous)
    name = clean(text) if exactly else error.text or clean(text)
    reason = None if exactly else _reason(name, request, game) or _reason(clean(text), request, game)
    if reason is None:
        position = request.referee.position
        named = thing_named(name, game, position, exactly or len(name) < _TYPO) or thing_named(clean(text), game, position, True)
        # an error without a name was written for the notation, and says more than that the thing cannot be chosen
        reason = (named if error.text else error.message, error.rule or request.rule) if named else None
    if reason is None:
        return error
    cure = error.cure if error.cure and not error.cure.startswith(("Did", "Type a few")) else request.expects()
    return Excluded(reason[0], rule=reason[1], cure=cure)


def _reason(name: str, request: AnyRequest, game: Game) -> tuple[str, str] | None:
    return (request.why_not(name) if request.why_not else None) or game.why_not(request, name)


def thing_named(name: str, game: Game, position: Position, exactly: bool = False) -> str:
    """Say of a piece, place or action of the game that it cannot be chosen here; "" if nothing has the name."""
    pieces: dict[str, list[str]] = {}
    for piece in position.pieces.values():
        pieces.setdefault(piece.name, []).append(piece.id)
    fitting = [name] if name in position.pieces else _matching(name, pieces, exactly)
    if len(fitting) == 1:
        return _piece_refused([fitting[0]] if name in position.pieces else pieces[fitting[0]], game, position)
    if fitting:
        return f"none of {', '.join(fitting[:4])}{', ...' if len(fitting) > 4 else ''} can be chosen here"
    places = {place: place for place in (*game.places, *game.player_named_places(position), *position.occupied_places())}
    places |= {game.place_title(place): place for place in places}
    if place := next(iter(_matching(name, places, exactly=True)), "") or (name if name in game.vocabulary.places else ""):
        return f"{game.place_title(places.get(place, place))} cannot be chosen here"
    actions = {action.id: action.title for action in game.actions}
    if action := next(iter(_matching(name, actions, exactly=True)), ""):
        return f"'{action}' is an action, and a question is open that comes first"
    return ""


def _matching(name: str, names: dict[str, list[str]] | dict[str, str], exactly: bool) -> list[str]:
    wanted = normalised(name)
    exact = [other for other in names if normalised(other) == wanted]
    return exact or ([] if exactly else matching_names(name, names))


def _piece_refused(ids: list[str], game: Game, position: Position) -> str:
    pieces = [position.pieces[piece] for piece in ids]
    in_play = [piece for piece in pieces if game.corrections.is_in_play(piece)]
    places = list(dict.fromkeys(game.place_title(piece.place) for piece in in_play or pieces))
    where = ", ".join(places[:3]) + (", ..." if len(places) > 3 else "")
    name = clean(pieces[0].name) + (f" ({plural(len(pieces), 'counter')})" if len(pieces) > 1 else "")
    if in_play:
        return f"{name} cannot be chosen here; {'they are' if len(pieces) > 1 else 'it is'} in: {where}"
    return f"{name} is not in play: {where}"
