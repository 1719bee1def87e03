"""Undo, redo, abort and amend. Entries leave and enter force; the result has a board-fix list."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.core.board_fix import board_fix
from companion.core.errors import BadData, CompanionError, Illegal, Impossible, Unreadable
from companion.core.events import Event
from companion.core.history import ADJUST_ACTIONS, EFFECT_KINDS, Change, Entry, Reply, open_parts
from companion.core.position import Position
from companion.core.procedures import ResolvedReply
from companion.core.request import AnyRequest
from companion.core.text import clean, plural
from companion.core.values import JsonObject, ReplyValue, read_json
from companion.session.adjust import apply_changes, reapply
from companion.session.advance import Result
from companion.session.entry import SETUP, ReplyMismatch, RunningEntry, asked_questions
from companion.session.state import LogBatch, SessionState
from companion.session.trusted import NO, YES, ensure_commitment, open_ask, require_consent, waits_for_consent


def commit_change(
    session: SessionState,
    batch: LogBatch,
    plan: Change,
    entry: int,
    notes: Sequence[str] = (),
    events: Sequence[Event] = (),
    allowed: bool = False,
) -> Result:
    """Commit a batch that brings entries into force or takes them out; `entry` is the number of the one to report.

    Raises:
        ConsentPending: It moves a trusted roll, and the other seats have not `allowed` it.
    """
    if session.is_trusted and not allowed:
        require_consent(session, batch, plan)
    before = session.position
    lost = session.events_in(plan.take)
    session.log.commit(batch)
    if session.is_trusted:
        ensure_commitment(session)
    after, pending = session.position, session.pending
    notes = [*notes, session.broken] if session.broken else notes
    fix = tuple(board_fix(before, after, session.game, lost, session.events_in(plan.give)))
    return Result(before, after, tuple(events), pending, entry, session.history.open_entry is None, fix, tuple(notes))


def _seen_notes(replies: Iterable[Reply]) -> list[str]:
    """Return the note that the player has seen dice or draws that are taken back; none without any."""
    kinds = {reply.kind for reply in replies}
    seen = [words for kind, words in (("roll", "the dice"), ("draw", "the draw")) if kind in kinds]
    return [f"you have seen {' and '.join(seen)} that you take back"] if seen else []


def apply_change(session: SessionState, plan: Change) -> Result:
    """Carry out an undo, redo or abort and return what it did."""
    entries = session.history.entries
    random = [reply for number in plan.take for reply in entries[number].replies if reply.is_random]
    batch = session.log.new_batch()
    batch.change(plan, bool(random))
    notes = _seen_notes(random) if plan.how in ("undo", "reply", "abort") else []
    return commit_change(session, batch, plan, (plan.give or plan.take)[-1], notes)


def abort(session: SessionState) -> Result:
    """Take the open entry back.

    Raises:
        Illegal: None is open, or it is the set-up.
    """
    entry = session.history.open_entry
    if entry is None:
        cure = "See where play is: companion status"
        if len(session.history.force) > 1:  # the first is the set-up
            cure = "To take a complete action back: companion undo"
        raise Illegal("nothing is under way", cure=cure)
    if entry.number == session.history.force[0]:
        raise Illegal(
            "the set-up cannot be taken back", cure=f"Answer its question, or begin again: companion new {session.game.id}"
        )
    return apply_change(session, Change((entry.number,), (), "abort"))


def last_asked(session: SessionState) -> int | None:
    """Return the index of the reply of the last entry that `undo_reply` takes back; None if it takes back the entry."""
    settings = {"roll": session.settings["dice"], "draw": session.settings["draws"]}
    replies = session.history.in_force[-1].replies
    asked = [
        index
        for index, reply in enumerate(replies)
        if reply.is_from_player or (reply.is_random and settings.get(reply.kind) == "physical")
    ]
    return asked[-1] if asked else None


def undo_reply(session: SessionState, seat: str = "") -> Result:
    """Take back the last question that was asked: a copy of the entry with the replies before it takes its place.

    With physical dice or draws each roll or draw counts as asked, even if the player left it to Companion.

    Args:
        seat: At a sealed question, the seat that takes back its own part; the parts of the others stay, unrevealed.

    Raises:
        Illegal: There is nothing to take back.
    """
    entry, asked = session.history.in_force[-1], last_asked(session)
    if seat and (parts := open_parts(entry.replies)):
        return _undo_part(session, entry, parts, seat)
    if asked is None:
        return apply_change(session, session.history.plan_undo(1))
    kept = entry.replies[:asked]
    batch, number = session.log.new_batch(), session.history.next_number
    batch.copy(number, entry, entry.anyway)
    batch.replies(number, kept)
    random = [reply for reply in entry.replies[len(kept) :] if reply.is_random]
    plan = Change((entry.number,), (number,), "reply")
    batch.change(plan, bool(random))
    return commit_change(session, batch, plan, number, _seen_notes(random))


def _undo_part(session: SessionState, entry: Entry, parts: Sequence[int], seat: str) -> Result:
    """Take back the part of a seat of the open sealed question."""
    own = next((index for index in parts if entry.replies[index].seat == seat), None)
    if own is None:
        title = session.game.seats.get(seat, seat)
        raise Illegal(f"{title} has not answered; what others have answered they take back themselves")
    batch, number = session.log.new_batch(), session.history.next_number
    batch.copy(number, entry, entry.anyway)
    batch.replies(number, [reply for index, reply in enumerate(entry.replies) if index != own])
    plan = Change((entry.number,), (number,), "reply")
    batch.change(plan, False)
    return commit_change(session, batch, plan, number)


def allow_change(session: SessionState, seat: str, allow: bool) -> Result:
    """Allow or refuse the change that waits for a seat; with the last consent it is carried out, in one transaction.

    Raises:
        Unreadable: No change waits, or the seat is not asked.
    """
    ask = open_ask(session)
    if ask is None or not waits_for_consent(session):
        raise Unreadable("nothing waits for consent", cure="See: companion status")
    if seat not in waits_for_consent(session):
        raise Unreadable(f"{clean(seat) or 'that seat'} is not asked", cure=f"Asked: {', '.join(waits_for_consent(session))}")
    batch = session.log.new_batch()
    batch.trust(0, ask.at, "consent", seat, YES if allow else NO)
    position = session.position
    if not allow or waits_for_consent(session) != (seat,):
        session.log.commit(batch)
        return Result(position, position, (), session.pending, session.pending_entry, session.pending is None)
    change = None
    for kind, entry, body in map(read_json, ask.rows):
        batch.add(kind, entry, body)
        if kind == "change":
            change = Change(tuple(body["take"]), tuple(body["give"]), body["how"])
    if change is None:
        raise Impossible("the change that was asked for cannot be carried out", cure="Ask for it again")
    batch.facts = ask.facts
    return commit_change(session, batch, change, (change.give or change.take)[-1], allowed=True)


# -- amend -------------------------------------------------------------------------------------------------------------


LaterAnswers = Mapping[tuple[int, int], str]
"""New answers to later replies, by entry and reply number."""


def amend(session: SessionState, number: int, reply_no: int, text: str, anyway: bool, also: LaterAnswers) -> Result:
    """Change a reply, and later ones given in `also`, and replay everything from there as far as it fits.

    Raises:
        Illegal: No such entry or reply is in force, the reply was automatic, or the rules refuse the new answer.
        Unreadable: The new answer cannot be read.
    """
    entry = _find_amendable(session, number, reply_no)
    for later_number, later_reply in also:
        _find_amendable(session, later_number, later_reply)
    later = [entry for entry in session.history.in_force if entry.number > number]
    replayer = _Replayer(session, also)
    running = _replay_up_to(replayer, entry, reply_no)
    old, running.stored = entry.replies[reply_no - 1], deque(entry.replies[reply_no:])
    running.turn_to(old.seat)
    if old.is_adjustment:
        _amend_adjustment(running, old, text)
    elif running.request is None:
        raise Impossible(f"action {running.number} no longer asks '{old.key}'")
    else:
        reply = replayer.resolver.parse_reply(running.request, text, running.next_roll, "typed", anyway)
        running.send(reply, anyway)
    progress = replayer.copy(running, entry)
    for later_entry in later:
        if not progress.stop:
            progress = replayer.copy_later(later_entry, progress)
    if progress.stop:
        replayer.notes.append(f"amend stopped: {progress.stop}")
        dropped = [reply for reply in replayer.dropped if reply.is_from_player and reply.question]
        answers = [f"{reply.question} {clean(_display(reply.value))}" for reply in dropped]
        replayer.notes += [f"old answers, kept for when the same question comes: {'; '.join(answers)}"] if answers else []
    taken = (number, *(entry.number for entry in later))
    change = Change(taken, tuple(range(running.number, progress.number + 1)), "amend")
    replayer.batch.change(change, any(item.has_random_reply for item in (entry, *later)))
    replayer.batch.facts = replayer.resolver.new_facts
    return commit_change(session, replayer.batch, change, running.number, replayer.notes, running.referee.events)


def _display(value: ReplyValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def question_at(session: SessionState, number: int, reply_no: int) -> AnyRequest | None:
    """Return the question that a reply answered; None for an adjustment.

    Raises:
        Illegal: There is no such reply in force.
    """
    entry = _find_amendable(session, number, reply_no)
    if entry.replies[reply_no - 1].is_adjustment:
        return None
    return _replay_up_to(_Replayer(session, {}), entry, reply_no).request_for(entry.replies[reply_no - 1].seat)


def _replay_up_to(replayer: _Replayer, entry: Entry, reply_no: int) -> RunningEntry:
    """Replay an entry up to one of its replies."""
    history, number = replayer.session.history, entry.number
    stored = entry.replies[: reply_no - 1]
    running = replayer.begin(entry, history.position(number), history.random_index(number), history.next_number, stored)
    try:
        running.replay_stored()
    except ReplyMismatch as misfit:
        raise BadData(f"action {number} {misfit}, because the rules have changed since", cure="Use adjust instead") from None
    return running


def _find_amendable(session: SessionState, number: int, reply_no: int) -> Entry:
    entry = session.history.find(number)
    if not session.history.is_in_force(number):
        raise Impossible(f"action {number} is itself taken back", cure="See: companion log --undone")
    if not 1 <= reply_no <= len(entry.replies):
        count = plural(len(entry.replies), "answer", "answers") if entry.replies else "no answers"
        raise Impossible(f"action {number} has {count}, and no {number}.{reply_no}", cure="See: companion log")
    old = entry.replies[reply_no - 1]
    if old.kind in EFFECT_KINDS:
        raise Impossible(
            f"no question was asked for '{old.key}'", cure="Set what is printed: companion printed GAME set KEY VALUE"
        )
    return entry


def _amend_adjustment(running: RunningEntry, reply: Reply, text: str) -> None:
    """Replace an adjustment made at a question by one with another value."""
    changes = reply.value["changes"]
    if len(changes) != 1:
        raise Impossible(
            "that adjustment changed several things at once", cure="Adjust what is still wrong: companion adjust WHAT VALUE"
        )
    if not clean(text):
        raise Unreadable("an adjustment needs a value")
    value = {**reply.value, "changes": [[changes[0][0], clean(text)]]}
    try:
        running.adjust(reapply(running.game, running.options, running.position, reply._replace(value=value)))
    except ReplyMismatch as misfit:
        raise Impossible(f"action {running.number} '{running.action}' {misfit}") from None


class _CopyProgress(NamedTuple):
    """How far the entries have been copied.

    Attributes:
        position, rolls: Where the next one begins.
        number: The number of the last copy.
        stop: Why copying stopped, or "".
    """

    position: Position
    rolls: int
    number: int
    stop: str = ""


class _Replayer:
    """Replays entries as hidden copies, into one batch."""

    def __init__(self, session: SessionState, also: LaterAnswers) -> None:
        self.session = session
        self.also = also
        self.batch = session.log.new_batch()
        self.resolver = session.resolver()
        self.notes: list[str] = []
        self.dropped: list[Reply] = []  # the remaining replies of the entry in which the replay stopped
        self._open_key = session.pending.key if session.pending else ""

    def begin(self, entry: Entry, start: Position, index: int, number: int, replies: Sequence[Reply]) -> RunningEntry:
        copy = entry._replace(number=number, replies=tuple(replies))
        return RunningEntry.from_entry(self.session.game, self.session.options, start, copy, index, self.resolver)

    def copy(self, running: RunningEntry, original: Entry) -> _CopyProgress:
        """Replay the remaining replies as far as they fit, and write the copy."""
        stop = self._replay(running, original)
        self.dropped = [*running.stored] if stop else []
        stop = stop and f"action {original.number} '{original.action}' {stop}"
        self.batch.copy(running.number, original, running.anyway)
        self.batch.replies(running.number, running.replies)
        progress = _CopyProgress(running.position, running.next_roll, running.number, stop)
        if running.request is None:
            self.batch.complete(running.number, running.referee.events, self.session.game_result(running.position))
            for reply in running.stored:
                if reply.is_adjustment and not progress.stop:
                    progress = self._adjustment_entry(original, reply, progress)
        return progress

    def _replay(self, running: RunningEntry, entry: Entry) -> str:
        """Give stored replies as long as they fit. Return why that stopped early, or ""; the remaining ones stay stored."""
        queue = running.stored
        while running.request is not None:
            running.turn_to(queue[0].seat if queue else "")
            request = running.request
            new = self.also.get((entry.number, len(entry.replies) - len(queue) + 1)) if queue else None
            if new is not None and request.key == queue[0].key:
                running.send(self.resolver.parse_reply(request, new, running.next_roll, "typed", False))
                queue.popleft()
                continue
            self._skip_chance(running, request, queue)
            self._skip_unasked(running, entry, request, queue)
            misfit = self._mismatch(running, request, queue)
            if queue and not misfit:
                stored = queue.popleft()
                try:
                    if stored.is_adjustment:
                        running.adjust(reapply(running.game, running.options, running.position, stored))
                    else:
                        running.replay(stored)
                except ReplyMismatch as misfit_now:
                    return str(misfit_now)
                except (Unreadable, Illegal) as refusal:
                    return f"cannot be adjusted as before: {refusal.message}"
                continue
            if queue and queue[0].is_automatic:
                queue.popleft()
                continue
            waits = entry.is_open and not queue
            reply = None if waits and request.key == self._open_key else self._automatic(running, request, queue)
            if reply is None:
                return "" if waits else misfit or f"now asks '{request.prompt}'"
            try:
                running.send(reply)
            except Illegal as refusal:
                return f"is refused: {refusal.message}"
        self._note_lost(entry, queue)
        return ""

    def _skip_chance(self, running: RunningEntry, request: AnyRequest, queue: deque[Reply]) -> None:
        """Drop Companion's rolls and draws that are not asked for any more before an answer that still fits."""
        chance = next((number for number, reply in enumerate(queue) if not reply.is_random or reply.is_from_player), 0)
        if chance and request.key == queue[chance].key and queue[0].key != request.key:
            for _ in range(chance):
                queue.popleft()

    def _skip_unasked(self, running: RunningEntry, entry: Entry, request: AnyRequest, queue: deque[Reply]) -> None:
        """Drop replies whose questions are not asked any more, before one to the very question that is asked now."""
        if len(queue) < 2 or queue[0].key == request.key or queue[0].is_adjustment:
            return
        start = self.session.history.position(entry.number)
        prompts = asked_questions(running.game, running.options, start, entry)[-len(queue) :]
        same = [(reply.key, prompt) == (request.key, request.prompt) for reply, prompt in zip(queue, prompts, strict=True)]
        count = same.index(True) if True in same else 0
        if any(reply.is_adjustment for reply in list(queue)[:count]):
            return
        self._note_lost(entry, [queue.popleft() for _ in range(count)])

    def _note_lost(self, entry: Entry, replies: Iterable[Reply]) -> None:
        """Note the answers whose questions are not asked any more."""
        lost = [reply.question for reply in replies if not reply.is_automatic and not reply.is_adjustment]
        if lost:
            what = f"{plural(len(lost), 'answer')}: {', '.join(lost)}"
            self.notes.append(f"action {entry.number} '{entry.action}' no longer asks for {what}")

    def _mismatch(self, running: RunningEntry, request: AnyRequest, queue: Sequence[Reply]) -> str:
        """Return why the next stored reply does not fit here; "" if it does.

        An adjustment fits at its own question, or wherever the player is next asked anything.
        """
        if not queue:
            return ""
        if not queue[0].is_adjustment:
            return running.mismatch(queue[0])
        key = queue[0].value["at"]
        fits = key == request.key or self._automatic(running, request, queue) is None
        return "" if fits else f"has not asked '{key}' yet"

    def _automatic(self, running: RunningEntry, request: AnyRequest, queue: Sequence[Reply]) -> ResolvedReply | None:
        """Return the reply that needs no player: a known value, or a roll or draw that none of the stored replies is."""
        if request.chance_setting and any(reply.key == request.key for reply in queue):
            return None
        return self.resolver.automatic_reply(request, running.next_roll)

    def copy_later(self, entry: Entry, progress: _CopyProgress) -> _CopyProgress:
        """Copy a later entry onto the new position, or say why that fails."""
        if entry.action in ADJUST_ACTIONS:
            return self._correction(entry, entry.action, entry.args, progress)
        is_exempt = entry.anyway or entry.action == SETUP
        if not is_exempt and (obstacle := self.session.game.obstacle_to(entry.action, progress.position)):
            return progress._replace(stop=f"action {entry.number} '{entry.action}' cannot be done now: {obstacle.text}")
        try:
            running = self.begin(entry, progress.position, progress.rolls, progress.number + 1, entry.replies)
        except CompanionError as refusal:
            return progress._replace(stop=f"action {entry.number} '{entry.action}' cannot be done now: {refusal.message}")
        return self.copy(running, entry)

    def _adjustment_entry(self, original: Entry, reply: Reply, progress: _CopyProgress) -> _CopyProgress:
        """Write an adjustment whose question is no longer asked as an entry of its own."""
        asked = f"action {original.number} '{original.action}' no longer asks '{reply.value['at']}'"
        self.notes.append(f"{asked}: the adjustment made there is now an action of its own")
        args = {key: reply.value[key] for key in ("changes", "why")}
        original = original._replace(anyway=reply.value.get("anyway", False))
        return self._correction(original, reply.key, args, progress)

    def _correction(self, original: Entry, action: str, args: JsonObject, progress: _CopyProgress) -> _CopyProgress:
        changes = [(str(what), str(value)) for what, value in args.get("changes", ())]
        try:
            referee, _ = apply_changes(
                self.session.game, self.session.options, progress.position, changes, str(args.get("why", "")), original.anyway
            )
        except CompanionError as refusal:
            return progress._replace(stop=f"action {original.number} '{action}' cannot be done now: {refusal.message}")
        self.batch.copy(progress.number + 1, original._replace(action=action, args=args), original.anyway)
        self.batch.complete(progress.number + 1, referee.events, self.session.game_result(referee.position))
        return _CopyProgress(referee.position, progress.rolls, progress.number + 1)
