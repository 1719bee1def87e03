"""What is on the table: tracks, places, pieces, cups, and any part of it by name (`show WHAT`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.cups import cup_contents
from companion.core.errors import Ambiguous, Unreadable
from companion.core.game import Game
from companion.core.position import Piece, Position
from companion.core.words import clean, matching_names, natural_key, normalised
from companion.session.controller import SessionController
from companion.views.data import banner_data, piece_data, position_data, score_data
from companion.views.lines import BLANK, Line, cited, table_lines
from companion.views.phrases import counted_names, named_value_text, value_text

_TITLE = 24
"""Characters of a title that what lies there may still hang behind."""

PARTS = ("tracks", "places", "pieces", "cups", "flags", "setup", "score", "facts", "options", "rulings")
"""What ``show`` knows beside a single track, place or piece."""


def track_lines(game: Game, position: Position, only: Sequence[str] = ()) -> list[Line]:
    """Tracks with their values and bounds."""
    rows = []
    for track in only or [name for name in {**game.tracks, **position.tracks} if game.track_title(name)]:
        known = game.tracks.get(track)
        value = game.track(track, position.track(track))
        bounds = ""
        if known and not known.names and (known.low is not None or known.high is not None):
            bounds = f"({'' if known.low is None else known.low}..{'' if known.high is None else known.high})"
        rows.append((game.track_title(track) or track, value, bounds))
    return table_lines(rows)


def piece_text(game: Game, piece: Piece, pieces: Mapping[str, Piece]) -> str:
    """A piece with its side and its marks, in one phrase."""
    said = [] if piece.face == "front" else [game.face_title(piece, piece.face)]
    marks = [(game.mark_title(mark), value) for mark, value in sorted(piece.marks.items())]
    said += [mark if value is True else f"{mark} {named_value_text(value, pieces)}" for mark, value in marks if mark]
    title = game.piece_title(piece)
    return f"{title} ({', '.join(said)})" if said else title


def place_lines(game: Game, position: Position, places: Sequence[str], every: bool = True) -> list[Line]:
    """Each place with its pieces; a cup only with how many there are of each, or without ``every`` how many in all."""
    lines: list[Line] = []
    for place in places:
        title = game.place_title(place)
        here = position.at(place)
        if place in game.cups and not every:
            text = str(len(here))
        elif place in game.cups:
            counts = sorted(cup_contents(position, place).items(), key=lambda item: natural_key(item[0]))
            text = ", ".join(f"{count} x {name}" for name, count in counts) or "empty"
            text = f"{len(here)} hidden: {text}" if here else text
        else:
            text = counted_names(piece_text(game, piece, position.pieces) for piece in here) or "empty"
        short = len(title) <= _TITLE
        lines.append(Line(text if short else f"{title}: {text}", "", "", f"{title}: " if short else ""))
    return lines


def occupied_places(game: Game, position: Position) -> list[str]:
    """The places that hold something: those of the map that the player names, then the game's own in its order, cups last."""
    used = position.places()
    named = sorted((place for place in used if place not in game.places), key=natural_key)
    return sorted([*named, *(place for place in game.places if place in used)], key=lambda place: place in game.cups)


def piece_lines(game: Game, piece: Piece) -> list[Line]:
    """All that is known of one piece."""
    rows = [("place", game.place_title(piece.place)), ("side", game.face_title(piece, piece.face)), ("kind", piece.kind)]
    rows += [(name, value_text(value)) for name, value in piece.values.items()]
    rows += [(f"mark {name}", value_text(value)) for name, value in piece.marks.items()]
    return [
        Line(game.piece_title(piece), "title", "", ""),
        *table_lines(rows, indent="  "),
        Line(f"id {piece.id}", "dim", "", "  "),
    ]


def flag_lines(game: Game, position: Position) -> list[Line]:
    """The facts about the game as a whole that show on the table."""
    rows = [(game.flag_title(flag), value_text(value)) for flag, value in sorted(position.flags.items()) if game.flag_title(flag)]
    return table_lines(rows) or [Line("nothing of note", "dim")]


