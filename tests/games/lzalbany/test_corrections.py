"""Manual corrections: Wounded markers, points, and the entered map."""

from __future__ import annotations

import pytest

from companion.core.errors import Unreadable
from companion.core.events import Said
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive


@pytest.fixture
def session(archive: Archive) -> SessionController:
    session = SessionController.create(archive, "lzalbany", options={"map": "practice", "nva": "companion"}, seed="1")
    session.do("deploy", Answers(accept=True))
    return session


def test_8_4_an_added_wounded_marker_is_american(session: SessionController) -> None:
    session.adjust([("new:wounded", "d2"), ("new:wounded:W1", "d2")], "seen")
    added = [piece for piece in session.position.at("d2") if piece.kind == "wounded"]
    assert [piece.values for piece in added] == [{"side": "US"}] * 2 and added[1].name == "W1"


def test_8_4_an_added_wounded_marker_is_flown_out_by_dust_off(session: SessionController) -> None:
    """6.4: a Wounded marker in an area without enemies can be evacuated."""
    session.adjust([("new:wounded:W1", "albany")], "seen")
    result = session.do("chit", Answers(draws=["Dust Off"], accept=True), anyway=True)
    texts = [event.text for event in result.events if isinstance(event, Said)]
    assert not [text for text in texts if "no wounded" in text]


def test_5_2_e_and_4_2_corrected_points_have_the_effects_of_an_award(session: SessionController) -> None:
    result = session.adjust([("us_vp", "31")], "counted again")
    assert session.position.flag("retreat") is True and session.position.track("us_vp") == 34
    assert any(isinstance(event, Said) and event.rule == "5.2E" for event in result.events)
    session.undo()
    assert session.position.flag("retreat") is None
    session.adjust([("nva_vp", "36")], "counted again")
    assert session.game.over(session.position)


def test_2_4_a_name_that_is_on_the_map_comes_first(session: SessionController) -> None:
    """1/A is the platoon of A company while the guns, 1/Art, are not there."""
    pieces = session.position.pieces.values()
    away = [(piece.id, '"to come"') for piece in pieces if piece.name.startswith("1/A") and piece.name != "1/A/2-7"]
    session.adjust(
        [*[change for change in away if session.position.pieces[change[0]].place != "to come"], ("1/A.hits", "1")], "x"
    )
    assert next(piece for piece in session.position.pieces.values() if piece.name == "1/A/2-7").mark("hits") == 1


def test_2_4_a_new_platoon_has_its_company(session: SessionController) -> None:
    session.adjust([("new:unit:A/2-7 9 inf 2-3/1-2", "to come")], "one more")
    made = next(piece for piece in session.position.pieces.values() if piece.name == "9/A/2-7")
    assert made.values["group"] == "ab27" and made.values["back melee"] == 2
    with pytest.raises(Unreadable, match="names no company"):
        session.adjust([("new:unit:9/9", "to come")], "x")


def test_2_2_a_wrong_fact_about_an_area_is_corrected(archive: Archive) -> None:
    archive.record_facts("lzalbany", {"area:b3": "jungle", "next:b3": "b4"})
    session = SessionController.create(archive, "lzalbany", seed="1")
    session.adjust([("fact:area:b3", "sawgrass edge"), ("fact:next:b3", "b4, c4")], "misread")
    assert (session.position.flag("terrain:b3"), session.position.flag("edge:b3")) == ("sawgrass", "edge")
    assert session.position.flag("next:b3") == "b4, c4" and archive.printed("lzalbany")["area:b3"] == "sawgrass edge"
    session.undo()
    assert session.position.flag("terrain:b3") == "jungle"


def test_2_4_a_counter_that_is_still_to_come_keeps_its_turn_of_arrival(session: SessionController) -> None:
    """[3.2D] With other strengths, too."""
    before = next(piece for piece in session.position.at("to come") if piece.name == "1/A/1-5")
    session.do("strength", Answers([("company", "A/1-5"), ("counter", "1 inf 4-4/2-2")]))
    now = next(piece for piece in session.position.at("to come") if piece.name == "1/A/1-5")
    assert (now.number("fire"), now.number("turn")) == (4, before.number("turn")) and now.number("turn") > 1
