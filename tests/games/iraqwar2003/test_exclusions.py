"""A piece, hex or city of the game that cannot be chosen is refused by the rule that excludes it, at each kind of question."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.core.errors import CompanionError, Illegal
from companion.core.requests import AnyRequest
from companion.games.iraqwar2003 import exclusions
from tests.every_game.test_refusals import Naming
from tests.games.iraqwar2003.field import operations, war
from tests.games.iraqwar2003.ground import placed
from tests.support.players import seat
from tests.support.table import Table

_ATTACK = ("units=1/3ID", "way=stay", "attack=11D", "river=none", "terrain=plain")


def refusal(table: Table, action: str, *answers: str, **more: Any) -> Illegal:
    with pytest.raises(Illegal) as fault:
        table.do(action, *answers, **more)
    return fault.value


@pytest.mark.parametrize(
    ("answers", "text", "rule"),
    [
        (("facility", "target=F-15"), "F-15 is an air unit", "6.2"),
        (("facility", "target=1/3ID"), "bombed in the Ground Bombing Phase", "4.1(2)"),
        (("facility", "target=radio 1", "group=1/3ID"), "air groups are made of air units", "5.1.1(1)"),
        (("facility", "target=radio 1", "group=MiG-23"), "belongs to the other player", "5.2(2)"),
        (("facility", "target=radio 1 by B-1", "target=done", "intercept=F-15"), "belongs to the other player", "5.2(1)"),
        (("bomb", "target=comm radio 1"), "bombed in the Facility Bombing Phase", "4.1(1)"),
        (("bomb", "target=1/3ID"), "one of your own units", "7.0"),
        (("bomb", "target=SRG1 by escort F-15"), "without a unit on the mission", "5.3.1(1)"),
        (("bomb", "target=SRG1 by B-52", "where=Kirkuk"), "bombs are not halved in Kirkuk", "5.7(3)"),
        (("supply", "oos=F-15"), "supply is checked for ground combat units", "10.0(1)"),
        (("units", "units=11D"), "in play already", "2.2"),
        (("control", "control=north site"), "names no VP city or port", "15.2"),
    ],
)
def test_a_piece_of_another_kind_or_side_is_refused_by_its_rule(answers: tuple[str, ...], text: str, rule: str) -> None:
    fault = refusal(war(), *answers)
    assert (text in fault.message, fault.rule) == (True, rule), fault


@pytest.mark.parametrize(
    ("answers", "text", "rule"),
    [
        (("units=F-15",), "ground combat units move and fight", "4.1(4)"),
        (("units=1/3ID", "way=11D"), "units enter hexes", "12.2"),
        (("units=1/3ID", "way=coalition used"), "names no hex: units enter hexes", "2.1.1(1)"),
        ((*_ATTACK, "support=palace"), "names no air unit", "5.1.1(1)"),
        (("units=1/3ID", "way=stay", "attack=MiG-23"), "ground combat units are attacked", "13.0"),
        (("units=1/3ID", "way=stay", "attack=11D", "river=51M"), "does not take part in this attack", "13.3(4)"),
        ((*_ATTACK, "support=A-10, F-18"), "several air groups", "5.1.1(5)"),
        ((*_ATTACK, "support=MiG-23"), "belongs to the other player", "5.2(2)"),
        ((*_ATTACK, "support=11D"), "air groups are made of air units", "5.1.1(1)"),
        ((*_ATTACK, "support=none", "counter=F-15"), "belongs to the other player", "5.2(1)"),
    ],
)
def test_what_cannot_be_named_in_the_operation_phase_is_refused_by_its_rule(
    answers: tuple[str, ...], text: str, rule: str
) -> None:
    fault = refusal(operations(), "move", *answers)
    assert (text in fault.message, fault.rule) == (True, rule), fault


_FIGHT = ("units=1/3ID", "way=stay", "attack=2331", "support=none", "counter=none")


@pytest.mark.parametrize(
    ("number", "text", "rule"),
    [
        ("2130", "2130 is not adjacent", "13.5"),
        ("2231", "an enemy unit is in 2231", "13.5(2-1)"),
        ("2332", "2332 lies in an enemy zone of control", "13.5(3)"),
    ],
)
def test_a_hex_that_is_closed_to_a_retreat_is_refused_by_its_rule(number: str, text: str, rule: str) -> None:
    """[13.5] 11D retreats from 2331; 1/3ID in 2231 attacks."""
    table = placed(stand={"1/3ID": "2231", "11D": "2331"})
    fault = refusal(table, "move", *_FIGHT, f"retreat={number}", dice=[6], accept=True)
    assert (text in fault.message, fault.rule) == (True, rule), fault


@pytest.mark.parametrize(
    ("named", "text", "rule"),
    [("2/3ID", "2/3ID has no range", "16.3(1)"), ("B-1", "is an air unit", "16.3(1)"), ("11D", "11D has no range", "16.3(1)")],
)
def test_a_unit_that_is_no_artillery_in_range_is_refused_by_its_rule(named: str, text: str, rule: str) -> None:
    table = placed(stand={"1/3ID": "2231", "11D": "2331", "DivArty": "2131"}, artillery="on")
    fault = refusal(table, "move", *_FIGHT, f"artillery={named}", accept=True)
    assert (text in fault.message, fault.rule) == (True, rule), fault


CHOICES = (
    "source",
    "terrain",
    "what",
    "next",
    "retreat",
    "one",
    "further",
    "sector",
    "holder",
    "control",
    "taken",
    "kurds",
    "where",
)
"""Questions that no counter can answer: the rule of the question refuses it."""
MENTIONED = ("cannot be chosen here", "can be chosen here")


class Specific(Naming):
    """Mixin for a random player: counts the refusals of counters with a reason of their own, and those without."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.counts: Counter[bool] = Counter()
        super().__init__(*args, **options)

    def fault_of(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any], text: str) -> str:
        pieces = [piece for piece in request.referee.position.pieces.values() if piece.name == text]
        if not pieces or request.key in CHOICES or exclusions.kind_of(pieces[0]) == exclusions.MARKER:
            return ""
        try:
            self.resolver.parse_reply(request, text, 0, "typed", False)
        except CompanionError as error:
            is_specific = not any(words in error.message for words in MENTIONED)
            self.counts[is_specific] += 1
            return "" if is_specific else str(error)
        return ""


def test_counters_are_refused_for_a_reason_of_their_own_in_random_games() -> None:
    """No counter that a question could be about is refused with the words that fit every counter."""
    counts: Counter[bool] = Counter()
    faults: set[tuple[str, str, str]] = set()
    for seed in range(4):
        player: Any = seat("iraqwar2003", seed, Specific)
        for _ in range(60):
            player.turn()
        counts += player.counts
        faults |= set(player.faults)
    assert sorted(faults) == [] and counts[True] > 1_000
