"""[3.0] Set-up, turns and reinforcements."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.core.position import Position
from tests.games.lzalbany.field import Field
from tests.support.table import Table

SILENT = {f"choi:{side}-{face}": "none" for side in ("us", "nva") for face in range(1, 7)}


def practice(**options: str) -> Table:
    return Table("lzalbany", "battle", SILENT, seed="set-up", map="practice", **options)


def names(position: Position, place: str) -> set[str]:
    return {piece.name for piece in position.at(place)}


def test_markers_and_first_chits() -> None:
    """[3.2, 3.2A, 3.2B, 2.3] Turn 1, no points, eight flares, four NVA chits."""
    table = practice()

    assert table.position.tracks == {"turn": 1, "us_vp": 0, "nva_vp": 0, "flares": 8}
    assert table.names_at("pool") == ["NVA Fire/Move"] * 4
    assert len(table.position.at("flare track")) == 8


def test_forces_at_the_start() -> None:
    """[3.2C, 3.2E] McDade, A, C and D of 2-7; Man, An, 1/33 and three companies of 8/66."""
    # [3.2E: companies]
    table = practice()
    waiting = {str(piece.values["company"]) for piece in table.position.at("to place")}

    assert waiting == {
        *("A/2-7", "C/2-7", "D/2-7", "US senior", "NVA senior"),
        *("1/1/33", "Mtr/1/33", "HQ/1/33", "6/8/66", "7/8/66", "8/8/66"),
    }
    assert "Ba" in names(table.position, "to come")
    table.do("deploy", accept=True)
    assert not table.position.at("to place")
    assert table.position.flag("phase") == "event"


def test_the_player_places_company_by_company() -> None:
    """[3.2C] Orders, or one area for all."""
    table = practice()

    table.do("deploy", "a/2-7=1 2 co > d3; rest > e3", "us-senior=e2", accept=True)

    assert {"1/A/2-7", "2/A/2-7", "co/A/2-7"} <= names(table.position, "d3")
    assert {"3/A/2-7", "4/A/2-7", "mtr/A/2-7"} <= names(table.position, "e3")
    assert table.position.pieces[next(p.id for p in table.position.of_kind("officer") if p.name == "McDade")].place == "e2"


def test_stacking_limits_apply_at_placement() -> None:
    """[6.1, 3.2C] Three units an area; LZ Columbus takes all."""
    # [3.2C: stacking]
    table = practice()

    with pytest.raises(Illegal, match=r"4 US units would be in d3.*three is the most when placing \[3.2C\]"):
        table.do("deploy", "a/2-7=1 2 3 4 > d3; rest > e3")
    with pytest.raises(Illegal, match="have no area yet"):
        table.do("deploy", "a/2-7=1 2 > d3")


def test_3_2_officers_and_the_other_side_leave_room() -> None:
    """[3.2C, 3.2E, 6.1] Three platoons with two officers are accepted, a fourth platoon is not, on either side."""
    # [3.2C: stacking] [3.2E: stacking]
    table = practice()
    nva = ["1/1/33=b2", "mtr/1/33=b3", "hq/1/33=b4", "6/8/66=c1"]

    with pytest.raises(Illegal, match=r"4 NVA units would be in c1.*three is the most when placing \[3.2E\]"):
        table.do("deploy", *nva, "7/8/66=1 co > c1; rest > c4", accept=True)
    table.do("deploy", "a/2-7=1 2 3 co > d3; rest > e3", "us-senior=d3", *nva, "7/8/66=co > c1; rest > c4", accept=True)
    assert {"1/A/2-7", "2/A/2-7", "3/A/2-7", "co/A/2-7", "McDade"} <= names(table.position, "d3")
    assert {"1/6/8/66", "2/6/8/66", "3/6/8/66", "co/6/8/66", "co/7/8/66"} <= names(table.position, "c1")


def test_the_pool_grows_as_chits_arrive() -> None:
    """[5.1, 3.2D, 3.2F, 3.4, 3.8] The dossier's count: 4, 12, 13, 15, 16, and 20 from turn 6 on."""
    # [3.2D: turns] [3.2F: turn] [5.1: turn]
    table = practice(us="companion", nva="companion")
    sizes = []
    table.do("deploy", accept=True)
    while table.track("turn") < 10:
        sizes.append(len(table.position.at("pool")))
        table.position = table.position.changed(
            tracks={**table.position.tracks, "us_vp": 0, "nva_vp": 0}, flags={**table.position.flags, "phase": "administrative"}
        )
        table.do("admin")
        table.do("reinforce", accept=True)
    sizes.append(len(table.position.at("pool")))

    assert sizes == [4, 12, 13, 15, 16, 20, 20, 20, 20, 20]


