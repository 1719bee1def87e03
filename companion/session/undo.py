"""Taking back, bringing back and adjusting: what goes out of force, what comes in, and the board-fix list."""

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
    """Commits a draft that changes what is in force, and says what to put right on the table.

    Args:
        session: the session.
        batch: what is written.
        before: the working position until now.
        entry: the entry that the change is about.
        events: what is to be told of it.
        notes: what else the player should know.
        plan: what goes out of force and what comes in.
    """
    lost = _events(session, plan.take) if plan else []
    session.log.commit(batch)
    after, pending = session.position, session.pending
    told = [*notes, session.broken] if session.broken else list(notes)
    fix = tuple(board_fix(before, after, session.game, lost, _events(session, plan.give) if plan else []))
    return Result(before, after, tuple(events), pending, entry, session.history.open_entry is None, fix, tuple(told))


def _events(session: SessionState, entries: Sequence[int]) -> list[Event]:
    """What came about in some entries, in the order of the log."""
    return [event for number in sorted(entries) for event in session.events_of(number)]


def _random(session: SessionState, change: Change) -> list[Reply]:
    """The rolls and draws that a change takes back."""
    return [reply for number in change.take for reply in session.history.entries[number].replies if reply.is_random]


_SEEN = {"roll": "the dice", "draw": "the draw"}


def _past(replies: Sequence[Reply]) -> list[str]:
    """What the player has seen of what is taken back."""
    seen = [words for kind, words in _SEEN.items() if any(reply.kind == kind for reply in replies)]
    return [f"you have seen {' and '.join(seen)} that you take back"] if seen else []


def apply_change(session: SessionState, plan: Change) -> Result:
    """Carries out an undo, a redo or an abort."""
    before, rolled = session.position, _random(session, plan)
    batch = session.log.new_batch()
    batch.change(plan, bool(rolled))
    back = rolled and plan.how in ("undo", "reply", "abort")
    entry = (plan.give or plan.take)[-1]
    return commit_change(session, batch, before, entry, notes=_past(rolled) if back else [], plan=plan)


def abort(session: SessionState) -> Result:
    """Takes the open entry back. Raises Illegal: none is open, or it is the set-up."""
    entry = session.history.open_entry
    if entry is None:
        raise Illegal("nothing is under way", cure="To take a complete action back: companion undo")
    if entry.number == session.history.force[0]:
        raise Illegal("the set-up cannot be taken back", cure="Answer its question, or begin again: companion new")
    return apply_change(session, Change((entry.number,), (), "abort"))


def undo_reply(session: SessionState) -> Result:
    """Takes the last reply by hand back: a copy of the entry with the replies before it takes its place.

    Raises:
        Illegal: there is nothing to take back.
    """
    entry = session.history.in_force[-1]
    by_hand = [at for at, reply in enumerate(entry.replies) if reply.is_from_player]
    if not by_hand:
        return apply_change(session, session.history.plan_undo(1))
    kept = entry.replies[: by_hand[-1]]
    batch, number, before = session.log.new_batch(), session.history.next_number, session.position
    batch.copy(number, entry, entry.anyway)
    batch.replies(number, kept)
    rolled = [reply for reply in entry.replies[len(kept) :] if reply.is_random]
    plan = Change((entry.number,), (number,), "reply")
    batch.change(plan, bool(rolled))
    return commit_change(session, batch, before, number, notes=_past(rolled), plan=plan)
