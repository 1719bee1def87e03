"""Refusals name their rule and a cure; suggestions have an effect; where nothing happens the reason is given."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from tests.games.lzalbany.field import Field


def _melee_in_c2(turn: int = 3) -> Field:
    """1/A and its mortar in c1 beside the NVA in b1; 2/A in a melee in c2."""
    field = Field(turn)
    field.put("c1", "1/A/2-7", "mtr/A/2-7", "McDade")
    field.put("c2", "2/A/2-7", "1/1/1/33")
    field.put("b1", "2/1/1/33")
    field.put("f4", "co/A/2-7")
    return field


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("c2 > c3", r"c2 is disputed, and nobody fires out of it \[7.2A\]"),
        ("c1 > c2", r"c2 is disputed, and nobody fires into it \[7.2A\]"),
        ("mortar c1 > c2", r"US mortars do not fire into it \[7.4\(1\)\]"),
        ("c1 > f4", r"no enemy to fire at is in f4 \[7.3\(1\)\]"),
        ("f4", r"no infantry platoon of A,B/2-7 is in f4 \[7.3\(1\)\]"),
        ("melee c1", r"c1 is not disputed: no melee is fought there \[7.2\]"),
        ("b1", r"b1 can be fired at, and the fire begins with the area that it comes from \[7.3\(1\)\]"),
        ("1/A/2-7", r"1/A/2-7 fires with the platoons of its group in c1: name the area \[7.3\(1\)\]"),
        ("pool", r"chit pool is no area of the map \[2.2\]"),
    ],
)
def test_a_fire_that_is_not_possible_is_refused_by_its_rule(typed: str, says: str) -> None:
    with pytest.raises(Illegal, match=says):
        _melee_in_c2().fire("ab27", f"combat={typed}")


def test_mortars_out_of_sight_are_told_why() -> None:
    """By day and by night: then officers see adjacent areas only."""
    field = Field()
    field.put("c1", "1/A/2-7", "mtr/A/2-7")
    field.put("b1", "1/1/1/33")
    field.put("d2", "2/A/2-7", "3/A/2-7")
    field.put("d1", "2/1/1/33")
    with pytest.raises(Illegal, match=r"no US officer sees b1 \[7.8\]"):
        field.fire("ab27", "combat=mortar c1 > b1")
    field.put("a5", "co/A/2-7")
    field.set(turn=9)
    with pytest.raises(Illegal, match=r"by night officers see adjacent areas only, and no US officer is next to b1 \[11.1A\]"):
        field.fire("ab27", "flares=none", "combat=mortar c1 > b1")


def test_an_area_without_a_target_is_told_why() -> None:
    """[7.3] No enemy is beside it."""
    field = _melee_in_c2()
    field.put("d4", "3/A/2-7")
    with pytest.raises(Illegal, match=r"no enemy that can be fired at is next to d4 \[7.3\]"):
        field.fire("ab27", "combat=d4")


def test_an_event_and_its_unit_are_refused_by_their_rule() -> None:
    """[3.5, 8.3, 9.0] The area holds no enemy, or the unit is not there, or has nothing to rally from."""
    from companion.games.lzalbany.notation import read_effect
    from companion.games.lzalbany.rules.r03_turn import take_effect

    field = Field()
    field.put("e2", "1/1/1/33", "2/1/1/33", hits=1)
    field.put("e2", "3/1/1/33", hits=3)
    field.put("e2", "co/1/1/33", "1/HQ/1/33")
    field.put("b1", "1/6/8/66")
    for typed, says in (
        ("1/6/8/66", r"1/6/8/66 is in b1, and the event is in e2 \[3.5\]"),
        ("3/1/1/33", r"3/1/1/33 is reduced, and does not rally \[8.3\]"),
        ("1/HQ/1/33", r"1/HQ/1/33 has no hits, and does not rally \[9.0\]"),
        ("co/1/1/33", r"co/1/1/33 is no NVA platoon, and the event strikes one \[3.5\]"),
    ):
        with pytest.raises(Illegal, match=says):
            field.play(lambda game: take_effect(game, "US", "e2", read_effect("rally unit")), [f"event_unit={typed}"])


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("1/A/2-7", r"1/A/2-7 is one of the US's counters, and the NVA takes these hits \[7.3\(4\)\]"),
        ("1/6/8/66", r"1/6/8/66 is not there \[7.3\(4\)\]"),
        ("co/1/1/33", r"co/1/1/33 \(officer\) cannot take this hit: officers are hit only where .* \[7.3\(4\)\]"),
    ],
)
def test_a_counter_that_hits_do_not_fall_on_is_refused_by_its_rule(typed: str, says: str) -> None:
    field = Field()
    field.put("d2", "1/A/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33", "co/1/1/33")
    field.put("e4", "1/6/8/66")
    with pytest.raises(Illegal, match=says):
        field.fire("ab27", "combat=d2 > e2", f"first_hit={typed}", dice=[6, 6])


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("co/A/2-7", r"co/A/2-7 is none of the infantry platoons that fire from d2 \[7.3\(1\)\]"),
        ("mtr/A/2-7", r"mtr/A/2-7 is none of the infantry platoons that fire from d2 \[7.3\(1\)\]"),
        ("1/C/2-7", r"1/C/2-7 belongs to C,D/2-7, and this chit activates A,B/2-7 \[5.2\]"),
        ("3/A/2-7", r"a marker forbids 3/A/2-7 to fire \[3.5\]"),
        ("2/B/2-7", r"2/B/2-7 is in b4, and US infantry platoons fire from d2 \[7.3\(1\)\]"),
    ],
)
def test_6_1_who_does_not_fire_from_an_over_stacked_area(typed: str, says: str) -> None:
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7", "mtr/A/2-7", "1/C/2-7", "co/A/2-7")
    field.change("3/A/2-7", marks={"incident": "no fire"})
    field.change("1/C/2-7", place="d2")
    field.put("b4", "2/B/2-7")
    field.put("d1", "1/1/1/33")
    field.change("mtr/A/2-7", place="d2")
    with pytest.raises(Illegal, match=says):
        field.fire("ab27", "combat=d2 > d1", f"firing={typed}")


def test_a_melee_elsewhere_is_refused_by_its_rule() -> None:
    """[7.2, 7.2(6)] Where no enemy is, or where the chit activates nobody."""
    field = Field()
    field.put("d2", "1/A/2-7")
    field.put("e3", "2/A/2-7")
    field.put("d1", "1/1/1/33")
    field.put("e2", "2/1/1/33")
    field.put("c2", "1/C/2-7", "3/1/1/33")
    orders = ("group=ab27", "action=move", "moves=d2 > d1; e3 > e2")
    with pytest.raises(Illegal, match=r"no platoon that this chit activates is in the melee in c2 \[7.2\(6\)\]"):
        field.chit("US Fire/Move", *orders, "next_melee=c2")
    with pytest.raises(Illegal, match=r"e3 is not disputed: no melee is fought there \[7.2\]"):
        field.chit("US Fire/Move", *orders, "next_melee=e3")


def test_targets_of_support_are_refused_by_their_rule() -> None:
    """[7.5(1), 7.6(1), 7.7] No NVA platoon there, or a counter of the US."""
    field = Field(turn=6, facts={"gunship": "4/2"})
    field.put("columbus", "1/Art")
    field.put("d2", "1/A/2-7", "co/A/2-7")
    field.put("d1", "1/1/1/33", "2/1/1/33")
    with pytest.raises(Illegal, match=r"no NVA platoon is in e4 that artillery could fire at \[7.5\(1\)\]"):
        field.chit("Artillery", "target=e4")
    with pytest.raises(Illegal, match=r"no NVA platoon is in e4 that could be struck \[7.7\]"):
        field.chit("Skyraider", "target=e4")
    with pytest.raises(Illegal, match=r"1/A/2-7 is a US counter, and gunships attack NVA units \[7.6\(1\)\]"):
        field.chit("Gunships", "target=1/A/2-7")


def test_7_8_who_does_not_see_an_area() -> None:
    """[7.8] Where no officer is, whatever the map."""
    field = Field(map="own", facts={"range:blue hill": "yes"})
    field.put("hill", "1/Mtr/1/33")
    field.put("red", "co/1/1/33")
    field.put("blue", "1/A/2-7")
    with pytest.raises(Illegal, match=r"no NVA officer who could see anything is in hill \[7.8\]"):
        field.fire("33", "officers=none", "combat=mortar hill > blue", "spotter=hill")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("1/A/2-7", r"1/A/2-7 is one counter of A,B/2-7: a chit activates the group \[5.2\]"),
        ("McDade", r"McDade belongs to no unit group: he acts with units in his area \[5.2D\]"),
        ("1/Art", r"1/Art belongs to no unit group: it fires with the Artillery chit \[5.4\]"),
    ],
)
def test_5_2_a_counter_is_no_group(typed: str, says: str) -> None:
    field = _melee_in_c2()
    field.put("e4", "1/C/2-7")
    with pytest.raises(Illegal, match=says):
        field.chit("US Fire/Move", f"group={typed}")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("1/C/2-7", r"1/C/2-7 belongs to C/2-7, and A/2-7 is placed now \[3.2C\]"),
        ("Flare 1", r"Flare 1 is no counter of A/2-7, which is placed now \[3.2C\]"),
        ("to come", r"Turn Track, to come is no area of the map \[2.2\]"),
    ],
)
def test_3_2_a_counter_of_another_company_is_not_placed(typed: str, says: str) -> None:
    field = Field()
    field.flag(phase="deploy")
    for piece in list(field.position.pieces.values()):
        if piece.values.get("company") in ("A/2-7", "C/2-7"):
            field.move(piece.id, "to place")
    with pytest.raises(Illegal, match=says):
        field.do("deploy", f"a/2-7={typed}")


def test_several_targets_are_named_at_once() -> None:
    """[7.3(1)] One fire at two areas in one answer."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("d1", "1/1/1/33")
    field.put("e2", "2/1/1/33")
    field.fire("ab27", "combat=d2 > d1, e2", "dice=2", "return=no", "return=no", dice=[1] * 4)
    assert [line for line in field.said if "fires from d2" in line] == [
        "The US fires from d2 at d1 with 2 dice. [7.3(2)]",
        "The US fires from d2 at e2 with 2 dice. [7.3(2)]",
    ]


