"""The state of the table: tracks, places, pieces, cups, and any part of it by name (`show WHAT`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from companion.core.dice import cup_contents
from companion.core.errors import Ambiguous, Unreadable
from companion.core.game import Game
from companion.core.position import Piece, Position
from companion.core.text import clean, matching_names, natural_key, normalised
from companion.core.values import JsonDict
from companion.session.state import SessionState
from companion.views.data import banner_data, piece_data, position_data, score_data
from companion.views.lines import BLANK, Line, cited, counted_names, named_value_text, table_lines, value_text

_MAX_LEAD_TITLE = 24  # longest title that contents are indented behind

PARTS = ("tracks", "places", "pieces", "cups", "flags", "setup", "score", "facts", "options", "rulings")
"""Parts that `show` accepts besides a single track, place or piece."""

TargetKind = Literal["part", "track", "place", "piece"]
"""What `show` was given: one of `PARTS`, or the name of something on the table."""


def track_lines(session: SessionState, only: Sequence[str] = ()) -> list[Line]:
    """Return tracks with their values, and their names or ends."""
    game, position, facts, rows = session.game, session.position, session.log.facts(), []
    for track in only or [name for name in {**game.tracks, **position.tracks} if game.track_title(name)]:
        values = ""
        if track in game.tracks:
            ends, names = game.track_ends(track, position, facts), game.tracks[track].names
            values = f"({', '.join(names) or ends})"
        rows.append((game.track_title(track) or track, game.track(track, position.track(track)), values))
    return table_lines(rows)


def piece_text(game: Game, piece: Piece, pieces: Mapping[str, Piece]) -> str:
    """Return a piece with its face and marks."""
    details = [] if piece.face == "front" else [game.face_title(piece, piece.face)]
    marks = [(game.mark_title(mark), value) for mark, value in sorted(piece.marks.items())]
    details += [mark if value is True else f"{mark} {named_value_text(value, pieces)}" for mark, value in marks if mark]
    title = game.piece_title(piece)
    return f"{title} ({', '.join(details)})" if details else title


def place_text(game: Game, position: Position, place: str, full: bool = True) -> str:
    """Return the pieces of a place; of a cup only counts: per name, or without `full` only the total."""
    pieces = position.at(place)
    if place not in game.cups:
        return counted_names(piece_text(game, piece, position.pieces) for piece in pieces) or "empty"
    if not full:
        return str(len(pieces))
    counts = sorted(cup_contents(position, place).items(), key=lambda item: natural_key(item[0]))
    text = ", ".join(f"{count} x {name}" for name, count in counts) or "empty"
    return f"{len(pieces)} hidden: {text}" if pieces else text


def place_lines(game: Game, position: Position, places: Sequence[str], full: bool = True) -> list[Line]:
    """Return each place with its pieces. Cups show only counts: per name, or without `full` only the total."""
    lines: list[Line] = []
    for place in places:
        title, text = game.place_title(place), place_text(game, position, place, full)
        short = len(title) <= _MAX_LEAD_TITLE
        lines.append(Line(text if short else f"{title}: {text}", "", "", f"{title}: " if short else ""))
    return lines


def occupied_places(game: Game, position: Position) -> list[str]:
    """Return the places that hold something: map spaces first, then the game's places in order, cups last."""
    used = position.places()
    named = sorted((place for place in used if place not in game.places), key=natural_key)
    return sorted([*named, *(place for place in game.places if place in used)], key=lambda place: place in game.cups)


def piece_lines(game: Game, piece: Piece) -> list[Line]:
    """Return all known details of one piece."""
    rows = [("place", game.place_title(piece.place)), ("side", game.face_title(piece, piece.face)), ("kind", piece.kind)]
    rows += [(name, value_text(value)) for name, value in piece.values.items()]
    rows += [(f"mark {name}", value_text(value)) for name, value in piece.marks.items()]
    return [Line(game.piece_title(piece), "title"), *table_lines(rows, indent="  "), Line(f"id {piece.id}", "dim", "", "  ")]


def flag_lines(game: Game, position: Position) -> list[Line]:
    """Return the flags that have a title."""
    rows = [(game.flag_title(flag), value_text(value)) for flag, value in sorted(position.flags.items()) if game.flag_title(flag)]
    return table_lines(rows) or [Line("nothing to note", "dim")]


def option_lines(game: Game, options: Mapping[str, str]) -> list[Line]:
    """Return the options of a session."""
    rows = [(name, options.get(name, item.default) or "-", cited(item.title, item.rule)) for name, item in game.options.items()]
    scenario = options.get("scenario", "")
    head = [("scenario", scenario, game.scenarios[scenario].title if scenario in game.scenarios else "")] if scenario else []
    return table_lines([*head, *rows])


def ruling_lines(game: Game, options: Mapping[str, str]) -> list[Line]:
    """Return all rulings, with the choice in force for those that are options."""
    lines: list[Line] = []
    for ruling in game.tables.rulings.values():
        lines.append(Line(ruling.question, "title", ", ".join(ruling.rules), f"{ruling.id}  "))
        lines.append(Line(ruling.answer, "", "", "     "))
        if ruling.option:
            now = options.get(ruling.option, ruling.choices[0])
            lines.append(Line(f"{ruling.option} = {now}: {ruling.meaning.get(now, now)}", "track", "", "     "))
    return lines


def setup_lines(session: SessionState, full: bool = True) -> list[Line]:
    """Return the complete state of the table; without `full` only counts for cups and places that need no check."""
    game, position = session.game, session.position
    tracks = track_lines(session, [name for name in game.tracks if game.marker_title(name)] if not full else ())
    used = occupied_places(game, position)
    places = [place for place in used if full or place not in game.unchecked_places]
    lines = [Line("Tracks", "title"), *tracks, BLANK, Line("Places", "title"), *place_lines(game, position, places, full)]
    rest = ", ".join(f"{game.place_title(place)} {position.count(place)}" for place in used if place not in places)
    lines += [Line(f"Not listed: {rest}", "dim")] if rest else []
    return [*lines, BLANK, *flag_lines(game, position)]


