"""Rulings that can be switched, each in both positions; and what their rules say either way."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.lzalbany.field import Field


@pytest.mark.parametrize(("seniors", "dice"), [("twice", 3), ("any_number", 4)])
def test_5_2_d_a_senior_officer_acts_twice_or_any_number_of_times(seniors: str, dice: int) -> None:
    """[10.1] Ruling C-6: in the third activation of his turn."""
    # [5.2D: twice]
    field = Field(seniors=seniors)
    field.put("d2", "1/A/2-7", "McDade", "1/1/1/33")
    field.change("McDade", marks={"acts": 2})

    field.go("ab27", "retreat=none", "retreat=none", dice=[1] * (3 + dice), accept=True)

    assert field.says(f"Melee in d2: US {dice} dice")


def test_5_2_d_one_chit_activates_a_senior_once() -> None:
    """[10.1] [5.2D: once] He moves into the melee with his platoon and adds his die there, without another question."""
    field = Field()
    field.put("d2", "1/A/2-7", "McDade")
    field.change("McDade", marks={"acts": 1})
    field.put("d1", "1/1/1/33")

    field.go("ab27", "moves=1/A McDade > d1", "retreat=none", "retreat=none", dice=[1] * 7)

    assert field.piece("McDade").marks == {"acts": 2}
    assert field.says("Melee in d1: US 4 dice, NVA 3 dice.")


def test_5_2_d_the_next_chit_is_another_activation() -> None:
    field = Field()
    # [5.2D: once]
    field.put("d2", "1/A/2-7", "McDade")
    field.go("ab27", "moves=1/A McDade > e2")
    field.go("ab27", "moves=1/A McDade > d2")

    assert field.piece("McDade").marks == {"acts": 2}
    field.go("ab27", "moves=1/A > e2")


def test_10_1_a_senior_with_officers_only_is_alone() -> None:
    """Without units in his area he moves once a turn, also with other counters there."""
    # [10.1: company]
    field = Field()
    field.put("d2", "co/A/2-7", "McDade")
    field.go("ab27", "moves=McDade > e2")
    field.put("e2", "co/A/2-7")

    with pytest.raises(Exception, match=r"McDade is alone and has acted this turn \[10.1\]"):
        field.go("ab27", "moves=McDade > f2")


@pytest.mark.parametrize("chit", ["Artillery", "Gunships", "US Adrenaline"])
@pytest.mark.parametrize("lone_officers", ["any_chit", "fire_move"])
def test_10_1_a_lone_officer_goes_with_any_chit_of_his_side(chit: str, lone_officers: str) -> None:
    """[10.1: any] Ruling C-30: once a turn; the other reading asks him with Fire/Move chits only."""
    field = Field(lone_officers=lone_officers)
    field.put("d2", "co/A/2-7")
    field.put("e3", "co/C/2-7", "1/C/2-7")
    answers = ["officers=co/A > e2"] if lone_officers == "any_chit" else []
    field.chit(chit, *answers)

    assert field.at("co/A/2-7") == ("e2" if answers else "d2")
    assert ("officers" in field.asked_for()) is bool(answers)
    field.fire("cd27", *([] if answers else ["officers=co/A > e2"]))
    assert field.at("co/A/2-7") == "e2"
    field.fire("cd27")
    assert "officers" not in field.asked_for()


def test_10_1_lone_officers_of_the_other_side_wait() -> None:
    field = Field()
    # [10.1: other]
    field.put("d2", "co/A/2-7")
    field.put("c2", "1/1/1/33")

    field.chit("NVA Adrenaline")
    field.fire("33", "combat=done")
    assert "officers" not in field.asked_for()


@pytest.mark.parametrize("leading", ["along", "area"])
def test_10_3_an_officer_leads_each_hit_platoon(leading: str) -> None:
    """[6.2A] [10.3: along] Ruling C-55: he cannot stay, nor go elsewhere; where it is enough that he is there, he can."""
    field = Field(leading=leading)
    field.put("d2", "1/A/2-7", "2/A/2-7", hits=1)
    field.put("d2", "co/A/2-7")

    for orders in ("1/A > e2", "1/A > e2; 2/A > e3; co/A > d3", "1/A co/A > e2; 2/A > e3"):
        if leading == "along":
            with pytest.raises(Illegal, match=r"is hit, and no officer of its own goes along to .*\[10.3\]"):
                field.go("ab27", f"moves={orders}")
    field.go("ab27", "moves=1/A 2/A co/A > e2" if leading == "along" else "moves=1/A > e2; 2/A > e3")
    assert field.at("1/A/2-7") == "e2"


@pytest.mark.slow
@pytest.mark.parametrize(("guard", "place"), [("officer", "d2"), ("platoon", "dead")])
def test_8_4_c_an_officer_keeps_a_wounded_marker_from_being_alone(guard: str, place: str) -> None:
    """[8.4C: officer] Ruling C-56: an unwounded one; a wounded one never does."""
    field = Field(wounded_guard=guard)
    field.put("d2", "co/A/2-7", "1/6/8/66")
    marker = field.wounded("d2")
    field.pool("Visibility")
    field.do("chit", draws=["Visibility"], accept=True)
    assert field.at(marker) == place

    field = Field(wounded_guard=guard)
    field.put("d2", "co/A/2-7", "1/6/8/66")
    field.change("co/A/2-7", face="wounded")
    marker = field.wounded("d2")
    field.pool("Visibility")
    field.do("chit", draws=["Visibility"])
    assert field.at(marker) == "dead"


@pytest.mark.parametrize("hits", ["any", "last"])
def test_8_2_a_wounded_marker_and_the_platoons_with_it(hits: str) -> None:
    """Ruling D-9: hit as they are, or only when no platoon is left to take a hit."""
    # [8.2: wounded]
    field = Field(wounded_hits=hits)
    field.put("e2", "1/A/2-7", "1/1/1/33")
    marker = field.wounded("e2")
    if hits == "last":
        field.go("33", "retreat=none", "retreat=none", dice=[6, 1, 1, 1, 1, 1])
        assert (field.at(marker), field.hits("1/A/2-7")) == ("e2", 1)
        field.put("e2", "1/A/2-7", hits=3)
        field.go("33", "retreat=none", "hit=W:1/C", dice=[6, 6, 1, 1, 1], accept=True)
        assert (field.at(marker), field.at("1/A/2-7")) == ("dead", "eliminated")
    else:
        field.go("33", f"first_hit={marker}", "retreat=none", "retreat=none", dice=[6, 1, 1, 1, 1, 1])
        assert field.at(marker) == "dead"


def test_8_2_a_wounded_marker_with_an_officer_only_is_no_target() -> None:
    """[7.3(4)] Ruling D-9: on turn 1 he takes the hits; excess hits are lost."""
    # [8.2: wounded]
    field = Field(turn=1)
    field.put("d2", "co/C/2-7")
    marker = field.wounded("d2")
    field.put("d1", "1/1/1/33", "2/1/1/33")

    field.fire("33", "combat=d1", "target=d2", "advance=none", dice=[6, 6, 6, 1])

    assert (field.at(marker), field.at("co/C/2-7"), field.track("nva_vp")) == ("d2", "dead", 1)
    assert field.says("1 hit too many: no counter is left to take more.")


@pytest.mark.parametrize("own", ["last", "free"])
def test_7_2_3b_an_owner_and_his_officers(own: str) -> None:
    """[8.1] Ruling C-58: later hits go to platoons, or where he likes."""
    # [7.2(3b): own]
    field = Field(own_officers=own)
    field.put("e2", "1/A/2-7", "2/A/2-7", "1/1/1/33", "2/1/1/33", "co/1/1/33")
    dice = [6, 6, 1, 1, 1, 1] + [1] * 7
    answers = ["first_hit=1/1/1", "hit=co/1/1", "retreat=none", "retreat=none"]
    if own == "free":
        field.go("ab27", *answers, dice=dice)
        assert field.piece("co/1/1/33").face == "wounded"
    else:
        with pytest.raises(
            Illegal, match=r"co/1/1/33 \(officer\) cannot take this hit: officers are hit only where .* \[7.2\(3b\)\]"
        ):
            field.go("ab27", *answers, dice=dice)


@pytest.mark.parametrize(("places", "key"), [("targeted", "first_hit"), ("owner", "hit")])
def test_7_4_4_which_side_places_hits_of_nva_mortars_on_nva_units(places: str, key: str) -> None:
    """Ruling C-59: the US, as the side fired at, or the NVA; no third hit either way."""
    # [7.4(4): placed]
    field = Field(friendly_fire=places)
    field.put("b4", "1/Mtr/1/33", "co/Mtr/1/33")
    field.put("c4", "1/A/2-7", "1/1/1/33", "2/1/1/33")

    field.fire("33", "combat=mortar b4", "target=c4", f"{key}=2/1/1", "retreat=none", "retreat=none", dice=[1, 2] + [1] * 9)

    assert (field.hits("2/1/1/33"), field.hits("1/1/1/33")) == (1, 0)
    side = next(request.prompt.split(":")[0] for request in field.asked if request.key == key)
    assert side == ("US" if places == "targeted" else "NVA")
