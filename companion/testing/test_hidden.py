"""Contract tests of hidden information: what a seat is shown, and sealed questions."""

from __future__ import annotations

import json
import random

import pytest

from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.policies import random_reply
from companion.core.request import AnyRequest
from companion.core.resolver import Answers, TypedValue
from companion.session.controller import SessionController
from companion.session.seat_view import seat_view
from companion.session.store import Archive
from companion.testing.fixtures import Start
from companion.testing.test_seats import play_step
from companion.views.data import session_data
from companion.views.lines import line_texts
from companion.views.log import log_data, log_lines

_STEPS = 60


def _documents(session: SessionController, seat: str) -> str:
    """Everything that a seat is shown of a session."""
    seen = seat_view(session, seat)
    data = session_data(session, seat=seat), log_data(seen.history, undone=True)
    under_way = seen.events_of(seen.pending_entry) if seen.pending_entry else ()
    lines = log_lines(session.game, seen.history, undone=True, under_way=under_way)
    return "\n".join([json.dumps(data), *line_texts(lines)])


def test_no_document_of_a_seat_names_what_it_does_not_see(game: Game, starts: list[Start], archive: Archive) -> None:
    """Neither the ids of hidden pieces nor hidden tracks and flags; and every document of every seat can be made."""
    for number, start in enumerate(starts[:2]):
        session, dice = start(archive), random.Random(number)
        for _ in range(_STEPS if game.hides else 3):
            for seat in game.seats:
                whole, seen, text = session.position, game.visible(session.position, seat), _documents(session, seat)
                hidden = {*whole.pieces, *whole.tracks, *whole.flags} - {*seen.pieces, *seen.tracks, *seen.flags}
                shown = [name for name in hidden if json.dumps(name) in text]
                assert shown == [], f"pieces, tracks and flags that '{seat}' does not see, and a document of that seat names"
            if game.over(session.position):
                break
            play_step(session, dice)


def test_sealed_questions_are_answered_in_any_order(game: Game, starts: list[Start], archive: Archive) -> None:
    """No answer is in the log before the last one, and none is refused after the reveal, which would tell the others' answers."""
    asked = 0
    for number, start in enumerate(starts[:2]):
        session, dice = start(archive), random.Random(number)
        for _ in range(_STEPS if game.hides else 3):
            if game.over(session.position):
                break
            request = session.pending
            if request is None or request.sealed is None:
                play_step(session, dice)
                continue
            seats, asked = list(request.sealed.open_seats), asked + 1
            dice.shuffle(seats)
            for seat in seats:
                part = session.pending_for(seat)
                assert part is not None
                _answer(session, part, seat, dice)
                last = session.history.entries[max(session.history.entries)]
                is_open = session.pending is not None and session.pending.sealed is request.sealed
                assert not is_open or all(reply.is_sealed for reply in last.replies if reply.seat and reply.left)
    if not asked:
        pytest.skip("no sealed question came up")


def _answer(session: SessionController, part: AnyRequest, seat: str, dice: random.Random) -> None:
    value = part.suggest if part.suggest is not None else random_reply(part, dice.randrange)
    try:
        session.answer(Answers(plain=[TypedValue.of(value)]), seat=seat)
    except CompanionError as refusal:
        raise AssertionError(f"{part.key} refuses {value!r} of {seat}: {refusal}") from None
