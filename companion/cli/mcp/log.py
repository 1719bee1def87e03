"""The log, shortened to what a model needs."""

from __future__ import annotations

from companion.cli.mcp import summary
from companion.core.history import Entry
from companion.core.values import JsonDict
from companion.session.state import SessionState
from companion.views.lines import line_data
from companion.views.log import action_title, event_lines

_MOST, _LEAST = 6000, 600
"""Characters of what happened in all entries, and at least in each."""
_NOT_ASKED = frozenset({"adjusted", "known", "tell", "learn", "think"})
"""Kinds of replies that are not answers to questions."""


def log_data(session: SessionState, last: int, before: int) -> JsonDict:
    """The last entries in force, oldest first.

    Args:
        session: The session, as a seat sees it.
        last: How many.
        before: Only entries with a smaller number; 0 for all.
    """
    history = session.history
    numbers = [number for number in sorted(history.entries) if history.is_in_force(number) and (not before or number < before)]
    most = max(_MOST // last, _LEAST)
    entries = [_entry_data(session, history.entries[number], most) for number in numbers[-last:]]
    return {"session": session.info.name, "entries": entries}


def _entry_data(session: SessionState, entry: Entry, most: int) -> JsonDict:
    """An entry; `most`: characters of what happened, and of its answers."""
    history, game = session.history, session.game
    pieces = dict(history.position(before=entry.number).pieces)
    lines = [summary.line_text(line_data(line)) for line in event_lines(game, session.events_of(entry.number), pieces)]
    answers = {
        f"{entry.number}.{place}": summary.shortened(f"{reply.key}: {_shown(reply.value)} ({reply.source})", 120)
        for place, reply in enumerate(entry.replies, 1)
        if reply.kind not in _NOT_ASKED
    }
    kept, left = summary.first_items(list(answers.items()), most)
    return summary.compact(
        {
            "entry": entry.number,
            "action": entry.action,
            "title": action_title(game, entry.action),
            "status": history.status(entry.number),
            "answers": dict(kept),
            "lines": summary.texts_within(lines, most, ": ask for this action alone"),
            "notes": [summary.shortened(note.text, 600) for note in history.notes if note.entry == entry.number],
            "more": f"and {left} more answers" if left else "",
        }
    )


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def log_text(log: JsonDict) -> str:
    """The log as text."""
    rows = []
    for entry in log["entries"]:
        status = "" if entry["status"] == "in force" else f", {entry['status']}"
        rows.append(f"{entry['entry']}. {entry.get('title', entry['action'])}{status}")
        rows += [f"  {number} {text}" for number, text in entry.get("answers", {}).items()]
        rows += [f"  {line}" for line in entry.get("lines", [])]
        rows += [f"  Note: {note}" for note in entry.get("notes", [])]
    return "\n".join(rows) or "Nothing was done yet"
