"""[5.0] Action chits."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from tests.games.lzalbany.field import Field


def test_a_chit_activates_one_group_and_lies_on_its_track() -> None:
    """[5.2, 5.2A, 5.2B] Fire or Move is the side that is up."""
    # [5.2A: choice]
    field = Field()
    field.put("d2", "1/A/2-7")

    field.go("ab27", "moves=none")

    assert [chit.name for chit in field.position.at("box ab27 move")] == ["US Fire/Move"]
    assert (
        "AB/2-7 move"
        in {banner_field.key: banner_field.value for banner_field in field.game.banner(field.position, field.options).fields}[
            "groups"
        ]
    )


def test_the_groups() -> None:
    """[5.2B, 5.2C] Three a side; artillery and senior officers belong to none."""
    # [5.2B: groups] [5.2C: groups]
    field = Field()
    groups: dict[str, set[str]] = {}
    for piece in field.position.pieces.values():
        if piece.kind in ("unit", "officer"):
            groups.setdefault(str(piece.values["group"]), set()).add(str(piece.values["company"]))

    assert groups == {
        "ab15": {"A/1-5", "B/1-5"},
        "ab27": {"A/2-7", "B/2-7"},
        "cd27": {"C/2-7", "D/2-7"},
        "33": {"1/1/33", "Mtr/1/33", "HQ/1/33"},
        "66": {"6/8/66", "7/8/66", "8/8/66"},
        "66hq": {"10/8/66", "HQ/8/66"},
        "none": {"US senior", "NVA senior", "US artillery"},
    }


def test_a_group_has_two_boxes() -> None:
    """[5.2] A third activation is refused, and recorded where the player insists."""
    # [5.2: twice] [5.2A: box]
    field = Field()
    field.put("d2", "1/A/2-7")
    field.put("f4", "1/C/2-7")
    field.pool("US Fire/Move", "Visibility")
    field.box("ab27", 2)

    with pytest.raises(Illegal, match=r"A,B/2-7 has had its 2 activations this turn \[5.2\]"):
        field.do("chit", "group=ab27", "action=move", draws=["US Fire"])
    with pytest.raises(Illegal, match=r"A,B/2-7 has had its 2 activations this turn \[5.2\]"):
        field.do("chit", "group=ab27 fire", draws=["US Fire"])
    field.do("chit", "group=ab27", "action=move", "moves=none", draws=["US Fire"], anyway=True)
    assert field.says("Recorded anyway")
    field.put("to come", "1/C/2-7")
    field.pool("US Fire/Move", "Visibility")
    field.box("ab27", 2)
    field.do("chit", draws=["US Fire"])
    assert field.says("No US group with a platoon or officer on the map has an open box: the chit has no effect. [5.2]")


def test_5_2_groups_in_one_area_are_activated_apart() -> None:
    """[5.2] Of two groups in one area one fires; counters that are not on the map do nothing."""
    # [5.2: apart, off_map] [7.3(1): activated]
    field = Field()
    field.put("d2", "1/A/2-7", "1/C/2-7")
    field.put("f4", "2/A/2-7")
    field.put("e2", "1/1/1/33")

    field.fire("ab27", "combat=d2", "target=e2", "return=no", dice=[1, 1])
    assert field.says("The US fires from d2 at e2 with 2 dice.")
    field.change("1/A/2-7", place="to come")
    with pytest.raises(Illegal, match=r"1/A/2-7 is not on the map, .* \[5.2\]"):
        field.go("ab27", "moves=1/A > e3")
    field.fire("cd27", "combat=d2", "target=e2", "return=no", dice=[1, 1])
    assert field.says("The US fires from d2 at e2 with 2 dice.")


def test_5_2_a_no_unit_of_the_group_must_act() -> None:
    """[5.2A] Some may stay and some be silent; the chit lies on the track all the same."""
    # [5.2A: optional]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("e3", "3/A/2-7")
    field.put("e2", "1/1/1/33")

    field.fire("ab27", "combat=e3", "target=e2", "return=no", "combat=done", dice=[1, 1])
    assert not field.says("US fires from d2")
    assert len(field.position.at("box ab27 fire")) == 1
    field.go("ab27", "moves=1/A > e3")
    assert [field.at("1/A/2-7"), field.at("2/A/2-7")] == ["e3", "d2"]


def test_a_chit_without_any_open_box_has_no_effect() -> None:
    """[5.2] Ruling C-47."""
    field = Field()
    field.pool("NVA Fire/Move", "Visibility")
    for group in ("33", "66", "66hq"):
        field.box(group, 2, "US Fire/Move" if group == "66hq" else "NVA Fire/Move")

    field.do("chit", draws=["NVA Fire"])

    assert field.says("No NVA group has an open box: the chit has no effect. [5.2]")
    field = Field(turn=9)
    field.pool("US Fire/Move", "Visibility")
    for group in ("ab15", "ab27", "cd27"):
        field.box(group, 2, "NVA Fire/Move")
    field.do("chit", draws=["US Fire"], accept=True)
    assert "flares" not in field.asked_for()


def test_a_chit_that_is_not_in_the_pool() -> None:
    """[5.1] It is known, so it is a question of the rules; a word that is no chit is not readable."""
    field = Field()
    field.pool("US Fire/Move", "Visibility")

    field.do("chit", draws=["Artillery"], anyway=True)
    assert field.says("Companion did not have Artillery in the pool. [5.1]")
    with pytest.raises(Unreadable, match="no chit"):
        field.do("chit", draws=["Napalm"])


def test_senior_officers_act_twice_a_turn() -> None:
    """[5.2D, 10.1] With any activating unit in their area."""
    # [5.2D: twice] [10.1: senior]
    field = Field()
    field.put("d2", "1/A/2-7", "McDade")

    field.go("ab27", "moves=1/A McDade > e2")
    assert field.piece("McDade").marks == {"acts": 1}
    field.go("ab27", "moves=1/A McDade > d2")
    assert field.piece("McDade").marks == {"acts": 2}
    with pytest.raises(Illegal, match=r"McDade has acted twice this turn \[5.2D\]"):
        field.go("ab27", "moves=McDade > e2")


def test_5_2_d_a_senior_officer_acts_with_any_group_in_his_area() -> None:
    """[5.2D] Once with each of two groups; not with units of another area."""
    # [5.2D: area, groups]
    field = Field()
    field.put("d2", "1/A/2-7", "1/C/2-7", "McDade")

    field.go("ab27", "moves=1/A McDade > e2")
    field.change("McDade", place="d2")
    field.go("cd27", "moves=1/C McDade > e2")
    assert (field.at("McDade"), field.piece("McDade").marks) == ("e2", {"acts": 2})
    field.change("McDade", place="e2", marks={})
    field.put("d2", "2/A/2-7")
    field.change("1/A/2-7", place="d2")
    with pytest.raises(Illegal, match=r"McDade acts with activated units, and none is with him in e2 \[5.2D\]"):
        field.go("ab27", "moves=McDade > e3")


def test_an_area_does_not_mean_the_senior_officer_in_it() -> None:
    """[5.2D] He goes only by name."""
    field = Field()
    field.put("d2", "1/A/2-7", "McDade", "co/A/2-7")

    field.go("ab27", "moves=d2 > e2")

    assert [field.at(name) for name in ("1/A/2-7", "co/A/2-7", "McDade")] == ["e2", "e2", "d2"]


def test_a_lone_officer_acts_with_any_friendly_chit_once() -> None:
    """[10.1] Ruling C-30."""
    # [10.1: alone]
    field = Field()
    field.put("d2", "1/A/2-7")
    field.put("e4", "co/C/2-7")

    field.go("ab27", "moves=co/C > e3")
    assert field.at("co/C/2-7") == "e3"
    with pytest.raises(Illegal, match=r"co/C/2-7 is alone and has acted this turn \[10.1\]"):
        field.go("ab27", "moves=co/C > e2")


def test_adrenaline_is_held_and_gives_two_actions() -> None:
    """[5.3, 6.2B] On the group's second chit."""
    # [5.3: second, actions]
    field = Field()
    field.put("d2", "1/A/2-7")
    field.chit("US Adrenaline")
    assert field.at("US Adrenaline") == "box us adrenaline"
    assert "US holds Adrenaline [5.3]" in field.game.banner(field.position, field.options).reminders
    field.pool("US Fire/Move", "Visibility")
    field.move(field.piece("US Adrenaline").id, "box us adrenaline")
    field.box("ab27")

    field.do(
        "chit",
        "group=ab27",
        "action=move",
        "adrenaline=yes",
        "moves=1/A > e2",
        "second=move",
        "moves=1/A > f2",
        draws=["US Fire"],
    )

    assert field.at("1/A/2-7") == "f2"
    assert field.at("US Adrenaline") == "box spent"
    assert field.game.place_title("box spent") == "beside the tracks"


