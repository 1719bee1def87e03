"""Play by mail: take a file of a session from the other player, go on with it, and do this machine's part of the open roll.

A log only grows, so what one has must be the beginning of what comes back. Both logs are compared row by row with a chain of
hashes; a file whose log differs, or whose trusted dice do not fit, changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.core.errors import BadData, Unreadable
from companion.core.game import Game
from companion.core.history import LogRow
from companion.core.procedures import TRUSTED, ProgressCallback, ignore_progress
from companion.core.requests import AnyRequest
from companion.core.text import clean, pick_name, plural
from companion.core.trusted import chain
from companion.core.values import JsonObject, compact_json
from companion.session.advance import Result
from companion.session.controller import SessionController
from companion.session.inquiry import SeenState, changes_since
from companion.session.shares import take_part
from companion.session.state import human_seats
from companion.session.store import Archive, Session
from companion.session.transfer import read_session_document, store
from companion.session.verify import Verification, verify

_MAX_VALUE = 60


class Handover(NamedTuple):
    """What a file brought.

    Attributes:
        session: The session, after all of it.
        added, rows: How many of the file's rows were new, and how many it has.
        here: How many rows the session had before; 0 if it was not here.
        new_rows: The new rows.
        news: What they did, as the result of one call; None if there are none, or all is new.
        question: The question that was open before.
        verification: Of trusted dice, else None.
        part: What this machine did at the open roll, or None.
        file_name: The name of the session in the file.
    """

    session: SessionController
    added: int
    rows: int
    here: int
    new_rows: Sequence[LogRow]
    news: Result | None
    question: AnyRequest | None
    verification: Verification | None
    part: Result | None
    file_name: str


def receive(archive: Archive, content: str, seat: str = "", watch: ProgressCallback = ignore_progress) -> Handover:
    """Go on with the session of a file if it is in the archive, whatever its name; else store it as a new one.

    Args:
        seat: With trusted dice the seat that is played with this archive; by default the first player's that did not begin it.

    Raises:
        BadData: The file has faults, its log differs from the one here, its trusted dice do not fit, or it has a share or a
            consent of the seat that is played here which this archive does not have; nothing is kept.
        Unreadable: No such seat.
    """
    about, game, rows = read_session_document(content)
    options = {**game.default_options(about["scenario"]), **about["options"]}
    known = _known(archive, about, rows)
    own = _own_seat(archive, game, options, rows, seat, known)
    verification = verify(game, options, rows, watch) if _uid(rows) else None
    if known is None:
        _require_fitting(verification, 0)
        session = SessionController.open(archive, store(archive, about, rows, own_seat=own))
        return Handover(session, len(rows), len(rows), 0, rows, None, None, verification, take_part(session), about["name"])
    ours = archive.rows(known.id)
    _require_same_beginning(known, about, ours, rows)
    session = SessionController.open(archive, known)
    seen, question, new_rows, news = SeenState.of(session), session.pending, rows[len(ours) :], None
    if new_rows:
        _require_fitting(verification, len(ours))
        _require_others(session, new_rows)
        archive.append(known.id, len(ours), new_rows, facts_change=False, use=True)
        session.refresh()
        news = changes_since(session, seen)
    elif len(ours) == len(rows):
        archive.use(known)
    part = take_part(session) if len(ours) <= len(rows) else None
    return Handover(session, len(new_rows), len(rows), len(ours), new_rows, news, question, verification, part, about["name"])


def _uid(rows: Sequence[LogRow]) -> str:
    """Return the number that a session with trusted dice has in its first row, or ""."""
    body = rows[0].body
    return str(body.get("uid", "")) if rows[0].kind == "setting" and body.get("dice") == TRUSTED else ""


def _own_seat(
    archive: Archive, game: Game, options: Mapping[str, str], rows: Sequence[LogRow], seat: str, known: Session | None
) -> tuple[str, str] | None:
    """Return the uid and the seat that is played with this archive; None without trusted dice."""
    uid, seats = _uid(rows), human_seats(game, options)
    if not uid:
        if seat:
            raise Unreadable("--seat is for a session with trusted dice", cure="Leave --seat out")
        return None
    host = str(rows[0].body.get("host", ""))
    chosen = pick_name(seat, seats, "seat of a player") if seat else next((item for item in seats if item != host), host)
    if known is not None:
        before = archive.own_seat(uid) or host
        if seat and chosen != before:
            raise Unreadable(f"{before.upper()} is played with this archive", cure="Leave --seat out, or use another --db")
        chosen = before
    return uid, chosen


def _known(archive: Archive, about: JsonObject, rows: Sequence[LogRow]) -> Session | None:
    """Return the session of the archive that the file is of; of several the one that has most in common with it."""
    uid, best, most = _uid(rows), None, (-1, False)
    for session in archive.sessions():
        first = archive.first_row(session.id) if session.game == about["game"] else None
        if first is None:
            continue
        is_same = _uid([first]) == uid if uid else session.seed == about["seed"] and first.at == rows[0].at and not _uid([first])
        if not is_same:
            continue
        ours = archive.rows(session.id)
        number = _common(ours, rows)
        common = number, number == min(len(ours), len(rows))  # a branch has as much in common, and does not go on in the file
        if common > most:
            best, most = session, common
    return best


def _common(ours: Sequence[LogRow], theirs: Sequence[LogRow]) -> int:
    """Return how many rows two logs have in common at their beginning."""
    here = there = ""
    for number, (our_row, their_row) in enumerate(zip(ours, theirs, strict=False)):
        here, there = chain(here, our_row), chain(there, their_row)
        if here != there:
            return number
    return min(len(ours), len(theirs))


def _require_fitting(verification: Verification | None, here: int) -> None:
    """Raise BadData with the first row whose dice do not fit. `here`: how many rows the session has in this archive."""
    if verification is None or verification.misfit is None:
        return
    misfit = verification.misfit
    at = f"question {misfit.at}: " if misfit.at else ""
    values = f" (in the file {misfit.recorded or 'nothing'}, should be {misfit.computed})" if misfit.computed else ""
    what = f"row {misfit.row} of the file does not fit, {at}{misfit.what}{values}"
    if misfit.row <= here:
        raise BadData(f"{what}, and it is in the session here too", rule=misfit.rule, cure="Look closer: companion verify")
    raise BadData(what, rule=misfit.rule, cure="Nothing of it is taken over. Look closer: companion verify FILE")


def _require_others(session: SessionController, new_rows: Sequence[LogRow]) -> None:
    """Raise BadData if new rows speak for the seat that is played with this archive: only this archive writes them.

    That is what `verify` cannot find: the other side could write this seat's share, and try until it likes the dice.
    """
    own = session.host_seat
    for row in new_rows:
        if row.kind == "trust" and row.body["seat"] == own:
            at, step = row.body["at"], row.body["step"]
            what = f"row {row.seq} of the file, question {at}: a {step} of {own.upper()} that was not written here"
            cure = "Nothing of it is taken over. If you did it on a page: companion bundle --restore FILE --db other.sqlite3"
            raise BadData(what, cure=cure)


def _require_same_beginning(known: Session, about: JsonObject, ours: Sequence[LogRow], theirs: Sequence[LogRow]) -> None:
    """Raise BadData with the first difference if neither log is the beginning of the other."""
    cure = "Nothing of it is taken over. Look at it apart: companion bundle --restore FILE --db other.sqlite3"
    chosen = {"scenario": about["scenario"], "seed": about["seed"], **about["options"]}
    here = {"scenario": known.scenario, "seed": known.seed, **known.options}
    for name in sorted({*chosen, *here}):
        if chosen.get(name) != here.get(name):
            values = f"here {_short(here.get(name, 'none'))}, in the file {_short(chosen.get(name, 'none'))}"
            raise BadData(f"the file is of {known.name} with another {clean(name)[:_MAX_VALUE]}: {values}", cure=cure)
    number = _common(ours, theirs)
    if number == min(len(ours), len(theirs)):
        return
    our_row, their_row = ours[number], theirs[number]
    place = sum(row.entry == our_row.entry and row.kind in ("reply", "adjusted") for row in ours[:number]) + 1
    at = f", question {our_row.entry}.{place}" if our_row.kind in ("reply", "adjusted") else ""
    here_text, there_text = _difference(our_row, their_row)
    more = [f"{plural(len(log) - number, 'row')} {where}" for log, where in ((ours, "here"), (theirs, "in the file"))]
    what = f"the file differs from {known.name} from row {number + 1} on{at}: here {here_text}, in the file {there_text}"
    raise BadData(f"{what} ({', '.join(more)} from there)", rule=str(our_row.body.get("rule", "")), cure=cure)


def _difference(ours: LogRow, theirs: LogRow) -> tuple[str, str]:
    """Return what two rows have where they differ first, as texts."""
    names = _named(ours), _named(theirs)
    if names[0] != names[1]:
        return names
    for key in sorted({*ours.body, *theirs.body}):
        here, there = ours.body.get(key), theirs.body.get(key)
        if here != there and key == "part":  # the answer to a sealed question is not shown
            return "a sealed answer", "another one"
        if here != there:
            return f"{clean(key)} {_short(here)}", f"{clean(key)} {_short(there)}"
    return f"written at {_short(ours.at)}", f"at {_short(theirs.at)}"


def _named(row: LogRow) -> str:
    step = f" ({row.body['step']})" if row.kind == "trust" else ""
    return f"a row '{row.kind}'{step} of action {row.entry}"


def _short(value: object) -> str:
    text = clean(value if isinstance(value, str) else compact_json(value))
    return text if len(text) <= _MAX_VALUE else f"{text[:_MAX_VALUE]}..."
