"""The luck of a session's rolls, and what its decisions lost.

A position is worth its victory points as if the game ended there. Entries are replayed to their rolls, and each outcome is
played on by the procedure itself (`core.luck`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import isfinite
from time import process_time
from typing import Any, NamedTuple

from companion.core import luck
from companion.core.events import fold
from companion.core.history import EFFECT_KINDS, Entry, Reply
from companion.core.luck import RecordedRun, RollLuck
from companion.core.match import DecisionPoint
from companion.core.position import Position
from companion.core.procedures import AnyEffect, ProcedureRun, Progress
from companion.core.requests import AnyRequest, Choose, Confirm
from companion.core.text import clean
from companion.core.values import Json, ReplyValue
from companion.session.analysis import AnalysisCache
from companion.session.entry import SETUP
from companion.session.state import SessionState

UNIT = "VP"
TIME_LIMIT = 60.0
"""Seconds of processor time; rolls not weighed by then are skipped."""
_NO_TIME = "no time was left"
_RULES_CHANGED = "today's rules play its action differently"
_CORRECTED = "its action was adjusted or recorded against the rules"


class WeighedRoll(NamedTuple):
    """A roll and its luck.

    Attributes:
        entry, reply: The numbers that ``amend`` takes.
        key, rule: Of the question.
        vp: Its values in victory points.
        value: Its values by the opponent's valuation of the board.
        side: The seat that the points count for.
    """

    entry: int
    reply: int
    turn: int
    key: str
    rule: str
    by_player: bool
    faces: tuple[int, ...]
    vp: RollLuck
    value: RollLuck
    side: str

    @property
    def title(self) -> str:
        """What was rolled for, in words."""
        return self.key.replace("_", " ")

    @property
    def expected(self) -> float:
        """The VP that it gains on average."""
        return self.vp.expected - self.vp.before

    @property
    def actual(self) -> float:
        """The VP that it gained."""
        return self.vp.actual - self.vp.before

    @property
    def unit(self) -> str:
        return UNIT

    @property
    def percentile(self) -> float:
        """The share of outcomes that gain less, plus half of those that gain the same, from 0 to 1."""
        return self.vp.percentile


class LuckShare(NamedTuple):
    """The luck of some rolls: their number, how many of them matter, the sum in VP and its standard error."""

    rolls: int
    relevant: int
    luck: float
    error: float

    @property
    def errors(self) -> float:
        """The luck in standard errors; 0 if nothing depends on the dice."""
        return self.luck / self.error if self.error else 0.0


class SessionLuck(NamedTuple):
    """The luck of a session.

    Attributes:
        rolls: The rolls that could be weighed, in order.
        skipped: Reason -> number of rolls skipped.
        start_score, current_score: The score after the set-up and now, in VP.
        side: The seat that the points count for.
    """

    rolls: tuple[WeighedRoll, ...]
    skipped: Mapping[str, int]
    start_score: float
    current_score: float
    side: str

    @property
    def total(self) -> LuckShare:
        return combined(roll.vp for roll in self.rolls)

    @property
    def rest(self) -> float:
        """What everything but the dice gained: the change of the score less the luck."""
        return self.current_score - self.start_score - self.total.luck


def combined(lucks: Iterable[RollLuck]) -> LuckShare:
    """Return the luck of some rolls together; their variances add up, since rolls are independent."""
    rolls = list(lucks)
    error = sum(roll.variance for roll in rolls) ** 0.5
    return LuckShare(len(rolls), sum(roll.matters for roll in rolls), sum(roll.luck for roll in rolls), error)


class _Weigher:
    """Weighs the rolls of a session, entry by entry."""

    def __init__(self, session: SessionState, seconds: float, runs: int) -> None:
        self.session = session
        self.until = process_time() + seconds
        self.runs = runs
        self.players = session.game.players
        self.side = self.players.seats[0]
        self.skipped: Counter[str] = Counter()
        self.done = 0
        self.total = sum(_roll_count(entry) for entry in session.history.in_force)
        self.cache = AnalysisCache(session, "luck", str(runs))

    def score(self, position: Position) -> float:
        """Return the VP if the game ended there."""
        return float(self.session.game.score(position, self.session.options).total)

    def value(self, position: Position) -> float:
        """Return the value of a position by the opponent's valuation."""
        return self.players.value(position, self.session.options, self.side)

    def rolls(self) -> Iterator[WeighedRoll]:
        """Yield every roll that can be weighed."""
        position = Position()
        for entry in self.session.history.in_force:
            if _roll_count(entry):
                yield from self._entry_rolls(entry, position)
            else:
                self.cache.pass_entry(entry)
            position = fold(entry.events or (), position)

    def _entry_rolls(self, entry: Entry, before: Position) -> list[WeighedRoll]:
        """Return the rolls of an entry that can be weighed, from the cache if they were weighed before."""
        key = self.cache.pass_entry(entry)
        found = self._read_rolls(self.cache.find(key), entry, before)
        if found is None:
            skipped = self.skipped.copy()
            found = list(self._weigh_entry(entry, before)), self.skipped - skipped
            if _NO_TIME not in found[1]:
                lucks = [[roll.reply, _luck_data(roll.vp), _luck_data(roll.value)] for roll in found[0]]
                self.cache.add(key, entry.number, [lucks, dict(found[1])])
        else:
            self.done += _roll_count(entry)
            self.skipped += found[1]
        return found[0]

    def _read_rolls(self, data: Json, entry: Entry, before: Position) -> tuple[list[WeighedRoll], Counter[str]] | None:
        """Return what the cache keeps of an entry; None if that is nothing, or cannot be read."""
        with suppress(AttributeError, KeyError, OverflowError, TypeError, ValueError):
            lucks, skipped = data
            turn = self.players.turn(before)
            indexes = {index + 1: index for index, reply in enumerate(entry.replies) if reply.kind == "roll"}
            rolls = [
                self._weighed(entry, indexes[number], turn, (_read_luck(*vp), _read_luck(*value))) for number, vp, value in lucks
            ]
            return rolls, Counter({clean(reason): int(count) for reason, count in skipped.items()})
        return None

    def _weighed(self, entry: Entry, index: int, turn: int, lucks: Sequence[RollLuck]) -> WeighedRoll:
        reply, (vp, value) = entry.replies[index], lucks
        head = entry.number, index + 1, turn, reply.key, reply.rule, reply.is_from_player
        return WeighedRoll(*head, tuple(reply.value), vp, value, self.side)

    def _weigh_entry(self, entry: Entry, before: Position) -> Iterator[WeighedRoll]:
        point = _entry_start(self.session, entry, before)
        run = self._recorded_run(entry, point) if point else _RULES_CHANGED
        if isinstance(run, str):
            self.skipped[run] += _roll_count(entry)
            self.done += _roll_count(entry)
            return
        turn = self.players.turn(before)
        for index, reply in enumerate(entry.replies):
            if reply.kind == "roll" and (lucks := self._weigh_roll(run, index)):
                yield self._weighed(entry, index, turn, lucks)
        run.close()

    def _recorded_run(self, entry: Entry, point: DecisionPoint) -> RecordedRun | str:
        """Run an entry again; return why it cannot be weighed if that is so."""
        if entry.anyway or any(reply.anyway or reply.is_adjustment for reply in entry.replies):
            return _CORRECTED
        if process_time() > self.until:
            return _NO_TIME
        try:
            run = RecordedRun(point)
        except luck.ReplayMismatch:
            return _RULES_CHANGED
        return run if entry.is_open or run.end == fold(entry.events or (), point.start) else _RULES_CHANGED

    def _weigh_roll(self, run: RecordedRun, index: int) -> Sequence[RollLuck] | None:
        self.done += 1
        self.session.watch(Progress(self.done, self.total + 1, ""))
        if process_time() > self.until:
            self.skipped[_NO_TIME] += 1
            return None
        try:
            return run.roll_luck(index, (self.score, self.value), self.runs)
        except luck.ReplayMismatch as fault:
            self.skipped[str(fault)] += 1
            return None