def option_lines(game: Game, options: Mapping[str, str]) -> list[Line]:
    """The options of a session."""
    rows = [(name, options.get(name, item.default) or "-", cited(item.title, item.rule)) for name, item in game.options.items()]
    scenario = options.get("scenario", "")
    head = [("scenario", scenario, game.scenarios[scenario].title if scenario in game.scenarios else "")] if scenario else []
    return table_lines([*head, *rows])


def ruling_lines(game: Game, options: Mapping[str, str]) -> list[Line]:
    """Every ruling, with the choice in force where it can be switched."""
    lines: list[Line] = []
    for ruling in game.tables.rulings.values():
        lines.append(Line(ruling.question, "title", ", ".join(ruling.rules), f"{ruling.id}  "))
        lines.append(Line(ruling.answer, "", "", "     "))
        if ruling.option:
            now = options.get(ruling.option, ruling.choices[0])
            lines.append(Line(f"{ruling.option} = {now}: {ruling.meaning.get(now, now)}", "track", "", "     "))
    return lines


def setup_lines(game: Game, position: Position, every: bool = True) -> list[Line]:
    """Everything that should lie on the table now; without ``every`` only what a hand would check, and of the rest a count."""
    tracks = track_lines(game, position, [name for name in game.tracks if game.marker_title(name)] if not every else ())
    used = occupied_places(game, position)
    places = [place for place in used if every or place not in game.unchecked_places]
    lines = [Line("Tracks", "title"), *tracks, BLANK, Line("Places", "title"), *place_lines(game, position, places, every)]
    rest = ", ".join(f"{game.place_title(place)} {position.count(place)}" for place in used if place not in places)
    lines += [Line(f"Not told one by one: {rest}", "dim")] if rest else []
    return [*lines, BLANK, *flag_lines(game, position)]


def overview_lines(game: Game, position: Position) -> list[Line]:
    """Tracks, and each place with how much lies there."""
    rows = [(game.place_title(place), str(len(position.at(place)))) for place in occupied_places(game, position)]
    return [*track_lines(game, position), BLANK, *table_lines(rows)]


def find_target(game: Game, position: Position, what: str) -> tuple[str, tuple[str, ...]]:
    """What ``show WHAT`` means: "part", "track", "place" or "piece", and its name, by unique prefix in that order.

    Pieces that bear the same name are all meant.

    Raises:
        Unreadable: nothing fits.
        Ambiguous: several fit.
    """
    tracks = {title: name for name in game.tracks for title in (name, game.track_title(name)) if title}
    places = {title: name for name in {**game.places, **position.places()} for title in (name, game.place_title(name))}
    pieces = {title: piece.name for piece in position.pieces.values() for title in (piece.id, piece.name)}
    pools = (("part", {part: part for part in PARTS}), ("track", tracks), ("place", places), ("piece", pieces))
    for exact in (True, False):
        for kind, pool in pools:
            names = [name for name in matching_names(what, pool) if not exact or normalised(name) == normalised(what)]
            found = sorted({pool[name] for name in names})
            if len(found) > 1:
                raise Ambiguous(what, names)
            if found and kind == "piece":
                return kind, tuple(piece.id for piece in position.pieces.values() if what == piece.id or piece.name == found[0])
            if found:
                return kind, (found[0],)
    raise Unreadable(
        f"nothing on the table is called '{clean(what)}'", cure=f"You can name: {', '.join(PARTS)}, a track, a place or a piece"
    )


class BoardView(NamedTuple):
    """A part of the table, as lines and as data; neither is worked out before it is asked for."""

    lines: Callable[[], list[Line]]
    data: Callable[[], dict[str, Any]]


