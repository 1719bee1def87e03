"""[6.0] Movement."""

from __future__ import annotations

import pytest

from companion.core.errors import Ambiguous, Illegal, Unreadable
from companion.games.lzalbany.areas import AreaMap, read_area, read_ground, read_list
from companion.games.lzalbany.notation import Orders, orders_text
from tests.games.lzalbany.field import Field


def test_units_move_to_adjacent_areas() -> None:
    """[6.2] Any or all of the group; others stay."""
    # [5.2: apart] [6.2: group, adjacent]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "1/C/2-7")

    field.go("ab27", "moves=1/A > e2")

    assert [field.at(name) for name in ("1/A/2-7", "2/A/2-7")] == ["e2", "d2"]
    with pytest.raises(Illegal, match=r"f3 is not next to d2 \[6.2\]"):
        field.go("ab27", "moves=2/A > f3")
    with pytest.raises(Illegal, match=r"1/C/2-7 belongs to C,D/2-7, and this chit activates A,B/2-7 \[5.2\]"):
        field.go("ab27", "moves=1/C > e2")
    with pytest.raises(Illegal, match=r"2/A/2-7 is in d2 already \[6.2\]"):
        field.go("ab27", "moves=2/A > d2")


@pytest.mark.parametrize("hits", [1, 2, 3])
def test_a_hit_unit_moves_only_with_an_officer(hits: int) -> None:
    """[6.2A, 8.2, 8.3, 10.3] Of its company, or a senior one, unwounded, in its area."""
    # [6.2A: officer] [8.2: officer] [8.3: move] [10.4: abilities]
    field = Field()
    field.put("d2", "1/A/2-7", hits=hits)
    field.put("d2", "co/B/2-7")

    with pytest.raises(Illegal, match=r"no officer of its own in d2 \[6.2A\]"):
        field.go("ab27", "moves=1/A > e2")
    field.put("d2", "co/A/2-7")
    field.change("co/A/2-7", face="wounded")
    with pytest.raises(Illegal, match=r"co/A/2-7 in d2 is wounded \[10.4\]"):
        field.go("ab27", "moves=1/A > e2")
    field.put("d2", "McDade")
    field.go("ab27", "moves=1/A McDade > e2")
    assert field.at("1/A/2-7") == "e2"


def test_the_position_on_the_board_counts() -> None:
    """[6.2A] The player insists."""
    field = Field()
    field.put("d2", "1/A/2-7", hits=1)

    field.go("ab27", "moves=1/A > e2", anyway=True)

    assert field.at("1/A/2-7") == "e2"
    assert field.says("Recorded anyway: 1/A/2-7 is hit")


def test_where_nobody_may_go_the_example_is_to_stay() -> None:
    """[6.2A] Hit, without an officer: an example is an answer that can be given."""
    field = Field()
    field.put("d2", "1/A/2-7", hits=1)
    field.go("ab27", "moves=none")
    (request,) = [request for request in field.asked if request.key == "moves"]

    assert request.example == "none" and request.expects() == "Type it like this: none"


def test_artillery_does_not_move() -> None:
    """[6.2C] It belongs to no group and cannot be ordered."""
    # [6.2C: stays]
    field = Field()
    field.put("columbus", "1/Art", "1/A/1-5")

    with pytest.raises(Illegal, match=r"1/Art is artillery, which does not leave LZ Columbus \[6.2C\]"):
        field.go("ab15", "moves=1/Art > g3")


def test_6_2_b_without_adrenaline_a_chit_is_one_move() -> None:
    """[6.2, 6.2B] One area with each action; a counter that is ordered twice in one action is refused."""
    # [6.2: adjacent] [6.2B: twice]
    field = Field()
    field.put("d2", "1/A/2-7")

    with pytest.raises(Illegal, match=r"f2 is not next to d2 \[6.2\]"):
        field.go("ab27", "moves=1/A > f2")
    with pytest.raises(Unreadable, match="1/A/2-7 is named twice"):
        field.go("ab27", "moves=1/A > e2; 1/A > f2")
    with pytest.raises(Unreadable, match=r"no counter 'zzz' can be ordered \[6.2\]. Nobody else can be named"):
        field.go("ab27", "moves=all > e2; zzz > e2")
    field.pool("US Fire/Move", "Visibility")
    field.change("US Adrenaline", place="box us adrenaline")
    field.box("ab27")
    answers = ("action=move", "adrenaline=yes", "moves=1/A > e2", "second=move", "moves=1/A > f2")
    field.do("chit", "group=ab27", *answers, draws=["US Fire"])
    assert field.at("1/A/2-7") == "f2"


