"""The vocabulary of a game: every id of its documents with its title, for a screen that does not know the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.game import Game, Track
from companion.core.hints import Any
from companion.core.values import JsonDict
from companion.core.vocabulary import FRONT


class Vocabulary(NamedTuple):
    """The ids of a game, each with its title.

    A place, mark or flag with ``*`` stands for all ids with such a beginning and end, a place of ``#`` for numbers of as many
    digits. Places that players name, such as areas of a map told by them, are their own title.

    Attributes:
        seats: The sides that decide, in the order of the rulebook.
        tracks: Named numbers with their bounds (None: no end).
        places: Where pieces can be.
        cups: The places whose contents are hidden.
        kinds: Kinds of pieces.
        faces: Sides of pieces; ``front`` is that of a piece that was never turned.
        marks: Markers that lie on pieces.
        flags: Other values.
        scenarios: Ways to set the game up.
        actions: What can be begun.
        situations: What exact odds can be asked for.
        questions: The keys of questions. Those about one piece or fact have its name as key, and are not listed.
    """

    seats: Mapping[str, str]
    tracks: Mapping[str, Track]
    places: Mapping[str, str]
    cups: tuple[str, ...]
    kinds: Mapping[str, str]
    faces: Mapping[str, str]
    marks: Mapping[str, str]
    flags: Mapping[str, str]
    scenarios: Mapping[str, str]
    actions: Mapping[str, str]
    situations: Mapping[str, str]
    questions: Mapping[str, str]


def vocabulary_of(game: Game) -> Vocabulary:
    """Return the vocabulary of a game."""
    head = game.tables.game
    return Vocabulary(
        dict(game.seats),
        dict(game.tracks),
        {place: game.places.get(place, _text(title)) for place, title in head.get("places", {}).items()},
        game.cups,
        {kind: _text(title) for kind, title in head.get("kinds", {}).items()},
        {FRONT: "front", **{face: _text(title) for face, title in head.get("faces", {}).items()}},
        {mark: _text(title) for mark, title in head.get("marks", {}).items()},
        {flag: game.flag_title(flag) or _text(title) for flag, title in head.get("flags", {}).items()},
        {item.id: item.title for item in game.scenarios.values()},
        {item.id: item.title for item in game.actions},
        {item.id: item.title for item in game.situations},
        {key: key.replace("_", " ").capitalize() for key in sorted(game.question_keys)},
    )


def _text(declared: Any) -> str:
    """The title of a declared name, which is text or a table."""
    return declared if isinstance(declared, str) else str(declared.get("text", ""))


def vocabulary_data(game: Game) -> JsonDict:
    """Return the vocabulary of a game as JSON data."""
    vocabulary = vocabulary_of(game)
    data: JsonDict = {
        name: [{"id": id, "title": title} for id, title in titles.items()]
        for name, titles in vocabulary._asdict().items()
        if name not in ("tracks", "cups")
    }
    return {**data, "tracks": [_track_data(track) for track in vocabulary.tracks.values()], "cups": list(vocabulary.cups)}


def _track_data(track: Track) -> JsonDict:
    return {
        "id": track.id,
        "title": track.title,
        "rule": track.rule,
        "low": track.low,
        "high": track.high,
        "open": list(track.open),
        "names": list(track.names),
        "on_table": track.on_table,
    }
