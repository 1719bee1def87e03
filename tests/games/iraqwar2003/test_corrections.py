"""Corrections by the player, as typed at the table."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Impossible, Unreadable
from companion.core.events import Said
from companion.core.resolver import Answers
from companion.games.iraqwar2003.rules.r08_map import hexes_with_broken_roads
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.games.iraqwar2003.field import FACTS


@pytest.fixture
def session(archive: Archive) -> SessionController:
    archive.record_facts("iraqwar2003", FACTS)
    return SessionController.create(archive, "iraqwar2003", dice="physical", draws="physical", seed="1")


def set_to(session: SessionController, what: str, value: str) -> SessionController:
    session.adjust([(what, value)], "seen")
    return session


def piece(session: SessionController, name: str):  # type: ignore[no-untyped-def]
    return next(item for item in session.position.pieces.values() if item.name == name)


def test_4_1_the_phase_and_the_side_are_words_of_the_game(session: SessionController) -> None:
    """A mistyped word would have stopped every later status."""
    assert set_to(session, "flag:phase", "operation").position.flag("phase") == "operations"
    with pytest.raises(Unreadable, match="coalition, iraq, or none"):
        set_to(session, "flag:side", "iraqi")
    with pytest.raises(Unreadable, match="Did you mean side"):
        set_to(session, "flag:sidee", "iraq")


def test_16_6_a_storm_that_is_clear_is_none(session: SessionController) -> None:
    set_to(session, "flag:storm", "yes")
    assert set_to(session, "flag:storm", "clear").position.flag("storm") is None


def test_a_bare_word_is_a_mark_or_a_side_and_never_a_place(session: SessionController) -> None:
    set_to(session, "51M", "disrupted")
    assert piece(session, "51M").marks == {"disrupted": True} and piece(session, "51M").place == "map"
    set_to(session, "51M", "reduced")
    assert piece(session, "51M").face == "reduced"
    set_to(session, "51M", "disrupted none")
    assert not piece(session, "51M").marks
    with pytest.raises(Unreadable, match=r"needs a value. 1 to 40, or none .the turn in which"):
        set_to(session, "comm radio 2", "damaged")
    with pytest.raises(Unreadable, match=r"1 to 40, or none .the turn in which"):
        set_to(session, "comm radio 1.damaged", "yes")
    with pytest.raises(Unreadable, match="the game has no place '0-0-4'"):
        set_to(session, "B-1", "0-0-4")


def test_15_2_who_holds_a_place(session: SessionController) -> None:
    assert set_to(session, "control Mosul", "kdp").position.flag("control:Mosul") == "kdp"


def test_5_2_a_bomber_that_is_removed_in_mid_air_does_not_bomb(session: SessionController) -> None:
    """What is under way goes by the groups that were named: the adjustment is refused, and says what to do instead."""
    typed = [("target", "radio 1 by B-52+F-18"), ("target", "done"), ("intercept", "1 MiG-23")]
    under = session.do("facility", Answers(typed))
    assert under.pending and under.pending.key == "aim"
    before = session.position
    with pytest.raises(Illegal, match="has already used B-52 as it was") as caught:
        set_to(session, "B-52", "removed")
    assert "undo" in caught.value.cure and session.position == before
    set_to(session, "B-1", "removed")
    session.abort()
    assert place(set_to(session, "B-52", "removed"), "B-52") == "removed"


def place(session: SessionController, name: str) -> str:
    return str(piece(session, name).place)


def test_3_0_placeholders_get_the_names_entered_later(archive: Archive) -> None:
    """Without a roster, placeholders are used until the names are entered."""
    session = SessionController.create(archive, "iraqwar2003", dice="physical", draws="physical", seed="1")
    names = {unit.name for unit in session.position.at("coalition available")}
    roster = ", ".join(["F-99 5-2-4", *sorted(name for name in names if name.startswith("US air"))[1:]])
    result = session.adjust([("fact:roster:us", roster)], "read off the counters")
    assert place(session, "F-99") == "coalition available" and piece(session, "F-99").values["values"] == "5-2-4"
    assert archive.printed("iraqwar2003")["roster:us"] == roster
    assert [line for line in result.fix if "F-99" in line]
    session.undo()
    assert {unit.name for unit in session.position.at("coalition available")} == names


def test_6_1_2_a_site_entered_again_keeps_its_damage(session: SessionController) -> None:
    set_to(session, "comm radio 1.damaged", "1")
    set_to(session, "fact:site:comm", "central aa 3 radio 3")
    names = {box.name: box.mark("damaged") for box in session.position.at("comm site")}
    assert names == {"comm aa": None, "comm radio 1": 1, "comm radio 2": None, "comm radio 3": None}


def test_a_look_at_an_unknown_unit_puts_no_counter_on_the_board(session: SessionController, archive: Archive) -> None:
    """[2.2, 8.0] Facts entered during a look-up are dropped with it, in the session and in the log."""
    before = session.position
    session.do("stack")
    step = session.reply("us 9/9ID 6-5-8/4-3-8 div:9ID")
    while session.pending:
        step = session.reply("none" if session.pending.suggest is None else "")
    assert step.after == session.position == SessionController.open(archive).position == before
    with pytest.raises(Unreadable):
        session.adjust([("9/9ID", "0708")], "x")


def warnings_of(session: SessionController, *changes: tuple[str, str]) -> list[str]:
    """The warnings of one adjustment."""
    events = session.adjust(list(changes), "seen").events
    return [event.text for event in events if isinstance(event, Said) and event.tone == "warning"]


def test_8_1_a_stack_over_the_limit_is_said(session: SessionController) -> None:
    """[8.1, 3.0] It is recorded, since it lies so on the table; two of the People's Army in one hex only at the set-up."""
    assert warnings_of(session, ("11D", "2231")) == []
    assert warnings_of(session, ("51M", "2231")) == ["2231: 4 units in a hex (11D 2, 51M 2), and 3 is the limit."]
    assert warnings_of(session, ("PA1", "0607"), ("PA2", "0607")) == [
        "0607: PA1 and PA2 of the People's Army do not begin in one hex."
    ]
    set_to(session, "fact:hex:2838", "sea")
    assert warnings_of(session, ("SF1", "2838")) == ["2838 is all water: no ground unit ends there."]
    set_to(session, "flag:phase", "operations")
    assert warnings_of(session, ("PA1", "3135"), ("PA2", "3135")) == []


