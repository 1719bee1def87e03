"""[8.0, 9.0, 10.4] Hits, the wounded, rally, officers."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.games.lzalbany.rules.r03_turn import rally
from companion.games.lzalbany.rules.r06_movement import evacuate
from companion.games.lzalbany.rules.r08_hits import ANYBODY, HitPlacer, Target, place_hits, take_hits
from tests.games.lzalbany.field import Field


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a procedure that asks nothing."""
    return asyncio.run(coroutine)


def strike(field: Field, name: str, hits: int) -> None:
    side = "NVA" if field.piece(name).values["side"] == "US" else "US"
    field.play(lambda game: take_hits(game, side, [field.piece(name)], hits, "8.1", "test", ANYBODY))


def test_hits_on_an_nva_unit() -> None:
    """[8.2, 4.1A] Marker, marker, reduced, removed: three points (the dossier's T8 and T9)."""
    # [4.1A: addition] [8.2: nva]
    field = Field()
    field.put("d2", "1/1/1/33")
    seen = []
    for _ in range(4):
        strike(field, "1/1/1/33", 1)
        seen.append((field.hits("1/1/1/33"), field.at("1/1/1/33"), field.track("us_vp")))

    assert seen == [(1, "d2", 0), (2, "d2", 0), (3, "d2", 1), (3, "eliminated", 3)]


def test_hits_on_a_us_unit() -> None:
    """[8.2, 4.1B] The fourth leaves a wounded marker, the fifth destroys it: 2, 4, 6 points."""
    # [4.1B: addition] [8.2: us, flip]
    field = Field()
    field.put("d2", "1/A/2-7")
    strike(field, "1/A/2-7", 3)
    assert (field.hits("1/A/2-7"), field.piece("1/A/2-7").marks, field.track("nva_vp")) == (3, {}, 2)
    strike(field, "1/A/2-7", 1)
    assert (field.at("1/A/2-7"), field.at("W:1/A/2-7"), field.track("nva_vp")) == ("eliminated", "d2", 4)
    strike(field, "W:1/A/2-7", 1)
    assert field.at("W:1/A/2-7") == "d2"
    field.put("d2", "2/A/2-7")
    targets = [field.piece("2/A/2-7"), field.piece("W:1/A/2-7")]
    field.play(lambda game: take_hits(game, "NVA", targets, 1, "8.1", "test", ANYBODY), ["first_hit=W:1/A"])
    assert (field.at("W:1/A/2-7"), field.track("nva_vp")) == ("dead", 6)


def test_five_hits_at_once() -> None:
    """[8.2] A whole platoon and its wounded; the sixth is lost."""
    field = Field()
    field.put("d2", "1/A/2-7")

    strike(field, "1/A/2-7", 6)

    assert (field.at("1/A/2-7"), field.at("W:1/A/2-7"), field.track("nva_vp")) == ("eliminated", "dead", 6)
    assert field.says("1 hit too many: no counter is left to take more.")


def test_an_officer_is_wounded_then_killed() -> None:
    """[10.4, 4.1B] One point for an officer, two for McDade, none for a wound."""
    # [4.1B: officers] [10.4: first]
    field = Field()
    field.put("d2", "co/A/2-7", "McDade")
    for name, points in (("co/A/2-7", 1), ("McDade", 3)):
        strike(field, name, 1)
        assert field.piece(name).face == "wounded"
        strike(field, name, 1)
        assert (field.at(name), field.track("nva_vp")) == ("dead", points)


def test_commander_man() -> None:
    """[4.1A] Two points; other NVA officers none (ruling C-50)."""
    # [4.1A: man]
    field = Field()
    field.put("d2", "Man", "An", "co/1/1/33")
    for name in ("An", "co/1/1/33"):
        strike(field, name, 2)
    assert field.track("us_vp") == 0
    strike(field, "Man", 2)
    assert field.track("us_vp") == 2


@pytest.mark.parametrize("side", ["NVA", "US"])
def test_hits_follow_the_chart_of_hits(side: str) -> None:
    """[8.2] Hit by hit."""
    # [8.2: nva, us]
    chart = Field().referee.chart("hits")
    target: Target | None = Target(side)
    seen = []
    for _ in chart.rows:
        struck = target.struck() if target else None
        if target is None:
            seen.append("-")
        elif struck is None:
            seen.append("removed")
        else:
            seen.append("wounded" if struck.kind == "wounded" else "reduced" if struck.hits == 3 else "marker")
        target = struck

    assert seen == [chart.text(hits, side.casefold()) for hits in chart.rows]


