"""The open question as data for the templates: its choices as buttons, dice as keys, numbers as a stepper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.errors import Impossible, Unreadable
from companion.core.requests import AnyRequest, Choice, Confirm, Draw, Number, Pick, Printed, Roll, Text
from companion.core.text import clean, plural
from companion.core.values import ReplyValue
from companion.views.question import prompt_line, quick_odds
from companion.views.screen.lines import rule_numbers

_MAX_BUTTONS = 10  # most numbers that are buttons
_MAX_KEYS = 20  # most faces of a die that are keys
_FILTERED = 13  # number of choices from which a list has a field to search it
_SEPARATORS = (", ", "; ", " ", "+")  # tried between two names of a free text


class ShownChoice(NamedTuple):
    """A choice. `how`: `value` sends at once, `toggle` is one of several, `add` is a word of a free text."""

    how: str
    value: str
    label: str
    hint: str = ""
    odds: str = ""
    suggested: bool = False


class ShownDice(NamedTuple):
    """A tray of dice; `faces` are its keys, none where a die has too many."""

    what: str
    number: int
    low: int
    high: int
    faces: tuple[int, ...]


class ShownNumber(NamedTuple):
    """A number to step."""

    low: int
    high: int
    value: int


class ShownText(NamedTuple):
    """A free text. `between`: what stands between two of the names or words that it is made of; None if it is not made of any."""

    value: str
    example: str
    expects: str
    between: str | None


class ShownQuestion(NamedTuple):
    """A question as the template writes it."""

    at: str
    key: str
    kind: str
    prompt: str
    rules: tuple[str, ...]
    note: str
    choices: tuple[ShownChoice, ...]
    words: tuple[ShownChoice, ...]
    least: int | None
    most: int | None
    taken: int
    ordered: bool
    dice: ShownDice | None
    draws: bool
    number: ShownNumber | None
    text: ShownText | None
    filter: bool
    has_odds: bool


def shown_question(request: AnyRequest, at: str) -> ShownQuestion:
    """Return the question with everything that a player can tap."""
    text = _text(request)
    choices = shown_choices(request)
    line = prompt_line(request, to_tap=True)
    is_pick = isinstance(request, Pick)
    return ShownQuestion(
        at,
        request.key,
        request.kind,
        clean(line.text),
        rule_numbers(line.rule),
        clean(request.hint()),
        tuple(choices),
        tuple(_words(request, choices)),
        request.low if isinstance(request, Pick) else None,
        request.most if isinstance(request, Pick) else None,
        sum(choice.suggested for choice in choices) if is_pick else 0,
        isinstance(request, Pick) and request.ordered,
        _dice(request),
        isinstance(request, Draw) and request.can_be_automatic(),
        _number(request),
        text,
        len(choices) >= _FILTERED,
        request.odds is not None and not request.has_quick_odds,
    )


def shown_choices(request: AnyRequest) -> list[ShownChoice]:
    """Return the choices of a question that can be tapped."""
    odds = quick_odds(request)
    default = request.default_reply
    if isinstance(request, Pick):
        taken = default if isinstance(default, list) else []
        return [_shown(choice, "toggle", odds, choice.value in taken) for choice in request.choices]
    if isinstance(request, Number):
        return _numbers(request, default) if request.high - request.low < _MAX_BUTTONS else []
    if isinstance(request, Confirm):
        suggested = {True: "yes", False: "no"}.get(default) if isinstance(default, bool) else ""
        return [_shown(choice, "value", odds, choice.value == suggested) for choice in request.legal_choices()]
    if isinstance(request, Roll):
        return []
    joined = _joined_names(request) if isinstance(request, Text) else set[str]()
    return [
        _shown(choice, "add" if choice.name in joined else "value", odds, choice.value == default)
        for choice in request.legal_choices()
    ]


def _shown(choice: Choice, how: str, odds: dict[str, str], suggested: bool) -> ShownChoice:
    value = choice.value if how != "add" else choice.name
    label = clean(choice.label) or clean(value)
    return ShownChoice(how, value, label, clean(choice.hint_text), clean(odds.get(choice.value, "")), suggested)


def _numbers(request: Number, default: ReplyValue) -> list[ShownChoice]:
    return [
        ShownChoice("value", str(number), str(number), suggested=number == default)
        for number in range(request.low, request.high + 1)
    ]


def _number(request: AnyRequest) -> ShownNumber | None:
    if not isinstance(request, Number) or request.high - request.low < _MAX_BUTTONS:
        return None
    default = request.default_reply
    value = (
        default if isinstance(default, int) and request.low <= default <= request.high else max(request.low, min(0, request.high))
    )
    return ShownNumber(request.low, request.high, value)


def _dice(request: AnyRequest) -> ShownDice | None:
    if not isinstance(request, Roll):
        return None
    high = request.lowest + request.sides - 1
    faces = tuple(range(request.lowest, high + 1)) if request.sides <= _MAX_KEYS else ()
    what = f"{plural(request.count, 'die', 'dice')} of {request.lowest} to {high}"
    return ShownDice(what, request.count, request.lowest, high, faces)


def _text(request: AnyRequest) -> ShownText | None:
    if isinstance(request, Printed):
        notation = request.notation
        return None if notation.choices else ShownText("", request.example, clean(request.expects()), notation.between)
    if not isinstance(request, Text):
        return None
    default = request.default_reply
    value = clean(request.to_input(default)) if default is not None else ""
    example = clean(request.example)
    return ShownText(value, example, f"Like this: {example}", _between(request))


def _words(request: AnyRequest, choices: Sequence[ShownChoice]) -> list[ShownChoice]:
    """Return the words of the notation, to tap a value together that is not among the choices."""
    if not isinstance(request, Text | Printed) or request.notation.choices:
        return []
    how = "value" if request.notation.between is None else "add"
    listed = {(choice.how, choice.value) for choice in choices}
    words = [word for word in request.notation.words if (how, word) not in listed]
    return [ShownChoice(how, word, word if word.strip() else "space") for word in words]


def _between(request: Text) -> str | None:
    """Return what stands between two names or words of a free text; None if each is a whole answer."""
    return request.notation.between if request.notation.words else _separator(request) or None


def _separator(request: Text) -> str:
    """Return what can stand between two names of the list of a free text; "" if each name is a whole answer."""
    names = [choice.name for choice in request.legal_choices()]
    pairs = [(names[0], names[-1]), (names[0], names[1]), (names[-2], names[-1])] if len(names) > 1 else []
    for between in _SEPARATORS:
        if any(_is_readable(request, between.join(pair)) for pair in pairs):
            return between
    return ""


def _joined_names(request: Text) -> set[str]:
    """Return the names of the list that can be joined with others; the rest are whole answers, such as `none`."""
    between = _between(request)
    if not between:
        return set()
    names = [choice.name for choice in request.legal_choices()]
    ends = {*names[:2], *names[-1:]}
    return {
        name
        for name in names
        if any(_is_readable(request, between.join(pair)) for end in ends if end != name for pair in ((end, name), (name, end)))
    }


def _is_readable(request: AnyRequest, text: str) -> bool:
    try:
        request.read(text)
    except (Unreadable, Impossible):
        return False
    return True
