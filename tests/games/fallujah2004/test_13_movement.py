"""[13.0] J-3 movement, and forces [8.3]."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.games.fallujah2004.corrections import place_named
from tests.games.fallujah2004.field import HARMLESS, Field
from tests.games.fallujah2004.starts import SET
from tests.support.commands import companion

QUIET = ["Deception"]


def march(force: str, start: str, path: str, *answers: str, **options: str) -> Field:
    """One force moves; morale is low and the reaction nothing but a Deception, where there is one."""
    field = Field(**options)
    field.set(morale=0)
    field.put(start, *force.split(", "))
    field.j3(force, path, *answers, draws=QUIET)
    return field


def test_13_0_one_point_a_space() -> None:
    """[10.1(1)] [13.0: points] A movement of 3 is up to three spaces, each for one point."""
    assert march("3/1", "3-9", "3-10").place("3/1") == "3-10"
    assert march("3/1", "3-9", "3-10 3-11 3-12").place("3/1") == "3-12"
    with pytest.raises(Illegal, match=r"4 spaces.*3"):
        march("3/1", "2-9", "3-9 3-10 3-11 3-12")


def test_10_1_1_one_force_moves_and_the_others_stay() -> None:
    """[10.1(1): one] Units of the same space that were not named, and those elsewhere, stay where they are."""
    field = Field()
    field.put("3-9", "3/1", "3/5")
    field.put("4-8", "1/8")
    field.set(morale=0)
    field.j3("3/1", "3-10", draws=["Deception"])

    assert [field.place(unit) for unit in ("3/1", "3/5", "1/8")] == ["3-10", "3-9", "4-8"]


@pytest.mark.parametrize(("level", "picks"), [(0, 1), (1, 2), (2, 3)])
def test_10_1_2_morale_says_how_many_reaction_counters_are_picked(level: int, picks: int) -> None:
    """[10.1(2): picks] One more for each level of morale."""
    field = Field()
    field.set(morale=level)
    field.put("3-9", "3/1")
    draws = ["Deception", "Deception", "Blow Bridges"][:picks]
    field.j3("3/1", "3-10", draws=draws, dice=[1, 1] if picks == 3 else [])

    assert field.asked_for("draw") == ["pick"] * picks


def test_13_0_no_space_twice_as_dear() -> None:
    """[13.0: points] The player may go less far than he could; a force that stays put has spent its OP all the same [14.2]."""
    field = Field()
    field.put("3-9", "3/1")
    field.j3("3/1", "3-9")

    assert field.ops == 64
    assert field.says("stays where it is", "14.2")


def test_8_3_the_slowest_sets_the_pace() -> None:
    """[8.3: pace] [13.0: together] Movements of 2 and 3 together: 2."""
    assert march("3/1, 3/5", "3-9", "3-10 3-11").place("3/5") == "3-11"
    with pytest.raises(Illegal, match="3/5"):
        march("3/1, 3/5", "3-9", "3-10 3-11 3-12")


def test_8_3_the_reduced_side_counts() -> None:
    """[4.2] [8.3: pace] A unit moves by what is printed on the side that is up."""
    field = Field(facts={"unit:USMC 3/1": "USMC 3/1 inf bn 3(3)3/2(2)1"})
    field.put("3-9", "3/1")
    field.reduce("3/1")
    with pytest.raises(Illegal, match="USMC 3/1 moves 1"):
        field.j3("3/1", "3-10 3-11")


def test_8_3_a_force_starts_in_one_space() -> None:
    """[8.3: start] [10.2: one] Units of two spaces are no force."""
    field = Field()
    field.put("3-9", "3/1")
    field.put("3-10", "3/5")
    with pytest.raises(Illegal, match="one space"):
        field.j3("3/1, 3/5", "3-11")


def test_8_3_some_may_stay_behind() -> None:
    """[8.3: some] Of several units in a space any may form the force."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1", "3/5", "A Tank")
    field.j3("3/1, A Tank", "3-10", draws=QUIET)

    assert [field.place(name) for name in ("3/1", "A Tank", "3/5")] == ["3-10", "3-10", "3-9"]


