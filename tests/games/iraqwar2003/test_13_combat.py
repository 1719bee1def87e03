"""[13.0] Ground combat: values, ratio, shifts, support, results, retreats, advances."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.games.iraqwar2003.notation import LADDER, ChartResult, read_column, read_result
from companion.games.iraqwar2003.rules.r13_results import attack_value, column, defence_value
from tests.games.iraqwar2003.field import NO_SUPPORT, PLAIN, asked, attack, mark, operations, place, reduce, said, unit, vp


@pytest.mark.parametrize(
    ("ours", "theirs", "shift", "name"),
    [
        (3, 4, 0, "1-2"),
        (5, 9, 0, "1-2"),
        (1, 3, 0, "1-2"),
        (1, 3, 2, "1-1"),
        (4, 4, 0, "1-1"),
        (7, 4, 0, "1-1"),
        (8, 4, 0, "2-1"),
        (11, 4, 0, "2-1"),
        (12, 1, 0, "10-1"),
        (12, 1, -3, "9-1"),
        (8, 4, -1, "1-1"),
        (8, 4, -3, "1-2"),
        (8, 4, -9, "1-2"),
        (40, 4, 2, "10-1"),
        (0, 4, 5, "1-2"),
        (3, 0, -5, "10-1"),
    ],
)
def test_13_3_columns(ours: int, theirs: int, shift: int, name: str) -> None:
    """[13.3, 13.3(1), 13.3(9)] Fractions for the defender; shifted first, limited then (rulings C-9, C-10, C-36)."""
    # Clauses: [13.3(1): defender] [13.3(9): low, high]
    assert column(ours, theirs, shift) == name


def test_13_3_8_halvings() -> None:
    """[13.3(4), 13.3(6), 13.3(7), 13.3(8)] Combined first, rounded then: 7 across a river out of supply is 1, not 3/2."""
    # Clauses: [13.3(8): once]
    assert attack_value("x", 7, True, True).counts == 1
    assert attack_value("x", 5, True, False).counts == 2
    assert defence_value("x", 5, True).counts == 3
    assert defence_value("x", 4, False).counts == 4


def test_13_3_4_across_a_river() -> None:
    """[13.3(4)] 6 across a river is 3; the white attack value of the artillery is not even asked about."""
    # Clauses: [13.3(4): river, white]
    table = operations()
    attack(table, "1/3ID, DivArty", "SF1", "with=1/3ID, DivArty", "river=1/3ID", dice=[6])
    assert said(table, "Attack 3 (of 6) + 2 = 5 against 2 is 2-1; no shift: column 2-1. [13.3]")
    request = next(request for request in table.asked if request.key == "river")
    assert [choice.label for choice in request.legal_choices()] == ["1/3ID"]


def test_13_3_5_terrain() -> None:
    """[13.3(5), 2.1.5(3)] A major city shifts 1 to the left by the made-up chart; it is asked once and remembered."""
    # Clauses: [13.3(5): left]
    table = operations()
    del table.facts["terrain:major_city"]
    attack(table, "1/3ID", "SF1", "terrain=major_city", "terrain:major_city=1", dice=[5])
    assert said(table, "Attack 6 against 2 is 3-1; 1 column left: column 2-1. [13.3]")
    assert table.facts["terrain:major_city"] == "1"


def test_13_1_the_sequence() -> None:
    """[13.0, 13.1, 13.1(1), 13.1(2), 13.1(3), 13.1(4), 13.1(5), 5.1(4)] Declared, supported by both, air combat, ground."""
    # Clauses: [13.1: order] [5.1(4): shift]
    table = operations()
    attack(table, "1/3ID", "11D", "support=F-18+F-15", "counter=Su-20+MiG-23", dice=[6, 4, 4, 6, 3])
    # F-15 5 at the MiG: 6; F-18 3 and MiG-23 3 together: 4, 4; the Su-20 has none; the Su-20 meets fire of 2: 6; combat die 3
    assert asked(table)[3:] == ["river", "terrain", "support", "counter", "aim", "air", "aim", "air", "air", "aa", "combat"]
    assert said(table, "Air support: 1 column to the attacker. [13.3(2-1)]")
    assert said(table, "Attack 6 against 4 is 1-1; 1 column right: column 2-1. [13.3]")


def test_13_2_1_and_13_2_2_stacks_add_up() -> None:
    """[13.2(1), 13.2(2)] Two attackers of 6 against a stack of 4 and 4."""
    # Clauses: [13.2(2): sum]
    table = operations()
    attack(table, "1/3ID, 2/3ID", "SRG1, SRG2", "with=all", dice=[4])
    assert said(table, "Attack 6 + 6 = 12 against 4 + 4 = 8 is 1-1; no shift: column 1-1. [13.3]")


def test_13_2_3_a_stack_may_attack_two_hexes() -> None:
    """[13.2(3), 13.2(5)] One unit each; no unit attacks twice, since those named are not offered again."""
    # Clauses: [13.2(3): separate]
    table = operations()
    table.do(
        "move", "units=1/3ID, 2/3ID", "way=stay", "attack=SRG1", "with=1/3ID", *PLAIN, "attack=SRG2", *PLAIN,
        *NO_SUPPORT, *NO_SUPPORT, dice=[5, 5], accept=True,
    )  # fmt: skip
    assert asked(table).count("combat") == 2
    assert asked(table).count("next") == 1
    assert asked(table).count("with") == 1


def test_13_1_5_the_current_player_orders_the_combats() -> None:
    """[13.1(5)] The second one first."""
    # Clauses: [13.1(5): order]
    table = operations()
    table.do(
        "move", "units=1/3ID, 2/3ID", "way=stay", "attack=SRG1", "with=1/3ID", *PLAIN, "attack=SF1", *PLAIN,
        *NO_SUPPORT, *NO_SUPPORT, "next=2", "retreat=all", "advance=none", dice=[4, 5], accept=True,
    )  # fmt: skip
    lines = [line for line in table.said if line.startswith("Combat: ")]
    assert lines == [
        "Combat: 4 in column 3-1 is DR: the defender retreats. [13.4]",
        "Combat: 5 in column 1-1 is no effect. [13.4]",
    ]


def test_13_2_4_attacks_are_voluntary() -> None:
    """[13.2(4)] Suggested, unless the unit did not move and would have acted for nothing."""
    # Clauses: [13.2(4): free]
    table = operations()
    table.do("move", "units=1/3ID", "way=stay", "attack=none", accept=True)
    assert "combat" not in asked(table)
    assert [request.suggest for request in table.asked if request.key in ("way", "attack")] == [None, None]
    table.do("move", "units=2/3ID", "way=road", accept=True)
    assert [request.suggest for request in table.asked if request.key in ("way", "attack")] == [None, "none"]


def test_13_2_6_only_units_that_just_moved_attack() -> None:
    """[13.2(6)] A unit outside the stack cannot join in."""
    # Clauses: [4.1(4-2): selected] [13.0: moved] [13.2(6): moved]
    table = operations()
    with pytest.raises((Illegal, Unreadable)):
        table.do("move", "units=1/3ID, 2/3ID", "way=stay", "attack=SRG1", "with=3/3ID")


def test_13_0_own_units_are_no_targets() -> None:
    """[13.0] A new unit of the same side is refused."""
    # Clauses: [13.0: enemy]
    with pytest.raises(Illegal) as fault:
        operations().do("move", "units=1/3ID", "way=stay", "attack=us 9ID 1-1-1")
    assert fault.value.rule == "13.0"


def test_13_3_2_support_shifts() -> None:
    """[13.3(2), 2.3] The A-10 brings 3 columns; alone it meets no unit, and Iraqi units do not fire at it."""
    # Clauses: [13.3(2): if] [13.3(2-2): others]
    table = operations()
    attack(table, "1/3ID", "11D", "support=A-10", dice=[4])
    assert said(table, "Air support: 3 columns to the attacker. [13.3(2)]")
    assert said(table, ": column 4-1")
    assert place(table, "A-10") == "coalition used"


def test_13_3_2_2_and_2_3_support_that_is_hit_gives_nothing() -> None:
    """[13.3(2-2), 13.3(2-3), 7.2(2)] The Su-25 is hit by the Americans' fire of 2 and gives no support."""
    # Clauses: [13.3(2-2): west] [13.3(2-3): hit]
    table = operations()
    attack(table, "1/3ID", "11D", "counter=Su-25", dice=[2, 5, 4])
    assert place(table, "Su-25") == "iraq used"
    assert said(table, "Su-25 was hit and gives none [13.3(2-3)]")
    assert said(table, "no shift")


