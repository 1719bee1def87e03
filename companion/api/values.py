"""Immutable values that calls take and return."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.api.maps import KnownMap
from companion.core.candidates import GAP_ERROR, PLAYOUTS, WIN, WIN_ERROR, WIN_GAP, WIN_GAP_ERROR, gap_to
from companion.core.dice import parse_faces
from companion.core.errors import Unreadable
from companion.core.events import Event
from companion.core.game import Game
from companion.core.position import Position
from companion.core.request import AnyRequest, Odds
from companion.core.resolver import Answers, TypedValue
from companion.core.values import JsonObject
from companion.views.log import event_lines

if TYPE_CHECKING:
    from companion.core.candidates import Candidate as Ranked
    from companion.core.match import PlannedAction
    from companion.session.inquiry import Advice as SessionAdvice

Answer = str | int | bool | Sequence[str | int]
"""An answer: text as typed, a number, yes or no, or several choices or dice."""

Keyed = Mapping[str, Answer] | Iterable[tuple[str, Answer]]
"""Answers by the key of their question; pairs if a key occurs twice."""


NOTHING = "none"
"""The text for an empty list."""


class Choice(NamedTuple):
    """A possible answer: its value, its label, and a hint ("" for none)."""

    value: str
    label: str
    hint: str


class Question(NamedTuple):
    """An open question.

    Attributes:
        at: Its number in the session, ``ENTRY.REPLY``; an answer given ``at`` it answers no other.
        kind: ``choose``, ``pick`` (several), ``number``, ``confirm``, ``text``, ``roll``, ``draw`` or ``printed``.
        key: The name for keyed answers.
        prompt: The question in words.
        rule: The rule that asks it.
        choices: The possible answers, if they are a list.
        suggested: What ``accept`` answers; None if there is no suggestion.
        low, high: Bounds of a number, or of how many are picked; else None.
        dice: The number of dice of a roll; each has ``sides`` faces from ``lowest`` on. Else 0.
        hint: A hint for the player.
        expects: How an answer is typed.
        example: An answer to a ``text`` or ``printed`` question, typed; else "".
        seat: The id of the seat that decides; of a roll or draw, that makes it.
    """

    at: str
    kind: str
    key: str
    prompt: str
    rule: str
    choices: tuple[Choice, ...] = ()
    suggested: Answer | None = None
    low: int | None = None
    high: int | None = None
    dice: int = 0
    sides: int = 0
    lowest: int = 0
    hint: str = ""
    expects: str = ""
    example: str = ""
    seat: str = ""


class Action(NamedTuple):
    """An action of a game, and whether it can be begun now.

    Attributes:
        id: Its id.
        title: A few words.
        rule: The rule that it carries out.
        why: Why it cannot be begun now, or "".
        cure: What helps.
        seat: The id of the seat whose action it is now.
    """

    id: str
    title: str
    rule: str
    why: str = ""
    cure: str = ""
    seat: str = ""


class Line(NamedTuple):
    """One line of what happened.

    Attributes:
        text: The text.
        rule: The rule that says so, or "".
        tone: "" for a result; ``board`` for what to do on the table; ``track``, ``reminder``, ``warning`` or ``dim``.
    """

    text: str
    rule: str = ""
    tone: str = ""


class Done(NamedTuple):
    """What one call did.

    Attributes:
        entry: The number of the entry in the log.
        complete: True if that entry is complete.
        lines: What happened since the previous question.
        question: The open question, or None.
        over: Why the game is over; "" while it goes on.
        fix: What to correct on the table, after a correction.
        notes: Further notes for the player.
        settled: Key and answer of each question that had only one.
        repeated: The answer had been committed before, and nothing was done a second time.
    """

    entry: int
    complete: bool
    lines: tuple[Line, ...] = ()
    question: Question | None = None
    over: str = ""
    fix: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    settled: tuple[tuple[str, str], ...] = ()
    repeated: bool = False


class Candidate(NamedTuple):
    """A decision that an advice compared.

    Attributes:
        action: The action to begin; "" at an open question.
        answers: The answers by key, as ``do`` and ``answer`` take them.
        name: The decision in words.
        value: Its value in VP for the side that decides.
        error: The standard error of the value; 0 without sampling.
        reasons: What the value rests on, most important first.
        playouts: How many playouts the value comes from; 0: estimated or exact.
        gap: The difference to the value of the advised decision; None if only that was played on.
        gap_error: The standard error of that difference; both were played on in the same worlds.
        win: The chance to win, from 0 to 1; None if nobody wins, or nothing is known of it.
        win_error: The standard error of that chance.
        win_gap: The difference to the chance of the advised decision; None without chances.
        win_gap_error: The standard error of that difference.
        plan: What is done in the rest of the turn; "" if the decision is no plan.
    """

    action: str
    answers: Mapping[str, Answer]
    name: str
    value: float
    error: float = 0.0
    reasons: tuple[str, ...] = ()
    playouts: int = 0
    gap: float | None = None
    gap_error: float = 0.0
    win: float | None = None
    win_error: float = 0.0
    win_gap: float | None = None
    win_gap_error: float = 0.0
    plan: str = ""


class Advice(tuple[Line, ...]):
    """An advice: its lines, and the same as data.

    Attributes:
        action: The action to begin; "" at an open question, and if there is nothing to do.
        at: The number of the question that is answered; "" between actions.
        answers: The answers by key, as ``do`` and ``answer`` take them.
        reasons: Why, one line each.
        candidates: What was compared, the advised decision first; none if the advice rests on no comparison.
        passed_over: Why the second best candidate was passed over, in a sentence; "" without one.
    """

    action: str
    at: str
    answers: Mapping[str, Answer]
    reasons: tuple[str, ...]
    passed_over: str
    candidates: tuple[Candidate, ...]

    @property
    def value(self) -> float | None:
        """The value in VP for the side that decides; None without candidates."""
        return self.candidates[0].value if self.candidates else None

    @property
    def error(self) -> float:
        """The standard error of the value."""
        return self.candidates[0].error if self.candidates else 0.0


class View(NamedTuple):
    """What a strategy is asked.

    Attributes:
        seat: The seat that it decides for.
        position: The table.
        question: The question, without prompt and hints; None if the next action is wanted.
        actions: The ids of the legal actions, if an action is wanted.
        number: Returns a random whole number from 0 up to but not including its argument; the same in the same game.
        look: Returns the map; use ``map``.
        compare: Returns the candidates; use ``candidates``.
        ask: Returns odds; use ``odds``.
    """

    seat: str
    position: Position
    question: Question | None
    actions: tuple[str, ...]
    number: Callable[[int], int]
    look: Callable[[], KnownMap | None] | None = None
    compare: Callable[[], tuple[Candidate, ...]] | None = None
    ask: Callable[[str, Answers], Odds] | None = None

    @property
    def map(self) -> KnownMap | None:
        """The map as far as it is known, made at each use; None if the game has none."""
        return self.look() if self.look else None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """What the policy below the strategy compares here, the best first, made at each use; empty if it compares nothing.

        A strategy can return one of them.
        """
        return self.compare() if self.compare else ()

    def odds(self, situation: str = "", *plain: Answer, answers: Keyed = (), **keyed: Answer) -> Odds:
        """Return exact odds: at the question, or of a situation on this table as the seat sees it.

        Raises:
            Illegal: The question has none.
            QuestionPending: Something must be known first; add it by its key.
            Unreadable: There is no question, no such situation, or an answer cannot be read.
        """
        if self.ask is None:
            raise Unreadable("no odds here", cure="Ask in a strategy of simulate")
        return self.ask(situation, to_answers(plain, "", (), True, answers, keyed))


Strategy = Callable[[View], Answer | Candidate | None]
"""Decides for a seat: returns the answer, the id of the next action, or one of ``View.candidates``; None for what the policy
below it decides."""


def question_of(request: AnyRequest, at: str, seat: str, words: bool = True) -> Question:
    """Return an open question as a value; `words`: with prompt and hints, which may take long to compute."""
    offered = getattr(request, "choices", None) or request.legal_choices()
    return Question(
        at,
        request.kind,
        request.key,
        request.prompt if words else "",
        request.rule,
        tuple(Choice(choice.value, choice.label, choice.hint_text if words else "") for choice in offered),
        tuple(request.suggest) if isinstance(request.suggest, list) else request.suggest,
        getattr(request, "low", None),
        getattr(request, "most", None) if request.kind == "pick" else getattr(request, "high", None),
        getattr(request, "count", 0),
        getattr(request, "sides", 0),
        getattr(request, "lowest", 0),
        request.hint() if words else "",
        request.expects() if words else "",
        str(getattr(request, "example", "")) if words else "",
        seat,
    )


def lines_of(game: Game, events: Sequence[Event], pieces: JsonObject) -> tuple[Line, ...]:
    """Return what happened, in words; `pieces`: those before the first event, by id."""
    return tuple(Line(line.text, line.rule, line.tone) for line in event_lines(game, events, dict(pieces)))


def advice_of(game: Game, advised: SessionAdvice, pieces: JsonObject) -> Advice:
    """Return an advice as lines and data; `pieces`: those of the position, by id."""
    advice, plan = Advice(lines_of(game, advised.events, pieces)), advised.plan
    advice.action, advice.at, advice.answers = plan.action if plan else "", advised.at, dict(plan.answers) if plan else {}
    advice.reasons, advice.passed_over = advised.reasons, advised.passed_over
    advice.candidates = candidates_of(advised.candidates)
    return advice


def candidates_of(ranked: Sequence[Ranked[PlannedAction]]) -> tuple[Candidate, ...]:
    """Return ranked candidates, the best first, as values."""
    return tuple(_candidate_of(candidate, ranked[0]) for candidate in ranked)


def _candidate_of(candidate: Ranked[PlannedAction], best: Ranked[PlannedAction]) -> Candidate:
    measures = candidate.measures
    return Candidate(
        candidate.decision.action,
        dict(candidate.decision.answers),
        candidate.name,
        candidate.value,
        candidate.error,
        candidate.reasons,
        int(measures.get(PLAYOUTS, 0)),
        gap_to(best, candidate),
        measures.get(GAP_ERROR, 0.0),
        measures.get(WIN),
        measures.get(WIN_ERROR, 0.0),
        measures.get(WIN_GAP),
        measures.get(WIN_GAP_ERROR, 0.0),
        candidate.plan,
    )


def text_of(answer: Answer) -> str:
    """Return an answer as it would be typed.

    >>> text_of(True), text_of(3), text_of(["Alpha", "Bravo"]), text_of(())
    ('yes', '3', 'Alpha, Bravo', 'none')

    Raises:
        Unreadable: It is none of the types of an answer.
    """
    if isinstance(answer, str):
        return answer
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, int):
        return str(answer)
    if isinstance(answer, Sequence):
        return ", ".join(str(item) for item in answer) or NOTHING
    raise Unreadable(f"a {type(answer).__name__} is no answer", cure="Give text, a number, True or False, or a list")


class ProgramAnswer(TypedValue):
    """An answer of a program: used as it is if the question has such a value, else read as typed."""

    @classmethod
    def of(cls, value: Any) -> ProgramAnswer:
        answer = cls(text_of(value))
        answer.value = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
        return answer

    def to_reply(self, request: AnyRequest) -> Any:
        try:
            return request.check(self.value)
        except Unreadable:
            return request.read(str(self))


def faces_of(dice: Answer) -> list[int]:
    """Return dice that were rolled; none for "".

    >>> faces_of("3,5,2"), faces_of([3, 5]), faces_of(12), faces_of(""), faces_of([])
    ([3, 5, 2], [3, 5], [12], [], [])

    Raises:
        Unreadable: They cannot be read.
    """
    if isinstance(dice, str):
        return parse_faces(dice) if dice else []
    text = text_of(dice)
    return parse_faces(f"{text},") if text != NOTHING else []


def to_answers(
    plain: Sequence[Answer], dice: Answer, draws: Sequence[str], accept: bool, answers: Keyed, keyed: JsonObject
) -> Answers:
    """Return everything that a call brings to answer with."""
    pairs = [*(answers.items() if isinstance(answers, Mapping) else answers), *keyed.items()]
    return Answers(
        [(key, ProgramAnswer.of(value)) for key, value in pairs],
        faces_of(dice),
        [draws] if isinstance(draws, str) else list(draws),
        [ProgramAnswer.of(item) for item in plain],
        accept,
    )
