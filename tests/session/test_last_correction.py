"""The last correction, told again from the log: what every screen shows after an undo, also one that was not there."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.errors import CompanionError
from companion.core.policies import random_reply
from companion.core.resolver import Answers, TypedValue
from companion.games import GAMES
from companion.session.controller import Result, SessionController
from companion.session.inquiry import action_states, last_correction
from tests.support.fuzzing.player import in_memory
from tests.support.page import practice_session


def play(session: SessionController, chance: Random) -> None:
    """One answer or action at random; what the rules refuse is left."""
    request = session.pending
    try:
        if request is None:
            session.do(chance.choice([state.action.id for state in action_states(session) if not state.obstacle]))
        elif request.chance_setting:
            session.reply("")
        else:
            session.answer(Answers(plain=[TypedValue.of(random_reply(request, chance.randrange))]))
    except CompanionError:
        pass


def correct(session: SessionController, chance: Random) -> Result | None:
    """One correction at random, or None if there is nothing to correct."""
    ways = [session.undo, lambda: session.undo(2), session.undo_reply, session.redo, session.abort]
    try:
        return chance.choice(ways)()
    except CompanionError:
        return None


@pytest.mark.parametrize("game", [*GAMES])
def test_it_has_the_list_of_the_call_that_made_it(game: str) -> None:
    chance, seen = Random(5), 0
    with in_memory() as archive:
        session = practice_session(archive, game, "5")
        for _ in range(25):
            play(session, chance)
            if session.history.force[-1] != 1 and chance.random() < 0.4:
                result = correct(session, chance)
                if result is None:
                    continue
                seen += 1
                again = last_correction(SessionController.open(archive, session.info))
                assert again is not None
                assert again.fix == result.fix
                assert again.before == result.before

        assert seen


def test_there_is_none_once_play_has_gone_on(tiny_game: str) -> None:
    with in_memory() as archive:
        session = SessionController.create(archive, tiny_game, seed="1")
        assert last_correction(session) is None
        play(session, Random(1))
        session.undo()
        assert last_correction(session) is not None
        play(session, Random(1))

        assert last_correction(session) is None