def test_adrenaline_is_for_the_second_chit_only() -> None:
    """[5.3] With the first chit there is no question."""
    # [5.3: second]
    field = Field()
    field.put("d2", "1/A/2-7")
    field.change("US Adrenaline", place="box us adrenaline")
    field.pool("US Fire/Move", "Visibility")
    field.change("US Adrenaline", place="box us adrenaline")

    field.do("chit", "group=ab27", "action=move", "moves=none", draws=["US Fire"])

    assert "adrenaline" not in [question.key for question in field.asked]


def test_5_3_each_of_the_two_actions_is_fire_or_move() -> None:
    """[5.3] Fire, then Move; another group's second chit later that turn finds it gone."""
    # [5.3: actions]
    field = Field()
    field.put("d2", "1/A/2-7", "1/C/2-7")
    field.put("e2", "1/1/1/33")
    field.pool("US Fire/Move", "Visibility")
    field.change("US Adrenaline", place="box us adrenaline")
    field.box("ab27")
    fire = ("action=fire", "adrenaline=yes", "combat=d2", "target=e2", "return=no")

    field.do("chit", "group=ab27", *fire, "second=move", "moves=1/A > d1", draws=["US Fire"], dice=[1, 1])

    assert field.says("The US fires from d2 at e2 with 2 dice.")
    assert [field.at("1/A/2-7"), field.at("1/C/2-7")] == ["d1", "d2"]
    field.box("cd27")
    field.go("cd27", "moves=none")
    assert "adrenaline" not in field.asked_for()


