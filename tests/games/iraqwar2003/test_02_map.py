"""[2.1, 9.0, 10.0, 13.5] What follows from the known map and the known places of units."""

from __future__ import annotations

import pytest

from companion.core.errors import Unreadable
from companion.core.hexes import Orientation
from companion.core.notation import Notation
from companion.core.position import Piece, Position
from companion.games.iraqwar2003.facts import AREA, BORDER, GIVEN, GROUND, LOW, NAMED, START, Land, land_of, pair
from companion.games.iraqwar2003.notation import SECTORS, read_unit, side_of, unit_values
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r08_map import (
    SupplyLine,
    SupplyLines,
    ask_terrain,
    ask_water,
    in_range,
    path_features,
    retreat_hexes,
    zones,
)
from companion.games.iraqwar2003.rules.r15_control import controller_of
from companion.games.iraqwar2003.state import MAP, UNIT, units_on_map
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.games.iraqwar2003.field import FACTS, said, war
from tests.support.table import game_of

LOWER = {"orientation:low": "1421"}
AREAS = {
    "area:kuwait": AREA("3139-3142 3239-3242 3339-3341"),
    "area:kdp": AREA("1006-1007 1106-1107"),
    "area:puk": AREA("1809-1811"),
}


def piece(text: str, place: str, *marks: str) -> Piece:
    unit = read_unit(text)
    return Piece(unit.name, UNIT, unit.name, place, values=unit_values(unit), marks=dict.fromkeys(marks, True))


def supply_line(position: Position, piece: Piece) -> SupplyLine:
    return SupplyLines(position, side_of(piece)).of(piece)


def told(*pieces: Piece, facts: dict[str, str] | None = None) -> Position:
    return Position({}, {item.id: item for item in pieces}, {**LOWER, **(facts or {})})


US1 = "us 1/3ID 6-5-8/3-3-8 div:3ID"
US2 = "us 2/3ID 6-5-8/3-3-8 div:3ID"
D11 = "iraq 11D 3-4-3/1-2-3 big"


# -- [2.1] what is in a hex ------------------------------------------------------------------------------------------------


def test_2_1_hexes_numbered_in_the_rulebook_are_known() -> None:
    land = Land({})
    chart = game_of("iraqwar2003").tables.charts["places"]
    for name in chart.rows:
        number = chart.text(name, "hex")
        assert name in NAMED
        assert land.hex_of(name) == number
        assert land.place(number) == (name if number else "")
    assert {land.place("3241"), land.place("3339")} == {"Kuwait City", "Bubiyan"}
    assert [land.terrain(number) for number in ("1321", "2332", "0607", "3339")] == ["mega_city", "major_city", "city", ""]
    assert land.road("1321", "1421") is True  # the whole of Baghdad has roads [12.4(2)]
    assert land.in_area("3241", "kuwait") is True
    assert land.in_area("1321", "kuwait") is False
    assert land.in_area("2231", "kuwait") is None


def test_2_1_1_a_hex_is_entered_in_words_and_the_rulebook_gives_its_cities() -> None:
    read = GROUND.read
    assert read("maj, Najaf") == read("Najaf") == read("major city Najaf") == "major city, Najaf"
    assert read("port, umm") == "port, Umm Qasr"
    assert read("swa") == "swamp"
    land = Land({"hex:1824": "major city, Najaf", "hex:0607": "mega city"})
    assert (land.hex_of("Najaf"), land.terrain("0607"), land.place("0607")) == ("1824", "mega_city", "Mosul")


@pytest.mark.parametrize(
    ("notation", "text", "words"),
    [
        (GROUND, "swap", "is it swamp"),
        (GROUND, "swamp, plain", "not the terrain of one hex"),
        (GROUND, "Najaf, Hillah", "not the terrain of one hex"),
        (GROUND, "223", "neither a terrain nor a name"),
        (AREA, "3241 314", "not the number of a hex"),
        (AREA, "3140-3342", "neither down a column nor along a row"),
        (BORDER, "0118 0119 3519", "one hex in a column"),
        (START, "223", "four digits"),
        (LOW, "south", "neither hex of Baghdad"),
    ],
)
def test_2_1_impossible_map_facts_are_refused_with_the_cure(notation: Notation, text: str, words: str) -> None:
    with pytest.raises(Unreadable) as caught:
        notation(text)
    assert words in f"{caught.value} {caught.value.cure}"
    assert caught.value.cure