def _places(desk: SessionController, places: list[str] | tuple[str, ...]) -> dict[str, Any]:
    """Places as data; a cup as counts, so that its order tells nothing."""
    position, cups = desk.position, [place for place in places if place in desk.game.cups]
    lying = {place: [piece_data(piece) for piece in position.at(place)] for place in places if place not in cups}
    held = {place: [{"name": name, "many": many} for name, many in cup_contents(position, place).items()] for place in cups}
    return {**({"places": lying} if lying or not held else {}), **({"cups": held} if held else {})}


def _overview(desk: SessionController) -> BoardView:
    return BoardView(
        lambda: overview_lines(desk.game, desk.position),
        lambda: {"banner": banner_data(desk.game, desk.position, desk.options), "position": position_data(desk.position)},
    )


def _cups(desk: SessionController) -> BoardView:
    cups = [cup for cup in desk.game.cups if desk.position.at(cup)] or list(desk.game.cups)
    return BoardView(lambda: place_lines(desk.game, desk.position, cups), lambda: _places(desk, cups))


def _facts(desk: SessionController) -> BoardView:
    from companion.views.reference import fact_lines

    known = desk.archive.printed(desk.game.id)
    return BoardView(lambda: fact_lines(desk.game, known), lambda: {"facts": known})


def _score(desk: SessionController) -> BoardView:
    from companion.views.odds import score_lines

    score = desk.game.score(desk.position, desk.options)
    title = "The count" if desk.game.over(desk.position) else "If the game ended now"
    return BoardView(lambda: [Line(title, "title"), *score_lines(score)], lambda: {"score": score_data(score)})


def _pieces(desk: SessionController) -> BoardView:
    game, position = desk.game, desk.position
    places = [place for place in occupied_places(game, position) if place not in game.cups]
    return BoardView(lambda: place_lines(game, position, places), lambda: _places(desk, places))


def _rulings(desk: SessionController) -> BoardView:
    game = desk.game
    return BoardView(
        lambda: ruling_lines(game, desk.options),
        lambda: {"rulings": [{**item._asdict(), "meaning": dict(item.meaning)} for item in game.tables.rulings.values()]},
    )


def _part(desk: SessionController, part: str) -> BoardView:
    game, position = desk.game, desk.position
    makers: dict[str, Callable[[SessionController], BoardView]] = {
        "overview": _overview,
        "cups": _cups,
        "facts": _facts,
        "score": _score,
        "pieces": _pieces,
        "rulings": _rulings,
    }
    if part in makers:
        return makers[part](desk)
    if part == "tracks":
        return BoardView(lambda: track_lines(game, position), lambda: {"tracks": dict(position.tracks)})
    if part == "flags":
        return BoardView(lambda: flag_lines(game, position), lambda: {"flags": dict(position.flags)})
    if part == "options":
        return BoardView(lambda: option_lines(game, desk.options), lambda: {"options": dict(desk.options)})
    places = occupied_places(game, position)
    if part == "places":
        return BoardView(lambda: place_lines(game, position, places), lambda: _places(desk, places))
    return BoardView(lambda: setup_lines(game, position), lambda: {"setup": position_data(position)})


def show(desk: SessionController, what: str) -> BoardView:
    """The part of the table that a word means. Raises Unreadable: nothing is called that, or several things are."""
    game, position = desk.game, desk.position
    if what == "overview":
        return _overview(desk)
    kind, names = find_target(game, position, what)
    if kind == "part":
        return _part(desk, names[0])
    if kind == "track":
        return BoardView(
            lambda: track_lines(game, position, names), lambda: {"tracks": {name: position.track(name) for name in names}}
        )
    if kind == "place":
        return BoardView(lambda: place_lines(game, position, names), lambda: _places(desk, names))
    pieces = [position.pieces[name] for name in names]
    return BoardView(
        lambda: [line for piece in pieces for line in piece_lines(game, piece)],
        lambda: {"pieces": [{**piece_data(piece), "place": piece.place} for piece in pieces]},
    )