def test_nva_adrenaline_does_not_reach_lz_columbus() -> None:
    """[5.3] The other way in stays open without it."""
    # [5.3: columbus]
    field = Field()
    field.put("transition", "1/1/1/33")
    field.pool("NVA Fire/Move", "Visibility")
    field.change("NVA Adrenaline", place="box nva adrenaline")
    field.box("33")

    with pytest.raises(Illegal, match=r"does not enter LZ Columbus with Adrenaline \[5.3\]"):
        field.do("chit", "group=33", "action=move", "adrenaline=yes", "moves=1/1 > columbus", draws=["NVA Fire"])
    field.do("chit", "group=33", "action=move", "adrenaline=no", "moves=1/1 > columbus", draws=["NVA Fire"])
    assert field.at("1/1/1/33") == "columbus"


def test_visibility_stops_air_strikes_but_not_dust_off() -> None:
    """[5.5, 5.6] Drawn afterwards they go to their boxes without effect."""
    # [5.6: after, dustoff]
    field = Field()
    field.put("e2", "1/1/1/33")
    field.put("d2", "1/A/2-7", "co/A/2-7")
    field.wounded("d2")
    field.pool("Visibility", "Gunships", "Skyraider", "Dust Off")

    field.do("chit", draws=["Vis"])
    field.do("chit", draws=["Gun"])
    assert field.says("Visibility has been drawn: the gunship makes no strike. [5.6]")
    field.do("chit", draws=["Sky"])
    assert field.says("Visibility has been drawn: the Skyraider makes no strike. [5.6]")
    field.do("chit", "dustoff=evacuate", "area=d2", draws=["Dust"], dice=[1])
    assert field.at("W:1/C/2-7") == "evacuated"


