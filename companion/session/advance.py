"""Advance an entry with the answers at hand, and commit the result atomically.

Nothing is written until all answers have been accepted, so that a call that raises leaves the session as it was.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence

from companion.core.errors import CompanionError, Illegal, SessionMoved, Unreadable
from companion.core.events import Event, fold
from companion.core.game import Game
from companion.core.history import EFFECT_KINDS, LOOK, Change, Entry, Reply, open_parts
from companion.core.named_tuple import NamedTuple
from companion.core.position import Position
from companion.core.procedures import FORCED, TRUSTED, ResolvedReply
from companion.core.requests import AnyRequest, Printed
from companion.core.resolver import Answers
from companion.core.sealed import SEALED, unsealed
from companion.core.text import clean
from companion.session.entry import ReplyMismatch, RunningEntry, asked_questions
from companion.session.state import LogBatch, SessionState


class Result(NamedTuple):
    """What one call did to a session.

    Attributes:
        before, after: The working positions, which include the open entry.
        events: The events since the previous question.
        entry: The number of the entry that the call was about.
        done: True if that entry is complete.
        fix: The board-fix list, after an undo, redo, amend, abort or adjust.
        notes: Further notes for the player.
        fault: Why an answer was refused; those before it were kept.
        left: The ``Answers`` not used so far, or None.
        settled: Key and answer of each question that had exactly one legal answer.
        taken: Prompt and answer of each question that took a part of a typed line, or what it was answered before an amend.
        repeated: The answer had been committed before, and nothing was done again.
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
    left: Answers | None = None
    settled: tuple[tuple[str, str], ...] = ()
    taken: tuple[tuple[str, str], ...] = ()
    repeated: bool = False


class Advance(NamedTuple):
    """One advance of an entry.

    Attributes:
        before: The working position before the call.
        events_seen: The number of its events before the call.
        is_resumed: True if an earlier call began the entry.
    """

    entry: RunningEntry
    batch: LogBatch
    before: Position
    events_seen: int
    is_resumed: bool = False


def begin_advance(session: SessionState) -> Advance:
    """Take the open entry over to advance it.

    Raises:
        Unreadable: No question is open.
        BadData: The open entry is broken.
    """
    entry = session.take_running_entry()
    return Advance(entry, session.log.new_batch(), entry.position, len(entry.referee.events), True)


def advance(
    session: SessionState,
    step: Advance,
    answers: Answers,
    anyway: bool = False,
    *,
    question_shown: bool = False,
    partial: bool = False,
    seat: str = "",
) -> Result:
    """Answer the entry's questions as far as the answers go, then commit.

    Every answer must be used, and all are kept or none, unless `partial` is set. Once Companion has rolled or drawn, a wrong
    answer is only noted: an action that was refused after a roll could be repeated with the roll known (no peeking).

    Args:
        step: The entry, and the log rows to write.
        answers: Answers given with the call; not modified.
        anyway: Accept answers that the rules refuse.
        question_shown: The pending question has been shown to the player.
        partial: If an answer is refused, keep those accepted before it; keep unused answers for later questions.
        seat: The seat that answers a sealed question: its part is answered, and no part of another seat. "" for all in turn.

    Raises:
        Illegal: The rules refuse an answer.
        Unreadable: An answer cannot be read, or was not asked for.
    """
    entry, answers = step.entry, answers.copy()
    assert entry.resolver is not None
    answers.check_keys(entry.game)
    refusal: CompanionError | None = None
    notes: list[str] = []
    forced: list[tuple[str, str]] = []
    taken: list[tuple[str, str]] = []
    old_answers = _old_answers(session, entry) if step.is_resumed else {}
    _require_part(entry, seat)
    entry.turn_to(seat)
    while (request := entry.request) is not None:
        if seat and request.sealed and request.seat != seat:
            if (forced_part := entry.resolver.automatic_reply(request, entry.next_roll)) is None:
                break
            entry.send(forced_part)
            continue
        parts_left = len(answers.plain)
        try:
            old = None if answers.unused() else _old_answer(old_answers, entry, request)
            reply = old or entry.resolver.resolve(request, answers, entry.next_roll, anyway, question_shown)
            if reply is None:
                break
            question_shown = False
            is_taken = old is not None or (answers.is_line and len(answers.plain) < parts_left)
            display = request.display(reply.value) if (reply.source == FORCED or is_taken) and not request.sealed else SEALED
            entry.send(reply, anyway)
            if reply.source == FORCED:
                forced += [] if request.is_announced or request.sealed else [(request.key, display)]
            elif is_taken:
                taken.append((request.prompt, display))
        except (Illegal, Unreadable) as error:
            accepted = [reply for reply in entry.new_replies if reply.is_from_player]
            if not (accepted and partial) and not _has_rolled(entry):
                raise _naming_accepted(error, accepted) from None
            refusal = error
            entry.rewind()  # to the question whose answer was refused
            break
    entry.turn_to("")
    if not partial and _has_rolled(entry):
        notes += [str(refusal)] if refusal else []
        notes += [f"not asked for, and not used: {', '.join(left)}"] if (left := answers.unused()) else []
    elif not partial or (entry.request is None and not step.is_resumed):
        answers.check_all_used(entry.referee, entry.request)
    result = commit(session, step)
    return result._replace(notes=(*result.notes, *notes), fault=refusal, left=answers, settled=tuple(forced), taken=tuple(taken))


