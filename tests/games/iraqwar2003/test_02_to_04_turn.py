"""[2.0 - 4.0] Components, preparation, the course of a turn."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.games.iraqwar2003.notation import AirValues, CounterSide, Site, read_air, read_site, read_unit
from tests.games.iraqwar2003.field import FACTS, asked, mark, operations, place, reduce, said, unit, war
from tests.support.table import Table


def test_3_0_preparation() -> None:
    """[3.0, 2.1.3, 2.2.11] Air units in their boxes, turn 1, the Kurds in their cities, the Coalition begins."""
    # Clauses: [2.1.3: start]
    table = war()
    assert len(table.position.at("coalition available")) == 8 + 1 + 5 + 3
    assert len(table.position.at("iraq available")) == 4
    assert table.track("turn") == 1
    assert table.game.score(table.position, table.options).total == 2
    assert table.game.banner(table.position, table.options).stage == "Turn 1, Coalition player, Facility Bombing Phase"


def test_3_0_numbers_of_the_sample() -> None:
    """[3.0] Without a roster there are 9 air units, 5 carriers, 13 ships, 4 Iraqi air units under placeholder names."""
    table = Table("iraqwar2003", "war")
    kinds = [str(piece.values["type"]) for piece in table.position.at("coalition available")]
    assert [kinds.count(kind) for kind in ("air", "carrier", "naval")] == [9, 5, 13]
    assert len(table.position.at("iraq available")) == 4


def test_2_1_2_the_display_is_asked_for_once() -> None:
    """[2.1.2, 6.1.1, 6.1.2] Each site when it is first needed; two Radars in a radar site, as 6.4 has it."""
    # Clauses: [6.1.1: boxes] [2.1.2: once]
    facts = {key: value for key, value in FACTS.items() if not key.startswith(("radar:", "site:"))}
    table = Table("iraqwar2003", "war", facts)
    sites = ("radar:north=aa 3", "radar:central=aa 3", "radar:south=aa 3", "site:comm=central aa 3 radio 4")
    table.do("facility", *sites, "site:base=central aa 2 airfield 6", "target=done")
    assert len([piece for piece in table.position.of_kind("box") if piece.values["box"] == "radar"]) == 6
    assert table.names_at("comm site") == ["comm aa", *(f"comm radio {number}" for number in (1, 2, 3, 4))]
    table.do("supply", accept=True)
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    assert table.track("cp") == 4


def test_2_1_5_1_the_number_of_turns_is_asked_for_once() -> None:
    """[2.1.5(1), 4.3(2)] At the end of turn 1; it is over after the last."""
    # Clauses: [2.1.5(1): once]
    facts = {key: value for key, value in FACTS.items() if key != "turns"}
    table = Table("iraqwar2003", "war", facts)
    for turn in (1, 2):
        for _ in (1, 2):
            table.do("supply", "source=radio" if _ == 2 else "oos=none", accept=True)
            table.do("end", *(["turns=2"] if (turn, _) == (1, 2) else []), accept=True)
    assert table.game.over(table.position) == "turn 2 was the last"


def test_2_2_a_ground_unit_is_written_as_it_is_printed() -> None:
    """[2.2, 2.2.5, 2.2.6, 2.2.7, 2.2.8, 2.2.9] Name, attack-defence-movement, the back, the extras."""
    read = read_unit("us DivArty 4-1-8/2-1-8 div:3ID white art:4@2")
    assert (read.name, read.front, read.back) == ("DivArty", CounterSide(4, 1, 8), CounterSide(2, 1, 8))
    assert (read.division, read.white, read.artillery, read.range) == ("3ID", True, 4, 2)
    assert str(read_unit(str(read))) == str(read)
    assert read_unit("iraq SRG AA 1-2-5 aa:2").anti_air == 2
    assert read_unit("us 11Av 4-2-10 fly").fly


@pytest.mark.parametrize(
    "text", ["3ID 6-5", "us 6-5-8", "mars X 6-5-8", "us X 6-5-99", "us X 6-5-8 art:4", "us X 6-5-8 big:2", ""]
)
def test_2_2_what_is_no_unit(text: str) -> None:
    """[2.2] Each with its message."""
    with pytest.raises(Unreadable):
        read_unit(text)


def test_2_3_air_values() -> None:
    """[2.3, 2.3.2, 2.4.4, 2.5.4] Air combat-ground support-bombing; a white silhouette."""
    assert read_air("5-2-4") == AirValues(5, 2, 4, False)
    assert read_air("0-0-5 stealth").stealth
    for text in ("5-2", "5-2-x", "5-2-10", "5-2-4 hidden", ""):
        with pytest.raises(Unreadable):
            read_air(text)


def test_2_3_values_are_asked_when_a_unit_first_flies_and_checked_against_the_figures() -> None:
    """[2.3] The F-15 shows air combat 5 in the rulebook; another value is accepted with a warning."""
    facts = {key: value for key, value in FACTS.items() if key != "air:F-15"}
    table = Table("iraqwar2003", "war", facts)
    table.do("facility", "target=radio 1", "group=B-1+F-15", "air:F-15=4-2-4", "target=done", "intercept=none", dice=[6, 6])
    assert said(table, "F-15: air combat 4, though the rulebook shows 5. [5.5]")
    assert table.facts["air:F-15"] == "4-2-4"


def test_2_2_12_reduced_sides() -> None:
    """[2.2.12] The values of the side that is up count."""
    # Clauses: [2.2.12: reduced]
    table = operations()
    reduce(table, "1/3ID")
    table.do("move", "units=1/3ID", "way=plain", "stacked=none", "attack=11D", "river=none", "terrain=plain", "support=none",
             "counter=none", dice=[6], accept=True)  # fmt: skip
    assert said(table, "Attack 3 against 4 is 1-2; no shift: column 1-2. [13.3]")


@pytest.mark.parametrize("text", ["aa 3", "central", "central aa 7", "central radio x", "central 3"])
def test_6_1_what_is_no_site(text: str) -> None:
    """[6.1.1, 6.1.2, 6.3(4)] A site needs its sector, its boxes, and firepowers from 1 to 6."""
    with pytest.raises(Unreadable):
        read_site(text)


def test_6_1_a_site_as_it_is_written() -> None:
    """[6.1.1, 6.1.1(1), 6.3(4)] Two AA Fire boxes of 3 and of 2, and four Radios."""
    assert read_site("central aa 3 2 radio 4") == Site("central", (3, 2), 0, 4, 0)
    assert read_site("aa 2", True) == Site("", (2,), 2, 0, 0)


# -- the turn ----------------------------------------------------------------------------------------------------------------


def obstacle(table: Table, action: str) -> str:
    reason = next(item for item in table.game.actions if item.id == action).obstacle(table.position)
    return reason.rule if reason else ""


def test_4_1_phases_of_the_coalition() -> None:
    """[4.0, 4.1, 4.1(1), 4.1(2), 4.1(3), 4.1(4)] Facility Bombing, Ground Bombing, Supply Check, Operation, in this order."""
    table = war()
    assert (obstacle(table, "facility"), obstacle(table, "move")) == ("", "4.1(4)")
    table.do("facility", "target=done")
    assert (obstacle(table, "facility"), obstacle(table, "bomb")) == ("4.1(1)", "")
    table.do("bomb", "target=done")
    assert (obstacle(table, "bomb"), obstacle(table, "supply")) == ("4.1(2)", "")
    table.do("supply", accept=True)
    assert (obstacle(table, "supply"), obstacle(table, "move"), obstacle(table, "recover")) == ("4.1(3)", "", "7.3.3")


def test_4_1_phases_may_be_passed_over() -> None:
    """[4.1] Supply is checked without bombing first: the phases before it are over."""
    # Clauses: [4.1(1): wish]
    table = war()
    table.do("supply", accept=True)
    assert obstacle(table, "bomb") == "4.1(2)"


def test_4_1_4_each_unit_acts_once() -> None:
    """[4.1(4-1), 4.1(4-2), 4.1(4-3), 12.1(6)] Movement, combat, moved marker."""
    # Clauses: [4.1(4-1): once]
    table = operations()
    table.do("move", "units=1/3ID", "way=road, road", "stacked=none", "attack=none")
    assert asked(table) == ["units", "way", "stacked", "attack"]
    assert unit(table, "1/3ID").mark("moved") is True
    with pytest.raises(Exception, match=r"12\.1\(6\)|no unit"):
        table.do("move", "units=1/3ID")


def test_4_2_the_iraqi_player_turn() -> None:
    """[4.2, 4.2(1), 4.2(2), 4.2(3)] No facility bombing; command points at the supply check limit what Iraq does."""
    # Clauses: [4.1(1): only] [4.2(1): none] [4.2(3): limit]
    table = operations()
    table.do("end")
    assert (obstacle(table, "facility"), obstacle(table, "bomb")) == ("4.2(1)", "")
    table.do("supply", "source=die", dice=[2], accept=True)
    assert table.track("cp") == 2
    table.do("move", "units=SRG1, SRG2", "way=stay", "attack=none", accept=True)
    with pytest.raises(Exception, match=r"11\.3"):
        table.do("move", "units=SRG3", "way=stay", "attack=none", accept=True)


def test_4_3_end_of_the_turn() -> None:
    """[4.3, 4.3(1), 4.3(2)] Air units and carriers come back, ships do not; moved markers go; the marker moves on."""
    # Clauses: [2.5.4(2): once] [4.3(1): carriers, naval] [12.1(6): next]
    table = war()
    table.do(
        "facility", "target=radio 1", "group=B-2+CV-63", "target=radio 2", "group=SSN-1", "target=done",
       dice=[6, 6],
    )  # fmt: skip
    table.do("supply", accept=True)
    table.do("move", "units=1/3ID", "way=stay", "attack=none")
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    table.do("end", "kuwait=no")
    assert (table.track("turn"), table.position.flag("phase"), table.position.flag("side")) == (2, "facility", "coalition")
    assert [place(table, name) for name in ("B-2", "CV-63", "SSN-1")] == ["coalition available"] * 2 + ["coalition used"]
    assert not [piece for piece in table.position.of_kind("unit") if piece.mark("moved")]


def test_2_1_4_used_boxes_are_in_the_banner() -> None:
    """[2.1.4] How many air units are ready and used."""
    table = war()
    mark(table, "damaged", 1, "comm radio 1")
    fields = {field.label: field.value for field in table.game.banner(table.position, table.options).fields}
    assert fields["Coalition air"] == "17 ready, 0 used"
    assert (fields["Radio"], fields["Air Fields"], fields["Radar N/C/S"]) == ("3", "3", "2/2/2")


# -- what is so at the start, who acts, what comes back when -----------------------------------------------------------------


def test_2_2_12_units_start_on_their_full_side() -> None:
    """[2.2.12, 3.0] Every ground unit entered is face up; those that come later too."""
    # Clauses: [2.2.12: start]
    table = war(reinforcements="on")
    table.do("units", "units=us 9ID 6-5-8/3-3-8")
    assert {piece.face for piece in table.position.of_kind("unit")} == {"front"}


def test_3_0_iraq_sets_up_first() -> None:
    """[3.0] The Iraqi units are entered before those of the Coalition."""
    # Clauses: [3.0: first]
    lines = [line for line in war().said if line.startswith("Set up the")]
    assert list(dict.fromkeys(line.split()[3] for line in lines)) == ["Iraqi", "Coalition"]


def test_4_1_4_only_the_current_players_units_act() -> None:
    """[4.1(4-1)] An Iraqi unit neither moves, recovers nor works on a road in the Coalition's player turn."""
    # Clauses: [4.1(4-1): own]
    table = operations()
    mark(table, "disrupted", True, "SRG2", "2/3ID")
    for words in (("move", "units=SRG1"), ("recover", "units=SRG2"), ("road", "unit=SRG1", "hex=1722")):
        with pytest.raises(Illegal) as fault:
            table.do(*words, accept=True)
        assert fault.value.rule == "4.1(4-1)"


def test_4_2_2_points_come_in_the_iraqi_phase_only() -> None:
    """[4.2(2), 11.1] The Coalition's Supply Check Phase brings none, and asks for no source."""
    # Clauses: [4.2(2): iraq]
    table = operations()
    assert "source" not in asked(table)
    assert table.track("cp") == 0
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    assert table.track("cp") == 4


def test_4_3_nothing_comes_back_between_the_player_turns() -> None:
    """[4.3, 4.3(1)] What flew in the Coalition's player turn is not there in the Iraqi one; with its end it is again."""
    # Clauses: [4.3: both]
    table = war()
    table.do("facility", "target=radio 1 by B-1", "target=done", "intercept=MiG-23", dice=[6, 6, 6])
    table.do("supply", accept=True)
    table.do("end")
    assert (place(table, "B-1"), place(table, "MiG-23"), table.track("turn")) == ("coalition used", "iraq used", 1)
    table.do("supply", "source=radio", accept=True)
    table.do("end", accept=True)
    assert (place(table, "B-1"), place(table, "MiG-23"), table.track("turn")) == ("coalition available", "iraq available", 2)