def test_8_3_no_unit_is_dropped_on_the_way() -> None:
    """[8.3: drop] [13.0: together] After a battle won the whole force goes on: which units do is no question."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1", "3/5")
    field.j3("3/1, 3/5", "3-10", "move_on=yes", "to=3-11", draws=[HARMLESS, "Deception"], dice=[6, 1, 1, 1, 3, 3])

    assert field.asked_for().count("force") == 1
    assert (field.place("3/1"), field.place("3/5")) == ("3-11", "3-11")


def test_13_1_a_node_ends_the_move() -> None:
    """[13.1, 8.2, 20.1] Ground units stop where a Node lies, concealed (C-49) or revealed, and go no farther."""
    # [8.2: opfor] [13.1: enter]
    for prepare in (lambda field: None, lambda field: field.node("3-8", "abandoned_position")):
        field = Field()
        field.set(morale=0)
        prepare(field)
        field.put("2-8", "3/1")
        concealed = bool(field.count("3-8", "concealed"))
        field.j3("3/1", "3-8 3-9", draws=(["Abandoned Position"] if concealed else []) + QUIET)
        assert field.place("3/1") == "3-8"
        assert field.says("the force stops there", "13.1")


@pytest.mark.parametrize("force", ["3/1", "1 FR"])
def test_8_2_an_opfor_unit_ends_the_move(force: str) -> None:
    """[8.2: opfor] One that a correction has put on the map stops every force by ground, SOF too, and is fought."""
    field = Field()
    field.set(morale=0)
    field.clear("3-8")
    field.put("2-8", force)
    field.put("3-8", HARMLESS)
    field.j3(force, "3-8 3-9", "move_on=no", draws=QUIET, dice=[6, 1, 1, 3, 3])
    assert field.place(force) == "3-8"
    assert field.says("An OPFOR unit is at 3-8 Jolan: the force stops there", "8.2")
    assert field.eliminated == [HARMLESS]


def test_13_1_a_space_first_met_on_the_way_may_hold_a_node() -> None:
    """[13.1, 7.1(1)] What a space is, is asked when it is entered: a Mosque has its Node from the set-up."""
    field = Field()
    field.set(morale=0)
    field.put("2-8", "3/1")
    field.j3("3/1", "2-5 2-6", "space:2-5=mosque Blue Dome", draws=["Abandoned Position", *QUIET])
    assert field.place("3/1") == "2-5"

    field.j3("3/1", "2-6 blue", draws=QUIET)
    assert field.place("3/1") == "2-5"


def test_13_0_a_space_that_is_not_on_the_map() -> None:
    """[13.0] The owner has said that there is none: no force enters it."""
    field = Field()
    field.put("2-8", "3/1")
    with pytest.raises(Illegal, match="no space 2-7"):
        field.j3("3/1", "2-7")


def test_13_0_nothing_is_asked_of_a_space_that_is_not_on_the_map() -> None:
    """[13.0: route] Nobody asks whether a route leads there: whatever were answered would be refused."""
    field = Field()
    field.put("2-12", "3/1")
    with pytest.raises(Illegal, match="no space 2-7"):
        field.j3("3/1", "2-7")
    assert "joined" not in field.asked_for()


def test_13_1_the_downed_helicopter_ends_the_move_too() -> None:
    """[13.1: enter] [14.7: node] It acts as a Node."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.put("3-10", "Downed Helicopter")
    field.j3("3/1", "3-10 3-11", draws=QUIET)

    assert field.place("3/1") == "3-10"


def test_13_2_one_more_along_the_msr() -> None:
    """[13.2: entirely] A move that keeps to the MSR from its first space to its last has one point more."""
    field = march("3/5", "2-6", "3-6 4-6 5-6")
    assert field.place("3/5") == "5-6"
    assert field.says("keeps to the MSR", "13.2")
    with pytest.raises(Illegal, match="MSR all the way"):
        march("3/5", "2-6", "3-6 3-7 3-9")
    with pytest.raises(Illegal, match="MSR all the way"):
        march("3/5", "3-7", "3-6 4-6 5-6")


def test_13_2_the_msr_does_not_double() -> None:
    """[13.2: once] One point, not two."""
    field = Field()
    field.put("1-6", "3/5")
    with pytest.raises(Illegal, match="4 spaces"):
        field.j3("3/5", "2-6 3-6 4-6 5-6")


