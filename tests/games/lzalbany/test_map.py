"""The areas: how they are entered, contradictions, and how they are drawn."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.core.map import LEARNT, PRINTED, TOLD, GameMap, split_lines
from companion.core.position import Position
from companion.core.resolver import Answers
from companion.games.lzalbany.ai.planner import Planner
from companion.games.lzalbany.areas import AreaMap, MapGraph, fact_flags
from companion.games.lzalbany.rules.r02_map import neighbours
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.games.lzalbany.field import Field

GAME = Field().game
EMPTY = Position()


def geography() -> GameMap:
    game_map = GAME.map
    assert game_map is not None
    return game_map


def told(text: str) -> dict[str, str]:
    facts: dict[str, str] = {}
    for _, line in split_lines(text):
        facts |= geography().read_line(line, facts)
    return facts


# -- told ----------------------------------------------------------------------------------------------------------------


def test_2_2_a_line_enters_terrain_edge_neighbours_and_sight() -> None:
    assert told("B3 jungle edge; next b2, c4, LZ Albany; sight d4, e3 no") == {
        "area:b3": "jungle edge",
        "next:b3": "b2, c4, albany",
        "los:b3 d4": "yes",
        "los:b3 e3": "no",
    }
    assert told("b3,b4 saw | b5 jungle east; start nva2") == {
        "area:b3": "sawgrass",
        "area:b4": "sawgrass",
        "area:b5": "jungle east",
        "start:b5": "nva2",
    }


def test_2_2_lz_albany_has_neighbours_and_no_ground_to_tell() -> None:
    facts = told("LZ Albany next b3, c4")
    assert facts == {"next:albany": "b3, c4"}
    assert geography().line("albany", facts) == "albany next b3, c4"
    assert told("albany next b3, c4") == facts


@pytest.mark.parametrize(
    "line", ["b3", "b3 swamp", "b3 jungle; next b2, b3", "b3 jungle; colour red", "pool jungle", "b3 jungle; start us2"]
)
def test_2_2_a_line_without_a_fact_is_refused(line: str) -> None:
    with pytest.raises(Unreadable):
        told(line)


def test_2_2_entered_facts_read_back_unchanged() -> None:
    facts = told("b3 jungle edge; next b2, c4, albany; sight d4; range f5 no; start nva1 | albany next b3 | c4 saw; beside d4")
    lines = [geography().line(name, facts) for name in geography().form_spaces(facts)]
    assert told("\n".join(line for line in lines if line)) == facts
    assert geography().form_spaces(facts) == ["albany", "b2", "b3", "c4", "d4", "f5"]


def test_area_listed_next_to_itself_is_no_goal_of_a_move() -> None:
    links = MapGraph({"next:b3": "b3, c4"}).links
    assert (links["b3"], links["c4"]) == (("c4",), ("b3",))


# -- what cannot be ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"next:b3": "b3, c4"}, "b3 cannot be its own neighbour [2.2]: b3 next c4"),
        ({"next:b3": "c4", "next:c4": "d5"}, "b3 has c4 next to it, and c4 not b3 [6.2]: c4 next d5, b3"),
        ({"next:c4": "d5, b3", "next:b3": "a3"}, "c4 has b3 next to it, and b3 not c4 [6.2]: b3 next a3, c4, or c4 next d5"),
        ({"next:b3": "c4, columbus"}, "LZ Columbus has no neighbours, and b3 names it [6.5]"),
        ({"next:transition": "g3"}, "Transition Area has no neighbours"),
        ({"area:albany": "jungle"}, "the rules give the ground of LZ Albany"),
        ({"los:b3": "yes"}, "los:b3 must name two areas [7.8]"),
        ({"los:b3 b3": "yes"}, "los:b3 b3 must name two areas [7.8]"),
        ({"area:b3": "jungle", "next:c4": "b-3"}, "b-3 and b3 look like one area under two names [2.2]"),
        ({"area:b3": "jungle", "area:b03": "sawgrass"}, "b03 and b3 look like one area"),
        ({"next:b3": "c4", "los:b3 c4": "no"}, "los:b3 c4 was entered as no, against the way of 1"),
        ({"next:b3": "c4", "next:c4": "b3", "los:b3 f5": "yes"}, "los:b3 f5 was entered as yes, against neighbours"),
        ({"next:b3": "c4", "next:c4": "b3, d5", "range:b3 d5": "no"}, "range:b3 d5 was entered as no, against the way of 2"),
        ({"next:b3": "c4", "next:c4": "b3", "range:b3 f5": "yes"}, "neighbours by which it is more than 6 [7.4]"),
        (
            {"next:b3": "c4", "beside:b3 d5": "yes"},
            "beside:b3 d5 was entered as yes, against the neighbours that were entered [6.2]",
        ),
    ],
)
def test_2_2_contradictions_are_named_with_their_cure(facts: dict[str, str], says: str) -> None:
    (found,) = GAME.contradictions(facts)
    assert says in found


def test_2_2_a_map_that_agrees_has_no_contradiction() -> None:
    assert (
        GAME.contradictions(told("b3 jungle; next c4, albany; sight d4 | c4 saw; next b3, d4 | albany next b3; sight c4")) == []
    )


def test_2_2_a_malformed_sight_does_not_break_a_session() -> None:
    """Malformed entries of old sets are left out; they are reported where the map is entered."""
    field = Field(map="own", facts={"los:b3": "yes", "area:B4": "jungle"})
    assert field.referee.map.terrain("b4") == "jungle"


# -- what follows --------------------------------------------------------------------------------------------------------


def known(text: str) -> AreaMap:
    return AreaMap(Position(flags=fact_flags(told(text))))


def test_6_5_lz_columbus_has_no_neighbours_whatever_a_list_names() -> None:
    where = AreaMap(Position(flags=fact_flags({"next:g3": "f3, columbus, transition"})))
    assert where.listed_neighbours("g3") == ("f3",) and where.adjacent("g3", "columbus") is False


def test_6_2_an_area_named_in_a_list_of_neighbours_is_a_neighbour() -> None:
    where = known("b3 jungle; next c4, albany")
    assert where.neighbours("c4") == ("b3",) and where.listed_neighbours("c4") is None
    assert where.distance("c4", "albany") == 2 and where.adjacent("c4", "albany") is None


def test_6_2_two_areas_entered_as_neighbours_need_no_list() -> None:
    where = known("b3 jungle; beside c4, d5 no")
    assert where.adjacent("c4", "b3") is True and where.adjacent("b3", "d5") is False and where.adjacent("b3", "e5") is None
    assert where.neighbours("b3") == ("c4",)


def test_7_8_an_area_beyond_three_is_out_of_sight_if_all_lists_between_are_entered() -> None:
    where = known("a1 jungle; next a2 | a2 jungle; next a1, a3 | a3 jungle; next a2, a4 | a4 jungle; beside a5")
    assert where.sight("a1", "a5") is False and where.sight("a1", "a4") is None and where.sight("a1", "a2") is True
    assert known("a1 jungle; next a2 | a2 jungle; beside a3").sight("a1", "a5") is None


# -- drawn ---------------------------------------------------------------------------------------------------------------


def test_2_2_the_practice_map_is_drawn_without_a_session_and_without_facts() -> None:
    drawn = geography().build(EMPTY, {"map": "practice"}, {})
    assert drawn.spaces["b3"].cell == (1, 2) and drawn.spaces["b3"].ground == "sawgrass" and drawn.spaces["g1"].symbol == "J>"
    assert drawn.spaces["albany"].cell == (2, 2) and drawn.spaces["albany"].source == PRINTED
    assert set(drawn.neighbours["albany"]) == {"b2", "b3", "c2", "c4", "d2", "d3"}
    assert drawn.notes and "practice map" in drawn.notes[0]


def test_2_2_counters_are_drawn_by_side_and_letter() -> None:
    field = Field()
    field.put("d2", "1/A/2-7", "co/A/2-7")
    field.put("d1", "1/1/1/33")
    field.wounded("d2")
    drawn = geography().build(field.position, field.options, {})
    assert [(stack.side, stack.letter, stack.names) for stack in drawn.spaces["d2"].stacks] == [
        ("US", "U", ("1/A/2-7",)),
        ("US", "u", ("co/A/2-7",)),
        ("US", "W", ("W:1/C/2-7",)),
    ]
    assert [stack.letter for stack in drawn.spaces["d1"].stacks] == ["N"]


def test_2_2_areas_lie_by_their_names_where_all_have_a_letter_and_a_number() -> None:
    facts = told("b3 jungle; next c4, albany | c4 saw; beside d3")
    drawn = geography().build(EMPTY, {}, facts, ["beside:c4 d3"])
    assert drawn.spaces["b3"].cell == (0, 0) and drawn.spaces["c4"].cell == (1, 1)
    assert {(link.one, link.other): link.source for link in drawn.links if link.source != PRINTED} == {
        ("b3", "c4"): TOLD,
        ("albany", "b3"): TOLD,
        ("c4", "d3"): LEARNT,
    }
    assert drawn.spaces["d3"].source == LEARNT
    other = geography().build(EMPTY, {}, {**facts, "area:hill": "jungle"})
    assert all(space.cell is None for space in other.spaces.values())


def test_7_8_an_entered_sight_is_a_feature_of_the_map() -> None:
    drawn = geography().build(EMPTY, {}, told("b3 jungle east; sight d4, e3 no, albany; start nva1"))
    assert drawn.spaces["b3"].features == ("east edge", "circle nva1", "sees d4, LZ Albany", "does not see e3")
    assert ("b3", "transition") in {(link.one, link.other) for link in drawn.links}


# -- learnt --------------------------------------------------------------------------------------------------------------


def test_6_2_a_step_shows_that_two_areas_are_neighbours() -> None:
    """[6.2] Inferred once if not entered; not on the practice map, and not from an illegal move."""
    field = Field(map="own")
    field.put("x1", "1/A/2-7", "2/A/2-7")
    field.go("ab27", "moves=1/A > x2; 2/A > x3")
    assert field.facts == {"beside:x1 x2": "yes", "beside:x1 x3": "yes"}
    assert field.referee.map.adjacent("x2", "x1") is True and field.referee.map.neighbours("x1") == ("x2", "x3")
    assert field.says("So x1 and x2 are next to each other. [6.2]")
    field.go("ab27", "moves=1/A > x1")
    assert not field.says("next to each other")
    field.flag(**{"next:x3": "x1"})
    with pytest.raises(Illegal, match=r"x5 is not next to x3 \[6.2\]"):
        field.go("ab27", "moves=2/A > x5")
    field.go("ab27", "moves=2/A > x5", anyway=True)
    assert "beside:x3 x5" not in field.facts
    practice = Field()
    practice.put("d2", "1/A/2-7")
    practice.go("ab27", "moves=1/A > e2")
    assert practice.facts == {}


def test_7_3_fire_and_a_retreat_show_that_two_areas_are_neighbours() -> None:
    """[7.3, 7.2(4)] Infantry fires at adjacent areas, and units retreat no farther."""
    field = Field(map="own", answer_fire="always", facts={"area:x2": "sawgrass", "area:x1": "sawgrass"})
    field.put("x1", "1/A/2-7")
    field.put("x2", "1/1/1/33")
    field.fire("ab27", "combat=x1 > x2", dice=[1] * 4, accept=True)
    assert field.facts.get("beside:x1 x2") == "yes"
    field = Field(map="own")
    field.put("x1", "1/A/2-7", "1/1/1/33")
    field.fire("ab27", "retreat=1/1/1/33 > x4", "retreat=none", dice=[1] * 6)
    assert field.facts == {"beside:x1 x4": "yes"}


def test_6_5_a_step_from_lz_columbus_shows_no_neighbours() -> None:
    """[6.5] It is a way to move (ruling C-69)."""
    field = Field(turn=7, map="own", facts={"area:x1": "jungle east"})
    field.put("columbus", "1/A/1-5")
    field.go("ab15", "moves=1/A > x1")
    assert not [key for key in field.facts if key.startswith("beside")]


def test_2_2_facts_inferred_from_play_are_retracted_by_undo(archive: Archive) -> None:
    """It is known as learnt, and to the next game; undo takes it back."""
    session = SessionController.create(archive, "lzalbany", "battle", {"map": "own"}, seed="1")
    session.adjust([("flag:phase", "action"), ("flag:named:x1", "yes"), ("1/A/2-7", "x1")], "a test")
    session.do("chit", Answers([("group", "ab27"), ("action", "move"), ("moves", "1/A > x2")], draws=["US Fire"]), anyway=True)
    assert archive.printed("lzalbany")["beside:x1 x2"] == "yes" and archive.inferred_facts("lzalbany") == {"beside:x1 x2"}
    session.undo(1)
    assert "beside:x1 x2" not in archive.printed("lzalbany") and session.position.flag("beside:x1 x2") is None


def test_2_2_a_list_that_leaves_out_a_known_neighbour_is_reported() -> None:
    """[6.2] As it is asked for, and after it was answered."""
    field = Field(map="own", turn=5)
    field.put("x1", "1/A/2-7")
    field.put("x2", "1/1/1/33")
    field.flag(**{"beside:x2 x3": "yes"})
    field.play(lambda game: neighbours(game, "x2", "6.2"), ["next:x2=x1"])
    assert "known so far: x3" in next(request.prompt for request in field.asked if request.key == "next:x2")
    assert field.says("Until now x3 lay next to x2. If so: companion map lzalbany tell x2 next x1, x3 [6.2]")


def test_6_5_a_list_of_neighbours_with_lz_columbus_is_refused() -> None:
    with pytest.raises(Unreadable, match=r"LZ Columbus is adjacent to no area.*\[6.5\]"):
        told("g3 jungle east; next g2, LZ Columbus")


def clear(field: Field) -> None:
    """Nobody is left to be placed of those who start."""
    for piece in [p for p in field.position.pieces.values() if p.place == "to place"]:
        field.move(piece.id, "eliminated")


# -- where forces are placed ---------------------------------------------------------------------------------------------


def test_3_2_circles_entered_for_the_owners_map_apply() -> None:
    """[3.2C, 3.2E, 3.2F] An area without one is refused, with the way to tell of it; our opponent places itself by them."""
    # [3.2C: circles] [3.2E: circles] [3.2F: circles]
    circles = {f"start:x{number}": lot for number, lot in enumerate(["us1"] * 5 + ["nva1"] * 8 + ["nva2"] * 3)}
    field = Field(map="own", nva="companion", opponent="at_once", facts=circles)
    field.flag(phase="deploy")
    with pytest.raises(Illegal, match=r"A/2-7 may not start in x9 \[3.2C\]. It can go to x0, .*tell x9 start us1"):
        field.do("deploy", "a/2-7=1 2 3 > x9; rest > x0", accept=True)
    field.do("deploy", accept=True)
    assert {p.place for p in field.position.of_kind("unit") if p.values["side"] == "NVA" and p.place != "to come"} <= {
        f"x{number}" for number in range(5, 13)
    }
    field = Field(map="own", turn=2, facts=circles)
    field.flag(phase="reinforcement")
    clear(field)
    answers = ["b/2-7=1 2 3 co > y; rest > z", "area:y=sawgrass", "area:z=sawgrass", "nva-senior=x13"]
    with pytest.raises(Illegal, match=r"10/8/66 may not start in x5 \[3.2F\]"):
        field.do("reinforce", *answers, "10/8/66=x5")
    field.do("reinforce", *answers, "10/8/66=x13", "hq/8/66=x14")


def test_3_2_d_green_dots_entered_for_the_owners_map_apply() -> None:
    """[3.2D] B/2-7 comes in on them alone; the proposal goes by them."""
    # [3.2D: dots]
    facts = told("x1,x2,x3 sawgrass; start dot | x4 sawgrass")
    field = Field(map="own", turn=2, facts=facts)
    field.flag(phase="reinforcement")
    clear(field)
    with pytest.raises(Illegal, match=r"x4 has no green dot \[3.2D\]. It can go to x1, x2, x3; .*tell x4 start dot"):
        field.do("reinforce", "b/2-7=1 2 3 co > x1; rest > x4", "nva-senior=w", "10/8/66=w", "hq/8/66=x")
    field.do("reinforce", "nva-senior=w", "10/8/66=w", "hq/8/66=x", accept=True)
    assert {field.at(f"{label}/B/2-7") for label in ("1", "2", "3", "4", "mtr")} <= {"x1", "x2", "x3"}


# -- our opponent --------------------------------------------------------------------------------------------------------


def test_6_2_the_opponent_uses_every_known_neighbour() -> None:
    """[6.2] Also through areas known from other lists or from play, without questions."""
    lists = told("a1 jungle; next b1 | c1 sawgrass; next b1, d1 | d1 jungle; next c1, albany")
    field = Field(map="own", nva="companion", opponent="at_once", facts=lists)
    field.put("b1", "1/1/1/33", "2/1/1/33")
    planner = Planner(field.referee, "NVA")
    assert set(planner._goals("b1")) == {"a1", "c1"}
    assert planner.features.map.distance("b1", "albany") == 3
