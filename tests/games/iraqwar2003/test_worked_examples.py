"""The worked examples of the rulebook, played through the procedures (T1 to T17 of our notes)."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.games.iraqwar2003.rules.r05_air import Flier, bombing_value, targets_of
from companion.games.iraqwar2003.rules.r12_movement import Mover, points
from tests.games.iraqwar2003.field import FACTS, NO_SUPPORT, asked, attack, cost_of, mark, operations, place, said, unit, war
from tests.support.table import Table

RAID = {"air:B-1": "0-0-5", "air:B-2": "0-0-5 stealth", "air:B-52": "0-0-4", "air:F-15": "5-2-4", "air:F-18": "3-2-3"}
"""Values that fit what the example of 7.1 says of them: halved they are 2, 2, 2, 2 and 1."""


def test_t1_a_b1_over_baghdad() -> None:
    """[5.7(3)] Bombing 5 hits on a 1 or 2."""
    for face, hit in ((1, True), (2, True), (3, False)):
        table = war()
        table.do("bomb", "target=SRG1", "where=Baghdad", "group=B-1", "target=done", "intercept=none", dice=[face])
        assert bool(unit(table, "SRG1").mark("disrupted")) is hit


def test_t2_halved_values() -> None:
    """[5.7(3), 7.1] 5, 4, 3, 2, 1 become 2, 2, 1, 1, 0."""
    # Clauses: [5.7(3): cities]
    assert [bombing_value(value, True) for value in (5, 4, 3, 2, 1)] == [2, 2, 1, 1, 0]


def test_t3_the_raid_on_baghdad_whole() -> None:
    """[7.1, 7.3.2, 5.7(3), 5.1.1(4)] Ten units, eight bombers: the 1st and 3rd Brigades are disrupted, the 2nd is not (the
    B-1 misses, ruling C-1), and the second hit on the 3rd does nothing.
    """
    # Clauses: [5.1.1(4): once]
    table = war(RAID)
    groups = (
        ("SRG1", "B-2", 2), ("SRG1", "F-15", 3),
        ("SRG2", "B-1+CVN-72", 3), ("SRG2", "F-18", 2), ("SRG2", "CV-63", 2),
        ("SRG3", "B-52+CVN-75", 2), ("SRG3", "CVN-71", 2), ("SRG3", "CV-64", 1),
    )  # fmt: skip
    answers: list[str] = []
    for number, (brigade, group, _) in enumerate(groups):
        answers += [f"target={brigade}", f"group={group}"]
        if brigade not in [group[0] for group in groups[:number]]:
            answers.append("where=Baghdad")
    table.do("bomb", *answers, "target=done", "intercept=none", dice=[face for *_, face in groups])
    disrupted = [name for name in ("SRG1", "SRG2", "SRG3") if unit(table, name).mark("disrupted")]
    assert disrupted == ["SRG1", "SRG3"]
    assert said(table, "SRG3 is disrupted already: the second hit does nothing. [7.3.2]")
    assert [request.key for request in table.asked].count("bomb") == 8
    used = table.names_at("coalition used")
    assert len(used) == 10
    needs = {line.partition(" bombs ")[0]: line for line in table.said if "5.7(1)" in line}
    assert "hits on 1-2" in needs["B-2"]
    assert "hits on 1." in needs["F-18"]


def fleet() -> Table:
    """The air combat of the figure in 5.5: F-15 5 and a carrier 4 on support; MiG-23 3 as interceptor and Su-20 on support."""
    return operations(facts={"air:CV-63": "4-2-3", "air:Su-20": "0-1-2"})


def test_t4_the_air_combat_of_the_figure_without_hits() -> None:
    """[5.5(1), 5.5(4), 13.3(2-1)] Order 5, 4, 3; the carrier may fire at the MiG-23 only; the Su-20 never fires."""
    # Clauses: [5.5: both] [5.5(1): order] [5.5(9): once] [13.3(2-1): difference]
    table = fleet()
    attack(table, "1/3ID", "11D", "support=CV-63+F-15", "counter=Su-20+MiG-23", "aim=MiG-23", "aim=CV-63",
           dice=[6, 5, 4, 6, 4])  # fmt: skip
    shots = [line for line in table.said if " at " in line and "[5.5(5)]" in line]
    assert [line.partition(":")[0] for line in shots] == [
        "F-15 fires at MiG-23",
        "CV-63 fires at MiG-23",
        "MiG-23 fires at CV-63",
    ]
    assert said(table, "Air support: 1 column to the attacker. [13.3(2-1)]")


def test_t4_if_the_f15_hits_there_is_no_fire_back() -> None:
    """[5.5(8)] The MiG-23 is gone before it fires; then the carrier has no target."""
    # Clauses: [5.5(7): no_more] [5.5(8): higher]
    table = fleet()
    attack(table, "1/3ID", "11D", "support=CV-63+F-15", "counter=Su-20+MiG-23", "aim=MiG-23", dice=[5, 5, 6, 4])
    assert place(table, "MiG-23") == "removed"
    assert asked(table).count("air") == 1


def test_t4_if_the_mig_hits_the_carrier_there_is_no_support() -> None:
    """[5.5(6), 5.5(7), 13.3(2-3)] The carrier is sent to the Used box; the Su-20 alone shifts, for the defender."""
    # Clauses: [13.3(2-3): hit]
    table = fleet()
    attack(table, "1/3ID", "11D", "support=CV-63+F-15", "counter=Su-20+MiG-23", "aim=MiG-23", "aim=CV-63",
           dice=[6, 5, 3, 4, 6, 4])  # fmt: skip
    assert place(table, "CV-63") == "coalition used"
    assert said(table, "CV-63 was hit and gives none [13.3(2-3)]")
    assert said(table, "Air support: 1 column to the defender.")


def test_t4_if_the_su20_is_hit_it_gives_no_support() -> None:
    """[5.5(3), 5.5(6)] An escort may fire at the unit on support as well."""
    # Clauses: [5.5(3): any]
    table = fleet()
    attack(table, "1/3ID", "11D", "support=CV-63+F-15", "counter=Su-20+MiG-23", "aim=Su-20", "aim=CV-63",
           dice=[5, 6, 5, 4, 4])  # fmt: skip
    assert place(table, "Su-20") == "iraq used"
    assert said(table, "Air support: 2 columns to the attacker.")


def test_t4_targets() -> None:
    """[5.5(3), 5.5(4)] As the figure explains them."""
    # Clauses: [5.5(4): only]
    eagle, ship = Flier("F-15", "coalition", "escort", 5), Flier("CV-63", "coalition", "support", 4)
    mig, sukhoi = Flier("MiG-23", "iraq", "intercept", 3), Flier("Su-20", "iraq", "support", 0)
    fliers = (eagle, ship, mig, sukhoi)
    assert targets_of(eagle, fliers) == [mig, sukhoi]
    assert targets_of(ship, fliers) == [mig]
    assert targets_of(mig, fliers) == [eagle, ship]
    assert (targets_of(sukhoi, fliers), sukhoi.air) == ([eagle], 0)


def test_t5_unit_a_large_river_from_zone_to_zone() -> None:
    """[12.2(3)] Not allowed."""
    # Clauses: [12.2(3): zones]
    found = cost_of("from zoc, large zoc", Mover("A", 6))
    assert "12.2(3)" in [rule for _, rule in found.faults]


def test_t6_unit_b_by_road_bridge_from_zone_to_zone() -> None:
    """[12.2(4), 12.3(3), 12.3(2)] 5 of 6 points; the 1 that is left is too little to leave the zone."""
    # Clauses: [12.2(3): road] [12.2(4): road] [12.3(3): both]
    found = cost_of("from zoc, large road zoc", Mover("B", 6))
    assert (points(found.halves), points(found.left), found.faults) == ("5", "1", ())
    further = cost_of("from zoc, large road zoc, plain", Mover("B", 6))
    assert [rule for _, rule in further.faults] == ["12.3(4)"]


def test_t7_unit_c_flies() -> None:
    """[12.5(1), 12.5(2)] 1 point, 9 left of 10."""
    # Clauses: [12.2(3): flying] [12.3(2): flying] [12.3(3): flying] [12.5(1): zones]
    found = cost_of("from zoc, large zoc", Mover("C", 10, True))
    assert (points(found.halves), points(found.left), found.faults) == ("1", "9", ())


def test_t8_unit_d_leaves_a_zone() -> None:
    """[12.3(2)] 3 of 5 points, 2 left."""
    # Clauses: [12.3(2): leave]
    found = cost_of("from zoc, plain", Mover("D", 5))
    assert (points(found.halves), points(found.left), found.faults) == ("3", "2", ())


def test_t9_unit_e_before_and_after_the_others() -> None:
    """[12.3(1), 12.3(2), 12.3(4)] 3 of 3 points before; 5 of 3, not allowed, afterwards."""
    # Clauses: [12.3(4): lacking]
    before = cost_of("from zoc, plain", Mover("E", 3))
    after = cost_of("from zoc, zoc", Mover("E", 3))
    assert (before.halves, before.faults) == (6, ())
    assert (after.halves, [rule for _, rule in after.faults]) == (10, ["12.3(4)"])


def test_t10_two_steps_on_two_full_units() -> None:
    """[13.4.1] Remove one, or turn both over: the owner's choice. SRG-like units of two strength steps."""
    # Clauses: [13.4.1: owner]
    facts = {"unit:X1": "iraq X1 3-3-3/1-1-3", "unit:X2": "iraq X2 3-3-3/1-1-3"}
    for losses, ends in ((("X1", "X2"), ("reduced", "reduced")), (("X1", "X1"), ("removed", "front"))):
        table = operations(facts=facts)
        # 18 against 6: 3-1, 2 to the right for the F-18: 5-1; 5 is D2R in the made-up chart
        attack(table, "1/3ID, 2/3ID, 3/3ID", "X1, X2", "with=all", "support=F-18", *(f"loss={name}" for name in losses),
               "retreat=all", dice=[5])  # fmt: skip
        shown = tuple("removed" if unit(table, name).place == "removed" else unit(table, name).face for name in ("X1", "X2"))
        assert shown == ends


