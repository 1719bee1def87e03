"""The printed examples, and the small cases that follow from the text at once; T1 to T21 are their numbers with us."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.games.fallujah2004.rules.r08_forces import stacking_faults
from tests.games.fallujah2004.field import HARMLESS, Field

WON = (3, 3)


def test_t1_a_1_and_a_7_are_the_brooklyn_bridge() -> None:
    """[7.2] T1: 1d6 of 1 and 2d6 of 7, played through a raid."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Rear Area Raid"], dice=[1, 3, 4])

    assert field.says("Rear Area Raid: 1 and 3+4 = 1-7, Brooklyn Bridge", "7.2")
    assert field.count("1-7", "concealed") == 1


STACK = ("3/1", "3/5", "A Tank", "B Tank", "FOB 1", "HT 1", "HG 1")


def test_t2_the_full_stack() -> None:
    """[8.2: each] T2: two battalions, two tank companies, an FOB, a transport and a gunship: the last to arrive fits."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", *STACK[1:])
    field.put("3-10", STACK[0])
    field.j3("3/1", "3-9")

    assert field.count("3-9", "unit") == 7


@pytest.mark.parametrize("more", ["1/8", "C Tank", "SS", "FOB 2", "HS 1"])
def test_t2_one_more_of_any_kind_is_too_many(more: str) -> None:
    """[8.2: each] T2: a third battalion, company or platoon, a second FOB, a third helicopter."""
    field = Field()
    field.put("3-9", *STACK, more)

    assert len(stacking_faults(field.position.at("3-9"))) == 1
    assert stacking_faults([field.find(name) for name in STACK]) == []


@pytest.mark.parametrize("movers", [("3/1", "3/5", "A Tank"), ("3/1", "3/5"), ("A Tank",)])
def test_t3_forces_out_of_three_units(movers: tuple[str, ...]) -> None:
    """[8.3: some] T3: all three, two with one left behind, or one with two left behind."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1", "3/5", "A Tank")
    field.j3(", ".join(movers), "3-10", draws=["Deception"])

    assert field.count("3-10", "unit") == len(movers)
    assert field.count("3-9", "unit") == 3 - len(movers)


def test_t4_one_whole_offensive_at_medium() -> None:
    """[10.1] T4: two battalions and a tank company end in an urban space; Medium picks two; the event is carried out,
    then the battle is fought. Edge 3+4 = 7 against 1+5 = 6; dice 2, 5 and 6 make one hit, and the Militia falls.
    """
    field = Field()
    field.put("north base", "3/1", "3/5", "A Tank")
    field.j3("3/1, 3/5, A Tank", "5-12", "move_on=no", draws=["Media Wars", "Militia 1(1)"], dice=[3, 4, 5, 2, 5, 6, *WON])

    assert field.asked_for("draw", "roll") == ["pick", "pick", "media", "edge", "fire", "leader_check"]
    assert (field.ops, field.kia) == (65 - 1 + 3, 1)
    assert field.says("Coalition 3+4 = 7, OPFOR 1+5 = 6. Coalition fires first", "16.1(2)")


def test_t5_five_operations_in_a_row() -> None:
    """[10.3] T5: J-1, J-3, two J-4, J-3."""
    field = Field()
    field.put("north base", "3/5", "1 CE")
    field.reduce("3/5")
    field.do("j1", "buy=3/1", "at=north base")
    field.j3("1 CE", "3-12", draws=["Deception", "Intel"])
    field.do("j4", "kind=refit")
    field.do("j4", "kind=fob")
    field.j3("3/1", "south base")

    assert field.track("operations") == 5
    assert field.ops == 65 - 2 - 1 - 1 - 3 - 1


def test_t6_a_type_has_one_price() -> None:
    """[11.1] T6: battalions of 3(3)3 and of 4(2)2 are 1 OP each."""
    field = Field()
    field.do("j1", "buy=3/1", "at=north base")
    assert field.ops == 63
    field.do("j1", "buy=3/5", "at=north base")
    assert field.ops == 61


