"""A printed fact that contradicts others: what its refusal offers can be typed there, with a question open too."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.cli.repl.loop import Loop
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.facts import from_typed, practice_facts, take_over
from companion.session.store import Archive
from tests.cli.test_loop import Typist
from tests.support.table import game_of

TOLD = {
    "fallujah2004": ("3-8 urban Jolan", "3-9 urban Jolan"),
    "iraqwar2003": ("2228 major city, Najaf", "2229 major city, Najaf"),
    "lzalbany": ("b3 next b2", "c4 next b3"),
    "phantomfury": ("59 C-1-2-R; adjacent 60", "61 C-1-2-R; adjacent 59"),
}
ZONE = "fact:zone:59", "C-1-2-R; adjacent 60 61"


@pytest.fixture
def begin(archive: Archive) -> Callable[[str], SessionController]:
    """A session of a game with the practice set, at the first question of its usual action."""

    def begin(game: str) -> SessionController:
        archive.record_facts(game, practice_facts(game_of(game)))
        session = SessionController.create(archive, game, seed="7", answers=Answers(accept=True))
        session.do(session.game.default_action(session.position))
        assert session.pending
        return session

    return begin


def typed(session: SessionController, *lines: str) -> Typist:
    typist = Typist(list(lines))
    Loop(session, typist.ask, typist.tell).play()
    return typist


@pytest.mark.parametrize("game", TOLD)
def test_a_contradiction_told_at_the_prompt_can_be_insisted_on(game: str, begin: Callable[[str], SessionController]) -> None:
    session, (first, second) = begin(game), TOLD[game]
    asked = session.pending
    take_over(session.archive, session.game, from_typed(session.game, first, session.archive.printed(game)), "told", anyway=True)
    typed(session, f"/map tell {second}", "n")
    refused = session.archive.printed(game)
    typist = typed(session, f"/map tell {second}", "y")

    assert "contradiction" in typist.text and "--anyway" not in typist.text
    assert "Record it anyway? (y/N) " in typist.prompts
    assert session.archive.printed(game) != refused
    assert session.pending and asked and session.pending.key == asked.key


def test_4_1_1_a_corrected_zone_that_contradicts_can_be_insisted_on_at_a_question(
    begin: Callable[[str], SessionController],
) -> None:
    """[4.1.1] At the prompt and on the command line; the other Zone is entered again at the same question."""
    session = begin("phantomfury")
    typist = typed(session, f"/adjust {ZONE[0]} '{ZONE[1]}'", "y", "", "/adjust fact:zone:61 'C-1-2-R; adjacent 59 60'", "")
    assert "record this one anyway, then enter the other again" in typist.text
    assert "! Recorded anyway: Zone 59 names 61 as Adjacent" in typist.text
    assert session.pending and session.archive.printed("phantomfury")["zone:59"].startswith("C-1-2-R; adjacent 60 61")
    reopened = SessionController.open(session.archive, session.info)
    assert reopened.position == session.position