def test_13_3_2_1_equal_support() -> None:
    """[13.3(2-1)] F-18 2 against Su-25 2: no shift (ruling C-34)."""
    # Clauses: [13.3(2-1): equal]
    table = operations()
    attack(table, "1/3ID", "11D", "support=F-18", "counter=Su-25", dice=[6, 4])
    assert said(table, "Air support: no column for either side. [13.3(2-1)]")


@pytest.mark.parametrize(
    ("switch", "joined", "line"),
    [
        ("join", ("joined=SRG1",), "Attack 6 against 4 + 4 = 8 is 1-2"),
        ("join", ("joined=none",), "Attack 6 against 4 is 1-1"),
        ("apart", (), "Attack 6 against 4 is 1-1"),
    ],
)
def test_13_2_1_units_that_retreat_into_the_next_combat_defend_there(switch: str, joined: tuple[str, ...], line: str) -> None:
    """[13.2(1)] Two hexes are attacked in a segment; who leaves the first for the second is attacked with it as a whole, unless
    the switch parts them (ruling C-52).
    """
    # Clauses: [13.2(1): retreated]
    table = operations(retreated=switch)
    fight = ("river=none", "terrain=plain")
    table.do(
        "move", "units=1/3ID, 2/3ID", "way=stay", "attack=SRG1", "with=1/3ID", *fight, "attack=SRG2", *fight,
        *2 * ["support=none"], *2 * ["counter=none"], "next=1", "retreat=all", *joined, dice=[6, 5], accept=True,
    )  # fmt: skip
    assert said(table, line)
    assert ("joined" in asked(table)) is (switch == "join")