def test_a_no_move_marker() -> None:
    """[3.5] The unit stays this turn."""
    # [3.5: markers]
    field = Field()
    field.put("d2", "1/A/2-7")
    field.change("1/A/2-7", marks={"incident": "no fire or move"})

    with pytest.raises(Illegal, match=r"bears a 'no fire or move' marker \[3.5\]"):
        field.go("ab27", "moves=1/A > e2")


def test_the_wounded_are_carried_by_a_platoon_of_their_own_area() -> None:
    """[6.3, 8.4A] A platoon that enters the area from elsewhere carries no wounded."""
    # [6.3: carried] [8.4A: platoon]
    field = Field()
    field.put("d2", "2/A/2-7")
    field.put("e2", "1/A/2-7")
    marker = field.wounded("d2")

    with pytest.raises(Illegal, match=r"nobody carries W:1/C/2-7 from d2 to e3 \[8.4A\]"):
        field.go("ab27", f"moves={marker} > e3; 1/A > e3")
    field.go("ab27", f"moves={marker} > e3; 2/A > e3")
    assert field.at(marker) == "e3"


def test_the_wounded_are_carried() -> None:
    """[6.3, 8.4, 8.4A, 10.4] Any number, wounded officers too, where a platoon of their area goes."""
    # [6.3: carried] [8.4: alone]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/A/2-7")
    field.change("co/A/2-7", face="wounded")
    field.wounded("d2", "1/C/2-7")
    field.wounded("d2", "2/C/2-7")

    with pytest.raises(Illegal, match=r"nobody carries W:1/C/2-7 from d2 to e2 \[8.4A\]"):
        field.go("ab27", "moves=W:1/C > e2; 1/A > e3")
    field.go("ab27", "moves=1/A W:1/C W:2/C co/A > e2")
    assert {field.at(name) for name in ("1/A/2-7", "W:1/C/2-7", "W:2/C/2-7", "co/A/2-7")} == {"e2"}
    assert field.says("A platoon carries co/A/2-7, W:1/C/2-7, W:2/C/2-7 along. [8.4A]") or field.says("A platoon carries W:1/C")


@pytest.mark.parametrize("hits", [0, 1, 2, 3])
def test_6_3_a_platoon_with_any_number_of_hits_carries(hits: int) -> None:
    """[6.3, 8.4, 8.4A] A hit one moves with its officer and takes the wounded along; they do not go by themselves."""
    # [6.3: hit] [8.4: alone]
    field = Field()
    field.put("d2", "1/A/2-7", hits=hits)
    field.put("d2", "co/A/2-7")
    marker = field.wounded("d2")

    with pytest.raises(Illegal, match=r"nobody carries W:1/C/2-7 from d2 to e2 \[8.4A\]"):
        field.go("ab27", f"moves={marker} co/A > e2")
    field.go("ab27", f"moves=1/A {marker} co/A > e2")
    assert {field.at(name) for name in ("1/A/2-7", marker, "co/A/2-7")} == {"e2"}


def test_10_4_a_wounded_officer_is_carried() -> None:
    """[6.3, 10.4] Wounded, he goes with a platoon of his area and not by himself; unwounded he goes alone."""
    # [10.4: carried]
    field = Field()
    field.put("d2", "1/A/2-7", "co/C/2-7", "co/A/2-7")
    field.change("co/C/2-7", face="wounded")

    with pytest.raises(Illegal, match=r"nobody carries co/C/2-7 from d2 to e2 \[8.4A\]"):
        field.go("ab27", "moves=co/C co/A > e2")
    field.go("ab27", "moves=1/A co/C > e2; co/A > d1")
    assert [field.at(name) for name in ("co/C/2-7", "co/A/2-7")] == ["e2", "d1"]


