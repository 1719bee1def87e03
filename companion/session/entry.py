"""A running entry: its procedure, the replies so far, and how to rewind it after a refusal or an adjustment."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from companion.core.errors import (
    BadData,
    CompanionError,
    Illegal,
    Impossible,
    NoPossibleAnswer,
    RuleFault,
    Unreadable,
    add_context,
    context_of,
)
from companion.core.events import Event, PieceFlipped, PieceMade, PieceMarked, PieceMoved, Said, TrackMoved, fold
from companion.core.game import Game
from companion.core.hints import TYPE_CHECKING, Any, Self, TypeVar
from companion.core.history import EFFECT_KINDS, FIRST, Entry, Reply, without_unrevealed
from companion.core.position import Position
from companion.core.procedures import AnyEffect, Procedure, ProcedureRun, ResolvedReply, start
from companion.core.referee import Referee
from companion.core.request import AnyRequest
from companion.core.resolver import ReplyResolver
from companion.core.sealed import SealedValue, unsealed

if TYPE_CHECKING:
    from companion.core.match import DecisionPoint

R = TypeVar("R")

SETUP = "setup"
"""The action of the first entry."""


class ReplyMismatch(Exception):
    """A stored reply does not answer the current question."""


@contextmanager
def reject_unawaited() -> Iterator[None]:
    """Raise RuleFault for a coroutine that was never awaited: its rule or question would be skipped, or fail elsewhere."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        except Exception as fault:
            if unawaited := _unawaited(caught):
                for note in context_of(fault):
                    unawaited.add_note(note)
                raise unawaited.with_traceback(fault.__traceback__) from None
            raise
    if unawaited := _unawaited(caught):
        raise unawaited
    for warning in caught:
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def _unawaited(caught: Sequence[warnings.WarningMessage]) -> RuleFault | None:
    """Return the fault of the first coroutine that was never awaited."""
    for warning in caught:
        text = str(warning.message)
        if "was never awaited" in text:
            from companion.session.author_faults import unawaited_text

            name = text.partition("'")[2].partition("'")[0]
            return RuleFault(unawaited_text(name), (warning.filename, warning.lineno))
    return None


def retry_insisting(refusal: Illegal, retry: Callable[[], R]) -> R:
    """Call `retry` for a player who insists.

    Raises:
        Impossible: It is refused again; with the text of the first refusal, and the cure of the second if it has none.
    """
    if isinstance(refusal, Impossible):
        raise refusal
    try:
        return retry()
    except (CompanionError, NoPossibleAnswer) as again:
        cure = refusal.cure or (again.cure if isinstance(again, CompanionError) else "")
        raise Impossible(refusal.message, rule=refusal.rule, cure=cure) from None


