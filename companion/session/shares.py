"""Take the shares of the other seats for a trusted roll, and make the roll with the last one."""

from __future__ import annotations

import os
from collections.abc import Mapping

from companion.core.errors import BadData, Impossible, SessionMoved, Unreadable
from companion.core.procedures import TRUSTED, ResolvedReply
from companion.core.resolver import Answers
from companion.core.text import clean
from companion.core.trusted import NumberStream, chance, chance_reply, commitment, is_nonce
from companion.session.advance import Advance, Result, advance, begin_advance
from companion.session.state import SessionState
from companion.session.trusted import ensure_commitment, waits_for_consent


class WrongShare(Impossible):
    """A share that the open roll does not wait for."""


def share(session: SessionState, at: str, seat: str, nonce: str) -> Result:
    """Take the share of a seat for the open roll; with the last one the roll is made and play goes on, in one transaction.

    A share that is sent again does nothing.

    Args:
        at: The number of the question.
        nonce: 32 random bytes in lower-case hexadecimal.

    Raises:
        Unreadable: It is not a nonce, or the dice are not trusted.
        SessionMoved: Another question is open, or another process has played on.
        WrongShare: The seat sends none, or has sent another one for this question.
        BadData: The host's nonce is not in this archive.
    """
    if not session.is_trusted:
        raise Unreadable("this session has no trusted dice", cure="Begin one: companion new GAME --dice trusted")
    if not is_nonce(nonce):
        raise Unreadable("a share is 64 hexadecimal digits", cure="The page of the other player makes it")
    session.refresh()
    ensure_commitment(session)
    trust = session.history.trust
    old = trust.shares.get(at, {}).get(seat)
    if old is not None:
        if old != nonce:
            raise WrongShare(f"question {at} has another share of {clean(seat)} already", cure="Nothing is changed")
        position = session.position
        return Result(position, position, (), session.pending, session.pending_entry, session.pending is None, repeated=True)
    if at != session.question_number or not session.waits_for:
        now = f"question {session.question_number} is open" if session.question_number else "no question is open"
        raise SessionMoved(f"question {clean(at)} waits for no share: {now}", cure="See: companion status")
    if seat not in session.waits_for or seat == trust.commits[at]["seat"]:
        cure = f"It waits for {', '.join(session.waits_for)}"
        raise WrongShare(f"question {at} waits for no share of {clean(seat)}", cure=cure)
    return _take_share(session, at, seat, nonce)


def take_part(session: SessionState) -> Result | None:
    """Do what the open roll waits for from the seat that is played with this archive: give its share, or reveal and roll.

    Returns:
        What that did; None if the roll waits for others, or none is open, or a change across a roll waits for consent.
    """
    if not session.is_trusted or waits_for_consent(session):  # a roll would make the change void
        return None
    ensure_commitment(session)
    at, seat = session.question_number, session.host_seat
    if seat not in session.waits_for:
        return None
    if session.history.trust.commits[at]["seat"] == seat:
        has_nonce = bool(session.archive.secret(f"{session.history.settings['uid']} {at}"))
        return _roll(session, at, {}) if has_nonce else None  # without it, another archive has committed for this seat
    return share(session, at, seat, os.urandom(32).hex())


def _take_share(session: SessionState, at: str, seat: str, nonce: str) -> Result:
    if session.waits_for != (seat,) or session.history.trust.commits[at]["seat"] != session.host_seat:
        batch = session.log.new_batch()
        batch.trust(session.pending_entry, at, "share", seat, nonce)
        session.log.commit(batch)
        position = session.position
        return Result(position, position, (), session.pending, session.pending_entry, False)
    return _roll(session, at, {seat: nonce})


def _roll(session: SessionState, at: str, new: Mapping[str, str]) -> Result:
    """Reveal the nonce of the open roll, and make it. `new`: shares that are not in the log yet."""
    trust, uid = session.history.trust, session.history.settings["uid"]
    key = f"{uid} {at}"
    secret = session.archive.secret(key)
    if not secret and session.archive.has_moved(session.info.id, session.history.seq):
        raise SessionMoved(f"question {at} has its dice already", cure="See: companion status")
    if commitment(secret, uid, at) != trust.commits[at]["value"]:
        what = f"the nonce that question {at} was committed to is not in this archive"
        raise BadData(what, cure="Use the archive that it was begun in")
    step = begin_advance(session)
    entry, batch = step.entry, step.batch
    if chance(entry.request) != trust.commits[at]["of"]:
        what = f"question {at} is not the roll any more that was committed to: the rules have changed"
        raise BadData(what, cure="Take the action back: companion undo")
    for seat, nonce in new.items():
        batch.trust(entry.number, at, "share", seat, nonce)
    batch.trust(entry.number, at, "reveal", session.host_seat, secret)
    batch.secrets[key] = ""
    stream = NumberStream(secret, {**trust.shares.get(at, {}), **new}, uid, at)
    entry.send(ResolvedReply(chance_reply(trust.commits[at]["of"], stream), TRUSTED))
    return advance(session, Advance(entry, batch, step.before, step.events_seen, True), Answers())
