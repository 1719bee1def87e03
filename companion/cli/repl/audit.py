"""The audit: what should lie on the table, and one line of what differs."""

from __future__ import annotations

from companion.core.errors import Unreadable
from companion.core.text import clean, split_list
from companion.session.adjust import apply_changes
from companion.session.state import SessionState
from companion.views.board import setup_lines
from companion.views.lines import Line

AUDIT_REASON = "audit: as it lies on the table"
"""The reason recorded with the adjustment."""

AUDIT_HELP = "Enter: all right. What differs, in one line: WHAT VALUE, WHAT VALUE"


def audit_lines(state: SessionState) -> list[Line]:
    """What should lie on the table, and how to name differences."""
    return [*setup_lines(state.game, state.position, full=False), Line(AUDIT_HELP, "dim")]


def parse_differences(state: SessionState, text: str) -> list[tuple[str, str]]:
    """Read pairs of thing and value from a line such as `kia 2, 3/1 2-10`.

    Raises:
        Unreadable: A part names nothing on the table, or an impossible value.
    """
    return [_parse_pair(state, part) for part in split_list(text)]


def _parse_pair(state: SessionState, part: str) -> tuple[str, str]:
    """Read one pair. The longest row of words that names something is the name; the rest is the value."""
    name, equals, value = part.partition("=")
    if equals:
        return name.strip(), value.strip()
    words = part.split()
    first_error = Unreadable(f"'{clean(part)}' names nothing on the table", cure=AUDIT_HELP)
    for count in range(len(words) - 1, 0, -1):
        pair = " ".join(words[:count]), " ".join(words[count:])
        try:
            apply_changes(state.game, state.options, state.position, [pair], AUDIT_REASON)
        except Unreadable as error:
            first_error = error
        else:
            return pair
    raise first_error
