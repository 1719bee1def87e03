"""Lines of the terminal as data for the templates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.core.text import clean
from companion.views.lines import Line, printable
from companion.views.screen.templates import fragment


class Run(NamedTuple):
    """A part of a line with its CSS class, or ""."""

    kind: str
    text: str


class ShownLine(NamedTuple):
    """A line as the template writes it."""

    tone: str
    parts: tuple[Run, ...]
    rules: tuple[str, ...]


def rule_numbers(rule: str) -> tuple[str, ...]:
    """Return the rule numbers of a citation, such as `8.2, 9.1`."""
    return tuple(part.strip() for part in clean(rule).split(",") if part.strip())


def shown_line(line: Line) -> ShownLine:
    """Return a line as data for the template."""
    return ShownLine(line.tone, tuple(_runs(line)), rule_numbers(line.rule))


def _runs(line: Line) -> Iterator[Run]:
    lead = len(line.lead)
    whole = printable(line.lead + line.text)
    edges = {0, lead, len(whole)} | {min(edge, len(whole)) for span in line.spans for edge in span[:2]}
    cuts = sorted(edges)
    for start, end in pairwise(cuts):
        tones = [f"tone-{span.tone}" for span in line.spans if span.start <= start and end <= span.end and span.tone]
        yield Run(" ".join([*(["lead"] if end <= lead else []), *tones]), whole[start:end])


def lines_html(lines: Iterable[Line]) -> str:
    """Return lines as HTML."""
    return fragment("lines", [shown_line(line) for line in lines])


def spoken(lines: Sequence[Line]) -> str:
    """Return lines as sentences to read aloud, without rule numbers."""
    texts = [clean(line.text).rstrip(" :;,") for line in lines]
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in texts if text)
