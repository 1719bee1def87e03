"""Plain data for other programs: JSON documents and CSV tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.core.candidates import GAP_ERROR, PLAYOUTS, WIN, WIN_ERROR, WIN_GAP, WIN_GAP_ERROR, gap_to
from companion.core.events import Event, FlagSet, PieceMade, Said, TrackMoved, encode
from companion.core.game import Field, Game, Score
from companion.core.hints import TYPE_CHECKING, Any
from companion.core.history import Entry, History, Reply
from companion.core.position import Piece, Position
from companion.core.values import JsonDict, JsonObject
from companion.session.state import SessionState
from companion.views.messages import with_messages

if TYPE_CHECKING:
    from companion.core.candidates import Candidate
    from companion.core.map import Link, Map, Space
    from companion.core.match import PlannedAction
    from companion.core.requests import Odds
    from companion.session.inquiry import ActionState, Advice


def piece_data(piece: Piece) -> JsonDict:
    """Return a piece; values and marks only if it has any."""
    body: JsonDict = {"id": piece.id, "name": piece.name, "kind": piece.kind, "face": piece.face}
    if piece.values:
        body["values"] = dict(piece.values)
    if piece.marks:
        body["marks"] = dict(piece.marks)
    return body


def position_data(position: Position) -> JsonDict:
    """Return tracks, flags, and each place with its pieces."""
    places = {place: [piece_data(piece) for piece in pieces] for place, pieces in sorted(position.places().items())}
    return {"tracks": dict(position.tracks), "flags": dict(position.flags), "places": places}


def reply_data(reply: Reply) -> JsonDict:
    """Return a reply with its source."""
    body = {"key": reply.key, "kind": reply.kind, "value": reply.value, "source": reply.source}
    if reply.rule:
        body["rule"] = reply.rule
    return {**body, "anyway": True} if reply.anyway else body


def event_data(event: Event, names: Mapping[str, str], game: Game | None = None) -> JsonDict:
    """Return an event as stored, with the name of its piece.

    Args:
        event: The event.
        names: Names of pieces by id.
        game: For the messages of its texts.
    """
    body = encode(event)
    body.pop("v", None)  # version of the stored form
    if isinstance(event, Said):
        return with_messages(body, game, text="line", because="detail")
    if not isinstance(event, TrackMoved | FlagSet):
        body["name"] = names.get(event.id, event.id.partition("#")[0])
    return with_messages(body, game, why="reason") if event.why else body


def piece_names(history: History) -> dict[str, str]:
    """Return the names of all pieces that ever existed, by id."""
    events = (event for entry in history.entries.values() for event in entry.events or ())
    return {event.id: event.name for event in events if isinstance(event, PieceMade)}


def entry_data(entry: Entry, history: History, names: Mapping[str, str], game: Game | None = None) -> JsonDict:
    """Return an entry with its status, replies and events; `names` and `game` as for `event_data`."""
    body: JsonDict = {
        "entry": entry.number,
        "action": entry.action,
        "status": history.status(entry.number),
        "at": entry.at,
        "replies": [reply_data(reply) for reply in entry.replies],
        "events": [event_data(event, names, game) for event in entry.events or ()],
    }
    if entry.args:
        body["args"] = dict(entry.args)
    if entry.anyway:
        body["anyway"] = True
    if entry.copy_of:
        body["copy_of"] = entry.copy_of
    return body


def advice_data(advice: Advice, game: Game) -> JsonDict:
    """Return what is advised so that a program can carry it out, and what it was compared with."""
    plan, candidates = advice.plan, [_candidate_data(candidate, advice.candidates[0], game) for candidate in advice.candidates]
    body = {
        "action": plan.action if plan else "",
        "at": advice.at,
        "answers": dict(plan.answers) if plan else {},
        "value": candidates[0]["value"] if candidates else None,
        "reasons": list(advice.reasons),
        "passed_over": advice.passed_over,
        "candidates": candidates,
    }
    return with_messages(body, game, reasons="detail")


def _candidate_data(candidate: Candidate[PlannedAction], best: Candidate[PlannedAction], game: Game) -> JsonDict:
    measures = candidate.measures
    body = {
        "action": candidate.decision.action,
        "answers": dict(candidate.decision.answers),
        "name": candidate.name,
        "value": candidate.value,
        "error": candidate.error,
        "gap": gap_to(best, candidate),
        "gap_error": measures.get(GAP_ERROR, 0.0),
        "win": measures.get(WIN),
        "win_error": measures.get(WIN_ERROR, 0.0),
        "win_gap": measures.get(WIN_GAP),
        "win_gap_error": measures.get(WIN_GAP_ERROR, 0.0),
        "playouts": int(measures.get(PLAYOUTS, 0)),
        "plan": candidate.plan,
        "reasons": list(candidate.reasons),
    }
    return with_messages(body, game, reasons="detail")


def odds_data(odds: Odds) -> JsonDict:
    """Return exact chances, unrounded."""
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


def map_data(map: Map, place: str = "") -> JsonDict:
    """Return the map as far as known, or one space with its neighbours.

    `at` is where the game places a space, `cell` where it is drawn. Neighbours are joined by a link or adjacent in the grid.
    """
    from companion.views.map_text import adjacent_spaces, linked_spaces, space_cells

    cells, links = space_cells(map), linked_spaces(map)
    names = {place, *links.get(place, {}), *adjacent_spaces(map, place)} if place else set(map.spaces)
    return {
        "title": map.title,
        "shape": map.shape,
        "place": place,
        "sides": dict(map.sides),
        "signs": dict(map.signs),
        "notes": list(map.notes),
        "spaces": [_space_data(map, space, links[name], cells.get(name)) for name, space in map.spaces.items() if name in names],
    }


def _space_data(map: Map, space: Space, links: Mapping[str, Link], cell: Sequence[int] | None) -> JsonDict:
    from companion.views.map_text import adjacent_spaces

    joined = [{"space": name, "how": link.how, "source": link.source} for name, link in links.items()]
    adjacent = [{"space": name, "how": "", "source": ""} for name in adjacent_spaces(map, space.name) if name not in links]
    return {
        "space": space.name,
        "title": space.title,
        "ground": space.ground,
        "features": list(space.features),
        "source": space.source,
        "sign": space.symbol,
        "at": space.cell,
        "cell": cell,
        "neighbours": [*joined, *adjacent],
        "stacks": [stack._asdict() for stack in space.stacks],
    }


def score_data(score: Score) -> JsonDict:
    """Return the itemised score."""
    return {
        "items": [{"label": label, "points": points, "rule": rule} for label, points, rule in score.items],
        "total": score.total,
        "verdict": score.verdict,
        "rule": score.rule,
        "notes": list(score.notes),
    }


def banner_data(game: Game, position: Position, options: Mapping[str, str]) -> JsonDict:
    """Return stage, figures and reminders."""
    banner = game.banner(position, options)
    return {"stage": banner.stage, "fields": [field_data(field) for field in banner.fields], "reminders": list(banner.reminders)}


def field_data(field: Field) -> JsonDict:
    """Return a figure of a banner with its number or numbers."""
    number = field.number
    if number is None and field.value.lstrip("+-").isdecimal():
        number = int(field.value)
    body = {"key": field.key, "label": field.label, "shown": field.value, "number": number}
    return {**body, "numbers": dict(field.numbers)}


def session_data(session: SessionState, brief: bool = False, seat: str = "") -> JsonDict:
    """Return the state of a session, with everything a program needs for its next call.

    This is the document of every command that plays, corrects or shows a session. `brief` omits the position. `seat`: only what
    that seat sees; "" for everything but answers that are not revealed yet.
    """
    from companion.views.banner import sample_keys
    from companion.views.trusted import ask_data

    state = _seen_by(session, seat)
    body = {
        "session": session.info.name,
        "game": session.game.id,
        "options": dict(session.options),
        "entry": session.history.force[-1] if session.history.force else 0,
        "done": session.history.open_entry is None,
        "repeated": False,
        "banner": banner_data(session.game, state.position, session.options),
        "lines": [],
        "events": [],
        "fix": [],
        "notes": [],
        "settled": [],
        "seats": seats_data(session.game, session.options),
        "pending": pending_data(state, brief),
        "legal": legal_data(session, seat),
        "over": session.game.over(session.position),
        "samples": sample_keys(session.history.in_force),
        "broken": session.broken,
        "dice": session.settings["dice"],
        "asks": ask_data(session) if session.is_trusted else None,
    }
    return body if brief else {**body, "position": position_data(state.position)}


def _seen_by(session: SessionState, seat: str) -> SessionState:
    if not seat:
        return session
    from companion.session.seat_view import seat_view

    return seat_view(session, seat)


def seats_data(game: Game, options: Mapping[str, str]) -> list[JsonDict]:
    """Return the seats of a game with who plays them."""
    from companion.session.seats import seats_of

    return [
        {"seat": seat.id, "title": seat.title, "player": seat.player, "controller": seat.controller}
        for seat in seats_of(game, options)
    ]


def pending_data(session: SessionState, brief: bool = False) -> JsonDict | None:
    """Return the open question with its number for `answer --at`, or None. `brief` omits the odds of its choices."""
    request = session.pending
    if request is None:
        return None
    from companion.session.seats import answering_seats, asked_seat
    from companion.views.question import quick_odds

    question, odds = request.describe(), {} if brief else quick_odds(request)
    for choice in question["choices"]:
        if choice["value"] in odds:
            choice["odds"] = odds[choice["value"]]
    seat, answering = asked_seat(session, request), answering_seats(session, request)
    waits_for = list(request.waits_for)
    question = question_data(question, session.game)
    return {"at": session.question_number, "seat": seat, "open_to": list(answering), "waits_for": waits_for, **question}


def question_data(question: JsonDict, game: Game) -> JsonDict:
    """Return a question, as it describes itself, with the message of its prompt."""
    return with_messages(question, game, prompt="prompt")


def legal_data(session: SessionState, seat: str = "") -> list[JsonDict]:
    """Return every action with its arguments, or with the reason why it is not possible now; none while a question is open.

    `seat`: without the arguments of another seat's actions, if the game hides something.
    """
    if session.history.open_entry is not None and not session.broken:  # a broken entry asks nothing: its cure is to take it back
        return []
    from companion.session.inquiry import action_states
    from companion.session.seats import acting_seat, acting_seats

    seats = {"seat": acting_seat(session), "open_to": list(acting_seats(session))}
    is_hidden = bool(seat) and session.game.hides and seat not in seats["open_to"]
    return [_legal_action_data(session.game, state, seats, is_hidden) for state in action_states(session)]


def _legal_action_data(game: Game, state: ActionState, seats: JsonObject, is_hidden: bool) -> JsonDict:
    action, obstacle = state.action, state.obstacle
    body = {"action": action.id, "title": action.title, "rule": action.rule, **seats, "possible": obstacle is None}
    if obstacle:
        against = {"why": obstacle.text, "rule": obstacle.rule, "cure": obstacle.cure}
        return {**body, "against": with_messages(against, game, why="error", cure="cure")}
    arguments = [question_data(state.question.describe(), game)] if state.question and not is_hidden else []
    return {**body, "arguments": arguments}


_FORMULA = ("=", "+", "-", "@")  # characters at which a spreadsheet starts a formula


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as comma-separated values with a header; formulas are escaped.

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
