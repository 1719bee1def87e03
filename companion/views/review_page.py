"""The page of a review: one HTML file with a graph, and at each of its points the table, the decisions and the log."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from companion.core.review import GameReview, ReviewedDecision
from companion.core.text import clean
from companion.core.values import JsonDict
from companion.session.shipped import read_text, shipped_path
from companion.session.state import SessionState
from companion.views.plot import style_sheet
from companion.views.report.document import Table, TextRun
from companion.views.review import (
    SessionReview,
    accuracy_table,
    kinds_table,
    mistake_runs,
    moment_runs,
    omission_texts,
    result_sentence,
    session_review,
    step_number,
    sum_table,
    whose_figures,
)
from companion.views.review_graph import charts, corrections, turn_marks
from companion.views.review_points import points_data
from companion.views.screen.templates import page, verbatim

Linked = tuple[str, tuple[TextRun, ...]]
"""A text and the point that it leads to."""


def review_page(session: SessionState, review: GameReview, first: int = 0, last: int = 0) -> str:
    """Return the page of a review: one HTML file that loads nothing, for light and dark screens and for paper.

    `first`, `last`: the turns that it is of.
    """
    about = session_review(session, review, first, last)
    script, style = _own()
    scenario = f": {about.scenario}" if about.scenario else ""
    accuracy, kinds = accuracy_table(about), kinds_table(about)
    return page(
        shipped_path("views", "review.html"),
        policy=page_policy(),
        title=clean(f"Review: {about.game.title}{scenario}"),
        result=clean(result_sentence(about)),
        subject=clean(f"Session {about.name}. {whose_figures(about)}"),
        sum=_clean_table(sum_table(about)),
        accuracy=_transposed(_clean_table(accuracy)) if accuracy else None,
        worst=[_linked(one.entry, one.reply, mistake_runs(about, one)) for one in review.mistakes()[:1]],
        charts=charts(about),
        turns=turn_marks(about),
        breaks=corrections(about),
        turn_title=(about.game.track_title("turn") or "turns").casefold(),
        seats=[clean(about.seat(seat)) for seat in review.seats],
        moments=[_linked(one.entry, one.reply, moment_runs(about, one)) for one in review.moments()],
        mistakes=_mistakes_by_seat(about),
        kinds=_clean_table(kinds) if kinds else None,
        omissions=[clean(text) for text in omission_texts(about)],
        data=verbatim(embedded(points_data(session, about))),
        script=verbatim(script),
        style=verbatim(style),
    )


def _file(name: str) -> str:
    return read_text(shipped_path("views", name))


def _own() -> tuple[str, str]:
    """Return the script and the style of the page."""
    return _file("review.js"), style_sheet("review") + style_sheet("map")


def page_policy() -> str:
    """Return the content security policy of the page: its own script and style, and nothing from elsewhere."""
    own = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in _own()]
    nothing_else = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'"
    return f"{nothing_else}; script-src {own[0]}; style-src {own[1]}"


def embedded(data: JsonDict) -> str:
    """Return JSON that can stand in a script element.

    >>> embedded({"a": "</script><!--&"})
    '{"a":"\\\\u003c/script\\\\u003e\\\\u003c!--\\\\u0026"}'
    """
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _linked(entry: int, reply: int, runs: Sequence[TextRun]) -> Linked:
    return step_number(entry, reply), tuple(run._replace(text=_kept_blanks(run.text)) for run in runs)


def _kept_blanks(text: str) -> str:
    return " " * text.startswith(" ") + clean(text) + " " * text.endswith(" ")


def _clean_table(table: Table) -> Table:
    rows = tuple(tuple(map(clean, row)) for row in table.rows)
    return table._replace(head=tuple(map(clean, table.head)), rows=rows)


def _transposed(table: Table) -> Table:
    """Return a table with its rows as columns, which fits on a phone if it has few rows."""
    head, *rows = zip(table.head, *table.rows, strict=True)
    return Table(tuple(head), tuple(tuple(row) for row in rows), frozenset(range(1, len(head))))


def _mistakes_by_seat(about: SessionReview) -> list[tuple[str, list[Linked]]]:
    """Return the mistakes of each seat that has any, those of persons first."""

    def items(decisions: Sequence[ReviewedDecision]) -> list[Linked]:
        return [_linked(one.entry, one.reply, mistake_runs(about, one)) for one in decisions]

    found: list[tuple[str, Any]] = []
    for by_person in (True, False):
        for seat in about.review.seats:
            name = clean(about.seat(seat))
            title = f"{name[:1].upper()}{name[1:]}{'' if by_person else ' (Companion)'}"
            found.append((title, items(about.review.mistakes(seat=seat, by_person=by_person))))
    return [(title, listed) for title, listed in found if listed]
