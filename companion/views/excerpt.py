"""A part of the log: from some time on, with some words in it, or what has come since one last looked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.history import Entry, History
from companion.core.position import Piece
from companion.core.words import clean
from companion.views.lines import Line, line_texts
from companion.views.log import change_lines, entry_lines

if TYPE_CHECKING:
    from datetime import datetime

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
        done = frozenset(number for number, entry in history.entries.items() if not entry.open)
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