def test_15_2_a_unit_put_into_a_place_holds_it(session: SessionController) -> None:
    """[15.2] As if it had moved there, unless the holder is typed too; a unit beside it changes nothing."""
    assert set_to(session, "KDP1", "0607").position.flag("control:Mosul") == "kdp"
    assert set_to(session, "1/3ID", "0608").position.flag("control:Mosul") == "kdp"
    session.adjust([("11D", "3135"), ("control Basra", "coalition")], "seen")
    assert session.position.flag("control:Basra") == "coalition"


NAJAF = ("fact:hex:2228", "major city Najaf")


@pytest.mark.parametrize(
    "adjustments",
    [
        [[NAJAF], [("1/3ID", "2228")]],
        [[("1/3ID", "2228")], [NAJAF]],
        [[("1/3ID", "2228"), NAJAF]],
        [[NAJAF, ("1/3ID", "2228")]],
        [[("flag:held:2228", "coalition")], [NAJAF]],
    ],
    ids=["hex first", "unit first", "at once", "at once, hex first", "unit gone on"],
)
def test_15_2_a_place_belongs_to_the_unit_in_it_whichever_is_told_first(
    session: SessionController, adjustments: list[list[tuple[str, str]]]
) -> None:
    """[10.0(3), 15.2] The hex of a city, and the unit that stands there or was the last to enter."""
    for changes in adjustments:
        session.adjust(changes, "seen")
    assert session.position.flag("control:Najaf") == "coalition"
    assert "Najaf (Coalition)" in {label for label, _, _ in session.game.score(session.position, session.options).items}


def test_15_2_the_holder_that_is_typed_with_the_hex_stays(session: SessionController) -> None:
    session.adjust([("1/3ID", "2228"), NAJAF, ("control Najaf", "kdp")], "seen")
    assert session.position.flag("control:Najaf") == "kdp"


def test_15_2_a_unit_entered_in_a_place_holds_it(session: SessionController) -> None:
    """[2.2, 15.2] A counter typed with its hex, and one whose hex was a fact before the game began; allies keep theirs."""
    session.do("units", Answers([("units", "us 9/9ID 6-5-8/4-3-8 @3135, us 8/9ID 6-5-8/4-3-8 @1107")]))
    assert [session.position.flag(f"control:{place}") for place in ("Basra", "Irbil")] == ["coalition", "kdp"]


def test_15_2_a_unit_that_begins_in_a_place_holds_it(archive: Archive) -> None:
    archive.record_facts("iraqwar2003", {**FACTS, "at:KDP1": "2228", "hex:2228": "major city Najaf"})
    session = SessionController.create(archive, "iraqwar2003", dice="physical", draws="physical", seed="1")
    assert session.position.flag("control:Najaf") == "kdp"


@pytest.mark.parametrize("what", ["control Irbil", "flag:held:2938"])
def test_10_0_3_the_cure_for_a_cut_line_can_be_typed(session: SessionController, what: str) -> None:
    """[10.0(3)] Who controls a place, and who controls another hex."""
    set_to(session, what, "iraq")
    set_to(session, what, "coalition")
    flag = f"control:{what.split()[1]}" if " " in what else what.removeprefix("flag:")
    assert session.position.flag(flag) == "coalition"


def test_2_1_5_the_number_of_turns_is_a_number(session: SessionController) -> None:
    """[2.1.5(1)] As play records it."""
    assert set_to(session, "flag:turns", "10").position.flag("turns") == 10


