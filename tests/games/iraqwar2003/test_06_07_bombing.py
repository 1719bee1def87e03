"""[6.0, 7.0] Facility bombing and ground bombing."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.core.events import PieceMoved
from tests.games.iraqwar2003.field import asked, attack, mark, operations, place, said, send, unit, war
from tests.support.table import Table


def bomb(table, target, group, *more, dice=(), intercept="none", where="open", **kw):  # type: ignore[no-untyped-def]
    words = (f"target={target}", f"where={where}", f"group={group}", "target=done", f"intercept={intercept}")
    table.do("bomb", *words, *more, dice=dice, **kw)


def iraqi_turn(**options: str):  # type: ignore[no-untyped-def]
    table = operations(**options)
    table.do("end")
    return table


def test_5_1_1_facility_bombing_weakens_iraq() -> None:
    """[5.1(1), 6.2, 6.4] A hit lays a damaged marker on the box."""
    # Clauses: [5.1(1): damage]
    table = war()
    table.do("facility", "target=south radar 1", "group=B-2", "target=done", dice=[4])
    assert unit(table, "south radar 1").mark("damaged") == 1
    assert said(table, "Iraq can still intercept in the south sector")


def test_5_2_6_who_is_insisted_on_to_fly_twice_is_used_once() -> None:
    """[5.2(1), 5.2(6)] In two groups at a time, he goes to the Used box with the first of them."""
    # Clauses: [5.2(6): used]
    table = war()
    twice = ("target=south radar 1", "group=B-2", "target=north radar 1", "group=B-2", "target=done", "intercept=none")
    table.do("facility", *twice, dice=[4, 4], anyway=True)
    gone = [event for event in table.events if isinstance(event, PieceMoved) and event.id == unit(table, "B-2").id]
    assert [(event.was, event.now) for event in gone] == [("coalition available", "coalition used")]


def test_6_3_one_shot_for_each_box_at_its_own_firepower() -> None:
    """[6.3(1), 6.3(2), 6.3(3), 6.1.1(1)] The Central Radar Site has boxes of 3 and 2: two shots at each bomber."""
    # Clauses: [6.3(1): printed] [6.3(3): each]
    table = war()
    table.do("facility", "target=central radar 1", "group=B-52", "target=done", "intercept=none", dice=[4, 3, 1])
    assert asked(table).count("aa") == 2
    assert said(table, "Anti-air fire 1 of 2 at B-52: 4, hits on 1-3. MISS.")
    assert said(table, "Anti-air fire 2 of 2 at B-52: 3, hits on 1-2. MISS.")


def test_6_3_5_the_first_hit_is_enough() -> None:
    """[6.3(5)] Hit by the first shot, the bomber is fired at no more."""
    # Clauses: [6.3(5): once]
    table = war()
    table.do("facility", "target=central radar 1", "group=B-52", "target=done", "intercept=none", dice=[3, 6])
    assert asked(table).count("aa") == 1


def test_6_4_destroyed_boxes_stay_destroyed() -> None:
    """[6.4] They are not offered any more, and naming one is refused by the rule."""
    table = war()
    mark(table, "damaged", 1, "comm radio 1")
    with pytest.raises(Illegal) as fault:
        table.do("facility", "target=comm radio 1")
    assert fault.value.rule == "6.4"


@pytest.mark.parametrize(
    ("box", "words"),
    [
        ("comm aa", "has 0 anti-air shots left"),
        ("comm radio 1", "From next turn Iraq counts 3 Radios"),
        ("base airfield 1", "Iraq can use 2 air units each turn"),
    ],
)
def test_6_4_what_each_box_means(box: str, words: str) -> None:
    """[6.4(1), 6.4(3), 6.4(4), 6.1.1(3), 6.1.1(4)] Anti-air fire, command points, air units."""
    # Clauses: [6.4(4): fewer]
    table = war()
    table.do("facility", f"target={box}", "group=B-2", "target=done", dice=[1])
    assert said(table, words)


def test_6_4_2_both_radars_gone() -> None:
    """[6.4(2), 6.1.1(2)] No interception in that sector any more."""
    # Clauses: [6.4(2): both]
    table = war()
    mark(table, "damaged", 1, "north radar 1")
    table.do("facility", "target=north radar 2", "group=B-2", "target=done", dice=[1])
    assert said(table, "Iraq can no longer intercept in the north sector")


# -- ground bombing ----------------------------------------------------------------------------------------------------------


def test_7_0_ships_stay_out_and_friends_are_no_targets() -> None:
    """[7.0] Naval units do not bomb on the map."""
    # Clauses: [7.0: naval]
    with pytest.raises(Illegal):
        bomb(war(), "11D", "DDG-1")


def test_7_1_units_and_roads() -> None:
    """[7.1, 7.1(1), 7.1(2), 5.1(2), 5.1(3), 7.3, 7.4] A unit is disrupted, the roads of a hex are destroyed."""
    # Clauses: [5.1(3): roads] [7.1(1): unit] [7.1(2): hex] [7.3: disrupted] [7.4: roads]
    table = war()
    table.do(
        "bomb", "target=11D", "where=open", "group=B-1", "target=road 2332", "where=open", "group=B-52", "target=done",
        "intercept=none", dice=[5, 4],
    )  # fmt: skip
    assert unit(table, "11D").mark("disrupted") is True
    assert table.names_at("roads") == ["roads of 2332"]


def test_7_2_1_iraqis_and_kurds_do_not_fire_back() -> None:
    """[7.2(1)] Neither an Iraqi nor a Kurdish unit that is bombed."""
    # Clauses: [7.2(1): neither]
    table = war()
    bomb(table, "11D", "B-1", dice=[6])
    assert "aa" not in asked(table)
    table = iraqi_turn()
    bomb(table, "KDP1", "Su-20", dice=[6])
    assert "aa" not in asked(table)


def test_7_2_2_americans_fire_back_with_two() -> None:
    """[7.2(2)] One shot at 2 at the Su-20; its second die of 2 removes it."""
    # Clauses: [7.2(2): one]
    table = iraqi_turn()
    bomb(table, "1/3ID", "Su-20", dice=[2, 2])
    assert place(table, "Su-20") == "removed"
    table = iraqi_turn()
    bomb(table, "7Arm", "Su-20", dice=[3, 2])
    assert unit(table, "7Arm").mark("disrupted") is True


def test_7_2_3_no_fire_at_road_bombers() -> None:
    """[7.2(3), 16.4(2)] Not even near the anti-air unit, unless the switch lets it (ruling C-50)."""
    # Clauses: [7.2(3): roads]
    for options in ({"anti_air_unit": "on"}, {"road_bombers": "anti_air_unit"}):
        table = war(**options)
        bomb(table, "road 1421", "B-1", where="Baghdad", dice=[5])
        assert "aa_unit" not in asked(table)
        assert said(table, "No anti-air fire where roads are bombed. [7.2(3)]")
    for near, dice in (("yes", [2, 3]), ("no", [5])):
        table = war(anti_air_unit="on", road_bombers="anti_air_unit")
        bomb(table, "road 1421", "B-1", f"aa_unit={near}", where="Baghdad", dice=dice)
        assert ("aa" in asked(table)) is (near == "yes")
        assert not said(table, "No anti-air fire")


def test_7_3_1_disrupted_units_neither_move_nor_attack() -> None:
    """[7.3.1, 7.3.1(1)] They are refused by the rule."""
    # Clauses: [7.3.1(1): move]
    table = operations()
    mark(table, "disrupted", True, "1/3ID")
    with pytest.raises(Illegal) as fault:
        table.do("move", "units=1/3ID")
    assert fault.value.rule == "7.3.1(1)"


def test_7_3_1_3_defence_is_halved_and_rounded_up() -> None:
    """[7.3.1(3), 13.3(7)] SF1 of defence 2 counts 1, a unit of 5 counts 3: 6 against 3 is 2-1."""
    # Clauses: [7.3.1(3): halved] [13.3(7): disrupted]
    table = operations()
    mark(table, "disrupted", True, "Med")
    attack(table, "1/3ID", "Med", dice=[4])
    assert said(table, "Attack 6 against 3 (of 5) = 3 is 2-1; no shift: column 2-1. [13.3]")


def test_7_3_2_no_second_marker() -> None:
    """[7.3.2] A second hit on a disrupted unit does nothing."""
    # Clauses: [7.3.2: once]
    table = war()
    mark(table, "disrupted", True, "11D")
    bomb(table, "11D", "B-1", dice=[1])
    assert said(table, "11D is disrupted already: the second hit does nothing. [7.3.2]")


def test_7_3_3_recovery() -> None:
    """[7.3.3, 11.2(2)] A whole phase and, for Iraq, a command point; never out of supply."""
    # Clauses: [7.3.3: whole, pays, supply]
    table = operations("iraq")
    mark(table, "disrupted", True, "SRG1", "SRG2")
    mark(table, "oos", True, "SRG2")
    table.do("recover", "units=SRG1")
    assert unit(table, "SRG1").mark("disrupted") is None
    assert unit(table, "SRG1").mark("moved") is True
    assert table.track("cp") == 5
    with pytest.raises(Illegal) as fault:
        table.do("recover", "units=SRG2")
    assert fault.value.rule == "7.3.3"


def test_7_3_3_the_coalition_pays_nothing_and_no_work_follows() -> None:
    """[7.3.3, 14.4] Recovered and marked as moved, the unit does not work on roads as well (ruling C-30)."""
    # Clauses: [7.3.3: whole, pays] [14.4: recovered]
    table = operations()
    mark(table, "disrupted", True, "1/3ID")
    table.do("recover", "units=1/3ID")
    with pytest.raises(Exception, match=r"12\.1|no unit"):
        table.do("road", "unit=1/3ID", "hex=1722")


def test_7_units_described_at_the_target_prompt_come_into_the_game() -> None:
    """[7.1(1)] A target that Companion has not seen is typed as on its counter, and remembered."""
    table = war()
    bomb(table, "iraq 34D 2-3-3/1-2-3 big", "B-1", dice=[5])
    assert unit(table, "34D").mark("disrupted") is True
    assert table.facts["unit:34D"] == "iraq 34D 2-3-3/1-2-3 big"


def test_7_0_bombing_ones_own_unit_is_refused() -> None:
    """[7.0] A new unit of one's own side is no target."""
    # Clauses: [4.1(2): enemy] [7.0: enemy]
    with pytest.raises(Illegal) as fault:
        bomb(war(), "us 9ID 1-1-1", "B-1")
    assert fault.value.rule == "7.0"