def test_5_3_1_1_an_escort_alone_meets_the_enemys_support() -> None:
    """[5.3.1(1), 5.5] It is not support, and cannot be intercepted (rulings C-15, C-40)."""
    # Clauses: [5.3(2): mission] [5.3.1(1): escort] [5.5: both]
    table = operations()
    attack(table, "1/3ID", "11D", "support=escort F-15", "counter=Su-25", dice=[5, 6, 4])
    assert place(table, "Su-25") == "iraq used"
    assert said(table, "no shift")
    with pytest.raises(Illegal) as fault:
        attack(operations(), "1/3ID", "11D", "support=escort F-15", "counter=intercept MiG-23")
    assert fault.value.rule == "5.3(2)"


def test_5_4_1_2_interception_of_support_needs_a_radar() -> None:
    """[5.4.1(2)] Ground support of their own needs none; an interceptor does."""
    # Clauses: [5.4.1(2): support]
    table = operations()
    mark(table, "damaged", 1, "south radar 1", "south radar 2")
    with pytest.raises(Illegal) as fault:
        attack(table, "1/3ID", "11D", "support=F-18", "counter=intercept MiG-23", "sector=south")
    assert fault.value.rule == "5.4.1(2)"
    attack(table, "1/3ID", "11D", "support=F-18", "counter=Su-20", dice=[6, 4])


# -- results -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("-", ChartResult("-", "-")),
        ("AR", ChartResult("R", "-")),
        ("d1r", ChartResult("-", "1R")),
        ("A2", ChartResult("2", "-")),
        ("A1 D5R", ChartResult("1", "5R")),
        ("D4R", ChartResult("-", "4R")),
        ("A1/D3R", ChartResult("1", "3R")),
    ],
)
def test_13_4_results(text: str, result: ChartResult) -> None:
    """[13.4, 13.4(1), 13.4(2), 13.4(3), 13.4(4), 13.4(5), 13.4(6), 13.4(7), 13.4(8), 13.4(9)] A for the attacker, D for the
    defender; steps, retreat, both, or nothing.
    """
    assert read_result(text) == result
    assert read_result(str(result)) == result


@pytest.mark.parametrize("text", ["", "B1", "D6", "D0R", "A", "1R", "DRR"])
def test_13_4_what_is_no_result(text: str) -> None:
    """[13.4] The message names the rule and shows the form."""
    with pytest.raises(Unreadable, match=r"13\.4"):
        read_result(text)
    with pytest.raises(Unreadable):
        read_column("D1, D1")


