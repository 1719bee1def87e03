"""The one thread that touches the archive: reads the session, takes answers, and makes the documents of the page."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Thread, get_ident
from typing import Any, NamedTuple, TypeVar

from companion.api.values import ProgramAnswer, faces_of
from companion.core.errors import CompanionError, SessionMoved, Unreadable
from companion.core.procedures import Progress
from companion.core.resolver import Answers
from companion.core.values import JsonDict, JsonObject
from companion.session.advance import asked_part, stale_question
from companion.session.controller import Result
from companion.session.seat_answers import Forbidden, SeatSession
from companion.session.seat_view import seat_view
from companion.session.seats import seats_of
from companion.session.state import SessionState
from companion.session.store import Archive, Session
from companion.session.trusted import ensure_commitment
from companion.views.data import legal_data, pending_data
from companion.views.screen.roles import ALL
from companion.views.screen.state import screen_data
from companion.views.screen.views import log_view, map_view, notes_view, odds_view, review_view, rules_view
from companion.views.trusted import ask_html, trust_data
from companion.web.review import KeptReview
from companion.web.tokens import Role

T = TypeVar("T")

POLL_SECONDS = 0.1
"""Between two looks for what other processes have written."""
MAX_WAITING = 500
"""Calls that wait for the thread; more are refused."""
_MAX_VIEWS = 64
_MAX_REMEMBERED = 500
"""Answers of which is remembered who gave them, so that only that role can repeat them."""


class Busy(CompanionError):
    """Too many calls are waiting."""

    kind = "busy"


class Document(NamedTuple):
    """The state as one role sees it.

    Attributes:
        seq: The number of the last row of the log.
        version: Changes with every change of the document, also where nothing was logged.
        data: The document.
        text: The same as JSON on one line.
    """

    seq: int
    version: tuple[int, int]
    data: JsonDict
    text: str


class Play:
    """Runs calls on a session in a thread of its own, one after the other.

    Args:
        path: The archive.
        session: The session.
        on_change: Called in the thread when the session has changed.
        on_revoke: Called in the thread with the roles that need new links; none for all.
    """

    def __init__(
        self,
        path: str,
        session: Session,
        on_change: Callable[[], None],
        on_revoke: Callable[[Sequence[str]], None] = lambda roles: None,
    ) -> None:
        self._path = path
        self._info = session
        self._on_change = on_change
        self._on_revoke = on_revoke
        self._calls: Queue[tuple[Callable[[], Any], Future[Any]] | None] = Queue(MAX_WAITING)
        self._thread = Thread(target=self._run, daemon=True, name="archive")
        self._opened: Future[None] = Future()
        self._is_stopping = False
        self._documents: dict[str, Document] = {}
        self._views: dict[tuple[str, str, str], str] = {}
        self._answered: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._reviewed = KeptReview()
        self.version = (0, 0)
        """Changes with every change of the session: the number of the last row of the log, and how often facts changed."""

    def start(self) -> None:
        """Start the thread. Raises CompanionError: the session cannot be opened."""
        self._thread.start()
        self._opened.result()

    def stop(self, timeout: float = 5.0) -> None:
        """End the thread; a call that computes is broken off, and nothing of it is kept."""
        self._is_stopping = True
        with suppress(Full):
            self._calls.put_nowait(None)
        if self._thread.ident != get_ident():
            self._thread.join(timeout)

    def call(self, work: Callable[[], T]) -> Future[T]:
        """Run a function in the thread. Raises Busy."""
        future: Future[T] = Future()
        try:
            self._calls.put_nowait((work, future))
        except Full:
            raise Busy("too much is waiting to be done", cure="Try again in a moment") from None
        return future

    # -- in the thread ------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            archive = Archive.open_existing(self._path)
        except BaseException as error:
            self._opened.set_exception(error)
            return
        try:
            self._session = SeatSession.open(archive, self._info)
            self._session.watch = self._check_stopping
            self._archive = archive
            self._stamp = archive.change_stamp()
            self._facts = archive.fact_revision(self._info.game)
            self._request = archive.host_request(self._info.id)
            self._commit_to_roll()
            self._set_version()
            self._opened.set_result(None)
            self._loop()
        except BaseException as error:
            if not self._opened.done():
                self._opened.set_exception(error)
        finally:
            with suppress(CompanionError):
                archive.close()

    def _loop(self) -> None:
        due = time.monotonic() + POLL_SECONDS
        while not self._is_stopping:
            try:
                item = self._calls.get(timeout=max(due - time.monotonic(), 0.001))
            except Empty:
                item = None
            if item is not None:
                self._carry_out(*item)
            if time.monotonic() >= due:
                self._poll()
                due = time.monotonic() + POLL_SECONDS

    def _carry_out(self, work: Callable[[], Any], future: Future[Any]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            result, error = work(), None
        except BaseException as fault:
            result, error = None, fault
            if not isinstance(fault, CompanionError):
                with suppress(CompanionError):
                    self._session.reload()
        if self._is_stopping:  # nobody waits for it any more
            return
        self._set_version()  # before the result: the document that goes with a refusal is that of this version
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

    def _check_stopping(self, progress: Progress) -> None:
        if self._is_stopping:
            raise KeyboardInterrupt

    def _poll(self) -> None:
        """Read what others have written; whatever is wrong is told to the next request, which reads too."""
        with suppress(Exception):
            self._refresh()
            self._set_version()

    def _refresh(self) -> None:
        """Read what other processes have written. Raises BadData: the archive cannot be read."""
        self._archive.require_in_place()
        stamp = self._archive.change_stamp()
        if stamp == self._stamp:
            return
        session = self._session
        if self._archive.has_moved(session.info.id, session.history.seq):
            session.refresh()
        facts = self._archive.fact_revision(session.info.game)
        if facts != self._facts:  # the open entry depends on the facts and is replayed
            session.invalidate()
        self._stamp, self._facts = stamp, facts
        self._commit_to_roll()
        self._heed_requests()

    def _commit_to_roll(self) -> None:
        """Commit to an open roll of trusted dice without a commitment: the process that came to it has ended too early."""
        if self._session.waits_for:
            with suppress(CompanionError):  # the share says what is wrong
                ensure_commitment(self._session)

    def _heed_requests(self) -> None:
        """Do what `host --revoke` asks for in another process."""
        request = self._archive.host_request(self._info.id)
        number, roles = request.get("number"), request.get("roles")
        if number == self._request.get("number"):
            return
        self._request = request
        if isinstance(number, str) and isinstance(roles, list):
            self._on_revoke([str(role) for role in roles])
            self._archive.answer_as_host(self._info.id, number)

    def _set_version(self) -> None:
        """Publish the version of the session, and say if it has changed."""
        version = (self._session.history.seq, self._facts)
        if version != self.version:
            self._documents.clear()
            self._views.clear()
            self.version = version
            self._on_change()

    # -- calls of the page ----------------------------------------------------------------------------------------

    def document(self, role: Role) -> Document:
        """Return the state as a role sees it."""
        self._refresh()
        self._set_version()
        document = self._documents.get(role.id)
        if document is None:
            data = self._state(role)
            text = json.dumps(data, separators=(",", ":"))
            document = self._documents[role.id] = Document(self.version[0], self.version, data, text)
        return document

    def _state(self, role: Role) -> JsonDict:
        whole, screen_role = self._session, self._screen_role(role)
        session: SessionState = whole if screen_role == ALL else seat_view(whole, role.id)
        request, over = session.pending, whole.game.over(whole.position)
        html = screen_data(session, screen_role)
        html["question"] = ask_html(whole, role.id) + html["question"]
        return {
            "id": session.history.seq,
            "role": role.id,
            "session": session.info.name,
            "at": session.question_number,
            "mine": whole.is_open_to(role.seats, request) and not (over and request is None),
            "speak": html.pop("speak", ""),
            "html": html,
            "question": pending_data(session),
            "legal": legal_data(whole, self._seat(role)),
            "over": over,
            "trusted": trust_data(whole),
        }

    def _screen_role(self, role: Role) -> str:
        """The role as the views name it: a player alone answers for every seat."""
        people = [seat.id for seat in seats_of(self._session.game, self._session.options) if seat.is_person]
        return ALL if role.plays and people == [role.id] else role.id

    def _seat(self, role: Role) -> str:
        """The seat that sees and answers only what is its own; "" for a player of all seats."""
        return "" if self._screen_role(role) == ALL else role.id

    def view(self, role: Role, name: str, query: Mapping[str, str]) -> JsonDict:
        """Return a fragment of the page: log, map, rules, odds, notes or review. Raises Unreadable, NotReviewed."""
        self._refresh()
        self._set_version()
        if name == "review":
            return {"html": review_view(self._session, self._reviewed.review(self._session, self.version))}
        words = query.get({"log": "from", "rules": "q", "odds": "situation"}.get(name, ""), "")
        key = role.id, name, words
        if key not in self._views:  # odds can take long, and many pages ask for the same
            html = self._view(role, name, words)
            if len(self._views) >= _MAX_VIEWS:
                self._views.clear()
            self._views[key] = html
        return {"html": self._views[key]}

    def _view(self, role: Role, name: str, words: str) -> str:
        seat = self._screen_role(role)
        session = self._session if seat == ALL else seat_view(self._session, role.id)
        if name == "log":
            return log_view(session, seat, words)
        if name == "map":
            return map_view(session, seat)
        if name == "rules":
            return rules_view(session, words)
        if name == "odds":  # without values of the request, which would be recorded as printed facts
            return odds_view(session, words)
        return notes_view(session)

    def review(self) -> str:
        """Return the page of the review, once the game is over. Raises NotReviewed."""
        self._refresh()
        self._set_version()
        return self._reviewed.page(self._session, self.version)

    def answer(self, role: Role, body: JsonObject) -> Document:
        """Answer the open question. Raises Forbidden, Unreadable, Illegal; SessionMoved: another question is open."""
        at = text_field(body, "at")
        if not at:
            raise Unreadable("the answer names no question", cure="Send the number of the question as 'at'")
        session = self._session
        self._require_player(role)
        asked_key = self._key_at(at)
        self._refresh()
        seat = self._seat(role)
        asked, is_open = session.pending_for(seat), asked_part(session, at, seat)[1]
        if not is_open:
            if (at, role.id) not in self._answered:
                raise stale_question(session, at, seat)
        elif session.pending is not None and (asked is None or not session.is_open_to(role.seats, asked)):
            raise Forbidden("this question is for another seat", cure="Wait: its answer is shown as soon as it is given")
        answers = read_answers(body, asked.key if is_open and asked else asked_key)
        before = session.history.seq
        result = self._run_for(role, lambda: session.answer(answers, flag_field(body, "anyway"), at, seat))
        if asked is not None and session.history.seq == before and not result.repeated:
            raise Unreadable(f"no answer yet: {asked.prompt}", rule=asked.rule, cure=asked.expects() or "Send a value")
        self._answered[at, role.id] = None
        while len(self._answered) > _MAX_REMEMBERED:
            self._answered.popitem(last=False)
        return self.document(role)

    def _key_at(self, at: str) -> str:
        """The key of a question that was answered, or "". Raises Unreadable: it is no number of a question."""
        from companion.session.advance import parse_question_number

        number, place = parse_question_number(at)
        entry = self._session.history.entries.get(number)
        return entry.replies[place - 1].key if entry and 0 < place <= len(entry.replies) else ""

    def do(self, role: Role, body: JsonObject) -> Document:
        """Begin an action. Raises as `answer`."""
        action = text_field(body, "action")
        self._require_player(role)
        self._require_current(body)
        session = self._session
        if action not in {item.id for item in session.game.actions}:
            raise Unreadable("there is no such action", cure="Take one of 'legal'")
        if session.pending is None and not session.is_open_to(role.seats, None):
            raise Forbidden("another seat acts now", cure="Wait: its action is shown as soon as it is done")
        answers = read_answers({"values": body.get("values")}, "")
        self._run_for(role, lambda: session.do(action, answers, flag_field(body, "anyway")))
        return self.document(role)

    def undo(self, role: Role, body: JsonObject) -> Document:
        """Take back actions, or one answer. Raises as `answer`."""
        self._require_player(role)
        self._require_current(body)
        wanted = [name for name in ("count", "to", "reply") if body.get(name) not in (None, False)]
        if len(wanted) != 1:
            raise Unreadable("what is taken back is not clear", cure="Send one of 'count', 'to' and 'reply'")
        session, number = self._session, 0 if wanted == ["reply"] else number_field(body, *wanted, least=wanted == ["count"])
        if wanted == ["reply"]:
            self._run_for(role, lambda: session.undo_reply(self._seat(role)))
        else:
            self._run_for(role, lambda: session.undo_to(number) if wanted == ["to"] else session.undo(number))
        return self.document(role)

    def redo(self, role: Role, body: JsonObject) -> Document:
        """Restore what the last undo took back. Raises as `answer`."""
        self._require_player(role)
        self._require_current(body)
        self._run_for(role, self._session.redo)
        return self.document(role)

    def nonce(self, role: Role, body: JsonObject) -> Document:
        """Take the share of a seat for a trusted roll. Raises as `answer`."""
        self._require_player(role)
        self._refresh()
        at, nonce = text_field(body, "at"), text_field(body, "nonce")
        self._run_for(role, lambda: self._session.share(at, role.id, nonce))
        return self.document(role)

    def consent(self, role: Role, body: JsonObject) -> Document:
        """Allow or refuse a correction across a trusted roll. Raises as `answer`."""
        self._require_player(role)
        self._refresh()
        ask = self._session.history.trust.ask if self._session.is_trusted else None
        if ask is None or number_field(body, "id") != ask.seq:
            raise SessionMoved("that is not asked any more", cure="Look at what is shown now")
        allow = flag_field(body, "allow")
        self._run_for(role, lambda: self._session.consent(role.id, allow))
        return self.document(role)

    def trust(self, role: Role) -> JsonDict:
        """Return all rolls of a session with trusted dice, with the number of the state."""
        self._refresh()
        return {"id": self._session.history.seq, "role": role.id, "trusted": trust_data(self._session, 0)}

    def note(self, role: Role, body: JsonObject) -> Document:
        """Write a note. Raises as `answer`."""
        self._require_player(role)
        self._refresh()
        self._session.note(text_field(body, "text"))
        return self.document(role)

    def _run_for(self, role: Role, work: Callable[[], Result]) -> Result:
        """Run a call in which the answers are those of a role's seats."""
        self._session.answering, self._session.seat = role.seats, role.id
        try:
            return work()
        finally:
            self._session.answering, self._session.seat = (), ""

    @staticmethod
    def _require_player(role: Role) -> None:
        if not role.plays:
            raise Forbidden("this link only watches", cure="Open the link of a seat: the host shows it")

    def _require_current(self, body: JsonObject) -> None:
        """Check that the page shows the current state. Raises SessionMoved: it does not; Unreadable: it does not say."""
        self._refresh()
        seq = number_field(body, "at_id")
        if seq != self._session.history.seq:
            raise SessionMoved("the session has moved on", cure="Nothing of this is kept: look at what is shown now")


