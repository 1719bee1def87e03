"""What a rule does not allow, or allows only so: second occurrences, empty cells, options that are off, one of several."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Impossible, Unreadable
from companion.games.iraqwar2003.rules.r13_results import suggested_loss
from tests.games.iraqwar2003.field import asked, attack, mark, operations, place, put, reduce, said, send, unit, vp, war
from tests.games.iraqwar2003.test_questions import offered
from tests.support.table import Table

_FIGHT = ("river=none", "terrain=plain")


def refused(table: Table, action: str, *answers: str, **more: object) -> str:
    with pytest.raises(Illegal) as fault:
        table.do(action, *answers, **more)  # type: ignore[arg-type]
    return fault.value.rule


# -- air -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("counter", ["Su-25+MiG-23", "intercept MiG-23"])
@pytest.mark.parametrize(("support", "rule"), [("F-117+F-15", "5.4.1(1)"), ("escort F-15", "5.3(2)"), ("none", "5.3(2)")])
def test_5_3_2_who_comes_with_support_intercepts_as_one_alone(counter: str, support: str, rule: str) -> None:
    """[5.3(2), 5.4.1(1)] A white silhouette, an escort alone or an empty group is not intercepted (rulings C-37, C-40)."""
    # Clauses: [5.3(2): brought] [5.4.1(1): support]
    facts = {"air:F-117": "0-1-3 stealth"}
    words = ("units=1/3ID", "way=stay", "attack=11D", *_FIGHT, f"support={support}", f"counter={counter}")
    assert refused(operations(facts=facts), "move", *words, accept=True) == rule
    table = operations(facts=facts)
    table.seed = "1"
    table.do("move", *words[:-2], "support=A-10+F-15", f"counter={counter}", accept=True)


def test_5_5_6_the_worse_of_two_fates_holds() -> None:
    """[5.5(2), 5.5(6)] Two carriers fire at once at the MiG-23: removed by the first it does not come back, hit by the second."""
    table = war()
    words = ("target=radio 1 by CV-63+CV-64", "target=done", "intercept=MiG-23")
    table.do("facility", *words, dice=[2, 2, 3, 5, 6, 6], accept=True)
    assert place(table, "MiG-23") == "removed"
    assert [piece.name for piece in table.position.at("iraq used")] == ["Damaged marker"]


def test_5_8_2_1_an_iraqi_unit_lost_by_hand_leaves_its_marker() -> None:
    """[5.8.2(1), 15.2] Its Air Field counts as used this turn, whether it lay in the Available or in the Used box."""
    # Clauses: [5.8.2(1): by_hand]
    table = war()
    table.do("loss", "unit=MiG-23")
    assert [piece.name for piece in table.position.at("iraq used")] == ["Damaged marker"]
    send(table, "iraq used", "Su-25")
    table.do("loss", "unit=Su-25")
    assert [piece.name for piece in table.position.at("iraq used")] == ["Damaged marker", "Damaged marker"]
    before = vp(table)
    table.do("loss", "unit=F-15")
    assert len(table.position.at("iraq used")) == 2
    assert vp(table) == before - 2


def test_2_3_1_a_name_in_two_lists_is_two_units() -> None:
    """[2.3.1, 3.0] Both fly, each with its own values."""
    table = war({"roster:british": "F-15", "air:british F-15": "4-2-1"})
    table.do(
        "facility", "target=radio 1 by F-15", "target=radio 2 by british F-15", "target=done", "intercept=none", dice=[6] * 4
    )
    assert {"F-15", "british F-15"} <= {piece.name for piece in table.position.at("coalition used")}
    assert said(table, "british F-15 bombs comm radio 2: 6, hits on 1")


@pytest.mark.parametrize(("option", "barred"), [("everybody", True), ("coalition", False)])
def test_16_5_1_british_combats_and_iraqi_support(option: str, barred: bool) -> None:
    """[16.5(1)] No air unit but British ones, Iraqi ones neither, unless the switch says so (ruling C-49); nothing keeps Iraq
    from intercepting there, or from supporting against Kurds [16.5(2)].
    """
    # Clauses: [16.5(1): iraq]
    words = ("units=7Arm", "way=stay", "attack=11D", *_FIGHT, "support=Tornado")
    table = operations(nationality="on", british_combats=option)
    if barred:
        assert refused(table, "move", *words, "counter=Su-25", accept=True) == "16.5(1)"
    table.seed = "1"
    table.do("move", *words, "counter=intercept MiG-23", accept=True)
    assert ("Su-25" in offered(table, "counter")) != barred
    table = operations(nationality="on", british_combats=option)
    table.do("move", "units=KDP1", "way=stay", "attack=11D", *_FIGHT, "support=none", "counter=Su-25", dice=[6], accept=True)
    table = operations(british_combats=option)
    table.seed = "1"
    table.do("move", *words, "counter=Su-25", accept=True)


# -- the palace, the storm, the railroad, the drop -------------------------------------------------------------------------


@pytest.mark.parametrize("mix", [{"dummy": "5"}, {"dummy": "7"}, {"saddam": "0", "dummy": "7"}])
def test_16_1_1_there_are_eight_markers(mix: dict[str, str]) -> None:
    """[16.1(1), 16.1(4)] Told otherwise, or without Saddam Hussein, the game does not begin; two ministers may be."""
    # Clauses: [16.1(1): eight]
    with pytest.raises(Impossible, match=r"there are 8.*palace:dummy 6"):
        war({f"palace:{kind}": count for kind, count in mix.items()}, palace="on")
    assert len(war({"palace:sahaf": "2", "palace:dummy": "5"}, palace="on").position.at("palace")) == 8
    war({f"palace:{kind}": count for kind, count in mix.items()})


@pytest.mark.parametrize(
    ("option", "fight", "rolls"), [("every_segment", "", 1), ("attackers", "no", 0), ("attackers", "yes", 1)]
)
def test_16_6_3_the_die_of_a_segment_without_an_attack(option: str, fight: str, rolls: int) -> None:
    """[16.6(3)] At the beginning of each segment, before anybody decides to attack; by the switch only where somebody means to
    (ruling C-48).
    """
    # Clauses: [16.6(3): first]
    table = operations(sand_storms="off", storm_die=option)
    put(table, flag_storm=True)
    words = [f"fight={fight}"] if fight else []
    table.do("move", "units=1/3ID", "way=stay", *words, "attack=none", dice=[5] * rolls)
    assert asked(table).count("visibility") == rolls
    assert ("fight" in asked(table)) == bool(fight)
    table = operations(storm_die=option)
    table.do("move", "units=1/3ID", "way=stay", "attack=none")
    assert not {"fight", "visibility"} & set(asked(table))


def test_7_3_1_1_disrupted_paratroops_do_not_drop() -> None:
    """[7.3.1(1), 16.2(3)] The drop is a movement: refused, and not offered."""
    # Clauses: [7.3.1(1): drop]
    table = operations(paratroops="on")
    mark(table, "disrupted", True, "173")
    assert refused(table, "drop", "unit=173", "hex=0807", accept=True) == "7.3.1(1)"
    mark(table, "disrupted", None, "173")
    table.do("drop", "unit=173", "hex=0807", "taken=none", accept=True)
    assert place(table, "173") == "0807"


def test_4_1_4_2_a_unit_that_went_by_rail_may_attack() -> None:
    """[4.1(4-2), 16.7(4), 7.3.1(2)] In no enemy zone it has only disrupted units beside it: with one there, its combat segment
    follows; with none, the question is not asked.
    """
    # Clauses: [4.1(4-2): rail]
    table = operations("iraq", railway="on")
    mark(table, "disrupted", True, "1/3ID")
    words = ("support=none", "counter=none")
    table.do("rail", "unit=SRG1", "stacked=none", "attack=1/3ID", *_FIGHT, *words, dice=[5], accept=True)
    assert said(table, "Attack 4 against 3 (of 5)")
    assert unit(table, "SRG1").mark("moved") is True
    table = operations("iraq", railway="on")
    table.do("rail", "unit=SRG1", "stacked=none", "attack=none")
    assert "attack" not in asked(table)


# -- units on the map ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counter", "option", "rule"),
    [("us 9ID 7-6-8/4-3-8 div:9ID turn:3", "reinforcements", "2.2.10"), ("turkey TRK 4-4-4/2-2-4", "turkey", "2.7")],
)
def test_2_2_10_units_of_an_option_stay_off_the_map_without_it(counter: str, option: str, rule: str) -> None:
    """[2.2.10, 2.7, 16.8(1)] Named as a unit on the map it is refused; entered it lies off the map, and why is said."""
    # Clauses: [2.2.10: option] [2.7: option]
    name = counter.split()[1]
    table = operations()
    assert refused(table, "stack", f"units={counter}") == rule
    table.do("units", f"units={counter}")
    assert place(table, name) == "off map"
    assert said(table, f"{name} is not in this game [{rule}]")
    table = operations(**{option: "on"})
    if option == "turkey":
        table.do("stack", f"units={counter}")
        assert place(table, name) == "map"
    else:
        assert refused(table, "stack", f"units={counter}") == "16.8(1)"


# -- ground combat ---------------------------------------------------------------------------------------------------------


def test_13_2_2_a_hex_is_attacked_once_in_a_segment() -> None:
    """[13.2(1), 13.2(2), 13.2(3)] Unit by unit on the same defenders, or on one of them, is refused; another hex is not."""
    # Clauses: [13.2(2): together]
    words = ("units=1/3ID, 2/3ID", "way=stay", "attack=SRG1, SRG2", "with=1/3ID", *_FIGHT)
    for again in ("SRG1, SRG2", "SRG2"):
        assert refused(operations(), "move", *words, f"attack={again}", accept=True) == "13.2(2)"
    table = operations()
    table.do("move", *words, "attack=11D", *_FIGHT, "support=none", "support=none", dice=[6, 3], accept=True)
    assert asked(table).count("combat") == 2


def test_13_4_an_unknown_cell_that_is_rolled_is_asked_again() -> None:
    """[13.4] Only cells that were not rolled may stay unknown; told, they are asked when they come up."""
    # Clauses: [13.4: untold]
    table = operations(facts={"crt:1-1": "A2R, A1R, ?, A1 D1, -, ?"})
    words = ("units=1/3ID", "way=stay", "attack=11D", *_FIGHT, "support=none", "counter=none")
    with pytest.raises(Unreadable, match=r"'\?' is not a result"):
        table.do("move", *words, "crt=A2R, A1R, A1, A1, -, ?", dice=[6])
    with pytest.raises(Unreadable):
        table.do("move", *words, "crt=?", dice=[6])
    table.do("move", *words, "crt=A1, A1, ?, A1, -, D1", dice=[6])
    assert said(table, "Combat: 6 in column 1-1 is D1: the defender loses 1 step.")
    assert unit(table, "11D").face == "reduced"


@pytest.mark.parametrize(("one", "face"), [("stays", "front"), ("none", "reduced")])
def test_13_5_8_one_unit_in_a_city_stays_while_another_leaves(one: str, face: str) -> None:
    """[13.5(8), 13.5(6)] Each unit may ignore the retreat: it stays unharmed, and the hex is not empty."""
    # Clauses: [13.5(8): each]
    facts = {"unit:SRG1": "iraq SRG1 4-4-5/2-2-5"}
    table = operations(facts=facts)
    words = ("with=all", "terrain=minor_city", "ignore=no", "retreat=each", f"one={one}", "one=all")
    attack(table, "1/3ID, 2/3ID, 3/3ID", "SRG1, SRG2", *words, dice=[6])
    assert unit(table, "SRG1").face == face
    assert "advance" not in asked(table)
    assert "stays" in offered(table, "one")
    table = operations(facts=facts)
    attack(table, "1/3ID, 2/3ID, 3/3ID", "SRG1, SRG2", "with=all", "retreat=each", "one=all", "one=all", "advance=none", dice=[5])
    assert "stays" not in offered(table, "one")


# -- artillery -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("back", "value"), [("art:3/2@2", 2), ("art:3@2", 1), ("art:3/0@2", 0)])
def test_16_3_2_a_reduced_gun_adds_what_its_back_shows(back: str, value: int) -> None:
    """[16.3(2), 2.2.6] Its support value there, or its attack value where no other is known."""
    # Clauses: [16.3(2): side_up]
    table = operations(facts={"unit:DivArty": f"us DivArty 2-1-8/1-1-8 div:3ID white {back}"}, artillery="on")
    attack(table, "1/3ID", "11D", "artillery=DivArty", dice=[5])
    assert said(table, "Artillery adds 3 ")
    reduce(table, "DivArty")
    attack(table, "2/3ID", "11D", "artillery=DivArty", dice=[5])
    assert said(table, f"Artillery adds {value} ")


@pytest.mark.parametrize(("who", "target", "added"), [("51M", "1/3ID", 2), ("1/3ID", "51M", 1)])
def test_13_3_8_halved_artillery_is_rounded_as_its_side_is(who: str, target: str, added: int) -> None:
    """[13.3(8), 16.3(2)] With the switch, half of 3 is 2 for the defender and 1 for the attacker (ruling C-38)."""
    # Clauses: [13.3(8): artillery]
    table = operations("iraq" if who == "51M" else "coalition", artillery="on", artillery_halving="before")
    if who == "51M":
        mark(table, "disrupted", True, "1/3ID")
    river = "none" if who == "51M" else who
    attack(table, who, target, f"river={river}", "artillery=DivArty", dice=[6])
    assert said(table, f"Artillery adds {added} ")


# -- control ---------------------------------------------------------------------------------------------------------------


def test_15_2_who_holds_what_the_kurds_do_not() -> None:
    """[15.2] Where the record says that they hold it and the player that they do not, he says who does; where both agree nobody
    is asked.
    """
    # Clauses: [15.2: kurds]
    table = operations("iraq")
    put(table, track_turn=2)
    table.do("control", "control=Kirkuk kdp, Mosul puk")
    table.do("end", "kuwait=no", "kurds=Mosul", "holder=iraq")
    assert table.position.flag("control:Kirkuk") == "iraq"
    assert table.position.flag("control:Mosul") == "puk"
    assert vp(table) == 2 + 2 + 1
    table = operations("iraq")
    put(table, track_turn=2)
    table.do("end", "kuwait=no", "kurds=none")
    assert "holder" not in asked(table)


def test_12_5_3_water_at_the_end_of_a_flight() -> None:
    """[12.5(3)] It does not end in a hex of water; a side of water on the way in needs no word, and that is said."""
    # Clauses: [12.5(3): side]
    with pytest.raises(Illegal, match="if only the side is, leave the word out") as fault:
        operations().do("move", "units=11Av", "way=sea, sea", "stacked=none", "attack=none")
    assert fault.value.rule == "12.5(3)"
    operations().do("move", "units=11Av", "way=sea, plain", "stacked=none", "attack=none")


# -- brothers of these -----------------------------------------------------------------------------------------------------


def test_14_3_a_city_is_its_hex() -> None:
    """[14.3, 5.7(3)] Mosul is 0607, whether bombed or worked on: halved, and not destroyed twice under two names."""
    # Clauses: [14.3: name]
    table = war()
    table.do("bomb", "target=road Mosul by B-1", "target=done", "intercept=none", dice=[2])
    assert said(table, "B-1 bombs the roads of 0607: 2, hits on 1-2. HIT.")
    table.do("supply", accept=True)
    assert refused(table, "road", "unit=1/3ID", "hex=mosul", "work=destroy") == "14.3"
    table.do("road", "unit=1/3ID", "hex=Baghdad 1421")
    assert [piece.name for piece in table.position.at("roads")] == ["roads of 0607", "roads of 1421"]


def test_16_10_6_the_turkish_unit_is_no_target() -> None:
    """[16.10(6), 2.7] Nor is it offered; without its option it is in no hex that could be bombed."""
    # Clauses: [16.10(6): offered]
    counter = "turkey TRK 4-4-4"
    table = war({"unit:TRK": counter}, turkey="on")
    table.do("bomb", "target=done")
    assert "TRK" not in offered(table, "target")
    assert "11D" in offered(table, "target")
    assert refused(war(), "bomb", f"target={counter}") == "2.7"


def test_15_2_a_place_is_held_by_one() -> None:
    """[15.2] Named twice in one answer it is refused."""
    with pytest.raises(Unreadable, match="Mosul is named twice"):
        war().do("control", "control=Mosul kdp, Mosul coalition")


def test_2_2_a_counter_that_is_told_otherwise() -> None:
    """[2.2] The values entered first hold, with a warning; the same values again need none."""
    table = operations()
    table.do("units", "units=us 1/3ID 9-9-9 div:3ID")
    assert said(table, "1/3ID was entered before with other values: American 6-5-8 holds. [2.2]")
    table.do("units", "units=us 1/3ID 6-5-8/3-3-8 div:3ID")
    assert not said(table, "told before")


def test_16_4_4_one_that_is_disrupted_is_not_asked_about() -> None:
    """[16.4(4)] Nor said to be the one in that hex: the other is."""
    # Clauses: [16.4(4): asked]
    table = war({"unit:SRGA2": "iraq SRGA2 1-2-5 white aa:2"}, anti_air_unit="on")
    mark(table, "disrupted", True, "SRGAA")
    table.do("bomb", "target=SRGAA by B-52", "where=Baghdad", "aa_unit=no", "target=done", "intercept=none", dice=[6])
    assert "SRGAA" not in next(request.prompt for request in table.asked if request.key == "aa_unit")


def test_13_4_1_the_suggested_loss_is_the_cheapest() -> None:
    """[13.4.1, 15.2] Reduce before you remove; of those that would be removed the one that has paid two of its four points."""
    table = operations(facts={"unit:173": "us 173 2-2-4 para"})
    reduce(table, "1/3ID")
    attack(table, "1/3ID, 173", "11D", "with=all", "loss=1/3ID", dice=[3])
    assert next(request.suggest for request in table.asked if request.key == "loss") == "1/3ID"
    table = operations()
    attack(table, "1/3ID, 173", "11D", "with=all", "loss=1/3ID", dice=[2])
    assert next(request.suggest for request in table.asked if request.key == "loss") == "1/3ID"


def test_13_4_1_of_equal_units_the_weakest_by_attack_and_defence_is_suggested() -> None:
    """[13.4.1] 9 + 1 is more than 2 + 6, though its attack exceeds its defence by more."""
    table = operations(facts={"unit:1/3ID": "us 1/3ID 9-1-8/4-1-8 div:3ID", "unit:2/3ID": "us 2/3ID 2-6-8/1-3-8 div:3ID"})
    assert suggested_loss([unit(table, "1/3ID"), unit(table, "2/3ID")]).name == "2/3ID"
    table = operations(facts={"unit:1/3ID": "us 1/3ID 3-5-8/4-1-8 div:3ID", "unit:2/3ID": "us 2/3ID 2-2-8/1-2-8 div:3ID"})
    assert suggested_loss([unit(table, "1/3ID"), unit(table, "2/3ID")]).name == "2/3ID"


def test_5_1_2_our_opponent_bombs() -> None:
    """[5.1(2), 7.0, 7.3.2] Who would attack with the most, by what hits most, while that is likelier than to be shot down; nobody
    who is disrupted or bombed already; a player is left to himself.
    """
    table = operations(iraq="bot")
    table.do("end")
    mark(table, "disrupted", True, "1/3ID", "2/3ID", "3/3ID")
    table.seed = "1"
    table.do("bomb", accept=True)
    suggested = [request.suggest for request in table.asked if request.key == "target"]
    assert suggested[:2] == ["7Arm by Su-20", "KDP1 by MiG-23"]
    assert said(table, "hits in 22%, is lost in 11%")
    table = operations()
    table.do("end")
    table.do("bomb", "target=done")
    assert next(request.suggest for request in table.asked if request.key == "target") == "done"


def test_16_7_4_rail_movement_does_not_end_beside_an_undisrupted_enemy() -> None:
    """[16.7(4), 12.4(2), 7.3.1(2)] Only a disrupted unit has no zone of control: an attack on another is refused."""
    # Clauses: [16.7(1): zones] [7.3.1(2): zone]
    table = operations("iraq", railway="on")
    mark(table, "disrupted", True, "1/3ID")
    words = ("rail", "unit=SRG1", "stacked=none")
    assert refused(table, *words, "attack=2/3ID", accept=True) == "16.7(4)"
    assert refused(table, *words, "attack=1/3ID, 2/3ID", accept=True) == "16.7(4)"


@pytest.mark.parametrize(
    ("who", "way", "disrupted", "warned"),
    [
        ("1/3ID", "plain", False, True),
        ("1/3ID", "plain zoc", False, False),
        ("1/3ID", "zoc, plain", False, True),
        ("1/3ID", "plain", True, False),
        ("1/3ID", "stay", False, False),
        ("11Av", "plain", False, False),
    ],
)
def test_12_3_1_who_attacks_stands_in_a_zone(who: str, way: str, disrupted: bool, warned: bool) -> None:
    """[12.3(1), 9.0(1), 7.3.1(2)] Where the way did not say so and the enemy is not disrupted, the player is told; flying units
    do not pay, and of a unit that stays only the player knows.
    """
    # Clauses: [12.3(1): attack]
    table = operations()
    mark(table, "disrupted", True if disrupted else None, "11D")
    table.seed = "1"
    table.do("move", f"units={who}", f"way={way}", "attack=11D", *_FIGHT, "support=none", "counter=none", accept=True)
    assert said(table, "11D has a zone of control") is warned


def test_10_0_6_and_16_6_4_both_halve_the_movement() -> None:
    """[10.0(6), 16.6(4)] Out of supply and in a storm a flying unit has a quarter, and both are said."""
    # Clauses: [10.0(6): storm]
    table = operations()
    mark(table, "oos", True, "11Av")
    put(table, flag_storm=True)
    table.do("move", "units=11Av", "way=plain, plain", "stacked=none", "attack=none", dice=[1])
    assert said(table, "11Av moves 2, 10 halved [10.0(6)] and again. [16.6(4)]")
