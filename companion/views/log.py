"""The log: entries with their replies and events, parts of it, and the explanation of one entry (`why`)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import Unreadable
from companion.core.events import Event
from companion.core.game import Game
from companion.core.history import EFFECT_KINDS, Entry, History, Reply
from companion.core.position import Piece
from companion.core.words import clean
from companion.views.data import entry_data, piece_names
from companion.views.events import apply_events, event_lines
from companion.views.lines import Line, line_texts
from companion.views.phrases import adjustment_text, named_value_text, source_text

if TYPE_CHECKING:
    from datetime import datetime


_RUN = 3
"""Printed values in a row that are still told one by one."""
_OWN_ACTIONS = {"setup": "Set-up", "adjust": "Adjust", "audit": "Audit"}
_CHANGE_TITLES = {
    "undo": "taken back",
    "look": "a look",
    "reply": "an answer taken back",
    "redo": "brought back",
    "amend": "amended",
    "unamend": "amendment taken back",
    "abort": "aborted",
}


def action_title(game: Game, action: str) -> str:
    """The words for an action of the log."""
    for item in game.actions:
        if item.id == action:
            return f"{action} - {item.title}"
    return _OWN_ACTIONS.get(action, action)


def action_rule(game: Game, action: str) -> str:
    """The rule that an action carries out; "" for Companion's own."""
    return next((item.rule for item in game.actions if item.id == action), "")


def reply_line(entry: Entry, place: int, reply: Reply, pieces: Mapping[str, Piece]) -> Line:
    """A reply by the number that ``amend`` takes, with its source; what was put right at a question, with its reason."""
    if reply.is_adjustment:
        return Line(f"{adjustment_text(reply)}: {reply.value['why']}", "", "", f"     {entry.number}.{place} ")
    text = f"{reply.key} = {named_value_text(reply.value, pieces)} ({source_text(reply.source)})"
    if reply.anyway:
        text += ", recorded anyway"
    return Line(text, "", reply.rule, f"     {entry.number}.{place} ")


def entry_heading(game: Game, entry: Entry, status: str) -> Line:
    """The line of an entry; one that is taken back is marked, not only greyed."""
    text = action_title(game, entry.action)
    why = entry.args.get("why") if isinstance(entry.args, Mapping) else None
    text += f": {why}" if why else ""
    text += f" (replaces {entry.copy_of})" if entry.copy_of else ""
    text += " (recorded anyway)" if entry.anyway else ""
    text += " (open)" if status == "open" else ""
    mark = "x" if status == "taken back" else " "
    return Line(text, "title", action_rule(game, entry.action), f"{mark}{entry.number:>3}  ")


def _reply_lines(entry: Entry, pieces: Mapping[str, Piece], every: bool) -> list[Line]:
    """The replies of an entry; long runs of printed values that nobody was asked for become one line."""
    lines: list[Line] = []
    run: list[int] = []
    for place, reply in enumerate([*entry.replies, None], 1):
        if reply is not None and not every and reply.kind == "printed" and not reply.is_from_player:
            run.append(place)
            continue
        if len(run) > _RUN:
            sources = list(dict.fromkeys(source_text(entry.replies[at - 1].source) for at in run))
            text = f"{len(run)} printed values ({', '.join(sources)})"
            lines.append(Line(text, "", "", f"     {entry.number}.{run[0]}-{run[-1]} "))
        else:
            lines += [reply_line(entry, at, entry.replies[at - 1], pieces) for at in run]
        run = []
        # what an opponent weighed is told by its own lines, beneath what it did
        if reply is not None and reply.kind != "think" and (every or reply.kind not in EFFECT_KINDS):
            lines.append(reply_line(entry, place, reply, pieces))
    return lines


def entry_lines(game: Game, entry: Entry, status: str, pieces: dict[str, Piece], because: bool = False) -> list[Line]:
    """An entry whole. ``pieces``: those before it, by id; left as they are after it."""
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
    """The whole log, or its last entries; with ``undone`` also what was taken back.

    ``under_way``: the events of the open entry so far; ``only``: the entries that are meant, None for all.
    """
    shown = _listed_entries(history, undone, last, only)
    pieces: dict[str, Piece] = {}
    lines: list[Line] = []
    for number in sorted(history.entries):
        entry = history.entries[number]
        if history.status(number) == "open":
            entry = entry._replace(events=tuple(under_way))
        if number in shown:
            lines += entry_lines(game, entry, history.status(number), pieces)
            lines += [Line(note.text, "reminder", "", "     note: ") for note in history.notes if note.entry == number]
        else:
            apply_events(entry.events or (), pieces)
    if undone:
        lines += change_lines(history)
    return lines