# -- fields of a request ---------------------------------------------------------------------------------------------------


def text_field(body: JsonObject, name: str) -> str:
    """Return a field with text; "" without it. Raises Unreadable: it is not text."""
    value = body.get(name)
    if value is not None and not isinstance(value, str):
        raise Unreadable(f"'{name}' is not text")
    return value or ""


def number_field(body: JsonObject, name: str, *, least: int = 0) -> int:
    """Return a field with a whole number. Raises Unreadable: there is none, or it is too small."""
    value = body.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise Unreadable(f"'{name}' is not a whole number from {least} on")
    return value


def flag_field(body: JsonObject, name: str) -> bool:
    """Return a field that is true or false; False without it. Raises Unreadable: it is something else."""
    value = body.get(name, False)
    if not isinstance(value, bool):
        raise Unreadable(f"'{name}' is neither true nor false")
    return value


def read_answers(body: JsonObject, key: str) -> Answers:
    """Return the answers of a request; `key`: that of the question that `value` answers. Raises Unreadable."""
    keyed = [(key, _answer(body["value"], "value"))] if body.get("value") is not None and key else []
    values = body.get("values")
    if isinstance(values, dict):
        keyed += [(name, _answer(value, name)) for name, value in values.items()]
    elif values is not None:
        if not (isinstance(values, list) and key):
            raise Unreadable("'values' is no object of keys and answers")
        keyed.append((key, _answer(values, "values")))
    dice = body.get("dice")
    if dice is not None and not (isinstance(dice, list) and all(type(face) is int for face in dice)):
        raise Unreadable("'dice' is no list of faces", cure="Like this: [3, 5, 2]")
    draw = body.get("draw")
    draws = [draw] if isinstance(draw, str) else draw or []
    if not (isinstance(draws, list) and all(isinstance(name, str) for name in draws)):
        raise Unreadable("'draw' is no name of a counter")
    return Answers(keyed, faces_of(dice or ()), draws, (), flag_field(body, "accept"))


def _answer(value: Any, name: str) -> ProgramAnswer:
    """Return one answer. Raises Unreadable: it is not one, nor a list of texts and numbers."""
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, str | int) for item in items):
        raise Unreadable(f"'{name}' is no answer", cure="Send text, a whole number, true or false, or a list of texts")
    return ProgramAnswer.of(value)
