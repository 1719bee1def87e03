"""[16.0] Optional rules."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from tests.games.iraqwar2003.field import asked, attack, mark, operations, place, put, said, send, unit, vp, war


def refused(table, action, *answers, **kw) -> str:  # type: ignore[no-untyped-def]
    with pytest.raises(Illegal) as fault:
        table.do(action, *answers, **kw)
    return fault.value.rule


def obstacle(table, action: str) -> str:  # type: ignore[no-untyped-def]
    reason = next(item for item in table.game.actions if item.id == action).obstacle(table.position)
    return reason.rule if reason else ""


def test_16_0_the_recommended_set() -> None:
    """[16.0] One option puts 16.2 to 16.5 in force and no other."""
    # Clauses: [16.0: recommended, off]
    table = war(recommended="on")
    on = {flag.removeprefix("option ") for flag, value in table.position.flags.items() if value == "on"}
    assert on == {"paratroops", "artillery", "anti_air_unit", "nationality"}
    assert obstacle(operations(), "drop") == "16.2"
    assert obstacle(operations(recommended="on"), "drop") == ""


# -- 16.1 --------------------------------------------------------------------------------------------------------------------


def palace(table, *answers, dice, draws=("Dummy",), group="B-52"):  # type: ignore[no-untyped-def]
    table.do(
        "facility", "target=palace marker", f"group={group}", "target=done", "intercept=none", *answers, dice=dice, draws=draws
    )


def test_16_1_only_after_a_five_or_six() -> None:
    """[16.1] With a 4 the palace is out of reach."""
    # Clauses: [16.1: found]
    table = war(palace="on")
    assert refused(table, "facility", "target=palace marker", dice=[4]) == "16.1"
    table.do("facility", "target=done", dice=[5])
    assert said(table, "The palace may be bombed this turn. [16.1]")


def test_16_1_1_one_marker_a_turn_by_several_groups() -> None:
    """[16.1(1), 5.1.1(4)] Named twice it is the same marker: both groups meet the fire of the site, and both may hit, but it is
    uncovered once, so that seven are left.
    """
    # Clauses: [16.1(1): one]
    table = war(palace="on")
    words = ("target=palace marker by B-52", "target=palace marker by B-1", "target=done", "intercept=none")
    table.do("facility", *words, dice=[6, 6, 6, 4, 5], draws=["Dummy"])
    assert asked(table).count("marker") == 1
    assert asked(table).count("aa") == 2
    assert said(table, "A palace marker has been looked at this turn: the second hit does nothing. [5.1.1(4)]")
    assert len(table.position.at("palace")) == 7
    table = war(palace="on")
    table.do("facility", *words, dice=[6, 6, 6, 5, 5], draws=["Dummy"])
    assert said(table, "B-52 bombs the palace marker: 5, hits on 1-4. MISS.")
    assert len(table.position.at("palace")) == 7


def test_16_1_2_its_own_anti_air_fire_in_the_central_sector() -> None:
    """[16.1(2), 6.3] One shot at 2, none when its AA Fire box is gone; interception by the Central Radars."""
    # Clauses: [5.7(3): facilities] [16.1(2): stands, central]
    table = war(palace="on")
    palace(table, dice=[6, 3, 4], draws=("Dummy",))
    assert said(table, "Anti-air fire at B-52: 3, hits on 1-2. MISS.")
    table = war(palace="on")
    mark(table, "damaged", 1, "palace aa")
    palace(table, dice=[6, 4])
    assert "aa" not in asked(table)
    table = war(palace="on")
    mark(table, "damaged", 1, "central radar 1", "central radar 2")
    words = ("target=palace marker", "group=B-52", "target=done", "intercept=MiG-23")
    assert refused(table, "facility", *words, dice=[6, 6, 6]) == "5.4.1(2)"


def test_16_1_4_saddam_hussein() -> None:
    """[16.1(3), 16.1(4)] +5, out of the game, and Iraq has only the die from then on."""
    # Clauses: [16.1(4): die, removed]
    table = war(palace="on")
    palace(table, dice=[6, 3, 1], draws=("Sadam",))
    assert vp(table) == 7
    assert len(table.position.at("palace")) == 7
    table.do("supply", accept=True)
    table.do("end")
    assert refused(table, "supply", "source=radio", accept=True) == "16.1(4)"
    table.do("supply", "source=die", dice=[3], accept=True)
    assert table.track("cp") == 3


def test_16_1_5_a_dummy() -> None:
    """[16.1(5)] Nothing happens; the marker is gone."""
    # Clauses: [16.1(5): gone]
    table = war(palace="on")
    palace(table, dice=[6, 3, 1])
    assert vp(table) == 2
    assert len(table.position.at("palace")) == 7


@pytest.mark.parametrize(("americans", "points"), [("no", 1), ("yes", 2)])
def test_16_1_6_the_minister(americans: str, points: int) -> None:
    """[16.1(6)] -1 while no American is in Baghdad; his marker is mixed in again (ruling C-26)."""
    # Clauses: [16.1(6): absent, again]
    table = war(palace="on")
    palace(table, f"americans={americans}", dice=[6, 3, 1], draws=("I.M.",))
    assert vp(table) == points
    assert len(table.position.at("palace")) == 8


# -- 16.2 --------------------------------------------------------------------------------------------------------------------


def test_16_2_a_drop() -> None:
    """[16.2, 16.2(1), 16.2(2), 16.2(3), 16.2(4), 16.2(6)] Once a game, from Kuwait City, and nothing more this turn."""
    # Clauses: [16.2(1): once]
    table = operations(paratroops="on")
    words = ("hex=0807", "escort=none", "intercept=none", "stacked=none", "taken=Kirkuk", "holder=coalition")
    table.do("drop", "unit=173", "kuwait_city=yes", *words)
    assert unit(table, "173").mark("moved") is True
    assert table.position.flag("control:Kirkuk") == "coalition"
    mark(table, "moved", None, "173")
    assert obstacle(table, "drop") == "16.2(1)"


def test_16_2_2_who_may_drop() -> None:
    """[16.2(2), 2.2.1] A paratroop unit, in Kuwait City."""
    # Clauses: [16.2(2): para, one]
    assert refused(operations(paratroops="on"), "drop", "unit=us 82AD 3-3-4", accept=True) == "16.2(2)"
    assert refused(operations(paratroops="on"), "drop", "unit=173", "kuwait_city=no", "hex=1722", accept=True) == "16.2(2)"


def test_16_2_3_a_storm_does_not_keep_them_on_the_ground() -> None:
    """[16.2(3)] Visibility is rolled for bombing phases and combat segments only (ruling C-45)."""
    # Clauses: [16.2(3): storm]
    table = operations(paratroops="on")
    put(table, flag_storm=True)
    table.do("drop", "unit=173", "kuwait_city=yes", "hex=0807", "escort=F-15", "intercept=none", "stacked=none", "taken=none")
    assert "visibility" not in asked(table)


@pytest.mark.parametrize(("attacked", "dice"), [("PA1", [5, 3]), ("none", [5])])
def test_16_6_3_a_storm_grounds_no_longer_than_its_segment(attacked: str, dice: list[int]) -> None:
    """[16.6(3), 16.2(5)] Grounded in the combat segment of the 1/3ID, the F-15 still escorts the drop that comes after it,
    whether anybody attacked or not (ruling C-45).
    """
    # Clauses: [16.6(3): each]
    table = operations(paratroops="on")
    put(table, flag_storm=True)
    table.do("move", "units=1/3ID", "way=stay", f"attack={attacked}", dice=dice, accept=True)
    assert said(table, "Air units stay on the ground")
    assert table.position.flag("grounded") is None
    table.do("drop", "unit=173", "escort=F-15", "intercept=MiG-23", "hex=0807", "aim=173", dice=[6, 6], accept=True)
    assert place(table, "F-15") == "coalition used"


@pytest.mark.parametrize(("hex_name", "taken"), [("0607", "Mosul"), ("607", "Mosul"), ("Mosul", "Mosul"), ("kirkuk", "Kirkuk")])
def test_16_2_4_the_hex_of_a_drop_may_be_named(hex_name: str, taken: str) -> None:
    """[16.2(4), 15.2] A city is known by its number and by its name, and is taken unasked (ruling C-27)."""
    # Clauses: [16.2(4): held]
    table = operations(paratroops="on")
    table.do("drop", "unit=173", f"hex={hex_name}", "escort=none", "intercept=none", "stacked=none")
    assert "taken" not in asked(table)
    assert table.position.flag(f"control:{taken}") == "coalition"


@pytest.mark.parametrize(("second", "where"), [(3, "removed"), (4, "map")])
def test_16_2_5_on_the_way(second: int, where: str) -> None:
    """[16.2(5)] Intercepted by the MiG-23: hit, then removed by 3, driven back by 4 (ruling C-39). It does not fire."""
    # Clauses: [16.2(5): hit, unarmed]
    table = operations(paratroops="on")
    table.do("drop", "unit=173", "kuwait_city=yes", "hex=0807", "escort=none", "intercept=MiG-23", dice=[3, second])
    assert place(table, "173") == where
    assert said(table, "173 does not get through: SHOT DOWN.") is (where == "removed")
    assert said(table, "173 does not get through: it stays in Kuwait City, and the drop is used.") is (where == "map")
    assert said(table, "173 is driven back.") is (where == "map") and not said(table, "173 goes to the Used box")
    assert asked(table).count("air") == 1
    assert vp(table) == (-2 if where == "removed" else 2)
    table = operations(paratroops="on")
    table.do("drop", "unit=173", "hex=0807", "escort=none", "intercept=MiG-23", "stacked=none", "taken=none", dice=[4])
    assert asked(table).count("air") == 1  # missed, they land without a shot


def test_16_2_5_an_escort_may_clear_the_way() -> None:
    """[16.2(5)] The F-15 shoots the MiG-23 down first."""
    # Clauses: [16.2(5): escort]
    table = operations(paratroops="on")
    table.do("drop", "unit=173", "kuwait_city=yes", "hex=0807", "escort=F-15", "intercept=MiG-23", "stacked=none", "taken=none",
             dice=[1, 1])  # fmt: skip
    assert place(table, "MiG-23") == "removed"
    assert place(table, "F-15") == "coalition used"


# -- 16.3 --------------------------------------------------------------------------------------------------------------------


def test_16_3_artillery_adds_to_attack_and_defence() -> None:
    """[16.3, 16.3(1), 16.3(2), 16.3(3), 16.3(4), 16.3(6)] 3 more in both, as often as it is in range, moved or not."""
    # Clauses: [16.3(2): side] [16.3(6): both, moved]
    table = operations(artillery="on")
    mark(table, "moved", True, "DivArty")
    attack(table, "1/3ID", "11D", "artillery=DivArty", dice=[5])
    assert said(table, "Attack 6 + 3 artillery = 9 against 4 is 2-1")
    attack(table, "2/3ID", "SRG1", "artillery=DivArty", dice=[4])
    table.do("end")
    table.do("supply", "source=die", dice=[6], accept=True)
    attack(table, "Med", "3/3ID", "artillery=DivArty", dice=[6])
    assert said(table, "against 5 + 3 artillery = 8")


def test_16_3_5_only_for_its_own_division() -> None:
    """[16.3(5)] It is not offered for 1MED, nor when it is disrupted, nor for the combat that it fights itself."""
    # Clauses: [16.3(5): division]
    table = operations(artillery="on")
    attack(table, "RCT1", "11D", dice=[5])
    assert "artillery" not in asked(table)
    mark(table, "disrupted", True, "DivArty")
    attack(table, "1/3ID", "11D", dice=[5])
    assert "artillery" not in asked(table)
    mark(table, "disrupted", None, "DivArty")
    attack(table, "2/3ID, DivArty", "SRG1", "with=all", dice=[6])
    assert "artillery" not in asked(table)


@pytest.mark.parametrize(
    ("options", "river", "oos", "added"),
    [({}, "none", True, 1), ({"artillery_supply": "full"}, "none", True, 3), ({}, "1/3ID", False, 3),
     ({"artillery_halving": "before"}, "1/3ID", False, 1)],
)  # fmt: skip
def test_16_3_2_the_switches(options: dict[str, str], river: str, oos: bool, added: int) -> None:
    """[16.3(2)] Out of supply it adds half (C-32); halved with those that it supports only by the switch (C-38)."""
    # Clauses: [16.3(2): oos]
    table = operations(artillery="on", **options)
    mark(table, "oos", True if oos else None, "DivArty")
    attack(table, "1/3ID", "11D", f"river={river}", "artillery=DivArty", dice=[5])
    assert said(table, f"+ {added} artillery")


# -- 16.4 --------------------------------------------------------------------------------------------------------------------


def test_16_4_the_anti_air_unit() -> None:
    """[16.4, 16.4(1), 16.4(2), 16.4(3), 16.4(5)] One shot at 2 at each mission against its hex or an adjacent one, at those
    who bomb it too, and at ground support.
    """
    # Clauses: [7.2(1): option] [16.4(2): mission] [16.4(3): each]
    table = war(anti_air_unit="on")
    table.do("bomb", "target=SRGAA", "where=Baghdad", "group=B-1", "target=SRG1", "where=Baghdad", "aa_unit=yes",
             "group=B-52", "target=done", "intercept=none", dice=[2, 3, 3, 2])  # fmt: skip
    assert asked(table).count("aa") == 2
    assert place(table, "B-1") == "coalition used"
    assert unit(table, "SRG1").mark("disrupted") is True
    table = operations(anti_air_unit="on")
    attack(table, "1/3ID", "SRG1", "support=A-10", "aa_unit=yes", dice=[2, 2, 4])
    assert place(table, "A-10") == "removed"
    assert said(table, "Anti-air fire at A-10: 2, hits on 1-2. HIT; second die 2: A-10 is SHOT DOWN. [5.6(2)]")


def test_16_4_4_disrupted_it_does_not_fire_and_16_4_6_it_never_recovers() -> None:
    """[16.4(4), 16.4(6)] Refused by the rule."""
    # Clauses: [16.4(4): disrupted] [16.4(6): never]
    table = war(anti_air_unit="on")
    mark(table, "disrupted", True, "SRGAA")
    table.do("bomb", "target=SRG1", "where=Baghdad", "group=B-1", "target=done", "intercept=none", dice=[2])
    assert "aa" not in asked(table)
    table = operations("iraq", anti_air_unit="on")
    mark(table, "disrupted", True, "SRGAA")
    assert refused(table, "recover", "units=SRGAA") == "16.4(6)"


# -- 16.5 --------------------------------------------------------------------------------------------------------------------


def test_16_5_nationality_of_support() -> None:
    """[16.5(1), 16.5(2)] British combats by British aircraft only, Kurdish ones by none; escorts are free."""
    # Clauses: [16.5(1): british, others] [16.5(2): kurdish]

    def words(who: str) -> tuple[str, ...]:
        return (f"units={who}", "way=stay", "attack=11D", "river=none", "terrain=plain")

    table = operations(nationality="on")
    assert refused(table, "move", *words("7Arm"), "support=F-18", accept=True) == "16.5(1)"
    assert refused(table, "move", *words("KDP1"), "support=Tornado", accept=True) == "16.5(2)"
    table.do("move", *words("7Arm"), "support=Tornado+F-15", "counter=none", dice=[4], accept=True)
    assert said(table, "Air support: 2 columns to the attacker.")
    table = operations()
    table.do("move", *words("KDP1"), "support=F-18", "counter=none", dice=[6], accept=True)


# -- 16.6 --------------------------------------------------------------------------------------------------------------------


def test_16_6_storms() -> None:
    """[16.6(1), 16.6(2)] A 6 at the start of the turn, rolled again on the next."""
    # Clauses: [16.6(2): each]
    table = _war_with_weather(6)
    assert table.position.flag("storm") is True
    table.do("supply", accept=True)
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    table.do("end", "kuwait=no", dice=[5])
    assert table.position.flag("storm") is None


def _war_with_weather(face: int):  # type: ignore[no-untyped-def]
    table = war(sand_storms="on", seed="weather")
    table.seed = ""
    put(table, flag_storm=face == 6 or None)
    return table


def test_16_6_3_visibility_of_phases_and_segments() -> None:
    """[16.6(3)] 4 grounds all air units of the phase, ships still fire; each combat segment rolls for itself."""
    # Clauses: [16.6(3): four, each, ships]
    table = _war_with_weather(6)
    assert refused(table, "facility", "target=radio 1", "group=B-1", dice=[4]) == "16.6(3)"
    table.do("facility", "target=radio 1", "group=SSN-1", "target=done", dice=[4, 4])
    assert unit(table, "comm radio 1").mark("damaged") == 1
    table.do("bomb", "target=11D", "where=open", "group=B-1", "target=done", "intercept=none", dice=[3, 5])
    table.do("supply", accept=True)
    table.do("move", "units=1/3ID", "way=stay", "attack=SF1", "river=none", "terrain=plain", "retreat=all", "advance=none",
             dice=[5, 4], accept=True)  # fmt: skip
    assert "support" not in asked(table)
    table.do("move", "units=2/3ID", "way=stay", "attack=SRG1", "river=none", "terrain=plain", "support=none", "counter=none",
             dice=[3, 5], accept=True)  # fmt: skip


# -- 16.7 and 16.8 -------------------------------------------------------------------------------------------------------------


def test_16_7_railway() -> None:
    """[16.7, 16.7(1), 16.7(2), 16.7(3)] One Iraqi unit, first of all, any distance, 1 CP; then it has acted."""
    # Clauses: [16.7(1): one] [16.7(2): first] [16.7(3): any]
    table = operations("iraq", railway="on")
    table.do("rail", "unit=11D", "stacked=none", accept=True)
    assert table.track("cp") == 5
    assert unit(table, "11D").mark("moved") is True
    assert obstacle(table, "rail") == "16.7(1)"
    table = operations("iraq", railway="on")
    table.do("move", "units=SRG1", "way=stay", "attack=none", accept=True)
    assert obstacle(table, "rail") == "16.7(2)"
    table = operations("iraq", {"unit:TRK": "turkey TRK 4-4-4"}, railway="on", turkey="on")
    table.do("move", "units=TRK", "way=plain", accept=True)
    assert obstacle(table, "rail") == "16.7(2)"


def test_16_7_1_one_unit_at_a_time() -> None:
    """[16.7(1)] Two units are not a legal answer."""
    with pytest.raises(Unreadable, match="1 needed"):
        operations("iraq", railway="on").do("rail", "unit=11D, SRG1", "stacked=none", accept=True)


@pytest.mark.parametrize(("key", "rule"), [("zones", "16.7(4)"), ("broken", "16.7.1(1)"), ("enemy", "16.7(5)")])
def test_16_7_where_it_cannot_go(key: str, rule: str) -> None:
    """[16.7(4), 16.7(5), 16.7.1(1)] Enemy zones, destroyed roads, hexes that the enemy controls."""
    assert refused(operations("iraq", railway="on"), "rail", "unit=11D", f"{key}=yes", accept=True) == rule


def to_turn(table, number: int, *answers: str) -> None:  # type: ignore[no-untyped-def]
    while table.track("turn") < number:
        table.do("supply", accept=True)
        table.do("end", accept=True)
        table.do("supply", "source=radio", accept=True)
        table.do("end", accept=True)
    table.do("supply", *answers, accept=True)


def test_16_8_reinforcements() -> None:
    """[16.8, 16.8(1), 16.8(2)] The 4ID is printed with turn 3: not before, then at the beginning of the Operation Phase, unasked
    for, in or beside Kuwait City.
    """
    # Clauses: [16.8(1): turn]
    table = war(reinforcements="on")
    assert place(table, "4ID") == "off map"
    to_turn(table, 2)
    assert "held" not in asked(table)
    assert obstacle(table, "reinforce") == "16.8(1)"
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    table.do("end", accept=True)
    table.do("supply", "held=no", accept=True)
    assert place(table, "4ID") == "map"


def test_16_8_1_on_no_other_turn() -> None:
    """[16.8(1), 2.2.10] Told on turn 2 with turn 1 it has come, with turn 2 it comes now by `reinforce`, with turn 3 later; a
    turn that has gone by is not made up for.
    """
    # Clauses: [16.8(1): turn]
    table = war(reinforcements="on")
    to_turn(table, 2)
    table.do("units", "units=us 5ID 6-5-8 turn:1, us 6ID 6-5-8 turn:2")
    assert (place(table, "5ID"), place(table, "6ID")) == ("map", "off map")
    assert obstacle(table, "reinforce") == ""
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    table.do("end", accept=True)
    table.do("supply", "held=no", accept=True)
    assert place(table, "6ID") == "off map"


def test_8_2_1_reinforcements_stack_as_all_do() -> None:
    """[8.2(1), 8.1, 8.1(1)] Of two divisions and an independent brigade: those who may stack are suggested, others refused."""
    # Clauses: [8.2(1): appear]
    facts = {"unit:5ID": "us 5ID 6-5-8 div:5ID turn:3", "unit:2Bde": "us 2Bde 3-3-4 turn:3"}
    table = war(facts, reinforcements="on")
    to_turn(table, 2)
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    table.do("end", accept=True)
    assert refused(table, "supply", "held=no", "units=4ID, 5ID", accept=True) == "8.1(1)"
    assert refused(table, "supply", "held=no", "units=4ID", "stacked=7Arm", accept=True) == "8.1(3)"
    table.do("supply", "held=no", "units=4ID, 2Bde", "stacked=173", accept=True)
    assert {place(table, name) for name in ("4ID", "5ID", "2Bde")} == {"map"}
    assert [request.suggest for request in table.asked if request.key == "units"] == [["4ID", "2Bde"]]
    assert asked(table).count("stacked") == 2


def test_16_8_2_no_hex_is_offered_in_which_they_may_not_stack() -> None:
    """[16.8(2), 8.2(1)] The British hold Kuwait City: it can be named and is refused, and what is offered is taken."""
    table = war({"orientation:low": "1421"}, reinforcements="on")
    to_turn(table, 2)
    send(table, "3241", "7Arm")
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    table.do("end", accept=True)
    assert refused(table, "supply", "where=3241", accept=True) == "8.1(3)"
    table.do("supply", accept=True)
    (where,) = [request for request in table.asked if request.key == "where"]
    assert "3241" not in [choice.value for choice in where.legal_choices()]
    assert place(table, "4ID") == where.suggest != "3241"


def test_16_8_1_first_of_all() -> None:
    """[16.8(1)] At the beginning of the Operation Phase, before any unit acts; entered by the player they wait for their turn."""
    # Clauses: [16.8(1): first]
    table = war(reinforcements="on")
    table.do("units", "units=us 5ID 6-5-8 turn:3, us 6ID 6-5-8")
    assert (place(table, "5ID"), place(table, "6ID")) == ("off map", "map")
    to_turn(table, 3)
    table.do("units", "units=us 7ID 6-5-8 turn:3")
    assert obstacle(table, "reinforce") == ""
    table.do("move", "units=1/3ID", "way=stay", "attack=none")
    assert obstacle(table, "reinforce") == "16.8(1)"


def test_2_2_5_names_are_unique() -> None:
    """[2.2.5] A second unit of a name is refused, with a way out."""
    # Clauses: [2.2.5: unique]
    assert refused(war(), "units", "units=iraq 1/3ID 2-2-2") == "2.2.5"


def test_16_8_3_lost_but_not_removed() -> None:
    """[16.8(3)] No points are lost with them."""
    # Clauses: [16.8(3): lost, points]
    table = war(reinforcements="on")
    before = vp(table)
    to_turn(table, 3, "held=yes")
    assert place(table, "4ID") == "off"
    assert vp(table) == before


# -- 16.9 to 16.11 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("swamp", "switch", "left"), [("1", "swamp_too", 2), ("0", "swamp_too", 1), ("2", "swamp_too", 3), ("1", "one", 1)]
)
def test_16_9_mountains(swamp: str, switch: str, left: int) -> None:
    """[16.9, 13.3(5)] The columns of swamp and one more, unless the switch leaves the one (ruling C-51); offered with the option
    only.
    """
    # Clauses: [16.9: left, option]
    table = operations(mountains="on", mountain_columns=switch, facts={"terrain:swamp": swamp})
    attack(table, "1/3ID", "SF1", "terrain=mountain", dice=[4])
    assert said(table, f"Mountain takes {left} column{'s' if left > 1 else ''} off the attack. [16.9]")
    with pytest.raises(Exception, match="no answer 'mountain'"):
        attack(operations(), "1/3ID", "SF1", "terrain=mountain", dice=[4])


def test_16_10_the_turkish_unit() -> None:
    """[16.10, 16.10(1), 16.10(5), 16.10(6)] Moved by Iraq without points; no bombs on it, no support against it."""
    # Clauses: [16.10(1): free, turn] [16.10(5): support] [16.10(6): bombs]
    facts = {"unit:TRK": "turkey TRK 4-4-4"}
    assert place(war(facts), "TRK") == "off map"
    table = operations("iraq", facts, turkey="on")
    table.do("move", "units=TRK", "way=plain", "stacked=none", "attack=none")
    assert table.track("cp") == 6
    assert refused(war(facts, turkey="on"), "bomb", "target=TRK") == "16.10(6)"
    table = operations("coalition", facts, turkey="on")
    words = ("units=KDP1", "way=stay", "attack=TRK", "river=none", "terrain=plain", "support=F-18")
    assert refused(table, "move", *words, accept=True) == "16.10(5)"


def test_16_11_same_division() -> None:
    """[16.11] Units of two divisions do not attack together; independent ones may join."""
    # Clauses: [16.11: division, free]
    table = operations(same_division="on")
    words = ("units=1/3ID, RCT1", "way=stay", "attack=11D")
    assert refused(table, "move", *words, accept=True) == "8.1(1)"
    table.do("move", *words, dice=[3], accept=True, anyway=True)
    assert said(table, "Recorded anyway: units of 3ID and 1MED do not attack together [16.11]")
    table = operations(same_division="on")
    table.do("move", "units=1/3ID, 173", "way=stay", "attack=11D", "river=none", "terrain=plain", "support=none", "counter=none",
             dice=[3], accept=True)  # fmt: skip
    send(table, "map", "173")


# -- conditions and exceptions -------------------------------------------------------------------------------------------------


def test_16_1_a_die_on_each_turn() -> None:
    """[16.1] A 4 on turn 1 does not bar a 6 on turn 2, nor does a 6 hold for later turns."""
    # Clauses: [16.1: each]
    table = war(palace="on")
    table.do("facility", "target=done", dice=[4])
    _next_turn(table)
    table.do("facility", "target=palace marker by B-52", "target=done", "intercept=none", dice=[6, 3, 5])
    _next_turn(table)
    assert refused(table, "facility", "target=palace marker", dice=[1]) == "16.1"


def _next_turn(table) -> None:  # type: ignore[no-untyped-def]
    table.do("supply", accept=True)
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    table.do("end", accept=True)


def test_16_1_3_a_miss_uncovers_nothing() -> None:
    """[16.1(3)] 5 against 4: no marker is looked at, and eight are left."""
    # Clauses: [16.1(3): hit]
    table = war(palace="on")
    table.do("facility", "target=palace marker by B-52", "target=done", "intercept=none", dice=[6, 3, 5])
    assert "marker" not in asked(table)
    assert len(table.position.at("palace")) == 8


def test_16_2_1_at_any_point_of_the_own_operation_phase() -> None:
    """[16.2(1), 16.2(3)] Neither before it nor in the Iraqi player turn; after other units have moved it still may be."""
    # Clauses: [16.2(1): own]
    table = war(paratroops="on")
    assert obstacle(table, "drop") == "16.2"
    table.do("supply", accept=True)
    table.do("move", "units=1/3ID", "way=stay", "attack=none")
    assert obstacle(table, "drop") == ""
    table.do("end")
    table.do("supply", "source=die", dice=[6], accept=True)
    assert obstacle(table, "drop") == "16.2"


def test_16_2_5_the_limits_of_interception_hold_for_a_drop() -> None:
    """[16.2(5), 5.4.1(2), 5.8.2(2)] No interception over a sector without Radar, nor without Air Fields."""
    # Clauses: [16.2(5): limits]
    words = ("drop", "unit=173", "hex=0807", "escort=none")
    table = operations(paratroops="on")
    mark(table, "damaged", 1, "north radar 1", "north radar 2")
    assert refused(table, *words, "sector=north", "intercept=MiG-23", dice=[6], accept=True) == "5.4.1(2)"
    table = operations(paratroops="on")
    mark(table, "damaged", 1, "north radar 1", "north radar 2")
    table.do(*words, "sector=north/central", "intercept=MiG-23", dice=[6], accept=True)
    table = operations(paratroops="on")
    mark(table, "damaged", 1, *(f"base airfield {number}" for number in (1, 2, 3)))
    table.do(*words, accept=True)
    assert "intercept" not in asked(table)


def test_16_2_6_who_has_dropped_is_done() -> None:
    """[16.2(6)] No attack follows, and no other action."""
    # Clauses: [16.2(6): nothing]
    table = operations(paratroops="on")
    table.do("drop", "unit=173", "hex=0807", "escort=none", "intercept=none", accept=True)
    assert "attack" not in asked(table)
    assert refused(table, "move", "units=173", "way=plain", accept=True) == "12.1(6)"
    assert refused(table, "road", "unit=173", "hex=0807") == "12.1(6)"


def test_16_3_5_independent_artillery_supports_any() -> None:
    """[16.3(5)] Without a division it is offered for every division, where that of a division is not."""
    # Clauses: [16.3(5): independent]
    table = operations(facts={"unit:2FA": "us 2FA 2-1-8 white art:2@3"}, artillery="on")
    for who, guns in (("1/3ID", ["2FA", "DivArty"]), ("RCT1", ["2FA"])):
        attack(table, who, "11D", "artillery=2FA", dice=[5])
        request = next(request for request in table.asked if request.key == "artillery")
        assert sorted(choice.value for choice in request.legal_choices()) == guns


def test_16_3_6_each_combat_of_a_segment() -> None:
    """[16.3(6)] Two combats of one segment, each with the whole value of the same artillery."""
    # Clauses: [16.3(6): each]
    table = operations(artillery="on")
    fight = ("river=none", "terrain=plain")
    table.do(
        "move", "units=1/3ID, 2/3ID", "way=stay", "attack=SRG1", "with=1/3ID", *fight, "attack=SRG2", *fight, "support=none",
        "support=none", "counter=none", "counter=none", "next=1", "artillery=DivArty", "artillery=DivArty", dice=[5, 5],
        accept=True,
    )  # fmt: skip
    assert sum("Attack 6 + 3 artillery = 9 against 4" in line for line in table.said) == 2


@pytest.mark.parametrize(("near", "fires"), [("yes", True), ("no", False)])
def test_16_4_2_far_away_it_does_not_fire(near: str, fires: bool) -> None:
    """[16.4(2)] In the hex or beside it, and nowhere else."""
    # Clauses: [16.4(2): near]
    table = war(anti_air_unit="on")
    words = ("target=SRG1 by B-52", "where=Baghdad", f"aa_unit={near}", "target=done", "intercept=none")
    table.do("bomb", *words, dice=[6, 6] if fires else [6])
    assert ("aa" in asked(table)) is fires


def test_16_4_6_without_the_option_it_recovers() -> None:
    """[16.4(6)] The exception belongs to the option; otherwise the unit is as any other [7.3.3]."""
    # Clauses: [16.4(6): never]
    table = operations("iraq")
    mark(table, "disrupted", True, "SRGAA")
    table.do("recover", "units=SRGAA")
    assert unit(table, "SRGAA").mark("disrupted") is None


@pytest.mark.parametrize(("face", "storm"), [(5, None), (6, True)])
def test_16_6_2_only_a_six_brings_a_storm(face: int, storm: bool | None) -> None:
    """[16.6(2)] At the start of turn 2; without the option there is no roll."""
    # Clauses: [16.6(2): six]
    table = _war_with_weather(1)
    table.do("supply", accept=True)
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    table.do("end", "kuwait=no", dice=[face])
    assert table.position.flag("storm") is storm
    table = war()
    _next_turn(table)
    assert "weather" not in asked(table)


def test_16_7_1_the_turkish_unit_does_not_go_by_rail() -> None:
    """[16.7(1)] It is not an Iraqi unit."""
    # Clauses: [16.7(1): iraqi]
    table = operations("iraq", {"unit:TRK": "turkey TRK 4-4-4"}, turkey="on", railway="on")
    assert refused(table, "rail", "unit=TRK", accept=True) == "16.7(1)"


def test_16_10_1_it_acts_without_any_command_point() -> None:
    """[16.10(1)] In the Iraqi player turn, where an Iraqi unit is refused by then; not in the Coalition's."""
    # Clauses: [16.10(1): free]
    facts = {"unit:TRK": "turkey TRK 4-4-4"}
    table = operations("iraq", facts, turkey="on")
    put(table, track_cp=0)
    assert refused(table, "move", "units=SRG1", "way=plain", accept=True) == "11.3"
    table.do("move", "units=TRK", "way=plain", accept=True)
    assert unit(table, "TRK").mark("moved") is True
    assert refused(operations("coalition", facts, turkey="on"), "move", "units=TRK", "way=plain", accept=True) == "4.1(4-1)"


