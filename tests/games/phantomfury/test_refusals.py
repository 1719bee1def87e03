"""What is named and cannot be chosen is refused by the rule that excludes it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Illegal
from companion.core.requests import AnyRequest, Choose
from tests.games.phantomfury.board import Board
from tests.support.players import seat


def facing() -> Board:
    board = Board()
    board.set(phase=2)
    board.ours("3")
    board.zone("14", "15", "16", "24")
    board.squad(1, "3-R")
    board.squad(7, "14-C")
    board.enemy("15-1", "G2/M2")
    board.enemy("16-1", "G2/M2")
    board.enemy("24-1", "G1/M1")
    return board


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("15-2", r"no Suspect and no Insurgents unit is at 15-2 \[11.1\]"),
        ("G1/M1", r"Zone 24 is neither Adjacent nor Neighbouring to Squad 1 \[11.1\]"),
        ("G2/M2", r"a target is named by its Location, such as 15-1 \[11.1\]"),
        ("Squad 7", r"Squad 7 is a unit of yours \[11.1\]"),
        ("box 15", r"the Control box of Zone 15 is not a Location \[4.2\]"),
    ],
)
def test_what_cannot_be_fired_at_says_why(target: str, says: str) -> None:
    with pytest.raises(Illegal, match=says):
        facing().do("fire", "unit=1", f"target={target}")


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("G1/M1", r"24-1 is not Adjacent to 14-C \[4.2.2\]"),
        ("24-1", r"24-1 is not Adjacent to 14-C \[4.2.2\]"),
        ("24-2", r"no Suspect and no Insurgents unit is at 24-2 \[13.0\]"),
    ],
)
def test_what_cannot_be_assaulted_says_why(target: str, says: str) -> None:
    board = facing()
    board.enemy("14-1", "G3/M2")
    board.enemy("14-2", "G3/M2")
    with pytest.raises(Illegal, match=says):
        board.do("assault", "squad=7", f"target={target}")


def test_a_tank_on_the_map_makes_no_assault() -> None:
    """[13.0] It is not said to be off the map."""
    board = facing()
    board.enemy("14-1", "G3/M2")
    board.enemy("3-1", "G3/M2")
    board.change("m1a1", place="street s")
    with pytest.raises(Illegal, match=r"M1A1 1 is not a squad \[13.0\]"):
        board.do("assault", "squad=M1A1 1", "target=14-1")


@pytest.mark.parametrize(
    ("to", "says"),
    [
        ("suspects cup", r"Suspects cup is not a Location \[4.2\]"),
        ("14-R", r"14-1 is occupied by the enemy \[12.3.1\]"),
        ("Squad 1", r"Squad 1 is a counter, and units move to Locations and Street Sections \[4.2\]"),
        ("G2/M2", r"G2/M2 is a counter, and units move to Locations and Street Sections \[4.2\]"),
        ("3-R", r"3-R is 5 Movement Points away, 4 are left \[12.3.1\]"),
    ],
)
def test_where_a_squad_cannot_go_says_why(to: str, says: str) -> None:
    """Enemies that close the way inside a Zone are named."""
    board = facing()
    board.enemy("14-1", "G3/M2")
    with pytest.raises(Illegal, match=says):
        board.do("move", "unit=7", f"to={to}")


@pytest.mark.parametrize(
    ("action", "answer", "says"),
    [
        ("reinforce", "units=Squad 7", r"Squad 7 is on the map already, at 14-C \[10.1\]"),
        ("reinforce", "units=G2/M2", r"G2/M2 is an Insurgents unit, not a USMC squad or .* an M1A1 Abrams \[10.1\]"),
        ("mission", "mission=Squad 7", r"Squad 7 is a counter, and none is asked for \[9.3\]"),
        ("mission", "mission=uav; zones=14-C", r"14-C is not a Zone \[4.1\]"),
    ],
)
def test_the_wrong_kind_of_thing_is_named_as_such(action: str, answer: str, says: str) -> None:
    board = facing()
    board.set(phase=0)
    with pytest.raises(Illegal, match=says):
        board.do(action, *answer.split("; "))


class Targets:
    """Mixin for a random player: asks at each question for a target why each Location is none."""

    asked = 0

    def on_question(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any]) -> None:
        if isinstance(request, Choose) and request.key == "target" and request.why_not:
            self.asked += 1
            assert [choice.value for choice in request.choices if request.why_not(choice.value)] == []
            assert [choice.value for choice in request.others if not request.why_not(choice.value)] == []


def test_a_target_has_no_reason_against_it_and_every_other_location_has_one() -> None:
    """In random games, for Fire and for Assaults: the list of targets and the refusals agree."""
    asked = 0
    for seed in range(6):
        player: Any = seat("phantomfury", seed, Targets)
        for _ in range(60):
            player.turn()
            if player.game.over(player.position):
                break
        asked += player.asked
    assert asked > 20
