"""A prompt that plays one seat of LZ Albany: the other one is waited for, and answered only by name."""

from __future__ import annotations

import pytest

from companion.cli.repl.loop import Loop
from companion.cli.repl.own_seat import OwnSeat, pick_seat
from companion.core.errors import Unreadable
from companion.session.controller import Answers, SessionController
from companion.session.store import Archive
from tests.cli.test_loop import Typist

PLACES = "1/A/2-7 2/A/2-7 3/A/2-7 co/A/2-7 > b3; 4/A/2-7 mtr/A/2-7 > c3"


@pytest.fixture
def albany(archive: Archive) -> SessionController:
    return SessionController.create(archive, "lzalbany", seed="7")


def play(session: SessionController, seat: str, *lines: str) -> Typist:
    typist = Typist(lines)
    Loop(session, typist.ask, typist.tell, seat=seat).play()
    return typist


def test_the_decision_of_the_other_seat_is_waited_for(albany: SessionController) -> None:
    """An answer, Enter and a semicolon are not sent; commands are run, with and without a slash."""
    typist = play(albany, "nva", "next", PLACES, "", "status", "/log", "1; 2")

    assert typist.prompts[:2] == ["NVA [next] action > ", "NVA waits for US > "]
    assert f"'{PLACES}' is not sent: US decides, and this prompt plays NVA" in typist.text
    assert "Enter does nothing here: US decides" in typist.text
    assert "It goes on by itself when US has. To do it for them: us: ANSWER" in typist.text
    assert albany.question_number == "2.1"


@pytest.mark.parametrize("name", ["us", "US"])
def test_the_name_of_the_other_seat_insists(albany: SessionController, name: str) -> None:
    typist = play(albany, "nva", "next", f"{name}: {PLACES}")

    assert albany.question_number == "2.2"
    assert "not sent" not in typist.text


def test_the_own_seat_answers_as_ever(albany: SessionController) -> None:
    typist = play(albany, "us", "next", PLACES)

    assert typist.prompts[1] == "US > "
    assert albany.question_number == "2.2"


def test_a_prompt_for_every_seat_waits_for_none(albany: SessionController) -> None:
    assert play(albany, "", "next", PLACES).prompts[:2] == ["[next] action > ", "> "]
    assert albany.question_number == "2.2"


def test_what_companion_plays_is_not_waited_for(archive: Archive) -> None:
    """The person who is there enters it."""
    session = SessionController.create(archive, "lzalbany", options={"nva": "companion"}, seed="7")
    session.do("next", Answers(plain=[]))

    assert OwnSeat(session, "us").waits_for() == ""


@pytest.mark.parametrize(
    ("game", "options", "seat", "told"),
    [
        ("fallujah2004", {}, "us", "has one seat"),
        ("lzalbany", {"nva": "companion"}, "us", "people play only one seat of this session"),
        ("lzalbany", {}, "vc", "no seat that a person plays 'vc'"),
    ],
)
def test_a_seat_that_cannot_be_waited_for_is_refused(
    archive: Archive, game: str, options: dict[str, str], seat: str, told: str
) -> None:
    session = SessionController.create(archive, game, options=options, seed="7")
    with pytest.raises(Unreadable, match=told):
        pick_seat(session, seat)
