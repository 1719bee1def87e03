"""[12.0] Paths of hexes: the known map and units give their features; unknown ones are asked once."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.games.iraqwar2003.notation import read_path
from companion.games.iraqwar2003.rules.r08_map import closed_zones
from companion.games.iraqwar2003.rules.r12_movement import MovementField
from tests.games.iraqwar2003.field import asked, mark, operations, place, put, said, unit
from tests.games.iraqwar2003.ground import FAR, GROUND, placed
from tests.support.table import Table


def go(table: Table, who: str, way: str, *answers: str, **more: object) -> Table:
    table.do("move", f"units={who}", f"way={way}", *answers, "attack=none", **more)  # type: ignore[arg-type]
    return table


@pytest.mark.parametrize(
    ("text", "normal", "end"),
    [
        ("2332 2331 2231", "2332, 2331, 2231", "2231"),
        ("2332 road, 2331 road river,2231", "2332 road, 2331 road river, 2231", "2231"),
        ("from 2231 zoc, road, 2332", "from 2231 zoc, road, 2332", "2332"),
        ("from 2231", "from 2231, stay", ""),
        ("zoc 2331, road", "2331 zoc, road", ""),
    ],
)
def test_12_1_a_way_is_written_in_hexes_words_or_both(text: str, normal: str, end: str) -> None:
    way = read_path(text)
    assert (str(way), way.end) == (normal, end)
    assert read_path(str(way)) == way


@pytest.mark.parametrize("text", ["233", "23322", "2332 23x", "2332 nonsense"])
def test_12_1_digits_that_are_no_hex_are_refused_with_the_cure(text: str) -> None:
    with pytest.raises(Unreadable) as fault:
        read_path(text)
    assert fault.value.cure


def test_12_2_the_map_says_what_a_way_costs() -> None:
    """[12.4] Roads all the way: half a point each."""
    table = go(placed(stand={"1/3ID": "2130"}), "1/3ID", "2230 2331 2332")
    assert asked(table) == ["units", "way"]
    assert said(table, "1/3ID: 1 1/2 of 8 MP") and place(table, "1/3ID") == "2332"
    table = go(placed(stand={"1/3ID": "2231"}), "1/3ID", "2232 2233")
    assert said(table, "1/3ID: 3 of 8 MP") and said(table, "hex 1 (2232 river): 1 + 1 minor river")


def test_12_3_zones_of_control_follow_from_the_places_of_units() -> None:
    """[12.3(1), 12.3(2), 12.3(3)] Entering, leaving, from one to another; not of a disrupted unit [7.3.1(2)]."""
    # Clauses: [12.3(1): seen] [9.0(2): movement]
    stand = {"1/3ID": "2229", "11D": "2331"}
    assert said(go(placed(stand=stand), "1/3ID", "2230"), "1/3ID: 3 of 8 MP")
    assert said(go(placed(stand={**stand, "1/3ID": "2230"}), "1/3ID", "2231"), "1/3ID: 5 of 8 MP")
    assert said(go(placed(stand={**stand, "1/3ID": "2230"}), "1/3ID", "2229"), "1/3ID: 3 of 8 MP")
    table = placed(stand=stand)
    mark(table, "disrupted", True, "11D")
    assert said(go(table, "1/3ID", "2230"), "1/3ID: 1 of 8 MP")
    with pytest.raises(Illegal, match=r"12\.3\(4\)"):
        go(placed(stand=stand), "1/3ID", "2230 2231 2232")


def test_9_0_3_no_zone_reaches_across_nothing_but_water() -> None:
    """[9.0(3)] 2334 lies beside 2333, with nothing but water between."""
    assert said(go(placed(stand={"1/3ID": "2332", "11D": "2334"}), "1/3ID", "2333"), "1/3ID: 1/2 of 8 MP")


def test_12_1_a_hex_that_is_not_adjacent_is_questioned_and_recorded_if_the_player_insists() -> None:
    table = placed(stand={"1/3ID": "2130"})
    with pytest.raises(Illegal, match=r"2332 is not adjacent to 2130 \[12\.1\(3\)\]. Around 2130 are 2129 2229 2230"):
        go(table, "1/3ID", "2332 2333")
    assert place(table, "1/3ID") == "2130"
    go(table, "1/3ID", "2332 2333", anyway=True, accept=True)
    assert place(table, "1/3ID") == "2333"


def test_12_1_2_the_last_hex_alone_takes_the_cheapest_way() -> None:
    """[12.1(2), 12.4] By road to 2332, said hex by hex; a hex beyond reach is refused as before."""
    table = go(placed(stand={"1/3ID": "2130"}), "1/3ID", "2332")
    assert said(table, "The cheapest way to 2332: 2230 2331 2332. [12.1(2)]") and said(table, "1/3ID: 1 1/2 of 8 MP")
    assert place(table, "1/3ID") == "2332"
    with pytest.raises(Illegal, match=r"2635 is not adjacent to 2130.*within reach"):
        go(placed(stand={"173": "2130"}), "173", "2635")


def test_12_1_6_a_move_that_ends_early_says_what_is_lost() -> None:
    """[12.1(6)] A unit moves once a turn: with half of its points left it is said, at the end of its movement it is not."""
    lost = "moves once a turn: what is left of the points is lost. To go on, take this back and name the whole way. [12.1(6)]"
    assert said(go(placed(stand={"1/3ID": "2130"}), "1/3ID", "2230"), f"1/3ID {lost}")
    assert not said(go(placed(stand={"1/3ID": "2130"}), "1/3ID", "2129 2229 2329 2429 2529"), lost)
    assert not said(go(placed(stand={"1/3ID": "2130"}), "1/3ID", "stay"), lost)


def test_12_2_the_question_for_a_path_lists_the_hexes_beside_the_units() -> None:
    """[12.1(2), 12.2] Each with its cost where the map is known; without a map the words of features."""
    table = go(placed(stand={"1/3ID": "2130"}), "1/3ID", "2230")
    prompt = next(request.prompt for request in table.asked if request.key == "way")
    assert "beside 2130, with their MP: 2129 1" in prompt and "2230 1/2" in prompt and "they move once" in prompt
    table = go(operations(), "1/3ID", "road", "stacked=none")
    assert "all of them: they move once" in next(request.prompt for request in table.asked if request.key == "way")


def test_12_1_4_a_hex_with_an_enemy_is_not_entered() -> None:
    with pytest.raises(Illegal, match=r"12\.1\(4\)"):
        go(placed(stand={"1/3ID": "2230", "11D": "2331"}), "1/3ID", "2331")


def test_12_2_5_only_flying_units_cross_what_is_all_water() -> None:
    with pytest.raises(Illegal, match=r"12\.2\(5\)"):
        go(placed(stand={"1/3ID": "2333"}), "1/3ID", "2334")
    assert said(go(placed(stand={"11Av": "2333"}), "11Av", "2334 2432"[:4]), "11Av: 1 of 10 MP")


def test_12_2_destroyed_roads_do_not_count() -> None:
    """[14.2] With the bridges into the hex."""
    table = placed(stand={"1/3ID": "2331", "2/3ID": "2332"})
    table.do("road", "unit=2/3ID", "hex=2332")
    assert said(go(table, "1/3ID", "2332"), "1/3ID: 1 of 8 MP")


def test_12_2_unknown_features_are_asked_once_and_remembered() -> None:
    """One question covers each hex with an unknown feature that matters."""
    gone = ("hex:2231", "side:2231-2232", "road:2231-2232", "hex:2232", "side:2232-2233", "road:2232-2233", "hex:2233")
    facts = {key: value for key, value in GROUND.items() if key not in gone}
    table = operations(facts={**facts, **{f"at:{name}": number for name, number in {**FAR, "1/3ID": "2231"}.items()}})
    go(table, "1/3ID", "2232 2233", "ground=river, swamp")
    assert asked(table) == ["units", "way", "ground"]
    recorded = {key: table.position.flag(key) for key in gone[1:]}
    assert recorded == {"side:2231-2232": "minor", "road:2231-2232": "no", "hex:2232": "plain",
                    "side:2232-2233": "none", "road:2232-2233": "no", "hex:2233": "swamp"}  # fmt: skip
    table.do("end")
    table.do("supply", "source=die", dice=[6], accept=True)
    table.do("end", "kuwait=no")
    table.do("supply", "line=yes", accept=True)
    go(table, "1/3ID", "2232")
    assert asked(table) == ["units", "way"] and said(table, "1/3ID: 1 of 8 MP")


def test_12_2_words_behind_digits_are_remembered() -> None:
    """Earlier facts hold where the words do not mention them."""
    facts = {key: value for key, value in GROUND.items() if key not in ("road:2231-2331", "side:2231-2331")}
    table = operations(facts={**facts, **{f"at:{name}": number for name, number in {**FAR, "1/3ID": "2231"}.items()}})
    go(table, "1/3ID", "2331 road, 2332 zoc")
    assert asked(table) == ["units", "way"] and table.position.flag("road:2231-2331") == "yes"
    assert table.position.flag("road:2331-2332") == "yes"


def test_12_1_the_end_of_a_way_in_words_is_unknown() -> None:
    table = go(placed(stand={"1/3ID": "2130"}), "1/3ID", "road, road", "stacked=none")
    assert place(table, "1/3ID") == "map" and said(table, "Companion does not know where")
    table = go(placed(stand={"1/3ID": "?"}), "1/3ID", "from 2130, 2230")
    assert place(table, "1/3ID") == "2230" and said(table, "1/3ID: 1/2 of 8 MP")


def test_12_1_1_a_stack_stands_in_one_hex() -> None:
    with pytest.raises(Illegal, match=r"12\.1\(1\)"):
        go(placed(stand={"1/3ID": "2130", "2/3ID": "2230"}), "1/3ID, 2/3ID", "2230")
    table = go(placed(stand={"1/3ID": "2130", "2/3ID": "?"}), "1/3ID, 2/3ID", "2230", "stacked=none")
    assert (place(table, "1/3ID"), place(table, "2/3ID")) == ("2230", "2230")


def test_8_2_1_units_where_a_movement_ends_are_known() -> None:
    """[8.1, 8.1(1)] Three units of one division in a hex."""
    stand = {"1/3ID": "2130", "2/3ID": "2230", "3/3ID": "2230"}
    assert asked(go(placed(stand=stand), "1/3ID", "2230")) == ["units", "way"]
    with pytest.raises(Illegal, match=r"8\.1"):
        go(placed(stand={**stand, "DivArty": "2230"}), "1/3ID", "2230")
    with pytest.raises(Illegal, match=r"8\.1\(1\)"):
        go(placed(stand={**stand, "2/3ID": "3242", "3/3ID": "3242", "RCT1": "2230"}), "1/3ID", "2230")


def test_8_2_1_units_named_are_in_the_same_hex() -> None:
    table = placed(stand={"1/3ID": "2130", "2/3ID": "?"})
    go(table, "1/3ID", "2230", "stacked=2/3ID")
    assert place(table, "2/3ID") == "2230"
    table = placed(stand={"1/3ID": "?", "2/3ID": "2230"})
    go(table, "1/3ID", "road", "stacked=2/3ID")
    assert place(table, "1/3ID") == "2230"


def test_16_10_4_the_turkish_unit_keeps_others_out() -> None:
    """Clauses: [16.10(4): way]"""
    table = placed(stand={"1/3ID": "2229"}, facts={"unit:TRK": "turkey TRK 4-4-4/2-2-4", "at:TRK": "2331"}, turkey="on")
    with pytest.raises(Illegal, match=r"16\.10\(4\)"):
        go(table, "1/3ID", "2230")


def test_16_10_3_the_turkish_unit_keeps_out_of_other_zones() -> None:
    """[16.10(3)] But for those of Kurds."""
    # Clauses: [16.10(3): way]
    facts = {"unit:TRK": "turkey TRK 4-4-4/2-2-4", "at:TRK": "2229"}
    with pytest.raises(Illegal, match=r"16\.10\(3\)"):
        go(placed("iraq", stand={"1/3ID": "2331"}, facts=facts, turkey="on"), "TRK", "2230")
    table = go(placed("iraq", stand={"KDP1": "2331"}, facts=facts, turkey="on"), "TRK", "2230")
    assert place(table, "TRK") == "2230"


def test_16_10_4_flying_units_come_over_the_zone_of_the_turkish_unit() -> None:
    """[16.10(4), 12.5(1)] By hexes as by words; in a storm they move as others do (ruling C-57)."""
    # Clauses: [16.10(4): flying]
    facts = {"unit:TRK": "turkey TRK 4-4-4/2-2-4", "at:TRK": "2331"}
    table = go(placed(stand={"11Av": "2229"}, facts=facts, turkey="on"), "11Av", "2230")
    assert place(table, "11Av") == "2230"
    stormy = placed(stand={"11Av": "2229"}, facts=facts, turkey="on")
    put(stormy, flag_storm=True)
    with pytest.raises(Illegal, match=r"16\.10\(4\)"):
        go(stormy, "11Av", "2230")


def test_16_10_4_the_way_to_a_hex_goes_round_the_zone_of_the_turkish_unit() -> None:
    """[16.10(4)] The cheapest way to a hex that is named alone crosses no hex that is closed."""
    # Clauses: [16.10(4): round]
    table = placed(stand={"1/3ID": "2229"}, facts={"unit:TRK": "turkey TRK 4-4-4/2-2-4", "at:TRK": "2331"}, turkey="on")
    units, chart = [unit(table, "1/3ID")], table.game.tables.charts["movement"]
    closed = closed_zones(table.position, units).keys()
    reach = MovementField(table.position, "coalition", chart).reach(units)
    assert closed and len(reach.spent) > 1
    assert not any(closed & {number, *reach.path(number)} for number in reach.spent)


def test_15_2_every_place_that_is_entered_is_taken() -> None:
    """[15.2, 10.0(3)] Two in one move; the hexes between are controlled too."""
    facts = {"hex:2230": "major city, Najaf"}
    table = go(placed(stand={"1/3ID": "2130"}, facts=facts), "1/3ID", "2230 2331 2332")
    assert [table.position.flag(f"control:{name}") for name in ("Najaf", "Nasiriyah")] == ["coalition", "coalition"]
    assert table.position.flag("held:2331") == "coalition"
    assert asked(table) == ["units", "way"]
    table = go(placed(stand={"KDP1": "2331"}), "KDP1", "2332")
    assert table.position.flag("control:Nasiriyah") == "kdp"


def test_15_2_the_unknown_name_of_a_city_is_asked_and_remembered() -> None:
    table = placed(stand={"1/3ID": "2130"}, facts={"hex:2230": "city"})
    go(table, "1/3ID", "2230", "taken=Najaf")
    assert table.position.flag("hex:2230") == "major city, Najaf"
    offered = [choice.value for choice in table.asked[2].legal_choices()]
    assert "Nasiriyah" not in offered and "Umm Qasr" not in offered  # their hexes are known


def test_16_10_8_the_turkish_unit_takes_nothing() -> None:
    table = placed("iraq", stand={}, facts={"unit:TRK": "turkey TRK 4-4-4/2-2-4", "at:TRK": "2331"}, turkey="on")
    go(table, "TRK", "2332")
    assert table.position.flag("held:2332") is None and table.position.flag("control:Nasiriyah") is None
