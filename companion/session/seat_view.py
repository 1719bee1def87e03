"""A session as a seat sees it: without what only another seat may know.

The views take a `SeatView` in place of a session. What a seat sees of a position says `Game.visible`; its events follow from
that: an event that changes nothing visible is left out, and one that cannot be shown as it is becomes what the seat sees of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from companion.core.board_fix import board_fix
from companion.core.errors import Illegal
from companion.core.events import Event, FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved, Said, TrackMoved, apply
from companion.core.game import Game
from companion.core.hints import TYPE_CHECKING, Any, cast
from companion.core.history import Entry, History, Reply
from companion.core.position import Position
from companion.core.request import AnyRequest, OtherSeat
from companion.session.advance import Result
from companion.session.state import SessionState

if TYPE_CHECKING:
    from companion.core.match import AdvisedMove
    from companion.core.request import Odds
    from companion.session.entry import RunningEntry

HIDDEN = "hidden"
"""What a seat is shown in place of an answer of another seat in a game that hides something."""


def seat_view(session: SessionState, seat: str) -> SessionState:
    """Return the session as a seat sees it; the session itself without a seat."""
    return SeatView(session, seat) if seat else session


def shared_view(session: SessionState) -> SessionState:
    """Return the whole session in place of a view in which a seat sees all of it, so that views of it are made once."""
    return session.whole if isinstance(session, SeatView) and session.sees_all else session


def whole_session(session: SessionState) -> SessionState:
    """Return the session that a seat's view is of."""
    return session.whole if isinstance(session, SeatView) else session


def seat_result(session: SessionState, result: Result, seat: str) -> Result:
    """Return the result of a call as a seat sees it; the result itself without a seat."""
    game = session.game
    pending = cast(SeatView, seat_view(session, seat)).pending if seat else result.pending
    if not seat or not game.hides:
        return result._replace(pending=pending)
    before, after = game.visible(result.before, seat), game.visible(result.after, seat)
    events = tuple(seat_events(game, result.events, result.before, seat))
    fix = tuple(board_fix(before, after, game)) if result.fix else ()
    return result._replace(before=before, after=after, events=events, fix=fix, pending=pending, settled=(), taken=())


# -- events ------------------------------------------------------------------------------------------------------------


def seat_events(game: Game, events: Iterable[Event], before: Position, seat: str) -> Iterator[Event]:
    """Yield what a seat sees of events. `before`: the position before them, with everything."""
    position, seen = before, game.visible(before, seat)
    for event in events:
        if isinstance(event, Said):
            if not event.seats or seat in event.seats:
                yield event
            continue
        position = apply(position, event)
        now = game.visible(position, seat)
        if now == seen:
            continue
        if _leads_to(event, seen, now):
            yield event
        else:
            yield from _differences(seen, now, event.rule)
        seen = now


def _leads_to(event: Event, before: Position, after: Position) -> bool:
    if not isinstance(event, TrackMoved | FlagSet | PieceMade | Said) and event.id not in before.pieces:
        return False
    return apply(before, event) == after and (not isinstance(event, PieceMoved) or before.pieces[event.id].place == event.was)


def _differences(before: Position, after: Position, rule: str) -> Iterator[Event]:
    """Yield events that lead from one visible position to another; a piece that goes out of sight leaves for nowhere."""
    for track in {**before.tracks, **after.tracks}:
        if before.tracks.get(track) != after.tracks.get(track) and track in after.tracks:
            yield TrackMoved(track, before.track(track), after.track(track), rule)
    for flag in {**before.flags, **after.flags}:
        if before.flags.get(flag) != after.flags.get(flag):
            yield FlagSet(flag, before.flags.get(flag), after.flags.get(flag), rule)
    for piece_id in {**before.pieces, **after.pieces}:
        old, new = before.pieces.get(piece_id), after.pieces.get(piece_id)
        if new is None:
            assert old is not None
            yield PieceMoved(piece_id, old.place, "", rule)
            continue
        if old is None:
            yield PieceMade(piece_id, new.kind, new.name, new.place, new.face, new.values, rule)
        elif old.place != new.place:
            yield PieceMoved(piece_id, old.place, new.place, rule)
        if old is not None and old.face != new.face:
            yield PieceFlipped(piece_id, old.face, new.face, rule)
        for mark in {**(old.marks if old else {}), **new.marks}:
            was, value = old.marks.get(mark) if old else None, new.marks.get(mark)
            if was != value:
                yield PieceMarked(piece_id, mark, was, value, rule)


# -- the session -------------------------------------------------------------------------------------------------------


