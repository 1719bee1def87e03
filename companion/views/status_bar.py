"""The status bar of the interactive session: stage, open question, and figures with their last change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.game import Banner, Field
from companion.core.request import AnyRequest
from companion.views.lines import Line, Span, truncate
from companion.views.question import prompt_line

_SEPARATOR = " | "
_NARROW_WIDTH = 60  # width below which the figures may take one more row


_TWO_ROW_LIMIT = 3  # rows from which a narrow status bar shows stage and question on separate rows


def status_bar_height(rows: int, columns: int) -> int:
    """Return the number of rows available to the status bar."""
    return max(min(4 if columns < _NARROW_WIDTH else 3, rows // 6), 1)


def status_bar_lines(
    banner: Banner, before: Mapping[str, str], question: AnyRequest | None, rows: int, columns: int
) -> list[Line]:
    """Return the status bar, no row wider than the screen.

    Args:
        banner: Of the current position.
        before: Field values before the open action or, without one, before the last action, by key.
        question: The open question.
        rows, columns: Size of the screen.
    """
    most = status_bar_height(rows, columns)
    room = columns - 1  # some terminals wrap after the last column
    head = _stage_lines(banner.stage, question, most, room)
    return [*head, *_field_lines(banner.fields, before, most - len(head), room)][:most]


def _stage_lines(stage: str, request: AnyRequest | None, most: int, room: int) -> list[Line]:
    """Return the stage and the question, on one row if there is room."""
    question = prompt_line(request) if request else None
    if question is None:
        return [Line(truncate(stage, room), "title")] if stage else []
    text = f"{question.lead}{question.text}"
    if not stage or (room < _NARROW_WIDTH and len(f"{stage}{_SEPARATOR}{text}") > room):
        first = [Line(truncate(stage, room), "title")] if stage and most > _TWO_ROW_LIMIT else []
        return [*first, Line(truncate(text, room), "question")]
    whole = truncate(f"{stage}{_SEPARATOR}{text}", room)
    return [Line(whole, "question", spans=(Span(0, len(stage), "title"),))]


def _field_lines(fields: Sequence[Field], before: Mapping[str, str], most: int, room: int) -> list[Line]:
    """Return the figures on at most `most` rows. Unchanged figures are left out first."""
    shown = list(fields)
    while len(lines := _field_rows(shown, before, room)) > most and shown:
        same = [field for field in shown if not _is_changed(field, before)]
        shown.remove((same or shown)[-1])
    return lines[: max(most, 0)]


def _field_rows(fields: Sequence[Field], before: Mapping[str, str], room: int) -> list[Line]:
    """Return the figures side by side, changed ones with their old value."""
    rows: list[tuple[str, tuple[Span, ...]]] = []
    for field in fields:
        text = truncate(_field_text(field, before, room), room)
        last, spans = rows[-1] if rows else ("", ())
        together = f"{last}{_SEPARATOR}{text}" if last else text
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
    """Return a figure; a changed one that does not fit shows its changed words first."""
    if not _is_changed(field, before):
        return f"{field.label} {field.value}".strip()
    was = before[field.key]
    whole = f"{field.label} {change_text(was, field.value)}".strip()
    return whole if len(whole) <= room else f"{field.label} {_changed_words_first(was, field.value)}".strip()


def _paired_words(was: str, now: str) -> list[tuple[str, str]]:
    """Pair two values word by word; empty if they differ in length or share no word."""
    pairs = list(zip(was.split(), now.split(), strict=False))
    alike = len(was.split()) == len(now.split()) and any(old == new for old, new in pairs)
    return pairs if alike else []


def change_text(was: str, now: str) -> str:
    """Return a change of value, word by word where the two values are similar.

    >>> change_text("20 concealed, 0 captured", "19 concealed, 0 captured")
    '20 > 19 concealed, 0 captured'
    >>> change_text("Medium", "Low")
    'Medium > Low'
    """
    return " ".join(_changed_word(old, new) for old, new in _paired_words(was, now)) or f"{was} > {now}"


def _changed_word(old: str, new: str) -> str:
    return new if old == new else f"{old.rstrip(',')} > {new}"


def _changed_words_first(was: str, now: str) -> str:
    """Return the changed words, each after the word that names it, then the new value."""
    pairs = _paired_words(was, now)
    texts = [
        " ".join([*(pairs[index - 1][1:] if index and len(set(pairs[index - 1])) == 1 else ()), _changed_word(old, new)])
        for index, (old, new) in enumerate(pairs)
        if old != new
    ]
    return f"{', '.join(texts)}; {now}" if texts else f"{was} > {now}"


def field_values(banner: Banner) -> dict[str, str]:
    """Return the field values of a banner by key."""
    return {field.key: field.value for field in banner.fields}