def _require_part(entry: RunningEntry, seat: str) -> None:
    """Raise Illegal if a sealed question is open of which a seat has no open part."""
    if entry.request is None or (sealed := entry.request.sealed) is None or not seat or sealed.open_part(seat):
        return
    titles, rule = entry.game.seats, entry.request.rule
    waits = ", ".join(titles.get(other, other) for other in sealed.open_seats)
    if seat in sealed.parts:
        text = f"{titles.get(seat, seat)} has answered; still asked: {waits}"
        raise Illegal(text, rule=rule, cure=f"To answer anew: companion undo --reply --seat {seat}")
    raise Illegal(f"{titles.get(seat, seat)} is not asked; asked: {waits}", rule=rule)


def _has_rolled(entry: RunningEntry) -> bool:
    """True if Companion has rolled or drawn something that is not written to the log yet."""
    return any(reply.source in ("computer", TRUSTED) for reply in entry.new_replies)


OldAnswers = dict[tuple[str, str], list[Reply]]
"""The player's answers, dice and draws by the key and the prompt of their question."""


def _old_answers(session: SessionState, entry: RunningEntry) -> OldAnswers:
    """Return what was answered in the entry that this one replaces by an amend, without what it has already."""
    history = session.history
    original = history.entries.get(history.entries[entry.number].copy_of)
    if original is None:
        return {}
    change = next(change for change in reversed(history.changes) if entry.number in change.give)
    if change.how != "amend":
        return {}
    pairs = zip(original.replies, entry.replies, strict=False)
    # the first reply that differs was amended, or it answers a question that was not asked before
    differing = ((place, old.key == new.key) for place, (old, new) in enumerate(pairs) if old != new)
    place, is_amended = next(differing, (len(entry.replies), False))
    given = Counter((reply.key, repr(reply.value)) for reply in entry.replies[place:])
    first = place + is_amended
    answers: OldAnswers = {}
    start = history.position(before=change.give[0])  # before the first of the entries that were replaced
    for number in sorted(change.take):
        if number < original.number:
            start = fold(history.entries[number].events or (), start)
    prompts = asked_questions(entry.game, entry.options, start, original)
    for reply, prompt in zip(original.replies[first:], prompts[first:], strict=True):
        given[reply.key, repr(reply.value)] -= 1
        if prompt and reply.is_from_player and given[reply.key, repr(reply.value)] < 0:
            answers.setdefault((reply.key, prompt), []).append(reply)
    return answers


def _old_answer(answers: OldAnswers, entry: RunningEntry, request: AnyRequest) -> ResolvedReply | None:
    """Return the old answer to the very same question, and drop it; None if there is none that fits."""
    replies = answers.get((request.key, request.prompt))
    if not replies or request.sealed or entry.mismatch(replies[0]):
        return None
    reply = replies.pop(0)
    return ResolvedReply(reply.value, reply.source, anyway=reply.anyway)


