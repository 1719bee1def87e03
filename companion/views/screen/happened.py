"""What has just happened, as the terminal prints it, and what the hands have to do on the table as a list to tick off."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

from companion.core.game import Game
from companion.core.history import Entry
from companion.core.text import clean
from companion.session.advance import Result
from companion.session.inquiry import last_correction
from companion.session.seat_view import SeatView, seat_result, whole_session
from companion.session.state import SessionState
from companion.views.lines import Line, named_value_text
from companion.views.log import action_title, board_change_lines, change_lines, entry_heading
from companion.views.result import play_lines
from companion.views.screen.lines import rule_numbers

_ENTRIES = 2  # actions whose lines are shown
_LISTS = 3  # actions with something to move that are listed
_LOOK_BACK = 12  # actions among which they are looked for


class Check(NamedTuple):
    """One thing to do. The id depends on the action and the text alone, so that a tick lasts."""

    id: str
    text: str
    rules: tuple[str, ...]


class Checklist(NamedTuple):
    """What to do on the table after an action or a correction."""

    title: str
    checks: list[Check]


class Happened(NamedTuple):
    """The lines of the last actions, those that are new, and the lists for the table, the newest first."""

    lines: list[Line]
    new: list[Line]
    lists: list[Checklist]


def happened(session: SessionState) -> Happened:
    """Return what has happened last in a session."""
    lines: list[Line] = []
    new: list[Line] = []
    history = session.history
    for number in history.force[-_ENTRIES:]:
        heading = entry_heading(session.game, history.entries[number], history.status(number))
        new = _entry_lines(session, entry_result(session, number))
        lines += [heading.with_lead(f"{number}  "), *new]
    correction = _correction(session)
    if correction is not None:
        new = change_lines(history, len(history.changes) - 1)
        lines += new
    return Happened(lines, new, list(_checklists(session, correction)))


def _correction(session: SessionState) -> Result | None:
    """Return the last correction as the seat of a view sees it."""
    result = last_correction(whole_session(session))
    return seat_result(session.whole, result, session.seat) if result and isinstance(session, SeatView) else result


def entry_result(session: SessionState, number: int) -> Result:
    """Return an entry in force as the result of one call."""
    history = session.history
    entry, before = history.entries[number], history.position(before=number)
    index = bisect_right(history.force, number)
    later = history.force[index] if index < len(history.force) else None
    after = session.position if later is None else history.position(before=later)
    events = tuple(session.events_of(number))
    forced = [reply for reply in entry.replies if reply.source == "only" and reply.kind != "printed"]
    settled = tuple((reply.key, named_value_text(reply.value, after.pieces)) for reply in forced)
    pending = session.pending if later is None else None
    return Result(before, after, events, pending, number, pending is None, settled=settled)


def _table_lines(session: SessionState, result: Result) -> list[Line]:
    """Return what to do on the table, without the heading."""
    if result.fix:
        return [Line(text, "board", "", "-> ") for text in result.fix]
    lines = board_change_lines(session.game, result.before, result.after, result.events, session.sample_keys())
    return [line for line in lines if line.tone == "board"]


def _entry_lines(session: SessionState, result: Result) -> list[Line]:
    """Return the lines of an entry as the terminal prints them, without the list for the table."""
    table = Counter((line.text, line.rule) for line in _table_lines(session, result))
    lines = []
    for line in play_lines(session, result):
        key = (line.text, line.rule)
        if line.tone == "board" and table[key]:
            table[key] -= 1
        elif line != _TABLE_TITLE:
            lines.append(line)
    return lines


_TABLE_TITLE = Line("On the table:", "title")


def _checklists(session: SessionState, correction: Result | None) -> Iterator[Checklist]:
    history, left = session.history, _LISTS
    if correction is not None and correction.fix:
        yield Checklist("On the table: put right", _checks(f"{history.seq}", _table_lines(session, correction)))
        left -= 1
    for number in reversed(history.force[-_LOOK_BACK:]):
        if left and (checks := _checks(str(number), _table_lines(session, entry_result(session, number)))):
            yield Checklist(f"On the table: {short_title(session.game, history.entries[number])}", checks)
            left -= 1
        if not left:
            return


def short_title(game: Game, entry: Entry) -> str:
    """Return the title of the action of an entry, without its id."""
    title = action_title(game, entry.action)
    return title.partition(" - ")[2] or title


def _checks(prefix: str, lines: Sequence[Line]) -> list[Check]:
    times: Counter[str] = Counter()
    checks = []
    for line in lines:
        text = clean(line.text)
        times[text] += 1
        number = crc32(f"{text}/{times[text]}".encode())
        checks.append(Check(f"{prefix}.{number:08x}", text, rule_numbers(line.rule)))
    return checks
