"""Manual corrections: Wounded markers, points, and the entered map."""

from __future__ import annotations

import pytest

from companion.core.errors import Ambiguous, Impossible, Unreadable
from companion.core.events import Said
from companion.core.resolver import Answers
from companion.games.lzalbany.rules.r04_victory import officer_casualties
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


def test_11_2_flares_are_counted_by_the_track_and_by_their_markers(session: SessionController) -> None:
    """[11.2, 3.8] Whichever of both is corrected, the other one follows."""

    def flares() -> tuple[int, int]:
        return session.position.track("flares"), session.position.count("flare track")

    session.adjust([("Flare 1", "flares used"), ("Flare 2", "d2")], "seen")
    assert flares() == (6, 6)
    session.adjust([("flares", "3")], "seen")
    assert flares() == (3, 3) and session.position.count("flares used") == 4
    session.adjust([("flares", "7")], "seen")
    assert flares() == (7, 7) and session.position.count("flares used") == 0
    session.adjust([("flares", "5"), ("Flare 2", "flares used")], "seen")
    assert flares() == (5, 5)


def test_5_2_e_a_retreat_that_is_recorded_takes_the_adrenaline_out(session: SessionController) -> None:
    """[5.2E] As the retreat at 30 points does; fewer points do not end it, which is said with the cure."""
    session.adjust([("NVA Adrenaline", "pool"), ("flag:retreat", "yes"), ("us_vp", "33")], "joined late")
    chit = next(piece for piece in session.position.pieces.values() if piece.name == "NVA Adrenaline")
    assert (chit.place, session.position.track("us_vp")) == ("out", 33)
    result = session.adjust([("us_vp", "20")], "counted again")
    assert any(isinstance(event, Said) and "adjust flag:retreat no" in event.text for event in result.events)
    session.adjust([("flag:retreat", "no")], "it does not")
    assert not session.position.flag("retreat") and session.position.track("us_vp") == 20


@pytest.mark.parametrize(
    ("what", "place", "rule"),
    [
        ("NVA Fire/Move@pool", "box ab27 fire", "5.2A"),
        ("US Fire/Move", "box us adrenaline", "5.2A"),
        ("US Adrenaline", "box nva adrenaline", "5.3"),
        ("Artillery", "box visibility", "5.4"),
        ("Skyraider", "box dustoff", "5.5"),
        ("Visibility", "d2", "5.6"),
        ("1/A/2-7", "box ab27 fire", "5.2A"),
        ("1/A/2-7", "flare track", "11.2"),
        ("Flare 1", "eliminated", "11.2"),
        ("1/A/2-7", "transition", "6.5"),
        ("new:wounded:W1", "transition", "6.5"),
        ("1/Art", "d2", "6.2C"),
    ],
)
def test_5_2_a_a_counter_in_a_place_where_it_has_no_effect_is_refused(
    session: SessionController, what: str, place: str, rule: str
) -> None:
    """[5.2A, 5.3 - 5.6, 6.2C, 6.5, 11.2] With the rule, and where it lies instead; the places that it has are taken."""
    with pytest.raises(Impossible) as refusal:
        session.adjust([(what, place)], "a slip")
    assert refusal.value.rule == rule and refusal.value.cure


@pytest.mark.parametrize(
    ("what", "place"),
    [
        ("NVA Fire/Move@pool", "box 33 fire"),
        ("US Adrenaline", "box us adrenaline"),
        ("Artillery", "box artillery"),
        ("Dust Off", "box dustoff"),
        ("Flare 1", "d2"),
        ("1/1/1/33", "transition"),
        ("1/Art", "columbus"),
    ],
)
def test_5_2_a_a_counter_lies_in_places_of_its_own(session: SessionController, what: str, place: str) -> None:
    """[5.2A, 5.3, 5.4, 5.5, 6.5, 11.2] The counterpart of the refusals."""
    name = what.partition("@")[0]
    session.adjust([(what, place)], "seen")
    assert any(piece.name == name for piece in session.position.at(place))


def test_4_3_an_officer_put_among_the_eliminated_is_a_casualty(session: SessionController) -> None:
    """[4.3] Dead or eliminated: a player types either."""
    session.adjust([("McDade", "eliminated"), ("co/A/2-7", "dead"), ("co/C/2-7", "wounded")], "seen")
    assert officer_casualties(session.position, "US") == 3


def test_chits_of_one_name_in_two_places_are_told_apart_by_the_place(archive: Archive) -> None:
    """The cure names a chit with its place, and is accepted as it is printed."""
    fresh = SessionController.create(archive, "lzalbany", options={"map": "practice", "nva": "companion"}, seed="1")
    with pytest.raises(Ambiguous) as error:
        fresh.adjust([("NVA Fire/Move", "off map")], "seen")
    named = error.value.cure.split('"')[1]
    assert named == "NVA Fire/Move@pool"
    before = [piece.name for piece in fresh.position.at("pool")].count("NVA Fire/Move")
    fresh.adjust([(named, "to come")], "seen")
    assert [piece.name for piece in fresh.position.at("pool")].count("NVA Fire/Move") == before - 1