def test_reinforcements_come_on_their_turn() -> None:
    """[3.4, 3.2D, 3.2F] B/2-7, the artillery and the rest of 8/66 on turn 2; 1-5 on turns 6 and 7."""
    # [3.2D: turns, sawgrass, airlift] [3.2F: turn]
    field = Field(turn=2)
    field.flag(phase="reinforcement")
    rest = {piece.name for piece in field.position.at("to come") if piece.name.endswith("8/66")}
    assert {name.split("/", 1)[1] for name in rest} == {"10/8/66", "HQ/8/66"}

    field.do("reinforce", "b/2-7=1 2 3 co > d1; rest > e1", accept=True)

    assert not rest & names(field.position, "to come")
    assert names(field.position, "columbus") == {"1/Art", "2/Art", "3/Art", "4/Art"}
    assert field.at("Ba") != "to come"
    assert [str(question.prompt).partition("?")[0] for question in field.asked if question.key == "nva-senior"] == [
        "Where does NVA senior go, to tan areas marked 2"
    ]
    assert field.at("1/10/8/66") != "to come"
    assert field.at("1/A/1-5") == "to come"
    for turn, company in ((6, "A/1-5"), (7, "B/1-5")):
        field.set(turn=turn)
        field.flag(phase="reinforcement")
        field.do("reinforce", f"{company.casefold()}={'airlift' if turn == 7 else 'columbus'}", accept=True)
        assert field.at(f"1/{company}") == ("airlift" if turn == 7 else "columbus")


def test_b_company_comes_in_on_sawgrass() -> None:
    """[3.2D] Not in jungle."""
    # [3.2D: sawgrass]
    field = Field(turn=2)
    field.flag(phase="reinforcement")

    with pytest.raises(Illegal, match=r"b2 is not sawgrass, and B/2-7 arrives in sawgrass \[3.2D\]"):
        field.do("reinforce", "b/2-7=1 2 3 > b2; rest > d1", accept=True)


def test_3_2_d_and_f_stacking_holds_as_reinforcements_are_placed() -> None:
    """[3.2D, 3.2F] Counters already there count: two and one are three, two and two are refused."""
    # [3.2D: stacking] [3.2F: stacking]
    field = Field(turn=2)
    field.flag(phase="reinforcement")
    field.put("e2", "1/A/2-7", "2/A/2-7")
    field.put("a2", "1/6/8/66", "2/6/8/66")
    for piece in field.position.at("to place"):
        field.move(piece.id, "out")

    with pytest.raises(Illegal, match=r"4 US units would be in e2, and three is the most when placing \[3.2D\]"):
        field.do("reinforce", "b/2-7=1 2 > e2; rest > e1", accept=True)
    with pytest.raises(Illegal, match=r"4 NVA units would be in a2, and three is the most when placing \[3.2F\]"):
        field.do("reinforce", "b/2-7=1 co > e2; 2 3 4 > e1; rest > f2", "10/8/66=a4", "hq/8/66=a2", accept=True)
    field.do("reinforce", "b/2-7=1 co > e2; 2 3 4 > e1; rest > f2", "10/8/66=a4", "hq/8/66=1 > a2; rest > a3", accept=True)
    assert {"1/A/2-7", "2/A/2-7", "1/B/2-7"} <= names(field.position, "e2")
    assert {"1/6/8/66", "2/6/8/66", "1/HQ/8/66"} <= names(field.position, "a2")


def test_turn_one_has_no_us_event_and_no_us_rally() -> None:
    """[3.3, 3.5, 3.7] The ambush."""
    # [3.3: ambush] [3.5: each] [3.7: ambush]
    table = practice()
    table.do("deploy", accept=True)
    table.do("event", accept=True)
    assert "Turn 1: the US has no Event Phase. [3.3]" in table.said
    assert [question.key for question in table.asked if question.key == "event_area"] == ["event_area"]

    table.position = table.position.changed(flags={**table.position.flags, "phase": "rally"})
    table.do("rally", accept=True)
    assert "Turn 1: the US has no Rally Phase. [3.3]" in table.said


def test_next_goes_through_the_five_phases() -> None:
    """[3.3, 3.6] One word carries a whole turn."""
    table = practice(us="companion", nva="companion")
    seen = []
    for _ in range(12):
        seen.append(str(table.position.flag("phase")))
        table.do("next", accept=True)

    assert list(dict.fromkeys(seen)) == ["deploy", "event", "action", "rally", "administrative", "reinforcement"]


def test_3_6_the_phase_ends_with_the_last_chit() -> None:
    """[3.6] Not before: with a chit in the pool it goes on."""
    # [3.6: last]
    field = Field()
    field.pool("Visibility", "US Adrenaline")

    field.do("chit", draws=["US Adrenaline"])
    assert field.position.flag("phase") == "action"
    field.do("chit", draws=["Vis"])
    assert field.position.flag("phase") == "rally"