def test_16_1_a_name_with_dots_can_have_its_place(session: SessionController) -> None:
    session.adjust([("new:air:us R.A.F. 5-2-4", "coalition available")], "seen")
    assert set_to(session, "R.A.F.@coalition available", "coalition used").position.at("coalition used")[0].name == "R.A.F."


def test_14_2_destroyed_roads_are_told_by_number_or_by_the_name_of_a_place(session: SessionController) -> None:
    """[14.2, 14.3] A marker that is told is the one that bombs would lay, also before the hex of the place is known."""
    session.adjust([("new:roads:Mosul", "roads"), ("new:roads:Kirkuk", "roads"), ("new:roads:1722", "roads")], "seen")
    assert hexes_with_broken_roads(session.position) == {"0607", "Kirkuk", "1722"}
    session.adjust([("fact:hex:1309", "major city, Kirkuk")], "seen")
    assert hexes_with_broken_roads(session.position) == {"0607", "1309", "1722"}
    for text, fault in (("nowhere", "names no hex"), ("", "of which hex")):
        with pytest.raises(Unreadable, match=fault):
            session.adjust([(f"new:roads:{text}", "roads")], "a slip")
    with pytest.raises(Impossible, match="the roads of 1309 are destroyed already") as refusal:
        session.adjust([("new:roads:1309", "roads")], "a slip")
    assert refusal.value.cure == 'Take the marker off: adjust "roads of 1309" off'


def test_14_3_bombs_do_nothing_more_to_roads_that_are_told_as_destroyed(session: SessionController) -> None:
    """[14.3, 14.2] A place is its hex where that is known, whichever of both is named."""
    session.adjust([("fact:hex:1309", "major city, Kirkuk"), ("new:roads:1309", "roads")], "seen")
    answers = [("target", "road kirkuk by F-15"), ("target", "done"), ("intercept", "none")]
    result = session.do("bomb", Answers(answers, dice=[1]), partial=True)
    lines = [event.text for event in result.events if isinstance(event, Said)]
    assert "The roads of 1309 are destroyed already: another hit does nothing." in lines


def test_16_1_4_saddam_is_found_when_his_marker_is_put_aside(archive: Archive) -> None:
    """[16.1(4)] The marker's place decides: out of the palace it scores 5, back in it does not."""
    archive.record_facts("iraqwar2003", FACTS)
    session = SessionController.create(archive, "iraqwar2003", options={"palace": "on"}, seed="1")
    before = session.game.score(session.position, session.options).total
    set_to(session, "Sadam Husein", "off")
    assert session.position.flag("saddam") == "found"
    assert session.game.score(session.position, session.options).total == before + 5
    set_to(session, "Sadam Husein", "palace")
    assert not session.position.flag("saddam")


def test_12_1_4_units_of_both_sides_in_a_hex_are_warned_of(session: SessionController) -> None:
    """[12.1(4)] No hex holds both; a correction that says so is kept, with a warning that names them."""
    both = session.adjust([("1/3ID", "2231"), ("11D", "2231")], "seen")
    lines = [event.text for event in both.events if isinstance(event, Said)]
    assert "2231: units of both sides are there: 1/3ID, 11D." in lines
    apart = session.adjust([("11D", "2331")], "seen")
    assert not any("both sides" in event.text for event in apart.events if isinstance(event, Said))


@pytest.mark.parametrize(
    ("what", "place", "rule"),
    [
        ("F-15", "iraq used", "2.1.3"),
        ("MiG-23", "map", "2.1.3"),
        ("F-15", "comm site", "2.1.3"),
        ("1/3ID", "iraq used", "2.1.1(1)"),
        ("1/3ID", "roads", "2.1.1(1)"),
        ("new:roads:1321", "iraq used", "14.2"),
        ("new:marker", "coalition used", "5.8.2(1)"),
    ],
)
def test_2_1_3_a_piece_in_a_place_of_another_kind_is_refused(
    session: SessionController, what: str, place: str, rule: str
) -> None:
    """[2.1.1(1), 2.1.3, 2.1.4] It would have no effect, or a wrong one: whatever lies in the Used box uses up an Air Field."""
    with pytest.raises(Impossible) as refusal:
        set_to(session, what, place)
    assert refusal.value.rule == rule and "It lies in" in refusal.value.cure
    set_to(session, "MiG-23", "iraq used")
    set_to(session, "new:marker", "iraq used")
    set_to(session, "F-15", "removed")


def test_2_1_1_a_hex_is_told_by_the_name_of_its_place(session: SessionController) -> None:
    """Names of the rulebook, and those told for hexes that it does not place [15.2]."""
    assert set_to(session, "1/3ID", "basra").position.pieces[piece(session, "1/3ID").id].place == "3135"
    set_to(session, *NAJAF)
    assert set_to(session, "1/3ID", "Najaf").position.pieces[piece(session, "1/3ID").id].place == "2228"
    with pytest.raises(Unreadable, match=r"no place 'najav'. Did you mean Najaf"):
        set_to(session, "1/3ID", "najav")
