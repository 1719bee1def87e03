"""What an opponent or adviser of a real game cannot know: the dice and draws that the session has still to come, and what lies
where in a cup. How whoever plays on keeps to that stands in ``tests/session/test_thinking.py``; here are the games themselves.
"""

from __future__ import annotations

from shlex import split

import pytest

from companion.core.events import Said
from companion.core.resolver import Answers
from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.facts import practice_facts
from companion.session.state import load_game
from companion.session.store import Archive
from tests.support.labels import written

SEED = "the dice to come"
ENOUGH = 4
"""Decisions with playouts that are looked at in each game."""


def go_on(session: SessionController, said: Said | None) -> None:
    """What was advised, else what comes next; at a question what Enter gives, or the example."""
    asked = session.pending
    if asked is None:
        action, *answers = split(said.text.removesuffix(".")) if said else [session.game.default_action(session.position)]
        session.do(action, Answers(keyed=[(key, value) for key, _, value in (one.partition("=") for one in answers)]))
    elif asked.chance_setting:
        session.answer(Answers(accept=True))
    else:
        reply = asked.example if asked.default_reply is None else asked.default_reply
        given = reply if isinstance(reply, str) else asked.display(asked.check(reply))
        session.answer(Answers(keyed=[(asked.key, given)]))


@pytest.mark.parametrize("name", GAMES)
def test_advice_uses_no_future_dice(name: str, archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each die of a session has a label of its own that begins with its seed: whoever plays on has none of them."""
    game = load_game(name)
    usual = dict(game.players.practice_options())
    archive.record_facts(name, practice_facts(game))
    scenario = usual.pop("scenario", "")
    session = SessionController.create(archive, name, scenario, usual, seed=SEED, answers=Answers(accept=True), think="0")
    thought = 0
    for _ in range(60):
        labels: list[str] = []
        with written(labels, monkeypatch):
            said = session.counsel("2")
        assert not [label for label in labels if label.startswith(f"{SEED}/")]
        thought += any("/" in label or "Spot(" in label for label in labels)
        if thought >= ENOUGH or session.game.over(session.position):
            break
        go_on(session, said)
    assert thought >= ENOUGH
