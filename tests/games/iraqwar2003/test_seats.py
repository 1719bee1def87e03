"""Each decision and each roll belongs to the side that the rules name; those that name none are the current player's."""

from __future__ import annotations

from tests.games.iraqwar2003.field import attack, operations, war
from tests.support.table import Table


def seats(table: Table, *keys: str) -> list[tuple[str, str]]:
    """The questions of the last action with these keys, each with the side that decides; "": the current player."""
    return [(request.key, request.seat) for request in table.asked if request.key in keys]


def test_5_2_the_other_side_intercepts_and_each_unit_fires_for_its_side() -> None:
    """[5.2(2), 5.5(3), 5.5(5), 5.6(1), 5.7(1)] Anti-air fire is rolled by the side that is bombed, bombs by the bomber's."""
    table = war()
    answers = ("target=radio 1", "group=B-1+F-15", "target=done", "intercept=MiG-23", "aim=B-1")
    table.do("facility", *answers, dice=[6, 4, 4, 5])

    assert seats(table, "intercept", "aim") == [("intercept", "iraq"), ("aim", "iraq")]
    assert seats(table, "air", "aa", "bomb") == [("air", "coalition"), ("air", "iraq"), ("aa", "iraq"), ("bomb", "coalition")]


def test_5_6_1_a_second_die_is_rolled_by_the_same_side() -> None:
    table = war()
    table.do("facility", "target=radio 1", "group=B-1", "target=done", "intercept=none", dice=[1, 6])

    assert seats(table, "aa", "aa_hit") == [("aa", "iraq"), ("aa_hit", "iraq")]


def test_13_1_both_sides_give_support_and_fire() -> None:
    """[13.1(2), 13.1(3), 13.3(2-2)] The current player attacks; the other side answers with support of its own."""
    table = operations()
    attack(table, "1/3ID", "11D", "support=F-18+F-15", "counter=Su-20+MiG-23", dice=[6, 4, 4, 6, 3])

    assert seats(table, "support", "counter", "aim") == [
        ("support", "coalition"),
        ("counter", "iraq"),
        ("aim", "coalition"),
        ("aim", "iraq"),
    ]
    assert sorted(seats(table, "air")) == [("air", "coalition"), ("air", "coalition"), ("air", "iraq")]
    assert seats(table, "aa", "combat") == [("aa", "coalition"), ("combat", "")]


def test_13_4_1_the_owner_spreads_losses_and_retreats() -> None:
    """[13.4.1, 13.5, 13.5(2)] The defender's units are lost and retreat by the defender's choice."""
    table = operations()
    losses = ("loss=51M", "loss=11D")
    attack(table, "1/3ID, 2/3ID, 3/3ID", "51M, 11D", "with=all", "support=A-10", *losses, "retreat=all", dice=[5])

    assert seats(table, "loss", "retreat") == [("loss", "iraq"), ("loss", "iraq"), ("retreat", "iraq")]


def test_13_5_8_the_owner_of_the_units_ignores_a_retreat() -> None:
    """[13.5(8), 13.5] Attackers that retreat do so by their own side's choice."""
    table = operations()
    attack(table, "1/3ID, 2/3ID, 3/3ID", "11D", "with=all", "terrain=minor_city", "ignore=yes", dice=[5])
    assert seats(table, "ignore") == [("ignore", "iraq")]

    table = operations()
    attack(table, "RCT1", "SRG1, SRG2", "attacker_city=no", "retreat=all", dice=[5])
    assert seats(table, "retreat") == [("retreat", "coalition")]


def test_13_5_each_unit_of_a_stack_retreats_by_its_owners_choice() -> None:
    table = operations()
    attack(table, "1/3ID, 2/3ID, 3/3ID", "SRG1, SF1", "with=all", "retreat=each", "one=all", "one=none", dice=[4])

    assert seats(table, "one") == [("one", "iraq"), ("one", "iraq")]


def test_11_1_iraq_chooses_and_rolls_its_command_points() -> None:
    """[11.1, 11.1(2)] In its own player turn, so that the roll is the current player's."""
    table = operations()
    table.do("end")
    table.do("supply", "source=die", dice=[6], accept=True)

    assert seats(table, "source", "cp") == [("source", "iraq"), ("cp", "")]
    assert table.game.acting_seats(table.position) == ("iraq",)


def test_16_3_the_coalition_lends_its_artillery_in_defence_too() -> None:
    """[16.3(4), 16.3(6)]"""
    table = operations("iraq", artillery="on")
    attack(table, "Med", "3/3ID", "artillery=DivArty", dice=[6])

    assert seats(table, "artillery") == [("artillery", "coalition")]


def test_16_6_2_iraq_rolls_for_the_weather() -> None:
    table = war(sand_storms="on", seed="weather")

    assert seats(table, "weather") == [("weather", "iraq")]


def test_4_0_the_current_player_acts() -> None:
    """[4.0] Before the set-up, both sides can say what is printed on the components."""
    table = war()

    assert table.game.acting_seats(table.position) == ("coalition",)
    assert table.game.acting_seats(type(table.position)()) == ("coalition", "iraq")