class RunningEntry:
    """One entry, run in memory.

    Args:
        start: The position before the entry.
        index: The number of random replies in force before it.
        anyway: The player insisted on the action itself.
        resolver: Runs effects; None to run them without storing anything.
        stored: Replies for `replay_stored`; effects take their own from it as they occur.

    Attributes:
        replies: Every reply so far, in order.
        new_replies: Those not in the log yet.

    Raises:
        BadData: The game no longer has such an action.
        CompanionError: The procedure raises before its first question.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, str],
        start: Position,
        number: int,
        action: str,
        index: int,
        anyway: bool = False,
        resolver: ReplyResolver | None = None,
        stored: Iterable[Reply] = (),
    ) -> None:
        self.game = game
        self.options = options
        self.start = start
        self.number = number
        self.action = action
        self.index = index
        self.anyway = anyway
        self.resolver = resolver
        self.stored = deque(stored)
        self.replies: list[Reply] = []
        self.new_replies: list[Reply] = []
        self._queue: deque[Reply] = deque()
        self._initial_events: list[Event] = []
        self._adjustments: dict[int, list[tuple[int, Sequence[Event]]]] = {}
        self.rewind()

    @classmethod
    def from_entry(
        cls,
        game: Game,
        options: Mapping[str, str],
        start: Position,
        entry: Entry,
        index: int = 0,
        resolver: ReplyResolver | None = None,
    ) -> Self:
        """Return an entry of the log at its start, with its replies stored."""
        return cls(game, options, start, entry.number, entry.action, index, entry.anyway, resolver, entry.replies)

    def _procedure(self, referee: Any) -> Procedure[None]:
        if self.action == SETUP:
            return start(self.game.setup, referee)
        for action in self.game.actions:
            if action.id == self.action:
                return action.run(referee)
        raise BadData(f"the game has no action '{self.action}' any more", cure="Take the action back: companion undo")

    def rewind(self) -> None:
        """Run the procedure from its start through the replies so far, to its next question."""
        self._queue = deque(self.replies)
        self.replies = []
        self.referee: Referee = self.game.new_referee(self.start, self.options)
        self._reply_count = self._events_at_reply = 0
        self.referee.schedule([(0, self._initial_events), *self._due_adjustments()])
        obstacle = self.game.obstacle_to(self.action, self.start) if self.anyway else None
        if obstacle:
            self.referee.say(f"Out of sequence, recorded anyway: {obstacle.text}", obstacle.rule, tone="warning")
        with self._naming_action(), reject_unawaited():
            self._run: ProcedureRun[None] = ProcedureRun(
                self.referee, self._procedure(self.referee), self._run_effect, self.anyway
            )
        while self._queue:
            reply = self._queue.popleft()
            self.replies.append(reply)
            if not reply.is_adjustment and reply.kind not in EFFECT_KINDS:
                self._send(reply)

    def _due_adjustments(self) -> list[tuple[int, Sequence[Event]]]:
        """Return the adjustments to insert after the replies so far, each with the number of events before it."""
        adjustments = self._adjustments.get(self._reply_count, ())
        return [(before + len(self._initial_events), events) for before, events in adjustments]

    def _run_effect(self, effect: AnyEffect) -> Any:
        """Run an effect, or return its stored value."""
        if not effect.stored:
            return effect.default_result()
        for queue in (self._queue, self.stored):
            if queue and (queue[0].key, queue[0].kind) == (effect.key, effect.kind):
                try:
                    value = effect.check(queue[0].value)
                except Unreadable:
                    break
                self.replies.append(queue.popleft())
                return value
        result = self._decide_by_rollouts(effect) if effect.kind == "think" else None
        if result is None:
            result = self.resolver.run_effect(effect) if self.resolver else ResolvedReply(effect.default_result(), "remembered")
        reply = Reply(effect.key, effect.kind, result.value, result.source, rule=effect.rule)
        self.replies.append(reply)
        self.new_replies.append(reply)
        return result.value

    def _decide_by_rollouts(self, effect: AnyEffect) -> ResolvedReply | None:
        """Return the decision by rollouts; None if the priorities decide."""
        # after an adjustment within the entry the replies alone do not lead to this position
        if self.resolver is None or not self.resolver.uses_rollouts or any(reply.is_adjustment for reply in self.replies):
            return None
        from companion.core.match import decide_by_rollouts
        from companion.core.rollouts import RolloutDecision, level_of
        from companion.session.thinking import limited, on_cores

        assert isinstance(effect, RolloutDecision)
        label = f"{self.resolver.seed}/{self.number}/{len(self.replies)}"
        playouts = self.resolver.playouts(self.options)
        seconds = level_of(self.options, effect.seat).seconds if self.resolver.chosen_playouts() is None else None
        with limited(self.resolver.on_progress, seconds) as watch:
            result: ResolvedReply = decide_by_rollouts(
                self.decision_point(), effect, playouts, label, watch, on_cores(self.resolver.jobs())
            )
        return result

    def decision_point(self, request: AnyRequest | None = None) -> DecisionPoint:
        """Return the point that the entry has reached, for rollouts from there; `request`: the part of a sealed question."""
        from companion.core.match import DecisionPoint

        facts = self.resolver.known_facts() if self.resolver else {}
        if request is None and hasattr(self, "_run"):  # an action that begins with a decision by rollouts has none yet
            request = self.request
        part = request.seat if request is not None and request.sealed else ""
        replies = tuple(without_unrevealed(self.replies) if part else self.replies)
        start, anyway = self.start, self.anyway
        return DecisionPoint(self.game, self.options, facts, start, self._procedure, replies, anyway=anyway, part=part)

    def _send(self, reply: Reply) -> None:
        self._run.turn_to(reply.seat)
        request = self._run.request
        if request is None:
            raise ReplyMismatch(f"no longer asks '{reply.question}'")
        value = request.check(unsealed(reply.value))
        self._reply_count += 1
        self._events_at_reply = len(self.referee.events)
        self.referee.schedule(self._due_adjustments())
        with self._naming_action(), reject_unawaited():
            self._run.send(value, reply.anyway)

    @contextmanager
    def _naming_action(self) -> Iterator[None]:
        """Note the action on an error that is a fault of the rules."""
        try:
            yield
        except Exception as fault:
            add_context(fault, action=self.action)
            raise

    @property
    def request(self) -> AnyRequest | None:
        """The current question; None when the entry is complete."""
        return self._run.request

    def request_for(self, seat: str) -> AnyRequest | None:
        """The current question as a seat is asked it: of a sealed one its part, None if it has answered or has none."""
        sealed = self.request.sealed if self.request else None
        return sealed.open_part(seat) if sealed and seat else self.request

    def turn_to(self, seat: str) -> None:
        """Put the part of a seat next, if the question is sealed and its part is open; "" for the first open one."""
        if (request := self.request) is not None and request.sealed is not None:
            self._run.turn_to(seat or request.sealed.open_seats[0])

    @property
    def is_look(self) -> bool:
        """True if the action only shows what is on the table."""
        return any(action.look for action in self.game.actions if action.id == self.action)

    @property
    def position(self) -> Position:
        return self.referee.position

    @property
    def next_roll(self) -> int:
        """The seed's index of the next roll or draw."""
        return self.index + sum(reply.is_random for reply in self.replies)

    def send(self, given: ResolvedReply, insist: bool = False) -> None:
        """Answer the question.

        Args:
            given: The resolved reply.
            insist: If the rules refuse it, send it again with ``anyway``.

        Raises:
            Illegal: The rules refuse it. Call `rewind` before using this object again.
            Impossible: They refuse it even if the player insists.
        """
        request = self.request
        assert request is not None
        reply = self._sealed(Reply(request.key, request.kind, given.value, given.source, given.anyway, request.rule))
        saved = list(self.replies), list(self.new_replies), dict(self.resolver.new_facts) if self.resolver else {}
        try:
            self._append_and_send(reply)
        except CompanionError as refusal:
            self._restore(*saved)
            if given.anyway or not isinstance(refusal, Illegal):
                raise
            self.rewind()
            try:
                retry_insisting(refusal, lambda: self._append_and_send(reply._replace(anyway=True)))
            except Impossible:
                self._restore(*saved)
                raise
            if not insist:
                self._restore(*saved)
                raise
        if self.resolver:
            self.resolver.remember(given)

    def _restore(self, replies: list[Reply], new: list[Reply], facts: Mapping[str, str]) -> None:
        """Drop a refused reply and the facts recorded on the way to it."""
        self.replies, self.new_replies = list(replies), list(new)
        if self.resolver:
            self.resolver.new_facts = dict(facts)

    def _sealed(self, reply: Reply) -> Reply:
        """The reply to the current question as it is stored; the last part of a sealed question reveals those before it."""
        sealed = self.request.sealed if self.request else None
        if sealed is None:
            return reply._replace(value=unsealed(reply.value), seat="", left=0) if reply.seat else reply
        assert self.request is not None
        seat, left = sealed.place_of(self.request.seat)
        value = SealedValue.of(unsealed(reply.value)) if left else unsealed(reply.value)
        return reply._replace(value=value, seat=seat, left=left)

    def _append_and_send(self, reply: Reply) -> None:
        self.replies.append(reply)
        self.new_replies.append(reply)
        self._send(reply)

    def mismatch(self, reply: Reply) -> str:
        """Return why a stored reply does not answer the current question; "" if it does."""
        self._run.turn_to(reply.seat)
        request = self.request
        if request is None:
            return f"no longer asks '{reply.question}'"
        if request.sealed is not None and reply.seat not in ("", request.seat):
            return f"no longer asks '{reply.seat}' for '{reply.question}'"
        if request.key != reply.key or reply.kind not in (request.kind, request.former_kind):
            return f"asks '{request.prompt}' where it used to ask '{reply.question}'"
        try:
            value = request.check(unsealed(reply.value))
        except CompanionError as fault:
            return f"no longer takes the answer to '{reply.question}': {fault.message}"
        return "" if reply.anyway else request.conflict(value)

    def adjust(self, reply: Reply) -> int:
        """Apply an adjustment at the open question, and ask again; return the number of events before those of the adjustment.

        The procedure is run again. If its replies still fit and lead to the table that the player sees, the adjustment is put
        before everything else, and the procedure sees it from its start. Otherwise it is put after the last change before the
        question, and the procedure goes on from the adjusted table; it may then ask something else, or nothing.

        Raises:
            ReplyMismatch: The procedure fails with it, or would ignore it; nothing has changed.
        """
        count = self._adjust_at_start(reply)
        if count < 0:
            if pinned := next(filter(None, map(self._pinned_change, reply.events)), ""):
                raise ReplyMismatch(f"has already used {pinned} as it was")
            count = self._apply_adjustment(reply)
        self.new_replies.append(self.replies[-1])
        return count

    def _pinned_change(self, event: Event) -> str:
        """Return the name of what an event changes although the action has pinned it; "" for nothing."""
        if isinstance(event, TrackMoved):
            return self.game.track_title(event.track) if event.track in self.referee.pinned else ""
        if isinstance(event, PieceMade):
            return event.place if event.place in self.referee.pinned else ""
        if isinstance(event, PieceMoved | PieceFlipped | PieceMarked):
            piece = self.position.pieces[event.id]
            places = (event.was, event.now) if isinstance(event, PieceMoved) else (piece.place,)
            return piece.name if self.referee.pinned & {event.id, *places} else ""
        return ""

    def _adjust_at_start(self, reply: Reply) -> int:
        """Insert an adjustment before everything else, if that leads to the same question and to the table that the player sees.

        Returns:
            The number of events before it; -1 if it leads elsewhere, and nothing has changed.
        """
        asked, seen, count = self.request, fold(reply.events, self.position), len(self._initial_events)
        try:
            self._apply_adjustment(reply._replace(value={**reply.value, FIRST: True}))
        except ReplyMismatch:
            return -1
        now = self.request
        same = now is not None and asked is not None and (now.key, now.kind) == (asked.key, asked.kind)
        if same and self.position == seen:
            return count
        self._initial_events = self._initial_events[:count]
        self.replies.pop()
        self.rewind()
        return -1

    def _apply_adjustment(self, reply: Reply) -> int:
        initial, count = list(self._initial_events), len(self._initial_events)
        adjustments = self._adjustments.setdefault(self._reply_count, [])
        replies, new = list(self.replies), list(self.new_replies)
        if reply.value.get(FIRST):
            self._initial_events = [*self._initial_events, *reply.events]
        else:
            # after the last change or adjustment since the last reply
            last_change = max((end for end, event in enumerate(self.referee.events, 1) if not isinstance(event, Said)), default=0)
            ends = (before + len(initial) + len(events) for before, events in adjustments)
            count = max(last_change, self._events_at_reply, *ends)
            adjustments.append((count - len(initial), reply.events))
        self.replies.append(reply)
        try:
            self.rewind()
        except Exception as fault:  # play must go on, whatever the rules do on a table that they do not foresee
            if self._initial_events == initial:
                adjustments.pop()
            self._initial_events = initial
            self.replies, self.new_replies = replies, new
            self.rewind()
            raise ReplyMismatch(f"does not go on with that: {_describe(fault)}") from None
        return count

    def replay(self, reply: Reply) -> None:
        """Give a stored reply or adjustment again. Automatic replies that are no longer needed are dropped.

        Raises:
            ReplyMismatch: It does not answer the current question, or the rules refuse it now.
        """
        if reply.kind in EFFECT_KINDS:
            return
        if reply.is_adjustment:
            if self.request is None:
                raise ReplyMismatch("no longer asks the question at which an adjustment was made")
            self._apply_adjustment(reply)
            return
        fault = self.mismatch(reply)
        if fault:
            raise ReplyMismatch(fault)
        replies, new = list(self.replies), list(self.new_replies)
        reply = self._sealed(reply)
        self.replies.append(reply)
        try:
            self._send(reply)
        except CompanionError as refusal:
            self.replies, self.new_replies = replies, new
            self.rewind()  # back to the question
            raise ReplyMismatch(f"refuses the answer to '{reply.key}': {refusal.message}") from None

    def replay_stored(self) -> None:
        """Give every stored reply again.

        Raises:
            ReplyMismatch: One of them does not fit.
        """
        while self.stored:
            self.replay(self.stored.popleft())


