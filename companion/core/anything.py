"""Some answer that a question accepts, by chance: for policies that answer anything, and for whole games' dice and draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.allot import Allot
from companion.core.requests import Choose, Confirm, Draw, Number, Pick, Printed, Request, Roll, Text

RandBelow = Callable[[int], int]
"""Gives a whole number from 0 up to but without what it is given."""


def _one(request: Choose, number: RandBelow) -> str:
    choices = request.choices
    return choices[number(len(choices))].value


def _number(request: Number, number: RandBelow) -> int:
    return request.low + number(min(request.high - request.low, 6) + 1)


def _yes_or_no(request: Confirm, number: RandBelow) -> bool:
    return number(2) == 1


def _several(request: Pick, number: RandBelow) -> list[str]:
    left = [choice.value for choice in request.choices]
    most = min(request.high, len(left), request.low + 3)
    return request.check([left.pop(number(len(left))) for _ in range(request.low + number(most - request.low + 1))])


def _text(request: Text, number: RandBelow) -> str:
    known = request.legal_choices()
    if known and number(10):
        return request.check(known[number(len(known))].value)
    return request.check(str(request.suggest or request.notation.example))


def _printed(request: Printed, number: RandBelow) -> str:
    words = request.notation.choices
    return request.check(words[number(len(words))] if words else request.notation.example)


def _faces(request: Roll, number: RandBelow) -> list[int]:
    return [request.lowest + number(request.sides) for _ in range(request.count)]


_OF: dict[type, Callable[[Any, RandBelow], Any]] = {
    Choose: _one,
    Number: _number,
    Confirm: _yes_or_no,
    Pick: _several,
    Allot: _several,
    Text: _text,
    Printed: _printed,
    Roll: _faces,
    Draw: Draw.random_counter,
}


def random_reply(request: Request[Any], number: RandBelow) -> Any:
    """An answer that the request accepts."""
    return _OF[type(request)](request, number)