def _luck_data(luck: RollLuck) -> list[Any]:
    return [luck.before, [list(outcome) for outcome in luck.chances.items()], luck.actual]


def _read_luck(before: float, chances: list[tuple[float, float]], actual: float) -> RollLuck:
    return RollLuck(_finite(before), {_finite(worth): _finite(chance) for worth, chance in chances}, _finite(actual))


def _finite(value: float) -> float:
    if not isfinite(value):
        raise ValueError
    return float(value)


def _entry_start(session: SessionState, entry: Entry, before: Position) -> DecisionPoint | None:
    """Return the point before an entry's first question; None if the game no longer has its action."""
    run = next((action.run for action in session.game.actions if action.id == entry.action), None)
    facts = session.log.facts()
    return run and DecisionPoint(session.game, session.options, facts, before, run, entry.replies, anyway=entry.anyway)


def _roll_count(entry: Entry) -> int:
    """Return the number of rolls of an entry; those of the set-up are not counted."""
    return 0 if entry.action == SETUP else sum(reply.kind == "roll" for reply in entry.replies)


def session_luck(session: SessionState, seconds: float = TIME_LIMIT, runs: int = luck.MAX_BRANCHES) -> SessionLuck:
    """Return the luck of a session. Takes some milliseconds a roll; ``session.watch`` is called with the progress."""
    from companion.session.simulation import rare_garbage_collection

    weigher = _Weigher(session, seconds, runs)
    in_force = session.history.in_force
    setup = in_force[0].events or () if in_force else ()
    try:
        with rare_garbage_collection():
            rolls = tuple(weigher.rolls())
    finally:
        weigher.cache.write()
        session.watch(Progress(1, 1, ""))
    return SessionLuck(rolls, weigher.skipped, weigher.score(fold(setup)), weigher.score(session.position), weigher.side)


