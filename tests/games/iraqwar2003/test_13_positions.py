"""[13.0] Combat between units in known hexes: targets, rivers, terrain; retreat, advance, artillery."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Illegal
from companion.core.events import PieceMoved
from companion.games.iraqwar2003.referee import units_on_map_of
from tests.games.iraqwar2003.field import asked, mark, place, said, unit
from tests.games.iraqwar2003.ground import placed
from tests.support.table import Table

NO_AIR = ("support=none", "counter=none")
BESIDE = {"1/3ID": "2231", "11D": "2331"}
"""1/3ID north-west of the hex in which 11D stands; no river between."""


def fight(table: Table, units: str, target: str, *answers: str, dice: list[int] | None = None, **more: Any) -> Table:
    """Attack with units that do not move."""
    accept = more.pop("accept", True)
    table.do("move", f"units={units}", "way=stay", f"attack={target}", *answers, *NO_AIR, dice=dice or [5], accept=accept, **more)
    return table


def questions(table: Table) -> list[str]:
    """The questions of the last action except those for air support."""
    return [key for key in asked(table) if key not in ("support", "counter")]


@pytest.mark.parametrize("named", ["2331", "11D", "11D, SF1", "2331 with 1/3ID"])
def test_13_2_1_a_hex_or_any_unit_in_it_names_all_of_them(named: str) -> None:
    """[13.2(1), 13.3(5)] Terrain and hexsides are known."""
    # Clauses: [13.2(1): all]
    table = fight(placed(stand={**BESIDE, "SF1": "2331"}), "1/3ID", named)
    assert questions(table) == ["units", "way", "attack", "combat"]
    assert said(table, "= 6 is 1-1")


def test_13_0_adjacent_enemies_are_offered() -> None:
    """Clauses: [13.0: adjacent]"""
    table = fight(placed(stand={**BESIDE, "SF1": "2230", "PA1": "2333"}), "1/3ID", "2230")
    offered = [choice.value for choice in next(request for request in table.asked if request.key == "attack").legal_choices()]
    assert offered == ["none", "2230", "2331"]
    with pytest.raises(Illegal, match=r"2333 is not adjacent to 2231 \[13\.0\]"):
        fight(placed(stand={**BESIDE, "PA1": "2333"}), "1/3ID", "PA1")
    table = placed(stand={**BESIDE, "11D": "2333"})
    table.do("move", "units=1/3ID", "way=stay", "attack=none")
    assert asked(table) == ["units", "way"]
    with pytest.raises(Illegal, match=r"Companion knows of no enemy unit beside 2231 \[13\.0\]"):
        fight(placed(stand={**BESIDE, "11D": "2333"}), "1/3ID", "11D")


def test_13_0_units_without_a_hex_are_attacked_as_the_player_sees() -> None:
    table = fight(placed(stand={"1/3ID": "2231", "11D": "?"}), "1/3ID", "11D", "river=none", "terrain=plain")
    assert questions(table) == ["units", "way", "attack", "river", "terrain", "combat"]
    table = fight(placed(stand={"1/3ID": "?", "11D": "2331"}), "1/3ID", "2331", "river=none")
    assert questions(table) == ["units", "way", "attack", "river", "combat"]


def test_13_2_3_two_hexes_are_not_attacked_at_once() -> None:
    with pytest.raises(Illegal, match=r"13\.2\(3\)"):
        fight(placed(stand={**BESIDE, "SF1": "2230"}), "1/3ID", "11D, SF1")


def test_13_2_3_all_attack_the_only_hex_unless_some_are_left_out() -> None:
    """[13.2(3)] With two hexes beside them it is asked who attacks which."""
    stand = {**BESIDE, "2/3ID": "2231"}
    table = fight(placed(stand=stand), "1/3ID, 2/3ID", "2331", dice=[4])
    assert said(table, "Attack 6 + 6 = 12 against 4 is 3-1") and "with" not in asked(table)
    table = fight(placed(stand=stand), "1/3ID, 2/3ID", "2331 with 2/3ID", "attack=none")
    assert said(table, "Attack 6 against 4 is 1-1")
    table = fight(placed(stand={**stand, "SF1": "2230"}), "1/3ID, 2/3ID", "2331", "with=1/3ID", "attack=none")
    assert "with" in asked(table) and said(table, "Attack 6 against 4 is 1-1")


def test_13_3_4_a_river_between_the_hexes_halves() -> None:
    """[13.3(4)] Minor and large alike; not who is printed white."""
    stand = {"1/3ID": "2332", "DivArty": "2332", "11D": "2432"}
    table = fight(placed(stand=stand), "1/3ID, DivArty", "11D")
    assert said(table, "Attack 3 (of 6) + 2 = 5 against 4") and "river" not in asked(table)
    table = fight(placed(stand={"1/3ID": "2331", "11D": "2431"}), "1/3ID", "11D")
    assert said(table, "Attack 3 (of 6) = 3 against 4")


def test_13_3_3_no_attack_across_an_all_water_hexside() -> None:
    """[13.3(3)] Nor are units behind it offered."""
    # Clauses: [13.3(3): water]
    stand = {"1/3ID": "2333", "11D": "2334"}
    table = placed(stand=stand)
    table.do("move", "units=1/3ID", "way=stay", "attack=none")
    assert asked(table) == ["units", "way"]
    with pytest.raises(Illegal, match=r"13\.3\(3\)"):
        fight(placed(stand={**stand, "SF1": "2332"}), "1/3ID", "11D")


def test_13_3_5_the_terrain_is_that_of_the_hex() -> None:
    table = fight(placed(stand={"1/3ID": "2331", "11D": "2332"}), "1/3ID", "2332", dice=[3])
    assert said(table, "Major city takes 1 column off the attack.") and "terrain" not in asked(table)


def test_13_3_5_unknown_terrain_is_asked_once_and_remembered() -> None:
    facts = {"hex:2331": "port"}
    table = fight(placed(stand=BESIDE, facts=facts), "1/3ID", "2331", "terrain=swamp")
    assert "terrain" in asked(table) and str(table.position.flag("hex:2331")).startswith("swamp")


# -- [13.5] ----------------------------------------------------------------------------------------------------------------


def closed(*numbers: str) -> dict[str, str]:
    """Kurds that close hexes to Iraqis."""
    return dict(zip(("KDP1", "PUK1"), numbers, strict=False))


def test_13_5_2_the_hex_that_comes_first_is_taken() -> None:
    """[13.5(2), 13.5(3)] 11D in 2331: 1/3ID in 2231 closes 2230 and 2332, a Kurd in 2431 closes 2430 and 2432's side."""
    # Clauses: [13.5(2): order] [13.5(3): zones] [9.0(2): retreat]
    stand = {**BESIDE, **closed("2431")}
    table = fight(placed(stand=stand), "1/3ID", "11D", "advance=none", dice=[6])
    assert place(table, "11D") == "2330" and "retreat" not in asked(table)
    assert retreat_rules(table, "11D") == ["13.5(2)"]


