"""The open question: prompt, legal answers, the default answer (Enter), and exact chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from companion.core.hints import TYPE_CHECKING
from companion.core.requests import Allot, AnyRequest, Choice, Odds, Roll
from companion.core.text import plural
from companion.views.lines import BLANK, WIDTH, Line, aligned_columns, percent, table_lines, value_text

if TYPE_CHECKING:
    from companion.session.inquiry import OpenQuestion

_MAX_ROWS = 12  # most rows of choices in a question
_SINGLE_COLUMN = 3  # number of choices up to which they are listed in one column, and minimum rows of a longer list
_INDENT, _GAP, _NOTE_GAP = "    ", "    ", "   "
_MAX_DEFAULT = 36  # longest default shown in a prompt; the question above shows it in full
_MAX_RUN = 3 * 76  # most characters of choices that are listed in a row: three rows of the screen


def default_text(request: AnyRequest) -> str:
    """Return the answer that Enter gives; "" if there is none."""
    if request.default_reply is not None:
        if isinstance(request, Allot):
            return request.display(request.default_reply)
        labels = {choice.value: choice.label for choice in request.legal_choices() if "#" in choice.value}
        named = request.default_reply if isinstance(request.default_reply, list) else [request.default_reply]
        return value_text([labels.get(item, item) if isinstance(item, str) else item for item in named])
    return request.kind if request.chance_setting and not request.waits_for else ""


def _has_labels(choices: list[Choice]) -> bool:
    return any(choice.label.casefold() != choice.value.casefold() or choice.hint_text for choice in choices)


def choice_cells(choice: Choice, chance: str = "") -> tuple[str, str]:
    """Return the input text and the description of a choice; of a piece only its name. `chance`: its odds."""
    more = ", ".join(filter(None, [choice.hint_text, chance]))
    hint = f"({more})" if more else ""
    if "#" in choice.value or choice.label.startswith(choice.value + " "):
        return choice.label, hint
    if choice.label.casefold() == choice.value.casefold():
        return choice.label, hint
    return choice.value, " ".join(filter(None, [choice.label, hint]))


def _short_choice(choice: Choice, request: AnyRequest) -> str:
    """Return a choice for a row of choices; of a draw with the number of copies."""
    count = choice.hint_text.partition(" ")[0] if request.chance_setting else ""
    name = choice_cells(choice)[0]
    return f"{name} ({count})" if count and count != "1" else name


def _labelled_choices(request: AnyRequest) -> list[tuple[str, Choice]]:
    """Return legal choices with their short labels; labels equal to the choice are left out."""
    choices = request.legal_choices()
    labels = request.labels()
    if not labels or labels == tuple(choice.value for choice in choices):
        labels = ("",) * len(choices)
    return list(zip(labels, choices, strict=True))


def quick_odds(request: AnyRequest) -> dict[str, str]:
    """Return the odds of each choice, by value, if they are quick to compute."""
    return dict(request.odds().beside) if request.has_quick_odds and request.odds else {}


def choice_lines(
    request: AnyRequest, limit: int = 0, columns: int = WIDTH, odds: Mapping[str, str] = MappingProxyType({})
) -> list[Line]:
    """Return choices, in columns if they fit; after `limit` rows (0: no limit) only their number.

    `odds`: odds of choices, by value.
    """
    choices = _labelled_choices(request)
    cells = [(label, *choice_cells(choice, odds.get(choice.value, ""))) for label, choice in choices]
    across = _columns_that_fit(cells, columns)
    shown = cells[: limit * across] if limit else cells
    lines = _side_by_side(shown, across) if across > 1 else table_lines(shown, indent=_INDENT)
    more = len(choices) - len(shown)
    return [*lines, Line(f"... and {more} more", "dim", "", _INDENT)] if more else lines


def _columns_that_fit(cells: Sequence[Sequence[str]], columns: int) -> int:
    if len(cells) <= _SINGLE_COLUMN:
        return 1
    cell = max(map(len, aligned_columns(cells)))
    return max(1, min((columns - len(_INDENT) + len(_GAP)) // (cell + len(_GAP)), -(-len(cells) // _SINGLE_COLUMN)))


def _side_by_side(cells: Sequence[Sequence[str]], across: int) -> list[Line]:
    """Return choices in columns, read downwards."""
    texts = aligned_columns(cells)
    down = -(-len(texts) // across)
    width = max(map(len, texts))
    rows = [texts[row::down] for row in range(down)]
    return [Line(_GAP.join(text.ljust(width) for text in row).rstrip(), "", "", _INDENT) for row in rows]


def shown_choices(request: AnyRequest, columns: int = WIDTH) -> int:
    """Return how many choices `question_lines` shows."""
    choices = request.legal_choices()
    if request.grouped_choices():
        return len(choices)
    if request.is_name_visible and len(choices) > _MAX_ROWS:
        return 0
    if request.chance_setting or not _has_labels(choices):
        return len(choices)
    cells = [(label, *choice_cells(choice)) for label, choice in _labelled_choices(request)]
    return _MAX_ROWS * _columns_that_fit(cells, columns)


def legal_answer_lines(request: AnyRequest, columns: int = WIDTH) -> list[Line]:
    """Return all legal answers and their input format."""
    lines = choice_lines(request, 0, columns, quick_odds(request))
    if request.expects():
        lines.append(Line(request.expects(), "dim", "", "    "))
    return lines


def prompt_line(request: AnyRequest, to_tap: bool = False) -> Line:
    """Return the prompt, with the side that is asked if the prompt does not name it; `to_tap`: without how to type an answer."""
    prompt, side = (
        request.prompt_to_tap if to_tap else request.prompt,
        request.asked_side or (request.seat.title() if request.sealed else ""),
    )
    return Line(f"{side}: {prompt}" if side and side not in prompt.split() else prompt, "question", request.rule, "? ")


def waiting_line(request: AnyRequest) -> Line:
    """Return whose share a trusted roll or draw waits for."""
    names = " and ".join(seat.upper() for seat in request.waits_for)
    return Line(f"Waits for {names}: the dice come from both sides", "reminder", "", "* ")


def question_lines(request: AnyRequest, columns: int = WIDTH, prompted: bool = False) -> list[Line]:
    """Return the question, its choices and its default.

    Args:
        request: The question.
        columns: Width of the screen.
        prompted: A prompt follows, which shows the default in brackets.
    """
    lines = [prompt_line(request)]
    if request.waits_for:
        return [*lines, waiting_line(request)]
    if prompted and request.sealed:
        only = f"Only {request.seat.title()} looks now. What is typed is not shown, until all have answered"
        lines.append(Line(only, "reminder", "", _INDENT))
    choices = request.legal_choices()
    suggested, enter = default_text(request), request.default_hint()
    if prompted and not enter and prompt_default(request) == suggested:
        suggested = ""
    if suggested:
        enter = f"Enter twice: {enter}" if enter and prompted else enter or f"Suggested: {suggested}"
    expects = request.expects()
    if suggested and expects.endswith(f": {suggested}"):  # the suggestion is the example
        expects = ""
    odds = quick_odds(request) if prompted else {}
    short = "   ".join(f"{label} {_short_choice(choice, request)}".strip() for label, choice in _labelled_choices(request))
    if groups := request.grouped_choices():
        for heading, texts in groups:
            lines.append(Line(" | ".join(texts), "", "", f" {heading} "))
    elif choices and (request.chance_setting or not (_has_labels(choices) or odds)) and len(short) <= _MAX_RUN:
        lines.append(Line(short, "", "", "    "))
    elif request.is_name_visible and len(choices) > _MAX_ROWS:
        lines.append(Line(f"{len(choices)} names; ? lists them", "dim", "", "    "))
    elif choices:
        lines += choice_lines(request, _MAX_ROWS, columns, odds)
    elif expects:
        lines.append(Line(expects, "dim", "", "    "))
    notes = [expects if choices and request.accepts_list else "", request.hint(), enter if suggested else ""]
    text = _NOTE_GAP.join(filter(None, notes))
    return [*lines, Line(text, "dim", "", _INDENT)] if text else lines


def prompt_default(request: AnyRequest) -> str:
    """Return the default that a prompt shows in brackets, truncated; "" for none."""
    suggested = default_text(request)
    return suggested if len(suggested) <= _MAX_DEFAULT else f"{suggested[:_MAX_DEFAULT]}..."


def continue_line(request: AnyRequest, number: str, session: str = "") -> Line:
    """Return the command that answers the question. `session`: name of a session that is not the current one."""
    name = f" --session {session}" if session else ""
    if request.waits_for:
        return Line(f"It comes from that player's page, or by mail: companion bundle FILE (question {number})", "dim")
    return Line(f"Go on with: companion answer{name} {_answer_template(request)} (question {number})", "dim")


def _answer_template(request: AnyRequest) -> str:
    """Return the arguments of `companion answer`, with the key of the question."""
    value = ",".join("N" * request.count) if isinstance(request, Roll) else "NAME" if request.chance_setting else "..."
    answer = f"{request.key}={value}"
    answer = f'"{answer}"' if " " in answer else answer
    return f"{answer} or --accept" if request.chance_setting or request.suggest is not None else answer


_BAR_WIDTH = 24  # of a certain result, in characters
_MIN_CHANCE = 0.00005  # least chance that is listed among many


def bar(chance: float) -> str:
    """Return an ASCII bar."""
    return "#" * round(_BAR_WIDTH * chance)


def visible_chances(chances: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return the chances of a section that are listed, without the rarest of many."""
    return [(label, chance) for label, chance in chances if chance >= _MIN_CHANCE or len(chances) <= 8]