def _naming_accepted(refusal: CompanionError, accepted: Sequence[Reply]) -> CompanionError:
    """Return the refusal of one of several answers; its cure names the answers before it, which are correct."""
    if accepted:
        keys = [reply.key for reply in accepted]
        refusal.fitting = tuple(keys)
        names = ", ".join(f"{keys.count(key)} x {key}" if keys.count(key) > 1 else key for key in dict.fromkeys(keys))
        refusal.cure = ". ".join(filter(None, [refusal.cure.rstrip("."), f"Those before it fit: {names}; nothing is kept"]))
    return refusal


def fact_echoes(game: Game, replies: Iterable[Reply]) -> Iterator[str]:
    """Yield, in words, the printed facts that the player entered."""
    typed = (reply for reply in replies if reply.kind == Printed.kind and reply.is_from_player)
    return filter(None, (game.fact_in_words(reply.key, reply.value) for reply in typed))


def commit(session: SessionState, step: Advance) -> Result:
    """Write the new rows of an entry and hand it back to the session."""
    entry, batch = step.entry, step.batch
    events = tuple(entry.referee.events[step.events_seen :])
    notes = tuple(fact_echoes(entry.game, entry.new_replies))
    result = Result(step.before, entry.position, events, entry.request, entry.number, entry.request is None, notes=notes)
    # An action that only shows something leaves no trace: it is not written, or taken back as soon as it is complete.
    is_look = result.done and entry.is_look and bool(session.info.id)
    if is_look:
        result = result._replace(after=entry.start)
    if is_look and not step.is_resumed:
        return result
    batch.replies(entry.number, entry.new_replies)
    entry.new_replies.clear()
    if session.is_trusted or session.info.id == 0:
        from companion.session.trusted import add_commitment

        add_commitment(session, batch, entry)
    if result.done:
        batch.complete(entry.number, entry.referee.events, session.game_result(entry.position))
    if is_look:
        batch.change(Change((entry.number,), (), LOOK), False)
    batch.facts = entry.resolver.new_facts if entry.resolver else {}
    session.log.commit(batch)
    session.return_running_entry(entry, is_look)
    return result if result.done else result._replace(pending=session.pending)  # which now says what it waits for


def recorded_entry(session: SessionState, result: Result) -> int:
    """Return the number of the entry of a result; for an action that left none, of the last one in force."""
    force = session.history.force
    return result.entry if result.entry in session.history.entries or not force else force[-1]


# -- question numbers --------------------------------------------------------------------------------------------------
# A question is numbered ENTRY.REPLY, as the log counts them. Numbers are never reused: what is taken back keeps its numbers.


def parse_question_number(text: str) -> tuple[int, int]:
    """Return entry and reply of a question number: ``12.3`` is the question that reply 3 of entry 12 answers.

    Raises:
        Unreadable: It is not of that form.
    """
    parts = text.split(".")
    if len(parts) != 2 or not all(part.isdecimal() and part.isascii() and len(part) < 10 for part in parts):
        raise Unreadable(f"'{clean(text)}' is not the number of a question", cure="It is shown with the question: 12.3")
    return int(parts[0]), int(parts[1])


def asked_part(session: SessionState, at: str, seat: str) -> tuple[str, bool]:
    """Return the seat that an answer to a question number is from, and whether that question is open.

    Every part of a sealed question keeps its number while other seats answer theirs. Without a seat the number is that of the
    part that was shown with it, the first open one.

    Args:
        at: The number of the question; "" for the open one.
        seat: The seat that answers; "" if it is not known.

    Raises:
        Unreadable: `at` is not the number of a question.
    """
    request = session.pending
    sealed = request.sealed if request else None
    if not at or sealed is None or session.history.open_entry is None:
        return seat, at in ("", session.question_number)
    number, place = parse_question_number(at)
    entry = session.history.open_entry
    parts = open_parts(entry.replies)
    first = parts[0] + 1 if parts else len(entry.replies) + 1
    if number != entry.number or not first <= place <= len(entry.replies) + 1:
        return seat, False
    answered = {entry.replies[index].seat for index in parts if index < place - 1}
    seat = seat or next(name for name in sealed.parts if name not in answered)
    return seat, sealed.open_part(seat) is not None