def retreat_rules(table: Table, name: str) -> list[str]:
    """The rules that the moves of a unit cite as retreats."""
    moves = [event for event in table.events if isinstance(event, PieceMoved)]
    return [event.rule for event in moves if event.id == unit(table, name).id and event.why == "retreats"]


def test_13_5_2_of_hexes_alike_the_owner_chooses() -> None:
    """Clauses: [13.5(2): order]"""
    table = fight(placed(stand=BESIDE), "1/3ID", "11D", "retreat=2431", "advance=none", dice=[6])
    assert place(table, "11D") == "2431"
    offered = [choice.value for choice in next(request for request in table.asked if request.key == "retreat").legal_choices()]
    assert set(offered) == {"2330", "2430", "2431"}


def test_13_5_7_no_unit_leaves_the_board_that_has_another_way() -> None:
    """[13.5(7)] "off" is refused by its rule while a hex of the map is open."""
    with pytest.raises(Illegal) as fault:
        fight(placed(stand=BESIDE), "1/3ID", "11D", "retreat=off", "advance=none", dice=[6])
    assert fault.value.rule == "13.5(7)"


def test_13_5_2_our_opponent_chooses_for_itself() -> None:
    table = fight(placed(stand=BESIDE, iraq="bot"), "1/3ID", "11D", "advance=none", dice=[6])
    assert place(table, "11D") in ("2330", "2430", "2431") and "retreat" not in asked(table)


def test_13_5_2_2_nearer_to_the_supply_source_comes_first() -> None:
    """1/3ID attacks and is thrown back: south of 2230 lie the hexes on the way to Kuwait City."""
    table = fight(placed(stand={"1/3ID": "2230", "11D": "2229", "SF1": "2130"}), "1/3ID", "2229", dice=[2])
    assert place(table, "1/3ID") in ("2231", "2331")


