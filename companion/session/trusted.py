"""Trusted dice of a session: commitments, and consent to changes across a roll.

The host's nonce lies in the archive beside the log until it is revealed, so that any process with the archive is the host and
one that was restarted goes on. By mail each archive is the host of the rolls that are reached there.

A roll is in the log as a commitment, a share of each other seat, a reveal and the reply; the
commitment is written with what led to the roll, and the last share in one transaction with all that follows from it.

An undo, redo, amend or abort that moves a roll is written to the log as it would be carried out, and carried out to the letter
once the other seats have allowed it; play that goes on meanwhile makes it void.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress

from companion.core.errors import CompanionError, Impossible, SessionMoved, Unreadable
from companion.core.game import Game
from companion.core.history import Change, Entry, History, LogRow, Reply
from companion.core.procedures import TRUSTED
from companion.core.text import pick_name
from companion.core.trusted import Ask, chance, commitment
from companion.core.values import compact_json
from companion.session.entry import RunningEntry
from companion.session.state import LogBatch, SessionState, human_seats

YES, NO = "yes", "no"


class ConsentPending(CompanionError):
    """A change across a trusted roll waits until the other seats allow it."""

    exit_code = 3
    kind = "consent"


def trusted_settings(game: Game, options: Mapping[str, str], draws: str, host: str) -> dict[str, str]:
    """Return the settings of a new session with trusted dice.

    Args:
        draws: Who draws by default, as it was asked for.
        host: The seat that is played on this machine, by unique prefix; "" for the first that a player has.

    Raises:
        Unreadable: Fewer than two players have a seat, or another way to draw is asked for.
    """
    if draws == "physical":
        raise Unreadable("with trusted dice the draws are trusted too", cure="Leave --draws out")
    seats = human_seats(game, options)
    if len(seats) < 2:
        computer = [seat for seat in game.players.seats if seat not in seats]
        cure = f"Let a player have it: --option {computer[0]}=player" if computer else "Use --dice computer or physical"
        what = f"Companion plays {computer[0].upper()}" if computer else f"{game.title} has one seat"
        raise Unreadable(f"trusted dice are between two players, and {what}", cure=cure)
    chosen = pick_name(host, seats, "seat of a player") if host else seats[0]
    return {"dice": TRUSTED, "draws": TRUSTED, "uid": os.urandom(16).hex(), "host": chosen}


def add_commitment(session: SessionState, batch: LogBatch, entry: RunningEntry) -> None:
    """Add the commitment to a batch, if an entry has come to a trusted roll that has none."""
    request = entry.request
    if not session.is_trusted or request is None or entry.resolver is None or not entry.resolver.is_trusted(request):
        return
    at, uid = f"{entry.number}.{len(entry.replies) + 1}", session.history.settings["uid"]
    if at in session.history.trust.commits:
        return
    nonce = batch.secrets[f"{uid} {at}"] = os.urandom(32).hex()
    batch.trust(entry.number, at, "commit", session.host_seat, commitment(nonce, uid, at), of=chance(request))


def ensure_commitment(session: SessionState) -> None:
    """Commit to the open roll if nothing has yet: after a change that led to it, or one that was interrupted."""
    if not session.is_trusted or (running := session.running_entry()) is None:
        return
    batch = session.log.new_batch()
    add_commitment(session, batch, running)
    if batch.rows:
        with suppress(SessionMoved):  # another process has committed to it meanwhile, or changed the question
            session.log.commit(batch)


def require_free_setting(session: SessionState) -> None:
    """Raise Impossible if the dice of the session are trusted: then nobody changes who rolls."""
    if session.is_trusted:
        cure = "To try something with other dice: companion branch NAME"
        raise Impossible("the dice of this session are trusted, and stay so", cure=cure)


# -- consent -----------------------------------------------------------------------------------------------------------


def _replies_of(numbers: Iterable[int], entries: Mapping[int, Entry]) -> list[tuple[str, Reply]]:
    """Return the replies of some entries in order, each with its number."""
    known = [entries[number] for number in sorted(numbers) if number in entries]
    return [(f"{entry.number}.{place}", reply) for entry in known for place, reply in enumerate(entry.replies, 1)]


def crossed_roll(history: History, change: Change, entries: Mapping[int, Entry]) -> str:
    """Return the number of the first trusted roll that a change reaches over; "" if it reaches over none.

    That is one that is taken back or brought again, or before which an answer changes, even if the dice stay: whoever knows
    them would answer otherwise.

    Args:
        entries: All entries, also those that the change brings in.
    """
    for at in history.trust.commits:
        if history.trust.is_open(at) and int(at.partition(".")[0]) in (*change.take, *change.give):
            return at
    taken, given = _replies_of(change.take, entries), _replies_of(change.give, entries)
    same = 0
    while same < min(len(taken), len(given)) and taken[same][1] == given[same][1]:
        same += 1
    later = [*taken[same:], *given[same:]]
    return next((at for at, reply in later if reply.is_random and reply.source == TRUSTED), "")


def _entries_with(history: History, rows: Iterable[LogRow]) -> dict[int, Entry]:
    """Return all entries, with those that some rows would add."""
    entries = dict(history.entries)
    for row in rows:
        if row.kind == "entry":
            entries[row.entry] = Entry(row.entry, row.body["action"], row.body["args"], row.at)
        elif row.kind == "reply":
            body = row.body
            reply = Reply(body["key"], body["kind"], body["value"], body["source"], body.get("anyway", False), body["rule"])
            reply = reply._replace(seat=body.get("seat", ""), left=body.get("left", 0))
            entries[row.entry] = entries[row.entry].with_reply(reply)
    return entries


_WORDS = {"undo": "take back", "reply": "take back an answer of", "abort": "take back", "redo": "bring back", "amend": "change"}


def _in_words(history: History, change: Change, at: str) -> str:
    numbers = sorted(change.take or change.give)
    actions = ", ".join(f"{number} {history.entries[number].action}" for number in numbers if number in history.entries)
    return f"{_WORDS.get(change.how, 'take back a correction of')} {actions} (roll {at})"


def open_ask(session: SessionState) -> Ask | None:
    """Return the change that waits for consent; None if there is none, or one was refused."""
    ask = session.history.trust.ask if session.is_trusted else None
    return None if ask is None or NO in ask.answers.values() else ask


def own_seat(session: SessionState) -> str:
    """Return the seat that plays through this object: by default the one at the host."""
    return session.seat or session.host_seat


def waits_for_consent(session: SessionState) -> tuple[str, ...]:
    """Return the seats whose consent the open change waits for."""
    ask = open_ask(session)
    seats = human_seats(session.game, session.options) if ask else ()
    return tuple(seat for seat in seats if ask and seat != ask.seat and seat not in ask.answers)


def is_asked(session: SessionState) -> bool:
    """True if the seat that plays through this object is asked for consent."""
    return own_seat(session) in waits_for_consent(session)


def require_consent(session: SessionState, batch: LogBatch, change: Change) -> None:
    """Ask the other seats before a change reaches over a trusted roll; do nothing if it reaches over none.

    Raises:
        ConsentPending: It waits for their consent; the request is in the log.
    """
    history = session.history
    at = crossed_roll(history, change, _entries_with(history, batch.rows))
    if not at:
        return
    rows = [compact_json([row.kind, row.entry, dict(row.body)]) for row in batch.rows if row.kind != "trust"]
    ask = open_ask(session)
    if ask is None or list(ask.rows) != rows:
        words = _in_words(history, change, at)
        request = session.log.new_batch()
        more = {"of": {"facts": dict(batch.facts)}} if batch.facts else {}
        request.trust(0, at, "ask", own_seat(session), words, rows=rows, **more)
        session.log.commit(request)
    elif is_asked(session):
        raise ConsentPending(f"{ask.seat.upper()} has asked for the same", cure="Allow it: companion consent yes")
    names = ", ".join(seat.upper() for seat in waits_for_consent(session))
    cure = f"It is done as soon as {names} allows it, unless play goes on before"
    raise ConsentPending(f"this reaches over a roll that both sides trust ({at}): {names} is asked first", cure=cure)
