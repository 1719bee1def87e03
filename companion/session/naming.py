"""What a typed name means on a position: a track, a piece, a place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.core.errors import Ambiguous, Unreadable
from companion.core.game import Game
from companion.core.position import Piece, Position
from companion.core.words import fitting, loose, nothing_like, one_of


def _track_names(game: Game) -> dict[str, str]:
    names: dict[str, str] = {}
    for track in game.tracks.values():
        names.setdefault(track.id, track.id)
        names.setdefault(track.title, track.id)
    return names


def track_id(game: Game, text: str) -> str:
    """The track that a text means, by id or title. Raises Unreadable, Ambiguous."""
    names = _track_names(game)
    found = list(dict.fromkeys(names[name] for name in fitting(text, names)))
    return found[0] if len(found) == 1 else names[one_of(text, list(names), "track")]


def means_track(game: Game, position: Position, text: str) -> bool:
    """Whether a track is meant. What is written out in full comes before what only begins so.

    Raises:
        Ambiguous: tracks and pieces begin like this.
    """
    tracks = fitting(text, _track_names(game))
    if not tracks:
        return False
    if any(loose(name) == loose(text) for name in tracks):
        return True
    pieces = fitting(text.partition("@")[0], piece_names(position.pieces.values()))
    if any(loose(name) == loose(text) for name in pieces):
        return False
    if pieces:
        raise Ambiguous(text, [f"track:{name}" for name in tracks] + [f"piece:{name}" for name in pieces])
    return True


# -- pieces ------------------------------------------------------------------------------------------------------------


def piece_names(pieces: Iterable[Piece]) -> dict[str, list[Piece]]:
    """The pieces by what is printed on them."""
    found: dict[str, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.name, []).append(piece)
    return found


def _fitting(game: Game, text: str, pool: Iterable[Piece]) -> Mapping[str, list[Piece]]:
    """The pieces whose name fits a text; where none does, those that the screen calls so."""
    pieces = list(pool)
    named = piece_names(pieces)
    found = {name: named[name] for name in fitting(text, named)}
    if found or not text:
        return found
    titled: dict[str, list[Piece]] = {}
    for piece in pieces:
        titled.setdefault(game.piece_title(piece), []).append(piece)
    return {name: titled[name] for name in fitting(text, titled)}


def _there(game: Game, position: Position, text: str) -> tuple[str, list[Piece]]:
    """The name in ``TEMPLATE@PLACE``, and the pieces that it may mean."""
    if "@" not in text:
        return text, list(position.pieces.values())
    name, _, where = text.rpartition("@")
    there = place_id(game, position, where)
    if there is None:
        raise Unreadable(f"no piece is in '{where}'")
    return name, position.at(there)


def find_piece(game: Game, position: Position, text: str) -> Piece:
    """The piece that a text means: by id, by name or by what the screen calls it, with ``@place`` where several have the name.

    Of several the one that is in play; of several that are alike in one place, the first.

    Raises:
        Unreadable: there is none.
        Ambiguous: several differ.
    """
    if text in position.pieces:
        return position.pieces[text]
    name, pool = _there(game, position, text)
    found = _fitting(game, name, pool)
    pieces = [piece for some in found.values() for piece in some]
    if not pieces:
        what = "piece in that place" if "@" in text else "track or piece"
        raise nothing_like(name, what, list(piece_names(pool)), "See: companion show")
    exact = [piece for piece in pieces if loose(piece.name) == loose(name)] or pieces
    playing = [piece for piece in exact if game.corrections.in_play(piece)] or exact
    return _alike(text, playing)


def _alike(text: str, pieces: list[Piece]) -> Piece:
    """The first of some pieces that are all alike. Raises Ambiguous: they are not."""
    if len({piece._replace(id="") == pieces[0]._replace(id="") for piece in pieces}) == 1:
        return pieces[0]
    names = list(dict.fromkeys(piece.name for piece in pieces))
    if len(names) > 1:
        raise Ambiguous(text, names)
    places = list(dict.fromkeys(f"{piece.name}@{piece.place}" for piece in pieces))
    raise Ambiguous(text, places if len(places) > 1 else [piece.id for piece in pieces])


# -- places ------------------------------------------------------------------------------------------------------------


def place_names(game: Game, position: Position) -> dict[str, str]:
    """Every place that is known by its name, its own or the one on the table."""
    names: dict[str, str] = {}
    for place in (*game.places, *game.own_places(position), *position.places()):
        names.setdefault(place, place)
    for place in list(names):
        names.setdefault(game.place_title(place), place)
    return names


def place_id(game: Game, position: Position, text: str) -> str | None:
    """The place that a text means; None if it means none. Raises Ambiguous: several begin so."""
    if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    names = place_names(game, position)
    found = list(dict.fromkeys(names[name] for name in fitting(text, names)))
    if own := game.corrections.place_named(text, position):
        return own
    if len(found) > 1:
        raise Ambiguous(text, found)
    return found[0] if found else None
