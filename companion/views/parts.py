"""``show WHAT``: any part of the table, one track, one place or one piece."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from companion.core.cups import contents
from companion.session.desk import SessionController
from companion.views import board
from companion.views.data import banner_data, piece_data, position_data, score_data
from companion.views.lines import Line


class BoardView(NamedTuple):
    """A part of the table, as lines and as data; neither is worked out before it is asked for."""

    lines: Callable[[], list[Line]]
    data: Callable[[], dict[str, Any]]


def _places(desk: SessionController, places: list[str] | tuple[str, ...]) -> dict[str, Any]:
    """Places as data; a cup as counts, so that its order tells nothing."""
    position, cups = desk.position, [place for place in places if place in desk.game.cups]
    lying = {place: [piece_data(piece) for piece in position.at(place)] for place in places if place not in cups}
    held = {place: [{"name": name, "many": many} for name, many in contents(position, place).items()] for place in cups}
    return {**({"places": lying} if lying or not held else {}), **({"cups": held} if held else {})}


def _overview(desk: SessionController) -> BoardView:
    return BoardView(
        lambda: board.overview_lines(desk.game, desk.position),
        lambda: {"banner": banner_data(desk.game, desk.position, desk.options), "position": position_data(desk.position)},
    )


def _cups(desk: SessionController) -> BoardView:
    cups = [cup for cup in desk.game.cups if desk.position.at(cup)] or list(desk.game.cups)
    return BoardView(lambda: board.place_lines(desk.game, desk.position, cups), lambda: _places(desk, cups))


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
    places = [place for place in board.occupied_places(game, position) if place not in game.cups]
    return BoardView(lambda: board.place_lines(game, position, places), lambda: _places(desk, places))


def _rulings(desk: SessionController) -> BoardView:
    game = desk.game
    return BoardView(
        lambda: board.ruling_lines(game, desk.options),
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
        return BoardView(lambda: board.track_lines(game, position), lambda: {"tracks": dict(position.tracks)})
    if part == "flags":
        return BoardView(lambda: board.flag_lines(game, position), lambda: {"flags": dict(position.flags)})
    if part == "options":
        return BoardView(lambda: board.option_lines(game, desk.options), lambda: {"options": dict(desk.options)})
    places = board.occupied_places(game, position)
    if part == "places":
        return BoardView(lambda: board.place_lines(game, position, places), lambda: _places(desk, places))
    return BoardView(lambda: board.setup_lines(game, position), lambda: {"setup": position_data(position)})


def show(desk: SessionController, what: str) -> BoardView:
    """The part of the table that a word means. Raises Unreadable: nothing is called that, or several things are."""
    game, position = desk.game, desk.position
    if what == "overview":
        return _overview(desk)
    kind, names = board.find_target(game, position, what)
    if kind == "part":
        return _part(desk, names[0])
    if kind == "track":
        return BoardView(
            lambda: board.track_lines(game, position, names), lambda: {"tracks": {name: position.track(name) for name in names}}
        )
    if kind == "place":
        return BoardView(lambda: board.place_lines(game, position, names), lambda: _places(desk, names))
    pieces = [position.pieces[name] for name in names]
    return BoardView(
        lambda: [line for piece in pieces for line in board.piece_lines(game, piece)],
        lambda: {"pieces": [{**piece_data(piece), "place": piece.place} for piece in pieces]},
    )