def test_2_1_the_owner_gives_the_orientation() -> None:
    assert Land({"orientation:low": LOW.read("even")}).orientation == Orientation("even", "top")
    assert Land({"orientation:low": "1321"}).orientation == Orientation("odd", "top")
    nobody = Land({"orientation:low": "neither"})
    assert (nobody.orientation, nobody.asked, nobody.neighbours("1321"), nobody.distance("1321", "1421")) == (
        None,
        True,
        (),
        None,
    )
    assert not Land({}).asked
    assert Land(LOWER).neighbours("1321") == ("1320", "1420", "1421", "1322", "1221", "1220")


def test_2_1_1_4_and_5_8_1_3_two_border_lines_give_the_sector_of_a_hex() -> None:
    # Clauses: [2.1.1(4): lines]
    land = Land({"border:north/central": BORDER("0114 3514"), "border:central/south": BORDER("3530 1330 0120")})
    assert [land.sectors(number) for number in ("0607", "1314", "1321", "1330", "2231", "0721")] == [
        ("north",),
        ("north", "central"),
        ("central",),
        ("central", "south"),
        ("south",),
        ("central",),
    ]
    assert Land({"border:north/central": "0114 3514"}).sectors("1321") == ()
    assert Land({"border:north/central": "0114 3514"}).sectors("0607") == (SECTORS[0],)


def test_16_9_kurdish_hexes_are_mountains_only_with_the_option() -> None:
    facts = {**AREAS, "hex:1006": "plain", "hex:1007": "mountain"}
    assert [Land(facts, mountains=True).terrain(number) for number in ("1006", "1007", "1107")] == [
        "mountain",
        "mountain",
        "major_city",
    ]
    assert [Land(facts).terrain(number) for number in ("1006", "1007")] == ["plain", "plain"]


# -- [9.0, 12.0] zones and ways --------------------------------------------------------------------------------------------


def test_9_0_zones_are_the_six_hexes_around_except_over_water_and_of_disrupted_units() -> None:
    """[9.0(1), 9.0(3), 9.0(2), 7.3.1(2)] Several zones are one."""
    # Clauses: [9.0(1): all] [9.0(3): water] [7.3.1(2): zone]
    awake, down = piece(D11, "2332"), piece(D11, "2332", "disrupted")
    assert zones(told(awake), "iraq") == {*land_of(told()).neighbours("2332")}
    assert zones(told(awake, facts={"side:2331-2332": "sea"}), "iraq") == {*land_of(told()).neighbours("2332")} - {"2331"}
    assert zones(told(down), "iraq") == zones(told(piece(D11, MAP)), "iraq") == frozenset()


def test_9_0_4_only_ground_units_have_a_zone() -> None:
    """[9.0(4)] Neither an air unit nor a marker, wherever it lies."""
    # Clauses: [9.0(4): units]
    others = [Piece(kind, kind, kind, "2332", values={"nation": "iraq"}) for kind in ("air", "roads", "marker")]
    assert zones(told(*others), "iraq") == frozenset()


def test_2_1_1_2_terrain_is_asked_once() -> None:
    """[2.1.1(2), 12.2, 13.3(4)] It is asked, remembered and not asked again; so is the water between two hexes."""
    # Clauses: [2.1.1(2): told]
    table = war({"hex:0607": "city, Mosul"})

    async def ask(referee: IraqWarReferee) -> None:
        assert await ask_terrain(referee, "2231") == "swamp"
        assert await ask_terrain(referee, "2231") == "swamp"
        assert await ask_terrain(referee, "0607") == "major_city"
        assert await ask_water(referee, "2331", "2231", "13.3(4)") == "large"
        assert await ask_water(referee, "2231", "2331", "13.3(4)") == "large"

    table.play(ask, ["terrain=swamp", "terrain=major city", "side:2231-2331=large"])
    recorded = {key: table.position.flag(key) for key in ("hex:2231", "hex:0607", "side:2231-2331")}
    assert recorded == {"hex:2231": "swamp", "hex:0607": "major city, Mosul", "side:2231-2331": "large"}