def test_a_player_who_names_no_target_hits_the_default_one() -> None:
    """[8.1] Shooters go for points, owners spare them."""
    fresh, hit, reduced = Target("NVA"), Target("NVA", hits=2), Target("NVA", hits=3)
    wishes = Field().referee.data.hit_values

    assert wishes.shooter([fresh, hit, reduced]) == 2
    assert wishes.owner([fresh, hit, reduced]) == 0
    after = run(place_hits([fresh, hit], 2, HitPlacer(wishes), first=ANYBODY))
    assert [target.hits for target in after] == [1, 3]


def test_a_cap_on_hits() -> None:
    """[7.4(3)] No unit gets more than two hits; excess hits are lost."""
    placing = HitPlacer(Field().referee.data.hit_values)

    assert [target.hits for target in run(place_hits([Target("US", hits=1), Target("US", hits=3)], 3, placing, cap=2))] == [2, 3]


@pytest.mark.parametrize(
    ("area", "terrain", "markers", "damaged", "flown"),
    [
        ("b2", "jungle", 3, False, 1),
        ("d2", "sawgrass", 3, False, 2),
        ("albany", "albany", 4, False, 3),
        ("b2", "jungle", 3, True, 1),
        ("d2", "sawgrass", 3, True, 1),
        ("albany", "albany", 4, True, 2),
    ],
)
def test_how_many_dust_off_takes(area: str, terrain: str, markers: int, damaged: bool, flown: int) -> None:
    """[6.3, 8.4B, 4.1A] The dossier's T10; two points a marker; a damaged one gives the NVA two."""
    # [4.1A: evacuated] [4.1B: air] [6.3: capacity, damaged] [8.4B: one_area]
    field = Field()
    for number in range(1, markers + 1):
        field.wounded(area, f"{number}/C/2-7")
    near = {"b2": "b1", "d2": "d1", "albany": "c4"}[area]
    field.put(near, "1/1/1/33")

    field.play(
        evacuate,
        ["area=" + area, *([] if flown >= markers else ["evacuate=" + ", ".join(f"W:{n}/C/2-7" for n in range(1, flown + 1))])],
        [5 if damaged else 4],
    )

    assert sum(piece.kind == "wounded" for piece in field.position.at("evacuated")) == flown
    assert field.track("us_vp") == 2 * flown
    assert field.track("nva_vp") == (2 if damaged else 0)
    assert field.says(f"can take {flown} wounded marker")


def test_dust_off_and_officers_and_un_hit_nva() -> None:
    """[6.3] Any number of officers, without points; it does not land among NVA platoons without a hit (ruling C-52)."""
    # [4.1A: evacuated] [6.3: unhit, officers]
    field = Field()
    field.put("d2", "co/A/2-7", "co/C/2-7", "1/1/1/33")
    for name in ("co/A/2-7", "co/C/2-7"):
        field.change(name, face="wounded")
    field.put("e3", "McDade")
    field.change("McDade", face="wounded")

    with pytest.raises(Illegal, match=r"NVA platoons without a hit are in d2 \[6.3\]"):
        field.chit("Dust Off", "dustoff=evacuate", "area=d2")
    field.put("d2", "1/1/1/33", hits=1)
    field.chit("Dust Off", "dustoff=evacuate", "area=d2")
    assert [field.at("co/A/2-7"), field.at("co/C/2-7"), field.track("us_vp")] == ["evacuated", "evacuated", 0]


@pytest.mark.parametrize(("place", "rolled"), [("d1", True), ("c1", False), ("d2", False)])
def test_6_3_only_nva_next_door_fire_at_dust_off(place: str, rolled: bool) -> None:
    """[6.3] A die for each unit in an adjacent area; none for a hit one where it lands, nor for officers next door."""
    # [6.3: hot]
    field = Field()
    field.wounded("d2")
    field.put(place, "1/1/1/33", hits=1)
    field.put("e2", "co/6/8/66")

    field.chit("Dust Off", "dustoff=evacuate", "area=d2", dice=[6] if rolled else [])

    assert field.says("damaged on 5-6. DAMAGED.") == rolled