def odds_section_lines(title: str, chances: Sequence[tuple[str, float]]) -> list[Line]:
    """Return a section of odds: its heading and its chances."""
    visible = visible_chances(chances)
    rows = [(label, percent(chance).rjust(7), bar(chance)) for label, chance in visible]
    rarer = [Line(f"and {len(chances) - len(visible)} rarer ones", "dim", "", "  ")] if len(visible) < len(chances) else []
    return [BLANK, Line(title), *table_lines(rows, indent="  "), *rarer]


def odds_lines(odds: Odds) -> list[Line]:
    """Return title, chances by section, expected values and assumptions; without the sections that take long."""
    lines = [Line(odds.title, "title", odds.rule)]
    for title, chances in odds.sections:
        lines += odds_section_lines(title, chances)
    if odds.means:
        lines += [BLANK, Line("On average")]
        lines += table_lines([(label, f"{mean:.2f}") for label, mean in odds.means], indent="  ")
    return lines + [Line(note, "dim") for note in odds.notes]


def needed_value_lines(title: str, rule: str, questions: Sequence[OpenQuestion]) -> list[Line]:
    """Return the values that the odds of a situation need, each with what it can be; then those that can be added."""
    needed = [question.request for question in questions if not question.is_optional]
    lines = [Line(f"Odds of {title}: {plural(len(needed), 'value is', 'values are')} needed", "title", rule)]
    for request in needed:
        lines.append(Line(f"{request.key}: {request.prompt}", "question", request.rule, "  "))
        lines += [Line(text, "dim", "", "      ") for text in (_choice_names(request), request.expects(), request.hint()) if text]
    optional = [question for question in questions if question.is_optional]
    if optional:
        lines.append(Line("Can be added (shown with the value used otherwise):", "title"))
    for request, example in optional:
        lines.append(Line(f"{request.key}={example}: {request.prompt}", "", request.rule, "  "))
        lines += [Line(text, "dim", "", "      ") for text in [_choice_names(request)] if text]
    return lines


def _choice_names(request: AnyRequest) -> str:
    return ", ".join(choice_cells(choice)[0] for choice in request.legal_choices()[:_MAX_ROWS])
