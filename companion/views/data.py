"""Plain data for other programs: JSON documents and CSV tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.core.events import Event, PieceMade, encode
from companion.core.game import Field, Game, Score
from companion.core.history import Entry, History, Reply
from companion.core.map import Link, Map, Space
from companion.core.position import Piece, Position
from companion.core.requests import Odds
from companion.session.state import SessionState
from companion.views.map_layout import adjacent_spaces, linked_spaces, space_cells
from companion.views.question import quick_odds

if TYPE_CHECKING:
    from companion.session.inquiry import ActionState


def piece_data(piece: Piece) -> dict[str, Any]:
    """A piece: id, name and kind always; face, values and marks where they say something."""
    body: dict[str, Any] = {"id": piece.id, "name": piece.name, "kind": piece.kind, "face": piece.face}
    if piece.values:
        body["values"] = dict(piece.values)
    if piece.marks:
        body["marks"] = dict(piece.marks)
    return body


def position_data(position: Position) -> dict[str, Any]:
    """Tracks, flags, and each place with its pieces."""
    places = {place: [piece_data(piece) for piece in pieces] for place, pieces in sorted(position.places().items())}
    return {"tracks": dict(position.tracks), "flags": dict(position.flags), "places": places}


def reply_data(reply: Reply) -> dict[str, Any]:
    """A reply with its source."""
    body = {"key": reply.key, "kind": reply.kind, "value": reply.value, "source": reply.source}
    if reply.rule:
        body["rule"] = reply.rule
    return {**body, "anyway": True} if reply.anyway else body


def event_data(event: Event, names: Mapping[str, str]) -> dict[str, Any]:
    """An event as it is stored; one that happens to a piece also with the piece's name. ``names``: of pieces by their ids."""
    body = encode(event)
    body.pop("v", None)  # the log's own
    piece = body.get("id")
    return {**body, "name": names.get(piece, piece.partition("#")[0])} if piece else body


def piece_names(history: History) -> dict[str, str]:
    """The names of all pieces that there ever were, by their ids."""
    events = (event for entry in history.entries.values() for event in entry.events or ())
    return {event.id: event.name for event in events if isinstance(event, PieceMade)}


def entry_data(entry: Entry, history: History, names: Mapping[str, str]) -> dict[str, Any]:
    """An entry of the log with its status, replies and events. ``names``: of pieces by their ids."""
    body: dict[str, Any] = {
        "entry": entry.number,
        "action": entry.action,
        "status": history.status(entry.number),
        "at": entry.at,
        "replies": [reply_data(reply) for reply in entry.replies],
        "events": [event_data(event, names) for event in entry.events or ()],
    }
    if entry.args:
        body["args"] = dict(entry.args)
    if entry.anyway:
        body["anyway"] = True
    if entry.copy_of:
        body["copy_of"] = entry.copy_of
    return body


def odds_data(odds: Odds) -> dict[str, Any]:
    """Exact chances, unrounded."""
    return {
        "title": odds.title,
        "rule": odds.rule,
        "sections": [
            {"title": title, "chances": [{"label": label, "chance": chance} for label, chance in lines]}
            for title, lines in odds.sections
        ],
        "means": [{"label": label, "mean": mean} for label, mean in odds.means],
        "beside": [{"value": value, "odds": text} for value, text in odds.beside],
        "notes": list(odds.notes),
    }


def map_data(map: Map, place: str = "") -> dict[str, Any]:
    """The map as far as it is known; with a place that space and its neighbours.

    A space has ``at`` where its game says where it lies, and ``cell`` where it is drawn. Its neighbours are those that a link
    joins to it, and those beside it in a grid or among hexes.
    """
    cells, links = space_cells(map), linked_spaces(map)
    near = {place, *links.get(place, {}), *adjacent_spaces(map, place)} if place else set(map.spaces)
    return {
        "title": map.title,
        "shape": map.shape,
        "place": place,
        "sides": dict(map.sides),
        "signs": dict(map.signs),
        "notes": list(map.notes),
        "spaces": [_space_data(map, space, links[name], cells.get(name)) for name, space in map.spaces.items() if name in near],
    }


