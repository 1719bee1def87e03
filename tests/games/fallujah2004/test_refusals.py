"""What is named and cannot be chosen is refused by the rule that excludes it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Illegal
from companion.core.requests import AnyRequest, Choose
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.exclusions import NO_PLACE
from tests.games.fallujah2004.field import Field
from tests.games.fallujah2004.test_16_combat import DEADLY, HARMLESS, fought
from tests.support.players import seat


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("strikes=NetWar", r"NetWar adds to the Tactical Edge, and is no Fire Support \[22.0\]"),
        ("strikes=SOA Airstrike (4)", r"SOA Airstrike \(4\) is in the Recruit box, not in the Available box \[23.1\]"),
        ("strikes=3/1", r"USMC 3/1 is a Coalition combat unit, not a Fire Support strike or a NetWar marker \[16.1\(3a\)\]"),
        ("strikes=3-8", r"3-8 is a place, and a counter is asked for \[16.1\(3a\)\]"),
    ],
)
def test_what_is_no_strike_at_hand_is_not_committed(answer: str, says: str) -> None:
    field = Field()
    field.put("available", "Air Strike (3)", "NetWar")
    with pytest.raises(Illegal, match=says):
        fought(field, "3/1", [HARMLESS], "netwar=no", answer, dice=[1, 6])


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("hit=1/8", r"USMC 1/8 takes no part in this battle: it is at South Base \[16.3\]"),
        ("hit=2-7 Cav", r"US Army 2-7 Cav takes no part in this battle: it is in the Recruit box \[16.3\]"),
        ("hit=NetWar", r"NetWar is a Fire Support strike or a NetWar marker, not a Coalition combat unit \[16.3\]"),
    ],
)
def test_only_units_in_the_battle_take_hits(answer: str, says: str) -> None:
    field = Field()
    field.put("south base", "1/8")
    with pytest.raises(Illegal, match=says):
        fought(field, "3/1, 3/5", [DEADLY, DEADLY], answer, dice=[1, 6, 1, 6])


def test_the_words_of_a_unit_elsewhere_name_no_others() -> None:
    """[16.3] "USMC A Tank" is one unit, not the only one of the Marines, the one of the Army and the only tank."""
    field = Field()
    field.put("south base", "A Tank")
    with pytest.raises(Illegal, match=r"USMC A Tank takes no part in this battle: it is at South Base \[16.3\]"):
        fought(field, "C Tank, 4 MP", [DEADLY, HARMLESS], "hit=USMC A Tank", dice=[1, 6, 1, 6])


@pytest.mark.parametrize(
    ("at", "says"),
    [
        ("3-9", r"no reduced unit is at 3-9 \[18.3\]"),
        ("3-10", r"3-10 is no Base, and neither an FOB nor an Amtrac is there \[18.3\]"),
        ("recruit", r"Recruit box is no space of the map \[3.1\]"),
    ],
)
def test_a_place_without_a_refit_says_why(at: str, says: str) -> None:
    field = Field()
    field.put("north base", "3/1")
    field.put("south base", "3/5")
    field.put("3-9", "1/8", "1 AT")
    field.put("3-10", "A Tank")
    field.reduce("3/1", "3/5", "A Tank")
    with pytest.raises(Illegal, match=says):
        field.do("j4", "kind=refit", f"at={at}")


@pytest.mark.parametrize(("to", "says"), [("node cup", "Nodes that nobody has seen"), ("available", "Available box")])
def test_a_box_is_no_goal_of_a_move(to: str, says: str) -> None:
    """[3.1] It is named by its title, not by the word in it that no space has."""
    field = Field()
    field.put("north base", "3/1")
    with pytest.raises(Illegal, match=rf"{says} is no space of the map \[3.1\]"):
        field.do("j3", "force=3/1", f"to={to}")


@pytest.mark.parametrize(
    ("at", "says"), [("3-9", r"an FOB is at 3-9 already \[8.2\]"), ("3-10", r"no engineer is at 3-10 \[18.5\]")]
)
def test_a_space_without_room_or_engineer_for_an_fob_says_why(at: str, says: str) -> None:
    field = Field()
    field.put("3-9", "1 CE", "FOB 1")
    field.put("3-8", "9 Arm")
    field.put("3-10", "3/1")
    with pytest.raises(Illegal, match=says):
        field.do("j4", "kind=fob", f"at={at}")


@pytest.mark.parametrize(
    ("at", "says"),
    [
        ("2-8", r"the Node at 2-8 lies face down \[33.0\]"),
        ("2-9", r"no Node lies at 2-9 \[33.0\]"),
        ("3-9", r"no fire support is used at 3-9, where Iraqi units are \[31.0\]"),
    ],
)
def test_a_space_that_cannot_be_interdicted_says_why(at: str, says: str) -> None:
    field = Field("vigilant_resolve", interdiction="on", joint="on")
    for space in ("3-8", "3-9", "3-10"):
        field.node(space, "c2")
    field.conceal("2-8")
    field.put("3-9", "36 Cdo")
    field.put("available", "Air Strike (3)")
    with pytest.raises(Illegal, match=says):
        field.do("interdict", f"at={at}", "strikes=all")


def test_recruited_units_arrive_where_an_fob_is() -> None:
    """[11.1] Another space is refused by that rule, not as a name that is unknown."""
    field = Field()
    with pytest.raises(Illegal, match=r"no FOB is at 3-8 Jolan, and units arrive at a Base or an FOB \[11.1\]"):
        field.do("j1", "buy=3/1", "at=3-8")


class Places:
    """Mixin for a random player: compares the places of a question with those that no rule excludes."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.seen: set[str] = set()  # the rules of the questions
        super().__init__(*args, **options)

    def on_question(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any]) -> None:
        if not isinstance(request, Choose) or request.key not in ("at", "base"):
            return
        named = {choice.value for choice in (*request.choices, *request.others)} - {"apart"}
        excluded = {place for place in state.UNIT_PLACES if NO_PLACE[request.rule](request.referee, place)}
        self.seen.add(request.rule)
        assert named == state.UNIT_PLACES - excluded


def test_the_places_of_a_question_are_those_that_no_rule_excludes() -> None:
    """In random games, for arrivals, refits, FOBs, bridges and Interdiction: the list and the refusals agree."""
    seen: set[str] = set()
    for seed in range(6):
        player: Any = seat("fallujah2004", seed, Places, interdiction="on")
        for _ in range(80):
            player.turn()
            if player.game.over(player.position):
                break
        seen |= player.seen
    assert {"11.1", "18.3", "18.5", "33.0"} <= seen