@pytest.mark.parametrize(
    ("order", "cost"), [("4 MP, SS", 1), ("4 artillery", 1), ("netwar, 2 artillery", 1), ("2 netwar, artillery", 2)]
)
def test_t7_halves_and_quarters(order: str, cost: int) -> None:
    """[11.1: fractions] T7: two halves, four quarters, a half and two quarters are 1 OP; two halves and a quarter are 2."""
    field = Field()
    field.do("j1", f"buy={order}", *(["at=north base"] if "SS" in order else []))

    assert field.ops == 65 - 1 - cost


@pytest.mark.parametrize(("path", "legal"), [("3-9", True), ("3-10", True), ("3-10 3-11", True), ("3-10 3-11 3-12", False)])
def test_t8_movements_of_2_and_3(path: str, legal: bool) -> None:
    """[13.0: points] T8: together none, one or two spaces."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1", "3/5")
    if legal:
        field.j3("3/1, 3/5", path, draws=[] if path == "3-9" else ["Deception"])
        assert field.place("3/5") == path.rsplit(maxsplit=1)[-1]
    else:
        with pytest.raises(Illegal):
            field.j3("3/1, 3/5", path)


def test_t9_jolan_at_high() -> None:
    """[14.3] T9: the Node first, then three picks: the event is carried out, then HVT and Militia are fought.

    Edge 3+1 = 4 against 3+1 (C2) +5 = 9: OPFOR fires 6 and 6, both miss; the battalions hit with 1 and 2, and the
    Militia goes before the HVT.
    """
    field = Field()
    field.set(morale=2)
    field.put("3-9", "3/1", "3/5")
    field.j3("3/1, 3/5", "jolan", draws=["C2", "Media Wars", "HVT 2(3)", "Militia 1(1)"], dice=[2, 1, 5, 6, 6, 1, 2, *WON])

    assert field.asked_for("draw", "roll") == [
        "node", "pick", "pick", "pick", "media", "edge", "opfor_fire", "fire", "leader_check",
    ]  # fmt: skip
    assert field.eliminated == ["Militia 1(1)", "HVT 2(3)"]
    assert (field.ops, field.kia) == (65 - 1 - 2 + 3, 2)
    assert field.names_at("captured") == ["C2"]


def opfor_lost(space: str, hits: int, lost: int, node: str = "", engineer: bool = False) -> int:
    """OPFOR units lost to a volley of so many hits, out of four; those that should be left roll and break off."""
    field = Field(facts={f"stand:fanatic:{terrain}": "break-off" for terrain in ("open", "mosque")})
    force = ["3/1", "1 CE" if engineer else "3/5", "A Tank"]
    field.put("3-9", *force)
    if node:
        field.node(space, node)
    field.set(morale=3)
    dice = [6, 1, *[1] * hits, *[6] * (3 - hits), *[1] * (4 - lost), *WON]
    field.j3(", ".join(force), space, *([] if node else ["move_on=no"]), draws=[HARMLESS] * 4, dice=dice)
    return field.kia


def test_t10_two_hits_in_the_open() -> None:
    """[16.5: strongpoint] T10: four units lost."""
    assert opfor_lost("3-10", 2, 4) == 4


def test_t11_two_hits_in_the_open_on_a_strongpoint() -> None:
    """[16.8] [16.5: strongpoint] T11: two lost: one hit is taken off first, then doubled (ruling C-2)."""
    assert opfor_lost("3-10", 2, 2, "strongpoint") == 2


def test_t12_three_hits_on_a_strongpoint() -> None:
    """[16.8: first] T12: two lost, with an engineer among the firing units three."""
    assert opfor_lost("3-8", 3, 2, "strongpoint") == 2
    assert opfor_lost("3-8", 3, 3, "strongpoint", engineer=True) == 3


@pytest.mark.parametrize(
    ("level", "dice", "after"), [(1, [4, 3, 3], "low"), (1, [4, 4, 3], "high"), (0, [4, 3, 3], "low"), (3, [4, 4, 3], "fanatic")]
)
def test_t13_morale_with_ten_spaces_held(level: int, dice: list[int], after: str) -> None:
    """[9.2: equal] T13: a 10 lowers, an 11 raises, within Low and Fanatic."""
    field = Field()
    field.set(morale=level)
    field.put("3-9", "3/1")
    picks = ["Deception", "Deception", "Intel"][:level]
    field.j3("3/1", "3-10", "holy_spaces=10", draws=["Morale Check", *picks], dice=dice)

    assert field.morale == after


@pytest.mark.parametrize(
    ("space", "first"), [("3-10", "fire"), ("3-9", "opfor_fire"), ("4-8", "opfor_fire"), ("3-8", "opfor_fire")]
)
def test_t14_equal_totals(space: str, first: str) -> None:
    """[16.1(2): tie] T14: the Coalition's Edge in the open, OPFOR's in urban, objective and mosque."""
    field = Field(facts={f"stand:low:{word}": "break-off" for word in ("open", "urban", "objective", "mosque")})
    field.node("4-8", "abandoned_position")
    field.node("3-8", "abandoned_position")
    field.set(morale=0)
    start = {"3-10": "3-11", "3-9": "2-9", "4-8": "4-9", "3-8": "2-8"}[space]
    field.put(start, "3/1")
    moving = ["move_on=no"] if space in ("3-10", "3-9") else []
    field.j3("3/1", space, *moving, draws=[HARMLESS], dice=[2, 5, 6, 6, *WON])

    assert field.asked_for("roll")[1] == first


def test_t15_infowar() -> None:
    """[19.0: together] T15: dice of 1, 2, 3 and 6 make -1 + 0 + 1 + 4 = 4 OPs."""
    field = Field()
    field.put("available", *["NetWar"] * 4)
    field.do("j5", "markers=4", dice=[1, 2, 3, 6])

    assert field.moved("ops") == [(-1, "8.1"), (4, "19.0")]


@pytest.mark.parametrize(
    ("total", "degree"),
    [
        (0, "Debacle"),
        (1, "Tactical Defeat"),
        (25, "Tactical Defeat"),
        (26, "Stalemate"),
        (50, "Stalemate"),
        (51, "Tactical Victory"),
        (75, "Tactical Victory"),
        (76, "Operational Victory"),
        (100, "Operational Victory"),
        (101, "Decisive Victory"),
    ],
)
def test_t17_degrees_of_victory(total: int, degree: str) -> None:
    """[6.3] T17: declared at the end of a game."""
    field = Field()
    field.clear_map()
    field.set(kia=total)
    field.do("end", "msr=no", "held=0")

    assert field.says(f"Victory points: {total}, {degree}.", "6.3")


@pytest.mark.parametrize("total", range(2, 13))
def test_t18_leader_check(total: int) -> None:
    """[29.1] T18: 2 and 12 bring a leader, 3 to 11 none."""
    field = Field()
    field.put("aside", "Leader B")
    field.put("3-9", "3/1")
    field.set(morale=0)
    first = max(1, total - 6)
    field.j3("3/1", "3-10", "move_on=no", draws=[HARMLESS], dice=[6, 1, 1, first, total - first])

    assert (field.place("Leader A") == "leading") is (total in (2, 12))


@pytest.mark.parametrize(("face", "revealed"), [(2, False), (3, True)])
def test_t19_isr(face: int, revealed: bool) -> None:
    """[12.1] T19: a 2 has no effect, a 3 reveals."""
    field = Field()
    field.put("available", "NetWar")
    field.do("j2", "nodes=jolan", dice=[face], draws=["C2"] if revealed else [])

    assert (field.count("3-8", "node") == 1) is revealed


@pytest.mark.parametrize(("face", "ops"), [(5, 5), (4, -4)])
def test_t20_media_wars(face: int, ops: int) -> None:
    """[14.5] T20: a 5 gains five OPs, a 4 loses four."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Media Wars"], dice=[face])

    assert field.moved("ops")[1][0] == ops


def test_t21_a_mob_that_rolls_a_6() -> None:
    """[14.5] T21: strength 0: it cannot hit even with a 1."""
    field = Field(facts={"stand:low:open": "break-off"})
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", "move_on=no", draws=["Mob Attack"], dice=[6, 1, 6, 1, 6, *WON])

    assert field.says("it cannot hit in this round", "14.5")
    assert field.face("3/1") == "front"