def test_13_2_the_point_of_the_msr_serves_after_a_battle_too() -> None:
    """[14.1] [13.2: once] Movement 2: two spaces on the MSR, a battle won, and the third space of a move wholly on the MSR
    (ruling C-68).
    """
    field = Field()
    field.set(morale=0)
    field.put("1-6", "3/5")
    field.j3("3/5", "2-6 3-6", "move_on=yes", "to=4-6", draws=[HARMLESS, "Deception"], dice=[6, 1, 1, 3, 3])
    assert field.place("3/5") == "4-6"
    prompt = next(request.prompt for request in field.asked if request.key == "move_on")
    assert prompt.startswith("1 movement point left, on the MSR only.")

    field = Field()
    field.set(morale=0)
    field.put("1-6", "3/5")
    with pytest.raises(Illegal, match="MSR all the way"):
        field.j3("3/5", "2-6 3-6", "move_on=yes", "to=3-7", draws=[HARMLESS], dice=[6, 1, 1, 3, 3])


def test_13_2_the_point_of_the_msr_is_not_given_twice() -> None:
    """[13.2: once] A force that used the bonus before the battle has none left after it."""
    field = Field()
    field.set(morale=0)
    field.put("1-6", "3/5")
    field.j3("3/5", "2-6 3-6 4-6", draws=[HARMLESS], dice=[6, 1, 1, 3, 3])

    assert "move_on" not in field.asked_for()


def test_13_2_a_move_into_a_base_leaves_the_msr() -> None:
    """[13.2: base] A Base is no space of the MSR: three spaces along it are a move of 3, two and the Base are not."""
    assert march("3/5", "2-6", "3-6 4-6 5-6").place("3/5") == "5-6"
    with pytest.raises(Illegal, match="MSR all the way"):
        march("3/5", "3-6", "4-6, 5-6, east base")


def test_13_3_a_blown_bridge_is_a_river() -> None:
    """[13.3: blown] [14.7: stand] Ground units do not cross where the bridge is blown; they may stand in its space."""
    field = Field()
    field.set(morale=0)
    field.put("1-7", "Bridge Blown")
    field.put("1-8", "3/1")
    field.j3("3/1", "1-7", "river=yes", "to=1-7", "river=no", draws=QUIET)

    assert field.says("cross a river route: name another way", "13.3")
    assert field.place("3/1") == "1-7"


def test_8_3_all_units_are_offered_if_they_can_move_together() -> None:
    """[8.3, 24.5] Not with units of two places, nor with what a helicopter cannot carry."""
    field = Field()
    field.put("north base", "3/1", "3/5")
    field.j3("3/1", "south base")
    assert field.asked[0].allows_all  # type: ignore[attr-defined]
    field.j3("3/5", "south base")
    assert not field.asked[0].allows_all  # type: ignore[attr-defined]
    field.put("south base", "HT 1")
    with pytest.raises(Illegal, match="cannot move by air"):
        field.do("j3", "force=3/1, 3/5, HT 1")


def test_13_4_its_own_base_is_no_destination() -> None:
    """[13.4] The other three are offered."""
    field = Field()
    field.put("north base", "3/1")
    field.j3("3/1", "south base")
    (to,) = [request for request in field.asked if request.key == "to"]

    assert [choice.value for choice in to.legal_choices()][-3:] == ["south base", "east base", "west base"]


def test_8_2_a_path_into_a_full_space_is_refused_before_any_die() -> None:
    """[27.1] [8.2: end] SOF through a Node into a space with two companies: the path is what is wrong."""
    field = Field()
    field.put("3-9", "A Tank", "B Tank")
    field.put("2-9", "1 FR")
    with pytest.raises(Illegal, match="3 companies and platoons, limit 2"):
        field.do("j3", "force=1 FR", "to=3-8 3-9")


def test_13_3_a_player_who_insists_may_cross() -> None:
    """[13.3] What the player sees on the table is recorded, with a warning."""
    field = Field()
    field.set(morale=0)
    field.put("1-7", "Bridge Blown")
    field.put("1-8", "3/1")
    field.j3("3/1", "1-7", "river=yes", draws=QUIET, anyway=True)

    assert field.place("3/1") == "1-7"
    assert field.says("Recorded anyway: only Amtracs", "13.3")


def test_13_3_every_blown_bridge_is_named() -> None:
    """[13.3: blown] Where a move touches both, the question names both."""
    field = Field()
    field.set(morale=0)
    field.put("1-7", "Bridge Blown")
    field.put("1-6", "Bridge Blown")
    field.put("1-8", "3/1")
    field.j3("3/1", "1-7 1-6", "river=no", draws=QUIET)
    (river,) = [request for request in field.asked if request.key == "river"]

    assert "1-6" in river.prompt and "1-7" in river.prompt


