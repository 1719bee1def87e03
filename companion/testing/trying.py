"""A player who tries every answer that is offered on a copy of the table before giving one."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from companion.core.errors import CompanionError, Illegal, Unreadable
from companion.core.request import AnyRequest
from companion.core.requests import Choose, Confirm, Draw, Number, Pick, Text

MOST = 8
"""Answers that are tried at one question; of more, some by chance."""


def offered(request: AnyRequest) -> list[Any]:
    """What the player is shown as an answer: each choice, each thing of a list alone, all of them, the ends of a range, what
    a bare Enter gives.
    """
    found: list[Any] = []
    if isinstance(request, Choose):
        found = [choice.value for choice in request.choices]
    elif isinstance(request, Confirm):
        found = [True, False]
    elif isinstance(request, Number):
        found = sorted({request.low, (request.low + request.high) // 2, request.high})
    elif isinstance(request, Pick):
        found = _picked(request)
    elif isinstance(request, Draw):
        found = list(request.contents)
    elif isinstance(request, Text):
        found = [choice.value for choice in request.legal_choices()]
    return found if request.suggest is None or request.suggest in found else [request.suggest, *found]


def _picked(request: Pick) -> list[list[str]]:
    values = [choice.value for choice in request.choices]
    sets: list[list[str]] = [[]] if request.low == 0 else []
    alone = request.low <= 1 <= request.high
    sets += [[value] for value in values] if alone else [values[: request.low], values[::-1][: request.low]]
    return [*sets, values] if request.allows_all and len(values) > 1 else sets


class Trying:
    """Mixed into a player of a game.

    Attributes:
        refusals: by question and offered answer, why it was refused.
        singles: questions with one answer that can be given, by key: those that answer themselves are none.
        unanswerable: questions to which no offered answer could be given, by key.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self.refusals: Counter[tuple[str, str, str]] = Counter()
        self.singles: Counter[str] = Counter()
        self.unanswerable: Counter[str] = Counter()
        self.questions = 0
        self.dice = Random(7)
        super().__init__(*args, **options)

    def look(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], come: list[Any]) -> None:
        if request.forced_reply() is not None:
            return
        values = offered(request)
        tried = values if len(values) <= MOST else self.dice.sample(values, MOST)
        faults = [self._fault(procedure, request, replies, come, value) for value in tried]
        name = getattr(procedure, "where", "setup").rpartition(":")[2]
        for value, fault in zip(tried, faults, strict=True):
            if fault:
                self.refusals[name, f"{request.key}={_shown(value)}", fault] += 1
        self.questions += 1
        taken = faults.count("")
        if values and not taken and len(tried) == len(values):
            self.unanswerable[f"{name} {request.key}"] += 1
        if isinstance(request, Choose | Confirm | Number | Pick) and taken == 1 and len(tried) == len(values):
            self.singles[f"{name} {request.key}"] += 1

    def _fault(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], come: list[Any], value: Any) -> str:
        """Why an answer is refused, or ""."""
        run = self._begun(procedure, list(come), [])
        try:
            for reply in replies:
                run.send(reply)
            assert run.request is not None and run.request.key == request.key
            run.send(run.request.check(run.request.read(value) if isinstance(request, Text) else value))
        except CompanionError as fault:
            assert isinstance(fault, Illegal | Unreadable), fault
            return f"{fault.message} [{fault.rule}]"
        finally:
            run.close()
        return ""


def _shown(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)
