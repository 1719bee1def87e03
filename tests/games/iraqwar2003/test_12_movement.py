"""[12.0] Movement: the cost of a way, hex by hex, and what is forbidden on it."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.games.iraqwar2003.notation import read_path
from companion.games.iraqwar2003.rules.r12_movement import Mover, PathCost, movement_value, points
from tests.games.iraqwar2003.field import cost_of, mark, operations, put, said


def way(text: str, move: int = 8, fly: bool = False) -> PathCost:
    return cost_of(text, Mover("It", move, fly))


def rules(found: PathCost) -> list[str]:
    return [rule for _, rule in found.faults]


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("plain", 2),
        ("plain, plain, plain", 6),
        ("road, road, road", 3),
        ("road, plain", 4),
        ("plain, road, road", 6),
        ("road, road zoc", 8),
        ("from zoc, road, road", 8),
        ("from plain, road, road", 4),
        ("from swamp, road", 2),
        ("from road, road, road", 2),
        ("from city, road, road", 2),
        ("river", 4),
        ("river road", 1),
        ("swamp", 2),
        ("large", 2),
        ("zoc", 6),
        ("from zoc, plain", 6),
        ("from zoc, zoc", 10),
        ("zoc, zoc", 16),
        ("zoc, plain", 12),
        ("river zoc", 8),
        ("road, zoc, river", 2 + 6 + 8),
        ("stay", 0),
    ],
)
def test_12_costs(text: str, halves: int) -> None:
    """[12.1(3), 12.2(2), 12.3(1), 12.3(2), 12.3(3), 12.4, 12.4(1), 12.4(2)] In halves of a point, worked out by hand.

    Road movement only if it is roads from the first hex, the start included, and never in a zone: `road, plain` costs 2 whole
    points. A city is on every road [12.4(2)].
    """
    # Clauses: [12.1(3): terrain] [12.2(2): river, road] [12.3(1): enter] [12.3(3): both] [12.4(1): roads, start]
    #   and [12.4(2): start, way]
    assert way(text, 20).halves == halves


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("swamp, plain", "12.2(1)"),
        ("mountain, plain", "16.9"),
        ("plain, large", "12.2(3)"),
        ("large, plain", "12.2(3)"),
        ("from zoc, large zoc", "12.2(3)"),
        ("sea", "12.2(5)"),
        ("enemy", "12.1(4)"),
        ("edge", "12.1(5)"),
        ("plain, plain, plain, plain, plain, plain, plain, plain, plain", "12.1(2)"),
        ("zoc, zoc", "12.3(4)"),
    ],
)
def test_12_what_is_forbidden(text: str, rule: str) -> None:
    """[12.1(2), 12.1(4), 12.1(5), 12.2(1), 12.2(3), 12.2(5), 12.3(4), 16.9] Each with its rule."""
    # Clauses: [12.1(2): points] [12.1(4): enemy] [12.1(5): edge] [12.2(1): swamp] [12.2(3): first, ends] [12.2(5): full]
    #   and [16.9: swamp]
    assert rule in rules(way(text, 7))


@pytest.mark.parametrize(
    "text", ["swamp road, road", "plain, large road, plain", "from zoc, large road zoc", "road river, road river"]
)
def test_12_2_4_roads_do_away_with_terrain(text: str) -> None:
    """[12.2(4)] By road no terrain counts: no stop in a swamp, any river."""
    # Clauses: [12.2(1): road] [12.2(3): road] [12.2(4): road]
    assert rules(way(text, 20)) == []


def test_12_5_flying_units() -> None:
    """[12.5, 12.5(1), 12.5(2), 12.5(3), 12.5(5)] One point a hex, whatever there is; no end over water; no road rate."""
    # Clauses: [12.2(1): flying] [12.2(2): flying] [12.2(5): flying] [12.3(1): flying] [12.5(1): zones] [12.5(2): one, enemy]
    #   and [12.5(3): over, end] [12.5(5): road]
    assert way("zoc, swamp, sea, river zoc", 10, True)[:3] == way("plain, plain, plain, plain", 10, True)[:3]
    assert way("road, road", 10, True).halves == 4
    assert rules(way("plain, sea", 10, True)) == ["12.5(3)"]
    assert rules(way("sea, plain", 10, True)) == []
    assert rules(way("enemy", 10, True)) == ["12.1(4)"]


@pytest.mark.parametrize(
    ("printed", "fly", "oos", "storm", "value"),
    [(8, False, False, False, (8, False)), (7, False, True, False, (3, False)), (9, True, False, True, (4, False)),
     (9, True, True, False, (4, True)), (8, False, False, True, (8, False))],
)  # fmt: skip
def test_movement_values(printed: int, fly: bool, oos: bool, storm: bool, value: tuple[int, bool]) -> None:
    """[10.0(6), 16.6(4)] Halved out of supply; flying units halved and grounded to normal movement in a storm."""
    # Clauses: [10.0(6): movement] [16.6(4): halved]
    assert movement_value(printed, fly, oos, storm) == value


def test_12_1_a_stack_moves_as_one() -> None:
    """[12.1, 12.1(1)] Each unit of it must be able to go the whole way."""
    # Clauses: [12.1(1): stack] [12.1(2): points]
    table = operations()
    with pytest.raises(Illegal) as fault:
        table.do("move", "units=1/3ID, 173", "way=plain, plain, plain, plain, plain")
    assert fault.value.rule == "12.1(2)"
    table.do("move", "units=1/3ID, 173", "way=plain, plain, plain, plain", "stacked=none", "attack=none")
    assert said(table, "1/3ID: 4 of 8 MP, 4 left.")
    assert said(table, "173: 4 of 4 MP, 0 left; too few")


def test_12_1_6_once_a_turn() -> None:
    """[12.1(6)] A unit with a moved marker is refused, and recorded if the player insists."""
    # Clauses: [12.1(6): once]
    table = operations()
    table.do("move", "units=1/3ID", "way=stay", "attack=none")
    with pytest.raises((Illegal, Unreadable)):
        table.do("move", "units=1/3ID")


def test_a_city_on_the_way_is_asked_for() -> None:
    """[15.2] Control is asked for only when it may have changed: a city was entered."""
    table = operations()
    table.do("move", "units=KDP1", "way=road, city road", "stacked=none", "taken=Kirkuk", "holder=kdp", "attack=none")
    assert table.position.flag("control:Kirkuk") == "kdp"
    table.do("move", "units=PUK1", "way=plain, plain", "stacked=none", "attack=none")


def test_the_look_up_costs_nothing() -> None:
    """[12.2, 12.3(3)] `cost` tells the price of a way and what is forbidden, without any unit."""
    table = operations()
    table.do("cost", "move=6", "way=from zoc, road zoc", accept=True)
    assert said(table, "The way costs 5 MP; 1 of 6 are left. [12.1(2)]")
    table.do("cost", "move=5", "way=from zoc, large zoc", accept=True)
    assert said(table, "Forbidden: a large river is not crossed from one enemy zone of control into another. [12.2(3)]")


@pytest.mark.parametrize("text", ["lava", "zoc zac", ", ".join(["plain"] * 41)])
def test_what_is_no_way(text: str) -> None:
    """[12.2] A word that means nothing, or more hexes than there are."""
    with pytest.raises(Unreadable):
        read_path(text)


def test_points_are_read_aloud() -> None:
    assert [points(halves) for halves in (0, 1, 2, 3, -3)] == ["0", "1/2", "1", "1 1/2", "-1 1/2"]


def test_ways_are_read_back_as_they_are_written() -> None:
    for text in ("from zoc, road, zoc river", "stay", "plain, swamp"):
        assert str(read_path(str(read_path(text)))) == str(read_path(text))


def test_storms_slow_flying_units() -> None:
    """[16.6(4)] 11Av flies 10; in a storm it has 5 points and pays for zones."""
    # Clauses: [16.6(4): halved]
    table = operations(sand_storms="off")
    put(table, flag_storm=True)
    table.do("move", "units=11Av", "way=zoc", "stacked=none", "attack=none", dice=[6], accept=True)
    assert said(table, "11Av moves 5, 10 halved. [16.6(4)]")
    assert said(table, "11Av: 3 of 5 MP, 2 left")
    mark(table, "moved", None, "11Av")


@pytest.mark.parametrize(("mountains", "faulty"), [("off", False), ("on", True)])
def test_16_9_a_mountain_is_plain_ground_without_the_option(mountains: str, faulty: bool) -> None:
    """[16.9] It ends a movement only where the rule is in force."""
    # Clauses: [16.9: option]
    table = operations(mountains=mountains)
    words = ("move", "units=1/3ID", "way=mountain, plain", "stacked=none", "attack=none")
    if faulty:
        with pytest.raises(Illegal, match="ends the movement"):
            table.do(*words)
    else:
        table.do(*words)


@pytest.mark.parametrize("text", ["large zoc", "from zoc, large"])
def test_12_2_3_one_zone_does_not_close_a_large_river(text: str) -> None:
    """[12.2(3)] Only both hexes in enemy zones close it; one of them costs its points."""
    # Clauses: [12.2(3): zones]
    assert rules(way(text)) == []
    assert way(text).halves == 6


def test_16_9_a_mountain_by_road() -> None:
    """[16.9, 12.2(4)] Like a swamp it ends the movement, and not by road."""
    # Clauses: [16.9: swamp]
    assert rules(way("mountain, plain")) == ["16.9"]
    assert rules(way("mountain road, road")) == []
    assert rules(way("plain, mountain")) == []


def test_16_6_4_in_a_storm_a_flying_unit_walks() -> None:
    """[16.6(4), 12.4, 12.2(1), 12.2(5)] It pays half points on roads, stops in a swamp and crosses no water; in clear weather it
    flies.
    """
    # Clauses: [16.6(4): normal]
    words = ("move", "units=11Av")
    for text, rule in (("swamp, plain", "12.2(1)"), ("sea, plain", "12.2(5)"), ("zoc, zoc", "12.3(4)")):
        table = operations()
        put(table, flag_storm=True)
        with pytest.raises(Illegal) as fault:
            table.do(*words, f"way={text}")
        assert fault.value.rule == rule
        operations().do(*words, f"way={text}", "stacked=none", "attack=none")
    table = operations()
    put(table, flag_storm=True)
    table.do(*words, "way=road, road", "stacked=none", "attack=none", dice=[6], accept=True)
    assert said(table, "11Av: 1 of 5 MP, 4 left")
