"""The way through a played action that a review takes: where it is cut, and what else could have been decided.

Nothing is played on here: points and candidates are collected, which `core.review_playouts` plays on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from companion.core.candidates import Candidate
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.hints import Any
from companion.core.history import EFFECT_KINDS, Reply
from companion.core.match import SEEN, TRIED, AdvisedMove, DecisionPoint, PlannedAction, plan_to_input, recommend_for
from companion.core.named_tuple import NamedTuple
from companion.core.position import Position
from companion.core.procedures import AnyEffect, ProcedureRun, RuleFunction, ignore_progress
from companion.core.requests import AnyRequest, Choose, Confirm, Printed
from companion.core.review import Level, Part
from companion.core.rollouts import RolloutDecision
from companion.core.sealed import unsealed
from companion.core.values import ReplyValue

ACTION = "action"
"""Key and kind of the choice of an action, which answers no question."""
PLAYER, COMPANION = "player", "companion"
"""Who rolls or draws."""

_DECIDED = ("typed", "scripted", "suggested", "priorities", "playouts")  # Sources of replies that somebody decided
_SHOWN_ROLLS = 3


class PlayedEntry(NamedTuple):
    """An action as it was played.

    ``begun`` says how often each action was begun before in the same turn. ``after`` is the position that it led to, for an open
    action the one so far. ``procedure`` is None for a correction by hand.
    """

    number: int
    begun: Mapping[str, int]
    action: str
    before: Position
    after: Position
    replies: tuple[Reply, ...]
    procedure: RuleFunction | None
    anyway: bool = False
    is_open: bool = False

    @property
    def begun_after(self) -> Mapping[str, int]:
        """``begun`` of an action after this one in the same turn."""
        return {**self.begun, self.action: self.begun.get(self.action, 0) + 1}


class ReviewScope(NamedTuple):
    """The game that is reviewed, and what is wanted of it.

    ``facts`` are the known printed facts; ``is_compared`` says whether the alternatives of a seat's decisions are wanted,
    ``compares_companion`` also those of decisions by rollouts of seats that Companion plays.
    """

    game: Game
    options: Mapping[str, str]
    facts: Mapping[str, str]
    level: Level
    is_compared: Callable[[str], bool] = lambda seat: True
    compares_companion: bool = False

    def point(self, position: Position) -> DecisionPoint:
        """The point between two actions."""
        seat = self.game.players.acting_seat(position)
        return DecisionPoint(self.game, self.options, self.facts, position, seat=seat)


class Probe(NamedTuple):
    """A point that is played on: with a candidate taken there, or as it is.

    ``action`` is the one that the point is in, ``begun`` as in `PlayedEntry`.
    """

    point: DecisionPoint
    begun: Mapping[str, int]
    action: str = ""
    candidate: Any = None


class PlannedCut(NamedTuple):
    """A cut before its playouts."""

    reply: int
    part: Part
    who: str
    text: str
    probe: int


class ReviewOption(NamedTuple):
    """A candidate of a decision before its playouts."""

    text: str
    probe: int
    plan: str = ""
    reasons: tuple[str, ...] = ()


class Comparison(NamedTuple):
    """A decision before its playouts; the taken option is the first."""

    reply: int
    seat: str
    key: str
    kind: str
    rule: str
    prompt: str
    options: tuple[ReviewOption, ...]
    by_person: bool


class ActionReplay:
    """An action that is run again from its replies, one at a time."""

    def __init__(self, scope: ReviewScope, entry: PlayedEntry) -> None:
        assert entry.procedure is not None
        self.replies = deque(entry.replies)
        self.thought: list[tuple[int, RolloutDecision]] = []  # decisions by rollouts with the places of their replies
        self._count = len(entry.replies)
        referee = scope.game.new_referee(entry.before, scope.options)
        self._run = ProcedureRun(referee, entry.procedure(referee), self._settle, entry.anyway)

    @property
    def place(self) -> int:
        """The place of the next reply."""
        return self._count - len(self.replies)

    @property
    def request(self) -> AnyRequest | None:
        return self._run.request

    @property
    def referee(self) -> Any:
        return self._run.referee

    @property
    def position(self) -> Position:
        return self._run.referee.position

    def _settle(self, effect: AnyEffect) -> Any:
        if not effect.stored:
            return effect.default_result()
        if not self.replies or self.replies[0].kind not in EFFECT_KINDS:
            raise ValueError("the action has no such result")
        if isinstance(effect, RolloutDecision):
            self.thought.append((self.place, effect))
        return effect.check(self.replies.popleft().value)

    def send(self) -> None:
        """Give the next reply; the results of effects after it follow."""
        if self._run.request is None:
            raise ValueError("the action asks nothing more")
        reply = self.replies.popleft()
        self._run.turn_to(reply.seat)
        self._run.send(self._run.request.check(unsealed(reply.value)))

    def close(self) -> None:
        self._run.close()


class ActionWalk:
    """Goes through an action, and plans the cuts and comparisons.

    Attributes:
        probes: What is to be played on.
        cuts, comparisons: With the numbers of their probes.
        closing: Reply, part, who and text of the cut at the end of the action, if it is complete and has one (`is_closed`).
    """

    def __init__(self, scope: ReviewScope, entry: PlayedEntry) -> None:
        self._scope = scope
        self._players = scope.game.players
        self._entry = entry
        self._acting = scope.game.players.acting_seat(entry.before)
        self._known: dict[int, int] = {}  # probes by number of replies
        self._group: tuple[Part, str] | None = None
        self._texts: list[str] = []
        self.probes: list[Probe] = []
        self.cuts: list[PlannedCut] = []
        self.comparisons: list[Comparison] = []
        self.closing: tuple[int, Part, str, str] = (0, "rest", "", "")
        self.is_closed = False
        self._go()

    def _go(self) -> None:
        entry, replay = self._entry, ActionReplay(self._scope, self._entry)
        by_computer = self._players.is_computer_turn(entry.before, self._scope.options)
        planned, thought = self._begin_action(by_computer), 0
        while True:
            for place, effect in replay.thought[thought:]:
                self._enter(place, "decisions", effect.seat, effect.names[effect.from_reply(entry.replies[place].value).choice])
                self._compare_thought(place, effect)
            thought = len(replay.thought)
            if not replay.replies:
                break
            place, reply, request = replay.place, replay.replies[0], replay.request
            assert request is not None
            if reply.is_random:
                self._enter(place, "luck", PLAYER if reply.is_from_player else COMPANION, _rolled(reply))
            elif reply.source in _DECIDED and not isinstance(request, Printed):
                seat = self._players.asked_seat(request, self._acting)
                is_open = place >= planned and reply.is_from_player and not reply.seat  # else compared with the action
                compared = is_open and self._scope.is_compared(seat)
                found = self._options(place, reply, request, replay.referee, compared)
                if found is not None:
                    self._enter(place, "decisions", seat, f"{request.key}={request.to_input(reply.value)}")
                    if len(found) > 1:
                        head = place + 1, seat, request.key, request.kind, request.rule, str(request.prompt)
                        self.comparisons.append(Comparison(*head, found, by_person=True))
            replay.send()
        self._end(len(entry.replies))
        replay.close()

    def _end(self, place: int) -> None:
        if self._group is None:
            return
        if self._entry.is_open:
            self._cut(place)
        else:
            self.closing, self.is_closed = (place, *self._group, self._text()), True

    def _enter(self, place: int, part: Part, who: str, text: str) -> None:
        """Note a decision or a roll as the reply of that place; cut before it if something else comes before."""
        if self._group is not None and self._group != (part, who):
            self._cut(place)
        self._group = part, who
        self._texts += [text] if text else []

    def _cut(self, place: int) -> None:
        assert self._group is not None
        self.cuts.append(PlannedCut(place, *self._group, self._text(), self._probe(place)))
        self._texts = []

    def _text(self) -> str:
        part = self._group[0] if self._group else "rest"
        if part != "luck":
            return " ".join(self._texts)
        more = len(self._texts) - _SHOWN_ROLLS
        return "; ".join([*self._texts[:_SHOWN_ROLLS], *([f"{more} more"] if more > 0 else [])])

    # -- probes ------------------------------------------------------------------------------------------------------

    def _point(self, place: int) -> DecisionPoint:
        """The point of the action after so many replies."""
        scope, entry = self._scope, self._entry
        point = DecisionPoint(scope.game, scope.options, scope.facts, entry.before, entry.procedure)
        return point._replace(replies=entry.replies[:place], seat=self._acting)

    def _probe(self, place: int) -> int:
        """The number of the probe after so many replies."""
        if place not in self._known:
            self._known[place] = self._add(self._point(place))
        return self._known[place]

    def _add(self, point: DecisionPoint, candidate: Any = None) -> int:
        action = "" if point.procedure is None else self._entry.action
        self.probes.append(Probe(point, self._entry.begun, action, candidate))
        return len(self.probes) - 1

    # -- decisions ---------------------------------------------------------------------------------------------------

    def _begin_action(self, by_computer: bool) -> int:
        """Note the choice of the action if there was one; return the number of replies that are compared with it."""
        entry, scope = self._entry, self._scope
        first = next((place for place, reply in enumerate(entry.replies) if reply.is_random), len(entry.replies))
        if not self._is_choice():
            return 0
        self._enter(0, "decisions", self._acting, entry.action)
        if by_computer or not scope.is_compared(self._acting):
            return 0
        point = scope.point(entry.before)
        referee = scope.game.new_referee(entry.before, scope.options)
        try:
            advised = recommend_for(point, referee, None, 0, f"review/{entry.number}", ignore_progress)
        except CompanionError:
            return 0
        if advised is None or advised.plan is None:
            return 0
        candidates = _candidates(advised)
        end = self._own_end(first)
        own = entry.replies[:end]
        taken = " ".join([entry.action, *(_typed(reply) for reply in own if reply.source in _DECIDED)])
        options = [ReviewOption(taken, self._probe(end))]
        for candidate in candidates:
            if len(options) == scope.level.alternatives:
                break
            if not _is_same(candidate.decision, entry.action, own):
                probe = self._add(point, candidate.decision)
                options.append(ReviewOption(plan_to_input(candidate.decision), probe, candidate.plan, candidate.reasons))
        if len(options) < 2:
            return 0
        self.comparisons.append(Comparison(0, self._acting, ACTION, ACTION, "", "", tuple(options), by_person=True))
        return end

    def _is_choice(self) -> bool:
        """True if another usual action was open."""
        action, position = self._entry.action, self._entry.before
        usual = [one for one in self._scope.game.actions if one.usual and not one.look and one.id != action]
        return any(one.obstacle(position) is None for one in usual)

    def _own_end(self, first: int) -> int:
        """The number of replies before the first roll and before the first decision of another seat."""
        replay = ActionReplay(self._scope, self._entry)
        try:
            while replay.place < first and replay.replies and replay.request is not None and not replay.thought:
                reply = replay.replies[0]
                if reply.source in _DECIDED and self._players.asked_seat(replay.request, self._acting) != self._acting:
                    break
                replay.send()
            place = min([replay.place, first, *(place for place, _ in replay.thought)])
        finally:
            replay.close()
        return place

    def _compare_thought(self, place: int, effect: RolloutDecision) -> None:
        """Compare the candidates of a decision by rollouts, if that is wanted."""
        scope, reply = self._scope, self._entry.replies[place]
        if not (scope.compares_companion and scope.is_compared(effect.seat)):
            return
        taken, point = effect.from_reply(reply.value).choice, self._point(place)
        options = [ReviewOption(effect.names[taken], self._probe(place + 1))]
        for number in [number for number in range(len(effect.names)) if number != taken][: scope.level.alternatives - 1]:
            tried = Reply(effect.key, effect.kind, [number], TRIED)
            options.append(ReviewOption(effect.names[number], self._add(point, tried)))
        head = place + 1, effect.seat, effect.key, effect.kind, effect.rule, ""
        self.comparisons.append(Comparison(*head, tuple(options), by_person=False))

    def _options(
        self, place: int, reply: Reply, request: AnyRequest, referee: Any, compared: bool
    ) -> tuple[ReviewOption, ...] | None:
        """The options of an answer, the taken one first, alone if the others are not compared; None if nothing was decided."""
        scope = self._scope
        taken = ReviewOption(_shown(request, reply.value), self._probe(place + 1) if compared else -1)
        if not compared:
            return (taken,)
        point = self._point(place)
        try:
            advised = recommend_for(point, referee, request, 0, f"review/{self._entry.number}/{place}", ignore_progress)
        except CompanionError:
            advised = None
        if advised is not None and advised.said.text == SEEN:
            return None
        candidates: dict[str, tuple[ReplyValue, Candidate[PlannedAction] | None]] = {}
        for one in _candidates(advised) if advised else ():
            for value in one.decision.answers.values():
                candidates[_key(value)] = value, one
        if isinstance(request, Choose | Confirm):
            choices = request.legal_choices()
            if len(choices) <= scope.level.alternatives:
                for choice in choices:
                    with suppress(CompanionError):
                        value = request.read(choice.value)
                        candidates.setdefault(_key(value), (value, None))
        candidates.pop(_key(reply.value), None)
        options = [taken]
        for value, candidate in list(candidates.values())[: scope.level.alternatives - 1]:
            probe = self._add(point, value)
            plan, reasons = ("", ()) if candidate is None else (candidate.plan, candidate.reasons)
            options.append(ReviewOption(_shown(request, value), probe, plan, reasons))
        return tuple(options)


def _candidates(advised: AdvisedMove) -> Sequence[Candidate[PlannedAction]]:
    """What an advice compared; the advised alone if it rests on no comparison."""
    if advised.candidates or advised.plan is None:
        return advised.candidates
    return (Candidate(advised.plan, advised.input_text, reasons=advised.said.because),)


def _key(value: ReplyValue) -> str:
    return repr(list(value) if isinstance(value, tuple) else value)


def _shown(request: AnyRequest, value: ReplyValue) -> str:
    """An answer as it is typed, with its title."""
    text = request.to_input(value)
    title = request.display(value).removeprefix(text).strip()
    return f"{text} ({title})" if title else text


def _typed(reply: Reply) -> str:
    return plan_to_input(PlannedAction("", {reply.key: reply.value})).strip()


def _rolled(reply: Reply) -> str:
    value = unsealed(reply.value)
    return f"{reply.question}: {', '.join(map(str, value)) if isinstance(value, list | tuple) else value}"


def _is_same(plan: PlannedAction, action: str, replies: Sequence[Reply]) -> bool:
    """True if what was done is what a plan says."""
    given = {reply.key: _key(reply.value) for reply in reversed(replies)}
    return plan.action == action and all(given.get(key) == _key(value) for key, value in plan.answers.items())