def test_13_5_3_and_13_5_6_without_a_hex_to_go_to_a_strength_step_is_lost() -> None:
    stand = {**BESIDE, "KDP1": "2330", "PUK1": "2432", "7Arm": "2332"}
    table = fight(placed(stand=stand), "1/3ID", "11D", dice=[6])
    assert place(table, "11D") == "2331" and unit(table, "11D").face == "reduced"
    assert "retreat" not in asked(table)


def test_13_5_4_a_friend_opens_an_enemy_zone() -> None:
    # Clauses: [13.5(4): friend]
    stand = {**BESIDE, "KDP1": "2330", "PUK1": "2432", "7Arm": "2332", "SF1": "2431"}
    table = fight(placed(stand=stand), "1/3ID", "11D", "advance=none", dice=[6])
    assert place(table, "11D") == "2431"


def test_13_5_5_a_full_hex_is_left_for_the_next() -> None:
    """[13.5(5)] Two brigades and a division of Iraq fill a hex."""
    # Clauses: [13.5(5): further]
    stand = {**BESIDE, "KDP1": "2330", "7Arm": "2332", "SF1": "2431", "51M": "2431"}
    table = fight(placed(stand=stand), "1/3ID", "11D", "further=2532", "advance=none", dice=[6])
    assert place(table, "11D") == "2532"
    assert retreat_rules(table, "11D") == ["13.5(5)"]


def test_13_5_the_player_chooses_the_retreat_on_an_unknown_map() -> None:
    table = fight(placed(stand={**BESIDE, "KDP1": "?"}), "1/3ID", "11D", "retreat=none", dice=[6])
    assert place(table, "11D") == "2331" and unit(table, "11D").face == "reduced"
    table = fight(placed(stand={**BESIDE, "KDP1": "?"}), "1/3ID", "11D", "retreat=all", "advance=none", dice=[6])
    assert place(table, "11D") == "map"


# -- [13.6] ----------------------------------------------------------------------------------------------------------------


def test_13_6_advancing_units_enter_the_hex_and_take_it() -> None:
    """[13.6, 15.2] The city of the hex is known by its digits."""
    stand = {"1/3ID": "2331", "2/3ID": "2331", "PA1": "2332"}
    table = fight(placed(stand=stand), "1/3ID, 2/3ID", "2332", "advance=1/3ID", dice=[6])
    assert (place(table, "1/3ID"), place(table, "2/3ID")) == ("2332", "2331")
    assert table.position.flag("control:Nasiriyah") == "coalition" and "taken" not in asked(table)


# -- [16.3] ----------------------------------------------------------------------------------------------------------------


def test_16_3_3_the_range_is_counted_from_the_gun_to_the_hex_attacked() -> None:
    """[16.3(3), 16.3(4)] Range 2."""
    # Clauses: [16.3(3): range] [16.3(4): to]
    near = fight(placed(stand={**BESIDE, "DivArty": "2131"}, artillery="on"), "1/3ID", "11D")
    assert "artillery" in asked(near) and said(near, "Artillery adds 3")
    far = fight(placed(stand={**BESIDE, "DivArty": "2031"}, artillery="on"), "1/3ID", "11D")
    assert "artillery" not in asked(far) and not said(far, "Artillery adds")


def test_13_1_odds_go_by_the_positions_too() -> None:
    """Without a hex to go to the retreat costs a strength step."""
    stand = {**BESIDE, "KDP1": "2330", "PUK1": "2432", "7Arm": "2332"}
    table = placed(stand=stand)
    table.do("move", "units=1/3ID", "way=stay", "attack=2331", *NO_AIR, dice=[6], accept=True)
    request = next(request for request in table.asked if request.key == "combat")
    means = dict(request.odds().means)
    assert means["strength steps lost by the defender (as it stands)"] == pytest.approx(2 / 6)  # D1 on a 4, DR on a 6


def test_7_3_1_disrupted_units_do_not_close_hexes() -> None:
    table = placed(stand={**BESIDE, **closed("2431"), "SRG1": "1321"})
    mark(table, "disrupted", True, "KDP1")
    fight(table, "1/3ID", "11D", "retreat=2430", "advance=none", dice=[6])
    assert place(table, "11D") == "2430"
    assert all(piece.place for piece in units_on_map_of(table.position))
