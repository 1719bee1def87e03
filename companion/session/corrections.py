"""Taking back, bringing back, amending and adjusting: what goes out of force, what comes in, and the board-fix list."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.core.boardfix import board_fix
from companion.core.errors import BadData, CompanionError, Illegal, QuestionPending, Unreadable
from companion.core.events import Event
from companion.core.history import Change, Entry, Reply, past_roll
from companion.core.position import Position
from companion.core.requests import Known, Printed, Tell
from companion.core.words import clean, plural
from companion.session.answers import Clerk
from companion.session.standing import Step
from companion.session.underway import SETUP, Draft, Misfit, Underway, in_the_way

if TYPE_CHECKING:
    from companion.session.desk import Desk

CORRECTIONS = ("adjust", "audit")
"""Actions that are no procedures: their events follow from what was typed."""

_PAST_ROLL = "this goes back past a roll"


def _write(
    desk: Desk, draft: Draft, before: Position, entry: int, events: Sequence[Event] = (), notes: Sequence[str] = ()
) -> Step:
    """Commits a draft that changes what is in force, and says what to put right on the table."""
    desk._commit(draft)
    desk._forget()
    after, pending = desk.position, desk.pending
    told = [*notes, desk.broken] if desk.broken else list(notes)
    fix = tuple(board_fix(before, after, desk.game))
    return Step(before, after, tuple(events), pending, entry, desk.history.open_entry is None, fix, tuple(told))


def _rolled(desk: Desk, change: Change) -> bool:
    return past_roll([desk.history.entries[number] for number in change.take])


def change(desk: Desk, plan: Change) -> Step:
    """Carries out an undo, a redo or an abort."""
    before, rolled = desk.position, _rolled(desk, plan)
    draft = desk._draft()
    draft.change(plan.take, plan.give, plan.how, rolled)
    back = rolled and plan.how in ("undo", "reply", "abort")
    entry = (plan.give or plan.take)[-1]
    return _write(desk, draft, before, entry, notes=[_PAST_ROLL] if back else [])


def abort(desk: Desk) -> Step:
    """Takes the open entry back.

    Raises:
        Illegal: none is open, or it is the set-up.
    """
    entry = desk.history.open_entry
    if entry is None:
        raise Illegal("nothing is under way", cure="To take a complete entry back: companion undo")
    if entry.number == desk.history.force[0]:
        raise Illegal("the set-up cannot be taken back", cure="Answer its question, or begin anew: companion new")
    return change(desk, Change((entry.number,), (), "abort"))


def undo_reply(desk: Desk) -> Step:
    """Takes the last reply by hand back: a copy of the entry with the replies before it takes its place.

    Raises:
        Illegal: there is nothing to take back.
    """
    entry = desk.history.in_force[-1]
    by_hand = [at for at, reply in enumerate(entry.replies) if reply.by_hand]
    if not by_hand:
        return change(desk, desk.history.plan_undo(1))
    kept = entry.replies[: by_hand[-1]]
    draft, number, before = desk._draft(), desk.history.next_number, desk.position
    draft.entry(number, entry.action, entry.args, entry.anyway, entry.number)
    for reply in kept:
        draft.reply(number, reply)
    rolled = any(reply.random for reply in entry.replies[len(kept) :])
    draft.change((entry.number,), (number,), "reply", rolled)
    return _write(desk, draft, before, number, notes=[_PAST_ROLL] if rolled else [])


# -- amend -------------------------------------------------------------------------------------------------------------


class Copied(NamedTuple):
    """How far the copying of entries has come."""

    position: Position
    rolls: int
    number: int
    stop: str = ""


def amend(desk: Desk, number: int, reply_no: int, text: str, anyway: bool) -> Step:
    """Changes one reply, and replays it and everything after it as far as it fits.

    Raises:
        Illegal: no such entry or reply is in force, or the rules refuse the new answer and nobody insisted.
        Unreadable: the new answer means nothing.
    """
    entry = _amendable(desk, number, reply_no)
    clerk, before = desk.clerk(), desk.position
    index = desk.history.random_index(number)
    copy_number = desk.history.next_number
    under = Underway(desk.game, desk.options, desk.history.position(number), copy_number, entry.action, index, entry.anyway)
    _follow_all(under, entry.replies[: reply_no - 1], number)
    under_request = under.request
    if under_request is None:
        raise Illegal(f"entry {number} no longer asks '{entry.replies[reply_no - 1].key}'")
    given = clerk.typed(under_request, text, under.random_index, "typed", anyway)
    under.give(given.value, given.source, given.anyway, anyway)
    clerk.learn(given)
    stop, notes = _replay(under, entry.replies[reply_no:], clerk, entry)
    draft = desk._draft()
    _copy(draft, under, entry)
    at = Copied(under.position, under.random_index, copy_number, stop)
    later = [other for other in desk.history.in_force if other.number > number]
    for other in later:
        if not at.stop:
            at = _copy_later(desk, draft, other, at, clerk, notes)
    if at.stop:
        notes.append(f"amend stopped: {at.stop}")
    taken = (number, *(other.number for other in later))
    draft.change(taken, range(copy_number, at.number + 1), "amend", past_roll([entry, *later]))
    draft.facts = clerk.told
    return _write(desk, draft, before, copy_number, under.referee.events, notes)


def _amendable(desk: Desk, number: int, reply_no: int) -> Entry:
    entry = desk.history.find(number)
    if number not in desk.history.force:
        raise Illegal(f"entry {number} is itself taken back", cure="See: companion log --undone")
    if not 1 <= reply_no <= len(entry.replies):
        there = plural(len(entry.replies), "reply", "replies") if entry.replies else "no replies"
        raise Illegal(f"entry {number} has {there}, and no {number}.{reply_no}", cure="See: companion log")
    return entry


def _follow_all(under: Underway, replies: Sequence[Reply], number: int) -> None:
    try:
        for reply in replies:
            under.follow(reply)
    except Misfit as misfit:
        raise BadData(f"entry {number} {misfit}, because the rules have changed since", cure="Use adjust instead") from None


def _idle(reply: Reply) -> bool:
    """A stored reply that nobody decided and no die did: if it is not asked for again, nothing is lost."""
    return not reply.by_hand and not reply.random


def _replay(under: Underway, replies: Sequence[Reply], clerk: Clerk, entry: Entry) -> tuple[str, list[str]]:
    """Gives stored replies as long as they fit; returns why that stopped short ("" if it did not), and notes."""
    queue = deque(replies)
    while (request := under.request) is not None:
        misfit = under.misfit(queue[0]) if queue else ""
        if queue and not misfit:
            try:
                under.follow(queue.popleft())
            except Misfit as refused:
                return f"entry {entry.number} '{entry.action}' {refused}", []
            continue
        if queue and _idle(queue[0]):
            queue.popleft()
            continue
        found = clerk.automatic(request, under.random_index) if not queue or isinstance(request, Known | Printed | Tell) else None
        if found is None or (entry.open and not queue):
            short = not entry.open or bool(queue)
            return (f"entry {entry.number} '{entry.action}' {misfit or f'now asks {request.key!r}'}" if short else ""), []
        try:
            under.give(found.value, found.source)
            clerk.learn(found)
        except Illegal as refusal:
            return f"entry {entry.number} '{entry.action}': {refusal.message}", []
    lost = [reply for reply in queue if not _idle(reply)]
    told = f"entry {entry.number} '{entry.action}' no longer asks for {plural(len(lost), 'answer')}: "
    return "", [told + ", ".join(reply.key for reply in lost)] if lost else []


def _copy(draft: Draft, under: Underway, original: Entry) -> None:
    draft.entry(under.number, original.action, original.args, under.anyway, original.number)
    for reply in under.replies:
        draft.reply(under.number, reply)
    if under.request is None:
        draft.done(under.number, under.referee.events)


def _copy_later(desk: Desk, draft: Draft, entry: Entry, at: Copied, clerk: Clerk, notes: list[str]) -> Copied:
    """Copies one later entry onto the new position, or says why that cannot be."""
    number = at.number + 1
    if entry.action in CORRECTIONS:
        return _copy_correction(desk, draft, entry, at, notes)
    obstacle = None if entry.anyway or entry.action == SETUP else in_the_way(desk.game, entry.action, at.position)
    if obstacle:
        return at._replace(stop=f"entry {entry.number} '{entry.action}' cannot be done now: {obstacle.text}")
    try:
        under = Underway(desk.game, desk.options, at.position, number, entry.action, at.rolls, entry.anyway)
    except CompanionError as refusal:
        return at._replace(stop=f"entry {entry.number} '{entry.action}' cannot be done now: {refusal.message}")
    stop, more = _replay(under, entry.replies, clerk, entry)
    notes += more
    _copy(draft, under, entry)
    return Copied(under.position, under.random_index, number, stop)


def _copy_correction(desk: Desk, draft: Draft, entry: Entry, at: Copied, notes: list[str]) -> Copied:
    from companion.session.adjusting import corrected

    changes = [(str(what), str(value)) for what, value in entry.args.get("changes", ())]
    try:
        referee, _ = corrected(desk.game, desk.options, at.position, changes, str(entry.args.get("why", "")))
    except CompanionError as refusal:
        return at._replace(stop=f"entry {entry.number} '{entry.action}' cannot be done now: {refusal.message}")
    number = at.number + 1
    draft.entry(number, entry.action, entry.args, False, entry.number)
    draft.done(number, referee.events)
    return Copied(referee.position, at.rolls, number)


# -- adjust ------------------------------------------------------------------------------------------------------------


def adjust(desk: Desk, changes: Sequence[tuple[str, str]], why: str, action: str) -> Step:
    """Sets what the player sees on the table, as one entry.

    Raises:
        QuestionPending: an entry is open; what it goes by would change under it.
        Unreadable: something means nothing, cannot be, or there is no reason.
    """
    from companion.session.adjusting import corrected

    if action not in CORRECTIONS:
        raise ValueError(action)
    pending = desk.pending
    if desk.history.open_entry is not None:
        cure = "Answer it, or take the entry back: companion undo"
        raise QuestionPending(f"a question is open: {pending.prompt if pending else desk.broken}", cure=cure)
    said = clean(why)[:500]
    if not said:
        raise Unreadable("an adjustment needs a reason", cure="Say why: --why TEXT")
    before = desk.base
    referee, notes = corrected(desk.game, desk.options, before, changes, said)
    if not referee.events:
        raise Unreadable("nothing would change", cure="That is how it stands already")
    number, draft = desk.history.next_number, desk._draft()
    draft.entry(number, action, {"changes": [list(pair) for pair in changes], "why": said}, False)
    draft.done(number, referee.events)
    return _write(desk, draft, before, number, referee.events, notes)
