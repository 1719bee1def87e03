"""[5.0] Air operations: groups, interception, air combat, anti-air fire, bombing, Iraqi limits."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.core.position import Position
from companion.games.iraqwar2003.notation import SECTORS
from companion.games.iraqwar2003.referee import radar_works
from companion.games.iraqwar2003.rules.r05_air import BOMBING, ESCORT, INTERCEPT, Flier, targets_of
from tests.games.iraqwar2003.field import asked, mark, operations, place, put, said, send, unit, war


def facility(table, target, group, *more, dice=(), intercept="none", **kw):  # type: ignore[no-untyped-def]
    met = (f"intercept={intercept}",) if intercept else ()
    table.do("facility", f"target={target}", f"group={group}", "target=done", *met, *more, dice=dice, **kw)


def test_5_2_order_of_an_operation() -> None:
    """[5.2, 5.2(1), 5.2(2), 5.2(3), 5.2(4), 5.2(5), 5.2(6)] Groups, interceptors, air combat, anti-air fire, bombs, Used."""
    # Clauses: [5.2: order] [5.6: mission]
    table = war()
    # F-15 5 at the MiG-23: 6 misses; MiG-23 3 at the bomber: 4 misses; anti-air 3: 4 misses; the B-1 bombs: 5 hits
    facility(table, "radio 1", "B-1+F-15", "aim=B-1", intercept="MiG-23", dice=[6, 4, 4, 5])
    assert asked(table) == ["target", "group", "target", "intercept", "air", "aim", "air", "aa", "bomb"]
    assert unit(table, "comm radio 1").mark("damaged") == 1
    assert [place(table, name) for name in ("B-1", "F-15", "MiG-23")] == ["coalition used", "coalition used", "iraq used"]


def test_5_2_all_fire_comes_before_all_bombs() -> None:
    """[5.2(5), 5.6.1(2)] The AA Fire box that the first group destroys still fires at the second one of the same phase."""
    # Clauses: [5.2: all] [6.3(2): each]
    table = war()
    table.do(
        "facility", "target=comm aa", "group=B-1", "target=radio 1", "group=B-52", "target=done", "intercept=none",
        dice=[4, 4, 1, 1],
    )  # fmt: skip
    assert [key for key in asked(table) if key in ("aa", "bomb")] == ["aa", "aa", "bomb", "bomb"]
    assert unit(table, "comm aa").mark("damaged") == 1


def test_5_1_1_2_at_most_two_units() -> None:
    """[5.1.1(2)] A group of three is no group."""
    # Clauses: [5.1.1(2): two]
    with pytest.raises(Illegal, match=r"5\.1\.1\(2\)"):
        facility(war(), "radio 1", "B-1+F-15+F-16")


def test_5_1_1_3_one_group_intercepts_one_group() -> None:
    """[5.1.1(3)] Two interceptors against one group are refused."""
    # Clauses: [5.1.1(3): one]
    with pytest.raises(Unreadable, match=r"5\.1\.1"):
        facility(war(), "radio 1", "B-1", intercept="1 MiG-23, 1 MiG-25")


def test_5_1_1_4_several_hits_count_once() -> None:
    """[5.1.1(4), 6.4] Two groups hit the same box; the second hit does nothing."""
    # Clauses: [5.1.1(4): once] [6.4: twice]
    table = war()
    table.do(
        "facility", "target=radio 1", "group=B-2", "target=radio 1", "group=F-117", "target=done",
       dice=[1, 1],
    )  # fmt: skip
    assert said(table, "comm radio 1 is destroyed already: the second hit does nothing. [6.4]")


@pytest.mark.parametrize(
    ("target", "group", "rule"),
    [
        ("radio 1", "MiG-25", "MiG-25 belongs to the other player, who places its groups [5.2(2)]"),
        ("radio 1", "B-1+B-52", "5.3(1)"),
        ("radio 1", "Tornado+A-10", "5.3(1)"),
    ],
)
def test_5_3_assignments(target: str, group: str, rule: str) -> None:
    """[5.3(1), 5.3.1(1)] An escort needs an air combat value; the other side places its own units."""
    # Clauses: [5.1.1(2): roles] [5.3(1): value] [5.3.1(1): one]
    with pytest.raises((Illegal, Unreadable)) as fault:
        facility(war(), target, group)
    assert rule in str(fault.value)


def test_5_3_4_bombing_needs_a_bombing_value() -> None:
    """[5.3(4)] A unit without one is refused, and recorded if the player insists."""
    # Clauses: [5.3(4): value]
    facts = {"air:F-16": "4-2-0"}
    with pytest.raises(Illegal) as fault:
        facility(war(facts), "radio 1", "F-16")
    assert fault.value.rule == "5.3(4)"
    table = war(facts)
    facility(table, "radio 1", "F-16", dice=[6, 1], anyway=True)
    assert said(table, "Recorded anyway: F-16 (4-2-0) has no bombing value")


def test_5_3_2_and_5_3_3_interceptors_and_supports_need_their_values() -> None:
    """[5.3(2), 5.3(3)] The Su-20 (0-1-2) cannot intercept; the B-52 (0-0-4) cannot support."""
    # Clauses: [5.3(2): value] [5.3(3): value]
    with pytest.raises(Illegal) as fault:
        facility(war(), "radio 1", "B-1", intercept="Su-20")
    assert fault.value.rule == "5.3(2)"
    with pytest.raises(Illegal) as second:
        operations().do(
            "move", "units=1/3ID", "way=stay", "attack=11D", "river=none", "terrain=plain", "support=B-52", accept=True
        )
    assert second.value.rule == "5.3(3)"


def test_5_3_1_groups_of_both_players_in_ground_support() -> None:
    """[5.3.1, 5.3.1(1), 5.3.1(2), 5.1.1(5)] Support with escort against support with interceptor, one group a side."""
    # Clauses: [5.1.1(5): one] [5.3.1(1): one] [5.3.1(2): support]
    table = operations()
    table.do(
        "move", "units=1/3ID", "way=stay", "attack=11D", "river=none", "terrain=plain", "support=F-18+F-15",
        "counter=Su-20+MiG-23", dice=[6, 4, 4, 6, 3], accept=True,
    )  # fmt: skip
    assert asked(table).count("support") == 1
    assert asked(table).count("counter") == 1
    words = ("units=1/3ID", "way=stay", "attack=11D", "river=none", "terrain=plain")
    for support, rule in (("F-18+F-15+F-16", "5.1.1(2)"), ("A-10, F-18", "5.1.1(5)")):
        with pytest.raises(Illegal) as fault:
            operations().do("move", *words, f"support={support}")
        assert fault.value.rule == rule


def test_5_3_1_1_no_escort_bombs_alone() -> None:
    """[5.3.1(1)] A group that bombs has a unit on the bombing mission."""
    with pytest.raises(Illegal) as fault:
        war().do("bomb", "target=SRG1 by escort F-15")
    assert fault.value.rule == "5.3.1(1)"


def test_5_1_what_each_player_may_do() -> None:
    """[5.1, 5.1(2)] The other player supports a combat even where the current one does not."""
    # Clauses: [5.1(2): alone] [13.3(2): if]
    table = operations()
    table.do(
        "move", "units=1/3ID", "way=stay", "attack=11D", "river=none", "terrain=plain", "support=none", "counter=Su-20",
        dice=[6, 3], accept=True,
    )  # fmt: skip
    assert said(table, "Air support: 1 column to the defender.")


def test_5_4_1_1_stealth_is_not_intercepted() -> None:
    """[5.4, 5.4.1(1), 2.3.2] The B-2 has a white silhouette."""
    # Clauses: [2.3.2: white] [5.4.1(1): stealth]
    words = ("target=radio 1 by B-2", "target=radio 2 by B-1", "target=done", "intercept=1 MiG-23")
    with pytest.raises(Illegal) as fault:
        war().do("facility", *words)
    assert fault.value.rule == "5.4.1(1)"
    table = war()
    table.do("facility", "target=radio 1 by B-2", "target=done", dice=[6])
    assert "intercept" not in asked(table)  # not asked where all groups are stealth


def test_a_target_may_be_typed_with_its_group() -> None:
    """[5.2(1), 6.2] `radio 1 by B-1+F-15` says both; a unit that flies already is refused."""
    # Clauses: [5.2(1): once]
    table = war()
    table.do("facility", "target=radio 1 by B-1+F-15", "target=done", "intercept=none", dice=[6, 5])
    assert "group" not in asked(table)
    assert unit(table, "comm radio 1").mark("damaged") == 1
    with pytest.raises(Illegal) as fault:
        war().do("facility", "target=radio 1 by B-1+F-15", "target=radio 2 by F-15")
    assert fault.value.rule == "5.2(1)"


@pytest.mark.parametrize(
    ("lost", "allowed"), [((), True), (("central radar 1",), True), (("central radar 1", "central radar 2"), False)]
)
def test_5_4_1_2_radars_and_interception(lost: tuple[str, ...], allowed: bool) -> None:
    """[5.4.1(2), 5.8.1, 5.8.1(2), 6.1.1(2), 6.4(2)] One Radar of the sector is enough; without both Iraq cannot intercept."""
    # Clauses: [5.4.1(2): both] [5.8.1(2): all] [6.1.1(2): one] [5.8.1: sector]
    table = war()
    mark(table, "damaged", 1, *lost)
    if allowed:
        facility(table, "radio 1", "B-1", intercept="MiG-23", dice=[6, 6, 6])
        assert place(table, "MiG-23") == "iraq used"
        return
    with pytest.raises(Illegal) as fault:
        facility(table, "radio 1", "B-1", intercept="MiG-23", dice=[6] * 5)
    assert fault.value.rule == "5.4.1(2)"
    facility(table, "radio 1", "B-1", intercept="none", dice=[6, 6])
    assert "intercept" not in asked(table)


def test_5_8_1_3_border_hexes() -> None:
    """[5.8.1(3)] Of a hex on a border, one sector with Radar is enough; the sector is asked only where one is blind."""
    # Clauses: [5.8.1(3): either]
    table = war()
    table.do("bomb", "target=11D", "group=B-1", "where=open", "target=done", "intercept=MiG-23", dice=[6, 6])
    assert "sector" not in asked(table)
    for sector, allowed in (("south", False), ("central/south", True)):
        table = war()
        mark(table, "damaged", 1, "south radar 1", "south radar 2")
        words = ("target=11D", "group=B-1", "where=open", f"sector={sector}", "target=done", "intercept=MiG-23")
        if allowed:
            table.do("bomb", *words, dice=[6, 6])
        else:
            with pytest.raises(Illegal):
                table.do("bomb", *words, dice=[6])


def test_5_8_1_1_sectors_never_limit_the_coalition() -> None:
    """[5.8.1(1)] Coalition interceptors fly where every Radar is gone, and the sector is not asked."""
    # Clauses: [5.4.1(2): iraq] [5.8.1(1): coalition]
    table = operations()
    table.do("end")
    mark(table, "damaged", 1, "north radar 1", "north radar 2", "south radar 1", "south radar 2")
    table.do("bomb", "target=1/3ID", "where=open", "group=Su-20", "target=done", "intercept=F-16", dice=[6, 6, 6])
    assert "sector" not in asked(table)
    assert place(table, "F-16") == "coalition used"


def test_5_8_2_air_fields_limit_the_units_of_a_turn() -> None:
    """[5.8.2, 5.8.2(1), 5.4.1(3), 6.1.1(4), 6.4(4)] Three Air Fields, so a fourth sortie of the turn is refused."""
    # Clauses: [5.4.1(3): fewer] [5.8.2(1): limit] [6.1.1(4): unit]
    table = war()
    table.do(
        "facility", "target=radio 1", "group=B-1", "target=radio 2", "group=B-52", "target=radio 3", "group=F-16",
        "target=done", "intercept=1 MiG-23, 2 MiG-25, 3 Su-25", dice=[6] * 10,
    )  # fmt: skip
    assert len(table.position.at("iraq used")) == 3
    with pytest.raises(Illegal) as fault:
        table.do("bomb", "target=11D", "where=open", "group=F-15", "target=done", "intercept=Su-25", dice=[6])
    assert fault.value.rule == "5.8.2(1)"


def test_5_8_2_2_no_air_field_no_operation() -> None:
    """[5.8.2(2), 5.4.1(3)] With every Air Field destroyed Iraq flies nothing."""
    # Clauses: [5.4.1(3): none] [5.8.2(2): all] [6.4(4): all]
    table = war()
    mark(table, "damaged", 1, *(f"base airfield {number}" for number in (1, 2, 3)))
    with pytest.raises(Illegal) as fault:
        facility(table, "radio 1", "B-1", intercept="MiG-23", dice=[6, 6])
    assert fault.value.rule == "5.8.2(2)"


def test_5_8_2_1_a_removed_unit_leaves_a_marker_for_the_turn() -> None:
    """[5.8.2(1)] The marker in the Used box takes up an Air Field until the turn ends."""
    # Clauses: [5.8.2(1): marker, end]
    table = war()
    facility(table, "radio 1", "B-1+F-15", intercept="MiG-23", dice=[1, 1, 6, 6])
    assert place(table, "MiG-23") == "removed"
    assert table.names_at("iraq used") == ["Damaged marker"]
    mark(table, "damaged", 1, "base airfield 1", "base airfield 2")
    with pytest.raises(Illegal, match=r"5\.8\.2"):
        table.do("bomb", "target=11D", "where=open", "group=F-16", "target=done", "intercept=MiG-25", dice=[6])
    for answers in (("supply",), ("end",), ("supply", "source=die"), ("end", "kuwait=no")):
        table.do(answers[0], *answers[1:], dice=[1] if len(answers) > 1 and "die" in answers[1] else [], accept=True)
    assert table.names_at("iraq used") == []


# -- air combat ------------------------------------------------------------------------------------------------------------


def combat(intercept: str, group: str, dice: list[int], *more: str) -> object:
    table = war()
    table.do("bomb", "target=11D", "where=open", f"group={group}", "target=done", f"intercept={intercept}", *more, dice=dice)
    return table


def test_5_5_the_highest_fires_first() -> None:
    """[5.5, 5.5(1), 5.5(3), 5.5(5), 5.5(6), 5.5(7), 5.5(8)] F-15 5 hits MiG-23 3 first: sent to Used, it does not fire."""
    # Clauses: [5.5(1): order] [5.5(6): used] [5.5(8): higher]
    table = combat("MiG-23", "B-1+F-15", [5, 6, 5])
    assert said(table, "F-15 fires at MiG-23: 5, hits on 1-5. HIT; second die 6: MiG-23 goes to the Used box. [5.5(6)]")
    assert place(table, "MiG-23") == "iraq used"
    assert asked(table).count("air") == 1


def test_5_5_6_the_second_die_removes() -> None:
    """[5.5(6)] A second roll of at most the value removes the unit from the game."""
    # Clauses: [5.5(6): removed]
    table = combat("MiG-23", "B-1+F-15", [5, 5, 6])
    assert place(table, "MiG-23") == "removed"


def test_5_5_2_equal_values_fire_at_the_same_time() -> None:
    """[5.5(2), 5.5(9)] Tornado 2 and MiG-25 2: both fire once, though both hit; Iraq names its target first."""
    # Clauses: [5.5(2): iraq, same] [5.5(8): equal]
    table = combat("MiG-25", "B-1+Tornado", [1, 1, 2, 6, 6], "aim=Tornado")
    assert place(table, "Tornado") == "removed"
    assert place(table, "MiG-25") == "iraq used"
    assert [key for key in asked(table) if key in ("aim", "air", "air_hit")] == ["aim", "air", "air_hit", "air", "air_hit"]


def test_5_5_3_an_interceptor_fires_at_whom_it_likes() -> None:
    """[5.5(3), 5.5(7)] The bomber that is hit does not bomb; the escort that is missed goes to the Used box [5.5(10)]."""
    # Clauses: [5.5(3): any] [5.5(7): fails]
    table = combat("MiG-23", "B-1+F-15", [6, 3, 5], "aim=B-1")
    assert place(table, "B-1") == "coalition used"
    assert "bomb" not in asked(table)
    assert place(table, "F-15") == "coalition used"


def test_5_5_4_units_on_a_mission_fire_at_interceptors_only() -> None:
    """[5.5(4)] The F-15 as a bomber fires back at its interceptor; two units on support do not fire at each other."""
    # Clauses: [5.5(4): only]
    table = combat("MiG-23", "F-15", [5, 5, 4])
    assert place(table, "MiG-23") == "removed"
    table = operations()
    table.do(
        "move", "units=1/3ID", "way=stay", "attack=11D", "river=none", "terrain=plain", "support=F-15", "counter=Su-25",
        dice=[6, 3], accept=True,
    )  # fmt: skip
    assert "air" not in asked(table)


def test_5_5_10_after_air_combat() -> None:
    """[5.5(10), 5.7(2)] The bomber goes on to bomb; all units end in the Used box."""
    # Clauses: [5.5(10): mission]
    table = combat("MiG-25", "B-1+Tornado", [6, 6, 5], "aim=Tornado")
    assert unit(table, "11D").mark("disrupted") is True
    assert {place(table, name) for name in ("B-1", "Tornado")} == {"coalition used"}


@pytest.mark.parametrize(("air_combats", "shot_down"), [("target", "MiG-25"), ("group", "MiG-23")])
def test_5_5_each_target_has_one_air_combat(air_combats: str, shot_down: str) -> None:
    """[5.5, 5.1.1(4)] Two groups at the same target that are both met fight together, unless the switch parts them (C-47): the
    F-15 may fire at the interceptor of the other group.
    """
    # Clauses: [5.5: target]
    table = war(air_combats=air_combats)
    words = ("target=11D by B-1+F-15", "where=open", "target=11D by B-52+CV-63", "target=done", "intercept=1 MiG-23, 2 MiG-25")
    aims = ("aim=MiG-25", "aim=B-52") if air_combats == "target" else ("aim=B-52",)
    table.do("bomb", *words, *aims, dice=[5, 5, 6, 6, 6, 6])
    assert place(table, shot_down) == "removed"
    assert said(table, "Air combat at 11D: B-1 0, F-15 5, MiG-23 3, B-52 0, CV-63 4, MiG-25 2.") is (air_combats == "target")


def test_5_5_a_group_that_is_not_intercepted_stays_out() -> None:
    """[5.5] Its escort neither fires nor is fired at, though the other group has the same target (ruling C-47)."""
    # Clauses: [5.5: met]
    table = war()
    words = ("target=11D by B-1+F-16", "where=open", "target=11D by B-52+F-15", "target=done", "intercept=1 MiG-23")
    table.do("bomb", *words, "aim=B-1", dice=[6, 6, 6, 6])
    assert said(table, "Air combat at 11D: B-1 0, F-16 4, MiG-23 3.")


# -- anti-air fire ---------------------------------------------------------------------------------------------------------


def test_5_6_two_dice_of_anti_air_fire() -> None:
    """[5.6, 5.6(1), 5.6(2), 5.6(3)] 2 hits against 3, 4 does not remove: the B-1 is in the Used box and does not bomb."""
    # Clauses: [5.2(5): left] [5.6(2): used] [5.6(3): fails] [5.6(1): die]
    table = war()
    facility(table, "radio 1", "B-1", dice=[2, 4])
    assert said(table, "Anti-air fire at B-1: 2, hits on 1-3. HIT; second die 4: B-1 goes to the Used box. [5.6(2)]")
    assert place(table, "B-1") == "coalition used"
    assert "bomb" not in asked(table)


def test_5_6_2_removed_by_anti_air_fire() -> None:
    """[5.6(2), 15.2] A second roll of at most 3 removes the B-1: -2 VP."""
    # Clauses: [5.6(2): removed]
    table = war()
    before = _vp(table)
    facility(table, "radio 1", "B-1", dice=[2, 3])
    assert place(table, "B-1") == "removed"
    assert _vp(table) == before - 2


def _vp(table) -> int:  # type: ignore[no-untyped-def]
    return table.game.score(table.position, table.options).total


def test_5_6_4_who_is_left_bombs() -> None:
    """[5.6(4), 5.7, 5.7(1)] Missed, the B-1 bombs: 5 hits, with one die only."""
    # Clauses: [5.6(4): left] [5.7(1): one_die]
    table = war()
    facility(table, "radio 1", "B-1", dice=[4, 5])
    assert said(table, "B-1 bombs comm radio 1: 5, hits on 1-5. HIT. [5.7(1)]")


def test_5_6_1_no_fire_at_stealth_and_by_destroyed_weapons() -> None:
    """[5.6.1(1), 5.6.1(2), 6.4(1)] The B-2 is not fired at; without its AA Fire box a site does not fire."""
    # Clauses: [2.3.2: white] [5.6.1(1): stealth] [5.6.1(2): destroyed] [6.1.1(1): site] [6.3(1): undamaged] [6.4(1): site]
    table = war()
    facility(table, "radio 1", "B-2", intercept="", dice=[1])
    assert "aa" not in asked(table)
    assert said(table, "B-2 is stealthy: no anti-air fire at it. [5.6.1(1)]")
    table = war()
    mark(table, "damaged", 1, "comm aa")
    facility(table, "radio 1", "B-1", dice=[1])
    assert "aa" not in asked(table)


@pytest.mark.parametrize(
    ("city", "face", "hit"), [("Baghdad", 2, True), ("Basra", 3, False), ("Mosul", 2, True), ("open", 5, True)]
)
def test_5_7_3_three_cities(city: str, face: int, hit: bool) -> None:
    """[5.7(3)] The B-1 (5) bombs with 2 in Baghdad, Basra and Mosul."""
    # Clauses: [5.7(3): cities]
    table = war()
    table.do("bomb", "target=SRG1", f"where={city}", "group=B-1", "target=done", "intercept=none", dice=[face])
    assert bool(unit(table, "SRG1").mark("disrupted")) is hit


# -- carriers and ships ----------------------------------------------------------------------------------------------------


def test_2_4_carriers_are_air_units() -> None:
    """[2.4, 2.4.4, 4.3(1)] A carrier escorts, and comes back at the end of the turn."""
    # Clauses: [2.4.4: same] [2.4: escort]
    table = war()
    facility(table, "radio 1", "B-1+CV-63", dice=[6, 6])
    assert place(table, "CV-63") == "coalition used"


def test_2_5_4_ships_bomb_facilities_once() -> None:
    """[2.5.4, 2.5.4(1), 2.5.4(2), 2.5.3] A ship fires once a game, at facilities only; a white one is not fired at."""
    # Clauses: [2.5.4(1): only] [2.5.4(2): once]
    table = war()
    facility(table, "radio 1", "SSN-1", intercept="", dice=[4])
    assert place(table, "SSN-1") == "coalition used"
    assert unit(table, "comm radio 1").mark("damaged") == 1
    with pytest.raises(Illegal) as fault:
        table.do("bomb", "target=11D", "where=open", "group=DDG-1", "target=done")
    assert fault.value.rule == "2.5.4(1)"
    put(table, flag_phase="facility")
    with pytest.raises(Illegal) as second:
        facility(table, "radio 2", "SSN-1")
    assert second.value.rule == "2.5.4(2)"
    facility(table, "radio 2", "SSN-1", intercept="", dice=[4], anyway=True)
    assert unit(table, "comm radio 2").mark("damaged") == 1


def test_2_1_4_used_units_stay_used() -> None:
    """[2.1.4] A unit in the Used box cannot be named again this turn."""
    # Clauses: [2.1.4: turn]
    table = war()
    facility(table, "radio 1", "B-1", dice=[6, 6])
    with pytest.raises(Illegal) as fault:
        table.do("bomb", "target=11D", "where=open", "group=B-1", "target=done")
    assert fault.value.rule == "2.1.4"


def test_units_shot_down_cannot_be_named() -> None:
    """[5.5(6)] Who has been removed does not fly."""
    table = war()
    send(table, "removed", "B-1")
    with pytest.raises(Illegal) as fault:
        facility(table, "radio 1", "B-1")
    assert fault.value.rule == "5.5(6)"


def test_5_8_1_2_an_unknown_radar_counts_as_intact() -> None:
    """[5.8.1(2), 6.1.1(2)] Only Radars that are known and destroyed stop an interception: neither a display that has not been
    told yet nor a site that has none.
    """
    # Clauses: [5.8.1(2): untold]
    assert all(radar_works(Position(), sector) for sector in SECTORS)
    table = war({"radar:south": "aa 2 radar 0"})
    table.do("facility", "target=south aa", "group=B-1", "target=done", "intercept=MiG-23", dice=[4, 3, 6])
    assert place(table, "MiG-23") == "iraq used"


def test_5_5_3_no_fire_at_a_white_silhouette() -> None:
    """[2.3.2, 5.5(3), 5.5(4), ruling C-37] An interceptor that meets a stealth bomber and its escort may fire at the escort
    alone; a bomber fires at the interceptor, and at no bomber.
    """
    stealth = Flier("B-2", "coalition", BOMBING, 0, stealth=True)
    escort = Flier("F-15C", "coalition", ESCORT, 5)
    met = Flier("MiG-29", "iraq", INTERCEPT, 3)

    assert targets_of(met, (stealth, escort, met)) == [escort]
    assert targets_of(stealth, (stealth, escort, met)) == [met]
    assert targets_of(stealth, (Flier("other", "iraq", BOMBING, 0),)) == []


def test_2_5_4_1_a_ship_does_nothing_else_whatever_its_values() -> None:
    """[2.5.4(1)] With an air combat and a support value printed it still neither escorts, supports nor intercepts."""
    # Clauses: [2.5.4(1): only]
    facts = {"air:DDG-1": "3-3-3"}
    with pytest.raises(Illegal) as fault:
        facility(war(facts), "radio 1", "B-1+DDG-1")
    assert fault.value.rule == "2.5.4(1)"
    words = ("units=1/3ID", "way=stay", "attack=11D", "river=none", "terrain=plain")
    for support in ("DDG-1", "F-18+DDG-1", "escort DDG-1"):
        with pytest.raises(Illegal) as fault:
            operations(facts=facts).do("move", *words, f"support={support}", "counter=none", dice=[6], accept=True)
        assert fault.value.rule == "2.5.4(1)"
    table = operations(facts=facts)
    table.do("end")
    with pytest.raises(Unreadable):
        table.do("bomb", "target=1/3ID by Su-20", "where=open", "target=done", "intercept=DDG-1")


def test_5_1_1_3_one_unit_intercepts_one_group() -> None:
    """[5.1.1(3)] The same MiG at two groups is refused; two of them at one group each are not."""
    # Clauses: [5.1.1(3): twice]
    words = ("target=radio 1 by B-1", "target=radio 2 by B-52", "target=done")
    with pytest.raises(Unreadable, match=r"5\.1\.1\(3\)"):
        war().do("facility", *words, "intercept=1 MiG-23, 2 MiG-23", dice=[6] * 6)
    table = war()
    table.do("facility", *words, "intercept=1 MiG-23, 2 MiG-25", dice=[6] * 6)
    assert {place(table, name) for name in ("MiG-23", "MiG-25")} == {"iraq used"}


def test_5_3_1_2_what_the_other_player_may_send() -> None:
    """[5.3.1(2), 5.3(3)] An interceptor alone, or support with one; two interceptors are no group."""
    # Clauses: [5.3.1(2): alone, support]
    words = ("units=1/3ID", "way=stay", "attack=11D", "river=none", "terrain=plain", "support=F-18")
    table = operations()
    table.do("move", *words, "counter=intercept MiG-23", dice=[6, 6, 6], accept=True)
    assert said(table, "Air support: 2 columns to the attacker.")
    assert place(table, "MiG-23") == "iraq used"
    for counter, rule in (("MiG-23+MiG-25", "5.3(3)"), ("Su-25+Su-20", "5.3(2)")):
        with pytest.raises(Illegal) as fault:
            operations().do("move", *words, f"counter={counter}", dice=[6] * 6, accept=True)
        assert fault.value.rule == rule


def test_5_4_1_1_an_escort_gives_no_stealth_unit_away() -> None:
    """[5.4.1(1)] B-2 and F-15 as a group are not intercepted (ruling C-37); B-1 and F-15 may be."""
    # Clauses: [5.4.1(1): escort]
    for group, asks in (("B-2+F-15", False), ("B-1+F-15", True)):
        table = war()
        table.do("facility", f"target=radio 1 by {group}", "target=done", "intercept=none", dice=[6] * (1 + asks))
        assert ("intercept" in asked(table)) is asks