@pytest.mark.parametrize(
    ("orders", "says"),
    [
        ("McDade > c5", r"McDade has acted twice this turn \[5.2D\]"),
        ("1/Art > a5", r"1/Art is artillery, which does not leave LZ Columbus \[6.2C\]"),
        ("2/A > c1", r"2/A/2-7 is in the melee in c2: it fights first, and may retreat afterwards \[7.2\]"),
        ("c2 > c1", r"c2 is disputed: those there fight first, and may retreat afterwards \[7.2\]"),
        ("1/C > c5", r"1/C/2-7 belongs to C,D/2-7, and this chit activates A,B/2-7 \[5.2\]"),
        ("C/2-7 > c5", r"nobody of C/2-7 can be ordered by this chit \[5.2\]"),
        ("1/1/1/33 > c5", r"1/1/1/33 is one of the NVA's counters \[5.2\]"),
        ("1/A/1-5 > c5", r"1/A/1-5 is not on the map, and chits activate units there \[5.2\]"),
    ],
)
def test_a_counter_that_cannot_be_ordered_is_refused_by_its_rule(orders: str, says: str) -> None:
    field = _melee_in_c2()
    field.change("McDade", marks={"acts": 2})
    field.put("columbus", "1/Art")
    field.put("e4", "1/C/2-7")
    with pytest.raises(Illegal, match=says):
        field.go("ab27", f"moves={orders}")


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (("group=ab27", "action=move", "moves=9/Art > d1"), r"9/Art belongs to no unit group, and this chit activates A,B/2-7"),
        (("group=9/Art",), r"9/Art belongs to no unit group \[5.2\]"),
    ],
)
def test_a_platoon_without_a_group_is_refused_by_the_rule(answers: tuple[str, ...], says: str) -> None:
    """[5.2] One that the player has added with ``strength`` to the senior officers or the artillery."""
    field = _melee_in_c2()
    field.put("e4", "1/C/2-7")
    field.do("strength", "company=US artillery", "counter=9 inf 2-3/1-2", "area=e2")
    with pytest.raises(Illegal, match=says):
        field.chit("US Fire/Move", *answers)