def test_12_2_to_12_4_a_way_of_hexes_has_the_features_of_the_map() -> None:
    facts = {
        "hex:2231": "swamp",
        "side:2130-2231": "minor",
        "road:2130-2231": "no",
        "road:2231-2330": "yes",
        "hex:2330": "Hillah",
    }
    position = told(piece(US1, "2130"), piece(D11, "2332"), facts=facts)
    way = path_features(position, [position.pieces["1/3ID"]], "2130", ["2231", "2330"])
    assert list(map(set, way.hexes)) == [{"swamp", "river", "zoc"}, {"road", "city"}]
    assert (way.start, way.unknown, way.zones) == (frozenset(), (), False)


def test_12_2_unknown_features_of_a_way_are_named() -> None:
    position = told(piece(US1, "2130"), piece(D11, MAP))
    way = path_features(position, [position.pieces["1/3ID"]], "2130", ["2231"])
    assert way.unknown == ("road:2130-2231", "side:2130-2231", "hex:2231")
    assert way.zones
    assert path_features(position, [position.pieces["1/3ID"]], "2130", ["2231", "2331"], fly=True).unknown == ("hex:2331",)


def test_14_2_destroyed_roads_are_no_roads() -> None:
    # Clauses: [14.2: bridge]
    marker = Piece("r", "roads", "roads of 2231", "roads")
    facts = {"hex:2231": "plain", "side:2130-2231": "minor", "road:2130-2231": "yes"}
    position = told(piece(US1, "2130"), marker, facts=facts)
    assert path_features(position, [position.pieces["1/3ID"]], "2130", ["2231"]).hexes == (frozenset({"river"}),)


