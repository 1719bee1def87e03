"""Refusals of what exists in the game but cannot be chosen: the rule that excludes it instead of a typing error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.core.errors import Ambiguous, CompanionError, Excluded, Miscounted, Unreadable
from companion.core.game import Game
from companion.core.named_tuple import NamedTuple
from companion.core.position import Piece, Position
from companion.core.requests import AnyRequest, Draw, Text
from companion.core.text import clean, matching_names, normalised, plural

_KINDS = ("choose", "pick", "text", "draw")
"""The kinds of questions that names answer."""
_TYPO = 3
"""Names of fewer letters are matched as a whole only."""


def explain(error: Unreadable, text: str, request: AnyRequest, game: Game) -> CompanionError:
    """The refusal by its rule if what cannot be read names something of the game, else the error itself."""
    if request.kind not in _KINDS or request.referee is None or isinstance(error, Miscounted):
        return error
    exactly = isinstance(error, Ambiguous)
    name = clean(text) if exactly else error.text or clean(text)
    position = request.referee.position
    whole = find(clean(text), game, position, exactly=True)
    reason = None
    if whole.pieces or whole.place or not exactly:
        reason = _reason(name, request, game) or _reason(clean(text), request, game)
    if reason is None:
        part = find(name, game, position, exactly or len(name) < _TYPO)
        things = (whole,) if isinstance(request, Text) else (whole, part)
        if other := next(filter(None, (_other_kind(thing, request, game) for thing in things)), ""):
            reason = other, error.rule or request.rule
        elif named := _thing_refused(part, game) or _thing_refused(whole, game):
            # an error without a name was written for the notation, and says more than that the thing cannot be chosen
            reason = named if error.text else error.message, error.rule or request.rule
    if reason is None:
        return error
    cure = error.cure if error.cure and not error.cure.startswith(("Did", "Type a few")) else request.expects()
    return Excluded(reason[0], rule=reason[1], cure=cure)


def _reason(name: str, request: AnyRequest, game: Game) -> tuple[str, str] | None:
    return (request.why_not(name) if request.why_not else None) or game.why_not(request, name)


class Thing(NamedTuple):
    """What a text names: counters, those in play if any is; a place; an action. `similar`: all names of counters it may mean."""

    pieces: Sequence[Piece] = ()
    place: str = ""
    action: str = ""
    similar: Sequence[str] = ()


def find(name: str, game: Game, position: Position, exactly: bool = False) -> Thing:
    """The thing of the game that a text names; an empty one if there is none."""
    if name in position.pieces:
        return Thing([position.pieces[name]])
    by_name: dict[str, list[Piece]] = {}
    for piece in position.pieces.values():
        by_name.setdefault(piece.name, []).append(piece)
    fitting = _exact(name, by_name)
    if not fitting:
        places = {place: place for place in (*game.places, *game.player_named_places(position), *position.occupied_places())}
        places |= {game.place_title(place): place for place in places}
        if place := next(iter(_exact(name, places)), ""):
            return Thing(place=places[place])
        if action := next(iter(_exact(name, [action.id for action in game.actions])), ""):
            return Thing(action=action)
        fitting = [] if exactly else matching_names(name, by_name)
        if not fitting and name in game.vocabulary.places:
            return Thing(place=name)
    pieces = by_name[fitting[0]] if len(fitting) == 1 else []
    return Thing([piece for piece in pieces if game.corrections.is_in_play(piece)] or pieces, similar=fitting)


def _thing_refused(thing: Thing, game: Game) -> str:
    """Say of a thing of the game that it cannot be chosen here, without a reason; "" for an empty one."""
    if thing.pieces:
        return _pieces_refused(thing.pieces, game)
    if thing.similar:
        return f"none of {', '.join(thing.similar[:4])}{', ...' if len(thing.similar) > 4 else ''} can be chosen here"
    if thing.place:
        return f"{game.place_title(thing.place)} cannot be chosen here"
    return f"'{thing.action}' is an action, and a question is open that comes first" if thing.action else ""


def _other_kind(thing: Thing, request: AnyRequest, game: Game) -> str:
    """Say that a question asks for another kind of thing, or draws from another place; "" if that is not so."""
    if not thing.pieces and not thing.place:
        return ""
    noun, position = game.pieces_noun.removesuffix("s"), request.referee.position if request.referee else None
    name = game.place_title(thing.place) if thing.place else clean(thing.pieces[0].name)
    what = f"{name} is a {'place' if thing.place else noun}"
    if isinstance(request, Draw):
        if thing.place or name in request.contents:
            return f"{what}, and a {request.thing} is drawn" if thing.place else ""
        return f"{name} is not in: {game.place_title(request.cup) or request.holder}, but in: {_places(thing.pieces, game)}"
    choices = (*request.legal_choices(), *getattr(request, "others", ()))
    if position is None or (not choices and isinstance(request, Text)):
        return ""
    offered = {text for choice in choices for text in (choice.value, choice.label, choice.name)}
    if kinds := {piece.kind for piece in position.pieces.values() if piece.name in offered or piece.id in offered}:
        nouns = sorted(map(game.vocabulary.kind_noun, kinds))
        if thing.place:
            return f"{what}, and a {noun} is asked for"
        own = game.vocabulary.kind_noun(thing.pieces[0].kind)
        differs = own and all(nouns) and kinds.isdisjoint(piece.kind for piece in thing.pieces)
        return f"{name} is {own}, not {' or '.join(nouns)}" if differs else ""
    if any(text in game.vocabulary.places or text in game.player_named_places(position) for text in offered):
        return f"{what}, and a place is asked for" if thing.pieces else ""
    # a notation may read more places than are offered
    return "" if thing.place and isinstance(request, Text) else f"{what}, and none is asked for"


def _exact(name: str, names: Iterable[str]) -> list[str]:
    wanted = normalised(name)
    return [other for other in names if normalised(other) == wanted]


def _pieces_refused(pieces: Sequence[Piece], game: Game) -> str:
    name = clean(pieces[0].name) + (f" ({plural(len(pieces), 'counter')})" if len(pieces) > 1 else "")
    if game.corrections.is_in_play(pieces[0]):
        return f"{name} cannot be chosen here; {'they are' if len(pieces) > 1 else 'it is'} in: {_places(pieces, game)}"
    return f"{name} is not in play: {_places(pieces, game)}"


def _places(pieces: Sequence[Piece], game: Game) -> str:
    places = list(dict.fromkeys(game.place_title(piece.place) for piece in pieces))
    return ", ".join(places[:3]) + (", ..." if len(places) > 3 else "")
