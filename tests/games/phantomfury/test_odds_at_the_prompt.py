"""The odds at a prompt tell the whole commitment: what a Suspect turns out to be, a Sniper, the street before the yard."""

from __future__ import annotations

from math import isclose

import pytest

from companion.core.requests import Odds, Request
from tests.games.phantomfury.board import Board, Practice


def question(table: Board, key: str) -> Request[object]:
    """The last question of that key."""
    return [question for question in table.asked if question.key == key][-1]


def odds(table: Board, key: str) -> dict[str, dict[str, float]]:
    """The odds of a question by their sections."""
    work = question(table, key).odds
    assert work is not None
    answer_odds: Odds = work()
    return {head: dict(lines) for head, lines in answer_odds.sections}


def stop(table: Board, action: str, *answers: str, **more: list[int]) -> None:
    """Play as far as the answers go, to the question that has none."""
    with pytest.raises(AssertionError, match="no answer to"):
        table.do(action, *answers, **more)


def close(chances: dict[str, float], **expected: float) -> None:
    for name, chance in expected.items():
        assert isclose(chances.get(name.replace("_", " "), 0.0), chance, abs_tol=1e-9), (name, chances)


def field() -> Practice:
    """Squad 2 on the roof of Zone 3; around it, Suspects in 14, 15 and 16 and a unit in 14: five enemies."""
    table = Practice()
    table.ours("2", "3", "4")
    table.zone("14", "15", "16")
    table.squad(2, "3-R", cf=5)
    for where in ("15-1", "15-2", "16-R", "14-1"):
        table.enemy(where)
    table.enemy("14-2", "G2/M2")
    return table


def test_5_3_3_an_activation_has_its_odds() -> None:
    """[5.3.3, 5.3.4] 50, 30, 10 and 10 in a hundred; in a Fortified Zone 10, 70 and 20."""
    table = field()
    stop(table, "fire", "unit=2", "target=15-1", dice=[0])
    (found,) = odds(table, "activate").values()
    close(found, dummy=0.5, guerillas=0.3, martyrs=0.1, ied=0.1)
    table = field()
    table.change(table.position.at("box 15")[0].id, name="Activated Strong Point")
    stop(table, "fire", "unit=2", "target=15-1", dice=[0])
    (found,) = odds(table, "activate").values()
    close(found, dummy=0.1, martyrs=0.7, ied=0.2)


@pytest.mark.parametrize(("ammo", "hit"), [(False, 0.5), (True, 0.7)])
def test_11_4_1_fire_at_a_suspect_counts_the_snipers_answer(ammo: bool, hit: float) -> None:
    """[11.2.2, 11.4.1.1, 11.4.1.2] CF 5, 1 added: hit on 0 to 4. One in ten of the hits wakes a Sniper; with five enemies around,
    0 is a Step Loss, 0 to 5 Pins.
    """
    table = field()
    table.squad(2, "3-R", cf=5, caat=True)
    stop(table, "fire", "unit=2")
    head = "A Suspect at 15-1, 15-2, 16-R, 14-1" + (", with CAAT Ammo" if ammo else "")
    chances = odds(table, "target")[head]

    close(chances, not_hit=1 - hit, Guerillas=hit * 0.3, Martyrs=hit * 0.1, no_enemy_there=hit * 0.6)
    assert isclose(chances["Squad 2 suffers: Pinned"], hit * 0.1 * 0.5)
    assert isclose(chances["Squad 2 suffers: a Step Loss and Pinned"], hit * 0.1 * 0.1)


def test_11_1_3_no_sniper_answers_an_m1a1() -> None:
    """[11.4.1] Ruling C-44: nothing befalls it."""
    table = field()
    table.change(table.named("M1A1 1").id, place="street b")
    stop(table, "fire", "unit=m1")
    (found,) = [rows for head, rows in odds(table, "target").items() if head.startswith("A Suspect")]

    assert set(found) == {"not hit", "no enemy there", "Guerillas", "Martyrs"}


@pytest.mark.parametrize("around", [0, 1, 5, 12])
def test_11_2_the_odds_of_a_described_shot_at_a_suspect_include_its_activation(around: int) -> None:
    """[11.4.1.1] CF 6 hits on 0 to 5; a Sniper is met with 0.6 times 0.1."""
    sections = {head: dict(rows) for head, rows in field().odds("fire", "cf=6", "enemy=s", f"around={around}").sections}

    close(sections["The Suspect is"], Dummy=0.3, Guerillas=0.18, Martyrs=0.06, a_Sniper=0.06)
    close(sections["A squad that fires suffers"], Pinned=0.06 * min(around, 9) / 10, a_Step_Loss_and_Pinned=0.006)


def test_12_5_2_entering_counts_the_street_on_the_way() -> None:
    """[12.5.2, 12.7.2] One unit and four Suspects beside street b: 2 - 9 and 5 - 9 let the squad through; then CF 2 fires."""
    table = field()
    table.squad(2, "3-C", cf=5)
    for where in ("15-1", "15-2", "16-R", "14-1"):
        table.change(next(piece.id for piece in table.position.at(where)), place="suspects cup")
    stop(table, "move", "unit=2")
    sections = odds(table, "to")

    through = 8 / 10
    close(sections["Crossing street b"], unharmed=through, Step_Loss=0.2)
    inside = sections["Entering 14-C by street b"]
    close(inside, stopped_in_the_street=0.2, reduced=through * 0.2, Pinned=through * 0.1, unharmed=through * 0.7)
    covered = sections["Entering 14-C+ by street b"]
    close(covered, stopped_in_the_street=0.2, reduced=through * 0.1, Pinned=through * 0.1, unharmed=through * 0.8)


def test_12_1_2_a_street_that_no_unit_may_cross_has_no_odds() -> None:
    """[12.1.2, 12.4.3] A full squad in a Zone of the insurgents stays in it."""
    table = field()
    table.squad(2, "14-1", cf=5)
    table.change(next(piece.id for piece in table.position.at("14-1") if piece.kind == "suspect"), place="14-R")
    stop(table, "move", "unit=2")

    assert not [head for head in odds(table, "to") if "street" in head]


def test_13_4_7_2_explosives_are_weighed_with_the_flooding_behind() -> None:
    """[13.4.7.2, 13.7.1] As at the target: the first Assault, and the whole chain, with and without them."""
    table = field()
    table.squad(2, "14-R", cf=6, caat=True)
    stop(table, "assault", "squad=2")
    asked, target = odds(table, "explosives"), odds(table, "target")

    assert list(asked) == [
        "Without",
        "Without, and Flooding: Zone 14",
        "With explosives",
        "With explosives, and Flooding: Zone 14",
    ]
    for head, addition in (
        ("Without, and Flooding: Zone 14", ""),
        ("With explosives, and Flooding: Zone 14", ", with explosives"),
    ):
        same = target[f"14-2, top-down{addition}, and Flooding: Zone 14"]
        assert asked[head].keys() == same.keys() and all(isclose(asked[head][name], same[name]) for name in same)
