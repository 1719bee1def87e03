"""Clauses of the register that whole procedures carry out, each by itself: who, what comes after what, what a result does."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.games.iraqwar2003 import notation
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r13_results import Attack, apply_result
from tests.games.iraqwar2003.field import asked, attack, operations, place, put, said, unit, war
from tests.games.iraqwar2003.ground import placed
from tests.support.table import Table

# -- sides, turns, segments --------------------------------------------------------------------------------------------


def test_2_2_11_the_side_of_each_nation() -> None:
    """Each unit of the made-up set, and the Turkish one."""
    # Clauses: [2.2.11: sides]
    table = war({"unit:TRK": "turkey TRK 4-4-4/2-2-4"}, turkey="on")
    sides: dict[str, set[str]] = {}
    for piece in table.position.of_kind("unit"):
        sides.setdefault(notation.side_of(piece), set()).add(notation.nation(piece))
    assert sides == {"coalition": {"us", "british", "kdp", "puk"}, "iraq": {"iraq", "turkey"}}


def test_4_0_the_turns_alternate() -> None:
    # Clauses: [4.0: alternate] [4.3(2): next]
    table = operations()
    order = []
    for _ in range(2):
        order.append((table.track("turn"), table.position.flag("side")))
        table.do("end")
        table.do("supply", "source=radio", accept=True)
        order.append((table.track("turn"), table.position.flag("side")))
        table.do("end", "kuwait=no", accept=True)
        table.do("supply", accept=True)
    assert order == [(1, "coalition"), (1, "iraq"), (2, "coalition"), (2, "iraq")]


def test_4_1_4_3_a_unit_has_acted_when_its_segments_are_over() -> None:
    """[12.1(6)] Whether it moved, fought or stayed; the next one acts."""
    # Clauses: [4.1(4-3): marked]
    table = operations()
    table.do("move", "units=1/3ID", "way=stay", "attack=none")
    attack(table, "2/3ID", "11D", dice=[5])
    assert [bool(unit(table, name).mark("moved")) for name in ("1/3ID", "2/3ID", "3/3ID")] == [True, True, False]
    with pytest.raises(Illegal) as fault:
        table.do("move", "units=1/3ID")
    assert fault.value.rule == "12.1(6)"


# -- air operations ----------------------------------------------------------------------------------------------------


def _mission(*dice: int) -> Table:
    """A B-1 with an F-15 bombs a Radio, and a MiG-23 intercepts."""
    table = war()
    words = ("target=radio 1", "group=B-1+F-15", "target=done", "intercept=MiG-23", "aim=B-1")
    table.do("facility", *words, dice=list(dice))
    return table


def test_5_2_air_combat_then_anti_air_fire_then_bombs() -> None:
    """[5.2(5)] What hits at one step is out of the next."""
    # Clauses: [5.2(3): first] [5.2(4): second] [5.7(2): used]
    assert [key for key in asked(_mission(6, 4, 4, 5)) if key in ("air", "aa", "bomb")] == ["air", "air", "aa", "bomb"]
    hit = _mission(6, 3, 4)  # the MiG-23, 3, hits the bomber, and its second die is above 3
    assert [key for key in asked(hit) if key in ("air", "aa", "bomb")] == ["air", "air"]
    assert [place(table, "B-1") for table in (hit, _mission(6, 4, 4, 6))] == ["coalition used"] * 2


@pytest.mark.parametrize(("die", "hits"), [(1, True), (3, True), (4, False), (6, False)])
def test_5_5_5_a_die_of_at_most_the_value_hits(die: int, hits: bool) -> None:
    """The MiG-23 has 3; it may be the second to fire."""
    # Clauses: [5.5(5): most] [5.7: left]
    table = _mission(6, die, *((6,) if hits else (4, 5)))
    assert said(table, f"{die}, hits on 1-3. HIT") == hits
    assert ("bomb" in asked(table)) != hits


# -- combat results ----------------------------------------------------------------------------------------------------


_STACKS = {"defender": ("SRG1", "SRG2", "SRG3"), "attacker": ("1/3ID", "2/3ID", "3/3ID")}


@pytest.mark.parametrize("side", _STACKS)
@pytest.mark.parametrize(
    ("effect", "steps", "retreats"),
    [("1R", 1, True), ("2R", 2, True), ("3R", 3, True), ("4R", 4, True), ("5R", 5, True), ("2", 2, False), ("-", 0, False)],
)
def test_13_4_each_result_costs_its_steps_and_its_retreat(side: str, effect: str, steps: int, retreats: bool) -> None:
    """[13.4(1), 13.4.1] Three units of two steps on each side; those that are left go one hex, all or none."""
    # Clauses: [13.4(2): one] [13.4(3): two] [13.4(4): three] [13.4(5): four] [13.4(6): five] [13.4(8): two] [13.4(9): nothing]
    backs = {f"unit:{name}": f"iraq {name} 4-4-5/2-2-5" for name in _STACKS["defender"]}
    stand = dict.fromkeys(_STACKS["defender"], "2331") | dict.fromkeys(_STACKS["attacker"], "2231")
    table = placed(facts=backs, stand=stand)
    ids = {role: tuple(unit(table, name).id for name in names) for role, names in _STACKS.items()}
    cell = "-" if effect == "-" else f"{side[0].upper()}{effect}"

    async def resolve(referee: IraqWarReferee) -> None:
        attacking = Attack(ids["attacker"], ids["defender"], home=False, base="2231", hex="2331")
        await apply_result(referee, attacking, cell)

    table.play(resolve, accept=True)
    for role, names in _STACKS.items():
        units = [unit(table, name) for name in names]
        left = [piece for piece in units if piece.place != "removed"]
        lost, hit = 6 - sum(map(notation.steps_left, left)), role == side
        assert lost == (steps if hit else 0)
        assert {piece.place != stand[piece.name] for piece in left} == {hit and retreats}


# -- optional rules ----------------------------------------------------------------------------------------------------


def test_16_3_1_artillery_is_what_has_a_range() -> None:
    """[16.3(4)] Of the units of the division beside the combat only the one with a range is offered."""
    # Clauses: [16.3(1): range]
    table = placed(stand={"1/3ID": "2231", "2/3ID": "2131", "DivArty": "2131", "11D": "2331"}, artillery="on")
    words = ("units=1/3ID", "way=stay", "attack=2331", "support=none", "counter=none")
    table.do("move", *words, "artillery=DivArty", dice=[6], accept=True)
    offered = next(request.legal_choices() for request in table.asked if request.key == "artillery")
    assert [choice.value for choice in offered if choice.value != "none"] == ["DivArty"]


@pytest.mark.parametrize(("die", "disrupted"), [(2, True), (6, False)])
def test_16_4_5_the_anti_air_unit_is_bombed_like_any_other(die: int, disrupted: bool) -> None:
    """[7.0, 7.3, 16.4(1)] It fires at who bombs it, one die at 2; then the bomb falls, and a hit disrupts it."""
    # Clauses: [16.4(1): two] [16.4(5): bombed]
    table = war(anti_air_unit="on")
    table.do("bomb", "target=SRGAA", "where=Baghdad", "group=B-1", "target=done", "intercept=none", dice=[3, die])
    assert said(table, "3, hits on 1-2")
    assert bool(unit(table, "SRGAA").mark("disrupted")) == disrupted


@pytest.mark.parametrize(
    ("before", "face", "side_up"), [(False, 6, "Sand Storm"), (True, 6, ""), (True, 5, "Clear"), (False, 1, "")]
)
def test_16_6_1_the_marker_is_turned_when_the_weather_changes(before: bool, face: int, side_up: str) -> None:
    """[16.6(2)] The die at the start of turn 2."""
    # Clauses: [16.6(1): turned]
    table = operations(sand_storms="on", seed="weather")
    table.seed = ""
    put(table, flag_storm=before or None)
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    table.do("end", "kuwait=no", dice=[face], accept=True)
    assert [side for side in ("Sand Storm", "Clear") if said(table, f"to Weather {side}.")] == [side_up][: bool(side_up)]
