"""Undo, redo and abort: entries leave or enter force, and the player gets a board-fix list."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.board_fix import board_fix
from companion.core.errors import Illegal
from companion.core.events import Event
from companion.core.history import Change, Reply
from companion.core.position import Position
from companion.session.advance import Result
from companion.session.log import LogBatch
from companion.session.state import SessionState


def commit_change(
    session: SessionState,
    batch: LogBatch,
    before: Position,
    entry: int,
    events: Sequence[Event] = (),
    notes: Sequence[str] = (),
    plan: Change | None = None,
) -> Result:
    """Commit a batch that changes what is in force.

    Args:
        session: The session.
        batch: The rows to write.
        before: The working position so far.
        entry: The number of the entry that the change is about.
        events: The events to show.
        notes: Further notes for the player.
        plan: The entries that leave and enter force.
    """
    lost = _events(session, plan.take) if plan else []
    session.log.commit(batch)
    after, pending = session.position, session.pending
    notes = [*notes, session.broken] if session.broken else notes
    fix = tuple(board_fix(before, after, session.game, lost, _events(session, plan.give) if plan else []))
    return Result(before, after, tuple(events), pending, entry, session.history.open_entry is None, fix, tuple(notes))


def _events(session: SessionState, entries: Sequence[int]) -> list[Event]:
    return [event for number in sorted(entries) for event in session.events_of(number)]


def _random_replies(session: SessionState, change: Change) -> list[Reply]:
    return [reply for number in change.take for reply in session.history.entries[number].replies if reply.is_random]


_RANDOM_KINDS = {"roll": "the dice", "draw": "the draw"}


def _knowledge_notes(replies: Sequence[Reply]) -> list[str]:
    """Return the note that the player has seen dice or draws that are taken back."""
    seen = [words for kind, words in _RANDOM_KINDS.items() if any(reply.kind == kind for reply in replies)]
    return [f"you have seen {' and '.join(seen)} that you take back"] if seen else []


def apply_change(session: SessionState, plan: Change) -> Result:
    """Carry out an undo, redo or abort."""
    before, random = session.position, _random_replies(session, plan)
    batch = session.log.new_batch()
    batch.change(plan, bool(random))
    is_undo = plan.how in ("undo", "reply", "abort")
    entry = (plan.give or plan.take)[-1]
    return commit_change(session, batch, before, entry, notes=_knowledge_notes(random) if is_undo else [], plan=plan)


def abort(session: SessionState) -> Result:
    """Take the open entry back.

    Raises:
        Illegal: None is open, or it is the set-up.
    """
    entry = session.history.open_entry
    if entry is None:
        raise Illegal("nothing is under way", cure="To take a complete action back: companion undo")
    if entry.number == session.history.force[0]:
        raise Illegal("the set-up cannot be taken back", cure="Answer its question, or begin again: companion new")
    return apply_change(session, Change((entry.number,), (), "abort"))


def undo_reply(session: SessionState) -> Result:
    """Take back the player's last answer: a copy of the entry with the replies before it takes its place.

    Raises:
        Illegal: There is nothing to take back.
    """
    entry = session.history.in_force[-1]
    player_replies = [index for index, reply in enumerate(entry.replies) if reply.is_from_player]
    if not player_replies:
        return apply_change(session, session.history.plan_undo(1))
    kept = entry.replies[: player_replies[-1]]
    batch, number, before = session.log.new_batch(), session.history.next_number, session.position
    batch.copy(number, entry, entry.anyway)
    batch.replies(number, kept)
    random = [reply for reply in entry.replies[len(kept) :] if reply.is_random]
    plan = Change((entry.number,), (number,), "reply")
    batch.change(plan, bool(random))
    return commit_change(session, batch, before, number, notes=_knowledge_notes(random), plan=plan)