def _listed_entries(history: History, undone: bool, last: int, only: Container[int] | None) -> list[int]:
    """The entries that are listed."""
    shown = [number for number in sorted(history.entries) if undone or number in history.force]
    shown = [number for number in shown if only is None or number in only]
    return shown[-last:] if last else shown


def log_data(history: History, undone: bool = False, last: int = 0, only: Container[int] | None = None) -> dict[str, Any]:
    """The same as plain data."""
    shown = _listed_entries(history, undone, last, only)
    names = piece_names(history)
    body: dict[str, Any] = {
        "entries": [entry_data(history.entries[number], history, names) for number in shown],
        "notes": [{"entry": note.entry, "text": note.text, "at": note.at} for note in history.notes],
    }
    if undone:
        body["changes"] = [{"take": list(item.take), "give": list(item.give), "how": item.how} for item in history.changes]
    return body


def change_lines(history: History, first: int = 0) -> list[Line]:
    """Every undo, redo, amend and abort there was, from one on; one that went past a roll says so."""
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
    """An entry with every layer: each reply with its source, each condition and candidate, each change with its reason."""
    pieces = dict(history.position(before=entry.number).pieces)
    return entry_lines(game, entry, history.status(entry.number), pieces, because=True)


_SECONDS = {"m": 60, "h": 3600, "d": 86_400}
"""Letter behind a number -> seconds."""


def entries_since(history: History, when: str, now: str) -> set[int]:
    """The entries from a moment on.

    Args:
        history: of the session.
        when: the number of an entry, a day, a time of today or of a day, or how long ago: ``90m``, ``2h``, ``3d``.
        now: the time in UTC, as the log has it.

    Raises:
        Unreadable: it is none of these.
    """
    text = when.strip().casefold()
    if text.isdecimal() and text.isascii():
        return {number for number in history.entries if number >= int(text)}
    from datetime import datetime

    moment = _moment(text, datetime.fromisoformat(now))
    times = {number: entry.at for number, entry in history.entries.items() if entry.at}
    return {number for number, at in times.items() if datetime.fromisoformat(at) >= moment}


def _moment(text: str, now: datetime) -> datetime:
    from datetime import datetime, timedelta

    count, letter = text[:-1], text[-1:]
    if letter in _SECONDS and count.isdecimal() and len(count) < 7:
        return now - timedelta(seconds=int(count) * _SECONDS[letter])
    for told in (text, f"{now.astimezone().date()} {text}"):
        try:
            return datetime.fromisoformat(told.upper()).astimezone()
        except (ValueError, OverflowError):
            continue
    cure = "An action (12), a day (2026-03-01), a time (20:30) or how long ago (90m, 2h, 3d)"
    raise Unreadable(f"'{clean(text)}' names neither a time nor an action", cure=cure)


def entries_containing(game: Game, history: History, words: str) -> set[int]:
    """The entries of which a line or a note has some words, whatever their case."""
    wanted = words.casefold()
    pieces: dict[str, Piece] = {}
    found = {note.entry for note in history.notes if wanted in note.text.casefold()}
    for number in sorted(history.entries):
        lines = entry_lines(game, history.entries[number], history.status(number), pieces)
        if _contains(lines, wanted):
            found.add(number)
    return found


def _contains(lines: Iterable[Line], wanted: str) -> bool:
    return any(wanted in text.casefold() for text in line_texts(lines))


class ShownLog(NamedTuple):
    """What of a log has been told: the complete entries, and how many notes and corrections."""

    entries: frozenset[int]
    notes: int
    changes: int

    @classmethod
    def of(cls, history: History) -> ShownLog:
        """All of it."""
        done = frozenset(number for number, entry in history.entries.items() if not entry.is_open)
        return cls(done, len(history.notes), len(history.changes))


def new_log_lines(game: Game, history: History, told: ShownLog, words: str = "") -> tuple[list[Line], ShownLog]:
    """What has come since, and what has been told with it.

    Args:
        game, history: of the session.
        told: what was told before.
        words: only entries and notes that have them; "" for all.
    """
    now, wanted = ShownLog.of(history), words.casefold()
    lines = [line for number in sorted(now.entries - told.entries) for line in _new_entry_lines(game, history, number, wanted)]
    notes = [note.text for note in history.notes[told.notes :] if wanted in note.text.casefold()]
    changed = change_lines(history, told.changes) if not words else []
    return [*lines, *changed, *(Line(text, "reminder", "", "     note: ") for text in notes)], now


def _new_entry_lines(game: Game, history: History, number: int, wanted: str) -> Sequence[Line]:
    """An entry that has come, unless it only replaces another out of force, or has not the words."""
    entry: Entry = history.entries[number]
    if number not in history.force:
        return []
    pieces = dict(history.position(before=number).pieces)
    lines = entry_lines(game, entry, history.status(number), pieces)
    return lines if _contains(lines, wanted) else []