def test_13_4_the_chart_is_asked_cell_by_cell_and_remembered() -> None:
    """[13.4, 2.1.5(4)] One result; or all six of the column, which then need not be asked again."""
    table = operations()
    for name in LADDER:
        table.facts.pop(f"crt:{name}", None)
    attack(table, "1/3ID", "11D", "crt=A1", dice=[2])
    assert table.facts["crt:1-1"] == "?, A1, ?, ?, ?, ?"
    attack(table, "2/3ID", "11D", "crt=A2R, A1R, A1, D1, -, DR", dice=[5])
    assert table.facts["crt:1-1"] == "A2R, A1R, A1, D1, -, DR"
    attack(table, "3/3ID", "11D", dice=[5])
    assert "crt" not in asked(table)


def test_13_4_1_the_owner_spreads_the_losses() -> None:
    """[13.4.1, 2.2.12] Two steps on two full units: both reduced, or one removed."""
    # Clauses: [13.4.1: owner]
    for losses, left in ((("51M", "11D"), ["reduced", "reduced"]), (("11D", "11D"), ["front", "removed"])):
        table = operations()
        chosen = [f"loss={name}" for name in losses]
        attack(table, "1/3ID, 2/3ID, 3/3ID", "51M, 11D", "with=all", "support=A-10", *chosen, "retreat=all", dice=[5])
        # 18 against 8: 2-1, 3 to the right: 5-1; 5 is D2R
        pieces = [unit(table, name) for name in ("51M", "11D")]
        assert ["removed" if piece.place == "removed" else piece.face for piece in pieces] == left


def test_13_4_1_one_sided_units_are_removed() -> None:
    """[13.4.1] PA1 has no reduced side: one step removes it."""
    # Clauses: [2.2.12: one_sided] [13.4.1: one_sided]
    table = operations()
    attack(table, "1/3ID", "PA1", "advance=none", dice=[6])
    assert place(table, "PA1") == "removed"


def test_13_5_retreat_and_its_check_list() -> None:
    """[13.5, 13.5(2)] The order of hexes is explained; the hex is then empty, so an advance is offered."""
    # Clauses: [13.5: must] [13.6: empty]
    table = operations()
    attack(table, "1/3ID", "SF1", "retreat=all", "advance=none", dice=[4])
    assert said(table, "SF1 retreats 1 hex. [13.5(2)]")
    assert said(table, "friends in it cancel the zone [13.5(4)]")
    assert asked(table)[-2:] == ["retreat", "advance"]


def test_13_5_6_no_hex_to_go_to() -> None:
    """[13.5(6)] A strength step where it stands, and no advance while it lives."""
    # Clauses: [13.5(6): reduced]
    table = operations()
    attack(table, "1/3ID, 2/3ID", "11D", "with=all", "retreat=none", dice=[5])
    # 12 against 4: 3-1, die 5 is D1R: reduced by the result, removed for want of a hex
    assert place(table, "11D") == "removed"


def test_13_5_6_full_strength_units_survive_a_blocked_retreat() -> None:
    """[13.5(6)] DR on a full unit without a hex: reduced, still there, so no unit advances."""
    # Clauses: [13.5(6): full] [13.6: empty]
    table = operations()
    attack(table, "1/3ID, 2/3ID", "11D", "with=all", "retreat=none", dice=[4])
    assert unit(table, "11D").face == "reduced"
    assert "advance" not in asked(table)


def test_13_5_7_off_the_board() -> None:
    """[13.5(7)] Removed."""
    # Clauses: [13.5(7): off]
    table = operations()
    attack(table, "1/3ID", "SF1", "retreat=off", "advance=none", dice=[4])
    assert place(table, "SF1") == "removed"


def test_13_5_each_unit_for_itself() -> None:
    """[13.5(6), 13.5(7)] Of a stack, one may go and another be stuck."""
    # Clauses: [13.4(1): all] [13.5(6): reduced]
    table = operations()
    attack(table, "1/3ID, 2/3ID, 3/3ID", "SRG1, SF1", "with=all", "retreat=each", "one=all", "one=none", dice=[4])
    # 18 against 6: 3-1, die 4 is DR
    assert place(table, "SRG1") == "map"
    assert place(table, "SF1") == "removed"