def stale_question(session: SessionState, at: str = "", seat: str = "") -> SessionMoved:
    """Return the error for an answer to a question that is not open.

    Args:
        at: The number of the question; "" for the one that a terminal was last shown.
        seat: The seat that answers; "" if it is not known.
    """
    request = session.pending_for(seat)
    what = f"question {at} is not open any more" if at else "the question has changed since you were shown one"
    if request is None:
        return SessionMoved(f"{what}, and no other is", cure="See: companion status")
    return SessionMoved(
        f"{what}; now it is question {session.question_number}: {request.prompt}",
        rule=request.rule,
        cure=f"Nothing of this is kept. If you mean that one: companion answer --at {session.question_number} ...",
    )


def repeated_answer(session: SessionState, at: str, answers: Answers, anyway: bool = False, seat: str = "") -> Result:
    """Return what an answer did that was committed before and is sent again; nothing is done a second time.

    The entry is replayed from the log up to that question and on with the answers; each reply must equal the one in the log.

    Args:
        at: The number of a question that is not open.
        seat: The seat that answers. Without it nothing is said about a part of a sealed question that is not revealed.

    Raises:
        Unreadable: `at` is not the number of a question.
        SessionMoved: The question was answered otherwise, or its answer is not in force.
    """
    number, place = parse_question_number(at)
    entry, history = session.history.entries.get(number), session.history
    in_force = history.is_in_force(number) or any(number in change.take for change in history.changes if change.how == LOOK)
    if entry is None or not in_force or not 0 < place <= len(entry.replies):
        raise stale_question(session, at, seat)
    if entry.replies[place - 1].seat:
        place = _place_of_part(entry, place, seat)
    try:
        result = _replay_answers(session, entry, place, answers.copy(), anyway, seat) if place else None
    except (CompanionError, ReplyMismatch):
        result = None
    if result is None:
        raise stale_question(session, at, seat)
    return result


def _place_of_part(entry: Entry, place: int, seat: str) -> int:
    """Return the place of the reply of a seat to the sealed question of a reply; 0 if there is none.

    Without a seat the reply itself; 0 if it is not revealed, so that no guess can be checked against it.
    """
    if not seat:
        return 0 if entry.replies[place - 1].is_sealed else place
    for index, reply in enumerate(entry.replies[place - 1 :], place):
        if reply.seat == seat:
            return index
        if not reply.left and not reply.is_adjustment:
            break
    return 0


def _replay_answers(session: SessionState, stored: Entry, place: int, answers: Answers, anyway: bool, seat: str) -> Result | None:
    """Return the result of giving the answers to the question of reply `place`; None if the log holds other replies."""
    start, index = session.history.position(before=stored.number), session.history.random_index(stored.number)
    before, later = stored.replies[: place - 1], list(stored.replies[place - 1 :])
    resolver = session.resolver()
    resolver.uses_rollouts = False
    answered = stored._replace(replies=before)
    entry = RunningEntry.from_entry(session.game, session.options, start, answered, index, resolver)
    entry.replay_stored()
    entry.stored.extend(later)
    position, events_seen = entry.position, len(entry.referee.events)
    used: list[Reply] = []
    forced: list[tuple[str, str]] = []
    while entry.request is not None and (reply := _next_reply(entry.stored)) is not None:
        if seat and reply.seat not in ("", seat):
            break
        entry.turn_to(reply.seat)
        answer = resolver.resolve(entry.request, answers, entry.next_roll, anyway, reply.is_from_player)
        if answer is None:
            break
        if (entry.request.key, answer.value) != (reply.key, unsealed(reply.value)):
            return None
        if reply.source == FORCED and not (entry.request.is_announced or reply.seat):
            forced.append((reply.key, entry.request.display(reply.value)))
        entry.replay(reply)
        used.append(reply)
    if all(reply.is_automatic for reply in used) or answers.unused():
        return None
    events, notes = tuple(entry.referee.events[events_seen:]), tuple(fact_echoes(session.game, used))
    result = Result(position, session.position, events, session.pending, stored.number, not stored.is_open, notes=notes)
    return result._replace(settled=tuple(forced), repeated=True)


def _next_reply(stored: deque[Reply]) -> Reply | None:
    """Remove and return the stored reply to the next question; None at the end or before an adjustment."""
    while stored and stored[0].kind in EFFECT_KINDS:
        stored.popleft()
    if not stored or stored[0].is_adjustment:
        return None
    return stored.popleft()