@pytest.mark.parametrize(
    ("here", "there"), [("g3", "transition"), ("g3", "columbus"), ("columbus", "transition"), ("columbus", "g3")]
)
def test_6_3_units_in_the_transition_area_do_not_fire_at_a_landing(here: str, there: str) -> None:
    """[6.3, 6.4, 6.5] Ruling C-69: the Transition Area, LZ Columbus and the east edge are next to each other for moves only."""
    # [6.3: hot]
    field = Field()
    field.wounded(here)
    field.put(there, "1/1/1/33")

    field.chit("Dust Off", "dustoff=evacuate", f"area={here}")

    assert field.at("W:1/C/2-7") == "evacuated"


def test_6_3_damage_is_for_that_action_only() -> None:
    """[6.3] Damaged, it takes one from sawgrass; the next turn two again."""
    # [6.3: once]
    field = Field()
    for number in (1, 2, 3):
        field.wounded("d2", f"{number}/C/2-7")
    field.put("d1", "1/1/1/33")

    field.chit("Dust Off", "dustoff=evacuate", "area=d2", "evacuate=W:1/C/2-7", dice=[5])
    assert field.says("can take 1 wounded marker")
    field.set(turn=4)
    field.chit("Dust Off", "dustoff=evacuate", "area=d2", dice=[4])
    assert field.says("can take 2 wounded markers")
    assert not [piece for piece in field.position.at("d2") if piece.kind == "wounded"]


def test_too_many_wounded_for_dust_off() -> None:
    """[6.3]"""
    # [6.3: capacity] [8.4B: one_area]
    field = Field()
    for number in (1, 2, 3):
        field.wounded("d2", f"{number}/C/2-7")

    with pytest.raises(Unreadable, match=r"3 named, 0 to 2 needed \[6.3\]"):
        field.chit("Dust Off", "dustoff=evacuate", "area=d2", "evacuate=all")


def test_airlift() -> None:
    """[6.4, 5.5C] One unit to jungle, two to sawgrass, three to LZ Albany; a 6 hits a unit that lands next to the NVA."""
    # [6.4: free, hot, officers]
    field = Field()
    field.put("airlift", "1/B/1-5", "2/B/1-5", "3/B/1-5", "co/B/1-5")
    field.put("d1", "1/1/1/33")
    field.put("e1", "2/1/1/33")

    with pytest.raises(Illegal, match=r"2 units named, and 1 can land in b2 \(jungle\) \[6.4\]"):
        field.chit("Dust Off", "dustoff=airlift", "airlift=1 2 > b2")
    with pytest.raises(Illegal, match=r"NVA units are in e1 \[6.4\]"):
        field.chit("Dust Off", "dustoff=airlift", "airlift=1 > e1")
    with pytest.raises(Illegal, match=r"one Dust Off lands in one area \[6.4\]"):
        field.chit("Dust Off", "dustoff=airlift", "airlift=1 > e2; 2 > e3")
    field.chit("Dust Off", "dustoff=airlift", "airlift=1 2 co > d2", dice=[6, 5])
    assert [field.hits("1/B/1-5"), field.hits("2/B/1-5"), field.at("co/B/1-5")] == [1, 0, "d2"]
    assert field.at("3/B/1-5") == "airlift"
    assert field.says("Hot landing, hit on 6: 1/B/1-5 6, 2/B/1-5 5. [6.4]")


@pytest.mark.parametrize(("area", "room"), [("b2", 1), ("e3", 2), ("albany", 3)])
def test_6_4_as_many_units_as_the_terrain_takes(area: str, room: int) -> None:
    """[6.4] One more is refused; without NVA in an adjacent area no die is rolled."""
    # [6.4: terrain, hot]
    units = ["1", "2", "3", "4"]
    field = Field(turn=7)
    field.put("airlift", *(f"{unit}/B/1-5" for unit in units))

    with pytest.raises(Illegal, match=r"can land in .*\[6.4\]"):
        field.chit("Dust Off", "dustoff=airlift", f"airlift={' '.join(units[: room + 1])} > {area}")
    field.chit("Dust Off", "dustoff=airlift", f"airlift={' '.join(units[:room])} > {area}")
    assert len(field.position.at(area)) == room
    assert "hot_landing" not in field.asked_for()