def test_5_2_2_no_question_without_an_interceptor() -> None:
    """[5.2(2)] With the Iraqi box empty, an interceptor that is named is refused with the reason."""
    # Clauses: [5.2(2): possible]
    table = war()
    send(table, "removed", "MiG-23", "MiG-25", "Su-20", "Su-25")
    table.do("bomb", "target=11D", "where=open", "group=B-1", "target=done", dice=[6])
    assert "intercept" not in asked(table)


def test_6_4_a_box_is_never_repaired() -> None:
    """[6.4] The marker of turn 1 lies on the box on turn 3 as well."""
    # Clauses: [6.4: ever]
    table = war()
    table.do("facility", "target=comm radio 1 by B-2", "target=done", dice=[1])
    for _ in (1, 2):
        table.do("supply", accept=True)
        table.do("end")
        table.do("supply", "source=radio", accept=True)
        table.do("end", accept=True)
    assert table.track("turn") == 3
    assert unit(table, "comm radio 1").mark("damaged") == 1


# -- several groups in a line; what the map tells --------------------------------------------------------------------------


def test_5_2_1_all_groups_of_a_phase_can_be_named_in_one_line() -> None:
    """[5.2(1)] As if they had been named one by one; done at the end asks for no more."""
    line = "comm radio 1 by B-1+F-15, comm radio 2 by B-2, comm radio 3 by CV-63"
    one_by_one = war(seed="7")
    one_by_one.do("facility", *(f"target={part}" for part in line.split(", ")), "target=done", "intercept=none", accept=True)
    at_once = war(seed="7")
    at_once.do("facility", f"target={line}, done", "intercept=none", accept=True)
    assert one_by_one.position == at_once.position
    assert asked(at_once).count("target") == 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("comm radio 1 by B-1, comm radio 2", "'comm radio 2' is one of several targets and has no group"),
        ("done, comm radio 1 by B-1", "'done' is one of several"),
        ("comm radio 1 by B-1, comm radio 9 by B-2", "comm radio 9"),
    ],
)
def test_5_2_1_a_line_of_groups_is_taken_whole_or_not_at_all(line: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        war().do("facility", f"target={line}")


def test_5_2_1_a_unit_in_two_groups_of_a_line_is_refused() -> None:
    with pytest.raises(Illegal) as fault:
        war().do("facility", "target=comm radio 1 by B-1, comm radio 2 by B-1")
    assert fault.value.rule == "5.2(1)"


MAP_TOLD = {"orientation:low": "1421", "border:north/central": "0114 3514", "border:central/south": "0128 3528"}


def over_the_map(lost: str = "", **at: str) -> Table:
    """The Ground Bombing Phase with the anti-air unit in Baghdad and units in given hexes."""
    table = war({**MAP_TOLD, "at:SRGAA": "1321", **{f"at:{name}": place for name, place in at.items()}}, "1", anti_air_unit="on")
    mark(table, "damaged", 1, *(f"{lost} radar {number}" for number in (1, 2) if lost))
    table.do("facility", "target=done")
    return table


@pytest.mark.parametrize(
    ("place", "halved", "fire", "sector"),
    [
        ("1421", True, True, "central"),
        ("1322", False, True, "central"),
        ("0607", True, False, "north"),
        ("2332", False, False, "south"),
    ],
)
def test_5_7_3_and_5_8_1_and_16_4_2_a_target_whose_hex_is_told_needs_no_question(
    place: str, halved: bool, fire: bool, sector: str
) -> None:
    """[5.7(3), 5.8.1(3), 16.4(2), 2.1.1(4)] City, sector and the anti-air unit's reach follow from the digits."""
    # Clauses: [5.7(3): told] [5.8.1(3): told] [16.4(2): told]
    table = over_the_map("south", **{"11D": place})
    table.do("bomb", "target=11D by B-1, done", accept=True)
    assert not {"where", "aa_unit", "sector"} & {*asked(table)}
    assert said(table, "bombs with 2 in that city") is halved
    assert ("aa" in asked(table)) is fire
    assert ("intercept" in asked(table)) is (sector != "south")


def test_5_7_3_without_its_hex_it_is_asked_as_before() -> None:
    """[5.7(3), 5.8.1(3), 16.4(2)] Positions are no duty."""
    # Clauses: [5.8.1(3): told] [16.4(2): told]
    table = over_the_map("south")
    table.do("bomb", "target=11D by B-1, done", accept=True)
    assert {"where", "aa_unit", "sector"} <= {*asked(table)}