def test_an_area_in_an_order_means_all_counters_of_the_group_there() -> None:
    """[6.2] The wounded come along."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    marker = field.wounded("d2")

    field.go("ab27", "moves=d2 > e2")

    assert {field.at(name) for name in ("1/A/2-7", "2/A/2-7", marker)} == {"e2"}


def test_officers_move_by_themselves_and_do_not_stack() -> None:
    """[10.2, 6.1]"""
    # [10.2: apart]
    field = Field()
    field.put("d2", "co/A/2-7", "1/A/2-7")
    field.put("e2", "1/C/2-7", "2/C/2-7", "3/C/2-7")

    field.go("ab27", "moves=co/A > e2")

    assert [field.at("co/A/2-7"), field.at("1/A/2-7")] == ["e2", "d2"]
    assert not field.says("over-stacked")


def test_over_stacking_is_allowed_and_reported() -> None:
    """[6.1] Three are free; more have their effects in combat."""
    field = Field()
    field.put("d2", "1/A/2-7")
    field.put("e2", "1/C/2-7", "2/C/2-7", "3/C/2-7", "co/C/2-7")

    field.go("ab27", "moves=1/A > e2")

    assert field.says("4 US units over-stack e2. [6.1]")


def test_6_1_officers_and_wounded_do_not_crowd_an_area() -> None:
    """[6.1] Three platoons, two officers and two markers are no massed target; a fourth platoon makes one."""
    # [6.1: counted, massed]
    field = Field()
    field.put("d2", "1/A/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33", "3/1/1/33", "co/1/1/33", "Man")
    field.wounded("e2", "1/C/2-7")
    field.wounded("e2", "2/C/2-7")

    field.fire("ab27", "combat=d2", "target=e2", "return=no", dice=[1, 1])
    assert field.says("The US fires from d2 at e2 with 2 dice.")
    field.put("e2", "1/HQ/1/33")
    field.fire("ab27", "combat=d2", "target=e2", "return=no", dice=[1, 1, 1])
    assert field.says("The US fires from d2 at e2 with 3 dice.")


def test_the_routes_to_lz_columbus() -> None:
    """[6.5] NVA by the east edge and the Transition Area; the US only outwards."""
    # [6.5: edge, transition, out]
    field = Field()
    field.put("g3", "1/1/1/33")
    field.put("f3", "2/1/1/33")
    field.put("d2", "1/A/2-7")
    field.put("columbus", "1/A/1-5", "2/A/1-5")

    with pytest.raises(Illegal, match=r"LZ Columbus is reached from the Transition Area only \[6.5\]"):
        field.go("33", "moves=1/1/1 > columbus")
    with pytest.raises(Illegal, match=r"f3 is not on the east edge \[6.5\]"):
        field.go("33", "moves=2/1/1 > transition")
    with pytest.raises(Illegal, match=r"no US unit moves to LZ Columbus \[6.5\]"):
        field.go("ab27", "moves=1/A > columbus")
    with pytest.raises(Illegal, match=r"d2 is not on the east edge \[6.5\]"):
        field.go("ab15", "moves=1/A > d2")
    field.go("33", "moves=1/1/1 > transition")
    field.go("ab15", "moves=1/A/1-5 > g4")
    assert [field.at("1/1/1/33"), field.at("1/A/1-5")] == ["transition", "g4"]


def test_us_units_do_not_leave_lz_columbus_while_the_nva_is_there() -> None:
    """[6.5, 7.2] Units in a disputed area fight instead (ruling C-32)."""
    # [6.5: shut]
    field = Field()
    field.put("columbus", "1/A/1-5", "1/1/1/33")

    field.go("ab15", "retreat=none", "retreat=none", dice=[1, 1, 1, 1, 1, 1])

    assert field.says("Melee in LZ Columbus")
    with pytest.raises(Illegal, match=r"US units do not leave LZ Columbus while NVA are there \[6.5\]"):
        field.go("ab15", "retreat=none", "retreat=1/A > g3", dice=[1, 1, 1, 1, 1, 1])


def test_6_5_the_nva_leave_lz_columbus_while_the_us_is_there() -> None:
    """[6.5] The bar is the US's only; the way out is an east edge area, not the Transition Area."""
    # [6.5: out, shut]
    field = Field()
    field.put("columbus", "1/A/1-5", "1/1/1/33")

    with pytest.raises(Illegal, match=r"is not on the east edge \[6.5\]"):
        field.go("33", "retreat=1/1/1 > f3", dice=[1] * 6)
    field.go("33", "retreat=1/1/1 > g3", dice=[1] * 6)
    assert field.at("1/1/1/33") == "g3"
    field.go("ab15", "moves=1/A > g4")
    assert field.at("1/A/1-5") == "g4"