def test_a_group_of_the_other_side_is_refused() -> None:
    field = _melee_in_c2()
    field.put("e4", "1/C/2-7")
    with pytest.raises(Illegal, match=r"the chit is the US's \[5.2\]"):
        field.chit("US Fire/Move", "group=66")


def test_an_officer_rallies_his_company_only() -> None:
    field = Field()
    field.flag(phase="rally")
    field.put("d2", "1/A/2-7", "2/A/2-7", "1/B/2-7", hits=1)
    field.put("d2", "co/A/2-7")
    with pytest.raises(Illegal, match=r"1/B/2-7 does not belong to A/2-7, the company of co/A/2-7 \[9.2\]"):
        field.do("rally", "rally_unit=1/B/2-7", dice=[1] * 9)


def test_only_those_who_fired_advance() -> None:
    """[7.3(6), 6.1] Of an over-stacked area the owner says who fires, and these alone may advance (ruling C-1)."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7", "1/B/2-7")
    field.put("d1", "1/1/1/33", hits=3)
    fire = ("combat=d2 > d1", "firing=3/A, 1/B")
    with pytest.raises(Illegal, match=r"1/A/2-7 has not fired from d2 in this combat \[7.3\(6\)\]"):
        field.fire("ab27", *fire, "advance=1/A/2-7", dice=[6, 1, 1, 1])
    field.fire("ab27", *fire, "advance=3/A", dice=[6, 1, 1, 1])
    assert (field.at("3/A/2-7"), field.at("1/B/2-7")) == ("d1", "d2")


def test_adrenaline_comes_with_the_second_chit() -> None:
    field = Field()
    field.put("d2", "1/A/2-7")
    field.change("US Adrenaline", place="box us adrenaline")
    with pytest.raises(Illegal, match=r"Adrenaline comes with a group's second chit, .* the first of A,B/2-7 \[5.3\]"):
        field.go("ab27", "adrenaline=yes", "moves=none")


def test_dust_off_is_not_sent_where_it_cannot_land() -> None:
    """[6.3] With un-hit NVA in every area with wounded it flies reinforcements, to an area that is suggested."""
    field = Field(turn=7)
    field.put("d2", "1/1/1/33")
    field.wounded("d2")
    field.chit("Dust Off")
    assert field.says("Dust Off cannot land: NVA platoons without a hit are in every area with wounded. [6.3]")
    with pytest.raises(Illegal, match=r"Dust Off cannot land: .* \[6.3\]"):
        field.chit("Dust Off", "dustoff=evacuate")

    field.put("airlift", "1/B/1-5")
    with pytest.raises(Illegal, match=r"Dust Off cannot land: .* \[6.3\]"):
        field.chit("Dust Off", "dustoff=evacuate")
    field.chit("Dust Off", accept=True)
    assert field.at("1/B/1-5") not in ("airlift", "d2")


def test_fire_is_suggested_only_where_it_has_an_effect() -> None:
    """[6.1, 7.3(3), 11.1B] Six platoons in an area do not fire; what is said gives the reason."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7", "1/B/2-7", "2/B/2-7", "3/B/2-7")
    field.put("d1", "1/1/1/33")
    field.chit("US Fire/Move", "moves=none", accept=True)
    assert [request.suggest for request in field.asked if request.key == "action"] == ["move"]
    assert [request.suggest for request in field.asked if request.key == "moves"] == [None]
    field.fire("ab27")
    assert field.says("A,B/2-7 does not fire: no die is left for fire from d2 at d1. [6.1]")
    field.put("to come", "1/A/2-7", "2/A/2-7", "3/A/2-7", "1/B/2-7", "2/B/2-7", "3/B/2-7")
    field.put("d2", "1/A/2-7")
    field.chit("US Fire/Move", "combat=done", accept=True)
    assert [request.suggest for request in field.asked if request.key == "action"] == ["fire"]


