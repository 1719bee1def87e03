"""Taking back, bringing back and adjusting: what goes out of force, what comes in, and the board-fix list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.answering import Answers
from companion.core.boardfix import board_fix
from companion.core.errors import Illegal, Unreadable
from companion.core.events import Event
from companion.core.history import Change, Reply
from companion.core.position import Position
from companion.core.words import clean
from companion.session.adjusting import adjustment_reply, apply_changes, facts_in_changes
from companion.session.entry import ReplyMismatch
from companion.session.ledger import LogBatch
from companion.session.outcome import Result
from companion.session.standing import SessionState
from companion.session.turns import advance, begin_advance, commit

ADJUST_ACTIONS = ("adjust", "audit")
"""Actions that are no procedures: their events follow from what was typed."""


def commit_change(
    desk: SessionState,
    draft: LogBatch,
    before: Position,
    entry: int,
    events: Sequence[Event] = (),
    notes: Sequence[str] = (),
    plan: Change | None = None,
) -> Result:
    """Commits a draft that changes what is in force, and says what to put right on the table.

    Args:
        desk: the session.
        draft: what is written.
        before: the working position until now.
        entry: the entry that the change is about.
        events: what is to be told of it.
        notes: what else the player should know.
        plan: what goes out of force and what comes in.
    """
    lost = _events(desk, plan.take) if plan else []
    desk.log.commit(draft)
    after, pending = desk.position, desk.pending
    told = [*notes, desk.broken] if desk.broken else list(notes)
    fix = tuple(board_fix(before, after, desk.game, lost, _events(desk, plan.give) if plan else []))
    return Result(before, after, tuple(events), pending, entry, desk.history.open_entry is None, fix, tuple(told))


def _events(desk: SessionState, entries: Sequence[int]) -> list[Event]:
    """What came about in some entries, in the order of the log."""
    return [event for number in sorted(entries) for event in desk.events_of(number)]


def _random(desk: SessionState, change: Change) -> list[Reply]:
    """The rolls and draws that a change takes back."""
    return [reply for number in change.take for reply in desk.history.entries[number].replies if reply.random]


_SEEN = {"roll": "the dice", "draw": "the draw"}


def _past(replies: Sequence[Reply]) -> list[str]:
    """What the player has seen of what is taken back."""
    seen = [words for kind, words in _SEEN.items() if any(reply.kind == kind for reply in replies)]
    return [f"you have seen {' and '.join(seen)} that you take back"] if seen else []


def apply_change(desk: SessionState, plan: Change) -> Result:
    """Carries out an undo, a redo or an abort."""
    before, rolled = desk.position, _random(desk, plan)
    draft = desk.log.new_batch()
    draft.change(plan, bool(rolled))
    back = rolled and plan.how in ("undo", "reply", "abort")
    entry = (plan.give or plan.take)[-1]
    return commit_change(desk, draft, before, entry, notes=_past(rolled) if back else [], plan=plan)


def abort(desk: SessionState) -> Result:
    """Takes the open entry back. Raises Illegal: none is open, or it is the set-up."""
    entry = desk.history.open_entry
    if entry is None:
        raise Illegal("nothing is under way", cure="To take a complete action back: companion undo")
    if entry.number == desk.history.force[0]:
        raise Illegal("the set-up cannot be taken back", cure="Answer its question, or begin again: companion new")
    return apply_change(desk, Change((entry.number,), (), "abort"))


def undo_reply(desk: SessionState) -> Result:
    """Takes the last reply by hand back: a copy of the entry with the replies before it takes its place.

    Raises:
        Illegal: there is nothing to take back.
    """
    entry = desk.history.in_force[-1]
    by_hand = [at for at, reply in enumerate(entry.replies) if reply.by_hand]
    if not by_hand:
        return apply_change(desk, desk.history.plan_undo(1))
    kept = entry.replies[: by_hand[-1]]
    draft, number, before = desk.log.new_batch(), desk.history.next_number, desk.position
    draft.copy(number, entry, entry.anyway)
    draft.replies(number, kept)
    rolled = [reply for reply in entry.replies[len(kept) :] if reply.random]
    plan = Change((entry.number,), (number,), "reply")
    draft.change(plan, bool(rolled))
    return commit_change(desk, draft, before, number, notes=_past(rolled), plan=plan)


# -- adjust ------------------------------------------------------------------------------------------------------------


def adjust(desk: SessionState, changes: Sequence[tuple[str, str]], why: str, action: str) -> Result:
    """Sets what the player sees on the table: as one entry, or inside the open one, whose question is then asked anew.

    Raises:
        Unreadable: something means nothing, cannot be, or there is no reason.
        Illegal: what lies there speaks against it, or the open entry does not go on from such a table; then nothing is kept.
        BadData: the open entry is broken.
    """
    if action not in ADJUST_ACTIONS:
        raise ValueError(action)
    said = clean(why)[:500]
    if not said:
        raise Unreadable("an adjustment needs a reason", cure="Say why: --why TEXT")
    before = desk.committed_position if desk.history.open_entry is None else desk.asking_entry().position
    referee, notes = apply_changes(desk.game, desk.options, before, changes, said)
    known = desk.log.facts()
    facts = {key: value for key, value in facts_in_changes(desk.game, changes).items() if known.get(key) != value}
    if not referee.events and not facts:
        raise Unreadable("nothing would change", cure="That is how it stands already")
    if desk.history.open_entry is not None:
        adjusted = adjustment_reply(changes, said, action, _key(desk), referee.events)
        result = _adjust_under_way(desk, adjusted, referee.position, facts)
        return result._replace(notes=tuple(notes))
    fix = tuple(board_fix(before, referee.position, desk.game))  # what cannot be shown is not kept
    number, draft = desk.history.next_number, desk.log.new_batch()
    draft.entry(number, action, {"changes": [list(pair) for pair in changes], "why": said})
    draft.complete(number, referee.events, desk.game_result(referee.position))
    draft.facts = facts
    desk.log.commit(draft)
    return Result(before, referee.position, tuple(referee.events), None, number, True, fix, tuple(notes))


def _key(desk: SessionState) -> str:
    """The key of the open question."""
    request = desk.asking_entry().request
    return request.key if request else ""


def _adjust_under_way(desk: SessionState, adjusted: Reply, seen: Position, facts: Mapping[str, str]) -> Result:
    """An adjustment within the open entry. What the question had led to so far is worked out anew.

    Args:
        desk: the session.
        adjusted: what was typed, with what it changes.
        seen: the table as the player sees it.
        facts: printed facts that it tells.
    """
    turn = begin_advance(desk)
    under, asked = turn.entry, turn.entry.request
    assert asked is not None
    told = list(under.referee.events)
    if under.resolver:
        under.resolver.told.update(facts)
    try:
        at = under.adjust(adjusted)
    except ReplyMismatch as misfit:
        raise Illegal(
            f"action {under.number} '{under.action}' {misfit}",
            cure="Take it or its last answer back, adjust, and go on: companion undo [--reply]; or adjust when it is over",
        ) from None
    fix = tuple(board_fix(turn.before, seen, desk.game))
    same = under.request is not None and (under.request.key, under.request.kind) == (asked.key, asked.kind)
    result = commit(desk, turn) if same else advance(desk, turn, Answers())
    return result._replace(events=_news(told, under.referee.events, at, len(adjusted.events)), fix=fix)


def _news(old: Sequence[Event], new: Sequence[Event], at: int, count: int) -> tuple[Event, ...]:
    """What is to be told of an entry that was run again: what was put right, and what came after it otherwise than before."""
    rest = [*new[:at], *new[at + count :]]
    return (*new[at : at + count], *rest[len(old) if rest[: len(old)] == old else at :])
