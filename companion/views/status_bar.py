"""The foot of the screen at the table: where play is, what is asked of whom, the tracks as they are and as they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.game import Banner, Field
from companion.core.request import Request
from companion.views.lines import Line, Span
from companion.views.question import prompt_line

_BETWEEN = " | "
_CUT = "..."
_NARROW = 60
"""Columns below which the figures may take a row more."""


_APART = 3
"""Rows beyond which a narrow foot has one for where play is and one for the question."""


def status_bar_height(rows: int, columns: int) -> int:
    """How many rows a screen has to spare for the foot."""
    return max(min(4 if columns < _NARROW else 3, rows // 6), 1)


def status_bar_lines(
    banner: Banner, before: Mapping[str, str], asked: Request[Any] | None, rows: int, columns: int
) -> list[Line]:
    """The foot, none of its rows longer than the screen is wide.

    Args:
        banner: of the position as it stands.
        before: each figure as it was before the action that is open, or else before the last one, by its key.
        asked: the question that is open.
        rows, columns: of the screen.
    """
    most = status_bar_height(rows, columns)
    room = columns - 1  # the last column makes some terminals begin another row
    head = _stage_lines(banner.stage, asked, most, room)
    return [*head, *_field_lines(banner.fields, before, most - len(head), room)][:most]


def _stage_lines(stage: str, asked: Request[Any] | None, most: int, room: int) -> list[Line]:
    """Where play is, and behind it the question; on a narrow screen below it, or that alone."""
    question = prompt_line(asked) if asked else None
    if question is None:
        return [Line(truncate(stage, room), "title")] if stage else []
    text = f"{question.lead}{question.text}"
    if not stage or (room < _NARROW and len(f"{stage}{_BETWEEN}{text}") > room):
        first = [Line(truncate(stage, room), "title")] if stage and most > _APART else []
        return [*first, Line(truncate(text, room), "question")]
    whole = truncate(f"{stage}{_BETWEEN}{text}", room)
    return [Line(whole, "question", spans=(Span(0, len(stage), "title"),))]


def _field_lines(fields: Sequence[Field], before: Mapping[str, str], most: int, room: int) -> list[Line]:
    """The figures on so many rows at most: those that have changed are never left out for others."""
    shown = list(fields)
    while len(found := _field_rows(shown, before, room)) > most and shown:
        same = [field for field in shown if not _is_changed(field, before)]
        shown.remove((same or shown)[-1])
    return found[: max(most, 0)]


def _field_rows(fields: Sequence[Field], before: Mapping[str, str], room: int) -> list[Line]:
    """The figures side by side: what has changed with what it was."""
    rows: list[tuple[str, tuple[Span, ...]]] = []
    for field in fields:
        text = truncate(_field_text(field, before, room), room)
        last, spans = rows[-1] if rows else ("", ())
        together = f"{last}{_BETWEEN}{text}" if last else text
        if not rows or len(together) > room:
            rows.append((text, ()))
            together, spans = text, ()
        if _is_changed(field, before):
            spans = (*spans, Span(len(together) - len(text), len(together), "changed"))
        rows[-1] = (together, spans)
    return [Line(text, "track", spans=spans) for text, spans in rows]


def _is_changed(field: Field, before: Mapping[str, str]) -> bool:
    return field.key in before and before[field.key] != field.value


def _field_text(field: Field, before: Mapping[str, str], room: int) -> str:
    """A figure; of one that has changed and has no room what has changed comes first."""
    if not _is_changed(field, before):
        return f"{field.label} {field.value}".strip()
    was = before[field.key]
    whole = f"{field.label} {change_text(was, field.value)}".strip()
    return whole if len(whole) <= room else f"{field.label} {_changed_words_first(was, field.value)}".strip()


def _paired_words(was: str, now: str) -> list[tuple[str, str]]:
    """Two values word by word; () where they are not alike: of different length, or with no word in common."""
    pairs = list(zip(was.split(), now.split(), strict=False))
    alike = len(was.split()) == len(now.split()) and any(old == new for old, new in pairs)
    return pairs if alike else []


def change_text(was: str, now: str) -> str:
    """A value with what it was, word by word where the two are alike.

    >>> change_text("20 concealed, 0 captured", "19 concealed, 0 captured")
    '20 > 19 concealed, 0 captured'
    >>> change_text("Medium", "Low")
    'Medium > Low'
    """
    return " ".join(_changed_word(old, new) for old, new in _paired_words(was, now)) or f"{was} > {now}"


def _changed_word(old: str, new: str) -> str:
    return new if old == new else f"{old.rstrip(',')} > {new}"


def _changed_words_first(was: str, now: str) -> str:
    """The words that have changed, each behind the word before it, which names it; then the others."""
    pairs = _paired_words(was, now)
    told = [
        " ".join([*(pairs[at - 1][1:] if at and len(set(pairs[at - 1])) == 1 else ()), _changed_word(old, new)])
        for at, (old, new) in enumerate(pairs)
        if old != new
    ]
    return f"{', '.join(told)}; {now}" if told else f"{was} > {now}"


def truncate(text: str, room: int) -> str:
    """A text of at most so many characters; what is cut off ends in dots."""
    return text if len(text) <= room else text[: max(room - len(_CUT), 0)].rstrip() + _CUT


def field_values(banner: Banner) -> dict[str, str]:
    """What a banner shows, by key."""
    return {field.key: field.value for field in banner.fields}