def test_16_10_3_and_16_10_4_only_kurds_and_turks_meet() -> None:
    """[16.10(3), 16.10(4)] Who walked up to the Turkish unit is a Kurd, and the other way round: by an advance or a recovery
    others may stand beside it and fight, and flying units come over any zone [12.5(1)].
    """
    # Clauses: [16.10(3): attack, kurds] [16.10(4): attack]
    facts = {"unit:TRK": "turkey TRK 4-4-4"}
    fight = ("stacked=none", "river=none", "terrain=plain")
    for side, who, target, rule in (
        ("iraq", "TRK", "1/3ID", "16.10(3)"),
        ("iraq", "TRK", "KDP1", ""),
        ("coalition", "1/3ID", "TRK", "16.10(4)"),
        ("coalition", "11Av", "TRK", ""),
        ("coalition", "KDP1", "TRK", ""),
    ):
        for way in ("zoc", "stay"):
            table = operations(side, facts, turkey="on")
            words = ("move", f"units={who}", f"way={way}", f"attack={target}", *fight[way == "stay" :])
            if rule and way == "zoc":
                assert refused(table, *words, accept=True) == rule
            else:
                table.do(*words, dice=[5], accept=True)
                assert said(table, "Only zones of control of Kurdish units") is (who == "TRK" and way == "zoc")
    table = operations("iraq", facts, turkey="on")
    mark(table, "disrupted", True, "1/3ID")
    table.do("move", "units=TRK", "way=plain", "attack=1/3ID", *fight[1:], dice=[5], accept=True)


def test_16_7_1_no_disrupted_unit_goes_by_rail() -> None:
    """[16.7(1), 7.3.1(1)] It is a movement; the unit beside it goes."""
    # Clauses: [16.7(1): rest]
    table = operations("iraq", railway="on")
    mark(table, "disrupted", True, "SRG1")
    assert refused(table, "rail", "unit=SRG1", accept=True) == "7.3.1(1)"
    table.do("rail", "unit=SRG2", "stacked=none", accept=True)
    assert unit(table, "SRG2").mark("moved") is True


def test_16_2_2_who_is_known_to_stand_elsewhere_is_not_offered() -> None:
    """[16.2(2): there] A unit that has moved away from Kuwait City is not among those that may jump; named, it is refused."""
    table = operations(paratroops="on")
    send(table, "1722", "173")
    assert refused(table, "drop", "unit=173", accept=True) == "16.2(2)"
    (question,) = [request for request in table.asked if request.key == "unit"]
    assert "173" not in [choice.value for choice in question.legal_choices()]