@pytest.mark.parametrize(("turn", "points", "phase"), [(4, 34, "reinforcement"), (4, 35, "over"), (10, 0, "over")])
def test_3_8_only_a_game_that_goes_on_has_a_next_turn(turn: int, points: int, phase: str) -> None:
    """[3.8, 4.2] The last turn and 35 points end it; else the marker goes on."""
    # [3.8: last, victory]
    field = Field(turn=turn)
    field.flag(phase="administrative")
    field.set(nva_vp=points)

    field.do("admin")

    assert (field.position.flag("phase"), field.track("turn")) == (phase, turn + (phase == "reinforcement"))


def test_the_administrative_phase() -> None:
    """[3.8] Flares off, incident markers off, officers fresh, chits back, turn marker on."""
    # [3.8: flares] [5.1: turn]
    field = Field(turn=9)
    field.flag(phase="administrative")
    field.put("d2", "1/A/2-7", "McDade")
    field.change("1/A/2-7", marks={"incident": "no fire"})
    field.change("McDade", marks={"acts": 2})
    field.change("Flare 1", place="e2")
    field.change("US Adrenaline", place="box us adrenaline")

    field.do("admin")

    assert field.track("turn") == 10
    assert field.at("Flare 1") == "flares used"
    assert field.piece("1/A/2-7").marks == {}
    assert field.piece("McDade").marks == {}
    assert field.at("US Adrenaline") == "pool"
    assert field.position.flag("phase") == "reinforcement"


def test_an_action_out_of_its_phase_is_refused() -> None:
    """[3.3] With the way out."""
    # [3.3: phase]
    field = Field()
    rally = next(action for action in field.game.actions if action.id == "rally")
    obstacle = rally.obstacle(field.position)

    assert obstacle is not None
    assert (obstacle.text, obstacle.rule) == ("this is the Action Phase", "3.7")


def test_counters_entered_by_the_owner() -> None:
    """[2.4] A company is typed in one line."""
    own = Table("lzalbany", "battle", {"roster:A/2-7": "1 inf 4-5/2-3, 2 hmg 6-1/3-1, boss officer"}, map="practice")
    pieces = {piece.name: piece for piece in own.position.pieces.values() if piece.values.get("company") == "A/2-7"}

    assert set(pieces) == {"1/A/2-7", "2/A/2-7", "boss/A/2-7"}
    assert own.game.piece_title(pieces["2/A/2-7"]) == "2/A/2-7 6-1"


def test_a_counter_is_corrected_and_a_new_one_made() -> None:
    """[2.4] With its place and its marks."""
    field = Field()
    field.put("d2", "1/A/2-7", hits=2)

    field.do("strength", "company=A/2-7", "counter=1 inf 5-5/4-4")
    unit = next(p for p in field.position.at("d2") if p.name == "1/A/2-7")
    assert (unit.number("fire"), unit.marks.get("hits")) == (5, 2)
    field.do("strength", "company=A/2-7", "counter=6 hmg 3-1/2-1", "area=e2")
    assert field.at("6/A/2-7") == "e2"


def test_the_board_is_the_truth() -> None:
    """[2.2] Counters are put where they are, whatever the rules of movement say."""
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")

    field.do("arrange", "where=d2 > columbus; 1/C/2-7 > albany")

    assert [field.at(name) for name in ("1/A/2-7", "2/A/2-7", "1/C/2-7")] == ["columbus", "columbus", "albany"]


def test_3_2_units_without_a_start_area_wait_for_the_next_turn() -> None:
    """[3.2F, 6.1] With every tan 2 area full or held, 10/8/66 and HQ/8/66 come when there is room (ruling D-11)."""
    field = Field(turn=2)
    field.flag(phase="reinforcement")
    units = [piece.name for piece in field.position.of_kind("unit")]
    ours = [name for name in units if name.endswith(("1/33", "6/8/66", "7/8/66", "8/8/66"))]
    for area in ("a2", "a3", "a4"):
        field.put(area, *[ours.pop() for _ in range(3)])
    field.put("b5", "1/A/2-7")

    field.do("reinforce", accept=True)

    assert field.says("No start area has room for 1/HQ/8/66, 2/HQ/8/66 of HQ/8/66: next turn, if there is.")
    assert {field.at(f"{label}/10/8/66") for label in (1, 2, 3)} == {"to come"}
    assert field.at("co/HQ/8/66") in ("a2", "a3", "a4")  # officers take no room
    field.put("eliminated", "1/A/2-7")
    field.set(turn=3)
    field.flag(phase="reinforcement")
    field.do("reinforce", accept=True)
    assert {field.at(f"{label}/10/8/66") for label in (1, 2, 3)} == {"b5"}
    assert field.at("1/HQ/8/66") == "to come"
