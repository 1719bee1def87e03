"""The log: entries with their replies and events, parts of the log, and the explanation of one entry (`why`)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Unreadable
from companion.core.events import Event
from companion.core.game import Game
from companion.core.history import EFFECT_KINDS, Entry, History, Reply
from companion.core.position import Piece
from companion.core.text import clean
from companion.core.values import JsonDict
from companion.views.data import entry_data, piece_names
from companion.views.events import apply_events, event_lines
from companion.views.lines import Line, line_texts
from companion.views.phrases import adjustment_text, named_value_text, source_text

if TYPE_CHECKING:
    from datetime import datetime


_MAX_PRINTED_LISTED = 3  # longest run of printed values that is listed one by one
_OWN_ACTIONS = {"setup": "Set-up", "adjust": "Adjust", "audit": "Audit"}
_CHANGE_TITLES = {
    "undo": "undone",
    "look": "a look",
    "reply": "an answer undone",
    "redo": "redone",
    "amend": "amended",
    "unamend": "amendment undone",
    "abort": "aborted",
}


def action_title(game: Game, action: str) -> str:
    """Return the title of an action."""
    for item in game.actions:
        if item.id == action:
            return f"{action} - {item.title}"
    return _OWN_ACTIONS.get(action, action)


def action_rule(game: Game, action: str) -> str:
    """Return the rule of an action; "" for Companion's own actions."""
    return next((item.rule for item in game.actions if item.id == action), "")


def reply_line(entry: Entry, place: int, reply: Reply, pieces: Mapping[str, Piece]) -> Line:
    """Return a reply with its number for `amend` and its source; a correction with its reason."""
    if reply.is_adjustment:
        return Line(f"{adjustment_text(reply)}: {reply.value['why']}", "", "", f"     {entry.number}.{place} ")
    text = f"{reply.key} = {named_value_text(reply.value, pieces)} ({source_text(reply.source)})"
    if reply.anyway:
        text += ", recorded anyway"
    return Line(text, "", reply.rule, f"     {entry.number}.{place} ")


def entry_heading(game: Game, entry: Entry, status: str) -> Line:
    """Return the heading of an entry."""
    text = action_title(game, entry.action)
    why = entry.args.get("why") if isinstance(entry.args, Mapping) else None
    text += f": {why}" if why else ""
    text += f" (replaces {entry.copy_of})" if entry.copy_of else ""
    text += " (recorded anyway)" if entry.anyway else ""
    text += " (open)" if status == "open" else ""
    mark = "x" if status == "taken back" else " "
    return Line(text, "title", action_rule(game, entry.action), f"{mark}{entry.number:>3}  ")


def _reply_lines(entry: Entry, pieces: Mapping[str, Piece], full: bool) -> list[Line]:
    """Return the replies of an entry; long runs of known printed values become one line."""
    lines: list[Line] = []
    run: list[int] = []
    for place, reply in enumerate([*entry.replies, None], 1):
        if reply is not None and not full and reply.kind == "printed" and not reply.is_from_player:
            run.append(place)
            continue
        if len(run) > _MAX_PRINTED_LISTED:
            sources = list(dict.fromkeys(source_text(entry.replies[index - 1].source) for index in run))
            text = f"{len(run)} printed values ({', '.join(sources)})"
            lines.append(Line(text, "", "", f"     {entry.number}.{run[0]}-{run[-1]} "))
        else:
            lines += [reply_line(entry, index, entry.replies[index - 1], pieces) for index in run]
        run = []
        # an opponent prints its reasons itself, so its "think" replies are left out
        if reply is not None and reply.kind != "think" and (full or reply.kind not in EFFECT_KINDS):
            lines.append(reply_line(entry, place, reply, pieces))
    return lines


def entry_lines(game: Game, entry: Entry, status: str, pieces: dict[str, Piece], because: bool = False) -> list[Line]:
    """Return a whole entry. `pieces` are those before it by id, and are updated."""
    lines = [entry_heading(game, entry, status), *_reply_lines(entry, pieces, because)]
    events = event_lines(game, entry.events or (), pieces, because)
    lines += [line._replace(lead="     " + line.lead) for line in events]
    if status == "taken back":
        lines = [line._replace(tone="gone" if line.tone == "title" else "dim", lead="x" + line.lead[1:]) for line in lines]
    return lines


def log_lines(
    game: Game,
    history: History,
    undone: bool = False,
    last: int = 0,
    under_way: Sequence[Event] = (),
    only: Container[int] | None = None,
) -> list[Line]:
    """Return the log in force, or its last entries; with `undone` everything.

    `under_way`: events of the open entry so far. `only`: numbers of the entries to show, None for all.
    """
    listed = _listed_entries(history, undone, last, only)
    pieces: dict[str, Piece] = {}
    lines: list[Line] = []
    for number in sorted(history.entries):
        entry = history.entries[number]
        if history.status(number) == "open":
            entry = entry._replace(events=tuple(under_way))
        if number in listed:
            lines += entry_lines(game, entry, history.status(number), pieces)
            lines += [Line(note.text, "reminder", "", "     note: ") for note in history.notes if note.entry == number]
        else:
            apply_events(entry.events or (), pieces)
    if undone:
        lines += change_lines(history)
    return lines


