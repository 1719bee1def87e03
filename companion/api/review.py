"""What the decisions of a session cost, and exercises, as immutable values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from companion.api.values import Question, question_of
from companion.core.errors import CompanionError
from companion.core.position import Position
from companion.core.review import Accuracy, Estimate, GameReview, ReviewedDecision, Worth, grade_of, share_of_loss
from companion.core.review import Alternative as CoreAlternative
from companion.session.seats import asked_seat
from companion.session.state import SessionState

if TYPE_CHECKING:
    from companion.core.exercises import Exercise as CoreExercise
    from companion.core.game import Game


class Expectation(NamedTuple):
    """What a position, a part of the result or an answer is worth.

    Attributes:
        vp, vp_error: In VP, with the standard error.
        win, win_error: The chance to win, from 0 to 1, with its standard error; None if it is not known.
    """

    vp: float
    vp_error: float
    win: float | None = None
    win_error: float | None = None


class ReviewPart(NamedTuple):
    """A part of the result. All parts add up to it.

    Attributes:
        part: ``start``, ``luck``, ``decisions``, ``corrections``, ``not reviewed`` or ``rest``.
        who: The seat that decided; ``player`` or ``companion`` for who rolled; else "".
        title: What it is called.
        change: What it brought the first seat.
    """

    part: str
    who: str
    title: str
    change: Expectation


class ReviewAccuracy(NamedTuple):
    """How well a seat decided.

    Attributes:
        seat: Its id.
        by_person: True for the decisions of people; False for those of Companion.
        decisions: How many had alternatives.
        mean: The accuracy, from 0 to 100.
        error: Its standard error.
        grades: Grade -> number of decisions: ``good``, ``within error``, ``inaccuracy``, ``mistake``, ``blunder``.
    """

    seat: str
    by_person: bool
    decisions: int
    mean: float
    error: float
    grades: Mapping[str, int]


class ReviewMoment(NamedTuple):
    """A roll or a decision that changed much.

    Attributes:
        entry, reply: Where; reply 0 is the choice of the action.
        turn: When.
        part: ``luck`` or ``decisions``.
        who: As of a ``ReviewPart``.
        text: What was done.
        reason: Why it mattered; "" for luck.
        change: What it brought the first seat.
    """

    entry: int
    reply: int
    turn: int
    part: str
    who: str
    text: str
    reason: str
    change: Expectation


class ReviewPoint(NamedTuple):
    """A point of the graph, after an entry.

    Attributes:
        entry, turn: Which.
        segment: From 0; one more after each correction by hand.
        text: What was done; "" for the start and after a correction.
        expected: What the first seat could expect.
    """

    entry: int
    turn: int
    segment: int
    text: str
    expected: Expectation


class Alternative(NamedTuple):
    """What can be decided, and what it is worth for the seat that decides.

    Attributes:
        text: As it is typed.
        taken: True if it was decided.
        grade: Of its loss: ``good``, ``within error``, ``inaccuracy``, ``mistake`` or ``blunder``.
        expected: VP and chance to win.
        loss, loss_error: VP behind the best one, with the standard error.
        win_loss, win_loss_error: The same of the chance to win; None if it is not known.
        plan: What the planner would do with it; "" without a plan.
    """

    text: str
    taken: bool
    grade: str
    expected: Expectation
    loss: float
    loss_error: float
    win_loss: float | None = None
    win_loss_error: float | None = None
    plan: str = ""


class Decision(NamedTuple):
    """A decision that had alternatives.

    Attributes:
        entry, reply: The numbers that ``amend`` takes; reply 0 is the choice of the action.
        turn, seat: When, and who decided.
        key, kind, rule, prompt: Of the question; ``action`` for the choice of the action, which has no prompt.
        taken, best: As they are typed; equal if nothing better was found.
        grade: ``good``, ``within error``, ``inaccuracy``, ``mistake`` or ``blunder``.
        loss, loss_error: What the best alternative exceeds the taken one by in VP, with the standard error. The best is chosen
            in one half of the worlds and measured in the other, so this can be below 0.
        win_loss, win_loss_error: The same of the chance to win; None if it is not known.
        reason: Why the best is better, in a sentence; "" if nothing better was found.
        by_person: False for a decision of Companion.
        alternatives: The best first, the taken one among them.
    """

    entry: int
    reply: int
    turn: int
    seat: str
    key: str
    kind: str
    rule: str
    prompt: str
    taken: str
    best: str
    grade: str
    loss: float
    loss_error: float
    win_loss: float | None
    win_loss_error: float | None
    reason: str
    by_person: bool
    alternatives: tuple[Alternative, ...]


class Review(NamedTuple):
    """The review of a session. VP and chances to win are those of the first seat; those of a decision are of its own.

    Attributes:
        level: ``quick``, ``normal`` or ``deep``.
        unit: ``win``, or ``VP`` if no chance to win is known; then each ``win`` is None.
        seats: In the order of the rulebook.
        over: True if the game is over; else ``result`` is what can be expected now.
        said: The result in a few sentences.
        result: The sum of all parts.
        parts: What the result is made of.
        accuracies: Of each seat that decided something.
        moments: What changed most, the greatest change first; at most ten.
        decisions: Every decision with alternatives, in order.
        points: The graph: the start, then after each action.
        left_out: Reason -> number of actions that were not reviewed.
        undone: The number of undone actions.
        mistakes: Those of ``decisions`` of people that are inaccuracies, mistakes or blunders, the worst first.
    """

    level: str
    unit: str
    seats: tuple[str, ...]
    over: bool
    said: str
    result: Expectation
    parts: tuple[ReviewPart, ...]
    accuracies: tuple[ReviewAccuracy, ...]
    moments: tuple[ReviewMoment, ...]
    decisions: tuple[Decision, ...]
    points: tuple[ReviewPoint, ...]
    left_out: Mapping[str, int]
    undone: int
    mistakes: tuple[Decision, ...]


class Exercise(NamedTuple):
    """A decision to be made again.

    Attributes:
        id: Stays the same as long as position and question do.
        source: The name of the session that it is from; "" for one of a game's set.
        game: The id of the game.
        turn, seat: When it was, and who decides.
        key, kind, rule: Of the question; ``action`` for the choice of an action.
        position: The table as the seat sees it.
        question: The open question; None where the next action is chosen.
        alternatives: The answers that were compared, the best first.
        right: The texts of those that are right: as good as the best within the error, or worse by too little to matter.
        reason: Why the best is better than what was played.
    """

    id: str
    source: str
    game: str
    turn: int
    seat: str
    key: str
    kind: str
    rule: str
    position: Position
    question: Question | None
    alternatives: tuple[Alternative, ...]
    right: tuple[str, ...]
    reason: str

    @property
    def best(self) -> str:
        """The text of the best answer."""
        return self.alternatives[0].text


def review_of(session: SessionState, review: GameReview, first: int, last: int) -> Review:
    """Return the review of a session as a value; ``first``, ``last``: the turns that it is of."""
    from companion.views.review import part_title, result_sentence
    from companion.views.review import session_review as worded

    about = worded(session, review, first, last)
    in_vp = review.unit == "VP"
    return Review(
        review.level,
        review.unit,
        review.seats,
        review.is_over,
        result_sentence(about),
        _worth(review.result, in_vp),
        tuple(
            [
                ReviewPart(share.part, share.who, part_title(about, share), _expectation(share.vp, share.win, in_vp))
                for share in review.shares()
            ]
        ),
        tuple([_accuracy(row, by_person) for by_person in (True, False) for row in review.accuracies(by_person=by_person)]),
        tuple([ReviewMoment(*one[:7], _expectation(one.vp, one.win, in_vp)) for one in review.moments()]),
        tuple([_decision(decision, review.vp_per_win, in_vp) for decision in review.decisions]),
        tuple([ReviewPoint(*point[:4], _expectation(point.vp, point.win, in_vp)) for point in review.points]),
        dict(review.skipped),
        about.undone,
        tuple([_decision(decision, review.vp_per_win, in_vp) for decision in review.mistakes()]),
    )


def _worth(worth: Worth, in_vp: bool) -> Expectation:
    return _expectation(worth.vp_estimate, worth.win_estimate, in_vp)


def _expectation(vp: Estimate, win: Estimate | None, in_vp: bool) -> Expectation:
    return Expectation(*vp, *_known(win, in_vp))


def _known(win: Estimate | None, in_vp: bool) -> tuple[float | None, float | None]:
    """A chance to win with its error; None for both if none is shown."""
    return (None, None) if win is None or in_vp else (win.mean, win.error)


def _accuracy(row: Accuracy, by_person: bool) -> ReviewAccuracy:
    grades = {str(grade): count for grade, count in row.grades.items()}
    return ReviewAccuracy(row.seat, by_person, row.decisions, row.mean, row.error, grades)


def _decision(decision: ReviewedDecision, vp_per_win: float, in_vp: bool) -> Decision:
    return Decision(
        *decision[:10],
        grade_of(share_of_loss(decision, vp_per_win, in_vp=in_vp)),
        *decision.loss,
        *_known(decision.win_loss, in_vp),
        decision.reason,
        decision.by_person,
        tuple([_alternative(one, vp_per_win, in_vp) for one in decision.alternatives]),
    )


def _alternative(alternative: CoreAlternative, vp_per_win: float, in_vp: bool) -> Alternative:
    return Alternative(
        alternative.text,
        alternative.is_taken,
        grade_of(share_of_loss(alternative, vp_per_win, in_vp=in_vp)),
        _expectation(alternative.vp, alternative.win, in_vp),
        *alternative.loss,
        *_known(alternative.win_loss, in_vp),
        alternative.plan,
    )


def set_of(game: Game) -> Iterator[Exercise]:
    """Yield the exercises of the set of a game."""
    from companion.session.exercises import empty_archive, exercise_set, open_exercise

    found, archive = exercise_set(game), empty_archive()
    for exercise in map(found.exercise, found.ids) if found else ():
        yield _exercise(exercise, open_exercise(game, exercise, archive))


def own_of(session: SessionState) -> Iterator[Exercise]:
    """Yield the mistakes of a session that reviews have found, as exercises; without those that today's rules do not ask."""
    from companion.session.exercises import empty_archive, open_exercise, own_exercises

    archive = empty_archive()
    for exercise in own_exercises(session):
        with suppress(CompanionError):
            yield _exercise(exercise, open_exercise(session.game, exercise, archive))


def _exercise(exercise: CoreExercise, session: SessionState) -> Exercise:
    decision, request = exercise.decision, session.pending if exercise.action else None
    in_vp = not exercise.counts_wins
    return Exercise(
        exercise.id,
        exercise.source,
        session.game.id,
        decision.turn,
        decision.seat,
        decision.key,
        decision.kind,
        decision.rule,
        session.position,
        question_of(request, session.question_number, asked_seat(session, request)) if request else None,
        tuple([_alternative(one, exercise.vp_per_win, in_vp) for one in decision.alternatives]),
        tuple([one.text for one in decision.alternatives if exercise.is_right(one)]),
        decision.reason,
    )
