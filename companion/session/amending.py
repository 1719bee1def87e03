"""Amending: one old reply is changed, and everything after it is played again as far as it still fits."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import BadData, CompanionError, Illegal, Unreadable
from companion.core.history import Entry, Reply, past_roll
from companion.core.position import Position
from companion.core.requests import Draw, Known, Printed, Request, Roll, Tell
from companion.core.words import clean, plural
from companion.session.adjusting import corrected, once_more
from companion.session.answers import Given
from companion.session.corrections import CORRECTIONS, write
from companion.session.standing import Step
from companion.session.underway import SETUP, Draft, Misfit, Underway, in_the_way

if TYPE_CHECKING:
    from companion.session.desk import Desk


def amend(desk: Desk, number: int, reply_no: int, text: str, anyway: bool) -> Step:
    """Changes one reply, and replays it and everything after it as far as it fits.

    Raises:
        Illegal: no such entry or reply is in force, nobody was asked for it, or the rules refuse the new answer and nobody
            insisted.
        Unreadable: the new answer means nothing.
    """
    entry = _amendable(desk, number, reply_no)
    before = desk.position
    later = [other for other in desk.history.in_force if other.number > number]
    again = _Again(desk)
    under = again.begin(entry, desk.history.position(number), desk.history.random_index(number), desk.history.next_number)
    _follow_all(under, entry.replies[: reply_no - 1], number)
    if entry.replies[reply_no - 1].adjusted:
        _put_right(under, entry.replies[reply_no - 1], text)
    else:
        again.answer(under, entry.replies[reply_no - 1], text, anyway)
    at = again.copy(under, entry, entry.replies[reply_no:])
    for other in later:
        if not at.stop:
            at = again.copy_later(other, at)
    if at.stop:
        again.notes.append(f"amend stopped: {at.stop}")
    taken = (number, *(other.number for other in later))
    again.draft.change(taken, range(under.number, at.number + 1), "amend", past_roll([entry, *later]))
    again.draft.facts = again.clerk.told
    return write(desk, again.draft, before, under.number, under.referee.events, again.notes)


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


def _put_right(under: Underway, reply: Reply, text: str) -> None:
    """An adjustment that was made at a question, with another value."""
    changes = reply.value["changes"]
    if len(changes) != 1:
        raise Illegal("that put several things right at once", cure="Adjust what is still wrong: companion adjust")
    if not clean(text):
        raise Unreadable("an adjustment needs a value")
    value = {**reply.value, "changes": [[changes[0][0], clean(text)]]}
    try:
        under.adjust(once_more(under.game, under.options, under.position, reply._replace(value=value)))
    except Misfit as misfit:
        raise Illegal(f"entry {under.number} '{under.action}' {misfit}") from None


def _idle(reply: Reply) -> bool:
    """A stored reply that nobody decided and no die did: if it is not asked for again, nothing is lost."""
    return not reply.by_hand and not reply.random


class _Copied(NamedTuple):
    """How far the copying of entries has come.

    ``position`` and ``rolls``: where the next one begins. ``number``: of the last copy. ``stop``: why it stopped, or "".
    """

    position: Position
    rolls: int
    number: int
    stop: str = ""


class _Again:
    """Plays entries again as hidden copies, into one draft."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.draft: Draft = desk._draft()
        self.clerk = desk.clerk()
        self.notes: list[str] = []
        self._waits = desk.pending.key if desk.pending else ""

    def begin(self, entry: Entry, start: Position, index: int, number: int) -> Underway:
        return Underway(self.desk.game, self.desk.options, start, number, entry.action, index, entry.anyway)

    def answer(self, under: Underway, old: Reply, text: str, anyway: bool) -> None:
        """The new answer in the place of an old one."""
        request = under.request
        if request is None:
            raise Illegal(f"entry {under.number} no longer asks '{old.key}'")
        if isinstance(request, Known | Tell):
            raise Illegal(f"nobody was asked for '{old.key}'", cure="Set what is printed: companion printed GAME set")
        given = self.clerk.typed(request, text, under.random_index, "typed", anyway)
        under.give(given.value, given.source, given.anyway, anyway)
        self.clerk.learn(given)

    # -- an entry with its replies -----------------------------------------------------------------------------

    def copy(self, under: Underway, original: Entry, left: Sequence[Reply]) -> _Copied:
        """Plays the replies that are left as far as they fit, and writes the copy."""
        queue = deque(left)
        stop = self._replay(under, queue, original)
        stop = stop and f"entry {original.number} '{original.action}' {stop}"
        self.draft.entry(under.number, original.action, original.args, under.anyway, original.number)
        for reply in under.replies:
            self.draft.reply(under.number, reply)
        at = _Copied(under.position, under.random_index, under.number, stop)
        if under.request is None:
            self.draft.done(under.number, under.referee.events)
            for reply in queue:
                at = self._on_its_own(original, reply, at) if reply.adjusted and not at.stop else at
        return at

    def _replay(self, under: Underway, queue: deque[Reply], entry: Entry) -> str:
        """Gives stored replies as long as they fit; returns why that stopped short, or "". What is left stays in the queue."""
        while (request := under.request) is not None:
            misfit = self._misfit(under, request, queue)
            if queue and not misfit:
                try:
                    under.follow(self._fresh(under, queue.popleft()))
                except Misfit as refused:
                    return str(refused)
                except Unreadable as unread:
                    return f"cannot be put right as before: {unread.message}"
                continue
            if queue and _idle(queue[0]):
                queue.popleft()
                continue
            waits = entry.open and not queue
            found = None if waits and request.key == self._waits else self._automatic(under, request, queue)
            if found is None:
                return "" if waits else misfit or f"now asks {request.key!r}"
            try:
                under.give(found.value, found.source)
            except Illegal as refusal:
                return f"comes to a stop: {refusal.message}"
            self.clerk.learn(found)
        lost = [reply.key for reply in queue if not _idle(reply) and not reply.adjusted]
        if lost:
            told = f"entry {entry.number} '{entry.action}' no longer asks for {plural(len(lost), 'answer')}: {', '.join(lost)}"
            self.notes.append(told)
        return ""

    def _misfit(self, under: Underway, request: Request[Any], queue: Sequence[Reply]) -> str:
        """Why the next stored reply has no place here. What was put right has it at its question, or where the player is next
        asked for anything.
        """
        if not queue:
            return ""
        if not queue[0].adjusted:
            return under.misfit(queue[0])
        at = queue[0].value["at"]
        return "" if at == request.key or self._automatic(under, request, queue) is None else f"has not asked '{at}' yet"

    def _fresh(self, under: Underway, reply: Reply) -> Reply:
        return once_more(under.game, under.options, under.position, reply) if reply.adjusted else reply

    def _automatic(self, under: Underway, request: Request[Any], queue: Sequence[Reply]) -> Given | None:
        """What nobody need be asked for: what can be looked up, and a roll or a draw that none of the stored replies is."""
        lookup = isinstance(request, Known | Printed | Tell)
        extra = isinstance(request, Roll | Draw) and all(reply.key != request.key for reply in queue)
        return self.clerk.automatic(request, under.random_index) if lookup or extra else None

    # -- the entries after it ----------------------------------------------------------------------------------

    def copy_later(self, entry: Entry, at: _Copied) -> _Copied:
        """Copies one later entry onto the new position, or says why that cannot be."""
        if entry.action in CORRECTIONS:
            return self._correction(entry, entry.action, entry.args, at)
        obstacle = None if entry.anyway or entry.action == SETUP else in_the_way(self.desk.game, entry.action, at.position)
        if obstacle:
            return at._replace(stop=f"entry {entry.number} '{entry.action}' cannot be done now: {obstacle.text}")
        try:
            under = self.begin(entry, at.position, at.rolls, at.number + 1)
        except CompanionError as refusal:
            return at._replace(stop=f"entry {entry.number} '{entry.action}' cannot be done now: {refusal.message}")
        return self.copy(under, entry, entry.replies)

    def _on_its_own(self, original: Entry, reply: Reply, at: _Copied) -> _Copied:
        """What was put right at a question that is not asked any more, as an entry of its own."""
        asked = f"entry {original.number} '{original.action}' no longer asks '{reply.value['at']}'"
        self.notes.append(f"{asked}: what was put right there stands as an entry of its own")
        args = {key: reply.value[key] for key in ("changes", "why")}
        return self._correction(original, reply.key, args, at)

    def _correction(self, original: Entry, action: str, args: Mapping[str, Any], at: _Copied) -> _Copied:
        changes = [(str(what), str(value)) for what, value in args.get("changes", ())]
        try:
            referee, _ = corrected(self.desk.game, self.desk.options, at.position, changes, str(args.get("why", "")))
        except CompanionError as refusal:
            return at._replace(stop=f"entry {original.number} '{action}' cannot be done now: {refusal.message}")
        self.draft.entry(at.number + 1, action, args, False, original.number)
        self.draft.done(at.number + 1, referee.events)
        return _Copied(referee.position, at.rolls, at.number + 1)