def test_13_3_amtracs_and_their_loads_cross() -> None:
    """[25.1, 25.2] [13.3: swimmers] A river route is one point for Amtracs with what they carry, and for SOF."""
    field = Field()
    field.set(morale=0)
    field.put("1-7", "Bridge Blown")
    field.put("1-8", "1 AT", "3/1")
    field.j3("1 AT, 3/1", "1-7", draws=QUIET)

    assert field.place("3/1") == "1-7"
    assert "river" not in field.asked_for()


@pytest.mark.parametrize("base", ["north base", "south base", "east base"])
def test_13_4_a_force_that_leaves_a_base_stops_in_the_first_space(base: str) -> None:
    """[13.4: stop] One space, whatever the movement."""
    assert march("3/1", base, "3-12").place("3/1") == "3-12"
    with pytest.raises(Illegal, match="stops in the first space"):
        march("3/1", base, "3-12 3-11")


@pytest.mark.parametrize("line", range(2, 13))
def test_13_4_the_west_base_opens_on_five_phase_lines(line: int) -> None:
    """[13.4: west] Phase lines 6, 8, 10, 11 and 12 (ruling C-12)."""
    field = Field()
    field.set(morale=0)
    field.put("west base", "3/1")
    ground = [] if f"1-{line}" in ("1-6", "1-7", "1-8", "1-9") else [f"space:1-{line}=urban"]
    if line in (6, 8, 10, 11, 12):
        field.j3("3/1", f"1-{line}", *ground, draws=QUIET)
        assert field.place("3/1") == f"1-{line}"
    else:
        with pytest.raises(Illegal, match="West Base opens on phase lines 6, 8, 10, 11, 12"):
            field.j3("3/1", f"1-{line}", *ground)


@pytest.mark.parametrize(("space", "joined"), [("1-6", True), ("1-7", False), ("1-8", True), ("1-9", False)])
def test_13_4_the_west_base_is_entered_from_five_phase_lines(space: str, joined: bool) -> None:
    """[13.4: west] The limit applies on leaving it, not to other Bases or to helicopters."""
    field = Field()
    field.put(space, "3/1", "HG 1")
    if joined:
        field.j3("3/1", "west base")
    else:
        with pytest.raises(Illegal, match="West Base opens on phase lines 6, 8, 10, 11, 12"):
            field.j3("3/1", "west base")
        field.j3("3/1", "south base")
        (to,) = [request for request in field.asked if request.key == "to"]
        assert [choice.value for choice in to.legal_choices()][-3:] == ["north base", "south base", "east base"]
    field.j3("HG 1", "west base")

    assert (field.place("3/1"), field.place("HG 1")) == ("west base" if joined else "south base", "west base")


def test_13_4_leaving_a_base_draws_a_reaction() -> None:
    """[13.4, 14.1(3)] [14.2: still] In the space where it stops (ruling C-53)."""
    assert march("3/1", "north base", "3-12").asked_for("draw") == ["pick"]


def test_13_4_from_base_to_base() -> None:
    """[13.4: transfer] One OP, no reaction (ruling C-38)."""
    field = Field()
    field.put("north base", "3/1", "A Tank")
    field.j3("3/1, A Tank", "west base")

    assert (field.place("3/1"), field.ops, field.asked_for("draw")) == ("west base", 64, [])
    assert field.says("From North Base to West Base for one OP", "13.4")


def test_13_4_a_move_ends_at_a_base() -> None:
    """[13.4: way] A Base stops a move as the terrain chart says; what was named beyond is not entered."""
    field = Field()
    field.put("3-12", "3/1")
    field.j3("3/1", "3-11, north base, 3-10")

    assert field.place("3/1") == "north base"
    assert field.asked_for("draw") == []


def test_13_0_bases_are_entered_for_a_point() -> None:
    """[13.0] Into a Base from the map: one point, no reaction there."""
    field = Field()
    field.put("3-12", "3/1")
    field.j3("3/1", "north base")

    assert (field.place("3/1"), field.asked_for("draw")) == ("north base", [])


def test_3_1_a_space_may_be_named() -> None:
    """[13.0] Spaces are typed by route and phase line or by their printed names."""
    field = Field()
    field.set(morale=0)
    field.clear("3-8", "4-8")
    field.put("3-9", "3/1")
    field.j3("3/1", "Jolan Market", draws=QUIET)
    assert field.place("3/1") == "4-8"
    field.j3("3/1", "askari", draws=["Abandoned Position", *QUIET])
    assert field.place("3/1") == "5-8"