def test_t11_full_control() -> None:
    """[15.2] 27 at most; 32 with the palace: see test_15_2_the_maximum_is_27 for the count played out."""
    for palace, most in (("off", 27), ("on", 32)):
        table = war(palace=palace)
        assert table.game.score(table.position, table.options).notes[0].endswith(f": {most}")


def test_t12_left_figure_radar_stands_and_anti_air_is_gone() -> None:
    """[6.4(1), 6.4(2)] Interception is allowed, no anti-air fire."""
    # Clauses: [6.4(1): site]
    table = war()
    mark(table, "damaged", 1, "south aa", "south radar 1")
    table.do("facility", "target=south radar 2", "group=B-1", "target=done", "intercept=MiG-23", dice=[6, 6])
    assert "aa" not in asked(table)
    assert place(table, "MiG-23") == "iraq used"


def test_t12_right_figure_anti_air_stands_and_a_radar_is_gone() -> None:
    """[6.4(1), 6.4(2)] Anti-air fire is allowed; that Radar cannot be used, and without the other there is no interception."""
    # Clauses: [6.4(2): both]
    table = war()
    mark(table, "damaged", 1, "south radar 1", "south radar 2")
    with pytest.raises(Illegal, match="both Radars"):
        table.do("facility", "target=south aa", "group=B-1", "target=done", "intercept=MiG-23", dice=[6, 6])
    table.do("facility", "target=south aa", "group=B-1", "target=done", "intercept=none", dice=[6, 6])
    assert "aa" in asked(table)


