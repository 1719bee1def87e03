"""Manual corrections: printed values of counters, and wrong facts about spaces."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.core.events import Said
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.facts import set_fact
from companion.session.state import load_game
from companion.session.store import Archive

FACTS: dict[str, str] = tomllib.loads((Path(__file__).parent / "scripts" / "short_set.toml").read_text())["facts"]
GAME = "fallujah2004"


def begun(archive: Archive, **facts: str) -> SessionController:
    archive.record_facts(GAME, {**FACTS, **{key.replace("_", ":", 1).replace("_", "-"): value for key, value in facts.items()}})
    return SessionController.create(archive, GAME, scenario="vigilant", seed="3")


def lying(session: SessionController, space: str) -> int:
    return sum(piece.kind == "concealed" for piece in session.position.at(space))


def test_11_0_a_new_unit_can_be_bought(archive: Archive) -> None:
    """It has a type, a size and values, so that it has a price."""
    session = begun(archive)
    session.adjust([("new:unit:USMC 9/9 inf bn 4(2)2/2(2)2", "recruit")], "one more counter")
    session.do("buy", Answers([("buy", "9/9"), ("at", "north")], accept=True))
    assert [piece.place for piece in session.position.pieces.values() if piece.name == "USMC 9/9"] == ["north base"]
    with pytest.raises(Unreadable, match=r"Like this: new:unit:USMC 3/1 inf bn 4\(2\)2"):
        session.adjust([("new:unit:USMC 8/8", "recruit")], "x")


@pytest.mark.parametrize("counter", ["USMC 3/1", "3/1", "USMC 3/1 inf bn 4(2)2/2(2)2"])
def test_4_0_a_unit_is_in_the_game_once(archive: Archive, counter: str) -> None:
    """Two units of one name would be ambiguous when a force is named."""
    session = begun(archive)
    with pytest.raises(Unreadable, match="USMC 3/1 is in the game already"):
        session.adjust([(f"new:unit:{counter}", "3-9")], "x")


@pytest.mark.parametrize(("name", "cup"), [("USMC 3/1", "reaction cup"), ("NetWar", "reaction cup"), ("USMC 3/1", "node cup")])
def test_3_4_counters_that_cannot_be_drawn_are_not_put_into_a_cup(archive: Archive, name: str, cup: str) -> None:
    """[3.4] A foreign counter would stop the reaction when drawn; counters that belong there can be moved in and out."""
    session = begun(archive)
    piece = next(candidate for candidate in session.position.pieces.values() if candidate.name == name)
    with pytest.raises(Illegal, match="holds only"):
        session.adjust([(piece.id, cup)], "x")
    unit = next(candidate for candidate in session.position.at("reaction cup") if candidate.kind == "opfor")
    session.adjust([(unit.id, "out of play")], "x")
    session.adjust([(unit.id, "reaction cup")], "x")
    assert session.position.pieces[unit.id].place == "reaction cup"


def test_3_1_a_wrong_fact_about_a_space_is_corrected_in_the_session(archive: Archive) -> None:
    """The cure that the refusal names works: the space is there, its name is known, and it can be undone."""
    session = begun(archive, space_3_11="none")
    session.do("buy", Answers([("buy", "3/1, 1/8, CEB, 3 netwar, 2 air"), ("at", "north")], accept=True))
    with pytest.raises(Illegal, match="the map has no space 3-11") as caught:
        session.do("j3", Answers([("force", "3/1"), ("to", "3-11")]))
    assert "adjust fact:space:3-11" in caught.value.cure
    result = session.adjust([("fact:space:3-11", "urban Souk")], "misread")
    assert result.notes == ("3-11: urban, name Souk",) and archive.printed(GAME)["space:3-11"] == "urban Souk"
    assert session.position.flag("space:3-11") == "urban Souk" and session.position.flag("name:3-11") == "Souk"
    assert session.do("j3", Answers([("force", "3/1"), ("to", "Souk")], accept=True)).done
    session.undo(2)
    assert session.position.flag("space:3-11") == "none"


def test_7_1_a_node_comes_and_goes_with_its_space(archive: Archive) -> None:
    """A corrected Objective gains or loses its Node, without a move on the table."""
    session = begun(archive, space_3_8="objective", space_3_9="urban Market")
    assert lying(session, "3-8") == 1 and lying(session, "3-9") == 0
    held = lying(session, "unopened")
    result = session.adjust([("fact:space:3-8", "urban Market")], "misread")
    assert lying(session, "3-8") == 0 and lying(session, "unopened") == held + 1 and not result.fix
    session.adjust([("flag:space:3-9", "mosque")], "misread")
    assert lying(session, "3-9") == 1 and lying(session, "unopened") == held
    session.undo(2)
    assert lying(session, "3-8") == 1 and lying(session, "3-9") == 0


@pytest.mark.parametrize(
    ("typed", "meant"), [("open watr Nord", "water"), ("mosque mrs Hadra", "msr"), ("urban msr brige X", "bridge")]
)
def test_3_1_a_slip_in_a_feature_is_no_name(archive: Archive, typed: str, meant: str) -> None:
    game = load_game(GAME)
    with pytest.raises(Unreadable, match=f"Did you mean {meant}"):
        set_fact(archive, game, "space:2-11", typed)
    assert set_fact(archive, game, "space:2-11", 'open water "Watr Nord"') == ("space:2-11", 'open water "Watr Nord"')
    assert game.fact_in_words("space:2-11", 'open water "Watr Nord"') == "2-11: open, water, name Watr Nord"
    assert game.fact_in_words("space:2-11", set_fact(archive, game, "space:2-11", "urban Ridge Street")[1]).endswith(
        "Ridge Street"
    )


def test_3_1_a_name_that_begins_like_a_feature_keeps_it(archive: Archive) -> None:
    key, value = set_fact(archive, load_game(GAME), "space:2-11", 'open "Water Street"')
    assert value == 'open "Water Street"' and load_game(GAME).fact_in_words(key, value) == "2-11: open, name Water Street"


def test_14_7_two_bridges_are_two_spaces(archive: Archive) -> None:
    game = load_game(GAME)
    with pytest.raises(Illegal, match="both entered at 1-7"):
        set_fact(archive, game, "bridge:main", "1-7")
    assert set_fact(archive, game, "bridge:main", "1-7", anyway=True)[1] == "1-7"


def test_29_1_the_unit_of_a_leader(archive: Archive) -> None:
    session = begun(archive)
    with pytest.raises(Illegal, match=r"USMC 3/1 is in the Recruit box, and nobody leads it there \[29.1\]"):
        session.adjust([("Leader A.with", "USMC 3/1")], "x")
    session.adjust([("USMC 3/1", "north base"), ("Leader A.with", "USMC 3/1")], "it leads")
    assert led(session, "Leader A") == ("leading", "USMC 3/1")
    with pytest.raises(Unreadable, match="the unit that a leader is with"):
        session.adjust([("Leader A.with", "Intel")], "x")


def led(session: SessionController, name: str) -> tuple[str, str]:
    """The place of a leader, and the unit that he is with."""
    leader = next(piece for piece in session.position.pieces.values() if piece.name == name)
    unit = session.position.pieces.get(str(leader.marks.get("with")))
    return leader.place, unit.name if unit else ""


def test_29_1_a_leader_in_a_space_is_with_its_unit(archive: Archive) -> None:
    """He joins the one unit there; with several or none the refusal names a correction that is accepted."""
    session = begun(archive)
    with pytest.raises(Illegal, match="no unit is at 2-11"):
        session.adjust([("Leader A", "2-11")], "x")
    session.adjust([("Leader A", "2-11"), ("USMC 3/1", "2-11")], "seen")
    assert led(session, "Leader A") == ("leading", "USMC 3/1")
    session.adjust([("USMC 3/1", "2-10")], "both moved")
    assert led(session, "Leader A") == ("leading", "USMC 3/1")
    session.adjust([("USMC 1/8", "2-10")], "seen")
    with pytest.raises(Illegal, match="USMC 3/1, USMC 1/8 are at 2-10") as caught:
        session.adjust([("Leader B", "2-10")], "x")
    what, value = re.findall(r'"([^"]+)"', caught.value.cure)
    session.adjust([(what, value)], "the cure")
    assert led(session, "Leader B") == ("leading", value)


@pytest.mark.parametrize(
    "changes", [[("Leader A", "recruit")], [("Leader A.with", "none")], [("USMC 3/1", "eliminated")], [("USMC 3/1", "recruit")]]
)
def test_29_1_a_leader_leaves_his_unit(archive: Archive, changes: list[tuple[str, str]]) -> None:
    """Whether he is taken off, or his unit is: he can be recruited again."""
    session = begun(archive)
    session.adjust([("USMC 3/1", "2-11"), ("Leader A", "2-11")], "seen")
    session.adjust(changes, "seen")
    assert led(session, "Leader A") == ("recruit", "")


def test_20_2_a_node_that_is_told_replaces_the_concealed_one(archive: Archive) -> None:
    """No second Node is revealed there, and none comes when the space is visited; the cup holds one Node less."""
    session = begun(archive, space_3_8="objective")
    left = session.position.at("node cup")
    session.adjust([("C2", "3-8"), ("Al Qaeda", "2-11")], "seen")
    assert [piece.name for piece in session.position.at("3-8")] == ["C2"]
    session.adjust([("fact:space:2-11", "mosque")], "read from the map")
    assert [piece.name for piece in session.position.at("2-11")] == ["Al Qaeda"]
    off = [piece for piece in session.position.of_kind("concealed") if piece.place == "off"]
    assert len(off) == 2 == len(left) - len(session.position.at("node cup"))
    session.adjust([("C2", "node cup")], "not yet")
    assert sum(piece.place == "off" for piece in session.position.of_kind("concealed")) == 1


def typed_cure(session: SessionController, refusal: Illegal) -> None:
    """Type the correction that a refusal names."""
    what, value = shlex.split(refusal.cure.partition("companion adjust ")[2])
    session.adjust([(what, value)], "the cure")


@pytest.mark.parametrize("second", ["Strongpoint", "new:concealed:"])
def test_7_2_a_second_node_is_not_put_into_a_space(archive: Archive, second: str) -> None:
    """[7.2: node] The cure takes the first one away; only a Downed Helicopter lies with a Node."""
    session = begun(archive, space_3_8="urban")
    session.adjust([("C2", "3-8")], "x")
    with pytest.raises(Illegal, match=r"C2 lies at 3-8 already \[7\.2\]") as caught:
        session.adjust([(second, "3-8")], "x")
    session.adjust([("Downed Helicopter", "3-8")], "x")
    typed_cure(session, caught.value)
    session.adjust([(second, "3-8")], "x")
    assert len(session.position.at("3-8")) == 2


def test_14_7_only_a_bridge_is_blown_and_only_once(archive: Archive) -> None:
    """The marker would close no route elsewhere; the cure says that a bridge is there."""
    session = begun(archive, space_3_8="urban Jolan")
    with pytest.raises(Illegal, match=r"no bridge is at 3-8 Jolan \[14\.7\]") as caught:
        session.adjust([("Bridge Blown", "3-8")], "x")
    typed_cure(session, caught.value)
    session.adjust([("Bridge Blown", "3-8")], "x")
    with pytest.raises(Illegal, match="the bridge at 3-8 Jolan is blown already"):
        session.adjust([("Bridge Blown@off", "3-8")], "x")


def test_20_2_a_a_node_under_corrected_units_is_to_be_named(archive: Archive) -> None:
    """The counter is face up on the table then; what is typed names it."""
    session = begun(archive, space_3_8="objective")
    result = session.adjust([("3/1", "3-8")], "x")
    said = next(event.text for event in result.events if isinstance(event, Said))
    assert said.startswith("USMC 3/1 is with a concealed Node at 3-8, which is revealed then")
    what, value = shlex.split(said.partition("companion adjust ")[2])
    session.adjust([(what, value)], "x")
    assert {piece.kind for piece in session.position.at("3-8")} == {"node", "unit"}


def test_8_1_a_corrected_ops_of_zero_end_the_game(archive: Archive) -> None:
    """[8.1(a)] A line says how; with OPs left there is none."""
    session = begun(archive)
    assert not [event for event in session.adjust([("ops", "1")], "x").events if isinstance(event, Said)]
    result = session.adjust([("ops", "0")], "x")
    assert [event.text for event in result.events if isinstance(event, Said)] == [
        "No OPs are left, which ends the game: companion do end"
    ]
    session.do("end", Answers(accept=True))
    assert session.game.over(session.position) == "the OPs index is at zero"


@pytest.mark.parametrize(
    ("counter", "place"),
    [
        ("Uprising Elsewhere", "2-11"),
        ("Uprising Elsewhere", "available"),
        ("Ambush", "in play"),
        ("Intel", "in play"),
        ("NetWar", "2-11"),
        ("C2", "available"),
        ("new:marker:Bridge Blown", "available"),
    ],
)
def test_4_0_a_counter_is_put_where_it_has_an_effect(archive: Archive, counter: str, place: str) -> None:
    session = begun(archive)
    with pytest.raises(Illegal, match="such a counter is never in") as caught:
        session.adjust([(counter, place)], "x")
    assert "It can be in: " in caught.value.cure


def test_3_1_no_counter_lies_in_a_space_that_the_map_lacks(archive: Archive) -> None:
    session = begun(archive)
    session.adjust([("fact:space:3-8", "none")], "seen on the map")
    with pytest.raises(Illegal, match="no space 3-8") as caught:
        session.adjust([("3/1", "3-8")], "x")
    assert (caught.value.rule, "fact:space:3-8" in caught.value.cure) == ("3.1", True)


def test_11_1_the_place_of_uprising_elsewhere_sets_the_prices(archive: Archive) -> None:
    """Put into the Events in Play box it doubles them, and taken out it does not."""
    session = begun(archive)
    session.adjust([("Uprising Elsewhere", "in play")], "joined late")
    session.do("buy", Answers([("buy", "3/1"), ("at", "north")], accept=True))
    assert session.position.track("ops") == 63
    session.adjust([("Uprising Elsewhere", "reaction cup")], "x")
    session.do("buy", Answers([("buy", "1/8"), ("at", "north")], accept=True))
    assert session.position.track("ops") == 62


@pytest.mark.parametrize("changes", [[("3/1", "2-11")], [("3/1", "north base"), ("operations", "12")]])
def test_7_1_units_on_the_map_or_operations_end_the_set_up(archive: Archive, changes: list[tuple[str, str]]) -> None:
    """[7.1(2)] A game joined in the middle goes on with operations."""
    session = begun(archive)
    session.adjust([*changes, ("ops", "41")], "joined")
    assert session.game.banner(session.position, session.options).stage == "Operations"
    with pytest.raises(Illegal, match="before the first operation"):
        session.do("buy", Answers())
    result = session.do("j1", Answers([("buy", "1/8"), ("at", "north")], accept=True))
    assert session.position.track("ops") == 39
    assert not [event for event in result.events if getattr(event, "text", "").startswith("The set-up is over")]


def test_4_6_many_counters_are_doubted() -> None:
    game = load_game(GAME)
    assert game.fact_in_words("opfor:militia", "1(1) x60, 2(1) x60") == "militia: 120 counters: is that right?"


@pytest.mark.parametrize("typed", ["open Water Street", "urban Bridge Street", "mosque msr Water Tower"])
def test_3_1_a_feature_with_a_capital_is_doubted(archive: Archive, typed: str) -> None:
    """[3.1] A feature, or the beginning of the printed name: the player says which. In small or in large letters it is none."""
    game = load_game(GAME)
    with pytest.raises(Unreadable, match="is a feature, or begins the name"):
        set_fact(archive, game, "space:2-11", typed)
    assert set_fact(archive, game, "space:2-11", "urban MSR bridge Old Town")[1] == "urban msr bridge Old Town"
    assert set_fact(archive, game, "space:2-11", "urban Bridge")[1] == "urban bridge"


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        ("3/5", "USMC 3/5 is in the Recruit box"),
        ("CEB", "USMC CEB is in the Eliminated box"),
        ("1/8, 3/5", "USMC 3/5 is in the Recruit box"),
    ],
)
def test_8_3_a_unit_that_is_not_on_the_map_forms_no_force(archive: Archive, named: str, reason: str) -> None:
    """The refusal says where it is; a name that ends so is not taken for the beginning of another."""
    session = begun(archive)
    session.adjust([("3/1", "north base"), ("1/8", "north base"), ("CEB", "eliminated")], "seen")
    with pytest.raises(Illegal, match=rf"{reason} \[8.3\]"):
        session.do("j3", Answers([("force", named)]))


def counted(session: SessionController) -> int:
    """The VP for Mosque and Objective spaces."""
    items = session.game.score(session.position, session.options).items
    return next(points for label, points, _ in items if label.startswith("Objective and Mosque"))


def test_6_1_a_unit_corrected_after_the_end_is_counted_where_it_lies(archive: Archive) -> None:
    """[6.1] The count follows the table where the map is known, and else says which answer it uses."""
    session = begun(archive, space_3_8="mosque", space_3_9="urban", space_2_12="mosque")
    session.adjust([("3/1", "3-8"), ("ops", "0")], "joined late")
    assert session.do("end", Answers([("msr", "no")])).done
    assert counted(session) == 1
    session.adjust([("3/1", "3-9")], "it lay there")
    assert counted(session) == 0
    session.adjust([("flag:holy held", "2")], "counted again")
    assert counted(session) == 2
    result = session.adjust([("3/1", "5-3")], "it lay there")
    said = [event.text for event in result.events if isinstance(event, Said)]
    assert "The count has Mosque and Objective spaces held: 2, as you answered." in "".join(said)
    assert counted(session) == 2
    session.adjust([("3/1", "2-12")], "it lay there")
    assert counted(session) == 1


@pytest.mark.parametrize(("ground", "source"), [("urban", "node pile"), ("mosque", "2-12"), ("", "unopened")])
def test_7_1_a_corrected_node_is_one_of_those_that_can_lie_there(archive: Archive, ground: str, source: str) -> None:
    """[7.1(1), 14.7] In a space that is neither Mosque nor Objective it came from the cup; elsewhere it is that of the set-up."""
    session = begun(archive, **({"space_2_12": ground} if ground else {}))
    places = ("node pile", "unopened", "2-12")
    before = {place: lying(session, place) for place in places}
    session.adjust([("C2", "2-12")], "seen on the map")
    assert {place: before[place] - lying(session, place) for place in places} == {place: int(place == source) for place in places}
