"""Reading what is to be set: a track, a piece, a mark, a flag or a new piece, by the names that a hurried hand types.

    ops 12                       a track, by id or title; a number, or the name of a value ("high")
    3/1 2-8                      a piece to a place, by id or by name ("3/1@2-7" where several have the name)
    3/1.face back                the side that is up
    3/1.hits 2                   a mark: yes, no, none, a whole number or a word
    flag:uprising yes            a flag
    new:unit:USMC 5/1 recruit    a piece that Companion did not know
    "2-9"                        in quotation marks: this very place and none that begins so

``track:`` and ``piece:`` in front settle which is meant. Pieces are never deleted: they go to a place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.errors import Ambiguous, Unreadable
from companion.core.events import Event, PieceMade, PieceMoved, apply
from companion.core.game import Game, Track
from companion.core.history import ADJUSTED, Reply
from companion.core.position import Held, Piece, Position, Value
from companion.core.referee import Referee
from companion.core.words import clean, fitting, loose, one_of

_WORDS: dict[str, Value] = {"yes": True, "true": True, "no": False, "false": False, "none": None, "-": None}


def corrected(
    game: Game, options: Mapping[str, str], position: Position, changes: Sequence[tuple[str, str]], why: str
) -> tuple[Referee, list[str]]:
    """A referee with the events that make the changes, each on what the one before left; and notes.

    Raises:
        Unreadable: a change means nothing, or cannot be on a table.
        Ambiguous: it could mean several things.
    """
    referee = Referee(position, options, {})
    notes: list[str] = []
    for what, value in changes:
        _set(game, referee, clean(what), clean(value), why, notes)
    for event in referee.events:
        if fault := game.fault(event, position):
            raise Unreadable(fault, cure=_cure(game, event))
        position = apply(position, event)
    return referee, notes


def _cure(game: Game, event: Event) -> str:
    if game.own_place and isinstance(event, PieceMoved | PieceMade):
        place = event.now if isinstance(event, PieceMoved) else event.place
        return f"See: companion show. Where your map has it, put this in front: flag:{game.own_place}{place} yes"
    return f"What there is: companion show, companion games {game.id}"


def adjustment(changes: Sequence[tuple[str, str]], why: str, action: str, at: str, events: Sequence[Event]) -> Reply:
    """An adjustment as a step of an open entry.

    Args:
        changes, why: as typed.
        action: ``adjust`` or ``audit``.
        at: the key of the question that was open.
        events: what it changes.
    """
    value = {"changes": [list(pair) for pair in changes], "why": why, "at": at}
    return Reply(action, ADJUSTED, value, "typed", events=tuple(events))


def once_more(game: Game, options: Mapping[str, str], position: Position, reply: Reply) -> Reply:
    """The same adjustment on another position.

    Raises:
        Unreadable: it means nothing there, or cannot be.
        Ambiguous: it could mean several things there.
    """
    changes = [(str(what), str(value)) for what, value in reply.value["changes"]]
    referee, _ = corrected(game, options, position, changes, reply.value["why"])
    return reply._replace(events=tuple(referee.events))


def _set(game: Game, referee: Referee, what: str, value: str, why: str, notes: list[str]) -> None:
    head, colon, rest = what.partition(":")
    if colon and head == "flag":
        _flag(game, referee, rest.strip(), value, why, notes)
    elif colon and head == "new":
        _new(game, referee, rest, value, why, notes)
    elif colon and head == "track":
        _track(game.tracks[_track_id(game, rest)], referee, value, why)
    elif colon and head == "piece":
        _piece(game, referee, rest, value, why, notes)
    elif _means_track(game, referee.position, what):
        _track(game.tracks[_track_id(game, what)], referee, value, why)
    else:
        _piece(game, referee, what, value, why, notes)


# -- tracks and flags --------------------------------------------------------------------------------------------------


def _track_names(game: Game) -> dict[str, str]:
    names: dict[str, str] = {}
    for track in game.tracks.values():
        names.setdefault(track.id, track.id)
        names.setdefault(track.title, track.id)
    return names


def _track_id(game: Game, text: str) -> str:
    names = _track_names(game)
    found = list(dict.fromkeys(names[name] for name in fitting(text, names)))
    return found[0] if len(found) == 1 else names[one_of(text, list(names), "track")]


def _means_track(game: Game, position: Position, text: str) -> bool:
    """Whether a track is meant. What is written out in full comes before what only begins so.

    Raises:
        Ambiguous: tracks and pieces begin like this.
    """
    tracks = fitting(text, _track_names(game))
    if not tracks:
        return False
    if any(loose(name) == loose(text) for name in tracks):
        return True
    pieces = fitting(text.partition("@")[0], _piece_names(position.pieces.values()))
    if any(loose(name) == loose(text) for name in pieces):
        return False
    if pieces:
        raise Ambiguous(text, [f"track:{name}" for name in tracks] + [f"piece:{name}" for name in pieces])
    return True


def _track(track: Track, referee: Referee, value: str, why: str) -> None:
    if track.names and fitting(value, track.names):
        number = (track.low or 0) + track.names.index(one_of(value, track.names, f"value of {track.title}"))
    else:
        try:
            number = int(value)
        except ValueError:
            known = f"It can be: {', '.join(track.names)}" if track.names else "Type a whole number"
            raise Unreadable(f"'{value}' is no value of {track.title}", rule=track.rule, cure=known) from None
    low, high = track.low, track.high
    if (low is not None and number < low) or (high is not None and number > high):
        bounds = f"{'any' if low is None else low} to {'any' if high is None else high}"
        raise Unreadable(f"{track.title} cannot stand at {number}", rule=track.rule, cure=f"It goes from {bounds}")
    referee.set_track(track.id, number, "", why)


def _flag(game: Game, referee: Referee, name: str, value: str, why: str, notes: list[str]) -> None:
    if not name:
        raise Unreadable("a flag needs a name", cure="Type it like this: flag:NAME yes")
    found = fitting(name, {**referee.position.flags, **dict.fromkeys(sorted(game.vocabulary.flags.exact))})
    if len(found) > 1:
        raise Ambiguous(name, found)
    if not found:
        notes.append(f"no flag '{name}' was set before; it is set now as it was typed")
    flag = found[0] if found else name
    held: Held = _value(value)
    if flag in game.vocabulary.sets:
        held = () if held is None else tuple(value.replace(",", " ").split())
    referee.set_flag(flag, held or None if isinstance(held, tuple) else held, "", why)


def _value(text: str) -> Value:
    plain = text.casefold()
    if plain in _WORDS:
        return _WORDS[plain]
    try:
        return int(text)
    except ValueError:
        return text


# -- pieces and places -------------------------------------------------------------------------------------------------


def _piece_names(pieces: object) -> dict[str, list[Piece]]:
    found: dict[str, list[Piece]] = {}
    for piece in pieces:  # type: ignore[attr-defined]
        found.setdefault(piece.name, []).append(piece)
    return found


def find_piece(game: Game, position: Position, text: str) -> Piece:
    """The piece that a text means: by id, or by name, with ``@place`` where several have the name.

    Of several that are alike in one place, the first.

    Raises:
        Unreadable: there is none.
        Ambiguous: several differ.
    """
    if text in position.pieces:
        return position.pieces[text]
    name, at, where = text.rpartition("@") if "@" in text else (text, "", "")
    pool = list(position.pieces.values())
    if at:
        there = _place_id(game, position, where)
        if there is None:
            raise Unreadable(f"no piece is in '{where}'")
        pool = position.at(there)
    names = _piece_names(pool)
    chosen = names[one_of(name, list(names), "track or piece" if not at else "piece in that place", cure="See: companion show")]
    if len({piece._replace(id="") == chosen[0]._replace(id="") for piece in chosen}) == 1:
        return chosen[0]
    if len({piece.place for piece in chosen}) > 1:
        raise Ambiguous(text, list(dict.fromkeys(f"{piece.name}@{piece.place}" for piece in chosen)))
    raise Ambiguous(text, [piece.id for piece in chosen])


def _piece(game: Game, referee: Referee, what: str, value: str, why: str, notes: list[str]) -> None:
    head, dot, tail = what.rpartition(".")
    if not dot or not head or fitting(what, _piece_names(referee.position.pieces.values())):
        piece = find_piece(game, referee.position, what)
        referee.move(piece.id, _place(game, referee.position, value, notes), "", why)
        return
    piece = find_piece(game, referee.position, head)
    if loose(tail) == "face":
        if not value:
            raise Unreadable("a face needs a name")
        referee.flip(piece.id, value, "", why)
        return
    known = {**game.mark_names(piece), **dict.fromkeys(piece.marks, ())}
    if known:
        tail = one_of(tail, list(known), f"mark for {piece.name}")
    else:
        notes.append(f"the game names no marks for {piece.name}; '{tail}' is set as it was typed")
    referee.mark(piece.id, tail, _value(value), "", why)


def _place_names(game: Game, position: Position) -> dict[str, str]:
    names: dict[str, str] = {}
    for place in (*game.places, *game.own_places(position), *position.places()):
        names.setdefault(place, place)
    for place in list(names):
        names.setdefault(game.place_title(place), place)
    return names


def _place_id(game: Game, position: Position, text: str) -> str | None:
    """The known place that a text means; None if it begins like none. Raises Ambiguous: several begin so."""
    names = _place_names(game, position)
    found = list(dict.fromkeys(names[name] for name in fitting(text, names)))
    if len(found) > 1:
        raise Ambiguous(text, found)
    return found[0] if found else None


def _place(game: Game, position: Position, text: str, notes: list[str]) -> str:
    if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if not text:
        raise Unreadable("a place needs a name")
    known = _place_id(game, position, text)
    if known is None:
        notes.append(f"nothing was in '{text}' before; taken as it was typed")
    return known or text[:80]


def _new(game: Game, referee: Referee, what: str, value: str, why: str, notes: list[str]) -> None:
    kind, colon, name = (part.strip() for part in what.partition(":"))
    if not (kind and colon and name):
        raise Unreadable("a new piece needs a kind and a name", cure="Type it like this: new:KIND:NAME PLACE")
    kinds = {piece.kind for piece in referee.position.pieces.values()}
    found = fitting(kind, kinds)
    if len(found) != 1:
        notes.append(f"no piece of the kind '{kind}' was there before; taken as it was typed")
    place = _place(game, referee.position, value, notes)
    referee.make(found[0] if len(found) == 1 else kind[:40], name[:80], place, "", why)
