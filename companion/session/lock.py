"""The number of a question as its lock: an answer is for the question of that number, is taken once, and is no other's.

A number is that of the entry and, behind a point, of the reply that the question waits for, as the log counts them. It never
comes again for another question, since what is taken back keeps its numbers and what takes its place has new ones.
"""

from __future__ import annotations

from collections import deque

from companion.core.answering import ONLY, Answers
from companion.core.errors import CompanionError, SessionMoved, Unreadable
from companion.core.history import EFFECTS, LOOK, Entry, Reply
from companion.core.words import clean
from companion.session.entry import ReplyMismatch, RunningEntry
from companion.session.outcome import Result
from companion.session.standing import SessionState
from companion.session.turns import fact_echoes


def parse_question_number(text: str) -> tuple[int, int]:
    """``12.3``: the question that reply 3 of entry 12 answers. Raises Unreadable: it is not of that form."""
    parts = text.split(".")
    if len(parts) != 2 or not all(part.isdecimal() and part.isascii() and len(part) < 10 for part in parts):
        raise Unreadable(f"'{clean(text)}' is not the number of a question", cure="It stands with the question: 12.3")
    return int(parts[0]), int(parts[1])


def stale_question(desk: SessionState, at: str = "") -> SessionMoved:
    """What is told to an answer that is not for the open question.

    Args:
        desk: the session.
        at: the question that it was for; "" where it was for the one that a terminal was last shown.
    """
    request = desk.pending
    what = f"question {at} is not open any more" if at else "the question has changed since you were shown one"
    if request is None:
        return SessionMoved(f"{what}, and no other is", cure="See: companion status")
    return SessionMoved(
        f"{what}; now it is question {desk.question_number}: {request.prompt}",
        rule=request.rule,
        cure=f"Nothing of this is kept. If you mean that one: companion answer --at {desk.question_number} ...",
    )


def repeated_answer(desk: SessionState, at: str, answers: Answers, anyway: bool = False) -> Result:
    """What an answer once did that has been taken and comes again: nothing is done a second time.

    It is played once more from the log, up to that question and on with what it brings; each reply must be the one in the log.

    Args:
        desk: the session.
        at: the number of a question that is not the open one.
        answers: what is said to it.
        anyway: whether the player insists.

    Raises:
        Unreadable: ``at`` is no number of a question.
        SessionMoved: the question has been answered otherwise, or its answer is not in force.
    """
    number, place = parse_question_number(at)
    entry, history = desk.history.entries.get(number), desk.history
    stands = number in history.force or any(number in change.take for change in history.changes if change.how == LOOK)
    if entry is None or not stands or not 0 < place <= len(entry.replies):
        raise stale_question(desk, at)
    try:
        found = _played_again(desk, entry, place, answers.copy(), anyway)
    except (CompanionError, ReplyMismatch):
        found = None
    if found is None:
        raise stale_question(desk, at)
    return found


def _played_again(desk: SessionState, entry: Entry, place: int, answers: Answers, anyway: bool) -> Result | None:
    """What the answers did to the question of a reply; None where they did not."""
    start, index = desk.history.position(before=entry.number), desk.history.random_index(entry.number)
    before, later = entry.replies[: place - 1], list(entry.replies[place - 1 :])
    clerk = desk.resolver()
    clerk.think = False
    under = RunningEntry(desk.game, desk.options, start, entry.number, entry.action, index, entry.anyway, clerk, before)
    under.replay_stored()
    under.stored.extend(later)
    was, seen = under.position, len(under.referee.events)
    taken: list[Reply] = []
    settled: list[tuple[str, str]] = []
    while under.request is not None and (stored := _next(under.stored)) is not None:
        given = clerk.supply(under.request, answers, under.next_roll, anyway, stored.by_hand)
        if given is None:
            break
        if (under.request.key, given.value) != (stored.key, stored.value):
            return None
        if stored.source == ONLY:
            settled.append((stored.key, under.request.told(stored.value)))
        under.replay(stored)
        taken.append(stored)
    if all(reply.idle for reply in taken) or answers.leftover():
        return None
    events, notes = tuple(under.referee.events[seen:]), tuple(fact_echoes(desk.game, taken))
    told = Result(was, desk.position, events, desk.pending, entry.number, not entry.open, notes=notes)
    return told._replace(settled=tuple(settled), repeated=True)


def _next(stored: deque[Reply]) -> Reply | None:
    """The stored reply to the next question, taken out; None where there is none, or where something was put right."""
    while stored and stored[0].kind in EFFECTS:
        stored.popleft()
    if not stored or stored[0].adjusted:
        return None
    return stored.popleft()
