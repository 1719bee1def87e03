"""The prompt of the host's seat in a session with trusted dice: it waits, goes on by itself, and tells what is asked."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Interrupted
from companion.core.errors import CompanionError
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.cli.test_loop import Typist
from tests.support.trusted import begin, give_share, play_to_roll, verified


@pytest.fixture
def db(tmp_path: Path) -> str:
    """An archive with a session whose first roll waits for the NVA."""
    path = os.fspath(tmp_path / "games.sqlite3")
    with Archive.open(path) as archive:
        play_to_roll(begin(archive, name="evening"), Random(3), shares=False)
    return path


def elsewhere(db: str, call: Callable[[SessionController], object]) -> Callable[[], None]:
    """A change by another process, which the waiting prompt notices."""

    def change() -> None:
        with Archive.open(db) as archive:
            session = SessionController.open(archive)
            try:
                call(session)
            except CompanionError as error:
                assert error.kind == "consent"
        raise Interrupted("")

    return change


def ask_as_nva(session: SessionController) -> None:
    session.seat = "nva"
    session.undo()


def ask_as_us(session: SessionController) -> None:
    session.undo()


def play(db: str, *lines: str | Callable[[], object], seat: str = "us") -> Typist:
    typist = Typist(lines)
    with Archive.open(db) as archive:
        session = SessionController.open(archive)
        Loop(session, typist.ask, typist.tell, seat=seat).play(greet=False)
        assert verified(session).misfit is None
    return typist


@pytest.mark.parametrize("text", ["6", "", "nva: 6"])
@pytest.mark.parametrize("seat", ["us", ""])
def test_nothing_that_is_typed_answers_a_roll_that_waits(db: str, text: str, seat: str) -> None:
    """And no cure says that it could."""
    typist = play(db, text, seat=seat)
    assert "nva: ANSWER" not in typist.text
    if seat:
        assert typist.prompts[0] == "US waits for NVA > "
        assert "It goes on by itself when the page of NVA has sent its share" in typist.text


def test_prompt_goes_on_by_itself(db: str) -> None:
    typist = play(db, elsewhere(db, lambda session: give_share(session, Random(4))))
    assert "waits for NVA" in typist.prompts[0] and "waits" not in typist.prompts[-1]
    assert "NVA event in f2: die" in typist.text


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_what_the_other_seat_asks_is_told_and_answered(db: str, answer: str) -> None:
    typist = play(db, elsewhere(db, ask_as_nva), "/consent", f"/consent {answer}", f"/consent {answer}")
    assert "Elsewhere - NVA asks to take back 3 event (roll 3.2). Allow or refuse it: /consent yes or no" in typist.text
    assert "NVA asks to take back 3 event (roll 3.2): waits for US" in typist.text  # by /consent alone
    assert "nothing waits for consent" in typist.text  # the second time
    with Archive.open(db) as archive:
        assert (3 in SessionController.open(archive).history.force) == (answer == "no")


def test_prompt_of_the_seat_that_asks_offers_no_consent(db: str) -> None:
    """Its own page asked: /consent would be refused here."""
    typist = play(db, elsewhere(db, ask_as_us), "/consent", "/status")
    assert typist.text.count("US asks to take back 3 event (roll 3.2)") == 3
    assert "consent yes" not in typist.text


def test_prompt_asks_as_the_seat_that_it_plays(db: str) -> None:
    """Here that of the other player, at the machine of the host."""
    typist = play(db, "/undo", "/consent", seat="nva")
    assert "US is asked first" in typist.text and "NVA asks to take back" in typist.text


def test_prompt_allows_as_the_seat_that_it_plays(db: str) -> None:
    typist = play(db, elsewhere(db, ask_as_us), "/consent yes", seat="nva")
    assert "/consent yes or no" in typist.text
    with Archive.open(db) as archive:
        assert 3 not in SessionController.open(archive).history.force


def test_who_asks_for_the_same_is_told_to_allow_it(db: str) -> None:
    typist = play(db, elsewhere(db, ask_as_nva), "/undo")
    assert "NVA has asked for the same\n  Allow it: /consent yes" in typist.text


@pytest.mark.parametrize(("allow", "told"), [(True, "NVA allows it"), (False, "NVA refuses it")])
def test_answer_of_the_other_seat_is_told(db: str, allow: bool, told: str) -> None:
    typist = play(db, "/undo", elsewhere(db, lambda session: session.consent("nva", allow)))
    assert "NVA is asked first" in typist.text and f"Elsewhere - {told}" in typist.text


@pytest.mark.parametrize("line", ["/verify", "companion verify"])
def test_verify(db: str, line: str) -> None:
    typist = play(db, elsewhere(db, lambda session: give_share(session, Random(4))), line)
    assert "evening: 1 roll or draw recomputed, and all fit" in typist.text
