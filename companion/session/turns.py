"""One call on an entry: it is carried on as far as answers go, and what came of it is written in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from companion.core.answering import ONLY, Answers
from companion.core.errors import CompanionError, Illegal, Unreadable
from companion.core.game import Game
from companion.core.history import LOOK, Change, Reply
from companion.core.position import Position
from companion.core.requests import Printed
from companion.session.entry import RunningEntry
from companion.session.ledger import LogBatch
from companion.session.outcome import Result
from companion.session.standing import SessionState


class Advance(NamedTuple):
    """One call.

    Attributes:
        under: the entry.
        draft: where its rows go.
        before: the working position before the call.
        seen: how many events of the entry there were before it.
        resumed: the entry was begun by an earlier call.
    """

    entry: RunningEntry
    batch: LogBatch
    before: Position
    events_seen: int
    is_resumed: bool = False


def begin_advance(desk: SessionState) -> Advance:
    """The open entry, taken over to be carried on.

    Raises:
        Unreadable: no question is open.
        BadData: the open entry is broken.
    """
    under = desk.take_running_entry()
    return Advance(under, desk.log.new_batch(), under.position, len(under.referee.events), True)


def advance(
    desk: SessionState, turn: Advance, answers: Answers, anyway: bool = False, asked: bool = False, patient: bool = False
) -> Result:
    """Carries an entry on as far as answers go, and writes what came of it.

    Args:
        desk: the session.
        turn: the entry, and where its rows go.
        answers: what was brought along; all of it must be used, and all of it is kept, or nothing.
        anyway: insist where the rules refuse.
        asked: its question has been before the player.
        patient: keep the answers before one that is not taken, and let those wait whose question has not come yet.
    """
    under, answers = turn.entry, answers.copy()
    assert under.resolver is not None
    fault, settled = None, []
    while (request := under.request) is not None:
        try:
            given = under.resolver.supply(request, answers, under.next_roll, anyway, asked)
            if given is None:
                break
            asked = False
            told = (request.key, request.told(given.value)) if given.source == ONLY else None
            under.send(given, anyway)
            settled += [told] if told else []
        except (Illegal, Unreadable) as refusal:
            fitted = [reply for reply in under.new_replies if reply.by_hand]
            if not fitted or not patient:
                raise _with_those_before(refusal, fitted) from None
            fault = refusal
            under.rewind()
            break
    if not patient or (under.request is None and not turn.is_resumed):
        answers.nothing_left(under.referee, under.request)
    return commit(desk, turn)._replace(fault=fault, left=answers, settled=tuple(settled))


def _with_those_before(refusal: CompanionError, fitted: Sequence[Reply]) -> CompanionError:
    """The refusal of one of many answers, with those before it that fitted: they need not be doubted."""
    if fitted:
        keys = [reply.key for reply in fitted]
        refusal.fitting = tuple(keys)
        told = ", ".join(f"{keys.count(key)} x {key}" if keys.count(key) > 1 else key for key in dict.fromkeys(keys))
        refusal.cure = ". ".join(filter(None, [refusal.cure.rstrip("."), f"Those before it fit: {told}; nothing is kept"]))
    return refusal


def fact_echoes(game: Game, replies: Iterable[Reply]) -> Iterator[str]:
    """What the player told of the components, in words."""
    told = (game.understood(one.key, one.value) for one in replies if one.kind == Printed.kind and one.by_hand)
    return filter(None, told)


def commit(desk: SessionState, turn: Advance) -> Result:
    """Writes what came of an entry that was carried on; nothing of a look that had nothing to ask, and a look that had goes out
    of force as soon as it is done.
    """
    under, draft = turn.entry, turn.batch
    events = tuple(under.referee.events[turn.events_seen :])
    notes = tuple(fact_echoes(under.game, under.new_replies))
    result = Result(turn.before, under.position, events, under.request, under.number, under.request is None, notes=notes)
    looked = result.done and under.is_look and bool(desk.info.id)
    if looked:
        result = result._replace(after=under.start)
    if looked and not turn.is_resumed:
        return result
    draft.replies(under.number, under.new_replies)
    under.new_replies.clear()
    if result.done:
        draft.complete(under.number, under.referee.events, desk.game_result(under.position))
    if looked:
        draft.change(Change((under.number,), (), LOOK), False)
    draft.facts = under.resolver.told if under.resolver else {}
    desk.log.commit(draft)
    desk.return_running_entry(under, looked)
    return result