def test_6_4_landed_units_can_fight_in_the_same_phase() -> None:
    """[6.4] The group's next chit activates the landed units, not those still waiting."""
    # [6.4: ready]
    field = Field(turn=7)
    field.put("airlift", "1/B/1-5", "2/B/1-5")
    field.put("d3", "1/1/1/33")

    field.chit("Dust Off", "dustoff=airlift", "airlift=1/B > e3", dice=[1])
    field.fire("ab15", "combat=e3", "target=d3", "return=no", dice=[1])
    assert field.says("The US fires from e3 at d3 with 1 die.")
    with pytest.raises(Illegal, match=r"2/B/1-5 is not on the map, .* \[5.2\]"):
        field.go("ab15", "moves=2/B > e3")


def test_6_4_the_transition_area_is_no_landing_area() -> None:
    """[6.4, 6.5] Not even an officer, who needs no room; elsewhere he lands by himself."""
    # [6.4: free]
    field = Field(turn=7)
    field.put("airlift", "co/B/1-5")

    with pytest.raises(Illegal, match=r"no US unit goes to the Transition Area \[6.5\]"):
        field.chit("Dust Off", "dustoff=airlift", "airlift=co > transition")
    field.chit("Dust Off", "dustoff=airlift", "airlift=co > e2")
    assert field.at("co/B/1-5") == "e2"


def test_the_wounded_by_day() -> None:
    """[8.4C, 3.6] Alone with an NVA platoon they are lost; with a platoon they are not."""
    # [8.4C: alone, end]
    field = Field()
    lone, guarded, free = field.wounded("d2"), field.wounded("e2", "2/C/2-7"), field.wounded("e3", "3/C/2-7")
    field.put("d2", "1/1/1/33")
    field.put("e2", "2/1/1/33", "1/A/2-7")
    field.pool("Visibility")

    field.do("chit", draws=["Vis"])

    assert [field.at(name) for name in (lone, guarded, free)] == ["dead", "e2", "e3"]
    assert field.track("nva_vp") == 2
    assert field.position.flag("phase") == "rally"


def test_8_4_c_an_nva_officer_alone_does_not_find_the_wounded() -> None:
    """[8.4C, 8.4D] Platoons do; at night no die is rolled for him either, and the day's rule does not spare a marker then."""
    # [8.4C: platoons] [8.4D: platoons]
    for turn, dice in ((3, []), (9, [])):
        field = Field(turn=turn)
        marker = field.wounded("d2")
        field.put("d2", "co/1/1/33")
        field.pool("Visibility")
        field.do("chit", draws=["Vis"], dice=dice)
        assert field.at(marker) == "d2"


def test_8_4_d_a_wounded_officer_is_no_wounded_marker() -> None:
    """[8.4C, 8.4D] He is left alone with the NVA by day and by night, where a marker is lost or rolls (ruling C-72)."""
    # [8.4D: officer]
    for turn in (3, 9):
        field = Field(turn=turn)
        field.put("d2", "1/1/1/33", "co/A/2-7")
        field.change("co/A/2-7", face="wounded")
        field.pool("Visibility")
        field.do("chit", draws=["Vis"], dice=[])
        assert field.at("co/A/2-7") == "d2"


def test_8_4_d_one_die_for_each_marker() -> None:
    """[8.4D] Two markers with a US platoon: one is lost, one survives; without NVA no die is rolled."""
    # [8.4D: guarded, die]
    field = Field(turn=9)
    lost, survivor, safe = (field.wounded(place, f"{number}/C/2-7") for number, place in ((1, "d2"), (2, "d2"), (3, "e2")))
    field.put("d2", "1/1/1/33", "1/A/2-7")
    field.pool("Visibility")

    field.do("chit", draws=["Vis"], dice=[3, 4])

    assert [field.at(name) for name in (lost, survivor, safe)] == ["dead", "d2", "e2"]