def _space_data(map: Map, space: Space, links: Mapping[str, Link], cell: Sequence[int] | None) -> dict[str, Any]:
    joined = [{"space": other, "how": link.how, "source": link.source} for other, link in links.items()]
    return {
        "space": space.name,
        "title": space.title,
        "ground": space.ground,
        "features": list(space.features),
        "source": space.source,
        "sign": space.symbol,
        "at": space.cell,
        "cell": cell,
        "neighbours": joined
        + [{"space": one, "how": "", "source": ""} for one in adjacent_spaces(map, space.name) if one not in links],
        "stacks": [stack._asdict() for stack in space.stacks],
    }


def score_data(score: Score) -> dict[str, Any]:
    """The count of victory, itemised."""
    return {
        "items": [{"label": label, "points": points, "rule": rule} for label, points, rule in score.items],
        "total": score.total,
        "verdict": score.verdict,
        "rule": score.rule,
        "notes": list(score.notes),
    }


def banner_data(game: Game, position: Position, options: Mapping[str, str]) -> dict[str, Any]:
    """What stands over a prompt: stage, figures, reminders."""
    banner = game.banner(position, options)
    return {"stage": banner.stage, "fields": [field_data(field) for field in banner.fields], "reminders": list(banner.reminders)}


def field_data(field: Field) -> dict[str, Any]:
    """A figure of a banner: as it is shown, and its number, or its numbers."""
    number = field.number
    if number is None and field.value.lstrip("+-").isdecimal():
        number = int(field.value)
    body = {"key": field.key, "label": field.label, "shown": field.value, "number": number}
    return {**body, "numbers": dict(field.numbers)}


def session_data(desk: SessionState, brief: bool = False) -> dict[str, Any]:
    """Where a session stands, in the shape of every command that plays, mends or looks at it: whatever another program needs
    for its next step. ``brief``: without the position.
    """
    from companion.views.banner import sample_keys

    body = {
        "session": desk.info.name,
        "game": desk.game.id,
        "options": dict(desk.options),
        "entry": desk.history.force[-1] if desk.history.force else 0,
        "done": desk.history.open_entry is None,
        "repeated": False,
        "banner": banner_data(desk.game, desk.position, desk.options),
        "lines": [],
        "events": [],
        "fix": [],
        "notes": [],
        "settled": [],
        "pending": pending_data(desk, brief),
        "legal": legal_data(desk),
        "over": desk.game.over(desk.position),
        "samples": sample_keys(desk.history.in_force),
        "broken": desk.broken,
    }
    return body if brief else {**body, "position": position_data(desk.position)}


def pending_data(desk: SessionState, brief: bool = False) -> dict[str, Any] | None:
    """The open question with its number, which ``answer --at`` takes; None without one. ``brief``: without the odds that stand
    beside its choices on a screen, since they take their time.
    """
    request = desk.pending
    if request is None:
        return None
    told, brings = request.describe(), {} if brief else quick_odds(request)
    for choice in told["choices"]:
        if choice["value"] in brings:
            choice["odds"] = brings[choice["value"]]
    return {"at": desk.question_number, **told}


def legal_data(desk: SessionState) -> list[dict[str, Any]]:
    """Every action with what it can be given, or with the reason why it cannot be begun."""
    from companion.session.inquiry import action_states

    return [_legal_action_data(way) for way in action_states(desk)]


def _legal_action_data(way: ActionState) -> dict[str, Any]:
    body = {"action": way.action.id, "title": way.action.title, "rule": way.action.rule, "possible": way.obstacle is None}
    if way.obstacle:
        return {**body, "against": {"why": way.obstacle.text, "rule": way.obstacle.rule, "cure": way.obstacle.cure}}
    return {**body, "arguments": [way.question.describe()] if way.question else []}


_FORMULA = ("=", "+", "-", "@")
"""What a spreadsheet takes for the beginning of a formula."""


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows beneath the names of their columns, as comma-separated values; text that a spreadsheet would carry out stays text.

    >>> csv_text(("name", "vp"), [("april", -3), ("=1+1", None)])
    "name,vp\\r\\napril,-3\\r\\n'=1+1,\\r\\n"
    """
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def _cell(cell: Any) -> Any:
    if isinstance(cell, list | tuple):
        return " ".join(map(str, cell))
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