def test_13_0_no_units_no_operation() -> None:
    """[8.3] Without a unit on the map or in a Base there is no force, and no OP is spent."""
    field = Field()
    with pytest.raises(Illegal, match="no Coalition unit"):
        field.do("j3")
    assert field.ops == 65


def test_3_1_a_unit_is_no_space() -> None:
    """[3.1] 1/8 is a unit where the game has it; its space is 1-8, and a slash serves where no unit is called so."""
    field = Field()
    field.put("3-9", "3/1")
    with pytest.raises(Unreadable, match="3/5 is a unit, not a space"):
        field.j3("3/1", "3/5")
    assert place_named("3/10", field.position) == "3-10"
    assert place_named("3/5", field.position) == ""


def test_3_1_a_list_goes_on_behind_its_comma() -> None:
    """[8.3] Words of the shell: the force is 3/5 and 1/8, the space 2-12."""
    companion("printed", "fallujah2004", "import", str(SET))
    companion("new", "fallujah2004", "--scenario", "vigilant", "--seed", "3")
    companion("do", "buy", "buy=3/1, 3/5, 1/8", "at=north")

    assert "USMC 3/5, USMC 1/8: North Base -> 2-12" in companion("do", "j3", "3/5,", "1/8", "2-12").out


# -- what joins two spaces ---------------------------------------------------------------------------------------------


def route(field: Field, origin: str, target: str) -> str:
    return field.facts.get(f"route:{origin}/{target}", "")


def test_13_0_a_step_that_looks_like_a_slip_is_asked_and_remembered() -> None:
    """[13.0] 3-9 and 4-11 do not lie side by side: asked once, then known; a step to a neighbour is not asked and learnt."""
    # [13.0: route]
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "4-11", "joined=no", "to=3-10", draws=QUIET)
    assert field.says("No route joins 3-9 and 4-11: name another way.", "13.0")
    assert (route(field, "3-9", "4-11"), route(field, "3-9", "3-10"), field.place("3/1")) == ("none", "land", "3-10")
    field.put("3-9", "3/1")
    with pytest.raises(Illegal, match="no route joins 3-9 and 4-11, as you entered it"):
        field.j3("3/1", "4-11")

    field.j3("3/1", "5-9", "joined=yes", draws=QUIET)
    field.put("3-9", "3/1")
    field.clear("5-9")
    field.j3("3/1", "5-9", draws=QUIET)
    assert field.place("3/1") == "5-9"
    assert "joined" not in field.asked_for()


@pytest.mark.parametrize(
    ("base", "space", "asked"),
    [
        ("north base", "3-12", False),
        ("north base", "3-9", True),
        ("south base", "3-6", False),
        ("west base", "2-11", False),
        ("west base", "4-8", True),
        ("east base", "6-8", False),
        ("east base", "2-9", True),
    ],
)
def test_13_4_a_base_opens_on_the_edge(base: str, space: str, asked: bool) -> None:
    """[13.4: others] A space with others beyond it is no likely entry: asked, in either direction, and remembered."""
    field = Field(facts={f"route:{space}/{base}": ""})
    field.clear_map()
    field.set(morale=0)
    field.put(base, "3/1")
    field.j3("3/1", space, *(["joined=yes"] if asked else []), draws=QUIET)
    assert field.place("3/1") == space
    assert route(field, space, base) == "land"

    field.j3("3/1", base)
    assert field.place("3/1") == base


@pytest.mark.parametrize("path", ["3-10 3-10 3-11", "3-9 3-10"])
def test_13_0_no_space_twice_in_a_row(path: str) -> None:
    """[13.0: twice] Each space that is entered once: neither the one where they stand nor the same again."""
    field = Field()
    field.put("3-9", "3/1")
    with pytest.raises(Illegal, match="is named twice in a row"):
        field.j3("3/1", path)