def test_5_6_chits_drawn_before_visibility_take_effect() -> None:
    """[5.6] Only what comes after it makes no strike; the artillery is none of its business."""
    # [5.6: after]
    field = Field()
    field.put("columbus", "1/Art")
    field.put("e2", "1/1/1/33")
    field.put("d2", "1/A/2-7", "co/A/2-7")
    field.pool("Gunships", "Visibility", "Artillery", "Skyraider", "Dust Off")

    field.do("chit", "target=1/1/1", draws=["Gun"], dice=[1, 6, 1, 1, 1])
    assert field.hits("1/1/1/33") == 1
    field.do("chit", draws=["Vis"])
    field.do("chit", "target=e2", draws=["Art"], dice=[2, 6, 1, 1, 1])
    assert field.hits("1/1/1/33") == 2
    field.do("chit", draws=["Sky"])
    assert (field.at("Skyraider"), field.hits("1/1/1/33")) == ("box skyraider", 2)


def test_5_5_c_dust_off_evacuates_or_airlifts() -> None:
    """[5.5, 5.5C] One of the two, without a question about the other; the chit lies in its box until the next turn."""
    # [5.5C: either] [5.5: once]
    field = Field()
    field.put("airlift", "1/B/1-5")
    marker = field.wounded("d2")

    field.chit("Dust Off", "dustoff=airlift", "airlift=1/B > e2")

    assert (field.at("1/B/1-5"), field.at(marker), field.at("Dust Off")) == ("e2", "d2", "box dustoff")
    assert "area" not in field.asked_for()


def test_the_nva_retreat_at_thirty_points() -> None:
    """[5.2E, 4.1A] All chits are Moves, Adrenaline is out, three points once."""
    # [4.1A: retreat] [5.2E: moves]
    field = Field()
    field.set(us_vp=29)
    field.put("e2", "1/1/1/33", hits=2)
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.fire("ab27", "combat=d2", "target=e2", "return=yes", dice=[6, 1, 1, 1, 1])

    assert (field.track("us_vp"), field.position.flag("retreat")) == (33, True)
    assert field.at("NVA Adrenaline") == "out"
    with pytest.raises(Illegal, match=r"the NVA retreats: its chits are Moves \[5.2E\]"):
        field.fire("33")


def test_retreating_units_go_to_the_edge_and_leave() -> None:
    """[5.2E] Not eliminated."""
    # [5.2E: closer, edge]
    field = Field()
    field.flag(retreat=True)
    field.put("b3", "1/1/1/33")
    field.put("a4", "2/1/1/33")

    with pytest.raises(Illegal, match=r"albany|not nearer to a map edge"):
        field.go("33", "moves=1/1 > c4")
    with pytest.raises(Illegal, match=r"b3 is not at the map edge \[5.2E\]"):
        field.go("33", "moves=1/1 > off")
    field.go("33", "moves=1/1 > a3; 2/1 > off")
    assert [field.at("1/1/1/33"), field.at("2/1/1/33")] == ["a3", "left"]
    assert field.track("us_vp") == 0


def test_5_2_e_units_in_the_retreat_return_fire() -> None:
    """[5.2E] Their own chits are Moves; fired at, they answer."""
    # [5.2E: answer]
    field = Field()
    field.flag(retreat=True)
    field.put("d2", "1/A/2-7")
    field.put("e2", "1/1/1/33")

    field.fire("ab27", "combat=d2", "target=e2", "return=yes", dice=[1, 1, 1, 1])
    assert field.says("The NVA fires from e2 at d2 with 2 dice.")
    with pytest.raises(Illegal, match=r"its chits are Moves \[5.2E\]"):
        field.fire("33")