class SeatHistory(History):
    """The log of a session as a seat sees it, made from the log itself when it is read."""

    def __init__(self, history: History, game: Game, seat: str) -> None:
        self.__dict__.update(history.__dict__)
        self._whole, self._game, self._seat = history, game, seat
        self.entries = {number: self._seen(entry) for number, entry in history.entries.items()}

    def _seen(self, entry: Entry) -> Entry:
        replies = tuple(self._seen_reply(reply) for reply in entry.replies)
        if not self._game.hides or entry.events is None:
            return entry._replace(replies=replies)
        return entry._replace(replies=replies, events=_SeenEvents(self, entry))

    def _seen_reply(self, reply: Reply) -> Reply:
        if reply.seat == self._seat:
            return reply.revealed()
        is_public = reply.is_random or reply.seat or not self._game.hides
        return reply if is_public or reply.is_adjustment else reply._replace(value=HIDDEN)

    def position(self, before: int | None = None) -> Position:
        position = self._whole.position(before)
        return self._game.visible(position, self._seat)

    def events_of(self, entry: Entry) -> tuple[Event, ...]:
        """What the seat sees of an entry; nothing of one that was taken back, whose position before it is not kept."""
        if not self._whole.is_in_force(entry.number):
            return ()
        whole = self._whole.entries[entry.number].events or ()
        return tuple(seat_events(self._game, whole, self._whole.position(entry.number), self._seat))


class _SeenEvents(Sequence[Event]):
    """The events of an entry that a seat sees, found when they are first read."""

    def __init__(self, history: SeatHistory, entry: Entry) -> None:
        self._history, self._entry = history, entry
        self._events: tuple[Event, ...] | None = None

    def _all(self) -> tuple[Event, ...]:
        if self._events is None:
            self._events = self._history.events_of(self._entry)
        return self._events

    def __getitem__(self, index: Any) -> Any:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())


class SeatView(SessionState):
    """The state of a session as a seat sees it; for reading only."""

    def __init__(self, session: SessionState, seat: str) -> None:
        self.__dict__.update(session.__dict__)
        self._session = session
        self.seat = seat
        self._seen: tuple[int, History] = -1, session.history

    @property
    def whole(self) -> SessionState:
        """The session."""
        return self._session

    @property
    def sees_all(self) -> bool:
        """True if nothing is hidden from the seat now."""
        request = self._session.pending
        return not self.game.hides and (request is None or request.sealed is None)

    @property
    def history(self) -> History:
        whole = self._session.history
        if self.sees_all:
            return whole
        if self._seen[0] != whole.seq:
            self._seen = whole.seq, SeatHistory(whole, self.game, self.seat)
        return self._seen[1]

    @property
    def committed_position(self) -> Position:
        return self.game.visible(self._session.committed_position, self.seat)

    @property
    def position(self) -> Position:
        return self.game.visible(self._session.position, self.seat)

    @property
    def broken(self) -> str:
        return self._session.broken

    def running_entry(self) -> RunningEntry | None:
        return self._session.running_entry()

    @property
    def pending(self) -> AnyRequest | None:
        """The open question; of a sealed one the part of the seat, else who answers still."""
        request = self._session.pending
        if request is None:
            return None
        if request.sealed is None:
            return self._of_other_seat(request) or request
        if part := self._session.pending_for(self.seat):
            return part
        waits = ", ".join(self.game.seats.get(seat, seat) for seat in request.sealed.open_seats)
        return OtherSeat(request, f"Still asked, unseen: {waits}")

    def _of_other_seat(self, request: AnyRequest) -> AnyRequest | None:
        """Stand for a question to another seat in a game that hides something: its choices may name what this seat cannot see."""
        from companion.session.seats import asked_seat

        seat = asked_seat(self._session, request)
        if not self.game.hides or request.chance_setting or seat == self.seat:
            return None
        return OtherSeat(request, f"{self.game.seats.get(seat, seat)} decides")

    def odds(self) -> Odds:
        self._check_asked()
        return super().odds()

    def advised(self, think: str = "") -> AdvisedMove | None:
        if self.game.hides:  # policies and rollouts use the whole position
            what = "advice reckons with the whole table, of which this seat sees only a part"
            raise Illegal(what, cure="Decide without it; or, if you may see everything: companion bot")
        self._check_asked()
        return super().advised(think)

    def _check_asked(self) -> None:
        """Raise Illegal if the open question is another seat's, and hidden from this one."""
        request = self.pending
        if isinstance(request, OtherSeat):
            raise Illegal(request.prompt, rule=request.rule, cure="Wait for the answer: companion status")

    def events_of(self, number: int) -> Sequence[Event]:
        events = self._session.events_of(number)
        if not self.game.hides:
            return events
        if number != self.pending_entry:
            return self.history.find(number).events or ()
        return tuple(seat_events(self.game, events, self._session.committed_position, self.seat))