def test_13_3_a_river_route_is_asked_once() -> None:
    """[13.3, 25.1] Between two water symbols a river may run: ground units do not cross it, and what is said is remembered."""
    # [13.3: river]
    field = Field()
    field.set(morale=0)
    field.put("1-8", "3/1")
    field.j3("3/1", "1-9", "river=yes", "to=2-8", draws=QUIET)
    assert (route(field, "1-8", "1-9"), field.place("3/1")) == ("river", "2-8")

    field.put("1-8", "3/1", "1 AT")
    field.put("3-12", "3/5")
    with pytest.raises(Illegal, match="a river route joins 1-8 and 1-9"):
        field.j3("3/1", "1-9")
    field.j3("3/1, 1 AT", "1-9", draws=QUIET)
    assert field.place("3/1") == "1-9"

    field = Field()
    field.set(morale=0)
    field.put("1-8", "3/1")
    field.j3("3/1", "1-9", "river=no", draws=QUIET)
    field.j3("3/1", "1-8", draws=QUIET)
    assert (route(field, "1-8", "1-9"), field.place("3/1")) == ("land", "1-8")
    assert "river" not in field.asked_for()


def test_13_3_a_repaired_bridge_can_be_crossed() -> None:
    """[18.4] [13.3: mended] The way over a blown bridge is remembered as one, and refused only while it is blown."""
    field = Field()
    field.set(morale=0)
    field.put("1-6", "Bridge Blown")
    field.put("2-6", "3/1", "1 CE")
    field.j3("3/1", "1-6", "river=yes", "to=2-6")
    assert route(field, "1-6", "2-6") == "bridge"
    with pytest.raises(Illegal, match="a blown bridge joins 2-6 and 1-6"):
        field.j3("3/1", "1-6")
    field.put("off", "Bridge Blown")
    field.j3("3/1", "1-6", draws=QUIET)
    assert field.place("3/1") == "1-6"


def test_13_4_a_base_on_the_way_ends_the_move_aloud() -> None:
    """[13.4: way] Spaces named beyond it are not entered, and this is reported."""
    field = Field()
    field.put("3-12", "3/1")
    field.j3("3/1", "south base, 4-12")

    assert field.place("3/1") == "south base"
    assert field.says("South Base ends the move.", "13.4")


def test_13_4_a_base_named_first_ends_a_move_from_a_base() -> None:
    """[13.4] Insisted on, a way from base to base and further ends at the base; no route is asked about."""
    field = Field(facts={"route:south base/west base": ""})
    field.put("west base", "3/1")
    field.j3("3/1", "south base, 3-2", anyway=True)

    assert (field.place("3/1"), "joined" in field.asked_for()) == ("south base", False)


def test_13_0_the_slowest_named_is_not_the_one_aboard() -> None:
    """[25.2] [13.0: aboard] 3/5 (movement 2) rides in the Amtrac, whose 3 points are too few."""
    field = Field()
    field.put("3-9", "3/5", "1 AT")
    with pytest.raises(Illegal, match=r"5 spaces, but the force has 3 movement points \(USMC 1 AT\)"):
        field.j3("3/5, 1 AT", "3-10 3-11 3-12 4-12 5-12")


def test_25_1_a_water_move_of_sof_is_theirs() -> None:
    """[27.3, 25.1] SOF alone move by 27.3, an Amtrac by 25.1."""
    for force, rule in (("1 FR", "27.3"), ("1 AT", "25.1")):
        field = march(force, "1-8", "water 1-9")
        assert field.says("By water to 1-9.", rule)


def test_13_4_the_west_base_is_entered_by_its_five_phase_lines_too() -> None:
    """[13.4] Phase line 9 does not lead there, line 8 does (ruling C-12); what cannot be entered is not offered."""
    field = Field(facts={"route:1-9/west base": ""})
    field.put("1-9", "3/1")
    with pytest.raises(Illegal, match="opens on phase lines 6, 8, 10, 11, 12, not on 9"):
        field.j3("3/1", "west base")
    (to,) = [request for request in field.asked if request.key == "to"]
    assert "west base" not in [choice.value for choice in to.legal_choices()]

    field.put("1-8", "3/1")
    field.j3("3/1", "west base")
    assert field.place("3/1") == "west base"


def offered_ends(field: Field) -> list[str]:
    return [choice.value for choice in [request for request in field.asked if request.key == "to"][-1].legal_choices()]


def test_13_3_a_base_beyond_a_river_is_offered_to_forces_that_can_cross_it() -> None:
    """[13.4] [13.3: offered] Where a river route is known to lead to the West Base, only swimmers are shown it."""
    field = Field(facts={"route:1-8/west base": "river"})
    field.put("1-8", "3/1", "1 AT")
    field.j3("3/1", "1-8")
    assert "west base" not in offered_ends(field)
    field.j3("1 AT", "1-8")
    assert "west base" in offered_ends(field)


