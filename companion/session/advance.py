"""What one call of a desk did."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from companion.core.errors import CompanionError, Illegal, SessionMoved, Unreadable
from companion.core.events import Event
from companion.core.game import Game
from companion.core.history import EFFECT_KINDS, LOOK, Change, Entry, Reply
from companion.core.position import Position
from companion.core.request import AnyRequest
from companion.core.requests import Printed
from companion.core.resolver import FORCED, Answers
from companion.core.text import clean
from companion.session.entry import ReplyMismatch, RunningEntry
from companion.session.log import LogBatch
from companion.session.state import SessionState


class Result(NamedTuple):
    """What one call did.

    Attributes:
        before, after: the working positions, with the open entry as far as it is.
        events: what came about since the previous question.
        pending: the question that is open now.
        entry: the entry that the call was about.
        done: whether that entry is complete.
        fix: what to put right on the table, after anything that takes back, brings back or corrects.
        notes: what else the player should know.
        fault: why an answer was not taken; those before it were.
        left: the ``Answers`` that are left of those brought along, where there were any.
        settled: answers that nobody was asked for, because no other could be given: the question and what it came to.
        repeated: the answer had been taken before, and nothing was done a second time.
    """

    before: Position
    after: Position
    events: tuple[Event, ...]
    pending: AnyRequest | None
    entry: int
    done: bool
    fix: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fault: CompanionError | None = None
    left: Any = None
    settled: tuple[tuple[str, str], ...] = ()
    repeated: bool = False


class Advance(NamedTuple):
    """One call.

    Attributes:
        under: the entry.
        draft: where its rows go.
        before: the working position before the call.
        seen: how many events of the entry there were before it.
        resumed: the entry was begun by an earlier call.
    """

    entry: RunningEntry
    batch: LogBatch
    before: Position
    events_seen: int
    is_resumed: bool = False


def begin_advance(session: SessionState) -> Advance:
    """The open entry, taken over to be carried on.

    Raises:
        Unreadable: no question is open.
        BadData: the open entry is broken.
    """
    running = session.take_running_entry()
    return Advance(running, session.log.new_batch(), running.position, len(running.referee.events), True)


def advance(
    session: SessionState, step: Advance, answers: Answers, anyway: bool = False, asked: bool = False, patient: bool = False
) -> Result:
    """Carries an entry on as far as answers go, and writes what came of it.

    Args:
        session: the session.
        step: the entry, and where its rows go.
        answers: what was brought along; all of it must be used, and all of it is kept, or nothing.
        anyway: insist where the rules refuse.
        asked: its question has been before the player.
        patient: keep the answers before one that is not taken, and let those wait whose question has not come yet.
    """
    running, answers = step.entry, answers.copy()
    assert running.resolver is not None
    fault, settled = None, []
    while (request := running.request) is not None:
        try:
            given = running.resolver.resolve(request, answers, running.next_roll, anyway, asked)
            if given is None:
                break
            asked = False
            told = (request.key, request.display(given.value)) if given.source == FORCED else None
            running.send(given, anyway)
            settled += [told] if told else []
        except (Illegal, Unreadable) as refusal:
            fitted = [reply for reply in running.new_replies if reply.is_from_player]
            if not fitted or not patient:
                raise _with_those_before(refusal, fitted) from None
            fault = refusal
            running.rewind()
            break
    if not patient or (running.request is None and not step.is_resumed):
        answers.check_all_used(running.referee, running.request)
    return commit(session, step)._replace(fault=fault, left=answers, settled=tuple(settled))


def _with_those_before(refusal: CompanionError, fitted: Sequence[Reply]) -> CompanionError:
    """The refusal of one of many answers, with those before it that fitted: they need not be doubted."""
    if fitted:
        keys = [reply.key for reply in fitted]
        refusal.fitting = tuple(keys)
        told = ", ".join(f"{keys.count(key)} x {key}" if keys.count(key) > 1 else key for key in dict.fromkeys(keys))
        refusal.cure = ". ".join(filter(None, [refusal.cure.rstrip("."), f"Those before it fit: {told}; nothing is kept"]))
    return refusal


def fact_echoes(game: Game, replies: Iterable[Reply]) -> Iterator[str]:
    """What the player told of the components, in words."""
    told = (game.fact_in_words(one.key, one.value) for one in replies if one.kind == Printed.kind and one.is_from_player)
    return filter(None, told)


def commit(session: SessionState, step: Advance) -> Result:
    """Writes what came of an entry that was carried on; nothing of a look that had nothing to ask, and a look that had goes out
    of force as soon as it is done.
    """
    running, batch = step.entry, step.batch
    events = tuple(running.referee.events[step.events_seen :])
    notes = tuple(fact_echoes(running.game, running.new_replies))
    result = Result(step.before, running.position, events, running.request, running.number, running.request is None, notes=notes)
    looked = result.done and running.is_look and bool(session.info.id)
    if looked:
        result = result._replace(after=running.start)
    if looked and not step.is_resumed:
        return result
    batch.replies(running.number, running.new_replies)
    running.new_replies.clear()
    if result.done:
        batch.complete(running.number, running.referee.events, session.game_result(running.position))
    if looked:
        batch.change(Change((running.number,), (), LOOK), False)
    batch.facts = running.resolver.new_facts if running.resolver else {}
    session.log.commit(batch)
    session.return_running_entry(running, looked)
    return result


def parse_question_number(text: str) -> tuple[int, int]:
    """``12.3``: the question that reply 3 of entry 12 answers. Raises Unreadable: it is not of that form."""
    parts = text.split(".")
    if len(parts) != 2 or not all(part.isdecimal() and part.isascii() and len(part) < 10 for part in parts):
        raise Unreadable(f"'{clean(text)}' is not the number of a question", cure="It stands with the question: 12.3")
    return int(parts[0]), int(parts[1])


def stale_question(session: SessionState, at: str = "") -> SessionMoved:
    """What is told to an answer that is not for the open question.

    Args:
        session: the session.
        at: the question that it was for; "" where it was for the one that a terminal was last shown.
    """
    request = session.pending
    what = f"question {at} is not open any more" if at else "the question has changed since you were shown one"
    if request is None:
        return SessionMoved(f"{what}, and no other is", cure="See: companion status")
    return SessionMoved(
        f"{what}; now it is question {session.question_number}: {request.prompt}",
        rule=request.rule,
        cure=f"Nothing of this is kept. If you mean that one: companion answer --at {session.question_number} ...",
    )


def repeated_answer(session: SessionState, at: str, answers: Answers, anyway: bool = False) -> Result:
    """What an answer once did that has been taken and comes again: nothing is done a second time.

    It is played once more from the log, up to that question and on with what it brings; each reply must be the one in the log.

    Args:
        session: the session.
        at: the number of a question that is not the open one.
        answers: what is said to it.
        anyway: whether the player insists.

    Raises:
        Unreadable: ``at`` is no number of a question.
        SessionMoved: the question has been answered otherwise, or its answer is not in force.
    """
    number, place = parse_question_number(at)
    entry, history = session.history.entries.get(number), session.history
    stands = number in history.force or any(number in change.take for change in history.changes if change.how == LOOK)
    if entry is None or not stands or not 0 < place <= len(entry.replies):
        raise stale_question(session, at)
    try:
        found = _played_again(session, entry, place, answers.copy(), anyway)
    except (CompanionError, ReplyMismatch):
        found = None
    if found is None:
        raise stale_question(session, at)
    return found


def _played_again(session: SessionState, entry: Entry, place: int, answers: Answers, anyway: bool) -> Result | None:
    """What the answers did to the question of a reply; None where they did not."""
    start, index = session.history.position(before=entry.number), session.history.random_index(entry.number)
    before, later = entry.replies[: place - 1], list(entry.replies[place - 1 :])
    resolver = session.resolver()
    resolver.uses_rollouts = False
    running = RunningEntry(
        session.game, session.options, start, entry.number, entry.action, index, entry.anyway, resolver, before
    )
    running.replay_stored()
    running.stored.extend(later)
    was, seen = running.position, len(running.referee.events)
    taken: list[Reply] = []
    settled: list[tuple[str, str]] = []
    while running.request is not None and (stored := _next(running.stored)) is not None:
        given = resolver.resolve(running.request, answers, running.next_roll, anyway, stored.is_from_player)
        if given is None:
            break
        if (running.request.key, given.value) != (stored.key, stored.value):
            return None
        if stored.source == FORCED:
            settled.append((stored.key, running.request.display(stored.value)))
        running.replay(stored)
        taken.append(stored)
    if all(reply.is_automatic for reply in taken) or answers.unused():
        return None
    events, notes = tuple(running.referee.events[seen:]), tuple(fact_echoes(session.game, taken))
    told = Result(was, session.position, events, session.pending, entry.number, not entry.is_open, notes=notes)
    return told._replace(settled=tuple(settled), repeated=True)


def _next(stored: deque[Reply]) -> Reply | None:
    """The stored reply to the next question, taken out; None where there is none, or where something was put right."""
    while stored and stored[0].kind in EFFECT_KINDS:
        stored.popleft()
    if not stored or stored[0].is_adjustment:
        return None
    return stored.popleft()
