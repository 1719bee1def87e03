"""Exercises: decisions of games with what each alternative is worth, and when they are asked again.

A set of exercises of a game is one document. Its positions are stored as differences to a few whole ones, so that it stays small.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from companion.core.errors import BadData
from companion.core.events import fast_new
from companion.core.hints import Any, TypeVar
from companion.core.history import Reply
from companion.core.named_tuple import NamedTuple
from companion.core.position import FlagValue, Piece, Position
from companion.core.review import (
    CERTAIN,
    Alternative,
    Estimate,
    Grade,
    ReviewedDecision,
    certain_after_choice,
    grade_of,
    share_of_loss,
)
from companion.core.values import Json, JsonDict, JsonObject

T = TypeVar("T")

ACTION = "action"
"""The key of a decision that is the choice of an action."""
INTERVALS = (1, 3, 7, 16, 35)
"""Days until an exercise is asked again, after so many right answers in sequence; the last one repeats."""


TOLERANCE = 0.02
"""Loss of the chance to win from which an answer is wrong if it is surely worse than the best. It is less than an inaccuracy of a
review, since the answers of an exercise are compared in many worlds.
"""


class Exercise(NamedTuple):
    """A decision to be made again.

    Attributes:
        id: Stays the same as long as position and question do.
        options: Of the session, with the scenario.
        facts: What is printed on the components.
        position: Before the action.
        action: The running action; "" where the next one is chosen.
        replies: Its replies so far.
        decision: The question with its alternatives.
        vp_per_win: VP that count like a whole chance to win.
        source: The name of the player's own session; "" for an exercise of the set.
    """

    id: str
    options: Mapping[str, str]
    facts: Mapping[str, str]
    position: Position
    action: str
    replies: tuple[Reply, ...]
    decision: ReviewedDecision
    vp_per_win: float
    anyway: bool = False
    source: str = ""

    @property
    def best(self) -> Alternative:
        return self.decision.alternatives[0]

    @property
    def counts_wins(self) -> bool:
        """True if the chance to win of every alternative is known."""
        return all(alternative.win_loss is not None for alternative in self.decision.alternatives)

    def loss(self, alternative: Alternative) -> Estimate:
        """What an alternative costs as a share of a whole chance to win."""
        return share_of_loss(alternative, self.vp_per_win, in_vp=not self.counts_wins)

    def grade(self, alternative: Alternative) -> Grade:
        """The grade of an alternative by what it costs."""
        return grade_of(self.loss(alternative), self.certain(alternative))

    def certain(self, alternative: Alternative) -> float:
        """Standard errors that an alternative must be behind the best one by.

        The best of an exercise of the set was chosen in other worlds, and what the player took was compared so by the review.
        """
        is_unbiased = not self.source or alternative.is_taken
        return CERTAIN if is_unbiased else certain_after_choice(len(self.decision.alternatives))

    def is_as_good(self, alternative: Alternative) -> bool:
        """True if the worlds do not tell an alternative from the best one."""
        loss = self.loss(alternative)
        return loss.mean <= self.certain(alternative) * loss.error

    def is_cheap(self, alternative: Alternative) -> bool:
        """True if an alternative costs too little to matter."""
        return self.loss(alternative).mean < TOLERANCE

    def is_right(self, alternative: Alternative) -> bool:
        """True if an alternative is as good as the best one, or not surely worse."""
        return is_right_loss(self.loss(alternative), self.certain(alternative))


def is_right_loss(loss: Estimate, certain: float = CERTAIN) -> bool:
    """True if an answer with this loss of the chance to win is right.

    >>> [is_right_loss(Estimate(loss, 0.01)) for loss in (0.0, 0.015, 0.025)], is_right_loss(Estimate(0.1, 0.06))
    ([True, True, False], True)
    """
    return loss.mean < TOLERANCE or loss.mean < certain * loss.error


def separates(losses: Sequence[Estimate]) -> bool:
    """True if an exercise has right and wrong answers, and every wrong one is surely worse than the best, the first.

    >>> separates([Estimate(0.0), Estimate(0.01, 0.02), Estimate(0.2, 0.05)])
    True
    >>> separates([Estimate(0.0), Estimate(0.2, 0.15)]), separates([Estimate(0.0), Estimate(-0.1, 0.02), Estimate(0.2, 0.05)])
    (False, False)
    """
    wrong = [loss for loss in losses[1:] if not is_right_loss(loss)]
    return bool(wrong) and all(loss.mean > -CERTAIN * loss.error or loss.mean >= 0 for loss in losses[1:])


# -- positions -----------------------------------------------------------------------------------------------------------


def _difference(before: Mapping[str, T], after: Mapping[str, T], write: Callable[[T, T | None], Json]) -> JsonDict:
    """What leads from one table to another with its order: removed keys, changed values, and what comes last."""
    places = {key: place for place, key in enumerate(before)}
    kept: list[str] = []
    last = -1
    for key in after:
        place = places.get(key, -1)
        if place <= last:
            break
        kept.append(key)
        last = place
    same = set(kept)
    data = {
        "gone": [key for key in before if key not in after],
        "new": {key: write(after[key], before.get(key)) for key in kept if after[key] != before[key]},
        "last": {key: write(value, before.get(key)) for key, value in after.items() if key not in same},
    }
    return {name: part for name, part in data.items() if part}


def _changed(before: Mapping[str, T], data: JsonObject, read: Callable[[Any, T | None], T]) -> dict[str, T]:
    """The table that a difference leads to."""
    new, last, gone = data.get("new", {}), data.get("last", {}), set(data.get("gone", ()))
    table = {
        key: read(new[key], value) if key in new else value
        for key, value in before.items()
        if key not in gone and key not in last
    }
    return {**table, **{key: read(value, before.get(key)) for key, value in last.items()}}


def _write_piece(piece: Piece, old: Piece | None) -> JsonDict:
    fields = piece._asdict()
    usual = old._asdict() if old else {"face": "front", "values": {}, "marks": {}}
    return {name: _plain(value) for name, value in fields.items() if name != "id" and usual.get(name) != value}


def _plain(value: Any) -> Json:
    return dict(value) if isinstance(value, Mapping) else value


def _read_piece(id: str) -> Callable[[Any, Piece | None], Piece]:
    def read(data: Any, old: Piece | None) -> Piece:
        return old._replace(**data) if old else Piece(id, **data)

    return read


def _read_flag(data: Any, old: FlagValue) -> FlagValue:
    return tuple(data) if isinstance(data, list) else data


def position_difference(before: Position, after: Position) -> JsonDict:
    """What leads from one position to another, as plain data: tracks, flags and pieces, in their order."""
    return {
        "tracks": _difference(before.tracks, after.tracks, lambda now, was: now),
        "flags": _difference(before.flags, after.flags, lambda now, was: list(now) if isinstance(now, tuple) else now),
        "pieces": _difference(before.pieces, after.pieces, _write_piece),
    }


def changed_position(before: Position, data: JsonObject) -> Position:
    """The position that a difference leads to.

    >>> one = Position({"turn": 1}, {"a": Piece("a", "unit", "A", "x"), "b": Piece("b", "unit", "B", "x")}, {"sky": "dark"})
    >>> two = one.with_piece(one.piece("a")._replace(place="y"), last=True).with_track("turn", 2).with_flag("seen", ("a", "b"))
    >>> again = changed_position(one, json.loads(json.dumps(position_difference(one, two))))
    >>> again == two, list(again.pieces)
    (True, ['b', 'a'])
    """
    pieces = data["pieces"]
    named = {key: _read_piece(key) for part in ("new", "last") for key in pieces.get(part, {})}
    read = {part: {key: (key, value) for key, value in pieces.get(part, {}).items()} for part in ("new", "last")}
    return Position(
        _changed(before.tracks, data["tracks"], lambda now, was: int(now)),
        _changed(before.pieces, {**pieces, **read}, lambda item, old: named[item[0]](item[1], old)),
        _changed(before.flags, data["flags"], _read_flag),
    )


# -- decisions -----------------------------------------------------------------------------------------------------------


def _estimate(data: Any) -> Estimate:
    mean, error = data
    return Estimate(float(mean), float(error))


def _optional_estimate(data: Any) -> Estimate | None:
    return None if data is None else _estimate(data)


def _rounded(estimate: Estimate | None) -> list[float] | None:
    return None if estimate is None else [round(estimate.mean, 4), round(estimate.error, 4)]


def decision_data(decision: ReviewedDecision) -> JsonDict:
    """A reviewed decision as plain data."""
    rows = [
        [one.text, _rounded(one.vp), _rounded(one.win), _rounded(one.loss), _rounded(one.win_loss), one.is_taken, one.plan]
        for one in decision.alternatives
    ]
    return {
        "turn": decision.turn,
        "seat": decision.seat,
        "key": decision.key,
        "kind": decision.kind,
        "rule": decision.rule,
        "best": decision.best,
        "reason": decision.reason,
        "alternatives": rows,
    }


def read_decision(data: JsonObject) -> ReviewedDecision:
    """A reviewed decision from plain data, the best alternative first. Raises KeyError, TypeError, ValueError: it is damaged."""
    alternatives = [
        Alternative(
            str(text),
            _estimate(vp),
            _optional_estimate(win),
            _estimate(loss),
            _optional_estimate(win_loss),
            bool(taken),
            str(plan),
        )
        for text, vp, win, loss, win_loss, taken, plan in data["alternatives"]
    ]
    seat, key, kind, rule, best, reason = [str(data[name]) for name in ("seat", "key", "kind", "rule", "best", "reason")]
    return ReviewedDecision(
        entry=0,
        reply=0,
        turn=int(data["turn"]),
        seat=seat,
        key=key,
        kind=kind,
        rule=rule,
        prompt="",
        taken="",
        best=best,
        loss=Estimate(0.0),
        win_loss=None,
        alternatives=tuple(alternatives),
        reason=reason,
    )


# -- a set ---------------------------------------------------------------------------------------------------------------

_REPLY = ("key", "kind", "value", "source", "anyway", "rule")


def _reply_row(reply: Reply) -> list[Json]:
    return [reply.key, reply.kind, reply.value, reply.source, reply.anyway, reply.rule]


class ExerciseSet:
    """The exercises of a document of a set. A fault of the document raises BadData where it is read."""

    def __init__(self, data: JsonObject, facts: Mapping[str, str], vp_per_win: float, title: str) -> None:
        self._facts = facts
        self._vp_per_win = vp_per_win
        self._title = title
        self._bases: dict[int, tuple[Mapping[str, str], Position]] = {}
        try:
            self._data = data
            self._rows: dict[str, JsonObject] = {str(row["id"]): row for row in data["exercises"]}
            self.keys = {id: str(row["decision"]["key"]) for id, row in self._rows.items()}
        except (KeyError, TypeError, ValueError, AttributeError) as fault:
            raise self._damaged(fault) from None

    def _damaged(self, fault: Exception) -> BadData:
        return BadData(f"{self._title} is damaged: {type(fault).__name__} {fault}", cure="Install Companion again")

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(self._rows)

    def exercise(self, id: str) -> Exercise:
        """An exercise by its id. Raises BadData: it is damaged."""
        row = self._rows[id]
        try:
            options, base = self._base(int(row["base"]))
            replies = tuple([fast_new(Reply, (*reply, (), "", 0)) for reply in row["replies"]])
            position = changed_position(base, row["position"])
            facts = {**self._facts, **row.get("facts", {})}
            decision = read_decision(row["decision"])._replace(reply=len(replies) + 1 if row["action"] else 0)
            return Exercise(id, options, facts, position, str(row["action"]), replies, decision, self._vp_per_win)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as fault:
            raise self._damaged(fault) from None

    def _base(self, number: int) -> tuple[Mapping[str, str], Position]:
        if number not in self._bases:
            base = self._data["bases"][number]
            self._bases[number] = base["options"], changed_position(Position(), base["position"])
        return self._bases[number]


def exercise_id(seat: str, position: Position, action: str, replies: Sequence[Reply], options: Mapping[str, str]) -> str:
    """The id of an exercise of a set, of what is asked and where."""
    from hashlib import sha256

    asked = [seat, position_difference(Position(), position), action, [_reply_row(reply) for reply in replies], dict(options)]
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:8]


def set_data(exercises: Sequence[Exercise], facts: Mapping[str, str]) -> JsonDict:
    """The document of a set. ``facts`` are those of the made-up set, which every exercise shares."""
    bases: list[tuple[Mapping[str, str], Position]] = []
    rows = []
    for exercise in exercises:
        number = next((index for index, (options, _) in enumerate(bases) if options == exercise.options), len(bases))
        if number == len(bases):
            bases.append((exercise.options, exercise.position))
        own = {key: value for key, value in exercise.facts.items() if facts.get(key) != value}
        rows.append(
            {
                "id": exercise.id,
                "base": number,
                "position": position_difference(bases[number][1], exercise.position),
                "action": exercise.action,
                "replies": [_reply_row(reply) for reply in exercise.replies],
                "decision": decision_data(exercise.decision),
                **({"facts": own} if own else {}),
            }
        )
    written = [{"options": dict(options), "position": position_difference(Position(), base)} for options, base in bases]
    return {"bases": written, "exercises": rows}


# -- when an exercise is asked again ---------------------------------------------------------------------------------------


class Attempt(NamedTuple):
    """An answer.

    ``day`` is the ordinal number of its date, ``cost`` what it cost as a share of a whole chance to win.
    """

    exercise: str
    key: str
    day: int
    is_right: bool
    cost: float


class Progress(NamedTuple):
    """How far an exercise is learnt: right answers in sequence since the last wrong one, and the day on which it is due.

    ``was_wrong``: only what was once wrong is repeated.
    """

    streak: int
    due: int
    was_wrong: bool


def progress_of(attempts: Iterable[Attempt]) -> Progress | None:
    """How far an exercise is learnt by all answers to it, in order; None without one.

    A wrong answer is repeated after the first interval. Each right one on or after the day on which it is due leads to the next
    interval; one before that day changes nothing.

    >>> answers = [(0, False), (1, True), (2, True), (4, True), (11, False)]
    >>> tried = [Attempt("a", "fire", day, right, 0.0) for day, right in answers]
    >>> [progress_of(tried[:count]).due for count in range(1, 6)]
    [1, 4, 4, 11, 12]
    """
    progress: Progress | None = None
    for attempt in attempts:
        if not attempt.is_right:
            progress = Progress(0, attempt.day + INTERVALS[0], True)
        elif progress is None:
            progress = Progress(1, attempt.day, False)
        elif progress.was_wrong and attempt.day >= progress.due:
            streak = progress.streak + 1
            progress = Progress(streak, attempt.day + INTERVALS[min(streak, len(INTERVALS) - 1)], True)
    return progress
