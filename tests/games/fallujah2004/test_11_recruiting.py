"""[11.0] J-1 Recruiting."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from tests.games.fallujah2004.field import Field


def spent(order: str, *answers: str, uprising: bool = False) -> int:
    """OPs that a J-1 for an order costs in all."""
    field = Field()
    if uprising:
        field.put("in play", "Uprising Elsewhere")
    field.do("j1", f"buy={order}", *answers)
    return 65 - field.ops


@pytest.mark.parametrize(
    ("order", "cost"),
    [
        ("1-5 Inf", 3),  # Stryker
        ("HS 1", 3),  # special operations helicopter
        ("2-7 Cav", 2),  # mechanized
        ("9 Arm", 2),  # armored engineer
        ("1 AT", 2),  # Amtrac
        ("HT 1", 2),
        ("HG 1", 2),
        ("A Tank", 2),  # armor company
        ("1 FR", 2),  # SOF
        ("3/1", 1),
        ("1 BW", 1),
        ("1 CE", 1),
        ("B LAR", 1),  # armored recon company
        ("36 Cdo", 1),  # Iraqi SOF
    ],
)
def test_11_1_whole_prices(order: str, cost: int) -> None:
    """[11.1] [11.0: besides] One OP for the action and the price of the unit besides."""
    assert spent(order, "at=north base") == 1 + cost


def test_11_1_a_recon_battalion_costs_2() -> None:
    """[11.1: strength] Armored recon: battalion 2, company 1."""
    assert spent("army 2-8 Cav recon bn 3(3)4/2(2)4", "at=north base") == 3


@pytest.mark.parametrize(
    ("order", "cost"),
    [
        ("4 MP, SS", 1),
        ("1 IG, 2 IG", 1),
        ("2 air strike (3)", 1),
        ("2 netwar", 1),
        ("4 artillery", 1),
        ("netwar, 2 artillery", 1),
        ("soa", 1),
        ("artillery", 1),
        ("3 netwar", 2),
        ("2 netwar, artillery", 2),
    ],
)
def test_11_1_fractions_round_up_over_the_order(order: str, cost: int) -> None:
    """[11.1: fractions] Halves and quarters add up to whole OPs; what is left of one is lost (ruling C-43)."""
    answers = ["at=north base"] if order.startswith(("4 MP", "1 IG")) else []

    assert spent(order, *answers) == 1 + cost


def test_11_1_strength_does_not_change_the_price() -> None:
    """[11.1: strength] All units of a type cost the same: a 4(2)2 battalion costs what a 3(3)3 one does."""
    assert spent("3/1", "at=north base") == spent("3/5", "at=north base") == 2


def test_11_1_units_to_a_base_strikes_to_available() -> None:
    """[11.1: where] Where recruits go."""
    field = Field()
    field.do("j1", "buy=3/1, HT 1, soa, netwar", "at=east base")

    assert (field.place("3/1"), field.place("HT 1")) == ("east base", "east base")
    assert field.names_at("available") == ["NetWar", "SOA Airstrike (4)"]


def test_11_1_recruits_may_arrive_apart() -> None:
    """[11.1] Each unit may go to any Base or FOB, in one order."""
    field = Field()
    field.put("3-9", "FOB 1")
    field.do("j1", "buy=3/1, 1/8", "at=apart", "at=east base", "at=3-9")

    assert [field.place(name) for name in ("3/1", "1/8")] == ["east base", "3-9"]


def test_11_1_a_fob_takes_recruits_within_stacking() -> None:
    """[11.1, 28.2] A space with an FOB takes recruits as far as its limit goes; helicopters as well (ruling C-57)."""
    # [11.1: where] [28.2: stack]
    field = Field()
    field.put("3-9", "FOB 1", "3/1")
    field.do("j1", "buy=3/5, HT 1", "at=3-9")
    assert field.place("HT 1") == "3-9"
    with pytest.raises(Illegal, match="battalions"):
        field.do("j1", "buy=1/8", "at=3-9")


def test_11_1_no_other_space_takes_recruits() -> None:
    """[7.1(2): boxes] [11.1: where] Bases and FOBs only."""
    field = Field()
    field.put("3-9", "3/1")
    with pytest.raises(Unreadable):
        field.do("j1", "buy=3/5", "at=3-9")


def test_11_1_an_fob_is_not_recruited() -> None:
    """[18.5, 28.0] [11.1: fob] The price of an FOB is that of building it by J-4 (ruling C-29), by name or by its counter."""
    for text in ("FOB", "FOB 1", "Joint FOB 9 fob bn 1(1)0/flag"):
        with pytest.raises(Unreadable, match=r"an FOB is built, not recruited \[18.5\]"):
            Field().do("j1", f"buy={text}")


def test_11_1_a_misspelt_name_is_not_a_missing_counter() -> None:
    """[11.1] Something like it is named, however many names there are."""
    with pytest.raises(Unreadable, match="Air Strike"):
        Field().do("j1", "buy=aer strike")


def test_11_1_too_dear_is_refused() -> None:
    """[11.1, 8.1] [11.0: besides] OPs that are not there cannot be spent, but the player may insist."""
    field = Field()
    field.set(ops=3)
    with pytest.raises(Illegal, match="costs 3 OPs, and 2 are left"):
        field.do("j1", "buy=HS 1", "at=north base")
    assert field.ops == 3
    field.do("j1", "buy=HS 1", "at=north base", "msr=no", "held=0", anyway=True)
    assert field.ops == -1


def test_11_1_spending_the_last_op_ends_the_game() -> None:
    """[11.1, 8.1(a)] A J-1 that takes the OPs to zero ends the game."""
    field = Field()
    field.set(ops=2)
    field.do("j1", "buy=3/1", "at=north base", "msr=no", "held=0")

    assert field.game.over(field.position)


def test_11_1_uprising_doubles_units_not_strikes() -> None:
    """[14.5] [11.1: uprising] Under Uprising Elsewhere combat units cost double, before rounding (C-45); strikes do not."""
    assert spent("3/1", "at=north base", uprising=True) == 1 + 2
    assert spent("4 MP", "at=north base", uprising=True) == 1 + 1
    assert spent("2 air strike (3)", uprising=True) == 1 + 1


@pytest.mark.parametrize(("order", "doubled"), [("2 air strike (3)", False), ("3/1, air strike (3)", True)])
def test_11_1_only_a_price_that_is_doubled_is_said_to_be(order: str, doubled: bool) -> None:
    """[14.5] [11.1: uprising] An order of strikes alone is not doubled by Uprising Elsewhere."""
    field = Field()
    field.put("in play", "Uprising Elsewhere")
    field.do("buy", f"buy={order}", *(["at=north base"] if doubled else []))
    assert any("doubled by Uprising Elsewhere" in line for line in field.said) == doubled


def test_11_1_a_type_without_a_price_for_its_size() -> None:
    """[11.1] All units of a type cost the same: an infantry company costs what the battalion does, and it is said."""
    field = Field()
    field.do("j1", "buy=USMC K/3 inf coy 2(2)3/flag", "at=north base")

    assert field.ops == 63
    assert any("the chart prints no company" in line for event in field.events for line in getattr(event, "because", ()))


def test_4_2_a_counter_typed_once_is_known_for_ever() -> None:
    """[4.2] A unit that Companion had not met is written as on its counter, its back asked for, and remembered."""
    field = Field()
    field.do("j1", "buy=USMC 3/9 inf bn 3(2)2", "back=2(1)2", "at=north base")

    assert field.facts["unit:USMC 3/9"] == "USMC 3/9 inf bn 3(2)2/2(1)2"
    assert field.find("3/9").values["steps"] == 2


def test_11_2_the_counters_are_the_limit() -> None:
    """[11.2: there] No more than there are; what is deployed cannot be bought again."""
    field = Field()
    with pytest.raises(Unreadable, match="9 x NetWar asked for, 8 there"):
        field.do("j1", "buy=9 netwar")
    field.put("3-9", "3/1")
    with pytest.raises(Unreadable, match="3/1 is at 3-9, not in the Recruit box"):
        field.do("j1", "buy=3/1", "at=north base")


@pytest.mark.parametrize(
    ("place", "why"),
    [("eliminated", "is in the Eliminated box, not in the Recruit"), ("out", "not in the Recruit"), ("3-9", "is at 3-9")],
)
def test_11_2_eliminated_units_stay_away(place: str, why: str) -> None:
    """[11.2: eliminated] Nor can a unit that is eliminated, deserted or deployed come back by typing its counter once more."""
    field = Field()
    field.put(place, "3/1")
    with pytest.raises(Unreadable, match=why):
        field.do("j1", "buy=3/1", "at=north base")
    with pytest.raises(Illegal, match="not in the Recruit box"):
        field.do("j1", "buy=USMC 3/1 inf bn 3(3)3/2(2)3", "at=north base")


def test_11_2_typing_a_known_counter_makes_no_second_one() -> None:
    """[11.2] A unit that stands in the Recruit box is that unit, however it is written."""
    field = Field()
    field.do("j1", "buy=USMC 3/1 inf bn 3(3)3/2(2)3", "at=north base")

    assert [piece.place for piece in field.position.of_kind("unit") if piece.name == "USMC 3/1"] == ["north base"]


def test_11_1_leaders_are_not_for_sale() -> None:
    """[29.1] [11.1: leaders] The chart has no price for leaders."""
    with pytest.raises(Unreadable):
        Field().do("j1", "buy=leader a")


def test_11_1_only_affordable_counters_are_offered() -> None:
    """[11.0, 11.1] With 2 OPs, one of them for the J-1, no unit of 2; with 1 nothing, and that is said at once."""
    field = Field()
    field.set(ops=2)
    field.do("j1", "buy=netwar", "msr=no", "held=0")
    names = [choice.value for choice in field.asked[0].legal_choices()]
    assert "USMC 3/1" in names and "USMC 1 FR" not in names

    field = Field()
    field.set(ops=1)
    with pytest.raises(Illegal, match="0 OPs are left to recruit with, the cheapest costs 1/4"):
        field.do("j1")


def test_11_1_an_fob_that_is_full_is_not_offered() -> None:
    """[11.1, 8.2] [28.2: stack] Two battalions stand there; named all the same it is refused by the stacking limit."""
    field = Field()
    field.put("3-9", "FOB 1", "3/1", "3/5")
    with pytest.raises(Illegal, match="3 battalions, limit 2") as caught:
        field.do("j1", "buy=1/8", "at=3-9")
    assert caught.value.cure == "Name another place: north base"
    field.do("j1", "buy=1/8", "at=north base")
    (where,) = [request for request in field.asked if request.key == "at"]

    assert "3-9" not in [choice.value for choice in where.legal_choices()]


def test_11_1_counters_for_sale_are_shown_with_their_price() -> None:
    """[11.1] The cost chart beside each name, doubled where Uprising Elsewhere doubles it."""

    def hints(field: Field) -> dict[str, str]:
        field.do("j1", "buy=netwar")
        return {choice.value: choice.hint_text for choice in field.asked[0].legal_choices()}

    once, twice = Field(), Field()
    twice.put("in play", "Uprising Elsewhere")

    assert hints(once)["USMC 1 FR"] == "SOF company: fire 3, contact 4, move 3; 2 OP"
    assert hints(once)["Artillery Strike (2)"] == "1/4 OP, 4 there"
    assert hints(twice)["USMC 1 FR"] == "SOF company: fire 3, contact 4, move 3; 4 OP"


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("FOB", "an FOB is built, not recruited [18.5]. Build one: j4"),
        ("aer", "or Air Strike ("),
        ("9 art", "9 x Artillery Strike"),
        ("zzz", " more"),
    ],
)
def test_11_1_why_a_counter_cannot_be_bought(order: str, message: str) -> None:
    """[11.1, 18.5] The true reason, and what may have been meant."""
    with pytest.raises(Unreadable) as caught:
        Field().do("j1", f"buy={order}")
    assert message in str(caught.value)


def test_11_2_the_refusal_names_the_place_of_a_unit() -> None:
    """[11.2: there] It is not in the Recruit box any more."""
    field = Field()
    field.do("j1", "buy=3/1", "at=north base")
    with pytest.raises(Unreadable, match=r"3/1 is .*North Base, not in the Recruit box \[11\.2\]"):
        field.do("j1", "buy=3/1")


@pytest.mark.parametrize("order", ["USMC Z9 inf coy 3(3)3/flag, USMC Z9 inf coy 3(3)3/flag", "3/1, USMC 3/1 inf bn 3(3)3/2(2)3"])
def test_11_2_a_counter_typed_twice_is_refused(order: str) -> None:
    """[11.1, 11.2] One counter is bought and paid for once, typed as it is printed or by its name."""
    field = Field()
    with pytest.raises(Unreadable, match=r"named twice|asked for, 1 there"):
        field.do("buy", f"buy={order}", "at=north base")
    field.do("buy", f"buy={order.rsplit(', ', 1)[-1]}", "at=north base")
    assert field.ops == 64
