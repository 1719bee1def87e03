"""What a file of the other player brought, in text and JSON."""

from __future__ import annotations

from companion.core.procedures import FORCED
from companion.core.text import plural
from companion.core.values import JsonDict
from companion.session.doctor import RulesCheck
from companion.session.mail import Handover
from companion.session.state import human_seats
from companion.session.trusted import waits_for_consent
from companion.session.verify import head_of
from companion.views.lines import Line, lines_data
from companion.views.news import news_lines
from companion.views.result import play_lines
from companion.views.trusted import consent_lines, head_line, verification_lines

_MAX_MISMATCHES = 12


def handover_lines(handover: Handover, check: RulesCheck) -> list[Line]:
    """Return what was new, whether it fits, and what the open roll waits for. `check`: of the session by the rules."""
    session, verification = handover.session, handover.verification
    if handover.here > handover.rows and not (verification and verification.misfit):
        return _first_lines(handover)
    lines = [*_first_lines(handover), *_new_lines(handover)]
    lines.append(Line(check.text, "warning" if check.mismatches else ""))
    lines += [Line(f"{action}: {why}", "", "", f"  {number}  ") for number, action, why in check.mismatches[:_MAX_MISMATCHES]]
    if verification is None:
        return [*lines, *_unproven_lines(handover), head_line(*_head(handover))]
    lines += verification_lines(verification._replace(waits=""), "The file")  # what it waits for now is said below
    lines.append(Line(f"{session.host_seat.upper()} is played with this archive", "dim"))
    if handover.part is not None:
        is_share = session.question_number == verification.waits
        share = [Line(f"The share of {session.host_seat.upper()} for question {verification.waits} is in the log now")]
        lines += [*(share if is_share else play_lines(session, handover.part)), head_line(*_head(handover))]
    lines += consent_lines(session)
    if (waits := session.waits_for) and not waits_for_consent(session):
        names, at = " and ".join(seat.upper() for seat in waits), session.question_number
        what = f"Question {at} waits for {names}: companion bundle FILE, and send it"
        if session.host_seat in waits:
            what = f"Question {at} waits for {names}: its dice come from the archive that committed to it"
        lines.append(Line(what, "reminder", "", "* "))
    return lines


def _first_lines(handover: Handover) -> list[Line]:
    """Return how the file and the session that is here relate."""
    name, here, rows = handover.session.info.name, handover.here, handover.rows
    if here > rows:
        what = f"{name}: the file is older, it ends with row {rows} and {here} are here: nothing is changed"
        return [Line(what, "warning"), Line("Look at it apart: companion bundle --restore FILE --db other.sqlite3", "dim")]
    if not here:
        meant = handover.file_name
        taken = f" ({meant} is another session here)" if meant and meant != name else ""
        return [Line(f"In use: {name}, new with {plural(rows, 'row')}{taken}"), *_not_from_here(handover)]
    new = f"{plural(handover.added, 'new row')} after row {here}" if handover.added else f"nothing is new after row {here}"
    return [Line(f"In use: {name}, {new}")]


def _not_from_here(handover: Handover) -> list[Line]:
    """Return how many steps of the seat that is played here a new session has already: this archive cannot check them."""
    seat = handover.session.host_seat
    count = sum(row.kind == "trust" and row.body["seat"] == seat for row in handover.new_rows) if seat else 0
    if not count:
        return []
    what = plural(count, f"share or consent of {seat.upper()} was", f"shares and consents of {seat.upper()} were")
    return [Line(f"{what} written elsewhere, which cannot be checked here", "reminder", "", "* ")]


def _new_lines(handover: Handover) -> list[Line]:
    """Return what the new rows of a session that was here did."""
    if handover.news is None:
        return []
    session, news = handover.session, handover.news
    has_play = news.events or news.fix or news.notes
    lines = news_lines(session, handover.new_rows, handover.question)
    return [*lines, *(play_lines(session, news) if has_play else ())]


def _unproven(handover: Handover) -> tuple[int, int]:
    """Return how many rolls and draws in force were typed, and how many Companion made, in a session between two players."""
    session = handover.session
    if handover.verification is not None or len(human_seats(session.game, session.options)) < 2:
        return 0, 0
    rolls = [reply for entry in session.history.in_force for reply in entry.replies if reply.is_random and reply.source != FORCED]
    rolled = sum(reply.source == "computer" for reply in rolls)
    return len(rolls) - rolled, rolled


def _unproven_lines(handover: Handover) -> list[Line]:
    typed, rolled = _unproven(handover)
    if not typed + rolled:
        return []
    return [Line(f"Nobody can prove rolls and draws of one machine: {typed} typed, {rolled} by Companion", "reminder", "", "* ")]


def _head(handover: Handover) -> tuple[int, str]:
    rows = handover.session.archive.rows(handover.session.info.id)
    return len(rows), head_of(rows)


def handover_data(handover: Handover, check: RulesCheck) -> JsonDict:
    """Return what a file brought as JSON data. `check`: of the session by the rules."""
    session, verification = handover.session, handover.verification
    typed, rolled = _unproven(handover)
    misfit = verification.misfit if verification else None
    return {
        "session": session.info.name,
        "game": session.game.id,
        "fit": check.fit,
        "misfits": [{"entry": number, "action": action, "why": why} for number, action, why in check.mismatches],
        "here": handover.here,
        "rows": handover.rows,
        "added": handover.added,
        "head": _head(handover)[1],
        "lines": lines_data(_new_lines(handover)),
        "fix": list(handover.news.fix) if handover.news else [],
        "unproven": misfit._asdict() if misfit else None,
        "seat": session.host_seat,
        "waits_for": list(session.waits_for),
        "typed": typed,
        "rolled": rolled,
    }