def overview_lines(session: SessionState) -> list[Line]:
    """Return tracks, and each occupied place with its number of pieces."""
    game, position = session.game, session.position
    rows = [(game.place_title(place), str(len(position.at(place)))) for place in occupied_places(game, position)]
    return [*track_lines(session), BLANK, *table_lines(rows)]


def find_target(game: Game, position: Position, what: str) -> tuple[TargetKind, tuple[str, ...]]:
    """Resolve `show WHAT` by unique prefix to a kind and ids: several for pieces with the same name.

    Raises:
        Unreadable: Nothing matches.
        Ambiguous: Several match.
    """
    tracks = {title: name for name in game.tracks for title in (name, game.track_title(name)) if title}
    places = {title: name for name in {**game.places, **position.places()} for title in (name, game.place_title(name))}
    pieces = {title: piece.name for piece in position.pieces.values() for title in (piece.id, piece.name)}
    parts = {part: part for part in PARTS}
    kinds: dict[TargetKind, dict[str, str]] = {"part": parts, "track": tracks, "place": places, "piece": pieces}
    for exact in (True, False):
        for kind, ids in kinds.items():
            names = [name for name in matching_names(what, ids) if not exact or normalised(name) == normalised(what)]
            matches = sorted({ids[name] for name in names})
            if len(matches) > 1:
                raise Ambiguous(what, names)
            if matches and kind == "piece":
                return kind, tuple(piece.id for piece in position.pieces.values() if what == piece.id or piece.name == matches[0])
            if matches:
                return kind, (matches[0],)
    cure = f"You can name: {', '.join(PARTS)}, a track, a place or a piece"
    raise Unreadable(f"nothing on the table is called '{clean(what)}'", cure=cure)


class BoardView(NamedTuple):
    """A part of the table, as lines and as JSON data; both are computed on demand."""

    lines: Callable[[], list[Line]]
    data: Callable[[], JsonDict]


def _places_data(session: SessionState, places: Sequence[str]) -> JsonDict:
    """Return places as JSON data. A cup shows only counts, so that its order stays hidden."""
    position, cups = session.position, [place for place in places if place in session.game.cups]
    pieces = {place: [piece_data(piece) for piece in position.at(place)] for place in places if place not in cups}
    counts = {place: [{"name": name, "many": count} for name, count in cup_contents(position, place).items()] for place in cups}
    return {**({"places": pieces} if pieces or not counts else {}), **({"cups": counts} if counts else {})}


def _facts_view(session: SessionState) -> BoardView:
    from companion.views.reference import fact_lines

    values = session.archive.printed(session.game.id)
    return BoardView(lambda: fact_lines(session.game, values), lambda: {"facts": values})


def _score_view(session: SessionState) -> BoardView:
    from companion.views.banner import score_lines

    score = session.game.score(session.position, session.options)
    title = "Score" if session.game.over(session.position) else "If the game ended now"
    return BoardView(lambda: [Line(title, "title"), *score_lines(score)], lambda: {"score": score_data(score)})


def _part(session: SessionState, part: str) -> BoardView:
    """Return a part of the table: one of `PARTS`, or "overview"."""
    game, position, options = session.game, session.position, session.options
    if part == "facts":
        return _facts_view(session)
    if part == "score":
        return _score_view(session)
    places = occupied_places(game, position)
    uncovered = [place for place in places if place not in game.cups]
    cups = [cup for cup in game.cups if position.at(cup)] or list(game.cups)
    rulings = game.tables.rulings.values()
    views = {
        "overview": BoardView(
            lambda: overview_lines(session),
            lambda: {"banner": banner_data(game, position, options), "position": position_data(position)},
        ),
        "tracks": BoardView(lambda: track_lines(session), lambda: {"tracks": dict(position.tracks)}),
        "places": BoardView(lambda: place_lines(game, position, places), lambda: _places_data(session, places)),
        "pieces": BoardView(lambda: place_lines(game, position, uncovered), lambda: _places_data(session, uncovered)),
        "cups": BoardView(lambda: place_lines(game, position, cups), lambda: _places_data(session, cups)),
        "flags": BoardView(lambda: flag_lines(game, position), lambda: {"flags": dict(position.flags)}),
        "setup": BoardView(lambda: setup_lines(session), lambda: {"setup": position_data(position)}),
        "options": BoardView(lambda: option_lines(game, options), lambda: {"options": dict(options)}),
        "rulings": BoardView(
            lambda: ruling_lines(game, options),
            lambda: {"rulings": [{**ruling._asdict(), "meaning": dict(ruling.meaning)} for ruling in rulings]},
        ),
    }
    return views[part]


def show(session: SessionState, what: str) -> BoardView:
    """Return a part of the table by name. Raises Unreadable or Ambiguous."""
    game, position = session.game, session.position
    if what == "overview":
        return _part(session, what)
    kind, ids = find_target(game, position, what)
    if kind == "part":
        return _part(session, ids[0])
    if kind == "track":
        return BoardView(lambda: track_lines(session, ids), lambda: {"tracks": {id: position.track(id) for id in ids}})
    if kind == "place":
        return BoardView(lambda: place_lines(game, position, ids), lambda: _places_data(session, ids))
    pieces = [position.pieces[id] for id in ids]
    return BoardView(
        lambda: [line for piece in pieces for line in piece_lines(game, piece)],
        lambda: {"pieces": [{**piece_data(piece), "place": piece.place} for piece in pieces]},
    )