def test_13_3_a_route_inferred_at_a_bridge_is_asked_for_once_it_is_blown() -> None:
    """[14.7] [13.3: learnt] A way gone at the end of a bridge may lead over it: once the bridge is blown, that is asked once."""
    field = Field(facts={"route:1-6/west base": ""})
    field.set(morale=0)
    field.put("west base", "3/1", "A Tank", "B Tank")
    field.j3("3/1", "1-6", draws=QUIET)
    assert ("river" in field.asked_for(), route(field, "1-6", "west base")) == (False, "either")
    field.put("1-6", "Bridge Blown")
    field.j3("A Tank", "1-6", "river=yes", "to=south base")
    assert (field.place("A Tank"), route(field, "1-6", "west base")) == ("south base", "bridge")
    with pytest.raises(Illegal, match="a blown bridge joins"):
        field.j3("B Tank", "1-6")


def test_13_3_a_river_is_asked_about_on_the_first_step_too() -> None:
    """[13.3: river] Unknown ground is asked for before a river is crossed into it, not after."""
    field = Field()
    field.set(morale=0)
    field.put("1-8", "A Tank")
    field.flag("space:1-9", None)
    del field.facts["space:1-9"]
    field.j3("A Tank", "1-9", "space:1-9=open water", "river=yes", "to=1-8")
    assert (field.place("A Tank"), route(field, "1-8", "1-9")) == ("1-8", "river")


def test_32_0_a_base_on_the_way_is_where_sof_stop_too() -> None:
    """[13.4] [32.0(3): same] A way by a base ends there, for SOF as for others: it leads to no space beyond."""
    field = Field(networked="on")
    field.put("3-9", "1 FR")
    field.put("3-10", "3/1")
    field.put("available", "NetWar")
    with pytest.raises(Illegal, match="every force ends in 3-11"):
        field.do("networked", "force=3/1", "to=3-11", "more=yes", "force=1 FR", "to=north base, 3-11")


def test_13_0_a_diagonal_step_is_asked_about_unless_it_follows_the_msr() -> None:
    """[3.1, 13.2] [13.0: aslant] Routes run north and south, phase lines east and west; only the MSR has diagonals."""
    field = Field(facts={"space:4-7": "urban msr"})
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "4-10", "joined=no", "to=3-10 4-10", draws=QUIET)
    assert (route(field, "3-9", "4-10"), route(field, "3-10", "4-10"), field.place("3/1")) == ("none", "land", "4-10")

    field.put("3-6", "3/5")
    field.j3("3/5", "4-7", draws=QUIET)
    assert ("joined" in field.asked_for(), field.place("3/5")) == (False, "4-7")


def test_13_3_the_west_base_lies_beyond_the_river() -> None:
    """[13.3: west] A way from there to a water symbol without a bridge may be a river route: asked once, in either direction."""
    field = Field(facts={"route:1-8/west base": "", "route:2-11/west base": "", "route:1-6/west base": ""})
    field.set(morale=0)
    field.put("west base", "3/1", "1 AT")
    field.j3("3/1", "1-8", "river=yes", "to=2-11", draws=QUIET)
    assert (field.place("3/1"), route(field, "1-8", "west base")) == ("2-11", "river")
    field.j3("1 AT", "1-8", draws=QUIET)
    field.put("1-8", "3/5")
    with pytest.raises(Illegal, match="a river route joins 1-8 and West Base"):
        field.j3("3/5", "west base")

    field.put("west base", "3/5")
    field.j3("3/5", "1-6", draws=QUIET)
    assert (field.place("3/5"), "river" in field.asked_for()) == ("1-6", False), "over the standing bridge"


def test_13_3_routes_beyond_a_stop_are_not_recorded() -> None:
    """[13.1] [13.3: gone] A Node cuts the way short: whether what lies beyond is joined is neither asked nor remembered."""
    field = Field()
    field.set(morale=0)
    field.put("2-8", "3/1")
    field.j3("3/1", "3-8 5-9", draws=["Abandoned Position", *QUIET])
    assert (field.place("3/1"), route(field, "2-8", "3-8"), route(field, "3-8", "5-9")) == ("3-8", "land", "")
    assert "joined" not in field.asked_for()