def _listed_entries(history: History, undone: bool, last: int, only: Container[int] | None) -> list[int]:
    numbers = [number for number in sorted(history.entries) if undone or number in history.force]
    numbers = [number for number in numbers if only is None or number in only]
    return numbers[-last:] if last else numbers


def log_data(history: History, undone: bool = False, last: int = 0, only: Container[int] | None = None) -> JsonDict:
    """Return the log as JSON data."""
    listed = _listed_entries(history, undone, last, only)
    names = piece_names(history)
    body: JsonDict = {
        "entries": [entry_data(history.entries[number], history, names) for number in listed],
        "notes": [{"entry": note.entry, "text": note.text, "at": note.at} for note in history.notes],
    }
    if undone:
        body["changes"] = [{"take": list(item.take), "give": list(item.give), "how": item.how} for item in history.changes]
    return body


def change_lines(history: History, first: int = 0) -> list[Line]:
    """Return every undo, redo, amend and abort from index `first` on."""
    lines: list[Line] = []
    for change in history.changes[first:]:
        taken = ", ".join(map(str, change.take))
        given = ", ".join(map(str, change.give))
        text = _CHANGE_TITLES.get(change.how, change.how) + ": "
        text += f"{taken} -> {given}" if taken and given else (taken or given)
        if any(history.entries[number].has_random_reply for number in change.take):
            text += " (past a roll)"
        lines.append(Line(text, "dim", "", "  ~  "))
    return lines


def why_lines(game: Game, history: History, entry: Entry) -> list[Line]:
    """Return an entry with all reasons, conditions and candidates."""
    pieces = dict(history.position(before=entry.number).pieces)
    return entry_lines(game, entry, history.status(entry.number), pieces, because=True)


_SECONDS = {"m": 60, "h": 3600, "d": 86_400}  # unit -> seconds


def entries_since(history: History, when: str, now: str) -> set[int]:
    """Return the numbers of the entries since a moment.

    Args:
        history: Of the session.
        when: Number of an entry, a day, a time of today or of a day, or an age: `90m`, `2h`, `3d`.
        now: Current time in UTC.

    Raises:
        Unreadable: `when` is none of these.
    """
    text = when.strip().casefold()
    if text.isdecimal() and text.isascii():
        return {number for number in history.entries if number >= int(text)}
    from datetime import datetime

    moment = _moment(text, datetime.fromisoformat(now))
    times = {number: entry.at for number, entry in history.entries.items() if entry.at}
    return {number for number, time in times.items() if datetime.fromisoformat(time) >= moment}


def _moment(text: str, now: datetime) -> datetime:
    from datetime import datetime, timedelta

    count, letter = text[:-1], text[-1:]
    if letter in _SECONDS and count.isdecimal() and len(count) < 7:
        return now - timedelta(seconds=int(count) * _SECONDS[letter])
    for candidate in (text, f"{now.astimezone().date()} {text}"):
        try:
            return datetime.fromisoformat(candidate.upper()).astimezone()
        except (ValueError, OverflowError):
            continue
    cure = "An action (12), a day (2026-03-01), a time (20:30) or how long ago (90m, 2h, 3d)"
    raise Unreadable(f"'{clean(text)}' names neither a time nor an action", cure=cure)


def entries_containing(game: Game, history: History, words: str) -> set[int]:
    """Return the numbers of the entries with some text in a line or note, ignoring case."""
    search = words.casefold()
    pieces: dict[str, Piece] = {}
    numbers = {note.entry for note in history.notes if search in note.text.casefold()}
    for number in sorted(history.entries):
        lines = entry_lines(game, history.entries[number], history.status(number), pieces)
        if _contains(lines, search):
            numbers.add(number)
    return numbers


def _contains(lines: Iterable[Line], search: str) -> bool:
    return any(search in text.casefold() for text in line_texts(lines))


class ShownLog(NamedTuple):
    """The part of a log that was shown: complete entries, and numbers of notes and corrections."""

    entries: frozenset[int]
    notes: int
    changes: int

    @classmethod
    def of(cls, history: History) -> ShownLog:
        """Return a marker for the whole log."""
        done = frozenset(number for number, entry in history.entries.items() if not entry.is_open)
        return cls(done, len(history.notes), len(history.changes))


def new_log_lines(game: Game, history: History, shown: ShownLog, words: str = "") -> tuple[list[Line], ShownLog]:
    """Return the lines that are new since `shown`, and the new marker.

    Args:
        game, history: Of the session.
        shown: What was shown before.
        words: Show only entries and notes with this text; "" for all.
    """
    now, search = ShownLog.of(history), words.casefold()
    lines = [line for number in sorted(now.entries - shown.entries) for line in _new_entry_lines(game, history, number, search)]
    notes = [note.text for note in history.notes[shown.notes :] if search in note.text.casefold()]
    changed = change_lines(history, shown.changes) if not words else []
    return [*lines, *changed, *(Line(text, "reminder", "", "     note: ") for text in notes)], now


def _new_entry_lines(game: Game, history: History, number: int, search: str) -> Sequence[Line]:
    """Return the lines of a new entry; empty if it is out of force or does not match."""
    entry: Entry = history.entries[number]
    if number not in history.force:
        return []
    pieces = dict(history.position(before=number).pieces)
    lines = entry_lines(game, entry, history.status(number), pieces)
    return lines if _contains(lines, search) else []