def test_t13_moving_and_attacking_cost_one_point() -> None:
    """[11.2(1)] By the questions and answers."""
    # Clauses: [11.2(1): both]
    table = operations("iraq")
    table.do("move", "units=51M", "way=plain zoc", "stacked=none", "attack=1/3ID", "river=none", "terrain=plain", *NO_SUPPORT,
             dice=[6], accept=True)  # fmt: skip
    assert table.track("cp") == 5


def test_t14_repaired_roads_serve_others_and_used_ones_may_be_destroyed() -> None:
    """[14.1, 14.4] Both in the same player turn."""
    # Clauses: [14.4: once]
    table = war()
    table.do("bomb", "target=road 1722", "where=open", "group=B-1", "target=done", "intercept=none", dice=[1])
    table.do("supply", accept=True)
    table.do("road", "unit=1/3ID", "hex=1722", accept=True)
    table.do("move", "units=2/3ID", "way=road, road, road", "stacked=none", "attack=none")
    assert said(table, "2/3ID: 1 1/2 of 8 MP")
    table.do("road", "unit=3/3ID", "hex=1822", "work=destroy")
    assert table.names_at("roads") == ["roads of 1822"]


def test_t16_nineteen_and_twenty() -> None:
    """[15.1] 19 points: Iraq; 20: the Coalition."""
    # Clauses: [15.1: twenty]
    table = war()
    table.do(
        "control", "control=Baghdad 1321 coalition, Baghdad 1421 coalition, Mosul coalition, Basra coalition, Najaf coalition"
    )
    table.do("control", "control=Hillah coalition, Karbala coalition")
    assert table.game.score(table.position, table.options).verdict.startswith("19 of 20 VP: Iraq wins")
    table.do("control", "control=Tikrit coalition")
    assert table.game.score(table.position, table.options).verdict.startswith("20 of 20 VP: the Coalition wins")


@pytest.mark.parametrize(("lost", "allowed"), [(1, True), (2, False)])
def test_t17_one_or_two_radars_of_a_sector(lost: int, allowed: bool) -> None:
    """[5.4.1(2)] One destroyed: interception; both: none."""
    # Clauses: [5.4.1(2): both]
    table = war()
    mark(table, "damaged", 1, *(f"north radar {number}" for number in range(1, lost + 1)))
    words = ("target=north aa", "group=B-1", "target=done", "intercept=MiG-23")
    if allowed:
        table.do("facility", *words, dice=[6, 6, 6])
    else:
        with pytest.raises(Illegal):
            table.do("facility", *words, dice=[6, 6])


def test_the_known_values_of_the_figures_are_shipped() -> None:
    """[5.5] F-15 5, carriers 4, MiG-23 3, Su-20 0; [5.7] B-1 5."""
    table = Table("iraqwar2003", "war")
    fact = next(item for item in table.game.facts if item.id == "figure")
    assert dict(fact.rulebook_values) == {
        "F-15 air": "5",
        "carrier air": "4",
        "MiG-23 air": "3",
        "Su-20 air": "0",
        "B-1 bombing": "5",
    }
    assert FACTS["turns"] == "3"