def luck_by_entry(session: SessionState, seconds: float = TIME_LIMIT) -> dict[int, list[WeighedRoll]]:
    """Return the rolls that matter, by entry."""
    rolls: dict[int, list[WeighedRoll]] = {}
    for roll in session_luck(session, seconds).rolls:
        if roll.vp.matters:
            rolls.setdefault(roll.entry, []).append(roll)
    return rolls


RUNS_PER_ANSWER = 60
"""Continuations followed per answer."""
MAX_ANSWERS = 12
"""Questions with more answers are not weighed."""
MIN_LOSS = 0.005
"""VP from which on a loss is reported."""


class DecisionLoss(NamedTuple):
    """A decision and the value of its answers, in VP.

    Attributes:
        entry, reply: The numbers that ``amend`` takes.
        key, rule: Of the question.
        taken, best: Answers as the question shows them.
        given: The VP by which the best answer exceeds the one taken.
    """

    entry: int
    reply: int
    key: str
    rule: str
    taken: str
    best: str
    given: float


def decision_losses(session: SessionState, seconds: float = 60.0) -> list[DecisionLoss]:
    """Return the player's decisions with odds and few answers that lost something, in order."""
    until, losses, position = process_time() + seconds, list[DecisionLoss](), Position()
    for entry in session.history.in_force:
        if process_time() < until and (point := _entry_start(session, entry, position)):
            losses += _entry_losses(session, entry, point)
        position = fold(entry.events or (), position)
    return losses


def _entry_losses(session: SessionState, entry: Entry, point: DecisionPoint) -> Iterator[DecisionLoss]:
    for index, reply in enumerate(entry.replies):
        # what another answer to a sealed question is worth depends on what the seat could not see
        if reply.is_from_player and not reply.seat and reply.kind in (Choose.kind, Confirm.kind):
            request = _question_after(point, point.replies[:index])
            loss = request and _weigh_decision(session, entry.number, index, point, request)
            if loss and loss.given > MIN_LOSS:
                yield loss


def _question_after(point: DecisionPoint, replies: Sequence[Reply]) -> AnyRequest | None:
    """Return the question after these replies if it has odds and few answers, else None."""
    queue = list(replies)

    def run_effect(effect: AnyEffect) -> Any:
        return queue.pop(0).value if effect.stored and queue and queue[0].kind in EFFECT_KINDS else effect.default_result()

    referee = point.game.new_referee(point.start, point.options)
    assert point.procedure is not None
    try:
        run = ProcedureRun(referee, point.procedure(referee), run_effect)
        while queue and run.request is not None:
            reply = queue.pop(0)
            run.turn_to(reply.seat)
            run.send(reply.value)
    except Exception:  # whatever today's rules do with an old action
        return None
    request = run.request
    has_few_answers = isinstance(request, Choose | Confirm) and 1 < len(request.legal_choices()) <= MAX_ANSWERS
    return request if has_few_answers and request is not None and request.odds is not None else None


def _weigh_decision(
    session: SessionState, entry: int, index: int, point: DecisionPoint, request: AnyRequest
) -> DecisionLoss | None:
    """Return the decision with its best answer for the seat that took it; None if an answer cannot be played on."""
    players, options = session.game.players, session.options
    sign = 1 if players.asked_seat(request, players.acting_seat(point.start)) == players.seats[0] else -1
    before, reply = point.replies[:index], point.replies[index]

    def score(position: Position) -> float:
        return sign * float(session.game.score(position, options).total)

    def expected_score(answer: ReplyValue) -> float:
        return luck.expected_value(luck.follow_branches(point, (*before, reply._replace(value=answer)), RUNS_PER_ANSWER), score)

    answers = {choice.label: request.read(choice.value) for choice in request.legal_choices()}
    taken = next((label for label, answer in answers.items() if answer == reply.value), "")
    if not taken:
        return None
    try:
        scores = {label: expected_score(answer) for label, answer in answers.items()}
    except luck.ReplayMismatch:
        return None
    best = max(answers, key=lambda label: scores[label])
    return DecisionLoss(entry, index + 1, reply.key, reply.rule, taken, best, scores[best] - scores[taken])