@pytest.mark.parametrize(("face", "place"), [(3, "dead"), (4, "d2")])
def test_the_wounded_by_night(face: int, place: str) -> None:
    """[8.4D] The dossier's T11: 1-3 lost, platoons or not."""
    # [8.4D: guarded, die] [11.2: wounded]
    field = Field(turn=9)
    marker = field.wounded("d2")
    field.put("d2", "1/1/1/33", "1/A/2-7")
    field.pool("Visibility")

    field.do("chit", draws=["Vis"], dice=[face])

    assert field.at(marker) == place


def test_a_flare_shows_the_wounded() -> None:
    """[11.2, 8.4D] Lost without a die."""
    # [11.2: wounded]
    field = Field(turn=9)
    marker = field.wounded("d2")
    field.put("d2", "1/1/1/33")
    field.change("Flare 1", place="d2")
    field.pool("Visibility")

    field.do("chit", draws=["Vis"])

    assert field.at(marker) == "dead"


@pytest.mark.parametrize(("face", "left"), [(5, 2), (6, 1)])
def test_rally_by_die(face: int, left: int) -> None:
    """[9.0, 9.1] The dossier's T14."""
    # [9.0: hits] [9.1: six]
    field = Field()
    field.put("d2", "1/A/2-7", hits=2)

    field.play(lambda game: rally(game, "US"), dice=[face])

    assert field.hits("1/A/2-7") == left


def test_rally_by_officers() -> None:
    """[9.2, 10.3] Each one unit of his company in his area; a senior officer any; a unit that is helped does not roll."""
    # [9.2: senior] [10.3: rally]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", hits=2)
    field.put("d2", "1/C/2-7", hits=1)
    field.put("d2", "co/A/2-7", "McDade")

    field.play(lambda game: rally(game, "US"), ["rally_unit=2/A", "rally_unit=1/C"], [6])

    assert [field.hits(name) for name in ("1/A/2-7", "2/A/2-7", "1/C/2-7")] == [1, 1, 0]
    assert field.says("US rally, recovers on 6: 1/A/2-7 6. [9.1]")


def test_9_2_each_officer_helps_one_unit_of_his_own_in_his_area() -> None:
    """[9.2, 9.1] Another company's, or one next door, rolls; after his one help a second unit of his rolls too."""
    # [9.2: each] [10.3: rally]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "1/C/2-7", hits=1)
    field.put("e2", "3/A/2-7", hits=1)
    field.put("d2", "co/A/2-7")

    field.play(lambda game: rally(game, "US"), ["rally_unit=1/A"], [1, 1, 1])

    assert [field.hits(name) for name in ("1/A/2-7", "2/A/2-7", "1/C/2-7", "3/A/2-7")] == [0, 1, 1, 1]


def test_a_wounded_officer_rallies_no_unit() -> None:
    """[9.2, 10.4]"""
    # [9.2: unwounded] [10.4: abilities]
    field = Field()
    field.put("d2", "1/A/2-7", hits=1)
    field.put("d2", "co/A/2-7")
    field.change("co/A/2-7", face="wounded")

    field.play(lambda game: rally(game, "US"), dice=[1])

    assert field.hits("1/A/2-7") == 1


def test_reduced_units_do_not_rally() -> None:
    """[8.3] Named to an officer they are refused."""
    # [8.3: rally] [9.0: hits]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", hits=1)
    field.put("d2", "3/A/2-7", hits=3)
    field.put("d2", "co/A/2-7")

    with pytest.raises(Illegal, match=r"3/A/2-7 is reduced, and does not rally \[8.3\]"):
        field.play(lambda game: rally(game, "US"), ["rally_unit=3/A"])
    field.put("d2", "1/A/2-7", "2/A/2-7", hits=0)
    field.play(lambda game: rally(game, "US"))
    assert field.says("No US unit rolls to rally.")


def test_both_sides_rally_in_the_rally_phase() -> None:
    """[3.7] From turn 2 on."""
    # [3.3: ambush] [3.7: ambush]
    field = Field()
    field.flag(phase="rally")
    field.put("d2", "1/A/2-7", "2/A/2-7", hits=1)
    field.put("e1", "1/1/1/33", hits=1)

    field.do("rally", dice=[6, 1, 6])

    assert [field.hits(name) for name in ("1/A/2-7", "2/A/2-7", "1/1/1/33")] == [0, 1, 0]
    assert field.position.flag("phase") == "administrative"


