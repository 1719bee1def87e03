"""Trusted dice in text and JSON: what waits for consent, what the page checks, and the result of verifying a log."""

from __future__ import annotations

from collections import Counter

from companion.core.hints import TYPE_CHECKING
from companion.core.text import plural
from companion.core.values import JsonDict, ReplyValue
from companion.session.state import SessionState, human_seats
from companion.session.trusted import is_asked, open_ask, waits_for_consent
from companion.views.lines import Line

if TYPE_CHECKING:
    from companion.session.verify import Verification, VerifiedRoll

_LATEST = 12
"""Rolls that a state brings along for the page to check."""


def consent_lines(session: SessionState) -> list[Line]:
    """Return the change that waits for another seat, or nothing."""
    ask, waiting = open_ask(session), waits_for_consent(session)
    if ask is None or not waiting:
        return []
    names = " and ".join(seat.upper() for seat in waiting)
    lines = [Line(f"{ask.seat.upper()} asks to {ask.text}: waits for {names}", "reminder", "", "* ")]
    return [*lines, Line("Allow or refuse it: companion consent yes (or no)", "dim")] if is_asked(session) else lines


def trust_data(session: SessionState, latest: int = _LATEST) -> JsonDict | None:
    """Return what the page needs to take part and to check: the rolls, and who asked for changes and allowed them.

    None if the dice are not trusted. Of the rolls that are revealed and of the changes only the latest, oldest first;
    ``latest`` 0: all of them. Rolls that were taken back before they were revealed follow.
    """
    if not session.is_trusted:
        return None
    trust, settings = session.history.trust, session.history.settings
    waiting, at = session.waits_for, session.question_number
    unrevealed = [number for number in trust.commits if trust.is_open(number) and number != at]
    values = {
        f"{entry.number}.{place}": reply.value
        for entry in session.history.entries.values()
        for place, reply in enumerate(entry.replies, 1)
        if reply.is_random and reply.source == "trusted"
    }
    return {
        "uid": settings["uid"],
        "host": session.host_seat,
        "seats": human_seats(session.game, session.options),
        "waiting": {**_commitment_data(session, at), "waits_for": _sharing(session)} if waiting and at in trust.commits else None,
        "rolls": [
            *(_roll_data(session, number, values.get(number)) for number in list(trust.reveals)[-latest:]),
            *(_commitment_data(session, number) for number in unrevealed),
        ],
        "agreements": [
            {"id": item.seq, "seat": item.seat, "value": item.value, "text": item.text} for item in trust.agreements[-latest:]
        ],
        "ask": ask_data(session),
    }


def ask_data(session: SessionState) -> JsonDict | None:
    """Return the change that waits for consent, or None."""
    ask, waiting = open_ask(session), waits_for_consent(session)
    return {"id": ask.seq, "seat": ask.seat, "text": ask.text, "waits_for": list(waiting)} if ask and waiting else None


def ask_html(session: SessionState, role: str) -> str:
    """Return the change that waits for consent as HTML, with buttons for a seat that is asked; "" for none."""
    ask = ask_data(session)
    if ask is None:
        return ""
    from html import escape

    names = " and ".join(seat.upper() for seat in ask["waits_for"])
    text = escape(f"{ask['seat'].upper()} asks to {ask['text']}")
    if role not in ask["waits_for"]:
        return f"<section data-ask><p>{text}: waits for {escape(names)}</p></section>"
    buttons = "".join(
        f'<button type="button" data-consent="{answer}" data-ask-id="{ask["id"]}">{label}</button>'
        for answer, label in (("yes", "Allow it"), ("no", "Refuse it"))
    )
    return f'<section data-ask><p>{text}</p><p class="row">{buttons}</p></section>'


def _sharing(session: SessionState) -> list[str]:
    """Return the seats whose share the open roll waits for; by mail it may wait for the reveal of another one."""
    committed = session.history.trust.commits[session.question_number]["seat"]
    return [seat for seat in session.waits_for if seat != committed]


def _commitment_data(session: SessionState, at: str) -> JsonDict:
    body = session.history.trust.commits[at]
    return {"at": at, "commitment": body["value"], "of": dict(body["of"])}


def _roll_data(session: SessionState, at: str, value: ReplyValue | None) -> JsonDict:
    trust = session.history.trust
    return {**_commitment_data(session, at), "shares": dict(trust.shares.get(at, {})), "nonce": trust.reveals[at], "value": value}


def verification_data(result: Verification) -> JsonDict:
    """Return the result of verifying a log as JSON data."""
    return {
        "uid": result.uid,
        "fits": result.misfit is None,
        "misfit": result.misfit._asdict() if result.misfit else None,
        "waits": result.waits,
        "rows": result.rows,
        "head": result.head,
        "rolls": [_verified_data(roll) for roll in result.rolls],
    }


def _verified_data(roll: VerifiedRoll) -> JsonDict:
    return {**roll._asdict(), "shares": dict(roll.shares), "of": dict(roll.of)}


def head_line(rows: int, head: str) -> Line:
    """Return number and hash of the last row of a log, for both players to compare."""
    return Line(f"Row {rows} of the log, hash {head[:16]}", "dim")


def verification_lines(result: Verification, name: str) -> list[Line]:
    """Return the result of verifying a log in text."""
    count = plural(len(result.rolls), "roll or draw", "rolls and draws")
    head = head_line(result.rows, result.head)
    if result.misfit is None:
        lines = [Line(f"{name}: {count} recomputed, and all fit", "gain")]
        taken = sum(not roll.in_force for roll in result.rolls)
        lines += (
            [Line(f"{plural(taken, 'of them was', 'of them were')} taken back, with the other seat's consent")] if taken else []
        )
        seats = Counter(roll.by for roll in result.rolls)
        each = [f"{number} by {seat.upper()}" for seat, number in sorted(seats.items())]
        lines += [Line(f"Committed to: {', '.join(each)}")] if len(each) > 1 else []
        lines += [Line(f"Question {result.waits} waits for its dice")] if result.waits else []
        return [*lines, head]
    misfit = result.misfit
    at = f"question {misfit.at}: " if misfit.at else ""
    lines = [Line(f"{name} does not fit at {at}{misfit.what}", "error", misfit.rule, "! ")]
    lines += [Line(misfit.recorded, "", "", "  in the log: ")] if misfit.recorded else []
    lines += [Line(misfit.computed, "", "", "  should be:  ")] if misfit.computed else []
    return [*lines, Line(f"Row {misfit.row} of the log; {count} before it fit", "dim"), head]
