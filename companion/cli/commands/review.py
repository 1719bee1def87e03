"""The command review: what each decision of a session cost."""

from __future__ import annotations

from companion.cli.commands.analysis import EXISTS_CURE, document_form
from companion.cli.shell import catalog
from companion.cli.shell.archives import open_session, seat_of
from companion.cli.shell.arguments import parse_jobs
from companion.cli.shell.output import document_of, put, show, width, write_json
from companion.cli.shell.shared import reviewed
from companion.core.errors import Unreadable
from companion.core.review import LEVELS, NORMAL
from companion.core.text import pick_name
from companion.core.values import JsonDict
from companion.session.state import SessionState
from companion.views.banner import session_heading
from companion.views.lines import BLANK, Line
from companion.views.report.render import report_bbcode, report_md
from companion.views.review import SessionReview, review_blocks, review_data, review_lines


@catalog.REVIEW
def review(
    name: str,
    level: str,
    first: int,
    last: int,
    seat: str,
    jobs: str,
    style: str,
    out: str,
    details: bool,
    force: bool,
    session: str,
    db: str,
    json: bool,
) -> int:
    """Show what each decision cost, what the dice did, and how both add up to the result. Ctrl-C keeps what was computed.

    Example: companion review --level quick
    """
    if name and session:
        raise Unreadable("the session is named twice", cure="Name it once: companion review SESSION")
    chosen = pick_name(level, list(LEVELS), "level") if level else NORMAL
    form = document_form(style, out, json) if style or out else ""
    workers = parse_jobs(jobs)
    if out:
        from companion.cli.shell.files import require_new

        require_new(out, force, EXISTS_CURE)
    controller = open_session(db, name or session)
    about = reviewed(controller, chosen, first=first, last=last, seat=seat_of(controller, seat), jobs=workers)
    text = _document(controller, about, form) if form not in ("", "json") or out else ""
    if out:
        from companion.cli.shell.files import write_new

        path = write_new(out, text, force, EXISTS_CURE)
        show(json, lambda: {"session": controller.info.name, "file": path}, lambda: [Line(f"Written: {path}")])
    elif form == "json":
        write_json(_data(about))
    elif form:
        put(text)
    else:
        heading = session_heading(controller.info.name, controller.game, controller.options.get("scenario", ""))
        lines = [
            heading,
            BLANK,
            *review_lines(about, details=details, columns=width()),
            BLANK,
            Line(_MORE if details else _ALL, "dim"),
        ]
        if about.review.mistakes():
            lines.append(Line(f"Decide these again: companion drill {controller.game.id} --own", "dim"))
        show(json, lambda: _data(about), lambda: lines)
    return 0


_MORE = "A page to click through: companion review --out review.html"
_ALL = "All of it: companion review --details; a page to click through: companion review --out review.html"


def _data(about: SessionReview) -> JsonDict:
    return {"session": about.name, "game": about.game.id, **review_data(about)}


def _document(state: SessionState, about: SessionReview, form: str) -> str:
    """Return the review in a form that a file can have."""
    if form == "json":
        return document_of(_data(about))
    if form == "html":
        from companion.views.review_page import review_page

        return review_page(state, about.review, about.first, about.last)
    blocks = review_blocks(about)
    return report_bbcode(blocks) if form == "bbcode" else report_md(blocks)