@pytest.mark.parametrize(("ignore", "asks"), [("yes", False), ("no", True)])
def test_13_5_8_cities(ignore: str, asks: bool) -> None:
    """[13.5(8)] In a city the retreat may be ignored, the losses not."""
    # Clauses: [13.5(8): city, losses]
    table = operations()
    more = ("retreat=all", "advance=none") if asks else ()
    attack(table, "1/3ID, 2/3ID, 3/3ID", "11D", "with=all", "terrain=minor_city", f"ignore={ignore}", *more, dice=[5])
    # 18 against 4: 4-1, 1 to the left: 3-1; 5 is D1R
    assert unit(table, "11D").face == "reduced"
    assert ("retreat" in asked(table)) is asks


def test_13_5_attackers_retreat_too() -> None:
    """[13.4(1), 13.5] AR: the attackers go back, unless they stand in a city."""
    # Clauses: [13.5(8): attacker]
    table = operations()
    attack(table, "RCT1", "SRG1, SRG2", "attacker_city=no", "retreat=all", dice=[5])
    assert said(table, "RCT1 retreats 1 hex.")
    table = operations()
    attack(table, "RCT1", "SRG1, SRG2", "attacker_city=yes", "ignore=yes", dice=[5])
    assert "retreat" not in asked(table)


def test_13_6_advance_takes_the_city() -> None:
    """[13.6, 13.6(1), 15.2] Any of the attackers; then, and only then, the place is asked for."""
    table = operations()
    before = vp(table)
    attack(table, "1/3ID", "SF1", "terrain=major_city", "ignore=no", "retreat=all", "advance=1/3ID", "taken=Najaf",
           "holder=coalition", dice=[5])  # fmt: skip
    assert vp(table) == before + 1
    assert table.position.flag("control:Najaf") == "coalition"


def test_15_2_losses_of_the_attacker_cost_points() -> None:
    """[15.2, 13.4.1] A1: the American unit is reduced, -2; removed later, -4 in all."""
    # Clauses: [13.4.1: reduced] [15.2: removed]
    table = operations()
    before = vp(table)
    attack(table, "RCT1", "SRG1", dice=[3])
    assert vp(table) == before - 2
    mark(table, "moved", None, "RCT1")
    attack(table, "RCT1", "SRG1", dice=[4])
    assert unit(table, "RCT1").place == "removed"
    assert vp(table) == before - 4


def test_reduced_units_fight_with_their_reduced_side() -> None:
    """[2.2.12] 3 instead of 6."""
    table = operations()
    reduce(table, "1/3ID")
    attack(table, "1/3ID", "PA1", dice=[3])
    assert said(table, "Attack 3 against 2 is 1-1")


def test_a_quick_combat_needs_no_session() -> None:
    """[13.1(5)] Values typed, column, die, result; the chart of the owner is used."""
    table = operations()
    table.do("battle", "attack=6, 5/river", "defence=4, 3/disrupted", "left=1", "shift=2", dice=[5])
    # 6 + 2 = 8 against 4 + 2 = 6 is 1-1; +2 - 1: 2-1; 5 is DR
    assert said(table, ": column 2-1")
    assert said(table, "Combat: 5 in column 2-1 is DR: the defender retreats.")
    with pytest.raises(Unreadable):
        table.do("battle", "attack=6/fast", "defence=4")


# -- who attacks, who bears what, who advances -------------------------------------------------------------------------------


def test_13_0_a_unit_that_stays_may_attack_and_has_acted() -> None:
    """[13.0, 13.2(6)] It has moved by no hex: with its attack it is done for this turn."""
    # Clauses: [13.0: moved]
    table = operations()
    attack(table, "1/3ID", "11D", dice=[5])
    assert unit(table, "1/3ID").mark("moved") is True
    with pytest.raises((Illegal, Unreadable)):
        table.do("move", "units=1/3ID", "way=plain")


def test_13_1_1_all_attacks_are_declared_first() -> None:
    """[13.1, 13.1(1), 13.1(2), 13.1(3)] Two attacks: both declared, then both supports of the current player, then both of the
    other one, then the dice.
    """
    # Clauses: [13.1(1): all] [13.1(3): after] [13.1(2): current]
    table = operations()
    table.do(
        "move", "units=1/3ID, 2/3ID", "way=stay", "attack=SRG1", "with=1/3ID", *PLAIN, "attack=SF1", *PLAIN,
        *NO_SUPPORT, *NO_SUPPORT, "next=1", dice=[5, 3], accept=True,
    )  # fmt: skip
    keys = ("attack", "support", "counter", "combat")
    assert [key for key in asked(table) if key in keys] == [key for key in keys for _ in (1, 2)]