def test_a_unit_officer_alone_moves_once_a_turn() -> None:
    """[10.1] Also with the chits of his own group (ruling C-71); the other reading counts none of them."""
    field = Field()
    field.put("e4", "co/A/2-7")
    field.put("d2", "1/A/2-7")
    field.go("ab27", "moves=co/A > e3")
    with pytest.raises(Illegal, match=r"co/A/2-7 is alone and has acted this turn \[10.1\]"):
        field.go("ab27", "moves=co/A > e4")
    field = Field(own_chits="each")
    field.put("e4", "co/A/2-7")
    field.put("d2", "1/A/2-7")
    field.go("ab27", "moves=co/A > e3")
    field.go("ab27", "moves=co/A > e4")
    assert field.at("co/A/2-7") == "e4"


def test_a_chit_that_no_group_can_use_is_set_aside() -> None:
    """[5.2, 11.2] Without a platoon or officer on the map nothing is asked, and no flare burns (ruling C-47)."""
    field = Field(turn=9)
    field.put("e2", "1/1/1/33")
    field.chit("US Fire/Move")
    assert field.says("No US group with a platoon or officer on the map has an open box: the chit has no effect. [5.2]")
    assert field.asked_for("choose", "text") == []


@pytest.mark.parametrize(("reading", "dice"), [("infantry", 0), ("all", 2)])
def test_mortars_return_fire_by_ruling_only(reading: str, dice: int) -> None:
    """[7.3(5)] Ruling C-36; with infantry alone a line says so."""
    field = Field(return_by=reading)
    field.put("d2", "1/A/2-7")
    field.put("e2", "1/Mtr/1/33")
    field.fire("ab27", "combat=d2 > e2", *["return=yes"] * bool(dice), dice=[1] * (2 + dice))
    assert field.says("1/Mtr/1/33: mortars do not return fire. [7.3(5)]") == (not dice)