def asked_questions(game: Game, options: Mapping[str, str], start: Position, entry: Entry) -> list[str]:
    """Return the prompt of the question that each reply of an entry answered; "" from the first that does not fit any more."""
    prompts = [""] * len(entry.replies)
    with suppress(Exception):  # whatever has changed since: the rules, or the position before it
        running = RunningEntry.from_entry(game, options, start, entry)
        while running.stored:
            place, reply = len(entry.replies) - len(running.stored), running.stored.popleft()
            running.turn_to(reply.seat)
            if running.request is not None and running.request.key == reply.key:
                prompts[place] = running.request.prompt
            running.replay(reply)
    return prompts


def _describe(fault: Exception) -> str:
    if not isinstance(fault, CompanionError):
        return f"{type(fault).__name__}: {fault}"
    return f"{fault.message} [{fault.rule}]" if fault.rule else fault.message


def resume_entry(
    game: Game, options: Mapping[str, str], start: Position, entry: Entry, index: int, resolver: ReplyResolver
) -> RunningEntry:
    """Re-run an open entry from its replies; raise BadData if they no longer fit, because the rules have changed."""
    try:
        running = RunningEntry.from_entry(game, options, start, entry, index, resolver)
        running.replay_stored()
        fault = "" if running.request else "has nothing left to ask"
    except ReplyMismatch as misfit:
        fault = str(misfit)
    except CompanionError as refusal:
        fault = f"cannot be begun any more: {refusal.message}"
    except Exception as failure:  # after a fault in the rules the player can still take the entry back
        fault = f"fails in its rules: {type(failure).__name__}: {failure}"
    if fault:
        raise BadData(f"action {entry.number} {fault}; take the action back", cure="companion undo")
    return running
