"""Whether a log fits its game: each complete entry in force is carried out once more from its answers.

A log that was made elsewhere, or by another version, may hold what these rules would not do. It is played on from all the same,
since its events alone make the position; but whoever took it over must know.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.events import Board
from companion.core.history import Entry
from companion.core.position import Position
from companion.core.words import plural
from companion.session.corrections import ADJUST_ACTIONS
from companion.session.entry import SETUP, ReplyMismatch, RunningEntry
from companion.session.standing import SessionState


class RulesCheck(NamedTuple):
    """How a log fits its game.

    Attributes:
        fit: how many entries do.
        misfits: the others, each with its number, its action and why.
    """

    fit: int
    mismatches: tuple[tuple[int, str, str], ...]

    @property
    def text(self) -> str:
        """In a few words."""
        fit = f"{plural(self.fit, 'action fits', 'actions fit')} the rules"
        return f"{fit}, {len(self.mismatches)} {'does' if len(self.mismatches) == 1 else 'do'} not" if self.mismatches else fit


def check_rules(desk: SessionState) -> RulesCheck:
    """The verdict on the log of a session."""
    fit, misfits, before = 0, [], Position()
    for entry in desk.history.in_force:
        if entry.events is None:
            continue
        board = Board(before)
        for event in entry.events:
            event.on(board)
        why = _misfit(desk, entry, before, after := board.position)
        misfits += [(entry.number, entry.action, why)] if why else []
        fit, before = fit + (not why), after
    return RulesCheck(fit, tuple(misfits))


def _misfit(desk: SessionState, entry: Entry, before: Position, after: Position) -> str:
    """Why an entry does not follow from its answers; "" if it does."""
    for event in entry.events or ():
        if (fault := desk.game.fault(event, before)) and desk.game.fault(event, after):
            return fault
    if entry.action in ADJUST_ACTIONS or (entry.action == SETUP and entry.args.get("quick")):
        return ""
    try:
        under = RunningEntry(desk.game, desk.options, before, entry.number, entry.action, 0, entry.anyway, None, entry.replies)
        under.replay_stored()
    except (ReplyMismatch, CompanionError) as fault:
        return str(fault)
    except Exception as failure:  # what a stranger put together may break any rule; the others can still be looked at
        return f"fails in the rules: {type(failure).__name__}: {failure}"
    if under.request is not None:
        return f"has no answer to '{under.request.key}'"
    return "" if under.position == after else "comes to something else by these rules"
