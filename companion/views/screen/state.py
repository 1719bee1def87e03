"""The fragments of the page's state: one call makes all that a screen shows after an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from zlib import crc32

from companion.core.errors import CompanionError
from companion.core.game import Banner, Game, Score
from companion.core.history import Entry
from companion.core.requests import AnyRequest
from companion.core.text import clean, plural
from companion.session.advance import Result
from companion.session.state import SessionState
from companion.views.banner import game_over_lines, score_lines
from companion.views.dashboard import field_values
from companion.views.lines import Line, named_value_text, truncate
from companion.views.log import Emphasis, action_title, board_change_lines, entry_heading
from companion.views.map_text import last_moved_space, session_map
from companion.views.question import prompt_line
from companion.views.result import play_lines
from companion.views.screen.lines import lines_html, rule_numbers, shown_line, spoken
from companion.views.screen.map import NO_TARGETS, tap_map, targets_of
from companion.views.screen.question import shown_question
from companion.views.screen.templates import fragment

WATCH = "watch"
"""The role that sees and does nothing."""

ALL = "all"
"""The role that answers for every seat: one player, or one screen for all."""

_LAST_ENTRIES = 2  # entries whose lines are shown
_CHECKED_ENTRIES = 3  # entries with something to move that are listed
_MAX_TEXT = 160  # most characters of what an undo takes back


def seat_title(game: Game, seat: str) -> str:
    """Return a seat as players call it."""
    return seat.upper() if len(seat) <= 3 else seat.capitalize()


def deciding_seat(session: SessionState) -> str:
    """Return the seat that answers the open question or takes the next action; "" if any may act."""
    players, position = session.game.players, session.position
    acting = players.acting_seat(position)
    if session.pending is not None:
        return players.asked_seat(session.pending, acting)
    return acting if players.seats_alternate else ""


def is_mine(session: SessionState, seat: str) -> bool:
    """Return True if a role may answer the open question or take the next action."""
    if seat in (WATCH, ""):
        return False
    return seat == ALL or deciding_seat(session) in ("", seat)


def screen_data(session: SessionState, seat: str, result: Result | None = None) -> dict[str, str]:
    """Return the fragments of a role's page: `speak` as plain text, the others as HTML.

    Args:
        session: The session.
        seat: The seat of the role, `ALL` or `WATCH`.
        result: What the last call did, if it is still what was done last.
    """
    mine = is_mine(session, seat)
    last = _last_lines(session, result)
    banner = session.game.banner(session.position, session.options)
    over = game_over_lines(session.game, session.position, session.options)
    return {
        "top": _top(session, banner, mine, seat, over),
        "question": _question(session, mine, seat, over),
        "happened": lines_html([*last.lines, *over]),
        "table": fragment("table", _checklists(session, result)),
        "map": map_fragment(session, session.pending if mine else None),
        "speak": _speak(session, last.new, over),
        "watch": _watch(session, banner) if seat == WATCH else "",
    }


# -- the top -----------------------------------------------------------------------------------------------------------


class _Figure(NamedTuple):
    label: str
    value: str
    title: str
    was: str


def _figures(session: SessionState, banner: Banner) -> list[_Figure]:
    """Return the figures of the banner, with the value before the last entry if it has changed."""
    game, history = session.game, session.history
    last = history.force[-1] if history.force else 0
    before = field_values(game.banner(history.position(before=last), session.options)) if last > 1 else {}
    facts = session.log.facts()
    figures = []
    for field in banner.fields:
        was = before.get(field.key, field.value)
        changed = was if was != field.value else ""
        title = game.track_title(field.key) if field.key in game.tracks else field.label
        if field.key in game.tracks:
            title = f"{title or field.label}, {game.track_ends(field.key, session.position, facts)}"
        figures.append(_Figure(field.label, field.value, f"{title}; was {changed}" if changed else title, changed))
    return figures


def _top(session: SessionState, banner: Banner, mine: bool, seat: str, over: Sequence[Line]) -> str:
    stage = over[0].text if over else banner.stage or session.game.title
    figures = _figures(session, banner)
    state = {"stage": stage, "figures": figures, "reminders": banner.reminders, "mine": mine}
    return fragment("top", {**state, "whose": "" if over else _whose(session, mine, seat)})


def _whose(session: SessionState, mine: bool, seat: str) -> str:
    """Return whose decision it is."""
    players = session.game.players
    decides = deciding_seat(session)
    if len(players.seats) == 1 or not decides:
        return "You decide" if mine else ""
    name = players.player_name(session.options, session.position, session.pending)
    title = f"{seat_title(session.game, decides)} ({name})" if name else seat_title(session.game, decides)
    return f"You decide: {title}" if mine else f"{title} decides"


# -- the question and the actions ----------------------------------------------------------------------------------------


def _question(session: SessionState, mine: bool, seat: str, over: Sequence[Line]) -> str:
    undo = _undo(session) if seat not in (WATCH, "") else ""
    if session.broken:
        return lines_html([Line(session.broken, "error")]) + undo
    request = session.pending
    if request is None:
        return (_actions(session, over) if mine else _waiting(session, None, over)) + undo
    if not mine:
        return _waiting(session, request, over) + undo
    return fragment("question", shown_question(request, session.question_number)) + undo


def _waiting(session: SessionState, request: AnyRequest | None, over: Sequence[Line]) -> str:
    """Return what another seat decides, without its choices."""
    if request is None and (over or not deciding_seat(session)):
        return ""
    line = prompt_line(request) if request else Line("the next action")
    seat = deciding_seat(session)
    title = seat_title(session.game, seat) if len(session.game.players.seats) > 1 else "The player"
    return fragment("waiting", {"seat": seat, "title": title, "prompt": clean(line.text), "rules": rule_numbers(line.rule)})


class _Offer(NamedTuple):
    id: str
    title: str
    rule: str
    usual: bool
    why: str
    rules: tuple[str, ...]


def _actions(session: SessionState, over: Sequence[Line]) -> str:
    """Return the actions: those that can be begun, the usual one first; the others with the reason."""
    from companion.session.inquiry import action_states

    usual = "" if over else session.game.table_action(session.position)
    possible, others = [], []
    for state in action_states(session):
        action, obstacle = state.action, state.obstacle
        if obstacle is None:
            possible.append(_Offer(action.id, action.title, action.rule, action.id == usual, "", ()))
        else:
            others.append(_Offer(action.id, action.title, "", False, obstacle.text, rule_numbers(obstacle.rule)))
    possible.sort(key=lambda offer: not offer.usual)
    return fragment("actions", {"title": "Your action" if not over else "Still possible", "possible": possible, "others": others})


def _undo(session: SessionState) -> str:
    """Return the buttons that take back and restore, each with what that is."""
    history = session.history
    texts = {"reply": "", "entry": "", "redo": ""}
    entry = history.open_entry
    if entry is not None and any(reply.is_from_player for reply in entry.replies):
        texts["reply"] = _last_answer(session, entry)
    with suppress(CompanionError):  # nothing to take back
        texts["entry"] = _entry_titles(session, history.plan_undo(1).take) or "the last correction"
    with suppress(CompanionError):
        texts["redo"] = _entry_titles(session, history.plan_redo().give) or "the last correction"
    return fragment("back", {key: truncate(clean(text), _MAX_TEXT) for key, text in texts.items()})


def _last_answer(session: SessionState, entry: Entry) -> str:
    """Return the last answer of the player in the open entry, and how many rolls go with it."""
    index = max(index for index, reply in enumerate(entry.replies) if reply.is_from_player)
    reply = entry.replies[index]
    rolls = sum(reply.is_random for reply in entry.replies[index + 1 :])
    text = f"takes back {reply.question} = {named_value_text(reply.value, session.position.pieces)}"
    return f"{text} and {plural(rolls, 'roll')}" if rolls else text


def _entry_titles(session: SessionState, numbers: Sequence[int]) -> str:
    """Return entries by number and title."""
    history = session.history
    return ", ".join(f"{number} {_title(session.game, history.entries[number])}" for number in numbers)


def _title(game: Game, entry: Entry) -> str:
    return action_title(game, entry.action).partition(" - ")[2] or action_title(game, entry.action)


# -- what happened, and what to move ---------------------------------------------------------------------------------------


class _LastLines(NamedTuple):
    """The lines of the last entries, and those of the last one."""

    lines: list[Line]
    new: list[Line]


def _entry_result(session: SessionState, number: int) -> Result:
    """Return an entry in force as the result of one call."""
    history = session.history
    before = history.position(before=number)
    later = next((item for item in history.force if item > number), None)
    after = session.position if later is None else history.position(before=later)
    events = tuple(session.events_of(number))
    return Result(before, after, events, session.pending if later is None else None, number, later is not None)


def _last_lines(session: SessionState, result: Result | None) -> _LastLines:
    lines: list[Line] = []
    new: list[Line] = []
    for number in session.history.force[-_LAST_ENTRIES:]:
        entry = session.history.entries[number]
        heading = entry_heading(session.game, entry, session.history.status(number))
        new = _without_table(session, _entry_result(session, number))
        lines += [heading.with_lead(f"{number}  "), *new]
    if result is not None and result.fix:
        new = [Line(note, "reminder", "", "* ") for note in result.notes]
        lines += new
    return _LastLines(lines, new)


def _table_lines(session: SessionState, result: Result) -> list[Line]:
    """Return what to do on the table, without the heading."""
    if result.fix:
        return [Line(text, "board", "", "-> ") for text in result.fix]
    lines = board_change_lines(session.game, result.before, result.after, result.events, session.sample_keys())
    lines = Emphasis(session.game, session.options, result.before.pieces, result.after.pieces).lines(lines)
    return [line for line in lines if line.tone == "board"]


def _without_table(session: SessionState, result: Result) -> list[Line]:
    """Return the lines of an entry as the terminal prints them, without the list for the table."""
    table = Counter((line.text, line.rule) for line in _table_lines(session, result))
    lines = []
    for line in play_lines(session, result):
        key = (line.text, line.rule)
        if line.tone == "board" and table[key]:
            table[key] -= 1
        elif not (line.text == "On the table:" and line.tone == "title"):
            lines.append(line)
    return lines


class _Check(NamedTuple):
    id: str
    text: str
    rules: tuple[str, ...]


def _checklists(session: SessionState, result: Result | None) -> list[dict[str, Any]]:
    """Return what is to be moved on the table, the newest first; the ids depend on entry and text alone."""
    groups = []
    if result is not None and result.fix:
        checks = _checks(f"{session.history.seq}", _table_lines(session, result))
        groups.append({"title": "Put back on the table", "checks": checks})
    for number in reversed(session.history.force):
        if len(groups) == _CHECKED_ENTRIES:
            break
        if checks := _checks(str(number), _table_lines(session, _entry_result(session, number))):
            entry = session.history.entries[number]
            groups.append({"title": f"On the table: {_title(session.game, entry)}", "checks": checks})
    return groups


def _checks(prefix: str, lines: Sequence[Line]) -> list[_Check]:
    times: Counter[str] = Counter()
    checks = []
    for line in lines:
        text = clean(line.text)
        times[text] += 1
        number = crc32(f"{text}/{times[text]}".encode())
        checks.append(_Check(f"{prefix}.{number:08x}", text, rule_numbers(line.rule)))
    return checks


# -- the map, the voice, the watcher -----------------------------------------------------------------------------------------


def map_fragment(session: SessionState, request: AnyRequest | None) -> str:
    """Return the map with what a question offers on it; "" without a map."""
    map = session_map(session, session.position)
    if map is None or not map.spaces:
        return ""
    return tap_map(map, targets_of(request, map) if request else NO_TARGETS, last_moved_space(session, map))


def _speak(session: SessionState, last: Sequence[Line], over: Sequence[Line]) -> str:
    request = session.pending
    asked = [prompt_line(request)] if request else []
    return spoken([*(line for line in last if line.tone != "dim"), *over, *asked])


def _watch(session: SessionState, banner: Banner) -> str:
    game, position = session.game, session.position
    facts = session.log.facts()
    tracks = []
    shown = {field.key for field in banner.fields}
    for track in game.tracks.values():
        ends, value = game.track_ends(track.id, position, facts), position.track(track.id)
        bar = ends.low is not None and ends.high is not None and ends.high > ends.low and not track.names
        if track.title and (bar or track.id not in shown):
            low, high = ends.low or 0, ends.high or 0
            at = min(max(value, low), high) - low
            size: Mapping[str, Any] = {"high": high - low if bar else None, "at": at, "ends": str(ends)}
            tracks.append({"title": track.title, "value": game.track(track.id, value), **size})
    title, score = _score(session)
    view = {"stage": banner.stage or game.title, "figures": _figures(session, banner), "tracks": tracks}
    return fragment("watch", {**view, "score": [shown_line(line) for line in score], "score_title": title})


def _score(session: SessionState) -> tuple[str, list[Line]]:
    """Return the score as if the game ended now; nothing if a chart has no row for it."""
    game, position = session.game, session.position
    title = "Score" if game.over(position) else "If the game ended now"
    try:
        score: Score = game.score(position, session.options)
    except CompanionError:
        return title, []
    return title, score_lines(score)
