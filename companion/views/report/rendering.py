"""A report in one of its forms, for whoever hands it on: a command, or another program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Unreadable
from companion.session.standing import SessionState

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.map import Map
    from companion.core.position import Position
    from companion.views.report.blocks import Block
    from companion.views.report.telling import Extent, Report

TEXTS = ("md", "html", "bbcode")
FORMS = (*TEXTS, "json")


def session_report(desk: SessionState, extent: Extent, luck: bool = False) -> Report:
    """The report of a session. ``luck``: with what the rolls brought beside what they bring on average."""
    from companion.views.report.telling import build_report

    if not luck:
        return build_report(desk.info.name, desk.game, desk.history, desk.options, extent)
    from companion.session.fortune import luck_by_entry as weighed

    return build_report(desk.info.name, desk.game, desk.history, desk.options, extent, weighed(desk))


def report_text(desk: SessionState, report: Report, form: str) -> str:
    """A report as a text of some form but ``json``. Raises Unreadable: nothing has been played yet."""
    if form == "html":
        from companion.views.report.as_html import report_html

        return report_html(report_blocks(desk, report, True))
    if form == "bbcode":
        from companion.views.report.as_bbcode import report_bbcode

        return report_bbcode(report_blocks(desk, report, False))
    from companion.views.report.as_md import report_md

    return report_md(report_blocks(desk, report, False))


def report_blocks(desk: SessionState, report: Report, drawn: bool) -> list[Block]:
    """A report as a document, with its pictures where they are ``drawn``. Raises Unreadable: nothing has been played yet."""
    from companion.views.report.document import document

    if not report.chapters:
        raise Unreadable(f"nothing has been played in session {report.head.session} yet", cure="Begin: companion play")
    return document(report, True, _map_function(desk)) if drawn else document(report)


def _map_function(desk: SessionState) -> Callable[[Position], Map | None]:
    """The map of a session, as far as it is known."""
    from companion.views.map import known_map

    facts, learnt = desk.log.facts(), desk.archive.inferred_facts(desk.game.id)
    return lambda position: known_map(desk.game, position, desk.options, facts, learnt) if desk.game.map_in else None
