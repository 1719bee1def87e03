"""What goes in and what comes out: small values that do not change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from companion.core.dice import parse_faces
from companion.core.errors import Unreadable
from companion.core.events import Event
from companion.core.game import Game
from companion.core.position import Position
from companion.core.request import AnyRequest
from companion.core.resolver import TypedValue
from companion.core.values import JsonObject
from companion.views.events import event_lines

Answer = str | int | bool | Sequence[str | int]
"""What a question is answered with: text as it is typed, a number, yes or no, or several things of a list or several dice."""


NOTHING = "none"
"""What stands for an empty list."""


class Choice(NamedTuple):
    """One thing that can be answered: what to answer with, what to show for it, and a word more ("" for none)."""

    value: str
    label: str
    hint: str


class Question(NamedTuple):
    """A question that is open.

    Attributes:
        at: which question of its session it is, ``ACTION.ANSWER``; an answer given ``at`` it answers no other.
        kind: ``choose``, ``pick`` (several), ``number``, ``confirm``, ``text``, ``roll``, ``draw`` or ``printed``.
        key: the name that answers go by.
        prompt: the question in words; ``rule``: the rule that asks it.
        choices: what can be answered, where that is a list.
        suggested: what ``accept`` answers; None where something must be said.
        low, high: bounds of a number, or of how many are picked; None elsewhere.
        dice: of a roll how many; each has ``sides`` faces from ``lowest`` on. 0 elsewhere.
        hint: a word more for the player.
        expects: how an answer is typed.
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


class Action(NamedTuple):
    """Something that can be done in a game, and what stands against it now.

    Attributes:
        id: what it goes by.
        title: a few words; ``rule``: the rule that it carries out.
        why: why it cannot be done now, "" where it can; ``cure``: what helps.
    """

    id: str
    title: str
    rule: str
    why: str = ""
    cure: str = ""


class Line(NamedTuple):
    """One line of what happened.

    Attributes:
        text: what it says; ``rule``: the rule that says so, or "".
        tone: "" for a result; ``board``, what to do on the table; ``track``, ``reminder``, ``warning`` or ``dim``.
    """

    text: str
    rule: str = ""
    tone: str = ""


class Done(NamedTuple):
    """What one call did.

    Attributes:
        entry: the number of the entry of the log that it was about; ``complete``: whether that entry is at its end.
        lines: what happened since the question before.
        question: what is asked now, or None.
        over: why the game is over; "" while it goes on.
        fix: what to put right on the table, after a correction.
        notes: what else the player should know.
        settled: answers that nobody was asked for, as there is one only: key and answer.
        repeated: this very answer had been taken before, and nothing was done a second time.
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


class View(NamedTuple):
    """What a strategy is asked.

    Attributes:
        seat: for whom it decides.
        position: what lies on the table.
        question: what is asked, without the words that only people read (prompt, hints); None where the next action is wanted.
        actions: the ids of those that nothing stands against, where an action is wanted.
        number: gives a whole number from 0 up to but without another, by chance of the strategy's own: the same in the same game.
    """

    seat: str
    position: Position
    question: Question | None
    actions: tuple[str, ...]
    number: Callable[[int], int]


Strategy = Callable[[View], Answer | None]
"""Decides for a seat: the answer to the question, or the id of the next action; None: whatever is usual there."""


def question_of(request: AnyRequest, at: str, words: bool = True) -> Question:
    """An open question as a value. ``words``: with those that only people read, which may take long to be worked out."""
    offered = getattr(request, "choices", None) or request.legal_choices()
    return Question(
        at,
        request.kind,
        request.key,
        request.prompt if words else "",
        request.rule,
        tuple(Choice(one.value, one.label, one.hint_text if words else "") for one in offered),
        tuple(request.suggest) if isinstance(request.suggest, list) else request.suggest,
        getattr(request, "low", None),
        getattr(request, "high", None),
        getattr(request, "count", 0),
        getattr(request, "sides", 0),
        getattr(request, "lowest", 0),
        request.hint() if words else "",
        request.expects() if words else "",
    )


def lines_of(game: Game, events: Sequence[Event], pieces: JsonObject) -> tuple[Line, ...]:
    """What happened, in words. ``pieces``: those before the first event, by id."""
    return tuple(Line(line.text, line.rule, line.tone) for line in event_lines(game, events, dict(pieces)))


def text_of(answer: Answer) -> str:
    """An answer as it would be typed.

    >>> text_of(True), text_of(3), text_of(["Alpha", "Bravo"]), text_of(())
    ('yes', '3', 'Alpha, Bravo', 'none')

    Raises:
        Unreadable: it is nothing of the kind.
    """
    if isinstance(answer, str):
        return answer
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, int):
        return str(answer)
    if isinstance(answer, Sequence):
        return ", ".join(str(one) for one in answer) or NOTHING
    raise Unreadable(f"a {type(answer).__name__} is no answer", cure="Give text, a number, True or False, or a list")


class ProgramAnswer(TypedValue):
    """An answer of a program: taken as it is where the question has such a value, else as it would be typed."""

    @classmethod
    def of(cls, value: Any) -> ProgramAnswer:
        told = cls(text_of(value))
        told.value = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
        return told

    def to_reply(self, request: AnyRequest) -> Any:
        try:
            return request.check(self.value)
        except Unreadable:
            return request.read(str(self))


def faces_of(dice: Answer) -> list[int]:
    """Dice that were rolled by hand; none for "".

    >>> faces_of("3,5,2"), faces_of([3, 5]), faces_of(12), faces_of(""), faces_of([])
    ([3, 5, 2], [3, 5], [12], [], [])

    Raises:
        Unreadable: they are none.
    """
    if isinstance(dice, str):
        return parse_faces(dice) if dice else []
    text = text_of(dice)
    return parse_faces(f"{text},") if text != NOTHING else []