def test_a_hit_on_a_counter_that_is_not_there() -> None:
    """[8.1, 7.3(4)] Refused; recorded where the player insists."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33")
    field.put("d1", "3/1/1/33")

    with pytest.raises(Illegal, match=r"3/1/1/33 is not there \[7.3\(4\)\]"):
        field.fire("ab27", "combat=d2", "target=e2", "first_hit=3/1/1", dice=[6, 1, 1, 1])
    field.fire("ab27", "combat=d2", "target=e2", "first_hit=3/1/1", "return=no", dice=[6, 1, 1, 1], anyway=True)
    assert [field.hits(name) for name in ("1/1/1/33", "2/1/1/33", "3/1/1/33")] == [0, 0, 1]


def test_a_third_hit_that_the_weapon_cannot_give() -> None:
    """[7.4(3)] Refused, or recorded if the player insists; without a choice the rule is still given."""
    # [7.4(3): third]
    field = Field()
    field.put("e3", "mtr/D/2-7", "co/D/2-7")
    field.put("e2", "1/1/1/33", hits=2)
    field.put("e2", "2/1/1/33", "3/1/1/33")

    with pytest.raises(
        Illegal, match=r"1/1/1/33 \(2 hits\) cannot take this hit: it has as many as it can get here \[7.4\(3\)\]"
    ):
        field.fire("cd27", "combat=mortar e3", "target=e2", "hit=1/1/1", dice=[6, 1])
    field.fire("cd27", "combat=mortar e3", "target=e2", "hit=1/1/1", dice=[6, 1], anyway=True)
    assert field.hits("1/1/1/33") == 3
    field.put("d1", "3/1/1/33")
    field.fire("cd27", "combat=mortar e3", "target=e2", dice=[6, 1])
    assert field.hits("2/1/1/33") == 1


@pytest.mark.parametrize(
    "hits", [["hit=2/A 2/A 1/A"], ["hit=2 x 2/A, 1/A"], ["hit=2/A", "hit=2/A, 1/A"], ["hit=2/A", "hit=2/A", "hit=1/A"]]
)
def test_8_1_several_hits_in_one_answer(hits: list[str]) -> None:
    """[8.1] The owner can place all hits in one answer; if only some are named, the rest is asked for."""
    # [8.1: owner]
    field = Field(turn=2)
    field.put("e2", "1/1/1/33", "2/1/1/33", "3/1/1/33", "1/HQ/1/33")
    field.put("d2", "1/A/2-7", "2/A/2-7")

    field.fire("33", "combat=e2", "target=d2", "first_hit=1/A", *hits, "return=no", dice=[6, 6, 6, 6])

    assert (field.hits("1/A/2-7"), field.hits("2/A/2-7")) == (2, 2)
    first = next(request for request in field.asked if request.key == "hit")
    assert str(first.prompt) == "US: who takes hits 2 to 4 of 4? (two on one: 2 x NAME)"
    assert [(row.label, row.hint) for row in first.legal_choices()] == [("1/A/2-7", "1 hit"), ("2/A/2-7", "no hits")]
    assert first.suggest == ["1/A/2-7", "2/A/2-7", "2/A/2-7 #2"]


def test_8_1_a_list_of_hits_with_an_illegal_target_is_refused() -> None:
    """[7.4(3)] Refused with the rule of the one; where the player insists, that one is taken and so are the others."""
    field = Field()
    field.put("e3", "mtr/D/2-7", "co/D/2-7")
    field.put("e2", "1/1/1/33", hits=2)
    field.put("e2", "2/1/1/33", "3/1/1/33")
    named = "hit=2/1/1, 1/1/1"

    with pytest.raises(Illegal, match=r"1/1/1/33 \(2 hits\) cannot take this hit"):
        field.play(lambda game: take_hits(game, "US", [*field.position.at("e2")], 2, "7.4(3)", "test", cap=2), [named])
    field.play(lambda game: take_hits(game, "US", [*field.position.at("e2")], 2, "7.4(3)", "test", cap=2), [named], anyway=True)
    assert [field.hits(name) for name in ("1/1/1/33", "2/1/1/33", "3/1/1/33")] == [3, 1, 0]