def test_the_side_says_which_melee_is_fought_first() -> None:
    """[7.2] Two melees of one Move."""
    field = Field()
    field.put("d2", "1/A/2-7")
    field.put("e3", "2/A/2-7")
    field.put("d1", "1/1/1/33")
    field.put("e2", "2/1/1/33")
    field.pool("US Fire/Move", "Visibility")
    orders = ("group=ab27", "action=move", "moves=d2 > d1; e3 > e2", "next_melee=e2")
    field.seed = "1"
    field.do("chit", *orders, draws=["US Fire/Move"], accept=True)
    fought = [line.split()[2].rstrip(":") for line in field.said if line.startswith("Melee in")]
    assert fought == ["e2", "d1"]


def test_the_retreat_names_areas_nearer_to_the_edge() -> None:
    """[5.2E] The cure can be typed where it is offered."""
    field = Field(turn=4)
    field.flag(retreat=True)
    field.put("c4", "1/1/1/33")
    with pytest.raises(Illegal, match=r"\[5.2E\]") as refused:
        field.chit("NVA Fire/Move", "moves=c4 > off")
    with pytest.raises(Illegal, match=r"no order is given to 1/1/1/33 \[5.2E\]. Add: ") as refused:
        field.chit("NVA Fire/Move", "moves=none")
    cure = refused.value.cure.removeprefix("Add: ")
    field.chit("NVA Fire/Move", f"moves={cure}")
    assert field.at("1/1/1/33") != "c4"


def test_a_wounded_officer_is_named_as_the_reason() -> None:
    field = Field()
    field.put("d2", "1/A/2-7", hits=1)
    field.put("d2", "co/A/2-7")
    field.change("co/A/2-7", face="wounded")
    with pytest.raises(Illegal, match=r"1/A/2-7 is hit, and co/A/2-7 in d2 is wounded \[10.4\]"):
        field.go("ab27", "moves=1/A > e2")


def test_none_for_a_battery_says_that_the_others_are_silent_too() -> None:
    field = Field()
    field.put("columbus", "1/Art", "2/Art")
    field.put("d2", "co/A/2-7")
    field.put("d1", "1/1/1/33")
    field.chit("Artillery", "target=none")
    assert field.says("No fire either by 2/Art. [5.4]")


def test_dust_off_says_where_it_lands() -> None:
    """[6.3] Also where one area only is open."""
    field = Field(turn=6)
    field.wounded("d2")
    field.chit("Dust Off", accept=True)
    assert field.says("Dust Off lands in d2. [6.3]")


def test_the_flares_that_can_be_lit_are_those_left() -> None:
    field = Field(turn=9)
    field.set(flares=1)
    field.put("d2", "1/A/2-7")
    field.go("ab27", "flares=none", "moves=none")
    assert [request.prompt for request in field.asked if request.key == "flares"] == [
        "Over which areas do you light flares? (1 left, at most 1 now)"
    ]


def test_a_die_beyond_four_officers_is_rolled_again() -> None:
    """[7.5(5), 10.4] Of four the player rolls a d6, and a 5 or 6 selects nobody."""
    field = Field()
    field.put("d2", "1/A/2-7", "co/A/2-7", "co/B/2-7", "co/C/2-7", "co/D/2-7")
    field.put("d1", "1/1/1/33")
    with pytest.raises(Unreadable, match=r"6 selects nobody \[7.3\(4\)\]. Roll again and type that"):
        field.fire("33", "combat=d1 > d2", "first_hit=1/A", "return=no", "officer=6", dice=[6, 1, 1])


def test_a_reduced_platoon_is_called_reduced() -> None:
    field = Field()
    field.put("d2", "1/A/2-7", hits=3)
    field.put("d2", "2/A/2-7", hits=1)
    field.go("ab27", "moves=none")
    assert "1/A/2-7 (reduced), 2/A/2-7 (hit)" in next(request.prompt for request in field.asked if request.key == "moves")


def test_a_win_by_points_cites_the_points() -> None:
    """[4.1, 4.3] The rule on ties is cited for ties."""
    for points, rule in ((5, "4.1"), (0, "4.3")):
        field = Field(turn=10)
        field.flag(phase="administrative")
        field.set(us_vp=points)
        field.do("next")
        assert field.says(f"[{rule}]")
        assert any("US 5" in line if points else "Draw" in line for line in field.said if line.endswith(f"[{rule}]"))


def test_one_of_several_chits_alike_is_enough() -> None:
    """[5.1] A chit is put into the pool by its name."""
    from companion.session.adjust import find_piece

    field = Field()
    pieces = [piece for piece in field.position.of_kind("chit") if piece.name == "US Fire/Move"]
    assert find_piece(field.game, field.position, "US Fire/Move") in pieces
