"""The pending question: its prompt, what can be answered, and what a bare Enter means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.core.requests import Choice, Request, Roll
from companion.views.lines import WIDTH, Line, table_lines
from companion.views.lines import aligned_columns as lines_of
from companion.views.phrases import value_text

_SHORT = 12
"""Rows of choices that a question shows."""
_FEW = 3
"""Choices that stand one below the other in any case, and the least rows of more."""
_INDENT, _GAP, _BETWEEN = "    ", "    ", "   "
_SUGGESTED = 36
"""Characters of a suggestion that a prompt has room for; the question above shows it whole."""
_RUN = 3 * 76
"""Characters of choices that may run across the screen: three rows of it."""


def _enter_text(request: Request[Any], prompted: bool) -> str:
    """What a bare Enter does beyond what is suggested, where there is a prompt to press it at."""
    does = request.default_hint()
    return f"Enter: {does}" if does and prompted else does


def default_text(request: Request[Any]) -> str:
    """What a bare Enter gives; "" where something must be typed."""
    if request.suggest is not None:
        labels = {choice.value: choice.label for choice in request.legal_choices() if "#" in choice.value}
        named = request.suggest if isinstance(request.suggest, list) else [request.suggest]
        return value_text([labels.get(item, item) if isinstance(item, str) else item for item in named])
    return request.kind if request.chance_setting else ""


def _has_labels(choices: list[Choice]) -> bool:
    return any(choice.label.casefold() != choice.value.casefold() or choice.hint_text for choice in choices)


def choice_cells(choice: Choice, chance: str = "") -> tuple[str, str]:
    """What is typed, and what it means; of a piece only its name, since nobody types its id. ``chance``: what it brings."""
    more = ", ".join(filter(None, [choice.hint_text, chance]))
    hint = f"({more})" if more else ""
    if "#" in choice.value or choice.label.startswith(choice.value + " "):
        return choice.label, hint
    if choice.label.casefold() == choice.value.casefold():
        return choice.label, hint
    return choice.value, " ".join(filter(None, [choice.label, hint]))


def _short_choice(choice: Choice, request: Request[Any]) -> str:
    """A choice that runs across: what can be drawn, with how many there are."""
    many = choice.hint_text.partition(" ")[0] if request.chance_setting else ""
    name = choice_cells(choice)[0]
    return f"{name} ({many})" if many and many != "1" else name


def _labelled_choices(request: Request[Any]) -> list[tuple[str, Choice]]:
    """Each legal choice with the label to show beside it; none where the label is what it stands beside."""
    choices = request.legal_choices()
    own = request.labels()
    if not own or own == tuple(choice.value for choice in choices):
        own = ("",) * len(choices)
    return list(zip(own, choices, strict=True))


def quick_odds(request: Request[Any]) -> dict[str, str]:
    """What each choice brings, by its value, where its odds are quickly worked out."""
    return dict(request.odds().beside) if request.has_quick_odds and request.odds else {}


def choice_lines(
    request: Request[Any], limit: int = 0, columns: int = WIDTH, brings: Mapping[str, str] = MappingProxyType({})
) -> list[Line]:
    """What can be answered with its labels, side by side where that fits; beyond so many rows (0: no limit) the rest is only
    counted. ``brings``: what stands beside a choice, by its value.
    """
    choices = _labelled_choices(request)
    cells = [(label, *choice_cells(choice, brings.get(choice.value, ""))) for label, choice in choices]
    across = _columns_that_fit(cells, columns)
    shown = cells[: limit * across] if limit else cells
    lines = _side_by_side(shown, across) if across > 1 else table_lines(shown, indent=_INDENT)
    more = len(choices) - len(shown)
    return [*lines, Line(f"... and {more} more", "dim", "", _INDENT)] if more else lines


def _columns_that_fit(cells: Sequence[Sequence[str]], columns: int) -> int:
    """How many choices have room side by side; few of them stay one below the other."""
    if len(cells) <= _FEW:
        return 1
    cell = max(map(len, lines_of(cells)))
    return max(1, min((columns - len(_INDENT) + len(_GAP)) // (cell + len(_GAP)), -(-len(cells) // _FEW)))


def _side_by_side(cells: Sequence[Sequence[str]], across: int) -> list[Line]:
    """Choices in so many columns, read downwards."""
    texts = lines_of(cells)
    down = -(-len(texts) // across)
    wide = max(map(len, texts))
    rows = [texts[row::down] for row in range(down)]
    return [Line(_GAP.join(text.ljust(wide) for text in row).rstrip(), "", "", _INDENT) for row in rows]


def legal_answer_lines(request: Request[Any], columns: int = WIDTH) -> list[Line]:
    """What can be answered now, and how it is typed."""
    lines = choice_lines(request, 0, columns, quick_odds(request))
    if request.expects():
        lines.append(Line(request.expects(), "dim", "", "    "))
    return lines


def prompt_line(request: Request[Any]) -> Line:
    """The question itself, with the side that is asked where the words do not name it."""
    prompt, whose = request.prompt, request.asked_side
    return Line(f"{whose}: {prompt}" if whose and whose not in prompt.split() else prompt, "question", request.rule, "? ")


def question_lines(request: Request[Any], columns: int = WIDTH, prompted: bool = False) -> list[Line]:
    """The question in as few lines as will do.

    Args:
        request: the question.
        columns: of the screen.
        prompted: whether a prompt follows, which says in brackets what Enter gives.
    """
    lines = [prompt_line(request)]
    choices = request.legal_choices()
    brings = quick_odds(request) if prompted else {}
    short = "   ".join(f"{label} {_short_choice(choice, request)}".strip() for label, choice in _labelled_choices(request))
    if choices and (request.chance_setting or not (_has_labels(choices) or brings)) and len(short) <= _RUN:
        lines.append(Line(short, "", "", "    "))
    elif request.is_name_visible and len(choices) > _SHORT:
        lines.append(Line(f"{len(choices)} names; ? lists them", "dim", "", "    "))
    elif choices:
        lines += choice_lines(request, _SHORT, columns, brings)
    elif request.expects():
        lines.append(Line(request.expects(), "dim", "", "    "))
    suggested = default_text(request)
    if prompted and not request.default_hint() and prompt_default(request) == suggested:
        suggested = ""
    notes = [
        request.expects() if choices and request.accepts_list else "",
        request.hint(),
        _enter_text(request, prompted) or f"Suggested: {suggested}" if suggested else "",
    ]
    told = _BETWEEN.join(filter(None, notes))
    return [*lines, Line(told, "dim", "", _INDENT)] if told else lines


def prompt_default(request: Request[Any]) -> str:
    """What a prompt says in brackets that a bare Enter gives, cut where it is long; "" for nothing."""
    suggested = default_text(request)
    return suggested if len(suggested) <= _SUGGESTED else f"{suggested[:_SUGGESTED]}..."


def continue_line(request: Request[Any], number: str, session: str = "") -> Line:
    """How a command line goes on with a question, and its number. ``session``: its name where it is not the one in use."""
    name = f" --session {session}" if session else ""
    return Line(f"Go on with: companion answer{name} {_answer_template(request)} (question {number})", "dim")


def _answer_template(request: Request[Any]) -> str:
    """What a command line gives to a question: by its key, so that no other question takes it."""
    value = ",".join("N" * request.count) if isinstance(request, Roll) else "NAME" if request.chance_setting else "..."
    way = f"{request.key}={value}"
    way = f'"{way}"' if " " in way else way
    return f"{way} or --accept" if request.chance_setting or request.suggest is not None else way