def test_13_2_5_a_unit_that_attacks_is_not_named_again() -> None:
    """[13.2(3), 13.2(5)] One unit against two hexes is refused; each of the others attacks once."""
    # Clauses: [13.2(3): one] [13.2(5): once]
    words = ("units=1/3ID, 2/3ID, 3/3ID", "way=stay", "attack=SRG1", "with=1/3ID", *PLAIN, "attack=SRG2")
    with pytest.raises(Illegal) as fault:
        operations().do("move", *words, "with=1/3ID", *PLAIN, dice=[6, 6], accept=True)
    assert fault.value.rule == "13.2(5)"
    table = operations()
    table.do("move", *words, "with=2/3ID, 3/3ID", *PLAIN, *NO_SUPPORT, *NO_SUPPORT, dice=[5, 3], accept=True)
    assert asked(table).count("combat") == 2


@pytest.mark.parametrize(("side", "who", "target", "key", "fire"), [
    ("coalition", "KDP1", "11D", "counter", False),
    ("iraq", "51M", "KDP1", "support", False),
    ("iraq", "51M", "1/3ID", "support", True),
])  # fmt: skip
def test_13_3_2_2_only_western_units_fire_at_support(side: str, who: str, target: str, key: str, fire: bool) -> None:
    """[13.3(2-2), 7.2(1), 7.2(2)] Over a combat of Kurds and Iraqis no unit fires at the Su-25; Americans in defence do."""
    # Clauses: [13.3(2-2): west, others]
    table = operations(side)
    attack(table, who, target, f"{key}=Su-25", dice=[*([6] if fire else []), 5])
    assert asked(table).count("aa") == fire


@pytest.mark.parametrize(("face", "ours", "theirs"), [(3, "reduced", "front"), (4, "reduced", "reduced"), (5, "front", "front")])
def test_13_4_each_side_bears_its_own_part(face: int, ours: str, theirs: str) -> None:
    """[13.4, 13.4(7), 13.4(9)] A1, A1 D1, no effect in column 1-1 of the made-up chart."""
    # Clauses: [13.4: sides]
    table = operations()
    attack(table, "1/3ID", "11D", dice=[face])
    assert (unit(table, "1/3ID").face, unit(table, "11D").face) == (ours, theirs)


@pytest.mark.parametrize("terrain", ["plain", "swamp", "other"])
def test_13_5_8_only_a_city_holds(terrain: str) -> None:
    """[13.5(8)] Elsewhere a retreat cannot be ignored, and the question is not asked."""
    # Clauses: [13.5(8): city]
    table = operations()
    attack(table, "1/3ID, 2/3ID, 3/3ID", "11D", "with=all", f"terrain={terrain}", "advance=none", dice=[4])
    assert "ignore" not in asked(table)
    assert said(table, "11D retreats 1 hex.")


def test_13_6_only_attackers_that_did_not_retreat_advance() -> None:
    """[13.6] Neither a unit of the stack that took no part, nor an attacker that has retreated (ruling C-41)."""
    # Clauses: [13.6: fought]
    table = operations()
    table.do("move", "units=1/3ID, 2/3ID", "way=stay", "attack=SF1", "with=1/3ID", *PLAIN, *NO_SUPPORT, "retreat=all",
             "advance=none", dice=[4], accept=True)  # fmt: skip
    request = next(request for request in table.asked if request.key == "advance")
    assert [choice.value for choice in request.legal_choices()] == ["1/3ID"]
    table = operations(facts={"crt:1-1": "AR DR, AR DR, AR DR, AR DR, AR DR, AR DR"})
    attack(table, "1/3ID", "11D", "attacker_city=no", "retreat=all", "retreat=all", dice=[1])
    assert "advance" not in asked(table)


@pytest.mark.parametrize("who", ["none", "2/3ID", "1/3ID, 2/3ID"])
def test_13_6_any_all_or_none_advance(who: str) -> None:
    """[13.6(1)] The attacker chooses."""
    # Clauses: [13.6(1): free]
    table = operations()
    attack(table, "1/3ID, 2/3ID", "SF1", "with=all", "retreat=all", f"advance={who}", dice=[1])
    assert said(table, "into the hex. [13.6]") is (who != "none")