def test_16_3_3_ranges_are_counted_from_the_adjacent_hex() -> None:
    gun = piece("us DivArty 2-1-8 div:3ID white art:3@2", "2130")
    assert [in_range(told(gun), gun, number) for number in ("2130", "2131", "2132", "2133", "2332")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert in_range(told(gun), piece("us DivArty 2-1-8 div:3ID white art:3@2", MAP), "2130") is None


# -- [13.5] retreats -------------------------------------------------------------------------------------------------------


def test_13_5_2_retreats_are_ranked_by_legality_then_distance_then_stacking() -> None:
    ours, foe = piece(US1, "2231"), piece(D11, "2229")
    friends = [piece(US2.replace("2/3ID", f"{name}/3ID"), "2232") for name in "567"]
    position = told(ours, foe, *friends)
    found = retreat_hexes(position, [ours], "2231")
    assert "2230" not in found.hexes  # in the enemy zone of control [13.5(3)]
    assert found.first == ("2332",)  # nearer to Kuwait City, and below the limit
    assert found.hexes.index("2232") == 1  # as near, but full [13.5(2-3)]
    assert not found.sure
    alone = told(ours, piece(US2, "2230"), foe)
    assert "2230" in retreat_hexes(alone, [ours], "2231").hexes  # a friend in it cancels the zone [13.5(4)]


def test_13_5_3_water_and_enemies_close_a_hex() -> None:
    ours = piece(D11, "2231")
    facts = {"hex:2331": "sea", "side:2231-2232": "sea"}
    position = told(ours, piece(US1, "2130", "disrupted"), facts=facts)
    assert set(retreat_hexes(position, [ours], "2231").hexes) == {*land_of(position).neighbours("2231")} - {
        "2331",
        "2232",
        "2130",
    }


def test_12_5_4_a_flying_unit_retreats_as_others_do() -> None:
    """[12.5(4), 13.5(3)] Neither over water nor into a zone of control, although it moves over both."""
    # Clauses: [12.5(4): retreat]
    facts = {"hex:2331": "sea", "side:2231-2232": "sea"}
    walker, flier = piece(US1, "2231"), piece("us 11Av 4-2-10 fly", "2231")
    hexes = [retreat_hexes(told(unit, piece(D11, "2229"), facts=facts), [unit], "2231").hexes for unit in (walker, flier)]
    assert hexes[0] == hexes[1] and hexes[0] and not {"2230", "2331", "2232"} & {*hexes[1]}


# -- [10.0] supply ---------------------------------------------------------------------------------------------------------


def test_10_0_3_control_of_a_hex_follows_from_the_start_and_from_units_that_entered() -> None:
    position = told(facts={**AREAS, "held:2231": "coalition", "control:Nasiriyah": "coalition"})
    who = [controller_of(position, number) for number in ("3240", "1006", "1810", "2231", "2332", "2230")]
    assert who == ["coalition", "kdp", "iraq", "coalition", "coalition", "iraq"]
    assert controller_of(told(), "2230") == ""


def test_10_0_3_no_line_crosses_an_all_water_hexside() -> None:
    # Clauses: [10.0(3): water]
    ours = piece(US1, "3240")
    around = land_of(told()).neighbours("3240")
    facts = {**AREAS, **{f"side:{pair('3240', there)}": "sea" for there in around}}
    assert supply_line(told(ours, facts=AREAS), ours).open is True
    assert supply_line(told(ours, facts=facts), ours).open is False


def test_10_0_2_a_line_over_hexes_of_the_same_side_is_open() -> None:
    # Clauses: [10.0(3): control]
    held = {f"held:{number}": "coalition" for number in ("2736", "2836", "2937", "3037", "3138")}
    far = piece(US1, "2736")
    facts = {**AREAS, **held}
    found = supply_line(told(far, facts=facts), far)
    assert found.open is True
    assert (found.hexes[0], found.hexes[-1]) == ("2736", "3241")
    cut = supply_line(told(far, piece(D11, "2937"), facts=facts), far)
    assert cut.open is None
    assert "2937" not in cut.hexes
    assert supply_line(told(far, piece(D11, MAP), facts=facts), far).open is None  # it may stand anywhere


def test_10_0_4_a_friend_in_an_enemy_zone_keeps_the_line_open() -> None:
    # Clauses: [10.0(4): own] [9.0(2): supply]
    held = {f"held:{number}": "coalition" for number in ("2736", "2836", "2937", "3037", "3138")}
    far, foe = piece(US1, "2736"), piece(D11, "2938")
    guards = [piece(US2.replace("2/", f"{at}/"), number) for at, number in enumerate(("2937", "3037"), 5)]
    assert supply_line(told(far, foe, facts={**AREAS, **held}), far).open is None
    assert supply_line(told(far, foe, *guards, facts={**AREAS, **held}), far).open is True


def test_10_0_2_an_iraqi_unit_in_iraq_stands_on_its_source() -> None:
    # Clauses: [10.0(2): source]
    home, away = piece(D11, "2332"), piece(D11.replace("11D", "6A"), "3240")
    assert supply_line(told(home, facts=AREAS), home)[:2] == (True, ("2332",))
    assert supply_line(told(away, facts=AREAS), away).open is None  # Kuwait is the Coalition's


def test_2_1_map_facts_are_part_of_the_set_up_and_can_be_added_later(archive: Archive) -> None:
    archive.record_facts("iraqwar2003", {**FACTS, **LOWER, "hex:2231": "swamp", "area:kuwait": "3241"})
    session = SessionController.create(archive, "iraqwar2003", dice="physical", draws="physical", seed="1")
    assert land_of(session.position).terrain("2231") == "swamp"
    session.adjust([("fact:hex:2231", "plain")], "misread")
    assert land_of(session.position).terrain("2231") == "plain"
    with pytest.raises(Unreadable, match="is it swamp"):
        session.adjust([("fact:hex:2231", "swap")], "a slip")


def test_3_0_units_begin_in_the_hexes_of_the_owners_set(archive: Archive) -> None:
    archive.record_facts("iraqwar2003", {**FACTS, "at:11D": "2332", "at:Nobody": "2332"})
    session = SessionController.create(archive, "iraqwar2003", dice="physical", draws="physical", seed="1")
    assert {piece.name: piece.place for piece in units_on_map(session.position) if piece.place != MAP} == {"11D": "2332"}


def test_3_0_and_8_1_starting_hexes_keep_to_the_stacking_limits() -> None:
    """[3.0, 8.1, 8.1(3)] A warning at the set-up: the board may show it so, and adjust puts it right."""
    # Clauses: [3.0: limits]
    assert not said(war({"at:SRG1": "1321", "at:SRG2": "1321", "at:SRG3": "1321"}), "begin in 1321")
    table = war({"at:11D": "2332", "at:51M": "2332", "at:KDP1": "1107", "at:RCT1": "1107"})
    fault = "4 units in a hex (11D 2, 51M 2), and 3 is the limit"
    assert said(table, f"11D, 51M begin in 2332: {fault}. Type where one of them begins: adjust 51M HEX. [8.1]")
    assert said(table, "do not stack. Type where")


def test_2_1_every_given_hex_is_in_its_notation() -> None:
    assert {number: GROUND.read(value) for number, value in GIVEN.items()} == dict(GIVEN)