def test_no_combat_in_the_transition_area() -> None:
    """[6.5] Both sides may be there."""
    # [6.5: peace]
    field = Field()
    field.put("transition", "1/1/1/33", "1/A/1-5")

    assert not field.referee.is_disputed("transition")
    field.go("33", "moves=none")
    assert not field.says("Melee")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("d2 > e2", "1/A/2-7 2/A/2-7 co/A/2-7 > e2"),
        ("1/A > e2; rest > d1", "1/A/2-7 > e2; 2/A/2-7 co/A/2-7 3/B/2-7 > d1"),
        ("B > e1", "3/B/2-7 > e1"),
        ("all > lz albany", "1/A/2-7 2/A/2-7 co/A/2-7 3/B/2-7 > albany"),
        ("none", "none"),
    ],
)
def test_orders_in_one_line(text: str, read: str) -> None:
    """[6.2] Counters, a company, an area, all or the rest."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/A/2-7")
    field.put("d1", "3/B/2-7")
    pieces = [field.piece(name) for name in ("1/A/2-7", "2/A/2-7", "co/A/2-7", "3/B/2-7")]

    assert orders_text(Orders(pieces, read_area).read(text)) == read


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("d2 > e2; d1 > c1; rest > d1", "d2 > e2; d1 > c1"),
        ("all > e2; rest > d1", "all > e2"),
        ("all > e2, all > d1", "all > e2"),
    ],
)
def test_6_2_nobody_is_left_for_the_rest(text: str, cure: str) -> None:
    """[6.2] Refused with the orders that are enough."""
    field = Field()
    field.put("d2", "1/A/2-7", "co/A/2-7")
    field.put("d1", "3/B/2-7")
    orders = Orders([field.piece(name) for name in ("1/A/2-7", "co/A/2-7", "3/B/2-7")], read_area)

    with pytest.raises(Unreadable, match=r"nobody is left for '(rest|all) > d1'") as refusal:
        orders.read(text)
    assert refusal.value.cure == f"Type it like this: {cure}"
    assert len(orders.read(cure)) == 3


@pytest.mark.parametrize("text", ["d2 > e2", "1/A > e2; 2/A > d1; rest > e2", "A > lz albany; 3/B > c-1", "none"])
@pytest.mark.parametrize("other", [None, "1/A/2-7", "1 A"])
def test_the_normal_form_of_orders_reads_back_as_the_same_orders(text: str, other: str | None) -> None:
    """[6.2] A log holds it and nothing else; also where two counters have a name, and where one has a name of two words."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("d1", "3/B/2-7", "4/B/2-7" if other else "3/B/2-7")
    pieces = [field.piece(name) for name in ("1/A/2-7", "2/A/2-7", "3/B/2-7")]
    if other:
        pieces.insert(0, field.piece("4/B/2-7")._replace(name=other, place="d2"))

    def meant(orders: Orders, text: str) -> list[tuple[str, str]] | str:
        try:
            return [(order.piece.id, order.to) for order in orders.read(text)]
        except Unreadable as fault:
            return str(fault)

    once = Orders(pieces, read_area)
    normal = once.notation.read(text)

    assert meant(once, normal) == meant(Orders(pieces, read_area), normal)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1/A e2", "does not say who goes where"),
        ("1/A > e2; 1/A > d1", "1/A/2-7 is named twice"),
        ("9/Z > e2", "no counter '9/Z'"),
        ("1/A > a>b", "names no area"),
    ],
)
def test_orders_that_cannot_be_read(text: str, message: str) -> None:
    """[6.2] Each with its message."""
    field = Field()
    with pytest.raises(Unreadable, match=message):
        Orders([field.piece("1/A/2-7")], read_area).read(text)


def test_an_ambiguous_counter() -> None:
    """[6.2] A few letters more."""
    field = Field()
    with pytest.raises(Ambiguous):
        Orders([field.piece("1/A/2-7"), field.piece("1/B/2-7")], read_area).read("1 > e2")


def test_facts_of_the_map_are_entered() -> None:
    """[2.2, 7.8] Terrain, edges, neighbours; named areas by two letters."""
    field = Field()
    where = AreaMap(field.position)

    assert (where.terrain("d3"), where.edge("g3"), where.terrain("albany")) == ("jungle", "east", "albany")
    assert where.adjacent("d2", "albany") is True
    assert where.distance("d2", "f3") == 2
    assert [read_area(text) for text in ("LZ Alb", "co", "Transition", "B 3")] == ["albany", "columbus", "transition", "b-3"]
    assert (read_ground("saw east"), read_list("b3; c4,albany")) == ("sawgrass east", "b3, c4, albany")
    with pytest.raises(Unreadable, match="no area 'z9' on this map"):
        read_area("z9", where.areas(), strict=True)


def test_unknown_facts_of_the_map_are_asked_for_once() -> None:
    """[2.2] On a map of one's own."""
    field = Field(map="own")
    field.put("red", "1/A/2-7", "co/A/2-7")
    field.put("blue", "1/1/1/33")

    field.fire("ab27", "combat=red", "target=blue", "area:blue=jungle", "return=yes", "area:red=sawgrass", dice=[1, 1, 1, 1])
    assert field.says("-1 for each of 1 units") or field.says("1: 0 hits") or field.says("2 dice")
    field.fire("ab27", "combat=red", "target=blue", "return=no", dice=[1, 1])
    assert field.facts["area:blue"] == "jungle"
